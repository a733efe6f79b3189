//! JSON, one table a member. Values of 64 bits are strings, for many readers round what is beyond 2^53.

use std::fmt::Write;

use super::{Content, Language, Squares};
use crate::table::Values;
use crate::{Tables, VERSION};

const WIDTH: usize = 118;

/// The tables as one JSON object.
#[must_use]
pub fn text(tables: &Tables, squares: Squares) -> String {
    let content = Content::new(tables, Language::Json, squares);
    let settings = tables.settings();
    let mut text = String::from("{\n");
    for (name, value) in [
        ("generator", "kirin-generator".to_owned()),
        ("version", VERSION.to_owned()),
        ("seed", format!("{:#x}", settings.seed)),
        ("layout", settings.layout.name().to_owned()),
        ("squares", squares.name().to_owned()),
        ("checksum", format!("{:#018x}", content.checksum)),
        ("about", content.header.join(" ")),
    ] {
        let _ = writeln!(text, "{name:?}: {value:?},");
    }
    text.push_str("\"tables\": {\n");
    for (number, table) in content.tables.iter().enumerate() {
        if number > 0 {
            text.push_str(",\n");
        }
        let _ = write!(
            text,
            "{:?}: {{\"doc\": {:?}, \"shape\": {:?}, \"values\": [",
            table.name, table.doc, table.shape
        );
        let mut width = 0;
        let mut push = |word: String| {
            if width > 0 {
                text.push(',');
            }
            if width == 0 || width + word.len() > WIDTH {
                text.push('\n');
                width = 0;
            }
            width += word.len() + 1;
            text.push_str(&word);
        };
        match &table.values {
            Values::U8(values) => values.iter().for_each(|value| push(value.to_string())),
            Values::U16(values) => values.iter().for_each(|value| push(value.to_string())),
            Values::I16(values) => values.iter().for_each(|value| push(value.to_string())),
            Values::I32(values) => values.iter().for_each(|value| push(value.to_string())),
            Values::U64(values) => values
                .iter()
                .for_each(|value| push(format!("\"{value:#x}\""))),
            Values::Sliders(rows) => rows.iter().for_each(|row| {
                push(format!(
                    "{{\"mask\":\"{:#x}\",\"magic\":\"{:#x}\",\"offset\":{},\"shift\":{}}}",
                    row.mask, row.magic, row.offset, row.shift
                ));
            }),
        }
        text.push_str("]}");
    }
    text.push_str("\n}\n}\n");
    text
}
