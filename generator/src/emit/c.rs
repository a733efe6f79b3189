//! A C header: static tables, and the look-up that goes with their layout.

use std::fmt::Write;

use super::{Content, Language, Squares};
use crate::layout::Layout;
use crate::table::Values;
use crate::Tables;

const WIDTH: usize = 118;

/// The tables as a C header, with `kirin_bishop_attacks`, `kirin_rook_attacks` and `kirin_queen_attacks`.
#[must_use]
pub fn text(tables: &Tables, squares: Squares) -> String {
    let content = Content::new(tables, Language::C, squares);
    let mut text = String::new();
    for line in &content.header {
        let _ = writeln!(text, "// {line}");
    }
    let settings = tables.settings();
    let _ = write!(
        text,
        "\n#ifndef KIRIN_TABLES_H\n#define KIRIN_TABLES_H\n\n#include <stdint.h>\n\n\
         #define KIRIN_SEED UINT64_C({:#x})\n#define KIRIN_LAYOUT {:?}\n#define KIRIN_CHECKSUM UINT64_C({:#x})\n\n",
        settings.seed,
        settings.layout.name(),
        content.checksum
    );
    if settings.layout.rows() != 0 {
        text.push_str(
            "typedef struct { uint64_t mask, magic; uint32_t offset, shift; } kirin_slider;\n\n",
        );
    }
    for table in &content.tables {
        let element = match &table.values {
            Values::U8(_) => "uint8_t",
            Values::U16(_) => "uint16_t",
            Values::I16(_) => "int16_t",
            Values::I32(_) => "int32_t",
            Values::U64(_) => "uint64_t",
            Values::Sliders(_) => "kirin_slider",
        };
        let _ = writeln!(text, "// {}", table.doc);
        let _ = write!(text, "static const {element} KIRIN_{}", table.name);
        for length in &table.shape {
            let _ = write!(text, "[{length}]");
        }
        text.push_str(" =\n");
        let mut words = Vec::with_capacity(table.values.len());
        match &table.values {
            Values::U8(values) => words.extend(values.iter().map(ToString::to_string)),
            Values::U16(values) => words.extend(values.iter().map(ToString::to_string)),
            Values::I16(values) => words.extend(values.iter().map(ToString::to_string)),
            Values::I32(values) => words.extend(values.iter().map(ToString::to_string)),
            Values::U64(values) => {
                words.extend(values.iter().map(|value| format!("{value:#x}u")));
            }
            Values::Sliders(rows) => words.extend(rows.iter().map(|row| {
                format!(
                    "{{{:#x}u,{:#x}u,{},{}}}",
                    row.mask, row.magic, row.offset, row.shift
                )
            })),
        }
        array(&mut text, &table.shape, &words);
        text.push_str(";\n");
    }
    if !matches!(
        settings.layout,
        Layout::Plain | Layout::Fancy | Layout::Overlapped
    ) {
        text.push_str(TURN_OVER);
    }
    text.push_str(look_up(settings.layout));
    text.push_str(
        "\nstatic inline uint64_t kirin_queen_attacks(unsigned square, uint64_t occupied) {\n    \
         return kirin_bishop_attacks(square, occupied) | kirin_rook_attacks(square, occupied);\n}\n\n#endif\n",
    );
    text
}

fn array(text: &mut String, shape: &[usize], words: &[String]) {
    let Some((&length, inner)) = shape.split_first() else {
        text.push_str(&words[0]);
        return;
    };
    text.push('{');
    if inner.is_empty() {
        let mut width = 1;
        for word in words {
            if width + word.len() + 1 > WIDTH {
                text.push('\n');
                width = 0;
            }
            text.push_str(word);
            text.push(',');
            width += word.len() + 1;
        }
    } else {
        for row in words.chunks(words.len() / length) {
            array(text, inner, row);
            text.push_str(",\n");
        }
    }
    text.push('}');
}

const TURN_OVER: &str = "
static inline uint64_t kirin_turn_over(uint64_t set) {
    set = (set >> 8 & 0x00ff00ff00ff00ffu) | (set & 0x00ff00ff00ff00ffu) << 8;
    set = (set >> 16 & 0x0000ffff0000ffffu) | (set & 0x0000ffff0000ffffu) << 16;
    return set >> 32 | set << 32;
}
";

/// The look-up of a layout. Each begins where the tables end.
fn look_up(layout: Layout) -> &'static str {
    match layout {
        Layout::Plain => {
            "
static inline uint64_t kirin_bishop_attacks(unsigned square, uint64_t occupied) {
    const kirin_slider *row = &KIRIN_BISHOP_SLIDERS[square];
    return KIRIN_BISHOP_ATTACKS[square][(occupied & row->mask) * row->magic >> row->shift];
}

static inline uint64_t kirin_rook_attacks(unsigned square, uint64_t occupied) {
    const kirin_slider *row = &KIRIN_ROOK_SLIDERS[square];
    return KIRIN_ROOK_ATTACKS[square][(occupied & row->mask) * row->magic >> row->shift];
}
"
        }
        Layout::Fancy | Layout::Overlapped => {
            "
static inline uint64_t kirin_bishop_attacks(unsigned square, uint64_t occupied) {
    const kirin_slider *row = &KIRIN_BISHOP_SLIDERS[square];
    return KIRIN_SLIDER_ATTACKS[row->offset + ((occupied & row->mask) * row->magic >> row->shift)];
}

static inline uint64_t kirin_rook_attacks(unsigned square, uint64_t occupied) {
    const kirin_slider *row = &KIRIN_ROOK_SLIDERS[square];
    return KIRIN_SLIDER_ATTACKS[row->offset + ((occupied & row->mask) * row->magic >> row->shift)];
}
"
        }
        Layout::Folded => {
            "
static inline uint64_t kirin_slider_attacks(const kirin_slider rows[32], unsigned square, uint64_t occupied) {
    const kirin_slider *row = &rows[(square < 32 ? square ^ 56 : square) - 32];
    uint64_t turned = square < 32 ? kirin_turn_over(occupied) : occupied;
    uint64_t set = KIRIN_SLIDER_ATTACKS[row->offset + ((turned & row->mask) * row->magic >> row->shift)];
    return square < 32 ? kirin_turn_over(set) : set;
}

static inline uint64_t kirin_bishop_attacks(unsigned square, uint64_t occupied) {
    return kirin_slider_attacks(KIRIN_BISHOP_SLIDERS, square, occupied);
}

static inline uint64_t kirin_rook_attacks(unsigned square, uint64_t occupied) {
    return kirin_slider_attacks(KIRIN_ROOK_SLIDERS, square, occupied);
}
"
        }
        Layout::Compact => {
            "
static inline uint64_t kirin_slider_attacks(const kirin_slider rows[32], const uint16_t bases[32], unsigned square,
                                            uint64_t occupied) {
    unsigned number = (square < 32 ? square ^ 56 : square) - 32;
    const kirin_slider *row = &rows[number];
    uint64_t turned = square < 32 ? kirin_turn_over(occupied) : occupied;
    uint64_t key = (turned & row->mask) * row->magic >> row->shift;
    uint64_t set = KIRIN_SLIDER_SETS[bases[number] + KIRIN_SLIDER_NUMBERS[row->offset + key]];
    return square < 32 ? kirin_turn_over(set) : set;
}

static inline uint64_t kirin_bishop_attacks(unsigned square, uint64_t occupied) {
    return kirin_slider_attacks(KIRIN_BISHOP_SLIDERS, KIRIN_BISHOP_BASES, square, occupied);
}

static inline uint64_t kirin_rook_attacks(unsigned square, uint64_t occupied) {
    return kirin_slider_attacks(KIRIN_ROOK_SLIDERS, KIRIN_ROOK_BASES, square, occupied);
}
"
        }
        Layout::Tiny => {
            "
static inline uint64_t kirin_line_attacks(unsigned square, uint64_t line, uint64_t occupied) {
    uint64_t on_line = occupied & line;
    uint64_t up = on_line - (UINT64_C(1) << square << 1);
    uint64_t down = kirin_turn_over(on_line) - (UINT64_C(1) << (square ^ 56) << 1);
    return (up ^ kirin_turn_over(down)) & line;
}

static inline uint64_t kirin_bishop_attacks(unsigned square, uint64_t occupied) {
    return kirin_line_attacks(square, KIRIN_LINE_MASKS[square][0], occupied)
         | kirin_line_attacks(square, KIRIN_LINE_MASKS[square][1], occupied);
}

static inline uint64_t kirin_rook_attacks(unsigned square, uint64_t occupied) {
    unsigned first = square & 56;
    uint64_t rank = KIRIN_RANK_ATTACKS[square & 7][occupied >> (first + 1) & 63];
    return kirin_line_attacks(square, KIRIN_LINE_MASKS[square][2], occupied) | rank << first;
}
"
        }
    }
}
