//! What is simulated: a sheet that falls over a sphere, and a chain.

use cloth::contact::{CollisionPass, Friction, Solid};
use cloth::inextensible::{ConstraintMethod, Edge, EdgeConstraints};
use cloth::run::Filter;
use cloth::{Elastic, Grid, ModelError, Net, NetSpring, State, System, Vec3};

/// Particles with edges that keep their length.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Masses, non-stiff springs, gravity, air.
    pub net: Net,
    /// Edges that keep their length.
    pub constraints: EdgeConstraints,
    /// Solids, if there are any.
    pub collisions: Option<CollisionPass>,
    /// Where it starts.
    pub start: State,
}

/// Areal density \[kg/m²\], stiffness of the diagonals \[N/m\], resistance of the air \[1/s\].
pub const DENSITY: f64 = 0.2;
pub const DIAGONAL: f64 = 0.1;
pub const AIR: f64 = 0.5;

/// Radius of the sphere \[m\], friction \[-\], height of the sheet above it at the start \[m\].
pub const RADIUS: f64 = 0.3;
pub const FRICTION: f64 = 0.3;
const HEIGHT: f64 = 0.01;

/// Centre of the sphere \[m\].
pub fn sphere() -> Vec3 {
    Vec3::new(0.5, 0.5, -RADIUS - HEIGHT)
}

impl Scene {
    /// A horizontal sheet of 1 m with `side` x `side` particles over a sphere; the protocol's numbers.
    ///
    /// # Errors
    /// A side that is none.
    pub fn drape(side: usize) -> Result<Scene, ModelError> {
        let grid = Grid::new(side, side, 1.0 / (side - 1) as f64)?;
        let masses = vec![DENSITY / (side * side) as f64; side * side];
        let pinned = vec![false; side * side];
        let ball = Solid::Sphere { centre: sphere(), radius: RADIUS };
        let collisions = Some(CollisionPass { solids: vec![ball], friction: Friction::even(FRICTION) });
        Scene::sheet(&grid, masses, pinned, collisions)
    }

    /// The sheet without the sphere, held along one edge.
    ///
    /// # Errors
    /// A side that is none.
    pub fn held(side: usize) -> Result<Scene, ModelError> {
        let grid = Grid::new(side, side, 1.0 / (side - 1) as f64)?;
        let masses = vec![DENSITY / (side * side) as f64; side * side];
        let pinned = (0..side * side).map(|k| k % side == 0).collect();
        Scene::sheet(&grid, masses, pinned, None)
    }

    fn sheet(grid: &Grid, masses: Vec<f64>, pinned: Vec<bool>, collisions: Option<CollisionPass>) -> Result<Scene, ModelError> {
        let shear = grid.springs().into_iter().filter(|spring| spring.family == cloth::Family::Shear);
        let elastic = Elastic { stiffness: DIAGONAL, damping: 0.0 };
        let diagonals = shear.map(|spring| NetSpring { i: spring.i, j: spring.j, rest: spring.rest, elastic });
        let constraints = EdgeConstraints::new(&EdgeConstraints::edges_of_grid(grid), &masses, &pinned)?;
        let mut net = Net::new(masses, pinned, diagonals.collect())?;
        net.air = AIR;
        Ok(Scene { net, constraints, collisions, start: State::at_rest(grid.flat()) })
    }

    /// A horizontal chain of 1 m and 1 kg with `count` particles, held at its first one.
    ///
    /// # Errors
    /// Fewer than two particles.
    pub fn chain(count: usize) -> Result<Scene, ModelError> {
        let rest = 1.0 / (count.max(2) - 1) as f64;
        let masses = vec![1.0 / count as f64; count];
        let mut pinned = vec![false; count];
        if let Some(first) = pinned.first_mut() {
            *first = true;
        }
        let edges: Vec<Edge> = (1..count).map(|j| Edge { i: j - 1, j, rest }).collect();
        let constraints = EdgeConstraints::new(&edges, &masses, &pinned)?;
        let start = State::at_rest((0..count).map(|j| Vec3::new(j as f64 * rest, 0.0, 0.0)).collect());
        Ok(Scene { net: Net::new(masses, pinned, vec![])?, constraints, collisions: None, start })
    }

    /// A net with springs of `stiffness` \[N/m\] in place of the constraints, and their forces only.
    ///
    /// # Errors
    /// A stiffness below zero.
    pub fn with_springs(&self, stiffness: f64) -> Result<Net, ModelError> {
        let elastic = Elastic { stiffness, damping: 0.0 };
        let springs = self.constraints.edges().iter().map(|edge| NetSpring { i: edge.i, j: edge.j, rest: edge.rest, elastic });
        let springs = self.net.springs().iter().copied().chain(springs).collect();
        let mut net = Net::new(self.net.masses().to_vec(), self.net.pinned().to_vec(), springs)?;
        (net.gravity, net.air) = (self.net.gravity, self.net.air);
        Ok(net)
    }

    /// The method on its edges, with its solids.
    pub fn filter(&self, method: Box<dyn ConstraintMethod>) -> Filter {
        let filter = Filter::new(method);
        match &self.collisions {
            Some(collisions) => filter.with_collisions(collisions.clone()),
            None => filter,
        }
    }

    /// Energy gained since the start \[-\], over that of a fall by 1 m.
    pub fn gain(&self, state: &State) -> f64 {
        let weight = self.net.masses().iter().sum::<f64>() * self.net.gravity.norm();
        (self.net.energy(state) - self.net.energy(&self.start)) / weight
    }
}

/// Root mean square distance of two sets of positions \[m\].
pub fn rms_distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum();
    (squares / a.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_those_of_the_protocol() {
        let drape = Scene::drape(5).unwrap();
        assert_eq!((drape.constraints.edges().len(), drape.net.springs().len()), (2 * 4 * 5, 2 * 16));
        assert!((drape.net.masses().iter().sum::<f64>() - 0.2).abs() < 1e-12);
        assert!(drape.constraints.largest_strain(&drape.start.x) < 1e-14 && drape.gain(&drape.start) == 0.0);
        let held = Scene::held(5).unwrap();
        assert_eq!((held.constraints.edges().len(), held.collisions.is_none()), (4 * 5 + 4 * 4, true)); // those of the held edge are left out
        assert!((0..5).all(|k| held.start.x[5 * k].x == 0.0 && held.net.pinned()[5 * k]));
        let chain = Scene::chain(80).unwrap();
        assert_eq!((chain.constraints.edges().len(), chain.net.pinned()[0]), (79, true));
        assert_eq!(chain.with_springs(7.0).unwrap().springs().len(), 79);
        assert_eq!(rms_distance(&[Vec3::x(), Vec3::y()], &[Vec3::zeros(), Vec3::zeros()]), 1.0);
    }
}
