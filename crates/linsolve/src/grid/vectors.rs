use super::constrained_tiles::ConstrainedTiles;
use super::direction_pass::{DirectionPass, ProductPass};
use super::residual_pass::{ResidualPass, SubtractionPass};
use super::stencil::Pending;
use super::tile::SymmetricTile;
use super::{GridOperator, GridShape, GridVector};
use crate::lanes::Number;
use crate::{Constraint, Vec3};

/// What conjugate gradients keep beside A and P⁻¹, and their two passes over memory.
#[derive(Debug)]
pub(super) struct Vectors<S = f64> {
    pub constrained: ConstrainedTiles<S>,
    pending: Pending<3, S>,
    pub x: GridVector<S>,
    /// Projected residual.
    pub r: GridVector<S>,
    /// Search direction.
    pub p: GridVector<S>,
    /// S P⁻¹ r, and A p from the first pass to the second.
    pub h: GridVector<S>,
}

impl Vectors {
    /// r = S b, whatever stands in rows of b that are fully constrained.
    pub fn project_to_residual(&mut self, constraints: &[Constraint], b: &[Vec3]) {
        self.r.set(b.iter().copied());
        for row in self.constrained.rows(b.len()) {
            let mut projected = b[row];
            constraints[row].project(&mut projected);
            self.r.set_row(row, projected);
        }
    }

    /// r = S (r - alpha h); gives the largest of its numbers by their size.
    pub fn subtract(&mut self, operator: &GridOperator, alpha: f64) -> f64 {
        let Vectors { constrained, r, h, .. } = self;
        operator.instruction_set().run(SubtractionPass { constrained, alpha, r, h })
    }
}

impl<S: Number> Vectors<S> {
    /// Zeros, and no constraints.
    pub fn new(shape: GridShape) -> Vectors<S> {
        let zeros = || GridVector::zeros(shape);
        Vectors {
            constrained: ConstrainedTiles::new(shape),
            pending: Pending::new(shape),
            x: zeros(),
            r: zeros(),
            p: zeros(),
            h: zeros(),
        }
    }

    /// h = A p, for [`Vectors::precondition`] to take up.
    pub fn multiply(&mut self, operator: &GridOperator<S>) {
        let Vectors { pending, p, h, .. } = self;
        operator.run(ProductPass { operator, pending, p, s: h });
    }

    /// x += alpha p, p = h + beta p, then h = A p; gives pᵀ A p.
    pub fn move_along(&mut self, operator: &GridOperator<S>, alpha: f64, beta: f64) -> f64 {
        let Vectors { pending, x, p, h, .. } = self;
        operator.run(DirectionPass { operator, pending, alpha, beta, h, x, p })
    }

    /// r = S (r - alpha h), then h = S P⁻¹ r; gives rᵀ h.
    pub fn precondition(&mut self, operator: &GridOperator<S>, inverses: &[SymmetricTile<S>], alpha: f64) -> f64 {
        let Vectors { constrained, r, h, .. } = self;
        operator.instruction_set().run(ResidualPass { inverses, constrained, alpha, r, h })
    }
}
