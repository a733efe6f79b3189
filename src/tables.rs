//! The generated tables: the only place that includes what the build script wrote, and the
//! choice among the formulas that read the slider tables. The build has proved each table against
//! a slow walk along the rays before this file could compile.
//!
//! The *layout* serves constants and every target; the *backend* serves the running program, and
//! may be the layout again.

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

#[path = "sliders/rows.rs"]
#[allow(dead_code)] // Each layout and backend uses a part, if any.
mod rows;
#[allow(unused_imports)] // As above.
use rows::*;

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
include!(concat!(env!("OUT_DIR"), "/backend.rs"));

// The look-up of each layout and backend is a file of its own, and knows of the tables only what
// stands around it: `tests/backends` includes all of them, each beside its own tables.

#[cfg_attr(kirin_layout = "plain", path = "sliders/plain.rs")]
#[cfg_attr(kirin_layout = "fancy", path = "sliders/fancy.rs")]
#[cfg_attr(kirin_layout = "overlapped", path = "sliders/fancy.rs")]
#[cfg_attr(kirin_layout = "folded", path = "sliders/folded.rs")]
#[cfg_attr(kirin_layout = "compact", path = "sliders/compact.rs")]
#[cfg_attr(kirin_layout = "tiny", path = "sliders/tiny.rs")]
mod sliders;

/// The look-ups of a running program, which may use instructions that no constant can.
#[cfg_attr(kirin_backend = "table", path = "sliders/table.rs")]
#[cfg_attr(kirin_backend = "avx2", path = "sliders/avx2.rs")]
#[cfg_attr(kirin_backend = "pext", path = "sliders/pext.rs")]
#[cfg_attr(kirin_backend = "pext16", path = "sliders/pext16.rs")]
#[cfg_attr(kirin_backend = "rbit", path = "sliders/rbit.rs")]
pub(crate) mod runtime;

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

    const DIAGONAL: [(i32, i32); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
    const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

    const PIECES: [Piece; 4] = [
        ("bishop", bishop_attacks, DIAGONAL),
        ("rook", rook_attacks, STRAIGHT),
        ("bishop at run time", runtime::bishop_attacks, DIAGONAL),
        ("rook at run time", runtime::rook_attacks, STRAIGHT),
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
            let queen = walk(DIAGONAL, square, occupied) | walk(STRAIGHT, square, occupied);
            assert_eq!(
                runtime::queen_attacks(square, occupied),
                queen,
                "queen {square} {occupied:#x}"
            );
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
