//! The implicit schemes: a step by hand, order, amplification, agreement of the solvers.

use cloth::implicit::{ConjugateGradients, Newton, Settings, Solver, Splitting, Tolerance};
use cloth::integrators::{
    BackwardEuler, Bdf2, DissipationLimit, ForwardBackwardEuler, GeneralizedAlpha, ImplicitDamping, ImplicitMidpoint, Integrator,
    Rk4, Sbdf2,
};
use cloth::oscillator::{Oscillator, theory};
use cloth::run::{Adaptation, Cause, Stepper};
use cloth::{Cloth, Elastic, Family, Grid, Material, Net, NetSpring, Pin, State, System, Terms, Vec3};
use linsolve::{Decompose, DiagonalKind, IncompleteCholesky, Parts, PreconditionerKind, Ssor};

type Maker = fn(&dyn System, Settings) -> Box<dyn Integrator>;

/// Every scheme that solves a system, and SBDF2 with everything explicit.
const SCHEMES: [(&str, Maker); 7] = [
    ("backward Euler", |system, settings| Box::new(BackwardEuler::new(system, settings))),
    ("IMEX", |system, settings| Box::new(BackwardEuler::split(system, settings, EXPLICIT))),
    ("BDF2", |system, settings| Box::new(Bdf2::new(system, settings))),
    ("implicit midpoint", |system, settings| Box::new(ImplicitMidpoint::new(system, settings))),
    ("SBDF2, implicit", |system, settings| Box::new(Sbdf2::new(system, settings, Splitting::Implicit))),
    ("SBDF2, explicit", |system, settings| Box::new(Sbdf2::new(system, settings, EXPLICIT))),
    ("implicit damping", |system, settings| Box::new(ImplicitDamping::new(system, settings))),
];

const EXPLICIT: Splitting = Splitting::Families { stretch: false, shear: false, bend: false };

/// One Newton step with an exact solution of its linear system: the default tolerance is as loose as the thesis'.
fn exact() -> Settings {
    Settings { solver: Solver::Direct, ..Settings::default() }
}

fn unit_state() -> State {
    State { x: vec![Vec3::new(1.0, 0.0, 0.0)], v: vec![Vec3::new(0.5, 0.0, 0.0)] }
}

/// x'' = -4 x - 2 x'.
fn oscillator() -> Oscillator {
    Oscillator { mass: 1.0, ks: 4.0, kd: 2.0 }
}

fn acceleration(x: f64, v: f64) -> f64 {
    -4.0 * x - 2.0 * v
}

#[test]
fn steps_solve_their_equation() {
    let dt = 0.1;
    for (name, make) in SCHEMES {
        let system = oscillator();
        let mut scheme = make(&system, exact());
        let mut state = unit_state();
        let mut path = vec![(1.0, 0.5)];
        for _ in 0..2 {
            scheme.step(&system, dt, &mut state);
            path.push((state.x[0].x, state.v[0].x));
        }
        let [(x0, v0), (x1, v1), (x2, v2)] = path[..] else { panic!("three states") };
        let (a0, a1, a2) = (acceleration(x0, v0), acceleration(x1, v1), acceleration(x2, v2));
        let middle = acceleration(0.5 * (x1 + x2), 0.5 * (v1 + v2));
        // residuals of the second step; the first one is backward Euler, or IMEX, where a scheme takes two
        let two_step = |a: f64| [1.5 * x2 - 2.0 * x1 + 0.5 * x0 - dt * v2, 1.5 * v2 - 2.0 * v1 + 0.5 * v0 - dt * a];
        let residual = match name {
            "backward Euler" => [x2 - x1 - dt * v2, v2 - v1 - dt * a2],
            "IMEX" => [x2 - x1 - dt * v2, v2 - v1 - dt * a1],
            "implicit midpoint" => [x2 - x1 - dt * 0.5 * (v1 + v2), v2 - v1 - dt * middle],
            "implicit damping" => [x2 - x1 - dt * (v1 + 0.5 * dt * a1), v2 - v1 - 0.5 * dt * (a1 + a2)],
            "BDF2" | "SBDF2, implicit" => two_step(a2),
            "SBDF2, explicit" => two_step(2.0 * a1 - a0),
            _ => panic!("no equation for {name}"),
        };
        assert!(residual.iter().all(|r| r.abs() < 1e-14), "{name}: {residual:?}");
        assert!((x2 - x1).abs() > 0.01, "{name} does not move");
    }
}

#[test]
fn every_scheme_has_its_declared_order() {
    // x of the damped oscillator at time 1, from an RK4 run with tiny steps
    let reference = {
        let (system, mut state) = (oscillator(), unit_state());
        let mut scheme = Rk4::new(1);
        (0..20_000).for_each(|_| scheme.step(&system, 1.0 / 20_000.0, &mut state));
        (state.x[0].x, state.v[0].x)
    };
    for (name, make) in SCHEMES {
        let errors = [200_u32, 400].map(|steps| {
            let (system, mut state) = (oscillator(), unit_state());
            let mut scheme = make(&system, exact());
            (0..steps).for_each(|_| scheme.step(&system, 1.0 / f64::from(steps), &mut state));
            libm::hypot(state.x[0].x - reference.0, state.v[0].x - reference.1)
        });
        let declared = make(&oscillator(), Settings::default()).order();
        let order = libm::log2(errors[0] / errors[1]);
        assert!((order - f64::from(declared)).abs() < 0.1, "{name}: order {order}, declared {declared}");
    }
}

#[test]
fn backward_euler_and_midpoint_amplify_as_in_theory() {
    for (ks, kd, dt) in [(7.0, 0.3, 0.2), (400.0, 0.0, 0.5), (3.0, 8.0, 0.4)] {
        let system = Oscillator { mass: 0.5, ks, kd };
        let (a, b) = (dt * dt * ks / 0.5, dt * kd / 0.5);
        let measured = system.amplification(&mut BackwardEuler::new(&system, exact()), dt);
        let expected = theory::backward_euler(a, b);
        assert!((measured.trace - expected.trace).abs() < 1e-12 && (measured.determinant - expected.determinant).abs() < 1e-12);
        // (1 + z/2) / (1 - z/2) over both eigenvalues z of the step
        let measured = system.amplification(&mut ImplicitMidpoint::new(&system, exact()), dt);
        let determinant = (1.0 - 0.5 * b + 0.25 * a) / (1.0 + 0.5 * b + 0.25 * a);
        assert!((measured.determinant - determinant).abs() < 1e-12, "{} {determinant}", measured.determinant);
    }
}

/// Growth of the amplitude in a step of an undamped oscillator of omega dt, over 400 steps.
fn growth(make: Maker, omega_dt: f64) -> f64 {
    let system = Oscillator::with_damping_ratio(1.0, 0.0);
    let mut scheme = make(&system, exact());
    let mut state = unit_state();
    let amplitude = |state: &State| (state.x[0].norm_squared() + state.v[0].norm_squared()).sqrt();
    (0..100).for_each(|_| scheme.step(&system, omega_dt, &mut state));
    // over whole turns, so that the ellipse of the numerical orbit cancels
    let turns = (400.0 * omega_dt / std::f64::consts::TAU).round();
    let steps = (turns * std::f64::consts::TAU / omega_dt).round();
    let start = amplitude(&state);
    (0..steps as u32).for_each(|_| scheme.step(&system, omega_dt, &mut state));
    libm::exp(libm::log(amplitude(&state) / start) / steps)
}

#[test]
fn two_step_schemes_amplify_as_in_theory() {
    let omega_dt = 0.2_f64;
    // BDF2: the root of (3/2 - z) r² - 2 r + 1/2 with z = i omega dt that tends to 1: |r| = 1 - (omega dt)⁴ / 4 + ...
    let bdf2 = growth(SCHEMES[2].1, omega_dt);
    assert!((bdf2 - (1.0 - 0.25 * omega_dt * omega_dt * omega_dt * omega_dt)).abs() < 1e-4, "{bdf2}");
    // the explicit part of SBDF2 is weakly unstable: 1 + (omega dt)⁴ / 4
    let sbdf2 = growth(SCHEMES[5].1, omega_dt);
    assert!(sbdf2 > 1.0 && (sbdf2 - (1.0 + 0.25 * omega_dt * omega_dt * omega_dt * omega_dt)).abs() < 1e-4, "{sbdf2}");
}

/// A sheet of 5 x 5 that hangs from two corners and has begun to fall.
fn sheet() -> (Cloth, State) {
    let elastic = Elastic { stiffness: 30.0, damping: 0.02 };
    let material = Material { density: 0.3, stretch: elastic, shear: elastic, bend: 0.005, air: 0.001, ..Material::default() };
    let cloth = Cloth::new(Grid::new(5, 5, 0.1).expect("a grid"), material, &[Pin::At(0, 0), Pin::At(4, 0)]).expect("a sheet");
    let mut state = cloth.at_rest();
    let mut scheme = ForwardBackwardEuler::new(25);
    (0..400).for_each(|_| scheme.step(&cloth, 5e-4, &mut state));
    (cloth, state)
}

/// Conjugate gradients to far below what the thesis asks for.
fn tight(preconditioner: PreconditionerKind) -> ConjugateGradients {
    ConjugateGradients { preconditioner, ..ConjugateGradients::to(Tolerance::Fixed(1e-12)) }
}

fn distance(a: &State, b: &State) -> f64 {
    let pairs = a.x.iter().zip(&b.x).chain(a.v.iter().zip(&b.v));
    pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

#[test]
fn iterative_and_direct_solutions_agree_on_a_sheet() {
    let (cloth, start) = sheet();
    let kinds = [
        PreconditionerKind::None,
        PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained),
        PreconditionerKind::Triangular(&Ssor::ENTRY),
        PreconditionerKind::Triangular(&IncompleteCholesky::ENTRY),
        PreconditionerKind::Schwarz(Parts { rows: 8, overlap: 1, coarse: false }),
    ];
    for newton in [Newton::Once, Newton::Converged { tolerance: 1e-9, limit: 50 }] {
        let step = |solver| {
            let mut state = start.clone();
            let mut scheme =
                BackwardEuler::new(&cloth, Settings { solver, newton, terms: Terms::Filtered, ..Settings::default() });
            scheme.step(&cloth, 0.01, &mut state);
            (state, scheme.work())
        };
        let (direct, _) = step(Solver::Direct);
        for preconditioner in kinds {
            let (iterative, work) = step(Solver::ConjugateGradients(tight(preconditioner)));
            assert!(distance(&iterative, &direct) < 1e-10, "{preconditioner:?}: {}", distance(&iterative, &direct));
            assert!(distance(&iterative, &start) > 1e-3 && work.iterations > 5 && work.newton_limited == 0, "{work:?}");
            assert_eq!((work.indefinite, work.shifts), (0, 0), "{preconditioner:?}");
            assert_eq!(iterative.x[0], start.x[0], "pins hold");
        }
    }
}

#[test]
fn second_order_needs_converged_newton_steps() {
    // crumpled, so that bend springs push and the filter drops much of their Jacobian
    let elastic = Elastic { stiffness: 30.0, damping: 0.0 };
    let material = Material { density: 0.3, stretch: elastic, shear: elastic, bend: 5.0, ..Material::default() };
    let cloth = Cloth::new(Grid::new(3, 3, 0.1).expect("a grid"), material, &[Pin::At(0, 0), Pin::At(2, 0)]).expect("a sheet");
    let mut start = cloth.at_rest();
    for (i, x) in start.x.iter_mut().enumerate() {
        *x = Vec3::new(0.6 * x.x, 0.7 * x.y, if i % 2 == 0 { 0.02 } else { -0.01 });
    }
    let end = 0.02;
    let run = |make: Maker, settings: Settings, steps: u32| {
        let mut state = start.clone();
        let mut scheme = make(&cloth, settings);
        (0..steps).for_each(|_| scheme.step(&cloth, end / f64::from(steps), &mut state));
        state
    };
    let mut reference = start.clone();
    let mut rk4 = Rk4::new(9);
    (0..2000).for_each(|_| rk4.step(&cloth, end / 2000.0, &mut reference));
    for (name, make) in [SCHEMES[2], SCHEMES[3]] {
        let order = |settings: Settings| {
            let errors = [160, 320].map(|steps| distance(&run(make, settings, steps), &reference));
            libm::log2(errors[0] / errors[1])
        };
        let (converged, one_step) = (order(Settings::converged()), order(exact()));
        assert!((converged - 2.0).abs() < 0.2, "{name}, converged: order {converged}");
        assert!((one_step - 1.0).abs() < 0.35, "{name}, one step with a filtered Jacobian: order {one_step}");
    }
}

#[test]
fn adaptive_splitting_is_explicit_below_its_threshold_only() {
    let (cloth, state) = sheet();
    let mut implicit = vec![false; cloth.springs().len()];
    // kappa = dt/m (ks dt + 2 kd) with m = 0.003: 0.2 at dt about 4.3e-3... below and above
    for (dt, expected) in [(2e-3, false), (2e-2, true)] {
        cloth.choose_implicit(&Splitting::adaptive(), dt, &state, &mut implicit);
        for (spring, implicit) in cloth.springs().iter().zip(&implicit) {
            let bend = spring.family == Family::Bend;
            assert_eq!(*implicit, expected && !bend, "{spring:?}");
        }
    }
}

#[test]
fn a_fully_explicit_step_converges_in_one_iteration() {
    let (cloth, mut state) = sheet();
    let mut scheme = BackwardEuler::split(&cloth, Settings::default(), EXPLICIT);
    scheme.step(&cloth, 1e-3, &mut state);
    assert_eq!(scheme.work().iterations, 1);
}

#[test]
fn a_decomposed_step_is_the_whole_one() {
    let (cloth, start) = sheet();
    let explicit_shear = Splitting::Families { stretch: true, shear: false, bend: false };
    let step = |splitting, decompose| {
        let gradients = tight(PreconditionerKind::BlockDiagonal(DiagonalKind::Constrained));
        let settings = Settings::from(ConjugateGradients { decompose, ..gradients });
        let mut scheme = BackwardEuler::split(&cloth, settings, splitting);
        let mut state = start.clone();
        (0..3).for_each(|_| scheme.step(&cloth, 2e-3, &mut state));
        (state, scheme.work(), scheme.groups().map(<[u32]>::to_vec))
    };
    for (splitting, several) in [(Splitting::Implicit, false), (explicit_shear, true), (EXPLICIT, true)] {
        let (whole, work, groups) = step(splitting, None);
        assert_eq!((work.components, groups), (0, None));
        let (serial, decomposed, groups) = step(splitting, Some(Decompose::Serial));
        assert!(distance(&serial, &whole) < 1e-10 && distance(&serial, &start) > 1e-3, "{}", distance(&serial, &whole));
        assert_eq!((decomposed.solves, decomposed.limited, decomposed.indefinite), (3, 0, 0));
        assert_eq!(decomposed.components > 3, several, "{decomposed:?}");
        assert!(decomposed.rows < work.rows && decomposed.rows == decomposed.free_rows, "{decomposed:?} {work:?}");
        let groups = groups.expect("a decomposed solve");
        assert_eq!((groups[0], groups[4], groups.iter().filter(|&&group| group == 0).count()), (0, 0, 2), "pins");
        assert_eq!(step(splitting, Some(Decompose::Threaded)), (serial, decomposed, Some(groups)));
    }
    assert_eq!(step(EXPLICIT, Some(Decompose::Serial)).1.components, 3 * 23, "every particle that is not pinned is its own");
}

#[test]
fn rejected_steps_are_halved_and_counted() {
    let elastic = Elastic { stiffness: 200.0, damping: 0.1 };
    let material = Material { density: 0.3, stretch: elastic, shear: elastic, bend: 0.0, ..Material::default() };
    let cloth = Cloth::new(Grid::new(5, 5, 0.1).expect("a grid"), material, &[Pin::At(0, 0), Pin::At(4, 0)]).expect("a sheet");
    // the step of 0.02 s is far beyond the explicit limit: alone it blows up
    let mut alone = cloth.at_rest();
    let mut scheme = ForwardBackwardEuler::new(25);
    (0..50).for_each(|_| scheme.step(&cloth, 0.02, &mut alone));
    assert!(!alone.is_finite() || cloth.largest_stretch(&alone.x) > 10.0);
    let mut state = cloth.at_rest();
    let mut scheme = Stepper::new(Box::new(ForwardBackwardEuler::new(25))).adapted(Adaptation::new(1.3, 25));
    (0..50).for_each(|_| scheme.step(&cloth, 0.02, &mut state).expect("a finite state"));
    let (stretch, beyond) = (cloth.largest_stretch(&state.x), scheme.work().accepted_beyond);
    // the energy that a step gained before it was rejected for the next one stays: some stretch is accepted at the shortest step
    assert!(stretch <= 1.3 && scheme.work().rejected > 0 && beyond > 0, "{stretch} {beyond} {:?}", scheme.work());
    // a short step needs no help
    let mut scheme = Stepper::new(Box::new(ForwardBackwardEuler::new(25))).adapted(Adaptation::new(1.3, 25));
    let (mut adapted, mut plain) = (cloth.at_rest(), cloth.at_rest());
    let mut fixed = ForwardBackwardEuler::new(25);
    for _ in 0..100 {
        scheme.step(&cloth, 1e-3, &mut adapted).expect("a finite state");
        fixed.step(&cloth, 1e-3, &mut plain);
    }
    assert_eq!(scheme.work().rejected, 0);
    assert_eq!(adapted, plain);
}

/// A net of three particles on stiff springs, one of them held, pulled out of shape.
fn stiff_net() -> (Net, State) {
    let elastic = Elastic { stiffness: 1e5, damping: 0.0 };
    let spring = |(i, j)| NetSpring { i, j, rest: 1.0, elastic };
    let net = Net::new(vec![1.0; 3], vec![true, false, false], [(0, 1), (1, 2), (0, 2)].map(spring).to_vec()).expect("a net");
    (net, State::at_rest(vec![Vec3::zeros(), Vec3::new(1.6, 0.0, 0.1), Vec3::new(0.2, 1.4, 0.0)]))
}

#[test]
fn a_step_whose_newton_iteration_does_not_converge_is_halved_until_it_does() {
    let (net, start) = stiff_net();
    let newton = Newton::Converged { tolerance: 1e-8, limit: 5 };
    let settings = Settings { solver: Solver::Direct, newton, terms: Terms::Filtered, ..Settings::default() };
    let dt = 0.05;
    let makers: [Maker; 3] = [
        |system, settings| Box::new(BackwardEuler::new(system, settings)),
        |system, settings| Box::new(Bdf2::new(system, settings)),
        |system, settings| Box::new(GeneralizedAlpha::new(system, settings, DissipationLimit::MOST_DISSIPATION)),
    ];
    for make in makers {
        let mut alone = start.clone();
        let mut scheme = make(&net, settings);
        scheme.step(&net, dt, &mut alone);
        assert_eq!(scheme.work().newton_limited, 1, "the whole step does not converge");

        let mut halved = start.clone();
        let mut scheme = Stepper::new(make(&net, settings)).adapted(Adaptation::new(f64::INFINITY, 3));
        scheme.step(&net, dt, &mut halved).expect("a finite state");
        let work = scheme.work();
        assert!(work.rejected > 0 && work.accepted_beyond == 0, "{work:?}");
        assert_eq!(work.newton_limited, work.rejected, "every step that did not converge was taken back");

        // a limit that no step needs changes nothing
        let enough = Settings { newton: Newton::Converged { tolerance: 1e-8, limit: 500 }, ..settings };
        let [mut plain, mut wrapped] = [start.clone(), start.clone()];
        let mut scheme = Stepper::new(make(&net, enough)).adapted(Adaptation::new(f64::INFINITY, 3));
        scheme.step(&net, dt, &mut wrapped).expect("a finite state");
        make(&net, enough).step(&net, dt, &mut plain);
        assert_eq!((scheme.work().rejected, wrapped), (0, plain));
    }
    // what never converges is accepted after ten halvings, and counted
    let never = Settings { newton: Newton::Converged { tolerance: 1e-300, limit: 1 }, ..settings };
    let mut state = start.clone();
    let scheme = Box::new(BackwardEuler::new(&net, never));
    let mut scheme = Stepper::new(scheme).adapted(Adaptation::new(f64::INFINITY, 3).doubling_after(2000));
    scheme.step(&net, dt, &mut state).expect("a finite state");
    let work = scheme.work();
    assert_eq!((work.rejected, work.accepted_beyond, work.newton_limited), (10, 1024, 1034));
    assert!(state.is_finite() && state != start);
}

#[test]
fn a_newton_iteration_that_meets_a_system_without_solution_has_not_converged() {
    // a spring pressed to a fifth of its length: with exact terms W = m - dt² ks (1 - L/|x|) < 0 across it at the whole step
    let elastic = Elastic { stiffness: 1e3, damping: 0.0 };
    let spring = NetSpring { i: 0, j: 1, rest: 1.0, elastic };
    let net = Net::new(vec![1.0; 2], vec![true, false], vec![spring]).expect("a net");
    let start = State::at_rest(vec![Vec3::zeros(), Vec3::new(0.2, 0.0, 0.0)]);
    let newton = Newton::Converged { tolerance: 1e-8, limit: 20 };
    let settings = Settings { solver: Solver::Direct, newton, terms: Terms::Exact, ..Settings::default() };
    let mut alone = start.clone();
    let mut scheme = BackwardEuler::new(&net, settings);
    scheme.step(&net, 0.05, &mut alone);
    assert_eq!((scheme.work().indefinite, scheme.work().newton_limited), (1, 1));

    let mut halved = start.clone();
    let mut scheme = Stepper::new(Box::new(BackwardEuler::new(&net, settings))).adapted(Adaptation::new(f64::INFINITY, 2));
    scheme.step(&net, 0.05, &mut halved).expect("a finite state");
    let work = scheme.work();
    assert!(work.rejected > 0 && work.accepted_beyond == 0 && halved.v[1].x > 0.0, "{work:?} {halved:?}");
}

#[test]
fn a_rejected_step_leaves_nothing_to_the_solve_after_it() {
    let (cloth, start) = sheet();
    let settings = Settings { solver: Solver::default(), ..Settings::default() };
    let makers: [Maker; 5] = [
        |system, settings| Box::new(BackwardEuler::new(system, settings)),
        |system, settings| Box::new(Bdf2::new(system, settings)),
        |system, settings| Box::new(Sbdf2::new(system, settings, Splitting::adaptive_second_order())),
        |system, settings| Box::new(ImplicitMidpoint::new(system, settings)),
        |system, settings| Box::new(GeneralizedAlpha::new(system, settings, DissipationLimit::MOST_DISSIPATION)),
    ];
    for make in makers {
        let [mut rejected, mut fresh] = [start.clone(), start.clone()];
        let mut scheme = make(&cloth, settings);
        scheme.step(&cloth, 0.1, &mut rejected.clone());
        assert!(scheme.work().iterations > 0, "it leaves a change");
        scheme.reject();
        scheme.change_step();
        let before = scheme.work();
        scheme.step(&cloth, 0.01, &mut rejected);
        let mut other = make(&cloth, settings);
        other.step(&cloth, 0.01, &mut fresh);
        assert_eq!((rejected, (scheme.work() - before).iterations), (fresh, other.work().iterations));
    }
}

#[test]
fn an_infinite_limit_watches_newton_iterations_alone() {
    let (net, start) = stiff_net();
    // explicit, and far beyond the stable step: it blows up, and no step is rejected for that
    let mut state = start.clone();
    let mut scheme = Stepper::new(Box::new(ForwardBackwardEuler::new(3))).adapted(Adaptation::new(f64::INFINITY, 3));
    let ended = (0..400).try_for_each(|_| scheme.step(&net, 0.5, &mut state));
    assert_eq!((ended, scheme.work().rejected), (Err(Cause::NotFinite), 0));
}

#[test]
fn a_system_without_solution_is_counted_and_changes_no_velocity() {
    let (dt, mut state) = (0.5, unit_state());
    let mut scheme = BackwardEuler::new(&oscillator(), exact());
    scheme.step(&oscillator(), dt, &mut state);
    assert!((state.v[0].x - 0.5).abs() > 0.1 && scheme.work().indefinite == 0, "the first system has one");
    // W = 1 - 100 dt² < 0
    let before = state.clone();
    scheme.step(&Oscillator { mass: 1.0, ks: -100.0, kd: 0.0 }, dt, &mut state);
    assert_eq!((state.v[0], scheme.work().indefinite), (before.v[0], 1));
}

#[test]
fn steps_are_doubled_after_the_run_of_successes_that_is_asked_for() {
    let (cloth, start) = sheet();
    // every step is beyond this limit: the first one is halved ten times, and then accepted whatever it does
    let tried = |successes: u32| {
        let scheme = Box::new(ForwardBackwardEuler::new(cloth.particle_count()));
        let mut scheme = Stepper::new(scheme).adapted(Adaptation::new(0.5, cloth.particle_count()).doubling_after(successes));
        scheme.step(&cloth, 1e-3, &mut start.clone()).expect("a finite state");
        (scheme.work().accepted_beyond, scheme.work().rejected)
    };
    // never doubled: 1024 steps, ten of them rejected before. Doubled after every 2^k: each doubling costs a rejection more
    assert_eq!(tried(2000), (1024, 10));
    assert_eq!(tried(512), (1024, 11));
}

#[test]
fn the_default_settings_hold_a_stiff_sheet_of_many_particles() {
    // 64 x 64 particles, 1 m, 0.2 kg, 1000 N/m, hung from two corners, 0.01 s: to sqrt(c dt), as the thesis prints its tolerance,
    // it comes apart
    let (side, n) = (64, 64.0);
    let spacing = 1.0 / (n - 1.0);
    let elastic = Elastic { stiffness: 1000.0, damping: 0.0 };
    let density = 0.2 / (n * n * spacing * spacing);
    let material = Material { density, stretch: elastic, shear: elastic, bend: 0.01, ..Material::default() };
    let grid = Grid::new(side, side, spacing).unwrap();
    let sheet = Cloth::new(grid, material, &[Pin::At(0, 0), Pin::At(side - 1, 0)]).unwrap();
    let run = |settings: Settings| {
        let (mut scheme, mut state) = (BackwardEuler::new(&sheet, settings), sheet.at_rest());
        let (start, mut gain) = (sheet.energies(&state).total(), f64::NEG_INFINITY);
        for _ in 0..100 {
            scheme.step(&sheet, 0.01, &mut state);
            gain = gain.max(sheet.energies(&state).total() - start);
        }
        let strain = |spring: &cloth::Spring| (state.x[spring.j] - state.x[spring.i]).norm() / spring.rest - 1.0;
        let stretch = sheet.springs().iter().filter(|spring| spring.family == Family::Stretch);
        [stretch.map(strain).fold(0.0, f64::max), gain]
    };
    let [strain, gain] = run(Settings::default());
    assert!(strain < 0.03 && gain < 0.0, "a strain of {strain}, {gain} J gained; 0.02 to 1e-8");
    let printed = ConjugateGradients { iteration_limit: 100_000, ..ConjugateGradients::to(Tolerance::RootOfStep(0.01)) };
    let [strain, gain] = run(Settings::from(printed));
    assert!(strain > 1.0 && gain > 10.0, "a strain of {strain}, {gain} J gained");
}

/// A particle comes to the end of its slack: without its damper the spring is taut at the end of the step, with it the particle stops
/// short of that, where the damper does not act. The equation of such a step has no solution.
#[test]
fn iterations_go_round_where_a_damper_switches_on() {
    for (damping, limited) in [(0.0, 0), (100.0, 1)] {
        let stretch = Elastic { stiffness: 10.0, damping };
        let none = Elastic { stiffness: 0.0, damping: 0.0 };
        let material = Material { density: 0.2, stretch, shear: none, bend: 0.0, ..Material::default() };
        let cloth = Cloth::new(Grid::new(2, 2, 0.1).unwrap(), material, &[Pin::Index(0), Pin::Index(2)]).unwrap();
        let mut state = cloth.at_rest();
        for i in [1, 3] {
            state.x[i].x -= 1e-4;
            state.v[i].x = 1.0;
        }
        let newton = Newton::Converged { tolerance: 1e-9, limit: 50 };
        let mut scheme = BackwardEuler::new(&cloth, Settings { solver: Solver::Direct, newton, ..Settings::default() });
        scheme.step(&cloth, 1e-3, &mut state);
        assert_eq!(scheme.work().newton_limited, limited, "{damping}");
    }
}
