//! A position's number in a table.
//!
//! The board is first turned so that the leading man stands on the files a to d and, without
//! pawns, in the triangle a1-d1-d4. Then the men are numbered group by group: the leading group
//! has a numbering of its own, and of each further one, which is of like men, it only counts
//! which of the squares that are still free they take, as a number in the combinatorial system
//! (D. H. Lehmer's). Which men form the groups and in which order these are combined the table
//! says itself, since the generator has tried what compresses best.
//!
//! Squares are numbered here as in the format: a1 is 0, h1 is 7, and h8 is 63.

use super::material::MAX_MEN;

/// `[n][k]`: how many sets of `k` there are among `n`.
static BINOMIALS: [[u32; MAX_MEN]; 65] = binomials();

const fn binomials() -> [[u32; MAX_MEN]; 65] {
    let mut table = [[0; MAX_MEN]; 65];
    let mut n = 0;
    while n < 65 {
        table[n][0] = 1;
        let mut k = 1;
        while k < MAX_MEN && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// How many sets of `k` there are among `n`; none of more than seven among squares are asked for.
fn choose(n: usize, k: usize) -> u64 {
    let row = BINOMIALS.get(n);
    row.and_then(|row| row.get(k)).map_or(0, |&n| u64::from(n))
}

/// The places of three leading men, all different from each other.
const THREE_LEADERS: u64 = 31_332;
/// The places of two kings that do not touch.
const KING_PAIRS: u64 = 462;

const fn file(square: u8) -> u8 {
    square & 7
}

const fn rank(square: u8) -> u8 {
    square >> 3
}

/// Is the square on the long diagonal of a1 (0), above it (positive) or below it?
const fn off_diagonal(square: u8) -> i8 {
    rank(square) as i8 - file(square) as i8
}

/// The number of a square in the triangle a1-d1-d4: first the six below the diagonal.
const fn triangle(square: u8) -> u8 {
    let (file, rank) = (file(square), rank(square));
    if file == rank {
        6 + rank
    } else {
        rank * (7 - rank) / 2 + file - rank - 1
    }
}

/// The number of a square among the 28 below the long diagonal.
const fn below_diagonal(square: u8) -> u8 {
    let (file, rank) = (file(square), rank(square));
    rank * (15 - rank) / 2 + file - rank - 1
}

/// `[triangle of the first king][square of the second]`: the number of the pair. Those with both
/// kings on the diagonal come last.
static KINGS: [[u16; 64]; 10] = kings();

const fn kings() -> [[u16; 64]; 10] {
    const TRIANGLE: [u8; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];
    let mut table = [[0; 64]; 10];
    let mut number = 0;
    let mut both_on_diagonal = 0;
    while both_on_diagonal < 2 {
        let mut row = 0;
        while row < 10 {
            let first = TRIANGLE[row];
            assert!(triangle(first) as usize == row);
            let mut second = 0;
            while second < 64 {
                let touch = file(first).abs_diff(file(second)) <= 1
                    && rank(first).abs_diff(rank(second)) <= 1;
                let on_diagonal = off_diagonal(first) == 0;
                let mirrored = on_diagonal && off_diagonal(second) > 0;
                let both = (on_diagonal && off_diagonal(second) == 0) as u8;
                if !touch && !mirrored && both == both_on_diagonal {
                    table[row][second as usize] = number;
                    number += 1;
                }
                second += 1;
            }
            row += 1;
        }
        both_on_diagonal += 1;
    }
    assert!(number as u64 == KING_PAIRS);
    table
}

/// How much a pawn leads: the nearer to the edge of the board and the less advanced, the more.
/// It is how many squares are left for those behind it. For squares where no pawn stands, 0.
const fn pawn_lead(square: u8) -> u8 {
    let (file, rank) = (file(square), rank(square));
    let from_edge = if file < 4 { file } else { 7 - file };
    if rank == 0 || rank == 7 {
        return 0;
    }
    47 - (12 * from_edge + 2 * (rank - 1) + (file > 3) as u8)
}

/// The place of the pawn that leads most; which file's part of the table counts is told by it.
pub(super) fn leading_pawn(pawns: &[u8]) -> usize {
    let lead = |at: &usize| pawn_lead(pawns[*at]);
    (0..pawns.len()).max_by_key(lead).unwrap_or(0)
}

/// The file of a pawn, counted from the nearer edge.
pub(super) const fn edge_file(square: u8) -> usize {
    let file = file(square);
    (if file < 4 { file } else { 7 - file }) as usize
}

/// How many places a leading group of so many pawns has that is led from this file, and the first
/// of them for a leader on this rank.
fn leading_pawns_base(pawns: usize, file: usize, rank: usize) -> u64 {
    (1..rank)
        .map(|below| choose(usize::from(pawn_lead((8 * below + file) as u8)), pawns - 1))
        .sum()
}

/// What leads a table's groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaders {
    /// The two kings.
    Kings,
    /// The first three men, all different.
    Three,
    /// The pawns of one side: how many, and how many the other side has.
    Pawns { leading: usize, other: usize },
}

/// How a part of a table numbers its positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    leaders: Leaders,
    /// The men as the format codes them, in the table's order.
    pub pieces: [u8; MAX_MEN],
    men: usize,
    /// How many men the groups have, 0 behind the last.
    lengths: [u8; MAX_MEN],
    /// What each group's number is multiplied with.
    factors: [u64; MAX_MEN],
    /// How many positions there are.
    pub size: u64,
}

impl Layout {
    pub const EMPTY: Layout = Layout {
        leaders: Leaders::Kings,
        pieces: [0; MAX_MEN],
        men: 0,
        lengths: [0; MAX_MEN],
        factors: [0; MAX_MEN],
        size: 0,
    };

    /// The numbering of these men; `file` is the leading pawn's. `order` tells when the leading
    /// group is combined with the others, and the other side's pawns. `None` if that can't be.
    pub fn new(pieces: &[u8], leaders: Leaders, order: [u8; 2], file: usize) -> Option<Layout> {
        let mut layout = Layout {
            leaders,
            men: pieces.len(),
            ..Layout::EMPTY
        };
        layout
            .pieces
            .get_mut(..pieces.len())?
            .copy_from_slice(pieces);
        let first = match leaders {
            Leaders::Kings => 2,
            Leaders::Three => 3,
            Leaders::Pawns { leading, .. } => leading,
        };
        let (mut groups, mut at) = (0, 0);
        while at < pieces.len() {
            let alike = pieces[at..]
                .iter()
                .take_while(|&&piece| piece == pieces[at]);
            let length = if at == 0 { first } else { alike.count() };
            layout.lengths[groups] = length as u8;
            (groups, at) = (groups + 1, at + length);
        }
        if at != pieces.len() {
            return None;
        }
        let other_pawns = match leaders {
            Leaders::Pawns { other, .. } if other > 0 => {
                if usize::from(*layout.lengths.get(1)?) != other {
                    return None;
                }
                other
            }
            _ => 0,
        };
        let [leaders_turn, pawns_turn] = order.map(usize::from);
        let mut next = if other_pawns > 0 { 2 } else { 1 };
        let mut free = 64 - first - other_pawns;
        let (mut leaders_done, mut pawns_done) = (false, other_pawns == 0);
        layout.size = 1;
        for turn in 0..groups {
            let (group, places) = if turn == leaders_turn {
                leaders_done = true;
                let places = match leaders {
                    Leaders::Kings => KING_PAIRS,
                    Leaders::Three => THREE_LEADERS,
                    Leaders::Pawns { leading, .. } => leading_pawns_base(leading, file, 7),
                };
                (0, places)
            } else if other_pawns > 0 && turn == pawns_turn {
                pawns_done = true;
                (1, choose(48 - first, other_pawns))
            } else if next < groups {
                let length = usize::from(layout.lengths[next]);
                next += 1;
                free -= length;
                (next - 1, choose(free + length, length))
            } else {
                return None;
            };
            layout.factors[group] = layout.size;
            layout.size = layout.size.checked_mul(places)?;
        }
        (leaders_done && pawns_done && next == groups).then_some(layout)
    }

    /// The number of the position in which the men stand on these squares, in the table's order;
    /// of pawns that lead, the one that leads most is the first.
    pub fn index(&self, mut squares: [u8; MAX_MEN]) -> u64 {
        let squares = &mut squares[..self.men];
        let turn = |squares: &mut [u8], mask| squares.iter_mut().for_each(|square| *square ^= mask);
        if file(squares[0]) > 3 {
            turn(squares, 7);
        }
        let (leading, leaders) = match self.leaders {
            Leaders::Pawns { leading, .. } => (leading, pawns_number(&mut squares[..leading])),
            Leaders::Kings | Leaders::Three => {
                let leading = if self.leaders == Leaders::Kings { 2 } else { 3 };
                if rank(squares[0]) > 3 {
                    turn(squares, 56);
                }
                let off = squares[..leading]
                    .iter()
                    .map(|&square| off_diagonal(square));
                if off
                    .into_iter()
                    .find(|&off| off != 0)
                    .is_some_and(|off| off > 0)
                {
                    for square in &mut *squares {
                        *square = *square >> 3 | (*square & 7) << 3;
                    }
                }
                let number = match squares[..leading] {
                    [first, second, third] => three_number(first, second, third),
                    _ => {
                        u64::from(KINGS[usize::from(triangle(squares[0]))][usize::from(squares[1])])
                    }
                };
                (leading, number)
            }
        };
        let mut index = leaders * self.factors[0];
        let mut placed = leading;
        let mut are_pawns = matches!(self.leaders, Leaders::Pawns { other: 1.., .. });
        for (&length, factor) in self.lengths[1..].iter().zip(&self.factors[1..]) {
            let (before, rest) = squares.split_at_mut(placed);
            let Some(group) = rest.get_mut(..usize::from(length)) else {
                break;
            };
            group.sort_unstable();
            let mut number = 0;
            for (man, &square) in group.iter().enumerate() {
                let taken = before.iter().filter(|&&other| other < square).count();
                // Pawns have no first rank.
                let below = if are_pawns { 8 } else { 0 };
                let free = usize::from(square).saturating_sub(taken + below);
                number += choose(free, man + 1);
            }
            are_pawns = false;
            index += number * factor;
            placed += usize::from(length);
        }
        index
    }
}

/// The number of a leading group of pawns, on the files a to d.
fn pawns_number(pawns: &mut [u8]) -> u64 {
    let count = pawns.len();
    let (file, rank) = (usize::from(file(pawns[0])), usize::from(rank(pawns[0])));
    let others = &mut pawns[1..];
    others.sort_unstable_by_key(|&square| pawn_lead(square));
    let places = others.iter().enumerate();
    leading_pawns_base(count, file, rank)
        + places
            .map(|(at, &square)| choose(usize::from(pawn_lead(square)), at + 1))
            .sum::<u64>()
}

/// The number of three men that are all different, the first of them in the triangle, and the
/// first that is not on the diagonal below it.
fn three_number(first: u8, second: u8, third: u8) -> u64 {
    // Each takes one of the squares that those before it have left.
    let left_of_second = u64::from(second > first);
    let left_of_third = u64::from(third > first) + u64::from(third > second);
    let (second_free, third_free) = (
        |number: u8| u64::from(number) - left_of_second,
        |number: u8| u64::from(number) - left_of_third,
    );
    const ALL_BELOW: u64 = 6 * 63 * 62;
    const SECOND_BELOW: u64 = 4 * 28 * 62;
    const THIRD_BELOW: u64 = 4 * 7 * 28;
    if off_diagonal(first) != 0 {
        (u64::from(triangle(first)) * 63 + second_free(second)) * 62 + third_free(third)
    } else if off_diagonal(second) != 0 {
        let pair = u64::from(rank(first)) * 28 + u64::from(below_diagonal(second));
        ALL_BELOW + pair * 62 + third_free(third)
    } else if off_diagonal(third) != 0 {
        let pair = u64::from(rank(first)) * 7 + second_free(rank(second));
        ALL_BELOW + SECOND_BELOW + pair * 28 + u64::from(below_diagonal(third))
    } else {
        let pair = u64::from(rank(first)) * 7 + second_free(rank(second));
        ALL_BELOW + SECOND_BELOW + THIRD_BELOW + pair * 6 + third_free(rank(third))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec;
    use std::vec::Vec;

    const WHITE_PAWN: u8 = 1;
    const BLACK_PAWN: u8 = 9;
    const KING: u8 = 6;
    const BLACK_KING: u8 = 14;

    /// The table's number of a position whose men stand on any squares.
    fn number(layout: &Layout, squares: &[u8]) -> u64 {
        let mut all = [0; MAX_MEN];
        all[..squares.len()].copy_from_slice(squares);
        if let Leaders::Pawns { leading, .. } = layout.leaders {
            let leader = leading_pawn(&all[..leading]);
            all.swap(0, leader);
        }
        layout.index(all)
    }

    fn sound(layout: &Layout, squares: &[u8]) -> bool {
        let mut seen = 0_u64;
        layout.pieces.iter().zip(squares).all(|(piece, &square)| {
            let again = seen >> square & 1 != 0;
            seen |= 1 << square;
            !again && (piece & 7 != 1 || (8..56).contains(&square))
        })
    }

    /// Calls `visit` for all ways to put up the men, like men in any order but once.
    fn for_all(layout: &Layout, squares: &mut Vec<u8>, visit: &mut impl FnMut(&[u8])) {
        if squares.len() == layout.men {
            return visit(squares);
        }
        let at = squares.len();
        let alike = at > 0 && layout.pieces[at] == layout.pieces[at - 1];
        let first = if alike { squares[at - 1] + 1 } else { 0 };
        for square in first..64 {
            squares.push(square);
            if sound(layout, squares) {
                for_all(layout, squares, visit);
            }
            squares.pop();
        }
    }

    /// The symmetries that tables make use of, with pawns and without.
    fn images(squares: &[u8], has_pawns: bool) -> Vec<Vec<u8>> {
        let turned = |mask, transpose: bool| -> Vec<u8> {
            let turn = |&square: &u8| {
                let square = square ^ mask;
                if transpose {
                    square >> 3 | (square & 7) << 3
                } else {
                    square
                }
            };
            squares.iter().map(turn).collect()
        };
        if has_pawns {
            return vec![turned(7, false)];
        }
        let masks = [0, 7, 56, 63].into_iter();
        masks
            .flat_map(|mask| [turned(mask, false), turned(mask, true)])
            .collect()
    }

    /// Every position has a number within the table's size; its mirror images share it, with few
    /// exceptions, and no other position does.
    fn numbers_are_right(pieces: &[u8], leaders: Leaders, order: [u8; 2], kings_touch: bool) {
        let has_pawns = matches!(leaders, Leaders::Pawns { .. });
        let layouts: Vec<Layout> = (0..4)
            .map(|file| Layout::new(pieces, leaders, order, file).expect("a layout"))
            .collect();
        let mut owners: Vec<Vec<u8>> = layouts
            .iter()
            .map(|layout| vec![0; layout.size as usize])
            .collect();
        let mut counts = [0_u64; 4];
        for_all(&layouts[0], &mut Vec::new(), &mut |squares| {
            let king = |code| squares[pieces.iter().position(|&piece| piece == code).unwrap()];
            let (white, black) = (king(KING), king(BLACK_KING));
            let touch =
                file(white).abs_diff(file(black)) <= 1 && rank(white).abs_diff(rank(black)) <= 1;
            if touch && !kings_touch {
                return;
            }
            let part = if let Leaders::Pawns { leading, .. } = leaders {
                edge_file(squares[leading_pawn(&squares[..leading])])
            } else {
                0
            };
            let index = number(&layouts[part], squares);
            assert!(index < layouts[part].size, "{squares:?}");
            let owner = &mut owners[part][index as usize];
            counts[part] += u64::from(*owner == 0);
            *owner += 1;
            assert!(*owner <= if has_pawns { 2 } else { 8 }, "{squares:?}");
            // Where the leaders are their own mirror image the format keeps both images.
            let leaders_alone = &squares[..match leaders {
                Leaders::Kings => 2,
                Leaders::Three => 3,
                Leaders::Pawns { leading, .. } => leading,
            }];
            let is_mirrored = if has_pawns {
                leaders_alone.contains(&(leaders_alone[leading_pawn(leaders_alone)] ^ 7))
            } else {
                let on = |mask: u8| leaders_alone.iter().all(|&at| off_diagonal(at ^ mask) == 0);
                on(0) || on(7)
            };
            // Its images one by one: for some, since all are visited besides.
            if index % 16 == 0 && !is_mirrored {
                for image in images(squares, has_pawns) {
                    assert_eq!(
                        number(&layouts[part], &image),
                        index,
                        "{squares:?} {image:?}"
                    );
                }
            }
        });
        let used: Vec<(u64, u64)> = layouts
            .iter()
            .map(|layout| layout.size)
            .zip(counts)
            .collect();
        for &(size, count) in &used[..if has_pawns { 4 } else { 1 }] {
            // Some numbers stand for nothing: kings that touch, men on each other's squares.
            assert!(count <= size && 10 * count >= 7 * size, "{used:?}");
        }
    }

    #[test]
    fn kings_lead() {
        let knight = 2;
        numbers_are_right(
            &[KING, BLACK_KING, knight, knight],
            Leaders::Kings,
            [0, 15],
            false,
        );
        numbers_are_right(
            &[BLACK_KING, KING, knight, knight],
            Leaders::Kings,
            [1, 15],
            false,
        );
    }

    #[test]
    fn three_men_lead() {
        numbers_are_right(&[4, KING, BLACK_KING], Leaders::Three, [0, 15], true);
        numbers_are_right(&[BLACK_KING, 4, KING], Leaders::Three, [0, 15], true);
    }

    #[test]
    fn pawns_lead() {
        let leaders = |leading, other| Leaders::Pawns { leading, other };
        let one = [WHITE_PAWN, KING, BLACK_KING];
        numbers_are_right(&one, leaders(1, 0), [0, 15], true);
        numbers_are_right(&one, leaders(1, 0), [2, 15], true);
        let two = [WHITE_PAWN, WHITE_PAWN, BLACK_KING, KING];
        numbers_are_right(&two, leaders(2, 0), [1, 15], true);
        let both = [BLACK_PAWN, WHITE_PAWN, KING, BLACK_KING];
        numbers_are_right(&both, leaders(1, 1), [0, 1], true);
        numbers_are_right(&both, leaders(1, 1), [3, 0], true);
    }

    #[test]
    fn an_order_that_leaves_a_group_out_is_none() {
        let men = [4, KING, BLACK_KING, 2];
        assert!(Layout::new(&men, Leaders::Three, [1, 15], 0).is_some());
        assert!(Layout::new(&men, Leaders::Three, [2, 15], 0).is_none());
        let both = [BLACK_PAWN, WHITE_PAWN, KING, BLACK_KING];
        let leaders = Leaders::Pawns {
            leading: 1,
            other: 1,
        };
        assert!(Layout::new(&both, leaders, [1, 1], 0).is_none());
        assert!(Layout::new(&both, leaders, [0, 4], 0).is_none());
        assert!(Layout::new(&[WHITE_PAWN; 3], leaders, [0, 1], 0).is_none());
    }
}
