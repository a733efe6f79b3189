//! The squares that lie before a pawn: on its file, and on the files beside it too.

use crate::table::Table;

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// The two families of spans, `[side][square]`.
#[must_use]
pub fn tables() -> Vec<Table> {
    let sides = [false, true];
    let each = |span: fn(bool, usize) -> u64| {
        let mut values = Vec::with_capacity(128);
        for black in sides {
            for square in 0..64 {
                values.push(span(black, square));
            }
        }
        values
    };
    vec![
        Table::of_u64(
            "FORWARD_FILES",
            "The squares before a pawn on its file: `[side][square]`.",
            &[2, 64],
            each(forward_file),
        ),
        Table::of_u64(
            "PASSED_SPANS",
            "The squares before a pawn on its file and those beside it: `[side][square]`.",
            &[2, 64],
            each(passed_span),
        ),
    ]
}

/// The ranks before that of `square`: those with lower numbers for white, higher for black.
fn ranks_before(black: bool, square: usize) -> u64 {
    let first_of_rank = square & !7;
    if !black {
        (1 << first_of_rank) - 1
    } else if first_of_rank == 56 {
        0
    } else {
        u64::MAX << (first_of_rank + 8)
    }
}

fn forward_file(black: bool, square: usize) -> u64 {
    FILE_A << (square & 7) & ranks_before(black, square)
}

fn passed_span(black: bool, square: usize) -> u64 {
    let file = square & 7;
    let mut files = FILE_A << file;
    if file > 0 {
        files |= FILE_A << (file - 1);
    }
    if file < 7 {
        files |= FILE_A << (file + 1);
    }
    files & ranks_before(black, square)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Square by square: is `other` before `square`, and at most `files` files away?
    fn walk(black: bool, square: usize, files: usize) -> u64 {
        let mut set = 0;
        for other in 0..64usize {
            let before = if black {
                other / 8 > square / 8
            } else {
                other / 8 < square / 8
            };
            if before && (other % 8).abs_diff(square % 8) <= files {
                set |= 1 << other;
            }
        }
        set
    }

    #[test]
    fn spans_agree_with_a_walk() {
        for black in [false, true] {
            for square in 0..64 {
                assert_eq!(forward_file(black, square), walk(black, square, 0));
                assert_eq!(passed_span(black, square), walk(black, square, 1));
            }
        }
    }
}
