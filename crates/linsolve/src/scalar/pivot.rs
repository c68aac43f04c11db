use thiserror::Error;

/// The pivot of a factorisation that cancellation left the least of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallestPivot {
    /// Column of the matrix.
    pub column: usize,
    /// Its size relative to the terms that it is the sum of \[-\], 0..=1; one for a matrix without unknowns.
    pub relative: f64,
}

impl SmallestPivot {
    /// At or below this relative size a pivot is rounding, and the matrix rank-deficient.
    pub const RANK_TOLERANCE: f64 = 1e-12;

    /// That of a matrix without unknowns, or before any factorisation.
    pub fn none() -> SmallestPivot {
        SmallestPivot { column: 0, relative: 1.0 }
    }

    /// Takes a pivot in; one that is not a number counts as nothing.
    pub(super) fn see(&mut self, column: usize, relative: f64) {
        let relative = if relative.is_nan() { 0.0 } else { relative };
        if relative < self.relative {
            *self = SmallestPivot { column, relative };
        }
    }

    /// This pivot, where it is more than rounding.
    ///
    /// # Errors
    /// [`PivotError::Deficient`] where it is not.
    pub(super) fn checked(self) -> Result<SmallestPivot, PivotError> {
        match self.relative > SmallestPivot::RANK_TOLERANCE {
            true => Ok(self),
            false => Err(PivotError::Deficient { column: self.column }),
        }
    }
}

/// Why a matrix of scalars could not be factored, with the column where it showed.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum PivotError {
    /// A pivot is not above zero, or no more than rounding.
    #[error("the matrix is rank-deficient or not definite at column {column}: its equations depend on each other up to rounding")]
    Deficient { column: usize },
    /// An entry is infinite or not a number.
    #[error("an entry of column {column} is not a finite number")]
    NotFinite { column: usize },
}
