//! A table as data: a name, a shape and values, before anyone thinks of syntax.

/// What the look-up of one slider on one square needs, kept together so that one cache line serves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slider {
    /// The squares whose occupancy matters.
    pub mask: u64,
    /// The multiplier.
    pub magic: u64,
    /// Where this square's attack sets begin.
    pub offset: u32,
    /// How far the product is shifted down to leave the key.
    pub shift: u32,
}

impl Slider {
    /// The look-up formula, the only one: the fill, the proof and the engine all index like this.
    ///
    /// The shift is taken modulo 64, so that even a spoiled row is read without a panic and can be refused.
    #[inline]
    #[must_use]
    pub const fn index(&self, occupied: u64) -> usize {
        let key = (occupied & self.mask)
            .wrapping_mul(self.magic)
            .wrapping_shr(self.shift);
        (self.offset as usize).wrapping_add(key as usize)
    }
}

/// The values of a table, row after row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Eight bits each.
    U8(Vec<u8>),
    /// Sixteen bits each.
    U16(Vec<u16>),
    /// Sixteen bits each, with a sign.
    I16(Vec<i16>),
    /// Thirty-two bits each, with a sign.
    I32(Vec<i32>),
    /// Sixty-four bits each.
    U64(Vec<u64>),
    /// A row of metadata each.
    Sliders(Vec<Slider>),
}

impl Values {
    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::U8(values) => values.len(),
            Values::U16(values) => values.len(),
            Values::I16(values) => values.len(),
            Values::I32(values) => values.len(),
            Values::U64(values) => values.len(),
            Values::Sliders(values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes one value takes.
    #[must_use]
    pub fn width(&self) -> usize {
        match self {
            Values::U8(_) => 1,
            Values::U16(_) => 2,
            Values::I16(_) => 2,
            Values::I32(_) => 4,
            Values::U64(_) => 8,
            Values::Sliders(_) => 24,
        }
    }
}

/// A named table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name in the generated text.
    pub name: &'static str,
    /// One line that says what it holds and how it is indexed.
    pub doc: &'static str,
    /// Its dimensions, outermost first; none for a single value.
    pub shape: Vec<usize>,
    /// Its values.
    pub values: Values,
}

impl Table {
    /// A table of 64-bit values.
    #[must_use]
    pub fn of_u64(
        name: &'static str,
        doc: &'static str,
        shape: &[usize],
        values: Vec<u64>,
    ) -> Table {
        Table {
            name,
            doc,
            shape: shape.to_vec(),
            values: Values::U64(values),
        }
    }

    /// How many bytes the table takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.values.len() * self.values.width()
    }
}

/// FNV-1a, 64 bits: not a seal against malice, but any slip of a value shows.
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Takes bytes in.
    pub fn update(&mut self, bytes: &[u8]) {
        let mut hash = self.0;
        for &byte in bytes {
            hash = (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self.0 = hash;
    }

    /// The hash of what was taken in.
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.0
    }
}

/// The checksum of a list of tables: the bytes of each name, then each value in little-endian bytes at its own width
/// (a row of metadata as mask, magic, offset, shift), table after table.
#[must_use]
pub fn checksum(tables: &[Table]) -> u64 {
    let mut hash = Fnv::default();
    for table in tables {
        hash.update(table.name.as_bytes());
        match &table.values {
            Values::U8(values) => hash.update(values),
            Values::U16(values) => {
                for value in values {
                    hash.update(&value.to_le_bytes());
                }
            }
            Values::I16(values) => {
                for value in values {
                    hash.update(&value.to_le_bytes());
                }
            }
            Values::I32(values) => {
                for value in values {
                    hash.update(&value.to_le_bytes());
                }
            }
            Values::U64(values) => {
                for value in values {
                    hash.update(&value.to_le_bytes());
                }
            }
            Values::Sliders(rows) => {
                for row in rows {
                    hash.update(&row.mask.to_le_bytes());
                    hash.update(&row.magic.to_le_bytes());
                    hash.update(&row.offset.to_le_bytes());
                    hash.update(&row.shift.to_le_bytes());
                }
            }
        }
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_gives_its_published_values() {
        for (text, hash) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] {
            let mut fnv = Fnv::default();
            fnv.update(text.as_bytes());
            assert_eq!(fnv.finish(), hash);
        }
    }
}
