//! A cell for a `static` that hands out its value once, mutably: how a firmware without a heap
//! gets at its searcher.

#![allow(unsafe_code)]

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Holds a value in a `static` and lends it mutably for ever, to the first who asks.
///
/// It needs no atomic swap, so it works on the smallest parts: loads and stores are enough.
/// Should several contexts (an interrupt, another core) ask at the same moment, one of them
/// gets the value or, at worst, none does; never two. Contexts are told apart by the addresses
/// of their stacks, which must therefore lie in one address space: cores whose stacks lie in
/// private memories at equal addresses must not share a cell.
///
/// ```
/// use kirin::{Searcher, TakeOnce};
/// static SEARCHER: TakeOnce<Searcher> = TakeOnce::new(Searcher::new());
/// let searcher: &'static mut Searcher = SEARCHER.take().expect("the first to ask");
/// searcher.clear();
/// assert!(SEARCHER.take().is_none());
/// ```
pub struct TakeOnce<T> {
    /// Who was last to come through the first door.
    last: AtomicUsize,
    /// Has somebody come through the second door?
    taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: sharing the cell lets one context at most reach the value (see `take`), as if the
// value had been sent there.
unsafe impl<T: Send> Sync for TakeOnce<T> {}

impl<T> TakeOnce<T> {
    /// A cell that holds `value`. Of all zero bytes, if `value` is.
    pub const fn new(value: T) -> TakeOnce<T> {
        TakeOnce {
            last: AtomicUsize::new(0),
            taken: AtomicBool::new(false),
            value: UnsafeCell::new(value),
        }
    }

    /// The value, if nobody has taken it yet.
    #[must_use]
    #[allow(clippy::mut_from_ref)] // the only reference that ever leaves the cell
    pub fn take(&'static self) -> Option<&'static mut T> {
        // A splitter (Leslie Lamport, "A fast mutual exclusion algorithm", 1987): of those who
        // walk in, at most one walks out as the winner.
        let mark = 0u8;
        let me = core::ptr::from_ref(&mark) as usize;
        if self.taken.load(Ordering::SeqCst) {
            return None;
        }
        self.last.store(me, Ordering::SeqCst);
        if self.taken.load(Ordering::SeqCst) {
            return None;
        }
        self.taken.store(true, Ordering::SeqCst);
        if self.last.load(Ordering::SeqCst) != me {
            return None;
        }
        // SAFETY: at most one call gets here. `me`, the address of a variable of this call, is
        // unlike that of every other call under way
        // (stacks in one address space are a condition of the type). Suppose calls A and B both get here, and
        // that A was the first to write `last`. Then B wrote `last` after A's final read of it
        // (else A would have read B's mark, or a later one), so after A set `taken`; B's second
        // read of `taken` comes after that write and saw `true`: B left with `None`. All these
        // operations are sequentially consistent, so they have one order. The value is never
        // reached in another way, and lives for ever since `self` does.
        Some(unsafe { &mut *self.value.get() })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::TakeOnce;
    use std::thread;
    use std::vec::Vec;

    #[test]
    fn only_one_of_many_threads_gets_the_value() {
        static CELLS: [TakeOnce<u32>; 512] = [const { TakeOnce::new(7) }; 512];
        let threads: Vec<_> = (0..4)
            .map(|_| {
                thread::spawn(|| {
                    let taken: Vec<bool> = CELLS.iter().map(|cell| cell.take().is_some()).collect();
                    taken
                })
            })
            .collect();
        let taken: Vec<Vec<bool>> = threads.into_iter().map(|t| t.join().unwrap()).collect();
        for cell in 0..CELLS.len() {
            assert!(taken.iter().filter(|thread| thread[cell]).count() <= 1);
            assert!(CELLS[cell].take().is_none());
        }
    }
}
