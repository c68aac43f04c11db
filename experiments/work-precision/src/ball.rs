//! A sheet over a ball that pushes back smoothly.

use cloth::{Cloth, Linearisation, Mat3, Potential, State, System, Terms, Vec3};
use linsolve::BlockRows;

/// A ball without friction. A particle at depth d below its surface is pushed out by k d²: a force with a continuous derivative, so
/// that schemes can show their orders, which contacts that are switched on and off do not let them.
#[derive(Clone, Copy, Debug)]
pub struct Ball {
    /// Centre \[m\].
    pub centre: Vec3,
    /// Radius \[m\].
    pub radius: f64,
    /// k \[N/m²\].
    pub stiffness: f64,
}

impl Ball {
    /// Depth \[m\], if any, distance from the centre \[m\], and outward normal of a place.
    fn below(&self, x: Vec3) -> Option<(f64, f64, Vec3)> {
        let from_centre = x - self.centre;
        let distance = from_centre.norm();
        (distance < self.radius && distance > 0.0).then(|| (self.radius - distance, distance, from_centre / distance))
    }

    /// Force \[N\] on a particle: k d² n.
    fn force(&self, x: Vec3) -> Vec3 {
        self.below(x).map_or_else(Vec3::zeros, |(depth, _, normal)| self.stiffness * depth * depth * normal)
    }

    /// -df/dx \[N/m\]: 2 k d n nᵀ - k d²/r (I - n nᵀ), the second part only where all terms are kept.
    fn jacobian(&self, x: Vec3, terms: Terms) -> Mat3 {
        let Some((depth, distance, normal)) = self.below(x) else { return Mat3::zeros() };
        let along = normal * normal.transpose();
        let across = if terms == Terms::Exact { self.stiffness * depth * depth / distance } else { 0.0 };
        2.0 * self.stiffness * depth * along - across * (Mat3::identity() - along)
    }

    /// Energy \[J\] of a particle: k d³/3.
    fn energy(&self, x: Vec3) -> f64 {
        self.below(x).map_or(0.0, |(depth, _, _)| self.stiffness * depth * depth * depth / 3.0)
    }
}

/// A sheet and the ball below it.
#[derive(Clone, Debug)]
pub struct Drape {
    /// The sheet.
    pub cloth: Cloth,
    /// The ball, always implicit where a scheme is.
    pub ball: Ball,
}

impl Drape {
    /// Energy of sheet and ball \[J\].
    pub fn energy(&self, state: &State) -> f64 {
        self.cloth.energies(state).total() + state.x.iter().map(|x| self.ball.energy(*x)).sum::<f64>()
    }
}

impl System for Drape {
    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        self.cloth.accelerate(x, v, a);
        for ((a, x), (m, pinned)) in a.iter_mut().zip(x).zip(self.masses().iter().zip(self.pinned())) {
            if !pinned {
                *a += self.ball.force(*x) / *m;
            }
        }
    }

    cloth::pass_on! {
        cloth: largest_stretch, strain_energy, masses, pinned, coupling_count, pairs, choose_implicit, joined_by, add_explicit_forces
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        self.cloth.add_linearised(at, implicit, a, b);
        for (i, x) in at.x.iter().enumerate() {
            let jacobian = self.ball.jacobian(*x, at.terms);
            b[i] += at.h * (self.ball.force(*x) - jacobian * at.w[i]); // h (f + K w)
            a.add_diagonal(i, &(at.h * at.g * jacobian)); //             - h g K
        }
    }

    fn add_curvatures(&self, h: f64, add: &mut dyn FnMut(usize, usize, f64)) {
        self.cloth.add_curvatures(h, add);
        (0..self.masses().len()).for_each(|i| add(i, i, self.ball.stiffness));
    }

    fn potential(&self, x: &[Vec3], v: &[Vec3]) -> Option<Potential> {
        let Potential { energy, dissipation } = self.cloth.potential(x, v)?;
        Some(Potential { energy: x.iter().fold(energy, |energy, x| energy + self.ball.energy(*x)), dissipation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALL: Ball = Ball { centre: Vec3::new(0.1, 0.0, -0.2), radius: 0.5, stiffness: 300.0 };

    #[test]
    fn the_force_is_the_slope_of_the_energy_and_the_jacobian_that_of_the_force() {
        let x = Vec3::new(0.3, 0.2, 0.05);
        assert!(BALL.force(x).norm() > 1.0);
        let step = 1e-6;
        for k in 0..3 {
            let mut moved = [x; 2];
            moved[0][k] += step;
            moved[1][k] -= step;
            let [energies, forces] = [moved.map(|x| Vec3::repeat(BALL.energy(x))), moved.map(|x| BALL.force(x))];
            assert!(((energies[0] - energies[1])[0] / (2.0 * step) + BALL.force(x)[k]).abs() < 1e-7);
            let column: Vec3 = BALL.jacobian(x, Terms::Exact).column(k).into();
            assert!(((forces[0] - forces[1]) / (2.0 * step) + column).norm() < 1e-6 && column.norm() > 1.0);
        }
        let named = BALL.jacobian(x, Terms::Filtered) - BALL.jacobian(x, Terms::Exact);
        let normal = (x - BALL.centre).normalize();
        assert!((named * normal).norm() < 1e-12 && named.norm() > 1.0, "what is left out acts across the normal");
    }

    #[test]
    fn outside_there_is_nothing() {
        let x = Vec3::new(0.1, 0.0, 0.31);
        assert_eq!((BALL.force(x), BALL.jacobian(x, Terms::Exact), BALL.energy(x)), (Vec3::zeros(), Mat3::zeros(), 0.0));
    }
}
