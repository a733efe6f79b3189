//! Hash keys of positions: XORs of generated random numbers, one for each fact.
//!
//! The numbers come from a stream of their own, so a key means the same whatever seed chose
//! the magics. (Albert Zobrist, "A New Hashing Method with Application for Game Playing", 1970.)

use crate::tables;
use crate::types::{CastlingRights, File, Piece, PieceType, Square};
use core::fmt;

/// The hash key of a position, or of a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Key(pub u64);

impl Key {
    /// Adds or takes away `piece` on `square`.
    #[inline]
    pub fn toggle_piece(&mut self, piece: Piece, square: Square) {
        self.0 ^= tables::ZOBRIST_PIECES[piece as usize][square as usize];
    }

    /// Adds or takes away a set of castling rights.
    #[inline]
    pub fn toggle_castling(&mut self, rights: CastlingRights) {
        self.0 ^= tables::ZOBRIST_CASTLING[rights.bits() as usize];
    }

    /// Adds or takes away an en-passant target on `file`.
    #[inline]
    pub fn toggle_en_passant(&mut self, file: File) {
        self.0 ^= tables::ZOBRIST_EP_FILE[file as usize];
    }

    /// Changes the side to move.
    #[inline]
    pub fn toggle_side(&mut self) {
        self.0 ^= tables::ZOBRIST_SIDE;
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({:016x})", self.0)
    }
}

/// Writes sixteen hex digits.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}

/// The keys that a board keeps up to date as pieces move: that of the whole position, and of
/// the parts that correction histories and a pawn hash ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// Everything that tells positions apart: pieces, side, castling, en passant.
    pub position: Key,
    /// Pawns of both sides.
    pub pawns: Key,
    /// The pieces of each side other than pawns.
    pub non_pawns: [Key; 2],
    /// Knights, bishops and kings of both sides.
    pub minors: Key,
    /// Rooks, queens and kings of both sides.
    pub majors: Key,
}

impl Keys {
    /// Adds or takes away `piece` on `square` in every key that it belongs to.
    #[inline]
    pub fn toggle_piece(&mut self, piece: Piece, square: Square) {
        self.position.toggle_piece(piece, square);
        if piece.piece_type() == PieceType::Pawn {
            self.pawns.toggle_piece(piece, square);
            return;
        }
        self.non_pawns[piece.color() as usize].toggle_piece(piece, square);
        match piece.piece_type() {
            PieceType::Knight | PieceType::Bishop => self.minors.toggle_piece(piece, square),
            PieceType::Rook | PieceType::Queen => self.majors.toggle_piece(piece, square),
            PieceType::Pawn | PieceType::King => {
                self.minors.toggle_piece(piece, square);
                self.majors.toggle_piece(piece, square);
            }
        }
    }
}
