//! The drapes of figure 6: the same sheet by fast projection and by the implicit constraint direction.

use chart::Solid;
use kit::prelude::*;

use super::rivals::{Caps, Rival};
use super::samples::same;
use super::scenes::{RADIUS, Scene, rms_distance, sphere};

ranges!(LookRanges {
    //! The sheet and its steps.
    /// Particles a side.
    side: Side,
    /// Permissible strain \[-\].
    strain: Positive,
    /// Steps a second, the same for both.
    rate: Count,
    /// Times that are compared \[s\]; the last one is drawn.
    times: List<Positive>,
    /// Other meshes, with the same step: particles a side.
    other_sides: List<Side>,
    /// Other steps, on the same mesh: steps a second.
    other_rates: List<Count>,
});

row! {
    /// A particle in both sheets at a time.
    pub struct LookRow {
        /// particles a side
        pub side: usize,
        /// simulated time \[s\]
        pub time: f64,
        /// reached, or not reached: the last row, where one of the methods ended before its time
        pub status: Status,
        /// which method ended and why
        pub reason: Option<String>,
        /// index of the particle
        pub particle: Option<usize>,
        /// its place by fast projection, to the micrometre \[m\]
        pub x: Option<f64>,
        /// the same \[m\]
        pub y: Option<f64>,
        /// the same \[m\]
        pub z: Option<f64>,
        /// its place by the implicit constraint direction, to the micrometre \[m\]
        pub other_x: Option<f64>,
        /// the same \[m\]
        pub other_y: Option<f64>,
        /// the same \[m\]
        pub other_z: Option<f64>,
    }
}

impl LookRow {
    /// Places by fast projection and by the implicit constraint direction \[m\].
    pub fn places(&self) -> Option<[Vec3; 2]> {
        let other = Vec3::new(self.other_x?, self.other_y?, self.other_z?);
        Some([Vec3::new(self.x?, self.y?, self.z?), other])
    }
}

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
            return (frames, ended(Status::Refused.to_string()));
        };
        let (mut forces, mut filter) = (ForwardBackwardEuler::new(scene.constraints.particle_count()), scene.filter(method));
        let (mut state, rate) = (scene.start.clone(), f64::from(rate.get()));
        let mut shown = FilmRecorder::new(times.values().last().map_or(1, |last| (last.get() * rate).round() as u64));
        for time in times.values() {
            while filter.filter_work().steps < (time.get() * rate).round() as u64 {
                if filter.step(&mut forces, &scene.net, 1.0 / rate, &mut state).is_ok() {
                    shown.step(&scene.net, &state);
                }
                if !filter.converged() {
                    let how = format!("{} after {} steps", filter.last().stop.name(), filter.filter_work().steps);
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
    type Case = ();
    type Row = LookRow;

    fn listed(&self) -> Vec<Self::Case> {
        vec![()]
    }

    fn measure(&self, _case: &()) -> Vec<LookRow> {
        let [(one, one_ended), (other, other_ended)] = PAIR.map(|rival| self.frames(rival));
        let micrometre = |q: f64| Some((q * 1e6).round() / 1e6);
        let frame = |time: f64| LookRow { side: self.0.side.get() as usize, time, status: Status::Reached, ..LookRow::default() };
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
            rows.push(LookRow { status: Status::NotReached, reason: Some(ended.join("; ")), ..frame(time.get()) });
        }
        rows
    }
}

row! {
    /// The distance of both sheets at a time, on another mesh or with another step.
    pub struct OtherRow {
        /// particles a side
        pub side: usize,
        /// steps a second
        pub rate: u32,
        /// simulated time \[s\]
        pub time: f64,
        /// reached, or not reached where one of the methods ended before this time
        pub status: Status,
        /// which method ended and why
        pub reason: Option<String>,
        /// root mean square distance of the particles; none where the time is not reached \[m\]
        pub distance: Option<f64>,
    }
}

/// Drapes on other meshes and with other steps, each by itself.
pub struct OtherLooks(pub Looks);

impl Group for OtherLooks {
    const NAME: &'static str = "look-readings";
    const ABOUT: &'static str = "distance of both drapes on other meshes and with other steps";
    type Case = Looks;
    type Row = OtherRow;

    fn listed(&self) -> Vec<Self::Case> {
        self.0.others()
    }

    fn measure(&self, looks: &Looks) -> Vec<OtherRow> {
        let [(one, one_ended), (other, other_ended)] = PAIR.map(|rival| looks.frames(rival));
        let ended: Vec<String> = [one_ended, other_ended].into_iter().flatten().collect();
        let row = |(place, time): (usize, &Positive)| {
            let distance = one.get(place).zip(other.get(place)).map(|(one, other)| rms_distance(one, other));
            OtherRow {
                side: looks.0.side.get() as usize,
                rate: looks.0.rate.get(),
                time: time.get(),
                status: if distance.is_some() { Status::Reached } else { Status::NotReached },
                reason: distance.is_none().then(|| ended.join("; ")),
                distance,
            }
        };
        looks.0.times.values().iter().enumerate().map(row).collect()
    }
}

/// The drapes of figure 6.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Looks>()?;
    let reached: Vec<(&LookRow, [Vec3; 2])> = rows.iter().filter_map(|row| Some((row, row.places()?))).collect();
    let last = reached.chunk_by(|(a, _), (b, _)| same(a.time, b.time)).last().unwrap_or_default();
    let side = last.first().map_or(0, |(row, _)| row.side);
    let cells = (0..side.saturating_sub(1)).flat_map(|j| (0..side.saturating_sub(1)).map(move |i| j * side + i));
    let faces: Vec<[usize; 4]> = cells.map(|k| [k, k + 1, k + side + 1, k + side]).collect();
    let picture = |title: &str, which: usize| {
        let vertices = last.iter().map(|(_, places)| places[which].into()).collect();
        let sheet = Mesh::new(vertices).surface("", Palette::SKY, &faces).rounded(1e-4);
        let ball = Solid::sphere(sphere().into(), RADIUS, Palette::GREY).rounded(1e-4);
        Panel::snapshot(Snapshot::new(View::new(-60.0, 20.0), vec![sheet, ball])).titled(title)
    };
    let time = last.first().map_or(0.0, |(row, _)| row.time);
    let title = format!("The same drape by fast projection and by the implicit constraint direction, {time} s");
    let caption = "As figure 6 of the paper: the same sheet, step and permissible strain.";
    Ok(Figure::new("looks", title, caption, vec![picture("fast projection", 0), picture("implicit constraint direction", 1)]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let LookRanges { times, rate, other_rates, .. } = &ranges.looks;
    let all: Vec<u32> = other_rates.values().iter().chain([rate]).map(|rate| rate.get()).collect();
    let checked = times.values().iter().map(|time| check_rates("looks.times", time.get(), all.iter().copied()));
    Topic::of(Looks(ranges.looks.clone()))
        .table(OtherLooks(Looks(ranges.looks.clone())))
        .plot("looks", chart)
        .checked(checked.collect())
}
