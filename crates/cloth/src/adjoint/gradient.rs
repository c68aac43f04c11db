use super::transposed::Transposed;
use super::{Constant, Differentiable, Forced, Forces, Goal, NoGradient};
use crate::implicit::{Settings, Solver, Work};
use crate::integrators::{BackwardEuler, Integrator};
use crate::{Drive, State, System, Vec3};

/// A run of backward Euler, what is wanted of it, and what may be chosen to come nearer to that.
#[derive(Clone, Debug)]
pub struct Task {
    /// Where it begins.
    pub start: State,
    /// Held particles that are moved.
    pub drives: Vec<Drive>,
    /// dt \[s\], > 0.
    pub dt: f64,
    /// Its steps.
    pub steps: usize,
    /// How these are solved: by Newton to a tolerance, with the direct solver.
    pub settings: Settings,
    /// What is wanted.
    pub goal: Goal,
    /// Where forces may act, and when.
    pub forces: Forces,
    /// Constants of the material by which to differentiate.
    pub constants: Vec<Constant>,
    /// Every how many steps a state is kept, >= 1: with more than one, those between are computed again, to the same bits, and
    /// memory falls to that of steps / this + this states.
    pub keep_every: usize,
}

/// phi and its derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// phi \[-\].
    pub value: f64,
    /// d phi/du of each force \[1/N\], shape \[interval\]\[particle\].
    pub by_force: Vec<Vec3>,
    /// d phi/dp of each constant.
    pub by_constant: Vec<f64>,
    /// d phi by the positions \[1/m\] and velocities \[s/m\] of the start, zero for held particles.
    pub by_start: State,
    /// What the way back took; the way there is in [`Adjoint::work`].
    pub cost: Cost,
}

/// Work of the way back.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Cost {
    /// Steps that were taken anew from a state that was kept.
    pub steps_again: u64,
    /// Matrices factored.
    pub factorisations: u64,
    /// Solves by their factors.
    pub solves: u64,
}

/// Runs a [`Task`] and differentiates it. Owns all memory that this takes.
pub struct Adjoint {
    task: Task,
    scheme: BackwardEuler,
    transposed: Transposed,
    /// Every so many states, the first one included.
    kept: Vec<State>,
    /// Those from one that was kept to the next.
    between: Vec<State>,
    /// Forces of a step \[N\].
    field: Vec<Vec3>,
    lambda: State,
    y: Vec<Vec3>,
    q: Vec<Vec3>,
    a: Vec<Vec3>,
}

impl Adjoint {
    /// For systems of the size and the couplings of `system`.
    ///
    /// # Errors
    /// A force without a derivative, a constant that the system does not have, steps that are not solved to a tolerance directly,
    /// a particle or a step outside the run.
    ///
    /// # Panics
    /// Where `keep_every` is zero, or the start has another size than the system.
    pub fn new(system: &dyn Differentiable, task: Task) -> Result<Adjoint, NoGradient> {
        if let Some(obstacle) = system.obstacle() {
            return Err(NoGradient::Obstacle(obstacle));
        }
        if let Some(&constant) = task.constants.iter().find(|constant| system.constant(**constant).is_none()) {
            return Err(NoGradient::Constant(constant));
        }
        if task.settings.solver != Solver::Direct || !task.settings.newton.converges() {
            return Err(NoGradient::Settings);
        }
        let count = system.particle_count();
        let wanted = task.goal.keyframes.iter().flat_map(|keyframe| keyframe.places.iter().map(|(particle, _)| particle));
        if let Some(&given) = wanted.chain(task.forces.particles()).find(|particle| **particle >= count) {
            return Err(NoGradient::Outside { what: "particle", given, count });
        }
        let reached = task.goal.keyframes.iter().map(|keyframe| keyframe.step);
        if let Some(given) = reached.chain(task.forces.intervals().iter().map(|steps| steps.end)).find(|step| *step > task.steps)
        {
            return Err(NoGradient::Outside { what: "step", given, count: task.steps });
        }
        assert!(task.keep_every > 0, "a state is kept every so many steps");
        assert_eq!(task.start.particle_count(), count, "particles of the start");
        let zeros = vec![Vec3::zeros(); count];
        let between = if task.keep_every > 1 { task.keep_every + 1 } else { 0 };
        Ok(Adjoint {
            scheme: BackwardEuler::new(system, task.settings),
            transposed: Transposed::new(system),
            kept: vec![task.start.clone(); task.steps / task.keep_every + 1],
            between: vec![task.start.clone(); between],
            field: zeros.clone(),
            lambda: State::at_rest(zeros.clone()),
            y: zeros.clone(),
            q: zeros.clone(),
            a: zeros,
            task,
        })
    }

    /// What is run.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// Work of all steps so far, those taken anew included.
    pub fn work(&self) -> Work {
        self.scheme.work()
    }

    /// phi of the run under forces `u` \[N\], shape \[interval\]\[particle\], with each of its states given to `watch`, the start
    /// first.
    ///
    /// # Errors
    /// A step that does not converge, or blows up.
    ///
    /// # Panics
    /// Where the system differs in size from the one that this was made for, or there are not as many forces as places for them.
    pub fn run(&mut self, system: &dyn Differentiable, u: &[Vec3], mut watch: impl FnMut(&State)) -> Result<f64, NoGradient> {
        let mut state = self.task.start.clone();
        let mut value = self.task.goal.effort_of(u);
        watch(&state);
        for n in 0..self.task.steps {
            self.advance(system, u, n, &mut state)?;
            value = self.task.goal.at(n + 1).fold(value, |value, keyframe| value + keyframe.value(&state.x));
            watch(&state);
        }
        Ok(value)
    }

    /// phi of that run with all its derivatives.
    ///
    /// # Errors
    /// As [`Adjoint::run`], and a step whose equation is singular.
    ///
    /// # Panics
    /// As [`Adjoint::run`].
    pub fn gradient(&mut self, system: &dyn Differentiable, u: &[Vec3]) -> Result<Gradient, NoGradient> {
        let (every, mut place) = (self.task.keep_every, 0);
        let mut kept = std::mem::take(&mut self.kept);
        let run = self.run(system, u, |state| {
            if place % every == 0 {
                kept[place / every].copy_from(state);
            }
            place += 1;
        });
        let gradient = run.and_then(|value| self.differentiate(system, u, value, &kept));
        self.kept = kept;
        gradient
    }

    /// Replaces the state of `n` steps by that of one more.
    fn advance(&mut self, system: &dyn Differentiable, u: &[Vec3], n: usize, state: &mut State) -> Result<(), NoGradient> {
        let Task { dt, drives, forces, .. } = &self.task;
        drives.iter().for_each(|drive| drive.set(n as f64 * dt, *dt, state));
        forces.fill(n, u, &mut self.field);
        let before = self.scheme.work();
        self.scheme.step(&Forced { system, forces: &self.field }, *dt, state);
        if !state.is_finite() {
            return Err(NoGradient::BlewUp { step: n + 1 });
        }
        match (self.scheme.work() - before).newton_limited {
            0 => Ok(()),
            _ => Err(NoGradient::NotConverged { step: n + 1 }),
        }
    }

    /// Backward in time over the states `kept`.
    fn differentiate(
        &mut self,
        system: &dyn Differentiable,
        u: &[Vec3],
        value: f64,
        kept: &[State],
    ) -> Result<Gradient, NoGradient> {
        let (steps, every) = (self.task.steps, self.task.keep_every);
        let units = self.task.constants.iter().map(|constant| system.unit(*constant)).collect::<Result<Vec<_>, _>>()?;
        let mut gradient = Gradient {
            value,
            by_force: u.iter().map(|u| self.task.goal.effort * u).collect(), // r u
            by_constant: vec![0.0; units.len()],
            by_start: self.lambda.clone(),
            cost: Cost::default(),
        };
        self.lambda.x.fill(Vec3::zeros());
        self.lambda.v.fill(Vec3::zeros());
        let mut between = std::mem::take(&mut self.between);
        let led = kept.iter().enumerate().rev().try_for_each(|(k, start)| {
            let first = k * every;
            let last = (first + every).min(steps);
            if every == 1 {
                return kept
                    .get(k + 1)
                    .into_iter()
                    .try_for_each(|next| self.step_back(system, first, (start, next), &units, &mut gradient));
            }
            between[0].copy_from(start);
            for n in first..last {
                let (known, next) = between.split_at_mut(n - first + 1);
                next[0].copy_from(&known[n - first]);
                self.advance(system, u, n, &mut next[0])?;
                gradient.cost.steps_again += 1;
            }
            (first..last).rev().try_for_each(|n| {
                let states = (&between[n - first], &between[n - first + 1]);
                self.step_back(system, n, states, &units, &mut gradient)
            })
        });
        self.between = between;
        led?;
        gradient.by_start.copy_from(&self.lambda);
        Ok(gradient)
    }

    /// Leads lambda from the end of step `n` to its start, and adds what the step gives to the derivatives.
    fn step_back(
        &mut self,
        system: &dyn Differentiable,
        n: usize,
        (before, after): (&State, &State),
        units: &[Box<dyn System>],
        gradient: &mut Gradient,
    ) -> Result<(), NoGradient> {
        let Task { dt, goal, forces, constants, .. } = &self.task;
        let dt = *dt;
        goal.at(n + 1).for_each(|keyframe| keyframe.add_slope(&after.x, &mut self.lambda.x));
        for ((y, x), v) in self.y.iter_mut().zip(&self.lambda.x).zip(&self.lambda.v) {
            *y = v + dt * x; // x' = x + dt v'
        }
        let at = (&after.x[..], &after.v[..]);
        if !self.transposed.solve(system, dt, at, &self.y, &mut self.q, &mut gradient.cost) {
            return Err(NoGradient::Singular { step: n + 1 }); // Wᵀ q = lambda_v + dt lambda_x
        }
        let acting = forces.acting(n);
        for (by_force, &particle) in gradient.by_force[acting].iter_mut().zip(forces.particles()) {
            *by_force += dt * self.q[particle]; // d phi/du += dt q
        }
        for ((by_constant, constant), unit) in gradient.by_constant.iter_mut().zip(constants).zip(units) {
            unit.accelerate(&after.x, &after.v, &mut self.a);
            for (i, m) in unit.masses().iter().enumerate() {
                *by_constant += dt * m * self.q[i].dot(&self.a[i]); // d phi/dp += q·dt df/dp
                if *constant == Constant::Density {
                    *by_constant -= m * self.q[i].dot(&(after.v[i] - before.v[i])); // - q·dM/dp (v' - v)
                }
            }
        }
        for (i, m) in system.masses().iter().enumerate() {
            if system.pinned()[i] {
                (self.lambda.x[i], self.lambda.v[i]) = (Vec3::zeros(), Vec3::zeros()); // moves as it is told
            } else {
                self.lambda.x[i] += dt * self.transposed.by_position[i]; // lambda_x += dt Kᵀ q
                self.lambda.v[i] = *m * self.q[i]; //                       lambda_v = M q
            }
        }
        Ok(())
    }
}
