use super::{PivotError, SmallestPivot};

/// L D Lᵀ of a symmetric positive definite tridiagonal matrix, in linear time and space.
///
/// Where `RECIPROCALS` are kept, each row is divided by its pivot once and multiplied by its reciprocal from then on: faster, and
/// rounded otherwise.
#[derive(Clone, Debug)]
pub struct Tridiagonal<const RECIPROCALS: bool = false> {
    /// D, or D⁻¹.
    pivots: Vec<f64>,
    /// L below its diagonal.
    lower: Vec<f64>,
}

impl<const RECIPROCALS: bool> Tridiagonal<RECIPROCALS> {
    /// All zero.
    pub fn new(unknowns: usize) -> Self {
        Tridiagonal { pivots: vec![0.0; unknowns], lower: vec![0.0; unknowns.saturating_sub(1)] }
    }

    /// Entries of D and L.
    pub fn factor_entries(&self) -> u64 {
        (self.pivots.len() + self.lower.len()) as u64
    }

    /// Floating-point operations of a factorisation: a quotient, a product and a difference for each entry of L, and one for each
    /// reciprocal.
    pub fn factor_operations(&self) -> u64 {
        let reciprocals = if RECIPROCALS { self.pivots.len() } else { 0 };
        (3 * self.lower.len() + reciprocals) as u64
    }

    /// Floating-point operations of a solve: four for each entry of L, one for each of D.
    pub fn solve_operations(&self) -> u64 {
        (4 * self.lower.len() + self.pivots.len()) as u64
    }

    /// Factors the matrix with `diagonal(k)` and `beside(k)`, the entry of rows k and k + 1. The relative size of a pivot is D_k /
    /// A_kk.
    ///
    /// # Errors
    /// [`PivotError`] where a value is not finite or the matrix not positive definite up to rounding; there is no factor then.
    pub fn factor(
        &mut self,
        diagonal: impl Fn(usize) -> f64,
        beside: impl Fn(usize) -> f64,
    ) -> Result<SmallestPivot, PivotError> {
        let mut smallest = SmallestPivot::none();
        let mut taken = 0.0;
        for k in 0..self.pivots.len() {
            let whole = diagonal(k);
            let pivot = whole - taken; // D_k = A_kk - L_{k,k-1} A_{k,k-1}
            if !pivot.is_finite() {
                return Err(PivotError::NotFinite { column: k });
            }
            smallest.see(k, pivot / whole);
            smallest.checked()?;
            self.pivots[k] = if RECIPROCALS { 1.0 / pivot } else { pivot };
            if k < self.lower.len() {
                let b = beside(k);
                self.lower[k] = self.over_pivot(b, k);
                taken = self.lower[k] * b;
            }
        }
        Ok(smallest)
    }

    /// Overwrites `b`, shape \[unknowns\], with the solution of A x = b by the last factors.
    ///
    /// # Panics
    /// Where the length differs from the number of unknowns.
    pub fn solve(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.pivots.len(), "unknowns");
        for k in 1..b.len() {
            b[k] -= self.lower[k - 1] * b[k - 1];
        }
        for k in 0..b.len() {
            b[k] = self.over_pivot(b[k], k);
        }
        for k in (1..b.len()).rev() {
            b[k - 1] -= self.lower[k - 1] * b[k];
        }
    }

    #[inline]
    fn over_pivot(&self, number: f64, k: usize) -> f64 {
        if RECIPROCALS { number * self.pivots[k] } else { number / self.pivots[k] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_hand<const RECIPROCALS: bool>(factor_operations: u64) {
        let mut matrix = Tridiagonal::<RECIPROCALS>::new(3);
        // A = [[4, 2, 0], [2, 5, 2], [0, 2, 5]], D = 4, 5 - 1, 5 - 1; A (1, 2, 3) = (8, 18, 19)
        let smallest = matrix.factor(|k| [4.0, 5.0, 5.0][k], |_| 2.0);
        assert_eq!(smallest, Ok(SmallestPivot { column: 1, relative: 0.8 }));
        let mut b = [8.0, 18.0, 19.0];
        matrix.solve(&mut b);
        assert_eq!(b, [1.0, 2.0, 3.0]);
        let counts = (matrix.factor_entries(), matrix.factor_operations(), matrix.solve_operations());
        assert_eq!(counts, (5, factor_operations, 11));

        // [[2, -1, 0], [-1, 2, -1], [0, -1, 2]] (1, 2, 3)ᵀ = (0, 0, 4)ᵀ
        matrix.factor(|_| 2.0, |_| -1.0).unwrap();
        let mut b = [0.0, 0.0, 4.0];
        matrix.solve(&mut b);
        for (found, expected) in b.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-14, "{b:?}");
        }
    }

    #[test]
    fn three_unknowns_by_hand() {
        by_hand::<false>(6);
        by_hand::<true>(9);
    }

    #[test]
    fn a_row_held_at_both_ends_is_deficient() {
        // springs between two walls with free ends: the sum of all rows is zero
        let mut matrix = Tridiagonal::<true>::new(40);
        let end = |k: usize| if k == 0 || k == 39 { 0.1 } else { 0.2 };
        assert_eq!(matrix.factor(end, |_| -0.1), Err(PivotError::Deficient { column: 39 }));
        let mut matrix = Tridiagonal::<false>::new(40);
        assert_eq!(matrix.factor(end, |_| -0.1), Err(PivotError::Deficient { column: 39 }));
        let not_finite = |k: usize| if k == 20 { f64::NAN } else { end(k) };
        assert_eq!(matrix.factor(not_finite, |_| -0.1), Err(PivotError::NotFinite { column: 20 }));
        assert_eq!(matrix.factor(|_| 0.0, |_| 0.0), Err(PivotError::Deficient { column: 0 }));
        assert_eq!(Tridiagonal::<false>::new(0).factor(end, end).map(|smallest| smallest.relative), Ok(1.0));
    }
}
