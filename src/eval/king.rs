//! King safety: pawn shelter and storm, and the danger that the enemy king is in.

use super::{Evaluation, Trace};
use crate::attacks;
use crate::board::Side;
use crate::tables;
use crate::types::{Bitboard, Color, File, PieceType, Rank};

impl<T: Trace> Evaluation<'_, T> {
    /// On the king's file and those beside it: the nearest pawns of both sides before the king.
    pub(super) fn shelter<S: Side>(&mut self) {
        let (us, them) = (S::COLOR, S::Them::COLOR);
        let king = self.board.king(us);
        let center = king.file().index().clamp(1, 6);
        // The king's rank and all before it.
        let mut ahead = king.rank().bitboard();
        let mut step = ahead;
        while step.any() {
            step = step.forward(us);
            ahead |= step;
        }
        for file in center - 1..=center + 1 {
            let file = File::ALL[file];
            let row = if file == king.file() { 0 } else { Rank::COUNT };
            let squares = file.bitboard() & ahead;
            let own = self.nearest_rank::<S>(squares & self.board.of(us, PieceType::Pawn));
            let enemy = self.nearest_rank::<S>(squares & self.board.of(them, PieceType::Pawn));
            self.add::<S>(tables::EVAL_SHELTER + row + own, 1);
            self.add::<S>(tables::EVAL_STORM + row + enemy, 1);
            self.endanger::<S::Them>(tables::EVAL_DANGER_SHELTER + row + own, 1);
        }
    }

    /// The rank, as `S` counts, of the pawn nearest to `S`'s side; 0 for none.
    fn nearest_rank<S: Side>(&self, pawns: Bitboard) -> usize {
        if pawns.is_empty() {
            return 0;
        }
        // White counts from the highest square numbers, black from the lowest.
        let from_home = match S::COLOR {
            Color::White => pawns.flip(),
            Color::Black => pawns,
        };
        (from_home.0.trailing_zeros() / 8) as usize
    }

    /// The attack on the enemy king, as far as it is not of single pieces. It grows faster than
    /// what it is made of, so its weights are added up apart ([`Evaluation::endanger`]).
    pub(super) fn danger<S: Side>(&mut self) {
        let (us, them) = (S::COLOR as usize, S::Them::COLOR);
        let board = self.board;
        self.endanger::<S>(tables::EVAL_DANGER_BASE, 1);
        if board.of(S::COLOR, PieceType::Queen).is_empty() {
            self.endanger::<S>(tables::EVAL_DANGER_BASE + 1, 1);
        }
        let king = board.king(them);
        let theirs = them as usize;
        let defended_by_king = self.attacked_by[theirs][PieceType::King as usize];
        let defended = self.attacked_twice[theirs] | (self.attacked[theirs] - defended_by_king);
        let weak = self.king_ring[theirs] & (self.attacked[us] - defended);
        if weak.any() {
            self.endanger::<S>(tables::EVAL_DANGER_WEAK, weak.len() as i32);
        }

        // Checks from squares that the enemy does not hold, or only with the king.
        let safe = !board.color(S::COLOR)
            & (!self.attacked[theirs] | (self.attacked_twice[us] - defended));
        let diagonal = attacks::runtime::bishop_attacks(king, board.occupied());
        let straight = attacks::runtime::rook_attacks(king, board.occupied());
        let checks = [
            (PieceType::Knight, attacks::knight_attacks(king)),
            (PieceType::Bishop, diagonal),
            (PieceType::Rook, straight),
            (PieceType::Queen, diagonal | straight),
        ];
        let mut unsafe_checks = Bitboard::EMPTY;
        for (kind, squares) in checks {
            let squares = squares & self.attacked_by[us][kind as usize];
            let from = squares & safe;
            if from.any() {
                let count = 1 + i32::from(from.more_than_one());
                self.endanger::<S>(tables::EVAL_DANGER_SAFE_CHECK + kind as usize, count);
            }
            unsafe_checks |= squares - safe - board.color(S::COLOR);
        }
        if unsafe_checks.any() {
            self.endanger::<S>(tables::EVAL_DANGER_UNSAFE_CHECK, unsafe_checks.len() as i32);
        }

        let wing = king_flank(king.file());
        if (wing & board.kind(PieceType::Pawn)).is_empty() {
            self.endanger::<S>(tables::EVAL_DANGER_BARE_FLANK, 1);
        }
        let flank = wing & home_half(them);
        let attacked = flank & self.attacked[us];
        let counts = [
            attacked.len(),
            (attacked & self.attacked_twice[us]).len(),
            (flank & self.attacked[theirs]).len(),
        ];
        for (i, count) in counts.into_iter().enumerate() {
            self.endanger::<S>(tables::EVAL_DANGER_FLANK + i, count as i32);
        }
    }
}

/// The files of the wing that a king on this file is on.
fn king_flank(file: File) -> Bitboard {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    Bitboard(match file.index() {
        0 => FILE_A * 0b0000_0111,
        1 | 2 => FILE_A * 0b0000_1111,
        3 | 4 => FILE_A * 0b0011_1100,
        5 | 6 => FILE_A * 0b1111_0000,
        _ => FILE_A * 0b1110_0000,
    })
}

/// The five ranks that are nearest to a side.
fn home_half(color: Color) -> Bitboard {
    Bitboard(match color {
        Color::White => !0 << 24,
        Color::Black => !0 >> 24,
    })
}
