//! What can go wrong, in words that name the place.

use std::fmt;

use crate::geometry::{square_name, Piece};
use crate::layout::Layout;
use crate::settings::SettingError;

/// Why no tables came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A setting holds something that is not allowed.
    Setting(SettingError),
    /// No magic was found within the bound.
    Search {
        /// The piece whose magic was wanted.
        piece: Piece,
        /// Its square.
        square: usize,
        /// The mask whose subsets had to be told apart.
        mask: u64,
        /// How many bits of index there were to do it in.
        bits: u32,
        /// How many times the search was begun; 0 if the request could be refused unseen.
        attempts: u32,
    },
    /// A table gives the wrong answer.
    Wrong {
        /// The piece, or the kind of set, that was asked for.
        what: &'static str,
        /// Its square.
        square: usize,
        /// The occupancy or the other square, as a set; 0 where nothing stands in the way.
        occupied: u64,
        /// What the slow walk says.
        expected: u64,
        /// What the table says.
        found: u64,
    },
    /// A row of metadata cannot be right, whatever the table holds.
    Row {
        /// The piece whose row it is.
        piece: Piece,
        /// Its square.
        square: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A data file of the evaluation is not as this version expects.
    Weights {
        /// The file, in the folder `data`.
        file: &'static str,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        why: String,
    },
    /// A list of magics was asked for where there are none.
    NoMagics {
        /// The layout without magics.
        layout: Layout,
    },
    /// A table is absent, or has another size or type than the layout asks for.
    Table {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Setting(error) => error.fmt(f),
            Error::Search {
                piece,
                square,
                mask,
                bits,
                attempts,
            } => write!(
                f,
                "no magic found for the {} on {} (mask {mask:#x}, {bits} bits) in {attempts} attempts",
                piece.name(),
                square_name(*square)
            ),
            Error::Wrong {
                what,
                square,
                occupied,
                expected,
                found,
            } => write!(
                f,
                "proof failed: {what} on {}, occupied {occupied:#x}: the table says {found:#x}, the walk {expected:#x}",
                square_name(*square)
            ),
            Error::Row { piece, square, reason } => {
                write!(f, "proof failed: {} on {}: {reason}", piece.name(), square_name(*square))
            }
            Error::Weights { file, line, why } => {
                write!(f, "data/{file}, line {line}: {why}")
            }
            Error::NoMagics { layout } => {
                write!(f, "layout {} has no magics that could be listed", layout.name())
            }
            Error::Table { name, reason } => write!(f, "proof failed: table {name} {reason}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<SettingError> for Error {
    fn from(error: SettingError) -> Error {
        Error::Setting(error)
    }
}
