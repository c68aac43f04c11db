use linsolve::BlockRows;

use crate::implicit::{Splitting, add_coupling};
use crate::{Elastic, Linearisation, Mat3, State, System, Vec3};

/// How an end of a chain is held.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum End {
    /// Does not move.
    Fixed,
    /// Moves freely, with half a mass.
    Free,
}

/// Particles on a line, joined by linear springs that act in both directions: the one-dimensional model of
/// \[Boxerman 2003, fig. 3.3\]. Particles move along x only.
#[derive(Clone, Debug)]
pub struct Chain {
    spacing: f64,
    ks: f64,
    kd: f64,
    masses: Vec<f64>,
    pinned: Vec<bool>,
}

impl Chain {
    /// `count` >= 2 particles of `mass` m \[kg\], `spacing` h \[m\] apart, with springs of `ks` \[N/m\] and `kd` \[N s/m\].
    ///
    /// # Panics
    /// With fewer than two particles.
    pub fn new(count: usize, spacing: f64, mass: f64, ks: f64, kd: f64, ends: [End; 2]) -> Chain {
        assert!(count >= 2, "a chain has two ends");
        let mut masses = vec![mass; count];
        masses[0] *= 0.5;
        masses[count - 1] *= 0.5;
        let mut pinned = vec![false; count];
        pinned[0] = ends[0] == End::Fixed;
        pinned[count - 1] = ends[1] == End::Fixed;
        Chain { spacing, ks, kd, masses, pinned }
    }

    /// A bar of `length` \[m\], linear density `rho` \[kg/m\], axial stiffness `ea` \[N\] and damping `beta` \[N s\], cut
    /// into `count` particles: ks = EA / h and kd = beta / h \[Boxerman 2003, eq. 3.5\].
    ///
    /// # Panics
    /// With fewer than two particles.
    pub fn bar(count: usize, length: f64, rho: f64, ea: f64, beta: f64, ends: [End; 2]) -> Chain {
        let h = length / (count - 1) as f64;
        Chain::new(count, h, rho * h, ea / h, beta / h, ends)
    }

    /// Distance of the particles at rest \[m\].
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// ks (x_{j+1} - x_j - h) + kd (v_{j+1} - v_j) \[N\] \[Boxerman 2003, eq. 3.2\].
    fn pull(&self, j: usize, x: &[Vec3], v: &[Vec3]) -> f64 {
        self.ks * (x[j + 1].x - x[j].x - self.spacing) + self.kd * (v[j + 1].x - v[j].x)
    }

    /// The chain at rest, with the displacements `u` \[m\] along x, shape \[particle_count\].
    pub fn displaced(&self, u: impl Fn(usize) -> f64) -> State {
        State::at_rest((0..self.masses.len()).map(|j| Vec3::new(j as f64 * self.spacing + u(j), 0.0, 0.0)).collect())
    }

    /// Displacement \[m\] of particle `j`.
    pub fn displacement(&self, x: &[Vec3], j: usize) -> f64 {
        x[j].x - j as f64 * self.spacing
    }

    /// Kinetic and elastic energy \[J\].
    pub fn energy(&self, state: &State) -> f64 {
        let kinetic: f64 = state.v.iter().zip(&self.masses).map(|(v, m)| 0.5 * m * v.norm_squared()).sum();
        let extension = |pair: &[Vec3]| pair[1].x - pair[0].x - self.spacing;
        kinetic + state.x.windows(2).map(|pair| 0.5 * self.ks * extension(pair) * extension(pair)).sum::<f64>()
    }
}

impl System for Chain {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        let last = self.masses.len() - 1;
        a.fill(Vec3::zeros());
        for j in 0..last {
            let pull = self.pull(j, x, v);
            a[j].x += pull;
            a[j + 1].x -= pull;
        }
        for (a, m) in a.iter_mut().zip(&self.masses) {
            a.x /= m;
        }
        for end in [0, last] {
            if self.pinned[end] {
                a[end] = Vec3::zeros();
            }
        }
    }

    fn masses(&self) -> &[f64] {
        &self.masses
    }

    fn pinned(&self) -> &[bool] {
        &self.pinned
    }

    fn coupling_count(&self) -> usize {
        self.masses.len() - 1
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        (1..self.masses.len()).map(|j| (j - 1, j)).collect()
    }

    fn choose_implicit(&self, splitting: &Splitting, dt: f64, _state: &State, implicit: &mut [bool]) {
        let elastic = Elastic { stiffness: self.ks, damping: self.kd };
        for (j, implicit) in implicit.iter_mut().enumerate() {
            *implicit = splitting.is_implicit(dt, self.masses[j].min(self.masses[j + 1]), elastic);
        }
    }

    fn joined_by(&self, coupling: usize, _x: &[Vec3]) -> Option<(usize, usize)> {
        Some((coupling, coupling + 1))
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        for (j, implicit) in implicit.iter().enumerate() {
            if !implicit {
                let pull = self.pull(j, x, v);
                f[j].x += pull;
                f[j + 1].x -= pull;
            }
        }
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        let axial = Mat3::from_diagonal(&Vec3::x());
        for (j, implicit) in implicit.iter().enumerate() {
            if *implicit {
                let pull = at.h * (self.pull(j, at.x, at.v) + self.ks * (at.w[j + 1].x - at.w[j].x));
                b[j].x += pull;
                b[j + 1].x -= pull;
                add_coupling(a, j, (j, j + 1), &((at.h * self.kd + at.h * at.g * self.ks) * axial));
            }
        }
    }

    fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        (1..self.masses.len()).for_each(|j| add(j - 1, j, self.ks + self.kd / h));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_the_stiffness_and_mass_of_its_continuum() {
        let bar = Chain::bar(11, 2.0, 3.0, 50.0, 0.7, [End::Fixed, End::Free]);
        assert!((bar.masses().iter().sum::<f64>() - 6.0).abs() < 1e-12);
        assert!((bar.ks * bar.spacing() - 50.0).abs() < 1e-12); // EA = ks h  [Boxerman 2003, eq. 3.5a]
        assert!((bar.kd * bar.spacing() - 0.7).abs() < 1e-12); // beta = kd h  [Boxerman 2003, eq. 3.5b]
    }

    #[test]
    fn acceleration_by_hand() {
        let chain = Chain::new(3, 1.0, 2.0, 10.0, 3.0, [End::Fixed, End::Free]);
        let mut state = chain.displaced(|j| [0.0, 0.1, -0.2][j]);
        state.v[1].x = 1.0;
        let mut a = vec![Vec3::zeros(); 3];
        chain.accelerate(&state.x, &state.v, &mut a);
        // springs pull with 10 * 0.1 + 3 * 1 = 4 N and 10 * -0.3 - 3 * 1 = -6 N
        assert_eq!(a[0], Vec3::zeros());
        assert!((a[1].x - -10.0 / 2.0).abs() < 1e-12);
        assert!((a[2].x - 6.0).abs() < 1e-12);
    }

    #[test]
    fn net_force_is_zero_where_no_end_is_held() {
        let chain = Chain::new(5, 0.5, 1.5, 20.0, 2.0, [End::Free, End::Free]);
        let mut state = chain.displaced(|j| 0.1 * (j * j) as f64);
        state.v.iter_mut().enumerate().for_each(|(j, v)| v.x = 1.0 / (j + 1) as f64);
        let mut a = vec![Vec3::zeros(); 5];
        chain.accelerate(&state.x, &state.v, &mut a);
        let net: f64 = a.iter().zip(chain.masses()).map(|(a, m)| m * a.x).sum();
        assert!(a[2].x.abs() > 1.0 && net.abs() < 1e-12);
    }
}
