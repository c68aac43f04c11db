//! The random sheets of the thesis' experiments: drawn from its lists, and put into one of its configurations.

use cloth::contact::{Contacts, Friction, Solid};
use cloth::implicit::{Settings, Splitting, Work};
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::quantity::{NonNegative, Positive};
use cloth::stability::numerical_stiffness;
use cloth::{BendLaw, Cloth, Elastic, Grid, Material, ModelError, Pin, State, System, Vec3};
use lab::measure::streams::{ChaCha8Rng, pick};
use lab::row;

use crate::ranges::{List, Side, ranges};
use crate::words::words;

words! {
    /// What the sheet is held by or falls onto \[Boxerman 2003, 4.4.3\].
    pub enum Configuration {
        /// Two adjacent corners are pinned.
        Corners = "corners",
        /// It falls onto a square table, centred below it.
        Table = "table",
        /// It falls onto a sphere, centred below it.
        Sphere = "sphere",
        /// It falls onto a larger sphere beside its centre \[Boxerman 2003, 6.4.2\].
        OffCentreSphere = "off-centre-sphere",
        /// It falls to the ground, tilted \[Boxerman 2003, 6.4.3\].
        Ground = "ground",
    }
}

ranges!(Lists {
    //! Lists that sheets are drawn from, each entry independently of the others.
    /// What holds it.
    configuration: List<Configuration>,
    /// n, particles a side.
    side: List<Side>,
    /// h \[m\].
    spacing: List<Positive>,
    /// rho \[kg/m²\].
    density: List<Positive>,
    /// ks1 and ks2, of stretch and of shear \[N/m\].
    stiffness: List<NonNegative>,
    /// ks3, of bending \[N/m\].
    bend: List<NonNegative>,
    /// kd1 and kd2, of stretch and of shear \[N s/m\].
    damping: List<NonNegative>,
    /// kd, of air \[N s/m\].
    air: List<NonNegative>,
    /// dt \[s\].
    step: List<Positive>,
});

ranges!(LengthLists {
    //! Lists of the experiments with sheets of a given length \[Boxerman 2003, 5.3.1\]; h is the length over the particles a
    //! side.
    /// Length of the sheet's sides \[m\].
    length: Positive,
    /// n, particles a side.
    side: List<Side>,
    /// rho \[kg/m²\].
    density: List<Positive>,
    /// ks1 and ks2, of stretch and of shear \[N/m\].
    stiffness: List<NonNegative>,
    /// ks3, of bending \[N/m\].
    bend: List<NonNegative>,
    /// kd1 and kd2, of stretch and of shear \[N s/m\].
    damping: List<NonNegative>,
    /// kd, of air \[N s/m\].
    air: List<NonNegative>,
    /// dt \[s\].
    step: List<Positive>,
});

/// A square sheet, where it is, and the step it is integrated with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// What holds it.
    pub configuration: Configuration,
    /// n, particles a side.
    pub side: usize,
    /// h \[m\].
    pub spacing: f64,
    /// rho \[kg/m²\].
    pub density: f64,
    /// Springs to the nearest neighbours.
    pub stretch: Elastic,
    /// Springs to the diagonal neighbours.
    pub shear: Elastic,
    /// kb \[N/m\].
    pub bend: f64,
    /// ka \[N s/m\].
    pub air: f64,
    /// dt \[s\].
    pub step: f64,
}

row! {
    /// What a sheet is made of, as tables have it.
    pub struct Makeup {
        /// rho, areal density \[kg/m²\]
        pub density: f64,
        /// ks1, of the springs to the nearest neighbours \[N/m\]
        pub stretch_stiffness: f64,
        /// ks2, of the springs to the diagonal neighbours \[N/m\]
        pub shear_stiffness: f64,
        /// ks3, of the springs to the second neighbours \[N/m\]
        pub bend: f64,
        /// kd1, of the springs to the nearest neighbours \[N s/m\]
        pub stretch_damping: f64,
        /// kd2, of the springs to the diagonal neighbours \[N s/m\]
        pub shear_damping: f64,
        /// kd, air resistance of a particle \[N s/m\]
        pub air: f64,
    }
}

row! {
    /// A sheet at its step, as tables have it.
    pub struct SheetRow {
        /// n, particles a side
        pub side: usize,
        /// h, mesh spacing \[m\]
        pub spacing: f64,
        /// what it is made of
        pub makeup: Makeup,
        /// dt, time step \[s\]
        pub step: f64,
        /// dt/m (ks dt + 2 kd) of stretch
        pub stretch_kappa: f64,
        /// dt/m (ks dt + 2 kd) of shear
        pub shear_kappa: f64,
        /// 32.1 kb dt²/m: explicit bending is unstable above about 1
        pub bending_number: f64,
        /// how AIMEX treats stretch/shear
        pub splitting: Treatment,
    }
}

/// Radius of the sphere and half-width of the table over the side of the sheet \[-\]; the thesis gives neither.
const SOLID: f64 = 0.3;

/// Radius of the sphere beside the centre, and how far beside it lies, over the side of the sheet \[-\]: 0.4 m and (0.15, 0.10) m
/// for a sheet of 1.5 m.
const LARGER: f64 = 0.4 / 1.5;
const BESIDE: [f64; 2] = [0.15 / 1.5, 0.10 / 1.5];

/// Tilt about the x axis \[degrees\] and height of the lowest edge over the side of a sheet that falls to the ground \[-\]; the
/// thesis gives neither.
const TILT: f64 = 45.0;
const HEIGHT: f64 = 0.1;

/// Height of the sheet above a solid at the start over its side \[-\]: 2 mm for a sheet of a metre.
const GAP: f64 = 0.002;

words! {
    /// How a step treats stretch and shear springs, in the words of the thesis' table 4.1.
    pub enum Treatment {
        AllImplicit = "implicit/implicit",
        ShearExplicit = "implicit/explicit",
        StretchExplicit = "explicit/implicit",
        AllExplicit = "explicit/explicit",
    }
}

impl Sheet {
    /// A sheet from the lists.
    pub fn draw(lists: &Lists, stream: &mut ChaCha8Rng) -> Sheet {
        let configuration = pick(stream, lists.configuration.values());
        let side = pick(stream, lists.side.values()).get() as usize;
        let spacing = pick(stream, lists.spacing.values()).get();
        let density = pick(stream, lists.density.values()).get();
        let [stretch_stiffness, shear_stiffness] = [(); 2].map(|()| pick(stream, lists.stiffness.values()).get());
        let bend = pick(stream, lists.bend.values()).get();
        let [stretch_damping, shear_damping] = [(); 2].map(|()| pick(stream, lists.damping.values()).get());
        let air = pick(stream, lists.air.values()).get();
        let step = pick(stream, lists.step.values()).get();
        let stretch = Elastic { stiffness: stretch_stiffness, damping: stretch_damping };
        let shear = Elastic { stiffness: shear_stiffness, damping: shear_damping };
        Sheet { configuration, side, spacing, density, stretch, shear, bend, air, step }
    }

    /// A sheet from the lists of a given length.
    pub fn of_length(lists: &LengthLists, configuration: Configuration, stream: &mut ChaCha8Rng) -> Sheet {
        let side = pick(stream, lists.side.values()).get() as usize;
        let spacing = lists.length.get() / side as f64;
        let density = pick(stream, lists.density.values()).get();
        let [stretch_stiffness, shear_stiffness] = [(); 2].map(|()| pick(stream, lists.stiffness.values()).get());
        let bend = pick(stream, lists.bend.values()).get();
        let [stretch_damping, shear_damping] = [(); 2].map(|()| pick(stream, lists.damping.values()).get());
        let air = pick(stream, lists.air.values()).get();
        let step = pick(stream, lists.step.values()).get();
        let stretch = Elastic { stiffness: stretch_stiffness, damping: stretch_damping };
        let shear = Elastic { stiffness: shear_stiffness, damping: shear_damping };
        Sheet { configuration, side, spacing, density, stretch, shear, bend, air, step }
    }

    /// What it is made of, for a table.
    pub fn makeup(&self) -> Makeup {
        Makeup {
            density: self.density,
            stretch_stiffness: self.stretch.stiffness,
            shear_stiffness: self.shear.stiffness,
            bend: self.bend,
            stretch_damping: self.stretch.damping,
            shear_damping: self.shear.damping,
            air: self.air,
        }
    }

    /// A sheet at its step, for a table, with what AIMEX does at a threshold of kappa.
    pub fn row(&self, threshold: f64) -> SheetRow {
        let Sheet { side, spacing, step, .. } = *self;
        let [stretch_kappa, shear_kappa] = self.kappas(step);
        let (bending_number, splitting) = (self.bending_number(step), self.treatment(step, threshold));
        SheetRow { side, spacing, makeup: self.makeup(), step, stretch_kappa, shear_kappa, bending_number, splitting }
    }

    /// Particle steps a second, so that long runs come first.
    pub fn weight(&self) -> u64 {
        ((self.side * self.side) as u64).saturating_mul((1.0 / self.step) as u64)
    }

    /// m = rho h², mass of a particle \[kg\].
    pub fn mass(&self) -> f64 {
        self.density * self.spacing * self.spacing
    }

    /// kappa of stretch and of shear at a step \[Boxerman 2003, eq. 4.8\].
    pub fn kappas(&self, dt: f64) -> [f64; 2] {
        [self.stretch, self.shear].map(|elastic| numerical_stiffness(dt, self.mass(), elastic))
    }

    /// 32.1 kb dt²/m \[-\]: explicit bending is unstable where it exceeds about 1.
    pub fn bending_number(&self, dt: f64) -> f64 {
        32.1 * self.bend * dt * dt / self.mass()
    }

    /// What the adaptive scheme chooses at a threshold of kappa.
    pub fn treatment(&self, dt: f64, threshold: f64) -> Treatment {
        let [stretch, shear] = self.kappas(dt).map(|kappa| kappa <= threshold);
        Treatment::ALL[2 * usize::from(stretch) + usize::from(shear)]
    }

    /// Whether the adaptive scheme makes all stretch and shear springs implicit at a threshold of kappa, so that with implicit
    /// bending it is the implicit scheme to the bit. Particles at the border are lighter, their springs stiffer still.
    pub fn is_implicit(&self, dt: f64, threshold: f64) -> bool {
        self.treatment(dt, threshold) == Treatment::AllImplicit
    }

    /// The sheet itself.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn cloth(&self) -> Result<Cloth, ModelError> {
        let Sheet { side, spacing, density, stretch, shear, bend, air, .. } = *self;
        let material = Material { density, stretch, shear, bend, air, ..Material::default() };
        let pins: &[Pin] = match self.configuration {
            Configuration::Corners => &[Pin::At(0, 0), Pin::At(side - 1, 0)],
            _ => &[],
        };
        Cloth::new(Grid::new(side, side, spacing)?, material, pins)
    }

    /// Side of the sheet \[m\].
    pub fn length(&self) -> f64 {
        (self.side - 1) as f64 * self.spacing
    }

    /// Where it starts: flat in the plane z = 0, or tilted about the x axis.
    pub fn start(&self, cloth: &Cloth) -> State {
        let mut start = cloth.at_rest();
        if self.configuration == Configuration::Ground {
            let tilt = TILT.to_radians();
            for x in &mut start.x {
                *x = Vec3::new(x.x, x.y * libm::cos(tilt), x.y * libm::sin(tilt));
            }
        }
        start
    }

    /// What it falls onto.
    pub fn solid(&self) -> Option<Solid> {
        let (length, reach) = (self.length(), SOLID * self.length());
        let top = -GAP * length;
        let centre = Vec3::new(0.5 * length, 0.5 * length, top - reach);
        match self.configuration {
            Configuration::Corners => None,
            Configuration::Table => Some(Solid::Cuboid { centre, half: Vec3::new(reach, reach, reach) }),
            Configuration::Sphere => Some(Solid::Sphere { centre, radius: reach }),
            Configuration::OffCentreSphere => Some(self.sphere_beside(1.0)),
            Configuration::Ground => Some(Solid::Plane { point: Vec3::new(0.0, 0.0, -HEIGHT * length), normal: Vec3::z() }),
        }
    }
}

impl Sheet {
    /// The larger sphere below it, `offset` times as far beside its centre as usual \[-\].
    pub fn sphere_beside(&self, offset: f64) -> Solid {
        let (length, radius) = (self.length(), LARGER * self.length());
        let [x, y] = BESIDE.map(|beside| (0.5 + offset * beside) * length);
        Solid::Sphere { centre: Vec3::new(x, y, -GAP * length - radius), radius }
    }
}

/// A sheet on its way through time, by backward Euler with a splitting.
pub struct Run {
    /// The sheet.
    pub cloth: Cloth,
    /// Where it is.
    pub state: State,
    pub scheme: BackwardEuler,
    /// Steps so far.
    pub steps: u64,
    most_iterations: u64,
}

impl Run {
    /// A sheet at its start.
    ///
    /// # Errors
    /// A quantity outside its range.
    pub fn new(sheet: &Sheet, settings: Settings, splitting: Splitting, friction: Friction) -> Result<Run, ModelError> {
        let cloth = sheet.cloth()?;
        let mut scheme = BackwardEuler::split(&cloth, settings, splitting);
        if let Some(solid) = sheet.solid() {
            scheme = scheme.with_contacts(Contacts::new(cloth.particle_count(), vec![solid], friction));
        }
        Ok(Run::of(sheet.start(&cloth), cloth, scheme))
    }

    /// Any sheet, from any state, by a scheme made for it.
    pub fn of(start: State, cloth: Cloth, scheme: BackwardEuler) -> Run {
        Run { state: start, cloth, scheme, steps: 0, most_iterations: 0 }
    }

    /// Advances by `dt`; whether all coordinates are finite numbers.
    pub fn step(&mut self, dt: f64) -> bool {
        let before = self.scheme.work().iterations;
        self.scheme.step(&self.cloth, dt, &mut self.state);
        self.most_iterations = self.most_iterations.max(self.scheme.work().iterations - before);
        self.steps += 1;
        self.state.is_finite()
    }

    /// What it falls onto.
    pub fn solids(&self) -> Vec<Solid> {
        self.scheme.contacts().map_or(vec![], |contacts| contacts.solids().to_vec())
    }

    /// Work so far.
    pub fn work(&self) -> Work {
        self.scheme.work()
    }

    /// Most iterations of conjugate gradients in a step.
    pub fn most_iterations(&self) -> u64 {
        self.most_iterations
    }

    /// Particle steps in which cloth passed the solid.
    pub fn passed(&self) -> u64 {
        self.scheme.contacts().map_or(0, Contacts::passed)
    }

    /// What went wrong in its linear systems, in words; none where nothing did.
    pub fn trouble(&self) -> Option<String> {
        let work = self.work();
        let kinds = [
            (work.limited, "systems hit the limit of iterations"),
            (work.indefinite, "systems were not positive definite"),
            (work.not_finite, "systems met a number that is not finite"),
        ];
        let words: Vec<String> = kinds.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Why there is no picture of it, in words; none where all numbers are finite.
    pub fn lost(&self) -> Option<String> {
        match self.work().not_finite {
            0 => (!self.state.is_finite()).then(|| format!("not finite after {} steps", self.steps)),
            _ => self.trouble(),
        }
    }
}

/// Energy that a sheet has gained since its start, in units of a fall by its own length: a sign of instability. It is watched in
/// the last tenth of a run, since a first step of free fall beyond the mesh spacing overstretches springs that then relax.
#[derive(Clone, Copy, Debug)]
pub struct EnergyGain {
    start: f64,
    fall: f64,
    most: f64,
}

/// Energy gain beyond which a run counts as unstable \[-\].
pub const UNSTABLE: f64 = 1.0;

impl EnergyGain {
    /// From the start of a sheet.
    pub fn new(cloth: &Cloth, start: &State) -> EnergyGain {
        let weight = cloth.masses().iter().sum::<f64>() * cloth.material().gravity.norm();
        let length = (cloth.grid().nx() - 1) as f64 * cloth.grid().spacing();
        EnergyGain::from(cloth.energies(start).total(), weight * length)
    }

    /// From an energy at the start \[J\], and what a fall by the length of the cloth sets free \[J\].
    pub fn from(start: f64, fall: f64) -> EnergyGain {
        EnergyGain { start, fall, most: 0.0 }
    }

    /// Takes a state into account.
    pub fn watch(&mut self, cloth: &Cloth, state: &State) {
        self.watch_energy(cloth.energies(state).total());
    }

    /// Takes an energy \[J\] into account.
    pub fn watch_energy(&mut self, energy: f64) {
        let gain = (energy - self.start) / self.fall;
        if gain.is_finite() {
            self.most = self.most.max(gain);
        }
    }

    /// The largest so far \[-\], from 0; what is not finite is left out.
    pub fn most(&self) -> f64 {
        self.most
    }
}

/// Largest difference of a coordinate between two states \[m\].
pub fn largest_difference(a: &State, b: &State) -> f64 {
    // each coordinate by itself: none waits for the one before it
    let mut largest = [0.0_f64; 3];
    for (a, b) in a.x.iter().zip(&b.x) {
        for q in 0..3 {
            let apart = (a[q] - b[q]).abs();
            largest[q] = if apart > largest[q] { apart } else { largest[q] }; // one instruction, which `f64::max` is not
        }
    }
    largest.into_iter().fold(0.0, f64::max)
}

/// A sheet with its bend springs by another law.
///
/// # Errors
/// None that the sheet did not have.
pub fn with_bend_law(cloth: &Cloth, bend_law: BendLaw) -> Result<Cloth, ModelError> {
    let pins: Vec<Pin> = (0..cloth.particle_count()).filter(|&k| cloth.pinned()[k]).map(Pin::index).collect();
    Cloth::new(*cloth.grid(), Material { bend_law, ..*cloth.material() }, &pins)
}
