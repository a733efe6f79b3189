//! Tables as text: which languages there are, how squares are numbered in them, and what every text says of itself.
//!
//! One file a language knows its syntax, and no chess but the look-up that goes with the tables.

pub mod c;
pub mod json;
pub mod list;
pub mod rust;

use crate::error::Error;
use crate::table::{checksum, Table, Values};
use crate::{Profile, Tables, VERSION};

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Rust statics: all tables, as a build of the engine includes them.
    Rust,
    /// A C header with the look-up functions.
    C,
    /// JSON; 64-bit values are strings, which no reader rounds.
    Json,
    /// A line for each magic.
    List,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [Language::Rust, Language::C, Language::Json, Language::List];

    /// Its name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::C => "c",
            Language::Json => "json",
            Language::List => "list",
        }
    }

    /// Whether a table is of use outside of the engine: numbers that its search and evaluation were tuned to are not.
    #[must_use]
    pub fn has(self, table: &Table) -> bool {
        match self {
            Language::Rust => true,
            _ => ![
                "EVAL_WEIGHTS",
                "KING_PSQT",
                "IMBALANCE",
                "KING_GROUPS",
                "PSQT_KING",
                "NETWORK_INPUTS",
                "NETWORK_BIAS",
                "NETWORK_OUTPUTS",
                "NETWORK_OUTPUT_BIAS",
                "REDUCTIONS",
                "CUCKOO_KEYS",
                "CUCKOO_MOVES",
                "KPK_WINS",
            ]
            .contains(&table.name),
        }
    }
}

/// Which square is number 0, and bit 0 of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Squares {
    /// a8 = 0, b8 = 1, ... h1 = 63: as a board is read.
    #[default]
    A8,
    /// a1 = 0, b1 = 1, ... h8 = 63.
    A1,
}

impl Squares {
    /// Both.
    pub const ALL: [Squares; 2] = [Squares::A8, Squares::A1];

    /// Its name in options: that of square 0.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Squares::A8 => "a8",
            Squares::A1 => "a1",
        }
    }

    /// The name of a square's number.
    #[must_use]
    pub fn square_name(self, square: usize) -> String {
        crate::geometry::square_name(self.renumbered(square))
    }

    /// The number here of a square numbered from a8, and the other way round.
    #[must_use]
    pub const fn renumbered(self, square: usize) -> usize {
        match self {
            Squares::A8 => square,
            Squares::A1 => square ^ 56,
        }
    }
}

/// The tables with squares numbered as asked, from tables numbered from a8; and the other way round.
///
/// To number from the other end is to turn the board over. All that a piece attacks which does not know up from down
/// looks the same then, so those tables stay what they are, magics included. Pawns change sides, and what belongs to
/// one square goes with it. The tables of the evaluation are numbered as a king sees the board, which doesn't change.
#[must_use]
pub fn renumber(tables: &[Table], squares: Squares) -> Vec<Table> {
    let mut tables = tables.to_vec();
    if squares == Squares::A8 {
        return tables;
    }
    for table in &mut tables {
        match (table.name, &mut table.values) {
            ("PAWN_ATTACKS" | "FORWARD_FILES" | "PASSED_SPANS", Values::U64(values))
                if values.len() == 128 =>
            {
                values.rotate_left(64);
            }
            ("ZOBRIST_PIECES", Values::U64(values)) => turn_over(values),
            _ => {}
        }
    }
    tables
}

/// Turns over each board of 64 values.
fn turn_over<T: Copy>(values: &mut [T]) {
    for board in values.chunks_exact_mut(64) {
        for square in 0..32 {
            board.swap(square, square ^ 56);
        }
    }
}

/// The tables as they will stand in a text, and what it says of itself.
struct Content {
    tables: Vec<Table>,
    header: Vec<String>,
    checksum: u64,
}

impl Content {
    fn new(tables: &Tables, language: Language, squares: Squares) -> Content {
        let mut list = renumber(&tables.tables, squares);
        list.retain(|table| language.has(table));
        let (mut entries, mut bytes) = (0, 0);
        for table in &list {
            entries += table.values.len();
            bytes += table.bytes();
        }
        let checksum = checksum(&list);
        let (seed, layout) = (tables.settings.seed, tables.settings.layout.name());
        let mut command = format!(
            "  cargo run -p kirin-generator -- generate --seed {seed:#x} --layout {layout}"
        );
        if tables.profile != Profile::Full {
            command += &format!(" --profile {}", tables.profile.name());
        }
        if language != Language::Rust {
            command += &format!(" --lang {}", language.name());
        }
        if squares != Squares::A8 {
            command += &format!(" --squares {}", squares.name());
        }
        let mut header = vec![
            "Generated, do not edit. To make it again:".to_owned(),
            command,
            format!("kirin-generator {VERSION}, seed {seed:#x}, layout {layout}"),
            format!(
                "{} tables, {entries} entries, {bytes} bytes, checksum {checksum:#018x}",
                list.len()
            ),
            format!(
                "Proven before it was written: {} look-ups of sliders and {} other sets against a slow walk.",
                tables.proven.slider_keys, tables.proven.sets
            ),
        ];
        if language != Language::Rust || squares != Squares::A8 {
            header.push(format!("Squares are numbered from {} = 0.", squares.name()));
        }
        if language != Language::Rust {
            header.push(
                "SPDX-License-Identifier: MIT OR Apache-2.0 (the numbers alone: no claim is made to them)"
                    .to_owned(),
            );
        }
        Content {
            tables: list,
            header,
            checksum,
        }
    }
}

/// The tables as text in a language.
///
/// # Errors
/// If the layout has nothing to say in it.
pub fn text(tables: &Tables, language: Language, squares: Squares) -> Result<String, Error> {
    match language {
        Language::Rust => Ok(rust::text(tables, squares)),
        Language::C => Ok(c::text(tables, squares)),
        Language::Json => Ok(json::text(tables, squares)),
        Language::List => list::text(tables, squares),
    }
}
