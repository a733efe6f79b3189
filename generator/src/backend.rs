//! Ways to look up slider attacks that need an instruction of the target, and the tables that go with them.
//!
//! A backend stands beside the layout, not in its place: the layout's look-up works on every target and while
//! something compiles, the backend's only where the program runs. Which one a build gets depends on its target alone.

use crate::error::Error;
use crate::geometry::{relevant_mask, Piece};
use crate::layout::{find, line_sets, rank_attacks, u64_values, u8_values};
use crate::lines::lines_through;
use crate::proof::{self, Proven};
use crate::settings::SettingError;
use crate::table::{Table, Values};

/// How a running program looks up what sliders attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The look-up of the layout, on any target.
    Table,
    /// Hyperbola quintessence along several lines at once, in the vectors of AVX2.
    Avx2,
    /// A table of attack sets, indexed by the bits that the instruction PEXT gathers (BMI2).
    Pext,
    /// As pext, with sets of sixteen bits that PDEP spreads.
    Pext16,
    /// Hyperbola quintessence with an instruction that reverses the bits of a register, as ARM64 has.
    Rbit,
}

impl Backend {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Backend; 5] = [
        Backend::Table,
        Backend::Avx2,
        Backend::Pext,
        Backend::Pext16,
        Backend::Rbit,
    ];

    /// The environment variable that [`Backend::from_env`] reads beside what cargo says of the target.
    pub const VARIABLE: &'static str = "KIRIN_BACKEND";

    /// Its name in settings and in the generated text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Table => "table",
            Backend::Avx2 => "avx2",
            Backend::Pext => "pext",
            Backend::Pext16 => "pext16",
            Backend::Rbit => "rbit",
        }
    }

    /// Whether a target has the instructions.
    #[must_use]
    pub fn runs_on(self, target: &Target) -> bool {
        let x86_64_with = |feature| target.architecture == "x86_64" && target.has(feature);
        match self {
            Backend::Table => true,
            Backend::Avx2 => x86_64_with("avx2"),
            Backend::Pext | Backend::Pext16 => x86_64_with("bmi2"),
            Backend::Rbit => ["aarch64", "arm64ec"].contains(&&*target.architecture),
        }
    }

    /// The one that serves a target best: on x86-64 by measurement of perft and of search, which AVX2 loses to both
    /// others; on ARM64 by what other engines report.
    #[must_use]
    pub fn best_for(target: &Target) -> Backend {
        // AMD's processors before Zen 3 take PEXT apart bit by bit. SSE4a is AMD's alone, and VAES came with Zen 3.
        let slow_pext = target.has("sse4a") && !target.has("vaes");
        if Backend::Pext.runs_on(target) && !slow_pext {
            Backend::Pext
        } else if Backend::Rbit.runs_on(target) {
            Backend::Rbit
        } else {
            Backend::Table
        }
    }

    /// The backend that `KIRIN_BACKEND` asks for; unset, empty or `auto` means the one given.
    ///
    /// # Errors
    /// If there is none of that name, or the target lacks what it needs.
    pub fn from_env(auto: Backend, target: &Target) -> Result<Backend, SettingError> {
        // What is not Unicode is no name, and the lossy text can be shown.
        let value = std::env::var_os(Backend::VARIABLE).unwrap_or_default();
        Backend::parse(&value.to_string_lossy(), auto, target)
    }

    /// The backend that a text asks for, as if it stood in `KIRIN_BACKEND`.
    ///
    /// # Errors
    /// If there is none of that name, or the target lacks what it needs.
    pub fn parse(value: &str, auto: Backend, target: &Target) -> Result<Backend, SettingError> {
        if value.is_empty() || value == "auto" {
            return Ok(auto);
        }
        let known = Backend::ALL
            .into_iter()
            .find(|backend| value == backend.name());
        if let Some(backend) = known.filter(|backend| backend.runs_on(target)) {
            return Ok(backend);
        }
        let has: Vec<&str> = Backend::ALL
            .iter()
            .filter(|backend| backend.runs_on(target))
            .map(|backend| backend.name())
            .collect();
        Err(SettingError {
            name: Backend::VARIABLE,
            value: value.to_owned(),
            allowed: format!(
                "one of auto, {}: this target, {}, {} (of the features in question it has {})",
                has.join(", "),
                if target.architecture.is_empty() {
                    "unknown"
                } else {
                    &target.architecture
                },
                if known.is_some() {
                    "lacks what it needs"
                } else {
                    "runs no other"
                },
                match (target.has("avx2"), target.has("bmi2")) {
                    (false, false) => "none",
                    (true, false) => "avx2",
                    (false, true) => "bmi2",
                    (true, true) => "avx2 and bmi2",
                }
            ),
        })
    }
}

/// What a program is compiled for, as far as backends care.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Its architecture, in rustc's words.
    pub architecture: String,
    /// Its features, in rustc's words.
    pub features: Vec<String>,
}

impl Target {
    /// What cargo tells a build script. Outside of one, a target that has nothing.
    #[must_use]
    pub fn from_env() -> Target {
        let text = |name| {
            let value = std::env::var_os(name).unwrap_or_default();
            value.to_string_lossy().into_owned()
        };
        let features = text("CARGO_CFG_TARGET_FEATURE");
        Target {
            architecture: text("CARGO_CFG_TARGET_ARCH"),
            features: features.split(',').map(str::to_owned).collect(),
        }
    }

    /// Whether it has a feature.
    #[must_use]
    pub fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|had| had == feature)
    }
}

/// The tables of a backend, proven.
#[derive(Clone, Debug)]
pub struct BackendTables {
    backend: Backend,
    tables: Vec<Table>,
    proven: Proven,
}

impl BackendTables {
    /// Generates and proves them; the table backend has none.
    ///
    /// # Errors
    /// If one fails its proof, which is not known to happen.
    pub fn generate(backend: Backend) -> Result<BackendTables, Error> {
        let tables = pack(backend);
        let proven = proof::prove_backend(backend, &tables)?;
        Ok(BackendTables {
            backend,
            tables,
            proven,
        })
    }

    /// Whose they are.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
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

    /// The tables as Rust text, to be included where `TableInfo` is defined.
    #[must_use]
    pub fn to_rust(&self) -> String {
        crate::emit::rust::backend_text(self)
    }
}

const AVX2_LINES: &str = "AVX2_LINES";
const AVX2_RANKS: &str = "AVX2_RANKS";
const RBIT_LINES: &str = "RBIT_LINES";
const PEXT_ATTACKS: &str = "PEXT_ATTACKS";

/// The table that holds a piece's masks for PEXT.
const fn pext_rows_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Bishop => "PEXT_BISHOPS",
        Piece::Rook => "PEXT_ROOKS",
    }
}

/// How many values there are in a row of masks for PEXT: mask, rays, offset.
const PEXT_ROW: usize = 3;

/// Lays out the tables of a backend.
#[must_use]
pub fn pack(backend: Backend) -> Vec<Table> {
    match backend {
        Backend::Table => Vec::new(),
        Backend::Avx2 => pack_avx2(),
        Backend::Pext | Backend::Pext16 => pack_pext(backend),
        Backend::Rbit => pack_rbit(),
    }
}

/// The four lines through a square without it: both diagonals, the file and the rank.
fn lines_without(square: usize) -> [u64; 4] {
    let [diagonal, antidiagonal] = lines_through(Piece::Bishop, square);
    let [rank, file] = lines_through(Piece::Rook, square);
    [diagonal, antidiagonal, file, rank].map(|line| line & !(1 << square))
}

fn pack_avx2() -> Vec<Table> {
    let mut rows = Vec::with_capacity(64 * 8);
    for square in 0..64 {
        let [diagonal, antidiagonal, file, _] = lines_without(square);
        rows.extend([diagonal, antidiagonal, file, 0]);
        rows.extend([1 << square << 1, 1 << (square ^ 56) << 1, 0, 0]);
    }
    vec![
        Table::of_u64(
            AVX2_LINES,
            "The diagonals (of steps 9 and 7) and the file through a square, without it; the square after it, and that \
             with the board turned over: `[square][diagonal, antidiagonal, file, 0, next, next turned over, 0, 0]`.",
            &[64, 8],
            rows,
        ),
        Table {
            name: AVX2_RANKS,
            doc: "What is attacked along a rank, by the occupancy of its six inner squares: `[file][inner]`.",
            shape: vec![8, 64],
            values: Values::U8(rank_attacks()),
        },
    ]
}

fn pack_rbit() -> Vec<Table> {
    let rows = (0..64).flat_map(lines_without).collect();
    let doc = "The diagonals (of steps 9 and 7), the file and the rank through a square, without it: `[square][line]`.";
    vec![Table::of_u64(RBIT_LINES, doc, &[64, 4], rows)]
}

fn pack_pext(backend: Backend) -> Vec<Table> {
    let mut tables = Vec::with_capacity(3);
    let (mut sets, mut short_sets) = (Vec::new(), Vec::new());
    for piece in Piece::ALL {
        let mut rows = Vec::with_capacity(64 * PEXT_ROW);
        for square in 0..64 {
            let mask = relevant_mask(piece, square);
            let [a, b] = lines_through(piece, square);
            let (rays, offset) = (a ^ b, sets.len());
            rows.extend([mask, rays, offset as u64]);
            sets.resize(offset + (1 << mask.count_ones()), 0);
            let [first, second] = [a, b].map(|line| line_sets(square, line, mask));
            for (occupied, attacks) in first {
                for &(also_occupied, also_attacks) in &second {
                    let key = gathered(occupied | also_occupied, mask);
                    sets[offset + key as usize] = attacks | also_attacks;
                }
            }
            if backend == Backend::Pext16 {
                // A slider sees 14 squares at most.
                short_sets.extend(sets[offset..].iter().map(|&set| gathered(set, rays) as u16));
            }
        }
        tables.push(Table::of_u64(
            pext_rows_name(piece),
            "The squares that matter, the rays, and where the sets begin: `[square][mask, rays, offset]`.",
            &[64, PEXT_ROW],
            rows,
        ));
    }
    tables.push(if backend == Backend::Pext16 {
        Table {
            name: PEXT_ATTACKS,
            doc: "The attack sets, gathered from the rays, square after square: `[offset + key]`.",
            shape: vec![short_sets.len()],
            values: Values::U16(short_sets),
        }
    } else {
        let doc = "The attack sets, square after square: `[offset + key]`.";
        Table::of_u64(PEXT_ATTACKS, doc, &[sets.len()], sets)
    });
    tables
}

/// What PEXT does: the bits of `value` that lie within `mask`, side by side from bit 0.
#[must_use]
pub fn gathered(value: u64, mask: u64) -> u64 {
    let (mut left, mut result, mut place) = (mask, 0, 1_u64);
    while left != 0 {
        if value & left & left.wrapping_neg() != 0 {
            result |= place;
        }
        place <<= 1;
        left &= left - 1;
    }
    result
}

/// What PDEP does: the lowest bits of `value`, one in each place of `mask`.
#[must_use]
pub fn spread(value: u64, mask: u64) -> u64 {
    let (mut left, mut result, mut value) = (mask, 0, value);
    while left != 0 {
        if value & 1 != 0 {
            result |= left & left.wrapping_neg();
        }
        value >>= 1;
        left &= left - 1;
    }
    result
}

/// A piece's part of a backend's tables, ready to be read as the backend will.
#[derive(Clone, Copy, Debug)]
pub struct BackendLookup<'a> {
    piece: Piece,
    kind: Kind<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Kind<'a> {
    Avx2 { lines: &'a [u64], ranks: &'a [u8] },
    Rbit { lines: &'a [u64] },
    Pext { rows: &'a [u64], sets: &'a [u64] },
    Pext16 { rows: &'a [u64], sets: &'a [u16] },
}

impl<'a> BackendLookup<'a> {
    /// Finds a piece's tables among those of a backend; there are none for the table backend.
    ///
    /// # Errors
    /// If one is absent, or has another size or type than the backend asks for.
    pub fn new(
        backend: Backend,
        piece: Piece,
        tables: &'a [Table],
    ) -> Result<Option<BackendLookup<'a>>, Error> {
        let sized = |name, size| match u64_values(tables, name)? {
            values if values.len() == size => Ok(values),
            _ => Err(wrong_size(name)),
        };
        let kind = match backend {
            Backend::Table => return Ok(None),
            Backend::Avx2 => Kind::Avx2 {
                lines: sized(AVX2_LINES, 64 * 8)?,
                ranks: match u8_values(tables, AVX2_RANKS)? {
                    ranks if ranks.len() == 8 * 64 => ranks,
                    _ => return Err(wrong_size(AVX2_RANKS)),
                },
            },
            Backend::Rbit => Kind::Rbit {
                lines: sized(RBIT_LINES, 64 * 4)?,
            },
            Backend::Pext => Kind::Pext {
                rows: sized(pext_rows_name(piece), 64 * PEXT_ROW)?,
                sets: u64_values(tables, PEXT_ATTACKS)?,
            },
            Backend::Pext16 => Kind::Pext16 {
                rows: sized(pext_rows_name(piece), 64 * PEXT_ROW)?,
                sets: match &find(tables, PEXT_ATTACKS)?.values {
                    Values::U16(sets) => sets,
                    _ => return Err(wrong_size(PEXT_ATTACKS)),
                },
            },
        };
        Ok(Some(BackendLookup { piece, kind }))
    }

    /// The squares that a key is gathered from, if the backend has keys.
    #[must_use]
    pub fn mask(&self, square: usize) -> Option<u64> {
        match self.kind {
            Kind::Pext { rows, .. } | Kind::Pext16 { rows, .. } => Some(rows[PEXT_ROW * square]),
            Kind::Avx2 { .. } | Kind::Rbit { .. } => None,
        }
    }

    /// All that the piece may attack from a square as the tables have it, if the backend has keys.
    #[must_use]
    pub fn rays(&self, square: usize) -> Option<u64> {
        match self.kind {
            Kind::Pext { rows, .. } | Kind::Pext16 { rows, .. } => {
                Some(rows[PEXT_ROW * square + 1])
            }
            Kind::Avx2 { .. } | Kind::Rbit { .. } => None,
        }
    }

    /// The piece's two lines on a square as the tables have them, if the backend works along lines: for a bishop that of
    /// step 9 and that of step 7, for a rook the file and the rank. What is no line of theirs is empty.
    #[must_use]
    pub fn lines(&self, square: usize) -> Option<[u64; 2]> {
        let (lines, width) = match self.kind {
            Kind::Avx2 { lines, .. } => (lines, 8),
            Kind::Rbit { lines } => (lines, 4),
            Kind::Pext { .. } | Kind::Pext16 { .. } => return None,
        };
        let first = width * square + 2 * self.piece as usize;
        Some([lines[first], lines[first + 1]])
    }

    /// What the piece attacks, or nothing at all if the look-up would leave a table.
    #[must_use]
    pub fn attacks(&self, square: usize, occupied: u64) -> Option<u64> {
        match self.kind {
            Kind::Avx2 { lines, ranks } => {
                let row = &lines[8 * square..8 * square + 8];
                let along = |line: u64| {
                    let occupied = occupied & line;
                    let up = occupied.wrapping_sub(row[4]);
                    let down = occupied.swap_bytes().wrapping_sub(row[5]);
                    (up ^ down.swap_bytes()) & line
                };
                Some(match self.piece {
                    Piece::Bishop => along(row[0]) | along(row[1]),
                    Piece::Rook => {
                        let start = square & 56;
                        let inner = (occupied >> (start + 1) & 63) as usize;
                        // The last lane is empty, and what it gives too.
                        let rest = along(row[3]);
                        along(row[2]) | rest | u64::from(ranks[64 * (square & 7) + inner]) << start
                    }
                })
            }
            Kind::Rbit { lines } => {
                let first = match self.piece {
                    Piece::Bishop => 4 * square,
                    Piece::Rook => 4 * square + 2,
                };
                let along = |line: u64| {
                    let occupied = occupied & line;
                    let up = occupied.wrapping_sub(1_u64 << square << 1);
                    let down = occupied
                        .reverse_bits()
                        .wrapping_sub(1_u64 << (63 - square) << 1);
                    (up ^ down.reverse_bits()) & line
                };
                Some(along(lines[first]) | along(lines[first + 1]))
            }
            Kind::Pext { rows, sets } => {
                let row = &rows[PEXT_ROW * square..PEXT_ROW * (square + 1)];
                let slot = row[2].checked_add(gathered(occupied, row[0]))?;
                sets.get(slot as usize).copied()
            }
            Kind::Pext16 { rows, sets } => {
                let row = &rows[PEXT_ROW * square..PEXT_ROW * (square + 1)];
                let slot = row[2].checked_add(gathered(occupied, row[0]))?;
                let set = sets.get(slot as usize)?;
                Some(spread(u64::from(*set), row[1]))
            }
        }
    }
}

fn wrong_size(name: &'static str) -> Error {
    Error::Table {
        name,
        reason: "is not as large as the backend says",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::next_subset;

    fn target(architecture: &str, features: &str) -> Target {
        Target {
            architecture: architecture.to_owned(),
            features: features.split(',').map(str::to_owned).collect(),
        }
    }

    #[test]
    fn gathering_and_spreading_undo_each_other() {
        let mask = 0x8000_0420_0000_1001_u64;
        let mut subset = 0;
        for number in 0..1 << mask.count_ones() {
            assert_eq!(gathered(subset | !mask, mask), number);
            assert_eq!(spread(number | !63, mask), subset);
            subset = next_subset(subset, mask);
        }
        assert_eq!(gathered(!0, !0), !0);
        assert_eq!(spread(!0, !0), !0);
    }

    #[test]
    fn the_target_decides() {
        let plain = target("x86_64", "fxsr,sse,sse2");
        let native = target("x86_64", "avx,avx2,bmi1,bmi2,sse,sse2");
        let arm = target("aarch64", "neon");
        // A feature of that name means nothing on another architecture.
        let odd = target("riscv32", "avx2,bmi2");
        for (target, runs) in [
            (&plain, &["table"][..]),
            (&native, &["table", "avx2", "pext", "pext16"]),
            (&target("x86_64", "bmi2"), &["table", "pext", "pext16"]),
            (&arm, &["table", "rbit"]),
            (&odd, &["table"]),
            (&Target::default(), &["table"]),
        ] {
            for backend in Backend::ALL {
                let parsed = Backend::parse(backend.name(), Backend::Table, target);
                if runs.contains(&backend.name()) {
                    assert_eq!(parsed, Ok(backend));
                } else {
                    let error = parsed.expect_err("cannot run");
                    assert_eq!(
                        (error.name, &*error.value),
                        ("KIRIN_BACKEND", backend.name())
                    );
                    assert!(error
                        .allowed
                        .starts_with(&format!("one of auto, {}: ", runs.join(", "))));
                }
            }
            for auto in Backend::ALL {
                assert_eq!(Backend::parse("", auto, target), Ok(auto));
                assert_eq!(Backend::parse("auto", auto, target), Ok(auto));
            }
        }
        for (target, best) in [
            (&plain, Backend::Table),
            (&native, Backend::Pext),
            (&target("x86_64", "avx2,bmi2,sse4a"), Backend::Table),
            (&target("x86_64", "avx2,bmi2,sse4a,vaes"), Backend::Pext),
            (&arm, Backend::Rbit),
            (&odd, Backend::Table),
        ] {
            assert_eq!(Backend::best_for(target), best, "{target:?}");
        }
    }

    #[test]
    fn other_backends_are_refused_in_one_line() {
        let plain = target("x86_64", "sse2");
        assert_eq!(
            Backend::parse("avx2", Backend::Table, &plain).expect_err("lacks it").to_string(),
            "KIRIN_BACKEND is \"avx2\", but must be one of auto, table: this target, x86_64, lacks what it needs \
             (of the features in question it has none)"
        );
        for text in ["AVX2", "magic", " avx2", "auto ", "\n"] {
            let line = Backend::parse(text, Backend::Table, &plain)
                .expect_err(text)
                .to_string();
            assert!(
                line.lines().count() == 1 && line.contains("KIRIN_BACKEND"),
                "{line}"
            );
        }
    }

    /// One wrong bit in any table is found, and so is a table that is absent or too short.
    #[test]
    fn spoiled_tables_are_refused() {
        for backend in Backend::ALL {
            let good = pack(backend);
            let proven = proof::prove_backend(backend, &good).expect("is right");
            assert_eq!(proven.slider_keys == 0, backend == Backend::Table);
            for number in 0..good.len() {
                let spoil = |change: &dyn Fn(&mut Vec<Table>)| {
                    let mut bad = good.clone();
                    change(&mut bad);
                    assert!(
                        proof::prove_backend(backend, &bad).is_err(),
                        "{} {}",
                        backend.name(),
                        good[number].name
                    );
                };
                spoil(&|bad| {
                    bad.remove(number);
                });
                spoil(&|bad| match &mut bad[number].values {
                    Values::U64(values) => values.truncate(100),
                    Values::U16(values) => values.truncate(100),
                    Values::U8(values) => values.truncate(100),
                    _ => unreachable!("no backend has others"),
                });
                for at in [0, 1, 2, good[number].values.len() - 12] {
                    spoil(&|bad| match &mut bad[number].values {
                        Values::U64(values) => values[at] ^= 1,
                        Values::U16(values) => values[at] ^= 1,
                        Values::U8(values) => values[at] ^= 1,
                        _ => unreachable!("no backend has others"),
                    });
                }
            }
        }
    }
}
