//! Work in numbers that are the same on every machine: what a scheme asks of a system, and nominal operations of all of it.

use crate::prelude::*;

/// Operations of a coupling, counted in the code: its force added to its particles; the same with its two derivatives, their
/// products, and its blocks added to a matrix. Of a spring with a plain damper.
pub const SPRINGS: [u64; 2] = [33, 200];

/// Operations of a coupling of a sheet of triangles, in the mean over stretch (112 and 670), shear (91 and 656) and hinges (220
/// and 1030) where these are 200, 200 and 285.
pub const TRIANGLES: [u64; 2] = [151, 816];

/// Operations of a particle for each evaluation of forces: gravity, air, division by mass, and the update that follows.
const PARTICLE: u64 = 27;

/// Operations of a product of a block of 3 x 3 and a vector.
const BLOCK: u64 = 18;

/// Operations of a particle in an iteration of conjugate gradients beside the product: two dot products, three updates, its block
/// of the preconditioner; and in a solve: the inverse of that block.
const ITERATION: u64 = 45;
const SOLVE: u64 = 50;

/// Nominal floating-point operations of what a scheme asks of a system.
#[derive(Clone, Copy, Debug)]
pub struct OperationModel {
    particles: u64,
    couplings: u64,
    /// Of the force of a coupling, and of its linearisation.
    coupling: [u64; 2],
    /// Of an evaluation of all forces.
    evaluation: u64,
    /// Of a product with its matrix.
    product: u64,
}

impl OperationModel {
    /// Of a system with couplings that cost so much.
    pub fn new(system: &dyn System, coupling: [u64; 2]) -> OperationModel {
        let particles = system.particle_count() as u64;
        let pairs: Vec<(usize, usize)> = distinct(system.pairs().into_iter().map(|(i, j)| (i.min(j), i.max(j))));
        let couplings = system.coupling_count() as u64;
        OperationModel {
            particles,
            couplings,
            coupling,
            evaluation: coupling[0] * couplings + PARTICLE * particles,
            product: BLOCK * (particles + 2 * pairs.len() as u64),
        }
    }

    /// Operations of a scheme that evaluated all forces that often, beside its `work`, over those of an evaluation of all forces.
    pub fn work(&self, evaluations: u64, work: &Work) -> f64 {
        let operations = self.coupling[0] * (self.couplings * evaluations + work.forces)
            + self.coupling[1] * work.linearised
            + PARTICLE * self.particles * (evaluations + work.evaluations + work.linearisations)
            + self.product * work.products
            + self.particles * (ITERATION * work.iterations + SOLVE * work.solves)
            + work.direct;
        operations as f64 / self.evaluation as f64
    }
}

#[cfg(test)]
mod tests {
    use cloth::run::Counted;

    use super::*;

    fn pair() -> Net {
        let spring = NetSpring { i: 0, j: 1, rest: 1.0, elastic: Elastic { stiffness: 3.0, damping: 0.1 } };
        Net::new(vec![1.0; 2], vec![true, false], vec![spring]).unwrap()
    }

    /// Evaluations of all forces in a step, and its nominal work.
    fn step(scheme: &mut dyn Integrator) -> (u64, f64) {
        let net = pair();
        let counted = Counted::new(&net);
        let mut state = State::at_rest(vec![Vec3::zeros(), 1.2 * Vec3::x()]);
        scheme.step(&counted, 0.1, &mut state);
        (counted.evaluations(), OperationModel::new(&net, SPRINGS).work(counted.evaluations(), &scheme.work()))
    }

    /// Evaluations of explicit forces and forces in them, linearisations and couplings in them.
    fn asked(work: Work) -> [u64; 4] {
        [work.evaluations, work.forces, work.linearisations, work.linearised]
    }

    #[test]
    fn work_of_a_step_by_hand() {
        assert_eq!(step(&mut ForwardEuler::new(2)), (1, 1.0));
        assert_eq!(step(&mut Rk4::new(2)), (4, 4.0));

        let mut scheme = BackwardEuler::new(&pair(), Settings::default());
        let (found, work) = step(&mut scheme);
        assert_eq!((found, asked(scheme.work())), (0, [1, 0, 1, 1]));
        let (iterations, products) = (scheme.work().iterations as f64, scheme.work().products as f64);
        assert!(iterations > 0.0 && scheme.work().solves == 1);
        // 2 particles in the evaluation and the linearisation, 2 blocks on the diagonal and 2 beside it
        let operations = 200.0 + 2.0 * 27.0 * 2.0 + products * 18.0 * 4.0 + 2.0 * (45.0 * iterations + 50.0);
        assert!((work - operations / (33.0 + 2.0 * 27.0)).abs() < 1e-12);

        let families = Splitting::Families { stretch: false, shear: true, bend: true };
        let mut scheme = BackwardEuler::split(&pair(), Settings::default(), families);
        assert_eq!((step(&mut scheme).0, asked(scheme.work())), (0, [1, 1, 1, 0]));
    }
}
