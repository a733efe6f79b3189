//! Cuckoo tables: which reversible move lies between two positions, by the difference of their hash keys.
//!
//! Every way of a piece that is no pawn from one square to another has a key: the XOR of what the move changes. Two hash
//! functions give each key two homes, and a key that finds its home taken sends the one who lives there to the other.
//! (Marcel van Kervinck, "The design and implementation of the Rookie 2.0 chess playing program", 2002.)

use crate::error::Error;
use crate::geometry::{leaper_attacks, slow_attacks, Piece, KING_STEPS, KNIGHT_STEPS};
use crate::layout::u64_values;
use crate::table::{Table, Values};

/// Homes; a power of two. The engine takes its two hash functions from here too.
pub const HOMES: usize = 8_192;
/// Moves of knights, bishops, rooks, queens and kings of both colours, each there and back counted once.
const MOVES: usize = 3_668;

/// The first and the second home of a key.
fn homes(key: u64) -> [usize; 2] {
    [
        key as usize & (HOMES - 1),
        (key >> 16) as usize & (HOMES - 1),
    ]
}

/// What a piece attacks on the empty board: knight, bishop, rook, queen, king.
fn attacks(kind: usize, square: usize) -> u64 {
    let slider = |piece| slow_attacks(piece, square, 0);
    match kind {
        1 => leaper_attacks(square, &KNIGHT_STEPS),
        2 => slider(Piece::Bishop),
        3 => slider(Piece::Rook),
        4 => slider(Piece::Bishop) | slider(Piece::Rook),
        _ => leaper_attacks(square, &KING_STEPS),
    }
}

/// The keys in their homes, and the two squares of each move, the lower in the low six bits.
///
/// # Errors
/// If the tables of hash keys are absent or misshapen.
pub fn tables(zobrist: &[Table]) -> Result<Vec<Table>, Error> {
    let pieces = u64_values(zobrist, "ZOBRIST_PIECES")?;
    let side = u64_values(zobrist, "ZOBRIST_SIDE")?[0];
    let mut table = vec![(0_u64, 0_u16); HOMES];
    let mut moves = 0;
    for piece in 0..12 {
        let kind = piece % 6;
        if kind == 0 {
            continue;
        }
        for from in 0..64 {
            let mut targets = attacks(kind, from) & (!1 << from);
            while targets != 0 {
                let to = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                let key = pieces[64 * piece + from] ^ pieces[64 * piece + to] ^ side;
                let mut resident = (key, (from | to << 6) as u16);
                let mut home = homes(key)[0];
                loop {
                    std::mem::swap(&mut table[home], &mut resident);
                    if resident.0 == 0 {
                        break;
                    }
                    let [first, second] = homes(resident.0);
                    home = if home == first { second } else { first };
                }
                moves += 1;
            }
        }
    }
    debug_assert_eq!(moves, MOVES);
    let (keys, squares) = table.into_iter().unzip();
    Ok(vec![
        Table::of_u64(
            "CUCKOO_KEYS",
            "What a move of a piece changes in the hash key, at one of its two homes: `[home]`.",
            &[HOMES],
            keys,
        ),
        Table {
            name: "CUCKOO_MOVES",
            doc: "The squares of that move, from a8 = 0, the lower one in the low six bits: `[home]`.",
            shape: vec![HOMES],
            values: Values::U16(squares),
        },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zobrist;

    #[test]
    fn every_move_is_at_one_of_its_homes() {
        let zobrist = zobrist::tables();
        let tables = tables(&zobrist).expect("the keys are there");
        let keys = u64_values(&tables, "CUCKOO_KEYS").expect("is made");
        let Values::U16(squares) = &tables[1].values else {
            panic!("moves are u16");
        };
        let pieces = u64_values(&zobrist, "ZOBRIST_PIECES").expect("is made");
        let side = u64_values(&zobrist, "ZOBRIST_SIDE").expect("is made")[0];
        assert_eq!(keys.iter().filter(|&&key| key != 0).count(), MOVES);
        let mut found = 0;
        for piece in (0..12).filter(|piece| piece % 6 != 0) {
            for from in 0..64 {
                for to in (0..64).filter(|&to| attacks(piece % 6, from) >> to & 1 != 0) {
                    let key = pieces[64 * piece + from] ^ pieces[64 * piece + to] ^ side;
                    let home = homes(key).into_iter().find(|&home| keys[home] == key);
                    let home = home.expect("lives somewhere");
                    assert_eq!(squares[home] as usize, from.min(to) | from.max(to) << 6);
                    found += 1;
                }
            }
        }
        assert_eq!(found, 2 * MOVES);
    }
}
