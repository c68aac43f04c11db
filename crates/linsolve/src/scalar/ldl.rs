use faer::perm::PermRef;
use faer::sparse::linalg::cholesky::SymmetricOrdering;

use super::cholesky::{analysed, order, panels};
use super::lu::relative;
use super::{PivotError, ScalarPattern, SmallestPivot};
use crate::panels::{Panels, Pivots};

/// Sparse factorisation L D Lᵀ of a symmetric indefinite matrix with a diagonal D, whose entries should be of the size of one.
///
/// Nothing is pivoted: the order of elimination is fixed with the pattern. For a saddle point \[A Bᵀ; B 0\] with A positive
/// definite, unknowns of A come in groups, which are eliminated by minimum degree, and each constraint, a row of B, directly after
/// the last group that it acts on: every pivot has the sign of its kind then, and none is zero unless constraints depend on each
/// other.
///
/// In panels: the same bits on every processor.
pub struct ScalarLdl {
    pattern: ScalarPattern,
    values: Vec<f64>,
    panels: Panels,
    /// Σ of absolute terms of each pivot.
    terms: Vec<f64>,
    right: Vec<f64>,
    residual: Vec<f64>,
    best: Vec<f64>,
}

/// What a factorisation found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LdlFactors {
    /// Pivots below zero: as many as the matrix has eigenvalues below zero, where no pivot was replaced.
    pub negative: usize,
    /// Pivots replaced because they were at or below [`ScalarLdl::SMALLEST`].
    pub replaced: usize,
    /// The pivot that cancellation left the least of, relative to abs(A_jj) + Σ_k L_jk² abs(D_k). A small one does not say that the
    /// matrix is singular, only that this order of elimination does not suit it.
    pub smallest: SmallestPivot,
}

impl ScalarLdl {
    /// Pivots of at most this size are replaced by [`ScalarLdl::REPLACEMENT`] with their sign.
    pub const SMALLEST: f64 = 1e-13;
    /// Stands for a pivot that is too small: the square root of rounding, so that refinement can make up for it.
    pub const REPLACEMENT: f64 = 1e-8;
    /// Most refinements of a solve.
    const REFINEMENTS: usize = 8;
    /// Refined enough: a relative residual near rounding.
    const REFINED: f64 = 1e-14;

    /// Analyses a pattern made by [`ScalarPattern::lower`], of which unknown k is in group `groups[k]`, from 0 on without gaps, or
    /// is a constraint where there is none. Members of a group are eliminated by index.
    ///
    /// # Panics
    /// Where a group is missing, or the memory does not suffice for the factor.
    pub fn new(pattern: &ScalarPattern, groups: &[Option<usize>]) -> ScalarLdl {
        let unknowns = pattern.unknowns();
        assert_eq!(groups.len(), unknowns, "unknowns");
        let order_of_elimination = grouped(pattern, groups);
        let mut places = vec![0; unknowns];
        order_of_elimination.iter().enumerate().for_each(|(place, unknown)| places[*unknown] = place);
        let ordering = SymmetricOrdering::Custom(PermRef::new_checked(&order_of_elimination, &places, unknowns));
        let zeros = vec![0.0; unknowns];
        ScalarLdl {
            values: vec![0.0; pattern.entries()],
            pattern: pattern.clone(),
            panels: panels(&pattern.symbolic, ordering, pattern.places()),
            terms: zeros.clone(),
            right: zeros.clone(),
            residual: zeros.clone(),
            best: zeros,
        }
    }

    /// The values of the matrix, shape \[entries of the pattern\], to be filled before [`ScalarLdl::factor`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The values of the matrix.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The pattern of the matrix.
    pub fn pattern(&self) -> &ScalarPattern {
        &self.pattern
    }

    /// Entries of L, with D as its diagonal, without the zeros that panels store.
    pub fn factor_entries(&self) -> u64 {
        self.panels.entries
    }

    /// Floating-point operations of a factorisation, nominally Σ c_j² over the entries c_j of the columns of L.
    pub fn factor_operations(&self) -> u64 {
        self.panels.squares
    }

    /// Floating-point operations of a solve without refinement, nominally 4 for each entry of L; each refinement costs as many.
    pub fn solve_operations(&self) -> u64 {
        4 * self.factor_entries()
    }

    /// Factors the values.
    ///
    /// # Errors
    /// [`PivotError::NotFinite`] where a value or a pivot is not finite.
    pub fn factor(&mut self) -> Result<LdlFactors, PivotError> {
        self.pattern.check_finite(&self.values)?;
        let policy = Pivots::Replaced { smallest: ScalarLdl::SMALLEST, replacement: ScalarLdl::REPLACEMENT };
        self.panels.factor(&self.values, policy).map_err(|column| PivotError::NotFinite { column })?;
        for (column, terms) in self.terms.iter_mut().enumerate() {
            *terms = self.pattern.diagonal(&self.values, column).abs(); // abs(A_jj)
        }
        self.panels.add_terms(&mut self.terms);
        let (mut negative, mut replaced) = (0, 0);
        let mut smallest = SmallestPivot::none();
        for (column, pivot) in self.panels.pivots() {
            negative += usize::from(pivot < 0.0);
            replaced += usize::from(pivot.abs().to_bits() == ScalarLdl::REPLACEMENT.to_bits());
            smallest.see(column, (pivot / self.terms[column]).abs());
        }
        Ok(LdlFactors { negative, replaced, smallest })
    }

    /// Overwrites `b`, shape \[unknowns\], with the solution of A x = b by the last factors, refined as long as that helps. Returns
    /// the relative residual max abs(b - A x) / max abs(b) \[-\] of what is returned, and the number of refinements.
    ///
    /// # Panics
    /// Where the length differs from the number of unknowns.
    pub fn solve(&mut self, b: &mut [f64]) -> (f64, usize) {
        self.right.copy_from_slice(b);
        self.panels.solve(b);
        let mut r = std::mem::take(&mut self.residual);
        let mut best = std::mem::take(&mut self.best);
        self.residual_of(b, &mut r);
        let mut least = relative(&r, &self.right);
        let mut refinements = 0;
        while least > ScalarLdl::REFINED && least.is_finite() && refinements < ScalarLdl::REFINEMENTS {
            best.copy_from_slice(b);
            self.panels.solve(&mut r);
            b.iter_mut().zip(&r).for_each(|(x, correction)| *x += correction);
            self.residual_of(b, &mut r);
            refinements += 1;
            let now = relative(&r, &self.right);
            if now > least {
                b.copy_from_slice(&best);
                break;
            }
            let stalls = now > 0.5 * least;
            least = now;
            if stalls {
                break;
            }
        }
        (self.residual, self.best) = (r, best);
        (least, refinements)
    }

    /// r = b - A x with the lower triangle of A.
    fn residual_of(&self, x: &[f64], r: &mut [f64]) {
        r.copy_from_slice(&self.right);
        for column in 0..x.len() {
            for (row, value) in self.pattern.column(&self.values, column) {
                r[row] -= value * x[column];
                if row != column {
                    r[column] -= value * x[row];
                }
            }
        }
    }
}

/// Unknowns in the order of elimination.
fn grouped(pattern: &ScalarPattern, groups: &[Option<usize>]) -> Vec<usize> {
    let unknowns = pattern.unknowns();
    let count = groups.iter().flatten().max().map_or(0, |last| last + 1);
    let mut seen = vec![false; count];
    groups.iter().flatten().for_each(|group| seen[*group] = true);
    assert!(seen.iter().all(|seen| *seen), "groups without gaps");

    let mut pairs = Vec::new(); // of groups that are coupled, directly or by a constraint
    let mut of_constraints = vec![Vec::new(); unknowns];
    for (row, column) in pattern.places() {
        match (groups[row], groups[column]) {
            (Some(i), Some(j)) => pairs.push((i, j)),
            (None, Some(group)) => of_constraints[row].push(group),
            (Some(group), None) => of_constraints[column].push(group),
            (None, None) => {}
        }
    }
    for coupled in &of_constraints {
        pairs.extend(coupled.iter().flat_map(|i| coupled.iter().map(move |j| (*i, *j))));
    }
    let quotient = ScalarPattern::lower(count, &pairs);
    let symbolic = analysed(&quotient.symbolic, SymmetricOrdering::Amd);
    let mut places = vec![0; count];
    order(&symbolic).into_iter().enumerate().for_each(|(place, group)| places[group] = place);

    let mut unknowns_in_order: Vec<usize> = (0..unknowns).collect();
    unknowns_in_order.sort_unstable_by_key(|&unknown| match groups[unknown] {
        Some(group) => (places[group], false, unknown),
        None => (of_constraints[unknown].iter().map(|group| places[*group]).max().unwrap_or(count), true, unknown),
    });
    unknowns_in_order
}
