use super::{PivotError, SmallestPivot};

/// A symmetric positive definite tridiagonal matrix and its factors L D Lᵀ.
#[derive(Clone, Debug)]
pub struct Tridiagonal {
    diagonal: Vec<f64>,
    beside: Vec<f64>,
    /// D.
    pivots: Vec<f64>,
    /// L below its diagonal.
    lower: Vec<f64>,
}

impl Tridiagonal {
    /// All zero.
    pub fn new(unknowns: usize) -> Tridiagonal {
        let (all, beside) = (vec![0.0; unknowns], vec![0.0; unknowns.saturating_sub(1)]);
        Tridiagonal { diagonal: all.clone(), beside: beside.clone(), pivots: all, lower: beside }
    }

    /// Diagonal, shape \[unknowns\], and the entries beside it, shape \[unknowns - 1\], to be filled.
    pub fn values_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.diagonal, &mut self.beside)
    }

    /// Entries of D and L.
    pub fn factor_entries(&self) -> u64 {
        (self.pivots.len() + self.lower.len()) as u64
    }

    /// Floating-point operations of a factorisation: a quotient, a product and a difference for each entry of L.
    pub fn factor_operations(&self) -> u64 {
        3 * self.lower.len() as u64
    }

    /// Floating-point operations of a solve: four for each entry of L, one for each of D.
    pub fn solve_operations(&self) -> u64 {
        (4 * self.lower.len() + self.pivots.len()) as u64
    }

    /// Factors the values. The relative size of a pivot is D_j / A_jj.
    ///
    /// # Errors
    /// [`PivotError`] where a value is not finite or the matrix not positive definite up to rounding; there is no factor then.
    pub fn factor(&mut self) -> Result<SmallestPivot, PivotError> {
        let mut smallest = SmallestPivot::none();
        for j in 0..self.diagonal.len() {
            let mut pivot = self.diagonal[j];
            if j > 0 {
                let l = self.beside[j - 1] / self.pivots[j - 1];
                self.lower[j - 1] = l;
                pivot -= l * self.beside[j - 1];
            }
            if !pivot.is_finite() {
                return Err(PivotError::NotFinite { column: j });
            }
            smallest.see(j, pivot / self.diagonal[j]);
            smallest.checked()?;
            self.pivots[j] = pivot;
        }
        Ok(smallest)
    }

    /// Overwrites `b`, shape \[unknowns\], with the solution of A x = b by the last factors.
    ///
    /// # Panics
    /// Where the length differs from the number of unknowns.
    pub fn solve(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.pivots.len(), "unknowns");
        for j in 1..b.len() {
            b[j] -= self.lower[j - 1] * b[j - 1];
        }
        for (b, pivot) in b.iter_mut().zip(&self.pivots) {
            *b /= pivot;
        }
        for j in (1..b.len()).rev() {
            b[j - 1] -= self.lower[j - 1] * b[j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_unknowns_by_hand() {
        let mut matrix = Tridiagonal::new(3);
        let (diagonal, beside) = matrix.values_mut();
        diagonal.copy_from_slice(&[4.0, 5.0, 5.0]);
        beside.copy_from_slice(&[2.0, 2.0]);
        // D = 4, 5 - 1, 5 - 1; A (1, 2, 3) = (8, 18, 19)
        assert_eq!(matrix.factor(), Ok(SmallestPivot { column: 1, relative: 0.8 }));
        let mut b = [8.0, 18.0, 19.0];
        matrix.solve(&mut b);
        assert_eq!(b, [1.0, 2.0, 3.0]);
        assert_eq!((matrix.factor_entries(), matrix.factor_operations(), matrix.solve_operations()), (5, 6, 11));
    }

    #[test]
    fn a_row_held_at_both_ends_is_deficient() {
        // springs between two walls with free ends: the sum of all rows is zero
        let mut matrix = Tridiagonal::new(40);
        let (diagonal, beside) = matrix.values_mut();
        diagonal.fill(0.2);
        (diagonal[0], diagonal[39]) = (0.1, 0.1);
        beside.fill(-0.1);
        assert_eq!(matrix.factor(), Err(PivotError::Deficient { column: 39 }));
        matrix.values_mut().0[20] = f64::NAN;
        assert_eq!(matrix.factor(), Err(PivotError::NotFinite { column: 20 }));
        matrix.values_mut().0.fill(0.0);
        assert_eq!(matrix.factor(), Err(PivotError::Deficient { column: 0 }));
        assert_eq!(Tridiagonal::new(0).factor().map(|smallest| smallest.relative), Ok(1.0));
    }
}
