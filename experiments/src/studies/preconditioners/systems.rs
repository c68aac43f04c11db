//! The random sheets of the thesis, with every preconditioner on the systems of one trajectory.

use cloth::contact::{Coulomb, Friction};
use cloth::implicit::{self, Splitting};
use cloth::integrators::Integrator;
use cloth::quantity::Positive;
use cloth::{Cloth, State, System};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group, finite};
use linsolve::grid::GridShape;
use serde::{Deserialize, Serialize};

use super::method::{A_BLOCK, CP, Contestants, ITERATION_LIMIT, Method, NONE, Tally};
use crate::ranges::{Count, Side};
use crate::sheets::{Configuration, EnergyGain, LengthLists, Run, Sheet, UNSTABLE};

/// Lists that sets are drawn from, and how long they are run.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SystemRanges {
    /// Number of sets.
    pub sets: Count,
    /// Simulated time \[s\].
    pub duration: Positive,
    /// What they are drawn from.
    pub lists: LengthLists,
}

/// Sheets of one size from the same lists.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StiffnessRanges {
    /// Number of sets.
    pub sets: Count,
    /// n, particles a side, of all of them.
    pub side: Side,
}

/// c of tol² = c dt in the thesis \[1/s\].
pub const THESIS: f64 = 0.01;

/// What holds a sheet, and how it touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// Its name in the tables.
    pub name: &'static str,
    configuration: Configuration,
    friction: Friction,
}

/// Two adjacent corners are pinned: every particle is free or fixed.
pub const PINNED: Scene = Scene { name: "pinned", configuration: Configuration::Corners, friction: Friction::Sticking };
/// The sheet falls onto a sphere, with Coulomb friction.
pub const SLIDING: Scene = Scene {
    name: "sliding",
    configuration: Configuration::Sphere,
    friction: Friction::Coulomb(Coulomb { still: 0.5, sliding: 0.3, threshold: 0.02 }),
};
/// It falls onto a sphere and sticks wherever it touches.
pub const STICKING: Scene = Scene { name: "sticking", configuration: Configuration::Sphere, friction: Friction::Sticking };
/// It falls onto a sphere without friction.
pub const FRICTIONLESS: Scene = Scene {
    name: "frictionless",
    configuration: Configuration::Sphere,
    friction: Friction::Coulomb(Coulomb { still: 0.0, sliding: 0.0, threshold: 0.02 }),
};

/// The scenes of the main group.
pub const SCENES: [Scene; 3] = [PINNED, SLIDING, STICKING];

/// Status of a run that came to its end without gaining energy.
pub const FINISHED: &str = "finished";
/// Status of a run that came to its end with more energy than it can have.
pub const GAINS: &str = "gains energy";

/// A trajectory by CP, and what other methods did on its systems.
pub struct Contest {
    /// finished, gains energy, not finite or refused.
    pub status: String,
    /// What went wrong, in words.
    pub reason: Option<String>,
    /// Steps taken, which is the number of systems.
    pub solves: u64,
    /// Of CP, then of each of the others.
    pub tallies: Vec<Tally>,
    /// Mean numbers of particles that slide and that stick in a step.
    pub sliding: f64,
    /// As above.
    pub sticking: f64,
    /// Largest energy gain in the last tenth of the run over a fall by the sheet's length \[-\].
    pub gain: f64,
    /// Kinetic energy at the end over a fall by the sheet's length \[-\], if it is finite.
    pub kinetic: Option<f64>,
    /// Height of the centre of mass at the end over the sheet's length \[-\], if it is finite.
    pub height: Option<f64>,
}

impl Contest {
    fn refused(others: usize, reason: String) -> Contest {
        Contest {
            status: "refused".into(),
            reason: Some(reason),
            solves: 0,
            tallies: vec![Tally::default(); others + 1],
            sliding: 0.0,
            sticking: 0.0,
            gain: 0.0,
            kinetic: None,
            height: None,
        }
    }
}

/// How a run to tol² = `tolerance` dt is made: by a method alone.
pub fn settings(method: &Method, tolerance: f64) -> implicit::Settings {
    let solver = implicit::Solver::ConjugateGradients {
        tolerance,
        preconditioner: method.preconditioner,
        start: method.start,
        iteration_limit: ITERATION_LIMIT,
        decompose: None,
    };
    implicit::Settings { solver, ..implicit::Settings::default() }
}

/// A sheet in a scene by one method.
///
/// # Errors
/// A quantity outside its range.
pub fn run(sheet: &Sheet, scene: &Scene, method: &Method, tolerance: f64) -> Result<Run, cloth::Invalid> {
    let sheet = Sheet { configuration: scene.configuration, ..*sheet };
    Run::new(&sheet, settings(method, tolerance), Splitting::Implicit, scene.friction)
}

/// Runs a sheet by CP for a time, and lets others solve the same systems.
pub fn contest(sheet: &Sheet, scene: &Scene, tolerance: f64, duration: f64, others: &[Method]) -> Contest {
    let mut run = match run(sheet, scene, &CP, tolerance) {
        Ok(run) => run,
        Err(invalid) => return Contest::refused(others.len(), invalid.to_string()),
    };
    let grid = run.cloth.grid();
    let mut contestants = Contestants::new(others, GridShape::new(grid.nx(), grid.ny()));
    let mut own = Tally::default();
    let steps = (duration / sheet.step).round() as u64;
    let mut gain = EnergyGain::new(&run.cloth, &run.state);
    let [mut sliding, mut sticking] = [0_u64; 2];
    let mut is_finite = true;
    while is_finite && run.steps < steps {
        let before = run.work().iterations;
        is_finite = run.step(sheet.step);
        let late = 2 * run.steps > steps;
        let iterations = run.work().iterations - before;
        own.iterations += iterations;
        own.late += if late { iterations } else { 0 };
        let Some(solved) = run.scheme.last_system() else { panic!("backward Euler solves a system a step") };
        let system = &solved.system;
        for (constraint, pinned) in system.constraints().iter().zip(run.cloth.pinned()) {
            sliding += u64::from(constraint.ndof() == 2);
            sticking += u64::from(constraint.ndof() == 0 && !pinned);
        }
        contestants.solve(&solved, tolerance * sheet.step, late);
        if is_finite && 10 * run.steps >= 9 * steps {
            gain.watch(&run.cloth, &run.state);
        }
    }
    let gained = gain.most();
    let status = match (is_finite, gained <= UNSTABLE) {
        (false, _) => "not finite",
        (true, false) => GAINS,
        (true, true) => FINISHED,
    };
    let fate = match status {
        "not finite" => Some(format!("a number is not finite after {} of {steps} steps", run.steps)),
        GAINS => Some(format!("ends with the energy of {gained:.3e} falls by its length")),
        _ => None,
    };
    let solvers = contestants.solvers();
    let failed = solvers.iter().filter(|solver| solver.tally.failures > 0);
    let failed = failed.map(|solver| format!("{}: {} systems not solved", solver.method.name, solver.tally.failures));
    let own_trouble = run.trouble().map(|trouble| format!("{}: {trouble}", CP.name));
    let reasons: Vec<String> = fate.into_iter().chain(own_trouble).chain(failed).collect();
    let (fall, length) = (fall_of(&run.cloth), sheet.length());
    Contest {
        status: status.into(),
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
        solves: run.steps,
        tallies: std::iter::once(own).chain(solvers.iter().map(|solver| solver.tally)).collect(),
        sliding: sliding as f64 / run.steps.max(1) as f64,
        sticking: sticking as f64 / run.steps.max(1) as f64,
        gain: gained,
        kinetic: finite(run.cloth.energies(&run.state).kinetic / fall),
        height: finite(mean_height(&run.state) / length),
    }
}

/// Energy of a fall by the length of the sheet \[J\].
fn fall_of(cloth: &Cloth) -> f64 {
    let length = (cloth.grid().nx() - 1) as f64 * cloth.grid().spacing();
    cloth.masses().iter().sum::<f64>() * cloth.material().gravity.norm() * length
}

/// Mean height of the particles \[m\], all of which have the same mass.
fn mean_height(state: &State) -> f64 {
    state.x.iter().map(|x| x.z).sum::<f64>() / state.x.len() as f64
}

/// kappa of a sheet, the larger of stretch and shear.
pub fn kappa(sheet: &Sheet) -> f64 {
    let [stretch, shear] = sheet.kappas(sheet.step);
    stretch.max(shear)
}

/// A set in a scene, and the iterations of the thesis' preconditioners.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct SystemRow {
    pub scene: String,
    pub side: usize,
    pub density: f64,
    pub stretch_stiffness: f64,
    pub shear_stiffness: f64,
    pub bend: f64,
    pub stretch_damping: f64,
    pub shear_damping: f64,
    pub air: f64,
    pub step: f64,
    pub kappa: f64,
    pub status: String,
    pub reason: Option<String>,
    pub solves: u64,
    pub none: u64,
    pub a_block: u64,
    pub cp: u64,
    pub none_late: u64,
    pub a_block_late: u64,
    pub cp_late: u64,
    pub sliding: f64,
    pub sticking: f64,
    pub energy_gain: f64,
    pub kinetic: Option<f64>,
    pub height: Option<f64>,
}

const COLUMNS: &[Column] = &[
    Column::text(
        "scene",
        "pinned (two corners), sliding (sphere, Coulomb friction) or sticking (sphere, whatever touches sticks)",
    ),
    Column::integer("side", "particles a side"),
    Column::number("density", "kg/m²", "rho, areal density"),
    Column::number("stretch_stiffness", "N/m", "ks1, of the springs to the nearest neighbours"),
    Column::number("shear_stiffness", "N/m", "ks2, of the springs to the diagonal neighbours"),
    Column::number("bend", "N/m", "ks3, of the springs to the second neighbours"),
    Column::number("stretch_damping", "N s/m", "kd1, of the springs to the nearest neighbours"),
    Column::number("shear_damping", "N s/m", "kd2, of the springs to the diagonal neighbours"),
    Column::number("air", "N s/m", "kd, air resistance of a particle"),
    Column::number("step", "s", "dt, time step"),
    Column::number("kappa", "-", "dt/m (ks dt + 2 kd), the larger of stretch and shear"),
    Column::text("status", "finished, gains energy (more than a fall by its length), not finite, or refused"),
    Column::text("reason", "what went wrong, in the linear systems too"),
    Column::integer("solves", "linear systems, one a step"),
    Column::integer("none", "iterations of conjugate gradients on all systems, without preconditioner"),
    Column::integer("a_block", "the same with A-Block, the diagonal blocks"),
    Column::integer("cp", "the same with CP, the constrained diagonal blocks, whose trajectory it is"),
    Column::integer("none_late", "iterations in the second half of the run, without preconditioner"),
    Column::integer("a_block_late", "the same with A-Block"),
    Column::integer("cp_late", "the same with CP"),
    Column::number("sliding", "-", "particles that slide on the sphere, mean over the steps"),
    Column::number("sticking", "-", "particles that stick to it, mean over the steps"),
    Column::number("energy_gain", "-", "largest energy gain in the last tenth of the run over a fall by the sheet's length"),
    Column::number("kinetic", "-", "kinetic energy at the end over a fall by the sheet's length"),
    Column::number("height", "-", "height of the centre of mass at the end over the sheet's length, from 0 at the start"),
];

impl SystemRow {
    /// Whether its counts are those of a whole run.
    pub fn is_counted(&self) -> bool {
        self.status == FINISHED || self.status == GAINS
    }
}

/// A set in every scene.
fn rows(sheet: &Sheet, duration: f64) -> Vec<SystemRow> {
    let row = |scene: &Scene| {
        let Contest { status, reason, solves, tallies, sliding, sticking, gain, kinetic, height } =
            contest(sheet, scene, THESIS, duration, &[NONE, A_BLOCK]);
        SystemRow {
            scene: scene.name.into(),
            side: sheet.side,
            density: sheet.density,
            stretch_stiffness: sheet.stretch.stiffness,
            shear_stiffness: sheet.shear.stiffness,
            bend: sheet.bend,
            stretch_damping: sheet.stretch.damping,
            shear_damping: sheet.shear.damping,
            air: sheet.air,
            step: sheet.step,
            kappa: kappa(sheet),
            status,
            reason,
            solves,
            none: tallies[1].iterations,
            a_block: tallies[2].iterations,
            cp: tallies[0].iterations,
            none_late: tallies[1].late,
            a_block_late: tallies[2].late,
            cp_late: tallies[0].late,
            sliding,
            sticking,
            energy_gain: gain,
            kinetic,
            height,
        }
    };
    SCENES.iter().map(row).collect()
}

/// Particle steps a second, so that long runs come first.
pub fn weight(sheet: &Sheet) -> u64 {
    ((sheet.side * sheet.side) as u64).saturating_mul((1.0 / sheet.step) as u64)
}

/// The main group: every set in every scene.
#[derive(Clone)]
pub struct Systems(pub SystemRanges);

impl Group for Systems {
    const NAME: &'static str = "systems";
    const ABOUT: &'static str = "random sheets, whose every system is solved with each preconditioner of the thesis";
    const COLUMNS: &'static [Column] = COLUMNS;
    type Case = Sheet;
    type Row = SystemRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet::of_length(&self.0.lists, Configuration::Corners, stream)
    }

    fn kin(&self, case: &Sheet) -> u64 {
        weight(case)
    }

    fn measure_block(&self, cases: &[Sheet], done: &mut dyn FnMut(usize, Vec<SystemRow>)) {
        for (k, sheet) in cases.iter().enumerate() {
            done(k, rows(sheet, self.0.duration.get()));
        }
    }
}

/// Sheets of one size.
#[derive(Clone)]
pub struct Stiffness(pub SystemRanges, pub StiffnessRanges);

impl Group for Stiffness {
    const NAME: &'static str = "stiffness";
    const ABOUT: &'static str = "random sheets of one size, otherwise as in the main group";
    const COLUMNS: &'static [Column] = COLUMNS;
    type Case = Sheet;
    type Row = SystemRow;

    fn sets(&self) -> u64 {
        self.1.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        let lists = &self.0.lists;
        let side = self.1.side.get() as usize;
        let spacing = lists.length.get() / side as f64;
        Sheet { side, spacing, ..Sheet::of_length(lists, Configuration::Corners, stream) }
    }

    fn kin(&self, case: &Sheet) -> u64 {
        weight(case)
    }

    fn measure_block(&self, cases: &[Sheet], done: &mut dyn FnMut(usize, Vec<SystemRow>)) {
        for (k, sheet) in cases.iter().enumerate() {
            done(k, rows(sheet, self.0.duration.get()));
        }
    }
}

#[cfg(test)]
mod tests {
    use cloth::Elastic;

    use super::*;

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
        for scene in SCENES {
            let Contest { status, tallies, sliding, sticking, .. } = contest(&sheet, &scene, THESIS, 0.4, &[A_BLOCK, by_itself]);
            assert_eq!((status.as_str(), tallies[1]), (FINISHED, tallies[2]), "{}", scene.name);
            assert!(tallies[1].iterations > 100 && tallies[1].late > 0, "{tallies:?}");
            // where rows are constrained in part it is another method than CP
            assert_eq!((sliding > 0.0, tallies[1].iterations != tallies[0].iterations), (scene == SLIDING, scene == SLIDING));
            assert_eq!(sliding + sticking > 0.0, scene != PINNED);
        }
    }
}
