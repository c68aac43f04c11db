//! What is torn: sheets that are held and loaded, and the springs that they are woven of.

use cloth::tearing::TearLimits;
use cloth::triangles::SpringMaterial;
use kit::prelude::*;
use kit::recorded::{Surroundings, surround};
use lab::measure::streams::stream;

use super::meshes::{Faces, LENGTH};
use super::torn::{Torn, Way, Weaving};

words! {
    /// What tears a sheet.
    pub enum Load {
        /// It hangs by a part of its upper side.
        Weight = "own weight",
        /// Its right side is drawn away from its left one, and twice as far at its upper end as at its lower one.
        Pull = "pulled apart",
    }
}

words! {
    /// Between which particles there are springs.
    pub enum Weave {
        /// Sides and both diagonals of squares, and every other particle \[Stuyck 2018, 4.3\].
        All = "sides, diagonals, bend",
        /// Sides of squares.
        Sides = "sides alone",
        Diagonals = "sides and diagonals",
        Bends = "sides and bend",
        /// Sides of triangles.
        Triangles = "triangles",
        /// Sides of triangles, and across them.
        BentTriangles = "triangles and bend",
    }
}

ranges!(Sheets {
    //! What sheets of 1 m are drawn from.
    /// What tears them.
    load: List<Load>,
    /// Particles a side.
    side: List<Side>,
    /// Areal density \[kg/m²\], log-uniform.
    density: Ends,
    /// How far a side may be stretched before it tears, |x| / L - 1 \[-\], log-uniform.
    allowed: Ends,
    /// Strain by the weight of the whole sheet over that, log-uniform.
    overload: Ends,
    /// Stiffness of diagonals over that of sides, log-uniform.
    shear: Ends,
    /// Stiffness of bend springs over that of sides, log-uniform.
    bend: Ends,
    /// Share of the upper side that is held, log-uniform.
    held: Ends,
});

/// A sheet of 1 m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    pub load: Load,
    pub side: usize,
    pub density: f64,
    pub allowed: f64,
    pub overload: f64,
    pub shear: f64,
    pub bend: f64,
    pub held: f64,
    /// What its triangles are drawn from.
    pub seed: u64,
}

/// How fast a side is drawn away, over the speed of waves of stretch.
const SLOW: f64 = 0.1;
/// How far it is drawn: so many times what sides may be stretched, and a part of the length beyond.
const DRAWN: [f64; 2] = [1.25, 0.25];
/// How long a sheet hangs \[s\].
const HANGS: f64 = 0.8;
/// Angle by which it leans \[rad\].
const LEAN: f64 = 0.2;
/// Damping over stiffness \[s\], resistance of the air \[1/s\].
const DAMPING: f64 = 1e-3;
const AIR: f64 = 0.5;

impl Sheet {
    pub fn draw(sheets: &Sheets, stream: &mut ChaCha8Rng) -> Sheet {
        let load = pick(stream, sheets.load.values());
        let side = pick(stream, sheets.side.values()).get() as usize;
        let Sheets { density, allowed, overload, shear, bend, held, .. } = sheets;
        let [density, allowed, overload, shear, bend, held] =
            [density, allowed, overload, shear, bend, held].map(|ends| log_uniform(stream, ends.get()));
        Sheet { load, side, density, allowed, overload, shear, bend, held, seed: stream.random() }
    }

    /// ks of sides \[N/m\]: by its weight the whole sheet, held along its upper side, is strained by rho g L / ks.
    pub fn stiffness(&self) -> f64 {
        self.density * GRAVITY * LENGTH / (self.overload * self.allowed)
    }

    /// At which |x| / L it tears \[-\].
    pub fn limit(&self) -> f64 {
        1.0 + self.allowed
    }

    /// Speed at which the upper end of its right side is drawn away \[m/s\].
    fn speed(&self) -> f64 {
        match self.load {
            Load::Weight => 0.0,
            Load::Pull => SLOW * (self.stiffness() / self.density).sqrt(),
        }
    }

    /// Simulated time \[s\].
    pub fn duration(&self) -> f64 {
        match self.load {
            Load::Weight => HANGS,
            Load::Pull => (DRAWN[0] * self.allowed + DRAWN[1]) * LENGTH / self.speed(),
        }
    }

    /// Energy that a fall by its side sets free, or that its sides hold where all of them are as long as they may be \[J\].
    pub fn fall_energy(&self) -> f64 {
        match self.load {
            Load::Weight => self.density * LENGTH * LENGTH * GRAVITY * LENGTH,
            Load::Pull => self.stiffness() * self.allowed * self.allowed * LENGTH * LENGTH,
        }
    }

    /// Force at which a row of sides tears across the whole sheet \[N\].
    pub fn strength(&self) -> f64 {
        self.stiffness() * self.allowed * LENGTH
    }

    /// What makes its net.
    pub fn weaving(&self, weave: Weave) -> Weaving {
        let of = |share: f64| {
            let stiffness = share * self.stiffness();
            Elastic { stiffness, damping: DAMPING * stiffness }
        };
        let has_shear = matches!(weave, Weave::All | Weave::Diagonals);
        let has_bend = matches!(weave, Weave::All | Weave::Bends | Weave::BentTriangles);
        let material = SpringMaterial {
            density: self.density,
            stretch: of(1.0),
            shear: of(if has_shear { self.shear } else { 0.0 }),
            bend: of(if has_bend { self.bend } else { 0.0 }),
            ..SpringMaterial::default()
        };
        let row = |row: usize| (0..self.side).map(move |k| row * self.side + k);
        let column = |column: usize| (0..self.side).map(move |k| k * self.side + column);
        let (sin, cos) = libm::sincos(LEAN);
        match self.load {
            Load::Weight => {
                let held = ((self.held * self.side as f64).round() as usize).max(2);
                let pins = row(self.side - 1).take(held).collect();
                Weaving { material, pins, gravity: GRAVITY * Vec3::new(0.0, sin, -cos), air: AIR }
            }
            Load::Pull => {
                let pins = column(0).chain(column(self.side - 1)).collect();
                Weaving { material, pins, gravity: Vec3::zeros(), air: AIR }
            }
        }
    }

    /// A run of it.
    ///
    /// # Errors
    /// Numbers out of range.
    pub fn torn(&self, weave: Weave, way: Way, settings: Settings) -> Result<Torn, ModelError> {
        let faces = if matches!(weave, Weave::Triangles | Weave::BentTriangles) { Faces::Triangles } else { Faces::Grid };
        let mesh = faces.mesh(self.side, &mut stream("tearing", "points", self.seed, 0))?;
        let mut torn = Torn::new(self.weaving(weave), mesh, way, TearLimits::new(self.limit())?, settings)?;
        torn.state.x.iter_mut().for_each(|x| *x = Vec3::new(x.x, 0.0, x.y)); // upright
        if self.load == Load::Pull {
            for k in 0..self.side {
                let share = 0.5 + 0.5 * k as f64 / (self.side - 1) as f64;
                torn.state.v[(k + 1) * self.side - 1] = share * self.speed() * Vec3::x();
            }
        }
        Ok(torn)
    }

    /// Steps of dt \[s\] in its duration.
    pub fn steps(&self, dt: f64) -> u64 {
        ((self.duration() / dt).round() as u64).max(1)
    }

    /// Follows a run of it to its end, which `look` sees after every step; none where something in it means nothing.
    pub fn followed(&self, torn: &mut Torn, dt: f64, mut look: impl FnMut(&Torn)) -> Option<RunWatch> {
        surround(|| Surroundings { dt: Some(dt), solids: vec![] });
        let mut course = RunWatch::of_energy(torn.net.energy(&torn.state), self.fall_energy(), self.steps(dt));
        while course.goes_on() {
            torn.step(dt).ok()?;
            look(torn);
            torn.watch(&mut course);
        }
        Some(course)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub const HANGING: Sheet = Sheet {
        load: Load::Weight,
        side: 7,
        density: 0.2,
        allowed: 0.2,
        overload: 1.5,
        shear: 0.5,
        bend: 0.05,
        held: 0.5,
        seed: 1,
    };

    #[test]
    fn sheets_by_hand() {
        let torn = HANGING.torn(Weave::All, Way::Open, Settings::default()).unwrap();
        assert!((HANGING.stiffness() - 0.2 * GRAVITY / 0.3).abs() < 1e-12);
        assert_eq!(torn.net.pinned().iter().filter(|pinned| **pinned).count(), 4);
        assert_eq!(torn.net.springs().len(), 2 * 42 + 2 * 36 + 2 * 35);
        for (weave, springs) in [(Weave::Sides, 84), (Weave::Diagonals, 84 + 72), (Weave::Bends, 84 + 70)] {
            assert_eq!(HANGING.torn(weave, Way::Simple, Settings::default()).unwrap().net.springs().len(), springs);
        }
        let triangles = |weave| HANGING.torn(weave, Way::Simple, Settings::default()).unwrap().net.springs().len();
        assert_eq!([triangles(Weave::Triangles), triangles(Weave::BentTriangles)], [120, 120 + 96]); // 3 n² - 4 n + 1, 96 inside
    }

    #[test]
    fn a_sheet_is_pulled_apart_from_above() {
        let sheet = Sheet { load: Load::Pull, ..HANGING };
        let mut torn = sheet.torn(Weave::Sides, Way::Open, Settings::default()).unwrap();
        torn.step(0.1).unwrap();
        for (particle, share) in [(6, 0.5), (48, 1.0)] {
            assert!((torn.state.x[particle].x - 1.0 - 0.1 * share * sheet.speed()).abs() < 1e-12);
        }
        assert!(torn.state.x[0].x == 0.0 && (sheet.speed() * sheet.duration() - 0.5).abs() < 1e-12);
    }
}
