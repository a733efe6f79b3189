//! Scores: centipawns in the middle, mates near the ends.

use core::fmt;

/// The longest line that the search follows, in plies from the root: 128, or 64 in the small
/// profile.
pub const MAX_PLY: usize = crate::profile::MAX_PLY;

/// How good a position is for one side, in centipawns or plies to mate. All arithmetic on mate
/// scores lives here; inside the search a score is a plain `i32` within [`Score::INFINITE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

/// What a [`Score`] says, as the UCI protocol words it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScoreKind {
    /// An advantage in centipawns.
    Centipawns(i32),
    /// A forced mate in so many *moves*: positive for the side whose score it is, negative
    /// against it; `Mate(0)` when that side is mated on the board.
    Mate(i32),
}

impl Score {
    /// Above every score.
    pub const INFINITE: i32 = 32_001;
    /// The score of having mated: less the plies until then.
    pub const MATE: i32 = 32_000;
    /// The least score that stands for a forced mate found by the search.
    pub const MATE_IN_MAX_PLY: i32 = Score::MATE - MAX_PLY as i32;
    /// The score of a position that endgame tables know to be won: less the plies until it is
    /// reached.
    pub const TABLEBASE_WIN: i32 = 30_000;
    /// The least score that stands for a win which is certain: by tables, or by a mate.
    pub const CERTAIN_WIN: i32 = Score::TABLEBASE_WIN - MAX_PLY as i32;
    /// Evaluations stay within this, so that they can't be taken for something certain.
    pub const MAX_EVAL: i32 = 29_000;
    /// A draw.
    pub const DRAW: i32 = 0;

    /// The score of giving mate at `ply`.
    #[inline]
    #[must_use]
    pub const fn mate_in(ply: usize) -> i32 {
        Score::MATE - ply as i32
    }

    /// The score of being mated at `ply`.
    #[inline]
    #[must_use]
    pub const fn mated_in(ply: usize) -> i32 {
        ply as i32 - Score::MATE
    }

    /// Does this score stand for a forced mate of either side?
    #[inline]
    #[must_use]
    pub const fn is_mate(score: i32) -> bool {
        score.abs() >= Score::MATE_IN_MAX_PLY
    }

    /// Is one side certain to win, by tables or by a forced mate?
    #[inline]
    #[must_use]
    pub const fn is_certain(score: i32) -> bool {
        score.abs() >= Score::CERTAIN_WIN
    }

    /// The score as the transposition table keeps it: mates and what tables know counted from the
    /// node rather than from the root.
    #[inline]
    #[must_use]
    pub const fn to_table(score: i32, ply: usize) -> i32 {
        if score >= Score::CERTAIN_WIN {
            score + ply as i32
        } else if score <= -Score::CERTAIN_WIN {
            score - ply as i32
        } else {
            score
        }
    }

    /// The reverse of [`Score::to_table`], at a node `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn from_table(score: i32, ply: usize) -> i32 {
        if score >= Score::CERTAIN_WIN {
            score - ply as i32
        } else if score <= -Score::CERTAIN_WIN {
            score + ply as i32
        } else {
            score
        }
    }

    /// What the score says.
    #[must_use]
    pub const fn kind(self) -> ScoreKind {
        if self.0 >= Score::MATE_IN_MAX_PLY {
            ScoreKind::Mate((Score::MATE - self.0 + 1) / 2)
        } else if self.0 <= -Score::MATE_IN_MAX_PLY {
            ScoreKind::Mate(-((Score::MATE + self.0) / 2))
        } else {
            ScoreKind::Centipawns(self.0)
        }
    }
}

/// Writes the UCI form: `cp 13` or `mate -2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Centipawns(cp) => write!(f, "cp {cp}"),
            ScoreKind::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}
