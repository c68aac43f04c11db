use std::f64::consts::FRAC_PI_2;

use crate::numerics::elliptic::{quarter, second};
use crate::numerics::root::root;

/// A strip without weight whose clamped ends point at each other and are brought together: it buckles to one side, in four
/// quarters of a wave \[Love 1927, 262\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pinched {
    /// d/L, how far its ends are apart \[-\].
    pub distance: f64,
    /// Height of its middle above the line of its ends, over L \[-\].
    pub rise: f64,
    /// F L² / D, the push of its ends, F per width \[-\]; 4 pi² where it begins to buckle.
    pub push: f64,
    /// The steepest angle, a quarter of its length from either end \[rad\].
    pub angle: f64,
}

impl Pinched {
    /// At rest with its ends d/L apart: d/L = 2 E(k)/K(k) - 1, rise k/K, F L²/D = 16 K², k = sin(angle/2).
    ///
    /// # Panics
    /// Unless d/L is in \[0.1, 1 - 1e-9\]; below 0.1 sides come near each other.
    pub fn new(distance: f64) -> Pinched {
        assert!((0.1..=1.0 - 1e-9).contains(&distance), "distance {distance}");
        let wave = |angle: f64| {
            let (k, complement) = libm::sincos(0.5 * angle);
            (k, quarter(complement), second(FRAC_PI_2, k))
        };
        let angle = root(1e-9, 2.4, |angle| {
            let (_, quarter, second) = wave(angle);
            2.0 * second / quarter - 1.0 - distance
        });
        let (k, quarter, _) = wave(angle);
        Pinched { distance, rise: k / quarter, push: 16.0 * quarter * quarter, angle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::advance;
    use std::f64::consts::PI;

    #[test]
    fn a_strip_that_is_walked_along_ends_where_it_should() {
        for distance in [0.1, 0.5, 0.9, 0.999] {
            let strip = Pinched::new(distance);
            // theta'' = -F L²/D sin theta from its steepest place, where theta' = 0, over a quarter of its length
            let [theta, _, x, z] = advance([0.0, 0.25], 40, [strip.angle, 0.0, 0.0, 0.0], |_, &[theta, curvature, ..]| {
                let (sin, cos) = libm::sincos(theta);
                [curvature, -strip.push * sin, cos, sin]
            });
            assert!(theta.abs() < 1e-12, "{theta} {strip:?}");
            assert!((4.0 * x - distance).abs() < 1e-12 && (2.0 * z - strip.rise).abs() < 1e-12, "{x} {z} {strip:?}");
        }
    }

    #[test]
    fn a_small_rise_is_that_of_the_sine() {
        // 1 - d/L = pi²/4 (rise/L)² and F = 4 pi² D / L²
        let strip = Pinched::new(1.0 - 1e-5);
        assert!((0.25 * PI * PI * strip.rise * strip.rise / 1e-5 - 1.0).abs() < 1e-4, "{strip:?}");
        assert!((strip.push / (4.0 * PI * PI) - 1.0).abs() < 1e-4, "{strip:?}");
    }
}
