//! The proof: finished tables are read back and held against the slow walk.
//!
//! It sees the very values that are written out, through the formula by which they will be read, and has no use for how
//! they came about. For a slider on a square it first asks the walk which squares matter at all (those where a lone
//! piece changes the answer), requires the mask to be exactly that, and then tries every occupancy of it. Since the
//! formula looks at nothing outside the mask, this covers all 2^64 boards.

use crate::backend::{Backend, BackendLookup};
use crate::error::Error;
use crate::geometry::{self, leaper_attacks, next_subset, slow_attacks, walk, Piece, Step};
use crate::layout::{u64_values, Layout, Lookup};
use crate::table::Table;

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proven {
    /// Look-ups of sliders, each with an occupancy of its own.
    pub slider_keys: usize,
    /// Sets of other tables.
    pub sets: usize,
}

/// Proves every table that holds squares.
///
/// # Errors
/// The first look-up that differs, with its square and occupancy; or a table that is absent or misshapen.
pub fn prove(layout: Layout, tables: &[Table]) -> Result<Proven, Error> {
    let mut proven = Proven::default();
    for piece in Piece::ALL {
        let lookup = Lookup::new(layout, piece, tables)?;
        for square in 0..64 {
            proven.slider_keys += prove_slider(piece, square, &lookup)?;
        }
    }
    if layout == Layout::Tiny {
        proven.sets += prove_line_masks(tables)?;
    }
    proven.sets += prove_leapers(tables)?;
    proven.sets += prove_lines(tables)?;
    proven.sets += prove_spans(tables)?;
    Ok(proven)
}

/// Proves the tables of a backend, through the formula by which it will read them.
///
/// # Errors
/// As [`prove`].
pub fn prove_backend(backend: Backend, tables: &[Table]) -> Result<Proven, Error> {
    let mut proven = Proven::default();
    for piece in Piece::ALL {
        let Some(lookup) = BackendLookup::new(backend, piece, tables)? else {
            continue;
        };
        let attacks = |square, occupied| lookup.attacks(square, occupied);
        for square in 0..64 {
            if let Some(lines) = lookup.lines(square) {
                // A mask that held more than its line could go unnoticed by look-ups on that line.
                let [a, b, c, d] = piece.steps().map(|by| walk(square, by, 0));
                let expected = match (piece, backend) {
                    (Piece::Bishop, _) => [a | b, c | d],
                    // The rank has a table of its own.
                    (Piece::Rook, Backend::Avx2) => [c | d, 0],
                    (Piece::Rook, _) => [c | d, a | b],
                };
                for (expected, found) in expected.into_iter().zip(lines) {
                    compare("line mask", square, 0, expected, found)?;
                    proven.sets += 1;
                }
            }
            if let Some(rays) = lookup.rays(square) {
                compare("rays", square, 0, slow_attacks(piece, square, 0), rays)?;
                proven.sets += 1;
            }
            let matter = squares_that_matter(piece, square);
            proven.slider_keys += match lookup.mask(square) {
                None => prove_lines_joined(piece, square, &attacks, matter)?,
                Some(mask) if mask != matter => return Err(wrong_mask(piece, square)),
                Some(_) => prove_subsets(piece, square, &attacks, matter)?,
            };
        }
    }
    Ok(proven)
}

/// The squares that matter to a slider, by definition: those where a lone piece changes what it attacks.
fn squares_that_matter(piece: Piece, square: usize) -> u64 {
    let rays = slow_attacks(piece, square, 0);
    let mut candidates = rays;
    let mut matter = 0;
    while candidates != 0 {
        let blocker = candidates & candidates.wrapping_neg();
        candidates ^= blocker;
        if slow_attacks(piece, square, blocker) != rays {
            matter |= blocker;
        }
    }
    matter
}

fn prove_slider(piece: Piece, square: usize, lookup: &Lookup<'_>) -> Result<usize, Error> {
    let mask = squares_that_matter(piece, square);
    let attacks = |square, occupied| lookup.attacks(square, occupied);
    let Some(row) = lookup.row(square) else {
        return prove_lines_joined(piece, square, &attacks, mask);
    };
    if lookup.mask(square) != mask {
        return Err(wrong_mask(piece, square));
    }
    if row.shift > 63 {
        return Err(Error::Row {
            piece,
            square,
            reason: "the shift is not below 64",
        });
    }
    prove_subsets(piece, square, &attacks, mask)
}

fn wrong_mask(piece: Piece, square: usize) -> Error {
    Error::Row {
        piece,
        square,
        reason: "the mask is not the squares that matter",
    }
}

/// Without keys a look-up joins two lines that know nothing of each other, and looks at the edges and the slider's own
/// square too. Each line is tried with all there can be on it, and both together within the mask.
fn prove_lines_joined(
    piece: Piece,
    square: usize,
    attacks: &dyn Fn(usize, u64) -> Option<u64>,
    mask: u64,
) -> Result<usize, Error> {
    let mut keys = prove_subsets(piece, square, attacks, mask)?;
    let [a, b, c, d] = piece.steps().map(|by| walk(square, by, 0));
    for line in [a | b, c | d] {
        keys += prove_subsets(piece, square, attacks, line | 1 << square)?;
    }
    Ok(keys)
}

/// Compares for all subsets of some squares.
fn prove_subsets(
    piece: Piece,
    square: usize,
    attacks: &dyn Fn(usize, u64) -> Option<u64>,
    squares: u64,
) -> Result<usize, Error> {
    let mut keys = 0;
    let mut occupied = 0;
    loop {
        let expected = slow_attacks(piece, square, occupied);
        match attacks(square, occupied) {
            Some(found) if found == expected => {}
            Some(found) => {
                return Err(Error::Wrong {
                    what: piece.name(),
                    square,
                    occupied,
                    expected,
                    found,
                });
            }
            None => {
                return Err(Error::Row {
                    piece,
                    square,
                    reason: "a look-up leaves the table",
                })
            }
        }
        keys += 1;
        occupied = next_subset(occupied, squares);
        if occupied == 0 {
            return Ok(keys);
        }
    }
}

fn compare(
    what: &'static str,
    square: usize,
    occupied: u64,
    expected: u64,
    found: u64,
) -> Result<(), Error> {
    if expected == found {
        Ok(())
    } else {
        Err(Error::Wrong {
            what,
            square,
            occupied,
            expected,
            found,
        })
    }
}

fn sized<'a>(tables: &'a [Table], name: &'static str, size: usize) -> Result<&'a [u64], Error> {
    let values = u64_values(tables, name)?;
    if values.len() == size {
        Ok(values)
    } else {
        Err(Error::Table {
            name,
            reason: "has not the size it should have",
        })
    }
}

fn prove_leapers(tables: &[Table]) -> Result<usize, Error> {
    let pawns = sized(tables, "PAWN_ATTACKS", 128)?;
    let rows: [(&'static str, &[Step], &[u64]); 4] = [
        ("white pawn", &geometry::PAWN_STEPS[0], &pawns[..64]),
        ("black pawn", &geometry::PAWN_STEPS[1], &pawns[64..]),
        (
            "knight",
            &geometry::KNIGHT_STEPS,
            sized(tables, "KNIGHT_ATTACKS", 64)?,
        ),
        (
            "king",
            &geometry::KING_STEPS,
            sized(tables, "KING_ATTACKS", 64)?,
        ),
    ];
    for (what, steps, found) in rows {
        for (square, &found) in found.iter().enumerate() {
            compare(what, square, 0, leaper_attacks(square, steps), found)?;
        }
    }
    Ok(4 * 64)
}

fn prove_lines(tables: &[Table]) -> Result<usize, Error> {
    let bishop = sized(tables, "BISHOP_RAYS", 64)?;
    let rook = sized(tables, "ROOK_RAYS", 64)?;
    let between = sized(tables, "BETWEEN", 64 * 64)?;
    let line = sized(tables, "LINE", 64 * 64)?;
    for square in 0..64 {
        compare(
            "bishop rays",
            square,
            0,
            slow_attacks(Piece::Bishop, square, 0),
            bishop[square],
        )?;
        compare(
            "rook rays",
            square,
            0,
            slow_attacks(Piece::Rook, square, 0),
            rook[square],
        )?;
        let mut expected_between = vec![0_u64; 64];
        let mut expected_line = vec![0_u64; 64];
        for by in geometry::KING_STEPS {
            let whole = walk(square, by, 0) | walk(square, (-by.0, -by.1), 0) | 1 << square;
            let (mut at, mut passed) = (square, 0);
            while let Some(next) = geometry::step(at, by) {
                expected_between[next] = passed;
                expected_line[next] = whole;
                passed |= 1 << next;
                at = next;
            }
        }
        for other in 0..64 {
            let pair = 64 * square + other;
            compare(
                "squares between",
                square,
                1 << other,
                expected_between[other],
                between[pair],
            )?;
            compare("line", square, 1 << other, expected_line[other], line[pair])?;
        }
    }
    Ok(2 * 64 + 2 * 64 * 64)
}

/// A mask that held more than its line could go unnoticed by look-ups on that line.
fn prove_line_masks(tables: &[Table]) -> Result<usize, Error> {
    let masks = sized(tables, "LINE_MASKS", 64 * 3)?;
    for square in 0..64 {
        for (line, (files, rows)) in [(1, 1), (1, -1), (0, 1)].into_iter().enumerate() {
            let expected = walk(square, (files, rows), 0) | walk(square, (-files, -rows), 0);
            compare("line mask", square, 0, expected, masks[3 * square + line])?;
        }
    }
    Ok(64 * 3)
}

fn prove_spans(tables: &[Table]) -> Result<usize, Error> {
    let files = sized(tables, "FORWARD_FILES", 128)?;
    let passed = sized(tables, "PASSED_SPANS", 128)?;
    for (side, up) in [-1, 1].into_iter().enumerate() {
        for square in 0..64 {
            let at = 64 * side + square;
            let file = walk(square, (0, up), 0);
            let mut span = file;
            for beside in [(-1, 0), (1, 0)] {
                if let Some(neighbour) = geometry::step(square, beside) {
                    span |= walk(neighbour, (0, up), 0);
                }
            }
            compare("forward file", square, 0, file, files[at])?;
            compare("passed span", square, 0, span, passed[at])?;
        }
    }
    Ok(2 * 128)
}
