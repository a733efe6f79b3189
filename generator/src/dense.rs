//! The dense search: magics that waste as few slots as can be.
//!
//! Two occupancies with one attack set may share a key. A magic that makes many of them do so *uses* few slots; the
//! rest are holes for other squares to fill (see [`crate::overlap`]). The magics that are built in every build
//! ([`crate::magic`]) share nothing, so they cannot be dense. These here are searched for once, for as long as one
//! likes, and kept in a file that is part of the crate; what is found is ours, and each build proves it again.
//!
//! Two methods take turns, both new to us in this form, though the first has a forerunner in Niklas Fiekas's division of
//! a magic into prefixes.
//!
//! **The beam.** Order the mask's bits from the highest to the lowest. The product of the highest one with a magic shows
//! only the magic's lowest bits in a word of 64, the next one shows some more, and so on: with the low bits of a magic
//! the keys of all occupancies of the high bits of the mask are settled once and for all. So a magic is grown from its
//! low end. At each step every prefix is continued in all ways; what sends two different attack sets to one key is
//! dropped at once; of the rest those are kept that use the fewest slots, and a share drawn blindly, because what is
//! densest early is often what finds no way on. Corners of the rook yield to this: from 4,096 slots to some 1,900 in
//! seconds.
//!
//! **The climb.** A magic is changed in a bit or two; the change is kept if the magic is still one and does not use
//! more slots, or not many more, the allowance shrinking as time goes by.
//!
//! Other beams go for other ends. A wide one keeps so many prefixes that it finds keys of *one bit less* than the mask,
//! for some rooks too. And a beam may run between walls: keys with certain remainders by 32 are forbidden. Thereby rooks
//! become *combs*, with gaps at equal distances, or *guests*, whose longer keys lie in such gaps and nowhere else, and
//! bishops get *spread* keys, multiples of 8 only, or of 16 or 32. How all these are fitted together is told in
//! [`crate::packing`].
//!
//! The work is cut into [`job`]s, each of which depends on its number and the seed alone. So it does not matter in what
//! order or on how many machines they are done, and what was interrupted can be taken up again: the best of what all
//! jobs found is the same.

use std::fmt::Write;

use crate::geometry::{relevant_mask, slow_attacks, square_name, Piece};
use crate::layout::Layout;
use crate::magic::{self, Magic};
use crate::packing;
use crate::random::{Choices, Purpose, Streams};
use crate::table::Slider;

/// The magics found so far, part of the crate. They are found again, in ten seconds on one core, by
/// `kirin-generator search --out dense.txt --seed 1 --piece bishop --budget 300M`.
const FILE: &str = include_str!("../data/dense.txt");

/// One magic for each square, and its place among the others; what `overlapped` is made of. The head of the file says
/// which searches it was chosen from, and `data/repeat.sh` is all of them, ready to be run again.
const CHOSEN: &str = include_str!("../data/chosen.txt");

/// The same for `folded` and `compact`, from the same searches.
const CHOSEN_FOLDED: &str = include_str!("../data/chosen_folded.txt");

/// How many magics of one square and one size of key are kept.
pub const KEPT: usize = 8;

/// The most bits that a key may have: those of a corner rook's mask, and three more.
pub const MAX_BITS: u32 = magic::MAX_BITS + 3;

/// What a magic is wanted for.
#[derive(Clone, Debug)]
pub struct Target {
    /// The piece.
    pub piece: Piece,
    /// Its square.
    pub square: usize,
    /// The bits of the key.
    pub bits: u32,
    /// Keys that are not wanted: those whose remainder by 32 is one of these, a bit for each.
    pub walls: u32,
    /// The bits of the mask by number, the highest first.
    places: Vec<u32>,
    /// The number of the attack set of each occupancy; bit `i` of an index stands for `places[i]`.
    sets: Vec<u8>,
    /// The same, the lowest place first.
    sets_upward: Vec<u8>,
    /// How many attack sets there are.
    distinct: u32,
}

/// A magic that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// The piece, as a number in [`Piece::ALL`].
    pub piece: usize,
    /// Its square.
    pub square: usize,
    /// The bits of the key.
    pub bits: u32,
    /// The slots that are used.
    pub used: u32,
    /// The magic.
    pub magic: u64,
}

impl Candidate {
    /// Its row of metadata, with an offset.
    #[must_use]
    pub fn row(&self, offset: u32) -> Slider {
        Slider {
            mask: relevant_mask(Piece::ALL[self.piece], self.square),
            magic: self.magic,
            offset,
            shift: 64 - self.bits,
        }
    }
}

const FREE: u8 = u8::MAX;

/// What a slot holds that is not wanted; no set has this number.
const WALL: u8 = u8::MAX - 1;

impl Target {
    /// A target; the bits of the key are those of the mask, less `fewer`.
    #[must_use]
    pub fn new(piece: Piece, square: usize, fewer: u32) -> Target {
        let mask = relevant_mask(piece, square);
        let mut places = Vec::new();
        for place in (0..64).rev() {
            if mask >> place & 1 != 0 {
                places.push(place);
            }
        }
        let count = places.len();
        let mut known: Vec<u64> = Vec::new();
        let mut sets = Vec::with_capacity(1 << count);
        for subset in 0..1_usize << count {
            let occupied = (0..count)
                .filter(|bit| subset >> bit & 1 != 0)
                .fold(0, |set, bit| set | 1 << places[bit]);
            let attacks = slow_attacks(piece, square, occupied);
            let number = known
                .iter()
                .position(|&set| set == attacks)
                .unwrap_or_else(|| {
                    known.push(attacks);
                    known.len() - 1
                });
            sets.push(number as u8);
        }
        let turn = |subset: usize| {
            (0..count).fold(0, |turned, bit| {
                turned | (subset >> bit & 1) << (count - 1 - bit)
            })
        };
        let sets_upward = (0..1 << count).map(|subset| sets[turn(subset)]).collect();
        Target {
            piece,
            square,
            bits: mask.count_ones() - fewer,
            walls: 0,
            places,
            sets,
            sets_upward,
            distinct: known.len() as u32,
        }
    }

    /// How many attack sets there are: no magic can use fewer slots.
    #[must_use]
    pub fn distinct(&self) -> u32 {
        self.distinct
    }

    fn shift(&self) -> u32 {
        64 - self.bits
    }

    /// How many slots a magic uses, if it is one.
    #[must_use]
    pub fn used(&self, magic: u64) -> Option<u32> {
        Trial::new(self).used(magic, u32::MAX)
    }

    fn candidate(&self, magic: u64, used: u32) -> Candidate {
        Candidate {
            piece: self.piece as usize,
            square: self.square,
            bits: self.bits,
            used,
            magic,
        }
    }
}

/// Room for trying one magic after the other.
struct Trial<'a> {
    target: &'a Target,
    products: Vec<u64>,
    /// Which try last used a slot, and for which set.
    stamps: Vec<u32>,
    sets: Vec<u8>,
    tries: u32,
}

impl<'a> Trial<'a> {
    fn new(target: &'a Target) -> Trial<'a> {
        Trial {
            target,
            products: vec![0; target.sets.len()],
            stamps: vec![0; 1 << target.bits],
            sets: vec![0; 1 << target.bits],
            tries: 0,
        }
    }

    /// How many slots a magic uses; nothing if it is none, or uses more than `limit`.
    fn used(&mut self, magic: u64, limit: u32) -> Option<u32> {
        self.tries += 1;
        let (target, stamp) = (self.target, self.tries);
        let shift = target.shift();
        self.stamps[0] = stamp;
        self.sets[0] = target.sets_upward[0];
        let mut used = 1;
        for (bit, &place) in target.places.iter().rev().enumerate() {
            let addend = magic << place;
            let half = 1 << bit;
            for low in 0..half {
                let product = self.products[low].wrapping_add(addend);
                self.products[low + half] = product;
                let key = (product >> shift) as usize;
                let set = target.sets_upward[low + half];
                if self.stamps[key] != stamp {
                    self.stamps[key] = stamp;
                    self.sets[key] = set;
                    used += 1;
                    if used > limit {
                        return None;
                    }
                } else if self.sets[key] != set {
                    return None;
                }
            }
        }
        Some(used)
    }
}

/// The climb: `tests` changes of a magic, with an allowance of `heat` sixteenths of a slot, on average, at first.
pub fn climb(
    target: &Target,
    start: u64,
    tests: u32,
    heat: u64,
    choices: &mut Choices,
    found: &mut Best,
) {
    let mut trial = Trial::new(target);
    let Some(mut used) = trial.used(start, u32::MAX) else {
        return;
    };
    let mut magic = start;
    found.add(target.candidate(magic, used));
    for test in 0..tests {
        let word = choices.next_u64();
        let bit = |number: u32| 1_u64 << (word >> (8 + 6 * number) & 63);
        let changed = match word & 3 {
            0 => magic ^ bit(0),
            1 => magic ^ (bit(0) | bit(1)),
            2 => magic.wrapping_add(bit(0)),
            _ if word >> 40 & 1 != 0 => magic.wrapping_sub(bit(0)) ^ bit(1),
            _ => magic.wrapping_sub(bit(0)),
        };
        // Half of the time nothing, a quarter of the time once the heat, and so on.
        let luck = u64::from((word >> 41 | 1).leading_zeros() - 41);
        let allowance = heat * luck * u64::from(tests - test) / u64::from(tests) / 16;
        if let Some(now) = trial.used(changed, used + allowance as u32) {
            magic = changed;
            if now < used {
                found.add(target.candidate(magic, now));
            }
            used = now;
        }
    }
}

/// The size of a beam.
#[derive(Clone, Copy, Debug)]
pub struct Beam {
    /// Continuations tried at each step, more or less.
    pub work: u64,
    /// Prefixes kept at each step at most.
    pub width: usize,
    /// How many of a hundred of those are drawn blindly.
    pub blind: usize,
}

/// A prefix, in order of preference.
type Prefix = (u32, u32, u64);

/// Keeps the smallest of what it is given, and says from what on nothing more is wanted.
struct Sieve {
    room: usize,
    kept: Vec<Prefix>,
    limit: u32,
}

impl Sieve {
    fn new(room: usize) -> Sieve {
        Sieve {
            room,
            kept: Vec::new(),
            limit: u32::MAX,
        }
    }

    fn add(&mut self, prefix: Prefix) {
        if self.room == 0 || prefix.0 > self.limit {
            return;
        }
        self.kept.push(prefix);
        if self.kept.len() >= 4 * self.room + 1024 {
            self.shrink();
            self.limit = self.kept.iter().map(|prefix| prefix.0).max().unwrap_or(0);
        }
    }

    fn shrink(&mut self) {
        if self.kept.len() > self.room {
            self.kept.select_nth_unstable(self.room - 1);
            self.kept.truncate(self.room);
        }
    }
}

/// The beam search; what it finds at the end is added, the densest first.
pub fn beam(target: &Target, size: Beam, choices: &mut Choices, found: &mut Best) {
    let shift = target.shift();
    let mut prefixes = vec![0_u64];
    let mut known_bits = 0;
    let mut slots = vec![FREE; 1 << target.bits];
    for (key, slot) in slots.iter_mut().enumerate() {
        if target.walls >> (key & 31) & 1 != 0 {
            *slot = WALL;
        }
    }
    let mut products = vec![0_u64; target.sets.len()];
    let mut touched = Vec::new();
    for (step, &place) in target.places.iter().enumerate() {
        let new_bits = 64 - place - known_bits;
        let next_bits = match target.places.get(step + 1) {
            Some(next) => place - next,
            None => 0,
        };
        let last = step + 1 == target.places.len();
        let room = (size.work >> next_bits).clamp(1, size.width as u64) as usize;
        let blind = if last { 0 } else { room * size.blind / 100 };
        let mut dense = Sieve::new(room - blind);
        let mut drawn = Sieve::new(blind);
        let half = 1_usize << step;
        // All continuations, if they are not too many, as they can be for the first place of a mask that begins low.
        let all = new_bits < 64 && 1 << new_bits <= size.work;
        let tries = if all { 1 << new_bits } else { size.work };
        for &prefix in &prefixes {
            products[0] = 0;
            for (bit, &place) in target.places[..step].iter().enumerate() {
                for low in 0..1 << bit {
                    products[low + (1 << bit)] = products[low].wrapping_add(prefix << place);
                }
            }
            let mut before = 0;
            for (&product, &set) in products[..half].iter().zip(&target.sets) {
                let slot = &mut slots[(product >> shift) as usize];
                before += u32::from(*slot == FREE);
                *slot = set;
            }
            for number in 0..tries {
                let more = if all {
                    number
                } else {
                    choices.next_u64() >> (64 - new_bits)
                };
                let longer = prefix | more << known_bits;
                let addend = longer << place;
                let limit = if blind == 0 { dense.limit } else { u32::MAX };
                let mut used = before;
                let mut good = true;
                for (&product, &set) in products[..half].iter().zip(&target.sets[half..]) {
                    let key = (product.wrapping_add(addend) >> shift) as usize;
                    if slots[key] != set {
                        if slots[key] != FREE {
                            good = false;
                            break;
                        }
                        slots[key] = set;
                        touched.push(key);
                        used += 1;
                        if used > limit {
                            good = false;
                            break;
                        }
                    }
                }
                for key in touched.drain(..) {
                    slots[key] = FREE;
                }
                if good {
                    let (a, b) = (choices.next_u32(), choices.next_u32());
                    dense.add((used, a, longer));
                    drawn.add((b, used, longer));
                }
            }
            for &product in &products[..half] {
                slots[(product >> shift) as usize] = FREE;
            }
        }
        known_bits += new_bits;
        dense.shrink();
        drawn.shrink();
        prefixes = dense.kept.iter().map(|prefix| prefix.2).collect();
        if last {
            for (used, _, magic) in dense.kept {
                found.add(target.candidate(magic, used));
            }
            return;
        }
        prefixes.extend(drawn.kept.iter().map(|prefix| prefix.2));
        prefixes.sort_unstable();
        prefixes.dedup();
    }
}

/// The best of what was found, a few for each square and size of key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Best {
    /// In order; see [`Candidate`].
    list: Vec<Candidate>,
}

impl Best {
    /// Takes a candidate in, if it is among the best of its kind.
    pub fn add(&mut self, candidate: Candidate) {
        let Err(at) = self.list.binary_search(&candidate) else {
            return;
        };
        let kind = |other: &Candidate| (other.piece, other.square, other.bits);
        let start = self
            .list
            .partition_point(|other| kind(other) < kind(&candidate));
        if at - start >= KEPT {
            return;
        }
        self.list.insert(at, candidate);
        let beyond = start + KEPT;
        if self
            .list
            .get(beyond)
            .is_some_and(|other| kind(other) == kind(&candidate))
        {
            self.list.remove(beyond);
        }
    }

    /// Takes in all that another holds.
    pub fn merge(&mut self, other: &Best) {
        for &candidate in &other.list {
            self.add(candidate);
        }
    }

    /// All candidates, in order.
    #[must_use]
    pub fn list(&self) -> &[Candidate] {
        &self.list
    }

    /// The candidates of a square, those that use the fewest slots first.
    #[must_use]
    pub fn of(&self, piece: Piece, square: usize) -> Vec<Candidate> {
        let mut list: Vec<Candidate> = self
            .list
            .iter()
            .copied()
            .filter(|candidate| candidate.piece == piece as usize && candidate.square == square)
            .collect();
        list.sort_by_key(|candidate| (candidate.used, candidate.bits, candidate.magic));
        list
    }

    /// The sum of the slots that the densest magic of each square uses; all slots of the mask where none is known.
    #[must_use]
    pub fn floor(&self) -> u32 {
        let mut sum = 0;
        for piece in Piece::ALL {
            for square in 0..64 {
                let standard = 1 << relevant_mask(piece, square).count_ones();
                sum += self
                    .of(piece, square)
                    .first()
                    .map_or(standard, |candidate| candidate.used);
            }
        }
        sum
    }

    /// A line for each candidate: piece, square, magic, bits of key, slots used.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for candidate in &self.list {
            let _ = writeln!(
                text,
                "{} {} {:#018x} {} {}",
                Piece::ALL[candidate.piece].name(),
                square_name(candidate.square),
                candidate.magic,
                candidate.bits,
                candidate.used
            );
        }
        text
    }

    /// Reads such lines; empty ones and those that begin with `#` say nothing.
    ///
    /// # Errors
    /// The number of the first line that cannot be read, and why. Whether a line is true is asked by [`Best::check`].
    pub fn parse(text: &str) -> Result<Best, (usize, String)> {
        let mut best = Best::default();
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match parse_line(line) {
                Some(candidate) => best.add(candidate),
                None => {
                    return Err((
                        number + 1,
                        format!("{line:?} is not piece, square, magic, bits, slots used"),
                    ))
                }
            }
        }
        Ok(best)
    }

    /// Tries every candidate again.
    ///
    /// # Errors
    /// The first one that does not use as many slots as it says, or is no magic at all.
    pub fn check(&self) -> Result<(), Candidate> {
        for candidate in &self.list {
            let piece = Piece::ALL[candidate.piece];
            let mut target = Target::new(piece, candidate.square, 0);
            target.bits = candidate.bits;
            if target.used(candidate.magic) != Some(candidate.used) {
                return Err(*candidate);
            }
        }
        Ok(())
    }
}

fn parse_line(line: &str) -> Option<Candidate> {
    let mut words = line.split_whitespace();
    let piece = words.next()?;
    let piece = Piece::ALL
        .iter()
        .position(|candidate| candidate.name() == piece)?;
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = words.next()?.as_bytes() else {
        return None;
    };
    let square = 8 * usize::from(b'8' - rank) + usize::from(file - b'a');
    let magic = u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
    let bits = words.next()?.parse().ok()?;
    let used = words.next()?.parse().ok()?;
    if !(1..=MAX_BITS).contains(&bits) || words.next().is_some() {
        return None;
    }
    Some(Candidate {
        piece,
        square,
        bits,
        used,
        magic,
    })
}

/// The magics that are part of the crate.
///
/// # Panics
/// If the file cannot be read, which a test excludes.
#[must_use]
pub fn known() -> Best {
    let mut known = Best::parse(FILE).expect("a test has read the file");
    for layout in [Layout::Overlapped, Layout::Folded] {
        for (candidate, _) in Chosen::of(layout).list() {
            known.add(*candidate);
        }
    }
    known
}

/// What there is to choose from for a packed table of a layout, out of what searches found.
#[must_use]
pub fn squares(layout: Layout, found: &[Best]) -> Vec<packing::Square> {
    let mut squares = Vec::with_capacity(2 * layout.rows());
    for piece in Piece::ALL {
        for row in 0..layout.rows() {
            let square = layout.square_of_row(row);
            let of_square = found.iter().flat_map(|best| best.of(piece, square));
            squares.push(packing::Square {
                piece,
                square,
                rows: of_square.map(|candidate| candidate.row(0)).collect(),
            });
        }
    }
    squares
}

/// A line for each square of a packed table: as [`Best::to_text`], and the offset.
#[must_use]
pub fn packed_to_text(squares: &[packing::Square], packed: &packing::Packed) -> String {
    let mut text = String::new();
    for (of, row) in squares.iter().zip(&packed.rows) {
        let mut best = Best::default();
        let mut target = Target::new(of.piece, of.square, 0);
        target.bits = 64 - row.shift;
        best.add(target.candidate(row.magic, target.used(row.magic).unwrap_or(0)));
        let _ = writeln!(text, "{} {}", best.to_text().trim_end(), row.offset);
    }
    text
}

/// Magics that were chosen to lie in one table, each with its offset.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    list: Vec<(Candidate, u32)>,
}

impl Chosen {
    /// Those that a layout is made of: none, unless its squares fill each other's holes.
    ///
    /// # Panics
    /// If the file cannot be read, which a test excludes.
    #[must_use]
    pub fn of(layout: Layout) -> Chosen {
        let text = match layout {
            Layout::Overlapped => CHOSEN,
            Layout::Folded | Layout::Compact => CHOSEN_FOLDED,
            Layout::Plain | Layout::Fancy | Layout::Tiny => "",
        };
        Chosen::parse(text).expect("a test has read the file")
    }

    /// Reads lines as [`packed_to_text`] writes them; empty ones and those that begin with `#` say nothing.
    ///
    /// # Errors
    /// The number of the first line that cannot be read.
    pub fn parse(text: &str) -> Result<Chosen, usize> {
        let mut list = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let placed = line
                .rsplit_once(' ')
                .and_then(|(line, offset)| Some((parse_line(line)?, offset.parse().ok()?)));
            list.push(placed.ok_or(number + 1)?);
        }
        Ok(Chosen { list })
    }

    /// All of them, each with its offset.
    #[must_use]
    pub fn list(&self) -> &[(Candidate, u32)] {
        &self.list
    }

    fn of_square(&self, piece: Piece, square: usize) -> Option<&(Candidate, u32)> {
        self.list
            .iter()
            .find(|(candidate, _)| (candidate.piece, candidate.square) == (piece as usize, square))
    }

    /// Where a square is to lie, if its magic is the chosen one.
    #[must_use]
    pub fn place(&self, piece: Piece, square: usize, magic: &Magic) -> Option<u32> {
        let (chosen, offset) = self.of_square(piece, square)?;
        let same = chosen.magic & seen(magic.mask) == magic.magic & seen(magic.mask);
        (same && chosen.bits == 64 - magic.shift).then_some(*offset)
    }
}

/// The bits of a magic that look-ups see; all others are moved out even by the lowest bit of the mask.
fn seen(mask: u64) -> u64 {
    u64::MAX >> mask.trailing_zeros()
}

/// Puts denser magics in the place of those that were built, wherever one was chosen for the layout.
///
/// Bits that no look-up sees are the seed's too.
pub fn thin(seed: u64, layout: Layout, magics: &mut [Vec<Magic>; 2]) {
    let chosen = Chosen::of(layout);
    let mut words = Streams::new(seed).stream(Purpose::Dense, 0);
    for piece in Piece::ALL {
        for (square, magic) in magics[piece as usize].iter_mut().enumerate() {
            let word = words.next_u64();
            if let Some((chosen, _)) = chosen.of_square(piece, square) {
                let seen = seen(magic.mask);
                magic.magic = chosen.magic & seen | word & !seen;
                magic.shift = 64 - chosen.bits;
            }
        }
    }
}

/// What a search is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Chooses all that is drawn.
    pub seed: u64,
    /// The pieces and squares that magics are wanted for.
    pub targets: Vec<(Piece, usize)>,
    /// Magics to set out from besides those that are built.
    pub start: Best,
    /// What keys are wanted.
    pub keys: Keys,
}

/// What keys a search is after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keys {
    /// Any that use few slots.
    #[default]
    Any,
    /// Those of one bit less than the mask.
    Short,
    /// Those that leave two whole remainders by 8 free, so far apart; at 0 it is one.
    Comb(u32),
    /// Those of two bits more than the mask, all of them of two remainders by 8, so far apart: they run in the gaps of
    /// combs.
    Guest(u32),
    /// Those of three bits more than the mask, all of them multiples of 8: they fit into any gap of a comb.
    Spread,
    /// Those of four bits more than the mask, all of them multiples of 16.
    Spread16,
    /// Those of five bits more than the mask, all of them multiples of 32.
    Spread32,
    /// Those of four bits more than the mask, all of them multiples of 32, or such and 8.
    Pairs,
}

impl Keys {
    /// All of them.
    pub const ALL: [Keys; 13] = [
        Keys::Any,
        Keys::Short,
        Keys::Comb(0),
        Keys::Comb(1),
        Keys::Comb(2),
        Keys::Comb(4),
        Keys::Guest(1),
        Keys::Guest(2),
        Keys::Guest(4),
        Keys::Spread,
        Keys::Spread16,
        Keys::Spread32,
        Keys::Pairs,
    ];

    /// Its name in options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Keys::Any => "any",
            Keys::Short => "short",
            Keys::Comb(0) => "comb0",
            Keys::Comb(1) => "comb1",
            Keys::Comb(2) => "comb2",
            Keys::Comb(_) => "comb4",
            Keys::Guest(1) => "guest1",
            Keys::Guest(2) => "guest2",
            Keys::Guest(_) => "guest4",
            Keys::Spread => "spread",
            Keys::Spread16 => "spread16",
            Keys::Spread32 => "spread32",
            Keys::Pairs => "pairs",
        }
    }
}

/// Tests in one climb, and tests that one step of a beam may take.
const CLIMB_TESTS: u32 = 1 << 18;
const BEAM_WORK: u64 = 1 << 18;

/// Tests that one step of a wide beam may take, prefixes that it keeps, and how many of a hundred of those it draws
/// blindly, one wide beam of a square after the other.
const WIDE_WORK: u64 = 1 << 26;
const WIDE_WIDTH: usize = 10_000_000;
const WIDE_BLIND: [usize; 4] = [10, 30, 0, 50];

/// What kinds of jobs there are, in the order of the rounds.
const ROUND: [Kind; 4] = [Kind::Climb, Kind::Beam, Kind::Again, Kind::Fewer];

/// The sizes of the beams between walls, one round after the other; then again, with other numbers drawn.
const WALLED_BEAMS: [Beam; 3] = [
    Beam {
        work: 1 << 19,
        width: 100_000,
        blind: 30,
    },
    Beam {
        work: 1 << 22,
        width: 200_000,
        blind: 30,
    },
    Beam {
        work: 1 << 24,
        width: 1_000_000,
        blind: 30,
    },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A climb from a magic that was built.
    Climb,
    /// A beam, and climbs from what it finds.
    Beam,
    /// A climb from a known magic, of this square or of a neighbour, moved over.
    Again,
    /// A beam for a key of one bit less than the mask.
    Fewer,
    /// The same, 256 times as wide: a rook's key gives up a bit to nothing less.
    Wide,
    /// So many beams between walls, of one of the sizes.
    Walled(u64, usize),
}

impl Kind {
    /// The tests that a job of this kind counts for.
    const fn cost(self) -> u64 {
        match self {
            Kind::Climb | Kind::Again => CLIMB_TESTS as u64,
            Kind::Beam | Kind::Fewer => 8 * BEAM_WORK,
            Kind::Wide => 8 * WIDE_WORK,
            Kind::Walled(beams, size) => beams * 8 * WALLED_BEAMS[size].work,
        }
    }
}

impl Plan {
    fn round(&self) -> &'static [Kind] {
        match self.keys {
            Keys::Any => &ROUND,
            Keys::Short => &[Kind::Wide],
            Keys::Comb(4) => &[Kind::Walled(4, 0), Kind::Walled(4, 1), Kind::Walled(4, 2)],
            Keys::Comb(_) => &[Kind::Walled(8, 0), Kind::Walled(8, 1), Kind::Walled(8, 2)],
            Keys::Guest(_) | Keys::Spread | Keys::Spread16 | Keys::Spread32 | Keys::Pairs => {
                &[Kind::Walled(1, 0), Kind::Walled(1, 1), Kind::Walled(1, 2)]
            }
        }
    }

    /// The kind of a job and its target.
    fn job_kind(&self, job: u64) -> (Kind, Piece, usize) {
        let count = self.targets.len() as u64;
        let (piece, square) = self.targets[(job % count) as usize];
        let round = self.round();
        let number = job / count % round.len() as u64;
        (round[number as usize], piece, square)
    }

    /// How many jobs, from the first on, come to at least so many tests.
    #[must_use]
    pub fn jobs(&self, tests: u64) -> u64 {
        let count = self.targets.len() as u64;
        let kinds = self.round();
        let round: u64 = kinds.iter().map(|kind| count * kind.cost()).sum();
        let mut jobs = tests / round * kinds.len() as u64 * count;
        let mut left = tests % round;
        while left > 0 {
            left = left.saturating_sub(self.job_kind(jobs).0.cost());
            jobs += 1;
        }
        jobs
    }

    /// The tests that the first so many jobs come to.
    #[must_use]
    pub fn tests(&self, jobs: u64) -> u64 {
        let count = self.targets.len() as u64;
        let kinds = self.round();
        let round: u64 = kinds.iter().map(|kind| count * kind.cost()).sum();
        let in_round = kinds.len() as u64 * count;
        let whole = jobs / in_round;
        (whole * in_round..jobs).fold(whole * round, |sum, job| sum + self.job_kind(job).0.cost())
    }
}

/// Does one job, and tells what it found.
#[must_use]
pub fn job(plan: &Plan, job: u64) -> Best {
    let (kind, piece, square) = plan.job_kind(job);
    if plan.keys != Keys::Any {
        return of_keys(plan, job / plan.targets.len() as u64, piece, square);
    }
    // A job's choices follow from the seed and its number, and from nothing before it.
    let mut words = Choices::new(plan.seed);
    let mut choices = Choices::new(words.next_u64() ^ job.wrapping_mul(0xd134_2543_de82_ef95));
    let mut found = Best::default();
    let target = Target::new(piece, square, 0);
    let heat = 8 << (choices.next_u32() % 4);
    let built = |choices: &mut Choices| {
        magic::build(&magic::standard_request(piece, square), choices)
            .map_or(0, |magic| magic.magic)
    };
    let size = Beam {
        work: BEAM_WORK << (choices.next_u32() % 4),
        width: 20_000,
        blind: [10, 30, 50, 70][(choices.next_u32() % 4) as usize],
    };
    match kind {
        Kind::Climb => {
            let start = built(&mut choices);
            climb(&target, start, CLIMB_TESTS, heat, &mut choices, &mut found);
        }
        Kind::Beam => {
            beam(&target, size, &mut choices, &mut found);
            if let Some(best) = found.of(piece, square).first() {
                climb(
                    &target,
                    best.magic,
                    CLIMB_TESTS,
                    heat,
                    &mut choices,
                    &mut found,
                );
            }
        }
        Kind::Again => {
            let starts = starts(plan, piece, square);
            let start = match starts.len() as u64 {
                0 => built(&mut choices),
                count => starts[(choices.next_u64() % count) as usize],
            };
            climb(&target, start, CLIMB_TESTS, heat, &mut choices, &mut found);
        }
        Kind::Fewer => {
            let fewer = Target::new(piece, square, 1);
            beam(&fewer, size, &mut choices, &mut found);
            if let Some(best) = found.of(piece, square).first() {
                climb(
                    &fewer,
                    best.magic,
                    CLIMB_TESTS,
                    heat,
                    &mut choices,
                    &mut found,
                );
            }
        }
        Kind::Wide | Kind::Walled(..) => {}
    }
    found
}

/// The beams of a square in a round, for keys of a certain kind. Their choices do not depend on the other squares, so a
/// file may be put together from the searches of some squares in some rounds.
fn of_keys(plan: &Plan, round: u64, piece: Piece, square: usize) -> Best {
    let mut found = Best::default();
    let mut search = |target: &Target, size: Beam, number: u64| {
        let seed = number.wrapping_mul(0xd134_2543_de82_ef95);
        let mut choices = Choices::new(plan.seed.wrapping_add(seed));
        beam(target, size, &mut choices, &mut found);
    };
    let walled = WALLED_BEAMS[(round % 3) as usize];
    let mut target = Target::new(piece, square, 0);
    match plan.keys {
        Keys::Any => {}
        Keys::Short => {
            let size = Beam {
                work: WIDE_WORK,
                width: WIDE_WIDTH,
                blind: WIDE_BLIND[(round % 4) as usize],
            };
            search(&Target::new(piece, square, 1), size, round);
        }
        Keys::Comb(apart) => {
            for at in 0..if apart == 4 { 4 } else { 8 } {
                target.walls = by_eight(1_u8.rotate_left(at) | 1_u8.rotate_left(at + apart));
                search(&target, walled, round / 3);
            }
        }
        Keys::Guest(apart) => {
            target.bits += 2;
            target.walls = by_eight(!(1 | 1 << apart));
            search(&target, walled, round / 3);
        }
        Keys::Spread => {
            target.bits += 3;
            target.walls = by_eight(!1);
            search(&target, walled, round / 3);
        }
        Keys::Spread16 => {
            target.bits += 4;
            target.walls = !0x0001_0001;
            search(&target, walled, round / 3);
        }
        Keys::Spread32 => {
            target.bits += 5;
            target.walls = !1;
            search(&target, walled, round / 3);
        }
        Keys::Pairs => {
            target.bits += 4;
            target.walls = !0x0000_0101;
            search(&target, walled, round / 3);
        }
    }
    found
}

/// Remainders by 32, a bit for each, out of remainders by 8.
const fn by_eight(remainders: u8) -> u32 {
    0x0101_0101 * remainders as u32
}

/// Magics of full key size to set out from: those of the square, and those of its neighbours, moved as the masks are.
fn starts(plan: &Plan, piece: Piece, square: usize) -> Vec<u64> {
    let target = Target::new(piece, square, 0);
    let mut starts = Vec::new();
    for from in 0..64_usize {
        let (files, rows) = (
            (from & 7).abs_diff(square & 7),
            (from >> 3).abs_diff(square >> 3),
        );
        if files > 1 || rows > 1 {
            continue;
        }
        for candidate in plan.start.of(piece, from) {
            let magic = if from > square {
                candidate.magic << (from - square)
            } else {
                candidate.magic >> (square - from)
            };
            if target.used(magic).is_some() {
                starts.push(magic);
            }
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::magic::is_injective;

    fn bishops(squares: &[usize]) -> Plan {
        Plan {
            seed: 5,
            targets: squares
                .iter()
                .map(|&square| (Piece::Bishop, square))
                .collect(),
            start: Best::default(),
            keys: Keys::Any,
        }
    }

    /// Slot by slot, with nothing shared and nothing given up early.
    fn slow_used(piece: Piece, square: usize, magic: u64, bits: u32) -> Option<u32> {
        let mask = relevant_mask(piece, square);
        let mut slots = vec![None; 1 << bits];
        let mut occupied = 0_u64;
        loop {
            let slot = &mut slots[(occupied.wrapping_mul(magic) >> (64 - bits)) as usize];
            let attacks = slow_attacks(piece, square, occupied);
            if *slot.get_or_insert(attacks) != attacks {
                return None;
            }
            occupied = crate::geometry::next_subset(occupied, mask);
            if occupied == 0 {
                return Some(slots.iter().flatten().count() as u32);
            }
        }
    }

    #[test]
    fn the_committed_files_are_true() {
        let known = known();
        assert_eq!(known.check(), Ok(()));
        for layout in Layout::ALL {
            let chosen = Chosen::of(layout);
            let count = if layout.is_dense() {
                2 * layout.rows()
            } else {
                0
            };
            assert_eq!(chosen.list().len(), count, "{layout:?}");
            let squares: BTreeSet<(usize, usize)> = chosen
                .list()
                .iter()
                .map(|(candidate, _)| (candidate.piece, candidate.square))
                .collect();
            assert_eq!(squares.len(), count, "one for each square of {layout:?}");
        }
        let chosen = [Layout::Overlapped, Layout::Folded].map(Chosen::of);
        let chosen = chosen.iter().flat_map(|chosen| chosen.list());
        for candidate in known
            .list()
            .iter()
            .chain(chosen.map(|(candidate, _)| candidate))
        {
            let piece = Piece::ALL[candidate.piece];
            assert_eq!(
                slow_used(piece, candidate.square, candidate.magic, candidate.bits),
                Some(candidate.used)
            );
        }
    }

    /// Nobody moves a square of the committed files: no slot is wanted twice.
    #[test]
    fn the_committed_places_are_free() {
        for layout in [Layout::Overlapped, Layout::Folded] {
            let mut taken = BTreeSet::new();
            for (candidate, offset) in Chosen::of(layout).list() {
                let row = candidate.row(*offset);
                let mut own = BTreeSet::new();
                let mut occupied = 0;
                loop {
                    own.insert(row.index(occupied));
                    occupied = crate::geometry::next_subset(occupied, row.mask);
                    if occupied == 0 {
                        break;
                    }
                }
                for slot in own {
                    assert!(taken.insert(slot), "{layout:?}, {candidate:?}, slot {slot}");
                }
            }
        }
    }

    #[test]
    fn placed_lines_are_read_strictly() {
        for bad in [
            "rook a8 0x1 12 1",
            "rook a8 0x1 12 1 -1",
            "rook a8 0x1 12 1 x",
            "rook a8 0x1 16 1 0",
            "0",
        ] {
            assert_eq!(
                Chosen::parse(&format!("# no\n\n{bad}")).err(),
                Some(3),
                "{bad}"
            );
        }
        let good = Chosen::parse("rook a8 0x1 12 1 77").expect("can be read");
        assert_eq!((good.list()[0].0.bits, good.list()[0].1), (12, 77));
    }

    /// Keys between walls keep to the remainders by 32 that they are given.
    #[test]
    fn walled_keys_leave_gaps() {
        let plan = |keys, piece, square| Plan {
            seed: 1,
            targets: vec![(piece, square)],
            start: Best::default(),
            keys,
        };
        for (keys, piece, square, bits, allowed) in [
            (Keys::Comb(1), Piece::Rook, 14, 10, 24),
            (Keys::Comb(4), Piece::Rook, 51, 10, 24),
            (Keys::Guest(1), Piece::Bishop, 0, 8, 8),
            (Keys::Spread, Piece::Bishop, 0, 9, 4),
            (Keys::Spread16, Piece::Bishop, 8, 9, 2),
            (Keys::Spread32, Piece::Bishop, 8, 10, 1),
            (Keys::Pairs, Piece::Bishop, 8, 9, 2),
        ] {
            let found = job(&plan(keys, piece, square), 0);
            assert_eq!(found.check(), Ok(()));
            assert!(!found.list().is_empty(), "{keys:?}");
            for candidate in found.list() {
                let row = candidate.row(0);
                let mut remainders = [false; 32];
                let mut occupied = 0;
                loop {
                    remainders[row.index(occupied) & 31] = true;
                    occupied = crate::geometry::next_subset(occupied, row.mask);
                    if occupied == 0 {
                        break;
                    }
                }
                let count = remainders.iter().filter(|&&used| used).count();
                assert!(count <= allowed && candidate.bits == bits, "{candidate:?}");
            }
        }
    }

    #[test]
    fn slots_are_counted_right() {
        let mut choices = Choices::new(1);
        for square in [0, 27, 36, 63] {
            let target = Target::new(Piece::Bishop, square, 0);
            let request = magic::standard_request(Piece::Bishop, square);
            let built = magic::build(&request, &mut choices).expect("a magic").magic;
            assert!(is_injective(request.mask, built, 64 - request.bits));
            assert_eq!(target.used(built), Some(1 << request.bits));
            for bit in 0..64 {
                let changed = built ^ 1 << bit;
                assert_eq!(
                    target.used(changed),
                    slow_used(Piece::Bishop, square, changed, request.bits)
                );
            }
        }
    }

    #[test]
    fn all_methods_find_denser_magics_and_true_ones() {
        let plan = bishops(&[0, 9, 36]);
        for number in 0..9 {
            let found = job(&plan, number);
            assert_eq!(found, job(&plan, number), "a job is what its number says");
            assert_eq!(found.check(), Ok(()));
            if plan.targets[number as usize % 3].1 != 36 {
                let best = found.of(Piece::Bishop, plan.targets[number as usize % 3].1)[0];
                assert!(best.used < 1 << best.bits, "{best:?}");
            }
        }
    }

    /// One bit less than the mask: a bishop on b2 has such magics, and one on d5 has none.
    #[test]
    fn fewer_bits_are_found_where_they_are_known_to_exist() {
        let plan = bishops(&[49, 27]);
        let found: Vec<Best> = (6..8).map(|number| job(&plan, number)).collect();
        assert!(found[0]
            .of(Piece::Bishop, 49)
            .iter()
            .any(|candidate| candidate.bits == 4));
        assert!(found[1].list().is_empty());
    }

    #[test]
    fn the_best_do_not_depend_on_the_order_and_are_read_back() {
        let plan = bishops(&[0, 1, 2, 3]);
        let found: Vec<Best> = (0..8).map(|number| job(&plan, number)).collect();
        let (mut forward, mut backward) = (Best::default(), Best::default());
        found.iter().for_each(|best| forward.merge(best));
        found.iter().rev().for_each(|best| backward.merge(best));
        assert_eq!(forward, backward);
        assert_eq!(Best::parse(&forward.to_text()), Ok(forward.clone()));
        for &(piece, square) in &plan.targets {
            assert!(forward.of(piece, square).len() <= KEPT);
        }
        for bad in [
            "queen a8 0x1 6 6",
            "rook a9 0x1 6 6",
            "rook a8 1 6 6",
            "rook a8 0x1 6",
            "rook a8 0x1 16 6",
            "rook a8 0x1 6 6 6",
        ] {
            assert_eq!(Best::parse(bad).expect_err("cannot be read").0, 1, "{bad}");
        }
        let wrong = Best::parse("rook a8 0x1 12 6\n").expect("can be read");
        assert_eq!(wrong.check(), Err(wrong.list()[0]));
    }

    #[test]
    fn jobs_and_tests_agree() {
        let plan = bishops(&[0, 1, 2]);
        for tests in [1, 262_144, 262_145, 5_000_000, 100_000_000] {
            let jobs = plan.jobs(tests);
            assert!(plan.tests(jobs) >= tests && plan.tests(jobs - 1) < tests);
        }
    }
}
