//! What a reader of the textbook would want to know.

use kit::prelude::*;

use super::{chapters, continuum, drape_verdicts, explicit, implicit, springs};

/// The statements that sound alike and are not.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let number = |finding: Finding| finding.measured;
    let damping = number(explicit::damping_needed(results)?);
    let equation = number(explicit::test_equation(results)?);
    let quadratic = number(springs::quadratic(results)?);
    let close = number(implicit::close(results)?);
    let hem = number(drape_verdicts::hem(results)?);
    let mesh = number(continuum::mesh(results)?);
    let chapters = table(&["chapter", "title", "claims that judge it"], chapters::lines()?);
    Ok(format!(
        "The textbook explains; it reports no experiments, so that where it says small, dramatic or close enough the criteria \
         here say how much, and readings say what else it could mean.\n\n\
         Of explicit Euler it says that damping decides: {damping}. The other half of that sentence is the scheme: FB Euler, which \
         differs in one line, keeps the same undamped \
         sheets at the same step. Its test equation, for which a damped sheet at rest gives the eigenvalues, stands beside what \
         such sheets bear: {equation}.\n\n\
         A spring's energy is said to be quadratic, its force linear, in the positions; {quadratic}. This is why one Newton step is not \
         exact; how close it comes: {close}.\n\n\
         Hems, which the book models by mass alone, against two layers of cloth: {hem}. What springs lack that the continuum of its \
         seventh chapter has shows where the same cloth is cut into other triangles: {mesh}.\n\n\
         Its text is at hand to the middle of chapter 5; of the later ones the contents, the abstract and the papers that they rest on \
         are, so that their claims state what these imply, and say so.\n\n{chapters}"
    ))
}
