//! A sheet that falls onto a sphere, collisions inside the iteration or after it.

use cloth::contact::{CollisionPass, Solid};
use cloth::inextensible::{Schedule, StrainOf};
use cloth::integrators::{Ballistic, Filtered, Integrator};
use cloth::{State, Vec3};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::scene::{LENGTH, STEP, STRIPS, Size, Tolerance, sheet};
use crate::ranges::Count;

/// The sheet and the limits.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ContactRanges {
    /// Grid and steps.
    pub size: Size,
    /// Permissible strain.
    pub tolerance: Tolerance,
    /// Most iterations of the strips a round.
    pub iterations: Count,
    /// Most rounds of strips and collisions a step.
    pub rounds: Count,
}

/// Friction on the sphere \[-\]: the main one, and none.
pub const FRICTIONS: [f64; 2] = [0.3, 0.0];

/// Deeper than this a particle is inside \[m\].
const DEEP: f64 = 1e-9;

const RADIUS: f64 = 0.3;
const BESIDE: f64 = 0.1;

/// A sheet on the sphere.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ContactRow {
    pub friction: f64,
    pub rounds: u32,
    pub status: String,
    pub steps: u32,
    pub touching: u32,
    pub within: u32,
    pub iterations: f64,
    pub strain: Option<f64>,
    pub percentile99: Option<f64>,
    pub before: Option<f64>,
    pub depth: Option<f64>,
    pub slip: Option<f64>,
}

/// With and without friction, collisions inside the iteration and after it.
#[derive(Clone)]
pub struct Contact(pub ContactRanges);

impl Group for Contact {
    const NAME: &'static str = "contact";
    const ABOUT: &'static str =
        "a sheet that falls onto a sphere beside its centre, collisions inside the iteration and after it";
    const COLUMNS: &'static [Column] = &[
        Column::number("friction", "-", "mu on the sphere"),
        Column::integer("rounds", "most rounds of strips and collisions a step; 1: collisions after the strips"),
        Column::text("status", "finished, or why a step failed"),
        Column::integer("steps", "steps until the end or the failure"),
        Column::integer("touching", "of them, steps with contact"),
        Column::integer("within", "of them, steps within the tolerance without penetration, after everything"),
        Column::number("iterations", "-", "iterations of the strips a step, mean"),
        Column::number("strain", "-", "largest abs(strain) after everything, of all steps"),
        Column::number("percentile99", "-", "largest 99th percentile of abs(strain) after everything"),
        Column::number("before", "-", "largest abs(strain) before the last collisions, of all steps"),
        Column::number("depth", "m", "deepest penetration after everything, of all steps; below zero outside"),
        Column::number("slip", "m", "how far the centre of mass of the sheet moved along the ground"),
    ];
    const SAMPLED: bool = false;
    type Case = (f64, u32);
    type Row = ContactRow;

    fn sets(&self) -> u64 {
        2 * FRICTIONS.len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Self::Case {
        (FRICTIONS[set as usize / 2], if set.is_multiple_of(2) { self.0.rounds.get() } else { 1 })
    }

    fn measure_block(&self, cases: &[Self::Case], done: &mut dyn FnMut(usize, Vec<ContactRow>)) {
        for (k, &(friction, rounds)) in cases.iter().enumerate() {
            done(k, vec![self.run(friction, rounds)]);
        }
    }
}

impl Contact {
    fn run(&self, friction: f64, rounds: u32) -> ContactRow {
        let ContactRanges { size, tolerance, iterations, .. } = self.0;
        let side = size.side.get() as usize;
        let (net, constraints, grid) = sheet(side, LENGTH, &[]);
        let edges = constraints.clone();
        let centre = Vec3::new(0.5 * LENGTH + BESIDE, 0.5 * LENGTH, -RADIUS - 0.01);
        let sphere = Solid::Sphere { centre, radius: RADIUS };
        let method = STRIPS.method(side, None, Schedule::Serial).build(constraints, tolerance.limits(iterations));
        let scheme = Filtered::new(Box::new(Ballistic::new(side * side)), method);
        let pass = CollisionPass { solids: vec![sphere], friction };
        let mut scheme = scheme.with_collisions(pass).with_rounds(rounds.into());
        let mut state = State::at_rest(grid.flat());
        let middle = |state: &State| state.x.iter().sum::<Vec3>() / state.x.len() as f64;
        let start = middle(&state);
        let mut strains = StrainOf::default();
        let (mut steps, mut touching, mut within) = (0, 0, 0);
        let (mut strain, mut percentile99, mut before, mut depth) = (0.0_f64, 0.0_f64, 0.0_f64, f64::NEG_INFINITY);
        for _ in 0..size.steps.get() {
            scheme.step(&net, STEP, &mut state);
            if !state.is_finite() {
                break;
            }
            steps += 1;
            touching += u32::from(scheme.touched() > 0);
            let now = strains.state(&edges, &state.x);
            let deepest = state.x.iter().map(|x| -sphere.distance(*x).0).fold(f64::NEG_INFINITY, f64::max);
            within += u32::from(now.largest <= tolerance.get() && deepest <= DEEP);
            strain = strain.max(now.largest);
            percentile99 = percentile99.max(now.percentile99);
            before = before.max(edges.largest_strain(scheme.projected()));
            depth = depth.max(deepest);
        }
        let finite = state.is_finite();
        let moved = middle(&state) - start;
        let work = scheme.filter_work();
        ContactRow {
            friction,
            rounds,
            status: if finite { "finished" } else { scheme.last().stop.name() }.into(),
            steps,
            touching,
            within,
            iterations: work.iterations as f64 / work.steps as f64,
            strain: finite.then_some(strain),
            percentile99: finite.then_some(percentile99),
            before: finite.then_some(before),
            depth: finite.then_some(depth),
            slip: finite.then(|| (moved.x * moved.x + moved.y * moved.y).sqrt()),
        }
    }
}
