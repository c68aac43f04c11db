//! Multigrid by aggregation for systems of any pattern.

mod aggregates;
mod cycle;
mod finest;
mod grouping;
mod level;
mod local;
mod transfer;

#[cfg(test)]
mod tests;

use self::cycle::{Cycle, CycleMemory, Memory, SharedMemory};
use self::finest::{Finest, FinestAfter, FinestBefore};
use self::grouping::{Graph, Grouping};
use self::level::Level;
use self::transfer::{Galerkin, NearNullSpace, Transfer};
use crate::block::{multiply, multiply_transposed};
use crate::lanes::InstructionSet;
use crate::panels::{NodeMatrix, NodePanels};
use crate::{BlockRows, Breakdown, Constraint, Mat3, Preconditioner, Vec3};

/// Most nodes of an aggregate.
const MOST: usize = 9;

/// Motions of an aggregate by itself of at most this energy, relative to that of the diagonal, are kept on the next level.
const THRESHOLD: f64 = 0.05;

/// A level of so many unknowns at most is solved directly, and so is one below the finest whose factorisation takes at most so many
/// multiplications for each row of the matrix.
const COARSEST: usize = 300;
const WORK: u64 = 400_000;

/// Constrained multigrid by aggregation, for systems of any pattern whose cloth may be slack in part: P⁻¹ r is a symmetric cycle
/// with a sweep of block Gauss-Seidel before and its transpose after on each level.
///
/// Rows are grouped into aggregates of at most nine along the pattern, once. What of an aggregate moves with little energy is found
/// anew from each matrix: of its own matrix, without what couples it to others, all is eliminated whose pivot is at least 1/20 of the
/// diagonal, and what is left are the unknowns of the next level. Where all springs act these are the rigid motions, along threads
/// that are slack beside each other one motion a thread, and of rows that move by themselves nothing: coarse spaces by smoothness
/// cannot follow that, and stall. A coupling stays the energy that it is, so that the next level can be taken apart in the same way
/// \[the coarse space of Brezina & Vassilevski 2011, rho-AMGe; by elimination in place of eigenvectors\]. Since motions of low energy
/// are kept by construction, the condition of two levels has a bound that does not depend on the number of rows
/// \[Napov & Notay 2012\]; to keep it over more of them, each level between the finest and the last is cycled twice, by Chebyshev
/// weights \[the algebraic multilevel iteration of Axelsson & Vassilevski 1990\].
///
/// The last level is solved directly: the second one wherever its factorisation costs no more than further levels would, on sheets up
/// to some million rows. Threads that are slack keep their unknowns on each further level, so that going on coarsens little.
/// Entries of the finest level are kept in single precision and those of that factor in 16 bits, and summed in double precision, the
/// same ones for U and Uᵀ: P is symmetric to the digits of the latter and positive definite whatever has been rounded.
///
/// Couplings that are no springs (triangles) have their symmetric parts as energies, which may not be positive: then more is kept,
/// and P stays positive definite.
///
/// Fully constrained rows take no part: P of them is I.
#[derive(Clone, Debug)]
pub struct Aggregation {
    set: InstructionSet,
    /// Most unknowns of the coarsest level, and most multiplications of the factorisation of another one for each row.
    coarsest: usize,
    work: u64,
    /// The couplings that the aggregates were made for, row by row, and of how many rows.
    couplings: Vec<(u32, u32)>,
    rows: usize,
    /// G⁻¹ of each row, where G Gᵀ is its block on the diagonal.
    scales: Vec<Mat3>,
    /// From the finest one on.
    levels: Vec<Level>,
    /// The first one as cycles read it, where there are more.
    finest: Finest,
    /// From each level to the next one.
    transfers: Vec<Transfer>,
    /// Number of levels that the last matrix took.
    used: usize,
    /// The graph of each level until it is analysed, and its factor from then on, where it may be the last one.
    graphs: Vec<Option<Graph>>,
    factors: Vec<NodePanels>,
    /// Multiplications of the factorisation of the last one, nearly.
    multiplications: u64,
    memory: SharedMemory,
    is_factored: bool,
}

impl Default for Aggregation {
    fn default() -> Aggregation {
        Aggregation::new()
    }
}

impl Aggregation {
    /// Of no rows, until it is factored.
    pub fn new() -> Aggregation {
        Aggregation::with(InstructionSet::best(), COARSEST, WORK)
    }

    /// As [`Aggregation::new`], on an instruction set, with so many unknowns at most on the coarsest level, or so many
    /// multiplications for each row.
    fn with(set: InstructionSet, coarsest: usize, work: u64) -> Aggregation {
        Aggregation {
            set,
            coarsest,
            work,
            couplings: Vec::new(),
            rows: 0,
            scales: Vec::new(),
            levels: Vec::new(),
            finest: Finest::default(),
            transfers: Vec::new(),
            used: 0,
            graphs: Vec::new(),
            factors: Vec::new(),
            multiplications: 0,
            memory: SharedMemory::default(),
            is_factored: false,
        }
    }

    /// Number of unknowns of each level of the last matrix, the finest first.
    pub fn unknowns(&self) -> impl Iterator<Item = usize> + '_ {
        self.levels[..self.used].iter().map(Level::unknowns)
    }

    /// Floating-point operations of the last factorisation, nominally two for each multiplication of the factor of the last level.
    pub fn factor_operations(&self) -> u64 {
        2 * self.multiplications
    }

    /// Floating-point operations of P⁻¹ r, nominally 36 for each coupling of the finest level in each of its two sweeps, which read it
    /// in both directions, and 4 for each entry of P and of the factor of the last level.
    pub fn apply_operations(&self) -> u64 {
        let Some(last) = self.used.checked_sub(1) else { return 0 };
        let transferred: usize = self.transfers[..last].iter().map(Transfer::entries).sum();
        (72 * self.couplings.len() + 4 * (transferred + self.factors[last].entries())) as u64
    }

    /// Takes a matrix in on all levels; allocates only for another pattern than before, and where more is kept than ever before.
    ///
    /// # Errors
    /// [`Breakdown`] where the matrix is not finite or not positive definite. The preconditioner is I then.
    ///
    /// # Panics
    /// Unless there are as many constraints as rows.
    pub fn factor(&mut self, matrix: &BlockRows, constraints: &[Constraint]) -> Result<(), Breakdown> {
        assert_eq!(constraints.len(), matrix.pattern().rows(), "one constraint for each row");
        self.group(matrix);
        let factored = self.factor_levels(matrix, constraints);
        self.is_factored = factored.is_ok();
        if self.is_factored {
            let memory = self.memory.get_mut();
            memory.finest.resize(self.rows);
            self.factors[self.used - 1].prepare(&mut memory.direct);
            memory.levels.resize_with(self.levels.len(), Memory::default);
            let first = usize::from(self.used > 1); // the finest level has memory of its own
            let levels = memory.levels.iter_mut().zip(&self.levels[..self.used]).skip(first);
            levels.for_each(|(memory, level)| memory.resize(level.unknowns()));
        }
        factored
    }

    /// Groups the rows of all levels, unless that is done for this pattern.
    fn group(&mut self, matrix: &BlockRows) {
        let rows = matrix.pattern().rows();
        let pairs = || (0..rows).flat_map(|row| matrix.pattern().above(row).map(move |column| (row as u32, column as u32)));
        if self.rows == rows && !self.levels.is_empty() && pairs().eq(self.couplings.iter().copied()) {
            return;
        }
        self.rows = rows;
        self.couplings = pairs().collect();
        self.transfers.clear();
        self.graphs.clear();
        self.factors.clear();
        let mut graph = Graph::new(rows, self.couplings.iter().map(|(one, other)| (*one, *other, 1)));
        loop {
            let grouping = Grouping::new(&graph, MOST);
            if grouping.count == grouping.aggregates.len() {
                break; // nothing is coupled any more
            }
            let coarsened = graph.coarsened(&grouping);
            self.graphs.push(Some(std::mem::replace(&mut graph, coarsened)));
            self.transfers.push(Transfer::new(grouping));
        }
        self.graphs.push(Some(graph));
        self.factors.resize_with(self.graphs.len(), NodePanels::default);
        self.levels = vec![Level::default(); self.transfers.len() + 1];
    }

    /// Whether a level is to be solved directly.
    fn is_last(&mut self, depth: usize) -> bool {
        let unknowns = self.levels[depth].unknowns();
        let must = unknowns <= self.coarsest || depth == self.transfers.len();
        if !must && (depth == 0 || self.work == 0) {
            return false;
        }
        if let Some(graph) = self.graphs[depth].take() {
            self.factors[depth] = graph.analysed();
        }
        self.multiplications = self.factors[depth].resize(&self.levels[depth].begins);
        must || self.multiplications <= self.work * self.rows as u64
    }

    fn factor_levels(&mut self, matrix: &BlockRows, constraints: &[Constraint]) -> Result<(), Breakdown> {
        let set = self.set;
        (self.used, self.multiplications) = (0, 0); // until it is done
        let aggregates = self.transfers.first_mut().map(|transfer| &mut transfer.aggregates);
        self.levels[0].fill(matrix, constraints, &mut self.scales, aggregates)?;
        let mut depth = 0;
        let mut is_last = self.is_last(depth);
        while !is_last {
            let (fine, coarse) = with_next(&mut self.levels, depth);
            let transfer = &mut self.transfers[depth];
            if depth > 0 {
                transfer.aggregates.sum_outside(fine);
            }
            let found = set.run(NearNullSpace { transfer, fine, coarse, threshold: THRESHOLD });
            found.map_err(|aggregate| self.not_positive_definite(depth + 1, aggregate))?;
            is_last = self.is_last(depth + 1);
            if depth == 0 && !is_last {
                self.levels[0].fill_energies(matrix, constraints, &self.scales);
            }
            let (fine, coarse) = with_next(&mut self.levels, depth);
            set.run(Galerkin { transfer: &mut self.transfers[depth], fine, coarse, with_energies: !is_last });
            depth += 1;
        }
        self.used = depth + 1;
        if depth > 0 {
            self.finest.fill(&self.levels[0], &self.scales);
            self.transfers[0].round();
        }
        let Level { begins, starts, columns, places, blocks, .. } = &self.levels[depth];
        let matrix = NodeMatrix { begins, starts, columns, places, blocks };
        self.factors[depth].factor(set, matrix).map_err(|node| self.not_positive_definite(depth, node))
    }

    /// That a node of a level is not, by a row that belongs to it.
    fn not_positive_definite(&self, level: usize, node: usize) -> Breakdown {
        let row = self.transfers[..level].iter().rev().fold(node, |node, transfer| transfer.first_of(node));
        Breakdown::NotPositiveDefinite { row }
    }
}

/// A level and the next one.
fn with_next(levels: &mut [Level], depth: usize) -> (&Level, &mut Level) {
    let (fine, coarse) = levels.split_at_mut(depth + 1);
    (&fine[depth], &mut coarse[0])
}

impl Preconditioner for Aggregation {
    /// Overwrites `h` with P⁻¹ r; allocates nothing.
    ///
    /// # Panics
    /// Unless both have as many rows as were factored.
    fn apply(&self, r: &[Vec3], h: &mut [Vec3]) {
        assert_eq!([r.len(), h.len()], [self.rows; 2], "rows of r and h, of {} that are factored", self.rows);
        if !self.is_factored {
            h.copy_from_slice(r);
            return;
        }
        let Aggregation { set, levels, finest, transfers, used, factors, scales, memory, .. } = self;
        let mut memory = memory.lock();
        let CycleMemory { finest: own, levels: vectors, direct } = &mut *memory;
        let (levels, factor) = (&levels[..*used], &factors[*used - 1]);
        if let ([_, coarse, ..], [transfer, below @ ..], [_, coarser @ ..]) = (levels, transfers.as_slice(), &mut vectors[..]) {
            set.run(FinestBefore { finest, transfer, coarse, r, memory: own, to: &mut coarser[0].b });
            Cycle { levels: &levels[1..], transfers: below, factor }.run_twice(*set, coarser, direct);
            set.run(FinestAfter { finest, transfer, coarse, r, from: &coarser[0].x, memory: own, h });
            return;
        }
        let Some(only) = vectors.first_mut() else { return };
        for ((b, r), scale) in only.b.as_chunks_mut::<3>().0.iter_mut().zip(r).zip(scales) {
            *b = multiply(scale, r).into();
        }
        Cycle { levels, transfers, factor }.run(*set, vectors, direct);
        for ((x, h), scale) in vectors[0].x.as_chunks::<3>().0.iter().zip(h).zip(scales) {
            *h = multiply_transposed(scale, &Vec3::from(*x));
        }
    }
}
