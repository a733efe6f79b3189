//! What every look-up is held against: a walk that knows nothing but files and ranks.

use crate::Sliders;

/// A look-up that gave a wrong answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The layout or backend.
    pub name: &'static str,
    /// The piece.
    pub piece: &'static str,
    /// Its square.
    pub square: usize,
    /// The squares that were taken.
    pub occupied: u64,
    /// What the walk says.
    pub expected: u64,
    /// What was looked up.
    pub found: u64,
}

type Steps = [(i32, i32); 4];

const DIAGONAL: Steps = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
const STRAIGHT: Steps = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// Walks until a piece or the edge, which is told by the file and rank of the next square.
fn walk(steps: Steps, square: usize, occupied: u64) -> u64 {
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

fn compare<S: Sliders>(
    piece: &'static str,
    square: usize,
    occupied: u64,
    expected: u64,
    found: u64,
) -> Result<(), Mismatch> {
    if expected == found {
        return Ok(());
    }
    Err(Mismatch {
        name: S::NAME,
        piece,
        square,
        occupied,
        expected,
        found,
    })
}

/// Tries all that can stand on the full rays of a bishop and of a rook, their ends included, on
/// every square, the rest of the board empty and then full; and the slider's own square, which
/// may be taken or not. The number of look-ups.
///
/// # Errors
/// The first that is wrong.
pub fn every_subset_of_the_full_rays<S: Sliders>() -> Result<u64, Mismatch> {
    let mut count = 0;
    for square in 0..64 {
        let own = 1 << square;
        for (piece, look_up, steps) in [
            ("bishop", S::bishop as fn(usize, u64) -> u64, DIAGONAL),
            ("rook", S::rook, STRAIGHT),
        ] {
            let rays = walk(steps, square, 0);
            let mut taken = 0_u64;
            loop {
                let expected = walk(steps, square, taken);
                for elsewhere in [0, !(rays | own), !rays] {
                    let occupied = taken | elsewhere;
                    let found = look_up(square, occupied);
                    compare::<S>(piece, square, occupied, expected, found)?;
                    count += 1;
                }
                taken = taken.wrapping_sub(rays) & rays;
                if taken == 0 {
                    break;
                }
            }
        }
    }
    Ok(count)
}

/// Tries all three pieces, each on one square, on boards of a fixed stream: full ones, nearly
/// empty ones, and what lies between. The number of look-ups.
///
/// # Errors
/// The first that is wrong.
pub fn random_boards<S: Sliders>(boards: u64) -> Result<u64, Mismatch> {
    let mut state = 1_u64;
    for number in 0..boards {
        let mut occupied = !0;
        // One to four numbers together.
        for _ in 0..number % 4 + 1 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            occupied &= state ^ state >> 32;
        }
        let square = (state >> 8 & 63) as usize;
        let diagonal = walk(DIAGONAL, square, occupied);
        let straight = walk(STRAIGHT, square, occupied);
        let (bishop, rook) = (S::bishop(square, occupied), S::rook(square, occupied));
        let queen = S::queen(square, occupied);
        compare::<S>("bishop", square, occupied, diagonal, bishop)?;
        compare::<S>("rook", square, occupied, straight, rook)?;
        compare::<S>("queen", square, occupied, diagonal | straight, queen)?;
    }
    Ok(3 * boards)
}
