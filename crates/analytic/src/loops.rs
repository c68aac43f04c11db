//! A strip whose two ends are held together, so that it hangs as a loop: Peirce's tests for cloth too limp for a cantilever
//! \[Peirce 1930\]. Lengths are in units of the strip's, L.

use std::f64::consts::{FRAC_1_PI, FRAC_PI_2, PI};

use crate::numerics::extrapolation::advance;

/// How the ends are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Level and facing each other: without weight a ring.
    Ring,
    /// Side by side and leaving the grip downward: a pear.
    Pear,
    /// Side by side and leaving the grip upward, to bend over to both sides: a heart.
    Heart,
}

impl Held {
    /// theta of the right half where it ends at the grip, from the lowest point on, where it is 0 \[rad\].
    fn end_angle(self) -> f64 {
        match self {
            Held::Ring => PI,
            Held::Pear => FRAC_PI_2,
            Held::Heart => 3.0 * FRAC_PI_2,
        }
    }

    /// l/L without weight, from the grip down to the lowest point, as Peirce prints it \[-\].
    pub fn published_depth(self) -> f64 {
        match self {
            Held::Ring => FRAC_1_PI,
            Held::Pear => 0.4243,
            Held::Heart => 0.1337,
        }
    }
}

/// A loop at rest: D theta'' = Q sin theta - rho g s cos theta from its lowest point, s = 0, with theta(0) = 0 and, at the grip,
/// s = L/2, x = 0 and theta as it is held; the pull across, Q, and the curvature at the lowest point are what is sought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HangingLoop {
    /// How its ends are held.
    pub held: Held,
    /// G = rho g L³ / D \[-\], L the length of the whole strip.
    pub heaviness: f64,
    /// l/L, from the grip down to the lowest point \[-\].
    pub depth: f64,
    /// kappa L at the lowest point \[-\].
    pub curvature: f64,
    /// Q L² / D, the push across at the lowest point \[-\].
    pub push: f64,
}

/// theta, theta', x, z.
type State = [f64; 4];

impl HangingLoop {
    /// The loop of a strip of heaviness G, to about 1e-9, led from the ring without weight to how it is held and then to its
    /// weight.
    ///
    /// # Panics
    /// Unless G is in \[0, 1000\].
    pub fn new(held: Held, heaviness: f64) -> HangingLoop {
        HangingLoop::in_steps(held, heaviness, steps(heaviness))
    }

    fn in_steps(held: Held, heaviness: f64, steps: usize) -> HangingLoop {
        assert!((0.0..=1000.0).contains(&heaviness), "G = {heaviness}");
        let turn = held.end_angle() - PI;
        let weightless = followed([2.0 * PI, 0.0], 16, |share, guess| closed(PI + turn * share, 0.0, guess, steps));
        let increments = libm::ceil(heaviness / 10.0) as usize;
        let end_angle = held.end_angle();
        let unknowns = followed(weightless, increments, |share, guess| closed(end_angle, heaviness * share, guess, steps));
        let [curvature, push] = unknowns;
        let [_, _, _, depth] = walked(heaviness, unknowns, 0.5, steps);
        HangingLoop { held, heaviness, depth, curvature, push }
    }

    /// \[x, z\] of its right half from the lowest point up, at s = 0, L/2n ... L/2; the left one is its mirror image.
    pub fn shape(&self, intervals: usize) -> Vec<[f64; 2]> {
        let along = |k: usize| 0.5 * k as f64 / intervals as f64;
        let at = |k: usize| walked(self.heaviness, [self.curvature, self.push], along(k), steps(self.heaviness));
        (0..=intervals).map(at).map(|[_, _, x, z]| [x, z]).collect()
    }
}

/// c/L, the bending length over the strip's that Peirce 1930 and ASTM D1388 take from the depth l/L of a heart:
/// c = l_0 (cos a / tan a)^(1/3), a = 32.85° (l - l_0) / l_0, l_0 = 0.1337 L. It is G^(-1/3), within 4 % for G from 10 to 1000.
pub fn heart_bending_length(depth: f64) -> f64 {
    let weightless = Held::Heart.published_depth();
    let angle = (32.85 * (depth - weightless) / weightless).to_radians();
    weightless * libm::cbrt(libm::cos(angle) / libm::tan(angle))
}

/// Steps of order 12 over half a strip.
fn steps(heaviness: f64) -> usize {
    16 + libm::ceil(libm::sqrt(heaviness)) as usize
}

/// theta, theta', x, z at s from the lowest point: theta'' = q sin theta - G s cos theta.
fn walked(heaviness: f64, [curvature, push]: [f64; 2], s: f64, steps: usize) -> State {
    advance([0.0, s], steps, [0.0, curvature, 0.0, 0.0], |s, &[theta, curvature, ..]| {
        let (sin, cos) = libm::sincos(theta);
        [curvature, push * sin - heaviness * s * cos, cos, sin]
    })
}

/// The last of `count` solutions at shares 1/count ... 1, each from where the line through the two before it leads.
fn followed(start: [f64; 2], count: usize, solve: impl Fn(f64, [f64; 2]) -> [f64; 2]) -> [f64; 2] {
    let (mut before, mut at) = (start, start);
    for step in 1..=count {
        let guess = [2.0 * at[0] - before[0], 2.0 * at[1] - before[1]];
        (before, at) = (at, solve(step as f64 / count as f64, guess));
    }
    at
}

/// \[kappa_0, q\] at which theta(1/2) is the end angle and x(1/2) = 0, by Newton's method from nearby ones.
fn closed(end_angle: f64, heaviness: f64, mut unknowns: [f64; 2], steps: usize) -> [f64; 2] {
    let miss = |unknowns: [f64; 2]| {
        let [theta, _, x, _] = walked(heaviness, unknowns, 0.5, steps);
        [theta - end_angle, x]
    };
    let d = 1e-5;
    let slopes = |after: [f64; 2], before: [f64; 2]| [0, 1].map(|k| (after[k] - before[k]) / (2.0 * d));
    for _ in 0..20 {
        let [kappa, q] = unknowns;
        let [a, b] = miss(unknowns);
        let by_kappa = slopes(miss([kappa + d, q]), miss([kappa - d, q]));
        let by_q = slopes(miss([kappa, q + d]), miss([kappa, q - d]));
        let determinant = by_kappa[0] * by_q[1] - by_q[0] * by_kappa[1];
        unknowns[0] -= (by_q[1] * a - by_q[0] * b) / determinant;
        unknowns[1] -= (by_kappa[0] * b - by_kappa[1] * a) / determinant;
        if a.abs() + b.abs() < 1e-10 {
            return unknowns;
        }
    }
    panic!("no loop at G = {heaviness}, angle {end_angle}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::integral::integral;
    use crate::numerics::root::root;

    const HELD: [Held; 3] = [Held::Ring, Held::Pear, Held::Heart];

    #[test]
    fn depths_without_weight_are_those_of_peirce() {
        let depth = |held| HangingLoop::new(held, 0.0).depth;
        assert!((depth(Held::Ring) - 1.0 / PI).abs() < 1e-12);
        assert!((depth(Held::Pear) - Held::Pear.published_depth()).abs() < 5e-5, "{}", depth(Held::Pear));
        // Peirce's heart is 0.12 % short: what is printed as 0.1337 is 0.13386
        assert!((depth(Held::Heart) - 0.13386).abs() < 5e-6, "{}", depth(Held::Heart));
        assert!((depth(Held::Heart) / Held::Heart.published_depth() - 1.0).abs() < 1.3e-3);
    }

    #[test]
    fn the_heart_without_weight_by_quadrature() {
        // theta' = sqrt(2 C (1 - m cos theta)): x = 0 gives m, length and depth are integrals and a difference of theta'
        let end = 1.5 * PI;
        let over_arc = |m: f64, f: fn(f64) -> f64| {
            end * integral(|u, _| {
                let cos = libm::cos(end * u);
                f(cos) / libm::sqrt(1.0 - m * cos)
            })
        };
        let m = root(0.0, 0.99, |m| over_arc(m, |cos| cos));
        let depth = (2.0 / m) * (1.0 - libm::sqrt(1.0 - m)) / (2.0 * over_arc(m, |_| 1.0));
        assert!((HangingLoop::new(Held::Heart, 0.0).depth - depth).abs() < 1e-10, "{depth}");
    }

    #[test]
    fn halved_steps_change_nothing_and_ends_meet() {
        for held in HELD {
            for g in [0.0, 7.0, 100.0, 1000.0] {
                let [found, finer] = [1, 2].map(|refinement| HangingLoop::in_steps(held, g, refinement * steps(g)));
                assert!((found.depth - finer.depth).abs() < 1e-9, "{found:?} {finer:?}");
                let shape = found.shape(40);
                assert!(shape[40][0].abs() < 1e-9 && shape[40][1] == found.depth, "{:?}", shape[40]);
                assert!(shape[1..40].iter().all(|[x, _]| *x > 0.0), "sides of {found:?} cross");
            }
        }
    }

    #[test]
    fn shapes_obey_their_equation() {
        for held in HELD {
            let hanging = HangingLoop::new(held, 100.0);
            let h = 0.5 / 400.0;
            let angles: Vec<f64> =
                hanging.shape(400).windows(2).map(|pair| libm::atan2(pair[1][1] - pair[0][1], pair[1][0] - pair[0][0])).collect();
            for k in (20..380).filter(|k| angles[k - 1] * angles[k + 1] > 0.0) {
                let s = (k as f64 + 0.5) * h;
                let second = (angles[k - 1] - 2.0 * angles[k] + angles[k + 1]) / (h * h);
                let (sin, cos) = libm::sincos(angles[k]);
                assert!((second - hanging.push * sin + 100.0 * s * cos).abs() < 0.02, "{second} at {s} of {held:?}");
            }
        }
    }

    #[test]
    fn the_formula_for_hearts_is_near() {
        for g in [10.0, 30.0, 100.0, 300.0, 1000.0] {
            let ratio = heart_bending_length(HangingLoop::new(Held::Heart, g).depth) * libm::cbrt(g);
            assert!((ratio - 1.0).abs() < 0.045, "{ratio} at G = {g}");
        }
    }
}
