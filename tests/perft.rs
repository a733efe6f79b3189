//! Leaf counts of the standard-chess perft suites, quickly in every run and deeply on request:
//!
//! ```text
//! cargo test --release --test perft -- --ignored
//! ```
//!
//! The suites hold positions that no game reaches. Those that [`Board::from_fen`] accepts are
//! counted like the rest; [`REFUSED`] lists the others, each with the reason.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use common::{PerftLine, PERFT_SUITES};
use kirin::{
    perft, perft_divide, perft_hashed, Board, CastlingSide, Color, Move, MoveFilter, MoveList,
    ParseFenError, PerftCluster, PerftTable, PositionError,
};

/// The most leaves of a count that every test run repeats.
const QUICK_LEAVES: u64 = 3_000_000;
/// The most leaves of a count that is ever repeated.
const DEEP_LEAVES: u64 = 1_000_000_000;

/// The suites' positions that are refused. Our policy is to refuse what no move can have led to
/// in its last step (checks, en passant), what breaks the bound on the length of the move list
/// (material), and castling rights without their pieces.
const REFUSED: [(&str, PositionError); 9] = [
    // Two sliders give check along one line.
    (
        "3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1",
        PositionError::ImpossibleCheck,
    ),
    (
        "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1",
        PositionError::ImpossibleCheck,
    ),
    (
        "5R2/2P5/8/4k3/8/3rK2r/8/8 w - - 0 1",
        PositionError::ImpossibleCheck,
    ),
    (
        "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1",
        PositionError::ImpossibleCheck,
    ),
    // The check was there before the double push.
    (
        "1b1k4/8/8/1rPpK3/8/8/8/8 w - d6 0 1",
        PositionError::ImpossibleCheck,
    ),
    (
        "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
        PositionError::ImpossibleCheck,
    ),
    (
        "rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1",
        PositionError::ImpossibleCheck,
    ),
    (
        "2b5/1nbn4/n3n3/1kn5/n3n3/1n1n4/5RQ1/2KQ1R2 w K - 0 1",
        PositionError::BadCastling(Color::White, CastlingSide::King),
    ),
    (
        "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
        PositionError::TooManyPieces(Color::White),
    ),
];

fn all_lines() -> impl Iterator<Item = PerftLine> {
    PERFT_SUITES
        .iter()
        .flat_map(|(_, suite)| common::perft_lines(suite))
}

fn accepted() -> BTreeMap<&'static str, Board> {
    let refused: HashSet<&str> = REFUSED.iter().map(|&(fen, _)| fen).collect();
    all_lines()
        .filter(|line| !refused.contains(line.fen))
        .map(|line| (line.fen, common::board(line.fen)))
        .collect()
}

/// `(FEN, depth)` to leaves, each once: the suites have many positions in common.
fn counts() -> BTreeMap<(&'static str, u32), u64> {
    let mut counts = BTreeMap::new();
    for line in all_lines() {
        for (depth, leaves) in line.counts {
            let before = counts.insert((line.fen, depth), leaves);
            assert!(before.is_none_or(|before| before == leaves), "{}", line.fen);
        }
    }
    counts
}

/// Repeats the counts with up to `most` leaves through one table of so many clusters; says how
/// many and how many leaves.
fn check_hashed(most: u64, clusters: usize) -> (usize, u64) {
    let boards = accepted();
    let memory: Vec<PerftCluster> = (0..clusters).map(|_| PerftCluster::new()).collect();
    let table = PerftTable::new(&memory);
    let (mut repeated, mut total) = (0, 0);
    for ((fen, depth), leaves) in counts() {
        if let Some(board) = boards.get(fen).filter(|_| leaves <= most) {
            assert_eq!(
                perft_hashed(board, depth, table),
                leaves,
                "depth {depth} of {fen}"
            );
            repeated += 1;
            total += leaves;
        }
    }
    (repeated, total)
}

/// With a table that all counts share, as one that is too small for them must be right too.
#[test]
fn a_table_changes_no_count() {
    assert_eq!(check_hashed(QUICK_LEAVES, 1 << 12).0, 772);
}

#[test]
#[ignore = "7 thousand million leaves: run it in release mode"]
fn a_table_changes_no_deep_count() {
    let (_, total) = check_hashed(DEEP_LEAVES, 1 << 20);
    assert_eq!(total, 85_793_265 + 6_892_668_286);
}

/// Repeats the counts with more than `above` leaves, and up to `most`; says how many and how
/// many leaves they have.
fn check_counts(above: u64, most: u64) -> (usize, u64) {
    let boards = accepted();
    let (mut repeated, mut total) = (0, 0);
    for ((fen, depth), leaves) in counts() {
        let Some(board) = boards.get(fen) else {
            continue;
        };
        if above < leaves && leaves <= most {
            assert_eq!(perft(board, depth), leaves, "depth {depth} of {fen}");
            repeated += 1;
            total += leaves;
        }
    }
    (repeated, total)
}

#[test]
fn suites_are_complete() {
    let lines = PERFT_SUITES.map(|(name, suite)| (name, common::perft_lines(suite).len()));
    let expected = [
        ("cpw_positions", 6),
        ("peterellisjones25", 25),
        ("sedlak_tricky26", 26),
        ("standard_ethereal128", 128),
        ("standard_roce126", 126),
        ("stockfish_perft_sh", 7),
        ("tricky_legal", 8),
        ("tricky_unreachable", 13),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn refused_positions_are_the_listed_ones() {
    let refused: BTreeSet<(&str, String)> = all_lines()
        .filter_map(|line| {
            let error = Board::from_fen(line.fen).err()?;
            Some((line.fen, error.to_string()))
        })
        .collect();
    let listed: BTreeSet<(&str, String)> = REFUSED
        .iter()
        .map(|&(fen, error)| (fen, ParseFenError::Position(error).to_string()))
        .collect();
    assert_eq!(refused, listed);
}

#[test]
fn quick_counts() {
    assert_eq!(check_counts(0, QUICK_LEAVES), (772, 85_793_265));
    // No leaf at all is a count, too.
    assert_eq!(perft(&Board::startpos(), 0), 1);
    assert_eq!(
        perft(&common::board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 3),
        0
    );
}

#[test]
#[ignore = "7 thousand million leaves: run it in release mode"]
fn deep_counts() {
    let counted = check_counts(QUICK_LEAVES, DEEP_LEAVES);
    assert_eq!(counted, (78, 6_892_668_286));
}

#[test]
fn divided_counts_add_up() {
    for (fen, board) in accepted() {
        for depth in 1..=3 {
            let mut moves = Vec::new();
            let mut sum = 0;
            let total = perft_divide(&board, depth, |mv, leaves| {
                moves.push(mv);
                sum += leaves;
            });
            assert_eq!(total, sum, "{fen}");
            assert_eq!(total, perft(&board, depth), "{fen}");
            assert_eq!(moves, board.legal_moves().to_vec(), "{fen}");
        }
        let mut called = false;
        assert_eq!(perft_divide(&board, 0, |_, _| called = true), 1);
        assert!(!called);
    }
}

/// Counting, listing and the two halves of the list agree at each node of a small tree.
#[test]
fn ways_to_generate_agree() {
    fn walk(board: &Board, depth: u32) -> u64 {
        let moves = board.legal_moves();
        let mut halves = MoveList::new();
        board.generate_moves(MoveFilter::Noisy, &mut halves);
        let noisy = halves.len();
        board.generate_moves(MoveFilter::Quiet, &mut halves);
        assert!(halves[..noisy].iter().all(|mv| !mv.is_quiet()), "{board}");
        assert!(halves[noisy..].iter().all(|mv| mv.is_quiet()), "{board}");
        assert_eq!(board.count_legal_moves() as usize, moves.len(), "{board}");
        let sorted = |list: &MoveList| {
            let mut bits: Vec<u32> = list.iter().map(|mv| mv.bits()).collect();
            bits.sort_unstable();
            bits
        };
        let bits = sorted(&moves);
        assert!(bits.windows(2).all(|pair| pair[0] != pair[1]), "{board}");
        assert_eq!(bits, sorted(&halves), "{board}");
        if depth == 0 {
            return 1;
        }
        let after = |&mv: &Move| {
            let mut child = board.clone();
            child.make_move(mv);
            child
        };
        moves.iter().map(|mv| walk(&after(mv), depth - 1)).sum()
    }
    for (fen, board) in accepted() {
        assert_eq!(walk(&board, 2), perft(&board, 2), "{fen}");
    }
}
