//! Which reading of the tolerance maintains the order of accuracy of the scheme, as the thesis says of its rule.

use kit::prelude::*;

use super::method::CP;
use super::scenes::{CONVERGED, FIRST, PINNED, ROOT, Reading, STEP, run};

ranges!(OrderRanges {
    //! Which sheets, and with which steps.
    /// Number of sheets.
    sets: Count,
    /// Simulated time \[s\].
    duration: Positive,
    /// Numbers of steps that it is divided into.
    steps: List<Count>,
    /// Steps of the reference, which is solved to 1e-8.
    reference: Count,
    /// What the sheets are drawn from; their step does not matter.
    lists: LengthLists,
});

/// The readings that are compared.
pub const READINGS: [Reading; 4] = [STEP, ROOT, FIRST, CONVERGED];

row! {
    /// A sheet under a reading with a step, and how far it is from the reference.
    pub struct OrderRow {
        /// when conjugate gradients end: tol = c dt, tol = sqrt(c dt), tol = c dt against the first residual, or converged
        pub reading: String,
        /// particles a side
        pub side: usize,
        /// steps of the run
        pub steps: u64,
        /// dt, time step \[s\]
        pub step: f64,
        /// finished, gains energy, not finite, or refused; no reference where that is lost
        pub status: Status,
        /// what went wrong
        pub reason: Option<String>,
        /// iterations of conjugate gradients
        pub iterations: u64,
        /// largest difference of a coordinate to the reference at the end, over the sheet's length
        pub error: Option<f64>,
        /// the same to the converged run with the same steps: what the solver alone leaves
        pub solver_error: Option<f64>,
    }
}

/// Pinned sheets with ever smaller steps.
#[derive(Clone)]
pub struct Order(pub OrderRanges);

impl Group for Order {
    const NAME: &'static str = "order";
    const ABOUT: &'static str =
        "pinned sheets with ever smaller steps under each reading of the tolerance, against a converged reference";
    type Case = Sheet;
    type Row = OrderRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet::of_length(&self.0.lists, Configuration::Corners, stream)
    }

    fn measure(&self, sheet: &Sheet) -> Vec<OrderRow> {
        let reference = self.end(sheet, &CONVERGED, self.0.reference.get()).1;
        let mut rows = vec![];
        for steps in self.0.steps.values() {
            let converged = self.end(sheet, &CONVERGED, steps.get());
            let between = |one: &Option<State>, other: &Option<State>| {
                finite(largest_difference(one.as_ref()?, other.as_ref()?) / sheet.length())
            };
            for reading in &READINGS {
                let (mut row, end) =
                    if *reading == CONVERGED { converged.clone() } else { self.end(sheet, reading, steps.get()) };
                row.error = between(&end, &reference);
                row.solver_error = between(&end, &converged.1);
                if row.error.is_none() && row.status == Status::Finished {
                    row.status = Status::NoReference;
                }
                rows.push(row);
            }
        }
        rows
    }
}

impl Order {
    /// A run, with its end where it is finished.
    fn end(&self, sheet: &Sheet, reading: &Reading, steps: u32) -> (OrderRow, Option<State>) {
        let step = self.0.duration.get() / f64::from(steps);
        let sheet = Sheet { step, ..*sheet };
        let row = OrderRow {
            reading: reading.name.into(),
            side: sheet.side,
            steps: steps.into(),
            step,
            status: Status::Refused,
            ..OrderRow::default()
        };
        let mut run = match run(&sheet, &PINNED, &CP, reading) {
            Ok(run) => run,
            Err(invalid) => return (OrderRow { reason: Some(invalid.to_string()), ..row }, None),
        };
        let mut course = RunWatch::new(&run.cloth, &run.state, steps.into());
        while course.goes_on() {
            run.step(step);
            course.watch(&run.cloth, &run.state);
        }
        let (status, reason) = (course.status(), course.reason());
        let row = OrderRow { status, reason, iterations: run.work().iterations, ..row };
        (row, (course.status() == Status::Finished).then_some(run.state))
    }
}

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
    let mut lines = vec![];
    for reading in &READINGS {
        let mut cells = vec![reading.name.into()];
        for (_, left) in KINDS {
            let (order, lost) = order_of(results, reading, left)?;
            let order = order.map_or_else(|| "none".into(), |order| order.to_string());
            cells.push(if lost > 0 { format!("{order}, {lost} sheets left out") } else { order });
        }
        lines.push(cells);
    }
    let heads = [&format!("order of the {}", KINDS[0].0), &format!("order of {}", KINDS[1].0)];
    Ok(table(&["tolerance", heads[0], heads[1]], lines) + "\n")
}

/// Error against the step.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let mut panels = vec![];
    for (kind, left) in KINDS {
        let mut layers = vec![];
        for (k, reading) in READINGS.iter().enumerate() {
            let rows: Vec<OrderRow> = by_sheet(results, reading)?.into_iter().flatten().collect();
            let steps: Vec<f64> = distinct(rows.iter().map(|row| row.step));
            let at = |step: f64| median(&rows.iter().filter(|row| row.step == step).filter_map(left).collect::<Vec<_>>());
            let points = steps.into_iter().filter_map(|step| Some([step, at(step).filter(|left| *left > 0.0)?]));
            let points: Vec<[f64; 2]> = points.collect();
            layers.extend(Layer::marked_line(reading.name, Palette::series(k), points));
        }
        panels.push(
            Panel::new(Axis::log("dt  [s]"), Axis::log("largest difference  [side]"), layers).titled(kind).legend_outside(),
        );
    }
    let caption = "Pinned sheets by CP under each reading: largest difference of a coordinate at the end to a reference of far smaller \
                   steps that is solved to 1e-8, and to a converged run with the same steps, in the median over sheets. The thesis says \
                   that its rule, tol² = c dt, maintains the order of accuracy.";
    Ok(Figure::new("order", "Which reading of the tolerance maintains the order of accuracy", caption, panels))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Order(ranges.order.clone())).plot("order", chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_converged_run_with_the_steps_of_the_reference_has_no_error() {
        let text = "sets = 1\nduration = 0.1\nsteps = [10, 40]\nreference = 40\n[lists]\nlength = 1.0\nside = [6]\ndensity = [0.2]\n\
                    stiffness = [300.0]\nbend = [0.01]\ndamping = [0.1]\nair = [0.001]\nstep = [0.01]";
        let group = Order(kit::ranges::stated(text));
        let sheet = group.case(0, &mut lab::measure::streams::stream("order", "test", 1, 0));
        let rows = group.measure(&sheet);
        let of = |reading: &Reading, steps: u64| {
            let row = rows.iter().find(|row| row.reading == reading.name && row.steps == steps).unwrap();
            [row.error, row.solver_error].map(Option::unwrap)
        };
        assert_eq!(of(&CONVERGED, 40), [0.0, 0.0]);
        assert!(of(&CONVERGED, 10)[0] > 1e-4 && of(&CONVERGED, 10)[1] == 0.0, "{rows:?}");
        assert!(of(&ROOT, 40)[1] > of(&STEP, 40)[1] && of(&STEP, 40)[1] > 0.0, "{rows:?}");
    }
}
