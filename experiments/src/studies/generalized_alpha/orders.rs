//! Orders of accuracy in positions, velocities and accelerations, on a smooth problem: a swinging chain of springs.

use cloth::implicit::{Newton, Settings, Solver};
use cloth::integrators::{BackwardEuler, Bdf2, DissipationLimit, GeneralizedAlpha, ImplicitMidpoint, Integrator, Rk4};
use cloth::quantity::Positive;
use cloth::{Elastic, Invalid, Net, NetSpring, State, System, Terms, Vec3};
use lab::streams::ChaCha8Rng;
use lab::{Column, Group};
use serde::{Deserialize, Serialize};

use super::lists::Limit;
use super::runs::{FINISHED, REFUSED, UNSTABLE};
use crate::ranges::{Count, List};

/// The chain, and the steps.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OrderRanges {
    /// Free particles of the chain.
    pub particles: Count,
    /// Mass of each \[kg\].
    pub mass: Positive,
    /// Stiffness of the springs \[N/m\].
    pub stiffness: Positive,
    /// Damping of the springs \[N s/m\].
    pub damping: Positive,
    /// rho_inf of generalized-alpha.
    pub limits: List<Limit>,
    /// Numbers of steps.
    pub steps: List<Count>,
    /// Steps of the reference over the most of these.
    pub finer: Count,
    /// Simulated time \[s\].
    pub duration: Positive,
}

/// A scheme with a number of steps, its errors or why it has none.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct OrderRow {
    pub scheme: String,
    pub rho_inf: Option<f64>,
    pub newton: String,
    pub step: f64,
    pub status: String,
    pub reason: Option<String>,
    pub position: Option<f64>,
    pub velocity: Option<f64>,
    pub acceleration: Option<f64>,
}

const COLUMNS: &[Column] = &[
    Column::text("scheme", "the time integrator"),
    Column::number("rho_inf", "-", "high-frequency dissipation limit of generalized-alpha; none for others"),
    Column::text("newton", "Newton steps: once or converged, with the exact Jacobian"),
    Column::number("step", "s", "dt, time step"),
    Column::text("status", "finished, unstable or refused"),
    Column::text("reason", "what went wrong"),
    Column::number("position", "m", "largest error of a position at the end; none where the run or its reference blew up"),
    Column::number("velocity", "m/s", "largest error of a velocity at the end"),
    Column::number("acceleration", "m/s²", "largest error of the acceleration state at the end; none for schemes without"),
];

/// A scheme of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    BackwardEuler,
    Bdf2,
    Midpoint,
    GeneralizedAlpha(DissipationLimit),
}

/// A scheme with its Newton steps.
pub type Case = (Scheme, Newton);

const CONVERGED: Newton = Newton::Converged { tolerance: 1e-12, limit: 50 };

/// Every scheme at every step.
pub struct Orders(pub OrderRanges);

impl Orders {
    fn cases(&self) -> Vec<Case> {
        let limits = self.0.limits.values().iter().filter_map(|limit| DissipationLimit::new(limit.get()).ok());
        let schemes: Vec<Scheme> = [Scheme::BackwardEuler, Scheme::Bdf2, Scheme::Midpoint]
            .into_iter()
            .chain(limits.map(Scheme::GeneralizedAlpha))
            .collect();
        [Newton::Once, CONVERGED]
            .into_iter()
            .flat_map(|newton| schemes.clone().into_iter().map(move |scheme| (scheme, newton)))
            .collect()
    }

    /// A chain that hangs from its first particle, started straight at an angle and stretched.
    ///
    /// # Errors
    /// A quantity that has no meaning.
    fn chain(&self) -> Result<(Net, State), Invalid> {
        let OrderRanges { particles, mass, stiffness, damping, .. } = &self.0;
        let count = particles.get() as usize + 1;
        let elastic = Elastic { stiffness: stiffness.get(), damping: damping.get() };
        let rest = 1.0 / (count - 1) as f64;
        let springs = (1..count).map(|j| NetSpring { i: j - 1, j, rest, elastic }).collect();
        let pinned = (0..count).map(|i| i == 0).collect();
        let net = Net::new(vec![mass.get(); count], pinned, springs)?;
        let place = |i: usize| 1.05 * rest * i as f64 * Vec3::new(0.8, 0.0, -0.6);
        Ok((net, State::at_rest((0..count).map(place).collect())))
    }

    fn rows(&self, (scheme, newton): Case) -> Vec<OrderRow> {
        let OrderRanges { steps, finer, duration, .. } = &self.0;
        let steps = || steps.values().iter().map(|steps| steps.get());
        let begun = |steps: u32| OrderRow {
            scheme: scheme.name().into(),
            rho_inf: scheme.limit(),
            newton: super::flag::newton(newton).into(),
            step: duration.get() / f64::from(steps),
            status: REFUSED.into(),
            reason: None,
            position: None,
            velocity: None,
            acceleration: None,
        };
        let (net, start) = match self.chain() {
            Ok(chain) => chain,
            Err(invalid) => {
                return steps().map(|steps| OrderRow { reason: Some(invalid.to_string()), ..begun(steps) }).collect();
            }
        };
        // the state at the end, or why there is none
        let run = |scheme: &mut dyn Integrator, steps: u32| {
            let mut state = start.clone();
            for step in 1..=steps {
                scheme.step(&net, duration.get() / f64::from(steps), &mut state);
                if !state.is_finite() {
                    return Err(format!("not finite after {step} steps"));
                }
            }
            Ok(state)
        };
        let most = steps().max().unwrap_or(1);
        let exact = run(&mut Rk4::new(net.particle_count()), most * finer.get());
        let accelerated = |state: &State| {
            let mut a = vec![Vec3::zeros(); state.particle_count()];
            net.accelerate(&state.x, &state.v, &mut a);
            a
        };
        let settings = Settings { solver: Solver::Direct, newton, terms: Terms::Exact, ..Settings::default() };
        let row = |steps: u32| {
            let mut acceleration = None;
            let state = match scheme {
                Scheme::BackwardEuler => run(&mut BackwardEuler::new(&net, settings), steps),
                Scheme::Bdf2 => run(&mut Bdf2::new(&net, settings), steps),
                Scheme::Midpoint => run(&mut ImplicitMidpoint::new(&net, settings), steps),
                Scheme::GeneralizedAlpha(limit) => {
                    let mut scheme = GeneralizedAlpha::new(&net, settings, limit);
                    let state = run(&mut scheme, steps);
                    acceleration = state.as_ref().ok().map(|state| {
                        let mut a = accelerated(state);
                        scheme.acceleration(&net, state, &mut a);
                        a
                    });
                    state
                }
            };
            let with = |status: &str, reason| OrderRow { status: status.into(), reason, ..begun(steps) };
            match (state, &exact) {
                (Err(reason), _) => with(UNSTABLE, Some(reason)),
                (Ok(_), Err(reason)) => with(FINISHED, Some(format!("the reference is {reason}"))),
                (Ok(state), Ok(exact)) => OrderRow {
                    position: largest(&state.x, &exact.x),
                    velocity: largest(&state.v, &exact.v),
                    acceleration: acceleration.and_then(|a| largest(&a, &accelerated(exact))),
                    ..with(FINISHED, None)
                },
            }
        };
        steps().map(row).collect()
    }
}

/// The largest distance of two lists of vectors; none where one is not finite.
fn largest(a: &[Vec3], b: &[Vec3]) -> Option<f64> {
    let mut distances = a.iter().zip(b).map(|(a, b)| (a - b).norm());
    distances.try_fold(0.0, |most: f64, distance| distance.is_finite().then_some(most.max(distance)))
}

impl Scheme {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::BackwardEuler => "backward-euler",
            Scheme::Bdf2 => "bdf2",
            Scheme::Midpoint => "implicit-midpoint",
            Scheme::GeneralizedAlpha(_) => "generalized-alpha",
        }
    }

    /// rho_inf of generalized-alpha.
    pub fn limit(self) -> Option<f64> {
        match self {
            Scheme::GeneralizedAlpha(limit) => Some(limit.get()),
            _ => None,
        }
    }
}

impl Group for Orders {
    const NAME: &'static str = "orders";
    const ABOUT: &'static str = "errors on a swinging chain over steps, in positions, velocities and accelerations";
    const COLUMNS: &'static [Column] = COLUMNS;
    const SAMPLED: bool = false;
    type Case = Case;
    type Row = OrderRow;

    fn sets(&self) -> u64 {
        self.cases().len() as u64
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> Case {
        self.cases()[set as usize]
    }

    fn measure_block(&self, cases: &[Case], done: &mut dyn FnMut(usize, Vec<OrderRow>)) {
        for (k, case) in cases.iter().enumerate() {
            done(k, self.rows(*case));
        }
    }
}
