//! The verdicts of the study on counts. Criteria stand in `claims/*.toml`, with what was known when they were fixed.

use kit::lost_runs::weighted_median;
use kit::prelude::*;

use super::assumptions::{
    GROUND, NO_FRICTION, NO_REPULSION, PINNED, SPHERE, STICKING_SPHERE, STRONG_FRICTION, Scene, USUAL, WEAK_FRICTION,
};
use super::groups::{Readings, Runs};
use super::runs::{Counting, RunRow};
use super::shares::{BENDING, EXPLICIT, ShareRow, Shares};

/// Particles above which the thesis finds decomposing useful \[Boxerman 2003, 6.4.2\].
pub const LARGE: usize = 700;

/// A relative change with its sign, in per cent, with its interval.
pub fn signed(value: f64, interval: Option<Interval>) -> String {
    let percent = |share: f64| format!("{:+.1}", 100.0 * share);
    let ends = interval.map_or_else(String::new, |i| format!(" (95 %: {} to {} %)", percent(i.low), percent(i.high)));
    format!("{} %{ends}", percent(value))
}

/// Rows of the main group in a scene.
pub fn in_scene(results: &Results, scene: &Scene) -> Result<Vec<RunRow>, ResultsError> {
    let rows = results.without_sets::<Runs>()?.into_iter();
    Ok(rows.filter(|row| row.scene == scene.name).collect())
}

/// Rows of another base seed in a scene.
fn of_other_seeds(results: &Results, scene: &Scene) -> Result<Vec<RunRow>, ResultsError> {
    let rows = results.without_sets::<Seeds<Runs>>()?.into_iter();
    Ok(rows.filter(|row| row.scene == scene.name).collect())
}

/// Rows of a scene under each reading in the order of the table.
pub fn by_reading(results: &Results, scene: &Scene) -> Result<Vec<Compared<RunRow>>, ResultsError> {
    let [mut main, mut readings] = [results.rows::<Runs>()?, results.rows::<Readings>()?];
    [&mut main, &mut readings].into_iter().for_each(|rows| rows.retain(|row| row.row.scene == scene.name));
    Ok(compared(main, readings, |row| &row.reading))
}

/// Relative changes of the RV count of the sets that finished, among those for which something holds.
pub fn changes(rows: &[RunRow], counting: Counting, holds: impl Fn(&RunRow) -> bool) -> Vec<f64> {
    let rows = rows.iter().filter(|row| row.is_finished() && holds(row));
    rows.filter_map(|row| Some(row.ratio(counting)? - 1.0)).collect()
}

/// Change of the sums over all sets that finished.
fn of_sums(rows: &[RunRow]) -> Option<f64> {
    let finished = || rows.iter().filter(|row| row.is_finished());
    let full: u64 = finished().map(|row| row.full_rows).sum();
    let decomposed: u64 = finished().map(|row| row.decomposed_rows).sum();
    (full > 0).then(|| decomposed as f64 / full as f64 - 1.0)
}

/// How many sets are lost of all that were drawn, in words.
pub fn lost(rows: &[RunRow]) -> String {
    let lost = rows.iter().filter(|row| !row.is_finished());
    let bending = lost.clone().filter(|row| row.bending_number > 1.0).count();
    format!("{} of {} lost, {bending} of these with a bending number above 1", lost.count(), sets(rows.len()))
}

/// So many sets, in words.
fn sets(count: usize) -> String {
    if count == 1 { "1 set".into() } else { format!("{count} sets") }
}

/// Changes weighted for lost sets by size, bending and step.
fn weighted(rows: &[RunRow], holds: impl Fn(&RunRow) -> bool) -> Weighted {
    let stratum = |row: &RunRow| (row.particles() > LARGE, (1e4 * row.makeup.bend) as u64, (1e4 * row.step) as u64);
    let value = |row: &RunRow| Some(row.ratio(Counting::AllRows)? - 1.0).filter(|_| row.is_finished());
    Weighted::new(rows.iter().filter(|row| holds(row)).map(|row| (stratum(row), value(row))))
}

/// What the systems of a scene look like, in words.
fn shapes(rows: &[RunRow]) -> String {
    let of = |value: fn(&RunRow) -> Option<f64>| {
        let values: Vec<f64> = rows.iter().filter(|row| row.is_finished()).filter_map(value).collect();
        mean(&values).unwrap_or(0.0)
    };
    let [held, largest] = [of(|row| row.held), of(|row| row.largest)].map(percent);
    let components = short(of(|row| row.components));
    format!(
        "in the mean {held} of the particles are fully constrained and {largest} of them in the largest of {components} components"
    )
}

/// Mean change of the RV count over the sets that finish.
fn mean_change(name: &str, rows: &[RunRow], counting: Counting, holds: impl Fn(&RunRow) -> bool) -> Option<Estimate> {
    Estimate::of(name, &changes(rows, counting, holds), mean)
}

/// About -0.8 %, or a small saving at least.
fn judge_pinned(found: &Estimate) -> Verdict {
    verdict(found.lies_within(-0.018, 0.002), found.lies_within(-0.05, 0.0))
}

/// B-DEC-RV0.
pub fn pinned(results: &Results) -> Result<Finding, ResultsError> {
    let rows = in_scene(results, &PINNED)?;
    let all = |_: &RunRow| true;
    let found = mean_change("B-DEC-RV0", &rows, Counting::AllRows, all).ok_or_else(|| too_few("no pinned set finished"))?;
    let mut readings = vec![];
    let mut add = |name: &str, found: Option<Estimate>, more: String| {
        readings.extend(found.map(|found| {
            Reading::new(name, format!("{}{more}", signed(found.value, found.interval)), Some(judge_pinned(&found)))
        }));
    };
    let free = mean_change("free", &rows, Counting::FreeRows, all);
    add("rows of fully constrained particles left out of the full count too", free, String::new());
    add("median instead of mean", Estimate::median(&changes(&rows, Counting::AllRows, all)), String::new());
    for (large, name) in [(false, "700 particles at most"), (true, "above 700 particles")] {
        add(name, mean_change(name, &rows, Counting::AllRows, |row| (row.particles() > LARGE) == large), String::new());
    }
    let heavy = weighted(&rows, all);
    let name = "weighted for lost sets by size, bending and step";
    add(
        name,
        Estimate::of(name, &heavy.values, weighted_mean),
        format!("; {} in strata of which none finishes", sets(heavy.unseen)),
    );
    for Compared { name, rows, usual } in by_reading(results, &PINNED)? {
        let found = mean_change(&name, &rows, Counting::AllRows, all);
        let same = mean_change(&name, &usual, Counting::AllRows, all).map_or(0.0, |found| found.value);
        let more = format!("; {}; in the main group {} on the same sets", lost(&rows), signed(same, None));
        add(&format!("the first sets, {name}"), found, more);
    }
    if let Some(value) = of_sums(&rows) {
        readings.push(Reading::new("sums over all sets", signed(value, None), None));
    }
    readings.extend(shares(results)?);
    let measured = format!("{} rows multiplied", signed(found.value, None));
    let (shapes, lost) = (shapes(&rows), lost(&rows));
    let reason = format!(
        "{shapes}; {lost}; a full solver that passes over pinned rows, as a footnote of the thesis has it, would save as much"
    );
    Ok(Finding::new(judge_pinned(&found), measured, reason)
        .rests_on(&found)
        .form(Form::Percent)
        .left_out(rows.len() - found.cases)
        .readings(readings))
}

/// How often a family is explicit and explicit bending unstable.
fn shares(results: &Results) -> Result<Vec<Reading>, ResultsError> {
    let rows = results.without_sets::<Shares>()?.into_iter();
    let reading = |row: ShareRow| {
        let name = match row.counted.as_str() {
            EXPLICIT => format!("families with kappa up to {}, explicit, of all that the lists allow", row.limit),
            BENDING => format!("sets with a bending number above {}, of all that the lists allow", row.limit),
            other => match other.strip_prefix(BENDING) {
                Some(law) => format!("sets with a bending number above {}{law}, of all that the lists allow", row.limit),
                None => format!("{other}, {}", row.limit),
            },
        };
        Reading::new(name, format!("{} ({} of {})", two_digits(row.share), row.combinations, row.of), None)
    };
    Ok(rows.map(reading).collect())
}

/// A share in per cent, to two decimals.
pub fn two_digits(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Changes on a sphere: of each set whether it is large, and the change.
type OnSphere = Vec<(bool, f64)>;

fn on_sphere(rows: &[RunRow], counting: Counting) -> OnSphere {
    let rows = rows.iter().filter(|row| row.is_finished());
    rows.filter_map(|row| Some((row.particles() > LARGE, row.ratio(counting)? - 1.0))).collect()
}

fn mean_of(sample: &[(bool, f64)], large: bool) -> Option<f64> {
    mean(&sample.iter().filter(|(is_large, _)| *is_large == large).map(|(_, change)| *change).collect::<Vec<_>>())
}

/// Mean change of large sheets, and by how much that of small ones lies below half of it and below all of it.
struct Spheres {
    large: Estimate,
    small: f64,
    half: Answer,
    less: Answer,
}

impl Spheres {
    fn of(name: &str, sample: &[(bool, f64)]) -> Option<Spheres> {
        let large = sample.iter().copied().filter(|(large, _)| *large).collect::<Vec<_>>();
        // how far the mean change of small sheets lies above a part of that of large ones
        let beyond = |part: f64| {
            let found = Estimate::of(name, sample, |sample| Some(mean_of(sample, false)? - part * mean_of(sample, true)?))?;
            Some(found.lies_above(0.0))
        };
        Some(Spheres {
            large: Estimate::of(name, &large, |sample| mean_of(sample, true))?,
            small: mean_of(sample, false)?,
            half: beyond(0.5)?,
            less: beyond(1.0)?,
        })
    }

    /// About -20 % for large sheets, and less than half of that for small ones; or a saving that is larger for large sheets.
    fn verdict(&self) -> Verdict {
        let published = self.large.lies_within(-0.25, -0.15).and(self.half);
        verdict(published, self.large.lies_below(0.0).and(self.less))
    }

    fn words(&self) -> String {
        let large = signed(self.large.value, self.large.interval);
        format!("{large} above 700 particles, {} below", signed(self.small, None))
    }
}

/// B-DEC-RV.
pub fn sphere(results: &Results) -> Result<Finding, ResultsError> {
    let [coulomb, sticking] = [in_scene(results, &SPHERE)?, in_scene(results, &STICKING_SPHERE)?];
    let missing = || too_few("no set on the sphere above or below 700 particles finished");
    let found = Spheres::of("B-DEC-RV", &on_sphere(&coulomb, Counting::AllRows)).ok_or_else(missing)?;
    let mut readings = vec![];
    let mut add = |name: String, sample: OnSphere, more: String| {
        let found = Spheres::of(&name, &sample);
        readings.extend(found.map(|found| Reading::new(&name, format!("{}{more}", found.words()), Some(found.verdict()))));
    };
    let seeds = of_other_seeds(results, &SPHERE)?;
    add("another base seed".into(), on_sphere(&seeds, Counting::AllRows), format!("; {}", lost(&seeds)));
    // some cloth sticks and some slips: every friction counts as much, on the same sets
    let named = |scene: &Scene, name: &str| -> Result<[OnSphere; 2], ResultsError> {
        let found = by_reading(results, scene)?.into_iter().find(|compared| compared.name == name);
        let rows = found.map_or_else(Default::default, |Compared { rows, usual, .. }| [rows, usual]);
        Ok(rows.map(|rows| on_sphere(&rows, Counting::AllRows)))
    };
    let [weak, usual] = named(&SPHERE, WEAK_FRICTION)?;
    let [[strong, _], [none, _]] = [named(&SPHERE, STRONG_FRICTION)?, named(&SPHERE, NO_FRICTION)?];
    let [_, stuck] = named(&STICKING_SPHERE, NO_REPULSION)?;
    let mixed = [none, weak, usual, strong, stuck].concat();
    add("friction of 0, 0.2, 0.5 and 1 and sticking contact in equal parts, the first sets".into(), mixed, String::new());
    for (scene, rows) in [(&SPHERE, &coulomb), (&STICKING_SPHERE, &sticking)] {
        if scene.name == STICKING_SPHERE.name {
            add(scene.name.into(), on_sphere(rows, Counting::AllRows), format!("; {}", lost(rows)));
        }
        let name = format!("{}, rows of fully constrained particles left out of the full count", scene.name);
        add(name, on_sphere(rows, Counting::FreeRows), String::new());
        for Compared { name, rows, usual } in by_reading(results, scene)? {
            let same = mean_of(&on_sphere(&usual, Counting::AllRows), true);
            let same = same
                .map_or_else(String::new, |same| format!("; in the main group {} on the same large sets", signed(same, None)));
            let more = format!("; {}{same}", lost(&rows));
            add(format!("{}, the first sets, {name}", scene.name), on_sphere(&rows, Counting::AllRows), more);
        }
    }
    for (scene, rows) in [(&SPHERE, &coulomb), (&STICKING_SPHERE, &sticking)] {
        let heavy = weighted(rows, |row| row.particles() > LARGE);
        let name = format!("{}, above 700 particles, weighted for lost sets by bending and step", scene.name);
        if let Some(found) = Estimate::of(&name, &heavy.values, weighted_mean) {
            let measured =
                format!("{}; {} in strata of which none finishes", signed(found.value, found.interval), sets(heavy.unseen));
            readings.push(Reading::new(name, measured, Some(verdict(found.lies_within(-0.25, -0.15), found.lies_below(0.0)))));
        }
    }
    let large = coulomb.iter().filter(|row| row.particles() > LARGE).count();
    let measured = format!("under Coulomb contact {}", found.words());
    let (sliding, held, lost) = (shapes(&coulomb), shapes(&sticking), lost(&coulomb));
    let reason = format!(
        "with Coulomb contact {sliding}; where whatever touches sticks, {held}; {lost}; the thesis varies friction without saying how, \
         and friction at which most of what touches sticks would overturn this"
    );
    Ok(Finding::new(found.verdict(), measured, reason)
        .rests_on(&found.large)
        .left_out(large - found.large.cases)
        .readings(readings))
}

/// Least RV count of a tenth of a run over that of the full solver, among the sets that finished.
fn best_tenth(rows: &[RunRow]) -> Option<f64> {
    let tenths: Vec<f64> = rows.iter().filter(|row| row.is_finished()).filter_map(|row| row.best_tenth).collect();
    quantile(&tenths, 0.0)
}

/// Typically -30 to -40 %, and at times above 80 %.
fn judge_falls(found: &Estimate, best: Option<f64>) -> Verdict {
    let at_times = best.map_or(Answer::Open, |best| (best < 0.2).into());
    verdict(found.lies_within(-0.4, -0.3).and(at_times), found.lies_below(-0.05))
}

/// Median change with all lost sets counted as no saving, and as the largest.
fn bounds(rows: &[RunRow]) -> Vec<Reading> {
    let kept = changes(rows, Counting::AllRows, |_| true);
    let bound = |name: &str, change: f64| {
        let all: Vec<f64> = kept.iter().copied().chain((kept.len()..rows.len()).map(|_| change)).collect();
        let found = Estimate::median(&all)?;
        Some(Reading::new(name, signed(found.value, found.interval), Some(judge_falls(&found, best_tenth(rows)))))
    };
    let bounds = [bound("all lost sets counted as no saving", 0.0), bound("all lost sets counted as the largest saving", -1.0)];
    bounds.into_iter().flatten().collect()
}

/// Falls for which something holds.
fn falls(name: String, rows: &[RunRow], counting: Counting, holds: &dyn Fn(&RunRow) -> bool) -> Option<Reading> {
    let sample = changes(rows, counting, holds);
    let (found, least) = (Estimate::median(&sample)?, quantile(&sample, 0.0)?);
    let part: Vec<RunRow> = rows.iter().filter(|row| holds(row)).cloned().collect();
    let best = best_tenth(&part);
    let (middle, least) = (signed(found.value, found.interval), signed(least, None));
    let (in_a_tenth, lost) = (best.map_or_else(|| "nothing".into(), |best| signed(best - 1.0, None)), lost(&part));
    let measured = format!("{middle}; at best {least} over a whole fall, {in_a_tenth} in a tenth of one; {lost}");
    Some(Reading::new(name, measured, Some(judge_falls(&found, best))))
}

/// B-DEC-FALL.
pub fn ground(results: &Results) -> Result<Finding, ResultsError> {
    let rows = in_scene(results, &GROUND)?;
    let all = |_: &RunRow| true;
    let sample = changes(&rows, Counting::AllRows, all);
    // a fall that is lost may have saved nothing, or all
    let found = Estimate::median_despite(&sample, rows.len() - sample.len(), [-1.0, 0.0])
        .ok_or_else(|| too_few("no set on the ground finished"))?;
    let best = best_tenth(&rows);
    let mut readings = bounds(&rows);
    if let Some(found) = Estimate::median(&sample) {
        let measured = format!("{}; {}", signed(found.value, found.interval), lost(&rows));
        readings.push(Reading::new("the falls that finish alone", measured, Some(judge_falls(&found, best))));
    }
    let mut part = |name: String, rows: &[RunRow], counting, holds: &dyn Fn(&RunRow) -> bool| {
        readings.extend(falls(name, rows, counting, holds));
    };
    part("another base seed".into(), &of_other_seeds(results, &GROUND)?, Counting::AllRows, &all);
    part("rows of fully constrained particles left out of the full count".into(), &rows, Counting::FreeRows, &all);
    part("above 700 particles".into(), &rows, Counting::AllRows, &|row| row.particles() > LARGE);
    part("700 particles at most".into(), &rows, Counting::AllRows, &|row| row.particles() <= LARGE);
    part("falls that come to rest in time".into(), &rows, Counting::AllRows, &|row| row.rests_at.is_some());
    part("bending number at most 1".into(), &rows, Counting::AllRows, &|row| row.bending_number <= 1.0);
    let compared = by_reading(results, &GROUND)?;
    for Compared { name, rows, .. } in &compared {
        part(format!("the first sets, {name}"), rows, Counting::AllRows, &all);
    }
    for usual in first_of_each(compared.iter().map(|compared| compared.usual.as_slice())) {
        if let Some(found) = Estimate::median(&changes(usual, Counting::AllRows, all)) {
            let name = format!("for comparison: the same {}, {}", sets(usual.len()), USUAL.name);
            readings.push(Reading::new(name, format!("{}; {}", signed(found.value, found.interval), lost(usual)), None));
        }
    }
    let heavy = weighted(&rows, all);
    let name = "weighted for lost sets by size, bending and step";
    if let Some(found) = Estimate::of(name, &heavy.values, weighted_median) {
        let measured =
            format!("{}; {} in strata of which none finishes", signed(found.value, found.interval), sets(heavy.unseen));
        readings.push(Reading::new(name, measured, Some(judge_falls(&found, best))));
    }
    if let Some(found) = Estimate::of("B-DEC-FALL, mean", &sample, mean) {
        let measured = signed(found.value, found.interval);
        readings.push(Reading::new("mean instead of median", measured, Some(judge_falls(&found, best))));
    }
    let rests: Vec<f64> = rows.iter().filter(|row| row.is_finished()).filter_map(|row| row.rests_at).collect();
    let tenth = quantile(&sample, 0.1).unwrap_or(0.0);
    let (middle, tenth) = (signed(found.value, None), signed(tenth, None));
    let in_a_tenth = best.map_or_else(|| "nothing".into(), |best| signed(best - 1.0, None));
    let measured = format!(
        "{middle} in the median of the falls; the best tenth of them comes to {tenth} or below; {in_a_tenth} in a tenth of one"
    );
    let (shapes, lost) = (shapes(&rows), lost(&rows));
    let (resting, falls, rest) = (rests.len(), found.cases, short(median(&rests).unwrap_or(0.0)));
    let reason = format!(
        "{shapes}; {resting} of {falls} come to rest, after {rest} s in the median; {lost}, and the interval holds whatever these saved; how \
         high and how tilted the sheet starts is not given, and a shorter flight would save more"
    );
    Ok(Finding::new(judge_falls(&found, best), measured, reason)
        .rests_on(&found)
        .left_out(rows.len() - found.cases)
        .readings(readings))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(low: f64, high: f64) -> Estimate {
        Estimate { value: 0.5 * (low + high), interval: Some(Interval { low, high }), cases: 30 }
    }

    #[test]
    fn falls_are_judged_by_all_of_their_interval() {
        assert_eq!(judge_falls(&between(-0.39, -0.31), Some(0.1)), Verdict::Reproduced);
        assert_eq!(judge_falls(&between(-0.39, -0.25), Some(0.1)), Verdict::Inconclusive);
        assert_eq!(judge_falls(&between(-0.39, -0.31), Some(0.3)), Verdict::DirectionOnly, "never above 80 %");
        assert_eq!(judge_falls(&between(-0.04, 0.01), Some(0.1)), Verdict::NotReproduced, "not even a direction");
    }

    #[test]
    fn large_sheets_save_a_fifth_and_small_ones_less_than_half_of_it() {
        let sample = |large: f64, small: f64| -> OnSphere {
            (0..60).map(|k| if k % 2 == 0 { (true, large + 0.001 * f64::from(k % 3)) } else { (false, small) }).collect()
        };
        let judge = |large, small| Spheres::of("test", &sample(large, small)).unwrap().verdict();
        assert_eq!(judge(-0.2, -0.05), Verdict::Reproduced);
        assert_eq!(judge(-0.2, -0.15), Verdict::DirectionOnly);
        assert_eq!(judge(-0.1, -0.02), Verdict::DirectionOnly);
        assert_eq!(judge(-0.2, -0.3), Verdict::NotReproduced);
    }
}
