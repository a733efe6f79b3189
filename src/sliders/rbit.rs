// `rbit`: hyperbola quintessence along all four lines, where one instruction reverses the bits of
// a register. Of a line the occupied squares are taken, less the square after the slider's: that
// borrows through the empty squares up to the first piece. The same with all bits in reverse
// serves the other direction.

use super::*;

#[inline]
const fn line_attacks(square: usize, line: u64, occupied: u64) -> u64 {
    let occupied = occupied & line;
    let up = occupied.wrapping_sub(1 << square << 1);
    let down = occupied
        .reverse_bits()
        .wrapping_sub(1 << (63 - square) << 1);
    (up ^ down.reverse_bits()) & line
}

#[inline]
pub(crate) const fn bishop_attacks(square: usize, occupied: u64) -> u64 {
    let [diagonal, antidiagonal, _, _] = RBIT_LINES[square];
    line_attacks(square, diagonal, occupied) | line_attacks(square, antidiagonal, occupied)
}

#[inline]
pub(crate) const fn rook_attacks(square: usize, occupied: u64) -> u64 {
    let [_, _, file, rank] = RBIT_LINES[square];
    line_attacks(square, file, occupied) | line_attacks(square, rank, occupied)
}

#[inline]
pub(crate) const fn queen_attacks(square: usize, occupied: u64) -> u64 {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}
