//! Published rows put to the test: cases drawn at random are measured again.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rand::seq::SliceRandom;
use rayon::ThreadPoolBuilder;

use crate::files::read_text;
use crate::measure::group::Table;
use crate::measure::progress::Progress;
use crate::measure::run::one_case;
use crate::measure::run_error::RunError;
use crate::measure::streams::stream;
use crate::provenance::Provenance;
use crate::results::ResultsError;
use crate::study::Study;

/// A published case.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    pub study: &'a Study,
    pub group: &'a dyn Table,
    /// Base seed of its run.
    pub seed: u64,
    pub set: u64,
    /// What it takes at most \[s\]: what the slowest case of its scene took, since any of them may have to make anew what all of
    /// them share.
    pub seconds: f64,
}

/// What came of a case that was measured again.
pub struct Audited<'a> {
    pub case: Case<'a>,
    /// The first published line that differs, with what it is now; nothing where all are the same bytes.
    pub difference: Option<[String; 2]>,
}

/// All cases of finished results in a folder, with their record.
///
/// # Errors
/// Groups or times that are not there.
pub fn cases<'a>(study: &'a Study, folder: &Path, run: &Provenance) -> Result<Vec<Case<'a>>, ResultsError> {
    let results = study.results(folder);
    let (mut cases, mut of_scene) = (vec![], BTreeMap::<_, f64>::new());
    for count in &run.groups {
        let known = study.groups.iter().map(AsRef::as_ref).find(|group| group.name() == count.group);
        let group = known.ok_or_else(|| ResultsError::Missing { group: count.group.clone(), folder: folder.into() })?;
        for time in results.all_times(&count.group)? {
            let slowest = of_scene.entry((group.scenes(), group.scene(time.set))).or_default();
            *slowest = slowest.max(time.seconds);
        }
        cases.extend((0..count.cases as u64).map(|set| Case { study, group, seed: run.identity.seed, set, seconds: 0.0 }));
    }
    for case in &mut cases {
        case.seconds = of_scene.get(&(case.group.scenes(), case.group.scene(case.set))).copied().unwrap_or_default();
    }
    Ok(cases)
}

/// At most `number` of the cases, all equally likely, those that take longest first.
pub fn draw(mut cases: Vec<Case>, number: usize, seed: u64) -> Vec<Case> {
    let (drawn, _) = cases.partial_shuffle(&mut stream("audit", "cases", seed, 0), number);
    let mut drawn = drawn.to_vec();
    drawn.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    drawn
}

/// Measures cases again, on so many threads, and compares them with the tables of their studies in `folder`.
///
/// # Errors
/// The first that cannot be measured, or a table that cannot be read.
pub fn audit<'a>(cases: &[Case<'a>], folder: &Path, jobs: usize) -> Result<Vec<Audited<'a>>, RunError> {
    let mut tables: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for case in cases {
        let (study, group) = (case.study.name, case.group.name());
        if let Entry::Vacant(place) = tables.entry((study, group)) {
            let text = read_text(&folder.join(study).join(case.study.file_of(group)))?;
            place.insert(text.lines().skip(1).map(str::to_owned).collect());
        }
    }
    let progress = Progress::new("audit", "cases", cases.len() as u64);
    let (next, audited) = (AtomicUsize::new(0), Mutex::new(vec![]));
    let worker = || {
        while let Some(&case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let prefix = format!("{},", case.set);
            let lines = tables.get(&(case.study.name, case.group.name())).map(Vec::as_slice).unwrap_or_default();
            let published: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.starts_with(&prefix)).collect();
            let measured = one_case(case.study, case.group, case.seed, case.set);
            let outcome = measured.map(|now| Audited { case, difference: difference(&published, &now) });
            progress.advance();
            audited.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
        }
    };
    ThreadPoolBuilder::new().num_threads(jobs).build()?.scope(|scope| (0..jobs).for_each(|_| scope.spawn(|_| worker())));
    progress.finish();
    audited.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
}

/// The first line that differs; a line that only one side has stands beside an empty one.
fn difference(published: &[&str], now: &[String]) -> Option<[String; 2]> {
    let line = |lines: Option<&str>| lines.unwrap_or_default().to_owned();
    let pairs = (0..published.len().max(now.len())).map(|k| [published.get(k).copied(), now.get(k).map(String::as_str)]);
    pairs.into_iter().find(|[a, b]| a != b).map(|pair| pair.map(line))
}

/// The largest share of wrong cases of which an audit of `number` cases would have found none with a probability of at least
/// `doubt`: (1 - p)^K = doubt.
pub fn largest_share(number: usize, doubt: f64) -> f64 {
    1.0 - libm::pow(doubt, 1.0 / number as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_told() {
        let now = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        assert_eq!(difference(&["1,2", "1,3"], &now(&["1,2", "1,3"])), None);
        assert_eq!(difference(&["1,2", "1,3"], &now(&["1,2", "1,4"])), Some(["1,3".into(), "1,4".into()]));
        assert_eq!(difference(&["1,2"], &now(&[])), Some(["1,2".into(), String::new()]));
        assert_eq!(difference(&[], &now(&["1,2"])), Some([String::new(), "1,2".into()]));
    }

    #[test]
    fn the_bound_is_the_share_that_escapes_with_the_doubt() {
        let share = largest_share(200, 0.05);
        assert!((libm::pow(1.0 - share, 200.0) - 0.05).abs() < 1e-12 && (share - 0.014867).abs() < 1e-6, "{share}");
    }
}
