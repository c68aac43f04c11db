//! The lists of runs: the paper's, a map of two axes, and the sweep over rho_inf.

use cloth::Terms;
use cloth::implicit::Newton;
use cloth::quantity::Positive;
use lab::prelude::*;

use super::flag::{Begin, CONVERGED, Scheme, Setting};
use super::runs::{Case, List, compared};
use crate::ranges;

/// The paper's flag by both schemes, either Hessian and converged Newton steps, and by the reference.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// The steps of the paper \[s\].
    pub steps: ranges::List<Positive>,
    /// Further steps, with one Newton step and the exact Hessian \[s\].
    pub further: ranges::List<Positive>,
    /// Steps of the reference, the finest first \[s\].
    pub reference: ranges::List<Positive>,
}

impl List for Paper {
    const NAME: &'static str = "paper";
    const ABOUT: &'static str = "the tuned flag by both schemes, by either Hessian and converged Newton steps, at further steps, started at rest, and by the reference";

    fn cases(&self, base: Setting) -> Vec<Case> {
        let varied = |terms, newton| (Setting { terms, newton, ..base }, compared(self.steps.values()));
        let (_, mut usual) = varied(Terms::Exact, Newton::Once);
        usual.extend(compared(self.further.values()));
        let reference: Vec<(Scheme, f64)> = self.reference.values().iter().map(|step| (Scheme::Rk4, step.get())).collect();
        let mut at_rest = compared(self.steps.values());
        at_rest.extend(reference.clone());
        usual.extend(reference);
        vec![
            (base, usual),
            (Setting { start: Begin::Resting, ..base }, at_rest),
            varied(Terms::Exact, CONVERGED),
            varied(Terms::Filtered, Newton::Once),
        ]
    }
}

/// Stiffness and amplitude crossed, by both schemes at both steps from several starts a micrometre aside.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// Y \[N/m\].
    pub stiffness: ranges::List<Positive>,
    /// Amplitudes of the driven corners \[m\].
    pub amplitude: ranges::List<Positive>,
    /// Starts of each place.
    pub nudges: ranges::Count,
    /// Time steps \[s\].
    pub steps: ranges::List<Positive>,
}

impl List for Map {
    const NAME: &'static str = "map";
    const ABOUT: &'static str = "stiffness and amplitude crossed round the tuned flag, by both schemes at both steps from several starts a micrometre aside";

    fn cases(&self, base: Setting) -> Vec<Case> {
        let mut cases = vec![];
        for stiffness in self.stiffness.values() {
            for amplitude in self.amplitude.values() {
                let (stiffness, amplitude) = (stiffness.get(), amplitude.get());
                let starts = (1..=self.nudges.get()).map(|nudge| Setting { stiffness, amplitude, nudge, ..base });
                cases.extend(starts.map(|setting| (setting, compared(self.steps.values()))));
            }
        }
        cases
    }
}

/// The paper's flag by generalized-alpha with every rho_inf, one Newton step and converged, and started at rest.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// rho_inf \[-\].
    pub limits: ranges::List<Limit>,
    /// Time steps \[s\].
    pub steps: ranges::List<Positive>,
}

/// A high-frequency dissipation limit, from 0 to 1.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Limit(f64);

impl Limit {
    /// The number itself.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Limit {
    type Error = String;

    fn try_from(value: f64) -> Result<Limit, String> {
        if (0.0..=1.0).contains(&value) { Ok(Limit(value)) } else { Err(format!("must be from 0 to 1, not {value}")) }
    }
}

impl From<Limit> for f64 {
    fn from(limit: Limit) -> f64 {
        limit.0
    }
}

impl List for Limits {
    const NAME: &'static str = "limits";
    const ABOUT: &'static str =
        "the paper's flag by generalized-alpha over rho_inf, with one Newton step and converged, and started at rest";

    fn cases(&self, base: Setting) -> Vec<Case> {
        let mut cases = vec![];
        for (newton, start) in [(Newton::Once, Begin::Flat), (CONVERGED, Begin::Flat), (Newton::Once, Begin::Resting)] {
            for step in self.steps.values() {
                let runs = self.limits.values().iter().map(|limit| (Scheme::GeneralizedAlpha(limit.0), step.get()));
                cases.push((Setting { newton, start, ..base }, runs.collect()));
            }
        }
        cases
    }
}
