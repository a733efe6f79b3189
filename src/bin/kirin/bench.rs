//! The benchmark with a clock: [`kirin::bench`] for `kirin bench` and for `bench` under UCI.

use crate::host::{QuietHost, Signals};
use crate::memory::{self, HashMemory, OutOfMemory};
use crate::output;
use kirin::bench::{self, CLUSTERS, POSITIONS};
use kirin::uci::answer::nodes_per_second;
use kirin::{Cluster, TranspositionTable};
use std::cell::Cell;
use std::mem::size_of;
use std::time::{Duration, Instant};

/// Runs the benchmark with memory of its own, prints a line for each position, and returns the
/// last line, to be printed: the sum, and the speed of the searches alone.
pub fn run(depth: u32, signals: &Signals) -> Result<String, OutOfMemory> {
    let mut searcher = memory::new_searcher()?;
    let hash = HashMemory::new((CLUSTERS * size_of::<Cluster>()).div_ceil(1 << 20) as u32)?;
    let table = TranspositionTable::new(&hash.clusters()[..CLUSTERS]);
    let begun = Cell::new(Instant::now());
    let (mut time, mut number) = (Duration::ZERO, 0);
    let nodes = bench::run(
        &mut searcher,
        table,
        depth,
        &mut QuietHost(signals),
        |_| begun.set(Instant::now()),
        |outcome| {
            time += begun.get().elapsed();
            number += 1;
            if signals.stopped() {
                return;
            }
            let best = outcome
                .best
                .map_or("(none)".to_string(), |mv| mv.to_string());
            output::answer(format_args!(
                "position {number:2}/{} nodes {:>9} bestmove {best}",
                POSITIONS.len(),
                outcome.nodes
            ));
        },
    );
    if signals.stopped() {
        return Ok("info string bench was stopped".into());
    }
    let time_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Ok(format!(
        "Bench: {nodes} nodes {} nps",
        nodes_per_second(nodes, time_ms)
    ))
}
