use super::products::{BLOCK, DEPTH, Products, ROWS};
use super::*;
use crate::lanes::{Eight, Kernel};

/// Numbers in -1..1 that look like nothing.
pub(super) fn number(k: usize) -> f64 {
    ((k * 7919 + 104_729) * 6271 % 10_007) as f64 / 5003.5 - 1.0
}

/// A matrix of so many unknowns as its lower triangle, and the columns of its factor, found by elimination.
struct Matrix {
    entries: Vec<(usize, usize)>,
    values: Vec<f64>,
    starts: Vec<usize>,
    rows: Vec<usize>,
}

impl Matrix {
    /// A mesh of `side` x `side` with a diagonal of this size.
    fn mesh(side: usize, diagonal: f64) -> Matrix {
        let unknowns = side * side;
        let mut entries: Vec<_> = (0..unknowns).map(|k| (k, k)).collect();
        entries.extend((0..unknowns).filter(|k| (k + 1) % side > 0).map(|k| (k + 1, k)));
        entries.extend((side..unknowns).map(|k| (k, k - side)));
        let value = |(place, (row, column)): (usize, &(usize, usize))| if row == column { diagonal } else { number(place) };
        let values = entries.iter().enumerate().map(value).collect();
        let mut columns: Vec<Vec<usize>> = vec![vec![]; unknowns];
        entries.iter().for_each(|(row, column)| columns[*column].push(*row));
        let (mut starts, mut rows) = (vec![0], vec![]);
        for column in 0..unknowns {
            columns[column].sort_unstable();
            columns[column].dedup();
            let below = columns[column].clone();
            if let Some(parent) = below.get(1) {
                columns[*parent].extend(&below[1..]); // fill-in
            }
            rows.extend(below);
            starts.push(rows.len());
        }
        Matrix { entries, values, starts, rows }
    }

    fn panels(&self) -> Panels {
        let order: Vec<usize> = (0..self.starts.len() - 1).collect();
        Panels::new(Columns { starts: &self.starts, rows: &self.rows }, &order, self.entries.iter().copied())
    }

    /// A x.
    fn product(&self, x: &[f64]) -> Vec<f64> {
        let mut b = vec![0.0; x.len()];
        for ((row, column), value) in self.entries.iter().zip(&self.values) {
            b[*row] += value * x[*column];
            if row != column {
                b[*column] += value * x[*row];
            }
        }
        b
    }
}

#[test]
fn meshes_of_any_size_are_solved_with_the_same_bits_on_every_instruction_set() {
    for side in 1..24 {
        for (diagonal, policy) in [(4.5, Pivots::Positive), (-3.0, Pivots::Replaced { smallest: 1e-13, replacement: 1e-8 })] {
            let matrix = Matrix::mesh(side, diagonal);
            let x: Vec<f64> = (0..side * side).map(number).collect();
            let b = matrix.product(&x);
            let mut bits = vec![];
            for set in InstructionSet::supported() {
                let mut panels = matrix.panels();
                panels.run_on(set);
                for _ in 0..2 {
                    panels.factor(&matrix.values, policy).unwrap(); // a second time over what the first one left
                }
                let mut solution = b.clone();
                panels.solve(&mut solution);
                let error = solution.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(error < 1e-11, "{side} {diagonal} {set} {error}");
                let pivots = panels.pivots().map(|(_, pivot)| pivot);
                bits.push(solution.iter().copied().chain(pivots).map(f64::to_bits).collect::<Vec<_>>());
            }
            assert!(bits.windows(2).all(|pair| pair[0] == pair[1]), "{side}");
        }
    }
}

#[test]
fn three_right_sides_are_solved_as_each_alone_with_the_same_bits_on_every_instruction_set() {
    for side in 1..24 {
        let matrix = Matrix::mesh(side, 4.5);
        let x: Vec<Vec3> = (0..side * side).map(|k| Vec3::new(number(k), number(k + 5), number(3 * k + 1))).collect();
        let sides = [0, 1, 2].map(|q| matrix.product(&x.iter().map(|x| x[q]).collect::<Vec<_>>()));
        let b: Vec<Vec3> = (0..side * side).map(|k| Vec3::new(sides[0][k], sides[1][k], sides[2][k])).collect();
        let mut bits = vec![];
        for set in InstructionSet::supported() {
            let (mut panels, mut memory) = (matrix.panels(), VectorMemory::default());
            panels.run_on(set);
            panels.factor(&matrix.values, Pivots::Positive).unwrap();
            let mut solution = b.clone();
            for _ in 0..2 {
                solution.copy_from_slice(&b);
                panels.solve_vectors(&mut solution, &mut memory); // a second time over what the first one left
            }
            let error = solution.iter().zip(&x).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
            assert!(error < 1e-11, "{side} {set} {error}");
            bits.push(solution.iter().flatten().map(|number| number.to_bits()).collect::<Vec<_>>());
        }
        assert!(bits.windows(2).all(|pair| pair[0] == pair[1]), "{side}");
    }
}

#[test]
fn pivots_and_terms_are_those_of_elimination() {
    let matrix = Matrix::mesh(7, 4.5);
    let mut panels = matrix.panels();
    panels.factor(&matrix.values, Pivots::Positive).unwrap();
    // D_j = A_jj - Σ_k L_jk² D_k, and all pivots are above zero
    let mut terms = vec![0.0; 49];
    panels.add_terms(&mut terms);
    for (unknown, pivot) in panels.pivots() {
        assert!((pivot - (4.5 - terms[unknown])).abs() < 1e-13, "{unknown} {pivot} {}", terms[unknown]);
    }
    assert!(terms.iter().any(|term| *term > 0.1));
}

#[test]
fn pivots_that_are_not_above_zero_are_told_or_replaced() {
    let mut matrix = Matrix::mesh(5, 4.5);
    for ((row, column), value) in matrix.entries.iter().zip(&mut matrix.values) {
        if *row == 7 || *column == 7 {
            *value = 0.0;
        }
    }
    let mut panels = matrix.panels();
    assert_eq!(panels.factor(&matrix.values, Pivots::Positive), Err(7));
    panels.factor(&matrix.values, Pivots::Replaced { smallest: 1e-13, replacement: 1e-8 }).unwrap();
    let pivot = panels.pivots().find(|(unknown, _)| *unknown == 7).unwrap().1;
    assert_eq!(pivot, 1e-8);
}

#[test]
fn matrices_without_symmetry_are_solved_with_the_same_bits_on_every_instruction_set() {
    for side in 1..24 {
        let matrix = Matrix::mesh(side, 4.5);
        let unknowns = side * side;
        let mut entries = matrix.entries.clone();
        entries.extend(matrix.entries.iter().filter(|(row, column)| row != column).map(|(row, column)| (*column, *row)));
        let values: Vec<f64> = (0..entries.len()).map(|k| if k < unknowns { 4.5 } else { number(k) }).collect();
        let x: Vec<f64> = (0..unknowns).map(number).collect();
        let mut b = vec![0.0; unknowns];
        entries.iter().zip(&values).for_each(|((row, column), value)| b[*row] += value * x[*column]);
        let order: Vec<usize> = (0..unknowns).collect();
        let mut bits = vec![];
        for set in InstructionSet::supported() {
            let columns = Columns { starts: &matrix.starts, rows: &matrix.rows };
            let mut panels = Panels::<false>::new(columns, &order, entries.iter().copied());
            panels.run_on(set);
            for _ in 0..2 {
                panels.factor(&values, Pivots::NotZero).unwrap(); // a second time over what the first one left
            }
            let mut solution = b.clone();
            panels.solve(&mut solution);
            let error = solution.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-11, "{side} {set} {error}");
            let pivots = panels.pivots().map(|(_, pivot)| pivot);
            bits.push(solution.iter().copied().chain(pivots).map(f64::to_bits).collect::<Vec<_>>());
        }
        assert!(bits.windows(2).all(|pair| pair[0] == pair[1]), "{side}");
    }
}

/// Products subtracted from columns of zeros, each of so many rows.
struct Subtraction<'a> {
    products: &'a Products,
    known: [&'a [f64]; 2],
    rows: usize,
}

impl Kernel for Subtraction<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Vec<f64> {
        let Subtraction { products, known, rows } = self;
        let mut target = vec![0.0; products.columns.len() * rows];
        products.subtract::<E>(known, &mut target, rows);
        target
    }
}

#[test]
fn products_of_any_size_are_subtracted_one_after_the_other() {
    for (count, rows, start, end, origin) in [
        (1, 8, 0, 1, 0),
        (5, 24, 4, 15, 0),
        (DEPTH, ROWS, 0, BLOCK, 8),
        (DEPTH + 1, ROWS + 8, 8, 30, 24),
        (2 * DEPTH + 3, 2 * ROWS + 24, 32, 63, 0),
        (DEPTH - 1, 3 * ROWS, 0, 3 * ROWS, 16),
    ] {
        let height = origin + rows;
        let l: Vec<f64> = (0..count * height).map(number).collect();
        let s: Vec<f64> = (0..count * height).map(|k| number(3 * k + 1)).collect();
        let products = Products { count, height, origin, columns: start..end };
        for set in InstructionSet::supported() {
            let found = set.run(Subtraction { products: &products, known: [&l, &s], rows });
            for column in start..end {
                for row in 0..rows {
                    let mut sum = 0.0;
                    if row >= column - column % LANES {
                        (0..count).for_each(|k| sum -= l[k * height + origin + row] * s[k * height + origin + column]);
                    }
                    let found = found[(column - start) * rows + row];
                    assert_eq!(found.to_bits(), f64::to_bits(sum), "{set}: {count} {row} {column} {found} {sum}");
                }
            }
        }
    }
}
