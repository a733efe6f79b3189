//! Endgame tables: what they say of positions, and tables that are no tables.

mod common;

use common::{board, rows, Rng};
use kirin::search::{Host, Limits};
use kirin::syzygy::{self, FiftyMoves, Kind, Material, Symbol, Table, Tables, Verdict};
use kirin::{Board, Cluster, KeyHistory, Move, OutOfBounds, Score, Searcher, TranspositionTable};
use std::cell::RefCell;
use std::collections::HashMap;

type MemoryTable<'a> = Table<&'a [u8], Vec<Symbol>>;
type TableError = syzygy::TableError<OutOfBounds>;

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("data/syzygy/", $name)))),*]
    };
}

/// All tables of three men, and some of four.
static FILES: [(&str, &[u8]); 18] = files! {
    "KBvK.rtbw" "KBvK.rtbz" "KNvK.rtbw" "KNvK.rtbz" "KPvK.rtbw" "KPvK.rtbz"
    "KQvK.rtbw" "KQvK.rtbz" "KRvK.rtbw" "KRvK.rtbz"
    "KNNvK.rtbw" "KNNvK.rtbz" "KNvKN.rtbw" "KNvKN.rtbz" "KRvKR.rtbw" "KRvKR.rtbz"
    "KRPvK.rtbw" "KPPvK.rtbw"
};

fn what(name: &str) -> (Kind, Material) {
    let (name, extension) = name.split_once('.').expect("a file name");
    let kind = Kind::ALL
        .into_iter()
        .find(|kind| kind.extension() == extension);
    let material = Material::from_name(name);
    (kind.expect("a kind"), material.expect("some men"))
}

fn open<'a>(name: &str, bytes: &'a [u8]) -> Result<MemoryTable<'a>, TableError> {
    let (kind, material) = what(name);
    Table::new(bytes, kind, material, |symbols| vec![Symbol::NONE; symbols])
}

/// Tables in memory, and the complaints about them.
#[derive(Default)]
struct Set<'a> {
    tables: HashMap<(Kind, Material), MemoryTable<'a>>,
    errors: RefCell<Vec<TableError>>,
}

impl<'a> Set<'a> {
    fn of(files: &[(&str, &'a [u8])]) -> Set<'a> {
        let mut set = Set::default();
        for (name, bytes) in files {
            let table = open(name, bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            set.tables.insert(what(name), table);
        }
        set
    }
}

impl<'a> Tables for Set<'a> {
    type Source = &'a [u8];
    type Symbols = Vec<Symbol>;

    fn table(&self, kind: Kind, material: Material) -> Option<&MemoryTable<'a>> {
        self.tables.get(&(kind, material))
    }

    fn failed(&self, _: Kind, _: Material, error: TableError) {
        self.errors.borrow_mut().push(error);
    }
}

/// Positions, their verdicts, and their distances where the tables for that are here.
fn truth() -> Vec<(Board, i32, Option<i32>)> {
    rows(include_str!("data/syzygy/truth.tsv"))
        .map(|[fen, verdict, distance]| {
            let verdict = verdict.parse().expect("a number");
            (board(fen), verdict, distance.parse().ok())
        })
        .collect()
}

#[test]
fn tables_tell_the_truth() {
    let set = Set::of(&FILES);
    let (mut positions, mut distances) = (0, 0);
    for (board, verdict, distance) in truth() {
        let found = syzygy::probe_wdl(&set, &board).map(|verdict| verdict as i32);
        assert_eq!(found, Some(verdict), "{board}");
        positions += 1;
        if distance.is_some() {
            assert_eq!(syzygy::probe_dtz(&set, &board), distance, "{board}");
            distances += 1;
        }
        // The same with the colours exchanged.
        let flipped = board.flipped();
        let found = syzygy::probe_wdl(&set, &flipped).map(|verdict| verdict as i32);
        assert_eq!(found, Some(verdict), "{flipped}");
    }
    assert_eq!((positions, distances), (168, 132));
    assert_eq!(*set.errors.borrow(), []);
}

/// Where the code of a table without pawns begins: behind the kind, the flags, the order and the
/// men, on an even place.
fn code_of(name: &str) -> usize {
    (4 + 1 + 1 + what(name).1.men()).next_multiple_of(2)
}

/// The table of distances with its map written in words of two bytes, as some tables of seven men
/// need it.
fn widened(name: &str, bytes: &[u8]) -> Vec<u8> {
    const MAPPED: u8 = 2;
    const WIDE: u8 = 16;
    let number = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let code = code_of(name);
    assert_eq!(bytes[code] & (MAPPED | WIDE), MAPPED, "{name}");
    let [block_bits, span_bits, more_lengths] = [1, 2, 3].map(|at| usize::from(bytes[code + at]));
    let blocks = number(code + 4);
    let lengths = usize::from(bytes[code + 8] - bytes[code + 9]) + 1;
    let symbols_at = code + 10 + 2 * lengths;
    let map_at = (symbols_at + 2 + 3 * number(symbols_at)).next_multiple_of(2);
    let mut wide = bytes[..map_at].to_vec();
    wide[code] |= WIDE;
    let mut at = map_at;
    for _ in 0..4 {
        let count = bytes[at];
        wide.extend(u16::from(count).to_le_bytes());
        for &value in &bytes[at + 1..][..usize::from(count)] {
            wide.extend(u16::from(value).to_le_bytes());
        }
        at += 1 + usize::from(count);
    }
    at = at.next_multiple_of(2);
    // Three men lead and the fourth has what they leave.
    let spans = (31_332 * 61_usize).div_ceil(1 << span_bits);
    let rest = 6 * spans + 2 * (blocks + more_lengths);
    wide.extend(&bytes[at..at + rest]);
    wide.resize(wide.len().next_multiple_of(64), 0);
    let blocks_at = (at + rest).next_multiple_of(64);
    let end = (blocks_at + (blocks << block_bits)).next_multiple_of(64);
    assert_eq!(bytes.len(), end + 16, "{name}");
    wide.extend(&bytes[blocks_at..]);
    wide
}

/// The tables, one of them replaced.
fn with<'a>(name: &str, bytes: &'a [u8]) -> Set<'a> {
    let files = FILES.map(|file| {
        if file.0 == name {
            (file.0, bytes)
        } else {
            file
        }
    });
    Set::of(&files)
}

/// What occurs in larger tables than those here: distances of two bytes, and in plies rather than
/// in moves.
#[test]
fn distances_of_other_forms_are_read() {
    let plain = Set::of(&FILES);
    let file = |name| FILES.iter().find(|file| file.0 == name).expect("a file").1;
    let wide = widened("KRvKR.rtbz", file("KRvKR.rtbz"));
    let wide = with("KRvKR.rtbz", &wide);
    let mut in_plies = file("KRvK.rtbz").to_vec();
    in_plies[code_of("KRvK.rtbz")] |= 4;
    let in_plies = with("KRvK.rtbz", &in_plies);
    let (mut rooks, mut wins) = (0, 0);
    for (board, verdict, distance) in truth() {
        match Material::of(&board).of_table().to_string().as_str() {
            "KRvKR" => {
                assert_eq!(syzygy::probe_dtz(&wide, &board), distance, "{board}");
                rooks += usize::from(distance.is_some_and(|distance| distance.abs() > 1));
            }
            // The table is about the side with the rook.
            "KRvK" if verdict == 2 => {
                let found = syzygy::probe_dtz(&in_plies, &board).expect("a distance");
                assert_eq!(Some(2 * (found - 1) + 1), distance, "{board}");
                assert_eq!(syzygy::probe_dtz(&plain, &board), distance, "{board}");
                wins += 1;
            }
            _ => {}
        }
    }
    assert!(rooks > 0 && wins > 5, "{rooks} {wins}");
}

#[test]
fn what_no_table_knows_has_no_verdict() {
    let set = Set::of(&FILES);
    for fen in [
        // Castling rights.
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        // No table, and none for a capture.
        "8/8/4k3/8/8/4K3/8/3QR3 w - - 0 1",
        "8/8/4k3/4n3/8/4K3/8/3RR3 b - - 0 1",
        // Too many men for any.
        Board::STARTPOS_FEN,
    ] {
        let board = board(fen);
        assert_eq!(syzygy::probe_wdl(&set, &board), None, "{fen}");
        assert_eq!(syzygy::probe_dtz(&set, &board), None, "{fen}");
    }
    // Bare kings need none.
    let kings = board("8/8/4k3/8/8/4K3/8/8 w - - 0 1");
    let none = Set::default();
    assert_eq!(syzygy::probe_wdl(&none, &kings), Some(Verdict::Draw));
    assert_eq!(syzygy::probe_dtz(&none, &kings), Some(0));
    // A verdict without a distance.
    let rook = board("8/8/4k3/8/8/4K3/8/3R4 w - - 0 1");
    let half = Set::of(&FILES.map(|(name, bytes)| match name {
        "KRvK.rtbz" => FILES[0],
        _ => (name, bytes),
    }));
    assert_eq!(syzygy::probe_wdl(&half, &rook), Some(Verdict::Win));
    assert_eq!(syzygy::probe_dtz(&half, &rook), None);
    assert_eq!(*set.errors.borrow(), []);
}

#[test]
fn materials_have_names() {
    for name in [
        "KQvK", "KRvKR", "KBNvKP", "KQRBNPvK", "KQPvKRP", "KPvKP", "KNNvKQ",
    ] {
        let material = Material::from_name(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(material.to_string(), name);
        assert_eq!(material.men(), name.len() - 1, "{name}");
        assert_eq!(material.flipped().of_table(), material, "{name}");
    }
    for name in [
        "",
        "K",
        "KvK",
        "KQ",
        "KvKQ",
        "KRvKQ",
        "KPvKN",
        "KQvKNN",
        "KNBvK",
        "KPQvK",
        "kqvk",
        "KQVK",
        "QKvK",
        "KKvK",
        "KQRBNPPvK",
        "KQvKRRRRR",
        "KQvKv",
        "KQvK ",
        "K\u{ff31}vK",
        "KQQQQQQQQQQQQQQQQQQQQQQQvK",
    ] {
        assert_eq!(Material::from_name(name), None, "{name:?}");
    }
}

#[test]
fn a_table_that_is_cut_off_is_refused() {
    for (name, bytes) in FILES {
        for length in (0..bytes.len()).step_by(1 + bytes.len() / 2_000) {
            assert!(open(name, &bytes[..length]).is_err(), "{name}: {length}");
        }
        assert!(
            open(name, &[&bytes[..4], &[0; 76]].concat()).is_err(),
            "{name}"
        );
    }
    // The other kind's, and another material's.
    let bytes = FILES[0].1;
    assert_eq!(open("KBvK.rtbz", bytes).err(), Some(TableError::NotATable));
    let text = open("KBBvK.rtbw", bytes)
        .err()
        .expect("refused")
        .to_string();
    assert_eq!(text, "the table is corrupt: its men");
    assert_eq!(
        open("KBvK.rtbw", &bytes[..64]).err(),
        Some(TableError::Truncated)
    );
    assert_eq!(open("KBvK.rtbw", b"").err(), Some(TableError::NotATable));
    // Memory that is too small.
    let (kind, material) = what("KRvK.rtbw");
    let refused = Table::new(FILES[8].1, kind, material, |_| vec![Symbol::NONE; 1]).err();
    assert!(
        matches!(refused, Some(TableError::NoMemory { symbols: 2.. })),
        "{refused:?}"
    );
}

/// Whatever the bytes are: a verdict, right or wrong, or an error, and soon.
#[test]
fn damaged_tables_do_no_harm() {
    let truth = truth();
    let mut rng = Rng::new(70);
    let (mut refused, mut wrong, mut failed, mut harmless) = (0, 0, 0, 0);
    let rounds = if cfg!(debug_assertions) {
        6_000
    } else {
        60_000
    };
    for round in 0..rounds {
        let (name, bytes) = FILES[round % FILES.len()];
        let mut damaged = bytes.to_vec();
        // Mostly in the head, where the most depends on it.
        let end = if rng.below(3) > 0 {
            damaged.len().min(400)
        } else {
            damaged.len()
        };
        for _ in 0..=rng.below(4) {
            let at = rng.below(end);
            damaged[at] = match rng.below(4) {
                0 => 0,
                1 => 0xff,
                2 => rng.next_u64() as u8,
                _ => damaged[at] ^ 1 << rng.below(8),
            };
        }
        let Ok(table) = open(name, &damaged) else {
            refused += 1;
            continue;
        };
        let mut set = Set::default();
        for (other, bytes) in FILES.iter().filter(|(other, _)| what(other).1.men() == 3) {
            set.tables
                .insert(what(other), open(other, bytes).expect("sound"));
        }
        for (other, bytes) in FILES
            .iter()
            .filter(|(other, _)| what(other).1 == table.material())
        {
            set.tables
                .insert(what(other), open(other, bytes).expect("sound"));
        }
        let (kind, material) = (table.kind(), table.material());
        set.tables.insert((kind, material), table);
        let mut differs = false;
        for (board, verdict, distance) in &truth {
            if Material::of(board).of_table() == material {
                let found = syzygy::probe_wdl(&set, board).map(|verdict| verdict as i32);
                differs |= found.is_some() && found != Some(*verdict);
                let found = syzygy::probe_dtz(&set, board);
                differs |= found.is_some() && found != *distance;
            }
        }
        failed += usize::from(!set.errors.borrow().is_empty());
        wrong += usize::from(differs);
        harmless += usize::from(!differs && set.errors.borrow().is_empty());
    }
    // All of it has been met.
    for (count, what) in [
        (refused, "refused"),
        (wrong, "wrong"),
        (failed, "failed"),
        (harmless, "harmless"),
    ] {
        assert!(count > rounds / 200, "{what}: {count} of {rounds}");
    }
}

/// The moves of a position by their rank, the best first.
fn ranked(set: &Set<'_>, board: &Board, history: &KeyHistory) -> Vec<(Move, i32, i32)> {
    let mut moves: Vec<_> = board
        .legal_moves()
        .iter()
        .map(|&mv| {
            let rule = FiftyMoves::Count;
            let (ranked, exact) = syzygy::rank_move(set, board, history, mv, rule).expect("tables");
            assert!(exact && ranked.mv == mv);
            (mv, ranked.rank, ranked.score)
        })
        .collect();
    moves.sort_by_key(|&(_, rank, _)| -rank);
    moves
}

#[test]
fn moves_are_ranked_by_what_they_lead_to() {
    let set = Set::of(&FILES);
    for (fen, best, worst) in [
        // Winning moves, and some that lose the rook or stalemate.
        ("8/8/8/8/8/1k6/8/K6R w - - 0 1", "win", "win"),
        ("8/8/8/8/8/8/1k6/3K3R w - - 0 1", "win", "win"),
        ("k7/8/1K6/8/8/8/8/6R1 w - - 0 1", "win", "win"),
        ("8/8/8/8/8/1k6/2R5/K7 b - - 0 1", "draw", "loss"),
        // With the opposition, and without.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "win", "draw"),
        ("8/8/4k3/8/4PK2/8/8/8 w - - 0 1", "draw", "draw"),
        // A queen comes whatever is done.
        ("8/4P3/4K3/8/8/8/8/k7 b - - 0 1", "loss", "loss"),
        // The clock has run too far for any win.
        ("8/8/8/3k4/8/8/8/K6R w - - 95 100", "doubtful", "doubtful"),
        (
            "8/8/8/3k4/8/8/8/K6R b - - 95 100",
            "doubtful loss",
            "doubtful loss",
        ),
    ] {
        let name = |score: i32| match score {
            score if score >= Score::CERTAIN_WIN => "win",
            1.. => "doubtful",
            0 => "draw",
            score if score <= -Score::CERTAIN_WIN => "loss",
            _ => "doubtful loss",
        };
        let moves = ranked(&set, &board(fen), &KeyHistory::new());
        let scores = [moves[0].2, moves[moves.len() - 1].2];
        assert_eq!(scores.map(name), [best, worst], "{fen}: {moves:?}");
    }
    // Mate in one is as short as can be, also at the last moment.
    let mate = board("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    let moves = ranked(&set, &mate, &KeyHistory::new());
    assert_eq!(moves[0].0.to_string(), "a1a8");
    assert!(
        moves[0].2 >= Score::CERTAIN_WIN && moves[1].2 == 0,
        "{moves:?}"
    );
}

/// Once a position has stood twice, the best rank is of the shortest ways alone, and following it
/// ends in mate before the fifty moves are over.
#[test]
fn the_best_rank_makes_progress() {
    let set = Set::of(&FILES);
    let mut rng = Rng::new(3);
    for fen in [
        "8/8/8/3k4/8/8/8/K6R w - - 0 1",
        "8/8/4k3/8/4K3/8/4P3/8 w - - 0 1",
    ] {
        let (mut board, mut history) = (board(fen), KeyHistory::new());
        // Forth and back.
        for mv in if fen.contains('R') {
            ["h1h2", "d5c5", "h2h1", "c5d5"]
        } else {
            ["e4d4", "e6d6", "d4e4", "d6e6"]
        } {
            history.push(board.key());
            board.make_move(board.find_move(mv.parse().expect("a move")).expect("legal"));
        }
        let mut plies = 0;
        while !board.legal_moves().is_empty() {
            let moves = ranked(&set, &board, &history);
            let best: Vec<_> = moves.iter().filter(|mv| mv.1 == moves[0].1).collect();
            let mv = best[rng.below(best.len())].0;
            assert!(moves[0].2.abs() >= Score::CERTAIN_WIN, "{board}: {moves:?}");
            history.push(board.key());
            board.make_move(mv);
            assert!(board.halfmove_clock() < 100, "{board}");
            plies += 1;
            // Once a queen is there nothing has stood twice, and any winning move has the best
            // rank; so far it goes here.
            if fen.contains('P') && board.kind(kirin::PieceType::Pawn).is_empty() {
                break;
            }
        }
        assert!((2..80).contains(&plies), "{fen}: {plies}");
    }
}

/// A host that has tables.
struct WithTables<'a> {
    set: &'a Set<'a>,
    probes: usize,
    hits: usize,
}

impl Host for WithTables<'_> {
    fn elapsed_ms(&mut self) -> u64 {
        0
    }

    fn stopped(&mut self) -> bool {
        false
    }

    fn probe_tables(&mut self, board: &Board, _: i32) -> Option<Verdict> {
        assert!(board.castling().is_empty() && board.halfmove_clock() == 0);
        self.probes += 1;
        let verdict = syzygy::probe_wdl(self.set, board)?;
        self.hits += 1;
        Some(verdict)
    }
}

#[test]
fn a_search_believes_the_tables() {
    let set = Set::of(&FILES);
    for (fen, depth, best, is_right) in [
        // The rook can be taken, which leaves a rook and a pawn.
        (
            "8/8/8/3k4/8/3KP3/3R4/3r4 w - - 3 60",
            4,
            Some("d2d1"),
            (|score| score >= Score::CERTAIN_WIN) as fn(i32) -> bool,
        ),
        // The pawn is lost: two knights don't win.
        ("8/8/8/8/3k4/8/3p4/KN3N2 w - - 0 1", 6, None, |score| {
            score == 0
        }),
    ] {
        let board = board(fen);
        let memory: Vec<Cluster> = (0..1 << 10).map(|_| Cluster::new()).collect();
        let mut host = WithTables {
            set: &set,
            probes: 0,
            hits: 0,
        };
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        let mut searcher = Box::new(Searcher::new());
        let outcome = searcher.search(
            &board,
            &KeyHistory::new(),
            &limits,
            TranspositionTable::new(&memory),
            &mut host,
        );
        let found = outcome.best.map(|mv| mv.to_string());
        assert!(is_right(outcome.score), "{fen}: {outcome:?}");
        assert!(
            best.is_none_or(|best| found.as_deref() == Some(best)),
            "{fen}: {found:?}"
        );
        assert!(host.hits > 0 && host.hits <= host.probes, "{fen}");
    }
    assert_eq!(*set.errors.borrow(), []);
}
