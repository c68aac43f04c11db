//! Rows of a published run held against those of another, and times taken over for what is the same.

use std::collections::BTreeMap;
use std::path::Path;

use crate::files::read_text;
use crate::measure::identity::Identity;
use crate::measure::parts::{self, Finished, Measured};
use crate::measure::run::groups;
use crate::measure::run_error::RunError;
use crate::provenance::Provenance;
use crate::results::ResultsError;
use crate::study::Study;

/// How rows of a group compare with the published ones of the same sets.
pub struct Likeness {
    pub group: &'static str,
    /// Rows that are the same bytes.
    pub equal: usize,
    /// Sets that have other rows, or none that are published.
    pub differing: Vec<u64>,
}

/// Rows of a published group by their set, as lines of CSV.
fn rows(study: &Study, group: &str, folder: &Path) -> Result<BTreeMap<u64, Vec<String>>, RunError> {
    let mut rows: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for line in read_text(&folder.join(study.file_of(group)))?.lines().skip(1) {
        if let Some(set) = line.split(',').next().and_then(|set| set.parse().ok()) {
            rows.entry(set).or_default().push(line.to_owned());
        }
    }
    Ok(rows)
}

/// Holds measured rows against those published in `folder`.
///
/// # Errors
/// A table that cannot be read.
pub fn compare(study: &Study, measured: &[Measured], folder: &Path) -> Result<Vec<Likeness>, RunError> {
    let of_group = |group: &Measured| {
        let published = rows(study, group.group, folder)?;
        let (mut equal, mut differing) = (0, vec![]);
        for (set, case) in &group.cases {
            if published.get(set).map_or(&[][..], Vec::as_slice) == case.rows {
                equal += case.rows.len();
            } else {
                differing.push(*set);
            }
        }
        Ok(Likeness { group: group.group, equal, differing })
    };
    measured.iter().map(of_group).collect()
}

/// Takes over the times published in `folder` for cases that were measured without any and have the same rows; returns whether
/// there were any.
///
/// # Errors
/// A table that cannot be read.
pub fn take_over_times(study: &Study, measured: &mut [Measured], folder: &Path) -> Result<bool, RunError> {
    let results = study.results(folder);
    let mut any = false;
    for group in measured.iter_mut().filter(|group| group.cases.values().all(|case| case.alone.is_empty())) {
        let times = match results.times(group.group) {
            Ok(times) => times,
            Err(ResultsError::Missing { .. }) => continue,
            Err(error) => return Err(error.into()),
        };
        let published = rows(study, group.group, folder)?;
        for time in times {
            let same =
                group.cases.get_mut(&time.set).filter(|case| published.get(&case.set).is_some_and(|rows| *rows == case.rows));
            if let Some(case) = same {
                case.alone.push(time.seconds);
                any = true;
            }
        }
    }
    Ok(any)
}

/// Puts the cases of a finished run into part files, where there are none, so that a run of the same identity goes on from them.
///
/// # Errors
/// A table that cannot be read, or a file that cannot be written.
pub fn adopt(study: &Study, run: &Provenance, identity: &Identity, folder: &Path, into: &Path) -> Result<(), RunError> {
    let results = study.results(folder);
    for count in &run.groups {
        let group = groups(study, Some(&count.group))?[0].name();
        let path = parts::file_of(into, group);
        if path.exists() {
            continue;
        }
        let seconds: BTreeMap<u64, f64> =
            results.all_times(group)?.iter().filter(|time| time.repeat == 0).map(|time| (time.set, time.seconds)).collect();
        let mut rows = rows(study, group, folder)?;
        let case = |set| {
            let seconds = seconds.get(&set).copied().unwrap_or_default();
            (set, Finished { set, seconds, rows: rows.remove(&set).unwrap_or_default(), alone: vec![] })
        };
        let cases = (0..count.cases as u64).map(case).collect();
        parts::write(&path, &Measured { group, cases, resumed: 0 }, identity)?;
    }
    Ok(())
}
