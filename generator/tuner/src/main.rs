//! `kirin-tuner`: fits the weights of the evaluation to self-play positions.
//!
//! Texel's method (Peter Österlund, 2014) with gradients: every position is reduced once to the
//! weights that its evaluation adds and how often, heard through the engine's own trace; then
//! the squared difference between a sigmoid of the sum and the game's result is brought down
//! by Adam (Kingma and Ba, 2014). A part of the games is held out and only measured.
//!
//! `kirin-tuner network` fits the network that is added to those terms to what they leave.

mod data;
mod fit;
mod lines;
mod network;
mod weights;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
Usage: kirin-tuner --data FILE [--data FILE ...] [--weights FILE] [--out FILE]
                   [--epochs N] [--threads N] [--rate X] [--blend X] [--k X] [--anchor X]
                   [--anchor-of GROUP=X ...] [--shard I/N]
       kirin-tuner --average FILE --average FILE [...] --out FILE
       kirin-tuner network --data FILE [--data FILE ...] [--out FILE] [--epochs N] [--threads N]
                   [--batch N] [--rate X] [--decay X] [--blend X] [--k X] [--seed N]

  --data FILE     lines FEN;SCORE;RESULT as `kirin datagen` writes them
  --weights FILE  the weights to begin with (default generator/data/evaluation.txt)
  --out FILE      where to write the tuned ones (default: not written)
  --epochs N      passes over the data (default 300)
  --threads N     default 2
  --rate X        Adam's step in centipawns (default 0.5)
  --blend X       how much of the target is the game's result, the rest the score (default 0.6)
  --k X           the steepness of the sigmoid for each centipawn; without it, what fits the first
                  weights best: losses can be compared only where it is the same
  --anchor X      pull towards the first weights, for those that are seldom seen (default 3e-9)
  --anchor-of GROUP=X
                  another pull for the groups whose names begin so
  --shard I/N     use only every Nth position, from number I on, 0 <= I < N: many machines can each
                  fit a part of the data, beginning with the same weights
  --average FILE  weights that shards have fitted: writes the mean of all such files

network: fits a new network to what the terms of the engine's evaluation leave of the target
  --data, --threads  as above
  --out FILE      where to write it (default: not written); the engine's is generator/data/network.txt
  --epochs N      passes over the data (default 8)
  --batch N       positions that each step looks at (default 8192)
  --rate X        Adam's step at its highest (default 0.005)
  --decay X       by how much of its rate each step shrinks the weights (default 0.01)
  --blend X       how much of the target is the game's result, the rest the score (default 0.1)
  --k X           the steepness of the sigmoid for each centipawn (default 0.006)
  --seed N        of the first weights and of the order of the positions (default 1)
";

/// Says something on standard output. If nobody listens the work goes on: its result is a file.
pub fn say(text: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("{name}: '{value}' is not a number it can take"))
}

/// The next option and its value.
fn option(words: &mut impl Iterator<Item = String>) -> Result<Option<(String, String)>, String> {
    let Some(name) = words.next() else {
        return Ok(None);
    };
    match words.next() {
        Some(value) => Ok(Some((name, value))),
        None => Err(format!("{name}: the value is missing")),
    }
}

/// What was asked for after `network`.
#[derive(Default)]
struct NetworkArgs {
    data: Vec<PathBuf>,
    out: Option<PathBuf>,
    settings: network::Settings,
}

fn parse_network(mut words: impl Iterator<Item = String>) -> Result<NetworkArgs, String> {
    let mut args = NetworkArgs::default();
    let settings = &mut args.settings;
    while let Some((name, value)) = option(&mut words)? {
        match name.as_str() {
            "--data" => args.data.push(value.into()),
            "--out" => args.out = Some(value.into()),
            "--epochs" => settings.epochs = number(&name, &value)?,
            "--threads" => settings.threads = number::<usize>(&name, &value)?.max(1),
            "--batch" => settings.batch = number(&name, &value)?,
            "--rate" => settings.rate = number(&name, &value)?,
            "--decay" => settings.decay = number(&name, &value)?,
            "--blend" => settings.blend = number(&name, &value)?,
            "--k" => settings.k = number(&name, &value)?,
            "--seed" => settings.seed = number(&name, &value)?,
            _ => return Err(format!("network: unknown option '{name}'")),
        }
    }
    if args.data.is_empty() {
        return Err("--data is missing".into());
    }
    Ok(args)
}

fn run_network(args: &NetworkArgs) -> Result<(), String> {
    let text = network::fit(&args.data, &args.settings)?;
    write_text(args.out.as_deref(), &text)
}

/// What was asked for.
struct Args {
    data: Vec<PathBuf>,
    weights: PathBuf,
    out: Option<PathBuf>,
    /// This run uses the positions whose number leaves `shard.0` when divided by `shard.1`.
    shard: (usize, usize),
    average: Vec<PathBuf>,
    settings: fit::Settings,
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Args, String> {
    let mut args = Args {
        data: Vec::new(),
        weights: PathBuf::from("generator/data/evaluation.txt"),
        out: None,
        shard: (0, 1),
        average: Vec::new(),
        settings: fit::Settings::default(),
    };
    while let Some((name, value)) = option(&mut words)? {
        match name.as_str() {
            "--data" => args.data.push(value.into()),
            "--weights" => args.weights = value.into(),
            "--out" => args.out = Some(value.into()),
            "--epochs" => args.settings.epochs = number(&name, &value)?,
            "--threads" => args.settings.threads = number::<usize>(&name, &value)?.max(1),
            "--rate" => args.settings.rate = number(&name, &value)?,
            "--blend" => args.settings.blend = number(&name, &value)?,
            "--k" => args.settings.k = Some(number(&name, &value)?),
            "--anchor" => args.settings.anchor = number(&name, &value)?,
            "--shard" => {
                let shard = value
                    .split_once('/')
                    .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)))
                    .filter(|&(i, n): &(usize, usize)| i < n)
                    .ok_or_else(|| format!("{name}: '{value}' is not I/N with I < N"))?;
                args.shard = shard;
            }
            "--average" => args.average.push(value.into()),
            "--anchor-of" => {
                let (group, pull) = value
                    .split_once('=')
                    .ok_or_else(|| format!("{name}: '{value}' is not GROUP=X"))?;
                let pull = number(&name, pull)?;
                args.settings.anchors.push((group.into(), pull));
            }
            _ => return Err(format!("unknown option '{name}'")),
        }
    }
    if !args.average.is_empty() {
        if args.out.is_none() {
            return Err("--out is missing".into());
        }
    } else if args.data.is_empty() {
        return Err("--data is missing".into());
    }
    Ok(args)
}

fn run(args: &Args) -> Result<(), String> {
    if let Some((first, others)) = args.average.split_first() {
        let file = weights::File::read(first)?;
        let mean = average(&file, others)?;
        return write(args, &file, &mean);
    }
    let file = weights::File::read(&args.weights)?;
    let data = data::Data::read(&args.data, file.weights.len(), args.shard)?;
    say(format_args!(
        "{} positions ({} held out), hash {:016x}, {} weights",
        data.positions.len(),
        data.held_out().len(),
        data.hash.0,
        file.weights.len()
    ));
    let tuned = fit::fit(&data, &file, &args.settings)?;
    write(args, &file, &tuned)
}

fn write(args: &Args, file: &weights::File, weights: &[weights::Weight]) -> Result<(), String> {
    write_text(args.out.as_deref(), &file.with(weights))
}

fn write_text(out: Option<&Path>, text: &str) -> Result<(), String> {
    if let Some(out) = out {
        std::fs::write(out, text).map_err(|error| format!("{}: {error}", out.display()))?;
        say(format_args!("written to {}", out.display()));
    }
    Ok(())
}

/// The mean of the weights of several files of the same groups.
fn average(first: &weights::File, others: &[PathBuf]) -> Result<Vec<weights::Weight>, String> {
    let mut sum = first.weights.clone();
    for path in others {
        let other = weights::File::read(path)?;
        if other.groups != first.groups || other.weights.len() != sum.len() {
            return Err(format!(
                "{}: not the groups of the first file",
                path.display()
            ));
        }
        for (sum, weight) in sum.iter_mut().zip(&other.weights) {
            *sum = [sum[0] + weight[0], sum[1] + weight[1]];
        }
    }
    let count = (1 + others.len()) as f32;
    Ok(sum.iter().map(|half| half.map(|sum| sum / count)).collect())
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.is_empty() || words.iter().any(|word| word == "--help" || word == "-h") {
        say(format_args!("{}", HELP.trim_end()));
        return ExitCode::SUCCESS;
    }
    let mut words = words.into_iter().peekable();
    let done = if words.next_if(|word| word == "network").is_some() {
        parse_network(words).map(|args| run_network(&args))
    } else {
        parse(words).map(|args| run(&args))
    };
    match done {
        Err(message) => {
            eprintln!("kirin-tuner: {message}");
            ExitCode::from(2)
        }
        Ok(Err(message)) => {
            eprintln!("kirin-tuner: {message}");
            ExitCode::FAILURE
        }
        Ok(Ok(())) => ExitCode::SUCCESS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(text: &str) -> Result<Args, String> {
        parse(text.split_whitespace().map(String::from))
    }

    #[test]
    fn errors_name_the_option() {
        let say = |text| args(text).err().unwrap_or_default();
        assert_eq!(
            args("--data a --shard 1/2").map(|args| args.shard),
            Ok((1, 2))
        );
        assert!(say("--data a --shard 2/2").contains("--shard: '2/2'"));
        assert!(say("--data a --shard x").contains("--shard: 'x'"));
        assert!(say("--data a --epochs x").contains("--epochs: 'x'"));
        assert!(say("--data a --anchor-of KING").contains("--anchor-of: 'KING'"));
        assert!(say("--average a").contains("--out"));
        assert!(say("--epochs 5").contains("--data is missing"));
        assert!(say("--data").contains("--data: the value is missing"));
        assert!(say("--date x").contains("unknown option '--date'"));
        let say = |text: &str| {
            let words = text.split_whitespace().map(String::from);
            parse_network(words).err().unwrap_or_default()
        };
        assert_eq!(say("--data a --batch 16 --seed 3"), "");
        assert!(say("--data a --batch x").contains("--batch: 'x'"));
        assert!(say("--data a --shard 0/2").contains("unknown option '--shard'"));
        assert!(say("--seed 3").contains("--data is missing"));
    }
}
