//! The verdicts of the study. Criteria stand in `claims/*.toml` and were fixed before the runs.

use lab::claims::{Finding, Reading, Verdict};
use lab::report::{percent, short};
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{Interval, bootstrap, mean, median, quantile};

use super::assumptions::{BENDING_IMPLICIT, GROUND, PINNED, SCENES, SPHERE, STICKING_SPHERE, Scene, TIGHT, USUAL};
use super::runs::{Counting, RunRow};
use super::shares::{BENDING, EXPLICIT, ShareRow};

/// What to say where too little was measured.
pub fn too_few(what: &str) -> ResultsError {
    ResultsError::TooFew(what.into())
}

/// How a claim fares under another reading.
pub fn reading(name: impl Into<String>, measured: impl Into<String>, verdict: Option<Verdict>) -> Reading {
    Reading { name: name.into(), measured: measured.into(), verdict }
}

/// Particles above which the thesis finds decomposing useful \[Boxerman 2003, 6.4.2\].
pub const LARGE: usize = 700;

/// A relative change with its sign, in per cent, with its interval.
pub fn signed(value: f64, interval: Option<Interval>) -> String {
    let percent = |share: f64| format!("{:+.1}", 100.0 * share);
    let ends = interval.map_or_else(String::new, |i| format!(" (95 %: {} to {} %)", percent(i.low), percent(i.high)));
    format!("{} %{ends}", percent(value))
}

/// Whether an interval has a part of another.
pub fn overlaps(interval: Option<Interval>, low: f64, high: f64) -> bool {
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
pub type Estimate = (f64, Option<Interval>);

/// A statistic of a sample with its interval; none where it has no value.
pub fn estimate(name: &str, changes: &[f64], statistic: fn(&[f64]) -> Option<f64>) -> Option<Estimate> {
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

/// Rows of the first sets under a reading, in a scene.
fn under(results: &Results, scene: &Scene, name: &str) -> Result<Vec<RunRow>, ResultsError> {
    let readings = by_reading(results, scene)?.into_iter();
    Ok(readings.filter(|(reading, _)| reading == name).flat_map(|(_, rows)| rows).collect())
}

/// Runs of the first sets that are unstable under a reading, of all in the four scenes.
fn unstable_under(results: &Results, name: &str) -> Result<String, ResultsError> {
    let scenes = SCENES.iter().map(|scene| under(results, scene, name)).collect::<Result<Vec<_>, _>>()?;
    let rows = || scenes.iter().flatten();
    Ok(format!("{} of {}", rows().filter(|row| !row.is_finished()).count(), rows().count()))
}

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let missing = || too_few("no set finished");
    let mut lines = vec![];
    for scene in &SCENES {
        let rows = in_scene(results, scene)?;
        let [all, free] = [Counting::AllRows, Counting::FreeRows].map(|counting| mean(&changes(&rows, counting, |_| true)));
        let [all, free] = [all.ok_or_else(missing)?, free.ok_or_else(missing)?];
        lines.push(format!("{} {}, of which decomposing alone {}", scene.name, signed(all, None), signed(free, None)));
    }
    let shares: Vec<ShareRow> = results.rows("shares")?.into_iter().map(|row| row.row).collect();
    let share = |counted: &str, limit: f64| shares.iter().find(|row| row.counted == counted && row.limit == limit);
    let [explicit, bending] =
        [share(EXPLICIT, 0.2), share(BENDING, 1.0)].map(|row| row.map_or_else(|| "none".into(), |row| two_digits(row.share)));
    let [explicit_bend, implicit_bend] = [USUAL.name, BENDING_IMPLICIT].map(|name| under(results, &GROUND, name));
    let (explicit_bend, implicit_bend) = (explicit_bend?, implicit_bend?);
    let components = |rows: &[RunRow]| {
        let components = rows.iter().filter(|row| row.is_finished()).filter_map(|row| row.components);
        mean(&components.collect::<Vec<_>>()).map_or_else(|| "none".into(), short)
    };
    let alone =
        |rows: &[RunRow]| mean(&changes(rows, Counting::FreeRows, |_| true)).map_or_else(String::new, |x| signed(x, None));
    let rows = results.rows::<RunRow>("runs")?;
    let left_out = || rows.iter().filter(|row| !row.row.is_finished());
    let beyond = left_out().filter(|row| row.row.bending_number > 1.0).count();
    let differences: Vec<f64> = rows.iter().filter(|row| row.row.is_finished()).filter_map(|row| row.row.difference).collect();
    Ok(format!(
        "Mean change of the RV count against the full solver: {}. The two numbers part where particles stick: a fully constrained row \
         needs no product, whether or not the rest falls apart, and a footnote of the thesis says that a full solver could skip it too. \
         What is left is what smaller systems save that converge by themselves.\n\n\
         What decides the result on the sphere is friction, which the thesis does not give. A particle that slides keeps two degrees \
         of freedom and goes on joining its neighbours; only one that sticks drops out. What decides it on the ground is how much of \
         the time the sheet lies there.\n\n\
         Adaptive splitting has no part in it: with the lists of the thesis {explicit} of all families are explicit at the threshold of \
         0.2, so the matrix thins out only where springs are compressed and bending, always explicit, joins nothing. Where bending is \
         implicit, compressed parts stay joined: on the ground there are then {} components instead of {}, and decomposing alone changes \
         the count by {} instead of {}.\n\n\
         {} of {} runs gain energy without bound and are left out. Explicit bending is unstable for {bending} of the sets, {beyond} of those \
         left out, and the loose tolerance of the thesis lets others heat up: of the runs of the first sets {} are unstable, with \
         bending implicit {}, with c = 1e-5 {}. A component stops by its own residual, where the full solver weighs all rows together, \
         so the two runs of a set drift apart: by {} of the mesh spacing in the median.",
        lines.join("; "),
        components(&implicit_bend),
        components(&explicit_bend),
        alone(&implicit_bend),
        alone(&explicit_bend),
        left_out().count(),
        rows.len(),
        unstable_under(results, USUAL.name)?,
        unstable_under(results, BENDING_IMPLICIT)?,
        unstable_under(results, TIGHT)?,
        short(median(&differences).unwrap_or(0.0)),
    ))
}
