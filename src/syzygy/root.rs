//! Which moves at the root keep what the tables promise.

use super::probe::{after, at_once, distance_by, is_mate, probe_wdl, Tables};
use crate::board::{Board, KeyHistory};
use crate::types::{Move, Score};

/// Whether a game is drawn after fifty moves without a capture or pawn move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FiftyMoves {
    /// It is: what is won but for that is a draw.
    Count,
    /// It is not.
    Ignored,
}

/// A move and what tables say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Moves of a higher rank are better, and of equal rank as good as far as tables can tell.
    pub rank: i32,
    /// What the position is worth with it, as the search counts: see [`Score`].
    pub score: i32,
}

/// Rank of what is surely won; from it the distance is taken where progress must be made.
const SURE: i32 = 20_000;
/// Rank of what is won but for the halfmove clock: less the plies until that is 0.
const DOUBTFUL: i32 = 10_000;
/// The plies that may pass before the halfmove clock must be 0 again. The tables may be one ply
/// short.
const SAFE_PLIES: i32 = 99;

/// How good a legal move is by the tables. `history` holds the keys of the game's earlier
/// positions. `None` if there is no table for that.
///
/// Where WDL tables are all there is, moves that win can't be told from each other, and the
/// second number is `false`: a search must still find how to make progress.
#[must_use]
pub fn rank_move<T: Tables + ?Sized>(
    tables: &T,
    board: &Board,
    history: &KeyHistory,
    mv: Move,
    fifty_moves: FiftyMoves,
) -> Option<(RankedMove, bool)> {
    let child = after(board, mv);
    let clock = i32::from(board.halfmove_clock());
    let mut past = history.clone();
    past.push(board.key());
    // What has stood twice before would be a draw. What has stood once may come to that.
    let drawn = past.is_repetition(&child, 3)
        || (fifty_moves == FiftyMoves::Count && child.is_draw_by_fifty_moves());
    let (plies, exact) = if is_mate(&child) {
        (1, true)
    } else if drawn {
        (0, true)
    } else {
        match distance_by(tables, board, mv, true) {
            Some(plies) => (plies, true),
            None => (at_once(-probe_wdl(tables, &child)?), false),
        }
    };
    // A single ply is one that sets the clock to 0 itself.
    let sure =
        plies.abs() == 1 || plies.abs() + clock <= SAFE_PLIES || fifty_moves == FiftyMoves::Ignored;
    // Once the game goes in circles the shortest way must be taken.
    let circles = history.has_repetition(board);
    let rank = match plies {
        1.. if sure && circles => SURE - plies.min(DOUBTFUL),
        1.. if sure => SURE,
        1.. => DOUBTFUL - (plies + clock).min(DOUBTFUL - 1),
        0 => 0,
        // With much of the fifty moves to go the opponent is made to find the longest way.
        _ if sure && 2 * -plies + clock < 100 => -SURE,
        _ if sure => -SURE + (-plies).min(DOUBTFUL - 1),
        _ => -DOUBTFUL + (clock - plies).min(DOUBTFUL - 1),
    };
    let score = match plies {
        1.. if sure => Score::TABLEBASE_WIN - 1,
        1.. => Score::DRAW + 1,
        0 => Score::DRAW,
        _ if sure => 1 - Score::TABLEBASE_WIN,
        _ => Score::DRAW - 1,
    };
    Some((RankedMove { mv, rank, score }, exact))
}
