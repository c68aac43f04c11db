use crate::{
    BlockDiagonal, BlockRows, Breakdown, Constraint, DiagonalKind, Identity, IncompleteCholesky, Preconditioner, Ssor, Vec3,
};

/// Which preconditioner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreconditionerKind {
    /// None: P = I.
    None,
    /// Of the 3x3 diagonal blocks: [`BlockDiagonal`].
    BlockDiagonal(DiagonalKind),
    /// Constrained incomplete Cholesky without fill: [`IncompleteCholesky`].
    IncompleteCholesky,
    /// Constrained symmetric Gauss-Seidel: [`Ssor`] with omega = 1.
    Ssor,
    /// Constrained multigrid on a grid, [`GridMultigrid`](crate::grid::GridMultigrid), which gives way to the constrained blocks of
    /// the diagonal where it stalls; in block rows and for single components these blocks alone.
    Multigrid,
}

impl PreconditionerKind {
    /// What it takes of the diagonal blocks, if anything, where there is no grid for it; none for those that sweep over rows.
    pub(crate) fn blocks(self) -> Option<Option<DiagonalKind>> {
        match self {
            PreconditionerKind::None => Some(None),
            PreconditionerKind::BlockDiagonal(kind) => Some(Some(kind)),
            PreconditionerKind::Multigrid => Some(Some(DiagonalKind::Constrained)),
            PreconditionerKind::IncompleteCholesky | PreconditionerKind::Ssor => None,
        }
    }
}

/// One of the preconditioners, chosen while the program runs.
#[derive(Clone, Debug)]
pub enum AnyPreconditioner {
    /// None.
    None,
    /// Of the 3x3 diagonal blocks.
    BlockDiagonal(BlockDiagonal),
    /// Constrained incomplete Cholesky.
    IncompleteCholesky(IncompleteCholesky),
    /// Constrained symmetric Gauss-Seidel.
    Ssor(Ssor),
}

impl AnyPreconditioner {
    /// Of no rows, until it is factored.
    pub fn new(kind: PreconditionerKind) -> AnyPreconditioner {
        match kind {
            PreconditionerKind::None => AnyPreconditioner::None,
            PreconditionerKind::BlockDiagonal(kind) => AnyPreconditioner::BlockDiagonal(BlockDiagonal::new(kind)),
            PreconditionerKind::IncompleteCholesky => AnyPreconditioner::IncompleteCholesky(IncompleteCholesky::new()),
            PreconditionerKind::Ssor => AnyPreconditioner::Ssor(Ssor::default()),
            PreconditionerKind::Multigrid => AnyPreconditioner::BlockDiagonal(BlockDiagonal::new(DiagonalKind::Constrained)),
        }
    }

    /// Factors a matrix; how many shifts of its diagonal that took, which only incomplete Cholesky needs.
    ///
    /// # Errors
    /// [`Breakdown`] where there is no factorisation. The preconditioner is I then.
    ///
    /// # Panics
    /// Unless there are as many constraints as rows.
    pub fn factor(&mut self, matrix: &BlockRows, constraints: &[Constraint]) -> Result<usize, Breakdown> {
        match self {
            AnyPreconditioner::None => Ok(0),
            AnyPreconditioner::BlockDiagonal(blocks) => blocks.factor(matrix, constraints).map(|()| 0),
            AnyPreconditioner::IncompleteCholesky(factor) => factor.factor(matrix, constraints),
            AnyPreconditioner::Ssor(ssor) => ssor.factor(matrix, constraints).map(|()| 0),
        }
    }
}

impl Preconditioner for AnyPreconditioner {
    /// Overwrites `h` with P⁻¹ r.
    ///
    /// # Panics
    /// Unless both have as many rows as were factored.
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        match self {
            AnyPreconditioner::None => Identity.apply(r, h),
            AnyPreconditioner::BlockDiagonal(blocks) => blocks.apply(r, h),
            AnyPreconditioner::IncompleteCholesky(factor) => factor.apply(r, h),
            AnyPreconditioner::Ssor(ssor) => ssor.apply(r, h),
        }
    }

    fn apply_and_dot(&self, r: &[Vec3], h: &mut [Vec3]) -> f64 {
        match self {
            AnyPreconditioner::None => Identity.apply_and_dot(r, h),
            AnyPreconditioner::BlockDiagonal(blocks) => blocks.apply_and_dot(r, h),
            AnyPreconditioner::IncompleteCholesky(factor) => factor.apply_and_dot(r, h),
            AnyPreconditioner::Ssor(ssor) => ssor.apply_and_dot(r, h),
        }
    }
}
