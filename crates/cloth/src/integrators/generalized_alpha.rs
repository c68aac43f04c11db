use super::Integrator;
use crate::implicit::{Settings, SolvedSystem, Splitting, Stage, Weights, Work};
use crate::{Memory, ModelError, State, System, Vec3};

/// The high-frequency dissipation limit rho_inf \[-\], the spectral radius of a step at omega dt -> infinity, from 0 to 1: none of
/// the highest frequencies is left, or all of them. With it the parameters of \[Parks 2002, 3.1\], after \[Chung & Hulbert 1993\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DissipationLimit(f64);

impl DissipationLimit {
    /// As much dissipation as there is, the choice of \[Parks 2002\].
    pub const MOST_DISSIPATION: DissipationLimit = DissipationLimit(0.0);

    /// `rho_inf` \[-\], from 0 to 1.
    ///
    /// # Errors
    /// [`ModelError::OutOfRange`] for any other number.
    pub fn new(rho_inf: f64) -> Result<DissipationLimit, ModelError> {
        let range = "a number from 0 to 1";
        let refused = ModelError::OutOfRange { quantity: "the high-frequency dissipation limit rho_inf", range, value: rho_inf };
        if (0.0..=1.0).contains(&rho_inf) { Ok(DissipationLimit(rho_inf)) } else { Err(refused) }
    }

    /// rho_inf \[-\].
    pub fn get(self) -> f64 {
        self.0
    }

    /// alpha_m = (2 rho_inf - 1) / (rho_inf + 1).
    pub fn alpha_m(self) -> f64 {
        (2.0 * self.0 - 1.0) / (self.0 + 1.0)
    }

    /// alpha_f = rho_inf / (rho_inf + 1).
    pub fn alpha_f(self) -> f64 {
        self.0 / (self.0 + 1.0)
    }

    /// beta = 1/4 (1 - alpha_m + alpha_f)².
    pub fn beta(self) -> f64 {
        let root = 1.0 - self.alpha_m() + self.alpha_f();
        0.25 * root * root
    }

    /// gamma = 1/2 - alpha_m + alpha_f.
    pub fn gamma(self) -> f64 {
        0.5 - self.alpha_m() + self.alpha_f()
    }

    /// beta^ = beta (1 - alpha_f) / (1 - alpha_m).
    pub fn beta_hat(self) -> f64 {
        self.beta() * (1.0 - self.alpha_f()) / (1.0 - self.alpha_m())
    }

    /// gamma^ = gamma (1 - alpha_f) / (1 - alpha_m).
    pub fn gamma_hat(self) -> f64 {
        self.gamma() * (1.0 - self.alpha_f()) / (1.0 - self.alpha_m())
    }
}

/// The generalized-alpha method \[Parks 2002, eqs. 10-14; Chung & Hulbert 1993\]: second order in positions and velocities for
/// every rho_inf (the paper says first in velocities), first in the accelerations that it carries from step to step (second at
/// rho_inf = 1, where they are M⁻¹ F_n). A step may have another length than the one before.
///
/// Forces that the system keeps explicit, drag for example, are in (10) those of the start of the step, of first order.
///
/// Forces are linearised at (x_n, v_n), and the unknown is the change of v_n, as with backward Euler; see
/// [`GeneralizedAlpha::as_printed`].
pub struct GeneralizedAlpha {
    limit: DissipationLimit,
    /// Whether the unknown is the whole motion of a step.
    as_printed: bool,
    stage: Stage,
    base: State,
    /// What the next step starts from.
    last: Accelerations,
    /// What the last step started from.
    earlier: Accelerations,
}

/// The part of a state beyond positions and velocities: a and M⁻¹ F \[m/s²\], shapes \[particle_count\].
struct Accelerations {
    a: Vec<Vec3>,
    f: Vec<Vec3>,
    at: Time,
}

/// What a remembered acceleration belongs to.
#[derive(Clone, Copy)]
enum Time {
    /// Nothing is remembered.
    Unknown,
    /// The start of the last step: a_{n-1} with F_{n-1}.
    Before,
    /// The start of the next step: a_n.
    Now,
}

impl Accelerations {
    fn unknown(particle_count: usize) -> Accelerations {
        let zeros = vec![Vec3::zeros(); particle_count];
        Accelerations { a: zeros.clone(), f: zeros, at: Time::Unknown }
    }

    /// Overwrites `a`, which holds M⁻¹ F_n, with a_n \[Parks 2002, eq. 12\].
    fn next(&self, limit: DissipationLimit, a: &mut [Vec3]) {
        match self.at {
            Time::Unknown => {} // a_0 = M⁻¹ F_0
            Time::Before => {
                let (alpha_m, alpha_f) = (limit.alpha_m(), limit.alpha_f());
                for ((a, before), f_before) in a.iter_mut().zip(&self.a).zip(&self.f) {
                    // a_n = ((1 - alpha_f) M⁻¹ F_n + alpha_f M⁻¹ F_{n-1} - alpha_m a_{n-1}) / (1 - alpha_m)
                    *a = ((1.0 - alpha_f) * *a + alpha_f * f_before - alpha_m * before) / (1.0 - alpha_m);
                }
            }
            Time::Now => a.copy_from_slice(&self.a),
        }
    }
}

impl GeneralizedAlpha {
    /// For a system of the size and the couplings of `system`.
    pub fn new(system: &dyn System, settings: Settings, limit: DissipationLimit) -> GeneralizedAlpha {
        let count = system.particle_count();
        let unknown = || Accelerations::unknown(count);
        let base = State::at_rest(vec![Vec3::zeros(); count]);
        GeneralizedAlpha {
            limit,
            as_printed: false,
            stage: Stage::new(system, settings),
            base,
            last: unknown(),
            earlier: unknown(),
        }
    }

    /// Solves the linear systems of (14), whose unknown is the whole motion of a step, not its change: an equal relative tolerance
    /// is then a coarser one. For cloth without dampers, of which the paper has none: they would be linearised at the velocity of
    /// no motion, v^ - (x^ - x_n) / g, which leads against v_n.
    pub fn as_printed(self) -> GeneralizedAlpha {
        GeneralizedAlpha { as_printed: true, ..self }
    }

    /// Takes `a` \[m/s²\], shape \[particle_count\], for the a_n that the next step starts with, in place of what it remembers.
    pub fn follow(&mut self, a: &[Vec3]) {
        self.last.a.copy_from_slice(a);
        self.last.at = Time::Now;
    }

    /// Overwrites `a` \[m/s²\], shape \[particle_count\], with the a_n that a step from `state` starts with: after a step, that of
    /// its end. Evaluates the forces once.
    pub fn acceleration(&self, system: &dyn System, state: &State, a: &mut [Vec3]) {
        system.accelerate(&state.x, &state.v, a);
        self.last.next(self.limit, a);
    }

    /// The weights of (10): v = v^ + gamma^ dt M⁻¹ F says h = gamma^ dt, and x - x^ = beta^ dt² M⁻¹ F = g (v - v^) says
    /// g = beta^ dt / gamma^, the inverse of the factor of phi in (13).
    fn weights(&self, dt: f64) -> Weights {
        Weights { h: self.limit.gamma_hat() * dt, g: self.limit.beta_hat() * dt / self.limit.gamma_hat() }
    }
}

impl Integrator for GeneralizedAlpha {
    fn order(&self) -> u32 {
        2
    }

    fn step(&mut self, system: &dyn System, dt: f64, state: &mut State) {
        std::mem::swap(&mut self.last, &mut self.earlier);
        let Accelerations { a, f, at } = &mut self.last;
        system.accelerate(&state.x, &state.v, f);
        a.copy_from_slice(f);
        self.earlier.next(self.limit, a);
        *at = Time::Before;
        self.stage.split(system, &Splitting::Implicit, dt, state);

        let weights = self.weights(dt);
        let g = weights.g;
        let (alpha_m, alpha_f) = (self.limit.alpha_m(), self.limit.alpha_f());
        let (beta, gamma) = (self.limit.beta() / (1.0 - alpha_m), self.limit.gamma() / (1.0 - alpha_m));
        let Accelerations { a, f, .. } = &self.last;
        for (i, pinned) in system.pinned().iter().enumerate() {
            let (x, v) = (state.x[i], state.v[i]);
            if *pinned {
                self.base.x[i] = if v == Vec3::zeros() { x } else { x + (dt - g) * v }; // so that x = X + g v = x_n + dt v
                self.base.v[i] = v;
                continue;
            }
            let way = dt * v + dt * dt * ((0.5 - beta) * a[i] + beta * alpha_f * f[i]); // x^ - x_n       (11)
            let v_hat = v + dt * ((1.0 - gamma) * a[i] + gamma * alpha_f * f[i]); //        v^
            self.base.x[i] = x + way - g * v_hat; // X = x^ - g v^, so that x = X + g v lies on (13)
            self.base.v[i] = v_hat; //               V = v^
            if self.as_printed {
                state.v[i] = v_hat - way / g; //     v of phi_0 = x_n - x^
            }
        }
        self.stage.solve(system, dt, weights, Some(&self.base), state);
    }

    fn restart(&mut self) {
        self.last.at = Time::Unknown;
    }

    /// a_n holds whatever the length of the next step.
    fn change_step(&mut self) {}

    fn reject(&mut self) {
        std::mem::swap(&mut self.last, &mut self.earlier);
        self.stage.reject();
    }

    fn remember(&mut self, memory: &mut Memory) {
        self.stage.remember(memory);
        let Accelerations { a, f, at } = &mut self.last;
        memory.vectors(a);
        memory.vectors(f);
        let mut time = *at as u64;
        memory.count(&mut time);
        *at = [Time::Unknown, Time::Before, Time::Now].into_iter().find(|at| *at as u64 == time).unwrap_or(Time::Unknown);
    }

    fn work(&self) -> Work {
        self.stage.work
    }

    fn last_system(&self) -> Option<SolvedSystem<'_>> {
        self.stage.last_system()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Newton, Solver};
    use crate::integrators::Rk4;
    use crate::oscillator::Oscillator;
    use crate::{Cloth, Elastic, Grid, Material, Net, NetSpring, Pin, Terms};

    const LIMITS: [f64; 5] = [0.0, 0.3, 0.5, 0.8, 1.0];

    fn limit(rho_inf: f64) -> DissipationLimit {
        DissipationLimit::new(rho_inf).unwrap()
    }

    fn exact() -> Settings {
        Settings { solver: Solver::Direct, terms: Terms::Exact, ..Settings::default() }
    }

    fn converged() -> Settings {
        Settings { newton: Newton::Converged { tolerance: 1e-12, limit: 50 }, ..exact() }
    }

    #[test]
    fn parameters_by_hand_and_the_conditions_of_chung_and_hulbert() {
        let most = DissipationLimit::MOST_DISSIPATION;
        assert_eq!((most.alpha_m(), most.alpha_f(), most.beta(), most.gamma()), (-1.0, 0.0, 1.0, 1.5));
        assert_eq!((most.beta_hat(), most.gamma_hat()), (0.5, 0.75));
        let least = limit(1.0); // the midpoint of accelerations and of forces
        assert_eq!((least.alpha_m(), least.alpha_f(), least.beta(), least.gamma()), (0.5, 0.5, 0.25, 0.5));
        for rho_inf in LIMITS {
            let limit = limit(rho_inf);
            assert!((limit.beta() - 1.0 / ((1.0 + rho_inf) * (1.0 + rho_inf))).abs() < 1e-15);
            assert!(limit.alpha_m() <= limit.alpha_f() && limit.alpha_f() <= 0.5, "unconditional stability");
        }
        for rho_inf in [-1e-9, 1.0 + 1e-9, f64::NAN, f64::INFINITY] {
            assert!(matches!(DissipationLimit::new(rho_inf), Err(ModelError::OutOfRange { .. })), "{rho_inf}");
        }
        let refused = DissipationLimit::new(1.5).unwrap_err().to_string();
        assert_eq!(refused, "the high-frequency dissipation limit rho_inf must be a number from 0 to 1, not 1.5");
    }

    #[test]
    fn one_newton_step_takes_dampers_as_they_move() {
        // two particles hang from two others and fall; projected dampers brake what elongates, and let go what contracts
        let elastic = Elastic { stiffness: 20.0, damping: 0.5 };
        let material = Material { density: 0.3, stretch: elastic, shear: elastic, bend: 0.0, ..Material::default() };
        let sheet = Cloth::new(Grid::new(2, 2, 1.0).unwrap(), material, &[Pin::At(0, 0), Pin::At(1, 0)]).unwrap();
        let mut start = sheet.at_rest();
        for (i, pinned) in sheet.pinned().iter().enumerate() {
            if !pinned {
                start.x[i] *= 1.1; // longer than at rest, and moving on
                start.v[i] = Vec3::new(0.2, 1.5, -1.0);
            }
        }
        assert!(sheet.largest_stretch(&start.x) > 1.05);
        for rho_inf in [0.0, 0.5, 1.0] {
            let new = || GeneralizedAlpha::new(&sheet, exact(), limit(rho_inf));
            let [x, v, _] = orders(&sheet, &start, new, 0.1, 50);
            assert!(x > 1.8 && v > 1.8, "rho_inf {rho_inf}: orders {x} and {v}");
            let [x, v, _] = orders(&sheet, &start, || new().as_printed(), 0.1, 50);
            assert!(x < 0.5 && v < 0.5, "as printed, rho_inf {rho_inf}: orders {x} and {v}");
        }
    }

    /// Steps of x'' = -4 x - 2 x' from (1, 0.5), as (x, v, a) after each.
    fn path(rho_inf: f64, steps: &[f64]) -> Vec<[f64; 3]> {
        let oscillator = Oscillator { mass: 1.0, ks: 4.0, kd: 2.0 };
        let mut scheme = GeneralizedAlpha::new(&oscillator, exact(), limit(rho_inf));
        let mut state = State { x: vec![Vec3::x()], v: vec![0.5 * Vec3::x()] };
        let mut a = [Vec3::zeros()];
        let mut path = vec![[1.0, 0.5, -5.0]];
        for dt in steps {
            scheme.step(&oscillator, *dt, &mut state);
            scheme.acceleration(&oscillator, &state, &mut a);
            path.push([state.x[0].x, state.v[0].x, a[0].x]);
        }
        path
    }

    #[test]
    fn a_step_by_hand() {
        // rho_inf = 0: x^ = 1 + 0.05 + 0.01 (0.5 - 0.5) (-5), v^ = 0.5 + 0.1 (1 - 0.75) (-5) = 0.375, beta^ = 1/2, gamma^ = 3/4;
        // F = -4 (1.05 + 0.005 F) - 2 (0.375 + 0.075 F) = -4.95 / 1.17, a = (F + a_0) / 2
        let f = -4.95 / 1.17;
        let [x, v, a] = path(0.0, &[0.1])[1];
        let expected = [1.05 + 0.005 * f, 0.375 + 0.075 * f, 0.5 * (f - 5.0)];
        for (found, expected) in [x, v, a].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
    }

    #[test]
    fn steps_of_any_length_are_newmarks_with_forces_and_accelerations_between_two_times() {
        let force = |[x, v, _]: [f64; 3]| -4.0 * x - 2.0 * v;
        let steps = [0.1, 0.1, 0.03, 0.3];
        for rho_inf in LIMITS {
            let limit = limit(rho_inf);
            let (alpha_m, alpha_f, beta, gamma) = (limit.alpha_m(), limit.alpha_f(), limit.beta(), limit.gamma());
            for (pair, dt) in path(rho_inf, &steps).windows(2).zip(steps) {
                let ([x0, v0, a0], [x1, v1, a1]) = (pair[0], pair[1]);
                let residuals = [
                    x1 - x0 - dt * v0 - dt * dt * ((0.5 - beta) * a0 + beta * a1),
                    v1 - v0 - dt * ((1.0 - gamma) * a0 + gamma * a1),
                    (1.0 - alpha_m) * a1 + alpha_m * a0 - (1.0 - alpha_f) * force(pair[1]) - alpha_f * force(pair[0]),
                ];
                assert!(residuals.iter().all(|r| r.abs() < 1e-13), "rho_inf {rho_inf}, dt {dt}: {residuals:?}");
            }
        }
    }

    /// Three particles on stiff damped springs, one of them held.
    fn net() -> (Net, State) {
        let elastic = Elastic { stiffness: 60.0, damping: 0.3 };
        let spring = |i, j| NetSpring { i, j, rest: 1.0, elastic };
        let mut net =
            Net::new(vec![1.0, 2.0, 0.5], vec![true, false, false], vec![spring(0, 1), spring(1, 2), spring(0, 2)]).unwrap();
        net.air = 0.2;
        let x = vec![Vec3::zeros(), Vec3::new(1.2, 0.1, -0.3), Vec3::new(0.4, 0.7, 0.2)];
        (net, State { x, v: vec![Vec3::zeros(), Vec3::new(0.1, 0.2, 0.3), Vec3::new(-0.4, 0.0, 0.5)] })
    }

    #[test]
    fn a_converged_step_satisfies_equation_10_on_a_nonlinear_system() {
        let dt = 0.05;
        for rho_inf in LIMITS {
            let limit = limit(rho_inf);
            let (alpha_m, alpha_f) = (limit.alpha_m(), limit.alpha_f());
            let (net, mut state) = net();
            let mut scheme = GeneralizedAlpha::new(&net, converged(), limit);
            let [mut a, mut f, mut next] = [vec![Vec3::zeros(); 3], vec![Vec3::zeros(); 3], vec![Vec3::zeros(); 3]];
            for _ in 0..4 {
                let State { x, v } = state.clone();
                net.accelerate(&x, &v, &mut f);
                scheme.acceleration(&net, &state, &mut a);
                scheme.step(&net, dt, &mut state);
                net.accelerate(&state.x, &state.v, &mut next);
                for i in 1..3 {
                    let (b, c) = (limit.beta() / (1.0 - alpha_m), limit.gamma() / (1.0 - alpha_m));
                    let x_hat = x[i] + dt * v[i] + dt * dt * ((0.5 - b) * a[i] + b * alpha_f * f[i]);
                    let v_hat = v[i] + dt * ((1.0 - c) * a[i] + c * alpha_f * f[i]);
                    let residuals = [
                        state.x[i] - x_hat - limit.beta_hat() * dt * dt * next[i],
                        state.v[i] - v_hat - limit.gamma_hat() * dt * next[i],
                    ];
                    assert!(residuals.iter().all(|r| r.norm() < 1e-11), "rho_inf {rho_inf}: {residuals:?}");
                    assert!((state.x[i] - x[i]).norm() > 1e-3);
                }
            }
            assert_eq!(scheme.work().newton_limited, 0);
        }
    }

    /// Orders of x, v and a at `end` from steps of end / n and end / 2 n, against RK4 with end / 16 n and the a of its forces.
    fn orders(system: &dyn System, start: &State, new: impl Fn() -> GeneralizedAlpha, end: f64, n: u32) -> [f64; 3] {
        let advance = |scheme: &mut dyn Integrator, steps: u32| {
            let mut state = start.clone();
            (0..steps).for_each(|_| scheme.step(system, end / f64::from(steps), &mut state));
            state
        };
        let run = |steps: u32| {
            let mut scheme = new();
            let state = advance(&mut scheme, steps);
            let mut a = vec![Vec3::zeros(); start.particle_count()];
            scheme.acceleration(system, &state, &mut a);
            [state.x, state.v, a]
        };
        let exact = advance(&mut Rk4::new(start.particle_count()), 16 * n);
        let mut a = vec![Vec3::zeros(); start.particle_count()];
        system.accelerate(&exact.x, &exact.v, &mut a);
        let reference = [exact.x, exact.v, a];
        let errors = [n, 2 * n].map(|steps| {
            let found = run(steps);
            [0, 1, 2].map(|k| found[k].iter().zip(&reference[k]).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max))
        });
        [0, 1, 2].map(|k| libm::log2(errors[0][k] / errors[1][k]))
    }

    #[test]
    fn positions_and_velocities_are_of_second_order_and_accelerations_of_first_below_rho_inf_1() {
        let oscillator = Oscillator { mass: 1.0, ks: 4.0, kd: 2.0 };
        let unit = State { x: vec![Vec3::x()], v: vec![0.5 * Vec3::x()] };
        let (net, start) = net();
        for rho_inf in [0.0, 0.5, 1.0] {
            let linear = orders(&oscillator, &unit, || GeneralizedAlpha::new(&oscillator, exact(), limit(rho_inf)), 1.0, 100);
            let nonlinear = orders(&net, &start, || GeneralizedAlpha::new(&net, converged(), limit(rho_inf)), 0.5, 200);
            // a_n - M⁻¹ F_n is of the order of (alpha_f - alpha_m) dt, and zero at rho_inf = 1
            let of_a = if rho_inf < 1.0 { 1.0 } else { 2.0 };
            for found in [linear, nonlinear] {
                for (order, expected) in found.into_iter().zip([2.0, 2.0, of_a]) {
                    assert!((order - expected).abs() < 0.1, "rho_inf {rho_inf}: orders {found:?}");
                }
            }
        }
    }

    #[test]
    fn momentum_changes_by_gravity_alone() {
        let (net, _) = net();
        let free = Net::new(net.masses().to_vec(), vec![false; 3], net.springs().to_vec()).unwrap();
        let momentum = |state: &State| (0..3).map(|i| free.masses()[i] * state.v[i]).sum::<Vec3>();
        for rho_inf in LIMITS {
            let (_, mut state) = self::net();
            let start = momentum(&state);
            let mut scheme = GeneralizedAlpha::new(&free, exact(), limit(rho_inf));
            (0..20).for_each(|_| scheme.step(&free, 0.05, &mut state));
            let expected = start - Vec3::z() * (3.5 * crate::GRAVITY);
            assert!((momentum(&state) - expected).norm() < 1e-11, "rho_inf {rho_inf}: {} {expected}", momentum(&state));
        }
    }

    #[test]
    fn a_rejected_step_leaves_no_trace_and_a_restart_forgets() {
        let (net, start) = net();
        let new = || GeneralizedAlpha::new(&net, exact(), limit(0.4));
        let [mut plain, mut tried, mut restarted] = [new(), new(), new()];
        let [mut a, mut b, mut c] = [start.clone(), start.clone(), start.clone()];
        for k in 0..6 {
            if k % 2 == 1 {
                let before = b.clone();
                tried.step(&net, 0.2, &mut b);
                assert!(b != before);
                b = before;
                tried.reject();
                restarted.restart();
            }
            plain.step(&net, 0.05, &mut a);
            tried.step(&net, 0.05, &mut b);
            restarted.step(&net, 0.05, &mut c);
        }
        assert_eq!(a, b);
        assert!(a != c);
        let mut fresh = new();
        restarted.restart();
        let mut d = c.clone();
        restarted.step(&net, 0.05, &mut c);
        fresh.step(&net, 0.05, &mut d);
        assert_eq!(c, d);
    }
}
