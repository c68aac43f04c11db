//! What hangs on the reading of the tolerance: how the error falls with the step, and how iterations grow with the sheet.

use chart::{Axis, Figure, Layer, Palette, Panel};
use lab::judge::claims::Reading as Line;
use lab::judge::statistics::{line, median};
use lab::prelude::*;

use super::order::{Order, OrderRow, READINGS};
use super::samples::{Counts, Part, counts_of, exponent as counts_exponent, rows};
use super::scenes::{ROOT, Reading, SLIDING, STEP};
use super::systems::{Readings, SystemRow, Systems};
use super::verdicts::{of, shown};

/// The rows of a reading by sheet.
fn by_sheet(results: &Results, reading: &Reading) -> Result<Vec<Vec<OrderRow>>, ResultsError> {
    let rows = results.rows::<Order>()?;
    let sheets = rows.chunk_by(|a, b| a.set == b.set);
    let of = |sheet: &[Row<OrderRow>]| -> Vec<OrderRow> {
        sheet.iter().map(|row| row.row.clone()).filter(|row| row.reading == reading.name).collect()
    };
    Ok(sheets.map(of).collect())
}

/// What is left at the end of a run.
type Left = fn(&OrderRow) -> Option<f64>;

/// By the whole of it, and by the solver alone.
const KINDS: [(&str, Left); 2] = [("error", |row| row.error), ("what the solver alone leaves", |row| row.solver_error)];

/// Exponent of what is left of a sheet against its step; none where a run of it is lost.
fn exponent(sheet: &[OrderRow], left: Left) -> Option<f64> {
    let point = |row: &OrderRow| Some([libm::log(row.step), libm::log(left(row).filter(|left| *left > 0.0)?)]);
    Some(line(&sheet.iter().map(point).collect::<Option<Vec<_>>>()?)?.slope)
}

/// Median exponent against the step over sheets, with how many sheets have none.
fn order_of(results: &Results, reading: &Reading, left: Left) -> Result<(Option<Estimate>, usize), ResultsError> {
    let sheets = by_sheet(results, reading)?;
    let exponents: Vec<f64> = sheets.iter().filter_map(|sheet| exponent(sheet, left)).collect();
    Ok((Estimate::median(&exponents), sheets.len() - exponents.len()))
}

/// The orders under each reading, as a table.
pub fn summary(results: &Results) -> Result<String, ResultsError> {
    let mut table = format!("| tolerance | order of the {} | order of {} |\n| --- | --- | --- |\n", KINDS[0].0, KINDS[1].0);
    for reading in &READINGS {
        let mut cells = vec![];
        for (_, left) in KINDS {
            let (order, lost) = order_of(results, reading, left)?;
            let order = order.map_or_else(|| "none".into(), |order| shown(&order));
            cells.push(if lost > 0 { format!("{order}, {lost} sheets left out") } else { order });
        }
        table += &format!("| {} | {} |\n", reading.name, cells.join(" | "));
    }
    Ok(table)
}

/// Exponents of none under both readings of the printed rule, on the sets that finish under both, and by how much they differ: so
/// that nothing but the tolerance does.
pub(super) fn both_tolerances(results: &Results) -> Result<Option<Line>, ResultsError> {
    let [step, root] = [rows::<Systems>(results, &SLIDING, &STEP)?, rows::<Readings>(results, &SLIDING, &ROOT)?];
    let (step, root): (Vec<SystemRow>, Vec<SystemRow>) =
        step.into_iter().zip(root).filter(|(step, root)| step.is_finished() && root.is_finished()).unzip();
    let [step, root] = [counts_of(&step, Part::Whole), counts_of(&root, Part::Whole)];
    if step.len() != root.len() {
        return Ok(None);
    }
    // least squares is linear in the ordinates, so the slope of the ratio is the difference of the slopes
    let ratios: Vec<Counts> = step
        .iter()
        .zip(&root)
        .map(|(step, root)| Counts { none: step.none / root.none, solves: step.solves / root.solves, ..*step })
        .collect();
    let law = |name: &str, sample: &[Counts]| counts_exponent(name, sample, |counts| counts.none);
    let found = law("step", &step).zip(law("root", &root)).zip(law("between", &ratios));
    Ok(found.map(|((one, other), gap)| {
        let measured = format!("{}; {}; difference {}", shown(&one), shown(&other), shown(&gap));
        Line::new(BOTH_TOLERANCES, format!("{measured} over {}", of(step.len())), None)
    }))
}

/// Its name.
const BOTH_TOLERANCES: &str = "exponents of none under tol = c dt and sqrt(c dt), the sets that finish under both";

/// Error against the step.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let mut panels = vec![];
    for (kind, left) in KINDS {
        let mut layers = vec![];
        for (k, reading) in READINGS.iter().enumerate() {
            let rows: Vec<OrderRow> = by_sheet(results, reading)?.into_iter().flatten().collect();
            let mut steps: Vec<f64> = rows.iter().map(|row| row.step).collect();
            steps.sort_by(f64::total_cmp);
            steps.dedup();
            let at = |step: f64| median(&rows.iter().filter(|row| row.step == step).filter_map(left).collect::<Vec<_>>());
            let points = steps.into_iter().filter_map(|step| Some([step, at(step).filter(|left| *left > 0.0)?]));
            let points: Vec<[f64; 2]> = points.collect();
            layers.push(Layer::line("", Palette::series(k), points.clone()));
            layers.push(Layer::points(reading.name, Palette::series(k), points));
        }
        panels.push(
            Panel::new(Axis::log("dt  [s]"), Axis::log("largest difference  [side]"), layers).titled(kind).legend_outside(),
        );
    }
    Ok(Figure::new(
        "order",
        "Which reading of the tolerance maintains the order of accuracy",
        "Pinned sheets by CP under each reading: largest difference of a coordinate at the end to a reference of far smaller steps that is solved to \
         1e-8, and to a converged run with the same steps, in the median over sheets. The thesis says that its rule, tol² = c dt, maintains the order of accuracy.",
        panels,
    ))
}
