//! The endgame tables that the user has: found when `SyzygyPath` is set, and opened when first
//! asked.

use crate::files::{self, DataFile};
use crate::output;
use kirin::search::Limits;
use kirin::syzygy::{
    self, FiftyMoves, Kind, Material, RankedMove, Symbol, Table, TableError, Tables, Verdict,
};
use kirin::uci::Position;
use kirin::{Board, Move, MoveList, Score};
use std::collections::HashMap;
use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

type FileTable = Table<DataFile, Vec<Symbol>>;

/// A table's file.
struct TableFile {
    path: PathBuf,
    table: OnceLock<Option<FileTable>>,
    /// It has failed, which has been said, and is not asked again.
    failed: AtomicBool,
}

impl TableFile {
    fn fail(&self, error: impl fmt::Display) {
        if !self.failed.swap(true, Ordering::Relaxed) {
            output::complain(format_args!(
                "SyzygyPath: '{}' is not used: {error}",
                self.path.display()
            ));
        }
    }

    fn open(&self, kind: Kind, material: Material) -> Option<FileTable> {
        let table = files::open(&self.path)
            .map_err(TableError::Read)
            .and_then(|file| {
                Table::new(file, kind, material, |symbols| vec![Symbol::NONE; symbols])
            });
        table.map_err(|error| self.fail(error)).ok()
    }
}

/// All tables of some directories.
pub struct TableFiles {
    files: HashMap<(Kind, Material), TableFile>,
    /// The most men of them all.
    men: usize,
}

impl TableFiles {
    /// Looks for tables in directories, parted as the system parts them in `PATH`, and says what
    /// it finds.
    pub fn find(text: &[u8]) -> Option<TableFiles> {
        let directories = match files::path(text) {
            Ok(path) => path,
            Err(error) => {
                output::complain(format_args!("setoption SyzygyPath: {error}"));
                return None;
            }
        };
        let mut found = TableFiles {
            files: HashMap::new(),
            men: 0,
        };
        for directory in env::split_paths(directories) {
            if let Err(error) = found.add(&directory) {
                output::complain(format_args!(
                    "setoption SyzygyPath: '{}': {error}",
                    directory.display()
                ));
            }
        }
        let count = |kind| {
            found
                .files
                .keys()
                .filter(|(other, _)| *other == kind)
                .count()
        };
        output::inform(format_args!(
            "SyzygyPath: {} WDL and {} DTZ tables found, of up to {} men",
            count(Kind::Wdl),
            count(Kind::Dtz),
            found.men
        ));
        (found.men > 0).then_some(found)
    }

    /// Adds the tables of a directory. Of several for the same the first counts.
    fn add(&mut self, directory: &Path) -> io::Result<()> {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            let part = |part: Option<&std::ffi::OsStr>| part?.to_str().map(str::to_string);
            let extension = part(path.extension());
            let kind = Kind::ALL
                .into_iter()
                .find(|kind| extension.as_deref() == Some(kind.extension()));
            let material = part(path.file_stem()).and_then(|name| Material::from_name(&name));
            let (Some(kind), Some(material)) = (kind, material) else {
                continue;
            };
            self.men = self.men.max(material.men());
            self.files.entry((kind, material)).or_insert(TableFile {
                path,
                table: OnceLock::new(),
                failed: AtomicBool::new(false),
            });
        }
        Ok(())
    }
}

impl Tables for TableFiles {
    type Source = DataFile;
    type Symbols = Vec<Symbol>;

    fn table(&self, kind: Kind, material: Material) -> Option<&FileTable> {
        let file = self.files.get(&(kind, material))?;
        let table = file
            .table
            .get_or_init(|| file.open(kind, material))
            .as_ref();
        table.filter(|_| !file.failed.load(Ordering::Relaxed))
    }

    fn failed(&self, kind: Kind, material: Material, error: TableError<io::Error>) {
        if let Some(file) = self.files.get(&(kind, material)) {
            file.fail(error);
        }
    }
}

/// Tables, and how they are to be used.
#[derive(Clone)]
pub struct Prober {
    /// None if there are none.
    pub files: Option<Arc<TableFiles>>,
    /// `SyzygyProbeDepth`
    pub depth: u32,
    /// `SyzygyProbeLimit`
    pub limit: u32,
    /// `Syzygy50MoveRule`
    pub fifty_moves: FiftyMoves,
}

/// The tables as a search asks them.
#[derive(Clone, Copy)]
pub struct SearchTables<'a> {
    files: &'a TableFiles,
    /// The most men of a position that is looked up.
    men: u32,
    /// Positions with as many are looked up only so far before the horizon.
    depth: i32,
    fifty_moves: FiftyMoves,
}

/// What the tables say of the moves at the root.
#[derive(Default)]
pub struct RootVerdict {
    /// The moves, the best first.
    pub moves: Vec<RankedMove>,
    /// Is the search itself better off without tables? They would tell it that all moves win, or
    /// all draw, where the moves have been chosen already.
    pub is_settled: bool,
}

impl Prober {
    /// No tables.
    pub const fn new() -> Prober {
        Prober {
            files: None,
            depth: 1,
            limit: syzygy::MAX_MEN as u32,
            fifty_moves: FiftyMoves::Count,
        }
    }

    /// The tables, if there are any that may be asked.
    pub fn tables(&self) -> Option<SearchTables<'_>> {
        let files = self.files.as_deref()?;
        let all = files.men as u32;
        // Where no larger tables are allowed anyway, the depth is about those that are not there.
        let (men, depth) = if self.limit > all {
            (all, 0)
        } else {
            (self.limit, self.depth)
        };
        (men > 0).then_some(SearchTables {
            files,
            men,
            depth: i32::try_from(depth).unwrap_or(i32::MAX),
            fifty_moves: self.fifty_moves,
        })
    }
}

impl SearchTables<'_> {
    /// What the tables know of a position in a search. See [`kirin::search::Host`].
    pub fn probe(&self, board: &Board, depth: i32) -> Option<Verdict> {
        let men = board.occupied().len();
        if men > self.men || (men == self.men && depth < self.depth) {
            return None;
        }
        let verdict = syzygy::probe_wdl(self.files, board)?;
        Some(match (self.fifty_moves, verdict) {
            (FiftyMoves::Ignored, Verdict::CursedWin) => Verdict::Win,
            (FiftyMoves::Ignored, Verdict::BlessedLoss) => Verdict::Loss,
            _ => verdict,
        })
    }

    /// What the tables say of the moves that a search is to choose from, if the position is in
    /// them.
    pub fn rank_root(&self, position: &Position, limits: &Limits) -> Option<RootVerdict> {
        let Position { board, history } = position;
        if board.occupied().len() > self.men || !board.castling().is_empty() {
            return None;
        }
        let legal = board.legal_moves();
        let wanted = |mv: &Move| limits.search_moves.contains(mv);
        let any_wanted = legal.iter().any(wanted);
        let mut settled = true;
        let mut moves = Vec::new();
        for &mv in legal.iter().filter(|mv| !any_wanted || wanted(mv)) {
            let (ranked, exact) =
                syzygy::rank_move(self.files, board, history, mv, self.fifty_moves)?;
            settled &= exact;
            moves.push(ranked);
        }
        moves.sort_by_key(|ranked| -ranked.rank);
        let best = moves.first()?.score;
        Some(RootVerdict {
            moves,
            is_settled: settled || best <= Score::DRAW + 1,
        })
    }
}

impl RootVerdict {
    /// The best moves, but at least so many.
    pub fn best(&self, count: usize) -> MoveList {
        let least = self
            .moves
            .get(count.saturating_sub(1))
            .or(self.moves.last());
        let mut best = MoveList::new();
        for ranked in &self.moves {
            if least.is_some_and(|least| ranked.rank >= least.rank) {
                best.push(ranked.mv);
            }
        }
        best
    }

    /// What the tables say of a line that begins with this move and that the search gives this
    /// score. It may have seen a mate; else the tables know better.
    pub fn score(&self, first: Option<&Move>, score: i32) -> Option<i32> {
        let ranked = self.moves.iter().find(|ranked| Some(&ranked.mv) == first)?;
        (!Score::is_mate(score)).then_some(ranked.score)
    }
}

/// What tables know of a position, for `d`: nothing, or a line.
pub struct TableView<'a>(pub &'a Prober, pub &'a Board);

impl fmt::Display for TableView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(files) = self.0.files.as_deref() else {
            return Ok(());
        };
        if let Some(verdict) = syzygy::probe_wdl(files, self.1) {
            write!(f, "\nTablebases WDL: {}", verdict as i32)?;
            if let Some(plies) = syzygy::probe_dtz(files, self.1) {
                write!(f, " DTZ: {plies}")?;
            }
        }
        Ok(())
    }
}
