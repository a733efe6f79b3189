//! How games end: mate, stalemate, the fifty-move rule, repetition and insufficient material;
//! and positions on which other programs have failed, each with all that is known about it.

mod common;

use common::yes;
use kirin::{Board, KeyHistory, MoveFilter, MoveList, Status};

/// Plays on, with the history that repetition needs.
struct Game {
    board: Board,
    history: KeyHistory,
}

impl Game {
    fn new(fen: &str) -> Game {
        Game {
            board: common::board(fen),
            history: KeyHistory::new(),
        }
    }

    fn play(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = common::uci(&self.board, text);
            self.history.push(self.board.key());
            self.board.make_move(mv);
        }
    }

    /// How many times this position has stood on the board, now included.
    fn times(&self) -> usize {
        let times = self.history.occurrences(&self.board) + 1;
        for n in 1..7 {
            assert_eq!(self.history.is_repetition(&self.board, n), times >= n);
        }
        times
    }
}

/// Positions on which other programs have failed: legal moves, checks, castling and en-passant
/// rights, leaf counts, repetition, material.
#[test]
fn positions_that_others_got_wrong() {
    let mut cases = 0;
    for row in common::rows(include_str!("data/cases_positions.tsv")) {
        let [id, fen, moves, legal, check, fen_after, perft, threefold, insufficient, has, not] =
            row;
        let mut game = Game::new(fen);
        game.play(moves);
        let board = &game.board;
        assert_eq!(board.to_string(), fen_after, "{id}");
        let legal_moves = common::legal_moves(board);
        assert_eq!(
            legal_moves.len().to_string(),
            legal,
            "{id}: {legal_moves:?}"
        );
        assert_eq!(board.in_check(), yes(check), "{id}");
        for uci in has.split_whitespace() {
            assert!(legal_moves.iter().any(|mv| mv == uci), "{id}: {uci}");
        }
        for uci in not.split_whitespace() {
            assert!(!legal_moves.iter().any(|mv| mv == uci), "{id}: {uci}");
            let parsed = uci.parse().expect("well formed");
            assert_eq!(board.find_move(parsed), None, "{id}: {uci}");
        }
        for count in perft.split_whitespace() {
            let (depth, leaves) = count.split_once(':').expect("a depth and a count");
            let depth = depth.parse().expect("a depth");
            assert_eq!(
                kirin::perft(board, depth).to_string(),
                leaves,
                "{id}: {depth}"
            );
        }
        assert_eq!(game.times() >= 3, yes(threefold), "{id}");
        assert_eq!(board.is_insufficient_material(), yes(insufficient), "{id}");
        cases += 1;
    }
    assert_eq!(cases, 26);
}

#[test]
fn mate_and_stalemate() {
    for [fen, status] in common::rows(include_str!("data/game_over.tsv")) {
        let expected = match status {
            "checkmate" => Status::Checkmate,
            "stalemate" => Status::Stalemate,
            _ => panic!("{status}?"),
        };
        let board = common::board(fen);
        assert_eq!(board.status(), expected, "{fen}");
        assert!(board.legal_moves().is_empty());
        assert_eq!(board.in_check(), expected == Status::Checkmate);
    }
}

/// Dead by material: neither side could mate even with help.
#[test]
fn insufficient_material() {
    let mut cases = 0;
    for row in common::rows(include_str!("data/insufficient_material.tsv")) {
        let [fen, white_cannot, black_cannot, dead] = row;
        assert_eq!(yes(dead), yes(white_cannot) && yes(black_cannot), "{fen}");
        // The table forgets that the side to move could take the king here.
        let fen = match fen {
            "8/8/8/3k4/8/2NNK3/8/8 w - - 0 1" => "8/8/8/3k4/8/2NNK3/8/8 b - - 0 1",
            _ => fen,
        };
        let board = common::board(fen);
        assert_eq!(board.is_insufficient_material(), yes(dead), "{fen}");
        assert_eq!(
            board.status() == Status::InsufficientMaterial,
            yes(dead),
            "{fen}"
        );
        cases += 1;
    }
    assert_eq!(cases, 22);
    for (fen, dead) in [
        // Bishops on one colour, whoever's and however many, and on both.
        ("5K2/8/8/1B6/8/k7/6b1/8 w - - 0 39", true),
        ("B1b1k3/3b4/4b3/8/8/8/8/4KB2 w - - 0 1", true),
        ("7k/8/7K/2Bb4/8/8/8/8 b - - 0 1", false),
        // Two knights cannot force mate, but they can give it.
        ("7k/8/7K/2NN4/8/8/8/8 b - - 0 1", false),
        ("7k/8/7K/2Nn4/8/8/8/8 b - - 0 1", false),
        ("7k/8/7K/2NB4/8/8/8/8 b - - 0 1", false),
        ("7k/8/7K/2P5/8/8/8/8 b - - 0 1", false),
        ("7k/8/7K/2R5/8/8/8/8 w - - 0 1", false),
        ("7k/8/7K/2Q5/8/8/8/8 w - - 0 1", false),
    ] {
        assert_eq!(common::board(fen).is_insufficient_material(), dead, "{fen}");
    }
}

#[test]
fn fifty_moves() {
    for [fen, uci, draw, mate] in common::rows(include_str!("data/fifty_moves.tsv")) {
        let board = common::play(fen, uci);
        assert_eq!(board.is_draw_by_fifty_moves(), yes(draw), "{fen} {uci}");
        let expected = match (yes(draw), yes(mate)) {
            (true, false) => Status::FiftyMoves,
            (false, true) => Status::Checkmate,
            _ => Status::Ongoing,
        };
        assert_eq!(board.status(), expected, "{fen} {uci}");
    }
}

/// The rule asks for fifty moves of each side, and mate comes before it.
#[test]
fn fifty_moves_are_a_hundred_plies_and_mate_wins() {
    let fifty_plies = common::board("8/8/8/8/4k3/8/3K2p1/5r2 w - - 50 119");
    assert_eq!(fifty_plies.status(), Status::Ongoing);
    assert!(!fifty_plies.is_draw_by_fifty_moves());
    assert_eq!(fifty_plies.count_legal_moves(), 3);

    let mated = common::board("7Q/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 b - - 100 88");
    assert_eq!(mated.status(), Status::Checkmate);
    assert!(!mated.is_draw_by_fifty_moves());

    let stalemated = common::board("7k/5Q2/6K1/8/8/8/8/8 b - - 100 88");
    assert_eq!(stalemated.status(), Status::Stalemate);

    let mut board = common::board("4k3/8/6r1/8/8/8/2R5/4K3 w - - 0 1");
    board.set_halfmove_clock(99);
    assert!(!board.is_draw_by_fifty_moves());
    let mv = common::uci(&board, "c2d2");
    board.make_move(mv);
    assert!(board.is_draw_by_fifty_moves());
    // Captures, pawn moves and promotions begin anew; castling counts like any move.
    for (fen, uci, clock) in [
        ("4k3/8/2r5/8/8/8/2R5/4K3 w - - 70 80", "c2c6", 0),
        ("4k3/8/8/8/8/8/2P5/4K3 w - - 70 80", "c2c3", 0),
        ("4k3/8/8/8/8/8/2P5/4K3 w - - 70 80", "c2c4", 0),
        ("8/2P1k3/8/8/8/8/8/4K3 w - - 70 80", "c7c8n", 0),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 70 80", "d5c6", 0),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 70 80", "e1c1", 71),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 70 80", "a1a2", 71),
    ] {
        assert_eq!(
            common::play(fen, uci).halfmove_clock(),
            clock,
            "{fen} {uci}"
        );
    }
}

#[test]
fn repetition() {
    let mut games = 0;
    for [fen, moves, times, at_end] in common::rows(include_str!("data/repetition.tsv")) {
        let mut game = Game::new(fen);
        let mut found = Vec::new();
        for uci in moves.split_whitespace() {
            game.play(uci);
            found.push(game.times().min(3).to_string());
        }
        if !times.is_empty() {
            assert_eq!(found.join(" "), times, "{fen} {moves}");
        }
        match at_end {
            "" => {}
            "no" => assert!(game.times() < 3, "{fen} {moves}"),
            "threefold" => assert!(game.times() >= 3, "{fen} {moves}"),
            "fivefold" => assert!(game.times() >= 5, "{fen} {moves}"),
            _ => panic!("{at_end}?"),
        }
        games += 1;
    }
    assert_eq!(games, 9);
}

/// Two is what a search may take for a draw, three is the rule: the caller says which.
#[test]
fn twofold_is_not_threefold() {
    let mut game = Game::new(Board::STARTPOS_FEN);
    game.play("g1f3 g8f6 f3g1 f6g8");
    assert_eq!(game.times(), 2);
    assert!(game.history.is_repetition(&game.board, 2));
    assert!(!game.history.is_repetition(&game.board, 3));
    // What has been taken back no longer counts.
    let mut shorter = game.history.clone();
    for _ in 0..4 {
        shorter.pop();
    }
    assert_eq!(shorter.occurrences(&game.board), 0);
    game.play("g1f3 g8f6 f3g1 f6g8");
    assert_eq!(game.times(), 3);
    game.history.clear();
    assert_eq!(game.times(), 1);
}

/// The history is bounded, and what it forgets lies too far back to matter.
#[test]
fn long_games_keep_what_they_need() {
    let mut game = Game::new("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1");
    for lap in 0..300 {
        assert_eq!(game.board.halfmove_clock(), 4 * lap);
        game.play("a1a2 h8h7 a2a1 h7h8");
        // The history holds 128 plies at least, which is 32 times this position.
        assert!(game.times() >= usize::from(lap + 2).min(33), "{lap}");
    }
}

/// Passing the turn finds the checks and pins of the other side.
#[test]
fn null_move_leaves_no_stale_pin() {
    let mut board = common::board("4k3/3r4/8/8/8/8/3R4/3K4 b - - 0 1");
    board.make_null_move();
    let direct = common::board("4k3/3r4/8/8/8/8/3R4/3K4 w - - 1 2");
    assert_eq!(board, direct);
    assert_eq!(board.count_legal_moves(), 9);
    assert_eq!(board.find_move("d2a2".parse().expect("well formed")), None);
}

/// Captures alone, and none of them lost.
#[test]
fn captures_are_complete() {
    let board =
        common::board("r1bqkb1r/pp3ppp/5n2/2ppn1N1/4pP2/1BN1P3/PPPP2PP/R1BQ1RK1 w kq - 0 9");
    let mut noisy = MoveList::new();
    board.generate_moves(MoveFilter::Noisy, &mut noisy);
    let mut texts: Vec<String> = noisy.iter().map(|mv| mv.to_string()).collect();
    texts.sort_unstable();
    let expected = ["b3d5", "c3d5", "c3e4", "f4e5", "g5e4", "g5f7", "g5h7"];
    assert_eq!(texts, expected);
}
