mod factorisation;

use self::factorisation::{NodeFactorisation, Work};
use super::plan::{Panel, Plan};
use super::{Columns, LANES};
use crate::lanes::{Eight, InstructionSet, Kernel, Number, prefetch};

/// A symmetric matrix of nodes with any number of unknowns each, whose diagonal blocks are I.
#[derive(Clone, Copy)]
pub(crate) struct NodeMatrix<'a> {
    /// Where the unknowns of each node begin, and the end, shape \[nodes + 1\].
    pub begins: &'a [usize],
    /// Couplings of node i with later ones are starts\[i\] .. starts\[i + 1\], shape \[nodes + 1\].
    pub starts: &'a [usize],
    /// The later node of every coupling.
    pub columns: &'a [u32],
    /// Where A_ij of each coupling stands in `blocks`, and the end.
    pub places: &'a [usize],
    /// A_ij, shape \[unknowns of i, unknowns of j\], row by row.
    pub blocks: &'a [f64],
}

/// A coupling of a matrix of nodes with its earlier node.
#[derive(Clone, Copy, Debug, Default)]
struct Coupling {
    number: usize,
    node: u32,
}

/// The factor L D Lᵀ of matrices of nodes, on a graph that is analysed once; how many unknowns a node has may change with each matrix.
///
/// It is computed in single precision, panel by panel: sheets take the iterations that they take in double precision, to 1 %. Where a
/// pivot is not above zero then, all of it is computed once more in double precision. L is kept in 16 bits, each column in multiples of
/// 1/32767 of its largest entry: reading L is most of what a solution takes. What has been rounded there changes |√D Lᵀ x|, the root of
/// the energy of x, by some 1e-5 of x where the diagonal of the matrix is I, so that soft motions keep their energies as long as these
/// are above 1e-9, and L D Lᵀ is symmetric positive definite in any case. Solutions are computed in double precision: (L D Lᵀ)⁻¹ is
/// symmetric to its digits.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodePanels {
    /// Of nodes.
    nodes: Plan,
    /// The panel of every node in the order of elimination, and the place of every node in it.
    panel_of: Vec<u32>,
    place_of: Vec<u32>,
    /// Of unknowns.
    plan: Plan,
    /// Where the unknowns of each node begin in the order of elimination, and the end.
    begins: Vec<usize>,
    /// Where the unknowns of each node below a panel stand among its rows, in the order of `nodes`.
    offsets: Vec<usize>,
    /// L below its diagonal of ones, panel by panel, in units of its columns.
    lower: Vec<i16>,
    units: Vec<f64>,
    /// 1 / D.
    inverses: Vec<f64>,
    single: Work<f32>,
    /// For matrices that single precision does not factor.
    double: Work<f64>,
    /// Couplings of the matrix, panel by panel.
    couplings: Vec<Coupling>,
    coupling_starts: Vec<usize>,
}

/// What a solution needs besides the factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeMemory {
    x: Vec<f64>,
    local: Vec<f64>,
}

impl NodePanels {
    /// Analyses a factor with `columns` of nodes that are eliminated in `order`.
    pub fn new(columns: Columns<'_>, order: &[usize]) -> NodePanels {
        let nodes = Plan::new(columns, order, TYPICAL, std::iter::empty());
        let mut panel_of = vec![0; order.len()];
        for (number, panel) in nodes.panels.iter().enumerate() {
            panel_of[panel.start..panel.end()].fill(number as u32);
        }
        let mut place_of = vec![0; order.len()];
        nodes.order.iter().enumerate().for_each(|(place, node)| place_of[*node] = place as u32);
        NodePanels { nodes, panel_of, place_of, ..NodePanels::default() }
    }

    /// Takes in how many unknowns the nodes have; gives the multiplications of a factorisation, nearly.
    pub fn resize(&mut self, begins: &[usize]) -> u64 {
        let NodePanels { nodes, plan, begins: places, offsets, .. } = self;
        places.clear();
        places.push(0);
        let mut unknowns = 0;
        for node in &nodes.order {
            unknowns += begins[node + 1] - begins[*node];
            places.push(unknowns);
        }
        nodes.with_unknowns(places, offsets, plan);
        plan.panels.iter().map(|panel| (panel.width * (panel.width + panel.below).pow(2)) as u64 / 2).sum()
    }

    /// Entries of L that are stored.
    pub fn entries(&self) -> usize {
        self.plan.factor_size
    }

    /// Factors a matrix whose numbers of unknowns were taken in last.
    ///
    /// # Errors
    /// The node whose pivot is not positive.
    pub fn factor(&mut self, set: InstructionSet, matrix: NodeMatrix<'_>) -> Result<(), usize> {
        self.sort_couplings(matrix);
        let mut single = std::mem::take(&mut self.single);
        let factored = self.factor_in(set, matrix, &mut single);
        self.single = single;
        if factored.is_ok() {
            return Ok(());
        }
        let mut double = std::mem::take(&mut self.double);
        let factored = self.factor_in(set, matrix, &mut double);
        self.double = double;
        factored.map_err(|unknown| self.nodes.order[self.begins.partition_point(|begin| *begin <= unknown) - 1])
    }

    /// Factors a matrix in the precision of S, with its couplings sorted; the unknown whose pivot ended it.
    fn factor_in<S: Number>(&mut self, set: InstructionSet, matrix: NodeMatrix<'_>, work: &mut Work<S>) -> Result<(), usize> {
        let Plan { panels, factor_size, .. } = &self.plan;
        let width = panels.last().map_or(0, Panel::end);
        self.lower.resize(*factor_size, 0);
        self.units.resize(width, 0.0);
        self.inverses.resize(width, 0.0);
        set.run(NodeFactorisation { panels: self, work, matrix })
    }

    /// Lists couplings by the panel of the node that is eliminated first.
    fn sort_couplings(&mut self, matrix: NodeMatrix<'_>) {
        let NodePanels { nodes, panel_of, place_of, couplings, coupling_starts, .. } = self;
        coupling_starts.clear();
        coupling_starts.resize(nodes.panels.len() + 2, 0);
        let panel = |node: usize, number: usize| {
            let first = place_of[node].min(place_of[matrix.columns[number] as usize]);
            panel_of[first as usize] as usize
        };
        for node in 0..place_of.len() {
            (matrix.starts[node]..matrix.starts[node + 1]).for_each(|number| coupling_starts[panel(node, number) + 2] += 1);
        }
        (0..nodes.panels.len()).for_each(|k| coupling_starts[k + 2] += coupling_starts[k + 1]);
        couplings.clear();
        couplings.resize(matrix.columns.len(), Coupling::default());
        for node in 0..place_of.len() {
            for number in matrix.starts[node]..matrix.starts[node + 1] {
                let place = &mut coupling_starts[panel(node, number) + 1];
                couplings[*place] = Coupling { number, node: node as u32 };
                *place += 1;
            }
        }
    }

    /// Where the unknowns of a node, by its place, begin among the rows of a panel.
    fn row(&self, number: usize, place: usize) -> usize {
        let (nodes, panel) = (&self.nodes.panels[number], &self.plan.panels[number]);
        match place < nodes.end() {
            true => self.begins[place] - panel.start,
            false => {
                let below = self.nodes.below(nodes).partition_point(|row| *row < place);
                panel.first_below() + self.offsets[nodes.rows + below]
            }
        }
    }

    /// Overwrites `values` by the columns of a panel, as they are in the matrix.
    fn fill<S: Number>(&self, number: usize, matrix: NodeMatrix<'_>, values: &mut [S]) {
        let (panel, height) = (&self.plan.panels[number], self.plan.panels[number].height());
        values.fill(S::ZERO);
        (0..panel.width).for_each(|k| values[k * height + k] = S::rounded(1.0));
        for &Coupling { number: coupling, node } in
            &self.couplings[self.coupling_starts[number]..self.coupling_starts[number + 1]]
        {
            let (i, j) = (node as usize, matrix.columns[coupling] as usize);
            let [at_i, at_j] = [i, j].map(|node| self.place_of[node] as usize);
            let columns = matrix.begins[j + 1] - matrix.begins[j];
            if columns == 0 {
                continue;
            }
            let block = &matrix.blocks[matrix.places[coupling]..matrix.places[coupling + 1]];
            let [row_i, row_j] = [at_i, at_j].map(|place| self.row(number, place));
            for (p, entries) in block.chunks_exact(columns).enumerate() {
                let (first, step) =
                    if at_i < at_j { ((row_i + p) * height + row_j, 1) } else { (row_j * height + row_i + p, height) };
                let places = values[first..].iter_mut().step_by(step);
                places.zip(entries).for_each(|(place, entry)| *place = S::rounded(*entry));
            }
        }
    }

    /// Makes memory large enough for solutions by this factor.
    pub fn prepare(&self, memory: &mut NodeMemory) {
        memory.x.resize(self.inverses.len(), 0.0);
        memory.local.resize(self.plan.height(), 0.0);
    }

    /// Overwrites `x` with (L D Lᵀ)⁻¹ b in prepared memory, where `begins` are those of the matrix.
    pub fn solve(&self, set: InstructionSet, begins: &[usize], b: &[f64], x: &mut [f64], memory: &mut NodeMemory) {
        for (node, places) in self.nodes.order.iter().zip(self.begins.windows(2)) {
            memory.x[places[0]..places[1]].copy_from_slice(&b[begins[*node]..begins[node + 1]]);
        }
        set.run(NodeSolution { panels: self, memory });
        for (node, places) in self.nodes.order.iter().zip(self.begins.windows(2)) {
            x[begins[*node]..begins[node + 1]].copy_from_slice(&memory.x[places[0]..places[1]]);
        }
    }
}

/// Unknowns of a node, as panels are put together for.
const TYPICAL: usize = 8;

/// How far ahead of what is read L is asked for \[B\]: it comes from memory once in each direction, and one column is too short for
/// the processor to see where the next ones are.
const AHEAD: usize = 8192;

struct NodeSolution<'a> {
    panels: &'a NodePanels,
    memory: &'a mut NodeMemory,
}

impl Kernel for NodeSolution<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let NodeSolution { panels, memory: NodeMemory { x, local } } = self;
        let NodePanels { nodes, plan, begins, lower, units, inverses, .. } = panels;
        for (panel, of_nodes) in plan.panels.iter().zip(&nodes.panels) {
            let (height, width) = (panel.height(), panel.width);
            let local = &mut local[..height];
            local[..width].copy_from_slice(&x[panel.start..panel.end()]);
            local[width..].fill(0.0);
            for k in 0..width {
                let column = &lower[panel.factor + k * height..][..height];
                prefetch(column.as_ptr().wrapping_byte_add(AHEAD).cast(), size_of_val(column));
                let factor = E::splat(local[k] * units[panel.start + k]);
                for row in (k - k % LANES..height).step_by(LANES) {
                    (E::load_from(local, row) - widened::<E>(column, row) * factor).store_to(local, row);
                }
            }
            x[panel.start..panel.end()].copy_from_slice(&local[..width]);
            let mut changes = &local[panel.first_below()..];
            for node in nodes.below(of_nodes) {
                let own = &mut x[begins[*node]..begins[node + 1]];
                let (change, rest) = changes.split_at(own.len());
                own.iter_mut().zip(change).for_each(|(x, change)| *x += change);
                changes = rest;
            }
        }
        x.iter_mut().zip(inverses).for_each(|(x, inverse)| *x *= inverse);
        for (panel, of_nodes) in plan.panels.iter().zip(&nodes.panels).rev() {
            let (height, width) = (panel.height(), panel.width);
            let local = &mut local[..height];
            local[width..].fill(0.0);
            local[..width].copy_from_slice(&x[panel.start..panel.end()]);
            let mut values = &mut local[panel.first_below()..];
            for node in nodes.below(of_nodes) {
                let own = &x[begins[*node]..begins[node + 1]];
                let (value, rest) = values.split_at_mut(own.len());
                value.copy_from_slice(own);
                values = rest;
            }
            for k in (0..width).rev() {
                let column = &lower[panel.factor + k * height..][..height];
                prefetch(column.as_ptr().wrapping_byte_sub(AHEAD).cast(), size_of_val(column));
                let mut sums = E::splat(0.0);
                for row in (k - k % LANES..height).step_by(LANES) {
                    sums = sums + E::load_from(local, row) * widened::<E>(column, row);
                }
                local[k] -= sums.sum() * units[panel.start + k];
            }
            x[panel.start..panel.end()].copy_from_slice(&local[..width]);
        }
    }
}

#[inline(always)]
fn widened<E: Eight>(numbers: &[i16], first: usize) -> E {
    let numbers = &numbers[first..first + LANES].as_chunks::<LANES>().0[0];
    let mut wide = [0.0; LANES];
    for lane in 0..LANES {
        wide[lane] = f64::from(numbers[lane]);
    }
    E::load(&wide)
}

#[cfg(test)]
mod tests;
