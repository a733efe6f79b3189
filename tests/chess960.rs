//! Chess960 and double Chess960: leaf counts, the castling field of FENs, all starting positions,
//! and castling in each state that can forbid it.
//!
//! ```text
//! cargo test --release --test chess960 -- --ignored
//! ```

mod common;

use common::Rng;
use kirin::{
    eval, perft, search::Limits, Board, CastlingSide, Color, KeyHistory, Move, MoveKind,
    ParseFenError, PieceType, PositionError, Searcher, Square, TranspositionTable, Variant,
};

const SUITES: [&str; 4] = [
    include_str!("data/perft/frc960_ethereal.epd"),
    include_str!("data/perft/dfrc_generated400.epd"),
    include_str!("data/perft/tricky_xfen.epd"),
    include_str!("data/perft/stockfish_perft_sh_960.epd"),
];

/// The most leaves of a count that every test run repeats.
const QUICK_LEAVES: u64 = 30_000;
/// The most leaves of a count that is ever repeated.
const DEEP_LEAVES: u64 = 20_000_000;

/// A suite has rights in any order.
fn board(fen: &str) -> Board {
    Board::from_chess960_fen_lenient(fen.as_bytes()).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn check_counts(above: u64, most: u64) -> (usize, u64) {
    let (mut counted, mut total) = (0, 0);
    for line in SUITES.into_iter().flat_map(common::perft_lines) {
        let board = board(line.fen);
        for (depth, leaves) in line.counts {
            if above < leaves && leaves <= most {
                assert_eq!(
                    perft(&board, depth),
                    leaves,
                    "depth {depth} of {}",
                    line.fen
                );
                counted += 1;
                total += leaves;
            }
        }
    }
    (counted, total)
}

#[test]
fn quick_counts() {
    assert_eq!(check_counts(0, QUICK_LEAVES), (3_798, 20_820_658));
}

/// With the colours exchanged, castling included, the game is the same.
#[test]
fn colours_can_be_exchanged() {
    for line in SUITES.into_iter().flat_map(common::perft_lines) {
        let board = board(line.fen);
        let flipped = board.flipped();
        assert_eq!(flipped.flipped(), board, "{}", line.fen);
        assert_eq!(perft(&flipped, 2), perft(&board, 2), "{}", line.fen);
    }
}

#[test]
#[ignore = "thousands of millions of leaves: run it in release mode"]
fn deep_counts() {
    assert_eq!(
        check_counts(QUICK_LEAVES, DEEP_LEAVES),
        (2_402, 9_543_877_193)
    );
}

/// The numbers of the starting positions, and their FENs both ways.
#[test]
fn all_starts() {
    let mut number = 0;
    for pieces in include_str!("data/fen/chess960_starts.txt").lines() {
        let start = Board::chess960_start(number).expect("below 960");
        let small = pieces.to_ascii_lowercase();
        let fen = format!("{small}/pppppppp/8/8/8/8/PPPPPPPP/{pieces} w KQkq - 0 1");
        assert_eq!(start.to_string(), fen, "{number}");
        assert_eq!(Board::from_chess960_fen(&fen), Ok(start.clone()));
        let shredder = start.shredder_fen().to_string();
        assert_eq!(Board::from_chess960_fen(&shredder), Ok(start.clone()));
        let file = |side| match start.castling_rook(Color::Black, side) {
            Some(square) => square.file().to_string(),
            None => panic!("no right in {fen}"),
        };
        let files = file(CastlingSide::King) + &file(CastlingSide::Queen);
        let rights = format!(" {}{files} ", files.to_ascii_uppercase());
        assert!(shredder.contains(&rights), "{shredder}");
        assert_eq!(start.count_legal_moves(), start.legal_moves().len() as u32);
        number += 1;
    }
    assert_eq!(number, 960);
    assert!(Board::chess960_start(960).is_none());
    assert!(Board::chess960_start(u16::MAX).is_none());
    assert!(Board::double_chess960_start(0, 960).is_none());
    let double = Board::double_chess960_start(518, 0).expect("below 960");
    let expected = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(double.to_string(), expected);
    assert_eq!(
        double.shredder_fen().to_string(),
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAhf - 0 1"
    );
}

#[test]
fn x_fen_and_shredder_fen() {
    let mut met = 0;
    for [input, shredder, x_fen] in common::rows(include_str!("data/fen/xfen_shredder.tsv")) {
        let board = Board::from_chess960_fen(input).unwrap_or_else(|e| panic!("{input}: {e}"));
        assert_eq!(board.variant(), Variant::Chess960);
        assert_eq!(board.to_string(), x_fen, "{input}");
        assert_eq!(board.shredder_fen().to_string(), shredder, "{input}");
        assert_eq!(Board::from_chess960_fen(x_fen), Ok(board.clone()));
        assert_eq!(Board::from_chess960_fen(shredder), Ok(board));
        met += 1;
    }
    assert_eq!(met, 11);
    for line in SUITES.into_iter().flat_map(common::perft_lines) {
        let board = board(line.fen);
        for fen in [board.to_string(), board.shredder_fen().to_string()] {
            assert_eq!(Board::from_chess960_fen(&fen), Ok(board.clone()), "{fen}");
        }
    }
    // A standard board is written so, too.
    assert_eq!(
        Board::startpos().shredder_fen().to_string(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"
    );
}

/// Every position of the list has its rights from somewhere in Chess960.
#[test]
fn valid_positions_are_accepted() {
    let mut other_files = 0;
    for fen in include_str!("data/fen/valid.sfens").lines() {
        let board = Board::from_chess960_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        other_files += usize::from(Board::from_fen_lenient(fen.as_bytes()).is_err());
        let written = board.shredder_fen().to_string();
        let rights = |fen: &str| fen.split(' ').nth(2).map(str::to_string);
        assert_eq!(rights(&written), rights(fen));
    }
    assert_eq!(other_files, 773);
    for [fen, ..] in common::rows::<2>(include_str!("data/fen/invalid.tsv")) {
        assert!(Board::from_chess960_fen(fen).is_err(), "{fen}");
    }
}

#[test]
fn castling_fields_that_are_refused() {
    let field = ParseFenError::BadChess960Castling { offset: 27 };
    let no_rook = |side| ParseFenError::Position(PositionError::BadCastling(Color::White, side));
    let (king, queen) = (CastlingSide::King, CastlingSide::Queen);
    for (rights, error) in [
        // Twice the same right, by letter and by file, or two rooks on one side.
        ("HH", field),
        ("KK", field),
        ("KH", field),
        ("HG", field),
        ("QB", field),
        // Out of order; no such letter; something after the dash.
        ("AH", field),
        ("QK", field),
        ("KI", field),
        ("K-", field),
        ("-K", field),
        // No rook there, or the king itself.
        ("F", no_rook(king)),
        ("C", no_rook(queen)),
        ("E", no_rook(king)),
        // The rooks of black's king, which is not at home, and which has none.
        (
            "k",
            ParseFenError::Position(PositionError::BadCastling(Color::Black, king)),
        ),
        (
            "h",
            ParseFenError::Position(PositionError::BadCastling(Color::Black, king)),
        ),
    ] {
        let fen = format!("8/4k3/8/8/8/8/8/RR2K1RR w {rights} - 0 1");
        assert_eq!(
            Board::from_chess960_fen(&fen).as_ref(),
            Err(&match error {
                ParseFenError::BadChess960Castling { .. } => {
                    ParseFenError::BadChess960Castling {
                        offset: fen.find('w').expect("a side") + 2,
                    }
                }
                other => other,
            }),
            "{fen}"
        );
    }
    let error = field.to_string();
    assert!(
        error.starts_with("castling rights: not some of 'KQkq' or files"),
        "{error}"
    );
    assert!(error.ends_with("(at byte 27)"), "{error}");
    // Any order will do where people write.
    let loose = Board::from_chess960_fen_lenient(b"4k3/8/8/8/8/8/8/RR2K1RR w BG").expect("lenient");
    assert_eq!(loose.to_string(), "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1");
    // No king, and a right of it: the king is what is missing.
    let kingless = Board::from_chess960_fen("4k3/8/8/8/8/8/8/R6R w HA - 0 1");
    assert_eq!(
        kingless,
        Err(ParseFenError::Position(PositionError::NoKing(Color::White)))
    );
    // Neither reading of standard chess takes what only Chess960 has.
    let fen = "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1";
    assert!(Board::from_fen(fen).is_err());
    assert!(Board::from_fen_lenient(fen.as_bytes()).is_err());
}

/// Castling in every state that can forbid it: FEN, the king's side, the queen's.
#[test]
#[rustfmt::skip]
fn castling_is_legal_where_nothing_forbids_it() {
    let cases: [(&str, Option<&str>, Option<&str>); 26] = [
        // The standard squares, the king's way and the rook's.
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", Some("e1h1"), Some("e1a1")),
        // No right.
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", None, None),
        // The rook shields the king from a slider on the rank, whether that stands in the corner
        // or has the rook between; once it has gone, the king would stand in check.
        ("4k3/8/8/8/8/8/8/qR2K3 w B - 0 1", None, None),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", None, Some("e1b1")),
        ("4k3/8/8/8/8/8/8/bR2K3 w B - 0 1", None, Some("e1b1")),
        ("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1", None, None),
        ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", None, None),
        ("8/8/8/8/8/8/6PP/k2KR3 w E - 0 1", Some("d1e1"), None),
        // A rook pinned across the rank that still covers its king where it goes.
        ("4k3/8/8/8/8/8/8/1K4Rr w G - 0 1", None, None),
        // The king stays, the rook leaps it.
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", Some("g1h1"), None),
        ("4k3/8/8/8/8/8/8/RRK5 w B - 0 1", None, Some("c1b1")),
        // The king stays, and the rook's way is blocked beyond it.
        ("4k3/8/8/8/8/8/8/5NKR w H - 0 1", None, None),
        // King and rook change places.
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", Some("f1g1"), None),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", None, Some("d1c1")),
        // The rook stays.
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", Some("e1f1"), None),
        // Far to go: b1 to g1, past all that may be in between.
        ("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", Some("b1h1"), Some("b1a1")),
        ("4k3/8/8/8/8/8/8/RK1N3R w HA - 0 1", None, None),
        ("4k3/8/8/8/8/8/8/RKN4R w HA - 0 1", None, None),
        // An attacked square on the king's way, or where it ends; one that only the rook passes
        // does not matter.
        ("3rk3/8/8/8/8/8/8/RK5R w HA - 0 1", None, Some("b1a1")),
        ("4k1r1/8/8/8/8/8/8/RK5R w HA - 0 1", None, Some("b1a1")),
        ("2r1k3/8/8/8/8/8/8/RK5R w HA - 0 1", None, None),
        ("r3k3/8/8/8/8/8/8/R4K1R w HA - 0 1", Some("f1h1"), Some("f1a1")),
        ("1r2k3/8/8/8/8/8/8/R3K3 w A - 0 1", None, Some("e1a1")),
        // In check.
        ("1r2k3/8/8/8/8/8/8/RK5R w HA - 0 1", None, None),
        // Another rook in the way.
        ("k7/8/8/8/8/8/8/4RRK1 w F - 0 1", None, None),
        // Black does the same on its side.
        ("rk5r/8/8/8/8/8/8/4K3 b ha - 0 1", Some("b8h8"), Some("b8a8")),
    ];
    for (fen, king_side, queen_side) in cases {
        let board = board(fen);
        let mut castlings: Vec<String> = board
            .legal_moves()
            .iter()
            .filter(|mv| mv.is_castling())
            .map(Move::to_string)
            .collect();
        castlings.sort_unstable();
        let mut expected: Vec<&str> = [king_side, queen_side].into_iter().flatten().collect();
        expected.sort_unstable();
        assert_eq!(castlings, expected, "{fen}");
        for (side, text, san) in [
            (CastlingSide::King, king_side, "O-O"),
            (CastlingSide::Queen, queen_side, "O-O-O"),
        ] {
            let castling = board.castling_move(side);
            assert_eq!(castling.map(|mv| mv.to_string()).as_deref(), text, "{fen} {san}");
            assert_eq!(board.parse_san(san).ok(), castling, "{fen} {san}");
            let Some(mv) = castling else { continue };
            assert!(board.san(mv).to_string().starts_with(san));
            assert_eq!(mv.kind(), MoveKind::Castling);
            let mut after = board.clone();
            after.make_move(mv);
            let us = board.side_to_move();
            let (king, rook) = match side {
                CastlingSide::King => (Square::G1, Square::F1),
                CastlingSide::Queen => (Square::C1, Square::D1),
            };
            assert_eq!(after.king(us), king.relative_to(us), "{fen} {mv}");
            let rook = after.piece_on(rook.relative_to(us));
            assert_eq!(rook, Some(PieceType::Rook.of(us)), "{fen} {mv}");
            assert_eq!(after.occupied().len(), board.occupied().len());
            assert!(!after.castling().has_any(us));
            assert_eq!(after.halfmove_clock(), 1);
        }
    }
}

/// Where a right goes, and where it stays.
#[test]
fn rights_end_with_their_king_or_rook() {
    for (fen, moves, rights) in [
        (
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
            "b1b2 g8g7",
            "Kq",
        ),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "e1e2 e8e7", "-"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "b1b8", "Kk"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "e1b1", "kq"),
        // Corners that are no home of a right.
        ("r3k2r/8/8/8/8/8/8/RR2K1RR w GBha - 0 1", "a1a8", "GQk"),
        ("r3k2r/8/8/8/8/8/8/RR2K1RR w GBha - 0 1", "h1h2", "KBkq"),
        // A pawn takes a rook at home.
        ("1r2k3/P7/8/8/8/8/8/4K3 w b - 0 1", "a7b8q", "-"),
    ] {
        let mut board = board(fen);
        for text in moves.split(' ') {
            let mv = common::uci(&board, text);
            board.make_move(mv);
            assert_eq!(*board.keys(), board.recompute_keys());
        }
        let written = board.to_string();
        assert_eq!(written.split(' ').nth(2), Some(rights), "{fen} {moves}");
        assert_eq!(Board::from_chess960_fen(&written), Ok(board));
    }
}

/// Random games: whatever is reached is sound, written and read alike, and the move list is the
/// set of the moves that are legal one by one.
#[test]
fn random_games() {
    let mut rng = Rng::new(960);
    let mut castlings = 0;
    for _ in 0..300 {
        let mut start = || rng.below(960) as u16;
        let (white, black) = (start(), start());
        let mut board = Board::double_chess960_start(white, black).expect("below 960");
        let mut accumulator = eval::Accumulator::of(&board);
        for _ in 0..60 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut singly = 0;
            for source in Square::ALL {
                for target in Square::ALL {
                    let Some(mv) = board.legal_move(source, target, None) else {
                        continue;
                    };
                    assert!(moves.contains(&mv), "{mv:?} in {board}");
                    singly += 1;
                }
            }
            let promotions = moves.iter().filter(|mv| mv.is_promotion()).count();
            assert_eq!(singly + promotions, moves.len(), "{board}");
            // Castling rather often.
            let castling = moves.iter().copied().find(|mv| mv.is_castling());
            let mv = castling.unwrap_or_else(|| rng.pick(&moves));
            castlings += usize::from(mv.is_castling());
            let san = board.san(mv).to_string();
            assert_eq!(board.parse_san(&san), Ok(mv), "{san} in {board}");
            board.make_move_observed(mv, &mut accumulator);
            accumulator.settle(&board);
            assert_eq!(
                accumulator,
                eval::Accumulator::of(&board),
                "{mv} to {board}"
            );
            assert_eq!(*board.keys(), board.recompute_keys(), "{board}");
            let again = Board::from_chess960_fen(&board.to_string());
            assert_eq!(again.as_ref(), Ok(&board));
            let again = Board::from_chess960_fen(&board.shredder_fen().to_string());
            assert_eq!(again.as_ref(), Ok(&board));
        }
    }
    assert!(castlings > 200, "{castlings}");
}

/// The search plays a castling and goes on from there.
#[test]
fn the_search_castles() {
    let board = board("kr6/pp6/8/8/8/8/5PPP/R3K3 w A - 0 1");
    let memory: Vec<_> = (0..1 << 10).map(|_| kirin::Cluster::new()).collect();
    let mut searcher = Box::new(Searcher::new());
    let castling = board.castling_move(CastlingSide::Queen).expect("legal");
    let mut search_moves = kirin::MoveList::new();
    search_moves.push(castling);
    let limits = Limits {
        depth: Some(6),
        search_moves,
        ..Limits::default()
    };
    let table = TranspositionTable::new(&memory);
    let outcome = searcher.search(&board, &KeyHistory::new(), &limits, table, &mut ());
    assert_eq!(outcome.best, Some(castling));
    assert_eq!(castling.to_string(), "e1a1");
    let mut after = board.clone();
    after.make_move(castling);
    assert!(outcome.ponder.is_some_and(|mv| after.is_legal(mv)));
}
