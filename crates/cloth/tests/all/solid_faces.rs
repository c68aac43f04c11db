//! Solids and the faces of cloth that collides with itself: no place of a face is inside of what it meets.

use cloth::contact::Pose;
use cloth::implicit::{Settings, Solver};
use cloth::integrators::BackwardEuler;
use cloth::prelude::*;
use cloth::run::{Run, SolidReach};
use proptest::prelude::*;

const THICKNESS: f64 = 0.003;

fn elastic(stiffness: f64, damping: f64) -> Elastic {
    Elastic { stiffness, damping }
}

/// A sheet of `side` x `side` particles, `spacing` \[m\] apart, that falls from `height` \[m\] onto a solid; lengths in a `unit`.
fn falling(side: usize, spacing: f64, height: f64, (solid, motion): (Solid, RigidMotion), unit: f64) -> Scenario {
    let material = Material {
        density: 0.2 / (unit * unit),
        stretch: elastic(200.0, 0.05),
        shear: elastic(40.0, 0.05),
        bend: 0.01,
        gravity: -9.81 * unit * Vec3::z(),
        ..Material::default()
    };
    let sheet = Cloth::new(Grid::new(side, side, spacing * unit).expect("a grid"), material, &[]).expect("a sheet");
    let start = sheet.grid().flat().iter().map(|x| x + unit * height * Vec3::z()).collect();
    let direct = Settings { solver: Solver::Direct, ..Settings::default() };
    let itself = SelfCollision { distance: THICKNESS * unit, friction: Friction::even(0.3) };
    Scenario::new(sheet)
        .start(State::at_rest(start))
        .scheme(Scheme::Plain(&BackwardEuler::ENTRY, direct))
        .step(1.0 / 512.0)
        .solid(solid, motion)
        .friction(Friction::even(0.4))
        .self_collision(itself)
}

/// The deepest of many places of faces in a solid \[m\], below zero where all are outside.
fn deepest(run: &Run, solid: &Solid, pose: &Pose) -> f64 {
    let x: Vec<Vec3> = run.state().x.iter().map(|x| pose.back(*x)).collect();
    let places = || (0..=12).flat_map(|i| (0..=12 - i).map(move |j| [f64::from(i) / 12.0, f64::from(j) / 12.0]));
    let faces = run.model().surface().corners();
    let depth = |[a, b, c]: [Vec3; 3]| {
        places().map(|[s, t]| -solid.distance(a + s * (b - a) + t * (c - a)).0).fold(f64::NEG_INFINITY, f64::max)
    };
    faces.iter().map(|corners| depth(corners.map(|corner| x[corner as usize]))).fold(f64::NEG_INFINITY, f64::max)
}

/// The deepest places that faces ever have in a run of `steps`, and the lowest one of cloth at its end \[m\].
fn deepest_of(scenario: Scenario, steps: u64) -> (f64, f64) {
    let (solid, motion) = scenario.solids[0].clone();
    let mut run = scenario.run().expect("a run");
    let mut most = f64::NEG_INFINITY;
    for step in 0..steps {
        run.step().unwrap_or_else(|failed| panic!("step {step}: {failed}"));
        most = most.max(deepest(&run, &solid, &motion.pose(run.time())));
    }
    (most, run.state().x.iter().map(|x| x.z).fold(f64::INFINITY, f64::min))
}

/// Runs both ways: faces stay outside, and particles alone let faces in deeper than `without` \[m\].
fn faces_stay_outside(name: &str, scenario: Scenario, steps: u64, without: f64) {
    let (alone, _) = deepest_of(scenario.clone().solid_reach(SolidReach::Particles), steps);
    let (faces, _) = deepest_of(scenario, steps);
    assert!(faces <= 0.0, "{name}: {faces}");
    assert!(alone > without, "{name} by particles alone: {alone}");
}

#[test]
fn the_corners_of_a_box_do_not_stick_out_of_faces() {
    let corner = Solid::Cuboid { centre: Vec3::new(0.37, 0.41, -0.2), half: Vec3::new(0.17, 0.19, 0.1875) };
    faces_stay_outside("box", falling(8, 0.11, 0.0, (corner, RigidMotion::STILL), 1.0), 200, 0.005);
}

#[test]
fn a_ball_smaller_than_a_cell_is_caught_by_a_face() {
    // below the middle of a triangle
    let ball = Solid::Sphere { centre: Vec3::new(0.37, 0.34, -0.1), radius: 0.021 };
    faces_stay_outside("ball at rest", falling(8, 0.11, 0.0, (ball, RigidMotion::STILL), 1.0), 120, 0.015);
}

#[test]
fn a_ball_at_100_metres_a_second_takes_the_face_along() {
    let ball = Solid::Sphere { centre: Vec3::new(0.37, 0.34, -0.3), radius: 0.021 };
    let motion = RigidMotion { velocity: 100.0 * Vec3::z(), ..RigidMotion::STILL };
    let thrown = falling(8, 0.11, 0.0, (ball, motion.clone()), 1.0);
    let steps = 4; // 0.78 m
    let (deep, _) = deepest_of(thrown.clone(), steps);
    assert!(deep <= 0.0, "{deep}");
    let highest = |scenario: Scenario| {
        let mut run = scenario.run().expect("a run");
        (0..steps).for_each(|_| drop(run.step().expect("a step")));
        run.state().x.iter().map(|x| x.z).fold(f64::NEG_INFINITY, f64::max)
    };
    let top = motion.pose(steps as f64 / 512.0).moved(Vec3::new(0.0, 0.0, -0.3 + 0.021)).z;
    let [faces, alone] = [SolidReach::Faces, SolidReach::Particles].map(|reach| highest(thrown.clone().solid_reach(reach)));
    assert!(faces > 0.9 * top && alone < 0.01, "{faces} {alone} {top}");
}

#[test]
fn a_rod_thinner_than_a_cell_bears_faces() {
    let rod = Solid::Capsule { from: Vec3::new(0.1, 0.3, -0.05), to: Vec3::new(0.62, 0.48, -0.06), radius: 0.006 };
    faces_stay_outside("capsule", falling(8, 0.11, 0.0, (rod, RigidMotion::STILL), 1.0), 150, 0.003);
}

#[test]
fn rims_of_a_cylinder_do_not_stick_out_of_faces() {
    let axis = Vec3::new(0.3, -0.2, 0.7).normalize();
    let can = Solid::Cylinder { centre: Vec3::new(0.36, 0.4, -0.2), axis, radius: 0.13, half_length: 0.12 };
    faces_stay_outside("cylinder", falling(8, 0.11, 0.0, (can, RigidMotion::STILL), 1.0), 150, 0.004);
}

#[test]
fn a_box_that_rises_and_turns_lifts_faces() {
    let block = Solid::Cuboid { centre: Vec3::new(0.37, 0.41, -0.25), half: Vec3::new(0.1, 0.15, 0.05) };
    let motion = RigidMotion {
        centre: Vec3::new(0.37, 0.41, -0.25),
        turn: Vec3::new(2.0, 3.0, 1.0),
        velocity: 2.0 * Vec3::z(),
        ..RigidMotion::STILL
    };
    faces_stay_outside("moving box", falling(8, 0.11, 0.0, (block, motion), 1.0), 150, 0.004);
}

/// A sheet on a block with friction of its own, on a slope whose tangent is 0.3: it sticks, or slides as Coulomb's law says.
#[test]
fn friction_of_faces_is_that_of_the_solid() {
    let block = Solid::Cuboid { centre: Vec3::new(0.4, 0.2, -0.5 - THICKNESS), half: Vec3::new(3.0, 3.0, 0.5) };
    let (cos, sin) = (1.0 / libm::sqrt(1.09), 0.3 / libm::sqrt(1.09));
    let slid = |mu: f64| {
        let material = Material {
            stretch: elastic(200.0, 0.05),
            shear: elastic(40.0, 0.05),
            gravity: 9.81 * Vec3::new(sin, 0.0, -cos),
            ..Material::default()
        };
        let sheet = Cloth::new(Grid::new(5, 5, 0.1).expect("a grid"), material, &[]).expect("a sheet");
        let itself = SelfCollision { distance: THICKNESS, friction: Friction::even(0.0) };
        let mut scenario =
            Scenario::new(sheet).solid(block, RigidMotion::STILL).friction(Friction::even(0.0)).self_collision(itself);
        scenario.solid_friction = vec![(0, Friction::even(mu))];
        let mut run = scenario.step(1.0 / 512.0).run().expect("a run");
        let start = run.state().x[12];
        (0..256).for_each(|_| drop(run.step().expect("a step")));
        run.state().x[12] - start
    };
    let (held, sliding) = (slid(0.4), slid(0.2));
    let expected = 0.5 * 9.81 * (sin - 0.2 * cos) * 0.25;
    assert!(held.norm() < 1e-4 && (sliding.x / expected - 1.0).abs() < 0.02, "{held} {sliding} {expected}");
}

#[test]
fn another_unit_of_length_gives_the_same_bits() {
    let ends = |unit: f64| {
        let axis = Vec3::new(0.3, -0.2, 0.7).normalize();
        let can =
            Solid::Cylinder { centre: unit * Vec3::new(0.36, 0.4, -0.2), axis, radius: 0.13 * unit, half_length: 0.12 * unit };
        let mut run = falling(8, 0.11, 0.0, (can, RigidMotion::STILL), unit).run().expect("a run");
        (0..100).for_each(|_| drop(run.step().expect("a step")));
        assert!(run.collisions().expect("it collides").collision_work().contacts > 0);
        run.state().x.clone()
    };
    let metres = ends(1.0);
    for unit in [1024.0, 1.0 / 256.0] {
        assert!(ends(unit).iter().zip(&metres).all(|(x, y)| *x == unit * y), "{unit}");
    }
}

fn solids() -> impl Strategy<Value = Solid> {
    let centre = prop::array::uniform3(-0.03..0.03).prop_map(|off| Vec3::new(0.2, 0.2, -0.12) + Vec3::from(off));
    let axis = prop::array::uniform3(-1.0..1.0).prop_map(|axis| Vec3::from(axis).try_normalize(1e-2).unwrap_or_else(Vec3::z));
    let size = || 0.01..0.08;
    (0..4, centre, axis, [size(), size(), size()]).prop_map(|(kind, centre, axis, [a, b, c])| match kind {
        0 => Solid::Sphere { centre, radius: a },
        1 => Solid::Cuboid { centre, half: Vec3::new(a, b, c) },
        2 => Solid::Cylinder { centre, axis, radius: a, half_length: b },
        _ => Solid::Capsule { from: centre - b * axis, to: centre + b * axis, radius: 0.3 * c },
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var_os("CLOTHLAB_FULL").is_some() { 100 } else { 16 }))]

    #[test]
    fn no_place_of_a_face_is_inside_a_solid(
        solid in solids(),
        moves in any::<bool>(),
        turn in prop::array::uniform3(-4.0..4.0),
        rises in 0.0..3.0,
    ) {
        let turn = Vec3::from(turn);
        let motion = RigidMotion { centre: Vec3::new(0.2, 0.2, -0.12), turn, velocity: rises * Vec3::z(), ..RigidMotion::STILL };
        let motion = if moves { motion } else { RigidMotion::STILL };
        let (deep, _) = deepest_of(falling(5, 0.1, 0.05, (solid, motion), 1.0), 90);
        prop_assert!(deep <= 0.0, "{deep}");
    }
}
