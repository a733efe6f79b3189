//! The small profile has no network: nothing follows the moves and nothing is added.

use crate::board::{Board, PieceObserver};
use crate::types::{Color, Piece, PieceType, Square};

/// Heard by nobody.
pub(super) fn input(_own: bool, _kind: PieceType, _square: usize) -> usize {
    0
}

/// No hidden units.
pub(super) struct Hidden;

impl Hidden {
    #[inline]
    pub(super) fn of(_board: &Board, _color: Color, _see: impl Fn(Square) -> usize) -> Hidden {
        Hidden
    }

    #[inline]
    pub(super) fn output(&self, _other: &Hidden, _board: &Board) -> i32 {
        0
    }
}

/// Nothing to remember of a node.
pub struct NetworkNode;

impl PieceObserver for NetworkNode {
    #[inline]
    fn added(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}
}

/// Nothing to remember of a line of moves.
pub struct NetworkStack(NetworkNode);

impl NetworkStack {
    /// Nothing.
    #[must_use]
    pub const fn new() -> NetworkStack {
        NetworkStack(NetworkNode)
    }

    /// Nothing is entered.
    #[inline]
    pub fn enter(&mut self, _ply: usize) -> &mut NetworkNode {
        &mut self.0
    }

    #[inline]
    pub(super) fn output(
        &mut self,
        _ply: usize,
        _board: &Board,
        _see: impl Fn(Color, Square) -> usize,
    ) -> i32 {
        0
    }
}

impl Default for NetworkStack {
    fn default() -> NetworkStack {
        NetworkStack::new()
    }
}
