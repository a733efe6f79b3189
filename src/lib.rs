//! Kirin: a chess engine core and move-generation library whose whole knowledge of the board is
//! generated at build time.
#![no_std]
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod attacks;
pub mod bench;
mod board;
pub mod eval;
mod perft;
pub mod search;
mod tables;
mod tt;
mod types;
pub mod uci;
mod zobrist;

pub use board::{
    Board, FenField, KeyHistory, MoveFilter, ParseFenError, ParseSanError, PieceObserver,
    PositionError, San, Status, SEE_VALUES,
};
pub use perft::{perft, perft_divide};
pub use search::Searcher;
pub use tables::TableInfo;
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
    /// The version of the generator.
    pub const GENERATOR_VERSION: &str = tables::GENERATOR_VERSION;
    /// A checksum of all tables (FNV-1a over names and values).
    pub const CHECKSUM: u64 = tables::CHECKSUM;
    /// Every table, with its size.
    pub static TABLES: &[tables::TableInfo] = &tables::TABLE_LIST;
}
