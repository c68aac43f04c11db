//! Numbers of about 32 digits, as sums of two \[Dekker 1971\]: what a polynomial of clustered roots needs of its coefficients, so
//! that the roots have the digits of one number.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// high + low, of which the second is below the rounding of the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DoubleDouble {
    high: f64,
    low: f64,
}

/// a + b and its rounding error, whichever is larger.
fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let of_b = high - a;
    DoubleDouble { high, low: (a - (high - of_b)) + (b - of_b) }
}

/// a + b and its rounding error for |a| >= |b|.
fn quick_two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    DoubleDouble { high, low: b - (high - a) }
}

/// Two halves of the digits of a number.
fn halves(a: f64) -> [f64; 2] {
    let scaled = 134_217_729.0 * a; // 2^27 + 1
    let upper = scaled - (scaled - a);
    [upper, a - upper]
}

/// a b and its rounding error, without a fused product.
fn two_product(a: f64, b: f64) -> DoubleDouble {
    let (high, [a1, a0], [b1, b0]) = (a * b, halves(a), halves(b));
    DoubleDouble { high, low: ((a1 * b1 - high) + a1 * b0 + a0 * b1) + a0 * b0 }
}

impl DoubleDouble {
    pub const ZERO: DoubleDouble = DoubleDouble { high: 0.0, low: 0.0 };

    /// a b, exactly.
    pub fn product(a: f64, b: f64) -> DoubleDouble {
        two_product(a, b)
    }

    /// The nearest number.
    pub fn rounded(self) -> f64 {
        self.high + self.low
    }

    /// Its product with a power of two, exactly.
    pub fn scaled(self, power_of_two: f64) -> DoubleDouble {
        DoubleDouble { high: power_of_two * self.high, low: power_of_two * self.low }
    }
}

impl From<f64> for DoubleDouble {
    fn from(number: f64) -> DoubleDouble {
        DoubleDouble { high: number, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = DoubleDouble;
    fn add(self, other: DoubleDouble) -> DoubleDouble {
        let (upper, lower) = (two_sum(self.high, other.high), two_sum(self.low, other.low));
        let sum = quick_two_sum(upper.high, upper.low + lower.high);
        quick_two_sum(sum.high, sum.low + lower.low)
    }
}

impl Neg for DoubleDouble {
    type Output = DoubleDouble;
    fn neg(self) -> DoubleDouble {
        DoubleDouble { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = DoubleDouble;
    fn sub(self, other: DoubleDouble) -> DoubleDouble {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = DoubleDouble;
    fn mul(self, other: DoubleDouble) -> DoubleDouble {
        let product = two_product(self.high, other.high);
        quick_two_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for DoubleDouble {
    type Output = DoubleDouble;
    fn div(self, other: DoubleDouble) -> DoubleDouble {
        // three digits of a long division
        let first = self.high / other.high;
        let rest = self - other * first.into();
        let second = rest.high / other.high;
        let rest = rest - other * second.into();
        quick_two_sum(first, second) + (rest.high / other.high).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_products_and_quotients_have_32_digits() {
        let third = DoubleDouble::from(1.0) / 3.0.into();
        let one = third + third + third;
        assert!((one - 1.0.into()).rounded().abs() < 1e-31);
        assert!(third.low.abs() > 1e-18, "a third has no end");
        let root = DoubleDouble { high: std::f64::consts::SQRT_2, low: -9.667_293_313_452_913e-17 };
        assert!((root * root - 2.0.into()).rounded().abs() < 1e-31);
        assert!((DoubleDouble::from(2.0) / root - root).rounded().abs() < 1e-31);
        // (1 + 2^-52)² = 1 + 2^-51 + 2^-104
        let next = 1.0 + f64::EPSILON;
        let square = DoubleDouble::product(next, next);
        assert_eq!((square.high, square.low), (1.0 + 2.0 * f64::EPSILON, f64::EPSILON * f64::EPSILON));
        assert_eq!((square - 1.0.into()).scaled(0.5).rounded(), f64::EPSILON + 0.5 * f64::EPSILON * f64::EPSILON);
    }
}
