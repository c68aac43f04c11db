//! What a step costs against the number of particles: the canonical sheet hangs in its plane and is let go.
//!
//! Steps are solved with the blocks of the diagonal. The system of the last one is solved once more, with its factorisation, both so
//! and by multigrid.

use std::time::Instant;

use cloth::implicit::{DiagonalKind, LinearSystem, SolvedSystem};
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::{State, Vec3};
use linsolve::grid::{GridBlockDiagonal, GridCg, GridMultigrid, GridOperator};
use linsolve::{ConstrainedSystem, Settings, Start};

use crate::clock::median;
use crate::sheets::{CONSTRAINED, DT, canonical_sheet, to_tolerance};

const SIDES: [usize; 4] = [40, 80, 160, 320];

/// Of the residual over the right side.
const TOLERANCE: f64 = 1e-8;

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
    println!(
        "| n | step, CP [ms] | iterations | last system, CP [ms] | iterations | multigrid [ms] | iterations | CP [us/particle] | \
         multigrid [us/particle] |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for side in SIDES {
        println!("{}", line(side));
    }
}

/// A line of the table.
fn line(side: usize) -> String {
    let cloth = canonical_sheet(side);
    let begin = State::at_rest(cloth.at_rest().x.iter().map(|x| Vec3::new(x.x, 0.0, -x.y)).collect());
    let run = || {
        let (mut scheme, mut state) = (BackwardEuler::new(&cloth, to_tolerance(TOLERANCE, CONSTRAINED)), begin.clone());
        (0..STEPS).for_each(|_| scheme.step(&cloth, DT, &mut state));
        scheme
    };
    let (time, scheme) = timed(run);
    let Some(SolvedSystem { system: LinearSystem::Grid(system), .. }) = scheme.last_system() else {
        unreachable!("a sheet whose systems are on its grid")
    };
    let (blocks_time, blocks_iterations) = by_blocks(&system);
    let (multigrid_time, multigrid_iterations) = by_multigrid(&system);
    let [blocks_share, multigrid_share] = [blocks_time, multigrid_time].map(|time| 1e6 * time / (side * side) as f64);
    format!(
        "| {side}² | {:.2} | {:.0} | {:.2} | {blocks_iterations} | {:.2} | {multigrid_iterations} | {blocks_share:.2} | \
         {multigrid_share:.2} |",
        1e3 * time / STEPS as f64,
        scheme.work().iterations as f64 / STEPS as f64,
        1e3 * blocks_time,
        1e3 * multigrid_time
    )
}

/// Factorisation and solve \[s\], and iterations.
fn by_blocks(system: &ConstrainedSystem<'_, GridOperator>) -> (f64, usize) {
    let shape = system.operator.shape();
    let mut preconditioner = GridBlockDiagonal::new(Some(DiagonalKind::Constrained), shape);
    let (mut solver, mut x) = (GridCg::new(shape), system.z.to_vec());
    timed(|| {
        x.fill(Vec3::zeros());
        preconditioner.factor(system.operator, system.constraints).expect("a positive definite matrix");
        solver.solve(system, &mut x, &preconditioner, &settings()).iterations
    })
}

/// The same by V-cycles.
fn by_multigrid(system: &ConstrainedSystem<'_, GridOperator>) -> (f64, String) {
    let shape = system.operator.shape();
    let mut multigrid = GridMultigrid::new(shape);
    let (mut solver, mut x) = (GridCg::new(shape), system.z.to_vec());
    let (time, report) = timed(|| {
        x.fill(Vec3::zeros());
        multigrid.factor(system.operator, system.constraints).expect("a positive definite matrix");
        solver.solve_by_multigrid(system, &mut x, &mut multigrid, &settings())
    });
    let stalled = report.stalled_after.map(|iterations| format!(" (stalled after {iterations})")).unwrap_or_default();
    (time, format!("{}{stalled}", report.total.iterations))
}

fn settings() -> Settings {
    Settings { start: Start::Corrected, tolerance_squared: TOLERANCE * TOLERANCE, iteration_limit: 100_000 }
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
