//! What a step costs against the number of particles, by preconditioner: the canonical sheet hangs in its plane and is let go.

use std::time::Instant;

use cloth::implicit::PreconditionerKind;
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::{State, Vec3};

use crate::clock::median;
use crate::sheets::{CONSTRAINED, DT, canonical_sheet, to_tolerance};

const SIDES: [usize; 4] = [40, 80, 160, 320];

/// Each with its name in the table.
const PRECONDITIONERS: [(&str, PreconditionerKind); 1] = [("CP", CONSTRAINED)];

/// Steps of a run, in which the tension runs down the sheet.
const STEPS: usize = 3;

/// Most runs of each.
const ROUNDS: usize = 5;

/// Time after which no further run begins \[s\].
const ENOUGH: f64 = 2.0;

/// Prints the table.
pub fn print() {
    println!("## Cost of a step");
    println!();
    println!("| n | preconditioner | iterations/step | ms/step | us/step/particle |");
    println!("| --- | --- | --- | --- | --- |");
    for side in SIDES {
        for (name, preconditioner) in PRECONDITIONERS {
            println!("{}", line(side, name, preconditioner));
        }
    }
}

/// A line of the table.
fn line(side: usize, name: &str, preconditioner: PreconditionerKind) -> String {
    let cloth = canonical_sheet(side);
    let begin = State::at_rest(cloth.at_rest().x.iter().map(|x| Vec3::new(x.x, 0.0, -x.y)).collect());
    let mut times = Vec::with_capacity(ROUNDS);
    let mut iterations = 0;
    let begun = Instant::now();
    while times.len() < ROUNDS && (times.is_empty() || begun.elapsed().as_secs_f64() < ENOUGH) {
        let (mut scheme, mut state) = (BackwardEuler::new(&cloth, to_tolerance(1e-8, preconditioner)), begin.clone());
        let start = Instant::now();
        (0..STEPS).for_each(|_| scheme.step(&cloth, DT, &mut state));
        times.push(start.elapsed().as_secs_f64() / STEPS as f64);
        iterations = scheme.work().iterations;
    }
    let time = median(&times);
    format!(
        "| {side}² | {name} | {:.1} | {:.2} | {:.2} |",
        iterations as f64 / STEPS as f64,
        1e3 * time,
        1e6 * time / (side * side) as f64
    )
}
