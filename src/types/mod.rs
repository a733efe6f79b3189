//! The encodings that everything else speaks: one type a file.
//!
//! The numbers (squares a8 = 0 … h1 = 63, pieces P..k = 0..11, castling bits 1, 2, 4, 8, the
//! 24-bit move) are those of Kirin's specification, and `tests/encodings.rs` pins them.

mod bitboard;
mod castling;
mod color;
mod move_list;
mod mv;
mod piece;
mod score;
mod square;

pub use bitboard::{Bitboard, BitboardIter};
pub use castling::{CastlingRights, CastlingSide, Variant};
pub use color::Color;
pub use move_list::{MoveArray, MoveBuffer, MoveList, MAX_MOVES};
pub use mv::{Move, MoveKind, ParseUciMoveError, UciMove};
pub use piece::{Piece, PieceType};
pub use score::{Score, ScoreKind, MAX_PLY};
pub use square::{File, ParseSquareError, Rank, Square};
