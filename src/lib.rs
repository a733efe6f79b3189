//! Kirin: a chess engine core and move-generation library whose whole knowledge of the board is
//! generated, and proven, when it is built.
//!
//! No function here must be called first: there is no `init`. The crate needs neither `std` nor
//! a heap, and has no dependency; what is big lives in memory that the caller lends.
//!
//! - [`Board`]: a position that has passed validation, with legal move generation
//!   ([`Board::legal_moves`]), FEN, SAN, hash keys, checks, pins and exchanges.
//! - [`attacks`]: what each piece attacks, as `const fn` look-ups over the generated tables.
//! - [`perft`](fn@perft): counts move sequences; [`perft_hashed`] remembers counts in a table.
//! - [`Searcher`]: the search; lent a [`TranspositionTable`], a clock, a stop flag and a
//!   listener ([`search::Host`]). [`TakeOnce`] is how a `static` one is reached.
//! - [`eval`]: the static evaluation.
//! - [`book`]: opening books in the Polyglot format.
//! - [`syzygy`]: endgame tables in the Syzygy format.
//! - [`uci`]: the protocol as data, for whoever has a wire to speak it on.
//! - [`generated`]: where the tables in this build come from.
//!
//! ```
//! use kirin::{Board, Square};
//! let board = Board::startpos();
//! assert_eq!(board.count_legal_moves(), 20);
//! assert!(board.find_move("g1f3".parse()?).is_some());
//! assert_eq!(board.king(board.side_to_move()), Square::E1);
//! # Ok::<(), kirin::ParseUciMoveError>(())
//! ```
//!
//! # Which positions are accepted
//!
//! See [`PositionError`] for what is refused. Whatever passes can be searched without a panic
//! and has at most [`MAX_MOVES`] legal moves.
//!
//! # Panics
//!
//! Functions that may panic say so. A [`Move`] means something only beside the board it was made
//! for; a foreign one may make a board nonsense, though never memory-unsafe.
#![no_std]
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod attacks;
pub mod bench;
mod board;
pub mod book;
pub mod eval;
mod lines;
mod perft;
mod profile;
mod random;
mod read_at;
pub mod search;
pub mod syzygy;
mod tables;
mod take_once;
mod tt;
mod types;
pub mod uci;
mod word;
mod zobrist;

pub use board::{
    Board, FenField, KeyHistory, MoveFilter, ParseFenError, ParseSanError, PieceObserver,
    PositionError, San, ShredderFen, Status, SEE_VALUES,
};
pub use perft::{perft, perft_divide, perft_hashed, PerftCluster, PerftTable, MAX_PERFT_DEPTH};
pub use random::SplitMix;
pub use read_at::{OutOfBounds, ReadAt};
pub use search::Searcher;
pub use tables::TableInfo;
pub use take_once::TakeOnce;
pub use tt::{Bound, Cluster, TranspositionTable};
pub use types::*;
pub use zobrist::{Key, Keys};

/// The generated tables of this build: what they are and where they come from.
pub mod generated {
    use crate::tables;

    /// The seed that the magics were drawn from.
    pub const SEED: u64 = tables::SEED;
    /// The layout of the slider tables.
    pub const LAYOUT: &str = tables::LAYOUT;
    /// How sliders are looked up at run time.
    pub const BACKEND: &str = tables::BACKEND;
    /// The version of the generator.
    pub const GENERATOR_VERSION: &str = tables::GENERATOR_VERSION;
    /// A checksum of all tables (FNV-1a over names and values).
    pub const CHECKSUM: u64 = tables::CHECKSUM;
    /// Every table, with its size.
    pub static TABLES: &[tables::TableInfo] = &tables::TABLE_LIST;
    /// The tables of the backend, with their sizes.
    pub static BACKEND_TABLES: &[tables::TableInfo] = &tables::BACKEND_TABLE_LIST;
}

/// The examples of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
