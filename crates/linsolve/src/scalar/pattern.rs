use faer::sparse::SymbolicSparseColMat;

use super::PivotError;

/// Where a square matrix of scalars may be other than zero, by columns.
#[derive(Clone, Debug)]
pub struct ScalarPattern {
    pub(super) symbolic: SymbolicSparseColMat<usize>,
}

impl ScalarPattern {
    /// The lower triangle of a symmetric matrix: its diagonal and `pairs` of unknowns, each in either order, repeated at will.
    ///
    /// # Panics
    /// Where a pair names no unknown.
    pub fn lower(unknowns: usize, pairs: &[(usize, usize)]) -> ScalarPattern {
        ScalarPattern::of(unknowns, pairs.iter().map(|&(i, j)| (i.max(j), i.min(j))))
    }

    /// Both triangles for the same pairs.
    ///
    /// # Panics
    /// Where a pair names no unknown.
    pub fn full(unknowns: usize, pairs: &[(usize, usize)]) -> ScalarPattern {
        ScalarPattern::of(unknowns, pairs.iter().flat_map(|&(i, j)| [(i, j), (j, i)]))
    }

    fn of(unknowns: usize, places: impl Iterator<Item = (usize, usize)>) -> ScalarPattern {
        let mut columns: Vec<Vec<usize>> = (0..unknowns).map(|k| vec![k]).collect();
        for (row, column) in places {
            assert!(row < unknowns, "an entry in row {row} of {unknowns}");
            columns[column].push(row);
        }
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for column in &mut columns {
            column.sort_unstable();
            column.dedup();
            rows.extend_from_slice(column);
            starts.push(rows.len());
        }
        ScalarPattern { symbolic: SymbolicSparseColMat::new_checked(unknowns, unknowns, starts, None, rows) }
    }

    /// Rows, and columns, of the matrix.
    pub fn unknowns(&self) -> usize {
        self.symbolic.nrows()
    }

    /// Number of entries that are stored.
    pub fn entries(&self) -> usize {
        self.symbolic.row_idx().len()
    }

    /// Where the values of an entry are stored; none for one outside the pattern.
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        let start = self.symbolic.col_ptr()[column];
        self.rows(column).binary_search(&row).ok().map(|place| start + place)
    }

    /// Row and column of every stored entry, in the order of the values.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.unknowns()).flat_map(|column| self.rows(column).iter().map(move |row| (*row, column)))
    }

    /// The rows of a column, ascending.
    pub(super) fn rows(&self, column: usize) -> &[usize] {
        let starts = self.symbolic.col_ptr();
        &self.symbolic.row_idx()[starts[column]..starts[column + 1]]
    }

    /// The stored entries of a column: row and value.
    pub(super) fn column<'a>(&'a self, values: &'a [f64], column: usize) -> impl Iterator<Item = (usize, f64)> + 'a {
        let start = self.symbolic.col_ptr()[column];
        self.rows(column).iter().enumerate().map(move |(k, row)| (*row, values[start + k]))
    }

    /// Overwrites `r` with b - A x, of a pattern made by [`ScalarPattern::full`].
    pub(super) fn residual(&self, values: &[f64], b: &[f64], x: &[f64], r: &mut [f64]) {
        r.copy_from_slice(b);
        for (column, x) in x.iter().enumerate() {
            for (row, value) in self.column(values, column) {
                r[row] -= value * x;
            }
        }
    }

    /// The value on the diagonal of a column, of a pattern made by [`ScalarPattern::lower`].
    pub(super) fn diagonal(&self, values: &[f64], column: usize) -> f64 {
        values[self.symbolic.col_ptr()[column]]
    }

    /// Whether all values are finite.
    pub(super) fn check_finite(&self, values: &[f64]) -> Result<(), PivotError> {
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(place) => {
                let column = self.symbolic.col_ptr().partition_point(|start| *start <= place) - 1;
                Err(PivotError::NotFinite { column })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_where_they_are_looked_for() {
        let pairs = [(2, 0), (0, 2), (1, 2)];
        let lower = ScalarPattern::lower(3, &pairs);
        assert_eq!((lower.unknowns(), lower.entries()), (3, 5));
        let expected =
            [((0, 0), Some(0)), ((2, 0), Some(1)), ((1, 1), Some(2)), ((2, 1), Some(3)), ((2, 2), Some(4)), ((0, 2), None)];
        for ((row, column), place) in expected {
            assert_eq!(lower.place(row, column), place, "{row} {column}");
        }
        let full = ScalarPattern::full(3, &pairs);
        assert_eq!((full.entries(), full.place(0, 2), full.place(0, 1)), (7, Some(4), None));
        assert_eq!(full.check_finite(&[0.0, 0.0, 0.0, 0.0, f64::NAN, 0.0, 0.0]), Err(PivotError::NotFinite { column: 2 }));
        assert_eq!(full.check_finite(&[0.0; 7]), Ok(()));
    }
}
