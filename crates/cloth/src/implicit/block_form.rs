use linsolve::{
    AnyPreconditioner, BlockPattern, BlockRows, ConstrainedSystem, DecomposedCg, Operator, PackedRows, ProjectedCg, SolveReport,
    SparseCholesky,
};

use super::linear::{Form, LinearSystem, Right, Solution};
use super::{ConjugateGradients, Solver, Work};
use crate::{Linearisation, Mat3, System, Vec3};

/// Linear systems of any couplings, in block compressed rows.
pub(super) struct BlockForm {
    matrix: BlockRows,
    method: Method,
}

/// What solves them.
enum Method {
    Direct(Box<SparseCholesky>),
    ConjugateGradients(Parts),
}

/// Conjugate gradients for the whole system, or for each of its components.
enum Parts {
    Whole(Box<Whole>),
    Decomposed(Box<DecomposedCg>),
}

/// Conjugate gradients for the whole system.
struct Whole {
    preconditioner: AnyPreconditioner,
    cg: ProjectedCg,
    /// The matrix of a solve.
    packed: PackedRows,
}

impl Whole {
    /// Solves a system for `x` by a preconditioner that was factored for it, with its filled blocks packed, as they are for components.
    fn solve(&mut self, system: &ConstrainedSystem<'_, BlockRows>, x: &mut [Vec3], settings: &linsolve::Settings) -> SolveReport {
        let &ConstrainedSystem { operator, b, constraints, z } = system;
        self.packed.pack(operator);
        let packed = ConstrainedSystem { operator: &self.packed, b, constraints, z };
        self.cg.solve(&packed, x, &self.preconditioner, settings)
    }
}

/// Residuals that are preconditioned before the first iteration: of the right side, and of the start.
const FIRST: u64 = 2;

impl BlockForm {
    pub fn new(system: &dyn System, solver: &Solver) -> BlockForm {
        let pattern = BlockPattern::new(system.particle_count(), &system.pairs());
        let method = match *solver {
            Solver::Direct => Method::Direct(Box::new(SparseCholesky::new(&pattern))),
            Solver::ConjugateGradients(gradients) => {
                let ConjugateGradients { preconditioner, decompose, .. } = gradients;
                let parts = match decompose {
                    None => Parts::Whole(Box::new(Whole {
                        preconditioner: AnyPreconditioner::new(preconditioner),
                        cg: ProjectedCg::new(pattern.rows()),
                        packed: PackedRows::default(),
                    })),
                    Some(decompose) => Parts::Decomposed(Box::new(DecomposedCg::new(preconditioner, decompose))),
                };
                Method::ConjugateGradients(parts)
            }
        };
        BlockForm { matrix: BlockRows::new(pattern), method }
    }
}

impl Form for BlockForm {
    fn linearise(&mut self, system: &dyn System, at: &Linearisation, implicit: &[bool], b: &mut [Vec3]) {
        self.matrix.clear();
        for (i, m) in system.masses().iter().enumerate() {
            self.matrix.add_diagonal(i, &(*m * Mat3::identity()));
        }
        system.add_linearised(at, implicit, &mut self.matrix, b);
    }

    /// Where the direct solver finds no solution, dv is the prescribed part, and conjugate gradients leave their last iterate.
    fn solve(&mut self, right: &Right, settings: &linsolve::Settings, dv: &mut [Vec3], work: &mut Work) -> Solution {
        let system = &right.of(&self.matrix);
        match &mut self.method {
            Method::Direct(cholesky) => {
                let solved = cholesky.solve(system, dv);
                work.direct += cholesky.factor_operations() + cholesky.solve_operations();
                if let Err(broken) = solved {
                    work.count_breakdown(broken);
                    dv.fill(Vec3::zeros());
                    for ((dv, z), constraint) in dv.iter_mut().zip(right.z).zip(right.constraints) {
                        constraint.impose(z, dv);
                    }
                }
                Solution { is_solved: solved.is_ok(), error: None, starts_anew: false }
            }
            Method::ConjugateGradients(parts) => {
                let (report, shifts, broken) = match parts {
                    Parts::Whole(whole) => {
                        let factored = whole.preconditioner.factor(system.operator, system.constraints);
                        let report = whole.solve(system, dv, settings);
                        if let (Ok(_), Some(aggregation)) = (factored, whole.preconditioner.aggregation()) {
                            work.aggregated += 1;
                            work.direct += aggregation.factor_operations();
                            work.direct += (report.iterations as u64 + FIRST) * aggregation.apply_operations();
                        }
                        (report, factored.unwrap_or(0), factored.err())
                    }
                    Parts::Decomposed(cg) => {
                        let report = cg.solve(system, dv, settings);
                        work.components += report.components as u64;
                        (report.total, report.shifts, report.breakdown)
                    }
                };
                work.shifts += shifts as u64;
                work.count(&report, broken)
            }
        }
    }

    fn apply(&mut self, x: &[Vec3], product: &mut [Vec3]) {
        self.matrix.apply(x, product);
    }

    fn system<'a>(&'a self, right: &Right<'a>) -> LinearSystem<'a> {
        LinearSystem::Blocks(right.of(&self.matrix))
    }

    fn groups(&self) -> Option<&[u32]> {
        match &self.method {
            Method::ConjugateGradients(Parts::Decomposed(cg)) => Some(cg.groups()),
            _ => None,
        }
    }
}
