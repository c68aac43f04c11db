//! Held particles keep the velocity that is in the state, and move with it, under every scheme.

use cloth::contact::{Contacts, Friction, Solid};
use cloth::implicit::{Settings, Splitting};
use cloth::inextensible::{Edge, EdgeConstraints, Limits, Pbd};
use cloth::integrators::{
    BackwardEuler, Ballistic, Bdf2, BogackiShampine, DissipationLimit, ForwardBackwardEuler, GeneralizedAlpha, ImplicitMidpoint,
    Integrator, PLAIN, Sbdf2,
};
use cloth::run::{Adaptation, Filter, Stepper};
use cloth::{Drive, Elastic, Net, NetSpring, Sinusoid, State, System, Vec3};

type Maker = fn(&Net) -> Box<dyn Integrator>;

const EXPLICIT: Splitting = Splitting::Families { stretch: false, shear: false, bend: false };

/// A square of springs, two of its particles held.
fn net(damping: f64) -> (Net, State) {
    let elastic = Elastic { stiffness: 40.0, damping };
    let spring = |(i, j)| NetSpring { i, j, rest: 1.0, elastic };
    let springs = [(0, 1), (1, 2), (2, 3), (3, 0)].map(spring).to_vec();
    let net = Net::new(vec![1.0; 4], vec![true, false, false, true], springs).expect("a net");
    (net, State::at_rest(vec![Vec3::zeros(), Vec3::new(0.0, 1.1, 0.0), Vec3::new(1.0, 1.0, 0.1), Vec3::x()]))
}

fn generalized_alpha(net: &Net, settings: Settings, rho_inf: f64) -> Box<dyn Integrator> {
    Box::new(GeneralizedAlpha::new(net, settings, DissipationLimit::new(rho_inf).expect("from 0 to 1")))
}

/// Every scheme in `integrators`, one Newton step and converged.
fn steppers(net: &Net) -> Vec<(String, Stepper)> {
    let count = net.particle_count();
    let pbd = || {
        let edges = [Edge { i: 0, j: 1, rest: 1.0 }, Edge { i: 2, j: 3, rest: 1.0 }];
        let constraints = EdgeConstraints::new(&edges, net.masses(), net.pinned()).expect("edges");
        Box::new(Pbd::new(constraints, Limits::new(1e-6, 100).expect("limits")))
    };
    let mut schemes: Vec<(String, Box<dyn Integrator>)> = vec![
        ("ballistic".into(), Box::new(Ballistic::new(count))),
        ("Bogacki-Shampine".into(), Box::new(BogackiShampine::new(count, BogackiShampine::TOLERANCE))),
    ];
    for (newton, settings) in [("once", Settings::default()), ("converged", Settings::converged())] {
        let floor = Solid::Plane { point: Vec3::new(0.0, 0.0, -9.0), normal: Vec3::z() };
        let contacts = Contacts::new(count, vec![floor], Friction::default());
        let implicit: Vec<(&str, Box<dyn Integrator>)> = vec![
            ("backward Euler, solids", Box::new(BackwardEuler::new(net, settings).with_contacts(contacts))),
            ("IMEX", Box::new(BackwardEuler::split(net, settings, EXPLICIT))),
            ("AIMEX", Box::new(BackwardEuler::split(net, settings, Splitting::adaptive()))),
            ("SBDF2", Box::new(Sbdf2::new(net, settings, EXPLICIT))),
            ("generalized-alpha, 0", generalized_alpha(net, settings, 0.0)),
            ("generalized-alpha, 1/2", generalized_alpha(net, settings, 0.5)),
            ("generalized-alpha, 1", generalized_alpha(net, settings, 1.0)),
        ];
        schemes.extend(PLAIN.iter().map(|entry| (format!("{}, {newton}", entry.name), entry.integrator(net, settings))));
        schemes.extend(implicit.into_iter().map(|(name, scheme)| (format!("{name}, {newton}"), scheme)));
    }
    let mut steppers: Vec<(String, Stepper)> = schemes.into_iter().map(|(name, scheme)| (name, Stepper::new(scheme))).collect();
    let explicit = || Stepper::new(Box::new(ForwardBackwardEuler::new(count)));
    steppers.push(("filtered".into(), explicit().filtered(Filter::new(pbd()))));
    steppers.push(("adaptive steps".into(), explicit().adapted(Adaptation::new(0.5, count))));
    steppers
}

#[test]
fn held_particles_end_where_their_velocity_leads_under_every_scheme() {
    let (net, start) = net(0.5);
    for (name, mut stepper) in steppers(&net) {
        let mut state = start.clone();
        let rounding = if name == "adaptive steps" { 1024.0 * f64::EPSILON } else { 1e-15 }; // of that many short steps
        for k in 0..8 {
            let dt = 0.02;
            let v = if k < 6 { Vec3::new(0.3 - 0.1 * f64::from(k), 0.2, -0.4) } else { Vec3::zeros() };
            state.v[3] = v;
            let (held, x, free) = (state.x[0], state.x[3], (state.x[2], state.v[2]));
            stepper.step(&net, dt, &mut state).expect("a step");
            assert_eq!((state.x[0], state.v[0]), (held, Vec3::zeros()), "{name}: it is held at rest");
            assert!(
                (state.x[3] - x - dt * v).norm() < rounding && (state.v[3] - v).norm() < 1e-14,
                "{name}, step {k}: {state:?}"
            );
            assert!(k < 6 || state.x[3] == x, "{name}: it rests");
            assert!(state.is_finite() && (state.x[2], state.v[2]) != free, "{name}");
        }
    }
}

#[test]
fn a_driven_net_is_of_second_order_where_no_damper_sees_that_pins_move_along_chords() {
    let order = |damping: f64, make: Maker| {
        let (net, start) = net(damping);
        let path = Sinusoid { amplitude: Vec3::new(0.1, 0.0, 0.3), period: 1.0, until: f64::INFINITY };
        let run = |steps: u32| {
            let mut state = start.clone();
            let (drive, mut scheme) = (Drive::new(&net, &start, &[3], path).expect("a held particle"), make(&net));
            let dt = 0.4 / f64::from(steps);
            for k in 0..steps {
                drive.set(f64::from(k) * dt, dt, &mut state);
                scheme.step(&net, dt, &mut state);
            }
            state
        };
        let reference = run(6400);
        let errors = [100, 200].map(|steps| {
            let found = run(steps);
            [1, 2].map(|i| (found.x[i] - reference.x[i]).norm()).into_iter().fold(0.0, f64::max)
        });
        libm::log2(errors[0] / errors[1])
    };
    // the velocity of a pin is that of the middle of the step, which a scheme that takes forces at its end sees too early
    let schemes: [(&str, Maker, f64); 4] = [
        ("BDF2", |net| Box::new(Bdf2::new(net, Settings::converged())), 1.0),
        ("implicit midpoint", |net| Box::new(ImplicitMidpoint::new(net, Settings::converged())), 2.0),
        ("generalized-alpha, 0", |net| generalized_alpha(net, Settings::converged(), 0.0), 1.0),
        ("generalized-alpha, 1", |net| generalized_alpha(net, Settings::converged(), 1.0), 2.0),
    ];
    for (name, make, damped) in schemes {
        for (damping, expected) in [(0.0, 2.0), (0.5, damped)] {
            let found = order(damping, make);
            assert!((found - expected).abs() < 0.15, "{name}, damping {damping}: order {found}");
        }
    }
}
