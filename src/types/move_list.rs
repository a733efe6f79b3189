//! Lists of moves without a heap.

use super::Move;
use core::mem::MaybeUninit;
use core::ops::Deref;

/// The most legal moves that a position with legal material has: 218, shown for positions
/// reached in a game and for all with at most 16 pieces a side and no more promoted ones than
/// missing pawns. [`crate::Board`] accepts no others (see [`crate::PositionError`]).
pub const MAX_MOVES: usize = 218;

/// Takes the moves that the generator finds.
pub trait MoveBuffer {
    /// Adds a move.
    fn push(&mut self, mv: Move);
}

/// Up to [`MAX_MOVES`] moves.
pub type MoveList = MoveArray<MAX_MOVES>;

/// Up to `N` moves. All zero bytes are an empty list.
#[derive(Clone)]
pub struct MoveArray<const N: usize> {
    len: usize,
    moves: [MaybeUninit<Move>; N],
}

impl<const N: usize> MoveArray<N> {
    /// An empty list.
    #[inline]
    #[must_use]
    pub const fn new() -> MoveArray<N> {
        MoveArray {
            len: 0,
            moves: [MaybeUninit::uninit(); N],
        }
    }

    /// An empty list whose unused room is zero bytes too, for statics.
    #[must_use]
    pub(crate) const fn zeroed() -> MoveArray<N> {
        MoveArray {
            len: 0,
            moves: [MaybeUninit::zeroed(); N],
        }
    }

    /// Adds a move.
    ///
    /// # Panics
    ///
    /// If the list is full.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = MaybeUninit::new(mv);
        self.len += 1;
    }

    /// The moves.
    #[inline]
    #[must_use]
    #[allow(unsafe_code)]
    pub fn as_slice(&self) -> &[Move] {
        let moves: *const Move = self.moves.as_ptr().cast();
        // SAFETY: `push` is the only writer; it has written each of the first `len` elements,
        // and `len` never exceeds the array (the write before its increase would have panicked).
        unsafe { core::slice::from_raw_parts(moves, self.len) }
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Replaces the list by `first` and as much of `rest` as there is room for.
    #[inline]
    pub(crate) fn set(&mut self, first: Move, rest: &[Move]) {
        self.len = 0;
        self.push(first);
        for &mv in rest.iter().take(N - 1) {
            self.push(mv);
        }
    }
}

impl<const N: usize> MoveBuffer for MoveArray<N> {
    #[inline]
    fn push(&mut self, mv: Move) {
        MoveArray::push(self, mv);
    }
}

impl<const N: usize> Default for MoveArray<N> {
    fn default() -> MoveArray<N> {
        MoveArray::new()
    }
}

impl<const N: usize> Deref for MoveArray<N> {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a, const N: usize> IntoIterator for &'a MoveArray<N> {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl<const N: usize> core::fmt::Debug for MoveArray<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
