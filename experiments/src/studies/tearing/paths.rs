//! Which way does a tear run, how long is it and when does it run, by the mesh?
//!
//! A square is held along all of its borders, which are drawn apart in one direction, slowly and evenly. It has a notch across that
//! direction in its middle. Its springs resist stretch in all directions alike, so that a tear should run on straight from either
//! end of the notch, whatever the mesh.

use std::f64::consts::{FRAC_PI_2, PI};

use cloth::tearing::TearLimits;
use cloth::triangles::{SpringMaterial, TriangleMesh};
use lab::measure::streams::stream;

use super::meshes::{Faces, LENGTH};
use super::torn::{Torn, Way, Weaving};
use crate::prelude::*;
use crate::recorded::{Surroundings, surround};

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

/// rho \[kg/m²\], ks of sides \[N/m\], that of diagonals over it: stretch costs the same in every direction at ks / 2.
const DENSITY: f64 = 0.2;
const STIFFNESS: f64 = 100.0;
const SHEAR: f64 = 0.5;
/// Damping over stiffness \[s\].
const DAMPING: f64 = 1e-3;
/// How far sides may be stretched before they tear, |x| / L - 1 \[-\], and how far those at the notch, which is to open first.
const ALLOWED: f64 = 0.2;
const AT_THE_NOTCH: f64 = 0.05;
/// Length of the notch \[m\].
const NOTCH: f64 = 0.25;
/// How far beyond its end a tear runs on, and how far from the middle it has run through \[m\].
const RUNS: f64 = 0.05;
const THROUGH: f64 = 0.4;
/// How far the next particle along the notch is farther on at the least \[h\].
const ONWARD: f64 = 0.1;
/// How far places of a tear may be apart \[h\].
const NEAR: f64 = 2.0;
/// Largest strain \[-\].
const MOST: f64 = 2.2 * ALLOWED;

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
        pub status: String,
        /// steps taken
        pub steps: u64,
        /// strain of the borders when the tear runs on from either end of the notch
        pub runs: Option<f64>,
        /// strain of the borders when it has run through
        pub through: Option<f64>,
        /// angle between the tear beyond the notch and the normal of the pull \[degrees\]
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

/// A square, and how it is torn.
#[derive(Clone, Copy, Debug)]
pub struct Square {
    faces: Faces,
    way: Way,
    side: usize,
    /// Direction of the pull \[degrees\].
    angle: f64,
    /// Middle of the notch \[m\].
    middle: Vec3,
    seed: u64,
}

impl Square {
    /// Directions of the pull and of the notch.
    fn directions(&self) -> [Vec3; 2] {
        let (sin, cos) = libm::sincos(self.angle * PI / 180.0);
        [Vec3::new(cos, sin, 0.0), Vec3::new(-sin, cos, 0.0)]
    }

    fn spacing(&self) -> f64 {
        LENGTH / (self.side - 1) as f64
    }

    /// Where a place is from the middle of the notch: along the pull, along the notch \[m\].
    fn relative(&self, place: &Vec3) -> [f64; 2] {
        self.directions().map(|direction| direction.dot(&(place - self.middle)))
    }

    /// The particles along the notch: a way along sides from the one nearest to its lower end, each time to the neighbour farther
    /// on that is nearest to its line.
    fn notch(&self, mesh: &TriangleMesh) -> Vec<usize> {
        let place = |particle: usize| self.relative(&mesh.positions()[particle]);
        let far = |particle: &usize| libm::hypot(place(*particle)[0], place(*particle)[1] + 0.5 * NOTCH);
        let mut at = (0..mesh.particle_count()).min_by(|one, other| far(one).total_cmp(&far(other)));
        let (sides, mut notch) = (mesh.sides(), vec![]);
        while let Some(particle) = at.filter(|particle| place(*particle)[1] <= 0.5 * NOTCH) {
            notch.push(particle);
            let beside = sides.iter().filter_map(|side| match () {
                () if side.i == particle => Some(side.j),
                () if side.j == particle => Some(side.i),
                () => None,
            });
            let onward = beside.filter(|next| place(*next)[1] > place(particle)[1] + ONWARD * self.spacing());
            at = onward.min_by(|one, other| place(*one)[0].abs().total_cmp(&place(*other)[0].abs()));
        }
        notch
    }

    /// Whether the notch cuts through the way between two places.
    fn is_cut(&self, one: &Vec3, other: &Vec3) -> bool {
        let ([a, s], [b, t]) = (self.relative(one), self.relative(other));
        (a > 0.0) != (b > 0.0) && (s + (t - s) * a / (a - b)).abs() <= 0.5 * NOTCH
    }

    /// The square in front of its first step, whose borders are drawn apart at a `rate` of strain \[1/s\].
    fn torn(&self, rate: f64) -> Result<Torn, Invalid> {
        let mesh = self.faces.mesh(self.side, &mut stream("tearing", "squares", self.seed, 0))?;
        let of = |stiffness: f64| Elastic { stiffness, damping: DAMPING * stiffness };
        let material = SpringMaterial {
            density: DENSITY,
            stretch: of(STIFFNESS),
            shear: of(SHEAR * STIFFNESS),
            bend: of(0.0),
            ..SpringMaterial::default()
        };
        let (rest, pins) = (mesh.positions().to_vec(), mesh.borders());
        let mut limits = TearLimits::new(1.0 + ALLOWED)?;
        if self.way == Way::Open {
            limits = limits.with_seam(self.notch(&mesh), 1.0 + AT_THE_NOTCH)?;
        }
        let weaving = Weaving { material, pins: pins.clone(), gravity: Vec3::zeros(), air: 0.0 };
        let mut torn = Torn::new(weaving, mesh, self.way, limits, Settings::default())?;
        if self.way == Way::Simple {
            torn.cut(|spring| self.is_cut(&rest[spring.i], &rest[spring.j]));
        }
        let ([pull, _], centre) = (self.directions(), 0.5 * LENGTH * Vec3::new(1.0, 1.0, 0.0));
        pins.into_iter().for_each(|pin| torn.state.v[pin] = rate * pull.dot(&(rest[pin] - centre)) * pull);
        Ok(torn)
    }
}

/// A tear as far as it has come: places at which something tore, from the middle of the notch, along the pull and along the notch
/// \[m\].
struct Tear {
    /// How far a place may lie from the notch or from a place of the tear to belong to it \[m\].
    near: f64,
    /// Of the tear, beyond the notch.
    places: Vec<[f64; 2]>,
    /// Those that do not hang together with it.
    elsewhere: Vec<[f64; 2]>,
    /// How far it came from the middle at either end of the notch \[m\].
    reach: [f64; 2],
}

impl Tear {
    fn new(spacing: f64) -> Tear {
        Tear { near: NEAR * spacing, places: vec![], elsewhere: vec![], reach: [0.0; 2] }
    }

    /// Adds places, and those that were elsewhere before and hang together with the tear now.
    fn add(&mut self, places: impl Iterator<Item = [f64; 2]>) {
        self.elsewhere.extend(places);
        while let Some(k) = self.elsewhere.iter().position(|place| self.is_near(place)) {
            let [along, across] = self.elsewhere.swap_remove(k);
            let far = libm::hypot(along, across);
            if far > 0.5 * NOTCH {
                self.places.push([along, across]);
                let end = &mut self.reach[usize::from(across > 0.0)];
                *end = end.max(far);
            }
        }
    }

    fn is_near(&self, &[along, across]: &[f64; 2]) -> bool {
        let beyond = (across.abs() - 0.5 * NOTCH).max(0.0); // of the end of the notch
        let is_near = |[a, s]: &[f64; 2]| libm::hypot(along - a, across - s) <= self.near;
        libm::hypot(along, beyond) <= self.near || self.places.iter().any(is_near)
    }

    /// How far it came at both ends \[m\].
    fn least(&self) -> f64 {
        self.reach[0].min(self.reach[1])
    }

    /// Angle between its principal axis through the middle of the notch and the notch \[degrees\].
    fn beside(&self) -> Option<f64> {
        let sum = |of: fn(&[f64; 2]) -> f64| self.places.iter().map(of).sum::<f64>();
        let [aa, ss, sa] = [sum(|[a, _]| a * a), sum(|[_, s]| s * s), sum(|[a, s]| s * a)];
        let angle = 0.5 * libm::atan2(2.0 * sa, ss - aa); // of the larger axis of [[ss, sa], [sa, aa]]
        (self.places.len() > 1).then(|| angle.abs().min(FRAC_PI_2) * 180.0 / PI)
    }
}

/// Length of the sides that lie open beyond the notch, each counted once \[m\].
fn opened(square: &Square, torn: &Torn, rest: &[Vec3]) -> f64 {
    let sides = torn.net.stretch_springs().iter().map(|side| {
        let ends = [torn.origin(side.i), torn.origin(side.j)];
        ([ends[0].min(ends[1]), ends[0].max(ends[1])], side.rest)
    });
    let mut sides: Vec<([usize; 2], f64)> = sides.collect();
    sides.sort_unstable_by_key(|(ends, _)| *ends);
    let twice = sides.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let beyond = twice.filter(|pair| {
        let [i, j] = pair[0].0;
        let [along, across] = square.relative(&(0.5 * (rest[i] + rest[j])));
        libm::hypot(along, across) > 0.5 * NOTCH
    });
    beyond.map(|pair| pair[0].1).sum()
}

/// Squares.
pub struct Paths(pub PathRanges);

impl Paths {
    fn row(&self, square: &Square) -> Option<PathRow> {
        let (step, duration) = (self.0.step.get(), self.0.duration.get());
        let rate = MOST / duration;
        let mut torn = square.torn(rate).ok()?;
        let rest = torn.mesh.positions().to_vec();
        let steps = ((duration / step).round() as u64).max(1);
        let fall = STIFFNESS * MOST * MOST * LENGTH * LENGTH; // more than the borders can put into the springs [J]
        surround(|| Surroundings { dt: Some(step), solids: vec![] });
        let mut course = Course::of_energy(0.0, fall, steps);
        let mut tear = Tear::new(square.spacing());
        let (mut runs, mut through) = (None, None);
        while course.goes_on() && through.is_none() {
            let known = torn.parents().len();
            torn.step(step).ok()?;
            let split = torn.parents()[known..].iter().map(|parent| rest[torn.origin(*parent)]);
            let left = torn.left.iter().map(|side| 0.5 * (rest[side.i] + rest[side.j]));
            tear.add(split.chain(left).map(|place| square.relative(&place)));
            torn.watch(&mut course);
            let strain = rate * course.taken() as f64 * step;
            runs = runs.or((tear.least() > 0.5 * NOTCH + RUNS).then_some(strain));
            through = (tear.least() > THROUGH).then_some(strain);
        }
        course.end_early(|| torn.net.energy(&torn.state));
        let came: f64 = tear.reach.iter().map(|reach| (reach - 0.5 * NOTCH).max(0.0)).sum();
        let is_open = square.way == Way::Open && came > 0.0;
        Some(PathRow {
            faces: square.faces,
            way: square.way,
            side: square.side,
            angle: square.angle,
            status: course.fate().name().into(),
            steps: course.taken(),
            runs,
            through,
            beside: tear.beside().filter(|_| through.is_some()),
            detour: is_open.then(|| opened(square, &torn, &rest) / came).filter(|_| through.is_some()),
            torn: tear.places.len(),
            elsewhere: tear.elsewhere.len(),
            pieces: if square.way == Way::Open { torn.mesh.pieces() } else { torn.net.parts() },
        })
    }

    /// What is torn, mesh by mesh.
    fn kinds(&self) -> Vec<(Faces, Way, usize, f64)> {
        let mut kinds = vec![];
        for faces in Faces::ALL {
            for way in [Way::Simple, Way::Open] {
                for side in self.0.sides.values() {
                    kinds.extend(self.0.angles.values().iter().map(|angle| (faces, way, side.get() as usize, angle.get())));
                }
            }
        }
        kinds
    }
}

impl Group for Paths {
    const NAME: &'static str = "paths";
    const ABOUT: &'static str = "squares with a notch whose borders are drawn apart, by mesh and direction of the pull";
    const SAMPLED: bool = false;
    type Case = Square;
    type Row = PathRow;

    fn sets(&self) -> u64 {
        self.kinds().len() as u64 * u64::from(self.0.draws.get())
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Square {
        let kinds = self.kinds();
        let (faces, way, side, angle) = kinds[set as usize % kinds.len()];
        let h = LENGTH / (side - 1) as f64;
        let [x, y] = [(); 2].map(|()| 0.5 * LENGTH + h * stream.random_range(-0.5..0.5));
        Square { faces, way, side, angle, middle: Vec3::new(x, y, 0.0), seed: stream.random() }
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
                rows.iter().filter(|row| (row.angle, row.faces, row.way, row.status.as_str()) == (angle, faces, way, FINISHED));
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
    use super::*;

    fn square(faces: Faces, way: Way, angle: f64) -> Square {
        Square { faces, way, side: 17, angle, middle: Vec3::new(0.51, 0.49, 0.0), seed: 1 }
    }

    fn row(square: &Square) -> PathRow {
        let text = "sides = [17]\nangles = [0.0]\ndraws = 1\nstep = 0.004\nduration = 1.0";
        Paths(crate::ranges::stated(text)).row(square).unwrap()
    }

    #[test]
    fn places_are_told_from_the_notch() {
        let square = square(Faces::Grid, Way::Simple, 90.0);
        let [along, across] = square.relative(&(square.middle + Vec3::new(0.1, 0.02, 0.0)));
        assert!((along - 0.02).abs() < 1e-12 && (across + 0.1).abs() < 1e-12);
        let at = |x: f64, y: f64| square.middle + Vec3::new(x, y, 0.0);
        assert!(square.is_cut(&at(0.1, -0.03), &at(0.1, 0.03)) && !square.is_cut(&at(0.1, 0.01), &at(0.1, 0.03)));
        assert!(square.is_cut(&at(0.05, -0.1), &at(0.15, 0.1)) && !square.is_cut(&at(0.1, -0.1), &at(0.2, 0.1)));
        let mut tear = Tear::new(0.05);
        tear.add([[0.0, 0.1], [0.09, 0.09], [0.3, 0.3], [-0.09, -0.09], [-0.15, -0.15]].into_iter());
        assert_eq!((tear.places.len(), tear.elsewhere.len()), (3, 1));
        assert!((tear.beside().unwrap() - 45.0).abs() < 1e-9 && (tear.least() - 0.09 * 2.0_f64.sqrt()).abs() < 1e-12);
        tear.add([[0.16, 0.16], [0.23, 0.23]].into_iter()); // between it and what was elsewhere
        assert_eq!((tear.places.len(), tear.elsewhere.len()), (6, 0));
    }

    #[test]
    fn a_notch_is_a_way_along_sides() {
        let mesh = TriangleMesh::of_grid(&Grid::new(17, 17, 1.0 / 16.0).unwrap()).unwrap();
        let notch =
            |angle: f64| Square { middle: Vec3::new(0.5, 0.5, 0.0), ..square(Faces::Grid, Way::Open, angle) }.notch(&mesh);
        assert_eq!(notch(0.0), [6, 7, 8, 9, 10].map(|row| 17 * row + 8));
        let slanting = notch(45.0); // from the lower right to the upper left
        assert!(slanting.windows(2).all(|pair| [1, 17].contains(&pair[0].abs_diff(pair[1]))), "{slanting:?}");
        assert!(slanting.contains(&(17 * 8 + 8)) && slanting.len() >= 5);
        for faces in Faces::ALL {
            let square = square(faces, Way::Open, 30.0);
            let mesh = square.faces.mesh(17, &mut stream("tearing", "squares", 1, 0)).unwrap();
            assert!(square.notch(&mesh).iter().all(|k| square.relative(&mesh.positions()[*k])[0].abs() < square.spacing()));
        }
    }

    #[test]
    fn a_grid_that_is_pulled_along_its_warp_tears_straight() {
        for way in [Way::Simple, Way::Open] {
            let found = row(&square(Faces::Grid, way, 0.0));
            assert!(found.status == FINISHED && found.runs.unwrap() < ALLOWED && found.beside.unwrap() < 6.0, "{found:?}");
            assert!(found.detour.is_none_or(|detour| (0.8..1.3).contains(&detour)), "{found:?}");
            assert_eq!(found.detour.is_some(), way == Way::Open);
        }
    }
}
