//! Static evaluation: how good a position looks without searching.
//!
//! Every term is a weight for the middlegame and one for the endgame, kept in one `i32` and
//! blended by the material left; a small network adds what the terms leave out. The weights live
//! in data files of the generator; here stands only what is counted. A [`Trace`] can listen to
//! every weight that is used, which is all that a tuner needs. Material and piece-square
//! values are kept up to date by an [`Accumulator`], the network's hidden units by a
//! [`NetworkStack`]; both observe the moves.

mod accumulator;
mod cache;
mod king;
#[cfg_attr(feature = "small", path = "no_network.rs")]
mod network;
mod pawns;
mod pieces;
mod scale;

pub use accumulator::Accumulator;
pub use cache::PawnCache;
#[cfg(not(feature = "small"))]
pub use network::{
    network_bucket, NETWORK_BUCKETS, NETWORK_CENTIPAWNS, NETWORK_FULL, NETWORK_OUTPUT_ONE,
    NETWORK_WIDTH,
};
pub use network::{NetworkNode, NetworkStack};

use crate::attacks;
use crate::board::{Black, Board, Side, White};
use crate::tables;
use crate::types::{Bitboard, Color, PieceType, Score, Square};

/// The material, in units of a minor piece, from which a position counts as a full middlegame.
pub const FULL_PHASE: i32 = 24;

/// The danger for a king counts with its square over this in the middlegame.
pub const DANGER_SQUARE_DIVISOR: i32 = 64;
/// The danger for a king counts with this part in the endgame.
pub const DANGER_ENDGAME_DIVISOR: i32 = 4;

/// A weight for the middlegame in the low half and one for the endgame in the high half, so
/// that both are added at once.
pub(crate) const fn middlegame(packed: i32) -> i32 {
    packed as i16 as i32
}

/// The endgame half: the carry from a negative low half is given back.
pub(crate) const fn endgame(packed: i32) -> i32 {
    (packed.wrapping_add(0x8000) >> 16) as i16 as i32
}

/// Hears of every weight that an evaluation adds, as the tuner must.
pub trait Trace {
    /// `count` times the weight with this number was added for `color`.
    fn add(&mut self, color: Color, weight: usize, count: i32);
    /// `count` times the weight with this number was added to the danger that `color` makes for
    /// the enemy king.
    fn danger(&mut self, color: Color, weight: usize, count: i32);
    /// What the endgame part was scaled by, in 64ths.
    fn scale(&mut self, scale: i32);
    /// The network has this input as the king of `color` sees the board.
    fn input(&mut self, color: Color, input: usize);
    /// What the network added for the side to move, in centipawns.
    fn network(&mut self, centipawns: i32);
}

/// Hears nothing.
impl Trace for () {
    #[inline]
    fn add(&mut self, _: Color, _: usize, _: i32) {}
    #[inline]
    fn danger(&mut self, _: Color, _: usize, _: i32) {}
    #[inline]
    fn scale(&mut self, _: i32) {}
    #[inline]
    fn input(&mut self, _: Color, _: usize) {}
    #[inline]
    fn network(&mut self, _: i32) {}
}

/// What the terms share: attack sets of both sides, and the running sum.
struct Evaluation<'a, T: Trace> {
    board: &'a Board,
    /// The pieces by their number.
    material: &'a Accumulator,
    trace: &'a mut T,
    /// White's sum less black's, packed.
    sum: i32,
    /// `[color][piece type]`: the squares attacked, pins not considered.
    attacked_by: [[Bitboard; PieceType::COUNT]; Color::COUNT],
    /// `[color]`: the squares attacked by anything.
    attacked: [Bitboard; Color::COUNT],
    /// `[color]`: the squares attacked twice or more.
    attacked_twice: [Bitboard; Color::COUNT],
    /// `[color]`: the king's square, those around it, and the rank before them.
    king_ring: [Bitboard; Color::COUNT],
    /// The passed pawns of both sides.
    passed: Bitboard,
    /// `[color]`: the danger that this side makes for the enemy king, packed.
    danger: [i32; Color::COUNT],
}

impl<T: Trace> Evaluation<'_, T> {
    #[inline]
    fn add<S: Side>(&mut self, weight: usize, count: i32) {
        let value = tables::EVAL_WEIGHTS[weight].wrapping_mul(count);
        self.sum = match S::COLOR {
            Color::White => self.sum.wrapping_add(value),
            Color::Black => self.sum.wrapping_sub(value),
        };
        self.trace.add(S::COLOR, weight, count);
    }

    /// Adds to the danger that `S` makes for the enemy king.
    #[inline]
    fn endanger<S: Side>(&mut self, weight: usize, count: i32) {
        let danger = &mut self.danger[S::COLOR as usize];
        *danger = danger.wrapping_add(tables::EVAL_WEIGHTS[weight].wrapping_mul(count));
        self.trace.danger(S::COLOR, weight, count);
    }

    #[inline]
    fn note_attacks<S: Side>(&mut self, kind: PieceType, squares: Bitboard) {
        let color = S::COLOR as usize;
        self.attacked_by[color][kind as usize] |= squares;
        self.attacked_twice[color] |= self.attacked[color] & squares;
        self.attacked[color] |= squares;
    }

    /// Kings and pawns: what every other term looks at.
    fn prepare<S: Side>(&mut self) {
        let king = self.board.king(S::COLOR);
        let around = attacks::king_attacks(king);
        self.king_ring[S::COLOR as usize] = around.with(king) | around.forward(S::COLOR);
        self.note_attacks::<S>(PieceType::King, around);
        let pawns = self.board.of(S::COLOR, PieceType::Pawn).forward(S::COLOR);
        self.note_attacks::<S>(PieceType::Pawn, pawns.west());
        self.note_attacks::<S>(PieceType::Pawn, pawns.east());
    }
}

/// What a danger is worth in the middlegame and the endgame, in centipawns: next to nothing
/// while it is small.
pub(crate) fn price_of_danger(packed: i32) -> [i32; 2] {
    let (mg, eg) = (middlegame(packed).max(0), endgame(packed).max(0));
    [mg * mg / DANGER_SQUARE_DIVISOR, eg / DANGER_ENDGAME_DIVISOR]
}

/// How good the position is for the side to move, in centipawns, within
/// [`Score::MAX_EVAL`]. For positions in check it says little.
#[must_use]
pub fn evaluate(board: &Board) -> i32 {
    evaluate_traced(board, &Accumulator::of(board), &mut ())
}

/// [`evaluate`] with the accumulator and the network's stack that have followed the moves to this
/// position at `ply`, and a cache of what depends on few pieces. What stack and cache hold changes
/// nothing but the speed.
#[must_use]
pub fn evaluate_with(
    board: &Board,
    accumulator: &Accumulator,
    network: &mut NetworkStack,
    ply: usize,
    cache: &mut PawnCache,
) -> i32 {
    let network = || accumulator.network_with(board, network, ply);
    sum_up(board, accumulator, network, Some(cache), &mut ())
}

/// [`evaluate`] with a listener for every weight that is used; piece-square and material
/// weights are reported too.
pub fn evaluate_traced<T: Trace>(board: &Board, accumulator: &Accumulator, trace: &mut T) -> i32 {
    let network = || accumulator.network(board);
    sum_up(board, accumulator, network, None, trace)
}

/// `network` works out what the network adds for the side to move, in centipawns.
fn sum_up<T: Trace>(
    board: &Board,
    accumulator: &Accumulator,
    network: impl FnOnce() -> i32,
    cache: Option<&mut PawnCache>,
    trace: &mut T,
) -> i32 {
    if let Some(score) = scale::king_and_pawn(board, accumulator.phase()) {
        return match board.side_to_move() {
            Color::White => score,
            Color::Black => -score,
        };
    }
    let mut evaluation = Evaluation {
        board,
        material: accumulator,
        trace,
        sum: accumulator.packed(),
        attacked_by: [[Bitboard::EMPTY; PieceType::COUNT]; Color::COUNT],
        attacked: [Bitboard::EMPTY; Color::COUNT],
        attacked_twice: [Bitboard::EMPTY; Color::COUNT],
        king_ring: [Bitboard::EMPTY; Color::COUNT],
        passed: Bitboard::EMPTY,
        danger: [0; Color::COUNT],
    };
    accumulator::trace_pieces(board, accumulator, evaluation.trace);
    evaluation.prepare::<White>();
    evaluation.prepare::<Black>();
    evaluation.structure(cache);
    evaluation.pieces::<White>();
    evaluation.pieces::<Black>();
    evaluation.threats::<White>();
    evaluation.threats::<Black>();
    evaluation.space::<White>();
    evaluation.space::<Black>();
    evaluation.danger::<White>();
    evaluation.danger::<Black>();
    evaluation.passed_pawns::<White>();
    evaluation.passed_pawns::<Black>();
    match board.side_to_move() {
        Color::White => evaluation.add::<White>(tables::EVAL_TEMPO, 1),
        Color::Black => evaluation.add::<Black>(tables::EVAL_TEMPO, 1),
    }
    let [white, black] = evaluation.danger.map(price_of_danger);
    let mg = middlegame(evaluation.sum) + white[0] - black[0];
    let danger = white[1] - black[1];
    let ahead = endgame(evaluation.sum) + danger;
    match ahead.signum() {
        1 => evaluation.complexity::<White>(),
        -1 => evaluation.complexity::<Black>(),
        _ => {}
    }
    let eg = endgame(evaluation.sum) + danger;
    // What is hard to win may be level, but no more than that.
    let scale = if eg.signum() == ahead.signum() {
        scale::endgame_scale(board, accumulator, eg)
    } else {
        0
    };
    evaluation.trace.scale(scale);
    let phase = accumulator.phase().min(FULL_PHASE);
    let eg = eg * scale / scale::FULL_SCALE + scale::mop_up(board, accumulator, eg);
    let score = (mg * phase + eg * (FULL_PHASE - phase)) / FULL_PHASE;
    let score = match board.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    };
    let network = network();
    trace.network(network);
    (score + network).clamp(-Score::MAX_EVAL, Score::MAX_EVAL)
}

/// The rank of `square` as `S` counts it, 0 to 7.
#[inline]
fn relative_rank<S: Side>(square: Square) -> usize {
    square.rank().relative_to(S::COLOR) as usize
}
