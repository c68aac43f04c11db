//! Work in numbers that are the same on every machine: what a scheme asks of a system, and nominal operations of all of it.

use cloth::implicit::{Splitting, Work};
use cloth::{GridSprings, Linearisation, State, System, Terms, Vec3};
use linsolve::BlockRows;
use linsolve::grid::GridOperator;
use linsolve::lanes::InstructionSet;
use std::cell::Cell;

use crate::prelude::*;

/// Operations of a coupling, counted in the code: its force added to its particles; the same with its two derivatives, their products, and
/// its blocks added to a matrix. Of a spring with a plain damper.
pub const SPRINGS: [u64; 2] = [33, 200];

/// Operations of a coupling of a sheet of triangles, in the mean over stretch (112 and 670), shear (91 and 656) and hinges (220 and 1030) where these are
/// 200, 200 and 285.
pub const TRIANGLES: [u64; 2] = [151, 816];

/// Operations of a particle for each evaluation of forces: gravity, air, division by mass, and the update that follows.
const PARTICLE: u64 = 27;

/// Operations of a product of a block of 3 x 3 and a vector.
const BLOCK: u64 = 18;

/// Operations of a particle in an iteration of conjugate gradients beside the product: two dot products, three updates, its block of
/// the preconditioner; and in a solve: the inverse of that block.
const ITERATION: u64 = 45;
const SOLVE: u64 = 50;

/// Nominal floating-point operations of what a scheme asks of a system.
#[derive(Clone, Copy, Debug)]
pub struct Costs {
    particles: u64,
    /// Of the force of a coupling, and of its linearisation.
    coupling: [u64; 2],
    /// Of an evaluation of all forces.
    evaluation: u64,
    /// Of a product with its matrix.
    product: u64,
}

impl Costs {
    /// Of a system with couplings that cost so much.
    pub fn new(system: &dyn System, coupling: [u64; 2]) -> Costs {
        let particles = system.particle_count() as u64;
        let pairs: Vec<(usize, usize)> = distinct(system.pairs().into_iter().map(|(i, j)| (i.min(j), i.max(j))));
        Costs {
            particles,
            coupling,
            evaluation: coupling[0] * system.coupling_count() as u64 + PARTICLE * particles,
            product: BLOCK * (particles + 2 * pairs.len() as u64),
        }
    }

    /// Operations of all that was done, over those of an evaluation of all forces.
    pub fn work(&self, asked: &Asked, work: &Work) -> f64 {
        let operations = self.coupling[0] * asked.forces
            + self.coupling[1] * asked.linearised
            + PARTICLE * self.particles * (asked.evaluations + asked.linearisations)
            + self.product * work.products
            + self.particles * (ITERATION * work.iterations + SOLVE * work.solves);
        operations as f64 / self.evaluation as f64
    }
}

/// What a scheme asked of a system.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Asked {
    /// Evaluations of forces, of all couplings or of the explicit ones.
    pub evaluations: u64,
    /// Forces of couplings in them.
    pub forces: u64,
    pub linearisations: u64,
    /// Couplings in them.
    pub linearised: u64,
}

/// A system that counts what it is asked.
pub struct Counted<'a> {
    system: &'a dyn System,
    asked: Cell<Asked>,
}

impl<'a> Counted<'a> {
    /// Counts from zero.
    pub fn new(system: &'a dyn System) -> Counted<'a> {
        Counted { system, asked: Cell::default() }
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Asked {
        self.asked.get()
    }

    fn count_linearised(&self, implicit: &[bool]) {
        let asked = self.asked.get();
        let linearised = implicit.iter().filter(|implicit| **implicit).count() as u64;
        self.asked.set(Asked { linearisations: asked.linearisations + 1, linearised: asked.linearised + linearised, ..asked });
    }

    fn count_forces(&self, forces: usize) {
        let asked = self.asked.get();
        self.asked.set(Asked { evaluations: asked.evaluations + 1, forces: asked.forces + forces as u64, ..asked });
    }
}

impl System for Counted<'_> {
    fn particle_count(&self) -> usize {
        self.system.particle_count()
    }

    fn accelerate(&self, x: &[Vec3], v: &[Vec3], a: &mut [Vec3]) {
        self.count_forces(self.system.coupling_count());
        self.system.accelerate(x, v, a);
    }

    fn largest_stretch(&self, x: &[Vec3]) -> f64 {
        self.system.largest_stretch(x)
    }

    fn masses(&self) -> &[f64] {
        self.system.masses()
    }

    fn pinned(&self) -> &[bool] {
        self.system.pinned()
    }

    fn coupling_count(&self) -> usize {
        self.system.coupling_count()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.system.pairs()
    }

    fn choose_implicit(&self, splitting: &Splitting, dt: f64, state: &State, implicit: &mut [bool]) {
        self.system.choose_implicit(splitting, dt, state, implicit);
    }

    fn add_explicit_forces(&self, implicit: &[bool], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        self.count_forces(implicit.iter().filter(|implicit| !**implicit).count());
        self.system.add_explicit_forces(implicit, x, v, f);
    }

    fn add_linearised(&self, at: &Linearisation, implicit: &[bool], a: &mut BlockRows, b: &mut [Vec3]) {
        self.count_linearised(implicit);
        self.system.add_linearised(at, implicit, a, b);
    }

    fn grid_springs(&self, terms: Terms) -> Option<GridSprings> {
        self.system.grid_springs(terms)
    }

    fn add_explicit_forces_on_grid(
        &self,
        implicit: &[bool],
        state: &State,
        springs: &mut GridSprings,
        set: InstructionSet,
        f: &mut [Vec3],
    ) {
        self.count_forces(implicit.iter().filter(|implicit| !**implicit).count());
        self.system.add_explicit_forces_on_grid(implicit, state, springs, set, f);
    }

    fn linearise_on_grid(
        &self,
        at: &Linearisation,
        implicit: &[bool],
        springs: &mut GridSprings,
        a: &mut GridOperator,
        b: &mut [Vec3],
    ) {
        self.count_linearised(implicit);
        self.system.linearise_on_grid(at, implicit, springs, a, b);
    }
}

#[cfg(test)]
mod tests {
    use cloth::implicit::{Settings, Splitting};
    use cloth::integrators::{BackwardEuler, ForwardEuler, Integrator, Rk4};
    use cloth::{Elastic, Net, NetSpring};

    use super::*;

    fn pair() -> Net {
        let spring = NetSpring { i: 0, j: 1, rest: 1.0, elastic: Elastic { stiffness: 3.0, damping: 0.1 } };
        Net::new(vec![1.0; 2], vec![true, false], vec![spring]).unwrap()
    }

    fn asked(scheme: &mut dyn Integrator) -> (Asked, f64) {
        let net = pair();
        let counted = Counted::new(&net);
        let mut state = State::at_rest(vec![Vec3::zeros(), 1.2 * Vec3::x()]);
        scheme.step(&counted, 0.1, &mut state);
        (counted.asked(), Costs::new(&net, SPRINGS).work(&counted.asked(), &scheme.work()))
    }

    #[test]
    fn work_of_a_step_by_hand() {
        let explicit = |evaluations| Asked { evaluations, forces: evaluations, ..Asked::default() };
        assert_eq!(asked(&mut ForwardEuler::new(2)), (explicit(1), 1.0));
        assert_eq!(asked(&mut Rk4::new(2)), (explicit(4), 4.0));

        let mut scheme = BackwardEuler::new(&pair(), Settings::default());
        let (found, work) = asked(&mut scheme);
        assert_eq!(found, Asked { evaluations: 1, forces: 0, linearisations: 1, linearised: 1 });
        let (iterations, products) = (scheme.work().iterations as f64, scheme.work().products as f64);
        assert!(iterations > 0.0 && scheme.work().solves == 1);
        // 2 particles in the evaluation and the linearisation, 2 blocks on the diagonal and 2 beside it
        let operations = 200.0 + 2.0 * 27.0 * 2.0 + products * 18.0 * 4.0 + 2.0 * (45.0 * iterations + 50.0);
        assert!((work - operations / (33.0 + 2.0 * 27.0)).abs() < 1e-12);

        let families = Splitting::Families { stretch: false, shear: true, bend: true };
        let (found, _) = asked(&mut BackwardEuler::split(&pair(), Settings::default(), families));
        assert_eq!(found, Asked { evaluations: 1, forces: 1, linearisations: 1, linearised: 0 });
    }
}
