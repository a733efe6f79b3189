//! Big memory, zeroed by the system: it costs nothing until it is used, and failing to get it is
//! an error, not the end.

use kirin::{Cluster, PerftCluster, Searcher, TranspositionTable};
use std::alloc::{self, Layout};
use std::fmt;
use std::mem::{size_of, size_of_val};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The system won't give this much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// How much was asked for, in MiB.
    mib: u64,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB of memory can't be had", self.mib)
    }
}

impl std::error::Error for OutOfMemory {}

/// Words in a large page, of 2 MiB.
const LARGE_PAGE_WORDS: usize = (2 << 20) / size_of::<AtomicU64>();

/// Up to this size a table for searches lies in large pages and is touched when it is got, not
/// when it is searched with: the system may take a millisecond or two for each, and a search's
/// clock would not stand still meanwhile.
const MAX_LARGE_PAGES_MIB: u32 = 256;

/// The memory of a hash table, of the search or of perft.
///
/// It is kept as words rather than as clusters because of their alignment: the standard
/// allocator would fill memory for that with zeros by hand, and so touch every page.
pub struct HashMemory {
    words: Vec<AtomicU64>,
    /// The part of them that is used: it begins with a large page.
    used: Range<usize>,
}

impl HashMemory {
    /// Memory of this size, all zero, for searches that keep a clock.
    pub fn new(mib: u32) -> Result<HashMemory, OutOfMemory> {
        let memory = HashMemory::in_any_pages(mib)?;
        if mib <= MAX_LARGE_PAGES_MIB {
            ask_for_large_pages(memory.words());
            for word in memory.words().iter().step_by(LARGE_PAGE_WORDS) {
                word.store(0, Ordering::Relaxed);
            }
        }
        Ok(memory)
    }

    /// Memory of this size, all zero, for work without a clock.
    pub fn in_large_pages(mib: u32) -> Result<HashMemory, OutOfMemory> {
        let memory = HashMemory::in_any_pages(mib)?;
        ask_for_large_pages(memory.words());
        Ok(memory)
    }

    fn in_any_pages(mib: u32) -> Result<HashMemory, OutOfMemory> {
        let error = OutOfMemory {
            mib: u64::from(mib),
        };
        let bytes = usize::try_from(u64::from(mib) << 20).map_err(|_| error)?;
        // Some words more, so that the clusters can begin where they are aligned.
        let length = bytes / size_of::<AtomicU64>();
        let words = zeroed_words(length + LARGE_PAGE_WORDS - 1).ok_or(error)?;
        let begin = words
            .as_ptr()
            .align_offset(LARGE_PAGE_WORDS * size_of::<AtomicU64>());
        Ok(HashMemory {
            words,
            used: begin..begin + length,
        })
    }

    fn words(&self) -> &[AtomicU64] {
        &self.words[self.used.clone()]
    }

    /// Forgets all that it holds. That takes writing to all of it: where that would be much,
    /// nothing is done and the answer is `false`.
    #[must_use]
    pub fn clear(&self) -> bool {
        let is_small = size_of_val(self.words()) >> 20 <= MAX_LARGE_PAGES_MIB as usize;
        if is_small {
            TranspositionTable::new(self.clusters()).clear();
        }
        is_small
    }

    /// The memory as a table of the search takes it.
    #[allow(unsafe_code)]
    pub fn clusters(&self) -> &[Cluster] {
        // SAFETY: a cluster is four words, each an `AtomicU64` of which any value is valid, and
        // it lets them be changed behind a shared reference no more than the words do.
        let (_, clusters, _) = unsafe { self.words().align_to::<Cluster>() };
        clusters
    }

    /// The memory as a table of perft takes it.
    #[allow(unsafe_code)]
    pub fn perft_clusters(&self) -> &[PerftCluster] {
        // SAFETY: such a cluster is eight words, to which the same applies.
        let (_, clusters, _) = unsafe { self.words().align_to::<PerftCluster>() };
        clusters
    }
}

/// Asks the system for large pages. A probe of the table goes to a page nowhere near the last;
/// with pages of 4 KiB hardly one of them is known to the processor, which must then look it up
/// in memory, and each costs two faults when it is first read and then written, which hold up
/// the other threads besides. (Nodes a second with 64 MiB: 1.3 times as many.) If there
/// are none, nothing is lost.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn ask_for_large_pages(words: &[AtomicU64]) {
    use std::ffi::{c_int, c_void};
    const MADV_HUGEPAGE: c_int = 14;
    extern "C" {
        // Of the C library, which the standard library is linked with.
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let address = words.as_ptr().cast_mut().cast();
    // SAFETY: the range is all our own, and this advice changes neither what it holds nor
    // whether it is there. That it begins with a page and is of whole pages is the system's to
    // check; it says no otherwise.
    let _ = unsafe { madvise(address, size_of_val(words), MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_: &[AtomicU64]) {}

#[allow(unsafe_code)]
fn zeroed_words(count: usize) -> Option<Vec<AtomicU64>> {
    let layout = Layout::array::<AtomicU64>(count).ok()?;
    assert!(layout.size() > 0, "no hash table is that small");
    // SAFETY: the layout's size is not zero.
    let words = unsafe { alloc::alloc_zeroed(layout) }.cast::<AtomicU64>();
    if words.is_null() {
        return None;
    }
    // SAFETY: the global allocator has just given `words` with the layout of an array of `count`
    // of these, to nobody else, and zero bytes are a valid `AtomicU64`.
    Some(unsafe { Vec::from_raw_parts(words, count, count) })
}

/// A new searcher, made where it stays: it is too big to pass over a thread's stack, which a
/// debug build would do with `Box::new(Searcher::new())`.
#[allow(unsafe_code)]
pub fn new_searcher() -> Result<Box<Searcher>, OutOfMemory> {
    let layout = Layout::new::<Searcher>();
    // SAFETY: a searcher is not of size zero.
    let searcher = unsafe { alloc::alloc_zeroed(layout) }.cast::<Searcher>();
    if searcher.is_null() {
        let mib = layout.size().div_ceil(1 << 20) as u64;
        return Err(OutOfMemory { mib });
    }
    // SAFETY: the global allocator has just given `searcher` with the layout of one, to nobody
    // else, and `Searcher::new` promises that a new one's bytes are all zero.
    Ok(unsafe { Box::from_raw(searcher) })
}

/// Several new searchers, or none if there is no memory for all.
pub fn new_searchers(count: usize) -> Result<Vec<Box<Searcher>>, OutOfMemory> {
    (0..count)
        .map(|_| new_searcher())
        .collect::<Result<_, _>>()
        .map_err(|_| OutOfMemory {
            mib: (count * size_of::<Searcher>()).div_ceil(1 << 20) as u64,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_size_that_was_asked_for() {
        for mib in [1, 7, 16] {
            let memory = HashMemory::new(mib).expect("a little memory");
            assert_eq!(memory.clusters().len(), (mib as usize) << 15);
            assert_eq!(memory.perft_clusters().len(), (mib as usize) << 14);
        }
    }

    #[test]
    fn only_small_tables_are_cleared_by_writing() {
        let (small, large) = (MAX_LARGE_PAGES_MIB, MAX_LARGE_PAGES_MIB + 1);
        assert!(HashMemory::new(small).expect("memory").clear());
        assert!(!HashMemory::new(large).expect("memory").clear());
    }

    #[test]
    fn too_much_is_an_error() {
        // Hidden from the optimiser, which may drop an allocation that nobody looks at.
        let memory = std::hint::black_box(HashMemory::new(u32::MAX));
        let error = memory.err().expect("four pebibytes");
        assert_eq!(error.to_string(), "4294967295 MiB of memory can't be had");
    }

    #[test]
    fn a_searcher_is_born_in_place() {
        let searcher = std::thread::Builder::new()
            .stack_size(64 << 10)
            .spawn(|| new_searcher().expect("memory").as_ref() as *const Searcher as usize)
            .expect("a thread")
            .join()
            .expect("no overflow");
        assert_ne!(searcher, 0);
    }
}
