//! From one entry of a history to the next one.

use serde::Serialize;

use crate::comparison::{Comparison, compare};
use crate::outcome::Outcome;
use crate::side::Side;
use crate::times::{StudyTime, study_time};
use crate::work::Work;

#[derive(Clone, Debug, Serialize)]
pub struct Step {
    pub comparison: Comparison,
    /// Work that changed, the largest change first.
    pub work: Vec<WorkOfTable>,
    /// Times of studies that were measured anew on the same machine.
    pub times: Vec<StudyTime>,
}

/// Work that changed in a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkOfTable {
    pub study: String,
    pub file: String,
    #[serde(flatten)]
    pub work: Work,
}

impl Step {
    pub fn of(old: &Side, new: &Side) -> Step {
        let comparison = compare(old, new, false);
        let mut work: Vec<WorkOfTable> = vec![];
        for study in &comparison.studies {
            for table in &study.tables {
                let of_table =
                    |work: &Work| WorkOfTable { study: study.study.clone(), file: table.file.clone(), work: work.clone() };
                work.extend(table.work.iter().map(of_table));
            }
        }
        work.sort_by(|a, b| size(&b.work).total_cmp(&size(&a.work)));
        let times = old.studies.iter().filter_map(|(study, before)| study_time(study, before, new.studies.get(study)?));
        Step { work, times: times.collect(), comparison }
    }

    pub fn breaks_determinism(&self) -> bool {
        self.comparison.outcome == Outcome::DeterminismBroken
    }

    /// New over old of all times of studies that were measured anew on the same machine.
    pub fn time_ratio(&self) -> Option<f64> {
        let sum = |of: fn(&StudyTime) -> f64| self.times.iter().map(of).sum::<f64>();
        (!self.times.is_empty()).then(|| sum(|time| time.new) / sum(|time| time.old))
    }
}

/// How far a ratio is from 1, in either direction.
fn size(work: &Work) -> f64 {
    libm::log(work.ratio()).abs()
}
