//! What a reader of the paper would want to know.

use lab::report::short;
use lab::results::{Results, ResultsError};

use super::runs::FlagRow;
use super::select::{Paper, nudged_rates};

/// A cell of the table of rates.
fn cell(row: &FlagRow) -> String {
    row.rate.map_or_else(|| row.status.clone(), short)
}

/// In plain words, from the results.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let paper = Paper::read(results)?;
    let mut table = String::from(
        "| Hessian, Newton | dt | backward Euler | generalized-alpha | ratio |\n| --- | --- | --- | --- | --- |\n\
         | published | 0.005 s | 0.069 | 0.008 | 8.6 |\n| published | 0.03 s | 0.358 | 0.08 | 4.5 (\"a factor of 6\") |\n",
    );
    for hessian in ["exact", "filtered"] {
        for newton in ["once", "converged"] {
            for which in 0..2 {
                let [euler, alpha] = paper.pair(which, hessian, newton)?;
                let ratio = euler.rate.zip(alpha.rate).map_or_else(|| "none".into(), |(a, b)| short(a / b));
                table += &format!("| {hessian}, {newton} | {} s | {} | {} | {ratio} |\n", euler.step, cell(euler), cell(alpha));
            }
        }
    }
    for which in 0..2 {
        let [euler, alpha] = paper.pair_at_rest(which)?;
        let ratio = euler.rate.zip(alpha.rate).map_or_else(|| "none".into(), |(a, b)| short(a / b));
        table += &format!("| exact, once, started at rest | {} s | {} | {} | {ratio} |\n", euler.step, cell(euler), cell(alpha));
    }
    let factor = |which: usize, scheme: usize| {
        let rates = &nudged_rates(results, paper.step(which)?)?[scheme];
        let (low, high) =
            rates.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &rate| (low.min(rate), high.max(rate)));
        Ok::<String, ResultsError>(short(high / low))
    };
    Ok(format!(
        "Rates of exp(-sigma t) \\[1/s\\] while the corners are held. Backward Euler takes from every mode in proportion to omega² dt, and so from \
         the slow swing that one sees; generalized-alpha takes omega⁴ dt³, next to nothing from the swing and all the more from the quick \
         modes. What it loses after a flat start is mostly the bounce that the flag's own weight set going when it was let loose.\n\n{table}\n\
         That bounce is chaotic: flags started a micrometre aside lose energy by generalized-alpha at rates that differ by a factor of {} at the \
         small step and {} at the large one, so that verdicts rest on medians over such starts. Rates of backward Euler, which damps the \
         bounce before the corners are held, differ by factors of {} and {}.",
        factor(0, 1)?,
        factor(1, 1)?,
        factor(0, 0)?,
        factor(1, 0)?
    ))
}
