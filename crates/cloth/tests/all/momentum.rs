//! Momentum of pieces of cloth that nothing holds, whatever linear solves leave wrong.

use cloth::contact::{Friction, RigidMotion, Solid};
use cloth::implicit::{ConjugateGradients, Decompose, DiagonalKind, Newton, PreconditionerKind, Settings, Solver, Tolerance};
use cloth::integrators::{BackwardEuler, Integrator, PLAIN};
use cloth::run::{Scenario, Scheme, SolidContact};
use cloth::triangles::{SpringMaterial, TriangleMesh};
use cloth::{Cloth, Elastic, Fabric, Grid, Masses, Material, Net, NetSpring, State, System, TriangleCloth, Vec3};
use linsolve::Ssor;

/// Crumpled and moving, at rest as a whole.
fn crumpled(rest: &[Vec3], masses: &[f64], size: f64) -> State {
    let wave = |k: usize, shift: f64| {
        let k = k as f64;
        Vec3::new(libm::sin(2.1 * k + shift), libm::cos(3.7 * k), libm::sin(1.3 * k - shift))
    };
    let x = rest.iter().enumerate().map(|(k, x)| x + 0.3 * size * wave(k, 0.4)).collect();
    let mut v: Vec<Vec3> = (0..rest.len()).map(|k| wave(k, 1.9)).collect();
    let drift = momentum(&v, masses) / masses.iter().sum::<f64>();
    v.iter_mut().for_each(|v| *v -= drift);
    State { x, v }
}

fn momentum(v: &[Vec3], masses: &[f64]) -> Vec3 {
    v.iter().zip(masses).map(|(v, m)| *m * v).sum()
}

fn elastic(stiffness: f64, damping: f64) -> Elastic {
    Elastic { stiffness, damping }
}

/// A grid, a net of springs and a continuum, without gravity; two pieces beside each other in the net.
fn systems(air: f64) -> [(Box<dyn System>, Vec<Vec3>); 3] {
    let (stretch, shear, gravity) = (elastic(900.0, 0.02), elastic(90.0, 0.01), Vec3::zeros());
    let sheet = Material { density: 0.2, stretch, shear, air, gravity, masses: Masses::ByArea, ..Material::default() };
    let sheet = Cloth::new(Grid::new(9, 8, 0.05).expect("a grid"), sheet, &[]).expect("a sheet");
    let mesh = TriangleMesh::regular(7, 6, 0.3, 0.25).expect("a mesh");
    let of_springs = SpringMaterial { density: 0.3, stretch, shear, air, ..SpringMaterial::default() };
    let one = mesh.springs(&of_springs, &[]).expect("a net");
    let beside = one.springs().iter().map(|spring| NetSpring { i: spring.i + 42, j: spring.j + 42, ..*spring });
    let mut net =
        Net::new([one.masses(), one.masses()].concat(), vec![false; 84], one.springs().iter().copied().chain(beside).collect())
            .expect("two pieces");
    (net.resistance, net.gravity) = (air, gravity);
    let fabric = Fabric { density: 0.3, air, gravity, ..Fabric::default() };
    let flat = mesh.positions().to_vec();
    let pieces = flat.iter().copied().chain(flat.iter().map(|x| x + Vec3::z())).collect();
    let continuum = TriangleCloth::new(mesh, fabric, &[]).expect("a continuum");
    [(Box::new(sheet.clone()), sheet.grid().flat()), (Box::new(net), pieces), (Box::new(continuum), flat)]
}

/// Solvers that leave a hundredth of the residual, or a strain.
fn solvers() -> Vec<ConjugateGradients> {
    let loose = ConjugateGradients { momentum: true, ..ConjugateGradients::to(Tolerance::Fixed(0.1)) };
    vec![
        ConjugateGradients::automatic(0.05),
        loose,
        ConjugateGradients { preconditioner: PreconditionerKind::None, iteration_limit: 3, ..loose },
        ConjugateGradients { preconditioner: PreconditionerKind::BlockDiagonal(DiagonalKind::Diagonal), ..loose },
        ConjugateGradients { preconditioner: PreconditionerKind::Triangular(&Ssor::ENTRY), ..loose },
        ConjugateGradients { decompose: Some(Decompose::Serial), ..loose },
    ]
}

#[test]
fn a_free_piece_keeps_its_momentum_to_rounding_whatever_the_solver() {
    for air in [0.0, 0.4] {
        for (system, rest) in systems(air) {
            let masses = system.masses();
            let size = if rest.len() == 84 { 42 } else { rest.len() };
            let pieces: Vec<_> = (0..rest.len()).step_by(size).map(|first| first..first + size).collect();
            let start = crumpled(&rest, masses, 0.05);
            for entry in PLAIN.iter().filter(|entry| entry.is_implicit()) {
                for (k, gradients) in solvers().into_iter().enumerate() {
                    for newton in [Newton::Once, Newton::Converged { tolerance: 1e-3, limit: 4 }] {
                        let mut scheme = entry.integrator(&*system, Settings { newton, ..Settings::from(gradients) });
                        let mut state = start.clone();
                        (0..15).for_each(|_| scheme.step(&*system, 5e-3, &mut state));
                        let moving: f64 = state.v.iter().zip(masses).map(|(v, m)| m * v.norm()).sum();
                        let name = format!("{}, solver {k}, {} particles, air {air}", entry.name, rest.len());
                        assert!(moving.is_finite() && moving > 0.0, "{name}");
                        for piece in &pieces {
                            let of = |state: &State| momentum(&state.v[piece.clone()], &masses[piece.clone()]);
                            let (before, after) = (of(&start), of(&state));
                            // what resists each particle alike takes the same share of each: none of it where all rests
                            let kept = if air == 0.0 { before } else { Vec3::zeros() };
                            let is_even = air == 0.0 || masses.iter().all(|m| *m == masses[0]);
                            assert!(!is_even || (after - kept).norm() < 1e-12 * moving, "{name}: {after}, {kept}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_papers_solver_does_not_keep_it() {
    let [(sheet, rest), ..] = systems(0.0);
    let drift = |gradients: ConjugateGradients| {
        let mut scheme = BackwardEuler::new(&*sheet, Settings::from(gradients));
        let mut state = crumpled(&rest, sheet.masses(), 0.05);
        (0..15).for_each(|_| scheme.step(&*sheet, 5e-3, &mut state));
        momentum(&state.v, sheet.masses()).norm()
    };
    let papers = ConjugateGradients::to(Tolerance::Fixed(0.1));
    let [as_published, exact] = [false, true].map(|momentum| drift(ConjugateGradients { momentum, ..papers }));
    assert!(as_published > 1e6 * exact, "{as_published} {exact}");
}

#[test]
fn what_slides_on_a_plane_keeps_its_momentum_along_it() {
    let (stretch, shear, gravity) = (elastic(900.0, 0.02), elastic(90.0, 0.01), Vec3::new(0.0, 0.0, -9.81));
    let material = Material { density: 0.2, stretch, shear, gravity, ..Material::default() };
    let sheet = Cloth::new(Grid::new(9, 8, 0.05).expect("a grid"), material, &[]).expect("a sheet");
    let masses = sheet.masses().to_vec();
    let mut start = crumpled(&sheet.grid().flat(), &masses, 0.05);
    start.x.iter_mut().for_each(|x| x.z = 0.0);
    start.v.iter_mut().for_each(|v| *v = Vec3::new(v.x + 0.3, v.y, 0.0));
    let plane = Solid::Plane { point: Vec3::zeros(), normal: Vec3::z() };
    for gradients in solvers() {
        let scheme = Scheme::Plain(
            &BackwardEuler::ENTRY,
            Settings { solver: Solver::ConjugateGradients(gradients), ..Settings::default() },
        );
        let scenario = Scenario::new(sheet.clone()).scheme(scheme).step(2e-3).start(start.clone()).friction(Friction::even(0.0));
        let scenario = scenario.solid(plane, RigidMotion::STILL).solid_contact(SolidContact::Constraints);
        let mut run = scenario.run().expect("a run");
        (0..20).for_each(|_| drop(run.step().expect("a step")));
        assert!(run.contacts().expect("contacts").touches().iter().all(|touch| touch.force.z > 0.0), "{gradients:?}");
        let (before, after) = (momentum(&start.v, &masses), momentum(&run.state().v, &masses));
        assert!((after - before).xy().norm() < 1e-12 * before.norm(), "{gradients:?}: {before} {after}");
    }
}

/// Angular momentum about the origin.
fn turning(state: &State, masses: &[f64]) -> Vec3 {
    state.x.iter().zip(&state.v).zip(masses).map(|((x, v), m)| *m * x.cross(v)).sum()
}

#[test]
fn angular_momentum_drifts_as_with_a_direct_solve() {
    for (system, rest) in systems(0.0) {
        let masses = system.masses();
        let mut state = crumpled(&rest, masses, 0.005);
        state.v.iter_mut().zip(&state.x).for_each(|(v, x)| *v = 0.1 * *v + Vec3::new(0.5, -1.0, 4.0).cross(x));
        let direct = Settings { solver: Solver::Direct, ..Settings::default() };
        let mut exact = BackwardEuler::new(&*system, direct);
        for _ in 0..10 {
            let before = turning(&state, masses);
            for entry in PLAIN.iter().filter(|entry| entry.is_implicit()) {
                let dt = if entry.name == "implicit-damping" { 5e-4 } else { 5e-3 };
                let drift = |settings: Settings| {
                    let (mut scheme, mut state) = (entry.integrator(&*system, settings), state.clone());
                    (0..2).for_each(|_| scheme.step(&*system, dt, &mut state));
                    (turning(&state, masses) - before).norm() / before.norm()
                };
                let least = drift(direct);
                for (k, gradients) in solvers().into_iter().filter(|solver| solver.iteration_limit > 3).enumerate() {
                    let (more, most) = (drift(Settings::from(gradients)) - least, if k == 0 { 0.003 } else { 0.01 });
                    assert!(more < most, "{}, solver {k}, {} particles: {more}", entry.name, rest.len());
                }
            }
            exact.step(&*system, 5e-3, &mut state);
        }
    }
}
