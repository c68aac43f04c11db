//! Times of cases, each measured alone on the machine and in turn with the others, so that whatever slows the machine down for a
//! while falls on all of them.

use std::time::Instant;

use crate::Table;
use crate::parts::{Finished, Parts};
use crate::progress::Progress;
use crate::run::{Request, RunError};
use crate::study::Study;

/// Measures the sets of a group as often as it asks for, one after the other, and keeps the times with the finished cases. Times
/// that are all there are kept; otherwise all are taken anew, since only those of one run stand side by side.
///
/// # Errors
/// A row that cannot stand in a table, or is not what it was; a part file that cannot be written.
pub(crate) fn measure_alone(
    study: &Study,
    group: &dyn Table,
    request: &Request,
    sets: u64,
    parts: &mut Parts,
) -> Result<(), RunError> {
    let repeats = group.repeats() as usize;
    if parts.finished.range(..sets).all(|(_, case)| case.alone.len() == repeats) {
        return Ok(());
    }
    let what = format!("{}, times of {}", study.name, group.name());
    let progress = (!request.quiet).then(|| Progress::new(&what, "cases", repeats as u64 * sets));
    let mut alone = vec![Vec::with_capacity(repeats); sets as usize];
    for _ in 0..repeats {
        for set in 0..sets {
            let mut rows = vec![];
            let start = Instant::now();
            group.measure(study.name, request.identity.seed, &[set], &mut |_, lines| rows = lines)?;
            alone[set as usize].push(start.elapsed().as_secs_f64());
            if parts.finished.get(&set).is_none_or(|case| case.rows != rows) {
                return Err(RunError::NotRepeatable { group: group.name(), set });
            }
            if let Some(progress) = &progress {
                progress.advance();
            }
        }
    }
    for (set, alone) in (0..).zip(alone) {
        if let Some(case) = parts.finished.remove(&set) {
            let timed = Finished { alone, ..case };
            parts.append(&timed)?;
            parts.finished.insert(set, timed);
        }
    }
    if let Some(progress) = &progress {
        progress.finish();
    }
    Ok(())
}
