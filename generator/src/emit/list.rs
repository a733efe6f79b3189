//! A plain list: a line for each magic, for scripts and for authors who fill tables of their own.

use std::fmt::Write;

use super::{Content, Language, Squares};
use crate::error::Error;
use crate::geometry::Piece;
use crate::layout::Lookup;
use crate::table::Fnv;
use crate::Tables;

/// The magics, one a line: piece, square, magic, shift, offset.
///
/// # Errors
/// If the layout has no magics.
pub fn text(tables: &Tables, squares: Squares) -> Result<String, Error> {
    let layout = tables.settings().layout;
    if layout.rows() == 0 {
        return Err(Error::NoMagics { layout });
    }
    let mut lines = String::new();
    let mut count = 0;
    for piece in Piece::ALL {
        let lookup = Lookup::new(layout, piece, tables.list())?;
        let stride = layout.stride(piece);
        for (number, row) in lookup.rows().iter().enumerate() {
            // A set's bits and a square's number go together, so a row keeps its number and takes another name.
            let square = squares.square_name(layout.square_of_row(number));
            let _ = writeln!(
                lines,
                "{} {square} {:#018x} {} {}",
                piece.name(),
                row.magic,
                row.shift,
                row.offset as usize + number * stride
            );
            count += 1;
        }
    }
    let mut text = String::new();
    for line in Content::new(tables, Language::List, squares).header {
        // Sizes and checksum of the tables are not those of the list.
        if !line.contains(", checksum ") {
            let _ = writeln!(text, "# {line}");
        }
    }
    let _ = writeln!(
        text,
        "# piece square magic shift offset: {count} lines, checksum {:#018x}",
        checksum(&lines)
    );
    text.push_str(&lines);
    Ok(text)
}

/// The checksum of the lines, that of every other text here being one of values.
#[must_use]
pub fn checksum(lines: &str) -> u64 {
    let mut fnv = Fnv::default();
    fnv.update(lines.as_bytes());
    fnv.finish()
}
