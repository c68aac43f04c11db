use super::level::{add, dot, subtract};
use crate::lanes::{Eight, Kernel};

/// The near null space of an aggregate, by elimination.
#[derive(Clone, Debug, Default)]
pub(super) struct Local {
    /// The matrix of the aggregate by itself, shape \[size, size\], then its factors.
    matrix: Vec<f64>,
    size: usize,
    /// Unknowns in the order of elimination.
    order: Vec<usize>,
    /// Number of those that are eliminated.
    stiff: usize,
    /// W, shape \[size, kept\], in the order of elimination, then of the unknowns.
    basis: Vec<f64>,
    /// C W.
    product: Vec<f64>,
    gram: Vec<f64>,
}

impl Local {
    /// I for an aggregate of so many unknowns.
    pub fn reset(&mut self, size: usize) {
        self.size = size;
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        (0..size).for_each(|k| self.matrix[k * size + k] = 1.0);
        self.order.clear();
        self.order.extend(0..size);
    }

    /// Subtracts a block from those at (place, place).
    #[inline(always)]
    pub fn subtract_own(&mut self, place: usize, count: usize, block: &[f64]) {
        for p in 0..count {
            subtract(1.0, &block[p * count..(p + 1) * count], &mut self.matrix[(place + p) * self.size + place..][..count]);
        }
    }

    /// Sets the block at (one, other) and its transpose.
    #[inline(always)]
    pub fn couple(&mut self, [one, other]: [usize; 2], [rows, columns]: [usize; 2], block: &[f64]) {
        for p in 0..rows {
            for q in 0..columns {
                self.matrix[(one + p) * self.size + other + q] = block[p * columns + q];
                self.matrix[(other + q) * self.size + one + p] = block[p * columns + q];
            }
        }
    }

    /// Eliminates the stiffest unknown as long as its pivot is at least `threshold`; the number of those that are left.
    #[inline(always)]
    pub fn eliminate(&mut self, threshold: f64) -> usize {
        let Local { matrix, size, order, stiff, .. } = self;
        let size = *size;
        *stiff = 0;
        while *stiff < size {
            let k = *stiff;
            let (mut pivot, mut largest) = (k, matrix[k * size + k]);
            for p in k + 1..size {
                if matrix[p * size + p] > largest {
                    (pivot, largest) = (p, matrix[p * size + p]);
                }
            }
            if largest.is_nan() || largest < threshold {
                break;
            }
            if pivot != k {
                order.swap(pivot, k);
                let (head, tail) = matrix.split_at_mut(pivot * size);
                head[k * size..(k + 1) * size].swap_with_slice(&mut tail[..size]);
                for row in matrix.chunks_exact_mut(size) {
                    row.swap(k, pivot);
                }
            }
            let (head, tail) = matrix.split_at_mut((k + 1) * size);
            let row = &head[k * size..];
            let inverse = 1.0 / largest;
            for (p, other) in tail.chunks_exact_mut(size).enumerate() {
                let factor = row[k + 1 + p];
                if factor != 0.0 {
                    subtract(factor * inverse, &row[k + 1..], &mut other[k + 1..]);
                }
            }
            *stiff += 1;
        }
        size - *stiff
    }

    /// Overwrites `basis`, shape \[size, kept\], with W = \[-F⁻¹ C; I\] L⁻ᵀ, orthonormal in A = the eliminated matrix plus the blocks
    /// `outside`, which begin at those places and are of those sizes; the diagonal blocks of A are I. Whether there is one.
    #[inline(always)]
    pub fn basis<'a, E: Eight>(&mut self, outside: impl Iterator<Item = (usize, usize, &'a [f64])>, to: &mut [f64]) -> bool {
        let Local { matrix, size, order, stiff, basis, product, gram } = self;
        let (size, stiff) = (*size, *stiff);
        let kept = size - stiff;
        if kept == 0 {
            return true;
        }
        basis.clear();
        basis.resize(size * kept, 0.0);
        for k in (0..stiff).rev() {
            let row = &matrix[k * size..(k + 1) * size];
            let (head, tail) = basis.split_at_mut((k + 1) * kept);
            let w = &mut head[k * kept..];
            w.copy_from_slice(&row[stiff..]);
            for (q, other) in tail.chunks_exact(kept).take(stiff - k - 1).enumerate() {
                if row[k + 1 + q] != 0.0 {
                    add(row[k + 1 + q], other, w);
                }
            }
            let factor = -1.0 / row[k];
            w.iter_mut().for_each(|w| *w *= factor);
        }
        (0..kept).for_each(|k| basis[(stiff + k) * kept + k] = 1.0);
        gram.clear();
        for k in stiff..size {
            gram.extend_from_slice(&matrix[k * size + stiff..(k + 1) * size]);
        }
        for (place, row) in order.iter().zip(basis.chunks_exact(kept)) {
            to[place * kept..(place + 1) * kept].copy_from_slice(row);
        }
        for (begin, count, block) in outside {
            let rows = &to[begin * kept..(begin + count) * kept];
            product.clear();
            product.resize(count * kept, 0.0);
            for (p, product) in product.chunks_exact_mut(kept).enumerate() {
                for (q, row) in rows.chunks_exact(kept).enumerate() {
                    add(block[p * count + q], row, product);
                }
            }
            for (row, product) in rows.chunks_exact(kept).zip(product.chunks_exact(kept)) {
                for (gram, w) in gram.chunks_exact_mut(kept).zip(row) {
                    if *w != 0.0 {
                        add(*w, product, gram);
                    }
                }
            }
        }
        if (Cholesky { a: gram, size: kept }).run::<E>().is_err() {
            return false;
        }
        for row in to[..size * kept].chunks_exact_mut(kept) {
            for k in 0..kept {
                let (before, rest) = row.split_at_mut(k);
                rest[0] = (rest[0] - dot(before, &gram[k * kept..k * kept + k])) / gram[k * kept + k];
            }
        }
        true
    }
}

/// Overwrites the lower triangle of a matrix, of which only that is read, by its factor L; or the unknown whose pivot is not positive.
pub(super) struct Cholesky<'a> {
    /// Shape \[size, size\].
    pub a: &'a mut [f64],
    pub size: usize,
}

impl Kernel for Cholesky<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Result<(), usize> {
        let Cholesky { a, size } = self;
        for row in 0..size {
            let (before, rest) = a.split_at_mut(row * size);
            let own = &mut rest[..size];
            for column in 0..row {
                let other = &before[column * size..][..=column];
                own[column] = (own[column] - dot(&own[..column], &other[..column])) / other[column];
            }
            let pivot = own[row] - dot(&own[..row], &own[..row]);
            if !(pivot > 0.0 && pivot.is_finite()) {
                return Err(row);
            }
            own[row] = pivot.sqrt();
        }
        Ok(())
    }
}
