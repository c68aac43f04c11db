//! The board of methods and cases, and what it says.

use kit::prelude::*;

use super::boards::{AT_REST, Boards, MOVING};
use super::cantilever::Cantilevers;
use super::ladder::StripRow;
use super::moving::Kind;
use super::strips::{Law, Motion};

/// G up to which a strip is light: its drop goes with its weight over D.
const LIGHT: f64 = 2.0;

pub fn discussion(results: &Results) -> Result<String, ResultsError> {
    let boards = Boards::read(results)?;
    let strips = results.without_sets::<Cantilevers>()?;
    let hinges = |row: &&StripRow| matches!(row.method.law, Law::Shells | Law::Quadratic) && row.method.motion == Motion::Free;
    let free =
        extent(strips.iter().filter(hinges).filter(|row| row.load <= LIGHT).filter_map(|row| Some(row.found? / row.exact)));
    let left = strips.iter().filter_map(|row| row.residual.filter(|_| row.found.is_some())).fold(0.0, f64::max);
    Ok(format!(
        "{}\n\n{AT_REST} Rest is where the largest force on a particle is \
         1e-10 of the \
         load, or where rounding ends the search: n³ eps/G of the weight for bending that is stiff beside it, at most {left:.0e} \
         here. \
         Strips do not stretch: two stretch stiffnesses are measured, and what they differ by is taken off.\n\n\
         **Which bending to take.** On grids a rigidity is that of the sheet, whatever moves, and so it is on triangles of any \
         shape by their curvature, which scenes take if they name no other law. Discrete shells and quadratic bending are so \
         while particles in a line across the bend move alike, as in a cylinder; where they are free to leave it, \
         light strips hang \
         {} to {} times as far as they should, by mesh: hinges have the energy of a cylinder and less beside it. Hinges of one \
         stiffness \
         and bend springs, which are those of the papers, are no property of cloth at all: finer meshes are softer.\n\n{}",
        boards.at_rest().markdown(),
        short(free[0]),
        short(free[1]),
        motions(&boards)
    ))
}

/// Methods and cases in motion: integrators, constraint methods and meshes.
fn motions(boards: &Boards) -> String {
    let [integrators, methods, meshes] =
        [Kind::Integrator, Kind::ConstraintMethod, Kind::Mesh].map(|kind| boards.moving(kind).markdown());
    format!(
        "**What moves.** {MOVING} Nothing stands where a method has no part in a case: implicit schemes need symmetric \
         derivatives, which the car axis without its constraints does not have, and the beam has no edges.\n\n\
         {integrators}\n\n{methods}\n\n{meshes}"
    )
}
