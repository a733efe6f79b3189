//! Playing with a handicap: a weaker game, of legal moves, that can be played again.

use kirin::search::{Handicap, Limits, Outcome};
use kirin::uci::Position;
use kirin::{Board, Cluster, Color, Searcher, Status, TranspositionTable};

struct Player {
    searcher: Box<Searcher>,
    memory: Vec<Cluster>,
    handicap: Handicap,
    random: u64,
}

impl Player {
    fn new(handicap: Handicap, random: u64) -> Player {
        Player {
            searcher: Box::new(Searcher::new()),
            memory: (0..1024).map(|_| Cluster::new()).collect(),
            handicap,
            random,
        }
    }

    fn think(&mut self, position: &Position, limits: &Limits) -> Outcome {
        self.random += 1;
        let (board, history) = (&position.board, &position.history);
        let limits = self.handicap.limit(limits);
        let mut host = self.handicap.around(());
        let table = TranspositionTable::new(&self.memory);
        let outcome = self
            .searcher
            .search(board, history, &limits, table, &mut host);
        host.choose(outcome, self.random)
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// The moves of a game, and who won it.
fn play(mut players: [Player; 2], limits: &Limits, plies: usize) -> (Vec<String>, Option<Color>) {
    let mut position = Position::new(Board::startpos());
    let mut moves = Vec::new();
    while position.board.status() == Status::Ongoing && moves.len() < plies {
        if position.history.is_repetition(&position.board, 3) {
            break;
        }
        let side = position.board.side_to_move();
        let outcome = players[side as usize].think(&position, limits);
        let mv = outcome.best.expect("there is a legal move");
        assert!(position.board.legal_moves().contains(&mv), "{mv}");
        moves.push(mv.to_string());
        position.play(mv);
    }
    let mated = position.board.status() == Status::Checkmate;
    let winner = position.board.side_to_move().opposite();
    (moves, mated.then_some(winner))
}

#[test]
fn steps_have_a_bound() {
    assert_eq!(Handicap::new(20), Some(Handicap::MOST));
    assert_eq!(Handicap::new(21), None);
    assert_eq!(Handicap::default(), Handicap::NONE);
}

#[test]
fn none_changes_nothing() {
    let position = Position::new(Board::startpos());
    let limits = Limits {
        depth: Some(6),
        ..Limits::default()
    };
    let mut player = Player::new(Handicap::NONE, 0);
    let (board, history) = (&position.board, &position.history);
    let table = TranspositionTable::new(&player.memory);
    let searcher = &mut player.searcher;
    let plain = searcher.search(board, history, &limits, table, &mut ());
    let with_none = Player::new(Handicap::NONE, 7).think(&position, &limits);
    assert_eq!(plain, with_none);
}

#[test]
fn it_bounds_the_nodes_and_keeps_a_smaller_bound() {
    let unlimited = Handicap::MOST.limit(&Limits::default());
    assert_eq!(unlimited.nodes, Some(200));
    assert_eq!(Handicap::MOST.limit(&nodes(50)).nodes, Some(50));
    assert_eq!(Handicap::NONE.limit(&Limits::default()).nodes, None);
}

#[test]
fn the_same_number_plays_the_same_game_and_another_another() {
    let game = |random| {
        let player = || Player::new(Handicap::MOST, random);
        play([player(), player()], &nodes(400), 30).0
    };
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(1000));
}

#[test]
fn a_mate_is_not_walked_into() {
    // All moves but one allow mate on the last rank.
    let board: Board = "6k1/5p1p/5PpP/8/8/n7/6P1/4R1K1 b - - 0 1"
        .parse()
        .expect("FEN");
    let position = Position::new(board);
    for random in 0..20 {
        let outcome = Player::new(Handicap::MOST, random * 1000).think(&position, &nodes(2_000));
        assert_eq!(outcome.best.map(|mv| mv.to_string()), Some("g8f8".into()));
    }
}

#[test]
fn the_stronger_wins() {
    let most = |random| Player::new(Handicap::MOST, random);
    let none = || Player::new(Handicap::NONE, 0);
    for random in [10, 20_000] {
        let (moves, winner) = play([none(), most(random)], &nodes(2_000), 300);
        assert_eq!(winner, Some(Color::White), "{moves:?}");
        let (moves, winner) = play([most(random), none()], &nodes(2_000), 300);
        assert_eq!(winner, Some(Color::Black), "{moves:?}");
    }
}
