//! Pawn structure and passed pawns.

use super::{relative_rank, Evaluation, Trace};
use crate::attacks;
use crate::board::Side;
use crate::lines;
use crate::tables;
use crate::types::{Bitboard, Color, PieceType, Square};

/// The squares before `square` on its own and the neighbouring files, as `color` goes: a pawn
/// there stops it or can take it.
#[inline]
pub(super) fn passed_span(color: Color, square: Square) -> Bitboard {
    Bitboard(lines::passed_span(color as usize, square as usize))
}

/// The squares before `square` on its file, as `color` goes.
#[inline]
pub(super) fn forward_file(color: Color, square: Square) -> Bitboard {
    Bitboard(lines::forward_file(color as usize, square as usize))
}

/// The files beside that of `square`.
#[inline]
fn neighbour_files(square: Square) -> Bitboard {
    let file = square.file().bitboard();
    file.west() | file.east()
}

impl<T: Trace> Evaluation<'_, T> {
    /// Isolated, doubled, backward, supported pawns and phalanxes; and which pawns are passed.
    /// Nothing but pawns matters here, so that a [`super::PawnCache`] can keep the result.
    pub(super) fn pawns<S: Side>(&mut self) {
        let (us, them) = (S::COLOR, S::Them::COLOR);
        let ours = self.board.of(us, PieceType::Pawn);
        let theirs = self.board.of(them, PieceType::Pawn);
        let enemy_attacks = self.attacked_by[them as usize][PieceType::Pawn as usize];
        let own_attacks = self.attacked_by[us as usize][PieceType::Pawn as usize];
        for square in ours {
            let rank = relative_rank::<S>(square);
            let ahead = forward_file(us, square);
            let neighbours = ours & neighbour_files(square);
            let open = usize::from((ahead & theirs).is_empty());
            let alone = usize::from(neighbours.is_empty());
            if (ahead & ours).any() {
                self.add::<S>(tables::EVAL_DOUBLED + alone, 1);
            }
            if (attacks::pawn_attacks(us, square) & theirs).any() {
                self.add::<S>(tables::EVAL_LEVER + rank, 1);
            }
            if (ahead & (ours | theirs)).is_empty() {
                // Nobody stands in its way; can those who guard it be outnumbered?
                let sentries = passed_span(us, square) & theirs;
                if sentries.is_empty() {
                    self.passed |= square.bitboard();
                }
                let helpers = neighbours - passed_span(us, square);
                if sentries.any() && helpers.len() >= sentries.len() {
                    self.add::<S>(tables::EVAL_CANDIDATE + rank, 1);
                }
            }
            let beside = square.bitboard().west() | square.bitboard().east();
            if (ours & beside).any() {
                self.add::<S>(tables::EVAL_PHALANX + rank, 1);
            }
            if own_attacks.contains(square) {
                self.add::<S>(tables::EVAL_SUPPORTED + rank, 1);
            }
            if neighbours.is_empty() {
                self.add::<S>(tables::EVAL_ISOLATED + open, 1);
            } else {
                // No neighbour is level or behind, and the next square is the enemy's.
                let in_front = passed_span(us, square);
                let step = square.bitboard().forward(us);
                if (neighbours - in_front).is_empty() && (step & enemy_attacks).any() {
                    self.add::<S>(tables::EVAL_BACKWARD + open, 1);
                }
            }
        }
    }

    /// Passed pawns: how far they are, what stands before them, how near the kings are.
    pub(super) fn passed_pawns<S: Side>(&mut self) {
        let (us, them) = (S::COLOR, S::Them::COLOR);
        for square in self.passed & self.board.color(us) {
            let ahead = forward_file(us, square);
            let rank = relative_rank::<S>(square);
            self.add::<S>(tables::EVAL_PASSED + rank, 1);
            let Some(step) = square.forward(us) else {
                continue;
            };
            let enemy_attacks = self.attacked[them as usize];
            let contested = ahead & enemy_attacks;
            if !self.board.occupied().contains(step) {
                self.add::<S>(tables::EVAL_PASSED_STEP + rank, 1);
                if contested.is_empty() {
                    self.add::<S>(tables::EVAL_PASSED_FREE + rank, 1);
                }
            }
            if contested.any() && (contested - self.attacked[us as usize]).is_empty() {
                self.add::<S>(tables::EVAL_PASSED_DEFENDED + rank, 1);
            }
            let behind = forward_file(them, square);
            let rooks = behind & self.board.kind(PieceType::Rook);
            if rooks.any() {
                let seen = rooks & attacks::runtime::rook_attacks(square, self.board.occupied());
                if (seen & self.board.color(us)).any() {
                    self.add::<S>(tables::EVAL_PASSED_ROOK_BEHIND, 1);
                } else if seen.any() {
                    self.add::<S>(tables::EVAL_PASSED_ROOK_BEHIND + 1, 1);
                }
            }
            if self.attacked[us as usize].contains(step) && !enemy_attacks.contains(step) {
                self.add::<S>(tables::EVAL_PASSED_STEP_HELD + rank, 1);
            }
            if rank >= 3 {
                let own = self.board.king(us).distance(step) as usize;
                let enemy = self.board.king(them).distance(step) as usize;
                let row = 8 * (rank - 3).min(3);
                self.add::<S>(tables::EVAL_PASSED_OWN_KING + row + own, 1);
                self.add::<S>(tables::EVAL_PASSED_ENEMY_KING + row + enemy, 1);
            }
        }
    }
}
