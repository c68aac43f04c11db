use super::CatenaryError;
use crate::numerics::root::root;

/// A chain that stretches in proportion to its tension T, by T/EA, hung from the point \[0, 0\] and from \[span, rise\]; s is
/// length along it before it is stretched, from the first point \[Irvine 1981, 1.2\]. It may be shorter than the way between the
/// points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticCatenary {
    /// L, before it is stretched \[m\].
    pub length: f64,
    /// c = mu g / EA \[1/m\]: the strain that a meter of the chain gives by its weight.
    pub softness: f64,
    /// a \[m\]: the horizontal pull over the weight per length, mu g.
    pub across: f64,
    /// v \[m\]: the upward pull at the first point over mu g; of L, so much hangs there.
    pub upward: f64,
}

impl ElasticCatenary {
    /// At rest, a and v being such that the chain ends at \[span, rise\].
    ///
    /// # Errors
    /// Where the span is not above zero.
    ///
    /// # Panics
    /// Unless length and softness are above zero, and at most 1e6 m and 1e3 /m.
    pub fn new(length: f64, softness: f64, span: f64, rise: f64) -> Result<ElasticCatenary, CatenaryError> {
        assert!(length > 0.0 && length <= 1e6 && softness > 0.0 && softness <= 1e3, "{length} m, {softness} /m");
        if span.is_nan() || span <= 0.0 {
            return Err(CatenaryError::NoSpan { span });
        }
        let hung = |logarithm: f64| {
            let chain = ElasticCatenary { length, softness, across: libm::exp(logarithm), upward: 0.0 };
            let missed = |upward: f64| ElasticCatenary { upward, ..chain }.place(length)[1] - rise; // falls as v grows
            let mut reach = length + rise.abs();
            while missed(0.5 * length - reach) < 0.0 || missed(0.5 * length + reach) > 0.0 {
                reach *= 2.0;
            }
            ElasticCatenary { upward: root(0.5 * length - reach, 0.5 * length + reach, missed), ..chain }
        };
        let missed = |logarithm: f64| hung(logarithm).place(length)[0] - span; // grows with a
        let middle = libm::log(span);
        let mut reach = 1.0;
        while missed(middle - reach) > 0.0 || missed(middle + reach) < 0.0 {
            reach *= 2.0;
        }
        Ok(hung(root(middle - reach, middle + reach, missed)))
    }

    /// \[x, z\] at s \[m\], z upward: x = a (c s + asinh(v/a) - asinh((v - s)/a)),
    /// z = -c s (v - s/2) - sqrt(a² + v²) + sqrt(a² + (v - s)²).
    pub fn place(&self, s: f64) -> [f64; 2] {
        let &ElasticCatenary { softness, across, upward, .. } = self;
        let left = upward - s;
        let x = across * (softness * s + libm::asinh(upward / across) - libm::asinh(left / across));
        let pulls = libm::hypot(across, upward) + libm::hypot(across, left);
        let mean = upward - 0.5 * s; // sqrt(a² + v²) - sqrt(a² + (v - s)²) = 2 s (v - s/2) / their sum
        [x, -s * mean * (softness + 2.0 / pulls)]
    }

    /// T / (mu g) = sqrt(a² + (v - s)²) \[m\], its tension at s \[m\] over its weight per length; its strain there is c times
    /// that.
    pub fn tension(&self, s: f64) -> f64 {
        libm::hypot(self.across, self.upward - s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catenary::Catenary;

    #[test]
    fn a_stiff_chain_hangs_as_one_that_does_not_stretch() {
        for (length, span, rise) in [(1.5, 1.0, 0.0), (1.5, 1.0, -0.6), (6.0, 0.5, 2.0)] {
            let stiff = Catenary::new(length, span, rise).expect("slack");
            let [coarse, fine] = [1e-6, 1e-7].map(|softness| {
                let chain = ElasticCatenary::new(length, softness, span, rise).expect("a span");
                let [[x, z], [x0, z0]] = [chain.place(0.3 * length), stiff.place(0.3 * length)];
                libm::hypot(x - x0, z - z0)
            });
            assert!(coarse < 1e-5 && (coarse / fine - 10.0).abs() < 0.05, "{coarse} {fine}");
        }
    }

    #[test]
    fn chains_are_in_balance_and_stretch_by_their_tension() {
        // slack, sagging by its softness, and shorter than the way
        for (length, softness, span, rise) in [(1.5, 0.1, 1.0, 0.3), (1.2, 2.0, 1.0, 0.0), (0.7, 0.05, 1.0, -0.4)] {
            let chain = ElasticCatenary::new(length, softness, span, rise).expect("a span");
            let ends = chain.place(length);
            assert!((ends[0] - span).abs() < 1e-12 && (ends[1] - rise).abs() < 1e-12, "{chain:?}: {ends:?}");
            let d = 1e-5;
            let slope = |s: f64| {
                let ([x0, z0], [x1, z1]) = (chain.place(s - d), chain.place(s + d));
                [(x1 - x0) / (2.0 * d), (z1 - z0) / (2.0 * d)]
            };
            for s in [0.1 * length, 0.5 * length, 0.8 * length] {
                let [dx, dz] = slope(s);
                let stretched = libm::hypot(dx, dz);
                let tension = chain.tension(s);
                assert!((stretched - 1.0 - softness * tension).abs() < 1e-8, "{stretched} of {chain:?}");
                let [across, upward] = [dx, dz].map(|side| side / stretched * tension);
                assert!((across - chain.across).abs() < 1e-8 && (upward + chain.upward - s).abs() < 1e-8, "{chain:?}");
            }
        }
    }

    #[test]
    fn a_taut_spring_by_hand() {
        // without weight to speak of: H = EA (span/L - 1), a = strain / c
        let chain = ElasticCatenary::new(1.0, 1e-6, 1.5, 0.0).expect("a span");
        assert!((chain.across * 1e-6 - 0.5).abs() < 1e-9 && (chain.upward - 0.5).abs() < 1e-6, "{chain:?}");
        assert_eq!(ElasticCatenary::new(1.0, 1.0, -1.0, 0.0), Err(CatenaryError::NoSpan { span: -1.0 }));
    }
}
