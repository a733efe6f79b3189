//! Hash keys.
//!
//! They come from a fixed key of their own and not from the user's seed, so that hashes, and with them play and bench,
//! are the same whatever magics a build was given.

use crate::random::{Purpose, Streams};
use crate::table::Table;

/// The seed of the keys. To change it is to change every hash that anyone stored.
const SEED: u64 = 0;

const CASTLING: u32 = 12;
const EP_FILE: u32 = 13;
const SIDE: u32 = 14;

/// The keys of pieces, castling rights, en-passant files and the side to move.
#[must_use]
pub fn tables() -> Vec<Table> {
    let streams = Streams::new(SEED);
    let keys = |item, count| -> Vec<u64> {
        let mut stream = streams.stream(Purpose::Zobrist, item);
        (0..count).map(|_| stream.next_u64()).collect()
    };
    let mut pieces = Vec::with_capacity(12 * 64);
    for piece in 0..12 {
        pieces.extend(keys(piece, 64));
    }
    let single = keys(CASTLING, 4);
    let castling = (0..16_usize)
        .map(|rights| {
            (0..4)
                .filter(|right| rights >> right & 1 != 0)
                .fold(0, |key, right| key ^ single[right])
        })
        .collect();
    vec![
        Table::of_u64(
            "ZOBRIST_PIECES",
            "Keys of pieces: `[P, N, B, R, Q, K, p..k][square]`.",
            &[12, 64],
            pieces,
        ),
        Table::of_u64(
            "ZOBRIST_CASTLING",
            "Keys of castling rights; that of a set is the XOR of its members': `[rights]`.",
            &[16],
            castling,
        ),
        Table::of_u64(
            "ZOBRIST_EP_FILE",
            "Keys of the en-passant file: `[file]`.",
            &[8],
            keys(EP_FILE, 8),
        ),
        Table::of_u64("ZOBRIST_SIDE", "Key of black to move.", &[], keys(SIDE, 1)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::u64_values;

    #[test]
    fn keys_are_all_different_and_castling_is_linear() {
        let tables = tables();
        let of = |name| u64_values(&tables, name).expect("is made");
        let castling = of("ZOBRIST_CASTLING");
        let mut all: Vec<u64> = [
            of("ZOBRIST_PIECES"),
            castling,
            of("ZOBRIST_EP_FILE"),
            of("ZOBRIST_SIDE"),
        ]
        .concat();
        assert_eq!(all.len(), 768 + 16 + 8 + 1);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 768 + 16 + 8 + 1);
        assert_eq!(castling[0], 0);
        for a in 0..16 {
            for b in 0..16 {
                assert_eq!(castling[a] ^ castling[b], castling[a ^ b]);
            }
        }
    }
}
