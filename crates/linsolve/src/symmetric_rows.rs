use crate::{BlockRows, Mat3};

/// A symmetric matrix of 3x3 blocks, read row by row on and above its diagonal.
pub(crate) trait SymmetricRows {
    fn row_count(&self) -> usize;

    /// The most blocks above the diagonal that it can have.
    fn above_count(&self) -> usize;

    /// Columns above the diagonal in which a row may have blocks, filled or not.
    fn places(&self, row: usize) -> impl Iterator<Item = usize> + '_;

    /// The block at (row, row).
    fn diagonal_block(&self, row: usize) -> Mat3;

    /// Columns of the blocks of a row above the diagonal that are filled, ascending.
    fn joined(&self, row: usize) -> impl Iterator<Item = usize> + '_;

    /// These blocks with their columns, of those columns that are wanted.
    fn couplings<'a>(&'a self, row: usize, wanted: impl Fn(usize) -> bool + 'a) -> impl Iterator<Item = (usize, Mat3)> + 'a;
}

impl SymmetricRows for BlockRows {
    fn row_count(&self) -> usize {
        self.pattern().rows()
    }

    fn above_count(&self) -> usize {
        self.pattern().above_count()
    }

    fn places(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.pattern().above(row)
    }

    fn diagonal_block(&self, row: usize) -> Mat3 {
        *self.diagonal(row)
    }

    fn joined(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.filled_above(row).map(|(column, _)| column)
    }

    fn couplings<'a>(&'a self, row: usize, wanted: impl Fn(usize) -> bool + 'a) -> impl Iterator<Item = (usize, Mat3)> + 'a {
        self.filled_above(row).filter(move |(column, _)| wanted(*column)).map(|(column, block)| (column, *block))
    }
}
