//! The flag of the paper: how it is made, driven, run and measured.

use cloth::triangles::{Bend, Fabric, TriangleCloth, TriangleMesh};
use cloth::{Drive, Sinusoid};
use kit::prelude::*;
use kit::ranges::{Ranged, Value};
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

ranges!(FlagRanges {
    //! The flag and what moves it, as far as no group varies it.
    /// Points along the warp and along the weft of the grid; each cell has one more in its centre.
    points: [Side; 2],
    /// Side of the square flag \[m\].
    side: Positive,
    /// rho \[kg/m²\].
    density: Positive,
    /// Y, stiffness of stretch along warp and weft \[N/m\].
    stiffness: Positive,
    /// Stiffness of shear over Y \[-\].
    shear: Positive,
    /// Stiffness of a hinge \[J\].
    bend: NonNegative,
    /// Amplitude of the driven corners, out of the flag's plane \[m\].
    amplitude: Positive,
    /// Period of the driven corners \[s\].
    period: Positive,
    /// Time for which they are driven \[s\]; then they are held.
    driven: Positive,
    /// Simulated time \[s\].
    duration: Positive,
    /// Time between samples \[s\], a multiple of every step.
    sample: Positive,
    /// c of the stopping rule tol² = c dt of the linear solver \[1/s\], so small that the integrator is what is measured.
    tolerance: Positive,
});

/// Energy \[J\] and state of a flag at rest.
pub(super) type Rest = (f64, State);

/// Where a folded flag comes to rest, found where it is first asked for.
pub(super) type Known = Arc<OnceLock<Vec<Rest>>>;

/// Flags of a profile, and the rests of those so far by all that decides on them, which groups of the study share.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct Flags {
    ranges: FlagRanges,
    #[serde(skip)]
    rests: Arc<Mutex<BTreeMap<[u64; 8], Known>>>,
}

impl Ranged for Flags {
    fn read(value: &Value) -> Result<Flags, RangeError> {
        FlagRanges::read(value).map(|ranges| Flags { ranges, rests: Arc::default() })
    }
}

impl Deref for Flags {
    type Target = FlagRanges;

    fn deref(&self) -> &FlagRanges {
        &self.ranges
    }
}

/// What decides how a scheme behaves on the flag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Side of the square flag \[m\].
    pub side: f64,
    /// Y \[N/m\].
    pub stiffness: f64,
    /// Stiffness of shear over Y \[-\].
    pub shear: f64,
    /// Stiffness of a hinge \[J\].
    pub bend: f64,
    /// Amplitude of the driven corners \[m\].
    pub amplitude: f64,
    /// Terms of the Jacobian.
    pub terms: Terms,
    /// Newton steps.
    pub newton: Newton,
    /// Where it starts.
    pub start: Begin,
    /// Number of the tiny displacement with which it starts; none for 0.
    pub nudge: u32,
}

words! {
    /// Where a flag starts.
    pub enum Begin {
        /// Flat and without strain: its weight, set free, makes it bounce.
        Flat = "flat",
        /// At rest under its weight.
        Resting = "resting",
    }
}

/// A scheme under study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    BackwardEuler,
    /// Generalized-alpha with its rho_inf.
    GeneralizedAlpha(f64),
    /// The classical Runge-Kutta scheme: the reference.
    Rk4,
}

impl Scheme {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::BackwardEuler => "backward-euler",
            Scheme::GeneralizedAlpha(_) => "generalized-alpha",
            Scheme::Rk4 => "rk4",
        }
    }

    /// rho_inf of generalized-alpha.
    pub fn limit(self) -> Option<f64> {
        match self {
            Scheme::GeneralizedAlpha(limit) => Some(limit),
            _ => None,
        }
    }
}

/// The two schemes that the paper compares.
pub const COMPARED: [Scheme; 2] = [Scheme::BackwardEuler, Scheme::GeneralizedAlpha(0.0)];

/// Newton to its end: velocities to a millionth of the flag's.
pub const CONVERGED: Newton = Newton::Converged { tolerance: 1e-6, limit: 15 };

/// Hessians under comparison: Newton that converges ends in the same place whatever its Hessian.
pub const HESSIANS: [Terms; 2] = [Terms::Exact, Terms::Filtered];

/// Words for settings in tables.
pub fn hessian(terms: Terms) -> &'static str {
    if terms == Terms::Exact { "exact" } else { "filtered" }
}

/// Words for Newton steps in tables.
pub fn newton(newton: Newton) -> &'static str {
    if newton == Newton::Once { "once" } else { "converged" }
}

impl Flags {
    /// The setting of the profile: exact Hessian, one Newton step, as the paper has it.
    pub fn setting(&self) -> Setting {
        Setting {
            side: self.side.get(),
            stiffness: self.stiffness.get(),
            shear: self.shear.get(),
            bend: self.bend.get(),
            amplitude: self.amplitude.get(),
            terms: Terms::Exact,
            newton: Newton::Once,
            start: Begin::Flat,
            nudge: 0,
        }
    }

    /// The flag in a setting, its sides along x and y, hanging along -y from its top corners.
    ///
    /// # Errors
    /// A mesh or a quantity that has no meaning.
    pub fn flag(&self, setting: &Setting) -> Result<Flag, ModelError> {
        let [nx, ny] = self.points.map(|points| points.get() as usize);
        let mesh = TriangleMesh::centred(nx, ny, setting.side, setting.side)?;
        let elastic = |stiffness: f64| Elastic { stiffness, damping: 0.0 };
        let stretch = elastic(setting.stiffness);
        let material = Fabric {
            density: self.density.get(),
            warp: stretch,
            weft: stretch,
            shear: elastic(setting.shear * setting.stiffness),
            bend: Bend { stiffness: setting.bend, damping: 0.0 },
            gravity: Vec3::new(0.0, -GRAVITY, 0.0),
            ..Fabric::default()
        };
        let corners = [nx * (ny - 1), nx * ny - 1];
        let cloth = TriangleCloth::new(mesh, material, &corners)?;
        let flat = cloth.at_rest();
        let amplitude = Vec3::new(0.0, 0.0, setting.amplitude);
        let path = Sinusoid { amplitude, period: self.period.get(), until: self.driven.get() };
        let drive = Drive::new(&cloth, &flat, &corners, path)?;
        let folded = self.folded(setting);
        let fall = cloth.masses().iter().sum::<f64>() * GRAVITY * setting.side;
        let mut flag = Flag { cloth, drive, start: flat, fall, edge: 0..nx, settling: self.step_of_rest(), folded };
        if setting.start == Begin::Resting {
            flag.start = flag.resting(std::iter::empty()).1;
        }
        if setting.nudge > 0 {
            let nudge = f64::from(setting.nudge);
            flag.start = flag.displaced(flag.start.clone(), NUDGE, |i, _| libm::sin(37.0 * i as f64 + nudge));
        }
        Ok(flag)
    }

    /// Where it comes to rest, known or not.
    fn folded(&self, setting: &Setting) -> Known {
        let [nx, ny] = self.points.map(|points| points.get().into());
        let (density, step) = (self.density.get(), self.step_of_rest());
        let decisive = [nx, ny, density, step, setting.side, setting.stiffness, setting.shear, setting.bend];
        self.rests.lock().unwrap_or_else(PoisonError::into_inner).entry(decisive.map(f64::to_bits)).or_default().clone()
    }

    /// Steps in which the flag is let come to rest \[s\].
    fn step_of_rest(&self) -> f64 {
        0.025 * self.period.get()
    }

    /// Settings of the linear systems of a run.
    pub fn settings(&self, setting: &Setting) -> Settings {
        Settings {
            solver: gradients(Tolerance::RootOfStep(self.tolerance.get()), Start::Corrected),
            newton: setting.newton,
            terms: setting.terms,
            ..Settings::default()
        }
    }
}

/// Conjugate gradients to a tolerance, with the constrained preconditioner.
pub fn gradients(tolerance: Tolerance, start: Start) -> Solver {
    Solver::ConjugateGradients(ConjugateGradients { start, ..ConjugateGradients::to(tolerance) })
}

/// A flag that is ready to run.
pub struct Flag {
    pub cloth: TriangleCloth,
    pub(super) drive: Drive,
    pub(super) start: State,
    /// What a fall by its side sets free \[J\].
    pub(super) fall: f64,
    /// Particles of the lower edge.
    edge: std::ops::Range<usize>,
    settling: f64,
    /// Where it comes to rest from each of [`FOLDS`], once it is known.
    folded: Known,
}

/// Steps after which a flag is taken to rest, whatever it does.
pub(super) const MOST_SETTLING: u32 = 2000;

/// Steps before which it is not: folds begin slowly.
pub(super) const LEAST_SETTLING: u32 = 300;

/// Kinetic energy of a flag at rest \[J\].
pub(super) const RESTING: f64 = 1e-16;

/// Displacement of a nudged start out of the plane \[m\].
pub(super) const NUDGE: f64 = 1e-6;

/// Out-of-plane displacements with which it begins to come to rest \[m\]: flat it may rest too, but it can buckle and has several
/// folds to rest in.
pub(super) const FOLDS: [f64; 2] = [1e-3, 5e-2];

impl Flag {
    /// A state, its free particles displaced out of the plane by `by` \[m\] times a function of number and place.
    fn displaced(&self, mut state: State, by: f64, of: impl Fn(usize, Vec3) -> f64) -> State {
        for (i, x) in state.x.iter_mut().enumerate() {
            if !self.cloth.pinned()[i] {
                x.z += by * of(i, *x);
            }
        }
        state
    }

    /// The lowest energy \[J\] of the flag at rest under its weight, and its state, that is found from the flat flag, folded a
    /// little, and from that one of other states which is lowest; infinite, and the start, where none is found.
    pub fn resting<'a>(&self, others: impl Iterator<Item = &'a State>) -> Rest {
        let height = |state: &State| self.cloth.energies(state).total();
        let lowest = others.min_by(|a, b| height(a).total_cmp(&height(b)));
        let waves = |_, x: Vec3| libm::sin(9.0 * x.x + 2.0 * x.y) + 0.3 * libm::sin(31.0 * x.x * x.y); // without any symmetry
        let fold = |by: &f64| self.settled(self.displaced(self.cloth.at_rest(), *by, waves));
        let folded = self.folded.get_or_init(|| FOLDS.iter().map(fold).collect());
        let settled = folded.iter().cloned().chain(lowest.map(|state| self.settled(state.clone())));
        let settled = settled.filter(|rest| rest.0.is_finite());
        settled.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_else(|| (f64::INFINITY, self.start.clone()))
    }

    /// Energy \[J\] and state of the flag when backward Euler has let it come to rest.
    fn settled(&self, start: State) -> Rest {
        let settings = Settings { solver: gradients(Tolerance::RootOfStep(1e-6), Start::Corrected), ..Settings::default() };
        let mut scheme = BackwardEuler::new(&self.cloth, settings);
        let mut state = State::at_rest(start.x);
        for step in 0..MOST_SETTLING {
            scheme.step(&self.cloth, self.settling, &mut state);
            if step >= LEAST_SETTLING && self.cloth.kinetic_energy(&state.v) < RESTING {
                break;
            }
        }
        let state = State::at_rest(state.x);
        (self.cloth.energies(&state).total(), state)
    }

    /// Mean place of the lower edge out of the plane \[m\].
    pub(super) fn swing(&self, state: &State) -> f64 {
        let count = self.edge.len() as f64;
        self.edge.clone().map(|i| state.x[i].z).sum::<f64>() / count
    }
}

pub fn topic(_: &super::Ranges) -> Topic {
    Topic::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flag_run::Run;

    fn ranges() -> Flags {
        let flag = "points = [3, 3]\nside = 1.0\ndensity = 0.1\nstiffness = 10.0\nshear = 0.1\nbend = 1e-5\namplitude = 0.01\n\
                    period = 2.0\ndriven = 30.0\nduration = 60.0\nsample = 0.03\ntolerance = 1e-6";
        kit::ranges::stated(flag)
    }

    #[test]
    fn a_rest_that_is_known_is_that_of_a_flag_alone() {
        let shared = ranges();
        let base = shared.setting();
        let stiff = Setting { stiffness: 30.0, ..base };
        // what decides on neither mesh nor material shares the rest
        let wide = Setting { side: 2.0, ..base };
        let settings =
            [base, Setting { amplitude: 0.1, start: Begin::Resting, ..base }, stiff, Setting { nudge: 1, ..stiff }, wide];
        let flag = |setting: &Setting| shared.flag(setting).unwrap();
        let rest = |setting: &Setting| flag(setting).resting(std::iter::empty());
        for setting in &settings {
            let alone = Flag { folded: Known::default(), ..flag(setting) };
            assert_eq!(rest(setting), alone.resting(std::iter::empty()), "{setting:?}");
        }
        let known: Vec<Known> = settings.iter().map(|setting| flag(setting).folded).collect();
        for (a, b, same) in [(0, 1, true), (2, 3, true), (0, 2, false), (0, 4, false)] {
            assert_eq!(Arc::ptr_eq(&known[a], &known[b]), same, "{a} and {b}");
        }
        assert!(rest(&base).0 < rest(&stiff).0);
    }

    #[test]
    fn a_flag_that_gains_energy_near_its_end_has_blown_up() {
        // its corners are driven to the end, ever further
        let ranges = ranges();
        let blown = |amplitude: f64| {
            let setting = Setting { amplitude, ..ranges.setting() };
            let flag = ranges.flag(&setting).unwrap();
            let mut run = Run::new(&flag, Scheme::BackwardEuler, ranges.settings(&setting), 0.01).unwrap();
            run.course(1.0, 0.05).blown
        };
        assert_eq!(blown(0.01), None);
        let reason = blown(2.0).unwrap();
        assert!(reason.contains("falls by its length after 100 of 100 steps"), "{reason}");
        let reason = blown(100.0).unwrap();
        assert!(reason.contains("100 falls by its side"), "{reason}");
    }

    #[test]
    fn a_flag_ten_times_as_heavy_and_as_stiff_moves_alike() {
        let light = ranges();
        let dense = FlagRanges { density: Positive::try_from(1.0).unwrap(), ..ranges().ranges };
        let heavy = Flags { ranges: dense, ..ranges() };
        let setting = Setting { nudge: 1, ..light.setting() };
        let stiffer = Setting { stiffness: 10.0 * setting.stiffness, bend: 10.0 * setting.bend, ..setting };
        let ends = [(&light, setting), (&heavy, stiffer)].map(|(ranges, setting)| {
            let flag = ranges.flag(&setting).unwrap();
            let mut run = Run::new(&flag, Scheme::GeneralizedAlpha(0.0), ranges.settings(&setting), 0.02).unwrap();
            (0..50).for_each(|_| assert!(run.step()));
            run.sample()
        });
        assert!((ends[1].energy / ends[0].energy - 10.0).abs() < 1e-3, "{ends:?}");
        assert!(ends[0].swing.abs() > 1e-5 && (ends[1].swing / ends[0].swing - 1.0).abs() < 1e-2, "{ends:?}");
    }
}
