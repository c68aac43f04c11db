use crate::Invalid;

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

    /// Number of particles.
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

    /// Whether every coordinate is a finite number.
    pub fn is_finite(&self) -> bool {
        self.x.iter().chain(&self.v).all(|q| q.iter().all(|c| c.is_finite()))
    }

    /// Refuses a state of another size.
    ///
    /// # Errors
    /// [`Invalid::StateSize`] unless there are `expected` positions and as many velocities.
    pub fn check_size(&self, expected: usize) -> Result<(), Invalid> {
        for got in [self.x.len(), self.v.len()] {
            if got != expected {
                return Err(Invalid::StateSize { expected, got });
            }
        }
        Ok(())
    }
}

/// A system of particles, M x'' = f(x, x') \[Boxerman 2003, eq. 4.1\].
pub trait System {
    /// Number of particles.
    fn particle_count(&self) -> usize;

    /// Overwrites `a` \[m/s²\] with M⁻¹ f(x, v), zero where a particle is pinned; all shapes \[particle_count\].
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]);
}
