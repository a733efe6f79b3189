//! The search and the evaluation, as a user of the library meets them.

use kirin::eval::evaluate;
use kirin::search::{Clock, Host, Info, Limits, Outcome, Strength};
use kirin::{
    Board, Bound, Cluster, KeyHistory, Move, Score, ScoreKind, Searcher, TranspositionTable,
};

/// A new searcher and a small table; the box is filled in place by the allocator's zeros.
struct Engine {
    searcher: Box<Searcher>,
    memory: Vec<Cluster>,
}

impl Engine {
    fn new() -> Engine {
        Engine {
            searcher: Box::new(Searcher::new()),
            memory: (0..16_384).map(|_| Cluster::new()).collect(),
        }
    }

    fn search(&mut self, fen: &str, limits: &Limits) -> Outcome {
        let board: Board = fen.parse().expect("FEN");
        self.search_board(&board, &KeyHistory::new(), limits, &mut ())
    }

    fn search_board<H: Host>(
        &mut self,
        board: &Board,
        history: &KeyHistory,
        limits: &Limits,
        host: &mut H,
    ) -> Outcome {
        let table = TranspositionTable::new(&self.memory);
        self.searcher.search(board, history, limits, table, host)
    }
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/8/5k2/3p4/8/4P3/4K3 w - - 0 1",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
    "2r2rk1/pp1bqpp1/2nppn1p/2p3N1/1bP5/1PN3P1/PBQPPPBP/3R1RK1 b - - 0 1",
];

/// The position with colours and ranks exchanged.
fn mirrored(board: &Board) -> Board {
    let fen = board.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap_case = |c: char| {
        if c.is_ascii_uppercase() {
            c.to_ascii_lowercase()
        } else {
            c.to_ascii_uppercase()
        }
    };
    let ranks: Vec<String> = fields[0]
        .split('/')
        .rev()
        .map(|rank| rank.chars().map(swap_case).collect())
        .collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let mut castling: Vec<char> = fields[2].chars().map(swap_case).collect();
    castling.sort_unstable_by_key(|c| "KQkq-".find(*c));
    let en_passant: String = fields[3]
        .replace('3', "x")
        .replace('6', "3")
        .replace('x', "6");
    let castling: String = castling.into_iter().collect();
    let text = format!(
        "{} {side} {castling} {en_passant} {} {}",
        ranks.join("/"),
        fields[4],
        fields[5]
    );
    text.parse().expect("a mirrored position is as legal")
}

#[test]
fn evaluation_is_the_same_for_both_colours() {
    for fen in POSITIONS {
        let board: Board = fen.parse().unwrap();
        let mut seen = vec![board.clone()];
        for &mv in &board.legal_moves() {
            let mut child = board.clone();
            child.make_move(mv);
            seen.push(child);
        }
        for board in seen {
            assert_eq!(board.flipped(), mirrored(&board), "{board}");
            assert_eq!(board.flipped().flipped(), board);
            assert_eq!(evaluate(&board), evaluate(&board.flipped()), "{board}");
        }
    }
}

#[test]
fn mates_are_found_at_their_length() {
    let cases = [
        ("1k6/8/1K6/5R2/8/8/8/8 w - - 0 1", 1),
        ("k7/8/1K6/1R6/8/8/8/8 w - - 0 1", 2),
        ("k7/8/1K6/5R2/8/8/8/8 b - - 0 1", -1),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ];
    for (fen, mate) in cases {
        let outcome = Engine::new().search(fen, &to_depth(9));
        assert_eq!(Score(outcome.score).kind(), ScoreKind::Mate(mate), "{fen}");
    }
}

#[test]
fn mated_and_stalemated_roots_have_no_move() {
    let mated = Engine::new().search("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", &to_depth(5));
    assert_eq!(
        (mated.best, Score(mated.score).kind()),
        (None, ScoreKind::Mate(0))
    );
    let stalemated = Engine::new().search("k7/8/1Q6/8/8/8/8/6K1 b - - 0 1", &to_depth(5));
    assert_eq!((stalemated.best, stalemated.score), (None, Score::DRAW));
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    let mut engine = Engine::new();
    for fen in POSITIONS {
        engine.searcher.clear();
        TranspositionTable::new(&engine.memory).clear();
        let first = engine.search(fen, &to_depth(8));
        // A new engine and a cleared one are the same.
        let second = Engine::new().search(fen, &to_depth(8));
        assert_eq!(first, second, "{fen}");
    }
}

#[test]
fn node_limit_is_exact() {
    for nodes in [1, 2, 1_000, 10_000] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let outcome = Engine::new().search(POSITIONS[1], &limits);
        assert!(outcome.best.is_some());
        assert_eq!(outcome.nodes, nodes);
    }
}

#[test]
fn only_wanted_root_moves_are_played() {
    let board = Board::startpos();
    let mut limits = to_depth(6);
    for text in ["a2a3", "h2h3"] {
        limits
            .search_moves
            .push(board.find_move(text.parse().unwrap()).unwrap());
    }
    let outcome = Engine::new().search_board(&board, &KeyHistory::new(), &limits, &mut ());
    assert!(limits.search_moves.contains(&outcome.best.unwrap()));
}

/// Checks each line as it is reported, and can stop the search at once.
struct Listener {
    board: Board,
    lines: usize,
    last: Option<Move>,
    stop: bool,
}

impl Host for Listener {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }

    fn stopped(&mut self) -> bool {
        self.stop
    }

    fn report(&mut self, info: &Info<'_>) {
        let mut board = self.board.clone();
        assert!(!info.pv.is_empty());
        for &mv in info.pv {
            assert!(board.try_make_move(mv), "illegal {mv} in a variation");
        }
        if let ScoreKind::Mate(moves) = Score(info.score).kind() {
            let plies = 2 * moves.unsigned_abs() as usize - usize::from(moves > 0);
            let is_mate = board.in_check() && board.legal_moves().is_empty();
            // Where the table cut the line short it may end early, but not go past the mate.
            assert!(info.pv.len() < plies || (info.pv.len() == plies && is_mate));
        }
        assert!(info.hashfull <= 1_000 && info.depth >= 1 && info.seldepth >= 1);
        self.lines += 1;
        self.last = info.pv.first().copied();
    }
}

#[test]
fn every_reported_line_is_legal_and_the_last_one_is_played() {
    for fen in POSITIONS {
        let board: Board = fen.parse().unwrap();
        let mut host = Listener {
            board: board.clone(),
            lines: 0,
            last: None,
            stop: false,
        };
        let history = KeyHistory::new();
        let outcome = Engine::new().search_board(&board, &history, &to_depth(9), &mut host);
        assert_eq!(host.lines, 9);
        assert_eq!(outcome.best, host.last);
        if let Some(ponder) = outcome.ponder {
            let mut after = board.clone();
            after.make_move(outcome.best.unwrap());
            assert!(after.is_legal(ponder));
        }
    }
}

/// Listens for the lines from `fen`.
fn listener(fen: &str) -> Listener {
    Listener {
        board: fen.parse().unwrap(),
        lines: 0,
        last: None,
        stop: false,
    }
}

#[test]
fn lines_to_a_mate_end_with_it() {
    // In each the line once went on behind the mate with moves of an older line.
    let fens = [
        "r6k/p1Q4p/2p1b1rq/4p3/B3P3/4P3/PPP3P1/4RRK1 b - - 0 1",
        "r3k2r/pp1qb3/3p2K1/p2Pp3/1pP1Pp2/1B3Pp1/PP1N3P/RNBQ1R2 b kq - 0 1",
        "1q4r1/n2R1p1p/p3pbk1/1p4N1/1P6/2P1Q1P1/P3BP1P/6K1 w - - 0 1",
    ];
    for fen in fens {
        let mut host = listener(fen);
        let board = host.board.clone();
        let history = KeyHistory::new();
        let outcome = Engine::new().search_board(&board, &history, &to_depth(18), &mut host);
        assert!(Score::is_mate(outcome.score), "{fen}");
    }
}

/// A search for a mate in `moves` moves, with its lines checked.
fn search_for_mate(fen: &str, moves: u32, nodes: u64) -> Outcome {
    let limits = Limits {
        mate: Some(moves),
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut host = listener(fen);
    let board = host.board.clone();
    let outcome = Engine::new().search_board(&board, &KeyHistory::new(), &limits, &mut host);
    assert_eq!(outcome.best, host.last);
    outcome
}

#[test]
fn mates_that_are_asked_for_are_proven() {
    // Each with its shortest mate in moves: by checks alone, with quiet moves, with zugzwang.
    let cases = [
        ("1q1r1bk1/7p/4NQ1p/1Bp1P3/1p2p3/r7/5PPP/4R1K1 w - - 0 1", 4),
        (
            "2rq1r2/pb2pk2/1p1p1ppQ/8/2n1PP2/2N4R/PP2B1P1/2K4R w - - 0 1",
            4,
        ),
        ("8/2Np4/2pP2B1/4B2p/K1kP1pp1/2p4r/2P2r1N/7b w - - 0 1", 4),
        ("2R5/5k1p/2P1p3/3bKpP1/4p3/2r5/8/1R6 w - - 0 1", 5),
        (
            "3k4/2pPp1n1/2K1p2b/1p2P1p1/bP1N1pP1/1p3Pp1/1P4P1/6B1 w - - 0 1",
            5,
        ),
        (
            "2r1rnk1/2q2p2/p2ppPp1/2p3Pp/Pn1bP1BQ/2N1B2R/1PP2R1P/7K w - - 0 1",
            6,
        ),
    ];
    for (fen, moves) in cases {
        let outcome = search_for_mate(fen, moves, 10_000_000);
        let expected = ScoreKind::Mate(moves as i32);
        assert_eq!(Score(outcome.score).kind(), expected, "{fen}");
        // Nothing shorter is claimed.
        let outcome = search_for_mate(fen, moves - 1, 500_000);
        let found = Score(outcome.score).kind();
        assert!(
            !matches!(found, ScoreKind::Mate(shorter) if shorter < moves as i32 && shorter >= 0),
            "{fen}: {found:?}"
        );
    }
}

#[test]
fn a_search_for_mate_ends_where_the_fifty_moves_do() {
    // Mate in two, which the clock allows to come, and doesn't.
    for (clock, mate) in [(90, true), (97, true), (98, false), (99, false)] {
        let fen = format!("k7/8/1K6/1R6/8/8/8/8 w - - {clock} 80");
        let found = Score::is_mate(search_for_mate(&fen, 4, 100_000).score);
        assert_eq!(found, mate, "{clock}");
    }
}

#[test]
fn a_search_stopped_at_once_still_has_a_move() {
    let board = Board::startpos();
    let mut host = Listener {
        board: board.clone(),
        lines: 0,
        last: None,
        stop: true,
    };
    let limits = Limits::default();
    let outcome = Engine::new().search_board(&board, &KeyHistory::new(), &limits, &mut host);
    assert!(board.is_legal(outcome.best.unwrap()));
}

#[test]
fn one_earlier_occurrence_is_no_draw_at_the_root() {
    // Black has shuffled its knight twice; c6 would lose it to the pawn on d5, and is no draw.
    let (mut board, mut history) = (Board::startpos(), KeyHistory::new());
    for text in [
        "e2e4", "b8c6", "d2d4", "c6b8", "d4d5", "b8c6", "g1f3", "c6b8", "f3g1",
    ] {
        let mv = board.find_move(text.parse().unwrap()).unwrap();
        history.push(board.key());
        board.make_move(mv);
    }
    let outcome = Engine::new().search_board(&board, &history, &to_depth(8), &mut ());
    assert_ne!(outcome.best.unwrap().to_string(), "b8c6");
}

#[test]
fn a_mate_on_the_hundredth_ply_counts() {
    let outcome = Engine::new().search("1k6/8/1K6/5R2/8/8/8/8 w - - 99 80", &to_depth(4));
    assert_eq!(Score(outcome.score).kind(), ScoreKind::Mate(1));
    // Any move but a mate is a draw here.
    let outcome = Engine::new().search("8/1k6/8/1K6/5R2/8/8/8 w - - 99 80", &to_depth(6));
    assert_eq!(outcome.score, Score::DRAW);
}

#[test]
fn a_blocked_endgame_does_not_explode() {
    let limits = Limits {
        depth: Some(20),
        nodes: Some(20_000_000),
        ..Limits::default()
    };
    let mut engine = Engine::new();
    engine.memory.resize_with(65_536, Cluster::new);
    let outcome = engine.search("8/Pk6/8/1p6/8/P1K5/8/6B1 w - - 37 130", &limits);
    assert_eq!(outcome.depth, 20);
}

/// A line as it was reported.
#[derive(Clone, Debug)]
struct Line {
    multipv: u32,
    depth: u32,
    score: i32,
    bound: Bound,
    pv: Vec<Move>,
}

#[derive(Default)]
struct Lines(Vec<Line>);

impl Host for Lines {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }

    fn stopped(&mut self) -> bool {
        false
    }

    fn report(&mut self, info: &Info<'_>) {
        self.0.push(Line {
            multipv: info.multipv,
            depth: info.depth,
            score: info.score,
            bound: info.bound,
            pv: info.pv.to_vec(),
        });
    }
}

/// The reports of a search, in groups that begin with line 1.
fn groups_of_lines(fen: &str, limits: &Limits) -> (Outcome, Vec<Vec<Line>>) {
    let board: Board = fen.parse().expect("FEN");
    let mut host = Lines::default();
    let outcome = Engine::new().search_board(&board, &KeyHistory::new(), limits, &mut host);
    let mut groups: Vec<Vec<Line>> = Vec::new();
    for line in host.0 {
        let mut board = board.clone();
        for &mv in &line.pv {
            assert!(board.try_make_move(mv), "{fen}: illegal {mv}");
        }
        if line.multipv == 1 {
            groups.push(Vec::new());
        }
        let group = groups.last_mut().expect("line 1 comes first");
        group.push(line);
    }
    for group in &groups {
        for (i, line) in group.iter().enumerate() {
            assert_eq!(line.multipv as usize, i + 1, "{fen}: {group:#?}");
            let others = &group[..i];
            assert!(
                others.iter().all(|other| other.pv[0] != line.pv[0]),
                "{fen}: {group:#?}"
            );
            assert!(
                others.iter().all(|other| other.score >= line.score),
                "{fen}: {group:#?}"
            );
        }
    }
    let last = groups.last().expect("a report");
    assert_eq!(outcome.best, Some(last[0].pv[0]), "{fen}");
    (outcome, groups)
}

#[test]
fn several_lines_are_all_different_and_in_order() {
    for fen in POSITIONS {
        let moves = fen.parse::<Board>().expect("FEN").legal_moves().len();
        for wanted in [2, 5, 256] {
            let limits = Limits {
                multipv: wanted,
                ..to_depth(if wanted == 256 { 4 } else { 7 })
            };
            let (outcome, groups) = groups_of_lines(fen, &limits);
            assert_eq!(groups.len() as u32, outcome.depth);
            for (i, group) in groups.iter().enumerate() {
                assert_eq!(group.len(), moves.min(wanted as usize), "{fen}");
                assert!(group.iter().all(|line| line.bound == Bound::Exact));
                assert!(group.iter().all(|line| line.depth as usize == i + 1));
            }
        }
    }
}

#[test]
fn a_search_for_several_lines_may_be_broken_anywhere() {
    for nodes in (1..20_000).step_by(397) {
        let limits = Limits {
            multipv: 4,
            nodes: Some(nodes),
            ..Limits::default()
        };
        let (_, groups) = groups_of_lines(POSITIONS[1], &limits);
        // Once all lines are known none is lost again.
        let complete = groups.iter().position(|group| group.len() == 4);
        let complete = complete.unwrap_or(groups.len());
        assert!(groups[complete..].iter().all(|group| group.len() == 4));
        for group in &groups {
            let depths: Vec<u32> = group.iter().map(|line| line.depth).collect();
            assert!(depths.is_sorted_by(|a, b| a >= b), "{depths:?}");
        }
    }
}

#[test]
fn each_line_has_the_score_of_its_move() {
    // Two moves mate at once, and no third does.
    let limits = Limits {
        multipv: 3,
        ..to_depth(6)
    };
    let (_, groups) = groups_of_lines("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1", &limits);
    let last = groups.last().expect("a report");
    let kinds: Vec<ScoreKind> = last.iter().map(|line| Score(line.score).kind()).collect();
    assert_eq!(kinds[..2], [ScoreKind::Mate(1); 2]);
    assert_ne!(kinds[2], ScoreKind::Mate(1));
}

#[test]
fn lines_begin_with_wanted_moves_only() {
    let board = Board::startpos();
    let mut limits = Limits {
        multipv: 5,
        ..to_depth(6)
    };
    for text in ["a2a3", "h2h3"] {
        let mv = board.find_move(text.parse().expect("a move"));
        limits.search_moves.push(mv.expect("legal"));
    }
    let (_, groups) = groups_of_lines(Board::STARTPOS_FEN, &limits);
    for group in groups {
        assert_eq!(group.len(), 2);
        assert!(group
            .iter()
            .all(|line| limits.search_moves.contains(&line.pv[0])));
    }
}

#[test]
fn one_line_is_the_same_search_however_it_is_asked_for() {
    for fen in POSITIONS {
        let one = Limits {
            multipv: 1,
            ..to_depth(8)
        };
        assert_eq!(
            Engine::new().search(fen, &one),
            Engine::new().search(fen, &to_depth(8)),
            "{fen}"
        );
    }
}

fn weakened(level: u32, seed: u64) -> Limits {
    Limits {
        strength: Strength::of_level(level, seed),
        ..Limits::default()
    }
}

#[test]
fn a_weak_player_repeats_itself_with_its_seed_only() {
    let mut answers = Vec::new();
    for seed in 0..12 {
        let limits = weakened(0, seed);
        let (outcome, groups) = groups_of_lines(POSITIONS[3], &limits);
        assert_eq!(Engine::new().search(POSITIONS[3], &limits), outcome);
        assert!(outcome.nodes < 2_000, "{outcome:?}");
        assert!(outcome.depth >= 1);
        // The errors are its own affair: one line is shown unless more are asked for.
        assert!(groups.iter().all(|group| group.len() == 1));
        answers.extend(outcome.best);
    }
    assert!(answers.iter().any(|&mv| mv != answers[0]), "{answers:?}");
}

#[test]
fn the_last_line_of_a_weak_player_is_what_it_plays() {
    for fen in POSITIONS {
        for level in [0, 5, 12, 19] {
            for multipv in [1, 3, 8] {
                let limits = Limits {
                    multipv,
                    ..weakened(level, 1)
                };
                // Checked there.
                groups_of_lines(fen, &limits);
            }
        }
    }
}

/// A mate at hand is more than an error can hide, and the only move is played by anybody.
#[test]
fn a_weak_player_knows_the_rules() {
    let mut engine = Engine::new();
    for seed in 0..20 {
        let outcome = engine.search("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", &weakened(0, seed));
        assert_eq!(
            outcome.best.map(|mv| mv.to_string()).as_deref(),
            Some("e1e8")
        );
        let outcome = engine.search("k7/8/1K6/8/8/8/8/1R6 b - - 0 1", &weakened(0, seed));
        assert_eq!(
            outcome.best.map(|mv| mv.to_string()).as_deref(),
            Some("a8b8")
        );
        let outcome = engine.search("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &weakened(0, seed));
        assert_eq!(outcome.best, None);
    }
}

#[test]
fn other_limits_hold_for_a_weak_player_too() {
    for level in [0, 19] {
        let limits = Limits {
            nodes: Some(40),
            ..weakened(level, 1)
        };
        assert!(Engine::new().search(POSITIONS[0], &limits).nodes <= 40);
    }
}

/// A clock that would end the search at once, if it were asked.
struct LateClock;

impl Host for LateClock {
    fn elapsed_ms(&mut self) -> u64 {
        1_000_000_000
    }

    fn stopped(&mut self) -> bool {
        false
    }
}

#[test]
fn nodes_stand_for_time() {
    let board = Board::startpos();
    let search = |limits: &Limits| {
        Engine::new().search_board(&board, &KeyHistory::new(), limits, &mut LateClock)
    };
    let timed = |nodes_per_ms| Limits {
        nodes_per_ms,
        clock: Some(Clock {
            time_ms: 1_000,
            increment_ms: 10,
        }),
        ..Limits::default()
    };
    let outcome = search(&timed(100));
    assert_eq!(outcome, search(&timed(100)));
    // About a twentieth of a hundred thousand nodes, and not beyond the hard limit.
    assert!((1_000..30_000).contains(&outcome.nodes), "{outcome:?}");
    assert!(search(&timed(400)).nodes > outcome.nodes);
    assert_eq!(timed(100).latest_end_ms(), None);
    let movetime = Limits {
        movetime_ms: Some(50),
        nodes_per_ms: 1_000,
        ..Limits::default()
    };
    assert!((50_000..=51_024).contains(&search(&movetime).nodes));
    // The clock, where no nodes stand for it, is seen at once.
    assert!(search(&timed(0)).nodes < 3_000);
}

/// A clock that stands still, and an ear for what is said between iterations.
#[derive(Default)]
struct Chatter {
    elapsed_ms: u64,
    current_moves: Vec<(u32, Move, u32)>,
    bounds: usize,
}

impl Host for Chatter {
    fn elapsed_ms(&mut self) -> u64 {
        self.elapsed_ms
    }

    fn stopped(&mut self) -> bool {
        false
    }

    fn report(&mut self, info: &Info<'_>) {
        self.bounds += usize::from(info.bound != Bound::Exact);
    }

    fn report_current_move(&mut self, depth: u32, mv: Move, number: u32) {
        self.current_moves.push((depth, mv, number));
    }
}

#[test]
fn current_moves_and_bounds_are_told_after_three_seconds_only() {
    for (elapsed_ms, told) in [(0, false), (3_000, false), (3_001, true)] {
        let mut host = Chatter {
            elapsed_ms,
            ..Chatter::default()
        };
        let board: Board = POSITIONS[1].parse().expect("FEN");
        Engine::new().search_board(&board, &KeyHistory::new(), &to_depth(9), &mut host);
        assert_eq!(!host.current_moves.is_empty(), told, "{elapsed_ms}");
        assert_eq!(host.bounds > 0, told, "{elapsed_ms}");
        for (depth, mv, number) in host.current_moves {
            assert!((1..=9).contains(&depth) && board.is_legal(mv));
            assert!((1..=48).contains(&number));
        }
    }
}

/// What the table knows of a mate is counted from where it is met.
#[test]
fn a_mate_keeps_its_length_in_the_table() {
    let mut engine = Engine::new();
    let mate_in = |engine: &mut Engine, moves: &[&str]| {
        let mut board: Board = "k7/8/1K6/1R6/8/8/8/8 w - - 0 1".parse().expect("FEN");
        let mut history = KeyHistory::new();
        for text in moves {
            history.push(board.key());
            board.make_move(
                board
                    .find_move(text.parse().expect("a move"))
                    .expect("legal"),
            );
        }
        let outcome = engine.search_board(&board, &history, &to_depth(8), &mut ());
        Score(outcome.score).kind()
    };
    assert_eq!(mate_in(&mut engine, &[]), ScoreKind::Mate(2));
    assert_eq!(mate_in(&mut engine, &[]), ScoreKind::Mate(2));
    assert_eq!(mate_in(&mut engine, &["b5h5", "a8b8"]), ScoreKind::Mate(1));
    assert_eq!(mate_in(&mut engine, &[]), ScoreKind::Mate(2));
}

/// Iterations go on where every line ends in a mate, for either side.
#[test]
fn mates_do_not_hold_up_the_windows() {
    for fen in [
        "1k6/8/1K6/5R2/8/8/8/8 w - - 0 1",
        "k7/8/1K6/5R2/8/8/8/8 b - - 0 1",
        "6Q1/8/3N4/8/8/6NK/8/6k1 b - - 2 52",
    ] {
        let outcome = Engine::new().search(fen, &to_depth(20));
        assert_eq!(outcome.depth, 20, "{fen}");
        assert!(
            matches!(Score(outcome.score).kind(), ScoreKind::Mate(_)),
            "{fen}"
        );
    }
}
