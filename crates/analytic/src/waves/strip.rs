use crate::numerics::root::root;

/// beta of the first three modes of a strip that is clamped at one end, in units of 1/L, as tables print them.
pub const CLAMPED_FREE: [f64; 3] = [1.8751041, 4.6940911, 7.8547574];

/// beta L of mode n, from 1: the zero number n of cos(b) cosh(b) + 1, near (n - 1/2) pi \[-\].
///
/// # Panics
/// For mode 0.
pub fn clamped_free_number(mode: usize) -> f64 {
    assert!(mode > 0, "modes are counted from 1");
    let middle = (mode as f64 - 0.5) * std::f64::consts::PI;
    root(middle - 0.5, middle + 0.5, |b| libm::cos(b) + 1.0 / libm::cosh(b))
}

/// omega = (beta L)² sqrt(D / rho L⁴) \[1/s\], of the bending vibration number n, from 1, of a strip clamped at one end, without
/// gravity: rho w_tt = -D w_xxxx, of length L \[m\], rigidity D \[N m\] and density rho \[kg/m²\].
pub fn strip_frequency(mode: usize, length: f64, rigidity: f64, density: f64) -> f64 {
    let beta = clamped_free_number(mode) / length;
    beta * beta * libm::sqrt(rigidity / density)
}

/// Its shape at `share` x/L from the clamp, 2 or -2 at the tip \[-\], for modes up to 6, beyond which terms cancel: cosh - cos -
/// sigma (sinh - sin) of beta x with sigma = (cosh + cos) / (sinh + sin) of beta L.
pub fn strip_mode(mode: usize, share: f64) -> f64 {
    let b = clamped_free_number(mode);
    let sigma = (libm::cosh(b) + libm::cos(b)) / (libm::sinh(b) + libm::sin(b));
    let x = b * share;
    libm::cosh(x) - libm::cos(x) - sigma * (libm::sinh(x) - libm::sin(x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tables() {
        for (mode, table) in (1..).zip(CLAMPED_FREE) {
            assert!((clamped_free_number(mode) - table).abs() < 5e-8, "{}", clamped_free_number(mode));
        }
        let omega = strip_frequency(1, 0.5, 2e-5, 0.2);
        assert!((omega - 3.5160153 / 0.25 * 1e-2).abs() < 1e-8, "{omega}");
    }

    #[test]
    fn shapes_bend_as_their_equation_says_and_end_free() {
        let h = 0.01;
        for mode in 1..=3 {
            let w = |k: i32, x: f64| strip_mode(mode, x + f64::from(k) * h);
            let fourth = |x: f64| (w(-2, x) - 4.0 * w(-1, x) + 6.0 * w(0, x) - 4.0 * w(1, x) + w(2, x)) / (h * h * h * h);
            let beta = clamped_free_number(mode);
            let expected = beta * beta * beta * beta * w(0, 0.4);
            assert!((fourth(0.4) - expected).abs() < 2e-3 * beta * beta * beta * beta, "mode {mode}");
            assert!((w(0, 1.0).abs() - 2.0).abs() < 1e-9, "{}", w(0, 1.0));
            let [bent, twice] = [w(-1, 1.0) - 2.0 * w(0, 1.0) + w(1, 1.0), w(-1, 0.0) - w(1, 0.0)];
            assert!(bent.abs() < 1e-4 * beta * beta * h && twice.abs() < 1e-3 * beta * beta, "{bent} {twice}");
        }
    }
}
