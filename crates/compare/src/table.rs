//! A table of results: every cell as the text that it is.

use polars::prelude::*;
use serde::Deserialize;

use crate::Mistake;

/// A column, as `datapackage.json` describes it.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Field {
    pub name: String,
    /// integer, number, string or boolean.
    #[serde(rename = "type")]
    pub kind: String,
    pub unit: String,
}

impl Field {
    /// Whether its cells are numbers.
    pub fn is_number(&self) -> bool {
        matches!(self.kind.as_str(), "integer" | "number")
    }
}

#[derive(Clone, Debug)]
pub struct Table {
    pub group: String,
    /// Its columns, in their order.
    pub fields: Vec<Field>,
    /// The cells, all of them text.
    frame: DataFrame,
    /// The set of every row.
    sets: Vec<u64>,
}

impl Table {
    /// Reads a table and checks it against its description.
    pub fn parse(group: &str, place: &str, bytes: &[u8], fields: Vec<Field>) -> Result<Table, Mistake> {
        let damaged = |reason: String| Mistake::Damaged { place: place.into(), reason };
        let mut reader = csv::Reader::from_reader(bytes);
        let header = reader.headers().map_err(|error| damaged(error.to_string().replace('\n', " ")))?.clone();
        if let Some(field) = fields.iter().find(|field| header.iter().all(|name| name != field.name)) {
            return Err(damaged(format!("the column `{}` of datapackage.json is missing", field.name)));
        }
        if let Some(name) = header.iter().find(|name| fields.iter().all(|field| field.name != *name)) {
            return Err(damaged(format!("the column `{name}` is not in datapackage.json")));
        }
        if let Some((_, name)) = header.iter().enumerate().find(|(k, name)| header.iter().take(*k).any(|before| before == *name))
        {
            return Err(damaged(format!("the column `{name}` comes twice")));
        }
        let set_column =
            header.iter().position(|name| name == "set").ok_or_else(|| damaged("the column `set` is missing".into()))?;
        let records: Result<Vec<csv::StringRecord>, csv::Error> = reader.records().collect();
        let records = records.map_err(|error| damaged(error.to_string().replace('\n', " ")))?;
        if bytes.last() != Some(&b'\n') {
            return Err(damaged(format!("the last line, {}, is cut off", records.len() + 1)));
        }
        let set = |(row, record): (usize, &csv::StringRecord)| {
            record[set_column].parse().map_err(|_| damaged(format!("row {}: `{}` is no set", row + 1, &record[set_column])))
        };
        let sets = records.iter().enumerate().map(set).collect::<Result<_, _>>()?;
        let column = |(k, name): (usize, &str)| {
            let cells: Vec<&str> = records.iter().map(|record| &record[k]).collect();
            StringChunked::from_slice(name.into(), &cells).into_column()
        };
        let frame = DataFrame::new(records.len(), header.iter().enumerate().map(column).collect())?;
        let described = |name: &str| fields.iter().find(|field| field.name == name).cloned();
        let fields = header.iter().filter_map(described).collect();
        Ok(Table { group: group.into(), fields, frame, sets })
    }

    pub fn row_count(&self) -> usize {
        self.sets.len()
    }

    /// The set of every row.
    pub fn sets(&self) -> &[u64] {
        &self.sets
    }

    /// Whether it has a column.
    pub fn has(&self, column: &str) -> bool {
        self.fields.iter().any(|field| field.name == column)
    }

    /// The cells of a column.
    pub fn cells(&self, column: &str) -> Result<&StringChunked, Mistake> {
        Ok(self.frame.column(column)?.str()?)
    }
}
