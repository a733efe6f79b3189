//! Legal move generation: one generator, generic over the side and over what is wanted, that
//! hands sets of target squares to a [`Sink`]. Listing, counting and perft are three sinks, so
//! counting never lists and perft never encodes a move.
//!
//! Every move handed over is legal: sliders and knights are cut down by a check mask and by the
//! line of their pin, king steps are tested on the board without the king, and en passant on
//! the board as it would be afterwards.

use super::castling::standard_path;
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
    let answers = match board.checkers.first() {
        None => Bitboard::ALL,
        Some(_) if board.checkers.more_than_one() => return,
        Some(checker) => attacks::between(board.king(S::COLOR), checker).with(checker),
    };
    piece_moves::<S, K>(board, wanted & answers, sink);
    pawn_moves::<S, F, K>(board, answers, sink);
}

/// Steps of the king, and castling. Both need squares that are not attacked, which are found at
/// once: every enemy piece takes what it attacks out of the set.
#[inline]
fn king_moves<S: Side, F: Filter, K: Sink>(board: &Board, wanted: Bitboard, sink: &mut K) {
    let king = board.king(S::COLOR);
    let steps = attacks::king_attacks(king) & wanted;
    let castling =
        F::QUIET && board.checkers.is_empty() && board.castling.rights().has_any(S::COLOR);
    if !castling || board.castling.is_chess960() {
        let safe = without_attacked::<S>(board, king, steps);
        sink.piece(PieceType::King, king, safe);
        if castling {
            for side in CastlingSide::ALL {
                if board.may_castle_chess960(S::COLOR, side) {
                    sink.castling(side);
                }
            }
        }
        return;
    }
    let paths = CastlingSide::ALL.map(|side| open_castling_path::<S>(board, side));
    let safe = without_attacked::<S>(board, king, steps | paths[0] | paths[1]);
    sink.piece(PieceType::King, king, safe & steps);
    for (side, path) in CastlingSide::ALL.into_iter().zip(paths) {
        if path.any() && (path - safe).is_empty() {
            sink.castling(side);
        }
    }
}

/// The squares that must not be attacked for `S` to castle towards `side`, its king's own apart;
/// none where the right is gone or something stands in the way.
#[inline]
fn open_castling_path<S: Side>(board: &Board, side: CastlingSide) -> Bitboard {
    let (free, safe) = standard_path(S::COLOR, side);
    if board.castling.rights().has(S::COLOR, side) && (board.occupied() & free).is_empty() {
        safe
    } else {
        Bitboard::EMPTY
    }
}

/// Those of the squares that `S`'s king can go to without being attacked there: sliders are not
/// blocked by the square that it leaves.
#[inline]
fn without_attacked<S: Side>(board: &Board, king: Square, mut squares: Bitboard) -> Bitboard {
    let occupied = board.occupied().without(king);
    if !squares.more_than_one() {
        return match squares.first() {
            Some(square) if board.is_attacked_by(S::Them::COLOR, square, occupied) => {
                Bitboard::EMPTY
            }
            _ => squares,
        };
    }
    let them = board.color(S::Them::COLOR);
    let pawns = (board.kind(PieceType::Pawn) & them).forward(S::Them::COLOR);
    squares -= pawns.west() | pawns.east();
    squares -= attacks::king_attacks(board.king(S::Them::COLOR));
    for source in board.kind(PieceType::Knight) & them {
        squares -= attacks::knight_attacks(source);
    }
    for source in board.diagonal_sliders() & them {
        if (attacks::bishop_rays(source) & squares).any() {
            squares -= attacks::runtime::bishop_attacks(source, occupied);
        }
    }
    for source in board.straight_sliders() & them {
        if (attacks::rook_rays(source) & squares).any() {
            squares -= attacks::runtime::rook_attacks(source, occupied);
        }
    }
    squares
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
            attacks::runtime::bishop_attacks(source, occupied) & wanted,
        );
    }
    for source in board.kind(PieceType::Rook) & free {
        sink.piece(
            PieceType::Rook,
            source,
            attacks::runtime::rook_attacks(source, occupied) & wanted,
        );
    }
    for source in board.kind(PieceType::Queen) & free {
        sink.piece(
            PieceType::Queen,
            source,
            attacks::runtime::queen_attacks(source, occupied) & wanted,
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
            PieceType::Bishop => attacks::runtime::bishop_attacks(source, occupied),
            PieceType::Rook => attacks::runtime::rook_attacks(source, occupied),
            _ => attacks::runtime::queen_attacks(source, occupied),
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

    // A pinned pawn keeps to its line: it pushes on the king's file, and takes on its diagonals.
    let king = board.king(color);
    let diagonals = attacks::bishop_rays(king);
    let (pinned, free) = (pawns & board.pinned, pawns - board.pinned);
    let pushers = free | (pinned & king.file().bitboard());
    let (free, pinned) = (free.forward(color), (pinned & diagonals).forward(color));
    let west = free.west() | (pinned.west() & diagonals);
    let east = free.east() | (pinned.east() & diagonals);

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
    board: &'a Board,
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
        let (source, target) = self.board.castling_move_squares(self.color, side);
        self.list.push(Move::castling(source, target, self.color));
    }
}

/// Counts the moves without listing them.
#[derive(Default)]
struct Counter {
    tally: Tally,
    /// Moves that come one by one, and promotions.
    others: u32,
    /// Targets of pawns. No two pawns push to one square, a push never goes where a capture does,
    /// and captures towards one side never meet: two sets take them all.
    pawns: [Bitboard; 2],
}

impl Counter {
    /// All that has been found.
    #[inline]
    fn total(mut self) -> u32 {
        self.tally.add(self.pawns[0]);
        self.tally.add(self.pawns[1]);
        self.tally.total() + self.others
    }
}

impl Sink for Counter {
    #[inline]
    fn piece(&mut self, _: PieceType, _: Square, targets: Bitboard) {
        self.tally.add(targets);
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, offset: i8, _: bool) {
        let towards_east = offset == -7 || offset == 9;
        self.pawns[usize::from(towards_east)] |= targets;
    }

    #[inline]
    fn double_pushes(&mut self, targets: Bitboard, _: i8) {
        self.pawns[0] |= targets;
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.others += 4 * targets.len();
    }

    #[inline]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.others += 1;
    }

    #[inline]
    fn castling(&mut self, _: CastlingSide) {
        self.others += 1;
    }
}

/// The sum of the sizes of sets, where the processor counts bits itself.
#[cfg(any(target_feature = "popcnt", target_family = "wasm"))]
#[derive(Default)]
struct Tally(u32);

#[cfg(any(target_feature = "popcnt", target_family = "wasm"))]
impl Tally {
    #[inline]
    fn add(&mut self, set: Bitboard) {
        self.0 += set.len();
    }

    #[inline]
    fn total(&self) -> u32 {
        self.0
    }
}

/// The sum of the sizes of sets, where counting bits takes more than a dozen instructions: each
/// byte counts those of a rank, and the bytes are added up once, at the end. There are at most
/// 18 sets, each with eight squares of a rank at most, and 218 moves in all.
#[cfg(not(any(target_feature = "popcnt", target_family = "wasm")))]
#[derive(Default)]
struct Tally(u64);

#[cfg(not(any(target_feature = "popcnt", target_family = "wasm")))]
impl Tally {
    #[inline]
    fn add(&mut self, set: Bitboard) {
        const EVERY_2ND: u64 = !0 / 3;
        const EVERY_2ND_PAIR: u64 = !0 / 5;
        const EVERY_2ND_NIBBLE: u64 = !0 / 17;
        let pairs = set.0 - (set.0 >> 1 & EVERY_2ND);
        let nibbles = (pairs & EVERY_2ND_PAIR) + (pairs >> 2 & EVERY_2ND_PAIR);
        self.0 += (nibbles + (nibbles >> 4)) & EVERY_2ND_NIBBLE;
    }

    #[inline]
    fn total(&self) -> u32 {
        (self.0.wrapping_mul(!0 / 255) >> 56) as u32
    }
}

/// Counts the legal moves of side `S`, which is to move.
#[inline(never)]
pub(crate) fn count<S: Side>(board: &Board) -> u32 {
    let mut counter = Counter::default();
    generate::<S, All, _>(board, &mut counter);
    counter.total()
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
        board,
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

    /// How many legal moves there are.
    #[must_use]
    pub fn count_legal_moves(&self) -> u32 {
        // The code that only counts is quicker, but takes kilobytes of its own.
        if cfg!(feature = "small") {
            return self.legal_moves().len() as u32;
        }
        match self.side {
            Color::White => count::<White>(self),
            Color::Black => count::<Black>(self),
        }
    }
}
