//! Squares with a notch that are drawn apart until they tear.
//!
//! A square is held along all of its borders, which are drawn apart in one direction, slowly and evenly. It has a notch across that
//! direction in its middle. Its springs resist stretch in all directions alike, so that a tear should run on straight from either
//! end of the notch, whatever the mesh.

use std::f64::consts::PI;

use cloth::tearing::TearLimits;
use cloth::triangles::{SpringMaterial, TriangleMesh};
use kit::prelude::*;
use kit::recorded::{Surroundings, surround};
use lab::measure::streams::stream;

use super::meshes::{Faces, LENGTH};
use super::torn::{Torn, Way, Weaving};

/// rho \[kg/m²\], ks of sides \[N/m\], that of diagonals over it: stretch costs the same in every direction at ks / 2.
const DENSITY: f64 = 0.2;
const STIFFNESS: f64 = 100.0;
const SHEAR: f64 = 0.5;
/// Damping over stiffness \[s\].
const DAMPING: f64 = 1e-3;
/// How far sides may be stretched before they tear, |x| / L - 1 \[-\], and how far those at the notch, which is to open first.
pub const ALLOWED: f64 = 0.2;
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

/// A square, and how it is torn.
#[derive(Clone, Copy, Debug)]
pub struct Square {
    pub faces: Faces,
    pub way: Way,
    pub side: usize,
    /// Direction of the pull \[degrees\].
    pub angle: f64,
    /// Middle of the notch \[m\].
    middle: Vec3,
    seed: u64,
}

impl Square {
    /// One of its kind, its notch up to half a side of a face beside the middle.
    pub fn draw((faces, way, side, angle): (Faces, Way, usize, f64), stream: &mut ChaCha8Rng) -> Square {
        let h = LENGTH / (side - 1) as f64;
        let [x, y] = [(); 2].map(|()| 0.5 * LENGTH + h * stream.random_range(-0.5..0.5));
        Square { faces, way, side, angle, middle: Vec3::new(x, y, 0.0), seed: stream.random() }
    }

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
    fn torn(&self, rate: f64) -> Result<Torn, ModelError> {
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
pub struct Tear {
    /// How far a place may lie from the notch or from a place of the tear to belong to it \[m\].
    near: f64,
    /// Of the tear, beyond the notch.
    pub places: Vec<[f64; 2]>,
    /// Those that do not hang together with it.
    pub elsewhere: Vec<[f64; 2]>,
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

    /// Angle between the notch and the way from its nearer end to the places of the tear, by the means of how far these are along
    /// the pull, to either side, and beyond the end \[degrees\].
    pub fn beside(&self) -> Option<f64> {
        let sum = |of: fn(&[f64; 2]) -> f64| self.places.iter().map(of).sum::<f64>();
        let [along, beyond] = [sum(|[along, _]| along.abs()), sum(|[_, across]| (across.abs() - 0.5 * NOTCH).max(0.0))];
        (!self.places.is_empty()).then(|| libm::atan2(along, beyond) * 180.0 / PI)
    }
}

/// What is torn, mesh by mesh.
pub fn kinds(sides: &List<Side>, angles: &List<NonNegative>) -> Vec<(Faces, Way, usize, f64)> {
    let mut kinds = vec![];
    for faces in Faces::ALL {
        for way in [Way::Simple, Way::Open] {
            for side in sides.values() {
                kinds.extend(angles.values().iter().map(|angle| (faces, way, side.get() as usize, angle.get())));
            }
        }
    }
    kinds
}

/// A square that was torn.
pub struct Run {
    pub tear: Tear,
    pub torn: Torn,
    pub course: RunWatch,
    /// Strain of the borders when the tear ran on from either end of the notch, and when it had run through \[-\].
    pub runs: Option<f64>,
    pub through: Option<f64>,
}

impl Square {
    /// Draws its borders apart in steps of dt for a `duration` \[s\], until a tear has run through; none where something in it
    /// means nothing.
    pub fn run(&self, dt: f64, duration: f64) -> Option<Run> {
        let rate = MOST / duration;
        let mut torn = self.torn(rate).ok()?;
        let rest = torn.mesh.positions().to_vec();
        let steps = ((duration / dt).round() as u64).max(1);
        let fall = STIFFNESS * MOST * MOST * LENGTH * LENGTH; // more than the borders can put into the springs [J]
        surround(|| Surroundings { dt: Some(dt), solids: vec![] });
        let mut course = RunWatch::of_energy(0.0, fall, steps);
        let mut tear = Tear::new(self.spacing());
        let (mut runs, mut through) = (None, None);
        while course.goes_on() && through.is_none() {
            let known = torn.parents().len();
            torn.step(dt).ok()?;
            let split = torn.parents()[known..].iter().map(|parent| rest[torn.origin(*parent)]);
            let left = torn.left.iter().map(|side| 0.5 * (rest[side.i] + rest[side.j]));
            tear.add(split.chain(left).map(|place| self.relative(&place)));
            torn.watch(&mut course);
            let strain = rate * course.taken() as f64 * dt;
            runs = runs.or((tear.least() > 0.5 * NOTCH + RUNS).then_some(strain));
            through = (tear.least() > THROUGH).then_some(strain);
        }
        course.end_early(|| torn.net.energy(&torn.state));
        Some(Run { tear, torn, course, runs, through })
    }

    /// Where a place of its tear is \[m\].
    pub fn place(&self, [along, across]: [f64; 2]) -> Vec3 {
        let [pull, notch] = self.directions();
        self.middle + along * pull + across * notch
    }
}

impl Run {
    /// Length of the sides that opened beyond the notch over how far the tear came there \[-\].
    pub fn detour(&self, square: &Square) -> f64 {
        let came: f64 = self.tear.reach.iter().map(|reach| (reach - 0.5 * NOTCH).max(0.0)).sum();
        opened(square, &self.torn) / came
    }
}

/// Length of the sides that lie open beyond the notch, each counted once \[m\].
fn opened(square: &Square, torn: &Torn) -> f64 {
    let rest = torn.mesh.positions();
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn square(faces: Faces, way: Way, angle: f64) -> Square {
        Square { faces, way, side: 17, angle, middle: Vec3::new(0.51, 0.49, 0.0), seed: 1 }
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
        assert!((tear.least() - 0.09 * 2.0_f64.sqrt()).abs() < 1e-12);
        tear.add([[0.16, 0.16], [0.23, 0.23]].into_iter()); // between it and what was elsewhere
        assert_eq!((tear.places.len(), tear.elsewhere.len()), (6, 0));
        let mut slanting = Tear::new(0.05);
        slanting.add([[0.0, 0.15], [0.05, 0.175], [0.05, -0.2], [-0.02, -0.145]].into_iter());
        let [along, beyond] = [0.0 + 0.05 + 0.05 + 0.02, 0.025 + 0.05 + 0.075 + 0.02];
        assert!((slanting.beside().unwrap() - libm::atan(along / beyond) * 180.0 / PI).abs() < 1e-9);
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
}
