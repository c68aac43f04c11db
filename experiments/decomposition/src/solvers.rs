//! Solvers of the same systems, each from its own last solution, and the operations that they take.

use cloth::implicit::{DiagonalKind, LinearSystem, Parts, PreconditionerKind, SolvedSystem};
use kit::prelude::*;
use linsolve::grid::GridShape;
use linsolve::{BlockPattern, BlockRows, ConstrainedSystem, DecomposedCg, Operator, ProjectedCg, Schwarz};

use super::assumptions::USUAL;

/// The solver that all others are measured against, and that whose systems all of them solve.
pub const FULL: &str = "full";
/// The decomposing solver of the thesis.
pub const DECOMPOSED: &str = "decomposed";
/// Additive Schwarz with the usual parts.
pub const SCHWARZ: &str = "Schwarz";

/// Additive Schwarz in two levels.
pub const COARSE: &str = "Schwarz, parts of 32 with a coarse level";
/// Additive Schwarz with larger parts.
pub const LARGE_PARTS: &str = "Schwarz, parts of 128";

/// Additive Schwarz with other parts.
pub const OTHERS: [(&str, Parts); 4] = [
    (LARGE_PARTS, Parts { rows: 128, overlap: 1, coarse: false }),
    ("Schwarz, parts of 32 that do not overlap", Parts { rows: 32, overlap: 0, coarse: false }),
    ("Schwarz, parts of 32 that overlap twice", Parts { rows: 32, overlap: 2, coarse: false }),
    (COARSE, Parts { rows: 32, overlap: 1, coarse: true }),
];

/// What conjugate gradients do for each row of an iteration beside the product and the preconditioner: two dot products and three
/// sums of vectors.
const VECTORS: f64 = 30.0;
/// Operations of the product of a 3x3 block and a vector.
const BLOCK: f64 = 18.0;

/// A solver with its own last solution, and what it did.
pub struct Solver {
    pub name: &'static str,
    form: Form,
    x: Vec<Vec3>,
    pub iterations: u64,
    pub rows: u64,
    pub parts: u64,
    pub fill: f64,
    pub operations: f64,
    pub unsolved: u64,
}

enum Form {
    /// By CP: what the run itself did.
    Full,
    Decomposed(Box<DecomposedCg>),
    Schwarz(Box<Schwarz>, ProjectedCg),
}

/// A system in block rows, with its blocks above the diagonal for each of its rows.
struct Rows<'a> {
    system: ConstrainedSystem<'a, BlockRows>,
    filled: f64,
}

impl Solver {
    fn new(name: &'static str, form: Form, rows: usize) -> Solver {
        let x = vec![Vec3::zeros(); rows];
        Solver { name, form, x, iterations: 0, rows: 0, parts: 0, fill: 0.0, operations: 0.0, unsolved: 0 }
    }

    /// All solvers, for systems of so many rows.
    pub fn all(rows: usize) -> Vec<Solver> {
        let cp = PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained);
        let decomposed = Form::Decomposed(Box::new(DecomposedCg::new(cp, Decompose::Serial)));
        let parts = [(SCHWARZ, Parts::default())].into_iter().chain(OTHERS);
        let schwarz = parts.map(|(name, parts)| (name, Form::Schwarz(Box::new(Schwarz::new(parts)), ProjectedCg::new(rows))));
        let forms = [(FULL, Form::Full), (DECOMPOSED, decomposed)].into_iter().chain(schwarz);
        forms.map(|(name, form)| Solver::new(name, form, rows)).collect()
    }

    /// Solves a system that the run has solved, from its own last solution.
    fn solve(&mut self, solved: &SolvedSystem, Rows { system, filled }: &Rows, settings: &linsolve::Settings) {
        let by_row = BLOCK * (1.0 + 2.0 * filled) + VECTORS; // of a product and the vectors of its iteration
        let (iterations, rows, is_solved) = match &mut self.form {
            Form::Full => {
                let Work { iterations, rows, limited, indefinite, not_finite, .. } = solved.work;
                self.parts += 1;
                self.operations += rows as f64 * (by_row + BLOCK);
                (iterations, rows, limited + indefinite + not_finite == 0)
            }
            Form::Decomposed(cg) => {
                let report = cg.solve(system, &mut self.x, settings);
                self.parts += report.components as u64;
                self.operations += report.total.row_vector_count as f64 * (by_row + BLOCK);
                let is_solved = report.unsolved == 0 && report.breakdown.is_none();
                (report.total.iterations as u64, report.total.row_vector_count as u64, is_solved)
            }
            Form::Schwarz(schwarz, cg) => {
                let factored = schwarz.factor(system.operator, system.constraints);
                let report = cg.solve(system, &mut self.x, &**schwarz, settings);
                self.parts += schwarz.part_count() as u64;
                let entries = schwarz.factor_entries() as f64;
                self.fill += entries / (system.rows() as f64 * (6.0 + 9.0 * filled));
                let applied = report.iterations as f64 + 2.0; // to b̂ and to the first residual too
                self.operations += schwarz.factor_operations() as f64 + 4.0 * entries * applied;
                self.operations += report.row_vector_count as f64 * by_row;
                (report.iterations as u64, report.row_vector_count as u64, factored.is_ok() && report.stop.is_solved())
            }
        };
        self.iterations += iterations;
        self.rows += rows;
        self.unsolved += u64::from(!is_solved);
    }
}

/// Runs a sheet by CP and lets all solvers solve its systems; how many there were.
pub fn solve_all(mut run: Run, sheet: &Sheet, duration: f64, solvers: &mut [Solver]) -> (RunWatch, u64) {
    let shape = GridShape::new(sheet.side, sheet.side);
    let mut matrix = BlockRows::new(BlockPattern::new(shape.rows(), &shape.pairs()));
    let mut course = RunWatch::of(&run, sheet.step, duration);
    while course.goes_on() {
        run.step(sheet.step);
        course.watch(&run.cloth, &run.state);
        let Some(solved) = run.scheme.last_system().filter(|_| course.status() != Status::NotFinite) else { break };
        let LinearSystem::Grid(system) = &solved.system else { break };
        system.operator.write_to(&mut matrix);
        let filled = matrix.filled_count() as f64 / matrix.rows() as f64;
        let rows = Rows {
            system: ConstrainedSystem { operator: &matrix, b: system.b, constraints: system.constraints, z: system.z },
            filled,
        };
        let tolerance_squared = USUAL.tolerance.squared(solved.dt);
        let settings =
            linsolve::Settings { start: USUAL.start, tolerance_squared, error: None, iteration_limit: USUAL.iteration_limit };
        solvers.iter_mut().for_each(|solver| solver.solve(&solved, &rows, &settings));
    }
    (course, run.steps)
}

#[cfg(test)]
mod tests {
    use super::super::assumptions::SPHERE;
    use super::*;

    #[test]
    fn every_solver_solves_the_systems_of_a_run() {
        let stiff = Elastic { stiffness: 1000.0, damping: 0.1 };
        let sheet = Sheet {
            configuration: SPHERE.configuration,
            side: 12,
            spacing: 0.125,
            density: 0.2,
            stretch: stiff,
            shear: stiff,
            bend: 0.001,
            air: 0.001,
            step: 0.01,
        };
        let run = USUAL.run(&sheet, SPHERE.friction, 0.2, None).expect("a sheet");
        let mut solvers = Solver::all(144);
        let (course, systems) = solve_all(run, &sheet, 0.3, &mut solvers);
        assert_eq!((course.status(), systems), (Status::Finished, 30));
        let [full, decomposed, schwarz, large, apart, twice, coarse] = &solvers[..] else { panic!("{}", solvers.len()) };
        assert!(solvers.iter().all(|solver| solver.unsolved == 0 && solver.operations > 0.0));
        assert!(full.iterations > 300 && decomposed.parts >= systems && full.parts == systems);
        assert!([schwarz, large, apart, twice, coarse].iter().all(|solver| solver.iterations < full.iterations));
        assert!(twice.iterations < schwarz.iterations && schwarz.iterations < apart.iterations, "overlap saves iterations");
        assert!(schwarz.parts > 2 * large.parts && twice.fill > schwarz.fill && schwarz.fill > apart.fill);
    }
}
