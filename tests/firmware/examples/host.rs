//! The firmware's session over standard input and output: what the firmware says must be what
//! this says, but for times.

use kirin_firmware::{play, Machine, KIRIN_HASH, KIRIN_SEARCHER, LINE_BYTES};
use std::fmt;
use std::io::{BufRead, Write};
use std::time::Instant;

struct Host(Instant);

impl fmt::Write for Host {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .map_err(|_| fmt::Error)
    }
}

impl Machine for Host {
    fn read_line<'a>(&mut self, buffer: &'a mut [u8; LINE_BYTES]) -> Option<&'a [u8]> {
        let mut line = Vec::new();
        let length = std::io::stdin()
            .lock()
            .read_until(b'\n', &mut line)
            .unwrap_or(0);
        if length == 0 {
            return None;
        }
        let kept = line.trim_ascii_end().len().min(LINE_BYTES);
        buffer[..kept].copy_from_slice(&line[..kept]);
        Some(&buffer[..kept])
    }

    fn now_ms(&mut self) -> u64 {
        self.0.elapsed().as_millis() as u64
    }

    fn stop_requested(&mut self) -> bool {
        false
    }
}

fn main() {
    if let (Some(searcher), Some(hash)) = (KIRIN_SEARCHER.take(), KIRIN_HASH.take()) {
        play(&mut Host(Instant::now()), searcher, hash);
    }
}
