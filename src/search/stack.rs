//! What the search remembers for each ply of the line it is looking at.

use crate::profile::{LINE_MOVES, MAX_PV};
use crate::types::{Bitboard, Move, MoveArray, MoveBuffer, Square, MAX_MOVES, MAX_PLY};

/// Which move led to a node, as the continuation histories index it. The zero value is no move:
/// the root, or a null move.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Context(u16);

impl Context {
    pub(super) const NONE: Context = Context(0);

    #[inline]
    pub(super) const fn of(mv: Move) -> Context {
        Context(1 + mv.piece() as u16 * Square::COUNT as u16 + mv.target() as u16)
    }

    #[inline]
    pub(super) const fn is_some(self) -> bool {
        self.0 != 0
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One ply of the line. All zero bytes are its initial value.
#[derive(Clone, Copy)]
pub(super) struct Ply {
    /// The static evaluation; meaningless in check.
    pub(super) static_eval: i32,
    pub(super) in_check: bool,
    /// How many moves of the line to here were extended twice.
    pub(super) doubles: u8,
    /// How many nodes at this ply have failed high since the node above them began.
    pub(super) cutoffs: u8,
    /// The move that leads to the next node; none at a null move.
    pub(super) mv: Option<Move>,
    /// The squares that the enemy attacks, where quiet moves are looked at.
    pub(super) threats: Bitboard,
    /// Quiet moves that cut off at this ply.
    pub(super) killers: [Option<Move>; 2],
    /// A move that the node must leave out (singular search).
    pub(super) excluded: Option<Move>,
}

impl Ply {
    pub(super) const fn new() -> Ply {
        Ply {
            static_eval: 0,
            in_check: false,
            doubles: 0,
            cutoffs: 0,
            mv: None,
            threats: Bitboard::EMPTY,
            killers: [None; 2],
            excluded: None,
        }
    }
}

/// The plies of the line, and the principal variation found from each.
pub(super) struct Stack {
    plies: [Ply; MAX_PLY + 1],
    pv: [MoveArray<MAX_PV>; MAX_PLY + 1],
}

impl Stack {
    pub(super) const fn new() -> Stack {
        Stack {
            plies: [Ply::new(); MAX_PLY + 1],
            pv: [const { MoveArray::zeroed() }; MAX_PLY + 1],
        }
    }

    pub(super) fn clear(&mut self) {
        self.plies.fill(Ply::new());
        self.pv.iter_mut().for_each(MoveArray::clear);
    }

    #[inline]
    pub(super) fn at(&self, ply: usize) -> &Ply {
        &self.plies[ply]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, ply: usize) -> &mut Ply {
        &mut self.plies[ply]
    }

    /// A node at this ply has failed high.
    #[inline]
    pub(super) fn count_cutoff(&mut self, ply: usize) {
        let cutoffs = &mut self.plies[ply].cutoffs;
        *cutoffs = cutoffs.saturating_add(1);
    }

    /// The moves that led to `ply`, the last one first: one and two plies back.
    #[inline]
    pub(super) fn contexts(&self, ply: usize) -> [Context; 2] {
        let back = |plies| match ply.checked_sub(plies) {
            Some(ply) => self.plies[ply].mv.map_or(Context::NONE, Context::of),
            None => Context::NONE,
        };
        [back(1), back(2)]
    }

    /// Is the side to move better off than at its last turn, or the one before if it was in
    /// check then? Unknown counts as yes.
    #[inline]
    pub(super) fn improving(&self, ply: usize) -> bool {
        let now = &self.plies[ply];
        if now.in_check {
            return false;
        }
        for back in [2, 4] {
            match ply.checked_sub(back).map(|ply| &self.plies[ply]) {
                Some(then) if !then.in_check => return now.static_eval > then.static_eval,
                Some(_) => {}
                None => return true,
            }
        }
        true
    }

    /// The principal variation from `ply` on.
    #[inline]
    pub(super) fn pv(&self, ply: usize) -> &[Move] {
        &self.pv[ply]
    }

    #[inline]
    pub(super) fn clear_pv(&mut self, ply: usize) {
        self.pv[ply].clear();
    }

    /// `mv` is the best from `ply` on, and what follows it is not known.
    #[inline]
    pub(super) fn set_single_pv(&mut self, ply: usize, mv: Move) {
        self.pv[ply].set(mv, &[]);
    }

    /// `mv` and then the next ply's variation are the best from `ply` on.
    #[inline]
    pub(super) fn set_pv(&mut self, ply: usize, mv: Move) {
        let (here, next) = self.pv.split_at_mut(ply + 1);
        here[ply].set(mv, &next[0]);
    }
}

/// A move with the number that it is ordered by.
#[derive(Clone, Copy)]
pub(super) struct ScoredMove {
    pub(super) mv: Option<Move>,
    pub(super) score: i32,
}

/// The moves of all nodes of the line, one node's after the other's, so that memory is spent on
/// the moves there are. A node whose moves might not fit is taken for a leaf.
pub(super) struct MoveStack {
    len: usize,
    moves: [ScoredMove; MoveStack::CAPACITY],
}

impl MoveStack {
    const CAPACITY: usize = LINE_MOVES;

    pub(super) const fn new() -> MoveStack {
        MoveStack {
            len: 0,
            moves: [ScoredMove { mv: None, score: 0 }; MoveStack::CAPACITY],
        }
    }

    /// May one more node put its moves here?
    #[inline]
    pub(super) const fn has_room(&self) -> bool {
        self.len + MAX_MOVES <= MoveStack::CAPACITY
    }

    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Drops what was put here after the stack had this length.
    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = len;
    }

    /// The moves from `begin` on.
    #[inline]
    pub(super) fn from(&mut self, begin: usize) -> &mut [ScoredMove] {
        &mut self.moves[begin..self.len]
    }
}

impl MoveBuffer for MoveStack {
    #[inline]
    fn push(&mut self, mv: Move) {
        self.moves[self.len] = ScoredMove {
            mv: Some(mv),
            score: 0,
        };
        self.len += 1;
    }
}
