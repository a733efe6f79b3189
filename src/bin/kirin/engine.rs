//! The search thread, seen from the input thread.
//!
//! One thread is started for each `go`, and never before the first: starting one costs some ten
//! microseconds, and a thread that is gone can't hang. It owns a copy of the position, so
//! whatever arrives meanwhile is about the next search. Changes of the workspace wait until the
//! search has ended.

use crate::bench;
use crate::host::{Signals, UciHost};
use crate::memory::{HashMemory, OutOfMemory};
use crate::output;
use crate::perft;
use crate::workspace::Workspace;
use kirin::search::{Limits, Outcome};
use kirin::uci::answer::BestMove;
use kirin::uci::{Position, DEFAULT_HASH_MIB};
use kirin::Board;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// The stack of a thread that searches, in bytes. Set here, it doesn't depend on the limit that
/// the main thread was started with; only the pages that are used are ever taken.
pub const SEARCH_STACK_BYTES: usize = 8 << 20;

/// Work for the search thread.
pub enum Job {
    /// A search that ends with a `bestmove`.
    Search(Box<SearchJob>),
    /// Counting, move by move.
    Perft {
        /// Where to begin.
        board: Box<Board>,
        /// How far to go, in plies.
        depth: u32,
    },
    /// The benchmark.
    Bench {
        /// How deep to search, in plies.
        depth: u32,
    },
}

/// What to search.
pub struct SearchJob {
    /// Where to begin.
    pub position: Position,
    /// What to spend.
    pub limits: Limits,
    /// Must the answer wait for `stop`?
    pub waits_for_stop: bool,
}

/// A job under way.
struct Run {
    signals: Arc<Signals>,
    thread: JoinHandle<()>,
    /// Does its answer wait for `stop`?
    waits_for_stop: bool,
}

impl Run {
    /// Does it end by itself, with nothing more to come from the input?
    fn ends_alone(&self) -> bool {
        !self.waits_for_stop && !self.signals.pondering()
    }
}

/// Changes that wait for the search to end.
#[derive(Default)]
struct Pending {
    hash: Option<(HashMemory, u32)>,
    clear_hash: bool,
    new_game: bool,
}

/// The engine as the input thread drives it.
pub struct Engine {
    workspace: Arc<Mutex<Workspace>>,
    run: Option<Run>,
    pending: Pending,
    /// The size of the hash table that is in use or will be, in MiB.
    hash_mib: u32,
    /// Was that size asked for, so that its memory is there?
    hash_is_set: bool,
}

impl Engine {
    /// An engine at rest.
    pub fn new() -> Engine {
        Engine {
            workspace: Arc::new(Mutex::new(Workspace::new())),
            run: None,
            pending: Pending::default(),
            hash_mib: DEFAULT_HASH_MIB,
            hash_is_set: false,
        }
    }

    /// Is there nothing under way? Waits for a job that has been told to stop, or that has
    /// nothing left to do but to print its answer.
    pub fn is_idle(&mut self) -> bool {
        let over =
            |run: &Run| run.signals.answered() || run.signals.stopped() || run.thread.is_finished();
        if self.run.as_ref().is_none_or(over) {
            self.wait();
        }
        self.run.is_none()
    }

    /// Begins a job; the engine must be idle.
    pub fn start(&mut self, job: Job, signals: Signals) {
        debug_assert!(self.run.is_none());
        self.apply_pending();
        let waits_for_stop = match &job {
            Job::Search(search) => search.waits_for_stop,
            Job::Perft { .. } | Job::Bench { .. } => false,
        };
        // Shared with the thread, not moved into it, so that it is still here if there is none.
        let (job, signals) = (Arc::new(job), Arc::new(signals));
        let spawned = {
            let (job, signals) = (Arc::clone(&job), Arc::clone(&signals));
            let workspace = Arc::clone(&self.workspace);
            thread::Builder::new()
                .name("search".into())
                .stack_size(SEARCH_STACK_BYTES)
                .spawn(move || perform(&job, &workspace, &signals))
        };
        match spawned {
            Ok(thread) => {
                self.run = Some(Run {
                    signals,
                    thread,
                    waits_for_stop,
                });
            }
            Err(error) => {
                output::complain(format_args!(
                    "no search thread can be had ({error}): input waits"
                ));
                // Nobody will hear a `stop`, so what needs one is stopped before it begins; it
                // answers with a move of its first iteration.
                if waits_for_stop || signals.pondering() {
                    signals.stop();
                }
                perform(&job, &self.workspace, &signals);
            }
        }
    }

    /// Ends the job under way, which prints its answer. Returns at once.
    pub fn stop(&self) {
        if let Some(run) = &self.run {
            run.signals.stop();
            run.thread.thread().unpark();
        }
    }

    /// The move that was pondered on has been played.
    pub fn ponder_hit(&self) {
        if let Some(run) = &self.run {
            run.signals.ponder_hit();
            run.thread.thread().unpark();
        }
    }

    /// Waits for the job under way to end, if there is one.
    fn wait(&mut self) {
        if let Some(run) = self.run.take() {
            // A panic in the thread, in a debug build, has been reported by itself.
            let _ = run.thread.join();
        }
        self.apply_pending();
    }

    /// The end of input: a job that ends alone is awaited, so that `printf 'go depth 8\n'` is
    /// answered in full; any other is stopped.
    pub fn finish(&mut self) {
        if self.run.as_ref().is_some_and(|run| !run.ends_alone()) {
            self.stop();
        }
        self.wait();
    }

    /// Stops what is under way, and waits until it has.
    pub fn shut_down(&mut self) {
        self.stop();
        self.wait();
    }

    /// Gets memory for a hash table of this size, which takes the old one's place once no
    /// search uses it. If it can't be had nothing changes.
    pub fn set_hash(&mut self, mib: u32) -> Result<(), OutOfMemory> {
        // Some GUIs set the same size again and again.
        if !(self.hash_is_set && mib == self.hash_mib) {
            self.pending.hash = Some((HashMemory::new(mib)?, mib));
            (self.hash_mib, self.hash_is_set) = (mib, true);
            self.apply_if_idle("Hash");
        }
        Ok(())
    }

    /// Forgets what the hash table holds, once no search uses it.
    pub fn clear_hash(&mut self) {
        self.pending.clear_hash = true;
        self.apply_if_idle("Clear Hash");
    }

    /// Forgets everything, once no search uses it.
    pub fn new_game(&mut self) {
        self.pending.new_game = true;
        self.apply_if_idle("ucinewgame");
    }

    fn apply_if_idle(&mut self, what: &str) {
        if self.is_idle() {
            self.apply_pending();
        } else {
            output::inform(format_args!("{what} waits for the search to end"));
        }
    }

    fn apply_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let mut workspace = lock(&self.workspace);
        if let Some((hash, mib)) = pending.hash {
            workspace.set_hash(hash, mib);
        }
        if pending.new_game {
            workspace.clear();
        } else if pending.clear_hash {
            workspace.clear_hash();
        }
    }
}

/// A workspace is sound after a panic too: all its values are.
fn lock(workspace: &Mutex<Workspace>) -> MutexGuard<'_, Workspace> {
    workspace.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does a job and prints its answer.
fn perform(job: &Job, workspace: &Mutex<Workspace>, signals: &Signals) {
    let answer = match job {
        Job::Search(job) => {
            let outcome = search(job, &mut lock(workspace), signals);
            // What was unparked without need goes back to wait.
            while !signals.stopped() && (job.waits_for_stop || signals.pondering()) {
                thread::park();
            }
            BestMove(&outcome).to_string()
        }
        Job::Perft { board, depth } => perft::divide(board, *depth, signals),
        Job::Bench { depth } => bench::run(*depth, signals)
            .unwrap_or_else(|error| format!("info string error: {error}")),
    };
    // Before the answer: whoever reads it may send the next `go` at once.
    signals.set_answered();
    output::answer(answer);
}

fn search(job: &SearchJob, workspace: &mut Workspace, signals: &Signals) -> Outcome {
    let Position { board, history } = &job.position;
    match workspace.prepare() {
        Ok((searcher, table)) => {
            searcher.search(board, history, &job.limits, table, &mut UciHost(signals))
        }
        Err(error) => {
            output::complain(format_args!("no search: {error}"));
            Outcome {
                best: board.legal_moves().first().copied(),
                ponder: None,
                score: 0,
                depth: 0,
                nodes: 0,
            }
        }
    }
}
