use rayon::prelude::*;

use crate::block::{all_finite, multiply, multiply_transposed};
use crate::components::Components;
use crate::constraint::impose;
use crate::preconditioner::{InverseBlocks, invert_blocks};
use crate::projected_cg::{Vectors, iterate};
use crate::triangles::Triangles;
use crate::upper_rows::{Upper, UpperRows};
use crate::{
    BlockRows, Breakdown, ConstrainedSystem, Constraint, Identity, Mat3, Preconditioner, PreconditionerKind, Report, Settings,
    Start, Stop, Vec3, incomplete_cholesky, ssor,
};

/// How the components of a system are solved; the solution is the same to the bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decompose {
    /// One after the other: *DS1* of Boxerman 2003, 6.4.2.
    Serial,
    /// Over the threads of rayon: *DS2* of Boxerman 2003, 6.4.2.
    Threaded,
}

/// The work of a decomposed solve, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecomposedReport {
    /// Iterations, products and row vector counts of all components and of the product A (I - S) z before them, the worst stop
    /// and the largest residual. Fully constrained rows are never multiplied, so both row vector counts are equal.
    pub total: Report,
    /// Number of components.
    pub components: usize,
    /// Number of rows of the largest one.
    pub largest: usize,
    /// Number of components that were not solved.
    pub unsolved: usize,
    /// Shifts of incomplete factorisations.
    pub shifts: usize,
    /// Why the first of the components without a preconditioner has none, with its row in the whole system.
    pub breakdown: Option<Breakdown>,
}

/// Projected conjugate gradients for each connected component of a system \[Boxerman 2003, ch. 6\].
///
/// Two rows are joined by a block of A that is filled. Fully constrained rows are known: they belong to no component and join
/// nothing, and A (I - S) z moves to the right side, b̂ = S (b - A (I - S) z). Each component is then a system of its own, with
/// the rows in their order: its preconditioner, its iterations, its stopping rule delta <= tol² b̂ᵀ P⁻¹ b̂ over its own rows,
/// where the whole system would weigh all rows together. The original start is x = S z, and measures against b̂ as well.
#[derive(Clone, Debug)]
pub struct DecomposedCg {
    kind: PreconditionerKind,
    decompose: Decompose,
    components: Components,
    /// A, one component after the other, without couplings to fully constrained rows.
    matrix: UpperRows,
    /// Memory of the components.
    rows: Rows,
    /// (I - S) z, all rows of the system.
    prescribed: Vec<Vec3>,
    /// b - A (I - S) z, all rows of the system; those that are fully constrained hold b.
    right: Vec<Vec3>,
}

/// Vectors in the order of the components. What follows x is written before it is read, and may be longer.
#[derive(Clone, Debug, Default)]
struct Rows {
    constraints: Vec<Constraint>,
    b: Vec<Vec3>,
    z: Vec<Vec3>,
    x: Vec<Vec3>,
    r: Vec<Vec3>,
    p: Vec<Vec3>,
    s: Vec<Vec3>,
    h: Vec<Vec3>,
    /// Blocks of the preconditioners on and above the diagonal; none above it where the preconditioner has none.
    inverses: Vec<Mat3>,
    upper: Vec<Mat3>,
}

/// A component, and the part of the memory that is its own.
struct Component<'a> {
    matrix: Upper<'a>,
    constraints: &'a [Constraint],
    b: &'a [Vec3],
    z: &'a [Vec3],
    x: &'a mut [Vec3],
    vectors: Vectors<'a>,
    inverses: &'a mut [Mat3],
    upper: &'a mut [Mat3],
}

/// How the solve of a component ended.
struct Outcome {
    report: Report,
    /// Shifts of its preconditioner.
    factored: Result<usize, Breakdown>,
}

impl DecomposedCg {
    /// Of no rows, until it solves a system, with a preconditioner for each component.
    pub fn new(kind: PreconditionerKind, decompose: Decompose) -> DecomposedCg {
        DecomposedCg {
            kind,
            decompose,
            components: Components::default(),
            matrix: UpperRows::default(),
            rows: Rows::default(),
            prescribed: Vec::new(),
            right: Vec::new(),
        }
    }

    /// Group of every row of the last system: 0 where it was fully constrained, otherwise the number of its component from 1,
    /// in the order of their first rows.
    pub fn groups(&self) -> &[u32] {
        self.components.groups()
    }

    /// Solves a system. `x`, shape \[rows\], holds x_prev and then the solution, as for [`ProjectedCg`](crate::ProjectedCg).
    ///
    /// A serial solve allocates only for a larger pattern than ever before, a threaded one for its jobs too.
    ///
    /// # Panics
    /// Where a length differs from the number of rows.
    pub fn solve(&mut self, system: &ConstrainedSystem<'_, BlockRows>, x: &mut [Vec3], settings: &Settings) -> DecomposedReport {
        let rows = system.rows();
        assert_eq!(x.len(), rows, "rows of x");
        self.components.find(system.operator, system.constraints);
        let products = self.move_prescribed(system);
        let (components, kind) = (&self.components, self.kind);
        self.matrix.fill(system.operator, components.order().iter().copied(), |row| components.position(row));
        self.rows.fill(system, &self.right, x, components, settings.start, kind);

        let free_rows = components.free_rows();
        let mut report = DecomposedReport {
            total: Report {
                stop: Stop::ZeroRightSide,
                iterations: 0,
                products,
                row_vector_count: free_rows * products,
                row_vector_count_free: free_rows * products,
                residual: 0.0,
            },
            components: components.count(),
            largest: components.ranges().map(|rows| rows.len()).max().unwrap_or(0),
            unsolved: 0,
            shifts: 0,
            breakdown: None,
        };
        let jobs = self.rows.split(components, &self.matrix);
        match self.decompose {
            Decompose::Serial => {
                for (job, rows) in jobs.zip(components.ranges()) {
                    report.add(&job.solve(kind, settings), &components.order()[rows]);
                }
            }
            Decompose::Threaded => {
                let jobs: Vec<_> = jobs.collect();
                let outcomes: Vec<_> = jobs.into_par_iter().map(|job| job.solve(kind, settings)).collect();
                for (outcome, rows) in outcomes.iter().zip(components.ranges()) {
                    report.add(outcome, &components.order()[rows]);
                }
            }
        }

        x.copy_from_slice(&self.prescribed);
        for (&row, u) in components.order().iter().zip(&self.rows.x) {
            x[row] += u; // x = u + (I - S) z
        }
        if !all_finite(x) {
            report.total.stop = Stop::NotFinite;
        }
        report
    }

    /// Overwrites `right` with b - A (I - S) z; how many products that took. Fully constrained rows keep b.
    fn move_prescribed(&mut self, system: &ConstrainedSystem<'_, BlockRows>) -> usize {
        let DecomposedCg { components, prescribed, right, .. } = self;
        prescribed.clear();
        prescribed.resize(system.b.len(), Vec3::zeros());
        impose(system.constraints, system.z, prescribed);
        right.clear();
        right.extend_from_slice(system.b);
        if prescribed.iter().all(|v| *v == Vec3::zeros()) {
            return 0;
        }
        let is_free = |row: usize| components.position(row).is_some();
        for row in 0..right.len() {
            if is_free(row) {
                right[row] -= multiply(system.operator.diagonal(row), &prescribed[row]);
            }
            for (column, block) in system.operator.filled_above(row) {
                if is_free(row) {
                    right[row] -= multiply(block, &prescribed[column]);
                }
                if is_free(column) {
                    right[column] -= multiply_transposed(block, &prescribed[row]);
                }
            }
        }
        1
    }
}

impl DecomposedReport {
    /// Adds the outcome of a component with the given rows of the system.
    fn add(&mut self, outcome: &Outcome, rows: &[usize]) {
        let Outcome { report, factored } = outcome;
        let total = &mut self.total;
        total.stop = worse(total.stop, report.stop);
        total.iterations += report.iterations;
        total.products += report.products;
        total.row_vector_count += report.row_vector_count;
        total.row_vector_count_free += report.row_vector_count_free;
        if report.residual > total.residual || report.residual.is_nan() {
            total.residual = report.residual;
        }
        self.unsolved += usize::from(!report.stop.is_solved());
        match *factored {
            Ok(shifts) => self.shifts += shifts,
            Err(Breakdown::NotPositiveDefinite { row }) => {
                self.breakdown.get_or_insert(Breakdown::NotPositiveDefinite { row: rows[row] });
            }
            Err(Breakdown::NotFinite { row }) => {
                self.breakdown.get_or_insert(Breakdown::NotFinite { row: rows[row] });
            }
        }
    }
}

/// The one that leaves less of a solution.
fn worse(one: Stop, other: Stop) -> Stop {
    let order = [Stop::ZeroRightSide, Stop::Converged, Stop::IterationLimit, Stop::NotPositiveDefinite, Stop::NotFinite];
    let severity = |stop: Stop| order.iter().position(|&listed| listed == stop);
    if severity(other) > severity(one) { other } else { one }
}

impl Rows {
    /// Takes the rows of a system in the order of the components.
    fn fill(
        &mut self,
        system: &ConstrainedSystem<'_, BlockRows>,
        right: &[Vec3],
        x: &[Vec3],
        components: &Components,
        start: Start,
        kind: PreconditionerKind,
    ) {
        let (order, rows) = (components.order(), x.len());
        refill(&mut self.constraints, rows, order.iter().map(|&row| system.constraints[row]));
        refill(&mut self.b, rows, order.iter().map(|&row| right[row]));
        refill(&mut self.x, rows, order.iter().map(|&row| x[row]));
        let start_at = |row: usize| match start {
            Start::Original => {
                let mut z = system.z[row];
                system.constraints[row].project(&mut z);
                z
            }
            Start::Corrected => Vec3::zeros(),
        };
        refill(&mut self.z, rows, order.iter().map(|&row| start_at(row)));
        for vector in [&mut self.r, &mut self.p, &mut self.s, &mut self.h] {
            vector.resize(rows, Vec3::zeros());
        }
        self.inverses.resize(rows, Mat3::zeros());
        if matches!(kind, PreconditionerKind::IncompleteCholesky | PreconditionerKind::Ssor) {
            self.upper.resize(system.operator.pattern().above_count(), Mat3::zeros());
        }
    }

    /// The components one after the other, each with what is its own.
    fn split<'a>(&'a mut self, components: &'a Components, matrix: &'a UpperRows) -> impl Iterator<Item = Component<'a>> {
        let Rows { constraints, b, z, x, r, p, s, h, inverses, upper } = self;
        let (constraints, b, z): (&'a [Constraint], &'a [Vec3], &'a [Vec3]) = (constraints, b, z);
        let (mut x, mut inverses, mut upper) = (&mut x[..], &mut inverses[..], &mut upper[..]);
        let (mut r, mut p, mut s, mut h) = (&mut r[..], &mut p[..], &mut s[..], &mut h[..]);
        components.ranges().map(move |rows| {
            let (matrix, count) = (matrix.range(rows.clone()), rows.len());
            let slots = matrix.columns.len().min(upper.len());
            Component {
                matrix,
                constraints: &constraints[rows.clone()],
                b: &b[rows.clone()],
                z: &z[rows],
                x: take(&mut x, count),
                vectors: Vectors {
                    r: take(&mut r, count),
                    p: take(&mut p, count),
                    s: take(&mut s, count),
                    h: take(&mut h, count),
                },
                inverses: take(&mut inverses, count),
                upper: take(&mut upper, slots),
            }
        })
    }
}

impl Component<'_> {
    /// Factors its preconditioner and solves it.
    fn solve(self, kind: PreconditionerKind, settings: &Settings) -> Outcome {
        let Component { matrix, constraints, b, z, x, vectors, inverses, upper } = self;
        let factored = match kind {
            PreconditionerKind::None => Ok(0),
            PreconditionerKind::BlockDiagonal(kind) => {
                inverses.copy_from_slice(matrix.diagonal);
                invert_blocks(kind, constraints, inverses).map(|()| 0)
            }
            PreconditionerKind::IncompleteCholesky => incomplete_cholesky::factor(matrix, constraints, upper, inverses),
            PreconditionerKind::Ssor => ssor::factor(ssor::GAUSS_SEIDEL, matrix, constraints, upper, inverses).map(|()| 0),
        };
        let (blocks, triangles) = (InverseBlocks(inverses), Triangles { pattern: matrix, upper, inverses });
        let preconditioner: &dyn Preconditioner = match kind {
            _ if factored.is_err() => &Identity,
            PreconditionerKind::None => &Identity,
            PreconditionerKind::BlockDiagonal(_) => &blocks,
            PreconditionerKind::IncompleteCholesky | PreconditionerKind::Ssor => &triangles,
        };
        let system = ConstrainedSystem { operator: &matrix, b, constraints, z };
        Outcome { report: iterate(&system, x, preconditioner, settings, vectors), factored }
    }
}

/// Replaces what a vector holds, with room for `capacity` items.
fn refill<T>(vector: &mut Vec<T>, capacity: usize, items: impl Iterator<Item = T>) {
    vector.clear();
    vector.reserve(capacity);
    vector.extend(items);
}

/// Cuts the first `count` items off.
fn take<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (first, others) = std::mem::take(rest).split_at_mut(count);
    *rest = others;
    first
}
