//! Slider look-ups with the layout of this build; for another one:
//!
//! ```text
//! KIRIN_LAYOUT=plain cargo bench --bench sliders
//! ```
//!
//! The occupancies are random, so that the look-ups find their slots all over the table: that is
//! the hard case. In a search the same few slots come again and again, and `perft` in
//! `benches/moves.rs` shows more of that.

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use kirin::{attacks, generated, Bitboard, Square};
use std::hint::black_box;

type LookUp = fn(Square, Bitboard) -> Bitboard;

/// Look-ups in one round.
const COUNT: usize = 4_096;

/// Squares and occupancies of a fixed stream (xorshift64), about a quarter of the squares taken.
fn questions() -> Vec<(Square, Bitboard)> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..COUNT)
        .map(|_| {
            let square = Square::ALL[(next() >> 32) as usize % 64];
            (square, Bitboard(next() & next()))
        })
        .collect()
}

fn look_ups(c: &mut Criterion) {
    let questions = questions();
    let mut group = c.benchmark_group(format!("sliders/{}", generated::LAYOUT));
    group.throughput(Throughput::Elements(COUNT as u64));
    let pieces: [(&str, LookUp); 3] = [
        ("bishop", |square, occupied| {
            attacks::bishop_attacks(square, occupied)
        }),
        ("rook", |square, occupied| {
            attacks::rook_attacks(square, occupied)
        }),
        ("queen", |square, occupied| {
            attacks::queen_attacks(square, occupied)
        }),
    ];
    for (name, look_up) in pieces {
        // Look-ups that do not wait for one another, as in move generation.
        group.bench_function(format!("{name}/independent"), |b| {
            b.iter(|| {
                let questions = black_box(&questions).iter();
                questions.fold(Bitboard::EMPTY, |sum, &(square, occupied)| {
                    sum ^ look_up(square, occupied)
                })
            });
        });
        // Each look-up needs the answer of the one before it.
        group.bench_function(format!("{name}/dependent"), |b| {
            b.iter(|| {
                let questions = black_box(&questions).iter();
                questions.fold(Bitboard::EMPTY, |last, &(square, occupied)| {
                    look_up(square, occupied ^ last)
                })
            });
        });
    }
    group.finish();
}

criterion_group!(benches, look_ups);
criterion_main!(benches);
