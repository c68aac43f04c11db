//! Peirce's test: the length at which a strip that is pushed over an edge meets a plane of 41.5°. N-PEIRCE.

use analytic::elastica::heaviness_at;
use kit::prelude::*;

pub use super::ladder::LadderRanges;
use super::ladder::{Ladder, StripRow, figure, listed, without_stretch};
use super::strips::{Making, Method};

/// Of the plane \[degrees\] \[ASTM D1388\].
const ANGLE: f64 = 41.5;
/// How near the tangent of its angle the tip is led \[-\], and in how many steps at most.
const NEAR: f64 = 1e-8;
const STEPS: u32 = 20;

/// Strips whose heaviness is sought, by the number of elements.
pub struct BendingLengths(pub LadderRanges);

impl Group for BendingLengths {
    const NAME: &'static str = "bending-length";
    const ABOUT: &'static str = "strips whose tip is at 41.5 degrees below their clamp";
    type Case = (Method, usize);
    type Row = StripRow;

    fn listed(&self) -> Vec<(Method, usize)> {
        listed(&Method::RIGID, &self.0.elements)
    }

    fn measure(&self, &(method, elements): &(Method, usize)) -> Vec<StripRow> {
        without_stretch(self.0.tautness.get(), |tautness| {
            vec![reached(|heaviness| Making { elements, ..Making::of_a_meter(heaviness, tautness).by(method) })]
        })
    }
}

/// The strip whose tip is at the angle, by secants over ln G; the length of what is made may go with G.
pub fn reached(making: impl Fn(f64) -> Making) -> StripRow {
    let length = |heaviness: f64| libm::cbrt(1.0 / heaviness); // c/L = G^(-1/3)
    let mut row = StripRow::new(&making(1.0), "c/L", ANGLE, length(heaviness_at(ANGLE.to_radians())));
    let (wanted, mut x, mut h) = (libm::tan(ANGLE.to_radians()), None, None);
    let mut tried: Vec<[f64; 2]> = vec![];
    for step in 0..STEPS {
        let at = match tried[..] {
            [] => libm::log(6.0),
            [_] => libm::log(10.0),
            [.., [before, far], [last, near]] => last - near * (last - before) / (near - far),
        };
        let Ok(strip) = making(libm::exp(at)).strip() else { break };
        let x: &mut Vec<Vec3> = x.get_or_insert_with(|| strip.flat.clone());
        let scale = strip.h / h.replace(strip.h).unwrap_or(strip.h);
        x.iter_mut().for_each(|x| *x *= scale);
        let Ok(rest) = strip.settle(x) else { break };
        row = row.after(&rest);
        let missed = strip.drop_over_reach(x) - wanted;
        if !rest.is_settled() || !missed.is_finite() {
            break;
        }
        if missed.abs() < NEAR || step + 1 == STEPS {
            let found = (missed.abs() < NEAR).then(|| length(libm::exp(at)));
            return row.found(found);
        }
        tried.push([at, missed]);
    }
    row
}

impl Ladder for BendingLengths {
    const ERROR: Claimed<'static> = Claimed::of("N-PEIRCE", "error");
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption =
        "How far the bending length is from (D/rho g)^(1/3) that the length of a strip gives whose tip stands at 41.5 degrees.";
    figure::<BendingLengths>(results, "Peirce's bending length", caption)
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(BendingLengths(ranges.bending_length.clone())).plot("bending-length", chart)
}
