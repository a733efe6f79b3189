//! What the integration tests share: a small generator of random numbers, readers of the data
//! files, [`slow`], the rules of chess written a second time, and [`engine`], the real program.
//!
//! Nothing here is a test.
#![allow(dead_code)] // each test file is a crate of its own and uses a part of this

pub mod engine;
pub mod slow;

use kirin::{Board, Move, SplitMix};

/// The favourite perft position of the field: castling both ways, pins,
/// en passant and promotions soon.
pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Random numbers from a fixed seed, so that a failure comes again.
pub struct Rng(SplitMix);

impl Rng {
    pub const fn new(seed: u64) -> Rng {
        Rng(SplitMix::new(seed))
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A number that the environment may set.
pub fn from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name}: '{text}' is not a number")),
        Err(_) => default,
    }
}

/// A line of what the system tells of a process (its number, or `self`), such as `VmRSS:`, in
/// KiB; 0 where it doesn't tell.
pub fn memory_kib(process: &str, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or(0)
}

/// The rows of a table whose columns are parted by tabs, without the heading. Blanks are kept:
/// some tables hold text that begins or ends with them.
pub fn rows<const COLUMNS: usize>(
    table: &'static str,
) -> impl Iterator<Item = [&'static str; COLUMNS]> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut columns = line.split('\t');
            let row = std::array::from_fn(|_| {
                columns
                    .next()
                    .unwrap_or_else(|| panic!("too few columns: {line:?}"))
            });
            assert!(columns.next().is_none(), "too many columns: {line:?}");
            row
        })
}

/// `yes` or `no` of a table.
pub fn yes(text: &str) -> bool {
    match text {
        "yes" => true,
        "no" => false,
        _ => panic!("neither yes nor no: {text:?}"),
    }
}

/// A line of a perft suite: a FEN, and how many leaves it has at some depths.
pub struct PerftLine {
    pub fen: &'static str,
    pub counts: Vec<(u32, u64)>,
}

/// The standard-chess perft suites in `tests/data/perft`, by name.
pub const PERFT_SUITES: [(&str, &str); 8] = [
    (
        "cpw_positions",
        include_str!("../data/perft/cpw_positions.epd"),
    ),
    (
        "peterellisjones25",
        include_str!("../data/perft/peterellisjones25.epd"),
    ),
    (
        "sedlak_tricky26",
        include_str!("../data/perft/sedlak_tricky26.epd"),
    ),
    (
        "standard_ethereal128",
        include_str!("../data/perft/standard_ethereal128.epd"),
    ),
    (
        "standard_roce126",
        include_str!("../data/perft/standard_roce126.epd"),
    ),
    (
        "stockfish_perft_sh",
        include_str!("../data/perft/stockfish_perft_sh.epd"),
    ),
    (
        "tricky_legal",
        include_str!("../data/perft/tricky_legal.epd"),
    ),
    (
        "tricky_unreachable",
        include_str!("../data/perft/tricky_unreachable.epd"),
    ),
];

/// Reads a perft suite: `FEN ;D1 20 ;D2 400 ;id name`.
pub fn perft_lines(suite: &'static str) -> Vec<PerftLine> {
    suite
        .lines()
        .map(|line| {
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().expect("split gives one part at least");
            let counts = parts
                .filter_map(|part| part.strip_prefix('D'))
                .map(|part| {
                    let (depth, nodes) = part.split_once(' ').expect("a depth and a count");
                    (
                        depth.parse().expect("a depth"),
                        nodes.parse().expect("a count"),
                    )
                })
                .collect();
            PerftLine { fen, counts }
        })
        .collect()
}

/// The position of a FEN that is known to be accepted.
pub fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The legal move that `uci` means.
pub fn uci(board: &Board, uci: &str) -> Move {
    let parsed = uci
        .parse()
        .unwrap_or_else(|error| panic!("{uci}: {error} in {board}"));
    board
        .find_move(parsed)
        .unwrap_or_else(|| panic!("{uci} is not legal in {board}"))
}

/// The position after these moves, parted by blanks.
pub fn play(fen: &str, moves: &str) -> Board {
    let mut board = board(fen);
    for text in moves.split_whitespace() {
        let mv = uci(&board, text);
        board.make_move(mv);
    }
    board
}

/// The legal moves as sorted UCI text.
pub fn legal_moves(board: &Board) -> Vec<String> {
    let mut moves: Vec<String> = board.legal_moves().iter().map(Move::to_string).collect();
    moves.sort_unstable();
    moves
}
