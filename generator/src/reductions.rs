//! Late move reductions by depth and move number.
//!
//! The formula has logarithms in it. They are summed here in whole numbers, so that no host's floating point shows in
//! the tables, nor in the node counts that rest on them.

use crate::table::{Table, Values};

/// Units of a reduction: this many are one ply.
const PLY: u64 = 1024;

/// What every reduction begins with, and what the product of the logarithms is divided by, both in hundredths.
const BASE_HUNDREDTHS: u64 = 104;
const DIVISOR_HUNDREDTHS: u64 = 209;

/// Fractional bits of a logarithm here.
const FRACTION: u32 = 56;

/// The reductions: `PLY * (BASE + ln depth * ln move / DIVISOR)`, rounded; nothing for depth or move 0.
#[must_use]
pub fn tables() -> Vec<Table> {
    let ln = logarithms();
    let mut values = Vec::with_capacity(64 * 64);
    for depth in 0..64 {
        for number in 0..64 {
            values.push(if depth == 0 || number == 0 {
                0
            } else {
                reduction(ln[depth], ln[number])
            });
        }
    }
    vec![Table {
        name: "REDUCTIONS",
        doc: "Late move reductions in 1/1024 ply: `[depth][move number]`.",
        shape: vec![64, 64],
        values: Values::U16(values),
    }]
}

fn reduction(a: u64, b: u64) -> u16 {
    let product = u128::from(a) * u128::from(b);
    // Everything over one denominator: 2^112 of the product, times the divisor; the quotient is in plies times PLY.
    let base = u128::from(PLY * BASE_HUNDREDTHS * DIVISOR_HUNDREDTHS);
    // Half the fraction's bits are dropped first, to stay within 128; what is left is still far finer than a unit.
    let grown = (product >> FRACTION) * u128::from(PLY * 100 * 100);
    let sum = (base << FRACTION) + grown;
    let denominator = u128::from(100 * DIVISOR_HUNDREDTHS) << FRACTION;
    ((sum + denominator / 2) / denominator) as u16
}

/// The natural logarithms of 0 (as 0) to 63, as fixed-point numbers.
///
/// Each is the one before plus `ln((n + 1) / n)`, and that is twice the sum of `x^k / k` over odd `k` for
/// `x = 1 / (2n + 1)`.
fn logarithms() -> [u64; 64] {
    let mut ln = [0; 64];
    for n in 1..63_u64 {
        let x = 2 * n + 1;
        let mut power = (1 << FRACTION) / x;
        let mut sum = 0;
        let mut k = 1;
        while power != 0 {
            sum += power / k;
            power /= x * x;
            k += 2;
        }
        ln[n as usize + 1] = ln[n as usize] + 2 * sum;
    }
    ln
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_close() {
        for (n, &ln) in logarithms().iter().enumerate().skip(1) {
            let float = ln as f64 / (1_u64 << FRACTION) as f64;
            assert!((float - (n as f64).ln()).abs() < 1e-13, "ln {n} = {float}");
        }
    }

    #[test]
    fn reductions_are_the_formulas() {
        let tables = tables();
        let Values::U16(values) = &tables[0].values else {
            panic!("sixteen bits each")
        };
        for depth in 0..64_usize {
            for number in 0..64_usize {
                let float = match depth * number {
                    0 => 0.0,
                    _ => 1024.0 * (1.04 + (depth as f64).ln() * (number as f64).ln() / 2.09),
                };
                // No value lies so near a half that a float could be on the wrong side of it.
                assert_eq!(
                    f64::from(values[64 * depth + number]),
                    float.round(),
                    "{depth} {number}"
                );
            }
        }
    }
}
