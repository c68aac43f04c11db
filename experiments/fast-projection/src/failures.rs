//! The configurations of figure 2, in which constraint directions at the start of the step fail.

use cloth::inextensible::{FailureCase, MethodKind, Step};
use kit::prelude::*;

ranges!(FailureRanges {
    //! How they are solved.
    /// Permissible strain \[-\].
    strain: Positive,
    /// Linear systems a step may take.
    solves: Count,
    /// Shares of the step that are tried.
    shares: List<Positive>,
});

row! {
    /// A method in a configuration.
    pub struct FailureRow {
        /// its name in figure 2
        pub configuration: String,
        /// share of its step that is taken
        pub share: f64,
        /// the method
        pub method: String,
        /// how it ends
        pub status: Status,
        /// iterations until then
        pub iterations: u64,
        /// largest strain where the step leads without constraints
        pub before: f64,
        /// largest strain of the last iterate; empty where it is not finite
        pub after: Option<f64>,
    }
}

const METHODS: [MethodKind; 4] = [MethodKind::FastProjection, MethodKind::Icd, MethodKind::StepAndProject, MethodKind::Shake];

/// All configurations by all methods.
pub struct Failures(pub FailureRanges);

impl Failures {
    fn row(&self, case: FailureCase, share: f64, method: MethodKind) -> Option<FailureRow> {
        let limits = Limits::new(self.0.strain.get(), self.0.solves.get().into()).ok()?;
        let (start, candidate) = (case.candidate(0.0), case.candidate(share));
        let mut x = candidate.clone();
        let step = Step { dt: 1.0, start: &start, candidate: &candidate };
        let report = method.build(case.constraints(None), limits).project(&step, &mut x);
        Some(FailureRow {
            configuration: case.name().into(),
            share,
            method: method.name().into(),
            status: report.stop.into(),
            iterations: report.iterations,
            before: report.before,
            after: report.after.is_finite().then_some(report.after),
        })
    }
}

impl Group for Failures {
    const NAME: &'static str = "failures";
    const ABOUT: &'static str = "the configurations of figure 2 by methods that solve for all edges at once";
    type Case = ();
    type Row = FailureRow;

    fn listed(&self) -> Vec<Self::Case> {
        vec![()]
    }

    fn measure(&self, _case: &()) -> Vec<FailureRow> {
        let mut rows = vec![];
        for case in FailureCase::ALL {
            for share in self.0.shares.values() {
                rows.extend(METHODS.iter().filter_map(|method| self.row(case, share.get(), *method)));
            }
        }
        rows
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Failures(ranges.failures.clone()))
}
