//! What a search is lent while it runs: the clock, the flags that the input thread raises, and
//! the way its reports go out.

use crate::output;
use crate::tables::{RootVerdict, SearchTables};
use crate::team::Team;
use kirin::search::{Host, Info};
use kirin::syzygy::Verdict;
use kirin::uci::answer::InfoLine;
use kirin::uci::Wdl;
use kirin::{Board, Bound, Move};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What the input thread and a search tell each other. Each `go` has its own, made before its
/// search begins; so a `stop` that follows at once can't be lost or meet another search.
pub struct Signals {
    /// When `go` was read.
    begun: Instant,
    /// How long the task waited for others, in milliseconds: no time of its own.
    waited_ms: AtomicU64,
    stop: AtomicBool,
    pondering: AtomicBool,
    answered: AtomicBool,
    /// When the clock began to run: at `go`, or at `ponderhit`. In milliseconds after `begun`.
    clock_started_ms: AtomicU64,
}

impl Signals {
    /// For a `go` that was read at `begun`.
    pub fn new(begun: Instant, pondering: bool) -> Signals {
        Signals {
            begun,
            waited_ms: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            answered: AtomicBool::new(false),
            clock_started_ms: AtomicU64::new(0),
        }
    }

    /// A task that had to wait for others begins now, and counts its time from here.
    pub fn begin_late(&self) {
        self.waited_ms.store(self.since_go_ms(), Ordering::Relaxed);
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Has it been told to end?
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// The opponent has played the expected move: our clock runs from now on.
    pub fn ponder_hit(&self) {
        if self.pondering() {
            self.clock_started_ms
                .store(self.since_go_ms(), Ordering::Relaxed);
            // After the clock's start: whoever sees this change sees that one too.
            self.pondering.store(false, Ordering::Release);
        }
    }

    /// Is the opponent still to move?
    pub fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Nothing but the answer itself is left to do: the next `go` needn't be refused.
    pub fn set_answered(&self) {
        self.answered.store(true, Ordering::Release);
    }

    /// See [`Signals::set_answered`].
    pub fn answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    fn since_go_ms(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis())
            .unwrap_or(u64::MAX)
            .saturating_sub(self.waited_ms.load(Ordering::Relaxed))
    }

    /// The clock stands still while we ponder: a search that asks for the time just before
    /// `ponderhit` and for [`Signals::pondering`] just after it must not think its time is up.
    pub fn elapsed_ms(&self) -> u64 {
        if self.pondering() {
            return 0;
        }
        self.since_go_ms()
            .saturating_sub(self.clock_started_ms.load(Ordering::Relaxed))
    }
}

/// The host of a search that answers over standard output.
pub struct UciHost<'a> {
    pub signals: &'a Signals,
    /// What it shares with the threads that help.
    pub team: &'a Team,
    /// The position, if chances are to be shown.
    pub wdl_board: Option<&'a Board>,
    /// The endgame tables, if the search is to ask them.
    pub tables: Option<SearchTables<'a>>,
    /// What they say of the moves at the root.
    pub root: &'a RootVerdict,
    /// How many positions have been found in them.
    pub tbhits: u64,
}

impl Host for UciHost<'_> {
    fn elapsed_ms(&mut self) -> u64 {
        self.signals.elapsed_ms()
    }

    fn stopped(&mut self) -> bool {
        self.signals.stopped() || self.team.is_over()
    }

    fn pondering(&mut self) -> bool {
        self.signals.pondering()
    }

    fn count_nodes(&mut self, nodes: u64) -> u64 {
        nodes + self.team.helpers_nodes()
    }

    fn report(&mut self, info: &Info<'_>) {
        let known = self.root.score(info.pv.first(), info.score);
        let score = known.unwrap_or(info.score);
        // Speed and time are told since `go`, also after the clock's new start at `ponderhit`.
        output::answer(InfoLine {
            info: Info {
                time_ms: self.signals.since_go_ms(),
                score,
                bound: known.map_or(info.bound, |_| Bound::Exact),
                ..*info
            },
            wdl: self.wdl_board.map(|board| Wdl::of(score, board)),
            tbhits: self.tbhits + self.team.helpers_tbhits(),
        });
    }

    fn probe_tables(&mut self, board: &Board, depth: i32) -> Option<Verdict> {
        let verdict = self.tables.as_ref()?.probe(board, depth)?;
        self.tbhits += 1;
        Some(verdict)
    }

    fn report_current_move(&mut self, depth: u32, mv: Move, number: u32) {
        output::answer(format_args!(
            "info depth {depth} currmove {mv} currmovenumber {number}"
        ));
    }
}

/// The host of a search that says nothing, but can be stopped.
pub struct QuietHost<'a>(pub &'a Signals);

impl Host for QuietHost<'_> {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }

    fn stopped(&mut self) -> bool {
        self.0.stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_clock_runs_from_ponderhit() {
        let begun = Instant::now()
            .checked_sub(Duration::from_secs(3600))
            .expect("an hour ago");
        let signals = Signals::new(begun, true);
        assert_eq!(signals.elapsed_ms(), 0);
        signals.ponder_hit();
        assert!(!signals.pondering());
        assert!(signals.elapsed_ms() < 600_000);
        assert!(signals.since_go_ms() >= 3_600_000);
        // A second one doesn't set the clock back.
        let started = signals.clock_started_ms.load(Ordering::Relaxed);
        signals.ponder_hit();
        assert_eq!(signals.clock_started_ms.load(Ordering::Relaxed), started);
        assert!(Signals::new(begun, false).elapsed_ms() >= 3_600_000);
    }
}
