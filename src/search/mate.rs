//! Looking for a forced mate, for `go mate`: where the main search weighs, this proves.
//!
//! The attacker's moves that give no check are rationed. A first pass allows none of them in a
//! line, so that its tree is thin and deep mates by checks alone are seen at once; each further
//! pass allows one more. Such a move must also threaten a mate by checks in the moves that are
//! left: passing is tried for the defender first. What is found so is proven, since the defender
//! always has all its moves. Only the last pass, which finds what is left (mates by zugzwang), has
//! no rule but the number of moves.

use super::limits::Host;
use super::Run;
use crate::attacks::runtime;
use crate::board::{Board, MoveFilter};
use crate::profile::MATE_SEARCH;
use crate::tt::{Bound, Entry};
use crate::types::{Bitboard, Move, MoveArray, PieceType, Score, MAX_PLY};
use crate::zobrist::Key;

/// Longer mates are left to the main search.
const MAX_MOVES: u32 = 24;

/// One pass: mate in `moves` moves, of which at most `quiet` give no check.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pass {
    moves: u32,
    quiet: u32,
    /// Must a move without check threaten a mate by checks?
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

    /// Does a result for this pass answer a smaller one (or equal) too?
    fn covers(self, other: Pass) -> bool {
        self.moves >= other.moves && self.quiet >= other.quiet
    }

    /// The key under which the table keeps what was found: no other search's, and another one for
    /// proofs and for disproofs, which answer different passes.
    fn key(self, board: &Board, mates: bool) -> Key {
        let number = 1 + 2 * u64::from(self.threats) + u64::from(mates);
        Key(board.key().0 ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// Bits of the key that are stored where the main search keeps an evaluation. A proof must not
/// rest on the entry of another position: the sixteen bits that the table compares are too few.
fn more_bits(key: Key) -> i32 {
    i32::from((key.0 >> 16) as i16)
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

/// Which moves may give check: none that does is missing.
struct Checks {
    direct: [Bitboard; PieceType::COUNT],
    /// Pieces that may open a line to the king.
    discovering: Bitboard,
}

impl Checks {
    fn of(board: &Board) -> Checks {
        let us = board.side_to_move();
        let king = board.king(us.opposite());
        let direct = board.check_squares();
        let blockers = direct[PieceType::Queen as usize] & board.color(us);
        let behind = board.occupied() & !blockers;
        let diagonal = runtime::bishop_attacks(king, behind) & board.diagonal_sliders();
        let straight = runtime::rook_attacks(king, behind) & board.straight_sliders();
        let sliders = (diagonal | straight) & board.color(us);
        Checks {
            direct,
            discovering: if sliders.is_empty() {
                Bitboard::EMPTY
            } else {
                blockers
            },
        }
    }

    fn may_be(&self, mv: Move) -> bool {
        self.direct[mv.piece().piece_type() as usize].contains(mv.target())
            || self.discovering.contains(mv.source())
            || mv.is_promotion()
            || mv.is_en_passant()
            || mv.is_castling()
    }
}

impl<H: Host> Run<'_, '_, H> {
    /// Looks for a mate, for so many nodes at most. When there is one, its line is the best line
    /// then.
    pub(super) fn prove_mate(
        &mut self,
        board: &Board,
        search: &mut MateSearch,
        nodes: u64,
    ) -> bool {
        if !MATE_SEARCH {
            return false;
        }
        search.node_limit = self.searcher.nodes + nodes;
        search.gave_up = false;
        while !search.done {
            let pass = search.pass;
            let found = self.attack(board, pass, 0, search);
            if search.gave_up || self.stopped {
                return false;
            }
            if found {
                search.node_limit = u64::MAX;
                let past = self.searcher.past.clone();
                let line = self.mating_line(board, pass, search);
                self.searcher.past = past;
                let Some((&first, rest)) = line.as_ref().and_then(|line| line.split_first()) else {
                    return false;
                };
                self.searcher.best_pv.set(first, rest);
                self.searcher.best_score = Score::mate_in(1 + rest.len());
                return true;
            }
            search.advance();
        }
        false
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
        if pass.moves == 1 && ply > 0 {
            let mate = self.mate_in_one(board);
            if let Some(mv) = mate {
                self.searcher.stack.set_single_pv(ply, mv);
            }
            return mate.is_some();
        }
        if ply > 0 && in_time {
            if let Some((known, _)) = self.known(board, pass, false) {
                if known.covers(pass) {
                    return false;
                }
            }
            if let Some((known, mv)) = self.known(board, pass, true) {
                if pass.covers(known) {
                    if let Some(mv) = board.move_from_packed(mv) {
                        self.searcher.stack.set_single_pv(ply, mv);
                        return true;
                    }
                }
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
        // (The root may look at wanted moves only.)
        if in_time && ply > 0 {
            let key = pass.key(board, mate.is_some());
            let entry = Entry {
                mv: mate.map_or(0, Move::packed),
                score: pass.quiet as i32,
                eval: more_bits(key),
                depth: pass.moves as i32,
                bound: Bound::Exact,
                pv: false,
            };
            self.table.store(key, entry);
        }
        mate.is_some()
    }

    /// The pass that is known to mate here, or not to, and the packed move that does.
    fn known(&self, board: &Board, pass: Pass, mates: bool) -> Option<(Pass, u16)> {
        let key = pass.key(board, mates);
        let entry = self.table.probe(key)?;
        if entry.eval != more_bits(key) {
            return None;
        }
        let known = Pass {
            moves: entry.depth as u32,
            quiet: entry.score as u32,
            ..pass
        };
        Some((known, entry.mv))
    }

    /// Would the attacker mate by checks if the defender passed?
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
        let threat = Pass { quiet: 0, ..after };
        let threatens = self.attack(&passed, threat, ply + 2, search);
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

    /// A move that mates.
    fn mate_in_one(&mut self, board: &Board) -> Option<Move> {
        let begin = self.searcher.moves.len();
        board.generate_moves(MoveFilter::All, &mut self.searcher.moves);
        let checks = Checks::of(board);
        let moves = self.searcher.moves.from(begin);
        let mate = moves.iter().filter_map(|scored| scored.mv).find(|&mv| {
            checks.may_be(mv) && {
                let mut child = board.clone();
                child.make_move(mv);
                child.in_check() && child.count_legal_moves() == 0
            }
        });
        self.searcher.moves.truncate(begin);
        mate
    }

    /// Orders the attacker's moves from `begin` on: checks that leave the fewest replies first,
    /// then the others if the pass has any left and they can still be followed by mate. Moves
    /// that the pass does not allow are dropped.
    fn order_attack(&mut self, board: &Board, begin: usize, pass: Pass) {
        let may_be_quiet = pass.quiet > 0 && pass.moves > 1;
        let checks = Checks::of(board);
        let moves = self.searcher.moves.from(begin);
        let mut kept = 0;
        for i in 0..moves.len() {
            let mut scored = moves[i];
            let Some(mv) = scored.mv else { continue };
            let replies = checks.may_be(mv).then(|| {
                let mut child = board.clone();
                child.make_move(mv);
                child.in_check().then(|| child.count_legal_moves())
            });
            scored.score = match replies.flatten() {
                Some(replies) => replies as i32,
                None if may_be_quiet => 1_000 - i32::from(mv.is_capture()),
                None => continue,
            };
            moves[kept] = scored;
            kept += 1;
        }
        moves[..kept].sort_unstable_by_key(|scored| scored.score);
        self.searcher.moves.truncate(begin + kept);
    }

    /// The line of a mate that was proven, with the longest defence. The past gets longer by it.
    fn mating_line(
        &mut self,
        board: &Board,
        pass: Pass,
        search: &mut MateSearch,
    ) -> Option<MoveArray<MAX_PLY>> {
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
            if board.count_legal_moves() == 0 {
                return board.in_check().then_some(line);
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
