// `compact`: as `folded`, with a byte in each slot that numbers the square's distinct sets.

use super::*;

const SLOTS_SUFFICE: () = assert!(
    slots_reached(&BISHOP_SLIDERS) <= SLIDER_NUMBERS.len()
        && slots_reached(&ROOK_SLIDERS) <= SLIDER_NUMBERS.len()
);

const SETS_SUFFICE: () = assert!(largest_base() + largest_number() < SLIDER_SETS.len());

const fn largest_base() -> usize {
    let (mut largest, mut row) = (0, 0);
    while row < 32 {
        let (a, b) = (BISHOP_BASES[row] as usize, ROOK_BASES[row] as usize);
        largest = if a > largest { a } else { largest };
        largest = if b > largest { b } else { largest };
        row += 1;
    }
    largest
}

const fn largest_number() -> usize {
    let (mut largest, mut slot) = (0, 0);
    while slot < SLIDER_NUMBERS.len() {
        let number = SLIDER_NUMBERS[slot] as usize;
        largest = if number > largest { number } else { largest };
        slot += 1;
    }
    largest
}

#[inline]
#[allow(unsafe_code)]
const fn attacks(sliders: &[Slider; 32], bases: &[u16; 32], square: usize, occupied: u64) -> u64 {
    let ((), ()) = (SLOTS_SUFFICE, SETS_SUFFICE);
    let (row, occupied) = turned(square, occupied);
    let slot = sliders[row].offset as usize + sliders[row].index(occupied);
    // SAFETY: no row of the two tables, which are the only arguments given, leads to
    // `SLIDER_NUMBERS.len()` or beyond: `SLOTS_SUFFICE` has looked at each.
    let number = unsafe { *SLIDER_NUMBERS.as_ptr().add(slot) };
    let set = bases[row] as usize + number as usize;
    // SAFETY: even the largest number there is, counted from the largest base, stays within
    // `SLIDER_SETS`, by `SETS_SUFFICE`; the bases given are those it has looked at.
    turned_back(square, unsafe { *SLIDER_SETS.as_ptr().add(set) })
}

#[inline]
pub(crate) const fn bishop_attacks(square: usize, occupied: u64) -> u64 {
    attacks(&BISHOP_SLIDERS, &BISHOP_BASES, square, occupied)
}

#[inline]
pub(crate) const fn rook_attacks(square: usize, occupied: u64) -> u64 {
    attacks(&ROOK_SLIDERS, &ROOK_BASES, square, occupied)
}
