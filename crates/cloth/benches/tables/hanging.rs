//! What aggregation takes of a sheet that hangs in its plane from two corners, system by system: the three steps of the table of the
//! cost of a step, of which the later two have slack regions.

use cloth::implicit::{LinearSystem, MatrixForm, PreconditionerKind, Settings};
use cloth::integrators::{BackwardEuler, Integrator};
use linsolve::{Aggregation, BlockRows, ConstrainedSystem, Constraint, ProjectedCg, Start, Vec3};

use crate::clock::{median, processor_time};
use crate::sheets::{DT, to_tolerance};
use crate::step_cost::{STEPS, TOLERANCE, hanging};

const SIDES: [usize; 5] = [40, 80, 160, 320, 640];

/// Most times that a system is solved, and the processor time after which it is not solved again \[s\].
const ROUNDS: usize = 9;
const ENOUGH: f64 = 3.0;

/// A system of its own.
struct Owned {
    matrix: BlockRows,
    b: Vec<Vec3>,
    constraints: Vec<Constraint>,
    z: Vec<Vec3>,
}

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
    let particles = (side * side) as f64;
    let (systems, whole) = systems(side);
    let mut aggregation = Aggregation::new();
    let mut cg = ProjectedCg::new(side * side);
    let settings = linsolve::Settings {
        start: Start::Corrected,
        tolerance_squared: TOLERANCE * TOLERANCE,
        error: None,
        iteration_limit: 1000,
    };
    let (mut levels, mut iterations, mut factor, mut solve) = (vec![], vec![], vec![], vec![]);
    for system in &systems {
        let (mut factors, mut solves, begun) = (vec![], vec![], processor_time());
        while factors.len() < ROUNDS && (factors.len() < 2 || processor_time() - begun < ENOUGH) {
            let repeats = (60_000.0 / particles).ceil() as usize;
            let before = processor_time();
            for _ in 0..repeats {
                aggregation.factor(&system.matrix, &system.constraints).expect("a positive definite matrix");
            }
            let between = processor_time();
            let constrained =
                ConstrainedSystem { operator: &system.matrix, b: &system.b, constraints: &system.constraints, z: &system.z };
            let mut count = 0;
            for _ in 0..repeats {
                let mut x = system.z.clone();
                let report = cg.solve(&constrained, &mut x, &aggregation, &settings);
                assert!(report.stop.is_solved(), "{report:?}");
                count = report.iterations;
            }
            let per_particle = 1e6 / particles / repeats as f64;
            factors.push((between - before) * per_particle);
            solves.push((processor_time() - between) * per_particle);
            if factors.len() == 1 {
                iterations.push(count.to_string());
                levels.push(aggregation.unknowns().map(|count| format!("{count}")).collect::<Vec<_>>().join("+"));
            }
        }
        factor.push(median(&factors));
        solve.push(median(&solves));
    }
    let mean = (factor.iter().sum::<f64>() + solve.iter().sum::<f64>()) / systems.len() as f64;
    let listed = |times: &[f64]| times.iter().map(|time| format!("{time:.2}")).collect::<Vec<_>>().join(", ");
    format!(
        "| {side}² | {} | {} | {} | {} | {mean:.2} | {whole:.2} |",
        levels.join(", "),
        iterations.join(", "),
        listed(&factor),
        listed(&solve),
    )
}

/// The systems of the steps, and what the steps took \[us/particle\].
fn systems(side: usize) -> (Vec<Owned>, f64) {
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
                let solved = scheme.last_system().expect("a step was made");
                let LinearSystem::Blocks(system) = solved.system else { panic!("block rows were asked for") };
                let own = Owned {
                    matrix: system.operator.clone(),
                    b: system.b.to_vec(),
                    constraints: system.constraints.to_vec(),
                    z: system.z.to_vec(),
                };
                systems.push(own);
            }
        }
        times.push(1e6 * time / STEPS as f64 / (side * side) as f64);
    }
    (systems, times.iter().sum::<f64>() / repeats as f64)
}
