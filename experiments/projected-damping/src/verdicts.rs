//! The verdicts of the study. Criteria stand in `claims/*.toml` and were fixed before the runs.

use kit::prelude::*;

use super::bending::Bending;
use super::oscillation::Trend;
use super::perturbed::Perturbed;
use super::readings::Readings;
use super::runs::RunRow;
use super::sets::Sets;
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

/// A share in whole per cent.
fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// A reading of one trio; without a verdict where a run did not finish.
pub fn reading(criterion: &Criterion, name: String, trio: &Trio) -> Reading {
    match trio.finished() {
        Some(runs) => Reading::new(name, criterion.words_of_one(&runs), criterion.verdict_on_one(&runs)),
        None => Reading::new(name, trio.failures(), None),
    }
}

/// Sets of a sampled group that share all but their start or sheet.
pub struct Sample {
    /// What they share, in words.
    pub name: String,
    /// Runs of the sets that finished.
    pub runs: Vec<[Measure; 3]>,
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
            let name = format!("median over {what}, {}, none of whose energies rises at any step", self.name);
            let measured = format!("{}; {rising} of {} more left out", criterion.words(&self.strict), self.drawn());
            Reading::new(name, measured, criterion.verdict(&self.strict))
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
            let [value, low, high] = [share.value, interval.low, interval.high].map(percent);
            let measured = format!("{hits} of {cases}: {value} (95 %: {low} to {high})");
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
pub fn starts(results: &Results) -> Result<Vec<Sample>, ResultsError> {
    sampled::<Perturbed>(results, |row| row.solver.clone())
}

/// Every other reading of a criterion.
fn readings(results: &Results, criterion: &Criterion) -> Result<Vec<Reading>, ResultsError> {
    let mut readings = vec![];
    let starts = starts(results)?;
    let bending = sampled::<Bending>(results, |row| format!("bending: {}", row.value))?;
    for sample in starts.iter().skip(1).chain(&bending) {
        let name = format!("median over {} starts, {}", sample.runs.len(), sample.name);
        let measured =
            format!("{}; {} of {} starts did not finish", criterion.words(&sample.runs), sample.left_out, sample.drawn());
        readings.push(Reading::new(name, measured, criterion.verdict(&sample.runs)));
    }
    for sample in &starts {
        readings.extend(sample.strictly("starts", criterion));
        readings.extend(sample.share("share of starts that meet the criterion", |runs| criterion.is_met(runs)));
    }
    for sample in sampled::<Sets>(results, |row| row.solver.clone())? {
        readings.extend(sample.share("share of random sets that meet the criterion", |runs| criterion.is_met(runs)));
        let name = format!("median over random sets, {}", sample.name);
        let measured =
            format!("{}; {} of {} sets did not finish", criterion.words(&sample.runs), sample.left_out, sample.drawn());
        readings.push(Reading::new(name, measured, criterion.verdict(&sample.runs)));
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
    let carries = starts.first().ok_or_else(|| too_few("no perturbed starts"))?;
    let deciding = criterion.deciding(&carries.runs);
    let readings = readings(results, criterion)?;
    let judged: Vec<Verdict> = readings.iter().filter_map(|reading| reading.verdict).collect();
    let met = judged.iter().filter(|verdict| **verdict == Verdict::Reproduced).count();
    let single = starts.iter().map(|sample| {
        let met = sample.runs.iter().filter(|runs| criterion.is_met(runs)).count();
        format!("{met} of {} with {}", sample.drawn(), sample.name)
    });
    let measured =
        format!("{}, medians over {} starts with {}", criterion.words(&carries.runs), carries.runs.len(), carries.name);
    let (lost, drawn) = (carries.left_out, carries.drawn());
    let (single, others) = (single.collect::<Vec<_>>().join(", "), judged.len());
    let reason = format!(
        "{why}; {lost} of {drawn} starts have a run that did not finish, and are left out. Of single starts {single} meet the criterion; {met} of {others} other readings do. A law of bending or a tolerance that the thesis does not print, and that moves the median across its bound, would overturn it"
    );
    Ok(Finding::new(criterion.verdict(&carries.runs), measured, reason)
        .rests_on(deciding.as_ref())
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
