//! The methods that are compared.

use cloth::inextensible::{
    ConstraintMethod, Directions, Division, EdgeConstraints, Limits, Method, Schedule, Stop, StripSettings,
};
use cloth::quantity::NonNegative;
use serde::{Deserialize, Serialize};

/// A method by its name in profiles and tables.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rival {
    /// Fast projection.
    FastProjection,
    /// Implicit constraint direction.
    Icd,
    /// Step and project, the same root.
    StepAndProject,
    /// SHAKE.
    Shake,
    /// Strain limiting, all edges at once.
    JacobiLimiting,
    /// Strain limiting, edges in turn.
    GaussSeidelLimiting,
    /// Position based dynamics.
    Pbd,
    /// Small steps of extended position based dynamics: one sweep a step, without compliance.
    Xpbd,
    /// Impulse strips, directions from the preview.
    ImpulseStrips,
}

/// What a step of a method may cost before it ends at its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caps {
    /// Linear systems of all edges a step.
    pub solves: u64,
    /// Sweeps over all edges a step.
    pub sweeps: u64,
}

/// Status of a run whose step, by a method that does not iterate, leaves an edge beyond the bound.
pub const LEFT: &str = "left the bound";

impl Rival {
    /// All, in the order of charts.
    pub const ALL: [Rival; 9] = [
        Rival::FastProjection,
        Rival::Icd,
        Rival::Shake,
        Rival::JacobiLimiting,
        Rival::GaussSeidelLimiting,
        Rival::Pbd,
        Rival::Xpbd,
        Rival::ImpulseStrips,
        Rival::StepAndProject,
    ];

    /// The method as the simulation core has it, for a sheet of so many `columns`.
    fn method(self, columns: usize) -> Method {
        match self {
            Rival::FastProjection => Method::FastProjection,
            Rival::Icd => Method::Icd,
            Rival::StepAndProject => Method::StepAndProject,
            Rival::Shake => Method::Shake,
            Rival::JacobiLimiting => Method::JacobiLimiting,
            Rival::GaussSeidelLimiting => Method::GaussSeidelLimiting { seed: 1 },
            Rival::Pbd => Method::Pbd,
            Rival::Xpbd => Method::Xpbd { compliance: NonNegative::ZERO, sweeps: 1 },
            Rival::ImpulseStrips => Method::ImpulseStrips(StripSettings {
                division: Division::Strips { nx: columns },
                directions: Directions::Preview,
                velocities: None,
                schedule: Schedule::Serial,
            }),
        }
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        self.method(2).name()
    }

    /// Whether it solves linear systems of all edges together; the others sweep over them.
    pub fn is_global(self) -> bool {
        matches!(self, Rival::FastProjection | Rival::Icd | Rival::StepAndProject | Rival::Shake)
    }

    /// Why its step ended, as a status. A step of XPBD is its one sweep, so no limit was reached where that leaves an edge beyond the bound.
    pub fn status(self, stop: Stop) -> &'static str {
        match (self, stop) {
            (Rival::Xpbd, Stop::IterationLimit) => LEFT,
            (_, stop) => stop.name(),
        }
    }

    /// The method for the edges of a sheet of so many `columns` at a permissible `strain`; none where the bound means nothing.
    pub fn build(
        self,
        constraints: &EdgeConstraints,
        columns: usize,
        strain: f64,
        caps: Caps,
    ) -> Option<Box<dyn ConstraintMethod>> {
        let limits = Limits::new(strain, if self.is_global() { caps.solves } else { caps.sweeps }).ok()?;
        Some(self.method(columns).build(constraints.clone(), limits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_profiles_are_those_in_tables() {
        for rival in Rival::ALL {
            assert_eq!(serde_json::to_string(&rival).unwrap(), format!("\"{}\"", rival.name()));
        }
    }
}
