use linsolve::grid::{GridBlockDiagonal, GridCg, GridMultigrid, GridOperator, GridProduct, GridSingle, GridVector};
use linsolve::lanes::InstructionSet;
use linsolve::{DecomposedCg, PreconditionerKind, Start};

use super::linear::{Form, LinearSystem, Right, Solution};
use super::{ConjugateGradients, MatrixForm, Precision, Settings, Solver, Work};
use crate::{Cloth, GridSprings, Linearisation, State, System, Vec3};

/// Linear systems of the springs of a sheet, on its grid.
pub(super) struct GridForm {
    springs: GridSprings,
    matrix: GridOperator,
    parts: Parts,
    product: GridProduct,
    x: GridVector,
    y: GridVector,
}

/// Conjugate gradients for the whole system, or for each of its components.
///
/// Automatic ones start anew where they cycle, from what is prescribed: cycles are for springs that are stiff in the step, and then one
/// change of velocities says little of the next one: a solve that starts from it takes a third to a half more iterations, and one more
/// cycle.
enum Parts {
    Whole(Box<GridBlockDiagonal>, Box<GridCg>),
    InSingle(Box<GridBlockDiagonal>, Box<GridSingle>, Box<GridCg>),
    Multigrid(Box<GridMultigrid>, Box<GridCg>),
    Automatic(Box<GridMultigrid>, Box<GridCg>),
    Decomposed(Box<DecomposedCg>),
}

impl GridForm {
    /// None where the couplings have no such form or another one is asked for, for the direct solver, and for preconditioners that
    /// sweep over rows, divide them into parts or aggregate them.
    pub fn new(system: &dyn System, settings: &Settings) -> Option<GridForm> {
        let Solver::ConjugateGradients(gradients) = settings.solver else { return None };
        let ConjugateGradients { preconditioner, decompose, .. } = gradients;
        let of_rows = matches!(
            preconditioner,
            PreconditionerKind::Triangular(_) | PreconditionerKind::Schwarz(_) | PreconditionerKind::Aggregation
        );
        if of_rows || settings.form == MatrixForm::BlockRows {
            return None;
        }
        let springs = GridSprings::new(system.sheet()?, settings.terms)?;
        let shape = springs.shape();
        let cg = || Box::new(GridCg::new(shape));
        let whole = |kind| {
            let preconditioner = Box::new(GridBlockDiagonal::new(kind, shape));
            match settings.precision {
                Precision::Double => Parts::Whole(preconditioner, cg()),
                Precision::Single => Parts::InSingle(preconditioner, Box::new(GridSingle::new(shape)), cg()),
            }
        };
        let parts = match (decompose, preconditioner) {
            (Some(decompose), _) => Parts::Decomposed(Box::new(DecomposedCg::new(preconditioner, decompose))),
            (None, PreconditionerKind::Multigrid) => {
                let multigrid = match settings.precision {
                    Precision::Double => GridMultigrid::new(shape),
                    Precision::Single => GridMultigrid::in_single(shape),
                };
                Parts::Multigrid(Box::new(multigrid), cg())
            }
            (None, PreconditionerKind::Automatic) => Parts::Automatic(Box::new(GridMultigrid::where_stiff(shape)), cg()),
            (None, PreconditionerKind::BlockDiagonal(kind)) => whole(Some(kind)),
            (None, _) => whole(None),
        };
        let matrix = GridOperator::new(shape, InstructionSet::best());
        Some(GridForm { springs, parts, product: matrix.product(), x: GridVector::new(shape), y: GridVector::new(shape), matrix })
    }
}

impl Form for GridForm {
    fn add_explicit_forces(&mut self, system: &dyn System, implicit: &[bool], state: &State, f: &mut [Vec3]) {
        self.springs.add_explicit_forces(sheet(system), state, implicit, self.matrix.instruction_set(), f);
    }

    fn linearise(&mut self, system: &dyn System, at: &Linearisation, implicit: &[bool], b: &mut [Vec3]) {
        self.springs.linearise(sheet(system), at, implicit, &mut self.matrix, b);
    }

    /// Where there is no solution, dv is the last iterate.
    fn solve(&mut self, right: &Right, settings: &linsolve::Settings, dv: &mut [Vec3], work: &mut Work) -> Solution {
        let system = right.of(&self.matrix);
        let mut starts_anew = false;
        let is_automatic = matches!(self.parts, Parts::Automatic(..));
        let (report, broken) = match &mut self.parts {
            Parts::Whole(preconditioner, cg) => {
                let factored = preconditioner.factor(&self.matrix, right.constraints);
                (cg.solve(&system, dv, preconditioner, settings), factored.err())
            }
            Parts::InSingle(preconditioner, single, cg) => {
                let factored = preconditioner.factor(&self.matrix, right.constraints);
                let report = cg.solve_in_single(&system, dv, preconditioner, single, settings);
                work.corrections += report.corrections as u64;
                work.fell_back += u64::from(report.fell_back);
                (report.total, factored.err())
            }
            Parts::Multigrid(multigrid, cg) | Parts::Automatic(multigrid, cg) => {
                let factored = multigrid.factor(&self.matrix, right.constraints);
                starts_anew = is_automatic && multigrid.cycles() && settings.start == Start::Corrected;
                if starts_anew {
                    dv.fill(Vec3::zeros());
                }
                let report = cg.solve_by_multigrid(&system, dv, multigrid, settings);
                work.cycles += report.cycles as u64;
                work.stalled += u64::from(report.stalled_after.is_some());
                (report.total, factored.err())
            }
            Parts::Decomposed(cg) => {
                let report = cg.solve_on_grid(&system, dv, settings);
                work.components += report.components as u64;
                (report.total, report.breakdown)
            }
        };
        Solution { starts_anew, ..work.count(&report, broken) }
    }

    fn system<'a>(&'a self, right: &Right<'a>) -> LinearSystem<'a> {
        LinearSystem::Grid(right.of(&self.matrix))
    }

    fn groups(&self) -> Option<&[u32]> {
        match &self.parts {
            Parts::Decomposed(cg) => Some(cg.groups()),
            Parts::Whole(..) | Parts::InSingle(..) | Parts::Multigrid(..) | Parts::Automatic(..) => None,
        }
    }

    fn apply(&mut self, x: &[Vec3], product: &mut [Vec3]) {
        self.x.set(x.iter().copied());
        self.product.apply(&self.matrix, &self.x, &mut self.y);
        product.iter_mut().zip(self.y.iter()).for_each(|(product, y)| *product = y);
    }
}

/// The sheet of the system that a form was made for.
fn sheet(system: &dyn System) -> &Cloth {
    system.sheet().expect("a scheme steps the system that it was made for")
}
