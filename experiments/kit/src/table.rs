//! A table of a run while it is written.

use std::path::PathBuf;

use lab::files::{FileError, WholeFile};
use serde::Serialize;

/// A table of a run while it is written.
pub struct Table {
    path: PathBuf,
    csv: csv::Writer<WholeFile>,
}

impl Table {
    /// A file of these columns.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn create<'a>(path: PathBuf, columns: impl IntoIterator<Item = &'a &'a str>) -> Result<Table, FileError> {
        let csv = csv::WriterBuilder::new().has_headers(false).from_writer(WholeFile::create(&path)?);
        let mut table = Table { path, csv };
        let written = table.csv.write_record(columns);
        written.map_err(|error| FileError::write(&table.path, error.into()))?;
        Ok(table)
    }

    /// Adds a row.
    pub fn add(&mut self, row: impl Serialize) -> Result<(), FileError> {
        self.csv.serialize(row).map_err(|error| FileError::write(&self.path, error.into()))
    }

    /// Ends the table.
    pub fn finish(self) -> Result<(), FileError> {
        let path = self.path;
        self.csv.into_inner().map_err(|error| FileError::write(&path, error.into_error()))?.finish()
    }
}
