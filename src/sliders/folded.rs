// `folded`: as `overlapped`, for half the board.

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
