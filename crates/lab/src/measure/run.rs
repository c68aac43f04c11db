//! What of a study is to be measured, and where: groups, sets, folders.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use crate::files::{FileError, make_folder};
use crate::measure::group::Table;
use crate::measure::identity::Identity;
use crate::measure::parts;
pub use crate::measure::parts::Measured;
pub use crate::measure::run_error::RunError;
use crate::measure::share::Share;
use crate::provenance::GroupCount;
use crate::study::Study;

/// What is to be measured, and where finished cases are kept.
pub struct Request<'a> {
    /// Everything that rows depend on.
    pub identity: &'a Identity,
    /// Sets of the sampled groups, instead of the profile's.
    pub sets: Option<u64>,
    /// The short size, instead of that of the profile.
    pub short: bool,
    /// One group instead of all.
    pub only: Option<&'a str>,
    /// Groups that are passed over, though they are asked for.
    pub without: &'a [&'a str],
    /// A share of the cases of these groups, instead of all.
    pub share: Option<Share>,
    pub jobs: usize,
    /// Folder of part files.
    pub parts: &'a Path,
    /// Forget the cases that are there, of the groups that are asked for.
    pub fresh: bool,
    /// Whether cases of groups that ask for it are measured once more, alone, for their times.
    pub times: bool,
    /// Finished results, by whose times cases come in the order in which they do, longest first.
    pub known: Option<&'a Path>,
    /// Whether progress is shown.
    pub quiet: bool,
}

impl<'a> Request<'a> {
    /// All cases of all groups, on so many threads, without times and quietly.
    pub fn all(identity: &'a Identity, parts: &'a Path, jobs: usize) -> Request<'a> {
        Request {
            identity,
            sets: None,
            short: false,
            only: None,
            without: &[],
            share: None,
            jobs,
            parts,
            fresh: false,
            times: false,
            known: None,
            quiet: true,
        }
    }
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

/// The groups of a study that a request has measured.
///
/// # Errors
/// [`RunError::UnknownGroup`].
pub(crate) fn asked<'a>(study: &'a Study, request: &Request) -> Result<Vec<&'a dyn Table>, RunError> {
    let mut asked = groups(study, request.only)?;
    asked.retain(|group| !request.without.contains(&group.name()));
    Ok(asked)
}

/// Number of sets of a group among those `asked` for: `wanted` for the first of them, the main one; for another sampled one the
/// same share of the profile's, rounded up, and at most as many; a group that is no sample keeps its own.
pub fn set_count(asked: &[&dyn Table], group: &dyn Table, wanted: Option<u64>) -> u64 {
    let (Some(wanted), true) = (wanted, group.sampled()) else { return group.sets() };
    match asked.first() {
        Some(main) if main.name() == group.name() => wanted,
        Some(main) if main.sampled() => (group.sets() * wanted).div_ceil(main.sets().max(1)).min(group.sets()).min(wanted),
        _ => wanted.min(group.sets()),
    }
}

/// The groups of a study that a request has measured, with the number of sets of each.
///
/// # Errors
/// [`RunError::UnknownGroup`].
pub(crate) fn sizes<'a>(study: &'a Study, request: &Request) -> Result<Vec<(&'a dyn Table, u64)>, RunError> {
    let asked = asked(study, request)?;
    let sized = asked.iter().map(|group| {
        let sets = set_count(&asked, *group, request.sets);
        (*group, if request.short { study.short.of(group.name(), sets) } else { sets })
    });
    // a group that a short reproduction leaves out has no table
    Ok(sized.filter(|(group, sets)| *sets > 0 || group.sets() == 0).collect())
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
    taken(folder, None)
}

/// The same, after whoever holds it now; `waits` says so.
///
/// # Errors
/// A folder that cannot be made.
pub fn hold_in_turn(folder: &Path, mut waits: impl FnMut()) -> Result<Hold, RunError> {
    taken(folder, Some(&mut waits))
}

fn taken(folder: &Path, waits: Option<&mut dyn FnMut()>) -> Result<Hold, RunError> {
    let made = !folder.exists();
    make_folder(folder)?;
    let path = folder.join(LOCK);
    // a file of that name may be somebody's, and what it holds stays
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    let lock = lock.map_err(|source| FileError::write(&path, source))?;
    match (lock.try_lock(), waits) {
        (Err(TryLockError::WouldBlock), Some(waits)) => {
            waits();
            lock.lock().map_err(|source| FileError::write(&path, source))?;
            Ok(Hold { _lock: lock, folder: folder.into(), made })
        }
        (Ok(()), _) => Ok(Hold { _lock: lock, folder: folder.into(), made }),
        (Err(TryLockError::WouldBlock), None) => Err(RunError::Busy { path: folder.into() }),
        (Err(TryLockError::Error(source)), _) => Err(FileError::write(&path, source).into()),
    }
}

/// Whether a process of this machine holds a folder.
pub fn is_held(folder: &Path) -> bool {
    let lock = File::open(folder.join(LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
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
pub(crate) fn check(study: &Study, request: &Request) -> Result<(), RunError> {
    let asked = groups(study, request.only)?;
    let forgotten: Vec<&str> = asked.iter().filter(|_| request.fresh).map(|group| group.name()).collect();
    parts::check_owners(request.parts, request.identity, &forgotten, request.fresh && request.only.is_none())
}

/// Tables of a finished folder that a request for some groups leaves as they are: the groups and numbers of cases in `former`,
/// from the part files of the folder, which stay as they are. It comes before measuring, so that nothing is measured in vain.
///
/// # Errors
/// A part file that is gone, damaged, incomplete or of another identity.
pub fn kept(study: &Study, request: &Request, former: &[GroupCount]) -> Result<Vec<Measured>, RunError> {
    let mut tables = vec![];
    if former.is_empty() {
        return Ok(tables);
    }
    check(study, request)?;
    let measured = asked(study, request)?;
    for count in former.iter().filter(|count| measured.iter().all(|group| group.name() != count.group)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_of_somebody_else_keeps_what_it_holds() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LOCK), "mine").unwrap();
        drop(hold(folder.path()).unwrap());
        assert_eq!(fs::read_to_string(folder.path().join(LOCK)).unwrap(), "mine");
    }
}
