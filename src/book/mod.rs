//! Opening books in the Polyglot format: reading them, and the hash that finds a position in one.
//!
//! A book is a sorted list of entries of sixteen bytes, all numbers big-endian: the key of a
//! position (8), a move (2), its weight (2), and a field for learning (4) that is not used here. A
//! move holds the target's file and rank in three bits each, then the source's, then the promoted
//! piece (1 knight to 4 queen); castling is written as the king taking its own rook.
//! (Fabien Letouzey, "The book format", of Polyglot 1.4.)
//!
//! Nothing here opens a file: a book is read through [`crate::ReadAt`], and bytes in memory are one. A
//! book may be damaged in any way: what is read from it is looked at with the board beside it,
//! and a move that is not legal there is not a book move.

mod numbers;

use crate::board::Board;
use crate::read_at::ReadAt;
use crate::types::{CastlingSide, Color, Move, PieceType, Square, Variant};
use core::fmt;
use numbers::NUMBERS;

/// Why a book can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BookError<E> {
    /// It can't be read.
    Read(E),
    /// Its length in bytes is no multiple of an entry's, so it is something else, or cut off.
    BadLength(u64),
    /// It has no entry.
    Empty,
}

impl<E: fmt::Display> fmt::Display for BookError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Read(error) => write!(f, "the book can't be read: {error}"),
            BookError::BadLength(length) => write!(
                f,
                "not a Polyglot book, or cut off: its length of {length} bytes is not a multiple \
                 of {ENTRY_BYTES}"
            ),
            BookError::Empty => f.write_str("the book is empty"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for BookError<E> {}

const ENTRY_BYTES: u64 = 16;

/// The most entries that are looked at for one position: no position has more moves, and a book
/// that repeats its moves without end must not hold up the game.
const MAX_ENTRIES: u64 = 256;

/// A move of the book for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, which is legal there.
    pub mv: Move,
    /// How good or how frequent it is, compared with the position's others.
    pub weight: u16,
}

/// A book in the Polyglot format.
#[derive(Clone, Debug)]
pub struct Book<R> {
    source: R,
    entries: u64,
}

struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

impl<R: ReadAt> Book<R> {
    /// The book that these bytes are. Only their length is looked at.
    ///
    /// # Errors
    ///
    /// If that is not a book's.
    pub fn new(source: R) -> Result<Book<R>, BookError<R::Error>> {
        let length = source.size().map_err(BookError::Read)?;
        if length == 0 {
            return Err(BookError::Empty);
        }
        if length % ENTRY_BYTES != 0 {
            return Err(BookError::BadLength(length));
        }
        let entries = length / ENTRY_BYTES;
        Ok(Book { source, entries })
    }

    /// How many entries there are.
    #[must_use]
    pub const fn entries(&self) -> u64 {
        self.entries
    }

    fn entry(&self, index: u64) -> Result<Entry, BookError<R::Error>> {
        let mut bytes = [0; ENTRY_BYTES as usize];
        self.source
            .read_at(index * ENTRY_BYTES, &mut bytes)
            .map_err(BookError::Read)?;
        let bits = u128::from_be_bytes(bytes);
        Ok(Entry {
            key: (bits >> 64) as u64,
            mv: (bits >> 48) as u16,
            weight: (bits >> 32) as u16,
        })
    }

    /// Calls `found` for each move that the book has for this position and that is legal there,
    /// in the book's order. A weight may be 0: such a move is not to be played.
    ///
    /// # Errors
    ///
    /// If the book can't be read.
    pub fn for_each_move(
        &self,
        board: &Board,
        mut found: impl FnMut(BookMove),
    ) -> Result<(), BookError<R::Error>> {
        let key = key(board);
        // The first entry that is not below the key. A book out of order ends the search, too.
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for index in low..self.entries.min(low.saturating_add(MAX_ENTRIES)) {
            let entry = self.entry(index)?;
            if entry.key != key {
                break;
            }
            if let Some(mv) = read_move(board, entry.mv) {
                found(BookMove {
                    mv,
                    weight: entry.weight,
                });
            }
        }
        Ok(())
    }

    /// One of the book's moves for this position, each as likely as its weight says; `random` is
    /// any number that is drawn evenly. `None` if the book has none to play.
    ///
    /// # Errors
    ///
    /// If the book can't be read.
    pub fn choose(&self, board: &Board, random: u64) -> Result<Option<Move>, BookError<R::Error>> {
        let mut total = 0;
        self.for_each_move(board, |book_move| total += u64::from(book_move.weight))?;
        // The upper half of the product: even, but for less than one part in 2^39.
        let mut left = ((u128::from(random) * u128::from(total)) >> 64) as u64;
        let mut chosen = None;
        self.for_each_move(board, |BookMove { mv, weight }| {
            if chosen.is_none() && left < u64::from(weight) {
                chosen = Some(mv);
            }
            left = left.saturating_sub(u64::from(weight));
        })?;
        Ok(chosen)
    }
}

/// The square of a book's six bits: a1 is 0, and h8 is 63.
const fn square(bits: u16) -> Square {
    Square::wrap((bits & 63) as u8 ^ 56)
}

/// The legal move that a book's sixteen bits mean.
fn read_move(board: &Board, bits: u16) -> Option<Move> {
    let (target, source) = (square(bits), square(bits >> 6));
    let promotion = match bits >> 12 {
        0 => None,
        kind @ 1..=4 => Some(PieceType::ALL[kind as usize]),
        _ => return None,
    };
    let us = board.side_to_move();
    if board.variant() == Variant::Standard && source == board.king(us) && promotion.is_none() {
        let castling = CastlingSide::ALL
            .into_iter()
            .find(|&side| board.castling_rook(us, side) == Some(target));
        if let Some(side) = castling {
            return board.castling_move(side);
        }
    }
    board.legal_move(source, target, promotion)
}

/// The key under which books have this position.
///
/// ```
/// use kirin::{book, Board};
/// assert_eq!(book::key(&Board::startpos()), 0x463b_9618_1691_fc9c);
/// ```
#[must_use]
pub fn key(board: &Board) -> u64 {
    const CASTLING: usize = 768;
    const EN_PASSANT: usize = 772;
    const WHITE_TO_MOVE: usize = 780;
    let mut key = 0;
    for square in board.occupied() {
        if let Some(piece) = board.piece_on(square) {
            let white = usize::from(piece.color() == Color::White);
            let kind = 2 * piece.piece_type() as usize + white;
            key ^= NUMBERS[64 * kind + square.flip().index()];
        }
    }
    for right in 0..4 {
        if board.castling().bits() >> right & 1 != 0 {
            key ^= NUMBERS[CASTLING + right];
        }
    }
    // The format counts the file wherever a pawn stands ready to take, even a pinned one; a board
    // knows the square only where the capture is legal. The few positions between the two are
    // not found in books.
    if let Some(square) = board.en_passant() {
        key ^= NUMBERS[EN_PASSANT + square.file().index()];
    }
    if board.side_to_move() == Color::White {
        key ^= NUMBERS[WHITE_TO_MOVE];
    }
    key
}
