//! Static exchange values against a list that five engines share, and [`Board::see_ge`] against
//! [`Board::see`]. (`random_walks.rs` compares both with a second implementation.)

mod common;

use kirin::{Board, SEE_VALUES};

/// The list's figures stand on these values: pawn, knight, bishop, rook, queen, king.
#[test]
fn values_are_those_of_the_list() {
    assert_eq!(SEE_VALUES, [100, 300, 300, 500, 900, 0]);
}

/// Two rows of the list, and what is right by our rules.
const OURS: [(&str, &str, i32, i32); 2] = [
    // 300 - 300 + 100: after Bxe5 dxe5 Rxe5 the pawn f6 would take back, but it is pinned by the
    // queen on h4. The list's figure has no pins.
    (
        "6r1/4kq2/b2p1p2/p1pPb3/p1P2B1Q/2P4P/2B1R1P1/6K1 w - - 0 1",
        "f4e5",
        0,
        100,
    ),
    // 300 - 300 - 800: the pawn c2 takes back and becomes a queen. The list's figure has no
    // promotions deeper in an exchange.
    ("8/8/8/1k6/6b1/4N3/2p3K1/3n4 w - - 0 1", "e3d1", 0, -800),
];

#[test]
fn known_exchanges_have_their_value() {
    let (mut cases, mut ours) = (0, 0);
    let lines = include_str!("data/see_values.epd").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let (fen, uci, san) = (fields[0], fields[1], fields[2]);
        let mut value: i32 = fields[3].parse().expect("a value");
        if let Some(row) = OURS.iter().find(|row| (row.0, row.1) == (fen, uci)) {
            assert_eq!(value, row.2, "{fen}");
            value = row.3;
            ours += 1;
        }
        let board = common::board(fen);
        let mv = common::uci(&board, uci);
        assert_eq!(board.parse_san(san), Ok(mv), "{line}");
        assert_eq!(board.see(mv), value, "{line}");
        for threshold in value - 1_000..=value + 1_000 {
            let reached = board.see_ge(mv, threshold);
            assert_eq!(reached, value >= threshold, "{threshold}: {line}");
        }
        cases += 1;
    }
    assert_eq!((cases, ours), (72, 2));
}

fn see(fen: &str, uci: &str) -> i32 {
    let board: Board = common::board(fen);
    let mv = common::uci(&board, uci);
    let value = board.see(mv);
    assert!(board.see_ge(mv, value), "{uci} in {fen}");
    assert!(!board.see_ge(mv, value + 1), "{uci} in {fen}");
    value
}

#[test]
fn pins_hold_while_the_pinning_slider_stays() {
    // The knight on e7 is pinned by the rook and cannot take back on d5.
    assert_eq!(see("4k3/4n3/8/3p4/8/8/8/3RR1K1 w - - 0 1", "d1d5"), 100);
    // Unpinned it can.
    assert_eq!(see("5k2/4n3/8/3p4/8/8/8/3RR1K1 w - - 0 1", "d1d5"), -400);
    // The pinning rook itself takes on e7: then nothing pins the knight any more.
    assert_eq!(see("4k3/3np3/8/1B6/8/8/8/4R1K1 w - - 0 1", "e1e7"), -400);
    // A slider that looks at its own side's piece pins nothing: the bishop h6 may take back,
    // once the queen has left the h-file.
    let fen = "r1b2r2/p1ppq2k/1n1np2b/3P2pQ/1p2PP2/3B2Pp/PPPBN2P/3R1RK1 w - - 3 10";
    assert_eq!(see(fen, "h5g5"), -500);
    // The pinning queen is taken, so the pawn that it pinned takes back.
    let fen = "r1n1nrk1/p2p1pb1/4Q1pq/1bpPp3/1p2PP2/P1NB1N1p/1PP3PP/R1B1R1K1 b - - 5 9";
    assert_eq!(see(fen, "d7e6"), 900);
}

#[test]
fn queens_made_in_the_exchange_count() {
    // The pawn b2 takes back and becomes a queen, unless the king can take it then.
    assert_eq!(see("7k/8/8/8/8/8/1p6/r2R3K w - - 0 1", "d1a1"), -800);
    assert_eq!(see("7k/8/8/8/8/8/Kp6/r2R4 w - - 0 1", "d1a1"), 100);
    // Black leaves the pawn's square alone: taking the rook costs a queen's worth.
    assert_eq!(see("3r3k/4P3/8/8/8/8/8/3R3K b - - 0 1", "d8d1"), 500);
    assert_eq!(see("2rn3k/4P3/8/8/8/8/8/2R4K b - - 0 1", "c8c1"), 500);
}

#[test]
fn kings_take_nothing_that_is_defended() {
    assert_eq!(see("8/8/3k4/4p3/8/5N2/8/4R1K1 b - - 0 1", "e5e4"), -100);
    assert_eq!(see("8/8/8/3kp3/8/8/8/4R1K1 w - - 0 1", "e1e5"), -400);
    assert_eq!(see("8/8/8/3kp3/8/8/4R3/4R1K1 w - - 0 1", "e2e5"), 100);
}

#[test]
fn castling_wins_nothing() {
    for uci in ["e1g1", "e1c1"] {
        assert_eq!(see("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", uci), 0);
    }
}
