//! The position: where the pieces stand, whose turn it is, and what the rules need to know.
//!
//! The specification's state (twelve piece bitboards, three occupancies, side, en passant,
//! castling, hash key) is what the public API shows. Inside it is kept denser, six kinds and
//! two colours, and some things are kept besides: a mailbox, the pieces that give check, the
//! pinned ones, and more keys. A board is copied for each move rather than unmade: the copy is
//! three cache lines and can't be undone wrongly.
//!
//! A position is checked on entry ([`Board::from_fen`], [`PositionError`]); all others come
//! from legal moves. The en-passant square is kept, hashed and written only while a *legal*
//! capture on it exists.

mod castling;
mod fen;
mod history;
mod legality;
mod make;
mod movegen;
mod san;
mod see;
mod validate;

pub use fen::{FenField, ParseFenError, ShredderFen};
pub use history::KeyHistory;
pub use make::PieceObserver;
pub(crate) use make::{KeysOnly, Tracker, Unkeyed};
pub use movegen::MoveFilter;
pub(crate) use movegen::{count, generate_all, step_back, Black, Side, Sink, White};
pub use san::{ParseSanError, San};
pub use see::SEE_VALUES;
pub use validate::PositionError;

use crate::types::{Bitboard, CastlingRights, Color, Move, Piece, PieceType, Square, Variant};
use crate::zobrist::{Key, Keys};
use castling::Castling;
use core::fmt;

/// A chess position that has passed validation.
///
/// ```
/// use kirin::{Board, MoveList};
/// let mut board = Board::startpos();
/// let e4 = board.find_move("e2e4".parse()?).expect("legal");
/// board.make_move(e4);
/// assert_eq!(board.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// assert_eq!(board.legal_moves().len(), 20);
/// # Ok::<(), kirin::ParseUciMoveError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    /// `[piece type]`, both colours.
    kinds: [Bitboard; PieceType::COUNT],
    /// `[color]`
    colors: [Bitboard; Color::COUNT],
    /// `[square]`: what stands there.
    mailbox: [Option<Piece>; Square::COUNT],
    /// The enemy pieces that give check to the side to move.
    checkers: Bitboard,
    /// The pieces of the side to move that stand alone between its king and an enemy slider.
    pinned: Bitboard,
    keys: Keys,
    castling: Castling,
    fullmove_number: u32,
    halfmove_clock: u16,
    side: Color,
    en_passant: Option<Square>,
}

// A multiple of 16, so that wide stores copy it.
const _: () = assert!(core::mem::size_of::<Board>() == 208);

/// How a game stands, by what the board alone can tell (repetition needs its history:
/// [`KeyHistory`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The side to move has a legal move and no draw is on the board.
    Ongoing,
    /// The side to move is mated.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// A hundred plies without a capture or a pawn move, and no mate.
    FiftyMoves,
    /// Neither side could mate with any help: bare kings, one minor piece, or bishops on one
    /// colour.
    InsufficientMaterial,
}

impl Board {
    /// The FEN of the starting position.
    pub const STARTPOS_FEN: &'static str =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// The starting position.
    #[must_use]
    pub fn startpos() -> Board {
        match Board::from_fen(Board::STARTPOS_FEN) {
            Ok(board) => board,
            Err(_) => unreachable!("the starting position is legal"),
        }
    }

    /// A board with no pieces: where every position starts being set up.
    const fn empty() -> Board {
        Board {
            kinds: [Bitboard::EMPTY; PieceType::COUNT],
            colors: [Bitboard::EMPTY; Color::COUNT],
            mailbox: [None; Square::COUNT],
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            keys: Keys {
                position: Key(0),
                pawns: Key(0),
                non_pawns: [Key(0); 2],
                minors: Key(0),
                majors: Key(0),
            },
            fullmove_number: 1,
            halfmove_clock: 0,
            side: Color::White,
            castling: Castling::none(Variant::Standard),
            en_passant: None,
        }
    }

    /// The squares of one piece: the specification's `bitboards[piece]`.
    #[inline]
    #[must_use]
    pub const fn pieces(&self, piece: Piece) -> Bitboard {
        self.of(piece.color(), piece.piece_type())
    }

    /// The squares of `color`'s pieces of one kind.
    #[inline]
    #[must_use]
    pub const fn of(&self, color: Color, kind: PieceType) -> Bitboard {
        Bitboard(self.kinds[kind as usize].0 & self.colors[color as usize].0)
    }

    /// The squares of both sides' pieces of one kind.
    #[inline]
    #[must_use]
    pub const fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind as usize]
    }

    /// The squares of all of `color`'s pieces: the specification's `occupancy[side]`.
    #[inline]
    #[must_use]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The occupied squares: the specification's `occupancy[both]`.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0].0 | self.colors[1].0)
    }

    /// Bishops and queens of both sides.
    #[inline]
    #[must_use]
    pub const fn diagonal_sliders(&self) -> Bitboard {
        Bitboard(self.kinds[PieceType::Bishop as usize].0 | self.kinds[PieceType::Queen as usize].0)
    }

    /// Rooks and queens of both sides.
    #[inline]
    #[must_use]
    pub const fn straight_sliders(&self) -> Bitboard {
        Bitboard(self.kinds[PieceType::Rook as usize].0 | self.kinds[PieceType::Queen as usize].0)
    }

    /// Has `color` anything besides pawns and its king?
    #[inline]
    #[must_use]
    pub const fn has_non_pawns(&self, color: Color) -> bool {
        let pawns_and_kings =
            self.kinds[PieceType::Pawn as usize].0 | self.kinds[PieceType::King as usize].0;
        self.colors[color as usize].0 & !pawns_and_kings != 0
    }

    /// What stands on `square`.
    #[inline]
    #[must_use]
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square as usize]
    }

    /// Where `color`'s king stands.
    #[inline]
    #[must_use]
    pub const fn king(&self, color: Color) -> Square {
        self.of(color, PieceType::King).first_unchecked()
    }

    /// Whose turn it is.
    #[inline]
    #[must_use]
    pub const fn side_to_move(&self) -> Color {
        self.side
    }

    /// The castling rights that are left.
    #[inline]
    #[must_use]
    pub const fn castling(&self) -> CastlingRights {
        self.castling.rights()
    }

    /// The square behind a pawn that has just moved two squares, while a legal en-passant
    /// capture on it exists.
    #[inline]
    #[must_use]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the current move, counted from 1 and increased after black's.
    #[inline]
    #[must_use]
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// Sets the plies since the last capture or pawn move.
    pub fn set_halfmove_clock(&mut self, plies: u16) {
        self.halfmove_clock = plies;
    }

    /// Sets the number of the current move; 0 is taken for 1.
    pub fn set_fullmove_number(&mut self, number: u32) {
        self.fullmove_number = if number == 0 { 1 } else { number };
    }

    /// The hash key of the position, kept up to date move by move.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> Key {
        self.keys.position
    }

    /// All hash keys.
    #[inline]
    #[must_use]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The enemy pieces that give check to the side to move.
    #[inline]
    #[must_use]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Is the side to move in check?
    #[inline]
    #[must_use]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that stand alone between its king and an enemy slider.
    #[inline]
    #[must_use]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// How the game stands. Mate comes before the fifty-move rule: a mate on the hundredth ply
    /// wins.
    #[must_use]
    pub fn status(&self) -> Status {
        if self.count_legal_moves() == 0 {
            if self.in_check() {
                Status::Checkmate
            } else {
                Status::Stalemate
            }
        } else if self.halfmove_clock >= 100 {
            Status::FiftyMoves
        } else if self.is_insufficient_material() {
            Status::InsufficientMaterial
        } else {
            Status::Ongoing
        }
    }

    /// Is the game drawn by the fifty-move rule? (Not if the last move gave mate.)
    #[must_use]
    pub fn is_draw_by_fifty_moves(&self) -> bool {
        self.halfmove_clock >= 100 && !(self.in_check() && self.count_legal_moves() == 0)
    }

    /// Could neither side mate even with the other's help, for want of material? True for bare
    /// kings, for one minor piece, and for any bishops that all stand on one colour.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        use PieceType::{Bishop, King, Knight};
        let kings = self.kind(King);
        let minors = self.occupied() - kings;
        if (minors - self.kind(Knight) - self.kind(Bishop)).any() {
            return false;
        }
        if !minors.more_than_one() {
            return true;
        }
        let bishops = self.kind(Bishop);
        minors == bishops
            && ((bishops & Bitboard::LIGHT_SQUARES).is_empty()
                || (bishops & Bitboard::DARK_SQUARES).is_empty())
    }

    /// The same position with the colours exchanged: ranks upside down, the other side to move.
    #[must_use]
    pub fn flipped(&self) -> Board {
        let mut board = Board::empty();
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                let piece = piece.piece_type().of(piece.color().opposite());
                board.set_piece(piece, square.flip());
            }
        }
        board.side = self.side.opposite();
        board.castling = self.castling.flip();
        board.en_passant = self.en_passant.map(Square::flip);
        board.halfmove_clock = self.halfmove_clock;
        board.fullmove_number = self.fullmove_number;
        board.update_checks_for_side();
        board.keys = board.recompute_keys();
        board
    }

    /// The keys computed anew from the pieces: what [`Board::keys`] must equal.
    #[must_use]
    pub fn recompute_keys(&self) -> Keys {
        let mut keys = Keys::default();
        for square in self.occupied() {
            if let Some(piece) = self.piece_on(square) {
                keys.toggle_piece(piece, square);
            }
        }
        keys.position.toggle_castling(self.castling.rights());
        if let Some(square) = self.en_passant {
            keys.position.toggle_en_passant(square.file());
        }
        if self.side == Color::Black {
            keys.position.toggle_side();
        }
        keys
    }

    /// The legal move that a transposition table kept as [`Move::packed`], if it is one here.
    #[must_use]
    pub(crate) fn move_from_packed(&self, packed: u16) -> Option<Move> {
        let source = Square::wrap((packed & 63) as u8);
        let target = Square::wrap((packed >> 6 & 63) as u8);
        let promotion = match packed >> 12 {
            0 => None,
            kind @ 1..=4 => Some(PieceType::ALL[kind as usize]),
            _ => return None,
        };
        self.legal_move(source, target, promotion)
    }
}

/// Draws the board with its FEN and key, for people to look at.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for rank in 0..8 {
            write!(f, "{} ", 8 - rank)?;
            for file in 0..8 {
                let piece = self.mailbox[rank * 8 + file];
                write!(f, " {}", piece.map_or('.', Piece::to_char))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "   a b c d e f g h\n")?;
        writeln!(f, "Fen: {self}")?;
        write!(f, "Key: {}", self.key())
    }
}
