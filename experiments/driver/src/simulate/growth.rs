use cloth::run::Model;
use cloth::{Energies, Vec3};
use scene::Scene;

use super::summary::Measured;

/// Rise of the energy over its lowest value so far that rounding, splitting and contact may explain, over [`Growth::scale`] \[-\].
const EXPLAINED: f64 = 0.1;

/// Energy that a run has out of nothing: how far it rises above its lowest value so far, from when on nothing does work on the
/// cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Growth {
    /// What does work on the cloth at all times, so that its energy says nothing.
    unwatched: Option<&'static str>,
    /// When the last pins come to rest and the seams are closed \[s\].
    from: f64,
    /// What the weight of the cloth sets free in a fall by its extent \[J\], and from the first step that is watched what it then
    /// has in motion and springs besides.
    scale: f64,
    /// Lowest energy so far \[J\]; none before the first step that is watched.
    lowest: Option<f64>,
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
}

impl Growth {
    /// The watch of a run: pins that move and seams that close to its end, wind, and repulsion, whose energy is not counted, do work.
    pub fn new(scene: &Scene, model: &Model) -> Growth {
        let (gravity, drag) = match model {
            Model::Grid(cloth) => (cloth.material().gravity, cloth.material().drag),
            Model::Springs(net, _) => (net.gravity, net.drag),
            Model::Continuum(cloth) => (cloth.material().gravity, cloth.material().drag),
        };
        let still = scene.motions.iter().map(|motion| motion.motion.until).fold(0.0, f64::max);
        let sewn = scene.sewing.as_ref().map_or(0.0, |sewing| sewing.time);
        let ends = scene.initial.time + scene.duration;
        let unwatched = [
            (scene.solids_move(), "solids move"),
            (still >= ends, "pins move to the end of the run"),
            (sewn >= ends, "seams close to the end of the run"),
            (scene.repulsion.is_some(), "repulsion has an energy that is not counted"),
            (scene.gusts.is_some() || drag.is_some_and(|drag| drag.wind != Vec3::zeros()), "wind blows"),
        ];
        let rest = model.rest();
        let [mut low, mut high] = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
        for x in &rest {
            (low, high) = (low.inf(x), high.sup(x));
        }
        Growth {
            unwatched: unwatched.into_iter().find(|(works, _)| *works).map(|(_, words)| words),
            from: still.max(sewn),
            scale: model.system().masses().iter().sum::<f64>() * gravity.norm() * (high - low).norm(),
            lowest: None,
            most: 0.0,
            first: None,
        }
    }

    /// Why energy out of nothing would not be told, where that is so.
    pub fn unwatched(&self) -> Option<&'static str> {
        self.unwatched
    }

    /// Takes the energies after a step into account.
    pub fn watch(&mut self, step: u64, measured: &Measured) {
        let Measured { time, energies } = measured;
        let total = energies.total();
        if self.unwatched.is_some() || *time < self.from || !total.is_finite() {
            return;
        }
        if self.lowest.is_none() {
            let Energies { kinetic, gravitational: _, stretch, shear, bend } = energies;
            self.scale += kinetic + stretch + shear + bend;
        }
        let lowest = self.lowest.map_or(total, |lowest| lowest.min(total));
        self.lowest = Some(lowest);
        self.most = self.most.max(total - lowest);
        if self.scale > 0.0 && total - lowest > EXPLAINED * self.scale {
            self.first.get_or_insert(step);
        }
    }

    /// What has grown, if anything has.
    pub fn grown(&self) -> Option<Grown> {
        Some(Grown { step: self.first?, energy: self.most, ratio: self.most / self.scale })
    }
}

#[cfg(test)]
mod tests {
    use cloth::State;

    use super::*;

    const HANGING: &str =
        "step = 0.01\nduration = 1.0\nintegrator = \"fb-euler\"\npins = [0]\n[mesh]\nnx = 3\nny = 3\nspacing = 0.1\n";

    /// Energies of a run of these lines, given over the scale of a fall, or in joules where nothing has weight.
    fn grown(lines: &str, courses: &[(u64, f64)]) -> (Option<Grown>, Option<&'static str>) {
        let scene = Scene::parse(&format!("{HANGING}{lines}")).unwrap_or_else(|mistake| panic!("{mistake}"));
        let model = scene.model().unwrap();
        let state = State::at_rest(model.rest());
        let mut growth = Growth::new(&scene, &model);
        let unit = if growth.scale > 0.0 { growth.scale } else { 1.0 };
        for &(step, total) in courses {
            let energies = Energies { kinetic: 0.0, gravitational: total * unit, ..model.energies(&state) };
            growth.watch(step, &Measured { time: 0.01 * step as f64, energies });
        }
        (growth.grown(), growth.unwatched())
    }

    #[test]
    fn a_rise_that_nothing_explains_is_told_with_its_first_step() {
        let course = [(0, 0.0), (1, -0.5), (2, -0.45), (3, -0.3), (4, 0.5)];
        let (told, unwatched) = grown("", &course);
        let told = told.unwrap();
        assert_eq!((told.step, unwatched), (3, None));
        assert!((told.ratio - 1.0).abs() < 1e-9, "{told:?}");
    }

    #[test]
    fn work_of_pins_counts_as_long_as_they_move() {
        let motion = "[[motion]]\npins = [0]\namplitude = [0, 0.1, 0]\nperiod = 0.1\n";
        let course = [(0, 0.0), (10, 1.0), (25, 0.5), (30, 0.55), (40, 1.0)];
        assert_eq!(grown(&format!("{motion}until = 0.2\n"), &course).0.unwrap().step, 40);
        assert_eq!(grown(&format!("{motion}until = 0.35\n"), &course), (None, None));
        assert_eq!(grown(motion, &course), (None, Some("pins move to the end of the run")));
    }

    #[test]
    fn work_of_seams_counts_until_they_are_closed() {
        let seam = |time: f64| format!("[sewing]\ntime = {time}\n[[seam]]\nfirst = [1]\nsecond = [2]\n");
        let course = [(0, 0.0), (10, 1.0), (25, 0.5), (30, 0.55), (40, 1.0)];
        assert_eq!(grown(&seam(0.2), &course).0.unwrap().step, 40);
        assert_eq!(grown(&seam(1.0), &course), (None, Some("seams close to the end of the run")));
    }

    #[test]
    fn without_weight_the_energy_at_the_start_is_the_measure() {
        let scene = Scene::parse(&format!("{HANGING}[material]\ngravity = [0, 0, 0]\n")).unwrap();
        let model = scene.model().unwrap();
        let mut growth = Growth::new(&scene, &model);
        let still = model.energies(&State::at_rest(model.rest()));
        let at = |kinetic| Measured { time: 0.0, energies: Energies { kinetic, ..still } };
        [(0, 2.0), (1, 2.1), (2, 2.3)].into_iter().for_each(|(step, kinetic)| growth.watch(step, &at(kinetic)));
        assert_eq!(growth.grown().unwrap().step, 2);
    }
}
