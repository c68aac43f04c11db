//! One mass on one damped spring of zero rest length: the model on which the thesis studies amplification
//! \[Boxerman 2003, fig. 4.2\], and the amplification that a scheme shows on it.

mod double_double;
mod roots;
mod three_state;
mod two_step;

use linsolve::BlockRows;
use nalgebra::Matrix2;

use self::double_double::DoubleDouble;
use crate::implicit::Splitting;
use crate::integrators::Integrator;
use crate::{Elastic, Linearisation, Mat3, State, System, Vec3};

pub use three_state::ThreeStateAmplification;
pub use two_step::TwoStepAmplification;

/// A mass m on a spring: m x'' = -ks x - kd x'.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    /// m \[kg\], > 0.
    pub mass: f64,
    /// ks \[N/m\].
    pub ks: f64,
    /// kd \[N s/m\].
    pub kd: f64,
}

/// The characteristic polynomial of what a step does to the numbers that a scheme carries from one to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CharacteristicPolynomial<const DEGREE: usize> {
    coefficients: [DoubleDouble; DEGREE],
}

impl<const DEGREE: usize> CharacteristicPolynomial<DEGREE> {
    /// c_0, c_1, ... of λⁿ + ... + c_1 λ + c_0.
    pub fn coefficients(&self) -> [f64; DEGREE] {
        self.coefficients.map(DoubleDouble::rounded)
    }

    /// max |λ|; not a number where a coefficient is not finite.
    pub fn spectral_radius(&self) -> f64 {
        roots::largest(&self.coefficients)
    }
}

impl System for Oscillator {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        a[0] = -(self.ks * x[0] + self.kd * v[0]) / self.mass;
    }

    fn masses(&self) -> &[f64] {
        std::slice::from_ref(&self.mass)
    }

    fn pinned(&self) -> &[bool] {
        &[false]
    }

    /// One spring.
    fn coupling_count(&self) -> usize {
        1
    }

    /// It couples the mass with the origin, which is no particle.
    fn pairs(&self) -> Vec<(usize, usize)> {
        vec![]
    }

    fn choose_implicit(&self, splitting: &Splitting, dt: f64, _state: &State, implicit: &mut [bool]) {
        implicit[0] = splitting.is_implicit(dt, self.mass, self.elastic());
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        if !implicit[0] {
            f[0] -= self.ks * x[0] + self.kd * v[0];
        }
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        if implicit[0] {
            b[0] -= at.h * (self.ks * (at.x[0] + at.w[0]) + self.kd * at.v[0]);
            a.add_diagonal(0, &((at.h * self.kd + at.h * at.g * self.ks) * Mat3::identity()));
        }
    }

    fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        add(0, 0, self.ks + self.kd / h);
    }
}

impl Oscillator {
    /// Its spring.
    fn elastic(&self) -> Elastic {
        Elastic { stiffness: self.ks, damping: self.kd }
    }

    /// A unit mass of angular frequency `omega` \[1/s\] and damping ratio `zeta` \[-\]: x'' = -omega² x - 2 zeta omega x'.
    pub fn with_damping_ratio(omega: f64, zeta: f64) -> Oscillator {
        Oscillator { mass: 1.0, ks: omega * omega, kd: 2.0 * zeta * omega }
    }

    /// One backward Euler step in closed form, (x, v) after `dt`: (4.9) of \[Boxerman 2003\] is linear here.
    pub fn backward_euler(&self, dt: f64, x: f64, v: f64) -> (f64, f64) {
        let (ks, kd) = (self.ks / self.mass, self.kd / self.mass);
        let v = (v - dt * ks * x) / (1.0 + dt * kd + dt * dt * ks);
        (x + dt * v, v)
    }

    /// The matrix that takes (x, v) to the next step of `scheme`, found by stepping the two unit states.
    pub fn amplification(&self, scheme: &mut dyn Integrator, dt: f64) -> Amplification {
        let mut column = |x: f64, v: f64| {
            let mut state = State { x: vec![Vec3::new(x, 0.0, 0.0)], v: vec![Vec3::new(v, 0.0, 0.0)] };
            scheme.step(self, dt, &mut state);
            [state.x[0].x, state.v[0].x]
        };
        Amplification::of_columns(column(1.0, 0.0), column(0.0, 1.0))
    }

    /// The matrix that takes (x, v) to the next step of [`Oscillator::backward_euler`].
    pub fn backward_euler_amplification(&self, dt: f64) -> Amplification {
        let column = |x, v| <[f64; 2]>::from(self.backward_euler(dt, x, v));
        Amplification::of_columns(column(1.0, 0.0), column(0.0, 1.0))
    }
}

/// Trace and determinant of an amplification matrix, which is all that its eigenvalues depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amplification {
    /// lambda_1 + lambda_2.
    pub trace: f64,
    /// lambda_1 lambda_2.
    pub determinant: f64,
}

impl Amplification {
    fn of_columns(first: [f64; 2], second: [f64; 2]) -> Amplification {
        let matrix = Matrix2::new(first[0], second[0], first[1], second[1]);
        Amplification { trace: matrix.trace(), determinant: matrix.determinant() }
    }

    /// Whether the eigenvalues are a complex pair: the numerical solution oscillates.
    pub fn is_complex(&self) -> bool {
        self.trace * self.trace < 4.0 * self.determinant
    }

    /// max |lambda|.
    pub fn spectral_radius(&self) -> f64 {
        let half = 0.5 * self.trace.abs();
        let square = half * half - self.determinant;
        if square < 0.0 { self.determinant.sqrt() } else { half + square.sqrt() }
    }
}

/// Amplification in theory, with a = dt² ks / m and b = dt kd / m: of forward, forward-backward and backward Euler \[Boxerman 2003,
/// 4.1.4 and 4.2.4, with the masses restored and magnitudes unsquared\], of the midpoint rule, implicit damping, SBDF2 and
/// generalized-alpha. The spectral radius as a function of omega dt is that at a = (omega dt)², b = 0.
pub mod theory {
    use super::double_double::DoubleDouble;
    use super::{Amplification, ThreeStateAmplification, TwoStepAmplification};
    use crate::integrators::DissipationLimit;

    /// lambda² - (2 - b) lambda + (1 - b + a): |lambda|² = 1 - b + a.
    pub fn forward_euler(a: f64, b: f64) -> Amplification {
        Amplification { trace: 2.0 - b, determinant: 1.0 - b + a }
    }

    /// lambda² - (2 - a - b) lambda + (1 - b): |lambda|² = 1 - b.
    pub fn forward_backward_euler(a: f64, b: f64) -> Amplification {
        Amplification { trace: 2.0 - a - b, determinant: 1.0 - b }
    }

    /// lambda² - (2 + b) / w lambda + 1 / w, w = 1 + b + a: |lambda|² = 1 / (1 + b + a). Without damping \[Parks 2002, eq. 9\],
    /// whose second row lacks its divisor: the matrix is \[\[1, dt\], \[-omega² dt, 1\]\] / (1 + omega² dt²).
    pub fn backward_euler(a: f64, b: f64) -> Amplification {
        let w = 1.0 + b + a;
        Amplification { trace: (2.0 + b) / w, determinant: 1.0 / w }
    }

    /// lambda² - 2 (1 - a/4) / w lambda + (1 - b/2 + a/4) / w, w = 1 + b/2 + a/4: |lambda| = 1 without damping.
    pub fn implicit_midpoint(a: f64, b: f64) -> Amplification {
        let w = 1.0 + 0.5 * b + 0.25 * a;
        Amplification { trace: 2.0 * (1.0 - 0.25 * a) / w, determinant: (1.0 - 0.5 * b + 0.25 * a) / w }
    }

    /// lambda² - 2 (1 - a/2) / w lambda + (1 - b/2) / w, w = 1 + b/2: stable for a <= 4 whatever b is.
    pub fn implicit_damping(a: f64, b: f64) -> Amplification {
        let w = 1.0 + 0.5 * b;
        Amplification { trace: 2.0 * (1.0 - 0.5 * a) / w, determinant: (1.0 - 0.5 * b) / w }
    }

    /// With s = λ - 1, s² ((1 - alpha_m) s + 1) + ((1 - alpha_f) s + 1) (n_2 s² + n_1 s + n_0) over its first coefficient,
    /// n_2 = a beta + b gamma, n_1 = a (gamma + 1/2) + b, n_0 = a: \[Parks 2002, eqs. 10-12\] on one spring.
    pub fn generalized_alpha(limit: DissipationLimit, a: f64, b: f64) -> ThreeStateAmplification {
        let number = DoubleDouble::from;
        let (rho, a, b) = (number(limit.get()), number(a), number(b));
        let sum = rho + number(1.0);
        // the parameters in full, since the numbers of [`DissipationLimit`] are rounded
        let (m, f) = ((number(2.0) - rho) / sum, number(1.0) / sum); // 1 - alpha_m, 1 - alpha_f
        let (beta, gamma) = (f * f, (number(3.0) - rho) / sum.scaled(2.0));
        let [n0, n1, n2] = [a, a * (gamma + number(0.5)) + b, a * beta + b * gamma];
        let first = m + f * n2;
        let [s0, s1, s2] = [n0, f * n0 + n1, number(1.0) + f * n1 + n2].map(|c| c / first); // s³ + s2 s² + s1 s + s0
        ThreeStateAmplification {
            coefficients: [s0 - s1 + s2 - number(1.0), s1 - s2.scaled(2.0) + number(3.0), s2 - number(3.0)],
        }
    }

    /// With r = 3/2 λ² - 2 λ + 1/2 and e = 2 λ - 1, r² + r (b' λ² + b e) + λ² (a' λ² + a e) over its first coefficient, for `a` and
    /// `b` of \[explicit, implicit\] springs \[Boxerman 2003, eq. 4.15\]; with nothing explicit it is BDF2.
    pub fn sbdf2([a, implicit_a]: [f64; 2], [b, implicit_b]: [f64; 2]) -> TwoStepAmplification {
        let number = DoubleDouble::from;
        let times = |factor: f64, x: f64| DoubleDouble::product(factor, x);
        let first = number(2.25) + times(1.5, implicit_b) + number(implicit_a);
        let rest = [
            number(0.25) - times(0.5, b),
            number(-2.0) + times(3.0, b),
            number(5.5) + times(0.5, implicit_b) - times(5.5, b) - number(a),
            number(-6.0) - times(2.0, implicit_b) + times(3.0, b) + times(2.0, a),
        ];
        TwoStepAmplification { coefficients: rest.map(|c| c / first) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrators::{ForwardBackwardEuler, ForwardEuler};

    #[test]
    fn spectral_radius_of_known_matrices() {
        // eigenvalues 3 and -2; then 1 ± 2i
        assert!((Amplification { trace: 1.0, determinant: -6.0 }.spectral_radius() - 3.0).abs() < 1e-15);
        assert!((Amplification { trace: 2.0, determinant: 5.0 }.spectral_radius() - 5.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn measured_amplification_agrees_with_theory() {
        let oscillator = Oscillator { mass: 0.5, ks: 7.0, kd: 0.3 };
        let dt = 0.2;
        let (a, b) = (dt * dt * 7.0 / 0.5, dt * 0.3 / 0.5);
        let pairs = [
            (oscillator.amplification(&mut ForwardEuler::new(1), dt), theory::forward_euler(a, b)),
            (oscillator.amplification(&mut ForwardBackwardEuler::new(1), dt), theory::forward_backward_euler(a, b)),
            (oscillator.backward_euler_amplification(dt), theory::backward_euler(a, b)),
        ];
        for (measured, theory) in pairs {
            assert!((measured.trace - theory.trace).abs() < 1e-14, "{measured:?} {theory:?}");
            assert!((measured.determinant - theory.determinant).abs() < 1e-14, "{measured:?} {theory:?}");
        }
    }

    #[test]
    fn backward_euler_solves_its_equation() {
        let oscillator = Oscillator { mass: 2.0, ks: 30.0, kd: 4.0 };
        let (x, v) = oscillator.backward_euler(0.1, 0.7, -0.2);
        assert!((x - (0.7 + 0.1 * v)).abs() < 1e-15);
        assert!((v - (-0.2 + 0.1 * -(30.0 * x + 4.0 * v) / 2.0)).abs() < 1e-15);
    }
}
