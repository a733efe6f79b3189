//! The least firmware: it thinks about the starting position, says its move, and ends.
#![no_std]
#![no_main]

#[path = "../src/board/mod.rs"]
#[allow(dead_code)]
mod board;

use core::fmt::Write;
use kirin::search::{Host, Limits};
use kirin::{KeyHistory, TranspositionTable};
use kirin_firmware::{KIRIN_HASH, KIRIN_SEARCHER};

/// The search asks for the time, and whether to stop.
struct Surroundings;

impl Host for Surroundings {
    fn elapsed_ms(&mut self) -> u64 {
        u64::from(board::milliseconds())
    }

    fn stopped(&mut self) -> bool {
        false
    }
}

#[no_mangle]
extern "C" fn firmware() -> ! {
    let mut board = board::Board::start();
    if let (Some(searcher), Some(hash)) = (KIRIN_SEARCHER.take(), KIRIN_HASH.take()) {
        let position = kirin::Board::startpos();
        let limits = Limits {
            depth: Some(1),
            ..Limits::default()
        };
        let table = TranspositionTable::new(&*hash);
        let past = KeyHistory::new();
        let outcome = searcher.search(&position, &past, &limits, table, &mut Surroundings);
        if let Some(mv) = outcome.best {
            let _ = writeln!(board, "bestmove {mv}");
        }
    }
    board::exit(0)
}
