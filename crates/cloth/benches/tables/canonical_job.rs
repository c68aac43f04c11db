//! The canonical job: 100 steps of backward Euler with one Newton step, from a flat sheet at rest that swings down from two
//! corners.

use std::time::Instant;

use cloth::implicit::{LinearSystem, MatrixForm, Precision, PreconditionerKind, Settings, Solver};
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::{Cloth, Family, State};

use crate::clock::median;
use crate::sheets::{CONSTRAINED, DT, canonical_pins, canonical_sheet, to_tolerance};

const SIDES: [usize; 3] = [32, 64, 128];
const STEPS: usize = 100;

/// Of the residual over the right side in the norm of P⁻¹: sqrt(c dt) with c = 0.01, as the thesis prints it; c dt, as it is read
/// here and by default; and a tight one; each with the largest N whose job is done in block rows too, the next one of the tight
/// tolerance taking a minute.
const TOLERANCES: [(f64, usize); 3] = [(1e-2, 128), (1e-4, 128), (1e-8, 64)];

/// Prints the table.
pub fn print() {
    println!("## Canonical job");
    println!();
    println!(
        "| N | tolerance | form | iterations/step | median [ms/step] | mean [ms/step] | steps/s | largest strain | mean | peak | \
         lowest [m] |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for side in SIDES {
        let cloth = canonical_sheet(side, &canonical_pins(side));
        println!("{}", line(&cloth, Settings { solver: Solver::automatic(), ..Settings::default() }, "default"));
        for (tolerance, largest_in_block_rows) in TOLERANCES {
            let (named, precision) = (format!("{tolerance:.0e}"), Precision::Single);
            for settings in [CONSTRAINED, PreconditionerKind::Multigrid].map(|kind| to_tolerance(tolerance, kind)) {
                println!("{}", line(&cloth, settings, &named));
                println!("{}", line(&cloth, Settings { precision, ..settings }, &named));
            }
            if side <= largest_in_block_rows {
                let blocks = to_tolerance(tolerance, CONSTRAINED);
                println!("{}", line(&cloth, Settings { form: MatrixForm::BlockRows, ..blocks }, &named));
            }
        }
    }
}

/// A line of the table: a whole job.
fn line(cloth: &Cloth, settings: Settings, tolerance: &str) -> String {
    let (mut scheme, mut state) = (BackwardEuler::new(cloth, settings), cloth.at_rest());
    let mut times = Vec::with_capacity(STEPS);
    let mut peak: f64 = 0.0;
    for _ in 0..STEPS {
        let start = Instant::now();
        scheme.step(cloth, DT, &mut state);
        times.push(1e3 * start.elapsed().as_secs_f64());
        peak = peak.max(strains(cloth, &state)[0]);
    }
    let work = scheme.work();
    let form = match scheme.last_system().map(|solved| solved.system) {
        Some(LinearSystem::Grid(_)) if work.corrections > 0 => "grid, single",
        Some(LinearSystem::Grid(_)) if work.cycles > 0 && settings.precision == Precision::Single => "grid, multigrid in single",
        Some(LinearSystem::Grid(_)) if work.cycles > 0 => "grid, multigrid",
        Some(LinearSystem::Grid(_)) => "grid",
        Some(LinearSystem::Blocks(_)) => "block rows",
        None => "none",
    };
    let failed = if work.limited + work.indefinite + work.not_finite > 0 { " (failed)" } else { "" };
    let (median, mean) = (median(&times), times.iter().sum::<f64>() / STEPS as f64);
    let [largest, average] = strains(cloth, &state);
    let lowest = state.x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    format!(
        "| {} | {tolerance} | {form} | {:.1}{failed} | {median:.2} | {mean:.2} | {:.0} | {largest:.4} | {average:.5} | {peak:.4} | {lowest:.4} |",
        cloth.grid().nx(),
        work.iterations as f64 / STEPS as f64,
        1e3 / mean
    )
}

/// |x| / L - 1 over the stretch springs: the largest, and the mean.
pub fn strains(cloth: &Cloth, state: &State) -> [f64; 2] {
    let mut count = 0;
    let [mut largest, mut sum] = [f64::NEG_INFINITY, 0.0];
    for spring in cloth.springs().iter().filter(|spring| spring.family == Family::Stretch) {
        let strain = (state.x[spring.j] - state.x[spring.i]).norm() / spring.rest - 1.0;
        (largest, sum, count) = (largest.max(strain), sum + strain, count + 1);
    }
    [largest, sum / f64::from(count)]
}
