//! The positions, each reduced to the weights that its evaluation adds.

use crate::lines::{self, File, Hash};
use kirin::eval::{evaluate_traced, Accumulator, Trace, FULL_PHASE};
use kirin::Color;
use std::path::PathBuf;

/// A position as the tuner sees it.
pub struct Position {
    /// Where its coefficients begin in [`Data::coefficients`], those of the danger that white
    /// makes, those of black's, and where they end.
    bounds: [usize; 4],
    /// How much the middlegame weights count, and the endgame ones with their scale.
    pub shares: [f32; 2],
    /// What the network adds, as white sees it.
    pub network: f32,
    /// The search's score and the game's result, as white sees them.
    pub score: f32,
    pub result: f32,
}

pub struct Data {
    pub positions: Vec<Position>,
    /// Weight and count, white's less black's.
    coefficients: Vec<(u16, i16)>,
    training: usize,
    pub hash: Hash,
}

/// What of one evaluation adds up to one number.
struct Sum {
    counts: Vec<i16>,
    touched: Vec<u16>,
}

impl Sum {
    fn new(weights: usize) -> Sum {
        Sum {
            counts: vec![0; weights],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, weight: usize, count: i32) {
        if count != 0 {
            self.counts[weight] += count as i16;
            self.touched.push(weight as u16);
        }
    }

    fn take(&mut self, coefficients: &mut Vec<(u16, i16)>) {
        self.touched.sort_unstable();
        self.touched.dedup();
        for weight in self.touched.drain(..) {
            let count = std::mem::take(&mut self.counts[weight as usize]);
            if count != 0 {
                coefficients.push((weight, count));
            }
        }
    }
}

/// Adds up the counts of one evaluation: its plain sum, white's less black's, and the dangers
/// that white and black make.
struct Counts {
    sums: [Sum; 3],
    scale: i32,
    /// For the side to move.
    network: i32,
}

impl Counts {
    fn new(weights: usize) -> Counts {
        Counts {
            sums: [(); 3].map(|()| Sum::new(weights)),
            scale: 0,
            network: 0,
        }
    }
}

impl Trace for Counts {
    fn add(&mut self, color: Color, weight: usize, count: i32) {
        let count = if color == Color::White { count } else { -count };
        self.sums[0].add(weight, count);
    }

    fn danger(&mut self, color: Color, weight: usize, count: i32) {
        self.sums[1 + color as usize].add(weight, count);
    }

    fn scale(&mut self, scale: i32) {
        self.scale = scale;
    }

    fn input(&mut self, _: Color, _: usize) {}

    fn network(&mut self, centipawns: i32) {
        self.network = centipawns;
    }
}

impl Data {
    /// Every `shard.1`th position of the files, from number `shard.0` on.
    pub fn read(paths: &[PathBuf], weights: usize, shard: (usize, usize)) -> Result<Data, String> {
        let mut data = Data {
            positions: Vec::new(),
            coefficients: Vec::new(),
            training: 0,
            hash: Hash::default(),
        };
        let mut held_out = Vec::new();
        let mut counts = Counts::new(weights);
        for path in paths {
            let file = File::read(path, &mut data.hash)?;
            for line in file.lines() {
                if line.number % shard.1 != shard.0 {
                    continue;
                }
                let position = data
                    .reduce(line.text, &mut counts)
                    .ok_or_else(|| file.error(line))?;
                // An ending that is known by heart has no weights to learn.
                if position.bounds[0] == position.bounds[3] {
                    continue;
                }
                if line.held_out {
                    held_out.push(position);
                } else {
                    data.positions.push(position);
                }
            }
        }
        data.training = data.positions.len();
        data.positions.append(&mut held_out);
        Ok(data)
    }

    fn reduce(&mut self, line: &str, counts: &mut Counts) -> Option<Position> {
        let lines::Position {
            board,
            score,
            result,
        } = lines::parse(line)?;
        let accumulator = Accumulator::of(&board);
        evaluate_traced(&board, &accumulator, counts);
        let mut bounds = [self.coefficients.len(); 4];
        for (sum, bound) in counts.sums.iter_mut().zip(&mut bounds[1..]) {
            sum.take(&mut self.coefficients);
            *bound = self.coefficients.len();
        }
        let phase = accumulator.phase().min(FULL_PHASE) as f32 / FULL_PHASE as f32;
        let scale = counts.scale as f32 / 64.0;
        Some(Position {
            bounds,
            shares: [phase, (1.0 - phase) * scale],
            network: match board.side_to_move() {
                Color::White => counts.network as f32,
                Color::Black => -counts.network as f32,
            },
            score,
            result,
        })
    }

    /// Of the plain sum, and of the dangers that white and black make.
    pub fn coefficients(&self, position: &Position) -> [&[(u16, i16)]; 3] {
        let [a, b, c, d] = position.bounds;
        [a..b, b..c, c..d].map(|range| &self.coefficients[range])
    }

    pub fn training(&self) -> &[Position] {
        &self.positions[..self.training]
    }

    pub fn held_out(&self) -> &[Position] {
        &self.positions[self.training..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::File;
    use kirin::Board;

    /// What the tuner adds up is what the engine evaluates, to the rounding of one centipawn.
    #[test]
    fn the_sum_of_the_weights_is_the_evaluation() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/evaluation.txt");
        let file = File::read(path.as_ref()).unwrap();
        let weights = &file.weights;
        let mut counts = Counts::new(weights.len());
        for fen in [
            Board::STARTPOS_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
        ] {
            let board: Board = fen.parse().unwrap();
            let mut data = Data {
                positions: Vec::new(),
                coefficients: Vec::new(),
                training: 0,
                hash: Hash::default(),
            };
            let position = data.reduce(&format!("{fen};0;0.5"), &mut counts).unwrap();
            let sum = crate::fit::evaluate(&data, &position, weights);
            let engine = kirin::eval::evaluate(&board);
            let engine = if board.side_to_move() == Color::White {
                engine
            } else {
                -engine
            };
            assert!((sum - engine as f32).abs() < 1.5, "{fen}: {sum} {engine}");
        }
    }
}
