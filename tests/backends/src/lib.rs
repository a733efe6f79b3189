//! Every layout and every backend that the target can run, side by side: the look-ups of the
//! engine's `src/sliders`, each beside the tables that the generator writes for it, and one check
//! that all have to pass.
//!
//! Nothing here needs an operating system, so that the same check runs on any target.
#![no_std]

mod check;

pub use check::{every_subset_of_the_full_rays, random_boards, Mismatch};

/// One way to look up what sliders attack.
pub trait Sliders {
    /// The name of the layout or backend.
    const NAME: &'static str;
    /// How many numbers its tables hold.
    const ENTRIES: usize;
    /// How many bytes they take.
    const BYTES: usize;

    /// What a bishop attacks.
    fn bishop(square: usize, occupied: u64) -> u64;
    /// What a rook attacks.
    fn rook(square: usize, occupied: u64) -> u64;
    /// What a queen attacks.
    fn queen(square: usize, occupied: u64) -> u64;
}

/// Something to be done with each of them.
pub trait Visitor {
    /// Does it with one.
    fn visit<S: Sliders>(&mut self);
}

/// Hands every one of them to a visitor.
pub fn for_each(visitor: &mut impl Visitor) {
    visitor.visit::<plain::Look>();
    visitor.visit::<fancy::Look>();
    visitor.visit::<overlapped::Look>();
    visitor.visit::<folded::Look>();
    visitor.visit::<compact::Look>();
    visitor.visit::<tiny::Look>();
    #[cfg(has_backend = "avx2")]
    visitor.visit::<avx2::Look>();
    #[cfg(has_backend = "pext")]
    visitor.visit::<pext::Look>();
    #[cfg(has_backend = "pext16")]
    visitor.visit::<pext16::Look>();
    visitor.visit::<rbit::Look>();
}

/// A row of the list that each generated text begins with.
#[allow(dead_code)] // Nothing here reads the lists.
struct TableInfo {
    name: &'static str,
    entries: usize,
    bytes: usize,
}

#[allow(dead_code)] // Not all of it in each.
mod rows {
    include!("../../../src/sliders/rows.rs");
}

/// A module with the generated tables of a layout or backend and the engine's look-up for them,
/// which finds the tables around it as it does in the engine.
macro_rules! sliders {
    ($name:ident, $tables:literal, $look_up:literal, $queen:expr) => {
        #[allow(dead_code, unused_imports)] // The texts hold all of the engine's tables.
        mod $name {
            use crate::rows::*;
            use crate::TableInfo;

            include!(concat!(env!("OUT_DIR"), "/", $tables));

            mod look_up {
                include!($look_up);
            }

            pub struct Look;

            impl crate::Sliders for Look {
                const NAME: &'static str = stringify!($name);
                const ENTRIES: usize = ENTRIES;
                const BYTES: usize = BYTES;

                #[inline]
                fn bishop(square: usize, occupied: u64) -> u64 {
                    look_up::bishop_attacks(square, occupied)
                }

                #[inline]
                fn rook(square: usize, occupied: u64) -> u64 {
                    look_up::rook_attacks(square, occupied)
                }

                #[inline]
                fn queen(square: usize, occupied: u64) -> u64 {
                    use look_up::*;
                    $queen(square, occupied)
                }
            }
        }
    };
}

macro_rules! layout {
    ($name:ident, $tables:literal, $look_up:literal) => {
        sliders!($name, $tables, $look_up, |square, occupied| {
            bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        });
    };
}

macro_rules! backend {
    ($name:ident, $tables:literal, $look_up:literal) => {
        sliders!($name, $tables, $look_up, |square, occupied| {
            queen_attacks(square, occupied)
        });
    };
}

layout!(plain, "plain.rs", "../../../src/sliders/plain.rs");
layout!(fancy, "fancy.rs", "../../../src/sliders/fancy.rs");
layout!(overlapped, "overlapped.rs", "../../../src/sliders/fancy.rs");
layout!(folded, "folded.rs", "../../../src/sliders/folded.rs");
layout!(compact, "compact.rs", "../../../src/sliders/compact.rs");
layout!(tiny, "tiny.rs", "../../../src/sliders/tiny.rs");
#[cfg(has_backend = "avx2")]
backend!(avx2, "avx2.rs", "../../../src/sliders/avx2.rs");
#[cfg(has_backend = "pext")]
backend!(pext, "pext.rs", "../../../src/sliders/pext.rs");
#[cfg(has_backend = "pext16")]
backend!(pext16, "pext16.rs", "../../../src/sliders/pext16.rs");
backend!(rbit, "rbit.rs", "../../../src/sliders/rbit.rs");
