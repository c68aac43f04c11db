use cloth::implicit::{ConjugateGradients, Newton, Settings, Solver, Tolerance};
use cloth::integrators::{BackwardEuler, Entry};
use cloth::{Energies, State};
use scene::{Model, Scene, Scheme};

use super::growth::Growth;
use super::summary::{Measured, given};

/// Steps times particles that a remedy may be tried for.
const TRIED: u64 = 4_000_000;

/// Fewest and most steps of a trial.
const STEPS: [u64; 2] = [50, 4000];

/// A change of a scene, in words of its keys.
struct Candidate {
    words: String,
    scene: Scene,
}

/// The change of a scene that keeps a run from `start` right where the run as it is was lost after `lost` steps: what is tried, in this
/// order, are an implicit integrator, Newton's method, an exact solver, and a shorter step, each until a little after that time.
/// Where nothing that is tried helps, or the time is too far away to be tried, the words say so.
pub(super) fn remedy(scene: &Scene, model: &Model, start: &State, lost: u64) -> String {
    let particles = start.particle_count() as u64;
    let most = (TRIED / particles.max(1)).clamp(STEPS[0], STEPS[1]);
    let needed = lost + lost / 10 + 10;
    if needed > most {
        return "shorten `step`, or take `integrator = \"backward-euler\"`; it was lost too late to try what helps".to_owned();
    }
    let candidates = candidates(scene);
    let names: Vec<String> = candidates.iter().map(|candidate| candidate.words.clone()).collect();
    let found = candidates.into_iter().find(|Candidate { scene: changed, .. }| {
        let steps = (needed as f64 * scene.step / changed.step).ceil() as u64;
        steps <= 16 * most && holds(changed, model, start, steps)
    });
    match found {
        Some(Candidate { words, .. }) => format!("{words} helps, as was tried"),
        None => format!("nothing that was tried helps ({}): look at material, motion and start", names.join("; ")),
    }
}

/// What could help a scene, the least change first.
fn candidates(scene: &Scene) -> Vec<Candidate> {
    let mut all = vec![];
    let mut add = |words: String, scene: Scene| all.push(Candidate { words, scene });
    let backward: &'static Entry = &BackwardEuler::ENTRY;
    let automatic = Settings { solver: Solver::automatic(), ..Settings::default() };
    let converged = Newton::Converged { tolerance: 1e-6, limit: 50 };
    let with = |scheme: Scheme| Scene { scheme, adaptive_steps: None, ..scene.clone() };
    let is_backward = matches!(scene.scheme, Scheme::Plain(entry, _) if entry.name == backward.name);
    if !is_backward {
        add("`integrator = \"backward-euler\"`".to_owned(), with(Scheme::Plain(backward, automatic)));
    }
    let settings = scene.scheme.settings().unwrap_or(automatic);
    if is_backward && loose(&settings) {
        let direct = Settings { solver: Solver::Direct, ..settings };
        add("`solver = \"direct\"`, or a lower `tolerance`,".to_owned(), with(Scheme::Plain(backward, direct)));
    }
    if settings.newton == Newton::Once {
        let solver = if is_backward { settings.solver } else { automatic.solver };
        let newton = Settings { newton: converged, solver, ..settings };
        add(
            "`newton = { tolerance = 1e-6, limit = 50 }` in [integrator.backward-euler]".to_owned(),
            with(Scheme::Plain(backward, newton)),
        );
    }
    for parts in [4.0, 16.0] {
        add(format!("`step = {}`", given(scene.step / parts)), Scene { step: scene.step / parts, ..scene.clone() });
    }
    all
}

/// Whether linear systems are solved to a tolerance that a scene chose.
fn loose(settings: &Settings) -> bool {
    match settings.solver {
        Solver::ConjugateGradients(ConjugateGradients { tolerance, .. }) => !matches!(tolerance, Tolerance::Strain(_)),
        Solver::Direct => false,
    }
}

/// Whether a run of so many steps ends as it should.
fn holds(scene: &Scene, model: &Model, start: &State, steps: u64) -> bool {
    let Ok(mut simulation) = scene.simulation_of(model.clone(), start.clone()) else { return false };
    let mut growth = Growth::new(scene, simulation.model());
    for step in 0..=steps {
        let energies: Energies = simulation.energies();
        growth.watch(step, &Measured { time: simulation.time(), energies });
        if growth.grown().is_some() || !energies.total().is_finite() {
            return false;
        }
        simulation.step();
        if simulation.blew_up() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = "pins = ['top']\n[mesh]\nnx = 10\nny = 10\nspacing = 0.05\n";

    fn tried(top: &str, lost: u64) -> String {
        let scene = Scene::parse(&format!("{top}\nduration = 1\n{GRID}")).unwrap();
        let model = scene.model().unwrap();
        remedy(&scene, &model, &State::at_rest(model.rest()), lost)
    }

    #[test]
    fn an_explicit_run_is_helped_by_an_implicit_one() {
        let words = tried("step = 0.02\nintegrator = 'fb-euler'", 20);
        assert_eq!(words, "`integrator = \"backward-euler\"` helps, as was tried");
        let late = tried("step = 0.02\nintegrator = 'fb-euler'", 1_000_000);
        assert!(late.ends_with("it was lost too late to try what helps"), "{late}");
    }

    #[test]
    fn a_loose_solver_is_told_before_the_step() {
        let top =
            "step = 0.02\nintegrator = 'backward-euler'\nsolver = { conjugate-gradients = { tolerance = 1e6, rule = 'fixed' } }";
        assert!(tried(top, 20).starts_with("`solver = \"direct\"`, or a lower `tolerance`"), "{}", tried(top, 20));
    }
}
