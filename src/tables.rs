//! The generated tables: the only place that includes what the build script wrote, and the
//! formula that reads the slider tables. The build has proved each of them against a slow walk
//! along the rays before this file could compile.

/// One row of [`TABLE_LIST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableInfo {
    /// The table's name in the generated text.
    pub name: &'static str,
    /// How many numbers it holds.
    pub entries: usize,
    /// How many bytes they take in the binary.
    pub bytes: usize,
}

/// What a slider look-up needs of one square, side by side so that it costs one cache line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slider {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

impl Slider {
    /// The magic index of an occupancy, from the start of the square's own slots.
    #[inline]
    const fn index(&self, occupied: u64) -> usize {
        ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

/// What the build script wrote. Not every layout and profile reads every table.
#[allow(dead_code)]
mod generated {
    use super::{Slider, TableInfo};

    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}

pub(crate) use generated::*;

/// `plain`: the specification's tables, a row of its own for each square.
#[cfg(kirin_layout = "plain")]
mod sliders {
    use super::*;

    #[inline]
    pub(crate) const fn bishop_attacks(square: usize, occupied: u64) -> u64 {
        BISHOP_ATTACKS[square][BISHOP_SLIDERS[square].index(occupied) & 511]
    }

    #[inline]
    pub(crate) const fn rook_attacks(square: usize, occupied: u64) -> u64 {
        ROOK_ATTACKS[square][ROOK_SLIDERS[square].index(occupied) & 4095]
    }
}

/// `fancy`: one table for all squares, each with as many slots as its mask needs.
#[cfg(kirin_layout = "fancy")]
mod sliders {
    use super::*;

    /// The largest slot that any look-up in `sliders` can reach.
    const fn last_slot(sliders: &[Slider; 64]) -> usize {
        let (mut last, mut square) = (0, 0);
        while square < 64 {
            let slider = &sliders[square];
            let end = slider.offset as usize + (u64::MAX >> slider.shift) as usize;
            last = if end > last { end } else { last };
            square += 1;
        }
        last
    }

    const _: () = assert!(last_slot(&BISHOP_SLIDERS) < SLIDER_ATTACKS.len());
    const _: () = assert!(last_slot(&ROOK_SLIDERS) < SLIDER_ATTACKS.len());

    #[inline]
    #[allow(unsafe_code)]
    const fn attacks(slider: &Slider, occupied: u64) -> u64 {
        let slot = slider.offset as usize + slider.index(occupied);
        // SAFETY: `index` is a u64 shifted right by `shift`, so at most `u64::MAX >> shift`, and
        // the two assertions above hold for the sum with `offset` in every row of the two
        // tables, which are the only arguments given. (The bounds check costs a compare and a
        // branch in each look-up: 2 to 3 % of the instructions of perft.)
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
}

pub(crate) use sliders::{bishop_attacks, rook_attacks};
