use linsolve::{BlockRows, Constraint};

use crate::implicit::Splitting;
use crate::triangles::TriangleMesh;
use crate::{Cloth, ModelError, Potential, Terms};

/// A vector in space.
pub type Vec3 = nalgebra::Vector3<f64>;

/// Positions and velocities of all particles.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Positions \[m\], shape \[particle_count\].
    pub x: Vec<Vec3>,
    /// Velocities \[m/s\], shape \[particle_count\].
    pub v: Vec<Vec3>,
}

impl State {
    /// Particles at the given positions, at rest.
    pub fn at_rest(x: Vec<Vec3>) -> State {
        let v = vec![Vec3::zeros(); x.len()];
        State { x, v }
    }

    /// Length of `x` and of `v`.
    pub fn particle_count(&self) -> usize {
        self.x.len()
    }

    /// Overwrites this state with another one, without allocating.
    ///
    /// # Panics
    /// Where the other one has another number of particles.
    pub fn copy_from(&mut self, other: &State) {
        self.x.copy_from_slice(&other.x);
        self.v.copy_from_slice(&other.v);
    }

    /// Whether every coordinate is a finite number, and its square too: energies of others are not finite.
    pub fn is_finite(&self) -> bool {
        [&self.x, &self.v].into_iter().flatten().all(|q| q.norm_squared() < f64::INFINITY)
    }

    /// Refuses a state of another size.
    ///
    /// # Errors
    /// [`ModelError::StateSize`] unless there are `expected` positions and as many velocities.
    pub fn check_size(&self, expected: usize) -> Result<(), ModelError> {
        for got in [self.x.len(), self.v.len()] {
            if got != expected {
                return Err(ModelError::StateSize { expected, got });
            }
        }
        Ok(())
    }
}

/// Where a system is linearised, and how far it is followed from there: f(x + w, v) ≈ f(x, v) + K w.
#[derive(Clone, Copy, Debug)]
pub struct Linearisation<'a> {
    /// Positions \[m\], shape \[particle_count\].
    pub x: &'a [Vec3],
    /// Velocities \[m/s\], shape \[particle_count\].
    pub v: &'a [Vec3],
    /// The way w \[m\], shape \[particle_count\].
    pub w: &'a [Vec3],
    /// h \[s\], the weight of the forces in the stage.
    pub h: f64,
    /// g \[s\], the weight of the velocities in its positions; h in most schemes.
    pub g: f64,
    /// Which parts of the Jacobians are kept.
    pub terms: Terms,
}

/// The median of energies \[J\], if that is one.
pub(crate) fn median_energy(energies: impl Iterator<Item = f64>) -> Option<f64> {
    let mut energies: Vec<f64> = energies.collect();
    let middle = energies.len() / 2;
    (middle < energies.len()).then(|| *energies.select_nth_unstable_by(middle, f64::total_cmp).1).filter(|energy| *energy > 0.0)
}

/// A system of particles, M x'' = f(x, x') \[Boxerman 2003, eq. 4.1\], some of which are coupled.
pub trait System {
    /// Particles, held ones included.
    fn particle_count(&self) -> usize {
        self.masses().len()
    }

    /// Overwrites `a` \[m/s²\] with M⁻¹ f(x, v), zero where a particle is pinned; all shapes \[particle_count\].
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]);

    /// Largest |x| / L of its springs \[-\]; 1 for a system to which that means nothing.
    fn largest_stretch(&self, _x: &[Vec3]) -> f64 {
        1.0
    }

    /// k L² \[J\]: twice the energy of one of its stretch springs at a strain of 1, or of one of its triangles, the median of all. None for
    /// a system to which that means nothing.
    fn strain_energy(&self) -> Option<f64> {
        None
    }

    /// Largest strain \[-\] that springs, or triangles along warp and weft, have at `next` and that those linearised at `x` do not, of which
    /// they take back what their stiffness lets them in a stage of the weights h and g \[s\]; zero where that is at most `enough` \[-\]
    /// beyond doubt, and for a system to which it means nothing.
    fn unforeseen_strain(&self, _hg: f64, _x: &[Vec3], _next: &[Vec3], _enough: f64) -> f64 {
        0.0
    }

    /// Particle masses \[kg\], shape \[particle_count\].
    fn masses(&self) -> &[f64];

    /// Which particles are held, shape \[particle_count\]: they keep their velocities, and move where these are not zero.
    fn pinned(&self) -> &[bool];

    /// Particles that are held to a line or a plane, with what that leaves of their motion: see [`Guides`](crate::Guides).
    fn guides(&self) -> &[(usize, Constraint)] {
        &[]
    }

    /// Linear resistance to the motion of a particle \[N s/m\], >= 0, beside the forces of couplings, which are the same wherever all of
    /// it is; none where others depend on its place.
    fn resistance(&self, _particle: usize) -> Option<f64> {
        None
    }

    /// Number of couplings: springs or parts of triangles, for example.
    fn coupling_count(&self) -> usize;

    /// The pairs of particles that couplings couple, in an order of the system's own: the places of [`System::add_linearised`] in
    /// its matrix.
    fn pairs(&self) -> Vec<(usize, usize)>;

    /// Whether what a splitting chooses depends on the state of a step; steps of equal length have equal choices otherwise.
    fn choices_follow(&self, splitting: &Splitting) -> bool {
        splitting.follows_the_state(None)
    }

    /// Overwrites `implicit`, shape \[coupling_count\], with the couplings that are implicit in a step of `dt` \[s\] from `state`.
    fn choose_implicit(&self, splitting: &Splitting, dt: f64, state: &State, implicit: &mut [bool]);

    /// The two particles that a coupling joins in the matrix at positions `x`; none where it does not act there, and for couplings
    /// of more particles, which are never cut.
    fn joined_by(&self, _coupling: usize, _x: &[Vec3]) -> Option<(usize, usize)> {
        None
    }

    /// Adds to `f` \[N\] the forces of the couplings that are not implicit, and those on single particles that are always
    /// explicit.
    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]);

    /// Adds h (f + K w) to `b` and -h D - h g K to `a`, for the forces f of the implicit couplings with their derivatives K by
    /// position and D by velocity, and for forces on single particles that are always implicit.
    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]);

    /// Calls `add` with pairs of particles and weights w \[N/m\] so that, about rest, Σ w/2 |x_i - x_j|² is at least as curved as the
    /// energies of all couplings are, and Σ w h/2 |v_i - v_j|² as their dampers over a step h \[s\]; a pair of one particle is tied to a
    /// place. For springs that is the matrix of projective dynamics, and elsewhere it stands for it.
    fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64));

    /// What the forces of all couplings, and those on single particles that are always implicit, are the slopes of; none where one of
    /// them has no potential, as dampers along springs have none.
    fn potential(&self, _x: &[Vec3], _v: &[Vec3]) -> Option<Potential> {
        None
    }

    /// The sheet whose springs are all of its couplings and whose gravity, air and drag are all of its other forces, where it is
    /// one: implicit schemes may then keep its linear systems on the grid of that sheet.
    fn sheet(&self) -> Option<&Cloth> {
        None
    }

    /// The triangles between its particles, where it is made of them: what can be seen of it.
    fn triangles(&self) -> Option<&TriangleMesh> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_that_is_not_finite_is_found_wherever_it_is() {
        let start = State { x: vec![Vec3::new(9e153, -9e153, 0.0); 3], v: vec![Vec3::new(-0.0, 5e-324, -1e154); 3] };
        assert!(start.is_finite());
        let wrong = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2e154, -1e308];
        for (place, wrong) in (0..18).flat_map(|place| wrong.map(|wrong| (place, wrong))) {
            let mut state = start.clone();
            let rows = if place < 9 { &mut state.x } else { &mut state.v };
            rows[place % 9 / 3][place % 3] = wrong;
            assert!(!state.is_finite(), "{wrong} at {place}");
        }
    }
}
