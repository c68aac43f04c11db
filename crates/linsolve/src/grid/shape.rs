use super::LANES;

/// Ways from a row to those that it may be coupled with and that come after it, by columns and lines of the grid, in the order
/// in which a product takes them: beside, one line on, two lines on. A row stands in the middle of a 5 x 5 window; the eight
/// rows before it are reached by their own ways.
pub const STEPS: [(isize, usize); 8] = [(1, 0), (2, 0), (-1, 1), (0, 1), (1, 1), (-2, 2), (0, 2), (2, 2)];

/// Whether a step leads to a neighbour, at most a column and a line away.
#[inline(always)]
pub(super) fn is_near(step: usize) -> bool {
    matches!(step, 0 | 2 | 3 | 4)
}

/// A grid of nx x ny rows; row (i, j) has index j nx + i.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GridShape {
    nx: usize,
    ny: usize,
}

/// Where the coupling of two rows of a grid is kept.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GridPlace {
    /// The first one of both rows.
    pub(super) row: u32,
    /// The number of its step in [`STEPS`].
    pub(super) step: u8,
}

impl GridPlace {
    /// The number of the step from one row to the other, in [`STEPS`].
    pub fn step(self) -> usize {
        usize::from(self.step)
    }

    /// Whether they are neighbours, at most a column and a line apart.
    pub fn is_near(self) -> bool {
        is_near(self.step())
    }
}

impl GridShape {
    /// A grid of `nx` columns and `ny` lines.
    ///
    /// # Panics
    /// Unless there is at least one of both, and beyond 2³² rows.
    pub fn new(nx: usize, ny: usize) -> GridShape {
        assert!(nx > 0 && ny > 0, "a grid of {nx} x {ny} rows");
        assert!(u32::try_from(nx * ny).is_ok(), "fewer than 2^32 rows");
        GridShape { nx, ny }
    }

    /// Columns.
    pub fn nx(self) -> usize {
        self.nx
    }

    /// Lines.
    pub fn ny(self) -> usize {
        self.ny
    }

    /// Rows of all lines, nx times ny.
    pub fn rows(self) -> usize {
        self.nx * self.ny
    }

    /// Where the coupling of the rows `first` and `second` is kept, whichever comes first; none where no step of [`STEPS`] leads
    /// from one to the other.
    ///
    /// # Panics
    /// Where there are no such rows.
    pub fn place(self, first: usize, second: usize) -> Option<GridPlace> {
        let (row, other) = (first.min(second), first.max(second));
        assert!(other < self.rows(), "row {other} of {}", self.rows());
        let columns = (other % self.nx) as isize - (row % self.nx) as isize;
        let step = (columns, other / self.nx - row / self.nx);
        let step = STEPS.iter().position(|&known| known == step)?;
        Some(GridPlace { row: row as u32, step: step as u8 })
    }

    /// The row that a step leads to, or none where that leaves the grid.
    ///
    /// # Panics
    /// Where there is no such step.
    pub fn after(self, row: usize, step: usize) -> Option<usize> {
        let (columns, lines) = STEPS[step];
        let column = (row % self.nx).checked_add_signed(columns)?;
        let line = row / self.nx + lines;
        (column < self.nx && line < self.ny).then_some(line * self.nx + column)
    }

    /// All pairs of rows that may be coupled, the first one before the second, in the order of the first ones and of their steps.
    pub fn pairs(self) -> Vec<(usize, usize)> {
        let steps = (0..self.rows()).flat_map(|row| (0..STEPS.len()).map(move |step| (row, step)));
        steps.filter_map(|(row, step)| Some((row, self.after(row, step)?))).collect()
    }

    /// How much larger the index of a row is after each step.
    pub(super) fn offsets(self) -> [usize; 8] {
        STEPS.map(|(columns, lines)| (lines * self.nx).saturating_add_signed(columns))
    }

    /// The largest offset.
    pub(super) fn reach(self) -> usize {
        2 * self.nx + 2
    }

    /// Tiles of [`LANES`] rows.
    pub(super) fn tiles(self) -> usize {
        self.rows().div_ceil(LANES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_by_columns_and_lines_not_by_index() {
        let shape = GridShape::new(3, 3);
        let found = |i, j| shape.place(i, j).map(|place| (place.row as usize, STEPS[place.step as usize]));
        assert_eq!(found(0, 2), Some((0, (2, 0))));
        assert_eq!(found(3, 1), Some((1, (-1, 1))), "the same distance of indices, another step");
        assert_eq!(found(8, 0), Some((0, (2, 2))));
        assert_eq!([found(2, 3), found(0, 0), found(0, 5)], [None; 3], "around the edge, nowhere, and too far");
        for (row, step) in (0..9).flat_map(|row| (0..8).map(move |step| (row, step))) {
            let after = shape.after(row, step);
            assert_eq!(after.map(|other| found(row, other)), after.map(|_| Some((row, STEPS[step]))));
            assert_eq!(after, after.map(|_| row + shape.offsets()[step]));
        }
        assert_eq!((shape.after(2, 0), shape.after(7, 3), shape.after(3, 2)), (None, None, None));
    }

    #[test]
    #[should_panic(expected = "row 9 of 9")]
    fn a_row_beyond_the_grid_is_refused() {
        GridShape::new(3, 3).place(8, 9);
    }
}
