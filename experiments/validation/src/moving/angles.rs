//! Angles as coordinates: the x of a particle of mass one is an angle, so that every integrator can turn a pendulum and the links
//! of a beam.

use analytic::beam::{self, LINKS};
use linsolve::BlockRows;

use cloth::{Linearisation, Mat3};
use kit::prelude::*;

/// A pendulum by its angle: theta'' = -omega² sin theta.
#[derive(Clone, Copy, Debug)]
pub struct Swing {
    /// omega² = g/L \[1/s²\].
    pub square: f64,
}

/// Whether a splitting has all couplings explicit that are not told apart by family.
fn is_implicit(splitting: &Splitting) -> bool {
    !matches!(splitting, Splitting::Families { stretch: false, .. })
}

impl System for Swing {
    fn accelerate(&self, x: &[Vec3], _v: &[Vec3], a: &mut [Vec3]) {
        a[0] = -self.square * libm::sin(x[0].x) * Vec3::x();
    }

    fn masses(&self) -> &[f64] {
        &[1.0]
    }

    fn pinned(&self) -> &[bool] {
        &[false]
    }

    /// The weight.
    fn coupling_count(&self) -> usize {
        1
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        vec![]
    }

    fn choose_implicit(&self, splitting: &Splitting, _dt: f64, _state: &State, implicit: &mut [bool]) {
        implicit[0] = is_implicit(splitting);
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], _v: &[Vec3], f: &mut [Vec3]) {
        if !implicit[0] {
            f[0].x -= self.square * libm::sin(x[0].x);
        }
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        if implicit[0] {
            let (sin, cos) = libm::sincos(at.x[0].x);
            b[0].x -= at.h * self.square * (sin + cos * at.w[0].x); // h (f + K w), K = -omega² cos theta
            a.add_diagonal(0, &Mat3::from_diagonal(&(at.h * at.g * self.square * cos * Vec3::x())));
        }
    }

    fn add_curvatures(&self, _h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        add(0, 0, self.square);
    }
}

/// The beam of [`analytic::beam`], with time as the x of one more particle, which is held and moves at speed one.
///
/// Its coordinates phi stand for the angles theta = R phi of its links with R Rᵀ = C at rest: they are places of its joints across
/// the beam, and masses are one in them. No scheme of this project changes by a constant change of coordinates, and derivatives
/// become symmetric, as linear systems of cloth are: about rest phi'' = n⁴ Rᵀ T R phi, T the second differences. That stiffness
/// stands for the derivatives of a bent beam too, which changes no solution, only how Newton's method gets there.
#[derive(Clone, Debug)]
pub struct Beam {
    masses: Vec<f64>,
    pinned: Vec<bool>,
    /// l, k and -K_lk of links that are at most two apart, in order.
    stiffness: Vec<(usize, usize, f64)>,
}

const N: f64 = LINKS as f64;
const LAST: usize = LINKS - 1;

impl Beam {
    pub fn new() -> Beam {
        let neighbours = (0..LINKS).flat_map(|l| (l..LINKS.min(l + 3)).map(move |k| (l, k, stiffness(l, k))));
        let pinned = (0..=LINKS).map(|i| i == LINKS).collect();
        Beam { masses: vec![1.0; LINKS + 1], pinned, stiffness: neighbours.collect() }
    }

    /// At rest and straight, at time 0.
    pub fn start(&self) -> State {
        let mut state = State::at_rest(vec![Vec3::zeros(); LINKS + 1]);
        state.v[LINKS] = Vec3::x();
        state
    }

    /// theta = R phi, or their velocities: theta_1 = phi_1, theta_l = phi_l - phi_l-1, theta_n = sqrt(2) phi_n - phi_n-1.
    pub fn angles(phi: &[Vec3]) -> [f64; LINKS] {
        std::array::from_fn(|l| diagonal(l) * phi[l].x - if l > 0 { phi[l - 1].x } else { 0.0 })
    }

    /// phi''.
    fn accelerations(x: &[Vec3], v: &[Vec3]) -> [f64; LINKS] {
        let state = beam::State { angles: Beam::angles(x), velocities: Beam::angles(v) };
        let mut found = beam::acceleration(beam::end_force(x[LINKS].x), &state);
        for l in 0..LINKS {
            let before = if l > 0 { found[l - 1] } else { 0.0 };
            found[l] = (found[l] + before) / diagonal(l); // R⁻¹ theta''
        }
        found
    }
}

/// R_ll; R_l+1,l is -1.
fn diagonal(l: usize) -> f64 {
    if l == LAST { std::f64::consts::SQRT_2 } else { 1.0 }
}

/// -T_lk of neighbours: theta_0 = -theta_1 and theta_n+1 = theta_n at the ends.
fn second_difference(l: usize, k: usize) -> f64 {
    match l.abs_diff(k) {
        0 if l == 0 => 3.0,
        0 if l == LAST => 1.0,
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    }
}

/// -K_lk = -n⁴ (Rᵀ T R)_lk.
fn stiffness(l: usize, k: usize) -> f64 {
    let column = |l: usize| [(l, diagonal(l)), (l + 1, -1.0)].into_iter().filter(|(row, _)| *row < LINKS);
    let terms = column(l).flat_map(|(i, left)| column(k).map(move |(j, right)| left * second_difference(i, j) * right));
    N * N * N * N * terms.fold(0.0, |sum, term| sum + term)
}

impl System for Beam {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        let found = Beam::accelerations(x, v);
        (0..LINKS).for_each(|l| a[l] = Vec3::new(found[l], 0.0, 0.0));
        a[LINKS] = Vec3::zeros();
    }

    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    /// The links, all together.
    fn coupling_count(&self) -> usize {
        1
    }

    /// Links that are one or two apart.
    fn pairs(&self) -> Vec<(usize, usize)> {
        self.stiffness.iter().filter(|(l, k, _)| l != k).map(|(l, k, _)| (*l, *k)).collect()
    }

    fn choose_implicit(&self, splitting: &Splitting, _dt: f64, _state: &State, implicit: &mut [bool]) {
        implicit[0] = is_implicit(splitting);
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        if !implicit[0] {
            let found = Beam::accelerations(x, v);
            (0..LINKS).for_each(|l| f[l].x += found[l]);
        }
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        if !implicit[0] {
            return;
        }
        let found = Beam::accelerations(at.x, at.v);
        (0..LINKS).for_each(|l| b[l].x += at.h * found[l]);
        let mut pair = 0;
        for &(l, k, stiffness) in &self.stiffness {
            let block = Mat3::from_diagonal(&(at.h * at.g * stiffness * Vec3::x()));
            b[l].x -= at.h * stiffness * at.w[k].x; // h K w
            if l == k {
                a.add_diagonal(l, &block);
            } else {
                b[k].x -= at.h * stiffness * at.w[l].x;
                a.add_pair(pair, &block);
                pair += 1;
            }
        }
    }

    /// -K is a sum over pairs, of weights -(-K_lk), and of ties that make up for what rows sum to.
    fn add_curvatures(&self, _h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        let mut ties = [0.0; LINKS];
        for &(l, k, stiffness) in &self.stiffness {
            ties[l] += stiffness;
            if l != k {
                ties[k] += stiffness;
                add(l, k, -stiffness);
            }
        }
        ties.into_iter().enumerate().for_each(|(l, tie)| add(l, l, tie));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linsolve::BlockPattern;

    #[test]
    fn the_stiffness_of_the_beam_is_its_derivative_at_rest() {
        let (beam, d) = (Beam::new(), 1e-7);
        let start = beam.start();
        for k in 0..LINKS {
            let moved = |sign: f64| {
                let mut x = start.x.clone();
                x[k].x += sign * d;
                Beam::accelerations(&x, &vec![Vec3::zeros(); LINKS + 1])
            };
            let (after, before) = (moved(1.0), moved(-1.0));
            for l in 0..LINKS {
                let found = (before[l] - after[l]) / (2.0 * d);
                assert!((found - stiffness(l, k)).abs() < 1e-6 * N * N * N * N, "{l}, {k}: {found} {}", stiffness(l, k));
                assert_eq!(stiffness(l, k), stiffness(k, l));
            }
        }
        assert_eq!([7, 8, 9, 10].map(|k| stiffness(7, k) / (N * N * N * N)), [6.0, -4.0, 1.0, 0.0]); // fourth differences
    }

    #[test]
    fn angles_turn_as_the_beam_says() {
        let phi: Vec<Vec3> = (0..=LINKS).map(|l| 0.3 * libm::sin(0.2 * l as f64) * Vec3::x()).collect();
        let rates: Vec<Vec3> = (0..=LINKS).map(|l| 2.0 * libm::cos(0.1 * l as f64) * Vec3::x()).collect();
        let state = beam::State { angles: Beam::angles(&phi), velocities: Beam::angles(&rates) };
        let expected = beam::acceleration(beam::end_force(phi[LINKS].x), &state);
        let mut a = vec![Vec3::zeros(); LINKS + 1];
        Beam::new().accelerate(&phi, &rates, &mut a);
        let found = Beam::angles(&a);
        let scale = expected.iter().fold(0.0, |most: f64, a| most.max(a.abs()));
        assert!((0..LINKS).all(|l| (found[l] - expected[l]).abs() < 1e-12 * scale) && scale > 1.0, "{found:?} {expected:?}");
    }

    #[test]
    fn derivatives_of_the_swing_are_those_by_differences() {
        let swing = Swing { square: 7.0 };
        let (mut a, mut b) = (BlockRows::new(BlockPattern::new(1, &[])), [Vec3::zeros()]);
        let (x, w) = ([0.8 * Vec3::x()], [1e-6 * Vec3::x()]);
        let at = Linearisation { x: &x, v: &[Vec3::zeros()], w: &w, h: 0.5, g: 0.25, terms: Terms::Exact };
        swing.add_linearised(&at, &[true], &mut a, &mut b);
        let mut there = [Vec3::zeros()];
        swing.accelerate(&[x[0] + w[0]], &[Vec3::zeros()], &mut there);
        assert!((b[0] - 0.5 * there[0]).norm() < 1e-11 && (a.diagonal(0).m11 - 0.125 * 7.0 * libm::cos(0.8)).abs() < 1e-15);
    }
}
