use crate::block::multiply;
use crate::{Mat3, Operator, Vec3};

/// Where a symmetric matrix of 3x3 blocks may be non-zero: on the diagonal and at both places of every edge, in compressed
/// rows. Built once; filling a matrix then searches nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPattern {
    /// Slots of row i are starts[i] .. starts[i + 1], shape \[rows + 1\].
    starts: Vec<usize>,
    /// Column of every slot, ascending within a row.
    columns: Vec<u32>,
    /// Slot of (i, i) for every row i.
    diagonal: Vec<usize>,
    /// Slots of (i, j) and (j, i) for every edge.
    pairs: Vec<[usize; 2]>,
}

impl BlockPattern {
    /// The pattern of `rows` rows that are coupled by `edges` (i, j). An edge may come twice, in either direction: both
    /// then share their blocks.
    ///
    /// # Panics
    /// Where an edge leaves the rows or joins a row with itself, and beyond 2³² rows.
    pub fn new(rows: usize, edges: &[(usize, usize)]) -> BlockPattern {
        let index = |row: usize| u32::try_from(row).expect("fewer than 2^32 rows");
        let mut places: Vec<(u32, u32)> = (0..rows).map(|row| (index(row), index(row))).collect();
        for &(i, j) in edges {
            assert!(i < rows && j < rows && i != j, "the edge ({i}, {j}) does not join two of {rows} rows");
            places.extend([(index(i), index(j)), (index(j), index(i))]);
        }
        places.sort_unstable();
        places.dedup();
        let slot = |i: usize, j: usize| places.partition_point(|&place| place < (index(i), index(j)));
        BlockPattern {
            starts: (0..rows).map(|row| slot(row, 0)).chain([places.len()]).collect(),
            diagonal: (0..rows).map(|row| slot(row, row)).collect(),
            pairs: edges.iter().map(|&(i, j)| [slot(i, j), slot(j, i)]).collect(),
            columns: places.iter().map(|&(_, column)| column).collect(),
        }
    }

    /// Number of rows of blocks.
    pub fn rows(&self) -> usize {
        self.diagonal.len()
    }

    /// Number of edges that it was built from.
    pub fn edge_count(&self) -> usize {
        self.pairs.len()
    }

    /// Number of stored blocks.
    pub fn block_count(&self) -> usize {
        self.columns.len()
    }

    /// Columns of the stored blocks of a row, ascending.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn columns(&self, row: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.columns[self.starts[row]..self.starts[row + 1]].iter().map(|&column| column as usize)
    }
}

/// A symmetric matrix in block compressed rows: a pattern and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockRows {
    pattern: BlockPattern,
    /// The block of every slot.
    blocks: Vec<Mat3>,
}

impl BlockRows {
    /// The zero matrix of a pattern.
    pub fn new(pattern: BlockPattern) -> BlockRows {
        let blocks = vec![Mat3::zeros(); pattern.block_count()];
        BlockRows { pattern, blocks }
    }

    /// Where blocks are stored.
    pub fn pattern(&self) -> &BlockPattern {
        &self.pattern
    }

    /// Sets every block to zero and keeps the pattern.
    pub fn clear(&mut self) {
        self.blocks.fill(Mat3::zeros());
    }

    /// Adds a symmetric block at (row, row).
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn add_diagonal(&mut self, row: usize, block: &Mat3) {
        self.blocks[self.pattern.diagonal[row]] += block;
    }

    /// Adds a block at (i, j) and its transpose at (j, i), where (i, j) is the edge of that index in the list that the pattern
    /// was built from.
    ///
    /// # Panics
    /// Where there is no such edge.
    pub fn add_pair(&mut self, edge: usize, block: &Mat3) {
        let [upper, lower] = self.pattern.pairs[edge];
        self.blocks[upper] += block;
        self.blocks[lower] += block.transpose();
    }

    /// Stored blocks of a row with their columns, ascending.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = (usize, &Mat3)> + '_ {
        self.pattern.columns(row).zip(&self.blocks[self.pattern.starts[row]..self.pattern.starts[row + 1]])
    }

    /// Stored blocks as (row, column, block), row by row.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, usize, &Mat3)> + '_ {
        (0..self.rows()).flat_map(|row| self.row(row).map(move |(column, block)| (row, column, block)))
    }

    /// Those of the stored blocks that have an entry other than zero.
    pub fn nonzero_blocks(&self) -> impl Iterator<Item = (usize, usize, &Mat3)> + '_ {
        self.blocks().filter(|(_, _, block)| block.iter().any(|&entry| entry != 0.0))
    }
}

impl Operator for BlockRows {
    fn rows(&self) -> usize {
        self.pattern.rows()
    }

    /// Overwrites `y` with A x, row by row and in the order of the columns.
    ///
    /// # Panics
    /// Unless both have as many rows as the matrix.
    fn apply(&self, x: &[Vec3], y: &mut [Vec3]) {
        assert_eq!((x.len(), y.len()), (self.rows(), self.rows()), "rows of x and y");
        for (slots, y) in self.pattern.starts.windows(2).zip(y) {
            let (columns, blocks) = (&self.pattern.columns[slots[0]..slots[1]], &self.blocks[slots[0]..slots[1]]);
            let mut sum = Vec3::zeros();
            for (&column, block) in columns.iter().zip(blocks) {
                sum += multiply(block, &x[column as usize]); // y_i = sum over j of A_ij x_j
            }
            *y = sum;
        }
    }

    /// Overwrites `blocks` with the diagonal blocks.
    ///
    /// # Panics
    /// Unless there are as many as rows.
    fn diagonal_blocks(&self, blocks: &mut [Mat3]) {
        assert_eq!(blocks.len(), self.rows(), "one block for each row");
        for (block, &slot) in blocks.iter_mut().zip(&self.pattern.diagonal) {
            *block = self.blocks[slot];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(first: f64) -> Mat3 {
        Mat3::from_fn(|i, j| first + (3 * i + j) as f64)
    }

    #[test]
    fn duplicate_and_reversed_edges_share_their_blocks() {
        let pattern = BlockPattern::new(4, &[(2, 0), (0, 1), (0, 2), (2, 0)]);
        assert_eq!((pattern.rows(), pattern.edge_count(), pattern.block_count()), (4, 4, 8));
        let columns: Vec<Vec<usize>> = (0..4).map(|row| pattern.columns(row).collect()).collect();
        assert_eq!(columns, [vec![0, 1, 2], vec![0, 1], vec![0, 2], vec![3]]);

        let mut matrix = BlockRows::new(pattern);
        matrix.add_pair(0, &counting(1.0)); // at (2, 0)
        matrix.add_pair(2, &counting(10.0)); // at (0, 2)
        matrix.add_diagonal(3, &counting(5.0));
        let stored: Vec<_> = matrix.nonzero_blocks().map(|(row, column, block)| (row, column, *block)).collect();
        let corner = counting(1.0).transpose() + counting(10.0);
        assert_eq!(stored, [(0, 2, corner), (2, 0, corner.transpose()), (3, 3, counting(5.0))]);
        assert_eq!(matrix.blocks().count(), 8);
        matrix.clear();
        assert_eq!(matrix.nonzero_blocks().count(), 0);
        assert_eq!(matrix.blocks().count(), 8);
    }

    #[test]
    fn a_product_by_hand() {
        let mut matrix = BlockRows::new(BlockPattern::new(2, &[(1, 0)]));
        matrix.add_diagonal(0, &(2.0 * Mat3::identity()));
        matrix.add_diagonal(1, &(3.0 * Mat3::identity()));
        matrix.add_pair(0, &Mat3::new(0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)); // x_0.y into row 1.x
        let x = [Vec3::new(1.0, 10.0, 100.0), Vec3::new(5.0, 6.0, 7.0)];
        let mut y = [Vec3::repeat(f64::NAN); 2];
        matrix.apply(&x, &mut y);
        assert_eq!(y, [Vec3::new(2.0, 25.0, 200.0), Vec3::new(25.0, 18.0, 21.0)]);
        let mut diagonal = [Mat3::zeros(); 2];
        matrix.diagonal_blocks(&mut diagonal);
        assert_eq!(diagonal, [2.0 * Mat3::identity(), 3.0 * Mat3::identity()]);
    }

    #[test]
    #[should_panic(expected = "the edge (1, 1) does not join two of 3 rows")]
    fn an_edge_from_a_row_to_itself_is_refused() {
        BlockPattern::new(3, &[(0, 1), (1, 1)]);
    }

    #[test]
    #[should_panic(expected = "rows of x and y")]
    fn a_vector_of_another_length_is_refused() {
        BlockRows::new(BlockPattern::new(3, &[])).apply(&[Vec3::zeros(); 2], &mut [Vec3::zeros(); 3]);
    }
}
