use linsolve::{BlockPattern, BlockRows, ConstrainedSystem, Constraint, SparseCholesky};

use super::{Cost, Differentiable};
use crate::{Linearisation, Mat3, Terms, Vec3};

/// Largest residual over the right side that an adjoint step is left with \[-\].
const TOLERANCE: f64 = 1e-12;

/// Largest one where rounding lets it fall no further \[-\].
const ROUNDED: f64 = 1e-9;

/// Most solves of one step: each takes one of the two where W is symmetric.
const LIMIT: usize = 60;

/// Wᵀ q = y with S q = q for W = M - dt D - dt² K, exact, at the end of a step. Factored is the symmetric matrix that the step
/// assembles, W itself unless dampers act along springs or elements; residuals of the exact Wᵀ are solved for until they vanish.
///
/// Where that matrix is not positive definite there is no solution: Newton does not come to such a state either.
pub(super) struct Transposed {
    matrix: BlockRows,
    constraints: Vec<Constraint>,
    implicit: Vec<bool>,
    cholesky: SparseCholesky,
    zeros: Vec<Vec3>,
    impulse: Vec<Vec3>,
    residual: Vec<Vec3>,
    correction: Vec<Vec3>,
    /// Kᵀ q \[N/m times the unit of q\], shape \[particle_count\].
    pub by_position: Vec<Vec3>,
    /// Dᵀ q \[N s/m times the unit of q\], shape \[particle_count\].
    pub by_velocity: Vec<Vec3>,
}

impl Transposed {
    pub fn new(system: &dyn Differentiable) -> Transposed {
        let pattern = BlockPattern::new(system.particle_count(), &system.pairs());
        let zeros = vec![Vec3::zeros(); system.particle_count()];
        let constraint = |pinned: &bool| if *pinned { Constraint::Fixed } else { Constraint::Free };
        Transposed {
            constraints: system.pinned().iter().map(constraint).collect(),
            implicit: vec![true; system.coupling_count()],
            cholesky: SparseCholesky::new(&pattern),
            matrix: BlockRows::new(pattern),
            impulse: zeros.clone(),
            residual: zeros.clone(),
            correction: zeros.clone(),
            by_position: zeros.clone(),
            by_velocity: zeros.clone(),
            zeros,
        }
    }

    /// Overwrites `q` with the solution at the state (`x`, `v`), with its products, and adds to `cost`; whether there is one.
    pub fn solve(
        &mut self,
        system: &dyn Differentiable,
        dt: f64,
        (x, v): (&[Vec3], &[Vec3]),
        y: &[Vec3],
        q: &mut [Vec3],
        cost: &mut Cost,
    ) -> bool {
        self.assemble(system, dt, x, v);
        q.fill(Vec3::zeros());
        self.residual.copy_from_slice(y);
        linsolve::project(&self.constraints, &mut self.residual);
        let right = largest(&self.residual);
        let mut left = right;
        cost.factorisations += 1;
        let first =
            ConstrainedSystem { operator: &self.matrix, b: &self.residual, constraints: &self.constraints, z: &self.zeros };
        if self.cholesky.solve(&first, &mut self.correction).is_err() {
            return false;
        }
        for solves in 1..=LIMIT {
            cost.solves += 1;
            q.iter_mut().zip(&self.correction).for_each(|(q, correction)| *q += correction);
            self.subtract_product(system, dt, (x, v), y, q);
            let before = std::mem::replace(&mut left, largest(&self.residual));
            if left <= TOLERANCE * right {
                return true;
            }
            if solves > 1 && left >= 0.9 * before {
                break;
            }
            self.cholesky.solve_again(&self.constraints, &self.residual, &mut self.correction);
        }
        left <= ROUNDED * right
    }

    /// M - dt D - dt² K, symmetric.
    fn assemble(&mut self, system: &dyn Differentiable, dt: f64, x: &[Vec3], v: &[Vec3]) {
        self.matrix.clear();
        for (i, m) in system.masses().iter().enumerate() {
            self.matrix.add_diagonal(i, &(*m * Mat3::identity()));
        }
        self.impulse.fill(Vec3::zeros());
        let point = Linearisation { x, v, w: &self.zeros, h: dt, g: dt, terms: Terms::Exact };
        system.add_linearised(&point, &self.implicit, &mut self.matrix, &mut self.impulse);
    }

    /// Overwrites the residual with S (y - Wᵀ q), and the products with those of q.
    fn subtract_product(&mut self, system: &dyn Differentiable, dt: f64, (x, v): (&[Vec3], &[Vec3]), y: &[Vec3], q: &[Vec3]) {
        self.by_position.fill(Vec3::zeros());
        self.by_velocity.fill(Vec3::zeros());
        system.add_transposed(x, v, q, &mut self.by_position, &mut self.by_velocity);
        for (i, m) in system.masses().iter().enumerate() {
            let product = *m * q[i] - dt * self.by_velocity[i] - dt * dt * self.by_position[i]; // Wᵀ q
            self.residual[i] = y[i] - product;
        }
        linsolve::project(&self.constraints, &mut self.residual);
    }
}

/// The largest component; infinite where one is not a number.
fn largest(vectors: &[Vec3]) -> f64 {
    let largest = |size: f64, q: &Vec3| if q.iter().any(|q| q.is_nan()) { f64::INFINITY } else { size.max(q.amax()) };
    vectors.iter().fold(0.0, largest)
}
