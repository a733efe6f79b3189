//! What outlives a search: the searchers with what they have learned, and the hash table. All
//! are got when first needed, so that a program which never searches never pays.

use crate::memory::{self, HashMemory, OutOfMemory};
use crate::node_bank::NodeBank;
use crate::output;
use kirin::uci::DEFAULT_HASH_MIB;
use kirin::{Searcher, TranspositionTable};
use std::num::NonZero;
use std::thread;

/// So many threads a core search at once, and no more: others would only wait for their turn, and
/// with them the answer to a `stop`, some of which took twice the ten milliseconds that are allowed.
const THREADS_PER_CORE: usize = 16;

/// The cores of this machine; without end where it doesn't tell.
fn cores() -> usize {
    thread::available_parallelism().map_or(usize::MAX, NonZero::get)
}

/// How many threads search at once on this machine, at the most.
pub fn threads_at_once() -> usize {
    cores().saturating_mul(THREADS_PER_CORE)
}

/// The memory of the engine. A search has it for itself as long as it runs.
pub struct Workspace {
    searcher: Option<Box<Searcher>>,
    /// Those of the threads that help: as many as `helper_count`, or fewer until the next search.
    helpers: Vec<Box<Searcher>>,
    helper_count: usize,
    /// So many of them search at once.
    helpers_at_once: usize,
    /// Are there more threads than cores?
    crowded: bool,
    hash: Option<HashMemory>,
    /// The size of the table, also before there is one.
    hash_mib: u32,
    /// May there be anything in the table?
    hash_used: bool,
    /// Searches since the last [`Workspace::clear`]: the age of table entries.
    searches: u64,
    /// The game's clock where it counts nodes.
    pub bank: NodeBank,
}

/// What one search works with.
pub struct Tools<'a> {
    /// The searcher whose outcome counts.
    pub searcher: &'a mut Searcher,
    /// One for each thread that helps it.
    pub helpers: &'a mut [Box<Searcher>],
    /// Are there more threads than cores?
    pub crowded: bool,
    /// The hash table that all of them share.
    pub table: TranspositionTable<'a>,
}

impl Workspace {
    /// A workspace with nothing in it.
    pub const fn new() -> Workspace {
        Workspace {
            searcher: None,
            helpers: Vec::new(),
            helper_count: 0,
            helpers_at_once: 0,
            crowded: false,
            hash: None,
            hash_mib: DEFAULT_HASH_MIB,
            hash_used: false,
            searches: 0,
            bank: NodeBank::new(),
        }
    }

    /// Replaces the hash table.
    pub fn set_hash(&mut self, hash: HashMemory, mib: u32) {
        self.hash = Some(hash);
        self.hash_mib = mib;
        self.hash_used = false;
    }

    /// Replaces the searchers of the threads that help.
    pub fn set_helpers(&mut self, helpers: Vec<Box<Searcher>>) {
        self.helper_count = helpers.len();
        self.helpers_at_once = threads_at_once() - 1;
        self.crowded = helpers.len() >= cores();
        self.helpers = helpers;
    }

    /// Forgets what the table holds. Where writing zeros would take long its memory goes back to
    /// the system, and the next search gets new, zeroed when it is touched.
    pub fn clear_hash(&mut self) {
        let memory = self.hash.as_ref().filter(|_| self.hash_used);
        if memory.is_some_and(|memory| !memory.clear()) {
            self.hash = None;
        }
        self.hash_used = false;
    }

    /// Forgets everything, for a new game, and gets ready for it.
    pub fn clear(&mut self) {
        self.clear_hash();
        // If there is no memory the next search will say so.
        let _ = self.get_hash();
        self.searches = 0;
        self.bank.close();
        // The next search gets new ones, zeroed by the system.
        self.searcher = None;
        self.helpers.clear();
    }

    fn get_hash(&mut self) -> Result<(), OutOfMemory> {
        if self.hash.is_none() {
            self.hash = Some(HashMemory::new(self.hash_mib)?);
        }
        Ok(())
    }

    /// What the next search works with.
    pub fn prepare(&mut self) -> Result<Tools<'_>, OutOfMemory> {
        if self.searcher.is_none() {
            self.searcher = Some(memory::new_searcher()?);
        }
        if let Err(error) = self.get_hash() {
            // A search without a table is weak, but it moves.
            output::complain(format_args!("no hash table: {error}"));
        }
        let missing = self.helper_count - self.helpers.len();
        match memory::new_searchers(missing) {
            Ok(new) => self.helpers.extend(new),
            Err(error) => output::complain(format_args!(
                "fewer threads search, {missing} less than Threads says: {error}"
            )),
        }
        self.searches += 1;
        self.hash_used = true;
        let clusters = self.hash.as_ref().map_or(&[][..], HashMemory::clusters);
        let table = TranspositionTable::new(clusters).with_age(self.searches);
        let searcher = self
            .searcher
            .as_deref_mut()
            .unwrap_or_else(|| unreachable!("it was made above"));
        let helpers = self.helpers.len().min(self.helpers_at_once);
        Ok(Tools {
            searcher,
            helpers: &mut self.helpers[..helpers],
            crowded: self.crowded,
            table,
        })
    }
}
