//! The debug log: every line read and written, in a file that the user names. Without one nothing
//! is opened.

use crate::output;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::str;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// It was read.
    In,
    /// It was written.
    Out,
}

static LOG: Mutex<Option<File>> = Mutex::new(None);
/// Is there a file? Asked for each line, so that without one nothing is locked.
static OPEN: AtomicBool = AtomicBool::new(false);

fn log() -> MutexGuard<'static, Option<File>> {
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes to the end of this file from now on, or to none. If it can't be opened nothing
/// changes.
pub fn open(path: Option<&[u8]>) -> io::Result<()> {
    let file = path.map(open_file).transpose()?;
    OPEN.store(file.is_some(), Ordering::Relaxed);
    *log() = file;
    Ok(())
}

fn open_file(path: &[u8]) -> io::Result<File> {
    let path = str::from_utf8(path)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "its name is not UTF-8"))?;
    // To open a pipe would wait for whoever reads it.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("it is no regular file"));
    }
    OpenOptions::new().append(true).create(true).open(path)
}

/// Puts down what was read or written: one line or several, with their last newline or without.
pub fn note(direction: Direction, text: &[u8]) {
    if !OPEN.load(Ordering::Relaxed) {
        return;
    }
    let mark: &[u8] = match direction {
        Direction::In => b">> ",
        Direction::Out => b"<< ",
    };
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let mut marked = Vec::with_capacity(text.len() + 16);
    for line in text.split(|&byte| byte == b'\n') {
        marked.extend_from_slice(mark);
        marked.extend_from_slice(line);
        marked.push(b'\n');
    }
    let mut log = log();
    let Some(file) = log.as_mut() else {
        return;
    };
    if let Err(error) = file.write_all(&marked) {
        *log = None;
        OPEN.store(false, Ordering::Relaxed);
        // The complaint is a line too.
        drop(log);
        output::complain(format_args!(
            "Debug Log File: cannot write, nothing more is put down: {error}"
        ));
    }
}
