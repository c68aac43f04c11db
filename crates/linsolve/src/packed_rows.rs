use crate::upper_rows::UpperRows;
use crate::{BlockRows, Mat3, Operator, Vec3};

/// The filled blocks of a [`BlockRows`], one after the other in memory, so that a product reads nothing else. It sums in the order
/// of the matrix that it was packed from, to the same bits.
#[derive(Clone, Debug, Default)]
pub struct PackedRows {
    rows: UpperRows,
}

impl PackedRows {
    /// Takes all rows of a matrix. Allocates only for a larger pattern than ever before.
    pub fn pack(&mut self, matrix: &BlockRows) {
        let column = |row: usize| Some(row as u32); // rows keep their numbers, of which a pattern has fewer than 2³²
        self.rows.fill(matrix, 0..matrix.pattern().rows(), column);
    }
}

impl Operator for PackedRows {
    fn rows(&self) -> usize {
        self.rows.view().rows()
    }

    fn apply(&self, x: &[Vec3], y: &mut [Vec3]) {
        self.rows.view().apply(x, y);
    }

    fn apply_and_dot(&self, x: &[Vec3], y: &mut [Vec3]) -> f64 {
        self.rows.view().apply_and_dot(x, y)
    }

    fn diagonal_blocks(&self, blocks: &mut [Mat3]) {
        self.rows.view().diagonal_blocks(blocks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockPattern;

    #[test]
    fn its_products_are_those_of_the_matrix_to_the_bit() {
        let edges = [(0, 1), (3, 1), (1, 2), (0, 3), (2, 3)];
        let mut matrix = BlockRows::new(BlockPattern::new(4, &edges));
        (0..4).for_each(|row| matrix.add_diagonal(row, &(Mat3::identity() * (7.3 + row as f64))));
        for edge in [4, 1, 0] {
            matrix.add_pair(edge, &Mat3::from_fn(|i, j| 0.1 * (edge + 3 * i + j) as f64 - 0.7));
        }
        let mut packed = PackedRows::default();
        packed.pack(&matrix);
        assert_eq!((packed.rows(), matrix.filled_count()), (4, 3));
        let x: Vec<Vec3> = (0..4).map(|row| Vec3::new(1.0, 0.7, -1.3) / (f64::from(row) + 0.1)).collect();
        let [mut y, mut expected] = [(); 2].map(|()| vec![Vec3::repeat(f64::NAN); 4]);
        assert_eq!(packed.apply_and_dot(&x, &mut y), matrix.apply_and_dot(&x, &mut expected));
        assert_eq!(y, expected);
        let [mut y, mut expected] = [[Mat3::zeros(); 4]; 2];
        packed.diagonal_blocks(&mut y);
        matrix.diagonal_blocks(&mut expected);
        assert_eq!(y, expected);
    }
}
