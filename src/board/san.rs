//! Standard Algebraic Notation, parsed and printed without a heap.

use super::{Board, Status};
use crate::attacks;
use crate::types::{Bitboard, CastlingSide, File, Move, PieceType, Rank, Square};
use core::fmt;

/// A legal move beside its board, to be printed in SAN with `+` or `#`: see [`Board::san`].
#[derive(Clone, Copy)]
pub struct San<'a> {
    board: &'a Board,
    mv: Move,
}

/// Why a text is no SAN move here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseSanError {
    /// The text has not the form of a SAN move.
    Malformed,
    /// No legal move fits it.
    Illegal,
    /// More than one legal move fits it.
    Ambiguous,
}

impl fmt::Display for ParseSanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseSanError::Malformed => "not a move in algebraic notation",
            ParseSanError::Illegal => "no legal move fits",
            ParseSanError::Ambiguous => "more than one legal move fits",
        })
    }
}

impl core::error::Error for ParseSanError {}

impl Board {
    /// This legal move, to be printed in SAN.
    ///
    /// ```
    /// use kirin::Board;
    /// let board = Board::startpos();
    /// let mv = board.parse_san("Nf3")?;
    /// assert_eq!(mv.to_string(), "g1f3");
    /// assert_eq!(board.san(mv).to_string(), "Nf3");
    /// # Ok::<(), kirin::ParseSanError>(())
    /// ```
    #[must_use]
    pub fn san(&self, mv: Move) -> San<'_> {
        San { board: self, mv }
    }

    /// Reads a move in SAN. Origin letters and digits beyond need are allowed, and a missing
    /// or wrong `+`, `#`, `!` or `?` at the end; a capture must have its `x`, a promotion its
    /// `=` and piece, and castling is `O-O` or `O-O-O`, in letters or zeros.
    ///
    /// # Errors
    ///
    /// If the text is malformed, or no legal move or more than one fits it.
    pub fn parse_san(&self, text: &str) -> Result<Move, ParseSanError> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        if let "O-O" | "0-0" | "O-O-O" | "0-0-0" = text {
            let side = if text.len() == 3 {
                CastlingSide::King
            } else {
                CastlingSide::Queen
            };
            return self.castling_move(side).ok_or(ParseSanError::Illegal);
        }
        let wanted = Pattern::parse(text.as_bytes()).ok_or(ParseSanError::Malformed)?;
        let mut found = None;
        for &mv in &self.legal_moves() {
            if wanted.fits(mv) {
                if found.is_some() {
                    return Err(ParseSanError::Ambiguous);
                }
                found = Some(mv);
            }
        }
        found.ok_or(ParseSanError::Illegal)
    }
}

/// What a SAN text asks of a move.
struct Pattern {
    kind: PieceType,
    file: Option<File>,
    rank: Option<Rank>,
    capture: bool,
    target: Square,
    promotion: Option<PieceType>,
}

impl Pattern {
    fn parse(text: &[u8]) -> Option<Pattern> {
        let (kind, mut rest) = match text {
            [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), rest @ ..] => {
                (PieceType::from_char(*letter as char)?, rest)
            }
            _ => (PieceType::Pawn, text),
        };
        let mut promotion = None;
        if let [before @ .., b'=', letter @ (b'N' | b'B' | b'R' | b'Q')] = rest {
            if kind != PieceType::Pawn {
                return None;
            }
            promotion = PieceType::from_char(*letter as char);
            rest = before;
        }
        let [origin @ .., file, rank] = rest else {
            return None;
        };
        let target = core::str::from_utf8(&[*file, *rank]).ok()?.parse().ok()?;
        let (origin, capture) = match origin {
            [origin @ .., b'x'] => (origin, true),
            _ => (origin, false),
        };
        let file_of = |letter: u8| File::ALL[usize::from(letter - b'a')];
        let rank_of = |digit: u8| Rank::ALL[usize::from(digit - b'1')];
        let (file, rank) = match *origin {
            [] => (None, None),
            [f @ b'a'..=b'h'] => (Some(file_of(f)), None),
            [r @ b'1'..=b'8'] if kind != PieceType::Pawn => (None, Some(rank_of(r))),
            [f @ b'a'..=b'h', r @ b'1'..=b'8'] => (Some(file_of(f)), Some(rank_of(r))),
            _ => return None,
        };
        // "exd5" names the file it comes from; "xd5" is no pawn move.
        if kind == PieceType::Pawn && capture && file.is_none() {
            return None;
        }
        Some(Pattern {
            kind,
            file,
            rank,
            capture,
            target,
            promotion,
        })
    }

    fn fits(&self, mv: Move) -> bool {
        !mv.is_castling()
            && mv.piece().piece_type() == self.kind
            && mv.target() == self.target
            && mv.is_capture() == self.capture
            && mv.promoted().map(|piece| piece.piece_type()) == self.promotion
            && self.file.is_none_or(|file| file == mv.source().file())
            && self.rank.is_none_or(|rank| rank == mv.source().rank())
    }
}

impl San<'_> {
    /// The other squares from which a piece of the same kind could legally make this move.
    fn rivals(&self) -> Bitboard {
        let (board, mv) = (self.board, self.mv);
        let (kind, target) = (mv.piece().piece_type(), mv.target());
        let attackers = match kind {
            PieceType::Knight => attacks::knight_attacks(target),
            PieceType::Bishop => attacks::runtime::bishop_attacks(target, board.occupied()),
            PieceType::Rook => attacks::runtime::rook_attacks(target, board.occupied()),
            PieceType::Queen => attacks::runtime::queen_attacks(target, board.occupied()),
            PieceType::Pawn | PieceType::King => Bitboard::EMPTY,
        };
        (attackers & board.pieces(mv.piece()))
            .without(mv.source())
            .into_iter()
            .filter(|&source| board.legal_move(source, target, None).is_some())
            .collect()
    }

    fn write_move(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mv = self.mv;
        let (source, target) = (mv.source(), mv.target());
        if mv.is_castling() {
            return f.write_str(if target > source { "O-O" } else { "O-O-O" });
        }
        let kind = mv.piece().piece_type();
        if kind == PieceType::Pawn {
            if mv.is_capture() {
                write!(f, "{}", source.file())?;
            }
        } else {
            write!(f, "{}", kind.to_char().to_ascii_uppercase())?;
            let rivals = self.rivals();
            if rivals.any() {
                let same_file = (rivals & source.file().bitboard()).any();
                let same_rank = (rivals & source.rank().bitboard()).any();
                if !same_file || same_rank {
                    write!(f, "{}", source.file())?;
                }
                if same_file {
                    write!(f, "{}", source.rank())?;
                }
            }
        }
        if mv.is_capture() {
            f.write_str("x")?;
        }
        write!(f, "{target}")?;
        match mv.promoted() {
            Some(piece) => write!(f, "={}", piece.piece_type().to_char().to_ascii_uppercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Display for San<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_move(f)?;
        let mut after = self.board.clone();
        after.make_move(self.mv);
        if !after.in_check() {
            Ok(())
        } else if after.status() == Status::Checkmate {
            f.write_str("#")
        } else {
            f.write_str("+")
        }
    }
}
