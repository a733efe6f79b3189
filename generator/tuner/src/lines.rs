//! The data files: lines `FEN;SCORE;RESULT`.

use kirin::Board;
use std::path::{Path, PathBuf};

/// One part in so many, from the end of each file, is held out.
const HELD_OUT_PART: usize = 20;

/// FNV-1a of the data files, one after the other.
pub struct Hash(pub u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// A file that has been read.
pub struct File {
    path: PathBuf,
    text: String,
}

/// A line of a file.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    /// From 0 on.
    pub number: usize,
    pub text: &'a str,
    pub held_out: bool,
}

/// A position with the search's score and the game's result, as white sees them.
pub struct Position {
    pub board: Board,
    pub score: f32,
    pub result: f32,
}

impl File {
    /// Reads a file and adds it to the hash.
    pub fn read(path: &Path, hash: &mut Hash) -> Result<File, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        hash.add(text.as_bytes());
        Ok(File {
            path: path.into(),
            text,
        })
    }

    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let total = self.text.lines().count();
        let training = total - total / HELD_OUT_PART;
        let lines = self.text.lines().enumerate();
        lines.map(move |(number, text)| Line {
            number,
            text,
            held_out: number >= training,
        })
    }

    /// What to say of a line that is not data.
    pub fn error(&self, line: Line<'_>) -> String {
        format!(
            "{}, line {}: not FEN;SCORE;RESULT",
            self.path.display(),
            line.number + 1
        )
    }
}

/// `None` if the text is not data.
pub fn parse(text: &str) -> Option<Position> {
    let mut fields = text.split(';');
    let position = Position {
        board: Board::from_fen(fields.next()?).ok()?,
        score: fields.next()?.parse().ok()?,
        result: fields.next()?.parse().ok()?,
    };
    (fields.next().is_none()).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_held_out() {
        let file = File {
            path: "x".into(),
            text: "a\n".repeat(41),
        };
        let held_out: Vec<usize> = file
            .lines()
            .filter_map(|line| line.held_out.then_some(line.number))
            .collect();
        assert_eq!(held_out, [39, 40]);
        let first = file.lines().next().expect("a line");
        assert_eq!(file.error(first), "x, line 1: not FEN;SCORE;RESULT");
    }

    #[test]
    fn what_is_not_data_is_refused() {
        let fen = Board::STARTPOS_FEN;
        assert!(parse(&format!("{fen};12;0.5")).is_some());
        for wrong in ["", "x;1;1", fen] {
            assert!(parse(wrong).is_none(), "{wrong}");
        }
        for rest in ["", ";1", ";x;1", ";1;x", ";1;1;1"] {
            assert!(parse(&format!("{fen}{rest}")).is_none(), "{rest}");
        }
    }
}
