use super::tile::SymmetricTile;
use super::{GridDiagonal, GridOperator, LANES};
use crate::Mat3;
use crate::symmetric_rows::SymmetricRows;

/// A matrix on a grid by its rows.
pub(crate) struct GridRows<'a> {
    /// The matrix.
    pub operator: &'a GridOperator,
    /// Its diagonal blocks, shape \[tiles\].
    pub(super) diagonal: &'a [SymmetricTile],
    /// From a row to the one that each step leads to.
    offsets: [usize; 8],
}

impl<'a> GridRows<'a> {
    /// The rows of a matrix, whose diagonal blocks are put into `diagonal`.
    pub fn of(operator: &'a GridOperator, diagonal: &'a mut GridDiagonal) -> GridRows<'a> {
        diagonal.fill(operator);
        GridRows { operator, diagonal: &diagonal.blocks, offsets: operator.shape().offsets() }
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

    fn places(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let shape = self.operator.shape();
        (0..8).filter_map(move |step| shape.after(row, step))
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
