//! What came of a run, in the words of tables.

use cloth::inextensible::FilterStop;

use crate::words::words;

words! {
    /// What came of a run, or of what was asked of it, as tables say it.
    #[derive(Ord, PartialOrd)]
    pub enum Status {
        /// It did not begin, since its cloth, its scheme or its step means nothing, or ended at a step whose collisions were not resolved.
        Refused = "refused",
        /// It came to its end, and gained no energy.
        Finished = "finished",
        /// It has more energy than it can have.
        GainsEnergy = "gains energy",
        /// A number of it is not finite.
        NotFinite = "not finite",
        /// Nothing is wrong but that it is on the way to more work than it may take.
        CostsMore = "costs more",
        /// It took more work than it may.
        Budget = "budget",
        /// It need not be started again.
        Stable = "stable",
        /// It is lost, in a way that its reason tells.
        Unstable = "unstable",
        /// Both runs of a pair are lost.
        BothUnstable = "both unstable",
        /// That by AIMEX alone is.
        AimexUnstable = "AIMEX unstable",
        /// That by the implicit scheme alone is.
        ImplicitUnstable = "implicit unstable",
        /// That of decomposed systems alone is.
        DecomposedUnstable = "decomposed unstable",
        /// That of whole systems alone is.
        FullUnstable = "full unstable",
        /// A value was measured.
        Measured = "measured",
        /// Nothing was measured, since it means nothing there.
        Skipped = "skipped",
        /// No step of the bracket was unstable.
        StableThroughout = "stable throughout",
        /// No step of the bracket was stable.
        UnstableThroughout = "unstable throughout",
        /// There is no oscillation to measure.
        Overdamped = "overdamped",
        /// It came to what was asked for.
        Reached = "reached",
        /// It did not come to what was asked for.
        NotReached = "not reached",
        /// There is nothing to compare it with.
        NoReference = "no reference",
        /// Every edge, or the residual, is within its bound.
        Converged = "converged",
        /// The limit of iterations came first.
        IterationLimit = "iteration limit",
        /// A linear system has no solution.
        Singular = "singular",
        /// A linear system was solved with too large a residual.
        Inaccurate = "inaccurate solve",
        /// The particles of an edge are at the same place.
        Coincident = "coincident particles",
        /// It came to rest.
        AtRest = "at rest",
        /// It did not come to rest.
        NotAtRest = "not at rest",
        /// Strain left its bound.
        LeftBound = "left the bound",
        /// It gained more energy than is admitted.
        EnergyBound = "energy bound",
        /// The bound of strain holds.
        Holds = "holds",
        /// It does not.
        Strain = "strain",
        /// No stiffness that was tried holds it.
        NoStiffnessHolds = "no stiffness holds",
        /// An iteration did not converge.
        NotConverged = "not converged",
        /// Newton's iteration of a step did not.
        NewtonNotConverged = "Newton did not converge",
        /// A step missed its tolerance.
        ToleranceMissed = "tolerance missed",
        /// Damage stayed.
        NotRepaired = "not repaired",
        /// What was looked for did not come.
        NotFound = "not found",
        /// It does not swing.
        NoSwing = "no swing",
        /// It does not turn.
        NoTurn = "does not turn",
        /// It ends before what is to be measured.
        TooShort = "too short",
    }
}

impl From<FilterStop> for Status {
    fn from(stop: FilterStop) -> Status {
        match stop {
            FilterStop::Converged => Status::Converged,
            FilterStop::IterationLimit => Status::IterationLimit,
            FilterStop::Singular { .. } => Status::Singular,
            FilterStop::Inaccurate => Status::Inaccurate,
            FilterStop::Coincident { .. } => Status::Coincident,
            FilterStop::NotFinite => Status::NotFinite,
            FilterStop::TooDear => Status::Budget,
        }
    }
}

/// How many of these runs are not finished, and what came of them.
pub fn left_out(statuses: impl IntoIterator<Item = Status>) -> String {
    let (mut runs, mut lost) = (0, std::collections::BTreeMap::new());
    for status in statuses {
        runs += 1;
        if status != Status::Finished {
            *lost.entry(status.name()).or_insert(0) += 1;
        }
    }
    let kinds: Vec<String> = lost.iter().map(|(status, n)| format!("{n} {status}")).collect();
    let why = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    format!("{} of {runs} runs are left out{why}", lost.values().sum::<usize>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_are_left_out_are_counted_by_what_came_of_them() {
        let statuses = [Status::Finished, Status::NotFinite, Status::GainsEnergy, Status::NotFinite, Status::Finished];
        assert_eq!(left_out(statuses), "3 of 5 runs are left out (1 gains energy, 2 not finite)");
        assert_eq!(left_out([Status::Finished; 2]), "0 of 2 runs are left out");
    }
}
