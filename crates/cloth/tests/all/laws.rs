//! What holds of any cloth, under any scheme and way of meeting a floor, in any unit: drawn at random.

use cloth::contact::{Coulomb, Friction, RigidMotion, Solid};
use cloth::implicit::{ConjugateGradients, Newton, Settings, Solver, Tolerance};
use cloth::integrators::{BackwardEuler, Bdf2, DissipationLimit, ForwardBackwardEuler, ImplicitMidpoint, Rk4};
use cloth::run::{Run, Scenario, Scheme, SolidContact};
use cloth::{Cloth, DampingForm, Elastic, Grid, Material, Rigidity, State, System, Vec3};
use proptest::prelude::*;

const G: f64 = 9.81;
const TIME: f64 = 0.125;

/// A sheet on a slope, or flying without gravity, in metres, kilograms and seconds.
#[derive(Clone, Debug)]
struct Draw {
    scheme: usize,
    direct: bool,
    still: f64,
    /// mu_k over mu_s.
    share: f64,
    angle: f64,
    gap: f64,
    stiffness: f64,
    rigidity: f64,
    plain: bool,
    crumple: f64,
    seed: u32,
}

/// Powers of two that length, mass and time are multiplied by.
#[derive(Clone, Copy, Debug)]
struct Units {
    length: i32,
    mass: i32,
    time: i32,
}

impl Units {
    const SI: Units = Units { length: 0, mass: 0, time: 0 };

    fn of(self, length: i32, mass: i32, time: i32) -> f64 {
        libm::exp2(f64::from(length * self.length + mass * self.mass + time * self.time))
    }
}

const CONSTRAINED: usize = 2;
const SCHEMES: usize = 8;

impl Draw {
    /// The scheme, how it meets solids, and its step \[s\].
    fn scheme(&self, units: Units) -> (Scheme, SolidContact, f64) {
        let solver = match self.direct {
            true => Solver::Direct,
            false => Solver::ConjugateGradients(ConjugateGradients {
                momentum: true,
                ..ConjugateGradients::to(Tolerance::Fixed(1e-3))
            }),
        };
        let once = Settings { solver, ..Settings::default() };
        let tolerance = 1e-5 * units.of(1, 0, -1);
        let newton = Settings { newton: Newton::Converged { tolerance, limit: 30 }, ..once };
        let alpha = |settings| Scheme::GeneralizedAlpha(DissipationLimit::MOST_DISSIPATION, settings);
        let (constraints, positions) = (SolidContact::Constraints, SolidContact::Positions);
        let (scheme, contact, steps) = match self.scheme {
            0 => (Scheme::Plain(&BackwardEuler::ENTRY, once), constraints, 64),
            1 => (Scheme::Plain(&BackwardEuler::ENTRY, newton), constraints, 64),
            2 => (Scheme::Plain(&BackwardEuler::ENTRY, once), positions, 64),
            3 => (Scheme::Plain(&Bdf2::ENTRY, once), positions, 64),
            4 => (Scheme::Plain(&ImplicitMidpoint::ENTRY, newton), positions, 64),
            5 => (alpha(newton), positions, 64),
            6 => (Scheme::Plain(&Rk4::ENTRY, once), positions, 256),
            _ => (Scheme::Plain(&ForwardBackwardEuler::ENTRY, once), positions, 512),
        };
        (scheme, contact, TIME / f64::from(steps))
    }

    fn sheet(&self, units: Units, gravity: Vec3) -> Cloth {
        let stiffness = self.stiffness * units.of(0, 1, -2);
        let damping = 1e-3 * self.stiffness * units.of(0, 1, -1);
        let rigidity = Rigidity {
            damping: 0.01 * self.rigidity * units.of(2, 1, -1),
            ..Rigidity::isotropic(self.rigidity * units.of(2, 1, -2))
        };
        let elastic = |factor: f64| Elastic { stiffness: factor * stiffness, damping: factor * damping };
        let material = Material {
            density: 0.25 * units.of(-2, 1, 0),
            stretch: elastic(1.0),
            shear: elastic(0.25),
            bend: 0.0,
            rigidity: Some(rigidity),
            damping: if self.plain { DampingForm::Plain } else { DampingForm::Projected },
            compression: true,
            gravity: units.of(1, 0, -2) * gravity,
            ..Material::default()
        };
        let spacing = 0.0625 * units.of(1, 0, 0);
        Cloth::new(Grid::new(4, 4, spacing).expect("a grid"), material, &[]).expect("a sheet")
    }

    /// The scenario on the slope, with gravity turned in place of the plane.
    fn slope(&self, units: Units) -> Scenario {
        let (sin, cos) = libm::sincos(self.angle);
        let (scheme, contact, step) = self.scheme(units);
        let law = Coulomb { still: self.still, sliding: self.share * self.still, threshold: 0.02 * units.of(1, 0, -1) };
        let plane = Solid::Plane { point: -self.gap * units.of(1, 0, 0) * Vec3::z(), normal: Vec3::z() };
        let scenario = Scenario::new(self.sheet(units, G * Vec3::new(sin, 0.0, -cos))).scheme(scheme).solid_contact(contact);
        scenario.step(step * units.of(0, 0, 1)).solid(plane, RigidMotion::STILL).friction(Friction::Coulomb(law))
    }

    /// In flight, crumpled, at rest as a whole.
    fn flight(&self) -> (Cloth, Scenario) {
        let cloth = self.sheet(Units::SI, Vec3::zeros());
        let wave = |k: usize, shift: f64| {
            let k = k as f64 + 0.37 * f64::from(self.seed);
            Vec3::new(libm::sin(2.1 * k + shift), libm::cos(3.7 * k), libm::sin(1.3 * k - shift))
        };
        let rest = cloth.grid().flat();
        let x = rest.iter().enumerate().map(|(k, x)| x + 0.02 * self.crumple * wave(k, 0.4)).collect();
        let mut v: Vec<Vec3> = (0..rest.len()).map(|k| self.crumple * wave(k, 1.9)).collect();
        let drift = v.iter().sum::<Vec3>() / v.len() as f64;
        v.iter_mut().for_each(|v| *v -= drift);
        let (scheme, _, step) = self.scheme(Units::SI);
        let scenario = Scenario::new(cloth.clone()).scheme(scheme).step(step).start(State { x, v });
        (cloth, scenario)
    }
}

fn draws() -> impl Strategy<Value = Draw> {
    let friction = (0.1..0.9, 0.2..1.0, 0.0..0.8);
    let gap = prop_oneof![Just(0.0), Just(1e-15), 1e-9..1e-6, 1e-5..1e-3];
    let cloth = (20.0..200.0, 1e-5..1e-3, any::<bool>(), 0.1..1.0, 0_u32..1000);
    ((0..SCHEMES, any::<bool>()), friction, gap, cloth).prop_map(
        |((scheme, direct), (still, share, angle), gap, (stiffness, rigidity, plain, crumple, seed))| Draw {
            scheme,
            direct,
            still,
            share,
            angle,
            gap,
            stiffness,
            rigidity,
            plain,
            crumple,
            seed,
        },
    )
}

fn units() -> impl Strategy<Value = Units> {
    // masses by powers of four: Cholesky factors hold their roots
    (-10..11, -5..6, -10..11).prop_map(|(length, mass, time)| Units { length, mass: 2 * mass, time })
}

fn follow(mut run: Run, steps: u64) -> Result<Run, TestCaseError> {
    for _ in 0..steps {
        run.step().map_err(|error| TestCaseError::fail(error.to_string()))?;
    }
    Ok(run)
}

fn mean(of: &[Vec3]) -> Vec3 {
    of.iter().sum::<Vec3>() / of.len() as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_sheet_on_a_slope_obeys_coulombs_law(draw in draws()) {
        let (tan, still) = (libm::tan(draw.angle), draw.still);
        prop_assume!((tan / still - 1.0).abs() > 0.02);
        let (sin, cos) = libm::sincos(draw.angle);
        let sliding = draw.share * still;
        let scenario = draw.slope(Units::SI);
        let step = scenario.step;
        let run = scenario.run().expect("a run");
        let start = mean(&run.state().x);
        let run = follow(run, (TIME / step).round() as u64)?;
        let way = mean(&run.state().x).x - start.x;
        let falling = (2.0 * draw.gap / (G * cos)).sqrt();
        let free = 0.5 * G * sin * falling * falling;
        let slack = 4.0 * step * (G * sin * (TIME.min(falling + 3.0 * step)));
        if tan < still {
            prop_assert!(way >= -1e-9 && way <= free + slack, "{way} in place of nothing, free {free}, {slack}");
        } else {
            let rate = G * (sin - sliding * cos);
            let left = TIME - falling;
            let expected = free + rate * (falling * left + 0.5 * left * left);
            prop_assert!((way - expected).abs() < slack + 4.0 * step * rate * TIME, "{way} in place of {expected}");
        }
    }

    #[test]
    fn another_unit_gives_the_same_bits(draw in draws(), units in units()) {
        let run = |units: Units| {
            let scenario = draw.slope(units);
            follow(scenario.run().expect("a run"), 24)
        };
        let (metres, other) = (run(Units::SI)?, run(units)?);
        let (length, speed) = (units.of(1, 0, 0), units.of(1, 0, -1));
        for (a, b) in metres.state().x.iter().zip(&other.state().x) {
            prop_assert!(length * a == *b, "{a} {b}");
        }
        for (a, b) in metres.state().v.iter().zip(&other.state().v) {
            prop_assert!(speed * a == *b, "{a} {b}");
        }
    }

    #[test]
    fn a_sheet_in_flight_keeps_its_momentum_and_gains_no_energy(draw in draws()) {
        let (cloth, scenario) = draw.flight();
        let steps = (TIME / scenario.step).round() as u64;
        let run = scenario.run().expect("a run");
        let energy = |run: &Run| cloth.energies(run.state()).total();
        let before = energy(&run);
        let size: f64 = run.state().v.iter().map(|v| v.norm()).sum();
        let run = follow(run, steps)?;
        prop_assert!(run.state().v.iter().sum::<Vec3>().norm() < 1e-12 * size);
        let after = energy(&run);
        prop_assert!(after > 0.0 && after < before * 1.001, "{before} {after}");
        prop_assert!(run.contacts().is_none() || draw.scheme < CONSTRAINED);
        prop_assert_eq!(cloth.particle_count(), 16);
    }
}
