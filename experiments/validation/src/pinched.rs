//! A strip whose clamped ends are brought together rises in its middle. N-PINCHED.

use analytic::elastica::Pinched;
use kit::prelude::*;

pub use super::ladder::LadderRanges;
use super::ladder::{Ladder, StripRow, figure, listed, without_stretch};
use super::strips::{Making, Method, Strip};

/// How far the ends are apart \[L\].
const DISTANCES: [f64; 4] = [0.9, 0.7, 0.5, 0.3];
/// Steps from one distance to the next, the first from where a flat wave is that the strip begins with.
const STEPS: u32 = 10;
const BEGIN: f64 = 0.99;

/// Strips by the number of elements.
pub struct Pinches(pub LadderRanges);

impl Pinches {
    fn row(making: &Making, distance: f64) -> StripRow {
        StripRow::new(making, "rise over L", distance, Pinched::new(distance).rise)
    }

    /// Strips from one distance to the next; they are looked at there.
    pub fn pinched(making: &Making, mut look: impl FnMut(f64, &Strip, &[Vec3])) -> Option<Vec<StripRow>> {
        let strip = making.strip().ok()?;
        let (length, last) = (making.length, strip.flat.iter().map(|x| x.x).fold(0.0, f64::max));
        let mut x = strip.flat.clone();
        // a wave of about the length that is too much of it: L (1 - d) = (pi A/2)²/L for z = A/2 (1 - cos(2 pi s/L))
        let rise = libm::sqrt(1.0 - BEGIN) * length * std::f64::consts::FRAC_2_PI;
        for (x, _) in x.iter_mut().zip(strip.system.pinned()).filter(|(_, held)| !**held) {
            let along = (x.x - strip.clamp) / length;
            x.z = 0.5 * rise * (1.0 - libm::cos(std::f64::consts::TAU * along));
        }
        let far: Vec<usize> = (0..x.len()).filter(|i| strip.system.pinned()[*i] && strip.flat[*i].x > 0.5 * last).collect();
        let middle = (0..x.len()).find(|i| (strip.flat[*i].x - 0.5 * last).abs() < 0.1 * strip.h)?;
        let (mut apart, mut rows) = (1.0, vec![]);
        for distance in DISTANCES {
            let mut row = Pinches::row(making, distance);
            let (mut settled, from) = (false, apart);
            for step in 1..=STEPS {
                let at = from + (distance - from) * f64::from(step) / f64::from(STEPS);
                // all between the ends is pressed together with them
                for (x, _) in x.iter_mut().zip(strip.system.pinned()).filter(|(_, held)| !**held) {
                    x.x = strip.clamp + (x.x - strip.clamp) * at / apart;
                }
                apart = at;
                far.iter().for_each(|i| x[*i].x = strip.flat[*i].x - (1.0 - at) * length);
                let rest = strip.settle(&mut x).ok()?;
                row = row.after(&rest);
                settled = rest.is_settled();
            }
            if settled {
                look(distance, &strip, &x);
            }
            rows.push(row.found(settled.then(|| x[middle].z.abs() / length)));
        }
        Some(rows)
    }
}

impl Group for Pinches {
    const NAME: &'static str = "pinched";
    const ABOUT: &'static str = "strips without weight whose clamped ends are brought together";
    type Case = (Method, usize);
    type Row = StripRow;

    fn listed(&self) -> Vec<(Method, usize)> {
        listed(&Method::RIGID, &self.0.elements)
    }

    fn measure(&self, &(method, elements): &(Method, usize)) -> Vec<StripRow> {
        without_stretch(self.0.tautness.get(), |tautness| {
            let making = Making::of_a_meter(1.0, tautness).by(method);
            let making = Making { elements, both_ends: true, gravity: Vec3::zeros(), ..making };
            let lost = || DISTANCES.map(|distance| Pinches::row(&making, distance)).into();
            Pinches::pinched(&making, |_, _, _| {}).unwrap_or_else(lost)
        })
    }
}

impl Ladder for Pinches {
    const ERROR: Claimed<'static> = Claimed::of("N-PINCHED", "error");
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption = "How far the rise in the middle is from that of the elastica, at the worst of four distances of the ends.";
    figure::<Pinches>(results, "Strips whose ends are brought together", caption)
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Pinches(ranges.pinched.clone())).plot("pinched", chart)
}
