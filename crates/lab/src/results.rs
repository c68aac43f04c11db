//! Finished results: a folder with tables, timings, what the columns mean, and checksums.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;
use tempfile::TempDir;
use thiserror::Error;

use crate::files::{FileError, LARGEST, UNFINISHED, make_folder, open, read_bytes, write_whole};
use crate::measure::identity::sha256;
use crate::measure::run::Measured;
use crate::study::Study;
use crate::{ColumnKind, Group, Table, TableRow};

/// Why results cannot be read.
#[derive(Debug, Error)]
pub enum ResultsError {
    /// A table that is not there.
    #[error("no results of the group {group} in {}", folder.display())]
    Missing {
        /// The group.
        group: String,
        /// The folder.
        folder: PathBuf,
    },
    /// A table with other columns than the program expects, or a damaged one.
    #[error("{}: {reason}; measure it anew", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Too little was measured to say anything.
    #[error("too few cases to tell: {0}")]
    TooFew(String),
}

/// The tables of a study in a folder.
#[derive(Clone, Debug)]
pub struct Results {
    folder: PathBuf,
    main: String,
}

/// A row with its set.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<R> {
    /// The set.
    pub set: u64,
    /// The row.
    pub row: R,
}

/// Time of a case that was measured alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// The set.
    pub set: u64,
    /// Which of its measurements, from 1.
    pub repeat: u32,
    /// How long it took \[s\].
    pub seconds: f64,
}

#[derive(Deserialize)]
struct Timing {
    group: String,
    set: u64,
    repeat: u32,
    seconds: f64,
}

/// Opens a table to be read.
fn open_table(path: &Path) -> Result<fs::File, ResultsError> {
    open(path).map_err(|error| ResultsError::Unreadable { path: path.into(), reason: error.to_string() })
}

impl Results {
    pub(crate) fn new(folder: &Path, main: &str) -> Results {
        Results { folder: folder.into(), main: main.into() }
    }

    /// Rows of a group, in the order of their sets.
    ///
    /// # Errors
    /// A table that is not there, or cannot be read.
    pub fn rows<G: Group>(&self) -> Result<Vec<Row<G::Row>>, ResultsError> {
        let (path, header, records) = self.records(G::NAME)?;
        let damaged = |reason: String| ResultsError::Unreadable { path: path.clone(), reason };
        let expected: Vec<&str> = std::iter::once("set").chain(G::Row::columns().iter().map(|column| column.name)).collect();
        if header != expected {
            return Err(damaged(format!("its columns are not {}", expected.join(", "))));
        }
        let row = |record: &csv::StringRecord| {
            let (set, row) = record.deserialize(None).map_err(|error| damaged(error.to_string().replace('\n', " ")))?;
            Ok(Row { set, row })
        };
        records.iter().map(row).collect()
    }

    /// Rows of a group without their sets.
    ///
    /// # Errors
    /// A table that is not there, or cannot be read.
    pub fn without_sets<G: Group>(&self) -> Result<Vec<G::Row>, ResultsError> {
        Ok(self.rows::<G>()?.into_iter().map(|row| row.row).collect())
    }

    /// Cells of a column of a group; none where there is no such table or column.
    pub(crate) fn cells(&self, group: &str, column: &str) -> Option<Vec<String>> {
        let (_, header, records) = self.records(group).ok()?;
        let place = header.iter().position(|name| name == column)?;
        Some(records.iter().map(|record| record[place].to_owned()).collect())
    }

    /// File of a group, with its first line and the others.
    fn records(&self, group: &str) -> Result<(PathBuf, csv::StringRecord, Vec<csv::StringRecord>), ResultsError> {
        let file = if group == self.main { "cases.csv".into() } else { format!("{group}.csv") };
        let path = self.folder.join(file);
        if !path.exists() {
            return Err(ResultsError::Missing { group: group.into(), folder: self.folder.clone() });
        }
        let mut reader = csv::Reader::from_reader(open_table(&path)?);
        let header = reader.headers().cloned();
        let read = header.and_then(|header| Ok((header, reader.records().collect::<Result<Vec<_>, csv::Error>>()?)));
        match read {
            Ok((header, records)) => Ok((path, header, records)),
            Err(error) => Err(ResultsError::Unreadable { path, reason: error.to_string().replace('\n', " ") }),
        }
    }

    /// What a case of a group took \[s\]: the mean of the cases among others, and the mean of a measurement alone, zero without any.
    ///
    /// # Errors
    /// Times that are not there, or cannot be read.
    pub fn seconds_a_case(&self, group: &str) -> Result<[f64; 2], ResultsError> {
        let times = self.all_times(group)?;
        let mean = |alone: bool| {
            let of = times.iter().filter(|time| (time.repeat > 0) == alone).map(|time| time.seconds);
            let (count, sum) = of.fold((0, 0.0), |(count, sum), seconds| (count + 1, sum + seconds));
            if count == 0 { 0.0 } else { sum / f64::from(count) }
        };
        Ok([mean(false), mean(true)])
    }

    /// Times of the cases of a group that were measured alone, in the order of their sets and repeats.
    ///
    /// # Errors
    /// Times that are not there, or cannot be read.
    pub fn times(&self, group: &str) -> Result<Vec<Time>, ResultsError> {
        let mut times = self.all_times(group)?;
        times.retain(|time| time.repeat > 0);
        if times.is_empty() {
            return Err(ResultsError::Missing { group: group.into(), folder: self.folder.clone() });
        }
        Ok(times)
    }

    /// Every time of a group.
    fn all_times(&self, group: &str) -> Result<Vec<Time>, ResultsError> {
        let path = self.folder.join("timings.csv");
        let missing = || ResultsError::Missing { group: group.into(), folder: self.folder.clone() };
        let unreadable =
            |error: csv::Error| ResultsError::Unreadable { path: path.clone(), reason: error.to_string().replace('\n', " ") };
        if !path.exists() {
            return Err(missing());
        }
        let mut times = vec![];
        for timing in csv::Reader::from_reader(open_table(&path)?).deserialize() {
            let Timing { group: of, set, repeat, seconds } = timing.map_err(unreadable)?;
            if of == group {
                times.push(Time { set, repeat, seconds });
            }
        }
        if times.is_empty() { Err(missing()) } else { Ok(times) }
    }
}

/// Files that get their names together, once all of them are written; where that fails, nothing is left of those without one.
pub struct Staged {
    folder: PathBuf,
    staging: TempDir,
    names: Vec<String>,
}

impl Staged {
    /// For files of `folder`, which is made if need be.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn new(folder: &Path) -> Result<Staged, FileError> {
        make_folder(folder)?;
        let staging = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(folder);
        let staging = staging.map_err(|source| FileError::write(folder, source))?;
        Ok(Staged { folder: folder.into(), staging, names: vec![] })
    }

    /// The folder of files without a name, as the user gave it: that of `tempfile` begins at the root.
    fn staged(&self) -> PathBuf {
        self.folder.join(self.staging.path().file_name().unwrap_or_default())
    }

    /// Writes a file.
    ///
    /// # Errors
    /// A full disk, and the like.
    pub fn write(&mut self, name: &str, contents: impl AsRef<[u8]>) -> Result<(), FileError> {
        write_whole(&self.staged().join(name), contents.as_ref())?;
        self.names.push(name.into());
        Ok(())
    }

    /// The results as staged, for charts and verdicts.
    pub fn results(&self, study: &Study) -> Results {
        study.results(&self.staged())
    }

    /// Names of the files so far.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Lines of SHA256SUMS for the named files, as they will be seen from `base`.
    ///
    /// # Errors
    /// A staged file that cannot be read.
    pub fn sums(&self, prefix: &str, names: &[String]) -> Result<String, FileError> {
        let mut lines = String::new();
        for name in names {
            let path = self.staged().join(name);
            let bytes = fs::read(&path).map_err(|source| FileError::read(&path, source))?;
            lines += &format!("{}  {prefix}{name}\n", sha256(bytes));
        }
        Ok(lines)
    }

    /// Gives all files their names, and removes those of `former` that are no longer made.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn publish<'a>(self, former: impl Iterator<Item = &'a str>) -> Result<(), FileError> {
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |source| FileError::write(&path, source)
        };
        for name in former.filter(|name| !self.names.iter().any(|made| made == name)) {
            let path = self.folder.join(name);
            if path.exists() {
                fs::remove_file(&path).map_err(fail(&path))?;
            }
        }
        for name in &self.names {
            let path = self.folder.join(name);
            fs::rename(self.staged().join(name), &path).map_err(fail(&path))?;
        }
        Ok(())
    }
}

/// A group's table as CSV, in the order of its sets.
pub fn table_csv(table: &dyn Table, measured: &Measured) -> String {
    let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
    let mut text = names.join(",") + "\n";
    for row in measured.cases.values().flat_map(|case| &case.rows) {
        text += row;
        text.push('\n');
    }
    text
}

/// The time of every case: `group,set,repeat,seconds`. Repeat 0 is taken among all others, on all threads; cases of a block share
/// its time in the order in which they were done. Further repeats are taken alone on the machine, in turn with the other sets.
pub fn timings_csv(measured: &[Measured]) -> String {
    let mut text = String::from("group,set,repeat,seconds\n");
    for group in measured {
        for case in group.cases.values() {
            for (repeat, seconds) in std::iter::once(&case.seconds).chain(&case.alone).enumerate() {
                text += &format!("{},{},{repeat},{seconds:.6}\n", group.group, case.set);
            }
        }
    }
    text
}

/// What each table and column means, as a Frictionless data package.
pub fn datapackage_json(study: &Study, groups: &[&dyn Table]) -> String {
    let resource = |group: &&dyn Table| {
        let columns = group.columns();
        let fields = columns.iter().map(|column| {
            let kind = match column.kind {
                ColumnKind::Integer => "integer",
                ColumnKind::Number => "number",
                ColumnKind::Text => "string",
                ColumnKind::Boolean => "boolean",
            };
            json!({"name": column.name, "type": kind, "unit": column.unit, "description": column.about})
        });
        let fields: Vec<_> = fields.collect();
        json!({
            "name": group.name(), "path": study.file_of(group.name()), "description": group.about(),
            "format": "csv", "schema": {"fields": fields, "missingValues": [""]},
        })
    };
    let resources: Vec<_> = groups.iter().map(resource).collect();
    let package = json!({"name": study.name, "title": study.title, "description": study.about, "resources": resources});
    format!("{package:#}\n")
}

/// Checksums of what depends on neither time nor machine.
pub const SUMS: &str = "SHA256SUMS";

/// Checksums of the rest: times, verdicts and charts of times, the record of the run. They tell damage, and nothing else.
pub const SUMS_OF_TIMES: &str = "SHA256SUMS-of-times";

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Damage {
    /// It is not what its checksum says.
    Differs,
    /// It is not there.
    Missing,
    /// It has no checksum.
    Unlisted,
    /// A list of checksums that covers nothing, or has a line that is none.
    NoList,
}

impl Damage {
    /// In words, behind the name of the file.
    pub fn words(self) -> &'static str {
        match self {
            Damage::Differs => "differs",
            Damage::Missing => "is missing",
            Damage::Unlisted => "has no checksum",
            Damage::NoList => "is no list of checksums",
        }
    }
}

/// A file of a folder of results that is not as it was published.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mismatch {
    /// The file as seen from the folder.
    pub file: String,
    /// What is wrong with it.
    pub damage: Damage,
}

/// Compares the files of a folder with its checksums: how many they cover, and which differ, are missing or have none. Charts and folders
/// that hold a file with a checksum are looked at too; hidden files and journals are not.
pub fn verify(folder: &Path) -> (usize, Vec<Mismatch>) {
    let (mut listed, mut mismatches) = (BTreeSet::new(), vec![]);
    for name in [SUMS, SUMS_OF_TIMES] {
        let mut tell = |file: &str, damage| mismatches.push(Mismatch { file: file.into(), damage });
        let path = folder.join(name);
        if name == SUMS_OF_TIMES && !path.exists() {
            continue;
        }
        let text = String::from_utf8_lossy(&read_bytes(&path, LARGEST).unwrap_or_default()).into_owned();
        let lines: Vec<Option<(&str, &str)>> = text.lines().map(|line| line.split_once("  ")).collect();
        if lines.is_empty() || lines.contains(&None) {
            tell(name, if path.exists() { Damage::NoList } else { Damage::Missing });
        }
        for (sum, file) in lines.into_iter().flatten() {
            listed.insert(file.to_owned());
            match read_bytes(&folder.join(file), LARGEST) {
                Ok(bytes) if sha256(&bytes) == sum => {}
                read => tell(file, if read.is_ok() { Damage::Differs } else { Damage::Missing }),
            }
        }
    }
    mismatches.extend(unlisted(folder, &listed));
    (listed.len(), mismatches)
}

/// The prefix of charts that lie below the folder of results.
const PLOTS: &str = "plots/";

/// What lies in a folder of results, beside its charts or beside any file with a checksum, and has none.
fn unlisted(folder: &Path, listed: &BTreeSet<String>) -> Vec<Mismatch> {
    let folders = listed.iter().map(|file| file.rfind('/').map_or("", |end| &file[..=end]));
    let folders: BTreeSet<&str> = folders.chain(["", PLOTS]).collect();
    // journals have checksums of their own, and reports are written anew from the rest
    let known = [SUMS, SUMS_OF_TIMES, "REPORT.md", "REPORT.html", "parts/", PLOTS];
    let mut found = vec![];
    for &below in &folders {
        for entry in fs::read_dir(folder.join(below)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_folder = entry.path().is_dir();
            let file = format!("{below}{name}{}", if is_folder { "/" } else { "" });
            let listed = if is_folder { folders.contains(file.as_str()) } else { listed.contains(&file) };
            if !name.starts_with('.') && !listed && !known.contains(&file.as_str()) {
                found.push(Mismatch { file, damage: Damage::Unlisted });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::read_text;

    #[test]
    fn files_that_are_not_published_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cases.csv");
        write_whole(&path, b"former").unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        let mut staged = Staged::new(folder.path()).unwrap();
        staged.write("cases.csv", "new").unwrap();
        assert_eq!(names().len(), 2);
        drop(staged);
        assert_eq!((names(), read_text(&path).unwrap()), (vec!["cases.csv".into()], "former".into()));
        let mut staged = Staged::new(folder.path()).unwrap();
        staged.write("cases.csv", "new").unwrap();
        staged.publish(std::iter::empty()).unwrap();
        assert_eq!((names(), read_text(&path).unwrap()), (vec!["cases.csv".into()], "new".into()));
    }
}
