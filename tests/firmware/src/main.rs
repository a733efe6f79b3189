//! The firmware: a wire and a clock for the session of the library.
#![no_std]
#![no_main]

#[allow(dead_code)] // what other programs measure with
mod board;

use board::Board;
use kirin_firmware::{play, Machine, KIRIN_HASH, KIRIN_SEARCHER, LINE_BYTES};

impl Machine for Board {
    fn read_line<'a>(&mut self, buffer: &'a mut [u8; LINE_BYTES]) -> Option<&'a [u8]> {
        let mut length = 0;
        loop {
            match self.read() {
                b'\n' => return Some(&buffer[..length]),
                byte if length < LINE_BYTES => {
                    buffer[length] = byte;
                    length += 1;
                }
                _ => {}
            }
        }
    }

    fn now_ms(&mut self) -> u64 {
        u64::from(board::milliseconds())
    }

    fn stop_requested(&mut self) -> bool {
        self.line_begins_with(b"stop") || self.line_begins_with(b"quit")
    }
}

#[no_mangle]
extern "C" fn firmware() -> ! {
    let mut board = Board::start();
    if let (Some(searcher), Some(hash)) = (KIRIN_SEARCHER.take(), KIRIN_HASH.take()) {
        play(&mut board, searcher, hash);
    }
    board.report_memory();
    board::exit(0)
}
