//! How attack sets are packed into tables, and how they are read back.
//!
//! A layout is described by three things: its name, how [`pack`] lays the sets out, and how [`Lookup`] finds one again.
//! Everything else (proof, statistics, text) goes through those. The sets that are packed are made line by line with a
//! subtraction that borrows through the empty squares; the slow walk of [`crate::geometry`] has no part in it and stays
//! free to judge.

use crate::error::Error;
use crate::geometry::{next_subset, Piece};
use crate::lines::lines_through;
use crate::magic::Magic;
use crate::table::{Slider, Table, Values};

/// How attack sets are packed into tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The specification's rectangles: `[64][512]` for bishops, `[64][4096]` for rooks.
    Plain,
    /// Square after square in one table, each as large as its mask needs.
    Fancy,
}

impl Layout {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Layout; 2] = [Layout::Plain, Layout::Fancy];

    /// The layout of an unset `KIRIN_LAYOUT`.
    pub const DEFAULT: Layout = Layout::Fancy;

    /// Its name in settings and in the generated text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Layout::Plain => "plain",
            Layout::Fancy => "fancy",
        }
    }

    /// The table that holds a piece's attack sets, and how far apart two squares' rows lie in it: 0 if each square's
    /// row of metadata says by itself where it begins.
    const fn store(self, piece: Piece) -> (&'static str, usize) {
        match (self, piece) {
            (Layout::Plain, Piece::Bishop) => ("BISHOP_ATTACKS", 512),
            (Layout::Plain, Piece::Rook) => ("ROOK_ATTACKS", 4096),
            (Layout::Fancy, _) => ("SLIDER_ATTACKS", 0),
        }
    }
}

/// The table that holds a piece's rows of metadata.
const fn rows_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Bishop => "BISHOP_SLIDERS",
        Piece::Rook => "ROOK_SLIDERS",
    }
}

/// Lays out the attack sets of all squares for magics found before.
#[must_use]
pub fn pack(layout: Layout, magics: &[Vec<Magic>; 2]) -> Vec<Table> {
    let mut rows = [Vec::with_capacity(64), Vec::with_capacity(64)];
    let mut stores = Vec::new();
    let mut offset = 0;
    for piece in Piece::ALL {
        for magic in &magics[piece as usize] {
            rows[piece as usize].push(Slider {
                mask: magic.mask,
                magic: magic.magic,
                offset,
                shift: magic.shift,
            });
            if layout == Layout::Fancy {
                offset += 1 << (64 - magic.shift);
            }
        }
    }
    match layout {
        Layout::Plain => {
            for piece in Piece::ALL {
                let (name, stride) = layout.store(piece);
                let mut sets = vec![0; 64 * stride];
                for (square, row) in rows[piece as usize].iter().enumerate() {
                    fill(piece, square, row, &mut sets[square * stride..]);
                }
                let doc = "The attack sets, the row of each square as large as the largest: `[square][key]`.";
                stores.push(Table::of_u64(name, doc, &[64, stride], sets));
            }
        }
        Layout::Fancy => {
            let mut sets = vec![0; offset as usize];
            for piece in Piece::ALL {
                for (square, row) in rows[piece as usize].iter().enumerate() {
                    fill(piece, square, row, &mut sets);
                }
            }
            let (name, _) = layout.store(Piece::Rook);
            let doc = "The attack sets, square after square, bishops first: `[offset + key]`.";
            stores.push(Table::of_u64(name, doc, &[sets.len()], sets));
        }
    }
    let mut tables = Vec::with_capacity(4);
    for (piece, rows) in Piece::ALL.into_iter().zip(rows) {
        tables.push(Table {
            name: rows_name(piece),
            doc: "What a look-up needs: `[square]`.",
            shape: vec![64],
            values: Values::Sliders(rows),
        });
    }
    tables.extend(stores);
    tables
}

/// Writes the attack sets of one square where its look-ups will find them.
///
/// A slider attacks along two lines that know nothing of each other, so each line's sets are made once, and every
/// occupancy of both is a pair of them.
fn fill(piece: Piece, square: usize, row: &Slider, sets: &mut [u64]) {
    let [first, second] =
        lines_through(piece, square).map(|line| line_sets(square, line, row.mask));
    let mut i = 0;
    while i < first.len() {
        let (occupied, attacks) = first[i];
        let mut j = 0;
        while j < second.len() {
            let (also_occupied, also_attacks) = second[j];
            sets[row.index(occupied | also_occupied)] = attacks | also_attacks;
            j += 1;
        }
        i += 1;
    }
}

/// All occupancies of a line within a mask, each with what is attacked along that line.
fn line_sets(square: usize, line: u64, mask: u64) -> Vec<(u64, u64)> {
    let slider = 1_u64 << square;
    let line = line & !slider;
    let mask = mask & line;
    let mut sets = Vec::with_capacity(1 << mask.count_ones());
    let mut occupied = 0_u64;
    loop {
        // Taking the slider away twice borrows through the empty squares above it, up to the first piece; the same
        // upon the mirrored line serves the other direction.
        let up = occupied.wrapping_sub(slider << 1);
        let mirrored = occupied
            .reverse_bits()
            .wrapping_sub(slider.reverse_bits() << 1);
        sets.push((occupied, (up ^ mirrored.reverse_bits()) & line));
        occupied = next_subset(occupied, mask);
        if occupied == 0 {
            return sets;
        }
    }
}

/// A piece's tables, ready to be read by the look-up formula.
#[derive(Clone, Copy, Debug)]
pub struct Lookup<'a> {
    rows: &'a [Slider],
    sets: &'a [u64],
    stride: usize,
}

impl<'a> Lookup<'a> {
    /// Finds a piece's tables among those of a layout.
    ///
    /// # Errors
    /// If one is absent, or has another size or type than the layout asks for.
    pub fn new(layout: Layout, piece: Piece, tables: &'a [Table]) -> Result<Lookup<'a>, Error> {
        let name = rows_name(piece);
        let rows = match &find(tables, name)?.values {
            Values::Sliders(rows) if rows.len() == 64 => rows,
            _ => {
                return Err(Error::Table {
                    name,
                    reason: "does not hold 64 rows of metadata",
                })
            }
        };
        let (name, stride) = layout.store(piece);
        let sets = u64_values(tables, name)?;
        if stride != 0 && sets.len() != 64 * stride {
            return Err(Error::Table {
                name,
                reason: "is not as large as the layout says",
            });
        }
        Ok(Lookup { rows, sets, stride })
    }

    /// The row of metadata of a square.
    #[must_use]
    pub fn row(&self, square: usize) -> &Slider {
        &self.rows[square]
    }

    /// Where in the piece's table of attack sets a look-up reads, be that within the table or not.
    #[must_use]
    pub fn slot(&self, square: usize, occupied: u64) -> usize {
        (square * self.stride).wrapping_add(self.rows[square].index(occupied))
    }

    /// What the piece attacks, or nothing at all if the look-up would leave the table (or, with a stride, the square's
    /// own row of it).
    #[must_use]
    pub fn attacks(&self, square: usize, occupied: u64) -> Option<u64> {
        let index = self.rows[square].index(occupied);
        if self.stride != 0 && index >= self.stride {
            return None;
        }
        let slot = (square * self.stride).wrapping_add(index);
        if slot < self.sets.len() {
            Some(self.sets[slot])
        } else {
            None
        }
    }
}

/// The table of a name.
///
/// # Errors
/// If there is none.
pub fn find<'a>(tables: &'a [Table], name: &'static str) -> Result<&'a Table, Error> {
    for table in tables {
        if table.name == name {
            return Ok(table);
        }
    }
    Err(Error::Table {
        name,
        reason: "is absent",
    })
}

/// The values of a table of 64-bit values.
///
/// # Errors
/// If there is no table of that name, or it holds something else.
pub fn u64_values<'a>(tables: &'a [Table], name: &'static str) -> Result<&'a [u64], Error> {
    match &find(tables, name)?.values {
        Values::U64(values) => Ok(values),
        _ => Err(Error::Table {
            name,
            reason: "does not hold 64-bit values",
        }),
    }
}

/// The size of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Slots for attack sets.
    pub entries: usize,
    /// Slots that some look-up reads.
    pub used: usize,
    /// Bytes of attack sets.
    pub bytes: usize,
    /// Bytes of metadata besides.
    pub metadata_bytes: usize,
}

/// Measures the slider tables of a layout.
///
/// # Errors
/// If one is absent or unlike the layout.
pub fn size(layout: Layout, tables: &[Table]) -> Result<Size, Error> {
    let mut names = Piece::ALL.map(|piece| layout.store(piece).0).to_vec();
    names.dedup();
    let mut size = Size {
        entries: 0,
        used: 0,
        bytes: 0,
        metadata_bytes: 0,
    };
    for name in names {
        let table = find(tables, name)?;
        size.entries += table.values.len();
        size.bytes += table.bytes();
        let mut used = vec![false; table.values.len()];
        for piece in Piece::ALL {
            if layout.store(piece).0 == name {
                mark_used(&Lookup::new(layout, piece, tables)?, &mut used);
            }
        }
        size.used += used.into_iter().filter(|&used| used).count();
    }
    for piece in Piece::ALL {
        size.metadata_bytes += find(tables, rows_name(piece))?.bytes();
    }
    Ok(size)
}

fn mark_used(lookup: &Lookup<'_>, used: &mut [bool]) {
    for square in 0..64 {
        let mask = lookup.row(square).mask;
        let mut occupied = 0;
        loop {
            if let Some(used) = used.get_mut(lookup.slot(square, occupied)) {
                *used = true;
            }
            occupied = next_subset(occupied, mask);
            if occupied == 0 {
                break;
            }
        }
    }
}
