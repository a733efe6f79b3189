//! Self-play for the tuner: games from random openings at a fixed number of nodes a move, and
//! from them quiet positions with their score and the game's result.
//!
//! One line a position: `FEN;SCORE;RESULT`, the score in centipawns and the result (1, 0.5 or 0)
//! as white sees them. Game `g` depends only on the seed and on `g`, so any split over threads
//! and shards gives the same games.

use crate::memory::{new_searcher, HashMemory};
use kirin::search::Limits;
use kirin::{Board, Color, KeyHistory, Score, Searcher, SplitMix, Status, TranspositionTable};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

/// What to play, and where to write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Games of all shards together.
    pub games: u64,
    /// Nodes a move.
    pub nodes: u64,
    pub seed: u64,
    pub threads: u32,
    /// This process plays the games whose number leaves `shard.0` when divided by `shard.1`.
    pub shard: (u64, u64),
    /// Every position that is fit for it has this chance, in a hundred, to be written.
    pub keep: u64,
    pub out: PathBuf,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            games: 1_000,
            nodes: 5_000,
            seed: 1,
            threads: 1,
            shard: (0, 1),
            keep: 50,
            out: PathBuf::new(),
        }
    }
}

/// Random plies of an opening: this many, or one more.
const OPENING_PLIES: u64 = 8;
/// An opening is thrown away when the search finds it so far from level.
const OPENING_LIMIT_CP: i32 = 250;
/// A game is won when both sides have seen so much for so many plies.
const WIN_CP: i32 = 1_500;
const WIN_PLIES: u32 = 6;
/// A game is drawn when both sides have seen next to nothing for so many plies, late enough.
const DRAW_CP: i32 = 8;
const DRAW_PLIES: u32 = 12;
const DRAW_FROM_PLY: u32 = 80;
const MAX_PLIES: u32 = 400;
/// The table of each player, in MiB.
const HASH_MIB: u32 = 8;

fn below(random: &mut SplitMix, bound: u64) -> u64 {
    random.next_u64() % bound
}

/// Plays the games and writes their positions; returns how many.
pub fn run(settings: &Settings) -> io::Result<u64> {
    let out = Mutex::new(BufWriter::new(File::create(&settings.out)?));
    let next = AtomicU64::new(settings.shard.0);
    let (written, played) = (AtomicU64::new(0), AtomicU64::new(0));
    let start = Instant::now();
    let work = || -> io::Result<()> {
        let mut player = Player::new(settings.nodes, settings.keep)?;
        loop {
            let game = next.fetch_add(settings.shard.1, Ordering::Relaxed);
            if game >= settings.games {
                return Ok(());
            }
            let (text, positions) = player.play(settings.seed, game);
            let mut file = out
                .lock()
                .map_err(|_| io::Error::other("a writer has panicked"))?;
            file.write_all(text.as_bytes())?;
            let total = written.fetch_add(positions, Ordering::Relaxed) + positions;
            let games = played.fetch_add(1, Ordering::Relaxed) + 1;
            if games % 1_000 == 0 {
                file.flush()?;
                let seconds = start.elapsed().as_secs_f64();
                let mut err = io::stderr();
                // If nobody reads it, the work goes on.
                let _ = writeln!(err, "{games} games, {total} positions, {seconds:.0} s");
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..settings.threads)
            .map(|_| {
                thread::Builder::new()
                    .stack_size(8 << 20)
                    .spawn_scoped(scope, work)
            })
            .collect();
        for worker in workers {
            match worker?.join() {
                Ok(result) => result?,
                Err(_) => return Err(io::Error::other("a player has panicked")),
            }
        }
        Ok(())
    })?;
    out.lock()
        .map_err(|_| io::Error::other("a writer has panicked"))?
        .flush()?;
    Ok(written.into_inner())
}

struct Player {
    searcher: Box<Searcher>,
    hash: HashMemory,
    limits: Limits,
    /// The chance of a position, in a hundred.
    keep: u64,
}

/// A position on trial: kept when the game's result is known.
struct Sample {
    fen: String,
    white_score: i32,
}

impl Player {
    fn new(nodes: u64, keep: u64) -> io::Result<Player> {
        let no_memory = |_| io::Error::from(io::ErrorKind::OutOfMemory);
        Ok(Player {
            searcher: new_searcher().map_err(no_memory)?,
            hash: HashMemory::new(HASH_MIB).map_err(no_memory)?,
            limits: Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
            keep,
        })
    }

    /// One game: its lines, and how many.
    fn play(&mut self, seed: u64, game: u64) -> (String, u64) {
        let mut random = SplitMix::new(seed ^ game.wrapping_mul(0xd134_2543_de82_ef95));
        loop {
            let opening = random_opening(&mut random);
            if let Some((samples, result)) = self.play_from(opening, &mut random) {
                let mut text = String::new();
                for Sample { fen, white_score } in &samples {
                    // Writing to a string doesn't fail.
                    let _ = writeln!(text, "{fen};{white_score};{result}");
                }
                return (text, samples.len() as u64);
            }
        }
    }

    /// The samples and white's result; `None` if the opening was not level.
    fn play_from(
        &mut self,
        (mut board, mut history): (Board, KeyHistory),
        random: &mut SplitMix,
    ) -> Option<(Vec<Sample>, &'static str)> {
        self.searcher.clear();
        TranspositionTable::new(self.hash.clusters()).clear();
        let mut samples = Vec::new();
        let (mut winning_plies, mut level_plies) = (0, 0);
        for ply in 0..MAX_PLIES {
            match board.status() {
                Status::Checkmate => {
                    let result = if board.side_to_move() == Color::White {
                        "0"
                    } else {
                        "1"
                    };
                    return Some((samples, result));
                }
                Status::Ongoing if !history.is_repetition(&board, 3) => {}
                _ => return Some((samples, "0.5")),
            }
            let table = TranspositionTable::new(self.hash.clusters()).with_age(u64::from(ply));
            let outcome = self
                .searcher
                .search(&board, &history, &self.limits, table, &mut ());
            let best = outcome.best?;
            let score = outcome.score;
            if ply == 0 && score.abs() > OPENING_LIMIT_CP {
                return None;
            }
            let white_score = if board.side_to_move() == Color::White {
                score
            } else {
                -score
            };
            winning_plies = if score.abs() >= WIN_CP {
                winning_plies + 1
            } else {
                0
            };
            level_plies = if score.abs() <= DRAW_CP {
                level_plies + 1
            } else {
                0
            };
            if winning_plies >= WIN_PLIES {
                return Some((samples, if white_score > 0 { "1" } else { "0" }));
            }
            if ply >= DRAW_FROM_PLY && level_plies >= DRAW_PLIES {
                return Some((samples, "0.5"));
            }
            let fit = !board.in_check()
                && best.is_quiet()
                && !board.gives_check(best)
                && !Score::is_mate(score);
            if fit && below(random, 100) < self.keep {
                samples.push(Sample {
                    fen: board.to_string(),
                    white_score,
                });
            }
            history.push(board.key());
            board.make_move(best);
        }
        Some((samples, "0.5"))
    }
}

/// A position after some random plies, with moves to go on.
fn random_opening(random: &mut SplitMix) -> (Board, KeyHistory) {
    loop {
        let (mut board, mut history) = (Board::startpos(), KeyHistory::new());
        let plies = OPENING_PLIES + below(random, 2);
        for _ in 0..plies {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[below(random, moves.len() as u64) as usize];
            history.push(board.key());
            board.make_move(mv);
        }
        if board.status() == Status::Ongoing {
            return (board, history);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_depends_on_its_seed_and_number_only() {
        let mut first = Player::new(200, 50).unwrap();
        let mut second = Player::new(200, 50).unwrap();
        second.play(7, 3);
        let (text, positions) = first.play(7, 11);
        assert_eq!((text.clone(), positions), second.play(7, 11));
        assert_eq!(text.lines().count() as u64, positions);
        for line in text.lines() {
            let fields: Vec<&str> = line.split(';').collect();
            assert!(fields[0].parse::<Board>().is_ok());
            assert!(fields[1].parse::<i32>().is_ok());
            assert!(["0", "0.5", "1"].contains(&fields[2]));
        }
    }
}
