use nalgebra::Matrix2;

use super::double_double::DoubleDouble;
use super::roots::are_within_unit_circle;
use super::{CharacteristicPolynomial, Oscillator};
use crate::{State, Vec3};

/// What a step of a two-step scheme does to (x, v): the characteristic polynomial of the matrix that takes two states, one after
/// the other, to the next pair.
pub type TwoStepAmplification = CharacteristicPolynomial<4>;

impl TwoStepAmplification {
    /// Of y_{n+1} = A y_n + B y_{n-1}: det(λ² - λ A - B).
    fn of_blocks(a: Matrix2<f64>, b: Matrix2<f64>) -> TwoStepAmplification {
        let product = DoubleDouble::product;
        let coefficients = [
            product(b.m11, b.m22) - product(b.m12, b.m21),
            product(a.m11, b.m22) + product(a.m22, b.m11) - product(a.m12, b.m21) - product(a.m21, b.m12),
            product(a.m11, a.m22) - product(a.m12, a.m21) - (DoubleDouble::from(b.m11) + b.m22.into()),
            -(DoubleDouble::from(a.m11) + a.m22.into()),
        ];
        TwoStepAmplification { coefficients }
    }

    /// Whether every |λ| < `radius`, without finding them; off by rounding that clustered roots magnify, about 1e-11 for the
    /// schemes here.
    pub fn is_within(&self, radius: f64) -> bool {
        let [c0, c1, c2, c3] = self.coefficients();
        let square = radius * radius;
        are_within_unit_circle([c0, c1 * radius, c2 * square, c3 * square * radius, square * square]) // p(radius λ)
    }
}

impl Oscillator {
    /// Amplification of a two-step scheme, found by stepping the unit states: `step` replaces its second state, which is the
    /// present, by the next one, after the first state, which is the one before.
    pub fn two_step_amplification(&self, mut step: impl FnMut(&State, &mut State)) -> TwoStepAmplification {
        let state = |[x, v]: [f64; 2]| State { x: vec![Vec3::new(x, 0.0, 0.0)], v: vec![Vec3::new(v, 0.0, 0.0)] };
        let mut column = |before: [f64; 2], present: [f64; 2]| {
            let mut next = state(present);
            step(&state(before), &mut next);
            [next.x[0].x, next.v[0].x]
        };
        let units = [[1.0, 0.0], [0.0, 1.0]];
        let [a, b] = [units.map(|unit| column([0.0; 2], unit)), units.map(|unit| column(unit, [0.0; 2]))];
        let matrix = |[first, second]: [[f64; 2]; 2]| Matrix2::new(first[0], second[0], first[1], second[1]);
        TwoStepAmplification::of_blocks(matrix(a), matrix(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Settings, Solver, Splitting};
    use crate::integrators::{Bdf2, Integrator, Sbdf2};
    use crate::oscillator::theory;

    /// (λ - r) (λ - s) (λ² - 2 Re λ + |λ|²), with the roots r, s and a complex pair.
    fn polynomial(r: f64, s: f64, re: f64, square: f64) -> TwoStepAmplification {
        let (sum, product) = (r + s, r * s);
        let c3 = -sum - 2.0 * re;
        let c2 = product + 2.0 * re * sum + square;
        let coefficients = [product * square, -2.0 * re * product - sum * square, c2, c3];
        TwoStepAmplification { coefficients: coefficients.map(DoubleDouble::from) }
    }

    #[test]
    fn spectral_radius_of_known_polynomials() {
        for (r, s, re, square, expected) in [
            (0.5, -0.7, 0.1, 0.25, 0.7),
            (0.5, 0.2, 0.3, 1.44, 1.2),
            (-3.0, 2.0, -1.0, 4.0, 3.0),
            (0.0, 0.0, 0.0, 0.0, 0.0),
            (1.0, 0.25, 0.9, 0.81 + 0.01, 1.0),
            (-1.5, 1e-3, 0.0, 2.25, 1.5),
        ] {
            let found = polynomial(r, s, re, square).spectral_radius();
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert!(
            TwoStepAmplification { coefficients: [0.0, f64::INFINITY, 0.0, 0.0].map(DoubleDouble::from) }
                .spectral_radius()
                .is_nan()
        );
    }

    #[test]
    fn a_root_on_the_circle_is_not_within_it() {
        let pair = polynomial(0.5, -0.5, 0.0, 1.0);
        assert!(!pair.is_within(1.0) && pair.is_within(1.0 + 1e-9) && !pair.is_within(1.0 - 1e-9));
    }

    #[test]
    fn stepping_agrees_with_the_polynomial_of_the_scheme() {
        let oscillator = Oscillator { mass: 0.5, ks: 7.0, kd: 0.3 };
        let dt = 0.2;
        let (a, b) = (dt * dt * 7.0 / 0.5, dt * 0.3 / 0.5);
        let settings = Settings { solver: Solver::Direct, ..Settings::default() };
        let explicit = Splitting::Families { stretch: false, shear: false, bend: false };
        let mut sbdf2 = Sbdf2::new(&oscillator, settings, explicit);
        let mut bdf2 = Bdf2::new(&oscillator, settings);
        let measured = [
            oscillator.two_step_amplification(|before, state| {
                sbdf2.follow(before);
                sbdf2.step(&oscillator, dt, state);
            }),
            oscillator.two_step_amplification(|before, state| {
                bdf2.follow(before);
                bdf2.step(&oscillator, dt, state);
            }),
        ];
        for (measured, theory) in measured.into_iter().zip([theory::sbdf2([a, 0.0], [b, 0.0]), theory::sbdf2([0.0, a], [0.0, b])])
        {
            for (measured, theory) in measured.coefficients().into_iter().zip(theory.coefficients()) {
                assert!((measured - theory).abs() < 1e-14, "{measured} {theory}");
            }
        }
    }

    #[test]
    fn one_step_schemes_have_the_radius_of_their_own_matrix() {
        let oscillator = Oscillator { mass: 0.5, ks: 7.0, kd: 0.3 };
        let closed = |state: &mut State| {
            (state.x[0].x, state.v[0].x) = oscillator.backward_euler(0.2, state.x[0].x, state.v[0].x);
        };
        let two_step = oscillator.two_step_amplification(|_, state| closed(state)).spectral_radius();
        assert!((two_step - oscillator.backward_euler_amplification(0.2).spectral_radius()).abs() < 1e-12);
    }
}
