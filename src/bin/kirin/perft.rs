//! Counting move sequences, for `go perft` and for the command line.

use crate::host::Signals;
use crate::output;
use kirin::{perft, perft_divide, Board};
use std::fmt::Write as _;
use std::time::Instant;

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

/// `kirin perft`: the same, with the time that the count alone took.
pub fn timed(board: &Board, depth: u32) {
    let mut text = String::new();
    let begun = Instant::now();
    let total = perft_divide(board, depth, |mv, nodes| {
        // Writing to a string doesn't fail.
        let _ = writeln!(text, "{mv}: {nodes}");
    });
    let seconds = begun.elapsed().as_secs_f64();
    output::answer(format_args!(
        "{text}\nNodes searched: {total}\nseconds: {seconds:.6}"
    ));
}
