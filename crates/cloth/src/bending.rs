use linsolve::lanes::Eight;

use crate::ModelError;
use crate::invalid::within;

/// Polynomial of the bending law, in rising powers of s = |x| / L \[Boxerman 2003, eq. 3.9\].
const LAW: [f64; 5] = [-9.713, 23.116, -39.083, 34.193, -11.541];

/// sum of c_k s^k
fn law(s: f64) -> f64 {
    LAW.iter().rev().fold(0.0, |sum, c| sum * s + c)
}

/// integral of the law from 0 to s
fn law_integral(s: f64) -> f64 {
    LAW.iter().enumerate().rev().fold(0.0, |sum, (k, c)| sum * s + c / (k + 1) as f64) * s
}

/// Where bend springs follow the polynomial, and where a line: the polynomial itself jumps to zero at s = |x| / L = 1, and the
/// thesis has "a simple linear model" for small deformations without saying from where on \[Boxerman 2003, 3.2\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendLaw {
    /// s at which the line begins \[-\], from 0 to 1.
    line_from: f64,
    /// Force there \[-\], < 0.
    force: f64,
    /// Slope of the line \[-\], > 0; 0 where there is none.
    slope: f64,
}

impl BendLaw {
    /// The polynomial below `s`, from there a line to zero at s = 1: a line throughout for `s` = 0, the polynomial alone, with its
    /// jump, for `s` = 1. The line that Choi & Ko 2002 choose, of a slope c_b comparable to that of the stretch springs, begins at
    /// about 1 - 3 kb/c_b.
    ///
    /// # Errors
    /// An `s` that is not between 0 and 1.
    pub fn line_from(s: f64) -> Result<BendLaw, ModelError> {
        let is_within = (0.0..=1.0).contains(&s);
        within(is_within, "the ratio from which bending is a line", "from 0 to 1", s).map(BendLaw::of)
    }

    fn of(line_from: f64) -> BendLaw {
        let force = law(line_from);
        let slope = if line_from < 1.0 { -force / (1.0 - line_from) } else { 0.0 };
        BendLaw { line_from, force, slope }
    }

    /// f(s), the dimensionless force of a bend spring at the ratio s = |x| / L, negative where it pushes apart; zero from s = 1 on.
    pub fn force(&self, s: f64) -> f64 {
        if s >= 1.0 {
            0.0
        } else if s >= self.line_from {
            self.force * (1.0 - s) / (1.0 - self.line_from)
        } else {
            law(s) // f(s)  [Boxerman 2003, eq. 3.9]
        }
    }

    /// f'(s) > 0 for s < 1, the slope of [`BendLaw::force`]; the line has a slope of its own.
    pub fn slope(&self, s: f64) -> f64 {
        if s >= 1.0 {
            0.0
        } else if s >= self.line_from {
            self.slope
        } else {
            LAW.iter().enumerate().skip(1).rev().fold(0.0, |sum, (k, c)| sum * s + k as f64 * c)
        }
    }

    /// Slope near rest \[-\], where an explicit scheme meets it first: that of the line, or of the polynomial at s = 1.
    pub fn slope_at_rest(&self) -> f64 {
        self.slope(1.0_f64.next_down())
    }

    /// The largest slope \[-\]: that of the line, or of the polynomial, which falls, at s = 0.
    pub fn steepest(&self) -> f64 {
        self.slope.max(self.slope(0.0))
    }

    /// F(s) = integral of [`BendLaw::force`] from 1 to s, so that kb L² F(s) \[J\] is the energy of the force kb L f(s).
    pub fn energy(&self, s: f64) -> f64 {
        let line = |s: f64| match self.line_from < 1.0 {
            true => -self.force * (1.0 - s) * (1.0 - s) / (2.0 * (1.0 - self.line_from)),
            false => 0.0,
        };
        if s >= 1.0 {
            0.0
        } else if s >= self.line_from {
            line(s)
        } else {
            line(self.line_from) + law_integral(s) - law_integral(self.line_from)
        }
    }

    /// f(s) of eight springs to the bits of [`BendLaw::force`], where s < 1; what it gives elsewhere means nothing.
    #[inline(always)]
    pub(crate) fn force_of_eight<E: Eight>(&self, s: E) -> E {
        let mut force = E::splat(0.0);
        for k in (0..LAW.len()).rev() {
            force = force * s + E::splat(LAW[k]);
        }
        let line = E::splat(self.force) * (E::splat(1.0) - s) / E::splat(1.0 - self.line_from);
        force.replaced(s.reaching(E::splat(self.line_from)), line)
    }

    /// f(s) and f'(s) of eight springs, where s < 1; what it gives elsewhere means nothing.
    #[inline(always)]
    pub(crate) fn force_and_slope<E: Eight>(&self, s: E) -> [E; 2] {
        let (mut force, mut slope) = (E::splat(0.0), E::splat(0.0));
        for k in (0..LAW.len()).rev() {
            slope = slope * s + force; // the derivative of a Horner scheme
            force = force * s + E::splat(LAW[k]);
        }
        let on_line = s.reaching(E::splat(self.line_from));
        let line = (s - E::splat(1.0)) * E::splat(self.slope);
        [force.replaced(on_line, line), slope.replaced(on_line, E::splat(self.slope))]
    }
}

impl Default for BendLaw {
    /// The polynomial below 0.9, where it is nearly flat.
    fn default() -> BendLaw {
        BendLaw::of(0.9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_law_is_that_of_a_circular_arc() {
        // f = y² / (cos y - sin y / y) with s = sin y / y: half the arc's angle is y  [Choi & Ko 2002]
        for y in [1.0_f64, 1.4, 1.8, 2.2] {
            let (sin, cos) = (libm::sin(y), libm::cos(y));
            let s = sin / y;
            let arc = y * y / (cos - s);
            let force = BendLaw::default().force(s);
            assert!((force / arc - 1.0).abs() < 0.05, "s = {s}: {force} against {arc}");
        }
    }

    #[test]
    fn the_printed_polynomial_by_hand() {
        // -11.541/16 + 34.193/8 - 39.083/4 + 23.116/2 - 9.713
        assert!((BendLaw::default().force(0.5) - -4.372_937_5).abs() < 1e-12);
    }

    /// The usual law, an earlier and a later line, a line throughout, the polynomial alone.
    fn laws() -> [BendLaw; 5] {
        [0.9, 0.7, 0.99, 0.0, 1.0].map(|s| BendLaw::line_from(s).unwrap())
    }

    const RATIOS: [f64; 6] = [0.2, 0.6, 0.89, 0.93, 0.985, 0.995];

    #[test]
    fn the_usual_line_begins_at_nine_tenths() {
        assert_eq!(laws()[0], BendLaw::default());
        // f(0.9) = -3.21, a tenth of it away from zero
        assert!((BendLaw::default().slope_at_rest() - 32.1).abs() < 0.05, "{}", BendLaw::default().slope_at_rest());
        // -4 * 11.541 + 3 * 34.193 - 2 * 39.083 + 23.116
        assert!((laws()[4].slope_at_rest() - 1.365).abs() < 1e-9);
    }

    #[test]
    fn the_line_joins_the_polynomial_and_ends_at_zero() {
        for law in &laws()[..4] {
            let jump = law.force(law.line_from) - law.force(law.line_from - 1e-12);
            assert!(jump.abs() < 1e-9, "{law:?}");
            assert!(law.force(1.0 - 1e-12).abs() < 1e-9, "{law:?}");
        }
        // -11.541 + 34.193 - 39.083 + 23.116 - 9.713
        assert!((laws()[4].force(1.0_f64.next_down()) - -3.028).abs() < 1e-12, "the polynomial alone jumps");
        assert_eq!(laws()[3].force(0.5), -9.713 / 2.0, "a line throughout");
        assert_eq!(laws().map(|law| law.force(1.3)), [0.0; 5]);
    }

    #[test]
    fn a_line_begins_between_nothing_and_rest() {
        for s in [-0.1, 1.1, f64::NAN] {
            assert!(BendLaw::line_from(s).is_err(), "{s}");
        }
    }

    #[test]
    fn force_rises_with_the_ratio_so_that_the_jacobian_is_positive() {
        for law in laws() {
            let ratios: Vec<f64> = (1..100).map(|k| f64::from(k) / 100.0).collect();
            for pair in ratios.windows(2) {
                assert!(law.force(pair[1]) > law.force(pair[0]), "{law:?}: {pair:?}");
            }
        }
    }

    #[test]
    fn the_slope_is_that_of_the_force_and_energy_is_its_integral() {
        for law in laws() {
            for s in RATIOS {
                let step = 1e-6;
                let difference = |of: &dyn Fn(f64) -> f64| (of(s + step) - of(s - step)) / (2.0 * step);
                let slope = difference(&|s| law.force(s));
                assert!(slope > 0.1 && (law.slope(s) / slope - 1.0).abs() < 1e-7, "{law:?}: {s}");
                let force = difference(&|s| law.energy(s));
                assert!(law.force(s) < -0.02 && (force / law.force(s) - 1.0).abs() < 1e-6, "{law:?}: {s}");
            }
            assert_eq!((law.slope(1.2), law.energy(1.0)), (0.0, 0.0));
        }
    }

    #[test]
    fn eight_springs_are_bent_as_one() {
        for law in laws() {
            let ratios = [0.0, 0.2, 0.6, 0.89, 0.9, 0.93, 0.99, 1.0 - f64::EPSILON];
            let [force, slope] = law.force_and_slope(linsolve::lanes::Vector(ratios)).map(|lanes| lanes.0);
            for (lane, s) in ratios.into_iter().enumerate() {
                assert!((force[lane] - law.force(s)).abs() < 1e-14 * 10.0, "{law:?}: {s}");
                assert!((slope[lane] / law.slope(s) - 1.0).abs() < 1e-12, "{law:?}: {s}");
            }
        }
    }
}
