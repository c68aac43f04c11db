//! Ties of a run and pins that let go in it.

use std::collections::BTreeMap;

use super::{Model, Scene};
use cloth::contact::RigidMotion;
use cloth::integrators::Integrator;
use cloth::{Drive, Elastic, Invalid, SoftPin, State, Stitch, System, Ties, Vec3};

/// Sewing and soft pins of a run, and what lets go of its pins.
#[derive(Default)]
pub(super) struct Holds {
    pub ties: Ties,
    carried: Vec<Carried>,
    release: Option<Release>,
}

/// A soft pin that is moved.
struct Carried {
    particle: usize,
    /// Its place at time 0 \[m\].
    start: Vec3,
    motion: RigidMotion,
}

/// Pins that let go, and what the model and its scheme are made of anew.
struct Release {
    /// The scene, its pins as they are now.
    scene: Scene,
    /// Particles by the step before which they are let go.
    due: BTreeMap<u64, Vec<usize>>,
}

impl Holds {
    /// Those of a scene whose `model` begins as `start`.
    ///
    /// # Errors
    /// As [`Ties::new`].
    pub fn new(scene: &Scene, model: &Model, start: &State) -> Result<Holds, Invalid> {
        let gap = scene.self_collision.map_or(0.0, |thickness| GAP * thickness.distance);
        let stitches = scene.sewing.iter().flat_map(|sewing| {
            sewing.pairs.iter().map(|&[i, j]| {
                let apart = (start.x[j] - start.x[i]).norm();
                Stitch { i, j, start: apart, end: gap.min(apart), time: sewing.time, elastic: sewing.elastic }
            })
        });
        let soft = scene.pin_terms.iter().filter_map(|&(particle, terms)| {
            let elastic = Elastic { stiffness: terms.stiffness?, damping: terms.damping };
            Some(SoftPin { particle, place: start.x[particle], velocity: Vec3::zeros(), elastic })
        });
        let ties = Ties::new(model.system(), stitches.collect(), soft.collect())?;
        let mut carried = vec![];
        for motion in &scene.motions {
            for &pin in &motion.pins {
                let particle = scene.subject.particle(pin)?;
                if ties.soft().iter().any(|soft| soft.particle == particle) {
                    carried.push(Carried { particle, start: start.x[particle], motion: motion.motion.clone() });
                }
            }
        }
        let mut due: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for &(particle, terms) in &scene.pin_terms {
            if let Some(until) = terms.until {
                due.entry((until / scene.step - 1e-9).ceil() as u64).or_default().push(particle);
            }
        }
        let release = (!due.is_empty()).then(|| Release { scene: scene.clone(), due });
        Ok(Holds { ties, carried, release })
    }

    /// Gives ties the places and lengths that they have at the end of a step of `dt` \[s\] from time `t` \[s\].
    pub fn advance(&mut self, t: f64, dt: f64) {
        self.ties.set_time(t + dt);
        for Carried { particle, start, motion } in &self.carried {
            let place = motion.pose(t + dt).moved(*start);
            self.ties.carry(*particle, place, dt);
        }
    }

    /// The model and the scheme with which a run goes on from `state` where pins are let go before a step; none where none are. What
    /// moved them forgets them.
    pub fn let_go(
        &mut self,
        step: u64,
        state: &State,
        before: &dyn Integrator,
        drives: &mut [Drive],
    ) -> Option<(Model, Box<dyn Integrator>)> {
        let Release { scene, due } = self.release.as_mut()?;
        let particles = due.remove(&step)?;
        scene.subject.release(&particles);
        self.ties.release(&particles);
        self.carried.retain(|carried| !particles.contains(&carried.particle));
        drives.iter_mut().for_each(|drive| drive.release(&particles));
        let model = scene.model().ok()?; // it was one with more pins
        let scheme = scene.scheme_of(&model, &self.ties, &state.x, Some(before)).ok()?;
        Some((model, scheme))
    }
}

/// The length of a stitch in the end beside collisions of the cloth with itself, over the thickness that those keep \[-\].
const GAP: f64 = 2.0;

/// A system with its ties, or as it is without any: then schemes may keep its linear systems on a grid.
pub(super) fn tied<T>(ties: &Ties, system: &dyn System, look: impl FnOnce(&dyn System) -> T) -> T {
    if ties.is_empty() { look(system) } else { look(&ties.of(system)) }
}

#[cfg(test)]
mod tests {
    use super::super::{Reading, Simulation, read_obj};
    use super::*;

    /// Two square panels of triangles, a fifth of a metre apart.
    fn panels() -> String {
        let (mut text, n) = (String::new(), 6);
        for z in [0.0, 0.2] {
            for k in 0..n * n {
                text += &format!("v {} {z} {}\n", 0.1 * f64::from(k % n), 0.1 * f64::from(k / n));
            }
        }
        for panel in 0..2 {
            for cell in 0..(n - 1) * (n - 1) {
                let a = panel * n * n + cell / (n - 1) * n + cell % (n - 1) + 1;
                text += &format!("f {a} {} {} {}\n", a + 1, a + n + 1, a + n);
            }
        }
        (0..n).for_each(|k| text += &format!("l {} {}\n", k * n + 1, n * n + k * n + 1));
        text
    }

    fn begun(top: &str, sections: &str) -> Simulation {
        let text = format!("step = 2e-3\nduration = 2\n{top}\n[mesh.obj]\nfile = 'a.obj'\n{sections}");
        let scene = Scene::parse_on(&text, &read_obj(&panels(), &Reading::default()).unwrap());
        let scene = scene.unwrap_or_else(|mistake| panic!("{mistake}\n{text}"));
        let start = State::at_rest(scene.model().unwrap().rest());
        scene.simulation(start).unwrap()
    }

    #[test]
    fn panels_come_together_in_time_and_hold_under_every_scheme_and_model() {
        let firm = "[material]\nstretch = { stiffness = 100, damping = 0.1 }\n";
        for (integrator, model) in [
            ("backward-euler", "continuum"),
            ("backward-euler", "springs"),
            ("bdf2", "continuum"),
            ("generalized-alpha", "springs"),
            ("aimex", "springs"),
            ("projective-dynamics", "springs"),
            ("rk4", "springs"),
        ] {
            let damped = if integrator == "rk4" { "step = 2e-4\n" } else { "step = 2e-3\n" };
            let top = format!("integrator = '{integrator}'\npins = [30, 31, 32, 33, 34, 35]");
            let sections = format!("[sewing]\ntime = 0.5\ndamping = 0.05\n{firm}model = '{model}'\n");
            let text = format!("{damped}duration = 2\n{top}\n[mesh.obj]\nfile = 'a.obj'\n{sections}");
            let scene = Scene::parse_on(&text, &read_obj(&panels(), &Reading::default()).unwrap()).unwrap();
            let mut simulation = scene.simulation(State::at_rest(scene.model().unwrap().rest())).unwrap();
            let apart = |simulation: &Simulation| simulation.ties().farthest(&simulation.state().x).unwrap();
            assert!((apart(&simulation) - 0.2).abs() < 1e-12);
            while simulation.time() < 1.9 {
                simulation.step();
            }
            assert!(!simulation.blew_up() && apart(&simulation) < 0.01, "{integrator} {model}: {}", apart(&simulation));
            // the second panel hangs on the first one
            let low = simulation.state().x[36..].iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
            assert!(low > -1.5, "{integrator} {model}: {low}");
        }
    }

    #[test]
    fn sewn_cloth_that_meets_itself_stays_apart_by_its_thickness() {
        let mut simulation =
            begun("pins = [30, 31, 32, 33, 34, 35]", "[sewing]\ntime = 0.3\n[self_collision]\nthickness = 2e-3\n");
        while simulation.time() < 0.6 {
            simulation.step();
            assert!(!simulation.blew_up(), "{:?}", simulation.colliding().map(|colliding| colliding.last()));
        }
        let apart = simulation.ties().farthest(&simulation.state().x).unwrap();
        assert!((2e-3..0.02).contains(&apart), "{apart}");
    }

    #[test]
    fn pins_let_go_at_their_time_with_the_velocity_that_they_had() {
        for (top, sections) in [
            ("pins = [{ index = 35, until = 0.1 }, 30]", ""),
            ("pins = [{ index = 35, until = 0.1, stiffness = 1e4 }, 30]", ""),
            ("pins = [{ index = 35, until = 0.1 }, 30]", "[[motion]]\npins = [35]\nvelocity = [0, 0, 1]\n"),
            ("pins = [{ index = 35, until = 0.1, stiffness = 1e4 }, 30]", "[[motion]]\npins = [35]\nvelocity = [0, 0, 1]\n"),
        ] {
            let mut simulation = begun(top, sections);
            let (start, moves) = (simulation.state().x[35], !sections.is_empty());
            let place = |t: f64| start + if moves { t * Vec3::z() } else { Vec3::zeros() };
            while simulation.steps() < 50 {
                simulation.step();
                let off = (simulation.state().x[35] - place(simulation.time())).norm();
                assert!(off < 2e-3, "{top} {sections}: {off} at {} s", simulation.time());
            }
            let work = simulation.work();
            while simulation.steps() < 150 {
                simulation.step();
            }
            assert!(simulation.work().solves > work.solves, "counts go on");
            let fallen = place(0.1).z - simulation.state().x[35].z;
            let own = if moves { -0.2 } else { 0.0 }; // of the velocity at which it left
            assert!(fallen > 0.1 + own && simulation.state().x[30] == Vec3::new(0.0, 0.0, 0.5), "{top} {sections}: {fallen}");
        }
    }

    #[test]
    fn a_grid_takes_soft_pins_and_lets_go_of_them() {
        let text = "step = 1e-2\nduration = 1\npins = [{ index = 'top', stiffness = 200, damping = 1, until = 0.5 }]\n\
                    [mesh]\nnx = 5\nny = 4\nspacing = 0.1\n";
        let scene = Scene::parse(text).unwrap();
        let mut simulation = scene.simulation(State::at_rest(scene.model().unwrap().rest())).unwrap();
        assert!(simulation.model().system().pinned().iter().all(|pinned| !pinned));
        (0..50).for_each(|_| simulation.step());
        let held = simulation.state().x[17].z;
        assert!(held < -1e-4 && held > -0.05 && simulation.energies().stretch > 1e-5, "{held}");
        (0..50).for_each(|_| simulation.step());
        assert!(simulation.state().x[17].z < held - 1.0, "it falls: {}", simulation.state().x[17].z);
    }
}
