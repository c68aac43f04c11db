use cloth::run::Run;
use cloth::{System, Vec3};
use scene::Scene;

/// Share of its momenta by which the momentum of a run may change beside its weight: far above rounding, and above what solvers leave
/// wrong, which leave the momentum of free cloth exact \[-\].
const EXPLAINED: f64 = 1e-6;

/// Momentum of cloth that nothing but its weight acts on, P(t) = P(0) + m g t.
#[derive(Clone, Copy, Debug)]
pub(super) struct Momentum {
    /// P(0) \[kg m/s\], the sum of m |v| there, and its time \[s\].
    start: Vec3,
    size: f64,
    begins: f64,
    /// m g \[N\].
    weight: Vec3,
    most: f64,
    first: Option<u64>,
}

/// Momentum out of nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pushed {
    /// The first step whose row of energies shows it.
    pub step: u64,
    /// The largest change \[kg m/s\].
    pub momentum: f64,
}

impl Momentum {
    /// None where something else acts: pins, guides, air, solids or bodies.
    pub fn new(scene: &Scene, run: &Run) -> Option<Momentum> {
        let (model, system) = (run.model(), run.model().system());
        let is_held = system.pinned().contains(&true) || !run.ties().soft().is_empty() || !scene.guides.is_empty();
        let resists = (0..system.particle_count()).any(|i| system.resistance(i) != Some(0.0));
        if is_held || resists || model.drag().is_some() || !scene.solids.is_empty() || !scene.bodies.is_empty() {
            return None;
        }
        let (start, size) = momentum(system, &run.state().v);
        let weight = system.masses().iter().sum::<f64>() * model.gravity();
        Some(Momentum { start, size, begins: run.time(), weight, most: 0.0, first: None })
    }

    /// Takes the state after a step into account.
    pub fn look(&mut self, run: &Run) {
        let (now, size) = momentum(run.model().system(), &run.state().v);
        self.take(run.steps(), run.time() - self.begins, now, size);
    }

    fn take(&mut self, step: u64, time: f64, now: Vec3, size: f64) {
        let change = (now - self.start - time * self.weight).norm();
        if change.is_finite() {
            self.most = self.most.max(change);
        }
        if change > EXPLAINED * (self.size + size + time * self.weight.norm()) {
            self.first.get_or_insert(step);
        }
    }

    /// What has changed, if anything has.
    pub fn pushed(&self) -> Option<Pushed> {
        Some(Pushed { step: self.first?, momentum: self.most })
    }
}

/// Σ m v and Σ m |v| \[kg m/s\].
fn momentum(system: &dyn System, v: &[Vec3]) -> (Vec3, f64) {
    system.masses().iter().zip(v).fold((Vec3::zeros(), 0.0), |(sum, size), (m, v)| (sum + *m * v, size + m * v.norm()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: &str = "step = 0.01\nduration = 1.0\nintegrator = \"rk4\"\n[mesh]\nnx = 3\nny = 3\nspacing = 0.1\n";

    fn watched(lines: &str) -> (Run, Option<Momentum>) {
        let scene = Scene::parse(&format!("{lines}{FREE}")).unwrap_or_else(|mistake| panic!("{mistake}"));
        let run = scene.run_of(scene.model().unwrap(), cloth::State::at_rest(scene.model().unwrap().rest())).unwrap();
        let momentum = Momentum::new(&scene, &run);
        (run, momentum)
    }

    #[test]
    fn a_push_is_told_and_weight_is_none() {
        let (mut run, momentum) = watched("");
        let mut momentum = momentum.unwrap();
        for _ in 0..40 {
            run.step().unwrap();
            momentum.look(&run);
        }
        assert_eq!(momentum.pushed(), None);
        let weight = momentum.weight.norm();
        momentum.take(50, 0.5, 0.5 * momentum.weight + 1e-8 * weight * Vec3::x(), 0.5 * weight);
        assert_eq!(momentum.pushed(), None);
        momentum.take(60, 0.6, 0.6 * momentum.weight + 1e-5 * weight * Vec3::x(), 0.6 * weight);
        let pushed = momentum.pushed().unwrap();
        assert!(pushed.step == 60 && (pushed.momentum / (1e-5 * weight) - 1.0).abs() < 1e-6, "{pushed:?}");
    }

    #[test]
    fn what_else_acts_is_not_watched() {
        assert!(watched("pins = [0]\n").1.is_none());
        let air = "[material]\nair = 0.1\n";
        let scene = Scene::parse(&format!("{FREE}{air}")).unwrap();
        let run = scene.run_of(scene.model().unwrap(), cloth::State::at_rest(scene.model().unwrap().rest())).unwrap();
        assert!(Momentum::new(&scene, &run).is_none());
    }
}
