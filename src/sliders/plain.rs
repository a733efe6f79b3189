// `plain`: the specification's tables, a row of its own for each square.

use super::*;

#[inline]
pub(crate) const fn bishop_attacks(square: usize, occupied: u64) -> u64 {
    BISHOP_ATTACKS[square][BISHOP_SLIDERS[square].index(occupied) & 511]
}

#[inline]
pub(crate) const fn rook_attacks(square: usize, occupied: u64) -> u64 {
    ROOK_ATTACKS[square][ROOK_SLIDERS[square].index(occupied) & 4095]
}
