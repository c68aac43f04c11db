//! The verdicts of the study. Criteria stand in `claims/*.toml` and were fixed before the runs.

use lab::prelude::*;
use std::collections::BTreeMap;

use lab::judge::statistics::{bootstrap, mean, median, power_law, quantile, share};

use super::amplification::Row as SpringRow;
use super::amplification::Springs;
use super::bar::Bars;
use super::bar::Row as BarRow;
use super::chain::Chains;
use super::charts::kappas;
use super::raggedness::raggedness;
use super::regions::{Orbit, Regions, Scheme, Spirals};
use super::sheets::{ScanRow, Scans, SheetRow, Sheets};

pub fn too_few(what: &str) -> ResultsError {
    ResultsError::TooFew(what.into())
}

/// Smallest and largest.
pub fn extremes(values: &[f64]) -> Option<[f64; 2]> {
    Some([quantile(values, 0.0)?, quantile(values, 1.0)?])
}

pub fn sheets(results: &Results) -> Result<Vec<Row<SheetRow>>, ResultsError> {
    results.rows::<Sheets>()
}

/// B-1D.
pub fn one_dimension(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Chains>()?;
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
            readings.push(Reading::new(format!("chains of {particles} particles"), measured, None));
        }
    }
    let missing = rows.len() - measured.len();
    let exact = |value: f64| Estimate::exact(value, rows.len());
    let of_each = exact(worst).lies_below(0.01).and((missing == 0).into());
    Ok(Finding::new(
        verdict(of_each.and(exact((at_length - 1.0).abs()).lies_below(0.01)), Answer::No),
        format!("{at_length:.4} on chains of {longest} particles"),
        format!(
            "{} of {} chains have a critical step, and agree with the exact value of their length, 1 / sin²(π/2 N/(N+1)), to {} of it; that \
             value tends to 1 as chains grow. An exact result has no interval; one chain off by more than a hundredth would overturn it",
            measured.len(),
            rows.len(),
            short(worst)
        ),
    )
    .value(at_length)
    .cases(measured.len())
    .left_out(missing)
    .readings(readings))
}

/// B-CONT.
pub fn continuum(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Bars>()?;
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
    let exact = |value: f64| Estimate::exact(value, vibrating.len());
    let lost = rows.iter().filter(|row| row.row.frequency.is_none() && row.row.continuum_frequency.is_some()).count();
    let of_second_order =
        Answer::all(exponents.iter().map(|order| exact((order - 2.0).abs()).lies_below(0.1))).and((lost == 0).into());
    let small = exact(worst(1, &frequency)).lies_below(0.001).and(exact(worst(1, &decay)).lies_below(0.001));
    let mut readings = vec![];
    for (what, orders) in [("frequency", of_frequency), ("decay", orders(&decay))] {
        for (ends, order) in orders {
            readings.push(Reading::new(format!("order of the error of the {what}, {ends} ends"), short(order), None));
        }
    }
    for mode in 2..=rows.iter().map(|row| row.row.mode).max().unwrap_or(1) {
        let name = format!("mode {mode}, {finest} segments: error of the frequency");
        readings.push(Reading::new(name, short(worst(mode, &frequency)), None));
    }
    Ok(Finding::new(
        verdict(of_second_order.and(small), of_second_order),
        format!("the error falls with h to the power {} to {}", short(least), short(most)),
        format!(
            "with EA = ks h and beta = kd h the slowest mode of {finest} segments has the frequency of the differential equation to {} \
             and its decay to {}; the error is that of the central difference, of order 2, so the identity is exact in the limit. {lost} bars \
             that should vibrate were not measured. An exact result has no interval; an error that stays as h falls would overturn it",
            short(worst(1, &frequency)),
            short(worst(1, &decay))
        ),
    )
    .value(least)
    .cases(vibrating.len())
    .left_out(rows.len() - vibrating.len())
    .readings(readings))
}

/// B-AMP: difference of squares up to which an expression is what stepping shows.
const EXACT: f64 = 1e-9;

/// B-AMP.
pub fn amplification(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Springs>()?;
    let oscillating: Vec<&SpringRow> = rows.iter().map(|row| &row.row).filter(|row| row.oscillates).collect();
    if oscillating.is_empty() {
        return Err(too_few("no spring oscillates"));
    }
    // in the squares, since magnitudes near zero lose digits
    let error = |row: &&SpringRow| (row.measured * row.measured - row.theory * row.theory).abs();
    let worst = oscillating.iter().map(error).fold(0.0, f64::max);
    let misses: Vec<f64> = oscillating.iter().map(|row| (row.printed - row.measured).abs()).collect();
    let printed = misses.iter().copied().fold(0.0, f64::max);
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
            readings.push(Reading::new(scheme, measured, None));
        }
    }
    Ok(Finding::new(
        match (Estimate::exact(worst, oscillating.len()).lies_below(EXACT), printed <= EXACT) {
            (Answer::Yes, false) => Verdict::ReproducedAsCorrected,
            (holds, _) => verdict(holds, Answer::No),
        },
        format!(
            "|lambda|² as corrected off by at most {}, |lambda| as printed by up to {}",
            short(worst),
            short(printed)
        ),
        format!(
            "as corrected: what the thesis prints as |lambda| is the determinant, |lambda|², for m = 1; with ks/m and kd/m and the square \
             root it {} what stepping the schemes shows, for every complex pair. Taken as printed, as |lambda|, it is off by more than a \
             hundredth for {} of {} pairs, by {} in the median. Overdamped springs, whose eigenvalues are real, are left out, as its footnote \
             has it. An exact result has no interval; one pair that the corrected formula misses would overturn it",
            if worst <= EXACT { "is" } else { "is not" },
            misses.iter().filter(|miss| **miss > 0.01).count(),
            misses.len(),
            median(&misses).map_or_else(|| "-".into(), short),
        ),
    )
    .value(worst)
    .cases(oscillating.len())
    .left_out(rows.len() - oscillating.len())
    .readings(readings))
}

/// S-REGION.
pub fn region(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Regions>()?;
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
    let readings = others.map(|scheme| {
        Reading::new(
            format!("{scheme} against its own polynomial"),
            format!("{} of {} cells differ", wrong(scheme), of(scheme).count()),
            None,
        )
    });
    let readings = readings.collect();
    let wrong = wrong("forward Euler");
    Ok(Finding::new(
        verdict((wrong == 0).into(), Answer::No),
        format!("{wrong} of {cells} cells differ from the unit disk about -1"),
        format!(
            "the centres of {stable} cells lie in the disk; stepping forward Euler on the damped oscillator is stable {}. An exact result \
             has no interval",
            if wrong == 0 { "in these and in no other".to_owned() } else { format!("in others: {wrong} cells differ") }
        ),
    )
    .value(wrong as f64)
    .cases(cells)
    .readings(readings))
}

/// S-SPIRAL.
pub fn spiral(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Spirals>()?;
    let outward = rows.iter().filter(|row| row.row.outward).count();
    let error = |row: &Orbit| row.growth.map_or(f64::INFINITY, |growth| (growth / row.theory - 1.0).abs());
    let worst = rows.iter().map(|row| error(&row.row)).fold(0.0, f64::max);
    let smallest = rows.iter().map(|row| row.row.step).fold(f64::INFINITY, f64::min);
    if rows.is_empty() {
        return Err(too_few("no orbit"));
    }
    Ok(Finding::new(
        verdict((outward == rows.len()).into(), Answer::No),
        format!("{outward} of {} orbits spiral outward in every step", rows.len()),
        format!(
            "the radius grows by sqrt(1 + omega² dt²) in each step, down to omega dt = {}; the measured growth agrees to {} of it. An exact \
             result has no interval",
            short(smallest),
            short(worst)
        ),
    )
    .value(outward as f64 / rows.len() as f64)
    .cases(rows.len()))
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

/// What the coarse scans say, in words.
fn scanned(scans: &[Row<ScanRow>]) -> String {
    let judged: Vec<bool> = scans.iter().filter_map(|row| row.row.monotone).collect();
    let monotone = judged.iter().filter(|monotone| **monotone).count();
    format!("a scan of four steps a decade over the whole bracket found no island in {monotone} of {} sheets", judged.len())
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
    let scans = results.rows::<Scans>()?;
    let ragged = raggedness(&rows);
    Ok(format!(
        "The criterion is a useful rule and no bound: {:.1} % of the sheets are stable up to a numerical stiffness of one half, but the \
         critical value runs from {} to {}. {best} Of the {} sets whose critical value lies above 1, {} were strained by less than a \
         hundredth and {} by less than a millionth: their step is so small that little or nothing has happened by the end of the run, as \
         the thesis suspects. A limit found by bisection is one of several where stability is not monotone: {ragged}; {}.\n\n{table}",
        100.0 * holding,
        short(ends[0]),
        short(ends[1]),
        above_one.len(),
        strained_less(0.01),
        strained_less(1e-6),
        scanned(&scans),
    ))
}
