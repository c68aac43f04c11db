//! Systems on a grid against what memory allows, on one thread: products and iterations of conjugate gradients for N x N rows with
//! 16 couplings each, in packed rows and in the form of a grid, beside the triad a = b + s c at the footprint of the latter.
//!
//! All are measured in turn, again and again; the table has medians. An iteration is the difference of a long and a short solve.

use std::hint::black_box;

use linsolve::grid::{GridBlockDiagonal, GridCg, GridOperator, GridShape, GridSingle, GridVector, STEPS};
use linsolve::lanes::{Eight, InstructionSet, Kernel};
use linsolve::{
    BlockDiagonal, BlockPattern, BlockRows, ConstrainedSystem, Constraint, DiagonalKind, Mat3, Operator, PackedRows, ProjectedCg,
    Settings, Start, Vec3,
};

use crate::clock::medians;

const SIDES: [usize; 5] = [40, 80, 160, 320, 640];

/// Iterations of the short and of the long solve.
const LIMITS: [usize; 2] = [2, 22];

/// Bytes a row of a product on a grid: 29 coefficients, and p and s.
const PRODUCT_BYTES: usize = 8 * (29 + 2 * 3);

/// Of an iteration: coefficients, 6 numbers of P⁻¹, x, p and h in the first pass and r and h in the second, all of them read and
/// written.
const ITERATION_BYTES: usize = 8 * (29 + 6 + 6 * 3 + 4 * 3);

/// What an iteration keeps a row: coefficients, P⁻¹, four vectors.
const ITERATION_FOOTPRINT: usize = 8 * (29 + 6 + 4 * 3);

/// Prints the table.
pub fn print() {
    println!("## Roofline");
    println!();
    println!(
        "| N | product, general [ns/row] | grid [ns/row] | triad [GB/s] | of triad | \
         iteration, general [ns/row] | grid [ns/row] | triad [GB/s] | of triad | grid [us] | grid, single [us] |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for side in SIDES {
        println!("{}", line(side));
    }
}

/// A line of the table.
fn line(side: usize) -> String {
    let problem = Problem::new(side);
    let rows = side * side;
    let mut triads = [PRODUCT_BYTES, ITERATION_FOOTPRINT].map(|bytes| Triad::new(bytes * rows));
    let [triad, wide_triad] = &mut triads;
    let x: Vec<Vec3> = problem.b.clone();
    let mut y = x.clone();
    let mut p = GridVector::new(problem.shape);
    p.set(x.iter().copied());
    let mut s = GridVector::new(problem.shape);
    let mut product = problem.grid.product();
    let mut solvers = [problem.general_solver(), problem.general_solver()];
    let [short, long] = &mut solvers;
    let mut grid_solvers = [problem.grid_solver(), problem.grid_solver()];
    let [grid_short, grid_long] = &mut grid_solvers;
    let mut single_solvers = [problem.single_solver(), problem.single_solver()];
    let [single_short, single_long] = &mut single_solvers;
    let times = medians([
        &mut || problem.general.apply(&x, &mut y),
        &mut || product.apply(&problem.grid, &p, &mut s),
        &mut || triad.run(),
        &mut || wide_triad.run(),
        &mut || short(LIMITS[0]),
        &mut || long(LIMITS[1]),
        &mut || grid_short(LIMITS[0]),
        &mut || grid_long(LIMITS[1]),
        &mut || single_short(LIMITS[0]),
        &mut || single_long(LIMITS[1]),
    ]);
    let [general, grid, triad, wide_triad, short, long, grid_short, grid_long, single_short, single_long] =
        times.map(|time| 1e9 * time / rows as f64);
    let iterations = (LIMITS[1] - LIMITS[0]) as f64;
    let (iteration, grid_iteration) = ((long - short) / iterations, (grid_long - grid_short) / iterations);
    let single_iteration = (single_long - single_short) / iterations;
    let bandwidths = [PRODUCT_BYTES as f64 / triad, ITERATION_FOOTPRINT as f64 / wide_triad]; // bytes/ns = GB/s
    let of_triad = PRODUCT_BYTES as f64 / grid / bandwidths[0];
    let iteration_of_triad = ITERATION_BYTES as f64 / grid_iteration / bandwidths[1];
    format!(
        "| {side} | {general:.1} | {grid:.2} | {:.0} | {of_triad:.2} | {iteration:.1} | {grid_iteration:.2} | {:.0} | \
         {iteration_of_triad:.2} | {:.1} | {:.1} |",
        bandwidths[0],
        bandwidths[1],
        1e-3 * grid_iteration * rows as f64,
        1e-3 * single_iteration * rows as f64
    )
}

/// A bent, taut sheet of N x N rows, held at two corners.
struct Problem {
    shape: GridShape,
    blocks: BlockRows,
    general: PackedRows,
    grid: GridOperator,
    b: Vec<Vec3>,
    constraints: Vec<Constraint>,
    z: Vec<Vec3>,
}

impl Problem {
    fn new(side: usize) -> Problem {
        let shape = GridShape::new(side, side);
        let rows = shape.rows();
        let couplings = (0..rows).flat_map(|row| (0..STEPS.len()).filter_map(move |step| Some((row, shape.after(row, step)?))));
        let couplings: Vec<(usize, usize)> = couplings.collect();
        let mut blocks = BlockRows::new(BlockPattern::new(rows, &couplings));
        let mut grid = GridOperator::new(shape, InstructionSet::best());
        for row in 0..rows {
            blocks.add_diagonal(row, &Mat3::identity());
            grid.set_diagonal(row, 1.0);
        }
        let position = |row: usize| {
            let (u, v) = ((row % side) as f64, (row / side) as f64);
            Vec3::new(u, v, 0.3 * libm::sin(0.5 * u) * libm::cos(0.3 * v))
        };
        for (k, &(i, j)) in couplings.iter().enumerate() {
            let m = 10.0 * (position(j) - position(i)).normalize();
            let place = shape.place(i, j).expect("a step of the grid");
            let a = f64::from(u8::from(place.is_near()));
            let block = Mat3::from_diagonal_element(a) + m * m.transpose();
            blocks.add_diagonal(i, &block);
            blocks.add_diagonal(j, &block);
            blocks.add_pair(k, &-block);
            grid.set_coupling(place, a, &m);
        }
        let b = (0..rows).map(|row| Vec3::new((row * 37 % 101) as f64, (row * 53 % 97) as f64, -100.0) * 0.01).collect();
        let mut constraints = vec![Constraint::Free; rows];
        (constraints[0], constraints[side - 1]) = (Constraint::Fixed, Constraint::Fixed);
        let mut general = PackedRows::default();
        general.pack(&blocks);
        Problem { shape, blocks, general, grid, b, constraints, z: vec![Vec3::zeros(); rows] }
    }

    fn system<'a, O>(&'a self, operator: &'a O) -> ConstrainedSystem<'a, O> {
        ConstrainedSystem { operator, b: &self.b, constraints: &self.constraints, z: &self.z }
    }

    /// A solve of some iterations in the general form.
    fn general_solver(&self) -> impl FnMut(usize) + '_ {
        let mut preconditioner = BlockDiagonal::new(DiagonalKind::ABlock);
        preconditioner.factor(&self.blocks, &self.constraints).expect("a positive definite matrix");
        let mut solver = ProjectedCg::new(self.shape.rows());
        let mut x = self.z.clone();
        move |limit| {
            x.fill(Vec3::zeros());
            black_box(solver.solve(&self.system(&self.general), &mut x, &preconditioner, &settings(limit)));
        }
    }

    /// A solve of some iterations on the grid.
    fn grid_solver(&self) -> impl FnMut(usize) + '_ {
        let mut preconditioner = GridBlockDiagonal::new(Some(DiagonalKind::ABlock), self.shape);
        preconditioner.factor(&self.grid, &self.constraints).expect("a positive definite matrix");
        let mut solver = GridCg::new(self.shape);
        let mut x = self.z.clone();
        move |limit| {
            x.fill(Vec3::zeros());
            black_box(solver.solve(&self.system(&self.grid), &mut x, &preconditioner, &settings(limit)));
        }
    }

    /// A solve of some iterations on the grid in single precision, in one correction.
    fn single_solver(&self) -> impl FnMut(usize) + '_ {
        let mut preconditioner = GridBlockDiagonal::new(Some(DiagonalKind::ABlock), self.shape);
        preconditioner.factor(&self.grid, &self.constraints).expect("a positive definite matrix");
        let (mut solver, mut single) = (GridCg::new(self.shape), GridSingle::new(self.shape));
        let mut x = self.z.clone();
        move |limit| {
            x.fill(Vec3::zeros());
            let report = solver.solve_in_single(&self.system(&self.grid), &mut x, &preconditioner, &mut single, &settings(limit));
            assert_eq!((report.single_iterations, report.corrections), (limit, 1), "an end but the limit");
        }
    }
}

/// Without an end but the limit.
fn settings(iteration_limit: usize) -> Settings {
    Settings { start: Start::Corrected, tolerance_squared: 0.0, error: None, iteration_limit }
}

/// a = b + s c
struct Triad {
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
}

impl Triad {
    /// Arrays of that size together.
    fn new(bytes: usize) -> Triad {
        let ones = vec![1.0; bytes / (3 * size_of::<f64>())];
        Triad { a: ones.clone(), b: ones.clone(), c: ones }
    }

    fn run(&mut self) {
        InstructionSet::best().run(Sweep(self));
        black_box(&self.a);
    }
}

struct Sweep<'a>(&'a mut Triad);

impl Kernel for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Triad { a, b, c } = self.0;
        let s = black_box(0.5);
        for ((a, b), c) in a.iter_mut().zip(b.iter()).zip(c.iter()) {
            *a = b + s * c;
        }
    }
}
