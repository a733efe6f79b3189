//! King safety: pawn shelter and storm, and the attack on the enemy king in units.

use super::{Evaluation, Trace};
use crate::attacks;
use crate::board::Side;
use crate::tables;
use crate::types::{Bitboard, File, PieceType, Rank};

/// The last row of the danger table.
const MAX_UNITS: i32 = 31;
/// Attack units for each square of the ring that is attacked and not defended but by the king.
const WEAK_SQUARE_UNITS: i32 = 2;
/// `[piece type]`: attack units of a square from which such a piece could check unharmed.
const SAFE_CHECK_UNITS: [i32; PieceType::COUNT] = [0, 4, 3, 5, 4, 0];

impl<T: Trace> Evaluation<'_, T> {
    /// The shelter of `S`'s own king, and `S`'s attack on the other one.
    pub(super) fn king<S: Side>(&mut self) {
        self.shelter::<S>();
        self.danger::<S>();
    }

    /// On the king's file and those beside it: the nearest pawns of both sides before the king.
    fn shelter<S: Side>(&mut self) {
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
        }
    }

    /// The rank, as `S` counts, of the pawn nearest to `S`'s side; 0 for none.
    fn nearest_rank<S: Side>(&self, pawns: Bitboard) -> usize {
        if pawns.is_empty() {
            return 0;
        }
        // White counts from the highest square numbers, black from the lowest.
        let from_home = match S::COLOR {
            crate::types::Color::White => pawns.flip(),
            crate::types::Color::Black => pawns,
        };
        (from_home.0.trailing_zeros() / 8) as usize
    }

    /// Two attackers or a queen make an attack; what it is worth grows faster than its units.
    fn danger<S: Side>(&mut self) {
        let (us, them) = (S::COLOR as usize, S::Them::COLOR);
        let board = self.board;
        let has_queen = board.of(S::COLOR, PieceType::Queen).any();
        if self.king_attackers[us] < 2 - i32::from(has_queen) {
            return;
        }
        let king = board.king(them);
        let theirs = them as usize;
        let defended_by_king = self.attacked_by[theirs][PieceType::King as usize];
        let defended = self.attacked_twice[theirs] | (self.attacked[theirs] - defended_by_king);
        let weak = self.king_ring[theirs] & (self.attacked[us] - defended);
        let mut units = self.king_units[us] + WEAK_SQUARE_UNITS * weak.len() as i32;

        // Checks from squares that the enemy does not hold, or only with the king.
        let safe = !board.color(S::COLOR)
            & (!self.attacked[theirs] | (self.attacked_twice[us] - defended));
        let diagonal = attacks::bishop_attacks(king, board.occupied());
        let straight = attacks::rook_attacks(king, board.occupied());
        let checks = [
            (PieceType::Knight, attacks::knight_attacks(king)),
            (PieceType::Bishop, diagonal),
            (PieceType::Rook, straight),
            (PieceType::Queen, diagonal | straight),
        ];
        for (kind, squares) in checks {
            if (squares & safe & self.attacked_by[us][kind as usize]).any() {
                units += SAFE_CHECK_UNITS[kind as usize];
            }
        }
        if !has_queen {
            units /= 2;
        }
        let row = (units * 3 / 4).clamp(0, MAX_UNITS) as usize;
        self.add::<S>(tables::EVAL_KING_DANGER + row, 1);
    }
}
