/// Smallest pivot, relative to its diagonal entry, above what rounding leaves of zero.
pub(super) const SMALLEST_PIVOT: f64 = 1e-12;

/// L D Lᵀ of a symmetric positive definite tridiagonal matrix, in linear time and space.
#[derive(Clone, Debug, Default)]
pub struct Tridiagonal {
    inverse: Vec<f64>, // 1 / d_k
    below: Vec<f64>,   // l_{k+1,k}
}

impl Tridiagonal {
    /// For `size` unknowns.
    pub fn new(size: usize) -> Tridiagonal {
        Tridiagonal { inverse: vec![0.0; size], below: vec![0.0; size.saturating_sub(1)] }
    }

    /// Numbers of a factor of `size` unknowns.
    pub fn entries(size: usize) -> u64 {
        (2 * size - 1) as u64
    }

    /// Floating-point operations of a factorisation.
    pub fn factor_operations(size: usize) -> u64 {
        4 * size as u64 // 1/d, l = b/d, d -= l b
    }

    /// Floating-point operations of a solve.
    pub fn solve_operations(size: usize) -> u64 {
        5 * size as u64 // one fused pair forward, one product, one fused pair backward
    }

    /// Factors the matrix with `diagonal(k)` and `beside(k)`, the entry of rows k and k + 1.
    ///
    /// # Errors
    /// The first row without a pivot above rounding: rows up to it depend on each other.
    pub fn factor(&mut self, diagonal: impl Fn(usize) -> f64, beside: impl Fn(usize) -> f64) -> Result<(), usize> {
        let mut taken = 0.0;
        for k in 0..self.inverse.len() {
            let pivot = diagonal(k) - taken; // d_k = a_k - l_{k,k-1} b_{k-1}
            if pivot.is_nan() || pivot <= SMALLEST_PIVOT * diagonal(k) {
                return Err(k);
            }
            self.inverse[k] = 1.0 / pivot;
            if k < self.below.len() {
                let b = beside(k);
                self.below[k] = b * self.inverse[k];
                taken = self.below[k] * b;
            }
        }
        Ok(())
    }

    /// Replaces a right side by the solution.
    pub fn solve(&self, b: &mut [f64]) {
        for k in 0..self.below.len() {
            b[k + 1] -= self.below[k] * b[k];
        }
        for (b, inverse) in b.iter_mut().zip(&self.inverse) {
            *b *= inverse;
        }
        for k in (0..self.below.len()).rev() {
            b[k] -= self.below[k] * b[k + 1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_by_hand() {
        // [[2, -1, 0], [-1, 2, -1], [0, -1, 2]] (1, 2, 3)ᵀ = (0, 0, 4)ᵀ
        let mut matrix = Tridiagonal::new(3);
        matrix.factor(|_| 2.0, |_| -1.0).unwrap();
        let mut b = [0.0, 0.0, 4.0];
        matrix.solve(&mut b);
        for (found, expected) in b.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-14, "{b:?}");
        }
    }

    #[test]
    fn rows_that_depend_on_each_other_are_found() {
        // a taut row between two pins: 1, 2, ... 2, 1 with -1 beside sums to zero
        let mut matrix = Tridiagonal::new(30);
        let end = |k: usize| if k == 0 || k == 29 { 0.1 } else { 0.2 };
        assert_eq!(matrix.factor(end, |_| -0.1), Err(29));
        assert_eq!(matrix.factor(|_| f64::NAN, |_| 0.0), Err(0));
    }
}
