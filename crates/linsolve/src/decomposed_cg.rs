use rayon::prelude::*;

use crate::block::{all_finite, multiply, multiply_transposed};
use crate::components::Components;
use crate::constraint::impose;
use crate::grid::{GridDiagonal, GridOperator, GridRows, LargeComponent};
use crate::preconditioner::{InverseBlocks, invert_blocks};
use crate::projected_cg::{Vectors, iterate};
use crate::schwarz::{ComponentParts, Division, Subdomains};
use crate::symmetric_rows::SymmetricRows;
use crate::triangles::Triangles;
use crate::upper_rows::{Upper, UpperRows};
use crate::{
    BlockRows, Breakdown, ConstrainedSystem, Constraint, DiagonalKind, Identity, Mat3, Preconditioner, PreconditionerKind,
    Settings, SolveReport, SolveStop, Start, Vec3,
};

/// How the components of a system are solved; the solution is the same to the bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decompose {
    /// One after the other: *DS1* of Boxerman 2003, 6.4.2.
    Serial,
    /// Over the threads of rayon: *DS2* of Boxerman 2003, 6.4.2.
    Threaded,
}

/// One over the share of the rows beyond which a component is large: a row costs about a quarter on a grid.
const LARGE: usize = 4;

/// The work of a decomposed solve, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecomposedReport {
    /// Iterations, products and row vector counts of all components and of the product A (I - S) z before them, the worst stop
    /// and the largest residual. Fully constrained rows are never multiplied, so both row vector counts are equal.
    pub total: SolveReport,
    /// Connected components of the matrix without fully constrained rows.
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
#[derive(Debug)]
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
    /// Of systems on a grid: the diagonal blocks of the last one, and what large components are solved in.
    diagonal: Option<GridDiagonal>,
    large: Vec<LargeComponent>,
    /// What additive Schwarz works in, component by component.
    schwarz: ComponentParts,
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
    /// Its rows in the system.
    rows: &'a [usize],
    matrix: Upper<'a>,
    constraints: &'a [Constraint],
    b: &'a [Vec3],
    z: &'a [Vec3],
    x: &'a mut [Vec3],
    vectors: Vectors<'a>,
    inverses: &'a mut [Mat3],
    upper: &'a mut [Mat3],
    /// Its parts, for additive Schwarz.
    subdomains: Option<(&'a Division, &'a mut Subdomains)>,
    /// What it is solved on in place of these, where it is large.
    grid: Option<(&'a GridRows<'a>, &'a mut LargeComponent)>,
}

/// How the solve of a component ended.
struct Outcome {
    report: SolveReport,
    /// Shifts of its preconditioner; a breakdown is in a row of the system.
    factored: Result<usize, Breakdown>,
}

impl DecomposedCg {
    /// Of no rows, until it solves a system, with a preconditioner for each component.
    pub fn new(kind: PreconditionerKind, decompose: Decompose) -> DecomposedCg {
        let kind = match kind {
            PreconditionerKind::Aggregation => PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained),
            kind => kind,
        };
        DecomposedCg {
            kind,
            decompose,
            components: Components::default(),
            matrix: UpperRows::default(),
            rows: Rows::default(),
            prescribed: Vec::new(),
            right: Vec::new(),
            diagonal: None,
            large: Vec::new(),
            schwarz: ComponentParts::default(),
        }
    }

    /// Group of every row of the last system: 0 where it was fully constrained, otherwise the number of its component from 1,
    /// in the order of their first rows.
    pub fn groups(&self) -> &[u32] {
        self.components.groups()
    }

    /// Solves a system. `x`, shape \[rows\], holds x_prev and then the solution, as for [`ProjectedCg`](crate::ProjectedCg).
    ///
    /// A serial solve allocates only for a larger pattern than ever before, a threaded one for its jobs too, and additive Schwarz
    /// where a component has more to factor than any that was solved in its place.
    ///
    /// # Panics
    /// Where a length differs from the number of rows.
    pub fn solve(&mut self, system: &ConstrainedSystem<'_, BlockRows>, x: &mut [Vec3], settings: &Settings) -> DecomposedReport {
        assert_eq!(x.len(), system.rows(), "rows of x");
        self.solve_rows(system, None, x, settings)
    }

    /// Solves a system on a grid. Components of more than a quarter of its rows are solved by [`GridCg`](crate::grid::GridCg)
    /// with all other rows held, which is the same to rounding and faster; not so where the preconditioner sweeps over rows.
    ///
    /// Allocates for more large components than ever before too.
    ///
    /// # Panics
    /// As [`DecomposedCg::solve`].
    pub fn solve_on_grid(
        &mut self,
        system: &ConstrainedSystem<'_, GridOperator>,
        x: &mut [Vec3],
        settings: &Settings,
    ) -> DecomposedReport {
        assert_eq!(x.len(), system.rows(), "rows of x");
        let &ConstrainedSystem { operator, b, constraints, z } = system;
        let shape = operator.shape();
        let mut diagonal = match self.diagonal.take() {
            Some(diagonal) if diagonal.shape == shape => diagonal,
            _ => GridDiagonal::new(shape),
        };
        let rows = GridRows::of(operator, &mut diagonal);
        let report = self.solve_rows(&ConstrainedSystem { operator: &rows, b, constraints, z }, Some(&rows), x, settings);
        self.diagonal = Some(diagonal);
        report
    }

    /// Large components are solved on a grid, if there is one.
    fn solve_rows(
        &mut self,
        system: &ConstrainedSystem<'_, impl SymmetricRows>,
        grid: Option<&GridRows<'_>>,
        x: &mut [Vec3],
        settings: &Settings,
    ) -> DecomposedReport {
        let matrix = system.operator;
        self.components.find(matrix, system.constraints);
        let products = self.move_prescribed(system);
        let (components, kind) = (&self.components, self.kind);
        let on_grid = grid.zip(kind.blocks());
        let rows = x.len();
        let is_large = |component: usize| on_grid.is_some() && LARGE * component > rows;
        let column = |row: usize| components.position(row).filter(|_| !is_large(components.rows_beside(row)));
        self.matrix.fill(matrix, components.order().iter().copied(), column);
        let upper_count = if kind.blocks().is_some() { 0 } else { matrix.above_count() };
        self.rows.fill(system, &self.right, x, components, settings.start, upper_count);
        if let Some((grid, kind)) = on_grid {
            let shape = grid.operator.shape();
            let count = components.ranges().filter(|rows| is_large(rows.len())).count();
            self.large.retain(|large| large.shape() == shape);
            while self.large.len() < count {
                self.large.push(LargeComponent::new(kind, shape));
            }
        }

        let count = components.free_rows() * products;
        let total = SolveReport::ended(SolveStop::ZeroRightSide, 0, products, 0.0);
        let mut report = DecomposedReport {
            total: SolveReport { row_vector_count: count, row_vector_count_free: count, ..total },
            components: components.count(),
            largest: components.ranges().map(|rows| rows.len()).max().unwrap_or(0),
            unsolved: 0,
            shifts: 0,
            breakdown: None,
        };
        let mut large = self.large.iter_mut();
        let mut subdomains = match kind {
            PreconditionerKind::Schwarz(parts) => Some(self.schwarz.divide(matrix, parts, components.count())),
            _ => None,
        };
        let jobs = self.rows.split(components, &self.matrix).map(|component| {
            let place = on_grid.filter(|_| is_large(component.rows.len()));
            let parts = subdomains.as_mut().and_then(|(division, subdomains)| Some((&**division, subdomains.next()?)));
            Component { grid: place.and_then(|(grid, _)| Some((grid, large.next()?))), subdomains: parts, ..component }
        });
        match self.decompose {
            Decompose::Serial => jobs.for_each(|job| report.add(&job.solve(kind, settings))),
            Decompose::Threaded => {
                let jobs: Vec<_> = jobs.collect();
                let outcomes: Vec<_> = jobs.into_par_iter().map(|job| job.solve(kind, settings)).collect();
                outcomes.iter().for_each(|outcome| report.add(outcome));
            }
        }

        x.copy_from_slice(&self.prescribed);
        for (&row, u) in components.order().iter().zip(&self.rows.x) {
            x[row] += u; // x = u + (I - S) z
        }
        if !all_finite(x) {
            report.total.stop = SolveStop::NotFinite;
        }
        report
    }

    /// Overwrites `right` with b - A (I - S) z; how many products that took. Fully constrained rows keep b.
    fn move_prescribed(&mut self, system: &ConstrainedSystem<'_, impl SymmetricRows>) -> usize {
        let &ConstrainedSystem { operator: matrix, b, constraints, z } = system;
        let DecomposedCg { components, prescribed, right, .. } = self;
        prescribed.clear();
        prescribed.resize(b.len(), Vec3::zeros());
        impose(constraints, z, prescribed);
        right.clear();
        right.extend_from_slice(b);
        if prescribed.iter().all(|v| *v == Vec3::zeros()) {
            return 0;
        }
        let is_free = |row: usize| components.position(row).is_some();
        let moves = |row: usize| prescribed[row] != Vec3::zeros();
        for row in 0..right.len() {
            let own = moves(row);
            if own && is_free(row) {
                right[row] -= multiply(&matrix.diagonal_block(row), &prescribed[row]);
            }
            for (column, block) in matrix.couplings(row, |column| own || moves(column)) {
                if is_free(row) {
                    right[row] -= multiply(&block, &prescribed[column]);
                }
                if is_free(column) {
                    right[column] -= multiply_transposed(&block, &prescribed[row]);
                }
            }
        }
        1
    }
}

impl DecomposedReport {
    /// Adds the outcome of a component.
    fn add(&mut self, outcome: &Outcome) {
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
            Err(breakdown) => {
                self.breakdown.get_or_insert(breakdown);
            }
        }
    }
}

/// The one that leaves less of a solution.
fn worse(one: SolveStop, other: SolveStop) -> SolveStop {
    let order = [
        SolveStop::ZeroRightSide,
        SolveStop::Converged,
        SolveStop::IterationLimit,
        SolveStop::NotPositiveDefinite,
        SolveStop::NotFinite,
    ];
    let severity = |stop: SolveStop| order.iter().position(|&listed| listed == stop);
    if severity(other) > severity(one) { other } else { one }
}

impl Rows {
    /// Takes the rows of a system in the order of the components.
    fn fill<M>(
        &mut self,
        system: &ConstrainedSystem<'_, M>,
        right: &[Vec3],
        x: &[Vec3],
        components: &Components,
        start: Start,
        upper_count: usize,
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
            Start::Corrected | Start::FirstResidual => Vec3::zeros(),
        };
        refill(&mut self.z, rows, order.iter().map(|&row| start_at(row)));
        for vector in [&mut self.r, &mut self.p, &mut self.s, &mut self.h] {
            vector.resize(rows, Vec3::zeros());
        }
        self.inverses.resize(rows, Mat3::zeros());
        self.upper.resize(upper_count, Mat3::zeros());
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
                rows: &components.order()[rows.clone()],
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
                subdomains: None,
                grid: None,
            }
        })
    }
}

impl Component<'_> {
    /// Factors its preconditioner and solves it.
    fn solve(self, kind: PreconditionerKind, settings: &Settings) -> Outcome {
        let Component { rows, matrix, constraints, b, z, x, vectors, inverses, upper, mut subdomains, grid } = self;
        if let Some((matrix, large)) = grid {
            let (report, factored) = large.solve(matrix, rows, (constraints, b, z), x, settings);
            return Outcome { report, factored: factored.map(|()| 0) };
        }
        let factored = match kind {
            PreconditionerKind::None => Ok(0),
            PreconditionerKind::BlockDiagonal(_)
            | PreconditionerKind::Aggregation
            | PreconditionerKind::Multigrid
            | PreconditionerKind::Automatic => {
                let kind = kind.blocks().flatten().unwrap_or(DiagonalKind::Constrained);
                inverses.copy_from_slice(matrix.diagonal);
                invert_blocks(kind, constraints, inverses).map(|()| 0)
            }
            PreconditionerKind::Triangular(triangular) => (triangular.factor)(matrix, constraints, upper, inverses),
            PreconditionerKind::Schwarz(parts) => subdomains.as_mut().map_or(Ok(0), |(division, subdomains)| {
                subdomains.factor(&matrix, constraints, |row| division.part(rows[row]), parts).map(|()| 0)
            }),
        };
        let (blocks, triangles) = (InverseBlocks(inverses), Triangles { pattern: matrix, upper, inverses });
        let preconditioner: &dyn Preconditioner = match kind {
            _ if factored.is_err() => &Identity,
            PreconditionerKind::None => &Identity,
            PreconditionerKind::BlockDiagonal(_)
            | PreconditionerKind::Aggregation
            | PreconditionerKind::Multigrid
            | PreconditionerKind::Automatic => &blocks,
            PreconditionerKind::Triangular(_) => &triangles,
            PreconditionerKind::Schwarz(_) => match &subdomains {
                Some((_, subdomains)) => &**subdomains,
                None => &Identity,
            },
        };
        let system = ConstrainedSystem { operator: &matrix, b, constraints, z };
        let factored = factored.map_err(|breakdown| breakdown.in_row(|row| rows[row]));
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
