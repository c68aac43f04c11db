//! Verdicts on the claims of the paper. Their criteria stand in `claims/parks-2002.toml` and were fixed before the runs.

use lab::claims::{Finding, Reading, Verdict};
use lab::criterion::{Answer, Estimate, verdict};
use lab::report::short;
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{median, quantile};

use super::radii::RadiusRow;
use super::runs::FlagRow;

/// Omega dt up to which radii are compared.
const COMPARED_TO: f64 = 100.0;

/// P-RADIUS.
pub fn radius(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<RadiusRow>> = results.rows("radii")?;
    let of = |scheme: &'static str, limit: Option<f64>| {
        let mine =
            move |row: &&Row<RadiusRow>| row.row.scheme == scheme && row.row.rho_inf == limit && row.row.omega_dt <= COMPARED_TO;
        rows.iter().filter(mine).map(|row| &row.row)
    };
    let pairs: Vec<(f64, f64)> = (of("generalized-alpha", Some(0.0)).zip(of("backward-euler", None)))
        .map(|(alpha, euler)| (alpha.omega_dt, alpha.measured / euler.measured))
        .collect();
    let Some(most) = pairs.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return Err(ResultsError::TooFew("no radii of both schemes".into()));
    };
    let least = pairs.iter().map(|pair| pair.1).fold(f64::INFINITY, f64::min);
    let away = |to: f64| {
        let compared = rows.iter().map(|row| &row.row).filter(|row| row.omega_dt <= to);
        compared.map(|row| (row.measured - row.theory).abs()).fold(0.0, f64::max)
    };
    let at = |place: f64| {
        pairs.iter().min_by(|a, b| (a.0 - place).abs().total_cmp(&(b.0 - place).abs())).map_or(f64::NAN, |pair| pair.1)
    };
    let [lowest, highest] = [least, most.1].map(|ratio| Estimate::exact(ratio, pairs.len()));
    let nowhere_below = lowest.lies_above(1.0 - 1e-12);
    Ok(Finding {
        verdict: verdict(nowhere_below.and(highest.lies_within(3.0, 16.0 / 3.0)), nowhere_below),
        measured: format!(
            "ratio of radii from {} to {}, the largest at omega dt = {}",
            short(least),
            short(most.1),
            short(most.0)
        ),
        value: Some(most.1),
        interval: None,
        cases: pairs.len(),
        left_out: 0,
        reason: format!(
            "exact, so without an interval; measured radii differ from theory by at most {} up to there, and by {} over the whole table, \
             where the three roots of generalized-alpha nearly meet; the largest ratio grows with the range, so that another range of figure 1 \
             would overturn the factor",
            short(away(COMPARED_TO)),
            short(away(f64::INFINITY))
        ),
        readings: vec![Reading {
            name: "the ratio at omega dt = 1, 3, 10, 30".into(),
            measured: [1.0, 3.0, 10.0, 30.0].map(|place| short(at(place))).join(", "),
            verdict: None,
        }],
    })
}

/// P-RHO.
pub fn limits(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<FlagRow> = results.rows("limits")?.into_iter().map(|row| row.row).collect();
    Ok(sweep(&rows))
}

/// The smallest and the largest in words; none of nothing.
fn from_to(values: &[f64], words: impl Fn(f64) -> String) -> Option<String> {
    Some(format!("{} to {}", words(quantile(values, 0.0)?), words(quantile(values, 1.0)?)))
}

fn sweep(rows: &[FlagRow]) -> Finding {
    let of = |start: &str, newton: &str, step: f64| -> Vec<&FlagRow> {
        rows.iter().filter(|row| row.start == start && row.newton == newton && row.step == step).collect()
    };
    let mut steps: Vec<f64> = rows.iter().map(|row| row.step).collect();
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    let word = |row: &&FlagRow| {
        let limit = row.rho_inf.unwrap_or(f64::NAN);
        match row.rate {
            Some(rate) => {
                format!("{limit}: {} 1/s, {} iterations a step", short(rate), short(row.iterations as f64 / row.steps as f64))
            }
            None => format!("{limit}: {}", row.status),
        }
    };
    let reading = |(start, newton): (&str, &str), step: f64| Reading {
        name: format!("{step} s, Newton {newton}, {start} start"),
        measured: of(start, newton, step).iter().map(word).collect::<Vec<_>>().join("; "),
        verdict: None,
    };
    let flat = |newton: &str| rows.iter().filter(|row| row.start == "flat" && row.newton == newton).collect::<Vec<_>>();
    let blown = |newton: &str| {
        let runs = flat(newton);
        format!("{} of {}", runs.iter().filter(|row| !row.is_finished()).count(), runs.len())
    };
    let work = |step: f64| {
        let runs = of("resting", "once", step);
        let per_step: Vec<f64> =
            runs.iter().filter(|row| row.is_finished()).map(|row| row.iterations as f64 / row.steps as f64).collect();
        match from_to(&per_step, short) {
            Some(span) => format!("{span} iterations a step in {} of {} runs at {step} s", per_step.len(), runs.len()),
            None => format!("no run finished at {step} s"),
        }
    };
    let finished = rows.iter().filter(|row| row.is_finished()).count();
    Finding {
        verdict: if finished > 0 { Verdict::Underspecified } else { Verdict::Inconclusive },
        measured: format!(
            "started at rest {}; started flat {} runs blow up with one Newton step and {} with converged ones",
            steps.iter().map(|&step| work(step)).collect::<Vec<_>>().join(", "),
            blown("once"),
            blown("converged")
        ),
        value: None,
        interval: None,
        cases: rows.len(),
        left_out: rows.len() - finished,
        reason: match finished {
            0 => "no run finished, so that there is no sweep".into(),
            _ => format!(
                "the paper leaves the question open, which is no claim to be judged; here is the sweep: {finished} of {} runs came to their end",
                rows.len()
            ),
        },
        readings: [("resting", "once"), ("flat", "once"), ("flat", "converged")]
            .into_iter()
            .flat_map(|kind| steps.iter().map(move |&step| (kind, step)))
            .map(|(kind, step)| reading(kind, step))
            .collect(),
    }
}

/// P-ORDER.
pub fn order(results: &Results) -> Result<Finding, ResultsError> {
    let all = super::select::orders(results)?;
    let orders: Vec<_> = all.iter().flatten().collect();
    let is_alpha = |scheme: &String| scheme == "generalized-alpha";
    let alpha: Vec<_> = orders.iter().filter(|order| is_alpha(&order.scheme)).collect();
    if alpha.is_empty() {
        return Err(ResultsError::TooFew("no orders of generalized-alpha".into()));
    }
    let near = |exponent: f64, order: f64| (exponent - order).abs() <= 0.2;
    let printed: Vec<_> = alpha.iter().filter(|order| order.hessian == "exact").collect();
    let met = |of: &dyn Fn(&super::select::Order) -> Option<[f64; 2]>, among: &str| {
        let mine: Vec<[f64; 2]> = alpha.iter().filter(|order| order.hessian == among).filter_map(|order| of(order)).collect();
        let holds = |[x, v]: &[f64; 2]| near(*x, 2.0) && near(*v, 1.0);
        verdict(Answer::from(!mine.is_empty() && mine.iter().all(holds)), Answer::No)
    };
    let spans = |of: &dyn Fn(&super::select::Order) -> Option<[f64; 2]>, among: &str| {
        let mine: Vec<[f64; 2]> = alpha.iter().filter(|order| order.hessian == among).filter_map(|order| of(order)).collect();
        let span = |k: usize| {
            let exponents: Vec<f64> = mine.iter().map(|orders| orders[k]).collect();
            from_to(&exponents, |exponent| format!("{exponent:.2}")).unwrap_or_else(|| "none".into())
        };
        format!("{} in positions, {} in velocities", span(0), span(1))
    };
    let at_the_end = |order: &super::select::Order| Some([order.position, order.velocity]);
    let first = |order: &super::select::Order| order.first.filter(|_| order.rho_inf == Some(0.0));
    let mut readings = vec![
        Reading {
            name: "order of the errors of a single step, one less than their exponents, at the paper's rho_inf = 0".into(),
            measured: spans(&first, "exact"),
            verdict: Some(met(&first, "exact")),
        },
        Reading {
            name: "filtered Hessian, one Newton step".into(),
            measured: spans(&at_the_end, "filtered"),
            verdict: Some(met(&at_the_end, "filtered")),
        },
    ];
    let span = |pick: &dyn Fn(&super::select::Order) -> Option<f64>| {
        let exponents: Vec<f64> = printed.iter().filter_map(|order| pick(order)).collect();
        from_to(&exponents, |exponent| format!("{exponent:.2}")).unwrap_or_else(|| "none".into())
    };
    let failed = |steps: usize| if steps > 0 { format!("; {steps} steps without errors") } else { String::new() };
    let reading = |order: &super::select::Order| Reading {
        name: format!(
            "{}{}, {} Hessian, Newton {}",
            order.scheme,
            order.rho_inf.map_or_else(String::new, |limit| format!(", rho_inf = {limit}")),
            order.hessian,
            order.newton
        ),
        measured: format!(
            "{:.2}, {:.2}{}",
            order.position,
            order.velocity,
            order.acceleration.map_or_else(String::new, |exponent| format!(", {exponent:.2} in accelerations"))
        ) + &failed(order.failed),
        verdict: None,
    };
    readings.extend(orders.iter().map(|order| reading(order)));
    let velocities: Vec<f64> = printed.iter().map(|order| order.velocity).collect();
    Ok(Finding {
        verdict: met(&at_the_end, "exact"),
        measured: format!(
            "exponents in positions {}, in velocities {}, in accelerations {}",
            span(&|order| Some(order.position)),
            span(&|order| Some(order.velocity)),
            span(&|order| order.acceleration)
        ),
        value: median(&velocities),
        interval: None,
        cases: printed.len(),
        left_out: all.iter().filter(|order| order.as_ref().is_err_and(is_alpha)).count(),
        reason: "of deterministic runs, so without an interval. The paper understates its method: velocities at a fixed time are of second order too, and \
                 below rho_inf = 1 the accelerations are what is of first order. A problem that is smooth and on which velocities converge more slowly \
                 would overturn it"
            .into(),
        readings,
    })
}

#[cfg(test)]
mod tests {
    use cloth::Terms;
    use cloth::implicit::Newton;

    use super::*;
    use crate::studies::generalized_alpha::flag::{Begin, Scheme, Setting};
    use crate::studies::generalized_alpha::runs::FINISHED;

    /// A finding on runs at two steps, each from either start; those at `finished` steps came to their end.
    fn found(finished: &[f64]) -> Finding {
        let row = |start: Begin, step: f64| {
            let setting = Setting {
                side: 1.0,
                stiffness: 10.0,
                shear: 0.1,
                bend: 1e-5,
                amplitude: 0.01,
                terms: Terms::Exact,
                newton: Newton::Once,
                start,
                nudge: 0,
            };
            let row = FlagRow::begin(&setting, Scheme::GeneralizedAlpha(0.5), step);
            let ended = FlagRow { status: FINISHED.into(), rate: Some(0.1), steps: 2, iterations: 7, ..row.clone() };
            if finished.contains(&step) { ended } else { row }
        };
        let starts = [Begin::Resting, Begin::Flat];
        sweep(&[0.005, 0.03].map(|step| starts.map(|start| row(start, step))).concat())
    }

    #[test]
    fn a_sweep_of_which_no_run_finished_is_inconclusive() {
        let all = found(&[0.005, 0.03]);
        assert_eq!((all.verdict, all.left_out), (Verdict::Underspecified, 0));
        assert!(
            all.measured.starts_with("started at rest 3.50 to 3.50 iterations a step in 1 of 1 runs at 0.005 s, 3.50 to"),
            "{}",
            all.measured
        );
        let one = found(&[0.03]);
        assert_eq!((one.verdict, one.left_out), (Verdict::Underspecified, 2));
        assert!(one.measured.starts_with("started at rest no run finished at 0.005 s, 3.50 to"), "{}", one.measured);
        let none = found(&[]);
        assert_eq!((none.verdict, none.left_out), (Verdict::Inconclusive, 4));
        assert!(none.reason.starts_with("no run finished") && !none.measured.contains("inf"), "{}", none.measured);
    }
}
