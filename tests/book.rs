//! Books in the Polyglot format: keys, moves, and books that are no books.

mod common;

use common::Rng;
use kirin::book::{self, Book, BookError, BookMove};
use kirin::{Board, OutOfBounds};

fn entry(key: u64, mv: u16, weight: u16) -> [u8; 16] {
    let bits = u128::from(key) << 64 | u128::from(mv) << 48 | u128::from(weight) << 32;
    bits.to_be_bytes()
}

/// Sixteen bits for a move between squares of which a1 is 0.
const fn packed(source: u16, target: u16, promotion: u16) -> u16 {
    target | source << 6 | promotion << 12
}

fn moves(bytes: &[u8], board: &Board) -> Vec<(String, u16)> {
    let mut found = Vec::new();
    Book::new(bytes)
        .expect("a book")
        .for_each_move(board, |BookMove { mv, weight }| {
            found.push((mv.to_string(), weight))
        })
        .expect("in memory");
    found
}

#[test]
fn keys_are_those_of_the_format() {
    let mut met = 0;
    for [fen, key, _] in common::rows(include_str!("data/polyglot_keys.tsv")) {
        let key = u64::from_str_radix(key.trim_start_matches("0x"), 16).expect("hex");
        assert_eq!(book::key(&common::board(fen)), key, "{fen}");
        met += 1;
    }
    assert_eq!(met, 9);
}

#[test]
fn moves_are_found_between_others() {
    let start = Board::startpos();
    let key = book::key(&start);
    let (e2e4, d2d4) = (packed(12, 28, 0), packed(11, 27, 0));
    let bytes = [
        entry(0, e2e4, 9),
        entry(key - 1, e2e4, 9),
        entry(key, e2e4, 3),
        // Not legal: it is no move of the book.
        entry(key, packed(12, 36, 0), 100),
        entry(key, 0xffff, 100),
        entry(key, d2d4, 1),
        entry(key + 1, d2d4, 9),
        entry(u64::MAX, d2d4, 9),
    ]
    .concat();
    assert_eq!(
        moves(&bytes, &start),
        [("e2e4".into(), 3), ("d2d4".into(), 1)]
    );
    let book = Book::new(&bytes[..]).expect("a book");
    assert_eq!(book.entries(), 8);
    let chosen = |random| book.choose(&start, random).expect("in memory");
    let text = |mv: Option<kirin::Move>| mv.map(|mv| mv.to_string());
    assert_eq!(text(chosen(0)).as_deref(), Some("e2e4"));
    assert_eq!(text(chosen(u64::MAX / 4 * 3 - 2)).as_deref(), Some("e2e4"));
    assert_eq!(text(chosen(u64::MAX / 4 * 3 + 8)).as_deref(), Some("d2d4"));
    assert_eq!(text(chosen(u64::MAX)).as_deref(), Some("d2d4"));
    // Nothing for another position, and nothing that has no weight.
    let other = common::play(Board::STARTPOS_FEN, "a2a3");
    assert_eq!(moves(&bytes, &other), []);
    let unplayed = entry(key, e2e4, 0);
    assert_eq!(moves(&unplayed, &start), [("e2e4".into(), 0)]);
    let book = Book::new(&unplayed[..]).expect("a book");
    assert_eq!(book.choose(&start, 0), Ok(None));
}

#[test]
fn castling_and_promotions_are_read() {
    let fen = "r3k2r/6P1/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let standard = common::board(fen);
    let chess960 = Board::from_chess960_fen(fen).expect("castling from the standard squares");
    let key = book::key(&standard);
    assert_eq!(book::key(&chess960), key);
    let bytes = [
        entry(key, packed(4, 7, 0), 1),
        entry(key, packed(4, 0, 0), 2),
        // The king's own move is not how a book writes castling.
        entry(key, packed(4, 6, 0), 3),
        entry(key, packed(54, 63, 1), 4),
        entry(key, packed(54, 62, 4), 5),
        entry(key, packed(54, 62, 5), 6),
    ]
    .concat();
    let expected = |texts: [&str; 5]| -> Vec<(String, u16)> {
        let weights = [1, 2, 3, 4, 5];
        let rows = texts.into_iter().map(str::to_string).zip(weights);
        rows.filter(|(text, _)| !text.is_empty()).collect()
    };
    assert_eq!(
        moves(&bytes, &standard),
        expected(["e1g1", "e1c1", "e1g1", "g7h8n", "g7g8q"])
    );
    assert_eq!(
        moves(&bytes, &chess960),
        expected(["e1h1", "e1a1", "", "g7h8n", "g7g8q"])
    );
}

#[test]
fn what_is_no_book_is_refused() {
    let refused = |bytes: &[u8]| Book::new(bytes).map(|book| book.entries());
    assert_eq!(refused(b""), Err(BookError::Empty));
    assert_eq!(refused(&[0; 17]), Err(BookError::BadLength(17)));
    let text = BookError::<OutOfBounds>::BadLength(17).to_string();
    assert!(text.contains("17 bytes"), "{text}");
}

/// Any bytes are a book of some sort, and nothing in it does harm: whatever it holds, and for
/// whatever position it is asked.
#[test]
fn damaged_books_do_no_harm() {
    let mut rng = Rng::new(781);
    let start = Board::startpos();
    let key = book::key(&start);
    let mut found = 0;
    for _ in 0..20_000 {
        let mut bytes = Vec::new();
        for _ in 0..=rng.below(8) {
            let key = if rng.below(2) == 0 {
                key
            } else {
                rng.next_u64()
            };
            let bits = rng.next_u64();
            // A random move is seldom a legal one.
            let mv = match rng.below(4) {
                0 => packed(8 + bits as u16 % 8, 24 + bits as u16 % 8, 0),
                _ => bits as u16,
            };
            bytes.extend(entry(key, mv, (bits >> 16) as u16));
        }
        let book = Book::new(&bytes[..]).expect("whole entries");
        let mv = book.choose(&start, rng.next_u64()).expect("in memory");
        assert!(mv.is_none_or(|mv| start.is_legal(mv)));
        found += usize::from(mv.is_some());
    }
    assert!(found > 1_000, "{found}");
    // One entry again and again.
    let endless = entry(key, packed(12, 28, 0), 1).repeat(10_000);
    assert_eq!(moves(&endless, &start).len(), 256);
}
