//! Lines as words: splitting what a GUI sends, reading its numbers, and showing a piece of it in
//! an error message. Works on bytes, since a line may hold anything.

use crate::board::Board;
use crate::types::{CastlingSide, File, Move, UciMove, Variant};
use core::fmt;

/// The words of a line, with white space of any kind and amount between them.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    /// Where the next word is looked for.
    at: usize,
}

impl<'a> Tokens<'a> {
    /// The words of this text.
    #[must_use]
    pub const fn new(text: &'a [u8]) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    /// The text that has not been read yet.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// The next word, without reading it.
    #[must_use]
    pub fn peek(&self) -> Option<&'a [u8]> {
        self.clone().next()
    }

    /// The text up to the next `word`, and the words behind it if it is there.
    #[must_use]
    pub fn split_at_word(mut self, word: &[u8]) -> (&'a [u8], Option<Tokens<'a>>) {
        let begin = self.at;
        while let Some(token) = self.next() {
            if token == word {
                return (&self.text[begin..self.at - token.len()], Some(self));
            }
        }
        (&self.text[begin..], None)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        let begin = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let word = &rest[begin..];
        let length = word
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(word.len());
        self.at += begin + length;
        Some(&word[..length])
    }
}

/// A whole number with an optional sign. What doesn't fit is taken for the nearest that does.
pub(super) fn read_number(text: &[u8]) -> Option<i64> {
    let (digits, negative) = match text {
        [b'-', digits @ ..] => (digits, true),
        [b'+', digits @ ..] => (digits, false),
        digits => (digits, false),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0i64, |number, &byte| {
        let digit = i64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
        let number = number.saturating_mul(10);
        Some(if negative {
            number.saturating_sub(digit)
        } else {
            number.saturating_add(digit)
        })
    })
}

/// A move such as `e2e4` or `e7e8q`, in small letters or capitals.
pub(super) fn read_move(text: &[u8]) -> Option<UciMove> {
    let mut small = [0; 5];
    let small = small.get_mut(..text.len())?;
    small.copy_from_slice(text);
    small.make_ascii_lowercase();
    core::str::from_utf8(small).ok()?.parse().ok()
}

/// Are these the same words, but for capitals and the space between them?
pub(super) fn same_words(a: &[u8], b: &[u8]) -> bool {
    let (mut a, mut b) = (Tokens::new(a), Tokens::new(b));
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a.eq_ignore_ascii_case(b) => {}
            _ => return false,
        }
    }
}

/// The longest piece of a line that is repeated in a message, in bytes.
const EXCERPT_LENGTH: usize = 48;

/// A piece of what was sent, fit to stand in a line of our own: cut where it is long, and with
/// a `?` for each byte that isn't printable ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excerpt<'a>(pub &'a [u8]);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.trim_ascii();
        for &byte in text.iter().take(EXCERPT_LENGTH) {
            let shown = byte.is_ascii_graphic() || byte == b' ';
            fmt::Write::write_char(f, if shown { byte as char } else { '?' })?;
        }
        f.write_str(if text.len() > EXCERPT_LENGTH {
            "..."
        } else {
            ""
        })
    }
}

/// The legal move that a move's text means on this board. Castling may be written in the other
/// way than the board's kind has it: as the king taking its own rook, as some databases and
/// servers do, or as the king's move where that is no step.
pub(super) fn find_move(board: &Board, text: &[u8]) -> Option<Move> {
    let mv = read_move(text)?;
    board.find_move(mv).or_else(|| {
        let us = board.side_to_move();
        if board.king(us) != mv.source || mv.promotion.is_some() {
            return None;
        }
        let side = match board.variant() {
            Variant::Standard => CastlingSide::ALL
                .into_iter()
                .find(|&side| board.castling_rook(us, side) == Some(mv.target))?,
            Variant::Chess960 => {
                let is_far = mv.source.distance(mv.target) > 1;
                match mv.target.file() {
                    File::G if is_far => CastlingSide::King,
                    File::C if is_far => CastlingSide::Queen,
                    _ => return None,
                }
            }
        };
        let same_rank = mv.source.rank() == mv.target.rank();
        board.castling_move(side).filter(|_| same_rank)
    })
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn words_are_split_at_any_white_space() {
        let words: Vec<_> = Tokens::new(b" \tgo  depth\r\n5\x0c").collect();
        assert_eq!(words, [&b"go"[..], b"depth", b"5"]);
        assert_eq!(Tokens::new(b"").next(), None);
        assert_eq!(Tokens::new(b" \r\n").next(), None);
    }

    #[test]
    fn a_line_splits_at_a_whole_word_only() {
        let (before, after) = Tokens::new(b"a movesx moves b c").split_at_word(b"moves");
        assert_eq!(before, b"a movesx ");
        assert_eq!(after.expect("found").collect::<Vec<_>>(), [b"b", b"c"]);
        let (before, after) = Tokens::new(b"a b").split_at_word(b"moves");
        assert_eq!(before, b"a b");
        assert!(after.is_none());
        let (before, after) = Tokens::new(b"moves").split_at_word(b"moves");
        assert_eq!(before, b"");
        assert_eq!(after.expect("found").next(), None);
    }

    #[test]
    fn numbers_saturate() {
        for (text, number) in [
            ("0", Some(0)),
            ("-5", Some(-5)),
            ("+7", Some(7)),
            ("007", Some(7)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("99999999999999999999999999", Some(i64::MAX)),
            ("-99999999999999999999999999", Some(i64::MIN)),
            ("", None),
            ("-", None),
            ("+", None),
            ("--1", None),
            ("1.5", None),
            ("abc", None),
            ("5x", None),
        ] {
            assert_eq!(read_number(text.as_bytes()), number, "{text}");
        }
    }

    #[test]
    fn moves_may_be_in_capitals() {
        assert_eq!(read_move(b"E7E8Q"), "e7e8q".parse().ok());
        assert_eq!(read_move(b"e2e4"), "e2e4".parse().ok());
        for junk in [
            &b""[..],
            b"e2",
            b"e2e4qq",
            b"0000",
            b"zz99",
            b"e9e1",
            b"\xc3\xa92\xc3\xa94",
        ] {
            assert_eq!(read_move(junk), None, "{junk:?}");
        }
    }

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(Excerpt(b" a\xff\x07b ").to_string(), "a??b");
        let shown = Excerpt(&[b'x'; 1000]).to_string();
        assert_eq!(shown.len(), EXCERPT_LENGTH + 3);
    }

    #[test]
    fn castling_may_be_written_as_king_takes_rook() {
        let board: Board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("FEN");
        for (text, meant) in [("e1h1", "e1g1"), ("e1a1", "e1c1"), ("e1g1", "e1g1")] {
            let mv = find_move(&board, text.as_bytes()).expect("castling");
            assert!(mv.is_castling());
            assert_eq!(mv.to_uci(), meant.parse().expect("a move"));
        }
        let no_rights: Board = "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1".parse().expect("FEN");
        assert_eq!(find_move(&no_rights, b"e1h1"), None);
        let blocked: Board = "4k3/8/8/8/8/8/8/4KR1R w K - 0 1".parse().expect("FEN");
        assert_eq!(find_move(&blocked, b"e1f1"), None);
        assert_eq!(find_move(&blocked, b"e1h1"), None);
        assert_eq!(find_move(&board, b"e1h1q"), None);
    }
}
