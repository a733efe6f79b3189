//! What makes a set-up a position that Kirin accepts.
//!
//! Everything after this check relies on it: one king a side, a move list that can't overflow,
//! castling pieces at home, an en-passant square that fits. Refused are also checks that no
//! move could have given; other positions that no game reaches are accepted and searched.

use super::Board;
use crate::attacks;
use crate::types::{Bitboard, CastlingSide, Color, PieceType, Square};
use core::fmt;

/// Why a set-up is no position that Kirin accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// A side has no king.
    NoKing(Color),
    /// A side has more than one king.
    TooManyKings(Color),
    /// A pawn stands on the first or the last rank.
    PawnOnBackRank(Square),
    /// A side has more than eight pawns.
    TooManyPawns(Color),
    /// A side has more than sixteen pieces.
    TooManyPieces(Color),
    /// A side has more pieces than its missing pawns could have become. With the limits above,
    /// this is what keeps every position within [`crate::MAX_MOVES`] moves.
    TooManyPromoted(Color),
    /// The side that is not to move is in check: its king could be taken.
    OppositeCheck,
    /// The side to move is in check from three pieces or more, from two on one line, or in a
    /// way that the double push before it could not have given.
    ImpossibleCheck,
    /// A castling right without its king and rook on their home squares.
    BadCastling(Color, CastlingSide),
    /// The en-passant square is not behind a pawn that could just have moved two squares.
    BadEnPassant(Square),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |color: Color| match color {
            Color::White => "white",
            Color::Black => "black",
        };
        match *self {
            PositionError::NoKing(color) => write!(f, "{} has no king", name(color)),
            PositionError::TooManyKings(color) => {
                write!(f, "{} has more than one king", name(color))
            }
            PositionError::PawnOnBackRank(square) => {
                write!(f, "a pawn on {square}, on the first or last rank")
            }
            PositionError::TooManyPawns(color) => {
                write!(f, "{} has more than eight pawns", name(color))
            }
            PositionError::TooManyPieces(color) => {
                write!(f, "{} has more than sixteen pieces", name(color))
            }
            PositionError::TooManyPromoted(color) => {
                write!(
                    f,
                    "{} has more promoted pieces than missing pawns",
                    name(color)
                )
            }
            PositionError::OppositeCheck => f.write_str("the side that is not to move is in check"),
            PositionError::ImpossibleCheck => f.write_str("a check that no move could have given"),
            PositionError::BadCastling(color, side) => write!(
                f,
                "castling right without {}'s king and {}-side rook at home",
                name(color),
                match side {
                    CastlingSide::King => "king",
                    CastlingSide::Queen => "queen",
                }
            ),
            PositionError::BadEnPassant(square) => write!(
                f,
                "en-passant square {square} is not behind a pawn that has just moved two squares"
            ),
        }
    }
}

impl core::error::Error for PositionError {}

impl Board {
    /// Checks the pieces, side and rights that have been set up, finds checkers, pins and keys,
    /// and settles the en-passant square: `en_passant` is what the set-up claims, and it is
    /// kept only if a legal capture on it exists.
    pub(super) fn validate(&mut self, en_passant: Option<Square>) -> Result<(), PositionError> {
        for color in Color::ALL {
            self.validate_material(color)?;
        }
        let back_ranks = Bitboard(0xff00_0000_0000_00ff);
        if let Some(square) = (self.kind(PieceType::Pawn) & back_ranks).first() {
            return Err(PositionError::PawnOnBackRank(square));
        }
        let (us, them) = (self.side, self.side.opposite());
        if self.is_attacked_by(us, self.king(them), self.occupied()) {
            return Err(PositionError::OppositeCheck);
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                self.validate_castling(color, side)?;
            }
        }
        self.update_checks_for_side();
        self.validate_checkers()?;
        if let Some(target) = en_passant {
            self.validate_en_passant(target)?;
        }
        self.en_passant = en_passant.filter(|&target| self.any_en_passant_legal(target));
        self.keys = self.recompute_keys();
        Ok(())
    }

    fn validate_material(&self, color: Color) -> Result<(), PositionError> {
        let count = |kind| self.of(color, kind).len();
        match count(PieceType::King) {
            0 => return Err(PositionError::NoKing(color)),
            1 => {}
            _ => return Err(PositionError::TooManyKings(color)),
        }
        let pawns = count(PieceType::Pawn);
        if pawns > 8 {
            return Err(PositionError::TooManyPawns(color));
        }
        if self.color(color).len() > 16 {
            return Err(PositionError::TooManyPieces(color));
        }
        let bishops = self.of(color, PieceType::Bishop);
        let promoted = count(PieceType::Queen).saturating_sub(1)
            + count(PieceType::Rook).saturating_sub(2)
            + count(PieceType::Knight).saturating_sub(2)
            + (bishops & Bitboard::LIGHT_SQUARES).len().saturating_sub(1)
            + (bishops & Bitboard::DARK_SQUARES).len().saturating_sub(1);
        if promoted > 8 - pawns {
            return Err(PositionError::TooManyPromoted(color));
        }
        Ok(())
    }

    fn validate_castling(&self, color: Color, side: CastlingSide) -> Result<(), PositionError> {
        if self.castling.rights().has(color, side) && !self.castling_pieces_are_home(color, side) {
            return Err(PositionError::BadCastling(color, side));
        }
        Ok(())
    }

    /// One move uncovers at most one line and puts one piece down: two checkers at most, and
    /// not both on one line through the king.
    fn validate_checkers(&self) -> Result<(), PositionError> {
        let mut checkers = self.checkers.into_iter();
        if let (Some(a), Some(b)) = (checkers.next(), checkers.next()) {
            if checkers.next().is_some() || attacks::line(a, b).contains(self.king(self.side)) {
                return Err(PositionError::ImpossibleCheck);
            }
        }
        Ok(())
    }

    fn validate_en_passant(&self, target: Square) -> Result<(), PositionError> {
        let (us, them) = (self.side, self.side.opposite());
        let error = PositionError::BadEnPassant(target);
        let (Some(origin), Some(pawn)) = (target.forward(us), target.forward(them)) else {
            return Err(error);
        };
        if target.rank().relative_to(us) as u8 != 5
            || self.piece_on(pawn) != Some(PieceType::Pawn.of(them))
            || self.piece_on(target).is_some()
            || self.piece_on(origin).is_some()
        {
            return Err(error);
        }
        // The double push gave check with its pawn or uncovered a line through its origin: with
        // the pawn back there, none of the other checkers may give check.
        let before = self.occupied().without(pawn).with(origin);
        let others = self.checkers.without(pawn);
        if (others & self.attackers(them, self.king(us), before)).any() {
            return Err(PositionError::ImpossibleCheck);
        }
        Ok(())
    }
}
