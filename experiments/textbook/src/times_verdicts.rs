//! Ends of the timed sheets by explicit schemes, and the step at which backward Euler has the same error there.

use kit::prelude::*;

use super::ends::{EndRow, Ends};
use super::times::{EXPLICIT, METHODS, ONCE, SYMPLECTIC};

row! {
    /// A sheet by an explicit scheme.
    pub struct MatchedRow {
        /// the first set of the sheet in `times`
        pub set: u64,
        /// the explicit scheme
        pub method: String,
        /// how many of it and of backward Euler do not finish at the step that is timed
        pub unfinished: usize,
        /// dt at which backward Euler has the error of the scheme \[s\]
        pub step: Option<f64>,
        /// iterations of conjugate gradients that a step of backward Euler takes there
        pub iterations: Option<f64>,
    }
}

/// Sheets by explicit schemes, with the steps at which backward Euler is as accurate.
pub fn matched(results: &Results) -> Result<Vec<MatchedRow>, ResultsError> {
    let ends = results.rows::<Ends>()?;
    let row = |sheet: &[Row<EndRow>], method: &str| {
        let by = |method: &str| sheet.iter().map(|row| &row.row).filter(|row| row.method == method).collect::<Vec<_>>();
        let (explicit, once) = (by(method), by(ONCE));
        let timed = [explicit.first(), once.first()];
        let unfinished = timed.iter().filter(|end| end.is_none_or(|end| end.status != Status::Finished)).count();
        let points: Vec<[f64; 3]> = once.iter().filter_map(|end| point(end)).collect();
        let error = explicit.first().and_then(|end| end.error);
        let [step, iterations] = error.and_then(|error| step_at(&points, error)).map_or([None; 2], |at| at.map(Some));
        MatchedRow { set: sheet[0].set * METHODS.len() as u64, method: method.into(), unfinished, step, iterations }
    };
    let sheets = ends.chunk_by(|a, b| a.set == b.set);
    Ok(sheets.flat_map(|sheet| [EXPLICIT, SYMPLECTIC].map(|method| row(sheet, method))).collect())
}

/// Step, error and iterations a step.
fn point(end: &EndRow) -> Option<[f64; 3]> {
    Some([end.step, end.error?, end.iterations as f64 / end.steps as f64])
}

/// The step at which a scheme has an error, between points of falling steps, on a straight line between logarithms, and the
/// iterations of the next shorter one; the longest step where that has less error, the shortest where all have more.
fn step_at(points: &[[f64; 3]], error: f64) -> Option<[f64; 2]> {
    let Some(k) = points.iter().position(|point| point[1] <= error) else {
        return points.last().map(|[step, _, iterations]| [*step, *iterations]);
    };
    let [from, to] = [points[k.saturating_sub(1)], points[k]];
    let share = if k == 0 || to[1] <= 0.0 { 1.0 } else { libm::log(error / from[1]) / libm::log(to[1] / from[1]) };
    Some([from[0] * libm::pow(to[0] / from[0], share), to[2]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_at_an_error_lie_on_lines_between_logarithms() {
        let points = [[1.0, 0.1, 30.0], [0.25, 0.025, 10.0], [0.0625, 0.0025, 5.0]];
        assert_eq!(step_at(&points, 0.2), Some([1.0, 30.0]), "the longest step is as accurate");
        let [step, iterations] = step_at(&points, 0.05).unwrap();
        assert!((step - 0.5).abs() < 1e-12 && iterations == 10.0, "{step}");
        assert_eq!(step_at(&points, 1e-4), Some([0.0625, 5.0]), "no step is");
        assert_eq!(step_at(&[], 1.0), None);
    }
}
