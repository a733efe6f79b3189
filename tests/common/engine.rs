//! The real program, driven over its input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine, its input, and its output line by line.
pub struct Engine {
    pub child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// All lines received.
    pub heard: Vec<String>,
}

impl Engine {
    pub fn start() -> Engine {
        Engine::of(&mut Command::new(env!("CARGO_BIN_EXE_kirin")))
    }

    pub fn of(command: &mut Command) -> Engine {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = child.stdout.take().expect("piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if sender.send(line.expect("our lines are UTF-8")).is_err() {
                    break;
                }
            }
        });
        Engine {
            input: child.stdin.take(),
            child,
            lines,
            heard: Vec::new(),
        }
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        input.write_all(bytes).expect("the program reads");
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
        self.send_bytes(b"\n");
    }

    /// The next line that begins with `prefix`; those before it are heard.
    pub fn expect(&mut self, prefix: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self
                .lines
                .recv_timeout(deadline.saturating_duration_since(Instant::now()))
            {
                Ok(line) => {
                    self.heard.push(line.clone());
                    if line.starts_with(prefix) {
                        return line;
                    }
                }
                Err(error) => panic!("no '{prefix}' ({error}) after {:#?}", self.heard),
            }
        }
    }

    /// All that is said within this time.
    pub fn listen(&mut self, time: Duration) -> Vec<String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        while let Ok(line) = self
            .lines
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            lines.push(line);
        }
        self.heard.extend(lines.iter().cloned());
        lines
    }

    /// Asks and waits for `readyok`: everything before has been obeyed.
    pub fn sync(&mut self) {
        self.send("isready");
        self.expect("readyok");
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the program, and gives all it has said.
    pub fn end(mut self) -> (ExitStatus, Vec<String>) {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                break status;
            }
            assert!(
                Instant::now() < deadline,
                "it doesn't end: {:#?}",
                self.heard
            );
            thread::sleep(Duration::from_millis(2));
        };
        while !matches!(
            self.lines
                .recv_timeout(PATIENCE)
                .map(|line| self.heard.push(line)),
            Err(RecvTimeoutError::Disconnected)
        ) {}
        (status, std::mem::take(&mut self.heard))
    }

    pub fn quit(mut self) -> Vec<String> {
        self.send("quit");
        let (status, heard) = self.end();
        assert!(status.success(), "{status}");
        heard
    }

    /// The FEN that `d` shows.
    pub fn fen(&mut self) -> String {
        self.send("d");
        let line = self.expect("Fen: ");
        self.expect("Checkers:");
        line["Fen: ".len()..].to_string()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Only for tests that fail: the others have waited for the end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the program says when all its input comes at once.
pub fn pipe(input: &[u8]) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send_bytes(input);
    engine.close_input();
    let (status, heard) = engine.end();
    assert!(status.success(), "{status}");
    heard
}

pub fn count(lines: &[String], prefix: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(prefix)).count()
}

pub fn nodes_of_last_info(lines: &[String]) -> u64 {
    let info = lines
        .iter()
        .rev()
        .find(|line| line.contains(" nodes "))
        .expect("an info line");
    let (_, rest) = info.split_once(" nodes ").expect("checked");
    rest.split(' ')
        .next()
        .expect("a word")
        .parse()
        .expect("a number")
}
