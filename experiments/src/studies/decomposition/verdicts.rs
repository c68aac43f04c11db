//! The verdicts of the study. Criteria stand in `claims/*.toml` and were fixed before the runs.

use lab::claims::{Finding, Reading, Verdict};
use lab::report::{percent, short, short_within};
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{Interval, bootstrap, mean, median, quantile};

use super::assumptions::{GROUND, PINNED, SCENES, SPHERE, STICKING_SPHERE, Scene};
use super::runs::{Counting, RunRow};
use super::shares::{BENDING, EXPLICIT, ShareRow};
use super::times::{SOLVERS, TimeRow};

fn too_few(what: &str) -> ResultsError {
    ResultsError::TooFew(what.into())
}

fn reading(name: impl Into<String>, measured: impl Into<String>, verdict: Option<Verdict>) -> Reading {
    Reading { name: name.into(), measured: measured.into(), verdict }
}

/// Particles above which the thesis finds decomposing useful \[Boxerman 2003, 6.4.2\].
pub const LARGE: usize = 700;

/// A relative change with its sign, in per cent, with its interval.
fn signed(value: f64, interval: Option<Interval>) -> String {
    let percent = |share: f64| format!("{:+.1}", 100.0 * share);
    let ends = interval.map_or_else(String::new, |i| format!(" (95 %: {} to {} %)", percent(i.low), percent(i.high)));
    format!("{} %{ends}", percent(value))
}

fn overlaps(interval: Option<Interval>, low: f64, high: f64) -> bool {
    interval.is_some_and(|interval| interval.low <= high && interval.high >= low)
}

/// Rows of the main group in a scene.
pub fn in_scene(results: &Results, scene: &Scene) -> Result<Vec<RunRow>, ResultsError> {
    let rows = results.rows::<RunRow>("runs")?.into_iter().map(|row| row.row);
    Ok(rows.filter(|row| row.scene == scene.name).collect())
}

/// Rows of a scene under each reading in the order of the table; first the same sets as in the main group.
pub fn by_reading(results: &Results, scene: &Scene) -> Result<Vec<(String, Vec<RunRow>)>, ResultsError> {
    let rows = results.rows::<RunRow>("readings")?;
    let last = rows.iter().map(|row| row.set).max();
    let main = results.rows::<RunRow>("runs")?.into_iter().filter(|row| Some(row.set) <= last);
    let mut readings: Vec<(String, Vec<RunRow>)> = vec![];
    for Row { row, .. } in main.chain(rows).filter(|row| row.row.scene == scene.name) {
        match readings.iter_mut().find(|(name, _)| *name == row.reading) {
            Some((_, rows)) => rows.push(row),
            None => readings.push((row.reading.clone(), vec![row])),
        }
    }
    Ok(readings)
}

/// Relative changes of the RV count of the sets that finished, among those for which something holds.
pub fn changes(rows: &[RunRow], counting: Counting, holds: impl Fn(&RunRow) -> bool) -> Vec<f64> {
    let rows = rows.iter().filter(|row| row.is_finished() && holds(row));
    rows.filter_map(|row| Some(row.ratio(counting)? - 1.0)).collect()
}

/// A statistic of the changes and its interval.
type Estimate = (f64, Option<Interval>);

fn estimate(name: &str, changes: &[f64], statistic: fn(&[f64]) -> Option<f64>) -> Option<Estimate> {
    Some((statistic(changes)?, bootstrap(name, changes, statistic)))
}

/// Change of the sums over all sets that finished.
fn of_sums(rows: &[RunRow]) -> Option<f64> {
    let finished = || rows.iter().filter(|row| row.is_finished());
    let full: u64 = finished().map(|row| row.full_rows).sum();
    let decomposed: u64 = finished().map(|row| row.decomposed_rows).sum();
    (full > 0).then(|| decomposed as f64 / full as f64 - 1.0)
}

/// How many sets are unstable, in words.
fn unstable(rows: &[RunRow]) -> String {
    format!("{} of {} sets unstable", rows.iter().filter(|row| !row.is_finished()).count(), rows.len())
}

/// Readings that every scene has: the other counting, medians, sums, unstable sets, what decides it.
fn common(name: &str, rows: &[RunRow]) -> Vec<Reading> {
    let bending = rows.iter().filter(|row| !row.is_finished() && row.bending_number > 1.0).count();
    let measured = format!("{}, {bending} of them with a bending number above 1", unstable(rows));
    let mut readings = vec![reading("sets left out", measured, None)];
    let mut add = |what: &str, found: Option<Estimate>| {
        readings.extend(found.map(|(value, interval)| reading(what, signed(value, interval), None)));
    };
    let all = |_: &RunRow| true;
    let free = changes(rows, Counting::FreeRows, all);
    add("mean, rows of fully constrained particles left out of the full count too", estimate(name, &free, mean));
    add("median, all rows", estimate(name, &changes(rows, Counting::AllRows, all), median));
    add("sums over all sets, all rows", of_sums(rows).map(|value| (value, None)));
    let every: Vec<f64> = rows.iter().filter_map(|row| Some(row.ratio(Counting::AllRows)? - 1.0)).collect();
    add("mean, unstable sets included", estimate(name, &every, mean));
    let tame = changes(rows, Counting::AllRows, |row| row.bending_number <= 1.0);
    add("mean, sets whose explicit bending is stable", estimate(name, &tame, mean));
    readings
}

/// What the systems of a scene look like, in words.
fn shapes(rows: &[RunRow]) -> String {
    let of = |value: fn(&RunRow) -> Option<f64>| {
        let values: Vec<f64> = rows.iter().filter(|row| row.is_finished()).filter_map(value).collect();
        mean(&values).unwrap_or(0.0)
    };
    format!(
        "in the mean {} of the particles are fully constrained and {} of them in the largest of {} components",
        percent(of(|row| row.held)),
        percent(of(|row| row.largest)),
        short(of(|row| row.components)),
    )
}

/// B-DEC-RV0.
pub fn pinned(results: &Results) -> Result<Finding, ResultsError> {
    let rows = in_scene(results, &PINNED)?;
    let judge = |(value, interval): Estimate| match value {
        _ if overlaps(interval, -0.018, 0.002) => Verdict::Reproduced,
        value if value < 0.0 && value > -0.05 => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
    };
    let sample = changes(&rows, Counting::AllRows, |_| true);
    let found = estimate("B-DEC-RV0", &sample, mean).ok_or_else(|| too_few("no pinned set finished"))?;
    let mut readings = common("B-DEC-RV0", &rows);
    for (large, name) in [(false, "700 particles at most"), (true, "above 700 particles")] {
        let part = changes(&rows, Counting::AllRows, |row| (row.particles() > LARGE) == large);
        let part = estimate(name, &part, mean);
        readings.extend(part.map(|part| reading(name, signed(part.0, part.1), Some(judge(part)))));
    }
    for (name, rows) in by_reading(results, &PINNED)? {
        let part = estimate(&name, &changes(&rows, Counting::AllRows, |_| true), mean);
        readings.extend(part.map(|part| {
            let measured = format!("{}; {}", signed(part.0, part.1), unstable(&rows));
            reading(format!("the first sets, {name}"), measured, Some(judge(part)))
        }));
    }
    readings.extend(shares(results)?);
    Ok(Finding {
        verdict: judge(found),
        measured: format!("{} rows multiplied", signed(found.0, None)),
        value: Some(found.0),
        interval: found.1,
        cases: sample.len(),
        left_out: rows.len() - sample.len(),
        reason: format!("{}; {} sets are unstable and left out", shapes(&rows), rows.len() - sample.len()),
        readings,
    })
}

/// How often a family is explicit and explicit bending unstable.
fn shares(results: &Results) -> Result<Vec<Reading>, ResultsError> {
    let rows = results.rows::<ShareRow>("shares")?.into_iter().map(|row| row.row);
    let reading = |row: ShareRow| {
        let name = match row.counted.as_str() {
            EXPLICIT => format!("families with kappa up to {}, explicit, of all that the lists allow", row.limit),
            BENDING => format!("sets with a bending number above {}, of all that the lists allow", row.limit),
            other => format!("{other}, {}", row.limit),
        };
        reading(name, format!("{} ({} of {})", two_digits(row.share), row.combinations, row.of), None)
    };
    Ok(rows.map(reading).collect())
}

/// A share in per cent, to two decimals.
fn two_digits(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Mean changes on a sphere, of large sheets and of small ones.
struct OnSphere {
    large: Estimate,
    small: Estimate,
}

impl OnSphere {
    fn of(name: &str, rows: &[RunRow], counting: Counting) -> Option<OnSphere> {
        let part = |large: bool| changes(rows, counting, |row| (row.particles() > LARGE) == large);
        let [large, small] = [true, false].map(|large| estimate(name, &part(large), mean));
        Some(OnSphere { large: large?, small: small? })
    }

    /// About -20 % for large sheets, and less than half of that for small ones.
    fn is_published(&self) -> bool {
        overlaps(self.large.1, -0.25, -0.15) && self.small.0 > 0.5 * self.large.0
    }

    /// A saving that is larger for large sheets.
    fn is_directed(&self) -> bool {
        self.large.1.is_some_and(|interval| interval.high < 0.0) && self.small.0 > self.large.0
    }

    fn verdict(&self) -> Verdict {
        match (self.is_published(), self.is_directed()) {
            (true, _) => Verdict::Reproduced,
            (false, true) => Verdict::DirectionOnly,
            _ => Verdict::NotReproduced,
        }
    }

    fn words(&self) -> String {
        let [large, small] = [self.large, self.small].map(|(value, interval)| signed(value, interval));
        format!("{large} above 700 particles, {small} below")
    }
}

/// B-DEC-RV.
pub fn sphere(results: &Results) -> Result<Finding, ResultsError> {
    let [coulomb, sticking] = [in_scene(results, &SPHERE)?, in_scene(results, &STICKING_SPHERE)?];
    let missing = || too_few("no set on the sphere above or below 700 particles finished");
    let found = OnSphere::of("B-DEC-RV", &coulomb, Counting::AllRows).ok_or_else(missing)?;
    let other = OnSphere::of("B-DEC-RV, sticking", &sticking, Counting::AllRows).ok_or_else(missing)?;
    let verdict = match (found.is_published(), other.is_published()) {
        (true, true) => Verdict::Reproduced,
        (true, false) | (false, true) => Verdict::Underspecified,
        _ if found.is_directed() => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
    };
    let mut readings = vec![];
    for (scene, rows) in [(&SPHERE, &coulomb), (&STICKING_SPHERE, &sticking)] {
        let mut add = |name: String, rows: &[RunRow], counting| {
            let found = OnSphere::of(&name, rows, counting);
            let words = |found: &OnSphere| format!("{}; {}", found.words(), unstable(rows));
            readings.extend(found.map(|found| reading(&name, words(&found), Some(found.verdict()))));
        };
        add(format!("{}, all rows", scene.name), rows, Counting::AllRows);
        add(format!("{}, rows of fully constrained particles left out of the full count", scene.name), rows, Counting::FreeRows);
        for (name, rows) in by_reading(results, scene)? {
            add(format!("{}, the first sets, {name}", scene.name), &rows, Counting::AllRows);
        }
        let prefixed = common(scene.name, rows).into_iter();
        readings.extend(prefixed.map(|other| Reading { name: format!("{}: {}", scene.name, other.name), ..other }));
    }
    let cases = changes(&coulomb, Counting::AllRows, |row| row.particles() > LARGE).len();
    let large = coulomb.iter().filter(|row| row.particles() > LARGE).count();
    Ok(Finding {
        verdict,
        measured: format!(
            "above 700 particles {} under Coulomb contact, {} under sticking contact; below {} and {}",
            signed(found.large.0, None),
            signed(other.large.0, other.large.1),
            signed(found.small.0, None),
            signed(other.small.0, None)
        ),
        value: Some(found.large.0),
        interval: found.large.1,
        cases,
        left_out: large - cases,
        reason: format!(
            "with Coulomb contact {}; where whatever touches sticks, {}; the thesis gives no friction, so which of them it ran is open",
            shapes(&coulomb),
            shapes(&sticking)
        ),
        readings,
    })
}

/// Least RV count of a tenth of a run over that of the full solver, among the sets that finished.
fn best_tenth(rows: &[RunRow]) -> Option<f64> {
    let tenths: Vec<f64> = rows.iter().filter(|row| row.is_finished()).filter_map(|row| row.best_tenth).collect();
    quantile(&tenths, 0.0)
}

/// B-DEC-FALL.
pub fn ground(results: &Results) -> Result<Finding, ResultsError> {
    let rows = in_scene(results, &GROUND)?;
    let judge = |(_, interval): Estimate, best: Option<f64>| {
        let typical = overlaps(interval, -0.40, -0.30);
        match interval {
            _ if typical && best.is_some_and(|best| best < 0.2) => Verdict::Reproduced,
            Some(interval) if interval.high < -0.05 => Verdict::DirectionOnly,
            _ => Verdict::NotReproduced,
        }
    };
    let sample = changes(&rows, Counting::AllRows, |_| true);
    let found = estimate("B-DEC-FALL", &sample, median).ok_or_else(|| too_few("no set on the ground finished"))?;
    let best = best_tenth(&rows);
    let mut readings = vec![];
    let mut part = |name: String, rows: &[RunRow], counting, holds: &dyn Fn(&RunRow) -> bool| {
        let sample = changes(rows, counting, holds);
        if let (Some(found), Some(least)) = (estimate(&name, &sample, median), quantile(&sample, 0.0)) {
            let part: Vec<RunRow> = rows.iter().filter(|row| holds(row)).cloned().collect();
            let best = best_tenth(&part);
            let measured = format!("{}; at best {}; {}", signed(found.0, found.1), signed(least, None), unstable(&part));
            readings.push(reading(name, measured, (counting == Counting::AllRows).then(|| judge(found, best))));
        }
    };
    part("median, all rows".into(), &rows, Counting::AllRows, &|_| true);
    part("median, rows of fully constrained particles left out".into(), &rows, Counting::FreeRows, &|_| true);
    part("median, above 700 particles".into(), &rows, Counting::AllRows, &|row| row.particles() > LARGE);
    part("median, 700 particles at most".into(), &rows, Counting::AllRows, &|row| row.particles() <= LARGE);
    for (name, rows) in by_reading(results, &GROUND)? {
        part(format!("median, the first sets, {name}"), &rows, Counting::AllRows, &|_| true);
    }
    if let Some((value, interval)) = estimate("B-DEC-FALL, mean", &sample, mean) {
        readings.push(reading("mean, all rows", signed(value, interval), None));
    }
    readings.extend(common("B-DEC-FALL", &rows).into_iter().filter(|reading| !reading.name.starts_with("median")));
    Ok(Finding {
        verdict: judge(found, best),
        measured: format!(
            "{} in the median of the sets; at best {} over a whole run, {} in a tenth of one",
            signed(found.0, None),
            signed(quantile(&sample, 0.0).unwrap_or(0.0), None),
            best.map_or_else(|| "nothing".into(), |best| signed(best - 1.0, None)),
        ),
        value: Some(found.0),
        interval: found.1,
        cases: sample.len(),
        left_out: rows.len() - sample.len(),
        reason: shapes(&rows),
        readings,
    })
}

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

/// B-DEC-TIME.
pub fn overhead(results: &Results) -> Result<Finding, ResultsError> {
    let ratios: Vec<f64> = overheads(results)?.iter().map(|[_, ratio]| *ratio).collect();
    let (value, interval) =
        estimate("B-DEC-TIME", &ratios, median).ok_or_else(|| too_few("no pinned sheet was timed to its end"))?;
    let verdict = match interval {
        _ if overlaps(interval, 1.003, 1.043) => Verdict::Reproduced,
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
        reason:
            "times of this machine, both solvers in turn; the decomposing solver searches the graph and packs each component \
                 into an array of its own, which its products then read"
                .into(),
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

/// B-DEC-PAR.
pub fn parallel(results: &Results) -> Result<Finding, ResultsError> {
    let [serial, threaded] = on_sphere(results)?;
    let near = |(_, interval): Estimate, published: f64| overlaps(interval, published - 0.1, published + 0.1);
    let verdict = match (serial.0 < 1.0, threaded.0 < serial.0) {
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

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let mut lines = vec![];
    for scene in &SCENES {
        let rows = in_scene(results, scene)?;
        let all = mean(&changes(&rows, Counting::AllRows, |_| true)).ok_or_else(|| too_few("no set finished"))?;
        let free = mean(&changes(&rows, Counting::FreeRows, |_| true)).ok_or_else(|| too_few("no set finished"))?;
        lines.push(format!("{}: {}, of which decomposing alone {}", scene.name, signed(all, None), signed(free, None)));
    }
    let rows = results.rows::<RunRow>("runs")?;
    let left_out = || rows.iter().filter(|row| !row.row.is_finished());
    let (unstable, beyond) = (left_out().count(), left_out().filter(|row| row.row.bending_number > 1.0).count());
    let shares: Vec<ShareRow> = results.rows("shares")?.into_iter().map(|row| row.row).collect();
    let share = |counted: &str, limit: f64| shares.iter().find(|row| row.counted == counted && row.limit == limit);
    let [explicit, bending] =
        [share(EXPLICIT, 0.2), share(BENDING, 1.0)].map(|row| row.map_or_else(|| "none".into(), |row| two_digits(row.share)));
    let differences: Vec<f64> = rows.iter().filter(|row| row.row.is_finished()).filter_map(|row| row.row.difference).collect();
    Ok(format!(
        "Mean change of the RV count against the full solver: {}. The two numbers part where particles stick: a fully constrained row \
         needs no product, whether or not the rest falls apart, and a footnote of the thesis says that a full solver could skip it too. \
         What is left is what smaller systems save that converge by themselves.\n\n\
         What decides the result on the sphere is friction, which the thesis does not give. A particle that slides keeps two degrees \
         of freedom and goes on joining its neighbours; only one that sticks drops out.\n\n\
         Adaptive splitting has no part in it: with the lists of the thesis {explicit} of all families are explicit at the threshold of \
         0.2, so the matrix thins out only where springs are compressed. Bending is always explicit and joins nothing, but for {bending} \
         of the sets that is unstable; {unstable} of {} runs are left out, {beyond} of them for a bending number above 1. A component \
         stops by its own residual, where the full solver weighs all rows together, so the two runs of a set drift apart: by {} of \
         the mesh spacing in the median.",
        lines.join("; "),
        rows.len(),
        short(median(&differences).unwrap_or(0.0)),
    ))
}
