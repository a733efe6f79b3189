//! The commands that are given as arguments. Status 0 is success, 1 a failure, 2 wrong usage
//! with one line on standard error.

use crate::engine::SEARCH_STACK_BYTES;
use crate::host::Signals;
use crate::{bench, datagen, output, perft, session};
use kirin::uci::answer::{BoardView, NAME};
use kirin::uci::EvalView;
use kirin::{generated, Board, MAX_PERFT_DEPTH};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

const HELP: &str = "\
Usage: kirin                       speak UCI on standard input and output
       kirin bench [DEPTH]         search a fixed set of positions with one thread
       kirin perft DEPTH [FEN] [--threads N] [--hash MIB]
                                   count the legal move sequences of up to 64 plies
       kirin eval [FEN]            show the static evaluation
       kirin tables                show the tables inside this program
       kirin datagen OPTIONS       play games for the tuner, see below
       kirin --version | --help

FEN may be one argument or several; without it the starting position is taken. Its castling
rights may be those of Chess960, as X-FEN or Shredder-FEN.

perft counts with one thread, or with N from 1 to 256, and without a table, or with one of 1 to
1048576 MiB in which it finds positions again that it has counted before.

datagen plays games against itself from random openings and writes a line FEN;SCORE;RESULT for
each quiet position, as white sees it:
  --out FILE      required
  --games N       default 1000
  --nodes N       nodes a move, default 5000
  --seed N        default 1; game G depends on the seed and G only
  --threads N     default 1
  --shard I/N     play only the games G with G mod N = I, 0 <= I < N (default 0/1)
  --keep N        write so many in a hundred of the quiet positions, 1 to 100 (default 50)

Exit status: 0 fine, 1 failed, 2 wrong usage.
";

/// The limits of `kirin perft`, the same as those of the UCI options.
const MAX_PERFT_THREADS: u32 = 256;
const MAX_PERFT_HASH_MIB: u32 = 1_048_576;

/// Why a command ends without success.
enum Failure {
    /// The arguments make no sense.
    Usage(String),
    /// What they ask for didn't work.
    Failed(String),
}

/// Obeys the arguments, of which there is at least one.
pub fn run(args: &[OsString]) -> ExitCode {
    let args: Vec<&[u8]> = args.iter().map(|arg| arg.as_encoded_bytes()).collect();
    let (message, status) = match obey(&args) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => (message, 2),
        Err(Failure::Failed(message)) => (message, 1),
    };
    // If nobody reads it, the status still tells.
    let _ = writeln!(io::stderr(), "kirin: {message}");
    ExitCode::from(status)
}

fn obey(args: &[&[u8]]) -> Result<(), Failure> {
    let (command, rest) = match args {
        [] => return Ok(()),
        [command, rest @ ..] => (*command, rest),
    };
    if rest.iter().any(|arg| matches!(*arg, b"--help" | b"-h")) {
        output::send(HELP);
        return Ok(());
    }
    match command {
        b"--help" | b"-h" | b"help" => no_more(rest).map(|()| output::send(HELP)),
        b"--version" | b"-V" => no_more(rest).map(|()| output::answer(NAME)),
        b"bench" => run_bench(rest),
        b"perft" => run_perft(rest),
        b"eval" => {
            let board = board(rest)?;
            output::answer(format_args!(
                "{}\n\n{}",
                BoardView(&board),
                EvalView(&board)
            ));
            Ok(())
        }
        b"datagen" => run_datagen(rest),
        b"tables" => no_more(rest).map(|()| output::send(&tables())),
        other => Err(usage(format!(
            "unknown command '{}' (see kirin --help)",
            show(other)
        ))),
    }
}

fn usage(message: String) -> Failure {
    Failure::Usage(message)
}

fn show(arg: &[u8]) -> kirin::uci::Excerpt<'_> {
    kirin::uci::Excerpt(arg)
}

fn no_more(rest: &[&[u8]]) -> Result<(), Failure> {
    match rest {
        [] => Ok(()),
        [arg, ..] => Err(usage(format!("unexpected argument '{}'", show(arg)))),
    }
}

fn run_bench(rest: &[&[u8]]) -> Result<(), Failure> {
    let depth = session::depth(rest.first().copied()).ok_or_else(|| {
        usage(format!(
            "bench: '{}' is not a depth from 1 to {}",
            show(rest[0]),
            kirin::Searcher::MAX_DEPTH
        ))
    })?;
    no_more(rest.get(1..).unwrap_or_default())?;
    let bench = move || bench::run(depth, &Signals::new(Instant::now(), false));
    match on_own_stack("bench", bench)? {
        Ok(last_line) => {
            output::answer(last_line);
            Ok(())
        }
        Err(error) => Err(Failure::Failed(error.to_string())),
    }
}

/// Does work that needs a deep stack on a thread of its own, so that the stack limit of the
/// shell doesn't matter.
fn on_own_stack<T: Send + 'static>(
    what: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let thread = thread::Builder::new()
        .stack_size(SEARCH_STACK_BYTES)
        .spawn(work)
        .map_err(|error| Failure::Failed(format!("{what}: no thread can be had: {error}")))?;
    thread
        .join()
        .map_err(|_| Failure::Failed(format!("{what}: its thread has panicked")))
}

fn run_perft(rest: &[&[u8]]) -> Result<(), Failure> {
    let [depth, rest @ ..] = rest else {
        return Err(usage("perft: DEPTH is missing".into()));
    };
    let depth = std::str::from_utf8(depth)
        .ok()
        .and_then(|depth| depth.parse().ok())
        .filter(|&depth| depth <= MAX_PERFT_DEPTH)
        .ok_or_else(|| {
            let depth = show(depth);
            usage(format!(
                "perft: '{depth}' is not a depth from 0 to {MAX_PERFT_DEPTH}"
            ))
        })?;
    let mut settings = perft::Settings::default();
    let mut fen = Vec::new();
    let mut words = rest.iter();
    while let Some(&word) = words.next() {
        let mut value = |name, max| {
            let value = words.next().copied();
            perft_number(name, value, max)
        };
        match word {
            b"--threads" => settings.threads = value("--threads", MAX_PERFT_THREADS)?,
            b"--hash" => settings.hash_mib = Some(value("--hash", MAX_PERFT_HASH_MIB)?),
            word => fen.push(word),
        }
    }
    let board = board(&fen)?;
    on_own_stack("perft", move || perft::timed(&board, depth, &settings))?
        .map_err(|error| Failure::Failed(format!("perft: {error}")))
}

fn perft_number(name: &str, value: Option<&[u8]>, max: u32) -> Result<u32, Failure> {
    let value = value.ok_or_else(|| usage(format!("perft: {name}: its value is missing")))?;
    std::str::from_utf8(value)
        .ok()
        .and_then(|value| value.parse().ok())
        .filter(|number| (1..=max).contains(number))
        .ok_or_else(|| {
            usage(format!(
                "perft: {name}: '{}' is not a number from 1 to {max}",
                show(value)
            ))
        })
}

fn run_datagen(rest: &[&[u8]]) -> Result<(), Failure> {
    let settings = datagen_settings(rest)?;
    let positions = datagen::run(&settings).map_err(|error| {
        Failure::Failed(format!("datagen: {}: {error}", settings.out.display()))
    })?;
    output::answer(format_args!("{positions} positions"));
    Ok(())
}

fn datagen_settings(rest: &[&[u8]]) -> Result<datagen::Settings, Failure> {
    fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, Failure> {
        value.parse().map_err(|_| {
            usage(format!(
                "datagen: {name}: '{}' is not a number it can take",
                show(value.as_bytes())
            ))
        })
    }
    let mut settings = datagen::Settings::default();
    let mut words = rest.iter().map(|word| std::str::from_utf8(word));
    while let Some(name) = words.next() {
        let (Ok(name), Some(Ok(value))) = (name, words.next()) else {
            return Err(usage(
                "datagen: options come as NAME VALUE (see kirin --help)".into(),
            ));
        };
        match name {
            "--out" => settings.out = value.into(),
            "--games" => settings.games = number(name, value)?,
            "--nodes" => settings.nodes = number::<u64>(name, value)?.max(1),
            "--seed" => settings.seed = number(name, value)?,
            "--threads" => settings.threads = number::<u32>(name, value)?.clamp(1, 256),
            "--shard" => {
                let (shard, shards) = value.split_once('/').unwrap_or((value, ""));
                settings.shard = (number(name, shard)?, number(name, shards)?);
                if settings.shard.0 >= settings.shard.1 {
                    return Err(usage(format!(
                        "datagen: --shard: {value} is not I/N with I below N"
                    )));
                }
            }
            "--keep" => {
                settings.keep = number(name, value)?;
                if !(1..=100).contains(&settings.keep) {
                    return Err(usage(format!(
                        "datagen: --keep: {value} is not a number from 1 to 100"
                    )));
                }
            }
            _ => {
                return Err(usage(format!(
                    "datagen: unknown option '{}'",
                    show(name.as_bytes())
                )))
            }
        }
    }
    if settings.out.as_os_str().is_empty() {
        return Err(usage("datagen: --out is missing".into()));
    }
    Ok(settings)
}

/// The position of a FEN in one argument or several, or the starting position.
fn board(args: &[&[u8]]) -> Result<Board, Failure> {
    if let Some(option) = args.iter().find(|arg| arg.starts_with(b"--")) {
        return Err(usage(format!("unknown option '{}'", show(option))));
    }
    match args.join(&b' ').as_slice() {
        [] | b"startpos" => Ok(Board::startpos()),
        fen => Board::from_fen_lenient(fen)
            .or_else(|_| Board::from_chess960_fen_lenient(fen))
            .map_err(|error| usage(format!("invalid FEN: {error}"))),
    }
}

/// What is inside this program, and how it came there.
fn tables() -> String {
    let mut text = format!(
        "layout    {}\nbackend   {}\nseed      {:#018x}\ngenerator {}\nchecksum  {:016x}\n\n{:<28} {:>9} {:>9}\n",
        generated::LAYOUT,
        generated::BACKEND,
        generated::SEED,
        generated::GENERATOR_VERSION,
        generated::CHECKSUM,
        "table",
        "entries",
        "bytes"
    );
    let row = |text: &mut String, name: &str, entries: usize, bytes: usize| {
        // Writing to a string doesn't fail.
        let _ = writeln!(text, "{name:<28} {entries:>9} {bytes:>9}");
    };
    let (mut entries, mut bytes) = (0, 0);
    for table in generated::TABLES {
        row(&mut text, table.name, table.entries, table.bytes);
        entries += table.entries;
        bytes += table.bytes;
    }
    row(&mut text, "total", entries, bytes);
    if !generated::BACKEND_TABLES.is_empty() {
        text.push_str(
            "\nThe backend's tables, which this program looks up sliders in; those of the layout\n\
             serve constants, and are left out by the linker where nothing else reads them:\n\n",
        );
        for table in generated::BACKEND_TABLES {
            row(&mut text, table.name, table.entries, table.bytes);
        }
    }
    text.push_str(
        "\nVerified when this program was built: the slider tables were read back through the\n\
         formula that looks them up, for every square and every subset of its mask, and each set\n\
         was compared with a walk along the rays. A difference fails the build.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(args: &[&str]) -> u8 {
        let args: Vec<&[u8]> = args.iter().map(|arg| arg.as_bytes()).collect();
        match obey(&args) {
            Ok(()) => 0,
            Err(Failure::Failed(_)) => 1,
            Err(Failure::Usage(_)) => 2,
        }
    }

    #[test]
    fn wrong_usage_is_told_from_right() {
        for args in [
            &["nonsense"][..],
            &["perft"],
            &["perft", "x"],
            &["perft", "-1"],
            &["perft", "65"],
            &["perft", "1000000"],
            &["perft", "1", "not", "a", "fen"],
            &["perft", "1", "--threads"],
            &["perft", "1", "--threads", "0"],
            &["perft", "1", "--threads", "257"],
            &["perft", "1", "--threads", "two"],
            &["perft", "1", "--threads", "-1"],
            &["perft", "1", "--hash"],
            &["perft", "1", "--hash", "0"],
            &["perft", "1", "--hash", "1048577"],
            &["perft", "1", "--hash", "99999999999999999999"],
            &["perft", "1", "--cores", "2"],
            &["eval", "--threads", "2"],
            &["bench", "0"],
            &["bench", "1", "2"],
            &["bench", "x"],
            &["eval", "8/8/8/8/8/8/8/8", "w"],
            &["tables", "x"],
            &["--version", "x"],
            &["datagen"],
            &["datagen", "--out"],
            &["datagen", "--out", "f", "--games", "x"],
            &["datagen", "--out", "f", "--shard", "2/2"],
            &["datagen", "--out", "f", "--shard", "1"],
            &["datagen", "--out", "f", "--keep", "0"],
            &["datagen", "--out", "f", "--keep", "101"],
            &["datagen", "--out", "f", "--keep", "all"],
            &["datagen", "--frobnicate", "1"],
            &["--frobnicate"],
        ] {
            assert_eq!(status(args), 2, "{args:?}");
        }
        assert_eq!(status(&["perft", "1"]), 0);
        assert_eq!(status(&["perft", "3", "--threads", "2", "--hash", "1"]), 0);
        let fen = "4k3/8/8/8/8/8/8/4K3 b - - 0 1";
        assert_eq!(status(&["perft", "2", "--hash", "1", fen]), 0);
        assert_eq!(status(&["perft", "2", fen, "--threads", "256"]), 0);
        assert_eq!(status(&["eval", Board::STARTPOS_FEN]), 0);
    }

    #[test]
    fn what_is_wrong_with_an_option_is_said() {
        for (args, expected) in [
            (
                &[&b"1"[..], b"--threads", b"0"][..],
                "perft: --threads: '0' is not a number from 1 to 256",
            ),
            (
                &[b"1", b"--hash", b"x\ny"],
                "perft: --hash: 'x?y' is not a number from 1 to 1048576",
            ),
            (&[b"1", b"--hash"], "perft: --hash: its value is missing"),
        ] {
            let Err(Failure::Usage(message)) = run_perft(args) else {
                panic!("{expected}");
            };
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn a_fen_may_be_in_pieces() {
        let whole = board(&[b"4k3/8/8/8/8/8/8/4K3 b - - 0 1"]);
        let pieces = board(&[b"4k3/8/8/8/8/8/8/4K3", b"b", b"-", b"-"]);
        assert!(matches!((whole, pieces), (Ok(a), Ok(b)) if a == b));
    }

    #[test]
    fn the_tables_are_listed() {
        let text = tables();
        assert!(text.contains(generated::LAYOUT) && text.contains(generated::BACKEND));
        assert!(generated::TABLES
            .iter()
            .chain(generated::BACKEND_TABLES)
            .all(|table| text.contains(table.name)));
    }
}
