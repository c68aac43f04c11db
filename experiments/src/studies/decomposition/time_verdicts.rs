//! The verdicts on times. Criteria stand in `claims/*.toml`, with what was known when they were fixed.

use lab::judge::statistics::{Interval, median};
use lab::prelude::*;

use super::assumptions::{PINNED, STICKING_SPHERE, Scene};
use super::times::{TimeRow, Times};
use super::verdicts::{signed, too_few};
use crate::course::FINISHED;

/// A sheet that every solver brought to its end: its rows and median times \[s\], a solver after the other.
struct Timed {
    rows: Vec<TimeRow>,
    seconds: Vec<f64>,
}

impl Timed {
    /// Time of a solver over that of another.
    fn ratio(&self, solver: usize, over: usize) -> Option<f64> {
        Some(self.seconds.get(solver)? / self.seconds.get(over)?)
    }

    /// Rows multiplied by a solver over those of another.
    fn rows(&self, solver: usize, over: usize) -> Option<f64> {
        Some(self.rows.get(solver)?.rows as f64 / self.rows.get(over)?.rows as f64)
    }
}

/// Sheets of a scene that came to their end, and how many were drawn.
fn timed(results: &Results, scene: &Scene) -> Result<(Vec<Timed>, usize), ResultsError> {
    let rows = results.rows::<Times>()?;
    let times = results.times("times")?;
    let seconds = |set: u64| median(&times.iter().filter(|time| time.set == set).map(|time| time.seconds).collect::<Vec<_>>());
    let rows: Vec<&Row<TimeRow>> = rows.iter().filter(|row| row.row.scene == scene.name).collect();
    let (mut sheets, mut drawn) = (vec![], 0);
    for sheet in rows.chunk_by(|a, b| a.row.sheet == b.row.sheet) {
        drawn += 1;
        let Some(seconds) = sheet.iter().map(|row| seconds(row.set)).collect::<Option<Vec<f64>>>() else { continue };
        if sheet.iter().all(|row| row.row.status == FINISHED) {
            sheets.push(Timed { rows: sheet.iter().map(|row| row.row.clone()).collect(), seconds });
        }
    }
    Ok((sheets, drawn))
}

/// Median of a ratio over sheets, by order statistics.
fn over_sheets(sheets: &[Timed], ratio: impl Fn(&Timed) -> Option<f64>) -> Option<Estimate> {
    Estimate::median(&sheets.iter().filter_map(ratio).collect::<Vec<_>>())
}

/// Ratio of the median times of the decomposing and the full solver for each pinned sheet, with its number of particles.
pub fn overheads(results: &Results) -> Result<Vec<[f64; 2]>, ResultsError> {
    let (sheets, _) = timed(results, &PINNED)?;
    Ok(sheets.iter().filter_map(|sheet| Some([(sheet.rows[0].side * sheet.rows[0].side) as f64, sheet.ratio(1, 0)?])).collect())
}

/// Published ratio of times plus or minus 0.02 \[Boxerman 2003, 6.4.1\].
const PUBLISHED_OVERHEAD: [f64; 2] = [1.003, 1.043];

fn judge_overhead(found: &Estimate) -> Verdict {
    let [least, most] = PUBLISHED_OVERHEAD;
    verdict(found.lies_within(least, most), found.lies_above(1.0))
}

/// A change with its interval, of a ratio.
fn change(found: &Estimate) -> String {
    signed(found.value - 1.0, found.interval.map(|i| Interval { low: i.low - 1.0, high: i.high - 1.0 }))
}

/// B-DEC-TIME.
pub fn overhead(results: &Results) -> Result<Finding, ResultsError> {
    let (sheets, drawn) = timed(results, &PINNED)?;
    let found = over_sheets(&sheets, |sheet| sheet.ratio(1, 0)).ok_or_else(|| too_few("no pinned sheet was timed to its end"))?;
    let mut readings = vec![];
    if let Some(work) = over_sheets(&sheets, |sheet| sheet.rows(1, 0)) {
        let measured = format!("{} rows multiplied, in the median sheet", change(&work));
        readings.push(Reading::new("work in place of time, on the same sheets", measured, Some(judge_overhead(&work))));
    }
    Ok(Finding::new(
        judge_overhead(&found),
        format!("{} time in the median sheet", change(&found)),
        "times of this machine, both solvers in turn, matrices in block rows; both read a packed matrix, so that times \
                 compare algorithms; the decomposing solver searches the graph and packs each component into an array of its \
                 own, the full one packs its whole matrix; another layout of the matrix in memory could overturn it",
    )
    .rests_on(&found)
    .left_out(drawn - found.cases)
    .readings(readings))
}

/// Times of both decomposing solvers over those of the full one on the sphere, over sheets, and of the threaded one over the serial.
pub fn on_sphere(results: &Results) -> Result<[Estimate; 3], ResultsError> {
    let (sheets, _) = timed(results, &STICKING_SPHERE)?;
    let missing = || too_few("no sheet on the sphere was timed to its end by three solvers");
    let of = |solver, over| over_sheets(&sheets, |sheet| sheet.ratio(solver, over)).ok_or_else(missing);
    Ok([of(1, 0)?, of(2, 0)?, of(2, 1)?])
}

/// Published times of DS1 and DS2 over that of the full solver \[Boxerman 2003, 6.4.2\].
pub const PUBLISHED_TIMES: [f64; 2] = [0.82, 0.70];

/// How far from them counts as the same.
const NEAR: f64 = 0.1;

/// Both published ratios, in their order: serial faster than full, threads faster than serial.
fn judge_parallel([serial, threaded, against]: &[Estimate; 3]) -> Verdict {
    let [first, second] = PUBLISHED_TIMES;
    let near = serial.lies_within(first - NEAR, first + NEAR).and(threaded.lies_within(second - NEAR, second + NEAR));
    verdict(near.and(against.lies_below(1.0)), serial.lies_below(1.0).and(against.lies_below(1.0)))
}

/// B-DEC-PAR.
pub fn parallel(results: &Results) -> Result<Finding, ResultsError> {
    let found = on_sphere(results)?;
    let [serial, threaded, against] = &found;
    let (sheets, drawn) = timed(results, &STICKING_SPHERE)?;
    let mut readings =
        vec![Reading::new("DS2 against DS1", change(against), Some(verdict(against.lies_below(1.0), false.into())))];
    let near = |published: f64| [published - NEAR, published + NEAR];
    for (name, found, published) in [("DS1 alone", serial, PUBLISHED_TIMES[0]), ("DS2 alone", threaded, PUBLISHED_TIMES[1])] {
        let [low, high] = near(published);
        let verdict = verdict(found.lies_within(low, high), found.lies_below(1.0));
        readings.push(Reading::new(
            name,
            format!("{}, published {}", change(found), signed(published - 1.0, None)),
            Some(verdict),
        ));
    }
    if let Some(work) = over_sheets(&sheets, |sheet| sheet.rows(1, 0)) {
        let [low, high] = near(PUBLISHED_TIMES[0]);
        let verdict = verdict(work.lies_within(low, high), work.lies_below(1.0));
        readings.push(Reading::new("work in place of time: rows multiplied, DS1 against full", change(&work), Some(verdict)));
    }
    let components = over_sheets(&sheets, |sheet| sheet.rows.get(1).map(|row| row.components));
    Ok(Finding::new(
        judge_parallel(&found),
        format!("DS1 {}, DS2 {}, DS2 over DS1 {}", change(serial), change(threaded), change(against)),
        format!(
            "value and interval are those of DS2 over DS1; the thesis has full > DS1 > DS2 on one case and two processors, as many as here; {} \
             components in the median step, of which one holds most of the sheet and leaves the other thread little, while forces, matrix \
             and graph are serial in all three; larger sheets, whose solves outlast the start of a thread, would overturn the order",
            components.map_or_else(|| "no".into(), |found| short_within(found.value, found.interval))
        ),
    )
    .rests_on(against)
    .cases(serial.cases)
    .left_out(drawn - serial.cases)
    .readings(readings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_are_slower_than_none_do_not_reproduce() {
        let between =
            |low: f64, high: f64| Estimate { value: 0.5 * (low + high), interval: Some(Interval { low, high }), cases: 8 };
        let judge = |serial: [f64; 2], threaded: [f64; 2], against: [f64; 2]| {
            judge_parallel(&[serial, threaded, against].map(|[low, high]| between(low, high)))
        };
        assert_eq!(judge([0.75, 0.85], [0.65, 0.75], [0.8, 0.9]), Verdict::Reproduced);
        assert_eq!(judge([0.75, 0.80], [0.76, 0.79], [1.01, 1.1]), Verdict::NotReproduced, "both near, in the wrong order");
        assert_eq!(judge([0.95, 0.99], [0.85, 0.9], [0.9, 0.95]), Verdict::DirectionOnly);
        assert_eq!(judge([0.75, 0.85], [0.65, 0.75], [0.9, 1.1]), Verdict::Inconclusive);
    }
}
