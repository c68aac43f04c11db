//! The random sheets of the thesis, each preconditioner on a trajectory of its own.

use kit::prelude::*;

use super::charts;
use super::method::{A_BLOCK, CP, Method, NONE};
use super::scenes::{PINNED, Reading, SLIDING, STEP, Scene, kappa, run};

ranges!(SystemRanges {
    //! Lists that sets are drawn from, and how long they are run.
    sets: Count,
    /// Simulated time \[s\].
    duration: Positive,
    /// What they are drawn from.
    lists: LengthLists,
});

/// The scenes of the main group.
pub const SCENES: [Scene; 2] = [PINNED, SLIDING];

/// A sheet by one preconditioner from its start to its end.
struct Trajectory {
    course: RunWatch,
    reason: Option<String>,
    steps: u64,
    iterations: u64,
    late: u64,
    sliding: f64,
    sticking: f64,
    kinetic: Option<f64>,
    height: Option<f64>,
}

/// Runs a sheet by a method.
fn trajectory(sheet: &Sheet, scene: &Scene, reading: &Reading, duration: f64, method: &Method) -> Result<Trajectory, String> {
    let mut run = run(sheet, scene, method, reading).map_err(|invalid| invalid.to_string())?;
    let mut course = RunWatch::of(&run, sheet.step, duration);
    let [mut late, mut sliding, mut sticking] = [0_u64; 3];
    while course.goes_on() {
        let before = run.work().iterations;
        run.step(sheet.step);
        course.watch(&run.cloth, &run.state);
        late += if course.is_late() { run.work().iterations - before } else { 0 };
        if let Some(solved) = run.scheme.last_system() {
            for (constraint, pinned) in solved.system.constraints().iter().zip(run.cloth.pinned()) {
                sliding += u64::from(constraint.ndof() == 2);
                sticking += u64::from(constraint.ndof() == 0 && !pinned);
            }
        }
    }
    let reasons: Vec<String> = course.reason().into_iter().chain(run.trouble()).collect();
    let steps = run.steps.max(1) as f64;
    Ok(Trajectory {
        course,
        reason: (!reasons.is_empty()).then(|| format!("{}: {}", method.name, reasons.join(", "))),
        steps: run.steps,
        iterations: run.work().iterations,
        late,
        sliding: sliding as f64 / steps,
        sticking: sticking as f64 / steps,
        kinetic: finite(run.cloth.energies(&run.state).kinetic / fall_of(&run.cloth)),
        height: finite(mean_height(&run.state) / sheet.length()),
    })
}

/// Energy of a fall by the length of the sheet \[J\].
pub fn fall_of(cloth: &Cloth) -> f64 {
    let length = (cloth.grid().nx() - 1) as f64 * cloth.grid().spacing();
    cloth.masses().iter().sum::<f64>() * cloth.material().gravity.norm() * length
}

/// Mean height of the particles \[m\], all of which have the same mass.
pub fn mean_height(state: &State) -> f64 {
    state.x.iter().map(|x| x.z).sum::<f64>() / state.x.len() as f64
}

row! {
    /// A set in a scene under a reading, and the iterations of the thesis' preconditioners.
    pub struct SystemRow {
        /// pinned (two corners), or on a sphere: sliding (Coulomb friction), frictionless or sticking
        pub scene: String,
        /// when conjugate gradients end: tol = c dt, tol = sqrt(c dt), converged, or tol = c dt of the first residual
        pub reading: String,
        /// particles a side
        pub side: usize,
        /// what it is made of
        pub makeup: Makeup,
        /// dt, time step \[s\]
        pub step: f64,
        /// dt/m (ks dt + 2 kd), the larger of stretch and shear
        pub kappa: f64,
        /// finished by all preconditioners, or the worst: gains energy, not finite, refused
        pub status: Status,
        /// what went wrong by which preconditioner, in the linear systems too
        pub reason: Option<String>,
        /// linear systems of a run that comes to its end, one a step
        pub solves: u64,
        /// iterations of conjugate gradients of a run without preconditioner
        pub none: u64,
        /// of a run with A-Block, the diagonal blocks; that with CP where no row is constrained in part
        pub a_block: u64,
        /// of a run with CP, the constrained diagonal blocks
        pub cp: u64,
        /// iterations in the second half of the run, without preconditioner
        pub none_late: u64,
        /// the same with A-Block
        pub a_block_late: u64,
        /// the same with CP
        pub cp_late: u64,
        /// particles that slide on the sphere, mean over the steps of the run with CP
        pub sliding: f64,
        /// particles that stick to it, mean over the steps of the run with CP
        pub sticking: f64,
        /// largest energy gain of a run in its last tenth, or when given up, over a fall by the sheet's length
        pub energy_gain: f64,
        /// kinetic energy at the end of the run with CP over a fall by the sheet's length
        pub kinetic: Option<f64>,
        /// height of the centre of mass at that end over the sheet's length, from 0 at the start
        pub height: Option<f64>,
    }
}

impl SystemRow {
    /// Whether every run came to its end without gaining energy.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }
}

/// A set in a scene under a reading.
pub fn row(sheet: &Sheet, scene: &Scene, reading: &Reading, duration: f64) -> SystemRow {
    let drawn = SystemRow {
        scene: scene.name.into(),
        reading: reading.name.into(),
        side: sheet.side,
        makeup: sheet.makeup(),
        step: sheet.step,
        kappa: kappa(sheet),
        status: Status::Refused,
        ..SystemRow::default()
    };
    let by = |method: &Method| trajectory(sheet, scene, reading, duration, method);
    // where no row is constrained in part A-Block is CP, and is not run again
    let (none, blocks, cp) = match (by(&NONE), scene.slides().then(|| by(&A_BLOCK)).transpose(), by(&CP)) {
        (Ok(none), Ok(blocks), Ok(cp)) => (none, blocks, cp),
        (Err(reason), ..) | (_, Err(reason), _) | (.., Err(reason)) => return SystemRow { reason: Some(reason), ..drawn },
    };
    let all = [Some(&none), blocks.as_ref(), Some(&cp)];
    let runs = || all.iter().flatten();
    let worst = runs().map(|run| run.course.status()).max().unwrap_or(Status::Finished);
    let reasons: Vec<&str> = runs().filter_map(|run| run.reason.as_deref()).collect();
    let a_block = blocks.as_ref().unwrap_or(&cp);
    SystemRow {
        status: worst,
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
        solves: cp.steps,
        none: none.iterations,
        a_block: a_block.iterations,
        cp: cp.iterations,
        none_late: none.late,
        a_block_late: a_block.late,
        cp_late: cp.late,
        sliding: cp.sliding,
        sticking: cp.sticking,
        energy_gain: runs().map(|run| run.course.gain()).fold(0.0, f64::max),
        kinetic: cp.kinetic,
        height: cp.height,
        ..drawn
    }
}

/// The main group: every set in every scene, solved to tol = c dt.
pub struct Systems(pub SystemRanges);

impl Group for Systems {
    const NAME: &'static str = "systems";
    const ABOUT: &'static str = "random sheets, run by each preconditioner of the thesis, solved to tol = c dt";
    type Case = Sheet;
    type Row = SystemRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Sheet {
        Sheet::of_length(&self.0.lists, Configuration::Corners, stream)
    }

    fn kin(&self, case: &Sheet) -> u64 {
        case.weight()
    }

    fn parts(&self, _sheet: &Sheet) -> usize {
        SCENES.len()
    }

    fn measure_part(&self, sheet: &Sheet, part: usize) -> Vec<SystemRow> {
        vec![row(sheet, &SCENES[part], &STEP, self.0.duration.get())]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Systems(ranges.systems.clone()))
        .plot("pinned-size", charts::pinned_size)
        .plot("pinned-stiffness", charts::pinned_stiffness)
        .plot("sphere-size", charts::sphere_size)
        .plot("sphere-stiffness", charts::sphere_stiffness)
        .plot("exponents", charts::exponents)
        .checked(check_list("systems.duration", ranges.systems.duration, &ranges.systems.lists.step))
}

#[cfg(test)]
mod tests {
    use super::super::scenes::{FRICTIONLESS, STICKING};
    use super::*;

    fn sheet() -> Sheet {
        let elastic = Elastic { stiffness: 1000.0, damping: 0.01 };
        Sheet {
            configuration: Configuration::Corners,
            side: 12,
            spacing: 1.0 / 12.0,
            density: 0.2,
            stretch: elastic,
            shear: elastic,
            bend: 0.01,
            air: 0.0,
            step: 0.01,
        }
    }

    #[test]
    fn a_block_is_cp_where_no_row_is_constrained_in_part() {
        for scene in [PINNED, STICKING, SLIDING, FRICTIONLESS] {
            let [blocks, cp] = [A_BLOCK, CP].map(|method| trajectory(&sheet(), &scene, &STEP, 0.4, &method).unwrap());
            assert_eq!(blocks.iterations != cp.iterations, scene.slides(), "{}", scene.name);
            assert_eq!((cp.sliding > 0.0, cp.course.status()), (scene.slides(), Status::Finished), "{}", scene.name);
            assert!(cp.late > 0 && cp.late < cp.iterations);
        }
    }

    #[test]
    fn a_row_tells_of_the_worst_of_its_runs() {
        // a step that no contact survives: the sheet passes its sphere, and nothing holds it
        let row = row(&sheet(), &SLIDING, &STEP, 0.4);
        assert_eq!((row.status, row.solves), (Status::Finished, 40));
        assert!(row.is_finished() && row.none > row.cp && row.energy_gain < 0.01, "{row:?}");
        let loose = Reading { tolerance: Tolerance::Fixed(0.9), ..STEP };
        let stiff = Sheet { side: 30, spacing: 1.0 / 30.0, step: 0.02, ..sheet() };
        let lost = super::row(&stiff, &PINNED, &loose, 1.0);
        assert!(!lost.is_finished() && lost.reason.is_some(), "{lost:?}");
    }
}
