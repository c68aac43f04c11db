use super::double_double::DoubleDouble;
use super::{CharacteristicPolynomial, Oscillator};
use crate::integrators::{GeneralizedAlpha, Integrator};
use crate::{State, Vec3};

/// What a step of a scheme that carries accelerations does to (x, v, a): the characteristic polynomial of its matrix. Its spectral
/// radius is to rounding in theory; in a matrix that was found by stepping, rounding of its elements is magnified where roots
/// meet, as the three of generalized-alpha do for omega dt -> infinity.
pub type ThreeStateAmplification = CharacteristicPolynomial<3>;

impl ThreeStateAmplification {
    /// Of the matrix with these columns: minus its determinant, the sum of its principal minors, minus its trace.
    fn of_columns(columns: [[f64; 3]; 3]) -> ThreeStateAmplification {
        let m = |row: usize, column: usize| DoubleDouble::from(columns[column][row]);
        let minor = |[i, j]: [usize; 2], [k, l]: [usize; 2]| m(i, k) * m(j, l) - m(i, l) * m(j, k);
        let determinant = m(0, 0) * minor([1, 2], [1, 2]) - m(0, 1) * minor([1, 2], [0, 2]) + m(0, 2) * minor([1, 2], [0, 1]);
        let minors = minor([0, 1], [0, 1]) + minor([0, 2], [0, 2]) + minor([1, 2], [1, 2]);
        ThreeStateAmplification { coefficients: [-determinant, minors, -(m(0, 0) + m(1, 1) + m(2, 2))] }
    }
}

impl Oscillator {
    /// Amplification of a generalized-alpha scheme, found by stepping the unit states of (x, dt v, dt² a).
    pub fn three_state_amplification(&self, scheme: &mut GeneralizedAlpha, dt: f64) -> ThreeStateAmplification {
        let along_x = |x: f64| vec![Vec3::new(x, 0.0, 0.0)];
        let mut column = |x: f64, v: f64, a: f64| {
            let mut state = State { x: along_x(x), v: along_x(v) };
            let mut a = along_x(a);
            scheme.follow(&a);
            scheme.step(self, dt, &mut state);
            scheme.acceleration(self, &state, &mut a);
            [state.x[0].x, dt * state.v[0].x, dt * dt * a[0].x]
        };
        let columns = [column(1.0, 0.0, 0.0), column(0.0, 1.0 / dt, 0.0), column(0.0, 0.0, 1.0 / (dt * dt))];
        ThreeStateAmplification::of_columns(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Settings, Solver};
    use crate::integrators::{BackwardEuler, Bdf2, DissipationLimit, ImplicitMidpoint};
    use crate::oscillator::theory;

    const LIMITS: [f64; 6] = [0.0, 0.2, 0.5, 0.75, 0.9, 1.0];

    /// omega dt from 1e-2 to 1e3.
    fn steps() -> impl Iterator<Item = f64> {
        (-20..=30).map(|k| libm::pow(10.0, 0.1 * f64::from(k)))
    }

    fn exact() -> Settings {
        Settings { solver: Solver::Direct, ..Settings::default() }
    }

    #[test]
    fn spectral_radius_of_known_matrices() {
        // 3, -2 and 0.5 on a triangle; a rotation by a right angle scaled by 2 beside 1.5
        let triangle = ThreeStateAmplification::of_columns([[3.0, 0.0, 0.0], [7.0, -2.0, 0.0], [1.0, 4.0, 0.5]]);
        assert!((triangle.spectral_radius() - 3.0).abs() < 1e-12);
        let rotation = ThreeStateAmplification::of_columns([[0.0, 2.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 1.5]]);
        assert!((rotation.spectral_radius() - 2.0).abs() < 1e-12);
        assert!(
            ThreeStateAmplification { coefficients: [0.0, f64::NAN, 0.0].map(DoubleDouble::from) }.spectral_radius().is_nan()
        );
    }

    #[test]
    fn generalized_alpha_amplifies_as_in_theory() {
        for rho_inf in LIMITS {
            let limit = DissipationLimit::new(rho_inf).unwrap();
            for omega_dt in steps() {
                for (mass, zeta) in [(1.0, 0.0), (0.5, 0.3)] {
                    let (a, b) = (omega_dt * omega_dt, 2.0 * zeta * omega_dt);
                    let dt = 0.1;
                    let oscillator = Oscillator { mass, ks: a * mass / (dt * dt), kd: b * mass / dt };
                    let mut scheme = GeneralizedAlpha::new(&oscillator, exact(), limit);
                    let measured = oscillator.three_state_amplification(&mut scheme, dt);
                    let expected = theory::generalized_alpha(limit, a, b);
                    for (found, expected) in measured.coefficients().into_iter().zip(expected.coefficients()) {
                        assert!((found - expected).abs() < 1e-8, "{rho_inf} {omega_dt}: {measured:?} {expected:?}");
                    }
                    let (found, expected) = (measured.spectral_radius(), expected.spectral_radius());
                    // rounding of the steps, which roots that meet magnify
                    let bound = if omega_dt < 30.0 { 1e-12 } else { 1e-8 };
                    assert!((found - expected).abs() < bound, "{rho_inf} {omega_dt}: {found} {expected}");
                    assert!(expected <= 1.0 + 1e-14, "{rho_inf} {omega_dt}: {expected}");
                }
            }
        }
    }

    #[test]
    fn radii_in_theory_are_exact_where_they_are_known() {
        // at rho_inf = 1 no step damps
        let conserving = DissipationLimit::new(1.0).unwrap();
        for point in 0..=240 {
            let omega_dt = libm::pow(10.0, -2.0 + 5.0 * f64::from(point) / 240.0);
            let radius = theory::generalized_alpha(conserving, omega_dt * omega_dt, 0.0).spectral_radius();
            assert!((radius - 1.0).abs() < 1e-12, "{omega_dt}: {radius}");
        }
        // without stiffness and damping there is no force: roots 1, 1 and -alpha_m / (1 - alpha_m)
        for rho_inf in LIMITS {
            let free = theory::generalized_alpha(DissipationLimit::new(rho_inf).unwrap(), 0.0, 0.0).spectral_radius();
            assert!((free - 1.0).abs() < 1e-12, "{rho_inf}: {free}");
        }
    }

    #[test]
    fn the_limit_of_high_frequencies_is_rho_inf() {
        for rho_inf in LIMITS {
            let limit = DissipationLimit::new(rho_inf).unwrap();
            let radius = |omega_dt: f64| theory::generalized_alpha(limit, omega_dt * omega_dt, 0.0).spectral_radius();
            // its three roots meet there, so that they part with the cube root of 1 / (omega dt)²
            let [far, farther] = [1e3, 1e4].map(|omega_dt| (radius(omega_dt) - rho_inf).abs());
            assert!(farther < 0.01 && farther <= 0.3 * far + 1e-7, "{rho_inf}: {far} {farther}");
        }
    }

    #[test]
    fn radii_of_backward_euler_midpoint_and_bdf2() {
        for omega_dt in steps() {
            let oscillator = Oscillator::with_damping_ratio(1.0, 0.0);
            let a = omega_dt * omega_dt;
            let measured = [
                oscillator.amplification(&mut BackwardEuler::new(&oscillator, exact()), omega_dt).spectral_radius(),
                oscillator.amplification(&mut ImplicitMidpoint::new(&oscillator, exact()), omega_dt).spectral_radius(),
                {
                    let mut bdf2 = Bdf2::new(&oscillator, exact());
                    let amplification = oscillator.two_step_amplification(|before, state| {
                        bdf2.follow(before);
                        bdf2.step(&oscillator, omega_dt, state);
                    });
                    amplification.spectral_radius()
                },
            ];
            let expected = [1.0 / (1.0 + a).sqrt(), 1.0, theory::sbdf2([0.0, a], [0.0, 0.0]).spectral_radius()];
            for (found, expected) in measured.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12 && expected <= 1.0 + 1e-14, "{omega_dt}: {measured:?}");
            }
            assert!((theory::backward_euler(a, 0.0).spectral_radius() - expected[0]).abs() < 1e-12);
            assert!((theory::implicit_midpoint(a, 0.0).spectral_radius() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn generalized_alpha_keeps_more_of_each_frequency_than_backward_euler() {
        // figure 1 of Parks 2002: "at times the difference is a factor of four"
        let ratios = steps().map(|omega_dt| {
            let a = omega_dt * omega_dt;
            let alpha = theory::generalized_alpha(DissipationLimit::MOST_DISSIPATION, a, 0.0).spectral_radius();
            alpha / theory::backward_euler(a, 0.0).spectral_radius()
        });
        let ratios: Vec<f64> = ratios.collect();
        assert!(
            ratios.windows(2).all(|pair| pair[0] >= 1.0 && pair[1] > pair[0]) && ratios[40] > 4.0 && ratios[50] > 10.0,
            "{ratios:?}"
        );
    }
}
