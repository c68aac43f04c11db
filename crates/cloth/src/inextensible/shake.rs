use linsolve::scalar::{PivotError, ScalarLu, ScalarOrderedLu, ScalarPattern};

use super::edge_system::{Coupling, EdgeSystem, couplings, fill_gradients, fill_values, stop};
use super::{ConstraintMethod, EdgeConstraints, FilterReport, FilterStop, Limits, MethodEntry, Step};
use crate::Vec3;

/// SHAKE: the constraints' forces act in their directions at the start of the step, x = x~ - dt² M⁻¹ (grad C(x_n))ᵀ lambda with
/// C(x) = 0 \[Goldenthal 2007, 4\].
///
/// The iteration is that of \[Barth et al. 1994\]: (grad C(x_n)) M⁻¹ (grad C(x_n))ᵀ is factored once a step and stands for the
/// matrix of Newton's method. An iteration with an old matrix that leaves more than [`Shake::FALL`] of the largest strain is taken
/// back, and the true matrix, (grad C(x_j)) M⁻¹ (grad C(x_n))ᵀ without symmetry, is built and factored where it started; it is
/// kept until it fails in turn. Its pattern is symmetric, and it is factored in an order that is fixed with the pattern; where a
/// pivot vanishes or the residual stays too large, with pivoting.
pub struct Shake {
    constraints: EdgeConstraints,
    limits: Limits,
    couplings: Vec<Coupling>,
    pattern: ScalarPattern,
    start: EdgeSystem,
    newton: ScalarOrderedLu,
    /// Made when it is needed first.
    pivoting: Option<ScalarLu>,
    /// Whether the true matrix had to be factored with pivoting.
    pivoted: bool,
    /// Where the values of edges, then those of both entries of each coupling are stored.
    places: Vec<usize>,
    gradients_here: Vec<Vec3>,
    mu: Vec<f64>,
    before: Vec<Vec3>,
    rebuilt: u64,
}

/// The matrix that stands for that of Newton's method.
#[derive(Clone, Copy, PartialEq)]
enum Matrix {
    /// That of the start of the step.
    Start,
    /// The true one of an earlier iterate.
    Old,
    /// The true one of this iterate.
    Here,
}

impl Shake {
    /// Its entry in the registry.
    pub const ENTRY: MethodEntry =
        MethodEntry { name: "shake", about: "directions of the start of the step", iterations: MethodEntry::SOLVES };

    /// An iteration has to bring the largest strain below this share of what it was.
    pub const FALL: f64 = 0.5;
    /// Largest relative residual of a linear solve that is gone on with.
    pub const SOLVED: f64 = 1e-8;

    /// For `constraints`, within `limits`.
    pub fn new(constraints: EdgeConstraints, limits: Limits) -> Shake {
        let couplings = couplings(&constraints);
        let edges = constraints.edges().len();
        let pairs: Vec<_> = couplings.iter().map(|c| (c.edge, c.other)).collect();
        let pattern = ScalarPattern::full(edges, &pairs);
        let all = (0..edges).map(|k| (k, k)).chain(pairs.iter().flat_map(|&(i, j)| [(i, j), (j, i)]));
        let places = all.map(|(row, column)| pattern.place(row, column).expect("an entry of the pattern")).collect();
        Shake {
            start: EdgeSystem::new(&constraints),
            newton: ScalarOrderedLu::new(&pattern),
            pivoting: None,
            pivoted: false,
            pattern,
            couplings,
            places,
            gradients_here: vec![Vec3::zeros(); edges],
            mu: vec![0.0; edges],
            before: vec![Vec3::zeros(); constraints.particle_count()],
            rebuilt: 0,
            constraints,
            limits,
        }
    }

    /// How often the last step built the true matrix of Newton's method.
    pub fn rebuilt(&self) -> u64 {
        self.rebuilt
    }

    /// Factors (grad C(x)) M⁻¹ (grad C(x_n))ᵀ.
    fn rebuild(&mut self, x: &[Vec3], report: &mut FilterReport) -> Result<(), FilterStop> {
        fill_gradients(&self.constraints, x, &mut self.gradients_here);
        let (here, start) = (&self.gradients_here, &self.start.gradients);
        let values = self.newton.values_mut();
        let (of_edges, of_couplings) = self.places.split_at(here.len());
        for (k, place) in of_edges.iter().enumerate() {
            values[*place] = self.start.weights[k] * here[k].dot(&start[k]);
        }
        for (coupling, places) in self.couplings.iter().zip(of_couplings.chunks_exact(2)) {
            let Coupling { edge, other, weight } = *coupling;
            values[places[0]] = weight * here[edge].dot(&start[other]);
            values[places[1]] = weight * here[other].dot(&start[edge]);
        }
        let factored = self.newton.factor();
        report.factorisations += 1;
        report.operations += self.newton.factor_operations();
        self.rebuilt += 1;
        self.pivoted = false;
        match factored {
            Ok(_) => Ok(()),
            Err(PivotError::Deficient { .. }) => self.factor_with_pivoting(report),
            Err(error) => Err(stop(error)),
        }
    }

    /// Factors the same matrix once more.
    fn factor_with_pivoting(&mut self, report: &mut FilterReport) -> Result<(), FilterStop> {
        let lu = self.pivoting.get_or_insert_with(|| ScalarLu::new(&self.pattern));
        lu.values_mut().copy_from_slice(self.newton.values());
        let factored = lu.factor();
        report.factorisations += 1;
        report.operations += lu.factor_operations();
        self.pivoted = true;
        factored.map(|_| ()).map_err(stop)
    }

    /// Overwrites `mu`, which holds C(x), with the solution by the true matrix.
    fn solve_newton(&mut self, x: &[Vec3], report: &mut FilterReport) -> Result<(), FilterStop> {
        report.solves += 2;
        if !self.pivoted {
            report.operations += 2 * self.newton.solve_operations();
            if self.newton.solve(&mut self.mu) <= Shake::SOLVED {
                return Ok(());
            }
            self.factor_with_pivoting(report)?;
            fill_values(&self.constraints, x, &mut self.mu);
            report.solves += 2;
        }
        let Some(lu) = &mut self.pivoting else { return Err(FilterStop::Inaccurate) };
        report.operations += 2 * lu.solve_operations();
        if lu.solve(&mut self.mu) <= Shake::SOLVED { Ok(()) } else { Err(FilterStop::Inaccurate) }
    }

    /// One iteration; `matrix` is what it has to go on with, and then what the next one has.
    fn iterate(&mut self, x: &mut [Vec3], matrix: &mut Matrix, report: &mut FilterReport) -> Result<(), FilterStop> {
        fill_values(&self.constraints, x, &mut self.mu);
        self.before.copy_from_slice(x);
        match matrix {
            Matrix::Start => self.start.solve(&mut self.mu, report),
            Matrix::Old | Matrix::Here => self.solve_newton(x, report)?,
        }
        self.start.correct(&self.constraints, &self.mu, x); // x_{j+1} = x_j - M⁻¹ (grad C(x_n))ᵀ dmu
        report.iterations += 1;
        let after = self.constraints.largest_strain(x);
        if *matrix == Matrix::Here || after <= Shake::FALL * report.after {
            report.after = after;
            if *matrix == Matrix::Here {
                *matrix = Matrix::Old;
            }
            return Ok(());
        }
        x.copy_from_slice(&self.before);
        *matrix = Matrix::Here;
        self.rebuild(x, report)
    }
}

impl ConstraintMethod for Shake {
    fn constraints(&self) -> &EdgeConstraints {
        &self.constraints
    }

    fn project(&mut self, step: &Step<'_>, x: &mut [Vec3]) -> FilterReport {
        let mut report = FilterReport::begin(self.constraints.largest_strain(x));
        self.rebuilt = 0;
        if !report.after.is_finite() || report.after <= self.limits.strain() {
            return report;
        }
        if let Err(stop) = self.start.factor_at(&self.constraints, step.start, &mut report) {
            return report.ended(stop);
        }
        let mut matrix = Matrix::Start;
        report.until(self.limits, 0.0, |report| self.iterate(x, &mut matrix, report).map(|()| 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inextensible::fixtures::chain;

    #[test]
    fn where_the_order_of_elimination_does_not_do_there_is_pivoting() {
        // a corner between two pins that its edges turn about by a right angle: both pivots are zero, the matrix is [0 -4; -4 0]
        let mut shake = Shake::new(chain(&[1.0; 3], &[true, false, true]), Limits::new(1e-6, 10).unwrap());
        let corner = |x: Vec3| [Vec3::zeros(), x, Vec3::new(1.0, 1.0, 0.0)];
        let mut report = FilterReport::begin(1.0);
        fill_gradients(&shake.constraints, &corner(Vec3::x()), &mut shake.start.gradients);
        assert_eq!(shake.rebuild(&corner(Vec3::y()), &mut report), Ok(()));
        assert_eq!((shake.pivoted, report.factorisations, shake.rebuilt()), (true, 2, 1));
        shake.mu.copy_from_slice(&[1.0, 2.0]);
        assert_eq!(shake.solve_newton(&corner(Vec3::y()), &mut report), Ok(()));
        assert_eq!((&shake.mu[..], report.solves), (&[-0.5, -0.25][..], 2));
        // at the start of the step it is 4 I
        assert_eq!(shake.rebuild(&corner(Vec3::x()), &mut report), Ok(()));
        shake.mu.copy_from_slice(&[1.0, 2.0]);
        assert_eq!(shake.solve_newton(&corner(Vec3::x()), &mut report), Ok(()));
        assert_eq!((shake.pivoted, report.factorisations, &shake.mu[..]), (false, 3, &[0.25, 0.5][..]));
    }
}
