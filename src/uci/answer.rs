//! What the engine says, as values that write themselves: no line here ends with its newline,
//! but those that are several have them between.

use super::option::OPTIONS;
use crate::board::Board;
use crate::search::{Info, Outcome};
use crate::tt::Bound;
use crate::types::{Color, Score};
use core::fmt;

/// The engine's name and version.
pub const NAME: &str = concat!("Kirin ", env!("CARGO_PKG_VERSION"));
/// Who wrote it.
pub const AUTHOR: &str = "the Kirin developers";

/// The answer to `help`.
pub const HELP: &str = "\
Kirin is a chess engine that speaks the Universal Chess Interface:
  uci, isready, ucinewgame, setoption name NAME [value VALUE], stop, ponderhit, quit
  position startpos|fen FEN [moves MOVE...]
  go [depth N] [nodes N] [movetime MS] [mate N] [wtime MS] [btime MS] [winc MS] [binc MS]
     [movestogo N] [searchmoves MOVE...] [infinite] [ponder]
and besides:
  d                 show the board
  eval              show the static evaluation
  go perft DEPTH    count the legal move sequences
  bench [DEPTH]     search a fixed set of positions
  help              show this
The program's other uses are shown by `kirin --help`.";

/// The answer to `uci`.
#[derive(Clone, Copy, Debug)]
pub struct Introduction;

impl fmt::Display for Introduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "id name {NAME}\nid author {AUTHOR}")?;
        for option in &OPTIONS {
            writeln!(f, "{option}")?;
        }
        f.write_str("uciok")
    }
}

/// The `info` line of a report.
#[derive(Clone, Copy, Debug)]
pub struct InfoLine<'a>(pub Info<'a>);

impl fmt::Display for InfoLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = &self.0;
        let bound = match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        write!(
            f,
            "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {} hashfull {} time {}",
            info.depth,
            info.seldepth,
            info.multipv,
            Score(info.score),
            info.nodes,
            nodes_per_second(info.nodes, info.time_ms),
            info.hashfull,
            info.time_ms,
        )?;
        if !info.pv.is_empty() {
            f.write_str(" pv")?;
        }
        info.pv.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// Speed; times below a millisecond count as one.
#[must_use]
pub const fn nodes_per_second(nodes: u64, time_ms: u64) -> u64 {
    nodes.saturating_mul(1000) / if time_ms == 0 { 1 } else { time_ms }
}

/// The `bestmove` line of a search's outcome. Where there was no move to choose, an `info`
/// line goes before it with the score of the mate or stalemate.
#[derive(Clone, Copy, Debug)]
pub struct BestMove<'a>(pub &'a Outcome);

impl fmt::Display for BestMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.best, self.0.ponder) {
            (Some(best), Some(ponder)) => write!(f, "bestmove {best} ponder {ponder}"),
            (Some(best), None) => write!(f, "bestmove {best}"),
            (None, _) => write!(
                f,
                "info depth 0 score {}\nbestmove (none)",
                Score(self.0.score)
            ),
        }
    }
}

/// The answer to `d`: the board, its FEN and key, and who gives check.
#[derive(Clone, Copy)]
pub struct BoardView<'a>(pub &'a Board);

impl fmt::Display for BoardView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}\nCheckers:", self.0)?;
        self.0
            .checkers()
            .into_iter()
            .try_for_each(|square| write!(f, " {square}"))
    }
}

/// The answer to `eval`: the static evaluation from both sides' views.
#[derive(Clone, Copy)]
pub struct EvalView<'a>(pub &'a Board);

impl fmt::Display for EvalView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = crate::eval::evaluate(self.0);
        let (side, white_score) = match self.0.side_to_move() {
            Color::White => ("white", score),
            Color::Black => ("black", -score),
        };
        if self.0.in_check() {
            writeln!(
                f,
                "{side} is in check: the search does not use this evaluation"
            )?;
        }
        write!(
            f,
            "Evaluation: {score} cp for {side}, who is to move ({white_score} cp for white)"
        )
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn info_lines_are_as_the_protocol_says() {
        let board = Board::startpos();
        let mv = board
            .find_move("e2e4".parse().expect("a move"))
            .expect("legal");
        let info = Info {
            depth: 3,
            seldepth: 5,
            multipv: 1,
            score: -12,
            bound: Bound::Exact,
            nodes: 1234,
            time_ms: 0,
            hashfull: 7,
            pv: &[mv],
        };
        assert_eq!(
            InfoLine(info).to_string(),
            "info depth 3 seldepth 5 multipv 1 score cp -12 nodes 1234 nps 1234000 hashfull 7 \
             time 0 pv e2e4"
        );
        let info = Info {
            score: Score::mate_in(3),
            bound: Bound::Lower,
            time_ms: 2,
            pv: &[],
            ..info
        };
        assert_eq!(
            InfoLine(info).to_string(),
            "info depth 3 seldepth 5 multipv 1 score mate 2 lowerbound nodes 1234 nps 617000 \
             hashfull 7 time 2"
        );
    }

    #[test]
    fn best_move_lines() {
        let board = Board::startpos();
        let find = |text: &str| board.find_move(text.parse().expect("a move"));
        let mut outcome = Outcome {
            best: find("g1f3"),
            ponder: find("b1c3"),
            score: 0,
            depth: 1,
            nodes: 1,
        };
        assert_eq!(BestMove(&outcome).to_string(), "bestmove g1f3 ponder b1c3");
        outcome.ponder = None;
        assert_eq!(BestMove(&outcome).to_string(), "bestmove g1f3");
        outcome.best = None;
        outcome.score = Score::mated_in(0);
        assert_eq!(
            BestMove(&outcome).to_string(),
            "info depth 0 score mate 0\nbestmove (none)"
        );
    }

    #[test]
    fn the_introduction_ends_with_uciok() {
        let text = Introduction.to_string();
        assert!(text.starts_with("id name Kirin "));
        assert!(text.contains("\noption name Hash type spin default 16 min 1 max 1048576\n"));
        assert!(text.contains("\noption name Clear Hash type button\n"));
        assert!(text.contains("\noption name Ponder type check default false\n"));
        assert!(text.ends_with("\nuciok"));
    }
}
