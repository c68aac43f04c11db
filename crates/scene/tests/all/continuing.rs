//! Runs that go on from the memory of another: bit for bit those of one run, under every scheme and constraint method.

use cloth::run::Run;
use cloth::{Memory, State};
use scene::Scene;

use super::collisions::{is_full, shipped};

/// Steps of a run, and those after which it is left.
const STEPS: u64 = 60;
const LEFT: [u64; 3] = [1, 23, 41];

/// Goes on to so many steps.
fn to(run: &mut Run, steps: u64, name: &str) {
    while run.steps() < steps {
        run.step().unwrap_or_else(|failed| panic!("{name}: {failed}"));
    }
}

fn bits(State { x, v }: &State) -> Vec<u64> {
    x.iter().chain(v).flat_map(|v| v.iter().map(|number| number.to_bits())).collect()
}

/// Compares runs that others go on with to the one that does all steps.
fn goes_on(name: &str, begin: impl Fn() -> Run) {
    let mut whole = begin();
    let mut memories: Vec<Memory> = vec![];
    for left in LEFT {
        to(&mut whole, left, name);
        memories.push(whole.memory());
    }
    to(&mut whole, STEPS, name);
    assert!(!name.contains("adaptive_steps") || whole.work().rejected > 0, "{name}: {}", whole.work().rejected);
    for (left, memory) in LEFT.into_iter().zip(memories) {
        let mut other = begin();
        other.recall(memory.words().to_vec()).unwrap_or_else(|refused| panic!("{name}: {refused}"));
        assert_eq!((other.steps(), other.time()), (left, left as f64 * other.step_length()), "{name}");
        to(&mut other, STEPS, name);
        assert!(bits(other.state()) == bits(whole.state()), "{name} from step {left}: {}", apart(&other, &whole));
        assert_eq!(other.energies(), whole.energies(), "{name}");
    }
}

/// Largest distance between two runs \[m\].
fn apart(one: &Run, other: &Run) -> f64 {
    one.state().x.iter().zip(&other.state().x).map(|(one, other)| (one - other).norm()).fold(0.0, f64::max)
}

/// A sheet that falls on a ball and a slope, one corner held and moved, in gusts; `top` and `sections` say how.
fn sheet(top: &str, sections: &str) -> impl Fn() -> Run {
    let text = format!(
        "step = 4e-3\nduration = 1\npins = [0, {{ index = 62, until = 0.1 }}, {{ index = 54, stiffness = 50 }}]\n{top}\n[mesh]\nnx = 9\nny = 7\nspacing = 0.05\n[[motion]]\npins = [0, 54]\n\
         velocity = [0.1, 0, 0.2]\nuntil = 0.1\n[[solid]]\nsphere = {{ centre = [0.25, 0.2, -0.101], radius = 0.1 }}\n\
         [[solid]]\nplane = {{ point = [0, 0, -0.05], normal = [0.3, 0, 1] }}\n{sections}"
    );
    let scene = Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}\n{text}"));
    move || scene.run(State::at_rest(scene.model().expect("a model").rest())).expect("a run")
}

const SPRINGS: &str =
    "[material]\nstretch = { stiffness = 60, damping = 0.02 }\nshear = { stiffness = 20, damping = 0.01 }\nbend = 0.02";

#[test]
fn every_scheme_goes_on() {
    let contacts = ["contact = 'positions'", ""];
    let limit = if is_full() { "1.02" } else { "1.2" }; // the first one leaves every part the shortest
    for (integrator, more) in [
        ("[integrator.fb-euler]", ""),
        ("[integrator.rk4]", ""),
        ("[integrator.bogacki-shampine]", ""),
        ("[integrator.backward-euler]", ""),
        ("[integrator.backward-euler]", "[solver.direct]"),
        ("[integrator.backward-euler]", "[solver.conjugate-gradients]"),
        ("[integrator.backward-euler]", "[solver.conjugate-gradients]\npreconditioner = 'multigrid'"),
        ("[integrator.backward-euler]", "[solver.conjugate-gradients]\npreconditioner = 'aggregation'"),
        ("[integrator.backward-euler]", "[solver.conjugate-gradients]\npreconditioner = 'schwarz'"),
        ("[integrator.backward-euler]", "[solver.conjugate-gradients]\ndecompose = true"),
        ("[integrator.backward-euler]", "[solver.conjugate-gradients]\nprecision = 'single'"),
        ("[integrator.backward-euler]\nnewton = { tolerance = 1e-5 }", "[adaptive_steps]\nstretch_limit = LIMIT"),
        ("[integrator.bdf2]", ""),
        ("[integrator.bdf2]", "[adaptive_steps]\nstretch_limit = LIMIT"),
        ("[integrator.implicit-midpoint]", ""),
        ("[integrator.implicit-damping]", ""),
        ("[integrator.generalized-alpha]\nrho_inf = 0.4", ""),
        ("[integrator.generalized-alpha]", "[adaptive_steps]\nstretch_limit = LIMIT"),
        ("[integrator.imex]\nimplicit = ['stretch']", ""),
        ("[integrator.aimex]", ""),
        ("[integrator.aimex]\ncut_speed = 0.05", "[solver.conjugate-gradients]\ndecompose = true"),
        ("[integrator.sbdf2]\nimplicit = ['stretch', 'shear']", ""),
        ("[integrator.adaptive-sbdf2]", ""),
        ("[integrator.projective-dynamics]", ""),
        ("[integrator.projective-dynamics.acceleration.chebyshev]\nrho = 0.8", ""),
        ("[integrator.projective-dynamics.acceleration.l-bfgs]", ""),
    ] {
        let more = more.replace("LIMIT", limit);
        for contact in contacts {
            goes_on(&format!("{integrator} {more} {contact}"), sheet(contact, &format!("{integrator}\n{more}\n{SPRINGS}")));
        }
    }
}

#[test]
fn every_constraint_method_goes_on() {
    for method in [
        "fast-projection",
        "icd",
        "step-and-project",
        "shake",
        "rattle",
        "linearised",
        "jacobi-limiting",
        "pbd",
        "gauss-seidel-limiting",
        "xpbd",
        "baumgarte",
        "linearised-accelerations",
        "impulse-strips",
    ] {
        let sections = "[material]\nshear = { stiffness = 20, damping = 0.01 }\nbend = 0.02";
        goes_on(method, sheet(&format!("inextensible = '{method}'\nintegrator = 'fb-euler'"), sections));
    }
}

/// Tears, seams, gusts, soft pins, key frames, bodies, collisions of the cloth with itself.
#[test]
fn shipped_scenes_go_on() {
    for (name, changes) in [
        ("torn-banner.toml", &[][..]),
        ("flag-in-wind.toml", &[]),
        ("ring.toml", &[]),
        ("poncho.toml", &[]),
        ("turning-sphere.toml", &[]),
        ("twist.toml", &[]),
    ] {
        goes_on(name, || shipped(name, changes));
    }
}

/// A state alone goes on at its time under a scheme that remembers nothing: pins that move or let go, a ball that moves.
#[test]
fn a_state_goes_on_at_its_time() {
    let text = |time: f64| {
        format!(
            "step = 1e-3\nduration = 1\nintegrator = 'fb-euler'\npins = [0, 8, {{ index = 62, until = 0.15 }}]\n\
             [mesh]\nnx = 9\nny = 7\nspacing = 0.05\n{SPRINGS}\n[initial]\ntime = {time}\n[[motion]]\npins = [0, 8]\namplitude = [0.05, 0, 0.1]\n\
             period = 0.7\nturn = [0, 0, 0.5]\n\
             [[solid]]\nsphere = {{ centre = [0.25, 0.2, -0.101], radius = 0.1, motion = {{ velocity = [0, 0.3, 0.1] }} }}"
        )
    };
    let begun = |time: f64, state: Option<State>| {
        let scene = Scene::parse(&text(time)).unwrap_or_else(|mistake| panic!("{mistake}"));
        scene.run(state.unwrap_or_else(|| State::at_rest(scene.model().expect("a model").rest()))).expect("a run")
    };
    for left in [100, 200] {
        let mut whole = begun(0.0, None);
        to(&mut whole, left, "whole");
        let mut other = begun(whole.time(), Some(whole.state().clone()));
        assert!((other.energies().total() - whole.energies().total()).abs() < 1e-12, "{left}");
        to(&mut whole, 300, "whole");
        to(&mut other, 300 - left, "other");
        assert!((other.time() - 0.3).abs() < 1e-12 && apart(&other, &whole) < 1e-9, "{left}: {}", apart(&other, &whole));
        let mut late = begun(0.0, Some(other.state().clone()));
        to(&mut late, 100, "late");
        let mut timely = begun(0.3, Some(other.state().clone()));
        to(&mut timely, 100, "timely");
        assert!(apart(&late, &timely) > 1e-3, "the time says nothing");
    }
}
