//! Checks, pins, attacks on a square, and whether one given move is legal.

use super::castling::standard_squares;
use super::movegen::{Black, Side, White};
use super::Board;
use crate::attacks;
use crate::types::{Bitboard, CastlingSide, Color, Move, PieceType, Square, UciMove};

impl Board {
    /// The pieces of `color` that attack `square` when `occupied` is what blocks sliders.
    #[inline]
    #[must_use]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        self.all_attackers(square, occupied) & self.color(color)
    }

    /// The pieces of both sides that attack `square` when `occupied` is what blocks sliders.
    #[inline]
    #[must_use]
    pub fn all_attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let pawns = self.kind(PieceType::Pawn);
        (attacks::pawn_attacks(Color::Black, square) & pawns & self.color(Color::White))
            | (attacks::pawn_attacks(Color::White, square) & pawns & self.color(Color::Black))
            | (attacks::knight_attacks(square) & self.kind(PieceType::Knight))
            | (attacks::king_attacks(square) & self.kind(PieceType::King))
            | (attacks::runtime::bishop_attacks(square, occupied) & self.diagonal_sliders())
            | (attacks::runtime::rook_attacks(square, occupied) & self.straight_sliders())
    }

    /// All squares that the pieces of `color` attack, those of its own pieces included.
    #[must_use]
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        let occupied = self.occupied();
        let pawns = self.of(color, PieceType::Pawn).forward(color);
        let mut attacked = pawns.west() | pawns.east() | attacks::king_attacks(self.king(color));
        for square in self.of(color, PieceType::Knight) {
            attacked |= attacks::knight_attacks(square);
        }
        for square in self.diagonal_sliders() & self.color(color) {
            attacked |= attacks::runtime::bishop_attacks(square, occupied);
        }
        for square in self.straight_sliders() & self.color(color) {
            attacked |= attacks::runtime::rook_attacks(square, occupied);
        }
        attacked
    }

    /// Does `color` attack `square` when `occupied` is what blocks sliders? Cheapest test first.
    #[inline]
    #[must_use]
    pub fn is_attacked_by(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        let them = self.color(color);
        let leapers = (attacks::pawn_attacks(color.opposite(), square)
            & self.kind(PieceType::Pawn))
            | (attacks::knight_attacks(square) & self.kind(PieceType::Knight))
            | (attacks::king_attacks(square) & self.kind(PieceType::King));
        (leapers & them).any() || self.slider_attacks_square(them, square, occupied)
    }

    /// Does a slider in `them` attack `square`? The rays of the empty board are asked first:
    /// most squares are on no enemy slider's line at all.
    #[inline]
    fn slider_attacks_square(&self, them: Bitboard, square: Square, occupied: Bitboard) -> bool {
        let diagonal = self.diagonal_sliders() & them;
        let straight = self.straight_sliders() & them;
        ((attacks::bishop_rays(square) & diagonal).any()
            && (attacks::runtime::bishop_attacks(square, occupied) & diagonal).any())
            || ((attacks::rook_rays(square) & straight).any()
                && (attacks::runtime::rook_attacks(square, occupied) & straight).any())
    }

    /// Finds checkers and pinned pieces of the side to move, `S`.
    #[inline]
    pub(super) fn update_checks<S: Side>(&mut self) {
        let king = self.king(S::COLOR);
        let us = self.color(S::COLOR);
        let them = self.color(S::Them::COLOR);
        let occupied = us | them;
        let mut checkers = them
            & ((attacks::knight_attacks(king) & self.kind(PieceType::Knight))
                | (attacks::pawn_attacks(S::COLOR, king) & self.kind(PieceType::Pawn)));
        let mut pinned = Bitboard::EMPTY;
        let snipers = them
            & ((attacks::bishop_rays(king) & self.diagonal_sliders())
                | (attacks::rook_rays(king) & self.straight_sliders()));
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= sniper.bitboard();
            } else if !blockers.more_than_one() {
                pinned |= blockers & us;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned;
    }

    /// [`Board::update_checks`] for whichever side is to move.
    pub(super) fn update_checks_for_side(&mut self) {
        match self.side {
            Color::White => self.update_checks::<White>(),
            Color::Black => self.update_checks::<Black>(),
        }
    }

    /// May `color`'s pawn on `source`, beside the passing pawn, take it on `target`? Both pawns
    /// leave their rank at once, so no pin mask tells: the king's lines are looked at as they
    /// would be afterwards.
    #[inline]
    pub(super) fn en_passant_is_legal(&self, color: Color, source: Square, target: Square) -> bool {
        let taken = Square::wrap(target as u8 ^ 8);
        let them = self.color(color.opposite());
        let king = self.king(color);
        let occupied = self.occupied().without(source).without(taken).with(target);
        let leapers = self.kind(PieceType::Knight) | self.kind(PieceType::Pawn);
        (self.checkers & leapers).without(taken).is_empty()
            && !self.slider_attacks_square(them, king, occupied)
    }

    /// Is there a legal en-passant capture for the side to move on `target`?
    pub(super) fn any_en_passant_legal(&self, target: Square) -> bool {
        let us = self.side;
        let capturers = attacks::pawn_attacks(us.opposite(), target) & self.of(us, PieceType::Pawn);
        capturers
            .into_iter()
            .any(|source| self.en_passant_is_legal(us, source, target))
    }

    /// The legal move between these squares, if there is one. `promotion` must be given exactly
    /// when a pawn reaches its last rank, and be one of [`PieceType::PROMOTIONS`]. For castling
    /// see [`Board::find_move`].
    #[must_use]
    pub fn legal_move(
        &self,
        source: Square,
        target: Square,
        promotion: Option<PieceType>,
    ) -> Option<Move> {
        let us = self.side;
        let piece = self.piece_on(source).filter(|piece| piece.color() == us)?;
        if self.color(us).contains(target) {
            return self
                .castling_onto_rook(source, target)
                .filter(|_| promotion.is_none());
        }
        let kind = piece.piece_type();
        let occupied = self.occupied();
        let takes = self.color(us.opposite()).contains(target);
        if kind == PieceType::King {
            return self.legal_king_move(source, target, promotion);
        }
        let last_rank = target.rank().relative_to(us) as u8 == 7;
        if promotion.is_some() != (kind == PieceType::Pawn && last_rank) {
            return None;
        }
        if kind == PieceType::Pawn {
            let ahead = source.bitboard().forward(us) - occupied;
            if Some(target) == self.en_passant && attacks::pawn_attacks(us, source).contains(target)
            {
                return self
                    .en_passant_is_legal(us, source, target)
                    .then(|| Move::en_passant(source, target, us));
            }
            let reaches = if takes {
                attacks::pawn_attacks(us, source).contains(target)
            } else if source.rank().relative_to(us) as u8 == 1 {
                (ahead | (ahead.forward(us) - occupied)).contains(target)
            } else {
                ahead.contains(target)
            };
            if !reaches {
                return None;
            }
        } else {
            let attacked = match kind {
                PieceType::Knight => attacks::knight_attacks(source),
                PieceType::Bishop => attacks::runtime::bishop_attacks(source, occupied),
                PieceType::Rook => attacks::runtime::rook_attacks(source, occupied),
                _ => attacks::runtime::queen_attacks(source, occupied),
            };
            if !attacked.contains(target) {
                return None;
            }
        }
        // Neither leaves the king open nor fails to answer a check.
        let king = self.king(us);
        if self.pinned.contains(source) && !attacks::line(king, source).contains(target) {
            return None;
        }
        if let Some(checker) = self.checkers.first() {
            let answers = attacks::between(king, checker).with(checker);
            if self.checkers.more_than_one() || !answers.contains(target) {
                return None;
            }
        }
        Some(match promotion {
            Some(PieceType::Pawn | PieceType::King) => return None,
            Some(kind) => Move::promotion(source, target, us, kind, takes),
            None if takes => Move::capture(source, target, piece),
            None if kind == PieceType::Pawn && (source as u8).abs_diff(target as u8) == 16 => {
                Move::double_push(source, target, us)
            }
            None => Move::quiet(source, target, piece),
        })
    }

    fn legal_king_move(
        &self,
        source: Square,
        target: Square,
        promotion: Option<PieceType>,
    ) -> Option<Move> {
        let us = self.side;
        let king = PieceType::King.of(us);
        if promotion.is_some() {
            return None;
        }
        if attacks::king_attacks(source).contains(target) {
            let occupied = self.occupied().without(source);
            return (!self.is_attacked_by(us.opposite(), target, occupied)).then(|| {
                if self.color(us.opposite()).contains(target) {
                    Move::capture(source, target, king)
                } else {
                    Move::quiet(source, target, king)
                }
            });
        }
        if self.castling.is_chess960() {
            return None;
        }
        let side = CastlingSide::ALL
            .into_iter()
            .find(|&side| standard_squares(us, side).0 == (source, target))?;
        (!self.in_check() && self.may_castle(us, side)).then(|| Move::castling(source, target, us))
    }

    /// Is this exact move (all its 24 bits) legal here?
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let promotion = mv.promoted().map(|piece| piece.piece_type());
        self.legal_move(mv.source(), mv.target(), promotion) == Some(mv)
    }

    /// The legal move that the protocol's text means here, if it is one. Castling is the king's
    /// move (`e1g1`), and on a board of Chess960 the king takes its rook (`e1h1`).
    #[must_use]
    pub fn find_move(&self, mv: UciMove) -> Option<Move> {
        self.legal_move(mv.source, mv.target, mv.promotion)
    }

    /// The squares from which a piece of each type of the side to move would attack the enemy
    /// king, `[piece type]`; lines that the move itself opens are not seen.
    pub(crate) fn check_squares(&self) -> [Bitboard; PieceType::COUNT] {
        let them = self.side_to_move().opposite();
        let king = self.king(them);
        let diagonal = attacks::runtime::bishop_attacks(king, self.occupied());
        let straight = attacks::runtime::rook_attacks(king, self.occupied());
        [
            attacks::pawn_attacks(them, king),
            attacks::knight_attacks(king),
            diagonal,
            straight,
            diagonal | straight,
            Bitboard::EMPTY,
        ]
    }

    /// Would this legal move give check?
    #[must_use]
    pub fn gives_check(&self, mv: Move) -> bool {
        let mut after = self.clone();
        after.make_move(mv);
        after.in_check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_to_a_check_square_checks() {
        // With the number of quiet moves that check directly.
        let cases = [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                0,
            ),
            ("4k3/8/8/4N3/1Q6/3R1B2/3P4/4K3 w - - 0 1", 8),
            ("6k1/8/5P2/8/1n6/8/7r/K6b b - - 0 1", 2),
        ];
        for (fen, expected) in cases {
            let board: Board = fen.parse().unwrap();
            let squares = board.check_squares();
            let mut direct = 0;
            for &mv in board.legal_moves().iter().filter(|mv| mv.is_quiet()) {
                let piece = mv.piece().piece_type();
                if squares[piece as usize].contains(mv.target()) {
                    assert!(board.gives_check(mv), "{fen} {mv}");
                    direct += 1;
                } else if piece != PieceType::King {
                    // In these positions no move opens a line to the king.
                    assert!(!board.gives_check(mv), "{fen} {mv}");
                }
            }
            assert_eq!(direct, expected, "{fen}");
        }
    }
}
