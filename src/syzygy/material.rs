//! What stands on a board besides the kings: the name of a table.

use crate::board::Board;
use crate::types::{Color, PieceType};
use core::fmt;

/// The most men of a table, kings counted.
pub const MAX_MEN: usize = 7;

/// The kinds besides the king in the order of table names, the highest first.
const KINDS: [PieceType; 5] = [
    PieceType::Queen,
    PieceType::Rook,
    PieceType::Bishop,
    PieceType::Knight,
    PieceType::Pawn,
];
/// Bits of one side: a digit of four for each kind, the queens' highest.
const SIDE_BITS: u32 = 20;
const SIDE_MASK: u64 = (1 << SIDE_BITS) - 1;

const fn shift(kind: PieceType) -> u32 {
    // Pawns 0 to queens 4.
    4 * kind as u32
}

/// How many pieces of each kind both sides have: of a board, or of a table, whose first side is
/// the one named first.
///
/// ```
/// use kirin::{syzygy::Material, Board};
/// let board: Board = "8/8/8/4k3/8/2r5/8/3QK3 w - - 0 1".parse()?;
/// let material = Material::of(&board);
/// assert_eq!((material.to_string().as_str(), material.men()), ("KQvKR", 4));
/// assert_eq!(Material::from_name("KQvKR"), Some(material));
/// # Ok::<(), kirin::ParseFenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material(u64);

impl Material {
    /// What stands on the board, white's first.
    #[must_use]
    pub fn of(board: &Board) -> Material {
        let side = |color| -> u64 {
            let count = |kind| u64::from(board.of(color, kind).len());
            KINDS.iter().map(|&kind| count(kind) << shift(kind)).sum()
        };
        Material(side(Color::White) << SIDE_BITS | side(Color::Black))
    }

    /// The material that a table's name tells, such as `KQPvKR`: three to seven men, each side's
    /// in the order K, Q, R, B, N, P, and the stronger side first, as [`Material::of_table`] has it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Material> {
        let (first, second) = name.split_once('v')?;
        let side = |text: &str| -> Option<u64> {
            let (mut sum, mut last) = (0, shift(PieceType::Queen));
            for letter in text.strip_prefix('K')?.chars() {
                let kind = KINDS
                    .into_iter()
                    .find(|kind| kind.of(Color::White).to_char() == letter)?;
                if text.len() >= MAX_MEN || shift(kind) > last {
                    return None;
                }
                last = shift(kind);
                sum += 1 << last;
            }
            Some(sum)
        };
        let material = Material(side(first)? << SIDE_BITS | side(second)?);
        let known = (3..=MAX_MEN).contains(&material.men()) && material == material.of_table();
        known.then_some(material)
    }

    /// The same with its sides exchanged.
    #[must_use]
    pub const fn flipped(self) -> Material {
        Material(self.second() << SIDE_BITS | self.first())
    }

    /// The material of the table for it: the stronger side first, which is the one with more
    /// men or else with the higher ones.
    #[must_use]
    pub fn of_table(self) -> Material {
        let rank = |side| (digit_sum(side), side);
        if rank(self.first()) < rank(self.second()) {
            self.flipped()
        } else {
            self
        }
    }

    /// All men, the kings counted.
    #[must_use]
    pub const fn men(self) -> usize {
        2 + digit_sum(self.first()) + digit_sum(self.second())
    }

    /// Have both sides the same?
    #[must_use]
    pub const fn is_symmetric(self) -> bool {
        self.first() == self.second()
    }

    const fn first(self) -> u64 {
        self.0 >> SIDE_BITS
    }

    const fn second(self) -> u64 {
        self.0 & SIDE_MASK
    }

    /// How many of a kind the side has: the first as white, the second as black.
    pub(super) const fn count(self, color: Color, kind: PieceType) -> usize {
        let side = match color {
            Color::White => self.first(),
            Color::Black => self.second(),
        };
        match kind {
            PieceType::King => 1,
            _ => (side >> shift(kind) & 15) as usize,
        }
    }
}

const fn digit_sum(side: u64) -> usize {
    let (mut rest, mut sum) = (side, 0);
    while rest != 0 {
        sum += (rest & 15) as usize;
        rest >>= 4;
    }
    sum
}

/// Writes the name, such as `KQvKR`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in Color::ALL {
            f.write_str(if color == Color::White { "K" } else { "vK" })?;
            for kind in KINDS {
                for _ in 0..self.count(color, kind) {
                    write!(f, "{}", kind.of(Color::White))?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Material({self})")
    }
}
