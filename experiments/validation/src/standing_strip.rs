//! A strip that stands upright buckles where its stiffness ceases to be definite. N-STANDING.

use analytic::buckling::standing_strip;
use cloth::statics::Statics;
use kit::prelude::*;

pub use super::ladder::LadderRanges;
use super::ladder::{Ladder, StripRow, figure, listed, without_stretch};
use super::strips::{Making, Method};

/// G between which it is sought \[-\], and the ratio of the last two.
const ENDS: [f64; 2] = [4.0, 16.0];
const RATIO: f64 = 1.0 + 1e-8;

/// Strips by the number of elements.
pub struct Standing(pub LadderRanges);

impl Standing {
    /// Whether a strip stands, straight but for how far its weight presses it together; none where it does not come to rest.
    fn stands((method, elements): (Method, usize), [heaviness, tautness]: [f64; 2], row: &mut StripRow) -> Option<bool> {
        let making = Making::of_a_meter(heaviness, tautness).by(method);
        let strip = Making { elements, gravity: Vec3::new(-GRAVITY, 0.0, 0.0), ..making }.strip().ok()?;
        let mut x = strip.flat.clone();
        let mut statics = Statics::new(&*strip.system, &x).ok()?;
        let rest = statics.settle(&mut x).ok()?;
        *row = row.clone().after(&rest);
        let is_straight = x.iter().all(|x| x.z == 0.0);
        (rest.is_settled() && is_straight).then(|| statics.is_stable_at(&x).ok()).flatten()
    }
}

impl Group for Standing {
    const NAME: &'static str = "standing-strip";
    const ABOUT: &'static str = "strips that stand upright, up to where they buckle";
    type Case = (Method, usize);
    type Row = StripRow;

    fn listed(&self) -> Vec<(Method, usize)> {
        listed(&Method::RIGID, &self.0.elements)
    }

    fn measure(&self, case: &(Method, usize)) -> Vec<StripRow> {
        without_stretch(self.0.tautness.get(), |tautness| vec![Standing::critical(*case, tautness)])
    }
}

impl Standing {
    /// By bisection.
    fn critical(case: (Method, usize), tautness: f64) -> StripRow {
        let making = Making { elements: case.1, ..Making::of_a_meter(1.0, 1.0).by(case.0) };
        let mut row = StripRow::new(&making, "G at which it buckles", 1.0, standing_strip());
        let [mut low, mut high] = ENDS;
        let mut stands = |heaviness: f64| Standing::stands(case, [heaviness, tautness], &mut row);
        if stands(low) != Some(true) || stands(high) != Some(false) {
            return row;
        }
        while high / low > RATIO {
            let middle = libm::sqrt(low * high);
            match stands(middle) {
                Some(true) => low = middle,
                Some(false) => high = middle,
                None => return row,
            }
        }
        row.found(Some(libm::sqrt(low * high)))
    }
}

impl Ladder for Standing {
    const ERROR: Claimed<'static> = Claimed::of("N-STANDING", "error");
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption = format!("How far the heaviness at which an upright strip buckles is from {:.5}.", standing_strip());
    figure::<Standing>(results, "Standing strips buckle", &caption)
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Standing(ranges.standing_strip.clone())).plot("standing-strip", chart)
}
