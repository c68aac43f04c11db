//! The verdicts on times.

use lab::claims::{Finding, Verdict};
use lab::report::short_within;
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{Interval, bootstrap, mean, median};

use super::assumptions::{PINNED, STICKING_SPHERE, Scene};
use super::times::{SOLVERS, TimeRow};
use super::verdicts::{Estimate, estimate, overlaps, reading, signed, too_few};

/// A sheet, and the times of its solvers \[s\], one array a repeat.
struct Timed {
    side: usize,
    repeats: Vec<Vec<f64>>,
}

impl Timed {
    /// The repeats, to draw from.
    fn sample(&self) -> Vec<&[f64]> {
        self.repeats.iter().map(Vec::as_slice).collect()
    }
}

/// Sheets of a scene that came to their end.
fn timed(results: &Results, scene: &Scene) -> Result<Vec<Timed>, ResultsError> {
    let rows: Vec<Row<TimeRow>> = results.rows("times")?;
    let times = results.times("times")?;
    let rows: Vec<&Row<TimeRow>> = rows.iter().filter(|row| row.row.scene == scene.name).collect();
    let mut sheets = vec![];
    for sheet in rows.chunk_by(|a, b| a.row.sheet == b.row.sheet) {
        if sheet.iter().any(|row| row.row.status != "finished") {
            continue;
        }
        let seconds =
            |set: u64, repeat: u32| times.iter().find(|time| time.set == set && time.repeat == repeat).map(|time| time.seconds);
        let repeats = (1..).map_while(|repeat| sheet.iter().map(|row| seconds(row.set, repeat)).collect());
        sheets.push(Timed { side: sheet[0].row.side, repeats: repeats.collect() });
    }
    Ok(sheets)
}

/// Median time of a solver over that of the full one.
fn time_ratio(repeats: &[&[f64]], solver: usize) -> Option<f64> {
    let of = |solver: usize| median(&repeats.iter().filter_map(|times| times.get(solver).copied()).collect::<Vec<_>>());
    Some(of(solver)? / of(0)?)
}

/// Ratio of the median times of the decomposing and the full solver for each pinned sheet, with its number of particles.
pub fn overheads(results: &Results) -> Result<Vec<[f64; 2]>, ResultsError> {
    let sheets = timed(results, &PINNED)?;
    let ratio = |sheet: &Timed| Some([(sheet.side * sheet.side) as f64, time_ratio(&sheet.sample(), 1)?]);
    Ok(sheets.iter().filter_map(ratio).collect())
}

/// Whether times scatter too much to be compared with a range: an interval wider than it would meet any number.
fn is_wider(interval: Option<Interval>, range: f64) -> bool {
    interval.is_none_or(|interval| interval.high - interval.low > range)
}

/// Published ratio of times plus or minus 0.02 \[Boxerman 2003, 6.4.1\].
const PUBLISHED_OVERHEAD: [f64; 2] = [1.003, 1.043];

/// B-DEC-TIME.
pub fn overhead(results: &Results) -> Result<Finding, ResultsError> {
    let ratios: Vec<f64> = overheads(results)?.iter().map(|[_, ratio]| *ratio).collect();
    let (value, interval) =
        estimate("B-DEC-TIME", &ratios, median).ok_or_else(|| too_few("no pinned sheet was timed to its end"))?;
    let [least, most] = PUBLISHED_OVERHEAD;
    let verdict = match interval {
        _ if is_wider(interval, most - least) => Verdict::Inconclusive,
        _ if overlaps(interval, least, most) => Verdict::Reproduced,
        Some(interval) if interval.low > 1.0 => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
    };
    let mut readings = vec![];
    if let Some((value, interval)) = estimate("B-DEC-TIME, mean", &ratios, mean) {
        readings.push(reading("mean instead of median", short_within(value, interval), None));
    }
    let rows: Vec<TimeRow> = results.rows("times")?.into_iter().map(|row| row.row).collect();
    let sum = |solver: &str| {
        let of = rows.iter().filter(|row| row.scene == PINNED.name && row.solver == solver);
        of.map(|row| row.rows).sum::<u64>() as f64
    };
    if sum(SOLVERS[0]) > 0.0 {
        let change = sum(SOLVERS[1]) / sum(SOLVERS[0]) - 1.0;
        readings.push(reading("rows multiplied on the sheets that were timed", signed(change, None), None));
    }
    Ok(Finding {
        verdict,
        measured: format!("{} time in the median sheet", signed(value - 1.0, None)),
        value: Some(value),
        interval,
        cases: ratios.len(),
        left_out: sheets_of(&rows, PINNED.name) - ratios.len(),
        reason: format!(
            "{}times of this machine, both solvers in turn, matrices in block rows; the decomposing solver searches the graph and packs each \
             component into an array of its own, which its products then read",
            if is_wider(interval, most - least) { "the interval is wider than the range that it is compared with; " } else { "" }
        ),
        readings,
    })
}

/// Number of different sheets that were timed in a scene.
fn sheets_of(rows: &[TimeRow], scene: &str) -> usize {
    rows.iter().filter(|row| row.scene == scene && row.solver == SOLVERS[0]).count()
}

/// Times of both decomposing solvers over those of the full one on the sphere, with their intervals over the repeats.
pub fn on_sphere(results: &Results) -> Result<[Estimate; 2], ResultsError> {
    let sheets = timed(results, &STICKING_SPHERE)?;
    let sheet = sheets.first().ok_or_else(|| too_few("the sheet on the sphere was not timed to its end"))?;
    let repeats = sheet.sample();
    let ratio = |solver: usize| {
        let statistic = |sample: &[&[f64]]| time_ratio(sample, solver);
        Some((statistic(&repeats)?, bootstrap(SOLVERS[solver], &repeats, statistic)))
    };
    let missing = || too_few("the sheet on the sphere was timed by fewer than three solvers");
    Ok([ratio(1).ok_or_else(missing)?, ratio(2).ok_or_else(missing)?])
}

/// Published times of DS1 and DS2 over that of the full solver \[Boxerman 2003, 6.4.2\].
pub const PUBLISHED_TIMES: [f64; 2] = [0.82, 0.70];

/// How far from them counts as the same.
const NEAR: f64 = 0.1;

/// B-DEC-PAR.
pub fn parallel(results: &Results) -> Result<Finding, ResultsError> {
    let [serial, threaded] = on_sphere(results)?;
    let near = |(_, interval): Estimate, published: f64| overlaps(interval, published - NEAR, published + NEAR);
    let is_disturbed = |(_, interval): Estimate| is_wider(interval, 2.0 * NEAR);
    let verdict = match (serial.0 < 1.0, threaded.0 < serial.0) {
        _ if is_disturbed(serial) || is_disturbed(threaded) => Verdict::Inconclusive,
        _ if near(serial, PUBLISHED_TIMES[0]) && near(threaded, PUBLISHED_TIMES[1]) => Verdict::Reproduced,
        (true, true) => Verdict::DirectionOnly,
        (true, false) => Verdict::HardwareBound,
        _ => Verdict::NotReproduced,
    };
    let rows = results.rows::<TimeRow>("times")?.into_iter().map(|row| row.row);
    let rows: Vec<TimeRow> = rows.filter(|row| row.scene == STICKING_SPHERE.name).collect();
    let count = |solver: &str| rows.iter().find(|row| row.solver == solver).map(|row| row.rows as f64);
    let mut readings = vec![];
    if let (Some(full), Some(decomposed)) = (count(SOLVERS[0]), count(SOLVERS[1])) {
        readings.push(reading("rows multiplied, DS1 against full", signed(decomposed / full - 1.0, None), None));
    }
    let words =
        |(value, interval): Estimate| signed(value - 1.0, interval.map(|i| Interval { low: i.low - 1.0, high: i.high - 1.0 }));
    readings.push(reading("DS2 against DS1", signed(threaded.0 / serial.0 - 1.0, None), None));
    Ok(Finding {
        verdict,
        measured: format!("DS1 {}, DS2 {}", words(serial), words(threaded)),
        value: Some(serial.0),
        interval: serial.1,
        cases: 1,
        left_out: 0,
        reason:
            "one sheet, as in the thesis; value and interval are those of DS1 over the repeats; forces, the matrix and the graph \
                 are serial in all three, and one component that holds most of the sheet leaves the threads little to share"
                .into(),
        readings,
    })
}
