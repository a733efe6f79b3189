//! Reads tables and lists of magics back from text, and proves them again.
//!
//! A text that this generator wrote (Rust, C, JSON) is taken apart into its tables; these must give the checksum that
//! the text states, and pass the same proof as in a build. A list of magics, ours or anyone's, is proven by trying each
//! subset of each square's mask: two occupancies may share a key only if they share an attack set.
//!
//! Lists may come with or without names of squares, shifts (or bits of key) and offsets, as bare numbers or as they
//! stand in the source of a program. In a list without names the first number is for bit 0 of a set, which is what
//! engines that count from a8 and those that count from a1 have in common.
//!
//! # Examples
//!
//! ```
//! use kirin_generator::verify::{verify, Failure};
//! use kirin_generator::{generate, Language, Settings, Squares};
//!
//! let tables = generate(&Settings::default())?;
//! let list = tables.to_text(Language::List, Squares::A1)?;
//! let report = verify(&list, None).expect("as it was written");
//! assert_eq!(report.keys, 107_648);
//!
//! let broken = list.replace("rook e4 0x", "rook e4 0xf");
//! assert!(matches!(verify(&broken, None), Err(Failure::Unreadable { .. })));
//! # Ok::<(), kirin_generator::Error>(())
//! ```

use std::collections::HashMap;
use std::fmt;

use crate::emit::{list, renumber, Language, Squares};
use crate::error::Error;
use crate::geometry::{next_subset, relevant_mask, slow_attacks, Piece};
use crate::proof::prove;
use crate::table::{checksum, Slider, Table, Values};
use crate::{generate, settings, Profile, Settings};

/// What was proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What the text is, in words.
    pub what: String,
    /// Look-ups that were compared.
    pub keys: usize,
    /// Slots of attack sets that the look-ups read, where the text says which those are.
    pub used: Option<usize>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "proven: {}; {} look-ups", self.what, self.keys)?;
        match self.used {
            Some(used) => write!(f, ", {used} slots used"),
            None => Ok(()),
        }
    }
}

/// Why a text is not proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A part of it cannot be read.
    Unreadable {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        why: String,
    },
    /// Something is missing at the end, or altogether.
    Truncated {
        /// What is missing.
        why: String,
    },
    /// The values are not those that the text was written with.
    Corrupted {
        /// The checksum that the text states.
        stated: u64,
        /// The one its values give.
        found: u64,
        /// The first look-up that goes wrong, if one does.
        proof: Option<Box<Failure>>,
    },
    /// The proof of the tables failed.
    Tables(Error),
    /// Two occupancies with different attack sets have the same key.
    Magic(Collision),
    /// The magics are right, for squares numbered from the other end.
    OtherSquares {
        /// How the squares are to be read instead.
        instead: String,
        /// The first collision as they were read.
        collision: Collision,
    },
    /// Two squares share a slot without sharing an attack set.
    Slot {
        /// The two look-ups: piece, square, occupancy.
        look_ups: [(Piece, usize, u64); 2],
        /// The slot.
        slot: usize,
        /// How the squares are named.
        squares: Squares,
    },
}

/// Two occupancies that a magic does not tell apart although it must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The piece.
    pub piece: Piece,
    /// The number of its square, and of the bit that stands for it.
    pub square: usize,
    /// How that number is named.
    pub squares: Squares,
    /// The magic.
    pub magic: u64,
    /// How far it shifts.
    pub shift: u32,
    /// The two occupancies.
    pub occupied: [u64; 2],
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.occupied;
        write!(
            f,
            "{} on {}: magic {:#x} with shift {} has one key for occupied {a:#x} and {b:#x}, which differ in attacks",
            self.piece.name(),
            self.squares.square_name(self.square),
            self.magic,
            self.shift
        )
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unreadable { line, why } => write!(f, "unreadable: line {line}: {why}"),
            Failure::Truncated { why } => write!(f, "truncated: {why}"),
            Failure::Corrupted {
                stated,
                found,
                proof,
            } => {
                write!(
                    f,
                    "corrupted: the text states checksum {stated:#018x}, but its values give {found:#018x}; "
                )?;
                match proof {
                    Some(proof) => proof.fmt(f),
                    None => write!(f, "all look-ups are right, so the damage is elsewhere"),
                }
            }
            Failure::Tables(error) => error.fmt(f),
            Failure::Magic(collision) => write!(f, "wrong magic: {collision}"),
            Failure::OtherSquares { instead, collision } => {
                write!(
                    f,
                    "other square order: right {instead}; as read, {collision}"
                )
            }
            Failure::Slot {
                look_ups,
                slot,
                squares,
            } => {
                let [a, b] = look_ups.map(|(piece, square, occupied)| {
                    format!(
                        "{} on {} occupied {occupied:#x}",
                        piece.name(),
                        squares.square_name(square)
                    )
                });
                write!(f, "wrong offset: slot {slot} is read by the {a} and the {b}, which differ in attacks")
            }
        }
    }
}

impl std::error::Error for Failure {}

/// Proves a text that this generator wrote, or a list of magics.
///
/// `squares` says how the squares of a list are named, if the list does not say it; numbered from a8 otherwise.
///
/// # Errors
/// What is wrong with it, and where.
pub fn verify(text: &str, squares: Option<Squares>) -> Result<Report, Failure> {
    let stated = Squares::ALL
        .into_iter()
        .find(|order| text.contains(&format!("Squares are numbered from {} = 0.", order.name())));
    let language = if text.trim_start().starts_with('{') && text.contains("\"tables\":") {
        Language::Json
    } else if text.contains("#ifndef KIRIN_TABLES_H") {
        Language::C
    } else if text.contains("pub static TABLE_LIST") {
        Language::Rust
    } else {
        let squares = squares.or(stated).unwrap_or_default();
        return verify_list(text, squares);
    };
    verify_tables(text, language, stated.unwrap_or_default())
}

fn line_of(text: &str, part: &str) -> usize {
    // Both are the same allocation, so the difference of their addresses is a place in the text.
    let at = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    text.get(..at)
        .map_or(1, |before| before.matches('\n').count() + 1)
}

fn parse_number(word: &str) -> Option<u64> {
    let (word, minus) = match word.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (word, false),
    };
    let word = word.replace('_', "").to_ascii_lowercase();
    let word = word.strip_suffix("u64").unwrap_or(&word);
    let (digits, radix) = match word.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (word, 10),
    };
    // The suffixes of C, in any order.
    let value = u64::from_str_radix(digits.trim_end_matches(['u', 'l']), radix).ok()?;
    Some(if minus { value.wrapping_neg() } else { value })
}

/// The value that a word of the header gives after some words of introduction.
fn fact<'a>(text: &'a str, introduction: &str) -> Result<&'a str, Failure> {
    let missing = || Failure::Truncated {
        why: format!("the header does not state \"{}\"", introduction.trim()),
    };
    let (_, rest) = text.split_once(introduction).ok_or_else(missing)?;
    rest.split(|c: char| !c.is_ascii_alphanumeric())
        .next()
        .filter(|word| !word.is_empty())
        .ok_or_else(missing)
}

fn number_fact(text: &str, introduction: &str) -> Result<u64, Failure> {
    let word = fact(text, introduction)?;
    parse_number(word).ok_or_else(|| Failure::Unreadable {
        line: line_of(text, word),
        why: format!("{word:?} is not a number"),
    })
}

/// The profile that the command in the header names, if it names one.
fn profile_of(text: &str) -> Result<Profile, Failure> {
    let Ok(word) = fact(text, " --profile ") else {
        return Ok(Profile::Full);
    };
    let named = |profile: &Profile| profile.name() == word;
    Profile::ALL
        .into_iter()
        .find(named)
        .ok_or_else(|| Failure::Unreadable {
            line: line_of(text, word),
            why: format!("{word:?} is no profile"),
        })
}

fn verify_tables(text: &str, language: Language, squares: Squares) -> Result<Report, Failure> {
    let seed = number_fact(text, ", seed ")?;
    let word = fact(text, ", layout ")?;
    let layout =
        settings::parse_layout("the layout", word).map_err(|error| Failure::Unreadable {
            line: line_of(text, word),
            why: error.to_string(),
        })?;
    let stated = number_fact(text, "checksum ")?;
    // What tables there should be, and of what shape, is known from making them; their values are not looked at.
    let full = generate(&Settings { seed, layout }).map_err(Failure::Tables)?;
    let model = full.clone().with_profile(profile_of(text)?);
    let mut tables = Vec::new();
    for table in model.list().iter().filter(|table| language.has(table)) {
        tables.push(read_table(text, language, table)?);
    }
    let found = checksum(&tables);
    let count = tables.len();
    let mut tables = renumber(&tables, squares);
    // What the profile does without is not in the text, but belongs to the proof of the whole.
    let left_out = |table: &&Table| !model.list().iter().any(|kept| kept.name == table.name);
    tables.extend(full.list().iter().filter(left_out).cloned());
    let proof = prove(layout, &tables).map_err(Failure::Tables);
    if found != stated {
        return Err(Failure::Corrupted {
            stated,
            found,
            proof: proof.err().map(Box::new),
        });
    }
    let used = crate::layout::size(layout, &tables).map_err(Failure::Tables)?;
    let proven = proof?;
    let same = if found == {
        let mut list = renumber(model.list(), squares);
        list.retain(|table| language.has(table));
        checksum(&list)
    } {
        "as this version makes them"
    } else {
        "made otherwise than by this version"
    };
    Ok(Report {
        what: format!(
            "{} tables in {}, seed {seed:#x}, layout {}, squares from {} = 0, checksum {found:#018x}, {same}",
            count,
            language.name(),
            layout.name(),
            squares.name()
        ),
        keys: proven.slider_keys,
        used: Some(used.used),
    })
}

fn read_table(text: &str, language: Language, model: &Table) -> Result<Table, Failure> {
    let name = model.name;
    let absent = || Failure::Truncated {
        why: format!("table {name} is absent"),
    };
    let unfinished = || Failure::Truncated {
        why: format!("the text ends within table {name}"),
    };
    let (heads, opening, end) = match language {
        Language::Json => (
            [format!("\n\"{name}\": {{"), String::new()],
            "\"values\": [",
            "]}",
        ),
        Language::C => (
            [format!(" KIRIN_{name}["), format!(" KIRIN_{name} ")],
            "=\n",
            ";\n",
        ),
        _ => (
            [
                format!("pub static {name}: "),
                format!("pub const {name}: "),
            ],
            "=\n",
            ";\n",
        ),
    };
    let rest = heads
        .iter()
        .filter(|head| !head.is_empty())
        .find_map(|head| text.split_once(head.as_str()))
        .ok_or_else(absent)?
        .1;
    let body = rest.split_once(opening).ok_or_else(unfinished)?.1;
    let body = body.split_once(end).ok_or_else(unfinished)?.0;
    let mut numbers = Vec::with_capacity(model.values.len());
    for word in body
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
    {
        numbers.push((word, parse_number(word)));
    }
    let columns = if matches!(model.values, Values::Sliders(_)) {
        4
    } else {
        1
    };
    let expected = model.values.len() * columns;
    let (mut values, mut wrong) = (Vec::with_capacity(numbers.len()), None);
    for (place, &(word, number)) in numbers.iter().enumerate() {
        let fits = |number: &u64| match (&model.values, place % columns) {
            (Values::U8(_), _) => *number <= u64::from(u8::MAX),
            (Values::U16(_), _) => *number <= u64::from(u16::MAX),
            (Values::I16(_), _) => i16::try_from(*number as i64).is_ok(),
            (Values::I32(_), _) => i32::try_from(*number as i64).is_ok(),
            (Values::Sliders(_), 2 | 3) => *number <= u64::from(u32::MAX),
            _ => true,
        };
        match number.filter(fits) {
            Some(number) => values.push(number),
            None => {
                wrong = Some(word);
                break;
            }
        }
    }
    if let Some(word) = wrong {
        return Err(Failure::Unreadable {
            line: line_of(text, word),
            why: format!("{word:?} is not a value of table {name}"),
        });
    }
    if values.len() != expected {
        return Err(Failure::Truncated {
            why: format!(
                "table {name} holds {} numbers, where {expected} belong",
                values.len()
            ),
        });
    }
    let values = match &model.values {
        Values::U8(_) => Values::U8(values.iter().map(|&value| value as u8).collect()),
        Values::U16(_) => Values::U16(values.iter().map(|&value| value as u16).collect()),
        Values::I16(_) => Values::I16(values.iter().map(|&value| value as i16).collect()),
        Values::I32(_) => Values::I32(values.iter().map(|&value| value as i32).collect()),
        Values::U64(_) => Values::U64(values),
        Values::Sliders(_) => Values::Sliders(
            values
                .chunks_exact(4)
                .map(|row| Slider {
                    mask: row[0],
                    magic: row[1],
                    offset: row[2] as u32,
                    shift: row[3] as u32,
                })
                .collect(),
        ),
    };
    Ok(Table {
        values,
        ..model.clone()
    })
}

/// One magic of a list.
#[derive(Clone, Copy, Debug)]
struct Entry {
    piece: Piece,
    square: usize,
    magic: u64,
    shift: u32,
    offset: Option<usize>,
}

/// What a list holds before it is known which number means what.
#[derive(Default)]
struct Words {
    /// Numbers that stand beside the name of a square.
    named: Vec<(Option<Piece>, usize, usize, Vec<u64>)>,
    /// Numbers without, by the piece that was named last before them.
    bare: Vec<(Option<Piece>, Vec<u64>)>,
}

fn read_words(text: &str) -> Result<Words, Failure> {
    let mut words = Words::default();
    let mut piece = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or_default();
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        // What stands before an equals sign, or in brackets behind a name, declares an array and is none of its values.
        let (declaration, values) = line.rsplit_once('=').unwrap_or(("", line));
        let (mut square, mut numbers) = (None, Vec::new());
        let (mut before, mut dimension) = (' ', false);
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if !is_word(first) {
                dimension = match first {
                    '[' => is_word(before),
                    ']' => false,
                    _ => dimension,
                };
                before = first;
                rest = &rest[first.len_utf8()..];
                continue;
            }
            let is_value = declaration.is_empty() || rest.len() <= values.len();
            let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after;
            let bytes = word.as_bytes();
            if first.is_ascii_digit() {
                before = '0';
                if dimension || !is_value {
                    continue;
                }
                numbers.push(parse_number(word).ok_or_else(|| Failure::Unreadable {
                    line: number + 1,
                    why: format!("{word:?} is not a number of 64 bits"),
                })?);
            } else if bytes.len() == 2
                && (b'a'..=b'h').contains(&bytes[0])
                && (b'1'..=b'8').contains(&bytes[1])
            {
                square = Some(8 * usize::from(b'8' - bytes[1]) + usize::from(bytes[0] - b'a'));
            } else {
                before = 'a';
                let lower = word.to_ascii_lowercase();
                for candidate in Piece::ALL {
                    if lower.contains(candidate.name()) {
                        piece = Some(candidate);
                    }
                }
            }
        }
        match square {
            Some(square) => words.named.push((piece, square, number + 1, numbers)),
            None if numbers.is_empty() => {}
            None => match words.bare.last_mut() {
                Some((last, known)) if *last == piece => known.extend(numbers),
                _ => words.bare.push((piece, numbers)),
            },
        }
    }
    Ok(words)
}

fn verify_list(text: &str, squares: Squares) -> Result<Report, Failure> {
    let words = read_words(text)?;
    let result = if words.named.is_empty() {
        bare_entries(&words.bare).and_then(|choices| {
            // Where pieces are not named there are two ways to read the list; the one that does not fail is meant.
            let mut results = choices
                .iter()
                .map(|entries| prove_list(entries, squares, false));
            let first = results.next().expect("there is a way to read it");
            match (first, results.next()) {
                (Err(_), Some(Ok(report))) => Ok(report),
                (first, _) => first,
            }
        })
    } else {
        named_entries(&words.named, squares).and_then(|entries| prove_list(&entries, squares, true))
    };
    // A list of our own also states what its lines were.
    if let Some((_, rest)) = text.split_once(" lines, checksum ") {
        let stated = number_fact(text, " lines, checksum ")?;
        let lines = rest.split_once('\n').map_or("", |(_, lines)| lines);
        let found = list::checksum(lines);
        if let (true, Err(truncated @ Failure::Truncated { .. })) = (stated != found, &result) {
            return Err(truncated.clone());
        }
        if stated != found {
            return Err(Failure::Corrupted {
                stated,
                found,
                proof: result.err().map(Box::new),
            });
        }
    }
    result
}

fn standard_shift(piece: Piece, square: usize) -> u32 {
    64 - relevant_mask(piece, square).count_ones()
}

/// A shift as it stands, or the bits of the key in its place, which are few where a shift is large.
fn shift_of(number: u64) -> Option<u32> {
    match number {
        1..=16 => Some(64 - number as u32),
        17..=63 => Some(number as u32),
        _ => None,
    }
}

fn named_entries(
    named: &[(Option<Piece>, usize, usize, Vec<u64>)],
    squares: Squares,
) -> Result<Vec<Entry>, Failure> {
    let mut entries: Vec<Entry> = Vec::with_capacity(named.len());
    for (piece, square, line, numbers) in named {
        let unreadable = |why: &str| Failure::Unreadable {
            line: *line,
            why: why.to_owned(),
        };
        let piece = piece.ok_or_else(|| unreadable("it is not said for which piece"))?;
        let square = squares.renumbered(*square);
        let (magic, shift, offset) = match numbers[..] {
            [magic] => (magic, standard_shift(piece, square), None),
            [magic, shift] => (
                magic,
                shift_of(shift).ok_or_else(|| unreadable("the shift is not from 1 to 63"))?,
                None,
            ),
            [magic, shift, offset] => (
                magic,
                shift_of(shift).ok_or_else(|| unreadable("the shift is not from 1 to 63"))?,
                Some(offset as usize),
            ),
            _ => {
                return Err(unreadable(
                    "a magic, a shift and an offset are what may stand here",
                ))
            }
        };
        if entries
            .iter()
            .any(|entry| entry.piece == piece && entry.square == square)
        {
            return Err(unreadable("this square was there before"));
        }
        entries.push(Entry {
            piece,
            square,
            magic,
            shift,
            offset,
        });
    }
    for piece in Piece::ALL {
        let count = entries.iter().filter(|entry| entry.piece == piece).count();
        if ![0, 32, 64].contains(&count) {
            let missing = (0..64)
                .rev()
                .find(|&square| {
                    !entries
                        .iter()
                        .any(|entry| entry.piece == piece && entry.square == square)
                })
                .unwrap_or_default();
            return Err(Failure::Truncated {
                why: format!(
                    "{count} squares of the {}, where 64 belong (or 32, for half a board): {} is missing",
                    piece.name(),
                    squares.square_name(missing)
                ),
            });
        }
    }
    Ok(entries)
}

/// The ways to read bare numbers.
fn bare_entries(bare: &[(Option<Piece>, Vec<u64>)]) -> Result<Vec<Vec<Entry>>, Failure> {
    let wrong_count = |piece: Option<Piece>, count: usize| {
        Failure::Truncated {
        why: format!(
            "{count} numbers{}, where 64 magics belong (128 for both pieces), with or without a shift and an offset each",
            piece.map_or(String::new(), |piece| format!(" for the {}", piece.name()))
        ),
    }
    };
    if bare.is_empty() {
        return Err(wrong_count(None, 0));
    }
    let mut pieces: Vec<(Option<Piece>, Vec<u64>)> = Vec::new();
    for (piece, numbers) in bare {
        match pieces.iter_mut().find(|(known, _)| known == piece) {
            Some((_, known)) => known.extend(numbers),
            None => pieces.push((*piece, numbers.clone())),
        }
    }
    let mut named = Vec::new();
    for (piece, numbers) in &pieces {
        let count = numbers.len();
        match piece {
            Some(piece) => {
                named
                    .extend(rows(numbers, *piece).ok_or_else(|| wrong_count(Some(*piece), count))?);
            }
            None => {
                // One piece or two, and it is not said which.
                let one = Piece::ALL.map(|piece| rows(numbers, piece));
                let two = [[0, 1], [1, 0]].map(|[first, second]| {
                    let half = count / 2;
                    if count % 128 != 0 {
                        return None;
                    }
                    let mut entries = rows(&numbers[..half], Piece::ALL[first])?;
                    entries.extend(rows(&numbers[half..], Piece::ALL[second])?);
                    Some(entries)
                });
                let choices: Vec<_> = one.into_iter().chain(two).flatten().collect();
                if choices.is_empty() || pieces.len() > 1 {
                    return Err(wrong_count(None, count));
                }
                // Those that are right come first, and then those that are least wrong.
                let mut choices: Vec<(usize, Vec<Entry>)> = choices
                    .into_iter()
                    .map(|entries| {
                        let wrong = entries
                            .iter()
                            .filter(|entry| collision(entry, Squares::A8).is_some());
                        (wrong.count(), entries)
                    })
                    .collect();
                choices.sort_by_key(|(wrong, _)| *wrong);
                return Ok(choices.into_iter().map(|(_, entries)| entries).collect());
            }
        }
    }
    Ok(vec![named])
}

/// The rows of one piece's bare numbers, if they can be told apart: a magic each, and a shift and an offset if there
/// are so many; field beside field, or all magics and then all shifts.
fn rows(numbers: &[u64], piece: Piece) -> Option<Vec<Entry>> {
    let fields = numbers.len() / 64;
    if numbers.len() % 64 != 0 || !(1..=3).contains(&fields) {
        return None;
    }
    let beside = |square: usize, field: usize| numbers[square * fields + field];
    let behind = |square: usize, field: usize| numbers[64 * field + square];
    for number in [&beside as &dyn Fn(usize, usize) -> u64, &behind] {
        let all = |field: usize, test: &dyn Fn(u64) -> bool| {
            (0..64).all(|square| test(number(square, field)))
        };
        let is_shift = |field: usize| all(field, &|value| shift_of(value).is_some());
        let is_offset = |field: usize| all(field, &|value| value < 1 << 20);
        let shift = (0..fields).find(|&field| is_shift(field));
        let offset = (0..fields).find(|&field| Some(field) != shift && is_offset(field));
        let magic = (0..fields).find(|&field| Some(field) != shift && Some(field) != offset);
        let known = 1 + usize::from(shift.is_some()) + usize::from(offset.is_some());
        if let (Some(magic), true) = (magic, known == fields) {
            let entry = |square| {
                Some(Entry {
                    piece,
                    square,
                    magic: number(square, magic),
                    shift: match shift {
                        Some(field) => shift_of(number(square, field))?,
                        None => standard_shift(piece, square),
                    },
                    offset: offset.map(|field| number(square, field) as usize),
                })
            };
            return (0..64).map(entry).collect();
        }
    }
    None
}

/// The first two occupancies that a magic sends to one key although their attack sets differ.
fn collision(entry: &Entry, squares: Squares) -> Option<Collision> {
    let Entry {
        piece,
        square,
        magic,
        shift,
        ..
    } = *entry;
    let mask = relevant_mask(piece, square);
    let mut seen: HashMap<u64, (u64, u64)> = HashMap::new();
    let mut occupied = 0;
    loop {
        let attacks = slow_attacks(piece, square, occupied);
        let key = occupied.wrapping_mul(magic) >> shift;
        let (first, expected) = *seen.entry(key).or_insert((occupied, attacks));
        if expected != attacks {
            return Some(Collision {
                piece,
                square,
                squares,
                magic,
                shift,
                occupied: [first, occupied],
            });
        }
        occupied = next_subset(occupied, mask);
        if occupied == 0 {
            return None;
        }
    }
}

fn prove_list(entries: &[Entry], squares: Squares, named: bool) -> Result<Report, Failure> {
    if let Some(first) = entries.iter().find_map(|entry| collision(entry, squares)) {
        // Is it only that the squares are numbered from another end?
        for (turn, instead) in [
            (56, "with the ranks from the other end"),
            (63, "from the other corner"),
            (7, "with the files from the other end"),
        ] {
            let turned = entries.iter().map(|entry| {
                let square = entry.square ^ turn;
                // The standard shift goes with the square, and a stated one with the magic.
                let standard = entry.shift == standard_shift(entry.piece, entry.square);
                Entry {
                    square,
                    shift: if standard && !named {
                        standard_shift(entry.piece, square)
                    } else {
                        entry.shift
                    },
                    ..*entry
                }
            });
            if turned
                .into_iter()
                .all(|entry| collision(&entry, squares).is_none())
            {
                let instead = if turn == 56 && named {
                    let other = Squares::ALL[usize::from(squares == Squares::A8)];
                    format!("if squares are numbered from {} = 0", other.name())
                } else {
                    instead.to_owned()
                };
                return Err(Failure::OtherSquares {
                    instead,
                    collision: first,
                });
            }
        }
        return Err(Failure::Magic(first));
    }
    let mut keys = 0;
    for entry in entries {
        keys += 1 << relevant_mask(entry.piece, entry.square).count_ones();
    }
    let used = if entries.iter().all(|entry| entry.offset.is_some()) {
        match used_slots(entries, squares) {
            // Bishops and rooks may have a table each.
            Err(failure) => {
                let mut used = 0;
                for piece in Piece::ALL {
                    let of_piece: Vec<Entry> = entries
                        .iter()
                        .copied()
                        .filter(|entry| entry.piece == piece)
                        .collect();
                    used += used_slots(&of_piece, squares).map_err(|_| failure.clone())?;
                }
                Some(used)
            }
            Ok(used) => Some(used),
        }
    } else {
        None
    };
    let count = |piece| entries.iter().filter(|entry| entry.piece == piece).count();
    Ok(Report {
        what: format!(
            "{} magics of bishops and {} of rooks",
            count(Piece::Bishop),
            count(Piece::Rook)
        ),
        keys,
        used,
    })
}

/// How many slots of one table are used, if no two squares are in each other's way.
fn used_slots(entries: &[Entry], squares: Squares) -> Result<usize, Failure> {
    let mut seen: HashMap<usize, (u64, (Piece, usize, u64))> = HashMap::new();
    for entry in entries {
        let mask = relevant_mask(entry.piece, entry.square);
        let mut occupied = 0;
        loop {
            let attacks = slow_attacks(entry.piece, entry.square, occupied);
            let key = (occupied.wrapping_mul(entry.magic) >> entry.shift) as usize;
            let slot = entry.offset.unwrap_or_default().wrapping_add(key);
            let look_up = (entry.piece, entry.square, occupied);
            let (expected, first) = *seen.entry(slot).or_insert((attacks, look_up));
            if expected != attacks {
                return Err(Failure::Slot {
                    look_ups: [first, look_up],
                    slot,
                    squares,
                });
            }
            occupied = next_subset(occupied, mask);
            if occupied == 0 {
                break;
            }
        }
    }
    Ok(seen.len())
}
