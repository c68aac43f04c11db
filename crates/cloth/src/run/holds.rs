use std::collections::BTreeMap;

use super::{Model, Scenario, Stepper};
use crate::contact::RigidMotion;
use crate::drive::start_of;
use crate::{Drive, Elastic, Memory, ModelError, SoftPin, State, Stitch, System, Ties, Vec3};

/// Sewing and soft pins of a run, and what lets go of its pins.
#[derive(Default)]
pub(super) struct Holds {
    pub ties: Ties,
    carried: Vec<Carried>,
    release: Option<Release>,
    /// The steps before which pins let go so far; a release that was refused is none.
    released: Vec<usize>,
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
    /// What the run was made of, its pins as they are now.
    scenario: Scenario,
    /// Particles by the step before which they are let go.
    due: BTreeMap<u64, Vec<usize>>,
}

impl Holds {
    /// Those of a scenario whose `model` begins as `start`.
    ///
    /// # Errors
    /// A particle outside the mesh, and as [`Ties::new`].
    pub fn new(scenario: &Scenario, model: &Model, start: &State) -> Result<Holds, ModelError> {
        let particles = start.particle_count();
        let sewn = scenario.sewing.iter().flat_map(|sewing| sewing.pairs.iter().flatten());
        let held = scenario.pin_terms.iter().map(|(particle, _)| particle);
        if let Some(&pin) = sewn.chain(held).find(|particle| **particle >= particles) {
            return Err(ModelError::PinOfMesh { pin, particles });
        }
        let gap = scenario.self_collision.map_or(0.0, |thickness| GAP * thickness.distance);
        let stitches = scenario.sewing.iter().flat_map(|sewing| {
            sewing.pairs.iter().map(|&[i, j]| {
                let apart = (start.x[j] - start.x[i]).norm();
                let end = gap.min(apart);
                // lengths shrink evenly, and are those of the start when the run begins
                let first = match 1.0 - scenario.begins / sewing.time {
                    1.0 => apart,
                    left if left > 0.0 => end + (apart - end) / left,
                    _ => end,
                };
                Stitch { i, j, start: first, end, time: sewing.time, elastic: sewing.elastic }
            })
        });
        let soft = scenario.pin_terms.iter().filter_map(|&(particle, terms)| {
            let elastic = Elastic { stiffness: terms.stiffness?, damping: terms.damping };
            Some(SoftPin { particle, place: start.x[particle], velocity: Vec3::zeros(), elastic })
        });
        let mut ties = Ties::new(model.system(), stitches.collect(), soft.collect())?;
        ties.set_time(scenario.begins);
        let mut carried = vec![];
        for motion in &scenario.motions {
            for &pin in &motion.pins {
                let particle = scenario.cloth.particle(pin)?;
                if ties.soft().iter().any(|soft| soft.particle == particle) {
                    let begins = start_of(&motion.motion, scenario.begins, vec![start.x[particle]])[0];
                    carried.push(Carried { particle, start: begins, motion: motion.motion.clone() });
                }
            }
        }
        let mut due: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for &(particle, terms) in &scenario.pin_terms {
            if let Some(until) = terms.until {
                due.entry(((until - scenario.begins) / scenario.step - 1e-9).ceil() as u64).or_default().push(particle);
            }
        }
        let release = (!due.is_empty()).then(|| Release { scenario: scenario.clone(), due });
        Ok(Holds { ties, carried, release, released: vec![] })
    }

    /// Gives ties the places and lengths that they have at the end of a step of `dt` \[s\] from time `t` \[s\].
    pub fn advance(&mut self, t: f64, dt: f64) {
        self.ties.set_time(t + dt);
        for Carried { particle, start, motion } in &self.carried {
            let place = motion.pose(t + dt).moved(*start);
            self.ties.carry(*particle, place, dt);
        }
    }

    /// Writes down, or reads back, when pins let go.
    pub fn remember(&mut self, memory: &mut Memory) {
        memory.indices(&mut self.released);
    }

    /// The model, and what takes its steps, after all that was let go in so many `steps` of `dt` \[s\] from the time `begins` on \[s\],
    /// as [`Holds::remember`] read it; none where nothing was. Ties stand as the last of these steps left them.
    ///
    /// # Errors
    /// As [`Holds::let_go`].
    pub fn after(
        &mut self,
        steps: u64,
        begins: f64,
        dt: f64,
        state: &State,
        before: &Stepper,
        drives: &mut [Drive],
    ) -> Result<Option<(Model, Stepper)>, ModelError> {
        let mut made = None;
        for step in std::mem::take(&mut self.released) {
            made = self.let_go(step as u64, state, before, drives)?.or(made);
        }
        self.release.iter_mut().for_each(|release| release.due.retain(|due, _| *due >= steps));
        if steps > 0 {
            self.advance(begins + (steps - 1) as f64 * dt, dt);
        }
        Ok(made)
    }

    /// The model, and what takes its steps, with which a run goes on from `state` where pins are let go before a step; none where
    /// none are. Drives forget those pins.
    ///
    /// # Errors
    /// Why nothing could go on without the pins: they hold on.
    pub fn let_go(
        &mut self,
        step: u64,
        state: &State,
        before: &Stepper,
        drives: &mut [Drive],
    ) -> Result<Option<(Model, Stepper)>, ModelError> {
        let Some(Release { scenario, due }) = &mut self.release else { return Ok(None) };
        let Some(particles) = due.remove(&step) else { return Ok(None) };
        let (mut cloth, mut ties) = (scenario.cloth.clone(), self.ties.clone());
        cloth.release(&particles);
        ties.release(&particles);
        let model = cloth.model()?;
        let t = scenario.begins + step as f64 * scenario.step;
        let stepper = scenario.stepper(&model, &ties, (t, &state.x), Some(before))?;
        (scenario.cloth, self.ties) = (cloth, ties);
        self.carried.retain(|carried| !particles.contains(&carried.particle));
        drives.iter_mut().for_each(|drive| drive.release(&particles));
        self.released.push(step as usize);
        Ok(Some((model, stepper)))
    }
}

/// The length of a stitch in the end beside collisions of the cloth with itself, over the thickness that those keep \[-\].
const GAP: f64 = 2.0;

/// A system with its ties, or as it is without any: then schemes may keep its linear systems on a grid.
pub(super) fn tied<T>(ties: &Ties, system: &dyn System, look: impl FnOnce(&dyn System) -> T) -> T {
    if ties.is_empty() { look(system) } else { look(&ties.of(system)) }
}
