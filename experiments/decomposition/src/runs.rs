//! The random sheets in four scenes, by the full and the decomposing solver side by side: rows of the matrix that each multiplies.

use cloth::contact::{ContactState, Repulsion};
use kit::prelude::*;
use kit::sheets::SheetRow;

use super::assumptions::{Assumption, Scene};
use super::charts;
use super::groups::{Readings, Runs};

ranges!(RunRanges {
    //! Lists that sets are drawn from, and how they are run.
    sets: Count,
    /// Sets that fall to the ground too: the first ones.
    falls: Count,
    /// Sets that are run under other readings of the tolerance too: the first ones.
    tolerances: Count,
    /// Sets that are run under other readings of bending and of the stopping rule: the first ones.
    laws: Count,
    /// Sets that are run under other assumptions about the scenes: the first ones.
    others: Count,
    /// Sets from another base seed, on the sphere and to the ground.
    seeds: Count,
    /// What they are drawn from.
    lists: LengthLists,
    /// Simulated time \[s\].
    duration: Positive,
    /// Time after which a sheet that falls to the ground is followed no more, though it does not rest \[s\].
    longest_fall: Positive,
    /// kappa up to which a spring is explicit \[-\].
    threshold: Positive,
});

row! {
    /// A set in a scene, and what came of its two runs.
    pub struct RunRow {
        /// what the runs assume
        pub reading: String,
        /// what the sheet is held by or falls onto, and its contact
        pub scene: String,
        /// the sheet at its step
        pub sheet: SheetRow,
        /// finished, full unstable, decomposed unstable, both unstable, or refused
        pub status: Status,
        /// what went wrong, in the linear systems too
        pub reason: Option<String>,
        /// steps taken by both
        pub steps: u64,
        /// when a sheet that is followed until it rests came to rest; none where it did not \[s\]
        pub rests_at: Option<f64>,
        /// RV count of the full solver: rows multiplied by a vector
        pub full_rows: u64,
        /// the same without rows of fully constrained particles
        pub full_free_rows: u64,
        /// RV count of the decomposing solver, which has no fully constrained rows
        pub decomposed_rows: u64,
        /// iterations of conjugate gradients, full solver
        pub full_iterations: u64,
        /// iterations of all components, decomposing solver
        pub decomposed_iterations: u64,
        /// components of a system, mean over the steps
        pub components: Option<f64>,
        /// most components of a system
        pub most_components: u64,
        /// share of all particles that the largest component holds, mean over the steps
        pub largest: Option<f64>,
        /// share of fully constrained particles, mean over the steps
        pub held: Option<f64>,
        /// share of particles in sliding contact, mean over the ends of the steps
        pub sliding: Option<f64>,
        /// pairs of particles that repel each other, over all particles, mean over the steps
        pub repelled: Option<f64>,
        /// least RV count of the decomposing over the full solver in a tenth of the run
        pub best_tenth: Option<f64>,
        /// largest difference of a coordinate between the two runs, over h
        pub difference: Option<f64>,
        /// particle steps of both runs in which cloth passed the solid
        pub passed: u64,
    }
}

impl RunRow {
    /// A sheet before it is run.
    pub fn new(sheet: &Sheet, threshold: f64, reading: &str, scene: &str) -> RunRow {
        RunRow {
            reading: reading.into(),
            scene: scene.into(),
            sheet: sheet.row(threshold),
            status: Status::Finished,
            ..RunRow::default()
        }
    }

    /// Whether both runs came to their end in a stable way.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }

    /// n, particles of the sheet.
    pub fn particles(&self) -> usize {
        self.sheet.side * self.sheet.side
    }

    /// RV count of the decomposing solver over that of the full one; none where that is zero.
    pub fn ratio(&self, counting: Counting) -> Option<f64> {
        let full = match counting {
            Counting::AllRows => self.full_rows,
            Counting::FreeRows => self.full_free_rows,
        };
        (full > 0).then(|| self.decomposed_rows as f64 / full as f64)
    }
}

/// Which rows of the full solver count.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Counting {
    /// All of the matrix, as the thesis counts.
    AllRows,
    /// Those of particles that are not fully constrained: what decomposing alone saves.
    FreeRows,
}

/// What the systems of a run look like, summed over its steps.
#[derive(Default)]
pub(super) struct Shapes {
    /// Particles of each group in the last system.
    sizes: Vec<usize>,
    steps: u64,
    most: u64,
    largest: usize,
    held: usize,
    sliding: usize,
    repelled: usize,
}

impl Shapes {
    /// Takes the last system of a decomposed run into account.
    fn add(&mut self, run: &Run) {
        let groups = run.scheme.groups().unwrap_or_default();
        self.sizes.clear();
        self.sizes.resize(groups.len() + 1, 0);
        groups.iter().for_each(|&group| self.sizes[group as usize] += 1);
        let components = self.sizes[1..].iter().filter(|size| **size > 0).count() as u64;
        self.steps += 1;
        self.most = self.most.max(components);
        self.largest += self.sizes[1..].iter().max().copied().unwrap_or(0);
        self.held += self.sizes[0];
        self.repelled += run.scheme.repulsion().map_or(0, Repulsion::pair_count);
        let touches = run.scheme.contacts().map_or(&[][..], Contacts::touches);
        self.sliding += touches.iter().filter(|touch| touch.state == ContactState::Sliding).count();
    }

    /// A sum over all steps as a mean share of the particles.
    fn share(&self, sum: usize, particles: usize) -> Option<f64> {
        (self.steps > 0).then(|| sum as f64 / (self.steps as usize * particles) as f64)
    }
}

/// A sheet in a scene by both solvers, step by step side by side.
pub fn side_by_side(sheet: &Sheet, scene: &Scene, ranges: &RunRanges, assumption: &Assumption) -> RunRow {
    let threshold = ranges.threshold.get();
    let sheet = &Sheet { configuration: scene.configuration, ..*sheet };
    let row = RunRow::new(sheet, threshold, assumption.name, scene.name);
    let run = |decompose| assumption.run(sheet, scene.friction, threshold, decompose);
    match (run(None), run(Some(Decompose::Serial))) {
        (Ok(full), Ok(decomposed)) => {
            let falls = scene.configuration == Configuration::Ground && assumption.until_rest;
            let duration = if falls { ranges.longest_fall } else { ranges.duration };
            compare(full, decomposed, sheet.step, duration.get(), falls, row)
        }
        (Err(invalid), _) | (_, Err(invalid)) => RunRow { status: Status::Refused, reason: Some(invalid.to_string()), ..row },
    }
}

/// Speed of a sheet that moves as a whole, below which it rests \[m/s\], and for how long it has to \[s\].
pub(super) const REST_SPEED: f64 = 0.02;

pub(super) const REST_TIME: f64 = 0.1;

/// Whether a sheet has no more kinetic energy than at [`REST_SPEED`].
pub(super) fn rests(run: &Run) -> bool {
    let masses = run.cloth.masses();
    let squares: f64 = masses.iter().zip(&run.state.v).map(|(m, v)| m * v.norm_squared()).sum();
    squares <= masses.iter().sum::<f64>() * REST_SPEED * REST_SPEED
}

/// Runs both for a duration \[s\] in steps of `dt` \[s\], or until both rest, and fills in their row.
pub fn compare(mut full: Run, mut decomposed: Run, dt: f64, duration: f64, until_rest: bool, row: RunRow) -> RunRow {
    let mut courses = [&full, &decomposed].map(|run| RunWatch::of(run, dt, duration));
    let mut shapes = Shapes::default();
    let mut difference = 0.0;
    let mut counts = vec![[0; 2]];
    let (mut resting, mut rests_at) = (0, None);
    let calm = (REST_TIME / dt).ceil() as u64;
    while courses.iter().all(RunWatch::goes_on) && rests_at.is_none() {
        full.step(dt);
        decomposed.step(dt);
        courses[0].watch(&full.cloth, &full.state);
        courses[1].watch(&decomposed.cloth, &decomposed.state);
        if courses.iter().any(|course| course.status() == Status::NotFinite) {
            break;
        }
        shapes.add(&decomposed);
        difference = f64::max(difference, largest_difference(&full.state, &decomposed.state));
        counts.push([&full, &decomposed].map(|run| run.work().rows));
        if until_rest {
            resting = if rests(&full) && rests(&decomposed) { resting + 1 } else { 0 };
            rests_at = (resting == calm).then(|| (full.steps - calm) as f64 * dt);
        }
    }
    let statuses = courses.map(|course| course.status());
    let status = match statuses.map(|status| status == Status::Finished) {
        [true, true] => Status::Finished,
        [false, true] => Status::FullUnstable,
        [true, false] => Status::DecomposedUnstable,
        [false, false] => Status::BothUnstable,
    };
    let reasons = [("full", &full), ("decomposed", &decomposed)].into_iter().zip(courses);
    let reasons = reasons
        .flat_map(|((name, run), course)| [course.reason(), run.trouble()].map(|why| why.map(|why| format!("{name}: {why}"))));
    let reasons: Vec<String> = reasons.flatten().collect();
    let taken = counts.len() - 1;
    let ends: Vec<[u64; 2]> = (0..=10).map(|tenth| counts[tenth * taken / 10]).collect();
    let in_tenths = ends.windows(2).filter(|ends| ends[1][0] > ends[0][0]);
    let in_tenths = in_tenths.map(|ends| (ends[1][1] - ends[0][1]) as f64 / (ends[1][0] - ends[0][0]) as f64);
    let relative = difference / row.sheet.spacing;
    let particles = row.particles();
    RunRow {
        status,
        reason: (!reasons.is_empty()).then(|| reasons.join("; ")),
        steps: full.steps,
        rests_at,
        full_rows: full.work().rows,
        full_free_rows: full.work().free_rows,
        decomposed_rows: decomposed.work().rows,
        full_iterations: full.work().iterations,
        decomposed_iterations: decomposed.work().iterations,
        components: Some(decomposed.work().components as f64 / decomposed.steps as f64),
        most_components: shapes.most,
        largest: shapes.share(shapes.largest, particles),
        held: shapes.share(shapes.held, particles),
        sliding: shapes.share(shapes.sliding, particles),
        repelled: shapes.share(shapes.repelled, particles),
        best_tenth: in_tenths.min_by(f64::total_cmp),
        difference: (!statuses.contains(&Status::NotFinite) && relative.is_finite()).then_some(relative),
        passed: full.passed() + decomposed.passed(),
        ..row
    }
}

/// Most particles a side of a sheet that is run under readings other than those of the tolerance: larger ones take three quarters
/// of the time.
pub(super) const SMALL: usize = 50;

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Runs::new(&ranges.runs))
        .table(Readings(ranges.runs.clone()))
        .table(Seeds(Runs::on_solids(&ranges.runs)))
        .plot("rv-count", charts::counts)
        .plot("ratio", charts::ratios)
        .plot("distribution", charts::distribution)
        .plot("readings", charts::readings)
        .plot("tolerance", charts::tolerance)
        .checked(check_list("runs.duration", ranges.runs.duration, &ranges.runs.lists.step))
}

#[cfg(test)]
mod tests {
    use super::super::assumptions::{PINNED, STICKING_SPHERE, coulomb};
    use super::*;
    use crate::assumptions::{GROUND, SPHERE, USUAL};
    use kit::ranges::shipped;
    use lab::measure::streams::stream;

    const STIFF: Elastic = Elastic { stiffness: 1000.0, damping: 0.1 };

    fn row(scene: &Scene, assumption: &Assumption, side: usize, duration: f64) -> RunRow {
        let (spacing, configuration) = (1.5 / side as f64, scene.configuration);
        let sheet = Sheet {
            configuration,
            side,
            spacing,
            density: 0.2,
            stretch: STIFF,
            shear: STIFF,
            bend: 0.001,
            air: 0.001,
            step: 0.01,
        };
        let run = |decompose| assumption.run(&sheet, scene.friction, 0.2, decompose).unwrap();
        let row = RunRow::new(&sheet, 0.2, assumption.name, scene.name);
        compare(run(None), run(Some(Decompose::Serial)), sheet.step, duration, false, row)
    }

    #[test]
    fn a_system_of_one_component_costs_what_the_free_rows_of_the_whole_do() {
        let row = row(&PINNED, &USUAL, 10, 0.1);
        assert_eq!((row.components, row.most_components, row.steps), (Some(1.0), 1, 10));
        assert!(row.decomposed_iterations > 50 && row.decomposed_iterations == row.full_iterations, "{row:?}");
        assert_eq!(row.decomposed_rows, row.full_free_rows);
        assert_eq!((row.full_rows * 98, row.difference), (row.full_free_rows * 100, Some(0.0)));
        assert_eq!((row.held, row.largest, row.sliding), (Some(0.02), Some(0.98), Some(0.0)));
        assert_eq!(row.ratio(Counting::FreeRows), Some(1.0));
    }

    #[test]
    fn springs_at_rest_join_or_not() {
        // a flat sheet at rest: nothing is joined before the first step, but for what the bound on extension says
        let first = |assumption: &Assumption| row(&PINNED, assumption, 6, 0.01).components;
        assert_eq!(first(&USUAL), Some(1.0));
        assert_eq!(first(&Assumption { slack: true, ..USUAL }), Some(34.0));
    }

    #[test]
    fn a_fall_ends_when_the_sheet_has_rested() {
        let sheet = Sheet {
            configuration: Configuration::Ground,
            side: 8,
            spacing: 0.2,
            density: 0.2,
            stretch: STIFF,
            shear: STIFF,
            bend: 0.001,
            air: 0.003,
            step: 0.01,
        };
        let fall = |longest: f64| {
            let run = |decompose| USUAL.run(&sheet, GROUND.friction, 0.2, decompose).unwrap();
            let row = RunRow::new(&sheet, 0.2, USUAL.name, GROUND.name);
            compare(run(None), run(Some(Decompose::Serial)), sheet.step, longest, true, row)
        };
        let row = fall(4.0);
        let rests_at = row.rests_at.expect("it comes to rest");
        assert!(rests_at > 0.3 && row.steps < 400 && row.is_finished(), "{row:?}");
        assert_eq!(row.steps, (rests_at / sheet.step).round() as u64 + 10, "a tenth of a second later");
        let short = fall(0.2);
        assert_eq!((short.rests_at, short.steps), (None, 20), "still falling");
    }

    #[test]
    fn held_particles_are_those_that_stick() {
        let sticking = row(&STICKING_SPHERE, &USUAL, 12, 0.5);
        let sliding = row(&SPHERE, &Assumption { friction: Some(coulomb(0.0, 0.0)), ..USUAL }, 12, 0.5);
        assert!(sticking.held > Some(0.1) && sticking.sliding == Some(0.0), "{sticking:?}");
        assert!(sliding.held == Some(0.0) && sliding.sliding > Some(0.1), "{sliding:?}");
        let saving = |row: &RunRow| 1.0 - row.ratio(Counting::AllRows).unwrap();
        assert!(saving(&sticking) > 0.05 && saving(&sliding).abs() < 0.05);
    }

    #[test]
    fn sheets_of_another_base_seed_slide_on_the_sphere_and_fall_to_the_ground() {
        let ranges = shipped::<crate::Ranges>("smoke", "decomposition").runs;
        let case = Runs::on_solids(&ranges).case(0, &mut stream("decomposition", Runs::SEEDS, 1, 0));
        assert!(case.falls && case.readings.len() == 1);
        assert_eq!(case.readings[0].scenes, [SPHERE, GROUND]);
    }
}
