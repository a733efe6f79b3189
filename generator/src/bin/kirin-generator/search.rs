//! The dense search as a command: jobs over threads and shards, saved as they end; and joining what shards found.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use kirin_generator::dense::{job, known, packed_to_text, squares, Best, Keys, Plan};
use kirin_generator::geometry::{relevant_mask, square_name, Piece};
use kirin_generator::packing::{anneal, Packed};
use kirin_generator::table::Fnv;
use kirin_generator::{Layout, VERSION};

use crate::options::Options;
use crate::{print, Failure};

/// How often the file is written.
const SAVE_EVERY: Duration = Duration::from_secs(3);
/// How often progress is told where there is no terminal to redraw a line on.
const TELL_EVERY: Duration = Duration::from_secs(30);
const REDRAW_EVERY: Duration = Duration::from_millis(500);

/// Tests without a `--budget`.
const DEFAULT_BUDGET: u64 = 1_000_000_000;

/// What a file of found magics says, and how far the search has come.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    /// Which search it belongs to.
    plan: u64,
    /// What chose it, for people.
    command: String,
    /// Which part of the jobs this file is about: number `shard` of `shards`, counted from 1.
    shard: u64,
    shards: u64,
    /// How many jobs of that part are done, from its first one on.
    done: u64,
    best: Best,
}

impl State {
    fn to_text(&self) -> String {
        let mut text = format!(
            "# Dense magics, found by kirin-generator {VERSION}: {}\n\
             # plan {:#018x}, shard {}/{}, {} jobs done, {} slots used by the densest of each square\n\
             # piece square magic bits used\n",
            self.command,
            self.plan,
            self.shard,
            self.shards,
            self.done,
            self.best.floor()
        );
        text.push_str(&self.best.to_text());
        text
    }

    fn read(path: &str) -> Result<State, Failure> {
        let fail = |why: &str| Failure::Work(format!("{path}: {why}"));
        let text = std::fs::read_to_string(path)
            .map_err(|error| fail(&format!("cannot be read: {error}")))?;
        let best = read_best(path, &text)?;
        let mut lines = text.lines();
        let command = lines
            .next()
            .and_then(|line| line.split_once(": "))
            .map(|(_, command)| command.to_owned());
        let facts = lines.next().and_then(|line| {
            let (plan, rest) = line.strip_prefix("# plan 0x")?.split_once(", shard ")?;
            let (shard, rest) = rest.split_once('/')?;
            let (shards, rest) = rest.split_once(", ")?;
            let (done, _) = rest.split_once(" jobs done")?;
            Some((
                u64::from_str_radix(plan, 16).ok()?,
                shard.parse().ok()?,
                shards.parse().ok()?,
                done.parse().ok()?,
            ))
        });
        match (command, facts) {
            (Some(command), Some((plan, shard, shards, done))) => Ok(State {
                plan,
                command,
                shard,
                shards,
                done,
                best,
            }),
            _ => Err(fail(
                "line 2 does not say which search this is, and how far it has come",
            )),
        }
    }

    fn save(&self, path: &str) -> Result<(), Failure> {
        save(path, &self.to_text())
    }
}

/// Written beside and then moved over, so that there is a whole file at any moment.
fn save(path: &str, text: &str) -> Result<(), Failure> {
    let beside = format!("{path}.new");
    std::fs::write(&beside, text)
        .and_then(|()| std::fs::rename(&beside, path))
        .map_err(|error| Failure::Work(format!("cannot write {path:?}: {error}")))
}

fn read_best(path: &str, text: &str) -> Result<Best, Failure> {
    let best = Best::parse(text)
        .map_err(|(line, why)| Failure::Work(format!("{path}, line {line}: {why}")))?;
    best.check().map_err(|candidate| {
        Failure::Work(format!(
            "{path}: magic {:#x} of the {} on {} does not use {} slots of {} bits",
            candidate.magic,
            Piece::ALL[candidate.piece].name(),
            square_name(candidate.square),
            candidate.used,
            candidate.bits
        ))
    })?;
    Ok(best)
}

/// Which search a plan is, whatever its budget.
fn plan_number(plan: &Plan) -> u64 {
    let mut fnv = Fnv::default();
    fnv.update(VERSION.as_bytes());
    fnv.update(&plan.seed.to_le_bytes());
    for &(piece, square) in &plan.targets {
        fnv.update(&[piece as u8, square as u8]);
    }
    fnv.update(plan.start.to_text().as_bytes());
    if plan.keys != Keys::Any {
        fnv.update(plan.keys.name().as_bytes());
    }
    fnv.finish()
}

/// A count with an optional K, M, G or T for thousands and so on.
fn count(option: &str, value: &str) -> Result<u64, Failure> {
    let (digits, unit) = match value.as_bytes().last() {
        Some(b'K') => (&value[..value.len() - 1], 1_000),
        Some(b'M') => (&value[..value.len() - 1], 1_000_000),
        Some(b'G') => (&value[..value.len() - 1], 1_000_000_000),
        Some(b'T') => (&value[..value.len() - 1], 1_000_000_000_000),
        _ => (value, 1_u64),
    };
    let count = digits.parse::<u64>().ok();
    count
        .and_then(|count| count.checked_mul(unit))
        .filter(|&count| count > 0)
        .ok_or_else(|| {
            Failure::Usage(format!(
                "{option} is {value:?}, but must be a whole number from 1 on, with K, M, G or T behind it if you like"
            ))
        })
}

fn shard(value: Option<&str>) -> Result<(u64, u64), Failure> {
    let Some(value) = value else {
        return Ok((1, 1));
    };
    value
        .split_once('/')
        .and_then(|(shard, shards)| Some((shard.parse().ok()?, shards.parse().ok()?)))
        .filter(|&(shard, shards)| 1 <= shard && shard <= shards)
        .ok_or_else(|| {
            Failure::Usage(format!(
                "--shard is {value:?}, but must be I/N with I from 1 to N"
            ))
        })
}

fn targets(options: &Options) -> Result<Vec<(Piece, usize)>, Failure> {
    let piece = options.one_of("--piece", &Piece::ALL, Piece::name)?;
    let mut squares = Vec::new();
    for name in options
        .get("--square")
        .iter()
        .flat_map(|names| names.split(','))
    {
        squares.push(
            (0..64)
                .find(|&square| square_name(square) == name)
                .ok_or_else(|| {
                    Failure::Usage(format!("--square is {name:?}, but must be a1, a2, ... h8"))
                })?,
        );
    }
    let mut targets = Vec::new();
    for candidate in Piece::ALL {
        for number in 0..64 {
            if piece.is_none_or(|piece| piece == candidate)
                && (squares.is_empty() || squares.contains(&number))
            {
                targets.push((candidate, number));
            }
        }
    }
    Ok(targets)
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let out = options
        .get("--out")
        .ok_or_else(|| Failure::Usage("search needs --out".to_owned()))?;
    let budget = match options.get("--budget") {
        Some(value) => count("--budget", value)?,
        None => DEFAULT_BUDGET,
    };
    let threads = match options.get("--threads") {
        Some(value) => count("--threads", value)?,
        None => std::thread::available_parallelism().map_or(1, |count| count.get() as u64),
    };
    let (shard, shards) = shard(options.get("--shard"))?;
    let start = match options.get("--from") {
        // Not what the crate holds: what is in there could not be found again from a crate that holds it.
        None => Best::default(),
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| Failure::Work(format!("cannot read {path:?}: {error}")))?;
            read_best(path, &text)?
        }
    };
    let plan = Plan {
        seed: options.seed()?,
        targets: targets(options)?,
        start,
        keys: options
            .one_of("--keys", &Keys::ALL, Keys::name)?
            .unwrap_or_default(),
    };
    let number = plan_number(&plan);
    let mut command = format!("search --seed {:#x}", plan.seed);
    for name in ["--piece", "--square", "--keys", "--from"] {
        if let Some(value) = options.get(name) {
            let _ = write!(command, " {name} {value}");
        }
    }
    let mut state = State {
        plan: number,
        command,
        shard,
        shards,
        done: 0,
        best: Best::default(),
    };
    if Path::new(out).exists() {
        let old = State::read(out)?;
        if (old.plan, old.shard, old.shards) != (number, shard, shards) {
            return Err(Failure::Work(format!(
                "{out} belongs to another search ({}, shard {}/{}); choose another --out, or take it as --from",
                old.command, old.shard, old.shards
            )));
        }
        state = old;
    }
    search(&plan, budget, threads, state, out)
}

/// What the threads share.
struct Shared {
    state: State,
    /// Jobs of the shard that are done, beyond the first that is not.
    ahead: BTreeSet<u64>,
}

fn search(plan: &Plan, budget: u64, threads: u64, state: State, out: &str) -> Result<(), Failure> {
    let total = plan.jobs(budget);
    let (shard, shards) = (state.shard, state.shards);
    // The jobs of this shard, by their number within it.
    let end = (total + shards - shard) / shards;
    let first = state.done;
    let next = AtomicU64::new(first);
    let shared = Mutex::new(Shared {
        state,
        ahead: BTreeSet::new(),
    });
    let finished = AtomicU64::new(0);
    let start = Instant::now();
    let mut failure = None;
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let own = next.fetch_add(1, Ordering::Relaxed);
                    if own >= end {
                        break;
                    }
                    let found = job(plan, own * shards + shard - 1);
                    let mut shared = shared.lock().expect("no thread fails while it holds this");
                    shared.state.best.merge(&found);
                    shared.ahead.insert(own);
                    let mut done = shared.state.done;
                    while shared.ahead.remove(&done) {
                        done += 1;
                    }
                    shared.state.done = done;
                }
                finished.fetch_add(1, Ordering::Release);
            });
        }
        let terminal = std::io::stderr().is_terminal();
        let (mut saved, mut told) = (Instant::now(), Instant::now());
        loop {
            let all = finished.load(Ordering::Acquire) == threads;
            if saved.elapsed() >= SAVE_EVERY || all {
                let state = shared.lock().expect("as above").state.clone();
                if let Err(error) = state.save(out) {
                    // No more jobs are begun: there is nowhere to put what they find.
                    next.store(end, Ordering::Relaxed);
                    failure = Some(error);
                    break;
                }
                saved = Instant::now();
            }
            let pause = if terminal { REDRAW_EVERY } else { TELL_EVERY };
            if told.elapsed() >= pause || all {
                let shared = shared.lock().expect("as above");
                let done = shared.state.done + shared.ahead.len() as u64;
                let line = progress(plan, &shared.state.best, first, done, end, start.elapsed());
                drop(shared);
                let mut err = std::io::stderr().lock();
                let _ = match (terminal, all) {
                    (true, false) => write!(err, "\r{line}\x1b[K"),
                    (true, true) => writeln!(err, "\r{line}\x1b[K"),
                    (false, _) => writeln!(err, "{line}"),
                };
                let _ = err.flush();
                told = Instant::now();
            }
            if all {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    match failure {
        Some(error) => Err(error),
        None => {
            let state = &shared.lock().expect("the threads are gone").state;
            print(&format!(
                "{out}: {} jobs done, {} slots used by the densest of each square\n",
                state.done,
                state.best.floor()
            ))
        }
    }
}

fn progress(
    plan: &Plan,
    best: &Best,
    first: u64,
    done: u64,
    end: u64,
    elapsed: Duration,
) -> String {
    const WIDTH: u64 = 20;
    let filled = (WIDTH * done).checked_div(end).unwrap_or(WIDTH).min(WIDTH) as usize;
    let seconds = elapsed.as_secs_f64();
    let now = (done - first) as f64;
    // Jobs of one shard are as long, on average, as all of them.
    let rate = plan.tests(done).saturating_sub(plan.tests(first)) as f64 / seconds / 1e6;
    let left = if now > 0.0 {
        let left = (end.saturating_sub(done)) as f64 * seconds / now;
        format!("{:.0} s left", left)
    } else {
        "time left unknown".to_owned()
    };
    format!(
        "[{}{}] {done} of {end} jobs, {rate:.1} M tests/s, {} slots used, {left}",
        "#".repeat(filled),
        ".".repeat(WIDTH as usize - filled),
        best.floor()
    )
}

/// Joins what the shards of one search found.
pub fn merge(options: &Options) -> Result<(), Failure> {
    let out = options
        .get("--out")
        .ok_or_else(|| Failure::Usage("merge needs --out".to_owned()))?;
    let files: Vec<&str> = options.all("FILE").collect();
    let mut states: Vec<State> = Vec::new();
    for file in &files {
        let state = State::read(file)?;
        if let Some(first) = states.first() {
            if (first.plan, first.shards) != (state.plan, state.shards) {
                return Err(Failure::Work(format!(
                    "{file} belongs to another search than {}, or is cut into other shards",
                    files[0]
                )));
            }
        }
        states.push(state);
    }
    let Some(first) = states.first() else {
        return Err(Failure::Usage("merge needs a FILE or more".to_owned()));
    };
    let mut joined = State {
        shard: 1,
        shards: 1,
        done: u64::MAX,
        ..first.clone()
    };
    for shard in 1..=first.shards {
        let mut done = 0;
        for state in states.iter().filter(|state| state.shard == shard) {
            joined.best.merge(&state.best);
            done = done.max(state.done);
        }
        // The first job of this shard that is not done; all before the first of those are.
        joined.done = joined.done.min(done * first.shards + shard - 1);
    }
    joined.save(out)?;
    print(&format!(
        "{out}: {} jobs done without a gap, {} slots used by the densest of each square\n",
        joined.done,
        joined.best.floor()
    ))
}

/// What is known of each square, tried again.
pub fn records(options: &Options) -> Result<(), Failure> {
    let best = match options.get("FILE") {
        None => known(),
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| Failure::Work(format!("cannot read {path:?}: {error}")))?;
            read_best(path, &text)?
        }
    };
    best.check().map_err(|candidate| {
        Failure::Work(format!(
            "magic {:#x} is not what its line says",
            candidate.magic
        ))
    })?;
    let mut report = String::from("piece   square  mask bits  sets  used   bits  magic\n");
    let mut fewer = 0;
    for piece in Piece::ALL {
        for square in 0..64 {
            let standard = relevant_mask(piece, square).count_ones();
            let target = kirin_generator::dense::Target::new(piece, square, 0);
            let _ = write!(
                report,
                "{:<8}{:<8}{standard:>9}{:>6}",
                piece.name(),
                square_name(square),
                target.distinct()
            );
            let candidates = best.of(piece, square);
            match candidates.first() {
                Some(candidate) => {
                    let _ = writeln!(
                        report,
                        "{:>6}{:>7}  {:#018x}",
                        candidate.used, candidate.bits, candidate.magic
                    );
                }
                None => {
                    let _ = writeln!(
                        report,
                        "{:>6}{standard:>7}  built from the seed",
                        1 << standard
                    );
                }
            }
            fewer += u32::from(candidates.iter().any(|candidate| candidate.bits < standard));
        }
    }
    let _ = writeln!(
        report,
        "{} slots used in all; {fewer} squares with fewer bits than the mask; all of {} magics tried again",
        best.floor(),
        best.list().len()
    );
    print(&report)
}

/// Moves of the packing without a `--budget`.
const DEFAULT_MOVES: u64 = 100_000;

/// Chooses one magic for each square out of what searches found, and packs them into a table.
pub fn choose(options: &Options) -> Result<(), Failure> {
    let out = options
        .get("--out")
        .ok_or_else(|| Failure::Usage("choose needs --out".to_owned()))?;
    let layout = match options.one_of("--layout", &Layout::ALL, Layout::name)? {
        None | Some(Layout::Overlapped) => Layout::Overlapped,
        Some(Layout::Folded | Layout::Compact) => Layout::Folded,
        Some(_) => {
            return Err(Failure::Usage(
                "--layout of choose must be overlapped or folded".to_owned(),
            ))
        }
    };
    let moves = match options.get("--budget") {
        Some(value) => count("--budget", value)?,
        None => DEFAULT_MOVES,
    };
    let seed = options.seed()?;
    let (mut files, mut sources) = (Vec::new(), String::new());
    for path in options.all("FILE") {
        let state = State::read(path)?;
        let _ = writeln!(sources, "#   {}: {} jobs", state.command, state.done);
        files.push(state.best);
    }
    let squares = squares(layout, &files);
    if let Some(without) = squares.iter().find(|square| square.rows.is_empty()) {
        return Err(Failure::Work(format!(
            "no file has a magic for the {} on {}",
            without.piece.name(),
            square_name(without.square)
        )));
    }
    let text = |packed: &Packed, done: u64| {
        format!(
            "# One magic for each square of the layout {}, chosen by kirin-generator {VERSION} with --seed {seed:#x} \
             and {done} of\n# --budget {moves} moves, {} slots in all, from what these searches found:\n{sources}\
             # piece square magic bits used offset\n{}",
            layout.name(),
            packed.slots,
            packed_to_text(&squares, packed)
        )
    };
    let start = Instant::now();
    let (mut saved, mut told) = (start, start);
    let mut failure = None;
    let terminal = std::io::stderr().is_terminal();
    let packed = anneal(&squares, seed, moves, &mut |done, best| {
        if failure.is_none() && (saved.elapsed() >= SAVE_EVERY || done == moves) {
            failure = save(out, &text(best, done)).err();
            saved = Instant::now();
        }
        if told.elapsed() >= if terminal { REDRAW_EVERY } else { TELL_EVERY } || done == moves {
            let rate = done as f64 / start.elapsed().as_secs_f64();
            let left = (moves - done) as f64 / rate.max(1e-9);
            let (begin, end) = match (terminal, done == moves) {
                (true, false) => ("\r", "\x1b[K"),
                (true, true) => ("\r", "\x1b[K\n"),
                (false, _) => ("", "\n"),
            };
            eprint!(
                "{begin}{done} of {moves} moves, {rate:.0} moves/s, {} slots, {left:.0} s left{end}",
                best.slots
            );
            told = Instant::now();
        }
    });
    match failure {
        Some(failure) => Err(failure),
        None => print(&format!(
            "{out}: {} squares in {} slots\n",
            packed.rows.len(),
            packed.slots
        )),
    }
}
