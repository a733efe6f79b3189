//! Perft: the number of legal move sequences of a given length, the field's test of a move
//! generator. Shared by tests, benches and the command line.
//!
//! The last ply is counted without listing it, and the plies before make their moves straight
//! from the generator's target sets. Deep counts meet the same positions again and again: a
//! [`PerftTable`] over memory that the caller lends remembers them.

use crate::board::{Black, Board, KeysOnly, Side, Sink, Tracker, Unkeyed, White};
use crate::types::{Bitboard, CastlingSide, Color, Move, PieceType, Square};
use crate::word::Word;
use crate::zobrist::Key;
use core::marker::PhantomData;

/// The most plies that are counted. (No count beyond some fifteen has ever been finished; this
/// bounds the stack, which takes about half a KiB a ply in optimised builds.)
pub const MAX_PERFT_DEPTH: u32 = 64;

/// Counts the legal move sequences of `depth` plies; 1 for depth 0. `u64::MAX` stands for itself
/// and for all that is more.
///
/// # Panics
///
/// If `depth` exceeds [`MAX_PERFT_DEPTH`].
///
/// ```
/// assert_eq!(kirin::perft(&kirin::Board::startpos(), 3), 8_902);
/// ```
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    count_for_side(board, depth, ())
}

/// As [`perft`], with a table in which counts are kept and found again; threads may share it.
///
/// Positions are told apart by 64 bits of hash, so a count may be wrong: among `n` positions
/// in the table and `m` looked up, once in 2^64 / (n m) runs (with a table of 1 GiB, after a
/// thousand million look-ups, once in some 270).
///
/// # Panics
///
/// If `depth` exceeds [`MAX_PERFT_DEPTH`].
///
/// ```
/// use kirin::{perft_hashed, Board, PerftCluster, PerftTable};
/// let memory: Vec<PerftCluster> = (0..1 << 8).map(|_| PerftCluster::new()).collect();
/// assert_eq!(perft_hashed(&Board::startpos(), 4, PerftTable::new(&memory)), 197_281);
/// ```
#[must_use]
pub fn perft_hashed(board: &Board, depth: u32, table: PerftTable<'_>) -> u64 {
    count_for_side(board, depth, table)
}

/// Calls `report` for each legal move with the number of sequences that begin with it, and
/// returns their sum; 1, without a call, for depth 0.
///
/// # Panics
///
/// If `depth` exceeds [`MAX_PERFT_DEPTH`].
pub fn perft_divide(board: &Board, depth: u32, mut report: impl FnMut(Move, u64)) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut total = 0_u64;
    for &mv in &board.legal_moves() {
        let mut child = board.clone();
        child.make_move(mv);
        let nodes = perft(&child, depth - 1);
        total = total.saturating_add(nodes);
        report(mv, nodes);
    }
    total
}

fn count_for_side<M: Memo>(board: &Board, depth: u32, memo: M) -> u64 {
    assert!(
        depth <= MAX_PERFT_DEPTH,
        "perft depth {depth} is above {MAX_PERFT_DEPTH}"
    );
    match (depth, board.side_to_move()) {
        (0, _) => 1,
        (1, _) => u64::from(board.count_legal_moves()),
        (_, Color::White) => count::<White, M>(board, depth, memo),
        (_, Color::Black) => count::<Black, M>(board, depth, memo),
    }
}

/// For two plies or more: the last one isn't worth looking up, nor its key worth keeping.
fn count<S: Side, M: Memo>(board: &Board, depth: u32, memo: M) -> u64 {
    if let Some(nodes) = memo.find(board, depth) {
        return nodes;
    }
    let nodes = if depth == 2 {
        walk::<S, Unkeyed, M, true>(board, depth, memo)
    } else {
        walk::<S, M::Keeps, M, false>(board, depth, memo)
    };
    memo.keep(board, depth, nodes);
    nodes
}

/// `LAST_BUT_ONE`: the depth is 2.
fn walk<S: Side, T: Tracker + Default, M: Memo, const LAST_BUT_ONE: bool>(
    board: &Board,
    depth: u32,
    memo: M,
) -> u64 {
    let mut walker = Walker::<S, T, M, LAST_BUT_ONE> {
        board,
        depth,
        memo,
        nodes: 0,
        them: board.color(S::Them::COLOR),
        marker: PhantomData,
    };
    crate::board::generate_all::<S, _>(board, &mut walker);
    walker.nodes
}

/// Makes each move on a copy as the generator finds it, and counts below.
struct Walker<'a, S, T, M, const LAST_BUT_ONE: bool> {
    board: &'a Board,
    depth: u32,
    memo: M,
    nodes: u64,
    them: Bitboard,
    marker: PhantomData<(S, T)>,
}

impl<S: Side, T: Tracker + Default, M: Memo, const LAST_BUT_ONE: bool>
    Walker<'_, S, T, M, LAST_BUT_ONE>
{
    #[inline]
    fn visit(&mut self, make: impl FnOnce(&mut Board, &mut T)) {
        let mut child = self.board.clone();
        make(&mut child, &mut T::default());
        if LAST_BUT_ONE {
            self.nodes += u64::from(crate::board::count::<S::Them>(&child));
        } else {
            let nodes = count::<S::Them, M>(&child, self.depth - 1, self.memo);
            self.nodes = self.nodes.saturating_add(nodes);
        }
    }
}

impl<S: Side, T: Tracker + Default, M: Memo, const LAST_BUT_ONE: bool> Sink
    for Walker<'_, S, T, M, LAST_BUT_ONE>
{
    #[inline]
    fn piece(&mut self, kind: PieceType, source: Square, targets: Bitboard) {
        let piece = kind.of(S::COLOR);
        for target in targets - self.them {
            self.visit(|b, t| b.make_quiet::<S, _>(piece, source, target, t));
        }
        for target in targets & self.them {
            self.visit(|b, t| b.make_capture::<S, _>(piece, source, target, t));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, offset: i8, capture: bool) {
        let piece = PieceType::Pawn.of(S::COLOR);
        for target in targets {
            let source = crate::board::step_back(target, offset);
            self.visit(|b, t| {
                if capture {
                    b.make_capture::<S, _>(piece, source, target, t);
                } else {
                    b.make_quiet::<S, _>(piece, source, target, t);
                }
            });
        }
    }

    #[inline]
    fn double_pushes(&mut self, targets: Bitboard, offset: i8) {
        for target in targets {
            let source = crate::board::step_back(target, offset);
            self.visit(|b, t| b.make_double_push::<S, _>(source, target, t));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, offset: i8, capture: bool) {
        for target in targets {
            let source = crate::board::step_back(target, offset);
            for kind in PieceType::PROMOTIONS {
                let promoted = kind.of(S::COLOR);
                self.visit(|b, t| {
                    b.make_promotion::<S, _>(source, target, promoted, capture, t);
                });
            }
        }
    }

    #[inline]
    fn en_passant(&mut self, source: Square, target: Square) {
        self.visit(|b, t| b.make_en_passant::<S, _>(source, target, t));
    }

    #[inline]
    fn castling(&mut self, side: CastlingSide) {
        self.visit(|b, t| b.make_castling::<S, _>(side, t));
    }
}

/// Counts that have been made before.
trait Memo: Copy {
    /// What boards must keep up to date to be found again.
    type Keeps: Tracker + Default;
    fn find(self, board: &Board, depth: u32) -> Option<u64>;
    fn keep(self, board: &Board, depth: u32, nodes: u64);
}

/// Remembers nothing.
impl Memo for () {
    type Keeps = Unkeyed;

    #[inline]
    fn find(self, _: &Board, _: u32) -> Option<u64> {
        None
    }

    #[inline]
    fn keep(self, _: &Board, _: u32, _: u64) {}
}

/// Entries in a cluster.
const ENTRIES: usize = 4;

/// A count, and the key of its position and depth XORed with it: a pair torn by two writers is
/// taken for another position's, as in the transposition table. A count of 0 is no entry.
#[derive(Default)]
struct Entry {
    mixed: Word,
    nodes: Word,
}

impl Entry {
    const fn new() -> Entry {
        Entry {
            mixed: Word::zero(),
            nodes: Word::zero(),
        }
    }
}

/// The unit of memory of a [`PerftTable`]: 64 bytes, all zero when empty.
#[repr(C, align(64))]
#[derive(Default)]
pub struct PerftCluster {
    entries: [Entry; ENTRIES],
}

const _: () = assert!(core::mem::size_of::<PerftCluster>() == 64);

impl PerftCluster {
    /// A cluster with no entry: all its bytes are zero.
    #[must_use]
    pub const fn new() -> PerftCluster {
        PerftCluster {
            entries: [const { Entry::new() }; ENTRIES],
        }
    }
}

/// Counts by position and depth, over borrowed memory; copies share it, and so may threads where
/// there are 64-bit atomics. What it holds is true for every count to come.
#[derive(Clone, Copy)]
pub struct PerftTable<'a> {
    clusters: &'a [PerftCluster],
}

impl<'a> PerftTable<'a> {
    /// A table over these clusters; over none it keeps nothing.
    #[must_use]
    pub const fn new(clusters: &'a [PerftCluster]) -> PerftTable<'a> {
        PerftTable { clusters }
    }

    /// The cluster of a position at a depth, and the key that tells it from others there.
    #[inline]
    fn cluster(self, key: Key, depth: u32) -> Option<(&'a PerftCluster, u64)> {
        // Any odd number with bits all over does: depths of one position shall lie apart.
        let key = key.0 ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        Some((self.clusters.get(index as usize)?, key))
    }
}

impl Memo for PerftTable<'_> {
    type Keeps = KeysOnly;

    #[inline]
    fn find(self, board: &Board, depth: u32) -> Option<u64> {
        let (cluster, key) = self.cluster(board.key(), depth)?;
        cluster.entries.iter().find_map(|entry| {
            let nodes = entry.nodes.load();
            (nodes != 0 && entry.mixed.load() ^ nodes == key).then_some(nodes)
        })
    }

    /// The smallest count of the cluster gives way: it is the one soonest made again.
    #[inline]
    fn keep(self, board: &Board, depth: u32, nodes: u64) {
        let Some((cluster, key)) = self.cluster(board.key(), depth) else {
            return;
        };
        if let Some(entry) = cluster.entries.iter().min_by_key(|e| e.nodes.load()) {
            entry.mixed.store(key ^ nodes);
            entry.nodes.store(nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_entry_is_not_found() {
        let cluster = PerftCluster::new();
        let table = PerftTable::new(core::slice::from_ref(&cluster));
        let board = Board::startpos();
        assert_eq!(table.find(&board, 3), None);
        table.keep(&board, 3, 8_902);
        assert_eq!(table.find(&board, 3), Some(8_902));
        assert_eq!(table.find(&board, 4), None);
        let entry = cluster.entries.iter().find(|entry| entry.nodes.load() != 0);
        entry.expect("was kept").nodes.store(197_281);
        assert_eq!(table.find(&board, 3), None);
    }

    #[test]
    fn the_smallest_count_gives_way() {
        let cluster = PerftCluster::new();
        let table = PerftTable::new(core::slice::from_ref(&cluster));
        let board = Board::startpos();
        for (depth, nodes) in [(2, 400), (3, 8_902), (4, 197_281), (5, 4_865_609), (6, 9)] {
            table.keep(&board, depth, nodes);
        }
        assert_eq!(table.find(&board, 2), None);
        assert_eq!(table.find(&board, 5), Some(4_865_609));
        assert_eq!(table.find(&board, 6), Some(9));
        // No cluster, no entry.
        PerftTable::new(&[]).keep(&board, 2, 400);
        assert_eq!(PerftTable::new(&[]).find(&board, 2), None);
    }

    /// Two kings alone have some five moves a ply: 40 plies of them don't fit into 64 bits, and
    /// with a table they are soon counted.
    #[test]
    fn what_is_too_much_is_not_wrapped_around() {
        static MEMORY: [PerftCluster; 1 << 16] = [const { PerftCluster::new() }; 1 << 16];
        let board = Board::from_fen("8/8/8/3k4/8/8/8/3K4 w - - 0 1").expect("legal");
        let table = PerftTable::new(&MEMORY);
        assert_eq!(perft_hashed(&board, 40, table), u64::MAX);
        assert_eq!(perft_hashed(&board, 6, table), perft(&board, 6));
    }
}
