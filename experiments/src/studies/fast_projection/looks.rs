//! The drapes of figure 6: the same sheet by fast projection and by the implicit constraint direction.

use cloth::Vec3;
use cloth::integrators::{Filtered, ForwardBackwardEuler, Integrator};
use cloth::quantity::Positive;
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::rivals::{Caps, Rival};
use super::scenes::{REFUSED, Scene, rms_distance};
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
    /// Other meshes, with the same step: particles a side.
    pub other_sides: List<Side>,
    /// Other steps, on the same mesh: steps a second.
    pub other_rates: List<Count>,
}

/// A particle in both sheets at a time.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct LookRow {
    pub side: usize,
    pub time: f64,
    pub status: String,
    pub reason: Option<String>,
    pub particle: Option<usize>,
    pub x: Option<f64>,
    pub y: Option<f64>,
    pub z: Option<f64>,
    pub other_x: Option<f64>,
    pub other_y: Option<f64>,
    pub other_z: Option<f64>,
}

const COLUMNS: &[Column] = &[
    Column::integer("side", "particles a side"),
    Column::number("time", "s", "simulated time"),
    Column::text("status", "reached, or not reached: the last row, where one of the methods ended before its time"),
    Column::text("reason", "which method ended and why"),
    Column::number("particle", "-", "index of the particle"),
    Column::number("x", "m", "its place by fast projection, to the micrometre"),
    Column::number("y", "m", "the same"),
    Column::number("z", "m", "the same"),
    Column::number("other_x", "m", "its place by the implicit constraint direction, to the micrometre"),
    Column::number("other_y", "m", "the same"),
    Column::number("other_z", "m", "the same"),
];

impl LookRow {
    /// Places by fast projection and by the implicit constraint direction \[m\].
    pub fn places(&self) -> Option<[Vec3; 2]> {
        let other = Vec3::new(self.other_x?, self.other_y?, self.other_z?);
        Some([Vec3::new(self.x?, self.y?, self.z?), other])
    }
}

/// Status of a time that both methods reach, and of one that they do not.
const REACHED: &str = "reached";
const NOT_REACHED: &str = "not reached";

/// The two methods of the figure.
const PAIR: [Rival; 2] = [Rival::FastProjection, Rival::Icd];

/// Both drapes.
#[derive(Clone)]
pub struct Looks(pub LookRanges);

impl Looks {
    /// The drapes on another mesh or with another step.
    fn others(&self) -> Vec<Looks> {
        let sides = self.0.other_sides.values().iter().map(|&side| Looks(LookRanges { side, ..self.0.clone() }));
        let rates = self.0.other_rates.values().iter().map(|&rate| Looks(LookRanges { rate, ..self.0.clone() }));
        sides.chain(rates).collect()
    }

    /// Positions at each time that a method reaches, and why it does not reach all.
    fn frames(&self, rival: Rival) -> (Vec<Vec<Vec3>>, Option<String>) {
        let LookRanges { side, strain, rate, times, .. } = &self.0;
        let mut frames = vec![];
        let ended = |how: String| Some(format!("{}: {how}", rival.name()));
        let scene = match Scene::drape(side.get() as usize) {
            Ok(scene) => scene,
            Err(invalid) => return (frames, ended(invalid.to_string())),
        };
        let (columns, caps) = (side.get() as usize, Caps { solves: 100, sweeps: 1 });
        let Some(method) = rival.build(&scene.constraints, columns, strain.get(), caps) else {
            return (frames, ended(REFUSED.into()));
        };
        let mut filtered = Filtered::new(Box::new(ForwardBackwardEuler::new(scene.constraints.particle_count())), method);
        if let Some(collisions) = scene.collisions.clone() {
            filtered = filtered.with_collisions(collisions);
        }
        let (mut state, rate) = (scene.start.clone(), f64::from(rate.get()));
        for time in times.values() {
            while filtered.filter_work().steps < (time.get() * rate).round() as u64 {
                filtered.step(&scene.net, 1.0 / rate, &mut state);
                if !filtered.converged() {
                    let how = format!("{} after {} steps", filtered.last().stop.name(), filtered.filter_work().steps);
                    return (frames, ended(how));
                }
            }
            frames.push(state.x.clone());
        }
        (frames, None)
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
        let [(one, one_ended), (other, other_ended)] = PAIR.map(|rival| self.frames(rival));
        let micrometre = |q: f64| Some((q * 1e6).round() / 1e6);
        let frame = |time: f64| LookRow {
            side: self.0.side.get() as usize,
            time,
            status: REACHED.into(),
            reason: None,
            particle: None,
            x: None,
            y: None,
            z: None,
            other_x: None,
            other_y: None,
            other_z: None,
        };
        let mut rows = vec![];
        for ((one, other), time) in one.iter().zip(&other).zip(self.0.times.values()) {
            for (particle, (a, b)) in one.iter().zip(other).enumerate() {
                let ([x, y, z], [other_x, other_y, other_z]) = ((*a).into(), (*b).into());
                let [x, y, z, other_x, other_y, other_z] = [x, y, z, other_x, other_y, other_z].map(micrometre);
                let row = frame(time.get());
                rows.push(LookRow { particle: Some(particle), x, y, z, other_x, other_y, other_z, ..row });
            }
        }
        let ended: Vec<String> = [one_ended, other_ended].into_iter().flatten().collect();
        if let Some(time) = self.0.times.values().get(one.len().min(other.len())) {
            rows.push(LookRow { status: NOT_REACHED.into(), reason: Some(ended.join("; ")), ..frame(time.get()) });
        }
        done(0, rows);
    }
}

/// The distance of both sheets at a time, on another mesh or with another step.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct OtherRow {
    pub side: usize,
    pub rate: u32,
    pub time: f64,
    pub status: String,
    pub reason: Option<String>,
    pub distance: Option<f64>,
}

/// Drapes on other meshes and with other steps, each by itself.
pub struct OtherLooks(pub Looks);

impl Group for OtherLooks {
    const NAME: &'static str = "look-readings";
    const ABOUT: &'static str = "distance of both drapes on other meshes and with other steps";
    const COLUMNS: &'static [Column] = &[
        Column::integer("side", "particles a side"),
        Column::integer("rate", "steps a second"),
        Column::number("time", "s", "simulated time"),
        Column::text("status", "reached, or not reached where one of the methods ended before this time"),
        Column::text("reason", "which method ended and why"),
        Column::number("distance", "m", "root mean square distance of the particles; none where the time is not reached"),
    ];
    const SAMPLED: bool = false;
    type Case = Looks;
    type Row = OtherRow;

    fn sets(&self) -> u64 {
        self.0.others().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Looks {
        self.0.others().swap_remove(set as usize)
    }

    fn measure_block(&self, cases: &[Looks], done: &mut dyn FnMut(usize, Vec<OtherRow>)) {
        for (k, looks) in cases.iter().enumerate() {
            let [(one, one_ended), (other, other_ended)] = PAIR.map(|rival| looks.frames(rival));
            let ended: Vec<String> = [one_ended, other_ended].into_iter().flatten().collect();
            let row = |(place, time): (usize, &Positive)| {
                let distance = one.get(place).zip(other.get(place)).map(|(one, other)| rms_distance(one, other));
                OtherRow {
                    side: looks.0.side.get() as usize,
                    rate: looks.0.rate.get(),
                    time: time.get(),
                    status: if distance.is_some() { REACHED } else { NOT_REACHED }.into(),
                    reason: distance.is_none().then(|| ended.join("; ")),
                    distance,
                }
            };
            done(k, looks.0.times.values().iter().enumerate().map(row).collect());
        }
    }
}
