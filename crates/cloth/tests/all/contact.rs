//! Contact with solids: Coulomb's law on an inclined plane, release, and sticking.

use cloth::contact::{ContactState, Contacts, Coulomb, Friction, Motion, Solid};
use cloth::implicit::{LinearSystem, Settings, SolvedSystem, Solver};
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::{Cloth, Elastic, Grid, Material, Net, NetSpring, State, System, Terms, Vec3};
use linsolve::{BlockPattern, Constraint, SparseCholesky};

const G: f64 = 9.81;
const DT: f64 = 1e-3;

/// A stiff sheet of 3 x 3 that lies on a plane which slopes down towards +x by `angle`, with its normal; x lies in the plane.
fn block_on_a_slope(angle: f64) -> (Cloth, State, Solid, Vec3) {
    let elastic = Elastic { stiffness: 2000.0, damping: 1.0 };
    let material =
        Material { density: 2.0, stretch: elastic, shear: elastic, bend: 0.0, compression: true, ..Material::default() };
    let cloth = Cloth::new(Grid::new(3, 3, 0.05).expect("a grid"), material, &[]).expect("a sheet");
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let downhill = Vec3::new(cos, 0.0, -sin);
    let x = cloth.grid().flat().iter().map(|p| p.x * downhill + p.y * Vec3::y()).collect();
    let plane = Solid::Plane { point: Vec3::zeros(), normal: Vec3::new(sin, 0.0, cos) };
    (cloth, State::at_rest(x), plane, downhill)
}

/// Distance travelled downhill and final speed of the block after a second.
fn slide(angle: f64, friction: Friction) -> (f64, f64, u64) {
    let (cloth, mut state, plane, downhill) = block_on_a_slope(angle);
    let start: Vec3 = state.x.iter().sum::<Vec3>() / 9.0;
    let contacts = Contacts::new(9, vec![plane], friction);
    let mut scheme = BackwardEuler::new(&cloth, Settings::default()).with_contacts(contacts);
    for _ in 0..1000 {
        scheme.step(&cloth, DT, &mut state);
    }
    let end: Vec3 = state.x.iter().sum::<Vec3>() / 9.0;
    let speed = state.v.iter().sum::<Vec3>().dot(&downhill) / 9.0;
    let depth = state.x.iter().map(|x| plane.distance(*x).0.abs()).fold(0.0, f64::max);
    assert!(depth < 1e-4, "the block has left the plane by {depth} m");
    ((end - start).dot(&downhill), speed, scheme.work().not_finite + scheme.work().indefinite)
}

#[test]
fn a_block_sticks_below_the_angle_of_friction() {
    let law = Coulomb { still: 0.5, sliding: 0.3, threshold: 0.02 };
    // tan 20° = 0.36 < 0.5
    let (way, speed, trouble) = slide(0.349, Friction::Coulomb(law));
    assert!(way.abs() < 1e-3 && speed.abs() < 1e-3 && trouble == 0, "{way} {speed} {trouble}");
}

#[test]
fn a_block_slides_above_it_with_the_acceleration_of_coulombs_law() {
    for (angle, threshold) in [(0.7_f64, 0.0), (0.9, 0.0), (0.7, 0.02), (0.9, 0.02)] {
        let law = Coulomb { still: 0.5, sliding: 0.3, threshold };
        let (way, speed, trouble) = slide(angle, Friction::Coulomb(law));
        let acceleration = G * (libm::sin(angle) - 0.3 * libm::cos(angle));
        assert!((speed / acceleration - 1.0).abs() < 0.03, "speed {speed} against {acceleration}");
        assert!((way / (0.5 * acceleration) - 1.0).abs() < 0.03 && trouble == 0, "way {way} against {}", 0.5 * acceleration);
    }
}

#[test]
fn without_friction_it_falls_along_the_plane_and_with_sticking_it_stays() {
    let frictionless = Coulomb { still: 0.0, sliding: 0.0, threshold: 0.02 };
    let (_, speed, _) = slide(0.5, Friction::Coulomb(frictionless));
    assert!((speed / (G * libm::sin(0.5)) - 1.0).abs() < 0.01, "{speed}");
    let (way, ..) = slide(1.2, Friction::Sticking);
    assert!(way.abs() < 1e-3, "{way}");
}

#[test]
fn a_pulled_sheet_is_released() {
    let (cloth, mut state, plane, _) = block_on_a_slope(0.0);
    let contacts = Contacts::new(9, vec![plane], Friction::Sticking);
    let mut scheme = BackwardEuler::new(&cloth, Settings::default()).with_contacts(contacts);
    for _ in 0..20 {
        scheme.step(&cloth, DT, &mut state);
    }
    let touching = |scheme: &BackwardEuler| {
        let touches = scheme.contacts().expect("contacts").touches();
        touches.iter().filter(|touch| touch.state == ContactState::Sticking).count()
    };
    assert_eq!(touching(&scheme), 9);
    let weight: f64 = scheme.contacts().expect("contacts").touches().iter().map(|touch| touch.force.z).sum();
    assert!((weight / (9.0 * 2.0 * 0.0025 * G) - 1.0).abs() < 0.05, "the plane carries {weight} N");
    // drawn upwards: the constraint would have to pull, so it lets go after a step
    let upwards = Material { gravity: Vec3::new(0.0, 0.0, G), ..*cloth.material() };
    let drawn = Cloth::new(*cloth.grid(), upwards, &[]).expect("a sheet");
    for _ in 0..11 {
        scheme.step(&drawn, DT, &mut state);
    }
    assert_eq!(touching(&scheme), 0);
    assert!(state.v.iter().all(|v| (v.z / (10.0 * DT * G) - 1.0).abs() < 0.05), "{:?}", state.v[4]);
}

#[test]
fn cloth_that_passes_a_solid_in_one_step_is_counted() {
    let (cloth, mut state, ..) = block_on_a_slope(0.0);
    let table = Solid::Cuboid { centre: Vec3::zeros(), half: Vec3::new(1.0, 1.0, 0.01) };
    state.x.iter_mut().for_each(|x| x.z = 0.05);
    state.v.iter_mut().for_each(|v| v.z = -100.0);
    let contacts = Contacts::new(9, vec![table], Friction::default());
    let mut scheme = BackwardEuler::new(&cloth, Settings::default()).with_contacts(contacts);
    scheme.step(&cloth, DT, &mut state);
    assert!(state.x[4].z < -0.01);
    assert_eq!(scheme.contacts().expect("contacts").passed(), 9);
}

#[test]
fn cloth_that_grazes_a_ball_has_not_passed_it() {
    let (cloth, mut state, ..) = block_on_a_slope(0.0);
    let ball = Solid::Sphere { centre: Vec3::new(0.0, 0.0, -1.0), radius: 1.0 };
    // over the top by 1 mm to either side, 1e-7 m above the ends of that way and below its middle
    state.x.iter_mut().for_each(|x| *x = Vec3::new(-1e-3, 0.0, -0.5e-6 + 1e-7));
    state.v.iter_mut().for_each(|v| *v = Vec3::new(2.0, 0.0, 0.0));
    let after: Vec<Vec3> = state.x.iter().map(|x| Vec3::new(-x.x, x.y, x.z)).collect();
    let middle = Vec3::new(0.0, 0.0, state.x[0].z);
    assert!(ball.distance(state.x[0]).0 > 0.0 && ball.distance(middle).0 < 0.0);
    let mut contacts = Contacts::new(cloth.particle_count(), vec![ball], Friction::default());
    let motion = Motion { h: DT, masses: cloth.masses(), x: &state.x, v: &state.v };
    contacts.constrain(&motion, &mut [Constraint::Free; 9], &mut [Vec3::zeros(); 9], &mut [Vec3::zeros(); 9]);
    contacts.watch(&state.x, &after);
    assert_eq!(contacts.passed(), 0);
}

#[test]
fn ways_that_passed_a_solid_are_those_that_their_samples_tell() {
    let centre = Vec3::new(0.1, -0.2, 0.3);
    let solids = [
        Solid::Plane { point: centre, normal: Vec3::new(0.6, 0.0, 0.8) },
        Solid::Cuboid { centre, half: Vec3::new(0.5, 0.4, 0.3) },
        Solid::Sphere { centre, radius: 0.5 },
        Solid::Cylinder { centre, axis: Vec3::new(0.0, 0.6, 0.8), radius: 0.4, half_length: 0.5 },
        Solid::Capsule { from: centre, to: Vec3::new(-0.3, 0.4, 0.1), radius: 0.3 },
    ];
    let mut drawn = 0_u64;
    let mut draw = || {
        drawn += 1;
        2.0 * (libm::sin((drawn * drawn % 100_003) as f64) * 1e3).fract() - 1.0
    };
    let mut vector = || Vec3::new(draw(), draw(), draw());
    for solid in solids {
        let points: Vec<Vec3> = (0..4000).map(|_| centre + 1.2 * vector()).collect();
        let far: Vec<Vec3> = points.iter().map(|_| centre + 1.2 * vector()).collect();
        // ways through it, and ways that hardly touch: from near the surface, short and mostly along it
        let near: Vec<Vec3> = points.iter().map(|x| x - (solid.distance(*x).0 - 1e-4) * solid.distance(*x).1).collect();
        let along: Vec<Vec3> = near.iter().map(|x| x + 0.2 * vector()).collect();
        for (before, after) in [(&points, &far), (&near, &along)] {
            let inside = |a: &Vec3, b: &Vec3, k: u32| solid.distance(a + f64::from(k) / 8.0 * (b - a)).0;
            let has_passed = |(a, b): &(&Vec3, &Vec3)| {
                let outside = solid.distance(**a).0 > 0.0 && solid.distance(**b).0 > 0.0;
                outside && (1..8).any(|k| inside(a, b, k) <= -0.01 * (*b - *a).norm())
            };
            let expected = before.iter().zip(after.iter()).filter(has_passed).count() as u64;
            let mut contacts = Contacts::new(before.len(), vec![solid], Friction::default());
            let (masses, zeros) = (vec![1.0; before.len()], vec![Vec3::zeros(); before.len()]);
            let motion = Motion { h: DT, masses: &masses, x: before, v: &zeros };
            let mut constraints = vec![Constraint::Free; before.len()];
            contacts.constrain(&motion, &mut constraints, &mut zeros.clone(), &mut zeros.clone());
            contacts.watch(before, after);
            assert_eq!(contacts.passed(), expected, "{solid:?}");
            let bounded = !matches!(solid, Solid::Plane { .. }); // no way from above a plane to above it leads below it
            assert_eq!(expected > 10, bounded, "{expected} of {solid:?}");
        }
    }
}

#[test]
fn a_step_that_is_taken_back_has_passed_nothing() {
    let (cloth, mut state, ..) = block_on_a_slope(0.0);
    let table = Solid::Cuboid { centre: Vec3::zeros(), half: Vec3::new(1.0, 1.0, 0.01) };
    state.x.iter_mut().for_each(|x| x.z = 0.05);
    state.v.iter_mut().for_each(|v| v.z = -100.0);
    let contacts = Contacts::new(9, vec![table], Friction::default());
    let mut scheme = BackwardEuler::new(&cloth, Settings::default()).with_contacts(contacts);
    scheme.step(&cloth, DT, &mut state);
    scheme.reject();
    assert_eq!(scheme.contacts().expect("contacts").passed(), 0);
}

#[test]
fn the_system_of_the_last_step_gives_its_change_of_velocities() {
    let direct = Settings { solver: Solver::Direct, ..Settings::default() };
    let (cloth, start, plane, _) = block_on_a_slope(0.7);
    let law = Coulomb { still: 0.5, sliding: 0.3, threshold: 0.02 };
    let mut sliding = 0;
    for friction in [Friction::Coulomb(law), Friction::Sticking] {
        let mut scheme = BackwardEuler::new(&cloth, direct).with_contacts(Contacts::new(9, vec![plane], friction));
        let mut state = start.clone();
        let lift = 1e-4 * plane.distance(Vec3::zeros()).1;
        state.x.iter_mut().for_each(|x| *x += lift); // so that it falls into the plane first
        let mut solver = SparseCholesky::new(&BlockPattern::new(9, &cloth.pairs()));
        let mut largest = 0.0_f64;
        for _ in 0..40 {
            let before = state.clone();
            scheme.step(&cloth, DT, &mut state);
            let Some(SolvedSystem { system: LinearSystem::Blocks(system), solution, .. }) = scheme.last_system() else {
                panic!("a direct solver takes block rows")
            };
            let mut dv = [Vec3::zeros(); 9];
            solver.solve(&system, &mut dv).expect("a system with a solution");
            for i in 0..9 {
                let taken = state.v[i] - before.v[i];
                assert!((solution[i] - taken).amax() < 1e-15);
                assert!((dv[i] - taken).amax() < 1e-15, "{friction:?}, particle {i}: {:?} against {taken:?}", dv[i]);
            }
            sliding += system.constraints.iter().filter(|constraint| constraint.ndof() == 2).count();
            let held = system.constraints.iter().zip(system.z).filter(|(constraint, _)| constraint.ndof() < 3);
            largest = held.map(|(_, z)| z.amax()).fold(largest, f64::max);
        }
        assert!(largest > 1e-3, "no motion was prescribed under {friction:?}: {largest}");
    }
    assert!(sliding > 0, "no particle slid");
}

/// A frictionless floor at z = 0, met by contacts that alter positions, or by velocities.
fn floor(particles: usize, alters: bool) -> Contacts {
    let plane = Solid::Plane { point: Vec3::zeros(), normal: Vec3::z() };
    let frictionless = Coulomb { still: 0.0, sliding: 0.0, threshold: 0.0 };
    let contacts = Contacts::new(particles, vec![plane], Friction::Coulomb(frictionless));
    if alters { contacts.altering() } else { contacts }
}

/// Two particles on a spring at rest, the lower one 0.1 m below the floor: y = 0.09 m presses the spring, which leads the upper one.
#[test]
fn an_alteration_by_hand_moves_without_speed_and_tells_the_spring() {
    let (mass, ks, dt) = (2.0, 30.0, 0.1);
    let spring = NetSpring { i: 0, j: 1, rest: 1.0, elastic: Elastic { stiffness: ks, damping: 0.0 } };
    let mut net = Net::new(vec![mass; 2], vec![false; 2], vec![spring]).expect("a net");
    net.gravity = Vec3::zeros();
    let step = |alters| {
        let mut scheme = BackwardEuler::new(&net, Settings { solver: Solver::Direct, ..Settings::default() });
        scheme = scheme.with_contacts(floor(2, alters));
        let mut state = State::at_rest(vec![-0.1 * Vec3::z(), 0.9 * Vec3::z()]);
        scheme.step(&net, dt, &mut state);
        state
    };
    let dv = dt * ks * 0.09 / (mass + dt * dt * ks); // m dv = h (K y + h K dv)
    for (alters, speed) in [(true, 0.0), (false, 0.9)] {
        let State { x, v } = step(alters);
        assert!((x[0].z + 0.01).abs() < 1e-15 && (v[0].z - speed).abs() < 1e-14, "{alters} {x:?} {v:?}");
        assert!((v[1].z - dv).abs() < 1e-14 && (x[1].z - 0.9 - dt * dv).abs() < 1e-15, "{alters} {x:?} {v:?} {dv}");
    }
}

/// A sheet whose first row is below the floor, after a converged step: what moves it is the forces at its end, where y has led.
#[test]
fn a_sheet_that_is_altered_solves_its_equation_and_gains_no_speed_where_it_touches() {
    let elastic = Elastic { stiffness: 2000.0, damping: 1.0 };
    let material = Material { density: 2.0, stretch: elastic, shear: elastic, compression: true, ..Material::default() };
    let cloth = Cloth::new(Grid::new(5, 5, 0.05).expect("a grid"), material, &[]).expect("a sheet");
    let upright = || State::at_rest(cloth.grid().flat().iter().map(|p| Vec3::new(p.x, 0.0, p.y - 0.01)).collect());
    let settings = Settings { solver: Solver::Direct, terms: Terms::Exact, ..Settings::converged() };
    let stepped = |alters| {
        let mut state = upright();
        BackwardEuler::new(&cloth, settings).with_contacts(floor(25, alters)).step(&cloth, DT, &mut state);
        state
    };
    let state = stepped(true);
    let mut a = vec![Vec3::zeros(); 25];
    cloth.accelerate(&state.x, &state.v, &mut a);
    for i in 0..5 {
        assert!((state.x[i].z + 0.001).abs() < 1e-12 && state.v[i].z.abs() < 1e-9, "{:?} {:?}", state.x[i], state.v[i]);
    }
    for i in 5..25 {
        assert!((state.v[i] - DT * a[i]).norm() < 1e-7, "{i}: {:?} {:?}", state.v[i], DT * a[i]);
    }
    assert!(state.v[7].z > 0.1, "springs lead the row above: {} m/s", state.v[7].z);
    let kinetic = |state: &State| state.v.iter().zip(cloth.masses()).map(|(v, m)| 0.5 * m * v.norm_squared()).sum::<f64>();
    let (altered, driven) = (kinetic(&state), kinetic(&stepped(false)));
    assert!(altered < 0.1 * driven, "{altered} J with alterations, {driven} J without");
}
