//! Part files: finished cases of an unfinished run, one line each, with a checksum.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::{FileError, open, remove_file, write_whole};
use crate::measure::identity::{Identity, sha256};
use crate::measure::run_error::RunError;
use crate::provenance::GroupCount;

/// A finished case.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Finished {
    pub set: u64,
    /// Time since its block began, or since the case before it in that block was done \[s\].
    pub seconds: f64,
    /// Its rows, lines of CSV.
    pub rows: Vec<String>,
    /// Times of its measurements alone \[s\], in the order in which they were taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alone: Vec<f64>,
}

/// The rows of a group.
pub struct Measured {
    pub group: &'static str,
    /// Rows of every set, as lines of CSV, with the time that they took.
    pub(crate) cases: BTreeMap<u64, Finished>,
    /// Cases taken over from an earlier run.
    pub resumed: usize,
}

impl Measured {
    /// Number of cases.
    pub fn case_count(&self) -> usize {
        self.cases.len()
    }

    /// Time that its cases took, those of an earlier run too \[s\].
    pub fn seconds(&self) -> f64 {
        self.cases.values().map(|case| case.seconds).sum()
    }

    /// True if there are times of cases alone.
    pub fn is_timed(&self) -> bool {
        self.cases.values().any(|case| !case.alone.is_empty())
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.cases.values().map(|case| case.rows.len()).sum()
    }
}

#[derive(Deserialize, Serialize)]
struct Line {
    check: String,
    finished: Finished,
}

#[derive(Deserialize, Serialize)]
struct Header {
    format: u32,
    group: String,
    identity: Identity,
}

/// The part file of one group, open for more.
pub(crate) struct Parts {
    path: PathBuf,
    file: File,
    /// Length of the file up to its last whole line.
    length: u64,
    /// Cases that were there when it was opened.
    pub finished: BTreeMap<u64, Finished>,
    /// Whether a torn last line was dropped.
    pub torn: bool,
}

/// What a part file holds.
pub(crate) struct Held {
    /// What its run depends on.
    pub identity: Identity,
    /// Its cases.
    pub finished: BTreeMap<u64, Finished>,
    /// Its length up to its last whole line.
    length: u64,
    /// Whether there is a torn line behind that.
    torn: bool,
}

const FORMAT: u32 = 1;

/// What every header says, whatever else its format has.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// Reads a part file, whose identity has been checked.
///
/// # Errors
/// A file that is damaged before its last line, or one that cannot be read.
pub(crate) fn read(path: &Path, group: &str) -> Result<Held, RunError> {
    let mut bytes = vec![];
    open(path)?.read_to_end(&mut bytes).map_err(|source| FileError::read(path, source))?;
    // a kill or a full disk may tear a line anywhere, also within a character
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let (whole, torn) = bytes.split_at(end);
    let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    let damaged = |line: usize| RunError::Damaged { path: path.into(), line: line + 1 };
    let first = lines.first().ok_or_else(|| damaged(0))?;
    if let Ok(Format { format }) = serde_json::from_slice(first)
        && format != FORMAT
    {
        return Err(RunError::OtherFormat { path: path.into(), format, known: FORMAT });
    }
    let header: Header = serde_json::from_slice(first).map_err(|_| damaged(0))?;
    if header.group != group {
        return Err(damaged(0));
    }
    let mut finished = BTreeMap::new();
    let (mut length, mut torn) = (whole.len(), !torn.is_empty());
    for (number, line) in lines.iter().enumerate().skip(1) {
        match parse(line) {
            Some(case) => {
                finished.insert(case.set, case);
            }
            None if number + 1 == lines.len() => {
                length -= line.len();
                torn = true;
            }
            None => return Err(damaged(number)),
        }
    }
    Ok(Held { identity: header.identity, finished, length: length as u64, torn })
}

impl Parts {
    /// Opens a part file, whose identity has been checked, or starts one.
    ///
    /// # Errors
    /// A file that is damaged before its last line, or one that cannot be read or written.
    pub fn open(path: &Path, group: &str, identity: &Identity) -> Result<Parts, RunError> {
        if !path.exists() {
            write_whole(path, header(group, identity).as_bytes())?;
        }
        let Held { finished, length, torn, .. } = read(path, group)?;
        let fail = |source| FileError::write(path, source);
        let file = OpenOptions::new().append(true).open(path).map_err(fail)?;
        file.set_len(length).map_err(fail)?;
        Ok(Parts { path: path.into(), file, length, finished, torn })
    }

    /// Appends a finished case in one write.
    ///
    /// # Errors
    /// A full disk, and whatever else keeps a file from growing; what was written of the line is taken back.
    pub fn append(&mut self, finished: &Finished) -> Result<(), FileError> {
        let line = line(finished);
        match self.file.write_all(line.as_bytes()) {
            Ok(()) => {
                self.length += line.len() as u64;
                Ok(())
            }
            Err(source) => {
                // where even this fails, the torn line is dropped by the next run
                _ = self.file.set_len(self.length);
                Err(FileError::write(&self.path, source))
            }
        }
    }
}

/// The first line of a part file.
fn header(group: &str, identity: &Identity) -> String {
    json(&Header { format: FORMAT, group: group.into(), identity: identity.clone() }) + "\n"
}

/// The line of a finished case.
fn line(finished: &Finished) -> String {
    json(&Line { check: check(finished), finished: finished.clone() }) + "\n"
}

/// Writes the part file of a measured group, its cases in the order of their sets.
///
/// # Errors
/// A file that cannot be written.
pub(crate) fn write(path: &Path, measured: &Measured, identity: &Identity) -> Result<(), FileError> {
    let text = measured.cases.values().fold(header(measured.group, identity), |text, case| text + &line(case));
    write_whole(path, text.as_bytes())
}

/// What of a header tells whose journal it is, in any format.
#[derive(Deserialize)]
struct Owner {
    format: u32,
    group: String,
    identity: Study,
}

#[derive(Deserialize)]
struct Study {
    study: String,
}

/// The first line of a part file.
fn first_line(path: &Path) -> Result<Vec<u8>, FileError> {
    let mut first = vec![];
    BufReader::new(open(path)?).read_until(b'\n', &mut first).map_err(|source| FileError::read(path, source))?;
    Ok(first)
}

/// Refuses a folder of part files in which any is of another study or, but for those of the `forgotten` groups, of another
/// identity; with `all` groups forgotten no other file matters. What would be forgotten must be a journal of its group. It comes
/// before anything is removed.
///
/// # Errors
/// The first such file.
pub(crate) fn check_owners(folder: &Path, identity: &Identity, forgotten: &[&str], all: bool) -> Result<(), RunError> {
    for path in part_files(folder) {
        let first = first_line(&path)?;
        let owner = serde_json::from_slice::<Owner>(&first).ok();
        let group = forgotten.iter().find(|group| path == file_of(folder, group));
        match (&owner, group) {
            (Some(Owner { identity: Study { study }, .. }), _) if *study != identity.study => {
                return Err(RunError::OtherStudy { path, study: study.clone(), wanted: identity.study.clone() });
            }
            (Some(owner), Some(group)) if owner.group == **group => {}
            (_, Some(_)) => return Err(RunError::NoJournal { path }),
            (Some(owner), None) if !all && owner.format == FORMAT => {
                let header = serde_json::from_slice::<Header>(&first).ok();
                if let Some(difference) = header.and_then(|header| header.identity.difference(identity)) {
                    return Err(RunError::Foreign { path, difference });
                }
            }
            // a header that cannot be read is found when its group is opened
            _ => {}
        }
    }
    Ok(())
}

/// What is wrong with the part files beside finished tables, of a run of `identity` with so many cases of each group; nothing
/// where there are none.
pub fn damaged_journals(folder: &Path, identity: &Identity, groups: &[GroupCount]) -> Vec<(PathBuf, String)> {
    let there = part_files(folder);
    let mut wrong = vec![];
    for GroupCount { group, cases, .. } in groups.iter().filter(|_| !there.is_empty()) {
        let path = file_of(folder, group);
        let read = if there.contains(&path) { read(&path, group).map(Some) } else { Ok(None) };
        let header = first_line(&path).ok().and_then(|first| serde_json::from_slice::<Header>(&first).ok());
        let what = match (read, header) {
            (Ok(None), _) => "is missing".into(),
            (Err(RunError::Damaged { line, .. }), _) => format!("is damaged at line {line}"),
            (Err(_), _) | (Ok(_), None) => "cannot be read".into(),
            (Ok(Some(_)), Some(header)) if header.identity != *identity => "is not of the run that made the tables".into(),
            (Ok(Some(held)), _) if held.finished.range(..*cases as u64).count() < *cases => "lacks cases of the tables".into(),
            _ => continue,
        };
        wrong.push((path, what));
    }
    wrong
}

/// The part file of a group.
pub(crate) fn file_of(folder: &Path, group: &str) -> PathBuf {
    folder.join(format!("{group}.part"))
}

/// Removes the part files of groups, and nothing else.
pub(crate) fn remove<'a>(folder: &Path, groups: impl Iterator<Item = &'a str>) -> Result<(), FileError> {
    groups.map(|group| file_of(folder, group)).try_for_each(|path| remove_file(&path))
}

/// The part files of a folder, if there is one.
pub fn part_files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut parts: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|kind| kind == "part")).collect();
    parts.sort();
    parts
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn check(finished: &Finished) -> String {
    sha256(json(finished))[..16].to_owned()
}

/// The case of a line that is, byte for byte, what was written: another decimal of the same number is none.
fn parse(text: &[u8]) -> Option<Finished> {
    let line: Line = serde_json::from_slice(text).ok()?;
    let is_whole = check(&line.finished) == line.check && json(&line).as_bytes() == text.trim_ascii_end();
    is_whole.then_some(line.finished)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::read_text;

    fn identity() -> Identity {
        Identity { study: "study".into(), seed: 1, ranges: "r".into(), code: "c".into() }
    }

    fn case(set: u64) -> Finished {
        Finished { set, seconds: 0.1 + set as f64, rows: vec![format!("{set},\"a, b\",1e-7")], alone: vec![] }
    }

    /// A part file with the cases 0, 1 and 2, and its text.
    fn written(folder: &Path) -> (PathBuf, String) {
        let path = folder.join("group.part");
        let mut parts = Parts::open(&path, "group", &identity()).unwrap();
        for set in 0..3 {
            parts.append(&case(set)).unwrap();
        }
        let text = read_text(&path).unwrap();
        (path, text)
    }

    #[test]
    fn cases_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = written(folder.path());
        let parts = Parts::open(&path, "group", &identity()).unwrap();
        assert_eq!(parts.finished.into_values().collect::<Vec<_>>(), [case(0), case(1), case(2)]);
        assert!(!parts.torn);
    }

    #[test]
    fn a_torn_last_line_is_dropped_and_the_file_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let (path, text) = written(folder.path());
        for torn in [1, 5, 40] {
            fs::write(&path, &text[..text.len() - torn]).unwrap();
            let mut parts = Parts::open(&path, "group", &identity()).unwrap();
            assert!(parts.torn && parts.finished.len() == 2, "{torn} bytes short");
            parts.append(&case(2)).unwrap();
            assert_eq!(read_text(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_line_that_is_torn_within_a_character_is_dropped_too() {
        let folder = tempfile::tempdir().unwrap();
        let (path, text) = written(folder.path());
        for end in ["", "\n"] {
            let torn = [text.as_bytes(), b"{\"check\":\"\xff\xfe", end.as_bytes()].concat();
            fs::write(&path, torn).unwrap();
            let parts = Parts::open(&path, "group", &identity()).unwrap();
            assert!(parts.torn && parts.finished.len() == 3);
            assert_eq!(read_text(&path).unwrap(), text);
        }
    }

    #[test]
    fn another_decimal_of_the_same_number_is_no_line() {
        let text = line(&Finished { seconds: 31.872745958999996, ..case(0) });
        assert!(parse(text.as_bytes()).is_some());
        let same = text.replace("58999996", "58999997");
        assert!(same != text && parse(same.as_bytes()).is_none());
    }

    #[test]
    fn a_journal_of_another_format_is_called_that() {
        let folder = tempfile::tempdir().unwrap();
        let (path, text) = written(folder.path());
        fs::write(&path, text.replacen("\"format\":1", "\"format\":7", 1)).unwrap();
        let refused = Parts::open(&path, "group", &identity()).err().unwrap().to_string();
        assert!(refused.contains("a journal of format 7, and this program keeps format 1"), "{refused}");
    }

    #[test]
    fn only_part_files_of_groups_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = written(folder.path());
        let notes = folder.path().join("notes.part");
        fs::write(&notes, "mine").unwrap();
        remove(folder.path(), ["group", "other"].into_iter()).unwrap();
        assert!(!path.exists() && notes.exists());
    }

    #[test]
    fn damage_before_the_last_line_is_refused_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let (path, text) = written(folder.path());
        fs::write(&path, text.replacen("1e-7", "2e-7", 1)).unwrap();
        let refused = Parts::open(&path, "group", &identity()).err().unwrap().to_string();
        assert!(refused.contains("line 2") && refused.contains("--fresh"), "{refused}");
        assert!(read_text(&path).unwrap().contains("2e-7"), "nothing is lost");
    }

    #[test]
    fn another_identity_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = written(folder.path());
        let check = |identity: &Identity, forgotten: &[&str]| {
            check_owners(folder.path(), identity, forgotten, false).map_err(|error| error.to_string())
        };
        assert!(path.exists() && check(&identity(), &[]).is_ok());
        let other = Identity { seed: 2, ..identity() };
        let refused = check(&other, &[]).unwrap_err();
        assert!(refused.contains("of the seed 1, this run has 2"), "{refused}");
        assert!(check(&other, &["group"]).is_ok());
        let other = Identity { study: "other".into(), ..identity() };
        for forgotten in [&[][..], &["group"]] {
            let refused = check(&other, forgotten).unwrap_err();
            assert!(refused.ends_with("holds cases of the study study, this run is of other; choose another --out"), "{refused}");
        }
    }

    #[test]
    fn what_would_be_forgotten_must_be_a_journal_of_its_group() {
        let folder = tempfile::tempdir().unwrap();
        let (path, text) = written(folder.path());
        let forget = || check_owners(folder.path(), &identity(), &["group"], true);
        for foreign in ["", "mine\n", &text.replacen("\"group\":\"group\"", "\"group\":\"other\"", 1)] {
            fs::write(&path, foreign).unwrap();
            let refused = forget().unwrap_err().to_string();
            assert!(
                refused.ends_with("group.part is no journal of this program; move it away, or choose another --out"),
                "{refused}"
            );
        }
        fs::write(&path, text.replacen("\"format\":1", "\"format\":7", 1)).unwrap();
        forget().unwrap();
    }

    #[test]
    fn journals_that_do_not_bear_out_their_tables_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let (path, text) = written(folder.path());
        let groups = |cases| [GroupCount { group: "group".into(), cases, rows: 0, resumed: 0 }];
        let told = |identity: &Identity, cases| damaged_journals(folder.path(), identity, &groups(cases));
        assert_eq!(told(&identity(), 3), []);
        assert_eq!(told(&identity(), 4), [(path.clone(), "lacks cases of the tables".into())]);
        assert_eq!(told(&Identity { seed: 2, ..identity() }, 3)[0].1, "is not of the run that made the tables");
        fs::write(&path, text.replacen("1e-7", "2e-7", 1)).unwrap();
        assert_eq!(told(&identity(), 3)[0].1, "is damaged at line 2");
        fs::remove_file(&path).unwrap();
        assert_eq!(told(&identity(), 3), []);
        fs::write(folder.path().join("another.part"), "").unwrap();
        assert_eq!(told(&identity(), 3)[0].1, "is missing");
    }
}
