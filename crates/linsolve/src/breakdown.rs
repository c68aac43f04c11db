use thiserror::Error;

/// Why a matrix could not be factored, with the row where it showed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum Breakdown {
    /// A pivot is not positive, or of the size of rounding.
    #[error(
        "the matrix is not positive definite at row {row}: drop the indefinite terms, constrain the row or shorten the time step"
    )]
    NotPositiveDefinite { row: usize },
    /// An entry is infinite or not a number.
    #[error("an entry of row {row} is not a finite number: the state behind the matrix has blown up")]
    NotFinite { row: usize },
}

impl Breakdown {
    /// This breakdown, its row numbered as elsewhere.
    pub(crate) fn in_row(self, elsewhere: impl Fn(usize) -> usize) -> Breakdown {
        match self {
            Breakdown::NotPositiveDefinite { row } => Breakdown::NotPositiveDefinite { row: elsewhere(row) },
            Breakdown::NotFinite { row } => Breakdown::NotFinite { row: elsewhere(row) },
        }
    }
}
