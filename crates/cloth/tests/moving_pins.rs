//! Held particles keep the velocity that is in the state, and move with it, under every scheme.

use cloth::contact::{Contacts, Friction, Solid};
use cloth::implicit::{Settings, Splitting};
use cloth::inextensible::{Edge, EdgeConstraints, Limits, Pbd};
use cloth::integrators::{
    AdaptiveSteps, BackwardEuler, Ballistic, Bdf2, DissipationLimit, Filtered, ForwardBackwardEuler, ForwardEuler,
    GeneralizedAlpha, ImplicitMidpoint, Integrator, Rk4, Sbdf2,
};
use cloth::{Elastic, Net, NetSpring, State, System, Vec3};

const EXPLICIT: Splitting = Splitting::Families { stretch: false, shear: false, bend: false };

/// A square of damped springs, two of its particles held.
fn net() -> (Net, State) {
    let elastic = Elastic { stiffness: 40.0, damping: 0.5 };
    let spring = |(i, j)| NetSpring { i, j, rest: 1.0, elastic };
    let springs = [(0, 1), (1, 2), (2, 3), (3, 0)].map(spring).to_vec();
    let net = Net::new(vec![1.0; 4], vec![true, false, false, true], springs).expect("a net");
    (net, State::at_rest(vec![Vec3::zeros(), Vec3::new(0.0, 1.1, 0.0), Vec3::new(1.0, 1.0, 0.1), Vec3::x()]))
}

fn generalized_alpha(net: &Net, settings: Settings, rho_inf: f64) -> Box<dyn Integrator> {
    Box::new(GeneralizedAlpha::new(net, settings, DissipationLimit::new(rho_inf).expect("from 0 to 1")))
}

/// Every scheme in `integrators`, one Newton step and converged.
fn schemes(net: &Net) -> Vec<(String, Box<dyn Integrator>)> {
    let count = net.particle_count();
    let pbd = || {
        let edges = [Edge { i: 0, j: 1, rest: 1.0 }, Edge { i: 2, j: 3, rest: 1.0 }];
        let constraints = EdgeConstraints::new(&edges, net.masses(), net.pinned()).expect("edges");
        Box::new(Pbd::new(constraints, Limits::new(1e-6, 100).expect("limits")))
    };
    let mut schemes: Vec<(String, Box<dyn Integrator>)> = vec![
        ("ballistic".into(), Box::new(Ballistic::new(count))),
        ("forward Euler".into(), Box::new(ForwardEuler::new(count))),
        ("FB Euler".into(), Box::new(ForwardBackwardEuler::new(count))),
        ("RK4".into(), Box::new(Rk4::new(count))),
        ("filtered".into(), Box::new(Filtered::new(Box::new(ForwardBackwardEuler::new(count)), pbd()))),
        ("adaptive steps".into(), Box::new(AdaptiveSteps::new(Box::new(ForwardBackwardEuler::new(count)), 0.5, count))),
    ];
    for (newton, settings) in [("once", Settings::default()), ("converged", Settings::converged())] {
        let floor = Solid::Plane { point: Vec3::new(0.0, 0.0, -9.0), normal: Vec3::z() };
        let contacts = Contacts::new(count, vec![floor], Friction::default());
        let implicit: Vec<(&str, Box<dyn Integrator>)> = vec![
            ("backward Euler", Box::new(BackwardEuler::new(net, settings))),
            ("backward Euler, solids", Box::new(BackwardEuler::new(net, settings).with_contacts(contacts))),
            ("IMEX", Box::new(BackwardEuler::split(net, settings, EXPLICIT))),
            ("AIMEX", Box::new(BackwardEuler::split(net, settings, Splitting::adaptive()))),
            ("BDF2", Box::new(Bdf2::new(net, settings))),
            ("implicit midpoint", Box::new(ImplicitMidpoint::new(net, settings))),
            ("SBDF2", Box::new(Sbdf2::new(net, settings, EXPLICIT))),
            ("generalized-alpha, 0", generalized_alpha(net, settings, 0.0)),
            ("generalized-alpha, 1/2", generalized_alpha(net, settings, 0.5)),
            ("generalized-alpha, 1", generalized_alpha(net, settings, 1.0)),
        ];
        schemes.extend(implicit.into_iter().map(|(name, scheme)| (format!("{name}, {newton}"), scheme)));
    }
    schemes
}

#[test]
fn held_particles_end_where_their_velocity_leads_under_every_scheme() {
    let (net, start) = net();
    for (name, mut scheme) in schemes(&net) {
        let mut state = start.clone();
        for k in 0..8 {
            let dt = 0.02;
            let v = if k < 6 { Vec3::new(0.3 - 0.1 * f64::from(k), 0.2, -0.4) } else { Vec3::zeros() };
            state.v[3] = v;
            let (held, x, free) = (state.x[0], state.x[3], (state.x[2], state.v[2]));
            scheme.step(&net, dt, &mut state);
            assert_eq!((state.x[0], state.v[0]), (held, Vec3::zeros()), "{name}: it is held at rest");
            assert!((state.x[3] - x - dt * v).norm() < 1e-15 && (state.v[3] - v).norm() < 1e-14, "{name}, step {k}: {state:?}");
            assert!(k < 6 || state.x[3] == x, "{name}: it rests");
            assert!(state.is_finite() && (state.x[2], state.v[2]) != free, "{name}");
        }
    }
}
