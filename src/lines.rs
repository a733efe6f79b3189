//! What lies between two squares, the line through both, the squares before a pawn, and those it
//! attacks: from tables in the full profile, and computed in the small one.

#[cfg(feature = "small")]
pub(crate) use computed::{between, forward_file, line, passed_span, pawn_attacks};
#[cfg(not(feature = "small"))]
pub(crate) use stored::{between, forward_file, line, passed_span, pawn_attacks};

#[cfg(not(feature = "small"))]
mod stored {
    use crate::tables;

    #[inline]
    pub(crate) const fn between(a: usize, b: usize) -> u64 {
        tables::BETWEEN[a][b]
    }

    #[inline]
    pub(crate) const fn line(a: usize, b: usize) -> u64 {
        tables::LINE[a][b]
    }

    #[inline]
    pub(crate) const fn forward_file(color: usize, square: usize) -> u64 {
        tables::FORWARD_FILES[color][square]
    }

    #[inline]
    pub(crate) const fn passed_span(color: usize, square: usize) -> u64 {
        tables::PASSED_SPANS[color][square]
    }

    #[inline]
    pub(crate) const fn pawn_attacks(color: usize, square: usize) -> u64 {
        tables::PAWN_ATTACKS[color][square]
    }
}

#[cfg(any(test, feature = "small"))]
mod computed {
    use crate::tables::{BISHOP_RAYS, ROOK_RAYS};

    const FILE_A: u64 = 0x0101_0101_0101_0101;

    /// Without the two squares themselves. The rays of two squares on one line meet in nothing
    /// but that line: their other rays are parallel, or cross it in the other square, which its
    /// own rays leave out.
    const fn open_line(a: usize, b: usize) -> u64 {
        if ROOK_RAYS[a] >> b & 1 != 0 {
            ROOK_RAYS[a] & ROOK_RAYS[b]
        } else if BISHOP_RAYS[a] >> b & 1 != 0 {
            BISHOP_RAYS[a] & BISHOP_RAYS[b]
        } else {
            0
        }
    }

    pub(crate) const fn between(a: usize, b: usize) -> u64 {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        // Along every line the numbers of squares grow one way.
        open_line(a, b) & (!1 << low) & ((1 << high) - 1)
    }

    pub(crate) const fn line(a: usize, b: usize) -> u64 {
        match open_line(a, b) {
            0 if !joined(a, b) => 0,
            open => open | 1 << a | 1 << b,
        }
    }

    pub(crate) const fn forward_file(color: usize, square: usize) -> u64 {
        FILE_A << (square & 7) & ranks_before(color, square)
    }

    pub(crate) const fn passed_span(color: usize, square: usize) -> u64 {
        let file = FILE_A << (square & 7);
        let west = file >> 1 & !(FILE_A << 7);
        let east = file << 1 & !FILE_A;
        (west | file | east) & ranks_before(color, square)
    }

    pub(crate) const fn pawn_attacks(color: usize, square: usize) -> u64 {
        let pawn = 1 << square;
        let beside = pawn >> 1 & !(FILE_A << 7) | pawn << 1 & !FILE_A;
        match color {
            0 => beside >> 8,
            _ => beside << 8,
        }
    }

    /// Those with lower numbers for white, which is 0, and higher ones for black.
    const fn ranks_before(color: usize, square: usize) -> u64 {
        let rank = square & !7;
        match color {
            0 => (1 << rank) - 1,
            _ => !0xff << rank,
        }
    }

    const fn joined(a: usize, b: usize) -> bool {
        (ROOK_RAYS[a] | BISHOP_RAYS[a]) >> b & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares from `square` on in one direction.
    fn walk(square: usize, files: i32, ranks: i32) -> impl Iterator<Item = usize> {
        let (file, rank) = (square as i32 % 8, square as i32 / 8);
        (1..8)
            .map(move |steps| (file + steps * files, rank + steps * ranks))
            .take_while(|&(file, rank)| (file | rank) & !7 == 0)
            .map(|(file, rank)| (8 * rank + file) as usize)
    }

    #[test]
    fn spans_agree_with_a_walk() {
        for square in 0..64 {
            for (color, ranks) in [(0, -1), (1, 1)] {
                let ahead = |square| walk(square, 0, ranks).fold(0, |set, at| set | 1_u64 << at);
                let file = ahead(square);
                let mut span = file;
                for beside in walk(square, 1, 0)
                    .take(1)
                    .chain(walk(square, -1, 0).take(1))
                {
                    span |= ahead(beside);
                }
                for found in [forward_file, computed::forward_file] {
                    assert_eq!(found(color, square), file, "{color} {square}");
                }
                for found in [passed_span, computed::passed_span] {
                    assert_eq!(found(color, square), span, "{color} {square}");
                }
                let step = |files| walk(square, files, ranks).take(1);
                let attacks = step(1).chain(step(-1)).fold(0, |set, at| set | 1_u64 << at);
                for found in [pawn_attacks, computed::pawn_attacks] {
                    assert_eq!(found(color, square), attacks, "{color} {square}");
                }
            }
        }
    }

    #[test]
    fn all_pairs_agree_with_a_walk() {
        let mut expected = [[(0_u64, 0_u64); 64]; 64];
        for (a, row) in expected.iter_mut().enumerate() {
            for (files, ranks) in [
                (1, 0),
                (-1, 0),
                (0, 1),
                (0, -1),
                (1, 1),
                (-1, -1),
                (1, -1),
                (-1, 1),
            ] {
                let set = |squares: &mut dyn Iterator<Item = usize>| -> u64 {
                    squares.map(|square| 1_u64 << square).sum()
                };
                let line =
                    set(&mut walk(a, files, ranks)) | set(&mut walk(a, -files, -ranks)) | 1 << a;
                let mut passed = 0;
                for b in walk(a, files, ranks) {
                    row[b] = (passed, line);
                    passed |= 1 << b;
                }
            }
        }
        for (a, row) in expected.iter().enumerate() {
            for (b, &sets) in row.iter().enumerate() {
                assert_eq!((between(a, b), line(a, b)), sets, "{a} {b}");
                let computed = (computed::between(a, b), computed::line(a, b));
                assert_eq!(computed, sets, "{a} {b}");
            }
        }
    }
}
