// `tiny`: hyperbola quintessence along diagonals and files, and a small table for ranks.

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
