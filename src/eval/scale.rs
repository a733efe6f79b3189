//! What material alone knows about endgames: those that are hard to win, and how to win the
//! ones that are not.

use super::{Accumulator, Evaluation, Trace};
use crate::board::{Board, Side};
use crate::tables;
use crate::types::{Bitboard, Color, PieceType, Square};

/// The scale of an endgame like any other.
pub(super) const FULL_SCALE: i32 = 64;
/// Bishops of opposite colours and nothing else but pawns.
const OPPOSITE_BISHOPS_SCALE: i32 = 32;
/// No pawn left, and no more than a minor piece ahead.
const PAWNLESS_SCALE: i32 = 8;
/// One pawn left on the side that is ahead, and little else.
const LAST_PAWN_SCALE: i32 = 48;
/// A rook's pawn alone with the wrong bishop, the defender's king in the corner.
const WRONG_BISHOP_SCALE: i32 = 0;

/// The files a to d.
const QUEEN_WING: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);

/// `[piece type]`: rough values to tell winning material from drawn.
const VALUES: [i32; PieceType::COUNT] = [1, 3, 3, 5, 9, 0];

fn non_pawn_material(material: &Accumulator, color: Color) -> i32 {
    PieceType::ALL[1..5]
        .iter()
        .map(|&kind| VALUES[kind as usize] * material.count(color, kind))
        .sum()
}

impl<T: Trace> Evaluation<'_, T> {
    /// What makes the endgame easy or hard to win for `S`, which is ahead in it.
    pub(super) fn complexity<S: Side>(&mut self) {
        let pawns = self.board.kind(PieceType::Pawn);
        let wings = (pawns & QUEEN_WING).any() && (pawns - QUEEN_WING).any();
        let pawn_count = |color| self.material.count(color, PieceType::Pawn);
        let counts = [
            1,
            pawn_count(Color::White) + pawn_count(Color::Black),
            i32::from(wings),
            i32::from(self.material.phase() == 0),
            i32::from(opposite_bishops(self.board, self.material)),
        ];
        for (i, count) in counts.into_iter().enumerate() {
            self.add::<S>(tables::EVAL_COMPLEXITY + i, count);
        }
    }
}

/// Has each side one bishop, on squares of different colours?
fn opposite_bishops(board: &Board, material: &Accumulator) -> bool {
    let bishops = board.kind(PieceType::Bishop);
    material.count(Color::White, PieceType::Bishop) == 1
        && material.count(Color::Black, PieceType::Bishop) == 1
        && (bishops & Bitboard::LIGHT_SQUARES).any()
        && (bishops & Bitboard::DARK_SQUARES).any()
}

/// The side that the endgame sum favours.
fn stronger(endgame: i32) -> Color {
    if endgame >= 0 {
        Color::White
    } else {
        Color::Black
    }
}

/// By how much the endgame part of the score counts, in 64ths.
#[inline]
pub(super) fn endgame_scale(board: &Board, material: &Accumulator, endgame: i32) -> i32 {
    let strong = stronger(endgame);
    let weak = strong.opposite();
    let pawns = board.of(strong, PieceType::Pawn);
    if material.count(strong, PieceType::Pawn) > 4 {
        return FULL_SCALE;
    }
    let (own, enemy) = (
        non_pawn_material(material, strong),
        non_pawn_material(material, weak),
    );
    if pawns.is_empty() && own - enemy <= 3 {
        return if own < 5 { 0 } else { PAWNLESS_SCALE };
    }
    if wrong_bishop(board, strong, pawns, own) {
        return WRONG_BISHOP_SCALE;
    }
    if own == 3 && enemy == 3 && opposite_bishops(board, material) {
        return OPPOSITE_BISHOPS_SCALE;
    }
    if !pawns.more_than_one() && own - enemy <= 0 && own > 0 {
        return LAST_PAWN_SCALE;
    }
    FULL_SCALE
}

/// Only rook's pawns of one file, no piece but perhaps a bishop that does not hold the corner,
/// and the defender's king there: it can't be driven out.
fn wrong_bishop(board: &Board, strong: Color, pawns: Bitboard, own: i32) -> bool {
    let bishop = board.of(strong, PieceType::Bishop);
    let one_file = |file: u64| pawns.any() && pawns.0 & !file == 0;
    let corner = if one_file(0x0101_0101_0101_0101) {
        Square::A8
    } else if one_file(0x8080_8080_8080_8080) {
        Square::H8
    } else {
        return false;
    };
    let corner = corner.relative_to(strong);
    let light = |set: Bitboard| (set & Bitboard::LIGHT_SQUARES).any();
    let only_bishop = own == 3 && bishop.any() && light(bishop) != light(corner.bitboard());
    (own == 0 || only_bishop) && board.king(strong.opposite()).distance(corner) <= 1
}

/// A won ending of king and pawn against king is worth this, and this more for each rank that
/// the pawn has gone: better than any drawn ending, and less than a queen.
#[cfg(not(feature = "small"))]
const PAWN_ENDING_CP: i32 = 500;
#[cfg(not(feature = "small"))]
const PAWN_ENDING_RANK_CP: i32 = 25;

/// What is known of king and pawn against king, as white sees it; `None` for other endings.
/// `phase` 0 means that no piece is left but kings and pawns.
#[cfg(not(feature = "small"))]
#[inline]
pub(super) fn king_and_pawn(board: &Board, phase: i32) -> Option<i32> {
    let pawns = board.kind(PieceType::Pawn);
    if phase != 0 || pawns.is_empty() || pawns.more_than_one() {
        return None;
    }
    let pawn = pawns.into_iter().next()?;
    let strong = board.piece_on(pawn)?.color();
    // As the table sees it: the pawn is white and on the files a to d.
    let turn = match strong {
        Color::White => 0,
        Color::Black => 56,
    } ^ if pawn as usize % 8 < 4 { 0 } else { 7 };
    let seen = pawn as usize ^ turn;
    let row = (seen / 8).checked_sub(1)?;
    let side = usize::from(board.side_to_move() != strong);
    let king = board.king(strong) as usize ^ turn;
    let lone = board.king(strong.opposite()) as usize ^ turn;
    if tables::KPK_WINS[side][4 * row + seen % 8][king] >> lone & 1 == 0 {
        return Some(0);
    }
    let value = PAWN_ENDING_CP + PAWN_ENDING_RANK_CP * (5 - row as i32);
    Some(match strong {
        Color::White => value,
        Color::Black => -value,
    })
}

/// The small profile knows nothing of it.
#[cfg(feature = "small")]
#[inline]
pub(super) fn king_and_pawn(_: &Board, _: i32) -> Option<i32> {
    None
}

/// `[distance]` of the lone king from the nearest edge, and of the kings from each other.
const EDGE_BONUS_CP: i32 = 20;
const KING_DISTANCE_BONUS_CP: i32 = 10;
/// Towards the corner that the bishop holds.
const CORNER_BONUS_CP: i32 = 20;

/// Against a bare king with mating material: drive it to the edge, and with bishop and knight
/// into the bishop's corner. White's view.
#[inline]
pub(super) fn mop_up(board: &Board, material: &Accumulator, endgame: i32) -> i32 {
    let strong = stronger(endgame);
    let weak = strong.opposite();
    if board.color(weak).more_than_one() || board.kind(PieceType::Pawn).any() {
        return 0;
    }
    let minors_only = board.straight_sliders().is_empty();
    if non_pawn_material(material, strong) < 5 {
        return 0;
    }
    let (king, lone) = (board.king(strong), board.king(weak));
    let from_edge = |i: usize| i.min(7 - i) as i32;
    let edge = 3 - from_edge(lone.file().index()).min(from_edge(lone.rank().index()));
    let mut bonus =
        EDGE_BONUS_CP * edge + KING_DISTANCE_BONUS_CP * (7 - king.distance(lone) as i32);
    let bishops = board.of(strong, PieceType::Bishop);
    if minors_only && board.of(strong, PieceType::Knight).any() && bishops.any() {
        let corners = if (bishops & Bitboard::LIGHT_SQUARES).any() {
            [Square::A8, Square::H1]
        } else {
            [Square::A1, Square::H8]
        };
        let distance = corners.map(|corner| {
            let files = corner.file().index().abs_diff(lone.file().index());
            let ranks = corner.rank().index().abs_diff(lone.rank().index());
            (files + ranks) as i32
        });
        bonus += CORNER_BONUS_CP * (7 - distance[0].min(distance[1]));
    }
    match strong {
        Color::White => bonus,
        Color::Black => -bonus,
    }
}
