//! Squares, files and ranks.

use super::{Bitboard, Color};
use core::fmt;
use core::str::FromStr;

/// A square: the specification's numbers, a8 = 0, b8 = 1, … h1 = 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Square {
    A8, B8, C8, D8, E8, F8, G8, H8,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A1, B1, C1, D1, E1, F1, G1, H1,
}

impl Square {
    /// All squares, in the order of their numbers.
    #[rustfmt::skip]
    pub const ALL: [Square; 64] = [
        Square::A8, Square::B8, Square::C8, Square::D8,
        Square::E8, Square::F8, Square::G8, Square::H8,
        Square::A7, Square::B7, Square::C7, Square::D7,
        Square::E7, Square::F7, Square::G7, Square::H7,
        Square::A6, Square::B6, Square::C6, Square::D6,
        Square::E6, Square::F6, Square::G6, Square::H6,
        Square::A5, Square::B5, Square::C5, Square::D5,
        Square::E5, Square::F5, Square::G5, Square::H5,
        Square::A4, Square::B4, Square::C4, Square::D4,
        Square::E4, Square::F4, Square::G4, Square::H4,
        Square::A3, Square::B3, Square::C3, Square::D3,
        Square::E3, Square::F3, Square::G3, Square::H3,
        Square::A2, Square::B2, Square::C2, Square::D2,
        Square::E2, Square::F2, Square::G2, Square::H2,
        Square::A1, Square::B1, Square::C1, Square::D1,
        Square::E1, Square::F1, Square::G1, Square::H1,
    ];
    /// How many squares there are.
    pub const COUNT: usize = 64;

    /// The number of this square: 0 to 63.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The square with this number, if it is one.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < 64 {
            Some(Square::wrap(index as u8))
        } else {
            None
        }
    }

    /// The square whose number is `index` modulo 64. Within the crate it only meets numbers
    /// that are squares already; the mask makes the conversion total, so it needs no check.
    #[inline]
    #[must_use]
    #[allow(unsafe_code)]
    pub(crate) const fn wrap(index: u8) -> Square {
        // SAFETY: the enum is `repr(u8)` with exactly the discriminants 0 to 63, and the mask
        // leaves one of them. (A match or an array look-up compiles to a table load in each
        // bit-scan loop.)
        unsafe { core::mem::transmute::<u8, Square>(index & 63) }
    }

    /// The square on this file and rank.
    #[inline]
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::wrap((7 - rank as u8) * 8 + file as u8)
    }

    /// Its file.
    #[inline]
    #[must_use]
    pub const fn file(self) -> File {
        File::ALL[self as usize & 7]
    }

    /// Its rank.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::ALL[7 - (self as usize >> 3)]
    }

    /// The set that holds this square alone.
    #[inline]
    #[must_use]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }

    /// The same square seen from the other side: ranks are flipped (a1 and a8 change places).
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Square {
        Square::wrap(self as u8 ^ 56)
    }

    /// The square as `color` sees it: unchanged for white, flipped for black.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => self.flip(),
        }
    }

    /// The square one step ahead of `color`'s pawns; `None` on their last rank.
    #[must_use]
    pub const fn forward(self, color: Color) -> Option<Square> {
        match color {
            Color::White if self as u8 >= 8 => Some(Square::wrap(self as u8 - 8)),
            Color::Black if (self as u8) < 56 => Some(Square::wrap(self as u8 + 8)),
            _ => None,
        }
    }

    /// King moves to `other` on an empty board: the larger of file and rank distance.
    #[must_use]
    pub const fn distance(self, other: Square) -> u32 {
        let files = (self as u32 & 7).abs_diff(other as u32 & 7);
        let ranks = (self as u32 >> 3).abs_diff(other as u32 >> 3);
        if files > ranks {
            files
        } else {
            ranks
        }
    }
}

/// Writes the algebraic name, such as `e4`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

/// The text was no square name such as `e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square (a letter a to h and a digit 1 to 8)")
    }
}

impl core::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Ok(Square::wrap((b'8' - rank) * 8 + (file - b'a')))
            }
            _ => Err(ParseSquareError),
        }
    }
}

/// A file: A = 0 to H = 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum File { A, B, C, D, E, F, G, H }

impl File {
    /// All files, from a to h.
    #[rustfmt::skip]
    pub const ALL: [File; 8] =
        [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];
    /// How many files there are.
    pub const COUNT: usize = 8;

    /// The number of this file: 0 to 7.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its eight squares.
    #[inline]
    #[must_use]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }
}

/// Writes the letter, `a` to `h`.
impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, (b'a' + *self as u8) as char)
    }
}

/// A rank as people count it: `First` (white's home) to `Eighth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs)]
pub enum Rank { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }

impl Rank {
    /// All ranks, from the first to the eighth.
    #[rustfmt::skip]
    pub const ALL: [Rank; 8] = [
        Rank::First, Rank::Second, Rank::Third, Rank::Fourth,
        Rank::Fifth, Rank::Sixth, Rank::Seventh, Rank::Eighth,
    ];
    /// How many ranks there are.
    pub const COUNT: usize = 8;

    /// The number of this rank: 0 for the first, 7 for the eighth.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its eight squares.
    #[inline]
    #[must_use]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (8 * (7 - self as u8)))
    }

    /// The rank as `color` counts it: the first is that side's home rank.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank::ALL[7 - self as usize],
        }
    }
}

/// Writes the digit, `1` to `8`.
impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, (b'1' + *self as u8) as char)
    }
}

const _: () = assert!(core::mem::size_of::<Option<Square>>() == 1);
