//! The canonical job by projective dynamics, beside a textbook solver of it whose loops are written out, and beside Newton.

use std::time::Instant;

use cloth::integrators::{BackwardEuler, Integrator, Iterations, ProjectiveDynamics};
use cloth::projective::Acceleration;
use cloth::{Cloth, Material, State};

use crate::canonical_job::strains;
use crate::clock::median;
use crate::fast_mass_spring::FastMassSpring;
use crate::sheets::{CONSTRAINED, DT, canonical_pins, canonical_sheet, to_tolerance};

const SIDES: [usize; 3] = [32, 64, 128];
const STEPS: usize = 100;

/// Iterations of the textbook solver, as published.
const TEXTBOOK: usize = 10;

/// Prints the table.
pub fn print() {
    println!("## Projective dynamics");
    println!();
    println!("| N | springs | solver | iterations/step | median [ms/step] | largest strain | peak | lowest [m] |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for side in SIDES {
        let one_sided = canonical_sheet(side, &canonical_pins(side));
        let material = Material { compression: true, ..*one_sided.material() };
        let two_sided = Cloth::new(*one_sided.grid(), material, &canonical_pins(side)).expect("a material");
        for (springs, cloth) in [("two-sided", &two_sided), ("one-sided", &one_sided)] {
            for line in lines(cloth, springs == "two-sided") {
                println!("| {side} | {springs} | {line}");
            }
        }
    }
}

/// What advances a state.
type Step<'a> = Box<dyn FnMut(&mut State) + 'a>;

/// The lines of a sheet: solvers take their steps in turn.
fn lines(cloth: &Cloth, textbook: bool) -> Vec<String> {
    let mut runs: Vec<(String, usize, Step<'_>)> = vec![];
    if textbook {
        let mut double = FastMassSpring::<f64>::new(cloth, DT);
        let mut single = FastMassSpring::<f32>::new(cloth, DT);
        let name = format!("textbook, {} entries", double.entries());
        runs.push((
            name,
            TEXTBOOK,
            Box::new(move |state| {
                double.step(TEXTBOOK);
                *state = double.state();
            }),
        ));
        runs.push((
            "textbook, single".to_owned(),
            TEXTBOOK,
            Box::new(move |state| {
                single.step(TEXTBOOK);
                *state = single.state();
            }),
        ));
    }
    let kinds = [
        ("local-global", Acceleration::None),
        ("Chebyshev 0.9", Acceleration::Chebyshev { rho: 0.9 }),
        ("L-BFGS 5", Acceleration::QuasiNewton { pairs: 5 }),
    ];
    for (name, acceleration) in kinds {
        for limit in [2, 4, 6, 8, 10, 20] {
            let mut scheme = ProjectiveDynamics::new(cloth, Iterations { limit, tolerance: None, acceleration });
            runs.push((name.to_owned(), limit, Box::new(move |state| scheme.step(cloth, DT, state))));
        }
    }
    let mut newton = BackwardEuler::new(cloth, to_tolerance(1e-4, CONSTRAINED));
    runs.push(("one Newton step, to 1e-4".to_owned(), 1, Box::new(move |state| newton.step(cloth, DT, state))));

    let mut states = vec![cloth.at_rest(); runs.len()];
    let mut times = vec![Vec::with_capacity(STEPS); runs.len()];
    let mut peaks = vec![0.0_f64; runs.len()];
    for _ in 0..STEPS {
        for (k, (_, _, step)) in runs.iter_mut().enumerate() {
            let start = Instant::now();
            step(&mut states[k]);
            times[k].push(1e3 * start.elapsed().as_secs_f64());
            peaks[k] = peaks[k].max(strains(cloth, &states[k])[0]);
        }
    }
    let line = |(k, (name, iterations, _)): (usize, &(String, usize, Step<'_>))| {
        let lowest = states[k].x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        let [largest, _] = strains(cloth, &states[k]);
        format!("{name} | {iterations} | {:.2} | {largest:.4} | {:.4} | {lowest:.4} |", median(&times[k]), peaks[k])
    };
    runs.iter().enumerate().map(line).collect()
}
