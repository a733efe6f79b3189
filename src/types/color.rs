//! The two sides.

use core::fmt;
use core::ops::Not;

/// A side: the specification's `side` (white = 0, black = 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first, towards rank 8 (towards lower square numbers).
    White = 0,
    /// The side that moves towards rank 1.
    Black = 1,
}

impl Color {
    /// Both sides, in the order of their numbers.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];
    /// How many sides there are.
    pub const COUNT: usize = 2;

    /// The other side.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// The number of this side: 0 or 1.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of the FEN field: `w` or `b`.
    #[must_use]
    pub const fn to_char(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        self.opposite()
    }
}

/// Writes the FEN letter, `w` or `b`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.to_char())
    }
}
