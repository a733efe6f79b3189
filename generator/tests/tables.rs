//! Whole sets of tables: proven, complete, and the same every time.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use kirin_generator::geometry::{next_subset, slow_attacks, Piece};
use kirin_generator::layout::{self, Lookup};
use kirin_generator::proof::prove;
use kirin_generator::table::{checksum, Fnv};
use kirin_generator::{generate, Error, Layout, Settings, Table, Tables, Values};

const SEEDS: [u64; 6] = [0, 1, u32::MAX as u64, 1 << 32, 1 << 63, u64::MAX];

fn tables(seed: u64, layout: Layout) -> Tables {
    generate(&Settings { seed, layout }).expect("any seed works")
}

/// Tables that no proof covers: chosen numbers, where no walk says what is right.
fn is_chosen(name: &str) -> bool {
    let chosen = ["REDUCTIONS", "CUCKOO_KEYS", "CUCKOO_MOVES", "KPK_WINS"];
    name.starts_with("ZOBRIST") || chosen.contains(&name) || is_weight(name)
}

/// Tables made of the data files of the evaluation, which tuning changes often.
fn is_weight(name: &str) -> bool {
    let weights = ["EVAL_WEIGHTS", "KING_PSQT", "IMBALANCE", "PSQT_KING"];
    weights.contains(&name) || name.starts_with("NETWORK")
}

fn position(tables: &[Table], name: &str) -> usize {
    tables
        .iter()
        .position(|table| table.name == name)
        .expect("is made")
}

#[test]
fn extreme_seeds_are_proven_in_every_layout() {
    for seed in SEEDS {
        for layout in Layout::ALL {
            let proven = tables(seed, layout).proven();
            if layout == Layout::Tiny {
                assert!(proven.slider_keys > 102_400 + 5_248);
            } else {
                assert_eq!(proven.slider_keys, 102_400 + 5_248);
            }
            assert_eq!(
                proven.sets,
                2 * 64
                    + 64
                    + 64
                    + 2 * 64
                    + 2 * 64 * 64
                    + 4 * 64
                    + if layout == Layout::Tiny { 3 * 64 } else { 0 }
            );
        }
    }
}

/// Ten thousand seeds, spread over all 64 bits: for each the magics are searched, packed in every layout, and proven.
/// All cores share the work; `KIRIN_TEST_SEEDS` asks for another number of seeds.
#[test]
#[ignore = "for optimised builds: minutes there"]
fn ten_thousand_seeds_are_proven_in_every_layout() {
    const SHARE: u64 = 50;
    let count: u64 = match std::env::var("KIRIN_TEST_SEEDS") {
        Ok(text) => text.parse().expect("KIRIN_TEST_SEEDS is a number"),
        Err(_) => 10_000,
    };
    let next = AtomicU64::new(0);
    let work = || {
        let mut report = SeedReport::default();
        loop {
            let first = next.fetch_add(SHARE, Ordering::Relaxed);
            if first >= count {
                return report;
            }
            for number in first..count.min(first + SHARE) {
                report.add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let report = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("a failure is recorded, not a panic"))
            .fold(SeedReport::default(), SeedReport::join)
    });
    let (fewest, most) = (report.overlapped.first(), report.overlapped.last());
    println!(
        "{count} seeds: {} attempts for a seed on average, at most {} for one square; overlapped \
         {fewest:?} to {most:?} entries",
        report.attempts / count.max(1),
        report.most_attempts,
    );
    assert_eq!(report.failures, Vec::<String>::new());
    assert_eq!(report.proven, Layout::ALL.len() as u64 * count);
    assert_eq!(
        report.checksums.len() as u64,
        count,
        "no two seeds have the same tables"
    );
    assert!(report.most_attempts < kirin_generator::magic::ATTEMPT_LIMIT / 4);
    assert!(most < Some(&107_648), "no denser than fancy");
}

/// What became of some seeds.
#[derive(Default)]
struct SeedReport {
    proven: u64,
    failures: Vec<String>,
    /// Of `fancy`, where the seed chooses every magic.
    checksums: BTreeSet<u64>,
    attempts: u64,
    most_attempts: u32,
    /// The numbers of entries that `overlapped` took.
    overlapped: BTreeSet<usize>,
}

impl SeedReport {
    fn add(&mut self, seed: u64) {
        match kirin_generator::magic::find_all(seed) {
            Ok(magics) => {
                for magic in magics.iter().flatten() {
                    self.most_attempts = self.most_attempts.max(magic.attempts);
                    self.attempts += u64::from(magic.attempts);
                }
            }
            Err(error) => self.failures.push(format!("seed {seed:#x}: {error}")),
        }
        for layout in Layout::ALL {
            let tables = match generate(&Settings { seed, layout }) {
                Ok(tables) => tables,
                Err(error) => {
                    let failure = format!("seed {seed:#x}, {}: {error}", layout.name());
                    self.failures.push(failure);
                    continue;
                }
            };
            self.proven += 1;
            match layout {
                Layout::Fancy => {
                    self.checksums.insert(tables.checksum());
                }
                Layout::Overlapped => {
                    let entries = layout::size(layout, tables.list())
                        .expect("is made")
                        .entries;
                    self.overlapped.insert(entries);
                }
                _ => {}
            }
        }
    }

    fn join(mut self, other: SeedReport) -> SeedReport {
        self.proven += other.proven;
        self.failures.extend(other.failures);
        self.checksums.extend(other.checksums);
        self.attempts += other.attempts;
        self.most_attempts = self.most_attempts.max(other.most_attempts);
        self.overlapped.extend(other.overlapped);
        self
    }
}

/// Case F02, without the build: the seed chooses the magics and nothing else.
#[test]
fn the_seed_changes_magics_only() {
    let (a, b) = (tables(1, Layout::Fancy), tables(2, Layout::Fancy));
    for (a, b) in a.list().iter().zip(b.list()) {
        assert_eq!(a.name, b.name);
        let by_magic = ["BISHOP_SLIDERS", "ROOK_SLIDERS", "SLIDER_ATTACKS"].contains(&a.name);
        assert_eq!(a.values != b.values, by_magic, "{}", a.name);
    }
}

/// The whole rays with their ends: the edge squares must not matter.
#[test]
fn look_ups_are_right_for_every_subset_of_the_full_rays() {
    for layout in Layout::ALL {
        let tables = tables(5, layout);
        for piece in Piece::ALL {
            let lookup = Lookup::new(layout, piece, tables.list()).expect("is made");
            for square in 0..64 {
                let rays = slow_attacks(piece, square, 0);
                let mut occupied = 0;
                loop {
                    let expected = slow_attacks(piece, square, occupied);
                    assert_eq!(
                        lookup.attacks(square, occupied),
                        Some(expected),
                        "{layout:?} {piece:?} {square} {occupied:#x}"
                    );
                    // What stands elsewhere, the square itself included, must not matter either.
                    assert_eq!(lookup.attacks(square, occupied | !rays), Some(expected));
                    occupied = next_subset(occupied, rays);
                    if occupied == 0 {
                        break;
                    }
                }
            }
        }
    }
}

/// Case F09: the sizes, and each square's slots inside its own part.
#[test]
fn sizes_are_those_of_the_masks() {
    let fancy = tables(3, Layout::Fancy);
    let mut next = 0;
    for piece in Piece::ALL {
        let lookup = Lookup::new(Layout::Fancy, piece, fancy.list()).expect("is made");
        for square in 0..64 {
            let row = lookup.row(square).expect("has rows");
            assert_eq!(row.offset, next);
            assert_eq!(64 - row.shift, row.mask.count_ones());
            next += 1 << row.mask.count_ones();
        }
    }
    assert_eq!(next, 107_648);
    let plain = tables(3, Layout::Plain);
    let rook = &plain.list()[position(plain.list(), "ROOK_ATTACKS")];
    assert_eq!(rook.shape, [64, 4096]);
    for (layout, entries, used, bytes, metadata) in [
        (
            Layout::Plain,
            64 * 512 + 64 * 4096,
            107_648,
            2_359_296,
            3_072,
        ),
        (Layout::Fancy, 107_648, 107_648, 861_184, 3_072),
        (Layout::Overlapped, 77_460, 70_650, 619_680, 3_072),
        (Layout::Folded, 35_795, 32_373, 286_360, 1_536),
        // 3,164 distinct sets on half the board.
        (Layout::Compact, 35_795, 32_373, 35_795 + 8 * 3_164, 1_664),
        (Layout::Tiny, 64 * 3 + 8 * 64, 704, 2_048, 0),
    ] {
        let size =
            layout::size(layout, tables(Settings::DEFAULT_SEED, layout).list()).expect("is made");
        assert_eq!(
            (size.entries, size.used, size.bytes, size.metadata_bytes),
            (entries, used, bytes, metadata),
            "{layout:?}"
        );
    }
}

/// One wrong value in any table that is proven, at either end or in the middle, and the proof names the place.
#[test]
fn a_corrupted_table_is_refused() {
    for layout in Layout::ALL {
        let good = tables(9, layout).list().to_vec();
        assert!(prove(layout, &good).is_ok());
        for (at, table) in good.iter().enumerate() {
            if is_chosen(table.name) {
                continue;
            }
            let length = table.values.len();
            for slot in [0, length / 2, length - 1] {
                let mut bad = good.clone();
                // The rectangles of `plain` are not full, and others have holes: a slot that nobody reads may hold
                // anything. Those hold 0, so the next one that does not is taken.
                let sparse = layout != Layout::Fancy
                    && [
                        "BISHOP_ATTACKS",
                        "ROOK_ATTACKS",
                        "SLIDER_ATTACKS",
                        "SLIDER_NUMBERS",
                    ]
                    .contains(&table.name);
                let read = |&slot: &usize| match &table.values {
                    Values::U64(values) => values[slot] != 0,
                    Values::U8(values) => values[slot] != 0,
                    _ => true,
                };
                let slot = if sparse {
                    let mut slots = (slot..length).chain((0..slot).rev());
                    slots.find(read).expect("not all are holes")
                } else {
                    slot
                };
                match &mut bad[at].values {
                    Values::U64(values) => values[slot] ^= 1 << 62,
                    Values::U8(values) => values[slot] ^= 1,
                    Values::U16(values) => values[slot] ^= 1 << 15,
                    _ => continue,
                }
                let error = prove(layout, &bad).expect_err(table.name);
                match error {
                    Error::Wrong {
                        expected, found, ..
                    } => {
                        if table.name.ends_with("_ATTACKS")
                            && matches!(layout, Layout::Plain | Layout::Fancy)
                        {
                            assert_eq!(expected ^ found, 1 << 62);
                        }
                        assert!(error.to_string().contains("occupied 0x"), "{error}");
                    }
                    Error::Row { reason, .. } => {
                        assert_eq!(reason, "a look-up leaves the table");
                    }
                    _ => panic!("{error}"),
                }
            }
        }
    }
}

#[test]
fn a_corrupted_row_is_refused() {
    for layout in Layout::ALL {
        if layout.rows() == 0 {
            continue;
        }
        let good = tables(9, layout).list().to_vec();
        // The first square that the row of e4 serves: folded layouts have it serve e5 as well.
        let (number, _) = layout.row_of(36);
        let place = if layout.rows() == 32 {
            " on e5"
        } else {
            " on e4"
        };
        for name in ["BISHOP_SLIDERS", "ROOK_SLIDERS"] {
            let at = position(&good, name);
            for field in 0..8 {
                let mut bad = good.clone();
                let Values::Sliders(rows) = &mut bad[at].values else {
                    panic!("rows")
                };
                let row = &mut rows[number];
                match field {
                    0 => row.mask |= 1 << 63,
                    1 => row.mask &= row.mask - 1,
                    2 => row.magic = 0,
                    3 => row.magic ^= 1 << 40 | 1 << 33,
                    4 => row.shift = 64,
                    5 => row.shift = 0,
                    6 => row.shift += 1,
                    _ => row.offset = u32::MAX,
                }
                let error = prove(layout, &bad).expect_err("spoiled");
                assert!(
                    error.to_string().contains(place),
                    "{layout:?} {field}: {error}"
                );
            }
        }
    }
}

#[test]
fn absent_and_misshapen_tables_are_refused() {
    for layout in Layout::ALL {
        let good = tables(9, layout).list().to_vec();
        for (at, table) in good.iter().enumerate() {
            if is_chosen(table.name) {
                continue;
            }
            let mut bad = good.clone();
            bad.remove(at);
            let error = prove(layout, &bad).expect_err(table.name);
            assert!(error.to_string().contains(table.name), "{error}");
            let mut bad = good.clone();
            bad[at].values = Values::U64(Vec::new());
            prove(layout, &bad).expect_err(table.name);
        }
    }
}

#[test]
fn the_text_states_what_it_holds() {
    for layout in Layout::ALL {
        let tables = tables(0xabc, layout);
        let text = tables.to_rust();
        let has = |part: &str| assert!(text.contains(part), "{part}");
        has("Generated, do not edit.");
        has(&format!("generate --seed 0xabc --layout {}", layout.name()));
        has("pub const SEED: u64 = 0xabc;");
        has(&format!("pub const LAYOUT: &str = {:?};", layout.name()));
        has(&format!(
            "pub const GENERATOR_VERSION: &str = {:?};",
            kirin_generator::VERSION
        ));
        has(&format!(
            "pub const CHECKSUM: u64 = {:#x};",
            checksum(tables.list())
        ));
        has(&format!(
            "pub static TABLE_LIST: [TableInfo; {}]",
            tables.list().len()
        ));
        for table in tables.list() {
            has(&format!(
                "TableInfo {{ name: {:?}, entries: {},",
                table.name,
                table.values.len()
            ));
            let word = if table.shape.is_empty() {
                "const"
            } else {
                "static"
            };
            has(&format!("pub {word} {}: ", table.name));
        }
        assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 200));
    }
}

/// The numbers in the text, read back by no more than splitting it, give the checksum that the text states.
#[test]
fn the_checksum_can_be_computed_from_the_text() {
    for layout in Layout::ALL {
        let tables = tables(77, layout);
        let text = tables.to_rust();
        let mut fnv = Fnv::default();
        for table in tables.list() {
            let declaration = format!(" {}: ", table.name);
            let body = text
                .split_once(&declaration)
                .and_then(|(_, rest)| rest.split_once("=\n"))
                .expect("is there")
                .1;
            let body = body.split_once(";\n").expect("ends").0;
            fnv.update(table.name.as_bytes());
            let rows = matches!(table.values, Values::Sliders(_));
            let mut count = 0;
            for word in body
                .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
                .filter(|word| word.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
            {
                let value = match (word.strip_prefix("0x"), word.strip_prefix('-')) {
                    (Some(digits), _) => u64::from_str_radix(digits, 16),
                    (_, Some(digits)) => digits.parse().map(u64::wrapping_neg),
                    _ => word.parse(),
                }
                .expect("a number");
                let width = match (&table.values, count % 4) {
                    (Values::U8(_), _) => 1,
                    (Values::U16(_) | Values::I16(_), _) => 2,
                    (Values::I32(_), _) | (Values::Sliders(_), 2 | 3) => 4,
                    _ => 8,
                };
                fnv.update(&value.to_le_bytes()[..width]);
                count += 1;
            }
            assert_eq!(
                count,
                table.values.len() * if rows { 4 } else { 1 },
                "{}",
                table.name
            );
        }
        assert_eq!(fnv.finish(), tables.checksum());
    }
}

/// The values themselves, but for the weights. A change here is a change of every build: raise the generator's version
/// and say so in the changelog. The same numbers hold on every host.
#[test]
fn the_output_is_pinned() {
    let print = |seed, layout| {
        let mut list = tables(seed, layout).list().to_vec();
        list.retain(|table| !is_weight(table.name));
        format!("{:#018x}", checksum(&list))
    };
    let default = Settings::default();
    assert_eq!(
        (default.seed, default.layout),
        (0x4b_6972_696e, Layout::Fancy)
    );
    assert_eq!(
        [
            print(default.seed, Layout::Plain),
            print(default.seed, Layout::Fancy),
            print(0, Layout::Fancy),
            print(u64::MAX, Layout::Fancy),
        ],
        [
            "0x0bc07fb6a624ac26",
            "0x2a43f24983e88416",
            "0x70c7edf6216e1e87",
            "0x6a4f2758d1ad3c53"
        ]
    );
    let again = [(); 2].map(|()| tables(default.seed, default.layout).to_rust());
    assert!(again[0] == again[1]);
}

/// A build script may be run on a thread with little stack.
#[test]
fn a_small_stack_is_enough() {
    let work = || {
        for layout in Layout::ALL {
            assert!(!tables(4, layout).to_rust().is_empty());
        }
    };
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("enough");
}
