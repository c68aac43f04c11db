//! The verdicts on counts and strains. Criteria stand in `claims/*.toml` and were fixed before the runs.

use super::contact::{Contact, ContactRow, FRICTIONS};
use super::printed::{Printed, PrintedRow};
use super::relaxed::{ParticleRow, Relaxed};
use super::repair::{DAMAGES, Repair, RepairRow};
use super::rivals::{Rivals, WAYS};
use super::scene::{ARC, FROZEN, LENGTH, RunRow, STEP, STRIPS};
use super::steps::Steps;
use crate::course::FINISHED;
use lab::prelude::*;

/// A finding that rests on exact counts.
pub fn counted(verdict: Verdict, measured: String, cases: usize, reason: &str, readings: Vec<Reading>) -> Finding {
    Finding::new(verdict, measured, reason).cases(cases).readings(readings)
}

/// All, some or none.
fn by_share(held: usize, of: usize) -> Verdict {
    match held {
        0 => Verdict::NotReproduced,
        held if held == of => Verdict::Reproduced,
        _ => Verdict::DirectionOnly,
    }
}

/// What a claim comes to as printed, or where it only holds along directions of the preview; `direction` is judged where it does not.
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

/// The sheets of figure 4 by a method, one row each.
fn relaxed_sheets(results: &Results, frozen: bool) -> Result<Vec<ParticleRow>, ResultsError> {
    let mut sheets = results.without_sets::<Relaxed>()?;
    sheets.retain(|sheet| sheet.column == 0 && sheet.row == 0 && (sheet.method == STRIPS.name()) != frozen);
    Ok(sheets)
}

/// D-RELAX.
pub fn relax(results: &Results) -> Result<Finding, ResultsError> {
    let judge = |sheets: &[ParticleRow]| {
        let held = sheets.iter().filter(|sheet| sheet.status == FINISHED).count();
        let words = sheets.iter().map(|sheet| {
            format!(
                "{}: {}, {} steps, largest strain {}",
                per_cent(sheet.tolerance),
                sheet.status,
                sheet.steps,
                word(sheet.strain)
            )
        });
        let words = words.collect::<Vec<_>>().join("; ");
        (Answer::from(held == sheets.len() && held > 0), Answer::from(held > 0), words)
    };
    let sheets = relaxed_sheets(results, false)?;
    let (holds, some, measured) = judge(&sheets);
    let as_printed = relaxed_sheets(results, true)?;
    let (printed, printed_some, frozen) = judge(&as_printed);
    let runs = results.without_sets::<Printed>()?;
    let mut readings = vec![Reading::new(PRINTED, frozen, Some(verdict(printed, printed_some)))];
    readings.extend(printed_map(&runs));
    let finished = as_printed.iter().filter(|sheet| sheet.status == FINISHED).count();
    let reason = format!(
        "exact; every step of every sheet is counted. As printed {finished} of {} sheets of figure 4 come to their end at a side \
         of {} m; {}",
        as_printed.len(),
        short(LENGTH),
        of_map(&runs)
    );
    let found = as_corrected(printed, holds, some.or(printed_some));
    Ok(counted(found, measured, sheets.len(), &reason, readings))
}

/// How many runs of the map of printed directions come to their end on its largest grid, by step.
fn of_map(runs: &[PrintedRow]) -> String {
    let Some(side) = runs.iter().map(|row| row.side).max() else { return "no other setting was run".into() };
    let of = |rate: u32| runs.iter().filter(move |row| row.side == side && row.rate == rate);
    let finished = |rate: u32| of(rate).filter(|row| row.is_finished()).count();
    let mut rates: Vec<u32> = runs.iter().filter(|row| row.side == side).map(|row| row.rate).collect();
    rates.sort_unstable();
    rates.dedup();
    let counts: Vec<String> =
        rates.iter().map(|rate| format!("{} of {} runs with steps of 1/{rate} s", finished(*rate), of(*rate).count())).collect();
    let tolerance = runs.first().map_or(0.0, |row| row.tolerance);
    let paper = (1.0 / STEP).round() as u32;
    let rest = if finished(paper) == 0 {
        format!("A side, a start or pins with which one does at 1/{paper} s would make it reproduced as printed")
    } else {
        format!("Those at 1/{paper} s are of other sides, starts or pins than the sheet that is judged")
    };
    format!(
        "over all sides, starts and pins of the map, sheets of {side} x {side} at {} do in {}. {rest}",
        per_cent(tolerance),
        counts.join(", ")
    )
}

/// Where directions as printed carry a sheet to its end.
fn printed_map(runs: &[PrintedRow]) -> Vec<Reading> {
    let mut kinds: Vec<(usize, u32)> = runs.iter().map(|row| (row.side, row.rate)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut readings = vec![];
    for (side, rate) in kinds {
        let of: Vec<&PrintedRow> = runs.iter().filter(|row| row.side == side && row.rate == rate).collect();
        let finished = of.iter().filter(|row| row.is_finished()).count();
        let mut lengths: Vec<f64> = of.iter().map(|row| row.length).collect();
        lengths.dedup();
        let by_length = lengths.iter().map(|length| {
            let here = || of.iter().filter(|row| row.length == *length);
            format!("{} of {} at {} m", here().filter(|row| row.is_finished()).count(), here().count(), short(*length))
        });
        let by_length: Vec<String> = by_length.collect();
        let name = format!("as printed, {side} x {side}, 1/{rate} s, by start and pins: runs that come to their end");
        readings.push(Reading::new(name, format!("{finished} of {}: {}", of.len(), by_length.join(", ")), None));
    }
    let falls = |finished: bool| runs.iter().filter(move |row| row.is_finished() == finished).map(|row| row.fall);
    let all_below = falls(false).fold(f64::INFINITY, f64::min);
    let none_above = falls(true).fold(0.0, f64::max);
    let measured = format!(
        "the shortest at which a run fails {}, the longest at which one came to its end {}",
        word(Some(all_below).filter(|fall| fall.is_finite())),
        short(none_above)
    );
    readings.push(Reading::new("as printed, free fall of a step over the length of an edge", measured, None));
    readings
}

/// Sheets of the main group that vary in nothing but what `differs` allows.
pub fn steps_where(results: &Results, differs: impl Fn(&RunRow) -> bool) -> Result<Vec<RunRow>, ResultsError> {
    Ok(results.without_sets::<Steps>()?.into_iter().filter(differs).collect())
}

/// Whether a run is the usual one but for its grid, its tolerance and its limit.
pub fn usual(row: &RunRow) -> bool {
    row.is_sized(LENGTH, ARC) && row.air == 0.0 && !row.velocities && row.method == STRIPS.name()
}

/// D-ITER.
pub fn rivals(results: &Results) -> Result<Finding, ResultsError> {
    let runs = results.without_sets::<Rivals>()?;
    let Some(main) = runs.first().map(|row| row.length) else {
        return Err(ResultsError::TooFew("nothing was divided".into()));
    };
    let mut lengths: Vec<f64> = runs.iter().map(|row| row.length).collect();
    lengths.dedup();
    let judge = |length: f64, of: fn(&RunRow) -> f64| {
        let here: Vec<&RunRow> = runs.iter().filter(|row| row.length == length).collect();
        let sizes: Vec<&[&RunRow]> = here.chunks_exact(WAYS.len()).collect();
        let ratios = sizes.iter().map(|ways| of(ways[1]) / of(ways[0]));
        let least = Estimate::exact(ratios.fold(f64::INFINITY, f64::min), sizes.len());
        // strips at the limit would make a ratio an upper bound
        let told = Answer::from(sizes.iter().all(|ways| ways[0].strain.is_some() && ways[0].limited == 0) && !sizes.is_empty());
        let told = if told == Answer::Yes { Answer::Yes } else { Answer::Open };
        (told.and(least.lies_above(2.0)), told.and(least.lies_above(1.0)), least)
    };
    let is_run = |row: &RunRow| runs.iter().any(|run| run.side == row.side && run.tolerance == row.tolerance);
    let printed = steps_where(results, |row| row.method == FROZEN.name() && !row.velocities && is_run(row))?;
    let whole = printed.iter().filter(|row| row.strain.is_some()).count();
    let ends = printed.iter().map(|row| format!("{0} x {0}: {1} after {2} steps", row.side, row.status, row.steps));
    // strips that come to no end take no number of iterations
    let as_printed = if whole == printed.len() { Answer::Open } else { Answer::No };
    let ends = ends.collect::<Vec<_>>().join("; ");
    let mut readings = vec![Reading::new(PRINTED, ends, Some(verdict(as_printed, as_printed)))];
    for length in &lengths {
        for (name, of) in [("iterations", (|row| row.iterations) as fn(&RunRow) -> f64), ("operations", |row| row.operations)] {
            if *length == main && name == "iterations" {
                continue;
            }
            let (holds, more, least) = judge(*length, of);
            let verdict = verdict(holds, more);
            let name = format!("a sheet of {} m, {name} of single constraints over those of strips", short(*length));
            readings.push(Reading::new(name, format!("at least {}", short(least.value)), Some(verdict)));
        }
        let here: Vec<&RunRow> = runs.iter().filter(|row| row.length == *length).collect();
        for ways in here.chunks_exact(WAYS.len()) {
            let words = ways.iter().map(|row| {
                let limited = if row.limited > 0 {
                    format!(", {} of {} steps at the limit", row.limited, row.steps)
                } else {
                    String::new()
                };
                format!("{} {}{limited}", row.method, short(row.iterations))
            });
            let name = format!("{0} x {0}, {1} m, iterations a step", ways[0].side, short(*length));
            readings.push(Reading::new(name, words.collect::<Vec<_>>().join("; "), None));
        }
    }
    let (holds, more, least) = judge(main, |row| row.iterations);
    let measured = format!("at least {} times the iterations of strips", short(least.value));
    let reason = format!(
        "exact counts over the same starts; a limit of iterations makes a ratio a lower bound. Both take their directions anew: \
         as printed, strips come to their end at {whole} of {} grids. A grid at which single constraints need less than twice the \
         iterations would overturn it",
        printed.len()
    );
    let finding = counted(as_corrected(as_printed, holds, more), measured, least.cases, &reason, readings);
    Ok(Finding { value: least.value.is_finite().then_some(least.value), ..finding })
}

/// D-REPAIR.
pub fn repair(results: &Results) -> Result<Finding, ResultsError> {
    let all = results.without_sets::<Repair>()?;
    let held = |row: &&RepairRow| row.status == FINISHED && row.kept == row.followed;
    let most = all.iter().map(|row| row.limit).max().unwrap_or(0);
    let of = |limit: u32, frozen: bool| -> Vec<&RepairRow> {
        all.iter().filter(|row| row.limit == limit && (row.method != STRIPS.name()) == frozen).collect()
    };
    let judge = |rows: &[&RepairRow]| {
        let words = DAMAGES.iter().map(|damage| {
            let of: Vec<&&RepairRow> = rows.iter().filter(|row| row.damage == *damage).collect();
            let whole = of.iter().filter(|row| held(row)).count();
            let longest = of.iter().filter_map(|row| row.steps).max();
            let repaired = of.iter().filter(|row| row.steps.is_some()).count();
            let after = longest.map_or(String::new(), |steps| format!(" after at most {steps} steps"));
            format!("{damage}: repaired {repaired} of {0}{after}, stayed so {whole} of {0}", of.len())
        });
        let whole = rows.iter().filter(|row| held(row)).count();
        (Answer::from(whole == rows.len() && whole > 0), Answer::from(whole > 0), words.collect::<Vec<_>>().join("; "))
    };
    let main = of(most, false);
    let (holds, some, measured) = judge(&main);
    let (printed, printed_some, frozen) = judge(&of(most, true));
    let once = main.iter().filter(|row| row.steps.is_some()).count();
    let turned: u64 = main.iter().map(|row| row.turned_over).sum();
    let mut readings = vec![Reading::new(PRINTED, frozen, Some(verdict(printed, printed_some)))];
    let mut limits: Vec<u32> = all.iter().map(|row| row.limit).filter(|limit| *limit != most).collect();
    limits.sort_unstable();
    limits.dedup();
    for limit in limits {
        let (holds, some, measured) = judge(&of(limit, false));
        readings.push(Reading::new(format!("at most {limit} iterations a step"), measured, Some(verdict(holds, some))));
    }
    readings.push(Reading::new(
        "whole once, whatever the steps after that",
        format!("{once} of {}", main.len()),
        Some(by_share(once, main.len())),
    ));
    readings.push(Reading::new("edges that turn by more than a right angle in a step, all sheets", turned.to_string(), None));
    let found = as_corrected(printed, holds, some.or(printed_some));
    let reason =
        "exact; a sheet counts when all steps after its repair hold too. One sheet that is not repaired would overturn it";
    Ok(counted(found, measured, main.len(), reason, readings))
}

/// D-CONTACT.
pub fn contact(results: &Results) -> Result<Finding, ResultsError> {
    let runs = results.without_sets::<Contact>()?;
    let main = runs.first().map_or(0.0, |row| row.beside);
    let find = |beside: f64, friction: f64, inside: bool, frozen: bool| {
        runs.iter().find(|row| {
            let is_way = row.directions == if frozen { "frozen" } else { "preview" };
            row.beside == beside && row.friction == friction && (row.rounds > 1) == inside && is_way
        })
    };
    let judge = |beside: f64, inside: bool, frozen: bool| {
        let [rough, slippery] = FRICTIONS.map(|friction| find(beside, friction, inside, frozen));
        let (rough, slippery) = rough.zip(slippery)?;
        let share = f64::from(rough.within) / f64::from(rough.steps.max(1));
        let finished = Answer::from(rough.status == FINISHED && slippery.status == FINISHED);
        // a sheet that stays where it is shows no friction
        let shows = Answer::from(rough.slip.zip(slippery.slip).is_some_and(|(with, without)| with < without));
        let holds = Answer::from(share >= 1.0).and(shows).and(finished);
        Some((holds, Answer::from(share >= 0.9).and(finished), rough))
    };
    let words = |row: &ContactRow| {
        format!(
            "{} of {} steps hold both ({} with contact); after everything largest strain {}, 99th percentile {}, deepest {} m, \
             slip {} m",
            row.within,
            row.steps,
            row.touching,
            word(row.strain),
            word(row.percentile99),
            word(row.depth),
            word(row.slip)
        )
    };
    let missing = || ResultsError::TooFew("the sheet on the sphere has not all its runs".into());
    let (holds, mostly, row) = judge(main, true, false).ok_or_else(missing)?;
    let (printed, printed_mostly) = judge(main, true, true).map_or((Answer::Open, Answer::Open), |(a, b, _)| (a, b));
    let mut readings = vec![];
    let mut besides: Vec<f64> = runs.iter().map(|row| row.beside).collect();
    besides.dedup();
    for beside in besides {
        for (inside, frozen) in [(true, false), (false, false), (true, true)] {
            let way = if inside { "inside the iteration" } else { "once after the strips" };
            let aim = if frozen { ", directions as printed" } else { "" };
            let place = format!("sphere {} m beside", short(beside));
            if let Some((holds, mostly, row)) = judge(beside, inside, frozen).filter(|_| beside != main || !inside || frozen) {
                let name = format!("{place}, collisions {way}{aim}");
                readings.push(Reading::new(name, words(row), Some(verdict(holds, mostly))));
            }
            if let Some(row) = find(beside, FRICTIONS[1], inside, frozen) {
                readings.push(Reading::new(format!("{place}, collisions {way}{aim}, without friction"), words(row), None));
            }
        }
    }
    let reason = "exact; one sheet, as the paper shows one. A step beyond the tolerance or inside the sphere would overturn it";
    Ok(counted(as_corrected(printed, holds, mostly.or(printed_mostly)), words(row), 1, reason, readings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::NOT_FINITE;

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

    #[test]
    fn the_map_is_counted_by_step_on_its_largest_grid() {
        let row = |side: usize, rate: u32, status: &str| PrintedRow {
            side,
            length: 1.0,
            pins: "one".into(),
            rate,
            tolerance: 0.01,
            fall: 0.1,
            status: status.into(),
            steps: 1,
            of: 1,
            iterations: 1.0,
            ..PrintedRow::default()
        };
        let mut runs = vec![row(10, 30, FINISHED), row(41, 30, NOT_FINITE), row(41, 480, FINISHED), row(41, 480, NOT_FINITE)];
        let words = of_map(&runs);
        let counts = "41 x 41 at 1 % do in 0 of 1 runs with steps of 1/30 s, 1 of 2 runs with steps of 1/480 s. A side";
        assert!(words.contains(counts), "{words}");
        runs.push(row(41, 30, FINISHED));
        assert!(of_map(&runs).contains("1 of 2 runs with steps of 1/30 s") && of_map(&runs).ends_with("that is judged"));
    }
}
