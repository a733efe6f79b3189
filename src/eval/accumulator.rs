//! Material and piece-square values as each king sees them, followed move by move.

use super::network::{self, Hidden, NetworkStack};
use super::Trace;
use crate::board::{Board, PieceObserver};
use crate::tables;
use crate::types::{Color, Piece, PieceType, Square};

/// `[piece type]`: what a piece adds to the phase of the game.
const PHASE: [i32; PieceType::COUNT] = [0, 1, 1, 2, 4, 0];

/// `[color]`: how many pieces there are of each kind but kings, four bits each.
type Counts = [u32; Color::COUNT];

/// One piece in the counts of its color.
#[inline]
const fn one(kind: PieceType) -> u32 {
    1 << (4 * kind as u32)
}

#[inline]
const fn in_counts(counts: Counts, color: Color, kind: usize) -> i32 {
    (counts[color as usize] >> (4 * kind as u32) & 15) as i32
}

/// Tells of each pair of kinds with its weight's number in the table and how many such pairs
/// `color` has: of its own pieces, or of one of its own and a lesser one of the enemy's.
#[inline]
fn each_pair(counts: Counts, mut tell: impl FnMut(Color, usize, i32)) {
    const KINDS: usize = PieceType::COUNT - 1;
    const ENEMY: usize = KINDS * (KINDS + 1) / 2;
    let count = |color: Color, kind: usize| in_counts(counts, color, kind);
    for color in [Color::White, Color::Black] {
        let (mut own, mut enemy) = (0, ENEMY);
        for kind in 0..KINDS {
            let n = count(color, kind);
            for lesser in 0..kind {
                tell(color, own, n * count(color, lesser));
                tell(color, enemy, n * count(color.opposite(), lesser));
                (own, enemy) = (own + 1, enemy + 1);
            }
            tell(color, own, n * (n - 1) / 2);
            own += 1;
        }
    }
}

/// How one king sees the board: from its own side, and mirrored if need be so that it stands
/// on the files e to h.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct View {
    /// The king's row in the tables.
    king: u8,
    /// What a square's number is changed by.
    turn: u8,
}

impl View {
    fn of(color: Color, king: Square) -> View {
        let turn = match color {
            Color::White => 0,
            Color::Black => 56,
        } ^ if (king as u8 & 7) < 4 { 7 } else { 0 };
        let seen = king as u8 ^ turn;
        View {
            king: (seen >> 3) * 4 + (seen & 3),
            turn,
        }
    }

    /// Which part of the piece-square tables is the king's: its own.
    #[cfg(not(feature = "small"))]
    #[inline]
    fn group(self) -> usize {
        self.king as usize & 31
    }

    /// Which part of the piece-square tables is the king's: that of its group.
    #[cfg(feature = "small")]
    #[inline]
    fn group(self) -> usize {
        tables::KING_GROUPS[self.king as usize & 31] as usize
    }

    #[inline]
    fn square(self, square: Square) -> usize {
        (square as u8 ^ self.turn) as usize & 63
    }

    /// The value of a piece other than a king: one's own or an enemy's.
    #[inline]
    fn value(self, own: bool, kind: PieceType, square: Square) -> i32 {
        let side = &tables::KING_PSQT[self.group()][usize::from(!own)];
        side[kind as usize][self.square(square)]
    }
}

/// The part of the evaluation that is a plain sum over the pieces. It observes moves
/// ([`Board::make_move_observed`]), so that it has to be summed anew only where a king has
/// moved, and then only for that king ([`Accumulator::settle`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accumulator {
    /// White's pieces less black's, middlegame and endgame packed, as the white and the black
    /// king see them.
    packed: [i32; Color::COUNT],
    phase: i32,
    counts: Counts,
    /// The counts that `imbalance` is of.
    weighed: Counts,
    /// What the pairs of pieces are worth, white's less black's, packed.
    imbalance: i32,
    views: [View; Color::COUNT],
    /// Whose king has moved since the sums were made.
    moved: [bool; Color::COUNT],
}

impl Accumulator {
    /// The sum over the pieces of a board.
    #[must_use]
    pub fn of(board: &Board) -> Accumulator {
        let mut accumulator = Accumulator {
            moved: [true; Color::COUNT],
            ..Accumulator::default()
        };
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                accumulator.phase += PHASE[piece.piece_type() as usize];
                if piece.piece_type() != PieceType::King {
                    accumulator.counts[piece.color() as usize] += one(piece.piece_type());
                }
            }
        }
        accumulator.settle(board);
        accumulator
    }

    /// Sums anew for a king that has moved, and weighs the material if that has changed. To be
    /// called after each observed move.
    #[inline]
    pub fn settle(&mut self, board: &Board) {
        if self.counts != self.weighed {
            self.weigh();
        }
        for color in [Color::White, Color::Black] {
            if self.moved[color as usize] {
                self.look_again(board, color);
            }
        }
    }

    #[inline(never)]
    fn look_again(&mut self, board: &Board, color: Color) {
        let view = View::of(color, board.king(color));
        let mut sum = tables::PSQT_KING[view.king as usize];
        for kind in &PieceType::ALL[..5] {
            for square in board.of(color, *kind) {
                sum = sum.wrapping_add(view.value(true, *kind, square));
            }
            for square in board.of(color.opposite(), *kind) {
                sum = sum.wrapping_sub(view.value(false, *kind, square));
            }
        }
        self.packed[color as usize] = match color {
            Color::White => sum,
            Color::Black => sum.wrapping_neg(),
        };
        self.views[color as usize] = view;
        self.moved[color as usize] = false;
    }

    fn weigh(&mut self) {
        let mut sum = 0_i32;
        each_pair(self.counts, |color, weight, count| {
            let value = tables::IMBALANCE[weight].wrapping_mul(count);
            sum = match color {
                Color::White => sum.wrapping_add(value),
                Color::Black => sum.wrapping_sub(value),
            };
        });
        self.imbalance = sum;
        self.weighed = self.counts;
    }

    /// White's sum less black's, packed.
    #[inline]
    pub(crate) fn packed(&self) -> i32 {
        debug_assert_eq!(self.moved, [false; 2], "not settled");
        self.packed[0]
            .wrapping_add(self.packed[1])
            .wrapping_add(self.imbalance)
    }

    /// What the network adds to the score of the side to move, in centipawns, worked out anew.
    pub(super) fn network(&self, board: &Board) -> i32 {
        let us = board.side_to_move();
        let [own, enemy] = [us, us.opposite()].map(|color| {
            let view = self.views[color as usize];
            Hidden::of(board, color, |square| view.square(square))
        });
        own.output(&enemy, board)
    }

    /// The same, where `stack` has followed the moves to `ply`.
    #[inline]
    pub(super) fn network_with(&self, board: &Board, stack: &mut NetworkStack, ply: usize) -> i32 {
        stack.output(ply, board, |color, square| {
            self.views[color as usize].square(square)
        })
    }

    /// The material left, 24 or more for a full board and 0 for kings and pawns.
    #[inline]
    #[must_use]
    pub const fn phase(&self) -> i32 {
        self.phase
    }

    /// How many pieces of that color and kind there are, kings left out.
    #[inline]
    pub(crate) const fn count(&self, color: Color, kind: PieceType) -> i32 {
        in_counts(self.counts, color, kind as usize)
    }

    /// `sign` is 1 for a piece put on and -1 for one taken off.
    #[inline]
    fn change(&mut self, piece: Piece, square: Square, sign: i32) {
        let (kind, color) = (piece.piece_type(), piece.color());
        if kind == PieceType::King {
            self.moved[color as usize] = true;
            return;
        }
        self.phase += sign * PHASE[kind as usize];
        let count = &mut self.counts[color as usize];
        *count = if sign > 0 {
            *count + one(kind)
        } else {
            *count - one(kind)
        };
        let sign = match color {
            Color::White => sign,
            Color::Black => -sign,
        };
        for (king, view) in self.views.iter().enumerate() {
            let value = view.value(king == color as usize, kind, square);
            self.packed[king] = self.packed[king].wrapping_add(sign.wrapping_mul(value));
        }
    }
}

impl PieceObserver for Accumulator {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, 1);
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, -1);
    }
}

/// Tells the trace of the weights that make up the sum.
#[inline]
pub(super) fn trace_pieces<T: Trace>(board: &Board, material: &Accumulator, trace: &mut T) {
    if core::mem::size_of::<T>() == 0 {
        return;
    }
    each_pair(material.counts, |color, weight, count| {
        trace.add(color, tables::EVAL_IMBALANCE_OWN + weight, count);
    });
    for color in [Color::White, Color::Black] {
        let view = View::of(color, board.king(color));
        let king = view.king as usize;
        trace.add(color, tables::EVAL_PSQT_KING + king, 1);
        let (king_rank, king_file) = (king / 4, 4 + king % 4);
        for square in board.occupied() {
            let Some(piece) = board.piece_on(square) else {
                continue;
            };
            let kind = piece.piece_type();
            let seen = view.square(square);
            let own = piece.color() == color;
            trace.input(color, network::input(own, kind, seen));
            if kind == PieceType::King {
                continue;
            }
            let kind = kind as usize;
            let offset = 15 * (7 + seen / 8 - king_rank) + 7 + seen % 8 - king_file;
            let exact = 64 * (5 * king + kind) + seen;
            let weights = if own {
                trace.add(color, tables::EVAL_MATERIAL + kind, 1);
                [
                    tables::EVAL_PSQT_PAWN + 64 * kind + seen,
                    tables::EVAL_NEAR_OWN_KING + 225 * kind + offset,
                    tables::EVAL_KING_OWN + exact,
                ]
            } else {
                [
                    tables::EVAL_PSQT_ENEMY + 64 * kind + seen,
                    tables::EVAL_NEAR_ENEMY_KING + 225 * kind + offset,
                    tables::EVAL_KING_ENEMY + exact,
                ]
            };
            for weight in weights {
                trace.add(piece.color(), weight, 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the move, the sums that followed it are those of the new board.
    #[test]
    fn follows_every_move_of_rich_positions() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/P5k1/8/2pP4/8/8/4K1p1/5R2 w - c6 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        ] {
            let board: Board = fen.parse().expect("a legal position");
            let accumulator = Accumulator::of(&board);
            for &mv in &board.legal_moves() {
                let (mut after, mut followed) = (board.clone(), accumulator);
                after.make_move_observed(mv, &mut followed);
                followed.settle(&after);
                assert_eq!(followed, Accumulator::of(&after), "{fen} {mv}");
            }
        }
    }
}
