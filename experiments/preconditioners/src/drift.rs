//! Momentum out of nothing: what conjugate gradients leave of a system acts on the sheet as a whole.

use cloth::implicit::{LinearSystem, SolvedSystem};
use kit::prelude::*;
use linsolve::project;

use super::charts::{TOLERANCE, bar};
use super::samples::{first, tolerances};
use super::scenes::{SLIDING, STICKING};
use super::tolerances::SCENES;

/// The speed that residuals give a sheet as a whole, summed over its steps.
#[derive(Default)]
pub struct Drift {
    speed: Vec3,
    left: Vec<Vec3>,
}

impl Drift {
    /// Adds S (b - A dv) of a system, over the mass of the sheet: dv that solves it leaves none.
    ///
    /// # Panics
    /// A system that is not on a grid.
    pub fn add(&mut self, solved: &SolvedSystem, masses: &[f64]) {
        let LinearSystem::Grid(system) = &solved.system else { panic!("sheets are run on their grid") };
        self.left.resize(masses.len(), Vec3::zeros());
        system.unprojected_residual(solved.solution, &mut self.left);
        project(system.constraints, &mut self.left);
        self.speed += self.left.iter().sum::<Vec3>() / masses.iter().sum::<f64>();
    }

    /// The speed of the sum \[m/s\].
    pub fn speed(&self) -> f64 {
        self.speed.norm()
    }
}

/// The drift of CP's runs by tolerance.
pub fn drift(results: &Results) -> Result<Figure, ResultsError> {
    let tolerances = tolerances(results)?;
    let mut layers = vec![];
    for (k, scene) in SCENES.into_iter().enumerate() {
        let mut bars = vec![];
        for (group, tolerance) in tolerances.iter().enumerate() {
            let drifts: Vec<f64> = first(results, &scene, *tolerance)?.iter().filter_map(|row| row.drift).collect();
            let place = group as f64 + 1.0 + 0.1 * (k as f64 - 1.5);
            bars.extend(Estimate::median(&drifts).and_then(|estimate| bar(place, &estimate)));
        }
        let marker = if [SLIDING, STICKING].contains(&scene) { Marker::Square } else { Marker::Circle };
        layers.push(Layer::error_bars(scene.name, Palette::series(k), bars).marker(marker));
    }
    let axis = Axis::categories(TOLERANCE, tolerances.iter().map(f64::to_string));
    let caption = "Median speed that what CP leaves of its systems has given the sheet as a whole after a second, with its 95 % \
                   interval: momentum out of nothing, none with a direct solver. A fall of a second ends at 9.8 m/s.";
    let panel = Panel::new(axis, Axis::log("drift  [m/s]"), layers).legend_outside();
    Ok(Figure::new("drift", "Momentum that an early end of conjugate gradients adds", caption, vec![panel]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::CP;
    use crate::scenes::{Reading, run};

    #[test]
    fn in_free_fall_it_is_what_the_speed_lacks() {
        let elastic = Elastic { stiffness: 1000.0, damping: 0.01 };
        let sheet = Sheet {
            configuration: Configuration::Sphere,
            side: 8,
            spacing: 0.1,
            density: 0.2,
            stretch: elastic,
            shear: elastic,
            bend: 0.01,
            air: 0.0,
            step: 0.01,
        };
        let mut run = run(&sheet, &SLIDING, &CP, &Reading::step(10.0)).unwrap();
        // far above the sphere, and crumpled, so that solves have something to do
        for (k, x) in run.state.x.iter_mut().enumerate() {
            let k = k as f64;
            *x += Vec3::new(0.03 * libm::sin(2.1 * k), 0.03 * libm::cos(3.7 * k), 10.0);
        }
        let mut drift = Drift::default();
        for _ in 0..20 {
            run.step(sheet.step);
            drift.add(&run.scheme.last_system().unwrap(), run.cloth.masses());
        }
        let masses = run.cloth.masses();
        let momentum: Vec3 = run.state.v.iter().zip(masses).map(|(v, m)| *m * v).sum();
        let lacks = run.cloth.material().gravity * 0.2 - momentum / masses.iter().sum::<f64>();
        assert!(drift.speed() > 1e-4, "{}", drift.speed());
        assert!((lacks - drift.speed).norm() < 1e-9 * drift.speed(), "{lacks} {}", drift.speed);
    }
}
