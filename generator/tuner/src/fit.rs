//! The fit: loss, gradient, Adam.

use crate::data::{Data, Position};
use crate::weights::Weight;
use std::thread;

pub struct Settings {
    pub epochs: usize,
    pub threads: usize,
    /// Adam's step, in centipawns.
    pub rate: f32,
    /// How much of the target is the game's result.
    pub blend: f32,
    /// The pull towards the first weights.
    pub anchor: f32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            epochs: 300,
            threads: 2,
            rate: 0.5,
            blend: 0.6,
            anchor: 1e-7,
        }
    }
}

/// Adam's usual constants.
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// White's score in centipawns.
pub fn evaluate(data: &Data, position: &Position, weights: &[Weight]) -> f32 {
    let mut sum = [0.0; 2];
    for &(weight, count) in data.coefficients(position) {
        let [middlegame, endgame] = weights[weight as usize];
        sum[0] += middlegame * f32::from(count);
        sum[1] += endgame * f32::from(count);
    }
    sum[0] * position.shares[0] + sum[1] * position.shares[1]
}

fn sigmoid(k: f32, score: f32) -> f32 {
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
            let guess = sigmoid(self.k, evaluate(self.data, position, weights));
            let error = guess - self.target(position);
            loss += f64::from(error * error);
            let slope = 2.0 * error * guess * (1.0 - guess) * self.k;
            let slopes = [slope * position.shares[0], slope * position.shares[1]];
            for &(weight, count) in self.data.coefficients(position) {
                gradient[weight as usize][0] += slopes[0] * f32::from(count);
                gradient[weight as usize][1] += slopes[1] * f32::from(count);
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

/// The weights that fit the data best, beginning with `first`.
pub fn fit(data: &Data, first: &[Weight], settings: &Settings) -> Vec<Weight> {
    let k = fit_k(data, first);
    let problem = Problem {
        data,
        k,
        blend: settings.blend,
    };
    println!("K = {k:.5} for each centipawn");
    let report = |epoch: usize, weights: &[Weight]| {
        println!(
            "epoch {epoch}: loss {:.6}, held out {:.6}",
            problem.loss(data.training(), weights),
            problem.loss(data.held_out(), weights)
        );
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
            for half in 0..2 {
                let pull = 2.0 * settings.anchor * (weight[half] - first[i][half]);
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
    weights
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
