//! A trajectory by CP, on whose systems other methods are tried: counts stand in pairs, and no run but that of CP matters.

use cloth::System;
use cloth::integrators::Integrator;
use kit::prelude::{RunWatch, Status, finite};
use kit::sheets::Sheet;
use linsolve::grid::GridShape;

use super::drift::Drift;
use super::method::{CP, Contestants, Method, Tally};
use super::scenes::{Reading, Scene, run};

/// A trajectory by CP, and what other methods did on its systems.
pub struct Contest {
    /// finished, gains energy, not finite or refused.
    pub status: Status,
    /// What went wrong, in words.
    pub reason: Option<String>,
    /// Steps taken, which is the number of systems.
    pub solves: u64,
    /// Of CP, then of each of the others.
    pub tallies: Vec<Tally>,
    /// Mean number of particles that slide in a step.
    pub sliding: f64,
    /// Largest energy gain in the last tenth of the run over a fall by the sheet's length \[-\].
    pub gain: f64,
    /// Speed that what CP leaves wrong gives the sheet as a whole \[m/s\]; none of a run that was refused.
    pub drift: Option<f64>,
}

/// Runs a sheet by CP for a time, and lets others solve the same systems.
pub fn contest(sheet: &Sheet, scene: &Scene, reading: &Reading, duration: f64, others: &[Method]) -> Contest {
    let mut run = match run(sheet, scene, &CP, reading) {
        Ok(run) => run,
        Err(invalid) => {
            let tallies = vec![Tally::default(); others.len() + 1];
            return Contest {
                status: Status::Refused,
                reason: Some(invalid.to_string()),
                solves: 0,
                tallies,
                sliding: 0.0,
                gain: 0.0,
                drift: None,
            };
        }
    };
    let grid = run.cloth.grid();
    let mut contestants = Contestants::new(others, GridShape::new(grid.nx(), grid.ny()));
    let mut course = RunWatch::of(&run, sheet.step, duration);
    let (mut own, mut sliding, mut drift) = (Tally::default(), 0_u64, Drift::default());
    while course.goes_on() {
        let before = run.work().iterations;
        run.step(sheet.step);
        course.watch(&run.cloth, &run.state);
        let iterations = run.work().iterations - before;
        own.iterations += iterations;
        own.late += if course.is_late() { iterations } else { 0 };
        let Some(solved) = run.scheme.last_system() else { panic!("backward Euler solves a system a step") };
        sliding += solved.system.constraints().iter().filter(|constraint| constraint.ndof() == 2).count() as u64;
        drift.add(&solved, run.cloth.masses());
        contestants.solve(&solved, reading.tolerance.squared(sheet.step), course.is_late());
    }
    let solvers = contestants.solvers();
    let failed = solvers.iter().filter(|solver| solver.tally.failures > 0);
    let failed = failed.map(|solver| format!("{}: {} systems not solved", solver.method.name, solver.tally.failures));
    let own_trouble = run.trouble().map(|trouble| format!("{}: {trouble}", CP.name));
    let reasons: Vec<String> = course.reason().into_iter().chain(own_trouble).chain(failed).collect();
    Contest {
        status: course.status(),
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
        solves: run.steps,
        tallies: std::iter::once(own).chain(solvers.iter().map(|solver| solver.tally)).collect(),
        sliding: sliding as f64 / run.steps.max(1) as f64,
        gain: course.gain(),
        drift: finite(drift.speed()),
    }
}

#[cfg(test)]
mod tests {
    use cloth::Elastic;

    use super::super::method::A_BLOCK;
    use super::super::scenes::{PINNED, SLIDING, STEP, STICKING};
    use super::*;
    use kit::sheets::Configuration;

    #[test]
    fn a_block_by_itself_does_what_is_taken_over_from_cp() {
        let elastic = Elastic { stiffness: 1000.0, damping: 0.01 };
        let sheet = Sheet {
            configuration: Configuration::Corners,
            side: 12,
            spacing: 1.0 / 12.0,
            density: 0.2,
            stretch: elastic,
            shear: elastic,
            bend: 0.01,
            air: 0.0,
            step: 0.01,
        };
        let by_itself = Method { name: "by itself", ..A_BLOCK };
        for scene in [PINNED, SLIDING, STICKING] {
            let Contest { status, tallies, sliding, .. } = contest(&sheet, &scene, &STEP, 0.4, &[A_BLOCK, by_itself]);
            assert_eq!((status, tallies[1]), (Status::Finished, tallies[2]), "{}", scene.name);
            assert!(tallies[1].iterations > 100 && tallies[1].late > 0, "{tallies:?}");
            // where rows are constrained in part it is another method than CP
            assert_eq!((sliding > 0.0, tallies[1].iterations != tallies[0].iterations), (scene == SLIDING, scene == SLIDING));
        }
    }
}
