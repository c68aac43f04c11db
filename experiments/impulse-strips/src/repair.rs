//! Damaged sheets that are pulled together.

use kit::prelude::*;

use super::scene::{LENGTH, STEP, Tolerance, Way, reason, sheet};

ranges!(RepairRanges {
    //! Sheets, and how long they have.
    /// Particles a side.
    side: Side,
    /// Draws of every damage.
    draws: Count,
    /// Permissible strain.
    tolerance: Tolerance,
    /// Most iterations a step, the main one last.
    iterations: List<Count>,
    /// Steps after which a sheet counts as lost.
    steps: Count,
    /// Steps that are followed after it is whole.
    after: Count,
});

pub const DAMAGES: [&str; 3] = ["torn", "scrambled", "exploded"];

/// Ways of repair.
const WAYS: [Way; 2] = [Way::Strips(Directions::Preview), Way::Strips(Directions::Frozen)];

/// A damaged sheet and how it is repaired.
#[derive(Clone, Debug)]
pub struct Damaged {
    damage: usize,
    way: Way,
    limit: Count,
    x: Vec<Vec3>,
}

row! {
    /// What came of it.
    pub struct RepairRow {
        /// torn, scrambled or exploded
        pub damage: String,
        /// how the edges are held together
        pub method: String,
        /// most iterations a step
        pub limit: u32,
        /// finished: repaired and followed; not repaired: it came to no end; gains energy or not finite
        pub status: Status,
        /// why it is lost, and how the strips ended in its last step
        pub reason: Option<String>,
        /// largest abs(strain) of the damaged sheet
        pub before: f64,
        /// steps until every edge was within the tolerance
        pub steps: Option<u32>,
        /// iterations until then or until the end
        pub iterations: u64,
        /// of the steps after that, those within the tolerance
        pub kept: u32,
        /// steps after that
        pub followed: u32,
        /// largest abs(strain) in these steps
        pub later: Option<f64>,
        /// edges that turned by more than a right angle in a step, in all
        pub turned_over: u64,
    }
}

/// Damaged sheets.
#[derive(Clone)]
pub struct Repair(pub RepairRanges);

impl Group for Repair {
    const NAME: &'static str = "repair";
    const ABOUT: &'static str = "free sheets torn, scrambled and exploded, and how soon their edges have their lengths again";
    const SAMPLED: bool = false;
    type Case = Damaged;
    type Row = RepairRow;

    fn sets(&self) -> u64 {
        (DAMAGES.len() * self.variants()) as u64 * u64::from(self.0.draws.get())
    }

    fn scene(&self, set: u64) -> u64 {
        set / self.variants() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Damaged {
        let side = self.0.side.get() as usize;
        let (_, _, grid) = sheet(side, LENGTH, &[]);
        let damage = self.scene(set) as usize % DAMAGES.len();
        let mut x = grid.flat();
        let away = Vec3::from_fn(|_, _| stream.random_range(-1.0..1.0)).try_normalize(0.0).unwrap_or_else(Vec3::x);
        for (k, x) in x.iter_mut().enumerate() {
            let draw = Vec3::from_fn(|_, _| stream.random_range(-1.0..1.0));
            match DAMAGES[damage] {
                "torn" if k % side >= 2 * side / 3 => *x += LENGTH * away,
                "torn" => {}
                "scrambled" => *x += 2.0 * grid.spacing() * draw,
                _ => *x = 0.5 * LENGTH * draw,
            }
        }
        let variant = set as usize % self.variants();
        let limits = self.0.iterations.values();
        Damaged { damage, way: WAYS[variant % WAYS.len()], limit: limits[variant / WAYS.len()], x }
    }

    fn measure(&self, case: &Damaged) -> Vec<RepairRow> {
        vec![self.run(case)]
    }
}

impl Repair {
    /// Runs of a damaged sheet.
    fn variants(&self) -> usize {
        WAYS.len() * self.0.iterations.values().len()
    }

    fn run(&self, case: &Damaged) -> RepairRow {
        let ranges = &self.0;
        let side = ranges.side.get() as usize;
        let (mut net, constraints, _) = sheet(side, LENGTH, &[]);
        net.gravity = Vec3::zeros();
        let before = constraints.largest_strain(&case.x);
        let method = case.way.method(side, None, Schedule::Serial).build(constraints, ranges.tolerance.limits(case.limit));
        let (mut flight, mut filter) = (Ballistic::new(side * side), Filter::new(method));
        let mut state = State::at_rest(case.x.clone());
        // damaged edges hold no energy that their repair could be measured by: until then, only numbers that are not finite end it
        let (mut steps, mut taken, mut mending) = (None, 0, RunWatch::of_energy(0.0, 1.0, ranges.steps.get().into()));
        while steps.is_none() && mending.goes_on() {
            let ended = filter.step(&mut flight, &net, STEP, &mut state);
            mending.watch_step(ended, &net, &state, || 0.0);
            taken += 1;
            steps = filter.converged().then_some(taken);
        }
        let iterations = filter.filter_work().iterations;
        let (mut kept, mut followed, mut later) = (0, 0, 0.0_f64);
        let fall = net.masses().iter().sum::<f64>() * GRAVITY * LENGTH; // a measure alone, since there is no gravity
        let mut whole = RunWatch::of_energy(net.energy(&state), fall, ranges.after.get().into());
        while steps.is_some() && whole.goes_on() {
            let ended = filter.step(&mut flight, &net, STEP, &mut state);
            whole.watch_step(ended, &net, &state, || net.energy(&state));
            followed += 1;
            kept += u32::from(filter.converged());
            later = later.max(filter.last().after);
        }
        let course = if steps.is_some() { whole } else { mending };
        let status = if course.status() == Status::Finished && steps.is_none() { Status::NotRepaired } else { course.status() };
        RepairRow {
            damage: DAMAGES[case.damage].into(),
            method: case.way.name().into(),
            limit: case.limit.get(),
            status,
            reason: reason(&course, &filter),
            before,
            steps,
            iterations,
            kept,
            followed,
            later: (followed > 0 && later.is_finite()).then_some(later),
            turned_over: filter.filter_work().turned_over,
        }
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Repair(ranges.repair.clone()))
}
