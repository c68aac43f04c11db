//! What a user who chooses between the two would want to know.

use kit::prelude::*;

use super::courses::{Courses, at, courses};
use super::runs;
use super::sheets::Kind;
use super::solvers::Way;
use super::times::{GOALS, Goal};

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Courses>()?;
    let heads = ["way", "sheets", "distance 10 %", "0.1 %", "1e-6", "energy 10 %", "0.1 %"];
    let mut lines = vec![];
    for kind in Kind::ALL {
        for way in Way::ALL {
            let courses = courses(&rows, way, kind);
            let takes = |goal: Goal| {
                let taken: Vec<f64> = courses
                    .iter()
                    .filter_map(|course| at(course, goal.measure, goal.left)?.iterations)
                    .map(|n| n as f64)
                    .collect();
                match (taken.len(), median(&taken)) {
                    (all, Some(median)) if all == courses.len() => short(median),
                    (some, _) => format!("{some} of {}", courses.len()),
                }
            };
            let cells = [format!("{kind}: {way}"), courses.len().to_string()];
            lines.push(cells.into_iter().chain(GOALS.map(takes)).collect());
        }
    }
    Ok(format!(
        "Iterations to what is left of the way to the converged step: medians over sheets, or on how many it is reached at all in the most \
         iterations.\n\n{}\n\nThe matrix of the global step weighs every spring with its whole stiffness in all directions. So the first \
         iterations carry gravity and momentum of the whole sheet, which is most of a step that is far from converged, and what \
         stretches is left to many: the more the larger dt² k / m, and the larger the sheet. Newton's matrix knows along which springs \
         the sheet is stiff; it is made and factored anew in every iteration.\n\nWhole simulations: {}.",
        table(&heads, lines),
        runs::times(results)?
    ))
}
