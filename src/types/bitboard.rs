//! Sets of squares, one bit for each.

use super::{Color, Square};
use core::fmt;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

/// A set of squares: bit `n` stands for the square with number `n` (bit 0 is a8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The light squares (a8 is one).
    pub const LIGHT_SQUARES: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
    /// The dark squares (a1 is one).
    pub const DARK_SQUARES: Bitboard = Bitboard(!0xaa55_aa55_aa55_aa55);

    /// Is `square` in the set?
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// Is the set empty?
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is there any square in the set?
    #[inline]
    #[must_use]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Are there two squares or more in the set?
    #[inline]
    #[must_use]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares the set holds.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The set with the square added.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square as u8)
    }

    /// The set with the square taken out.
    #[inline]
    #[must_use]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << square as u8))
    }

    /// The member with the lowest number.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::wrap(self.0.trailing_zeros() as u8))
        }
    }

    /// The member with the lowest number of a set that is known to hold one (a king's, say).
    /// Of the empty set it gives a8: no caller in the crate asks.
    #[inline]
    #[must_use]
    pub(crate) const fn first_unchecked(self) -> Square {
        Square::wrap(self.0.trailing_zeros() as u8)
    }

    /// Every member moved one step ahead as `color`'s pawns go; those on the last rank drop out.
    #[inline]
    #[must_use]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 >> 8),
            Color::Black => Bitboard(self.0 << 8),
        }
    }

    /// Every member moved one file towards the a-file; those on it drop out.
    #[inline]
    #[must_use]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & !FILE_A) >> 1)
    }

    /// Every member moved one file towards the h-file; those on it drop out.
    #[inline]
    #[must_use]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & !FILE_H) << 1)
    }

    /// The set with ranks flipped.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// Every file that holds a member, filled from end to end.
    #[inline]
    #[must_use]
    pub const fn file_fill(self) -> Bitboard {
        let mut b = self.0;
        b |= b >> 8;
        b |= b >> 16;
        b |= b >> 32;
        Bitboard((b & 0xff).wrapping_mul(FILE_A))
    }
}

macro_rules! set_operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $op:tt;)*) => {$(
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }

        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                self.0 = self.0 $op other.0;
            }
        }
    )*};
}

set_operators! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

/// Set difference.
impl Sub for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl SubAssign for Bitboard {
    #[inline]
    fn sub_assign(&mut self, other: Bitboard) {
        self.0 &= !other.0;
    }
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Bitboard {
        square.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |set, square| set.with(square))
    }
}

/// Visits the members in the order of their numbers.
impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = BitboardIter;

    #[inline]
    fn into_iter(self) -> BitboardIter {
        BitboardIter(self)
    }
}

/// The members of a [`Bitboard`], in the order of their numbers.
#[derive(Clone, Debug)]
pub struct BitboardIter(Bitboard);

impl Iterator for BitboardIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0 .0 &= self.0 .0.wrapping_sub(1);
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for BitboardIter {}

/// Draws the set as a board, rank 8 on top: `X` for members, `.` for the rest.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::ALL {
            f.write_str(if self.contains(square) { "X" } else { "." })?;
            f.write_str(if square.index() % 8 == 7 { "\n" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitboard({:#018x})", self.0)
    }
}
