//! Times of cases, each measured alone on the machine and in turn with the others, so that whatever slows the machine down for a
//! while falls on all of them.

use std::time::Instant;

use crate::measure::group::Table;
use crate::measure::parts::{Finished, Parts};
use crate::measure::progress::Progress;
use crate::measure::run_error::RunError;

/// Measures the sets of a group as often as it asks for, one after the other, each once at least, and keeps the times with the
/// finished cases. Times that are all there are kept; otherwise all are taken anew, since only those of one run stand side by side.
///
/// # Errors
/// A row that cannot stand in a table, or is not what it was; a part file that cannot be written.
pub(crate) fn measure_alone(
    study: &str,
    seed: u64,
    group: &dyn Table,
    sets: u64,
    parts: &mut Parts,
    quiet: bool,
) -> Result<(), RunError> {
    let repeats = group.repeats() as usize;
    if repeats == 0 {
        return Ok(());
    }
    let measured: Vec<_> = parts.finished.range(..sets).map(|(set, case)| (*set, case.seconds, case.rows.as_slice())).collect();
    let worth = group.worth_timing(&measured)?;
    if worth.iter().all(|set| parts.finished.get(set).is_none_or(|case| !case.alone.is_empty())) {
        return Ok(());
    }
    let what = format!("{study}, times of {}", group.name());
    let progress = if quiet { Progress::silent() } else { Progress::new(&what, "cases", (repeats * worth.len()) as u64) };
    let mut alone: Vec<Vec<f64>> = vec![Vec::with_capacity(repeats); worth.len()];
    for _ in 0..repeats {
        for (&set, alone) in worth.iter().zip(&mut alone) {
            if alone.iter().sum::<f64>() <= group.enough() {
                let known = parts.finished.get(&set).map(|case| case.rows.as_slice()).unwrap_or_default();
                let start = Instant::now();
                let rows = group.repeat(study, seed, set, known)?;
                alone.push(start.elapsed().as_secs_f64());
                if rows != known {
                    return Err(RunError::NotRepeatable { group: group.name(), set });
                }
            }
            progress.advance();
        }
    }
    for (set, alone) in worth.into_iter().zip(alone) {
        if let Some(case) = parts.finished.remove(&set) {
            let timed = Finished { alone, ..case };
            parts.append(&timed)?;
            parts.finished.insert(set, timed);
        }
    }
    progress.finish();
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::measure::identity::Identity;
    use crate::measure::run::{Measured, Request};
    use crate::measure::streams::ChaCha8Rng;
    use crate::measure::work::measure;
    use crate::results::Results;
    use crate::study::Study;
    use crate::tables::timings_csv;
    use crate::{Group, table};

    /// Two scenes by two methods; a method that counts its calls is not repeatable.
    struct Methods {
        counts: bool,
        enough: f64,
        calls: AtomicU64,
    }

    crate::row! {
        /// A scene by a method.
        struct Row {
            /// drawn
            scene: u64,
            /// so far
            calls: u64,
        }
    }

    impl Group for Methods {
        const NAME: &'static str = "methods";
        const ABOUT: &'static str = "two scenes by two methods";
        const SAMPLED: bool = false;
        type Case = u64;
        type Row = Row;

        fn sets(&self) -> u64 {
            4
        }

        fn repeats(&self) -> u32 {
            3
        }

        fn enough(&self) -> f64 {
            self.enough
        }

        fn scene(&self, set: u64) -> u64 {
            set / 2
        }

        fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> u64 {
            crate::measure::streams::pick(stream, &(0..1_000_000).collect::<Vec<_>>())
        }

        fn measure(&self, &scene: &u64) -> Vec<Row> {
            let calls = if self.counts { self.calls.fetch_add(1, Ordering::Relaxed) } else { 0 };
            vec![Row { scene, calls }]
        }
    }

    fn study(counts: bool, enough: f64) -> Study {
        Study::of_groups(vec![table(Methods { counts, enough, calls: AtomicU64::new(0) })])
    }

    fn measured(counts: bool, enough: f64, folder: &std::path::Path) -> Result<Vec<Measured>, RunError> {
        let identity = Identity { study: "study".into(), seed: 1, ranges: "r".into(), code: "c".into() };
        measure(&study(counts, enough), &Request { times: true, ..Request::all(&identity, folder, 2) })
    }

    #[test]
    fn times_are_taken_once_and_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let first = timings_csv(&measured(false, f64::INFINITY, folder.path()).unwrap());
        assert_eq!(
            timings_csv(&measured(false, f64::INFINITY, folder.path()).unwrap()),
            first,
            "a finished group is not timed again"
        );
        std::fs::write(folder.path().join("timings.csv"), first).unwrap();
        let times = Results::new(folder.path(), "methods").times("methods").unwrap();
        let places: Vec<(u64, u32)> = times.iter().map(|time| (time.set, time.repeat)).collect();
        assert_eq!(places, (0..4).flat_map(|set| (1..=3).map(move |repeat| (set, repeat))).collect::<Vec<_>>());
        assert!(Results::new(folder.path(), "methods").times("others").is_err());
    }

    #[test]
    fn sets_that_take_long_are_timed_once() {
        let folder = tempfile::tempdir().unwrap();
        let measured = measured(false, 0.0, folder.path()).unwrap();
        assert!(measured[0].cases.values().all(|case| case.alone.len() == 1));
    }

    #[test]
    fn methods_that_are_compared_share_their_scene() {
        let folder = tempfile::tempdir().unwrap();
        let measured = measured(false, f64::INFINITY, folder.path()).unwrap();
        let scenes: Vec<&str> = measured[0].cases.values().map(|case| case.rows[0].split(',').nth(1).unwrap()).collect();
        assert!(scenes[0] == scenes[1] && scenes[2] == scenes[3] && scenes[0] != scenes[2], "{scenes:?}");
    }

    #[test]
    fn rows_that_differ_when_they_are_measured_again_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = measured(true, f64::INFINITY, folder.path()).err().unwrap().to_string();
        assert_eq!(refused, "group methods, set 0: measured again, its rows are others");
    }
}
