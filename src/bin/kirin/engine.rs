//! The search thread, seen from the input thread.
//!
//! One thread is started for each `go`, and never before the first: starting one costs some ten
//! microseconds, and a thread that is gone can't hang. It owns a copy of the position, so
//! whatever arrives meanwhile is about the next search. A `go` that comes while a search with an
//! end of its own is under way waits in a queue, and so do changes of the workspace, each before
//! the search that it was said before.

use crate::bench;
use crate::book::{self, Book};
use crate::host::Signals;
use crate::memory::{self, HashMemory, OutOfMemory};
use crate::output;
use crate::perft;
use crate::tables::Prober;
use crate::team;
use crate::workspace::{threads_at_once, Workspace};
use kirin::search::{Limits, Outcome};
use kirin::uci::answer::BestMove;
use kirin::uci::{Position, DEFAULT_HASH_MIB};
use kirin::{Board, Searcher};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The stack of a thread that searches, in bytes. Set here, it doesn't depend on the limit that
/// the main thread was started with; only the pages that are used are ever taken.
pub const SEARCH_STACK_BYTES: usize = 8 << 20;

/// How often the end of the last search is looked for when the input has ended.
const FINISH_POLL: Duration = Duration::from_millis(2);

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
    /// Are its lines shown with the chances that they give?
    pub shows_wdl: bool,
    /// Where a move may be found without a search.
    pub book: Option<Arc<Book>>,
    /// The endgame tables, and how to use them.
    pub tables: Prober,
}

/// A job, what it is told while it runs, and what has to change before it begins.
struct Task {
    job: Job,
    signals: Arc<Signals>,
    before: Pending,
    /// Did it have to wait for another?
    queued: bool,
}

/// Tasks that wait for the one under way.
#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    /// The thread has found the queue empty and takes no more.
    closed: bool,
}

/// The most tasks that wait: a script may send them faster than they are done, but not without
/// end.
const MAX_QUEUED: usize = 4_096;

/// A thread at work, on one task after the other.
struct Run {
    queue: Arc<Mutex<Queue>>,
    thread: JoinHandle<()>,
    /// Those of the tasks that may still be under way or wait, in their order; never empty.
    signals: Vec<Arc<Signals>>,
    /// Does the last answer wait for `stop`?
    last_waits_for_stop: bool,
}

impl Run {
    fn last(&self) -> &Signals {
        // There is one: a run begins with it, and only older ones are dropped.
        &self.signals[self.signals.len() - 1]
    }

    /// Do all tasks end by themselves, with nothing more to come from the input?
    fn ends_alone(&self) -> bool {
        !self.last_waits_for_stop && !self.last().pondering()
    }
}

/// Changes that wait for the search to end.
#[derive(Default)]
struct Pending {
    hash: Option<(HashMemory, u32)>,
    helpers: Option<Vec<Box<Searcher>>>,
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
    /// How many threads search or will, the main one counted.
    threads: u32,
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
            threads: 1,
        }
    }

    /// Is there nothing under way? Waits for jobs that have been told to stop, or that have
    /// nothing left to do but to print their answers.
    pub fn is_idle(&mut self) -> bool {
        let over =
            |run: &Run| run.last().answered() || run.last().stopped() || run.thread.is_finished();
        if self.run.as_ref().is_none_or(over) {
            self.wait();
        }
        self.run.is_none()
    }

    /// Begins a job, or has it wait for those that end by themselves. Refused while a search
    /// waits for `stop`, and when too much waits: `false`.
    #[must_use]
    pub fn start(&mut self, job: Job, signals: Signals) -> bool {
        let waits_for_stop = match &job {
            Job::Search(search) => search.waits_for_stop,
            Job::Perft { .. } | Job::Bench { .. } => false,
        };
        let idle = self.is_idle();
        let signals = Arc::new(signals);
        let task = |before, queued| Task {
            job,
            signals: Arc::clone(&signals),
            before,
            queued,
        };
        if let Some(run) = self.run.as_mut().filter(|_| !idle) {
            if !run.ends_alone() {
                return false;
            }
            run.signals.retain(|signals| !signals.answered());
            let mut queue = lock(&run.queue);
            if queue.tasks.len() >= MAX_QUEUED {
                return false;
            }
            if !queue.closed {
                queue
                    .tasks
                    .push_back(task(std::mem::take(&mut self.pending), true));
                drop(queue);
                run.signals.push(signals);
                run.last_waits_for_stop = waits_for_stop;
                return true;
            }
            drop(queue);
            self.wait();
        }
        let before = std::mem::take(&mut self.pending);
        self.spawn(task(before, false), signals, waits_for_stop);
        true
    }

    fn spawn(&mut self, task: Task, signals: Arc<Signals>, waits_for_stop: bool) {
        // Shared with the thread, not moved into it, so that the task is still here if there
        // is none.
        let queue = Arc::new(Mutex::new(Queue {
            tasks: VecDeque::from([task]),
            closed: false,
        }));
        let spawned = {
            let (queue, workspace) = (Arc::clone(&queue), Arc::clone(&self.workspace));
            thread::Builder::new()
                .name("search".into())
                .stack_size(SEARCH_STACK_BYTES)
                .spawn(move || work(&queue, &workspace))
        };
        match spawned {
            Ok(thread) => {
                self.run = Some(Run {
                    queue,
                    thread,
                    signals: vec![signals],
                    last_waits_for_stop: waits_for_stop,
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
                work(&queue, &self.workspace);
            }
        }
    }

    /// Ends the jobs under way, which print their answers. Returns at once.
    pub fn stop(&self) {
        if let Some(run) = &self.run {
            run.signals.iter().for_each(|signals| signals.stop());
            run.thread.thread().unpark();
        }
    }

    /// The move that was pondered on has been played.
    pub fn ponder_hit(&self) {
        if let Some(run) = &self.run {
            run.signals.iter().for_each(|signals| signals.ponder_hit());
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

    /// The end of input: jobs that end alone are awaited, so that `printf 'go depth 8\n'` is
    /// answered in full; any other is stopped. Meanwhile a sign of life goes out each second:
    /// if nobody is there to read it, the program ends rather than work for nobody.
    pub fn finish(&mut self) {
        if let Some(run) = &self.run {
            if !run.ends_alone() {
                self.stop();
            }
            let begun = Instant::now();
            let mut shown = 0;
            while !run.thread.is_finished() {
                thread::sleep(FINISH_POLL);
                let seconds = begun.elapsed().as_secs();
                if seconds > shown {
                    shown = seconds;
                    output::inform("the input has ended: finishing the search");
                }
            }
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

    /// Gets memory for so many threads, which search together from the next search on. If it
    /// can't be had nothing changes.
    pub fn set_threads(&mut self, threads: u32) -> Result<(), OutOfMemory> {
        if threads != self.threads {
            let helpers = memory::new_searchers(threads.saturating_sub(1) as usize)?;
            self.pending.helpers = Some(helpers);
            self.threads = threads;
            let at_once = threads_at_once();
            if threads as usize > at_once {
                output::inform(format_args!(
                    "Threads: {at_once} search at once, as many as serve on this machine"
                ));
            }
            self.apply_if_idle("Threads");
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
        std::mem::take(&mut self.pending).apply(&mut lock(&self.workspace));
    }
}

impl Pending {
    fn apply(self, workspace: &mut Workspace) {
        if let Some((hash, mib)) = self.hash {
            workspace.set_hash(hash, mib);
        }
        if let Some(helpers) = self.helpers {
            workspace.set_helpers(helpers);
        }
        if self.new_game {
            workspace.clear();
        } else if self.clear_hash {
            workspace.clear_hash();
        }
    }
}

/// What is locked here is sound after a panic too: all its values are.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The search thread: one task after the other, until none is left.
fn work(queue: &Mutex<Queue>, workspace: &Mutex<Workspace>) {
    loop {
        let task = {
            let mut queue = lock(queue);
            let task = queue.tasks.pop_front();
            queue.closed = task.is_none();
            task
        };
        let Some(Task {
            job,
            signals,
            before,
            queued,
        }) = task
        else {
            return;
        };
        before.apply(&mut lock(workspace));
        if queued {
            signals.begin_late();
        }
        perform(&job, workspace, &signals);
    }
}

/// Does a job and prints its answer.
fn perform(job: &Job, workspace: &Mutex<Workspace>, signals: &Signals) {
    let answer = |text: String| {
        // Before the answer: whoever reads it may send the next `go` at once.
        signals.set_answered();
        output::answer(text);
    };
    match job {
        Job::Search(job) if book::answer(job, answer) => {}
        Job::Search(job) => search(job, &mut lock(workspace), signals, |outcome| {
            // What was unparked without need goes back to wait.
            while !signals.stopped() && (job.waits_for_stop || signals.pondering()) {
                thread::park();
            }
            answer(BestMove(&outcome).to_string());
        }),
        Job::Perft { board, depth } => answer(perft::divide(board, *depth, signals)),
        Job::Bench { depth } => answer(
            bench::run(*depth, signals)
                .unwrap_or_else(|error| format!("info string error: {error}")),
        ),
    }
}

fn search(
    job: &SearchJob,
    workspace: &mut Workspace,
    signals: &Signals,
    answer: impl FnOnce(Outcome),
) {
    let limits = workspace.bank.limits(&job.limits);
    let mut nodes = 0;
    let answer = |outcome: Outcome| {
        nodes = outcome.nodes;
        answer(outcome);
    };
    match workspace.prepare() {
        Ok(tools) => team::search(tools, job, &limits, signals, answer),
        Err(error) => {
            output::complain(format_args!("no search: {error}"));
            answer(Outcome {
                best: job.position.board.legal_moves().first().copied(),
                ponder: None,
                score: 0,
                depth: 0,
                nodes: 0,
            });
        }
    }
    workspace.bank.spend(&limits, nodes);
}
