//! FEN in and out: which texts and positions are accepted, by which reading, and how errors name
//! what is wrong and where.

mod common;

use std::collections::BTreeMap;

use common::Rng;
use kirin::{
    Board, CastlingRights, CastlingSide, Color, FenField, ParseFenError, PieceType, PositionError,
    Square,
};

/// How Kirin reads a FEN on which readers differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    /// Both readings accept it.
    Accepted,
    /// [`Board::from_fen_lenient`] accepts it, [`Board::from_fen`] does not.
    Lenient,
    /// Both refuse it; the lenient reading says why.
    Refused(ParseFenError),
}
use Reading::{Accepted, Lenient, Refused};

const fn position(error: PositionError) -> Reading {
    Refused(ParseFenError::Position(error))
}

const fn bad_field(field: FenField, offset: usize) -> ParseFenError {
    ParseFenError::BadField { field, offset }
}

const WHITE_KING_SIDE: PositionError = PositionError::BadCastling(Color::White, CastlingSide::King);
const BLACK_QUEEN_SIDE: PositionError =
    PositionError::BadCastling(Color::Black, CastlingSide::Queen);

/// The rows of `accept_reject.tsv` that are neither accepted by everyone nor refused by
/// everyone, or that Kirin reads differently, and what it does with them.
#[rustfmt::skip]
const OUR_READINGS: [(&str, Reading); 42] = [
    // Blanks and counters: strict readers want six fields and single spaces.
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 ", Lenient),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0", Lenient),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ", Lenient),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w  KQkq  -  0  1 ", Lenient),
    ("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Lenient),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kqKQ - 0 1", Lenient),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 400 500", Accepted),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 10 5", Accepted),
    // A missing field is the last one's, however many blanks there are.
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w  - 0 1",
        Refused(bad_field(FenField::EnPassant, 49))),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQAb - 0 1",
        Refused(bad_field(FenField::Castling, 46))),
    // Castling rights without their pieces are refused, never dropped; those of Chess960 have a
    // reading of their own.
    ("1r2k3/8/8/8/8/8/8/R3KR2 w KQkq - 0 1", position(WHITE_KING_SIDE)),
    ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", position(WHITE_KING_SIDE)),
    ("4k2r/8/8/8/8/8/8/R1K5 w KQkq - 0 1", position(WHITE_KING_SIDE)),
    ("1r2k3/8/1p6/8/8/5P2/8/1R2KR2 w KQkq - 0 1", position(WHITE_KING_SIDE)),
    ("1r1k1r2/5p2/8/8/8/8/3N4/R5KR b KQkq - 0 1", position(WHITE_KING_SIDE)),
    ("2b5/1nbn4/n3n3/1kn5/n3n3/1n1n4/5RQ1/2KQ1R2 w K - 0 1", position(WHITE_KING_SIDE)),
    ("nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", position(BLACK_QUEEN_SIDE)),
    ("krr5/8/8/8/8/8/8/4K3 w kq - 0 1",
        position(PositionError::BadCastling(Color::Black, CastlingSide::King))),
    // So are en-passant squares that no double push can have left.
    ("1b1b4/8/b1P5/2kP4/8/2b4K/8/8 w - c6 0 1", position(PositionError::BadEnPassant(Square::C6))),
    ("5K2/8/2pp2Pp/2PP4/P5Pp/2pP1Ppp/P6p/7k b - g3 0 1",
        position(PositionError::BadEnPassant(Square::G3))),
    ("8/7k/8/7p/8/8/8/K7 w - h6 0 1", position(PositionError::BadEnPassant(Square::H6))),
    ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", position(PositionError::BadEnPassant(Square::E3))),
    ("rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b Qq a3 0 1",
        position(PositionError::BadEnPassant(Square::A3))),
    // And checks that no move can have given: three, two along one line, or one that was there
    // before the double push.
    ("4k3/5P2/3N4/8/8/8/4R3/4K3 b - - 0 1", position(PositionError::ImpossibleCheck)),
    ("3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1", position(PositionError::ImpossibleCheck)),
    ("2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1", position(PositionError::ImpossibleCheck)),
    ("5R2/2P5/8/4k3/8/3rK2r/8/8 w - - 0 1", position(PositionError::ImpossibleCheck)),
    ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", position(PositionError::ImpossibleCheck)),
    ("rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1",
        position(PositionError::ImpossibleCheck)),
    // Other double checks that cannot arise do no harm.
    ("8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", Accepted),
    ("1rrrrrk1/1PPPPPPP/8/8/8/8/8/6K1 b - - 0 1", Accepted),
    ("1q4k1/3r1Ppp/5NP1/pP6/8/1Q6/3B4/2K2R2 b - - 0 1", Accepted),
    // Material: sixteen pieces a side, and no more promoted ones than missing pawns.
    ("rnbqkbnr/nnnnnnnn/8/8/8/8/NNNNNNNN/RNBQKBNR w KQkq - 0 1", Accepted),
    ("rnbqkbnr/bbbbbbbb/8/8/8/8/BBBBBBBB/RNBQKBNR w KQkq - 0 1", Accepted),
    ("rnbqkbnr/rrrrrrrr/8/8/8/8/RRRRRRRR/RNBQKBNR w KQkq - 0 1", Accepted),
    ("rnbqkbnr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RNBQKBNR w KQkq - 0 1", Accepted),
    ("kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
        position(PositionError::TooManyPieces(Color::White))),
    ("rnbqkbnr/ppppNNpp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        position(PositionError::TooManyPieces(Color::White))),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPnPP/RNBQKBNR w KQkq - 0 1",
        position(PositionError::TooManyPieces(Color::Black))),
    ("nnnnknnn/nnnnnnnn/8/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1",
        position(PositionError::TooManyPromoted(Color::White))),
    ("rnbnkbnn/bbbbnnnn/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        position(PositionError::TooManyPromoted(Color::Black))),
    ("qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        position(PositionError::TooManyPromoted(Color::White))),
];

fn reading(fen: &str) -> Reading {
    let strict = Board::from_fen(fen);
    match (strict, Board::from_fen_lenient(fen.as_bytes())) {
        (Ok(strict), lenient) => {
            assert_eq!(lenient, Ok(strict), "{fen}");
            Accepted
        }
        (Err(_), Ok(_)) => Lenient,
        (Err(_), Err(error)) => Refused(error),
    }
}

#[test]
fn verdicts_of_other_readers() {
    let ours: BTreeMap<&str, Reading> = OUR_READINGS.into_iter().collect();
    assert_eq!(ours.len(), OUR_READINGS.len());
    let mut met = 0;
    for [fen, verdict, reason] in common::rows(include_str!("data/fen/accept_reject.tsv")) {
        let found = reading(fen);
        if let Some(&expected) = ours.get(fen) {
            assert_eq!(found, expected, "{fen:?} ({reason})");
            met += 1;
            continue;
        }
        match verdict {
            "accept" => assert_eq!(found, Accepted, "{fen:?} ({reason})"),
            "reject" => assert!(matches!(found, Refused(_)), "{fen:?} ({reason})"),
            _ => panic!("no reading of ours for {fen:?}: {found:?}"),
        }
    }
    assert_eq!(met, OUR_READINGS.len());
}

/// The rights that Shredder's letters name, if they are the standard ones: king on the e-file,
/// rooks in the corners.
fn standard_rights(placement: &str, letters: &str) -> Option<CastlingRights> {
    let squares = common::slow::squares(placement);
    let mut rights = CastlingRights::NONE;
    for letter in letters.chars().filter(|&letter| letter != '-') {
        let (color, king) = match letter.is_ascii_uppercase() {
            true => (Color::White, squares[Square::E1.index()] == b'K'),
            false => (Color::Black, squares[Square::E8.index()] == b'k'),
        };
        let side = match letter.to_ascii_lowercase() {
            'h' => CastlingSide::King,
            'a' => CastlingSide::Queen,
            _ => return None,
        };
        if !king {
            return None;
        }
        rights = rights.union(CastlingRights::of(color, side));
    }
    Some(rights)
}

#[test]
fn valid_positions_are_accepted() {
    let (mut accepted, mut with_rights, mut skipped) = (0, 0, 0);
    for fen in include_str!("data/fen/valid.sfens").lines() {
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let lenient = Board::from_fen_lenient(fen.as_bytes());
        let Some(rights) = standard_rights(fields[0], fields[2]) else {
            // Chess960: the rights are refused, and without them it is a position as any other.
            match lenient {
                Err(
                    ParseFenError::BadField {
                        field: FenField::Castling,
                        ..
                    }
                    | ParseFenError::Position(PositionError::BadCastling(..)),
                ) => skipped += 1,
                other => panic!("{fen}: {other:?}"),
            }
            fields[2] = "-";
            common::board(&fields.join(" "));
            continue;
        };
        let board = lenient.unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(board.castling(), rights, "{fen}");
        let letters = rights.to_string();
        fields[2] = &letters;
        assert_eq!(common::board(&fields.join(" ")), board);
        assert_eq!(common::board(&board.to_string()), board);
        accepted += 1;
        with_rights += usize::from(!rights.is_empty());
    }
    assert_eq!((accepted, with_rights, skipped), (772, 53, 773));
}

/// The error that stands for each reason of the table, of either side.
fn is_reason(error: PositionError, reason: &str) -> bool {
    use PositionError::*;
    match reason {
        // Two kings of one side and none of the other is both.
        "no_white_king" | "no_black_king" => matches!(error, NoKing(_) | TooManyKings(_)),
        "too_many_kings" => matches!(error, TooManyKings(_)),
        "too_many_white_pawns" => error == TooManyPawns(Color::White),
        "too_many_black_pawns" => error == TooManyPawns(Color::Black),
        "too_many_white_pieces" => error == TooManyPieces(Color::White),
        "too_many_black_pieces" => error == TooManyPieces(Color::Black),
        "pawns_on_backrank" => matches!(error, PawnOnBackRank(_)),
        "opposite_check" => error == OppositeCheck,
        "too_many_checkers" | "impossible_check" => error == ImpossibleCheck,
        "invalid_ep_square" => matches!(error, BadEnPassant(_)),
        _ => panic!("unknown reason {reason}"),
    }
}

/// More promoted pieces than missing pawns: a reason of ours that the table does not know.
fn has_too_many_promoted(placement: &str, color: Color) -> bool {
    let squares = common::slow::squares(placement);
    let count = |kind: PieceType, dark: Option<bool>| {
        let letter = kind.of(color).to_char();
        (0..64)
            .filter(|&square| char::from(squares[square]) == letter)
            .filter(|square| dark.is_none_or(|dark| (square / 8 + square % 8) % 2 == dark.into()))
            .count()
    };
    let promoted = count(PieceType::Queen, None).saturating_sub(1)
        + count(PieceType::Rook, None).saturating_sub(2)
        + count(PieceType::Bishop, Some(false)).saturating_sub(1)
        + count(PieceType::Bishop, Some(true)).saturating_sub(1)
        + count(PieceType::Knight, None).saturating_sub(2);
    count(PieceType::Pawn, None) + promoted > 8
}

#[test]
fn invalid_positions_are_refused_with_the_reason() {
    let mut seen = BTreeMap::new();
    for [fen, reasons] in common::rows(include_str!("data/fen/invalid.tsv")) {
        assert!(Board::from_fen_lenient(fen.as_bytes()).is_err(), "{fen}");
        // Rights of Chess960 would be refused first.
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[2] = "-";
        let error = match Board::from_fen(&fields.join(" ")) {
            Err(ParseFenError::Position(error)) => error,
            other => panic!("{fen} ({reasons}): {other:?}"),
        };
        let fits = match error {
            PositionError::TooManyPromoted(color) => has_too_many_promoted(fields[0], color),
            _ => reasons.split(',').any(|reason| is_reason(error, reason)),
        };
        assert!(fits, "{fen} ({reasons}): {error}");
        let name = format!("{error:?}");
        let name = name.split('(').next().unwrap_or(&name).to_string();
        *seen.entry(name).or_insert(0) += 1;
    }
    let seen: Vec<(&str, u32)> = seen.iter().map(|(name, &count)| (&**name, count)).collect();
    let expected = [
        ("BadEnPassant", 30),
        ("ImpossibleCheck", 19),
        ("NoKing", 233),
        ("OppositeCheck", 99),
        ("PawnOnBackRank", 109),
        ("TooManyKings", 675),
        ("TooManyPawns", 249),
        ("TooManyPieces", 220),
        ("TooManyPromoted", 45),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn en_passant_stays_only_while_it_is_legal() {
    for [input, expected] in common::rows(include_str!("data/fen/ep_normalization.tsv")) {
        let (fen, moves) = input.split_once(" moves ").unwrap_or((input, ""));
        let board = common::play(fen, moves);
        assert_eq!(board.to_string(), expected, "{input}");
        assert_eq!(
            board.en_passant().is_some(),
            expected.split(' ').nth(3) != Some("-")
        );
        assert_eq!(common::board(expected), board, "{input}");
    }
}

/// The field and the offset are named, in the value and in the text.
#[test]
fn malformed_texts_are_refused_with_field_and_offset() {
    use FenField::*;
    use ParseFenError::*;
    let cases: [(&str, ParseFenError, &str); 31] = [
        ("", MissingField(Placement), "piece placement is missing"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            MissingField(SideToMove),
            "side to move is missing",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
            MissingField(EnPassant),
            "en-passant square is missing",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
            MissingField(FullmoveNumber),
            "fullmove number is missing",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e4",
            TrailingText { offset: 57 },
            "text after the last field, at byte 57",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1  e4",
            TrailingText { offset: 57 },
            "text after the last field, at byte 57",
        ),
        (
            "rnbqkbnr/ppppippp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            UnexpectedByte {
                field: Placement,
                offset: 13,
                byte: b'i',
            },
            "piece placement: unexpected 'i' (byte 0x69) at byte 13",
        ),
        (
            "rnbqk0nr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            UnexpectedByte {
                field: Placement,
                offset: 5,
                byte: b'0',
            },
            "piece placement: unexpected '0' (byte 0x30) at byte 5",
        ),
        (
            "9/8/8/8/8/8/8/8 w - - 0 1",
            UnexpectedByte {
                field: Placement,
                offset: 0,
                byte: b'9',
            },
            "piece placement: unexpected '9' (byte 0x39) at byte 0",
        ),
        // Two digits are one number written badly.
        (
            "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            UnexpectedByte {
                field: Placement,
                offset: 19,
                byte: b'4',
            },
            "piece placement: unexpected '4' (byte 0x34) at byte 19",
        ),
        // A short rank, a long rank, ranks too few and too many.
        (
            "rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            BadRankLength {
                rank: 6,
                offset: 18,
            },
            "piece placement: rank 6 does not have eight files (it begins at byte 18)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP1/RNBQKBNR w KQkq - 0 1",
            BadRankLength {
                rank: 2,
                offset: 26,
            },
            "piece placement: rank 2 does not have eight files (it begins at byte 26)",
        ),
        (
            "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            BadRankLength { rank: 7, offset: 9 },
            "piece placement: rank 7 does not have eight files (it begins at byte 9)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8//8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            BadRankLength {
                rank: 4,
                offset: 22,
            },
            "piece placement: rank 4 does not have eight files (it begins at byte 22)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
            BadRankCount,
            "piece placement: there are not eight ranks",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            BadRankCount,
            "piece placement: there are not eight ranks",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1",
            BadRankCount,
            "piece placement: there are not eight ranks",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
            bad_field(SideToMove, 44),
            "side to move: not 'w' or 'b' (at byte 44)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1",
            bad_field(SideToMove, 44),
            "side to move: not 'w' or 'b' (at byte 44)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxkq - 0 1",
            bad_field(Castling, 46),
            "castling rights: not some of 'KQkq' in this order, or '-' (at byte 46)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KK - 0 1",
            bad_field(Castling, 46),
            "castling rights: not some of 'KQkq' in this order, or '-' (at byte 46)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq- - 0 1",
            bad_field(Castling, 46),
            "castling rights: not some of 'KQkq' in this order, or '-' (at byte 46)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq i3 0 1",
            bad_field(EnPassant, 51),
            "en-passant square: not a square on rank 3 or 6, or '-' (at byte 51)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1",
            bad_field(EnPassant, 53),
            "en-passant square: not a square on rank 3 or 6, or '-' (at byte 53)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 -5",
            bad_field(HalfmoveClock, 53),
            "halfmove clock: not a whole number from 0 to 9999 (at byte 53)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - +1 1",
            bad_field(HalfmoveClock, 53),
            "halfmove clock: not a whole number from 0 to 9999 (at byte 53)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 10000 1",
            bad_field(HalfmoveClock, 53),
            "halfmove clock: not a whole number from 0 to 9999 (at byte 53)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4294967296 1",
            bad_field(HalfmoveClock, 53),
            "halfmove clock: not a whole number from 0 to 9999 (at byte 53)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 4294967296",
            bad_field(FullmoveNumber, 55),
            "fullmove number: not a whole number from 1 to 4294967295 (at byte 55)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 99999999999999999999999",
            bad_field(FullmoveNumber, 55),
            "fullmove number: not a whole number from 1 to 4294967295 (at byte 55)",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
            bad_field(FullmoveNumber, 55),
            "fullmove number: not a whole number from 1 to 4294967295 (at byte 55)",
        ),
    ];
    for (fen, error, text) in cases {
        assert_eq!(Board::from_fen(fen), Err(error), "{fen:?}");
        assert_eq!(fen.parse::<Board>(), Err(error), "{fen:?}");
        assert_eq!(error.to_string(), text);
    }
}

/// Positions that people have sent to engines, and that made some of them crash.
#[test]
fn impossible_positions_are_refused_with_the_reason() {
    use Color::{Black, White};
    use PositionError::*;
    let cases: [(&str, &str, PositionError, &str); 21] = [
        (
            "a lone king",
            "4k3/8/8/8/8/8/8/8 w - - 0 1",
            NoKing(White),
            "white has no king",
        ),
        (
            "no king, but its castling rights",
            "r1bqkb1r/ppp2ppp/2np4/3P2N1/2BQ4/7P/PPP3P1/RNB4q w KQkq - 0 12",
            NoKing(White),
            "white has no king",
        ),
        (
            "the queen can take the king",
            "8/pp5p/kqp5/2P1Br2/5Pb1/P1NQ4/1P4PP/2K2BbR w - - 0 1",
            OppositeCheck,
            "the side that is not to move is in check",
        ),
        (
            "the knight can take the king",
            "8/7R/k2R1P2/p3p3/P3N3/8/1P3K2/8 w - - 16 71",
            OppositeCheck,
            "the side that is not to move is in check",
        ),
        (
            "kings side by side",
            "8/8/8/8/8/3kK3/8/8 w - - 0 1",
            OppositeCheck,
            "the side that is not to move is in check",
        ),
        (
            "four rights and no rook",
            "2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq - 0 1",
            WHITE_KING_SIDE,
            "castling right without white's king and king-side rook at home",
        ),
        (
            "a king that has moved",
            "r2k3r/p1ppqpb1/bn2pQp1/3PN3/1p2P3/2N4p/PPPBBPPP/R3K1R1 b Qkq - 0 1",
            BadCastling(Black, CastlingSide::King),
            "castling right without black's king and king-side rook at home",
        ),
        (
            "en passant for the wrong side",
            "rnbqkbnr/ppp2ppp/3p4/8/3pP3/5N2/PPP2PPP/RNBQKB1R w KQkq d3 1 3",
            BadEnPassant(Square::D3),
            "en-passant square d3 is not behind a pawn that has just moved two squares",
        ),
        (
            "a check from before the double push",
            "rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6 0 1",
            ImpossibleCheck,
            "a check that no move could have given",
        ),
        (
            "a full board",
            "knNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/nNnNnNnN/NnNnNnNn/KNnNnNnN w - - 0 1",
            TooManyPieces(White),
            "white has more than sixteen pieces",
        ),
        (
            "ten pawns",
            "rnbqkbnr/pppppppp/8/8/8/3PP3/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            TooManyPawns(White),
            "white has more than eight pawns",
        ),
        (
            "no rook on a8",
            "1nbqkbnr/1ppppppp/8/8/2PP4/B4N2/P3PPPP/RN1QKB1R b KQkq - 0 1",
            BLACK_QUEEN_SIDE,
            "castling right without black's king and queen-side rook at home",
        ),
        (
            "no black king",
            "8/8/8/8/8/8/8/K7 b - - 0 1",
            NoKing(Black),
            "black has no king",
        ),
        (
            "two kings",
            "kk6/8/8/8/8/8/8/7K w - - 0 1",
            TooManyKings(Black),
            "black has more than one king",
        ),
        (
            "a pawn on the last rank",
            "3P4/1k2K3/8/8/8/8/8/8 w - - 0 1",
            PawnOnBackRank(Square::D8),
            "a pawn on d8, on the first or last rank",
        ),
        (
            "a pawn on its first rank",
            "8/1k6/8/8/8/5K2/8/3P4 w - - 0 1",
            PawnOnBackRank(Square::D1),
            "a pawn on d1, on the first or last rank",
        ),
        (
            "three rooks and eight pawns",
            "7k/8/8/8/8/8/PPPPPPPP/KRRR4 w - - 0 1",
            TooManyPromoted(White),
            "white has more promoted pieces than missing pawns",
        ),
        (
            "two bishops of one colour and eight pawns",
            "7k/8/8/8/8/8/PPPPPPPP/K1B1B3 w - - 0 1",
            TooManyPromoted(White),
            "white has more promoted pieces than missing pawns",
        ),
        (
            "three knights and eight pawns",
            "k1nnn3/pppppppp/8/8/8/8/8/7K w - - 0 1",
            TooManyPromoted(Black),
            "black has more promoted pieces than missing pawns",
        ),
        (
            "four checkers",
            "4k3/5P2/3N4/8/8/8/4R3/4K3 b - - 0 1",
            ImpossibleCheck,
            "a check that no move could have given",
        ),
        (
            "en passant without a pawn",
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            BadEnPassant(Square::E6),
            "en-passant square e6 is not behind a pawn that has just moved two squares",
        ),
    ];
    for (case, fen, error, text) in cases {
        let found = Board::from_fen(fen);
        assert_eq!(found, Err(ParseFenError::Position(error)), "{case}: {fen}");
        assert_eq!(error.to_string(), text);
        let whole = ParseFenError::from(error).to_string();
        assert_eq!(whole, format!("illegal position: {text}"));
    }
}

#[test]
fn lenient_reading_forgives_what_it_lists() {
    let start = Board::startpos();
    let forgiven: [&[u8]; 9] = [
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\r\n",
        b"\t rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw  KQkq -  0\t1 ",
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 1",
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQha - 0 1",
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
    ];
    for fen in forgiven {
        let shown = String::from_utf8_lossy(fen);
        assert_eq!(Board::from_fen_lenient(fen), Ok(start.clone()), "{shown}");
    }
    // Without the castling field no right is taken, and without the side white is to move.
    let bare = Board::from_fen_lenient(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    let bare = bare.map(|board| board.to_string());
    let expected = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    assert_eq!(bare.as_deref(), Ok(expected));
    let terse = Board::from_fen_lenient(b"8/8/8/8/8/8/k7/2K4Q w");
    let terse = terse.map(|board| board.to_string());
    assert_eq!(terse.as_deref(), Ok("8/8/8/8/8/8/k7/2K4Q w - - 0 1"));

    let refused: [(&[u8], ParseFenError); 6] = [
        (b"", ParseFenError::MissingField(FenField::Placement)),
        (b" \t\r\n", ParseFenError::MissingField(FenField::Placement)),
        (
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KH - 0 1",
            bad_field(FenField::Castling, 46),
        ),
        (
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w GBgb - 0 1",
            bad_field(FenField::Castling, 46),
        ),
        (
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves",
            ParseFenError::TrailingText { offset: 57 },
        ),
        (
            b"rnk2bnr/p3p2p/5p2/1BQP2pP/3PP3/5PB1/PP5P/RN2K1NR w",
            ParseFenError::Position(PositionError::OppositeCheck),
        ),
    ];
    for (fen, error) in refused {
        assert_eq!(Board::from_fen_lenient(fen), Err(error), "{fen:?}");
    }
}

#[test]
fn bytes_need_not_be_utf_8() {
    let start = Board::STARTPOS_FEN.as_bytes();
    assert_eq!(Board::from_fen_bytes(start), Ok(Board::startpos()));
    assert_eq!(
        Board::from_fen_bytes(b"8/8/8/8/8/8/8/K1k5 w - - 0 1\xff"),
        Err(bad_field(FenField::FullmoveNumber, 27))
    );
    let error = ParseFenError::UnexpectedByte {
        field: FenField::Placement,
        offset: 2,
        byte: 0xfe,
    };
    assert_eq!(
        Board::from_fen_bytes(b"8/\xfe/8/8/8/8/8/K1k5 w - - 0 1"),
        Err(error)
    );
    assert_eq!(
        error.to_string(),
        "piece placement: unexpected '?' (byte 0xfe) at byte 2"
    );
    for (field, offset, fen) in [
        (FenField::SideToMove, 21, b"8/8/8/8/8/8/8/K1k5   - - 0 1"),
        (FenField::Castling, 23, b"8/8/8/8/8/8/8/K1k5 w   - 0 1"),
        (FenField::EnPassant, 25, b"8/8/8/8/8/8/8/K1k5 w -   0 1"),
    ] {
        // The three blanks become a blank, the end of a multi-byte letter, and a blank.
        let mut fen = fen.to_vec();
        let at = fen
            .windows(3)
            .position(|three| three == b"   ")
            .expect("blanks")
            + 1;
        fen[at] = 0xbf;
        let error = Board::from_fen_bytes(&fen);
        assert_eq!(error, Err(bad_field(field, at)), "{offset}");
    }
}

#[test]
fn counters_keep_their_bounds() {
    let mut board = common::board("4k3/8/8/8/8/8/8/R3K3 w Q - 9999 4294967295");
    assert_eq!(board.halfmove_clock(), 9_999);
    assert_eq!(board.fullmove_number(), u32::MAX);
    for uci in ["a1a2", "e8d8", "a2a3", "d8c8"] {
        let mv = common::uci(&board, uci);
        board.make_move(mv);
    }
    assert_eq!(board.halfmove_clock(), 10_003);
    assert_eq!(board.fullmove_number(), u32::MAX);
    board.set_halfmove_clock(u16::MAX);
    let mv = common::uci(&board, "a3a4");
    board.make_move(mv);
    assert_eq!(board.halfmove_clock(), u16::MAX);
    board.make_null_move();
    assert_eq!(board.halfmove_clock(), u16::MAX);
    board.set_fullmove_number(0);
    assert_eq!(board.fullmove_number(), 1);
    board.set_fullmove_number(7);
    board.set_halfmove_clock(42);
    assert!(board.to_string().ends_with(" 42 7"), "{board}");
}

/// All six fields are written, and castling advances both counters.
#[test]
fn what_is_written_after_a_game() {
    let moves = "e2e3 e7e5 g1f3 g8f6 b1c3 b8c6 d2d3 f8e7 f1e2 e8g8";
    let board = common::play(Board::STARTPOS_FEN, moves);
    let expected = "r1bq1rk1/ppppbppp/2n2n2/4p3/8/2NPPN2/PPP1BPPP/R1BQK2R w KQ - 3 6";
    assert_eq!(board.to_string(), expected);
    assert_eq!(common::board(expected), board);
    let drawn = format!("{board:?}");
    assert!(drawn.contains(expected), "{drawn}");
    assert!(drawn.contains("8  r . b q . r k .\n"), "{drawn}");
}

/// The most moves there are, for white and for black.
#[test]
fn longest_move_lists_fit() {
    for fen in [
        "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "1k1bbnnK/1q4rP/3q4/q4q2/2q4r/4q3/1q4q1/3q4 b - - 0 1",
    ] {
        let board = common::board(fen);
        assert_eq!(board.legal_moves().len(), kirin::MAX_MOVES, "{fen}");
        assert_eq!(kirin::MAX_MOVES, 218);
        assert_eq!(board.count_legal_moves(), 218);
    }
}

/// Whatever is changed in a FEN, reading it ends in an error or in a sound position.
#[test]
fn damaged_texts_do_no_harm() {
    let mut rng = Rng::new(2_718);
    let fens: Vec<&str> = common::PERFT_SUITES
        .iter()
        .flat_map(|(_, suite)| common::perft_lines(suite))
        .map(|line| line.fen)
        .collect();
    let letters = b"PNBRQKpnbrqk12345678/ -wbKQkqabcdefgh0369\t\xff\0";
    let mut accepted = 0;
    for _ in 0..50_000 {
        let mut text = rng.pick(&fens).as_bytes().to_vec();
        for _ in 0..=rng.below(3) {
            let at = rng.below(text.len());
            match rng.below(4) {
                0 => text[at] = rng.pick(letters),
                1 => text.insert(at, rng.pick(letters)),
                2 => _ = text.remove(at),
                _ => {
                    let other = rng.below(text.len());
                    text.swap(at, other);
                }
            }
        }
        let strict = Board::from_fen_bytes(&text);
        let lenient = Board::from_fen_lenient(&text);
        match (&strict, &lenient) {
            (Ok(strict), lenient) => assert_eq!(lenient.as_ref(), Ok(strict)),
            (Err(error), _) => assert!(!error.to_string().is_empty()),
        }
        let Ok(board) = lenient else {
            continue;
        };
        accepted += 1;
        assert_eq!(common::board(&board.to_string()), board);
        for &mv in &board.legal_moves() {
            let mut after = board.clone();
            after.make_move(mv);
            assert_eq!(*after.keys(), after.recompute_keys());
            assert!(after.legal_moves().len() <= kirin::MAX_MOVES);
        }
    }
    assert!(accepted > 1_000, "{accepted}");
}
