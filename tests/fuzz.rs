//! Texts that nobody should send, made from texts that people do: lines of UCI, FENs and SAN,
//! opening books and endgame tables, mutated from a fixed seed. What is asked of each is that nothing panics, that nothing takes
//! long, and that whatever is accepted is sound.
//!
//! A few thousand run with the tests. More are asked for by the environment:
//!
//! ```text
//! KIRIN_FUZZ_INPUTS=10000000 cargo test --release --test fuzz -- --nocapture
//! ```
//!
//! `KIRIN_FUZZ_SEED` chooses other ones. An input that fails is printed, with its number.

mod common;

use common::{from_environment, memory_kib, rows, Rng};
use kirin::book::{self, Book};
use kirin::eval::evaluate;
use kirin::search::{Limits, Strength};
use kirin::syzygy::{self, Kind, Material, Symbol, Table, Tables};
use kirin::uci::answer::BoardView;
use kirin::uci::{Command, EvalView, Position, Setting};
use kirin::{perft, Board, Cluster, Searcher, TranspositionTable, Variant};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

const QUICK_INPUTS: u64 = 30_000;
/// How many formats there are.
const TARGETS: usize = 5;
/// One input may take so long on the busiest machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// What a run may add to the memory that its first tenth has used.
const MEMORY_GROWTH_KIB: u64 = 8_192;

/// What people send. Each word of these is also known to the mutations.
const LINES: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "flip",
    "help",
    "debug on",
    "register later",
    "bench 3",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1",
    "position startpos moves e2e4 d7d5 e4e5 f7f5 e5f6 e8f7 f6g7 f7e8 g7h8q",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen 8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1 moves e4d3",
    "position fen rk6/8/8/8/8/8/8/RK6 w Aa - 0 1 moves b1a1 b8a8",
    "position fen 4k3/P7/8/8/8/8/7p/4K3 w - -",
    "go",
    "go infinite",
    "go depth 5",
    "go nodes 100 searchmoves e2e4 d2d4",
    "go movetime 10",
    "go wtime 1000 btime 1000 winc 10 binc 10 movestogo 40",
    "go ponder wtime -5 btime 99999999999999999999",
    "go mate 3",
    "go perft 3",
    "setoption name Hash value 16",
    "setoption name Clear Hash",
    "setoption name Threads value 2",
    "setoption name MultiPV value 256",
    "setoption name Move Overhead value 5000",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name Ponder value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name UCI_AnalyseMode value false",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_Elo value 1500",
    "setoption name Skill Level value 3",
    "setoption name nodestime value 600",
    "setoption name Debug Log File value <empty>",
    "setoption name UCI_EngineAbout value x",
];

/// Pieces of text that have broken programs before.
const PIECES: &[&[u8]] = &[
    b"0",
    b"-1",
    b"256",
    b"65536",
    b"2147483648",
    b"-9223372036854775808",
    b"18446744073709551616",
    b"99999999999999999999999999999999",
    b"\0",
    b"\xff",
    b"\xc3\xa9",
    b"\xef\xbb\xbf",
    b"\r",
    b"\t",
    b" ",
    b"/",
    b"//",
    b"8",
    b"9",
    b"k",
    b"K",
    b"p",
    b"P",
    b"q",
    b"w",
    b"b",
    b"-",
    b"KQkq",
    b"HAha",
    b"e3",
    b"d6",
    b"a9",
    b"0000",
    b"e1g1",
    b"e1h1",
    b"a7a8q",
    b"a7a8k",
    b"O-O",
    b"O-O-O",
    b"0-0",
    b"=Q",
    b"+",
    b"#",
    b"x",
    b"e.p.",
    b"!?",
    b"moves",
    b"fen",
    b"value",
    b"name",
];

/// Other files' formats have a place here: a name, the texts to begin with, and what is done
/// with each mutated one.
struct Target {
    name: &'static str,
    corpus: Vec<Vec<u8>>,
    /// A text made for the moment, in place of one of the corpus.
    fitting: fn(&mut Bench) -> Option<Vec<u8>>,
    run: fn(&mut Bench, &[u8]) -> bool,
}

/// What the targets keep between inputs.
struct Bench {
    rng: Rng,
    position: Position,
    variant: Variant,
    settings: Limits,
    searcher: Box<Searcher>,
    memory: Vec<Cluster>,
    text: String,
}

impl Bench {
    fn shown(&mut self, value: impl std::fmt::Display) {
        self.text.clear();
        write!(self.text, "{value}").expect("a string takes everything");
        assert!(!self.text.contains('\n'), "an error of two lines");
        assert!(self.text.is_ascii() && self.text.len() < 400);
    }

    fn search(&mut self, limits: &Limits) {
        let limits = Limits {
            depth: Some(limits.depth.unwrap_or(u32::MAX).min(4)),
            nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(200)),
            ..limits.clone()
        };
        let table = TranspositionTable::new(&self.memory);
        let Position { board, history } = &self.position;
        let outcome = self
            .searcher
            .search(board, history, &limits, table, &mut ());
        match outcome.best {
            Some(mv) => assert!(board.is_legal(mv)),
            None => assert!(board.legal_moves().is_empty()),
        }
    }
}

/// A line of UCI: does what a program would, but for the waiting. Was it understood?
fn uci(bench: &mut Bench, line: &[u8]) -> bool {
    match Command::parse(line) {
        Command::SetOption(option) => match option.read() {
            Ok(setting) => {
                match setting {
                    Setting::Chess960(true) => bench.variant = Variant::Chess960,
                    Setting::Chess960(false) => bench.variant = Variant::Standard,
                    Setting::MultiPv(lines) => bench.settings.multipv = lines,
                    Setting::Elo(elo) => bench.settings.strength = Some(Strength::of_elo(elo, 1)),
                    Setting::SkillLevel(level) => {
                        bench.settings.strength = Strength::of_level(level, 1);
                    }
                    Setting::NodesTime { nodes_per_ms } => {
                        bench.settings.nodes_per_ms = nodes_per_ms;
                    }
                    _ => {}
                }
                true
            }
            Err(error) => {
                bench.shown(error);
                false
            }
        },
        Command::Position(text) => match text.read_as(bench.variant) {
            Ok(position) => {
                sound(&position.board);
                bench.position = position;
                true
            }
            Err(error) => {
                bench.shown(error);
                false
            }
        },
        Command::Go(text) => {
            let mut errors = Vec::new();
            let go = text.read(|error| errors.push(error.to_string()));
            let overhead = bench.rng.next_u64() >> bench.rng.below(64);
            let limits = go.limits(&bench.position.board, overhead, |error| {
                errors.push(error.to_string());
            });
            let understood = errors.is_empty();
            errors.into_iter().for_each(|error| bench.shown(error));
            assert!(limits.latest_end_ms() != Some(0));
            if let Some(depth) = go.perft.filter(|_| bench.rng.below(16) == 0) {
                assert!(perft(&bench.position.board, depth.min(1)) <= 218);
            }
            if bench.rng.below(64) == 0 {
                let (multipv, strength) = (bench.settings.multipv, bench.settings.strength);
                let nodes_per_ms = bench.settings.nodes_per_ms;
                bench.search(&Limits {
                    multipv,
                    strength,
                    nodes_per_ms,
                    ..limits
                });
            }
            understood
        }
        Command::Show => {
            bench.text.clear();
            write!(bench.text, "{}", BoardView(&bench.position.board)).is_ok()
        }
        Command::Eval => {
            bench.text.clear();
            bench.rng.below(16) > 0
                || write!(bench.text, "{}", EvalView(&bench.position.board)).is_ok()
        }
        Command::Flip => {
            let flipped = bench.position.board.flipped();
            assert!(flipped.flipped() == bench.position.board);
            bench.position = Position::new(flipped);
            true
        }
        Command::Unknown(word) => {
            bench.shown(kirin::uci::Excerpt(word));
            false
        }
        Command::Empty => false,
        _ => true,
    }
}

/// What holds for every board that is accepted.
fn sound(board: &Board) {
    assert_eq!(*board.keys(), board.recompute_keys());
    let moves = board.legal_moves();
    assert!(moves.len() <= 218);
    let written = board.to_string();
    let read = match board.variant() {
        Variant::Standard => Board::from_fen(&written),
        Variant::Chess960 => Board::from_chess960_fen(&written),
    };
    let read = read.unwrap_or_else(|error| panic!("our own FEN {written}: {error}"));
    assert!(read == *board, "{written}");
}

fn fen(bench: &mut Bench, text: &[u8]) -> bool {
    let chess960 = bench.rng.below(2) == 1;
    let (lenient, variant) = if chess960 {
        (Board::from_chess960_fen_lenient(text), Variant::Chess960)
    } else {
        (Board::from_fen_lenient(text), Variant::Standard)
    };
    if let (false, Ok(strict)) = (chess960, Board::from_fen_bytes(text)) {
        // Strictness refuses more and reads nothing otherwise.
        assert!(lenient.as_ref() == Ok(&strict));
    }
    let board = match lenient {
        Ok(board) => board,
        Err(error) => {
            bench.shown(error);
            return false;
        }
    };
    assert!(board.variant() == variant);
    sound(&board);
    assert!(evaluate(&board).abs() <= kirin::Score::MAX_EVAL);
    let moves = board.legal_moves();
    if let Some(&mv) = moves.get(bench.rng.below(moves.len().max(1))) {
        let mut after = board.clone();
        after.make_move(mv);
        sound(&after);
    }
    bench.position = Position::new(board);
    if bench.rng.below(64) == 0 {
        bench.search(&Limits::default());
    }
    true
}

/// A legal move's text.
fn fitting_san(bench: &mut Bench) -> Option<Vec<u8>> {
    let board = &bench.position.board;
    let moves = board.legal_moves();
    let mv = *moves.get(bench.rng.below(2 * moves.len().max(1)))?;
    Some(board.san(mv).to_string().into_bytes())
}

/// A move's text, on whatever board was accepted last.
fn san(bench: &mut Bench, text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    let board = &bench.position.board;
    match board.parse_san(text) {
        Ok(mv) => {
            assert!(board.is_legal(mv), "{text}");
            assert_eq!(
                board.parse_san(&board.san(mv).to_string()),
                Ok(mv),
                "{text}"
            );
            let mut board = board.clone();
            board.make_move(mv);
            bench.position = Position::new(board);
            true
        }
        Err(error) => {
            bench.text.clear();
            write!(bench.text, "{error}").expect("a string takes everything");
            assert!(bench.text.len() < 400, "{}", bench.text.len());
            false
        }
    }
}

/// A book with moves for the starting position. Was there one that can be played?
fn polyglot(bench: &mut Bench, bytes: &[u8]) -> bool {
    let start = Board::startpos();
    let Ok(book) = Book::new(bytes) else {
        return false;
    };
    let mv = book
        .choose(&start, bench.rng.next_u64())
        .expect("in memory");
    assert!(mv.is_none_or(|mv| start.is_legal(mv)));
    mv.is_some()
}

/// Entries of the starting position and of others.
fn fitting_book(bench: &mut Bench) -> Option<Vec<u8>> {
    let key = book::key(&Board::startpos());
    let mut bytes = Vec::new();
    for _ in 0..=bench.rng.below(6) {
        let bits = bench.rng.next_u64();
        // A pawn's step or two, from its rank.
        let mv = (16 + 8 * (bits % 2) + bits % 8) | (8 + bits % 8) << 6;
        let key = if bits >> 60 > 5 { key } else { bits };
        bytes.extend(key.to_be_bytes());
        bytes.extend((mv << 48 | (bits >> 32 & 0xffff) << 32).to_be_bytes());
    }
    Some(bytes)
}

/// Tables that are small enough to be changed everywhere, and a position of each.
static ENDGAMES: [(&str, Kind, &[u8], &str); 6] = [
    (
        "KRvK",
        Kind::Wdl,
        include_bytes!("data/syzygy/KRvK.rtbw"),
        "8/8/3k4/8/8/2R5/8/4K3 b - - 0 1",
    ),
    (
        "KQvK",
        Kind::Wdl,
        include_bytes!("data/syzygy/KQvK.rtbw"),
        "8/8/3k4/8/8/2Q5/8/4K3 w - - 0 1",
    ),
    (
        "KNvKN",
        Kind::Wdl,
        include_bytes!("data/syzygy/KNvKN.rtbw"),
        "7k/5n2/8/8/8/2N5/8/4K3 w - - 0 1",
    ),
    (
        "KNvKN",
        Kind::Dtz,
        include_bytes!("data/syzygy/KNvKN.rtbz"),
        "7k/5n2/8/8/8/2N5/8/4K3 w - - 0 1",
    ),
    (
        "KRvKR",
        Kind::Dtz,
        include_bytes!("data/syzygy/KRvKR.rtbz"),
        "7k/8/5r2/8/8/2R5/8/4K3 w - - 0 1",
    ),
    (
        "KPvK",
        Kind::Dtz,
        include_bytes!("data/syzygy/KPvK.rtbz"),
        "8/8/3k4/8/8/2P5/8/4K3 w - - 0 1",
    ),
];

/// A table's number in [`ENDGAMES`], and the table.
fn endgame_tables() -> Vec<Vec<u8>> {
    let numbered = ENDGAMES.iter().zip(0u8..);
    numbered
        .map(|((_, _, bytes, _), number)| [&[number], *bytes].concat())
        .collect()
}

/// One table for whatever is asked.
struct OneTable<'a>(Table<&'a [u8], Vec<Symbol>>);

impl<'a> Tables for OneTable<'a> {
    type Source = &'a [u8];
    type Symbols = Vec<Symbol>;

    fn table(&self, kind: Kind, material: Material) -> Option<&Table<&'a [u8], Vec<Symbol>>> {
        (self.0.kind() == kind && self.0.material() == material).then_some(&self.0)
    }
}

/// Was the table taken? Whatever it then says, right or wrong, it says soon.
fn endgame_table(bench: &mut Bench, bytes: &[u8]) -> bool {
    let Some((number, bytes)) = bytes.split_first() else {
        return false;
    };
    let (name, kind, _, fen) = ENDGAMES[usize::from(*number) % ENDGAMES.len()];
    let material = Material::from_name(name).expect("some men");
    match Table::new(bytes, kind, material, |symbols| vec![Symbol::NONE; symbols]) {
        Ok(table) => {
            let board = Board::from_fen(fen).expect("FEN");
            let table = OneTable(table);
            let (_, _) = (
                syzygy::probe_wdl(&table, &board),
                syzygy::probe_dtz(&table, &board),
            );
            true
        }
        Err(error) => {
            bench.shown(error);
            false
        }
    }
}

fn targets() -> [Target; TARGETS] {
    let fens = || {
        let lists = [
            include_str!("data/fen/valid.sfens"),
            include_str!("data/fen/invalid.tsv"),
            include_str!("data/fen/accept_reject.tsv"),
            include_str!("data/fen/xfen_shredder.tsv"),
            include_str!("data/san_cases.tsv"),
        ];
        lists.into_iter().flat_map(str::lines).filter_map(|line| {
            let fen = line.split('\t').next()?;
            (!fen.starts_with('#')).then(|| fen.as_bytes().to_vec())
        })
    };
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for fen in fens().step_by(40) {
        lines.push([b"position fen ", &fen[..]].concat());
    }
    // As many of each sort, so that the short ones aren't forgotten.
    for _ in 0..=lines.len() / LINES.len() {
        lines.extend(LINES.iter().map(|line| line.as_bytes().to_vec()));
    }
    let sans = rows::<3>(include_str!("data/san_cases.tsv")).map(|[_, _, san]| san);
    let refused = rows::<3>(include_str!("data/san_refused.tsv")).map(|[_, san, _]| san);
    let usual = [
        "e4", "Nf3", "O-O", "exd5", "Qxf7#", "Rad1", "N1c3", "e8=Q", "Kd2", "a6", "d5",
    ];
    let sans = sans.chain(refused).chain(usual);
    [
        Target {
            name: "UCI",
            corpus: lines,
            fitting: |_| None,
            run: uci,
        },
        Target {
            name: "FEN",
            corpus: fens().collect(),
            fitting: |_| None,
            run: fen,
        },
        Target {
            name: "SAN",
            corpus: sans.map(|san| san.as_bytes().to_vec()).collect(),
            fitting: fitting_san,
            run: san,
        },
        Target {
            name: "Polyglot",
            corpus: vec![Vec::new()],
            fitting: fitting_book,
            run: polyglot,
        },
        Target {
            name: "Syzygy",
            corpus: endgame_tables(),
            fitting: |_| None,
            run: endgame_table,
        },
    ]
}

/// Changes the text in some places, or in none.
fn mutate(rng: &mut Rng, text: &mut Vec<u8>, corpus: &[Vec<u8>]) {
    const LONGEST: usize = 8_192;
    // Half of them are changed once or not at all: deep places are reached by what is nearly
    // right.
    let changes = [0, 1, 1, 1, 2, 2, 3, 8][rng.below(8)];
    for _ in 0..changes {
        let at = rng.below(text.len() + 1);
        let end = at + rng.below((text.len() - at).min(12) + 1);
        let other = &corpus[rng.below(corpus.len())];
        match rng.below(10) {
            0 if at < text.len() => text[at] ^= 1 << rng.below(8),
            1 if at < text.len() => text[at] = rng.next_u64() as u8,
            2 => drop(text.drain(at..end)),
            3 => text.truncate(at),
            4 => {
                // A piece again, once or many times.
                let piece = text[at..end].to_vec();
                let times = [1, 1, 2, 300][rng.below(4)];
                let piece = piece.repeat(times);
                text.splice(at..at, piece);
            }
            5 => {
                // The end of another.
                let from = rng.below(other.len() + 1);
                text.truncate(at);
                text.extend_from_slice(&other[from..]);
            }
            6 => {
                // A word in another's place.
                let words: Vec<&[u8]> = other.split(|&byte| byte == b' ').collect();
                let word = words[rng.below(words.len())].to_vec();
                let mut own: Vec<&[u8]> = text.split(|&byte| byte == b' ').collect();
                let place = rng.below(own.len());
                own[place] = &word;
                *text = own.join(&b' ');
            }
            7 => {
                // Two words exchanged.
                let mut own: Vec<&[u8]> = text.split(|&byte| byte == b' ').collect();
                let (a, b) = (rng.below(own.len()), rng.below(own.len()));
                own.swap(a, b);
                *text = own.join(&b' ');
            }
            _ => {
                let piece = PIECES[rng.below(PIECES.len())];
                let replaced = if rng.below(2) == 0 { at..end } else { at..at };
                text.splice(replaced, piece.iter().copied());
            }
        }
        text.truncate(LONGEST);
    }
}

/// Ends the whole program with the input that doesn't end, since nothing else would show it.
struct Watch {
    number: AtomicU64,
    over: AtomicBool,
    input: Mutex<Vec<u8>>,
}

impl Watch {
    fn look(&self) {
        let mut last = (u64::MAX, Instant::now());
        while !self.over.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(20));
            let number = self.number.load(Ordering::Acquire);
            if number != last.0 {
                last = (number, Instant::now());
            } else if last.1.elapsed() > PATIENCE {
                let input = self.input.lock().expect("nobody panics with it");
                eprintln!("input {number} takes forever: \"{}\"", input.escape_ascii());
                std::process::abort();
            }
        }
    }
}

#[test]
fn nothing_that_is_sent_breaks_anything() {
    let inputs = from_environment("KIRIN_FUZZ_INPUTS", QUICK_INPUTS);
    let seed = from_environment("KIRIN_FUZZ_SEED", 0x5eed);
    let targets = targets();
    let mut bench = Bench {
        rng: Rng::new(seed),
        position: Position::new(Board::startpos()),
        variant: Variant::Standard,
        settings: Limits::default(),
        searcher: Box::new(Searcher::new()),
        memory: (0..1024).map(|_| Cluster::new()).collect(),
        text: String::new(),
    };
    let watch = Watch {
        number: AtomicU64::new(0),
        over: AtomicBool::new(false),
        input: Mutex::new(Vec::new()),
    };
    let begun = Instant::now();
    let (mut understood, mut refused) = ([0_u64; TARGETS], [0_u64; TARGETS]);
    let mut memory_at_first = 0;
    let outcome = thread::scope(|scope| {
        scope.spawn(|| watch.look());
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for number in 0..inputs {
                let which = bench.rng.below(targets.len());
                let target = &targets[which];
                let at = bench.rng.below(target.corpus.len());
                let text = (target.fitting)(&mut bench);
                let text = text.as_ref().unwrap_or(&target.corpus[at]);
                {
                    let mut input = watch.input.lock().expect("nobody panics with it");
                    input.clone_from(text);
                    mutate(&mut bench.rng, &mut input, &target.corpus);
                }
                watch.number.store(number, Ordering::Release);
                let input = watch.input.lock().expect("nobody panics with it").clone();
                if (target.run)(&mut bench, &input) {
                    understood[which] += 1;
                } else {
                    refused[which] += 1;
                }
                if number == inputs / 10 {
                    memory_at_first = memory_kib("self", "VmRSS:");
                }
            }
        }));
        watch.over.store(true, Ordering::Release);
        outcome
    });
    if let Err(panic) = outcome {
        let input = watch.input.lock().expect("nobody panics with it");
        let number = watch.number.load(Ordering::Acquire);
        eprintln!(
            "input {number} of seed {seed}: \"{}\"",
            input.escape_ascii()
        );
        std::panic::resume_unwind(panic);
    }
    let memory = memory_kib("self", "VmRSS:");
    let peak = memory_kib("self", "VmHWM:");
    for (which, target) in targets.iter().enumerate() {
        let (name, understood, refused) = (target.name, understood[which], refused[which]);
        println!("{name}: {understood} understood, {refused} refused");
        // Neither is the fuzzer's work all in vain, nor all too easy.
        let least = inputs / targets.len() as u64 / 50;
        assert!(understood >= least && refused >= least, "{name}");
    }
    println!(
        "{inputs} inputs, seed {seed}, {:.0} s, memory {memory_at_first} KiB at first and {memory} \
         KiB at last, peak {peak} KiB",
        begun.elapsed().as_secs_f64()
    );
    assert!(memory <= memory_at_first + MEMORY_GROWTH_KIB);
}
