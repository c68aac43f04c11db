use linsolve::{
    AnyPreconditioner, BlockPattern, BlockRows, Breakdown, ConstrainedSystem, DecomposedCg, ProjectedCg, Report, SparseCholesky,
    Start, Stop,
};

use super::{Solver, Work};
use crate::Vec3;

/// What solves the linear systems of a stage, with the memory that it takes.
pub(super) enum Linear {
    Direct(Box<SparseCholesky>),
    ConjugateGradients {
        /// c of the stopping rule tol² = c dt \[1/s\].
        tolerance: f64,
        start: Start,
        iteration_limit: usize,
        form: Form,
    },
}

/// Conjugate gradients for the whole system, or for each of its components.
pub(super) enum Form {
    Whole(Box<AnyPreconditioner>, ProjectedCg),
    Decomposed(Box<DecomposedCg>),
}

impl Linear {
    /// For systems of a pattern.
    pub fn new(solver: &Solver, pattern: &BlockPattern) -> Linear {
        match *solver {
            Solver::Direct => Linear::Direct(Box::new(SparseCholesky::new(pattern))),
            Solver::ConjugateGradients { tolerance, preconditioner, start, iteration_limit, decompose } => {
                let form = match decompose {
                    None => Form::Whole(Box::new(AnyPreconditioner::new(preconditioner)), ProjectedCg::new(pattern.rows())),
                    Some(decompose) => Form::Decomposed(Box::new(DecomposedCg::new(preconditioner, decompose))),
                };
                Linear::ConjugateGradients { tolerance, start, iteration_limit, form }
            }
        }
    }

    /// Solves the system of a step `dt` \[s\] for dv, starting from what dv holds, and adds to `work`. Where the direct solver
    /// finds no solution, dv is the prescribed part; conjugate gradients leave their last iterate.
    pub fn solve(&mut self, system: &ConstrainedSystem<'_, BlockRows>, dt: f64, dv: &mut [Vec3], work: &mut Work) {
        work.solves += 1;
        match self {
            Linear::Direct(cholesky) => {
                if let Err(broken) = cholesky.solve(system, dv) {
                    count_breakdown(broken, work);
                    dv.fill(Vec3::zeros());
                    for ((dv, z), constraint) in dv.iter_mut().zip(system.z).zip(system.constraints) {
                        constraint.impose(z, dv);
                    }
                }
            }
            Linear::ConjugateGradients { tolerance, start, iteration_limit, form } => {
                let tolerance_squared = *tolerance * dt; // tol² = c dt
                let settings = linsolve::Settings { start: *start, tolerance_squared, iteration_limit: *iteration_limit };
                let (report, shifts, broken) = match form {
                    Form::Whole(preconditioner, cg) => {
                        let factored = preconditioner.factor(system.operator, system.constraints);
                        (cg.solve(system, dv, &**preconditioner, &settings), factored.unwrap_or(0), factored.err())
                    }
                    Form::Decomposed(cg) => {
                        let report = cg.solve(system, dv, &settings);
                        work.components += report.components as u64;
                        (report.total, report.shifts, report.breakdown)
                    }
                };
                work.shifts += shifts as u64;
                if let Some(broken) = broken {
                    count_breakdown(broken, work);
                }
                count(&report, work);
            }
        }
    }

    /// Groups of the particles in the last system: 0 for those that are fully constrained, components from 1; none where
    /// systems are solved as a whole.
    pub fn groups(&self) -> Option<&[u32]> {
        match self {
            Linear::ConjugateGradients { form: Form::Decomposed(cg), .. } => Some(cg.groups()),
            _ => None,
        }
    }
}

fn count_breakdown(broken: Breakdown, work: &mut Work) {
    match broken {
        Breakdown::NotPositiveDefinite { .. } => work.indefinite += 1,
        Breakdown::NotFinite { .. } => work.not_finite += 1,
    }
}

fn count(report: &Report, work: &mut Work) {
    work.iterations += report.iterations as u64;
    work.products += report.products as u64;
    work.rows += report.row_vector_count as u64;
    work.free_rows += report.row_vector_count_free as u64;
    match report.stop {
        Stop::Converged | Stop::ZeroRightSide => {}
        Stop::IterationLimit => work.limited += 1,
        Stop::NotPositiveDefinite => work.indefinite += 1,
        Stop::NotFinite => work.not_finite += 1,
    }
}
