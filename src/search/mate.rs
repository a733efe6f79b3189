//! Looking for a forced mate, for `go mate`: where the main search weighs, this proves.
//!
//! The attacker's moves that give no check are rationed. A first pass allows none of them in a
//! line, so that its tree is thin and deep mates by checks alone are seen at once; each further
//! pass allows one more. Such a move must also threaten mate in the moves that are left: passing
//! is tried for the defender first. What is found so is proven, since the defender always has all
//! its moves. Only the last pass, which finds what is left (mates by zugzwang), has no rule but
//! the number of moves.

use super::limits::Host;
use super::Run;
use crate::board::{Board, MoveFilter};
use crate::tt::{Bound, Entry, NO_EVAL};
use crate::types::{Move, MoveArray, Score, MAX_PLY};
use crate::zobrist::Key;

/// Longer mates are left to the main search.
const MAX_MOVES: u32 = 24;

/// One pass: mate in `moves` moves, of which at most `quiet` give no check.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pass {
    moves: u32,
    quiet: u32,
    /// Must a move without check threaten mate?
    threats: bool,
}

impl Pass {
    /// What is left when the attacker has moved.
    fn after(self, check: bool) -> Pass {
        Pass {
            moves: self.moves - 1,
            quiet: self.quiet - u32::from(!check),
            ..self
        }
    }

    /// The key under which the table keeps what the pass has found: no other search's.
    fn key(self, board: &Board) -> Key {
        let number = u64::from(self.moves) << 8 | u64::from(self.quiet) << 1;
        let salt = (number | u64::from(self.threats)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Key(board.key().0 ^ salt)
    }
}

/// Which pass is next, and how many nodes it may visit: it goes on from call to call.
pub(super) struct MateSearch {
    pass: Pass,
    longest: u32,
    node_limit: u64,
    gave_up: bool,
    done: bool,
}

impl MateSearch {
    /// For a mate in at most `moves` moves.
    pub(super) fn new(moves: u32) -> MateSearch {
        MateSearch {
            pass: Pass {
                moves: 1,
                quiet: 0,
                threats: true,
            },
            longest: moves.clamp(1, MAX_MOVES),
            node_limit: 0,
            gave_up: false,
            done: false,
        }
    }

    /// To the next pass: longer mates first, then more moves without check, at last all moves.
    fn advance(&mut self) {
        let pass = &mut self.pass;
        if pass.moves < self.longest {
            pass.moves += 1;
        } else if !pass.threats {
            self.done = true;
        } else if pass.quiet + 2 < self.longest {
            pass.quiet += 1;
            pass.moves = pass.quiet + 1;
        } else {
            *pass = Pass {
                moves: 2,
                quiet: self.longest,
                threats: false,
            };
            self.done = self.longest < 2;
        }
    }
}

impl<H: Host> Run<'_, '_, H> {
    /// Looks for a mate, for so many nodes at most. When there is one, its line is the best line
    /// then, and the mate's length in moves is returned.
    pub(super) fn prove_mate(
        &mut self,
        board: &Board,
        search: &mut MateSearch,
        nodes: u64,
    ) -> Option<u32> {
        search.node_limit = self.searcher.nodes + nodes;
        search.gave_up = false;
        while !search.done {
            let pass = search.pass;
            let found = self.attack(board, pass, 0, search);
            if search.gave_up || self.stopped {
                return None;
            }
            if found {
                search.node_limit = u64::MAX;
                return self.mating_line(board, pass, search);
            }
            search.advance();
        }
        None
    }

    /// Can the side to move force mate within the pass? The first move that does stands in the
    /// ply's variation then.
    fn attack(&mut self, board: &Board, pass: Pass, ply: usize, search: &mut MateSearch) -> bool {
        self.enter_node(ply);
        search.gave_up |= self.searcher.nodes >= search.node_limit;
        if self.stopped || search.gave_up || ply + 2 >= MAX_PLY || !self.searcher.moves.has_room() {
            return false;
        }
        if ply > 0 && self.is_draw(board, ply) {
            return false;
        }
        // A mate that comes too late for the fifty moves is none, and the table doesn't know.
        let in_time = u32::from(board.halfmove_clock()) + 2 * pass.moves < 100;
        let key = pass.key(board);
        if let Some(entry) = self.table.probe(key).filter(|_| ply > 0 && in_time) {
            if entry.bound == Bound::Upper {
                return false;
            }
            if let Some(mv) = board.move_from_packed(entry.mv) {
                self.searcher.stack.set_single_pv(ply, mv);
                return true;
            }
        }
        let begin = self.searcher.moves.len();
        board.generate_moves(MoveFilter::All, &mut self.searcher.moves);
        self.order_attack(board, begin, pass);
        let end = self.searcher.moves.len();
        let mut mate = None;
        for i in begin..end {
            let Some(mv) = self.searcher.moves.from(i)[0].mv else {
                continue;
            };
            if ply == 0 && self.searcher.root_move_mut(mv).is_none() {
                continue;
            }
            let mut child = board.clone();
            child.make_move(mv);
            let check = child.in_check();
            self.searcher.past.push(board.key());
            let after = pass.after(check);
            let threatens = check || !pass.threats || self.threatens(&child, after, ply, search);
            let mates = threatens && self.defend(&child, after, ply + 1, search);
            self.searcher.past.pop();
            if self.stopped || search.gave_up {
                break;
            }
            if mates {
                mate = Some(mv);
                break;
            }
        }
        self.searcher.moves.truncate(begin);
        if self.stopped || search.gave_up {
            return false;
        }
        if let Some(mv) = mate {
            self.searcher.stack.set_single_pv(ply, mv);
        }
        if in_time {
            let bound = if mate.is_some() {
                Bound::Lower
            } else {
                Bound::Upper
            };
            let entry = Entry {
                mv: mate.map_or(0, Move::packed),
                score: 0,
                eval: NO_EVAL,
                depth: 2 * pass.moves as i32,
                bound,
                pv: false,
            };
            self.table.store(key, entry);
        }
        mate.is_some()
    }

    /// Would the attacker mate if the defender passed?
    fn threatens(
        &mut self,
        board: &Board,
        after: Pass,
        ply: usize,
        search: &mut MateSearch,
    ) -> bool {
        let mut passed = board.clone();
        passed.make_null_move();
        self.searcher.past.push(board.key());
        let threatens = self.attack(&passed, after, ply + 2, search);
        self.searcher.past.pop();
        threatens
    }

    /// Is the side to move mated whatever it does?
    fn defend(&mut self, board: &Board, pass: Pass, ply: usize, search: &mut MateSearch) -> bool {
        self.enter_node(ply);
        let begin = self.searcher.moves.len();
        if self.stopped || ply + 1 >= MAX_PLY || !self.searcher.moves.has_room() {
            return false;
        }
        if pass.moves == 0 {
            return board.in_check() && board.count_legal_moves() == 0;
        }
        if self.is_draw(board, ply) {
            return false;
        }
        // The reply that refuted the last attempt at this ply first, then captures.
        let killer = self.searcher.stack.at(ply).killers[0].filter(|&mv| board.is_legal(mv));
        if let Some(mv) = killer {
            if !self.falls(board, mv, pass, ply, search) {
                return false;
            }
        }
        board.generate_moves(MoveFilter::Noisy, &mut self.searcher.moves);
        board.generate_moves(MoveFilter::Quiet, &mut self.searcher.moves);
        let end = self.searcher.moves.len();
        let mut mated = end > begin || board.in_check();
        for i in begin..end {
            let mv = self.searcher.moves.from(i)[0].mv;
            let tried = mv.filter(|_| mv != killer);
            if tried.is_some_and(|mv| !self.falls(board, mv, pass, ply, search)) {
                self.searcher.stack.at_mut(ply).killers[0] = tried;
                mated = false;
                break;
            }
        }
        self.searcher.moves.truncate(begin);
        mated && !self.stopped && !search.gave_up
    }

    /// Does this defence lose to the pass?
    fn falls(
        &mut self,
        board: &Board,
        mv: Move,
        pass: Pass,
        ply: usize,
        search: &mut MateSearch,
    ) -> bool {
        let mut child = board.clone();
        child.make_move(mv);
        self.searcher.past.push(board.key());
        let mates = self.attack(&child, pass, ply + 1, search);
        self.searcher.past.pop();
        mates
    }

    /// Orders the attacker's moves from `begin` on: checks that leave the fewest replies first,
    /// then the others if the pass has any left and they can still be followed by mate. Moves
    /// that the pass does not allow are dropped.
    fn order_attack(&mut self, board: &Board, begin: usize, pass: Pass) {
        let may_be_quiet = pass.quiet > 0 && pass.moves > 1;
        let moves = self.searcher.moves.from(begin);
        let mut kept = 0;
        for i in 0..moves.len() {
            let mut scored = moves[i];
            let Some(mv) = scored.mv else { continue };
            let mut child = board.clone();
            child.make_move(mv);
            scored.score = if child.in_check() {
                child.count_legal_moves() as i32
            } else if may_be_quiet {
                1_000 - i32::from(mv.is_capture())
            } else {
                continue;
            };
            moves[kept] = scored;
            kept += 1;
        }
        moves[..kept].sort_unstable_by_key(|scored| scored.score);
        self.searcher.moves.truncate(begin + kept);
    }

    /// The line of a mate that was proven, with the longest defence, and its length in moves.
    /// It becomes the best line.
    fn mating_line(&mut self, board: &Board, pass: Pass, search: &mut MateSearch) -> Option<u32> {
        let mut line: MoveArray<MAX_PLY> = MoveArray::new();
        let mut board = board.clone();
        let mut pass = self.shortest(&board, pass, 0, search)?;
        loop {
            let ply = line.len();
            let mv = self.searcher.stack.pv(ply).first().copied()?;
            line.push(mv);
            self.searcher.past.push(board.key());
            board.make_move(mv);
            pass = pass.after(board.in_check());
            if pass.moves == 0 || board.count_legal_moves() == 0 {
                break;
            }
            // The defence that lasts longest.
            let mut longest: Option<(Move, Pass)> = None;
            self.searcher.past.push(board.key());
            for &reply in board.legal_moves().iter() {
                let mut child = board.clone();
                child.make_move(reply);
                let left = self.shortest(&child, pass, ply + 2, search)?;
                if longest.is_none_or(|(_, longest)| left.moves > longest.moves) {
                    longest = Some((reply, left));
                }
            }
            let (reply, left) = longest?;
            line.push(reply);
            board.make_move(reply);
            pass = left;
            // Its first move again, after those of the other defences.
            self.attack(&board, pass, ply + 2, search).then_some(())?;
        }
        for _ in 0..line.len() {
            self.searcher.past.pop();
        }
        let (&first, rest) = line.split_first()?;
        self.searcher.best_pv.set(first, rest);
        self.searcher.best_score = Score::mate_in(line.len());
        Some(line.len().div_ceil(2) as u32)
    }

    /// The pass with the fewest moves that still mates.
    fn shortest(
        &mut self,
        board: &Board,
        pass: Pass,
        ply: usize,
        search: &mut MateSearch,
    ) -> Option<Pass> {
        (1..=pass.moves)
            .map(|moves| Pass { moves, ..pass })
            .find(|&pass| self.attack(board, pass, ply, search))
    }
}
