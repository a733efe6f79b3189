//! Lines of input: of any bytes and any sensible length.

use std::io::{self, BufRead};

/// The longest line that is read, in bytes: far beyond any game's moves, and small enough that
/// endless input without a newline can't eat the machine.
const MAX_LINE_BYTES: usize = 16 << 20;
/// A line's memory beyond this is given back after it, in bytes.
const KEPT_BYTES: usize = 64 << 10;

/// A line, or why there is none.
pub enum Line<'a> {
    /// A line without its newline. The last one may have had none.
    Text(&'a [u8]),
    /// A line longer than [`MAX_LINE_BYTES`]; it has been passed over.
    TooLong,
    /// The input has ended, or can't be read any more.
    End,
}

/// Reads lines into one buffer.
pub struct Lines<R> {
    reader: R,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// Lines from this reader.
    pub fn new(reader: R) -> Lines<R> {
        Lines {
            reader,
            line: Vec::new(),
        }
    }

    /// Waits for the next line.
    pub fn next(&mut self) -> Line<'_> {
        self.line.clear();
        self.line.shrink_to(KEPT_BYTES);
        let mut too_long = false;
        let mut any = false;
        loop {
            let input = match self.reader.fill_buf() {
                Ok(input) => input,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => &[],
            };
            if input.is_empty() {
                break;
            }
            any = true;
            let newline = input.iter().position(|&byte| byte == b'\n');
            let text = &input[..newline.unwrap_or(input.len())];
            too_long |= self.line.len() + text.len() > MAX_LINE_BYTES;
            if !too_long {
                self.line.extend_from_slice(text);
            }
            let read = text.len() + usize::from(newline.is_some());
            self.reader.consume(read);
            if newline.is_some() {
                break;
            }
        }
        match (any, too_long) {
            (false, _) => Line::End,
            (true, true) => Line::TooLong,
            (true, false) => Line::Text(&self.line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn all(input: &[u8], capacity: usize) -> Vec<Option<Vec<u8>>> {
        let mut lines = Lines::new(BufReader::with_capacity(capacity, input));
        let mut found = Vec::new();
        loop {
            match lines.next() {
                Line::Text(text) => found.push(Some(text.to_vec())),
                Line::TooLong => found.push(None),
                Line::End => return found,
            }
        }
    }

    #[test]
    fn lines_are_found_however_they_arrive() {
        for capacity in [1, 3, 100] {
            let found = all(b"uci\r\n\n\xff\xfe\nquit", capacity);
            let expected = [&b"uci\r"[..], b"", b"\xff\xfe", b"quit"];
            assert_eq!(found, expected.map(|line| Some(line.to_vec())));
        }
        assert!(all(b"", 8).is_empty());
    }

    #[test]
    fn a_line_beyond_all_measure_is_passed_over() {
        let mut input = vec![b'x'; MAX_LINE_BYTES + 1];
        input.extend_from_slice(b"\nuci\n");
        assert_eq!(all(&input, 8192), [None, Some(b"uci".to_vec())]);
    }
}
