//! What a user who wants to lead cloth, or to find its material, would want to know.

use super::{costs, fits, reach, searches, tuning};
use crate::prelude::*;

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let [reached, tuned, saved] = [reach::reached(results), tuning::tuned(results), searches::saved(results)]
        .map(|found| found.map(|found| found.measured));
    let cost = costs::cost(results)?.measured;
    let heads = ["parameters", "search", "sheets", "come to a tenth", "come to a hundredth", "distance left, median"];
    let (fit_heads, fit_lines) = fits::lines(results)?;
    let [most_certain, least_certain] = fits::certain(results)?;
    let fit_heads: Vec<&str> = fit_heads.iter().map(String::as_str).collect();
    Ok(format!(
        "Forces of about its own weight lead cloth to where another run has been; poses that strain it, such as the run without forces \
         shifted away from where it is held, or made larger, ask for forces many times as large, and what these are to cost decides how \
         near it comes. Over all key frames: {}. Distance is bought with effort {}. The best key frame is a pose that cloth has taken.\n\n\
         Searches, to key frames that can be reached, by the parameters that they look for:\n\n{}\n\n\
         To a tenth of the distance: {}. A gradient itself: {cost}.\n\n\
         The same gradient, by constants of the material, finds them from recorded positions. The median of what they are off by, over \
         their true values, by the noise of each coordinate over the side, from first values within a factor of three:\n\n{}\n\n\
         Errors grow as the noise does. What hardly shows in the motion is lost first: at the largest noise {} is the most uncertain, {} the \
         most certain.",
        reached?,
        tuned?,
        table(&heads, searches::lines(results)?),
        saved?,
        table(&fit_heads, fit_lines),
        least_certain,
        most_certain
    ))
}
