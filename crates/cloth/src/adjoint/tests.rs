#![allow(clippy::single_range_in_vec_init, reason = "intervals, some of them alone")]

use super::*;
use crate::contact::RigidMotion;
use crate::implicit::{Newton, Settings};
use crate::triangles::{Bend, Fabric, FoldLaw, Shares, SpringMaterial, TriangleMesh};
use crate::{
    Cloth, DampingForm, Drag, Drive, Elastic, Grid, Material, Net, Pin, Rigidity, Sinusoid, State, Stiffening, Terms,
    TriangleCloth, Vec3,
};

/// Converged to rounding.
fn settings(terms: Terms) -> Settings {
    Settings { newton: Newton::Converged { tolerance: 1e-13, limit: 200 }, terms, ..Settings::converged() }
}

/// A vector that depends on a number in no simple way.
fn wave(i: usize, shift: f64) -> Vec3 {
    let i = i as f64;
    Vec3::new(libm::sin(3.1 * i + shift), libm::cos(5.3 * i), libm::sin(7.7 * i * i - shift))
}

/// The rest state stretched, bent and moving.
fn moving(rest: &[Vec3], pinned: &[bool]) -> State {
    let bent = |(i, x): (usize, &Vec3)| 1.05 * x + 0.03 * libm::sin(9.0 * x.x) * Vec3::z() + 0.004 * wave(i, 0.3);
    let velocity = |i: usize| if pinned[i] { Vec3::zeros() } else { 0.3 * wave(i, 1.7) };
    State { x: rest.iter().enumerate().map(bent).collect(), v: (0..rest.len()).map(velocity).collect() }
}

/// Its springs act both ways: forces jump where a damper ends with its spring.
fn grid(damping: DampingForm) -> Cloth {
    let elastic = |stiffness| Elastic { stiffness, damping: 0.03 };
    let material = Material {
        density: 0.4,
        stretch: elastic(40.0),
        shear: elastic(15.0),
        bend: 0.3,
        damping,
        compression: true,
        air: 0.002,
        ..Material::default()
    };
    Cloth::new(Grid::new(5, 4, 0.1).unwrap(), material, &[Pin::At(0, 3), Pin::At(4, 3)]).unwrap()
}

fn net(damping: f64, compression: bool) -> Net {
    let elastic = |stiffness| Elastic { stiffness, damping };
    let material = SpringMaterial {
        density: 0.3,
        stretch: elastic(40.0),
        shear: elastic(10.0),
        bend: elastic(3.0),
        compression,
        air: 0.002,
        ..SpringMaterial::default()
    };
    TriangleMesh::centred(3, 3, 0.4, 0.3).unwrap().springs(&material, &[0, 2]).unwrap()
}

fn triangles(damping: f64, fold_law: FoldLaw) -> TriangleCloth {
    let elastic = |stiffness| Elastic { stiffness, damping: damping * stiffness };
    let material = Fabric {
        warp: elastic(20.0),
        weft: elastic(30.0),
        shear: elastic(5.0),
        bend: Bend { stiffness: 2e-4, damping: damping * 2e-4 },
        fold_law,
        air: 0.003,
        ..Fabric::default()
    };
    TriangleCloth::new(TriangleMesh::centred(3, 3, 0.4, 0.3).unwrap(), material, &[0, 2]).unwrap()
}

fn positions(cloth: &TriangleCloth) -> Vec<Vec3> {
    cloth.mesh().positions().to_vec()
}

/// Twelve steps to two key frames, forced in two intervals with a pause between them.
fn task(system: &dyn Differentiable, rest: &[Vec3], constants: Vec<Constant>) -> Task {
    let place = |particle: usize, shift: f64| (particle, rest[particle] + 0.05 * wave(particle, shift));
    Task {
        start: moving(rest, system.pinned()),
        drives: vec![],
        dt: 0.01,
        steps: 12,
        settings: settings(Terms::Filtered),
        goal: Goal {
            keyframes: vec![
                KeyFrame { step: 12, places: (4..9).map(|particle| place(particle, 0.1)).collect(), weight: 30.0 },
                KeyFrame { step: 7, places: vec![place(5, 0.9), place(1, 2.0)], weight: 10.0 },
            ],
            effort: 0.2,
        },
        forces: Forces::new(vec![7, 5, 1], vec![0..3, 5..12]).unwrap(),
        constants,
        keep_every: 1,
    }
}

fn forces(task: &Task) -> Vec<Vec3> {
    (0..task.forces.count()).map(|k| 0.05 * wave(k, 0.5)).collect()
}

/// A derivative by four points, to the fourth order, near enough that no spring becomes slack between them.
fn slope(h: f64, value: impl Fn(f64) -> f64) -> f64 {
    (8.0 * (value(h) - value(-h)) - (value(2.0 * h) - value(-2.0 * h))) / (12.0 * h)
}

/// Largest difference of the derivatives from those by differences, over the size of each kind.
fn assert_exact<S: Differentiable>(system: &S, task: Task) -> Gradient {
    let u = forces(&task);
    let gradient = Adjoint::new(system, task.clone()).unwrap().gradient(system, &u).unwrap();
    let run = |system: &S, task: &Task, u: &[Vec3]| Adjoint::new(system, task.clone()).unwrap().run(system, u, |_| {}).unwrap();
    assert_eq!(run(system, &task, &u), gradient.value);
    let near = |found: f64, expected: f64, size: f64, what: &str| {
        let close = (found - expected).abs() < 1e-6 * size && expected.abs() > 1e-9 * size;
        assert!(close, "{what}: {found} against {expected} by differences, of {size}");
    };
    let size = |vectors: &[Vec3]| vectors.iter().map(|vector| vector.amax()).fold(0.0, f64::max);
    for k in 0..u.len() {
        for q in 0..3 {
            let by = slope(1e-5, |by| {
                let mut u = u.clone();
                u[k][q] += by;
                run(system, &task, &u)
            });
            near(gradient.by_force[k][q], by, size(&gradient.by_force), "a force");
        }
    }
    for (k, &constant) in task.constants.iter().enumerate() {
        let value = system.constant(constant).unwrap();
        let by = slope(1e-5 * value, |by| run(&system.with_constant(constant, value + by).unwrap(), &task, &u));
        near(gradient.by_constant[k], by, by.abs(), &constant.to_string());
    }
    for i in (0..system.particle_count()).filter(|i| !system.pinned()[*i]).step_by(3) {
        for q in 0..3 {
            let by = |change: &dyn Fn(&mut State, f64)| {
                slope(3e-6, |by| {
                    let mut task = task.clone();
                    change(&mut task.start, by);
                    run(system, &task, &u)
                })
            };
            let (x, v) = (by(&|start, by| start.x[i][q] += by), by(&|start, by| start.v[i][q] += by));
            near(gradient.by_start.x[i][q], x, size(&gradient.by_start.x), "a position of the start");
            near(gradient.by_start.v[i][q], v, size(&gradient.by_start.v), "a velocity of the start");
        }
    }
    for i in (0..system.particle_count()).filter(|i| system.pinned()[*i]) {
        assert_eq!((gradient.by_start.x[i], gradient.by_start.v[i]), (Vec3::zeros(), Vec3::zeros()));
    }
    gradient
}

/// All constants of a system.
fn constants(system: &dyn Differentiable) -> Vec<Constant> {
    Constant::all().filter(|constant| system.constant(*constant).is_some_and(|value| value > 0.0)).collect()
}

#[test]
fn gradients_of_a_grid_are_those_by_differences() {
    for damping in [DampingForm::Plain, DampingForm::Projected] {
        let cloth = grid(damping);
        let constants = constants(&cloth);
        assert_eq!(constants.len(), 7);
        let gradient = assert_exact(&cloth, task(&cloth, &cloth.grid().flat(), constants));
        // W is symmetric where the dampers are plain: one factorisation and one solve a step
        let solves = if damping == DampingForm::Plain { 12..=12 } else { 13..=120 };
        assert!(gradient.cost.factorisations == 12 && solves.contains(&gradient.cost.solves), "{:?}", gradient.cost);
    }
}

#[test]
fn gradients_of_a_grid_with_a_rigidity_are_those_by_differences() {
    let cloth = grid(DampingForm::Plain);
    let rigidity = Some(Rigidity { warp: 2e-3, weft: 1e-3, twist: 3e-3, damping: 1e-4 });
    let material = Material { bend: 0.0, rigidity, ..*cloth.material() };
    let cloth = Cloth::new(*cloth.grid(), material, &[Pin::At(0, 3), Pin::At(4, 3)]).unwrap();
    let constants = constants(&cloth);
    assert_eq!(constants.len(), 6); // no stiffness of bend springs
    assert_exact(&cloth, task(&cloth, &cloth.grid().flat(), constants));
}

#[test]
fn gradients_of_springs_on_triangles_are_those_by_differences() {
    let mesh = TriangleMesh::centred(3, 3, 0.4, 0.3).unwrap();
    let knee = Stiffening { strain: 0.01, factor: 3.0 };
    for (damping, stiffening) in [(DampingForm::Plain, None), (DampingForm::Projected, Some(knee))] {
        let mut net = net(0.02, true);
        (net.damping, net.stiffening) = (damping, stiffening);
        let constants = constants(&net);
        assert_eq!(constants.len(), 5); // air, stretch and bend; no shear springs without quads
        assert_exact(&net, task(&net, mesh.positions(), constants));
    }
}

#[test]
fn gradients_are_exact_where_springs_are_slack() {
    let mesh = TriangleMesh::centred(3, 3, 0.4, 0.3).unwrap();
    let net = net(0.0, false);
    let of_net = task(&net, mesh.positions(), constants(&net));
    let lengths = |task: &Task, k: usize| {
        let spring = net.springs()[k];
        (task.start.x[spring.j] - task.start.x[spring.i]).norm() / spring.rest
    };
    let mut of_net = Task { steps: 12, ..of_net };
    of_net.start.x.iter_mut().for_each(|x| x.x *= 0.9);
    let slack = (0..mesh.edges().len()).filter(|k| lengths(&of_net, *k) < 0.99).count();
    assert!(slack > 4 && slack < mesh.edges().len() - 4, "{slack} of {}", mesh.edges().len());
    assert_exact(&net, of_net);
}

#[test]
fn gradients_of_a_continuum_are_those_by_differences() {
    for (damping, law) in [
        (0.0, FoldLaw::PerHinge),
        (1e-3, FoldLaw::PerHinge),
        (1e-3, FoldLaw::Shells),
        (1e-3, FoldLaw::Quadratic),
        (1e-3, FoldLaw::Curvature(Shares { warp: 0.3, weft: 1.0, twist: 0.6 })),
    ] {
        let cloth = triangles(damping, law);
        let constants = constants(&cloth);
        assert_eq!(constants.len(), if damping > 0.0 { 10 } else { 6 });
        assert_exact(&cloth, task(&cloth, &positions(&cloth), constants));
    }
}

#[test]
fn gradients_hold_while_pins_are_moved() {
    let cloth = grid(DampingForm::Plain);
    let task = task(&cloth, &cloth.grid().flat(), vec![Constant::Density]);
    let motion = RigidMotion::from(Sinusoid { amplitude: Vec3::new(0.1, 0.0, 0.3), period: 0.5, until: f64::INFINITY });
    let drive = Drive::new(&cloth, &task.start, &[15, 19], motion).unwrap();
    assert_exact(&cloth, Task { drives: vec![drive], ..task });
}

#[test]
fn transposed_products_are_those_of_forces_by_differences() {
    let check = |system: &dyn Differentiable, rest: &[Vec3]| {
        let State { x, v } = moving(rest, &vec![false; rest.len()]);
        let q: Vec<Vec3> = (0..x.len()).map(|i| wave(i, 2.2)).collect();
        let mut products = [vec![Vec3::zeros(); x.len()], vec![Vec3::zeros(); x.len()]];
        let [by_position, by_velocity] = &mut products;
        system.add_transposed(&x, &v, &q, by_position, by_velocity);
        let power = |x: &[Vec3], v: &[Vec3]| {
            let mut a = vec![Vec3::zeros(); x.len()];
            system.accelerate(x, v, &mut a);
            let of = |((a, q), m): ((&Vec3, &Vec3), &f64)| m * a.dot(q);
            a.iter().zip(&q).zip(system.masses()).map(of).sum::<f64>()
        };
        for i in 0..x.len() {
            for k in 0..3 {
                let moved = |field: &[Vec3], by: f64| {
                    let mut field = field.to_vec();
                    field[i][k] += by;
                    field
                };
                for (found, by) in [
                    (products[0][i][k], slope(1e-5, |by| power(&moved(&x, by), &v))),
                    (products[1][i][k], slope(1e-3, |by| power(&x, &moved(&v, by)))),
                ] {
                    assert!((found - by).abs() < 1e-7 * (1.0 + by.abs()), "{found} against {by}");
                }
            }
        }
    };
    for damping in [DampingForm::Plain, DampingForm::Projected] {
        let cloth = Cloth::new(*grid(damping).grid(), *grid(damping).material(), &[]).unwrap();
        check(&cloth, &cloth.grid().flat());
    }
    let cloth = triangles(0.01, FoldLaw::PerHinge);
    let free = TriangleCloth::new(cloth.mesh().clone(), *cloth.material(), &[]).unwrap();
    check(&free, &positions(&free));
}

#[test]
fn states_that_are_computed_again_give_the_same_bits() {
    let cloth = grid(DampingForm::Projected);
    let constants = constants(&cloth);
    let task = task(&cloth, &cloth.grid().flat(), constants);
    let u = forces(&task);
    let of = |keep_every: usize| {
        let mut adjoint = Adjoint::new(&cloth, Task { keep_every, ..task.clone() }).unwrap();
        let first = adjoint.gradient(&cloth, &u).unwrap();
        assert_eq!(adjoint.gradient(&cloth, &u).unwrap(), first, "once more");
        first
    };
    let all = of(1);
    assert_eq!(all.cost.steps_again, 0);
    for keep_every in [2, 5, 12, 100] {
        let some = of(keep_every);
        assert_eq!(some.cost.steps_again, 12);
        assert_eq!(Gradient { cost: all.cost, ..some }, all, "{keep_every}");
    }
}

#[test]
fn a_step_by_hand() {
    // one free particle of 2 kg without springs: x_1 = x + dt v + dt² (u/m + g)
    let cloth = Net::new(vec![2.0], vec![false], vec![]).unwrap();
    let task = Task {
        start: State { x: vec![Vec3::x()], v: vec![Vec3::y()] },
        drives: vec![],
        dt: 0.5,
        steps: 1,
        settings: settings(Terms::Exact),
        goal: Goal { keyframes: vec![KeyFrame { step: 1, places: vec![(0, Vec3::zeros())], weight: 4.0 }], effort: 3.0 },
        forces: Forces::new(vec![0], vec![0..1]).unwrap(),
        constants: vec![],
        keep_every: 1,
    };
    let u = Vec3::new(8.0, 0.0, 2.0 * crate::GRAVITY);
    let gradient = Adjoint::new(&cloth, task).unwrap().gradient(&cloth, &[u]).unwrap();
    let end = Vec3::new(2.0, 0.5, 0.0); // 1 + 0.25 * 8 / 2, 0.5
    assert!((gradient.value - (2.0 * end.norm_squared() + 1.5 * u.norm_squared())).abs() < 1e-12);
    assert!((gradient.by_force[0] - (0.125 * 4.0 * end + 3.0 * u)).norm() < 1e-12); // dt²/m w x + r u
    assert!((gradient.by_start.x[0] - 4.0 * end).norm() < 1e-12 && (gradient.by_start.v[0] - 2.0 * end).norm() < 1e-12);
}

#[test]
fn what_has_no_gradient_is_refused() {
    let cloth = grid(DampingForm::Plain);
    let whole = task(&cloth, &cloth.grid().flat(), vec![]);
    let refused = |cloth: &Cloth, task: Task| Adjoint::new(cloth, task).err().expect("a reason").to_string();
    let drag = Some(Drag { air_density: 1.2, coefficient: 1.0, wind: Vec3::zeros() });
    let blown = Cloth::new(*cloth.grid(), Material { drag, ..*cloth.material() }, &[]).unwrap();
    assert_eq!(refused(&blown, whole.clone()), "drag has no derivative here; leave out `drag`");
    let once = Task { settings: Settings::default(), ..whole.clone() };
    assert!(refused(&cloth, once).starts_with("only converged steps have a gradient"));
    let warp = Task { constants: vec![Constant::Stiffness(Part::Warp)], ..whole.clone() };
    assert_eq!(refused(&cloth, warp), "the material has no constant `warp.stiffness`, or not one for all springs");
    let late = Task { forces: Forces::new(vec![0], vec![3..13]).unwrap(), ..whole.clone() };
    assert_eq!(refused(&cloth, late), "step 13 lies outside the run, which has 12 of them");
    let far = Task { forces: Forces::new(vec![20], vec![3..12]).unwrap(), ..whole.clone() };
    assert_eq!(refused(&cloth, far), "particle 20 lies outside the run, which has 20 of them");
    let hasty = Settings { newton: Newton::Converged { tolerance: 1e-13, limit: 1 }, ..whole.settings };
    let mut adjoint = Adjoint::new(&cloth, Task { settings: hasty, ..whole.clone() }).unwrap();
    assert_eq!(adjoint.gradient(&cloth, &forces(&whole)), Err(NoGradient::NotConverged { step: 1 }));
    assert_eq!(adjoint.gradient(&cloth, &forces(&whole)), Err(NoGradient::NotConverged { step: 1 }), "once more");
}
