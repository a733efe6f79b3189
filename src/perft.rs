//! Perft: the number of legal move sequences of a given length, the field's test of a move
//! generator. Shared by tests, benches and the command line.
//!
//! The last ply is counted without listing it, and the plies before make their moves straight
//! from the generator's target sets.

use crate::board::{Black, Board, Side, Sink, Unkeyed, White};
use crate::types::{Bitboard, CastlingSide, Color, Move, PieceType, Square};

/// The most plies that are counted. (No count beyond some fifteen has ever been finished; this
/// bounds the stack, which takes about half a KiB a ply in optimised builds.)
pub const MAX_PERFT_DEPTH: u32 = 64;

/// Counts the legal move sequences of `depth` plies; 1 for depth 0.
///
/// # Panics
///
/// If `depth` exceeds [`MAX_PERFT_DEPTH`].
///
/// ```
/// assert_eq!(kirin::perft(&kirin::Board::startpos(), 3), 8_902);
/// ```
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    assert!(
        depth <= MAX_PERFT_DEPTH,
        "perft depth {depth} is above {MAX_PERFT_DEPTH}"
    );
    match (depth, board.side_to_move()) {
        (0, _) => 1,
        (_, Color::White) => count::<White>(board, depth),
        (_, Color::Black) => count::<Black>(board, depth),
    }
}

/// Calls `report` for each legal move with the number of sequences that begin with it, and
/// returns their sum; 1, without a call, for depth 0.
///
/// # Panics
///
/// If `depth` exceeds [`MAX_PERFT_DEPTH`].
pub fn perft_divide(board: &Board, depth: u32, mut report: impl FnMut(Move, u64)) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut total = 0;
    for &mv in &board.legal_moves() {
        let mut child = board.clone();
        child.make_move(mv);
        let nodes = perft(&child, depth - 1);
        total += nodes;
        report(mv, nodes);
    }
    total
}

fn count<S: Side>(board: &Board, depth: u32) -> u64 {
    if depth == 1 {
        return u64::from(crate::board::count::<S>(board));
    }
    let mut walker = Walker::<S> {
        board,
        depth,
        nodes: 0,
        them: board.color(S::Them::COLOR),
        side: core::marker::PhantomData,
    };
    crate::board::generate_all::<S, _>(board, &mut walker);
    walker.nodes
}

/// Makes each move on a copy as the generator finds it, and counts below.
struct Walker<'a, S> {
    board: &'a Board,
    depth: u32,
    nodes: u64,
    them: Bitboard,
    side: core::marker::PhantomData<S>,
}

impl<S: Side> Walker<'_, S> {
    #[inline]
    fn visit(&mut self, make: impl FnOnce(&mut Board)) {
        let mut child = self.board.clone();
        make(&mut child);
        self.nodes += if self.depth == 2 {
            u64::from(crate::board::count::<S::Them>(&child))
        } else {
            count::<S::Them>(&child, self.depth - 1)
        };
    }
}

impl<S: Side> Sink for Walker<'_, S> {
    #[inline]
    fn piece(&mut self, kind: PieceType, source: Square, targets: Bitboard) {
        let piece = kind.of(S::COLOR);
        for target in targets - self.them {
            self.visit(|b| b.make_quiet::<S, _>(piece, source, target, &mut Unkeyed));
        }
        for target in targets & self.them {
            self.visit(|b| b.make_capture::<S, _>(piece, source, target, &mut Unkeyed));
        }
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, offset: i8, capture: bool) {
        let piece = PieceType::Pawn.of(S::COLOR);
        for target in targets {
            let source = crate::board::step_back(target, offset);
            self.visit(|b| {
                if capture {
                    b.make_capture::<S, _>(piece, source, target, &mut Unkeyed);
                } else {
                    b.make_quiet::<S, _>(piece, source, target, &mut Unkeyed);
                }
            });
        }
    }

    #[inline]
    fn double_pushes(&mut self, targets: Bitboard, offset: i8) {
        for target in targets {
            let source = crate::board::step_back(target, offset);
            self.visit(|b| b.make_double_push::<S, _>(source, target, &mut Unkeyed));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, offset: i8, capture: bool) {
        for target in targets {
            let source = crate::board::step_back(target, offset);
            for kind in PieceType::PROMOTIONS {
                let promoted = kind.of(S::COLOR);
                self.visit(|b| {
                    b.make_promotion::<S, _>(source, target, promoted, capture, &mut Unkeyed);
                });
            }
        }
    }

    #[inline]
    fn en_passant(&mut self, source: Square, target: Square) {
        self.visit(|b| b.make_en_passant::<S, _>(source, target, &mut Unkeyed));
    }

    #[inline]
    fn castling(&mut self, side: CastlingSide) {
        self.visit(|b| b.make_castling::<S, _>(side, &mut Unkeyed));
    }
}
