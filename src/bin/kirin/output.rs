//! Standard output: whole lines at once, flushed, from any thread, and no panic when nobody
//! listens any more.

use crate::log::{self, Direction};
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::process;

/// Writes text, which ends with a newline, in one piece.
///
/// Once the reader has gone there is nobody left to play for: the program ends, quietly and
/// well. Any other failure ends it with status 1.
pub fn send(text: &str) {
    log::note(Direction::Out, text.as_bytes());
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => {
            // Standard error may be gone too, and that is no reason to panic.
            let _ = writeln!(io::stderr(), "kirin: cannot write: {error}");
            process::exit(1);
        }
    }
}

/// Writes one answer, of one line or several, and the newline after it.
pub fn answer(value: impl fmt::Display) {
    let mut text = String::new();
    // Writing to a string fails only if a `Display` does, and ours don't.
    let _ = writeln!(text, "{value}");
    send(&text);
}

/// Writes an `info string`.
pub fn inform(value: impl fmt::Display) {
    answer(format_args!("info string {value}"));
}

/// Writes an `info string` that says what was refused.
pub fn complain(error: impl fmt::Display) {
    answer(format_args!("info string error: {error}"));
}
