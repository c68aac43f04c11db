//! The tables of the study as charts and text read them.

use kit::prelude::*;

use super::references::Checks;
use super::runs::{RunRow, Runs};

/// A run with its time.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What was measured.
    pub row: RunRow,
    /// Median of its times \[s\], where it came to its end.
    pub seconds: Option<f64>,
    /// The fastest and the slowest of them.
    pub extremes: Option<[f64; 2]>,
}

impl Sample {
    /// The scheme: its name up to the first comma, without its variant.
    pub fn scheme(&self) -> &str {
        scheme(&self.row.method)
    }
}

/// A method's name up to the first comma.
pub fn scheme(method: &str) -> &str {
    method.split(',').next().unwrap_or(method)
}

#[derive(Clone, Debug)]
pub struct SceneRuns {
    pub scene: String,
    /// Its runs, those of a method from coarse to fine steps.
    pub runs: Vec<Sample>,
    /// The error that its reference may have itself \[-\], where a check tells.
    pub uncertainty: Option<f64>,
    /// Times of comparison at which a check of the reference failed.
    pub unchecked: usize,
}

impl SceneRuns {
    /// Runs of a method that came to their end, from coarse to fine steps.
    pub fn of<'a>(&'a self, method: &'a str) -> impl Iterator<Item = &'a Sample> {
        self.runs.iter().filter(move |run| run.row.method == method && run.row.is_finished())
    }
}

/// All runs, by scene. A reference may be as wrong as it is far from the other solution with its own scheme; the second one shows
/// that another scheme leads to the same, as far as that one is accurate.
pub fn scenes(results: &Results) -> Result<Vec<SceneRuns>, ResultsError> {
    let seconds = seconds::<Runs>(results)?;
    let checks = results.rows::<Checks>()?;
    let rows = results.rows::<Runs>()?;
    let of = |scene: &String| {
        let checks = || checks.iter().filter(|check| check.row.scene == *scene).map(|check| check.row.distance);
        let runs = rows.iter().filter(|row| row.row.scene == *scene).map(|row| {
            let timed = seconds.get(&row.set).filter(|_| row.row.is_finished());
            let (seconds, extremes) = (timed.and_then(|times| median(times)), timed.and_then(|times| extremes(times)));
            Sample { row: row.row.clone(), seconds, extremes }
        });
        let unchecked = checks().filter(Option::is_none).count();
        SceneRuns { runs: runs.collect(), uncertainty: checks().flatten().reduce(f64::max), unchecked, scene: scene.clone() }
    };
    let mut scenes: Vec<&String> = vec![];
    for row in &rows {
        if !scenes.contains(&&row.row.scene) {
            scenes.push(&row.row.scene);
        }
    }
    Ok(scenes.into_iter().map(of).collect())
}
