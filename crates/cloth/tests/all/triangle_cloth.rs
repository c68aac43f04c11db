//! The sheet of triangles as a whole: its places in the matrix, its linear system against differences, steps, statics, drag.

use cloth::implicit::{Settings, Splitting};
use cloth::integrators::{BackwardEuler, Integrator};
use cloth::triangles::{Triangle, TriangleMesh, Vec2};
use cloth::{Bend, Drag, Elastic, Fabric, Linearisation, ModelError, State, System, Terms, TriangleCloth, Vec3};
use linsolve::{BlockPattern, BlockRows, Operator};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

/// Three triangles round particle 0, between whose hinges and edges no new pair lies, and a fourth one on their border.
fn fan() -> TriangleMesh {
    let material = [[0.0, 0.0], [1.0, -0.2], [-0.4, 0.9], [-0.5, -0.8], [1.1, 0.9]].map(|[u, v]| Vec2::new(u, v));
    let triangle = |corners: [usize; 3]| Triangle { corners, material: corners.map(|k| material[k]) };
    let triangles = [[0, 1, 2], [2, 3, 0], [1, 0, 3], [4, 2, 1]].map(triangle).to_vec();
    TriangleMesh::new(material.map(|p| Vec3::new(p.x, p.y, 0.0)).to_vec(), triangles).expect("a mesh")
}

const COUNT: usize = 5;

fn fabric(damped: bool) -> Fabric {
    let kept = |damping: f64| if damped { damping } else { 0.0 };
    Fabric {
        density: 0.7,
        warp: Elastic { stiffness: 30.0, damping: kept(0.8) },
        weft: Elastic { stiffness: 20.0, damping: kept(0.5) },
        shear: Elastic { stiffness: 9.0, damping: kept(0.3) },
        bend: Bend { stiffness: 2.0, damping: kept(0.2) },
        air: kept(0.1),
        ..Fabric::default()
    }
}

fn weightless(damped: bool) -> TriangleCloth {
    TriangleCloth::new(fan(), Fabric { gravity: Vec3::zeros(), ..fabric(damped) }, &[]).expect("a material")
}

fn vectors(size: f64) -> impl Strategy<Value = Vec<Vec3>> {
    prop::collection::vec((-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z)), COUNT)
}

/// Far from rest, without collapsed triangles.
fn crumpled() -> impl Strategy<Value = State> {
    (vectors(0.2), vectors(2.0))
        .prop_map(|(shifts, v)| State { x: fan().positions().iter().zip(shifts).map(|(x, shift)| x + shift).collect(), v })
}

fn forces(cloth: &TriangleCloth, x: &[Vec3], v: &[Vec3]) -> DVector<f64> {
    let mut a = vec![Vec3::zeros(); COUNT];
    cloth.accelerate(x, v, &mut a);
    vector(&a.iter().zip(cloth.masses()).map(|(a, m)| *m * a).collect::<Vec<_>>())
}

fn vector(f: &[Vec3]) -> DVector<f64> {
    DVector::from_iterator(3 * COUNT, f.iter().flatten().copied())
}

/// Derivative by the coordinates of the particles.
fn differences(of: impl Fn(&[Vec3]) -> DVector<f64>, at: &[Vec3]) -> DMatrix<f64> {
    let moved = |k: usize, by: f64| {
        let mut x = at.to_vec();
        x[k / 3][k % 3] += by;
        of(&x)
    };
    let columns: Vec<_> = (0..3 * COUNT).map(|k| (moved(k, 1e-5) - moved(k, -1e-5)) / 2e-5).collect();
    DMatrix::from_columns(&columns)
}

/// -h D - h g K and h (f + K w).
fn linearised(cloth: &TriangleCloth, at: &Linearisation, implicit: &[bool]) -> (DMatrix<f64>, DVector<f64>) {
    let mut matrix = BlockRows::new(BlockPattern::new(COUNT, &cloth.pairs()));
    let (mut b, mut column) = (vec![Vec3::zeros(); COUNT], vec![Vec3::zeros(); COUNT]);
    cloth.add_linearised(at, implicit, &mut matrix, &mut b);
    let columns: Vec<_> = (0..3 * COUNT)
        .map(|k| {
            let mut unit = vec![Vec3::zeros(); COUNT];
            unit[k / 3][k % 3] = 1.0;
            matrix.apply(&unit, &mut column);
            vector(&column)
        })
        .collect();
    (DMatrix::from_columns(&columns), vector(&b))
}

#[test]
fn every_pair_of_a_triangle_or_hinge_has_one_place() {
    let mut pairs = weightless(false).pairs();
    pairs.sort_unstable();
    // eight edges, and the wings 0 and 4 of the hinge 1-2; those of the three others are edges
    assert_eq!(pairs, [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4)]);
    assert_eq!(weightless(false).coupling_count(), 2 * 4 + 4);
}

proptest! {
    #[test]
    fn accelerations_are_the_slope_of_the_energy(state in crumpled()) {
        let cloth = TriangleCloth::new(fan(), fabric(false), &[]).unwrap();
        let energy = |x: &[Vec3]| {
            let energies = cloth.energies(&State { x: x.to_vec(), v: state.v.clone() });
            DVector::from_element(1, energies.total())
        };
        let slope = differences(energy, &state.x);
        let force = forces(&cloth, &state.x, &state.v);
        prop_assert!((slope.transpose() + &force).amax() < 1e-6 * (1.0 + force.amax()), "{slope} {force}");
    }

    #[test]
    fn linear_systems_are_those_of_differences(state in crumpled(), w in vectors(0.5)) {
        let (cloth, State { x, v }, h, g) = (weightless(true), &state, 0.03, 0.07);
        let at = Linearisation { x, v, w: &w, h, g, terms: Terms::Exact };
        let (a, b) = linearised(&cloth, &at, &[true; 12]);
        let by_position = differences(|x| forces(&cloth, x, v), x);
        let by_position = 0.5 * (&by_position + by_position.transpose()); // as it is stated, for matrices are symmetric
        let by_velocity = differences(|v| forces(&cloth, x, v), v);
        let expected = -h * by_velocity - h * g * &by_position;
        prop_assert!((&a - &expected).amax() < 1e-6 * expected.amax(), "{a} {expected}");
        let expected = h * (forces(&cloth, x, v) + by_position * vector(&w));
        prop_assert!((&b - &expected).amax() < 1e-6 * expected.amax(), "{b} {expected}");
        let (filtered, _) = linearised(&cloth, &Linearisation { terms: Terms::Filtered, ..at }, &[true; 12]);
        prop_assert!(filtered.symmetric_eigenvalues().min() > 0.0);
    }

    #[test]
    fn explicit_and_implicit_couplings_are_all_there_are(state in crumpled(), implicit in prop::collection::vec(any::<bool>(), 12)) {
        let (cloth, State { x, v }) = (TriangleCloth::new(fan(), fabric(true), &[]).unwrap(), &state);
        let at = Linearisation { x, v, w: &[Vec3::zeros(); COUNT], h: 0.5, g: 0.5, terms: Terms::Filtered };
        let mut explicit = vec![Vec3::zeros(); COUNT];
        cloth.add_explicit_forces(&implicit, x, v, &mut explicit);
        let (_, impulse) = linearised(&cloth, &at, &implicit);
        let expected = forces(&cloth, x, v);
        prop_assert!((impulse / 0.5 + vector(&explicit) - &expected).amax() < 1e-11 * (1.0 + expected.amax()));
    }

    #[test]
    fn drag_gives_no_particle_power_in_the_frame_of_the_wind(state in crumpled(), wind in vectors(3.0)) {
        let cloth = |drag| TriangleCloth::new(fan(), Fabric { drag, ..fabric(true) }, &[]).unwrap();
        let drag = Drag { air_density: 1.2, coefficient: 0.9, wind: wind[0] };
        let force = forces(&cloth(Some(drag)), &state.x, &state.v) - forces(&cloth(None), &state.x, &state.v);
        prop_assert!(force.amax() > 0.0);
        for (k, v) in state.v.iter().enumerate() {
            prop_assert!(force.fixed_rows::<3>(3 * k).dot(&(v - wind[0])) < 1e-12);
        }
    }
}

#[test]
fn drag_on_a_falling_plate_by_hand() {
    let drag = Some(Drag { air_density: 2.0, coefficient: 0.5, wind: Vec3::new(0.0, 0.0, 1.0) });
    let gravity = Vec3::zeros();
    let cloth =
        TriangleCloth::new(TriangleMesh::regular(4, 3, 2.0, 1.5).unwrap(), Fabric { drag, gravity, ..Fabric::default() }, &[]);
    let cloth = cloth.unwrap();
    let mut state = cloth.at_rest();
    let stretched: Vec<Vec3> = state.x.iter().map(|x| 2.0 * x).collect(); // 12 m²
    state.v.fill(Vec3::new(0.0, 0.0, -3.0));
    let mut a = vec![[Vec3::zeros(); 12]; 2];
    cloth.accelerate(&state.x, &[Vec3::zeros(); 12], &mut a[0]);
    cloth.accelerate(&stretched, &[Vec3::new(0.0, 0.0, -3.0); 12], &mut a[1]);
    let lift = |a: &[Vec3; 12]| a.iter().zip(cloth.masses()).map(|(a, m)| m * a.z).sum::<f64>();
    assert!((lift(&a[0]) - 1.5).abs() < 1e-12, "1/2 2 0.5 3 1²");
    assert!((lift(&a[1]) - 96.0).abs() < 1e-12, "1/2 2 0.5 12 4²");
    // and nothing along the plate
    cloth.accelerate(&state.x, &[Vec3::new(5.0, 2.0, 1.0); 12], &mut a[0]);
    assert_eq!(a[0], [Vec3::zeros(); 12]);
}

#[test]
fn a_converged_backward_euler_step_satisfies_its_equation() {
    let (cloth, dt) = (TriangleCloth::new(fan(), fabric(true), &[3]).unwrap(), 0.02);
    let shifts = [[0.1, 0.0, 0.2], [-0.1, 0.2, 0.0], [0.2, 0.1, -0.3], [0.0, 0.1, 0.1], [0.1, -0.2, 0.2]];
    let x = fan().positions().iter().zip(shifts).map(|(x, shift)| x + Vec3::from(shift)).collect();
    let begin = State { x, v: vec![Vec3::new(0.3, -0.2, 0.5), Vec3::y(), Vec3::z(), Vec3::zeros(), Vec3::x()] };
    let mut end = begin.clone();
    let mut scheme = BackwardEuler::new(&cloth, Settings { terms: Terms::Exact, ..Settings::converged() });
    scheme.step(&cloth, dt, &mut end);
    let mut a = vec![Vec3::zeros(); COUNT];
    cloth.accelerate(&end.x, &end.v, &mut a);
    for i in 0..COUNT {
        assert!((end.v[i] - begin.v[i] - dt * a[i]).norm() < 1e-9, "{i}");
        assert!((end.x[i] - begin.x[i] - dt * end.v[i]).norm() < 1e-12, "{i}");
    }
    assert_eq!((end.x[3], end.v[3]), (begin.x[3], Vec3::zeros()));
    assert!((end.x[0] - begin.x[0]).norm() > 1e-3);
}

#[test]
fn a_hanging_strip_is_longer_by_what_a_bar_is() {
    // T = rho g (L - s) = Y strain: the end of a bar is rho g L² / 2 Y lower
    let (length, width, stiffness) = (1.0, 0.3, 10.0);
    let elastic = |stiffness| Elastic { stiffness, damping: 0.0 };
    let gravity = Vec3::new(9.81, 0.0, 0.0); // along the warp
    let fabric =
        Fabric { warp: elastic(stiffness), weft: elastic(4.0), shear: elastic(2.0), air: 0.01, gravity, ..Fabric::default() };
    let expected = fabric.density * 9.81 * length * length / (2.0 * stiffness);
    let error = |cells: usize| {
        let (nx, ny) = (5 * cells + 1, 2 * cells + 1);
        let mesh = TriangleMesh::regular(nx, ny, length, width).unwrap();
        let top: Vec<usize> = (0..ny).map(|row| row * nx).collect();
        let cloth = TriangleCloth::new(mesh, fabric, &top).unwrap();
        let mut state = cloth.at_rest();
        let mut scheme = BackwardEuler::new(&cloth, Settings::converged());
        for _ in 0..20 {
            scheme.step(&cloth, 5.0, &mut state);
        }
        let fastest = state.v.iter().map(|v| v.norm()).fold(0.0, f64::max);
        assert!(fastest < 1e-9, "not at rest: {fastest} m/s");
        let ends = top.iter().map(|first| state.x[first + nx - 1].x - length - expected);
        ends.map(f64::abs).fold(0.0, f64::max) / expected
    };
    let errors = [1, 2, 4].map(error);
    assert!(errors[0] < 0.01 && errors[1] < 0.3 * errors[0] && errors[2] < 0.3 * errors[1], "second order: {errors:?}");
}

#[test]
fn couplings_are_split_by_family_and_by_stiffness() {
    let mesh = TriangleMesh::new(
        vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::new(1.0, 1.0, 0.0)],
        [[0, 1, 2], [3, 2, 1]]
            .map(|corners| {
                let place = |k: usize| [Vec2::zeros(), Vec2::x(), Vec2::y(), Vec2::new(1.0, 1.0)][k];
                Triangle { corners, material: corners.map(place) }
            })
            .to_vec(),
    );
    // right triangles of 1/2 m² and 0.6 kg: 0.2 kg on the ends of the square, a = 1/2, sums of squares 2
    let fabric = Fabric { density: 1.2, ..fabric(true) };
    let cloth = TriangleCloth::new(mesh.unwrap(), fabric, &[]).unwrap();
    assert_eq!(cloth.masses().iter().map(|m| (m * 1e3).round()).collect::<Vec<_>>(), [200.0, 400.0, 400.0, 200.0]);
    let chosen = |splitting, dt| {
        let mut implicit = [false; 5];
        cloth.choose_implicit(&splitting, dt, &cloth.at_rest(), &mut implicit);
        implicit
    };
    let families = |stretch, shear, bend| chosen(Splitting::Families { stretch, shear, bend }, 0.1);
    assert_eq!(families(true, false, false), [true, false, true, false, false]);
    assert_eq!(families(false, true, false), [false, true, false, true, false]);
    assert_eq!(families(false, false, true), [false, false, false, false, true]);
    assert_eq!(chosen(Splitting::adaptive_second_order(), 1e-9), [true; 5]);
    // dt/m (k dt + 2 kd) at dt = 0.01: warp 0.05 (0.3 + 1.6) = 0.095, shear twice 0.05 (0.09 + 0.6), 0.069
    let adaptive = |threshold| chosen(Splitting::Adaptive { threshold, bend: false }, 0.01);
    assert_eq!(adaptive(0.0949), [true, false, true, false, false]);
    assert_eq!(adaptive(0.0951), [false; 5]);
    assert_eq!(adaptive(0.0689), [true, true, true, true, false]);
    assert_eq!(chosen(Splitting::Adaptive { threshold: 1.0, bend: true }, 0.01), [false, false, false, false, true]);
}

#[test]
fn stretch_is_the_larger_one_of_warp_and_weft() {
    let cloth = weightless(false);
    let x: Vec<Vec3> = fan().positions().iter().map(|x| Vec3::new(1.2 * x.x, 0.9 * x.y, 0.0)).collect();
    assert!((cloth.largest_stretch(&x) - 1.2).abs() < 1e-14);
    let x: Vec<Vec3> = fan().positions().iter().map(|x| Vec3::new(0.5 * x.x, 0.0, 1.5 * x.y)).collect();
    assert!((cloth.largest_stretch(&x) - 1.5).abs() < 1e-14);
}

#[test]
fn mistakes_are_refused() {
    let new = |fabric, pins: &[usize]| TriangleCloth::new(fan(), fabric, pins).err();
    assert_eq!(new(fabric(true), &[0, 4]), None);
    assert_eq!(new(fabric(true), &[5]), Some(ModelError::PinOfMesh { pin: 5, particles: 5 }));
    let refused = |fabric: Fabric, expected: &str| match new(fabric, &[]) {
        Some(ModelError::OutOfRange { quantity, .. }) => assert_eq!(quantity, expected),
        other => panic!("{expected}: {other:?}"),
    };
    let elastic = |stiffness, damping| Elastic { stiffness, damping };
    let drag = |air_density, coefficient| Some(Drag { air_density, coefficient, wind: Vec3::zeros() });
    refused(Fabric { density: 0.0, ..fabric(true) }, "the areal density");
    refused(Fabric { density: 1e-320, ..fabric(true) }, "the mass of a particle");
    refused(Fabric { warp: elastic(-1.0, 0.0), ..fabric(true) }, "the stiffness of the warp");
    refused(Fabric { warp: elastic(1.0, f64::NAN), ..fabric(true) }, "the damping of the warp");
    refused(Fabric { weft: elastic(f64::INFINITY, 0.0), ..fabric(true) }, "the stiffness of the weft");
    refused(Fabric { weft: elastic(1.0, -1.0), ..fabric(true) }, "the damping of the weft");
    refused(Fabric { shear: elastic(-1.0, 1.0), ..fabric(true) }, "the shear stiffness");
    refused(Fabric { shear: elastic(1.0, -1.0), ..fabric(true) }, "the shear damping");
    refused(Fabric { bend: Bend { stiffness: -1.0, damping: 0.0 }, ..fabric(true) }, "the bending stiffness");
    refused(Fabric { bend: Bend { stiffness: 1.0, damping: -1.0 }, ..fabric(true) }, "the bending damping");
    refused(Fabric { air: -1.0, ..fabric(true) }, "the air resistance");
    refused(Fabric { drag: drag(-1.0, 1.0), ..fabric(true) }, "the density of air");
    refused(Fabric { drag: drag(1.0, -1.0), ..fabric(true) }, "the drag coefficient");
}
