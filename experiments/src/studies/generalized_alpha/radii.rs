//! Spectral radii on an undamped oscillator, measured by stepping and in theory.

use cloth::implicit::{Settings, Solver};
use cloth::integrators::{BackwardEuler, Bdf2, DissipationLimit, GeneralizedAlpha, ImplicitMidpoint, Integrator};
use cloth::oscillator::{Oscillator, theory};
use lab::prelude::*;

use super::lists::Limit;
use super::orders::Scheme;
use crate::ranges::{Count, Ends, List};

/// Where radii are measured.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RadiusRanges {
    pub omega_dt: Ends,
    /// Points in between, even in their logarithm, both ends included.
    pub points: Count,
    /// rho_inf of generalized-alpha.
    pub limits: List<Limit>,
}

row! {
    /// A scheme at an omega dt.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RadiusRow {
        /// the time integrator
        pub scheme: String,
        /// high-frequency dissipation limit of generalized-alpha; none for others
        pub rho_inf: Option<f64>,
        /// omega dt
        pub omega_dt: f64,
        /// spectral radius of the matrix found by stepping unit states
        pub measured: f64,
        /// spectral radius in closed form
        pub theory: f64,
    }
}

/// Every scheme over omega dt.
pub struct Radii(pub RadiusRanges);

impl Radii {
    fn schemes(&self) -> Vec<Scheme> {
        let limits = self.0.limits.values().iter().filter_map(|limit| DissipationLimit::new(limit.get()).ok());
        [Scheme::BackwardEuler, Scheme::Bdf2, Scheme::Midpoint].into_iter().chain(limits.map(Scheme::GeneralizedAlpha)).collect()
    }

    fn row(scheme: Scheme, omega_dt: f64) -> RadiusRow {
        let (oscillator, dt) = (Oscillator { mass: 1.0, ks: 1.0, kd: 0.0 }, omega_dt); // omega = 1
        let settings = Settings { solver: Solver::Direct, ..Settings::default() };
        let square = omega_dt * omega_dt;
        let (measured, theory) = match scheme {
            Scheme::BackwardEuler => {
                let measured = oscillator.amplification(&mut BackwardEuler::new(&oscillator, settings), dt);
                (measured.spectral_radius(), theory::backward_euler(square, 0.0).spectral_radius())
            }
            Scheme::Midpoint => {
                let measured = oscillator.amplification(&mut ImplicitMidpoint::new(&oscillator, settings), dt);
                (measured.spectral_radius(), theory::implicit_midpoint(square, 0.0).spectral_radius())
            }
            Scheme::Bdf2 => {
                let mut bdf2 = Bdf2::new(&oscillator, settings);
                let measured = oscillator.two_step_amplification(|before, state| {
                    bdf2.follow(before);
                    bdf2.step(&oscillator, dt, state);
                });
                (measured.spectral_radius(), theory::sbdf2([0.0, square], [0.0; 2]).spectral_radius())
            }
            Scheme::GeneralizedAlpha(limit) => {
                let measured = oscillator.three_state_amplification(&mut GeneralizedAlpha::new(&oscillator, settings, limit), dt);
                (measured.spectral_radius(), theory::generalized_alpha(limit, square, 0.0).spectral_radius())
            }
        };
        RadiusRow { scheme: scheme.name().into(), rho_inf: scheme.limit(), omega_dt, measured, theory }
    }
}

impl Group for Radii {
    const NAME: &'static str = "radii";
    const ABOUT: &'static str = "spectral radii on an undamped oscillator, measured and in theory";
    type Case = Scheme;
    type Row = RadiusRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.schemes()
    }

    fn measure(&self, &scheme: &Scheme) -> Vec<RadiusRow> {
        let [low, high] = self.0.omega_dt.get().map(libm::log);
        let last = f64::from((self.0.points.get() - 1).max(1));
        let place = |point: u32| libm::exp(low + (high - low) * f64::from(point) / last);
        (0..self.0.points.get()).map(|point| Radii::row(scheme, place(point))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_radii_agree_with_theory_over_the_whole_table() {
        let limits = [0.0, 0.25, 0.5, 0.75, 1.0].map(|limit| Scheme::GeneralizedAlpha(DissipationLimit::new(limit).unwrap()));
        for scheme in [Scheme::BackwardEuler, Scheme::Bdf2, Scheme::Midpoint].into_iter().chain(limits) {
            for point in 0..241 {
                let omega_dt = libm::pow(10.0, -2.0 + 5.0 * f64::from(point) / 240.0);
                let RadiusRow { measured, theory, .. } = Radii::row(scheme, omega_dt);
                // beyond, the roots of generalized-alpha nearly meet, and magnify the rounding of the steps
                let bound = if omega_dt < 101.0 { 1e-12 } else { 1e-9 };
                assert!((measured - theory).abs() < bound, "{} at {omega_dt}: {measured} {theory}", scheme.name());
                if scheme.limit() == Some(1.0) || scheme.name() == Scheme::Midpoint.name() {
                    assert!((measured - 1.0).abs() < 1e-12 && (theory - 1.0).abs() < 1e-12, "{omega_dt}: {measured} {theory}");
                }
            }
        }
    }
}
