// `fancy`: one table for all squares, each with as many slots as its mask needs; and
// `overlapped`, which is read in the same way: there the slots of squares interleave.

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
