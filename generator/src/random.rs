//! Random numbers: ChaCha, one stream for each purpose and item.
//!
//! A stream is named by a purpose and a number within it, and its contents depend on the key and that name alone. So
//! no family of tables can move another by drawing more or fewer numbers, and the order of the work does not matter.
//! Only whole 32-bit words are drawn, low word first, which reads the same on every host.

use rand_chacha::ChaChaRng;
use rand_core::{RngCore, SeedableRng};

/// What a stream is drawn for: the high half of its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// Choices of the magic search; the item is `64 * piece + square`.
    Magics = 1,
    /// Hash keys; the item is the kind of key.
    Zobrist = 2,
}

/// A key from which every stream of one seed is drawn.
pub struct Streams {
    start: ChaChaRng,
}

/// One stream of random numbers.
pub struct Stream {
    words: ChaChaRng,
}

impl Streams {
    /// The streams of a seed. Any seed will do: the cipher's own constants keep its state from being all zero.
    #[must_use]
    pub fn new(seed: u64) -> Streams {
        let mut key = *b"........ Kirin, generated tables";
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Streams {
            start: ChaChaRng::from_seed(key),
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
    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        self.words.next_u32()
    }

    /// The next 64 bits: two words, the low one first.
    pub fn next_u64(&mut self) -> u64 {
        let low = u64::from(self.words.next_u32());
        u64::from(self.words.next_u32()) << 32 | low
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
        let mut words = ChaChaRng::from_seed([0; 32]);
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
}
