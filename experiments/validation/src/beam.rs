//! The beam of the Test Set for IVP Solvers, of 80 unknowns and stiff, under every integrator.

use analytic::beam::{END_TIME, LINKS, PUBLISHED};
use kit::prelude::*;

use super::moving::angles::Beam;
use super::moving::schemes::{Scheme, schemes, trouble};
use super::moving::{LOST, Outcome, Resolution, Rung, climb, figure};

ranges!(BeamRanges {
    //! Runs.
    /// Steps of implicit schemes of order 1, each after fewer: what they damp falls slowly.
    damped: List<Count>,
    /// Steps of other implicit schemes, each after fewer.
    implicit: List<Count>,
    /// Steps of explicit schemes, each after fewer; the fastest oscillation, 6400, asks for more than 16,000.
    explicit: List<Count>,
});

/// Change of velocities at which Newton's method ends.
const NEWTON: f64 = 1e-10;

/// The beam by every integrator.
pub struct Beams(pub BeamRanges);

/// Largest difference of the first and of the last angle from those that are printed \[rad\].
fn run(scheme: Scheme, steps: u32) -> Result<Outcome, ModelError> {
    let beam = Beam::new();
    let (mut integrator, mut state) = (scheme.integrator(&beam, NEWTON)?, beam.start());
    for _ in 0..steps {
        integrator.step(&beam, END_TIME / f64::from(steps), &mut state);
        if state.x[0].x.is_nan() || state.x[0].x.abs() >= LOST {
            break; // Newton's method would go on to its limit in every step
        }
    }
    let [first, last, _] = PUBLISHED;
    let angles = Beam::angles(&state.x);
    let differences = [angles[0] - first, angles[LINKS - 1] - last];
    let error = libm::hypot(differences[0], differences[1]);
    Ok(Outcome { error, reason: trouble(&*integrator), ..Outcome::default() })
}

impl Group for Beams {
    const NAME: &'static str = "beam";
    const ABOUT: &'static str = "the beam up to t = 5, by every integrator";
    type Case = Scheme;
    type Row = Rung;

    fn listed(&self) -> Vec<Scheme> {
        schemes().collect()
    }

    fn measure(&self, &scheme: &Scheme) -> Vec<Rung> {
        let resolution = |steps: u32| Resolution { steps, elements: 0, step: END_TIME / f64::from(steps) };
        let begin = scheme.rung("beam", &Beam::new(), u32::MAX);
        let steps = match begin.expected {
            _ if scheme.is_explicit() => &self.0.explicit,
            1 => &self.0.damped,
            _ => &self.0.implicit,
        };
        climb(&begin, steps.values().iter().map(|steps| resolution(steps.get())), |Resolution { steps, .. }| run(scheme, steps))
    }
}

fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let caption =
        "Difference of the first and of the last of the beam's 40 angles at t = 5 from the published ones, against the step.";
    Ok(figure(&results.without_sets::<Beams>()?, ["beam", "The stiff beam", caption], &[]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Beams(ranges.beam.clone())).plot("beam", chart)
}
