//! What a score is worth: the chances to win, to draw and to lose, as `UCI_ShowWDL` shows them.

use crate::board::Board;
use crate::types::{PieceType, Score};
use core::fmt;

/// The chances of the side to move, in permille; together a thousand.
///
/// With a score of `s` centipawns the chance to win is `f((s - a) / b)`, to lose
/// `f((-s - a) / b)`, where `f(z) = 1 / (1 + exp(-z))`; what is left is the draw. `a` is the
/// score that wins every other game, and `b` how gently the chance rises there. Both depend on
/// the material on the board, counted 1 a pawn, 3 a minor piece, 5 a rook and 9 a queen, and are
/// interpolated between six points.
///
/// The points were fitted to 352,803 positions of the engine's own games at 3,000 and 5,000
/// nodes a move (those of the evaluation's version 2, see `tests/STRENGTH.md`), of which those
/// within 300 centipawns count: for each point the `a` and `b` of the greatest likelihood, a
/// position's weight falling linearly to the next points. The chances then differ from what
/// happened by 7 percent of all games or less, but for 8 in level endgames, where draws are yet
/// more frequent. They are those of equal opponents of that strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

/// The material between two points.
const STEP: i32 = 16;
/// `(a, b)` at the points, in centipawns.
const POINTS: [(i32, i32); 6] = [
    (201, 59),
    (171, 76),
    (117, 93),
    (96, 108),
    (82, 123),
    (86, 144),
];
/// `1000 / (1 + exp(-z))` for `z` = 0, 1/4, 2/4 and so on.
const LOGISTIC: [i32; 33] = [
    500, 562, 622, 679, 731, 777, 818, 852, 881, 905, 924, 940, 953, 963, 971, 977, 982, 986, 989,
    991, 993, 995, 996, 997, 998, 998, 998, 999, 999, 999, 999, 1000, 1000,
];

/// `1000 / (1 + exp(-numerator / denominator))`, interpolated. The numerator is a score or so.
fn logistic(numerator: i32, denominator: i32) -> i32 {
    // In units of 1/256, of which the table's step has 64.
    let z = 256 * numerator.abs() / denominator;
    let (row, rest) = ((z / 64) as usize, z % 64);
    let chance = match LOGISTIC.get(row..row + 2) {
        Some(&[low, high]) => low + (high - low) * rest / 64,
        _ => 1_000,
    };
    if numerator < 0 {
        1_000 - chance
    } else {
        chance
    }
}

fn material(board: &Board) -> i32 {
    let worth = |kind, each| each * board.kind(kind).len() as i32;
    worth(PieceType::Pawn, 1)
        + worth(PieceType::Knight, 3)
        + worth(PieceType::Bishop, 3)
        + worth(PieceType::Rook, 5)
        + worth(PieceType::Queen, 9)
}

impl Wdl {
    /// What `score`, found by a search of `board`, means for its side to move. Mates are
    /// certain.
    #[must_use]
    pub fn of(score: i32, board: &Board) -> Wdl {
        let certain = |win| Wdl {
            win,
            draw: 0,
            loss: 1_000 - win,
        };
        if Score::is_certain(score) {
            return certain(if score > 0 { 1_000 } else { 0 });
        }
        let material = material(board).min(STEP * (POINTS.len() as i32 - 1) - 1);
        let (point, rest) = ((material / STEP) as usize, material % STEP);
        let between = |low: i32, high: i32| low + (high - low) * rest / STEP;
        let a = between(POINTS[point].0, POINTS[point + 1].0);
        let b = between(POINTS[point].1, POINTS[point + 1].1);
        let (win, loss) = (logistic(score - a, b), logistic(-score - a, b));
        Wdl {
            win: win as u32,
            draw: (1_000 - win - loss) as u32,
            loss: loss as u32,
        }
    }
}

/// Writes the three numbers as the protocol's extension does.
impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn the_table_is_the_logistic_function() {
        for (i, &value) in LOGISTIC.iter().enumerate() {
            let exact = 1_000.0 / (1.0 + (-(i as f64) / 4.0).exp());
            assert_eq!(f64::from(value), exact.round(), "{i}");
        }
        for numerator in -3_000..3_000 {
            let exact = 1_000.0 / (1.0 + (-f64::from(numerator) / 100.0).exp());
            let value = f64::from(logistic(numerator, 100));
            assert!((value - exact).abs() < 3.0, "{numerator}: {value} {exact}");
        }
    }

    #[test]
    fn chances_make_a_whole_and_rise_with_the_score() {
        for fen in [
            Board::STARTPOS_FEN,
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "k7/pp6/8/8/8/8/QQQQQQQ1/K6Q w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            let board: Board = fen.parse().expect("FEN");
            let mut last = Wdl::of(-Score::INFINITE, &board);
            assert_eq!(last.to_string(), "0 0 1000");
            for score in 1 - Score::INFINITE..=Score::INFINITE {
                let wdl = Wdl::of(score, &board);
                assert_eq!(wdl.win + wdl.draw + wdl.loss, 1_000, "{score}: {wdl}");
                assert!(wdl.win >= last.win && wdl.loss <= last.loss, "{score}");
                let other = Wdl::of(-score, &board);
                assert_eq!((wdl.win, wdl.loss), (other.loss, other.win), "{score}");
                last = wdl;
            }
            assert_eq!(last.to_string(), "1000 0 0");
        }
    }

    #[test]
    fn the_same_lead_wins_more_often_where_less_can_hold() {
        let opening = Wdl::of(0, &Board::startpos());
        let rooks: Board = "4k2r/8/8/8/8/8/8/4K2R w - - 0 1".parse().expect("FEN");
        let endgame = Wdl::of(0, &rooks);
        assert!(endgame.draw > opening.draw + 200);
        assert_eq!(opening.win, opening.loss);
    }
}
