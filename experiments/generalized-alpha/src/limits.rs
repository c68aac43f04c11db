//! The sweep over rho_inf.

use kit::prelude::*;

use super::flag::{Begin, CONVERGED, Scheme, Setting};
use super::runs::{Case, FlagRow, Listed, SettingList};

ranges!(LimitRanges {
    //! The paper's flag by generalized-alpha with every rho_inf, one Newton step and converged, and started at rest.
    /// rho_inf \[-\].
    limits: List<Limit>,
    /// Time steps \[s\].
    steps: List<Positive>,
});

/// A high-frequency dissipation limit, from 0 to 1.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub struct Limit(f64);

impl Limit {
    /// The number itself.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Limit {
    type Error = String;

    fn try_from(value: f64) -> Result<Limit, String> {
        if (0.0..=1.0).contains(&value) { Ok(Limit(value)) } else { Err(format!("must be from 0 to 1, not {value}")) }
    }
}

numbers!(Limit);

impl SettingList for LimitRanges {
    const NAME: &'static str = "limits";
    const ABOUT: &'static str =
        "the paper's flag by generalized-alpha over rho_inf, with one Newton step and converged, and started at rest";

    fn cases(&self, base: Setting) -> Vec<Case> {
        let mut cases = vec![];
        for (newton, start) in [(Newton::Once, Begin::Flat), (CONVERGED, Begin::Flat), (Newton::Once, Begin::Resting)] {
            for step in self.steps.values() {
                let runs = self.limits.values().iter().map(|limit| (Scheme::GeneralizedAlpha(limit.0), step.get()));
                cases.push((Setting { newton, start, ..base }, runs.collect()));
            }
        }
        cases
    }
}

/// Rates and work over rho_inf.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Listed<LimitRanges>>()?;
    let steps: Vec<f64> = distinct(rows.iter().map(|row| row.step));
    let layers = |pick: &dyn Fn(&FlagRow) -> Option<f64>| {
        let mut layers = vec![];
        for (k, (start, newton)) in [("resting", "once"), ("flat", "once"), ("flat", "converged")].iter().enumerate() {
            for (s, &step) in steps.iter().enumerate() {
                let mine = rows.iter().filter(|row| row.start == *start && row.newton == *newton && row.step == step);
                let points: Vec<[f64; 2]> = mine.filter_map(|row| Some([row.rho_inf?, pick(row)?])).collect();
                let (dash, marker) = if s == 0 { (Dash::Solid, Marker::Circle) } else { (Dash::Dashed, Marker::OpenCircle) };
                let label = format!("{start} start, Newton {newton}, {step} s");
                let [line, marks] = Layer::marked_line(label, Palette::series(k), points);
                layers.extend([line.dash(dash), marks.marker(marker)]);
            }
        }
        layers
    };
    let rate = layers(&|row| row.rate.filter(|rate| *rate > 0.0));
    let work = layers(&|row| row.is_finished().then(|| row.iterations as f64 / row.steps as f64));
    let x = || Axis::linear("rho_inf").range(-0.02, 1.02);
    let caption = "What the paper leaves open. A place without a point is a run that blew up, or one that gains energy.";
    let panels = vec![
        Panel::new(x(), Axis::log("decay rate of the energy [1/s]"), rate).legend_outside(),
        Panel::new(x(), Axis::linear("iterations of conjugate gradients a step"), work).legend_outside(),
    ];
    Ok(Figure::new("limits", "Decay and work over rho_inf", caption, panels))
}

/// P-RHO.
pub fn limits(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.without_sets::<Listed<LimitRanges>>()?;
    Ok(sweep(&rows))
}

/// The smallest and the largest in words; none where there are no values.
pub fn from_to(values: &[f64], words: impl Fn(f64) -> String) -> Option<String> {
    Some(format!("{} to {}", words(quantile(values, 0.0)?), words(quantile(values, 1.0)?)))
}

pub fn sweep(rows: &[FlagRow]) -> Finding {
    let of = |start: &str, newton: &str, step: f64| -> Vec<&FlagRow> {
        rows.iter().filter(|row| row.start == start && row.newton == newton && row.step == step).collect()
    };
    let steps: Vec<f64> = distinct(rows.iter().map(|row| row.step));
    let word = |row: &&FlagRow| {
        let limit = row.rho_inf.unwrap_or(f64::NAN);
        match row.rate {
            Some(rate) => {
                format!("{limit}: {} 1/s, {} iterations a step", short(rate), short(row.iterations as f64 / row.steps as f64))
            }
            None => format!("{limit}: {}", row.status),
        }
    };
    let reading = |(start, newton): (&str, &str), step: f64, verdict: Verdict| {
        let measured = of(start, newton, step).iter().map(word).collect::<Vec<_>>().join("; ");
        Reading::new(format!("{step} s, Newton {newton}, {start} start"), measured, verdict)
    };
    let flat = |newton: &str| rows.iter().filter(|row| row.start == "flat" && row.newton == newton).collect::<Vec<_>>();
    let blown = |newton: &str| {
        let runs = flat(newton);
        format!("{} of {}", runs.iter().filter(|row| !row.is_finished()).count(), runs.len())
    };
    let work = |step: f64| {
        let runs = of("resting", "once", step);
        let per_step: Vec<f64> = runs.iter().filter_map(|row| iterations(row)).collect();
        let first = runs.iter().find(|row| row.rho_inf == Some(0.0)).and_then(|row| iterations(row));
        match from_to(&per_step, short) {
            Some(span) => format!(
                "{} iterations a step at rho_inf = 0, {span} in {} of {} runs at {step} s",
                first.map_or_else(|| "unknown".into(), short),
                per_step.len(),
                runs.len()
            ),
            None => format!("no run finished at {step} s"),
        }
    };
    let finished = rows.iter().filter(|row| row.is_finished()).count();
    let answers = |start: &str, newton: &str| steps.iter().map(|&step| rises(&of(start, newton, step))).collect::<Vec<_>>();
    let judged = |answers: &[[Answer; 2]]| {
        let both = |which: usize| Answer::all(answers.iter().map(|answer| answer[which]));
        if answers.is_empty() { Verdict::Inconclusive } else { verdict(both(0), both(1)) }
    };
    let mut readings: Vec<Reading> = [("resting", "once"), ("flat", "once"), ("flat", "converged")]
        .into_iter()
        .flat_map(|kind| steps.iter().map(move |&step| (kind, step)))
        .map(|((start, newton), step)| reading((start, newton), step, judged(&[rises(&of(start, newton, step))])))
        .collect();
    let quickest = steps.iter().map(|&step| decays_most_at_zero(&of("resting", "once", step)));
    let name = "dissipation, started at rest: none is faster than that of rho_inf = 0 (section 3.1)";
    let measured = steps.iter().map(|&step| rates(&of("resting", "once", step), step)).collect::<Vec<_>>().join("; ");
    readings.push(Reading::new(name, measured, verdict(Answer::all(quickest), Answer::No)));
    let work = steps.iter().map(|&step| work(step)).collect::<Vec<_>>().join(", ");
    let (once, converged) = (blown("once"), blown("converged"));
    let measured = format!(
        "started at rest {work}; started flat {once} runs blow up with one Newton step and {converged} with converged ones"
    );
    let reason = format!(
        "of single runs of one scene, so without an interval; {finished} of {} runs of the sweep came to their end; a flag whose systems are \
         solved in fewer iterations at rho_inf = 0 would overturn it",
        rows.len()
    );
    Finding::new(judged(&answers("resting", "once")), measured, reason)
        .cases(rows.len())
        .left_out(rows.len() - finished)
        .readings(readings)
}

/// Iterations a step of a run that came to its end.
pub fn iterations(row: &FlagRow) -> Option<f64> {
    row.is_finished().then(|| row.iterations as f64 / row.steps as f64)
}

/// Runs of a sweep that came to their end: at rho_inf = 0, and at larger ones in their order; none where one did not, or there are
/// none.
fn ended<'a>(runs: &[&'a FlagRow]) -> Option<(&'a FlagRow, Vec<&'a FlagRow>)> {
    let mut runs = runs.to_vec();
    runs.sort_by(|a, b| a.rho_inf.unwrap_or(f64::NAN).total_cmp(&b.rho_inf.unwrap_or(f64::NAN)));
    let (first, larger) = runs.split_first()?;
    let all = first.rho_inf == Some(0.0) && !larger.is_empty() && runs.iter().all(|row| row.is_finished());
    all.then(|| (*first, larger.to_vec()))
}

/// Whether all runs of a sweep beyond rho_inf = 0 take more work than that, and whether the last one does.
fn rises(runs: &[&FlagRow]) -> [Answer; 2] {
    let Some((first, larger)) = ended(runs) else { return [Answer::Open; 2] };
    let more = |row: &&FlagRow| iterations(row) > iterations(first);
    [Answer::from(larger.iter().all(more)), Answer::from(larger.last().is_some_and(more))]
}

/// Whether no run of a sweep loses energy faster than that at rho_inf = 0.
fn decays_most_at_zero(runs: &[&FlagRow]) -> Answer {
    ended(runs).map_or(Answer::Open, |(first, larger)| Answer::from(larger.iter().all(|row| row.rate <= first.rate)))
}

/// Rates of a sweep in words.
fn rates(runs: &[&FlagRow], step: f64) -> String {
    let known: Vec<f64> = runs.iter().filter_map(|row| row.rate).collect();
    let first = runs.iter().find(|row| row.rho_inf == Some(0.0)).and_then(|row| row.rate).map_or_else(|| "none".into(), short);
    let span = from_to(&known, short).unwrap_or_else(|| "none".into());
    format!("{first} 1/s at rho_inf = 0, {span} 1/s over all at {step} s")
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Listed { flag: ranges.flag.clone(), list: ranges.limits.clone() })
        .plot("limits", chart)
        .judge("P-RHO", limits)
        .places(&[("P-RHO", 1)])
        .checked(check_list("flag.duration", ranges.flag.duration, &ranges.limits.steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flag::{Begin, Scheme};
    use crate::runs::tests::finished;

    /// A finding on runs at two steps from either start: iterations in two steps at rho_inf = 0, 0.5 and 1, or none for a run that
    /// blew up.
    fn found(iterations: [Option<u64>; 3]) -> Finding {
        let row = |start: Begin, step: f64, k: usize| {
            let row = finished(start, Scheme::GeneralizedAlpha(0.5 * k as f64), step);
            match iterations[k] {
                Some(iterations) => FlagRow { rate: Some(0.1 - 0.01 * k as f64), steps: 2, iterations, ..row },
                None => FlagRow { status: Status::Unstable, ..row },
            }
        };
        let runs = |start: Begin| [0.005, 0.03].map(|step| [0, 1, 2].map(|k| row(start, step, k))).concat();
        sweep(&[runs(Begin::Resting), runs(Begin::Flat)].concat())
    }

    #[test]
    fn work_can_rise_fall_or_be_unknown() {
        let judged = |iterations| found(iterations).verdict;
        assert_eq!(judged([Some(7), Some(8), Some(9)]), Verdict::Reproduced);
        assert_eq!(judged([Some(7), Some(6), Some(9)]), Verdict::DirectionOnly);
        assert_eq!(judged([Some(7), Some(6), Some(5)]), Verdict::NotReproduced);
        assert_eq!(judged([Some(7), Some(8), None]), Verdict::Inconclusive, "a run that blew up");
        assert_eq!(judged([None; 3]), Verdict::Inconclusive);
        assert_eq!(sweep(&[]).verdict, Verdict::Inconclusive);
    }

    #[test]
    fn a_sweep_counts_its_runs() {
        let all = found([Some(7), Some(8), Some(9)]);
        let begin = "started at rest 3.50 iterations a step at rho_inf = 0, 3.50 to 4.50 in 3 of 3 runs at 0.005 s, ";
        assert!(all.measured.starts_with(begin) && all.left_out == 0, "{}", all.measured);
        let dissipation = all.readings.last().unwrap();
        assert_eq!(dissipation.verdict, Some(Verdict::Reproduced), "{}", dissipation.measured);
        let none = found([None; 3]);
        assert_eq!(none.left_out, 12);
        assert!(none.measured.starts_with("started at rest no run finished at 0.005 s") && !none.measured.contains("inf,"));
    }
}
