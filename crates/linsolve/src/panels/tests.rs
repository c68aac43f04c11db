use super::nodes::rounded;
use super::products::{BLOCK, DEPTH, Products, ROWS};
use super::*;
use crate::lanes::{Eight, Kernel};

/// Numbers in -1..1 that look like nothing.
fn number(k: usize) -> f64 {
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

/// A ring of nodes that is crossed by chords, nodes of none to four unknowns, as a matrix of nodes and of unknowns.
struct Ring {
    begins: Vec<usize>,
    starts: Vec<usize>,
    columns: Vec<u32>,
    places: Vec<usize>,
    blocks: Vec<f64>,
}

impl Ring {
    /// With couplings of this size; sizes of nodes differ by `shift`.
    fn new(nodes: usize, shift: usize, size: f64) -> Ring {
        let mut begins = vec![0];
        (0..nodes).for_each(|node| begins.push(begins[node] + (node * 7 + shift) % 5));
        let mut ring = Ring { begins, starts: vec![], columns: vec![], places: vec![], blocks: vec![] };
        for node in 0..nodes {
            ring.starts.push(ring.columns.len());
            for other in Ring::later(node, nodes) {
                ring.columns.push(other as u32);
                ring.places.push(ring.blocks.len());
                for _ in 0..ring.size(node) * ring.size(other) {
                    ring.blocks.push(size * number(ring.blocks.len()));
                }
            }
        }
        ring.starts.push(ring.columns.len());
        ring.places.push(ring.blocks.len());
        ring
    }

    fn size(&self, node: usize) -> usize {
        self.begins[node + 1] - self.begins[node]
    }

    /// The later nodes that a node is coupled with.
    fn later(node: usize, nodes: usize) -> Vec<usize> {
        let mut all: Vec<usize> =
            (0..nodes).filter(|other| [1, 9, nodes - 9, nodes - 1].contains(&other.abs_diff(node)) && *other > node).collect();
        all.dedup();
        all
    }

    /// Panels of the graph, whose nodes are eliminated in their order.
    fn panels(nodes: usize) -> NodePanels {
        let mut columns: Vec<Vec<usize>> = (0..nodes).map(|node| [vec![node], Ring::later(node, nodes)].concat()).collect();
        let (mut starts, mut rows) = (vec![0], vec![]);
        for node in 0..nodes {
            columns[node].sort_unstable();
            columns[node].dedup();
            let below = columns[node].clone();
            if let Some(parent) = below.get(1) {
                columns[*parent].extend(&below[1..]); // fill-in
            }
            rows.extend(below);
            starts.push(rows.len());
        }
        let order: Vec<usize> = (0..nodes).collect();
        NodePanels::new(Columns { starts: &starts, rows: &rows }, &order)
    }

    fn matrix(&self) -> NodeMatrix<'_> {
        let Ring { begins, starts, columns, places, blocks } = self;
        NodeMatrix { begins, starts, columns, places, blocks }
    }

    /// A x.
    fn product(&self, x: &[f64]) -> Vec<f64> {
        let mut b = x.to_vec();
        for node in 0..self.begins.len() - 1 {
            for coupling in self.starts[node]..self.starts[node + 1] {
                let (first, other) = (self.begins[node], self.columns[coupling] as usize);
                for p in 0..self.size(node) {
                    for q in 0..self.size(other) {
                        let entry = self.blocks[self.places[coupling] + p * self.size(other) + q];
                        b[first + p] += entry * x[self.begins[other] + q];
                        b[self.begins[other] + q] += entry * x[first + p];
                    }
                }
            }
        }
        b
    }
}

#[test]
fn nodes_of_any_number_of_unknowns_are_solved_with_the_same_bits_on_every_instruction_set() {
    let mut panels = Ring::panels(61);
    let mut memory = NodeMemory::default();
    for (shift, size) in [(0, 0.05), (3, 0.02), (1, 0.05)] {
        let ring = Ring::new(61, shift, size);
        let unknowns = ring.begins[61];
        let expected: Vec<f64> = (0..unknowns).map(number).collect();
        let b = ring.product(&expected);
        let mut bits = vec![];
        for set in InstructionSet::supported() {
            assert!(panels.resize(&ring.begins) > 0);
            panels.factor(set, ring.matrix()).expect("a positive definite matrix");
            let mut x = vec![0.0; unknowns];
            panels.prepare(&mut memory);
            panels.solve(set, &ring.begins, &b, &mut x, &mut memory);
            let error = x.iter().zip(&expected).map(|(x, expected)| (x - expected).abs()).fold(0.0, f64::max);
            assert!(error < 1e-4, "{error}"); // L is kept in 16 bits
            bits.push(x.into_iter().map(f64::to_bits).collect::<Vec<_>>());
        }
        assert!(bits.windows(2).all(|two| two[0] == two[1]));
    }
}

#[test]
fn a_node_whose_pivot_is_not_positive_is_told() {
    let mut panels = Ring::panels(61);
    let mut ring = Ring::new(61, 0, 0.01);
    let coupling = ring.starts[17];
    let (place, other) = (ring.places[coupling], ring.columns[coupling] as usize);
    assert!(ring.size(17) > 0 && ring.size(other) > 0);
    ring.blocks[place] = 1.5;
    panels.resize(&ring.begins);
    assert_eq!(panels.factor(InstructionSet::best(), ring.matrix()), Err(other));
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

/// A column as it is kept.
struct Rounding<'a>(&'a [f64]);

impl Kernel for Rounding<'_> {
    type Output = (f64, Vec<i16>);

    #[inline(always)]
    fn run<E: Eight>(self) -> (f64, Vec<i16>) {
        let mut kept = vec![1; self.0.len()];
        (rounded::<E>(self.0, &mut kept), kept)
    }
}

#[test]
fn a_column_of_l_is_kept_to_half_of_its_unit() {
    let column: Vec<f64> = (0..40).map(|k| if k % 5 == 0 { 0.0 } else { number(k) / f64::from(k as u32 * k as u32) }).collect();
    let largest = column.iter().fold(0.0, |largest, number| f64::max(largest, number.abs()));
    for set in InstructionSet::supported() {
        let (unit, kept) = set.run(Rounding(&column));
        assert_eq!(unit, largest / 32767.0, "{set}");
        assert_eq!(kept.iter().map(|kept| kept.unsigned_abs()).max(), Some(32767));
        for (kept, number) in kept.iter().zip(&column) {
            let nearest = (number / unit).round_ties_even();
            assert!((f64::from(*kept) - nearest).abs() == 0.0, "{set}: {kept}, {number} of {unit}");
        }
        assert_eq!(set.run(Rounding(&[0.0; 8])), (0.0, vec![0; 8]));
    }
}
