use crate::block::multiply;
use crate::dot::RunningDot;
use crate::lanes::{CACHED, Eight, InstructionSet, Kernel, prefetch};
use crate::{BlockRows, Mat3, Operator, Vec3};

/// The filled blocks of a [`BlockRows`], one after the other in memory, so that a product reads nothing else, and multiplied column by
/// column, in lanes. It sums in the order of the matrix that it was packed from, to the same bits.
#[derive(Clone, Debug)]
pub struct PackedRows {
    set: InstructionSet,
    /// Slots of row i are starts\[i\] .. starts\[i + 1\], shape \[rows + 1\].
    starts: Vec<usize>,
    /// Column of every slot, ascending within a row.
    columns: Vec<u32>,
    /// Shape \[rows\].
    diagonal: Vec<Mat3>,
    /// Whether the block of every slot is symmetric to the bit, as those of springs are.
    is_symmetric: bool,
    /// The entries of these blocks by columns, of symmetric ones those of the lower triangle; then zeros up to the length of a column of
    /// four.
    entries: Vec<f64>,
}

impl Default for PackedRows {
    /// Of no rows.
    fn default() -> PackedRows {
        let set = InstructionSet::best();
        PackedRows { set, starts: vec![0], columns: vec![], diagonal: vec![], is_symmetric: true, entries: vec![] }
    }
}

impl PackedRows {
    /// Takes all rows of a matrix. Allocates only for a larger pattern than ever before, or blocks that no longer are symmetric.
    pub fn pack(&mut self, matrix: &BlockRows) {
        let PackedRows { starts, columns, diagonal, is_symmetric, entries, .. } = self;
        let rows = matrix.pattern().rows();
        *is_symmetric = (0..rows).all(|row| matrix.filled_above(row).all(|(_, block)| equals_its_transpose(block)));
        starts.clear();
        columns.clear();
        diagonal.clear();
        entries.clear();
        let size = if *is_symmetric { 6 } else { 9 };
        starts.reserve(rows + 1);
        columns.reserve(matrix.pattern().above_count());
        diagonal.reserve(rows);
        entries.reserve(size * matrix.pattern().above_count() + 1);
        starts.push(0);
        for row in 0..rows {
            diagonal.push(*matrix.diagonal(row));
            for (column, a) in matrix.filled_above(row) {
                columns.push(column as u32); // of which a pattern has fewer than 2³²
                match *is_symmetric {
                    true => entries.extend([a.m11, a.m21, a.m31, a.m22, a.m32, a.m33]),
                    false => entries.extend(a.as_slice()),
                }
            }
            starts.push(columns.len());
        }
        entries.push(0.0);
    }
}

fn equals_its_transpose(a: &Mat3) -> bool {
    [(a.m21, a.m12), (a.m31, a.m13), (a.m32, a.m23)].iter().all(|(lower, upper)| lower.to_bits() == upper.to_bits())
}

impl Operator for PackedRows {
    fn rows(&self) -> usize {
        self.diagonal.len()
    }

    fn apply(&self, x: &[Vec3], y: &mut [Vec3]) {
        self.apply_and_dot(x, y);
    }

    fn apply_and_dot(&self, x: &[Vec3], y: &mut [Vec3]) -> f64 {
        assert_eq!([x.len(), y.len()], [self.rows(); 2], "rows of x and y");
        match self.is_symmetric {
            true => self.set.run(Product::<true> { matrix: self, x, y }),
            false => self.set.run(Product::<false> { matrix: self, x, y }),
        }
    }

    fn diagonal_blocks(&self, blocks: &mut [Mat3]) {
        blocks.copy_from_slice(&self.diagonal);
    }
}

/// How far ahead the blocks of a matrix that comes from memory are asked for \[B\].
const AHEAD: usize = 2048;

/// y = A x, and xᵀ y.
struct Product<'a, const SYMMETRIC: bool> {
    matrix: &'a PackedRows,
    x: &'a [Vec3],
    y: &'a mut [Vec3],
}

impl<const SYMMETRIC: bool> Kernel for Product<'_, SYMMETRIC> {
    type Output = f64;

    #[inline(always)]
    fn run<E: Eight>(self) -> f64 {
        let Product { matrix: PackedRows { starts, columns, diagonal, entries, .. }, x, y } = self;
        let size = if SYMMETRIC { 6 } else { 9 };
        let is_in_memory = size_of_val(&**entries) > CACHED;
        y.fill(Vec3::zeros());
        let mut along = RunningDot::default();
        for (row, slots) in starts.windows(2).enumerate() {
            let own = x[row];
            let [sum_x, sum_y, sum_z] = (y[row] + multiply(&diagonal[row], &own)).into();
            let mut sum = [sum_x, sum_y, sum_z, 0.0];
            let blocks = &entries[size * slots[0]..size * slots[1] + 1];
            if is_in_memory {
                prefetch(blocks.as_ptr().wrapping_byte_add(AHEAD).cast(), size_of_val(blocks));
            }
            for (k, column) in columns[slots[0]..slots[1]].iter().enumerate() {
                let block = &blocks[size * k..][..size + 1];
                let a = if SYMMETRIC { of_lower_triangle(block) } else { of_all(block) };
                let (there, back) = (&x[*column as usize], &mut y[*column as usize]);
                let change = product(&a, there); // y_i = sum over j of A_ij x_j
                for p in 0..4 {
                    sum[p] += change[p];
                }
                let [change_x, change_y, change_z, _] =
                    if SYMMETRIC { product(&a, &own) } else { product_of_transposed(&a, &own) };
                *back += Vec3::new(change_x, change_y, change_z); // and A_ji = A_ijᵀ
            }
            y[row] = Vec3::new(sum[0], sum[1], sum[2]);
            along.add(&own, &y[row]);
        }
        along.total()
    }
}

/// Three numbers of a column, or of a row, and one that has no meaning.
type Four = [f64; 4];

/// The columns of a block.
#[inline(always)]
fn of_all(a: &[f64]) -> [Four; 3] {
    [[a[0], a[1], a[2], a[3]], [a[3], a[4], a[5], a[6]], [a[6], a[7], a[8], a[9]]]
}

/// The columns of a block that is symmetric.
#[inline(always)]
fn of_lower_triangle(a: &[f64]) -> [Four; 3] {
    [[a[0], a[1], a[2], a[3]], [a[1], a[3], a[4], a[4]], [a[2], a[4], a[5], a[5]]]
}

/// A v, with every sum from left to right.
#[inline(always)]
fn product(a: &[Four; 3], v: &Vec3) -> Four {
    let mut sums = [0.0; 4];
    for p in 0..4 {
        sums[p] = a[0][p] * v.x + a[1][p] * v.y + a[2][p] * v.z;
    }
    sums
}

/// Aᵀ v, with every sum from left to right.
#[inline(always)]
fn product_of_transposed(a: &[Four; 3], v: &Vec3) -> Four {
    let v = [v.x, v.y, v.z, 0.0];
    let mut products = [[0.0; 4]; 3];
    for q in 0..3 {
        for p in 0..4 {
            products[q][p] = a[q][p] * v[p];
        }
    }
    let mut sums = [0.0; 4];
    for q in 0..3 {
        sums[q] = products[q][0] + products[q][1] + products[q][2];
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BlockPattern;

    /// A product is that of the matrix, on every instruction set.
    fn assert_same_product(matrix: &BlockRows, packed: &mut PackedRows) {
        packed.pack(matrix);
        let rows = matrix.pattern().rows();
        assert_eq!(packed.rows(), rows);
        let x: Vec<Vec3> = (0..rows).map(|row| Vec3::new(1.0, 0.7, -1.3) / (row as f64 + 0.1)).collect();
        for set in InstructionSet::supported() {
            packed.set = set;
            let [mut y, mut expected] = [(); 2].map(|()| vec![Vec3::repeat(f64::NAN); rows]);
            assert_eq!(packed.apply_and_dot(&x, &mut y), matrix.apply_and_dot(&x, &mut expected), "{set}");
            assert_eq!(y, expected, "{set}");
        }
        let [mut blocks, mut expected] = [(); 2].map(|()| vec![Mat3::zeros(); rows]);
        packed.diagonal_blocks(&mut blocks);
        matrix.diagonal_blocks(&mut expected);
        assert_eq!(blocks, expected);
    }

    #[test]
    fn its_products_are_those_of_the_matrix_to_the_bit() {
        let edges = [(0, 1), (3, 1), (1, 2), (0, 3), (2, 3)];
        let mut matrix = BlockRows::new(BlockPattern::new(4, &edges));
        (0..4).for_each(|row| matrix.add_diagonal(row, &(Mat3::identity() * (7.3 + row as f64))));
        for edge in [4, 1, 0] {
            let n = Vec3::new(0.3, -0.7, 0.1 + edge as f64);
            matrix.add_pair(edge, &(-1.7 * (n * n.transpose()) + Mat3::identity() / 3.0));
        }
        let mut packed = PackedRows::default();
        assert_same_product(&matrix, &mut packed);
        assert!(packed.is_symmetric && packed.entries.len() == 3 * 6 + 1);
        matrix.add_pair(0, &Mat3::from_fn(|i, j| 0.1 * (3 * i + j) as f64 - 0.7));
        assert_same_product(&matrix, &mut packed);
        assert!(!packed.is_symmetric && packed.entries.len() == 3 * 9 + 1);
    }
}
