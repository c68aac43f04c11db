//! A pendulum that swings far: by its angle under every integrator, on a rod that every constraint method keeps.

use analytic::swings::{Pendulum, period_ratio};
use cloth::inextensible::{Edge, MethodKind};
use kit::prelude::*;

use super::moving::angles::Swing;
use super::moving::schemes::{Scheme, trouble};
use super::moving::way::Way;
use super::moving::{Outcome, Resolution, Rung, climb, constrained, figure};

ranges!(PendulumRanges {
    //! Swings.
    /// Steps of a period, multiples of eight, each after fewer.
    steps: List<Count>,
});

/// Amplitudes \[degrees\].
const AMPLITUDES: [f64; 3] = [30.0, 90.0, 150.0];

/// Length \[m\].
pub const LENGTH: f64 = 1.0;

/// Change of velocities at which Newton's method ends \[rad/s\].
const NEWTON: f64 = 1e-13;

/// Times of a period at which places are compared.
const TIMES: u32 = 8;

/// Pendulums of every amplitude, turned by integrators as an angle, and held by constraint methods as a mass on a rod.
pub struct Pendulums(pub PendulumRanges);

/// What is seen of a swing: places at some times of a period, and when the mass passes the lowest point.
struct Seen {
    pendulum: Pendulum,
    error: f64,
    /// Angle and its velocity one step before.
    before: [f64; 2],
    passed: Option<f64>,
}

impl Seen {
    fn new(pendulum: Pendulum) -> Seen {
        Seen { pendulum, error: 0.0, before: [pendulum.amplitude, 0.0], passed: None }
    }

    /// Looks at the angle and its velocity at the end of step `k` of `steps` a period.
    fn look(&mut self, k: u32, steps: u32, [angle, speed]: [f64; 2]) {
        let period = self.pendulum.period();
        let dt = period / f64::from(steps);
        if k.is_multiple_of(steps / TIMES) {
            let [x, z] = self.pendulum.place(period * (f64::from(k) / f64::from(steps)));
            let (sin, cos) = libm::sincos(angle);
            let distance = libm::hypot(LENGTH * sin - x, -LENGTH * cos - z) / LENGTH;
            self.error = if distance > self.error || distance.is_nan() { distance } else { self.error }; // a NaN stays
        }
        let [last, last_speed] = self.before;
        if self.passed.is_none() && last > 0.0 && angle <= 0.0 {
            let mut share = last / (last - angle); // where the cubic through both angles and velocities is zero
            for _ in 0..4 {
                let [a, b] = [dt * last_speed, dt * speed];
                let (p, q) = (3.0 * (angle - last) - 2.0 * a - b, a + b - 2.0 * (angle - last));
                let (value, slope) = (last + share * (a + share * (p + share * q)), a + share * (2.0 * p + 3.0 * share * q));
                share -= value / slope;
            }
            self.passed = Some((f64::from(k - 1) + share) * dt);
        }
        self.before = [angle, speed];
    }

    /// The period is four times as long as the first fall.
    fn outcome(&self) -> Outcome {
        let ratio = self.passed.map(|passed| 4.0 * passed / self.pendulum.period());
        Outcome { ratio, error: self.error, ..Outcome::default() }
    }
}

/// Runs of a pendulum by its angle.
fn by_angle(pendulum: Pendulum, scheme: Scheme, steps: u32) -> Result<Outcome, ModelError> {
    let swing = Swing { square: pendulum.gravity / pendulum.length };
    let mut integrator = scheme.integrator(&swing, NEWTON)?;
    let mut state = State::at_rest(vec![pendulum.amplitude * Vec3::x()]);
    let mut seen = Seen::new(pendulum);
    for k in 1..=steps {
        integrator.step(&swing, pendulum.period() / f64::from(steps), &mut state);
        seen.look(k, steps, [state.x[0].x, state.v[0].x]);
    }
    Ok(Outcome { reason: trouble(&*integrator), ..seen.outcome() })
}

/// The edge of the rod, a net of two masses of which one is held, and where they are at an angle.
pub fn rod(angle: f64) -> Result<(Net, [Edge; 1], State), ModelError> {
    let net = Net::new(vec![1.0; 2], vec![true, false], vec![])?;
    let (sin, cos) = libm::sincos(angle);
    let state = State::at_rest(vec![Vec3::zeros(), LENGTH * Vec3::new(sin, 0.0, -cos)]);
    Ok((net, [Edge { i: 0, j: 1, rest: LENGTH }], state))
}

/// Runs of a pendulum on its rod.
fn by_rod(pendulum: Pendulum, method: MethodKind, steps: u32) -> Result<Outcome, ModelError> {
    let (net, edges, mut state) = rod(pendulum.amplitude)?;
    let mut scheme = constrained::filtered(method, &net, &edges)?;
    let mut seen = Seen::new(pendulum);
    for k in 1..=steps {
        if scheme.step(&net, pendulum.period() / f64::from(steps), &mut state).is_err() {
            return Ok(constrained::told(&scheme, Outcome { error: f64::NAN, ..seen.outcome() }));
        }
        let (x, v) = (state.x[1], state.v[1]);
        let speed = (v.z * x.x - v.x * x.z) / x.norm_squared(); // of atan2(x, -z)
        seen.look(k, steps, [libm::atan2(x.x, -x.z), speed]);
    }
    Ok(constrained::told(&scheme, seen.outcome()))
}

impl Group for Pendulums {
    const NAME: &'static str = "pendulum";
    const ABOUT: &'static str = "large swings of a pendulum over a period, by every integrator and every constraint method";
    type Case = (f64, Way);
    type Row = Rung;

    fn listed(&self) -> Vec<(f64, Way)> {
        AMPLITUDES.iter().flat_map(|amplitude| Way::all().map(|way| (*amplitude, way))).collect()
    }

    fn measure(&self, &(degrees, way): &(f64, Way)) -> Vec<Rung> {
        let pendulum = Pendulum { length: LENGTH, gravity: GRAVITY, amplitude: degrees.to_radians() };
        let case = format!("pendulum, {degrees}°");
        let begin = match way {
            Way::Integrator(scheme) => scheme.rung(&case, &Swing { square: 1.0 }, u32::MAX),
            Way::Edges(method) => {
                let scheme = rod(0.0).and_then(|(net, edges, _)| constrained::filtered(method, &net, &edges));
                constrained::rung(method, &case, scheme, u32::MAX)
            }
        };
        let resolution = |steps: u32| Resolution { steps, elements: 0, step: pendulum.period() / f64::from(steps) };
        climb(&begin, self.0.steps.values().iter().map(|steps| resolution(steps.get())), |Resolution { steps, .. }| match way {
            Way::Integrator(scheme) => by_angle(pendulum, scheme, steps),
            Way::Edges(method) => by_rod(pendulum, method, steps),
        })
    }
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption = format!(
        "Farthest distance from the exact place at eighths of a period, over the length, of a pendulum let go at 150°. Its \
         period is {:.6} times that of a small swing. Integrators turn its angle; constraint methods keep the rod of a mass that \
         falls.",
        period_ratio(150.0_f64.to_radians())
    );
    Ok(figure(&results.without_sets::<Pendulums>()?, ["pendulum", "A pendulum that swings far", &caption], &["pendulum, 150°"]))
}

/// Refuses numbers of steps at which no time of comparison is the end of one.
fn eighths(ranges: &PendulumRanges) -> Result<(), RangeError> {
    match ranges.steps.values().iter().find(|steps| !steps.get().is_multiple_of(TIMES)) {
        Some(steps) => {
            Err(RangeError::here(format!("must be multiples of {TIMES}, not {}", steps.get())).within("pendulum.steps"))
        }
        None => Ok(()),
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Pendulums(ranges.pendulum.clone())).plot("pendulum", chart).checked(eighths(&ranges.pendulum))
}
