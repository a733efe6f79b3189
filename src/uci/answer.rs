//! What the engine says, as values that write themselves: no line here ends with its newline,
//! but those that are several have them between.

use super::option::OPTIONS;
use super::wdl::Wdl;
use crate::board::Board;
use crate::search::{Info, Outcome};
use crate::tt::Bound;
use crate::types::Score;
use core::fmt;

/// The engine's name and version.
pub const NAME: &str = concat!("Kirin ", env!("CARGO_PKG_VERSION"));
/// Who wrote it.
pub const AUTHOR: &str = "the Kirin developers";

/// What the engine is, for GUIs that show it.
pub const ABOUT: &str = concat!(
    "Kirin ",
    env!("CARGO_PKG_VERSION"),
    " by the Kirin developers: a chess engine whose tables are all made and proven when it is built"
);

/// The answer to `help`.
pub const HELP: &str = "\
Kirin is a chess engine that speaks the Universal Chess Interface:
  uci, isready, ucinewgame, setoption name NAME [value VALUE], stop, ponderhit, quit
  position startpos|fen FEN [moves MOVE...]
  go [depth N] [nodes N] [movetime MS] [mate N] [wtime MS] [btime MS] [winc MS] [binc MS]
     [movestogo N] [searchmoves MOVE...] [infinite] [ponder]
and besides:
  d                 show the board
  eval              show the board and what its static evaluation is made of
  flip              exchange the colours
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
pub struct InfoLine<'a> {
    /// The report.
    pub info: Info<'a>,
    /// The chances that its score means, if they are to be shown.
    pub wdl: Option<Wdl>,
    /// How many positions have been found in endgame tables.
    pub tbhits: u64,
}

impl fmt::Display for InfoLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = &self.info;
        let bound = match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        write!(
            f,
            "info depth {} seldepth {} multipv {} score {}{bound}",
            info.depth,
            info.seldepth,
            info.multipv,
            Score(info.score),
        )?;
        if let Some(wdl) = self.wdl {
            write!(f, " wdl {wdl}")?;
        }
        write!(
            f,
            " nodes {} nps {} hashfull {} tbhits {} time {}",
            info.nodes,
            nodes_per_second(info.nodes, info.time_ms),
            info.hashfull,
            self.tbhits,
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
            InfoLine {
                info,
                wdl: None,
                tbhits: 0
            }
            .to_string(),
            "info depth 3 seldepth 5 multipv 1 score cp -12 nodes 1234 nps 1234000 hashfull 7 \
             tbhits 0 time 0 pv e2e4"
        );
        let info = Info {
            score: Score::mate_in(3),
            bound: Bound::Lower,
            time_ms: 2,
            pv: &[],
            ..info
        };
        let wdl = Some(Wdl::of(info.score, &board));
        assert_eq!(
            InfoLine {
                info,
                wdl,
                tbhits: 12
            }
            .to_string(),
            "info depth 3 seldepth 5 multipv 1 score mate 2 lowerbound wdl 1000 0 0 nodes 1234 \
             nps 617000 hashfull 7 tbhits 12 time 2"
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
        assert!(text.contains("\noption name Debug Log File type string default <empty>\n"));
        assert!(text.contains("\noption name UCI_EngineAbout type string default Kirin "));
        assert!(text.contains("\noption name Ponder type check default false\n"));
        assert!(text.ends_with("\nuciok"));
    }
}
