use super::Limits;

/// Why a method ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FilterStop {
    /// Every edge is within the bound.
    Converged,
    /// The limit of iterations came first.
    IterationLimit,
    /// The linear system is rank-deficient up to rounding: constraints depend on each other, as those of a taut row between two
    /// pins do. `edge` is where it was found.
    Singular {
        /// Index of an edge.
        edge: usize,
    },
    /// A linear system was solved with a residual too large to go on.
    Inaccurate,
    /// The particles of an edge are at the same place: it has no direction.
    Coincident {
        /// Index of the edge.
        edge: usize,
    },
    /// A position is not a finite number.
    NotFinite,
    /// The next factorisation would take more operations than a step may.
    TooDear,
}

impl FilterStop {
    /// Whether the positions may be gone on with.
    pub fn is_usable(self) -> bool {
        matches!(self, FilterStop::Converged | FilterStop::IterationLimit)
    }

    /// In one or two words, for tables.
    pub fn name(self) -> &'static str {
        match self {
            FilterStop::Converged => "converged",
            FilterStop::IterationLimit => "iteration limit",
            FilterStop::Singular { .. } => "singular",
            FilterStop::Inaccurate => "inaccurate solve",
            FilterStop::Coincident { .. } => "coincident particles",
            FilterStop::NotFinite => "not finite",
            FilterStop::TooDear => "too many operations",
        }
    }
}

/// What a method did in a step. Work is exact on any machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilterReport {
    /// Corrections of the positions: solves of linear systems, or sweeps over all edges.
    pub iterations: u64,
    /// Numeric factorisations.
    pub factorisations: u64,
    /// Linear systems solved with a factor.
    pub solves: u64,
    /// Floating-point operations of its factorisations, solves and sweeps, a nominal count: two a fused pair, none for assembly.
    pub operations: u64,
    /// Largest abs(strain) of the candidate \[-\].
    pub before: f64,
    /// Largest abs(strain) of the result \[-\].
    pub after: f64,
    /// Why it ended.
    pub stop: FilterStop,
}

impl FilterReport {
    /// Nothing done yet to a candidate of this largest strain.
    pub fn begin(before: f64) -> FilterReport {
        let stop = if before.is_finite() { FilterStop::Converged } else { FilterStop::NotFinite };
        FilterReport { iterations: 0, factorisations: 0, solves: 0, operations: 0, before, after: before, stop }
    }

    /// Goes on with `iterate`, which gives the residual of the motion, until no edge is strained beyond the bound and the residual
    /// is within its `tolerance`, or the limit of iterations comes, or an iteration says why it cannot go on.
    pub(super) fn until(
        mut self,
        limits: Limits,
        tolerance: f64,
        mut iterate: impl FnMut(&mut FilterReport) -> Result<f64, FilterStop>,
    ) -> FilterReport {
        let mut motion = 0.0;
        let begins = |report: &FilterReport| limits.every_step() && report.iterations == 0 && report.before > 0.0;
        while self.after.is_finite() && (self.after > limits.strain() || motion > tolerance || begins(&self)) {
            if self.iterations == limits.iterations() {
                return self.ended(FilterStop::IterationLimit);
            }
            match iterate(&mut self) {
                Ok(residual) => motion = residual,
                // edges within the bound need no correction, and taut rows have none
                Err(_) if self.iterations == 0 && self.before <= limits.strain() => return self.ended(FilterStop::Converged),
                Err(stop) => return self.ended(stop),
            }
        }
        self.ended(if self.after.is_finite() && motion.is_finite() { FilterStop::Converged } else { FilterStop::NotFinite })
    }

    /// The end of a method that does not go on until its bound is kept.
    pub(super) fn judged(self, limits: Limits) -> FilterReport {
        self.ended(match self.after {
            after if !after.is_finite() => FilterStop::NotFinite,
            after if after > limits.strain() => FilterStop::IterationLimit,
            _ => FilterStop::Converged,
        })
    }

    /// This and what was done after it in the same step: the work of both, the end of the later.
    pub fn and_then(self, later: &FilterReport) -> FilterReport {
        FilterReport {
            iterations: self.iterations + later.iterations,
            factorisations: self.factorisations + later.factorisations,
            solves: self.solves + later.solves,
            operations: self.operations + later.operations,
            before: self.before,
            after: later.after,
            stop: later.stop,
        }
    }

    /// This report with another reason why it ended.
    pub fn ended(self, stop: FilterStop) -> FilterReport {
        FilterReport { stop, ..self }
    }
}

/// Work of a method over many steps, as in a [`FilterReport`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct FilterWork {
    /// Steps filtered.
    pub steps: u64,
    pub iterations: u64,
    pub factorisations: u64,
    pub solves: u64,
    pub operations: u64,
    /// Steps that hit the limit of iterations.
    pub limited: u64,
    /// Steps that ended in another way than within the bound or at the limit.
    pub failed: u64,
    /// Edges that turned by more than a right angle in a step.
    pub turned_over: u64,
}

impl FilterWork {
    /// Adds a step.
    pub fn add(&mut self, report: &FilterReport, turned_over: u64) {
        self.steps += 1;
        self.iterations += report.iterations;
        self.factorisations += report.factorisations;
        self.solves += report.solves;
        self.operations += report.operations;
        self.limited += u64::from(report.stop == FilterStop::IterationLimit);
        self.failed += u64::from(!report.stop.is_usable());
        self.turned_over += turned_over;
    }
}
