use std::f64::consts::FRAC_PI_2;

use crate::numerics::elliptic;
use crate::numerics::root::root;

/// Deflections that Sze, Liu & Lo 2004 print in their 3.1, by shells of length 10, width 1, thickness 0.1, E = 1.2e6 and nu = 0,
/// whose D b is 100: \[load P, of 4; w, across; -u, back\] of the tip. A strip that does not stretch goes up to 0.08 % further in w
/// and 0.25 % in u. Their stretch, P / E h b = 3e-5, and the digits that are printed explain less; their mesh may do the rest.
pub const SZE_SHEAR: [[f64; 3]; 4] = [[1.0, 3.015, 0.563], [2.0, 4.933, 1.604], [3.0, 6.031, 2.541], [4.0, 6.698, 3.286]];

/// A strip without weight that is clamped at one end and loaded across at the other, in elliptic integrals \[Bisshopp & Drucker
/// 1945\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndShear {
    /// lambda = F L² / D \[-\], [`super::end_load`].
    pub load: f64,
    /// w/L of the tip, the way of the load \[-\].
    pub across: f64,
    /// -u/L of the tip, toward the clamp \[-\].
    pub back: f64,
    /// alpha, by which the tip is turned \[rad\].
    pub angle: f64,
}

impl EndShear {
    /// At rest under the load lambda > 0.
    ///
    /// With k² = (1 + sin alpha)/2 and sin phi = 1 / (k sqrt 2): sqrt(lambda) = K(k) - F(phi, k), w = 1 - 2 (E(k) - E(phi, k)) /
    /// sqrt(lambda), 1 + u = sqrt(2 sin(alpha) / lambda).
    ///
    /// # Panics
    /// Unless lambda is in \[1e-4, 1e4\].
    pub fn new(load: f64) -> EndShear {
        assert!((1e-4..=1e4).contains(&load), "lambda = {load}");
        let wanted = libm::sqrt(load);
        let short = |logarithm: f64| Arc::new(libm::exp(logarithm)).length() - wanted;
        let lowest = -wanted - 3.0; // K < ln(4 / k'), k' = sin(delta / 2)
        let arc = Arc::new(libm::exp(root(lowest, libm::log(FRAC_PI_2), short)));
        let across = 1.0 - 2.0 * (elliptic::second(FRAC_PI_2, arc.k) - elliptic::second(arc.phi, arc.k)) / wanted;
        let reach = libm::sqrt(2.0 * libm::cos(arc.delta) / load);
        EndShear { load, across, back: 1.0 - reach, angle: FRAC_PI_2 - arc.delta }
    }
}

/// The elastica up to a tip at the angle delta = pi/2 - alpha to the load.
struct Arc {
    delta: f64,
    k: f64,
    phi: f64,
}

impl Arc {
    fn new(delta: f64) -> Arc {
        let k = libm::cos(0.5 * delta); // k² = (1 + cos delta) / 2
        let phi = libm::asin((1.0 / (k * libm::sqrt(2.0))).min(1.0));
        Arc { delta, k, phi }
    }

    /// K(k) - F(phi, k).
    fn length(&self) -> f64 {
        elliptic::quarter(libm::sin(0.5 * self.delta)) - elliptic::first(self.phi, self.k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elastica::{Cantilever, end_load};

    #[test]
    fn elliptic_integrals_agree_with_shooting() {
        for load in [0.01, 0.5, 1.0, 4.0, 30.0, 100.0] {
            let exact = EndShear::new(load);
            let strip = Cantilever::new(0.0, load);
            assert!((exact.across - strip.drop).abs() < 1e-10, "{exact:?} {strip:?}");
            assert!((1.0 - exact.back - strip.reach).abs() < 1e-10, "{exact:?} {strip:?}");
            assert!((exact.angle + strip.tip_angle()).abs() < 1e-9, "{exact:?} {strip:?}");
        }
    }

    #[test]
    fn shells_of_the_literature_are_near_the_elastica() {
        for [force, across, back] in SZE_SHEAR {
            let exact = EndShear::new(end_load(force, 10.0, 100.0));
            assert!((10.0 * exact.across / across - 1.0).abs() < 8e-4, "w = {} at {force}", 10.0 * exact.across);
            assert!((10.0 * exact.back / back - 1.0).abs() < 2.5e-3, "-u = {} at {force}", 10.0 * exact.back);
        }
    }
}
