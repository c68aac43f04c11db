//! What was measured as files: tables, times, and what every column means.

use serde_json::json;

use crate::measure::group::Table;
use crate::measure::parts::Measured;
use crate::measure::row::{ColumnKind, TableRow, read};
use crate::results::Row;
use crate::study::Study;

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

/// The rows of a group, in the order of its sets, read again.
///
/// # Errors
/// What is wrong with a line that is no row of it.
pub fn rows_of<R: TableRow>(measured: &Measured) -> Result<Vec<Row<R>>, String> {
    let lines: String = measured.cases.values().flat_map(|case| &case.rows).map(|row| format!("{row}\n")).collect();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(lines.as_bytes());
    let row = |record: csv::Result<csv::StringRecord>| {
        let (set, row) = read(&record.map_err(|error| error.to_string())?)?;
        Ok(Row { set, row })
    };
    reader.records().map(row).collect()
}

/// The time of every case: `group,set,repeat,seconds`. Repeat 0 is the processor time of its thread, taken among all others; cases of
/// a block share its time in the order in which they were done. Further repeats are taken alone on the machine, in turn with the other sets.
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
