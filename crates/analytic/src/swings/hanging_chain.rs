use crate::numerics::bessel::zero;

/// omega = j_0,k / 2 sqrt(g/L) \[1/s\], of the small swing number k, from 1, of a chain of length L \[m\] that hangs under
/// gravity g \[m/s²\] \[Bernoulli 1738\]: w_tt = g (s w_s)_s with s from the free end.
///
/// # Panics
/// For mode 0.
pub fn chain_frequency(mode: usize, length: f64, gravity: f64) -> f64 {
    0.5 * zero(0, mode) * libm::sqrt(gravity / length)
}

/// w = J_0(2 omega sqrt(s/g)) = J_0(j_0,k sqrt(s/L)) \[-\], its shape at the `share` s/L of its length from the free end, where
/// it is 1.
///
/// # Panics
/// For mode 0.
pub fn chain_mode(mode: usize, share: f64) -> f64 {
    libm::j0(zero(0, mode) * libm::sqrt(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_of_the_first_three_swings() {
        for (mode, expected) in [(1, 1.20241), (2, 2.76004), (3, 4.32686)] {
            let found = chain_frequency(mode, 1.0, 1.0);
            assert!((found - expected).abs() < 5e-6, "{found}");
            assert!((chain_frequency(mode, 0.5, 9.81) - found * libm::sqrt(2.0 * 9.81)).abs() < 1e-14);
        }
    }

    #[test]
    fn shapes_swing_as_their_equation_says() {
        for mode in 1..=3 {
            let omega = chain_frequency(mode, 1.0, 1.0);
            let w = |s: f64| chain_mode(mode, s);
            for s in [0.1, 0.4, 0.9] {
                let h = 1e-4; // (s w')' by differences at half steps
                let bent = ((s + 0.5 * h) * (w(s + h) - w(s)) - (s - 0.5 * h) * (w(s) - w(s - h))) / (h * h);
                assert!((bent + omega * omega * w(s)).abs() < 1e-5, "{bent} of mode {mode} at {s}");
            }
            assert!(w(1.0).abs() < 1e-15 && w(0.0) == 1.0);
            let nodes = (1..1000).filter(|k| w(f64::from(*k) / 1000.0) * w(f64::from(k + 1) / 1000.0) < 0.0);
            assert_eq!(nodes.filter(|k| *k < 998).count(), mode - 1, "nodes of mode {mode}");
        }
    }
}
