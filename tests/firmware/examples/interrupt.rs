//! How long a search goes on after an interrupt has asked it to stop, in cycles of the clock.
#![no_std]
#![no_main]

#[path = "../src/board/mod.rs"]
#[allow(dead_code)]
mod board;

use core::fmt::Write;
use kirin::search::{Host, Limits};
use kirin::{bench, Board, KeyHistory, TranspositionTable};
use kirin_firmware::{KIRIN_HASH, KIRIN_SEARCHER};

/// A search that nothing ends but the alarm.
struct Alarmed;

impl Host for Alarmed {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }

    fn stopped(&mut self) -> bool {
        board::alarm_rings()
    }
}

#[no_mangle]
extern "C" fn firmware() -> ! {
    let mut board = board::Board::start();
    let (Some(searcher), Some(hash)) = (KIRIN_SEARCHER.take(), KIRIN_HASH.take()) else {
        board::exit(1)
    };
    let (mut sum, mut most) = (0, 0);
    // The first of the positions, whose searches have no end of their own.
    let positions = &bench::POSITIONS[..10];
    for (number, fen) in positions.iter().enumerate() {
        let Ok(position) = Board::from_fen(fen) else {
            board::exit(1)
        };
        let alarm_ms = board::milliseconds() + 200 + 7 * number as u32;
        board::set_alarm(alarm_ms);
        let table = TranspositionTable::new(&*hash);
        let past = KeyHistory::new();
        searcher.search(&position, &past, &Limits::default(), table, &mut Alarmed);
        let late = board::cycles() - board::cycles_at(alarm_ms);
        sum += late;
        most = late.max(most);
    }
    let mean = sum / positions.len() as u64;
    let _ = writeln!(board, "late: mean {mean} most {most} cycles");
    board::exit(0)
}
