//! Piece types and pieces.

use super::Color;
use core::fmt;

/// A kind of piece, without its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceType {
    /// Pawn.
    Pawn = 0,
    /// Knight.
    Knight = 1,
    /// Bishop.
    Bishop = 2,
    /// Rook.
    Rook = 3,
    /// Queen.
    Queen = 4,
    /// King.
    King = 5,
}

impl PieceType {
    /// All six, in the order of their numbers.
    pub const ALL: [PieceType; 6] = [
        PieceType::Pawn,
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
        PieceType::King,
    ];
    /// The four that a pawn may become, the most valuable first.
    pub const PROMOTIONS: [PieceType; 4] = [
        PieceType::Queen,
        PieceType::Rook,
        PieceType::Bishop,
        PieceType::Knight,
    ];
    /// How many kinds there are.
    pub const COUNT: usize = 6;

    /// The number of this kind: 0 to 5.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The piece of this kind on the side `color`.
    #[inline]
    #[must_use]
    pub const fn of(self, color: Color) -> Piece {
        Piece::ALL[self as usize + 6 * color as usize]
    }

    /// The lower-case letter: `p n b r q k`.
    #[must_use]
    pub const fn to_char(self) -> char {
        b"pnbrqk"[self as usize] as char
    }

    /// The kind that a letter of either case names.
    #[must_use]
    pub const fn from_char(c: char) -> Option<PieceType> {
        Some(match c {
            'p' | 'P' => PieceType::Pawn,
            'n' | 'N' => PieceType::Knight,
            'b' | 'B' => PieceType::Bishop,
            'r' | 'R' => PieceType::Rook,
            'q' | 'Q' => PieceType::Queen,
            'k' | 'K' => PieceType::King,
            _ => return None,
        })
    }
}

/// A piece of one side: the specification's P, N, B, R, Q, K, p, n, b, r, q, k = 0 to 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    WhitePawn = 0,
    WhiteKnight = 1,
    WhiteBishop = 2,
    WhiteRook = 3,
    WhiteQueen = 4,
    WhiteKing = 5,
    BlackPawn = 6,
    BlackKnight = 7,
    BlackBishop = 8,
    BlackRook = 9,
    BlackQueen = 10,
    BlackKing = 11,
}

impl Piece {
    /// All twelve, in the order of their numbers.
    pub const ALL: [Piece; 12] = [
        Piece::WhitePawn,
        Piece::WhiteKnight,
        Piece::WhiteBishop,
        Piece::WhiteRook,
        Piece::WhiteQueen,
        Piece::WhiteKing,
        Piece::BlackPawn,
        Piece::BlackKnight,
        Piece::BlackBishop,
        Piece::BlackRook,
        Piece::BlackQueen,
        Piece::BlackKing,
    ];
    /// How many pieces there are.
    pub const COUNT: usize = 12;

    /// The number of this piece: 0 to 11.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The piece with this number, if it is one.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Piece> {
        if index < 12 {
            Some(Piece::ALL[index])
        } else {
            None
        }
    }

    /// Its kind.
    #[inline]
    #[must_use]
    pub const fn piece_type(self) -> PieceType {
        let index = self as usize;
        PieceType::ALL[if index >= 6 { index - 6 } else { index }]
    }

    /// Its side.
    #[inline]
    #[must_use]
    pub const fn color(self) -> Color {
        if self as u8 >= 6 {
            Color::Black
        } else {
            Color::White
        }
    }

    /// The FEN letter: upper case for white.
    #[must_use]
    pub const fn to_char(self) -> char {
        b"PNBRQKpnbrqk"[self as usize] as char
    }

    /// The piece that a FEN letter names.
    #[must_use]
    pub const fn from_char(c: char) -> Option<Piece> {
        match PieceType::from_char(c) {
            Some(kind) if c.is_ascii_uppercase() => Some(kind.of(Color::White)),
            Some(kind) => Some(kind.of(Color::Black)),
            None => None,
        }
    }
}

/// Writes the FEN letter.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.to_char())
    }
}

const _: () = assert!(core::mem::size_of::<Option<Piece>>() == 1);
