//! The whole comparison, and what follows from it.

use serde::Serialize;

use crate::difference::{StudyDifference, alone};
use crate::rows::TableDifference;
use crate::side::Side;
use crate::study::StudyResults;
use crate::summary::Summary;
use crate::times::{self, Times};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    pub old: Named,
    pub new: Named,
    /// Counts over all studies.
    pub summary: Summary,
    /// Studies that only the new side has.
    pub studies_added: Vec<String>,
    /// Studies that only the old side has.
    pub studies_removed: Vec<String>,
    /// Studies that both have.
    pub studies: Vec<StudyDifference>,
    pub outcome: Outcome,
    /// Why, a line each.
    pub reasons: Vec<String>,
}

/// A side as the user named it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Named {
    /// Revision or folder.
    pub name: String,
    /// The commit of a revision.
    pub commit: Option<String>,
}

/// What follows from a comparison.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing differs.
    Same,
    /// Something was added, holds better, takes less time, differs in rounding or is a smaller sample; nothing else changed.
    NoRegression,
    /// Rows really changed or are gone, a verdict got worse, or a group takes more time.
    Regression,
    /// Rows differ although the code and the ranges are the same.
    DeterminismBroken,
}

impl Outcome {
    pub fn exit_code(self) -> u8 {
        match self {
            Outcome::Same | Outcome::NoRegression => 0,
            Outcome::Regression => 3,
            Outcome::DeterminismBroken => 4,
        }
    }
}

impl Comparison {
    /// Puts studies together and says what follows.
    pub fn new(
        old: Named,
        new: Named,
        studies_added: Vec<String>,
        studies_removed: Vec<String>,
        studies: Vec<StudyDifference>,
    ) -> Comparison {
        let mut found: Vec<(Outcome, String)> = studies.iter().flat_map(StudyDifference::judge).collect();
        found.extend(studies_removed.iter().map(|study| (Outcome::Regression, format!("the study {study} is gone"))));
        found.extend(studies_added.iter().map(|study| (Outcome::NoRegression, format!("the study {study} is new"))));
        let outcome = found.iter().map(|(outcome, _)| *outcome).max().unwrap_or(Outcome::Same);
        let reasons = found.into_iter().filter(|(of, _)| *of == outcome).map(|(_, reason)| reason).collect();
        let summary = Summary::of(&studies);
        Comparison { old, new, summary, studies_added, studies_removed, studies, outcome, reasons }
    }
}

/// Compares finished results, their times too where `with_times`.
pub fn compare(old: &Side, new: &Side, with_times: bool) -> Comparison {
    let mut studies = vec![];
    for (study, before) in &old.studies {
        let Some(after) = new.studies.get(study) else { continue };
        studies.push(committed(study, before, after, with_times));
    }
    let named = |side: &Side| Named { name: side.name.clone(), commit: side.commit.clone() };
    let (added, removed) = match old.of_one_study || new.of_one_study {
        true => (vec![], vec![]),
        false => (alone(&new.studies, &old.studies), alone(&old.studies, &new.studies)),
    };
    Comparison::new(named(old), named(new), added, removed, studies)
}

/// Compares finished results of a study.
pub fn committed(study: &str, old: &StudyResults, new: &StudyResults, with_times: bool) -> StudyDifference {
    let times = |tables: &[TableDifference]| {
        let same_rows = |group: &str| tables.iter().any(|table| table.group == group && table.is_none());
        if with_times { times::committed(old, new, same_rows) } else { Times::NotAsked }
    };
    StudyDifference::new(study, old, new, times)
}
