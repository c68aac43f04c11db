use crate::symmetric_rows::SymmetricRows;

/// Not reached.
const NOWHERE: u32 = u32::MAX;

/// The rows of a matrix in parts of nearly equal size: halves of halves, whatever is filled. Each is cut where two rows that lie
/// far apart, counted in couplings, are equally near.
#[derive(Clone, Debug, Default)]
pub(crate) struct Division {
    /// Part of every row.
    parts: Vec<u32>,
    /// Couplings that it was made for, row by row, and for parts of at most how many rows.
    above: Vec<(u32, u32)>,
    most: usize,
}

impl Division {
    /// The part of a row, from 0.
    pub fn part(&self, row: usize) -> u32 {
        self.parts[row]
    }

    /// Divides the rows of a matrix into parts of at most `most` rows, unless it has just that division.
    pub fn divide(&mut self, matrix: &impl SymmetricRows, most: usize) {
        let rows = matrix.row_count();
        let couplings = || (0..rows).flat_map(|row| matrix.places(row).map(move |column| (row as u32, column as u32)));
        if self.parts.len() == rows && self.most == most && couplings().eq(self.above.iter().copied()) {
            return;
        }
        self.most = most;
        self.above = couplings().collect();
        self.parts = vec![0; rows];
        let mut neighbours = vec![vec![]; rows];
        for &(row, column) in &self.above {
            neighbours[row as usize].push(column);
            neighbours[column as usize].push(row);
        }
        let distances = [vec![NOWHERE; rows], vec![NOWHERE; rows]];
        let mut halving =
            Halving { neighbours, among: vec![false; rows], distances, queue: vec![], parts: &mut self.parts, next: 0 };
        halving.divide(&mut (0..rows as u32).collect::<Vec<_>>(), most);
    }
}

/// A division under way.
struct Halving<'a> {
    neighbours: Vec<Vec<u32>>,
    /// Which rows are to be halved.
    among: Vec<bool>,
    /// Couplings from either end to every row.
    distances: [Vec<u32>; 2],
    queue: Vec<u32>,
    parts: &'a mut [u32],
    next: u32,
}

impl Halving<'_> {
    /// Numbers the parts of some rows.
    fn divide(&mut self, rows: &mut [u32], most: usize) {
        let count = rows.len().div_ceil(most);
        if count <= 1 {
            rows.iter().for_each(|row| self.parts[*row as usize] = self.next);
            self.next += u32::from(count == 1);
            return;
        }
        rows.iter().for_each(|row| self.among[*row as usize] = true);
        let first = self.farthest(rows[0], 0);
        let second = self.farthest(first, 0);
        self.farthest(second, 1);
        rows.iter().for_each(|row| self.among[*row as usize] = false);
        let [from_first, from_second] = &self.distances;
        rows.sort_unstable_by_key(|&row| {
            let [one, other] = [from_first[row as usize], from_second[row as usize]];
            (one == NOWHERE, i64::from(one) - i64::from(other), row)
        });
        for distances in &mut self.distances {
            rows.iter().for_each(|row| distances[*row as usize] = NOWHERE);
        }
        let (one, other) = rows.split_at_mut(rows.len() * (count / 2) / count);
        self.divide(one, most);
        self.divide(other, most);
    }

    /// Measures the distances of rows to be halved from one of them, as those of the first or the second end; the row found last.
    fn farthest(&mut self, from: u32, end: usize) -> u32 {
        let Halving { neighbours, among, distances, queue, .. } = self;
        let distances = &mut distances[end];
        queue.iter().for_each(|row| distances[*row as usize] = NOWHERE); // of an end that this one replaces
        queue.clear();
        queue.push(from);
        distances[from as usize] = 0;
        let mut next = 0;
        while let Some(&row) = queue.get(next) {
            for &other in &neighbours[row as usize] {
                if among[other as usize] && distances[other as usize] == NOWHERE {
                    distances[other as usize] = distances[row as usize] + 1;
                    queue.push(other);
                }
            }
            next += 1;
        }
        queue[next - 1]
    }
}
