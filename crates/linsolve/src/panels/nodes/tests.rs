use super::factorisation::rounded;
use super::*;
use crate::lanes::Eight;
use crate::panels::tests::number;

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

/// L and D of nodes as they are kept, in the order of elimination.
struct Kept {
    /// With its diagonal of ones, row by row.
    lower: Vec<Vec<f64>>,
    /// Of the columns of L.
    units: Vec<f64>,
    diagonal: Vec<f64>,
    /// The place of every unknown.
    places: Vec<usize>,
}

impl Kept {
    fn of(panels: &NodePanels, begins_of_nodes: &[usize]) -> Kept {
        let NodePanels { nodes, plan, begins, lower: kept, units, inverses, .. } = panels;
        let mut lower = vec![vec![0.0; units.len()]; units.len()];
        for (panel, of_nodes) in plan.panels.iter().zip(&nodes.panels) {
            let below = nodes.below(of_nodes).iter().flat_map(|node| begins[*node]..begins[node + 1]);
            let rows: Vec<(usize, usize)> =
                (panel.start..panel.end()).enumerate().chain((panel.first_below()..).zip(below)).collect();
            for k in 0..panel.width {
                let column = panel.start + k;
                lower[column][column] = 1.0;
                for (place, row) in rows.iter().filter(|(_, row)| *row > column) {
                    lower[*row][column] = f64::from(kept[panel.factor + k * panel.height() + place]) * units[column];
                }
            }
        }
        let mut places = vec![0; units.len()];
        for (node, place) in nodes.order.iter().zip(begins) {
            (begins_of_nodes[*node]..begins_of_nodes[node + 1])
                .zip(*place..)
                .for_each(|(unknown, place)| places[unknown] = place);
        }
        let diagonal = inverses.iter().map(|inverse| 1.0 / inverse).collect();
        Kept { lower, units: units.clone(), diagonal, places }
    }

    /// L D Lᵀ x.
    fn product(&self, x: &[f64]) -> Vec<f64> {
        let Kept { lower, diagonal, places, .. } = self;
        let mut scaled = vec![0.0; x.len()];
        for (x, place) in x.iter().zip(places) {
            scaled.iter_mut().zip(&lower[*place]).for_each(|(sum, l)| *sum += l * x);
        }
        scaled.iter_mut().zip(diagonal).for_each(|(sum, d)| *sum *= d);
        places.iter().map(|place| lower[*place].iter().zip(&scaled).map(|(l, scaled)| l * scaled).sum()).collect()
    }

    /// That L D Lᵀ is the matrix but for half a unit in every entry of L, and for so much by the precision of the factorisation.
    fn assert_rounded(&self, ring: &Ring, precision: f64) {
        let Kept { lower, units, diagonal, places } = self;
        for (column, i) in places.iter().enumerate() {
            let mut unit = vec![0.0; places.len()];
            unit[column] = 1.0;
            for ((found, expected), j) in self.product(&unit).into_iter().zip(ring.product(&unit)).zip(places) {
                let rounded =
                    |k: usize| 0.5 * units[k] * (lower[*i][k].abs() + lower[*j][k].abs() + 0.5 * units[k]) * diagonal[k];
                let bound = (0..=*i.min(j)).map(rounded).sum::<f64>() + precision;
                assert!((found - expected).abs() <= bound, "{column}: {found} {expected} {bound}");
            }
        }
    }
}

#[test]
fn nodes_of_any_number_of_unknowns_are_solved_with_the_same_bits_on_every_instruction_set() {
    for (shift, size) in [(0, 0.05), (3, 0.02), (1, 0.05)] {
        let ring = Ring::new(61, shift, size);
        factor_and_solve(&ring, &mut Work::<f32>::default(), 1e-7);
        factor_and_solve(&ring, &mut Work::<f64>::default(), 1e-14);
    }
}

fn factor_and_solve<S: Number>(ring: &Ring, work: &mut Work<S>, precision: f64) {
    let mut panels = Ring::panels(61);
    let mut memory = NodeMemory::default();
    let unknowns = ring.begins[61];
    let expected: Vec<f64> = (0..unknowns).map(number).collect();
    let b = ring.product(&expected);
    let mut bits = vec![];
    for set in InstructionSet::supported() {
        assert!(panels.resize(&ring.begins) > 0);
        panels.sort_couplings(ring.matrix());
        panels.factor_in(set, ring.matrix(), work).expect("a positive definite matrix");
        let mut x = vec![0.0; unknowns];
        panels.prepare(&mut memory);
        panels.solve(set, &ring.begins, &b, &mut x, &mut memory);
        let kept = Kept::of(&panels, &ring.begins);
        let residual = kept.product(&x).into_iter().zip(&b).map(|(product, b)| (product - b).abs()).fold(0.0, f64::max);
        assert!(residual < 1e-13, "{residual}");
        kept.assert_rounded(ring, precision);
        bits.push(x.into_iter().map(f64::to_bits).collect::<Vec<_>>());
    }
    assert!(bits.windows(2).all(|two| two[0] == two[1]));
}

#[test]
fn a_pivot_below_the_digits_of_single_precision_is_found_in_double_precision() {
    let coupling = 1.0 - 1e-9; // 1 in single precision
    let matrix = NodeMatrix { begins: &[0, 1, 2], starts: &[0, 1, 1], columns: &[1], places: &[0, 1], blocks: &[coupling] };
    let mut panels = NodePanels::new(Columns { starts: &[0, 2, 3], rows: &[0, 1, 1] }, &[0, 1]);
    panels.resize(matrix.begins);
    panels.sort_couplings(matrix);
    assert_eq!(panels.factor_in(InstructionSet::best(), matrix, &mut Work::<f32>::default()), Err(1));
    panels.factor(InstructionSet::best(), matrix).expect("a pivot of 2e-9");
    let mut memory = NodeMemory::default();
    panels.prepare(&mut memory);
    let mut x = [0.0; 2];
    panels.solve(InstructionSet::best(), matrix.begins, &[1.0, -1.0], &mut x, &mut memory);
    let expected = 1.0 / (1.0 - coupling);
    assert!((x[0] / expected - 1.0).abs() < 1e-6 && (x[1] / expected + 1.0).abs() < 1e-6, "{x:?} {expected}");
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
