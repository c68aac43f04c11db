//! The verdicts on the start of the iteration and on what a preconditioner costs. Criteria stand in `claims/*.toml` and were fixed
//! before the runs.

use lab::claims::{Finding, Verdict};
use lab::report::short;
use lab::results::{Results, ResultsError, Row};
use lab::statistics::median;

use super::method::{A_BLOCK, CP};
use super::samples::{Estimate, all_first, first, median_of, tolerances};
use super::systems::{PINNED, SLIDING, Scene, THESIS};
use super::times::{METHODS, TimeRow};
use super::tolerances::{SCENES, ToleranceRow};
use super::verdicts::{of, reading, shown, shown_share, too_few};

/// Ratios of both starts, in a scene to a tolerance: corrected over original.
pub(super) fn start_ratios(rows: &[ToleranceRow]) -> Vec<f64> {
    let started = rows.iter().filter(|row| row.cp_original > 0);
    started.map(|row| row.cp as f64 / row.cp_original as f64).collect()
}

/// B-GUESS.
pub fn guess(results: &Results) -> Result<Finding, ResultsError> {
    let at = |scene: &Scene, tolerance: f64| -> Result<Option<Estimate>, ResultsError> {
        Ok(median_of(scene.name, &start_ratios(&first(results, scene, tolerance)?), |ratio| *ratio))
    };
    let [Some(pinned), Some(sliding)] = [at(&PINNED, THESIS)?, at(&SLIDING, THESIS)?] else {
        return Err(too_few("no run came to its end"));
    };
    let verdict = |[pinned, sliding]: [&Estimate; 2]| {
        let overlap = |estimate: &Estimate| estimate.overlaps(0.45, 0.75);
        if overlap(pinned) && overlap(sliding) {
            Verdict::Reproduced
        } else if pinned.is_below(1.0) || sliding.is_below(1.0) {
            Verdict::DirectionOnly
        } else {
            Verdict::NotReproduced
        }
    };
    let mut readings = vec![];
    for tolerance in tolerances(results)? {
        for scene in SCENES {
            let rows = first(results, &scene, tolerance)?;
            let name = format!("c = {tolerance}, {}", scene.name);
            let Some(estimate) = at(&scene, tolerance)? else { continue };
            let ratios = start_ratios(&rows);
            let range = [ratios.iter().copied().fold(f64::INFINITY, f64::min), ratios.iter().copied().fold(0.0, f64::max)];
            let range = range.map(short).join(" to ");
            readings.push(reading(&name, format!("{}, all sets {range}", shown(&estimate)), None));
            let warm: Vec<f64> =
                rows.iter().filter(|row| row.cp_cold > 0).map(|row| row.cp as f64 / row.cp_cold as f64).collect();
            if let Some(warm) = median_of(&name, &warm, |ratio| *ratio) {
                let name = format!("{name}: with the previous solution over without it, the stopping rule corrected in both");
                readings.push(reading(name, shown(&warm), None));
            }
        }
        if let [Some(pinned), Some(sliding)] = [at(&PINNED, tolerance)?, at(&SLIDING, tolerance)?] {
            let name = format!("the criterion at c = {tolerance}");
            let measured = format!("{} pinned, {} sliding", shown(&pinned), shown(&sliding));
            readings.push(reading(name, measured, Some(verdict([&pinned, &sliding]))));
        }
    }
    for (low, high) in [(5, 15), (20, 40), (45, 80)] {
        for scene in [PINNED, SLIDING] {
            let rows = first(results, &scene, THESIS)?;
            let part: Vec<ToleranceRow> = rows.into_iter().filter(|row| (low..=high).contains(&row.side)).collect();
            if let Some(estimate) = median_of("size", &start_ratios(&part), |ratio| *ratio) {
                let sides = part.iter().map(|row| row.side);
                let [least, most] = [sides.clone().min(), sides.max()].map(Option::unwrap_or_default);
                let name = format!("c = {THESIS}, {}, {least} to {most} particles a side", scene.name);
                readings.push(reading(name, format!("{} over {}", shown(&estimate), of(estimate.cases)), None));
            }
        }
    }
    let all = all_first(results, &PINNED, THESIS)?.len() + all_first(results, &SLIDING, THESIS)?.len();
    let cases = pinned.cases + sliding.cases;
    Ok(Finding {
        verdict: verdict([&pinned, &sliding]),
        measured: format!("median ratio {} pinned, {} sliding", shown(&pinned), shown(&sliding)),
        value: Some(pinned.value),
        interval: Some(pinned.interval),
        cases,
        left_out: all - cases,
        reason:
            "value and interval are those of pinned sheets; a solve to a loose tolerance takes few iterations from anywhere, and \
                 contact changes the prescribed motion from step to step, so that the previous solution may be worse than none"
                .into(),
        readings,
    })
}

/// Ratio of the median times of a method and of A-Block for every sheet of a scene; what matters of both rows with it.
pub fn time_ratios(results: &Results, method: &str, scene: &str) -> Result<Vec<(f64, [TimeRow; 2])>, ResultsError> {
    let rows: Vec<Row<TimeRow>> = results.rows("times")?;
    let times = results.times("times")?;
    let seconds = |set: u64| median(&times.iter().filter(|time| time.set == set).map(|time| time.seconds).collect::<Vec<_>>());
    let sheets = rows.chunk_by(|a, b| a.set / METHODS.len() as u64 == b.set / METHODS.len() as u64);
    let ratio = |sheet: &[Row<TimeRow>]| {
        let by = |name: &str| sheet.iter().find(|row| row.row.method == name && row.row.scene == scene);
        let (other, blocks) = (by(method)?, by(A_BLOCK.name)?);
        let finished = [other, blocks].iter().all(|row| row.row.status == "finished");
        finished.then_some((seconds(other.set)? / seconds(blocks.set)?, [other.row.clone(), blocks.row.clone()]))
    };
    Ok(sheets.filter_map(ratio).collect())
}

/// B-CP-COST.
pub fn cost(results: &Results) -> Result<Finding, ResultsError> {
    let ratios = time_ratios(results, CP.name, PINNED.name)?;
    let equal = ratios.iter().all(|(_, [cp, blocks])| cp.iterations == blocks.iterations);
    let extra: Vec<f64> = ratios.iter().map(|(ratio, _)| ratio - 1.0).collect();
    let estimate = median_of("B-CP-COST", &extra, |extra| *extra).ok_or_else(|| too_few("no sheet was timed"))?;
    let verdict = if !equal {
        Verdict::NotReproduced
    } else if estimate.interval.high - estimate.interval.low > 0.04 {
        Verdict::Inconclusive
    } else if estimate.overlaps(0.0, 0.02) {
        Verdict::Reproduced
    } else if estimate.is_above(0.02) && estimate.is_below(0.05) {
        Verdict::DirectionOnly
    } else {
        Verdict::NotReproduced
    };
    // what the thesis concludes from its number: that the difference is minor
    let minor = match estimate.interval {
        _ if !equal => Verdict::NotReproduced,
        interval if interval.high < 0.02 => Verdict::Reproduced,
        interval if interval.low > 0.02 => Verdict::NotReproduced,
        _ => Verdict::Inconclusive,
    };
    let mut readings = vec![reading("one-sided: CP takes at most 2 % longer", shown_share(&estimate), Some(minor))];
    for scene in [PINNED, SLIDING] {
        for method in METHODS.iter().filter(|method| method.name != A_BLOCK.name) {
            let ratios = time_ratios(results, method.name, scene.name)?;
            let sample: Vec<f64> = ratios.iter().map(|(ratio, _)| *ratio).collect();
            let iterations = ratios.iter().map(|(_, [other, blocks])| other.iterations as f64 / blocks.iterations.max(1) as f64);
            let iterations = median(&iterations.collect::<Vec<_>>());
            if let (Some(ratio), Some(iterations)) = (median_of(method.name, &sample, |ratio| *ratio), iterations) {
                let name = format!("{} over A-Block, {}", method.name, scene.name);
                let measured = format!("times {} at {} of the iterations", shown(&ratio), short(iterations));
                readings.push(reading(name, measured, None));
            }
        }
    }
    let sheets = results.rows::<TimeRow>("times")?.iter().filter(|row| row.row.scene == PINNED.name).count() / METHODS.len();
    Ok(Finding {
        verdict,
        measured: format!("time by CP / time by A-Block - 1: {}", shown_share(&estimate)),
        value: Some(estimate.value),
        interval: Some(estimate.interval),
        cases: estimate.cases,
        left_out: sheets - estimate.cases,
        reason: format!(
            "times of this machine, both in turn; {}{}",
            if estimate.is_below(0.0) { "no extra time is found, the published one is missed from below; " } else { "" },
            if equal {
                "both take equally many iterations on every sheet, and where no row slides the same code does the same work"
            } else {
                "they do not take equally many iterations"
            }
        ),
        readings,
    })
}
