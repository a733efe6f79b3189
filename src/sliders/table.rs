// `table`: the look-up of the layout.

pub(crate) use super::sliders::{bishop_attacks, rook_attacks};

#[inline]
pub(crate) const fn queen_attacks(square: usize, occupied: u64) -> u64 {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}
