// What look-ups have in common: the layouts that multiply by magics, and the backends with PEXT.
// None of them uses all of it.

/// What a slider look-up needs of one square, side by side so that it costs one cache line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slider {
    pub(crate) mask: u64,
    pub(crate) magic: u64,
    pub(crate) offset: u32,
    pub(crate) shift: u32,
}

impl Slider {
    /// The magic index of an occupancy, from the start of the square's own slots.
    #[inline]
    pub(crate) const fn index(&self, occupied: u64) -> usize {
        ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

/// How many slots there must be for every look-up through these rows to read one of them:
/// [`Slider::index`] is a u64 shifted right by `shift`, so at most `u64::MAX >> shift`.
pub(crate) const fn slots_reached<const N: usize>(sliders: &[Slider; N]) -> usize {
    let (mut reached, mut row) = (0, 0);
    while row < N {
        let slider = &sliders[row];
        let end = slider.offset as usize + (u64::MAX >> slider.shift) as usize + 1;
        reached = if end > reached { end } else { reached };
        row += 1;
    }
    reached
}

/// The same for the rows of PEXT, each of mask, rays and offset: a key has as many bits as the mask.
pub(crate) const fn pext_slots_reached(rows: &[[u64; 3]; 64]) -> usize {
    let (mut reached, mut square) = (0, 0);
    while square < 64 {
        let [mask, _, offset] = rows[square];
        let end = offset as usize + (1 << mask.count_ones());
        reached = if end > reached { end } else { reached };
        square += 1;
    }
    reached
}

/// The row that serves a square where only the lower half of the board (squares 32 to 63) is
/// kept, and the occupancy to be looked up there: the board is turned over for the upper half.
#[inline]
pub(crate) const fn turned(square: usize, occupied: u64) -> (usize, u64) {
    if square < 32 {
        ((square ^ 56) & 31, occupied.swap_bytes())
    } else {
        (square & 31, occupied)
    }
}

/// Turns what was found for [`turned`] back.
#[inline]
pub(crate) const fn turned_back(square: usize, attacks: u64) -> u64 {
    if square < 32 {
        attacks.swap_bytes()
    } else {
        attacks
    }
}
