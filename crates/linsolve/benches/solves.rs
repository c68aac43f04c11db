//! A preconditioner and a solve to tol² = 1e-4 for a sheet of 80 x 80 rows that hangs from two corners: whole, and component
//! by component where it does not come apart, comes apart into strips, or into single rows.
//! `cargo bench --package clothlab-linsolve --bench solves`.

use divan::Bencher;
use linsolve::{
    AnyPreconditioner, BlockPattern, BlockRows, ConstrainedSystem, Constraint, Decompose, DecomposedCg, DiagonalKind,
    IncompleteCholesky, Mat3, PreconditionerKind, ProjectedCg, Settings, Ssor, Start, Vec3,
};

const SIDE: usize = 80;

/// Lines of the sheet that stay joined: all, ten, none.
const STRIPS: [usize; 3] = [SIDE, 10, 0];

const SETTINGS: Settings = Settings { start: Start::Corrected, tolerance_squared: 1e-4, error: None, iteration_limit: 10_000 };

const CP: PreconditionerKind = PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained);

fn main() {
    divan::main();
}

struct Problem {
    matrix: BlockRows,
    b: Vec<Vec3>,
    constraints: Vec<Constraint>,
    z: Vec<Vec3>,
}

impl Problem {
    fn new(strip: usize) -> Problem {
        let place = |row: usize| (row % SIDE, row / SIDE);
        let mut edges = Vec::new();
        for row in 0..SIDE * SIDE {
            let (u, v) = place(row);
            edges.extend((u + 1 < SIDE).then_some((row, row + 1)));
            edges.extend((v + 1 < SIDE).then_some((row, row + SIDE)));
            edges.extend((u + 1 < SIDE && v + 1 < SIDE).then_some((row, row + SIDE + 1)));
            edges.extend((u > 0 && v + 1 < SIDE).then_some((row, row + SIDE - 1)));
        }
        let mut matrix = BlockRows::new(BlockPattern::new(SIDE * SIDE, &edges));
        (0..SIDE * SIDE).for_each(|row| matrix.add_diagonal(row, &Mat3::identity()));
        for (edge, &(i, j)) in edges.iter().enumerate() {
            let ((u, v), (u2, v2)) = (place(i), place(j));
            let d = Vec3::new(u2 as f64 - u as f64, v2 as f64 - v as f64, 0.1 * (u % 3) as f64);
            let block = 20.0 * (0.95 * d * d.transpose() / d.norm_squared() + 0.05 * Mat3::identity());
            matrix.add_diagonal(i, &block);
            matrix.add_diagonal(j, &block);
            if strip > 0 && v / strip == v2 / strip {
                matrix.add_pair(edge, &-block);
            }
        }
        let mut constraints = vec![Constraint::Free; SIDE * SIDE];
        (constraints[0], constraints[SIDE - 1]) = (Constraint::Fixed, Constraint::Fixed);
        let b = (0..SIDE * SIDE).map(|row| Vec3::new(0.1 * (row % 7) as f64, 0.0, -1.0)).collect();
        Problem { matrix, b, constraints, z: vec![Vec3::zeros(); SIDE * SIDE] }
    }

    fn system(&self) -> ConstrainedSystem<'_, BlockRows> {
        ConstrainedSystem { operator: &self.matrix, b: &self.b, constraints: &self.constraints, z: &self.z }
    }
}

fn solve_whole(bencher: Bencher, kind: PreconditionerKind, strip: usize) {
    let problem = Problem::new(strip);
    let (mut preconditioner, mut solver) = (AnyPreconditioner::new(kind), ProjectedCg::new(SIDE * SIDE));
    bencher.bench_local(|| {
        let mut x = problem.z.clone();
        preconditioner.factor(&problem.matrix, &problem.constraints).expect("a positive definite matrix");
        solver.solve(&problem.system(), &mut x, &preconditioner, &SETTINGS)
    });
}

fn solve_decomposed(bencher: Bencher, decompose: Decompose, strip: usize) {
    let problem = Problem::new(strip);
    let mut solver = DecomposedCg::new(CP, decompose);
    bencher.bench_local(|| solver.solve(&problem.system(), &mut problem.z.clone(), &SETTINGS));
}

#[divan::bench(args = STRIPS)]
fn whole(bencher: Bencher, strip: usize) {
    solve_whole(bencher, CP, strip);
}

#[divan::bench(args = STRIPS)]
fn components(bencher: Bencher, strip: usize) {
    solve_decomposed(bencher, Decompose::Serial, strip);
}

#[divan::bench(args = STRIPS)]
fn components_over_threads(bencher: Bencher, strip: usize) {
    solve_decomposed(bencher, Decompose::Threaded, strip);
}

#[divan::bench]
fn whole_by_ssor(bencher: Bencher) {
    solve_whole(bencher, PreconditionerKind::Triangular(&Ssor::ENTRY), SIDE);
}

#[divan::bench]
fn whole_by_incomplete_cholesky(bencher: Bencher) {
    solve_whole(bencher, PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY), SIDE);
}
