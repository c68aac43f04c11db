//! A table of results: every cell as the text that it is.

use polars::prelude::{StringChunked, StringChunkedBuilder};
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
        self.is_integer() || self.kind == "number"
    }

    /// Whether its cells are counts, which rounding leaves alone.
    pub fn is_integer(&self) -> bool {
        self.kind == "integer"
    }
}

/// Cells of a column, as polars keeps text: one behind the other.
#[derive(Clone, Debug)]
pub struct Cells(StringChunked);

impl Cells {
    /// The cell of a row, which the table has.
    pub fn get(&self, row: usize) -> &str {
        self.0.get(row).unwrap_or_default()
    }
}

#[derive(Clone, Debug)]
pub struct Table {
    pub group: String,
    /// Its columns, in their order.
    pub fields: Vec<Field>,
    /// The cells of each of them.
    cells: Vec<Cells>,
    /// The set of every row.
    sets: Vec<u64>,
}

impl Table {
    /// Reads a table and checks it against its description.
    pub fn parse(group: &str, place: &str, bytes: &[u8], fields: Vec<Field>) -> Result<Table, Mistake> {
        let damaged = |reason: String| Mistake::Damaged { place: place.into(), reason };
        let unreadable = |error: csv::Error| damaged(error.to_string().replace('\n', " "));
        let mut reader = csv::Reader::from_reader(bytes);
        let header = reader.headers().map_err(unreadable)?.clone();
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
        let column = |name: &str| StringChunkedBuilder::new(name.into(), 0);
        let mut cells: Vec<StringChunkedBuilder> = header.iter().map(column).collect();
        let mut sets = vec![];
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(unreadable)? {
            cells.iter_mut().zip(&record).for_each(|(cells, cell)| cells.append_value(cell));
            let set = record[set_column].parse();
            sets.push(set.map_err(|_| damaged(format!("row {}: `{}` is no set", sets.len() + 1, &record[set_column])))?);
        }
        if bytes.last() != Some(&b'\n') {
            return Err(damaged(format!("the last line, {}, is cut off", sets.len() + 1)));
        }
        let described = |name: &str| fields.iter().find(|field| field.name == name).cloned();
        let fields = header.iter().filter_map(described).collect();
        let cells = cells.into_iter().map(|cells| Cells(cells.finish())).collect();
        Ok(Table { group: group.into(), fields, cells, sets })
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
        self.cells(column).is_some()
    }

    /// The cells of a column.
    pub fn cells(&self, column: &str) -> Option<&Cells> {
        self.fields.iter().position(|field| field.name == column).map(|k| &self.cells[k])
    }
}
