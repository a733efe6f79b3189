//! Tables in every language and numbering of squares, read back; and lists of magics, good and bad.

use std::fmt::Write;
use std::process::Command;

use kirin_generator::geometry::{relevant_mask, slow_attacks, square_name, Piece};
use kirin_generator::magic;
use kirin_generator::verify::{verify, Failure};
use kirin_generator::{generate, Error, Language, Layout, Settings, Squares};

fn text(layout: Layout, language: Language, squares: Squares) -> String {
    generate(&Settings { seed: 21, layout })
        .expect("any seed works")
        .to_text(language, squares)
        .expect("has something to say")
}

fn magics() -> [Vec<magic::Magic>; 2] {
    magic::find_all(21).expect("any seed works")
}

#[test]
fn every_text_is_proven_again() {
    for layout in Layout::ALL {
        for language in Language::ALL {
            for squares in Squares::ALL {
                if (layout, language) == (Layout::Tiny, Language::List) {
                    let tables = generate(&Settings { seed: 21, layout }).expect("any seed works");
                    assert_eq!(
                        tables.to_text(language, squares),
                        Err(Error::NoMagics { layout })
                    );
                    continue;
                }
                let text = text(layout, language, squares);
                let report = verify(&text, None)
                    .unwrap_or_else(|error| panic!("{layout:?} {language:?} {squares:?}: {error}"));
                let half = language == Language::List && layout.rows() == 32;
                assert!(report.keys >= if half { 53_824 } else { 107_648 });
                assert!(report.used.is_some());
                if language != Language::List {
                    assert!(report.what.contains("as this version makes them"));
                }
                for fact in ["kirin-generator", "seed 0x15", layout.name(), "checksum"] {
                    assert!(text.contains(fact), "{fact}");
                }
            }
        }
    }
}

/// A number changed, a character that does not belong, a piece cut off: in each language each is told apart.
#[test]
fn damage_is_told_apart() {
    for language in [Language::Rust, Language::C, Language::Json] {
        let good = text(Layout::Fancy, language, Squares::A8);
        // The king on a8 attacks b8, a7 and b7, and no other table holds that number.
        let (at, _) = good
            .match_indices("0x302")
            .find(|(at, _)| !good.as_bytes()[at + 5].is_ascii_hexdigit())
            .expect("is there");
        let mut bad = good.clone();
        bad.replace_range(at..at + 5, "0x303");
        let failure = verify(&bad, None).expect_err("corrupted");
        assert!(
            matches!(&failure, Failure::Corrupted { proof: Some(_), .. }),
            "{failure}"
        );
        assert!(
            failure.to_string().contains("king on a8, occupied 0x0"),
            "{failure}"
        );

        let mut bad = good.clone();
        bad.replace_range(at..at + 5, "0x3g2");
        let failure = verify(&bad, None).expect_err("unreadable");
        let line = good[..at].matches('\n').count() + 1;
        assert!(
            matches!(&failure, Failure::Unreadable { line: found, .. } if *found == line),
            "{failure}"
        );

        let failure = verify(&good[..good.len() / 2], None).expect_err("truncated");
        assert!(matches!(failure, Failure::Truncated { .. }), "{failure}");
        // A key that nothing proves: only the checksum can tell.
        let at = good.find("ZOBRIST_SIDE").expect("is there");
        let at = at + good[at..].rfind("0x").expect("its value");
        let mut bad = good.clone();
        let digit = if &bad[at + 2..at + 3] == "1" {
            "2"
        } else {
            "1"
        };
        bad.replace_range(at + 2..at + 3, digit);
        assert!(
            matches!(verify(&bad, None), Err(Failure::Corrupted { .. })),
            "{language:?}"
        );
    }
}

#[test]
fn lists_of_ours_are_told_apart() {
    let good = text(Layout::Fancy, Language::List, Squares::A8);
    let place = good.find("rook e4 0x").expect("is there") + "rook e4 0x".len();
    let mut bad = good.clone();
    bad.replace_range(place..place + 16, "0000000000000001");
    let failure = verify(&bad, None).expect_err("corrupted");
    let words = failure.to_string();
    assert!(
        words.starts_with("corrupted: ") && words.contains("rook on e4: magic 0x1"),
        "{words}"
    );
    // Without the header there is no checksum, and the magic is simply wrong.
    let bare: String = bad
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| [line, "\n"])
        .collect();
    let failure = verify(&bare, None).expect_err("wrong");
    assert!(
        matches!(&failure, Failure::Magic(collision) if collision.square == 36),
        "{failure}"
    );
    assert!(failure.to_string().contains("rook on e4"), "{failure}");

    let cut = good.rsplit_once("rook h1").expect("the last line").0;
    let failure = verify(cut, None).expect_err("truncated");
    assert!(
        failure.to_string().contains("63 squares of the rook")
            && failure.to_string().contains("h1 is missing"),
        "{failure}"
    );

    // The same lines, with the squares named from the other end, or said to be.
    let other = text(Layout::Fancy, Language::List, Squares::A1);
    assert!(verify(&other, None).is_ok());
    let failure = verify(&other, Some(Squares::A8)).expect_err("other order");
    let words = failure.to_string();
    assert!(
        words.starts_with("other square order: right if squares are numbered from a1 = 0")
            && words.contains("occupied 0x"),
        "{words}"
    );
}

/// Every pair of square and occupancy that a failure names is really one.
#[test]
fn a_collision_is_one() {
    let mut list = String::new();
    for piece in Piece::ALL {
        for square in 0..64 {
            let _ = writeln!(list, "{} {} 0x1", piece.name(), square_name(square));
        }
    }
    let Err(Failure::Magic(collision)) = verify(&list, None) else {
        panic!("a magic of 1 does nothing")
    };
    let [a, b] = collision.occupied;
    let attacks = |occupied| slow_attacks(collision.piece, collision.square, occupied);
    let key = |occupied: u64| occupied.wrapping_mul(collision.magic) >> collision.shift;
    let mask = relevant_mask(collision.piece, collision.square);
    assert_eq!((a | b) & !mask, 0);
    assert!(key(a) == key(b) && attacks(a) != attacks(b));
}

/// Anyone's list: bare numbers, arrays of a program, with and without shifts and offsets, beside or behind each other.
#[test]
fn lists_of_others_are_read() {
    let [bishops, rooks] = magics();
    let bare = |magics: &[magic::Magic]| -> String {
        magics
            .iter()
            .map(|magic| format!("{:#x}\n", magic.magic))
            .collect()
    };
    let array = |name: &str, magics: &[magic::Magic], field: &dyn Fn(&magic::Magic) -> String| {
        let values: Vec<String> = magics.iter().map(field).collect();
        format!(
            "const uint64_t {name}[64] = {{\n{}\n}};\n",
            values.join(", ")
        )
    };
    let magic_of = |magic: &magic::Magic| format!("0x{:016X}ULL", magic.magic);
    let bits_of = |magic: &magic::Magic| (64 - magic.shift).to_string();
    let pair_of = |magic: &magic::Magic| format!("{{ {:#x}, {} }}", magic.magic, magic.shift);
    for (name, list) in [
        ("rooks alone", bare(&rooks)),
        ("bishops alone", bare(&bishops)),
        ("both", bare(&bishops) + &bare(&rooks)),
        ("both the other way round", bare(&rooks) + &bare(&bishops)),
        (
            "arrays",
            array("RookMagics", &rooks, &magic_of) + &array("BISHOP_MAGICS", &bishops, &magic_of),
        ),
        (
            "arrays with bits",
            array("RookMagics", &rooks, &magic_of) + &array("RookBits", &rooks, &bits_of),
        ),
        ("pairs", array("bishop", &bishops, &pair_of)),
        (
            "decimal",
            rooks.iter().fold(String::new(), |list, magic| {
                list + &format!("{}, ", magic.magic)
            }),
        ),
    ] {
        let report = verify(&list, None).unwrap_or_else(|error| panic!("{name}: {error}"));
        let keys = match name {
            "bishops alone" | "pairs" => 5_248,
            "rooks alone" | "arrays with bits" | "decimal" => 102_400,
            _ => 107_648,
        };
        assert_eq!(report.keys, keys, "{name}");
    }

    let mut wrong = rooks.clone();
    wrong[28].magic ^= 1 << 44 | 1 << 30;
    let failure = verify(&bare(&wrong), None).expect_err("wrong");
    assert!(
        matches!(&failure, Failure::Magic(collision) if collision.square == 28),
        "{failure}"
    );
    let failure = verify(&bare(&rooks[..63]), None).expect_err("short");
    assert!(
        failure.to_string().starts_with("truncated: 63 numbers"),
        "{failure}"
    );
    let mut turned = rooks.clone();
    for square in 0..32 {
        turned.swap(square, square ^ 56);
    }
    let failure = verify(&bare(&turned), None).expect_err("other order");
    assert!(
        matches!(&failure, Failure::OtherSquares { .. }),
        "{failure}"
    );
    for nothing in ["", "\n\n", "# no numbers\n"] {
        assert!(matches!(
            verify(nothing, None),
            Err(Failure::Truncated { .. })
        ));
    }
    assert!(matches!(
        verify("rook a8 0x12345678901234567\n", None),
        Err(Failure::Unreadable { line: 1, .. })
    ));

    // Two squares in one place.
    let list = text(Layout::Fancy, Language::List, Squares::A8);
    let mut spoiled = String::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let (start, offset) = line.rsplit_once(' ').expect("an offset");
        let offset = if start.starts_with("rook h1") {
            "9000"
        } else {
            offset
        };
        let _ = writeln!(spoiled, "{start} {offset}");
    }
    let failure = verify(&spoiled, None).expect_err("overlap");
    assert!(matches!(&failure, Failure::Slot { .. }), "{failure}");
    let words = failure.to_string();
    assert!(
        words.starts_with("wrong offset: slot ") && words.contains("rook on h1 occupied 0x"),
        "{words}"
    );
}

/// The C header is compiled and walks all boards of its own; where there is no C compiler nothing is said.
#[test]
fn c_is_compiled_and_right() {
    let directory = std::env::temp_dir().join(format!("kirin c {}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    std::fs::write(directory.join("main.c"), C_PROGRAM).expect("can be written");
    for layout in Layout::ALL {
        for squares in Squares::ALL {
            std::fs::write(
                directory.join("tables.h"),
                text(layout, Language::C, squares),
            )
            .expect("can be written");
            let built = Command::new("cc")
                .args([
                    "-std=c99",
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                    "-Wno-unused",
                    "-O1",
                ])
                .args(["-o", "main", "main.c"])
                .current_dir(&directory)
                .output();
            let Ok(built) = built else {
                eprintln!("no C compiler");
                return;
            };
            let said = String::from_utf8_lossy(&built.stderr);
            assert!(built.status.success(), "{layout:?}: {said}");
            let ran = Command::new(directory.join("main"))
                .output()
                .expect("it was built");
            assert!(
                ran.status.success(),
                "{layout:?}: {}",
                String::from_utf8_lossy(&ran.stdout)
            );
            let pawn = match squares {
                Squares::A8 => "pawn 0x28000000\n",
                Squares::A1 => "pawn 0x280000000000\n",
            };
            let said = String::from_utf8_lossy(&ran.stdout);
            assert!(said.contains(pawn), "{said}");
        }
    }
    let _ = std::fs::remove_dir_all(&directory);
}

const C_PROGRAM: &str = r#"
#include <stdio.h>
#include "tables.h"

static uint64_t walk(int square, uint64_t occupied, const int steps[4][2]) {
    uint64_t attacks = 0;
    for (int i = 0; i < 4; i++) {
        int file = square % 8, rank = square / 8;
        for (;;) {
            file += steps[i][0];
            rank += steps[i][1];
            if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
            uint64_t bit = UINT64_C(1) << (8 * rank + file);
            attacks |= bit;
            if (occupied & bit) break;
        }
    }
    return attacks;
}

int main(void) {
    static const int bishop[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    static const int rook[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int square = 0; square < 64; square++) {
        uint64_t rays = walk(square, 0, rook), occupied = 0;
        do {
            if (kirin_rook_attacks(square, occupied) != walk(square, occupied, rook)) {
                printf("rook %d %llx\n", square, (unsigned long long)occupied);
                return 1;
            }
            occupied = (occupied - rays) & rays;
        } while (occupied);
        rays = walk(square, 0, bishop);
        do {
            if (kirin_bishop_attacks(square, occupied) != walk(square, occupied, bishop)) {
                printf("bishop %d %llx\n", square, (unsigned long long)occupied);
                return 1;
            }
            occupied = (occupied - rays) & rays;
        } while (occupied);
    }
    // A white pawn on number 36: e4 or e5 by the way of counting.
    printf("pawn 0x%llx\n", (unsigned long long)KIRIN_PAWN_ATTACKS[0][36]);
    return kirin_queen_attacks(0, 0) != (walk(0, 0, rook) | walk(0, 0, bishop));
}
"#;

/// The look-up that the README gives to authors of other engines compiles with the text that it includes.
#[test]
fn the_readme_look_up_compiles() {
    let readme = include_str!("../README.md");
    let (_, code) = readme.split_once("```rust,ignore\n").expect("is there");
    let (code, _) = code.split_once("```").expect("ends");
    let directory = std::env::temp_dir().join(format!("kirin readme {}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    std::fs::write(directory.join("lib.rs"), code).expect("can be written");
    std::fs::write(
        directory.join("tables.rs"),
        text(Layout::Fancy, Language::Rust, Squares::A8),
    )
    .expect("can be written");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc)
        .args(["--edition=2021", "--crate-type=lib", "--emit=metadata"])
        .args(["-Dwarnings", "lib.rs"])
        .current_dir(&directory)
        .env("OUT_DIR", &directory)
        .output()
        .expect("rustc runs");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let _ = std::fs::remove_dir_all(&directory);
}
