use std::ops::Range;

use crate::block_rows::multiply_symmetric;
use crate::symmetric_rows::SymmetricRows;
use crate::{Mat3, Operator, Vec3};

/// A symmetric matrix of 3x3 blocks by those on and above its diagonal, row after row without gaps: what a
/// [`BlockRows`](crate::BlockRows) holds, without the rows that are left out, refilled in place.
#[derive(Clone, Debug)]
pub(crate) struct UpperRows {
    /// Slots of row i are starts\[i\] .. starts\[i + 1\], shape \[rows + 1\].
    starts: Vec<usize>,
    /// Column of every slot, ascending within a row.
    columns: Vec<u32>,
    /// Shape \[rows\].
    diagonal: Vec<Mat3>,
    /// The block of every slot.
    blocks: Vec<Mat3>,
}

impl Default for UpperRows {
    /// Of no rows.
    fn default() -> UpperRows {
        UpperRows { starts: vec![0], columns: Vec::new(), diagonal: Vec::new(), blocks: Vec::new() }
    }
}

impl UpperRows {
    /// Takes some rows of a matrix, in the given order. `column` says under which column a row of the matrix is found in the
    /// others, or none for a row without couplings; between coupled rows it keeps their order. Allocates only for a pattern
    /// larger than ever before.
    pub fn fill(
        &mut self,
        matrix: &impl SymmetricRows,
        rows: impl Iterator<Item = usize>,
        column: impl Fn(usize) -> Option<u32>,
    ) {
        let UpperRows { starts, columns, diagonal, blocks } = self;
        starts.clear();
        columns.clear();
        diagonal.clear();
        blocks.clear();
        starts.reserve(matrix.row_count() + 1);
        columns.reserve(matrix.above_count());
        diagonal.reserve(matrix.row_count());
        blocks.reserve(matrix.above_count());
        starts.push(0);
        for row in rows {
            diagonal.push(matrix.diagonal_block(row));
            if column(row).is_some() {
                for (other, block) in matrix.couplings(row, |other| column(other).is_some()) {
                    columns.extend(column(other));
                    blocks.push(block);
                }
            }
            starts.push(columns.len());
        }
    }

    /// All of its rows.
    pub fn view(&self) -> Upper<'_> {
        self.range(0..self.diagonal.len())
    }

    /// Some of its rows, whose columns are counted from the first of them.
    pub fn range(&self, rows: Range<usize>) -> Upper<'_> {
        let slots = self.starts[rows.start]..self.starts[rows.end];
        Upper {
            starts: &self.starts[rows.start..=rows.end],
            columns: &self.columns[slots.clone()],
            diagonal: &self.diagonal[rows],
            blocks: &self.blocks[slots],
        }
    }
}

/// Rows of an [`UpperRows`] that follow each other, with columns counted from the first of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Upper<'a> {
    /// Where the slots of each row begin in the whole, and where the last ones end.
    starts: &'a [usize],
    /// Column of every slot.
    pub columns: &'a [u32],
    /// Shape \[rows\].
    pub diagonal: &'a [Mat3],
    /// The block of every slot.
    pub blocks: &'a [Mat3],
}

impl Upper<'_> {
    pub fn slots(&self, row: usize) -> Range<usize> {
        self.starts[row] - self.starts[0]..self.starts[row + 1] - self.starts[0]
    }
}

impl SymmetricRows for Upper<'_> {
    fn row_count(&self) -> usize {
        self.rows()
    }

    fn above_count(&self) -> usize {
        self.columns.len()
    }

    fn places(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.joined(row)
    }

    fn diagonal_block(&self, row: usize) -> Mat3 {
        self.diagonal[row]
    }

    fn joined(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        self.columns[self.slots(row)].iter().map(|column| *column as usize)
    }

    fn couplings<'a>(&'a self, row: usize, wanted: impl Fn(usize) -> bool + 'a) -> impl Iterator<Item = (usize, Mat3)> + 'a {
        let slots = self.slots(row).map(|slot| (self.columns[slot] as usize, self.blocks[slot]));
        slots.filter(move |(column, _)| wanted(*column))
    }
}

impl Operator for Upper<'_> {
    fn rows(&self) -> usize {
        self.diagonal.len()
    }

    fn apply(&self, x: &[Vec3], y: &mut [Vec3]) {
        self.apply_and_dot(x, y);
    }

    fn apply_and_dot(&self, x: &[Vec3], y: &mut [Vec3]) -> f64 {
        let above = |row| self.slots(row).map(|slot| (self.columns[slot] as usize, &self.blocks[slot]));
        multiply_symmetric(self.diagonal, above, x, y)
    }

    fn diagonal_blocks(&self, blocks: &mut [Mat3]) {
        blocks.copy_from_slice(self.diagonal);
    }
}
