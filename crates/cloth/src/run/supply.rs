use std::ops::ControlFlow;

use super::{Observer, Run, StepReport};
use crate::{Ties, Vec3};

/// Energy that the cloth of a run is given by what moves by itself: held particles on their ways, soft pins and stitches, wind, solids
/// and bodies. What the cloth has, less this, falls but for rounding and what a scheme makes wrong.
///
/// W = Σ (Δ m v²/2 - f·dx) of held particles, + U(x, ties of a step) - U(x, ties before it), + ∫ Σ f_drag·v dt in wind, + Σ p·u of
/// contacts, whose impulses p push cloth along with what has the velocity u. Forces are looked at now and then, and W goes by the rule
/// of trapezoids; all else is known in each step.
///
/// The work of held particles that move is not known where a constraint method stands behind the scheme.
pub struct Supply {
    given: f64,
    most: f64,
    turnover: f64,
    ties: Ties,
    looks: Option<Looks>,
    /// False after steps in which pins moved what a constraint method keeps at its length.
    is_known: bool,
    /// Steps and evaluations when it was last looked at.
    steps: u64,
    spent: u64,
}

/// Forces where they were last looked at.
struct Looks {
    /// Held particles that move.
    driven: Vec<usize>,
    /// Their ways since then \[m\], the forces on them \[N\], and their kinetic energy \[J\].
    ways: Vec<Vec3>,
    forces: Vec<Vec3>,
    kinetic: f64,
    /// Power of drag in wind \[W\].
    power: f64,
    time: f64,
    /// Forces on all particles, those of drag \[N\], and couplings of which none is implicit.
    field: Vec<Vec3>,
    drag: Vec<Vec3>,
    none: Vec<bool>,
}

/// Evaluations, or steps, for one that is looked at: 2 % of the work.
const EVERY: u64 = 50;

/// Evaluations that solving a linear system takes at least, beside its products.
const OF_SOLVE: u64 = 10;

impl Supply {
    /// The supply of a run from its present state on.
    pub fn new(run: &Run) -> Supply {
        Supply {
            given: 0.0,
            most: 0.0,
            turnover: 0.0,
            ties: run.ties().clone(),
            looks: Looks::new(run),
            is_known: true,
            steps: run.steps(),
            spent: spent(run),
        }
    }

    /// W so far \[J\].
    pub fn given(&self) -> f64 {
        self.given
    }

    /// An upper bound of W so far: of the forces at two looks, the one that does more work acts all the time between \[J\].
    pub fn most(&self) -> f64 {
        self.most
    }

    /// Energy given plus energy taken back, each as an amount \[J\].
    pub fn turnover(&self) -> f64 {
        self.turnover
    }

    /// True where W is known of all steps since the last call.
    pub fn take_known(&mut self) -> bool {
        std::mem::replace(&mut self.is_known, true)
    }

    /// Looks at a run where that is due, or `at_once`. True where W is then that of now.
    pub fn look(&mut self, run: &Run, at_once: bool) -> bool {
        let Some(looks) = &mut self.looks else { return true };
        let is_due = spent(run) >= self.spent + EVERY || run.steps() >= self.steps + EVERY || !self.is_known;
        if !is_due && !at_once {
            return run.steps() == self.steps;
        }
        let [work, most] = looks.look(run);
        (self.steps, self.spent) = (run.steps(), spent(run));
        self.give(work);
        self.most += most - work;
        true
    }

    fn give(&mut self, work: f64) {
        self.given += work;
        self.most += work;
        self.turnover += work.abs();
    }
}

impl Observer for Supply {
    fn stepped(&mut self, run: &Run, report: &StepReport) -> ControlFlow<()> {
        let (before, ties) = (run.before(), run.ties());
        if *ties != self.ties {
            let is_as_before = report.torn == 0 && ties.soft().len() == self.ties.soft().len();
            if is_as_before {
                self.give(ties.energy(&before.x) - self.ties.energy(&before.x));
            }
            self.ties = ties.clone();
        }
        self.give(report.collisions.map_or(0.0, |report| report.work));
        if let Some(looks) = &mut self.looks {
            let count = run.drives.iter().map(|drive| drive.particles().len()).sum::<usize>();
            if looks.driven.len() == count && looks.field.len() == before.particle_count() {
                for (way, &i) in looks.ways.iter_mut().zip(&looks.driven) {
                    let gone = run.state().x[i] - before.x[i];
                    self.is_known &= gone == Vec3::zeros() || run.filter().is_none();
                    *way += gone;
                }
            } else {
                let work = looks.work_of_last_forces(run); // pins that let go, or a tear
                self.looks = Looks::new(run);
                self.give(work);
            }
        }
        ControlFlow::Continue(())
    }
}

impl Looks {
    /// None where neither wind nor held particles do work.
    fn new(run: &Run) -> Option<Looks> {
        let driven: Vec<usize> = run.drives.iter().flat_map(|drive| drive.particles().iter().copied()).collect();
        if driven.is_empty() && !blows(run) {
            return None;
        }
        let zeros = vec![Vec3::zeros(); driven.len()];
        let field = vec![Vec3::zeros(); run.state().particle_count()];
        let mut looks = Looks {
            ways: zeros.clone(),
            forces: zeros,
            driven,
            kinetic: 0.0,
            power: 0.0,
            time: run.time(),
            drag: field.clone(),
            field,
            none: vec![],
        };
        looks.look(run);
        Some(looks)
    }

    /// Work since the last look by the forces of then \[J\].
    fn work_of_last_forces(&self, run: &Run) -> f64 {
        let (masses, v) = (run.model().system().masses(), &run.before().v);
        let kinetic: f64 = self.driven.iter().map(|&i| 0.5 * masses[i] * v[i].norm_squared()).sum();
        let ways = self.forces.iter().zip(&self.ways).map(|(force, way)| -force.dot(way)).sum::<f64>();
        ways + self.power * (run.time() - self.time) + kinetic - self.kinetic
    }

    /// Work since the last look, and the most that it can be \[J\].
    fn look(&mut self, run: &Run) -> [f64; 2] {
        let (state, masses) = (run.state(), run.model().system().masses());
        [&mut self.field, &mut self.drag].into_iter().for_each(|forces| forces.fill(Vec3::zeros()));
        run.model().add_drag(state, &mut self.drag);
        if !self.driven.is_empty() {
            run.with_system(|system| {
                self.none.resize(system.coupling_count(), false);
                system.add_explicit_forces(&self.none, &state.x, &state.v, &mut self.field);
            });
        }
        let (mut kinetic, mut power) = (0.0, 0.0);
        if blows(run) {
            let free = run.model().system().pinned().iter().zip(self.drag.iter().zip(&state.v)).filter(|(pinned, _)| !**pinned);
            power = free.fold(0.0, |sum, (_, (drag, v))| sum + drag.dot(v));
        }
        let dt = run.time() - self.time;
        let (mut work, mut most) = (0.5 * (self.power + power) * dt, self.power.max(power) * dt);
        for ((way, before), &i) in self.ways.iter_mut().zip(&mut self.forces).zip(&self.driven) {
            kinetic += 0.5 * masses[i] * state.v[i].norm_squared();
            let force = self.field[i] - self.drag[i]; // drag on what is held takes nothing from the cloth
            let works = [*before, force].map(|force| -force.dot(way));
            work += 0.5 * (works[0] + works[1]);
            most += works[0].max(works[1]);
            (*before, *way) = (force, Vec3::zeros());
        }
        let moved = kinetic - self.kinetic;
        (self.kinetic, self.power, self.time) = (kinetic, power, run.time());
        [work + moved, most + moved]
    }
}

/// Evaluations of all forces that a run took, or what costs as much.
fn spent(run: &Run) -> u64 {
    let work = run.work();
    run.evaluations() + work.evaluations + work.products + OF_SOLVE * work.solves
}

/// True where wind blows, now or at another time.
fn blows(run: &Run) -> bool {
    run.gusts.is_some() || run.model().drag().is_some_and(|drag| drag.wind != Vec3::zeros())
}

#[cfg(test)]
mod tests;
