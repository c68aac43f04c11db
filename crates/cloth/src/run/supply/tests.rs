use super::*;
use crate::contact::{Friction, MovingMesh, RigidMotion, SelfCollision, Solid};
use crate::integrators::{ForwardBackwardEuler, Rk4};
use crate::run::{Ending, PinTerms, Scenario, Scheme, Sewing};
use crate::{Cloth, Drag, Elastic, Grid, Gusts, Material, Pin, Sinusoid, State, Vec3};

const SIDE: usize = 5;
const DT: f64 = 2e-4;

fn material() -> Material {
    let elastic = Elastic { stiffness: 150.0, damping: 0.0 };
    Material { density: 0.3, stretch: elastic, shear: elastic, bend: 0.0, compression: true, ..Material::default() }
}

/// A sheet that hangs from two corners, or from none.
fn sheet(material: Material, pins: &[Pin]) -> Scenario {
    let cloth = Cloth::new(Grid::new(SIDE, SIDE, 0.1).unwrap(), material, pins).unwrap();
    Scenario::new(cloth).step(DT).scheme(&Rk4::ENTRY)
}

const CORNERS: [Pin; 2] = [Pin::At(0, 0), Pin::At(SIDE - 1, 0)];

/// Energies of a run that is followed for a time \[J\].
#[derive(Clone, Copy, Debug, Default)]
struct Balance {
    gained: f64,
    given: f64,
    most: f64,
    /// Least and largest of what was gained less what was given.
    low: f64,
    high: f64,
    /// Largest of what was gained less the most that was given.
    beyond: f64,
}

fn followed(scenario: Scenario, time: f64) -> Balance {
    let mut run = scenario.run().unwrap();
    let (mut supply, start) = (Supply::new(&run), run.energies().total());
    let mut all = Balance::default();
    let steps = (time / run.step_length()).round() as u64;
    for step in 1..=steps {
        assert_eq!(run.follow(step, &mut supply), Ending::Finished);
        if supply.look(&run, step == steps) {
            let gained = run.energies().total() - start;
            let (given, most) = (supply.given(), supply.most());
            let [low, high] = [all.low.min(gained - given), all.high.max(gained - given)];
            all = Balance { gained, given, most, low, high, beyond: all.beyond.max(gained - most) };
        }
    }
    all
}

/// Asserts that what is gained is given, to a share of it, and never more than the most that is given.
fn balances(scenario: Scenario, time: f64, share: f64) {
    let all = followed(scenario, time);
    let Balance { given, most, low, high, beyond, .. } = all;
    assert!(given.abs() > 0.01, "{all:?}");
    assert!(low.abs().max(high) < share * given.abs(), "{all:?}");
    assert!(most >= given && beyond < 1e-3 * given.abs(), "{all:?}");
}

#[test]
fn pins_that_move_give_what_the_cloth_gains() {
    let swung = Sinusoid { amplitude: Vec3::new(0.05, 0.1, 0.2), period: 0.7, until: f64::INFINITY };
    balances(sheet(material(), &CORNERS).drive(CORNERS.to_vec(), swung), 0.3, 0.01);
    // one alone, and both in a turn about an axis
    balances(sheet(material(), &CORNERS).drive(vec![CORNERS[1]], swung), 0.3, 0.01);
    let turned = RigidMotion { centre: Vec3::new(0.2, 0.1, 0.0), turn: Vec3::new(0.0, 3.0, 1.0), ..RigidMotion::STILL };
    balances(sheet(material(), &CORNERS).drive(CORNERS.to_vec(), turned), 0.4, 0.01);
}

#[test]
fn pins_at_rest_give_nothing() {
    let Balance { gained, given, .. } = followed(sheet(material(), &CORNERS), 0.2);
    assert!(given == 0.0 && gained.abs() < 1e-6, "{gained} J, {given} J");
}

#[test]
fn pins_that_let_go_give_no_more() {
    let swung = Sinusoid { amplitude: Vec3::new(0.0, 0.0, 0.2), period: 0.5, until: f64::INFINITY };
    let until = PinTerms { until: Some(0.1), ..PinTerms::default() };
    let mut scenario = sheet(material(), &CORNERS).drive(vec![CORNERS[1]], swung);
    scenario.pin_terms = vec![(SIDE - 1, until)];
    balances(scenario, 0.3, 0.02);
}

#[test]
fn soft_pins_and_stitches_give_what_their_springs_gain() {
    let swung = Sinusoid { amplitude: Vec3::new(0.0, 0.1, 0.2), period: 0.7, until: f64::INFINITY };
    let soft = PinTerms { stiffness: Some(80.0), ..PinTerms::default() };
    let mut scenario = sheet(material(), &[Pin::At(0, 0)]).drive(vec![CORNERS[1]], swung);
    scenario.cloth = sheet(material(), &CORNERS).cloth;
    scenario.pin_terms = vec![(SIDE - 1, soft)];
    balances(scenario, 0.3, 0.02);
    let elastic = Elastic { stiffness: 60.0, damping: 0.0 };
    let sewing = Sewing { pairs: vec![[2, 22], [10, 14]], time: 0.2, elastic };
    let sewn = Scenario { sewing: Some(sewing), ..sheet(material(), &[]) };
    balances(sewn, 0.15, 0.02);
}

#[test]
fn wind_gives_what_the_cloth_gains() {
    let drag = Drag { air_density: 1.2, coefficient: 1.3, wind: Vec3::new(1.0, 2.0, 6.0) };
    let blown = Material { drag: Some(drag), ..material() };
    balances(sheet(blown, &[]), 0.3, 0.01);
    balances(sheet(blown, &CORNERS), 0.3, 0.01);
    let swung = Sinusoid { amplitude: Vec3::new(0.05, 0.1, 0.2), period: 0.7, until: f64::INFINITY };
    balances(sheet(blown, &CORNERS).drive(CORNERS.to_vec(), swung), 0.3, 0.01);
    let gusts = Gusts::new(vec![(0.0, Vec3::zeros()), (0.1, 4.0 * Vec3::z()), (0.2, Vec3::x())]).unwrap();
    balances(sheet(blown, &[]).gusts(gusts), 0.3, 0.01);
}

#[test]
fn a_lift_gives_what_the_sheet_on_it_gains() {
    let rises = |velocity: f64| RigidMotion { velocity: velocity * Vec3::z(), ..RigidMotion::STILL };
    let floor = Solid::Plane { point: Vec3::new(0.0, 0.0, -1e-4), normal: Vec3::z() };
    let mass = sheet(material(), &[]).run().unwrap().model().system().masses().iter().sum::<f64>();
    let (time, velocity) = (0.4, 0.5);
    let lifted = mass * velocity * (0.5 * velocity + crate::GRAVITY * time);
    for scheme in [&ForwardBackwardEuler::ENTRY, &Rk4::ENTRY] {
        let scenario = sheet(material(), &[]).scheme(scheme).solid(floor, rises(velocity)).friction(Friction::even(0.3));
        let Balance { gained, given, high, .. } = followed(scenario, time);
        assert!((gained / lifted - 1.0).abs() < 0.02, "{gained} J, {lifted} J");
        // it does m v² where m v²/2 is gained: what comes to a stop at once loses the other half
        let excess = given - gained;
        assert!(excess > 0.0 && excess < 1.2 * 0.5 * mass * velocity * velocity && high < 0.01 * lifted, "{given} J, {gained} J");
    }
    let plate = MovingMesh {
        vertices: [Vec3::new(-9.0, -9.0, -0.02), Vec3::new(20.0, -9.0, -0.02), Vec3::new(-9.0, 20.0, -0.02)].to_vec(),
        faces: vec![[0, 1, 2]],
        sequence: None,
        motion: rises(velocity),
        friction: Friction::even(0.3),
    };
    let thickness = SelfCollision { distance: 5e-3, friction: Friction::even(0.3) };
    let scenario = sheet(material(), &[]).scheme(&ForwardBackwardEuler::ENTRY).self_collision(thickness).body(plate);
    let Balance { gained, given, high, .. } = followed(scenario, time);
    let excess = given - gained;
    assert!(gained > 0.8 * lifted && excess > 0.0 && excess < 0.2 * lifted && high < 0.01 * lifted, "{given} J, {gained} J");
}

#[test]
fn a_belt_gives_by_friction() {
    // it slides until it is as fast as the belt, which does twice the work that the cloth keeps
    let belt = RigidMotion { velocity: 0.8 * Vec3::x(), ..RigidMotion::STILL };
    let floor = Solid::Plane { point: Vec3::zeros(), normal: Vec3::z() };
    let scenario = sheet(material(), &[]).scheme(&ForwardBackwardEuler::ENTRY).solid(floor, belt).friction(Friction::even(0.4));
    let mass = scenario.clone().run().unwrap().model().system().masses().iter().sum::<f64>();
    let Balance { gained, given, .. } = followed(scenario, 0.5);
    assert!((gained / (0.5 * mass * 0.64) - 1.0).abs() < 0.02, "{gained} J");
    assert!((given / (mass * 0.64) - 1.0).abs() < 0.02, "{given} J");
}

#[test]
fn implicit_steps_gain_no_more_than_is_given() {
    let swung = Sinusoid { amplitude: Vec3::new(0.0, 0.1, 0.3), period: 0.5, until: f64::INFINITY };
    let elastic = Elastic { stiffness: 5e3, damping: 0.0 };
    let stiff = Material { stretch: elastic, shear: elastic, ..material() };
    let scenario = sheet(stiff, &CORNERS).drive(CORNERS.to_vec(), swung).scheme(Scheme::default()).step(5e-3);
    let all = followed(scenario, 1.0);
    assert!(all.given > 0.1 && all.low < -0.01 && all.beyond < 1e-3 * all.given, "{all:?}");
}

#[test]
fn a_start_of_its_own_is_where_it_begins() {
    let scenario = sheet(material(), &[]);
    let mut moving = State::at_rest(scenario.clone().run().unwrap().state().x.clone());
    moving.v.fill(Vec3::x());
    let Balance { gained, given, .. } = followed(scenario.start(moving), 0.1);
    assert!(given == 0.0 && gained.abs() < 1e-9, "{gained} J, {given} J");
}
