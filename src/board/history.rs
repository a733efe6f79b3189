//! The keys of past positions, for repetition. It needs no heap: a repetition never reaches
//! back over a capture or a pawn move, so a fixed number of keys is enough.

use super::Board;
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
}

impl Default for KeyHistory {
    fn default() -> KeyHistory {
        KeyHistory::new()
    }
}
