//! What a reader of the thesis would want to know.

use kit::prelude::*;

use super::fall::{LATE, WINDOW, plainly};
use super::oscillation::Trend;
use super::perturbed::Perturbed;
use super::readings::Readings;
use super::runs::RunRow;
use super::trio::{DAMPINGS, LATE_LOSS, OSCILLATION, Ratio, Trio, printed, printed_as_criteria, series, trios};

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let printed = printed_as_criteria(results)?;
    let rows = results.without_sets::<Readings>()?;
    let mut sentences = vec![format!("Oscillation is the internal energy minus its centred average over {WINDOW} s.")];
    sentences.extend(dissipation(&printed, &rows));
    sentences.extend(gentle_damping(&printed, &rows));
    sentences.extend(slowing(&rows));
    sentences.extend(solvers(results)?);
    sentences.extend(high_passes(results)?);
    sentences.extend(ranges(results)?);
    sentences.push("Differences between single runs that are smaller than these ranges are chance.".into());
    Ok(format!("{}\n\n{}", sentences.join(" "), of_printed(&printed)))
}

/// What each run of the printed scene came to.
fn of_printed(printed: &[Trio]) -> String {
    let mut lines = vec![];
    for trio in printed {
        for (name, run) in DAMPINGS.iter().zip(&trio.runs) {
            let cells = match run {
                Ok(run) => [run.early, run.late, run.oscillation].map(short).join(" | "),
                Err(status) => format!("{status} | |"),
            };
            lines.push(vec![trio.name.to_string(), name.to_string(), cells]);
        }
    }
    table(&["solver", "damping", "lost at 0.5 s [J]", "lost at 2 s [J]", "rms of the oscillation [J]"], lines) + "\n"
}

/// Finished runs of a reading with a damping.
fn finished<'a>(rows: &'a [RunRow], reading: &'a str, damping: &'a str) -> impl Iterator<Item = &'a RunRow> {
    rows.iter().filter(move |row| row.summary.status == Status::Finished && row.reading == reading && row.damping == damping)
}

/// What the scheme itself dissipates.
fn dissipation(printed: &[Trio], rows: &[RunRow]) -> Option<String> {
    let losses = finished(rows, "tight, step", "none").filter_map(|row| Some((row.step, row.summary.loss_late?)));
    let (step, loss) = losses.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let none = printed.last()?.runs[0].as_ref().ok()?;
    let [late, loss] = [none.late, loss].map(short);
    let step = plainly(step);
    Some(format!(
        "The model without damping conserves energy, so all that it loses goes to the scheme: {late} J in 2 s, {loss} J with a step of {step} s."
    ))
}

/// Smaller plain damping against the printed projected one.
fn gentle_damping(printed: &[Trio], rows: &[RunRow]) -> Option<String> {
    let projected = printed.last()?.runs[2].as_ref().ok()?;
    let tight = finished(rows, "tight, coefficient", "plain");
    let tight = tight.filter_map(|row| Some((row.coefficient, row.summary.loss_late?, row.summary.oscillation?)));
    let gentle = tight.filter(|(_, loss, _)| *loss <= 1.02 * projected.late);
    let (kd, loss, oscillation) = gentle.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let kd = plainly(kd);
    let [loss, oscillation, late, rms] = [loss, oscillation, projected.late, projected.oscillation].map(short);
    Some(format!(
        "The thesis says that smaller plain damping has little effect. With tight solves, plain damping of {kd} N s/m loses {loss} J in 2 \
         s and leaves an rms of {oscillation} J; projected damping as printed loses {late} J and leaves {rms} J. In this scene the one \
         does what the other does, with a coefficient that has to be found."
    ))
}

/// When a sheet is lowest with the largest coefficient of each damping.
fn slowing(rows: &[RunRow]) -> Option<String> {
    let lowest = |damping: &str| {
        let row = finished(rows, "tight, coefficient", damping).max_by(|a, b| a.coefficient.total_cmp(&b.coefficient))?;
        Some((row.coefficient, row.summary.lowest_time?))
    };
    let ((plain, slow), (projected, fast)) = (lowest("plain")?, lowest("projected")?);
    let when = |time: f64| {
        if time < 0.99 * LATE { format!("is lowest after {} s", short(time)) } else { "still falls at the end".into() }
    };
    let holds = if slow > 1.2 * fast { "as its footnote says" } else { "against its footnote" };
    let (plain, slow, projected, fast) = (plainly(plain), when(slow), plainly(projected), when(fast));
    Some(format!(
        "With plain damping of {plain} N s/m the sheet {slow}, with projected damping of {projected} N s/m it {fast}, {holds}."
    ))
}

/// What hangs on the solver: on its preconditioner and start, on the terms of the matrix, on Newton's steps.
fn solvers(results: &Results) -> Result<Vec<String>, ResultsError> {
    let mut sentences = vec![];
    let solvers = trios_of(results, "solver")?;
    let ratios: Vec<f64> = solvers.iter().filter_map(|trio| Some(OSCILLATION(&trio.finished()?))).collect();
    if let Some([low, high]) = extremes(&ratios) {
        let [low, high] = [low, high].map(short);
        sentences.push(format!("The oscillation without damping is {low} to {high} times that with projected damping over preconditioners \
                                and starts of conjugate gradients at the same tolerance, none of which the thesis prints for this \
                                experiment: much of what its figure 4.4 shows may be the solver."));
    }
    for trio in trios_of(results, "derivatives")? {
        let outcome = match &trio.runs[2] {
            Ok(run) => format!("leaves an rms of {} J", short(run.oscillation)),
            Err(status) => status.to_string(),
        };
        sentences.push(format!("With other terms in the matrix ({}) the run with projected damping {outcome}.", trio.name));
    }
    let newton = trios_of(results, "Newton")?;
    if let Some(trio) = newton.last().filter(|trio| trio.runs[0].is_ok() && trio.finished().is_none()) {
        sentences.push(format!(
            "Iterated to convergence the scheme works without damping, and not with it ({}): a damper that acts only while its spring is \
             extended has a force that jumps.",
            trio.failures()
        ));
    }
    Ok(sentences)
}

/// Other high-passes than that of the claims: their windows \[s\] and trends.
const HIGH_PASSES: [(f64, Trend); 5] =
    [(0.05, Trend::Average), (0.2, Trend::Average), (0.4, Trend::Average), (0.1, Trend::Parabola), (0.2, Trend::Parabola)];

/// What hangs on the high-pass.
fn high_passes(results: &Results) -> Result<Option<String>, ResultsError> {
    let series = series(results)?;
    let trios = HIGH_PASSES.iter().flat_map(|(width, trend)| printed(&series, *width, *trend));
    let ratios: Vec<f64> = trios.filter_map(|trio| Some(OSCILLATION(&trio.finished()?))).collect();
    Ok(extremes(&ratios).map(|[low, high]| {
        format!(
            "High-passed by averages over 0.05 to 0.4 s, or by parabolas over 0.1 and 0.2 s, the oscillation without damping is {} to {} times \
             that with projected damping, from the flat start with each solver.",
            short(low),
            short(high)
        )
    }))
}

/// Between which values starts that are not quite flat lie, by solver.
fn ranges(results: &Results) -> Result<Vec<String>, ResultsError> {
    // the value of a perturbed run is how high its particles start at most
    let rows = results.rows::<Perturbed>()?;
    let height = rows.first().map_or("", |row| &row.row.value);
    let finished = trios(&rows).into_iter().filter_map(|([row, ..], trio)| Some((row.solver.clone(), trio.finished()?)));
    let sentence = |(name, runs): (String, Vec<_>)| {
        let range = |ratio: Ratio| {
            let [low, high] = extremes(&runs.iter().map(ratio).collect::<Vec<f64>>())?;
            Some(format!("{} to {}", short(low), short(high)))
        };
        let (oscillation, loss) = (range(OSCILLATION)?, range(LATE_LOSS)?);
        Some(format!(
            "From starts up to {height} above or below the plane, with {name}, the oscillation without damping is {oscillation} times that with \
             projected damping, and the loss at 2 s with it {loss} times that without."
        ))
    };
    Ok(grouped(finished).into_iter().filter_map(sentence).collect())
}

fn trios_of(results: &Results, reading: &str) -> Result<Vec<Trio>, ResultsError> {
    let rows = results.rows::<Readings>()?;
    Ok(trios(&rows).into_iter().filter(|([row, ..], _)| row.reading == reading).map(|(_, trio)| trio).collect())
}
