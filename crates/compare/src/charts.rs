//! Charts of the columns that changed: old against new.

use std::path::Path;

use chart::{Axis, Dash, Figure, Layer, Palette, Panel};
use lab::files::write_whole;

use crate::Mistake;
use crate::comparison::Comparison;
use crate::rows::{ColumnDifference, TableDifference};

/// Points of a panel at most; more only make the file larger.
const SHOWN: usize = 2000;
/// Panels in a row.
const ACROSS: usize = 3;

/// Draws every table with numbers that changed into a folder, `<study>-<group>.svg` and the points beside it as CSV; their number.
pub fn draw(comparison: &Comparison, folder: &Path) -> Result<usize, Mistake> {
    let mut drawn = 0;
    for study in &comparison.studies {
        for table in &study.tables {
            let changed: Vec<&ColumnDifference> = table.columns.iter().filter(|column| !column.points.is_empty()).collect();
            if changed.is_empty() {
                continue;
            }
            let figure = figure(&study.study, table, &changed);
            let fail = |error| Mistake::Internal(format!("the chart {}: {error}", figure.name));
            write_whole(&folder.join(format!("{}.svg", figure.name)), figure.svg().map_err(fail)?.as_bytes())?;
            write_whole(&folder.join(format!("{}.csv", figure.name)), figure.points_csv().map_err(fail)?.as_bytes())?;
            drawn += 1;
        }
    }
    Ok(drawn)
}

fn figure(study: &str, table: &TableDifference, changed: &[&ColumnDifference]) -> Figure {
    let name = format!("{study}-{}", table.group);
    let title = format!("{study}, {}: rows that changed", table.group);
    let columns = changed.len().min(ACROSS);
    Figure { columns, ..Figure::new(name, title, "", changed.iter().map(|column| panel(column)).collect()) }
}

fn panel(column: &ColumnDifference) -> Panel {
    let values = || column.points.iter().flatten().copied();
    let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let unit = if column.unit == "-" { String::new() } else { format!("  [{}]", column.unit) };
    let axis = |side: &str| {
        let label = format!("{side} {}{unit}", column.column);
        if low > 0.0 && high / low > 100.0 { Axis::log(label) } else { Axis::linear(label) }
    };
    let every = column.points.len().div_ceil(SHOWN);
    let points: Vec<[f64; 2]> = column.points.iter().copied().step_by(every).collect();
    let count =
        if every > 1 { format!("{} of {} rows", points.len(), column.points.len()) } else { format!("{} rows", points.len()) };
    let equal = Layer::line("no change", Palette::GREY, vec![[low, low], [high, high]]).dash(Dash::Dashed);
    let rows = Layer::points(count, Palette::BLUE, points);
    Panel::new(axis("old"), axis("new"), vec![equal, rows]).titled(column.column.clone())
}
