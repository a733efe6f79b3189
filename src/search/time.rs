//! How long to think.
//!
//! A soft limit is asked between iterations and stretches or shrinks with how sure the search
//! is of its move; a hard limit is never passed.

use super::limits::Limits;

/// The moves that a game is taken to have left when the clock doesn't say.
const EXPECTED_MOVES: i64 = 20;
/// No more than this many of a given number of moves to go are planned for.
const MAX_PLANNED_MOVES: i64 = 50;
/// Longer times are taken for this one, thirty years: products of times don't overflow.
const MAX_TIME_MS: i64 = 1_000_000_000_000;
/// Parts of a hundred.
const INCREMENT_PERCENT: i64 = 80;
const SOFT_PERCENT: i64 = 70;
const HARD_PERCENT_OF_BASE: i64 = 300;
const HARD_PERCENT_OF_TIME: i64 = 60;

/// The time limits of one search, in milliseconds from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeLimits {
    /// What the search aims at, if its move seems neither clear nor doubtful.
    pub(super) soft: Option<u64>,
    /// What it never passes.
    pub(super) hard: Option<u64>,
}

impl TimeLimits {
    pub(super) fn of(limits: &Limits) -> TimeLimits {
        // The time for one move is meant for this move alone: no overhead is taken off.
        let fixed = limits.movetime_ms.map(|time| time.max(1));
        let Some(clock) = limits.clock else {
            return TimeLimits {
                soft: None,
                hard: fixed,
            };
        };
        let overhead = limits.move_overhead_ms.min(MAX_TIME_MS as u64) as i64;
        // A clock of zero or less is answered at once.
        let time = clock
            .time_ms
            .min(MAX_TIME_MS)
            .saturating_sub(overhead)
            .max(1);
        let increment = clock.increment_ms.clamp(0, time);
        let moves = match limits.moves_to_go {
            Some(moves) if moves > 0 => i64::from(moves).min(MAX_PLANNED_MOVES),
            _ => EXPECTED_MOVES,
        };
        let base = time / moves + increment * INCREMENT_PERCENT / 100;
        let hard_share = if moves == 1 { 90 } else { HARD_PERCENT_OF_TIME };
        let hard = (base * HARD_PERCENT_OF_BASE / 100)
            .min(time * hard_share / 100)
            .max(1);
        let soft = (base * SOFT_PERCENT / 100).min(hard).max(1);
        TimeLimits {
            soft: Some(soft as u64),
            hard: Some(fixed.unwrap_or(u64::MAX).min(hard as u64)),
        }
    }
}

/// How sure the search is of its move, when an iteration is complete.
#[derive(Clone, Copy)]
pub(super) struct Confidence {
    /// Iterations in a row that kept the same best move.
    pub(super) stable_iterations: u32,
    /// The share of all nodes spent on the best move, in permille.
    pub(super) best_move_permille: u64,
    /// By how much the score fell since the last iteration, in centipawns.
    pub(super) score_drop_cp: i32,
}

impl Confidence {
    /// The soft limit, stretched or shrunk, in milliseconds.
    pub(super) fn adjust(self, soft: u64) -> u64 {
        // A move that takes nearly all nodes is clear: 0.5 at the least, 1.7 at the most.
        let nodes = 1_700 - self.best_move_permille.min(1_000) * 6 / 5;
        let stability = 1_250 - u64::from(self.stable_iterations.min(10)) * 50;
        let drop = 1_000 + 8 * self.score_drop_cp.clamp(-10, 60) as i64;
        soft * nodes / 1_000 * stability / 1_000 * drop as u64 / 1_000
    }
}

#[cfg(test)]
mod tests {
    use super::super::limits::Clock;
    use super::*;

    fn limits(time_ms: i64, increment_ms: i64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: Some(Clock {
                time_ms,
                increment_ms,
            }),
            moves_to_go,
            move_overhead_ms: 10,
            ..Limits::default()
        }
    }

    #[test]
    fn hard_limit_stays_below_the_clock() {
        for time in [
            -1_000,
            0,
            1,
            5,
            9,
            11,
            20,
            60,
            100,
            1_000,
            60_000,
            i64::MAX / 1_000,
        ] {
            for increment in [i64::MIN, -5, 0, 10, 100, 6_000, i64::MAX] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let times = TimeLimits::of(&limits(time, increment, moves));
                    let (soft, hard) = (times.soft.unwrap(), times.hard.unwrap());
                    assert!(soft >= 1 && soft <= hard);
                    assert!(
                        hard as i64 <= (time - 10).max(1),
                        "{time} {increment} {moves:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn extreme_limits_are_no_overflow() {
        let limits = Limits {
            movetime_ms: Some(u64::MAX),
            clock: Some(Clock {
                time_ms: i64::MAX,
                increment_ms: i64::MAX,
            }),
            move_overhead_ms: u64::MAX,
            ..Limits::default()
        };
        assert_eq!(TimeLimits::of(&limits).hard, Some(1));
        let limits = Limits {
            movetime_ms: Some(u64::MAX),
            ..Limits::default()
        };
        assert_eq!(
            TimeLimits::of(&limits),
            TimeLimits {
                soft: None,
                hard: Some(u64::MAX)
            }
        );
    }

    #[test]
    fn the_time_for_one_move_is_taken_at_its_word() {
        let limits = Limits {
            movetime_ms: Some(50),
            move_overhead_ms: 40,
            ..Limits::default()
        };
        assert_eq!(TimeLimits::of(&limits).hard, Some(50));
    }

    #[test]
    fn confidence_moves_the_soft_limit_both_ways() {
        let sure = Confidence {
            stable_iterations: 10,
            best_move_permille: 950,
            score_drop_cp: 0,
        };
        let unsure = Confidence {
            stable_iterations: 0,
            best_move_permille: 200,
            score_drop_cp: 40,
        };
        assert!(sure.adjust(1_000) < 600);
        assert!(unsure.adjust(1_000) > 1_500);
    }
}
