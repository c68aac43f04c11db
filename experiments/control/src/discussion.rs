//! What a user who wants to lead cloth, or to find its material, would want to know.

use kit::prelude::*;

use super::{costs, fits, reach, searches, tuning};

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let heads = ["parameters", "search", "sheets", "come to a tenth", "come to a hundredth", "distance left, median"];
    let reach_heads =
        ["key frames", "sheets", "distance left, median", "effort, median", "searches without a gradient in the end"];
    let (fit_heads, fit_lines) = fits::lines(results)?;
    let [most_certain, least_certain] = fits::certain(results)?;
    let fit_heads: Vec<&str> = fit_heads.iter().map(String::as_str).collect();
    Ok(format!(
        "How near sheets come to key frames by forces on all particles, and at what effort, the root mean square of the forces over the \
         particles' weights:\n\n{}\n\n\
         The run without forces shifted away from where the sheet is held, or made larger, is strained cloth: forces that lead there bear \
         the stiffness of springs, not weight alone, and large ones make cloth buckle, where a run has no gradient. Over all key frames: \
         {}. Distance is bought with effort {}.\n\n\
         Searches, to key frames that can be reached, by the parameters that they look for:\n\n{}\n\n\
         To a tenth of the distance: {}. A gradient itself: {}.\n\n\
         The same gradient, by constants of the material, finds them from recorded positions. The median of what they are off by, over \
         their true values, by the noise of each coordinate over the side, from first values within a factor of three:\n\n{}\n\n\
         At the largest noise {} is the most uncertain, {} the most certain.",
        table(&reach_heads, reach::lines(results)?),
        reach::left(results)?,
        tuning::bought(results)?,
        table(&heads, searches::lines(results)?),
        searches::saved(results)?,
        costs::growth(results)?,
        table(&fit_heads, fit_lines),
        least_certain,
        most_certain
    ))
}
