//! The verdicts of the study. Criteria stand in `claims/*.toml` and were fixed before the runs.

use lab::judge::statistics::quantile;
use lab::prelude::*;

use super::bending::Bending;
use super::fall::{FINISHED, LATE, WINDOW, plainly};
use super::oscillation::Trend;
use super::runs::{Perturbed, Readings, RunRow, Sets};
use super::trio::{
    Criterion, DAMPINGS, Measure, NONE, PLAIN, PROJECTED, Trio, keeps, printed, printed_as_criteria, series, trios,
};

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

/// A reading of one trio; without a verdict where a run did not finish.
fn reading(criterion: &Criterion, name: String, trio: &Trio) -> Reading {
    match trio.finished() {
        Some(runs) => Reading::new(name, criterion.words_of_one(&runs), criterion.verdict_on_one(&runs)),
        None => Reading::new(name, trio.failures(), None),
    }
}

/// Sets of a sampled group that share all but their start or sheet.
struct Sample {
    /// What they share, in words.
    name: String,
    /// Runs of the sets that finished.
    runs: Vec<[Measure; 3]>,
    /// Those of them whose energies rise at no step.
    strict: Vec<[Measure; 3]>,
    /// Number of sets that did not.
    left_out: usize,
}

impl Sample {
    fn drawn(&self) -> usize {
        self.runs.len() + self.left_out
    }

    /// Sets of which some energy rises on the way left out, where there are any.
    fn strictly(&self, what: &str, criterion: &Criterion) -> Option<Reading> {
        let rising = self.runs.len() - self.strict.len();
        (rising > 0).then(|| {
            Reading::new(
                format!("median over {what}, {}, none of whose energies rises at any step", self.name),
                format!("{}; {rising} of {} more left out", criterion.words(&self.strict), self.drawn()),
                criterion.verdict(&self.strict),
            )
        })
    }

    /// The share of sets for which something holds, those of which a run did not finish counted against it and for it too.
    fn share(&self, what: &str, holds: impl Fn(&[Measure; 3]) -> bool) -> Vec<Reading> {
        let hits = self.runs.iter().filter(|runs| holds(runs)).count();
        let mut counted = vec![("", hits, self.runs.len())];
        if self.left_out > 0 {
            counted.push((", lost sets counted against it", hits, self.drawn()));
            counted.push((", lost sets counted for it", hits + self.left_out, self.drawn()));
        }
        let readings = counted.into_iter().filter_map(|(bound, hits, cases)| {
            let share = Estimate::share(hits, cases)?;
            let interval = share.interval?;
            let measured = format!(
                "{hits} of {cases}: {} (95 %: {} to {})",
                percent(share.value),
                percent(interval.low),
                percent(interval.high)
            );
            let verdict = verdict(share.lies_above(0.5), Answer::No);
            Some(Reading::new(format!("{what}, {}{bound}", self.name), measured, verdict))
        });
        readings.collect()
    }
}

/// Sets of a sampled group, by what `name` says of their first run, in the order of the table.
fn sampled<G: Group<Row = RunRow>>(results: &Results, name: impl Fn(&RunRow) -> String) -> Result<Vec<Sample>, ResultsError> {
    let rows = results.rows::<G>()?;
    let mut samples: Vec<Sample> = vec![];
    for (three, trio) in trios(&rows) {
        let name = name(three[0]);
        let place = samples.iter().position(|sample| sample.name == name).unwrap_or_else(|| {
            samples.push(Sample { name, runs: vec![], strict: vec![], left_out: 0 });
            samples.len() - 1
        });
        match trio.finished() {
            Some(runs) => {
                samples[place].runs.push(runs);
                if three.iter().all(|row| row.rises == Some(false)) {
                    samples[place].strict.push(runs);
                }
            }
            None => samples[place].left_out += 1,
        }
    }
    Ok(samples)
}

/// Starts of the printed scene that are not quite flat, by solver; the first carries the verdicts.
fn starts(results: &Results) -> Result<Vec<Sample>, ResultsError> {
    sampled::<Perturbed>(results, |row| row.solver.clone())
}

/// Every other reading of a criterion.
fn readings(results: &Results, criterion: &Criterion) -> Result<Vec<Reading>, ResultsError> {
    let mut readings = vec![];
    let starts = starts(results)?;
    let bending = sampled::<Bending>(results, |row| format!("bending: {}", row.value))?;
    for sample in starts.iter().skip(1).chain(&bending) {
        readings.push(Reading::new(
            format!("median over {} starts, {}", sample.runs.len(), sample.name),
            format!("{}; {} of {} starts did not finish", criterion.words(&sample.runs), sample.left_out, sample.drawn()),
            criterion.verdict(&sample.runs),
        ));
    }
    for sample in &starts {
        readings.extend(sample.strictly("starts", criterion));
        readings.extend(sample.share("share of starts that meet the criterion", |runs| criterion.is_met(runs)));
    }
    for sample in sampled::<Sets>(results, |row| row.solver.clone())? {
        readings.extend(sample.share("share of random sets that meet the criterion", |runs| criterion.is_met(runs)));
        readings.push(Reading::new(
            format!("median over random sets, {}", sample.name),
            format!("{}; {} of {} sets did not finish", criterion.words(&sample.runs), sample.left_out, sample.drawn()),
            criterion.verdict(&sample.runs),
        ));
        readings.extend(sample.strictly("random sets", criterion));
    }
    for trio in printed_as_criteria(results)? {
        readings.push(reading(criterion, format!("one flat start, {}", trio.name), &trio));
    }
    let series = series(results)?;
    for (width, trend, name) in HIGH_PASSES.into_iter().filter(|_| criterion.of_oscillation) {
        for trio in printed(&series, width, trend) {
            readings.push(reading(criterion, format!("one flat start, {}, high-pass: {name}", trio.name), &trio));
        }
    }
    for (_, trio) in trios(&results.rows::<Readings>()?) {
        readings.push(reading(criterion, format!("one flat start, {}", trio.name), &trio));
    }
    Ok(readings)
}

fn finding(results: &Results, criterion: &Criterion, why: &str) -> Result<Finding, ResultsError> {
    let starts = starts(results)?;
    let carries = starts.first().ok_or_else(|| ResultsError::TooFew("no perturbed starts".into()))?;
    let deciding = criterion.deciding(&carries.runs);
    let readings = readings(results, criterion)?;
    let judged: Vec<Verdict> = readings.iter().filter_map(|reading| reading.verdict).collect();
    let met = judged.iter().filter(|verdict| **verdict == Verdict::Reproduced).count();
    let single = starts.iter().map(|sample| {
        let met = sample.runs.iter().filter(|runs| criterion.is_met(runs)).count();
        format!("{met} of {} with {}", sample.drawn(), sample.name)
    });
    Ok(Finding::new(
        criterion.verdict(&carries.runs),
        format!("{}, medians over {} starts with {}", criterion.words(&carries.runs), carries.runs.len(), carries.name),
        format!(
            "{why}; {} of {} starts have a run that did not finish, and are left out. Of single starts {} meet the criterion; {met} of {} other readings do. A law of bending or a tolerance that the thesis does not print, and that moves the median across its bound, would overturn it",
            carries.left_out,
            carries.drawn(),
            single.collect::<Vec<_>>().join(", "),
            judged.len(),
        ),
    )
    .value(deciding.map(|median| median.value))
    .interval(deciding.and_then(|median| median.interval))
    .cases(carries.runs.len())
    .left_out(carries.left_out)
    .readings(readings))
}

/// B-DAMP-NONE.
pub fn none(results: &Results) -> Result<Finding, ResultsError> {
    let why = "how much more the internal energy oscillates without damping is for the solver to say: a loose one adds noise, most of it where \
               nothing damps it";
    finding(results, &NONE, why)
}

/// B-DAMP-PLAIN.
pub fn plain(results: &Results) -> Result<Finding, ResultsError> {
    finding(results, &PLAIN, "plain damping brakes the fall itself, not only the stretch of the springs")
}

/// B-DAMP-PROJ.
pub fn projected(results: &Results) -> Result<Finding, ResultsError> {
    let why = "the total falls as without damping where the loss stays within 20 %, and the oscillation is gone where it is at most halved";
    let mut finding = finding(results, &PROJECTED, why)?;
    for sample in sampled::<Sets>(results, |row| row.solver.clone())? {
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
            // not what the criterion asks, so without a verdict
            let share = sample.share(&format!("share of random sets {what}"), holds);
            finding.readings.extend(share.into_iter().map(|share| Reading { verdict: None, ..share }));
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
        for (name, run) in DAMPINGS.iter().zip(&trio.runs) {
            let cells = match run {
                Ok(run) => [run.early, run.late, run.oscillation].map(short).join(" | "),
                Err(status) => format!("{status} | |"),
            };
            text += &format!("| {} | {name} | {cells} |\n", trio.name);
        }
    }
    let rows = results.rows::<Readings>()?;
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
    let ratios = solvers.iter().filter_map(|trio| Some(NONE.value(&trio.finished()?)));
    let ratios: Vec<f64> = ratios.collect();
    if let (Some(low), Some(high)) = (quantile(&ratios, 0.0), quantile(&ratios, 1.0)) {
        sentences.push(format!(
            "The oscillation without damping is {} to {} times that with projected damping over preconditioners and starts of conjugate gradients at \
             the same tolerance, none of which the thesis prints for this experiment: much of what its figure 4.4 shows may be the solver.",
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
    let height = results.rows::<Perturbed>()?.first().map_or_else(String::new, |row| row.row.value.clone());
    for Sample { name, runs, .. } in starts(results)? {
        let range = |criterion: &Criterion| {
            let values: Vec<f64> = runs.iter().map(|runs| criterion.value(runs)).collect();
            Some(format!("{} to {}", short(quantile(&values, 0.0)?), short(quantile(&values, 1.0)?)))
        };
        if let (Some(oscillation), Some(loss)) = (range(&NONE), range(&PROJECTED)) {
            sentences.push(format!(
                "From starts up to {height} above or below the plane, with {name}, the oscillation without damping is {oscillation} times that with \
                 projected damping, and the loss at 2 s with it {loss} times that without."
            ));
        }
    }
    sentences.push("Differences between single runs that are smaller than these ranges are chance.".into());
    Ok(format!("{}\n\n{text}", sentences.join(" ")))
}

fn trios_of(results: &Results, reading: &str) -> Result<Vec<Trio>, ResultsError> {
    let rows = results.rows::<Readings>()?;
    Ok(trios(&rows).into_iter().filter(|([row, ..], _)| row.reading == reading).map(|(_, trio)| trio).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strict_reading_stands_only_where_it_leaves_something_out() {
        let good = Measure { early: 1.0, late: 1.0, oscillation: 4.0 };
        let runs = vec![[good, good, Measure { oscillation: 1.0, ..good }]; 20];
        let mut sample = Sample { name: "exact".into(), strict: runs.clone(), runs, left_out: 1 };
        assert_eq!(sample.strictly("starts", &NONE), None);
        sample.strict.truncate(5);
        let reading = sample.strictly("starts", &NONE).unwrap();
        assert_eq!(reading.verdict, Some(Verdict::Inconclusive), "five are too few");
        assert!(reading.measured.contains("15 of 21 more left out"), "{}", reading.measured);
    }
}
