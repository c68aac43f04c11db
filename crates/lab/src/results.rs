//! Finished results: a folder with tables, timings, what the columns mean, and checksums.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use thiserror::Error;

use crate::files::{FileError, make_folder, read_text, write_whole};
use crate::identity::sha256;
use crate::run::Measured;
use crate::study::Study;
use crate::{ColumnKind, Table};

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

#[derive(Deserialize)]
struct SetOnly {
    set: u64,
}

impl Results {
    pub(crate) fn new(folder: &Path, main: &str) -> Results {
        Results { folder: folder.into(), main: main.into() }
    }

    /// Rows of a group, in the order of their sets.
    ///
    /// # Errors
    /// A table that is not there, or cannot be read.
    pub fn rows<R: DeserializeOwned>(&self, group: &str) -> Result<Vec<Row<R>>, ResultsError> {
        let file = if group == self.main { "cases.csv".into() } else { format!("{group}.csv") };
        let path = self.folder.join(file);
        if !path.exists() {
            return Err(ResultsError::Missing { group: group.into(), folder: self.folder.clone() });
        }
        let unreadable =
            |error: csv::Error| ResultsError::Unreadable { path: path.clone(), reason: error.to_string().replace('\n', " ") };
        let mut reader = csv::Reader::from_path(&path).map_err(unreadable)?;
        let headers = reader.headers().map_err(unreadable)?.clone();
        let mut rows = vec![];
        for record in reader.records() {
            let record = record.map_err(unreadable)?;
            let SetOnly { set } = record.deserialize(Some(&headers)).map_err(unreadable)?;
            rows.push(Row { set, row: record.deserialize(Some(&headers)).map_err(unreadable)? });
        }
        Ok(rows)
    }

    /// Times of the cases of a group that were measured alone, in the order of their sets and repeats.
    ///
    /// # Errors
    /// Times that are not there, or cannot be read.
    pub fn times(&self, group: &str) -> Result<Vec<Time>, ResultsError> {
        let path = self.folder.join("timings.csv");
        let missing = || ResultsError::Missing { group: group.into(), folder: self.folder.clone() };
        let unreadable =
            |error: csv::Error| ResultsError::Unreadable { path: path.clone(), reason: error.to_string().replace('\n', " ") };
        if !path.exists() {
            return Err(missing());
        }
        let mut times = vec![];
        for timing in csv::Reader::from_path(&path).map_err(unreadable)?.deserialize() {
            let Timing { group: of, set, repeat, seconds } = timing.map_err(unreadable)?;
            if of == group && repeat > 0 {
                times.push(Time { set, repeat, seconds });
            }
        }
        if times.is_empty() { Err(missing()) } else { Ok(times) }
    }
}

/// Files that get their names together, once all of them are written; where that fails, nothing is left of those without one.
pub struct Staged {
    folder: PathBuf,
    staging: PathBuf,
    names: Vec<String>,
}

impl Staged {
    /// For files of `folder`, which is made if need be.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn new(folder: &Path) -> Result<Staged, FileError> {
        let staging = folder.join(".unfinished");
        if staging.exists() {
            fs::remove_dir_all(&staging).map_err(|source| FileError::write(&staging, source))?;
        }
        make_folder(&staging)?;
        Ok(Staged { folder: folder.into(), staging, names: vec![] })
    }

    /// Writes a file.
    ///
    /// # Errors
    /// A full disk, and the like.
    pub fn write(&mut self, name: &str, contents: impl AsRef<[u8]>) -> Result<(), FileError> {
        write_whole(&self.staging.join(name), contents.as_ref())?;
        self.names.push(name.into());
        Ok(())
    }

    /// The results as staged, for charts and verdicts.
    pub fn results(&self, study: &Study) -> Results {
        study.results(&self.staging)
    }

    /// Lines of SHA256SUMS for the named files, as they will be seen from `base`.
    ///
    /// # Errors
    /// A staged file that cannot be read.
    pub fn sums(&self, prefix: &str, names: &[String]) -> Result<String, FileError> {
        let mut lines = String::new();
        for name in names {
            let path = self.staging.join(name);
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
            fs::rename(self.staging.join(name), &path).map_err(fail(&path))?;
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // what cannot be removed is removed by the next one
        _ = fs::remove_dir_all(&self.staging);
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

/// A file that is not what its checksum says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mismatch {
    /// The file as SHA256SUMS names it.
    pub file: String,
    /// Whether it is there at all.
    pub exists: bool,
}

/// Compares the files of a folder with its SHA256SUMS: how many it covers, and which differ.
///
/// # Errors
/// No SHA256SUMS, or a line of it that is none.
pub fn verify(folder: &Path) -> Result<(usize, Vec<Mismatch>), ResultsError> {
    let path = folder.join("SHA256SUMS");
    let unreadable = |reason: String| ResultsError::Unreadable { path: path.clone(), reason };
    let text = read_text(&path).map_err(|error| unreadable(error.to_string()))?;
    if text.trim().is_empty() {
        return Err(unreadable("it covers no file".into()));
    }
    let mut mismatches = vec![];
    for (number, line) in text.lines().enumerate() {
        let (sum, file) = line.split_once("  ").ok_or_else(|| unreadable(format!("line {} is no checksum", number + 1)))?;
        match fs::read(folder.join(file)) {
            Ok(bytes) if sha256(&bytes) == sum => {}
            read => mismatches.push(Mismatch { file: file.into(), exists: read.is_ok() }),
        }
    }
    Ok((text.lines().count(), mismatches))
}

#[cfg(test)]
mod tests {
    use super::*;

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
