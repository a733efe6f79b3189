//! Weeks under a GUI, compressed: commands at any moment of a search, in orders that nobody would
//! choose, and the same few things again and again in one process whose memory must not grow.
//!
//! A little of each runs with the tests. More is asked for by the environment:
//!
//! ```text
//! KIRIN_SOAK_SESSIONS=2000 KIRIN_SOAK_CYCLES=100000 KIRIN_SOAK_SEARCHES=10000 \
//!     cargo test --release --test soak -- --nocapture --test-threads 1
//! ```

mod common;

use common::engine::{count, Engine};
use common::{from_environment, memory_kib, Rng, KIWIPETE};
use kirin::uci::{Command as Parsed, Position};
use kirin::{Board, Variant};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const POSITIONS: &[&str] = &[
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    "position fen 8/8/8/8/8/4k3/8/4K2r w - - 99 120",
    // Refused.
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position startpos moves e2e5",
];

const OPTIONS: &[&str] = &[
    "Hash value 1",
    "Hash value 3",
    "Hash value 16",
    "Hash value 0",
    "Clear Hash",
    "Threads value 1",
    "Threads value 2",
    "Threads value 5",
    "MultiPV value 1",
    "MultiPV value 4",
    "MultiPV value 256",
    "UCI_ShowWDL value true",
    "UCI_ShowWDL value false",
    "UCI_LimitStrength value true",
    "UCI_LimitStrength value false",
    "UCI_Elo value 1800",
    "Skill Level value 0",
    "Skill Level value 20",
    "nodestime value 50",
    "nodestime value 0",
    "Move Overhead value 0",
    "Ponder value true",
    "No Such value 1",
];

/// Each of these is answered by one `bestmove`; the last ones wait to be stopped.
const SEARCHES: &[&str] = &[
    "go depth 1",
    "go depth 6",
    "go depth 0",
    "go nodes 1",
    "go nodes 3000",
    "go movetime 0",
    "go movetime 15",
    "go wtime 100 btime 100 winc 1 binc 1",
    "go wtime 0 btime -1",
    "go mate 1 depth 4",
    "go depth 3 searchmoves e2e4 a7a8 e1g1",
    "go infinite",
    "go",
    "go movetime 300",
    "go ponder wtime 50 btime 50",
    "go ponder depth 3",
];

const OTHERS: &[&str] = &[
    "isready",
    "isready",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "ucinewgame",
    "uci",
    "d",
    "eval",
    "help",
    "go perft 2",
    "bench 1",
    "debug on",
    "quux \u{fffd}",
    "",
];

/// Everything that is said at one moment or another must be heard, and answered as often as it
/// should be: one session, to its end.
fn session(seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let mut engine = Engine::of(Command::new(env!("CARGO_BIN_EXE_kirin")).stderr(Stdio::piped()));
    let mut position = Position::new(Board::startpos());
    // The boards of the searches that were asked for, in their order.
    let mut asked = Vec::new();
    let (mut ready, mut sent) = (0, Vec::new());
    for _ in 0..rng.below(60) {
        let line = match rng.below(8) {
            0 => rng.pick(POSITIONS).to_string(),
            1 => format!("setoption name {}", rng.pick(OPTIONS)),
            2..=4 => rng.pick(SEARCHES).to_string(),
            _ => rng.pick(OTHERS).to_string(),
        };
        match Parsed::parse(line.as_bytes()) {
            Parsed::Position(text) => {
                if let Ok(read) = text.read_as(Variant::Standard) {
                    position = read;
                }
            }
            Parsed::Go(_) if SEARCHES.contains(&line.as_str()) => {
                asked.push(position.board.clone())
            }
            Parsed::IsReady => ready += 1,
            _ => {}
        }
        engine.send(&line);
        sent.push(line);
        match rng.below(6) {
            0 => thread::sleep(Duration::from_micros(rng.next_u64() % 20_000)),
            1 => thread::sleep(Duration::from_micros(rng.next_u64() % 500)),
            _ => {}
        }
    }
    if rng.below(2) == 0 {
        engine.send("quit");
    } else {
        engine.close_input();
    }
    let stderr = engine.child.stderr.take().expect("piped");
    let (status, heard) = engine.end();
    let complaint = std::io::read_to_string(stderr).expect("our text is UTF-8");
    let context = || format!("seed {seed}: {sent:#?}\n{heard:#?}\n{complaint}");
    assert!(
        status.success() && complaint.is_empty(),
        "{status} {}",
        context()
    );
    assert_eq!(count(&heard, "readyok"), ready, "{}", context());
    // Those that were refused are among those that were asked for, but which is not said: the
    // answers must be moves of boards that follow each other in the order of the questions.
    let refused = count(&heard, "info string error: 'go' is ignored");
    let refused_perft = sent.iter().filter(|line| *line == "go perft 2").count();
    let answers = count(&heard, "bestmove ");
    assert!(
        answers <= asked.len() && answers + refused >= asked.len(),
        "{}",
        context()
    );
    assert!(
        answers + refused <= asked.len() + refused_perft,
        "{}",
        context()
    );
    let mut boards = asked.iter();
    for line in heard.iter().filter(|line| line.starts_with("bestmove ")) {
        let mv = line.split(' ').nth(1).expect("a move");
        let fits = |board: &&Board| match mv.parse() {
            Ok(mv) => board.find_move(mv).is_some(),
            Err(_) => mv == "(none)" && board.legal_moves().is_empty(),
        };
        assert!(boards.any(|board| fits(&board)), "{line} {}", context());
    }
    answers
}

#[test]
fn any_command_at_any_moment() {
    let sessions = from_environment("KIRIN_SOAK_SESSIONS", 40);
    let begun = Instant::now();
    let mut answers = 0;
    for seed in 0..sessions {
        answers += session(seed);
    }
    assert!(answers as u64 > sessions);
    let seconds = begun.elapsed().as_secs_f64();
    println!("{sessions} sessions, {answers} searches, {seconds:.0} s");
}

/// Checks that a tenth of the work and all of it need the same memory, and says so.
struct Memory {
    at_first: u64,
    most: u64,
}

impl Memory {
    const GROWTH_KIB: u64 = 4_096;

    fn look(&mut self, engine: &Engine, done: u64, all: u64) {
        if done == all / 10 {
            self.at_first = memory_kib(&engine.child.id().to_string(), "VmRSS:");
        }
        if done % 1_000 == 0 || done + 1 == all {
            self.most = self
                .most
                .max(memory_kib(&engine.child.id().to_string(), "VmRSS:"));
        }
    }

    fn report(&self, what: &str, begun: Instant) {
        let (at_first, most) = (self.at_first, self.most);
        let seconds = begun.elapsed().as_secs_f64();
        println!("{what}, {seconds:.0} s, memory {at_first} KiB after a tenth, {most} KiB at most");
        assert!(
            most <= at_first + Memory::GROWTH_KIB,
            "{at_first} KiB, {most} KiB"
        );
    }
}

#[test]
fn go_and_stop_again_and_again() {
    let cycles = from_environment("KIRIN_SOAK_CYCLES", 500);
    let mut engine = Engine::start();
    let mut memory = Memory {
        at_first: 0,
        most: 0,
    };
    let begun = Instant::now();
    for cycle in 0..cycles {
        engine.send(if cycle % 2 == 0 {
            "go infinite\nstop"
        } else {
            "go ponder\nisready\nstop"
        });
        engine.expect("bestmove ");
        assert_eq!(count(&engine.heard, "bestmove "), 1);
        engine.heard.clear();
        memory.look(&engine, cycle, cycles);
    }
    memory.report(&format!("{cycles} cycles of go and stop"), begun);
    assert_eq!(count(&engine.quit(), "bestmove "), 0);
}

#[test]
fn short_searches_again_and_again() {
    let searches = from_environment("KIRIN_SOAK_SEARCHES", 200);
    let mut rng = Rng::new(5);
    let mut engine = Engine::start();
    let mut memory = Memory {
        at_first: 0,
        most: 0,
    };
    let begun = Instant::now();
    let mut board = Board::from_fen(KIWIPETE).expect("FEN");
    for search in 0..searches {
        // A random game, and another after it.
        let moves = board.legal_moves();
        if moves.is_empty() || board.halfmove_clock() > 60 || search % 40 == 0 {
            board = Board::startpos();
            engine.send("ucinewgame");
        } else {
            board.make_move(moves[rng.below(moves.len())]);
        }
        engine.send(&format!("position fen {board}"));
        engine.send(rng.pick(&[
            "go nodes 2000",
            "go depth 4",
            "go movetime 3",
            "go wtime 100 btime 100",
        ]));
        engine.expect("bestmove ");
        assert_eq!(count(&engine.heard, "bestmove "), 1);
        engine.heard.clear();
        memory.look(&engine, search, searches);
    }
    memory.report(&format!("{searches} searches"), begun);
    assert_eq!(count(&engine.quit(), "bestmove "), 0);
}
