//! Multigrid by aggregation for systems of any pattern.

mod cycle;
mod grouping;
mod level;
mod local;
mod transfer;

#[cfg(test)]
mod tests;

use self::cycle::{Cycle, Memory, SharedMemory};
use self::grouping::{Graph, Grouping};
use self::level::Level;
use self::local::Cholesky;
use self::transfer::{Coarsening, Transfer};
use crate::block::{multiply, multiply_transposed};
use crate::lanes::InstructionSet;
use crate::{BlockRows, Breakdown, Constraint, Mat3, Preconditioner, Vec3};

/// Most nodes of an aggregate.
const MOST: usize = 9;

/// Motions of an aggregate by itself of at most this energy, relative to that of the diagonal, are kept on the next level.
const THRESHOLD: f64 = 0.05;

/// Most unknowns of the coarsest level, which is solved directly.
const COARSEST: usize = 300;

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
/// \[Napov & Notay 2012\]; to keep it over more of them, each level but the finest is cycled twice, by Chebyshev weights \[the
/// algebraic multilevel iteration of Axelsson & Vassilevski 1990\].
///
/// Couplings that are no springs (triangles) have their symmetric parts as energies, which may not be positive: then more is kept,
/// and P stays positive definite.
///
/// Fully constrained rows take no part: P of them is I.
#[derive(Clone, Debug)]
pub struct Aggregation {
    set: InstructionSet,
    /// Most unknowns of the coarsest level.
    coarsest: usize,
    /// The couplings that the aggregates were made for, row by row, and of how many rows.
    couplings: Vec<(u32, u32)>,
    rows: usize,
    /// G⁻¹ of each row, where G Gᵀ is its block on the diagonal.
    scales: Vec<Mat3>,
    /// From the finest one on.
    levels: Vec<Level>,
    /// From each level to the next one.
    transfers: Vec<Transfer>,
    /// Number of levels that the last matrix took.
    used: usize,
    /// The factor of the coarsest one.
    lower: Vec<f64>,
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
        Aggregation::with(InstructionSet::best(), COARSEST)
    }

    /// As [`Aggregation::new`], on an instruction set, with so many unknowns at most on the coarsest level.
    fn with(set: InstructionSet, coarsest: usize) -> Aggregation {
        Aggregation {
            set,
            coarsest,
            couplings: Vec::new(),
            rows: 0,
            scales: Vec::new(),
            levels: Vec::new(),
            transfers: Vec::new(),
            used: 0,
            lower: Vec::new(),
            memory: SharedMemory::default(),
            is_factored: false,
        }
    }

    /// Number of unknowns of each level of the last matrix, the finest first.
    pub fn unknowns(&self) -> impl Iterator<Item = usize> + '_ {
        self.levels[..self.used].iter().map(Level::unknowns)
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
            memory.resize_with(self.levels.len(), Memory::default);
            memory.iter_mut().zip(&self.levels[..self.used]).for_each(|(memory, level)| memory.resize(level.unknowns()));
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
        let mut graph = Graph::new(rows, self.couplings.iter().map(|(one, other)| (*one, *other, 1)));
        loop {
            let grouping = Grouping::new(&graph, MOST);
            if grouping.count == grouping.aggregates.len() {
                break; // nothing is coupled any more
            }
            graph = graph.coarsened(&grouping);
            self.transfers.push(Transfer::new(grouping));
        }
        self.levels = vec![Level::default(); self.transfers.len() + 1];
    }

    fn factor_levels(&mut self, matrix: &BlockRows, constraints: &[Constraint]) -> Result<(), Breakdown> {
        let set = self.set;
        self.levels[0].fill(matrix, constraints, &mut self.scales)?;
        let mut depth = 0;
        while self.levels[depth].unknowns() > self.coarsest && depth < self.transfers.len() {
            let (fine, coarse) = self.levels.split_at_mut(depth + 1);
            let (transfer, fine, coarse) = (&mut self.transfers[depth], &fine[depth], &mut coarse[0]);
            let coarsening = Coarsening { transfer, fine, coarse, threshold: THRESHOLD };
            set.run(coarsening).map_err(|aggregate| self.not_positive_definite(depth + 1, aggregate))?;
            depth += 1;
        }
        self.used = depth + 1;
        let last = &self.levels[depth];
        last.write(&mut self.lower);
        let size = last.unknowns();
        set.run(Cholesky { a: &mut self.lower, size }).map_err(|unknown| {
            let node = last.begins.partition_point(|begin| *begin <= unknown) - 1;
            self.not_positive_definite(depth, node)
        })
    }

    /// That a node of a level is not, by a row that belongs to it.
    fn not_positive_definite(&self, level: usize, node: usize) -> Breakdown {
        let row = self.transfers[..level].iter().rev().fold(node, |node, transfer| transfer.first_of(node));
        Breakdown::NotPositiveDefinite { row }
    }
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
        let Aggregation { levels, transfers, used, lower, scales, memory, .. } = self;
        let memory = &mut memory.lock()[..*used];
        let Some(finest) = memory.first_mut() else { return };
        for ((b, r), scale) in finest.b.as_chunks_mut::<3>().0.iter_mut().zip(r).zip(scales) {
            *b = multiply(scale, r).into();
        }
        let levels = &levels[..*used];
        Cycle { levels, transfers, lower }.run(self.set, memory);
        for ((x, h), scale) in memory[0].x.as_chunks::<3>().0.iter().zip(h).zip(scales) {
            *h = multiply_transposed(scale, &Vec3::from(*x));
        }
    }
}
