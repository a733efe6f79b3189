//! Legal move generation: one generator, generic over the side and over what is wanted, that
//! hands sets of target squares to a [`Sink`]. Listing, counting and perft are three sinks, so
//! counting never lists and perft never encodes a move.
//!
//! Every move handed over is legal: sliders and knights are cut down by a check mask and by the
//! line of their pin, king steps are tested on the board without the king, and en passant on
//! the board as it would be afterwards.

use super::Board;
use crate::attacks;
use crate::types::{
    Bitboard, CastlingSide, Color, Move, MoveBuffer, MoveList, Piece, PieceType, Rank, Square,
};

/// Which moves are wanted. `Noisy` and `Quiet` have none in common, and `All` is both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveFilter {
    /// Every legal move.
    All,
    /// Captures, en passant and promotions.
    Noisy,
    /// The rest, castling included.
    Quiet,
}

/// A side known at compile time (stable Rust has no enum const generics).
pub(crate) trait Side {
    const COLOR: Color;
    type Them: Side<Them = Self>;
}

/// [`Color::White`] as a type.
pub(crate) struct White;
/// [`Color::Black`] as a type.
pub(crate) struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Them = Black;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Them = White;
}

/// A [`MoveFilter`] known at compile time.
pub(crate) trait Filter {
    const NOISY: bool;
    const QUIET: bool;
}

/// [`MoveFilter::All`] as a type.
pub(crate) struct All;
/// [`MoveFilter::Noisy`] as a type.
pub(crate) struct Noisy;
/// [`MoveFilter::Quiet`] as a type.
pub(crate) struct Quiet;

impl Filter for All {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Filter for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Filter for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// What becomes of the moves that the generator finds. Pawn moves come as sets of targets with
/// the number that leads back to the source: `source = target - offset`.
pub(crate) trait Sink {
    /// Moves of one piece other than a pawn, captures and quiet ones together.
    fn piece(&mut self, kind: PieceType, source: Square, targets: Bitboard);
    /// Pawn moves that are neither double pushes, promotions nor en passant. `capture`: all of
    /// them take something, or none does.
    fn pawns(&mut self, targets: Bitboard, offset: i8, capture: bool);
    /// Double pushes.
    fn double_pushes(&mut self, targets: Bitboard, offset: i8);
    /// Promotions: four moves for each target.
    fn promotions(&mut self, targets: Bitboard, offset: i8, capture: bool);
    /// One en-passant capture.
    fn en_passant(&mut self, source: Square, target: Square);
    /// One castling.
    fn castling(&mut self, side: CastlingSide);
}

/// Hands every legal move of side `S` that passes `F` to the sink.
#[inline]
pub(crate) fn generate<S: Side, F: Filter, K: Sink>(board: &Board, sink: &mut K) {
    let us = board.color(S::COLOR);
    let them = board.color(S::Them::COLOR);
    let empty = !(us | them);
    let wanted = match (F::NOISY, F::QUIET) {
        (true, true) => !us,
        (true, false) => them,
        _ => empty,
    };
    king_moves::<S, F, K>(board, wanted, sink);
    let Some(checker) = board.checkers.first() else {
        piece_moves::<S, K>(board, wanted, sink);
        pawn_moves::<S, F, K>(board, Bitboard::ALL, sink);
        return;
    };
    if !board.checkers.more_than_one() {
        let answers = attacks::between(board.king(S::COLOR), checker).with(checker);
        piece_moves::<S, K>(board, wanted & answers, sink);
        pawn_moves::<S, F, K>(board, answers, sink);
    }
}

#[inline]
fn king_moves<S: Side, F: Filter, K: Sink>(board: &Board, wanted: Bitboard, sink: &mut K) {
    let king = board.king(S::COLOR);
    let occupied = board.occupied();
    let without_king = occupied.without(king);
    let mut targets = Bitboard::EMPTY;
    for target in attacks::king_attacks(king) & wanted {
        if !board.is_attacked_by(S::Them::COLOR, target, without_king) {
            targets |= target.bitboard();
        }
    }
    sink.piece(PieceType::King, king, targets);
    if F::QUIET && board.checkers.is_empty() && board.castling.has_any(S::COLOR) {
        for side in CastlingSide::ALL {
            if board.may_castle(S::COLOR, side) {
                sink.castling(side);
            }
        }
    }
}

/// Knights, bishops, rooks and queens.
#[inline]
fn piece_moves<S: Side, K: Sink>(board: &Board, wanted: Bitboard, sink: &mut K) {
    let occupied = board.occupied();
    let us = board.color(S::COLOR);
    let free = us - board.pinned;
    for source in board.kind(PieceType::Knight) & free {
        sink.piece(
            PieceType::Knight,
            source,
            attacks::knight_attacks(source) & wanted,
        );
    }
    for source in board.kind(PieceType::Bishop) & free {
        sink.piece(
            PieceType::Bishop,
            source,
            attacks::bishop_attacks(source, occupied) & wanted,
        );
    }
    for source in board.kind(PieceType::Rook) & free {
        sink.piece(
            PieceType::Rook,
            source,
            attacks::rook_attacks(source, occupied) & wanted,
        );
    }
    for source in board.kind(PieceType::Queen) & free {
        sink.piece(
            PieceType::Queen,
            source,
            attacks::queen_attacks(source, occupied) & wanted,
        );
    }
    // A pinned slider keeps to its line; a pinned knight has no move; in check, a pinned piece
    // has none, since no square answers the check and stays on the line of the pin.
    let pinned_sliders = board.pinned & (board.diagonal_sliders() | board.straight_sliders());
    if pinned_sliders.is_empty() || board.in_check() {
        return;
    }
    let king = board.king(S::COLOR);
    for source in pinned_sliders {
        let kind = match board.piece_on(source).map(Piece::piece_type) {
            Some(kind) => kind,
            None => continue,
        };
        let attacked = match kind {
            PieceType::Bishop => attacks::bishop_attacks(source, occupied),
            PieceType::Rook => attacks::rook_attacks(source, occupied),
            _ => attacks::queen_attacks(source, occupied),
        };
        sink.piece(
            kind,
            source,
            attacked & wanted & attacks::line(king, source),
        );
    }
}

/// The rank on which `color`'s pawns become something else.
const fn last_rank(color: Color) -> Bitboard {
    Rank::Eighth.relative_to(color).bitboard()
}

/// The step of `color`'s pawns in square numbers: ahead, and ahead to the west and to the east.
const fn steps(color: Color) -> (i8, i8, i8) {
    match color {
        Color::White => (-8, -9, -7),
        Color::Black => (8, 7, 9),
    }
}

/// `answers`: every square, or in check those that answer it.
#[inline]
fn pawn_moves<S: Side, F: Filter, K: Sink>(board: &Board, answers: Bitboard, sink: &mut K) {
    let color = S::COLOR;
    let pawns = board.of(color, PieceType::Pawn);
    let them = board.color(S::Them::COLOR);
    let empty = !board.occupied();
    let last = last_rank(color);
    let (ahead, west_step, east_step) = steps(color);

    let free = pawns - board.pinned;
    let mut pushers = free;
    let mut west = free.forward(color).west();
    let mut east = free.forward(color).east();
    let pinned = pawns & board.pinned;
    if pinned.any() {
        let king = board.king(color);
        for source in pinned {
            let line = attacks::line(king, source);
            let step = source.bitboard().forward(color);
            if (step & line).any() {
                pushers |= source.bitboard();
            }
            west |= step.west() & line;
            east |= step.east() & line;
        }
    }

    let steps = pushers.forward(color) & empty;
    if F::QUIET {
        let third = Rank::Third.relative_to(color).bitboard();
        let doubles = (steps & third).forward(color) & empty & answers;
        sink.pawns((steps - last) & answers, ahead, false);
        sink.double_pushes(doubles, 2 * ahead);
    }
    if F::NOISY {
        let victims = them & answers;
        let (west, east) = (west & victims, east & victims);
        sink.pawns(west - last, west_step, true);
        sink.pawns(east - last, east_step, true);
        let promoting = steps & answers;
        if ((promoting | west | east) & last).any() {
            sink.promotions(west & last, west_step, true);
            sink.promotions(east & last, east_step, true);
            sink.promotions(promoting & last, ahead, false);
        }
        if let Some(target) = board.en_passant {
            for source in attacks::pawn_attacks(color.opposite(), target) & pawns {
                if board.en_passant_is_legal(color, source, target) {
                    sink.en_passant(source, target);
                }
            }
        }
    }
}

/// The square `offset` before `target`.
#[inline]
pub(crate) const fn step_back(target: Square, offset: i8) -> Square {
    Square::wrap((target as u8).wrapping_sub(offset as u8))
}

/// Appends the moves to a list.
struct Lister<'a, B: MoveBuffer> {
    list: &'a mut B,
    color: Color,
    them: Bitboard,
}

impl<B: MoveBuffer> Sink for Lister<'_, B> {
    #[inline]
    fn piece(&mut self, kind: PieceType, source: Square, targets: Bitboard) {
        let piece = kind.of(self.color);
        for target in targets & self.them {
            self.list.push(Move::capture(source, target, piece));
        }
        for target in targets - self.them {
            self.list.push(Move::quiet(source, target, piece));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, offset: i8, capture: bool) {
        let piece = PieceType::Pawn.of(self.color);
        for target in targets {
            let source = step_back(target, offset);
            self.list.push(if capture {
                Move::capture(source, target, piece)
            } else {
                Move::quiet(source, target, piece)
            });
        }
    }

    #[inline]
    fn double_pushes(&mut self, targets: Bitboard, offset: i8) {
        for target in targets {
            self.list.push(Move::double_push(
                step_back(target, offset),
                target,
                self.color,
            ));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, offset: i8, capture: bool) {
        for target in targets {
            let source = step_back(target, offset);
            for kind in PieceType::PROMOTIONS {
                self.list
                    .push(Move::promotion(source, target, self.color, kind, capture));
            }
        }
    }

    #[inline]
    fn en_passant(&mut self, source: Square, target: Square) {
        self.list.push(Move::en_passant(source, target, self.color));
    }

    #[inline]
    fn castling(&mut self, side: CastlingSide) {
        let ((source, target), _) = super::legality::castling_squares(self.color, side);
        self.list.push(Move::castling(source, target, self.color));
    }
}

/// Counts the moves without listing them.
#[derive(Default)]
pub(crate) struct Counter {
    pub(crate) count: u32,
}

impl Sink for Counter {
    #[inline]
    fn piece(&mut self, _: PieceType, _: Square, targets: Bitboard) {
        self.count += targets.len();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.count += targets.len();
    }

    #[inline]
    fn double_pushes(&mut self, targets: Bitboard, _: i8) {
        self.count += targets.len();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.count += 4 * targets.len();
    }

    #[inline]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.count += 1;
    }

    #[inline]
    fn castling(&mut self, _: CastlingSide) {
        self.count += 1;
    }
}

/// Counts the legal moves of side `S`, which is to move.
#[inline]
pub(crate) fn count<S: Side>(board: &Board) -> u32 {
    let mut counter = Counter::default();
    generate::<S, All, _>(board, &mut counter);
    counter.count
}

/// Hands every legal move of side `S`, which is to move, to the sink.
#[inline]
pub(crate) fn generate_all<S: Side, K: Sink>(board: &Board, sink: &mut K) {
    generate::<S, All, K>(board, sink);
}

fn list<F: Filter, B: MoveBuffer>(board: &Board, moves: &mut B) {
    let color = board.side;
    let them = board.color(color.opposite());
    let mut sink = Lister {
        list: moves,
        color,
        them,
    };
    match color {
        Color::White => generate::<White, F, _>(board, &mut sink),
        Color::Black => generate::<Black, F, _>(board, &mut sink),
    }
}

impl Board {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        list::<All, _>(self, &mut moves);
        moves
    }

    /// Appends the legal moves that pass the filter to a list.
    ///
    /// # Panics
    ///
    /// If the list has no room for them; an empty one always has.
    pub fn generate_moves<B: MoveBuffer>(&self, filter: MoveFilter, moves: &mut B) {
        match filter {
            MoveFilter::All => list::<All, _>(self, moves),
            MoveFilter::Noisy => list::<Noisy, _>(self, moves),
            MoveFilter::Quiet => list::<Quiet, _>(self, moves),
        }
    }

    /// How many legal moves there are; none is listed.
    #[must_use]
    pub fn count_legal_moves(&self) -> u32 {
        match self.side {
            Color::White => count::<White>(self),
            Color::Black => count::<Black>(self),
        }
    }
}
