//! Peirce's test of measured fabrics, cut along their warp and along their weft: do strips have the bending lengths of the rigidities
//! that were measured? On the bias there is no exact answer: a strip that bends there twists, too. N-PEIRCE-FABRICS.

use cloth::{Fabric, MEASURED, Measured, Rigidity};
use kit::prelude::*;

use super::bending_length::reached;
pub use super::ladder::LadderRanges;
use super::ladder::{Ladder, StripRow, figure, listed, without_stretch};
use super::meshes::Cut;
use super::strips::{Law, Making, Method, Motion, Woven};

/// Directions of a strip: the angle of the warp from its length \[degrees\], and the D that it bends with.
type Direction = (&'static str, f64, fn(&Rigidity) -> f64);
const DIRECTIONS: [Direction; 2] = [("along the warp", 0.0, |d| d.warp), ("along the weft", 90.0, |d| d.weft)];

/// Fabrics in each direction, by the number of elements.
pub struct FabricStrips(pub LadderRanges);

impl Group for FabricStrips {
    const NAME: &'static str = "fabric-strips";
    const ABOUT: &'static str = "strips of measured fabrics whose tip is at 41.5 degrees below their clamp";
    type Case = (Method, usize);
    type Row = StripRow;

    fn listed(&self) -> Vec<(Method, usize)> {
        let methods = [Cut::Left, Cut::Right, Cut::Alternating].map(|cut| Method::new(Law::Curvature, cut, Motion::Free));
        listed(&methods, &self.0.elements)
    }

    fn measure(&self, &(method, elements): &(Method, usize)) -> Vec<StripRow> {
        let in_direction = |fabric: &Measured, (direction, degrees, rigidity): Direction, tautness: f64| {
            let making = |heaviness: f64| {
                let weight = fabric.density * GRAVITY;
                let length = libm::cbrt(heaviness * rigidity(&fabric.rigidity()) / weight); // G = rho g L³/D
                let taut = Elastic { stiffness: tautness * weight * length, damping: 0.0 };
                let cloth = Fabric { warp: taut, weft: taut, shear: taut, ..fabric.as_continuum() };
                let woven = Some(Woven { cloth, warp: degrees.to_radians() });
                Making { elements, length, woven, ..Making::of_a_meter(heaviness, tautness).by(method) }
            };
            StripRow { quantity: format!("c/L of {} {direction}", fabric.name), ..reached(making) }
        };
        let all = |tautness: f64| {
            let strips = MEASURED.iter().flat_map(|fabric| DIRECTIONS.map(|direction| (fabric, direction)));
            strips.map(|(fabric, direction)| in_direction(fabric, direction, tautness)).collect()
        };
        without_stretch(self.0.tautness.get(), all)
    }
}

impl Ladder for FabricStrips {
    const ERROR: Claimed<'static> = Claimed::of("N-PEIRCE-FABRICS", "error");
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "How far the bending length of strips of ten fabrics along warp and weft is from that of the rigidity that was measured, at \
                   the worst of all twenty.";
    figure::<FabricStrips>(results, "Peirce's bending length of fabrics", caption)
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(FabricStrips(ranges.fabric_strips.clone())).plot("fabric-strips", chart)
}
