//! The verdicts of the study. Criteria stand in `claims/*.toml` and were fixed before the runs.

use std::collections::BTreeMap;

use lab::claims::{Finding, Reading, Verdict};
use lab::report::short;
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{bootstrap, mean, median, power_law, quantile, share};

use super::amplification::Row as SpringRow;
use super::bar::Row as BarRow;
use super::chain::Row as ChainRow;
use super::charts::{PUBLISHED, kappas};
use super::regions::{Cell, Orbit, Scheme};
use super::sheets::{ReadingRow, ScanRow, SheetRow};

/// Strain beyond which a sheet "stretches wildly"; half of it and twice it are readings.
const WILD_STRAIN: f64 = 0.2;

fn too_few(what: &str) -> ResultsError {
    ResultsError::TooFew(what.into())
}

/// Smallest and largest.
fn extremes(values: &[f64]) -> Option<[f64; 2]> {
    Some([quantile(values, 0.0)?, quantile(values, 1.0)?])
}

fn sheets(results: &Results) -> Result<Vec<Row<SheetRow>>, ResultsError> {
    results.rows("sheets")
}

/// Critical kappa by reading, in the order of the table.
fn by_reading(results: &Results) -> Result<Vec<(String, Vec<f64>)>, ResultsError> {
    let mut readings: Vec<(String, Vec<f64>)> = vec![];
    for row in results.rows::<ReadingRow>("readings")? {
        let place = readings.iter().position(|(name, _)| *name == row.row.reading).unwrap_or_else(|| {
            readings.push((row.row.reading.clone(), vec![]));
            readings.len() - 1
        });
        readings[place].1.extend(row.row.critical_kappa);
    }
    Ok(readings)
}

/// Between which values both ends of a range lie under other readings, in words, with the readings; none without any.
fn spans(readings: &[(String, [f64; 2])]) -> Option<String> {
    let span = |end: usize| {
        let by_end = |a: &&(String, [f64; 2]), b: &&(String, [f64; 2])| a.1[end].total_cmp(&b.1[end]);
        let [least, most] = [readings.iter().min_by(by_end)?, readings.iter().max_by(by_end)?];
        let [least, most] = [least, most].map(|(name, ends)| format!("{} ({name})", short(ends[end])));
        Some(format!("{least} to {most}"))
    };
    Some(format!("under other assumptions the lower end is from {}, the upper one from {}; ", span(0)?, span(1)?))
}

/// B-KAPPA-RANGE.
pub fn range(results: &Results) -> Result<Finding, ResultsError> {
    let rows = sheets(results)?;
    let sample = kappas(&rows);
    let verdict = |[low, high]: [f64; 2]| {
        let near = |value: f64, published: f64| (value / published - 1.0).abs() <= 0.25;
        if near(low, PUBLISHED[0]) && near(high, PUBLISHED[1]) {
            Verdict::Reproduced
        } else if low < 0.5 && high > 1.0 {
            Verdict::DirectionOnly
        } else {
            Verdict::NotReproduced
        }
    };
    let ends = extremes(&sample).ok_or_else(|| too_few("no set has a critical step"))?;
    let percentiles = |sample: &[f64]| Some([quantile(sample, 0.01)?, quantile(sample, 0.99)?]);
    let describe = |[low, high]: [f64; 2]| format!("{} to {}", short(low), short(high));
    let mut readings = vec![];
    if let Some(middle) = percentiles(&sample) {
        readings.push(Reading {
            name: "1st to 99th percentile".into(),
            measured: describe(middle),
            verdict: Some(verdict(middle)),
        });
    }
    let mut others = vec![];
    for (name, sample) in by_reading(results)? {
        if let (Some(ends), Some(middle)) = (extremes(&sample), percentiles(&sample)) {
            let measured = format!("{}; 1st to 99th percentile {}", describe(ends), describe(middle));
            others.push((name.clone(), ends));
            readings.push(Reading { name, measured, verdict: Some(verdict(ends)) });
        }
    }
    let met = readings.iter().filter(|reading| reading.verdict == Some(Verdict::Reproduced)).count();
    Ok(Finding {
        verdict: verdict(ends),
        measured: describe(ends),
        value: None,
        interval: None,
        cases: sample.len(),
        left_out: rows.len() - sample.len(),
        reason: format!(
            "{}{met} of {} other readings meet the criterion; extremes have no interval",
            spans(&others).unwrap_or_default(),
            readings.len()
        ),
        readings,
    })
}

/// B-KAPPA-HOLDS.
pub fn holds(results: &Results) -> Result<Finding, ResultsError> {
    let rows = sheets(results)?;
    let sample = kappas(&rows);
    let at_least_half = |sample: &[f64]| share(sample, |kappa| *kappa >= 0.5);
    let value = at_least_half(&sample).ok_or_else(|| too_few("no set has a critical step"))?;
    let interval = bootstrap("B-KAPPA-HOLDS", &sample, at_least_half);
    let measured: Vec<&SheetRow> = rows.iter().map(|row| &row.row).filter(|row| row.critical_kappa.is_some()).collect();
    let violators: Vec<&SheetRow> =
        measured.iter().copied().filter(|row| row.critical_kappa.is_some_and(|kappa| kappa < 0.5)).collect();
    let stretched = |strain: f64| share(&violators, |row| row.stretch.is_some_and(|stretch| stretch > 1.0 + strain));
    let wild = stretched(WILD_STRAIN);
    let verdict = match (interval, wild) {
        (Some(interval), _) if interval.high <= 0.5 => Verdict::NotReproduced,
        (Some(interval), None) if interval.low > 0.5 => Verdict::Reproduced,
        (Some(interval), Some(wild)) if interval.low > 0.5 => {
            if wild >= 0.9 {
                Verdict::Reproduced
            } else {
                Verdict::DirectionOnly
            }
        }
        _ => Verdict::Inconclusive,
    };
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let middle = |rows: &[&SheetRow], value: fn(&SheetRow) -> f64| median(&rows.iter().map(|row| value(row)).collect::<Vec<_>>());
    let compare = |name: &str, value: fn(&SheetRow) -> f64| {
        let (Some(violating), Some(all)) = (middle(&violators, value), middle(&measured, value)) else { return String::new() };
        format!("{name} {} against {}", short(violating), short(all))
    };
    // what the thesis calls them, where their medians do not bear it out
    let [stiffness, damping]: [fn(&SheetRow) -> f64; 2] =
        [|row| row.stretch_stiffness.max(row.shear_stiffness), |row| row.stretch_damping.max(row.shear_damping)];
    let dense = middle(&violators, |row| row.density) > middle(&measured, |row| row.density);
    let below = |value: fn(&SheetRow) -> f64| middle(&violators, value) < middle(&measured, value);
    let words = [(dense, "dense"), (below(stiffness), "soft"), (below(damping), "lightly damped")];
    let missed: Vec<&str> =
        words.into_iter().filter(|(holds, _)| !holds && !violators.is_empty()).map(|(_, word)| word).collect();
    let missed = match &missed[..] {
        [] => String::new(),
        missed => {
            format!("; by these they are not {}, as the thesis has it, which the criterion does not ask", missed.join(" or "))
        }
    };
    let reason = format!(
        "{} of {} sets violate it; {} of these stretch by more than {}; medians of violators against all: {}, {}, {}{missed}",
        violators.len(),
        sample.len(),
        wild.map_or("none".into(), percent),
        percent(WILD_STRAIN),
        compare("density", |row| row.density),
        compare("larger stiffness", stiffness),
        compare("larger damping", damping),
    );
    let mut readings: Vec<Reading> = [0.5 * WILD_STRAIN, 2.0 * WILD_STRAIN]
        .into_iter()
        .filter_map(|strain| Some((strain, stretched(strain)?)))
        .map(|(strain, share)| Reading {
            name: format!("violators that stretch by more than {}", percent(strain)),
            measured: percent(share),
            verdict: None,
        })
        .collect();
    for (name, sample) in by_reading(results)? {
        if let Some(share) = at_least_half(&sample) {
            let interval = bootstrap(&name, &sample, at_least_half);
            let ends = interval.map_or_else(String::new, |i| format!(" (95 %: {} to {})", percent(i.low), percent(i.high)));
            let verdict = if interval.is_some_and(|i| i.low > 0.5) { Verdict::Reproduced } else { Verdict::NotReproduced };
            readings.push(Reading { name, measured: format!("{}{ends}", percent(share)), verdict: Some(verdict) });
        }
    }
    let above_one = |sample: &[f64]| share(sample, |kappa| *kappa >= 1.0);
    if let Some(share) = above_one(&sample) {
        readings.push(Reading {
            name: "share with kappa at least 1, as the one-dimensional criterion".into(),
            measured: percent(share),
            verdict: None,
        });
    }
    Ok(Finding {
        verdict,
        measured: format!("{} of the sets are stable up to kappa = 1/2", percent(value)),
        value: Some(value),
        interval,
        cases: sample.len(),
        left_out: rows.len() - sample.len(),
        reason,
        readings,
    })
}

/// B-1D.
pub fn one_dimension(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<ChainRow>> = results.rows("chains")?;
    let measured = rows.iter().filter_map(|row| Some((row.row.particles, row.row.critical_kappa?, row.row.finite_kappa)));
    let measured: Vec<(usize, f64, f64)> = measured.collect();
    let worst = measured.iter().map(|(_, kappa, exact)| (kappa / exact - 1.0).abs()).fold(0.0, f64::max);
    let longest =
        measured.iter().map(|(particles, ..)| *particles).max().ok_or_else(|| too_few("no chain has a critical step"))?;
    let long: Vec<f64> = measured.iter().filter(|(particles, ..)| *particles == longest).map(|(_, kappa, _)| *kappa).collect();
    let at_length = median(&long).ok_or_else(|| too_few("no long chain"))?;
    let mut readings = vec![];
    let mut by_length: BTreeMap<usize, (Vec<f64>, f64)> = BTreeMap::new();
    for (particles, kappa, exact) in &measured {
        by_length.entry(*particles).or_insert((vec![], *exact)).0.push(*kappa);
    }
    for (particles, (kappas, exact)) in by_length {
        if let Some([low, high]) = extremes(&kappas) {
            let measured = format!("{low:.4} to {high:.4}, exact {exact:.4}");
            readings.push(Reading { name: format!("chains of {particles} particles"), measured, verdict: None });
        }
    }
    let verdict = if worst > 0.01 {
        Verdict::NotReproduced
    } else if (at_length - 1.0).abs() <= 0.01 {
        Verdict::Reproduced
    } else {
        Verdict::Inconclusive
    };
    Ok(Finding {
        verdict,
        measured: format!("{at_length:.4} on chains of {longest} particles"),
        value: Some(at_length),
        interval: None,
        cases: measured.len(),
        left_out: rows.len() - measured.len(),
        reason: format!(
            "every chain agrees with the exact value of its length, 1 / sin²(π/2 N/(N+1)), to {} of it; that value tends to 1 as \
             chains grow. An exact result has no interval",
            short(worst)
        ),
        readings,
    })
}

/// B-CONT.
pub fn continuum(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<BarRow>> = results.rows("bars")?;
    let vibrating: Vec<&BarRow> = rows.iter().map(|row| &row.row).filter(|row| row.frequency.is_some()).collect();
    let finest = vibrating.iter().map(|row| row.segments).max().ok_or_else(|| too_few("no bar vibrates"))?;
    let frequency = |row: &BarRow| Some((row.frequency? / row.continuum_frequency? - 1.0).abs());
    let decay = |row: &BarRow| Some((row.decay? / row.continuum_decay - 1.0).abs()).filter(|error| error.is_finite());
    let worst = |mode: u32, error: &dyn Fn(&BarRow) -> Option<f64>| {
        let of_mode = vibrating.iter().filter(|row| row.mode == mode && row.segments == finest);
        of_mode.filter_map(|row| error(row)).fold(0.0, f64::max)
    };
    // the order of each way of holding the ends: their errors differ by a factor
    let orders = |error: &dyn Fn(&BarRow) -> Option<f64>| {
        let mut points: BTreeMap<&str, Vec<[f64; 2]>> = BTreeMap::new();
        for row in vibrating.iter().filter(|row| row.mode == 1) {
            points.entry(&row.ends).or_default().extend(error(row).map(|error| [1.0 / row.segments as f64, error]));
        }
        let fits = points.into_iter().filter_map(|(ends, points)| Some((ends.to_owned(), power_law(ends, &points)?.exponent)));
        fits.collect::<Vec<(String, f64)>>()
    };
    let of_frequency = orders(&frequency);
    let exponents: Vec<f64> = of_frequency.iter().map(|(_, order)| *order).collect();
    let [least, most] = extremes(&exponents).ok_or_else(|| too_few("bars of one mesh only"))?;
    let of_second_order = exponents.iter().all(|order| (order - 2.0).abs() <= 0.1);
    let small = worst(1, &frequency) <= 0.001 && worst(1, &decay) <= 0.001;
    let mut readings = vec![];
    for (what, orders) in [("frequency", of_frequency), ("decay", orders(&decay))] {
        for (ends, order) in orders {
            readings.push(Reading {
                name: format!("order of the error of the {what}, {ends} ends"),
                measured: short(order),
                verdict: None,
            });
        }
    }
    for mode in 2..=rows.iter().map(|row| row.row.mode).max().unwrap_or(1) {
        let name = format!("mode {mode}, {finest} segments: error of the frequency");
        readings.push(Reading { name, measured: short(worst(mode, &frequency)), verdict: None });
    }
    Ok(Finding {
        verdict: match (of_second_order, small) {
            (true, true) => Verdict::Reproduced,
            (true, false) => Verdict::DirectionOnly,
            _ => Verdict::NotReproduced,
        },
        measured: format!("the error falls with h to the power {} to {}", short(least), short(most)),
        value: Some(least),
        interval: None,
        cases: vibrating.len(),
        left_out: rows.len() - vibrating.len(),
        reason: format!(
            "with EA = ks h and beta = kd h the slowest mode of {finest} segments has the frequency of the differential equation to {} \
             and its decay to {}; the error is that of the central difference, of order 2, so the identity is exact in the limit. An exact \
             result has no interval",
            short(worst(1, &frequency)),
            short(worst(1, &decay))
        ),
        readings,
    })
}

/// B-AMP: difference of squares up to which an expression is what stepping shows.
const EXACT: f64 = 1e-9;

/// B-AMP.
pub fn amplification(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<SpringRow>> = results.rows("springs")?;
    let oscillating: Vec<&SpringRow> = rows.iter().map(|row| &row.row).filter(|row| row.oscillates).collect();
    if oscillating.is_empty() {
        return Err(too_few("no spring oscillates"));
    }
    // in the squares, since magnitudes near zero lose digits
    let error = |row: &&SpringRow| (row.measured * row.measured - row.theory * row.theory).abs();
    let worst = oscillating.iter().map(error).fold(0.0, f64::max);
    let mut readings = vec![];
    for scheme in ["forward Euler", "FB Euler", "backward Euler"] {
        let of_scheme = || oscillating.iter().filter(|row| row.scheme == scheme);
        let corrected = of_scheme().map(error).fold(0.0, f64::max);
        let printed: Vec<f64> = of_scheme().map(|row| (row.printed - row.measured).abs()).collect();
        let unit: Vec<f64> = of_scheme().map(|row| ((row.printed - 1.0) / row.mass + 1.0 - row.measured).abs()).collect();
        if let (Some(printed), Some(unit)) = (median(&printed), median(&unit)) {
            let mut measured = format!(
                "corrected off by at most {} in |lambda|², printed by {} in |lambda| (median)",
                short(corrected),
                short(printed)
            );
            if scheme != "backward Euler" {
                measured += &format!(", {} with the mass restored but no root taken", short(unit));
            }
            readings.push(Reading { name: scheme.into(), measured, verdict: None });
        }
    }
    Ok(Finding {
        verdict: if worst <= EXACT { Verdict::Reproduced } else { Verdict::NotReproduced },
        measured: format!("|lambda|² off by at most {}", short(worst)),
        value: Some(worst),
        interval: None,
        cases: oscillating.len(),
        left_out: rows.len() - oscillating.len(),
        reason: format!(
            "as corrected: what the thesis prints as |lambda| is the determinant, |lambda|², for m = 1; with ks/m and kd/m and the square \
             root it {} what stepping the schemes shows, for every complex pair. Taken as printed, as |lambda|, it is off by up to {}. \
             Overdamped springs, whose eigenvalues are real, are left out. An exact result has no interval",
            if worst <= EXACT { "is" } else { "is not" },
            short(oscillating.iter().map(|row| (row.printed - row.measured).abs()).fold(0.0, f64::max))
        ),
        readings,
    })
}

/// S-REGION.
pub fn region(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<Cell>> = results.rows("regions")?;
    let of = |scheme: &'static str| rows.iter().map(|row| &row.row).filter(move |cell| cell.scheme == scheme);
    let wrong = |scheme: &'static str| {
        // a cell whose centre lies on the boundary to rounding belongs to neither side
        let clear = of(scheme).filter(|cell| (cell.theory - 1.0).abs() > 1e-6);
        clear.filter(|cell| cell.radius.is_some_and(|radius| radius <= 1.0) != (cell.theory <= 1.0)).count()
    };
    let cells = of("forward Euler").count();
    if cells == 0 {
        return Err(too_few("no cells"));
    }
    let stable = of("forward Euler").filter(|cell| cell.theory <= 1.0).count();
    let others = Scheme::ALL.into_iter().map(Scheme::name).filter(|scheme| *scheme != "forward Euler");
    let readings = others.map(|scheme| Reading {
        name: format!("{scheme} against its own polynomial"),
        measured: format!("{} of {} cells differ", wrong(scheme), of(scheme).count()),
        verdict: None,
    });
    let readings = readings.collect();
    let wrong = wrong("forward Euler");
    Ok(Finding {
        verdict: if wrong == 0 { Verdict::Reproduced } else { Verdict::NotReproduced },
        measured: format!("{wrong} of {cells} cells differ from the unit disk about -1"),
        value: Some(wrong as f64),
        interval: None,
        cases: cells,
        left_out: 0,
        reason: format!(
            "the centres of {stable} cells lie in the disk; stepping forward Euler on the damped oscillator is stable {}. An exact result \
             has no interval",
            if wrong == 0 { "in these and in no other".to_owned() } else { format!("in others: {wrong} cells differ") }
        ),
        readings,
    })
}

/// S-SPIRAL.
pub fn spiral(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<Orbit>> = results.rows("spirals")?;
    let outward = rows.iter().filter(|row| row.row.outward).count();
    let error = |row: &Orbit| row.growth.map_or(f64::INFINITY, |growth| (growth / row.theory - 1.0).abs());
    let worst = rows.iter().map(|row| error(&row.row)).fold(0.0, f64::max);
    let smallest = rows.iter().map(|row| row.row.step).fold(f64::INFINITY, f64::min);
    if rows.is_empty() {
        return Err(too_few("no orbit"));
    }
    Ok(Finding {
        verdict: if outward == rows.len() { Verdict::Reproduced } else { Verdict::NotReproduced },
        measured: format!("{outward} of {} orbits spiral outward in every step", rows.len()),
        value: Some(outward as f64 / rows.len() as f64),
        interval: None,
        cases: rows.len(),
        left_out: 0,
        reason: format!(
            "the radius grows by sqrt(1 + omega² dt²) in each step, down to omega dt = {}; the measured growth agrees to {} of it. An exact \
             result has no interval",
            short(smallest),
            short(worst)
        ),
        readings: vec![],
    })
}

/// A predicted step of a set.
type Prediction = fn(&SheetRow) -> Option<f64>;

const PREDICTIONS: [(&str, Prediction); 3] = [
    ("thesis: largest kappa <= 1/2", |row| row.thesis_step),
    ("linear, at rest: sum of kappa <= 1", |row| row.rest_step),
    ("linear, at the measured stretch", |row| row.stretched_step),
];

/// Which prediction of the critical step is best: a table, and a sentence.
fn predictions(rows: &[Row<SheetRow>]) -> Option<(String, String)> {
    // ln(measured / predicted), a set a row, so that predictions are compared on the same sets
    let errors = rows.iter().filter_map(|row| {
        let critical = row.row.critical_step?;
        let mut errors = [0.0; PREDICTIONS.len()];
        for (error, (_, predicted)) in errors.iter_mut().zip(PREDICTIONS) {
            *error = libm::log(critical / predicted(&row.row)?);
        }
        Some(errors)
    });
    let errors: Vec<[f64; PREDICTIONS.len()]> = errors.collect();
    let rms = |sample: &[[f64; PREDICTIONS.len()]], k: usize| {
        Some(mean(&sample.iter().map(|e| e[k] * e[k]).collect::<Vec<_>>())?.sqrt())
    };
    let mut table = String::from(
        "| prediction of the critical step | median of measured / predicted | 5 % to 95 % | predicted too large | rms of ln(measured / predicted), 95 % |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    let mut order = vec![];
    for (k, (name, _)) in PREDICTIONS.iter().enumerate() {
        let ratios: Vec<f64> = errors.iter().map(|error| libm::exp(error[k])).collect();
        let [middle, low, high] = [0.5, 0.05, 0.95].map(|p| quantile(&ratios, p).map_or("-".into(), short));
        let too_large = share(&ratios, |ratio| *ratio < 0.99)?;
        let interval = bootstrap(name, &errors, |sample| rms(sample, k))?;
        let (value, least, most) = (rms(&errors, k)?, short(interval.low), short(interval.high));
        table += &format!(
            "| {name} | {middle} | {low} to {high} | {:.1} % | {} ({least} to {most}) |\n",
            100.0 * too_large,
            short(value)
        );
        order.push((value, k));
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [(_, best), (_, second), ..] = order[..] else { return None };
    let lead = bootstrap("lead", &errors, |sample| Some(rms(sample, second)? - rms(sample, best)?))?;
    let sure = if lead.low > 0.0 { "" } else { ", though not surely so" };
    let (best, second) = (PREDICTIONS[best].0, PREDICTIONS[second].0);
    let sentence = format!(
        "*{best}* predicts the critical step best, ahead of *{second}* by {} to {} in the rms of the logarithm (95 %, paired by set){sure}.",
        short(lead.low),
        short(lead.high)
    );
    Some((table, sentence))
}

/// What the scans say of the bisection, in words.
fn scanned(scans: &[Row<ScanRow>]) -> String {
    let judged: Vec<bool> = scans.iter().filter_map(|row| row.row.monotone).collect();
    let monotone = judged.iter().filter(|monotone| **monotone).count();
    let follows = match judged.len() - monotone {
        _ if judged.is_empty() => return "No scan over the whole bracket says whether stability is monotone in the step.".into(),
        0 => "so the bisection is sound on these sheets".to_owned(),
        others => format!("but in the other {others} a bisection finds one of several limits"),
    };
    format!("Stability was monotone in the step in {monotone} of {} scans over the whole bracket, {follows}.", judged.len())
}

/// What a reader of the thesis would want to know.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let rows = sheets(results)?;
    let sample = kappas(&rows);
    let ends = extremes(&sample).ok_or_else(|| too_few("no set has a critical step"))?;
    let holding = share(&sample, |kappa| *kappa >= 0.5).unwrap_or(0.0);
    let (table, best) = predictions(&rows).ok_or_else(|| too_few("no set has a critical step"))?;
    let above_one = rows.iter().map(|row| &row.row).filter(|row| row.critical_kappa.is_some_and(|kappa| kappa > 1.0));
    let above_one: Vec<f64> = above_one.filter_map(|row| row.stretch).collect();
    let strained_less = |strain: f64| above_one.iter().filter(|stretch| **stretch < 1.0 + strain).count();
    let scans: Vec<Row<ScanRow>> = results.rows("scans")?;
    Ok(format!(
        "The criterion is a useful rule and no bound: {:.1} % of the sheets are stable up to a numerical stiffness of one half, but the \
         critical value runs from {} to {}. {best} Of the {} sets whose critical value lies above 1, {} were strained by less than a \
         hundredth and {} by less than a millionth: their step is so small that little or nothing has happened by the end of the run, as \
         the thesis suspects. {}\n\n{table}",
        100.0 * holding,
        short(ends[0]),
        short(ends[1]),
        above_one.len(),
        strained_less(0.01),
        strained_less(1e-6),
        scanned(&scans),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readings_that_move_an_end_furthest_are_named() {
        let readings = [("margin", [0.02, 2.6]), ("tolerance", [0.2, 41.0]), ("damping", [0.24, 2.0])];
        let readings = readings.map(|(name, ends)| (name.to_owned(), ends));
        assert_eq!(
            spans(&readings).unwrap(),
            "under other assumptions the lower end is from 0.0200 (margin) to 0.240 (damping), the upper one from 2.00 (damping) to 41.0 \
             (tolerance); "
        );
        assert_eq!(spans(&[]), None);
    }
}
