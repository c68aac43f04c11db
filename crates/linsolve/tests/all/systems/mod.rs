//! Systems that several tests solve.

#![allow(dead_code)] // every test file compiles its own copy

pub mod solving;

use linsolve::{BlockPattern, BlockRows, ConstrainedSystem, Constraint, Mat3, Operator, Vec3};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

/// A system and a guess at its solution.
#[derive(Clone, Debug)]
pub struct Problem {
    pub matrix: BlockRows,
    pub b: Vec<Vec3>,
    pub constraints: Vec<Constraint>,
    pub z: Vec<Vec3>,
    pub guess: Vec<Vec3>,
}

impl Problem {
    /// Nothing constrained, nothing known.
    pub fn free(matrix: BlockRows, b: Vec<Vec3>) -> Problem {
        let rows = b.len();
        let zeros = vec![Vec3::zeros(); rows];
        Problem { matrix, b, constraints: vec![Constraint::Free; rows], z: zeros.clone(), guess: zeros }
    }

    pub fn rows(&self) -> usize {
        self.b.len()
    }

    pub fn system(&self) -> ConstrainedSystem<'_, BlockRows> {
        ConstrainedSystem { operator: &self.matrix, b: &self.b, constraints: &self.constraints, z: &self.z }
    }
}

/// Adds (x_i - x_j)ᵀ K (x_i - x_j) of every edge, which is what a spring adds to A.
pub fn add_springs(matrix: &mut BlockRows, edges: &[(usize, usize)], stiffness: impl Fn(usize) -> Mat3) {
    for (edge, &(i, j)) in edges.iter().enumerate() {
        let block = stiffness(edge);
        matrix.add_diagonal(i, &block);
        matrix.add_diagonal(j, &block);
        matrix.add_pair(edge, &-block);
    }
}

/// Edges of a square sheet to the four neighbours and along both diagonals.
pub fn sheet_edges(side: usize) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for row in 0..side * side {
        let (column, last_line) = (row % side, row / side + 1 == side);
        if column + 1 < side {
            edges.push((row, row + 1));
        }
        if !last_line {
            edges.push((row, row + side));
            if column + 1 < side {
                edges.extend([(row, row + side + 1), (row + 1, row + side)]);
            }
        }
    }
    edges
}

/// Fills the matrix of a bent, taut sheet whose springs are `kappa` times as stiff as a row is heavy.
pub fn fill_sheet(matrix: &mut BlockRows, side: usize, edges: &[(usize, usize)], kappa: f64) {
    matrix.clear();
    for row in 0..side * side {
        matrix.add_diagonal(row, &Mat3::identity());
    }
    let position = |row: usize| {
        let (u, v) = ((row % side) as f64, (row / side) as f64);
        Vec3::new(u, v, 0.1 * u * u - 0.07 * u * v)
    };
    add_springs(matrix, edges, |edge| {
        let d = position(edges[edge].1) - position(edges[edge].0);
        kappa * (0.95 * d * d.transpose() / d.norm_squared() + 0.05 * Mat3::identity())
    });
}

/// The sheet with two corners fixed, its lower half on planes, as if it lay on a solid, and its last row on a line.
pub fn hanging_sheet(side: usize) -> Problem {
    let edges = sheet_edges(side);
    let mut matrix = BlockRows::new(BlockPattern::new(side * side, &edges));
    fill_sheet(&mut matrix, side, &edges, 20.0);
    let rows = side * side;
    let mut constraints = vec![Constraint::Free; rows];
    constraints[0] = Constraint::Fixed;
    constraints[side - 1] = Constraint::Fixed;
    for row in side * (side / 2)..rows {
        let normal = Vec3::new((row % side) as f64 - 2.0, (row / side) as f64 - 3.0, 2.0);
        constraints[row] = Constraint::plane(normal).expect("a direction");
    }
    constraints[rows - 1] = Constraint::line(Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.0, 1.0, 3.0)).expect("two directions");
    let varied = |row: usize, factor: usize| ((row * factor) % 101) as f64 / 50.0 - 1.0;
    let vector =
        |row: usize, factor: usize| Vec3::new(varied(3 * row, factor), varied(3 * row + 1, factor), varied(3 * row + 2, factor));
    Problem {
        matrix,
        b: (0..rows).map(|row| vector(row, 37) - 2.0 * Vec3::z()).collect(),
        constraints,
        z: (0..rows).map(|row| 0.1 * vector(row, 29)).collect(),
        guess: (0..rows).map(|row| vector(row, 53)).collect(),
    }
}

/// The scalar Laplacian of a square grid times the unit block, with fixed values 0 around it; no index arrays.
pub struct GridLaplacian {
    pub side: usize,
}

impl Operator for GridLaplacian {
    fn rows(&self) -> usize {
        self.side * self.side
    }

    fn apply(&self, x: &[Vec3], y: &mut [Vec3]) {
        let side = self.side;
        for row in 0..self.rows() {
            let (u, v) = (row % side, row / side);
            let mut sum = 4.0 * x[row];
            for (inside, neighbour) in [
                (u > 0, row.wrapping_sub(1)),
                (u + 1 < side, row + 1),
                (v > 0, row.wrapping_sub(side)),
                (v + 1 < side, row + side),
            ] {
                if inside {
                    sum -= x[neighbour];
                }
            }
            y[row] = sum;
        }
    }

    fn diagonal_blocks(&self, blocks: &mut [Mat3]) {
        blocks.fill(4.0 * Mat3::identity());
    }
}

pub fn vector() -> impl Strategy<Value = Vec3> {
    (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

pub fn constraint() -> impl Strategy<Value = Constraint> {
    (0..4, vector(), vector()).prop_filter_map("two directions", |(ndof, first, second)| match ndof {
        0 => Some(Constraint::Fixed),
        1 => Constraint::line(first, second).ok(),
        2 => Constraint::plane(first).ok(),
        _ => Some(Constraint::Free),
    })
}

/// Small graphs with random springs, masses, constraints and vectors, everything of A and b times `scale`.
pub fn problem(scale: f64) -> impl Strategy<Value = Problem> {
    (2..9_usize).prop_flat_map(move |rows| {
        let edges = prop::collection::vec((0..rows, 1..rows, vector(), 0.1..20.0), 0..3 * rows);
        let vectors = || prop::collection::vec(vector(), rows);
        let constraints = prop::collection::vec(constraint(), rows);
        (edges, prop::collection::vec(0.5..2.0, rows), constraints, vectors(), vectors(), vectors()).prop_map(
            move |(springs, masses, constraints, b, z, guess): (Vec<_>, Vec<f64>, Vec<_>, Vec<Vec3>, _, _)| {
                let edges: Vec<_> = springs.iter().map(|&(i, step, _, _)| (i, (i + step) % rows)).collect();
                let mut matrix = BlockRows::new(BlockPattern::new(rows, &edges));
                for (row, mass) in masses.iter().enumerate() {
                    matrix.add_diagonal(row, &(scale * *mass * Mat3::identity()));
                }
                add_springs(&mut matrix, &edges, |edge| {
                    let (_, _, d, stiffness) = springs[edge];
                    scale * stiffness * (d * d.transpose() + 0.05 * Mat3::identity())
                });
                Problem { matrix, b: b.iter().map(|b| scale * b).collect(), constraints, z, guess }
            },
        )
    })
}

/// A as a matrix of scalars, from its blocks.
pub fn dense(matrix: &BlockRows) -> DMatrix<f64> {
    let mut dense = DMatrix::zeros(3 * matrix.rows(), 3 * matrix.rows());
    for row in 0..matrix.rows() {
        dense.fixed_view_mut::<3, 3>(3 * row, 3 * row).copy_from(matrix.diagonal(row));
        for (column, block) in matrix.above(row) {
            dense.fixed_view_mut::<3, 3>(3 * row, 3 * column).copy_from(block);
            dense.fixed_view_mut::<3, 3>(3 * column, 3 * row).copy_from(&block.transpose());
        }
    }
    dense
}

/// S as a matrix of scalars.
pub fn dense_projection(constraints: &[Constraint]) -> DMatrix<f64> {
    let mut dense = DMatrix::zeros(3 * constraints.len(), 3 * constraints.len());
    for (row, constraint) in constraints.iter().enumerate() {
        dense.fixed_view_mut::<3, 3>(3 * row, 3 * row).copy_from(&constraint.projection());
    }
    dense
}

/// S A S + c (I - S) as a matrix of scalars, with c of each row as the library has it.
pub fn dense_projected(problem: &Problem) -> DMatrix<f64> {
    let s = dense_projection(&problem.constraints);
    let mut projected = &s * dense(&problem.matrix) * &s;
    for (row, constraint) in problem.constraints.iter().enumerate() {
        let block = constraint.project_block(problem.matrix.diagonal(row));
        projected.fixed_view_mut::<3, 3>(3 * row, 3 * row).copy_from(&block);
    }
    projected
}

/// (D + L) D⁻¹ (D + L)ᵀ from the lower triangle and the diagonal of blocks of a matrix.
fn product_of_triangles(a: &DMatrix<f64>) -> DMatrix<f64> {
    let mut inverse = DMatrix::zeros(a.nrows(), a.nrows());
    let lower = DMatrix::from_fn(a.nrows(), a.nrows(), |i, j| if j / 3 <= i / 3 { a[(i, j)] } else { 0.0 });
    for k in (0..a.nrows()).step_by(3) {
        let block = a.fixed_view::<3, 3>(k, k).try_inverse().expect("a regular block");
        inverse.fixed_view_mut::<3, 3>(k, k).copy_from(&block);
    }
    &lower * inverse * lower.transpose()
}

/// P of symmetric relaxation by its formula.
pub fn dense_ssor(problem: &Problem, omega: f64) -> DMatrix<f64> {
    let mut a = dense_projected(problem);
    for k in (0..a.nrows()).step_by(3) {
        a.fixed_view_mut::<3, 3>(k, k).scale_mut(1.0 / omega);
    }
    product_of_triangles(&a) / (2.0 - omega)
}

/// P of incomplete Cholesky by the textbook's elimination in place, without shifts.
pub fn dense_incomplete_cholesky(problem: &Problem) -> DMatrix<f64> {
    let mut a = dense_projected(problem);
    let rows = problem.rows();
    let block = |a: &DMatrix<f64>, i: usize, j: usize| -> Mat3 { a.fixed_view::<3, 3>(3 * i, 3 * j).into_owned() };
    let whole = a.clone();
    let is_kept = |i: usize, j: usize| block(&whole, i, j) != Mat3::zeros();
    for k in 0..rows {
        let inverse = block(&a, k, k).try_inverse().expect("a regular block");
        for i in (k + 1..rows).filter(|&i| is_kept(i, k)) {
            for j in (k + 1..=i).filter(|&j| is_kept(j, k) && is_kept(i, j)) {
                let update = block(&a, i, k) * inverse * block(&a, j, k).transpose();
                let left = block(&a, i, j) - update;
                a.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&left);
            }
        }
    }
    product_of_triangles(&a)
}

pub fn flat(x: &[Vec3]) -> DVector<f64> {
    DVector::from_iterator(3 * x.len(), x.iter().flat_map(|x| x.iter().copied()))
}

/// Largest difference between two vectors over the largest entry of either.
pub fn relative_difference(x: &[Vec3], y: &[Vec3]) -> f64 {
    let (x, y) = (flat(x), flat(y));
    (&x - &y).amax() / x.amax().max(y.amax()).max(f64::MIN_POSITIVE)
}
