//! The network that corrects the evaluation: one committed data file of whole numbers becomes its tables.
//!
//! The file holds, after comments, four groups of numbers: what each input adds to the hidden units, what these begin
//! with, and for each number of pieces what the hidden units add to the score and what that begins with.

use crate::error::Error;
use crate::evaluation::next_number;
use crate::table::{Table, Values};

/// The data file, part of the crate.
const NETWORK: &str = include_str!("../data/network.txt");

/// One's own pieces and the enemy's, of six kinds, on each square.
const INPUTS: usize = 2 * 6 * 64;
/// Hidden units for each side.
const WIDTH: usize = 128;
/// Sets of output weights: which one counts is chosen by how many pieces are left.
const BUCKETS: usize = 8;
/// So much may an output weight be: with an activation of at most 255 it has to fit 16 bits.
const MAX_OUTPUT: i16 = 127;
/// So much may an input weight be: 33 of them have to fit 16 bits.
const MAX_INPUT: i16 = 990;

/// The groups of the file, in their order, their lengths, and the largest number each may hold.
const GROUPS: [(&str, usize, i16); 4] = [
    ("INPUTS", INPUTS * WIDTH, MAX_INPUT),
    ("BIAS", WIDTH, MAX_INPUT),
    ("OUTPUTS", BUCKETS * 2 * WIDTH, MAX_OUTPUT),
    ("OUTPUT_BIAS", BUCKETS, i16::MAX),
];

/// The network as tables.
///
/// # Errors
/// If the data file is not as this version expects: the error names the group or the line.
pub fn tables() -> Result<Vec<Table>, Error> {
    build(NETWORK)
}

fn build(text: &str) -> Result<Vec<Table>, Error> {
    let [inputs, bias, outputs, output_bias] = parse(text)?;
    Ok(vec![
        Table {
            name: "NETWORK_INPUTS",
            doc: "What a piece adds to the hidden units of one side, as its king sees it: `[own, enemy; piece; square][unit]`.",
            shape: vec![INPUTS, WIDTH],
            values: Values::I16(inputs),
        },
        Table {
            name: "NETWORK_BIAS",
            doc: "What the hidden units begin with.",
            shape: vec![WIDTH],
            values: Values::I16(bias),
        },
        Table {
            name: "NETWORK_OUTPUTS",
            doc: "What the hidden units add to the score: `[pieces left][side to move, other side][unit]`.",
            shape: vec![BUCKETS, 2, WIDTH],
            values: Values::I16(outputs),
        },
        Table {
            name: "NETWORK_OUTPUT_BIAS",
            doc: "What the score begins with: `[pieces left]`.",
            shape: vec![BUCKETS],
            values: Values::I16(output_bias),
        },
    ])
}

/// Reads the groups, which must come complete and in their order.
fn parse(text: &str) -> Result<[Vec<i16>; 4], Error> {
    let mut found: [Vec<i16>; 4] = Default::default();
    let mut begun = 0_usize;
    for (number, line) in text.lines().enumerate() {
        let error = |why: String| Error::Weights {
            file: "network.txt",
            line: number + 1,
            why,
        };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let missing = begun
            .checked_sub(1)
            .map(|last: usize| (GROUPS[last].0, GROUPS[last].1 - found[last].len()));
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            if let Some((group, left @ 1..)) = missing {
                return Err(error(format!("group {group} ends {left} numbers early")));
            }
            match GROUPS.get(begun) {
                Some((expected, ..)) if *expected == name => begun += 1,
                Some((expected, ..)) => {
                    return Err(error(format!(
                        "group {name}, where {expected} was expected"
                    )))
                }
                None => return Err(error(format!("group {name} is not known"))),
            }
            continue;
        }
        let Some((group, mut left)) = missing else {
            return Err(error("numbers before the first group".into()));
        };
        let (values, most) = (&mut found[begun - 1], GROUPS[begun - 1].2);
        let (bytes, mut at) = (line.as_bytes(), 0);
        while at < bytes.len() {
            let start = at;
            let value = next_number(bytes, &mut at).filter(|value| value.abs() <= most);
            let ended = at >= bytes.len() || bytes[at] == b' ';
            let (Some(value), true) = (value, ended) else {
                let word = line[start..].split(' ').next().unwrap_or_default();
                return Err(error(format!(
                    "{word:?} is no number from -{most} to {most}"
                )));
            };
            if left == 0 {
                return Err(error(format!("more numbers than {group} has room for")));
            }
            values.push(value);
            left -= 1;
            at += 1;
        }
    }
    for ((name, length, _), values) in GROUPS.iter().zip(&found) {
        if values.len() < *length {
            return Err(Error::Weights {
                file: "network.txt",
                line: text.lines().count(),
                why: format!("the file ends within {name}"),
            });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_file_is_complete() {
        let tables = tables().expect("the committed file");
        let lengths: Vec<usize> = tables.iter().map(|table| table.values.len()).collect();
        assert_eq!(lengths, [768 * 128, 128, 8 * 2 * 128, 8]);
        for table in &tables {
            assert_eq!(table.values.len(), table.shape.iter().product::<usize>());
        }
    }

    #[test]
    fn numbers_come_in_their_order() {
        let group = |name: &str, count: usize, first: usize| {
            let numbers: Vec<String> = (0..count).map(|i| (i % 90 + first).to_string()).collect();
            format!("[{name}]\n# words\n{}\n\n", numbers.join(" "))
        };
        let text = GROUPS.iter().enumerate();
        let text: String = text
            .map(|(i, (name, count, _))| group(name, *count, i))
            .collect();
        let tables = build(&text).expect("complete");
        for (first, table) in tables.iter().enumerate() {
            let Values::I16(values) = &table.values else {
                panic!("{:?}", table.values);
            };
            let mut expected = (0..values.len()).map(|i| (i % 90 + first) as i16);
            assert!(
                values.iter().copied().eq(expected.by_ref()),
                "{}",
                table.name
            );
        }
    }

    #[test]
    fn errors_name_the_group_and_the_line() {
        let say = |text: &str| build(text).expect_err("refused").to_string();
        assert!(say("").contains("ends within INPUTS"));
        assert!(say("1 2").contains("before the first group"));
        assert!(say("[BIAS]").contains("where INPUTS was expected"));
        let early = format!("group INPUTS ends {} numbers early", INPUTS * WIDTH - 2);
        assert!(say("[INPUTS]\n1 2\n[BIAS]").contains(&early));
        for word in ["x", "1x", "--1", "991", "-991", "99999", "1\t2"] {
            let message = say(&format!("# words\n[INPUTS]\n1 {word} 2"));
            assert!(message.contains("data/network.txt, line 3"), "{message}");
            assert!(message.contains("no number from -990 to 990"), "{message}");
        }
        let full = format!("[INPUTS]\n{}", "1 ".repeat(INPUTS * WIDTH + 1).trim_end());
        assert!(say(&full).contains("more numbers than INPUTS has room for"));
        let mut all = format!("[INPUTS]\n{}", "1 ".repeat(INPUTS * WIDTH).trim_end());
        all += &format!(
            "\n[BIAS]\n{}\n[OUTPUTS]\n1 128",
            "1 ".repeat(WIDTH).trim_end()
        );
        assert!(say(&all).contains("\"128\" is no number from -127 to 127"));
    }
}
