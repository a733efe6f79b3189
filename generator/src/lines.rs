//! Whole lines in closed form, and the tables made of them: rays, between and line.

use crate::geometry::Piece;
use crate::table::Table;

const RANK_8: u64 = 0xff;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const DIAGONAL_A8_H1: u64 = 0x8040_2010_0804_0201;
const DIAGONAL_H8_A1: u64 = 0x0102_0408_1020_4080;

/// The two lines of a slider through a square, edge to edge, the square included.
#[must_use]
pub fn lines_through(piece: Piece, square: usize) -> [u64; 2] {
    let (file, row) = (square & 7, square >> 3);
    match piece {
        Piece::Rook => [RANK_8 << (8 * row), FILE_A << file],
        Piece::Bishop => [
            rows_down(DIAGONAL_A8_H1, row as i32 - file as i32),
            rows_down(DIAGONAL_H8_A1, row as i32 + file as i32 - 7),
        ],
    }
}

fn rows_down(set: u64, rows: i32) -> u64 {
    if rows < 0 {
        set >> (8 * -rows)
    } else {
        set << (8 * rows)
    }
}

/// The rays of both sliders, and for each pair of squares what lies between them and the line through both.
#[must_use]
pub fn tables() -> Vec<Table> {
    let rays = |piece| -> Vec<u64> {
        (0..64)
            .map(|square| {
                let [a, b] = lines_through(piece, square);
                a ^ b
            })
            .collect()
    };
    let mut between = vec![0; 64 * 64];
    let mut line = vec![0; 64 * 64];
    for piece in Piece::ALL {
        for from in 0..64 {
            for through in lines_through(piece, from) {
                let mut targets = through & !(1 << from);
                while targets != 0 {
                    let to = targets.trailing_zeros() as usize;
                    targets &= targets - 1;
                    let (low, high) = if from < to { (from, to) } else { (to, from) };
                    // Bits above the lower square and below the higher one.
                    between[64 * from + to] = through & ((1 << high) - 1) & (!1 << low);
                    line[64 * from + to] = through;
                }
            }
        }
    }
    vec![
        Table::of_u64("BISHOP_RAYS", "What a bishop attacks on the empty board: `[square]`.", &[64], rays(Piece::Bishop)),
        Table::of_u64("ROOK_RAYS", "What a rook attacks on the empty board: `[square]`.", &[64], rays(Piece::Rook)),
        Table::of_u64(
            "BETWEEN",
            "The squares strictly between two on one line, else none: `[from][to]`.",
            &[64, 64],
            between,
        ),
        Table::of_u64(
            "LINE",
            "The whole line through two squares, edge to edge, both included; none if there is no such line, or the two \
             are one: `[from][to]`.",
            &[64, 64],
            line,
        ),
    ]
}
