//! A strip under a moment at its end, which rolls it up to a circle. N-ROLL-UP.

use analytic::elastica::{closing_moment, roll_up};
use cloth::statics::{Moment, Statics};
use kit::prelude::*;

pub use super::ladder::LadderRanges;
use super::ladder::{Ladder, StripRow, figure, listed};
use super::strips::{Making, Method, Strip};

/// Equal increments of the moment, and those after which the tip is looked at.
const INCREMENTS: u32 = 16;
const LOOKS: u32 = 4;

/// Strips by the number of elements.
pub struct RollUps(pub LadderRanges);

/// The tip's distance from its place at four shares of the moment; the strip is looked at there.
pub fn rolled(making: &Making, mut look: impl FnMut(f64, &Strip, &[Vec3])) -> Vec<StripRow> {
    let row = |share: f64| StripRow::new(making, "distance from the place of the tip", share, 0.0);
    let shares = (1..=LOOKS).map(|look| f64::from(look) / f64::from(LOOKS));
    let mut rows: Vec<StripRow> = shares.map(row).collect();
    let Ok(strip) = making.strip() else { return rows };
    let mut x = strip.flat.clone();
    let Ok(mut statics) = Statics::new(&*strip.system, &x) else { return rows };
    let whole = closing_moment(making.rigidity, strip.width, making.length);
    let edges = strip.tip.iter().map(|edge| Moment::new(*edge, [Vec3::x(), Vec3::z()], 0.0));
    statics.moments = edges.collect(); // one: particles across move alike
    for step in 1..=INCREMENTS {
        let share = f64::from(step) / f64::from(INCREMENTS);
        for moment in &mut statics.moments {
            moment.follow(&x);
            moment.moment = share * whole;
        }
        let Ok(rest) = statics.settle(&mut x) else { break };
        let place = ((step - 1) * LOOKS / INCREMENTS) as usize;
        rows[place] = rows[place].clone().after(&rest);
        if !rest.is_settled() {
            break;
        }
        if (step * LOOKS).is_multiple_of(INCREMENTS) {
            let tip = roll_up(making.length, share, making.length);
            let end = strip.end(&x);
            let distance = libm::hypot(end.x - (making.length - tip.back), end.z - tip.across);
            rows[place] = rows[place].clone().missed(Some(distance), making.length);
            look(share, &strip, &x);
        }
    }
    rows
}

impl Group for RollUps {
    const NAME: &'static str = "roll-up";
    const ABOUT: &'static str = "strips without weight under a moment at their end";
    type Case = (Method, usize);
    type Row = StripRow;

    fn listed(&self) -> Vec<(Method, usize)> {
        listed(&Method::RIGID, &self.0.elements)
    }

    fn measure(&self, &(method, elements): &(Method, usize)) -> Vec<StripRow> {
        let making = Making::of_a_meter(1.0, self.0.tautness.get()).by(method);
        rolled(&Making { elements, gravity: Vec3::zeros(), ..making }, |_, _, _| {})
    }
}

impl Ladder for RollUps {
    const ERROR: Claimed<'static> = Claimed::of("N-ROLL-UP", "gap");
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "How far the tip is from its place, over the length of the strip, at the worst of a quarter, half, three \
                   quarters and all of the \
                   moment that closes a circle.";
    figure::<RollUps>(results, "Strips rolled up by a moment", caption)
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(RollUps(ranges.roll_up.clone())).plot("roll-up", chart)
}
