//! Finished results: the tables and times of a study in a folder, read again.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use thiserror::Error;

use crate::files::open;
use crate::judge::rule::frame::{self, Frame};
use crate::judge::rule::keys::RuleError;
use crate::measure::group::Group;
use crate::measure::row::{Column, TableRow, read};

/// Why results cannot be read.
#[derive(Debug, Error)]
pub enum ResultsError {
    /// A table that is not there.
    #[error("no results of the group {group} in {}", folder.display())]
    Missing { group: String, folder: PathBuf },
    /// A table with other columns than the program expects, or a damaged one.
    #[error("{}: {reason}; measure it anew", path.display())]
    Unreadable { path: PathBuf, reason: String },
    /// Too little was measured to say anything.
    #[error("too few cases to tell: {0}")]
    TooFew(String),
    /// A rule that the tables cannot be held against.
    #[error("{0}")]
    Rule(#[from] RuleError),
}

/// The tables of a study in a folder.
#[derive(Clone, Debug)]
pub struct Results {
    folder: PathBuf,
    main: String,
    /// Groups that have no rows where they have no table.
    left_out: Vec<String>,
    /// Tables in columns by name, as far as they were made.
    frames: Arc<Mutex<BTreeMap<String, Arc<Frame>>>>,
}

/// A row with its set.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<R> {
    pub set: u64,
    pub row: R,
}

/// Time of a case that was measured alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    pub set: u64,
    /// Which of its measurements, from 1.
    pub repeat: u32,
    /// How long it took \[s\].
    pub seconds: f64,
}

/// A line of `timings.csv`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Timing {
    pub group: String,
    pub set: u64,
    /// 0 among all others, from 1 alone on the machine.
    pub repeat: u32,
    /// How long it took \[s\].
    pub seconds: f64,
}

/// A table that cannot be read, for a reason on one line.
fn unreadable(path: &Path, reason: impl ToString) -> ResultsError {
    ResultsError::Unreadable { path: path.into(), reason: reason.to_string().replace('\n', " ") }
}

/// A line of a table that is no row of it.
fn unreadable_at(path: &Path, record: &csv::StringRecord, reason: &str) -> ResultsError {
    let line = record.position().map_or(0, csv::Position::line);
    unreadable(path, format!("line {line}: {reason}"))
}

impl Results {
    pub(crate) fn new(folder: &Path, main: &str) -> Results {
        Results { folder: folder.into(), main: main.into(), left_out: vec![], frames: Arc::default() }
    }

    /// The same, with groups that have no rows where they have no table.
    pub(crate) fn without(&self, left_out: impl Iterator<Item = String>) -> Results {
        Results { left_out: left_out.collect(), frames: Arc::default(), ..self.clone() }
    }

    /// Rows of a group, in the order of their sets.
    ///
    /// # Errors
    /// A table that is not there, or cannot be read.
    pub fn rows<G: Group>(&self) -> Result<Vec<Row<G::Row>>, ResultsError> {
        let (path, records) = match self.records_of(G::NAME, &G::Row::columns()) {
            Err(ResultsError::Missing { group, .. }) if self.left_out.contains(&group) => return Ok(vec![]),
            other => other?,
        };
        let row = |record: &csv::StringRecord| {
            let (set, row) = read(record).map_err(|reason| unreadable_at(&path, record, &reason))?;
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

    /// The table of a group in columns, without any where the group was left out.
    pub(crate) fn frame(&self, group: &str) -> Result<Frame, ResultsError> {
        match self.records(group) {
            Err(ResultsError::Missing { group, .. }) if self.left_out.contains(&group) => Ok(Frame::default()),
            Err(error) => Err(error),
            Ok((_, header, records)) => {
                let cells = |place: usize| records.iter().map(move |record| &record[place]);
                let column = |(place, name): (usize, &str)| (name.to_owned(), frame::Column::of_cells(cells(place)));
                Ok(Frame::of(header.iter().enumerate().map(column)))
            }
        }
    }

    /// A table by its name, made once.
    pub(crate) fn kept(
        &self,
        name: String,
        make: impl FnOnce() -> Result<Frame, ResultsError>,
    ) -> Result<Arc<Frame>, ResultsError> {
        let lock = || self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(frame) = lock().get(&name) {
            return Ok(Arc::clone(frame));
        }
        let frame = Arc::new(make()?);
        lock().insert(name, Arc::clone(&frame));
        Ok(frame)
    }

    /// File of a group with these columns behind the set, with its lines.
    fn records_of(&self, group: &str, columns: &[Column]) -> Result<(PathBuf, Vec<csv::StringRecord>), ResultsError> {
        let (path, header, records) = self.records(group)?;
        let expected: Vec<&str> = std::iter::once("set").chain(columns.iter().map(|column| column.name)).collect();
        if header != expected {
            return Err(unreadable(&path, format!("its columns are not {}", expected.join(", "))));
        }
        Ok((path, records))
    }

    /// File of a group, with its first line and the others.
    fn records(&self, group: &str) -> Result<(PathBuf, csv::StringRecord, Vec<csv::StringRecord>), ResultsError> {
        let file = if group == self.main { "cases.csv".into() } else { format!("{group}.csv") };
        let path = self.folder.join(file);
        if !path.exists() {
            return Err(self.missing(group));
        }
        let mut reader = csv::Reader::from_reader(open(&path).map_err(|error| unreadable(&path, error))?);
        let header = reader.headers().map_err(|error| unreadable(&path, error))?.clone();
        let records = reader.records().collect::<Result<_, csv::Error>>().map_err(|error| unreadable(&path, error))?;
        Ok((path, header, records))
    }

    fn missing(&self, group: &str) -> ResultsError {
        ResultsError::Missing { group: group.into(), folder: self.folder.clone() }
    }

    /// What a case of a group took \[s\]: the mean of the cases among others, and the mean of a measurement alone, zero without
    /// any.
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

    /// Time of each set of a group, measured among others \[s\].
    ///
    /// # Errors
    /// Times that are not there, or cannot be read.
    pub fn times_among_others(&self, group: &str) -> Result<HashMap<u64, f64>, ResultsError> {
        let times = self.all_times(group)?.into_iter().filter(|time| time.repeat == 0);
        Ok(times.map(|time| (time.set, time.seconds)).collect())
    }

    /// Times of the cases of a group that were measured alone, in the order of their sets and repeats.
    ///
    /// # Errors
    /// Times that are not there, or cannot be read.
    pub fn times(&self, group: &str) -> Result<Vec<Time>, ResultsError> {
        let mut times = self.all_times(group)?;
        times.retain(|time| time.repeat > 0);
        if times.is_empty() { Err(self.missing(group)) } else { Ok(times) }
    }

    /// Every time of a group.
    pub(crate) fn all_times(&self, group: &str) -> Result<Vec<Time>, ResultsError> {
        let path = self.folder.join("timings.csv");
        if !path.exists() {
            return Err(self.missing(group));
        }
        let mut times = vec![];
        for timing in csv::Reader::from_reader(open(&path).map_err(|error| unreadable(&path, error))?).deserialize() {
            let Timing { group: of, set, repeat, seconds } = timing.map_err(|error| unreadable(&path, error))?;
            if of == group {
                times.push(Time { set, repeat, seconds });
            }
        }
        if times.is_empty() { Err(self.missing(group)) } else { Ok(times) }
    }
}
