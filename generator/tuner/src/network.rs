//! The network that corrects the evaluation: fitted by mini-batches and Adam (Kingma and Ba,
//! 2014) to what the terms leave of the target, and written as the generator reads it.

use crate::fit::{sigmoid, BETA1, BETA2, EPSILON};
use crate::lines::{self, File, Hash, Line};
use crate::say;
use kirin::eval::{evaluate_traced, network_bucket, Accumulator, Trace};
use kirin::eval::{
    NETWORK_BUCKETS as BUCKETS, NETWORK_CENTIPAWNS, NETWORK_FULL, NETWORK_OUTPUT_ONE,
    NETWORK_WIDTH as WIDTH,
};
use kirin::{Color, SplitMix};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::thread;

/// One's own pieces and the enemy's, of six kinds, on each square.
const INPUTS: usize = 2 * 6 * 64;
/// The most pieces there can be.
const PIECES: usize = 32;
/// Scores beyond this, in centipawns, say that the game is over and nothing of the position.
const MAX_SCORE: f32 = 3_000.0;
/// The sizes of float weights that the whole numbers of the engine have room for.
const MAX_WEIGHT: f32 = 1.98;
/// Steps in which the rate rises from nothing, and what is left of it at the end.
const WARM_UP: f32 = 200.0;
const LAST_RATE: f32 = 0.02;

/// A worker that did has said why.
const PANICKED: &str = "a worker of the tuner has panicked";

pub struct Settings {
    pub epochs: usize,
    pub threads: usize,
    /// Positions that each step looks at.
    pub batch: usize,
    /// Adam's step at its highest.
    pub rate: f32,
    /// By how much of its rate each step shrinks the weights.
    pub decay: f32,
    /// How much of the target is the game's result.
    pub blend: f32,
    /// The steepness of the sigmoid for each centipawn.
    pub k: f32,
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            epochs: 8,
            threads: 2,
            batch: 8_192,
            rate: 0.005,
            decay: 0.01,
            blend: 0.1,
            k: 0.006,
            seed: 1,
        }
    }
}

/// A position as the network sees it.
#[derive(Clone)]
struct Sample {
    pieces: usize,
    /// `[side to move, other side]`: which inputs there are.
    inputs: [[u16; PIECES]; 2],
    /// The evaluation without the network, the search's score, and the game's result, for the
    /// side to move.
    terms: f32,
    score: f32,
    result: f32,
}

/// Hears which inputs a position has, and what of its evaluation is the network's.
struct Inputs {
    side_to_move: Color,
    found: [Vec<u16>; 2],
    network: Option<i32>,
}

impl Trace for Inputs {
    fn add(&mut self, _: Color, _: usize, _: i32) {}
    fn danger(&mut self, _: Color, _: usize, _: i32) {}
    fn scale(&mut self, _: i32) {}

    fn input(&mut self, color: Color, input: usize) {
        self.found[usize::from(color != self.side_to_move)].push(input as u16);
    }

    fn network(&mut self, centipawns: i32) {
        self.network = Some(centipawns);
    }
}

/// `Ok(None)` where the network has no say: an ending known by heart, or a game that is over.
fn read_line(line: &str) -> Option<Option<Sample>> {
    let lines::Position {
        board,
        score,
        result,
    } = lines::parse(line)?;
    let mut heard = Inputs {
        side_to_move: board.side_to_move(),
        found: [Vec::new(), Vec::new()],
        network: None,
    };
    let evaluation = evaluate_traced(&board, &Accumulator::of(&board), &mut heard);
    let Some(network) = heard.network.filter(|_| score.abs() <= MAX_SCORE) else {
        return Some(None);
    };
    let (score, result) = match board.side_to_move() {
        Color::White => (score, result),
        Color::Black => (-score, 1.0 - result),
    };
    let mut inputs = [[0; PIECES]; 2];
    for (inputs, found) in inputs.iter_mut().zip(&heard.found) {
        inputs.get_mut(..found.len())?.copy_from_slice(found);
    }
    Some(Some(Sample {
        pieces: heard.found[0].len(),
        inputs,
        terms: (evaluation - network) as f32,
        score,
        result,
    }))
}

/// The samples to learn from, and those that are held out.
#[derive(Default)]
struct Data {
    training: Vec<Sample>,
    held_out: Vec<Sample>,
    hash: Hash,
}

fn read(paths: &[PathBuf], threads: usize) -> Result<Data, String> {
    let mut data = Data::default();
    for path in paths {
        let file = File::read(path, &mut data.hash)?;
        let lines: Vec<Line> = file.lines().collect();
        let part = lines.len().div_ceil(threads).max(1);
        let read = |lines: &[Line]| {
            let samples = lines.iter().filter_map(|&line| match read_line(line.text) {
                Some(sample) => sample.map(|sample| Ok((line.held_out, sample))),
                None => Some(Err(file.error(line))),
            });
            samples.collect::<Result<Vec<_>, String>>()
        };
        let parts: Vec<_> = thread::scope(|scope| {
            let workers: Vec<_> = lines
                .chunks(part)
                .map(|lines| scope.spawn(move || read(lines)))
                .collect();
            let results = workers.into_iter().map(|worker| worker.join());
            results.map(|part| part.expect(PANICKED)).collect()
        });
        for part in parts {
            for (held_out, sample) in part? {
                if held_out {
                    data.held_out.push(sample);
                } else {
                    data.training.push(sample);
                }
            }
        }
    }
    Ok(data)
}

/// The network in floating point; also its gradient, and what Adam remembers of that.
#[derive(Clone)]
struct Network {
    inputs: Vec<[f32; WIDTH]>,
    bias: [f32; WIDTH],
    outputs: [[[f32; WIDTH]; 2]; BUCKETS],
    output_bias: [f32; BUCKETS],
}

impl Network {
    fn zero() -> Network {
        Network {
            inputs: vec![[0.0; WIDTH]; INPUTS],
            bias: [0.0; WIDTH],
            outputs: [[[0.0; WIDTH]; 2]; BUCKETS],
            output_bias: [0.0; BUCKETS],
        }
    }

    /// Small random weights.
    fn random(seed: u64) -> Network {
        let mut random = SplitMix::new(seed);
        let mut draw = |most: f32| {
            let part = (random.next_u64() >> 40) as f32 / (1_u64 << 24) as f32;
            most * (2.0 * part - 1.0)
        };
        let mut network = Network::zero();
        let most = (PIECES as f32).sqrt().recip();
        network
            .inputs
            .as_flattened_mut()
            .iter_mut()
            .for_each(|weight| *weight = draw(most));
        network
            .bias
            .iter_mut()
            .for_each(|weight| *weight = 0.2 + draw(0.2));
        let most = (2.0 * WIDTH as f32).sqrt().recip();
        for side in 0..2 {
            for unit in 0..WIDTH {
                let weight = draw(most);
                network
                    .outputs
                    .iter_mut()
                    .for_each(|outputs| outputs[side][unit] = weight);
            }
        }
        network
    }

    /// All weights, part by part.
    fn parts(&mut self) -> [&mut [f32]; 4] {
        [
            self.inputs.as_flattened_mut(),
            &mut self.bias,
            self.outputs.as_flattened_mut().as_flattened_mut(),
            &mut self.output_bias,
        ]
    }

    fn clear(&mut self) {
        for part in self.parts() {
            part.fill(0.0);
        }
    }

    /// The output for a position; the hidden units are left in `hidden`.
    #[inline]
    fn output(&self, sample: &Sample, hidden: &mut [[f32; WIDTH]; 2]) -> f32 {
        let bucket = network_bucket(sample.pieces);
        let mut output = self.output_bias[bucket];
        for side in 0..2 {
            let hidden = &mut hidden[side];
            *hidden = self.bias;
            for &input in &sample.inputs[side][..sample.pieces] {
                for (sum, weight) in hidden.iter_mut().zip(&self.inputs[input as usize]) {
                    *sum += weight;
                }
            }
            let mut products = [0.0; WIDTH];
            for unit in 0..WIDTH {
                let value = hidden[unit].clamp(0.0, 1.0);
                products[unit] = value * value * self.outputs[bucket][side][unit];
            }
            output += products.iter().sum::<f32>();
        }
        output
    }

    /// Adds to this gradient what an output that is too high by `slope` asks of `network`.
    #[inline]
    fn blame(
        &mut self,
        network: &Network,
        sample: &Sample,
        hidden: &[[f32; WIDTH]; 2],
        slope: f32,
    ) {
        let bucket = network_bucket(sample.pieces);
        self.output_bias[bucket] += slope;
        for (side, hidden) in hidden.iter().enumerate() {
            let mut slopes = [0.0; WIDTH];
            for unit in 0..WIDTH {
                let value = hidden[unit].clamp(0.0, 1.0);
                self.outputs[bucket][side][unit] += slope * value * value;
                // Where it is clipped it does not move.
                let moves = if value == hidden[unit] {
                    2.0 * value
                } else {
                    0.0
                };
                slopes[unit] = slope * network.outputs[bucket][side][unit] * moves;
            }
            for (sum, slope) in self.bias.iter_mut().zip(&slopes) {
                *sum += slope;
            }
            for &input in &sample.inputs[side][..sample.pieces] {
                for (sum, slope) in self.inputs[input as usize].iter_mut().zip(&slopes) {
                    *sum += slope;
                }
            }
        }
    }

    /// The text that the generator reads.
    fn text(&mut self) -> String {
        let names = ["INPUTS", "BIAS", "OUTPUTS", "OUTPUT_BIAS"];
        let mut text = String::from(
            "# The network that corrects the evaluation, as `kirin-tuner network` has fitted it.\n\
             # In whole numbers, as the tables hold them: see generator/src/network.rs.\n",
        );
        for ((part, unit), name) in self.parts().into_iter().zip(units()).zip(names) {
            let _ = writeln!(text, "[{name}]");
            for row in part.chunks(WIDTH) {
                let words: Vec<String> = row
                    .iter()
                    .map(|weight| ((weight * unit).round() as i32).to_string())
                    .collect();
                let _ = writeln!(text, "{}", words.join(" "));
            }
        }
        text
    }
}

/// What a weight of 1 is in the whole numbers of the engine, part by part.
fn units() -> [f32; 4] {
    let full = f32::from(NETWORK_FULL);
    let output_one = NETWORK_OUTPUT_ONE as f32;
    [full, full, output_one, full * output_one]
}

/// The error of one position, and how fast the squared error grows with the network's output.
fn error(settings: &Settings, sample: &Sample, output: f32) -> (f32, f32) {
    let slope = settings.k * NETWORK_CENTIPAWNS as f32;
    let guess = sigmoid(1.0, settings.k * sample.terms + slope * output);
    let target =
        settings.blend * sample.result + (1.0 - settings.blend) * sigmoid(settings.k, sample.score);
    let error = guess - target;
    (error, 2.0 * error * guess * (1.0 - guess) * slope)
}

/// Adds the gradients of the samples up; returns the sum of squared errors.
fn accumulate(
    settings: &Settings,
    network: &Network,
    samples: &[Sample],
    gradient: &mut Network,
) -> f64 {
    let mut hidden = [[0.0; WIDTH]; 2];
    let mut loss = 0.0;
    for sample in samples {
        let output = network.output(sample, &mut hidden);
        let (error, slope) = error(settings, sample, output);
        loss += f64::from(error * error);
        gradient.blame(network, sample, &hidden, slope);
    }
    loss
}

/// The mean squared error.
fn loss(settings: &Settings, network: &Network, samples: &[Sample]) -> f64 {
    let mut hidden = [[0.0; WIDTH]; 2];
    let errors = samples.iter().map(|sample| {
        let (error, _) = error(settings, sample, network.output(sample, &mut hidden));
        f64::from(error * error)
    });
    errors.sum::<f64>() / samples.len().max(1) as f64
}

/// Adam, with decay apart from the gradient (Loshchilov and Hutter, 2017).
struct Adam {
    means: Network,
    squares: Network,
    steps: i32,
}

impl Adam {
    fn step(&mut self, network: &mut Network, gradient: &mut Network, rate: f32, decay: f32) {
        self.steps += 1;
        let mean_part = 1.0 - BETA1.powi(self.steps);
        let square_part = 1.0 - BETA2.powi(self.steps);
        let parts = network.parts().into_iter().zip(gradient.parts());
        let moments = self.means.parts().into_iter().zip(self.squares.parts());
        for ((weights, slopes), (means, squares)) in parts.zip(moments) {
            let moments = means.iter_mut().zip(squares);
            for ((weight, slope), (mean, square)) in weights.iter_mut().zip(slopes).zip(moments) {
                *mean = BETA1 * *mean + (1.0 - BETA1) * *slope;
                *square = BETA2 * *square + (1.0 - BETA2) * *slope * *slope;
                let step = *mean / mean_part / ((*square / square_part).sqrt() + EPSILON);
                *weight -= rate * (step + decay * *weight);
                *weight = weight.clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
    }
}

/// Fits a network to the files and returns its text.
///
/// # Errors
/// If a file cannot be read or is not data.
pub fn fit(paths: &[PathBuf], settings: &Settings) -> Result<String, String> {
    let Data {
        mut training,
        held_out,
        hash: Hash(hash),
    } = read(paths, settings.threads)?;
    say(format_args!(
        "{} positions ({} held out), hash {hash:016x}, {} weights",
        training.len() + held_out.len(),
        held_out.len(),
        (INPUTS + 1 + 2 * BUCKETS) * WIDTH + BUCKETS
    ));
    say(format_args!(
        "without a network: held out {:.6}",
        loss(settings, &Network::zero(), &held_out)
    ));
    let mut random = SplitMix::new(settings.seed);
    let mut network = Network::random(random.next_u64());
    let mut adam = Adam {
        means: Network::zero(),
        squares: Network::zero(),
        steps: 0,
    };
    let batch = settings.batch.min(training.len()).max(1);
    let steps = (training.len() / batch * settings.epochs) as f32;
    let part = batch.div_ceil(settings.threads);
    let mut gradients = vec![Network::zero(); settings.threads];
    for epoch in 1..=settings.epochs {
        for last in (1..training.len()).rev() {
            training.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
        }
        let mut sum = 0.0;
        for batch in training.chunks_exact(batch) {
            thread::scope(|scope| {
                let workers: Vec<_> = batch
                    .chunks(part)
                    .zip(&mut gradients)
                    .map(|(samples, gradient)| {
                        let network = &network;
                        scope.spawn(move || {
                            gradient.clear();
                            accumulate(settings, network, samples, gradient)
                        })
                    })
                    .collect();
                for worker in workers {
                    sum += worker.join().expect(PANICKED);
                }
            });
            let (gradient, others) = gradients.split_at_mut(1);
            let gradient = &mut gradient[0];
            for (number, weights) in gradient.parts().into_iter().enumerate() {
                for other in &mut *others {
                    for (sum, add) in weights.iter_mut().zip(&*other.parts()[number]) {
                        *sum += add;
                    }
                }
                weights
                    .iter_mut()
                    .for_each(|weight| *weight /= batch.len() as f32);
            }
            let done = (adam.steps + 1) as f32;
            let cosine = 0.5 * (1.0 + (std::f32::consts::PI * done / steps).cos());
            let rate = settings.rate * (LAST_RATE + (1.0 - LAST_RATE) * cosine);
            adam.step(
                &mut network,
                gradient,
                rate * (done / WARM_UP).min(1.0),
                settings.decay,
            );
        }
        let seen = (training.len() / batch * batch).max(1);
        say(format_args!(
            "epoch {epoch}: loss {:.6}, held out {:.6}",
            sum / seen as f64,
            loss(settings, &network, &held_out)
        ));
    }
    Ok(network.text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kirin::Board;

    const FENS: [&str; 4] = [
        Board::STARTPOS_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    ];

    /// A network from its text, for comparison.
    fn parse(text: &str) -> Network {
        let mut network = Network::zero();
        let mut numbers = text
            .lines()
            .filter(|line| !line.starts_with(['#', '[']))
            .flat_map(str::split_whitespace)
            .map(|word| word.parse::<f32>().expect("a number"));
        for (part, unit) in network.parts().into_iter().zip(units()) {
            for weight in part {
                *weight = numbers.next().expect("as many as there are weights") / unit;
            }
        }
        assert_eq!(numbers.next(), None);
        network
    }

    /// What is fitted here is what the engine evaluates, to the rounding of a centipawn or two.
    #[test]
    fn the_output_is_what_the_engine_adds() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/network.txt");
        let text = std::fs::read_to_string(path).expect("the committed file");
        let mut network = parse(&text);
        let body = |text: &str| text[text.find('[').expect("a group")..].to_string();
        assert_eq!(body(&network.text()), body(&text));
        let mut hidden = [[0.0; WIDTH]; 2];
        let mut spoke = false;
        for fen in FENS {
            let sample = read_line(&format!("{fen};0;0.5"))
                .flatten()
                .expect("a sample");
            let board: Board = fen.parse().expect("FEN");
            let engine = kirin::eval::evaluate(&board) as f32 - sample.terms;
            let output = network.output(&sample, &mut hidden) * NETWORK_CENTIPAWNS as f32;
            assert!((engine - output).abs() < 2.0, "{fen}: {engine} {output}");
            spoke |= engine != 0.0;
        }
        assert!(spoke);
    }

    /// The slopes that the fit follows are those of the squared error.
    #[test]
    fn gradients_are_those_of_the_loss() {
        let settings = Settings::default();
        let sample = read_line(&format!("{};150;1", FENS[1]))
            .flatten()
            .expect("a sample");
        let samples = [sample];
        let mut network = Network::random(7);
        let mut gradient = Network::zero();
        accumulate(&settings, &network, &samples, &mut gradient);
        let mut compared = 0;
        for part in 0..4 {
            let slopes = gradient.parts()[part].to_vec();
            for (weight, slope) in slopes.into_iter().enumerate() {
                if slope == 0.0 || weight % 7 != 0 {
                    continue;
                }
                let mut at = |change: f32| {
                    let weights = &mut network.parts()[part][weight];
                    let before = *weights;
                    *weights = before + change;
                    let value = loss(&settings, &network, &samples);
                    network.parts()[part][weight] = before;
                    value
                };
                let step = 1e-3;
                let measured = (at(step) - at(-step)) / f64::from(2.0 * step);
                let slope = f64::from(slope);
                let most = 0.05 * slope.abs() + 2e-4;
                assert!(
                    (measured - slope).abs() < most,
                    "{part} {weight}: {measured} {slope}"
                );
                compared += 1;
            }
        }
        assert!(compared > 20, "{compared}");
    }

    #[test]
    fn endings_that_are_known_and_games_that_are_over_are_passed_over() {
        assert!(matches!(
            read_line("8/8/8/8/P5k1/8/8/7K w - - 0 1;500;1"),
            Some(None)
        ));
        let line = |score: i32| format!("{};{score};1", FENS[2]);
        assert!(matches!(read_line(&line(3_000)), Some(Some(_))));
        assert!(matches!(read_line(&line(3_001)), Some(None)));
        assert!(read_line("8/8/8/8/P5k1/8/8/7K w - - 0 1;x;1").is_none());
    }
}
