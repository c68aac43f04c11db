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

/// Likeness of the rows of a group to the published ones of the same sets.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::measure::run::Request;
    use crate::measure::streams::ChaCha8Rng;
    use crate::measure::work::measure;
    use crate::study::ShortSize;
    use crate::tables::{table_csv, timings_csv};
    use crate::{Group, table};

    /// Numbers, of which one is another where it is said.
    struct Numbers {
        other: Option<u64>,
    }

    crate::row! {
        /// A number.
        struct Number {
            /// of the set
            number: u64,
        }
    }

    impl Group for Numbers {
        const NAME: &'static str = "numbers";
        const ABOUT: &'static str = "numbers";
        type Case = u64;
        type Row = Number;

        fn sets(&self) -> u64 {
            5
        }

        fn repeats(&self) -> u32 {
            2
        }

        fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> u64 {
            set
        }

        fn measure(&self, &number: &u64) -> Vec<Number> {
            vec![Number { number: if self.other == Some(number) { 100 } else { number } }]
        }
    }

    fn identity() -> Identity {
        Identity { study: "study".into(), seed: 1, ranges: "r".into(), code: "c".into() }
    }

    fn study(other: Option<u64>, short: &[(&str, u64)]) -> Study {
        let sets = short.iter().map(|(group, sets)| ((*group).to_owned(), *sets)).collect();
        let short = ShortSize { sets, ..ShortSize::default() };
        Study { short, ..Study::of(vec![table(Numbers { other })], "r".into()) }
    }

    /// A folder with the table and the times of five numbers.
    fn published() -> (tempfile::TempDir, Provenance) {
        let (folder, study, identity) = (tempfile::tempdir().unwrap(), study(None, &[]), identity());
        let parts = folder.path().join("parts");
        let measured = measure(&study, &Request { times: true, ..Request::all(&identity, &parts, 1) }).unwrap();
        fs::write(folder.path().join("cases.csv"), table_csv(study.groups[0].as_ref(), &measured[0])).unwrap();
        fs::write(folder.path().join("timings.csv"), timings_csv(&measured)).unwrap();
        let groups = vec![crate::provenance::GroupCount { group: "numbers".into(), cases: 5, rows: 5, resumed: 0 }];
        (folder, Provenance { identity, groups, ..Provenance::default() })
    }

    #[test]
    fn the_short_size_is_the_first_rows_and_takes_their_times_over() {
        let (folder, _) = published();
        let (study, identity, parts) = (study(Some(1), &[("numbers", 3)]), identity(), tempfile::tempdir().unwrap());
        let request = Request { short: true, ..Request::all(&identity, parts.path(), 2) };
        let mut measured = measure(&study, &request).unwrap();
        let likeness = &compare(&study, &measured, folder.path()).unwrap()[0];
        assert_eq!((measured[0].case_count(), likeness.equal, likeness.differing.as_slice()), (3, 2, &[1][..]));
        assert!(take_over_times(&study, &mut measured, folder.path()).unwrap());
        let timed: Vec<usize> = measured[0].cases.values().map(|case| case.alone.len()).collect();
        assert_eq!(timed, [2, 0, 2], "no times of another row");
        // whoever has times of its own keeps them
        assert!(!take_over_times(&study, &mut measured, folder.path()).unwrap());
    }

    #[test]
    fn a_group_that_is_left_out_is_not_measured() {
        let (study, identity, parts) = (study(None, &[("numbers", 0)]), identity(), tempfile::tempdir().unwrap());
        let request = Request { short: true, ..Request::all(&identity, parts.path(), 2) };
        assert!(measure(&study, &request).unwrap().is_empty());
    }

    #[test]
    fn rows_of_a_finished_run_are_gone_on_from() {
        let (folder, run) = published();
        let (study, identity, parts) = (study(None, &[]), identity(), tempfile::tempdir().unwrap());
        adopt(&study, &run, &identity, folder.path(), parts.path()).unwrap();
        let measured = measure(&study, &Request { times: true, ..Request::all(&identity, parts.path(), 1) }).unwrap();
        assert_eq!((measured[0].resumed, measured[0].row_count()), (5, 5));
        assert!(measured[0].cases.values().all(|case| case.alone.len() == 2));
    }
}
