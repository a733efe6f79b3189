//! Sizes and times of the layouts.

use std::time::{Duration, Instant};

use kirin_generator::{generate, generate_in_stages, layout, Layout, Settings};

use crate::options::Options;
use crate::{print, Failure};

/// How often a layout is generated; the median is told.
const RUNS: usize = 7;

pub fn run(options: &Options) -> Result<(), Failure> {
    let seed = options.seed()?;
    let mut report = format!("seed {seed:#x}; ms: generated and proven, {}\n", build());
    report.push_str("layout      entries       used      bytes   metadata         ms\n");
    for layout in Layout::ALL {
        let settings = Settings { seed, layout };
        let mut times = [Duration::ZERO; RUNS];
        for time in &mut times {
            let start = Instant::now();
            std::hint::black_box(generate(&settings).map_err(Failure::work)?);
            *time = start.elapsed();
        }
        times.sort_unstable();
        let tables = generate(&settings).map_err(Failure::work)?;
        let size = layout::size(layout, tables.list()).map_err(Failure::work)?;
        report.push_str(&format!(
            "{:<10} {:>8}   {:>8}   {:>8}   {:>8}   {:>8.3}\n",
            layout.name(),
            size.entries,
            size.used,
            size.bytes,
            size.metadata_bytes,
            milliseconds(times[RUNS / 2])
        ));
    }
    if options.get("--timings").is_some() {
        for layout in Layout::ALL {
            report.push_str(&timings(&Settings { seed, layout })?);
        }
    }
    print(&report)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn build() -> &'static str {
    if cfg!(debug_assertions) {
        "unoptimised"
    } else {
        "optimised"
    }
}

/// The median time of each stage, in a build like this one.
fn timings(settings: &Settings) -> Result<String, Failure> {
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
        .map_err(Failure::work)?;
        record("all of these", start.elapsed());
        let start = Instant::now();
        let text = tables.to_rust();
        record("text", start.elapsed());
        std::hint::black_box(text);
    }
    let mut report = format!("{} (median of {RUNS} runs)\n", settings.layout.name());
    for (name, mut times) in rows {
        times.sort_unstable();
        report.push_str(&format!(
            "  {name:<14} {:>9.3} ms\n",
            milliseconds(times[RUNS / 2])
        ));
    }
    Ok(report)
}
