//! Moves: the specification's 24-bit encoding, and a move as the UCI protocol writes it.

use super::{Color, ParseSquareError, Piece, PieceType, Square};
use core::fmt;
use core::num::NonZeroU32;
use core::str::FromStr;

const TARGET_SHIFT: u32 = 6;
const PIECE_SHIFT: u32 = 12;
const PROMOTED_SHIFT: u32 = 16;
const CAPTURE: u32 = 0x10_0000;
const DOUBLE_PUSH: u32 = 0x20_0000;
const EN_PASSANT: u32 = 0x40_0000;
const CASTLING: u32 = 0x80_0000;

/// A move in the specification's 24 bits:
///
/// | bits | field |
/// |---|---|
/// | `0x00003f` | source square |
/// | `0x000fc0` | target square |
/// | `0x00f000` | piece that moves |
/// | `0x0f0000` | piece that a pawn becomes, else 0 |
/// | `0x100000` | capture |
/// | `0x200000` | double pawn push |
/// | `0x400000` | en passant (a capture too) |
/// | `0x800000` | castling |
///
/// The target of castling is the king's in the standard game, and the rook's square on a board of
/// Chess960 ([`crate::Variant`]).
///
/// No move has the same source and target, so 0 is none of them and `Option<Move>` takes no
/// more room than a `Move`. A `Move` means something only beside the board it was made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Move(NonZeroU32);

/// The kinds of move that a board treats differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// To an empty square, with nothing special about it.
    Quiet,
    /// A pawn's first move of two squares.
    DoublePush,
    /// Onto an enemy piece.
    Capture,
    /// A pawn takes one that has just passed it.
    EnPassant,
    /// The king's move of a castling.
    Castling,
    /// A pawn reaches its last rank, perhaps by a capture.
    Promotion,
}

impl Move {
    /// The move with these eight fields, in the specification's order. Callers in the crate
    /// give `source` other than `target`; equal ones would not be a move, and `None`.
    #[inline]
    #[must_use]
    #[allow(clippy::too_many_arguments)] // the specification's own eight fields
    pub const fn encode(
        source: Square,
        target: Square,
        piece: Piece,
        promoted: Option<Piece>,
        capture: bool,
        double_push: bool,
        en_passant: bool,
        castling: bool,
    ) -> Option<Move> {
        let promoted = match promoted {
            Some(piece) => piece as u32,
            None => 0,
        };
        Move::from_bits(
            source as u32
                | ((target as u32) << TARGET_SHIFT)
                | ((piece as u32) << PIECE_SHIFT)
                | (promoted << PROMOTED_SHIFT)
                | (capture as u32 * CAPTURE)
                | (double_push as u32 * DOUBLE_PUSH)
                | (en_passant as u32 * EN_PASSANT)
                | (castling as u32 * CASTLING),
        )
    }

    /// The move with these 24 bits, or `None` where they can't be one: source equal to target
    /// (0 among them), a piece above 11, a promoted piece that a pawn can't become or that is of
    /// the other side, flags that exclude one another, bits above the 24th.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Move> {
        let piece = bits >> PIECE_SHIFT & 15;
        let promoted = bits >> PROMOTED_SHIFT & 15;
        let pawn = piece == 0 || piece == 6;
        let special = bits >> 21 & 7;
        let ok = bits < 1 << 24
            && bits & 63 != bits >> TARGET_SHIFT & 63
            && piece < 12
            && (promoted == 0
                || (pawn && special == 0 && promoted > piece && promoted < piece + 5))
            && special & special.wrapping_sub(1) == 0
            && (bits & EN_PASSANT == 0 || (pawn && bits & CAPTURE != 0))
            && (bits & DOUBLE_PUSH == 0 || (pawn && bits & CAPTURE == 0))
            && (bits & CASTLING == 0 || ((piece == 5 || piece == 11) && bits & CAPTURE == 0));
        if ok {
            match NonZeroU32::new(bits) {
                Some(bits) => Some(Move(bits)),
                None => None,
            }
        } else {
            None
        }
    }

    /// Puts the fields together without a check, for the generator, whose moves are sound.
    /// `flags` are CAPTURE and its like.
    #[inline]
    const fn compose(source: Square, target: Square, piece: Piece, rest: u32) -> Move {
        let bits =
            source as u32 | (target as u32) << TARGET_SHIFT | (piece as u32) << PIECE_SHIFT | rest;
        match NonZeroU32::new(bits) {
            Some(bits) => Move(bits),
            // Only a8a8 of a white pawn would be zero; any value will do.
            None => Move(NonZeroU32::MIN),
        }
    }

    #[inline]
    pub(crate) const fn quiet(source: Square, target: Square, piece: Piece) -> Move {
        Move::compose(source, target, piece, 0)
    }

    #[inline]
    pub(crate) const fn capture(source: Square, target: Square, piece: Piece) -> Move {
        Move::compose(source, target, piece, CAPTURE)
    }

    #[inline]
    pub(crate) const fn double_push(source: Square, target: Square, color: Color) -> Move {
        Move::compose(source, target, PieceType::Pawn.of(color), DOUBLE_PUSH)
    }

    #[inline]
    pub(crate) const fn en_passant(source: Square, target: Square, color: Color) -> Move {
        Move::compose(
            source,
            target,
            PieceType::Pawn.of(color),
            EN_PASSANT | CAPTURE,
        )
    }

    #[inline]
    pub(crate) const fn castling(source: Square, target: Square, color: Color) -> Move {
        Move::compose(source, target, PieceType::King.of(color), CASTLING)
    }

    #[inline]
    pub(crate) const fn promotion(
        source: Square,
        target: Square,
        color: Color,
        promoted: PieceType,
        capture: bool,
    ) -> Move {
        let rest = ((promoted.of(color) as u32) << PROMOTED_SHIFT) | (capture as u32 * CAPTURE);
        Move::compose(source, target, PieceType::Pawn.of(color), rest)
    }

    /// The 24 bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0.get()
    }

    /// Where the piece comes from.
    #[inline]
    #[must_use]
    pub const fn source(self) -> Square {
        Square::wrap((self.0.get() & 63) as u8)
    }

    /// Where the piece goes. When castling, that is where the king goes, and on a board of
    /// Chess960 where its rook stands.
    #[inline]
    #[must_use]
    pub const fn target(self) -> Square {
        Square::wrap((self.0.get() >> TARGET_SHIFT & 63) as u8)
    }

    /// The piece that moves, before any promotion.
    #[inline]
    #[must_use]
    pub const fn piece(self) -> Piece {
        // No move holds a number above 11: `from_bits` refuses it.
        let index = (self.0.get() >> PIECE_SHIFT & 15) as usize;
        Piece::ALL[if index < 12 { index } else { 0 }]
    }

    /// The piece that a pawn becomes.
    #[inline]
    #[must_use]
    pub const fn promoted(self) -> Option<Piece> {
        let index = (self.0.get() >> PROMOTED_SHIFT & 15) as usize;
        if index == 0 || index >= 12 {
            None
        } else {
            Some(Piece::ALL[index])
        }
    }

    /// Does it take a piece (en passant included)?
    #[inline]
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.0.get() & CAPTURE != 0
    }

    /// Is it a pawn's first move of two squares?
    #[inline]
    #[must_use]
    pub const fn is_double_push(self) -> bool {
        self.0.get() & DOUBLE_PUSH != 0
    }

    /// Is it an en-passant capture?
    #[inline]
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() & EN_PASSANT != 0
    }

    /// Is it castling?
    #[inline]
    #[must_use]
    pub const fn is_castling(self) -> bool {
        self.0.get() & CASTLING != 0
    }

    /// Does a pawn become another piece?
    #[inline]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        self.0.get() >> PROMOTED_SHIFT & 15 != 0
    }

    /// Is it neither a capture nor a promotion? (Castling counts as quiet.)
    #[inline]
    #[must_use]
    pub const fn is_quiet(self) -> bool {
        self.0.get() & (CAPTURE | 15 << PROMOTED_SHIFT) == 0
    }

    /// Which rules it follows.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        let bits = self.0.get();
        if bits >> PROMOTED_SHIFT == 0 {
            MoveKind::Quiet
        } else if self.is_promotion() {
            MoveKind::Promotion
        } else if bits & EN_PASSANT != 0 {
            MoveKind::EnPassant
        } else if bits & CAPTURE != 0 {
            MoveKind::Capture
        } else if bits & DOUBLE_PUSH != 0 {
            MoveKind::DoublePush
        } else {
            MoveKind::Castling
        }
    }

    /// The move as the UCI protocol writes it.
    #[inline]
    #[must_use]
    pub const fn to_uci(self) -> UciMove {
        UciMove {
            source: self.source(),
            target: self.target(),
            promotion: match self.promoted() {
                Some(piece) => Some(piece.piece_type()),
                None => None,
            },
        }
    }

    /// Sixteen bits for tables that can afford no more: source, target, and the kind of the
    /// promoted piece. Never 0. A board turns it back: [`crate::Board::move_from_packed`].
    #[inline]
    #[must_use]
    pub(crate) const fn packed(self) -> u16 {
        let promoted = match self.promoted() {
            Some(piece) => piece.piece_type() as u16,
            None => 0,
        };
        (self.0.get() & 0xfff) as u16 | promoted << 12
    }
}

/// Writes the UCI form, such as `e2e4` or `e7e8q`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_uci().fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({} {:#08x})", self.to_uci(), self.bits())
    }
}

/// A move as the UCI protocol writes it: two squares and perhaps a promotion. It gets its
/// meaning from a board: [`crate::Board::find_move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UciMove {
    /// Where the piece comes from.
    pub source: Square,
    /// Where it goes.
    pub target: Square,
    /// What a pawn becomes: one of [`PieceType::PROMOTIONS`].
    pub promotion: Option<PieceType>,
}

/// The text was no move in the form `e2e4` or `e7e8q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseUciMoveError;

impl fmt::Display for ParseUciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a move such as e2e4 or e7e8q")
    }
}

impl core::error::Error for ParseUciMoveError {}

impl From<ParseSquareError> for ParseUciMoveError {
    fn from(_: ParseSquareError) -> ParseUciMoveError {
        ParseUciMoveError
    }
}

impl FromStr for UciMove {
    type Err = ParseUciMoveError;

    fn from_str(text: &str) -> Result<UciMove, ParseUciMoveError> {
        let source = text.get(0..2).ok_or(ParseUciMoveError)?.parse::<Square>()?;
        let target = text.get(2..4).ok_or(ParseUciMoveError)?.parse::<Square>()?;
        let promotion = match text.get(4..) {
            Some("") => None,
            Some("q") => Some(PieceType::Queen),
            Some("r") => Some(PieceType::Rook),
            Some("b") => Some(PieceType::Bishop),
            Some("n") => Some(PieceType::Knight),
            _ => return Err(ParseUciMoveError),
        };
        Ok(UciMove {
            source,
            target,
            promotion,
        })
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.source, self.target)?;
        match self.promotion {
            Some(kind) => fmt::Write::write_char(f, kind.to_char()),
            None => Ok(()),
        }
    }
}

const _: () = assert!(core::mem::size_of::<Option<Move>>() == 4);
