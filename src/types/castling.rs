//! Castling rights as four bits.

use super::{Color, Square};
use core::fmt;

/// From where kings castle, and how their castling is written as a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Variant {
    /// From the e-file with the rooks in the corners; written as the king's move (`e1g1`).
    #[default]
    Standard,
    /// From wherever they began, in Chess960 and double Chess960; written as the king taking its
    /// own rook (`e1h1`).
    Chess960,
}

/// Which way a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CastlingSide {
    /// Short: towards the h-file.
    King = 0,
    /// Long: towards the a-file.
    Queen = 1,
}

impl CastlingSide {
    /// Both, the king's side first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::King, CastlingSide::Queen];
}

/// A set of castling rights: the specification's bits 1 (white king-side), 2 (white
/// queen-side), 4 (black king-side) and 8 (black queen-side).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No right.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// All four rights.
    pub const ALL: CastlingRights = CastlingRights(15);

    /// The rights whose bits are set; `None` if any bit above the fourth is.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Option<CastlingRights> {
        if bits < 16 {
            Some(CastlingRights(bits))
        } else {
            None
        }
    }

    /// The rights that the four lowest bits are.
    #[inline]
    #[must_use]
    pub(crate) const fn from_low_bits(bits: u8) -> CastlingRights {
        CastlingRights(bits & 15)
    }

    /// The single right of `color` towards `side`.
    #[inline]
    #[must_use]
    pub const fn of(color: Color, side: CastlingSide) -> CastlingRights {
        CastlingRights(1 << (2 * color as u8 + side as u8))
    }

    /// The four bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Is the right of `color` towards `side` in the set?
    #[inline]
    #[must_use]
    pub const fn has(self, color: Color, side: CastlingSide) -> bool {
        self.0 & CastlingRights::of(color, side).0 != 0
    }

    /// Has `color` any right?
    #[inline]
    #[must_use]
    pub const fn has_any(self, color: Color) -> bool {
        self.0 & 3 << (2 * color as u8) != 0
    }

    /// Each side's rights given to the other.
    #[must_use]
    pub const fn flip(self) -> CastlingRights {
        CastlingRights(self.0 << 2 & 15 | self.0 >> 2)
    }

    /// Is the set empty?
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Both sets together.
    #[inline]
    #[must_use]
    pub const fn union(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | other.0)
    }

    /// What is left when a piece leaves or reaches `square`: the rights whose king or rook
    /// starts there are gone.
    #[inline]
    #[must_use]
    pub(crate) const fn after_touching(self, square: Square) -> CastlingRights {
        CastlingRights(self.0 & KEPT[square as usize])
    }
}

/// `[square]`: the rights that survive a move from or to it.
static KEPT: [u8; 64] = {
    let mut kept = [15; 64];
    kept[Square::E1 as usize] = 12;
    kept[Square::H1 as usize] = 14;
    kept[Square::A1 as usize] = 13;
    kept[Square::E8 as usize] = 3;
    kept[Square::H8 as usize] = 11;
    kept[Square::A8 as usize] = 7;
    kept
};

/// Writes the FEN field: some of `KQkq`, or `-`.
impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (bit, letter) in ["K", "Q", "k", "q"].into_iter().enumerate() {
            if self.0 >> bit & 1 != 0 {
                f.write_str(letter)?;
            }
        }
        Ok(())
    }
}
