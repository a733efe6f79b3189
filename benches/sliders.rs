//! Slider look-ups of every layout and backend that the target can run, side by side; those that
//! need instructions beyond the target's baseline come with
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo bench --bench sliders
//! ```
//!
//! Occupancies are random in `scattered`, so that the look-ups find their slots all over the
//! table: that is the hard case. In `near` each board differs from the one before it by a move,
//! as in a search, where the same few slots come again and again.

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use kirin_backends::{for_each, Sliders, Visitor};
use std::hint::black_box;

/// Look-ups in one round.
const COUNT: usize = 4_096;

type Questions = Vec<(usize, u64)>;

/// A fixed stream of numbers (xorshift64).
fn stream() -> impl FnMut() -> u64 {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Squares and occupancies that have nothing to do with each other, about a quarter of the
/// squares taken.
fn scattered() -> Questions {
    let mut next = stream();
    (0..COUNT)
        .map(|_| ((next() >> 32) as usize % 64, next() & next()))
        .collect()
}

/// Squares at random, and boards that change by one piece, from where it stood to elsewhere.
fn near() -> Questions {
    let mut next = stream();
    let mut occupied = next() & next();
    (0..COUNT)
        .map(|_| {
            let from = 1_u64 << (next() >> 58);
            let to = 1_u64 << (next() >> 58);
            if occupied & from != 0 && occupied & to == 0 {
                occupied ^= from | to;
            }
            ((next() >> 32) as usize % 64, occupied)
        })
        .collect()
}

struct Bench<'a> {
    criterion: &'a mut Criterion,
    questions: [(&'static str, Questions); 2],
}

/// Look-ups that do not wait for one another, as in move generation.
#[inline]
fn independent(questions: &Questions, look_up: impl Fn(usize, u64) -> u64) -> u64 {
    let questions = black_box(questions).iter();
    questions.fold(0, |sum, &(square, occupied)| {
        sum ^ look_up(square & 63, occupied)
    })
}

impl Visitor for Bench<'_> {
    fn visit<S: Sliders>(&mut self) {
        let mut group = self
            .criterion
            .benchmark_group(format!("sliders/{}", S::NAME));
        group.throughput(Throughput::Elements(COUNT as u64));
        for (kind, questions) in &self.questions {
            group.bench_function(format!("queen/{kind}"), |b| {
                b.iter(|| independent(questions, S::queen));
            });
        }
        let [(_, questions), _] = &self.questions;
        group.bench_function("bishop/scattered", |b| {
            b.iter(|| independent(questions, S::bishop));
        });
        group.bench_function("rook/scattered", |b| {
            b.iter(|| independent(questions, S::rook));
        });
        // Each look-up needs the answer of the one before it.
        group.bench_function("queen/dependent", |b| {
            b.iter(|| {
                let questions = black_box(questions).iter();
                questions.fold(0, |last, &(square, occupied)| {
                    S::queen(square & 63, occupied ^ last)
                })
            });
        });
        group.finish();
    }
}

fn look_ups(criterion: &mut Criterion) {
    let questions = [("scattered", scattered()), ("near", near())];
    for_each(&mut Bench {
        criterion,
        questions,
    });
}

criterion_group!(benches, look_ups);
criterion_main!(benches);
