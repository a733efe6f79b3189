//! `position`: a starting point and moves from there, with the keys of the positions passed.

use super::text::{find_move, Excerpt, Tokens};
use crate::board::{Board, KeyHistory, ParseFenError};
use crate::types::Move;
use core::fmt;

/// A position with its past: what a search needs to see repetitions.
#[derive(Clone)]
pub struct Position {
    /// The position.
    pub board: Board,
    /// The keys of the positions before.
    pub history: KeyHistory,
}

impl Position {
    /// A position without a past.
    #[must_use]
    pub const fn new(board: Board) -> Position {
        Position {
            board,
            history: KeyHistory::new(),
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.history.push(self.board.key());
        self.board.make_move(mv);
    }
}

/// What follows the word `position`.
#[derive(Clone, Debug)]
pub struct PositionText<'a>(pub(super) Tokens<'a>);

/// Why a `position` command was refused. Whoever reads it keeps the position from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetPositionError<'a> {
    /// Neither `startpos` nor `fen` is in the command.
    NoPosition,
    /// The FEN can't be read, or its position is not accepted.
    Fen(ParseFenError),
    /// A word of the move list is no legal move where it stands.
    IllegalMove {
        /// The word.
        text: Excerpt<'a>,
        /// Its place in the list, from 1.
        number: usize,
    },
}

impl fmt::Display for SetPositionError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetPositionError::NoPosition => {
                f.write_str("position: neither 'startpos' nor 'fen' is given")
            }
            SetPositionError::Fen(error) => write!(f, "invalid FEN: {error}"),
            SetPositionError::IllegalMove { text, number } => {
                write!(f, "illegal move '{text}' (move {number} of the list)")
            }
        }
    }
}

impl core::error::Error for SetPositionError<'_> {}

impl From<ParseFenError> for SetPositionError<'_> {
    fn from(error: ParseFenError) -> Self {
        SetPositionError::Fen(error)
    }
}

impl<'a> PositionText<'a> {
    /// Sets up the position and plays the moves.
    ///
    /// # Errors
    ///
    /// If anything in it is not as it should be; nothing is done by halves.
    pub fn read(&self) -> Result<Position, SetPositionError<'a>> {
        let mut tokens = self.0.clone();
        let (board, moves) = loop {
            match tokens.next().ok_or(SetPositionError::NoPosition)? {
                b"startpos" => break (Board::startpos(), tokens.split_at_word(b"moves").1),
                b"fen" => {
                    let (fen, moves) = tokens.split_at_word(b"moves");
                    // Offsets in errors count from the FEN's first byte.
                    break (Board::from_fen_lenient(fen.trim_ascii())?, moves);
                }
                _ => {}
            }
        };
        let mut position = Position::new(board);
        for (index, text) in moves.into_iter().flatten().enumerate() {
            let mv = find_move(&position.board, text).ok_or(SetPositionError::IllegalMove {
                text: Excerpt(text),
                number: index + 1,
            })?;
            position.play(mv);
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::{String, ToString};

    fn read(text: &[u8]) -> Result<Position, String> {
        PositionText(Tokens::new(text))
            .read()
            .map_err(|error| error.to_string())
    }

    fn fen(text: &str) -> String {
        read(text.as_bytes()).expect(text).board.to_string()
    }

    #[test]
    fn positions_are_read_as_guis_send_them() {
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(fen("startpos"), Board::STARTPOS_FEN);
        assert_eq!(fen("startpos moves"), Board::STARTPOS_FEN);
        assert_eq!(fen("startpos e2e4"), Board::STARTPOS_FEN);
        assert_eq!(fen("startpos moves e2e4"), after_e4);
        assert_eq!(fen("startpos moves E2E4"), after_e4);
        assert_eq!(fen("please startpos moves e2e4\r\n"), after_e4);
        let four = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert_eq!(fen(four), Board::STARTPOS_FEN);
        assert_eq!(fen(&std::format!("{four} moves")), Board::STARTPOS_FEN);
        assert_eq!(fen(&std::format!("{four} moves e2e4")), after_e4);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, words) in [
            ("", "neither 'startpos' nor 'fen'"),
            ("moves e2e4", "neither 'startpos' nor 'fen'"),
            ("fen", "piece placement is missing"),
            ("fen moves e2e4", "piece placement is missing"),
            ("fen 4k3/8/8/8/8/8/8/8 w - - 0 1", "white has no king"),
            (
                "startpos moves e2e4 e7e5 e4e5 d2d4",
                "illegal move 'e4e5' (move 3 of the list)",
            ),
            (
                "fen rnbq?bnr/8/8/8/8/8/8/8 w",
                "invalid FEN: piece placement: unexpected '?' (byte 0x3f) at byte 4",
            ),
            (
                "startpos moves 0000",
                "illegal move '0000' (move 1 of the list)",
            ),
        ] {
            let error = read(text.as_bytes()).err().expect(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        let error = read(b"startpos moves \xff\xfe\x07").err().expect("junk");
        assert_eq!(error, "illegal move '???' (move 1 of the list)");
    }

    #[test]
    fn the_past_is_kept() {
        let shuffle = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let position = read(shuffle.as_bytes()).expect("legal");
        assert!(position.history.is_repetition(&position.board, 3));
    }
}
