//! A conversation over standard input and output.
//!
//! This thread only reads and answers; searching is the engine's. So `isready` and `stop` are
//! heard at any moment. A `position` or option that arrives during a search is meant for the
//! next one.

use crate::book::{self, Book};
use crate::engine::{Engine, Job, SearchJob};
use crate::host::Signals;
use crate::lines::{Line, Lines};
use crate::log::{self, Direction};
use crate::output;
use crate::tables::{Prober, TableFiles, TableView};
use kirin::search::{Limits, Strength};
use kirin::syzygy::FiftyMoves;
use kirin::uci::answer::{BoardView, Introduction, HELP};
use kirin::uci::{
    Command, EvalView, Excerpt, GoText, Position, SetOption, Setting, Tokens, DEFAULT_ELO,
    DEFAULT_MOVE_OVERHEAD_MS,
};
use kirin::{bench, Board, Searcher, Variant};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;
use std::time::Instant;

/// Does the conversation go on?
#[derive(PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

struct Session {
    position: Position,
    move_overhead_ms: u32,
    /// How many lines a search shows.
    multipv: u32,
    /// Are its lines shown with the chances that they give?
    shows_wdl: bool,
    skill_level: u32,
    /// Does the rating count, and not the level?
    limits_strength: bool,
    elo: u32,
    nodes_per_ms: u32,
    /// What boards are set up as from now on.
    variant: Variant,
    /// Are moves taken from the book?
    own_book: bool,
    book: Option<Arc<Book>>,
    /// Are positions looked at rather than played?
    analyses: bool,
    tables: Prober,
    engine: Engine,
}

/// Talks until `quit` or the end of input.
pub fn run() {
    let mut session = Session {
        position: Position::new(Board::startpos()),
        move_overhead_ms: DEFAULT_MOVE_OVERHEAD_MS,
        multipv: 1,
        shows_wdl: false,
        skill_level: Strength::FULL_LEVEL,
        limits_strength: false,
        elo: DEFAULT_ELO,
        nodes_per_ms: 0,
        variant: Variant::Standard,
        own_book: false,
        book: None,
        analyses: false,
        tables: Prober::new(),
        engine: Engine::new(),
    };
    let mut lines = Lines::new(io::stdin().lock());
    loop {
        match lines.next() {
            Line::Text(text) => {
                log::note(Direction::In, text);
                if session.obey(&Command::parse(text)) == Flow::Quit {
                    return session.engine.shut_down();
                }
            }
            Line::TooLong => output::complain("a line beyond all measure is ignored"),
            Line::End => return session.engine.finish(),
        }
    }
}

impl Session {
    fn obey(&mut self, command: &Command<'_>) -> Flow {
        match command {
            Command::Uci => output::answer(Introduction),
            Command::IsReady => output::send("readyok\n"),
            Command::NewGame => self.engine.new_game(),
            Command::SetOption(option) => self.set_option(option),
            Command::Position(text) => match text.read_as(self.variant) {
                Ok(position) => self.position = position,
                Err(error) => output::complain(error),
            },
            Command::Go(text) => self.go(text),
            Command::Stop => self.engine.stop(),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::Quit => return Flow::Quit,
            Command::Show => output::answer(format_args!(
                "{}{}",
                BoardView(&self.position.board),
                TableView(&self.tables, &self.position.board)
            )),
            Command::Eval => {
                let board = &self.position.board;
                output::answer(format_args!("{}\n\n{}", BoardView(board), EvalView(board)));
            }
            Command::Flip => self.position = Position::new(self.position.board.flipped()),
            Command::Bench(text) => self.bench(text.clone()),
            Command::Help => output::answer(HELP),
            Command::Unknown(word) => output::complain(format_args!(
                "unknown command '{}' (try 'help')",
                Excerpt(word)
            )),
            _ => {}
        }
        Flow::Continue
    }

    fn set_option(&mut self, option: &SetOption<'_>) {
        match option.read() {
            Ok(Setting::Hash { mib }) => {
                if let Err(error) = self.engine.set_hash(mib) {
                    output::complain(format_args!("setoption Hash: {error}"));
                }
            }
            Ok(Setting::ClearHash) => self.engine.clear_hash(),
            Ok(Setting::MoveOverhead { ms }) => self.move_overhead_ms = ms,
            Ok(Setting::Chess960(true)) => self.variant = Variant::Chess960,
            Ok(Setting::Chess960(false)) => self.variant = Variant::Standard,
            Ok(Setting::MultiPv(lines)) => self.multipv = lines,
            Ok(Setting::ShowWdl(shows)) => self.shows_wdl = shows,
            Ok(Setting::DebugLogFile(path)) => {
                if let Err(error) = log::open(path) {
                    let path = Excerpt(path.unwrap_or_default());
                    output::complain(format_args!("setoption Debug Log File: '{path}': {error}"));
                }
            }
            Ok(Setting::Threads(threads)) => {
                if let Err(error) = self.engine.set_threads(threads) {
                    output::complain(format_args!("setoption Threads: {error}"));
                }
            }
            Ok(Setting::AnalyseMode(analyses)) => self.analyses = analyses,
            Ok(Setting::OwnBook(own_book)) => self.own_book = own_book,
            Ok(Setting::BookFile(path)) => match path.map(book::open).transpose() {
                Ok(book) => self.book = book.map(Arc::new),
                Err(error) => {
                    let path = Excerpt(path.unwrap_or_default());
                    output::complain(format_args!("setoption Book File: '{path}': {error}"));
                }
            },
            Ok(Setting::SyzygyPath(path)) => {
                self.tables.files = path.and_then(TableFiles::find).map(Arc::new);
            }
            Ok(Setting::SyzygyProbeDepth(depth)) => self.tables.depth = depth,
            Ok(Setting::SyzygyProbeLimit(men)) => self.tables.limit = men,
            Ok(Setting::Syzygy50MoveRule(true)) => self.tables.fifty_moves = FiftyMoves::Count,
            Ok(Setting::Syzygy50MoveRule(false)) => self.tables.fifty_moves = FiftyMoves::Ignored,
            Ok(Setting::SkillLevel(level)) => self.skill_level = level,
            Ok(Setting::LimitStrength(limits)) => self.limits_strength = limits,
            Ok(Setting::Elo(elo)) => self.elo = elo,
            Ok(Setting::NodesTime { nodes_per_ms }) => self.nodes_per_ms = nodes_per_ms,
            Ok(_) => {}
            Err(error) => output::complain(error),
        }
    }

    /// The strength to play at, if it is not the full one. Its errors are others each time.
    fn strength(&self) -> Option<Strength> {
        let seed = || RandomState::new().hash_one(());
        if self.limits_strength {
            Some(Strength::of_elo(self.elo, seed()))
        } else if self.skill_level < Strength::FULL_LEVEL {
            Strength::of_level(self.skill_level, seed())
        } else {
            None
        }
    }

    fn go(&mut self, text: &GoText<'_>) {
        let begun = Instant::now();
        let go = text.read(output::complain);
        if go.perft_is_unclear {
            return;
        }
        let board = &self.position.board;
        let (multipv, strength, nodes_per_ms) = (self.multipv, self.strength(), self.nodes_per_ms);
        let job = match go.perft {
            Some(depth) => Job::Perft {
                board: Box::new(board.clone()),
                depth,
            },
            None => Job::Search(Box::new(SearchJob {
                position: self.position.clone(),
                limits: Limits {
                    multipv,
                    strength,
                    nodes_per_ms,
                    ..go.limits(board, u64::from(self.move_overhead_ms), |error| {
                        output::complain(error);
                    })
                },
                waits_for_stop: go.waits_for_stop(),
                shows_wdl: self.shows_wdl,
                book: self
                    .book
                    .clone()
                    .filter(|_| self.own_book && !self.analyses && go.is_play()),
                tables: self.tables.clone(),
            })),
        };
        let pondering = go.ponder && go.perft.is_none();
        self.start("go", job, Signals::new(begun, pondering));
    }

    fn bench(&mut self, mut text: Tokens<'_>) {
        match depth(text.next()) {
            Some(depth) => {
                let signals = Signals::new(Instant::now(), false);
                self.start("bench", Job::Bench { depth }, signals);
            }
            None => output::complain(format_args!(
                "bench: its depth is a number from 1 to {}",
                Searcher::MAX_DEPTH
            )),
        }
    }

    fn start(&mut self, what: &str, job: Job, signals: Signals) {
        if !self.engine.start(job, signals) {
            output::complain(format_args!(
                "'{what}' is ignored: a search is under way that waits for stop"
            ));
        }
    }
}

/// The depth that a benchmark is asked to search, if it can.
pub fn depth(word: Option<&[u8]>) -> Option<u32> {
    let Some(word) = word else {
        return Some(bench::DEFAULT_DEPTH);
    };
    let depth = std::str::from_utf8(word).ok()?.parse().ok()?;
    (1..=Searcher::MAX_DEPTH).contains(&depth).then_some(depth)
}
