//! The verdicts of the study. Criteria stand in `claims/*.toml` and were fixed before the runs.

use std::slice::from_ref;

use lab::claims::{Finding, Reading, Verdict};
use lab::report::short;
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{bootstrap, median, quantile, share};

use super::fall::{FINISHED, LATE, WINDOW, plainly};
use super::oscillation::Trend;
use super::runs::RunRow;
use super::trio::{Criterion, Measure, NONE, PLAIN, PROJECTED, Trio, keeps, printed, printed_as_criteria, series, trios};

/// Other high-passes: their windows \[s\] and trends.
const HIGH_PASSES: [(f64, Trend, &str); 5] = [
    (0.05, Trend::Average, "average over 0.05 s"),
    (0.2, Trend::Average, "average over 0.2 s"),
    (0.4, Trend::Average, "average over 0.4 s"),
    (0.1, Trend::Parabola, "parabola over 0.1 s"),
    (0.2, Trend::Parabola, "parabola over 0.2 s"),
];

/// What may hold of three runs.
type Holds = fn(&[Measure; 3]) -> bool;

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// The numbers of a trio in words, or which of its runs did not finish.
fn words(criterion: &Criterion, trio: &Trio) -> String {
    trio.finished().map_or_else(|| trio.failures(), |runs| (criterion.words)(&runs))
}

/// A reading of one trio; without a verdict where a run did not finish.
fn reading(criterion: &Criterion, name: String, trio: &Trio) -> Reading {
    let verdict = trio.finished().map(|_| criterion.verdict(from_ref(trio)));
    Reading { name, measured: words(criterion, trio), verdict }
}

/// The share of trios for which something holds, with its interval, and the verdict that rests on it.
fn reading_of_share(name: String, sample: &[[Measure; 3]], left_out: usize, holds: Holds) -> Option<Reading> {
    let of = |sample: &[[Measure; 3]]| share(sample, holds);
    let value = of(sample)?;
    let interval = bootstrap(&name, sample, of)?;
    let measured = format!(
        "{} of {} sets (95 %: {} to {}); {left_out} more have a run that did not finish",
        percent(value),
        sample.len(),
        percent(interval.low),
        percent(interval.high)
    );
    let verdict = if interval.low > 0.5 {
        Verdict::Reproduced
    } else if interval.high < 0.5 {
        Verdict::NotReproduced
    } else {
        Verdict::Inconclusive
    };
    Some(Reading { name, measured, verdict: Some(verdict) })
}

/// Sets of a sampled group with one solver.
struct Sample {
    solver: String,
    /// Runs of the sets that finished.
    runs: Vec<[Measure; 3]>,
    /// Number of sets that did not.
    left_out: usize,
}

/// Sets of a sampled group by solver.
fn sampled(results: &Results, group: &str) -> Result<Vec<Sample>, ResultsError> {
    let rows: Vec<Row<RunRow>> = results.rows(group)?;
    let mut samples: Vec<Sample> = vec![];
    for ([first, ..], trio) in trios(&rows) {
        let place = samples.iter().position(|sample| sample.solver == first.solver).unwrap_or_else(|| {
            samples.push(Sample { solver: first.solver.clone(), runs: vec![], left_out: 0 });
            samples.len() - 1
        });
        match trio.finished() {
            Some(runs) => samples[place].runs.push(runs),
            None => samples[place].left_out += 1,
        }
    }
    Ok(samples)
}

/// The middle of a number over a sample, with the range of its middle nine tenths and the interval of its median.
fn spread(name: &str, sample: &[[Measure; 3]], value: fn(&[Measure; 3]) -> f64) -> Option<String> {
    let values = |sample: &[[Measure; 3]]| sample.iter().map(value).collect::<Vec<f64>>();
    let all = values(sample);
    let middle = bootstrap(name, sample, |sample| median(&values(sample)))?;
    Some(format!(
        "median {} (95 %: {} to {}), nine tenths from {} to {}",
        short(median(&all)?),
        short(middle.low),
        short(middle.high),
        short(quantile(&all, 0.05)?),
        short(quantile(&all, 0.95)?)
    ))
}

/// Every other reading of a criterion.
fn readings(results: &Results, criterion: &Criterion, what: &str) -> Result<Vec<Reading>, ResultsError> {
    let mut readings = vec![];
    for trio in printed_as_criteria(results)? {
        readings.push(reading(criterion, format!("{} alone", trio.name), &trio));
    }
    let series = series(results)?;
    for (width, trend, name) in HIGH_PASSES.into_iter().filter(|_| criterion.of_oscillation) {
        let trios = printed(&series, width, trend);
        let measured =
            trios.iter().map(|trio| format!("{}: {}", trio.name, words(criterion, trio))).collect::<Vec<_>>().join("; ");
        readings.push(Reading { name: format!("high-pass: {name}"), measured, verdict: Some(criterion.verdict(&trios)) });
    }
    for (_, trio) in trios(&results.rows("readings")?) {
        readings.push(reading(criterion, trio.name.clone(), &trio));
    }
    for (group, words) in [("perturbed", "perturbed starts"), ("sets", "random sets")] {
        for Sample { solver, runs, left_out } in sampled(results, group)? {
            let name = format!("{words}, {solver}");
            if let Some(spread) = spread(&format!("{what}, {name}"), &runs, criterion.value) {
                readings.push(Reading { name: format!("{what}, {name}"), measured: spread, verdict: None });
            }
            readings.extend(reading_of_share(format!("share that meets the criterion, {name}"), &runs, left_out, criterion.met));
        }
    }
    Ok(readings)
}

fn finding(results: &Results, criterion: &Criterion, what: &str, why: &str) -> Result<Finding, ResultsError> {
    let trios = printed_as_criteria(results)?;
    let verdict = criterion.verdict(&trios);
    let measured = trios.iter().map(|trio| format!("{}: {}", trio.name, words(criterion, trio))).collect::<Vec<_>>().join("; ");
    let value = trios.first().and_then(Trio::finished).map(|runs| (criterion.value)(&runs));
    let readings = readings(results, criterion, what)?;
    let judged: Vec<Verdict> = readings.iter().filter_map(|reading| reading.verdict).collect();
    let met = judged.iter().filter(|verdict| **verdict == Verdict::Reproduced).count();
    Ok(Finding {
        verdict,
        measured,
        value,
        interval: None,
        cases: 3 * trios.len(),
        left_out: trios.iter().flat_map(|trio| &trio.runs).filter(|run| run.is_err()).count(),
        reason: format!(
            "{why}; {met} of {} other readings meet the criterion{}. A run of one scene has no interval: see the perturbed starts and the \
             random sets",
            judged.len(),
            chance(results, criterion)?
        ),
        readings,
    })
}

/// How many of the perturbed starts meet a criterion, by solver, in words.
fn chance(results: &Results, criterion: &Criterion) -> Result<String, ResultsError> {
    let counts = sampled(results, "perturbed")?.into_iter().map(|Sample { solver, runs, left_out }| {
        let met = runs.iter().filter(|runs| (criterion.met)(runs)).count();
        format!("{met} of {} at {solver}", runs.len() + left_out)
    });
    let counts = counts.collect::<Vec<_>>().join(" and ");
    Ok(format!("; of the same scene with a start that is not quite flat, {counts} meet it"))
}

/// B-DAMP-NONE.
pub fn none(results: &Results) -> Result<Finding, ResultsError> {
    let why = "how much more the internal energy oscillates without damping is for the solver to say: a loose one adds noise, most of it where \
               nothing damps it";
    finding(results, &NONE, "ratio of the rms", why)
}

/// B-DAMP-PLAIN.
pub fn plain(results: &Results) -> Result<Finding, ResultsError> {
    let why = "plain damping brakes the fall itself, not only the stretch of the springs";
    finding(results, &PLAIN, "ratio of the loss at 0.5 s", why)
}

/// B-DAMP-PROJ.
pub fn projected(results: &Results) -> Result<Finding, ResultsError> {
    let parts = printed_as_criteria(results)?.into_iter().filter_map(|trio| {
        let runs = trio.finished()?;
        let loss = if keeps(&runs) { "stays within 20 %" } else { "does not stay within 20 %" };
        let halved = if runs[2].oscillation <= 0.5 * runs[0].oscillation { "is halved" } else { "is not halved" };
        Some(format!("{}: the loss {loss} and the oscillation {halved}", trio.name))
    });
    let why = parts.collect::<Vec<_>>().join(", ");
    let mut finding = finding(results, &PROJECTED, "ratio of the loss at 2 s", &why)?;
    for Sample { solver, runs, left_out } in sampled(results, "sets")? {
        let shares: [(&str, Holds); 3] = [
            ("in which the loss stays within 20 %", keeps),
            ("in which it does while plain damping of the same coefficient loses more", |runs| {
                keeps(runs) && runs[1].late > runs[2].late
            }),
            ("in which it does while plain damping of the same coefficient misses by more than 20 %, above or below", |runs| {
                keeps(runs) && (runs[1].late / runs[0].late - 1.0).abs() > 0.2
            }),
        ];
        for (what, holds) in shares {
            let name = format!("share {what}, random sets, {solver}");
            // not what the criterion asks, so without a verdict
            let share = reading_of_share(name, &runs, left_out, holds);
            finding.readings.extend(share.map(|share| Reading { verdict: None, ..share }));
        }
    }
    Ok(finding)
}

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let printed = printed_as_criteria(results)?;
    let mut text = String::from(
        "| solver | damping | lost at 0.5 s [J] | lost at 2 s [J] | rms of the oscillation [J] |\n| --- | --- | --- | --- | --- |\n",
    );
    for trio in &printed {
        for (name, run) in super::trio::DAMPINGS.iter().zip(&trio.runs) {
            let cells = match run {
                Ok(run) => [run.early, run.late, run.oscillation].map(short).join(" | "),
                Err(status) => format!("{status} | |"),
            };
            text += &format!("| {} | {name} | {cells} |\n", trio.name);
        }
    }
    let rows: Vec<Row<RunRow>> = results.rows("readings")?;
    let rows: Vec<&RunRow> = rows.iter().map(|row| &row.row).collect();
    let mut sentences = vec![format!("Oscillation is the internal energy minus its centred average over {WINDOW} s.")];
    let finished = |row: &&&RunRow| row.status == FINISHED;
    // the scheme's own damping
    let undamped = rows.iter().filter(finished).filter(|row| row.reading == "tight, step" && row.damping == "none");
    let mut undamped: Vec<(f64, f64)> = undamped.filter_map(|row| Some((row.step, row.loss_late?))).collect();
    undamped.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let [(step, loss), ..] = undamped[..]
        && let Some(Ok(none)) = printed.last().map(|trio| &trio.runs[0])
    {
        sentences.push(format!(
            "The model without damping conserves energy, so all that it loses goes to the scheme: {} J in 2 s, {} J with a step of {} s.",
            short(none.late),
            short(loss),
            plainly(step)
        ));
    }
    // smaller plain damping against the printed projected one
    let tight = |damping: &str| {
        let rows = rows.iter().filter(finished).filter(move |row| row.reading == "tight, coefficient");
        let damping = damping.to_owned();
        let rows = rows.filter(move |row| row.damping == damping);
        rows.filter_map(|row| Some((row.coefficient, row.loss_late?, row.oscillation?))).collect::<Vec<_>>()
    };
    if let Some(Ok(projected)) = printed.last().map(|trio| &trio.runs[2]) {
        let gentle = tight("plain").into_iter().filter(|(_, loss, _)| *loss <= 1.02 * projected.late);
        if let Some((kd, loss, oscillation)) = gentle.max_by(|a, b| a.0.total_cmp(&b.0)) {
            sentences.push(format!(
                "The thesis says that smaller plain damping has little effect. With tight solves, plain damping of {} N s/m loses {} J in 2 s and \
                 leaves an rms of {} J; projected damping as printed loses {} J and leaves {} J. In this scene the one does what the other does, \
                 with a coefficient that has to be found.",
                plainly(kd),
                short(loss),
                short(oscillation),
                short(projected.late),
                short(projected.oscillation)
            ));
        }
    }
    let lowest = |damping: &str| {
        let row = rows.iter().filter(finished).filter(|row| row.reading == "tight, coefficient" && row.damping == damping);
        let row = row.max_by(|a, b| a.coefficient.total_cmp(&b.coefficient))?;
        Some((row.coefficient, row.lowest_time?))
    };
    if let (Some((plain, slow)), Some((projected, fast))) = (lowest("plain"), lowest("projected")) {
        let when = |time: f64| {
            if time < 0.99 * LATE { format!("is lowest after {} s", short(time)) } else { "still falls at the end".into() }
        };
        let holds = if slow > 1.2 * fast { "as its footnote says" } else { "against its footnote" };
        sentences.push(format!(
            "With plain damping of {} N s/m the sheet {}, with projected damping of {} N s/m it {}, {holds}.",
            plainly(plain),
            when(slow),
            plainly(projected),
            when(fast)
        ));
    }
    let solvers = trios_of(results, "solver")?;
    let ratios = solvers.iter().filter_map(|trio| Some((NONE.value)(&trio.finished()?)));
    let ratios: Vec<f64> = ratios.collect();
    if let (Some(low), Some(high)) = (quantile(&ratios, 0.0), quantile(&ratios, 1.0)) {
        sentences.push(format!(
            "The oscillation without damping is {} to {} times that with projected damping over preconditioners and starts of conjugate gradients at \
             the same c, none of which the thesis prints for this experiment: much of what its figure 4.4 shows may be the solver.",
            short(low),
            short(high)
        ));
    }
    for trio in trios_of(results, "derivatives")? {
        let outcome = match &trio.runs[2] {
            Ok(run) => format!("leaves an rms of {} J", short(run.oscillation)),
            Err(status) => status.clone(),
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
    // the value of a perturbed run is how high its particles start at most
    let height = results.rows::<RunRow>("perturbed")?.first().map_or_else(String::new, |row| row.row.value.clone());
    for Sample { solver, runs, .. } in sampled(results, "perturbed")? {
        let range = |value: fn(&[Measure; 3]) -> f64| {
            let values: Vec<f64> = runs.iter().map(value).collect();
            Some(format!("{} to {}", short(quantile(&values, 0.0)?), short(quantile(&values, 1.0)?)))
        };
        if let (Some(oscillation), Some(loss)) = (range(NONE.value), range(PROJECTED.value)) {
            sentences.push(format!(
                "From starts up to {height} above or below the plane, at {solver}, the oscillation without damping is {oscillation} times that with \
                 projected damping, and the loss at 2 s with it {loss} times that without."
            ));
        }
    }
    sentences.push("Differences between single runs that are smaller than these ranges are chance.".into());
    Ok(format!("{}\n\n{text}", sentences.join(" ")))
}

/// The trios of one reading.
fn trios_of(results: &Results, reading: &str) -> Result<Vec<Trio>, ResultsError> {
    let rows: Vec<Row<RunRow>> = results.rows("readings")?;
    Ok(trios(&rows).into_iter().filter(|([row, ..], _)| row.reading == reading).map(|(_, trio)| trio).collect())
}
