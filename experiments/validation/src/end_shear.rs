//! A cantilever under a dead load across its end, as shells of the literature have it. N-SHEAR.

use analytic::elastica::SZE_SHEAR;
use cloth::statics::Statics;
use kit::prelude::*;

pub use super::ladder::LadderRanges;
use super::ladder::{Ladder, StripRow, figure, listed, without_stretch};
use super::strips::{Making, Method};

/// L \[m\], b \[m\], t \[m\] and E \[Pa\] of the shell; nu = 0 \[Sze, Liu & Lo 2004, 3.1\].
const LENGTH: f64 = 10.0;
const WIDTH: f64 = 1.0;
const THICKNESS: f64 = 0.1;
const YOUNG: f64 = 1.2e6;

/// Strips by the number of elements.
pub struct Shears(pub LadderRanges);

fn making(method: Method, elements: usize, tautness: f64) -> Making {
    let making = Making::of_a_meter(1.0, 1.0).by(method);
    Making {
        elements,
        length: LENGTH,
        rigidity: YOUNG * THICKNESS * THICKNESS * THICKNESS / 12.0, // D = E t³/12
        stiffness: tautness * SZE_SHEAR[3][0] / WIDTH, // that of the shell itself, of 3e4, leaves forces that rounding hides
        gravity: Vec3::zeros(),
        ..making
    }
}

impl Group for Shears {
    const NAME: &'static str = "end-shear";
    const ABOUT: &'static str = "strips without weight under a load across their end";
    type Case = (Method, usize);
    type Row = StripRow;

    fn listed(&self) -> Vec<(Method, usize)> {
        listed(&Method::RIGID, &self.0.elements)
    }

    fn measure(&self, &(method, elements): &(Method, usize)) -> Vec<StripRow> {
        without_stretch(self.0.tautness.get(), |tautness| sheared(&making(method, elements, tautness)))
    }
}

/// The ways of the tip under each load.
fn sheared(making: &Making) -> Vec<StripRow> {
    let row = |quantity: &str, load: f64, published: f64| StripRow::new(making, quantity, load, published);
    let lost = || SZE_SHEAR.iter().flat_map(|&[load, across, back]| [row("w", load, across), row("-u", load, back)]).collect();
    let Ok(strip) = making.strip() else { return lost() };
    let mut x = strip.flat.clone();
    let Ok(mut statics) = Statics::new(&*strip.system, &x) else { return lost() };
    let mut rows = vec![];
    for [load, across, back] in SZE_SHEAR {
        // particles across move alike: the load of the whole strip is on one of them
        statics.loads[strip.tip[0][1]] = Vec3::new(0.0, 0.0, load / WIDTH * strip.width);
        let rest = statics.settle(&mut x).ok();
        let settled = rest.filter(cloth::statics::Rest::is_settled).map(|_| strip.end(&x));
        let of = |row: StripRow| rest.as_ref().map_or_else(|| row.clone(), |rest| row.clone().after(rest));
        rows.push(of(row("w", load, across)).found(settled.map(|end| end.z)));
        rows.push(of(row("-u", load, back)).found(settled.map(|end| LENGTH - end.x)));
    }
    rows
}

impl Ladder for Shears {
    const ERROR: Claimed<'static> = Claimed::of("N-SHEAR", "error");
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption =
        "How far the ways of the tip are from those that Sze, Liu & Lo print, at the worst of four loads, across and back.";
    figure::<Shears>(results, "Cantilevers under a load across their end", caption)
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Shears(ranges.end_shear.clone())).plot("end-shear", chart)
}
