//! King and pawn against king: who wins, for every position.
//!
//! Black kings are looked at 64 at a time: for a pawn and a white king, one set holds all squares of the black king
//! from which white wins. Sets are grown from promotions backwards until nothing is added.

use crate::geometry::{leaper_attacks, KING_STEPS};
use crate::table::Table;

/// Squares of the pawn: files a to d, the second to the seventh rank; the others are their mirror image.
const PAWNS: usize = 24;

/// The squares of the black king from which white wins.
struct Wins {
    /// `[pawn][white king]`, white to move.
    white: Vec<u64>,
    /// `[pawn][white king]`, black to move.
    black: Vec<u64>,
}

/// The square of a pawn by its number: the seventh rank first.
fn pawn_square(pawn: usize) -> usize {
    8 + pawn / 4 * 8 + pawn % 4
}

/// What a white pawn attacks.
fn pawn_attacks(square: usize) -> u64 {
    let ahead = 1_u64 << (square - 8);
    (ahead & !0x0101_0101_0101_0101) >> 1 | (ahead & !0x8080_8080_8080_8080) << 1
}

/// The squares that a king on one of these could go to.
fn around(set: u64) -> u64 {
    let beside = (set & !0x0101_0101_0101_0101) >> 1 | (set & !0x8080_8080_8080_8080) << 1;
    let row = set | beside;
    beside | row << 8 | row >> 8
}

impl Wins {
    fn new() -> Wins {
        Wins {
            white: vec![0; PAWNS * 64],
            black: vec![0; PAWNS * 64],
        }
    }

    /// Black is to move: where has its king no way out? Not where it can take the pawn or reach a square from which
    /// white doesn't win, and not where it can't move at all and isn't attacked.
    fn black_loses(&self, pawn: usize, king: usize, near: u64) -> u64 {
        let square = pawn_square(pawn);
        let (pawn_bit, king_bit) = (1_u64 << square, 1_u64 << king);
        let attacked = near | pawn_attacks(square);
        let free = !(attacked | king_bit | pawn_bit);
        let take = pawn_bit & !near;
        let ways_out = free & !self.white[64 * pawn + king] | take;
        let can_move = around(free | take) | pawn_attacks(square);
        !(near | king_bit | pawn_bit | around(ways_out)) & can_move
    }

    /// White is to move: where does some move win?
    fn white_wins(&self, pawn: usize, king: usize, near: u64) -> u64 {
        let square = pawn_square(pawn);
        let (pawn_bit, king_bit) = (1_u64 << square, 1_u64 << king);
        let mut wins = 0;
        let mut targets = near & !pawn_bit;
        while targets != 0 {
            wins |= self.black[64 * pawn + targets.trailing_zeros() as usize];
            targets &= targets - 1;
        }
        let step = square - 8;
        if king != step {
            if step < 8 {
                // A queen, or a rook where that would be stalemate, wins unless it is taken.
                let step_bit = 1_u64 << step;
                let held = near & step_bit != 0;
                wins |= !(step_bit | if held { 0 } else { around(step_bit) });
            } else {
                wins |= self.black[64 * (pawn - 4) + king];
                let twice = square - 16;
                if square >= 48 && king != twice {
                    wins |= self.black[64 * (pawn - 8) + king] & !(1 << step);
                }
            }
        }
        wins & !(near | king_bit | pawn_bit | pawn_attacks(square))
    }

    fn solve() -> Wins {
        let near: Vec<u64> = (0..64)
            .map(|square| leaper_attacks(square, &KING_STEPS))
            .collect();
        let mut wins = Wins::new();
        // The seventh rank first: the others lead there, and never back.
        for pawn in 0..PAWNS {
            let mut changed = true;
            while changed {
                changed = false;
                for king in (0..64).filter(|&king| king != pawn_square(pawn)) {
                    let at = 64 * pawn + king;
                    let white = wins.white_wins(pawn, king, near[king]);
                    let black = if white == wins.white[at] {
                        wins.black[at]
                    } else {
                        wins.white[at] = white;
                        wins.black_loses(pawn, king, near[king])
                    };
                    changed |= black != wins.black[at];
                    wins.black[at] = black;
                }
            }
        }
        wins
    }
}

/// The table of won positions.
#[must_use]
pub fn tables() -> Vec<Table> {
    let wins = Wins::solve();
    vec![Table::of_u64(
        "KPK_WINS",
        "Where the black king loses to a white king and pawn, from a8 = 0: `[white, black to move][pawn][white king]`; \
         pawns of the files a to d, the seventh rank first.",
        &[2, PAWNS, 64],
        [wins.white, wins.black].concat(),
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_positions_are_judged_right() {
        let wins = Wins::solve();
        let judge = |white_to_move: bool, pawn: usize, white: usize, black: usize| {
            let number = (pawn / 8 - 1) * 4 + pawn % 8;
            let side = if white_to_move {
                &wins.white
            } else {
                &wins.black
            };
            side[64 * number + white] >> black & 1 != 0
        };
        // White king e6, pawn on the d file's mirror: the king before its pawn on the sixth rank wins always.
        let square = |name: &str| {
            let name = name.as_bytes();
            (name[0] - b'a') as usize + 8 * (b'8' - name[1]) as usize
        };
        for to_move in [true, false] {
            assert!(judge(to_move, square("d5"), square("d6"), square("d8")));
        }
        // The opposition decides one rank lower.
        assert!(!judge(true, square("d4"), square("d5"), square("d7")));
        assert!(judge(false, square("d4"), square("d5"), square("d7")));
        // A rook's pawn does not win against a king in the corner.
        assert!(!judge(true, square("a5"), square("b6"), square("a8")));
        assert!(!judge(false, square("a6"), square("b6"), square("a8")));
        // The square of the pawn.
        assert!(judge(true, square("a4"), square("h1"), square("g4")));
        assert!(!judge(false, square("a4"), square("h1"), square("e4")));
        // Stalemate is no win.
        assert!(!judge(false, square("d7"), square("d6"), square("d8")));
    }

    /// Another way to the same: positions one by one, moves as moves.
    #[test]
    fn every_position_agrees_with_a_plain_search_backwards() {
        let wins = Wins::solve();
        let far = |a: usize, b: usize| (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8));
        let hits = |pawn: usize, square: usize| {
            pawn / 8 == square / 8 + 1 && (pawn % 8).abs_diff(square % 8) == 1
        };
        let index = |white_to_move: bool, pawn: usize, white: usize, black: usize| {
            ((usize::from(white_to_move) * 64 + pawn) * 64 + white) * 64 + black
        };
        let legal = |white_to_move: bool, pawn: usize, white: usize, black: usize| {
            pawn != white
                && pawn != black
                && far(white, black) > 1
                && !(white_to_move && hits(pawn, black))
        };
        let mut won = vec![false; 2 * 64 * 64 * 64];
        let neighbours = |square: usize| {
            (0..64).filter(move |&other| other != square && far(square, other) == 1)
        };
        loop {
            let mut changed = false;
            for pawn in (8..56).filter(|pawn| pawn % 8 < 4) {
                for white in 0..64 {
                    for black in 0..64 {
                        if legal(true, pawn, white, black) && !won[index(true, pawn, white, black)]
                        {
                            let mut win = neighbours(white).any(|to| {
                                to != pawn
                                    && legal(false, pawn, to, black)
                                    && won[index(false, pawn, to, black)]
                            });
                            let step = pawn - 8;
                            if step != white && step != black {
                                win |= if step < 8 {
                                    far(step, black) > 1 || far(step, white) == 1
                                } else {
                                    won[index(false, step, white, black)]
                                };
                                if pawn >= 48 && step - 8 != white && step - 8 != black {
                                    win |= won[index(false, step - 8, white, black)];
                                }
                            }
                            won[index(true, pawn, white, black)] = win;
                            changed |= win;
                        }
                        if legal(false, pawn, white, black)
                            && !won[index(false, pawn, white, black)]
                        {
                            let mut moves = 0;
                            let mut escapes = 0;
                            for to in neighbours(black) {
                                if far(to, white) <= 1 || hits(pawn, to) {
                                    continue;
                                }
                                moves += 1;
                                if to == pawn || !won[index(true, pawn, white, to)] {
                                    escapes += 1;
                                }
                            }
                            let lost = escapes == 0 && (moves > 0 || hits(pawn, black));
                            won[index(false, pawn, white, black)] = lost;
                            changed |= lost;
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let mut count = [0; 2];
        for number in 0..PAWNS {
            let pawn = pawn_square(number);
            for white in 0..64 {
                for black in 0..64 {
                    for (side, table) in [&wins.black, &wins.white].into_iter().enumerate() {
                        let found = table[64 * number + white] >> black & 1 != 0;
                        let expected = won[index(side == 1, pawn, white, black)];
                        assert_eq!(found, expected, "{side} {pawn} {white} {black}");
                        count[side] += usize::from(found);
                    }
                }
            }
        }
        // The number that other programs' bitbases have too.
        assert_eq!(count[0] + count[1], 111_282);
    }
}
