//! Counting move sequences, for `go perft` and for the command line.

use crate::engine::SEARCH_STACK_BYTES;
use crate::host::Signals;
use crate::memory::{HashMemory, OutOfMemory};
use crate::output;
use kirin::{perft, perft_hashed, Board, Move, PerftTable};
use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::Instant;
use std::{io, thread};

/// Counts of this many plies are not broken off: a fraction of a second for any position.
const UNBROKEN_PLIES: u32 = 3;

/// `go perft`: prints the count for each move, and returns the last lines, to be printed, with
/// their sum. It ends early when told to stop.
pub fn divide(board: &Board, depth: u32, signals: &Signals) -> String {
    let mut total = u64::from(depth == 0);
    if depth > 0 {
        for &mv in &board.legal_moves() {
            let mut child = board.clone();
            child.make_move(mv);
            let Some(nodes) = count(&child, depth - 1, signals) else {
                return "info string perft was stopped".into();
            };
            total = total.saturating_add(nodes);
            output::answer(format_args!("{mv}: {nodes}"));
        }
    }
    format!("\nNodes searched: {total}")
}

/// The count, or nothing if told to stop.
fn count(board: &Board, depth: u32, signals: &Signals) -> Option<u64> {
    if depth <= UNBROKEN_PLIES {
        return (!signals.stopped()).then(|| perft(board, depth));
    }
    board.legal_moves().iter().try_fold(0u64, |total, &mv| {
        let mut child = board.clone();
        child.make_move(mv);
        Some(total.saturating_add(count(&child, depth - 1, signals)?))
    })
}

/// How `kirin perft` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    pub threads: u32,
    /// The size of the table, if there is to be one.
    pub hash_mib: Option<u32>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: 1,
            hash_mib: None,
        }
    }
}

/// Why a count was not made.
#[derive(Debug)]
pub enum Error {
    /// There is no memory for the table.
    Hash(OutOfMemory),
    /// The system gives no thread.
    Thread(io::Error),
    /// The count is 2^64 - 1 or more.
    TooMany,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Hash(error) => write!(f, "--hash: {error}"),
            Error::Thread(error) => write!(f, "--threads: no thread can be had: {error}"),
            Error::TooMany => f.write_str("the count does not fit into 64 bits"),
        }
    }
}

impl std::error::Error for Error {}

/// `kirin perft`: the same, with the time that the count alone took.
pub fn timed(board: &Board, depth: u32, settings: &Settings) -> Result<(), Error> {
    let memory = match settings.hash_mib {
        Some(mib) => Some(HashMemory::in_large_pages(mib).map_err(Error::Hash)?),
        None => None,
    };
    let table = memory
        .as_ref()
        .map(|memory| PerftTable::new(memory.perft_clusters()));
    let begun = Instant::now();
    let counts = counts(board, depth, settings.threads, table)?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut total = u64::from(depth == 0);
    let mut text = String::new();
    for (mv, nodes) in counts {
        total = total.saturating_add(nodes);
        // Writing to a string doesn't fail.
        let _ = writeln!(text, "{mv}: {nodes}");
    }
    if total == u64::MAX {
        return Err(Error::TooMany);
    }
    output::answer(format_args!(
        "{text}\nNodes searched: {total}\nseconds: {seconds:.6}"
    ));
    Ok(())
}

/// The count for each legal move. The work is cut up after two plies, into pieces that are many
/// and small enough for all threads to be busy until the end.
fn counts(
    board: &Board,
    depth: u32,
    threads: u32,
    table: Option<PerftTable<'_>>,
) -> Result<Vec<(Move, u64)>, Error> {
    if depth == 0 {
        return Ok(Vec::new());
    }
    let moves = board.legal_moves();
    let plies_cut = depth.min(2);
    let mut pieces = Vec::new();
    for (number, &mv) in moves.iter().enumerate() {
        let mut child = board.clone();
        child.make_move(mv);
        if plies_cut < 2 {
            pieces.push((number, child));
            continue;
        }
        pieces.extend(child.legal_moves().iter().map(|&reply| {
            let mut grandchild = child.clone();
            grandchild.make_move(reply);
            (number, grandchild)
        }));
    }
    let next = AtomicUsize::new(0);
    // Held until all threads are there, so that none has begun if one can't be had.
    let gate = Mutex::new(());
    let work = || {
        drop(gate.lock());
        let mut counts = vec![0_u64; moves.len()];
        while let Some((number, board)) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            let nodes = match table {
                Some(table) => perft_hashed(board, depth - plies_cut, table),
                None => perft(board, depth - plies_cut),
            };
            counts[*number] = counts[*number].saturating_add(nodes);
        }
        counts
    };
    let mut sums = vec![0_u64; moves.len()];
    thread::scope(|scope| {
        let closed = gate.lock();
        // This thread works too.
        let others = 1..(threads as usize).min(pieces.len());
        let others: Vec<_> = others
            .map(|_| {
                thread::Builder::new()
                    .stack_size(SEARCH_STACK_BYTES)
                    .spawn_scoped(scope, work)
            })
            .collect::<io::Result<_>>()
            .inspect_err(|_| next.store(pieces.len(), Ordering::Relaxed))
            .map_err(Error::Thread)?;
        drop(closed);
        let mut add = |counts: Vec<u64>| {
            for (sum, nodes) in sums.iter_mut().zip(counts) {
                *sum = sum.saturating_add(nodes);
            }
        };
        add(work());
        for other in others {
            match other.join() {
                Ok(counts) => add(counts),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    })?;
    Ok(moves.iter().copied().zip(sums).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kirin::PerftCluster;

    const POSITIONS: [(&str, u32); 4] = [
        (Board::STARTPOS_FEN, 5),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            4,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
        // Mate: no move at all, and so no work for anybody.
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            3,
        ),
    ];

    /// With a table too small for the work too, where most entries are overwritten.
    #[test]
    fn threads_and_a_table_change_no_count() {
        for (fen, deepest) in POSITIONS {
            let board = Board::from_fen(fen).expect("legal");
            for depth in 0..=deepest {
                let mut expected = Vec::new();
                kirin::perft_divide(&board, depth, |mv, nodes| expected.push((mv, nodes)));
                let memory: Vec<PerftCluster> = (0..64).map(|_| PerftCluster::new()).collect();
                for threads in [1, 2, 7, 256] {
                    for table in [None, Some(PerftTable::new(&memory))] {
                        let found = counts(&board, depth, threads, table).expect("threads");
                        assert_eq!(found, expected, "{fen} {depth} {threads}");
                    }
                }
            }
        }
    }
}
