use super::diagonal_blocks::DiagonalBlocks;
use super::stencil::Pending;
use super::tile::SymmetricTile;
use super::{GridOperator, GridShape, LANES};
use crate::block::{inverse_and_pivots, is_positive};
use crate::lanes::{Eight, Kernel};
use crate::preconditioner::invert_block;
use crate::{Breakdown, Constraint, DiagonalKind, Mat3};

/// The preconditioners of [`BlockDiagonal`](crate::BlockDiagonal), and none, for a grid: the inverses of 3x3 blocks in tiles.
#[derive(Debug)]
pub struct GridBlockDiagonal {
    kind: Option<DiagonalKind>,
    shape: GridShape,
    pending: Pending<6>,
    /// P⁻¹, shape \[tiles\].
    inverses: Vec<SymmetricTile>,
}

impl GridBlockDiagonal {
    /// P = I until it is factored; without a kind it stays so.
    pub fn new(kind: Option<DiagonalKind>, shape: GridShape) -> GridBlockDiagonal {
        let inverses = vec![SymmetricTile::ZERO; shape.tiles()];
        let mut preconditioner = GridBlockDiagonal { kind, shape, pending: Pending::new(shape), inverses };
        preconditioner.reset();
        preconditioner
    }

    /// Its rows.
    pub fn shape(&self) -> GridShape {
        self.shape
    }

    /// What it takes of the diagonal blocks.
    pub fn kind(&self) -> Option<DiagonalKind> {
        self.kind
    }

    /// Factors the diagonal blocks of an operator; allocates nothing.
    ///
    /// # Errors
    /// [`Breakdown`] at the first block that is not finite or not positive definite. All blocks are I then.
    ///
    /// # Panics
    /// Where the shapes differ, and unless there are as many constraints as rows.
    pub fn factor(&mut self, operator: &GridOperator, constraints: &[Constraint]) -> Result<(), Breakdown> {
        assert_eq!(operator.shape(), self.shape, "shapes of the operator and of its preconditioner");
        assert_eq!(constraints.len(), self.shape.rows(), "one constraint for each row");
        let Some(kind) = self.kind else { return Ok(()) };
        let GridBlockDiagonal { pending, inverses: tiles, .. } = self;
        let set = operator.instruction_set();
        set.run(DiagonalBlocks { tiles: operator.tiles(), pending, blocks: &mut *tiles });
        let inverted = set.run(Invert { kind, constraints, tiles });
        if inverted.is_err() {
            self.reset();
        }
        inverted
    }

    /// P = I.
    fn reset(&mut self) {
        for row in 0..self.shape.rows() {
            self.inverses[row / LANES].set(row % LANES, &Mat3::identity());
        }
    }

    /// P⁻¹, shape \[tiles\], zero behind the last row.
    pub(super) fn inverses(&self) -> &[SymmetricTile] {
        &self.inverses
    }
}

/// Turns diagonal blocks of A into those of P⁻¹, in place.
pub(super) struct Invert<'a> {
    pub kind: DiagonalKind,
    pub constraints: &'a [Constraint],
    pub tiles: &'a mut [SymmetricTile],
}

impl Kernel for Invert<'_> {
    type Output = Result<(), Breakdown>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Result<(), Breakdown> {
        for (number, (constraints, tile)) in self.constraints.chunks(LANES).zip(self.tiles).enumerate() {
            let free = constraints.len() == LANES && constraints.iter().all(|constraint| *constraint == Constraint::Free);
            let inverted = if free { invert_free::<E>(self.kind, tile) } else { None };
            match inverted {
                Some(inverted) => *tile = inverted,
                None => invert_rows(self.kind, number, constraints, tile)?,
            }
        }
        Ok(())
    }
}

/// P⁻¹ of eight free rows; none unless all have one.
#[inline(always)]
fn invert_free<E: Eight>(kind: DiagonalKind, tile: &SymmetricTile) -> Option<SymmetricTile> {
    let mut entries: [E; 6] = tile.load();
    if kind == DiagonalKind::Diagonal {
        [1, 2, 4].into_iter().for_each(|q| entries[q] = E::splat(0.0));
    }
    let (inverse, pivots) = inverse_and_pivots(entries, E::splat(1.0));
    let mut stored = [[0.0; LANES]; 3];
    (0..3).for_each(|q| pivots[q].store(&mut stored[q]));
    let [d1, d2, d3] = stored;
    let [a11, _, _, a22, _, a33] = &tile.0;
    let positive = (0..LANES)
        .all(|lane| is_positive(d1[lane], a11[lane]) && is_positive(d2[lane], a22[lane]) && is_positive(d3[lane], a33[lane]));
    let mut inverted = SymmetricTile::ZERO;
    (0..6).for_each(|q| inverse[q].store(&mut inverted.0[q]));
    (positive && inverted.0.as_flattened().iter().all(|entry| entry.is_finite())).then_some(inverted)
}

/// The same row by row.
fn invert_rows(kind: DiagonalKind, number: usize, constraints: &[Constraint], tile: &mut SymmetricTile) -> Result<(), Breakdown> {
    for (lane, constraint) in constraints.iter().enumerate() {
        let inverse = invert_block(kind, constraint, &tile.block(lane), number * LANES + lane)?;
        tile.set(lane, &inverse);
    }
    Ok(())
}
