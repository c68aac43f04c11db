use std::f64::consts::{FRAC_PI_2, PI};

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

/// A strip that is clamped at one end and hangs, or leans, by its own weight, by a load at its tip, or by both.
///
/// D theta'' = rho g (L - s) cos theta + F cos theta, theta'(L) = 0, with theta(0) the direction of the clamp, upward angles.
/// Level and under its weight alone it is the master curve of cantilevers \[Romero, Ly, Rasheed, Charrondière, Lazarus, Neukirch
/// & Bertails-Descoubes 2021\]; upright it buckles, at [`crate::buckling::standing_strip`] and [`crate::buckling::euler_column`].
#[derive(Clone, Debug, PartialEq)]
pub struct Cantilever {
    /// G \[-\], [`heaviness`].
    pub heaviness: f64,
    /// lambda \[-\], [`end_load`].
    pub load: f64,
    /// theta at the clamp, from level upward \[rad\].
    pub clamp: f64,
    /// H/L, how far the tip is below the clamp, below zero where it is above \[-\].
    pub drop: f64,
    /// W/L, how far the tip is out from the clamp \[-\].
    pub reach: f64,
    /// Bending energy, 1/2 integral of theta'², in D/L per width \[-\].
    pub energy: f64,
    /// phi at the tip, the angle to the direction of gravity \[rad\].
    tip: f64,
}

/// A place on a bent strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// s/L, from the clamp \[-\].
    pub s: f64,
    /// x/L, out from the clamp \[-\].
    pub x: f64,
    /// z/L, upward \[-\].
    pub z: f64,
    /// theta, from level upward \[rad\].
    pub angle: f64,
}

/// Unknowns along a strip, from its tip: phi, phi', x, z, energy.
type State = [f64; 5];

impl Cantilever {
    /// A strip that is clamped level, at rest: drop and reach to about 1e-13, for G + lambda up to 1e5.
    ///
    /// # Panics
    /// As [`Cantilever::inclined`].
    pub fn new(heaviness: f64, load: f64) -> Cantilever {
        Cantilever::inclined(heaviness, load, 0.0)
    }

    /// A strip whose clamp points `clamp` above level \[rad\], at rest on the lowest of its equilibria; upright, with clamp =
    /// pi/2, it is straight up to 1e-8 of where it buckles.
    ///
    /// From the tip, with sigma = (L - s)/L and phi = theta + pi/2, the angle to gravity, phi'' = (lambda + G sigma) sin phi,
    /// phi(0) = phi_tip, phi'(0) = 0, and shoots at phi(1) = clamp + pi/2. In this direction the solution that is wanted grows,
    /// by exp(2/3 sqrt G), so that ln phi_tip is found to rounding where shooting from the clamp loses all digits. The further
    /// out the tip, the sooner phi reaches that of the clamp, so that there is one such tip.
    ///
    /// # Panics
    /// Unless G and lambda are finite and at least zero, one of them above it, and the clamp is in ]-pi/2, pi/2\].
    pub fn inclined(heaviness: f64, load: f64, clamp: f64) -> Cantilever {
        Cantilever::in_steps(heaviness, load, clamp, 1)
    }

    /// [`Cantilever::inclined`] with `refinement` times as many steps.
    fn in_steps(heaviness: f64, load: f64, clamp: f64, refinement: usize) -> Cantilever {
        let whole = heaviness + load;
        assert!(heaviness >= 0.0 && load >= 0.0 && whole > 0.0 && whole.is_finite(), "G = {heaviness}, lambda = {load}");
        let clamped = clamp + FRAC_PI_2;
        assert!(clamped > 0.0 && clamp <= FRAC_PI_2, "clamp {clamp}");
        let steps = refinement * steps(whole);
        let short = |logarithm: f64| {
            let mut y = start(libm::exp(logarithm));
            for step in 0..steps {
                let [from, to] = [step, step + 1].map(|step| step as f64 / steps as f64);
                y = advance([from, to], 1, y, |sigma, y| slope(heaviness, load, sigma, y));
                if y[0] > clamped {
                    break; // before the clamp: the tip is too far out
                }
            }
            y[0] - clamped
        };
        let [near, whole_way] = [clamped * (1.0 - 1e-4), clamped].map(libm::log); // a lean that rounding does not hide
        let reaches = short(near) >= 0.0;
        if clamp == FRAC_PI_2 && !reaches {
            return Cantilever { heaviness, load, clamp, drop: -1.0, reach: 0.0, energy: 0.0, tip: PI };
        }
        let lowest = whole_way - libm::sqrt(whole) - 1.0; // phi grows by less than cosh sqrt(G + lambda)
        let tip = libm::exp(root(lowest, if reaches { near } else { whole_way }, short));
        let [_, _, reach, drop, energy] = advance([0.0, 1.0], steps, start(tip), |sigma, y| slope(heaviness, load, sigma, y));
        Cantilever { heaviness, load, clamp, drop, reach, energy, tip }
    }

    /// H/W \[-\].
    pub fn drop_over_reach(&self) -> f64 {
        self.drop / self.reach
    }

    /// theta at the tip, from level upward \[rad\].
    pub fn tip_angle(&self) -> f64 {
        self.tip - FRAC_PI_2
    }

    /// Its place at s = `share` L, 0 <= share <= 1.
    pub fn place(&self, share: f64) -> Place {
        let y = self.advanced([0.0, 1.0 - share], 1, start(self.tip));
        self.at(share, &y)
    }

    /// Its places at s = 0, L/n, 2 L/n ... L: n + 1 of them for `intervals` n > 0.
    pub fn shape(&self, intervals: usize) -> Vec<Place> {
        let mut y = start(self.tip);
        let mut places = vec![self.at(1.0, &y)];
        for k in 0..intervals {
            let [sigma, next] = [k, k + 1].map(|k| k as f64 / intervals as f64);
            y = self.advanced([sigma, next], intervals, y);
            places.push(self.at(1.0 - next, &y));
        }
        places.reverse();
        places
    }

    /// From sigma to sigma in one of so many `parts` of the strip.
    fn advanced(&self, sigmas: [f64; 2], parts: usize, y: State) -> State {
        let steps = steps(self.heaviness + self.load).div_ceil(parts);
        advance(sigmas, steps, y, |sigma, y| slope(self.heaviness, self.load, sigma, y))
    }

    fn at(&self, s: f64, y: &State) -> Place {
        Place { s, x: self.reach - y[2], z: y[3] - self.drop, angle: y[0] - FRAC_PI_2 }
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
    use crate::buckling::{euler_column, standing_strip};

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
            let finer = Cantilever::in_steps(g, 0.0, 0.0, 2);
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
        for clamp in [-1.2, 0.0, 1.0, 1.5, FRAC_PI_2] {
            let strip = Cantilever::inclined(20.0, 3.0, clamp);
            let places = strip.shape(200);
            let (first, last) = (places[0], places[200]);
            assert!(first.x.abs() < 1e-12 && first.z.abs() < 1e-12 && (first.angle - clamp).abs() < 1e-11, "{first:?}");
            assert_eq!((last.x, last.z, last.s), (strip.reach, -strip.drop, 1.0));
            let inside = strip.place(0.37);
            assert!((inside.x - places[74].x).abs() < 1e-12 && (inside.z - places[74].z).abs() < 1e-12, "{inside:?}");
            let h = 1.0 / 200.0;
            for window in places.windows(3) {
                let [before, at, after] = [window[0], window[1], window[2]];
                let second = (before.angle - 2.0 * at.angle + after.angle) / (h * h);
                let expected = (3.0 + 20.0 * (1.0 - at.s)) * libm::cos(at.angle);
                assert!((second - expected).abs() < 0.05, "{second} {expected} at {at:?}"); // of order h²
                let length = libm::hypot(after.x - before.x, after.z - before.z);
                assert!((length / (2.0 * h) - 1.0).abs() < 1e-3, "{length}");
            }
        }
    }

    #[test]
    fn an_upright_strip_leans_from_where_it_buckles_on() {
        for (weight, load, critical) in [(1.0, 0.0, standing_strip()), (0.0, 1.0, euler_column())] {
            let leaning = |share: f64| Cantilever::inclined(share * weight * critical, share * load * critical, FRAC_PI_2);
            let straight = leaning(1.0 - 1e-8);
            assert_eq!((straight.reach, straight.drop, straight.tip_angle()), (0.0, -1.0, FRAC_PI_2));
            // its reach goes with the root of what is beyond
            let [near, twice] = [1e-4, 4e-4].map(|beyond| leaning(1.0 + beyond).reach);
            assert!(near > 5e-3 && (twice / near - 2.0).abs() < 2e-3, "{near} {twice}");
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
