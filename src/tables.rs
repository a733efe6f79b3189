//! The generated tables: the only place that includes what the build script wrote, and the
//! formula that reads the slider tables. The build has proved each of them against a slow walk
//! along the rays before this file could compile.

/// One generated table: a row of [`crate::generated::TABLES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableInfo {
    /// The table's name in the generated text.
    pub name: &'static str,
    /// How many numbers it holds.
    pub entries: usize,
    /// How many bytes they take in the binary.
    pub bytes: usize,
}

/// What a slider look-up needs of one square, side by side so that it costs one cache line.
#[cfg(not(kirin_layout = "tiny"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slider {
    mask: u64,
    magic: u64,
    #[cfg_attr(kirin_layout = "plain", allow(dead_code))]
    offset: u32,
    shift: u32,
}

#[cfg(not(kirin_layout = "tiny"))]
impl Slider {
    /// The magic index of an occupancy, from the start of the square's own slots.
    #[inline]
    const fn index(&self, occupied: u64) -> usize {
        ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// How many slots there must be for every look-up through these rows to read one of them:
/// [`Slider::index`] is a u64 shifted right by `shift`, so at most `u64::MAX >> shift`.
#[cfg(not(any(kirin_layout = "plain", kirin_layout = "tiny")))]
const fn slots_reached<const N: usize>(sliders: &[Slider; N]) -> usize {
    let (mut reached, mut row) = (0, 0);
    while row < N {
        let slider = &sliders[row];
        let end = slider.offset as usize + (u64::MAX >> slider.shift) as usize + 1;
        reached = if end > reached { end } else { reached };
        row += 1;
    }
    reached
}

/// The row that serves a square where only the lower half of the board (squares 32 to 63) is
/// kept, and the occupancy to be looked up there: the board is turned over for the upper half.
#[cfg(any(kirin_layout = "folded", kirin_layout = "compact"))]
#[inline]
const fn turned(square: usize, occupied: u64) -> (usize, u64) {
    if square < 32 {
        ((square ^ 56) & 31, occupied.swap_bytes())
    } else {
        (square & 31, occupied)
    }
}

/// Turns what was found for [`turned`] back.
#[cfg(any(kirin_layout = "folded", kirin_layout = "compact"))]
#[inline]
const fn turned_back(square: usize, attacks: u64) -> u64 {
    if square < 32 {
        attacks.swap_bytes()
    } else {
        attacks
    }
}

/// `plain`: the specification's tables, a row of its own for each square.
#[cfg(kirin_layout = "plain")]
mod sliders {
    use super::*;

    #[inline]
    pub(crate) const fn bishop_attacks(square: usize, occupied: u64) -> u64 {
        BISHOP_ATTACKS[square][BISHOP_SLIDERS[square].index(occupied) & 511]
    }

    #[inline]
    pub(crate) const fn rook_attacks(square: usize, occupied: u64) -> u64 {
        ROOK_ATTACKS[square][ROOK_SLIDERS[square].index(occupied) & 4095]
    }
}

/// `fancy`: one table for all squares, each with as many slots as its mask needs; and
/// `overlapped`, which is read in the same way: there the slots of squares interleave.
#[cfg(any(kirin_layout = "fancy", kirin_layout = "overlapped"))]
mod sliders {
    use super::*;

    const SLOTS_SUFFICE: () = assert!(
        slots_reached(&BISHOP_SLIDERS) <= SLIDER_ATTACKS.len()
            && slots_reached(&ROOK_SLIDERS) <= SLIDER_ATTACKS.len()
    );

    #[inline]
    #[allow(unsafe_code)]
    const fn attacks(slider: &Slider, occupied: u64) -> u64 {
        let () = SLOTS_SUFFICE;
        let slot = slider.offset as usize + slider.index(occupied);
        // SAFETY: no row of the two tables, which are the only arguments given, leads to
        // `SLIDER_ATTACKS.len()` or beyond: `SLOTS_SUFFICE` has looked at each. (The bounds check
        // costs 1.1 % of the instructions of perft.)
        unsafe { *SLIDER_ATTACKS.as_ptr().add(slot) }
    }

    #[inline]
    pub(crate) const fn bishop_attacks(square: usize, occupied: u64) -> u64 {
        attacks(&BISHOP_SLIDERS[square], occupied)
    }

    #[inline]
    pub(crate) const fn rook_attacks(square: usize, occupied: u64) -> u64 {
        attacks(&ROOK_SLIDERS[square], occupied)
    }
}

/// `folded`: as `overlapped`, for half the board.
#[cfg(kirin_layout = "folded")]
mod sliders {
    use super::*;

    const SLOTS_SUFFICE: () = assert!(
        slots_reached(&BISHOP_SLIDERS) <= SLIDER_ATTACKS.len()
            && slots_reached(&ROOK_SLIDERS) <= SLIDER_ATTACKS.len()
    );

    #[inline]
    #[allow(unsafe_code)]
    const fn attacks(sliders: &[Slider; 32], square: usize, occupied: u64) -> u64 {
        let () = SLOTS_SUFFICE;
        let (row, occupied) = turned(square, occupied);
        let slot = sliders[row].offset as usize + sliders[row].index(occupied);
        // SAFETY: no row of the two tables, which are the only arguments given, leads to
        // `SLIDER_ATTACKS.len()` or beyond: `SLOTS_SUFFICE` has looked at each.
        turned_back(square, unsafe { *SLIDER_ATTACKS.as_ptr().add(slot) })
    }

    #[inline]
    pub(crate) const fn bishop_attacks(square: usize, occupied: u64) -> u64 {
        attacks(&BISHOP_SLIDERS, square, occupied)
    }

    #[inline]
    pub(crate) const fn rook_attacks(square: usize, occupied: u64) -> u64 {
        attacks(&ROOK_SLIDERS, square, occupied)
    }
}

/// `compact`: as `folded`, with a byte in each slot that numbers the square's distinct sets.
#[cfg(kirin_layout = "compact")]
mod sliders {
    use super::*;

    const SLOTS_SUFFICE: () = assert!(
        slots_reached(&BISHOP_SLIDERS) <= SLIDER_NUMBERS.len()
            && slots_reached(&ROOK_SLIDERS) <= SLIDER_NUMBERS.len()
    );

    const SETS_SUFFICE: () = assert!(largest_base() + largest_number() < SLIDER_SETS.len());

    const fn largest_base() -> usize {
        let (mut largest, mut row) = (0, 0);
        while row < 32 {
            let (a, b) = (BISHOP_BASES[row] as usize, ROOK_BASES[row] as usize);
            largest = if a > largest { a } else { largest };
            largest = if b > largest { b } else { largest };
            row += 1;
        }
        largest
    }

    const fn largest_number() -> usize {
        let (mut largest, mut slot) = (0, 0);
        while slot < SLIDER_NUMBERS.len() {
            let number = SLIDER_NUMBERS[slot] as usize;
            largest = if number > largest { number } else { largest };
            slot += 1;
        }
        largest
    }

    #[inline]
    #[allow(unsafe_code)]
    const fn attacks(
        sliders: &[Slider; 32],
        bases: &[u16; 32],
        square: usize,
        occupied: u64,
    ) -> u64 {
        let ((), ()) = (SLOTS_SUFFICE, SETS_SUFFICE);
        let (row, occupied) = turned(square, occupied);
        let slot = sliders[row].offset as usize + sliders[row].index(occupied);
        // SAFETY: no row of the two tables, which are the only arguments given, leads to
        // `SLIDER_NUMBERS.len()` or beyond: `SLOTS_SUFFICE` has looked at each.
        let number = unsafe { *SLIDER_NUMBERS.as_ptr().add(slot) };
        let set = bases[row] as usize + number as usize;
        // SAFETY: even the largest number there is, counted from the largest base, stays within
        // `SLIDER_SETS`, by `SETS_SUFFICE`; the bases given are those it has looked at.
        turned_back(square, unsafe { *SLIDER_SETS.as_ptr().add(set) })
    }

    #[inline]
    pub(crate) const fn bishop_attacks(square: usize, occupied: u64) -> u64 {
        attacks(&BISHOP_SLIDERS, &BISHOP_BASES, square, occupied)
    }

    #[inline]
    pub(crate) const fn rook_attacks(square: usize, occupied: u64) -> u64 {
        attacks(&ROOK_SLIDERS, &ROOK_BASES, square, occupied)
    }
}

/// `tiny`: hyperbola quintessence along diagonals and files, and a small table for ranks.
#[cfg(kirin_layout = "tiny")]
mod sliders {
    use super::*;

    /// Taking the slider away twice borrows through the empty squares above it up to the first
    /// piece. The same on the board turned over serves the other direction, because a diagonal
    /// or a file has one square in each rank at most.
    #[inline]
    const fn line_attacks(square: usize, line: u64, occupied: u64) -> u64 {
        let occupied = occupied & line;
        let up = occupied.wrapping_sub(1 << square << 1);
        let down = occupied.swap_bytes().wrapping_sub(1 << (square ^ 56) << 1);
        (up ^ down.swap_bytes()) & line
    }

    #[inline]
    pub(crate) const fn bishop_attacks(square: usize, occupied: u64) -> u64 {
        let [diagonal, antidiagonal, _] = LINE_MASKS[square];
        line_attacks(square, diagonal, occupied) | line_attacks(square, antidiagonal, occupied)
    }

    #[inline]
    pub(crate) const fn rook_attacks(square: usize, occupied: u64) -> u64 {
        let first_of_rank = square & 56;
        let inner = (occupied >> (first_of_rank + 1) & 63) as usize;
        let rank = (RANK_ATTACKS[square & 7][inner] as u64) << first_of_rank;
        line_attacks(square, LINE_MASKS[square][2], occupied) | rank
    }
}

pub(crate) use sliders::{bishop_attacks, rook_attacks};

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks until a piece or the edge, which is told by the file and rank of the next square.
    fn walk(steps: [(i32, i32); 4], square: usize, occupied: u64) -> u64 {
        let mut attacks = 0;
        for (files, ranks) in steps {
            let (mut file, mut rank) = (square as i32 % 8, square as i32 / 8);
            loop {
                (file, rank) = (file + files, rank + ranks);
                if (file | rank) & !7 != 0 {
                    break;
                }
                let bit = 1_u64 << (8 * rank + file);
                attacks |= bit;
                if occupied & bit != 0 {
                    break;
                }
            }
        }
        attacks
    }

    /// A piece's name, its look-up and its steps.
    type Piece = (&'static str, fn(usize, u64) -> u64, [(i32, i32); 4]);

    const PIECES: [Piece; 2] = [
        (
            "bishop",
            bishop_attacks,
            [(1, 1), (-1, -1), (1, -1), (-1, 1)],
        ),
        ("rook", rook_attacks, [(1, 0), (-1, 0), (0, 1), (0, -1)]),
    ];

    /// All that can stand on the rays, their ends included; and what stands elsewhere changes
    /// nothing.
    #[test]
    fn look_ups_are_right_for_every_subset_of_the_full_rays() {
        for (name, look_up, steps) in PIECES {
            for square in 0..64 {
                let rays = walk(steps, square, 0);
                let mut occupied = 0_u64;
                loop {
                    let expected = walk(steps, square, occupied);
                    for elsewhere in [0, !rays] {
                        let found = look_up(square, occupied | elsewhere);
                        assert_eq!(found, expected, "{name} {square} {occupied:#x}");
                    }
                    occupied = occupied.wrapping_sub(rays) & rays;
                    if occupied == 0 {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn look_ups_are_right_on_a_million_random_boards() {
        let mut state = 1_u64;
        for number in 0..1_000_000_usize {
            let mut occupied = !0;
            // One to four numbers together: full boards and nearly empty ones.
            for _ in 0..number % 4 + 1 {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                occupied &= state ^ state >> 32;
            }
            let square = state as usize >> 8 & 63;
            for (name, look_up, steps) in PIECES {
                let expected = walk(steps, square, occupied);
                assert_eq!(
                    look_up(square, occupied),
                    expected,
                    "{name} {square} {occupied:#x}"
                );
            }
        }
    }
}
