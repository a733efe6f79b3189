//! The weights of the evaluation: one committed data file becomes one flat table, a constant
//! for the place where each group begins, and the piece-square tables in their final form.
//!
//! A weight is a middlegame and an endgame value. Both go into one `i32`: the endgame value in
//! the high half and the middlegame value added, so that sums of weights add both at once.

use crate::error::Error;
use crate::table::{Table, Values};

/// The data file, part of the crate.
const WEIGHTS: &str = include_str!("../data/evaluation.txt");

/// The groups that the engine asks for, in the order of the flat table, and their lengths.
const GROUPS: [(&str, usize); 32] = [
    ("MATERIAL", 6),
    ("PSQT_PAWN", 64),
    ("PSQT_KNIGHT", 64),
    ("PSQT_BISHOP", 64),
    ("PSQT_ROOK", 64),
    ("PSQT_QUEEN", 64),
    ("PSQT_KING", 64),
    ("MOBILITY_KNIGHT", 9),
    ("MOBILITY_BISHOP", 14),
    ("MOBILITY_ROOK", 15),
    ("MOBILITY_QUEEN", 28),
    ("PASSED", 8),
    ("PASSED_FREE", 8),
    ("PASSED_OWN_KING", 8),
    ("PASSED_ENEMY_KING", 8),
    ("ISOLATED", 2),
    ("DOUBLED", 1),
    ("BACKWARD", 2),
    ("PHALANX", 8),
    ("SUPPORTED", 8),
    ("BISHOP_PAIR", 1),
    ("BISHOP_PAWNS", 1),
    ("OUTPOST", 2),
    ("ROOK_FILE", 2),
    ("SHELTER", 16),
    ("STORM", 16),
    ("KING_DANGER", 32),
    ("THREAT_BY_PAWN", 6),
    ("THREAT_BY_MINOR", 6),
    ("THREAT_BY_ROOK", 6),
    ("HANGING", 1),
    ("TEMPO", 1),
];

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
    let weights = parse(text)?;
    let mut offsets = Vec::with_capacity(GROUPS.len());
    let mut next = 0;
    for (name, length) in GROUPS {
        offsets.push(Offset {
            name: format!("EVAL_{name}"),
            value: next,
        });
        next += length;
    }
    let psqt = piece_square_tables(&weights);
    let tables = vec![
        Table {
            name: "EVAL_WEIGHTS",
            doc: "The weights of the evaluation, middlegame and endgame packed.",
            shape: vec![weights.len()],
            values: Values::I32(weights),
        },
        Table {
            name: "PSQT",
            doc: "Material and place of each piece, black's negative, packed: `[piece][square]`.",
            shape: vec![12, 64],
            values: Values::I32(psqt),
        },
    ];
    Ok((tables, offsets))
}

/// Material and place together for all twelve pieces: black's are white's upside down.
fn piece_square_tables(weights: &[i32]) -> Vec<i32> {
    let mut values = Vec::with_capacity(12 * 64);
    for black in [false, true] {
        for kind in 0..6 {
            for square in 0..64 {
                let seen = if black { square ^ 56 } else { square };
                let value = weights[kind].wrapping_add(weights[6 + 64 * kind + seen]);
                values.push(if black { value.wrapping_neg() } else { value });
            }
        }
    }
    values
}

fn pack(middlegame: i16, endgame: i16) -> i32 {
    ((endgame as i32) << 16).wrapping_add(middlegame as i32)
}

/// Reads the groups, which must come complete and in their order.
fn parse(text: &str) -> Result<Vec<i32>, Error> {
    let mut weights = Vec::new();
    let mut groups = GROUPS.iter();
    let mut group: Option<(&str, usize)> = None;
    let mut left = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let error = |why: String| Error::Weights {
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
                Some(&(expected, length)) if expected == name => {
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
        for pair in line.split_whitespace() {
            let parsed = pair.split_once('/').and_then(|(middlegame, endgame)| {
                Some((middlegame.parse().ok()?, endgame.parse().ok()?))
            });
            let Some((middlegame, endgame)) = parsed else {
                return Err(error(format!("{pair:?} is not a pair such as 12/-7")));
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
            line: text.lines().count(),
            why: format!(
                "the file ends within {}",
                next.map_or(GROUPS[GROUPS.len() - 1].0, |(name, _)| name)
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
        let total: usize = GROUPS.iter().map(|(_, length)| length).sum();
        assert_eq!(tables[0].values.len(), total);
        assert_eq!(offsets.len(), GROUPS.len());
        assert_eq!(offsets[1].value, 6);
    }

    #[test]
    fn black_is_white_upside_down() {
        let (tables, _) = tables().expect("the committed file");
        let Values::I32(psqt) = &tables[1].values else {
            panic!("PSQT holds i32");
        };
        for kind in 0..6 {
            for square in 0..64 {
                let white = psqt[64 * kind + square];
                let black = psqt[64 * (kind + 6) + (square ^ 56)];
                assert_eq!(white.wrapping_add(black), 0);
            }
        }
    }

    #[test]
    fn errors_name_the_group_and_the_line() {
        let say = |text: &str| build(text).expect_err("refused").to_string();
        assert!(say("[MATERIAL]\n1/2 3/x").contains("line 2"));
        assert!(say("[MATERIAL]\n1/2 3/x").contains("\"3/x\""));
        assert!(say("[MATERIAL]\n1/2\n[PSQT_PAWN]").contains("group MATERIAL has 5 fewer"));
        assert!(say("[PSQT_PAWN]").contains("where MATERIAL was expected"));
        assert!(say("1/2").contains("no group"));
        assert!(
            say("[MATERIAL]\n1/2 1/2 1/2 1/2 1/2 1/2 7/7").contains("more weights than MATERIAL")
        );
        assert!(say("").contains("ends within MATERIAL"));
        assert!(say("[MATERIAL]\n99999/0").contains("99999/0"));
    }
}
