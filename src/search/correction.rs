//! Correction histories: how far the static evaluation has been off in positions that share a
//! part with this one, learned from the search's own results.
//!
//! (Caissa, "correction history", 2023; further keys by Starzix and others.)

use super::params::CORRECTION_PART_CP;
use crate::board::Board;
use crate::profile::CORRECTION_ENTRIES;
use crate::types::Color;
use crate::zobrist::Key;

const SIZE: usize = CORRECTION_ENTRIES;
const _: () = assert!(SIZE.is_power_of_two());
/// Parts of a position that are looked up: pawns, each side's other pieces, minors, majors.
pub(super) const PARTS: usize = 5;
/// The bound of each value.
const MAX: i32 = 1_024;
/// A result moves a value by the error, times the depth, over this.
const ERROR_DIVISOR: i32 = 4;
const MAX_BONUS: i32 = MAX / 4;

/// The correction histories of one thread. All zero bytes are the initial value.
pub(super) struct Corrections {
    /// `[part][color][key]`
    values: [[[i16; SIZE]; Color::COUNT]; PARTS],
}

fn slot(key: Key) -> usize {
    key.0 as usize & (SIZE - 1)
}

fn keys(board: &Board) -> [Key; PARTS] {
    let keys = board.keys();
    [
        keys.pawns,
        keys.non_pawns[0],
        keys.non_pawns[1],
        keys.minors,
        keys.majors,
    ]
}

impl Corrections {
    pub(super) const fn new() -> Corrections {
        Corrections {
            values: [[[0; SIZE]; Color::COUNT]; PARTS],
        }
    }

    pub(super) fn clear(&mut self) {
        self.values.as_flattened_mut().as_flattened_mut().fill(0);
    }

    /// What to add to the static evaluation of the side to move, in centipawns.
    #[inline]
    pub(super) fn correction(&self, board: &Board) -> i32 {
        let side = board.side_to_move() as usize;
        let sum: i32 = keys(board)
            .into_iter()
            .zip(&self.values)
            .zip(CORRECTION_PART_CP)
            .map(|((key, values), cp)| i32::from(values[side][slot(key)]) * cp)
            .sum();
        sum / MAX
    }

    /// Learns from a search of this depth that found the corrected evaluation off by `error`
    /// centipawns. What the parts already say together is in it, so that they share the rest.
    pub(super) fn update(&mut self, board: &Board, depth: i32, error: i32) {
        let side = board.side_to_move() as usize;
        let bonus = (error * depth / ERROR_DIVISOR).clamp(-MAX_BONUS, MAX_BONUS);
        for (key, values) in keys(board).into_iter().zip(&mut self.values) {
            let value = &mut values[side][slot(key)];
            let old = i32::from(*value);
            *value = (old + bonus - old * bonus.abs() / MAX) as i16;
        }
    }
}
