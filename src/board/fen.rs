//! Forsyth-Edwards Notation, in and out, without a heap.
//!
//! [`Board::from_fen`] is strict: six fields, one space between them, canonical castling
//! letters, numbers in range, and a position that passes validation. What people and GUIs send
//! by hand is read by [`Board::from_fen_lenient`], which forgives a listed set of habits and
//! nothing else. Both have a twin for Chess960, where the castling field may name rooks.

use super::castling::{side_of, Castling};
use super::validate::PositionError;
use super::Board;
use crate::types::{
    CastlingRights, CastlingSide, Color, File, Piece, PieceType, Rank, Square, Variant,
};
use core::fmt;
use core::str::FromStr;

/// A field of a FEN, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FenField {
    Placement,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Placement => "piece placement",
            FenField::SideToMove => "side to move",
            FenField::Castling => "castling rights",
            FenField::EnPassant => "en-passant square",
            FenField::HalfmoveClock => "halfmove clock",
            FenField::FullmoveNumber => "fullmove number",
        })
    }
}

/// Why a text is no FEN of a position that Kirin accepts. Offsets are bytes from its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseFenError {
    /// The text ends before this field.
    MissingField(FenField),
    /// There is more text after the six fields.
    TrailingText {
        /// Where it begins.
        offset: usize,
    },
    /// A byte that cannot stand where it does.
    UnexpectedByte {
        /// The field it stands in.
        field: FenField,
        /// Where it stands.
        offset: usize,
        /// The byte.
        byte: u8,
    },
    /// A rank of the placement with fewer or more than eight files.
    BadRankLength {
        /// The rank, 8 for the first in the text.
        rank: u8,
        /// Where that rank's text begins.
        offset: usize,
    },
    /// The placement has fewer or more than eight ranks.
    BadRankCount,
    /// A field that is none of its allowed values.
    BadField {
        /// The field.
        field: FenField,
        /// Where it begins.
        offset: usize,
    },
    /// The castling field of a Chess960 board is none of its allowed values.
    BadChess960Castling {
        /// Where it begins.
        offset: usize,
    },
    /// The text is well formed, but the position is not one that Kirin accepts.
    Position(PositionError),
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ParseFenError::MissingField(field) => write!(f, "{field} is missing"),
            ParseFenError::TrailingText { offset } => {
                write!(f, "text after the last field, at byte {offset}")
            }
            ParseFenError::UnexpectedByte { field, offset, byte } => {
                let shown = if byte.is_ascii_graphic() || byte == b' ' { byte as char } else { '?' };
                write!(f, "{field}: unexpected '{shown}' (byte {byte:#04x}) at byte {offset}")
            }
            ParseFenError::BadRankLength { rank, offset } => write!(
                f,
                "piece placement: rank {rank} does not have eight files (it begins at byte {offset})"
            ),
            ParseFenError::BadRankCount => {
                f.write_str("piece placement: there are not eight ranks")
            }
            ParseFenError::BadField { field, offset } => {
                let allowed = match field {
                    FenField::Placement => "a placement",
                    FenField::SideToMove => "'w' or 'b'",
                    FenField::Castling => "some of 'KQkq' in this order, or '-'",
                    FenField::EnPassant => "a square on rank 3 or 6, or '-'",
                    FenField::HalfmoveClock => "a whole number from 0 to 9999",
                    FenField::FullmoveNumber => "a whole number from 1 to 4294967295",
                };
                write!(f, "{field}: not {allowed} (at byte {offset})")
            }
            ParseFenError::BadChess960Castling { offset } => write!(
                f,
                "castling rights: not some of 'KQkq' or files of rooks, such as 'HAha', each right \
                 once and in this order, or '-' (at byte {offset})"
            ),
            ParseFenError::Position(error) => write!(f, "illegal position: {error}"),
        }
    }
}

impl core::error::Error for ParseFenError {}

impl From<PositionError> for ParseFenError {
    fn from(error: PositionError) -> ParseFenError {
        ParseFenError::Position(error)
    }
}

/// The longest halfmove clock that is read: far beyond any rule, and no danger to arithmetic.
const MAX_HALFMOVE_CLOCK: u32 = 9_999;

/// How much is forgiven.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Strict,
    Lenient,
}

/// The fields of a text, one by one.
struct Fields<'a> {
    text: &'a [u8],
    at: usize,
    manner: Manner,
}

impl<'a> Fields<'a> {
    /// The next field and where it begins; empty where the text has ended.
    fn next(&mut self) -> (&'a [u8], usize) {
        if self.manner == Manner::Lenient {
            while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
                self.at += 1;
            }
        }
        let begin = self.at;
        let ends = |byte: u8| {
            byte == b' ' || (self.manner == Manner::Lenient && byte.is_ascii_whitespace())
        };
        while self.text.get(self.at).is_some_and(|&byte| !ends(byte)) {
            self.at += 1;
        }
        let field = &self.text[begin..self.at];
        // One space belongs to the field before it, so that a missing field shows as empty.
        if self.at < self.text.len() {
            self.at += 1;
        }
        (field, begin)
    }
}

impl Board {
    /// Reads a FEN strictly: all six fields, single spaces, castling letters in the order
    /// `KQkq`, a halfmove clock up to 9999, a fullmove number from 1.
    ///
    /// The en-passant square must be possible, and is kept only if a legal capture on it
    /// exists; so what is written back may have `-` there.
    ///
    /// # Errors
    ///
    /// [`ParseFenError`] says what is wrong and where.
    pub fn from_fen(fen: &str) -> Result<Board, ParseFenError> {
        Board::read_fen(fen.as_bytes(), Manner::Strict, Variant::Standard)
    }

    /// [`Board::from_fen`] over bytes, which need not be UTF-8.
    ///
    /// # Errors
    ///
    /// [`ParseFenError`] says what is wrong and where.
    pub fn from_fen_bytes(fen: &[u8]) -> Result<Board, ParseFenError> {
        Board::read_fen(fen, Manner::Strict, Variant::Standard)
    }

    /// Reads a FEN as people and GUIs send it. Forgiven, compared with [`Board::from_fen`]:
    ///
    /// - white space of any kind and amount between, before and after the fields;
    /// - missing fields from the end on (`w`, `-`, `-`, 0 and 1 are taken), the placement apart;
    /// - the castling letters in any order, or as rook files (`HAha`) where those mean the same;
    /// - the fullmove number 0, taken for 1.
    ///
    /// # Errors
    ///
    /// [`ParseFenError`] says what is wrong and where.
    pub fn from_fen_lenient(fen: &[u8]) -> Result<Board, ParseFenError> {
        Board::read_fen(fen, Manner::Lenient, Variant::Standard)
    }

    /// Reads a FEN as [`Board::from_fen`] does, but to a board of Chess960: kings and rooks may
    /// have their right to castle from anywhere on their home rank. The castling field is that of
    /// X-FEN, of Shredder-FEN or a mixture: `K` and `Q` (small for black) are the outermost rook
    /// on the king's side and the other, and a letter from `A` to `H` is the rook on that file.
    /// White's rights come before black's, and the king's side before the queen's.
    ///
    /// What is written back by [`Display`](fmt::Display) is X-FEN, which is the standard FEN
    /// wherever that says enough; for Shredder-FEN see [`Board::shredder_fen`].
    ///
    /// ```
    /// use kirin::Board;
    /// let fen = "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 10 18";
    /// let board = Board::from_chess960_fen(fen)?;
    /// assert_eq!(board.to_string(), fen);
    /// # Ok::<(), kirin::ParseFenError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ParseFenError`] says what is wrong and where.
    pub fn from_chess960_fen(fen: &str) -> Result<Board, ParseFenError> {
        Board::read_fen(fen.as_bytes(), Manner::Strict, Variant::Chess960)
    }

    /// Reads a FEN to a board of Chess960, and forgives what [`Board::from_fen_lenient`] does.
    ///
    /// # Errors
    ///
    /// [`ParseFenError`] says what is wrong and where.
    pub fn from_chess960_fen_lenient(fen: &[u8]) -> Result<Board, ParseFenError> {
        Board::read_fen(fen, Manner::Lenient, Variant::Chess960)
    }

    fn read_fen(text: &[u8], manner: Manner, variant: Variant) -> Result<Board, ParseFenError> {
        let mut board = Board::empty();
        board.castling = Castling::none(variant);
        let mut fields = Fields {
            text,
            at: 0,
            manner,
        };

        let (placement, begin) = fields.next();
        if placement.is_empty() {
            return Err(ParseFenError::MissingField(FenField::Placement));
        }
        board.read_placement(placement, begin)?;

        // `None`: the field is missing and may be.
        let mut optional = |field: FenField| {
            let (text, offset) = fields.next();
            match (text.is_empty(), manner) {
                (false, _) => Ok(Some((text, offset))),
                (true, Manner::Lenient) => Ok(None),
                (true, Manner::Strict) => Err(ParseFenError::MissingField(field)),
            }
        };
        if let Some((text, offset)) = optional(FenField::SideToMove)? {
            board.side = match text {
                b"w" => Color::White,
                b"b" => Color::Black,
                _ => return Err(bad(FenField::SideToMove, offset)),
            };
        }
        if let Some((text, offset)) = optional(FenField::Castling)? {
            match variant {
                Variant::Standard => {
                    let rights =
                        read_castling(text, manner).ok_or(bad(FenField::Castling, offset))?;
                    board.castling = Castling::standard(rights);
                }
                Variant::Chess960 => board
                    .read_chess960_castling(text, manner)
                    .ok_or(ParseFenError::BadChess960Castling { offset })?,
            }
        }
        let mut en_passant = None;
        if let Some((text, offset)) = optional(FenField::EnPassant)? {
            en_passant = read_en_passant(text).ok_or(bad(FenField::EnPassant, offset))?;
        }
        if let Some((text, offset)) = optional(FenField::HalfmoveClock)? {
            board.halfmove_clock = read_number(text)
                .filter(|&clock| clock <= MAX_HALFMOVE_CLOCK)
                .ok_or(bad(FenField::HalfmoveClock, offset))?
                as u16;
        }
        if let Some((text, offset)) = optional(FenField::FullmoveNumber)? {
            let number = read_number(text).ok_or(bad(FenField::FullmoveNumber, offset))?;
            if number == 0 && manner == Manner::Strict {
                return Err(bad(FenField::FullmoveNumber, offset));
            }
            board.set_fullmove_number(number);
        }
        // A field that is empty between two spaces is no end.
        let ended = fields.at == text.len() && !text.ends_with(b" ");
        let (rest, offset) = fields.next();
        if !rest.is_empty() || (manner == Manner::Strict && !ended) {
            return Err(ParseFenError::TrailingText { offset });
        }
        board.validate(en_passant)?;
        Ok(board)
    }

    /// The pieces must have been placed: they say which rooks are meant. Rights without their
    /// pieces are found by validation.
    fn read_chess960_castling(&mut self, text: &[u8], manner: Manner) -> Option<()> {
        if text == b"-" {
            return Some(());
        }
        for &letter in text {
            let color = if letter.is_ascii_uppercase() {
                Color::White
            } else {
                Color::Black
            };
            let home = Rank::First.relative_to(color);
            let king = self.of(color, PieceType::King).first();
            let (side, rook) = match letter.to_ascii_uppercase() {
                b'K' => (CastlingSide::King, None),
                b'Q' => (CastlingSide::Queen, None),
                file @ b'A'..=b'H' => {
                    let rook = Square::new(File::ALL[usize::from(file - b'A')], home);
                    // With the king on this very file no side is right.
                    let side = king.and_then(|king| side_of(king, rook));
                    (side.unwrap_or(CastlingSide::King), Some(rook))
                }
                _ => return None,
            };
            // That the king is missing is the error then, whatever its rights.
            if king.is_none() {
                continue;
            }
            let rights = self.castling.rights();
            let right = CastlingRights::of(color, side);
            let out_of_order = manner == Manner::Strict && right.bits() < rights.bits();
            if rights.has(color, side) || out_of_order {
                return None;
            }
            self.castling.set_rights(rights.union(right));
            let rook = rook.or_else(|| self.outermost_rook(color, side));
            if let (Some(king), Some(rook)) = (king, rook) {
                self.castling
                    .set_files(color, side, king.file(), rook.file());
            }
        }
        Some(())
    }

    /// This board, to be written as Shredder-FEN: the castling field names the rooks' files,
    /// such as `HAha`, whatever the board's kind.
    #[must_use]
    pub const fn shredder_fen(&self) -> ShredderFen<'_> {
        ShredderFen(self)
    }

    fn read_placement(&mut self, text: &[u8], begin: usize) -> Result<(), ParseFenError> {
        let mut offset = begin;
        let mut ranks = 0;
        for rank_text in text.split(|&byte| byte == b'/') {
            if ranks == 8 {
                return Err(ParseFenError::BadRankCount);
            }
            let rank = Rank::ALL[7 - ranks];
            let bad_length = ParseFenError::BadRankLength {
                rank: rank as u8 + 1,
                offset,
            };
            let mut files = 0;
            let mut after_digit = false;
            for (i, &byte) in rank_text.iter().enumerate() {
                let unexpected = ParseFenError::UnexpectedByte {
                    field: FenField::Placement,
                    offset: offset + i,
                    byte,
                };
                match byte {
                    // Two digits in a row are one number badly written.
                    b'1'..=b'8' if after_digit => return Err(unexpected),
                    b'1'..=b'8' => files += usize::from(byte - b'0'),
                    _ => {
                        let piece = Piece::from_char(byte as char).ok_or(unexpected)?;
                        let file = *File::ALL.get(files).ok_or(bad_length)?;
                        self.set_piece(piece, Square::new(file, rank));
                        files += 1;
                    }
                }
                after_digit = byte.is_ascii_digit();
            }
            if files != 8 {
                return Err(bad_length);
            }
            ranks += 1;
            offset += rank_text.len() + 1;
        }
        if ranks == 8 {
            Ok(())
        } else {
            Err(ParseFenError::BadRankCount)
        }
    }
}

fn bad(field: FenField, offset: usize) -> ParseFenError {
    ParseFenError::BadField { field, offset }
}

fn read_castling(text: &[u8], manner: Manner) -> Option<CastlingRights> {
    if text == b"-" {
        return Some(CastlingRights::NONE);
    }
    let mut rights = CastlingRights::NONE;
    for &letter in text {
        let side = match (letter.to_ascii_lowercase(), manner) {
            (b'k', _) | (b'h', Manner::Lenient) => CastlingSide::King,
            (b'q', _) | (b'a', Manner::Lenient) => CastlingSide::Queen,
            _ => return None,
        };
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let right = CastlingRights::of(color, side);
        // Twice the same is refused, and in a strict reading anything out of order.
        let out_of_order = manner == Manner::Strict && right.bits() < rights.bits();
        if rights.has(color, side) || out_of_order {
            return None;
        }
        rights = rights.union(right);
    }
    Some(rights)
}

fn read_en_passant(text: &[u8]) -> Option<Option<Square>> {
    if text == b"-" {
        return Some(None);
    }
    let square = core::str::from_utf8(text).ok()?.parse::<Square>().ok()?;
    matches!(square.rank(), Rank::Third | Rank::Sixth).then_some(Some(square))
}

/// Digits only: no sign, no blank.
fn read_number(text: &[u8]) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0u32, |number, &byte| {
        let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

impl FromStr for Board {
    type Err = ParseFenError;

    /// [`Board::from_fen`].
    fn from_str(fen: &str) -> Result<Board, ParseFenError> {
        Board::from_fen(fen)
    }
}

/// A board to be written as Shredder-FEN: see [`Board::shredder_fen`].
#[derive(Clone, Copy)]
pub struct ShredderFen<'a>(&'a Board);

impl fmt::Display for ShredderFen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_fen(f, true)
    }
}

/// Writes the FEN: all six fields. That of a Chess960 board is X-FEN.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, false)
    }
}

impl Board {
    fn write_fen(&self, f: &mut fmt::Formatter<'_>, rook_files: bool) -> fmt::Result {
        for rank in 0..8 {
            let mut empty = 0;
            for file in 0..8 {
                match self.mailbox[rank * 8 + file] {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        empty = 0;
                        write!(f, "{piece}")?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if rank < 7 { "/" } else { " " })?;
        }
        write!(f, "{} ", self.side)?;
        self.write_castling(f, rook_files)?;
        f.write_str(" ")?;
        match self.en_passant {
            Some(square) => write!(f, "{square}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {} {}", self.halfmove_clock, self.fullmove_number)
    }
}
