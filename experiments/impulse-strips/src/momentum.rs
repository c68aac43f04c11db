//! Momentum of free sheets.

use kit::prelude::*;

use super::scene::{DENSITY, FROZEN, LENGTH, STEP, STRIPS, Size, Tolerance, Way, reason, sheet};

ranges!(MomentumRanges {
    //! Sheets and limits.
    /// Random starts.
    draws: Count,
    /// Grid and steps.
    size: Size,
    /// Permissible strain.
    tolerance: Tolerance,
    /// Most iterations a step.
    iterations: List<Count>,
});

row! {
    /// What a free sheet keeps.
    pub struct MomentumRow {
        /// how the edges are held together
        pub method: String,
        /// most iterations a step
        pub limit: u32,
        /// finished, gains energy or not finite
        pub status: Status,
        /// why it is lost, and how the strips ended in its last step
        pub reason: Option<String>,
        /// steps until the end, or until it is lost
        pub steps: u32,
        /// largest change of the momentum, over the sum of m abs(v) at the start; empty where lost
        pub linear: Option<f64>,
        /// the same over that sum at the time, where it is larger, in all steps until it is lost
        pub present: Option<f64>,
        /// largest change of the angular momentum about the middle, over the sum of m abs(r) abs(v)
        pub angular: Option<f64>,
        /// kinetic energy of the last state over that of the start
        pub energy: Option<f64>,
    }
}

/// Directions of the impulses: of the preview, and as printed.
const WAYS: [Way; 2] = [STRIPS, FROZEN];

/// Free sheets from random velocities.
#[derive(Clone)]
pub struct Momentum(pub MomentumRanges);

impl Group for Momentum {
    const NAME: &'static str = "momentum";
    const ABOUT: &'static str = "free sheets without gravity from random velocities, and what they keep";
    const SAMPLED: bool = false;
    type Case = (Way, Count, Vec<Vec3>);
    type Row = MomentumRow;

    fn sets(&self) -> u64 {
        u64::from(self.0.draws.get()) * self.variants()
    }

    fn scene(&self, set: u64) -> u64 {
        set / self.variants()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let limits = self.0.iterations.values();
        let side = self.0.size.side.get();
        let velocity = |_| Vec3::from_fn(|_, _| stream.random_range(-1.0..1.0));
        let variant = (set % self.variants()) as usize;
        (WAYS[variant / limits.len()], limits[variant % limits.len()], (0..side * side).map(velocity).collect())
    }

    fn measure(&self, (way, limit, v): &Self::Case) -> Vec<MomentumRow> {
        vec![self.run(*way, *limit, v)]
    }
}

impl Momentum {
    /// Runs from one start.
    fn variants(&self) -> u64 {
        (WAYS.len() * self.0.iterations.values().len()) as u64
    }

    fn run(&self, way: Way, limit: Count, v: &[Vec3]) -> MomentumRow {
        let side = self.0.size.side.get() as usize;
        let (mut net, constraints, grid) = sheet(side, LENGTH, &[]);
        net.gravity = Vec3::zeros();
        let method = way.method(side, None, Schedule::Serial).build(constraints, self.0.tolerance.limits(limit));
        let (mut flight, mut filter) = (Ballistic::new(side * side), Filter::new(method));
        let mut state = State { x: grid.flat(), v: v.to_vec() };
        let m = net.masses();
        let middle = 0.5 * LENGTH * Vec3::new(1.0, 1.0, 0.0);
        let over = |state: &State, of: &dyn Fn(Vec3, Vec3) -> Vec3| -> Vec3 {
            (0..m.len()).map(|k| m[k] * of(state.x[k] - middle, state.v[k])).sum()
        };
        let linear = |state: &State| over(state, &|_, v| v);
        let angular = |state: &State| over(state, &|r, v| r.cross(&v));
        let sizes = [over(&state, &|_, v| v.norm() * Vec3::x()).x, over(&state, &|r, v| r.norm() * v.norm() * Vec3::x()).x];
        let (begin, energy) = ([linear(&state), angular(&state)], net.energy(&state));
        let (mut steps, mut most, mut present) = (0, [0.0_f64; 2], 0.0_f64);
        let fall = DENSITY * LENGTH * LENGTH * GRAVITY * LENGTH; // a measure alone, since there is no gravity
        let mut course = RunWatch::of_energy(energy, fall, self.0.size.steps.get().into());
        while course.goes_on() {
            let ended = filter.step(&mut flight, &net, STEP, &mut state);
            course.watch_step(ended, &net, &state, || net.energy(&state));
            if course.status() == Status::NotFinite {
                break;
            }
            steps += 1;
            let now = [linear(&state), angular(&state)];
            most = std::array::from_fn(|k| most[k].max((now[k] - begin[k]).norm() / sizes[k]));
            let speeds = over(&state, &|_, v| v.norm() * Vec3::x()).x;
            present = present.max((now[0] - begin[0]).norm() / sizes[0].max(speeds));
        }
        let finished = course.status() == Status::Finished;
        MomentumRow {
            method: way.name().into(),
            limit: limit.get(),
            status: course.status(),
            reason: reason(&course, &filter),
            steps,
            linear: finished.then_some(most[0]),
            present: (steps > 0 && present.is_finite()).then_some(present),
            angular: finished.then_some(most[1]),
            energy: finished.then(|| net.energy(&state) / energy),
        }
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Momentum(ranges.momentum.clone()))
}
