use std::ops::Range;

use crate::Constraint;
use crate::symmetric_rows::SymmetricRows;

/// The group of fully constrained rows.
const PRESCRIBED: u32 = 0;

/// Connected components of the rows of a matrix \[Boxerman 2003, fig. 6.7\]: an edge is a block above the diagonal that is
/// filled. Fully constrained rows are group 0: they belong to no component and join nothing. The components are numbered
/// from 1 in the order of their first rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    /// Group of every row.
    groups: Vec<u32>,
    /// An earlier row of the same component, or the row itself.
    parents: Vec<u32>,
    /// Rows of one component after the other, ascending within each.
    order: Vec<usize>,
    /// Rows of component g are order\[starts\[g - 1\]\] .. order\[starts\[g\]\].
    starts: Vec<usize>,
    /// Position of every row in its component.
    positions: Vec<u32>,
}

impl Components {
    /// Finds the components of a matrix; allocates only where there are more rows than ever before.
    pub fn find(&mut self, matrix: &impl SymmetricRows, constraints: &[Constraint]) {
        let rows = constraints.len();
        let is_free = |row: usize| constraints[row].ndof() > 0;
        self.parents.clear();
        self.parents.extend(0..rows as u32);
        for row in (0..rows).filter(|&row| is_free(row)) {
            let mut first = self.first(row);
            for other in matrix.joined(row) {
                if self.parents[other] as usize != first && is_free(other) {
                    first = self.join(first, other);
                }
            }
        }

        self.groups.clear();
        self.groups.resize(rows, PRESCRIBED);
        self.starts.clear();
        self.starts.reserve(rows + 1);
        self.starts.push(0);
        self.positions.clear();
        self.positions.resize(rows, 0);
        for row in (0..rows).filter(|&row| is_free(row)) {
            let first = self.first(row);
            if first == row {
                self.groups[row] = self.starts.len() as u32;
                self.starts.push(0);
            }
            let group = self.groups[first];
            self.groups[row] = group;
            self.positions[row] = self.starts[group as usize] as u32;
            self.starts[group as usize] += 1;
        }
        for group in 1..self.starts.len() {
            self.starts[group] += self.starts[group - 1]; // from numbers of rows to their ends
        }
        self.order.clear();
        self.order.reserve(rows);
        self.order.resize(self.free_rows(), 0);
        for row in 0..rows {
            if self.groups[row] != PRESCRIBED {
                self.order[self.starts[self.groups[row] as usize - 1] + self.positions[row] as usize] = row;
            }
        }
    }

    /// The first row of the component of a row, as far as it is known; shortens the way to it.
    fn first(&mut self, mut row: usize) -> usize {
        while self.parents[row] as usize != row {
            let parent = self.parents[row] as usize;
            self.parents[row] = self.parents[parent];
            row = self.parents[row] as usize;
        }
        row
    }

    /// Joins the component whose first row is known with that of another row; gives the first row of both.
    fn join(&mut self, first: usize, other: usize) -> usize {
        let other = self.first(other);
        self.parents[first.max(other)] = first.min(other) as u32;
        first.min(other)
    }

    /// Number of components.
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of rows that are not fully constrained.
    pub fn free_rows(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Shape \[rows\]: 0 of a row that is fully constrained, else the number of its component.
    pub fn groups(&self) -> &[u32] {
        &self.groups
    }

    /// Rows of one component after the other, ascending within each.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Where in this order each component stands.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.starts.windows(2).map(|ends| ends[0]..ends[1])
    }

    /// Number of rows of the component of a row that is not fully constrained.
    pub fn rows_beside(&self, row: usize) -> usize {
        let group = self.groups[row] as usize;
        self.starts[group] - self.starts[group - 1]
    }

    /// Position of a row in its component; none for a fully constrained row.
    pub fn position(&self, row: usize) -> Option<u32> {
        (self.groups[row] != PRESCRIBED).then(|| self.positions[row])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockPattern, BlockRows, Mat3, Vec3};
    use proptest::prelude::*;

    fn components(rows: usize, edges: &[(usize, usize)], constraints: &[Constraint]) -> Components {
        let mut matrix = BlockRows::new(BlockPattern::new(rows, edges));
        (0..edges.len()).for_each(|edge| matrix.add_pair(edge, &Mat3::identity()));
        let mut components = Components::default();
        components.find(&matrix, constraints);
        components
    }

    #[test]
    fn a_fully_constrained_row_is_a_dead_end_and_one_that_slides_is_not() {
        let edges = [(4, 3), (3, 2), (2, 1), (1, 0), (5, 0)];
        let mut constraints = [Constraint::Free; 7];
        constraints[1] = Constraint::line(Vec3::x(), Vec3::y()).unwrap();
        assert_eq!(components(7, &edges, &constraints).groups(), [1, 1, 1, 1, 1, 1, 2]);
        constraints[2] = Constraint::Fixed;
        let found = components(7, &edges, &constraints);
        assert_eq!(found.groups(), [1, 1, 0, 2, 2, 1, 3]);
        assert_eq!((found.count(), found.free_rows(), found.order()), (3, 6, &[0, 1, 5, 3, 4, 6][..]));
        assert_eq!(found.ranges().collect::<Vec<_>>(), [0..3, 3..5, 5..6]);
        let positions = [Some(0), Some(1), None, Some(0), Some(1), Some(2), Some(0)];
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|row| found.position(row)), positions);
    }

    proptest! {
        #[test]
        fn groups_are_the_rows_that_can_be_reached(
            edges in prop::collection::vec((0..12_usize, 1..12_usize), 0..14), fixed in prop::collection::vec(0..12_usize, 0..4),
        ) {
            let edges: Vec<_> = edges.iter().map(|&(i, step)| (i, (i + step) % 12)).collect();
            let mut constraints = [Constraint::Free; 12];
            fixed.iter().for_each(|&row| constraints[row] = Constraint::Fixed);
            let found = components(12, &edges, &constraints);
            let mut reached = [[false; 12]; 12];
            for (row, reached) in reached.iter_mut().enumerate() {
                reached[row] = !fixed.contains(&row);
                for _ in 0..12 {
                    for &(i, j) in edges.iter().filter(|&(i, j)| !fixed.contains(i) && !fixed.contains(j)) {
                        let either = reached[i] || reached[j];
                        (reached[i], reached[j]) = (either, either);
                    }
                }
            }
            for i in 0..12 {
                prop_assert_eq!(found.groups()[i] == 0, fixed.contains(&i));
                for j in 0..12 {
                    let together = found.groups()[i] > 0 && found.groups()[i] == found.groups()[j];
                    prop_assert_eq!(together, reached[i][j], "rows {} and {}", i, j);
                }
            }
            for (group, rows) in (1..).zip(found.ranges()) {
                let rows = &found.order()[rows];
                prop_assert!(rows.is_sorted() && rows.iter().all(|&row| found.groups()[row] == group));
            }
            prop_assert_eq!(found.order().len(), 12 - constraints.iter().filter(|c| c.ndof() == 0).count());
        }
    }
}
