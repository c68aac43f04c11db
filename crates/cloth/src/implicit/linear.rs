use std::borrow::Cow;

use linsolve::grid::GridOperator;
use linsolve::{BlockPattern, BlockRows, Breakdown, ConstrainedSystem, Constraint, Operator, Report, Stop};

use super::block_form::BlockForm;
use super::grid_form::GridForm;
use super::{Settings, Work};
use crate::{Linearisation, State, System, Vec3};

/// The linear systems of a stage in one of two forms, with what solves them and the memory that it takes.
pub(super) enum Linear {
    /// Block compressed rows: of any couplings, for every solver.
    Blocks(Box<BlockForm>),
    /// The springs of a sheet, for conjugate gradients whose preconditioner does not sweep over rows.
    Grid(Box<GridForm>),
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
}

impl Linear {
    /// For the couplings of `system`: on a grid, where they and the solver allow it.
    pub fn new(system: &dyn System, settings: &Settings) -> Linear {
        match GridForm::new(system, settings) {
            Some(form) => Linear::Grid(Box::new(form)),
            None => Linear::Blocks(Box::new(BlockForm::new(system, &settings.solver))),
        }
    }

    /// Adds to `f` \[N\] the forces of the couplings that are not implicit.
    pub fn add_explicit_forces(&mut self, system: &dyn System, implicit: &[bool], state: &State, f: &mut [Vec3]) {
        match self {
            Linear::Blocks(_) => system.add_explicit_forces(implicit, &state.x, &state.v, f),
            Linear::Grid(form) => form.add_explicit_forces(system, implicit, state, f),
        }
    }

    /// Overwrites the matrix with M - h D - h g K of the implicit couplings and adds h (f + K w) to `b`.
    pub fn linearise(&mut self, system: &dyn System, at: &Linearisation, implicit: &[bool], b: &mut [Vec3]) {
        match self {
            Linear::Blocks(form) => form.linearise(system, at, implicit, b),
            Linear::Grid(form) => form.linearise(system, at, implicit, b),
        }
    }

    /// Solves the system of a step `dt` \[s\] for dv, starting from what dv holds, and adds to `work`; whether dv is a solution.
    pub fn solve(&mut self, right: &Right, dt: f64, dv: &mut [Vec3], work: &mut Work) -> bool {
        work.solves += 1;
        match self {
            Linear::Blocks(form) => form.solve(right, dt, dv, work),
            Linear::Grid(form) => form.solve(right, dt, dv, work),
        }
    }

    /// Overwrites `residual` with b - A dv.
    pub fn unprojected_residual(&mut self, right: &Right, dv: &[Vec3], residual: &mut [Vec3], work: &mut Work) {
        let free = match self {
            Linear::Blocks(form) => form.unprojected_residual(right, dv, residual),
            Linear::Grid(form) => form.unprojected_residual(right, dv, residual),
        };
        work.products += 1;
        work.rows += dv.len() as u64;
        work.free_rows += free as u64;
    }

    /// The system with the matrix of the last linearisation.
    pub fn system<'a>(&'a self, right: &Right<'a>) -> LinearSystem<'a> {
        match self {
            Linear::Blocks(form) => LinearSystem::Blocks(right.of(form.matrix())),
            Linear::Grid(form) => LinearSystem::Grid(right.of(form.matrix())),
        }
    }

    /// Groups of the particles in the last system: 0 for those that are fully constrained, components from 1; none where
    /// systems are solved as a whole.
    pub fn groups(&self) -> Option<&[u32]> {
        match self {
            Linear::Blocks(form) => form.groups(),
            Linear::Grid(form) => form.groups(),
        }
    }
}

impl Work {
    /// Adds that a matrix or its preconditioner could not be factored.
    pub(super) fn count_breakdown(&mut self, broken: Breakdown) {
        match broken {
            Breakdown::NotPositiveDefinite { .. } => self.indefinite += 1,
            Breakdown::NotFinite { .. } => self.not_finite += 1,
        }
    }

    /// Adds a solve by conjugate gradients.
    pub(super) fn count(&mut self, report: &Report) {
        self.iterations += report.iterations as u64;
        self.products += report.products as u64;
        self.rows += report.row_vector_count as u64;
        self.free_rows += report.row_vector_count_free as u64;
        match report.stop {
            Stop::Converged | Stop::ZeroRightSide => {}
            Stop::IterationLimit => self.limited += 1,
            Stop::NotPositiveDefinite => self.indefinite += 1,
            Stop::NotFinite => self.not_finite += 1,
        }
    }
}
