//! The small profile has no network: nothing is followed and nothing is added.

use crate::board::Board;
use crate::types::{Color, PieceType, Square};

/// No hidden units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hidden;

/// Heard by nobody.
pub(super) fn input(_own: bool, _kind: PieceType, _square: usize) -> usize {
    0
}

impl Hidden {
    #[inline]
    pub(super) fn of(_board: &Board, _color: Color, _see: impl Fn(Square) -> usize) -> Hidden {
        Hidden
    }

    #[inline]
    pub(super) fn add(&mut self, _own: bool, _kind: PieceType, _square: usize) {}

    #[inline]
    pub(super) fn remove(&mut self, _own: bool, _kind: PieceType, _square: usize) {}

    #[inline]
    pub(super) fn output(&self, _other: &Hidden, _pieces: usize) -> i32 {
        0
    }
}
