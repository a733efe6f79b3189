//! Knights, bishops, rooks and queens: mobility, outposts, files, threats.

use super::pawns::{forward_file, passed_span};
use super::{relative_rank, Evaluation, Trace};
use crate::attacks;
use crate::board::Side;
use crate::tables;
use crate::types::{Bitboard, PieceType, Rank, Square};

/// The middle of the own half of the board, where space counts.
const SPACE_FILES: u64 = 0x3c3c_3c3c_3c3c_3c3c;
/// Pieces that make space worth its whole weight.
const SPACE_PIECES: i32 = 8;
/// The four squares that bishops on long diagonals fight for.
const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);

impl<T: Trace> Evaluation<'_, T> {
    /// The squares that count for mobility: not attacked by enemy pawns, and not under one's
    /// own king or blocked or unmoved pawns.
    fn mobility_area<S: Side>(&self) -> Bitboard {
        let pawns = self.board.of(S::COLOR, PieceType::Pawn);
        let blocked = pawns & self.board.occupied().forward(S::Them::COLOR);
        let unmoved = pawns & Rank::Second.relative_to(S::COLOR).bitboard();
        let enemy_pawns = self.attacked_by[S::Them::COLOR as usize][PieceType::Pawn as usize];
        !(blocked | unmoved | enemy_pawns | self.board.of(S::COLOR, PieceType::King))
    }

    /// Mobility, ring attacks and what is peculiar to each kind.
    pub(super) fn pieces<S: Side>(&mut self) {
        let board = self.board;
        let us = S::COLOR;
        let occupied = board.occupied();
        let area = self.mobility_area::<S>();
        // Sliders see through pieces that would move with them.
        let diagonal = occupied - board.of(us, PieceType::Queen);
        let straight = diagonal - board.of(us, PieceType::Rook);
        let pawns = board.of(us, PieceType::Pawn);
        let pawn_count = self.material.count(us, PieceType::Pawn) as usize;
        let behind = board.kind(PieceType::Pawn).forward(S::Them::COLOR);
        for square in board.of(us, PieceType::Knight) {
            let squares = attacks::knight_attacks(square);
            self.mobile::<S>(
                PieceType::Knight,
                square,
                squares,
                area,
                tables::EVAL_MOBILITY_KNIGHT,
            );
            self.outpost::<S>(square, tables::EVAL_OUTPOST);
            self.add::<S>(tables::EVAL_PAWNS_AND_PIECE + pawn_count, 1);
            if behind.contains(square) {
                self.add::<S>(tables::EVAL_BEHIND_PAWN, 1);
            }
        }
        let bishops = board.of(us, PieceType::Bishop);
        for square in bishops {
            let squares = attacks::runtime::bishop_attacks(square, diagonal);
            self.mobile::<S>(
                PieceType::Bishop,
                square,
                squares,
                area,
                tables::EVAL_MOBILITY_BISHOP,
            );
            self.outpost::<S>(square, tables::EVAL_OUTPOST + 1);
            let complex = if Bitboard::LIGHT_SQUARES.contains(square) {
                Bitboard::LIGHT_SQUARES
            } else {
                Bitboard::DARK_SQUARES
            };
            let same = pawns & complex;
            let blocked = same & occupied.forward(S::Them::COLOR);
            self.add::<S>(tables::EVAL_BISHOP_PAWNS, same.len() as i32);
            self.add::<S>(tables::EVAL_BISHOP_PAWNS + 1, blocked.len() as i32);
            self.add::<S>(tables::EVAL_PAWNS_AND_PIECE + 9 + pawn_count, 1);
            if behind.contains(square) {
                self.add::<S>(tables::EVAL_BEHIND_PAWN + 1, 1);
            }
            let center =
                attacks::runtime::bishop_attacks(square, board.kind(PieceType::Pawn)) & CENTER;
            if center.more_than_one() {
                self.add::<S>(tables::EVAL_LONG_DIAGONAL, 1);
            }
        }
        if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any() {
            self.add::<S>(tables::EVAL_BISHOP_PAIR, 1);
        }
        for square in board.of(us, PieceType::Rook) {
            let squares = attacks::runtime::rook_attacks(square, straight);
            self.mobile::<S>(
                PieceType::Rook,
                square,
                squares,
                area,
                tables::EVAL_MOBILITY_ROOK,
            );
            self.add::<S>(tables::EVAL_PAWNS_AND_PIECE + 18 + pawn_count, 1);
            let file = square.file().bitboard();
            if (file & board.of(us, PieceType::Pawn)).is_empty() {
                let open = (file & board.kind(PieceType::Pawn)).is_empty();
                self.add::<S>(tables::EVAL_ROOK_FILE + usize::from(open), 1);
            }
        }
        for square in board.of(us, PieceType::Queen) {
            let squares = attacks::runtime::queen_attacks(square, occupied);
            self.mobile::<S>(
                PieceType::Queen,
                square,
                squares,
                area,
                tables::EVAL_MOBILITY_QUEEN,
            );
        }
    }

    #[inline]
    fn mobile<S: Side>(
        &mut self,
        kind: PieceType,
        square: Square,
        squares: Bitboard,
        area: Bitboard,
        weights: usize,
    ) {
        let us = S::COLOR;
        let squares = if self.pinned_to_king::<S>(square) {
            squares & attacks::line(self.board.king(us), square)
        } else {
            squares
        };
        self.note_attacks::<S>(kind, squares);
        self.add::<S>(weights + (squares & area).len() as usize, 1);
        let ring = squares & self.king_ring[S::Them::COLOR as usize];
        if ring.any() {
            self.endanger::<S>(tables::EVAL_DANGER_ATTACKER + kind as usize, 1);
            self.endanger::<S>(tables::EVAL_DANGER_RING, ring.len() as i32);
        }
    }

    /// The board knows the pins of the side to move; those are the ones that count here.
    #[inline]
    fn pinned_to_king<S: Side>(&self, square: Square) -> bool {
        self.board.side_to_move() == S::COLOR && self.board.pinned().contains(square)
    }

    fn outpost<S: Side>(&mut self, square: Square, weight: usize) {
        let us = S::COLOR;
        let rank = relative_rank::<S>(square);
        // Enemy pawns ahead on the neighbouring files could come to attack the square.
        let attackers = self.board.of(S::Them::COLOR, PieceType::Pawn)
            & (passed_span(us, square) - forward_file(us, square));
        let own_pawns = self.attacked_by[us as usize][PieceType::Pawn as usize];
        if (3..=5).contains(&rank) && attackers.is_empty() {
            let alone = if own_pawns.contains(square) { 0 } else { 2 };
            self.add::<S>(weight + alone, 1);
        }
    }

    /// Attacks on pieces worth more, or not defended.
    pub(super) fn threats<S: Side>(&mut self) {
        let (us, them) = (S::COLOR as usize, S::Them::COLOR);
        let board = self.board;
        let enemies = board.color(them) - board.of(them, PieceType::King);
        let by = self.attacked_by[us];
        let pawn_attacks = by[PieceType::Pawn as usize];
        // A piece that a pawn defends is worth attacking only if it is worth more.
        let weak = enemies - self.attacked_by[them as usize][PieceType::Pawn as usize];
        let minors = by[PieceType::Knight as usize] | by[PieceType::Bishop as usize];
        let rooks = by[PieceType::Rook as usize];
        let queens = board.of(them, PieceType::Queen);
        let heavy = board.of(them, PieceType::Rook) | queens;
        let groups = [
            (
                pawn_attacks & (enemies - board.kind(PieceType::Pawn)),
                tables::EVAL_THREAT_BY_PAWN,
            ),
            (minors & (weak | heavy), tables::EVAL_THREAT_BY_MINOR),
            (rooks & (weak | queens), tables::EVAL_THREAT_BY_ROOK),
        ];
        for (victims, weights) in groups {
            for square in victims {
                if let Some(victim) = board.piece_on(square) {
                    self.add::<S>(weights + victim.piece_type() as usize, 1);
                }
            }
        }
        let hanging = enemies & (self.attacked[us] - self.attacked[them as usize]);
        if hanging.any() {
            self.add::<S>(tables::EVAL_HANGING, hanging.len() as i32);
        }
        if (hanging & by[PieceType::King as usize]).any() {
            self.add::<S>(tables::EVAL_THREAT_BY_KING, 1);
        }

        // Squares that the enemy holds.
        let theirs = self.attacked_by[them as usize];
        let firm = theirs[PieceType::Pawn as usize]
            | (self.attacked_twice[them as usize] - self.attacked_twice[us]);

        // Safe squares from which the queen could be attacked.
        if queens.any() && !queens.more_than_one() {
            for queen in queens {
                let safe = !(firm | board.color(S::COLOR));
                let knights = attacks::knight_attacks(queen) & by[PieceType::Knight as usize];
                let count = (knights & safe).len() as i32;
                if count > 0 {
                    self.add::<S>(tables::EVAL_THREAT_TO_QUEEN, count);
                }
                let occupied = board.occupied();
                let diagonal = attacks::runtime::bishop_attacks(queen, occupied)
                    & by[PieceType::Bishop as usize];
                let straight = attacks::runtime::rook_attacks(queen, occupied) & rooks;
                let sliders = (diagonal | straight) & safe & self.attacked_twice[us];
                let count = sliders.len() as i32;
                if count > 0 {
                    self.add::<S>(tables::EVAL_THREAT_TO_QUEEN + 1, count);
                }
            }
        }

        // Pawns that could step forward unharmed and attack something.
        let empty = !board.occupied();
        let once = board.of(S::COLOR, PieceType::Pawn).forward(S::COLOR) & empty;
        let third = Rank::Third.relative_to(S::COLOR).bitboard();
        let twice = (once & third).forward(S::COLOR) & empty;
        let held = self.attacked[us] | !self.attacked[them as usize];
        let safe = ((once | twice) & held) - theirs[PieceType::Pawn as usize];
        let next = safe.forward(S::COLOR);
        let pushed = (next.west() | next.east()) & (enemies - board.kind(PieceType::Pawn));
        let pushed = pushed - pawn_attacks;
        if pushed.any() {
            self.add::<S>(tables::EVAL_THREAT_BY_PUSH, pushed.len() as i32);
        }

        // Squares that the enemy can go to only at a risk.
        let restricted = self.attacked[us] & (self.attacked[them as usize] - firm);
        self.add::<S>(tables::EVAL_RESTRICTED, restricted.len() as i32);
    }

    /// Safe squares behind and among the own pawns: room for many pieces.
    pub(super) fn space<S: Side>(&mut self) {
        let board = self.board;
        let (us, them) = (S::COLOR, S::Them::COLOR as usize);
        let count = |kind| self.material.count(us, kind);
        let minors = count(PieceType::Knight) + count(PieceType::Bishop);
        let pieces = minors + count(PieceType::Rook) + count(PieceType::Queen);
        if pieces < 4 {
            return;
        }
        let ranks = Rank::Second.relative_to(us).bitboard()
            | Rank::Third.relative_to(us).bitboard()
            | Rank::Fourth.relative_to(us).bitboard();
        let pawns = board.of(us, PieceType::Pawn);
        let taken = pawns | self.attacked_by[them][PieceType::Pawn as usize];
        let safe = (ranks & Bitboard(SPACE_FILES)) - taken;
        let mut behind = pawns.forward(S::Them::COLOR);
        behind |= behind.forward(S::Them::COLOR);
        behind |= behind.forward(S::Them::COLOR);
        let count = safe.len() + ((safe & behind) - self.attacked[them]).len();
        self.add::<S>(tables::EVAL_SPACE, count as i32 * pieces / SPACE_PIECES);
    }
}
