use super::Integrator;
use crate::implicit::{Settings, Splitting, Stage, Work};
use crate::{State, System, Vec3};

/// The two-step backward differentiation formula, 3/2 y_{n+1} - 2 y_n + 1/2 y_{n-1} = dt phi_{n+1} \[Boxerman 2003, 4.2.1\], started
/// by backward Euler. Steps must be equal.
pub struct Bdf2 {
    stage: Stage,
    before: Option<State>,
    base: State,
}

impl Bdf2 {
    /// For a system of the size and the couplings of `system`.
    pub fn new(system: &dyn System, settings: Settings) -> Bdf2 {
        let base = State::at_rest(vec![Vec3::zeros(); system.particle_count()]);
        Bdf2 { stage: Stage::new(system, settings), before: None, base }
    }
}

/// (4 y_n - y_{n-1}) / 3, in `base`, which holds y_{n-1}.
pub(super) fn extrapolate(base: &mut State, now: &State) {
    for (base, now) in base.x.iter_mut().zip(&now.x).chain(base.v.iter_mut().zip(&now.v)) {
        *base = (4.0 * now - *base) / 3.0;
    }
}

impl Integrator for Bdf2 {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        self.stage.split(system, &Splitting::Implicit, dt, state);
        match &mut self.before {
            None => {
                self.before = Some(state.clone());
                self.base.copy_from(state);
                self.stage.solve(system, dt, dt, &self.base, state);
            }
            Some(before) => {
                self.base.copy_from(before);
                before.copy_from(state);
                extrapolate(&mut self.base, state); // X, V = (4 y_n - y_{n-1}) / 3
                self.stage.solve(system, dt, 2.0 / 3.0 * dt, &self.base, state); // h = 2/3 dt
            }
        }
    }

    fn restart(&mut self) {
        self.before = None;
    }

    fn work(&self) -> Work {
        self.stage.work
    }
}
