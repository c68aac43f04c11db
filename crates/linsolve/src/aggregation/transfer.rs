use super::aggregates::Aggregates;
use super::grouping::{Grouping, NONE};
use super::level::{Level, add, dot};
use super::local::Local;
use crate::lanes::{Eight, Kernel};

/// How a level comes from the one above it: P, whose columns are the near null space of each aggregate by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Transfer {
    /// Nodes of one aggregate after the other, ascending within each.
    nodes: Vec<u32>,
    /// Where those of each aggregate begin, and the end.
    starts: Vec<usize>,
    pub aggregates: Aggregates,
    /// Where P_i of every node i stands, shape \[unknowns of i, unknowns of its aggregate\].
    places: Vec<usize>,
    values: Vec<f64>,
    /// P in single precision, where it is that of the finest level.
    rounded: Vec<f32>,
    /// Where the unknowns of a node stand in its aggregate.
    offsets: Vec<usize>,
    local: Local,
    /// Couplings between aggregates by the smaller one of both.
    crossing: Vec<Crossing>,
    crossing_starts: Vec<usize>,
    /// The coupling of the aggregate under way with another one.
    slots: Vec<u32>,
    products: [Vec<f64>; 2],
}

/// A coupling between aggregates.
#[derive(Clone, Copy, Debug, Default)]
struct Crossing {
    coupling: usize,
    node: u32,
}

/// Overwrites P, and how many unknowns the nodes of `coarse` have; or the aggregate whose block on the diagonal is not positive
/// definite.
pub(super) struct NearNullSpace<'a> {
    /// Whose aggregates know what is outside of them.
    pub transfer: &'a mut Transfer,
    pub fine: &'a Level,
    pub coarse: &'a mut Level,
    /// Of pivots that are eliminated.
    pub threshold: f64,
}

impl Kernel for NearNullSpace<'_> {
    type Output = Result<(), usize>;

    #[inline(always)]
    fn run<E: Eight>(self) -> Result<(), usize> {
        self.transfer.find_basis::<E>(self.fine, self.coarse, self.threshold)
    }
}

/// Overwrites `coarse`, whose unknowns are known, with Pᵀ A P, and its energies where they are asked for.
pub(super) struct Galerkin<'a> {
    pub transfer: &'a mut Transfer,
    pub fine: &'a Level,
    pub coarse: &'a mut Level,
    pub with_energies: bool,
}

impl Kernel for Galerkin<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Galerkin { transfer, fine, coarse, with_energies } = self;
        transfer.list_crossings(fine);
        match with_energies {
            true => transfer.multiply::<true>(fine, coarse),
            false => transfer.multiply::<false>(fine, coarse),
        }
    }
}

impl Transfer {
    /// By some aggregates.
    pub fn new(Grouping { aggregates, count }: Grouping) -> Transfer {
        let mut starts = vec![0; count + 1];
        aggregates.iter().for_each(|aggregate| starts[*aggregate as usize + 1] += 1);
        (0..count).for_each(|aggregate| starts[aggregate + 1] += starts[aggregate]);
        let mut nodes: Vec<u32> = (0..aggregates.len() as u32).collect();
        nodes.sort_by_key(|node| aggregates[*node as usize]);
        Transfer { nodes, starts, aggregates: Aggregates::new(aggregates), slots: vec![NONE; count], ..Transfer::default() }
    }

    /// The first node of an aggregate.
    pub fn first_of(&self, aggregate: usize) -> usize {
        self.nodes[self.starts[aggregate]] as usize
    }

    /// Entries of P.
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    fn aggregate_count(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline(always)]
    fn block(&self, node: usize, fine: &Level, coarse: &Level) -> &[f64] {
        let size = fine.size(node) * coarse.size(self.aggregates.of(node));
        &self.values[self.places[node]..self.places[node] + size]
    }

    #[inline(always)]
    fn find_basis<E: Eight>(&mut self, fine: &Level, coarse: &mut Level, threshold: f64) -> Result<(), usize> {
        let Transfer { nodes, starts, places, values, offsets, aggregates, local, .. } = self;
        offsets.resize(fine.nodes(), 0);
        places.resize(fine.nodes(), 0);
        values.clear();
        coarse.begins.clear();
        coarse.begins.push(0);
        let mut unknowns = 0;
        for aggregate in 0..starts.len() - 1 {
            let nodes = &nodes[starts[aggregate]..starts[aggregate + 1]];
            let mut size = 0;
            for node in nodes {
                offsets[*node as usize] = size;
                size += fine.size(*node as usize);
            }
            local.reset(size);
            for node in nodes.iter().map(|node| *node as usize) {
                let count = fine.size(node);
                local.subtract_own(offsets[node], count, aggregates.outside(node));
                for coupling in fine.couplings(node) {
                    let other = fine.columns[coupling] as usize;
                    if aggregates.of(other) == aggregate {
                        local.couple([offsets[node], offsets[other]], [count, fine.size(other)], fine.block(coupling));
                    }
                }
            }
            let kept = local.eliminate(threshold);
            let start = values.len();
            values.resize(start + size * kept, 0.0);
            for node in nodes {
                places[*node as usize] = start + offsets[*node as usize] * kept;
            }
            let blocks = nodes.iter().map(|node| {
                let node = *node as usize;
                (offsets[node], fine.size(node), aggregates.outside(node))
            });
            if !local.basis::<E>(blocks, &mut values[start..]) {
                return Err(aggregate);
            }
            unknowns += kept;
            coarse.begins.push(unknowns);
        }
        Ok(())
    }

    fn list_crossings(&mut self, fine: &Level) {
        let count = self.aggregate_count();
        let Transfer { aggregates, crossing, crossing_starts, .. } = self;
        crossing_starts.clear();
        crossing_starts.resize(count + 2, 0);
        let smaller = |node: usize, coupling: usize| {
            let [one, other] = [node, fine.columns[coupling] as usize].map(|node| aggregates.of(node));
            (one != other).then_some(one.min(other))
        };
        for node in 0..fine.nodes() {
            for coupling in fine.couplings(node) {
                if let Some(aggregate) = smaller(node, coupling) {
                    crossing_starts[aggregate + 2] += 1;
                }
            }
        }
        (0..count).for_each(|k| crossing_starts[k + 2] += crossing_starts[k + 1]);
        crossing.clear();
        crossing.resize(crossing_starts[count + 1], Crossing::default());
        for node in 0..fine.nodes() {
            for coupling in fine.couplings(node) {
                if let Some(aggregate) = smaller(node, coupling) {
                    let place = &mut crossing_starts[aggregate + 1];
                    crossing[*place] = Crossing { coupling, node: node as u32 };
                    *place += 1;
                }
            }
        }
    }

    #[inline(always)]
    fn multiply<const WITH_ENERGIES: bool>(&mut self, fine: &Level, coarse: &mut Level) {
        let mut slots = std::mem::take(&mut self.slots);
        let [mut product, mut transposed] = std::mem::take(&mut self.products);
        coarse.starts.clear();
        coarse.columns.clear();
        coarse.places.clear();
        coarse.blocks.clear();
        coarse.energy_places.clear();
        coarse.energies.clear();
        let of = |begins: &[usize], node: usize| begins[node + 1] - begins[node];
        for aggregate in 0..self.aggregate_count() {
            let first = coarse.columns.len();
            coarse.starts.push(first);
            let own_size = of(&coarse.begins, aggregate);
            let crossings = &self.crossing[self.crossing_starts[aggregate]..self.crossing_starts[aggregate + 1]];
            for &Crossing { coupling, node } in crossings {
                let (node, column) = (node as usize, fine.columns[coupling] as usize);
                let forward = self.aggregates.of(node) == aggregate;
                let [i, j] = if forward { [node, column] } else { [column, node] };
                let other = self.aggregates.of(j);
                let other_size = of(&coarse.begins, other);
                let is_empty = if WITH_ENERGIES { own_size.max(other_size) == 0 } else { own_size.min(other_size) == 0 };
                if is_empty {
                    continue;
                }
                if slots[other] == NONE {
                    slots[other] = coarse.columns.len() as u32;
                    coarse.columns.push(other as u32);
                    coarse.places.push(coarse.blocks.len());
                    coarse.blocks.resize(coarse.blocks.len() + own_size * other_size, 0.0);
                    if WITH_ENERGIES {
                        coarse.energy_places.push(coarse.energies.len());
                        coarse.energies.resize(coarse.energies.len() + own_size * own_size + other_size * other_size, 0.0);
                    }
                }
                let slot = slots[other] as usize;
                let (p_i, p_j) = (self.block(i, fine, coarse), self.block(j, fine, coarse));
                let block = fine.block(coupling);
                let block = if forward {
                    block
                } else {
                    transpose(block, fine.size(node), fine.size(column), &mut transposed);
                    &transposed
                };
                let place = coarse.places[slot];
                let sizes = [fine.size(i), fine.size(j)];
                add_triple(
                    [p_i, block, p_j],
                    [own_size, sizes[0], sizes[1], other_size],
                    &mut product,
                    &mut coarse.blocks[place..],
                );
                if !WITH_ENERGIES {
                    continue;
                }
                let energies = fine.energies(coupling, [node, column]);
                let [e_i, e_j] = if forward { energies } else { [energies[1], energies[0]] };
                let energies = &mut coarse.energies[coarse.energy_places[slot]..];
                let (own, theirs) = energies.split_at_mut(own_size * own_size);
                add_triple([p_i, e_i, p_i], [own_size, sizes[0], sizes[0], own_size], &mut product, own);
                add_triple([p_j, e_j, p_j], [other_size, sizes[1], sizes[1], other_size], &mut product, theirs);
            }
            coarse.columns[first..].iter().for_each(|column| slots[*column as usize] = NONE);
        }
        coarse.starts.push(coarse.columns.len());
        coarse.places.push(coarse.blocks.len());
        self.slots = slots;
        self.products = [product, transposed];
    }

    /// Rounds P for cycles of the finest level.
    pub fn round(&mut self) {
        self.rounded.clear();
        self.rounded.extend(self.values.iter().map(|value| *value as f32));
    }

    /// Overwrites `coarse` with Pᵀ `fine`, of three numbers a node, with P in single precision, and `fine` with zeros.
    #[inline(always)]
    pub fn restrict_finest(&self, to: &Level, fine: &mut [[f64; 4]], coarse: &mut [f64]) {
        coarse.fill(0.0);
        for aggregate in 0..self.aggregate_count() {
            let own = to.of(aggregate);
            let coarse = &mut coarse[own];
            for node in &self.nodes[self.starts[aggregate]..self.starts[aggregate + 1]] {
                let fine = std::mem::take(&mut fine[*node as usize]);
                if coarse.is_empty() {
                    continue;
                }
                let p = &self.rounded[self.places[*node as usize]..][..3 * coarse.len()];
                for (p, fine) in p.chunks_exact(coarse.len()).zip(fine) {
                    for (coarse, p) in coarse.iter_mut().zip(p) {
                        *coarse += fine * f64::from(*p);
                    }
                }
            }
        }
    }

    /// Adds P `coarse` to `fine`, in the same way.
    #[inline(always)]
    pub fn prolong_finest(&self, from: &Level, coarse: &[f64], fine: &mut [[f64; 4]]) {
        for aggregate in 0..self.aggregate_count() {
            let own = from.of(aggregate);
            if own.is_empty() {
                continue;
            }
            let coarse = &coarse[own];
            for node in &self.nodes[self.starts[aggregate]..self.starts[aggregate + 1]] {
                let p = &self.rounded[self.places[*node as usize]..][..3 * coarse.len()];
                for (p, fine) in p.chunks_exact(coarse.len()).zip(&mut fine[*node as usize]) {
                    let mut sum = 0.0;
                    for (coarse, p) in coarse.iter().zip(p) {
                        sum += coarse * f64::from(*p);
                    }
                    *fine += sum;
                }
            }
        }
    }

    /// Overwrites `coarse` with Pᵀ `fine`.
    #[inline(always)]
    pub fn restrict(&self, from: &Level, to: &Level, fine: &[f64], coarse: &mut [f64]) {
        coarse.fill(0.0);
        for node in 0..from.nodes() {
            let own = to.of(self.aggregates.of(node));
            if own.is_empty() {
                continue;
            }
            let coarse = &mut coarse[own];
            for (p, fine) in self.block(node, from, to).chunks_exact(coarse.len()).zip(&fine[from.of(node)]) {
                add(*fine, p, coarse);
            }
        }
    }

    /// Adds P `coarse` to `fine`.
    #[inline(always)]
    pub fn prolong(&self, from: &Level, to: &Level, coarse: &[f64], fine: &mut [f64]) {
        for node in 0..from.nodes() {
            let own = to.of(self.aggregates.of(node));
            if own.is_empty() {
                continue;
            }
            let coarse = &coarse[own];
            for (p, fine) in self.block(node, from, to).chunks_exact(coarse.len()).zip(&mut fine[from.of(node)]) {
                *fine += dot(p, coarse);
            }
        }
    }
}

/// Adds Pᵀ A Q to `to`, where P, A and Q have the shapes \[n, p\], \[n, m\], \[m, q\]; `product` is memory.
#[inline(always)]
fn add_triple([p, a, q]: [&[f64]; 3], [ps, n, m, qs]: [usize; 4], product: &mut Vec<f64>, to: &mut [f64]) {
    if [ps, n, m, qs].contains(&0) {
        return;
    }
    product.clear();
    product.resize(qs, 0.0);
    for (a, p) in a.chunks_exact(m).zip(p.chunks_exact(ps)) {
        product.fill(0.0);
        for (a, q) in a.iter().zip(q.chunks_exact(qs)) {
            if *a != 0.0 {
                add(*a, q, product);
            }
        }
        for (p, to) in p.iter().zip(to.chunks_exact_mut(qs)) {
            if *p != 0.0 {
                add(*p, product, to);
            }
        }
    }
}

fn transpose(a: &[f64], rows: usize, columns: usize, to: &mut Vec<f64>) {
    to.clear();
    for column in 0..columns {
        to.extend((0..rows).map(|row| a[row * columns + column]));
    }
}
