//! Which way does a tear run, how long is it and when does it run, by the mesh?

use kit::prelude::*;

use super::meshes::Faces;
use super::squares::{Run, Square, kinds};
use super::torn::Way;

ranges!(PathRanges {
    //! Meshes and directions.
    /// Particles a side.
    sides: List<Side>,
    /// Directions of the pull, from the warp \[degrees\].
    angles: List<NonNegative>,
    /// Meshes of each, and places of the notch.
    draws: Count,
    /// dt \[s\].
    step: Positive,
    /// Time in which borders are drawn apart as far as they come \[s\].
    duration: Positive,
});

row! {
    /// A square that is torn.
    pub struct PathRow {
        /// grid, triangles
        pub faces: Faces,
        /// springs leave, mesh opens
        pub way: Way,
        /// particles a side
        pub side: usize,
        /// direction of the pull, from the warp \[degrees\]
        pub angle: f64,
        /// finished, or gains energy, not finite
        pub status: Status,
        /// steps taken
        pub steps: u64,
        /// strain of the borders when the tear runs on from either end of the notch
        pub runs: Option<f64>,
        /// strain of the borders when it has run through
        pub through: Option<f64>,
        /// angle between the notch and the way from its ends to the places of the tear, to either side \[degrees\]
        pub beside: Option<f64>,
        /// length of the sides that opened beyond the notch over how far the tear came there
        pub detour: Option<f64>,
        /// particles that were split, or sides that left, of the tear beyond the notch
        pub torn: usize,
        /// particles that were split, or sides that left, elsewhere
        pub elsewhere: usize,
        /// pieces at the end
        pub pieces: usize,
    }
}

/// Squares.
pub struct Paths(pub PathRanges);

impl Paths {
    fn row(&self, square: &Square) -> Option<PathRow> {
        let run = square.run(self.0.step.get(), self.0.duration.get())?;
        let detour = run.through.filter(|_| square.way == Way::Open).map(|_| run.detour(square));
        let Run { tear, torn, course, runs, through } = run;
        Some(PathRow {
            faces: square.faces,
            way: square.way,
            side: square.side,
            angle: square.angle,
            status: course.status(),
            steps: course.taken(),
            runs,
            through,
            beside: tear.beside().filter(|_| through.is_some()),
            detour,
            torn: tear.places.len(),
            elsewhere: tear.elsewhere.len(),
            pieces: if square.way == Way::Open { torn.mesh.pieces() } else { torn.net.parts() },
        })
    }
}

impl Group for Paths {
    const NAME: &'static str = "paths";
    const ABOUT: &'static str = "squares with a notch whose borders are drawn apart, by mesh and direction of the pull";
    const SAMPLED: bool = false;
    type Case = Square;
    type Row = PathRow;

    fn sets(&self) -> u64 {
        kinds(&self.0.sides, &self.0.angles).len() as u64 * u64::from(self.0.draws.get())
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Square {
        let kinds = kinds(&self.0.sides, &self.0.angles);
        Square::draw(kinds[set as usize % kinds.len()], stream)
    }

    fn kin(&self, square: &Square) -> u64 {
        square.side as u64
    }

    fn measure(&self, square: &Square) -> Vec<PathRow> {
        self.row(square).into_iter().collect()
    }
}

/// Panels by direction of the pull: a quantity of the squares against their particles a side.
fn panels(rows: &[PathRow], y: &str, quantity: fn(&PathRow) -> Option<f64>) -> Vec<Panel> {
    let range = extent(rows.iter().filter_map(quantity));
    let of_angle = |angle: f64| {
        let kinds = Faces::ALL.into_iter().flat_map(|faces| [Way::Simple, Way::Open].map(|way| (faces, way)));
        let layers = kinds.enumerate().flat_map(|(k, (faces, way))| {
            let of =
                rows.iter().filter(|row| (row.angle, row.faces, row.way, row.status) == (angle, faces, way, Status::Finished));
            let each = grouped(of.filter_map(|row| Some((row.side, quantity(row)?))));
            let mut points: Vec<[f64; 4]> =
                each.into_iter().filter_map(|(side, all)| bar_of_repeats(side as f64, &all)).collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            Layer::line_with_bars(format!("{faces}, {way}"), Palette::series(k), points)
        });
        let axis = Axis::linear(y).range(0.0_f64.min(range[0]), 1.05 * range[1].max(1e-9));
        Panel::new(Axis::log("particles a side"), axis, layers.collect()).titled(format!("pulled at {angle}°")).legend_outside()
    };
    distinct(rows.iter().map(|row| row.angle)).into_iter().map(of_angle).collect()
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Paths>()?;
    let all = [
        panels(&rows, "strain at which it runs", |row| row.runs),
        panels(&rows, "beside the normal of the pull [°]", |row| row.beside),
        panels(&rows, "opened sides over its way", |row| row.detour),
    ];
    let columns = all[0].len().clamp(1, 4);
    let caption = "Squares with a notch across the pull: strain of the borders at which a tear runs on from both of its ends; of \
                   tears that ran through, the angle to the normal of the pull, and the length of the sides that opened over how \
                   far the tear came. Medians with the least and the largest.";
    let figure =
        Figure::new("paths", "When a tear runs and which way, by the mesh", caption, all.into_iter().flatten().collect());
    Ok(Figure { columns, ..figure.with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let PathRanges { duration, step, .. } = &ranges.paths;
    Topic::of(Paths(ranges.paths.clone())).plot("paths", chart).checked(check_steps("paths.duration", duration.get(), step.get()))
}

#[cfg(test)]
mod tests {
    use super::super::squares::ALLOWED;
    use super::super::squares::tests::square;
    use super::*;

    fn row(square: &Square) -> PathRow {
        let text = "sides = [17]\nangles = [0.0]\ndraws = 1\nstep = 0.004\nduration = 1.0";
        Paths(kit::ranges::stated(text)).row(square).unwrap()
    }

    #[test]
    fn a_grid_that_is_pulled_along_its_warp_tears_straight() {
        for way in [Way::Simple, Way::Open] {
            let found = row(&square(Faces::Grid, way, 0.0));
            assert!(
                found.status == Status::Finished && found.runs.unwrap() < ALLOWED && found.beside.unwrap() < 20.0,
                "{found:?}"
            );
            assert!(found.detour.is_none_or(|detour| (0.8..1.3).contains(&detour)), "{found:?}");
            assert_eq!(found.detour.is_some(), way == Way::Open);
        }
    }
}
