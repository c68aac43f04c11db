use std::f64::consts::FRAC_PI_2;

use crate::numerics::extrapolation::advance;
use crate::numerics::root::root;

/// G = rho g L³ / D \[-\], of density rho \[kg/m²\], gravity g \[m/s²\], length L \[m\] and rigidity D \[N m\].
pub fn heaviness(density: f64, gravity: f64, length: f64, rigidity: f64) -> f64 {
    density * gravity * length * length * length / rigidity
}

/// lambda = F L² / D \[-\], of the load F at the tip per width of the strip \[N/m\], length L \[m\] and rigidity D \[N m\].
pub fn end_load(force: f64, length: f64, rigidity: f64) -> f64 {
    force * length * length / rigidity
}

/// A strip that is clamped level at one end and hangs by its own weight, by a load at its tip, or by both.
///
/// D theta'' = rho g (L - s) cos theta + F cos theta, theta(0) = 0, theta'(L) = 0, upward angles. Under its weight alone it is
/// the master curve of cantilevers \[Romero, Ly, Rasheed, Charrondière, Lazarus, Neukirch & Bertails-Descoubes 2021\].
#[derive(Clone, Debug, PartialEq)]
pub struct Cantilever {
    /// G \[-\], [`heaviness`].
    pub heaviness: f64,
    /// lambda \[-\], [`end_load`].
    pub load: f64,
    /// H/L, how far the tip is below the clamp \[-\].
    pub drop: f64,
    /// W/L, how far the tip is out from the clamp \[-\].
    pub reach: f64,
    /// Bending energy, 1/2 integral of theta'², in D/L per width \[-\].
    pub energy: f64,
    /// phi at the tip, the angle to the vertical \[rad\].
    tip: f64,
}

/// A place on a bent strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// s/L, from the clamp \[-\].
    pub s: f64,
    /// x/L, out from the clamp \[-\].
    pub x: f64,
    /// z/L, upward: at or below zero \[-\].
    pub z: f64,
    /// theta, from level upward: at or below zero \[rad\].
    pub angle: f64,
}

/// Unknowns along a strip, from its tip: phi, phi', x, z, energy.
type State = [f64; 5];

impl Cantilever {
    /// The strip at rest, drop and reach to about 1e-13, for G + lambda up to 1e5.
    ///
    /// From the tip, with sigma = (L - s)/L and phi = pi/2 + theta, the angle to the vertical, the equation is phi'' = (lambda +
    /// G sigma) sin phi, phi(0) = phi_tip, phi'(0) = 0, and shoots at phi(1) = pi/2. In this direction the solution that is
    /// wanted grows, by exp(2/3 sqrt G), so that ln phi_tip is found to rounding where shooting from the clamp loses all digits.
    /// phi(1) grows with phi_tip until it passes pi/2, so that there is one such tip.
    ///
    /// # Panics
    /// Unless G and lambda are finite and at least zero, one of them above it.
    pub fn new(heaviness: f64, load: f64) -> Cantilever {
        Cantilever::in_steps(heaviness, load, 1)
    }

    /// [`Cantilever::new`] with `refinement` times as many steps.
    fn in_steps(heaviness: f64, load: f64, refinement: usize) -> Cantilever {
        let whole = heaviness + load;
        assert!(heaviness >= 0.0 && load >= 0.0 && whole > 0.0 && whole.is_finite(), "G = {heaviness}, lambda = {load}");
        let steps = refinement * steps(whole);
        let short = |logarithm: f64| {
            let mut y = start(libm::exp(logarithm));
            for step in 0..steps {
                let [from, to] = [step, step + 1].map(|step| step as f64 / steps as f64);
                y = advance([from, to], 1, y, |sigma, y| slope(heaviness, load, sigma, y));
                if y[0] > FRAC_PI_2 {
                    break; // level before the clamp: the tip is too far out
                }
            }
            y[0] - FRAC_PI_2
        };
        let lowest = -libm::sqrt(whole) - 1.0; // phi grows by less than cosh sqrt(G + lambda)
        let tip = libm::exp(root(lowest, libm::log(FRAC_PI_2), short));
        let [_, _, reach, drop, energy] = advance([0.0, 1.0], steps, start(tip), |sigma, y| slope(heaviness, load, sigma, y));
        Cantilever { heaviness, load, drop, reach, energy, tip }
    }

    /// H/W \[-\].
    pub fn drop_over_reach(&self) -> f64 {
        self.drop / self.reach
    }

    /// theta at the tip, at or below zero \[rad\].
    pub fn tip_angle(&self) -> f64 {
        self.tip - FRAC_PI_2
    }

    /// Its places at s = 0, L/n, 2 L/n ... L: n + 1 of them for `intervals` n > 0.
    pub fn shape(&self, intervals: usize) -> Vec<Place> {
        let &Cantilever { heaviness, load, reach, drop, tip, .. } = self;
        let steps = steps(heaviness + load).div_ceil(intervals);
        let mut y = start(tip);
        let mut places = vec![];
        for k in 0..=intervals {
            let sigma = k as f64 / intervals as f64;
            places.push(Place { s: 1.0 - sigma, x: reach - y[2], z: y[3] - drop, angle: y[0] - FRAC_PI_2 });
            let next = (k + 1) as f64 / intervals as f64;
            y = advance([sigma, next], steps, y, |sigma, y| slope(heaviness, load, sigma, y));
        }
        places.reverse();
        places
    }
}

/// Steps of order 12 for a solution whose scale is 1/sqrt(G + lambda).
fn steps(whole: f64) -> usize {
    16 + libm::ceil(2.0 * libm::sqrt(whole)) as usize
}

/// At the tip.
fn start(tip: f64) -> State {
    [tip, 0.0, 0.0, 0.0, 0.0]
}

/// phi'' = (lambda + G sigma) sin phi; x' = sin phi; z' = cos phi; energy' = phi'²/2.
fn slope(heaviness: f64, load: f64, sigma: f64, &[phi, curvature, ..]: &State) -> State {
    let (sin, cos) = libm::sincos(phi);
    [curvature, (load + heaviness * sigma) * sin, sin, cos, 0.5 * curvature * curvature]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H/W of the master curve by G, to the digits that are printed.
    const MASTER_CURVE: [(f64, f64, f64); 9] = [
        (0.1, 0.012500, 5e-7),
        (1.0, 0.124562, 5e-7),
        (2.0, 0.246673, 5e-7),
        (5.0, 0.585721, 5e-7),
        (10.0, 1.066802, 5e-7),
        (20.0, 1.863930, 5e-7),
        (50.0, 3.705561, 5e-7),
        (100.0, 5.888105, 5e-7),
        (1000.0, 21.33544, 5e-6),
    ];

    #[test]
    fn the_master_curve_of_cantilevers() {
        for (g, expected, digits) in MASTER_CURVE {
            let strip = Cantilever::new(g, 0.0);
            let found = strip.drop_over_reach();
            assert!((found - expected).abs() <= digits, "H/W = {found} at G = {g}");
            let finer = Cantilever::in_steps(g, 0.0, 2);
            assert!((found - finer.drop_over_reach()).abs() < 1e-12 * found, "{found} {finer:?}");
            assert!((strip.tip / finer.tip - 1.0).abs() < 1e-12, "{strip:?} {finer:?}");
        }
    }

    #[test]
    fn a_light_strip_drops_by_an_eighth_of_its_heaviness() {
        for g in [1e-3, 1e-2, 1e-1] {
            let next = 0.2 * g * g; // the next term is of order G²
            let found = Cantilever::new(g, 0.0);
            assert!((found.drop_over_reach() / (g / 8.0) - 1.0).abs() < next, "{found:?}");
            let loaded = Cantilever::new(0.0, g);
            assert!((loaded.drop / (g / 3.0) - 1.0).abs() < next, "{loaded:?}"); // F L³ / 3 D
        }
    }

    #[test]
    fn energy_is_what_virtual_work_says() {
        // d(energy)/dG + G d(potential)/dG = 0 along rests: U'(G) = G d/dG (integral of the drop over s)
        let mean_drop = |strip: &Cantilever| {
            let places = strip.shape(4000);
            let inner: f64 = places[1..4000].iter().map(|place| -place.z).sum();
            (inner + 0.5 * strip.drop) / 4000.0
        };
        let (low, middle, high) = (Cantilever::new(19.9, 0.0), Cantilever::new(20.0, 0.0), Cantilever::new(20.1, 0.0));
        let work = 20.0 * (mean_drop(&high) - mean_drop(&low));
        assert!(((high.energy - low.energy) / work - 1.0).abs() < 1e-4, "{work} {middle:?}");
    }

    #[test]
    fn a_shape_obeys_its_equation_and_ends_at_the_tip() {
        let strip = Cantilever::new(20.0, 3.0);
        let places = strip.shape(200);
        let (first, last) = (places[0], places[200]);
        assert!(first.x.abs() < 1e-12 && first.z.abs() < 1e-12 && first.angle.abs() < 1e-12, "{first:?}");
        assert_eq!((last.x, last.z, last.s), (strip.reach, -strip.drop, 1.0));
        let h = 1.0 / 200.0;
        for window in places.windows(3) {
            let [before, at, after] = [window[0], window[1], window[2]];
            let second = (before.angle - 2.0 * at.angle + after.angle) / (h * h);
            let expected = (3.0 + 20.0 * (1.0 - at.s)) * libm::cos(at.angle);
            assert!((second - expected).abs() < 0.05, "{second} {expected} at {at:?}"); // h²/12 theta''''
            let length = libm::hypot(after.x - before.x, after.z - before.z);
            assert!((length / (2.0 * h) - 1.0).abs() < 1e-3, "{length}");
        }
    }

    #[test]
    fn a_heavy_strip_hangs() {
        let strip = Cantilever::new(1e5, 0.0);
        assert!(strip.drop > 0.98 && strip.tip_angle() + FRAC_PI_2 < 1e-80, "{strip:?}");
        // near the clamp alone: sqrt G wide, with drop = L - sqrt(D / rho g L) (2 - sqrt 2) to first order
        let boundary = 1.0 - (2.0 - libm::sqrt(2.0)) / libm::sqrt(1e5);
        assert!((strip.drop - boundary).abs() < 2e-5, "{} {boundary}", strip.drop);
    }
}
