//! What pawns, knights and kings attack.
//!
//! Whole sets are shifted here, with the files masked off that would wrap round; the proof steps from square to square
//! instead, so that one does not repeat the other's slip.

use crate::table::Table;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The three tables of the leapers.
#[must_use]
pub fn tables() -> Vec<Table> {
    let mut pawns = Vec::with_capacity(128);
    pawns.extend((0..64).map(|square| pawn_attacks_up(1 << square)));
    // Black's pawns are white's on a board turned upside down.
    pawns.extend((0..64).map(|square| pawn_attacks_up(1 << (square ^ 56)).swap_bytes()));
    let knights = (0..64).map(|square| knight_attacks(1 << square)).collect();
    let kings = (0..64).map(|square| king_attacks(1 << square)).collect();
    vec![
        Table::of_u64(
            "PAWN_ATTACKS",
            "What a pawn attacks: `[side][square]`.",
            &[2, 64],
            pawns,
        ),
        Table::of_u64(
            "KNIGHT_ATTACKS",
            "What a knight attacks: `[square]`.",
            &[64],
            knights,
        ),
        Table::of_u64(
            "KING_ATTACKS",
            "What a king attacks: `[square]`.",
            &[64],
            kings,
        ),
    ]
}

fn right(set: u64) -> u64 {
    (set & !FILE_H) << 1
}

fn left(set: u64) -> u64 {
    (set & !FILE_A) >> 1
}

fn pawn_attacks_up(set: u64) -> u64 {
    (left(set) | right(set)) >> 8
}

fn knight_attacks(set: u64) -> u64 {
    let near = left(set) | right(set);
    let far = left(left(set)) | right(right(set));
    near << 16 | near >> 16 | far << 8 | far >> 8
}

fn king_attacks(set: u64) -> u64 {
    let row = left(set) | set | right(set);
    (row | row << 8 | row >> 8) & !set
}
