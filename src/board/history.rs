//! The keys of past positions, for repetition. It needs no heap: a repetition never reaches
//! back over a capture or a pawn move, so a fixed number of keys is enough.

use super::Board;
#[cfg(not(feature = "small"))]
use crate::{attacks, tables, types::Square};

use crate::types::MAX_PLY;
use crate::zobrist::Key;

/// How many past positions are kept: more than the hundred plies of the fifty-move rule and the
/// plies that a search adds to them.
const CAPACITY: usize = 256;

/// The keys of the positions before the present one, the latest last.
///
/// ```
/// use kirin::{Board, KeyHistory};
/// let (mut board, mut history) = (Board::startpos(), KeyHistory::new());
/// for _ in 0..2 {
///     for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///         history.push(board.key());
///         let mv = board.find_move(text.parse()?).expect("legal");
///         board.make_move(mv);
///     }
/// }
/// assert!(history.is_repetition(&board, 3));
/// # Ok::<(), kirin::ParseUciMoveError>(())
/// ```
#[derive(Clone)]
pub struct KeyHistory {
    /// How many keys are kept: the first `len` of `keys`.
    len: usize,
    keys: [Key; CAPACITY],
}

impl KeyHistory {
    /// No past.
    #[must_use]
    pub const fn new() -> KeyHistory {
        KeyHistory {
            len: 0,
            keys: [Key(0); CAPACITY],
        }
    }

    /// The latest keys alone: as many as the fifty-move rule can ask for. A search that starts
    /// from these has room for its own.
    #[must_use]
    pub(crate) fn recent(&self) -> KeyHistory {
        let mut recent = KeyHistory::new();
        let kept = self.len.min(CAPACITY - MAX_PLY - 1);
        recent.keys[..kept].copy_from_slice(&self.keys[self.len - kept..self.len]);
        recent.len = kept;
        recent
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the key of a position that has just been left. When there is no room the oldest
    /// half goes: it lies behind more than a hundred plies.
    #[inline]
    pub fn push(&mut self, key: Key) {
        if self.len == CAPACITY {
            self.keys.copy_within(CAPACITY / 2.., 0);
            self.len = CAPACITY / 2;
        }
        self.keys[self.len] = key;
        self.len += 1;
    }

    /// Takes the latest key away again.
    #[inline]
    pub fn pop(&mut self) {
        self.len = self.len.saturating_sub(1);
    }

    /// How many times the position of `board` has stood before, as far as its halfmove clock
    /// reaches back. Only positions with the same side to move can be the same.
    #[must_use]
    pub fn occurrences(&self, board: &Board) -> usize {
        let reach = self.len.min(usize::from(board.halfmove_clock()));
        self.keys[self.len - reach..self.len]
            .iter()
            .rev()
            .skip(1)
            .step_by(2)
            .filter(|&&key| key == board.key())
            .count()
    }

    /// Has the position of `board` now stood `times` times or more, this one included? Three is
    /// the draw of the rules; two is what a search may take for one.
    #[must_use]
    pub fn is_repetition(&self, board: &Board, times: usize) -> bool {
        self.occurrences(board) + 1 >= times
    }

    /// Has any position stood twice since the halfmove clock was last 0, that of `board` included?
    #[must_use]
    pub fn has_repetition(&self, board: &Board) -> bool {
        let reach = self.len.min(usize::from(board.halfmove_clock()));
        let since = &self.keys[self.len - reach..self.len];
        let stood_before = |(at, key): (usize, &Key)| since[..at].contains(key);
        since.contains(&board.key()) || since.iter().enumerate().any(stood_before)
    }

    /// Does the search, `ply` plies from its root, take this position for a drawn repetition?
    /// Once before is enough inside the tree; what stood before the root must have done so
    /// twice, since the opponent may still leave the line there.
    #[inline]
    #[must_use]
    pub(crate) fn is_drawn_in_tree(&self, board: &Board, ply: usize) -> bool {
        let reach = self.len.min(usize::from(board.halfmove_clock()));
        let key = board.key();
        let mut distance = 4;
        let mut before_root = false;
        while distance <= reach {
            if self.keys[self.len - distance] == key {
                if distance < ply || before_root {
                    return true;
                }
                before_root = true;
            }
            distance += 2;
        }
        false
    }

    /// Can the side to move bring about, with one move of a piece, a position that has stood
    /// since the root, `ply` plies back? The tables know every such move by what it changes in
    /// the key.
    #[cfg(not(feature = "small"))]
    #[must_use]
    pub(crate) fn can_repeat(&self, board: &Board, ply: usize) -> bool {
        let reach = self
            .len
            .min(usize::from(board.halfmove_clock()))
            .min(ply.saturating_sub(1));
        let mut distance = 3;
        while distance <= reach {
            let change = Key(board.key().0 ^ self.keys[self.len - distance].0);
            if let Some((a, b)) = move_that_changes(change) {
                let ours = board.color(board.side_to_move());
                let way = attacks::between(a, b);
                if (way & board.occupied()).is_empty() && ours.contains(a) != ours.contains(b) {
                    return true;
                }
            }
            distance += 2;
        }
        false
    }
}

/// The small profile has no tables for it, and sees repetitions when they have happened.
#[cfg(feature = "small")]
impl KeyHistory {
    #[inline]
    pub(crate) fn can_repeat(&self, _: &Board, _: usize) -> bool {
        false
    }
}

/// The two squares of the piece's move, one way or the other, that makes this change of a key.
#[cfg(not(feature = "small"))]
#[inline]
fn move_that_changes(change: Key) -> Option<(Square, Square)> {
    let mask = tables::CUCKOO_KEYS.len() - 1;
    for home in [change.0 as usize & mask, (change.0 >> 16) as usize & mask] {
        if tables::CUCKOO_KEYS[home] == change.0 {
            let squares = tables::CUCKOO_MOVES[home];
            let square = |bits: u16| Square::wrap(bits as u8 & 63);
            return Some((square(squares), square(squares >> 6)));
        }
    }
    None
}

impl Default for KeyHistory {
    fn default() -> KeyHistory {
        KeyHistory::new()
    }
}

#[cfg(all(test, not(feature = "small")))]
mod tests {
    use super::*;

    fn play(fen: &str, moves: &[&str]) -> (Board, KeyHistory) {
        let (mut board, mut history) = (fen.parse::<Board>().expect("legal"), KeyHistory::new());
        for text in moves {
            history.push(board.key());
            let mv = board
                .find_move(text.parse().expect("a move"))
                .expect("legal");
            board.make_move(mv);
        }
        (board, history)
    }

    #[test]
    fn a_repetition_is_seen_one_move_ahead() {
        let fen = "r3k3/8/8/8/8/8/8/R3K2R w - - 0 1";
        // White can take back its rook's move and so repeat the first position.
        let (board, history) = play(fen, &["a1b1", "e8e7", "b1a1"]);
        assert!(history.can_repeat(&board, 4));
        // But not if the first position is the root or before it.
        assert!(!history.can_repeat(&board, 3));
        // The rook is elsewhere: black's king alone can't take all back.
        let (board, history) = play(fen, &["a1b1", "e8e7", "b1b2"]);
        assert!(!history.can_repeat(&board, 6));
    }

    #[test]
    fn a_way_back_must_be_free() {
        let fen = "4k3/8/8/8/8/8/8/R3K2N w - - 0 1";
        // It is black's turn, and its king is at home: white's rook can't be taken back for it.
        let (board, history) = play(fen, &["a1a4", "e8e7", "a4d4", "e7e8", "d4d1"]);
        assert!(!history.can_repeat(&board, 6));
        let (board, history) = play(fen, &["h1g3", "e8e7", "g3h1"]);
        assert!(history.can_repeat(&board, 6));
    }
}
