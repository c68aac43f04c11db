//! Projective dynamics against the nonlinear equation that it solves, its textbook form, and what it must keep.

use cloth::implicit::{Newton, Settings, Solver};
use cloth::integrators::{BackwardEuler, Integrator, Iterations, ProjectiveDynamics};
use cloth::projective::Acceleration;
use cloth::triangles::{FoldLaw, Shares, TriangleMesh};
use cloth::{
    Bend, Cloth, DampingForm, Drag, Elastic, Fabric, Grid, Material, Net, NetSpring, Pin, Rigidity, State, System, Terms,
    TriangleCloth, Vec3,
};

const ACCELERATIONS: [Acceleration; 3] =
    [Acceleration::None, Acceleration::Chebyshev { rho: 0.9 }, Acceleration::QuasiNewton { pairs: 5 }];

/// Iterations until nothing changes any more.
fn converged(acceleration: Acceleration) -> Iterations {
    Iterations { limit: 10_000, tolerance: Some(1e-13), acceleration }
}

/// A place off the flat sheet that looks like nothing.
fn rumpled(x: &[Vec3], by: f64) -> State {
    let wave = |k: usize| {
        let k = k as f64;
        Vec3::new(libm::sin(3.1 * k), libm::cos(5.3 * k), libm::sin(7.7 * k * k))
    };
    let v = (0..x.len()).map(|k| 3.0 * by * wave(k + 7)).collect();
    State { x: x.iter().enumerate().map(|(k, x)| x + by * wave(k)).collect(), v }
}

fn sheet(compression: bool, damping: f64, pins: &[Pin]) -> Cloth {
    let elastic = Elastic { stiffness: 200.0, damping };
    let (stretch, shear, bend) = (elastic, elastic, 0.5);
    let material = Material { stretch, shear, bend, compression, air: 0.01, damping: DampingForm::Plain, ..Material::default() };
    Cloth::new(Grid::new(7, 6, 0.1).expect("a grid"), material, pins).expect("a material")
}

fn net(compression: bool) -> Net {
    let spring = |i: usize, j: usize| NetSpring { i, j, rest: 0.1, elastic: Elastic { stiffness: 300.0, damping: 0.2 } };
    let springs = (0..9).map(|i| spring(i, i + 1)).chain([spring(0, 5), spring(2, 9)]).collect();
    let mut pinned = vec![false; 10];
    pinned[0] = true;
    let mut net = Net::of_families(vec![0.02; 10], pinned, [springs, vec![], vec![]], compression).expect("a net");
    net.air = 0.4;
    net
}

fn fabric(fold_law: FoldLaw) -> TriangleCloth {
    let elastic = |stiffness| Elastic { stiffness, damping: 0.0 };
    let material = Fabric {
        warp: elastic(40.0),
        weft: elastic(30.0),
        shear: elastic(5.0),
        bend: Bend { stiffness: 1e-3, damping: 0.0 },
        fold_law,
        air: 0.01,
        ..Fabric::default()
    };
    TriangleCloth::new(TriangleMesh::centred(4, 5, 0.5, 0.6).expect("a mesh"), material, &[0, 3]).expect("a material")
}

/// The largest component of x - x_n - h v and of v - v_n - h M⁻¹ f(x, v), over particles that are not held.
fn left(system: &dyn System, begin: &State, end: &State, h: f64) -> f64 {
    let mut a = vec![Vec3::zeros(); begin.x.len()];
    system.accelerate(&end.x, &end.v, &mut a);
    let of = |i: usize| {
        let [x, v] = [end.x[i] - begin.x[i] - h * end.v[i], end.v[i] - begin.v[i] - h * a[i]];
        if system.pinned()[i] { x.amax() } else { x.amax().max(v.amax()) }
    };
    (0..begin.x.len()).map(of).fold(0.0, f64::max)
}

#[test]
fn enough_iterations_are_the_step_of_backward_euler_on_every_kind_of_cloth() {
    let h = 0.01;
    let pins = [Pin::At(0, 5), Pin::At(6, 5)];
    let two_sided = sheet(true, 0.05, &pins);
    let one_sided = sheet(false, 0.0, &pins);
    let [net_of_both, net_of_one] = [net(true), net(false)];
    let laws = [FoldLaw::PerHinge, FoldLaw::Shells, FoldLaw::Quadratic, FoldLaw::Curvature(Shares::ALIKE)];
    let [fabric, shells, quadratic, curvature] = laws.map(fabric);
    let rigidity = Some(Rigidity { warp: 1e-3, weft: 2e-3, twist: 1e-3, damping: 1e-5 });
    let rigid =
        Cloth::new(*two_sided.grid(), Material { rigidity, bend: 0.0, ..*two_sided.material() }, &pins).expect("a material");
    let on_a_line: Vec<Vec3> = (0..10).map(|k| Vec3::new(0.1 * f64::from(k), 0.0, 0.0)).collect();
    let cases: [(&str, &dyn System, State); 9] = [
        ("sheet", &two_sided, rumpled(&two_sided.at_rest().x, 0.01)),
        ("one-sided sheet", &one_sided, rumpled(&one_sided.at_rest().x, 0.01)),
        ("net", &net_of_both, rumpled(&on_a_line, 0.02)),
        ("one-sided net", &net_of_one, rumpled(&on_a_line, 0.02)),
        ("triangles", &fabric, rumpled(&fabric.at_rest().x, 0.01)),
        ("shells", &shells, rumpled(&fabric.at_rest().x, 0.01)),
        ("quadratic bending", &quadratic, rumpled(&fabric.at_rest().x, 0.01)),
        ("curvature of triangles", &curvature, rumpled(&fabric.at_rest().x, 0.01)),
        ("sheet with a rigidity", &rigid, rumpled(&rigid.at_rest().x, 0.01)),
    ];
    for (name, system, begin) in cases {
        let newton = Newton::Converged { tolerance: 1e-13, limit: 5000 };
        let settings = Settings { newton, solver: Solver::Direct, terms: Terms::Filtered, ..Settings::converged() };
        let mut expected = begin.clone();
        BackwardEuler::new(system, settings).step(system, h, &mut expected);
        let of_newton = left(system, &begin, &expected, h);
        assert!(of_newton < 1e-9, "{name}: {of_newton} by Newton");
        for acceleration in ACCELERATIONS {
            let mut found = begin.clone();
            let mut scheme = ProjectiveDynamics::new(system, converged(acceleration));
            scheme.step(system, h, &mut found);
            let apart = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
            let [x, v] = [apart(&found.x, &expected.x), apart(&found.v, &expected.v)];
            assert!(x < 1e-9 && v < 1e-9, "{name} {acceleration:?}: {x} m, {v} m/s");
            assert_eq!((scheme.work().newton_limited, scheme.work().indefinite), (0, 0), "{name} {acceleration:?}");
        }
    }
}

#[test]
fn drag_and_air_are_those_of_the_end_of_the_step() {
    let drag = Drag { air_density: 1.2, coefficient: 1.0, wind: Vec3::new(0.0, 3.0, 1.0) };
    let plain = sheet(false, 0.0, &[Pin::At(0, 0)]);
    let cloth = Cloth::new(*plain.grid(), Material { drag: Some(drag), ..*plain.material() }, &[Pin::At(0, 0)]).unwrap();
    let begin = rumpled(&cloth.at_rest().x, 0.01);
    let mut end = begin.clone();
    ProjectiveDynamics::new(&cloth, converged(Acceleration::None)).step(&cloth, 0.01, &mut end);
    let still = left(&plain, &begin, &end, 0.01);
    assert!(left(&cloth, &begin, &end, 0.01) < 1e-9 && still > 1e-3, "{still}");
}

#[test]
fn an_iteration_is_the_printed_one() {
    // (M/h² + L) x = M y/h² + J d with d = L (x_i - x_j) / |x_i - x_j|, in dense matrices
    let h = 0.02;
    let springs: Vec<NetSpring> = [(0, 1, 1.0, 50.0), (1, 2, 0.8, 80.0), (0, 2, 1.5, 20.0), (2, 3, 1.0, 35.0)]
        .map(|(i, j, rest, stiffness)| NetSpring { i, j, rest, elastic: Elastic { stiffness, damping: 0.0 } })
        .to_vec();
    let net = Net::new(vec![0.5, 1.0, 0.3, 0.7], vec![true, false, false, false], springs.clone()).unwrap();
    let begin = rumpled(&[Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 0.7, 0.0), Vec3::new(0.2, 1.3, 0.5)], 0.1);
    let y: Vec<Vec3> =
        (0..4).map(|i| begin.x[i] + h * begin.v[i] + if i == 0 { Vec3::zeros() } else { h * h * net.gravity }).collect();
    let mut x: Vec<Vec3> = (0..4).map(|i| begin.x[i] + h * begin.v[i]).collect();
    for iterations in 1..6 {
        let mut matrix = nalgebra::Matrix4::zeros();
        let mut right = nalgebra::Matrix4x3::zeros();
        for i in 0..4 {
            matrix[(i, i)] += net.masses()[i] / (h * h);
            right.set_row(i, &(net.masses()[i] / (h * h) * y[i]).transpose());
        }
        for &NetSpring { i, j, rest, elastic } in &springs {
            let d = rest * (x[i] - x[j]).normalize();
            for (row, sign) in [(i, 1.0), (j, -1.0)] {
                matrix[(row, i)] += sign * elastic.stiffness;
                matrix[(row, j)] -= sign * elastic.stiffness;
                let force = right.row(row) + sign * elastic.stiffness * d.transpose();
                right.set_row(row, &force);
            }
        }
        matrix.set_row(0, &nalgebra::RowVector4::new(1.0, 0.0, 0.0, 0.0)); // held
        right.set_row(0, &x[0].transpose());
        let solution = matrix.lu().solve(&right).unwrap();
        x = (0..4).map(|i| solution.row(i).transpose()).collect();

        let mut end = begin.clone();
        ProjectiveDynamics::new(&net, Iterations { limit: iterations, ..Iterations::default() }).step(&net, h, &mut end);
        for i in 0..4 {
            assert!((end.x[i] - x[i]).norm() < 1e-13, "{iterations} iterations, particle {i}: {} and {}", end.x[i], x[i]);
        }
    }
}

#[test]
fn the_matrix_is_factored_once_for_steps_of_one_length() {
    let cloth = sheet(false, 0.05, &[Pin::At(0, 0)]);
    let mut state = rumpled(&cloth.at_rest().x, 0.01);
    let mut scheme = ProjectiveDynamics::new(&cloth, Iterations::default());
    for _ in 0..50 {
        scheme.step(&cloth, 0.01, &mut state);
    }
    let work = scheme.work();
    assert_eq!((work.factorisations, work.solves, work.evaluations), (1, 500, 500));
    scheme.step(&cloth, 0.005, &mut state);
    assert_eq!(scheme.work().factorisations, 2);
}

#[test]
fn momentum_changes_by_gravity_alone_however_few_iterations_there_are() {
    for acceleration in ACCELERATIONS {
        let elastic = Elastic { stiffness: 500.0, damping: 0.1 };
        let material = Material { stretch: elastic, shear: elastic, damping: DampingForm::Plain, ..Material::default() };
        let cloth = Cloth::new(Grid::new(6, 6, 0.1).unwrap(), material, &[]).unwrap();
        let mut state = rumpled(&cloth.at_rest().x, 0.02);
        let momentum = |v: &[Vec3]| v.iter().zip(cloth.masses()).map(|(v, m)| *m * v).sum::<Vec3>();
        let (begin, mass, h) = (momentum(&state.v), cloth.masses().iter().sum::<f64>(), 0.01);
        let mut scheme = ProjectiveDynamics::new(&cloth, Iterations { limit: 3, tolerance: None, acceleration });
        for step in 1..=30 {
            scheme.step(&cloth, h, &mut state);
            let expected = begin + f64::from(step) * h * mass * material.gravity;
            assert!((momentum(&state.v) - expected).norm() < 1e-11, "{acceleration:?} {step}: {}", momentum(&state.v) - expected);
        }
    }
}

#[test]
fn accelerated_iterations_are_fewer() {
    let cloth = sheet(false, 0.0, &[Pin::At(0, 5), Pin::At(6, 5)]);
    let solves = ACCELERATIONS.map(|acceleration| {
        let iterations = Iterations { limit: 10_000, tolerance: Some(1e-9), acceleration };
        let (mut scheme, mut state) = (ProjectiveDynamics::new(&cloth, iterations), cloth.at_rest());
        for _ in 0..40 {
            scheme.step(&cloth, 0.02, &mut state);
        }
        assert_eq!(scheme.work().newton_limited, 0, "{acceleration:?}");
        scheme.work().solves
    });
    assert!(solves[1] < solves[0] && 2 * solves[2] < solves[0], "{solves:?}");
}

#[test]
fn held_particles_move_with_their_velocity_and_keep_it() {
    let cloth = sheet(false, 0.0, &[Pin::At(0, 0), Pin::At(6, 0)]);
    let mut state = cloth.at_rest();
    state.v[0] = Vec3::new(0.5, 0.0, 1.0);
    let mut scheme = ProjectiveDynamics::new(&cloth, Iterations::default());
    for step in 1..=20 {
        scheme.step(&cloth, 0.01, &mut state);
        assert!((state.x[0] - f64::from(step) * 0.01 * state.v[0]).norm() < 1e-15 && state.x[6] == cloth.at_rest().x[6]);
    }
    assert_eq!((state.v[0], state.v[6]), (Vec3::new(0.5, 0.0, 1.0), Vec3::zeros()));
    assert!(state.is_finite());
}

#[test]
fn weights_are_at_least_as_curved_as_energies_about_rest() {
    // f(x + q) about rest, along random ways q: -q·f is at most Σ w |q_i - q_j|², and most of it somewhere
    let pins = [Pin::At(0, 0)];
    let stiff = Material { bend: 3.0, ..*sheet(true, 0.0, &pins).material() };
    let bending = Cloth::new(Grid::new(7, 6, 0.1).unwrap(), stiff, &pins).unwrap();
    let (two_sided, fabric) = (sheet(true, 0.0, &pins), fabric(FoldLaw::PerHinge));
    let cases: [(&str, &dyn System, Vec<Vec3>); 3] = [
        ("sheet", &two_sided, two_sided.at_rest().x),
        ("bending sheet", &bending, bending.at_rest().x),
        ("triangles", &fabric, fabric.at_rest().x),
    ];
    for (name, system, rest) in cases {
        let still = vec![Vec3::zeros(); rest.len()];
        let mut at_rest = still.clone();
        system.accelerate(&rest, &still, &mut at_rest);
        let mut largest: f64 = 0.0;
        for way in 0..60 {
            // short ones, in the plane and out of it, and such as alternate from particle to particle
            let q: Vec<Vec3> = rumpled(&still, 1e-6)
                .x
                .iter()
                .enumerate()
                .map(|(k, q)| {
                    let sign = if (k * (way + 1)) % 3 == 0 { -1.0 } else { 1.0 };
                    let shift = libm::sin((way * k) as f64);
                    sign * Vec3::new(q.x, q.y * shift, if way % 2 == 0 { q.z } else { 0.0 })
                })
                .collect();
            let moved: Vec<Vec3> = rest.iter().zip(&q).map(|(x, q)| x + q).collect();
            let mut a = still.clone();
            system.accelerate(&moved, &still, &mut a);
            let free = |i: &usize| !system.pinned()[*i];
            let q = |i: usize| if free(&i) { q[i] } else { Vec3::zeros() };
            let work: f64 = (0..rest.len()).filter(free).map(|i| system.masses()[i] * (at_rest[i] - a[i]).dot(&q(i))).sum();
            let mut bound = 0.0;
            system.add_curvatures(1e300, &mut |i, j, w| bound += w * (q(i) - q(j)).norm_squared());
            assert!(work <= bound * (1.0 + 1e-3), "{name} {way}: {work:e} of {bound:e}");
            largest = largest.max(work / bound);
        }
        assert!(largest > 0.2, "{name}: {largest}");
    }
}
