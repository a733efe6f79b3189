//! The search: iterative deepening over a principal variation search.
//!
//! Nothing here allocates, and nothing is filled before the first node: a [`Searcher`] is all
//! zero bytes when new and can live in a `static`. Its memory for the transposition table, its
//! clock, its stop flag and its listener are lent by the caller ([`Host`]). With the same
//! position, limits other than time, and table, the same nodes are visited on every target.

mod alpha_beta;
mod correction;
mod history;
mod limits;
mod mate;
mod params;
mod picker;
mod quiescence;
mod stack;
mod strength;
mod time;

pub use limits::{Clock, Host, Info, Limits, Outcome};
pub use strength::Strength;

use crate::board::{Board, KeyHistory};
use crate::eval::{Accumulator, NetworkNode, NetworkStack, PawnCache};
use crate::profile::{LINE_PLIES, MAX_PV, POLL_INTERVAL};
use crate::tt::{Bound, TranspositionTable};
use crate::types::{Move, MoveArray, Score, MAX_MOVES, MAX_PLY};
use correction::Corrections;
use history::Histories;
use mate::MateSearch;
use stack::{MoveStack, Stack};
use time::{Confidence, TimeLimits};

/// The stop flag is looked at once in so many nodes: often enough that hundreds of threads on a
/// few cores, each of which must first get its turn, still end within some milliseconds.
const STOP_INTERVAL: u64 = 64;
const _: () = assert!(POLL_INTERVAL % STOP_INTERVAL == 0);
/// Bounds and current moves are reported only from here on, in milliseconds.
const CHATTY_AFTER_MS: u64 = 3_000;

/// A move at the root: what was spent on it, and what was found when it last was one of the
/// lines that are looked for.
struct RootMove {
    mv: Option<Move>,
    nodes: u64,
    score: i32,
    /// The iteration that found the score; 0 for none.
    depth: u32,
    seldepth: usize,
    pv: MoveArray<LINE_PLIES>,
}

impl RootMove {
    const fn new() -> RootMove {
        RootMove {
            mv: None,
            nodes: 0,
            score: 0,
            depth: 0,
            seldepth: 0,
            pv: MoveArray::zeroed(),
        }
    }
}

/// All that one thread's search needs to remember. Its initial value is all zero bits.
///
/// ```
/// use kirin::{search::Limits, Board, Cluster, KeyHistory, Searcher, TranspositionTable};
/// let mut searcher = Box::new(Searcher::new());
/// let memory: Vec<Cluster> = (0..1024).map(|_| Cluster::new()).collect();
/// let board: Board = "k7/8/1K6/1R6/8/8/8/8 w - - 0 1".parse()?;
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// let table = TranspositionTable::new(&memory);
/// let outcome = searcher.search(&board, &KeyHistory::new(), &limits, table, &mut ());
/// assert_eq!(kirin::Score(outcome.score).to_string(), "mate 2");
/// # Ok::<(), kirin::ParseFenError>(())
/// ```
pub struct Searcher {
    histories: Histories,
    corrections: Corrections,
    pawn_cache: PawnCache,
    network: NetworkStack,
    stack: Stack,
    moves: MoveStack,
    past: KeyHistory,
    /// The moves at the root that are considered: the first `root_len`. In front stand the lines
    /// that the iteration has found, the best first, and then those of the iteration before.
    root_moves: [RootMove; MAX_MOVES],
    root_len: usize,
    /// The number of the line that is being looked for, from 0: the moves of those before it
    /// are left out.
    line: usize,
    best_pv: MoveArray<MAX_PV>,
    /// The score that came with `best_pv`.
    best_score: i32,
    nodes: u64,
    seldepth: usize,
    /// Before this ply no null move is tried: its cutoff is being verified.
    null_move_min_ply: usize,
}

impl Searcher {
    /// The longest depth that [`Limits::depth`] can ask for.
    pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;

    /// A searcher that remembers nothing: all its bytes are zero.
    #[must_use]
    pub const fn new() -> Searcher {
        Searcher {
            histories: Histories::new(),
            corrections: Corrections::new(),
            pawn_cache: PawnCache::new(),
            network: NetworkStack::new(),
            stack: Stack::new(),
            moves: MoveStack::new(),
            past: KeyHistory::new(),
            root_moves: [const { RootMove::new() }; MAX_MOVES],
            root_len: 0,
            line: 0,
            best_pv: MoveArray::zeroed(),
            best_score: 0,
            nodes: 0,
            seldepth: 0,
            null_move_min_ply: 0,
        }
    }

    /// Forgets everything learned in earlier searches (for a new game).
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.stack.clear();
    }

    /// Looks for the best move. `history` holds the keys of the game's earlier positions.
    ///
    /// Reports go to `host`; the last one shows the move that is returned, except where there
    /// is no legal move.
    pub fn search<H: Host>(
        &mut self,
        board: &Board,
        history: &KeyHistory,
        limits: &Limits,
        table: TranspositionTable<'_>,
        host: &mut H,
    ) -> Outcome {
        self.prepare(board, history, limits);
        let times = TimeLimits::of(limits);
        let mut run = Run {
            searcher: self,
            table,
            host,
            limits,
            times,
            max_nodes: limits.nodes,
            lines: 1,
            shown_lines: 1,
            root_depth: 0,
            stopped: false,
        };
        run.deepen(board)
    }

    // Not in the frame under the search, where stacks are small.
    #[inline(never)]
    fn prepare(&mut self, board: &Board, history: &KeyHistory, limits: &Limits) {
        self.past = history.recent();
        self.stack.clear();
        self.moves.truncate(0);
        self.best_pv.clear();
        self.best_score = 0;
        self.nodes = 0;
        self.null_move_min_ply = 0;
        let legal = board.legal_moves();
        let wanted = |mv: &&Move| limits.search_moves.contains(mv);
        let any_wanted = legal.iter().any(|mv| wanted(&mv));
        self.root_len = 0;
        for mv in legal.iter().filter(|mv| !any_wanted || wanted(mv)) {
            let root = &mut self.root_moves[self.root_len];
            (root.mv, root.nodes, root.score, root.depth) = (Some(*mv), 0, 0, 0);
            root.pv.clear();
            self.root_len += 1;
        }
        self.line = 0;
    }

    /// A root move that the present line may begin with.
    fn root_move_mut(&mut self, mv: Move) -> Option<&mut RootMove> {
        self.root_moves[self.line..self.root_len]
            .iter_mut()
            .find(|root| root.mv == Some(mv))
    }

    /// Takes up the line that was known where the present one belongs.
    fn load_line(&mut self) {
        let root = &self.root_moves[self.line];
        self.best_score = root.score;
        self.best_pv.clear();
        if let Some((&first, rest)) = root.pv.split_first() {
            self.best_pv.set(first, rest);
        }
    }

    /// The present line has been found, and takes its place among those before it. The other
    /// moves keep their order.
    fn keep_line(&mut self, depth: u32) {
        let (line, best) = (self.line, self.best_pv.first().copied());
        let moves = &mut self.root_moves[..self.root_len];
        if let Some(at) = moves[line..].iter().position(|root| root.mv == best) {
            moves[line..=line + at].rotate_right(1);
        }
        let (score, root) = (self.best_score, &mut moves[line]);
        (root.score, root.depth, root.seldepth) = (score, depth, self.seldepth);
        root.pv.clear();
        if let Some((&first, rest)) = self.best_pv.split_first() {
            root.pv.set(first, rest);
        }
        if let Some(at) = moves[..line].iter().position(|root| root.score < score) {
            moves[at..=line].rotate_right(1);
        }
    }
}

impl Default for Searcher {
    fn default() -> Searcher {
        Searcher::new()
    }
}

/// A board and the part of its evaluation that follows the moves.
#[derive(Clone)]
struct Position {
    board: Board,
    accumulator: Accumulator,
}

impl Position {
    /// The position after a legal move, whose node the network enters.
    #[inline]
    fn child(&self, mv: Move, network: &mut NetworkNode) -> Position {
        let mut child = self.clone();
        let mut followers = (&mut child.accumulator, network);
        child.board.make_move_observed(mv, &mut followers);
        child.accumulator.settle(&child.board);
        child
    }
}

/// One search: the searcher and all that it was lent.
struct Run<'a, 't, H: Host> {
    searcher: &'a mut Searcher,
    table: TranspositionTable<'t>,
    host: &'a mut H,
    limits: &'a Limits,
    times: TimeLimits,
    /// The nodes that may be visited, if they are limited.
    max_nodes: Option<u64>,
    /// How many lines are looked for.
    lines: usize,
    /// How many of them are reported.
    shown_lines: usize,
    root_depth: i32,
    stopped: bool,
}

impl<H: Host> Run<'_, '_, H> {
    /// Searches one ply deeper at a time until a limit is met.
    fn deepen(&mut self, board: &Board) -> Outcome {
        let mut outcome = Outcome {
            best: self.searcher.root_moves[0]
                .mv
                .filter(|_| self.searcher.root_len > 0),
            ponder: None,
            score: 0,
            depth: 0,
            nodes: 0,
        };
        let Some(fallback) = outcome.best else {
            outcome.score = if board.in_check() {
                Score::mated_in(0)
            } else {
                Score::DRAW
            };
            return outcome;
        };
        let root_len = self.searcher.root_len;
        self.shown_lines = (self.limits.multipv as usize).clamp(1, root_len);
        let strength = self.limits.strength;
        let wanted = strength.map_or(1, Strength::lines);
        self.lines = wanted.clamp(self.shown_lines, root_len);
        self.searcher.network.enter(0);
        let position = Position {
            board: board.clone(),
            accumulator: Accumulator::of(board),
        };
        let max_depth = self
            .limits
            .depth
            .unwrap_or(u32::MAX)
            .clamp(1, Searcher::MAX_DEPTH);
        let mut confidence = Confidence {
            stable_iterations: 0,
            best_move_permille: 0,
            score_drop_cp: 0,
        };
        // Where a move is wanted, not an analysis, short mates are looked for even if unasked.
        let wants_move = self.times.hard.is_some() || self.limits.nodes.is_some();
        let mate_moves = match self.limits.mate {
            None if wants_move => Some(params::MATE_PROBE_MOVES),
            asked => asked,
        };
        let mut mate_search = mate_moves.filter(|_| self.lines == 1).map(MateSearch::new);
        for depth in 1..=max_depth {
            self.root_depth = depth as i32;
            let before = self.searcher.best_pv.first().copied();
            let found = self.search_lines(&position, depth);
            let score = self.searcher.best_score;
            let best = self.searcher.best_pv.first().copied();
            if self.stopped {
                if found > 0 {
                    outcome.score = score;
                    self.report_lines(found);
                }
                break;
            }
            confidence.score_drop_cp = if depth > 1 { outcome.score - score } else { 0 };
            confidence.stable_iterations = if best == before {
                confidence.stable_iterations + 1
            } else {
                0
            };
            outcome.score = score;
            outcome.depth = depth;
            self.report_lines(found);
            confidence.best_move_permille = self.share_of(best);
            // A weak player too has looked at each move once: else it would have no choice.
            self.max_nodes = self.limits.max_nodes();
            if self.is_enough(depth, score, confidence) {
                break;
            }
            if let Some(search) = &mut mate_search {
                let nodes = match self.limits.mate {
                    Some(_) => self.searcher.nodes * params::MATE_SEARCH_SHARE,
                    None => self.searcher.nodes / params::MATE_PROBE_INTERVAL,
                };
                if self.prove_mate(board, search, nodes) {
                    outcome.score = self.searcher.best_score;
                    self.searcher.keep_line(depth);
                    self.report_lines(1);
                    break;
                }
                if self.stopped {
                    break;
                }
            }
        }
        if let Some(strength) = strength {
            self.err(board, strength);
            outcome.score = self.searcher.best_score;
        }
        let pv = &self.searcher.best_pv;
        outcome.best = pv.first().copied().or(Some(fallback));
        outcome.ponder = pv
            .get(1)
            .copied()
            .or_else(|| self.ponder_move(board, outcome.best));
        outcome.nodes = self.all_nodes();
        outcome
    }

    /// Looks for as many lines as are wanted, each without the first moves of those before it,
    /// and returns how many were found. `best_pv` and `best_score` are then the best one's.
    fn search_lines(&mut self, position: &Position, depth: u32) -> usize {
        let several = self.lines > 1;
        let mut found = 0;
        for line in 0..self.lines {
            // Here stands a line of the iteration before: each line takes at most one of them
            // away from the front.
            let searcher = &mut *self.searcher;
            searcher.line = line;
            searcher.seldepth = 0;
            if several {
                searcher.load_line();
            }
            let last = searcher.root_moves[line].score;
            let before = searcher.best_pv.first().copied();
            let score = self.aspiration(position, last);
            let searcher = &mut *self.searcher;
            if !self.stopped {
                searcher.best_score = score;
            } else if line > 0 || (before.is_some() && searcher.best_pv.first() == before.as_ref())
            {
                break;
            }
            // What a broken iteration found first is at least as good as the move before, and
            // nobody has heard of it: it counts.
            searcher.keep_line(depth);
            found += 1;
            if self.stopped {
                break;
            }
        }
        self.searcher.line = 0;
        if several {
            self.searcher.load_line();
        }
        found
    }

    /// Searches in a small window around the last score, and widens it as long as the true one
    /// lies outside.
    fn aspiration(&mut self, position: &Position, last: i32) -> i32 {
        let depth = self.root_depth;
        let mut delta = params::ASPIRATION_DELTA_CP;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= params::ASPIRATION_MIN_DEPTH && !Score::is_certain(last) {
            alpha = (last - delta).max(-Score::INFINITE);
            beta = (last + delta).min(Score::INFINITE);
        }
        loop {
            let score = self.alpha_beta::<true>(position, alpha, beta, depth, 0, false);
            if self.stopped {
                return score;
            }
            let bound = if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-Score::INFINITE);
                Bound::Upper
            } else if score >= beta {
                beta = (score + delta).min(Score::INFINITE);
                Bound::Lower
            } else {
                return score;
            };
            // Among several lines a bound would stand in no order.
            if self.lines == 1 && self.host.elapsed_ms() > CHATTY_AFTER_MS {
                self.report_line(0, score, bound);
            }
            // Mate scores jump: no small window will hold them.
            if Score::is_certain(score) {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
            delta += delta / 2;
        }
    }

    /// May the search end after this iteration?
    fn is_enough(&mut self, depth: u32, score: i32, confidence: Confidence) -> bool {
        if self.host.stopped() {
            return true;
        }
        if let Some(moves) = self.limits.mate {
            if score >= Score::mate_in(2 * (moves.clamp(1, 64) as usize) - 1) {
                return true;
            }
        }
        if let Some(limit) = self.max_nodes {
            if self.all_nodes() >= limit {
                return true;
            }
        }
        let Some(soft) = self.times.soft.filter(|_| !self.host.pondering()) else {
            return false;
        };
        let forced = self.searcher.root_len == 1 && depth >= 4;
        let mate_is_certain =
            Score::is_mate(score) && depth as i32 > 2 * (Score::MATE - score.abs()) + 2;
        forced || mate_is_certain || self.elapsed_ms() >= confidence.adjust(soft)
    }

    /// The share of all nodes that the best move took, in permille.
    fn share_of(&mut self, best: Option<Move>) -> u64 {
        let all = self.searcher.nodes.max(1);
        match best.and_then(|mv| self.searcher.root_move_mut(mv)) {
            Some(root) => root.nodes * 1_000 / all,
            None => 0,
        }
    }

    /// Reports all lines: the first `found` of this iteration, and where it was broken the
    /// others as they were known before.
    fn report_lines(&mut self, found: usize) {
        let mut limit = Score::INFINITE;
        for line in 0..self.shown_lines {
            let root = &self.searcher.root_moves[line];
            if root.depth == 0 {
                return;
            }
            // A line that was not found again is worth no more than those that were.
            let bound = if root.score > limit {
                Bound::Upper
            } else {
                Bound::Exact
            };
            debug_assert!(bound == Bound::Exact || line >= found);
            limit = limit.min(root.score);
            self.report_line(line, limit, bound);
        }
    }

    fn report_line(&mut self, line: usize, score: i32, bound: Bound) {
        let time_ms = self.host.elapsed_ms();
        let nodes = self.all_nodes();
        let root = &self.searcher.root_moves[line];
        let (depth, seldepth, pv) = if self.lines > 1 {
            (root.depth, root.seldepth, root.pv.as_slice())
        } else {
            let searcher = &*self.searcher;
            (
                self.root_depth as u32,
                searcher.seldepth,
                searcher.best_pv.as_slice(),
            )
        };
        let pv = if pv.is_empty() {
            root.mv.as_slice()
        } else {
            pv
        };
        self.host.report(&Info {
            depth,
            seldepth: seldepth as u32,
            multipv: line as u32 + 1,
            score,
            bound,
            nodes,
            time_ms,
            hashfull: self.table.hashfull(),
            pv,
        });
    }

    /// The reply that the table knows, where the variation ends with the best move.
    fn ponder_move(&self, board: &Board, best: Option<Move>) -> Option<Move> {
        let mut after = board.clone();
        after.make_move(best?);
        let entry = self.table.probe(after.key())?;
        after.move_from_packed(entry.mv)
    }

    /// Counts a node, and notices when the search must end.
    #[inline]
    fn enter_node(&mut self, ply: usize) {
        if self
            .max_nodes
            .is_some_and(|limit| self.searcher.nodes >= limit)
        {
            self.stopped = true;
            return;
        }
        self.searcher.nodes += 1;
        self.searcher.seldepth = self.searcher.seldepth.max(ply + 1);
        if self.searcher.nodes % STOP_INTERVAL == 0 {
            self.poll();
        }
    }

    /// The time that counts against the limits: that of the clock, or of the nodes that stand
    /// for it.
    fn elapsed_ms(&mut self) -> u64 {
        match u64::from(self.limits.nodes_per_ms) {
            0 => self.host.elapsed_ms(),
            rate => self.all_nodes() / rate,
        }
    }

    /// Takes the line that a weaker player would for the best one, and reports it last.
    #[cold]
    fn err(&mut self, board: &Board, strength: Strength) {
        let searcher = &mut *self.searcher;
        let lines = &searcher.root_moves[..self.lines];
        let known = lines.iter().take_while(|root| root.depth > 0);
        let chosen = strength.choose(board.key(), known.map(|root| root.score));
        if chosen > 0 {
            searcher.root_moves[..=chosen].rotate_right(1);
            searcher.load_line();
            let score = searcher.best_score;
            self.report_line(0, score, Bound::Exact);
        }
    }

    /// The nodes of this search and of those that help it.
    fn all_nodes(&mut self) -> u64 {
        self.host.count_nodes(self.searcher.nodes)
    }

    #[cold]
    fn poll(&mut self) {
        if self.host.stopped() {
            self.stopped = true;
        }
        if self.searcher.nodes % POLL_INTERVAL != 0 {
            return;
        }
        let out_of_time = match self.times.hard {
            Some(hard) => !self.host.pondering() && self.elapsed_ms() >= hard,
            None => false,
        };
        // Own nodes are counted one by one; this is about the others'.
        let nodes = self.all_nodes();
        let too_many = self.max_nodes.is_some_and(|limit| nodes > limit);
        if out_of_time || too_many {
            self.stopped = true;
        }
    }

    /// Can the side to move repeat a position of this line with one move? Then it has a draw at
    /// least.
    #[inline]
    fn can_repeat(&self, board: &Board, ply: usize) -> bool {
        board.halfmove_clock() >= 3 && self.searcher.past.can_repeat(board, ply)
    }

    /// Is the node a draw by the fifty-move rule, repetition or dead material? (Not at the
    /// root, where a move is wanted all the same.)
    #[inline]
    fn is_draw(&self, board: &Board, ply: usize) -> bool {
        if board.halfmove_clock() >= 4 {
            if board.halfmove_clock() >= 100 && board.is_draw_by_fifty_moves() {
                return true;
            }
            if self.searcher.past.is_drawn_in_tree(board, ply) {
                return true;
            }
        }
        board.occupied().len() <= 4 && board.is_insufficient_material()
    }
}
