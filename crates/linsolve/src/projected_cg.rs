use crate::block::all_finite;
use crate::constraint::{impose, project};
use crate::error_estimate::ErrorEstimate;
use crate::{ConstrainedSystem, Operator, Preconditioner, Vec3};

/// Where the iteration starts, and what its residual is measured against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Baraff & Witkin 1998: x = z, and delta <= tol² (S b)ᵀ P⁻¹ (S b). Where S b = 0 that rule cannot be met, and delta of
    /// the start takes the place of the right side, as in \[Boxerman 2003, fig. 5.1\].
    Original,
    /// x = S x_prev + (I - S) z, and delta <= tol² b̂ᵀ P⁻¹ b̂ with b̂ = S (b - A (I - S) z) \[Boxerman 2003, fig. 5.2\].
    Corrected,
    /// The corrected start, and delta <= tol² delta_0 with delta_0 that of the start \[Boxerman 2003, fig. 5.1\]: the better the
    /// start, the more is asked for.
    FirstResidual,
}

impl Start {
    /// Whether the previous solution is where it starts.
    pub fn is_warm(self) -> bool {
        self != Start::Original
    }
}

/// What a solve is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Start and stopping rule.
    pub start: Start,
    /// tol² \[-\], >= 0: the square, as the stopping rule has it. The thesis takes 0.01 dt.
    pub tolerance_squared: f64,
    /// What the estimate of eᵀ A e, e the error of x, must come down to as well, if anything; one iteration at least is made for it.
    /// Iterations in single precision leave that to those in double precision.
    pub error: Option<f64>,
    /// Most iterations.
    pub iteration_limit: usize,
}

impl Settings {
    /// Whether delta of the start takes the place of that of the right side in the stopping rule.
    pub(crate) fn is_against_first_residual(&self, b_delta: f64, delta: f64) -> bool {
        b_delta == 0.0 || (self.start == Start::FirstResidual && delta > 0.0)
    }

    /// Why an iteration that has come to `delta`, against `b_delta` of the right side, and to an error of which `meets_error` says
    /// whether it is small enough, ends before another product, if it does. `zero` says that there is nothing to solve.
    pub(crate) fn stop_before_product(
        &self,
        zero: bool,
        delta: f64,
        b_delta: f64,
        meets_error: bool,
        iterations: usize,
    ) -> Option<SolveStop> {
        if zero {
            return Some(SolveStop::ZeroRightSide);
        }
        if !(delta.is_finite() && b_delta.is_finite()) {
            return Some(SolveStop::NotFinite);
        }
        if delta < 0.0 || b_delta < 0.0 {
            return Some(SolveStop::NotPositiveDefinite);
        }
        if delta == 0.0 || (meets_error && delta <= self.tolerance_squared * b_delta) {
            return Some(SolveStop::Converged);
        }
        (iterations == self.iteration_limit).then_some(SolveStop::IterationLimit)
    }

    /// What estimates the error, where one is asked for: without, an iteration pays nothing for it.
    pub(crate) fn estimate(&self) -> Option<ErrorEstimate> {
        self.error.map(ErrorEstimate::down_to)
    }

    /// Why it ends after a product with pᵀ A p = `curvature`, if it does.
    pub(crate) fn stop_at_curvature(curvature: f64) -> Option<SolveStop> {
        if !curvature.is_finite() {
            return Some(SolveStop::NotFinite);
        }
        (curvature <= 0.0).then_some(SolveStop::NotPositiveDefinite)
    }
}

/// Why the iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveStop {
    /// The residual meets the stopping rule, and x is finite.
    Converged,
    /// S b and the residual of z (original start) or b̂ (corrected) are zero, or so small that their squares are: x is z, or
    /// (I - S) z.
    ZeroRightSide,
    /// The most iterations were made; x is the last iterate.
    IterationLimit,
    /// pᵀ A p <= 0 or rᵀ P⁻¹ r < 0: A or P is not positive definite on range(S). x is the last iterate.
    NotPositiveDefinite,
    /// An infinite number or none at all came up: x is of no use.
    NotFinite,
}

impl SolveStop {
    /// Whether x is the solution that was asked for.
    pub fn is_solved(self) -> bool {
        matches!(self, SolveStop::Converged | SolveStop::ZeroRightSide)
    }
}

/// The work of a solve, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveReport {
    /// Why it ended.
    pub stop: SolveStop,
    /// Iterations; each is one product. A search direction that is refused costs a product too, but is no iteration.
    pub iterations: usize,
    /// Products with A, those of the start included: A z for the original start, A (I - S) z and A S x_prev for the corrected
    /// one. A product with a vector that is zero is neither made nor counted.
    pub products: usize,
    /// Rows of A that were multiplied by a vector: all rows, in every product.
    pub row_vector_count: usize,
    /// Rows of A that were multiplied by a vector, but for those that are fully constrained.
    pub row_vector_count_free: usize,
    /// Last delta over the value that the stopping rule compares it with \[-\]; 0 for a zero right side, NaN possible where the
    /// stop is [`SolveStop::NotFinite`].
    pub residual: f64,
    /// The estimate of eᵀ A e that it ended with, where that was asked for and iterations were made.
    pub error: Option<f64>,
}

/// Projected preconditioned conjugate gradients \[Boxerman 2003, fig. 5.2\], with the vectors that they need.
///
/// The figure has s = S A p and r = r - alpha s; here s = A p and r = S (r - alpha s), the same on paper. In numbers, what
/// rounding leaves of r outside range(S) would never shrink, and once it outweighs the rest, delta / pᵀ s grows without bound.
///
/// Without constraints and from x_prev = 0 it is the ordinary method \[Boxerman 2003, fig. 5.1\].
#[derive(Clone, Debug)]
pub struct ProjectedCg {
    /// Projected residual.
    r: Vec<Vec3>,
    /// Search direction.
    p: Vec<Vec3>,
    /// A p.
    s: Vec<Vec3>,
    /// P⁻¹ r.
    h: Vec<Vec3>,
}

impl ProjectedCg {
    /// A workspace for systems of up to `rows` rows.
    pub fn new(rows: usize) -> ProjectedCg {
        let zeros = vec![Vec3::zeros(); rows];
        ProjectedCg { r: zeros.clone(), p: zeros.clone(), s: zeros.clone(), h: zeros }
    }

    /// Solves a system. `x`, shape \[rows\], holds x_prev, the solution of a system like this one, and then the solution. Only
    /// the corrected start reads it: set it to zero where there is none.
    ///
    /// (I - S) x = (I - S) z holds to rounding whatever the stop. Fully constrained rows of b do not matter.
    ///
    /// # Panics
    /// Where a length differs from the number of rows, and where the workspace is smaller.
    pub fn solve(
        &mut self,
        system: &ConstrainedSystem<'_, impl Operator + ?Sized>,
        x: &mut [Vec3],
        preconditioner: &(impl Preconditioner + ?Sized),
        settings: &Settings,
    ) -> SolveReport {
        let rows = system.rows();
        let capacity = self.r.len();
        assert!(rows <= capacity, "a system of {rows} rows in a workspace of {capacity}");
        let (r, p) = (&mut self.r[..rows], &mut self.p[..rows]);
        let (s, h) = (&mut self.s[..rows], &mut self.h[..rows]);
        iterate(system, x, preconditioner, settings, Vectors { r, p, s, h })
    }
}

/// The vectors of a solve, each of shape \[rows\], whatever they hold.
pub(crate) struct Vectors<'a> {
    /// Projected residual.
    pub r: &'a mut [Vec3],
    /// Search direction.
    pub p: &'a mut [Vec3],
    /// A p.
    pub s: &'a mut [Vec3],
    /// P⁻¹ r.
    pub h: &'a mut [Vec3],
}

/// [`ProjectedCg::solve`] in the given vectors.
pub(crate) fn iterate(
    system: &ConstrainedSystem<'_, impl Operator + ?Sized>,
    x: &mut [Vec3],
    preconditioner: &(impl Preconditioner + ?Sized),
    settings: &Settings,
    vectors: Vectors<'_>,
) -> SolveReport {
    let rows = system.rows();
    assert_eq!(x.len(), rows, "rows of x");
    let Vectors { r, p, s, h } = vectors;
    let &ConstrainedSystem { operator, b, constraints, z } = system;
    let mut products = 0;
    let mut iterations = 0;

    r.copy_from_slice(b);
    if settings.start.is_warm() {
        p.fill(Vec3::zeros());
        impose(constraints, z, p);
        products += subtract_product(operator, p, s, r);
    }
    project(constraints, r); // b̂ = S (b - A (I - S) z)  or  S b
    let mut b_delta = preconditioner.apply_and_dot(r, h); // b̂ᵀ P⁻¹ b̂
    match settings.start {
        Start::Original => {
            x.copy_from_slice(z); // x = z  [Baraff & Witkin 1998]
            products += subtract_product(operator, x, s, r); // r = S (b - A x)
        }
        Start::Corrected | Start::FirstResidual if b_delta == 0.0 => x.fill(Vec3::zeros()),
        Start::Corrected | Start::FirstResidual => {
            p.copy_from_slice(x);
            project(constraints, p);
            products += subtract_product(operator, p, s, r); // r = S (b - A x) = b̂ - S A S x_prev
        }
    }
    impose(constraints, z, x); // x = S x_prev + (I - S) z
    project(constraints, r);
    let mut delta = preconditioner.apply_and_dot(r, h); // delta = rᵀ p = rᵀ P⁻¹ r
    p.copy_from_slice(h);
    project(constraints, p); // p = S P⁻¹ r
    let zero = b_delta == 0.0 && (delta == 0.0 || settings.start.is_warm());
    if settings.is_against_first_residual(b_delta, delta) {
        b_delta = delta;
    }

    let mut estimate = settings.estimate();
    let stop = loop {
        let meets_error = estimate.as_ref().is_none_or(|estimate| estimate.is_met(delta));
        if let Some(stop) = settings.stop_before_product(zero, delta, b_delta, meets_error, iterations) {
            break stop;
        }
        let curvature = operator.apply_and_dot(p, s); // pᵀ s with s = A p
        products += 1;
        if let Some(stop) = Settings::stop_at_curvature(curvature) {
            break stop;
        }
        iterations += 1;
        let alpha = delta / curvature;
        estimate.iter_mut().for_each(|estimate| estimate.add(delta, alpha));
        add_multiple(alpha, p, x); // x = x + alpha p
        for ((r, s), constraint) in r.iter_mut().zip(s.iter()).zip(constraints) {
            *r -= s * alpha;
            constraint.project(r); // r = S (r - alpha s)
        }
        let delta_old = delta;
        delta = preconditioner.apply_and_dot(r, h); // h = P⁻¹ r, delta = rᵀ h
        let beta = delta / delta_old;
        for ((p, h), constraint) in p.iter_mut().zip(h.iter()).zip(constraints) {
            *p = h + *p * beta;
            constraint.project(p); // p = S (h + delta / delta_old p)
        }
    };

    if iterations > 0 {
        impose(constraints, z, x); // what rounding took from the constraints
    }
    let error = estimate.and_then(|estimate| estimate.of(delta));
    SolveReport { error, ..SolveReport::ended(stop, iterations, products, delta / b_delta) }.finished(x, system.free_rows())
}

impl SolveReport {
    /// How an iteration ended, before its rows are counted.
    pub(crate) fn ended(stop: SolveStop, iterations: usize, products: usize, residual: f64) -> SolveReport {
        SolveReport { stop, iterations, products, row_vector_count: 0, row_vector_count_free: 0, residual, error: None }
    }

    /// The report of a solve whose last iterate is `x`, with so many free rows: rows counted, and no solution that is not finite.
    pub(crate) fn finished(self, x: &[Vec3], free_rows: usize) -> SolveReport {
        let stop = if all_finite(x) { self.stop } else { SolveStop::NotFinite };
        SolveReport {
            stop,
            row_vector_count: x.len() * self.products,
            row_vector_count_free: free_rows * self.products,
            residual: if stop == SolveStop::ZeroRightSide { 0.0 } else { self.residual },
            ..self
        }
    }
}

/// r -= A v through `product`, unless v is zero; how many products that took.
fn subtract_product<O: Operator + ?Sized>(operator: &O, v: &[Vec3], product: &mut [Vec3], r: &mut [Vec3]) -> usize {
    if v.iter().all(|v| *v == Vec3::zeros()) {
        return 0;
    }
    operator.apply(v, product);
    add_multiple(-1.0, product, r);
    1
}

/// y += factor x.
fn add_multiple(factor: f64, x: &[Vec3], y: &mut [Vec3]) {
    for (x, y) in x.iter().zip(y) {
        *y += x * factor;
    }
}
