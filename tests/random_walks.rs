//! Random games from a fixed seed, with everything that can be checked about a position checked
//! at each of their nodes against [`common::slow`] or against itself: moves, make-move, keys,
//! checks and pins, legality of single moves, FEN and SAN both ways, static exchange.

mod common;

use std::collections::{HashMap, HashSet};

use common::slow::SlowBoard;
use common::{Rng, KIWIPETE, PERFT_SUITES};
use kirin::{
    Bitboard, Board, Key, Move, MoveFilter, MoveList, Piece, PieceObserver, PieceType, Square,
    Status,
};

const SEED: u64 = 0x5eed_0000_0000_0001;
/// The longest game.
const PLIES: usize = 200;

/// Follows the pieces through an observer alone.
struct Follower([Option<Piece>; 64]);

impl PieceObserver for Follower {
    fn added(&mut self, piece: Piece, square: Square) {
        let before = self.0[square.index()].replace(piece);
        assert_eq!(before, None, "{piece} added on {square}");
    }

    fn removed(&mut self, piece: Piece, square: Square) {
        let before = self.0[square.index()].take();
        assert_eq!(before, Some(piece), "removed from {square}");
    }
}

fn mailbox(board: &Board) -> [Option<Piece>; 64] {
    Square::ALL.map(|square| board.piece_on(square))
}

/// What the walks met, to show that they met everything.
#[derive(Default, Debug)]
struct Met {
    nodes: usize,
    captures: usize,
    en_passant: usize,
    castlings: usize,
    promotions: usize,
    checks: usize,
    double_checks: usize,
    pins: usize,
    mates: usize,
    stalemates: usize,
    repeated: usize,
}

struct Walker {
    rng: Rng,
    met: Met,
    /// Keys of the positions met, by FEN without counters, and the reverse.
    keys: HashMap<String, Key>,
    positions: HashMap<Key, String>,
    /// Moves of other positions.
    strangers: Vec<Move>,
}

impl Walker {
    fn new(seed: u64) -> Walker {
        Walker {
            rng: Rng::new(seed),
            met: Met::default(),
            keys: HashMap::new(),
            positions: HashMap::new(),
            strangers: Vec::new(),
        }
    }

    fn walk(&mut self, fen: &str, plies: usize) {
        let mut board = common::board(fen);
        let mut slow = SlowBoard::new(fen);
        let mut follower = Follower(mailbox(&board));
        for ply in 0..plies {
            self.check_node(&board, &slow);
            if ply % 16 == 0 {
                check_every_square_pair(&board);
            }
            if board.status() != Status::Ongoing {
                self.met.mates += usize::from(board.status() == Status::Checkmate);
                self.met.stalemates += usize::from(board.status() == Status::Stalemate);
                return;
            }
            let mv = self.choose(&board);
            self.met.captures += usize::from(mv.is_capture());
            self.met.en_passant += usize::from(mv.is_en_passant());
            self.met.castlings += usize::from(mv.is_castling());
            self.met.promotions += usize::from(mv.is_promotion());
            board.make_move_observed(mv, &mut follower);
            slow = slow.after(mv.bits());
            assert_eq!(mailbox(&board), follower.0, "{board}");
        }
    }

    /// A random legal move; the rarer kinds more often than chance would have them.
    fn choose(&mut self, board: &Board) -> Move {
        let moves = board.legal_moves();
        let rare: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| mv.is_en_passant() || mv.is_castling() || mv.is_promotion())
            .collect();
        if !rare.is_empty() && self.rng.below(3) == 0 {
            self.rng.pick(&rare)
        } else {
            self.rng.pick(&moves)
        }
    }

    fn check_node(&mut self, board: &Board, slow: &SlowBoard) {
        let moves = board.legal_moves();
        self.met.nodes += 1;
        self.met.checks += usize::from(board.in_check());
        self.met.double_checks += usize::from(board.checkers().more_than_one());
        self.met.pins += usize::from(board.pinned().any());

        // The same position, seen by the other witness, and the same moves with all their bits.
        assert_eq!(board.to_string(), slow.fen());
        assert_eq!(board.checkers(), Bitboard(slow.checkers()), "{board}");
        assert_eq!(board.pinned(), Bitboard(slow.pinned()), "{board}");
        let mut bits: Vec<u32> = moves.iter().map(|mv| mv.bits()).collect();
        bits.sort_unstable();
        assert_eq!(bits, slow.legal_moves(), "{board}");
        assert_eq!(
            board.en_passant().is_some(),
            moves.iter().any(|mv| mv.is_en_passant())
        );
        check_filters(board, &moves);
        check_sets(board);

        assert_eq!(*board.keys(), board.recompute_keys(), "{board}");
        self.check_key(board);
        assert_eq!(Board::from_fen(&board.to_string()).as_ref(), Ok(board));
        if !board.in_check() {
            check_null_move(board, slow);
        }

        check_san(board, &moves);
        for &mv in &moves {
            check_move(board, mv);
            check_exchange(board, slow, mv);
        }
        let legal: HashSet<Move> = moves.iter().copied().collect();
        for &mv in &self.strangers {
            assert_eq!(board.is_legal(mv), legal.contains(&mv), "{mv:?} in {board}");
        }
        self.strangers.extend(moves.iter().take(8));
        if self.strangers.len() > 64 {
            self.strangers.drain(..8);
        }
    }

    /// One key for one position, and one position for one key, whatever led there.
    fn check_key(&mut self, board: &Board) {
        let fen = board.to_string();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        let position = fields.join(" ");
        if let Some(&key) = self.keys.get(&position) {
            self.met.repeated += 1;
            assert_eq!(key, board.key(), "{board}");
        }
        if let Some(other) = self.positions.get(&board.key()) {
            assert_eq!(
                *other,
                position,
                "two positions have the key {}",
                board.key()
            );
        }
        self.keys.insert(position.clone(), board.key());
        self.positions.insert(board.key(), position);
    }
}

fn list(board: &Board, filter: MoveFilter) -> Vec<Move> {
    let mut moves = MoveList::new();
    board.generate_moves(filter, &mut moves);
    moves.to_vec()
}

/// All is noisy and quiet together, with none twice; counting agrees.
fn check_filters(board: &Board, moves: &MoveList) {
    let noisy = list(board, MoveFilter::Noisy);
    let quiet = list(board, MoveFilter::Quiet);
    assert!(noisy.iter().all(|mv| mv.is_capture() || mv.is_promotion()));
    assert!(quiet.iter().all(|mv| mv.is_quiet()));
    let together: HashSet<Move> = noisy.iter().chain(&quiet).copied().collect();
    let all: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(together, all, "{board}");
    assert_eq!(noisy.len() + quiet.len(), moves.len(), "{board}");
    assert_eq!(all.len(), moves.len(), "a move twice: {board}");
    assert_eq!(list(board, MoveFilter::All), moves.to_vec());
    assert_eq!(board.count_legal_moves() as usize, moves.len(), "{board}");
}

/// The sets of pieces agree with one another and with the mailbox.
fn check_sets(board: &Board) {
    let mut union = Bitboard::EMPTY;
    for piece in Piece::ALL {
        let set = board.pieces(piece);
        assert!((union & set).is_empty());
        assert_eq!(
            set,
            board.kind(piece.piece_type()) & board.color(piece.color())
        );
        assert!(set.into_iter().all(|s| board.piece_on(s) == Some(piece)));
        union |= set;
    }
    assert_eq!(union, board.occupied());
    for square in !union {
        assert_eq!(board.piece_on(square), None);
    }
}

fn check_move(board: &Board, mv: Move) {
    let before = board.clone();
    let mut after = board.clone();
    after.make_move(mv);
    assert_eq!(*board, before);
    assert_eq!(board.gives_check(mv), after.in_check(), "{mv} in {board}");

    let text = mv.to_string();
    let parsed = text.parse().expect("what is written can be read");
    assert_eq!(board.find_move(parsed), Some(mv));
    assert_eq!(mv.to_uci(), parsed);
    assert!(board.is_legal(mv));
    let mut tried = board.clone();
    assert!(tried.try_make_move(mv));
    assert_eq!(tried, after);
    // The same squares with a flag turned round are another move, and no legal one.
    for flag in 20..24 {
        if let Some(other) = Move::from_bits(mv.bits() ^ 1 << flag) {
            assert!(!board.is_legal(other), "{other:?} in {board}");
        }
    }
}

/// Legality of whatever two squares and a promotion can say.
fn check_every_square_pair(board: &Board) {
    let moves = board.legal_moves();
    let kinds = PieceType::ALL.map(Some);
    let mut found = 0;
    for source in Square::ALL {
        for target in Square::ALL {
            for promotion in kinds.into_iter().chain([None]) {
                if let Some(mv) = board.legal_move(source, target, promotion) {
                    assert!(moves.contains(&mv), "{mv:?} in {board}");
                    assert_eq!((mv.source(), mv.target()), (source, target));
                    assert_eq!(mv.promoted().map(Piece::piece_type), promotion);
                    found += 1;
                }
            }
        }
    }
    assert_eq!(found, moves.len(), "{board}");
}

fn check_null_move(board: &Board, slow: &SlowBoard) {
    let mut after = board.clone();
    after.make_null_move();
    assert_eq!(*after.keys(), after.recompute_keys(), "{board}");
    assert_eq!(after.to_string(), slow.after_null().fen());
    // Checks and pins are those of the side that now moves.
    assert_eq!(Board::from_fen(&after.to_string()), Ok(after));
}

/// Each move has a SAN of its own, which is read as that move.
fn check_san(board: &Board, moves: &MoveList) {
    let mut texts = HashSet::new();
    for &mv in moves {
        let text = board.san(mv).to_string();
        assert_eq!(board.parse_san(&text), Ok(mv), "{text} in {board}");
        assert!(texts.insert(text.clone()), "{text} twice in {board}");
        let mut after = board.clone();
        after.make_move(mv);
        assert_eq!(text.ends_with(['+', '#']), after.in_check());
        let mate = after.status() == Status::Checkmate;
        assert_eq!(text.ends_with('#'), mate, "{text} in {board}");
    }
}

fn check_exchange(board: &Board, slow: &SlowBoard, mv: Move) {
    let value = board.see(mv);
    assert_eq!(value, slow.exchange(mv.bits()), "{mv} in {board}");
    let fixed = [
        -900, -500, -300, -101, -100, -99, -1, 0, 1, 99, 100, 101, 300, 500, 900,
    ];
    let near = [value - 1, value, value + 1];
    for threshold in fixed.into_iter().chain(near) {
        let reached = board.see_ge(mv, threshold);
        assert_eq!(reached, value >= threshold, "{mv} {threshold} in {board}");
    }
}

fn assert_met_everything(met: &Met) {
    println!("{met:?}");
    assert!(met.nodes > 1_000);
    assert!(met.captures > 100);
    assert!(met.en_passant > 3, "{met:?}");
    assert!(met.castlings > 3, "{met:?}");
    assert!(met.promotions > 10, "{met:?}");
    assert!(met.checks > 50, "{met:?}");
    assert!(met.double_checks > 0, "{met:?}");
    assert!(met.pins > 50, "{met:?}");
    assert!(met.repeated > 0, "{met:?}");
}

#[test]
fn games_from_the_start() {
    let mut walker = Walker::new(SEED);
    for _ in 0..12 {
        walker.walk(Board::STARTPOS_FEN, PLIES);
    }
    assert!(walker.met.nodes > 1_000, "{:?}", walker.met);
}

#[test]
fn games_from_kiwipete() {
    let mut walker = Walker::new(SEED + 1);
    for _ in 0..12 {
        walker.walk(KIWIPETE, PLIES);
    }
    assert!(walker.met.castlings > 3, "{:?}", walker.met);
}

/// From every position of the perft suites that is accepted.
#[test]
fn games_from_the_perft_suites() {
    let mut walker = Walker::new(SEED + 2);
    let fens: HashSet<&str> = PERFT_SUITES
        .iter()
        .flat_map(|(_, suite)| common::perft_lines(suite))
        .map(|line| line.fen)
        .collect();
    let mut fens: Vec<&str> = fens.into_iter().collect();
    fens.sort_unstable();
    for fen in fens {
        if Board::from_fen(fen).is_ok() {
            walker.walk(fen, PLIES);
        }
    }
    assert_met_everything(&walker.met);
}

/// From the middle games among the FENs that every reader accepts.
#[test]
fn games_from_middle_games() {
    let mut walker = Walker::new(SEED + 4);
    for [fen, verdict, _] in common::rows(include_str!("data/fen/accept_reject.tsv")) {
        if verdict == "accept" && Board::from_fen(fen).is_ok() {
            walker.walk(fen, PLIES / 4);
        }
    }
    assert_met_everything(&walker.met);
}

/// Pieces thrown on the board: most of these positions no game reaches, and those that are
/// accepted play like the rest.
fn thrown(rng: &mut Rng) -> String {
    let mut squares = [b'.'; 64];
    let pieces = 2 + rng.below(22);
    for number in 0..pieces {
        let letter = match number {
            0 => b'K',
            1 => b'k',
            _ => rng.pick(b"PPPPNBRQppppnbrq"),
        };
        let back_rank = |square: usize| matches!(square / 8, 0 | 7);
        let at = loop {
            let at = rng.below(64);
            let pawn = letter.eq_ignore_ascii_case(&b'p');
            if squares[at] == b'.' && !(pawn && back_rank(at)) {
                break at;
            }
        };
        squares[at] = letter;
    }
    // Now and then what castling needs.
    for (home, king, rook) in [(56, b'K', b'R'), (0, b'k', b'r')] {
        let corners = [squares[home], squares[home + 4], squares[home + 7]];
        let other_king = king ^ 0x20;
        if rng.below(3) == 0 && !corners.contains(&other_king) {
            let at = squares.iter().position(|&letter| letter == king);
            squares[at.expect("there is one king")] = b'.';
            squares[home] = rook;
            squares[home + 4] = king;
            squares[home + 7] = rook;
        }
    }
    let has = |square: usize, letter: u8| squares[square] == letter;
    let rights: String = [
        ('K', has(60, b'K') && has(63, b'R')),
        ('Q', has(60, b'K') && has(56, b'R')),
        ('k', has(4, b'k') && has(7, b'r')),
        ('q', has(4, b'k') && has(0, b'r')),
    ]
    .into_iter()
    .filter_map(|(letter, may)| may.then_some(letter))
    .collect();
    let rights = if rights.is_empty() { "-" } else { &rights };
    let ranks: Vec<String> = squares
        .chunks(8)
        .map(|rank| {
            let mut text: String = rank.iter().map(|&letter| char::from(letter)).collect();
            for run in (1..=8).rev() {
                text = text.replace(&".".repeat(run), &run.to_string());
            }
            text
        })
        .collect();
    let side = rng.pick(&['w', 'b']);
    format!("{} {side} {rights} - 0 1", ranks.join("/"))
}

#[test]
fn games_from_thrown_pieces() {
    let mut walker = Walker::new(SEED + 5);
    let (mut accepted, mut refused) = (0, 0);
    while accepted < 600 {
        let fen = thrown(&mut walker.rng);
        if Board::from_fen(&fen).is_ok() {
            walker.walk(&fen, 12);
            accepted += 1;
        } else {
            refused += 1;
        }
    }
    println!("{accepted} accepted, {refused} refused, {:?}", walker.met);
    assert!(walker.met.double_checks > 20, "{:?}", walker.met);
    assert!(walker.met.castlings > 50, "{:?}", walker.met);
    assert!(walker.met.pins > 200, "{:?}", walker.met);
}

/// The same moves in another order lead to the same board, keys and all.
#[test]
fn transposed_move_orders_give_one_key() {
    let orders = [
        (
            Board::STARTPOS_FEN,
            "g1f3 g8f6 d2d3 d7d6 g2g3",
            "d2d3 d7d6 g2g3 g8f6 g1f3",
        ),
        // The double pushes cannot be answered en passant, so they leave nothing behind.
        (
            Board::STARTPOS_FEN,
            "e2e4 e7e5 d2d4 d7d5 a2a3 a7a6",
            "d2d4 d7d5 a2a3 e7e5 e2e4 a7a6",
        ),
        // Castling rights go once, whatever loses them.
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "a1b1 a8b8 h1g1 h8g8",
            "h1g1 h8g8 a1b1 a8b8",
        ),
    ];
    for (fen, one, other) in orders {
        let (a, b) = (common::play(fen, one), common::play(fen, other));
        assert_eq!(a.keys(), b.keys(), "{one} and {other}");
        assert_ne!(a.key(), common::board(fen).key());
    }
    let random_orders = 2_000;
    let mut rng = Rng::new(SEED + 3);
    let mut transposed = 0;
    let mut board = Board::startpos();
    for _ in 0..random_orders {
        if board.status() != Status::Ongoing || board.halfmove_clock() > 60 {
            board = common::board(rng.pick(&[KIWIPETE, Board::STARTPOS_FEN]));
        }
        let [a, b, c] = [(); 3].map(|()| rng.next_u64());
        transposed += usize::from(transpose(&board, a, b, c));
        let mv = rng.pick(&board.legal_moves());
        board.make_move(mv);
    }
    assert!(transposed > random_orders / 4, "{transposed}");
}

/// Plays first, reply, second and second, reply, first, if both are legal; compares.
fn transpose(board: &Board, a: u64, b: u64, c: u64) -> bool {
    let pick = |board: &Board, number: u64| -> Option<Move> {
        let moves = board.legal_moves();
        (!moves.is_empty()).then(|| moves[(number % moves.len() as u64) as usize])
    };
    let follow = |moves: [Move; 3]| -> Option<Board> {
        let mut after = board.clone();
        moves
            .iter()
            .all(|&mv| after.try_make_move(mv))
            .then_some(after)
    };
    let mut after = board.clone();
    let Some(first) = pick(&after, a) else {
        return false;
    };
    after.make_move(first);
    let Some(reply) = pick(&after, b) else {
        return false;
    };
    after.make_move(reply);
    let Some(second) = pick(&after, c) else {
        return false;
    };
    after.make_move(second);
    let Some(other) = follow([second, reply, first]) else {
        return false;
    };
    // A double push that comes last can leave a capture en passant behind.
    let differ = after.en_passant() != other.en_passant() || mailbox(&after) != mailbox(&other);
    if !differ {
        assert_eq!(
            after.keys(),
            other.keys(),
            "{first} {reply} {second} in {board}"
        );
    }
    !differ
}
