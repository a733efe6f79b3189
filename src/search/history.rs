//! What earlier parts of the search say about moves: how often each cut off, and after what.
//!
//! Values stay within ±[`MAX`]: a bonus counts for less the nearer the value already is
//! ("history gravity").

use super::params::{CONTINUATION_SHARES, SCALE};
use super::stack::Context;
use crate::profile::{CONTINUATION_CONTEXTS, QUIET_SOURCES, THREAT_KINDS};
use crate::types::{Bitboard, Color, Move, Piece, PieceType, Square};

/// The bound of each value.
const MAX: i32 = 16_384;

/// The histories of one thread. All zero bytes are its initial value.
pub(super) struct Histories {
    /// `[color][source attacked][target attacked][source][target]`
    quiet: [[[[[i16; Square::COUNT]; QUIET_SOURCES]; THREAT_KINDS]; THREAT_KINDS]; Color::COUNT],
    /// `[piece][target][captured piece type]`
    capture: [[[i16; PieceType::COUNT]; Square::COUNT]; Piece::COUNT],
    /// `[earlier move's context][piece][target]`
    continuation: [[[i16; Square::COUNT]; Piece::COUNT]; CONTINUATION_CONTEXTS],
}

fn update(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MAX) as i16;
}

/// Is the square one of those that the enemy attacks, where that is told apart?
#[inline]
fn threatened(threats: Bitboard, square: Square) -> usize {
    usize::from(THREAT_KINDS == 2 && threats.contains(square))
}

/// Where a move comes from: its square, or the kind of its piece where there is less room.
#[inline]
fn source(mv: Move) -> usize {
    if QUIET_SOURCES == Square::COUNT {
        mv.source() as usize
    } else {
        mv.piece().piece_type() as usize
    }
}

/// The earlier moves that have a continuation history.
#[inline]
fn with_history(contexts: &[Context]) -> impl Iterator<Item = &Context> {
    contexts.iter().filter(|_| CONTINUATION_CONTEXTS != 0)
}

impl Histories {
    pub(super) const fn new() -> Histories {
        Histories {
            quiet: [[[[[0; Square::COUNT]; QUIET_SOURCES]; THREAT_KINDS]; THREAT_KINDS];
                Color::COUNT],
            capture: [[[0; PieceType::COUNT]; Square::COUNT]; Piece::COUNT],
            continuation: [[[0; Square::COUNT]; Piece::COUNT]; CONTINUATION_CONTEXTS],
        }
    }

    pub(super) fn clear(&mut self) {
        self.quiet
            .as_flattened_mut()
            .as_flattened_mut()
            .as_flattened_mut()
            .as_flattened_mut()
            .fill(0);
        self.capture.as_flattened_mut().as_flattened_mut().fill(0);
        self.continuation
            .as_flattened_mut()
            .as_flattened_mut()
            .fill(0);
    }

    /// How well a quiet move has done, here and after the moves one and two plies before.
    /// `threats`: the squares that the enemy attacks.
    #[inline]
    pub(super) fn quiet(&self, mv: Move, threats: Bitboard, contexts: &[Context]) -> i32 {
        let (piece, target) = (mv.piece(), mv.target() as usize);
        let from = threatened(threats, mv.source());
        let to = threatened(threats, mv.target());
        let mut sum = i32::from(self.quiet[piece.color() as usize][from][to][source(mv)][target]);
        for (context, share) in with_history(contexts).zip(CONTINUATION_SHARES) {
            let value = i32::from(self.continuation[context.index()][piece as usize][target]);
            sum += value * share / SCALE;
        }
        sum
    }

    /// How well a capture has done.
    #[inline]
    pub(super) fn capture(&self, mv: Move, captured: PieceType) -> i32 {
        i32::from(self.capture[mv.piece() as usize][mv.target() as usize][captured as usize])
    }

    pub(super) fn update_quiet(
        &mut self,
        mv: Move,
        threats: Bitboard,
        contexts: &[Context],
        bonus: i32,
    ) {
        let (piece, target) = (mv.piece(), mv.target() as usize);
        let from = threatened(threats, mv.source());
        let to = threatened(threats, mv.target());
        update(
            &mut self.quiet[piece.color() as usize][from][to][source(mv)][target],
            bonus,
        );
        self.update_continuation(mv, contexts, bonus);
    }

    /// Of what is known of a quiet move, only how well it follows the moves before.
    pub(super) fn update_continuation(&mut self, mv: Move, contexts: &[Context], bonus: i32) {
        let (piece, target) = (mv.piece() as usize, mv.target() as usize);
        for context in with_history(contexts).filter(|context| context.is_some()) {
            update(
                &mut self.continuation[context.index()][piece][target],
                bonus,
            );
        }
    }

    pub(super) fn update_capture(&mut self, mv: Move, captured: PieceType, bonus: i32) {
        update(
            &mut self.capture[mv.piece() as usize][mv.target() as usize][captured as usize],
            bonus,
        );
    }
}
