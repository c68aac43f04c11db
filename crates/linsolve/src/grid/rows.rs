use super::diagonal_blocks::DiagonalBlocks;
use super::stencil::Pending;
use super::tile::SymmetricTile;
use super::{GridOperator, GridShape, LANES};
use crate::Mat3;
use crate::symmetric_rows::SymmetricRows;

/// The diagonal blocks of a matrix on a grid.
#[derive(Debug)]
pub(crate) struct GridDiagonal {
    pending: Pending<6>,
    /// Shape \[tiles\].
    blocks: Vec<SymmetricTile>,
}

impl GridDiagonal {
    /// Memory for those of a shape.
    pub fn new(shape: GridShape) -> GridDiagonal {
        GridDiagonal { pending: Pending::new(shape), blocks: vec![SymmetricTile::ZERO; shape.tiles()] }
    }

    /// Takes those of a matrix, and gives its rows.
    pub fn rows_of<'a>(&'a mut self, operator: &'a GridOperator) -> GridRows<'a> {
        let GridDiagonal { pending, blocks } = self;
        operator.instruction_set().run(DiagonalBlocks { tiles: operator.tiles(), pending, blocks });
        GridRows { operator, diagonal: blocks }
    }
}

/// A matrix on a grid by its rows.
pub(crate) struct GridRows<'a> {
    operator: &'a GridOperator,
    diagonal: &'a [SymmetricTile],
}

impl GridRows<'_> {
    /// Steps by which a row has a coupling other than zero, with the rows that they lead to.
    fn steps(&self, row: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let acting = &self.operator.tiles()[row / LANES].acting;
        let acts = move |step: &usize| acting[*step] >> (row % LANES) & 1 == 1;
        let offsets = self.operator.shape().offsets();
        (0..8).filter(acts).map(move |step| (step, row + offsets[step]))
    }
}

impl SymmetricRows for GridRows<'_> {
    fn row_count(&self) -> usize {
        self.operator.shape().rows()
    }

    fn above_count(&self) -> usize {
        8 * self.row_count()
    }

    fn diagonal_block(&self, row: usize) -> Mat3 {
        self.diagonal[row / LANES].block(row % LANES)
    }

    fn joined(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.steps(row).map(|(_, other)| other)
    }

    fn couplings(&self, row: usize) -> impl Iterator<Item = (usize, Mat3)> + '_ {
        self.steps(row).map(move |(step, other)| (other, -self.operator.block(row, step)))
    }
}
