//! Verdicts on the relaxed patch and on the garment. Their criteria stand in `claims/*.toml` and were fixed before the runs.

use lab::claims::{Finding, Reading, Verdict};
use lab::report::short;
use lab::results::{Results, ResultsError, Row};
use lab::statistics::median;

use super::garment::GarmentRow;
use super::relaxed::RelaxedRow;
use super::samples::{same, seconds};

/// A strain in percent, also where it is far below one.
pub fn percent(strain: f64) -> String {
    format!("{} %", short(100.0 * strain))
}

/// G-RELAX: the distance of lowest points up to which patches are alike, in sides.
pub const ALIKE: f64 = 0.01;

/// G-RELAX.
pub fn relaxed(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<RelaxedRow> = results.rows("relaxed")?.into_iter().map(|row| row.row).collect();
    let finest = rows.iter().min_by(|a, b| a.strain.total_cmp(&b.strain));
    let at = |strain: f64| rows.iter().find(|row| same(row.strain, strain));
    let (Some(finest), Some(one), Some(ten)) = (finest, at(0.01), at(0.1)) else {
        return Err(ResultsError::TooFew("no patches at 10 %, 1 % and a smaller strain".into()));
    };
    let ended = rows.iter().find(|row| row.status != "converged");
    let away = |row: &RelaxedRow, pick: fn(&RelaxedRow) -> Option<f64>| Some((pick(row)? - pick(finest)?).abs());
    let judged = |pick: fn(&RelaxedRow) -> Option<f64>| match away(one, pick).zip(away(ten, pick)) {
        Some((one, ten)) if one < ALIKE && ten >= ALIKE => Verdict::Reproduced,
        Some((one, ten)) if one >= ALIKE && ten >= ALIKE && one < ten => Verdict::DirectionOnly,
        Some(_) => Verdict::NotReproduced,
        None => Verdict::Inconclusive,
    };
    let verdict = if ended.is_some() { Verdict::Inconclusive } else { judged(|row| row.lowest) };
    let words = |pick: &dyn Fn(&RelaxedRow) -> String| {
        rows.iter().map(|row| format!("{} at {}", pick(row), percent(row.strain))).collect::<Vec<_>>().join(", ")
    };
    let reading = |name: &str, measured: String, verdict| Reading { name: name.into(), measured, verdict };
    Ok(Finding {
        verdict,
        measured: format!("lowest points below the pins {} m", words(&|row| word(row.lowest, short))),
        value: away(one, |row| row.lowest),
        interval: None,
        cases: rows.len(),
        left_out: 0,
        reason: match ended {
            Some(row) => format!("the patch at {} ended as {}", percent(row.strain), row.status),
            None => format!("of one deterministic run each; compared with the patch at {}", percent(finest.strain)),
        },
        readings: vec![
            reading(
                "the lowest that it reaches in the last second",
                words(&|row| word(row.most, short)),
                Some(judged(|row| row.most)),
            ),
            reading("the highest in the last second", words(&|row| word(row.least, short)), Some(judged(|row| row.least))),
            reading("largest kinetic energy in the last second [J]", words(&|row| word(row.kinetic, short)), None),
            reading("largest strain at the end", words(&|row| word(row.largest, percent)), None),
            reading("mean strain at the end", words(&|row| word(row.mean, percent)), None),
        ],
    })
}

/// The published time of a frame \[s\] of the trousers.
const PUBLISHED: f64 = 9.0;

/// A number in words, none where there is none.
pub fn word(value: Option<f64>, words: fn(f64) -> String) -> String {
    value.map_or_else(|| "none".into(), words)
}

/// What became of the waist in a run.
struct Worn<'a> {
    first: &'a GarmentRow,
    lowest: Option<f64>,
    largest: Option<f64>,
    largest_collided: Option<f64>,
    went: bool,
}

impl Worn<'_> {
    fn words(&self) -> String {
        let GarmentRow { strain, elastic, substeps, .. } = self.first;
        let end = if self.went { "" } else { ", and ends early" };
        format!("{} m at {}, {elastic}, {substeps} steps a frame{end}", word(self.lowest, short), percent(*strain))
    }

    fn is_up(&self) -> bool {
        self.went && self.lowest.is_some_and(|lowest| lowest > 0.0)
    }
}

/// Every run; one has gone through where it has all frames and every step converged.
fn worn(rows: &[Row<GarmentRow>]) -> Vec<Worn<'_>> {
    let frames = rows.iter().map(|row| row.row.frame).max().unwrap_or(0);
    let of = |run: &'_ [Row<GarmentRow>]| {
        let most = |pick: fn(&GarmentRow) -> Option<f64>| run.iter().filter_map(|row| pick(&row.row)).reduce(f64::max);
        let whole = run.last().is_some_and(|row| row.row.frame == frames);
        let went = whole && run.iter().all(|row| row.row.status == "converged" && row.row.missed == 0);
        (
            most(|row| row.waist.map(|waist| -waist)).map(|most| -most),
            most(|row| row.largest),
            most(|row| row.largest_collided),
            went,
        )
    };
    let runs = rows.chunk_by(|a, b| a.set == b.set);
    runs.map(|run| {
        let (lowest, largest, largest_collided, went) = of(run);
        Worn { first: &run[0].row, lowest, largest, largest_collided, went }
    })
    .collect()
}

/// G-SCENE.
pub fn scene(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<GarmentRow>> = results.rows("garment")?;
    let worn = worn(&rows);
    let finest = worn.iter().map(|run| run.first.substeps).max().unwrap_or(0);
    let at = |strain: f64| -> Vec<&Worn<'_>> {
        worn.iter().filter(|run| run.first.substeps == finest && same(run.first.strain, strain)).collect()
    };
    let (one, ten) = (at(0.01), at(0.1));
    let timed: Vec<Row<GarmentRow>> = results.rows("garment-times")?;
    let medians = seconds(results, "garment-times")?;
    let mut times = vec![];
    for run in timed.chunk_by(|a, b| a.set == b.set) {
        let row = &run[0].row;
        let went = run.iter().all(|row| row.row.waist.is_some());
        if let Some(time) = medians.get(&run[0].set).filter(|_| went) {
            times.push((row, time / run.len() as f64));
        }
    }
    let slowest = times.iter().filter(|(row, _)| same(row.strain, 0.01)).map(|(_, time)| *time).fold(0.0, f64::max);
    if one.is_empty() || ten.is_empty() || slowest == 0.0 {
        return Err(ResultsError::TooFew("no trousers at 10 % and at 1 %".into()));
    }
    let up = one.iter().all(|run| run.is_up());
    let least = |runs: &[&Worn<'_>]| runs.iter().filter_map(|run| run.lowest).reduce(f64::min);
    let waists = |runs: &[&Worn<'_>]| runs.iter().map(|run| run.words()).collect::<Vec<_>>().join("; ");
    let all: Vec<&Worn<'_>> = worn.iter().collect();
    let strains = |pick: fn(&Worn<'_>) -> Option<f64>| {
        let words = |run: &Worn<'_>| {
            let GarmentRow { strain, elastic, substeps, .. } = run.first;
            format!("{} at {}, {elastic}, {substeps} steps a frame", word(pick(run), percent), percent(*strain))
        };
        worn.iter().map(words).collect::<Vec<_>>().join("; ")
    };
    let frame = |elastic: &str| {
        let factorisations =
            rows.iter().filter(|row| row.row.elastic == elastic && row.row.substeps == finest && same(row.row.strain, 0.01));
        let counts: Vec<f64> = factorisations.map(|row| row.row.factorisations as f64).collect();
        median(&counts).map_or_else(|| "none".into(), |count| format!("{} {elastic}", short(count)))
    };
    let reading = |name: &str, measured: String, verdict| Reading { name: name.into(), measured, verdict };
    let deeper = least(&one).zip(least(&ten)).is_some_and(|(one, ten)| one > ten);
    let drops = if up && deeper { Verdict::Reproduced } else { Verdict::NotReproduced };
    let per_frame = times.iter().map(|(row, time)| format!("{} at {}, {}", short(*time), percent(row.strain), row.elastic));
    let without = worn.iter().filter(|run| run.lowest.is_none()).count();
    Ok(Finding {
        verdict: if up && slowest <= PUBLISHED { Verdict::HardwareBound } else { Verdict::NotReproduced },
        measured: format!("{} s a frame at 1 % with {} vertices", short(slowest), rows[0].row.vertices),
        value: Some(slowest),
        interval: None,
        cases: worn.len() - without,
        left_out: without,
        reason: format!(
            "the waist is never less than {} m above the middle of the hips at 1 %, and {} m at 10 %, with {finest} steps a frame; seconds are those \
             of this machine",
            word(least(&one), short),
            word(least(&ten), short)
        ),
        readings: vec![
            reading("seconds a frame over the first frames", per_frame.collect::<Vec<_>>().join("; "), None),
            reading(
                "at 1 % the waist stays above the hips, at 10 % it sinks deeper",
                waists(&[one.clone(), ten].concat()),
                Some(drops),
            ),
            reading("lowest waist of every run", waists(&all), None),
            reading("factorisations in the median frame at 1 %", [frame("implicit"), frame("explicit")].join(", "), None),
            reading("largest strain before collisions, at the ends of frames", strains(|run| run.largest), None),
            reading("largest strain after collisions, at the ends of frames", strains(|run| run.largest_collided), None),
        ],
    })
}
