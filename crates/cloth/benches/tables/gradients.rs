//! What the gradient of a run costs beside the run itself, whatever the number of its parameters: sheets that hang from two corners
//! are let go, and all of their free particles are forced.

use std::time::Instant;

use cloth::adjoint::{Adjoint, Constant, Forces, Goal, KeyFrame, Part, Task};
use cloth::implicit::{Newton, Settings};
use cloth::{Cloth, DampingForm, Elastic, Grid, Material, Pin, System, Vec3};

use crate::clock::median;

/// Particles a side, and intervals of the forces.
const CASES: [(usize, usize); 3] = [(20, 1), (20, 10), (40, 1)];

/// Every how many steps a state is kept.
const KEPT: [usize; 2] = [1, 7];

/// Steps of a run.
const STEPS: usize = 40;

/// dt \[s\].
const DT: f64 = 0.01;

/// Runs of each, in turn.
const ROUNDS: usize = 3;

/// Prints the table.
pub fn print() {
    println!("## Cost of a gradient");
    println!();
    println!(
        "| sheet | parameters | states kept | run [ms] | factorisations | gradient with its run [ms] | factorisations | in runs |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (side, intervals) in CASES {
        for keep_every in KEPT {
            println!("{}", line(side, intervals, keep_every));
        }
    }
}

/// A line of the table.
fn line(side: usize, intervals: usize, keep_every: usize) -> String {
    let (cloth, task) = sheet(side, intervals, keep_every);
    let parameters = 3 * task.forces.count() + task.constants.len();
    let u = vec![Vec3::zeros(); task.forces.count()];
    let mut adjoint = Adjoint::new(&cloth, task).expect("a sheet that can be differentiated");
    let (mut times, mut factorisations) = ([vec![], vec![]], [0; 2]);
    for _ in 0..ROUNDS {
        let (before, begun) = (adjoint.work().solves, Instant::now());
        adjoint.run(&cloth, &u, |_| {}).expect("steps that converge");
        times[0].push(begun.elapsed().as_secs_f64());
        factorisations[0] = adjoint.work().solves - before;
        let (before, begun) = (adjoint.work().solves, Instant::now());
        let gradient = adjoint.gradient(&cloth, &u).expect("steps that converge");
        times[1].push(begun.elapsed().as_secs_f64());
        factorisations[1] = adjoint.work().solves - before + gradient.cost.factorisations;
    }
    let [run, gradient] = times.map(|times| median(&times));
    let kept = if keep_every == 1 { "all".to_owned() } else { format!("every {keep_every}th") };
    format!(
        "| {side}² | {parameters} | {kept} | {:.1} | {} | {:.1} | {} | {:.2} |",
        1e3 * run,
        factorisations[0],
        1e3 * gradient,
        factorisations[1],
        gradient / run
    )
}

/// A sheet, and the task to bring its lower edge forward.
fn sheet(side: usize, intervals: usize, keep_every: usize) -> (Cloth, Task) {
    let elastic = |stiffness| Elastic { stiffness, damping: 0.05 };
    let material = Material {
        density: 0.2,
        stretch: elastic(200.0),
        shear: elastic(100.0),
        damping: DampingForm::Plain,
        compression: true,
        ..Material::default()
    };
    let grid = Grid::new(side, side, 0.8 / side as f64).expect("a grid");
    let cloth = Cloth::new(grid, material, &[Pin::At(0, side - 1), Pin::At(side - 1, side - 1)]).expect("a sheet");
    let start = cloth.at_rest();
    let free = (0..side * side).filter(|particle| !cloth.pinned()[*particle]).collect();
    let length = STEPS / intervals;
    let forces = Forces::new(free, (0..intervals).map(|k| k * length..(k + 1) * length).collect()).expect("intervals");
    let places = (0..side).map(|particle| (particle, start.x[particle] + 0.2 * Vec3::y())).collect();
    let keyframes = vec![KeyFrame { step: STEPS, places, weight: 1.0 }];
    let part = |part| [Constant::Stiffness(part), Constant::Damping(part)];
    let constants = [part(Part::Stretch), part(Part::Shear)].concat();
    let settings = Settings { newton: Newton::Converged { tolerance: 1e-9, limit: 100 }, ..Settings::converged() };
    let goal = Goal { keyframes, effort: 1e-3 };
    (cloth, Task { start, drives: vec![], dt: DT, steps: STEPS, settings, goal, forces, constants, keep_every })
}
