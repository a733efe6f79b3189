//! The transposition table: what the search found out about positions, in memory that the
//! caller lends.
//!
//! A cluster of three entries fills 32 bytes, half a cache line. An entry is one word of data
//! (move, score, evaluation, depth, bound, age) and sixteen bits of its position's key, kept in
//! a word that the cluster's entries share. Threads share the table without locks: each word is
//! read and written whole, and the key bits are stored XORed with a fold of the data, so that
//! a pair torn by two writers is taken for another position's entry, as any other mismatch is.
//! (After Robert Hyatt and Timothy Mann, "A lock-less transposition table implementation for
//! parallel search chess engines", 2002.) On targets without 64-bit atomics the same layout
//! serves one thread.

use crate::types::Score;
use crate::word::Word;
use crate::zobrist::Key;

/// Entries in a cluster.
const ENTRIES: usize = 3;

/// The unit of memory of a [`TranspositionTable`]: 32 bytes, all zero when empty.
#[repr(C, align(32))]
pub struct Cluster {
    data: [Word; ENTRIES],
    /// Sixteen bits for each entry, the first in the lowest.
    keys: Word,
}

const _: () = assert!(core::mem::size_of::<Cluster>() == 32);

impl Cluster {
    /// A cluster with no entry: all its bytes are zero.
    #[must_use]
    pub const fn new() -> Cluster {
        Cluster {
            data: [Word::zero(), Word::zero(), Word::zero()],
            keys: Word::zero(),
        }
    }

    fn clear(&self) {
        for word in &self.data {
            word.store(0);
        }
        self.keys.store(0);
    }
}

impl Default for Cluster {
    fn default() -> Cluster {
        Cluster::new()
    }
}

/// What the score of an entry or of a search says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// At most this: no move reached alpha.
    Upper = 1,
    /// At least this: a move reached beta.
    Lower = 2,
    /// This.
    Exact = 3,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, as `Move::packed`; 0 for none.
    pub(crate) mv: u16,
    /// From the side to move; mates counted from this position's node.
    pub(crate) score: i32,
    /// The static evaluation, or [`NO_EVAL`].
    pub(crate) eval: i32,
    /// How deep the search was, in plies.
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Was the position ever on a principal variation?
    pub(crate) pv: bool,
}

/// In place of a static evaluation: the side to move was in check.
pub(crate) const NO_EVAL: i32 = i16::MIN as i32;

/// Added to depths so that those of quiescence, down to -2, are positive in the word.
const DEPTH_OFFSET: i32 = 3;
/// Ages run through the five bits that the word has for them.
const AGES: u8 = 32;

// The word: move 0..16, score 16..32, eval 32..48, depth 48..56, bound 56..58, pv 58, age 59..64.
// Bound is never zero in an entry, so an empty word is 0.
fn pack(entry: &Entry, age: u8) -> u64 {
    u64::from(entry.mv)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | ((entry.depth + DEPTH_OFFSET).clamp(0, 255) as u64) << 48
        | (entry.bound as u64) << 56
        | u64::from(entry.pv) << 58
        | u64::from(age) << 59
}

fn unpack(word: u64) -> Option<Entry> {
    let bound = match word >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        mv: word as u16,
        score: i32::from((word >> 16) as u16 as i16),
        eval: i32::from((word >> 32) as u16 as i16),
        depth: depth_of(word),
        bound,
        pv: word >> 58 & 1 != 0,
    })
}

fn depth_of(word: u64) -> i32 {
    (word >> 48 & 0xff) as i32 - DEPTH_OFFSET
}

/// The key bits as stored beside `data`: mixed with it, so that a torn pair doesn't match.
fn tag(key: Key, data: u64) -> u16 {
    let folded = data ^ data >> 32;
    (key.0 as u16) ^ (folded as u16) ^ (folded >> 16) as u16
}

/// A transposition table over borrowed memory; copies share it.
///
/// ```
/// use kirin::{Cluster, TranspositionTable};
/// static MEMORY: [Cluster; 4] = [const { Cluster::new() }; 4];
/// # #[cfg(target_has_atomic = "64")]
/// let table = TranspositionTable::new(&MEMORY);
/// # #[cfg(target_has_atomic = "64")]
/// assert_eq!(table.hashfull(), 0);
/// ```
#[derive(Clone, Copy)]
pub struct TranspositionTable<'a> {
    clusters: &'a [Cluster],
    age: u8,
}

impl<'a> TranspositionTable<'a> {
    /// A table over these clusters; over none it keeps nothing.
    #[must_use]
    pub const fn new(clusters: &'a [Cluster]) -> TranspositionTable<'a> {
        TranspositionTable { clusters, age: 0 }
    }

    /// Begins another search: entries of earlier ones give way to its own. `number` counts
    /// searches and may be any number that changes from one to the next.
    #[must_use]
    pub const fn with_age(self, number: u64) -> TranspositionTable<'a> {
        TranspositionTable {
            clusters: self.clusters,
            age: (number % AGES as u64) as u8,
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.clusters.iter().for_each(Cluster::clear);
    }

    /// How full the table is with entries of this search, in permille, from its first clusters.
    #[must_use]
    pub fn hashfull(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        if sample.is_empty() {
            return 0;
        }
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.data)
            .map(Word::load)
            .filter(|&word| word != 0 && (word >> 59) as u8 == self.age)
            .count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }

    /// The high bits of the key choose the cluster, the low ones tell entries apart.
    #[inline]
    fn cluster(&self, key: Key) -> Option<&'a Cluster> {
        let index = (u128::from(key.0) * self.clusters.len() as u128) >> 64;
        self.clusters.get(index as usize)
    }

    /// Asks the processor to fetch what a probe of `key` will read.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        if let Some(cluster) = self.cluster(key) {
            use core::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
            // SAFETY: SSE is part of x86-64, and a prefetch of any address is harmless; this
            // one is a live reference's.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(cluster).cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: Key) -> Option<Entry> {
        let cluster = self.cluster(key)?;
        let keys = cluster.keys.load();
        for (i, word) in cluster.data.iter().enumerate() {
            let data = word.load();
            if data != 0 && (keys >> (16 * i)) as u16 == tag(key, data) {
                return unpack(data);
            }
        }
        None
    }

    /// Keeps what was found. An entry of the same position gives way unless it knows clearly
    /// more; else the least useful of the cluster does: shallow and old.
    pub(crate) fn store(&self, key: Key, mut entry: Entry) {
        let Some(cluster) = self.cluster(key) else {
            return;
        };
        let keys = cluster.keys.load();
        let mut slot = 0;
        let mut least = i32::MAX;
        for (i, word) in cluster.data.iter().enumerate() {
            let data = word.load();
            if data == 0 {
                if least > i32::MIN {
                    (slot, least) = (i, i32::MIN);
                }
                continue;
            }
            let age = i32::from((self.age + AGES - (data >> 59) as u8) % AGES);
            if (keys >> (16 * i)) as u16 == tag(key, data) {
                // A fail-low knows no move; the old one is better than none.
                if entry.mv == 0 {
                    entry.mv = data as u16;
                }
                let keep =
                    entry.bound != Bound::Exact && age == 0 && entry.depth + 4 <= depth_of(data);
                if keep {
                    return;
                }
                slot = i;
                break;
            }
            let worth = depth_of(data) - 8 * age;
            if worth < least {
                (slot, least) = (i, worth);
            }
        }
        debug_assert!(entry.score.abs() <= Score::MATE && entry.eval >= NO_EVAL);
        let data = pack(&entry, self.age);
        cluster.data[slot].store(data);
        let shift = 16 * slot;
        let keys = keys & !(0xffff << shift) | u64::from(tag(key, data)) << shift;
        cluster.keys.store(keys);
    }
}
