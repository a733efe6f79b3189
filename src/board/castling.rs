//! Castling: from where, to where, through what, in the standard game and in Chess960.
//!
//! A board is of one of two kinds ([`Variant`]). On a standard board kings castle from the e-file
//! with the rooks in the corners, the squares are constants, and a castling [`Move`] has the
//! king's target (`e1g1`). On a Chess960 board (or double Chess960, where the sides begin
//! differently) king and rooks may stand anywhere on their home rank. There a castling move has
//! the *rook's* square for its target, as the UCI protocol writes it: the king's own target would
//! not do, since it may be where the king stands, or be reached by a plain step as well; and no
//! other move ends on a piece of its own side.
//!
//! What only Chess960 needs is kept out of the way: each path here begins with one test of a flag.

use super::Board;
use crate::attacks;
use crate::types::{
    Bitboard, CastlingRights, CastlingSide, Color, File, Move, PieceType, Rank, Square, Variant,
};
use core::fmt;

/// The rights to castle, where kings and rooks stand as long as they have them, and the board's
/// kind, in one word: it is copied with every board and asked for with every move.
///
/// The lowest four bits are the rights. Three bits for each file follow: those of the rooks in the
/// order of the rights, then the two kings', each XORed with the standard file; and the last bit
/// is set for Chess960. So a standard board has nothing but the rights. What has lost its right
/// has the standard file, so that equal positions are equal values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Castling(u32);

impl Castling {
    const CHESS960: u32 = 1 << 31;
    /// Rooks on h, a, h and a, and kings on e and e.
    const STANDARD_FILES: u32 = 7 << 4 | 7 << 10 | 4 << 16 | 4 << 19;

    /// No right yet, on a board of this kind.
    pub(super) const fn none(variant: Variant) -> Castling {
        match variant {
            Variant::Standard => Castling(0),
            Variant::Chess960 => Castling(Castling::CHESS960),
        }
    }

    /// These rights on a standard board.
    #[inline]
    pub(super) const fn standard(rights: CastlingRights) -> Castling {
        Castling(rights.bits() as u32)
    }

    #[inline]
    pub(super) const fn is_chess960(self) -> bool {
        self.0 & Castling::CHESS960 != 0
    }

    #[inline]
    const fn variant(self) -> Variant {
        if self.is_chess960() {
            Variant::Chess960
        } else {
            Variant::Standard
        }
    }

    #[inline]
    pub(super) const fn rights(self) -> CastlingRights {
        CastlingRights::from_low_bits(self.0 as u8)
    }

    /// These rights, with king and rooks where they are for the rights before.
    #[inline]
    pub(super) fn set_rights(&mut self, rights: CastlingRights) {
        self.0 = self.0 & !15 | u32::from(rights.bits());
    }

    const fn rook_shift(color: Color, side: CastlingSide) -> u32 {
        4 + 3 * (2 * color as u32 + side as u32)
    }

    const fn king_shift(color: Color) -> u32 {
        16 + 3 * color as u32
    }

    const fn square(self, color: Color, shift: u32) -> Square {
        let file = File::ALL[((self.0 ^ Castling::STANDARD_FILES) >> shift & 7) as usize];
        Square::new(file, Rank::First.relative_to(color))
    }

    const fn rook(self, color: Color, side: CastlingSide) -> Square {
        self.square(color, Castling::rook_shift(color, side))
    }

    const fn king(self, color: Color) -> Square {
        self.square(color, Castling::king_shift(color))
    }

    fn set_file(&mut self, shift: u32, file: File) {
        let change = (Castling::STANDARD_FILES >> shift & 7) ^ file as u32;
        self.0 = self.0 & !(7 << shift) | change << shift;
    }

    /// Says where king and rook of a right stand.
    pub(super) fn set_files(&mut self, color: Color, side: CastlingSide, king: File, rook: File) {
        self.set_file(Castling::king_shift(color), king);
        self.set_file(Castling::rook_shift(color, side), rook);
    }

    /// The same for the other side: rights, and where kings and rooks stand.
    pub(super) fn flip(self) -> Castling {
        let mut flipped = Castling::none(self.variant());
        flipped.set_rights(self.rights().flip());
        for (color, side) in each_right() {
            if self.rights().has(color, side) {
                let (king, rook) = (self.king(color), self.rook(color, side));
                flipped.set_files(color.opposite(), side, king.file(), rook.file());
            }
        }
        flipped
    }

    /// What is left when a piece leaves or reaches `square`.
    fn after_touching(self, square: Square) -> Castling {
        let mut left = Castling::none(Variant::Chess960);
        for (color, side) in each_right() {
            let (king, rook) = (self.king(color), self.rook(color, side));
            if self.rights().has(color, side) && king != square && rook != square {
                left.set_rights(left.rights().union(CastlingRights::of(color, side)));
                left.set_files(color, side, king.file(), rook.file());
            }
        }
        left
    }
}

/// The four rights in the order of their bits.
pub(super) fn each_right() -> impl Iterator<Item = (Color, CastlingSide)> {
    Color::ALL
        .into_iter()
        .flat_map(|color| CastlingSide::ALL.map(|side| (color, side)))
}

/// `(from, to)`
type Journey = (Square, Square);

/// The standard game: the king's way, and the rook's.
#[inline]
pub(super) const fn standard_squares(color: Color, side: CastlingSide) -> (Journey, Journey) {
    use Square::*;
    match (color, side) {
        (Color::White, CastlingSide::King) => ((E1, G1), (H1, F1)),
        (Color::White, CastlingSide::Queen) => ((E1, C1), (A1, D1)),
        (Color::Black, CastlingSide::King) => ((E8, G8), (H8, F8)),
        (Color::Black, CastlingSide::Queen) => ((E8, C8), (A8, D8)),
    }
}

/// The standard game: the squares that must be empty, and those that must not be attacked (the
/// king's own apart, which is not in check).
#[inline]
pub(super) const fn standard_path(color: Color, side: CastlingSide) -> (Bitboard, Bitboard) {
    let ((king_from, king_to), (rook_from, rook_to)) = standard_squares(color, side);
    let free = attacks::between(king_from, rook_from);
    (free, Bitboard(rook_to.bitboard().0 | king_to.bitboard().0))
}

impl Board {
    /// Which castling this board knows, and how its castling moves are written.
    #[inline]
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.castling.variant()
    }

    /// The rook with which `color` has the right to castle towards `side`, if it has.
    #[must_use]
    pub const fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        if self.castling.rights().has(color, side) {
            Some(self.castling.rook(color, side))
        } else {
            None
        }
    }

    /// The legal castling towards `side`, if there is one.
    #[must_use]
    pub fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let us = self.side;
        (!self.in_check() && self.may_castle(us, side)).then(|| {
            let (source, target) = self.castling_move_squares(us, side);
            Move::castling(source, target, us)
        })
    }

    /// Source and target of a castling move as it is encoded.
    #[inline]
    pub(super) fn castling_move_squares(
        &self,
        color: Color,
        side: CastlingSide,
    ) -> (Square, Square) {
        if self.castling.is_chess960() {
            (self.king(color), self.castling.rook(color, side))
        } else {
            standard_squares(color, side).0
        }
    }

    /// The king's way and the rook's, on a Chess960 board. (Both end where they do in the
    /// standard game.)
    pub(super) fn chess960_squares(&self, color: Color, side: CastlingSide) -> (Journey, Journey) {
        let ((_, king_to), (_, rook_to)) = standard_squares(color, side);
        let rook_from = self.castling.rook(color, side);
        ((self.king(color), king_to), (rook_from, rook_to))
    }

    /// May `color`, not in check, castle towards `side` now? (The right alone is not enough.)
    #[inline]
    pub(super) fn may_castle(&self, color: Color, side: CastlingSide) -> bool {
        if self.castling.is_chess960() {
            return self.may_castle_chess960(color, side);
        }
        let (free, safe) = standard_path(color, side);
        let occupied = self.occupied();
        self.castling.rights().has(color, side)
            && (occupied & free).is_empty()
            && !safe
                .into_iter()
                .any(|s| self.is_attacked_by(color.opposite(), s, occupied))
    }

    #[cold]
    #[inline(never)]
    pub(super) fn may_castle_chess960(&self, color: Color, side: CastlingSide) -> bool {
        if !self.castling.rights().has(color, side) {
            return false;
        }
        let ((king_from, king_to), (rook_from, rook_to)) = self.chess960_squares(color, side);
        let others = self.occupied().without(king_from).without(rook_from);
        let king_way = attacks::between(king_from, king_to).with(king_to);
        let rook_way = attacks::between(rook_from, rook_to).with(rook_to);
        let them = color.opposite();
        // On its way the king still has its rook where it was; at the end the rook may have
        // left it open to a slider on the rank.
        ((king_way | rook_way) & others).is_empty()
            && !king_way
                .into_iter()
                .any(|s| self.is_attacked_by(them, s, others.with(rook_from)))
            && !self.is_attacked_by(them, king_to, others.with(rook_to))
    }

    /// The legal castling whose text is the king on `source` taking its own rook on `target`:
    /// a move of Chess960 boards only.
    #[cold]
    pub(super) fn castling_onto_rook(&self, source: Square, target: Square) -> Option<Move> {
        let us = self.side;
        if !self.castling.is_chess960() || source != self.king(us) {
            return None;
        }
        CastlingSide::ALL
            .into_iter()
            .find(|&side| self.castling_rook(us, side) == Some(target))
            .and_then(|side| self.castling_move(side))
    }

    /// What is left of the rights on a Chess960 board when pieces have left or reached these
    /// squares.
    #[cold]
    #[inline(never)]
    pub(super) fn touch_chess960(&mut self, a: Square, b: Square) {
        self.castling = self.castling.after_touching(a).after_touching(b);
    }

    /// `color`'s rook that stands outermost towards `side`, as seen from its king.
    pub(super) fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let king = self.of(color, PieceType::King).first()?;
        let home = Rank::First.relative_to(color);
        File::ALL
            .into_iter()
            .map(|file| Square::new(file, home))
            .filter(|&square| self.piece_on(square) == Some(PieceType::Rook.of(color)))
            .filter(|&square| side_of(king, square) == Some(side))
            .max_by_key(|&square| king.file().index().abs_diff(square.file().index()))
    }

    /// Writes the castling field of a FEN. As X-FEN has it, a right is `K` or `Q` (or small)
    /// if its rook is the outermost there, and else the rook's file; for Shredder all are files.
    pub(super) fn write_castling(
        &self,
        f: &mut fmt::Formatter<'_>,
        all_files: bool,
    ) -> fmt::Result {
        if self.castling.rights().is_empty() || !(self.castling.is_chess960() || all_files) {
            return write!(f, "{}", self.castling.rights());
        }
        for (color, side) in each_right() {
            let Some(rook) = self.castling_rook(color, side) else {
                continue;
            };
            let letter = if all_files || self.outermost_rook(color, side) != Some(rook) {
                b'A' + rook.file() as u8
            } else {
                match side {
                    CastlingSide::King => b'K',
                    CastlingSide::Queen => b'Q',
                }
            };
            let letter = match color {
                Color::White => letter,
                Color::Black => letter.to_ascii_lowercase(),
            };
            fmt::Write::write_char(f, letter as char)?;
        }
        Ok(())
    }

    /// The starting position of Chess960 with this number, 0 to 959, as Reinhard Scharnagl has
    /// numbered them; 518 is the standard one. `None` for any other number.
    ///
    /// ```
    /// use kirin::Board;
    /// let board = Board::chess960_start(0).expect("below 960");
    /// assert_eq!(board.to_string(), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// assert!(Board::chess960_start(960).is_none());
    /// ```
    #[must_use]
    pub fn chess960_start(number: u16) -> Option<Board> {
        Board::double_chess960_start(number, number)
    }

    /// The starting position of double Chess960 in which the sides have these numbers, each 0 to
    /// 959; `None` for any other.
    #[must_use]
    pub fn double_chess960_start(white: u16, black: u16) -> Option<Board> {
        let mut board = Board::empty();
        board.castling = Castling::none(Variant::Chess960);
        board.castling.set_rights(CastlingRights::ALL);
        for (color, number) in Color::ALL.into_iter().zip([white, black]) {
            let kinds = back_rank(number)?;
            let (home, second) = (
                Rank::First.relative_to(color),
                Rank::Second.relative_to(color),
            );
            for (file, kind) in File::ALL.into_iter().zip(kinds) {
                board.set_piece(kind.of(color), Square::new(file, home));
                board.set_piece(PieceType::Pawn.of(color), Square::new(file, second));
            }
            let king = board.king(color);
            for side in CastlingSide::ALL {
                let rook = board.outermost_rook(color, side)?;
                board
                    .castling
                    .set_files(color, side, king.file(), rook.file());
            }
        }
        board.validate(None).ok()?;
        Some(board)
    }

    /// Do king and rook stand where their right to castle needs them?
    pub(super) fn castling_pieces_are_home(&self, color: Color, side: CastlingSide) -> bool {
        let rook = self.castling.rook(color, side);
        let king = self.castling.king(color);
        let stands = |kind: PieceType, square| self.piece_on(square) == Some(kind.of(color));
        stands(PieceType::King, king)
            && stands(PieceType::Rook, rook)
            && side_of(king, rook) == Some(side)
    }
}

/// The side of the king on which a square lies, if it is on another file.
pub(super) fn side_of(king: Square, square: Square) -> Option<CastlingSide> {
    match square.file().cmp(&king.file()) {
        core::cmp::Ordering::Less => Some(CastlingSide::Queen),
        core::cmp::Ordering::Equal => None,
        core::cmp::Ordering::Greater => Some(CastlingSide::King),
    }
}

/// The pieces from the a-file to the h-file of a starting position by its number. The number is
/// built from choices: the file of the bishop on light squares, that of the other, the queen's
/// place among the six files left, and the knights' two among the then five. The rooks take the
/// outer ones of the last three, with the king between them.
fn back_rank(number: u16) -> Option<[PieceType; 8]> {
    use PieceType::{Bishop, King, Knight, Queen, Rook};
    if number >= 960 {
        return None;
    }
    let number = usize::from(number);
    let mut kinds = [None; 8];
    kinds[2 * (number % 4) + 1] = Some(Bishop);
    kinds[2 * (number / 4 % 4)] = Some(Bishop);
    let mut place = |kind: PieceType, free_files_before: usize| {
        let mut free = kinds.iter_mut().filter(|kind| kind.is_none());
        if let Some(file) = free.nth(free_files_before) {
            *file = Some(kind);
        }
    };
    place(Queen, number / 16 % 6);
    let mut pairs = (0..5).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
    let (first, second) = pairs.nth(number / 96)?;
    // The later one first: the earlier one would change its place.
    place(Knight, second);
    place(Knight, first);
    for kind in [Rook, King, Rook] {
        place(kind, 0);
    }
    Some(kinds.map(|kind| kind.unwrap_or(Rook)))
}
