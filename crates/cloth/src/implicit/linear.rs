use std::borrow::Cow;

use linsolve::grid::GridOperator;
use linsolve::{BlockPattern, BlockRows, Breakdown, ConstrainedSystem, Constraint, Operator, SolveReport, SolveStop};

use super::block_form::BlockForm;
use super::grid_form::GridForm;
use super::{Settings, Work};
use crate::{Linearisation, State, System, Vec3};

/// The linear systems of a stage in one of two forms, with what solves them and the memory that it takes.
pub(super) trait Form: Send + Sync {
    /// Adds to `f` \[N\] the forces of the couplings that are not implicit.
    fn add_explicit_forces(&mut self, system: &dyn System, implicit: &[bool], state: &State, f: &mut [Vec3]) {
        system.add_explicit_forces(implicit, &state.x, &state.v, f);
    }

    /// Overwrites the matrix with M - h D - h g K of the implicit couplings and adds h (f + K w) to `b`.
    fn linearise(&mut self, system: &dyn System, at: &Linearisation, implicit: &[bool], b: &mut [Vec3]);

    /// Solves the system for dv, starting from what dv holds, and adds to `work`; conjugate gradients as `gradients` ask for.
    fn solve(&mut self, right: &Right, gradients: &linsolve::Settings, dv: &mut [Vec3], work: &mut Work) -> Solution;

    /// Overwrites `product` with A x, for the caller to count.
    fn apply(&mut self, x: &[Vec3], product: &mut [Vec3]);

    /// The system with the matrix of the last linearisation.
    fn system<'a>(&'a self, right: &Right<'a>) -> LinearSystem<'a>;

    /// Groups of the particles in the last system: 0 for those that are fully constrained, components from 1; none where
    /// systems are solved as a whole.
    fn groups(&self) -> Option<&[u32]>;
}

/// The form for the couplings of `system`: the springs of a sheet on its grid, where the solver allows it, any others in block
/// compressed rows.
pub(super) fn form(system: &dyn System, settings: &Settings) -> Box<dyn Form> {
    match GridForm::new(system, settings) {
        Some(form) => Box::new(form),
        None => Box::new(BlockForm::new(system, &settings.solver)),
    }
}

/// What a linear system has besides its matrix.
pub(super) struct Right<'a> {
    /// Shape \[particle_count\].
    pub b: &'a [Vec3],
    /// S, shape \[particle_count\].
    pub constraints: &'a [Constraint],
    /// Prescribed motion, shape \[particle_count\].
    pub z: &'a [Vec3],
}

impl<'a> Right<'a> {
    /// The system with a matrix.
    pub fn of<O: Operator>(&self, operator: &'a O) -> ConstrainedSystem<'a, O> {
        ConstrainedSystem { operator, b: self.b, constraints: self.constraints, z: self.z }
    }
}

/// A linear system of a stage, in the form in which it was solved.
pub enum LinearSystem<'a> {
    /// With a matrix in block compressed rows.
    Blocks(ConstrainedSystem<'a, BlockRows>),
    /// With a matrix on a grid.
    Grid(ConstrainedSystem<'a, GridOperator>),
}

impl<'a> LinearSystem<'a> {
    fn right(&self) -> Right<'a> {
        match *self {
            LinearSystem::Blocks(ConstrainedSystem { b, constraints, z, .. }) => Right { b, constraints, z },
            LinearSystem::Grid(ConstrainedSystem { b, constraints, z, .. }) => Right { b, constraints, z },
        }
    }

    /// Right side, shape \[particle_count\].
    pub fn b(&self) -> &'a [Vec3] {
        self.right().b
    }

    /// S, shape \[particle_count\].
    pub fn constraints(&self) -> &'a [Constraint] {
        self.right().constraints
    }

    /// Prescribed change, shape \[particle_count\].
    pub fn z(&self) -> &'a [Vec3] {
        self.right().z
    }

    /// A in block compressed rows, rewritten where it is on a grid.
    pub fn matrix(&self) -> Cow<'a, BlockRows> {
        match self {
            LinearSystem::Blocks(system) => Cow::Borrowed(system.operator),
            LinearSystem::Grid(system) => {
                let shape = system.operator.shape();
                let mut matrix = BlockRows::new(BlockPattern::new(shape.rows(), &shape.pairs()));
                system.operator.write_to(&mut matrix);
                Cow::Owned(matrix)
            }
        }
    }
}

/// The linear system that a step ended with, for the change of velocities \[m/s\], and what came of it.
pub struct SolvedSystem<'a> {
    /// S A dv = S b, (I - S) dv = (I - S) z.
    pub system: LinearSystem<'a>,
    /// dv as it was found \[m/s\], shape \[particle_count\].
    pub solution: &'a [Vec3],
    /// Length of the step \[s\], the dt of tol² = c dt; that of the last part of a step that was taken in parts.
    pub dt: f64,
    /// What solving it took.
    pub work: Work,
    /// The strain that it may have left wrong \[-\], where that was asked for: see [`Tolerance::Strain`](super::Tolerance::Strain).
    pub strain_left: Option<f64>,
    /// The strain that linearised springs did not foresee \[-\], where that is looked at: see [`Newton::Foreseen`](super::Newton::Foreseen).
    pub unforeseen: Option<f64>,
    /// Whether conjugate gradients began without the change found last, though their start is from there:
    /// see [`ConjugateGradients::automatic`](super::ConjugateGradients::automatic).
    pub starts_anew: bool,
    /// What the estimate of eᵀ A e was to come down to then \[kg m²/s²\], for [`linsolve::Settings::error`].
    pub error: Option<f64>,
}

/// What came of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Solution {
    /// Whether dv is a solution.
    pub is_solved: bool,
    /// The estimate of eᵀ A e \[kg m²/s²\], where that was asked for.
    pub error: Option<f64>,
    /// Whether it began without the change found last, though its settings start from there.
    pub starts_anew: bool,
}

impl Work {
    /// Adds that a matrix or its preconditioner could not be factored.
    pub(super) fn count_breakdown(&mut self, broken: Breakdown) {
        match broken {
            Breakdown::NotPositiveDefinite { .. } => self.indefinite += 1,
            Breakdown::NotFinite { .. } => self.not_finite += 1,
        }
    }

    /// Adds a solve by conjugate gradients, whose preconditioner may have been broken; what came of it.
    pub(super) fn count(&mut self, report: &SolveReport, broken: Option<Breakdown>) -> Solution {
        broken.into_iter().for_each(|broken| self.count_breakdown(broken));
        self.iterations += report.iterations as u64;
        self.products += report.products as u64;
        self.rows += report.row_vector_count as u64;
        self.free_rows += report.row_vector_count_free as u64;
        match report.stop {
            SolveStop::Converged | SolveStop::ZeroRightSide => {}
            SolveStop::IterationLimit => self.limited += 1,
            SolveStop::NotPositiveDefinite => self.indefinite += 1,
            SolveStop::NotFinite => self.not_finite += 1,
        }
        Solution { is_solved: report.stop.is_solved(), error: report.error, starts_anew: false }
    }

    /// Adds a product with a matrix of so many rows.
    pub(super) fn count_product(&mut self, constraints: &[Constraint]) {
        self.products += 1;
        self.rows += constraints.len() as u64;
        self.free_rows += constraints.iter().filter(|constraint| constraint.ndof() > 0).count() as u64;
    }
}
