//! What a step costs against the number of particles, with the blocks of the diagonal and by multigrid: the canonical sheet is held
//! taut by its border, or hangs from two corners in its plane, and is let go.

use std::time::Instant;

use cloth::implicit::PreconditionerKind;
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::{Cloth, Pin, State, Vec3};

use crate::clock::median;
use crate::sheets::{CONSTRAINED, DT, canonical_pins, canonical_sheet, to_tolerance};

const SIDES: [usize; 4] = [40, 80, 160, 320];

/// Of the residual over the right side.
pub const TOLERANCE: f64 = 1e-8;

/// Steps of a run, in which the tension runs over the sheet.
pub const STEPS: usize = 3;

/// How far the taut sheet is drawn out.
const STRETCH: f64 = 1.02;

/// Most runs of each.
const ROUNDS: usize = 5;

/// Time after which no further run begins \[s\].
const ENOUGH: f64 = 2.0;

/// A sheet and how it begins.
pub struct Start {
    pub cloth: Cloth,
    pub state: State,
}

/// Prints the table.
pub fn print() {
    println!("## Cost of a step");
    println!();
    println!("| sheet | n | CP [ms/step] | iterations | [us/particle] | multigrid [ms/step] | iterations | [us/particle] |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (name, start) in [("taut", taut as fn(usize) -> Start), ("hanging", hanging)] {
        for side in SIDES {
            println!("{}", line(name, side, &start(side)));
        }
    }
}

/// Held by its border, which is drawn out both ways.
fn taut(side: usize) -> Start {
    let last = side - 1;
    let border = |at| [Pin::At(at, 0), Pin::At(at, last), Pin::At(0, at), Pin::At(last, at)];
    let pins: Vec<Pin> = (0..side).flat_map(border).collect();
    let cloth = canonical_sheet(side, &pins);
    let state = State::at_rest(cloth.at_rest().x.iter().map(|x| x * STRETCH).collect());
    Start { cloth, state }
}

/// Held by two corners, its edges upright.
pub fn hanging(side: usize) -> Start {
    let cloth = canonical_sheet(side, &canonical_pins(side));
    let state = State::at_rest(cloth.at_rest().x.iter().map(|x| Vec3::new(x.x, 0.0, -x.y)).collect());
    Start { cloth, state }
}

/// A line of the table.
fn line(name: &str, side: usize, start: &Start) -> String {
    let methods = [CONSTRAINED, PreconditionerKind::Multigrid].map(|preconditioner| {
        let (time, scheme) = timed(|| {
            let mut scheme = BackwardEuler::new(&start.cloth, to_tolerance(TOLERANCE, preconditioner));
            let mut state = start.state.clone();
            (0..STEPS).for_each(|_| scheme.step(&start.cloth, DT, &mut state));
            scheme
        });
        let (time, work) = (time / STEPS as f64, scheme.work());
        let stalled = if work.stalled > 0 { format!(" (stalled in {} of {STEPS})", work.stalled) } else { String::new() };
        let iterations = work.iterations as f64 / STEPS as f64;
        format!("{:.2} | {iterations:.0}{stalled} | {:.2}", 1e3 * time, 1e6 * time / (side * side) as f64)
    });
    format!("| {name} | {side}² | {} | {} |", methods[0], methods[1])
}

/// Median time of a work \[s\], and what it gave last.
fn timed<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let begun = Instant::now();
    let mut times = Vec::with_capacity(ROUNDS);
    loop {
        let start = Instant::now();
        let outcome = work();
        times.push(start.elapsed().as_secs_f64());
        if times.len() == ROUNDS || begun.elapsed().as_secs_f64() > ENOUGH {
            return (median(&times), outcome);
        }
    }
}
