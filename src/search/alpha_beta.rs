//! The main search: a fail-soft principal variation search (Marsland and Campbell, 1982) with
//! the pruning and reductions of the field, each a numbered step.

use super::limits::Host;
use super::params::*;
use super::picker::{captured, Picker};
use super::stack::Context;
use super::{Position, Run, CHATTY_AFTER_MS};
use crate::board::{Board, SEE_VALUES};
use crate::eval;
use crate::profile::TRIED_MOVES;
use crate::syzygy::Verdict;
use crate::tables;
use crate::tt::{Bound, Entry, NO_EVAL};
use crate::types::{Bitboard, Move, MoveArray, PieceType, Score, MAX_PLY};

/// The moves of one kind that a node has tried, for their malus: the first so many.
type Tried = MoveArray<TRIED_MOVES>;

fn note(tried: &mut Tried, mv: Move) {
    if tried.len() < TRIED_MOVES {
        tried.push(mv);
    }
}

/// The reduction of the generated table, in 1/1024 ply.
#[inline]
fn base_reduction(depth: i32, move_count: i32) -> i32 {
    const LAST: i32 = tables::REDUCTIONS.len() as i32 - 1;
    let row = depth.clamp(0, LAST) as usize;
    let column = move_count.clamp(0, LAST) as usize;
    i32::from(tables::REDUCTIONS[row][column])
}

/// What a move that cut off at this depth is credited with.
#[inline]
fn history_bonus(depth: i32) -> i32 {
    (HISTORY_BONUS_PER_DEPTH * depth).min(HISTORY_BONUS_MAX)
}

/// Does the quiet move check directly, and lose no more than `margin`?
#[inline]
fn is_safe_check(
    board: &Board,
    check_squares: &mut Option<[Bitboard; PieceType::COUNT]>,
    mv: Move,
    margin: i32,
) -> bool {
    let squares = check_squares.get_or_insert_with(|| board.check_squares());
    squares[mv.piece().piece_type() as usize].contains(mv.target()) && board.see_ge(mv, -margin)
}

/// What a table's entry says of the score: does its bound settle the window?
#[inline]
pub(super) fn settles(bound: Bound, score: i32, alpha: i32, beta: i32) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score <= alpha,
    }
}

/// A score that is `share` of the way nearer to beta, in 1/1024; what is certain stays.
pub(super) fn drawn_towards(beta: i32, score: i32, share: i32) -> i32 {
    if Score::is_certain(score) || Score::is_certain(beta) {
        return score;
    }
    score - (score - beta) * share / SCALE
}

/// What a verdict of endgame tables says of the score. What only the fifty-move rule decides is
/// a draw, but a better or worse one than others.
fn table_score(verdict: Verdict, ply: usize) -> (i32, Bound) {
    let win = Score::TABLEBASE_WIN - ply as i32;
    match verdict {
        Verdict::Win => (win, Bound::Lower),
        Verdict::CursedWin => (Score::DRAW + 1, Bound::Exact),
        Verdict::Draw => (Score::DRAW, Bound::Exact),
        Verdict::BlessedLoss => (Score::DRAW - 1, Bound::Exact),
        Verdict::Loss => (-win, Bound::Upper),
    }
}

impl<H: Host> Run<'_, '_, H> {
    /// The score of a position for its side to move, `depth` plies deep, exact between `alpha`
    /// and `beta` and a bound beyond them. `PV`: may the line be a principal variation?
    /// `cut_node`: is it expected to fail high?
    pub(super) fn alpha_beta<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        // 1. The horizon.
        if depth <= 0 {
            return self.quiescence::<PV>(position, alpha, beta, ply);
        }
        let board = &position.board;
        let root = ply == 0;
        let us = board.side_to_move();
        let in_check = board.in_check();
        self.enter_node(ply);
        if PV {
            self.searcher.stack.clear_pv(ply);
        }
        if self.stopped {
            return 0;
        }

        // 2. Draws, the end of memory, and mates that can't be bettered here.
        if !root {
            if self.is_draw(board, ply) {
                return Score::DRAW;
            }
            if ply >= MAX_PLY - 1 || !self.searcher.moves.has_room() {
                return if in_check {
                    Score::DRAW
                } else {
                    self.static_eval(position, ply)
                };
            }
            if alpha < Score::DRAW && self.can_repeat(board, ply) {
                alpha = Score::DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let excluded = self.searcher.stack.at(ply).excluded;

        // 3. The transposition table. Its scores don't know the halfmove clock, so late in a
        // fifty-move count they cut nothing off.
        let entry = match excluded {
            None => self.table.probe(board.key()),
            Some(_) => None,
        };
        let hash_move = if root && self.lines > 1 {
            self.searcher.root_moves[self.searcher.line].mv
        } else {
            entry.and_then(|entry| board.move_from_packed(entry.mv))
        };
        if let Some(entry) = entry.filter(|_| !PV) {
            let score = Score::from_table(entry.score, ply);
            if entry.depth >= depth
                && settles(entry.bound, score, alpha, beta)
                && board.halfmove_clock() < TABLE_CUTOFF_MAX_CLOCK
            {
                return score;
            }
        }

        // Endgame tables, if the host has them, know the truth, but nothing of castling and of a
        // halfmove clock that runs. A win or loss is a bound: how far the mate is they don't say.
        let mut best_score = -Score::INFINITE;
        let mut ceiling = None;
        if !root && excluded.is_none() && board.halfmove_clock() == 0 && board.castling().is_empty()
        {
            if let Some(verdict) = self.host.probe_tables(board, depth) {
                let (score, bound) = table_score(verdict, ply);
                if settles(bound, score, alpha, beta) {
                    let entry = Entry {
                        mv: entry.map_or(0, |entry| entry.mv),
                        score: Score::to_table(score, ply),
                        eval: NO_EVAL,
                        depth: (depth + TABLES_DEPTH_BONUS).min(MAX_PLY as i32 - 1),
                        bound,
                        pv: PV,
                    };
                    self.table.store(board.key(), entry);
                    return score;
                }
                match bound {
                    Bound::Upper => ceiling = Some(score),
                    Bound::Lower | Bound::Exact => {
                        best_score = score;
                        alpha = alpha.max(score);
                    }
                }
            }
        }

        // 4. The static evaluation; where the table knows better, that.
        let mut raw_eval = NO_EVAL;
        let mut static_eval = NO_EVAL;
        let mut estimate = -Score::INFINITE;
        if !in_check {
            raw_eval = self.raw_eval(entry, position, ply);
            static_eval = self.corrected(raw_eval, board);
            estimate = static_eval;
            if let Some(entry) = entry {
                let score = Score::from_table(entry.score, ply);
                let better = match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => score > static_eval,
                    Bound::Upper => score < static_eval,
                };
                if better && !Score::is_certain(score) {
                    estimate = score;
                }
            }
        }
        let here = self.searcher.stack.at_mut(ply);
        here.in_check = in_check;
        here.static_eval = static_eval;
        let improving = self.searcher.stack.improving(ply);
        if !in_check && !root && excluded.is_none() {
            self.judge_move_before(ply, static_eval);
        }
        self.searcher.stack.at_mut(ply + 1).killers = [None; 2];
        let contexts = self.searcher.stack.contexts(ply);

        if !PV && !in_check && excluded.is_none() {
            // 5. Reverse futility: so far above beta that a quiet move should hold it.
            if depth <= RFP_MAX_DEPTH
                && estimate - RFP_MARGIN_PER_DEPTH_CP * depth
                    + RFP_IMPROVING_CP * i32::from(improving)
                    >= beta
                && !Score::is_certain(beta)
                && !Score::is_certain(estimate)
            {
                return beta + (estimate - beta) * RFP_RETURN_SHARE / SCALE;
            }

            // 6. Razoring: so far below alpha that only captures could help. (Not where alpha is
            // a mate: a quiet move may give a shorter one.)
            if depth <= RAZORING_MAX_DEPTH
                && alpha < Score::CERTAIN_WIN
                && estimate + RAZORING_MARGIN_PER_DEPTH_CP * depth <= alpha
            {
                let score = self.quiescence::<false>(position, alpha, alpha + 1, ply);
                if self.stopped || score <= alpha {
                    return score;
                }
            }

            // 7. Null move: if even passing keeps us above beta, a move will. Not without
            // pieces, where passing may be the best move (zugzwang).
            if depth >= NMP_MIN_DEPTH
                && estimate >= beta
                && static_eval
                    >= beta + NMP_STATIC_MARGIN_CP - NMP_STATIC_MARGIN_PER_DEPTH_CP * depth
                && contexts[0].is_some()
                && ply >= self.searcher.null_move_min_ply
                && board.has_non_pawns(us)
                && !Score::is_certain(beta)
            {
                if let Some(score) = self.null_move(position, beta, depth, ply, estimate, cut_node)
                {
                    return score;
                }
                if self.stopped {
                    return 0;
                }
            }
        }

        // 8. Internal iterative reduction: a node without a hash move is ordered badly, and a
        // shallower search will find it one for the next time.
        if depth >= IIR_MIN_DEPTH && hash_move.is_none() && (PV || cut_node) {
            depth -= 1;
        }

        // 9. The moves.
        let threats = board.attacked_by(us.opposite());
        self.searcher.stack.at_mut(ply).threats = threats;
        let begin = self.searcher.moves.len();
        let killers = self.searcher.stack.at(ply).killers;
        let mut picker = Picker::new(hash_move, killers, &self.searcher.moves);
        let old_alpha = alpha;
        let mut best_move = None;
        let mut move_count = 0;
        let (mut quiets, mut noisies) = (Tried::new(), Tried::new());
        let mut check_squares = None;
        let may_prune = !root && board.has_non_pawns(us);
        let noisy_hash_move = hash_move.is_some_and(|mv| !mv.is_quiet());
        self.searcher.stack.at_mut(ply + 1).cutoffs = 0;

        while let Some(mv) = picker.next(
            board,
            &mut self.searcher.moves,
            &self.searcher.histories,
            threats,
            &contexts,
        ) {
            if Some(mv) == excluded || (root && self.searcher.root_move_mut(mv).is_none()) {
                continue;
            }
            move_count += 1;
            let quiet = mv.is_quiet();
            if root && self.host.elapsed_ms() > CHATTY_AFTER_MS {
                let number = self.searcher.line as u32 + move_count as u32;
                self.host.report_current_move(depth as u32, mv, number);
            }
            let history = if quiet {
                self.searcher.histories.quiet(mv, threats, &contexts)
            } else {
                self.searcher.histories.capture(mv, captured(board, mv))
            };
            let mut reduction = base_reduction(depth, move_count);

            // 10. Moves that are not worth a search, once there is one to fall back on. (Quiet
            // checks that don't lose too much are.)
            let reduced = (depth - reduction / SCALE).max(0);
            let see_margin = SEE_QUIET_MARGIN_PER_DEPTH_CP * reduced;
            let can_prune = may_prune
                && best_score > -Score::CERTAIN_WIN
                && alpha < Score::CERTAIN_WIN
                && !(quiet && is_safe_check(board, &mut check_squares, mv, see_margin));
            if can_prune {
                if quiet {
                    let late = (LMP_BASE + LMP_PER_SQUARED_DEPTH * depth * depth)
                        / (LMP_SCALE * (2 - i32::from(improving)));
                    if depth <= LMP_MAX_DEPTH && move_count > late {
                        picker.skip_quiets();
                        continue;
                    }
                    if reduced <= FUTILITY_MAX_DEPTH
                        && !in_check
                        && static_eval + FUTILITY_BASE_CP + FUTILITY_MARGIN_PER_DEPTH_CP * reduced
                            <= alpha
                    {
                        picker.skip_quiets();
                        continue;
                    }
                    if reduced <= HISTORY_PRUNING_MAX_DEPTH
                        && history < HISTORY_PRUNING_PER_DEPTH * depth
                    {
                        continue;
                    }
                    if reduced <= SEE_PRUNING_MAX_DEPTH && !board.see_ge(mv, -see_margin) {
                        continue;
                    }
                } else {
                    let hopeless = reduced <= CAPTURE_FUTILITY_MAX_DEPTH
                        && !in_check
                        && !mv.is_promotion()
                        && static_eval
                            + CAPTURE_FUTILITY_BASE_CP
                            + CAPTURE_FUTILITY_MARGIN_PER_DEPTH_CP * reduced
                            + SEE_VALUES[captured(board, mv) as usize]
                            + history / CAPTURE_FUTILITY_HISTORY_DIVISOR
                            <= alpha;
                    let loses = || {
                        let margin = SEE_NOISY_MARGIN_PER_DEPTH_CP * depth;
                        depth <= SEE_PRUNING_MAX_DEPTH
                            && picker.in_bad_noisy()
                            && !board.see_ge(mv, -margin)
                    };
                    if hopeless || loses() {
                        continue;
                    }
                }
            }

            // 11. Singular extension: if without the hash move the node falls below its score,
            // it is the only move and must be seen further. If not, and another move holds
            // beta too, the node is cut (multi-cut); else the hash move needs less depth.
            let mut extension = 0;
            let tries_singular = !root
                && Some(mv) == hash_move
                && depth >= SINGULAR_MIN_DEPTH
                && ply < 2 * self.root_depth as usize;
            if let Some(entry) = entry.filter(|entry| {
                tries_singular
                    && entry.bound != Bound::Upper
                    && entry.depth >= depth - SINGULAR_DEPTH_SLACK
                    && !Score::is_certain(entry.score)
            }) {
                let floor = entry.score - SINGULAR_MARGIN_PER_16_DEPTHS_CP * depth / 16;
                let others =
                    self.search_without(mv, position, floor, (depth - 1) / 2, ply, cut_node);
                if self.stopped {
                    self.searcher.moves.truncate(begin);
                    return 0;
                }
                if others < floor {
                    let doubles = self.searcher.stack.at(ply).doubles;
                    let twice = !PV
                        && others < floor - SINGULAR_DOUBLE_MARGIN_CP
                        && doubles < SINGULAR_MAX_DOUBLES;
                    extension = 1 + i32::from(twice);
                } else if floor >= beta {
                    self.searcher.moves.truncate(begin);
                    return floor;
                } else if entry.score >= beta || cut_node {
                    extension = -2;
                }
            }

            // 12. Make the move; extend checks that don't lose material.
            let child = position.child(mv, self.searcher.network.enter(ply + 1));
            self.table.prefetch(child.board.key());
            let gives_check = child.board.in_check();
            let extends_check = extension == 0
                && gives_check
                && ply < 2 * self.root_depth as usize
                && !picker.in_bad_noisy()
                && board.see_ge(mv, 0);
            let new_depth = depth - 1 + extension + i32::from(extends_check);
            let doubles = self.searcher.stack.at(ply).doubles + u8::from(extension == 2);
            self.searcher.stack.at_mut(ply + 1).doubles = doubles;
            let nodes_before = self.searcher.nodes;
            self.searcher.stack.at_mut(ply).mv = Some(mv);
            self.searcher.past.push(board.key());

            // 13. Late moves are searched less deep and in a null window first, and again as
            // far as they surprise.
            let mut score = 0;
            let mut full_window = PV && move_count == 1;
            if move_count > 1 {
                let mut reduced_depth = new_depth;
                if depth >= LMR_MIN_DEPTH && move_count > 1 + i32::from(PV) {
                    if !quiet {
                        reduction = reduction * LMR_NOISY_SHARE / SCALE;
                    }
                    let divisor = if quiet {
                        LMR_HISTORY_DIVISOR
                    } else {
                        LMR_CAPTURE_HISTORY_DIVISOR
                    };
                    reduction -= history * SCALE / divisor;
                    reduction -= LMR_FORMER_PV * i32::from(entry.is_some_and(|entry| entry.pv));
                    reduction -= LMR_PV * i32::from(PV);
                    reduction -= LMR_CHECK * i32::from(gives_check);
                    reduction += LMR_CUT_NODE * i32::from(cut_node);
                    reduction += LMR_NOT_IMPROVING * i32::from(!improving);
                    reduction -= LMR_KILLER * i32::from(killers.contains(&Some(mv)));
                    // Where a capture is best, others hardly are.
                    reduction += LMR_NOISY_HASH_MOVE * i32::from(noisy_hash_move);
                    // Moves like this one have been refuted with ease.
                    let refuted =
                        self.searcher.stack.at(ply + 1).cutoffs >= LMR_REFUTED_MIN_CUTOFFS;
                    reduction += LMR_REFUTED * i32::from(refuted);
                    reduction -= LMR_ROOT * i32::from(root);
                    let plies = (reduction / SCALE).max(0);
                    reduced_depth = (new_depth - plies).clamp(1, new_depth.max(1));
                }
                score = -self.alpha_beta::<false>(
                    &child,
                    -alpha - 1,
                    -alpha,
                    reduced_depth,
                    ply + 1,
                    true,
                );
                if score > alpha && reduced_depth < new_depth {
                    // Much better than the best so far deserves a ply more, hardly better one
                    // less.
                    let deeper = score
                        > best_score
                            + LMR_DEEPER_MARGIN_CP
                            + LMR_DEEPER_PER_16_DEPTHS_CP * new_depth / 16;
                    let shallower =
                        score < best_score + LMR_SHALLOWER_PER_16_DEPTHS_CP * new_depth / 16;
                    let new_depth = new_depth + i32::from(deeper) - i32::from(shallower);
                    score = -self.alpha_beta::<false>(
                        &child,
                        -alpha - 1,
                        -alpha,
                        new_depth,
                        ply + 1,
                        !cut_node,
                    );
                    if quiet && !self.stopped {
                        let bonus = history_bonus(depth) * HISTORY_RESEARCH_SHARE / SCALE;
                        let bonus = if score > alpha { bonus } else { -bonus };
                        self.searcher
                            .histories
                            .update_continuation(mv, &contexts, bonus);
                    }
                }
                full_window = PV && score > alpha && (root || score < beta);
            } else if !PV {
                score =
                    -self.alpha_beta::<false>(&child, -beta, -alpha, new_depth, ply + 1, !cut_node);
            }
            if PV && !full_window {
                // The child was searched without a line: what stands there is an older one's.
                self.searcher.stack.clear_pv(ply + 1);
            }
            if full_window {
                score = -self.alpha_beta::<true>(&child, -beta, -alpha, new_depth, ply + 1, false);
            }
            self.searcher.past.pop();
            if root {
                let spent = self.searcher.nodes - nodes_before;
                if let Some(root_move) = self.searcher.root_move_mut(mv) {
                    root_move.nodes += spent;
                }
            }
            if self.stopped {
                self.searcher.moves.truncate(begin);
                return 0;
            }

            // 14. What the move has shown.
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.searcher.stack.set_pv(ply, mv);
                    }
                    if root {
                        self.note_root_best(mv, score);
                    }
                    if score >= beta {
                        self.searcher.stack.count_cutoff(ply);
                        break;
                    }
                    alpha = score;
                }
            }
            note(if quiet { &mut quiets } else { &mut noisies }, mv);
        }
        self.searcher.moves.truncate(begin);

        // 15. No move at all: mate, stalemate, or nothing but the excluded one.
        if move_count == 0 {
            return match excluded {
                Some(_) => alpha,
                None if in_check => Score::mated_in(ply),
                None => Score::DRAW,
            };
        }

        // A fail-high is worth less than it says where the search was shallow.
        if best_score >= beta && !root {
            let share = FAIL_HIGH_SHARE / (depth + FAIL_HIGH_DEPTH);
            best_score = drawn_towards(beta, best_score, share);
        }
        if let Some(ceiling) = ceiling {
            best_score = best_score.min(ceiling);
        }

        // 16. Remember what cut off, and the result.
        if let Some(mv) = best_move.filter(|_| best_score >= beta) {
            self.reward(
                position, mv, depth, ply, threats, &contexts, &quiets, &noisies,
            );
        }
        // A further line at the root is not the best, and tells nothing of the position.
        if excluded.is_none() && !(root && self.searcher.line > 0) {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if best_score > old_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            // The correction learns from quiet results that the evaluation contradicts.
            let tells = match bound {
                Bound::Exact => true,
                Bound::Lower => best_score > static_eval,
                Bound::Upper => best_score < static_eval,
            };
            if !in_check
                && tells
                && best_move.is_none_or(Move::is_quiet)
                && !Score::is_certain(best_score)
            {
                self.searcher
                    .corrections
                    .update(board, depth, best_score - static_eval);
            }
            self.table.store(
                board.key(),
                Entry {
                    mv: best_move.map_or(0, Move::packed),
                    score: Score::to_table(best_score, ply),
                    eval: raw_eval,
                    depth,
                    bound,
                    pv: PV,
                },
            );
        }
        best_score
    }

    /// An evaluation with what the correction histories add.
    #[inline]
    pub(super) fn corrected(&self, raw_eval: i32, board: &Board) -> i32 {
        let corrected = raw_eval + self.searcher.corrections.correction(board);
        corrected.clamp(-Score::MAX_EVAL, Score::MAX_EVAL)
    }

    /// The evaluation that the table keeps for the position, or else a new one.
    #[inline]
    pub(super) fn raw_eval(
        &mut self,
        entry: Option<Entry>,
        position: &Position,
        ply: usize,
    ) -> i32 {
        match entry {
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.static_eval(position, ply),
        }
    }

    /// The evaluation for the side to move.
    #[inline]
    pub(super) fn static_eval(&mut self, position: &Position, ply: usize) -> i32 {
        eval::evaluate_with(
            &position.board,
            &position.accumulator,
            &mut self.searcher.network,
            ply,
            &mut self.searcher.pawn_cache,
        )
    }

    /// Searches the node in a null window below `floor`, one move left out.
    fn search_without(
        &mut self,
        mv: Move,
        position: &Position,
        floor: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        self.searcher.stack.at_mut(ply).excluded = Some(mv);
        let score = self.alpha_beta::<false>(position, floor - 1, floor, depth, ply, cut_node);
        self.searcher.stack.at_mut(ply).excluded = None;
        score
    }

    /// Passes the turn and searches less deep; a score when that holds beta.
    fn null_move(
        &mut self,
        position: &Position,
        beta: i32,
        depth: i32,
        ply: usize,
        estimate: i32,
        cut_node: bool,
    ) -> Option<i32> {
        let surplus = (estimate - beta) / NMP_EVAL_DIVISOR_CP;
        let reduction = (NMP_BASE_REDUCTION + NMP_REDUCTION_PER_DEPTH * depth) / SCALE
            + surplus.min(NMP_MAX_EVAL_REDUCTION);
        let mut child = position.clone();
        child.board.make_null_move();
        self.searcher.network.enter(ply + 1);
        self.table.prefetch(child.board.key());
        self.searcher.stack.at_mut(ply).mv = None;
        self.searcher.stack.at_mut(ply + 1).doubles = self.searcher.stack.at(ply).doubles;
        self.searcher.past.push(position.board.key());
        let score = -self.alpha_beta::<false>(
            &child,
            -beta,
            -beta + 1,
            depth - reduction,
            ply + 1,
            !cut_node,
        );
        self.searcher.past.pop();
        if self.stopped || score < beta {
            return None;
        }
        // A mate found while passing is not proven.
        let score = if Score::is_certain(score) {
            beta
        } else {
            score
        };
        if depth < NMP_VERIFICATION_DEPTH || self.searcher.null_move_min_ply > 0 {
            return Some(score);
        }
        // Deep down a wrong cutoff is dear: search again without null moves.
        let reduced = depth - reduction;
        self.searcher.null_move_min_ply = ply + (3 * reduced.max(0) / 4) as usize + 1;
        let verified = self.alpha_beta::<false>(position, beta - 1, beta, reduced, ply, false);
        self.searcher.null_move_min_ply = 0;
        (!self.stopped && verified >= beta).then_some(score)
    }

    /// A root move that is better than all before it in this window.
    fn note_root_best(&mut self, mv: Move, score: i32) {
        let searcher = &mut *self.searcher;
        searcher.best_score = score;
        let line = searcher.stack.pv(0);
        let rest = line.get(1..).unwrap_or(&[]);
        searcher.best_pv.set(mv, rest);
    }

    /// Credits the quiet move that led to this node with what the evaluation has gained by it, for
    /// its side. (Stockfish, 2020.)
    fn judge_move_before(&mut self, ply: usize, static_eval: i32) {
        let before = self.searcher.stack.at(ply - 1);
        let (threats, eval_before) = (before.threats, before.static_eval);
        let quiet = before.mv.filter(|mv| mv.is_quiet() && !before.in_check);
        if let Some(mv) = quiet {
            let gain = -(eval_before + static_eval);
            let bonus = (HISTORY_EVAL_PER_CP * gain).clamp(-HISTORY_EVAL_MAX, HISTORY_EVAL_MAX)
                + HISTORY_EVAL_OFFSET;
            self.searcher
                .histories
                .update_quiet(mv, threats, &[], bonus);
        }
    }

    /// Credits the move that cut off, and debits those tried before it.
    #[allow(clippy::too_many_arguments)] // the whole context of a cutoff
    fn reward(
        &mut self,
        position: &Position,
        mv: Move,
        depth: i32,
        ply: usize,
        threats: Bitboard,
        contexts: &[Context],
        quiets: &[Move],
        noisies: &[Move],
    ) {
        let bonus = history_bonus(depth);
        let malus = bonus * HISTORY_MALUS_SHARE / SCALE;
        let board = &position.board;
        let histories = &mut self.searcher.histories;
        if mv.is_quiet() {
            histories.update_quiet(mv, threats, contexts, bonus);
            for &other in quiets {
                histories.update_quiet(other, threats, contexts, -malus);
            }
            let killers = &mut self.searcher.stack.at_mut(ply).killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        } else {
            histories.update_capture(mv, captured(board, mv), bonus);
        }
        let histories = &mut self.searcher.histories;
        for &other in noisies {
            histories.update_capture(other, captured(board, other), -malus);
        }
    }
}
