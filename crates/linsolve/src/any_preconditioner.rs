use crate::automatic::Automatic;
use crate::triangles::TriangularRows;
use crate::upper_rows::Upper;
use crate::{
    Aggregation, BlockDiagonal, BlockRows, Breakdown, Constraint, DiagonalKind, Identity, Mat3, Parts, Preconditioner, Schwarz,
    TRIANGULAR, Vec3,
};

/// Which preconditioner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreconditionerKind {
    /// None: P = I.
    None,
    /// Of the 3x3 diagonal blocks: [`BlockDiagonal`].
    BlockDiagonal(DiagonalKind),
    /// By triangles: one of [`TRIANGULAR`].
    Triangular(&'static Triangular),
    /// Of overlapping parts of the mesh, each solved directly: [`Schwarz`].
    Schwarz(Parts),
    /// Constrained multigrid by aggregation, of any pattern: [`Aggregation`]; for single components the constrained blocks of the
    /// diagonal alone.
    Aggregation,
    /// Constrained multigrid on a grid, [`GridMultigrid`](crate::grid::GridMultigrid), which gives way to the constrained blocks of
    /// the diagonal where it stalls; in block rows and for single components these blocks alone.
    Multigrid,
    /// What the matrix of each solve calls for: where couplings are stiff beside what is on the diagonal without them, constrained
    /// multigrid, in single precision on a grid and by aggregation in block rows; the constrained blocks of the diagonal where they
    /// are not, and for single components.
    Automatic,
}

/// A preconditioner P = (D + U)ᵀ D⁻¹ (D + U) with block diagonal D and strictly upper U, without parameters: what names it, and
/// what gives its factors.
#[derive(Clone, Copy, Debug)]
pub struct Triangular {
    /// Its name in scene files.
    pub name: &'static str,
    /// Its name in tables.
    pub label: &'static str,
    /// Overwrites U, the block of every slot, and D⁻¹; how many shifts of the diagonal that took. Fully constrained rows take no
    /// part.
    pub(crate) factor: Factor,
}

/// From a matrix, its constraints, U and D⁻¹.
pub(crate) type Factor = fn(Upper<'_>, &[Constraint], &mut [Mat3], &mut [Mat3]) -> Result<usize, Breakdown>;

impl PartialEq for Triangular {
    fn eq(&self, other: &Triangular) -> bool {
        self.name == other.name
    }
}

impl Eq for Triangular {}

impl PreconditionerKind {
    /// Every kind, with its usual parameters.
    pub fn all() -> impl Iterator<Item = PreconditionerKind> {
        let blocks =
            [DiagonalKind::Diagonal, DiagonalKind::ABlock, DiagonalKind::Constrained].map(PreconditionerKind::BlockDiagonal);
        let triangular = TRIANGULAR.iter().map(PreconditionerKind::Triangular);
        let others = [
            PreconditionerKind::Schwarz(Parts::default()),
            PreconditionerKind::Aggregation,
            PreconditionerKind::Multigrid,
            PreconditionerKind::Automatic,
        ];
        [PreconditionerKind::None].into_iter().chain(blocks).chain(triangular).chain(others)
    }

    /// Its name in scene files.
    pub fn name(self) -> &'static str {
        match self {
            PreconditionerKind::None => "none",
            PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal) => "diagonal",
            PreconditionerKind::BlockDiagonal(DiagonalKind::ABlock) => "a-block",
            PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained) => "constrained",
            PreconditionerKind::Triangular(triangular) => triangular.name,
            PreconditionerKind::Schwarz(_) => "schwarz",
            PreconditionerKind::Aggregation => "aggregation",
            PreconditionerKind::Multigrid => "multigrid",
            PreconditionerKind::Automatic => "automatic",
        }
    }

    /// What it takes of the diagonal blocks, if anything, where there is no grid for it; none for those that work on rows.
    pub(crate) fn blocks(self) -> Option<Option<DiagonalKind>> {
        match self {
            PreconditionerKind::None => Some(None),
            PreconditionerKind::BlockDiagonal(kind) => Some(Some(kind)),
            PreconditionerKind::Multigrid | PreconditionerKind::Automatic => Some(Some(DiagonalKind::Constrained)),
            PreconditionerKind::Triangular(_) | PreconditionerKind::Schwarz(_) | PreconditionerKind::Aggregation => None,
        }
    }
}

/// One of the preconditioners, chosen while the program runs.
#[derive(Clone, Debug)]
pub struct AnyPreconditioner(Form);

#[derive(Clone, Debug)]
enum Form {
    None,
    BlockDiagonal(BlockDiagonal),
    Triangular(Factor, TriangularRows),
    Schwarz(Box<Schwarz>),
    Aggregation(Box<Aggregation>),
    Automatic(Box<Automatic>),
}

impl AnyPreconditioner {
    /// Of no rows, until it is factored.
    pub fn new(kind: PreconditionerKind) -> AnyPreconditioner {
        AnyPreconditioner(match (kind, kind.blocks()) {
            (PreconditionerKind::Triangular(triangular), _) => Form::Triangular(triangular.factor, TriangularRows::default()),
            (PreconditionerKind::Schwarz(parts), _) => Form::Schwarz(Box::new(Schwarz::new(parts))),
            (PreconditionerKind::Aggregation, _) => Form::Aggregation(Box::default()),
            (PreconditionerKind::Automatic, _) => Form::Automatic(Box::default()),
            (_, Some(Some(kind))) => Form::BlockDiagonal(BlockDiagonal::new(kind)),
            _ => Form::None,
        })
    }

    /// Factors a matrix; how many shifts of its diagonal that took, which only incomplete Cholesky needs.
    ///
    /// # Errors
    /// [`Breakdown`] where there is no factorisation. The preconditioner is I then.
    ///
    /// # Panics
    /// Unless there are as many constraints as rows.
    pub fn factor(&mut self, matrix: &BlockRows, constraints: &[Constraint]) -> Result<usize, Breakdown> {
        match &mut self.0 {
            Form::None => Ok(0),
            Form::BlockDiagonal(blocks) => blocks.factor(matrix, constraints).map(|()| 0),
            Form::Triangular(factor, rows) => rows.factor(matrix, constraints, *factor),
            Form::Schwarz(schwarz) => schwarz.factor(matrix, constraints).map(|()| 0),
            Form::Aggregation(aggregation) => aggregation.factor(matrix, constraints).map(|()| 0),
            Form::Automatic(automatic) => automatic.factor(matrix, constraints).map(|()| 0),
        }
    }

    /// What the last matrix was aggregated by, if it was.
    pub fn aggregation(&self) -> Option<&Aggregation> {
        match &self.0 {
            Form::Aggregation(aggregation) => Some(aggregation),
            Form::Automatic(automatic) => automatic.aggregation(),
            Form::None | Form::BlockDiagonal(_) | Form::Triangular(..) | Form::Schwarz(_) => None,
        }
    }
}

impl Preconditioner for AnyPreconditioner {
    /// Overwrites `h` with P⁻¹ r.
    ///
    /// # Panics
    /// Unless both have as many rows as were factored.
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        match &self.0 {
            Form::None => Identity.apply(r, h),
            Form::BlockDiagonal(blocks) => blocks.apply(r, h),
            Form::Triangular(_, rows) => rows.triangles().apply(r, h),
            Form::Schwarz(schwarz) => schwarz.apply(r, h),
            Form::Aggregation(aggregation) => aggregation.apply(r, h),
            Form::Automatic(automatic) => automatic.apply(r, h),
        }
    }

    fn apply_and_dot(&self, r: &[Vec3], h: &mut [Vec3]) -> f64 {
        match &self.0 {
            Form::None => Identity.apply_and_dot(r, h),
            Form::BlockDiagonal(blocks) => blocks.apply_and_dot(r, h),
            Form::Triangular(_, rows) => rows.triangles().apply_and_dot(r, h),
            Form::Schwarz(schwarz) => schwarz.apply_and_dot(r, h),
            Form::Aggregation(aggregation) => aggregation.apply_and_dot(r, h),
            Form::Automatic(automatic) => automatic.apply_and_dot(r, h),
        }
    }
}
