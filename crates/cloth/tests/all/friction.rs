//! One law of friction, whatever cloth touches and however it is met: static and kinetic, at rest, moving and accelerating.

use cloth::contact::{Coulomb, Friction, RigidMotion, Solid};
use cloth::implicit::{ConjugateGradients, Newton, Settings, Solver, Tolerance};
use cloth::integrators::{BackwardEuler, Bdf2, ImplicitMidpoint, IntegratorEntry, Rk4};
use cloth::run::{Run, Scenario, Scheme, SolidContact};
use cloth::{Cloth, Elastic, Grid, Material, Sinusoid, State, Vec3};

const G: f64 = 9.81;

fn law(still: f64, sliding: f64) -> Friction {
    Friction::Coulomb(Coulomb { still, sliding, threshold: 0.02 })
}

fn elastic(stiffness: f64, damping: f64) -> Elastic {
    Elastic { stiffness, damping }
}

/// A sheet of 5 x 5 particles at z = 0, with gravity as on a slope of `angle` down along x.
fn sheet(angle: f64) -> Cloth {
    let (sin, cos) = libm::sincos(angle);
    let gravity = G * Vec3::new(sin, 0.0, -cos);
    let (stretch, shear) = (elastic(200.0, 0.05), elastic(40.0, 0.02));
    let material = Material { density: 0.3, stretch, shear, gravity, compression: true, ..Material::default() };
    Cloth::new(Grid::new(5, 5, 0.03).expect("a grid"), material, &[]).expect("a sheet")
}

fn mean(of: &[Vec3]) -> Vec3 {
    of.iter().sum::<Vec3>() / of.len() as f64
}

/// Mean way after `time` \[s\].
fn way(scenario: &Scenario, time: f64) -> Vec3 {
    let mut run = scenario.run().expect("a run");
    let start = mean(&run.state().x);
    while run.time() < time - 0.5 * scenario.step {
        run.step().unwrap_or_else(|error| panic!("{error}"));
    }
    mean(&run.state().x) - start
}

/// A floor below a gap.
fn floor(gap: f64) -> Solid {
    Solid::Plane { point: -gap * Vec3::z(), normal: Vec3::z() }
}

/// Schemes with their ways of meeting a floor, and their steps.
fn treatments() -> Vec<(Scheme, SolidContact, f64)> {
    let plain = |entry: &'static IntegratorEntry, settings: Settings| Scheme::Plain(entry, settings);
    let automatic = Settings { solver: Solver::automatic(), ..Settings::default() };
    let loose = Settings::from(ConjugateGradients { momentum: true, ..ConjugateGradients::to(Tolerance::Fixed(0.1)) });
    let newton = Settings { newton: Newton::Converged { tolerance: 1e-4, limit: 50 }, ..automatic };
    let (constraints, positions) = (SolidContact::Constraints, SolidContact::Positions);
    vec![
        (plain(&BackwardEuler::ENTRY, automatic), constraints, 2e-3),
        (plain(&BackwardEuler::ENTRY, loose), constraints, 2e-3),
        (plain(&BackwardEuler::ENTRY, automatic), positions, 2e-3),
        (plain(&Bdf2::ENTRY, automatic), positions, 2e-3),
        (plain(&ImplicitMidpoint::ENTRY, newton), positions, 2e-3),
        (plain(&Rk4::ENTRY, Settings::default()), positions, 1e-3),
    ]
}

#[test]
fn cloth_sticks_below_the_angle_of_static_friction_and_slides_above_it_whatever_the_gap() {
    let (still, sliding, time) = (0.45, 0.25, 0.4);
    // tan 0.4 = 0.423, tan 0.44 = 0.471
    for (angle, sticks) in [(0.4, true), (0.44, false), (0.7, false)] {
        let (sin, cos) = libm::sincos(angle);
        for (scheme, contact, step) in treatments() {
            for gap in [0.0, 1e-15, 1e-7, 1e-3] {
                let scenario = Scenario::new(sheet(angle)).scheme(scheme).step(step).solid_contact(contact);
                let scenario = scenario.solid(floor(gap), RigidMotion::STILL).friction(law(still, sliding));
                let slid = way(&scenario, time).x;
                let falling = (2.0 * gap / (G * cos)).sqrt(); // [s]
                let free = 0.5 * G * sin * falling * falling;
                let name = format!("{scheme:?} {contact:?}, angle {angle}, gap {gap}: {slid}");
                if sticks {
                    // what it goes before it has come there, and in the steps in which it does
                    assert!(slid >= -1e-9 && slid <= free + 6.0 * G * sin * step * step + G * sin * falling * step, "{name}");
                } else {
                    let landed = (G * sin - sliding * G * cos) * falling; // what friction leaves of its speed
                    let rate = G * (sin - sliding * cos);
                    let left = time - falling;
                    let expected = free + landed * left + 0.5 * rate * left * left;
                    assert!((slid - expected).abs() < 2.5 * step / time * expected, "{name} {expected}");
                }
            }
        }
    }
}

#[test]
fn what_sticks_stays_to_rounding() {
    for (scheme, contact, step) in treatments() {
        let scenario = Scenario::new(sheet(0.4)).scheme(scheme).step(step).solid_contact(contact);
        let scenario = scenario.solid(floor(1e-4), RigidMotion::STILL).friction(law(0.45, 0.25));
        let mut run = scenario.run().expect("a run");
        (0..100).for_each(|_| drop(run.step().expect("a step")));
        let before = run.state().x.clone();
        (0..100).for_each(|_| drop(run.step().expect("a step")));
        let most = run.state().x.iter().zip(&before).map(|(x, before)| (x - before).xy().norm()).fold(0.0, f64::max);
        // over the way that it would go in one such step
        assert!(most < 1e-9 * G * step * step, "{scheme:?} {contact:?}: {most}");
    }
}

#[test]
fn a_plate_carries_a_sheet_up_to_the_acceleration_that_static_friction_gives() {
    // a way of amplitude A and period T has accelerations up to A (2 pi / T)² = 1.97 m/s²
    let path = Sinusoid { amplitude: 0.05 * Vec3::x(), period: 1.0, until: f64::INFINITY };
    for (scheme, _, step) in treatments().into_iter().filter(|(_, contact, _)| *contact == SolidContact::Positions) {
        for (still, sticks) in [(0.25, true), (0.15, false)] {
            let scenario = Scenario::new(sheet(0.0)).scheme(scheme).step(step).solid(floor(0.0), path.into());
            let with_it =
                State { v: vec![path.amplitude * std::f64::consts::TAU; 25], ..State::at_rest(sheet(0.0).grid().flat()) };
            let mut run = scenario.friction(law(still, 0.1)).start(with_it).run().expect("a run");
            let (mut apart, start) = (0.0_f64, mean(&run.state().x));
            while run.time() < 1.0 {
                run.step().expect("a step");
                apart = apart.max((mean(&run.state().x) - start - path.at(run.time())).x.abs());
            }
            assert_eq!(apart < 1e-9, sticks, "{scheme:?}, mu_s {still}: {apart}");
        }
    }
}

#[test]
fn what_a_plate_carries_stops_with_it() {
    let moving = RigidMotion { velocity: 0.4 * Vec3::x(), until: 0.1, ..RigidMotion::STILL };
    for (scheme, _, step) in treatments().into_iter().filter(|(_, contact, _)| *contact == SolidContact::Positions) {
        let with_it = State { v: vec![0.4 * Vec3::x(); 25], ..State::at_rest(sheet(0.0).grid().flat()) };
        let scenario = Scenario::new(sheet(0.0)).scheme(scheme).step(step).solid(floor(0.0), moving.clone());
        let mut run = scenario.friction(Friction::Sticking).start(with_it).run().expect("a run");
        let (mut slowest, mut fastest) = (f64::INFINITY, 0.0_f64);
        while run.time() < 0.2 {
            run.step().expect("a step");
            let speed = mean(&run.state().v).x;
            (slowest, fastest) = (slowest.min(speed), fastest.max(speed));
        }
        assert!(slowest > -1e-9 && fastest < 0.4 + 1e-9, "{scheme:?}: {slowest} to {fastest}");
        assert!(mean(&run.state().v).norm() < 1e-9, "{scheme:?}");
    }
}

#[test]
fn each_solid_has_its_own_friction() {
    let block = |x: f64| Solid::Cuboid { centre: Vec3::new(x, 0.06, -1.0), half: Vec3::new(5.0, 5.0, 1.0) };
    for (scheme, contact, step) in treatments().into_iter().take(3) {
        for (of_first, of_second, sticks) in [(1.0, 0.0, true), (0.0, 1.0, false)] {
            let scenario = Scenario::new(sheet(0.3)).scheme(scheme).step(step).solid_contact(contact).friction(law(9.0, 9.0));
            let mut scenario = scenario.solid(block(0.06), RigidMotion::STILL).solid(block(30.0), RigidMotion::STILL);
            scenario.solid_friction = vec![(0, Friction::even(of_first)), (1, Friction::even(of_second))];
            let slid = way(&scenario, 0.2).x;
            assert_eq!(slid < 1e-4, sticks, "{contact:?} {of_first} {of_second}: {slid}");
        }
    }
}

/// A strip over a cylinder about y, its parts that hang down as long as given \[m\].
fn strip(long: f64, short: f64, radius: f64) -> (Cloth, State) {
    let spacing = 0.01;
    let arc = std::f64::consts::PI * radius;
    let nx = ((long + arc + short) / spacing).round() as usize + 1;
    let material = Material {
        density: 0.2,
        stretch: elastic(300.0, 0.3),
        shear: elastic(50.0, 0.005),
        bend: 0.0,
        compression: true,
        ..Material::default()
    };
    let cloth = Cloth::new(Grid::new(nx, 3, spacing).expect("a grid"), material, &[]).expect("a strip");
    let at = |x: &Vec3| {
        let s = x.x - long;
        if s < 0.0 {
            return Vec3::new(-radius, x.y, s);
        } else if s > arc {
            return Vec3::new(radius, x.y, arc - s);
        }
        let (sin, cos) = libm::sincos(s / radius);
        Vec3::new(-radius * cos, x.y, radius * sin)
    };
    let x = cloth.grid().flat().iter().map(at).collect();
    (cloth, State::at_rest(x))
}

/// The force that holds a heavy strip at the end of the longer part, over its weight a length \[m\], once friction of mu drags all
/// along the arc: dT/dt = mu (T + R sin t) + R cos t from the short part, T(0), to the long one, T(pi), by the angle t.
fn carried(short: f64, radius: f64, mu: f64) -> f64 {
    let steps = 100_000;
    let dt = std::f64::consts::PI / f64::from(steps);
    (0..steps).fold(short, |tension, k| {
        let (sin, cos) = libm::sincos((f64::from(k) + 0.5) * dt);
        let middle = tension + 0.5 * dt * (mu * (tension + radius * sin) + radius * cos);
        tension + dt * (mu * (middle + radius * sin) + radius * cos)
    })
}

#[test]
fn a_strip_over_a_cylinder_slides_where_it_is_heavier_than_friction_carries() {
    let (long, short, radius) = (0.3, 0.12, 0.1);
    // without its own weight on the arc this is Euler's T e^(mu pi)
    let capstan = short * libm::exp(0.3 * std::f64::consts::PI);
    assert!((carried(short, 1e-12, 0.3) / capstan - 1.0).abs() < 1e-8);
    let (mut low, mut high): (f64, f64) = (0.0, 1.0);
    while high - low > 1e-6 {
        let mu = 0.5 * (low + high);
        if carried(short, radius, mu) < long { low = mu } else { high = mu }
    }
    let cylinder = Solid::Cylinder { centre: Vec3::zeros(), axis: Vec3::y(), radius, half_length: 1.0 };
    let automatic = Settings { solver: Solver::automatic(), ..Settings::default() };
    let by_contact = [SolidContact::Constraints, SolidContact::Positions].map(|contact| {
        let slid = |mu: f64, time: f64| {
            let (cloth, start) = strip(long, short, radius);
            let scenario = Scenario::new(cloth).start(start).scheme(Scheme::Plain(&BackwardEuler::ENTRY, automatic)).step(1e-3);
            let scenario = scenario.solid_contact(contact).solid(cylinder, RigidMotion::STILL).friction(Friction::even(mu));
            let mut run = scenario.run().expect("a run");
            let end = |run: &Run| run.state().x[run.state().particle_count() / 3 - 1].z; // of the short part
            let start = end(&run);
            while run.time() < time {
                run.step().expect("a step");
            }
            end(&run) - start
        };
        let [free, rough, nearly, held] = [0.0, 0.5 * low, 0.8 * low, 1.2 * low].map(|mu| slid(mu, 0.3));
        // springs give way by a millimetre or two before all of it holds
        assert!(free > 0.13 && nearly > 0.01 && held < 2e-3, "{contact:?}: {free} {rough} {nearly} {held}, balance at mu {low}");
        [free, rough]
    });
    for q in 0..2 {
        let [constraints, positions] = by_contact.map(|slid| slid[q]);
        assert!((constraints / positions - 1.0).abs() < 0.1, "{constraints} {positions}");
    }
}

#[test]
fn another_unit_of_length_gives_the_same_bits() {
    let run = |unit: f64, contact: SolidContact| {
        // metres times the unit, and kilograms and seconds as they are: mass a area, forces a length and moments
        let material = Material {
            density: 0.2 / (unit * unit),
            stretch: elastic(300.0, 0.03),
            shear: elastic(50.0, 0.005),
            bend: 1e-3,
            gravity: -G * unit * Vec3::z(),
            ..Material::default()
        };
        let cloth = Cloth::new(Grid::new(9, 9, 0.0625 * unit).expect("a grid"), material, &[]).expect("a sheet");
        let start = cloth.grid().flat().iter().map(|x| x + unit * Vec3::new(0.0, 0.0, 0.015625)).collect();
        let ball = Solid::Sphere { centre: unit * Vec3::new(0.25, 0.1875, -0.25), radius: 0.25 * unit };
        let direct = Settings { solver: Solver::Direct, ..Settings::default() };
        let friction = Friction::Coulomb(Coulomb { still: 0.3, sliding: 0.2, threshold: 0.02 * unit });
        let scenario = Scenario::new(cloth).start(State::at_rest(start)).scheme(Scheme::Plain(&BackwardEuler::ENTRY, direct));
        let scenario = scenario.step(0.00390625).solid(ball, RigidMotion::STILL).solid_contact(contact).friction(friction);
        let mut run = scenario.run().expect("a run");
        (0..80).for_each(|_| drop(run.step().expect("a step")));
        run.state().x.clone()
    };
    for contact in [SolidContact::Constraints, SolidContact::Positions] {
        let metres = run(1.0, contact);
        for unit in [1024.0, 1.0 / 256.0] {
            let scaled: Vec<Vec3> = metres.iter().map(|x| unit * x).collect();
            assert!(run(unit, contact) == scaled, "{contact:?}, a unit of {unit}");
        }
        let lowest = metres.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        assert!(lowest < -0.1, "it hangs over the ball: {lowest}");
    }
}
