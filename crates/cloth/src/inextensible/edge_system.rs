use linsolve::scalar::{PivotError, ScalarCholesky, ScalarPattern, SmallestPivot, Tridiagonal};

use super::{EdgeConstraints, FilterReport, FilterStop};
use crate::Vec3;

/// How large a linear system and its factor are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SystemSize {
    /// Rows, and columns.
    pub unknowns: usize,
    /// Entries of the matrix, both triangles.
    pub entries: usize,
    /// Entries that its factor stores.
    pub factor_entries: u64,
}

/// Two edges that share a particle which can move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coupling {
    /// The edge of higher index.
    pub edge: usize,
    /// The other edge.
    pub other: usize,
    /// Inverse mass of the particle \[1/kg\], negative where it is the second of one edge and the first of the other.
    pub weight: f64,
}

/// The couplings of all edges, particle by particle.
pub(super) fn couplings(constraints: &EdgeConstraints) -> Vec<Coupling> {
    let mut ends = vec![Vec::new(); constraints.particle_count()]; // edges at a particle, with the sign of their gradient there
    for (k, edge) in constraints.edges().iter().enumerate() {
        ends[edge.i].push((k, -1.0));
        ends[edge.j].push((k, 1.0));
    }
    let mut couplings = Vec::new();
    for (ends, w) in ends.iter().zip(constraints.inverse_masses()).filter(|(_, w)| **w > 0.0) {
        for (place, &(edge, sign)) in ends.iter().enumerate() {
            couplings.extend(ends[..place].iter().map(|&(other, of_other)| Coupling {
                edge,
                other,
                weight: w * sign * of_other,
            }));
        }
    }
    couplings
}

/// Overwrites `gradients`, shape \[edges\], with those of all constraints by their second particle at `x`.
pub(super) fn fill_gradients(constraints: &EdgeConstraints, x: &[Vec3], gradients: &mut [Vec3]) {
    gradients.iter_mut().zip(constraints.edges()).for_each(|(gradient, edge)| *gradient = edge.gradient(x));
}

/// Overwrites `values`, shape \[edges\], with C(x).
pub(super) fn fill_values(constraints: &EdgeConstraints, x: &[Vec3], values: &mut [f64]) {
    values.iter_mut().zip(constraints.edges()).for_each(|(value, edge)| *value = edge.value(x));
}

/// (grad C) M⁻¹ (grad C)ᵀ of all edges, on a pattern that is analysed once, and its factor.
///
/// The square of the time step is not in it: the unknowns are dt² lambda, which changes nothing but rounding.
pub(super) struct EdgeSystem {
    /// grad C by the second particle of each edge, where it was factored.
    pub gradients: Vec<Vec3>,
    /// Sum of the inverse masses of each edge's ends \[1/kg\].
    pub weights: Vec<f64>,
    solver: Solver,
    entries: usize,
    /// The smallest pivot of the last factorisation that succeeded.
    pub smallest: SmallestPivot,
}

enum Solver {
    /// Every edge shares particles with the previous and the next one only.
    Chain {
        matrix: Tridiagonal,
        /// The coupling of each edge and the next one \[1/kg\].
        beside: Vec<f64>,
    },
    Sparse {
        cholesky: Box<ScalarCholesky>,
        couplings: Vec<Coupling>,
        /// Where the values of the edges, then those of the couplings are stored.
        places: Vec<usize>,
    },
}

impl EdgeSystem {
    /// Tridiagonal where the edges are a chain in their order, sparse otherwise.
    pub fn new(constraints: &EdgeConstraints) -> EdgeSystem {
        let couplings = couplings(constraints);
        let chain = couplings.iter().all(|coupling| coupling.edge == coupling.other + 1);
        if !chain {
            return EdgeSystem::sparse(constraints);
        }
        let edges = constraints.edges().len();
        let mut beside = vec![0.0; edges.saturating_sub(1)];
        couplings.iter().for_each(|coupling| beside[coupling.other] = coupling.weight);
        let entries = edges + 2 * couplings.len();
        EdgeSystem::with(constraints, entries, Solver::Chain { matrix: Tridiagonal::new(edges), beside })
    }

    /// Sparse whatever the edges are.
    pub fn sparse(constraints: &EdgeConstraints) -> EdgeSystem {
        let couplings = couplings(constraints);
        let edges = constraints.edges().len();
        let pairs: Vec<_> = couplings.iter().map(|c| (c.edge, c.other)).collect();
        let pattern = ScalarPattern::lower(edges, &pairs);
        let places = (0..edges).map(|k| (k, k)).chain(pairs.iter().copied());
        let places = places.map(|(row, column)| pattern.place(row, column).expect("an entry of the pattern")).collect();
        let entries = 2 * pattern.entries() - edges;
        let cholesky = Box::new(ScalarCholesky::new(&pattern));
        EdgeSystem::with(constraints, entries, Solver::Sparse { cholesky, couplings, places })
    }

    fn with(constraints: &EdgeConstraints, entries: usize, solver: Solver) -> EdgeSystem {
        let w = constraints.inverse_masses();
        let weights: Vec<f64> = constraints.edges().iter().map(|edge| w[edge.i] + w[edge.j]).collect();
        let gradients = vec![Vec3::zeros(); weights.len()];
        EdgeSystem { gradients, weights, solver, entries, smallest: SmallestPivot::none() }
    }

    /// Fills in the matrix of the gradients at `x` and factors it.
    ///
    /// # Errors
    /// [`FilterStop::Coincident`] where an edge has no direction there, [`FilterStop::Singular`] where the matrix is rank-deficient,
    /// [`FilterStop::NotFinite`].
    pub fn factor_at(&mut self, constraints: &EdgeConstraints, x: &[Vec3], report: &mut FilterReport) -> Result<(), FilterStop> {
        if let Some(edge) = constraints.coincident(x) {
            return Err(FilterStop::Coincident { edge });
        }
        fill_gradients(constraints, x, &mut self.gradients);
        let (weights, gradients) = (&self.weights, &self.gradients);
        let of_edge = |k: usize| weights[k] * gradients[k].norm_squared();
        let factored = match &mut self.solver {
            Solver::Chain { matrix, beside } => {
                report.operations += matrix.factor_operations();
                matrix.factor(of_edge, |k| beside[k] * gradients[k + 1].dot(&gradients[k]))
            }
            Solver::Sparse { cholesky, couplings, places } => {
                let values = cholesky.values_mut();
                let (of_edges, of_couplings) = places.split_at(gradients.len());
                of_edges.iter().enumerate().for_each(|(k, place)| values[*place] = of_edge(k));
                for (place, c) in of_couplings.iter().zip(couplings) {
                    values[*place] = c.weight * gradients[c.edge].dot(&gradients[c.other]);
                }
                report.operations += cholesky.factor_operations();
                cholesky.factor()
            }
        };
        report.factorisations += 1;
        self.smallest = factored.map_err(stop)?;
        Ok(())
    }

    /// Overwrites `b`, shape \[edges\], with the solution.
    pub fn solve(&mut self, b: &mut [f64], report: &mut FilterReport) {
        report.solves += 1;
        match &mut self.solver {
            Solver::Chain { matrix, .. } => {
                report.operations += matrix.solve_operations();
                matrix.solve(b);
            }
            Solver::Sparse { cholesky, .. } => {
                report.operations += cholesky.solve_operations();
                cholesky.solve(b);
            }
        }
    }

    /// x -= M⁻¹ (grad C)ᵀ mu, with mu = dt² lambda \[kg m\] \[Goldenthal 2007, eq. 5\].
    pub fn correct(&self, constraints: &EdgeConstraints, mu: &[f64], x: &mut [Vec3]) {
        let w = constraints.inverse_masses();
        for ((edge, gradient), mu) in constraints.edges().iter().zip(&self.gradients).zip(mu) {
            x[edge.i] += w[edge.i] * mu * gradient;
            x[edge.j] -= w[edge.j] * mu * gradient;
        }
    }

    /// How large it is.
    pub fn size(&self) -> SystemSize {
        let factor_entries = match &self.solver {
            Solver::Chain { matrix, .. } => matrix.factor_entries(),
            Solver::Sparse { cholesky, .. } => cholesky.factor_entries(),
        };
        SystemSize { unknowns: self.weights.len(), entries: self.entries, factor_entries }
    }
}

/// The reason of a factorisation that failed, for a matrix whose columns are edges.
pub(super) fn stop(error: PivotError) -> FilterStop {
    match error {
        PivotError::Deficient { column } => FilterStop::Singular { edge: column },
        PivotError::NotFinite { .. } => FilterStop::NotFinite,
    }
}
