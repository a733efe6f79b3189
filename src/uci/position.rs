//! `position`: a starting point and moves from there, with the keys of the positions passed.

use super::text::{find_move, Excerpt, Tokens};
use crate::board::{Board, KeyHistory, ParseFenError};
use crate::types::{Move, Variant};
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
    /// The rights to castle are those of Chess960, and the board is to be a standard one.
    NotChess960(ParseFenError),
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
            SetPositionError::NotChess960(error) => {
                write!(f, "invalid FEN: {error} (and UCI_Chess960 is off)")
            }
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
        self.read_as(Variant::Standard)
    }

    /// Sets up the position, on a board of this kind, and plays the moves.
    ///
    /// # Errors
    ///
    /// If anything in it is not as it should be; nothing is done by halves.
    pub fn read_as(&self, variant: Variant) -> Result<Position, SetPositionError<'a>> {
        let mut tokens = self.0.clone();
        let (board, moves) = loop {
            match tokens.next().ok_or(SetPositionError::NoPosition)? {
                b"startpos" => break (start(variant), tokens.split_at_word(b"moves").1),
                b"fen" => {
                    let (fen, moves) = tokens.split_at_word(b"moves");
                    // Offsets in errors count from the FEN's first byte.
                    break (read_fen(fen.trim_ascii(), variant)?, moves);
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

/// The number of the standard position among the starts of Chess960.
const STANDARD_START: u16 = 518;

fn start(variant: Variant) -> Board {
    match variant {
        Variant::Standard => Board::startpos(),
        Variant::Chess960 => match Board::chess960_start(STANDARD_START) {
            Some(board) => board,
            None => unreachable!("the number is below 960"),
        },
    }
}

fn read_fen(fen: &[u8], variant: Variant) -> Result<Board, SetPositionError<'static>> {
    let chess960 = || Board::from_chess960_fen_lenient(fen);
    match variant {
        Variant::Standard => Board::from_fen_lenient(fen).map_err(|error| match chess960() {
            Ok(_) => SetPositionError::NotChess960(error),
            Err(_) => SetPositionError::Fen(error),
        }),
        Variant::Chess960 => Ok(chess960()?),
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
    fn chess960_is_read_when_it_is_meant() {
        let text = b"fen 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1 moves e1g1";
        let text = PositionText(Tokens::new(text));
        let position = text.read_as(Variant::Chess960).expect("castling");
        let fen = "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1";
        assert_eq!(position.board.to_string(), fen);
        let error = text.read().err().expect("not a standard position");
        assert_eq!(
            error.to_string(),
            "invalid FEN: castling rights: not some of 'KQkq' in this order, or '-' (at byte 26) \
             (and UCI_Chess960 is off)"
        );
        // Whatever else is wrong is said as ever.
        let text = PositionText(Tokens::new(b"fen 4k3/8/8/8/8/8/8/1R2K1R1 w GC"));
        let error = text.read().err().expect("no rook on c1");
        assert!(matches!(error, SetPositionError::Fen(_)), "{error}");
        let text = PositionText(Tokens::new(b"startpos moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7"));
        let position = text.read_as(Variant::Chess960).expect("legal");
        let board = position.board;
        assert_eq!(board.variant(), Variant::Chess960);
        let castling = find_move(&board, b"e1h1").expect("legal");
        assert_eq!(castling.to_string(), "e1h1");
        // As some write it even so.
        assert_eq!(find_move(&board, b"e1g1"), Some(castling));
    }

    #[test]
    fn the_past_is_kept() {
        let shuffle = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        let position = read(shuffle.as_bytes()).expect("legal");
        assert!(position.history.is_repetition(&position.board, 3));
    }
}
