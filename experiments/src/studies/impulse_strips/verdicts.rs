//! The verdicts on counts and strains, and the discussion. Criteria stand in `claims/*.toml` and were fixed before the runs.

use lab::claims::{Finding, Reading, Verdict};
use lab::report::short;
use lab::results::{Results, ResultsError};

use super::contact::{ContactRow, FRICTIONS};
use super::relaxed::ParticleRow;
use super::repair::{DAMAGES, RepairRow};
use super::rivals::WAYS;
use super::scene::{ARC, LENGTH, LIMITED, RunRow, STRIPS, WITHIN};

/// Rows of a group without their sets.
pub fn rows<R: serde::de::DeserializeOwned>(results: &Results, group: &str) -> Result<Vec<R>, ResultsError> {
    Ok(results.rows(group)?.into_iter().map(|row| row.row).collect())
}

/// A finding that rests on exact counts.
fn counted(verdict: Verdict, measured: String, cases: usize, reason: &str, readings: Vec<Reading>) -> Finding {
    Finding { verdict, measured, value: None, interval: None, cases, left_out: 0, reason: reason.into(), readings }
}

/// All, some or none.
fn by_share(held: usize, of: usize) -> Verdict {
    match held {
        0 => Verdict::NotReproduced,
        held if held == of => Verdict::Reproduced,
        _ => Verdict::DirectionOnly,
    }
}

fn reading(name: impl Into<String>, measured: impl Into<String>, verdict: Option<Verdict>) -> Reading {
    Reading { name: name.into(), measured: measured.into(), verdict }
}

/// A tolerance in per cent, without digits that it does not have.
pub fn per_cent(tolerance: f64) -> String {
    format!("{} %", (1e6 * tolerance).round() / 1e4)
}

/// A number or a dash.
pub fn word(value: Option<f64>) -> String {
    value.map_or_else(|| "-".into(), short)
}

/// The sheets of figure 4 by a method, one row each.
fn relaxed_sheets(results: &Results, frozen: bool) -> Result<Vec<ParticleRow>, ResultsError> {
    let mut sheets: Vec<ParticleRow> = rows(results, "relaxed")?;
    sheets.retain(|sheet| sheet.column == 0 && sheet.row == 0 && (sheet.method == STRIPS.name()) != frozen);
    Ok(sheets)
}

/// D-RELAX.
pub fn relax(results: &Results) -> Result<Finding, ResultsError> {
    let judge = |sheets: &[ParticleRow]| {
        let held = sheets.iter().filter(|sheet| sheet.status == WITHIN).count();
        let words = sheets.iter().map(|sheet| {
            format!(
                "{}: {}, {} steps, largest strain {}",
                per_cent(sheet.tolerance),
                sheet.status,
                sheet.steps,
                word(sheet.strain)
            )
        });
        (by_share(held, sheets.len()), words.collect::<Vec<_>>().join("; "))
    };
    let sheets = relaxed_sheets(results, false)?;
    let (verdict, measured) = judge(&sheets);
    let (frozen_verdict, frozen) = judge(&relaxed_sheets(results, true)?);
    let readings = vec![reading("directions of the start of the step, as printed", frozen, Some(frozen_verdict))];
    Ok(counted(verdict, measured, sheets.len(), "exact; every step of every sheet is counted", readings))
}

/// Sheets of the main group that vary in nothing but what `differs` allows.
pub fn steps_where(results: &Results, differs: impl Fn(&RunRow) -> bool) -> Result<Vec<RunRow>, ResultsError> {
    Ok(rows::<RunRow>(results, "steps")?.into_iter().filter(differs).collect())
}

/// Whether a run is the usual one but for its grid, its tolerance and its limit.
pub fn usual(row: &RunRow) -> bool {
    row.is_sized(LENGTH, ARC) && !row.velocities && row.method == STRIPS.name()
}

/// D-ITER.
pub fn rivals(results: &Results) -> Result<Finding, ResultsError> {
    let runs: Vec<RunRow> = rows(results, "rivals")?;
    let sizes = runs.chunks_exact(WAYS.len());
    let ratios: Vec<f64> = sizes.clone().map(|of| of[1].iterations / of[0].iterations).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let verdict = match least {
        least if least >= 2.0 => Verdict::Reproduced,
        least if least > 1.0 => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
    };
    let mut readings = vec![];
    for of in sizes {
        let words = of.iter().map(|row| {
            let limited =
                if row.limited > 0 { format!(", {} of {} steps at the limit", row.limited, row.steps) } else { String::new() };
            format!("{} {}{limited}", row.method, short(row.iterations))
        });
        readings.push(reading(format!("{0} x {0}, iterations a step", of[0].side), words.collect::<Vec<_>>().join("; "), None));
        let operations = of[1].operations / of[0].operations;
        readings.push(reading(format!("{0} x {0}, operations, single over strips", of[0].side), short(operations), None));
    }
    let measured = format!("at least {} times the iterations of strips", short(least));
    let finding =
        counted(verdict, measured, ratios.len(), "exact counts; a limit of iterations makes a ratio a lower bound", readings);
    Ok(Finding { value: least.is_finite().then_some(least), ..finding })
}

/// D-REPAIR.
pub fn repair(results: &Results) -> Result<Finding, ResultsError> {
    let all: Vec<RepairRow> = rows(results, "repair")?;
    let held = |row: &RepairRow| row.status == "repaired" && row.kept == row.followed;
    let (main, frozen): (Vec<RepairRow>, Vec<RepairRow>) = all.into_iter().partition(|row| row.method == STRIPS.name());
    let judge = |rows: &[RepairRow]| {
        let words = DAMAGES.iter().map(|damage| {
            let of: Vec<&RepairRow> = rows.iter().filter(|row| row.damage == *damage).collect();
            let whole = of.iter().filter(|row| held(row)).count();
            let longest = of.iter().filter_map(|row| row.steps).max();
            let repaired = of.iter().filter(|row| row.steps.is_some()).count();
            let after = longest.map_or(String::new(), |steps| format!(" after at most {steps} steps"));
            format!("{damage}: repaired {repaired} of {0}{after}, stayed so {whole} of {0}", of.len())
        });
        (by_share(rows.iter().filter(|row| held(row)).count(), rows.len()), words.collect::<Vec<_>>().join("; "))
    };
    let (verdict, measured) = judge(&main);
    let (frozen_verdict, frozen) = judge(&frozen);
    let once = main.iter().filter(|row| row.steps.is_some()).count();
    let turned: u64 = main.iter().map(|row| row.turned_over).sum();
    let readings = vec![
        reading("directions of the start of the step, as printed", frozen, Some(frozen_verdict)),
        reading(
            "whole once, whatever the steps after that",
            format!("{once} of {}", main.len()),
            Some(by_share(once, main.len())),
        ),
        reading("edges that turn by more than a right angle in a step, all sheets", turned.to_string(), None),
    ];
    Ok(counted(verdict, measured, main.len(), "exact; a sheet counts when all steps after its repair hold too", readings))
}

/// D-CONTACT.
pub fn contact(results: &Results) -> Result<Finding, ResultsError> {
    let runs: Vec<ContactRow> = rows(results, "contact")?;
    let of = |friction: f64, inside: bool| runs.iter().find(|row| row.friction == friction && (row.rounds > 1) == inside);
    let missing = || ResultsError::TooFew("the sheet on the sphere has not all its runs".into());
    let [main, slippery] = FRICTIONS.map(|friction| of(friction, true));
    let (main, slippery) = main.zip(slippery).ok_or_else(missing)?;
    let share = |row: &ContactRow| f64::from(row.within) / f64::from(row.steps.max(1));
    let slips_less = main.slip.zip(slippery.slip).is_some_and(|(with, without)| with < without);
    let verdict = |row: &ContactRow| match share(row) {
        _ if row.status != "finished" => Verdict::NotReproduced,
        share if share >= 1.0 && slips_less => Verdict::Reproduced,
        share if share >= 0.9 => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
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
    let mut readings = vec![reading("without friction, inside the iteration", words(slippery), None)];
    for friction in FRICTIONS {
        if let Some(row) = of(friction, false) {
            readings.push(reading(
                format!("friction {friction}, collisions once after the strips"),
                words(row),
                Some(verdict(row)),
            ));
        }
    }
    Ok(counted(verdict(main), words(main), 1, "exact; one sheet, as the paper shows one", readings))
}

/// What a reader of the paper would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let all: Vec<RunRow> = rows(results, "steps")?;
    let most = all.iter().map(|row| row.limit).max().unwrap_or(0);
    let full = |row: &&RunRow| usual(row) && row.limit == most;
    let mut tolerances: Vec<f64> = all.iter().filter(full).map(|row| row.tolerance).collect();
    tolerances.sort_by(|a, b| b.total_cmp(a));
    tolerances.dedup();
    let at = |tolerance: f64| {
        let of = all.iter().filter(full).filter(|row| row.tolerance == tolerance);
        let words: Vec<String> = of
            .map(|row| {
                let mark = if row.status == LIMITED {
                    format!(" ({} of {} steps at the limit)", row.limited, row.steps)
                } else {
                    String::new()
                };
                format!("{}{mark}", short(row.iterations))
            })
            .collect();
        format!("at {} {}", per_cent(tolerance), words.join(", "))
    };
    let mut sides: Vec<usize> = all.iter().filter(full).map(|row| row.side).collect();
    sides.dedup();
    let frozen: Vec<String> = all
        .iter()
        .filter(|row| row.method != STRIPS.name() && !row.velocities)
        .map(|row| format!("{0} x {0} {1} after {2} steps", row.side, row.status, row.steps))
        .collect();
    let varied = |words: fn(&RunRow) -> String, differs: &dyn Fn(&RunRow) -> bool| {
        let of = all.iter().filter(|row| row.method == STRIPS.name() && row.limit == most && differs(row));
        of.map(|row| format!("{} on {1} x {1}: {2}", words(row), row.side, short(row.iterations))).collect::<Vec<_>>().join("; ")
    };
    Ok(format!(
        "Iterations a step with directions of the preview, for grids of {} particles a side: {}. An iteration solves all rows and \
         then all columns. With directions as printed, from the start of the step: {}.\n\n\
         The paper leaves open what else the count may hang on, here one thing at a time. The side of the sheet, since a step of \
         1/30 s drops a particle by 5 mm whatever the mesh: {}. How much closer the pins are than the row between them is long, \
         since a nearly taut row is nearly over-determined: {}. The velocity pass, in iterations of the positions: {}.",
        sides.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
        tolerances.into_iter().map(at).collect::<Vec<_>>().join("; "),
        frozen.join("; "),
        varied(|row| format!("{} m", short(row.length)), &|row| !row.is_sized(LENGTH, row.arc) && row.is_sized(row.length, ARC)),
        varied(|row| format!("an arc of {} rad", short(row.arc)), &|row| !row.is_sized(row.length, ARC)),
        varied(|_| "with velocities corrected".into(), &|row| row.velocities),
    ))
}
