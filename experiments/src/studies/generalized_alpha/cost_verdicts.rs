//! The verdict on the cost of a step.

use lab::claims::{Finding, Reading, Verdict};
use lab::report::short;
use lab::results::{Results, ResultsError, Row};
use lab::statistics::median;

use super::runs::FINISHED;
use super::systems::{CostRow, SystemRow};

/// Both schemes under one step, tolerance and start.
struct Pair<'a> {
    euler: &'a CostRow,
    alpha: &'a CostRow,
    /// Time a step of generalized-alpha over that of backward Euler; none where it was not measured.
    time: Option<f64>,
}

impl Pair<'_> {
    /// Iterations a step of generalized-alpha over those of backward Euler.
    fn iterations(&self) -> f64 {
        per_step(self.alpha) / per_step(self.euler)
    }

    /// Whether both came to their end.
    fn is_finished(&self) -> bool {
        self.euler.status == FINISHED && self.alpha.status == FINISHED
    }

    fn holds(&self) -> bool {
        self.iterations() < 1.0 && self.time.is_some_and(|time| (0.5..=2.0).contains(&time))
    }

    fn words(&self) -> String {
        format!(
            "{} iterations a step against {}, {} times the time at {} s",
            short(per_step(self.alpha)),
            short(per_step(self.euler)),
            self.time.map_or_else(|| "unknown".into(), short),
            self.euler.step
        )
    }
}

fn per_step(row: &CostRow) -> f64 {
    row.iterations as f64 / row.steps as f64
}

/// c at which the claim is judged \[1/s\], that of the other papers.
const TOLERANCE: f64 = 0.01;

/// P-COST.
pub fn cost(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<CostRow>> = results.rows("cost")?;
    let times = results.times("cost")?;
    let seconds = |set: u64| median(&times.iter().filter(|time| time.set == set).map(|time| time.seconds).collect::<Vec<_>>());
    let pairs: Vec<Pair<'_>> = (rows.chunks_exact(2))
        .map(|both| Pair {
            euler: &both[0].row,
            alpha: &both[1].row,
            time: seconds(both[1].set).zip(seconds(both[0].set)).map(|(alpha, euler)| alpha / euler),
        })
        .collect();
    let (pairs, failed): (Vec<Pair<'_>>, Vec<Pair<'_>>) = pairs.into_iter().partition(Pair::is_finished);
    let is_judged = |pair: &&Pair<'_>| pair.euler.start == "original" && (pair.euler.tolerance / TOLERANCE - 1.0).abs() < 1e-9;
    let judged: Vec<&Pair<'_>> = pairs.iter().filter(is_judged).collect();
    if judged.is_empty() {
        return Err(ResultsError::TooFew(format!("no solves with the original start and c = {TOLERANCE}")));
    }
    let held = judged.iter().filter(|pair| pair.holds()).count();
    let verdict = match held {
        _ if held == judged.len() => Verdict::Reproduced,
        0 => Verdict::NotReproduced,
        _ => Verdict::DirectionOnly,
    };
    let readings = pairs.iter().map(|pair| Reading {
        name: format!("{} s, c = {}, {} start", pair.euler.step, pair.euler.tolerance, pair.euler.start),
        measured: pair.words(),
        verdict: None,
    });
    let conditions: Vec<Row<SystemRow>> = results.rows("systems")?;
    let mut readings: Vec<Reading> = readings.collect();
    readings.push(Reading {
        name: "condition of the systems, median over times".into(),
        measured: condition_words(&conditions),
        verdict: None,
    });
    Ok(Finding {
        verdict,
        measured: judged.iter().map(|pair| pair.words()).collect::<Vec<_>>().join("; "),
        value: median(&judged.iter().map(|pair| pair.iterations()).collect::<Vec<_>>()),
        interval: None,
        cases: judged.len(),
        left_out: failed.iter().filter(is_judged).count(),
        reason: "generalized-alpha first; counts are exact, times are medians of runs in turn. Its unknown is the whole motion of a step, of which \
                 the same relative tolerance asks less than of its change"
            .into(),
        readings,
    })
}

/// Median condition of each scheme at each step, without and with blocks.
fn condition_words(rows: &[Row<SystemRow>]) -> String {
    let word = |runs: &[Row<SystemRow>]| {
        let SystemRow { scheme, step, .. } = &runs[0].row;
        let ended = runs.iter().find(|row| row.row.status != FINISHED);
        let ended = ended.map_or_else(String::new, |row| format!(", then {}", row.row.status));
        let of = |pick: fn(&SystemRow) -> Option<f64>| {
            let values: Vec<f64> = runs.iter().filter_map(|row| pick(&row.row)).collect();
            median(&values).map_or_else(|| "none".into(), short)
        };
        format!("{scheme} at {step} s {}, with blocks {}{ended}", of(|row| row.condition), of(|row| row.condition_blocks))
    };
    rows.chunk_by(|a, b| a.set == b.set).map(word).collect::<Vec<_>>().join("; ")
}
