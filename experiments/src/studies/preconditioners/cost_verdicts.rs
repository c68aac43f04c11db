//! The verdicts on the start of the iteration and on what a preconditioner costs. Criteria stand in `claims/*.toml`.

use lab::judge::statistics::median;
use lab::prelude::*;

use super::method::{A_BLOCK, CP};
use super::samples::{all_first, first, first_to_the_letter, tolerances};
use super::scenes::{PINNED, SLIDING, Scene, THESIS};
use super::times::{METHODS, TimeRow, Times};
use super::tolerances::{SCENES, ToleranceRow};
use super::verdicts::{of as of_sets, shown, shown_share, too_few};
use crate::course::FINISHED;

/// Ratios of both starts, in a scene to a tolerance: corrected over original.
pub(super) fn start_ratios(rows: &[ToleranceRow]) -> Vec<f64> {
    let started = rows.iter().filter(|row| row.cp_original > 0);
    started.map(|row| row.cp as f64 / row.cp_original as f64).collect()
}

/// B-GUESS.
pub fn guess(results: &Results) -> Result<Finding, ResultsError> {
    let in_range = |ratios: &[f64]| ratios.iter().filter(|ratio| (0.45..=0.75).contains(*ratio)).count();
    let judge = |pinned: &[f64], sliding: &[f64]| {
        let exists = Answer::from(in_range(pinned) + in_range(sliding) > 0);
        let of = |ratios: &[f64]| Some((Estimate::share(in_range(ratios), ratios.len())?, Estimate::median(ratios)?));
        let [pinned, sliding] = [of(pinned)?, of(sliding)?];
        let saves = pinned.1.lies_below(1.0).or(sliding.1.lies_below(1.0));
        let words = |(share, median): (Estimate, Estimate)| {
            let hits = (share.value * share.cases as f64).round();
            let (of, median) = (of_sets(share.cases), shown(&median));
            format!("{hits} of {of} from 0.45 to 0.75, {}, median {median}", shown_share(&share))
        };
        Some((format!("pinned {}; sliding {}", words(pinned), words(sliding)), pinned.0, verdict(exists, saves)))
    };
    let at = |tolerance: f64| -> Result<[Vec<f64>; 2], ResultsError> {
        Ok([start_ratios(&first(results, &PINNED, tolerance)?), start_ratios(&first(results, &SLIDING, tolerance)?)])
    };
    let [pinned, sliding] = at(THESIS)?;
    let (measured, share, verdict) = judge(&pinned, &sliding).ok_or_else(|| too_few("no run came to its end"))?;
    let mut readings = vec![];
    for tolerance in tolerances(results)? {
        let [pinned, sliding] = at(tolerance)?;
        if let Some((measured, _, verdict)) = judge(&pinned, &sliding).filter(|_| (tolerance - THESIS).abs() > 1e-12) {
            readings.push(Reading::new(format!("tol = c dt, c = {tolerance}"), measured, Some(verdict)));
        }
        for scene in SCENES {
            let rows = first(results, &scene, tolerance)?;
            let warm: Vec<f64> =
                rows.iter().filter(|row| row.cp_cold > 0).map(|row| row.cp as f64 / row.cp_cold as f64).collect();
            if let Some(warm) = Estimate::median(&warm) {
                let name = format!(
                    "c = {tolerance}, {}: with the previous solution over without it, the stopping rule corrected in both",
                    scene.name
                );
                readings.push(Reading::new(name, shown(&warm), None));
            }
        }
    }
    let letter =
        |scene: &Scene| -> Result<Vec<f64>, ResultsError> { Ok(start_ratios(&first_to_the_letter(results, scene, THESIS)?)) };
    if let Some((measured, _, verdict)) = judge(&letter(&PINNED)?, &letter(&SLIDING)?) {
        readings.push(Reading::new("tol = sqrt(c dt), to the letter", measured, Some(verdict)));
    }
    for (low, high) in [(5, 15), (20, 40)] {
        for scene in [PINNED, SLIDING] {
            let rows = first(results, &scene, THESIS)?;
            let part: Vec<ToleranceRow> = rows.into_iter().filter(|row| (low..=high).contains(&row.side)).collect();
            if let Some(estimate) = Estimate::median(&start_ratios(&part)) {
                let name = format!("{}, {low} to {high} particles a side", scene.name);
                readings.push(Reading::new(name, format!("median {} over {}", shown(&estimate), of_sets(estimate.cases)), None));
            }
        }
    }
    let [pinned_drawn, sliding_drawn] = [all_first(results, &PINNED, THESIS)?.len(), all_first(results, &SLIDING, THESIS)?.len()];
    Ok(Finding::new(
        verdict,
        measured,
        format!(
            "the thesis says it of some problem instances, which holds where there are any among these sheets, whose counts are exact; how \
             rare they are is the share, which falls with the tolerance; value, interval and cases are those of pinned sheets; in \
             sliding contact {} of {} lost; a statement of how many instances, or of what kind, would overturn it",
            sliding_drawn - sliding.len(),
            of_sets(sliding_drawn)
        ),
    )
    .rests_on(&share)
    .left_out(pinned_drawn - share.cases)
    .readings(readings))
}

/// Ratio of the median times of a method and of A-Block for every sheet of a scene; what matters of both rows with it.
pub fn time_ratios(results: &Results, method: &str, scene: &str) -> Result<Vec<(f64, [TimeRow; 2])>, ResultsError> {
    let rows = results.rows::<Times>()?;
    let times = results.times("times")?;
    let seconds = |set: u64| median(&times.iter().filter(|time| time.set == set).map(|time| time.seconds).collect::<Vec<_>>());
    let sheets = rows.chunk_by(|a, b| a.set / METHODS.len() as u64 == b.set / METHODS.len() as u64);
    let ratio = |sheet: &[Row<TimeRow>]| {
        let by = |name: &str| sheet.iter().find(|row| row.row.method == name && row.row.scene == scene);
        let (other, blocks) = (by(method)?, by(A_BLOCK.name)?);
        let finished = [other, blocks].iter().all(|row| row.row.status == FINISHED);
        finished.then_some((seconds(other.set)? / seconds(blocks.set)?, [other.row.clone(), blocks.row.clone()]))
    };
    Ok(sheets.filter_map(ratio).collect())
}

/// B-CP-COST.
pub fn cost(results: &Results) -> Result<Finding, ResultsError> {
    let ratios = time_ratios(results, CP.name, PINNED.name)?;
    let extra: Vec<f64> = ratios.iter().map(|(ratio, _)| ratio - 1.0).collect();
    let estimate = Estimate::median(&extra).ok_or_else(|| too_few("no sheet was timed"))?;
    let equal = ratios.iter().filter(|(_, [cp, blocks])| cp.iterations == blocks.iterations).count();
    let mut readings = vec![Reading::new(
        "as measured, where the same code does the same work",
        shown_share(&estimate),
        Some(verdict(estimate.lies_within(0.0, 0.02), estimate.lies_within(0.0, 0.05))),
    )];
    for scene in [PINNED, SLIDING] {
        for method in METHODS.iter().filter(|method| method.name != A_BLOCK.name) {
            let ratios = time_ratios(results, method.name, scene.name)?;
            let sample: Vec<f64> = ratios.iter().map(|(ratio, _)| *ratio).collect();
            let iterations = ratios.iter().map(|(_, [other, blocks])| other.iterations as f64 / blocks.iterations.max(1) as f64);
            let iterations = median(&iterations.collect::<Vec<_>>());
            if let (Some(ratio), Some(iterations)) = (Estimate::median(&sample), iterations) {
                let name = format!("{} over A-Block, {}", method.name, scene.name);
                let measured = format!("times {} at {} of the iterations", shown(&ratio), short(iterations));
                readings.push(Reading::new(name, measured, None));
            }
        }
    }
    let sheets = results.rows::<Times>()?.iter().filter(|row| row.row.scene == PINNED.name).count() / METHODS.len();
    Ok(Finding::new(
        Verdict::HardwareBound,
        format!("time by CP / time by A-Block - 1: {}", shown_share(&estimate)),
        format!(
            "the number is that of the thesis' program: here rows that are free or fixed take the same instructions by CP and by A-Block, so \
             that nothing but scatter is measured; both take equally many iterations on {equal} of {} sheets; a program that forms the \
             constrained blocks of every row could be held to it",
            ratios.len()
        ),
    )
    .rests_on(&estimate)
    .left_out(sheets - estimate.cases)
    .readings(readings))
}
