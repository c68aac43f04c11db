use std::fmt;

use cloth::integrators::{ForwardBackwardEuler, ForwardEuler, Rk4};
use scene::{Scene, Scheme, Simulation};

use super::summary::brief;
use crate::race::ladder::{Stiffest, stiffest};

/// A step of an explicit scheme beyond what the cloth allows at its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beyond {
    /// The scheme.
    pub scheme: &'static str,
    /// The step \[s\].
    pub step: f64,
    /// The largest step that is stable, about \[s\]; zero where none is.
    pub limit: f64,
}

impl Beyond {
    /// Of a run at its start; none where its scheme is implicit, adapts its steps, or is stable. \[Boxerman 2003, 4.1.3\]
    pub fn of(scene: &Scene, simulation: &Simulation) -> Option<Beyond> {
        let Scheme::Plain(entry, _) = scene.scheme else { return None };
        if entry.is_implicit() || scene.adapting().is_some() || scene.tearing.is_some() {
            return None;
        }
        let limit = limit(entry.name, stiffest(simulation.model().system(), simulation.state()));
        (scene.step > limit).then_some(Beyond { scheme: entry.name, step: scene.step, limit })
    }
}

/// The largest stable step \[s\] of an explicit scheme, by the stiffest modes of the cloth.
fn limit(scheme: &str, stiffest: Stiffest) -> f64 {
    /// Bounds of Runge-Kutta's method of order 4 on the axes over those of forward-backward Euler: 2.83 to 2, and 2.79 to 2.
    const RK4: f64 = 1.39;
    let bound = stiffest.stable_step();
    match scheme {
        name if name == ForwardBackwardEuler::ENTRY.name => bound,
        name if name == Rk4::ENTRY.name => RK4 * bound,
        // x'' = -delta x' - lambda x is stable up to delta / lambda, and never without damping
        name if name == ForwardEuler::ENTRY.name && stiffest.lambda > 0.0 => bound.min(stiffest.delta / stiffest.lambda),
        _ => bound,
    }
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Beyond { scheme, step, limit } = *self;
        write!(f, "step = {step:?} s is unstable for {scheme} here ")?;
        if limit > 0.0 {
            write!(f, "(limit about {0} s); use integrator = \"backward-euler\", or a step below {0}", brief(limit, 5))
        } else {
            write!(f, "(at any step, without damping); use integrator = \"backward-euler\"")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::State;

    const MESHES: [&str; 3] = [
        "[mesh]\nnx = 8\nny = 8\nspacing = 0.05\n[material]\nstretch = { stiffness = 200, damping = 0 }\nshear = { stiffness = 50, damping = 0 }\nbend = 0\ncompression = true\n",
        "[mesh.regular]\nnx = 8\nny = 8\nwidth = 0.4\nheight = 0.4\n[material]\nmodel = 'springs'\nstretch = { stiffness = 200, damping = 0 }\n",
        "[mesh.centred]\nnx = 6\nny = 6\nwidth = 0.4\nheight = 0.4\n[material]\nstretch = { stiffness = 200 }\nshear = { stiffness = 50 }\n",
    ];

    fn begun(scheme: &str, step: f64, mesh: &str) -> (Scene, Simulation) {
        let text = format!("step = {step:?}\nduration = 1\nintegrator = '{scheme}'\npins = ['top']\n{mesh}");
        let scene = Scene::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}\n{text}"));
        let start = State::at_rest(scene.model().unwrap().rest());
        let simulation = scene.simulation(start).unwrap();
        (scene, simulation)
    }

    /// Below the limit every run ends, and at one and a half times it none does: on a grid, a net of springs and a continuum.
    #[test]
    fn runs_blow_up_beyond_the_limit_and_not_below_it() {
        for mesh in MESHES {
            for scheme in ["fb-euler", "rk4"] {
                let (scene, simulation) = begun(scheme, 0.5, mesh);
                let Beyond { limit, .. } = Beyond::of(&scene, &simulation).expect("half a second is beyond it");
                for (share, blows_up) in [(0.8, false), (1.5, true)] {
                    let (scene, mut simulation) = begun(scheme, share * limit, mesh);
                    assert_eq!(Beyond::of(&scene, &simulation).is_some(), blows_up, "{scheme} {mesh}");
                    let strained = (0..scene.steps()).any(|_| {
                        simulation.step();
                        simulation.blew_up() || simulation.largest_stretch() > 3.0
                    });
                    assert_eq!(strained, blows_up, "{scheme} at {share} of {limit} s on {mesh}");
                }
            }
        }
    }

    #[test]
    fn only_explicit_steps_are_told_with_what_would_do() {
        let (scene, simulation) = begun("backward-euler", 0.5, MESHES[0]);
        assert_eq!(Beyond::of(&scene, &simulation), None);
        let (scene, simulation) = begun("forward-euler", 1e-6, MESHES[0]);
        let told = Beyond::of(&scene, &simulation).unwrap().to_string();
        assert!(told.contains("at any step, without damping"), "{told}");
        let told = Beyond { scheme: "fb-euler", step: 0.005, limit: 0.0011 }.to_string();
        let expected = "step = 0.005 s is unstable for fb-euler here (limit about 0.00110 s); use integrator = \"backward-euler\", \
                        or a step below 0.00110";
        assert_eq!(told, expected);
    }
}
