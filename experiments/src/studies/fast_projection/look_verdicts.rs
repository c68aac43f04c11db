//! The verdict on the drapes of figure 6: how far both sheets are from each other.

use super::looks::{LookRow, Looks, OtherLooks, OtherRow};
use super::moving_verdicts::percent;
use super::samples::same;
use super::scenes::rms_distance;
use lab::prelude::*;

/// The distance up to which shapes are alike, in sides of the sheet.
const ALIKE_SHAPES: f64 = 0.05;

/// Whether shapes at a distance \[sides\] are alike; one deterministic pair of runs each.
fn alike(distance: f64) -> Verdict {
    verdict(Estimate::exact(distance, 1).lies_below(ALIKE_SHAPES), Answer::No)
}

/// G-LOOK.
pub fn look(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.without_sets::<Looks>()?;
    let mut distances = vec![];
    for frame in rows.chunk_by(|a, b| same(a.time, b.time)) {
        let (one, other): (Vec<_>, Vec<_>) = frame.iter().filter_map(LookRow::places).map(|[one, other]| (one, other)).unzip();
        if one.is_empty() {
            continue; // not reached
        }
        distances.push((frame[0].time, rms_distance(&one, &other)));
    }
    let (time, value) = *distances.last().ok_or_else(|| ResultsError::TooFew("both methods reach no common time".into()))?;
    let words = distances.iter().map(|(time, distance)| format!("{} at {} s", short(*distance), short(*time)));
    let mut readings =
        vec![Reading { name: "distance over time [m]".into(), measured: words.collect::<Vec<_>>().join(", "), verdict: None }];
    readings.extend(other_looks(&results.rows::<OtherLooks>()?));
    Ok(Finding::new(
        alike(value),
        format!("root mean square distance {} of the side after {} s", percent(value), short(time)),
        match rows.iter().find_map(|row| row.reason.as_deref()) {
            None => "one deterministic pair of runs, so without an interval".into(),
            Some(ended) => format!("one deterministic pair of runs, so without an interval; it ended early: {ended}"),
        },
    )
    .value(value)
    .cases(1)
    .readings(readings))
}

/// The last time on each other mesh and with each other step.
fn other_looks(rows: &[Row<OtherRow>]) -> Vec<Reading> {
    let reading = |rows: &[Row<OtherRow>]| {
        let last = &rows.last()?.row;
        Some(Reading::new(
            format!("{0} x {0} particles at {1} steps a second", last.side, last.rate),
            match last.distance {
                Some(distance) => format!("{} of the side after {} s", percent(distance), short(last.time)),
                None => format!("{} s not reached: {}", short(last.time), last.reason.as_deref().unwrap_or("no reason")),
            },
            last.distance.map_or(Verdict::Inconclusive, alike),
        ))
    };
    rows.chunk_by(|a, b| a.set == b.set).filter_map(reading).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_meshes_and_steps_can_be_alike_apart_or_end_early() {
        let row = |set: u64, time: f64, distance: Option<f64>| {
            let (status, reason) = (String::new(), Some("ICD: singular after 3 steps".into()));
            Row { set, row: OtherRow { side: 21, rate: 120, time, status, reason, distance } }
        };
        let rows = [
            row(0, 0.5, Some(0.9)),
            row(0, 1.0, Some(0.01)),
            row(1, 0.5, Some(0.01)),
            row(1, 1.0, Some(0.06)),
            row(2, 0.5, Some(0.01)),
            row(2, 1.0, None),
        ];
        let readings = other_looks(&rows);
        let verdicts: Vec<Option<Verdict>> = readings.iter().map(|reading| reading.verdict).collect();
        assert_eq!(verdicts, [Verdict::Reproduced, Verdict::NotReproduced, Verdict::Inconclusive].map(Some));
        assert_eq!(readings[0].name, "21 x 21 particles at 120 steps a second");
        assert_eq!(readings[2].measured, "1.00 s not reached: ICD: singular after 3 steps");
    }
}
