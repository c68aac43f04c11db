//! What solves the systems of a trajectory: a preconditioner with a start.

use cloth::Vec3;
use cloth::implicit::{LinearSystem, SolvedSystem, Work};
use linsolve::grid::{GridBlockDiagonal, GridCg, GridMultigrid, GridShape};
use linsolve::{
    AnyPreconditioner, BlockPattern, BlockRows, ConstrainedSystem, DiagonalKind, IncompleteCholesky, PreconditionerKind,
    ProjectedCg, Settings, SolveStop, Ssor, Start,
};

/// A preconditioner with a start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// Its name in tables and charts.
    pub name: &'static str,
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
pub const DIAGONAL: Method = corrected("diagonal", PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal));
/// Constrained symmetric Gauss-Seidel.
pub const SSOR: Method = corrected("SSOR", PreconditionerKind::Triangular(&Ssor::ENTRY));
/// Constrained incomplete Cholesky without fill.
pub const IC: Method = corrected("IC", PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY));
/// Constrained multigrid, which gives way to CP where it stalls.
pub const MULTIGRID: Method = corrected("multigrid", PreconditionerKind::Multigrid);
/// CP with the start and stopping rule of Baraff & Witkin.
pub const ORIGINAL: Method = Method { name: "CP, original start", start: Start::Original, ..CP };
/// CP with the corrected stopping rule but without the previous solution.
pub const COLD: Method = Method { name: "CP, corrected from zero", warm: false, ..CP };

/// Most iterations of a solve.
pub const ITERATION_LIMIT: usize = 10_000;

/// What a method has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Iterations of all solves.
    pub iterations: u64,
    /// Iterations in the second half of the run.
    pub late: u64,
    /// Shifts of the diagonal that incomplete factorisations took.
    pub shifts: u64,
    /// Systems in which multigrid stalled.
    pub stalled: u64,
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
    preconditioner: Form,
    /// Its previous solution.
    x: Vec<Vec3>,
    /// Whether its solutions have been those of CP to the bit so far: A-Block, as long as no row is constrained in part.
    is_cp: bool,
}

/// A preconditioner, for the form of the matrix that it can work with.
enum Form {
    /// None, or blocks of the diagonal.
    Grid(GridBlockDiagonal),
    Cycles(Box<GridMultigrid>),
    /// Those that sweep over rows.
    Blocks(AnyPreconditioner),
}

/// What all methods share: systems of a grid, and the memory that it takes to solve them.
pub struct Contestants {
    solvers: Vec<Solver>,
    grid_cg: GridCg,
    cg: ProjectedCg,
    /// The matrix for those that sweep over rows; none if nobody does.
    rows: Option<BlockRows>,
}

impl Contestants {
    /// For systems of a sheet of that shape; the solution before the first is zero.
    pub fn new(methods: &[Method], shape: GridShape) -> Contestants {
        let solvers: Vec<Solver> = methods.iter().map(|method| Solver::new(*method, shape)).collect();
        let sweeps = solvers.iter().any(|solver| matches!(solver.preconditioner, Form::Blocks(_)));
        let rows = sweeps.then(|| BlockRows::new(BlockPattern::new(shape.rows(), &shape.pairs())));
        Contestants { solvers, grid_cg: GridCg::new(shape), cg: ProjectedCg::new(shape.rows()), rows }
    }

    /// Each of them.
    pub fn solvers(&self) -> &[Solver] {
        &self.solvers
    }

    /// Lets each solve a system to tol² = `tolerance_squared` that CP has solved so; `late` is the second half of the run. As long
    /// as no row is constrained in part, what CP did is what A-Block does, and is not done again.
    ///
    /// # Panics
    /// Where the system is not one on a grid.
    pub fn solve(&mut self, solved: &SolvedSystem, tolerance_squared: f64, late: bool) {
        let LinearSystem::Grid(system) = &solved.system else { panic!("sheets are run on their grid") };
        if let Some(rows) = &mut self.rows {
            system.operator.write_to(rows);
        }
        let in_part = system.constraints.iter().any(|constraint| [1, 2].contains(&constraint.ndof()));
        for solver in &mut self.solvers {
            solver.is_cp &= !in_part;
            let Solver { method, tally, preconditioner, x, is_cp } = solver;
            if *is_cp {
                let Work { iterations, limited, indefinite, not_finite, .. } = solved.work;
                tally.iterations += iterations;
                tally.late += if late { iterations } else { 0 };
                tally.failures += u64::from(limited + indefinite + not_finite > 0);
                x.copy_from_slice(solved.solution);
                continue;
            }
            if !method.warm {
                x.fill(Vec3::zeros());
            }
            let settings = Settings { start: method.start, tolerance_squared, error: None, iteration_limit: ITERATION_LIMIT };
            let (factored, report) = match (preconditioner, &self.rows) {
                (Form::Grid(blocks), _) => {
                    let factored = blocks.factor(system.operator, system.constraints).map(|()| 0);
                    (factored, self.grid_cg.solve(system, x, blocks, &settings))
                }
                (Form::Cycles(multigrid), _) => {
                    let factored = multigrid.factor(system.operator, system.constraints).map(|()| 0);
                    let report = self.grid_cg.solve_by_multigrid(system, x, multigrid, &settings);
                    tally.stalled += u64::from(report.stalled_after.is_some());
                    (factored, report.total)
                }
                (Form::Blocks(preconditioner), Some(rows)) => {
                    let system = &ConstrainedSystem { operator: rows, b: system.b, constraints: system.constraints, z: system.z };
                    (preconditioner.factor(rows, system.constraints), self.cg.solve(system, x, preconditioner, &settings))
                }
                (Form::Blocks(_), None) => unreachable!("rows are there for those that sweep over them"),
            };
            if report.stop == SolveStop::NotFinite {
                x.fill(Vec3::zeros());
            }
            tally.iterations += report.iterations as u64;
            tally.late += if late { report.iterations as u64 } else { 0 };
            tally.failures += u64::from(factored.is_err() || !report.stop.is_solved());
            tally.shifts += factored.unwrap_or(0) as u64;
        }
    }
}

impl Solver {
    fn new(method: Method, shape: GridShape) -> Solver {
        let preconditioner = match method.preconditioner {
            PreconditionerKind::None => Form::Grid(GridBlockDiagonal::new(None, shape)),
            PreconditionerKind::BlockDiagonal(kind) => Form::Grid(GridBlockDiagonal::new(Some(kind), shape)),
            PreconditionerKind::Multigrid => Form::Cycles(Box::new(GridMultigrid::new(shape))),
            PreconditionerKind::Automatic => Form::Cycles(Box::new(GridMultigrid::where_stiff(shape))),
            PreconditionerKind::Triangular(_) | PreconditionerKind::Schwarz(_) | PreconditionerKind::Aggregation => {
                Form::Blocks(AnyPreconditioner::new(method.preconditioner))
            }
        };
        Solver { method, tally: Tally::default(), preconditioner, x: vec![Vec3::zeros(); shape.rows()], is_cp: method == A_BLOCK }
    }
}
