//! The tool: generates tables outside of a build, proves texts again, and tells sizes and times.

#![forbid(unsafe_code)]

mod options;
mod search;
mod show;
mod stats;

use std::io::Write;
use std::process::ExitCode;

use kirin_generator::verify::verify;
use kirin_generator::{generate, Language, Profile, VERSION};
use options::Options;

const HELP: &str = "\
Generates and proves the tables of the Kirin chess engine.

Usage: kirin-generator COMMAND [FILE] [OPTION VALUE]...

Commands:
  generate      write proven tables
                  --seed S --layout L --profile P --lang G --squares Q --out FILE
  verify FILE   prove a text again: any that generate wrote, or a list of
                magics in any form, with or without squares, shifts and offsets
                  --squares Q   how a list names its squares, if it does not say
  stats         the layouts, a line each: entries, used slots, bytes of attack
                sets and of metadata, milliseconds to generate
                  --seed S --timings (each stage of the work)
  show          draw what a piece sees: mask, occupancy, attacks
                  --piece P --square E4 --occupied SET --squares Q
                  --seed S (whose magic and key are shown)

  records       what is known of each square: slots used, bits of key, the magic;
                every one tried again
                  [FILE]   a file that search wrote; what the crate holds if absent
  search        look for denser magics; interrupted, it goes on where it was
                  --out FILE --seed S --budget N --threads N --shard I/N
                  --from FILE (magics to set out from)
                  --piece P --square E4,E5 (only these)
                  --keys K (any; short: one bit less than the mask, 512M tests
                  a square; comb1, comb2, comb4: with two gaps so far apart by
                  8, comb0: with one; guest1, guest2, guest4: for such gaps;
                  spread: for any gap; spread16, spread32, pairs: wider)
  merge FILE... join what shards found
                  --out FILE
  choose FILE.. one magic for each square, and its place, so that they fill each
                other's holes: annealed packing, from files that search wrote
                  --out FILE --layout L (overlapped, or folded for that and
                  compact) --seed S --budget N (moves, default 100K)

Options:
  --seed S      chooses the magics: decimal or 0x-hexadecimal, 64 bits
  --layout L    how attack sets are packed: plain, fancy, overlapped, folded,
                compact or tiny
  --profile P   which tables there are: full (default) or small, for small parts
  --lang G      rust (default), c, json or list
  --squares Q   the square that is number 0: a8 (default) or a1
  --out FILE    where to write; standard output if absent
  --piece P     rook, bishop, queen, knight or king
  --occupied S  a set of squares, 0x-hexadecimal or decimal
  --budget N    tests of magics, in all shards together: 50M, 2G (default 1G)
  --threads N   as many as the machine has if absent; the result is the same
  --shard I/N   do part I of N; merge joins them, with the result of one machine
  --help        this text
  --version     the version

Exit status: 0 done, 1 failed or not proven, 2 wrong usage.
";

/// Why the tool ends without success.
enum Failure {
    /// The command line cannot be understood: exit status 2.
    Usage(String),
    /// The work failed: exit status 1.
    Work(String),
}

impl Failure {
    fn work(error: impl ToString) -> Failure {
        Failure::Work(error.to_string())
    }
}

fn main() -> ExitCode {
    // Arguments that are not Unicode are shown as far as they can be, and match nothing.
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let (message, status) = match run(&arguments) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Work(message)) => (message, 1),
        Err(Failure::Usage(message)) => (message, 2),
    };
    eprintln!("kirin-generator: {message}");
    ExitCode::from(status)
}

fn run(arguments: &[String]) -> Result<(), Failure> {
    let Some((command, rest)) = arguments.split_first() else {
        return Err(Failure::Usage("no command given; see --help".to_owned()));
    };
    if arguments
        .iter()
        .any(|argument| argument == "--help" || argument == "-h")
    {
        return print(HELP);
    }
    let read = |allowed: &[&'static str]| Options::read(command, rest, allowed);
    match command.as_str() {
        "--version" | "-V" if rest.is_empty() => print(&format!("kirin-generator {VERSION}\n")),
        "generate" => run_generate(&read(&[
            "--seed",
            "--layout",
            "--profile",
            "--lang",
            "--squares",
            "--out",
        ])?),
        "verify" => run_verify(&read(&["FILE", "--squares"])?),
        "stats" => stats::run(&read(&["--seed", "--timings"])?),
        "show" => show::run(&read(&[
            "--piece",
            "--square",
            "--occupied",
            "--squares",
            "--seed",
        ])?),
        "records" => search::records(&read(&["FILE"])?),
        "search" => search::run(&read(&[
            "--out",
            "--seed",
            "--budget",
            "--threads",
            "--shard",
            "--from",
            "--piece",
            "--square",
            "--keys",
        ])?),
        "choose" => search::choose(&read(&["FILE", "--out", "--layout", "--seed", "--budget"])?),
        "merge" => search::merge(&read(&["FILE", "--out"])?),
        _ => Err(Failure::Usage(format!(
            "{command:?} is not a command; see --help"
        ))),
    }
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::Work(format!("cannot write to standard output: {error}")))
}

fn run_generate(options: &Options) -> Result<(), Failure> {
    let language = options.one_of("--lang", &Language::ALL, Language::name)?;
    let squares = options.squares()?.unwrap_or_default();
    let profile = options.one_of("--profile", &Profile::ALL, Profile::name)?;
    let tables = generate(&options.settings()?).map_err(Failure::work)?;
    let text = tables
        .with_profile(profile.unwrap_or_default())
        .to_text(language.unwrap_or(Language::Rust), squares)
        .map_err(Failure::work)?;
    match options.get("--out") {
        None => print(&text),
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Failure::Work(format!("cannot write --out {path:?}: {error}"))),
    }
}

fn run_verify(options: &Options) -> Result<(), Failure> {
    let path = options
        .get("FILE")
        .ok_or_else(|| Failure::Usage("verify needs a FILE".to_owned()))?;
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::Work(format!("cannot read {path:?}: {error}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::Work(format!("{path:?} is not a text in UTF-8")))?;
    match verify(&text, options.squares()?) {
        Ok(report) => print(&format!("{report}\n")),
        Err(failure) => Err(Failure::Work(format!("{path}: {failure}"))),
    }
}
