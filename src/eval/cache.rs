//! What depends on the pawns alone, or on them and a king, is kept for the next position that
//! has them in the same places: most have.

use super::{Evaluation, Trace};
use crate::board::{Black, Side, White};
use crate::profile::PAWN_CACHE_ENTRIES;
use crate::types::Bitboard;
use crate::zobrist::Key;

const SIZE: usize = PAWN_CACHE_ENTRIES;
const _: () = assert!(SIZE.is_power_of_two());

/// A king's shelter.
#[derive(Clone, Copy)]
struct Shelter {
    /// One more than the king's square; 0 for none.
    king: u8,
    /// What it adds to the sum, as white sees it.
    sum: i32,
    /// What it adds to the danger that the other side makes.
    danger: i32,
}

/// What is known of an arrangement of pawns.
#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    passed: Bitboard,
    /// White's less black's.
    sum: i32,
    /// `[color]`
    shelters: [Shelter; 2],
}

impl Entry {
    /// No pawns at all: their key is 0, none is passed, their sum is 0.
    const EMPTY: Entry = Entry {
        key: Key(0),
        passed: Bitboard::EMPTY,
        sum: 0,
        shelters: [Shelter {
            king: 0,
            sum: 0,
            danger: 0,
        }; 2],
    };
}

/// A cache of what the evaluation found about pawns and the kings behind them. All zero bytes
/// are its initial value, which is right for positions without pawns.
pub struct PawnCache {
    entries: [Entry; SIZE],
}

impl PawnCache {
    /// A cache that knows nothing.
    #[must_use]
    pub const fn new() -> PawnCache {
        PawnCache {
            entries: [Entry::EMPTY; SIZE],
        }
    }

    #[inline]
    fn entry(&mut self, key: Key) -> &mut Entry {
        &mut self.entries[key.0 as usize & (SIZE - 1)]
    }
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}

impl<T: Trace> Evaluation<'_, T> {
    /// Pawn structure and the kings' shelters, from the cache if there is one.
    pub(super) fn structure(&mut self, cache: Option<&mut PawnCache>) {
        let Some(cache) = cache else {
            self.pawns::<White>();
            self.pawns::<Black>();
            self.shelter::<White>();
            self.shelter::<Black>();
            return;
        };
        let key = self.board.keys().pawns;
        let entry = cache.entry(key);
        if entry.key == key {
            self.sum = self.sum.wrapping_add(entry.sum);
            self.passed = entry.passed;
        } else {
            let before = self.sum;
            self.pawns::<White>();
            self.pawns::<Black>();
            *entry = Entry {
                key,
                passed: self.passed,
                sum: self.sum.wrapping_sub(before),
                ..Entry::EMPTY
            };
        }
        self.cached_shelter::<White>(entry);
        self.cached_shelter::<Black>(entry);
    }

    fn cached_shelter<S: Side>(&mut self, entry: &mut Entry) {
        let shelter = &mut entry.shelters[S::COLOR as usize];
        let them = S::Them::COLOR as usize;
        let king = self.board.king(S::COLOR) as u8 + 1;
        if shelter.king == king {
            self.sum = self.sum.wrapping_add(shelter.sum);
            self.danger[them] = self.danger[them].wrapping_add(shelter.danger);
            return;
        }
        let (sum, danger) = (self.sum, self.danger[them]);
        self.shelter::<S>();
        *shelter = Shelter {
            king,
            sum: self.sum.wrapping_sub(sum),
            danger: self.danger[them].wrapping_sub(danger),
        };
    }
}
