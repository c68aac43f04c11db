use super::{GridBlockDiagonal, GridCg, GridRows, GridShape};
use crate::{Breakdown, ConstrainedSystem, Constraint, DiagonalKind, Settings, SolveReport, Vec3};

/// A connected component of a system on a grid, solved on the whole grid with all other rows held: nothing joins it with one that
/// moves.
#[derive(Debug)]
pub(crate) struct LargeComponent {
    cg: GridCg,
    preconditioner: GridBlockDiagonal,
    constraints: Vec<Constraint>,
    b: Vec<Vec3>,
    z: Vec<Vec3>,
    x: Vec<Vec3>,
}

impl LargeComponent {
    /// Memory for one of a grid.
    pub fn new(kind: Option<DiagonalKind>, shape: GridShape) -> LargeComponent {
        let zeros = || vec![Vec3::zeros(); shape.rows()];
        LargeComponent {
            cg: GridCg::new(shape),
            preconditioner: GridBlockDiagonal::new(kind, shape),
            constraints: vec![Constraint::Fixed; shape.rows()],
            b: zeros(),
            z: zeros(),
            x: zeros(),
        }
    }

    pub fn shape(&self) -> GridShape {
        self.preconditioner.shape()
    }

    /// Solves the system of the given rows, in whose order `system` and `x` are; gives its report and whether it could be
    /// preconditioned, with the row in the whole system.
    pub fn solve(
        &mut self,
        matrix: &GridRows<'_>,
        rows: &[usize],
        system: (&[Constraint], &[Vec3], &[Vec3]),
        x: &mut [Vec3],
        settings: &Settings,
    ) -> (SolveReport, Result<(), Breakdown>) {
        let (constraints, b, z) = system;
        self.constraints.fill(Constraint::Fixed);
        for vector in [&mut self.b, &mut self.z, &mut self.x] {
            vector.fill(Vec3::zeros());
        }
        for (k, &row) in rows.iter().enumerate() {
            (self.constraints[row], self.b[row], self.z[row], self.x[row]) = (constraints[k], b[k], z[k], x[k]);
        }
        let &GridRows { operator, diagonal, .. } = matrix;
        let factored = self.preconditioner.factor_known(operator.instruction_set(), diagonal, &self.constraints);
        let whole = ConstrainedSystem { operator, b: &self.b, constraints: &self.constraints, z: &self.z };
        let report = self.cg.solve(&whole, &mut self.x, &self.preconditioner, settings);
        for (x, &row) in x.iter_mut().zip(rows) {
            *x = self.x[row];
        }
        let count = rows.len() * report.products;
        (SolveReport { row_vector_count: count, row_vector_count_free: count, ..report }, factored)
    }
}
