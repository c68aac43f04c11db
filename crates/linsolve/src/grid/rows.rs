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
        operator.run(DiagonalBlocks { tiles: operator.tiles(), pending, blocks });
        GridRows { operator, diagonal: blocks, offsets: operator.shape().offsets() }
    }
}

/// A matrix on a grid by its rows.
pub(crate) struct GridRows<'a> {
    operator: &'a GridOperator,
    diagonal: &'a [SymmetricTile],
    /// From a row to the one that each step leads to.
    offsets: [usize; 8],
}

impl<'a> GridRows<'a> {
    /// The matrix.
    pub fn operator(&self) -> &'a GridOperator {
        self.operator
    }

    /// Its diagonal blocks, shape \[tiles\].
    pub(super) fn diagonal(&self) -> &'a [SymmetricTile] {
        self.diagonal
    }

    /// Steps by which a row has a coupling other than zero, with the rows that they lead to.
    #[inline]
    fn steps(&self, row: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let acting = &self.operator.tiles()[row / LANES].acting;
        let acts = move |step: &usize| acting[*step] >> (row % LANES) & 1 == 1;
        (0..8).filter(acts).map(move |step| (step, row + self.offsets[step]))
    }
}

impl SymmetricRows for GridRows<'_> {
    fn row_count(&self) -> usize {
        self.operator.shape().rows()
    }

    fn above_count(&self) -> usize {
        8 * self.row_count()
    }

    #[inline]
    fn diagonal_block(&self, row: usize) -> Mat3 {
        let lanes = &self.diagonal[row / LANES].0;
        let [xx, xy, xz, yy, yz, zz] = std::array::from_fn(|q| lanes[q][row % LANES]);
        Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
    }

    #[inline]
    fn joined(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.steps(row).map(|(_, other)| other)
    }

    #[inline]
    fn couplings<'a>(&'a self, row: usize, wanted: impl Fn(usize) -> bool + 'a) -> impl Iterator<Item = (usize, Mat3)> + 'a {
        let steps = self.steps(row).filter(move |(_, other)| wanted(*other));
        steps.map(move |(step, other)| (other, -self.operator.block(row, step)))
    }
}
