//! Packs squares into one table so that each fills the holes that others leave.
//!
//! A magic that sends several occupancies with one attack set to the same key leaves keys unused, and these are spread
//! over the square's slots like holes in a cheese. Attack sets of two squares are never the same (a slider attacks its
//! own neighbours), so what two squares may share is room, not contents: their *used* slots must not meet.
//!
//! Where the squares of the committed files go was found once and for all ([`crate::packing`]); here it is only seen
//! that their slots do not meet. All else is placed first fit, which is quick, bounded, and needs no choices. A magic
//! without holes simply takes the next free place.

use crate::geometry::next_subset;
use crate::table::Slider;

/// Which slots are taken, from the beginning of the table or of one square's keys.
#[derive(Clone, Debug, Default)]
pub struct Used {
    words: Vec<u64>,
}

impl Used {
    /// The keys that the occupancies of a row's mask lead to.
    #[must_use]
    pub fn of_row(row: &Slider) -> Used {
        let keys = 1_usize << (64 - row.shift);
        let mut words = vec![0_u64; keys.div_ceil(64)];
        let mut occupied = 0_u64;
        loop {
            let key = (occupied.wrapping_mul(row.magic) >> row.shift) as usize;
            words[key >> 6] |= 1 << (key & 63);
            occupied = next_subset(occupied, row.mask);
            if occupied == 0 {
                return Used { words };
            }
        }
    }

    /// How many slots are taken.
    #[must_use]
    pub fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether a slot is taken.
    #[must_use]
    pub fn holds(&self, slot: usize) -> bool {
        self.word_at(slot) & 1 != 0
    }

    /// Whether another, moved up by `offset`, takes a slot that is taken here.
    fn meets(&self, other: &Used, offset: usize) -> bool {
        (0..other.words.len())
            .any(|number| self.word_at(offset + 64 * number) & other.words[number] != 0)
    }

    /// The first slot that is taken, or the first one that is free.
    fn first(&self, from: usize, taken: bool) -> usize {
        let flip = if taken { 0 } else { !0 };
        let mut word = from >> 6;
        let mut wanted = match self.words.get(word) {
            Some(&bits) => (bits ^ flip) & !0 << (from & 63),
            None => return from,
        };
        while wanted == 0 {
            word += 1;
            match self.words.get(word) {
                Some(&bits) => wanted = bits ^ flip,
                None => return 64 * word,
            }
        }
        64 * word + wanted.trailing_zeros() as usize
    }

    /// The 64 slots from `slot` on; what lies beyond the end is free.
    fn word_at(&self, slot: usize) -> u64 {
        let word = |number: usize| self.words.get(number).copied().unwrap_or(0);
        let (number, by) = (slot >> 6, slot & 63);
        if by == 0 {
            word(number)
        } else {
            word(number) >> by | word(number + 1) << (64 - by)
        }
    }

    /// Takes the slots that another takes, moved up by `offset`.
    fn take(&mut self, other: &Used, offset: usize) {
        let last = (offset >> 6) + other.words.len() + 1;
        if self.words.len() < last {
            self.words.resize(last, 0);
        }
        let (first, by) = (offset >> 6, offset & 63);
        for (number, &bits) in other.words.iter().enumerate() {
            self.words[first + number] |= bits << by;
            if by != 0 {
                self.words[first + number + 1] |= bits >> (64 - by);
            }
        }
    }

    /// The lowest offset at which another's slots are all free here.
    fn fit(&self, other: &Used) -> usize {
        let head = other.first(0, true);
        // The other's first slot can go to any free place, and nowhere else.
        let mut place = self.first(head, false);
        let mut suspect = 0;
        loop {
            let offset = place - head;
            let meets =
                |number: usize| self.word_at(offset + 64 * number) & other.words[number] != 0;
            // Where it did not fit a moment ago it most likely does not now.
            if !meets(suspect) {
                match (0..other.words.len()).find(|&number| meets(number)) {
                    Some(number) => suspect = number,
                    None => return offset,
                }
            }
            place = self.first(place + 1, false);
        }
    }
}

/// Gives each row its offset: the one that it has already, if `placed` says so and nothing else lies there, and
/// otherwise the first that fits.
///
/// What is placed comes first, then rooks before bishops, and those that use most slots first: bishops are what is
/// small enough to go into holes.
pub fn place(rows: &mut [Vec<Slider>; 2], placed: impl Fn(usize, usize) -> bool) {
    let mut table = Used::default();
    let mut order = Vec::with_capacity(128);
    for (piece, rows) in rows.iter().enumerate() {
        for (number, row) in rows.iter().enumerate() {
            let used = Used::of_row(row);
            if placed(piece, number) && !table.meets(&used, row.offset as usize) {
                table.take(&used, row.offset as usize);
            } else {
                order.push((1 - piece, usize::MAX - used.count(), number, used));
            }
        }
    }
    order.sort_by_key(|(piece, count, number, _)| (*piece, *count, *number));
    for (piece, _, number, used) in order {
        let offset = table.fit(&used);
        table.take(&used, offset);
        rows[1 - piece][number].offset = offset as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(slots: &[usize], keys: usize) -> Used {
        let mut words = vec![0; keys.div_ceil(64)];
        for slot in slots {
            words[slot / 64] |= 1 << (slot % 64);
        }
        Used { words }
    }

    #[test]
    fn holes_are_filled_from_the_lowest_on() {
        let mut table = Used::default();
        let even: Vec<usize> = (0..64).map(|i| 2 * i).collect();
        let comb = used(&even, 128);
        assert_eq!((comb.count(), table.fit(&comb)), (64, 0));
        table.take(&comb, 0);
        assert_eq!(table.fit(&comb), 1);
        table.take(&comb, 1);
        assert_eq!(table.count(), 128);
        assert_eq!(table.fit(&used(&[0], 64)), 128);
        // A first slot of 5 means that the keys below it may lie over taken slots.
        assert_eq!(table.fit(&used(&[5, 70], 128)), 123);
    }

    #[test]
    fn fitting_agrees_with_trying_slot_by_slot() {
        let mut choices = crate::random::Choices::new(3);
        for _ in 0..50 {
            let mut random = |keys: usize, one_in: u32| {
                let slots: Vec<usize> = (0..keys).filter(|_| choices.below(one_in) == 0).collect();
                used(&slots, keys)
            };
            let (table, other) = (random(1000, 3), random(100, 20));
            let taken = |used: &Used, slot: usize| used.word_at(slot) & 1 != 0;
            let expected = (0..)
                .find(|offset| {
                    !(0..128).any(|slot| taken(&other, slot) && taken(&table, offset + slot))
                })
                .expect("it fits at the end");
            if other.count() > 0 {
                assert_eq!(table.fit(&other), expected);
            }
        }
    }
}
