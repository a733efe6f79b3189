//! A small network that says what the evaluation's terms leave out.
//!
//! Its inputs are the pieces on their squares as each king sees them, from its own side and
//! mirrored so that it stands on the files e to h. One layer of hidden units for each side follows
//! the moves ("efficiently updatable", Yu Nasu, 2018), but only to the nodes that are evaluated;
//! their squares, clipped, are weighed by the side to move and the number of pieces left.

use crate::board::{Board, PieceObserver};
use crate::tables;
use crate::types::{Color, Piece, PieceType, Square, MAX_PLY};

/// Hidden units of the network for each side.
pub const NETWORK_WIDTH: usize = 128;
/// A hidden unit of the network counts from nothing to this much, which stands for 1; an input
/// weight of 1 is as much.
pub const NETWORK_FULL: i16 = 255;
/// An output weight of 1 of the network.
pub const NETWORK_OUTPUT_ONE: i32 = 64;
/// What the network adds for an output of 1, in centipawns.
pub const NETWORK_CENTIPAWNS: i32 = 400;
/// Sets of output weights: one for each four pieces left.
pub const NETWORK_BUCKETS: usize = 8;

/// The most that an output weight may be, as the generator holds.
const MAX_OUTPUT: i64 = 127;
// The sum of both sides fits an `i32` whatever the units are.
const _: () = assert!(
    2 * NETWORK_WIDTH as i64 * MAX_OUTPUT * (NETWORK_FULL as i64).pow(2) <= i32::MAX as i64
);

/// What an input adds to the hidden units.
type Row = [i16; NETWORK_WIDTH];

/// The sums of the hidden units as one king sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Hidden(Row);

/// Which set of output weights of the network counts with so many pieces on the board.
#[inline]
#[must_use]
pub const fn network_bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / 4;
    if bucket < NETWORK_BUCKETS {
        bucket
    } else {
        NETWORK_BUCKETS - 1
    }
}

/// The number of an input: a piece of one's own or an enemy's on a square as the king sees it.
#[inline]
pub(super) fn input(own: bool, kind: PieceType, square: usize) -> usize {
    64 * (6 * usize::from(!own) + kind as usize) + (square & 63)
}

impl Hidden {
    /// Those of a board for the king of `color`, which sees squares as `see` says.
    pub(super) fn of(board: &Board, color: Color, see: impl Fn(Square) -> usize) -> Hidden {
        let mut hidden = Hidden(tables::NETWORK_BIAS);
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                hidden.add(row(color, (piece, square), &see));
            }
        }
        hidden
    }

    #[inline]
    fn add(&mut self, row: &Row) {
        for (sum, weight) in self.0.iter_mut().zip(row) {
            *sum = sum.wrapping_add(*weight);
        }
    }

    #[inline]
    fn remove(&mut self, row: &Row) {
        for (sum, weight) in self.0.iter_mut().zip(row) {
            *sum = sum.wrapping_sub(*weight);
        }
    }

    /// Becomes what `before` is after these inputs have come and gone. A quiet move and a
    /// capture take one pass.
    #[inline]
    fn follow(&mut self, before: &Hidden, added: [Option<&Row>; 2], removed: [Option<&Row>; 2]) {
        match (added, removed) {
            ([Some(added), None], [Some(removed), None]) => {
                for unit in 0..NETWORK_WIDTH {
                    self.0[unit] = before.0[unit]
                        .wrapping_add(added[unit])
                        .wrapping_sub(removed[unit]);
                }
            }
            ([Some(added), None], [Some(removed), Some(taken)]) => {
                for unit in 0..NETWORK_WIDTH {
                    self.0[unit] = before.0[unit]
                        .wrapping_add(added[unit])
                        .wrapping_sub(removed[unit])
                        .wrapping_sub(taken[unit]);
                }
            }
            _ => {
                *self = *before;
                added.into_iter().flatten().for_each(|row| self.add(row));
                removed
                    .into_iter()
                    .flatten()
                    .for_each(|row| self.remove(row));
            }
        }
    }

    /// The output in centipawns for the side to move, whose hidden units these are.
    #[inline]
    pub(super) fn output(&self, other: &Hidden, board: &Board) -> i32 {
        let bucket = network_bucket(board.occupied().len() as usize);
        let weights = &tables::NETWORK_OUTPUTS[bucket];
        let sum = weigh(&self.0, &weights[0]) + weigh(&other.0, &weights[1]);
        let full = i32::from(NETWORK_FULL);
        let sum = sum / full + i32::from(tables::NETWORK_OUTPUT_BIAS[bucket]);
        sum * NETWORK_CENTIPAWNS / (full * NETWORK_OUTPUT_ONE)
    }
}

/// The squares of the hidden units, clipped, times their weights.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
#[inline]
fn weigh(hidden: &Row, weights: &Row) -> i32 {
    use core::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_madd_epi16, _mm_max_epi16,
        _mm_min_epi16, _mm_mullo_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi32,
    };
    // Compilers make twice the instructions of the plain loop, at half the width.
    // SAFETY: SSE2 is part of x86-64. Each load, for which alignment doesn't matter, is of the
    // 16 bytes of a chunk.
    unsafe {
        let load = |chunk: &[i16]| _mm_loadu_si128(chunk.as_ptr().cast::<__m128i>());
        let (zero, full) = (_mm_setzero_si128(), _mm_set1_epi16(NETWORK_FULL));
        let mut sum = zero;
        for (values, weights) in hidden.chunks_exact(8).zip(weights.chunks_exact(8)) {
            let values = _mm_min_epi16(_mm_max_epi16(load(values), zero), full);
            let products = _mm_mullo_epi16(values, load(weights));
            sum = _mm_add_epi32(sum, _mm_madd_epi16(products, values));
        }
        sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b00_00_11_10>(sum));
        sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b00_00_00_01>(sum));
        _mm_cvtsi128_si32(sum)
    }
}

/// The squares of the hidden units, clipped, times their weights.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn weigh(hidden: &Row, weights: &Row) -> i32 {
    weigh_plainly(hidden, weights)
}

/// [`weigh`] as plain code.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn weigh_plainly(hidden: &Row, weights: &Row) -> i32 {
    let units = hidden.iter().zip(weights).map(|(value, weight)| {
        let value = (*value).clamp(0, NETWORK_FULL);
        // The generator has seen to it that the first product fits.
        i32::from(value.wrapping_mul(*weight)) * i32::from(value)
    });
    units.sum()
}

/// A piece and where it was put on or taken off.
type Place = (Piece, Square);

/// What a piece's input adds to the hidden units of `color`, whose king sees squares as `see` says.
#[inline]
fn row(color: Color, (piece, square): Place, see: impl Fn(Square) -> usize) -> &'static Row {
    let own = piece.color() == color;
    &tables::NETWORK_INPUTS[input(own, piece.piece_type(), see(square))]
}

/// Up to two places: no move has more that are put on, or taken off.
#[derive(Clone, Copy)]
struct Places {
    len: usize,
    places: [Place; 2],
}

impl Places {
    const NONE: Places = Places {
        len: 0,
        places: [(Piece::WhitePawn, Square::A8); 2],
    };

    #[inline]
    fn push(&mut self, place: Place) {
        self.places[self.len & 1] = place;
        self.len += 1;
    }

    #[inline]
    fn get(&self, number: usize) -> Option<Place> {
        (number < self.len).then_some(self.places[number & 1])
    }

    /// The half of the board on which these put the king of `color`, if they do.
    #[inline]
    fn king_half(&self, color: Color) -> Option<u8> {
        let king = PieceType::King.of(color);
        let mut places = self.places[..self.len.min(2)].iter();
        places
            .find(|(piece, _)| *piece == king)
            .map(|(_, square)| *square as u8 & 4)
    }
}

/// What the move to a node has changed, and the hidden units there. All zero bytes are its
/// initial value.
#[derive(Clone, Copy)]
pub struct NetworkNode {
    /// `[color]`: as that king sees the board.
    hidden: [Hidden; Color::COUNT],
    /// `[color]`: have they been worked out?
    known: [bool; Color::COUNT],
    added: Places,
    removed: Places,
}

impl NetworkNode {
    const fn new() -> NetworkNode {
        NetworkNode {
            hidden: [Hidden([0; NETWORK_WIDTH]); Color::COUNT],
            known: [false; Color::COUNT],
            added: Places::NONE,
            removed: Places::NONE,
        }
    }

    /// Has the king of `color` gone to where it sees all squares mirrored?
    #[inline]
    fn mirrors(&self, color: Color) -> bool {
        self.added.king_half(color) != self.removed.king_half(color)
    }
}

impl PieceObserver for NetworkNode {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.added.push((piece, square));
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }
}

/// The network along the line of moves that is searched: the hidden units of each node are
/// worked out when it is evaluated, from those of the nearest node before it that has any.
pub struct NetworkStack {
    nodes: [NetworkNode; MAX_PLY + 1],
}

impl NetworkStack {
    /// Nothing is known yet: all its bytes are zero.
    #[must_use]
    pub const fn new() -> NetworkStack {
        NetworkStack {
            nodes: [const { NetworkNode::new() }; MAX_PLY + 1],
        }
    }

    /// A new node at `ply`, which may be 0 or follow one that was entered before. It is to
    /// observe the move that leads to it; none does to the root, and none at a null move.
    ///
    /// # Panics
    ///
    /// If `ply` is greater than [`MAX_PLY`].
    #[inline]
    pub fn enter(&mut self, ply: usize) -> &mut NetworkNode {
        let node = &mut self.nodes[ply];
        node.known = [false; Color::COUNT];
        node.added = Places::NONE;
        node.removed = Places::NONE;
        node
    }

    /// What the network adds at `ply` for the side to move, in centipawns; the kings see squares
    /// as `see` says.
    #[inline]
    pub(super) fn output(
        &mut self,
        ply: usize,
        board: &Board,
        see: impl Fn(Color, Square) -> usize,
    ) -> i32 {
        for color in [Color::White, Color::Black] {
            self.work_out(ply, board, color, |square| see(color, square));
        }
        let us = board.side_to_move();
        let hidden = &self.nodes[ply].hidden;
        hidden[us as usize].output(&hidden[us.opposite() as usize], board)
    }

    #[inline]
    fn work_out(&mut self, ply: usize, board: &Board, color: Color, see: impl Fn(Square) -> usize) {
        let side = color as usize;
        let mut known = ply;
        while !self.nodes[known].known[side] {
            if known == 0 || self.nodes[known].mirrors(color) {
                self.nodes[ply].hidden[side] = Hidden::of(board, color, see);
                self.nodes[ply].known[side] = true;
                return;
            }
            known -= 1;
        }
        for ply in known + 1..=ply {
            let (before, node) = self.nodes.split_at_mut(ply);
            let (before, node) = (&before[ply - 1], &mut node[0]);
            let rows = |places: Places| {
                [0, 1].map(|number| places.get(number).map(|place| row(color, place, &see)))
            };
            let (added, removed) = (rows(node.added), rows(node.removed));
            node.hidden[side].follow(&before.hidden[side], added, removed);
            node.known[side] = true;
        }
    }
}

impl Default for NetworkStack {
    fn default() -> NetworkStack {
        NetworkStack::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    /// Whatever the units and the weights, to the ends of what the generator lets through.
    #[test]
    fn every_way_to_weigh_gives_the_same() {
        let mut random = SplitMix::new(1);
        let mut clipped = 0;
        for _ in 0..2_000 {
            let mut draw = |from: i64, to: i64| {
                (from + (random.next_u64() % (to - from + 1) as u64) as i64) as i16
            };
            let hidden: Row = core::array::from_fn(|_| draw(-300, 600));
            let weights: Row = core::array::from_fn(|_| draw(-MAX_OUTPUT, MAX_OUTPUT));
            clipped += hidden.iter().filter(|value| **value > NETWORK_FULL).count();
            assert_eq!(weigh(&hidden, &weights), weigh_plainly(&hidden, &weights));
        }
        assert!(clipped > 1_000);
        for (units, weight) in [(i16::MAX, 127), (i16::MAX, -127), (i16::MIN, 127)] {
            let (hidden, weights) = ([units; NETWORK_WIDTH], [weight; NETWORK_WIDTH]);
            assert_eq!(weigh(&hidden, &weights), weigh_plainly(&hidden, &weights));
        }
    }
}
