//! `go`: what a search may spend, or how deep to count.

use super::text::{find_move, read_move, read_number, Excerpt, Tokens};
use crate::board::Board;
use crate::perft::MAX_PERFT_DEPTH;
use crate::search::{Clock, Limits};
use crate::types::{Color, MoveList};
use core::fmt;

/// What follows the word `go`.
#[derive(Clone, Debug)]
pub struct GoText<'a>(pub(super) Tokens<'a>);

/// The longest time that is taken at its word, in milliseconds: thirty years, and far from any
/// overflow in sums and products of times.
const MAX_TIME_MS: i64 = 1_000_000_000_000;

/// What `go` asks for.
#[derive(Clone, Debug, Default)]
pub struct GoParams<'a> {
    /// Plies to search; at least 1.
    pub depth: Option<u32>,
    /// Nodes to visit; at least 1.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub movetime_ms: Option<u64>,
    /// Look for a mate in so many moves; at least 1.
    pub mate: Option<u32>,
    /// `[color]`: the clocks. A clock that has run out may be negative.
    pub time_ms: [Option<i64>; 2],
    /// `[color]`: what is added for each move; at least 0.
    pub increment_ms: [i64; 2],
    /// Moves until more time is added; at least 1.
    pub moves_to_go: Option<u32>,
    /// `infinite` was said: answer after `stop` only. See [`GoParams::waits_for_stop`].
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit`.
    pub ponder: bool,
    /// Count move sequences of this length instead of searching.
    pub perft: Option<u32>,
    /// `perft` was said, but not with a number of plies that can be counted: then nothing is
    /// done, since a search is not what was meant.
    pub perft_is_unclear: bool,
    /// The moves that `searchmoves` lists, as text.
    search_moves: Option<&'a [u8]>,
}

/// Why a part of a `go` command was passed over. The search takes place without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GoError<'a> {
    /// No value follows the field's name.
    MissingValue {
        /// The field.
        field: Excerpt<'a>,
    },
    /// The value is not a whole number.
    NotANumber {
        /// The field.
        field: Excerpt<'a>,
        /// What stands in the number's place.
        value: Excerpt<'a>,
    },
    /// The number of plies for `perft` is beyond [`MAX_PERFT_DEPTH`].
    PerftTooDeep {
        /// The number given.
        depth: i64,
    },
    /// A move of `searchmoves` is not legal.
    IllegalSearchMove(Excerpt<'a>),
}

impl fmt::Display for GoError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoError::MissingValue { field } => write!(f, "go {field}: its number is missing"),
            GoError::NotANumber { field, value } => {
                write!(f, "go {field}: '{value}' is not a whole number")
            }
            GoError::PerftTooDeep { depth } => {
                write!(
                    f,
                    "go perft: {depth} is above the most, {MAX_PERFT_DEPTH} plies"
                )
            }
            GoError::IllegalSearchMove(text) => write!(f, "go searchmoves: illegal move '{text}'"),
        }
    }
}

impl core::error::Error for GoError<'_> {}

impl<'a> GoText<'a> {
    /// Reads the fields, and calls `report` for each that had to be passed over.
    pub fn read(&self, mut report: impl FnMut(GoError<'a>)) -> GoParams<'a> {
        let mut go = GoParams::default();
        let mut tokens = self.0.clone();
        while let Some(field) = tokens.next() {
            match field {
                b"infinite" => go.infinite = true,
                b"ponder" => go.ponder = true,
                b"searchmoves" => go.search_moves = Some(take_moves(&mut tokens)),
                _ if takes_number(field) => match take_number(field, &mut tokens) {
                    Ok(depth) if field == b"perft" && depth > i64::from(MAX_PERFT_DEPTH) => {
                        go.perft_is_unclear = true;
                        report(GoError::PerftTooDeep { depth });
                    }
                    Ok(number) => go.set(field, number),
                    Err(error) => {
                        go.perft_is_unclear |= field == b"perft";
                        report(error);
                    }
                },
                _ => {}
            }
        }
        go
    }
}

fn takes_number(field: &[u8]) -> bool {
    matches!(
        field,
        b"depth"
            | b"nodes"
            | b"movetime"
            | b"mate"
            | b"wtime"
            | b"btime"
            | b"winc"
            | b"binc"
            | b"movestogo"
            | b"perft"
    )
}

fn take_number<'a>(field: &'a [u8], tokens: &mut Tokens<'a>) -> Result<i64, GoError<'a>> {
    let is_field =
        |word| takes_number(word) || matches!(word, b"infinite" | b"ponder" | b"searchmoves");
    let field = Excerpt(field);
    // Another field in the value's place is read as that field.
    let value = tokens
        .peek()
        .filter(|&word| !is_field(word))
        .ok_or(GoError::MissingValue { field })?;
    tokens.next();
    read_number(value).ok_or(GoError::NotANumber {
        field,
        value: Excerpt(value),
    })
}

/// The text of the moves that come next: up to the first word that hasn't a move's form.
fn take_moves<'a>(tokens: &mut Tokens<'a>) -> &'a [u8] {
    let text = tokens.rest();
    while tokens.peek().is_some_and(|word| read_move(word).is_some()) {
        tokens.next();
    }
    &text[..text.len() - tokens.rest().len()]
}

fn at_least_one(number: i64) -> u32 {
    u32::try_from(number.max(1)).unwrap_or(u32::MAX)
}

impl GoParams<'_> {
    fn set(&mut self, field: &[u8], number: i64) {
        let time = number.clamp(-MAX_TIME_MS, MAX_TIME_MS);
        let (white, black) = (Color::White as usize, Color::Black as usize);
        match field {
            b"depth" => self.depth = Some(at_least_one(number)),
            b"nodes" => self.nodes = Some(number.max(1).unsigned_abs()),
            b"movetime" => self.movetime_ms = Some(time.max(0).unsigned_abs()),
            b"mate" => self.mate = Some(at_least_one(number)),
            b"wtime" => self.time_ms[white] = Some(time),
            b"btime" => self.time_ms[black] = Some(time),
            b"winc" => self.increment_ms[white] = time.max(0),
            b"binc" => self.increment_ms[black] = time.max(0),
            b"movestogo" => self.moves_to_go = (number > 0).then(|| at_least_one(number)),
            b"perft" => self.perft = Some(u32::try_from(number.max(0)).unwrap_or(u32::MAX)),
            _ => {}
        }
    }

    /// Must the answer wait for `stop`, even if the search ends by itself? Because `infinite`
    /// was said, or because nothing was said that could end it.
    #[must_use]
    pub fn waits_for_stop(&self) -> bool {
        let bounded = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime_ms.is_some()
            || self.mate.is_some()
            || self.time_ms.iter().any(Option::is_some);
        self.infinite || !bounded
    }

    /// Is a move asked for that is played at once, whatever it is? Then one of a book will do.
    #[must_use]
    pub fn is_play(&self) -> bool {
        let restricted = self.search_moves.is_some() || self.mate.is_some();
        !(self.waits_for_stop() || self.ponder || restricted)
    }

    /// The limits for a search of `board`, and a call of `report` for each move of
    /// `searchmoves` that isn't legal there.
    ///
    /// Of two clocks the one of the side to move counts; if only the other is given, that one.
    #[must_use]
    pub fn limits(
        &self,
        board: &Board,
        move_overhead_ms: u64,
        mut report: impl FnMut(GoError<'_>),
    ) -> Limits {
        let us = board.side_to_move();
        let time_ms = self.time_ms[us as usize].or(self.time_ms[us.opposite() as usize]);
        let clock = time_ms.map(|time_ms| Clock {
            time_ms,
            increment_ms: self.increment_ms[us as usize],
        });
        let mut search_moves = MoveList::new();
        for text in Tokens::new(self.search_moves.unwrap_or_default()) {
            match find_move(board, text) {
                // Each once: the list has room for as many moves as there are.
                Some(mv) if search_moves.contains(&mv) => {}
                Some(mv) => search_moves.push(mv),
                None => report(GoError::IllegalSearchMove(Excerpt(text))),
            }
        }
        Limits {
            depth: self.depth,
            multipv: 1,
            nodes: self.nodes,
            nodes_per_ms: 0,
            strength: None,
            mate: self.mate,
            movetime_ms: self.movetime_ms.filter(|_| !self.infinite),
            clock: clock.filter(|_| !self.infinite),
            moves_to_go: self.moves_to_go,
            move_overhead_ms,
            search_moves,
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::{String, ToString};
    use std::vec::Vec;

    fn read(text: &str) -> (GoParams<'_>, Vec<String>) {
        let mut errors = Vec::new();
        let go = GoText(Tokens::new(text.as_bytes())).read(|error| errors.push(error.to_string()));
        (go, errors)
    }

    fn limits(text: &str) -> (Limits, Vec<String>) {
        let (go, mut errors) = read(text);
        let limits = go.limits(&Board::startpos(), 10, |error| {
            errors.push(error.to_string());
        });
        (limits, errors)
    }

    #[test]
    fn all_fields_are_read() {
        let text = "wtime 1000 btime -2000 winc 30 binc 40 movestogo 5 \
                    depth 6 nodes 7 movetime 8 mate 9 perft 3 ponder infinite";
        let (go, errors) = read(text);
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(go.time_ms, [Some(1000), Some(-2000)]);
        assert_eq!(go.increment_ms, [30, 40]);
        assert_eq!(
            (go.moves_to_go, go.depth, go.nodes, go.movetime_ms),
            (Some(5), Some(6), Some(7), Some(8))
        );
        assert_eq!((go.mate, go.perft), (Some(9), Some(3)));
        assert!(go.ponder && go.infinite);
    }

    #[test]
    fn numbers_that_make_no_sense_become_ones_that_do() {
        let (go, errors) = read("depth 0 nodes -4 movetime -1 mate 0 movestogo 0 winc -5");
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!((go.depth, go.nodes), (Some(1), Some(1)));
        assert_eq!((go.movetime_ms, go.mate), (Some(0), Some(1)));
        assert_eq!((go.moves_to_go, go.increment_ms[0]), (None, 0));
        let (go, _) = read("depth 99999999999999999999 wtime -99999999999999999999 movestogo -5");
        assert_eq!(go.depth, Some(u32::MAX));
        assert_eq!(go.time_ms[0], Some(-MAX_TIME_MS));
        assert_eq!(go.moves_to_go, None);
    }

    #[test]
    fn missing_values_name_their_field_and_eat_no_other() {
        let (go, errors) = read("mate");
        assert_eq!(go.mate, None);
        assert_eq!(errors, ["go mate: its number is missing"]);
        let (go, errors) = read("movetime depth 3");
        assert_eq!((go.movetime_ms, go.depth), (None, Some(3)));
        assert_eq!(errors, ["go movetime: its number is missing"]);
        let (go, errors) = read("wtime abc btime 5");
        assert_eq!(go.time_ms, [None, Some(5)]);
        assert_eq!(errors, ["go wtime: 'abc' is not a whole number"]);
        let (go, errors) = read("blah depth 2 \u{fffd}");
        assert_eq!(go.depth, Some(2));
        assert!(errors.is_empty());
    }

    #[test]
    fn what_cannot_end_waits_for_stop() {
        for text in [
            "",
            "infinite",
            "infinite depth 5",
            "mate",
            "searchmoves e2e4",
            "movestogo 5",
        ] {
            assert!(read(text).0.waits_for_stop(), "{text}");
        }
        for text in [
            "depth 1",
            "nodes 5",
            "movetime 0",
            "mate 3",
            "wtime -5",
            "btime 1",
        ] {
            assert!(!read(text).0.waits_for_stop(), "{text}");
        }
    }

    #[test]
    fn a_book_serves_where_any_move_will_do() {
        for text in ["wtime 1 btime 1", "movetime 5", "depth 3", "nodes 1"] {
            assert!(read(text).0.is_play(), "{text}");
        }
        for text in [
            "",
            "infinite",
            "infinite depth 3",
            "ponder wtime 1 btime 1",
            "depth 3 searchmoves e2e4",
            "mate 3",
            "depth 3 mate 3",
        ] {
            assert!(!read(text).0.is_play(), "{text}");
        }
    }

    #[test]
    fn search_moves_end_at_the_first_other_word() {
        let (limits, errors) = limits("searchmoves a2a3 h2h3 a2a3 depth 3");
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(limits.depth, Some(3));
        let moves: Vec<_> = limits
            .search_moves
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(moves, ["a2a3", "h2h3"]);
    }

    #[test]
    fn illegal_search_moves_are_reported() {
        let (limits, errors) = limits("nodes 50 searchmoves a1a2 a2a3 a3a4");
        assert_eq!(limits.search_moves.len(), 1);
        assert_eq!(errors.len(), 2);
        assert_eq!(errors[0], "go searchmoves: illegal move 'a1a2'");
    }

    #[test]
    fn more_search_moves_than_a_list_holds() {
        let mut text = String::from("searchmoves");
        for _ in 0..1000 {
            text.push_str(" e2e4 d2d4");
        }
        assert_eq!(limits(&text).0.search_moves.len(), 2);
    }

    #[test]
    fn the_right_clock_counts() {
        let clock = |text| {
            limits(text)
                .0
                .clock
                .map(|clock| (clock.time_ms, clock.increment_ms))
        };
        assert_eq!(clock("wtime 1 btime 2 winc 3 binc 4"), Some((1, 3)));
        assert_eq!(clock("btime 2 binc 4"), Some((2, 0)));
        assert_eq!(clock("winc 3"), None);
        assert_eq!(clock("infinite wtime 1"), None);
    }
}
