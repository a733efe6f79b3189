//! The order in which a node looks at its moves, in stages, so that a cutoff saves the work of
//! the stages after it: hash move, captures that don't lose material, killers, quiet moves by
//! history, losing captures.

use super::history::Histories;
use super::params::{CAPTURE_ORDER_SHARE, CAPTURE_SEE_SHARE, CHECK_ORDER, SCALE};
use super::stack::{Context, MoveStack, ScoredMove};
use crate::board::{Board, MoveFilter, SEE_VALUES};
use crate::types::{Bitboard, Move, PieceType};

/// Above every other order number of a capture: queen promotions come with the best of them.
const PROMOTION_ORDER: i32 = 30_000;
/// Below: promotions to less than a queen are tried last.
const UNDERPROMOTION_ORDER: i32 = -60_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    HashMove,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiet,
    Quiets,
    BadNoisy,
    Done,
}

/// Yields each legal move of a node once. Its moves lie on the shared [`MoveStack`] from
/// `begin` on; the caller truncates it when the node is done.
pub(super) struct Picker {
    stage: Stage,
    hash_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    noisy_only: bool,
    skip_quiets: bool,
    begin: usize,
    /// Losing captures are moved to the front, `begin..bad_end`, in the order found.
    bad_end: usize,
    current: usize,
}

impl Picker {
    /// All moves. `hash_move` and `killers` may be any moves; killers that are not legal quiet
    /// moves here are passed over, the hash move must be legal.
    pub(super) fn new(
        hash_move: Option<Move>,
        killers: [Option<Move>; 2],
        moves: &MoveStack,
    ) -> Picker {
        Picker {
            stage: Stage::HashMove,
            hash_move,
            killers,
            next_killer: 0,
            noisy_only: false,
            skip_quiets: false,
            begin: moves.len(),
            bad_end: moves.len(),
            current: moves.len(),
        }
    }

    /// Captures and promotions only, those that lose material left out.
    pub(super) fn noisy(hash_move: Option<Move>, moves: &MoveStack) -> Picker {
        Picker {
            noisy_only: true,
            ..Picker::new(hash_move.filter(|mv| !mv.is_quiet()), [None; 2], moves)
        }
    }

    /// From now on quiet moves are passed over.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Has the picker come to the captures that lose material?
    pub(super) fn in_bad_noisy(&self) -> bool {
        matches!(self.stage, Stage::BadNoisy | Stage::Done)
    }

    /// The next move to look at.
    pub(super) fn next(
        &mut self,
        board: &Board,
        moves: &mut MoveStack,
        histories: &Histories,
        threats: Bitboard,
        contexts: &[Context],
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Stage::GenerateNoisy => {
                    board.generate_moves(MoveFilter::Noisy, moves);
                    for scored in moves.from(self.begin) {
                        if let Some(mv) = scored.mv {
                            scored.score = noisy_order(board, histories, mv);
                        }
                    }
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.select(moves) {
                    Some(mv) if self.is_good(board, histories, mv) => return Some(mv),
                    Some(mv) => {
                        moves.from(self.begin)[self.bad_end - self.begin].mv = Some(mv);
                        self.bad_end += 1;
                    }
                    None if self.noisy_only => self.stage = Stage::Done,
                    None => self.stage = Stage::Killers,
                },
                Stage::Killers => {
                    if self.skip_quiets || self.next_killer == self.killers.len() {
                        self.stage = Stage::GenerateQuiet;
                        continue;
                    }
                    let killer = self.killers[self.next_killer];
                    self.next_killer += 1;
                    if let Some(mv) = killer {
                        if killer != self.hash_move && mv.is_quiet() && board.is_legal(mv) {
                            return killer;
                        }
                    }
                }
                Stage::GenerateQuiet => {
                    self.current = moves.len();
                    if !self.skip_quiets {
                        board.generate_moves(MoveFilter::Quiet, moves);
                        let check_squares = board.check_squares();
                        for scored in moves.from(self.current) {
                            if let Some(mv) = scored.mv {
                                let squares = check_squares[mv.piece().piece_type() as usize];
                                let check = i32::from(squares.contains(mv.target()));
                                let history = histories.quiet(mv, threats, contexts);
                                scored.score = history + CHECK_ORDER * check;
                            }
                        }
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    let picked = if self.skip_quiets {
                        None
                    } else {
                        self.select(moves)
                    };
                    match picked {
                        Some(mv) if self.killers.contains(&Some(mv)) => {}
                        Some(mv) => return Some(mv),
                        None => {
                            self.stage = Stage::BadNoisy;
                            self.current = self.begin;
                        }
                    }
                }
                Stage::BadNoisy => {
                    if self.current == self.bad_end {
                        self.stage = Stage::Done;
                        continue;
                    }
                    let scored = moves.from(self.begin)[self.current - self.begin];
                    self.current += 1;
                    return scored.mv;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Does a capture lose no material? Where captures like it did well it may lose a little, where
    /// they did not it has to win some.
    #[inline]
    fn is_good(&self, board: &Board, histories: &Histories, mv: Move) -> bool {
        let leeway = if self.noisy_only {
            0
        } else {
            histories.capture(mv, captured(board, mv)) * CAPTURE_SEE_SHARE / (64 * SCALE)
        };
        board.see_ge(mv, -leeway)
    }

    /// The best of the moves from `current` on, which is brought there and passed. The hash
    /// move has been seen and is left out.
    fn select(&mut self, moves: &mut MoveStack) -> Option<Move> {
        loop {
            let rest = moves.from(self.current);
            let mut best = 0;
            let mut best_score = rest.first()?.score;
            for (i, &ScoredMove { score, .. }) in rest.iter().enumerate().skip(1) {
                if score > best_score {
                    (best, best_score) = (i, score);
                }
            }
            rest.swap(0, best);
            let mv = rest[0].mv;
            self.current += 1;
            if mv != self.hash_move {
                return mv;
            }
        }
    }
}

/// What a capture or promotion takes.
#[inline]
pub(super) fn captured(board: &Board, mv: Move) -> PieceType {
    match board.piece_on(mv.target()) {
        Some(piece) => piece.piece_type(),
        // En passant, or a promotion that takes nothing.
        None => PieceType::Pawn,
    }
}

/// Most valuable victim first, then by what such captures have done before.
fn noisy_order(board: &Board, histories: &Histories, mv: Move) -> i32 {
    let victim = captured(board, mv);
    let mut order = histories.capture(mv, victim) * CAPTURE_ORDER_SHARE / SCALE;
    if mv.is_capture() {
        order += 16 * SEE_VALUES[victim as usize];
    }
    match mv.promoted().map(|piece| piece.piece_type()) {
        Some(PieceType::Queen) => order + PROMOTION_ORDER,
        Some(_) => order + UNDERPROMOTION_ORDER,
        None => order,
    }
}
