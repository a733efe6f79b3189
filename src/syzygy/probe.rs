//! Asking tables about a position.
//!
//! A table is free to say anything of a position that a capture decides, whatever compresses
//! best, as long as it is no more than the truth; and a DTZ table where a pawn move does. So these
//! moves are tried first, in tables of fewer men. En passant, of which tables know nothing, is
//! one of them.

use super::material::{Material, MAX_MEN};
use super::table::{Kind, Symbol, Table, TableError};
use super::Verdict;
use crate::board::Board;
use crate::read_at::ReadAt;
use crate::types::{Move, PieceType};

/// A set of tables.
pub trait Tables {
    /// What its tables are read from.
    type Source: ReadAt;
    /// The memory that they keep their symbols in.
    type Symbols: AsRef<[Symbol]>;

    /// The table of this kind for this material, whose stronger side is the first, if there is
    /// one.
    fn table(&self, kind: Kind, material: Material) -> Option<&Table<Self::Source, Self::Symbols>>;

    /// Hears that a table had no answer.
    fn failed(
        &self,
        kind: Kind,
        material: Material,
        error: TableError<<Self::Source as ReadAt>::Error>,
    ) {
        let _ = (kind, material, error);
    }
}

/// What a position is worth, and why.
struct Found {
    verdict: Verdict,
    /// Is it so by a capture or pawn move, the best there is?
    by_zeroing: bool,
}

/// May a table know the position?
fn is_for_tables(board: &Board) -> bool {
    board.castling().is_empty() && board.occupied().len() as usize <= MAX_MEN
}

/// Does the move set the halfmove clock to 0?
fn is_zeroing(mv: Move) -> bool {
    mv.is_capture() || mv.piece().piece_type() == PieceType::Pawn
}

/// Is the side to move mated?
pub(super) fn is_mate(board: &Board) -> bool {
    board.in_check() && board.legal_moves().is_empty()
}

pub(super) fn after(board: &Board, mv: Move) -> Board {
    let mut child = board.clone();
    child.make_move(mv);
    child
}

/// The verdict of a position with best play, if the tables that it takes are there: those of its
/// own material and of all that its captures lead to. None knows castling rights.
#[must_use]
pub fn probe_wdl<T: Tables + ?Sized>(tables: &T, board: &Board) -> Option<Verdict> {
    is_for_tables(board).then_some(())?;
    find(tables, board, false).map(|found| found.verdict)
}

/// The distance in plies to the next capture or pawn move, or to mate: positive where the side to
/// move wins, with best play, negative where it loses, 0 for a draw. Beyond 100 the fifty-move
/// rule saves the other side. It may be one less than the truth where the tables count whole
/// moves.
///
/// It takes the DTZ table of the material and WDL tables as [`probe_wdl`] does, those of its pawns'
/// promotions too.
#[must_use]
pub fn probe_dtz<T: Tables + ?Sized>(tables: &T, board: &Board) -> Option<i32> {
    is_for_tables(board).then_some(())?;
    distance(tables, board, true)
}

/// The distance to a capture or pawn move that is played at once.
pub(super) const fn at_once(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Loss => -1,
        Verdict::BlessedLoss => -101,
        Verdict::Draw => 0,
        Verdict::CursedWin => 101,
        Verdict::Win => 1,
    }
}

/// Tries captures, and pawn moves as well if `all_zeroing`, and asks the table about the rest.
fn find<T: Tables + ?Sized>(tables: &T, board: &Board, all_zeroing: bool) -> Option<Found> {
    let moves = board.legal_moves();
    let mut best: Option<Verdict> = None;
    let mut tried = 0;
    for &mv in &moves {
        if !(mv.is_capture() || all_zeroing && is_zeroing(mv)) {
            continue;
        }
        tried += 1;
        let verdict = -find(tables, &after(board, mv), false)?.verdict;
        best = best.max(Some(verdict));
        if verdict == Verdict::Win {
            break;
        }
    }
    let by_zeroing = |verdict| {
        Some(Found {
            verdict,
            by_zeroing: true,
        })
    };
    if let Some(best) = best {
        // The table might not even know the position: with en passant as its only move it would
        // take it for stalemate.
        if best == Verdict::Win || tried == moves.len() {
            return by_zeroing(best);
        }
    }
    let verdict = table_verdict(tables, board)?;
    match best {
        Some(best) if best >= verdict && best > Verdict::Draw => by_zeroing(best),
        _ => Some(Found {
            verdict: best.map_or(verdict, |best| best.max(verdict)),
            by_zeroing: false,
        }),
    }
}

fn table_verdict<T: Tables + ?Sized>(tables: &T, board: &Board) -> Option<Verdict> {
    let material = Material::of(board).of_table();
    if material.men() == 2 {
        return Some(Verdict::Draw);
    }
    match tables.table(Kind::Wdl, material)?.verdict(board) {
        Ok(verdict) => Some(verdict),
        Err(error) => {
            tables.failed(Kind::Wdl, material, error);
            None
        }
    }
}

/// `other_side`: may a move be made to ask about the other side to move, if the table is about
/// that one alone?
fn distance<T: Tables + ?Sized>(tables: &T, board: &Board, other_side: bool) -> Option<i32> {
    let Found {
        verdict,
        by_zeroing,
    } = find(tables, board, true)?;
    if verdict == Verdict::Draw {
        return Some(0);
    }
    if by_zeroing {
        return Some(at_once(verdict));
    }
    let material = Material::of(board).of_table();
    let known = match tables.table(Kind::Dtz, material)?.distance(board, verdict) {
        Ok(known) => known,
        Err(error) => {
            tables.failed(Kind::Dtz, material, error);
            return None;
        }
    };
    let sign = at_once(verdict).signum();
    match known {
        Some(plies) => {
            // Beyond the fifty moves they are counted from there.
            let beyond = at_once(verdict).abs() - 1;
            Some(sign * (plies + beyond))
        }
        None if other_side => {
            let mut best = None;
            for &mv in &board.legal_moves() {
                let plies = distance_by(tables, board, mv, false)?;
                if plies.signum() == sign && best.is_none_or(|best| plies < best) {
                    best = Some(plies);
                }
            }
            // Mated: the distance that tables give that.
            Some(best.unwrap_or(-1))
        }
        None => None,
    }
}

/// The distance, as [`probe_dtz`] counts it, by way of this legal move. `other_side` is as for
/// [`distance`], once the move has been made.
pub(super) fn distance_by<T: Tables + ?Sized>(
    tables: &T,
    board: &Board,
    mv: Move,
    other_side: bool,
) -> Option<i32> {
    let child = after(board, mv);
    if is_zeroing(mv) {
        return Some(at_once(-find(tables, &child, false)?.verdict));
    }
    if is_mate(&child) {
        return Some(1);
    }
    let plies = -distance(tables, &child, other_side)?;
    Some(plies + plies.signum())
}
