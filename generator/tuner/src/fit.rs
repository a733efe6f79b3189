//! The fit: loss, gradient, Adam.

use crate::data::{Data, Position};
use crate::say;
use crate::weights::{File, Weight};
use kirin::eval::{DANGER_ENDGAME_DIVISOR, DANGER_SQUARE_DIVISOR};
use std::ops::Range;
use std::thread;

pub struct Settings {
    pub epochs: usize,
    pub threads: usize,
    /// Adam's step, in centipawns.
    pub rate: f32,
    /// How much of the target is the game's result.
    pub blend: f32,
    /// The steepness of the sigmoid for each centipawn, if it is not to be fitted.
    pub k: Option<f32>,
    /// The pull towards the first weights.
    pub anchor: f32,
    /// Other pulls for the groups whose names begin so; the last one that fits counts.
    pub anchors: Vec<(String, f32)>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            epochs: 300,
            threads: 2,
            rate: 0.5,
            blend: 0.6,
            k: None,
            anchor: 3e-9,
            anchors: Vec::new(),
        }
    }
}

/// The group that counts in the endgame only: its middlegame weights stay 0.
const ENDGAME_ONLY: &str = "COMPLEXITY";

/// Adam's usual constants.
pub const BETA1: f32 = 0.9;
pub const BETA2: f32 = 0.999;
pub const EPSILON: f32 = 1e-8;

/// The sum of some weights, for the middlegame and the endgame.
fn add_up(coefficients: &[(u16, i16)], weights: &[Weight]) -> [f32; 2] {
    let mut sum = [0.0; 2];
    for &(weight, count) in coefficients {
        let [middlegame, endgame] = weights[weight as usize];
        sum[0] += middlegame * f32::from(count);
        sum[1] += endgame * f32::from(count);
    }
    sum
}

/// A position's score in centipawns as white sees it, and how fast it changes with each of the
/// three sums, for the middlegame and the endgame.
struct Score {
    score: f32,
    slopes: [[f32; 2]; 3],
}

fn score(data: &Data, position: &Position, weights: &[Weight]) -> Score {
    let [plain, white, black] = data
        .coefficients(position)
        .map(|part| add_up(part, weights));
    let [mg, eg] = position.shares;
    let mut score = position.network + plain[0] * mg + plain[1] * eg;
    let mut slopes = [[mg, eg]; 3];
    for (side, sign, danger) in [(1, 1.0, white), (2, -1.0, black)] {
        let (square, line) = (danger[0].max(0.0), danger[1].max(0.0));
        let divisor = DANGER_SQUARE_DIVISOR as f32;
        score += sign * mg * square * square / divisor;
        slopes[side][0] = sign * mg * 2.0 * square / divisor;
        let part = sign * eg / DANGER_ENDGAME_DIVISOR as f32;
        score += part * line;
        slopes[side][1] = if danger[1] > 0.0 { part } else { 0.0 };
    }
    Score { score, slopes }
}

/// White's score in centipawns.
pub fn evaluate(data: &Data, position: &Position, weights: &[Weight]) -> f32 {
    score(data, position, weights).score
}

pub fn sigmoid(k: f32, score: f32) -> f32 {
    1.0 / (1.0 + (-k * score).exp())
}

struct Problem<'a> {
    data: &'a Data,
    k: f32,
    blend: f32,
}

impl Problem<'_> {
    fn target(&self, position: &Position) -> f32 {
        self.blend * position.result + (1.0 - self.blend) * sigmoid(self.k, position.score)
    }

    /// The sum of squared errors, and its gradient added to `gradient`.
    fn accumulate(&self, part: &[Position], weights: &[Weight], gradient: &mut [Weight]) -> f64 {
        let mut loss = 0.0;
        for position in part {
            let Score { score, slopes } = score(self.data, position, weights);
            let guess = sigmoid(self.k, score);
            let error = guess - self.target(position);
            loss += f64::from(error * error);
            let slope = 2.0 * error * guess * (1.0 - guess) * self.k;
            for (part, slopes) in self.data.coefficients(position).into_iter().zip(slopes) {
                let slopes = slopes.map(|part| slope * part);
                for &(weight, count) in part {
                    gradient[weight as usize][0] += slopes[0] * f32::from(count);
                    gradient[weight as usize][1] += slopes[1] * f32::from(count);
                }
            }
        }
        loss
    }

    fn loss(&self, part: &[Position], weights: &[Weight]) -> f64 {
        let sum: f64 = part
            .iter()
            .map(|position| {
                let guess = sigmoid(self.k, evaluate(self.data, position, weights));
                f64::from((guess - self.target(position)).powi(2))
            })
            .sum();
        sum / part.len().max(1) as f64
    }
}

/// The steepness of the sigmoid that fits the first weights to the results best.
fn fit_k(data: &Data, weights: &[Weight]) -> f32 {
    let loss = |k: f32| {
        Problem {
            data,
            k,
            blend: 1.0,
        }
        .loss(data.training(), weights)
    };
    let (mut low, mut high) = (0.001f32, 0.02f32);
    while high - low > 0.000_02 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if loss(a) < loss(b) {
            high = b;
        } else {
            low = a;
        }
    }
    (low + high) / 2.0
}

/// The groups of a file, each with the numbers of its weights.
fn group_ranges(file: &File) -> impl Iterator<Item = (&str, Range<usize>)> {
    file.groups.iter().enumerate().map(|(i, (name, start))| {
        let next = file.groups.get(i + 1);
        let end = next.map_or(file.weights.len(), |next| next.1);
        (name.as_str(), *start..end)
    })
}

/// The pull on each weight.
fn anchors(file: &File, settings: &Settings) -> Result<Vec<f32>, String> {
    let mut anchors = vec![settings.anchor; file.weights.len()];
    for (prefix, pull) in &settings.anchors {
        let mut found = false;
        for (name, range) in group_ranges(file) {
            if name.starts_with(prefix.as_str()) {
                anchors[range].fill(*pull);
                found = true;
            }
        }
        if !found {
            return Err(format!(
                "--anchor-of: no group's name begins with '{prefix}'"
            ));
        }
    }
    Ok(anchors)
}

/// The weights that fit the data best, beginning with those of the file.
///
/// # Errors
/// If an anchor is meant for a group that the file does not have.
pub fn fit(data: &Data, file: &File, settings: &Settings) -> Result<Vec<Weight>, String> {
    let first = &file.weights[..];
    let anchors = anchors(file, settings)?;
    let endgame_only = group_ranges(file)
        .find(|(name, _)| *name == ENDGAME_ONLY)
        .map_or(0..0, |(_, range)| range);
    let k = settings.k.unwrap_or_else(|| fit_k(data, first));
    let problem = Problem {
        data,
        k,
        blend: settings.blend,
    };
    say(format_args!("K = {k:.5} for each centipawn"));
    let report = |epoch: usize, weights: &[Weight]| {
        say(format_args!(
            "epoch {epoch}: loss {:.6}, held out {:.6}",
            problem.loss(data.training(), weights),
            problem.loss(data.held_out(), weights)
        ));
    };
    report(0, first);
    let mut weights = first.to_vec();
    let mut moments = vec![[[0.0f32; 2]; 2]; weights.len()];
    let size = data.training().len();
    let (mut decay1, mut decay2) = (1.0, 1.0);
    for epoch in 1..=settings.epochs {
        let gradient = gradient(&problem, &weights, settings.threads);
        decay1 *= BETA1;
        decay2 *= BETA2;
        for (i, weight) in weights.iter_mut().enumerate() {
            for half in usize::from(endgame_only.contains(&i))..2 {
                let pull = 2.0 * anchors[i] * (weight[half] - first[i][half]);
                let slope = gradient[i][half] / size as f32 + pull;
                let [mean, square] = &mut moments[i][half];
                *mean = BETA1 * *mean + (1.0 - BETA1) * slope;
                *square = BETA2 * *square + (1.0 - BETA2) * slope * slope;
                let step = (*mean / (1.0 - decay1)) / ((*square / (1.0 - decay2)).sqrt() + EPSILON);
                weight[half] -= settings.rate * step;
            }
        }
        if epoch % 50 == 0 || epoch == settings.epochs {
            report(epoch, &weights);
        }
    }
    Ok(weights)
}

/// The gradient over the training part, by several threads.
fn gradient(problem: &Problem<'_>, weights: &[Weight], threads: usize) -> Vec<Weight> {
    let training = problem.data.training();
    let parts = training.chunks(training.len().div_ceil(threads).max(1));
    let mut total = vec![[0.0; 2]; weights.len()];
    thread::scope(|scope| {
        let workers: Vec<_> = parts
            .map(|part| {
                scope.spawn(move || {
                    let mut gradient = vec![[0.0; 2]; weights.len()];
                    problem.accumulate(part, weights, &mut gradient);
                    gradient
                })
            })
            .collect();
        for worker in workers {
            // A worker that panicked has said why.
            let part = worker.join().expect("a worker of the tuner has panicked");
            for (sum, add) in total.iter_mut().zip(part) {
                sum[0] += add[0];
                sum[1] += add[1];
            }
        }
    });
    total
}
