use std::ops::Range;

use super::aggregates::Aggregates;
use crate::block::{is_finite, is_positive};
use crate::{BlockRows, Breakdown, Constraint, Mat3};

/// A matrix of nodes with any number of unknowns each, whose diagonal blocks are I.
///
/// Its couplings are energies: node i and node j > i are coupled by
/// \[E_ii, A_ij; A_ijᵀ, E_jj\], positive semidefinite where the coupling is a spring, and I - sum of all E_ii is what holds node i by
/// itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    /// Where the unknowns of each node begin, and the end, shape \[nodes + 1\].
    pub begins: Vec<usize>,
    /// Couplings of node i with later ones are starts\[i\] .. starts\[i + 1\], shape \[nodes + 1\].
    pub starts: Vec<usize>,
    /// The later node of every coupling.
    pub columns: Vec<u32>,
    /// Where A_ij of each coupling stands in `blocks`, and the end.
    pub places: Vec<usize>,
    /// A_ij, shape \[unknowns of i, unknowns of j\], row by row.
    pub blocks: Vec<f64>,
    /// Where E_ii of each coupling stands in `energies`, with E_jj behind it; none where no further level is made of this one.
    pub energy_places: Vec<usize>,
    pub energies: Vec<f64>,
}

impl Level {
    pub fn nodes(&self) -> usize {
        self.begins.len().saturating_sub(1)
    }

    pub fn unknowns(&self) -> usize {
        self.begins.last().copied().unwrap_or(0)
    }

    /// The unknowns of a node.
    #[inline(always)]
    pub fn of(&self, node: usize) -> Range<usize> {
        self.begins[node]..self.begins[node + 1]
    }

    /// The number of unknowns of a node.
    #[inline(always)]
    pub fn size(&self, node: usize) -> usize {
        self.begins[node + 1] - self.begins[node]
    }

    #[inline(always)]
    pub fn couplings(&self, node: usize) -> Range<usize> {
        self.starts[node]..self.starts[node + 1]
    }

    /// A_ij of a coupling.
    #[inline(always)]
    pub fn block(&self, coupling: usize) -> &[f64] {
        &self.blocks[self.places[coupling]..self.places[coupling + 1]]
    }

    /// E_ii and E_jj of a coupling.
    #[inline(always)]
    pub fn energies(&self, coupling: usize, [i, j]: [usize; 2]) -> [&[f64]; 2] {
        let (own, other) = (self.size(i) * self.size(i), self.size(j) * self.size(j));
        let (own, rest) = self.energies[self.energy_places[coupling]..].split_at(own);
        [own, &rest[..other]]
    }

    /// Takes S A S + c (I - S) = G (I + U + Uᵀ) Gᵀ, with a triangle G for each row on the diagonal; overwrites `scales` with their
    /// inverses, shape \[rows\], and what couples rows with others outside of their aggregates. Fully constrained rows take no part.
    /// Energies are left to [`Level::fill_energies`].
    pub fn fill(
        &mut self,
        matrix: &BlockRows,
        constraints: &[Constraint],
        scales: &mut Vec<Mat3>,
        mut aggregates: Option<&mut Aggregates>,
    ) -> Result<(), Breakdown> {
        let rows = constraints.len();
        scales.clear();
        scales.reserve(rows);
        for (row, constraint) in constraints.iter().enumerate() {
            let block = constraint.project_block(matrix.diagonal(row));
            let scale = inverse_of_triangle(&block);
            if !is_finite(&block) {
                return Err(Breakdown::NotFinite { row });
            }
            scales.push(scale.ok_or(Breakdown::NotPositiveDefinite { row })?);
        }
        let Level { begins, starts, columns, places, blocks, energy_places, energies } = self;
        begins.clear();
        begins.extend((0..=rows).map(|row| 3 * row));
        if let Some(aggregates) = &mut aggregates {
            aggregates.clear_sums(begins);
        }
        let most = matrix.pattern().above_count();
        [&mut *starts, &mut *places, &mut *energy_places].into_iter().for_each(Vec::clear);
        columns.clear();
        blocks.clear();
        energies.clear();
        starts.reserve(rows + 1);
        columns.reserve(most);
        places.reserve(most + 1);
        blocks.reserve(9 * most);
        for row in 0..rows {
            starts.push(columns.len());
            for (column, block, [one, two]) in scaled_couplings(matrix, constraints, scales, row) {
                if !is_finite(block) {
                    return Err(Breakdown::NotFinite { row });
                }
                columns.push(column as u32);
                places.push(blocks.len());
                push(&(one * block * two.transpose()), blocks);
                if let Some(aggregates) = &mut aggregates
                    && aggregates.separate([row, column])
                {
                    let [own, theirs] = energies_of(block, [one, two]);
                    aggregates.add_outside(row, own.transpose().as_slice());
                    aggregates.add_outside(column, theirs.transpose().as_slice());
                }
            }
        }
        starts.push(columns.len());
        places.push(blocks.len());
        Ok(())
    }

    /// Takes the energies of the couplings that were taken in last, of the same matrix.
    pub fn fill_energies(&mut self, matrix: &BlockRows, constraints: &[Constraint], scales: &[Mat3]) {
        let Level { columns, energy_places, energies, .. } = self;
        energy_places.clear();
        energies.clear();
        energy_places.reserve(columns.len());
        energies.reserve(18 * columns.len());
        for row in 0..constraints.len() {
            for (_, block, scales) in scaled_couplings(matrix, constraints, scales, row) {
                energy_places.push(energies.len());
                energies_of(block, scales).iter().for_each(|energy| push(energy, energies));
            }
        }
    }

    /// b -= A x
    #[inline(always)]
    pub fn subtract_product(&self, x: &[f64], b: &mut [f64]) {
        subtract(1.0, x, b);
        for node in 0..self.nodes() {
            let own = self.of(node);
            for coupling in self.couplings(node) {
                let other = self.of(self.columns[coupling] as usize);
                let block = self.block(coupling);
                subtract_product(block, &x[other.clone()], &mut b[own.clone()]);
                subtract_transposed(block, &x[own.clone()], &mut b[other]);
            }
        }
    }

    /// Overwrites `x` by (I + Uᵀ)⁻¹ b, the first half of a relaxation from zero on, and `left` by b - A x.
    #[inline(always)]
    pub fn relax_first(&self, b: &[f64], x: &mut [f64], left: &mut [f64]) {
        x.copy_from_slice(b);
        for node in 0..self.nodes() {
            let (before, after) = x.split_at_mut(self.begins[node + 1]);
            let own = &before[self.begins[node]..];
            for coupling in self.couplings(node) {
                let other = self.of(self.columns[coupling] as usize);
                let shift = self.begins[node + 1];
                subtract_transposed(self.block(coupling), own, &mut after[other.start - shift..other.end - shift]);
            }
        }
        left.fill(0.0);
        for node in 0..self.nodes() {
            for coupling in self.couplings(node) {
                let other = self.of(self.columns[coupling] as usize);
                subtract_product(self.block(coupling), &x[other], &mut left[self.of(node)]);
            }
        }
    }

    /// Relaxes x backwards: x = (I + U)⁻¹ (b - Uᵀ x). `left` is memory.
    #[inline(always)]
    pub fn relax_last(&self, b: &[f64], x: &mut [f64], left: &mut [f64]) {
        left.copy_from_slice(b);
        for node in 0..self.nodes() {
            for coupling in self.couplings(node) {
                let other = self.of(self.columns[coupling] as usize);
                subtract_transposed(self.block(coupling), &x[self.of(node)], &mut left[other]);
            }
        }
        for node in (0..self.nodes()).rev() {
            let (before, after) = x.split_at_mut(self.begins[node + 1]);
            let own = &mut before[self.begins[node]..];
            own.copy_from_slice(&left[self.of(node)]);
            for coupling in self.couplings(node) {
                let other = self.of(self.columns[coupling] as usize);
                let shift = self.begins[node + 1];
                subtract_product(self.block(coupling), &after[other.start - shift..other.end - shift], own);
            }
        }
    }
}

/// y -= A x for A of shape \[y, x\].
#[inline(always)]
pub(super) fn subtract_product(a: &[f64], x: &[f64], y: &mut [f64]) {
    if let (Ok(a), Ok(x), Ok(y)) = (<&[f64; 9]>::try_from(a), <&[f64; 3]>::try_from(x), <&mut [f64; 3]>::try_from(&mut *y)) {
        for p in 0..3 {
            y[p] -= a[3 * p] * x[0] + a[3 * p + 1] * x[1] + a[3 * p + 2] * x[2];
        }
        return;
    }
    if x.is_empty() {
        return;
    }
    for (y, a) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        *y -= dot(a, x);
    }
}

/// y -= Aᵀ x for A of shape \[x, y\].
#[inline(always)]
pub(super) fn subtract_transposed(a: &[f64], x: &[f64], y: &mut [f64]) {
    if let (Ok(a), Ok(x), Ok(y)) = (<&[f64; 9]>::try_from(a), <&[f64; 3]>::try_from(x), <&mut [f64; 3]>::try_from(&mut *y)) {
        for p in 0..3 {
            y[p] -= a[p] * x[0] + a[3 + p] * x[1] + a[6 + p] * x[2];
        }
        return;
    }
    if y.is_empty() {
        return;
    }
    for (x, a) in x.iter().zip(a.chunks_exact(y.len())) {
        subtract(*x, a, y);
    }
}

/// y -= factor a.
#[inline(always)]
pub(super) fn subtract(factor: f64, a: &[f64], y: &mut [f64]) {
    for (y, a) in y.iter_mut().zip(a) {
        *y -= factor * a;
    }
}

/// y += factor a.
#[inline(always)]
pub(super) fn add(factor: f64, a: &[f64], y: &mut [f64]) {
    for (y, a) in y.iter_mut().zip(a) {
        *y += factor * a;
    }
}

/// aᵀ b: four sums over every fourth entry, then what is left.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        for q in 0..4 {
            sums[q] += a[q] * b[q];
        }
    }
    let mut rest = 0.0;
    for (a, b) in a_rest.iter().zip(b_rest) {
        rest += a * b;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// The couplings of a row with later ones, where neither is fully constrained: the later one, A_ij, and G⁻¹ S of both.
fn scaled_couplings<'a>(
    matrix: &'a BlockRows,
    constraints: &'a [Constraint],
    scales: &'a [Mat3],
    row: usize,
) -> impl Iterator<Item = (usize, &'a Mat3, [Mat3; 2])> {
    let scale = |row: usize| match &constraints[row] {
        Constraint::Free => scales[row],
        constraint => scales[row] * constraint.projection(),
    };
    let takes_part = move |row: usize| constraints[row].ndof() > 0;
    let couplings = takes_part(row).then(|| matrix.filled_above(row)).into_iter().flatten();
    couplings
        .filter(move |(column, _)| takes_part(*column))
        .map(move |(column, block)| (column, block, [scale(row), scale(column)]))
}

/// E_ii and E_jj of a coupling, symmetric.
fn energies_of(block: &Mat3, scales: [Mat3; 2]) -> [Mat3; 2] {
    let energy = -0.5 * (block + block.transpose());
    scales.map(|scale| scale * energy * scale.transpose())
}

fn push(block: &Mat3, to: &mut Vec<f64>) {
    to.extend_from_slice(block.transpose().as_slice());
}

/// G⁻¹ of A = G Gᵀ with a lower triangle G, or none where A is not positive definite.
fn inverse_of_triangle(a: &Mat3) -> Option<Mat3> {
    let positive = |pivot: f64, entry: f64| is_positive(pivot, entry).then(|| pivot.sqrt());
    let g11 = positive(a.m11, a.m11)?;
    let (g21, g31) = (a.m21 / g11, a.m31 / g11);
    let g22 = positive(a.m22 - g21 * g21, a.m22)?;
    let g32 = (a.m32 - g31 * g21) / g22;
    let g33 = positive(a.m33 - g31 * g31 - g32 * g32, a.m33)?;
    let (i11, i22, i33) = (1.0 / g11, 1.0 / g22, 1.0 / g33);
    let (i21, i32) = (-g21 * i11 * i22, -g32 * i22 * i33);
    let inverse = Mat3::new(i11, 0.0, 0.0, i21, i22, 0.0, -(g31 * i11 + g32 * i21) * i33, i32, i33);
    is_finite(&inverse).then_some(inverse)
}
