use super::multigrid::{GridMultigrid, Watch};
use super::tile::SymmetricTile;
use super::vectors::Vectors;
use super::{GridBlockDiagonal, GridOperator, GridShape};
use crate::{ConstrainedSystem, Constraint, Settings, SolveReport, SolveStop, Start, Vec3};

/// [`ProjectedCg`](crate::ProjectedCg) on a grid, in two passes over memory an iteration: the same method with the same starts,
/// stopping rules and counts. Its sums have another order, so that numbers agree to rounding.
///
/// The general form projects p; here h is projected, from which p is made: the same on paper.
#[derive(Debug)]
pub struct GridCg {
    shape: GridShape,
    pub(super) vectors: Vectors,
}

/// The work of a solve by multigrid, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultigridReport {
    /// The whole. Products are those of conjugate gradients; each cycle makes two more with A, and two on each coarse level.
    pub total: SolveReport,
    /// V-cycles.
    pub cycles: usize,
    /// After how many iterations cycles had stalled and diagonal blocks alone went on, if they had.
    pub stalled_after: Option<usize>,
}

/// A and P.
pub(super) struct Problem<'a> {
    pub operator: &'a GridOperator,
    pub preconditioner: Preconditioner<'a>,
    /// Cycles so far.
    pub cycles: usize,
}

pub(super) enum Preconditioner<'a> {
    Blocks(&'a GridBlockDiagonal),
    /// A hierarchy, and whether it cycles; once its cycles have stalled, or where it could not be factored, its diagonal blocks
    /// alone count, or I.
    Multigrid(&'a mut GridMultigrid, bool),
}

/// rᵀ P⁻¹ r
#[derive(Clone, Copy)]
pub(super) struct Delta {
    pub own: f64,
    /// With P made of the diagonal blocks alone.
    pub blocks: f64,
}

/// How far a solve has come, besides its vectors.
pub(super) struct Progress {
    /// Whether there is nothing to solve.
    pub zero: bool,
    /// What the stopping rule compares delta with.
    pub b_delta: Delta,
    /// rᵀ P⁻¹ r
    pub delta: Delta,
    /// Iterations so far.
    pub iterations: usize,
    /// Products so far.
    pub products: usize,
}

impl GridCg {
    /// A workspace for systems of a shape.
    pub fn new(shape: GridShape) -> GridCg {
        GridCg { shape, vectors: Vectors::new(shape) }
    }

    /// Solves a system as [`ProjectedCg::solve`](crate::ProjectedCg::solve) does; allocates nothing.
    ///
    /// # Panics
    /// Where a length differs from the number of rows or a shape from that of the workspace, and on an instruction set that this
    /// machine does not have.
    pub fn solve(
        &mut self,
        system: &ConstrainedSystem<'_, GridOperator>,
        x: &mut [Vec3],
        preconditioner: &GridBlockDiagonal,
        settings: &Settings,
    ) -> SolveReport {
        self.run(system, x, Preconditioner::Blocks(preconditioner), settings).total
    }

    /// Solves a system with a hierarchy that has been factored for its matrix and constraints; allocates nothing. Starts, stopping
    /// rules and counts are those of [`GridCg::solve`], whose preconditioner with
    /// [`DiagonalKind::Constrained`](crate::DiagonalKind::Constrained) goes on from the iterate reached if cycles stall.
    ///
    /// # Panics
    /// As [`GridCg::solve`] does.
    pub fn solve_by_multigrid(
        &mut self,
        system: &ConstrainedSystem<'_, GridOperator>,
        x: &mut [Vec3],
        multigrid: &mut GridMultigrid,
        settings: &Settings,
    ) -> MultigridReport {
        let cycles = multigrid.cycles();
        self.run(system, x, Preconditioner::Multigrid(multigrid, cycles), settings)
    }

    fn run(
        &mut self,
        system: &ConstrainedSystem<'_, GridOperator>,
        x: &mut [Vec3],
        preconditioner: Preconditioner<'_>,
        settings: &Settings,
    ) -> MultigridReport {
        let mut problem = Problem { operator: system.operator, preconditioner, cycles: 0 };
        let progress = self.begin(system, x, &mut problem, settings);
        self.go_on(system, x, problem, settings, progress)
    }

    /// Iterates from where r, h and x are on; p is finite.
    pub(super) fn go_on(
        &mut self,
        system: &ConstrainedSystem<'_, GridOperator>,
        x: &mut [Vec3],
        mut problem: Problem<'_>,
        settings: &Settings,
        progress: Progress,
    ) -> MultigridReport {
        let Progress { zero, mut b_delta, delta: Delta { own: mut delta, .. }, mut iterations, mut products } = progress;
        let mut watch = problem.preconditioner.watch(delta);
        let mut stalled_after = None;
        let mut estimate = settings.estimate();
        let (mut alpha, mut beta) = (0.0, 0.0); // of the iteration before, of which x and p still have to hear
        let stop = loop {
            let meets_error = estimate.as_ref().is_none_or(|estimate| estimate.is_met(delta));
            if let Some(stop) = settings.stop_before_product(zero, delta, b_delta.own, meets_error, iterations) {
                break stop;
            }
            if iterations > 0 && watch.as_mut().is_some_and(|watch| watch.has_stalled(delta)) {
                watch = None;
                stalled_after = Some(iterations);
                problem.preconditioner.stop_cycles();
                estimate = settings.estimate();
                delta = self.precondition(&mut problem, 0.0).own;
                b_delta.own = b_delta.blocks;
                beta = 0.0;
                continue;
            }
            let curvature = self.vectors.move_along(problem.operator, alpha, beta);
            alpha = 0.0;
            products += 1;
            if let Some(stop) = Settings::stop_at_curvature(curvature) {
                break stop;
            }
            iterations += 1;
            alpha = delta / curvature;
            estimate.iter_mut().for_each(|estimate| estimate.add(delta, alpha));
            let delta_old = delta;
            delta = self.reduce(&mut problem, alpha);
            beta = delta / delta_old;
        };
        if iterations > 0 {
            for ((x, moved), p) in x.iter_mut().zip(self.vectors.x.iter()).zip(self.vectors.p.iter()) {
                *x = moved + p * alpha;
            }
        }
        let &ConstrainedSystem { constraints, z, .. } = system;
        let mut fixed = 0;
        for row in self.vectors.constrained.rows(x.len()) {
            if iterations > 0 {
                constraints[row].impose(&z[row], &mut x[row]); // what rounding took from the constraints
            }
            fixed += usize::from(constraints[row].ndof() == 0);
        }
        let error = estimate.and_then(|estimate| estimate.of(delta));
        let total = SolveReport { error, ..SolveReport::ended(stop, iterations, products, delta / b_delta.own) };
        let total = total.finished(x, x.len() - fixed);
        MultigridReport { total, cycles: problem.cycles, stalled_after }
    }

    /// x as the start has it, r = S (b - A x), h = S P⁻¹ r; p is of no use then, but finite where x and z are.
    ///
    /// # Panics
    /// Where a length differs from the number of rows or a shape from that of the workspace.
    pub(super) fn begin(
        &mut self,
        system: &ConstrainedSystem<'_, GridOperator>,
        x: &mut [Vec3],
        problem: &mut Problem<'_>,
        settings: &Settings,
    ) -> Progress {
        assert_eq!(x.len(), system.rows(), "rows of x");
        assert_eq!(system.operator.shape(), self.shape, "shapes of the operator and of the workspace");
        assert_eq!(problem.preconditioner.shape(), self.shape, "shapes of the preconditioner and of the workspace");
        let &ConstrainedSystem { b, constraints, z, .. } = system;
        self.vectors.constrained.fill(constraints);
        self.vectors.project_to_residual(constraints, b); // S b
        self.vectors.h.clear();
        let mut products = 0;
        if settings.start.is_warm() && self.prescribes(constraints, z) {
            self.vectors.p.set(constraints.iter().zip(z).map(prescribed));
            products += self.multiply(problem);
        }
        let mut b_delta = self.precondition(problem, products as f64); // b̂ = S (b - A (I - S) z)  or  S b
        let mut delta = b_delta;
        if settings.start == Start::Original {
            x.copy_from_slice(z); // x = z  [Baraff & Witkin 1998]
        } else if b_delta.own == 0.0 {
            x.fill(Vec3::zeros());
        } else {
            self.vectors.constrained.rows(x.len()).for_each(|row| constraints[row].project(&mut x[row]));
        }
        self.vectors.p.set(x.iter().copied());
        if self.multiply(problem) > 0 {
            products += 1;
            delta = self.precondition(problem, 1.0); // r = S (b - A x)
        }
        let Vectors { constrained, x: moved, p, .. } = &mut self.vectors;
        moved.copy_from(p);
        for row in constrained.rows(x.len()) {
            constraints[row].impose(&z[row], &mut x[row]); // x = S x_prev + (I - S) z
            moved.set_row(row, x[row]);
        }
        let zero = b_delta.own == 0.0 && (delta.own == 0.0 || settings.start.is_warm());
        if settings.is_against_first_residual(b_delta.own, delta.own) {
            b_delta = delta;
        }
        Progress { zero, b_delta, delta, iterations: 0, products }
    }

    /// Whether (I - S) z is other than zero. Only tiles with constraints are looked at, which have been taken before.
    fn prescribes(&self, constraints: &[Constraint], z: &[Vec3]) -> bool {
        let mut rows = self.vectors.constrained.rows(constraints.len());
        rows.any(|row| prescribed((&constraints[row], &z[row])) != Vec3::zeros())
    }

    /// h = A p, unless p is zero; how many products that took.
    fn multiply(&mut self, problem: &Problem<'_>) -> usize {
        if self.vectors.p.is_zero() {
            return 0;
        }
        self.vectors.multiply(problem.operator);
        1
    }

    /// r = S (r - alpha h), then h = S P⁻¹ r; gives rᵀ h.
    pub(super) fn precondition(&mut self, problem: &mut Problem<'_>, alpha: f64) -> Delta {
        let Problem { operator, preconditioner, cycles } = problem;
        let blocks = self.vectors.precondition(operator, preconditioner.inverses(), alpha);
        let Vectors { constrained, r, h, .. } = &mut self.vectors;
        let own = match preconditioner {
            Preconditioner::Multigrid(multigrid, true) => {
                *cycles += 1;
                multigrid.cycle(operator, constrained, r, h)
            }
            _ => blocks,
        };
        Delta { own, blocks }
    }

    /// r = S (r - alpha h), then h = S P⁻¹ r; gives rᵀ h. Cycles in single precision do without what diagonal blocks make of r.
    fn reduce(&mut self, problem: &mut Problem<'_>, alpha: f64) -> f64 {
        if let Problem { operator, preconditioner: Preconditioner::Multigrid(multigrid, true), cycles } = problem
            && let Some(single) = multigrid.single()
        {
            *cycles += 1;
            let largest = self.vectors.subtract(operator, alpha);
            let Vectors { constrained, r, h, .. } = &mut self.vectors;
            return single.cycle(largest, constrained, r, h);
        }
        self.precondition(problem, alpha).own
    }
}

impl Progress {
    /// Why the solve ends here, whatever the error, if it does.
    pub fn stop(&self, settings: &Settings) -> Option<SolveStop> {
        settings.stop_before_product(self.zero, self.delta.own, self.b_delta.own, true, self.iterations)
    }
}

impl Preconditioner<'_> {
    fn shape(&self) -> GridShape {
        match self {
            Preconditioner::Blocks(blocks) => blocks.shape(),
            Preconditioner::Multigrid(multigrid, _) => multigrid.shape(),
        }
    }

    /// Inverses of the diagonal blocks.
    pub fn inverses(&self) -> &[SymmetricTile] {
        match self {
            Preconditioner::Blocks(blocks) => blocks.inverses(),
            Preconditioner::Multigrid(multigrid, _) => multigrid.inverses(),
        }
    }

    /// What tells whether its cycles stall, if it has any.
    fn watch(&self, delta: f64) -> Option<Watch> {
        match self {
            Preconditioner::Multigrid(multigrid, true) => Some(Watch::new(multigrid.pace(), delta)),
            _ => None,
        }
    }

    fn stop_cycles(&mut self) {
        if let Preconditioner::Multigrid(_, cycles) = self {
            *cycles = false;
        }
    }
}

/// (I - S) z of a row.
fn prescribed((constraint, z): (&Constraint, &Vec3)) -> Vec3 {
    let mut prescribed = Vec3::zeros();
    constraint.impose(z, &mut prescribed);
    prescribed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::InstructionSet;

    #[test]
    fn what_cycles_in_single_precision_do_without_changes_no_bit() {
        let shape = GridShape::new(19, 11);
        let number = |row: usize, by: usize| libm::sin((1 + row * by) as f64);
        let vector =
            |by: usize| (0..shape.rows()).map(move |row| Vec3::new(number(row, by), number(row, by + 2), -number(row, by + 4)));
        let mut constraints = vec![Constraint::Free; shape.rows()];
        constraints[..20].fill(Constraint::Fixed);
        constraints[100] = Constraint::plane(Vec3::new(0.3, -0.4, 0.2)).expect("a direction");
        for set in InstructionSet::supported() {
            let mut operator = GridOperator::new(shape, set);
            for row in 0..shape.rows() {
                operator.set_diagonal(row, 1.0);
                for other in (0..8).filter_map(|step| shape.after(row, step)) {
                    let (place, m) = (shape.place(row, other).expect("a step"), Vec3::new(number(row, 3), 2.0, number(other, 5)));
                    operator.set_coupling(place, if place.is_near() { 2.5 } else { 0.0 }, &(3.0 * m));
                }
            }
            let mut multigrid = GridMultigrid::in_single(shape);
            multigrid.factor(&operator, &constraints).expect("a positive definite matrix");
            let mut solved = |reduces: bool| {
                let mut cg = GridCg::new(shape);
                cg.vectors.constrained.fill(&constraints);
                cg.vectors.r.set(vector(1));
                cg.vectors.h.set(vector(8));
                let preconditioner = Preconditioner::Multigrid(&mut multigrid, true);
                let mut problem = Problem { operator: &operator, preconditioner, cycles: 0 };
                let delta = if reduces { cg.reduce(&mut problem, 0.7) } else { cg.precondition(&mut problem, 0.7).own };
                let cycles = problem.cycles;
                (delta, cycles, cg.vectors.r.iter().collect::<Vec<_>>(), cg.vectors.h.iter().collect::<Vec<_>>())
            };
            let expected = solved(false);
            assert!(expected.0 > 0.0 && expected.1 == 1 && expected.3[5] == Vec3::zeros());
            assert_eq!(solved(true), expected, "{set}");
        }
    }
}
