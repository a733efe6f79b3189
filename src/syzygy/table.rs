//! One table: what its head says, and the value of a position in it.
//!
//! A table is of one part, or of four where it has pawns, one for each file of the pawn that
//! leads; in a WDL table of unlike sides each part is there twice, for either side to move. All
//! numbers are little-endian unless said otherwise. The file holds, one after the other:
//!
//! 1. four bytes that tell the kind, and one of flags;
//! 2. of each part the order in which its groups of men are combined and its list of men, those
//!    of both sides to move in the halves of the same bytes;
//! 3. of each part what its compressed data look like: a code of words of different lengths (a
//!    canonical one, the longest words being the smallest as numbers), and the symbols that the
//!    words stand for, each a value or a pair of symbols;
//! 4. DTZ: of each part, if it has one, a map from the values to distances;
//! 5. of each part an index: for the middle of each span of positions its block and its place in
//!    that;
//! 6. of each part how many positions its blocks hold;
//! 7. of each part its blocks, of equal size: strings of words, read from the highest bit on;
//! 8. sixteen bytes of a check sum, which is not looked at here.
//!
//! Nothing that a table says is believed before it is checked: whatever the bytes are, a table
//! gives a value, right or wrong, or an error.

use super::index::{edge_file, leading_pawn, Layout, Leaders};
use super::material::{Material, MAX_MEN};
use super::Verdict;
use crate::board::Board;
use crate::read_at::ReadAt;
use crate::types::{Color, PieceType};
use core::fmt;

/// What a table tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Who wins: [`Verdict`].
    Wdl,
    /// How far it is to the next capture or pawn move of the side that wins.
    Dtz,
}

impl Kind {
    /// Both.
    pub const ALL: [Kind; 2] = [Kind::Wdl, Kind::Dtz];

    /// What the names of its files end with.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Kind::Wdl => "rtbw",
            Kind::Dtz => "rtbz",
        }
    }

    const fn magic(self) -> [u8; 4] {
        match self {
            Kind::Wdl => [0x71, 0xe8, 0x23, 0x5d],
            Kind::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

/// Why a table can't be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError<E> {
    /// It can't be read.
    Read(E),
    /// It doesn't begin as a table of its kind does.
    NotATable,
    /// It is shorter than it says.
    Truncated,
    /// What it says can't be; the part of it.
    Corrupt(&'static str),
    /// The memory lent for its symbols is too small.
    NoMemory {
        /// How many symbols it has.
        symbols: usize,
    },
}

impl<E: fmt::Display> fmt::Display for TableError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Read(error) => write!(f, "the table can't be read: {error}"),
            TableError::NotATable => f.write_str("not a Syzygy table of this kind"),
            TableError::Truncated => f.write_str("the table is cut off"),
            TableError::Corrupt(part) => write!(f, "the table is corrupt: {part}"),
            TableError::NoMemory { symbols } => {
                write!(f, "no memory for the table's {symbols} symbols")
            }
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for TableError<E> {}

/// A symbol of a table's code: a value, or two symbols. A table keeps its own in lent memory.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// The first symbol of a pair, or the value.
    left: u16,
    /// The second symbol of a pair, or [`LEAF`].
    right: u16,
    /// How many values it stands for; 0 while that is unknown.
    length: u16,
}

impl Symbol {
    /// A symbol without a meaning, to fill memory with.
    pub const NONE: Symbol = Symbol {
        left: 0,
        right: 0,
        length: 0,
    };
}

/// In place of a second symbol: this one is a value.
const LEAF: u16 = 0xfff;
/// The most values that a symbol stands for.
const MAX_SYMBOL_LENGTH: u16 = 256;
/// The longest word of a code, in bits.
const MAX_WORD_BITS: usize = 32;
/// Blocks and spans of more than two to this power are not believed.
const MAX_BLOCK_BITS: u8 = 20;
const MAX_SPAN_BITS: u8 = 30;
/// So many blocks are passed on the way from an index's block to the position's; more would be
/// a corrupt index.
const MAX_BLOCKS_PASSED: u32 = 1 << 16;
/// The check sum at a file's end.
const CHECK_SUM_BYTES: u64 = 16;
/// Where blocks begin.
const BLOCK_ALIGNMENT: u64 = 64;

// Flags of a table.
const IS_SPLIT: u8 = 1;
const HAS_PAWNS: u8 = 2;
// Flags of a part.
const BLACK_TO_MOVE: u8 = 1;
const IS_MAPPED: u8 = 2;
const WINS_IN_PLIES: u8 = 4;
const LOSSES_IN_PLIES: u8 = 8;
const IS_WIDE: u8 = 16;
const IS_SINGLE_VALUE: u8 = 128;

/// One part of a table, for one side to move.
#[derive(Clone, Copy)]
struct Part {
    flags: u8,
    layout: Layout,
    /// The value of all positions, if there is just one.
    single_value: u16,
    span_bits: u8,
    block_bits: u8,
    /// How many blocks there are.
    blocks: u32,
    /// Of how many blocks the length is told: some more, to end with.
    block_lengths: u64,
    min_word_bits: u32,
    /// How many lengths of words there are.
    word_lengths: usize,
    /// The first symbol of each length of word, the shortest first.
    first_symbol: [u16; MAX_WORD_BITS],
    /// The least word of each length, followed by zeros to 64 bits.
    least_word: [u64; MAX_WORD_BITS],
    /// Where its symbols begin in the table's memory, and how many there are.
    symbols_at: usize,
    symbols: usize,
    /// Places in the file.
    symbols_in_file: u64,
    index_at: u64,
    lengths_at: u64,
    blocks_at: u64,
    /// Where the distances of wins, losses, cursed wins and blessed losses are, and how many.
    maps: [(u64, u16); 4],
}

impl Part {
    const EMPTY: Part = Part {
        flags: 0,
        layout: Layout::EMPTY,
        single_value: 0,
        span_bits: 0,
        block_bits: 0,
        blocks: 0,
        block_lengths: 0,
        min_word_bits: 1,
        word_lengths: 0,
        first_symbol: [0; MAX_WORD_BITS],
        least_word: [0; MAX_WORD_BITS],
        symbols_at: 0,
        symbols: 0,
        symbols_in_file: 0,
        index_at: 0,
        lengths_at: 0,
        blocks_at: 0,
        maps: [(0, 0); 4],
    };

    const fn is_single_value(&self) -> bool {
        self.flags & IS_SINGLE_VALUE != 0
    }

    /// How many entries its index has.
    const fn spans(&self) -> u64 {
        if self.is_single_value() {
            0
        } else {
            self.layout.size.div_ceil(1 << self.span_bits)
        }
    }
}

/// A table that can be asked.
///
/// `R` is what it is read from, and `M` the memory that it keeps its symbols in: six bytes for
/// each, mostly some hundreds, at most 32,760. Of the file no more is read at once than a few
/// dozens of bytes.
pub struct Table<R, M> {
    source: R,
    symbols: M,
    kind: Kind,
    material: Material,
    /// `[file of the leading pawn][side to move]`
    parts: [[Part; 2]; 4],
}

impl<R: ReadAt, M: AsRef<[Symbol]> + AsMut<[Symbol]>> Table<R, M> {
    /// Reads the head of a table. `lend` is asked once for memory for so many symbols.
    ///
    /// # Errors
    ///
    /// If it is no such table or what it says can't be.
    pub fn new(
        source: R,
        kind: Kind,
        material: Material,
        lend: impl FnOnce(usize) -> M,
    ) -> Result<Table<R, M>, TableError<R::Error>> {
        let material = material.of_table();
        let mut parts = [[Part::EMPTY; 2]; 4];
        let mut head = Head {
            source: &source,
            at: 0,
            size: source.size().map_err(TableError::Read)?,
        };
        let symbols = head.read(kind, material, &mut parts)?;
        let mut memory = lend(symbols);
        let lent = memory.as_mut().get_mut(..symbols);
        let lent = lent.ok_or(TableError::NoMemory { symbols })?;
        for part in parts.iter().flatten() {
            head.read_symbols(part, lent)?;
        }
        Ok(Table {
            source,
            symbols: memory,
            kind,
            material,
            parts,
        })
    }
}

impl<R: ReadAt, M: AsRef<[Symbol]>> Table<R, M> {
    /// What it tells.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// What it is about, the stronger side first.
    #[must_use]
    pub const fn material(&self) -> Material {
        self.material
    }

    /// What a WDL table says of a position whose men are the table's. It is right where no capture
    /// does better: [`super::probe_wdl`].
    ///
    /// # Errors
    ///
    /// If the table can't be read or is corrupt.
    pub(super) fn verdict(&self, board: &Board) -> Result<Verdict, TableError<R::Error>> {
        let (part, _, index) = self.locate(board)?;
        Verdict::from_digit(self.value(part, index)?).ok_or(TableError::Corrupt("a verdict"))
    }

    /// How far a DTZ table says it is to the next capture or pawn move, in plies, at least 1, of
    /// a position with this verdict. It is right where that move is not the next: see
    /// [`super::probe_dtz`]. `None` if the table is about the other side to move.
    ///
    /// # Errors
    ///
    /// If the table can't be read or is corrupt.
    pub(super) fn distance(
        &self,
        board: &Board,
        verdict: Verdict,
    ) -> Result<Option<i32>, TableError<R::Error>> {
        let (part, side, index) = self.locate(board)?;
        let stored = Color::ALL[usize::from(part.flags & BLACK_TO_MOVE)];
        let has_pawns = matches!(
            self.material.count(Color::White, PieceType::Pawn)
                + self.material.count(Color::Black, PieceType::Pawn),
            1..
        );
        if side != stored && (has_pawns || !self.material.is_symmetric()) {
            return Ok(None);
        }
        let mut value = self.value(part, index)?;
        let (map, in_plies) = match verdict {
            Verdict::Win => (0, part.flags & WINS_IN_PLIES != 0),
            Verdict::Loss => (1, part.flags & LOSSES_IN_PLIES != 0),
            Verdict::CursedWin => (2, false),
            Verdict::BlessedLoss => (3, false),
            Verdict::Draw => return Ok(None),
        };
        if part.flags & IS_MAPPED != 0 {
            let (at, length) = part.maps[map];
            if value >= length {
                return Err(TableError::Corrupt("a distance"));
            }
            let mut bytes = [0; 2];
            let width: u64 = if part.flags & IS_WIDE != 0 { 2 } else { 1 };
            self.source
                .read_at(at + width * u64::from(value), &mut bytes[..width as usize])
                .map_err(TableError::Read)?;
            value = u16::from_le_bytes(bytes);
        }
        Ok(Some(i32::from(value) * if in_plies { 1 } else { 2 } + 1))
    }

    /// The part of the table that a position is in, the side to move with the table's colours,
    /// and the position's number there.
    fn locate(&self, board: &Board) -> Result<(&Part, Color, u64), TableError<R::Error>> {
        let us = board.side_to_move();
        let of_board = Material::of(board);
        if of_board.of_table() != self.material {
            return Err(TableError::Corrupt("asked for other men"));
        }
        let symmetric = self.material.is_symmetric();
        let exchanged = of_board != self.material || (symmetric && us == Color::Black);
        let (side, mask) = if exchanged {
            (us.opposite(), 56)
        } else {
            (us, 0)
        };
        // As the table sees them: a1 is 0, and its first side is white.
        let men = |piece: u8| {
            let white = piece & 8 == 0;
            let color = if white != exchanged {
                Color::White
            } else {
                Color::Black
            };
            let kind = PieceType::ALL[usize::from(piece & 7).saturating_sub(1).min(5)];
            let squares = board.of(color, kind).into_iter();
            squares.map(move |square| square.flip().index() as u8 ^ mask)
        };
        let mut squares = [0; MAX_MEN];
        let pieces = &self.parts[0][0].layout.pieces;
        let mut file = 0;
        if pieces[0] & 7 == 1 {
            let mut count = 0;
            for square in men(pieces[0]).take(MAX_MEN) {
                squares[count] = square;
                count += 1;
            }
            let leader = leading_pawn(&squares[..count]);
            squares.swap(0, leader);
            file = edge_file(squares[0]);
        }
        let part = &self.parts[file][if symmetric || self.kind == Kind::Dtz {
            0
        } else {
            side.index()
        }];
        let mut at = 0;
        while at < self.material.men() {
            let piece = part.layout.pieces[at];
            let mut next = at;
            // The leading pawns are there already.
            if at == 0 && piece & 7 == 1 {
                next += men(piece).count();
            } else {
                for square in men(piece) {
                    *squares
                        .get_mut(next)
                        .ok_or(TableError::Corrupt("its men"))? = square;
                    next += 1;
                }
            }
            at = next.max(at + 1);
        }
        Ok((part, side, part.layout.index(squares)))
    }

    /// The value of the position with this number.
    fn value(&self, part: &Part, index: u64) -> Result<u16, TableError<R::Error>> {
        if part.is_single_value() {
            return Ok(part.single_value);
        }
        let span = index >> part.span_bits;
        if index >= part.layout.size {
            return Err(TableError::Corrupt("a position's number"));
        }
        let mut entry = [0; 6];
        self.source
            .read_at(part.index_at + 6 * span, &mut entry)
            .map_err(TableError::Read)?;
        let [block @ .., low, high] = entry;
        let mut block = u64::from(u32::from_le_bytes(block));
        // How many values lie before the position's in its block.
        let in_span = (index & ((1 << part.span_bits) - 1)) as i64;
        let middle = 1_i64 << part.span_bits >> 1;
        let mut before = i64::from(u16::from_le_bytes([low, high])) + in_span - middle;
        let mut lengths = BlockLengths::new(&self.source, part);
        for _ in 0..MAX_BLOCKS_PASSED {
            if before < 0 {
                block = block
                    .checked_sub(1)
                    .ok_or(TableError::Corrupt("its index"))?;
                before += lengths.of(block)?;
            } else {
                let length = lengths.of(block)?;
                if before < length {
                    return self.value_in_block(part, block, before as u32);
                }
                before -= length;
                block += 1;
            }
        }
        Err(TableError::Corrupt("its index"))
    }

    /// The value in a block that has so many before it.
    fn value_in_block(
        &self,
        part: &Part,
        block: u64,
        mut before: u32,
    ) -> Result<u16, TableError<R::Error>> {
        const CORRUPT: &str = "a block";
        if block >= u64::from(part.blocks) {
            return Err(TableError::Corrupt(CORRUPT));
        }
        let symbols = &self.symbols.as_ref()[part.symbols_at..][..part.symbols];
        let begin = part.blocks_at + (block << part.block_bits);
        let mut words = Words::new(&self.source, begin, begin + (1 << part.block_bits));
        let mut symbol = loop {
            let number = words.next(part)?.ok_or(TableError::Corrupt(CORRUPT))?;
            let symbol = symbols.get(number).ok_or(TableError::Corrupt(CORRUPT))?;
            if before < u32::from(symbol.length) {
                break symbol;
            }
            before -= u32::from(symbol.length);
        };
        // Each step goes to a shorter symbol.
        while symbol.right != LEAF {
            let left = &symbols[usize::from(symbol.left)];
            symbol = if before < u32::from(left.length) {
                left
            } else {
                before -= u32::from(left.length);
                &symbols[usize::from(symbol.right)]
            };
        }
        Ok(symbol.left)
    }
}

/// The lengths of blocks, some of which are read at once.
struct BlockLengths<'a, R> {
    source: &'a R,
    at: u64,
    count: u64,
    /// The first block of those that have been read, if any.
    first: Option<u64>,
    bytes: [u8; 2 * BlockLengths::<()>::AT_ONCE as usize],
}

impl BlockLengths<'_, ()> {
    const AT_ONCE: u64 = 16;
}

impl<'a, R: ReadAt> BlockLengths<'a, R> {
    fn new(source: &'a R, part: &Part) -> BlockLengths<'a, R> {
        BlockLengths {
            source,
            at: part.lengths_at,
            count: part.block_lengths,
            first: None,
            bytes: [0; 2 * BlockLengths::AT_ONCE as usize],
        }
    }

    /// How many values the block holds: at least one.
    fn of(&mut self, block: u64) -> Result<i64, TableError<R::Error>> {
        if block >= self.count {
            return Err(TableError::Corrupt("its index"));
        }
        let first = block - block % BlockLengths::AT_ONCE;
        if self.first != Some(first) {
            let count = BlockLengths::AT_ONCE.min(self.count - first) as usize;
            self.source
                .read_at(self.at + 2 * first, &mut self.bytes[..2 * count])
                .map_err(TableError::Read)?;
            self.first = Some(first);
        }
        let at = 2 * (block - first) as usize;
        Ok(i64::from(u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])) + 1)
    }
}

/// The words of a block.
struct Words<'a, R> {
    source: &'a R,
    /// What is still to be read.
    at: u64,
    end: u64,
    /// What has been read, and how much of it has been used.
    buffer: [u8; 64],
    used: usize,
    /// The next bits, the first of them the highest, and how many they are; zeros follow.
    bits: u64,
    count: u32,
}

impl<'a, R: ReadAt> Words<'a, R> {
    fn new(source: &'a R, at: u64, end: u64) -> Words<'a, R> {
        let buffer = [0; 64];
        Words {
            source,
            at,
            end,
            buffer,
            used: buffer.len(),
            bits: 0,
            count: 0,
        }
    }

    /// The number of the symbol that the next word stands for; `None` behind the end.
    fn next(&mut self, part: &Part) -> Result<Option<usize>, TableError<R::Error>> {
        while self.count <= 32 && (self.used < self.buffer.len() || self.at < self.end) {
            if self.used == self.buffer.len() {
                // A block is shorter than the buffer, or of whole buffers.
                let length = (self.buffer.len() as u64).min(self.end - self.at) as usize;
                self.used = self.buffer.len() - length;
                self.source
                    .read_at(self.at, &mut self.buffer[self.used..])
                    .map_err(TableError::Read)?;
                self.at += length as u64;
            }
            self.bits |= u64::from(self.buffer[self.used]) << (56 - self.count);
            self.used += 1;
            self.count += 8;
        }
        // The last length has 0 for its least word.
        let lengths = &part.least_word[..part.word_lengths];
        let Some(length) = lengths.iter().position(|&least| self.bits >= least) else {
            return Ok(None);
        };
        let word_bits = part.min_word_bits + length as u32;
        if word_bits > self.count {
            return Ok(None);
        }
        let number = (self.bits - lengths[length]) >> (64 - word_bits);
        self.bits <<= word_bits;
        self.count -= word_bits;
        Ok(usize::try_from(number)
            .ok()
            .map(|number| number.saturating_add(usize::from(part.first_symbol[length]))))
    }
}

/// Reads the head of a table, from its beginning to its end.
struct Head<'a, R> {
    source: &'a R,
    at: u64,
    size: u64,
}

impl<R: ReadAt> Head<'_, R> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], TableError<R::Error>> {
        let mut bytes = [0; N];
        if self.size.saturating_sub(self.at) < N as u64 {
            return Err(TableError::Truncated);
        }
        self.source
            .read_at(self.at, &mut bytes)
            .map_err(TableError::Read)?;
        self.at += N as u64;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8, TableError<R::Error>> {
        self.bytes().map(|[byte]| byte)
    }

    fn u16(&mut self) -> Result<u16, TableError<R::Error>> {
        self.bytes().map(u16::from_le_bytes)
    }

    fn align(&mut self, to: u64) {
        self.at = self.at.next_multiple_of(to);
    }

    /// Passes over what is read later.
    fn skip(&mut self, bytes: u64) -> Result<u64, TableError<R::Error>> {
        let at = self.at;
        self.at = at
            .checked_add(bytes)
            .filter(|&end| end <= self.size)
            .ok_or(TableError::Truncated)?;
        Ok(at)
    }

    /// Reads all but the symbols; how many of them there are.
    fn read(
        &mut self,
        kind: Kind,
        material: Material,
        parts: &mut [[Part; 2]; 4],
    ) -> Result<usize, TableError<R::Error>> {
        let count = |color| material.count(color, PieceType::Pawn);
        let pawns = [count(Color::White), count(Color::Black)];
        let has_pawns = pawns != [0, 0];
        // Tables of other variants have other beginnings.
        if self.size < 5 || self.bytes()? != kind.magic() {
            return Err(TableError::NotATable);
        }
        let split = !material.is_symmetric();
        let flags = self.byte()?;
        if (flags & IS_SPLIT != 0, flags & HAS_PAWNS != 0) != (split, has_pawns) {
            return Err(TableError::Corrupt("its flags"));
        }
        if self.size % BLOCK_ALIGNMENT != CHECK_SUM_BYTES {
            return Err(TableError::Truncated);
        }
        let files = if has_pawns { 4 } else { 1 };
        let sides = if kind == Kind::Wdl && split { 2 } else { 1 };
        for (file, sides_parts) in parts[..files].iter_mut().enumerate() {
            self.read_men(material, pawns, file, &mut sides_parts[..sides])?;
        }
        let lead = parts[0][0].layout.pieces[0];
        let mut all = parts[..files]
            .iter()
            .flat_map(|sides_parts| &sides_parts[..sides]);
        if has_pawns && all.any(|part| part.layout.pieces[0] != lead) {
            return Err(TableError::Corrupt("its men"));
        }
        self.align(2);
        let parts = &mut parts[..files];
        let mut symbols = 0;
        for part in parts.iter_mut().flat_map(|parts| &mut parts[..sides]) {
            self.read_code(kind, part)?;
            part.symbols_at = symbols;
            symbols += part.symbols;
        }
        if kind == Kind::Dtz {
            for part in parts.iter_mut().flat_map(|parts| &mut parts[..sides]) {
                self.read_maps(part)?;
            }
            self.align(2);
        }
        for part in parts.iter_mut().flat_map(|parts| &mut parts[..sides]) {
            part.index_at = self.skip(part.spans().saturating_mul(6))?;
        }
        for part in parts.iter_mut().flat_map(|parts| &mut parts[..sides]) {
            part.lengths_at = self.skip(2 * part.block_lengths)?;
        }
        for part in parts.iter_mut().flat_map(|parts| &mut parts[..sides]) {
            self.align(BLOCK_ALIGNMENT);
            part.blocks_at = self.skip(u64::from(part.blocks) << part.block_bits)?;
        }
        self.align(BLOCK_ALIGNMENT);
        self.skip(CHECK_SUM_BYTES)?;
        Ok(symbols)
    }

    /// Step 2: the men of a file's part and the order of their groups.
    fn read_men(
        &mut self,
        material: Material,
        pawns: [usize; 2],
        file: usize,
        parts: &mut [Part],
    ) -> Result<(), TableError<R::Error>> {
        const CORRUPT: &str = "its men";
        let order = self.byte()?;
        let pawns_order = if pawns[0] > 0 && pawns[1] > 0 {
            self.byte()?
        } else {
            0xff
        };
        let men = material.men();
        let mut bytes = [0; MAX_MEN];
        for byte in &mut bytes[..men] {
            *byte = self.byte()?;
        }
        for (side, part) in parts.iter_mut().enumerate() {
            let half = |byte: u8| byte >> (4 * side) & 15;
            let pieces = bytes.map(half);
            let pieces = &pieces[..men];
            for color in Color::ALL {
                for kind in PieceType::ALL {
                    let code = kind as u8 + 1 + 8 * color as u8;
                    let found = pieces.iter().filter(|&&piece| piece == code).count();
                    if found != material.count(color, kind) {
                        return Err(TableError::Corrupt(CORRUPT));
                    }
                }
            }
            let alone = |color, kind| material.count(color, kind) == 1 && kind != PieceType::King;
            let leaders = if pawns == [0, 0] {
                let mut kinds = PieceType::ALL.into_iter();
                if kinds.any(|kind| Color::ALL.into_iter().any(|color| alone(color, kind))) {
                    Leaders::Three
                } else {
                    Leaders::Kings
                }
            } else {
                let lead = usize::from(pieces[0] >> 3);
                if pieces[0] & 7 != 1 || pawns[lead] == 0 {
                    return Err(TableError::Corrupt(CORRUPT));
                }
                Leaders::Pawns {
                    leading: pawns[lead],
                    other: pawns[1 - lead],
                }
            };
            let sound = match leaders {
                Leaders::Kings => pieces[0] & 7 == 6 && pieces[1] & 7 == 6,
                Leaders::Three => {
                    pieces[0] != pieces[1] && pieces[0] != pieces[2] && pieces[1] != pieces[2]
                }
                Leaders::Pawns { leading, other } => {
                    let all_pawns = |men: &[u8]| men.iter().all(|piece| piece & 7 == 1);
                    all_pawns(&pieces[..leading]) && all_pawns(&pieces[..leading + other])
                }
            };
            let orders = [half(order), half(pawns_order)];
            part.layout = Some(leaders)
                .filter(|_| sound)
                .and_then(|leaders| Layout::new(pieces, leaders, orders, file))
                .ok_or(TableError::Corrupt(CORRUPT))?;
        }
        Ok(())
    }

    /// Step 3: the code of a part. Its symbols are passed over.
    fn read_code(&mut self, kind: Kind, part: &mut Part) -> Result<(), TableError<R::Error>> {
        const CORRUPT: &str = "its code";
        part.flags = self.byte()?;
        if part.is_single_value() {
            let value = self.byte()?;
            part.single_value = if kind == Kind::Wdl { value.into() } else { 0 };
            return Ok(());
        }
        part.block_bits = self.byte()?;
        part.span_bits = self.byte()?;
        let more_lengths = self.byte()?;
        part.blocks = u32::from_le_bytes(self.bytes()?);
        part.block_lengths = u64::from(part.blocks) + u64::from(more_lengths);
        let [max_bits, min_bits] = self.bytes()?;
        let bits = 1..=MAX_WORD_BITS as u8;
        if part.block_bits > MAX_BLOCK_BITS
            || part.span_bits > MAX_SPAN_BITS
            || !bits.contains(&min_bits)
            || !bits.contains(&max_bits)
            || min_bits > max_bits
        {
            return Err(TableError::Corrupt(CORRUPT));
        }
        part.min_word_bits = u32::from(min_bits);
        part.word_lengths = usize::from(max_bits - min_bits) + 1;
        for first in &mut part.first_symbol[..part.word_lengths] {
            *first = self.u16()?;
        }
        // The words of a length follow those that begin the longer ones: two longer words make
        // room for one that is a bit shorter.
        for length in (0..part.word_lengths - 1).rev() {
            let more = u64::from(part.first_symbol[length]);
            let less = u64::from(part.first_symbol[length + 1]);
            let longer = part.least_word[length + 1];
            part.least_word[length] = longer.wrapping_add(more).wrapping_sub(less) / 2;
        }
        for (length, least) in part.least_word[..part.word_lengths].iter_mut().enumerate() {
            *least <<= 64 - part.min_word_bits - length as u32;
        }
        part.symbols = usize::from(self.u16()?);
        if part.symbols > usize::from(LEAF) {
            return Err(TableError::Corrupt(CORRUPT));
        }
        part.symbols_in_file = self.skip(3 * part.symbols as u64)?;
        self.align(2);
        Ok(())
    }

    /// Step 4: where a part's distances are.
    fn read_maps(&mut self, part: &mut Part) -> Result<(), TableError<R::Error>> {
        if part.flags & IS_MAPPED == 0 {
            return Ok(());
        }
        let wide = part.flags & IS_WIDE != 0;
        if wide {
            self.align(2);
        }
        for map in &mut part.maps {
            let length = if wide {
                self.u16()?
            } else {
                self.byte()?.into()
            };
            let width = if wide { 2 } else { 1 };
            *map = (self.skip(width * u64::from(length))?, length);
        }
        Ok(())
    }

    /// Reads the symbols of a part into the table's memory, and finds how long they are.
    fn read_symbols(
        &mut self,
        part: &Part,
        memory: &mut [Symbol],
    ) -> Result<(), TableError<R::Error>> {
        const CORRUPT: &str = "its symbols";
        const AT_ONCE: usize = 32;
        let symbols = &mut memory[part.symbols_at..][..part.symbols];
        let mut at = part.symbols_in_file;
        for some in symbols.chunks_mut(AT_ONCE) {
            let mut bytes = [0; 3 * AT_ONCE];
            let bytes = &mut bytes[..3 * some.len()];
            self.source.read_at(at, bytes).map_err(TableError::Read)?;
            at += bytes.len() as u64;
            for (symbol, three) in some.iter_mut().zip(bytes.chunks_exact(3)) {
                let [low, middle, high] = [three[0], three[1], three[2]].map(u16::from);
                let right = middle >> 4 | high << 4;
                *symbol = Symbol {
                    left: low | (middle & 15) << 8,
                    right,
                    length: u16::from(right == LEAF),
                };
            }
        }
        // A pair may come before what it is made of: as many rounds as pairs lie in each other.
        // Where a symbol is a part of itself, a round finds nothing.
        let mut unknown = symbols.iter().filter(|symbol| symbol.length == 0).count();
        while unknown > 0 {
            let before = unknown;
            for at in 0..symbols.len() {
                let symbol = symbols[at];
                if symbol.length != 0 {
                    continue;
                }
                let length = |half: u16| symbols.get(usize::from(half)).map(|half| half.length);
                let halves = (length(symbol.left), length(symbol.right));
                let (Some(left), Some(right)) = halves else {
                    return Err(TableError::Corrupt(CORRUPT));
                };
                if left != 0 && right != 0 {
                    if left + right > MAX_SYMBOL_LENGTH {
                        return Err(TableError::Corrupt(CORRUPT));
                    }
                    symbols[at].length = left + right;
                    unknown -= 1;
                }
            }
            if unknown == before {
                return Err(TableError::Corrupt(CORRUPT));
            }
        }
        Ok(())
    }
}
