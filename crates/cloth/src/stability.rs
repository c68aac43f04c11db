//! Numerical stiffness, the steps up to which forward-backward Euler should be stable, and the region in which the explicit part of
//! SBDF2 is.

mod second_order;

use nalgebra::Matrix2;

use crate::{DampingForm, Elastic};

pub use second_order::{ExplicitMode, least_damping, stability_boundary};

/// kappa = dt/m (ks dt + 2 kd) \[-\] \[Boxerman 2003, eq. 4.8\].
pub fn numerical_stiffness(dt: f64, mass: f64, elastic: Elastic) -> f64 {
    dt / mass * (elastic.stiffness * dt + 2.0 * elastic.damping)
}

/// The step \[s\] at which the numerical stiffness reaches `kappa`: the root of ks dt² + 2 kd dt = kappa m.
/// Infinite for a spring without stiffness and damping.
pub fn step_at_stiffness(kappa: f64, mass: f64, elastic: Elastic) -> f64 {
    let Elastic { stiffness, damping } = elastic;
    kappa * mass / (damping + (damping * damping + stiffness * kappa * mass).sqrt())
}

/// A sheet of stretch and shear springs, as far as its stability is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linearised {
    /// m \[kg\].
    pub mass: f64,
    /// Springs to the nearest neighbours.
    pub stretch: Elastic,
    /// Springs to the diagonal neighbours.
    pub shear: Elastic,
    /// How they are damped.
    pub damping: DampingForm,
}

impl Linearised {
    /// The larger numerical stiffness of the two families.
    pub fn numerical_stiffness(&self, dt: f64) -> f64 {
        numerical_stiffness(dt, self.mass, self.stretch).max(numerical_stiffness(dt, self.mass, self.shear))
    }

    /// The thesis' step: kappa <= 1/2 for the stiffer family \[Boxerman 2003, eq. 4.8\].
    pub fn thesis_step(&self) -> f64 {
        step_at_stiffness(0.5, self.mass, self.stretch).min(step_at_stiffness(0.5, self.mass, self.shear))
    }

    /// The linear limit of a sheet at rest length, whose springs act along their axis only: the sum of kappa over both
    /// families is 1.
    pub fn rest_step(&self) -> f64 {
        let sum = Elastic {
            stiffness: self.stretch.stiffness + self.shear.stiffness,
            damping: self.stretch.damping + self.shear.damping,
        };
        step_at_stiffness(1.0, self.mass, sum)
    }

    /// The linear limit of a sheet all of whose springs are stretched to `stretch` = |x| / L >= 1: the step at which the
    /// largest eigenvalue of dt² K + 2 dt D over all Fourier modes is 4 m.
    pub fn stretched_step(&self, stretch: f64) -> f64 {
        let tau = 1.0 - 1.0 / stretch;
        let (mut low, mut high) = (0.0, self.thesis_step() * 8.0);
        while high - low > 1e-6 * high {
            let dt = 0.5 * (low + high);
            if self.largest_eigenvalue(dt, tau) <= 4.0 { low = dt } else { high = dt }
        }
        0.5 * (low + high)
    }

    /// max over modes of the largest eigenvalue of (dt² K + 2 dt D) / m, for springs with K = ks (n nᵀ + tau (I - n nᵀ))
    /// and D = kd n nᵀ (projected) or kd I (plain).
    fn largest_eigenvalue(&self, dt: f64, tau: f64) -> f64 {
        const MODES: u32 = 24;
        let half = std::f64::consts::FRAC_1_SQRT_2;
        // direction of the spring and the phases (of x, of y) between its ends
        let springs = [
            (self.stretch, [1.0, 0.0], (1, 0)),
            (self.stretch, [0.0, 1.0], (0, 1)),
            (self.shear, [half, half], (1, 1)),
            (self.shear, [-half, half], (-1, 1)),
        ];
        let sine = |k: i64| libm::sin(std::f64::consts::PI * k as f64 / f64::from(2 * MODES));
        let mut largest: f64 = 0.0;
        for kx in 0..=i64::from(MODES) {
            for ky in 0..=i64::from(MODES) {
                let (mut plane, mut normal) = (Matrix2::zeros(), 0.0);
                for (elastic, n, (px, py)) in springs {
                    let phase = sine(px * kx + py * ky);
                    let factor = 4.0 * phase * phase / self.mass; // 2 (1 - cos theta) / m
                    let (stiff, damped) = (dt * dt * elastic.stiffness, 2.0 * dt * elastic.damping);
                    let across = tau * stiff + if self.damping == DampingForm::Plain { damped } else { 0.0 };
                    let axial = stiff + damped;
                    let nn = Matrix2::new(n[0] * n[0], n[0] * n[1], n[1] * n[0], n[1] * n[1]);
                    plane += factor * (axial * nn + across * (Matrix2::identity() - nn));
                    normal += factor * across;
                }
                largest = largest.max(normal).max(larger_eigenvalue(plane));
            }
        }
        largest
    }
}

/// Of a symmetric 2 x 2 matrix.
fn larger_eigenvalue(a: Matrix2<f64>) -> f64 {
    let (mean, difference) = (0.5 * (a.m11 + a.m22), 0.5 * (a.m11 - a.m22));
    mean + (difference * difference + a.m12 * a.m12).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(ks1: f64, kd1: f64, ks2: f64, kd2: f64) -> Linearised {
        let elastic = |stiffness, damping| Elastic { stiffness, damping };
        Linearised { mass: 0.02, stretch: elastic(ks1, kd1), shear: elastic(ks2, kd2), damping: DampingForm::Projected }
    }

    #[test]
    fn steps_invert_the_stiffness() {
        let elastic = Elastic { stiffness: 300.0, damping: 0.2 };
        let dt = step_at_stiffness(0.7, 0.02, elastic);
        assert!((numerical_stiffness(dt, 0.02, elastic) - 0.7).abs() < 1e-14);
        // kd alone: 2 kd dt = kappa m
        assert!((step_at_stiffness(0.5, 0.02, Elastic { stiffness: 0.0, damping: 2.0 }) - 0.0025).abs() < 1e-15);
        assert_eq!(step_at_stiffness(0.5, 0.02, Elastic { stiffness: 0.0, damping: 0.0 }), f64::INFINITY);
    }

    #[test]
    fn the_symbol_at_rest_gives_the_sum_of_kappas() {
        for sheet in [sheet(100.0, 0.0, 100.0, 0.0), sheet(1000.0, 0.1, 10.0, 1.0), sheet(0.0, 0.5, 40.0, 0.0)] {
            let ratio = sheet.stretched_step(1.0) / sheet.rest_step();
            assert!((ratio - 1.0).abs() < 1e-5, "{sheet:?}: {ratio}");
        }
    }

    #[test]
    fn the_symbol_of_a_taut_sheet_has_the_known_largest_eigenvalue() {
        // tau -> 1, no damping: max(8 ks1, 4 ks1 + 8 ks2) / m
        for (ks1, ks2, expected) in [(100.0, 100.0, 1200.0), (100.0, 10.0, 800.0), (0.0, 50.0, 400.0)] {
            let dt = 1e-3;
            let found = sheet(ks1, 0.0, ks2, 0.0).largest_eigenvalue(dt, 1.0) / (dt * dt) * 0.02;
            assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
        }
        // for equal stiffness: kappa of each family at the limit is 1/3
        let equal = sheet(100.0, 0.0, 100.0, 0.0);
        let kappa = equal.numerical_stiffness(equal.stretched_step(1e12));
        assert!((kappa - 1.0 / 3.0).abs() < 1e-5);
    }

    #[test]
    fn plain_damping_lowers_the_limit() {
        let projected = sheet(100.0, 0.5, 100.0, 0.5);
        let plain = Linearised { damping: DampingForm::Plain, ..projected };
        assert!(plain.stretched_step(1.0) < 0.9 * projected.stretched_step(1.0));
    }
}
