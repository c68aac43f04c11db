//! When and how finely the sheet of the printed scene is drawn.

use chart::Wires;
use kit::prelude::*;

use super::fall::{Damping, Fall, LATE};
use super::scene::{SceneRanges, title};

ranges!(FrameRanges {
    //! When and how finely the sheet is drawn.
    /// Times \[s\].
    times: List<NonNegative>,
    /// Every how manieth row and column of particles is kept, the last one too.
    stride: Count,
});

/// Where the sheet is at a few times, a set a damping: the three of the scene, and plain damping with the coefficient of the
/// projected one.
pub struct Frames {
    /// The sheet.
    pub scene: SceneRanges,
    /// What is kept.
    pub ranges: FrameRanges,
}

row! {
    /// A particle at a time.
    pub struct FrameRow {
        /// none, plain or projected
        pub damping: String,
        /// kd of stretch and shear springs \[N s/m\]
        pub coefficient: f64,
        /// time simulated \[s\]
        pub time: f64,
        /// column of the particle
        pub i: usize,
        /// row of the particle; the row 0 holds the pins
        pub j: usize,
        /// position along the pinned border \[m\]
        pub x: Option<f64>,
        /// position across it \[m\]
        pub y: Option<f64>,
        /// height \[m\]
        pub z: Option<f64>,
    }
}

impl Group for Frames {
    const NAME: &'static str = "frames";
    const ABOUT: &'static str = "where the sheet of the printed scene is at a few times";
    const SAMPLED: bool = false;
    type Case = Fall;
    type Row = FrameRow;

    fn sets(&self) -> u64 {
        self.scene.dampings().len() as u64 + 1
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Fall {
        let dampings = self.scene.dampings();
        let damping = dampings.get(set as usize).copied().unwrap_or(Damping::Plain(self.scene.projected.get()));
        self.scene.fall(damping, self.scene.settings())
    }

    fn measure(&self, fall: &Fall) -> Vec<FrameRow> {
        let side = fall.side;
        let kept: Vec<usize> = (0..side).filter(|i| i % self.ranges.stride.get() as usize == 0 || i + 1 == side).collect();
        let wanted: Vec<u64> = self.ranges.times.values().iter().map(|time| fall.steps(time.get().min(LATE))).collect();
        let mut rows = vec![];
        let ran = fall.run(|moment| {
            if !wanted.contains(&moment.step) {
                return;
            }
            for &j in &kept {
                for &i in &kept {
                    let place = moment.state.x[j * side + i];
                    let [x, y, z] = [place.x, place.y, place.z].map(finite);
                    let (damping, coefficient) = (fall.damping.name().into(), fall.damping.coefficient());
                    rows.push(FrameRow { damping, coefficient, time: moment.step as f64 * fall.step, i, j, x, y, z });
                }
            }
        });
        // a sheet that the model refuses has no place; the main group says why
        if ran.is_err() {
            let (damping, coefficient) = (fall.damping.name().into(), fall.damping.coefficient());
            rows.push(FrameRow { damping, coefficient, time: 0.0, i: 0, j: 0, x: None, y: None, z: None });
        }
        rows
    }
}

/// Lines between kept particles that are neighbours.
fn wires(side: usize) -> Vec<[usize; 2]> {
    let mut wires = vec![];
    for j in 0..side {
        for i in 0..side {
            let at = j * side + i;
            if i + 1 < side {
                wires.push([at, at + 1]);
            }
            if j + 1 < side {
                wires.push([at, at + side]);
            }
        }
    }
    wires
}

/// The sheet at a few times, a column a damping.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Frames>()?;
    let mut pictures: Vec<(&FrameRow, Vec<[f64; 3]>)> = vec![];
    for Row { row, .. } in &rows {
        let same =
            |first: &FrameRow| first.damping == row.damping && first.coefficient == row.coefficient && first.time == row.time;
        if pictures.last().is_none_or(|(first, _)| !same(first)) {
            pictures.push((row, vec![]));
        }
        if let (Some((_, vertices)), [Some(x), Some(y), Some(z)]) = (pictures.last_mut(), [row.x, row.y, row.z]) {
            vertices.push([x, y, z]);
        }
    }
    let times: Vec<f64> = distinct(pictures.iter().map(|(first, _)| first.time));
    let corners = |pick: fn(f64, f64) -> f64, from: f64| {
        [0, 1, 2].map(|k| pictures.iter().flat_map(|(_, vertices)| vertices).map(|vertex| vertex[k]).fold(from, pick))
    };
    let keep = vec![corners(f64::min, 0.0), corners(f64::max, 0.0)];
    let mut panels = vec![];
    for time in &times {
        for (first, vertices) in pictures.iter().filter(|(first, _)| first.time == *time) {
            let side = (vertices.len() as f64).sqrt().round() as usize;
            let faces: Vec<[usize; 4]> = (0..side.saturating_sub(1))
                .flat_map(|j| (0..side - 1).map(move |i| j * side + i))
                .map(|at| [at, at + 1, at + side + 1, at + side])
                .collect();
            let wires = Wires::new("", Palette::BLACK, wires(side)).width(0.6);
            let mesh = Mesh::new(vertices.clone()).rounded(1e-6).surface("", Color(222, 235, 247), &faces).wires(wires);
            let picture = Snapshot::new(View::new(-60.0, 15.0), vec![mesh]).keeping(keep.clone());
            let damping = title(&first.damping, first.coefficient);
            panels.push(Panel::snapshot(picture).titled(format!("{damping}, {time} s")));
        }
    }
    let columns = panels.len() / times.len().max(1);
    let caption = "The scene of figure 4.1 at equal times, a column a damping; every third row and column of particles is drawn at paper \
                   scale. Plain damping with the coefficient of the projected one keeps it from falling.";
    let mut figure = Figure::new("sheets", "Figure 4.1: the falling sheet", caption, panels);
    figure.columns = columns;
    Ok(figure)
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Frames { scene: ranges.scene.clone(), ranges: ranges.frames.clone() }).plot("sheets", chart)
}
