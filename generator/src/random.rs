//! Random numbers: ChaCha, one stream for each purpose and item.
//!
//! A stream is named by a purpose and a number within it, and its contents depend on the key and that name alone. So
//! no family of tables can move another by drawing more or fewer numbers, and the order of the work does not matter.
//! Only whole 32-bit words are drawn, low word first, which reads the same on every host.
//!
//! The cipher works in batches of four blocks, so a stream costs ten microseconds before its first word, unoptimised
//! as build scripts are. The magic search, which wants few words but for each of 128 squares afresh, takes one 64-bit
//! word a square from a single stream, always from the same place of it, and spreads that with [`Choices`].

use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

/// What a stream is drawn for: the high half of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// One word for each piece and square, from which the magic search makes its choices; the item is 0.
    Magics = 1,
    /// Hash keys; the item is the kind of key.
    Zobrist = 2,
    /// One word for each piece and square, which chooses among dense magics; the item is 0.
    Dense = 3,
}

/// A key from which every stream of one seed is drawn.
pub struct Streams {
    start: ChaCha20Rng,
}

/// One stream of random numbers.
pub struct Stream {
    words: ChaCha20Rng,
}

impl Streams {
    /// The streams of a seed. Any seed will do: the cipher's own constants keep its state from being all zero.
    #[must_use]
    pub fn new(seed: u64) -> Streams {
        let mut key = *b"........ Kirin, generated tables";
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Streams {
            start: ChaCha20Rng::from_seed(key),
        }
    }

    /// The stream of one item.
    #[must_use]
    pub fn stream(&self, purpose: Purpose, item: u32) -> Stream {
        let mut words = self.start.clone();
        words.set_stream((u64::from(purpose as u32) << 32) | u64::from(item));
        Stream { words }
    }
}

impl Stream {
    /// The next 64 bits: two words, the low one first.
    pub fn next_u64(&mut self) -> u64 {
        let low = u64::from(self.words.next_u32());
        u64::from(self.words.next_u32()) << 32 | low
    }
}

/// The choices of one square's search: SplitMix64 (Steele, Lea and Flood, 2014), a counter in steps of the golden ratio
/// whose every value is mixed until no trace of the counter is left. A start is as good as any other, 0 included.
///
/// No cipher, and need not be one: it spreads a word that came from one.
#[derive(Clone, Debug)]
pub struct Choices {
    counter: u64,
}

impl Choices {
    /// The choices that follow from a word.
    #[must_use]
    pub const fn new(word: u64) -> Choices {
        Choices { counter: word }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.counter;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// The next 32 bits: the upper half of 64.
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// A number below `bound`, which is at least 1 and small: the bias is below one in 2^32 / `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(bound)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first keystream block for an all-zero key and nonce (RFC 8439, appendix A.1, test vector 1).
    #[test]
    fn the_cipher_is_chacha20() {
        let mut words = ChaCha20Rng::from_seed([0; 32]);
        let mut bytes = Vec::new();
        for _ in 0..4 {
            bytes.extend(words.next_u32().to_le_bytes());
        }
        assert_eq!(
            bytes,
            [
                0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d, 0x6a, 0xe5, 0x53, 0x86,
                0xbd, 0x28
            ]
        );
    }

    #[test]
    fn streams_differ_by_seed_purpose_and_item() {
        let first = |seed, purpose, item| Streams::new(seed).stream(purpose, item).next_u64();
        let all = [
            first(0, Purpose::Magics, 0),
            first(1, Purpose::Magics, 0),
            first(1 << 63, Purpose::Magics, 0),
            first(0, Purpose::Magics, 1),
            first(0, Purpose::Zobrist, 0),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(!all[..i].contains(a));
        }
        assert_eq!(all[0], first(0, Purpose::Magics, 0));
    }

    /// The first outputs from 1234567, as the generator's authors and its many users give them.
    #[test]
    fn choices_are_splitmix64() {
        let mut choices = Choices::new(1_234_567);
        assert_eq!(
            [choices.next_u64(), choices.next_u64(), choices.next_u64()],
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
        // A word of 0 is as good as any.
        assert_eq!(Choices::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn bounded_choices_reach_all_below_the_bound_and_no_more() {
        let mut choices = Choices::new(0);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[choices.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| count > 800), "{seen:?}");
    }
}
