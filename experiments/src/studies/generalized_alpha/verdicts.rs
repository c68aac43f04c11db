//! Verdicts on the claims of the paper. Their criteria stand in `claims/parks-2002.toml` and were fixed before the runs.

use lab::claims::{Finding, Reading, Verdict};
use lab::report::{short, short_within};
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{Interval, bootstrap, median, quantile};

use super::radii::RadiusRow;
use super::runs::FlagRow;
use super::select::{Paper, nudged_rates, rates_of, ratio_words};

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
    let away = rows.iter().map(|row| (row.row.measured - row.row.theory).abs()).fold(0.0, f64::max);
    let at = |place: f64| {
        pairs.iter().min_by(|a, b| (a.0 - place).abs().total_cmp(&(b.0 - place).abs())).map_or(f64::NAN, |pair| pair.1)
    };
    let verdict = match (least >= 1.0 - 1e-9, (3.0..=16.0 / 3.0).contains(&most.1)) {
        (true, true) => Verdict::Reproduced,
        (true, false) => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
    };
    Ok(Finding {
        verdict,
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
        reason: format!("exact, so without an interval; measured radii differ from theory by at most {}", short(away)),
        readings: vec![Reading {
            name: "the ratio at omega dt = 1, 3, 10, 30".into(),
            measured: [1.0, 3.0, 10.0, 30.0].map(|place| short(at(place))).join(", "),
            verdict: None,
        }],
    })
}

/// The published rates of backward Euler and generalized-alpha at the small and the large step \[1/s\].
const PUBLISHED: [[f64; 2]; 2] = [[0.069, 0.008], [0.358, 0.08]];

/// How far a rate may be from the published one.
const WITHIN: f64 = 0.25;

/// A rate with its interval.
fn within(row: &FlagRow) -> String {
    let interval = row.rate_low.zip(row.rate_high).map(|(low, high)| Interval { low, high });
    row.rate.map_or_else(|| row.status.clone(), |rate| short_within(rate, interval))
}

/// Rates of one scheme over starts a micrometre aside, in words.
fn spread(rates: &[f64]) -> String {
    let (low, high) = rates.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &rate| (low.min(rate), high.max(rate)));
    median(rates).map_or_else(|| "none".into(), |middle| format!("{} ({} to {})", short(middle), short(low), short(high)))
}

/// The decay at the small step (0) or at the large one (1), in the median over starts a micrometre aside: what such starts decide is
/// no property of a scheme.
fn decay(results: &Results, which: usize, judged: fn([f64; 2], [f64; 2]) -> Verdict) -> Result<Finding, ResultsError> {
    let paper = Paper::read(results)?;
    let [euler, alpha] = paper.pair(which, "exact", "once")?;
    let at_rest = paper.pair_at_rest(which)?;
    let nudged = nudged_rates(results, paper.step(which)?)?;
    let starts = nudged.each_ref().map(|rates| rates.len());
    let medians = median(&nudged[0]).zip(median(&nudged[1])).map(|(euler, alpha)| [euler, alpha]);
    let verdict = medians.map_or(Verdict::Inconclusive, |rates| judged(rates, PUBLISHED[which]));
    let pairs: Vec<[f64; 2]> = nudged[0].iter().copied().zip(nudged[1].iter().copied()).map(|(a, b)| [a, b]).collect();
    let ratio = |pairs: &[[f64; 2]]| {
        let of = |k: usize| median(&pairs.iter().map(|pair| pair[k]).collect::<Vec<_>>());
        Some(of(0)? / of(1)?)
    };
    let reading = |name: &str, euler: &FlagRow, alpha: &FlagRow| Reading {
        name: name.into(),
        measured: ratio_words(euler, alpha),
        verdict: rates_of(euler, alpha).map(|rates| judged(rates, PUBLISHED[which])),
    };
    let kind = |name: &str, hessian: &str, newton: &str| {
        paper.pair(which, hessian, newton).map(|[euler, alpha]| reading(name, euler, alpha))
    };
    let energies = |row: &FlagRow| row.rate_of_energies.map_or_else(|| "none".into(), short);
    let other_fit = euler.rate_of_energies.zip(alpha.rate_of_energies).map(|(a, b)| judged([a, b], PUBLISHED[which]));
    Ok(Finding {
        verdict,
        measured: format!(
            "backward Euler {}, generalized-alpha {}, a ratio of {}",
            spread(&nudged[0]),
            spread(&nudged[1]),
            medians.map_or_else(|| "none".into(), |[a, b]| short(a / b))
        ),
        value: ratio(&pairs),
        interval: bootstrap("generalized-alpha nudges", &pairs, ratio),
        cases: starts[0].min(starts[1]),
        left_out: starts[0].abs_diff(starts[1]),
        reason: format!(
            "medians and ranges over starts a micrometre aside; published {} and {}",
            PUBLISHED[which][0], PUBLISHED[which][1]
        ),
        readings: vec![
            Reading {
                name: "the start without displacement".into(),
                measured: format!("backward Euler {}, generalized-alpha {}", within(euler), within(alpha)),
                verdict: rates_of(euler, alpha).map(|rates| judged(rates, PUBLISHED[which])),
            },
            Reading {
                name: "the same by least squares in the energies, not in their logarithms".into(),
                measured: format!("{} and {}", energies(euler), energies(alpha)),
                verdict: other_fit,
            },
            reading("started at rest under its weight, so that nothing bounces", at_rest[0], at_rest[1]),
            kind("Newton converged", "exact", "converged")?,
            kind("filtered Hessian", "filtered", "once")?,
            kind("filtered Hessian, Newton converged", "filtered", "converged")?,
            Reading {
                name: "random settings".into(),
                measured: super::select::settings_words(results, paper.step(which)?)?,
                verdict: None,
            },
        ],
    })
}

/// P-DECAY-005.
pub fn small_step(results: &Results) -> Result<Finding, ResultsError> {
    decay(results, 0, |measured, published| {
        let near = measured.iter().zip(published).all(|(rate, published)| (rate / published - 1.0).abs() <= WITHIN);
        match () {
            () if near => Verdict::Reproduced,
            () if measured[0] >= 2.0 * measured[1] => Verdict::DirectionOnly,
            () => Verdict::NotReproduced,
        }
    })
}

/// P-DECAY-03: the caption contradicts itself, so that nothing measured could agree with it.
pub fn large_step(results: &Results) -> Result<Finding, ResultsError> {
    decay(results, 1, |_, _| Verdict::Inconsistent)
}

/// A period and an amplitude in words.
fn swinging(row: &FlagRow) -> String {
    match row.period.zip(row.swing) {
        Some((period, swing)) => format!("{} s and {} m", short(period), short(swing)),
        None => row.swing.map_or_else(|| "no swing".into(), |swing| format!("no period, {} m", short(swing))),
    }
}

/// How far generalized-alpha at the large step is from backward Euler at the small one, in period and amplitude.
fn apart(euler: &FlagRow, alpha: &FlagRow) -> [Option<f64>; 2] {
    let off = |pick: fn(&FlagRow) -> Option<f64>| pick(alpha).zip(pick(euler)).map(|(alpha, euler)| alpha / euler - 1.0);
    [off(|row| row.period), off(|row| row.swing)]
}

/// P-LARGE-STEP.
pub fn resembles(results: &Results) -> Result<Finding, ResultsError> {
    let paper = Paper::read(results)?;
    let judged = |[period, amplitude]: [Option<f64>; 2]| {
        let near = |off: Option<f64>, most: f64| off.is_some_and(|off| off.abs() <= most);
        match (near(period, 0.1), near(amplitude, 0.5)) {
            (true, true) => Verdict::Reproduced,
            (true, false) => Verdict::DirectionOnly,
            _ => Verdict::NotReproduced,
        }
    };
    let words = |euler: &FlagRow, alpha: &FlagRow| {
        format!(
            "generalized-alpha at {} s: {}; backward Euler at {} s: {}",
            alpha.step,
            swinging(alpha),
            euler.step,
            swinging(euler)
        )
    };
    let ([euler, _], [_, alpha]) = (paper.pair_at_rest(0)?, paper.pair_at_rest(1)?);
    let off = apart(euler, alpha);
    let reading = |name: &str, euler: &FlagRow, alpha: &FlagRow| Reading {
        name: name.into(),
        measured: words(euler, alpha),
        verdict: Some(judged(apart(euler, alpha))),
    };
    let ([flat, _], [_, flat_alpha]) = (paper.pair(0, "exact", "once")?, paper.pair(1, "exact", "once")?);
    let ([converged, _], [_, converged_alpha]) = (paper.pair(0, "exact", "converged")?, paper.pair(1, "exact", "converged")?);
    let percent = |off: Option<f64>| off.map_or_else(|| "nothing that is known".into(), |off| format!("{:+.1} %", 100.0 * off));
    Ok(Finding {
        verdict: judged(off),
        measured: words(euler, alpha),
        value: off[1],
        interval: None,
        cases: 2,
        left_out: 0,
        reason: format!("period off by {}, amplitude by {}; one deterministic run each", percent(off[0]), percent(off[1])),
        readings: vec![
            reading("started flat", flat, flat_alpha),
            reading("started flat, Newton converged", converged, converged_alpha),
        ],
    })
}

/// What is read off a row.
type Quantity = fn(&FlagRow) -> Option<f64>;

/// Errors of generalized-alpha and of backward Euler in period and amplitude against a reference.
fn errors(reference: &FlagRow, [euler, alpha]: [&FlagRow; 2]) -> [(&'static str, f64, f64); 2] {
    let quantities: [(&str, Quantity); 2] = [("period", |row| row.period), ("amplitude", |row| row.swing)];
    quantities.map(|(name, pick)| {
        let error = |row: &FlagRow| match pick(row).zip(pick(reference)) {
            Some((measured, exact)) => (measured / exact - 1.0).abs(),
            None => f64::INFINITY,
        };
        (name, error(alpha), error(euler))
    })
}

/// P-PERIOD.
pub fn period(results: &Results) -> Result<Finding, ResultsError> {
    let paper = Paper::read(results)?;
    let references = paper.references("resting");
    let (Some(reference), Some(coarser)) = (references.first(), references.last()) else {
        return Err(ResultsError::TooFew("no reference".into()));
    };
    let percent = |error: f64| if error.is_finite() { format!("{} %", short(100.0 * error)) } else { "none".into() };
    let (mut nearer, mut words, mut least) = (0, vec![], f64::INFINITY);
    for which in 0..2 {
        let pair = paper.pair_at_rest(which)?;
        for (name, of_alpha, of_euler) in errors(reference, pair) {
            nearer += usize::from(of_alpha < of_euler);
            least = least.min((of_alpha - of_euler).abs());
            words.push(format!("{name} at {} s: {} against {}", pair[0].step, percent(of_alpha), percent(of_euler)));
        }
    }
    let own = errors(reference, [coarser, coarser]).iter().map(|(_, error, _)| *error).fold(0.0, f64::max);
    let verdict = match nearer {
        _ if own >= least => Verdict::Inconclusive,
        4 => Verdict::Reproduced,
        3 => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
    };
    let flat: Vec<String> = paper.references("flat").iter().map(|row| format!("{} at {} s", swinging(row), row.step)).collect();
    let at_rest = paper.rows.iter().filter(|row| row.start == "resting");
    let listed: Vec<String> = at_rest.map(|row| format!("{} at {} s {}", row.scheme, row.step, swinging(row))).collect();
    Ok(Finding {
        verdict,
        measured: format!("errors of generalized-alpha against those of backward Euler: {}", words.join("; ")),
        value: Some(nearer as f64),
        interval: None,
        cases: 4,
        left_out: 0,
        reason: format!(
            "the reference swings with {}; at {} s it differs by {} from that at {} s",
            swinging(reference),
            coarser.step,
            percent(own),
            reference.step
        ),
        readings: vec![
            Reading { name: "every run".into(), measured: listed.join("; "), verdict: None },
            Reading {
                name: "references from the flat start, which do not agree: its bounce is chaotic".into(),
                measured: flat.join("; "),
                verdict: None,
            },
        ],
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
            Some(span) => format!("{span} iterations a step at {step} s"),
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
            _ => "the paper leaves the question open; here is the sweep".into(),
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
    let verdict = match () {
        () if alpha.iter().all(|o| near(o.position, 2.0) && near(o.velocity, 1.0)) => Verdict::Reproduced,
        () if alpha.iter().all(|o| o.position >= 1.8 && o.velocity >= 0.8) => Verdict::DirectionOnly,
        () => Verdict::NotReproduced,
    };
    let span = |pick: &dyn Fn(&super::select::Order) -> Option<f64>| {
        let exponents: Vec<f64> = alpha.iter().filter_map(|order| pick(order)).collect();
        from_to(&exponents, |exponent| format!("{exponent:.2}")).unwrap_or_else(|| "none".into())
    };
    let failed = |steps: usize| if steps > 0 { format!("; {steps} steps without errors") } else { String::new() };
    let reading = |order: &super::select::Order| Reading {
        name: format!(
            "{}{}, Newton {}",
            order.scheme,
            order.rho_inf.map_or_else(String::new, |limit| format!(", rho_inf = {limit}")),
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
    Ok(Finding {
        verdict,
        measured: format!(
            "exponents in positions {}, in velocities {}, in accelerations {}",
            span(&|order| Some(order.position)),
            span(&|order| Some(order.velocity)),
            span(&|order| order.acceleration)
        ),
        value: median(&alpha.iter().map(|order| order.velocity).collect::<Vec<_>>()),
        interval: None,
        cases: alpha.len(),
        left_out: all.iter().filter(|order| order.as_ref().is_err_and(is_alpha)).count(),
        reason: "of deterministic runs; the accelerations, not the velocities, are what is of first order below rho_inf = 1"
            .into(),
        readings: orders.into_iter().map(reading).collect(),
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
            all.measured.starts_with("started at rest 3.50 to 3.50 iterations a step at 0.005 s, 3.50 to"),
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
