//! A small network that says what the evaluation's terms leave out.
//!
//! Its inputs are the pieces on their squares as each king sees them, from its own side and
//! mirrored so that it stands on the files e to h. One layer of hidden units for each side is kept
//! up to date move by move ("efficiently updatable", Yu Nasu, 2018); their squares, clipped, are
//! weighed by the side to move and the number of pieces left.

use crate::board::Board;
use crate::tables;
use crate::types::{Color, PieceType, Square};

/// Hidden units of the network for each side.
pub const NETWORK_WIDTH: usize = 32;
/// A hidden unit of the network counts from nothing to this much, which stands for 1; an input
/// weight of 1 is as much.
pub const NETWORK_FULL: i16 = 255;
/// An output weight of 1 of the network.
pub const NETWORK_OUTPUT_ONE: i32 = 64;
/// What the network adds for an output of 1, in centipawns.
pub const NETWORK_CENTIPAWNS: i32 = 400;
/// Sets of output weights: one for each four pieces left.
pub const NETWORK_BUCKETS: usize = 8;

/// The sums of the hidden units as one king sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hidden([i16; NETWORK_WIDTH]);

impl Default for Hidden {
    fn default() -> Hidden {
        Hidden::new()
    }
}

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

#[inline]
fn row(own: bool, kind: PieceType, square: usize) -> &'static [i16; NETWORK_WIDTH] {
    &tables::NETWORK_INPUTS[input(own, kind, square)]
}

impl Hidden {
    /// Those of an empty board.
    const fn new() -> Hidden {
        Hidden(tables::NETWORK_BIAS)
    }

    /// Those of a board for the king of `color`, which sees squares as `see` says.
    pub(super) fn of(board: &Board, color: Color, see: impl Fn(Square) -> usize) -> Hidden {
        let mut hidden = Hidden::new();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                hidden.add(piece.color() == color, piece.piece_type(), see(square));
            }
        }
        hidden
    }

    /// Puts a piece on: one's own or an enemy's, on a square as the king sees it.
    #[inline]
    pub(super) fn add(&mut self, own: bool, kind: PieceType, square: usize) {
        for (sum, weight) in self.0.iter_mut().zip(row(own, kind, square)) {
            *sum = sum.wrapping_add(*weight);
        }
    }

    /// Takes a piece off.
    #[inline]
    pub(super) fn remove(&mut self, own: bool, kind: PieceType, square: usize) {
        for (sum, weight) in self.0.iter_mut().zip(row(own, kind, square)) {
            *sum = sum.wrapping_sub(*weight);
        }
    }

    /// The output in centipawns for the side to move, whose hidden units these are.
    #[inline]
    pub(super) fn output(&self, other: &Hidden, pieces: usize) -> i32 {
        let bucket = network_bucket(pieces);
        let weights = &tables::NETWORK_OUTPUTS[bucket];
        let mut sum = 0;
        for (hidden, weights) in [self, other].into_iter().zip(weights) {
            for (value, &weight) in hidden.0.iter().zip(weights) {
                let value = (*value).clamp(0, NETWORK_FULL);
                // The generator has seen to it that the first product fits.
                sum += i32::from(value.wrapping_mul(weight)) * i32::from(value);
            }
        }
        let full = i32::from(NETWORK_FULL);
        let sum = sum / full + i32::from(tables::NETWORK_OUTPUT_BIAS[bucket]);
        sum * NETWORK_CENTIPAWNS / (full * NETWORK_OUTPUT_ONE)
    }
}
