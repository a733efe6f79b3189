//! Static exchange evaluation: who wins the captures on one square, the cheapest piece first.
//!
//! Pins are respected as long as the pinning slider stays where it is. (The swap algorithm:
//! <https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>.)

use super::Board;
use crate::attacks;
use crate::types::{Bitboard, Color, Move, PieceType, Rank, Square};

/// `[piece type]`: what the exchange counts, in centipawns. The king has no value, since it is
/// never taken.
pub const SEE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

/// The first move of an exchange, as the swap loop needs it.
struct Exchange {
    target: Square,
    /// What the first move wins.
    gain: i32,
    /// What stands on the target afterwards, and is at risk.
    at_risk: i32,
    /// The squares of the pieces that have neither moved nor been taken: all but the source and
    /// the target. What stands on the target blocks no line to it.
    occupied: Bitboard,
}

impl Board {
    fn exchange(&self, mv: Move) -> Exchange {
        let (source, target) = (mv.source(), mv.target());
        let mut occupied = self.occupied().without(source).without(target);
        let mut gain = match self.piece_on(target) {
            Some(piece) if mv.is_capture() => SEE_VALUES[piece.piece_type() as usize],
            _ => 0,
        };
        if mv.is_en_passant() {
            gain = SEE_VALUES[PieceType::Pawn as usize];
            occupied = occupied.without(Square::wrap(target as u8 ^ 8));
        }
        let pawn = SEE_VALUES[PieceType::Pawn as usize];
        let at_risk = match mv.promoted() {
            Some(piece) => {
                let value = SEE_VALUES[piece.piece_type() as usize];
                gain += value - pawn;
                value
            }
            None => SEE_VALUES[mv.piece().piece_type() as usize],
        };
        Exchange {
            target,
            gain,
            at_risk,
            occupied,
        }
    }

    /// The cheapest of `side`'s `attackers`, which are all its pieces that attack the target; of
    /// two alike the one nearer its home rank, so that it leaves fewer lines open behind it.
    #[inline]
    fn least_valuable(&self, side: Color, attackers: Bitboard) -> Option<(PieceType, Square)> {
        PieceType::ALL.into_iter().find_map(|kind| {
            let set = attackers & self.kind(kind);
            let nearest = match side {
                Color::White => set.flip().first().map(Square::flip),
                Color::Black => set.first(),
            };
            nearest.map(|square| (kind, square))
        })
    }

    /// Sliders that look at the target through squares that have been left.
    #[inline]
    fn uncovered(&self, target: Square, kind: PieceType, occupied: Bitboard) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
            found |= attacks::runtime::bishop_attacks(target, occupied) & self.diagonal_sliders();
        }
        if matches!(kind, PieceType::Rook | PieceType::Queen) {
            found |= attacks::runtime::rook_attacks(target, occupied) & self.straight_sliders();
        }
        found
    }

    /// Both sides' pieces that stand alone between their king and an enemy slider, each with
    /// the sliders that pin pieces of that side: `[color]`.
    fn pins(&self) -> [(Bitboard, Bitboard); Color::COUNT] {
        Color::ALL.map(|color| {
            let king = self.king(color);
            let snipers = self.color(color.opposite())
                & ((attacks::bishop_rays(king) & self.diagonal_sliders())
                    | (attacks::rook_rays(king) & self.straight_sliders()));
            let (mut pinned, mut pinners) = (Bitboard::EMPTY, Bitboard::EMPTY);
            for sniper in snipers {
                let blockers = attacks::between(king, sniper) & self.occupied();
                let ours = blockers & self.color(color);
                if ours.any() && !blockers.more_than_one() {
                    pinned |= ours;
                    pinners |= sniper.bitboard();
                }
            }
            (pinned, pinners)
        })
    }

    /// The material that this legal move wins, in centipawns of [`SEE_VALUES`], when both sides
    /// go on taking on its target as long as that pays.
    #[must_use]
    pub fn see(&self, mv: Move) -> i32 {
        if mv.is_castling() {
            return 0;
        }
        let Exchange {
            target,
            gain,
            mut at_risk,
            mut occupied,
        } = self.exchange(mv);
        let pins = self.pins();
        // A capture for each piece, and each of up to 32 can take once.
        let mut gains = [0; 33];
        gains[0] = gain;
        let mut len = 1;
        let mut side = self.side.opposite();
        let mut attackers = self.all_attackers(target, occupied) & occupied;
        while let Some((kind, square)) = self.next_attacker(side, attackers, occupied, &pins) {
            occupied = occupied.without(square);
            attackers = (attackers | self.uncovered(target, kind, occupied)) & occupied;
            let them = side.opposite();
            // A king can't take what is still defended.
            if kind == PieceType::King && (attackers & self.color(them)).any() {
                break;
            }
            gains[len] = at_risk - gains[len - 1];
            // A pawn that takes on its last rank becomes a queen.
            let promotes = kind == PieceType::Pawn && matches!(target.rank().index(), 0 | 7);
            at_risk = if promotes {
                let queen = SEE_VALUES[PieceType::Queen as usize];
                gains[len] += queen - SEE_VALUES[PieceType::Pawn as usize];
                queen
            } else {
                SEE_VALUES[kind as usize]
            };
            len += 1;
            side = them;
        }
        while len > 1 {
            len -= 1;
            gains[len - 1] = -gains[len].max(-gains[len - 1]);
        }
        gains[0]
    }

    /// Does a pawn attack `target`, and stand one step before its last rank?
    #[inline]
    fn pawn_may_promote_on(&self, target: Square) -> bool {
        let color = match target.rank() {
            Rank::Eighth => Color::White,
            Rank::First => Color::Black,
            _ => return false,
        };
        let sources = attacks::pawn_attacks(color.opposite(), target);
        (sources & self.of(color, PieceType::Pawn)).any()
    }

    #[inline]
    fn next_attacker(
        &self,
        side: Color,
        attackers: Bitboard,
        occupied: Bitboard,
        pins: &[(Bitboard, Bitboard); Color::COUNT],
    ) -> Option<(PieceType, Square)> {
        let mut ours = attackers & self.color(side);
        let (pinned, pinners) = pins[side as usize];
        if (pinners & occupied).any() {
            ours -= pinned;
        }
        self.least_valuable(side, ours)
    }

    /// Does this legal move win at least `threshold` centipawns of [`SEE_VALUES`]? The same as
    /// `see(mv) >= threshold`, and faster.
    #[must_use]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castling() {
            return threshold <= 0;
        }
        let Exchange {
            target,
            gain,
            at_risk,
            mut occupied,
        } = self.exchange(mv);
        // Below, a capture risks the piece that makes it and nothing more. A pawn that becomes
        // a queen by taking does more harm than that.
        if self.pawn_may_promote_on(target) {
            return self.see(mv) >= threshold;
        }
        // `balance`: what the side that has just moved is above its need.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= at_risk;
        if balance >= 0 {
            return true;
        }
        let pins = self.pins();
        let us = self.side;
        let mut side = us;
        let mut attackers = self.all_attackers(target, occupied) & occupied;
        loop {
            side = side.opposite();
            let Some((kind, square)) = self.next_attacker(side, attackers, occupied, &pins) else {
                break;
            };
            occupied = occupied.without(square);
            attackers = (attackers | self.uncovered(target, kind, occupied)) & occupied;
            balance = -balance - 1 - SEE_VALUES[kind as usize];
            if balance >= 0 {
                // The other side loses, unless a king took what is still defended: then it was
                // the king's side that had no move.
                let them = side.opposite();
                if kind != PieceType::King || (attackers & self.color(them)).is_empty() {
                    side = them;
                }
                break;
            }
        }
        // The side that could not go on has lost the exchange.
        side != us
    }
}
