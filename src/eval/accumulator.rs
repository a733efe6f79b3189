//! Material and piece-square values, followed move by move.

use super::Trace;
use crate::board::{Board, PieceObserver};
use crate::tables;
use crate::types::{Piece, PieceType, Square};

/// `[piece type]`: what a piece adds to the phase of the game.
const PHASE: [i32; PieceType::COUNT] = [0, 1, 1, 2, 4, 0];

/// The part of the evaluation that is a plain sum over the pieces. It observes moves
/// ([`Board::make_move_observed`]), so that it never has to be summed anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accumulator {
    /// White's pieces less black's, middlegame and endgame packed.
    packed: i32,
    phase: i32,
}

impl Accumulator {
    /// The sum over the pieces of a board.
    #[must_use]
    pub fn of(board: &Board) -> Accumulator {
        let mut accumulator = Accumulator::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                accumulator.added(piece, square);
            }
        }
        accumulator
    }

    /// White's sum less black's, packed.
    #[inline]
    pub(super) const fn packed(&self) -> i32 {
        self.packed
    }

    /// The material left, 24 or more for a full board and 0 for kings and pawns.
    #[inline]
    #[must_use]
    pub const fn phase(&self) -> i32 {
        self.phase
    }
}

impl PieceObserver for Accumulator {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        let value = tables::PSQT[piece as usize][square as usize];
        self.packed = self.packed.wrapping_add(value);
        self.phase += PHASE[piece.piece_type() as usize];
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        let value = tables::PSQT[piece as usize][square as usize];
        self.packed = self.packed.wrapping_sub(value);
        self.phase -= PHASE[piece.piece_type() as usize];
    }
}

/// Tells the trace of the weights that make up the sum.
#[inline]
pub(super) fn trace_pieces<T: Trace>(board: &Board, trace: &mut T) {
    if core::mem::size_of::<T>() == 0 {
        return;
    }
    for square in board.occupied() {
        if let Some(piece) = board.piece_on(square) {
            let (kind, color) = (piece.piece_type() as usize, piece.color());
            trace.add(color, tables::EVAL_MATERIAL + kind, 1);
            let seen = square.relative_to(color) as usize;
            trace.add(color, tables::EVAL_PSQT_PAWN + 64 * kind + seen, 1);
        }
    }
}
