//! The longest step with which the explicit scheme of a scene is stable, told before its run.

use std::fmt;

use cloth::implicit::Splitting;
use cloth::integrators::{ForwardBackwardEuler, ForwardEuler, ImplicitDamping, Rk4};
use cloth::run::Scheme;
use cloth::{State, System, Vec3};
use kit::stiffness::Stiffness;
use scene::Scene;

use super::summary::given;

/// A step above the limit of its scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beyond {
    /// The scheme by its name in scenes.
    pub scheme: &'static str,
    /// dt \[s\].
    pub step: f64,
    /// The step \[s\] up to which the scheme is stable, about.
    pub limit: f64,
}

impl Beyond {
    /// The limit of a scene whose step lies above it, about the state that the run starts from. None of schemes that adapt their
    /// steps or have no limit, of those whose limit is not known here, and behind a constraint method.
    pub fn of(scene: &Scene, system: &dyn System, start: &State) -> Option<Beyond> {
        if scene.inextensible.is_some() || scene.may_reject() {
            return None;
        }
        let limit = limit(scene, system, start)?;
        (scene.step > limit).then(|| Beyond { scheme: scene.scheme.name(), step: scene.step, limit })
    }
}

/// The longest stable step \[s\], where there is one that is known.
fn limit(scene: &Scene, system: &dyn System, start: &State) -> Option<f64> {
    let of_all = || Stiffness::about(start, |x, v, a| system.accelerate(x, v, a));
    match scene.scheme {
        Scheme::Plain(entry, _) if *entry == ForwardEuler::ENTRY => Some(of_all().forward(scene.duration)),
        Scheme::Plain(entry, _) if *entry == ForwardBackwardEuler::ENTRY => Some(of_all().forward_backward()),
        Scheme::Plain(entry, _) if *entry == Rk4::ENTRY => Some(of_all().runge_kutta()),
        Scheme::Plain(entry, _) if *entry == ImplicitDamping::ENTRY => Some(of_all().damped_implicitly()),
        Scheme::BackwardEuler(splitting @ Splitting::Families { .. }, _) => {
            let mut implicit = vec![false; system.coupling_count()];
            system.choose_implicit(&splitting, scene.step, start, &mut implicit);
            let explicit = |x: &[Vec3], v: &[Vec3], a: &mut [Vec3]| {
                a.fill(Vec3::zeros());
                system.add_explicit_forces(&implicit, x, v, a);
                for ((a, mass), pinned) in a.iter_mut().zip(system.masses()).zip(system.pinned()) {
                    *a = if *pinned { Vec3::zeros() } else { *a / *mass };
                }
            };
            Some(Stiffness::about(start, explicit).forward_backward())
        }
        _ => None,
    }
}

/// A step \[s\] with two digits, rounded down.
pub(super) fn short_of(limit: f64) -> f64 {
    if !(limit.is_finite() && limit > 0.0) {
        return limit;
    }
    let unit = libm::pow(10.0, libm::floor(libm::log10(limit)) - 1.0);
    let rounded = (limit / unit * (1.0 + 1e-12)).floor() * unit;
    format!("{rounded:.1e}").parse().unwrap_or(limit)
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Beyond { scheme, step, limit } = *self;
        let (step, limit) = (given(step), given(short_of(limit)));
        write!(
            f,
            "step = {step} s is unstable for {scheme} here (limit about {limit} s); use integrator = \"backward-euler\", or a step \
             below {limit}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sheets of 0.5 m that hang by an edge: a grid, a net of springs, and a continuum.
    const CLOTHS: [&str; 3] = [
        "[mesh]\nnx = 6\nny = 6\nspacing = 0.1\n[material]\nstretch = { stiffness = 500, damping = 0.05 }\ncompression = true\n",
        "[mesh.centred]\nnx = 5\nny = 5\nwidth = 0.5\nheight = 0.5\n[material]\nmodel = \"springs\"\nstretch = { stiffness = 300 }\ncompression = true\n",
        "[mesh.regular]\nnx = 6\nny = 6\nwidth = 0.5\nheight = 0.5\n",
    ];

    const EXPLICIT: [&str; 5] = [
        "integrator = \"fb-euler\"\n",
        "integrator = \"rk4\"\n",
        "integrator = \"implicit-damping\"\n",
        "integrator = { imex = { implicit = [\"bend\"] } }\n",
        "integrator = \"forward-euler\"\n",
    ];

    fn scene(scheme: &str, cloth: &str, step: f64) -> Scene {
        let text = format!("step = {step}\nduration = 0.5\npins = [\"top\"]\n{scheme}{cloth}");
        Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}: {text}"))
    }

    fn limit_of(scene: &Scene) -> f64 {
        let model = scene.model().unwrap();
        limit(scene, model.system(), &State::at_rest(model.rest())).unwrap()
    }

    /// The largest stretch of a run, infinite where it blows up.
    fn stretch(scene: &Scene) -> f64 {
        let model = scene.model().unwrap();
        let start = State::at_rest(model.rest());
        let mut simulation = scene.run_of(model, start).unwrap();
        let mut most: f64 = 1.0;
        while simulation.steps() < scene.steps() && most < 1e3 {
            if simulation.step().is_err() {
                return f64::INFINITY;
            }
            most = most.max(simulation.largest_stretch());
        }
        most
    }

    #[test]
    fn runs_below_the_limit_stay_bounded_and_those_above_blow_up() {
        for cloth in CLOTHS {
            for scheme in EXPLICIT {
                let limit = limit_of(&scene(scheme, cloth, 0.01));
                // forward Euler is never stable, and its limit is one of growth
                let beyond = if scheme.contains("forward-euler") { 4.0 } else { 1.5 };
                let [below, above] = [0.9, beyond].map(|share| stretch(&scene(scheme, cloth, share * limit)));
                assert!(below < 1.6, "{scheme}{cloth}{limit}: {below}");
                assert!(above > 1e3, "{scheme}{cloth}{limit}: {above} {below}");
            }
        }
    }

    #[test]
    fn only_a_step_above_the_limit_of_an_explicit_scheme_is_told() {
        let beyond = |scheme: &str, step: f64| {
            let scene = scene(scheme, CLOTHS[0], step);
            let model = scene.model().unwrap();
            Beyond::of(&scene, model.system(), &State::at_rest(model.rest()))
        };
        let limit = limit_of(&scene(EXPLICIT[0], CLOTHS[0], 0.01));
        assert_eq!(beyond(EXPLICIT[0], 0.99 * limit), None);
        let words = beyond(EXPLICIT[0], 1.0).map(|beyond| beyond.to_string()).unwrap_or_default();
        let about = given(short_of(limit));
        assert!(words.starts_with("step = 1 s is unstable for fb-euler here (limit about "), "{words}");
        assert!(words.ends_with(&format!("use integrator = \"backward-euler\", or a step below {about}")), "{words}");
        for scheme in ["", "integrator = \"bogacki-shampine\"\n", "integrator = \"bdf2\"\n"] {
            assert_eq!(beyond(scheme, 1.0), None, "{scheme}");
        }
        let (kept, sheet) =
            ("integrator = \"fb-euler\"\ninextensible = \"fast-projection\"\n", "[mesh]\nnx = 4\nny = 4\nspacing = 0.1\n");
        let kept = scene(kept, sheet, 1.0);
        let model = kept.model().unwrap();
        assert_eq!(Beyond::of(&kept, model.system(), &State::at_rest(model.rest())), None);
        assert_eq!([1.234e-3, 0.99e-4, 2.0].map(short_of), [1.2e-3, 9.9e-5, 2.0]);
    }
}
