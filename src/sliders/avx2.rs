// `avx2`: hyperbola quintessence, several lines at a time. Of each line the occupied squares are
// taken, less the square after the slider's: that borrows through the empty squares up to the
// first piece. The same on the board turned over, which a shuffle of bytes does for all lines at
// once, serves the other direction, because these lines have one square in each rank at most.
// Ranks have a small table.

use super::*;

use core::arch::x86_64::*;

/// A row of the table and no other in each cache line.
#[repr(align(64))]
struct Lines([[u64; 8]; 64]);

static LINES: Lines = Lines(AVX2_LINES);

/// The diagonals in one vector of two, folded into one set.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn bishop_attacks(square: usize, occupied: u64) -> u64 {
    let row = &LINES.0[square];
    // SAFETY: this file is compiled only for targets that have AVX2, on which all of these
    // intrinsics may be executed; and the only one that reads memory reads the first 16 bytes of
    // a row of 64, from which no alignment is asked.
    unsafe {
        let turn = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
        let lines = _mm_loadu_si128(row.as_ptr().cast());
        let occupied = _mm_and_si128(_mm_set1_epi64x(occupied as i64), lines);
        let up = _mm_sub_epi64(occupied, _mm_set1_epi64x(row[4] as i64));
        let turned = _mm_shuffle_epi8(occupied, turn);
        let down = _mm_sub_epi64(turned, _mm_set1_epi64x(row[5] as i64));
        let both = _mm_xor_si128(up, _mm_shuffle_epi8(down, turn));
        let attacks = _mm_and_si128(both, lines);
        _mm_cvtsi128_si64(_mm_or_si128(attacks, _mm_unpackhi_epi64(attacks, attacks))) as u64
    }
}

/// A file alone is quicker without vectors.
#[inline]
pub(crate) fn rook_attacks(square: usize, occupied: u64) -> u64 {
    let row = &LINES.0[square];
    let on_file = occupied & row[2];
    let up = on_file.wrapping_sub(row[4]);
    let down = on_file.swap_bytes().wrapping_sub(row[5]);
    (up ^ down.swap_bytes()) & row[2] | rank_attacks(square, occupied)
}

/// Diagonals and file in one vector of four.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn queen_attacks(square: usize, occupied: u64) -> u64 {
    let row = &LINES.0[square];
    // SAFETY: as in `bishop_attacks`, with the first 32 bytes of the row.
    let attacks = unsafe {
        let turn = _mm256_set_epi64x(
            0x0809_0a0b_0c0d_0e0f,
            0x0001_0203_0405_0607,
            0x0809_0a0b_0c0d_0e0f,
            0x0001_0203_0405_0607,
        );
        let lines = _mm256_loadu_si256(row.as_ptr().cast());
        let occupied = _mm256_and_si256(_mm256_set1_epi64x(occupied as i64), lines);
        let up = _mm256_sub_epi64(occupied, _mm256_set1_epi64x(row[4] as i64));
        let turned = _mm256_shuffle_epi8(occupied, turn);
        let down = _mm256_sub_epi64(turned, _mm256_set1_epi64x(row[5] as i64));
        let both = _mm256_xor_si256(up, _mm256_shuffle_epi8(down, turn));
        let attacks = _mm256_and_si256(both, lines);
        let two = _mm_or_si128(
            _mm256_castsi256_si128(attacks),
            _mm256_extracti128_si256::<1>(attacks),
        );
        _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
    };
    attacks | rank_attacks(square, occupied)
}

#[inline]
fn rank_attacks(square: usize, occupied: u64) -> u64 {
    let first_of_rank = square & 56;
    let inner = (occupied >> (first_of_rank + 1) & 63) as usize;
    (AVX2_RANKS[square & 7][inner] as u64) << first_of_rank
}
