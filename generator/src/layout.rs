//! How attack sets are packed into tables, and how they are read back.
//!
//! A layout is described by three things: its name, how [`pack`] lays the sets out, and how [`Lookup`] finds one again.
//! Everything else (proof, statistics, text) goes through those. The sets that are packed are made line by line with a
//! subtraction that borrows through the empty squares; the slow walk of [`crate::geometry`] has no part in it and stays
//! free to judge.

use crate::dense;
use crate::error::Error;
use crate::geometry::{next_subset, Piece};
use crate::lines::lines_through;
use crate::magic::Magic;
use crate::overlap;
use crate::table::{Slider, Table, Values};

/// How attack sets are packed into tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The specification's rectangles: `[64][512]` for bishops, `[64][4096]` for rooks.
    Plain,
    /// Square after square in one table, each as large as its key allows.
    Fancy,
    /// One table in which squares fill the holes of each other.
    Overlapped,
    /// As overlapped, for the lower half of the board alone: the upper half is served upside down.
    Folded,
    /// As folded, with a byte for each key in place of the set: its number among the sets of its square.
    Compact,
    /// No keys at all: four masks' worth of arithmetic, and a small table for ranks.
    Tiny,
}

impl Layout {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Layout; 6] = [
        Layout::Plain,
        Layout::Fancy,
        Layout::Overlapped,
        Layout::Folded,
        Layout::Compact,
        Layout::Tiny,
    ];

    /// The layout of an unset `KIRIN_LAYOUT`.
    pub const DEFAULT: Layout = Layout::Fancy;

    /// Its name in settings and in the generated text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Layout::Plain => "plain",
            Layout::Fancy => "fancy",
            Layout::Overlapped => "overlapped",
            Layout::Folded => "folded",
            Layout::Compact => "compact",
            Layout::Tiny => "tiny",
        }
    }

    /// Whether the squares fill each other's holes, so that dense magics are wanted.
    #[must_use]
    pub const fn is_dense(self) -> bool {
        matches!(self, Layout::Overlapped | Layout::Folded | Layout::Compact)
    }

    /// How many squares of a piece have a row of metadata.
    #[must_use]
    pub const fn rows(self) -> usize {
        match self {
            Layout::Plain | Layout::Fancy | Layout::Overlapped => 64,
            Layout::Folded | Layout::Compact => 32,
            Layout::Tiny => 0,
        }
    }

    /// The square that a row of metadata belongs to.
    ///
    /// The half of the board with the higher squares is the one that is kept, because there magics with fewer bits than
    /// the mask are known to exist.
    #[must_use]
    pub const fn square_of_row(self, row: usize) -> usize {
        64 - self.rows() + row
    }

    /// The row of metadata that serves a square, and whether it does so with the board upside down.
    #[must_use]
    pub const fn row_of(self, square: usize) -> (usize, bool) {
        if self.rows() == 32 {
            let upside_down = square < 32;
            (
                (if upside_down { square ^ 56 } else { square }) - 32,
                upside_down,
            )
        } else {
            (square, false)
        }
    }

    /// How far apart the rows of two squares lie in a table of their own; 0 if each square's row of metadata says by
    /// itself where it begins.
    #[must_use]
    pub const fn stride(self, piece: Piece) -> usize {
        self.store(piece).1
    }

    /// The table that holds a piece's slots, and how far apart two squares' rows lie in it: 0 if each square's row of
    /// metadata says by itself where it begins.
    const fn store(self, piece: Piece) -> (&'static str, usize) {
        match (self, piece) {
            (Layout::Plain, Piece::Bishop) => ("BISHOP_ATTACKS", 512),
            (Layout::Plain, Piece::Rook) => ("ROOK_ATTACKS", 4096),
            (Layout::Compact, _) => ("SLIDER_NUMBERS", 0),
            _ => ("SLIDER_ATTACKS", 0),
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

/// The table that says where the numbered sets of each square begin.
const fn bases_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Bishop => "BISHOP_BASES",
        Piece::Rook => "ROOK_BASES",
    }
}

const SETS: &str = "SLIDER_SETS";
const MASKS: &str = "LINE_MASKS";
const RANKS: &str = "RANK_ATTACKS";

/// Lays out the attack sets of all squares for magics found before.
#[must_use]
pub fn pack(layout: Layout, magics: &[Vec<Magic>; 2]) -> Vec<Table> {
    let count = layout.rows();
    let mut rows = [Vec::with_capacity(count), Vec::with_capacity(count)];
    let chosen = dense::Chosen::of(layout);
    for piece in Piece::ALL {
        for row in 0..count {
            let square = layout.square_of_row(row);
            let magic = &magics[piece as usize][square];
            let place = chosen.place(piece, square, magic);
            rows[piece as usize].push(Slider {
                mask: magic.mask,
                magic: magic.magic,
                offset: place.unwrap_or(0),
                shift: magic.shift,
            });
        }
    }
    let placed = |piece: usize, row| {
        let square = layout.square_of_row(row);
        chosen
            .place(Piece::ALL[piece], square, &magics[piece][square])
            .is_some()
    };
    let stores = match layout {
        Layout::Plain => pack_plain(&rows),
        Layout::Fancy => {
            let mut offset = 0;
            for row in rows.iter_mut().flatten() {
                row.offset = offset;
                offset += 1 << (64 - row.shift);
            }
            pack_slots(layout, &rows)
        }
        Layout::Overlapped | Layout::Folded => {
            overlap::place(&mut rows, placed);
            pack_slots(layout, &rows)
        }
        Layout::Compact => {
            overlap::place(&mut rows, placed);
            pack_numbers(&rows)
        }
        Layout::Tiny => return pack_lines(),
    };
    let mut tables = Vec::with_capacity(6);
    for (piece, rows) in Piece::ALL.into_iter().zip(rows) {
        let doc = match layout.rows() {
            64 => "What a look-up needs: `[square]`.",
            _ => "What a look-up needs: `[square - 32]`.",
        };
        tables.push(Table {
            name: rows_name(piece),
            doc,
            shape: vec![rows.len()],
            values: Values::Sliders(rows),
        });
    }
    tables.extend(stores);
    tables
}

fn pack_plain(rows: &[Vec<Slider>; 2]) -> Vec<Table> {
    let mut stores = Vec::with_capacity(2);
    for piece in Piece::ALL {
        let (name, stride) = Layout::Plain.store(piece);
        let mut sets = vec![0; 64 * stride];
        for (square, row) in rows[piece as usize].iter().enumerate() {
            fill(piece, square, row, &mut sets[square * stride..]);
        }
        let doc =
            "The attack sets, the row of each square as large as the largest: `[square][key]`.";
        stores.push(Table::of_u64(name, doc, &[64, stride], sets));
    }
    stores
}

/// How many slots there must be for every key of every row, used or not, to lie within the table.
fn slots_needed(rows: &[Vec<Slider>; 2]) -> usize {
    let ends = rows
        .iter()
        .flatten()
        .map(|row| row.offset as usize + (1 << (64 - row.shift)));
    ends.max().unwrap_or(0)
}

fn pack_slots(layout: Layout, rows: &[Vec<Slider>; 2]) -> Vec<Table> {
    let mut sets = vec![0; slots_needed(rows)];
    for piece in Piece::ALL {
        for (number, row) in rows[piece as usize].iter().enumerate() {
            fill(piece, layout.square_of_row(number), row, &mut sets);
        }
    }
    let (name, _) = layout.store(Piece::Rook);
    let doc = match layout {
        Layout::Fancy => "The attack sets, square after square, bishops first: `[offset + key]`.",
        _ => "The attack sets, squares in the holes of each other: `[offset + key]`.",
    };
    vec![Table::of_u64(name, doc, &[sets.len()], sets)]
}

/// Numbers the sets of each square, and packs the numbers.
///
/// The squares with the fewest sets come first, so that a number, wherever it was read, leads nowhere beyond the end:
/// none is too large for the last square, and all others begin before it.
fn pack_numbers(rows: &[Vec<Slider>; 2]) -> Vec<Table> {
    let layout = Layout::Compact;
    let mut numbers = vec![0_u8; slots_needed(rows)];
    let mut squares = Vec::with_capacity(64);
    for piece in Piece::ALL {
        for (number, row) in rows[piece as usize].iter().enumerate() {
            let square = layout.square_of_row(number);
            // The sets of one square in the order of their first occupancy. Each is a pair of two lines' sets, so its
            // number is made of theirs.
            let [first, second] =
                lines_through(piece, square).map(|line| line_sets(square, line, row.mask));
            let (first_distinct, first_numbers) = numbered(&first);
            let (second_distinct, second_numbers) = numbered(&second);
            for (&(occupied, _), &high) in first.iter().zip(&first_numbers) {
                for (&(also_occupied, _), &low) in second.iter().zip(&second_numbers) {
                    numbers[row.index(occupied | also_occupied)] =
                        (high * second_distinct.len() + low) as u8;
                }
            }
            let mut sets = Vec::with_capacity(first_distinct.len() * second_distinct.len());
            for &high in &first_distinct {
                for &low in &second_distinct {
                    sets.push(high | low);
                }
            }
            squares.push((sets, piece, number));
        }
    }
    squares.sort_by_key(|(sets, piece, number)| (sets.len(), *piece as usize, *number));
    let mut bases = [vec![0_u16; 32], vec![0_u16; 32]];
    let mut sets = Vec::new();
    for (of_square, piece, number) in squares {
        bases[piece as usize][number] = sets.len() as u16;
        sets.extend(of_square);
    }
    let mut tables = Vec::with_capacity(4);
    for (piece, bases) in Piece::ALL.into_iter().zip(bases) {
        tables.push(Table {
            name: bases_name(piece),
            doc: "Where the numbered sets of each square begin: `[square - 32]`.",
            shape: vec![32],
            values: Values::U16(bases),
        });
    }
    tables.push(Table {
        name: layout.store(Piece::Rook).0,
        doc: "The number of the attack set among those of its square: `[offset + key]`.",
        shape: vec![numbers.len()],
        values: Values::U8(numbers),
    });
    let doc = "The attack sets, each once, square after square: `[base + number]`.";
    tables.push(Table::of_u64(SETS, doc, &[sets.len()], sets));
    tables
}

/// The distinct sets of a line, in the order in which they first appear, and the number of each occupancy's.
fn numbered(sets: &[(u64, u64)]) -> (Vec<u64>, Vec<usize>) {
    let mut distinct: Vec<u64> = Vec::new();
    let numbers = sets.iter().map(|&(_, set)| {
        distinct
            .iter()
            .position(|&known| known == set)
            .unwrap_or_else(|| {
                distinct.push(set);
                distinct.len() - 1
            })
    });
    let numbers = numbers.collect();
    (distinct, numbers)
}

/// The masks of lines, and what is attacked along a rank.
fn pack_lines() -> Vec<Table> {
    let mut masks = Vec::with_capacity(64 * 3);
    for square in 0..64 {
        let [diagonal, antidiagonal] = lines_through(Piece::Bishop, square);
        let [_, file] = lines_through(Piece::Rook, square);
        masks.extend([diagonal, antidiagonal, file].map(|line| line & !(1 << square)));
    }
    vec![
        Table::of_u64(
            MASKS,
            "The diagonals (of steps 9 and 7) and the file through a square, without it: `[square][line]`.",
            &[64, 3],
            masks,
        ),
        Table {
            name: RANKS,
            doc: "What is attacked along a rank, by the occupancy of its six inner squares: `[file][inner]`.",
            shape: vec![8, 64],
            values: Values::U8(rank_attacks()),
        },
    ]
}

/// What is attacked along a rank, by file and by the occupancy of the six inner squares.
pub(crate) fn rank_attacks() -> Vec<u8> {
    let mut ranks = vec![0_u8; 8 * 64];
    for file in 0..8 {
        for (occupied, attacks) in line_sets(file, 0xff, 0x7e & !(1 << file)) {
            let inner = (occupied >> 1) as usize;
            ranks[64 * file + inner] = attacks as u8;
            // The slider's own square may be occupied or not.
            ranks[64 * file + (inner | (1 << file >> 1) & 63)] = attacks as u8;
        }
    }
    ranks
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
pub(crate) fn line_sets(square: usize, line: u64, mask: u64) -> Vec<(u64, u64)> {
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
    layout: Layout,
    piece: Piece,
    rows: &'a [Slider],
    stride: usize,
    slots: Slots<'a>,
}

/// What the slots of a table hold.
#[derive(Clone, Copy, Debug)]
enum Slots<'a> {
    /// The attack sets.
    Sets(&'a [u64]),
    /// Numbers of sets.
    Numbers {
        numbers: &'a [u8],
        bases: &'a [u16],
        sets: &'a [u64],
    },
    /// There are none.
    Lines { masks: &'a [u64], ranks: &'a [u8] },
}

impl<'a> Lookup<'a> {
    /// Finds a piece's tables among those of a layout.
    ///
    /// # Errors
    /// If one is absent, or has another size or type than the layout asks for.
    pub fn new(layout: Layout, piece: Piece, tables: &'a [Table]) -> Result<Lookup<'a>, Error> {
        let wrong_size = |name| Error::Table {
            name,
            reason: "is not as large as the layout says",
        };
        if layout == Layout::Tiny {
            let (masks, ranks) = (u64_values(tables, MASKS)?, u8_values(tables, RANKS)?);
            if masks.len() != 64 * 3 {
                return Err(wrong_size(MASKS));
            }
            if ranks.len() != 8 * 64 {
                return Err(wrong_size(RANKS));
            }
            return Ok(Lookup {
                layout,
                piece,
                rows: &[],
                stride: 0,
                slots: Slots::Lines { masks, ranks },
            });
        }
        let name = rows_name(piece);
        let rows = match &find(tables, name)?.values {
            Values::Sliders(rows) if rows.len() == layout.rows() => rows,
            _ => {
                return Err(Error::Table {
                    name,
                    reason: "does not hold the layout's rows of metadata",
                })
            }
        };
        let (name, stride) = layout.store(piece);
        let slots = if layout == Layout::Compact {
            let bases = match &find(tables, bases_name(piece))?.values {
                Values::U16(bases) if bases.len() == layout.rows() => bases,
                _ => return Err(wrong_size(bases_name(piece))),
            };
            Slots::Numbers {
                numbers: u8_values(tables, name)?,
                bases,
                sets: u64_values(tables, SETS)?,
            }
        } else {
            let sets = u64_values(tables, name)?;
            if stride != 0 && sets.len() != 64 * stride {
                return Err(wrong_size(name));
            }
            Slots::Sets(sets)
        };
        Ok(Lookup {
            layout,
            piece,
            rows,
            stride,
            slots,
        })
    }

    /// All rows of metadata.
    #[must_use]
    pub fn rows(&self) -> &'a [Slider] {
        self.rows
    }

    /// The row of metadata that serves a square, if the layout has such rows; its mask and offset are for the square of
    /// the row, which may be this one upside down.
    #[must_use]
    pub fn row(&self, square: usize) -> Option<&'a Slider> {
        self.rows.get(self.layout.row_of(square).0)
    }

    /// The squares whose occupancy the look-up takes into account.
    #[must_use]
    pub fn mask(&self, square: usize) -> u64 {
        let (number, upside_down) = self.layout.row_of(square);
        match (self.rows.get(number), self.slots) {
            (Some(row), _) if upside_down => row.mask.swap_bytes(),
            (Some(row), _) => row.mask,
            (None, Slots::Lines { masks, .. }) => match self.piece {
                Piece::Bishop => masks[3 * square] | masks[3 * square + 1],
                Piece::Rook => masks[3 * square + 2] | 0x7e << (square & !7),
            },
            (None, _) => 0,
        }
    }

    /// Where in the piece's table of slots a look-up reads, be that within the table or not; nowhere if there is none.
    #[must_use]
    pub fn slot(&self, square: usize, occupied: u64) -> Option<usize> {
        let (number, upside_down) = self.layout.row_of(square);
        let row = self.rows.get(number)?;
        let index = row.index(if upside_down {
            occupied.swap_bytes()
        } else {
            occupied
        });
        Some((square * self.stride).wrapping_add(index))
    }

    /// What the piece attacks, or nothing at all if the look-up would leave a table (or, with a stride, the square's
    /// own row of it).
    #[must_use]
    pub fn attacks(&self, square: usize, occupied: u64) -> Option<u64> {
        let (number, upside_down) = self.layout.row_of(square);
        let turned = if upside_down {
            occupied.swap_bytes()
        } else {
            occupied
        };
        let found = match self.slots {
            Slots::Sets(sets) => {
                let index = self.rows[number].index(turned);
                if self.stride != 0 && index >= self.stride {
                    return None;
                }
                let slot = (square * self.stride).wrapping_add(index);
                if slot >= sets.len() {
                    return None;
                }
                sets[slot]
            }
            Slots::Numbers {
                numbers,
                bases,
                sets,
            } => {
                let of_square = *numbers.get(self.rows[number].index(turned))?;
                *sets.get(bases[number] as usize + of_square as usize)?
            }
            Slots::Lines { masks, ranks } => {
                let lines = &masks[3 * square..3 * square + 3];
                match self.piece {
                    Piece::Bishop => {
                        line_attacks(square, lines[0], occupied)
                            | line_attacks(square, lines[1], occupied)
                    }
                    Piece::Rook => {
                        let first_of_row = square & !7;
                        let inner = (occupied >> (first_of_row + 1) & 63) as usize;
                        let row = u64::from(ranks[64 * (square & 7) + inner]) << first_of_row;
                        line_attacks(square, lines[2], occupied) | row
                    }
                }
            }
        };
        Some(if upside_down {
            found.swap_bytes()
        } else {
            found
        })
    }
}

/// What is attacked along a diagonal or a file: the same subtraction on the line and on its mirror image, in which
/// turning the rows over does for a mirror, because the line has one square in each row at most.
const fn line_attacks(square: usize, line: u64, occupied: u64) -> u64 {
    let occupied = occupied & line;
    let up = occupied.wrapping_sub(1_u64 << square << 1);
    let down = occupied
        .swap_bytes()
        .wrapping_sub(1_u64 << (square ^ 56) << 1);
    (up ^ down.swap_bytes()) & line
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

/// The values of a table of bytes.
///
/// # Errors
/// If there is no table of that name, or it holds something else.
pub fn u8_values<'a>(tables: &'a [Table], name: &'static str) -> Result<&'a [u8], Error> {
    match &find(tables, name)?.values {
        Values::U8(values) => Ok(values),
        _ => Err(Error::Table {
            name,
            reason: "does not hold bytes",
        }),
    }
}

/// The size of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Slots for attack sets or their numbers; if there are none, values of all tables.
    pub entries: usize,
    /// Slots that some look-up reads.
    pub used: usize,
    /// Bytes of attack sets and, if there are any, of their numbers.
    pub bytes: usize,
    /// Bytes of metadata besides.
    pub metadata_bytes: usize,
}

/// Measures the slider tables of a layout.
///
/// # Errors
/// If one is absent or unlike the layout.
pub fn size(layout: Layout, tables: &[Table]) -> Result<Size, Error> {
    let mut size = Size {
        entries: 0,
        used: 0,
        bytes: 0,
        metadata_bytes: 0,
    };
    if layout == Layout::Tiny {
        for name in [MASKS, RANKS] {
            let table = find(tables, name)?;
            size.entries += table.values.len();
            size.bytes += table.bytes();
        }
        size.used = size.entries;
        return Ok(size);
    }
    let mut names = Piece::ALL.map(|piece| layout.store(piece).0).to_vec();
    names.dedup();
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
    if layout == Layout::Compact {
        size.bytes += find(tables, SETS)?.bytes();
    }
    for piece in Piece::ALL {
        size.metadata_bytes += find(tables, rows_name(piece))?.bytes();
        if layout == Layout::Compact {
            size.metadata_bytes += find(tables, bases_name(piece))?.bytes();
        }
    }
    Ok(size)
}

fn mark_used(lookup: &Lookup<'_>, used: &mut [bool]) {
    for square in 0..64 {
        let mask = lookup.mask(square);
        let mut occupied = 0;
        loop {
            let slot = lookup.slot(square, occupied);
            if let Some(used) = slot.and_then(|slot| used.get_mut(slot)) {
                *used = true;
            }
            occupied = next_subset(occupied, mask);
            if occupied == 0 {
                break;
            }
        }
    }
}
