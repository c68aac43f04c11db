//! Angles as coordinates: the x of a particle of mass one is an angle, so that every integrator can turn a pendulum and the links
//! of a beam.

use analytic::beam::{self, LINKS};
use linsolve::BlockRows;

use crate::prelude::*;
use cloth::{Linearisation, Mat3};

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

/// The beam of [`analytic::beam`] by the angles of its links, with time as the x of one more particle, which is held and moves at
/// speed one.
///
/// Masses are one, so that its derivatives are not symmetric, as matrices of cloth are: theta'' = C v + D u with v = n⁴ T theta
/// about rest, T the second differences, and K stands for the symmetric part of n⁴ C T. That changes no solution, only how Newton
/// gets there.
#[derive(Clone, Debug)]
pub struct Beam {
    masses: Vec<f64>,
    pinned: Vec<bool>,
}

const N: f64 = LINKS as f64;

impl Beam {
    pub fn new() -> Beam {
        Beam { masses: vec![1.0; LINKS + 1], pinned: (0..=LINKS).map(|i| i == LINKS).collect() }
    }

    /// At rest and straight, at time 0.
    pub fn start(&self) -> State {
        let mut state = State::at_rest(vec![Vec3::zeros(); LINKS + 1]);
        state.v[LINKS] = Vec3::x();
        state
    }

    fn of(x: &[Vec3], v: &[Vec3]) -> [f64; LINKS] {
        let state = beam::State { angles: std::array::from_fn(|l| x[l].x), velocities: std::array::from_fn(|l| v[l].x) };
        beam::acceleration(beam::end_force(x[LINKS].x), &state)
    }
}

/// C about angles, diagonal and beside it, without its cosines at rest.
fn inner(l: usize) -> f64 {
    [1.0, 2.0, 3.0][usize::from(l > 0) + usize::from(l + 1 == LINKS)]
}

/// The second difference of link l, -T_ll: theta_0 = -theta_1, theta_n+1 = theta_n.
fn outer(l: usize) -> f64 {
    inner(LINKS - 1 - l)
}

impl System for Beam {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        let found = Beam::of(x, v);
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

    /// Links that are one or two apart: l and l + 1, then l and l + 2.
    fn pairs(&self) -> Vec<(usize, usize)> {
        [1, 2].into_iter().flat_map(|apart| (0..LINKS - apart).map(move |l| (l, l + apart))).collect()
    }

    fn choose_implicit(&self, splitting: &Splitting, _dt: f64, _state: &State, implicit: &mut [bool]) {
        implicit[0] = is_implicit(splitting);
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        if !implicit[0] {
            let found = Beam::of(x, v);
            (0..LINKS).for_each(|l| f[l].x += found[l]);
        }
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        if !implicit[0] {
            return;
        }
        let found = Beam::of(at.x, at.v);
        (0..LINKS).for_each(|l| b[l].x += at.h * found[l]);
        let cosine = |l: usize| libm::cos(at.x[l + 1].x - at.x[l].x);
        each_of_stiffness(cosine, |l, k, stiffness| {
            let block = Mat3::from_diagonal(&(at.h * at.g * stiffness * Vec3::x()));
            match k - l {
                0 => a.add_diagonal(l, &block),
                1 => a.add_pair(l, &block),
                _ => a.add_pair(LINKS - 1 + l, &block),
            }
            b[l].x -= at.h * stiffness * at.w[k].x; // h K w
            if k > l {
                b[k].x -= at.h * stiffness * at.w[l].x;
            }
        });
    }

    fn add_curvatures(&self, _h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        let mut ties = [0.0; LINKS];
        each_of_stiffness(
            |_| 1.0,
            |l, k, stiffness| {
                ties[l] += stiffness;
                if k > l {
                    ties[k] += stiffness;
                    add(l, k, -stiffness);
                }
            },
        );
        (0..LINKS).for_each(|l| add(l, l, ties[l]));
    }
}

/// Calls `add` with l, k and -K_lk, l <= k <= l + 2, for K = n⁴/2 (C T + T C), with the cosine of the angle between l and l + 1.
fn each_of_stiffness(cosine: impl Fn(usize) -> f64, mut add: impl FnMut(usize, usize, f64)) {
    let c = |l: usize, k: usize| if l == k { inner(l) } else { -cosine(l.min(k)) };
    let t = |l: usize, k: usize| if l == k { outer(l) } else { -1.0 }; // -T
    for l in 0..LINKS {
        for k in l..LINKS.min(l + 3) {
            let between = k.saturating_sub(1)..LINKS.min(l + 2); // of both l and k
            let sum: f64 = between.fold(0.0, |sum, j| sum + c(l, j) * t(j, k) + t(l, j) * c(j, k));
            add(l, k, 0.5 * N * N * N * N * sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linsolve::BlockPattern;

    #[test]
    fn the_stiffness_of_the_beam_is_the_symmetric_part_of_its_derivative_at_rest() {
        let beam = Beam::new();
        let (mut stiffness, d) = ([[0.0; LINKS]; LINKS], 1e-7);
        each_of_stiffness(|_| 1.0, |l, k, s| (stiffness[l][k], stiffness[k][l]) = (s, s));
        let start = beam.start();
        let column = |k: usize| {
            let moved = |sign: f64| {
                let mut x = start.x.clone();
                x[k].x += sign * d;
                Beam::of(&x, &vec![Vec3::zeros(); LINKS + 1])
            };
            let (after, before) = (moved(1.0), moved(-1.0));
            std::array::from_fn(|l| (after[l] - before[l]) / (2.0 * d))
        };
        let columns: Vec<[f64; LINKS]> = (0..LINKS).map(column).collect();
        for l in 0..LINKS {
            for k in 0..LINKS {
                let symmetric = -0.5 * (columns[k][l] + columns[l][k]);
                assert!((symmetric - stiffness[l][k]).abs() < 1e-4 * N * N * N * N, "{l}, {k}: {symmetric} {}", stiffness[l][k]);
            }
        }
        assert!((stiffness[7][7] / (N * N * N * N) - 6.0).abs() < 1e-12); // 1 - 4 6 - 4 1: fourth differences
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
