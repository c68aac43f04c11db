use crate::block::{multiply, multiply_transposed};
use crate::dot::RunningDot;
use crate::lanes::{CACHED, prefetch};
use crate::{Mat3, Operator, Vec3};

/// Where a symmetric matrix of 3x3 blocks may be non-zero: on the diagonal and at both places of every edge. Kept are the
/// places above the diagonal, in compressed rows. Built once; filling a matrix then searches nothing but a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPattern {
    /// Slots of row i are starts[i] .. starts[i + 1], shape \[rows + 1\].
    starts: Vec<usize>,
    /// Column of every slot, above the row and ascending within it.
    columns: Vec<u32>,
    /// Place of every edge.
    places: Vec<Place>,
}

/// Where the block of an edge (i, j) is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// The smaller one of i and j.
    row: u32,
    slot: usize,
    /// Whether i > j, so that the transpose is kept.
    transposed: bool,
}

impl BlockPattern {
    /// The pattern of `rows` rows that are coupled by `edges` (i, j). An edge may come twice, in either direction: both
    /// then share their blocks.
    ///
    /// # Panics
    /// Where an edge leaves the rows or joins a row with itself, and beyond 2³² rows.
    pub fn new(rows: usize, edges: &[(usize, usize)]) -> BlockPattern {
        let index = |row: usize| u32::try_from(row).expect("fewer than 2^32 rows");
        let mut above = Vec::with_capacity(edges.len());
        for &(i, j) in edges {
            assert!(i < rows && j < rows && i != j, "the edge ({i}, {j}) does not join two of {rows} rows");
            above.push((index(i.min(j)), index(i.max(j))));
        }
        let mut sorted = above.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let slot = |place: (u32, u32)| sorted.partition_point(|&other| other < place);
        BlockPattern {
            starts: (0..=rows).map(|row| sorted.partition_point(|&(other, _)| (other as usize) < row)).collect(),
            places: (edges.iter().zip(&above))
                .map(|(&(i, j), &place)| Place { row: place.0, slot: slot(place), transposed: i > j })
                .collect(),
            columns: sorted.iter().map(|&(_, column)| column).collect(),
        }
    }

    /// Number of rows of blocks.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of edges that it was built from.
    pub fn edge_count(&self) -> usize {
        self.places.len()
    }

    /// Number of places above the diagonal.
    pub fn above_count(&self) -> usize {
        self.columns.len()
    }

    /// Columns of the places of a row above the diagonal, ascending.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn above(&self, row: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.columns[self.starts[row]..self.starts[row + 1]].iter().map(|&column| column as usize)
    }
}

/// A symmetric matrix of 3x3 blocks: a pattern and its values on and above the diagonal.
///
/// It keeps account of the blocks to which something was added, and a product passes over the others: couplings of which
/// few are there cost no more than these few.
#[derive(Clone, Debug)]
pub struct BlockRows {
    pattern: BlockPattern,
    /// Shape \[rows\].
    diagonal: Vec<Mat3>,
    /// The block of every slot.
    blocks: Vec<Mat3>,
    /// Whether each slot is filled.
    is_filled: Vec<bool>,
    /// The slots of row i that are filled, ascending, are those at starts[i] .. ends[i].
    filled: Vec<usize>,
    /// Shape \[rows\].
    ends: Vec<usize>,
}

impl BlockRows {
    /// The zero matrix of a pattern.
    pub fn new(pattern: BlockPattern) -> BlockRows {
        BlockRows {
            diagonal: vec![Mat3::zeros(); pattern.rows()],
            blocks: vec![Mat3::zeros(); pattern.above_count()],
            is_filled: vec![false; pattern.above_count()],
            filled: vec![0; pattern.above_count()],
            ends: pattern.starts[..pattern.rows()].to_vec(),
            pattern,
        }
    }

    /// Where blocks are kept.
    pub fn pattern(&self) -> &BlockPattern {
        &self.pattern
    }

    /// Sets every block to zero and keeps the pattern.
    pub fn clear(&mut self) {
        self.diagonal.fill(Mat3::zeros());
        for (start, end) in self.pattern.starts.iter().zip(&mut self.ends) {
            for &slot in &self.filled[*start..*end] {
                self.blocks[slot] = Mat3::zeros();
                self.is_filled[slot] = false;
            }
            *end = *start;
        }
    }

    /// Adds a symmetric block at (row, row).
    ///
    /// # Panics
    /// Where there is no such row.
    #[inline(always)]
    pub fn add_diagonal(&mut self, row: usize, block: &Mat3) {
        self.diagonal[row] += block;
    }

    /// Adds a block at (i, j) and its transpose at (j, i), where (i, j) is the edge of that index in the list that the pattern
    /// was built from. A block of zeros fills nothing.
    ///
    /// # Panics
    /// Where there is no such edge.
    #[inline(always)]
    pub fn add_pair(&mut self, edge: usize, block: &Mat3) {
        let Place { row, slot, transposed } = self.pattern.places[edge];
        if !self.is_filled[slot] {
            if block.iter().all(|&entry| entry == 0.0) {
                return;
            }
            self.fill(row as usize, slot);
        }
        if transposed {
            self.blocks[slot] += block.transpose();
        } else {
            self.blocks[slot] += block;
        }
    }

    /// Takes a slot of a row among those that are filled.
    #[cold]
    fn fill(&mut self, row: usize, slot: usize) {
        self.is_filled[slot] = true;
        let (start, end) = (self.pattern.starts[row], self.ends[row]);
        let mut place = end;
        while place > start && self.filled[place - 1] > slot {
            self.filled[place] = self.filled[place - 1];
            place -= 1;
        }
        self.filled[place] = slot;
        self.ends[row] += 1;
    }

    /// Number of blocks above the diagonal to which something was added since the matrix was zero.
    pub fn filled_count(&self) -> usize {
        self.pattern.starts.iter().zip(&self.ends).map(|(start, end)| end - start).sum()
    }

    /// The block at (row, row).
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn diagonal(&self, row: usize) -> &Mat3 {
        &self.diagonal[row]
    }

    /// Blocks of a row above the diagonal with their columns, ascending, zero or not: one for each place of the pattern.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn above(&self, row: usize) -> impl ExactSizeIterator<Item = (usize, &Mat3)> + '_ {
        self.pattern.above(row).zip(&self.blocks[self.pattern.starts[row]..self.pattern.starts[row + 1]])
    }

    /// Those of them to which something was added since the matrix was zero.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn filled_above(&self, row: usize) -> impl ExactSizeIterator<Item = (usize, &Mat3)> + '_ {
        let slots = &self.filled[self.pattern.starts[row]..self.ends[row]];
        slots.iter().map(|&slot| (self.pattern.columns[slot] as usize, &self.blocks[slot]))
    }
}

/// How far ahead the blocks of a matrix that comes from memory are asked for \[B\].
const AHEAD: usize = 2048;

impl Operator for BlockRows {
    fn rows(&self) -> usize {
        self.pattern.rows()
    }

    /// Overwrites `y` with A x, each row summed in the order of the columns, over the blocks that are filled.
    ///
    /// # Panics
    /// Unless both have as many rows as the matrix.
    fn apply(&self, x: &[Vec3], y: &mut [Vec3]) {
        self.apply_and_dot(x, y);
    }

    fn apply_and_dot(&self, x: &[Vec3], y: &mut [Vec3]) -> f64 {
        if size_of_val(&*self.blocks) <= CACHED {
            return multiply_symmetric(&self.diagonal, |row| self.filled_above(row), x, y);
        }
        let ahead = |block: &Mat3| prefetch(std::ptr::from_ref(block).wrapping_byte_add(AHEAD).cast(), size_of_val(block));
        multiply_symmetric(&self.diagonal, |row| self.filled_above(row).inspect(|(_, block)| ahead(block)), x, y)
    }

    /// Overwrites `blocks` with the diagonal blocks.
    ///
    /// # Panics
    /// Unless there are as many as rows.
    fn diagonal_blocks(&self, blocks: &mut [Mat3]) {
        blocks.copy_from_slice(&self.diagonal);
    }
}

/// Overwrites `y` with A x for a symmetric A, known by its diagonal and by the blocks of each row above it with ascending
/// columns; all shapes \[rows\]. Every row is summed in the order of the columns, since the rows before it have added their
/// transposed blocks when its turn comes. Gives xᵀ y, whose sums wait for nothing beside so many products.
pub(crate) fn multiply_symmetric<'a, I>(diagonal: &[Mat3], above: impl Fn(usize) -> I, x: &[Vec3], y: &mut [Vec3]) -> f64
where
    I: Iterator<Item = (usize, &'a Mat3)>,
{
    assert_eq!((x.len(), y.len()), (diagonal.len(), diagonal.len()), "rows of x and y");
    y.fill(Vec3::zeros());
    let mut along = RunningDot::default();
    for (row, block) in diagonal.iter().enumerate() {
        let x_row = x[row];
        let mut sum = y[row] + multiply(block, &x_row);
        for (column, block) in above(row) {
            sum += multiply(block, &x[column]); // y_i = sum over j of A_ij x_j
            y[column] += multiply_transposed(block, &x_row); // and A_ji = A_ijᵀ
        }
        y[row] = sum;
        along.add(&x_row, &sum);
    }
    along.total()
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
        assert_eq!((pattern.rows(), pattern.edge_count(), pattern.above_count()), (4, 4, 2));
        let columns: Vec<Vec<usize>> = (0..4).map(|row| pattern.above(row).collect()).collect();
        assert_eq!(columns, [vec![1, 2], vec![], vec![], vec![]]);

        let mut matrix = BlockRows::new(pattern);
        matrix.add_pair(0, &counting(1.0)); // at (2, 0)
        matrix.add_pair(2, &counting(10.0)); // at (0, 2)
        matrix.add_diagonal(3, &counting(5.0));
        let corner = counting(1.0).transpose() + counting(10.0);
        assert_eq!(matrix.above(0).collect::<Vec<_>>(), [(1, &Mat3::zeros()), (2, &corner)]);
        assert_eq!(matrix.filled_above(0).collect::<Vec<_>>(), [(2, &corner)]);
        assert_eq!(matrix.diagonal(3), &counting(5.0));
        matrix.add_pair(1, &Mat3::zeros());
        assert_eq!(matrix.filled_above(0).len(), 1, "zeros fill nothing");
        matrix.add_pair(1, &counting(2.0));
        assert_eq!(matrix.filled_above(0).collect::<Vec<_>>(), [(1, &counting(2.0)), (2, &corner)], "columns ascend");
        matrix.clear();
        assert_eq!((matrix.filled_above(0).len(), matrix.diagonal(3)), (0, &Mat3::zeros()));
        assert_eq!(matrix.above(0).collect::<Vec<_>>(), [(1, &Mat3::zeros()), (2, &Mat3::zeros())]);
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
    fn a_product_sums_the_filled_blocks_in_the_order_of_the_columns_to_the_bit() {
        let edges: Vec<(usize, usize)> = (0..30).map(|k| (k * 7 % 12, (k * 5 + 1) % 12)).filter(|&(i, j)| i != j).collect();
        let mut matrix = BlockRows::new(BlockPattern::new(12, &edges));
        let mut whole = vec![[Mat3::zeros(); 12]; 12];
        for row in 0..12 {
            let block = Mat3::identity() / (row as f64 + 0.3);
            matrix.add_diagonal(row, &block);
            whole[row][row] += block;
        }
        // three quarters stay empty; from the last edge to the first, so that rows are not filled in order
        for (edge, &(i, j)) in edges.iter().enumerate().rev().step_by(4) {
            let block = counting(edge as f64) / 7.0;
            matrix.add_pair(edge, &block);
            whole[i][j] += block;
            whole[j][i] += block.transpose();
        }
        let x: Vec<Vec3> = (0..12).map(|row| Vec3::new(1.0, 0.7, -1.3) / (f64::from(row) + 0.1)).collect();
        let mut y = vec![Vec3::repeat(f64::NAN); 12];
        matrix.apply(&x, &mut y);
        for (y, blocks) in y.iter().zip(&whole) {
            let filled = blocks.iter().zip(&x).filter(|(block, _)| **block != Mat3::zeros());
            assert_eq!(*y, filled.fold(Vec3::zeros(), |sum, (block, x)| sum + multiply(block, x)));
        }
        assert_eq!(matrix.apply_and_dot(&x, &mut y.clone()), crate::dot::dot(&x, &y));
        // an empty block is not multiplied: what it would take does not matter
        let Some((row, column)) = edges.iter().copied().find(|&(i, j)| whole[i][j] == Mat3::zeros()) else {
            panic!("all blocks are filled")
        };
        let (mut spoilt, mut same) = (x.clone(), y.clone());
        spoilt[column] = Vec3::repeat(f64::NAN);
        matrix.apply(&spoilt, &mut same);
        assert_eq!(same[row], y[row]);
        assert!(same[column].x.is_nan());
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
