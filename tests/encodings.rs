//! The specification's numbers, one by one: squares, pieces, sides, castling rights, the move's
//! eight fields, the bitboards of the starting position, and what the attack tables must hold.
//! These are promises to whoever stores or exchanges them.

mod common;

use common::slow;
use common::Rng;
use kirin::{
    attacks, Bitboard, Board, CastlingRights, CastlingSide, Color, File, Move, MoveKind, Piece,
    PieceType, Rank, Square, UciMove,
};

#[test]
fn squares_count_from_a8_to_h1() {
    let mut number = 0;
    for rank in (1..=8).rev() {
        for file in 'a'..='h' {
            let name = format!("{file}{rank}");
            let square: Square = name.parse().expect("a square's name");
            assert_eq!(square as usize, number, "{name}");
            assert_eq!(square.index(), number);
            assert_eq!(Square::from_index(number), Some(square));
            assert_eq!(Square::ALL[number], square);
            assert_eq!(square.to_string(), name);
            assert_eq!(square.bitboard(), Bitboard(1 << number));
            assert_eq!(square.file().to_string(), file.to_string());
            assert_eq!(square.rank().to_string(), rank.to_string());
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(square.flip().to_string(), format!("{file}{}", 9 - rank));
            number += 1;
        }
    }
    assert_eq!(number, Square::COUNT);
    assert_eq!(Square::from_index(64), None);
    let corners = [Square::A8, Square::H8, Square::A1, Square::H1];
    assert_eq!(corners.map(Square::index), [0, 7, 56, 63]);
    assert_eq!(Square::E4.index(), 36);
    for name in ["", "e", "e44", "e0", "e9", "i1", "E4", " e4", "4e", "é4"] {
        assert!(name.parse::<Square>().is_err(), "{name:?}");
    }
}

#[test]
fn files_and_ranks_are_sets_of_squares() {
    assert_eq!(File::A.bitboard(), Bitboard(0x0101_0101_0101_0101));
    assert_eq!(File::H.bitboard(), Bitboard(0x8080_8080_8080_8080));
    assert_eq!(Rank::Eighth.bitboard(), Bitboard(0xff));
    assert_eq!(Rank::First.bitboard(), Bitboard(0xff00_0000_0000_0000));
    for square in Square::ALL {
        let both = square.file().bitboard() & square.rank().bitboard();
        assert_eq!(both, square.bitboard());
    }
    let light = Bitboard::LIGHT_SQUARES;
    assert!(light.contains(Square::A8) && light.contains(Square::H1));
    assert!(!light.contains(Square::A1) && !light.contains(Square::H8));
    assert_eq!(light, !Bitboard::DARK_SQUARES);
    assert_eq!(light.len(), 32);
}

#[test]
fn pieces_are_numbered_from_white_pawn_to_black_king() {
    for (number, letter) in "PNBRQKpnbrqk".chars().enumerate() {
        let piece = Piece::from_char(letter).expect("a piece's letter");
        assert_eq!(piece as usize, number, "{letter}");
        assert_eq!(piece.index(), number);
        assert_eq!(Piece::from_index(number), Some(piece));
        assert_eq!(Piece::ALL[number], piece);
        assert_eq!(piece.to_string(), letter.to_string());
        assert_eq!(piece.color() as usize, number / 6);
        assert_eq!(piece.piece_type() as usize, number % 6);
        assert_eq!(piece.piece_type().of(piece.color()), piece);
    }
    assert_eq!(Piece::from_index(12), None);
    assert_eq!(Piece::from_char('x'), None);
    let kinds = "pnbrqk".chars().map(PieceType::from_char);
    assert!(kinds.eq(PieceType::ALL.map(Some)));
}

#[test]
fn white_is_0_and_black_is_1() {
    assert_eq!(Color::White as usize, 0);
    assert_eq!(Color::Black as usize, 1);
    assert_eq!(Color::ALL.map(Color::index), [0, 1]);
    assert_eq!(Color::ALL.map(Color::to_char), ['w', 'b']);
    assert_eq!(Color::White.opposite(), Color::Black);
    assert_eq!(!Color::Black, Color::White);
}

#[test]
fn castling_rights_are_four_bits() {
    let bits = |color, side| CastlingRights::of(color, side).bits();
    assert_eq!(bits(Color::White, CastlingSide::King), 1);
    assert_eq!(bits(Color::White, CastlingSide::Queen), 2);
    assert_eq!(bits(Color::Black, CastlingSide::King), 4);
    assert_eq!(bits(Color::Black, CastlingSide::Queen), 8);
    let names = [
        "-", "K", "Q", "KQ", "k", "Kk", "Qk", "KQk", "q", "Kq", "Qq", "KQq", "kq", "Kkq", "Qkq",
        "KQkq",
    ];
    for (number, name) in (0..).zip(names) {
        let rights = CastlingRights::from_bits(number).expect("four bits");
        assert_eq!(rights.bits(), number);
        assert_eq!(rights.to_string(), name);
        let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {name} - 0 1");
        assert_eq!(common::board(&fen).castling(), rights);
        assert_eq!(common::board(&fen).to_string(), fen);
    }
    for bits in 16..=255 {
        assert_eq!(CastlingRights::from_bits(bits), None);
    }
}

/// The eight fields that go into a move.
type Fields = (Square, Square, Piece, Option<Piece>, bool, bool, bool, bool);

fn encode(fields: Fields) -> Option<Move> {
    let (source, target, piece, promoted, capture, dpp, en_passant, castling) = fields;
    Move::encode(
        source, target, piece, promoted, capture, dpp, en_passant, castling,
    )
}

#[test]
fn moves_have_the_eight_fields() {
    use Piece::*;
    use Square::*;
    let cases: [(Fields, u32, MoveKind, &str); 9] = [
        (
            (G1, F3, WhiteKnight, None, false, false, false, false),
            62 | 45 << 6 | 1 << 12,
            MoveKind::Quiet,
            "g1f3",
        ),
        (
            (A8, H8, BlackRook, None, true, false, false, false),
            7 << 6 | 9 << 12 | 0x10_0000,
            MoveKind::Capture,
            "a8h8",
        ),
        (
            (E2, E4, WhitePawn, None, false, true, false, false),
            52 | 36 << 6 | 0x20_0000,
            MoveKind::DoublePush,
            "e2e4",
        ),
        (
            (E7, E5, BlackPawn, None, false, true, false, false),
            12 | 28 << 6 | 6 << 12 | 0x20_0000,
            MoveKind::DoublePush,
            "e7e5",
        ),
        (
            (E5, D6, WhitePawn, None, true, false, true, false),
            28 | 19 << 6 | 0x50_0000,
            MoveKind::EnPassant,
            "e5d6",
        ),
        (
            (E1, G1, WhiteKing, None, false, false, false, true),
            60 | 62 << 6 | 5 << 12 | 0x80_0000,
            MoveKind::Castling,
            "e1g1",
        ),
        (
            (E8, C8, BlackKing, None, false, false, false, true),
            4 | 2 << 6 | 11 << 12 | 0x80_0000,
            MoveKind::Castling,
            "e8c8",
        ),
        (
            (
                B7,
                B8,
                WhitePawn,
                Some(WhiteQueen),
                false,
                false,
                false,
                false,
            ),
            9 | 1 << 6 | 4 << 16,
            MoveKind::Promotion,
            "b7b8q",
        ),
        (
            (
                G2,
                H1,
                BlackPawn,
                Some(BlackKnight),
                true,
                false,
                false,
                false,
            ),
            54 | 63 << 6 | 6 << 12 | 7 << 16 | 0x10_0000,
            MoveKind::Promotion,
            "g2h1n",
        ),
    ];
    for (fields, bits, kind, text) in cases {
        let mv = encode(fields).expect("a sound move");
        assert_eq!(mv.bits(), bits, "{text}");
        assert_eq!(Move::from_bits(bits), Some(mv));
        let read = (
            mv.source(),
            mv.target(),
            mv.piece(),
            mv.promoted(),
            mv.is_capture(),
            mv.is_double_push(),
            mv.is_en_passant(),
            mv.is_castling(),
        );
        assert_eq!(read, fields, "{text}");
        assert_eq!(mv.kind(), kind);
        assert_eq!(mv.is_promotion(), kind == MoveKind::Promotion);
        assert_eq!(mv.is_quiet(), !mv.is_capture() && !mv.is_promotion());
        assert_eq!(mv.to_string(), text);
        assert_eq!(text.parse(), Ok(mv.to_uci()));

        // The specification's masks and its macro.
        assert_eq!((bits & 0x3f) as usize, mv.source().index());
        assert_eq!(((bits & 0xfc0) >> 6) as usize, mv.target().index());
        assert_eq!(((bits & 0xf000) >> 12) as usize, mv.piece().index());
        let promoted = mv.promoted().map_or(0, Piece::index);
        assert_eq!(((bits & 0xf_0000) >> 16) as usize, promoted);
        assert_eq!(bits & 0x10_0000 != 0, mv.is_capture());
        assert_eq!(bits & 0x20_0000 != 0, mv.is_double_push());
        assert_eq!(bits & 0x40_0000 != 0, mv.is_en_passant());
        assert_eq!(bits & 0x80_0000 != 0, mv.is_castling());
        let (source, target, piece, _, capture, dpp, en_passant, castling) = fields;
        let by_macro = slow::encode_move(
            source.index(),
            target.index(),
            piece.index(),
            promoted,
            capture,
            dpp,
            en_passant,
            castling,
        );
        assert_eq!(by_macro, bits);
    }
}

#[test]
fn bits_that_are_no_move_are_refused() {
    let g1f3 = 62 | 45 << 6 | 1 << 12;
    assert!(Move::from_bits(g1f3).is_some());
    let (pawn_step, king_step) = (52 | 44 << 6, 60 | 62 << 6 | 5 << 12);
    let (capture, dpp, en_passant, castling) = (1 << 20, 1 << 21, 1 << 22, 1 << 23);
    for (bits, why) in [
        (0, "nothing"),
        (9 | 9 << 6 | 3 << 12, "source and target are one"),
        (62 | 45 << 6 | 12 << 12, "piece 12"),
        (62 | 45 << 6 | 15 << 12, "piece 15"),
        (g1f3 | 1 << 24, "a bit above the 24th"),
        (g1f3 | 1 << 31, "a bit above the 24th"),
        (g1f3 | 4 << 16, "a knight that is promoted"),
        (pawn_step | 5 << 16, "promoted to a king"),
        (pawn_step | 6 << 16, "promoted to a pawn"),
        (pawn_step | 10 << 16, "promoted to the other side's queen"),
        (
            pawn_step | 6 << 12 | 4 << 16,
            "promoted to the other side's queen",
        ),
        (pawn_step | 6 << 12 | 6 << 16, "promoted to a pawn"),
        (pawn_step | 6 << 12 | 11 << 16, "promoted to a king"),
        (pawn_step | 15 << 16, "promoted to 15"),
        (pawn_step | 4 << 16 | dpp, "a double push that promotes"),
        (
            pawn_step | 4 << 16 | capture | en_passant,
            "en passant that promotes",
        ),
        (pawn_step | dpp | capture, "a double push that captures"),
        (pawn_step | en_passant, "en passant that does not capture"),
        (
            pawn_step | capture | dpp | en_passant,
            "double push en passant",
        ),
        (g1f3 | dpp, "a knight's double push"),
        (g1f3 | capture | en_passant, "a knight en passant"),
        (g1f3 | castling, "a knight that castles"),
        (king_step | castling | capture, "castling that captures"),
        (king_step | castling | dpp, "castling and double push"),
        (u32::MAX, "everything"),
    ] {
        assert_eq!(Move::from_bits(bits), None, "{why}: {bits:#x}");
    }
    // Whatever passes can be read, printed and taken apart into what it was made of.
    let mut rng = Rng::new(24);
    let mut passed = 0;
    for _ in 0..200_000 {
        let bits = (rng.next_u64() & rng.next_u64()) as u32 & 0xff_ffff;
        if let Some(mv) = Move::from_bits(bits) {
            assert_eq!(mv.bits(), bits);
            let fields = (
                mv.source(),
                mv.target(),
                mv.piece(),
                mv.promoted(),
                mv.is_capture(),
                mv.is_double_push(),
                mv.is_en_passant(),
                mv.is_castling(),
            );
            assert_eq!(encode(fields), Some(mv));
            assert_eq!(mv.to_string().parse(), Ok(mv.to_uci()));
            passed += 1;
        }
    }
    assert!(passed > 1_000, "{passed}");
}

#[test]
fn uci_moves_survive_the_round_trip() {
    let promotions = PieceType::PROMOTIONS.map(Some);
    for source in Square::ALL {
        for target in Square::ALL {
            for promotion in promotions.into_iter().chain([None]) {
                let mv = UciMove {
                    source,
                    target,
                    promotion,
                };
                assert_eq!(mv.to_string().parse(), Ok(mv));
            }
        }
    }
}

#[test]
fn starting_position_has_the_specified_bitboards() {
    let board = Board::startpos();
    let pieces: [u64; 12] = [
        0x00ff_0000_0000_0000, // P
        0x4200_0000_0000_0000, // N
        0x2400_0000_0000_0000, // B
        0x8100_0000_0000_0000, // R
        0x0800_0000_0000_0000, // Q
        0x1000_0000_0000_0000, // K
        0x0000_0000_0000_ff00, // p
        0x0000_0000_0000_0042, // n
        0x0000_0000_0000_0024, // b
        0x0000_0000_0000_0081, // r
        0x0000_0000_0000_0008, // q
        0x0000_0000_0000_0010, // k
    ];
    assert_eq!(Piece::ALL.map(|piece| board.pieces(piece).0), pieces);
    assert_eq!(board.color(Color::White).0, 0xffff_0000_0000_0000);
    assert_eq!(board.color(Color::Black).0, 0x0000_0000_0000_ffff);
    assert_eq!(board.occupied().0, 0xffff_0000_0000_ffff);
    assert_eq!(board.side_to_move() as u8, 0);
    assert_eq!(board.castling().bits(), 15);
    assert_eq!(board.en_passant(), None);
    assert_eq!(board.halfmove_clock(), 0);
    assert_eq!(board.fullmove_number(), 1);
    assert_eq!(board.to_string(), Board::STARTPOS_FEN);
}

type LookUp = fn(Square, Bitboard) -> Bitboard;

/// The squares whose occupation changes what a slider attacks: its mask.
fn mask(square: Square, look_up: LookUp) -> u64 {
    let free = look_up(square, Bitboard::EMPTY);
    free.into_iter()
        .filter(|blocker| look_up(square, blocker.bitboard()) != free)
        .fold(0, |set, blocker| set | blocker.bitboard().0)
}

/// Edge squares count only where the slider moves along that edge.
#[test]
fn slider_masks_have_the_known_sizes() {
    // From a8 to h1; the rook's and the bishop's boards look the same upside down.
    #[rustfmt::skip]
    let rook_bits = [
        12, 11, 11, 11, 11, 11, 11, 12,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        11, 10, 10, 10, 10, 10, 10, 11,
        12, 11, 11, 11, 11, 11, 11, 12,
    ];
    #[rustfmt::skip]
    let bishop_bits = [
        6, 5, 5, 5, 5, 5, 5, 6,
        5, 5, 5, 5, 5, 5, 5, 5,
        5, 5, 7, 7, 7, 7, 5, 5,
        5, 5, 7, 9, 9, 7, 5, 5,
        5, 5, 7, 9, 9, 7, 5, 5,
        5, 5, 7, 7, 7, 7, 5, 5,
        5, 5, 5, 5, 5, 5, 5, 5,
        6, 5, 5, 5, 5, 5, 5, 6,
    ];
    let bits = |look_up: LookUp| Square::ALL.map(|square| mask(square, look_up).count_ones());
    assert_eq!(bits(attacks::rook_attacks), rook_bits);
    assert_eq!(bits(attacks::bishop_attacks), bishop_bits);
    let slots = |bits: [u32; 64]| bits.iter().map(|bits| 1 << bits).sum::<u32>();
    assert_eq!(slots(rook_bits), 102_400);
    assert_eq!(slots(bishop_bits), 5_248);
    assert_eq!(
        mask(Square::A1, attacks::rook_attacks),
        0x7e01_0101_0101_0100
    );
    assert_eq!(
        mask(Square::E4, attacks::rook_attacks),
        0x0010_106e_1010_1000
    );
    assert_eq!(
        mask(Square::E4, attacks::bishop_attacks),
        0x0044_2800_2844_0200
    );
}

/// Every subset of every mask, and random boards besides.
#[test]
fn sliders_agree_with_a_slow_walk() {
    let mut rng = Rng::new(64);
    for square in Square::ALL {
        let check = |letter: u8, look_up: LookUp, occupied: u64| {
            let expected = slow::attacks(letter, square.index(), occupied);
            let found = look_up(square, Bitboard(occupied));
            assert_eq!(found, Bitboard(expected), "{square} {occupied:#x}");
        };
        let sliders: [(u8, LookUp); 2] = [
            (b'R', attacks::rook_attacks),
            (b'B', attacks::bishop_attacks),
        ];
        for (letter, look_up) in sliders {
            let mask = mask(square, look_up);
            let mut subset = 0u64;
            loop {
                check(letter, look_up, subset);
                check(letter, look_up, subset | !mask);
                subset = subset.wrapping_sub(mask) & mask;
                if subset == 0 {
                    break;
                }
            }
        }
        for _ in 0..500 {
            let dense = rng.next_u64();
            for occupied in [dense, dense & rng.next_u64()] {
                check(b'R', attacks::rook_attacks, occupied);
                check(b'B', attacks::bishop_attacks, occupied);
                check(b'Q', attacks::queen_attacks, occupied);
            }
        }
        assert_eq!(
            attacks::rook_rays(square).0,
            slow::attacks(b'R', square.index(), 0)
        );
        assert_eq!(
            attacks::bishop_rays(square).0,
            slow::attacks(b'B', square.index(), 0)
        );
    }
}

#[test]
fn leapers_agree_with_a_slow_walk() {
    for square in Square::ALL {
        let slow = |letter| Bitboard(slow::attacks(letter, square.index(), 0));
        let pawn = |color| attacks::pawn_attacks(color, square);
        assert_eq!(pawn(Color::White), slow(b'P'), "{square}");
        assert_eq!(pawn(Color::Black), slow(b'p'), "{square}");
        assert_eq!(attacks::knight_attacks(square), slow(b'N'), "{square}");
        assert_eq!(attacks::king_attacks(square), slow(b'K'), "{square}");
    }
}

#[test]
fn lines_agree_with_a_slow_walk() {
    for a in Square::ALL {
        for b in Square::ALL {
            let (mut between, mut line) = (0, 0);
            for letter in [b'R', b'B'] {
                let rays =
                    |square: Square, occupied| slow::attacks(letter, square.index(), occupied);
                if rays(a, 0) >> b.index() & 1 != 0 {
                    let (at_a, at_b) = (a.bitboard().0, b.bitboard().0);
                    between = rays(a, at_b) & rays(b, at_a);
                    line = rays(a, 0) & rays(b, 0) | at_a | at_b;
                }
            }
            // Two rooks on one rank meet on no other; their rays meet along it alone.
            assert_eq!(attacks::between(a, b).0, between, "{a} {b}");
            assert_eq!(attacks::line(a, b).0, line, "{a} {b}");
        }
    }
}

/// The look-ups can be made while a dependant compiles.
#[test]
fn look_ups_are_const() {
    const FROM_D4: Bitboard = attacks::queen_attacks(Square::D4, Bitboard::ALL);
    const _: () = assert!(attacks::rook_attacks(Square::A1, Bitboard::EMPTY).len() == 14);
    assert_eq!(FROM_D4, attacks::king_attacks(Square::D4));
}
