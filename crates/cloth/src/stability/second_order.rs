//! Which springs SBDF2 may treat explicitly: the criterion that \[Boxerman 2003, 4.3\] leaves open.
//!
//! **The modes of the scheme.** Let y_n = λⁿ y solve (4.15) with stiffness and damping K + K', D + D', of which K and D are
//! explicit, and let u be its positions. With μ = 1/λ, R = 3/2 - 2 μ + μ²/2 (the difference of BDF2) and E = 2 μ - μ² (the
//! extrapolation), the product of u with the equation is
//!
//! R² + R (b' + E b) + a' + E a = 0, a = dt² u·Ku / u·Mu, b = dt u·Du / u·Mu,
//!
//! with a' and b' of K' and D' likewise. All four are real and not negative, whether or not the matrices have modes in common. So
//! the scheme is stable where this one equation has no root |λ| > 1 for any (a, b, a', b') that the sheet can show.
//!
//! **The boundary** with everything explicit, a = (omega dt)² and b = 2 zeta omega dt: λ = exp(iθ) solves the equation, with
//! c = 1 - cos θ, for
//!
//! a = c (1 + 3 c) (2 + 3 c) / ((1 + c) (1 + 4 c)), b = 2 c² / ((1 + c) (1 + 4 c)), 0 < c <= 2,
//!
//! and λ = -1 on the line a + 4 b = 16/3, which the curve meets in its last point, (112/27, 8/27). Stable is what lies above the
//! curve and below the line. Near zero the curve is b = a²/2: without damping |λ| = 1 + a²/4, unstable at any step.
//!
//! **The criterion** replaces the curve by a convex function above it, half a parabola and its tangent:
//!
//! b >= H(a), a + 4 b <= 16/3, H(a) = a²/2 up to a = 1/8, then (a - 1/16) / 8.
//!
//! H is above the curve: in c, a²/2 >= b is (2 + 9 c + 9 c²)² >= 4 (1 + c) (1 + 4 c), true for every c; (a - 1/16) / 8 >= b is
//! 144 c³ - 116 c² + 27 c - 1 >= 0, true from c = 0.05 on, and a = 1/8 is at c = 0.056. The region is convex and holds the origin,
//! so a sum of springs, each with weight c_k and all weights together at most one, lies in it where each spring does.
//!
//! | zeta | largest stable omega dt | by the criterion |
//! | --- | --- | --- |
//! | 0.01 | 0.374 | 0.342 |
//! | 0.05 | 0.880 | 0.872 |
//! | 0.1 | 1.944 | 1.638 |
//! | 0.5 | 1.055 | 1.055 |
//! | 1 | 0.619 | 0.619 |
//!
//! **Implicit forces beside it.** Scanned over a', b' from 0 to 1e5, implicit stiffness and damping never make a point of the
//! region unstable. Implicit damping can stand in for explicit damping at half its worth, b + b'/2 >= H(a); at its full worth it
//! cannot. Both are found by a scan, which is a test, and not proven.
//!
//! **Springs of a sheet.** Its stiffest mode has a = F dt² ks/m, b = F dt kd/m, with the modal factor F = 8 at rest, when stretch
//! and shear are equal and act along their axes only, and at most 12 when taut. The thesis' numerical stiffness has the same
//! factor: F = 8 makes the limit a + 2 b <= 4 of FB Euler kappa <= 1/2, and its cautious kappa <= 0.2 is F = 20. We take 20.
//!
//! **Damping that does not act does not count.** A spring that is slack, contracting under projected damping, or of a family
//! without a damper is undamped in this step, and implicit. A taut spring also pulls across its direction, with stiffness T / |x|;
//! there projected damping does nothing, and only air resistance, which is implicit, can allow the spring to be explicit. So with
//! projected damping and without air every taut spring is implicit.
//!
//! All this is about the linearised sheet with its split held; drag, which is explicit, is left out.

use crate::Elastic;

/// A mode of vibration with a part that SBDF2 treats explicitly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExplicitMode {
    /// a = dt² omega² of the explicit stiffness \[-\], >= 0.
    pub stiffness: f64,
    /// b = 2 zeta omega dt of the explicit damping \[-\], >= 0.
    pub damping: f64,
    /// b', the same of implicit damping that acts on the mode \[-\], >= 0.
    pub implicit_damping: f64,
}

impl ExplicitMode {
    /// The stiffest mode of a sheet of springs like this one: a = F dt² ks/m, b = F dt kd/m for the modal factor F \[-\].
    pub fn of_springs(modal_factor: f64, dt: f64, mass: f64, elastic: Elastic) -> ExplicitMode {
        let unit = modal_factor * dt / mass;
        ExplicitMode { stiffness: unit * dt * elastic.stiffness, damping: unit * elastic.damping, implicit_damping: 0.0 }
    }

    /// Whether the criterion b + b'/2 >= H(a), a + 4 b <= 16/3 holds: sufficient for stability, whatever else is implicit. H(a)
    /// may be missed by the rounding of one, and the growth in a step by half of that, so that a spring whose tension is rounding
    /// counts as one without tension.
    pub fn is_stable(&self) -> bool {
        let &ExplicitMode { stiffness: a, damping: b, implicit_damping } = self;
        b + 0.5 * implicit_damping + f64::EPSILON >= least_damping(a) && a + 4.0 * b <= 16.0 / 3.0
    }
}

/// H(a), the least damping b \[-\] that the criterion asks of an explicit mode of stiffness `a` = dt² omega² \[-\].
pub fn least_damping(a: f64) -> f64 {
    if a <= 0.125 { 0.5 * a * a } else { 0.125 * (a - 0.0625) }
}

/// The point (a, b) of the stability boundary of the explicit part at which λ = exp(iθ), for `c` = 1 - cos θ in (0, 2\].
pub fn stability_boundary(c: f64) -> [f64; 2] {
    let divisor = (1.0 + c) * (1.0 + 4.0 * c);
    [c * (1.0 + 3.0 * c) * (2.0 + 3.0 * c) / divisor, 2.0 * c * c / divisor]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oscillator::{TwoStepAmplification, theory};

    fn amplification(mode: ExplicitMode, implicit_stiffness: f64) -> TwoStepAmplification {
        theory::sbdf2([mode.stiffness, implicit_stiffness], [mode.damping, mode.implicit_damping])
    }

    fn radius(mode: ExplicitMode, implicit_stiffness: f64) -> f64 {
        amplification(mode, implicit_stiffness).spectral_radius()
    }

    #[test]
    fn the_boundary_separates_stable_from_unstable_modes() {
        for k in 2..200 {
            let [stiffness, damping] = stability_boundary(0.01 * f64::from(k));
            let at = |factor: f64| radius(ExplicitMode { stiffness, damping: factor * damping, implicit_damping: 0.0 }, 0.0);
            assert!((at(1.0) - 1.0).abs() < 1e-10, "{k}: {}", at(1.0));
            assert!(at(0.99) > 1.0, "{k}: {}", at(0.99));
            // above the curve, as long as that is below the line
            assert_eq!(at(1.01) < 1.0, stiffness + 4.04 * damping < 16.0 / 3.0, "{k}: {}", at(1.01));
        }
        assert_eq!(stability_boundary(2.0), [112.0 / 27.0, 8.0 / 27.0]);
    }

    #[test]
    fn the_line_is_where_lambda_is_minus_one() {
        for k in 1..41 {
            let stiffness = 0.1 * f64::from(k);
            let at = |factor: f64| {
                let damping = factor * (16.0 / 3.0 - stiffness) / 4.0;
                radius(ExplicitMode { stiffness, damping, implicit_damping: 0.0 }, 0.0)
            };
            assert!((at(1.0) - 1.0).abs() < 1e-10 && at(0.99) < 1.0 && at(1.01) > 1.0, "{stiffness}: {}", at(1.0));
        }
    }

    /// Values from `low` to `high`, `count` of them, equally spaced in their logarithm.
    fn log_spaced(low: f64, high: f64, count: u32) -> impl Iterator<Item = f64> {
        (0..count).map(move |k| low * libm::pow(high / low, f64::from(k) / f64::from(count - 1)))
    }

    #[test]
    fn no_explicit_mode_is_unstable_whatever_is_implicit_beside_it() {
        let (mut stable, mut tight, mut close) = (0, 0, 0);
        let implicit = || std::iter::once(0.0).chain(log_spaced(1e-4, 1e5, 28));
        for stiffness in log_spaced(1e-4, 16.0 / 3.0, 60) {
            for damping in std::iter::once(0.0).chain(log_spaced(1e-9, 4.0 / 3.0, 60)) {
                // what of implicit damping the criterion asks for, to rounding, and more
                let explicit = ExplicitMode { stiffness, damping, implicit_damping: 0.0 };
                let least = 2.0 * (least_damping(stiffness) - damping).max(0.0) * (1.0 + 1e-15);
                for more in implicit().step_by(3) {
                    let mode = ExplicitMode { implicit_damping: least + more, ..explicit };
                    if !mode.is_stable() {
                        continue;
                    }
                    stable += 1;
                    tight += u32::from(least > 0.0);
                    for other in implicit() {
                        // a million modes: their roots need not be found
                        let amplification = amplification(mode, other);
                        close += u32::from(!amplification.is_within(0.999));
                        assert!(amplification.is_within(1.0 + 1e-12), "{mode:?} beside {other}: {amplification:?}");
                    }
                }
            }
        }
        assert!(stable > 10_000 && tight > 1000 && close > 1000, "{stable} {tight} {close}");
    }

    #[test]
    fn implicit_damping_is_not_worth_as_much_as_explicit_damping() {
        // a = 2 without explicit damping, and b' = H(a) or just beyond 2 H(a)
        let needed = least_damping(2.0);
        let [full, half] = [needed, 2.0 * needed * (1.0 + 1e-14)].map(|implicit_damping| ExplicitMode {
            stiffness: 2.0,
            damping: 0.0,
            implicit_damping,
        });
        assert!(radius(full, 0.0) > 1.0 && !full.is_stable());
        assert!(radius(half, 0.0) < 1.0 && half.is_stable());
    }

    #[test]
    fn undamped_modes_are_unstable_down_to_rounding() {
        for stiffness in log_spaced(1e-7, 10.0, 500) {
            assert!(!ExplicitMode { stiffness, ..ExplicitMode::default() }.is_stable(), "{stiffness}");
        }
        // a²/4 of growth is less than the rounding of one
        assert!(ExplicitMode { stiffness: 1e-8, ..ExplicitMode::default() }.is_stable());
    }

    #[test]
    fn the_region_is_convex() {
        // the midpoint of two points of its boundary lies inside
        let points: Vec<[f64; 2]> = log_spaced(1e-3, 3.5, 80).map(|a| [a, least_damping(a)]).collect();
        for p in &points {
            for q in &points {
                let middle = ExplicitMode {
                    stiffness: 0.5 * (p[0] + q[0]),
                    damping: 0.5 * (p[1] + q[1]) * (1.0 + 1e-14),
                    implicit_damping: 0.0,
                };
                assert!(middle.is_stable(), "{p:?} {q:?}");
            }
        }
    }

    #[test]
    fn springs_are_scaled_by_the_modal_factor() {
        let mode = ExplicitMode::of_springs(20.0, 0.01, 0.5, Elastic { stiffness: 30.0, damping: 0.2 });
        // 20 * 1e-4 * 30 / 0.5 and 20 * 0.01 * 0.2 / 0.5
        assert!((mode.stiffness - 0.12).abs() < 1e-15 && (mode.damping - 0.08).abs() < 1e-15);
    }
}
