/// Where f changes its sign between `low` and `high`, to rounding, by the method of Ridders 1979: the chord of f times the
/// exponential that straightens three points, inside the bracket always and of second order near a simple root.
///
/// # Panics
/// Where f has one sign at both ends, or is not a number.
pub fn root(low: f64, high: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let (mut a, mut b) = (low, high);
    let (mut fa, mut fb) = (f(a), f(b));
    assert!(fa * fb <= 0.0, "no change of sign between {low} and {high}: {fa}, {fb}");
    if fa == 0.0 {
        return a;
    }
    for _ in 0..200 {
        let middle = 0.5 * (a + b);
        if fb == 0.0 || middle == a || middle == b {
            break;
        }
        let fm = f(middle);
        let straightened = libm::sqrt(fm * fm - fa * fb);
        // m + (m - a) sign(fa - fb) fm / sqrt(fm² - fa fb)
        let guess = middle + (middle - a) * fm * (fa - fb).signum() / straightened;
        let guess = if straightened > 0.0 { guess.clamp(a.min(b), a.max(b)) } else { middle };
        let fg = f(guess);
        if fg == 0.0 || (guess - b).abs() <= f64::EPSILON * guess.abs() {
            return guess;
        }
        // The tightest bracket of the two new points and the old ones; b is the newest point.
        if fg * fm < 0.0 {
            (a, fa) = (middle, fm);
        } else if fg * fa > 0.0 {
            (a, fa) = (b, fb);
        }
        (b, fb) = (guess, fg);
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_to_rounding() {
        for (low, high) in [(0.0, 1.0), (1.0, 0.0), (0.7, 0.8), (-50.0, 3.0)] {
            let found = root(low, high, |x| libm::cos(x.max(0.0)) - x);
            assert!((found - 0.739_085_133_215_160_6).abs() < 4e-16, "{found}");
        }
        assert_eq!(root(0.0, 4.0, |x| x - 4.0), 4.0);
        assert!((root(-1.0, 3.0, |x| x * x * x * x * x) - 0.0).abs() < 1e-3, "a root of fifth order");
    }

    #[test]
    fn few_evaluations_are_spent_on_a_simple_root() {
        let mut count = 0;
        let found = root(0.0, 10.0, |x| {
            count += 1;
            libm::exp(x) - 100.0
        });
        assert!((found - libm::log(100.0)).abs() < 1e-15 && count < 25, "{found} after {count}");
    }

    #[test]
    #[should_panic(expected = "no change of sign")]
    fn a_bracket_without_a_root_is_refused() {
        root(1.0, 2.0, |x| x);
    }
}
