//! A run of a sweep in numbers: what is told of it, and kept beside its folder.

use std::path::Path;

use lab::files::{FileError, read_text, write_whole};
use lab::finite;
use race::runs::Counter;
use serde::{Deserialize, Serialize};

use crate::simulate::Summary;

/// The result of a run, the same on every machine but for its time.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Row {
    /// [`DONE`], or what went wrong.
    pub outcome: String,
    pub steps: u64,
    /// Time simulated \[s\].
    pub time: f64,
    /// Largest (l - L) / L in all rows of energies.csv.
    pub largest_strain: Option<f64>,
    /// Energies at the end \[J\]: their sum, kinetic, gravitational, of stretch, of shear, of bending.
    pub energies: [Option<f64>; 6],
    pub solves: u64,
    pub iterations: u64,
    /// Nominal floating-point operations.
    pub operations: f64,
    /// Time that it took \[s\].
    pub seconds: f64,
}

/// Names of [`Row::energies`].
pub const ENERGIES: [&str; 6] = ["energy", "kinetic", "gravitational", "stretch", "shear", "bend"];

/// Outcome of a run that nothing is wrong with.
pub const DONE: &str = "done";

/// A row as it is kept, with all that it depends on.
#[derive(Deserialize, Serialize)]
struct Kept {
    identity: String,
    row: Row,
}

impl Row {
    /// The row of a run whose work `counter` counts.
    pub fn of(summary: &Summary, counter: &Counter) -> Row {
        let energies = summary.end.energies;
        let filtered = summary.kept.as_ref().map_or(0, |kept| kept.work.operations);
        let contacts = summary.collided.map_or(0, |collided| collided.work.contacts);
        let operations = counter.nominal(summary.evaluations, summary.work, filtered, summary.steps, contacts);
        Row {
            outcome: summary.outcome().words().to_owned(),
            steps: summary.steps,
            time: summary.end.time,
            largest_strain: finite(summary.strained.largest),
            energies: [
                energies.total(),
                energies.kinetic,
                energies.gravitational,
                energies.stretch,
                energies.shear,
                energies.bend,
            ]
            .map(finite),
            solves: summary.work.solves,
            iterations: summary.work.iterations,
            operations: libm::round(finite(operations).unwrap_or_default()),
            seconds: summary.seconds,
        }
    }

    /// True where nothing went wrong.
    pub fn is_done(&self) -> bool {
        self.outcome == DONE
    }

    /// The row in a file, if that is there and of a run with this `identity`.
    pub fn kept(path: &Path, identity: &str) -> Option<Row> {
        let kept: Kept = serde_json::from_str(&read_text(path).ok()?).ok()?;
        (kept.identity == identity).then_some(kept.row)
    }

    /// Keeps the row in a file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn keep(&self, path: &Path, identity: &str) -> Result<(), FileError> {
        let kept = Kept { identity: identity.to_owned(), row: self.clone() };
        let text = serde_json::to_string(&kept).map_err(|error| FileError::write(path, error.into()))?;
        write_whole(path, text.as_bytes())
    }
}
