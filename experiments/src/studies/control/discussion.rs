//! What a user who wants to lead cloth, or to find its material, would want to know.

use super::{costs, fits, reach, searches, tuning};
use crate::prelude::*;

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let [reached, tuned, saved] = [reach::reached(results), tuning::tuned(results), searches::saved(results)]
        .map(|found| found.map(|found| found.measured));
    let cost = costs::cost(results)?.measured;
    let heads = ["parameters", "search", "sheets", "come to a tenth", "come to a hundredth", "distance left, median"];
    let (fit_heads, fit_lines) = fits::lines(results)?;
    let fit_heads: Vec<&str> = fit_heads.iter().map(String::as_str).collect();
    Ok(format!(
        "Forces on all particles lead cloth nearly anywhere: {}. What the forces are to cost decides how near: the trade holds {}. Where \
         fewer particles are forced, key frames that were drawn by hand are out of reach, which no search changes; a pose that a run under \
         such forces went through is the best key frame.\n\n\
         Searches, to key frames that can be reached, by the parameters that they look for:\n\n{}\n\n\
         To a tenth of the distance: {}. A gradient itself: {cost}.\n\n\
         The same gradient, by constants of the material, finds them from recorded positions. The median of what they are off by, over \
         their true values, by the noise of each coordinate over the side, from first values within a factor of three:\n\n{}\n\n\
         A constant that hardly shows in the motion, as damping of springs that hardly stretch, is lost in noise first.",
        reached?,
        tuned?,
        table(&heads, searches::lines(results)?),
        saved?,
        table(&fit_heads, fit_lines)
    ))
}
