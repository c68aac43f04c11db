use cloth::scene::Scene;
use cloth::{Model, Vec3};

use super::summary::Measured;

/// Rise of the energy over its lowest value so far that rounding, splitting and contact may explain, over a fall by the extent of the
/// cloth \[-\].
const EXPLAINED: f64 = 0.1;

/// Energy that a run has out of nothing: how far it rises above its lowest value so far, where nothing does work on the cloth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Growth {
    /// What the weight of the cloth sets free in a fall by its extent \[J\]; none where something does work on it.
    fall: Option<f64>,
    lowest: f64,
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
    /// The same, over a fall by the extent of the cloth \[-\].
    pub falls: f64,
}

impl Growth {
    /// Of a run: moving pins, wind and repulsion, whose energy is not counted, do work, and a cloth without weight has no measure.
    pub fn new(scene: &Scene, model: &Model) -> Growth {
        let (gravity, drag) = match model {
            Model::Grid(cloth) => (cloth.material().gravity, cloth.material().drag),
            Model::Springs(net, _) => (net.gravity, None),
            Model::Continuum(cloth) => (cloth.material().gravity, cloth.material().drag),
        };
        let still = scene.motions.is_empty() && scene.repulsion.is_none() && drag.is_none_or(|drag| drag.wind == Vec3::zeros());
        let rest = model.rest();
        let [mut low, mut high] = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
        for x in &rest {
            (low, high) = (low.inf(x), high.sup(x));
        }
        let fall = model.system().masses().iter().sum::<f64>() * gravity.norm() * (high - low).norm();
        let fall = Some(fall).filter(|fall| still && fall.is_finite() && *fall > 0.0);
        Growth { fall, lowest: f64::INFINITY, most: 0.0, first: None }
    }

    /// Takes the energies after a step into account.
    pub fn watch(&mut self, step: u64, measured: &Measured) {
        let total = measured.energies.total();
        let Some(fall) = self.fall.filter(|_| total.is_finite()) else { return };
        self.lowest = self.lowest.min(total);
        let rise = total - self.lowest;
        self.most = self.most.max(rise);
        if rise > EXPLAINED * fall {
            self.first.get_or_insert(step);
        }
    }

    /// What has grown, if anything has.
    pub fn grown(&self) -> Option<Grown> {
        Some(Grown { step: self.first?, energy: self.most, falls: self.most / self.fall? })
    }
}

#[cfg(test)]
mod tests {
    use cloth::{Energies, State};

    use super::*;

    #[test]
    fn a_rise_that_nothing_explains_is_told_with_its_first_step() {
        let scene =
            Scene::parse("step = 0.01\nduration = 1.0\nintegrator = \"fb-euler\"\n[mesh]\nnx = 3\nny = 3\nspacing = 0.1\n")
                .unwrap();
        let model = scene.model().unwrap();
        let state = State::at_rest(model.rest());
        let at = |total: f64| Measured { time: 0.0, energies: Energies { kinetic: total, ..model.energies(&state) } };
        let fall = Growth::new(&scene, &model).fall.unwrap();
        let mut growth = Growth::new(&scene, &model);
        for (step, falls) in [(0, 0.0), (1, -0.5), (2, -0.45), (3, -0.3), (4, 0.5)] {
            growth.watch(step, &at(falls * fall));
        }
        let grown = growth.grown().unwrap();
        assert_eq!(grown.step, 3);
        assert!((grown.falls - 1.0).abs() < 1e-9, "{grown:?}");
    }
}
