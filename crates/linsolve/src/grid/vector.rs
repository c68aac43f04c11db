use super::{GridShape, LANES};
use crate::Vec3;
use crate::lanes::{Eight, Lanes, Number};

/// One vector for each row of a grid, its coordinates in three arrays: eight rows are then one load for each of them.
///
/// Behind the last row follow zeros, as many as a product may read. Every array begins at a cache line, since a load across two
/// of them costs two, and the three begin a third of a page apart, since what lies whole pages apart shares its place in the
/// first cache.
#[derive(Debug)]
pub struct GridVector<S = f64> {
    shape: GridShape,
    /// Where the first array begins.
    start: usize,
    /// From one array to the next.
    stride: usize,
    numbers: Vec<S>,
}

/// Bytes of a cache line.
const LINE: usize = 64;
/// Bytes of a page, and a third of it in whole lines.
const PAGE: usize = 4096;
const THIRD: usize = 1408;

impl GridVector {
    /// Zeros.
    pub fn new(shape: GridShape) -> GridVector {
        GridVector::zeros(shape)
    }

    /// Its rows.
    pub fn shape(&self) -> GridShape {
        self.shape
    }

    /// Overwrites a row.
    ///
    /// # Panics
    /// Where there is no such row.
    pub(super) fn set_row(&mut self, row: usize, to: Vec3) {
        assert!(row < self.shape.rows(), "row {row} of {}", self.shape.rows());
        let [x, y, z] = self.arrays_mut();
        (x[row], y[row], z[row]) = (to.x, to.y, to.z);
    }

    /// Overwrites all rows with those of a vector of the same shape.
    ///
    /// # Panics
    /// Where the shapes differ.
    pub(super) fn copy_from(&mut self, other: &GridVector) {
        self.arrays_mut().into_iter().zip(other.arrays()).for_each(|(to, from)| to.copy_from_slice(from));
    }

    /// Eight rows from `first` on, zeros behind the last one.
    ///
    /// # Panics
    /// Further behind the last row than any step leads.
    #[inline(always)]
    pub fn eight<E: Eight>(&self, first: usize) -> [E; 3] {
        let [x, y, z] = self.arrays();
        [E::load_from(x, first), E::load_from(y, first), E::load_from(z, first)]
    }

    /// The largest of its numbers by their size; what is no number is passed over.
    pub(super) fn largest(&self) -> f64 {
        self.numbers.iter().fold(0.0, |largest: f64, number| largest.max(number.abs()))
    }

    /// Whether every row is zero.
    pub fn is_zero(&self) -> bool {
        self.numbers.iter().all(|&number| number == 0.0)
    }
}

impl GridVector<f32> {
    /// Overwrites it with `vector` / scale, rounded, and gives the scale: the power of two below the largest number, so that
    /// squares stay in range too. Zeros, and numbers below the normal ones, come out as NaN.
    pub(super) fn round(&mut self, vector: &GridVector) -> f64 {
        let scale = power_below(vector.largest());
        let inverse = 1.0 / scale;
        for (rounded, numbers) in self.arrays_mut().into_iter().zip(vector.arrays()) {
            for (rounded, number) in rounded.iter_mut().zip(numbers) {
                *rounded = (number * inverse) as f32;
            }
        }
        scale
    }
}

impl<S: Number> GridVector<S> {
    pub(super) fn zeros(shape: GridShape) -> GridVector<S> {
        let [line, page, third] = [LINE, PAGE, THIRD].map(|bytes| bytes / size_of::<S>());
        let stride = readable(shape).saturating_sub(third).next_multiple_of(page) + third;
        let numbers = vec![S::ZERO; 3 * stride + line];
        let start = numbers.as_ptr().align_offset(LINE).min(line);
        GridVector { shape, start, stride, numbers }
    }

    /// Overwrites the rows by the nearest ones, as many as the grid has, and what lies behind them by zeros.
    ///
    /// # Panics
    /// Where there are more.
    pub fn set(&mut self, mut rows: impl Iterator<Item = Vec3>) {
        let (count, end) = (self.shape.rows(), readable(self.shape));
        let [x, y, z] = self.arrays_mut().map(|array| {
            let (rows, behind) = array[..end].split_at_mut(count);
            behind.fill(S::ZERO);
            rows
        });
        for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
            let Some(row) = rows.next() else { break };
            (*x, *y, *z) = (S::rounded(row.x), S::rounded(row.y), S::rounded(row.z));
        }
        assert!(rows.next().is_none(), "more than {count} rows");
    }

    /// The rows in their order.
    pub fn iter(&self) -> impl Iterator<Item = Vec3> + '_ {
        let [x, y, z] = self.arrays();
        (0..self.shape.rows()).map(move |row| Vec3::new(x[row].into(), y[row].into(), z[row].into()))
    }

    /// Sets every row to zero.
    pub fn clear(&mut self) {
        self.numbers.fill(S::ZERO);
    }

    /// The coordinates, with the zeros behind them: all of one length.
    #[inline(always)]
    pub(super) fn arrays(&self) -> [&[S]; 3] {
        let (x, rest) = self.numbers[self.start..].split_at(self.stride);
        let (y, rest) = rest.split_at(self.stride);
        [x, y, &rest[..self.stride]]
    }

    /// The coordinates, to be changed; what lies behind the last row must stay zero.
    pub(super) fn arrays_mut(&mut self) -> [&mut [S]; 3] {
        let (x, rest) = self.numbers[self.start..].split_at_mut(self.stride);
        let (y, rest) = rest.split_at_mut(self.stride);
        [x, y, &mut rest[..self.stride]]
    }
}

/// The power of two below a number, or zero for one below the normal ones.
pub(super) fn power_below(number: f64) -> f64 {
    f64::from_bits(number.to_bits() & f64::INFINITY.to_bits()) // its exponent alone
}

/// Rows of a shape and those behind that a product may read.
fn readable(shape: GridShape) -> usize {
    LANES * shape.tiles() + shape.reach() + LANES
}

/// The eight rows from `row` on, of which the caller knows that they are there: to look at every place once more would take as long
/// as the arithmetic.
///
/// # Safety
/// Each array has at least `row + 8` numbers.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) unsafe fn rows_within<E: Lanes>([x, y, z]: [&[E::Number]; 3], row: usize) -> [E; 3] {
    // SAFETY: as above.
    unsafe { [E::load_within(x, row), E::load_within(y, row), E::load_within(z, row)] }
}

/// Overwrites them.
///
/// # Safety
/// Each array has at least `row + 8` numbers.
#[allow(unsafe_code)]
#[inline(always)]
pub(super) unsafe fn overwrite_within<E: Lanes>([x, y, z]: [&mut [E::Number]; 3], row: usize, rows: [E; 3]) {
    // SAFETY: as above.
    unsafe {
        rows[0].store_within(x, row);
        rows[1].store_within(y, row);
        rows[2].store_within(z, row);
    }
}

/// Panics unless arrays have the rows before `behind` and those that steps of `offsets` lead to from there.
#[inline(always)]
pub(super) fn assert_reach<S>(arrays: [&[S]; 3], behind: usize, offsets: &[usize; 8]) {
    for array in arrays {
        assert!(offsets.iter().all(|offset| behind + offset <= array.len()), "rows that a sweep reads");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_and_the_rest_stays_zero() {
        for (nx, ny) in [(1, 1), (3, 5), (80, 80)] {
            let shape = GridShape::new(nx, ny);
            let mut vector = GridVector::new(shape);
            assert!(vector.is_zero() && vector.iter().count() == nx * ny);
            let rows: Vec<Vec3> = (0..nx * ny).map(|row| Vec3::new(row as f64, 1.0, -2.0)).collect();
            vector.set(rows.iter().copied());
            assert!(!vector.is_zero());
            assert_eq!(vector.iter().collect::<Vec<_>>(), rows);
            for array in vector.arrays() {
                assert!(
                    array.len() >= shape.tiles() * LANES + shape.reach() + LANES && (array.as_ptr() as usize).is_multiple_of(64)
                );
                assert!(array[nx * ny..].iter().all(|&number| number == 0.0));
            }
            let mut single = GridVector::<f32>::zeros(shape);
            let largest = rows.iter().map(|row| row.amax()).fold(0.0, f64::max);
            let scale = single.round(&vector);
            assert!(scale <= largest && largest < 2.0 * scale);
            for (array, double) in single.arrays().into_iter().zip(vector.arrays()) {
                assert!((array.as_ptr() as usize).is_multiple_of(64));
                assert!(array.iter().zip(double).all(|(&single, double)| scale * f64::from(single) == *double));
            }
            let mut copy = GridVector::new(shape);
            copy.copy_from(&vector);
            copy.set_row(nx * ny - 1, Vec3::new(5.0, 6.0, 7.0));
            assert!(copy.iter().eq(rows[..nx * ny - 1].iter().copied().chain([Vec3::new(5.0, 6.0, 7.0)])));
            vector.clear();
            assert!(vector.is_zero());
            single.round(&vector);
            assert!(single.arrays()[0][0].is_nan());
        }
    }
}
