//! Where do tears run? Squares as those of `paths`, place by place.

use kit::prelude::*;

use super::meshes::{Faces, LENGTH};
use super::squares::{Square, kinds};
use super::torn::Way;

ranges!(TrackRanges {
    //! Meshes and directions.
    /// Particles a side.
    sides: List<Side>,
    /// Directions of the pull, from the warp \[degrees\].
    angles: List<NonNegative>,
    /// dt \[s\].
    step: Positive,
    /// Time in which borders are drawn apart as far as they come \[s\].
    duration: Positive,
});

row! {
    /// A place at which a tear came by.
    pub struct TrackRow {
        /// grid, triangles
        pub faces: Faces,
        /// springs leave, mesh opens
        pub way: Way,
        /// particles a side
        pub side: usize,
        /// direction of the pull, from the warp \[degrees\]
        pub angle: f64,
        /// along the warp, from the middle of the notch \[m\]
        pub x: f64,
        /// along the weft \[m\]
        pub y: f64,
    }
}

/// Squares, one of each kind.
pub struct Tracks(pub TrackRanges);

impl Group for Tracks {
    const NAME: &'static str = "tracks";
    const ABOUT: &'static str = "places of the tears of such squares beyond the notch, one square of each kind";
    const SAMPLED: bool = false;
    type Case = Square;
    type Row = TrackRow;

    fn sets(&self) -> u64 {
        kinds(&self.0.sides, &self.0.angles).len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Square {
        Square::draw(kinds(&self.0.sides, &self.0.angles)[set as usize], stream)
    }

    fn kin(&self, square: &Square) -> u64 {
        square.side as u64
    }

    fn measure(&self, square: &Square) -> Vec<TrackRow> {
        let &Square { faces, way, side, angle, .. } = square;
        let run = square.run(self.0.step.get(), self.0.duration.get());
        let places = run.map_or_else(Vec::new, |run| run.tear.places);
        let row = |place: [f64; 2]| {
            let at = square.place(place) - square.place([0.0; 2]);
            TrackRow { faces, way, side, angle, x: at.x, y: at.y }
        };
        places.into_iter().map(row).collect()
    }
}

/// Tears, a panel for each mesh, way to tear and direction.
fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Tracks>()?;
    let (angles, sides) = (distinct(rows.iter().map(|row| row.angle)), distinct(rows.iter().map(|row| row.side)));
    let reach = 0.5 * LENGTH;
    let panel = |faces: Faces, way: Way, angle: f64| {
        let (sin, cos) = libm::sincos(angle * std::f64::consts::PI / 180.0);
        let straight = [-1.0, 1.0].map(|end| [-0.9 * reach * end * sin, 0.9 * reach * end * cos]).into();
        let layers = sides.iter().enumerate().map(|(k, &side)| {
            let of = rows.iter().filter(|row| (row.faces, row.way, row.angle, row.side) == (faces, way, angle, side));
            Layer::points(format!("{side} a side"), Palette::series(k), of.map(|row| [row.x, row.y]).collect())
        });
        let layers = [Layer::line("normal of the pull", Palette::GREY, straight)].into_iter().chain(layers).collect();
        let [x, y] = ["x [m]", "y [m]"].map(|name| Axis::linear(name).range(-reach, reach));
        let panel = Panel::new(x, y, layers).titled(format!("{faces}, {way}, {angle}°")).legend_outside();
        Panel { equal_aspect: true, ..panel }
    };
    let kinds = Faces::ALL.into_iter().flat_map(|faces| [Way::Simple, Way::Open].map(|way| (faces, way)));
    let panels = kinds.flat_map(|(faces, way)| angles.iter().map(move |&angle| (faces, way, angle)));
    let panels: Vec<Panel> = panels.map(|(faces, way, angle)| panel(faces, way, angle)).collect();
    let caption = "Places at which the tear from a notch in the middle came by, in the cloth as it was cut: ends of sides where the mesh \
                   opens, middles of sides that left. The grey line is the normal of the pull.";
    let figure = Figure::new("tracks", "Where tears run, by the mesh", caption, panels);
    Ok(Figure { columns: angles.len().clamp(1, 4), ..figure.with_one_legend() })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let TrackRanges { duration, step, .. } = &ranges.tracks;
    Topic::of(Tracks(ranges.tracks.clone())).plot("tracks", chart).checked(check_steps(
        "tracks.duration",
        duration.get(),
        step.get(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_tear_stays_beside_the_normal_of_the_pull() {
        let text = "sides = [17]\nangles = [0.0]\nstep = 0.005\nduration = 1.0";
        let tracks = Tracks(kit::ranges::stated(text));
        assert_eq!(tracks.sets(), 4);
        for set in 0..2 {
            let square = tracks.case(set, &mut lab::measure::streams::stream("tearing", "tracks", 1, set));
            let rows = tracks.measure(&square);
            assert!(rows.len() > 5 && rows.iter().all(|row| row.x.abs() < 2.0 / 16.0 && row.faces == Faces::Grid), "{rows:?}");
            assert!(rows.iter().any(|row| row.y > 0.3) && rows.iter().any(|row| row.y < -0.3));
        }
    }
}
