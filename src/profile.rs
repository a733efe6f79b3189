//! How big the engine's working memory is. The Cargo feature `small` chooses the sizes for small
//! microcontrollers, some of which whoever builds a firmware sets. What such sizes leave out is left
//! out at compile time: the full engine knows nothing of it.
//!
//! The node counts of a build depend on these numbers, and on no other property of its target.

pub(crate) use sizes::*;

/// What the full engine has.
#[cfg(not(feature = "small"))]
mod sizes {
    use crate::types::{Piece, Square};

    /// The longest line that the search follows, in plies from the root.
    pub(crate) const MAX_PLY: usize = 128;
    /// The longest principal variation that is kept, in plies.
    pub(crate) const MAX_PV: usize = MAX_PLY;
    /// As much is kept of each line where several are looked for, in plies: one at least.
    pub(crate) const LINE_PLIES: usize = 48;
    /// The moves of all nodes of a line together.
    pub(crate) const LINE_MOVES: usize = 8_192;
    /// The moves of one kind that a node remembers to have tried.
    pub(crate) const TRIED_MOVES: usize = 32;
    /// Entries in the cache of pawn structures; a power of two.
    pub(crate) const PAWN_CACHE_ENTRIES: usize = 2_048;
    /// Entries of a correction history for each part and side; a power of two.
    pub(crate) const CORRECTION_ENTRIES: usize = 16_384;
    /// The histories of quiet moves are told apart by their source squares.
    pub(crate) const QUIET_SOURCES: usize = Square::COUNT;
    /// Are they told apart by what the enemy attacks: 2 ways or 1?
    pub(crate) const THREAT_KINDS: usize = 2;
    /// The earlier moves that have a continuation history: none, and each piece on each square.
    pub(crate) const CONTINUATION_CONTEXTS: usize = 1 + Piece::COUNT * Square::COUNT;
    /// Are mates looked for by a search of their own?
    pub(crate) const MATE_SEARCH: bool = true;
    /// The clock is asked, and nodes are told, once in so many; a multiple of 64, after which the
    /// stop flag is looked at.
    pub(crate) const POLL_INTERVAL: u64 = 1_024;
    /// The depth of the benchmark, in plies.
    pub(crate) const BENCH_DEPTH: u32 = 12;
    /// The hash table of the benchmark, in bytes.
    pub(crate) const BENCH_HASH_BYTES: usize = 16 << 20;
}

/// What fits into 128 KiB, with a hash table of 32 KiB and the stack.
#[cfg(feature = "small")]
mod sizes {
    // What the embedder may choose, from the variables `KIRIN_SMALL_…` of the build.
    include!(concat!(env!("OUT_DIR"), "/sizes.rs"));

    /// The longest principal variation that is kept, in plies.
    pub(crate) const MAX_PV: usize = 10;
    /// As much is kept of each line where several are looked for, in plies: one at least.
    pub(crate) const LINE_PLIES: usize = 1;
    /// The moves of one kind that a node remembers to have tried.
    pub(crate) const TRIED_MOVES: usize = 8;
    /// Are the histories of quiet moves told apart by what the enemy attacks: 2 ways or 1?
    pub(crate) const THREAT_KINDS: usize = 1;
    /// The earlier moves that have a continuation history: there is none.
    pub(crate) const CONTINUATION_CONTEXTS: usize = 0;
    /// Are mates looked for by a search of their own?
    pub(crate) const MATE_SEARCH: bool = false;
    /// The clock is asked, and nodes are told, once in so many; a multiple of 64, after which the
    /// stop flag is looked at.
    pub(crate) const POLL_INTERVAL: u64 = 64;
    /// The depth of the benchmark, in plies.
    pub(crate) const BENCH_DEPTH: u32 = 6;
    /// The hash table of the benchmark, in bytes.
    pub(crate) const BENCH_HASH_BYTES: usize = 32 << 10;
}
