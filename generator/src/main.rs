//! The tool: generates tables outside of a build, and tells their sizes and times.

#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use kirin_generator::{generate, generate_in_stages, layout, settings, Layout, Settings, VERSION};

const HELP: &str = "\
Generates and proves the tables of the Kirin chess engine.

Usage: kirin-generator COMMAND [OPTION VALUE]...

Commands:
  generate   write the tables as Rust text
  stats      list the layouts: entries, used slots, bytes of attack sets and of metadata

Options:
  --seed S      chooses the magics: decimal or 0x-hexadecimal, 64 bits  (both commands)
  --layout L    how attack sets are packed: plain or fancy              (generate)
  --out FILE    where to write; standard output if absent               (generate)
  --timings     also measure each stage of the work                     (stats)
  --help        this text
  --version     the version

Exit status: 0 done, 1 failed, 2 wrong usage.
";

/// Why the tool ends without success.
enum Failure {
    /// The command line cannot be understood: exit status 2.
    Usage(String),
    /// The work failed: exit status 1.
    Work(String),
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
    match command.as_str() {
        "--version" | "-V" if rest.is_empty() => print(&format!("kirin-generator {VERSION}\n")),
        "generate" => run_generate(&Options::read(
            command,
            rest,
            &["--seed", "--layout", "--out"],
        )?),
        "stats" => run_stats(&Options::read(command, rest, &["--seed", "--timings"])?),
        _ => Err(Failure::Usage(format!(
            "{command:?} is not a command; see --help"
        ))),
    }
}

/// The options of a command, read but not yet understood.
#[derive(Default)]
struct Options {
    seed: Option<String>,
    layout: Option<String>,
    out: Option<String>,
    timings: bool,
}

impl Options {
    fn read(command: &str, mut rest: &[String], allowed: &[&str]) -> Result<Options, Failure> {
        let mut options = Options::default();
        while let Some((option, after)) = rest.split_first() {
            if !allowed.contains(&option.as_str()) {
                return Err(Failure::Usage(format!(
                    "{option:?} is not an option of {command}, which takes {}",
                    allowed.join(", ")
                )));
            }
            rest = after;
            if option == "--timings" {
                options.timings = true;
                continue;
            }
            let Some((value, after)) = rest.split_first() else {
                return Err(Failure::Usage(format!("{option} needs a value")));
            };
            rest = after;
            let field = match option.as_str() {
                "--seed" => &mut options.seed,
                "--layout" => &mut options.layout,
                _ => &mut options.out,
            };
            if field.replace(value.clone()).is_some() {
                return Err(Failure::Usage(format!("{option} is given twice")));
            }
        }
        Ok(options)
    }

    fn seed(&self) -> Result<u64, Failure> {
        let value = self.seed.as_deref().unwrap_or_default();
        settings::parse_seed("--seed", value).map_err(|error| Failure::Usage(error.to_string()))
    }

    fn layout(&self) -> Result<Layout, Failure> {
        let value = self.layout.as_deref().unwrap_or_default();
        settings::parse_layout("--layout", value).map_err(|error| Failure::Usage(error.to_string()))
    }
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::Work(format!("cannot write to standard output: {error}")))
}

fn run_generate(options: &Options) -> Result<(), Failure> {
    let settings = Settings {
        seed: options.seed()?,
        layout: options.layout()?,
    };
    let text = generate(&settings)
        .map_err(|error| Failure::Work(error.to_string()))?
        .to_rust();
    match &options.out {
        None => print(&text),
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Failure::Work(format!("cannot write --out {path:?}: {error}"))),
    }
}

fn run_stats(options: &Options) -> Result<(), Failure> {
    let seed = options.seed()?;
    let mut report = format!("seed {seed:#x}\n");
    report.push_str("layout      entries       used      bytes   metadata\n");
    for layout in Layout::ALL {
        let tables = generate(&Settings { seed, layout })
            .map_err(|error| Failure::Work(error.to_string()))?;
        let size = layout::size(layout, tables.list())
            .map_err(|error| Failure::Work(error.to_string()))?;
        report.push_str(&format!(
            "{:<10} {:>8}   {:>8}   {:>8}   {:>8}\n",
            layout.name(),
            size.entries,
            size.used,
            size.bytes,
            size.metadata_bytes
        ));
    }
    if options.timings {
        for layout in Layout::ALL {
            report.push_str(&timings(&Settings { seed, layout })?);
        }
    }
    print(&report)
}

/// The median time of each stage, in a build like this one.
fn timings(settings: &Settings) -> Result<String, Failure> {
    const RUNS: usize = 15;
    let mut rows: Vec<(&'static str, Vec<Duration>)> = Vec::new();
    let mut record =
        |name: &'static str, time: Duration| match rows.iter_mut().find(|row| row.0 == name) {
            Some(row) => row.1.push(time),
            None => rows.push((name, vec![time])),
        };
    for _ in 0..RUNS {
        let start = Instant::now();
        let mut last = start;
        let tables = generate_in_stages(settings, &mut |stage| {
            record(stage.name(), last.elapsed());
            last = Instant::now();
        })
        .map_err(|error| Failure::Work(error.to_string()))?;
        record("all of these", start.elapsed());
        let start = Instant::now();
        let text = tables.to_rust();
        record("text", start.elapsed());
        std::hint::black_box(text);
    }
    let build = if cfg!(debug_assertions) {
        "unoptimised"
    } else {
        "optimised"
    };
    let mut report = format!(
        "{} ({build}, median of {RUNS} runs)\n",
        settings.layout.name()
    );
    for (name, mut times) in rows {
        times.sort_unstable();
        report.push_str(&format!(
            "  {name:<14} {:>9.3} ms\n",
            times[RUNS / 2].as_secs_f64() * 1e3
        ));
    }
    Ok(report)
}
