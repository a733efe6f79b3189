//! Endgame tables in the Syzygy format: who wins a position of few men, and how far it is to the
//! next capture or pawn move on the way.
//!
//! WDL tables tell for every position of certain men whether it is won, drawn or lost, with the
//! fifty-move rule or but for it; DTZ tables the distance to zero of the halfmove clock under best
//! play. There are tables for up to seven men. Castling doesn't occur in them. (Ronald de Man's
//! tables and format, 2013.)
//!
//! Nothing here opens a file or allocates: a [`Table`] is read through [`crate::ReadAt`], and
//! whoever has several hands them out as [`Tables`]. What is asked:
//!
//! - [`probe_wdl`]: who wins.
//! - [`probe_dtz`]: how far it is.
//! - [`rank_move`]: how good a move is by the tables, at the root of a search.
//!
//! ```no_run
//! use kirin::syzygy::{self, Kind, Material, Symbol, Table, Tables};
//! use kirin::Board;
//!
//! /// The two tables of three men with a rook.
//! struct Rook<'a>([Table<&'a [u8], Vec<Symbol>>; 2]);
//!
//! impl<'a> Tables for Rook<'a> {
//!     type Source = &'a [u8];
//!     type Symbols = Vec<Symbol>;
//!
//!     fn table(&self, kind: Kind, material: Material) -> Option<&Table<&'a [u8], Vec<Symbol>>> {
//!         self.0.iter().find(|table| (table.kind(), table.material()) == (kind, material))
//!     }
//! }
//!
//! # fn read(kind: Kind) -> &'static [u8] { &[] }
//! let material = Material::from_name("KRvK").expect("a table");
//! let table = |kind| {
//!     Table::new(read(kind), kind, material, |symbols| vec![Symbol::NONE; symbols])
//! };
//! let tables = Rook([table(Kind::Wdl)?, table(Kind::Dtz)?]);
//! let board: Board = "8/8/8/8/8/4k3/8/R3K3 w - - 0 1".parse()?;
//! assert_eq!(syzygy::probe_wdl(&tables, &board), Some(syzygy::Verdict::Win));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod index;
mod material;
mod probe;
mod root;
mod table;

pub use material::{Material, MAX_MEN};
pub use probe::{probe_dtz, probe_wdl, Tables};
pub use root::{rank_move, FiftyMoves, RankedMove};
pub use table::{Kind, Symbol, Table, TableError};

use core::ops::Neg;

/// What a position is worth to its side to move, with best play of both sides from a halfmove
/// clock of 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Lost.
    Loss = -2,
    /// Lost, but for the fifty-move rule.
    BlessedLoss = -1,
    /// Drawn.
    Draw = 0,
    /// Won, but for the fifty-move rule.
    CursedWin = 1,
    /// Won.
    Win = 2,
}

impl Verdict {
    /// The verdict that the tables write so.
    const fn from_digit(digit: u16) -> Option<Verdict> {
        Some(match digit {
            0 => Verdict::Loss,
            1 => Verdict::BlessedLoss,
            2 => Verdict::Draw,
            3 => Verdict::CursedWin,
            4 => Verdict::Win,
            _ => return None,
        })
    }
}

/// The same seen from the other side.
impl Neg for Verdict {
    type Output = Verdict;

    fn neg(self) -> Verdict {
        match self {
            Verdict::Loss => Verdict::Win,
            Verdict::BlessedLoss => Verdict::CursedWin,
            Verdict::Draw => Verdict::Draw,
            Verdict::CursedWin => Verdict::BlessedLoss,
            Verdict::Win => Verdict::Loss,
        }
    }
}
