//! The weights of the evaluation: one committed data file becomes one flat table, a constant
//! for the place where each group begins, and the piece-square tables in their final form.
//!
//! A weight is a middlegame and an endgame value. Both go into one `i32`: the endgame value in
//! the high half and the middlegame value added, so that sums of weights add both at once.

use crate::error::Error;
use crate::table::{Table, Values};

/// The data file, part of the crate.
const WEIGHTS: &str = include_str!("../data/evaluation.txt");

/// The groups of weights that the engine adds up position by position, in their order, and
/// their lengths.
const TERMS: [(&str, usize); TERM_GROUPS] = [
    ("MOBILITY_KNIGHT", 9),
    ("MOBILITY_BISHOP", 14),
    ("MOBILITY_ROOK", 15),
    ("MOBILITY_QUEEN", 28),
    ("PASSED", 8),
    ("PASSED_FREE", 8),
    ("PASSED_STEP", 8),
    ("PASSED_STEP_HELD", 8),
    ("PASSED_OWN_KING", 32),
    ("PASSED_ENEMY_KING", 32),
    ("PASSED_ROOK_BEHIND", 2),
    ("PASSED_DEFENDED", 8),
    ("CANDIDATE", 8),
    ("ISOLATED", 2),
    ("DOUBLED", 2),
    ("BACKWARD", 2),
    ("PHALANX", 8),
    ("SUPPORTED", 8),
    ("LEVER", 8),
    ("BISHOP_PAIR", 1),
    ("BISHOP_PAWNS", 2),
    ("LONG_DIAGONAL", 1),
    ("PAWNS_AND_PIECE", 27),
    ("OUTPOST", 4),
    ("BEHIND_PAWN", 2),
    ("ROOK_FILE", 2),
    ("SHELTER", 16),
    ("STORM", 16),
    ("THREAT_BY_PAWN", 6),
    ("THREAT_BY_MINOR", 6),
    ("THREAT_BY_ROOK", 6),
    ("THREAT_BY_KING", 1),
    ("THREAT_BY_PUSH", 1),
    ("THREAT_TO_QUEEN", 2),
    ("HANGING", 1),
    ("RESTRICTED", 1),
    ("SPACE", 1),
    ("DANGER_BASE", 2),
    ("DANGER_ATTACKER", 5),
    ("DANGER_RING", 1),
    ("DANGER_WEAK", 1),
    ("DANGER_SAFE_CHECK", 5),
    ("DANGER_UNSAFE_CHECK", 1),
    ("DANGER_FLANK", 3),
    ("DANGER_BARE_FLANK", 1),
    ("DANGER_SHELTER", 16),
    ("TEMPO", 1),
    ("COMPLEXITY", 5),
];
const TERM_GROUPS: usize = 48;

/// How many squares a king can have when the board is mirrored so that it stands on the files
/// e to h.
const KING_SQUARES: usize = 32;
/// Pawns, knights, bishops, rooks, queens.
const KINDS: usize = 5;
/// From seven files to the left and seven ranks down to as many to the right and up.
const OFFSETS: usize = 15 * 15;

/// The groups that make up the piece-square tables: they are added up here, once.
const PLACES: [(&str, usize); 14] = [
    ("MATERIAL", KINDS),
    ("IMBALANCE_OWN", KINDS * (KINDS + 1) / 2),
    ("IMBALANCE_ENEMY", KINDS * (KINDS - 1) / 2),
    ("PSQT_PAWN", 64),
    ("PSQT_KNIGHT", 64),
    ("PSQT_BISHOP", 64),
    ("PSQT_ROOK", 64),
    ("PSQT_QUEEN", 64),
    ("PSQT_KING", KING_SQUARES),
    ("PSQT_ENEMY", KINDS * 64),
    ("NEAR_OWN_KING", KINDS * OFFSETS),
    ("NEAR_ENEMY_KING", KINDS * OFFSETS),
    ("KING_OWN", KING_SQUARES * KINDS * 64),
    ("KING_ENEMY", KING_SQUARES * KINDS * 64),
];

/// All groups, in the order of the file.
fn groups() -> impl Iterator<Item = (&'static str, usize)> {
    TERMS.into_iter().chain(PLACES)
}

/// A named place in the flat table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offset {
    /// The name of the constant.
    pub name: String,
    /// The index of the group's first weight.
    pub value: usize,
}

/// The weights as tables, and where each group begins.
///
/// # Errors
/// If the data file is not as this version expects: the error names the group or the line.
pub fn tables() -> Result<(Vec<Table>, Vec<Offset>), Error> {
    build(WEIGHTS)
}

fn build(text: &str) -> Result<(Vec<Table>, Vec<Offset>), Error> {
    let mut weights = parse(text)?;
    let mut offsets = Vec::new();
    let mut next = 0;
    for (name, length) in groups() {
        offsets.push(Offset {
            name: format!("EVAL_{name}"),
            value: next,
        });
        next += length;
    }
    let terms = TERMS.iter().map(|(_, length)| length).sum();
    let places = weights.split_off(terms);
    let imbalance = group(&places, "IMBALANCE_OWN")
        .iter()
        .chain(group(&places, "IMBALANCE_ENEMY"))
        .copied()
        .collect();
    let (pieces, kings) = piece_square_tables(&places);
    let tables = vec![
        Table {
            name: "EVAL_WEIGHTS",
            doc: "The weights of the evaluation, middlegame and endgame packed.",
            shape: vec![terms],
            values: Values::I32(weights),
        },
        Table {
            name: "KING_PSQT",
            doc: "What a piece is worth as a king sees it, from a8 = 0 and packed: `[king][own, enemy][piece][square]`.",
            shape: vec![KING_SQUARES, 2, KINDS, 64],
            values: Values::I32(pieces),
        },
        Table {
            name: "IMBALANCE",
            doc: "What pairs of pieces are worth, packed: two of one side, the greater kind counting the rows of a triangle, then one of each side.",
            shape: vec![KINDS * KINDS],
            values: Values::I32(imbalance),
        },
        Table {
            name: "PSQT_KING",
            doc: "The place of the king itself, packed: `[king]`.",
            shape: vec![KING_SQUARES],
            values: Values::I32(kings),
        },
    ];
    Ok((tables, offsets))
}

/// One group of the places.
fn group<'a>(places: &'a [i32], wanted: &str) -> &'a [i32] {
    let mut start = 0;
    for (name, length) in PLACES {
        if name == wanted {
            return &places[start..start + length];
        }
        start += length;
    }
    // The name is a literal of this file.
    unreachable!("{wanted} is no group of places")
}

/// The value of each piece of one's own and of the enemy on each square for each place of one's
/// own king, and of the king's place itself. The board is seen from the king's side, mirrored
/// if need be so that the king is on the files e to h.
fn piece_square_tables(places: &[i32]) -> (Vec<i32>, Vec<i32>) {
    let group = |name| group(places, name);
    let material = group("MATERIAL");
    let psqt = [
        "PSQT_PAWN",
        "PSQT_KNIGHT",
        "PSQT_BISHOP",
        "PSQT_ROOK",
        "PSQT_QUEEN",
    ]
    .map(group);
    let psqt_enemy = group("PSQT_ENEMY");
    let near = [group("NEAR_OWN_KING"), group("NEAR_ENEMY_KING")];
    let exact = [group("KING_OWN"), group("KING_ENEMY")];
    let mut values = Vec::with_capacity(KING_SQUARES * 2 * KINDS * 64);
    for king in 0..KING_SQUARES {
        let (king_file, king_rank) = (4 + king % 4, king / 4);
        for side in 0..2 {
            for kind in 0..KINDS {
                for square in 0..64 {
                    let general = if side == 0 {
                        material[kind].wrapping_add(psqt[kind][square])
                    } else {
                        psqt_enemy[64 * kind + square]
                    };
                    let offset = 15 * (7 + square / 8 - king_rank) + 7 + square % 8 - king_file;
                    values.push(
                        general
                            .wrapping_add(near[side][OFFSETS * kind + offset])
                            .wrapping_add(exact[side][64 * (KINDS * king + kind) + square]),
                    );
                }
            }
        }
    }
    (values, group("PSQT_KING").to_vec())
}

fn pack(middlegame: i16, endgame: i16) -> i32 {
    ((endgame as i32) << 16).wrapping_add(middlegame as i32)
}

/// A pair of weights.
type Pair = (i16, i16);

/// The next pair of a line, and where it begins; the inner `None` if what is there is no pair.
///
/// By hand, because an unoptimised build script takes ten times as long for the 24 thousand of
/// them with the library's iterators.
fn next_pair(line: &[u8], at: &mut usize) -> Option<(usize, Option<Pair>)> {
    let mut i = *at;
    while i < line.len() && line[i].is_ascii_whitespace() {
        i += 1;
    }
    if i == line.len() {
        return None;
    }
    let start = i;
    let middlegame = next_number(line, &mut i);
    let separated = i < line.len() && line[i] == b'/';
    i += 1;
    let endgame = next_number(line, &mut i);
    *at = i;
    let ended = i >= line.len() || line[i].is_ascii_whitespace();
    match (middlegame, endgame) {
        (Some(middlegame), Some(endgame)) if separated && ended => {
            Some((start, Some((middlegame, endgame))))
        }
        _ => Some((start, None)),
    }
}

pub(crate) fn next_number(line: &[u8], at: &mut usize) -> Option<i16> {
    let mut i = *at;
    let negative = i < line.len() && line[i] == b'-';
    if negative {
        i += 1;
    }
    let first = i;
    let mut value = 0_i32;
    while i < line.len() && line[i] >= b'0' && line[i] <= b'9' {
        value = 10 * value + (line[i] - b'0') as i32;
        if value > i16::MAX as i32 {
            return None;
        }
        i += 1;
    }
    *at = i;
    if i == first {
        return None;
    }
    Some(if negative { -value } else { value } as i16)
}

/// Reads the groups, which must come complete and in their order.
fn parse(text: &str) -> Result<Vec<i32>, Error> {
    let mut weights = Vec::new();
    let mut groups = groups();
    let mut group: Option<(&str, usize)> = None;
    let mut left = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let error = |why: String| Error::Weights {
            file: "evaluation.txt",
            line: number + 1,
            why,
        };
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            if let (Some((group, length)), true) = (group, left > 0) {
                return Err(error(format!(
                    "group {group} has {left} fewer than {length} weights"
                )));
            }
            match groups.next() {
                Some((expected, length)) if expected == name => {
                    group = Some((expected, length));
                    left = length;
                }
                Some((expected, _)) => {
                    return Err(error(format!(
                        "group {name}, where {expected} was expected"
                    )))
                }
                None => return Err(error(format!("group {name} is not known"))),
            }
            continue;
        }
        let mut at = 0;
        while let Some((start, pair)) = next_pair(line.as_bytes(), &mut at) {
            let Some((middlegame, endgame)) = pair else {
                let word = line[start..].split_whitespace().next().unwrap_or_default();
                return Err(error(format!("{word:?} is not a pair such as 12/-7")));
            };
            if left == 0 {
                let name = group.map_or("no group", |(name, _)| name);
                return Err(error(format!("more weights than {name} has room for")));
            }
            weights.push(pack(middlegame, endgame));
            left -= 1;
        }
    }
    match (groups.next(), left) {
        (None, 0) => Ok(weights),
        (next, _) => Err(Error::Weights {
            file: "evaluation.txt",
            line: text.lines().count(),
            why: format!(
                "the file ends within {}",
                next.map_or(PLACES[PLACES.len() - 1].0, |(name, _)| name)
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_file_is_complete() {
        let (tables, offsets) = tables().expect("the committed file");
        let terms: usize = TERMS.iter().map(|(_, length)| length).sum();
        assert_eq!(tables[0].values.len(), terms);
        assert_eq!(tables[1].values.len(), 32 * 2 * 5 * 64);
        assert_eq!(offsets.len(), TERMS.len() + PLACES.len());
        assert_eq!(offsets[1].value, 9);
    }

    /// The tuner leaves these alone; in the middlegame a term that changes sides with the sign of
    /// the endgame would make the score jump.
    #[test]
    fn complexity_counts_in_the_endgame_only() {
        let (tables, offsets) = tables().expect("the committed file");
        let Values::I32(weights) = &tables[0].values else {
            panic!("{:?}", tables[0].values);
        };
        let first = offsets
            .iter()
            .find(|offset| offset.name == "EVAL_COMPLEXITY")
            .map(|offset| offset.value)
            .expect("the group");
        let group = &weights[first..];
        assert_eq!(group.len(), 5);
        assert!(group.iter().all(|weight| weight & 0xffff == 0), "{group:?}");
    }

    #[test]
    fn a_place_is_the_sum_of_what_is_known_of_it() {
        let length: usize = PLACES.iter().map(|(_, length)| length).sum();
        let weights: Vec<i32> = (0..length as i32).collect();
        let (pieces, kings) = piece_square_tables(&weights);
        let first = 5 + 15 + 10;
        assert_eq!(kings[31], (first + 5 * 64 + 31));
        // A knight on c3, square 42, of the king on g1: number 30, two ranks below and four
        // files to the right of it.
        let own = 1 + (first + 64 + 42);
        let places = first + 5 * 64 + 32 + 5 * 64;
        let near = places + 225 + 15 * 5 + 3;
        let exact = places + 2 * 5 * 225 + 64 * (5 * 30 + 1) + 42;
        assert_eq!(pieces[64 * (2 * 5 * 30 + 1) + 42], own + near + exact);
        let enemy = first + 5 * 64 + 32 + 64 + 42;
        let (near, exact) = (near + 5 * 225, exact + 32 * 5 * 64);
        assert_eq!(pieces[64 * (2 * 5 * 30 + 5 + 1) + 42], enemy + near + exact);
    }

    #[test]
    fn errors_name_the_group_and_the_line() {
        let say = |text: &str| build(text).expect_err("refused").to_string();
        assert!(say("[MOBILITY_KNIGHT]\n1/2 3/x").contains("line 2"));
        assert!(say("[MOBILITY_KNIGHT]\n1/2 3/x").contains("\"3/x\""));
        assert!(say("[MOBILITY_KNIGHT]\n1/2\n[MOBILITY_BISHOP]")
            .contains("group MOBILITY_KNIGHT has 8 fewer"));
        assert!(say("[MATERIAL]").contains("where MOBILITY_KNIGHT was expected"));
        assert!(say("1/2").contains("no group"));
        let ten = "1/2 ".repeat(10);
        assert!(
            say(&format!("[MOBILITY_KNIGHT]\n{ten}")).contains("more weights than MOBILITY_KNIGHT")
        );
        for word in [
            "1", "1/", "/2", "1/2/3", "1/-", "1/2x", "+1/2", "1/ 2", "1/40000",
        ] {
            let text = format!("[MOBILITY_KNIGHT]\n0/0 {word} 5/5");
            let shown = word.split_whitespace().next().unwrap_or_default();
            let message = say(&text);
            assert!(message.contains(&format!("{shown:?}")), "{word}: {message}");
        }
        assert!(say("").contains("ends within MOBILITY_KNIGHT"));
        assert!(say("[MOBILITY_KNIGHT]\n99999/0").contains("99999/0"));
    }
}
