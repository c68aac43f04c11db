//! What a reader of the paper would want to know.

use lab::report::short;
use lab::results::{Results, ResultsError};

use super::runs::FlagRow;
use super::select::Paper;

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
    Ok(format!(
        "Rates of exp(-sigma t) \\[1/s\\] while the corners are held. Backward Euler takes from every mode in proportion to omega² dt, and so from \
         the slow swing that one sees; generalized-alpha takes omega⁴ dt³, next to nothing from the swing and all the more from the quick \
         modes. What it loses after a flat start is mostly the bounce that the flag's own weight set going when it was let loose.\n\n{table}\n\
         That bounce is chaotic: at the small step, flags started a micrometre aside lose energy by generalized-alpha at rates that differ by a \
         factor of three, so that verdicts rest on medians over such starts. Backward Euler has damped the bounce before the corners are \
         held, and nothing of it is left in its rates.\n\n\
         One number of points is not one flag: with 6 points along the upper edge and 11 down its side, not the other way round, the cloth \
         buckles between its corners, and rates and ratios are others."
    ))
}
