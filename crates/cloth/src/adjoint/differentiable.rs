use super::{Constant, Obstacle};
use crate::{ModelError, System, Vec3};

/// A system whose forces have exact derivatives, by positions, velocities and the constants of its material.
pub trait Differentiable: System {
    /// A force whose derivative is not known here, if there is one.
    fn obstacle(&self) -> Option<Obstacle>;

    /// Adds Kᵀ q to `by_position` and Dᵀ q to `by_velocity` for the exact derivatives K of all forces by position and D by
    /// velocity; all shapes \[particle_count\]. Of what depends on neither there is nothing to add.
    fn add_transposed(&self, x: &[Vec3], v: &[Vec3], q: &[Vec3], by_position: &mut [Vec3], by_velocity: &mut [Vec3]);

    /// The value of a constant of the material, in its unit; none where the material does not have it, or not one for all springs
    /// of the family.
    fn constant(&self, constant: Constant) -> Option<f64>;

    /// This system with another value of a constant.
    ///
    /// # Errors
    /// A value outside the range that the material gives it.
    ///
    /// # Panics
    /// Where [`Differentiable::constant`] is none.
    fn with_constant(&self, constant: Constant, value: f64) -> Result<Self, ModelError>
    where
        Self: Sized;

    /// This system with a constant of one, and without any other force: since forces are linear in the constant, its forces are
    /// their derivatives, and its masses those of the masses where the constant is the density, which alone has weight.
    ///
    /// # Errors
    /// None, but for a density of one that makes a mass too small or too large for a number.
    ///
    /// # Panics
    /// Where [`Differentiable::constant`] is none.
    fn unit(&self, constant: Constant) -> Result<Box<dyn System>, ModelError>;
}
