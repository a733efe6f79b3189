//! What a search may spend, and what it is lent: limits, and the host that gives it a clock, a
//! stop flag and an ear.

use super::strength::Strength;
use super::time::TimeLimits;
use crate::board::Board;
use crate::syzygy::Verdict;
use crate::tt::Bound;
use crate::types::{Move, MoveList};

/// One side's clock, in milliseconds. Negative times come from GUIs whose clock has run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub time_ms: i64,
    /// The time added for each move.
    pub increment_ms: i64,
}

/// When a search ends. Several limits hold together, and none at all means: until stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Iterations to complete: at least 1; more than the search can go is taken for the most.
    pub depth: Option<u32>,
    /// How many lines to look for: that many best moves, each with its score. Fewer if there
    /// are fewer moves; 0 is taken for 1.
    pub multipv: u32,
    /// Nodes to visit, those of helping searchers counted ([`Host::count_nodes`]).
    pub nodes: Option<u64>,
    /// So many nodes stand for each millisecond of the limits on time, in place of the host's
    /// clock: the same search then takes the same course on every machine. 0 for the clock.
    pub nodes_per_ms: u32,
    /// A weaker player to be; `None` for the full strength. Meant for one searcher alone.
    pub strength: Option<Strength>,
    /// The time for this move, in milliseconds.
    pub movetime_ms: Option<u64>,
    /// Ends when a mate in so many moves has been found.
    pub mate: Option<u32>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Moves until more time is added; `None` for sudden death.
    pub moves_to_go: Option<u32>,
    /// Time to leave for what lies between the engine and the clock, in milliseconds.
    pub move_overhead_ms: u64,
    /// The root moves to consider; empty for all. Illegal ones are passed over; if none is
    /// legal, all are considered.
    pub search_moves: MoveList,
}

impl Limits {
    /// When the search ends at the latest, in milliseconds from its start, if its time is
    /// limited at all and [`Limits::nodes_per_ms`] doesn't stand for it.
    #[must_use]
    pub fn latest_end_ms(&self) -> Option<u64> {
        TimeLimits::of(self).hard.filter(|_| self.nodes_per_ms == 0)
    }

    /// The nodes that may be visited, by whichever limit is met first.
    pub(super) fn max_nodes(&self) -> Option<u64> {
        let strength = self.strength.map(Strength::nodes);
        self.nodes.into_iter().chain(strength).min()
    }
}

/// A report of the search: the data of one `info` line.
#[derive(Clone, Copy, Debug)]
pub struct Info<'a> {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// Which of several best lines this is, from 1.
    pub multipv: u32,
    /// From the side to move at the root; see [`crate::Score`].
    pub score: i32,
    /// What the score says about the true one.
    pub bound: Bound,
    /// Nodes visited so far, those of helping searchers counted.
    pub nodes: u64,
    /// Milliseconds since the search began.
    pub time_ms: u64,
    /// How full the table is, in permille.
    pub hashfull: u32,
    /// The line: legal moves from the root on, not beyond the end of the game.
    pub pv: &'a [Move],
}

/// What surrounds a search: a clock, a stop flag and an ear. Nothing in the core knows time,
/// threads or text.
pub trait Host {
    /// Milliseconds since the search's clock began to run. Asked for now and then: every 1,024
    /// nodes and at each report.
    fn elapsed_ms(&mut self) -> u64;

    /// Must the search end at once? Asked every 64 nodes and between iterations. Before its
    /// first iteration is complete the search still ends at once, with some legal move.
    fn stopped(&mut self) -> bool;

    /// May the time limits not yet end the search, since the opponent is still to move?
    fn pondering(&mut self) -> bool {
        false
    }

    /// Is told how many nodes the search has visited, and gives how many have been visited for
    /// its sake: more, where other searchers help it by way of a shared table. What it gives is
    /// reported, and is what [`Limits::nodes`] limits. Asked as often as the clock, and when the
    /// search has ended.
    fn count_nodes(&mut self, nodes: u64) -> u64 {
        nodes
    }

    /// What endgame tables know of a position that the search has come to, `depth` plies before
    /// its horizon. Asked only where tables can know: without castling rights, and with a
    /// halfmove clock of 0. What it finds too dear to look up it needn't say. A host that leaves
    /// this as it is has no tables, and asking it costs nothing.
    #[inline]
    fn probe_tables(&mut self, board: &Board, depth: i32) -> Option<Verdict> {
        let _ = (board, depth);
        None
    }

    /// Hears of the search's progress.
    fn report(&mut self, info: &Info<'_>) {
        let _ = info;
    }

    /// Hears which root move is being looked at, and its number from 1.
    fn report_current_move(&mut self, depth: u32, mv: Move, number: u32) {
        let _ = (depth, mv, number);
    }
}

/// A host with no clock and nothing to say: for searches limited by depth or nodes.
impl Host for () {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }

    fn stopped(&mut self) -> bool {
        false
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play: `None` only where there is no legal one.
    pub best: Option<Move>,
    /// The reply expected, if a legal one is known.
    pub ponder: Option<Move>,
    /// From the side to move at the root; see [`crate::Score`].
    pub score: i32,
    /// The last iteration completed, in plies.
    pub depth: u32,
    /// Nodes visited, those of helping searchers counted.
    pub nodes: u64,
}
