//! How far the roots of a polynomial are from zero.

use std::ops::{Add, Div, Mul, Sub};

use super::double_double::DoubleDouble;

/// Whether all roots of p_0 + p_1 λ + ... + p_n λⁿ lie inside the unit circle, by the recursion of Schur and Cohn: they do where
/// |p_0| < |p_n| and those of (p - p_0/p_n p*) / λ, of degree n - 1, do; p* has the coefficients of p in reverse.
pub(super) fn are_within_unit_circle<const LENGTH: usize>(mut p: [f64; LENGTH]) -> bool {
    for n in (1..LENGTH).rev() {
        let within = p[0].abs() < p[n].abs(); // false for a number that is none
        if !within {
            return false;
        }
        let (ratio, old) = (p[0] / p[n], p);
        for k in 0..n {
            p[k] = old[k + 1] - ratio * old[n - 1 - k];
        }
    }
    true
}

/// A complex number of 32 digits.
#[derive(Clone, Copy)]
struct Complex {
    re: DoubleDouble,
    im: DoubleDouble,
}

impl Complex {
    const ZERO: Complex = Complex { re: DoubleDouble::ZERO, im: DoubleDouble::ZERO };

    /// |z|².
    fn square(self) -> DoubleDouble {
        self.re * self.re + self.im * self.im
    }

    fn is_zero(self) -> bool {
        self.square().rounded() == 0.0
    }
}

impl From<f64> for Complex {
    fn from(re: f64) -> Complex {
        Complex { re: re.into(), im: DoubleDouble::ZERO }
    }
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

impl Div for Complex {
    type Output = Complex;
    fn div(self, other: Complex) -> Complex {
        let square = other.square();
        let over = self * Complex { re: other.re, im: -other.im };
        Complex { re: over.re / square, im: over.im / square }
    }
}

/// Value of a polynomial over the sum of its terms' magnitudes at which it is zero but for rounding \[-\].
const ROUNDING: f64 = 1e-30;

/// Magnitude of a root over Cauchy's bound at which it is zero \[-\]: further down squares underflow.
const NOTHING: f64 = 1e-60;

/// Most iterations: simple roots take about ten, a cluster of three, which is approached by a third each, about a hundred.
const ITERATIONS: u32 = 300;

/// max |λ| of a polynomial with leading coefficient 1 and these others, p_0 first: all roots at once by the iteration of Ehrlich
/// and Aberth, in 32 digits, so that two that meet have 16 digits still. Not a number where a coefficient is not finite.
pub(super) fn largest<const DEGREE: usize>(coefficients: &[DoubleDouble; DEGREE]) -> f64 {
    if coefficients.iter().any(|c| !c.rounded().is_finite()) {
        return f64::NAN;
    }
    let bound = 1.0 + coefficients.iter().fold(0.0, |most: f64, c| most.max(c.rounded().abs())); // Cauchy's
    // neither on the real axis nor symmetric about it
    let turn = Complex { re: 0.4.into(), im: 0.9.into() };
    let mut start = Complex::from(0.5 * bound);
    let mut roots = [Complex::ZERO; DEGREE];
    for root in &mut roots {
        *root = start;
        start = start * turn;
    }
    for _ in 0..ITERATIONS {
        let mut moved = false;
        for k in 0..DEGREE {
            let z = roots[k];
            let (mut p, mut slope) = (Complex::from(1.0), Complex::ZERO);
            let (mut sum, far) = (1.0, z.square().rounded().sqrt());
            for c in coefficients.iter().rev() {
                slope = slope * z + p;
                p = p * z + Complex { re: *c, im: DoubleDouble::ZERO };
                sum = sum * far + c.rounded().abs();
            }
            if far <= NOTHING * bound || p.square().rounded() <= ROUNDING * ROUNDING * sum * sum {
                continue;
            }
            // 1 / (p'/p - sum of 1 / (z - others))
            let mut inverse = slope / p;
            for (_, other) in roots.iter().enumerate().filter(|(j, _)| *j != k) {
                let apart = z - *other;
                if !apart.is_zero() {
                    inverse = inverse - Complex::from(1.0) / apart;
                }
            }
            if inverse.is_zero() {
                continue;
            }
            let step = Complex::from(1.0) / inverse;
            roots[k] = z - step;
            moved = true;
        }
        if !moved {
            break;
        }
    }
    let far = roots.map(|root| root.square().rounded().sqrt());
    if far.iter().any(|far| far.is_nan()) { f64::NAN } else { far.into_iter().fold(0.0, f64::max) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The monic polynomial with these real roots, without its leading coefficient.
    fn with_roots<const DEGREE: usize>(roots: [f64; DEGREE]) -> [DoubleDouble; DEGREE] {
        let mut p = vec![DoubleDouble::from(1.0)];
        for root in roots {
            let mut next = vec![DoubleDouble::ZERO; p.len() + 1];
            for (k, c) in p.iter().enumerate() {
                next[k + 1] = next[k + 1] + *c;
                next[k] = next[k] - *c * root.into();
            }
            p = next;
        }
        std::array::from_fn(|k| p[k])
    }

    #[test]
    fn simple_roots_are_found_to_the_last_digit() {
        assert_eq!(largest(&with_roots([0.3, -0.7, 0.1])), 0.7);
        assert_eq!(largest(&with_roots([1.0, 0.25, -0.999_999])), 1.0);
        assert_eq!(largest(&with_roots([1e-9, -2e-9, 3e-9, 1e-3])), 1e-3);
        assert_eq!(largest(&with_roots([1e6, 1.0, 1e-6, 0.5])), 1e6);
        assert!(largest(&with_roots([0.0, 0.0, 0.0, 0.0])) < 1e-30);
        assert!((largest(&with_roots([0.0, 1.0, 1.0])) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn clusters_keep_the_digits_of_half_a_double_double_or_a_third() {
        for apart in [1e-3, 1e-6, 1e-9] {
            let found = largest(&with_roots([0.5, 0.5 + apart, 0.1]));
            assert!((found - (0.5 + apart)).abs() < 1e-14, "{apart}: {found}");
        }
        assert!((largest(&with_roots([0.5, 0.5, -0.2])) - 0.5).abs() < 1e-14, "a double root");
        assert!((largest(&with_roots([-0.5, -0.5, -0.5])) - 0.5).abs() < 1e-10, "a triple root");
    }

    #[test]
    fn a_pair_on_the_circle_is_on_it() {
        // λ² - 2 c λ + 1 times λ + 0.3
        for c in [0.999_999_9, 0.5, -0.999] {
            let (first, second) = (DoubleDouble::product(-2.0, c), DoubleDouble::from(0.3));
            let one = DoubleDouble::from(1.0);
            assert_eq!(largest(&[second, one + first * second, first + second]), 1.0, "{c}");
        }
        assert!(largest(&[f64::INFINITY.into(), 1.0.into()]).is_nan());
    }
}
