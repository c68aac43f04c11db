//! What is simulated: sheets that fall so that they meet themselves, and whether their triangles cross.

use std::f64::consts::PI;

use cloth::Family;
use cloth::contact::Solid;
use cloth::run::Collisions;
use collision::{Surface, Vec3 as Place, crossings};
use kit::prelude::*;

words! {
    /// How a sheet falls.
    pub enum Fall {
        /// Flat, over a bar beside its middle.
        Bar = "over a bar",
        /// Folded in two, on the ground.
        Folded = "folded in two",
        /// Upright, on an edge, to the ground.
        Upright = "upright to the ground",
    }
}

ranges!(Drapes {
    //! What sheets of 1 m are drawn from.
    /// How they fall.
    fall: List<Fall>,
    /// Particles a side.
    side: List<Side>,
    /// Areal density \[kg/m²\], log-uniform.
    density: Ends,
    /// Stiffness along warp and weft \[N/m\], log-uniform.
    stiffness: Ends,
});

/// A sheet of 1 m and what it falls onto.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drape {
    pub fall: Fall,
    pub side: usize,
    pub density: f64,
    pub stiffness: f64,
    /// Of the bar or the fold from the middle of the sheet \[m\].
    pub beside: f64,
    /// Of an upright sheet from the vertical \[rad\].
    pub tilt: f64,
}

/// Side of a sheet \[m\], and the distance that exact collisions keep: a thousandth of it \[m\].
pub const LENGTH: f64 = 1.0;
pub const THICKNESS: f64 = 1e-3 * LENGTH;
/// mu of cloth on cloth and on solids \[-\].
pub const FRICTION: f64 = 0.3;
/// Resistance of the air \[1/s\].
pub const AIR: f64 = 0.5;
/// Stiffness of diagonals and of bending over that along warp and weft \[-\], damping over stiffness \[s\].
const SHEAR: f64 = 0.2;
const BEND: f64 = 1e-3;
const DAMPING: f64 = 1e-3;
/// Radius of the bar, and how far what a sheet falls onto lies below it at the start \[m\].
const BAR: f64 = 0.03;
const BELOW: f64 = 0.01;
/// How far bars and folds may lie beside the middle \[m\], and how far upright sheets may lean either way \[rad\].
const BESIDE: f64 = 0.1;
const TILT: f64 = 0.2;

impl Drape {
    pub fn draw(drapes: &Drapes, stream: &mut ChaCha8Rng) -> Drape {
        let fall = pick(stream, drapes.fall.values());
        let side = pick(stream, drapes.side.values()).get() as usize;
        let density = log_uniform(stream, drapes.density.get());
        let stiffness = log_uniform(stream, drapes.stiffness.get());
        let [beside, tilt] = [BESIDE, TILT].map(|most| stream.random_range(-most..most));
        Drape { fall, side, density, stiffness, beside, tilt }
    }

    /// h \[m\].
    pub fn spacing(&self) -> f64 {
        LENGTH / (self.side - 1) as f64
    }

    /// Its particles.
    ///
    /// # Errors
    /// A side that is none.
    pub fn grid(&self) -> Result<Grid, ModelError> {
        Grid::new(self.side, self.side, self.spacing())
    }

    /// Masses \[kg\], and which particles are held: none.
    pub fn particles(&self) -> (Vec<f64>, Vec<bool>) {
        let count = self.side * self.side;
        (vec![self.density * LENGTH * LENGTH / count as f64; count], vec![false; count])
    }

    /// The sheet of springs: warp, weft and diagonals in extension only, bending both ways.
    ///
    /// # Errors
    /// A side that is none, a density or a stiffness out of range.
    pub fn net(&self) -> Result<Net, ModelError> {
        let springs = springs_of(&self.grid()?, |family| match family {
            Family::Stretch => self.stiffness,
            Family::Shear => SHEAR * self.stiffness,
            Family::Bend => BEND * self.stiffness,
        });
        let of = |family: Family| springs.iter().filter(|(own, _)| *own == family).map(|(_, spring)| *spring).collect();
        let (masses, held) = self.particles();
        let families = [Family::Stretch, Family::Shear, Family::Bend].map(of);
        let mut net = Net::of_families(masses, held, families, false)?;
        net.air = AIR;
        Ok(net)
    }

    /// Where it starts, at rest.
    ///
    /// # Errors
    /// A side that is none.
    pub fn start(&self) -> Result<State, ModelError> {
        let (sin, cos) = libm::sincos(self.tilt);
        let placed = |x: Vec3| match self.fall {
            Fall::Bar => x,
            Fall::Folded => folded(x, 0.5 * LENGTH + self.beside, self.spacing()),
            Fall::Upright => Vec3::new(x.x, x.y * sin, x.y * cos),
        };
        Ok(State::at_rest(self.grid()?.flat().into_iter().map(placed).collect()))
    }

    /// What it falls onto.
    pub fn solids(&self) -> Vec<Solid> {
        let end = |y: f64| Vec3::new(0.5 * LENGTH + self.beside, y, -BELOW - BAR);
        match self.fall {
            Fall::Bar => vec![Solid::Capsule { from: end(-LENGTH), to: end(2.0 * LENGTH), radius: BAR }],
            Fall::Folded | Fall::Upright => vec![Solid::Plane { point: -BELOW * Vec3::z(), normal: Vec3::z() }],
        }
    }

    /// Energy that a fall by its side sets free \[J\].
    pub fn fall_energy(&self) -> f64 {
        self.density * LENGTH * LENGTH * GRAVITY * LENGTH
    }
}

/// A point of a flat sheet that is folded back over itself behind the line x = `from`, round a half circle of `radius` \[m\].
pub fn folded(x: Vec3, from: f64, radius: f64) -> Vec3 {
    let angle = (x.x - from) / radius;
    if angle <= 0.0 {
        return x;
    }
    let (sin, cos) = libm::sincos(angle.min(PI));
    let beyond = (x.x - from - PI * radius).max(0.0);
    Vec3::new(from + radius * sin - beyond, x.y, radius * (1.0 - cos))
}

/// Springs of a grid with the stiffness \[N/m\] of their family.
pub fn springs_of(grid: &Grid, stiffness: impl Fn(Family) -> f64) -> Vec<(Family, NetSpring)> {
    let of = |spring: cloth::Spring| {
        let stiffness = stiffness(spring.family);
        let elastic = Elastic { stiffness, damping: DAMPING * stiffness };
        (spring.family, NetSpring { i: spring.i, j: spring.j, rest: spring.rest, elastic })
    };
    grid.springs().into_iter().map(of).collect()
}

/// Triangles of a sheet of `side` x `side` particles, two a cell.
pub fn faces(side: usize) -> Vec<[u32; 3]> {
    let cells = (0..side - 1).flat_map(|j| (0..side - 1).map(move |i| (j * side + i) as u32));
    let next = side as u32;
    cells.flat_map(|k| [[k, k + 1, k + next + 1], [k, k + next + 1, k + next]]).collect()
}

/// What came of a run, and why it is not finished: it may have ended at a step whose collisions were refused.
pub fn status_of(course: &RunWatch, collisions: Option<&Collisions>) -> (Status, Option<String>) {
    match collisions.and_then(|own| own.last().err()) {
        Some(caught) => (Status::Refused, Some(caught.to_string())),
        None => (course.status(), course.reason()),
    }
}

/// How often and how much a sheet crosses itself.
pub struct Watch {
    surface: Surface,
    steps: u64,
    /// Steps after which some triangles crossed.
    pub crossed: u64,
    /// Pairs of triangles that crossed, at the worst step and at the last one.
    pub worst: usize,
    pub last: usize,
    /// The first step after which some did.
    pub first: Option<u64>,
}

impl Watch {
    /// None where the sheet has no triangles.
    pub fn new(side: usize) -> Option<Watch> {
        let surface = Surface::new(faces(side), side * side).ok()?;
        Some(Watch { surface, steps: 0, crossed: 0, worst: 0, last: 0, first: None })
    }

    /// Looks at the places after another step \[m\]; those that are no numbers are passed over.
    pub fn look(&mut self, x: &[Place]) {
        self.steps += 1;
        if x.iter().any(|x| !x.iter().all(|q| q.is_finite())) {
            return;
        }
        self.last = crossings(&self.surface, x).len();
        self.worst = self.worst.max(self.last);
        if self.last > 0 {
            self.crossed += 1;
            self.first.get_or_insert(self.steps);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAR: Drape = Drape { fall: Fall::Bar, side: 5, density: 0.2, stiffness: 100.0, beside: 0.1, tilt: 0.2 };

    #[test]
    fn sheets_by_hand() {
        let net = BAR.net().unwrap();
        assert!((net.masses().iter().sum::<f64>() - 0.2).abs() < 1e-12);
        assert_eq!(net.springs().len(), 2 * 20 + 2 * 16 + (2 * 15 + 2 * 9));
        assert!((BAR.fall_energy() - 0.2 * GRAVITY).abs() < 1e-12);
        let Solid::Capsule { from, .. } = BAR.solids()[0] else { panic!("a bar") };
        assert!((from - Vec3::new(0.6, -1.0, -0.04)).norm() < 1e-15);
        let upright = Drape { fall: Fall::Upright, ..BAR }.start().unwrap().x;
        assert!((upright[24].norm() - 2.0_f64.sqrt()).abs() < 1e-12 && upright[24].z > 0.9, "it keeps its shape");
    }

    #[test]
    fn a_fold_keeps_lengths_along_the_sheet() {
        let at = |x: f64| folded(Vec3::new(x, 0.3, 0.0), 0.5, 0.1);
        assert_eq!(at(0.4), Vec3::new(0.4, 0.3, 0.0));
        assert!((at(0.5 + 0.05 * PI) - Vec3::new(0.6, 0.3, 0.1)).norm() < 1e-15, "a quarter of the way round");
        assert!((at(0.5 + 0.1 * PI + 0.2) - Vec3::new(0.3, 0.3, 0.2)).norm() < 1e-15, "back above itself");
    }

    #[test]
    fn a_sheet_that_crosses_itself_is_seen() {
        let mut watch = Watch::new(5).unwrap();
        let flat = BAR.start().unwrap().x;
        watch.look(&flat);
        assert_eq!((watch.crossed, watch.first, faces(5).len()), (0, None, 32));
        let mut through = flat;
        through[0] = Vec3::new(0.6, 0.6, -0.1); // a corner, drawn from below...
        through[1] = Vec3::new(0.6, 0.6, 0.1); // ...through the middle
        watch.look(&through);
        assert!(watch.crossed == 1 && watch.worst > 0 && watch.first == Some(2));
        watch.look(&[Vec3::repeat(f64::NAN)]);
        assert_eq!(watch.crossed, 1);
    }
}
