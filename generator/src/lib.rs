//! The tables of the Kirin chess engine, generated from a seed and proven before they are handed out.
//!
//! [`generate`] turns [`Settings`] into [`Tables`]; [`Tables::to_rust`] turns those into text for a build script to write
//! to `OUT_DIR`, and [`Tables::to_text`] into other languages. [`verify`](mod@verify) reads such texts, and anyone's lists of
//! magics, and proves them again. Everything is bounded, nothing depends on the host, and the same settings give the same bytes on any
//! machine. The work is meant for build scripts, which cargo compiles without optimisation.
//!
//! What is emitted is listed once, in [`generate_in_stages`]; a new family of tables is one file and one line there.
//!
//! # Examples
//!
//! ```
//! use kirin_generator::{generate, Layout, Settings};
//!
//! let settings = Settings { seed: 42, layout: Layout::Fancy };
//! let tables = generate(&settings)?;
//! assert!(tables.to_rust().contains("pub static SLIDER_ATTACKS: [u64; 107648]"));
//! # Ok::<(), kirin_generator::Error>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod backend;
mod cuckoo;
pub mod dense;
pub mod emit;
mod error;
pub mod evaluation;
pub mod geometry;
mod kpk;
pub mod layout;
mod leapers;
mod lines;
pub mod magic;
mod network;
pub mod overlap;
pub mod packing;
mod profile;
pub mod proof;
pub mod random;
mod reductions;
pub mod settings;
mod sizes;
mod spans;
pub mod table;
pub mod verify;
mod zobrist;

pub use backend::{Backend, BackendTables, Target};
pub use emit::{Language, Squares};
pub use error::Error;
pub use layout::Layout;
pub use profile::Profile;
pub use proof::Proven;
pub use settings::{SettingError, Settings};
pub use sizes::Sizes;
pub use table::{Slider, Table, Values};

/// The version of this generator, which is part of what it writes.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Tables that have been proven.
#[derive(Clone, Debug)]
pub struct Tables {
    settings: Settings,
    profile: Profile,
    offsets: Vec<evaluation::Offset>,
    tables: Vec<Table>,
    proven: Proven,
}

/// The parts of the work, for those who measure it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// All magics were found, and each accepted after every subset of its mask.
    Search,
    /// The attack sets were laid out.
    Pack,
    /// The other tables were made.
    Others,
    /// The tables were read back and compared.
    Proof,
}

impl Stage {
    /// What was done, in a word or two.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Search => "search",
            Stage::Pack => "pack",
            Stage::Others => "other tables",
            Stage::Proof => "proof",
        }
    }
}

/// Generates and proves the tables that the settings ask for.
///
/// # Errors
/// If a magic is not found within the bound, or a table fails its proof; neither is known to happen.
pub fn generate(settings: &Settings) -> Result<Tables, Error> {
    generate_in_stages(settings, &mut |_| {})
}

/// As [`generate`], and calls back when a stage is done.
///
/// # Errors
/// As [`generate`].
pub fn generate_in_stages(
    settings: &Settings,
    done: &mut dyn FnMut(Stage),
) -> Result<Tables, Error> {
    let mut magics = magic::find_all(settings.seed)?;
    if settings.layout.is_dense() {
        dense::thin(settings.seed, settings.layout, &mut magics);
    }
    done(Stage::Search);
    let sliders = layout::pack(settings.layout, &magics);
    done(Stage::Pack);
    let mut tables = Vec::new();
    tables.extend(leapers::tables());
    tables.extend(sliders);
    tables.extend(lines::tables());
    let zobrist = zobrist::tables();
    tables.extend(cuckoo::tables(&zobrist)?);
    tables.extend(zobrist);
    tables.extend(kpk::tables());
    tables.extend(reductions::tables());
    tables.extend(spans::tables());
    let (weights, offsets) = evaluation::tables()?;
    tables.extend(weights);
    tables.extend(network::tables()?);
    done(Stage::Others);
    let proven = proof::prove(settings.layout, &tables)?;
    done(Stage::Proof);
    Ok(Tables {
        settings: *settings,
        profile: Profile::Full,
        offsets,
        tables,
        proven,
    })
}

impl Tables {
    /// What they were made from.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// These tables as a profile has them, if they are the full ones.
    #[must_use]
    pub fn with_profile(mut self, profile: Profile) -> Tables {
        if self.profile == Profile::Full {
            profile.apply(&mut self.tables);
            self.profile = profile;
        }
        self
    }

    /// The tables, in the order in which they are written.
    #[must_use]
    pub fn list(&self) -> &[Table] {
        &self.tables
    }

    /// How much was compared to prove them.
    #[must_use]
    pub fn proven(&self) -> Proven {
        self.proven
    }

    /// Their checksum; see [`table::checksum`].
    #[must_use]
    pub fn checksum(&self) -> u64 {
        table::checksum(&self.tables)
    }

    /// The tables as Rust text, to be included where `Slider` and `TableInfo` are defined.
    #[must_use]
    pub fn to_rust(&self) -> String {
        emit::rust::text(self, Squares::A8)
    }

    /// The tables as text in a language, with squares numbered from either end.
    ///
    /// # Errors
    /// If the layout has nothing to say in this language: a list of magics, where there are none.
    pub fn to_text(&self, language: Language, squares: Squares) -> Result<String, Error> {
        emit::text(self, language, squares)
    }
}

/// The examples of the README are compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
