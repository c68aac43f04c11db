//! The verdict on the cost of a step.

use kit::prelude::*;
use lab::results::Time;

use super::systems::{Cost, CostRow, SystemRow, Systems};

/// Both schemes at one step and tolerance.
struct Pair<'a> {
    euler: &'a CostRow,
    alpha: &'a CostRow,
    /// Time a step of generalized-alpha over that of backward Euler, repeat by repeat.
    time: Option<Estimate>,
}

/// Times of a step that are on the same scale.
const SCALE: [f64; 2] = [0.5, 2.0];

impl Pair<'_> {
    /// Iterations a step of generalized-alpha over those of backward Euler.
    fn iterations(&self) -> f64 {
        per_step(self.alpha) / per_step(self.euler)
    }

    /// Whether both came to their end.
    fn is_finished(&self) -> bool {
        self.euler.status == Status::Finished && self.alpha.status == Status::Finished
    }

    /// Whether it takes fewer iterations, and whether its time is on the same scale.
    fn lines(&self) -> [Answer; 2] {
        [Answer::from(self.iterations() < 1.0), self.time.map_or(Answer::Open, |time| time.lies_within(SCALE[0], SCALE[1]))]
    }

    fn words(&self) -> String {
        let [alpha, euler] = [per_step(self.alpha), per_step(self.euler)].map(short);
        let (time, step) = (self.time.map_or_else(|| "unknown".into(), |time| time.to_string()), self.euler.step);
        format!("{alpha} iterations a step against {euler}, {time} times the time at {step} s")
    }
}

fn per_step(row: &CostRow) -> f64 {
    row.iterations as f64 / row.steps as f64
}

/// Time of one set over that of another, in each of their repeats.
fn quotients(times: &[Time], of: u64, over: u64) -> Option<Estimate> {
    let mine = |set: u64| times.iter().filter(move |time| time.set == set);
    let pairs = mine(of).filter_map(|time| {
        let other = mine(over).find(|other| other.repeat == time.repeat)?;
        Some(time.seconds / other.seconds)
    });
    Estimate::median(&pairs.collect::<Vec<_>>())
}

/// Pairs of every step and tolerance by the unknown of generalized-alpha.
fn pairs<'a>(rows: &'a [Row<CostRow>], times: &[Time], unknown: &str) -> Vec<Pair<'a>> {
    let of = |chunk: &'a [Row<CostRow>]| {
        let euler = chunk.iter().find(|row| row.row.scheme == "backward-euler")?;
        let alpha = chunk.iter().find(|row| row.row.scheme == "generalized-alpha" && row.row.unknown == unknown)?;
        Some(Pair { euler: &euler.row, alpha: &alpha.row, time: quotients(times, alpha.set, euler.set) })
    };
    let alike = |a: &Row<CostRow>, b: &Row<CostRow>| a.row.step == b.row.step && a.row.tolerance == b.row.tolerance;
    rows.chunk_by(alike).filter_map(of).collect()
}

/// Answers of the tolerances, each over its steps: all of them, and any.
fn over_tolerances(pairs: &[&Pair<'_>], line: &dyn Fn(&Pair<'_>) -> Answer) -> [Answer; 2] {
    let names: Vec<&str> = distinct(pairs.iter().map(|pair| pair.euler.tolerance.as_str()));
    let of = |name: &str| Answer::all(pairs.iter().filter(|pair| pair.euler.tolerance == name).map(|pair| line(pair)));
    let answers: Vec<Answer> = names.into_iter().map(of).collect();
    [Answer::all(answers.iter().copied()), answers.into_iter().fold(Answer::No, Answer::or)]
}

/// P-COST.
pub fn cost(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Cost>()?;
    let times = results.times("cost")?;
    let (printed, change) = (pairs(&rows, &times, "motion"), pairs(&rows, &times, "change"));
    let finished: Vec<&Pair<'_>> = printed.iter().filter(|pair| pair.is_finished()).collect();
    let changed: Vec<&Pair<'_>> = change.iter().filter(|pair| pair.is_finished()).collect();
    let lost = printed.len() - finished.len();
    if finished.is_empty() {
        return Err(too_few("no pair of runs came to its end"));
    }
    let both = |pair: &Pair<'_>| Answer::all(pair.lines());
    let judged = |pairs: &[&Pair<'_>], line: &dyn Fn(&Pair<'_>) -> Answer| {
        let [all, any] = over_tolerances(pairs, line);
        verdict(all, any)
    };
    let span = |pairs: &[&Pair<'_>]| {
        let ratios: Vec<f64> = pairs.iter().map(|pair| pair.iterations()).collect();
        let (low, high) =
            ratios.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &ratio| (low.min(ratio), high.max(ratio)));
        format!("{} to {} of the iterations", short(low), short(high))
    };
    let spans = |pairs: &[&Pair<'_>]| {
        let middles: Vec<f64> = pairs.iter().filter_map(|pair| Some(pair.time?.value)).collect();
        let (low, high) =
            middles.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &ratio| (low.min(ratio), high.max(ratio)));
        if middles.is_empty() { "no times".into() } else { format!("{} to {} of the time", short(low), short(high)) }
    };
    let mut readings = vec![
        Reading::new("iterations alone", span(&finished), judged(&finished, &|pair| pair.lines()[0])),
        Reading::new("time alone", spans(&finished), judged(&finished, &|pair| pair.lines()[1])),
        Reading::new(
            "with the change of the velocities as the unknown of both",
            format!("{}, {}", span(&changed), spans(&changed)),
            judged(&changed, &both),
        ),
    ];
    readings.push(matched(&rows));
    readings.extend(finished.iter().map(|pair| {
        let name = format!("{} s, a residual of {}", pair.euler.step, pair.euler.tolerance);
        Reading::new(name, pair.words(), verdict(both(pair), Answer::No))
    }));
    let conditions = results.rows::<Systems>()?;
    readings.push(Reading::new("condition of the systems, median over times", condition_words(&conditions), None));
    let measured = format!("generalized-alpha takes {} of backward Euler a step, and {}", span(&finished), spans(&finished));
    let reason = format!(
        "over {} pairs of a step and a tolerance, {lost} lost; counts are exact, times are medians over repeats in turn. Its unknown is \
         the whole motion of a step, of which the same relative tolerance asks less than of its change; a tolerance at which it takes more \
         would overturn it",
        printed.len()
    );
    Ok(Finding::new(judged(&finished, &both), measured, reason)
        .value(median(&finished.iter().map(|pair| pair.iterations()).collect::<Vec<_>>()))
        .cases(finished.len())
        .left_out(lost)
        .readings(readings))
}

/// A run's distance from direct solves with its iterations until then, both as logarithms.
type Point = [f64; 2];

/// Iterations of generalized-alpha over those of backward Euler where both are equally far from runs with direct solves.
fn matched(rows: &[Row<CostRow>]) -> Reading {
    let steps: Vec<f64> = distinct(rows.iter().map(|row| row.row.step));
    let points = |step: f64, scheme: &str, unknown: &str| {
        let mine =
            rows.iter().map(|row| &row.row).filter(|row| row.step == step && row.scheme == scheme && row.unknown == unknown);
        let mut points: Vec<Point> = mine
            .filter(|row| row.status == Status::Finished)
            .filter_map(|row| Some([libm::log(row.distance.filter(|distance| *distance > 0.0)?), libm::log(row.early? as f64)]))
            .collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    };
    let (mut said, mut answers) = (vec![], vec![]);
    for step in steps {
        let euler = points(step, "backward-euler", "change");
        let alpha = points(step, "generalized-alpha", "motion");
        let quotients: Vec<f64> =
            euler.iter().filter_map(|point| Some(libm::exp(between(&alpha, point[0])? - point[1]))).collect();
        answers.push(if quotients.is_empty() {
            Answer::Open
        } else {
            Answer::from(quotients.iter().all(|quotient| *quotient < 1.0))
        });
        let listed: Vec<String> = quotients.into_iter().map(short).collect();
        said.push(format!("{} at {step} s", if listed.is_empty() { "nothing".into() } else { listed.join(", ") }));
    }
    let name = "iterations at equal distance from a run with direct solves, generalized-alpha's over backward Euler's";
    Reading::new(name, said.join("; "), verdict(Answer::all(answers), Answer::No))
}

/// Between the two nearest of some points in order; none beyond them.
fn between(points: &[Point], at: f64) -> Option<f64> {
    let pair = points.windows(2).find(|pair| pair[0][0] <= at && at <= pair[1][0] && pair[0][0] < pair[1][0])?;
    let share = (at - pair[0][0]) / (pair[1][0] - pair[0][0]);
    Some(pair[0][1] + share * (pair[1][1] - pair[0][1]))
}

/// Median condition of each scheme at each step, without and with blocks.
fn condition_words(rows: &[Row<SystemRow>]) -> String {
    let word = |runs: &[Row<SystemRow>]| {
        let SystemRow { scheme, step, .. } = &runs[0].row;
        let ended = runs.iter().find(|row| row.row.status != Status::Finished);
        let ended = ended.map_or_else(String::new, |row| format!(", then {}", row.row.status));
        let of = |pick: fn(&SystemRow) -> Option<f64>| {
            let values: Vec<f64> = runs.iter().filter_map(|row| pick(&row.row)).collect();
            median(&values).map_or_else(|| "none".into(), short)
        };
        format!("{scheme} at {step} s {}, with blocks {}{ended}", of(|row| row.condition), of(|row| row.condition_blocks))
    };
    rows.chunk_by(|a, b| a.set == b.set).map(word).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(tolerance: &str, iterations: u64) -> CostRow {
        CostRow {
            step: 0.005,
            tolerance: tolerance.into(),
            residual: 0.01,
            status: Status::Finished,
            steps: 10,
            solves: 10,
            iterations,
            products: iterations,
            ..CostRow::default()
        }
    }

    #[test]
    fn a_line_that_holds_at_some_tolerances_is_none_that_holds() {
        let [few, many] = [row("a", 50), row("b", 50)];
        let [fewer, more] = [row("a", 40), row("b", 60)];
        let time = |value: f64| Some(Estimate::exact(value, 7));
        let pairs = [Pair { euler: &few, alpha: &fewer, time: time(1.1) }, Pair { euler: &many, alpha: &more, time: time(1.1) }];
        let both: Vec<&Pair<'_>> = pairs.iter().collect();
        let line = |pair: &Pair<'_>| Answer::all(pair.lines());
        assert_eq!(over_tolerances(&both, &line), [Answer::No, Answer::Yes]);
        assert_eq!(over_tolerances(&both[..1], &line), [Answer::Yes, Answer::Yes]);
        let slow = Pair { euler: &few, alpha: &fewer, time: time(2.5) };
        assert_eq!(over_tolerances(&[&slow], &line), [Answer::No, Answer::No]);
    }

    #[test]
    fn work_is_read_between_two_runs_and_not_beyond() {
        let points = [[-3.0, 4.0], [-1.0, 2.0]];
        assert_eq!((between(&points, -2.0), between(&points, 0.0)), (Some(3.0), None));
    }
}
