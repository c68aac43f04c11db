//! How much a cell changed.

use serde::Serialize;

use crate::table::Field;

/// Numbers that lie between two values that differ in their last bits, and one.
const LAST_BITS: u64 = 4;
/// Largest relative difference that rounding explains.
const ROUNDING: f64 = 1e-9;

/// What a changed cell, row or column came to; a row is its worst cell.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The same number in another notation, or at most the fourth number beside it.
    Bits,
    /// By less than a billionth of the larger of both.
    Rounding,
    /// By more, or no numbers; and every change of a count.
    Real,
}

impl Change {
    /// From one text to another one.
    pub fn of(field: &Field, old: &str, new: &str) -> Change {
        let number = |cell: &str| cell.parse::<f64>().ok().filter(|value| field.is_number() && value.is_finite());
        let Some((old, new)) = number(old).zip(number(new)) else { return Change::Real };
        if old == new {
            return Change::Bits;
        }
        if field.is_integer() {
            return Change::Real;
        }
        if steps_between(old, new) <= LAST_BITS {
            return Change::Bits;
        }
        // halves, so that the difference of the largest numbers is finite
        let difference = (new / 2.0 - old / 2.0).abs();
        if difference < ROUNDING * (new / 2.0).abs().max((old / 2.0).abs()) { Change::Rounding } else { Change::Real }
    }

    pub fn word(self) -> &'static str {
        match self {
            Change::Bits => "last bits",
            Change::Rounding => "rounding",
            Change::Real => "real",
        }
    }
}

/// How many numbers one is from the other.
fn steps_between(a: f64, b: f64) -> u64 {
    // numbers in their order, zeros of both signs at 0
    let place = |value: f64| {
        let magnitude = (value.to_bits() & (u64::MAX >> 1)) as i64;
        if value.is_sign_negative() { -magnitude } else { magnitude }
    };
    place(a).abs_diff(place(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(kind: &str, old: &str, new: &str) -> Change {
        Change::of(&Field { name: "gain".into(), kind: kind.into(), unit: "-".into() }, old, new)
    }

    #[test]
    fn the_last_bits_are_four_numbers_at_most() {
        let beside = |count: u64| f64::from_bits(1.0f64.to_bits() + count).to_string();
        for (old, new) in
            [("1.0", "1"), ("1e3", "1000"), ("0", "-0.0"), ("1", &beside(1)), ("1", &beside(4)), ("5e-324", "-5e-324")]
        {
            assert_eq!(change("number", old, new), Change::Bits, "{old} {new}");
            assert_eq!(change("number", new, old), Change::Bits, "{new} {old}");
        }
        assert_eq!(change("number", "1", &beside(5)), Change::Rounding);
    }

    #[test]
    fn rounding_is_below_a_billionth_of_the_larger() {
        for (old, new, class) in [
            ("1", "1.0000000009", Change::Rounding),
            ("-2e300", "-2.000000001e300", Change::Rounding),
            ("1", "1.0000000011", Change::Real),
            ("1.7e308", "-1.7e308", Change::Real),
            ("0", "1e-30", Change::Real),
            ("1e-12", "-1e-12", Change::Real),
        ] {
            assert_eq!(change("number", old, new), class, "{old} {new}");
            assert_eq!(change("number", new, old), class, "{new} {old}");
        }
    }

    #[test]
    fn words_gaps_and_counts_change_really() {
        assert_eq!(change("string", "1.0", "1"), Change::Real);
        assert_eq!(change("number", "", "1"), Change::Real);
        assert_eq!(change("number", "1", "inf"), Change::Real);
        assert_eq!(change("integer", "10000000000", "10000000001"), Change::Real);
    }
}
