use std::f64::consts::PI;

/// omega = (n - 1/2) pi/L sqrt(EA/mu) \[1/s\], of the axial vibration number n, from 1, of a bar that is held at one end: of
/// length L \[m\], stiffness EA \[N\] and mass per length mu \[kg/m\]; mu u_tt = EA u_xx.
pub fn bar_frequency(mode: usize, length: f64, stiffness: f64, mass_per_length: f64) -> f64 {
    (mode as f64 - 0.5) * PI / length * libm::sqrt(stiffness / mass_per_length)
}

/// u = mu g / EA (L s - s²/2) \[m\], how far the place at s \[m\] from the upper end is drawn down in a bar that hangs at rest by
/// its weight: EA u_s = mu g (L - s).
pub fn bar_static_displacement(s: f64, length: f64, stiffness: f64, mass_per_length: f64, gravity: f64) -> f64 {
    mass_per_length * gravity / stiffness * s * (length - 0.5 * s)
}

/// mu g L² / (2 EA) \[m\], by how much it is longer.
pub fn bar_elongation(length: f64, stiffness: f64, mass_per_length: f64, gravity: f64) -> f64 {
    bar_static_displacement(length, length, stiffness, mass_per_length, gravity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_by_hand() {
        assert!((bar_frequency(1, 2.0, 16.0, 4.0) - 0.5 * PI).abs() < 1e-15); // a quarter wave at 2 m/s
        assert!((bar_frequency(2, 2.0, 16.0, 4.0) - 1.5 * PI).abs() < 1e-15);
        assert_eq!(bar_elongation(2.0, 100.0, 0.5, 10.0), 0.1);
        // EA (u(s + d) - u(s - d)) / 2 d is the weight below s
        let u = |s: f64| bar_static_displacement(s, 2.0, 100.0, 0.5, 10.0);
        assert!((100.0 * (u(0.75) - u(0.25)) / 0.5 - 0.5 * 10.0 * 1.5).abs() < 1e-13);
    }

    #[test]
    fn a_chain_of_masses_has_its_frequencies_in_the_limit() {
        // sines of (n - 1/2) pi x/L are the modes of n masses with half a mass at the free end: omega = 2/h sin((n - 1/2) pi h /
        // 2 L)
        for mode in 1..=3 {
            let exact = bar_frequency(mode, 1.0, 1.0, 1.0);
            let of = |h: f64| 2.0 / h * libm::sin(0.5 * exact * h);
            assert!((of(1e-3) / exact - 1.0).abs() < 1e-5 && of(1e-3) < exact);
        }
    }
}
