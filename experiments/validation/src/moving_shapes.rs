//! What the cases that move look like: moments of each beside its exact solution.

mod scenes;

use kit::prelude::*;

use scenes::{Look, looks};

ranges!(MovingShapeRanges {
    //! Pictures.
    /// Links of hanging chains, elements along bars, strips and membranes; even.
    elements: Count,
    /// Links of the folded chain, odd.
    links: Count,
});

words! {
    /// What moves.
    pub enum Scene {
        Pendulum = "pendulum",
        Chain1 = "hanging chain, mode 1",
        Chain2 = "hanging chain, mode 2",
        Chain3 = "hanging chain, mode 3",
        Folded = "folded chain",
        Axis = "car axis",
        Beam = "beam",
        Bar = "bar, mode 2",
        Strip = "taut strip, mode 1",
        Membrane = "membrane, mode 1, 2",
        Clamped1 = "clamped strip, mode 1",
        Clamped2 = "clamped strip, mode 2",
    }
}

row! {
    /// A particle at a moment, seen from the side.
    pub struct MovingRow {
        /// pendulum, hanging chain, mode 1 to 3, folded chain, car axis, beam, bar, mode 2, taut strip, mode 1, membrane, mode 1, 2, clamped strip, mode 1 to 2
        pub scene: Scene,
        /// time: over the period of what swings and vibrates, over the time to the lowest point of the folded chain, as in their problems of the axis and the beam
        pub moment: f64,
        /// number of the particle along what moves
        pub particle: u32,
        /// sideways, over the length; of hanging chains the displacement over that of the end at first
        pub x: f64,
        /// upward, over the length; of bars, strips and membranes the displacement over the largest at first
        pub z: f64,
        /// x of the exact solution
        pub exact_x: f64,
        /// z of the exact solution
        pub exact_z: f64,
    }
}

/// Moments of each case.
pub struct MovingShapes(pub MovingShapeRanges);

impl Group for MovingShapes {
    const NAME: &'static str = "moving-shapes";
    const ABOUT: &'static str = "particles of what moves at some moments beside exact solutions, a case a set";
    type Case = Scene;
    type Row = MovingRow;

    fn listed(&self) -> Vec<Scene> {
        Scene::ALL.into()
    }

    fn measure(&self, &scene: &Scene) -> Vec<MovingRow> {
        let rows = |Look { moment, places }: Look| {
            let row = move |(k, [[x, z], [exact_x, exact_z]]): (usize, [[f64; 2]; 2])| MovingRow {
                scene,
                moment,
                particle: k as u32,
                x,
                z,
                exact_x,
                exact_z,
            };
            places.into_iter().enumerate().map(row)
        };
        looks(scene, &self.0).map_or_else(|_| vec![], |looks| looks.into_iter().flat_map(rows).collect())
    }
}

/// Rows of a scene, a moment after the other.
fn moments(rows: &[MovingRow], scene: Scene) -> Vec<&[MovingRow]> {
    rows.chunk_by(|a, b| (a.scene, a.moment) == (b.scene, b.moment)).filter(|rows| rows[0].scene == scene).collect()
}

/// Particles of a line that are drawn, about, and the last one.
const DRAWN: usize = 16;

/// Legends of what was measured and of what it should be.
const MEASURED: &str = "measured";
const EXACT: &str = "exact";

/// A moment with exact places as a line and particles as circles, both where `place` has them.
fn moment(rows: &[MovingRow], (label, color): (&str, Color), place: impl Fn([f64; 2]) -> [f64; 2]) -> [Layer; 2] {
    let exact = rows.iter().map(|row| place([row.exact_x, row.exact_z])).collect();
    let (every, last) = (rows.len().div_ceil(DRAWN), rows.len() - 1);
    let drawn = rows.iter().enumerate().filter(|(k, _)| k % every == 0 || *k == last);
    let found = drawn.map(|(_, row)| place([row.x, row.z])).collect();
    [Layer::line(EXACT, Palette::BLACK, exact), Layer::points(label, color, found).marker(Marker::OpenCircle)]
}

/// A panel in which lengths are alike up and sideways.
pub fn plane(title: &str, layers: Vec<Layer>) -> Panel {
    let panel = Panel::new(Axis::linear("x/L"), Axis::linear("z/L"), layers).titled(title).legend_outside();
    Panel { equal_aspect: true, ..panel }
}

/// A pendulum at sixteenths of its period.
fn pendulum(rows: &[MovingRow]) -> Panel {
    let (mut layers, mut texts) = (vec![], vec![]);
    for (k, rows) in moments(rows, Scene::Pendulum).into_iter().enumerate() {
        let mass = &rows[rows.len() - 1];
        layers.extend(moment(rows, (MEASURED, Palette::BLUE), |at| at));
        texts.push(([1.17 * mass.exact_x, 1.17 * mass.exact_z], k.to_string()));
    }
    layers.push(Layer::texts(texts));
    plane("pendulum let go at 150°, numbered in sixteenths of its period", layers)
}

/// Arms of the folded chain are drawn so far apart, in widths of a place of the axis.
const ARMS: f64 = 0.16;

/// A folded chain at some moments side by side.
fn folded(rows: &[MovingRow]) -> Panel {
    let moments = moments(rows, Scene::Folded);
    let apart = moments.iter().flat_map(|rows| *rows).map(|row| row.exact_x).fold(0.0, f64::max);
    let wider = if apart > 0.0 { ARMS / apart } else { 0.0 };
    let mut layers = vec![];
    for (k, rows) in moments.iter().enumerate() {
        let place = |[x, z]: [f64; 2]| [(k + 1) as f64 + wider * (x - 0.5 * apart), z];
        let found: Vec<[f64; 2]> = rows.iter().map(|row| place([row.x, row.z])).collect();
        let exact: Vec<[f64; 2]> = rows.iter().map(|row| place([row.exact_x, row.exact_z])).collect();
        let [end, exact_end] = [&found, &exact].map(|chain| chain.last().copied().into_iter().collect());
        layers.push(Layer::line(EXACT, Palette::BLACK, exact));
        layers.push(Layer::line(MEASURED, Palette::SKY, found));
        layers.push(Layer::points("its free end, exact", Palette::BLACK, exact_end).marker(Marker::Cross));
        layers.push(Layer::points("its free end", Palette::VERMILLION, end).marker(Marker::OpenCircle));
    }
    let names = moments.iter().map(|rows| rows[0].moment.to_string());
    let x = Axis::categories("share of the time to its lowest point", names);
    Panel::new(x, Axis::linear("z/L"), layers).titled("folded chain whose right end is let go").legend_outside()
}

/// Particles of the car axis that have a path, by their numbers.
const PATHS: [(usize, &str, Color); 3] =
    [(1, "left wheel", Palette::BLUE), (2, "right wheel", Palette::VERMILLION), (3, "right foot, on the road", Palette::GREEN)];

/// The car axis: the paths of its wheels, and where springs and axle are at first and with the right foot highest and lowest.
fn axis(rows: &[MovingRow]) -> Panel {
    let moments = moments(rows, Scene::Axis);
    let foot = |rows: &&&[MovingRow]| rows.last().map_or(0.0, |foot| foot.exact_z);
    let highest = moments.iter().max_by(|a, b| foot(a).total_cmp(&foot(b)));
    let lowest = moments.iter().min_by(|a, b| foot(a).total_cmp(&foot(b)));
    let mut layers = vec![];
    for rows in [moments.first(), highest, lowest].into_iter().flatten() {
        let at = rows.iter().map(|row| [row.exact_x, row.exact_z]).collect();
        layers.push(Layer::line("springs and axle at three moments", Palette::GREY, at).dash(Dash::Dashed));
    }
    for (particle, name, color) in PATHS {
        let path: Vec<MovingRow> = moments.iter().filter_map(|rows| rows.get(particle)).cloned().collect();
        if !path.is_empty() {
            layers.extend(moment(&path, (name, color), |at| at));
        }
    }
    plane("car axis on a bumpy road: paths up to t = 3", layers)
}

/// The beam once a unit of time.
fn beam(rows: &[MovingRow]) -> Panel {
    let moments = moments(rows, Scene::Beam);
    let layers =
        |(k, rows): (usize, &&[MovingRow])| moment(rows, (&format!("t = {}", rows[0].moment), Palette::series(k)), |at| at);
    plane("stiff beam, clamped at the left", moments.iter().enumerate().flat_map(layers).collect())
}

/// By how much displacements of hanging chains are drawn smaller, in widths of a place of the axis, and how wide others are drawn.
const SWAY: f64 = 0.42;
const WIDE: f64 = 0.85;

/// Vibrations side by side, each at some moments of half a period; `place` says from the number of each where a place is drawn.
fn vibrations(
    rows: &[MovingRow],
    scenes: &[(Scene, &str)],
    [title, up]: [&str; 2],
    place: impl Fn(f64, [f64; 2]) -> [f64; 2],
) -> Panel {
    let mut layers = vec![];
    for (k, (scene, _)) in scenes.iter().enumerate() {
        for (color, rows) in moments(rows, *scene).into_iter().enumerate() {
            let label = format!("t = {} T", rows[0].moment);
            layers.extend(moment(rows, (&label, Palette::series(color)), |at| place((k + 1) as f64, at)));
        }
    }
    let x = Axis::categories("", scenes.iter().map(|(_, name)| *name));
    Panel::new(x, Axis::linear(up), layers).titled(title).legend_outside()
}

fn figure(rows: &[MovingRow]) -> Figure {
    let chains = [(Scene::Chain1, "mode 1"), (Scene::Chain2, "mode 2"), (Scene::Chain3, "mode 3")];
    let waves = [(Scene::Bar, "bar, mode 2"), (Scene::Strip, "taut strip, mode 1"), (Scene::Membrane, "membrane, mode 1, 2")];
    let strips = [(Scene::Clamped1, "mode 1"), (Scene::Clamped2, "mode 2")];
    let upright = |k: f64, [x, z]: [f64; 2]| [k + SWAY * x, z];
    let level = |k: f64, [x, z]: [f64; 2]| [k + WIDE * (x - 0.5), z];
    let panels = vec![
        pendulum(rows),
        folded(rows),
        axis(rows),
        beam(rows),
        vibrations(rows, &chains, ["hanging chain: swings over half a period T", "z/L"], upright),
        vibrations(rows, &strips, ["clamped strip: vibrations over half a period T", "displacement over that of the tip"], level),
        vibrations(rows, &waves, ["waves over half a period T", "displacement over the largest"], level),
    ];
    let caption = "Circles are particles that were simulated, each case by one method; black lines are where they should be. The \
                   pendulum and the folded chain go by RATTLE, all others by RK4. The left end of the folded chain is held and its \
                   right half falls; it is drawn many times as wide as it is. Small vibrations are drawn large: hanging chains sway \
                   in shapes of Bessel functions; of a bar, which moves along itself, the displacement is drawn upward, and of the \
                   membrane a line across its middle.";
    Figure { columns: 2, ..Figure::new("moving-shapes", "What the cases that move look like", caption, panels) }
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    Ok(figure(&results.without_sets::<MovingShapes>()?))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(MovingShapes(ranges.moving_shapes.clone()))
        .plot("moving-shapes", chart)
        .places(&[("moving-shapes", -1)])
        .checked(numbers_of_links(&ranges.moving_shapes))
}

/// Refuses a chain that cannot be folded, and a membrane without particles in its middle.
fn numbers_of_links(ranges: &MovingShapeRanges) -> Result<(), RangeError> {
    match [ranges.elements.get(), ranges.links.get()] {
        [elements, _] if elements % 2 == 1 => {
            Err(RangeError::here(format!("must be even, not {elements}")).within("moving-shapes.elements"))
        }
        [_, links] if links % 2 == 0 || links < 3 => {
            Err(RangeError::here(format!("must be odd and at least 3, not {links}")).within("moving-shapes.links"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(elements: u32, links: u32) -> MovingShapeRanges {
        kit::ranges::stated(&format!("elements = {elements}\nlinks = {links}"))
    }

    /// How far a scene is from its exact solution at most, and how far that moves.
    fn error_and_way(rows: &[MovingRow]) -> [f64; 2] {
        let apart = |a: [f64; 2], b: [f64; 2]| libm::hypot(a[0] - b[0], a[1] - b[1]);
        let exact = |row: &MovingRow| [row.exact_x, row.exact_z];
        let error = rows.iter().map(|row| apart([row.x, row.z], exact(row))).fold(0.0, f64::max);
        let particles = rows.iter().filter(|row| row.moment == rows[0].moment).count();
        let way = rows.iter().enumerate().map(|(k, row)| apart(exact(row), exact(&rows[k % particles]))).fold(0.0, f64::max);
        [error, way]
    }

    #[test]
    fn what_moves_is_drawn_near_its_exact_solution() {
        let shapes = MovingShapes(ranges(12, 33));
        let rows: Vec<MovingRow> = shapes.listed().iter().flat_map(|scene| shapes.measure(scene)).collect();
        for scene in Scene::ALL {
            let own: Vec<MovingRow> = rows.iter().filter(|row| row.scene == scene).cloned().collect();
            let bound = match scene {
                Scene::Pendulum => 1e-3,
                Scene::Axis => 1e-6,
                Scene::Beam => 1e-10,
                Scene::Chain3 => 0.4,
                Scene::Chain2 | Scene::Folded | Scene::Clamped1 | Scene::Clamped2 => 0.15,
                _ => 0.06,
            };
            let [error, way] = error_and_way(&own);
            assert!(error < bound && way > 0.1, "{scene}: {error} off on a way of {way}");
        }
        let figure = figure(&rows);
        assert_eq!(figure.outside(), 0);
        assert_eq!(figure.panels.len(), 7);
        let points = figure.points_csv().unwrap();
        for told in ["free end", "right wheel", "t = 5", "t = 0.375 T", "exact"] {
            assert!(points.contains(told), "{told} is not drawn");
        }
    }

    #[test]
    fn chains_that_cannot_be_folded_and_membranes_without_a_middle_are_refused() {
        assert!(numbers_of_links(&ranges(8, 17)).is_ok());
        assert!([(9, 17), (8, 16), (8, 1)].iter().all(|(elements, links)| numbers_of_links(&ranges(*elements, *links)).is_err()));
    }
}
