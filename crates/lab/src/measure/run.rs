//! Measuring the cases of a study: in parallel, resumed where an earlier run stopped.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Write, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rayon::ThreadPoolBuilder;

use crate::files::{FileError, make_folder, sweep};
use crate::measure::group::Table;
use crate::measure::identity::Identity;
pub use crate::measure::parts::Measured;
use crate::measure::parts::{self, Finished, Parts};
use crate::measure::progress::Progress;
pub use crate::measure::run_error::RunError;
use crate::measure::times;
use crate::provenance::GroupCount;
use crate::study::Study;

/// What is to be measured, and where finished cases are kept.
pub struct Request<'a> {
    /// Everything that rows depend on.
    pub identity: &'a Identity,
    /// Sets of the sampled groups, instead of the profile's.
    pub sets: Option<u64>,
    /// One group instead of all.
    pub only: Option<&'a str>,
    pub jobs: usize,
    /// Folder of part files.
    pub parts: &'a Path,
    /// Forget the cases that are there, of the groups that are asked for.
    pub fresh: bool,
    /// Whether cases of groups that ask for it are measured once more, alone, for their times.
    pub times: bool,
    /// Whether progress is shown.
    pub quiet: bool,
}

/// The groups of a study that a request asks for.
///
/// # Errors
/// [`RunError::UnknownGroup`].
pub fn groups<'a>(study: &'a Study, only: Option<&str>) -> Result<Vec<&'a dyn Table>, RunError> {
    let all = || study.groups.iter().map(AsRef::as_ref);
    let Some(wanted) = only else { return Ok(all().collect()) };
    match all().find(|group| group.name() == wanted) {
        Some(group) => Ok(vec![group]),
        None => Err(RunError::UnknownGroup {
            study: study.name.into(),
            group: wanted.into(),
            known: all().map(|group| group.name()).collect::<Vec<_>>().join(", "),
        }),
    }
}

/// Number of sets of a group: `wanted` for the main group; for another sampled one the profile's, if that is less; a group
/// that is no sample keeps its own.
pub fn set_count(study: &Study, group: &dyn Table, wanted: Option<u64>) -> u64 {
    let main = study.groups.first().is_some_and(|main| main.name() == group.name());
    match wanted {
        Some(wanted) if group.sampled() && main => wanted,
        Some(wanted) if group.sampled() => wanted.min(group.sets()),
        _ => group.sets(),
    }
}

/// Holds a folder against other runs until it is dropped.
pub struct Hold {
    _lock: File,
    folder: PathBuf,
    made: bool,
}

impl Hold {
    /// Lets go of a folder that nothing was written to: one that was made for it goes too.
    pub fn withdraw(self) {
        if self.made {
            // a folder that holds something else stays, and is in nobody's way
            _ = fs::remove_file(self.folder.join(LOCK)).and_then(|()| fs::remove_dir(&self.folder));
        }
    }
}

const LOCK: &str = ".lock";

/// Makes a folder and holds it.
///
/// # Errors
/// [`RunError::Busy`], or a folder that cannot be made.
pub fn hold(folder: &Path) -> Result<Hold, RunError> {
    let made = !folder.exists();
    make_folder(folder)?;
    let path = folder.join(LOCK);
    // a file of that name may be somebody's, and what it holds stays
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    let lock = lock.map_err(|source| FileError::write(&path, source))?;
    match lock.try_lock() {
        Ok(()) => Ok(Hold { _lock: lock, folder: folder.into(), made }),
        Err(TryLockError::WouldBlock) => Err(RunError::Busy { path: folder.into() }),
        Err(TryLockError::Error(source)) => Err(FileError::write(&path, source).into()),
    }
}

/// Rows of one set, as lines of CSV, without touching a file.
///
/// # Errors
/// A set that the group does not have, or does not report; a row that cannot stand in a table.
pub fn one_case(study: &Study, group: &dyn Table, seed: u64, set: u64) -> Result<Vec<String>, RunError> {
    if !group.sampled() && set >= group.sets() {
        return Err(RunError::UnknownSet { group: group.name(), set, last: group.sets().saturating_sub(1) });
    }
    let mut rows = None;
    group.measure(study.name, seed, &[set], &mut |_, lines| rows = Some(lines))?;
    rows.ok_or(RunError::Unreported { group: group.name(), set })
}

/// Refuses part files that a request would mix with others, or forget though they are not its own.
fn check(study: &Study, request: &Request) -> Result<(), RunError> {
    let asked = groups(study, request.only)?;
    let forgotten: Vec<&str> = asked.iter().filter(|_| request.fresh).map(|group| group.name()).collect();
    parts::check_owners(request.parts, request.identity, &forgotten, request.fresh && request.only.is_none())
}

/// Measures what a request asks for, each finished case kept at once in its group's part file.
///
/// # Errors
/// The first that occurs; finished cases stay in the part files, and the next run goes on from them.
pub fn measure(study: &Study, request: &Request) -> Result<Vec<Measured>, RunError> {
    let groups = groups(study, request.only)?;
    sweep(request.parts)?;
    check(study, request)?;
    if request.fresh {
        parts::remove(request.parts, groups.iter().map(|group| group.name()))?;
    }
    let mut open = vec![];
    let mut queue = vec![];
    let mut pending_cases = 0;
    for (index, group) in groups.iter().enumerate() {
        let path = parts::file_of(request.parts, group.name());
        let parts = Parts::open(&path, group.name(), request.identity)?;
        let sets = 0..set_count(study, *group, request.sets);
        let pending: Vec<u64> = sets.clone().filter(|set| !parts.finished.contains_key(set)).collect();
        pending_cases += pending.len();
        let blocks = group.blocks(study.name, request.identity.seed, &pending);
        queue.extend(blocks.into_iter().enumerate().map(|(place, block)| (place, index, block)));
        if parts.torn && !request.quiet {
            // a message that nobody can read is no reason to stop
            _ = writeln!(
                stderr(),
                "{}: the last line was torn; its case is measured again",
                crate::terminal::printable(&path.display().to_string())
            );
        }
        open.push(Open { resumed: sets.end as usize - pending.len(), sets: sets.end, parts: Mutex::new(parts) });
    }
    queue.sort_by_key(|(place, index, _)| (*place, *index)); // the heavy blocks of all groups first, so that no thread is left with one
    let queue = queue.into_iter().map(|(_, index, block)| (index, block)).collect();
    let progress = if request.quiet { Progress::silent() } else { Progress::new(study.name, "cases", pending_cases as u64) };
    let work =
        Work { study, request, groups: &groups, open: &open, queue: Mutex::new(queue), failed: Mutex::new(None), progress };
    let pool = ThreadPoolBuilder::new().num_threads(request.jobs).build()?;
    pool.scope(|scope| {
        for _ in 0..request.jobs {
            scope.spawn(|_| work.worker());
        }
    });
    work.progress.finish();
    if let Some(error) = work.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    if request.times {
        for (group, open) in groups.iter().zip(&mut open) {
            let parts = open.parts.get_mut().unwrap_or_else(PoisonError::into_inner);
            times::measure_alone(study.name, request.identity.seed, *group, open.sets, parts, request.quiet)?;
        }
    }
    let measured = groups.iter().zip(open).map(|(group, open)| {
        let mut cases = open.parts.into_inner().unwrap_or_else(PoisonError::into_inner).finished;
        cases.retain(|set, _| *set < open.sets);
        Measured { group: group.name(), cases, resumed: open.resumed }
    });
    Ok(measured.collect())
}

/// Tables of a finished folder that a request for one group leaves as they are: the groups and numbers of cases in `former`,
/// from the part files of the folder, which stay as they are. It comes before [`measure`], so that nothing is measured in vain.
///
/// # Errors
/// A part file that is gone, damaged, incomplete or of another identity.
pub fn kept(study: &Study, request: &Request, former: &[GroupCount]) -> Result<Vec<Measured>, RunError> {
    let mut tables = vec![];
    if former.is_empty() {
        return Ok(tables);
    }
    check(study, request)?;
    for count in former.iter().filter(|count| request.only.is_some_and(|only| only != count.group)) {
        let group = groups(study, Some(&count.group))?[0].name();
        let path = parts::file_of(request.parts, group);
        let mut cases = if path.exists() { parts::read(&path, group)?.finished } else { BTreeMap::new() };
        cases.retain(|set, _| *set < count.cases as u64);
        if cases.len() != count.cases {
            return Err(RunError::Incomplete { path, group, held: cases.len(), cases: count.cases });
        }
        tables.push(Measured { group, cases, resumed: count.cases });
    }
    Ok(tables)
}

/// A group under way.
struct Open {
    resumed: usize,
    sets: u64,
    parts: Mutex<Parts>,
}

/// What the threads share.
struct Work<'a> {
    study: &'a Study,
    request: &'a Request<'a>,
    groups: &'a [&'a dyn Table],
    open: &'a [Open],
    queue: Mutex<VecDeque<(usize, Vec<u64>)>>,
    failed: Mutex<Option<RunError>>,
    progress: Progress,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Work<'_> {
    /// Takes blocks until there are none left or something has failed.
    fn worker(&self) {
        loop {
            let block = locked(&self.queue).pop_front();
            let Some((group, sets)) = block else { return };
            if let Err(error) = self.block(group, &sets) {
                locked(&self.queue).clear();
                locked(&self.failed).get_or_insert(error);
            }
        }
    }

    fn block(&self, index: usize, sets: &[u64]) -> Result<(), RunError> {
        let group = self.groups[index];
        let mut last = Instant::now();
        let mut kept = Ok(());
        let mut unreported = BTreeSet::from_iter(sets);
        let mut done = |set, rows| {
            unreported.remove(&set);
            let seconds = last.elapsed().as_secs_f64();
            last = Instant::now();
            if kept.is_ok() {
                kept = self.keep(index, Finished { set, seconds, rows, alone: vec![] });
            }
        };
        let seed = self.request.identity.seed;
        self.progress.begin(group.name());
        let measured = catch_unwind(AssertUnwindSafe(|| group.measure(self.study.name, seed, sets, &mut done)));
        self.progress.end(group.name());
        measured.map_err(|_| RunError::Panicked { group: group.name(), sets: sets.to_vec() })??;
        kept?;
        match unreported.first() {
            Some(&&set) => Err(RunError::Unreported { group: group.name(), set }),
            None => Ok(()),
        }
    }

    fn keep(&self, index: usize, finished: Finished) -> Result<(), FileError> {
        let mut parts = locked(&self.open[index].parts);
        parts.append(&finished)?;
        parts.finished.insert(finished.set, finished);
        self.progress.advance();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::streams::ChaCha8Rng;
    use crate::{Group, table};

    /// Four cases: no row for the first, one for each of the others, but nothing at all for set 2 where it forgets.
    struct Cases {
        forgets: bool,
    }

    crate::row! {
        /// A number.
        struct Row {
            /// the set
            number: u64,
        }
    }

    impl Group for Cases {
        const NAME: &'static str = "numbers";
        const ABOUT: &'static str = "numbers";
        const BLOCK: usize = 4;
        const SAMPLED: bool = false;
        type Case = u64;
        type Row = Row;

        fn sets(&self) -> u64 {
            4
        }

        fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> u64 {
            set
        }

        fn measure(&self, &number: &u64) -> Vec<Row> {
            if number == 0 { vec![] } else { vec![Row { number }] }
        }

        fn measure_block(&self, cases: &[u64], done: &mut dyn FnMut(usize, Vec<Row>)) {
            let reported = cases.iter().enumerate().filter(|(_, number)| !self.forgets || **number != 2);
            reported.for_each(|(k, number)| done(k, self.measure(number)));
        }
    }

    fn study(forgets: bool) -> Study {
        Study::of_groups(vec![table(Cases { forgets })])
    }

    #[test]
    fn a_set_that_is_not_reported_is_an_error_and_the_others_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let identity = Identity { study: "study".into(), seed: 1, ranges: "r".into(), code: "c".into() };
        let (sets, only, jobs, parts, fresh, times, quiet) = (None, None, 1, folder.path(), false, true, true);
        let request = Request { identity: &identity, sets, only, jobs, parts, fresh, times, quiet };
        let refused = measure(&study(true), &request).err().unwrap().to_string();
        assert_eq!(refused, "group numbers, set 2: its measurement came to no report");
        let alone = one_case(&study(true), study(true).groups[0].as_ref(), 1, 2).unwrap_err();
        assert!(matches!(alone, RunError::Unreported { set: 2, .. }), "{alone}");
        let measured = measure(&study(false), &request).unwrap();
        assert_eq!((measured[0].case_count(), measured[0].row_count(), measured[0].resumed), (4, 3, 3));
    }

    #[test]
    fn a_lock_of_somebody_else_keeps_what_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LOCK), "mine").unwrap();
        drop(hold(folder.path()).unwrap());
        assert_eq!(fs::read_to_string(folder.path().join(LOCK)).unwrap(), "mine");
    }
}
