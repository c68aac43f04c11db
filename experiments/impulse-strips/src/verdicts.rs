//! The verdicts on counts and strains. Criteria stand in `claims/*.toml` and were fixed before the runs.

use kit::prelude::*;

use super::scene::{ARC, LENGTH, RunRow, STRIPS};
use super::steps::Steps;

/// A finding that rests on exact counts.
pub fn counted(verdict: Verdict, measured: String, cases: usize, reason: &str, readings: Vec<Reading>) -> Finding {
    Finding::new(verdict, measured, reason).cases(cases).readings(readings)
}

/// All, some or none.
pub fn by_share(held: usize, of: usize) -> Verdict {
    match held {
        0 => Verdict::NotReproduced,
        held if held == of => Verdict::Reproduced,
        _ => Verdict::DirectionOnly,
    }
}

/// What a claim comes to as printed, or where it only holds along directions of the preview; `direction` is judged where it does
/// not.
pub fn as_corrected(printed: Answer, corrected: Answer, direction: Answer) -> Verdict {
    match (printed, corrected) {
        (Answer::Yes, _) => Verdict::Reproduced,
        (_, Answer::Yes) => Verdict::ReproducedAsCorrected,
        (_, corrected) => verdict(corrected, direction),
    }
}

/// The reading that takes the paper at its word.
pub const PRINTED: &str = "directions of the start of the step, as printed";

/// A tolerance in per cent, without digits that it does not have.
pub fn per_cent(tolerance: f64) -> String {
    format!("{} %", (1e9 * tolerance).round() / 1e7)
}

/// A number or a dash.
pub fn word(value: Option<f64>) -> String {
    value.map_or_else(|| "-".into(), short)
}

/// Sheets of the main group that vary in nothing but what `differs` allows.
pub fn steps_where(results: &Results, differs: impl Fn(&RunRow) -> bool) -> Result<Vec<RunRow>, ResultsError> {
    Ok(results.without_sets::<Steps>()?.into_iter().filter(differs).collect())
}

/// Whether a run is the usual one but for its grid, its tolerance and its limit.
pub fn usual(row: &RunRow) -> bool {
    row.is_sized(LENGTH, ARC) && row.air == 0.0 && !row.velocities && row.method == STRIPS.name()
}

/// Most that the energy may rise above that of the start for no energy to be made, in falls by the side: a criterion of claims,
/// which asks more than that a run is finished.
pub const RISE: f64 = 0.01;

/// Whether a sheet came to its end and made no energy in any step.
pub fn makes_no_energy(row: &RunRow) -> bool {
    row.gain.is_some_and(|gain| gain <= RISE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_only_along_other_directions_than_printed_is_said_to() {
        use Answer::{No, Open, Yes};
        assert_eq!(as_corrected(Yes, No, No), Verdict::Reproduced);
        assert_eq!(as_corrected(No, Yes, No), Verdict::ReproducedAsCorrected);
        assert_eq!(as_corrected(Open, Yes, No), Verdict::ReproducedAsCorrected);
        assert_eq!(as_corrected(No, No, Yes), Verdict::DirectionOnly);
        assert_eq!(as_corrected(No, Open, Yes), Verdict::Inconclusive);
        assert_eq!((per_cent(1e-8), per_cent(0.01)), ("0.000001 %".into(), "1 %".into()));
    }
}
