use collision::{Unfit, crossings};
use proptest::prelude::*;

use super::*;
use crate::Sinusoid;
use crate::contact::Coulomb;

const NOTHING: SelfCollision =
    SelfCollision { distance: 1e-3, friction: Friction::Coulomb(Coulomb { still: 0.0, sliding: 0.0, threshold: 0.0 }) };

/// A sheet of n x n particles, its side 1 m, as triangles, its numbers from `first` on.
fn sheet(n: u32, first: u32) -> Vec<[u32; 3]> {
    let cells = (0..n - 1).flat_map(|j| (0..n - 1).map(move |i| first + j * n + i));
    cells.flat_map(|k| [[k, k + 1, k + n], [k + 1, k + n + 1, k + n]]).collect()
}

fn places(n: u32, height: f64) -> Vec<Vec3> {
    let at = |k: u32| f64::from(k) / f64::from(n - 1);
    (0..n * n).map(|k| Vec3::new(at(k % n), at(k / n), height)).collect()
}

/// A triangle of cloth, and a large one below it that is a plane to it, tilted by `angle` about y.
fn on_a_slope(angle: f64, friction: Friction) -> (Impacts, Vec<Vec3>, Vec3, Vec3) {
    let (sin, cos) = libm::sincos(angle);
    let (down, normal) = (Vec3::new(cos, 0.0, -sin), Vec3::new(sin, 0.0, cos));
    let on = |along: f64, y: f64, above: f64| along * down + y * Vec3::y() + above * normal;
    let x = vec![on(0.0, 0.0, 1e-3), on(0.1, 0.0, 1e-3), on(0.0, 0.1, 1e-3)];
    let slope = MovingMesh {
        vertices: vec![on(-50.0, -40.0, 0.0), on(80.0, -40.0, 0.0), on(-50.0, 90.0, 0.0)],
        faces: vec![[0, 1, 2]],
        sequence: None,
        motion: RigidMotion::STILL,
        friction,
    };
    let thickness = SelfCollision { distance: 1e-3, friction: Friction::Sticking }; // of cloth on cloth alone
    let impacts = Impacts::between(&[0.3; 3], &[false; 3], vec![[0, 1, 2]], &x, thickness, vec![slope]).unwrap();
    (impacts, x, down, normal)
}

/// Symplectic Euler under gravity, led around collisions; how far and how fast the first particle is after a second.
fn slid(impacts: &mut Impacts, mut x: Vec<Vec3>, down: Vec3) -> (f64, f64) {
    let (dt, start) = (0.01, x[0]);
    let mut v = vec![Vec3::zeros(); x.len()];
    for step in 0..100 {
        impacts.begin(f64::from(step) * dt, dt, &x, &v);
        for (x, v) in x.iter_mut().zip(&mut v) {
            *v += dt * Vec3::new(0.0, 0.0, -9.81);
            *x += dt * *v;
        }
        impacts.resolve(dt, &mut x, &mut v).unwrap();
    }
    ((x[0] - start).dot(&down), v[0].dot(&down))
}

#[test]
fn sliding_and_sticking_on_a_plane_are_those_of_coulomb() {
    let angle: f64 = 0.5;
    let (sin, cos) = libm::sincos(angle);
    // tan(angle) = .546: what slides does so by mu_k, and sticks from mu_s = .546 on
    for (still, sliding, slides) in
        [(0.0, 0.0, true), (0.2, 0.2, true), (0.5, 0.5, true), (0.5, 0.1, true), (0.6, 0.6, false), (0.6, 0.1, false)]
    {
        let friction = Friction::Coulomb(Coulomb { still, sliding, threshold: 0.0 });
        let rate = if slides { 9.81 * (sin - sliding * cos) } else { 0.0 };
        let expected = (0.5 * rate * 1.0 * 1.01, rate); // sums of symplectic Euler: dt² (1 + ... + 100) g
        let (mut impacts, x, down, _) = on_a_slope(angle, friction);
        let mesh = slid(&mut impacts, x.clone(), down);
        let plane = Solid::Plane { point: Vec3::zeros(), normal: Vec3::new(sin, 0.0, cos) };
        let mut solids = Impacts::without(&[0.3], &[false]).with_solids(vec![(plane, RigidMotion::STILL)], friction);
        let solid = slid(&mut solids, vec![Vec3::zeros()], down);
        for (way, speed) in [mesh, solid] {
            assert!(
                (way - expected.0).abs() < 1e-9 && (speed - expected.1).abs() < 1e-9,
                "{friction:?}: {way} {speed} {expected:?}"
            );
        }
    }
}

#[test]
fn what_collides_with_nothing_keeps_every_bit() {
    let start = [places(4, 0.0), places(4, 0.1)].concat();
    let faces = [sheet(4, 0), sheet(4, 16)].concat();
    let mut impacts = Impacts::between(&[0.1; 32], &[false; 32], faces, &start, NOTHING, vec![]).unwrap();
    let moved: Vec<Vec3> = start.iter().map(|x| x * 1.1 + Vec3::new(0.7, 0.1, 0.3) / 3.0).collect();
    let v: Vec<Vec3> = start.iter().map(|x| x / 7.0).collect();
    let (mut x, mut changed) = (moved.clone(), v.clone());
    impacts.begin(0.0, 0.1, &start, &vec![Vec3::zeros(); start.len()]);
    assert_eq!(impacts.resolve(0.1, &mut x, &mut changed), Ok(CollisionReport::default()));
    assert_eq!((x, changed), (moved, v));
}

#[test]
fn what_passes_through_itself_at_the_start_is_refused() {
    let start = [places(4, 0.0), places(4, 0.0)].concat();
    let faces = [sheet(4, 0), sheet(4, 16)].concat();
    let refused = Impacts::between(&[0.1; 32], &[false; 32], faces, &start, NOTHING, vec![]).err();
    assert!(matches!(refused, Some(ModelError::Collisions(Unfit::Crossing { first: 0, .. }))), "{refused:?}");
}

/// Moves by `velocities` for a step of 0.1 s, and checks what a step promises: no crossings, momentum, energy.
fn step(impacts: &mut Impacts, masses: &[f64], start: &[Vec3], velocities: &[Vec3]) -> Result<CollisionReport, TestCaseError> {
    let dt = 0.1;
    impacts.begin(0.0, dt, start, velocities);
    let mut x: Vec<Vec3> = start.iter().zip(velocities).map(|(x, v)| x + dt * v).collect();
    let mut v = velocities.to_vec();
    let resolved = match impacts.resolve(dt, &mut x, &mut v) {
        Ok(resolved) => resolved,
        Err(caught) => return Err(TestCaseError::fail(caught.to_string())),
    };
    let crossed = crossings(impacts.surface().unwrap(), impacts.places());
    prop_assert!(crossed.is_empty(), "{crossed:?} after {resolved:?}");
    let momentum = |v: &[Vec3]| v.iter().zip(masses).map(|(v, m)| *m * v).sum::<Vec3>();
    let energy = |v: &[Vec3]| v.iter().zip(masses).map(|(v, m)| 0.5 * m * v.norm_squared()).sum::<f64>();
    let size: f64 = velocities.iter().zip(masses).map(|(v, m)| m * v.norm()).sum();
    prop_assert!((momentum(&v) - momentum(velocities)).norm() <= 1e-13 * size, "momentum {:?}", resolved);
    prop_assert!(energy(&v) <= energy(velocities) * (1.0 + 1e-13), "{} {}", energy(&v), energy(velocities));
    let way: Vec<Vec3> = x.iter().zip(start).map(|(x, start)| (x - start) / dt).collect();
    prop_assert!((momentum(&way) - momentum(velocities)).norm() <= 1e-12 * size, "momentum of positions");
    Ok(resolved)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Two sheets that are thrown at each other, their particles in all directions.
    #[test]
    fn sheets_do_not_pass_through_each_other(
        seed in prop::collection::vec(prop::array::uniform3(-1.0..1.0), 50),
        speed in 0.1..3.0,
        gap in prop_oneof![Just(1e-3), 1e-4..0.05],
        friction in prop_oneof![Just(0.0), 0.0..1.0],
    ) {
        let n = 5;
        let start = [places(n, 0.0), places(n, gap).iter().map(|x| x + Vec3::new(0.03, 0.02, 0.0)).collect()].concat();
        let faces = [sheet(n, 0), sheet(n, n * n)].concat();
        let masses: Vec<f64> = (0..50).map(|k| 0.1 + 0.01 * f64::from(k % 7)).collect();
        let thickness = SelfCollision { distance: 1e-3, friction: Friction::even(friction) };
        let mut impacts = Impacts::between(&masses, &[false; 50], faces, &start, thickness, vec![]).unwrap();
        let toward = |k: usize| Vec3::new(0.0, 0.0, if k < 25 { speed } else { -speed });
        let velocities: Vec<Vec3> = seed.iter().enumerate().map(|(k, way)| toward(k) + 0.5 * speed * Vec3::from(*way)).collect();
        step(&mut impacts, &masses, &start, &velocities)?;
    }
}

#[test]
fn cloth_that_is_too_near_is_moved_apart_without_speed() {
    let n = 5;
    let start = [places(n, 0.0), places(n, 2e-4)].concat();
    let faces = [sheet(n, 0), sheet(n, n * n)].concat();
    let mut impacts = Impacts::between(&[0.1; 50], &[false; 50], faces, &start, NOTHING, vec![]).unwrap();
    let (mut x, mut v) = (start.clone(), vec![Vec3::zeros(); 50]);
    let mut gap = 2e-4;
    for _ in 0..30 {
        impacts.begin(0.0, 0.1, &x.clone(), &v);
        impacts.resolve(0.1, &mut x, &mut v).unwrap();
        let now = x[30].z - x[5].z;
        let expected = gap + RECOVERY * (1e-3 - gap);
        assert!((now - expected).abs() < 1e-6, "{now} {expected}");
        assert!(v.iter().all(|v| *v == Vec3::zeros()));
        gap = now;
    }
}

#[test]
fn a_body_pushes_and_two_that_close_are_a_reason_to_refuse() {
    let n = 4;
    let plate = |height: f64, speed: f64| MovingMesh {
        vertices: vec![Vec3::new(-9.0, -9.0, height), Vec3::new(20.0, -9.0, height), Vec3::new(-9.0, 20.0, height)],
        faces: vec![[0, 1, 2]],
        sequence: None,
        motion: RigidMotion { velocity: speed * Vec3::z(), ..RigidMotion::STILL },
        friction: NOTHING.friction,
    };
    let start = places(n, 0.0);
    let with = |bodies| Impacts::between(&[0.1; 16], &[false; 16], sheet(n, 0), &start, NOTHING, bodies).unwrap();
    let mut impacts = with(vec![plate(-0.01, 1.0)]);
    impacts.begin(0.0, 0.1, &start, &vec![Vec3::zeros(); start.len()]);
    let (mut x, mut v) = (start.clone(), vec![Vec3::zeros(); 16]);
    impacts.resolve(0.1, &mut x, &mut v).unwrap();
    assert!(x.iter().all(|x| (x.z - 0.091).abs() < 1e-9), "{x:?}");
    assert!(v.iter().all(|v| (v - Vec3::z()).norm() < 1e-9), "{v:?}");

    let mut impacts = with(vec![plate(-0.01, 1.0), plate(0.05, 0.0)]);
    impacts.begin(0.0, 0.1, &start, &vec![Vec3::zeros(); start.len()]);
    let (mut x, mut v) = (start.clone(), vec![Vec3::zeros(); 16]);
    assert!(matches!(impacts.resolve(0.1, &mut x, &mut v), Err(CollisionError::Pinched { .. })));
    assert_eq!(x, start);
}

#[test]
fn a_turning_sphere_carries_what_sticks_to_it() {
    let turn = RigidMotion { turn: 0.5 * Vec3::z(), ..RigidMotion::STILL };
    let swing =
        RigidMotion { path: Some(Sinusoid { amplitude: 0.2 * Vec3::z(), period: 4.0, until: 9.0 }), ..RigidMotion::STILL };
    let ball = Solid::Sphere { centre: Vec3::zeros(), radius: 1.0 };
    for (motion, friction, expected) in [
        (turn.clone(), 10.0, Vec3::new(libm::cos(0.05), libm::sin(0.05), 0.0)),
        (turn, 0.0, Vec3::x()),
        (swing, 10.0, Vec3::new(1.0, 0.0, 0.2 * libm::sin(std::f64::consts::PI / 20.0))),
    ] {
        let mut impacts = Impacts::without(&[1.0], &[false]).with_solids(vec![(ball, motion)], Friction::even(friction));
        impacts.begin(0.0, 0.1, &[Vec3::x()], &[Vec3::zeros()]);
        let (mut x, mut v) = ([Vec3::new(0.95, 0.0, 0.0)], [Vec3::new(-0.5, 0.0, 0.0)]); // pressed on it
        impacts.resolve(0.1, &mut x, &mut v).unwrap();
        assert!((x[0] - expected).norm() < 3e-3, "{} {expected}", x[0]);
    }
}

#[test]
fn a_step_of_too_many_pairs_is_refused_at_once() {
    let n = 20;
    let (masses, held, x) = ([1.0; 400], [false; 400], places(n, 0.0));
    let mut impacts = Impacts::between(&masses, &held, sheet(n, 0), &x, NOTHING, vec![]).unwrap();
    // all of it through one point
    let thrown = |share: f64| x.iter().map(|x| x + 2.0 * share * (Vec3::new(0.5, 0.5, 0.3) - x)).collect::<Vec<Vec3>>();
    let mut v = vec![Vec3::zeros(); 400];
    impacts.begin(0.0, 0.1, &x, &v);
    let (mut far, before) = (thrown(1.0), thrown(1.0));
    let refused = impacts.resolve(0.1, &mut far, &mut v);
    assert!(matches!(refused, Err(CollisionError::Crowded { pairs, particles: 400 }) if pairs == 200_000), "{refused:?}");
    assert_eq!(far, before, "it stays as it was");
    impacts.begin(0.0, 0.1, &x, &v);
    assert!(impacts.resolve(0.1, &mut thrown(0.4), &mut v).is_ok(), "cloth that shrinks without passing itself");
}
