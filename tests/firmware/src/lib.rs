//! A UCI session for a small machine: no heap, no thread, one wire. What the machine is like
//! stands in [`Machine`]; the same session runs on a microcontroller and on a desktop.
#![no_std]

use core::fmt::Write;
use kirin::search::{Host, Info, Strength};
use kirin::uci::answer::{BestMove, BoardView, InfoLine, AUTHOR, NAME};
use kirin::uci::{
    Command, Excerpt, GoText, Position, PositionText, SetOption, Tokens, DEFAULT_MOVE_OVERHEAD_MS,
};
use kirin::{bench, Board, Cluster, Searcher, TakeOnce, TranspositionTable};

/// The search's memory: all zero bytes, so it lies in `.bss`.
#[no_mangle]
pub static KIRIN_SEARCHER: TakeOnce<Searcher> = TakeOnce::new(Searcher::new());

/// The hash table's memory: 32 KiB, likewise.
#[no_mangle]
pub static KIRIN_HASH: TakeOnce<[Cluster; 1024]> = TakeOnce::new([const { Cluster::new() }; 1024]);

/// The longest line that is understood, in bytes: a game of three hundred moves.
pub const LINE_BYTES: usize = 2048;

/// A machine to play on: a wire to write to and read from, and a clock.
pub trait Machine: Write {
    /// The next line, without its end, waited for; `None` when there will be no more. What does
    /// not fit into `buffer` is cut off.
    fn read_line<'a>(&mut self, buffer: &'a mut [u8; LINE_BYTES]) -> Option<&'a [u8]>;

    /// Milliseconds since some moment.
    fn now_ms(&mut self) -> u64;

    /// Has a command arrived that ends a search?
    fn stop_requested(&mut self) -> bool;
}

/// What a search sees of the machine.
struct Listener<'a, M> {
    machine: &'a mut M,
    begun_ms: u64,
    quiet: bool,
}

impl<M: Machine> Host for Listener<'_, M> {
    fn elapsed_ms(&mut self) -> u64 {
        self.machine.now_ms() - self.begun_ms
    }

    fn stopped(&mut self) -> bool {
        self.machine.stop_requested()
    }

    fn report(&mut self, info: &Info<'_>) {
        if !self.quiet {
            let info = *info;
            say(
                self.machine,
                InfoLine {
                    info,
                    tbhits: 0,
                    wdl: None,
                },
            );
        }
    }
}

fn say(machine: &mut impl Machine, what: impl core::fmt::Display) {
    // A wire that nobody listens to is no reason to stop.
    let _ = writeln!(machine, "{what}");
}

/// Plays until `quit` or the end of input. `table` is the memory of the hash table.
pub fn play<M: Machine>(machine: &mut M, searcher: &mut Searcher, table: &[Cluster]) {
    let mut position = Position::new(Board::startpos());
    let mut searches = 0;
    let mut level = Strength::FULL_LEVEL;
    let mut buffer = [0; LINE_BYTES];
    while let Some(line) = machine.read_line(&mut buffer) {
        match Command::parse(line) {
            Command::Uci => {
                let _ = writeln!(
                    machine,
                    "id name {NAME}\nid author {AUTHOR}\n\
                     option name Skill Level type spin default {FULL_SKILL} min 0 max {FULL_SKILL}\n\
                     uciok"
                );
            }
            Command::IsReady => say(machine, "readyok"),
            Command::NewGame => {
                searcher.clear();
                TranspositionTable::new(table).clear();
            }
            Command::Position(text) => set_position(machine, &text, &mut position),
            Command::Go(text) => {
                searches += 1;
                let table = TranspositionTable::new(table).with_age(searches);
                go(machine, &text, &position, searcher, table, level);
            }
            Command::Bench(words) => run_bench(machine, words, searcher, table),
            Command::Show => say(machine, BoardView(&position.board)),
            Command::Quit => return,
            Command::SetOption(option) => match skill(&option) {
                Some(wanted) => level = wanted,
                None => complain(machine, "setoption: there is Skill Level, from 0 to 20"),
            },
            Command::Unknown(word) => {
                complain(machine, format_args!("unknown command '{}'", Excerpt(word)));
            }
            // `stop` without a search, and the like.
            _ => {}
        }
    }
}

/// The engine's own strength, in GUIs that know the option by this name.
const FULL_SKILL: u32 = Strength::FULL_LEVEL;

/// The level that an option means, if it is the one there is.
fn skill(option: &SetOption<'_>) -> Option<u32> {
    let level: u32 = core::str::from_utf8(option.value?).ok()?.parse().ok()?;
    if !option.name.eq_ignore_ascii_case(b"Skill Level") {
        return None;
    }
    (level <= FULL_SKILL).then_some(level)
}

fn complain(machine: &mut impl Machine, error: impl core::fmt::Display) {
    say(machine, format_args!("info string error: {error}"));
}

// These are not inlined, so that what they put on the stack is there no longer than they are.

#[inline(never)]
fn set_position(machine: &mut impl Machine, text: &PositionText<'_>, position: &mut Position) {
    match text.read() {
        Ok(read) => *position = read,
        Err(error) => complain(machine, error),
    }
}

#[inline(never)]
fn go<M: Machine>(
    machine: &mut M,
    text: &GoText<'_>,
    position: &Position,
    searcher: &mut Searcher,
    table: TranspositionTable<'_>,
    level: u32,
) {
    let begun_ms = machine.now_ms();
    let go = text.read(|error| complain(machine, error));
    if go.perft.is_some() || go.perft_is_unclear {
        return complain(machine, "go perft: not on this machine");
    }
    let overhead = u64::from(DEFAULT_MOVE_OVERHEAD_MS);
    let mut limits = go.limits(&position.board, overhead, |error| complain(machine, error));
    let mut host = Listener {
        machine: &mut *machine,
        begun_ms,
        quiet: false,
    };
    // What lies between two moves of a person is as good a seed as any.
    limits.strength = Strength::of_level(level, begun_ms);
    let Position { board, history } = position;
    let outcome = searcher.search(board, history, &limits, table, &mut host);
    while go.waits_for_stop() && !machine.stop_requested() {}
    say(machine, BestMove(&outcome));
}

#[inline(never)]
fn run_bench<M: Machine>(
    machine: &mut M,
    mut words: Tokens<'_>,
    searcher: &mut Searcher,
    table: &[Cluster],
) {
    let depth = match words.next() {
        None => Some(bench::DEFAULT_DEPTH),
        Some(word) => core::str::from_utf8(word)
            .ok()
            .and_then(|word| word.parse().ok()),
    };
    let Some(depth) = depth else {
        return complain(machine, "bench: its depth is a number");
    };
    let begun_ms = machine.now_ms();
    let mut host = Listener {
        machine: &mut *machine,
        begun_ms,
        quiet: true,
    };
    let table = TranspositionTable::new(table);
    let nodes = bench::run(searcher, table, depth, &mut host, |_| (), |_| ());
    let time = machine.now_ms() - begun_ms;
    say(machine, format_args!("bench: {nodes} nodes {time} ms"));
}
