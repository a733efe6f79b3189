//! What each piece attacks: look-ups over the generated tables, nothing else.
//!
//! All functions are `const fn`, so a dependant can build tables of its own from these at
//! compile time. Slider look-ups take the occupancy of the whole board; the piece's own square
//! may be in it or not.
//!
//! Where the target has instructions that make slider look-ups quicker, constants cannot use
//! them: a program that looks up as it runs takes those of [`runtime`], which answer the same.

use crate::lines;
use crate::tables;
use crate::types::{Bitboard, Color, Square};

/// The squares that a pawn of `color` on `square` attacks.
///
/// ```
/// use kirin::{attacks, Color, Square};
/// let from_e4 = attacks::pawn_attacks(Color::White, Square::E4);
/// assert_eq!(from_e4, [Square::D5, Square::F5].into_iter().collect());
/// ```
#[inline]
#[must_use]
pub const fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    Bitboard(lines::pawn_attacks(color as usize, square as usize))
}

/// The squares that a knight on `square` attacks.
#[inline]
#[must_use]
pub const fn knight_attacks(square: Square) -> Bitboard {
    Bitboard(tables::KNIGHT_ATTACKS[square as usize])
}

/// The squares that a king on `square` attacks.
#[inline]
#[must_use]
pub const fn king_attacks(square: Square) -> Bitboard {
    Bitboard(tables::KING_ATTACKS[square as usize])
}

/// The squares that a bishop on `square` attacks, up to and with the first piece on each
/// diagonal.
#[inline]
#[must_use]
pub const fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(tables::bishop_attacks(square as usize, occupied.0))
}

/// The squares that a rook on `square` attacks, up to and with the first piece on each line.
///
/// ```
/// use kirin::{attacks, Bitboard, Square};
/// let occupied: Bitboard = [Square::A4, Square::C1].into_iter().collect();
/// let expected = [Square::A2, Square::A3, Square::A4, Square::B1, Square::C1];
/// assert_eq!(attacks::rook_attacks(Square::A1, occupied), expected.into_iter().collect());
/// ```
#[inline]
#[must_use]
pub const fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(tables::rook_attacks(square as usize, occupied.0))
}

/// The squares that a queen on `square` attacks: a bishop's and a rook's together.
#[inline]
#[must_use]
pub const fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(bishop_attacks(square, occupied).0 | rook_attacks(square, occupied).0)
}

/// The slider look-ups for a program as it runs: the same answers as those of
/// [`attacks`](crate::attacks), from the fastest instructions that the target has.
///
/// [`generated::BACKEND`](crate::generated::BACKEND) says which; `KIRIN_BACKEND` in the
/// environment of the build forces one. These are here on every target, whatever serves them.
pub mod runtime {
    use crate::tables;
    use crate::types::{Bitboard, Square};

    /// The squares that a bishop on `square` attacks, up to and with the first piece on each
    /// diagonal.
    #[inline]
    #[must_use]
    pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(tables::runtime::bishop_attacks(square as usize, occupied.0))
    }

    /// The squares that a rook on `square` attacks, up to and with the first piece on each line.
    #[inline]
    #[must_use]
    pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(tables::runtime::rook_attacks(square as usize, occupied.0))
    }

    /// The squares that a queen on `square` attacks: a bishop's and a rook's together.
    ///
    /// ```
    /// use kirin::{attacks, Bitboard, Square};
    /// let occupied: Bitboard = [Square::A4, Square::C1].into_iter().collect();
    /// assert_eq!(
    ///     attacks::runtime::queen_attacks(Square::A1, occupied),
    ///     attacks::queen_attacks(Square::A1, occupied),
    /// );
    /// ```
    #[inline]
    #[must_use]
    pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(tables::runtime::queen_attacks(square as usize, occupied.0))
    }
}

/// The squares that a bishop on `square` attacks on an empty board.
#[inline]
#[must_use]
pub const fn bishop_rays(square: Square) -> Bitboard {
    Bitboard(tables::BISHOP_RAYS[square as usize])
}

/// The squares that a rook on `square` attacks on an empty board.
#[inline]
#[must_use]
pub const fn rook_rays(square: Square) -> Bitboard {
    Bitboard(tables::ROOK_RAYS[square as usize])
}

/// The squares strictly between two squares of one rank, file or diagonal; else none.
#[inline]
#[must_use]
pub const fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(lines::between(a as usize, b as usize))
}

/// The whole rank, file or diagonal through two different squares, from edge to edge and with
/// both; none where no line joins them.
#[inline]
#[must_use]
pub const fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(lines::line(a as usize, b as usize))
}
