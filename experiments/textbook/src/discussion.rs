//! What a reader of the textbook would want to know.

use kit::prelude::*;

use super::chapters;
use super::continuum::{Continuum, variations};
use super::drape_charts::Sheets;
use super::drapes::{DOUBLE_HEM, HEM_BY_MASS};
use super::explicit::{Explicit, ExplicitRow};
use super::implicit::{Implicit, RATES};
use super::springs::{SpringRow, Springs};

/// The statements that sound alike and are not.
pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let (damping, quadratic, close) = (damping(results)?, quadratic(results)?, close(results)?);
    let (hem, mesh, equation) = (hem(results)?, mesh(results)?, equation(results)?);
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

fn none() -> ResultsError {
    too_few("nothing to tell of")
}

/// Sheets that explicit Euler keeps stable, and loses.
fn damping(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Explicit>()?;
    let of = |holds: fn(&ExplicitRow) -> bool| share(&rows, |row| holds(&row.row)).map(percent).ok_or_else(none);
    let (stable, unstable) = (of(|row| row.damped)?, of(|row| !row.undamped)?);
    Ok(format!("{stable} of the damped sheets are stable, {unstable} of the undamped ones are not"))
}

/// Where damped sheets become unstable by explicit Euler; one that is stable up to four times the limit counts with 8.
fn equation(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Explicit>()?;
    let critical: Vec<f64> = rows.iter().map(|row| row.row.critical.unwrap_or(8.0)).collect();
    let critical = Estimate::median(&critical).ok_or_else(none)?;
    Ok(format!("they become unstable at {critical} times the limit, in the median"))
}

/// How far the force of a spring is from a linear one.
fn quadratic(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Springs>()?;
    let most = |of: fn(&SpringRow) -> f64| rows.iter().map(|row| of(&row.row)).reduce(f64::max).map(short).ok_or_else(none);
    let (any_way, lengthwise) = (most(|row| row.any)?, most(|row| row.along)?);
    Ok(format!(
        "the force departs from a linear one by up to {any_way} of ks times the displacement in any direction, by {lengthwise} along the spring"
    ))
}

/// How close one Newton step comes to converged ones.
fn close(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Implicit>()?;
    let converged = rows.iter().map(|row| &row.row).filter(|row| row.rate == RATES[1] && row.newton == "converged");
    let ratios: Vec<f64> = converged.filter_map(|row| Some(row.apart? / row.error?)).filter(|ratio| ratio.is_finite()).collect();
    let ratio = Estimate::median(&ratios).ok_or_else(none)?;
    Ok(format!("one Newton step is {ratio} of the error of converged ones away from these, in the median"))
}

/// How much of what a hem does its mass alone leaves out.
fn hem(results: &Results) -> Result<String, ResultsError> {
    let left = Sheets::of(results)?.paired([HEM_BY_MASS, DOUBLE_HEM], |mass, hem| Some(mass.from_partner? / hem.from_base?));
    let left = Estimate::median(&left).ok_or_else(none)?;
    Ok(format!("a hem by mass is {left} times as far from a represented hem as no hem is, in the median"))
}

/// How much energies vary over meshes.
fn mesh(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Continuum>()?;
    let springs = Estimate::median(&variations(&rows, |row| Some(row.springs))).ok_or_else(none)?;
    let [_, most] = extremes(&variations(&rows, |row| Some(row.continuum))).ok_or_else(none)?;
    Ok(format!(
        "springs vary by {} of the mean in the median over sheets, the continuum by at most {most:.1e}",
        springs.percent()
    ))
}
