//! What aggregation takes of a sheet that hangs in its plane from two corners, system by system: the three steps of the table of the
//! cost of a step, of which the later two have slack regions.

use cloth::implicit::{MatrixForm, PreconditionerKind, Settings};
use cloth::integrators::{BackwardEuler, Integrator};
use linsolve::Aggregation;

use crate::clock::processor_time;
use crate::sheets::{DT, to_tolerance};
use crate::step_cost::{STEPS, TOLERANCE, hanging};
use crate::systems::System;

const SIDES: [usize; 5] = [40, 80, 160, 320, 640];

/// Prints the table.
pub fn print() {
    println!("## A hanging sheet by aggregation");
    println!();
    println!("Processor time [us/particle]; factorisation and solution of each of the three systems, and their mean.");
    println!();
    println!("| n | unknowns of the levels | iterations | factorisation | solution | mean of a system | whole step |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for side in SIDES {
        println!("{}", line(side));
    }
}

fn line(side: usize) -> String {
    let (systems, whole) = systems(side);
    let mut aggregation = Aggregation::new();
    let (mut levels, mut solved) = (vec![], vec![]);
    for system in &systems {
        solved.push(system.solve(&mut aggregation, Aggregation::factor, TOLERANCE));
        levels.push(aggregation.unknowns().map(|count| format!("{count}")).collect::<Vec<_>>().join("+"));
    }
    let mean = solved.iter().map(|solved| solved.factorisation + solved.solution).sum::<f64>() / systems.len() as f64;
    let iterations: Vec<String> = solved.iter().map(|solved| solved.iterations.to_string()).collect();
    let factorisations: Vec<String> = solved.iter().map(|solved| format!("{:.2}", solved.factorisation)).collect();
    let solutions: Vec<String> = solved.iter().map(|solved| format!("{:.2}", solved.solution)).collect();
    let columns = [levels, iterations, factorisations, solutions].map(|column| column.join(", ")).join(" | ");
    format!("| {side}² | {columns} | {mean:.2} | {whole:.2} |")
}

/// The systems of the steps, and what the steps took \[us/particle\].
fn systems(side: usize) -> (Vec<System>, f64) {
    let start = hanging(side);
    let settings = Settings { form: MatrixForm::BlockRows, ..to_tolerance(TOLERANCE, PreconditionerKind::Aggregation) };
    let mut times = vec![];
    let mut systems = vec![];
    let repeats = (20_000 / (side * side)).max(1);
    for repeat in 0..repeats {
        let mut scheme = BackwardEuler::new(&start.cloth, settings);
        let mut state = start.state.clone();
        let mut time = 0.0;
        for _ in 0..STEPS {
            let before = processor_time();
            scheme.step(&start.cloth, DT, &mut state);
            time += processor_time() - before;
            if repeat == 0 {
                systems.push(System::last_of(&scheme));
            }
        }
        times.push(1e6 * time / STEPS as f64 / (side * side) as f64);
    }
    (systems, times.iter().sum::<f64>() / repeats as f64)
}
