// `pext`: the occupied squares that matter, side by side in one number, are the key.

use super::*;

use core::arch::x86_64::_pext_u64;

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
    unsafe { *PEXT_ATTACKS.as_ptr().add((row[2] + key) as usize) }
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
