//! A scene run in other ways from its start, once it has failed: which of them lead past the failure.

use std::fmt;
use std::time::{Duration, Instant};

use cloth::State;
use cloth::implicit::{Newton, Precision, Settings, Solver, Tolerance};
use cloth::run::{Ending, Scheme};
use scene::Scene;

use super::growth::Growth;
use super::limit::short_of;
use super::summary::{Measured, given};

/// Time of cloth that a way has to hold for, over that at which the run failed \[-\].
const PAST: f64 = 1.5;
/// Largest |x| / L of a run that holds \[-\].
const STRETCHED: f64 = 3.0;
/// Least time for all trials.
const LEAST: Duration = Duration::from_secs(5);
/// Steps from one look at the clock and the energies to the next.
const EVERY: u64 = 8;

/// The way out of a failed run.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// A change of the scene, in its words, under which the run held up to a time \[s\].
    Found {
        /// The change as an advice: "use ...".
        words: String,
        /// The time up to which the changed scene was run \[s\].
        until: f64,
    },
    /// None of the ways that were tried held.
    Nothing {
        /// The number that was tried.
        tried: usize,
    },
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Remedy::Found { words, until } => write!(f, "{words}: tried, and it held for {} s", given(short_of(*until))),
            Remedy::Nothing { tried: 0 } => {
                write!(f, "no other way could be tried to its end in the time that the run took; shorten `step`")
            }
            Remedy::Nothing { tried } => {
                write!(f, "none of {tried} other ways held that were tried (integrator, solver, `newton`, shorter steps)")
            }
        }
    }
}

/// Tries other ways of running a scene whose run from `start` failed at time `at` \[s\], for as long as that run took, or for five
/// seconds. Each trial has two thirds of the time that is left.
pub(super) fn remedy(scene: &Scene, start: &State, at: f64, took: Duration) -> Remedy {
    let begun = Instant::now();
    let budget = took.max(LEAST);
    let until = (PAST * at).max(4.0 * scene.step).min(scene.duration);
    let mut tried = 0;
    for (changed, words) in ways(scene) {
        let left = budget.saturating_sub(begun.elapsed());
        match holds(&changed, start, until, Instant::now() + 2 * left / 3) {
            Some(true) => return Remedy::Found { words, until },
            Some(false) => tried += 1,
            None => {}
        }
    }
    Remedy::Nothing { tried }
}

/// Other ways of running a scene, the likeliest first, in the words of its file.
fn ways(scene: &Scene) -> Vec<(Scene, String)> {
    let mut ways = vec![];
    let automatic = Scheme::default();
    let mut by = |scheme: Scheme, words: String| {
        if scheme != scene.scheme {
            ways.push((Scene { scheme, ..scene.clone() }, words));
        }
    };
    if let Some(Settings { solver: Solver::ConjugateGradients(gradients), .. }) = scene.scheme.settings()
        && !matches!(gradients.tolerance, Tolerance::Strain(_))
    {
        let solver = Solver::automatic();
        if let Some(scheme) = scene.scheme.with(|settings| Settings { solver, precision: Precision::Double, ..settings }) {
            by(scheme, "use solver = \"automatic\" in place of a tolerance that is too large".into());
        }
    }
    let is_backward_euler = scene.scheme.name() == automatic.name();
    if !is_backward_euler {
        by(automatic, "use integrator = \"backward-euler\"".into());
    }
    let mut converged = |scheme: Scheme| {
        let descends = Scene { scheme, ..scene.clone() }.without_energy().is_none();
        let (newton, search) = match descends {
            true => (Newton::Descending { tolerance: NEWTON, limit: 50 }, ", line_search = true"),
            false => (Newton::Converged { tolerance: NEWTON, limit: 50 }, ""),
        };
        if let Some(scheme) = scheme.with(|settings| Settings { newton, ..settings }) {
            by(scheme, format!("use `newton = {{ tolerance = {NEWTON:e}{search} }}` in [integrator.{}]", scheme.name()));
        }
    };
    if scene.scheme.settings().is_some_and(|settings| !settings.newton.converges()) {
        converged(scene.scheme);
    }
    if !is_backward_euler {
        converged(automatic);
    }
    for share in [0.5, 0.2, 0.05] {
        let step = short_of(share * scene.step);
        ways.push((Scene { step, ..scene.clone() }, format!("use step = {}", given(step))));
    }
    ways
}

/// Change of a velocity at which Newton's iteration of a trial ends \[m/s\].
const NEWTON: f64 = 1e-4;

/// True where a scene runs well from `start` until a time \[s\]; none where that is not known by the `deadline`.
fn holds(scene: &Scene, start: &State, until: f64, deadline: Instant) -> Option<bool> {
    let model = scene.model().ok()?;
    let mut simulation = scene.run_of(model, start.clone()).ok()?;
    let mut growth = Growth::new(&simulation);
    let most = STRETCHED.max(2.0 * simulation.largest_stretch());
    let steps = (until / scene.step).ceil() as u64;
    while simulation.steps() < steps {
        if Instant::now() > deadline {
            return None;
        }
        let next = steps.min(simulation.steps() + EVERY);
        if simulation.follow(next, &mut growth) != Ending::Finished || simulation.largest_stretch() > most {
            return Some(false);
        }
        growth.look(&simulation, &Measured { time: simulation.time(), energies: simulation.energies() }, true);
        if growth.grown().is_some() {
            return Some(false);
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(lines: &str, at: f64) -> Remedy {
        let text = format!(
            "duration = 5\npins = [0]\n{lines}[mesh]\nnx = 5\nny = 5\nspacing = 0.1\n[material]\nstretch = {{ stiffness = 500 }}\n"
        );
        let scene = Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}"));
        let start = State::at_rest(scene.model().unwrap().rest());
        remedy(&scene, &start, at, Duration::from_secs(20))
    }

    #[test]
    fn an_explicit_run_that_blew_up_is_mended_by_backward_euler() {
        let found = tried("step = 0.02\nintegrator = \"fb-euler\"\n", 0.2);
        assert_eq!(found, Remedy::Found { words: "use integrator = \"backward-euler\"".into(), until: 1.5 * 0.2 });
        assert_eq!(found.to_string(), "use integrator = \"backward-euler\": tried, and it held for 0.3 s");
    }

    #[test]
    fn an_energy_is_lowered_where_a_scene_has_one() {
        let scene = |lines: &str| {
            let material = "[material]\ndamping = \"plain\"\ncompression = true\nstretch = { stiffness = 500 }\n";
            let text = format!("step = 0.01\nduration = 1\npins = [0]\n[mesh]\nnx = 3\nny = 3\nspacing = 0.1\n{material}{lines}");
            Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}"))
        };
        let words = |scene: &Scene| ways(scene).into_iter().map(|(_, words)| words).find(|words| words.contains("newton"));
        let search = "use `newton = { tolerance = 1e-4, line_search = true }` in [integrator.backward-euler]";
        assert_eq!(words(&scene("")).as_deref(), Some(search));
        let solid = scene("[[solid]]\nplane = { point = [0, 0, -1], normal = [0, 0, 1] }\n");
        assert_eq!(words(&solid).as_deref(), Some("use `newton = { tolerance = 1e-4 }` in [integrator.backward-euler]"));
    }

    #[test]
    fn ways_differ_from_the_scene_and_from_each_other() {
        for lines in ["integrator = \"rk4\"\n", "", "integrator = \"bdf2\"\n[solver.conjugate-gradients]\ntolerance = 0.1\n"] {
            let mesh = "[mesh]\nnx = 3\nny = 3\nspacing = 0.1\n";
            let text = match lines.split_once("[solver") {
                Some((top, solver)) => format!("step = 0.01\nduration = 1\n{top}{mesh}[solver{solver}"),
                None => format!("step = 0.01\nduration = 1\n{lines}{mesh}"),
            };
            let scene = Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}"));
            let ways = ways(&scene);
            assert!(ways.len() >= 4 && ways.iter().all(|(changed, _)| *changed != scene), "{lines}");
            let solves = ways[0].1.starts_with("use solver = \"automatic\"");
            assert_eq!(solves, lines.contains("solver"), "{}", ways[0].1);
        }
    }
}
