//! How the systems of tests are solved.

use linsolve::{
    AnyPreconditioner, BlockPattern, BlockRows, DiagonalKind, IncompleteCholesky, Mat3, Parts, Preconditioner,
    PreconditionerKind, ProjectedCg, Settings, SolveReport, SparseCholesky, Ssor, Start, Vec3,
};
use nalgebra::DMatrix;

use super::{Problem, dense_projection, flat};

pub const STARTS: [Start; 3] = [Start::Original, Start::Corrected, Start::FirstResidual];

pub const NONE: PreconditionerKind = PreconditionerKind::None;
pub const A_BLOCK: PreconditionerKind = PreconditionerKind::BlockDiagonal(DiagonalKind::ABlock);
pub const CP: PreconditionerKind = PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained);

/// In parts so small that tests have several.
pub const SCHWARZ: PreconditionerKind = PreconditionerKind::Schwarz(Parts { rows: 4, overlap: 1, coarse: false });

/// All preconditioners.
pub const KINDS: [PreconditionerKind; 8] = [
    NONE,
    PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal),
    A_BLOCK,
    CP,
    PreconditionerKind::Triangular(&Ssor::ENTRY),
    PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY),
    SCHWARZ,
    PreconditionerKind::Aggregation,
];

/// Far below what the thesis asks for.
pub fn exactly(start: Start) -> Settings {
    Settings { start, tolerance_squared: 1e-26, error: None, iteration_limit: 1000 }
}

pub fn factored(problem: &Problem, kind: PreconditionerKind) -> AnyPreconditioner {
    let mut preconditioner = AnyPreconditioner::new(kind);
    preconditioner.factor(&problem.matrix, &problem.constraints).expect("a positive definite matrix");
    preconditioner
}

/// The solution from the guess of the problem, in a workspace of its own.
pub fn solve(problem: &Problem, kind: PreconditionerKind, settings: &Settings) -> (SolveReport, Vec<Vec3>) {
    let mut x = problem.guess.clone();
    let preconditioner = factored(problem, kind);
    let report = ProjectedCg::new(problem.rows()).solve(&problem.system(), &mut x, &preconditioner, settings);
    (report, x)
}

pub fn solve_directly(problem: &Problem) -> Vec<Vec3> {
    let mut x = vec![Vec3::repeat(f64::NAN); problem.rows()];
    SparseCholesky::new(problem.matrix.pattern()).solve(&problem.system(), &mut x).expect("a positive definite matrix");
    x
}

/// A block diagonal matrix.
pub fn block_diagonal(blocks: &[Mat3]) -> BlockRows {
    let mut matrix = BlockRows::new(BlockPattern::new(blocks.len(), &[]));
    for (row, block) in blocks.iter().enumerate() {
        matrix.add_diagonal(row, block);
    }
    matrix
}

/// Largest |(I - S)(x - z)| over the largest entry of x and z.
pub fn constraint_error(problem: &Problem, x: &[Vec3]) -> f64 {
    let prescribed = DMatrix::identity(3 * x.len(), 3 * x.len()) - dense_projection(&problem.constraints);
    let (x, z) = (flat(x), flat(&problem.z));
    (prescribed * (&x - &z)).amax() / x.amax().max(z.amax())
}

/// P⁻¹, column by column.
pub fn inverse(preconditioner: &impl Preconditioner, rows: usize) -> DMatrix<f64> {
    let columns = (0..3 * rows).map(|column| {
        let mut unit = vec![Vec3::zeros(); rows];
        unit[column / 3][column % 3] = 1.0;
        let mut h = vec![Vec3::repeat(f64::NAN); rows];
        preconditioner.apply(&unit, &mut h);
        flat(&h)
    });
    DMatrix::from_columns(&columns.collect::<Vec<_>>())
}
