//! What a reader of the thesis would want to know.

use kit::prelude::*;

use super::raggedness::raggedness;
use super::scans::{ScanRow, Scans};
use super::sheets::{SheetRow, Sheets, kappas};

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
        let critical = row.row.critical.critical_step?;
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
        let interval = bootstrap(name, &errors, Miss::ONE, |sample| rms(sample, k))?;
        let (value, least, most) = (rms(&errors, k)?, short(interval.low), short(interval.high));
        let (percentage, error) = (100.0 * too_large, short(value));
        table += &format!("| {name} | {middle} | {low} to {high} | {percentage:.1} % | {error} ({least} to {most}) |\n");
        order.push((value, k));
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [(_, best), (_, second), ..] = order[..] else { return None };
    let lead = bootstrap("lead", &errors, Miss::ONE, |sample| Some(rms(sample, second)? - rms(sample, best)?))?;
    let sure = if lead.low > 0.0 { "" } else { ", though not surely so" };
    let (best, second) = (PREDICTIONS[best].0, PREDICTIONS[second].0);
    let [low, high] = [lead.low, lead.high].map(short);
    let sentence = format!(
        "*{best}* predicts the critical step best, ahead of *{second}* by {low} to {high} in the rms of the logarithm (95 %, paired by set){sure}."
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
    let rows = results.rows::<Sheets>()?;
    let sample = kappas(&rows);
    let ends = extremes(&sample).ok_or_else(|| too_few("no set has a critical step"))?;
    let holding = share(&sample, |kappa| *kappa >= 0.5).unwrap_or(0.0);
    let (table, best) = predictions(&rows).ok_or_else(|| too_few("no set has a critical step"))?;
    let above_one = rows.iter().map(|row| &row.row.critical).filter(|row| row.critical_kappa.is_some_and(|kappa| kappa > 1.0));
    let above_one: Vec<f64> = above_one.filter_map(|row| row.stretch).collect();
    let strained_less = |strain: f64| above_one.iter().filter(|stretch| **stretch < 1.0 + strain).count();
    let scans = results.rows::<Scans>()?;
    let ragged = raggedness(&rows);
    let share = 100.0 * holding;
    let [low, high] = [ends[0], ends[1]].map(short);
    let (above, hundredth, millionth, scanned) = (above_one.len(), strained_less(0.01), strained_less(1e-6), scanned(&scans));
    Ok(format!(
        "The criterion is a useful rule and no bound: {share:.1} % of the sheets are stable up to a numerical stiffness of one half, but \
         the critical value runs from {low} to {high}. {best} Of the {above} sets whose critical value lies above 1, {hundredth} were \
         strained by less than a hundredth and {millionth} by less than a millionth: their step is so small that little or nothing has \
         happened by the end of the run, as the thesis suspects. A limit found by bisection is one of several where stability is not \
         monotone: {ragged}; {scanned}.\n\n{table}"
    ))
}
