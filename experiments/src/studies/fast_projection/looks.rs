//! The drapes of figure 6: the same sheet by fast projection and by the implicit constraint direction.

use cloth::Vec3;
use cloth::integrators::{Filtered, ForwardBackwardEuler, Integrator};
use cloth::quantity::Positive;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::rivals::{Caps, Rival};
use super::scenes::Scene;
use crate::ranges::{Count, List, Side};

/// The sheet and its steps.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LookRanges {
    /// Particles a side.
    pub side: Side,
    /// Permissible strain \[-\].
    pub strain: Positive,
    /// Steps a second, the same for both.
    pub rate: Count,
    /// Times that are compared \[s\]; the last one is drawn.
    pub times: List<Positive>,
}

/// A particle in both sheets at a time.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct LookRow {
    pub side: usize,
    pub time: f64,
    pub particle: usize,
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub other_x: f64,
    pub other_y: f64,
    pub other_z: f64,
}

const COLUMNS: &[Column] = &[
    Column::integer("side", "particles a side"),
    Column::number("time", "s", "simulated time; none that both methods did not reach"),
    Column::integer("particle", "index of the particle"),
    Column::number("x", "m", "its place by fast projection, to the micrometre"),
    Column::number("y", "m", "the same"),
    Column::number("z", "m", "the same"),
    Column::number("other_x", "m", "its place by the implicit constraint direction, to the micrometre"),
    Column::number("other_y", "m", "the same"),
    Column::number("other_z", "m", "the same"),
];

impl LookRow {
    /// Place by fast projection \[m\].
    pub fn one(&self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// Place by the implicit constraint direction \[m\].
    pub fn other(&self) -> Vec3 {
        Vec3::new(self.other_x, self.other_y, self.other_z)
    }
}

/// The two methods of the figure.
const PAIR: [Rival; 2] = [Rival::FastProjection, Rival::Icd];

/// Both drapes.
pub struct Looks(pub LookRanges);

impl Looks {
    /// Positions at each time that a method reaches.
    fn frames(&self, rival: Rival) -> Vec<Vec<Vec3>> {
        let LookRanges { side, strain, rate, times } = &self.0;
        let mut frames = vec![];
        let Ok(scene) = Scene::drape(side.get() as usize) else { return frames };
        let (columns, caps) = (side.get() as usize, Caps { solves: 100, sweeps: 1 });
        let Some(method) = rival.build(&scene.constraints, columns, strain.get(), caps) else { return frames };
        let mut filtered = Filtered::new(Box::new(ForwardBackwardEuler::new(scene.constraints.particle_count())), method);
        if let Some(collisions) = scene.collisions.clone() {
            filtered = filtered.with_collisions(collisions);
        }
        let (mut state, rate) = (scene.start.clone(), f64::from(rate.get()));
        for time in times.values() {
            while filtered.filter_work().steps < (time.get() * rate).round() as u64 {
                filtered.step(&scene.net, 1.0 / rate, &mut state);
                if !filtered.converged() {
                    return frames;
                }
            }
            frames.push(state.x.clone());
        }
        frames
    }
}

impl Group for Looks {
    const NAME: &'static str = "looks";
    const ABOUT: &'static str = "the same drape by fast projection and by the implicit constraint direction";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SAMPLED: bool = false;
    type Case = ();
    type Row = LookRow;

    fn sets(&self) -> u64 {
        1
    }

    fn case(&self, _set: u64, _stream: &mut ChaCha8Rng) {}

    fn measure_block(&self, _cases: &[()], done: &mut dyn FnMut(usize, Vec<LookRow>)) {
        let [one, other] = PAIR.map(|rival| self.frames(rival));
        let micrometre = |q: f64| (q * 1e6).round() / 1e6;
        let mut rows = vec![];
        for ((one, other), time) in one.iter().zip(&other).zip(self.0.times.values()) {
            for (particle, (a, b)) in one.iter().zip(other).enumerate() {
                let ([x, y, z], [other_x, other_y, other_z]) = ((*a).into(), (*b).into());
                let [x, y, z, other_x, other_y, other_z] = [x, y, z, other_x, other_y, other_z].map(micrometre);
                let side = self.0.side.get() as usize;
                rows.push(LookRow { side, time: time.get(), particle, x, y, z, other_x, other_y, other_z });
            }
        }
        done(0, rows);
    }
}
