//! A friendlier opponent: it looks at fewer nodes, and now and then plays a move that is not the
//! best. All of it happens around the search, which knows nothing of it.

use super::limits::{Host, Info, Limits, Outcome};
use crate::types::{Move, Score};

/// How many of the best moves are chosen from.
const CANDIDATES: usize = 4;
/// The nodes of the smallest handicap; every two steps halve them.
const MOST_NODES: u64 = 40_000;
/// Enough to have looked at each move once.
const FEWEST_NODES: u64 = 200;
/// Each step lets a move seem better than it is by up to so much.
const NOISE_CP_PER_STEP: u64 = 12;

/// How much weaker to play: from 0, not at all, to [`Handicap::MOST`].
///
/// ```
/// use kirin::search::{Handicap, Limits};
/// use kirin::{Board, Cluster, KeyHistory, Searcher, TranspositionTable};
/// let mut searcher = Box::new(Searcher::new());
/// let memory: Vec<Cluster> = (0..1024).map(|_| Cluster::new()).collect();
/// let (board, random) = (Board::startpos(), 42);
/// let handicap = Handicap::new(15).expect("not more than the most");
/// let limits = handicap.limit(&Limits::default());
/// let mut host = handicap.around(());
/// let table = TranspositionTable::new(&memory);
/// let outcome = searcher.search(&board, &KeyHistory::new(), &limits, table, &mut host);
/// assert!(host.choose(outcome, random).best.is_some());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Handicap(u8);

impl Handicap {
    /// The engine's own strength.
    pub const NONE: Handicap = Handicap(0);
    /// A beginner's opponent.
    pub const MOST: Handicap = Handicap(20);

    /// A handicap of so many steps; `None` above [`Handicap::MOST`].
    #[must_use]
    pub const fn new(steps: u8) -> Option<Handicap> {
        if steps > Handicap::MOST.0 {
            return None;
        }
        Some(Handicap(steps))
    }

    /// How many steps it has.
    #[must_use]
    pub const fn steps(self) -> u8 {
        self.0
    }

    /// The limits of a search with this handicap: fewer nodes, and several lines to choose from.
    #[must_use]
    pub fn limit(self, limits: &Limits) -> Limits {
        let mut limits = limits.clone();
        if self != Handicap::NONE {
            let most = (MOST_NODES >> (self.0 / 2)).max(FEWEST_NODES);
            limits.nodes = Some(limits.nodes.unwrap_or(most).min(most));
            limits.multipv = CANDIDATES as u32;
        }
        limits
    }

    /// A host that hears which moves are best, and passes everything on.
    pub fn around<H: Host>(self, host: H) -> Handicapped<H> {
        Handicapped {
            handicap: self,
            host,
            candidates: [None; CANDIDATES],
        }
    }
}

/// The surroundings of a search with a [`Handicap`].
#[derive(Debug)]
pub struct Handicapped<H> {
    handicap: Handicap,
    host: H,
    /// The best moves and their scores.
    candidates: [Option<(Move, i32)>; CANDIDATES],
}

impl<H> Handicapped<H> {
    /// What to play instead of what the search found: another move only with a handicap, and
    /// none that loses to a mate the best one avoids. The same `random` number chooses the same.
    #[must_use]
    pub fn choose(&self, outcome: Outcome, random: u64) -> Outcome {
        if self.handicap == Handicap::NONE {
            return outcome;
        }
        let lost = -Score::MATE_IN_MAX_PLY;
        let noise = NOISE_CP_PER_STEP * u64::from(self.handicap.0);
        let mut random = random;
        let mut chosen: Option<(Move, i32)> = None;
        let mut most = i32::MIN;
        for &(mv, score) in self.candidates.iter().flatten() {
            // One step of a linear congruential generator (Knuth, MMIX), whose high bits are
            // the good ones.
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let seeming = score + ((random >> 40) % (noise + 1)) as i32;
            if seeming > most && (score > lost || chosen.is_none()) {
                (chosen, most) = (Some((mv, score)), seeming);
            }
        }
        match chosen {
            Some((mv, score)) if outcome.best != Some(mv) => Outcome {
                best: Some(mv),
                ponder: None,
                score,
                ..outcome
            },
            _ => outcome,
        }
    }
}

impl<H: Host> Host for Handicapped<H> {
    fn elapsed_ms(&mut self) -> u64 {
        self.host.elapsed_ms()
    }

    fn stopped(&mut self) -> bool {
        self.host.stopped()
    }

    fn pondering(&mut self) -> bool {
        self.host.pondering()
    }

    fn count_nodes(&mut self, nodes: u64) -> u64 {
        self.host.count_nodes(nodes)
    }

    fn report(&mut self, info: &Info<'_>) {
        let place = (info.multipv as usize).wrapping_sub(1);
        if let (Some(candidate), Some(&mv)) = (self.candidates.get_mut(place), info.pv.first()) {
            *candidate = Some((mv, info.score));
        }
        self.host.report(info);
    }

    fn report_current_move(&mut self, depth: u32, mv: Move, number: u32) {
        self.host.report_current_move(depth, mv, number);
    }
}
