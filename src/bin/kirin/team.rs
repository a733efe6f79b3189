//! Searching with several threads, "Lazy SMP" as it is called: each has a searcher of its own,
//! all work on the same position, and what they share is the hash table. What one has found the
//! others need not look for, and since they never run quite alike they look at different things.
//!
//! One of them, the main search, keeps the limits and reports; the others help until it ends.
//! Then the moves that all have found are weighed against each other.

use crate::engine::{lock, SearchJob, SEARCH_STACK_BYTES};
use crate::host::{Signals, UciHost};
use crate::output;
use crate::tables::SearchTables;
use crate::workspace::Tools;
use kirin::search::{Host, Info, Limits, Outcome};
use kirin::syzygy::Verdict;
use kirin::uci::Position;
use kirin::{Board, Bound, Move, Score, Searcher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Mutex;
use std::thread;

/// What a helper shows to the others, in cache lines of its own: a thread that writes to its own
/// doesn't slow down another.
#[repr(align(128))]
#[derive(Default)]
struct Notice {
    nodes: AtomicU64,
    /// How many positions it has found in endgame tables.
    tbhits: AtomicU64,
    /// What its last complete iteration has found.
    line: Mutex<Option<Line>>,
}

/// The result of an iteration.
#[derive(Clone)]
struct Line {
    depth: u32,
    seldepth: u32,
    score: i32,
    /// Never empty.
    moves: Vec<Move>,
}

/// What the threads of one search tell each other besides the hash table.
pub struct Team {
    /// Must all of them end?
    over: AtomicBool,
    helpers: Vec<Notice>,
}

impl Team {
    fn new(helpers: usize) -> Team {
        Team {
            over: AtomicBool::new(false),
            helpers: (0..helpers).map(|_| Notice::default()).collect(),
        }
    }

    /// The nodes that all helpers have visited.
    pub fn helpers_nodes(&self) -> u64 {
        self.helpers
            .iter()
            .map(|helper| helper.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// How many positions all helpers have found in endgame tables.
    pub fn helpers_tbhits(&self) -> u64 {
        self.helpers
            .iter()
            .map(|helper| helper.tbhits.load(Ordering::Relaxed))
            .sum()
    }

    /// Must all threads end?
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    fn end(&self) {
        self.over.store(true, Ordering::Release);
    }
}

/// The host of a thread that helps. It prints nothing, and its clock stands still, so that
/// nothing is reported to it besides iterations.
struct HelperHost<'a> {
    signals: &'a Signals,
    team: &'a Team,
    notice: &'a Notice,
    /// When the search must end at the latest, in milliseconds.
    latest_end_ms: Option<u64>,
    /// Are there more threads than cores?
    crowded: bool,
    tables: Option<SearchTables<'a>>,
}

impl Host for HelperHost<'_> {
    fn probe_tables(&mut self, board: &Board, depth: i32) -> Option<Verdict> {
        let verdict = self.tables.as_ref()?.probe(board, depth)?;
        self.notice.tbhits.fetch_add(1, Ordering::Relaxed);
        Some(verdict)
    }

    fn elapsed_ms(&mut self) -> u64 {
        0
    }

    fn stopped(&mut self) -> bool {
        if self.crowded {
            // Those that must hear a command, keep the time or answer get their turn soon, and
            // not after hundreds that have nothing to say.
            thread::yield_now();
        }
        self.signals.stopped() || self.team.is_over()
    }

    fn count_nodes(&mut self, nodes: u64) -> u64 {
        self.notice.nodes.store(nodes, Ordering::Relaxed);
        // With more threads than cores the main search may get its turn too late to see that
        // its time is over. Whoever sees it first ends the search for all.
        if self
            .latest_end_ms
            .is_some_and(|end| !self.signals.pondering() && self.signals.elapsed_ms() >= end)
        {
            self.team.end();
        }
        nodes
    }

    fn report(&mut self, info: &Info<'_>) {
        // What a broken iteration has found is nothing to vote for.
        if !self.stopped() && !info.pv.is_empty() {
            *lock(&self.notice.line) = Some(Line {
                depth: info.depth,
                seldepth: info.seldepth,
                score: info.score,
                moves: info.pv.to_vec(),
            });
        }
    }
}

/// Searches with one thread and as many helpers as there are, and hands over the outcome. That
/// is done while some helpers may still be about to end, since with many on few cores each must
/// first get its turn. The last report shows the move of the outcome.
pub fn search(
    tools: Tools<'_>,
    job: &SearchJob,
    limits: &Limits,
    signals: &Signals,
    answer: impl FnOnce(Outcome),
) {
    let mut limits = limits.clone();
    let Tools {
        searcher,
        helpers,
        crowded,
        table,
    } = tools;
    let Position { board, history } = &job.position;
    // Help would make a weak player strong.
    let helpers = if limits.strength.is_some() {
        &mut []
    } else {
        helpers
    };
    let team = Team::new(helpers.len());
    // A mate that is asked for must be found, whatever the tables say.
    let tables = job.tables.tables().filter(|_| limits.mate.is_none());
    let root = tables.and_then(|tables| tables.rank_root(&job.position, &limits));
    let root = root.unwrap_or_default();
    let tables = tables.filter(|_| !root.is_settled);
    if !root.moves.is_empty() {
        limits.search_moves = root.best(limits.multipv as usize);
    }
    let mut host = UciHost {
        signals,
        team: &team,
        wdl_board: job.shows_wdl.then_some(board),
        tables,
        root: &root,
        tbhits: root.moves.len() as u64,
    };
    let helper_limits = Limits {
        search_moves: limits.search_moves.clone(),
        multipv: limits.multipv,
        ..Limits::default()
    };
    let help = |helper: &mut Searcher, own: &Notice| {
        let mut host = HelperHost {
            signals,
            team: &team,
            notice: own,
            latest_end_ms: limits.latest_end_ms(),
            crowded,
            tables,
        };
        helper.search(board, history, &helper_limits, table, &mut host);
    };
    let help = &help;
    thread::scope(|scope| {
        for (number, (helper, own)) in helpers.iter_mut().zip(&team.helpers).enumerate() {
            if signals.stopped() {
                break;
            }
            let spawned = thread::Builder::new()
                .name(format!("helper {}", number + 1))
                .stack_size(SEARCH_STACK_BYTES)
                .spawn_scoped(scope, move || help(helper, own));
            if let Err(error) = spawned {
                output::complain(format_args!(
                    "only {} threads search, no more can be had ({error})",
                    number + 1
                ));
                break;
            }
        }
        let mut outcome = searcher.search(board, history, &limits, table, &mut host);
        team.end();
        // A depth or a mate that was asked for is the main search's to reach, and several lines
        // are reported together.
        if limits.depth.is_none() && limits.mate.is_none() && limits.multipv <= 1 {
            let lines: Vec<Line> = team
                .helpers
                .iter()
                .filter_map(|helper| lock(&helper.line).clone())
                .collect();
            if let Some(line) = elect(&outcome, &lines) {
                outcome = Outcome {
                    best: line.moves.first().copied(),
                    ponder: line.moves.get(1).copied(),
                    score: line.score,
                    depth: line.depth,
                    nodes: outcome.nodes,
                };
                host.report(&Info {
                    depth: line.depth,
                    seldepth: line.seldepth,
                    multipv: 1,
                    score: line.score,
                    bound: Bound::Exact,
                    nodes: outcome.nodes,
                    time_ms: 0,
                    hashfull: table.hashfull(),
                    pv: &line.moves,
                });
            }
        }
        answer(outcome);
    });
}

/// The weight of a vote, for each ply of its depth, with the lowest score of all.
const VOTE_BASE_CP: i32 = 14;

/// The helper's line to be preferred to the main search's outcome, if there is one.
///
/// Each search votes for its move, with a weight that grows with the depth it has completed and
/// with how much its score stands above the lowest. A proven win needs no votes: the shortest
/// one counts.
fn elect<'a>(main: &Outcome, helpers: &'a [Line]) -> Option<&'a Line> {
    let main = (main.best, main.depth, main.score);
    let vote = |line: &Line| (line.moves.first().copied(), line.depth, line.score);
    let voters = || {
        let main = Some(main).filter(|(_, depth, _)| *depth > 0);
        helpers.iter().map(vote).chain(main)
    };
    let lowest = voters().map(|(.., score)| score).min()?;
    let votes = |best: Option<Move>| -> i64 {
        voters()
            .filter(|(mv, ..)| *mv == best)
            .map(|(_, depth, score)| i64::from(score - lowest + VOTE_BASE_CP) * i64::from(depth))
            .sum()
    };
    let is_win = |score: i32| score >= Score::CERTAIN_WIN;
    let (mut chosen, mut best) = (None, main);
    for line in helpers {
        let (mv, _, score) = vote(line);
        let better = if is_win(best.2) || is_win(score) {
            score > best.2
        } else {
            mv != best.0 && votes(mv) > votes(best.0)
        };
        if better {
            (chosen, best) = (Some(line), vote(line));
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(mv: &str, depth: u32, score: i32) -> Line {
        let mv = kirin::Board::startpos()
            .find_move(mv.parse().expect("a move"))
            .expect("legal");
        Line {
            depth,
            seldepth: depth,
            score,
            moves: vec![mv],
        }
    }

    fn outcome(mv: &str, depth: u32, score: i32) -> Outcome {
        Outcome {
            best: line(mv, depth, score).moves.first().copied(),
            ponder: None,
            score,
            depth,
            nodes: 0,
        }
    }

    /// The place of the elected helper.
    fn elected(main: &Outcome, helpers: &[Line]) -> Option<usize> {
        let line = elect(main, helpers)?;
        helpers.iter().position(|helper| std::ptr::eq(helper, line))
    }

    #[test]
    fn the_main_search_is_outvoted_only_by_better_ones() {
        let main = outcome("e2e4", 10, 20);
        for (helpers, chosen) in [
            (vec![], None),
            // Of one opinion.
            (vec![line("e2e4", 12, 30)], None),
            (vec![line("d2d4", 10, 20)], None),
            (vec![line("d2d4", 9, 20)], None),
            (vec![line("d2d4", 11, 20)], Some(0)),
            (vec![line("d2d4", 10, 21)], Some(0)),
            // Two against one.
            (vec![line("c2c4", 9, 20), line("c2c4", 9, 20)], Some(0)),
            (vec![line("e2e4", 9, 20), line("c2c4", 11, 20)], None),
        ] {
            let moves: Vec<_> = helpers.iter().map(|line| line.moves[0]).collect();
            assert_eq!(elected(&main, &helpers), chosen, "{moves:?}");
        }
    }

    #[test]
    fn the_shortest_win_counts_and_nothing_else() {
        let long = || line("d2d4", 9, Score::mate_in(9));
        let short = || line("c2c4", 5, Score::mate_in(3));
        let main = outcome("e2e4", 30, 900);
        assert_eq!(elected(&main, &[long(), short(), long()]), Some(1));
        let main = outcome("c2c4", 5, Score::mate_in(3));
        assert_eq!(elected(&main, &[line("e2e4", 90, 900), long()]), None);
    }

    #[test]
    fn a_main_search_that_has_completed_nothing_has_no_vote() {
        let main = outcome("e2e4", 0, 0);
        assert_eq!(elected(&main, &[]), None);
        assert_eq!(elected(&main, &[line("d2d4", 1, -50)]), Some(0));
        assert_eq!(elected(&main, &[line("e2e4", 1, -50)]), None);
    }

    #[test]
    fn nodes_of_all_helpers_are_counted() {
        let team = Team::new(3);
        for (helper, nodes) in team.helpers.iter().zip([5, 7, 11]) {
            helper.nodes.store(nodes, Ordering::Relaxed);
        }
        assert_eq!(team.helpers_nodes(), 23);
        assert_eq!(size_of_val(&team.helpers[0]) % 64, 0);
    }
}
