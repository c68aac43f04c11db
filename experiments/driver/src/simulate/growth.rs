use std::ops::ControlFlow;

use cloth::Energies;
use cloth::contact::Repulsion;
use cloth::run::{Observer, Run, StepReport, Supply};

use super::summary::Measured;

/// Rise of the energy over its lowest value so far that rounding, splitting and contact may explain, over [`Growth::scale`] \[-\].
const EXPLAINED: f64 = 0.1;

/// Strain whose energy, all over the cloth, is little \[-\].
const LITTLE: f64 = 0.01;

/// Energy that a run has out of nothing: how far what it has, less what it was given, rises above its lowest value so far.
pub(super) struct Growth {
    supply: Supply,
    /// For the energy of pairs that repel each other.
    repulsion: Option<Repulsion>,
    /// What the weight of the cloth sets free in a fall by its extent, with what it has in motion and springs at the start, and what
    /// little strain takes \[J\].
    scale: f64,
    /// Lowest energy less what was given so far \[J\]; none before the first look, and after steps in which that is not known.
    lowest: Option<f64>,
    /// The step that was looked at last.
    looked: Option<u64>,
    most: f64,
    first: Option<u64>,
}

/// Energy out of nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grown {
    /// The first step whose row of energies shows it.
    pub step: u64,
    /// The largest rise \[J\].
    pub energy: f64,
    /// The largest rise over what the cloth had to spend \[-\].
    pub ratio: f64,
    /// Whether anything gave it some.
    pub given: bool,
}

impl Growth {
    /// The watch of a run from where it is.
    pub fn new(run: &Run) -> Growth {
        let (supply, model) = (Supply::new(run), run.model());
        let [low, high] = scene::corners(&model.rest());
        let Energies { kinetic, gravitational: _, stretch, shear, bend } = run.energies();
        let fall = model.system().masses().iter().sum::<f64>() * model.gravity().norm() * (high - low).norm();
        let strained = model.system().strain_energy().unwrap_or(0.0) * model.system().particle_count() as f64;
        let scale = fall + kinetic + stretch + shear + bend + 0.5 * LITTLE * LITTLE * strained;
        Growth { supply, repulsion: run.repulsion().cloned(), scale, lowest: None, looked: None, most: 0.0, first: None }
    }

    /// Why energy out of nothing would not be told, where that is so.
    pub fn unwatched(&self) -> Option<&'static str> {
        self.lowest.is_none().then_some("pins move cloth that a constraint method keeps at its length")
    }

    /// What the cloth was given by what moves \[J\]; none where nothing does.
    pub fn given(&self) -> Option<f64> {
        (self.supply.turnover() > 0.0).then(|| self.supply.given())
    }

    /// Takes the energies of a state into account, where what was given by then is known or due, or `at_once`.
    pub fn look(&mut self, run: &Run, measured: &Measured, at_once: bool) {
        let total = measured.energies.total();
        if !total.is_finite() || self.looked == Some(run.steps()) || !self.supply.look(run, at_once) {
            return;
        }
        self.looked = Some(run.steps());
        let (dt, masses, x) = (run.step_length(), run.model().system().masses(), &run.state().x);
        let repelled = self.repulsion.as_mut().map_or(0.0, |repulsion| repulsion.energy(dt, masses, x));
        let is_known = self.supply.take_known();
        self.take(run.steps(), total + repelled - self.supply.most(), is_known);
    }

    /// Takes an energy less what was given into account \[J\].
    fn take(&mut self, step: u64, total: f64, is_known: bool) {
        let lowest = self.lowest.filter(|_| is_known).map_or(total, |lowest| lowest.min(total));
        self.lowest = is_known.then_some(lowest);
        self.most = self.most.max(total - lowest);
        let scale = self.scale();
        if scale > 0.0 && total - lowest > EXPLAINED * scale {
            self.first.get_or_insert(step);
        }
    }

    /// What the cloth had to spend, and what was given and taken \[J\].
    fn scale(&self) -> f64 {
        self.scale + self.supply.turnover()
    }

    /// What has grown, if anything has.
    pub fn grown(&self) -> Option<Grown> {
        Some(Grown { step: self.first?, energy: self.most, ratio: self.most / self.scale(), given: self.given().is_some() })
    }
}

impl Observer for Growth {
    fn stepped(&mut self, run: &Run, report: &StepReport) -> ControlFlow<()> {
        self.supply.stepped(run, report)
    }
}

#[cfg(test)]
mod tests {
    use cloth::State;
    use scene::Scene;

    use super::*;

    const HANGING: &str =
        "step = 0.01\nduration = 1.0\nintegrator = \"fb-euler\"\npins = [0]\n[mesh]\nnx = 3\nny = 3\nspacing = 0.1\n";

    fn watched(lines: &str) -> (Run, Growth) {
        let scene = Scene::parse(&format!("{HANGING}{lines}")).unwrap_or_else(|mistake| panic!("{mistake}"));
        let model = scene.model().unwrap();
        let start = State::at_rest(model.rest());
        let run = scene.run_of(model, start).unwrap();
        let growth = Growth::new(&run);
        (run, growth)
    }

    /// What is told of energies over the scale of a fall.
    fn grown(lines: &str, course: &[(u64, f64)]) -> Option<Grown> {
        let (_, mut growth) = watched(lines);
        let unit = growth.scale();
        course.iter().for_each(|(step, total)| growth.take(*step, total * unit, true));
        growth.grown()
    }

    #[test]
    fn a_rise_that_nothing_explains_is_told_with_its_first_step() {
        let told = grown("", &[(0, 0.0), (1, -0.5), (2, -0.45), (3, -0.3), (4, 0.5)]).unwrap();
        assert!(told.step == 3 && (told.ratio - 1.0).abs() < 1e-9 && !told.given, "{told:?}");
    }

    #[test]
    fn what_is_given_unseen_begins_the_watch_anew() {
        let (_, mut growth) = watched("");
        let unit = growth.scale();
        growth.take(1, 0.0, true);
        growth.take(2, 3.0 * unit, false);
        assert_eq!((growth.grown(), growth.unwatched().is_some()), (None, true));
        growth.take(3, 5.0 * unit, true);
        growth.take(4, 5.05 * unit, true);
        assert_eq!((growth.grown(), growth.unwatched()), (None, None));
        growth.take(5, 5.2 * unit, true);
        assert_eq!(growth.grown().unwrap().step, 5);
    }

    #[test]
    fn without_weight_the_energy_at_the_start_is_the_measure() {
        let lines = "[material]\ngravity = [0, 0, 0]\n";
        let scene = Scene::parse(&format!("{HANGING}{lines}")).unwrap();
        let model = scene.model().unwrap();
        let mut start = State::at_rest(model.rest());
        start.v[8].x = 20.0;
        let run = scene.run_of(model, start).unwrap();
        let mut growth = Growth::new(&run);
        let kinetic = run.energies().kinetic;
        assert!((growth.scale() / kinetic - 1.0).abs() < 0.03, "{} J, {kinetic} J", growth.scale());
        [(0, 1.0), (1, 1.05), (2, 1.15)].into_iter().for_each(|(step, share)| growth.take(step, share * kinetic, true));
        assert_eq!(growth.grown().unwrap().step, 2);
    }
}
