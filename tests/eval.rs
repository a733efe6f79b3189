//! The evaluation knows neither colours nor wings.

mod common;

use common::Rng;
use kirin::eval::{evaluate, evaluate_with, Accumulator, NetworkStack, PawnCache};
use kirin::{Board, Move};
use std::path::Path;

/// The FENs of the perft suites.
fn positions() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/perft");
    let mut fens = Vec::new();
    for file in std::fs::read_dir(folder).expect("the suites") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("readable");
        for line in text.lines() {
            let fen = line.split(';').next().unwrap_or_default().trim();
            if fen.parse::<Board>().is_ok() {
                fens.push(fen.to_string());
            }
        }
    }
    assert!(fens.len() > 200, "{}", fens.len());
    fens
}

/// The same position with the wings exchanged; for positions without castling.
fn with_other_wings(fen: &str) -> Option<String> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let ranks: Vec<String> = fields[0]
        .split('/')
        .map(|rank| rank.chars().rev().collect())
        .collect();
    let plain = fields[2] == "-" && fields[3] == "-";
    plain.then(|| format!("{} {} - - 0 1", ranks.join("/"), fields[1]))
}

fn board(fen: &str) -> Board {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn score(fen: &str) -> i32 {
    evaluate(&board(fen))
}

#[test]
fn colours_are_alike() {
    for fen in positions() {
        assert_eq!(score(&fen), evaluate(&board(&fen).flipped()), "{fen}");
    }
}

/// The terms for the side that is ahead belong to nobody where the endgame is level to the point.
#[test]
fn a_level_endgame_is_level_for_both_colours() {
    let fen = "8/8/2p2p2/1p2k3/1P4P1/4K3/2P5/8 w - - 0 41";
    assert_eq!(score(fen), evaluate(&board(fen).flipped()));
}

#[test]
fn wings_are_alike() {
    let mut tried = 0;
    for fen in positions() {
        if let Some(mirrored) = with_other_wings(&fen) {
            assert_eq!(score(&fen), score(&mirrored), "{fen}");
            tried += 1;
        }
    }
    assert!(tried > 50, "{tried}");
}

/// What a cache and a stack remember of other positions changes nothing.
#[test]
fn the_cache_changes_nothing() {
    let mut cache = Box::new(PawnCache::new());
    let mut network = Box::new(NetworkStack::new());
    for _ in 0..2 {
        for fen in positions() {
            let board: Board = fen.parse().expect("tried before");
            for &mv in &board.legal_moves() {
                let mut after = board.clone();
                after.make_move(mv);
                network.enter(0);
                let accumulator = Accumulator::of(&after);
                let cached = evaluate_with(&after, &accumulator, &mut network, 0, &mut cache);
                assert_eq!(cached, evaluate(&after), "{fen} {mv}");
            }
        }
    }
}

/// However the line goes on and back, and whichever of its nodes are evaluated, what follows the
/// moves evaluates as what looks at the board anew.
#[test]
fn following_the_moves_changes_nothing() {
    let mut cache = Box::new(PawnCache::new());
    let mut network = Box::new(NetworkStack::new());
    let mut rng = Rng::new(5);
    let (mut evaluated, mut castlings, mut promotions) = (0, 0, 0);
    for fen in positions() {
        let board = board(&fen);
        network.enter(0);
        let mut line = vec![(board.clone(), Accumulator::of(&board))];
        for _ in 0..120 {
            let (board, accumulator) = line.last().expect("the root stays").clone();
            let ply = line.len() - 1;
            if rng.below(3) == 0 {
                let followed = evaluate_with(&board, &accumulator, &mut network, ply, &mut cache);
                assert_eq!(followed, evaluate(&board), "{fen}, ply {ply}: {board}");
                evaluated += 1;
            }
            let moves = board.legal_moves();
            let back = rng.below(8);
            if moves.is_empty() || ply >= 60 || back == 0 {
                line.truncate(1 + rng.below(ply + 1));
                continue;
            }
            let (mut board, mut accumulator) = (board, accumulator);
            let node = network.enter(ply + 1);
            if back == 1 && !board.in_check() {
                board.make_null_move();
            } else {
                let rare = |mv: &Move| mv.is_castling() || mv.is_promotion();
                let mv = moves.iter().copied().find(rare);
                let mv = mv.unwrap_or_else(|| rng.pick(&moves));
                castlings += usize::from(mv.is_castling());
                promotions += usize::from(mv.is_promotion());
                board.make_move_observed(mv, &mut (&mut accumulator, node));
                accumulator.settle(&board);
            }
            line.push((board, accumulator));
        }
    }
    assert!(evaluated > 5_000, "{evaluated}");
    assert!(castlings > 100, "{castlings}");
    assert!(promotions > 100, "{promotions}");
}

/// King and pawn against king is known, whichever side has the pawn and whichever wing it is on.
#[test]
fn king_and_pawn_is_known() {
    for (fen, won) in [
        ("3k4/8/3K4/3P4/8/8/8/8 w - - 0 1", true),
        ("8/3k4/8/3K4/3P4/8/8/8 w - - 0 1", false),
        ("8/3k4/8/3K4/3P4/8/8/8 b - - 0 1", true),
        ("k7/8/1K6/P7/8/8/8/8 w - - 0 1", false),
        ("8/8/8/8/P5k1/8/8/7K w - - 0 1", true),
    ] {
        for fen in [fen.to_string(), with_other_wings(fen).expect("no castling")] {
            let board = board(&fen);
            for board in [board.flipped(), board] {
                let score = evaluate(&board);
                assert_eq!(score.abs() > 400, won, "{board}: {score}");
                assert_eq!(score == 0, !won, "{board}: {score}");
            }
        }
    }
}
