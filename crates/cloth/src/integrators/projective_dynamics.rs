use super::Integrator;
use crate::implicit::Work;
use crate::projective::{Acceleration, Chebyshev, Global, Local, Pairs, dot};
use crate::{State, System, Vec3};

/// How far a step of [`ProjectiveDynamics`] iterates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iterations {
    /// Local and global steps, at most, >= 1.
    pub limit: usize,
    /// Largest change of a velocity \[m/s\] with which they end sooner, > 0; none for as many as `limit` says.
    pub tolerance: Option<f64>,
    /// How they are accelerated.
    pub acceleration: Acceleration,
}

impl Default for Iterations {
    /// Ten, as the paper shows them, not accelerated.
    fn default() -> Iterations {
        Iterations { limit: 10, tolerance: None, acceleration: Acceleration::None }
    }
}

/// A way of L-BFGS that ends uphill by more than this share of the slope downhill at its begin \[-\] is not gone.
const UPHILL: f64 = 0.9;

/// Projective dynamics \[Liu, Bargteil, O'Brien & Kavan 2013; Stuyck 2018, 6.6\]: backward Euler whose equation is solved by turns of a
/// local step, forces that draw couplings to their projections, and a global one, whose matrix is factored once. The [module of its
/// parts](crate::projective) has the formulas.
///
/// Its fixed point is x = x_n + h v, v = v_n + h M⁻¹ f(x, v), drag and air included; a few iterations leave errors that fall slowly
/// where cloth is stiff and large.
pub struct ProjectiveDynamics {
    iterations: Iterations,
    local: Local,
    global: Option<Global>,
    pairs: Pairs,
    begin: State,
    /// Positions one iteration before, for Chebyshev's.
    before: Vec<Vec3>,
    /// M⁻¹ f, then f - M (x - y)/h² \[N\]; the residual of the iteration before.
    residual: Vec<Vec3>,
    last: Vec<Vec3>,
    /// The way of an iteration \[m\].
    delta: Vec<Vec3>,
    work: Work,
}

impl ProjectiveDynamics {
    /// Its name in scene files.
    pub const NAME: &'static str = "projective-dynamics";

    /// For the particles and the couplings of `system`.
    pub fn new(system: &dyn System, iterations: Iterations) -> ProjectiveDynamics {
        let zeros = vec![Vec3::zeros(); system.particle_count()];
        let pairs = match iterations.acceleration {
            Acceleration::QuasiNewton { pairs } => pairs,
            Acceleration::None | Acceleration::Chebyshev { .. } => 0,
        };
        ProjectiveDynamics {
            iterations,
            local: Local::new(system),
            global: None,
            pairs: Pairs::new(pairs, zeros.len()),
            begin: State::at_rest(zeros.clone()),
            before: zeros.clone(),
            residual: zeros.clone(),
            last: zeros.clone(),
            delta: zeros,
            work: Work::default(),
        }
    }

    /// Overwrites the residual with f(x, v) - M (x - y)/h², v = (x - x_n)/h, where y = x_n + h v_n.
    fn evaluate(&mut self, system: &dyn System, h: f64, state: &mut State) {
        for i in 0..state.x.len() {
            state.v[i] = (state.x[i] - self.begin.x[i]) / h;
        }
        self.local.accelerate(system, state, &mut self.residual);
        for (i, (m, pinned)) in system.masses().iter().zip(system.pinned()).enumerate() {
            let inertial = (state.v[i] - self.begin.v[i]) / h;
            self.residual[i] = if *pinned { Vec3::zeros() } else { *m * (self.residual[i] - inertial) };
        }
        self.work.evaluations += 1;
        self.work.forces += system.coupling_count() as u64;
    }

    /// Overwrites delta with (M/h² + L)⁻¹ times the residual, or what pairs of L-BFGS make of it.
    fn solve(&mut self) {
        let Some(global) = &mut self.global else { return };
        self.delta.copy_from_slice(&self.residual);
        let mut solved = true;
        self.pairs.apply(&mut self.delta, |q| solved = global.solve(q));
        self.work.solves += 1;
        self.work.direct += global.solve_operations();
        self.work.indefinite += u64::from(!solved);
    }

    /// Local and global steps, their results led on by Chebyshev's weights where there is a spectral radius; whether they converged.
    fn iterate(&mut self, system: &dyn System, h: f64, rho: Option<f64>, state: &mut State) -> bool {
        let mut chebyshev = rho.map(Chebyshev::new);
        self.before.copy_from_slice(&state.x);
        for _ in 0..self.iterations.limit {
            self.evaluate(system, h, state);
            self.solve();
            let omega = chebyshev.as_mut().map_or(1.0, Chebyshev::next);
            for ((x, delta), before) in state.x.iter_mut().zip(&mut self.delta).zip(&mut self.before) {
                let next = if omega == 1.0 { *x + *delta } else { omega * (*x + *delta - *before) + *before };
                *delta = next - *x;
                *before = std::mem::replace(x, next);
            }
            if self.has_converged(h) {
                return true;
            }
        }
        false
    }

    /// Ways of L-BFGS, with a plain one in place of each that ends as steeply uphill as it began downhill; whether they converged. The
    /// first way is plain and leaves no pair: it takes up all of the momentum that gravity gives, and later ones change none of it.
    fn descend(&mut self, system: &dyn System, h: f64, state: &mut State) -> bool {
        self.pairs.clear();
        self.evaluate(system, h, state);
        for iteration in 0..self.iterations.limit {
            self.solve();
            self.last.copy_from_slice(&self.residual);
            self.before.copy_from_slice(&state.x);
            self.follow(system, h, state);
            let [begin, end] = [&self.last, &self.residual].map(|residual| dot(residual, &self.delta)); // -gᵀp
            let is_downhill = -end <= UPHILL * begin.abs(); // false for what is no number, too
            if !is_downhill && !self.pairs.is_empty() {
                self.pairs.clear();
                self.residual.copy_from_slice(&self.last);
                self.solve();
                self.follow(system, h, state);
            }
            if iteration > 0 {
                let change = self.last.iter().zip(&self.residual).map(|(last, now)| last - now);
                self.pairs.keep(self.delta.iter().copied(), change);
            }
            if self.has_converged(h) {
                return true;
            }
        }
        false
    }

    /// Goes the way delta from the positions before, and finds the residual there.
    fn follow(&mut self, system: &dyn System, h: f64, state: &mut State) {
        for ((x, before), delta) in state.x.iter_mut().zip(&self.before).zip(&self.delta) {
            *x = before + delta;
        }
        self.evaluate(system, h, state);
    }

    /// Whether the last way was as short as the tolerance asks for, or leads nowhere any more.
    fn has_converged(&self, h: f64) -> bool {
        let Some(tolerance) = self.iterations.tolerance else { return false };
        self.delta.iter().all(|delta| delta.amax() <= h * tolerance)
    }
}

impl Integrator for ProjectiveDynamics {
    fn order(&self) -> u32 {
        1
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        if self.global.as_ref().is_none_or(|global| !global.is_of(dt)) {
            self.global = Some(Global::new(system, dt));
            self.work.factorisations += 1;
        }
        self.begin.copy_from(state);
        for i in 0..state.x.len() {
            state.x[i] += dt * state.v[i]; // from y = x_n + h v_n on
        }
        let converged = match self.iterations.acceleration {
            Acceleration::None => self.iterate(system, dt, None, state),
            Acceleration::Chebyshev { rho } => self.iterate(system, dt, Some(rho), state),
            Acceleration::QuasiNewton { .. } => self.descend(system, dt, state),
        };
        self.work.newton_limited += u64::from(self.iterations.tolerance.is_some() && !converged);
        for (i, pinned) in system.pinned().iter().enumerate() {
            state.v[i] = if *pinned { self.begin.v[i] } else { (state.x[i] - self.begin.x[i]) / dt }; // v = (x - x_n) / h
        }
    }

    fn work(&self) -> Work {
        self.work
    }
}
