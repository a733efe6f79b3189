//! Annealed packing: which magic each square takes, and where its slots lie, so that one table becomes as short as can
//! be. Done once, for as long as one likes; what comes out is kept in a file, and a build only takes its places.
//!
//! First fit alone ([`crate::overlap`]) does badly with rooks. They use half of their slots and more, so that two of
//! them meet almost wherever they are laid over each other. Two kinds of keys are made for each other, though. A *comb*
//! leaves two of the remainders by 8 free, and a *guest*, its key two bits longer than the mask, uses nothing but two
//! such. Combs with gaps of the same kind are laid end to end, all their gaps at the same remainders of the table's
//! slots; then guests run through the gaps of several combs, one for every four. They need not be dense, as they lie
//! where nothing else could. The four bishops in the centre are guests as well, if that pays. Short keys, that have no
//! gaps to speak of, come behind, and at last the other bishops fill whatever holes there are.
//!
//! Who is comb and who is guest, which magic of several, and the order: that is annealed. A move changes one to three
//! squares; everything behind the first of them is placed anew. A move is kept if the table does not become longer, or
//! not much, the allowance shrinking as the moves are used up. What is free in the table is credited at first, less and
//! less later on. All is arithmetic on whole numbers, so that a seed and a count of moves give the same table on every
//! machine.

use std::cmp::Reverse;

use crate::geometry::Piece;
use crate::overlap::Used;
use crate::random::Choices;
use crate::table::Slider;

/// A square, and the rows of metadata that it can have; offsets do not count yet.
#[derive(Clone, Debug)]
pub struct Square {
    /// The piece.
    pub piece: Piece,
    /// Its square.
    pub square: usize,
    /// What there is to choose from; at least one.
    pub rows: Vec<Slider>,
}

impl Square {
    fn is_large(&self) -> bool {
        self.rows.iter().any(|row| is_large(row.mask))
    }
}

/// Rooks, and bishops in the centre, have so many occupancies that their choice is annealed.
fn is_large(mask: u64) -> bool {
    mask.count_ones() >= 9
}

/// A packed table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// How many slots it has.
    pub slots: usize,
    /// The chosen row of each square, in the order of the squares, with its offset.
    pub rows: Vec<Slider>,
}

/// What a rook is laid out as, in the order in which they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    /// A comb whose gaps lie so far apart, modulo 8; at 0 there is one.
    Comb(u32),
    /// Longer keys than the mask.
    Guest,
    /// Anything else.
    Filler,
    /// A bishop of few occupancies.
    Small,
}

/// A row with its used slots, from the first one on.
#[derive(Clone, Debug)]
struct Shape {
    row: Slider,
    words: Vec<u64>,
    /// The same slots one by one, in an order that jumps about.
    probes: Vec<u32>,
    /// The first key that is used.
    head: usize,
    /// All keys that there are.
    room: usize,
    used: usize,
    role: Role,
    /// The remainder by 8 of the offset, if it matters.
    phase: Option<usize>,
    /// The remainders by 32 that no key has, a bit for each.
    gaps: u32,
}

impl Shape {
    fn of(row: &Slider) -> Shape {
        let used = Used::of_row(row);
        let (mut gaps, mut head) = (u32::MAX, 0);
        let (mut words, mut probes) = (Vec::new(), Vec::new());
        for key in 0..1_usize << (64 - row.shift) {
            if used.holds(key) {
                if words.is_empty() {
                    head = key;
                }
                let at = key - head;
                words.resize(at / 64 + 1, 0_u64);
                words[at / 64] |= 1 << (at & 63);
                probes.push(at as u32);
                gaps &= !(1 << (key & 31));
            }
        }
        probes.sort_by_key(|slot| slot.wrapping_mul(0x9e37_79b1));
        let role = if !is_large(row.mask) {
            Role::Small
        } else if 64 - row.shift > row.mask.count_ones() {
            Role::Guest
        } else {
            Role::Filler
        };
        Shape {
            row: *row,
            words,
            probes,
            head,
            room: 1 << (64 - row.shift),
            used: used.count(),
            role,
            phase: None,
            gaps,
        }
    }
}

/// How many combs of one kind, and how many fillers or bishops of one size, a square may choose from. Of guests that
/// keep to the same remainders one is as good as the other.
const CHOICES: usize = 5;

/// The shapes of a square, combs in each of their phases.
fn shapes(square: &Square) -> Vec<Shape> {
    let mut rows: Vec<Shape> = square.rows.iter().map(Shape::of).collect();
    rows.sort_by_key(|shape| (shape.used, shape.room, shape.row.magic));
    let mut shapes: Vec<Shape> = Vec::new();
    let room = |shapes: &[Shape], new: &Shape| {
        let alike = |shape: &&Shape| {
            let longer = new.room > 1 << new.row.mask.count_ones();
            shape.role == new.role && shape.room == new.room && (!longer || shape.gaps == new.gaps)
        };
        let choices = match new.role {
            Role::Guest => 1,
            Role::Small if new.gaps != 0 => 2,
            _ => CHOICES,
        };
        // The same slots again are no choice at all.
        let known = shapes.iter().any(|shape| {
            (shape.phase, shape.head, &shape.words) == (new.phase, new.head, &new.words)
        });
        !known && shapes.iter().filter(alike).count() < choices
    };
    for shape in rows {
        if square.piece == Piece::Rook && shape.room == 1 << shape.row.mask.count_ones() {
            for apart in [0, 1, 2, 4] {
                for at in 0..8_u32 {
                    let gaps = 0x0101_0101
                        * u32::from(1_u8.rotate_left(at) | 1_u8.rotate_left(at + apart));
                    let comb = Shape {
                        role: Role::Comb(apart),
                        phase: Some((8 - at as usize) & 7),
                        ..shape.clone()
                    };
                    if shape.gaps & gaps == gaps && room(&shapes, &comb) {
                        shapes.push(comb);
                    }
                }
            }
        }
        if room(&shapes, &shape) {
            shapes.push(shape);
        }
    }
    if shapes.iter().any(|shape| shape.role == Role::Small) {
        // The more spread, the more places there are for it.
        shapes.sort_by_key(|shape| (Reverse(shape.words.len()), shape.used));
    }
    shapes
}

/// The table while it is filled.
#[derive(Clone, Debug, Default)]
struct Field {
    words: Vec<u64>,
    /// How long the table must be.
    slots: usize,
}

impl Field {
    fn copy_from(&mut self, other: &Field) {
        self.words.clear();
        self.words.extend_from_slice(&other.words);
        self.slots = other.slots;
    }

    /// The 64 slots from `slot` on; what lies beyond the end is free.
    fn word_at(&self, slot: usize) -> u64 {
        let (number, by) = (slot / 64, slot & 63);
        match self.words.get(number..number + 2) {
            Some(&[low, high]) => low >> by | (high << 1) << (63 - by),
            _ => self.words.get(number).map_or(0, |low| low >> by),
        }
    }

    /// The first place at or behind `from` for the first used slot of a shape.
    ///
    /// Sixty-four places are tried at once: each used slot of the shape, wherever it would come to lie, rules some out,
    /// and after a handful of them none is left.
    fn fit(&self, shape: &Shape, from: usize) -> usize {
        let from = from.max(shape.head);
        let mut wanted = !0;
        if let Some(phase) = shape.phase {
            wanted = 0x0101_0101_0101_0101 << ((phase + shape.head) & 7);
        }
        let mut first = from & !63;
        let mut left = wanted & !0 << (from & 63);
        loop {
            for &slot in &shape.probes {
                left &= !self.word_at(first + slot as usize);
                if left == 0 {
                    break;
                }
            }
            if left != 0 {
                return first + left.trailing_zeros() as usize;
            }
            first += 64;
            left = wanted;
        }
    }

    /// How long the table would be with a shape there.
    fn slots_with(&self, shape: &Shape, place: usize) -> usize {
        self.slots.max(place - shape.head + shape.room)
    }

    /// How many slots are free.
    fn free(&self) -> usize {
        let used: u32 = self.words.iter().map(|word| word.count_ones()).sum();
        self.slots - used as usize
    }

    fn take(&mut self, shape: &Shape, place: usize) {
        let (first, by) = (place / 64, place & 63);
        let end = first + shape.words.len() + 1;
        if self.words.len() < end {
            self.words.resize(end, 0);
        }
        for (number, &bits) in shape.words.iter().enumerate() {
            self.words[first + number] |= bits << by;
            if by != 0 {
                self.words[first + number + 1] |= bits >> (64 - by);
            }
        }
        self.slots = self.slots_with(shape, place);
    }
}

/// What is annealed: a shape for each square, and what stands for its rank among those of its role.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wish {
    shapes: Vec<usize>,
    ranks: Vec<u32>,
}

/// A wish come true.
#[derive(Clone, Debug, Default)]
struct Layout {
    /// The squares in the order of placing, each with its shape.
    order: Vec<(usize, usize)>,
    /// The table before each of the rooks was placed, and behind the last.
    fields: Vec<Field>,
    /// Where they lie, in that order: shape and place.
    places: Vec<(usize, usize)>,
    slots: usize,
    /// The slots before any small bishop was placed.
    large_slots: usize,
    /// Slots that are free then, and once more those of them that combs leave free for guests.
    free: usize,
}

impl Layout {
    /// What is to become small: twice the slots, less `share` of 1,024 of what is free. At first a free slot counts half
    /// and a gap not at all, for without this nothing would speak for a comb before its guest is there, and for a guest
    /// before its combs are.
    fn cost(&self, share: usize) -> usize {
        (2 * self.slots).saturating_sub(self.free * share / 1024)
    }

    /// The same without the small bishops.
    fn large_cost(&self, share: usize) -> usize {
        (2 * self.large_slots).saturating_sub(self.free * share / 1024)
    }
}

/// What a layout may come to.
struct Limit {
    slots: usize,
    large_cost: usize,
    share: usize,
}

impl Limit {
    const NONE: Limit = Limit {
        slots: usize::MAX,
        large_cost: usize::MAX,
        share: 0,
    };
}

struct Annealing {
    shapes: Vec<Vec<Shape>>,
    /// The numbers of the large squares, whose choice is annealed.
    large: Vec<usize>,
}

/// The first shape that makes the table no longer, or the one that makes it the least longer.
fn best_of(field: &Field, shapes: &[Shape]) -> (usize, usize) {
    let mut best = (usize::MAX, 0, 0);
    for (number, shape) in shapes.iter().enumerate() {
        let place = field.fit(shape, 0);
        let slots = field.slots_with(shape, place);
        if slots < best.0 {
            best = (slots, number, place);
        }
        if slots == field.slots {
            break;
        }
    }
    (best.1, best.2)
}

impl Annealing {
    fn of(squares: &[Square]) -> Annealing {
        Annealing {
            shapes: squares.iter().map(shapes).collect(),
            large: (0..squares.len())
                .filter(|&number| squares[number].is_large())
                .collect(),
        }
    }

    fn order(&self, wish: &Wish) -> Vec<(usize, usize)> {
        let mut order: Vec<(usize, usize)> = wish.shapes.iter().copied().enumerate().collect();
        order.sort_by_key(|&(square, shape)| {
            (self.shapes[square][shape].role, wish.ranks[square], square)
        });
        order
    }

    /// Lays everything out, unless it comes to more than a limit; what is the same at the beginning is taken over from a
    /// layout that is known.
    fn lay_out(
        &self,
        wish: &Wish,
        known: &Layout,
        limit: &Limit,
        new: &mut Layout,
    ) -> Option<usize> {
        new.order = self.order(wish);
        let (large, small) = new.order.split_at(self.large.len());
        let pairs = large.iter().zip(&known.order);
        let same = pairs.take_while(|(new, old)| new == old).count();
        new.places.clear();
        new.places
            .extend_from_slice(&known.places[..same.min(known.places.len())]);
        new.fields.resize_with(large.len() + 1, Field::default);
        let mut field = Field::default();
        if let Some(start) = known.fields.get(same) {
            field.copy_from(start);
        }
        for (number, &(square, wanted)) in large.iter().enumerate().skip(same) {
            new.fields[number].copy_from(&field);
            let shape = &self.shapes[square][wanted];
            // Combs are laid end to end, and nothing else is there yet.
            let from = match shape.role {
                Role::Comb(_) => field.slots.saturating_sub(shape.room),
                _ => 0,
            };
            let place = field.fit(shape, from);
            field.take(shape, place);
            new.places.push((wanted, place));
            if field.slots > limit.slots {
                return None;
            }
        }
        new.fields[large.len()].copy_from(&field);
        new.large_slots = field.slots;
        new.free = field.free() + self.gaps(large, &new.places, &field);
        if new.large_cost(limit.share) > limit.large_cost {
            return None;
        }
        for &(square, _) in small {
            let (shape, place) = best_of(&field, &self.shapes[square]);
            field.take(&self.shapes[square][shape], place);
            new.places.push((shape, place));
            if field.slots > limit.slots {
                return None;
            }
        }
        new.slots = field.slots;
        Some(same)
    }

    fn gaps(&self, order: &[(usize, usize)], places: &[(usize, usize)], field: &Field) -> usize {
        let mut gaps = 0;
        for (&(square, _), &(shape, place)) in order.iter().zip(places) {
            let shape = &self.shapes[square][shape];
            if let Role::Comb(apart) = shape.role {
                let between = (1 << apart | 1) * 0x0101_0101_0101_0101;
                // Nearly all of the comb lies in these.
                for word in (place - shape.head) / 64..(place - shape.head + shape.room) / 64 {
                    gaps += (!field.word_at(64 * word) & between).count_ones() as usize;
                }
            }
        }
        gaps
    }

    fn packed(&self, layout: &Layout) -> Packed {
        let mut rows = vec![None; self.shapes.len()];
        for (&(square, _), &(shape, place)) in layout.order.iter().zip(&layout.places) {
            let shape = &self.shapes[square][shape];
            rows[square] = Some(Slider {
                offset: (place - shape.head) as u32,
                ..shape.row
            });
        }
        Packed {
            slots: layout.slots,
            rows: rows.into_iter().flatten().collect(),
        }
    }

    /// Short keys where there are any, combs where there are any, and otherwise what is densest.
    fn first_wish(&self, choices: &mut Choices) -> Wish {
        let mut shapes = Vec::with_capacity(self.shapes.len());
        let mut ranks = Vec::with_capacity(self.shapes.len());
        for (square, of_square) in self.shapes.iter().enumerate() {
            let standing = |shape: &Shape| {
                let role = match shape.role {
                    _ if shape.room < 1 << shape.row.mask.count_ones() => 0,
                    Role::Comb(0) => 4,
                    Role::Comb(apart) => apart,
                    Role::Filler => 5,
                    _ => 6,
                };
                (role, shape.used)
            };
            let best = (0..of_square.len()).min_by_key(|&number| standing(&of_square[number]));
            shapes.push(best.unwrap_or(0));
            ranks.push(if self.large.contains(&square) {
                choices.next_u32()
            } else {
                // Large bishops first.
                let least = of_square.iter().map(|shape| shape.used).min().unwrap_or(0);
                u32::MAX - least as u32
            });
        }
        Wish { shapes, ranks }
    }
}

/// Slots that a move may lengthen the table by, at first, on average.
const HEAT: u64 = 30;

/// Slots that a move may lengthen the table by at most, whatever it makes possible.
const SLACK: usize = 1200;

/// Slots that a move may lengthen the table by beyond its allowance before small bishops are placed, which take most of
/// the time: they hardly ever win more back.
const MARGIN: usize = 60;

/// Packs squares into one table; `tell` hears of each move's number and of the best table so far.
///
/// # Panics
/// If a square has no row to choose from.
#[must_use]
pub fn anneal(
    squares: &[Square],
    seed: u64,
    moves: u64,
    tell: &mut dyn FnMut(u64, &Packed),
) -> Packed {
    let annealing = Annealing::of(squares);
    assert!(annealing.shapes.iter().all(|shapes| !shapes.is_empty()));
    let mut choices = Choices::new(seed);
    let mut wish = annealing.first_wish(&mut choices);
    let (mut now, mut next) = (Layout::default(), Layout::default());
    let _ = annealing.lay_out(&wish, &Layout::default(), &Limit::NONE, &mut now);
    let mut best = annealing.packed(&now);
    let large = &annealing.large;
    for number in 0..moves {
        tell(number, &best);
        if large.is_empty() {
            break;
        }
        let mut wished = wish.clone();
        for _ in 0..=choices.below(3) {
            let one = large[choices.below(large.len() as u32) as usize];
            match choices.below(4) {
                0 => {
                    let other = large[choices.below(large.len() as u32) as usize];
                    wished.ranks.swap(one, other);
                }
                1 => wished.ranks[one] = choices.next_u32(),
                _ => {
                    let count = annealing.shapes[one].len() as u32;
                    wished.shapes[one] = choices.below(count) as usize;
                }
            }
        }
        // None half of the time, once the heat a quarter of the time, and so on, and a share of the heat besides.
        let word = choices.next_u64();
        let luck = 256 * u64::from((word >> 41 | 1).leading_zeros() - 41) + (word & 255);
        let left = (moves - number) * 1024 / moves;
        let allowance = ((HEAT * luck * left * left) >> 28) as usize;
        let share = left as usize;
        let limit = Limit {
            slots: now.slots + SLACK,
            large_cost: now.large_cost(share) + 2 * (allowance + MARGIN),
            share,
        };
        let Some(same) = annealing.lay_out(&wished, &now, &limit, &mut next) else {
            continue;
        };
        if next.cost(share) <= now.cost(share) + 2 * allowance {
            for field in 0..same {
                std::mem::swap(&mut now.fields[field], &mut next.fields[field]);
            }
            std::mem::swap(&mut now, &mut next);
            wish = wished;
            if now.slots < best.slots {
                best = annealing.packed(&now);
            }
        }
    }
    tell(moves, &best);
    best
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::dense::{self, Best};
    use crate::geometry::next_subset;
    use crate::layout::Layout as Tables;

    fn squares() -> Vec<Square> {
        // Half of the board is quicker, and has everything.
        dense::squares(Tables::Folded, &[dense::known()])
    }

    fn slots(row: &Slider) -> BTreeSet<usize> {
        let mut slots = BTreeSet::new();
        let mut occupied = 0;
        loop {
            slots.insert(row.index(occupied));
            occupied = next_subset(occupied, row.mask);
            if occupied == 0 {
                return slots;
            }
        }
    }

    #[test]
    fn squares_do_not_meet_and_moves_shorten_the_table() {
        let squares = squares();
        let mut told = Vec::new();
        let packed = anneal(&squares, 5, 60, &mut |number, best| {
            told.push((number, best.slots))
        });
        assert_eq!(told.len(), 61);
        assert!(told
            .windows(2)
            .all(|pair| pair[0].0 < pair[1].0 && pair[0].1 >= pair[1].1));
        assert!(told[60].1 < told[0].1, "{} moves change something", 60);
        assert_eq!(packed, anneal(&squares, 5, 60, &mut |_, _| {}));
        let mut taken = BTreeSet::new();
        let mut end = 0;
        for (square, row) in squares.iter().zip(&packed.rows) {
            let same = |one: &&Slider| (one.magic, one.shift) == (row.magic, row.shift);
            assert!(square.rows.iter().any(|row| same(&row)));
            for slot in slots(row) {
                assert!(taken.insert(slot), "{square:?}");
            }
            end = end.max(row.offset as usize + (1 << (64 - row.shift)));
        }
        assert_eq!(packed.slots, end);
    }

    #[test]
    fn a_place_found_from_what_is_known_is_the_same() {
        let squares = squares();
        let annealing = Annealing::of(&squares);
        let mut choices = Choices::new(8);
        let wish = annealing.first_wish(&mut choices);
        let (mut known, mut quick, mut slow) = Default::default();
        let _ = annealing.lay_out(&wish, &Layout::default(), &Limit::NONE, &mut known);
        for _ in 0..5 {
            let mut other = wish.clone();
            let rook = annealing.large[choices.below(annealing.large.len() as u32) as usize];
            other.ranks[rook] = choices.next_u32();
            let same = annealing.lay_out(&other, &known, &Limit::NONE, &mut quick);
            assert!(same.is_some());
            let _ = annealing.lay_out(&other, &Layout::default(), &Limit::NONE, &mut slow);
            assert_eq!(annealing.packed(&quick), annealing.packed(&slow));
        }
        let limit = Limit {
            slots: known.slots - 1,
            ..Limit::NONE
        };
        assert_eq!(
            annealing.lay_out(&wish, &Layout::default(), &limit, &mut quick),
            None
        );
    }

    #[test]
    fn a_guest_runs_through_the_gaps_of_combs() {
        let found = Best::parse("rook d2 0x001ffdd5fdcf9a00 9 480\n").expect("can be read");
        assert_eq!(found.check(), Ok(()));
        let mut field = Field::default();
        let shape = |words: &[u64], phase| Shape {
            row: found.list()[0].row(0),
            words: words.to_vec(),
            probes: (0..64 * words.len() as u32)
                .filter(|slot| words[*slot as usize / 64] >> (slot & 63) & 1 != 0)
                .collect(),
            head: 0,
            room: 64 * words.len(),
            used: 0,
            role: Role::Filler,
            phase,
            gaps: 0,
        };
        // Remainders 2 and 3 are free, first as they stand, then one lower.
        let comb = shape(&[0xf3f3_f3f3_f3f3_f3f3; 2], Some(6));
        let place = field.fit(&comb, 0);
        assert_eq!(place, 6);
        field.take(&comb, place);
        let other = shape(&[0xf9f9_f9f9_f9f9_f9f9; 2], Some(7));
        let place = field.fit(&other, 120);
        assert_eq!(place, 135);
        field.take(&other, place);
        assert_eq!(field.slots, 263);
        let guest = shape(&[0x0303_0303_0303_0303; 4], None);
        assert_eq!(field.fit(&guest, 0), 0);
        field.take(&guest, 0);
        assert_eq!(field.slots, 263);
        assert_eq!(field.fit(&guest, 0), 256);
    }
}
