// `pext16`: as `pext`, with sets that are kept as the squares of the rays side by side: sixteen
// bits hold them, and PDEP puts them back.

use super::*;

use core::arch::x86_64::{_pdep_u64, _pext_u64};

const SLOTS_SUFFICE: () = assert!(
    pext_slots_reached(&PEXT_BISHOPS) <= PEXT_ATTACKS.len()
        && pext_slots_reached(&PEXT_ROOKS) <= PEXT_ATTACKS.len()
);

#[inline]
#[allow(unsafe_code)]
fn attacks(row: &[u64; 3], occupied: u64) -> u64 {
    let () = SLOTS_SUFFICE;
    // SAFETY: this file is compiled only for targets that have BMI2.
    let key = unsafe { _pext_u64(occupied, row[0]) };
    // SAFETY: no row of the two tables, which are the only arguments given, leads to
    // `PEXT_ATTACKS.len()` or beyond: `SLOTS_SUFFICE` has looked at each.
    let set = unsafe { *PEXT_ATTACKS.as_ptr().add((row[2] + key) as usize) };
    // SAFETY: as above, BMI2 is there.
    unsafe { _pdep_u64(set as u64, row[1]) }
}

#[inline]
pub(crate) fn bishop_attacks(square: usize, occupied: u64) -> u64 {
    attacks(&PEXT_BISHOPS[square], occupied)
}

#[inline]
pub(crate) fn rook_attacks(square: usize, occupied: u64) -> u64 {
    attacks(&PEXT_ROOKS[square], occupied)
}

#[inline]
pub(crate) fn queen_attacks(square: usize, occupied: u64) -> u64 {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}
