//! Which reading of the tolerance maintains the order of accuracy of the scheme, as the thesis says of its rule.

use cloth::State;
use cloth::quantity::Positive;
use lab::finite;
use lab::prelude::*;

use super::method::CP;
use super::scenes::{CONVERGED, FIRST, PINNED, ROOT, Reading, STEP, run};
use crate::course::{Course, Fate};
use crate::ranges::{Count, List};
use crate::sheets::{Configuration, LengthLists, Sheet, largest_difference};

/// Which sheets, and with which steps.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OrderRanges {
    /// Number of sheets.
    pub sets: Count,
    /// Simulated time \[s\].
    pub duration: Positive,
    /// Numbers of steps that it is divided into.
    pub steps: List<Count>,
    /// Steps of the reference, which is solved to 1e-8.
    pub reference: Count,
    /// What the sheets are drawn from; their step does not matter.
    pub lists: LengthLists,
}

/// The readings that are compared.
pub const READINGS: [Reading; 4] = [STEP, ROOT, FIRST, CONVERGED];

row! {
    /// A sheet under a reading with a step, and how far it is from the reference.
    #[derive(Clone, Debug, PartialEq)]
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
        pub status: String,
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
        self.rows(sheet)
    }
}

impl Order {
    fn rows(&self, sheet: &Sheet) -> Vec<OrderRow> {
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
                if row.error.is_none() && row.status == Fate::Finished.name() {
                    row.status = "no reference".into();
                }
                rows.push(row);
            }
        }
        rows
    }

    /// A run, with its end where it is finished.
    fn end(&self, sheet: &Sheet, reading: &Reading, steps: u32) -> (OrderRow, Option<State>) {
        let step = self.0.duration.get() / f64::from(steps);
        let sheet = Sheet { step, ..*sheet };
        let row = OrderRow {
            reading: reading.name.into(),
            side: sheet.side,
            steps: steps.into(),
            step,
            status: "refused".into(),
            ..OrderRow::default()
        };
        let mut run = match run(&sheet, &PINNED, &CP, reading) {
            Ok(run) => run,
            Err(invalid) => return (OrderRow { reason: Some(invalid.to_string()), ..row }, None),
        };
        let mut course = Course::new(&run.cloth, &run.state, steps.into());
        while course.goes_on() {
            run.step(step);
            course.watch(&run.cloth, &run.state);
        }
        let (status, reason) = (course.fate().name().into(), course.reason());
        let row = OrderRow { status, reason, iterations: run.work().iterations, ..row };
        (row, (course.fate() == Fate::Finished).then_some(run.state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_converged_run_with_the_steps_of_the_reference_has_no_error() {
        let text = "sets = 1\nduration = 0.1\nsteps = [10, 40]\nreference = 40\n[lists]\nlength = 1.0\nside = [6]\ndensity = [0.2]\n\
                    stiffness = [300.0]\nbend = [0.01]\ndamping = [0.1]\nair = [0.001]\nstep = [0.01]";
        let group = Order(toml::from_str(text).unwrap());
        let sheet = group.case(0, &mut lab::measure::streams::stream("order", "test", 1, 0));
        let rows = group.rows(&sheet);
        let of = |reading: &Reading, steps: u64| {
            let row = rows.iter().find(|row| row.reading == reading.name && row.steps == steps).unwrap();
            [row.error, row.solver_error].map(Option::unwrap)
        };
        assert_eq!(of(&CONVERGED, 40), [0.0, 0.0]);
        assert!(of(&CONVERGED, 10)[0] > 1e-4 && of(&CONVERGED, 10)[1] == 0.0, "{rows:?}");
        assert!(of(&ROOT, 40)[1] > of(&STEP, 40)[1] && of(&STEP, 40)[1] > 0.0, "{rows:?}");
    }
}
