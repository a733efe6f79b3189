//! Standard Algebraic Notation, printed and read, and the texts that are refused.

mod common;

use kirin::{Board, Move, ParseSanError, UciMove};

#[test]
fn known_moves_are_printed_and_read() {
    let mut cases = 0;
    for [fen, uci, san] in common::rows(include_str!("data/san_cases.tsv")) {
        let board = common::board(fen);
        let mv = common::uci(&board, uci);
        assert_eq!(board.san(mv).to_string(), san, "{uci} in {fen}");
        assert_eq!(board.parse_san(san), Ok(mv), "{san} in {fen}");
        cases += 1;
    }
    assert_eq!(cases, 257);
}

#[test]
fn wrong_texts_are_refused() {
    let mut cases = 0;
    for [fen, san, why] in common::rows(include_str!("data/san_refused.tsv")) {
        let board = common::board(fen);
        let san = san.replace("\\n", "\n");
        let expected = match (&*san, why) {
            // It would take a rook, and has no "x": told apart or not, it is no move.
            ("Nd5", _) => ParseSanError::Illegal,
            (_, "ambiguous") => ParseSanError::Ambiguous,
            (_, "trailing newline" | "promotion to king") => ParseSanError::Malformed,
            _ => ParseSanError::Illegal,
        };
        assert_eq!(board.parse_san(&san), Err(expected), "{san:?} ({why})");
        cases += 1;
    }
    assert_eq!(cases, 7);
    let board = common::board("8/8/1n6/3R1P2/1n6/2k2K2/3p4/r6r b - - 0 82");
    assert_eq!(board.parse_san("Nxd5"), Err(ParseSanError::Ambiguous));
    assert_eq!(board.parse_san("Nbxd5"), Err(ParseSanError::Ambiguous));
    assert_eq!(board.parse_san("N4xd5"), Ok(common::uci(&board, "b4d5")));
}

#[test]
fn malformed_texts_are_told_from_illegal_ones() {
    let board = common::board("r3k2r/1P1ppppp/8/8/8/8/1PPPPPPP/R3K2R w KQkq - 0 1");
    let read = |san: &str| board.parse_san(san).map(|mv| mv.to_string());
    for san in [
        "", "+", "#", "e", "4", "e9", "i4", "E4", "e4 ", " e4", "e2-e4", "e2e4q", "N", "Nx", "xd3",
        "Pe4", "pe4", "ne4", "e4=Q5", "Rb1=Q", "b8Q", "b8=", "b8=P", "b8=k", "b8=q", "b8(Q)",
        "0-0-", "O-O-O-O", "o-o", "OO", "--", "Z0", "e.p.", "Kxx1", "K12", "Naa1b2", "é4", "♘f3",
        "e4\0", "3e4", "b7xxa8=Q",
    ] {
        assert_eq!(read(san), Err(ParseSanError::Malformed), "{san:?}");
    }
    for san in [
        "e5",
        "Nf3",
        "Ke2",
        "Kxe2",
        "Rxa7",
        "b8",
        "exd3",
        "Ra9".trim_end_matches('9'),
        "e4=Q",
        "b1=Q",
        "bxa8",
        "ba8=Q",
    ] {
        assert!(read(san).is_err(), "{san:?}");
    }
    for (san, uci) in [
        ("e4", "e2e4"),
        ("e2e4", "e2e4"),
        ("e4!?", "e2e4"),
        ("e4+", "e2e4"),
        ("O-O", "e1g1"),
        ("0-0", "e1g1"),
        ("O-O-O", "e1c1"),
        ("0-0-0+", "e1c1"),
        ("Kf1", "e1f1"),
        ("Ke1f1", "e1f1"),
        ("b8=Q", "b7b8q"),
        ("b8=Q+", "b7b8q"),
        ("bxa8=N", "b7a8n"),
        ("b7xa8=R", "b7a8r"),
        ("Raxa8", "a1a8"),
        ("Ra1xa8+", "a1a8"),
        ("R1xa8#", "a1a8"),
    ] {
        assert_eq!(read(san).as_deref(), Ok(uci), "{san:?}");
    }
    let texts = [
        (ParseSanError::Malformed, "not a move in algebraic notation"),
        (ParseSanError::Illegal, "no legal move fits"),
        (ParseSanError::Ambiguous, "more than one legal move fits"),
    ];
    for (error, text) in texts {
        assert_eq!(error.to_string(), text);
    }
}

/// Castling in every state that can forbid it.
#[test]
fn castling_is_read_only_where_it_is_legal() {
    for (fen, king_side, queen_side) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, true),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", true, false),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", false, false),
        ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", false, false),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, true),
        ("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, false),
        ("1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", true, true),
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", false, false),
    ] {
        let board = common::board(fen);
        let is_castling = |mv: Move| mv.is_castling();
        assert_eq!(
            board.parse_san("O-O").is_ok_and(is_castling),
            king_side,
            "{fen}"
        );
        assert_eq!(
            board.parse_san("O-O-O").is_ok_and(is_castling),
            queen_side,
            "{fen}"
        );
    }
    // A king that walks to g1 does not castle.
    let board = common::board("4k3/8/8/8/8/8/8/R4K1R w - - 0 1");
    assert_eq!(board.parse_san("O-O"), Err(ParseSanError::Illegal));
    assert_eq!(
        board.parse_san("Kg1").map(|mv| mv.to_string()).as_deref(),
        Ok("f1g1")
    );
}

/// A pinned rival needs no telling apart, and one that could move does.
#[test]
fn only_legal_rivals_are_told_apart() {
    for (fen, uci, san) in [
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
        // Queens on one file, on one rank, and at the corner of both.
        ("8/k7/8/8/8/7Q/8/K6Q w - - 0 1", "h3h2", "Q3h2"),
        ("1k6/8/8/8/Q6Q/8/8/K7 w - - 0 1", "h4e4", "Qhe4"),
        ("1k6/8/8/8/Q6Q/8/8/K7 w - - 0 1", "h4e7", "Qe7"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", "Qee1"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h1e1", "Q1e1"),
    ] {
        let board = common::board(fen);
        let mv = common::uci(&board, uci);
        assert_eq!(board.san(mv).to_string(), san, "{uci} in {fen}");
    }
}

#[test]
fn wrong_uci_moves_are_refused() {
    let start = Board::startpos();
    let promoting = common::board("3k4/6P1/7P/8/K7/8/8/4R3 w - - 0 1");
    let castling = common::board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let mut cases = 0;
    for [uci, why] in common::rows(include_str!("data/uci_refused.tsv")) {
        for board in [&start, &promoting, &castling] {
            if uci == "e1h1" && *board == promoting {
                continue; // a rook's move there
            }
            let found = uci.parse().ok().and_then(|mv| board.find_move(mv));
            assert_eq!(found, None, "{uci:?} ({why}) in {board}");
        }
        cases += 1;
    }
    assert_eq!(cases, 13);
    for uci in [
        "e2e4 ", " e2e4", "e2e", "e2-e4", "e7e8Q", "e7e8p", "e7e8k", "e7e8qq", "e2e4\n", "ee24",
        "e2é4", "0000", "(none)", "♙2e4",
    ] {
        assert!(uci.parse::<UciMove>().is_err(), "{uci:?}");
    }
}
