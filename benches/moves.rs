//! Generating, counting and making moves, static exchange, and perft, over a few positions of
//! different kinds.

use criterion::{criterion_group, criterion_main, BatchSize, Criterion, Throughput};
use kirin::{perft, Board, MoveFilter, MoveList};
use std::hint::black_box;

/// Opening, middle games, an ending, and positions in check and with promotions.
const POSITIONS: [&str; 6] = [
    Board::STARTPOS_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
];

fn boards() -> Vec<Board> {
    let board = |fen| Board::from_fen(fen).expect("a position of the bench");
    POSITIONS.into_iter().map(board).collect()
}

fn generate(c: &mut Criterion) {
    let boards = boards();
    let moves: u32 = boards.iter().map(Board::count_legal_moves).sum();
    let mut group = c.benchmark_group("generate");
    group.throughput(Throughput::Elements(moves.into()));
    for (name, filter) in [
        ("all", MoveFilter::All),
        ("noisy", MoveFilter::Noisy),
        ("quiet", MoveFilter::Quiet),
    ] {
        group.bench_function(name, |b| {
            let mut list = MoveList::new();
            b.iter(|| {
                let mut found = 0;
                for board in black_box(&boards) {
                    list.clear();
                    board.generate_moves(filter, &mut list);
                    found += list.len();
                }
                found
            });
        });
    }
    group.bench_function("count", |b| {
        b.iter(|| -> u32 {
            let boards = black_box(&boards).iter();
            boards.map(Board::count_legal_moves).sum()
        });
    });
    group.finish();
}

/// Every legal move of the positions, each on its own copy of the board.
fn make(c: &mut Criterion) {
    let boards: Vec<(Board, MoveList)> = boards()
        .into_iter()
        .map(|board| {
            let moves = board.legal_moves();
            (board, moves)
        })
        .collect();
    let count = boards.iter().map(|(_, moves)| moves.len() as u64).sum();
    let mut group = c.benchmark_group("move");
    group.throughput(Throughput::Elements(count));
    group.bench_function("make", |b| {
        b.iter(|| {
            for (board, moves) in black_box(&boards) {
                for &mv in moves {
                    let mut after = board.clone();
                    after.make_move(mv);
                    black_box(&after);
                }
            }
        });
    });
    group.bench_function("is_legal", |b| {
        b.iter(|| {
            for (board, moves) in black_box(&boards) {
                for &mv in moves {
                    black_box(board.is_legal(mv));
                }
            }
        });
    });
    group.bench_function("see_ge", |b| {
        b.iter(|| {
            for (board, moves) in black_box(&boards) {
                for &mv in moves {
                    black_box(board.see_ge(mv, 0));
                }
            }
        });
    });
    group.finish();
}

fn leaves(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    for (fen, depth) in POSITIONS.into_iter().zip([5, 4, 4, 6, 4, 4]) {
        let board = Board::from_fen(fen).expect("a position of the bench");
        group.throughput(Throughput::Elements(perft(&board, depth)));
        let placement = fen.split(' ').next().unwrap_or(fen).replace('/', "_");
        group.sample_size(10);
        group.bench_function(format!("{depth}/{placement}"), |b| {
            b.iter_batched(
                || board.clone(),
                |board| perft(&board, depth),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, generate, make, leaves);
criterion_main!(benches);
