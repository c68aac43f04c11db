//! A chain hung from two points, which does not stretch, or does.

mod elastic;

pub use elastic::ElasticCatenary;

use crate::numerics::root::root;

/// What no chain hangs from.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CatenaryError {
    /// A chain that does not reach from point to point, or is taut.
    #[error("a chain of {length} m between points {distance} m apart has no slack: make it longer")]
    TooShort {
        /// L \[m\].
        length: f64,
        /// Between the points \[m\].
        distance: f64,
    },
    /// The second point straight above or below the first, or on the wrong side: the chain would fold.
    #[error("the second point is {span} m beside the first one: put it at more than 0 m")]
    NoSpan {
        /// Across \[m\].
        span: f64,
    },
}

/// A chain that does not stretch: z = a cosh((x - x0)/a) + z0, from the point \[0, 0\] to \[span, rise\], z upward; s along it
/// from the first point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Catenary {
    /// a \[m\]: the horizontal pull over the weight per length.
    pub parameter: f64,
    /// \[x, z\] of the lowest point of the curve \[m\], which lies beyond an end of the chain where it is steep enough.
    pub lowest: [f64; 2],
    /// s of that point, below zero where it lies before the first one \[m\].
    pub lowest_at: f64,
    /// L \[m\].
    pub length: f64,
}

impl Catenary {
    /// Of length L \[m\]: sqrt(L² - rise²) = 2 a sinh(span / 2 a), and the lowest point at s = L/2 - a sinh(m) with
    /// tanh(m) = rise / L of the middle.
    ///
    /// # Errors
    /// Where L is not above the distance of the points, or the span not above zero.
    pub fn new(length: f64, span: f64, rise: f64) -> Result<Catenary, CatenaryError> {
        let distance = libm::hypot(span, rise);
        if span.is_nan() || span <= 0.0 {
            return Err(CatenaryError::NoSpan { span });
        }
        if length.is_nan() || distance.is_nan() || length <= distance {
            return Err(CatenaryError::TooShort { length, distance });
        }
        let level = libm::sqrt((length - rise) * (length + rise)); // of a chain as wide between points at one height
        let ratio = level / span;
        // sinh(q)/q = ratio with q = span / 2 a, where q²/6 <= ratio - 1 and, for long chains, q < 2 ln(2 ratio) + 2
        let excess = |q: f64| if q < 0.1 { sinh_excess(q) } else { libm::sinh(q) / q - 1.0 };
        // ratio - 1, exact for a chain nearly taut
        let slack = (length - distance) * (length + distance) / (span * span) / (ratio + 1.0);
        let high = libm::sqrt(6.0 * slack).min(2.0 * libm::log(2.0 * ratio) + 2.0);
        let q = root(0.0, high, |q| excess(q) - slack);
        let parameter = 0.5 * span / q;
        let middle = 0.5 * libm::log1p(2.0 * rise / (length - rise)); // atanh(rise / L)
        let x = 0.5 * span - parameter * middle;
        let lowest_at = parameter * libm::sinh(x / parameter);
        let sag = libm::sinh(0.5 * x / parameter);
        Ok(Catenary { parameter, lowest: [x, -2.0 * parameter * sag * sag], lowest_at, length })
    }

    /// \[x, z\] at s from the first point \[m\]: x - x0 = a asinh((s - s0)/a), z - z_lowest = sqrt(a² + (s - s0)²) - a.
    pub fn place(&self, s: f64) -> [f64; 2] {
        let (a, along) = (self.parameter, s - self.lowest_at);
        let height = along * along / (libm::hypot(a, along) + a);
        [self.lowest[0] + a * libm::asinh(along / a), self.lowest[1] + height]
    }

    /// T = mu g sqrt(a² + (s - s0)²) \[N\] at s \[m\], of a chain of mu \[kg/m\] under gravity g \[m/s²\].
    pub fn tension(&self, s: f64, mass_per_length: f64, gravity: f64) -> f64 {
        mass_per_length * gravity * libm::hypot(self.parameter, s - self.lowest_at)
    }
}

/// sinh(q)/q - 1 for q < 0.1.
fn sinh_excess(q: f64) -> f64 {
    let square = q * q;
    square / 6.0 * (1.0 + square / 20.0 * (1.0 + square / 42.0 * (1.0 + square / 72.0 * (1.0 + square / 110.0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_end_at_their_points_with_their_length() {
        for (length, span, rise) in [(1.5, 1.0, 0.0), (1.5, 1.0, 0.7), (1.5, 1.0, -1.0), (40.0, 0.5, 3.0), (1.0 + 1e-9, 1.0, 0.0)]
        {
            let chain = Catenary::new(length, span, rise).expect("slack");
            let scale = length * 2e-12;
            let [x, z] = chain.place(0.0);
            assert!(x.abs() < scale && z.abs() < scale, "{x} {z} of {chain:?}");
            let [x, z] = chain.place(length);
            assert!((x - span).abs() < scale && (z - rise).abs() < scale, "{x} {z} of {chain:?}");
            let [x, z] = chain.place(chain.lowest_at);
            assert!((x - chain.lowest[0]).abs() < 1e-15 && z == chain.lowest[1]);
        }
    }

    #[test]
    fn pulls_hold_the_weight() {
        let chain = Catenary::new(2.0, 1.0, 0.4).expect("slack");
        let (mu, gravity, d) = (0.3, 9.81, 1e-5);
        for s in [0.1, 0.7, 1.6] {
            // pull times direction grows by the weight: horizontally not at all
            let pull = |s: f64| {
                let ([x0, z0], [x1, z1]) = (chain.place(s - d), chain.place(s + d));
                [x1 - x0, z1 - z0].map(|side| chain.tension(s, mu, gravity) * side / (2.0 * d))
            };
            let ([h0, v0], [h1, v1]) = (pull(s), pull(s + 0.2));
            assert!((h1 - h0).abs() < 1e-8 && (v1 - v0 - 0.2 * mu * gravity).abs() < 1e-8, "{h0} {h1} {v0} {v1}");
        }
    }

    #[test]
    fn a_level_chain_by_hand() {
        // a = 1, span 2: L = 2 sinh 1, sag cosh 1 - 1
        let chain = Catenary::new(2.0 * libm::sinh(1.0), 2.0, 0.0).expect("slack");
        assert!((chain.parameter - 1.0).abs() < 1e-14 && (chain.lowest[0] - 1.0).abs() < 1e-14);
        assert!((chain.lowest[1] + libm::cosh(1.0) - 1.0).abs() < 1e-14, "{chain:?}");
        assert!((chain.tension(0.0, 1.0, 1.0) - libm::cosh(1.0)).abs() < 1e-14);
    }

    #[test]
    fn a_taut_chain_is_refused() {
        assert_eq!(Catenary::new(5.0, 3.0, 4.0), Err(CatenaryError::TooShort { length: 5.0, distance: 5.0 }));
        let error = Catenary::new(1.0, 0.0, 0.5).expect_err("straight above");
        assert_eq!(error.to_string(), "the second point is 0 m beside the first one: put it at more than 0 m");
    }
}
