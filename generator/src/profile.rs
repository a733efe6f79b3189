//! How much of the generated knowledge an engine carries: all of it, or what a small microcontroller has room for.
//!
//! The small profile does without the tables that its engine computes as it goes or does not use, cuts the reductions
//! short, and keeps the piece-square tables for a few groups of king squares instead of each of them. All layouts of the
//! slider tables go with it.

use crate::table::{Table, Values};

/// How much knowledge the tables hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// All of it.
    #[default]
    Full,
    /// What fits small parts.
    Small,
}

/// What the small profile does without.
const LEFT_OUT: [&str; 12] = [
    "PAWN_ATTACKS",
    "BETWEEN",
    "LINE",
    "CUCKOO_KEYS",
    "CUCKOO_MOVES",
    "KPK_WINS",
    "FORWARD_FILES",
    "PASSED_SPANS",
    "NETWORK_INPUTS",
    "NETWORK_BIAS",
    "NETWORK_OUTPUTS",
    "NETWORK_OUTPUT_BIAS",
];

/// How many depths and move numbers the small profile tells apart in its reductions.
const REDUCTIONS: usize = 15;

/// `[king]`, from e8 to h8 and down to h1: which kings share their piece-square tables. On the first two ranks the wing
/// and the centre are told apart.
#[rustfmt::skip]
const KING_GROUPS: [u8; 32] = [
    2, 2, 2, 2,
    2, 2, 2, 2,
    2, 2, 2, 2,
    2, 2, 2, 2,
    2, 2, 2, 2,
    2, 2, 2, 2,
    1, 1, 0, 0,
    1, 1, 0, 0,
];
const GROUPS: usize = 3;

impl Profile {
    /// Both.
    pub const ALL: [Profile; 2] = [Profile::Full, Profile::Small];

    /// Its name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Profile::Full => "full",
            Profile::Small => "small",
        }
    }

    /// What becomes of the full tables.
    pub(crate) fn apply(self, tables: &mut Vec<Table>) {
        if self == Profile::Full {
            return;
        }
        tables.retain(|table| !LEFT_OUT.contains(&table.name));
        for table in tables.iter_mut() {
            match (table.name, &mut table.values) {
                ("REDUCTIONS", Values::U16(values)) => {
                    *values = corner(values, table.shape[1], REDUCTIONS);
                    table.shape = vec![REDUCTIONS, REDUCTIONS];
                }
                ("KING_PSQT", Values::I32(values)) => {
                    *values = averages(values);
                    table.shape[0] = GROUPS;
                    table.doc = "What a piece is worth as a king sees it, from a8 = 0 and packed: \
                                 `[group of kings][own, enemy][piece][square]`.";
                }
                _ => {}
            }
        }
        tables.push(Table {
            name: "KING_GROUPS",
            doc: "Which kings share a part of `KING_PSQT`: `[king]`.",
            shape: vec![KING_GROUPS.len()],
            values: Values::U8(KING_GROUPS.to_vec()),
        });
    }
}

/// The first rows and columns of a square table.
fn corner(values: &[u16], width: usize, kept: usize) -> Vec<u16> {
    let rows = values.chunks(width).take(kept);
    rows.flat_map(|row| &row[..kept]).copied().collect()
}

/// For each group the mean of its kings' tables, middlegame and endgame apart, rounded down.
fn averages(values: &[i32]) -> Vec<i32> {
    let board = values.len() / KING_GROUPS.len();
    let mut means = Vec::with_capacity(GROUPS * board);
    for group in 0..GROUPS {
        let kings = || (0..KING_GROUPS.len()).filter(|&king| KING_GROUPS[king] as usize == group);
        let count = kings().count() as i32;
        for place in 0..board {
            let (mut middlegame, mut endgame) = (0, 0);
            for king in kings() {
                let packed = values[king * board + place];
                middlegame += packed as i16 as i32;
                endgame += packed.wrapping_add(0x8000) >> 16;
            }
            let (middlegame, endgame) = (middlegame.div_euclid(count), endgame.div_euclid(count));
            means.push((endgame << 16).wrapping_add(middlegame));
        }
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::verify;
    use crate::{generate, Language, Settings, Squares};

    fn find<'a>(tables: &'a [Table], name: &str) -> Option<&'a Table> {
        tables.iter().find(|table| table.name == name)
    }

    #[test]
    fn small_tables_are_a_part_of_the_full_ones() {
        let full = generate(&Settings::default()).expect("the default is known to work");
        let small = full.clone().with_profile(Profile::Small);
        for name in LEFT_OUT {
            assert!(find(full.list(), name).is_some(), "{name}");
            assert!(find(small.list(), name).is_none(), "{name}");
        }
        for table in small.list() {
            assert_eq!(table.values.len(), table.shape.iter().product::<usize>());
            let changed = ["REDUCTIONS", "KING_PSQT", "KING_GROUPS"].contains(&table.name);
            assert_eq!(
                find(full.list(), table.name) == Some(table),
                !changed,
                "{}",
                table.name
            );
        }
        let reductions = |tables| match find(tables, "REDUCTIONS").map(|table| &table.values) {
            Some(Values::U16(values)) => values.clone(),
            _ => panic!("reductions are u16"),
        };
        assert_eq!(
            reductions(small.list())[15 * 14 + 5],
            reductions(full.list())[64 * 14 + 5]
        );
        assert_ne!(small.checksum(), full.checksum());
        assert_eq!(
            full.clone().with_profile(Profile::Full).checksum(),
            full.checksum()
        );
    }

    #[test]
    fn texts_of_small_tables_are_proven() {
        let small = generate(&Settings::default())
            .expect("the default is known to work")
            .with_profile(Profile::Small);
        for language in [Language::Rust, Language::C, Language::Json] {
            let text = small
                .to_text(language, Squares::default())
                .expect("it can be written");
            let report = verify(&text, None);
            assert!(report.is_ok(), "{}: {report:?}", language.name());
            let damaged = text.replacen("KNIGHT_ATTACKS", "KNIGHT_ATTACK", 9);
            assert!(verify(&damaged, None).is_err(), "{}", language.name());
            let unknown = text.replacen("--profile small", "--profile smell", 1);
            assert_ne!(text, unknown);
            assert!(verify(&unknown, None).is_err(), "{}", language.name());
        }
    }

    #[test]
    fn halves_of_packed_values_are_averaged_apart() {
        let pack = |middlegame: i32, endgame: i32| (endgame << 16).wrapping_add(middlegame);
        // One place for each king; f2 and e1 are numbers 25 and 28, in a group of four, and h1 is 31 of another.
        let mut values = vec![0; KING_GROUPS.len()];
        (values[25], values[28]) = (pack(-30, 41), pack(-10, -21));
        values[31] = pack(-7, -9);
        let means = averages(&values);
        assert_eq!(means, [pack(-2, -3), pack(-10, 5), 0]);
    }
}
