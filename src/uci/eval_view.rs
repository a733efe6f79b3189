//! What the static evaluation of a position is made of.

use crate::board::Board;
use crate::eval::{self, Accumulator, Trace};
use crate::tables;
use crate::types::Color;
use core::fmt;

/// The terms that are shown, with the place of their first weight. Each ends where the next
/// begins.
const TERMS: [(&str, usize); 13] = [
    ("mobility", tables::EVAL_MOBILITY_KNIGHT),
    ("passed pawns", tables::EVAL_PASSED),
    ("other pawns", tables::EVAL_ISOLATED),
    ("bishops", tables::EVAL_BISHOP_PAIR),
    ("imbalance", tables::EVAL_PAWNS_AND_PIECE),
    ("outposts", tables::EVAL_OUTPOST),
    ("rooks", tables::EVAL_ROOK_FILE),
    ("king shelter", tables::EVAL_SHELTER),
    ("threats", tables::EVAL_THREAT_BY_PAWN),
    ("space", tables::EVAL_RESTRICTED),
    ("king danger", tables::EVAL_DANGER_BASE),
    ("tempo", tables::EVAL_TEMPO),
    ("complexity", tables::EVAL_COMPLEXITY),
];

/// The term whose sum counts with its square and not as it is.
const DANGER: usize = 10;

/// Middlegame and endgame, in centipawns.
type Pair = [i32; 2];

/// The sums of each term.
struct Terms {
    /// `[term][color]`
    sums: [[Pair; Color::COUNT]; TERMS.len()],
    /// `[color]`: the danger that it makes for the enemy king, packed.
    danger: [i32; Color::COUNT],
    /// What the endgame part is scaled by, in 64ths; `None` where no terms are added up.
    scale: Option<i32>,
    /// What the network added for the side to move, in centipawns.
    network: i32,
}

impl Trace for Terms {
    fn add(&mut self, color: Color, weight: usize, count: i32) {
        // Those of the pieces' places are added up in tables of their own.
        let Some(&packed) = tables::EVAL_WEIGHTS.get(weight) else {
            return;
        };
        let term = TERMS.iter().rposition(|(_, first)| *first <= weight);
        let [middlegame, endgame] = &mut self.sums[term.unwrap_or(0)][color as usize];
        *middlegame += count * eval::middlegame(packed);
        *endgame += count * eval::endgame(packed);
    }

    fn danger(&mut self, color: Color, weight: usize, count: i32) {
        let danger = &mut self.danger[color as usize];
        *danger = danger.wrapping_add(tables::EVAL_WEIGHTS[weight].wrapping_mul(count));
    }

    fn scale(&mut self, scale: i32) {
        self.scale = Some(scale);
    }

    fn input(&mut self, _: Color, _: usize) {}

    fn network(&mut self, centipawns: i32) {
        self.network = centipawns;
    }
}

/// The answer to `eval`: the terms of the static evaluation, and its sum from both sides' views.
///
/// ```
/// use kirin::{uci::EvalView, Board};
/// let text = EvalView(&Board::startpos()).to_string();
/// assert!(text.contains("mobility"));
/// assert!(text.contains("cp for white, who is to move"));
/// ```
#[derive(Clone, Copy)]
pub struct EvalView<'a>(pub &'a Board);

impl fmt::Display for EvalView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.0;
        let accumulator = Accumulator::of(board);
        let mut terms = Terms {
            sums: [[[0; 2]; Color::COUNT]; TERMS.len()],
            danger: [0; Color::COUNT],
            scale: None,
            network: 0,
        };
        let score = eval::evaluate_traced(board, &accumulator, &mut terms);
        let Some(scale) = terms.scale else {
            return self.write_known(f, score);
        };
        terms.sums[DANGER] = terms.danger.map(eval::price_of_danger);
        writeln!(
            f,
            "{:<14}{:>14}{:>14}{:>14}\n{:<14}{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}",
            "",
            "white",
            "black",
            "difference",
            "term (cp)",
            "mid",
            "end",
            "mid",
            "end",
            "mid",
            "end"
        )?;
        let pieces = accumulator.packed();
        let mut total = [eval::middlegame(pieces), eval::endgame(pieces)];
        writeln!(f, "{:<42}{:>7}{:>7}", "pieces, places", total[0], total[1])?;
        for ((name, _), [white, black]) in TERMS.iter().zip(terms.sums) {
            let difference = [white[0] - black[0], white[1] - black[1]];
            write!(f, "{name:<14}")?;
            for number in white.into_iter().chain(black).chain(difference) {
                write!(f, "{number:>7}")?;
            }
            writeln!(f)?;
            total = [total[0] + difference[0], total[1] + difference[1]];
        }
        writeln!(f, "{:<42}{:>7}{:>7}\n", "sum", total[0], total[1])?;
        let phase = accumulator.phase().min(eval::FULL_PHASE);
        writeln!(
            f,
            "Phase: {phase} of {full}, from endgame to middlegame; the endgame counts {} of 64",
            scale,
            full = eval::FULL_PHASE,
        )?;
        let endgame = total[1] * scale / 64;
        let blend = (total[0] * phase + endgame * (eval::FULL_PHASE - phase)) / eval::FULL_PHASE;
        let network = for_white(board, terms.network);
        if network != 0 {
            writeln!(f, "The network: {network} cp for white")?;
        }
        let rest = for_white(board, score) - network - blend;
        if rest != 0 {
            writeln!(f, "Driving the king to the edge: {rest} cp for white")?;
        }
        self.write_score(f, score)
    }
}

fn for_white(board: &Board, score: i32) -> i32 {
    match board.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    }
}

impl EvalView<'_> {
    fn write_known(&self, f: &mut fmt::Formatter<'_>, score: i32) -> fmt::Result {
        writeln!(f, "This endgame is known: nothing is added up")?;
        self.write_score(f, score)
    }

    fn write_score(&self, f: &mut fmt::Formatter<'_>, score: i32) -> fmt::Result {
        let side = match self.0.side_to_move() {
            Color::White => "white",
            Color::Black => "black",
        };
        if self.0.in_check() {
            writeln!(
                f,
                "{side} is in check: the search does not use this evaluation"
            )?;
        }
        write!(
            f,
            "Evaluation: {score} cp for {side}, who is to move ({} cp for white)",
            for_white(self.0, score)
        )
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn terms_stand_in_the_order_of_their_weights() {
        assert!(TERMS.is_sorted_by(|a, b| a.1 < b.1));
        assert_eq!(TERMS[0].1, 0);
        assert_eq!(TERMS[DANGER].0, "king danger");
    }

    #[test]
    fn the_terms_make_the_sum() {
        for fen in [
            Board::STARTPOS_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let board: Board = fen.parse().expect("FEN");
            let text = EvalView(&board).to_string();
            assert!(!text.contains("edge"), "{text}");
            for (name, _) in TERMS {
                assert_eq!(
                    text.lines().filter(|line| line.starts_with(name)).count(),
                    1
                );
            }
        }
        let mop_up: Board = "8/8/4k3/8/8/8/8/Q3K3 w - - 0 1".parse().expect("FEN");
        assert!(EvalView(&mop_up).to_string().contains("edge"));
        let known: Board = "8/8/8/4k3/8/8/3P4/3K4 w - - 0 1".parse().expect("FEN");
        assert!(EvalView(&known).to_string().contains("is known"));
    }
}
