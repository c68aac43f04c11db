//! The whole comparison, and what follows from it.

use serde::Serialize;

use crate::difference::{StudyDifference, alone};
use crate::outcome::Outcome;
use crate::rows::TableDifference;
use crate::side::Side;
use crate::study::StudyResults;
use crate::summary::{self, Summary};
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

    /// What follows, what became of the rows, and of verdicts and times.
    pub fn three_lines(&self) -> [String; 3] {
        let nothing = self.studies.is_empty() && self.outcome == Outcome::Same;
        let outcome = match self.outcome {
            _ if nothing => "nothing to compare: the sides have no study in common",
            Outcome::NoRegression if self.summary.rows_left_out > 0 => "no regression in the sets of the new side, a subset",
            outcome => outcome.told(),
        };
        let asked = self.studies.iter().any(|study| study.times != Times::NotAsked);
        let times = if asked { format!("; times: {}", summary::times(&self.studies)) } else { String::new() };
        [outcome.to_owned(), self.summary.rows(), self.summary.verdicts() + &times]
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
