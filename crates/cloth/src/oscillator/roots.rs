//! How far the roots of a polynomial are from zero.

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

/// max |λ| of a polynomial with leading coefficient 1 and these others, by bisection of whether all roots are within a radius, below
/// Cauchy's bound; not a number where a coefficient is not finite.
pub(super) fn largest(coefficients: &[f64], are_within: impl Fn(f64) -> bool) -> f64 {
    if coefficients.iter().any(|c| !c.is_finite()) {
        return f64::NAN;
    }
    let bound = 1.0 + coefficients.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
    let (mut low, mut high) = (0.0, bound);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if are_within(middle) { high = middle } else { low = middle }
    }
    high
}
