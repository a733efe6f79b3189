//! Squares, steps and rays, and the slow walk that every table is held against.
//!
//! Squares run from a8 = 0 to h1 = 63, row by row as a board is read: file = square % 8, and row = square / 8 counts
//! down from rank 8. Nothing here is clever. A slider is walked square by square until it leaves the board or meets a
//! piece, and it is *this* walk that the proof believes; the tables are filled by other means (see `layout`).

/// A step on the board: files to the right, rows down.
pub type Step = (i32, i32);

/// The sliding pieces that have tables; a queen is both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Slides along diagonals.
    Bishop,
    /// Slides along ranks and files.
    Rook,
}

impl Piece {
    /// Both, in the order in which they are searched and packed.
    pub const ALL: [Piece; 2] = [Piece::Bishop, Piece::Rook];

    /// Its name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Piece::Bishop => "bishop",
            Piece::Rook => "rook",
        }
    }

    /// Its four directions, each beside its opposite.
    #[must_use]
    pub const fn steps(self) -> [Step; 4] {
        match self {
            Piece::Bishop => [(1, 1), (-1, -1), (1, -1), (-1, 1)],
            Piece::Rook => [(1, 0), (-1, 0), (0, 1), (0, -1)],
        }
    }
}

/// The steps of a knight.
pub const KNIGHT_STEPS: [Step; 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The steps of a king.
pub const KING_STEPS: [Step; 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// The capturing steps of a pawn, by side: white goes up the board, towards lower squares.
pub const PAWN_STEPS: [[Step; 2]; 2] = [[(-1, -1), (1, -1)], [(-1, 1), (1, 1)]];

/// The name of a square, for messages.
#[must_use]
pub fn square_name(square: usize) -> String {
    let file = (b'a' + (square & 7) as u8) as char;
    format!("{file}{}", 8 - (square >> 3))
}

/// The square one step away, if it is on the board.
#[must_use]
pub fn step(square: usize, (files, rows): Step) -> Option<usize> {
    let file = (square & 7) as i32 + files;
    let row = (square >> 3) as i32 + rows;
    if (file | row) & !7 != 0 {
        None
    } else {
        Some((row * 8 + file) as usize)
    }
}

/// The squares one of the given steps away.
#[must_use]
pub fn leaper_attacks(square: usize, steps: &[Step]) -> u64 {
    let mut attacks = 0;
    for &by in steps {
        if let Some(target) = step(square, by) {
            attacks |= 1 << target;
        }
    }
    attacks
}

/// The slow walk: what a slider attacks, found square by square. The first occupied square of a ray is attacked too.
///
/// This runs for every key of every table in each build, unoptimised, so it counts squares to the edge once a ray
/// rather than asking at each square whether it has fallen off.
#[must_use]
pub fn slow_attacks(piece: Piece, square: usize, occupied: u64) -> u64 {
    let steps = piece.steps();
    let mut attacks = 0_u64;
    let mut direction = 0;
    while direction < 4 {
        attacks |= walk(square, steps[direction], occupied);
        direction += 1;
    }
    attacks
}

/// One ray of the slow walk: the squares from `square` on, up to the edge or the first occupied one.
#[must_use]
pub fn walk(square: usize, (files, rows): Step, occupied: u64) -> u64 {
    let mut left = squares_to_edge(square, (files, rows));
    let stride = (rows * 8 + files) as u32;
    let mut bit = 1_u64 << square;
    let mut attacks = 0;
    while left != 0 {
        // A rotation by the stride is a step in either direction; it cannot wrap, for the edge comes first.
        bit = bit.rotate_left(stride & 63);
        attacks |= bit;
        if occupied & bit != 0 {
            break;
        }
        left -= 1;
    }
    attacks
}

/// How many steps in this direction stay on the board.
#[must_use]
pub fn squares_to_edge(square: usize, (files, rows): Step) -> u32 {
    let room = |position: usize, by: i32| match by {
        0 => 7,
        1 => 7 - position as u32,
        _ => position as u32,
    };
    let (a, b) = (room(square & 7, files), room(square >> 3, rows));
    if a < b {
        a
    } else {
        b
    }
}

/// The squares whose occupancy matters to a slider: its rays without the last square of each.
#[must_use]
pub fn relevant_mask(piece: Piece, square: usize) -> u64 {
    let mut mask = 0;
    for by in piece.steps() {
        let mut at = square;
        while let Some(next) = step(at, by) {
            if step(next, by).is_some() {
                mask |= 1 << next;
            }
            at = next;
        }
    }
    mask
}

/// The subset of `mask` that follows `subset` in counting order; 0 follows the last one.
#[inline]
#[must_use]
pub const fn next_subset(subset: u64, mask: u64) -> u64 {
    subset.wrapping_sub(mask) & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> usize {
        (0..64).find(|&s| square_name(s) == name).expect("a square")
    }

    #[test]
    fn squares_are_the_specifications() {
        assert_eq!(
            (
                square("a8"),
                square("h8"),
                square("e4"),
                square("a1"),
                square("h1")
            ),
            (0, 7, 36, 56, 63)
        );
    }

    /// Case F06 states its facts for a1 = 0, rank by rank.
    #[test]
    fn masks_have_the_known_sizes() {
        let rook = [
            12, 11, 11, 11, 11, 11, 11, 12, 11, 10, 10, 10, 10, 10, 10, 11, 11, 10, 10, 10, 10, 10,
            10, 11, 11, 10, 10, 10, 10, 10, 10, 11, 11, 10, 10, 10, 10, 10, 10, 11, 11, 10, 10, 10,
            10, 10, 10, 11, 11, 10, 10, 10, 10, 10, 10, 11, 12, 11, 11, 11, 11, 11, 11, 12,
        ];
        let bishop = [
            6, 5, 5, 5, 5, 5, 5, 6, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 7, 7, 7, 7, 5, 5, 5, 5, 7, 9, 9,
            7, 5, 5, 5, 5, 7, 9, 9, 7, 5, 5, 5, 5, 7, 7, 7, 7, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 5,
            5, 5, 5, 5, 5, 6,
        ];
        for s in 0..64 {
            assert_eq!(
                relevant_mask(Piece::Rook, s).count_ones(),
                rook[s ^ 56],
                "{}",
                square_name(s)
            );
            assert_eq!(
                relevant_mask(Piece::Bishop, s).count_ones(),
                bishop[s ^ 56],
                "{}",
                square_name(s)
            );
        }
    }

    #[test]
    fn masks_stop_short_of_the_edge() {
        // Stated with a1 = 0; swapping the bytes turns the ranks over.
        assert_eq!(
            relevant_mask(Piece::Rook, square("a1")).swap_bytes(),
            0x0001_0101_0101_017e
        );
        assert_eq!(
            relevant_mask(Piece::Rook, square("e4")).swap_bytes(),
            0x0010_1010_6e10_1000
        );
        assert_eq!(
            relevant_mask(Piece::Bishop, square("e4")).swap_bytes(),
            0x0002_4428_0028_4400
        );
    }

    #[test]
    fn the_walk_stops_at_the_first_piece_and_takes_it() {
        let occupied =
            1 << square("e6") | 1 << square("e7") | 1 << square("c4") | 1 << square("e1");
        let mut expected = 0_u64;
        for name in ["e5", "e6", "d4", "c4", "f4", "g4", "h4", "e3", "e2", "e1"] {
            expected |= 1 << square(name);
        }
        assert_eq!(slow_attacks(Piece::Rook, square("e4"), occupied), expected);
        // A piece on the square itself changes nothing.
        assert_eq!(
            slow_attacks(Piece::Rook, square("e4"), occupied | 1 << square("e4")),
            expected
        );
    }

    /// The walk by counted rotations agrees with one that asks at each step whether it is still on the board.
    #[test]
    fn the_walk_is_the_plain_walk() {
        for piece in Piece::ALL {
            for s in 0..64 {
                for occupied in [0, !0, 0x0042_1800_1824_0042, 0x8100_0042_1800_0081, 1 << s] {
                    let mut expected = 0_u64;
                    for by in piece.steps() {
                        let mut at = s;
                        while let Some(next) = step(at, by) {
                            expected |= 1 << next;
                            if occupied >> next & 1 != 0 {
                                break;
                            }
                            at = next;
                        }
                    }
                    assert_eq!(slow_attacks(piece, s, occupied), expected);
                }
            }
        }
    }

    #[test]
    fn subsets_are_counted_through() {
        let mask = 0x8000_0000_0100_0011;
        let (mut subset, mut seen) = (0, Vec::new());
        loop {
            assert!(!seen.contains(&subset) && subset & !mask == 0);
            seen.push(subset);
            subset = next_subset(subset, mask);
            if subset == 0 {
                break;
            }
        }
        assert_eq!(seen.len(), 16);
    }
}
