//! What solves the systems of a trajectory: a preconditioner with a start.

use cloth::Vec3;
use linsolve::{
    AnyPreconditioner, BlockRows, ConstrainedSystem, DiagonalKind, PreconditionerKind, ProjectedCg, Settings, Start, Stop,
};

/// A preconditioner with a start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// Its name in tables and charts.
    pub name: &'static str,
    /// P.
    pub preconditioner: PreconditionerKind,
    /// Initial iterate and stopping rule.
    pub start: Start,
    /// Whether the corrected start knows the previous solution, or takes zero for it.
    pub warm: bool,
}

const fn corrected(name: &'static str, preconditioner: PreconditionerKind) -> Method {
    Method { name, preconditioner, start: Start::Corrected, warm: true }
}

/// CP, by which every trajectory is run.
pub const CP: Method = corrected("CP", PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained));
/// P = I.
pub const NONE: Method = corrected("none", PreconditionerKind::None);
/// The 3x3 diagonal blocks of A, whatever the constraints.
pub const A_BLOCK: Method = corrected("A-Block", PreconditionerKind::BlockDiagonal(DiagonalKind::ABlock));
/// The diagonal of A.
pub const DIAGONAL: Method = corrected("diagonal", PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal));
/// Constrained symmetric Gauss-Seidel.
pub const SSOR: Method = corrected("SSOR", PreconditionerKind::Ssor);
/// Constrained incomplete Cholesky without fill.
pub const IC: Method = corrected("IC", PreconditionerKind::IncompleteCholesky);
/// CP with the start and stopping rule of Baraff & Witkin.
pub const ORIGINAL: Method = Method { name: "CP, original start", start: Start::Original, ..CP };
/// CP with the corrected stopping rule but without the previous solution.
pub const COLD: Method = Method { name: "CP, corrected from zero", warm: false, ..CP };

/// Most iterations of a solve.
pub const ITERATION_LIMIT: usize = 10_000;

/// What a method has done so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Iterations of all solves.
    pub iterations: u64,
    /// Iterations in the second half of the run.
    pub late: u64,
    /// Shifts of the diagonal that incomplete factorisations took.
    pub shifts: u64,
    /// Systems that were not solved: the limit of iterations, a matrix or preconditioner that is not positive definite, a number
    /// that is not finite.
    pub failures: u64,
}

/// A method at work beside a trajectory, on whose systems it has a previous solution of its own.
pub struct Solver {
    /// Which.
    pub method: Method,
    /// What it has done.
    pub tally: Tally,
    preconditioner: AnyPreconditioner,
    x: Vec<Vec3>,
}

impl Solver {
    /// For systems of so many rows; the solution before the first is zero.
    pub fn new(method: Method, rows: usize) -> Solver {
        let preconditioner = AnyPreconditioner::new(method.preconditioner);
        Solver { method, tally: Tally::default(), preconditioner, x: vec![Vec3::zeros(); rows] }
    }

    /// Solves a system to tol² = `tolerance_squared`; `late` is the second half of the run.
    pub fn solve(&mut self, system: &ConstrainedSystem<'_, BlockRows>, tolerance_squared: f64, late: bool, cg: &mut ProjectedCg) {
        if !self.method.warm {
            self.x.fill(Vec3::zeros());
        }
        let factored = self.preconditioner.factor(system.operator, system.constraints);
        let settings = Settings { start: self.method.start, tolerance_squared, iteration_limit: ITERATION_LIMIT };
        let report = cg.solve(system, &mut self.x, &self.preconditioner, &settings);
        if report.stop == Stop::NotFinite {
            self.x.fill(Vec3::zeros());
        }
        self.tally.iterations += report.iterations as u64;
        self.tally.late += if late { report.iterations as u64 } else { 0 };
        self.tally.failures += u64::from(factored.is_err() || !report.stop.is_solved());
        self.tally.shifts += factored.unwrap_or(0) as u64;
    }
}
