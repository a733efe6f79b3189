//! Quiescence: captures and promotions until the position is quiet enough to be evaluated; in
//! check, every answer to it.

use super::alpha_beta::{drawn_towards, settles};
use super::limits::Host;
use super::params::{
    QS_FAIL_HIGH_SHARE, QS_FUTILITY_MARGIN_CP, QS_HOPELESS_MARGIN_CP, TABLE_CUTOFF_MAX_CLOCK,
};
use super::picker::{captured, Picker};
use super::{Position, Run};
use crate::board::SEE_VALUES;
use crate::tt::{Bound, Entry, NO_EVAL};
use crate::types::{Bitboard, Move, PieceType, Score, MAX_PLY};

impl<H: Host> Run<'_, '_, H> {
    /// The score of a position for its side to move, with only forcing moves looked at.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        let board = &position.board;
        let in_check = board.in_check();
        self.enter_node(ply);
        if PV {
            self.searcher.stack.clear_pv(ply);
        }
        if self.stopped {
            return 0;
        }

        // 1. Draws and the end of memory.
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

        // 2. The transposition table.
        let entry = self.table.probe(board.key());
        if let Some(entry) = entry.filter(|_| !PV) {
            let score = Score::from_table(entry.score, ply);
            if settles(entry.bound, score, alpha, beta)
                && board.halfmove_clock() < TABLE_CUTOFF_MAX_CLOCK
            {
                return score;
            }
        }

        // 3. Standing pat: the side to move need not capture. In check it must move.
        let old_alpha = alpha;
        let mut raw_eval = NO_EVAL;
        let mut best_score = -Score::INFINITE;
        if !in_check {
            raw_eval = self.raw_eval(entry, position, ply);
            best_score = self.corrected(raw_eval, board);
            if let Some(entry) = entry {
                let score = Score::from_table(entry.score, ply);
                if settles(entry.bound, score, best_score, best_score + 1)
                    && !Score::is_certain(score)
                {
                    best_score = score;
                }
            }
            if best_score >= beta {
                // Standing pat is worth less than it says.
                return drawn_towards(beta, best_score, QS_FAIL_HIGH_SHARE);
            }
            alpha = alpha.max(best_score);
        }
        let futility = best_score + QS_FUTILITY_MARGIN_CP;

        // 4. The moves.
        let hash_move = entry.and_then(|entry| board.move_from_packed(entry.mv));
        let begin = self.searcher.moves.len();
        let mut picker = if in_check {
            Picker::new(hash_move, [None; 2], &self.searcher.moves)
        } else {
            Picker::noisy(hash_move, &self.searcher.moves)
        };
        let contexts = self.searcher.stack.contexts(ply);
        let threats = if in_check {
            board.attacked_by(board.side_to_move().opposite())
        } else {
            // No quiet move is looked at.
            Bitboard::EMPTY
        };
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(
            board,
            &mut self.searcher.moves,
            &self.searcher.histories,
            threats,
            &contexts,
        ) {
            move_count += 1;
            if best_score > -Score::CERTAIN_WIN {
                if in_check {
                    // One answer is known not to be mate: quiet ones and losing captures will
                    // hardly do better.
                    if picker.in_bad_noisy() {
                        break;
                    }
                    if mv.is_quiet() {
                        picker.skip_quiets();
                        continue;
                    }
                } else {
                    // 5. Moves that can't lift the score to alpha, and lesser promotions.
                    if mv
                        .promoted()
                        .is_some_and(|p| p.piece_type() != PieceType::Queen)
                    {
                        continue;
                    }
                    let gain = SEE_VALUES[captured(board, mv) as usize];
                    if futility + gain <= alpha
                        && !mv.is_promotion()
                        && (futility + gain + QS_HOPELESS_MARGIN_CP <= alpha
                            || !board.see_ge(mv, 1))
                    {
                        best_score = best_score.max(futility + gain).min(alpha);
                        continue;
                    }
                }
            }

            // 6. Make the move and go on.
            let child = position.child(mv, self.searcher.network.enter(ply + 1));
            self.table.prefetch(child.board.key());
            self.searcher.stack.at_mut(ply).mv = Some(mv);
            self.searcher.past.push(board.key());
            let score = -self.quiescence::<PV>(&child, -beta, -alpha, ply + 1);
            self.searcher.past.pop();
            if self.stopped {
                self.searcher.moves.truncate(begin);
                return 0;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.searcher.stack.set_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        self.searcher.moves.truncate(begin);

        // 7. In check without a move: mate.
        if in_check && move_count == 0 {
            return Score::mated_in(ply);
        }
        let bound = if best_score >= beta {
            Bound::Lower
        } else if PV && best_score > old_alpha && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.store(
            board.key(),
            Entry {
                mv: best_move.map_or(0, Move::packed),
                score: Score::to_table(best_score, ply),
                eval: raw_eval,
                depth: 0,
                bound,
                pv: PV,
            },
        );
        best_score
    }
}
