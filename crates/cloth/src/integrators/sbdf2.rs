use super::Integrator;
use crate::implicit::{Settings, SolvedSystem, Splitting, Stage, Weights, Work};
use crate::{Memory, State, System, Vec3};

/// The second-order implicit-explicit scheme 3/2 y_{n+1} - 2 y_n + 1/2 y_{n-1} = dt (2 f_n - f_{n-1} + g_{n+1}) \[Boxerman 2003,
/// eq. 4.15\], started by one step of the first-order scheme. Steps must be equal.
///
/// A coupling whose treatment changes between two steps takes its old explicit force with it: f_{n-1} is evaluated again for
/// the couplings that are explicit now. Its adaptive form is [`Splitting::adaptive_second_order`].
pub struct Sbdf2 {
    stage: Stage,
    splitting: Splitting,
    before: Option<State>,
    base: State,
    old: Vec<Vec3>,
}

impl Sbdf2 {
    /// For a system of the size and the couplings of `system`.
    pub fn new(system: &dyn System, settings: Settings, splitting: Splitting) -> Sbdf2 {
        let zeros = vec![Vec3::zeros(); system.particle_count()];
        Sbdf2 { stage: Stage::new(system, settings), splitting, before: None, base: State::at_rest(zeros.clone()), old: zeros }
    }

    /// Takes `before` for the state one step before the next one, in place of what it remembers.
    pub fn follow(&mut self, before: &State) {
        match &mut self.before {
            Some(state) => state.copy_from(before),
            None => self.before = Some(before.clone()),
        }
    }

    /// Which couplings were implicit in the last step.
    pub fn implicit(&self) -> &[bool] {
        &self.stage.implicit
    }
}

/// (4 y_n - y_{n-1}) / 3, in `base`, which holds y_{n-1}.
fn extrapolate(base: &mut State, now: &State) {
    for (base, now) in base.x.iter_mut().zip(&now.x).chain(base.v.iter_mut().zip(&now.v)) {
        *base = (4.0 * now - *base) / 3.0;
    }
}

impl Integrator for Sbdf2 {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        self.stage.split(system, &self.splitting, dt, state);
        match &mut self.before {
            None => {
                self.before = Some(state.clone());
                self.stage.solve(system, dt, Weights::equal(dt), None, state);
            }
            Some(before) => {
                self.old.fill(Vec3::zeros());
                system.add_explicit_forces(&self.stage.implicit, &before.x, &before.v, &mut self.old);
                self.stage.work.count_forces(&self.stage.implicit);
                for (explicit, old) in self.stage.explicit.iter_mut().zip(&self.old) {
                    *explicit = 2.0 * *explicit - old; // 2 f_n - f_{n-1}
                }
                self.base.copy_from(before);
                before.copy_from(state);
                extrapolate(&mut self.base, state); // X, V = (4 y_n - y_{n-1}) / 3
                let h = 2.0 / 3.0 * dt;
                for (i, pinned) in system.pinned().iter().enumerate() {
                    if *pinned && state.v[i] != Vec3::zeros() {
                        self.base.x[i] = state.x[i] + (dt - h) * state.v[i]; // so that x = X + h v = x_n + dt v
                    }
                }
                self.stage.solve(system, dt, Weights::equal(h), Some(&self.base), state);
            }
        }
    }

    fn restart(&mut self) {
        self.before = None;
    }

    fn reject(&mut self) {
        self.stage.reject();
    }

    fn remember(&mut self, memory: &mut Memory) {
        self.stage.remember(memory);
        let mut is_second = self.before.is_some();
        memory.flag(&mut is_second);
        self.before = is_second.then(|| self.before.take().unwrap_or_else(|| self.base.clone()));
        self.before.iter_mut().for_each(|before| memory.state(before));
    }

    fn work(&self) -> Work {
        self.stage.work
    }

    fn last_system(&self) -> Option<SolvedSystem<'_>> {
        self.stage.last_system()
    }
}
