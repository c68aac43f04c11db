//! Charts of the columns that changed: old against new, and new/old - 1 by set.

use std::path::Path;

use chart::{Axis, Color, Dash, Direction, Figure, Layer, Marker, Palette, Panel};
use lab::files::write_whole;

use crate::Mistake;
use crate::comparison::Comparison;
use crate::rows::{ColumnDifference, Point, TableDifference};

/// Points of a panel at most; more only make the file larger.
const SHOWN: usize = 2000;
/// Panels in a row.
const ACROSS: usize = 3;

/// Largest over smallest change that a linear axis shows.
const LINEAR: f64 = 100.0;

/// Draws every table with numbers that changed into a folder, `<study>-<group>.svg` and `<study>-<group>-change.svg`, with the
/// points beside them as CSV; how many.
pub fn draw(comparison: &Comparison, folder: &Path) -> Result<usize, Mistake> {
    let mut drawn = 0;
    for study in &comparison.studies {
        for table in &study.tables {
            let changed: Vec<&ColumnDifference> = table.columns.iter().filter(|column| !column.points.is_empty()).collect();
            if changed.is_empty() {
                continue;
            }
            for figure in figures(&study.study, table, &changed) {
                let fail = |error| Mistake::Internal(format!("the chart {}: {error}", figure.name));
                write_whole(&folder.join(format!("{}.svg", figure.name)), figure.svg().map_err(fail)?.as_bytes())?;
                write_whole(&folder.join(format!("{}.csv", figure.name)), figure.points_csv().map_err(fail)?.as_bytes())?;
                drawn += 1;
            }
        }
    }
    Ok(drawn)
}

fn figures(study: &str, table: &TableDifference, changed: &[&ColumnDifference]) -> Vec<Figure> {
    let name = format!("{study}-{}", table.group);
    let figure = |name: String, title: String, panels: Vec<Panel>| {
        let columns = panels.len().min(ACROSS);
        (columns > 0).then(|| Figure { columns, ..Figure::new(name, title, "", panels) })
    };
    let values = figure(
        name.clone(),
        format!("{study}, {}: rows that changed", table.group),
        changed.iter().map(|column| panel(column)).collect(),
    );
    let title = format!("{study}, {}: new/old - 1 of rows that changed", table.group);
    let changes = figure(format!("{name}-change"), title, changed.iter().filter_map(|column| change_panel(column)).collect());
    values.into_iter().chain(changes).collect()
}

/// New/old - 1 by set: linear in percent, or where changes are of many sizes, by magnitude with a colour for each sign. None
/// where no row has such a number.
fn change_panel(column: &ColumnDifference) -> Option<Panel> {
    let change = |point: &Point| (point.old != 0.0).then(|| [point.set as f64, (point.new - point.old) / point.old.abs()]);
    let all: Vec<[f64; 2]> =
        column.points.iter().filter_map(change).filter(|[_, change]| change.is_finite() && *change != 0.0).collect();
    let every = all.len().div_ceil(SHOWN).max(1);
    let shown: Vec<[f64; 2]> = all.iter().copied().step_by(every).collect();
    let sizes = || shown.iter().map(|[_, change]| change.abs());
    let (low, high) = sizes().fold((f64::INFINITY, 0.0_f64), |(low, high), size| (low.min(size), high.max(size)));
    if shown.is_empty() {
        return None;
    }
    let x = Axis::linear("set").whole_numbers();
    let panel = if high / low > LINEAR {
        let layer = |(label, colour, marker, is_more): (&str, Color, Marker, bool)| {
            let of_sign = shown.iter().filter(|[_, change]| (*change > 0.0) == is_more);
            let points: Vec<[f64; 2]> = of_sign.map(|[set, change]| [*set, change.abs()]).collect();
            (!points.is_empty()).then(|| Layer::points(format!("{label}: {} rows", points.len()), colour, points).marker(marker))
        };
        let signs = [("more", Palette::BLUE, Marker::Circle, true), ("less", Palette::VERMILLION, Marker::Triangle, false)];
        Panel::new(x, Axis::log("|new/old - 1|"), signs.into_iter().filter_map(layer).collect())
    } else {
        let none = Layer::rule("no change", Palette::GREY, Direction::Horizontal, 0.0).dash(Dash::Dashed);
        let rows = Layer::points(
            format!("{} rows", shown.len()),
            Palette::BLUE,
            shown.iter().map(|[set, change]| [*set, 100.0 * change]).collect(),
        );
        Panel::new(x, Axis::linear("new/old - 1  [%]"), vec![none, rows])
    };
    Some(panel.titled(column.column.clone()))
}

fn panel(column: &ColumnDifference) -> Panel {
    let values = || column.points.iter().flat_map(|point| [point.old, point.new]);
    let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let unit = if column.unit == "-" { String::new() } else { format!("  [{}]", column.unit) };
    let axis = |side: &str| {
        let label = format!("{side} {}{unit}", column.column);
        if low > 0.0 && high / low > 100.0 { Axis::log(label) } else { Axis::linear(label) }
    };
    let every = column.points.len().div_ceil(SHOWN);
    let points: Vec<[f64; 2]> = column.points.iter().map(|point| [point.old, point.new]).step_by(every).collect();
    let count =
        if every > 1 { format!("{} of {} rows", points.len(), column.points.len()) } else { format!("{} rows", points.len()) };
    let equal = Layer::line("no change", Palette::GREY, vec![[low, low], [high, high]]).dash(Dash::Dashed);
    let rows = Layer::points(count, Palette::BLUE, points);
    Panel::new(axis("old"), axis("new"), vec![equal, rows]).titled(column.column.clone())
}
