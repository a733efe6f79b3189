//! Names, types and values as Rust text.
//!
//! The text is for the compiler, which is quickest with few and long lines: values stand bare, without suffix or
//! padding, as many to a line as fit.

use std::fmt::Write;

use super::{Content, Language, Squares};
use crate::table::{checksum, Table, Values};
use crate::{BackendTables, Tables, VERSION};

/// Lines are broken before they grow beyond this.
const WIDTH: usize = 118;

/// All tables as Rust text, to be included where `Slider` and `TableInfo` are defined.
#[must_use]
pub fn text(tables: &Tables, squares: Squares) -> String {
    let content = Content::new(tables, Language::Rust, squares);
    let settings = tables.settings();
    let bytes: usize = content.tables.iter().map(Table::bytes).sum();
    let mut text = Text::new(&content.header, bytes * 5 / 2);
    text.constant(
        "The seed that chose the magics.",
        "SEED",
        "u64",
        &format!("{:#x}", settings.seed),
    );
    text.constant(
        "How the attack sets are packed.",
        "LAYOUT",
        "&str",
        &format!("{:?}", settings.layout.name()),
    );
    text.constant(
        "The generator that wrote this.",
        "GENERATOR_VERSION",
        "&str",
        &format!("{VERSION:?}"),
    );
    text.constant(
        "FNV-1a over names and values.",
        "CHECKSUM",
        "u64",
        &format!("{:#x}", content.checksum),
    );
    text.list("Every table here.", "TABLE_LIST", &content.tables);
    for offset in &tables.offsets {
        let doc = "Where a group of the evaluation's weights begins.";
        text.constant_for_some(doc, &offset.name, "usize", &offset.value.to_string());
    }
    for table in &content.tables {
        text.table(table);
    }
    text.finish()
}

/// The tables of a backend as Rust text, to be included where `TableInfo` is defined.
#[must_use]
pub fn backend_text(tables: &BackendTables) -> String {
    let name = tables.backend().name();
    let bytes: usize = tables.list().iter().map(Table::bytes).sum();
    let header = [
        "Generated, do not edit: written by the build of this target.".to_owned(),
        format!(
            "kirin-generator {VERSION}, backend {name}, {bytes} bytes, checksum {:#018x}",
            checksum(tables.list())
        ),
        format!(
            "Proven before it was written: {} look-ups of sliders against a slow walk.",
            tables.proven().slider_keys
        ),
    ];
    let mut text = Text::new(&header, bytes * 5 / 2);
    text.constant(
        "How sliders are looked up at run time.",
        "BACKEND",
        "&str",
        &format!("{name:?}"),
    );
    text.list("Every table here.", "BACKEND_TABLE_LIST", tables.list());
    for table in tables.list() {
        text.table(table);
    }
    text.finish()
}

/// A file of Rust in the making.
struct Text {
    text: String,
    line_start: usize,
}

impl Text {
    /// A file that begins with these lines as comments; `room` bytes are set aside for the rest.
    fn new(header: &[String], room: usize) -> Text {
        let mut text = Text {
            text: String::with_capacity(room),
            line_start: 0,
        };
        for line in header {
            text.line(&format!("// {line}"));
        }
        text.line("");
        text
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.end_line();
    }

    fn end_line(&mut self) {
        self.text.push('\n');
        self.line_start = self.text.len();
    }

    /// A constant of any type whose value is given as it will stand.
    fn constant(&mut self, doc: &str, name: &str, kind: &str, value: &str) {
        self.line(&format!("/// {doc}"));
        self.line(&format!("pub const {name}: {kind} = {value};"));
    }

    /// A constant that not every reader of the text has a use for.
    fn constant_for_some(&mut self, doc: &str, name: &str, kind: &str, value: &str) {
        self.line(&format!("/// {doc}"));
        self.line("#[allow(dead_code)]");
        self.line(&format!("pub const {name}: {kind} = {value};"));
    }

    /// The list of all tables, as rows of `TableInfo`.
    fn list(&mut self, doc: &str, name: &str, tables: &[Table]) {
        self.line(&format!("/// {doc}"));
        self.line(&format!(
            "pub static {name}: [TableInfo; {}] = [",
            tables.len()
        ));
        for table in tables {
            let (entries, bytes) = (table.values.len(), table.bytes());
            self.line(&format!(
                "TableInfo {{ name: {:?}, entries: {entries}, bytes: {bytes} }},",
                table.name
            ));
        }
        self.line("];");
    }

    /// A table: a static array of its shape, or a constant if it is a single value.
    fn table(&mut self, table: &Table) {
        let element = match &table.values {
            Values::U8(_) => "u8",
            Values::U16(_) => "u16",
            Values::I16(_) => "i16",
            Values::I32(_) => "i32",
            Values::U64(_) => "u64",
            Values::Sliders(_) => "Slider",
        };
        let kind = table
            .shape
            .iter()
            .rev()
            .fold(element.to_owned(), |kind, length| {
                format!("[{kind}; {length}]")
            });
        self.line(&format!("/// {}", table.doc));
        let (word, name) = (
            if table.shape.is_empty() {
                "const"
            } else {
                "static"
            },
            table.name,
        );
        self.line(&format!("pub {word} {name}: {kind} ="));
        match &table.values {
            Values::U8(values) => self.array(&table.shape, values, &mut |text, value| {
                let _ = write!(text, "{value}");
            }),
            Values::U16(values) => self.array(&table.shape, values, &mut |text, value| {
                let _ = write!(text, "{value}");
            }),
            Values::I16(values) => self.array(&table.shape, values, &mut |text, value| {
                let _ = write!(text, "{value}");
            }),
            Values::I32(values) => self.array(&table.shape, values, &mut |text, value| {
                let _ = write!(text, "{value}");
            }),
            Values::U64(values) => self.array(&table.shape, values, &mut push_hex),
            Values::Sliders(rows) => self.array(&table.shape, rows, &mut |text, row| {
                let (mask, magic, offset, shift) = (row.mask, row.magic, row.offset, row.shift);
                let _ = write!(
                    text,
                    "Slider {{ mask: {mask:#x}, magic: {magic:#x}, offset: {offset}, shift: {shift} }}"
                );
            }),
        }
        self.line(";");
    }

    fn array<T: Copy>(
        &mut self,
        shape: &[usize],
        values: &[T],
        push: &mut dyn FnMut(&mut String, T),
    ) {
        let Some((&length, inner)) = shape.split_first() else {
            push(&mut self.text, values[0]);
            return;
        };
        self.text.push('[');
        if inner.is_empty() {
            let mut i = 0;
            while i < length {
                let start = self.text.len();
                push(&mut self.text, values[i]);
                self.text.push(',');
                // A value that made the line too long begins the next one.
                if self.text.len() - self.line_start > WIDTH {
                    self.text.insert(start, '\n');
                    self.line_start = start + 1;
                }
                i += 1;
            }
        } else {
            for row in values.chunks(values.len() / length) {
                self.array(inner, row, push);
                self.text.push(',');
                self.end_line();
            }
        }
        self.text.push(']');
    }

    /// The finished text.
    fn finish(self) -> String {
        self.text
    }
}

/// A hexadecimal number, or a bare digit.
fn push_hex(text: &mut String, value: u64) {
    if value < 10 {
        text.push((b'0' + value as u8) as char);
    } else {
        let _ = write!(text, "{value:#x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Slider;

    #[test]
    fn arrays_keep_their_shape_and_single_values_are_constants() {
        let mut text = Text::new(&["Header".to_owned()], 0);
        text.table(&Table::of_u64(
            "A",
            "Doc.",
            &[2, 3],
            vec![0, 9, 10, u64::MAX, 1, 2],
        ));
        text.table(&Table::of_u64("B", "One.", &[], vec![77]));
        let row = Slider {
            mask: 1,
            magic: 0xabc,
            offset: 3,
            shift: 58,
        };
        text.table(&Table {
            name: "C",
            doc: "Row.",
            shape: vec![1],
            values: Values::Sliders(vec![row]),
        });
        text.constant("What.", "D", "&str", "\"d\"");
        assert_eq!(
            text.finish(),
            "// Header\n\n/// Doc.\npub static A: [[u64; 3]; 2] =\n[[0,9,0xa,],\n[0xffffffffffffffff,1,2,],\n];\n\
             /// One.\npub const B: u64 =\n0x4d;\n/// Row.\npub static C: [Slider; 1] =\n\
             [Slider { mask: 0x1, magic: 0xabc, offset: 3, shift: 58 },];\n/// What.\npub const D: &str = \"d\";\n"
        );
    }

    #[test]
    fn long_rows_are_broken() {
        let mut text = Text::new(&[], 0);
        text.table(&Table::of_u64("A", "Doc.", &[1000], vec![u64::MAX; 1000]));
        let text = text.finish();
        assert!(text.lines().all(|line| line.len() <= WIDTH + 1), "{text}");
        assert!(text.lines().count() < 180);
    }
}
