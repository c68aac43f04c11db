//! Systems of steps, kept to be solved by themselves.

use cloth::implicit::LinearSystem;
use cloth::integrators::{BackwardEuler, Integrator};
use linsolve::{BlockRows, Breakdown, ConstrainedSystem, Constraint, PackedRows, Preconditioner, ProjectedCg, Start, Vec3};

use crate::clock::{median, processor_time};

/// Most times that a system is solved, and the processor time after which it is not solved again \[s\].
const ROUNDS: usize = 9;
const ENOUGH: f64 = 3.0;

/// Rows that are solved in a measurement at least, of one system again and again.
const ROWS: f64 = 60_000.0;

/// A system of its own in block rows.
pub struct System {
    matrix: BlockRows,
    b: Vec<Vec3>,
    constraints: Vec<Constraint>,
    z: Vec<Vec3>,
}

/// What a solution took: processor times \[us/row\].
pub struct Solved {
    pub iterations: usize,
    pub factorisation: f64,
    pub solution: f64,
}

impl System {
    /// That of the last step.
    pub fn last_of(scheme: &BackwardEuler) -> System {
        let solved = scheme.last_system().expect("a step was made");
        let LinearSystem::Blocks(system) = solved.system else { panic!("block rows were asked for") };
        System {
            matrix: system.operator.clone(),
            b: system.b.to_vec(),
            constraints: system.constraints.to_vec(),
            z: system.z.to_vec(),
        }
    }

    /// Factors `preconditioner`, packs the matrix as a step does, and solves from zero until the residual over the right side is
    /// `tolerance` in the norm of P⁻¹, again and again: medians.
    pub fn solve<P: Preconditioner>(
        &self,
        preconditioner: &mut P,
        mut factor: impl FnMut(&mut P, &BlockRows, &[Constraint]) -> Result<(), Breakdown>,
        tolerance: f64,
    ) -> Solved {
        let System { matrix, b, constraints, z } = self;
        let settings = linsolve::Settings {
            start: Start::Corrected,
            tolerance_squared: tolerance * tolerance,
            error: None,
            iteration_limit: 100_000,
        };
        let (mut cg, mut packed) = (ProjectedCg::new(b.len()), PackedRows::default());
        let repeats = (ROWS / b.len() as f64).ceil() as usize;
        let (mut factors, mut solutions, begun) = (vec![], vec![], processor_time());
        let mut iterations = 0;
        while factors.len() < ROUNDS && (factors.len() < 2 || processor_time() - begun < ENOUGH) {
            let before = processor_time();
            for _ in 0..repeats {
                factor(preconditioner, matrix, constraints).expect("a positive definite matrix");
            }
            let between = processor_time();
            for _ in 0..repeats {
                packed.pack(matrix);
                let system = ConstrainedSystem { operator: &packed, b, constraints, z };
                let report = cg.solve(&system, &mut z.clone(), preconditioner, &settings);
                assert!(report.stop.is_solved(), "{report:?}");
                iterations = report.iterations;
            }
            let per_row = 1e6 / b.len() as f64 / repeats as f64;
            factors.push((between - before) * per_row);
            solutions.push((processor_time() - between) * per_row);
        }
        Solved { iterations, factorisation: median(&factors), solution: median(&solutions) }
    }
}
