//! Playing weaker on purpose: fewer nodes, and a move chosen with an error among the best lines.
//!
//! How far down a level reaches was measured in matches (`tests/STRENGTH.md`). Everything is
//! an integer and a function of the seed and the position, so a game can be repeated.

use crate::random::SplitMix;
use crate::zobrist::Key;

/// A strength below the full one, for [`super::Limits::strength`].
///
/// ```
/// use kirin::search::Strength;
/// assert_eq!(Strength::of_level(20, 1), None);
/// assert_eq!(Strength::of_level(0, 1), Some(Strength::of_elo(Strength::MIN_ELO, 1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// Where it stands between the rungs of the ladder, in thousandths of a rung.
    place: u32,
    seed: u64,
}

/// A level of the ladder.
struct Rung {
    /// What it is worth, as measured.
    elo: u32,
    /// How many nodes it may visit once it has looked one ply ahead.
    nodes: u64,
    /// How far it may be wrong about a line, in centipawns.
    error_cp: u32,
}

const fn rung(elo: u32, nodes: u64, error_cp: u32) -> Rung {
    Rung {
        elo,
        nodes,
        error_cp,
    }
}

/// Thousandths make a whole rung.
const STEPS: u32 = 1_000;

/// The ladder, the weakest first.
static LADDER: [Rung; Strength::FULL_LEVEL as usize] = [
    rung(650, 100, 1_600),
    rung(750, 130, 1_250),
    rung(850, 170, 1_000),
    rung(950, 230, 800),
    rung(1_080, 300, 620),
    rung(1_210, 420, 480),
    rung(1_330, 600, 370),
    rung(1_420, 850, 290),
    rung(1_490, 1_200, 225),
    rung(1_540, 1_700, 175),
    rung(1_585, 2_500, 135),
    rung(1_630, 3_700, 105),
    rung(1_680, 5_500, 80),
    rung(1_735, 8_200, 60),
    rung(1_800, 12_000, 45),
    rung(1_950, 18_000, 32),
    rung(2_110, 28_000, 22),
    rung(2_230, 45_000, 14),
    rung(2_350, 75_000, 7),
    rung(2_450, 130_000, 0),
];

impl Strength {
    /// The level that is no weaker than the engine can be.
    pub const FULL_LEVEL: u32 = 20;
    /// The rating of the weakest level.
    pub const MIN_ELO: u32 = LADDER[0].elo;
    /// The rating of the strongest level below the full one.
    pub const MAX_ELO: u32 = LADDER[LADDER.len() - 1].elo;
    /// So many lines are looked for where an error is to be made, and where a great one is.
    const LINES: [usize; 2] = [5, 10];
    /// What a great error is, in centipawns.
    const GREAT_ERROR_CP: u32 = 400;

    /// A level from 0, the weakest; `None` from [`Strength::FULL_LEVEL`] on. The same seed makes
    /// the same errors.
    #[must_use]
    pub const fn of_level(level: u32, seed: u64) -> Option<Strength> {
        if level >= Strength::FULL_LEVEL {
            return None;
        }
        let place = level * STEPS;
        Some(Strength { place, seed })
    }

    /// A rating, the nearest that there is. The same seed makes the same errors.
    #[must_use]
    pub const fn of_elo(elo: u32, seed: u64) -> Strength {
        let mut at = 0;
        while at + 1 < LADDER.len() && LADDER[at + 1].elo <= elo {
            at += 1;
        }
        let mut place = at as u32 * STEPS;
        if at + 1 < LADDER.len() && elo > LADDER[at].elo {
            let (below, above) = (LADDER[at].elo, LADDER[at + 1].elo);
            place += (elo - below) * STEPS / (above - below);
        }
        Strength { place, seed }
    }

    /// The value between the two rungs that the place lies between.
    fn between(self, value: impl Fn(&Rung) -> u64) -> u64 {
        let (at, steps) = ((self.place / STEPS) as usize, u64::from(self.place % STEPS));
        let below = value(&LADDER[at]);
        let above = LADDER.get(at + 1).map_or(below, value);
        (below * (u64::from(STEPS) - steps) + above * steps) / u64::from(STEPS)
    }

    /// The nodes that it may visit, those of the first iteration apart, which is always
    /// completed.
    #[must_use]
    pub fn nodes(self) -> u64 {
        self.between(|rung| rung.nodes)
    }

    /// How far it may be wrong about a line, in centipawns.
    #[must_use]
    pub fn error_cp(self) -> u32 {
        self.between(|rung| u64::from(rung.error_cp)) as u32
    }

    /// How many lines to look for.
    pub(super) fn lines(self) -> usize {
        match self.error_cp() {
            0 => 1,
            error => Strength::LINES[usize::from(error > Strength::GREAT_ERROR_CP)],
        }
    }

    /// Chooses among scores: the best after each has been given an error that is drawn for it.
    /// The first of equals; 0 for none.
    pub(super) fn choose(self, position: Key, scores: impl Iterator<Item = i32>) -> usize {
        let mut random = SplitMix::new(self.seed ^ position.0);
        let error = u64::from(self.error_cp()) + 1;
        let mut best = (0, i32::MIN);
        for (at, score) in scores.enumerate() {
            // The mean of two: small errors are more frequent than the greatest.
            let drawn = (random.next_u64() % error + random.next_u64() % error) / 2;
            let score = score + drawn as i32;
            if score > best.1 {
                best = (at, score);
            }
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ladder_rises() {
        for (below, above) in LADDER.iter().zip(&LADDER[1..]) {
            assert!(below.elo < above.elo && below.nodes < above.nodes);
            assert!(below.error_cp >= above.error_cp);
        }
    }

    #[test]
    fn more_elo_is_never_fewer_nodes_or_a_greater_error() {
        let mut last = Strength::of_elo(0, 7);
        assert_eq!(last, Strength::of_elo(Strength::MIN_ELO, 7));
        for elo in 1..=Strength::MAX_ELO + 100 {
            let next = Strength::of_elo(elo, 7);
            assert!(next.place >= last.place, "{elo}");
            assert!(
                next.nodes() >= last.nodes() && next.error_cp() <= last.error_cp(),
                "{elo}"
            );
            last = next;
        }
        let top = Strength::of_level(Strength::FULL_LEVEL - 1, 7);
        assert_eq!(Some(last), top);
        assert_eq!(Strength::of_elo(u32::MAX, 7), last);
        for level in 0..Strength::FULL_LEVEL {
            let elo = LADDER[level as usize].elo;
            assert_eq!(Strength::of_level(level, 3), Some(Strength::of_elo(elo, 3)));
        }
    }

    #[test]
    fn errors_are_within_their_bounds_and_repeat() {
        let key = Key(0x1234_5678);
        let scores = [50, 40, 0, -1_600, -1_900];
        let weak = |seed| Strength::of_elo(0, seed);
        let choose = |strength: Strength| strength.choose(key, scores.iter().copied());
        let mut chosen = [0; 5];
        for seed in 0..4_000 {
            let at = choose(weak(seed));
            assert_eq!(at, choose(weak(seed)));
            chosen[at] += 1;
        }
        assert!(chosen[0] > chosen[2] && chosen[1] > chosen[2] && chosen[2] > 200);
        // Worse by more than an error can be.
        assert_eq!(chosen[3..], [0, 0]);
        assert_eq!(choose(Strength::of_elo(u32::MAX, 1)), 0);
        assert_eq!(weak(1).choose(key, core::iter::empty()), 0);
    }
}
