//! The methods that are compared.

use cloth::inextensible::{Division, FilterStop, GaussSeidelLimiting, Icd, MethodKind, Pbd, StripSettings};
use kit::prelude::*;

words! {
    /// A method by its name in profiles and tables.
    pub enum Rival {
        FastProjection = "fast-projection",
        /// Implicit constraint direction, its indefinite systems by a factor.
        Icd = "icd",
        Shake = "shake",
        /// Strain limiting, all edges at once.
        JacobiLimiting = "jacobi-limiting",
        /// Strain limiting, edges in turn.
        GaussSeidelLimiting = "gauss-seidel-limiting",
        /// Position based dynamics.
        Pbd = "pbd",
        /// Small steps of extended position based dynamics: one sweep a step, without compliance.
        Xpbd = "xpbd",
        /// Impulse strips, directions from the preview.
        ImpulseStrips = "impulse-strips",
        /// Step and project, the same root.
        StepAndProject = "step-and-project",
        /// Implicit constraint direction, its systems by conjugate gradients along the constraints with the factor of fast
        /// projection.
        IcdProjected = "icd-projected",
        /// Strain limiting, edges in turn, where only edges that are too long are moved and count.
        StretchLimiting = "stretch-limiting",
        /// Position based dynamics with a stiffness of 0.7.
        SoftPbd = "soft-pbd",
        /// Extended position based dynamics with four sweeps a step.
        XpbdOf4 = "xpbd-4",
        /// Extended position based dynamics with 16 sweeps a step.
        XpbdOf16 = "xpbd-16",
    }
}

/// What a step of a method may cost before it ends at its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caps {
    /// Linear systems of all edges a step.
    pub solves: u64,
    /// Sweeps over all edges a step.
    pub sweeps: u64,
}

/// What the orders of Gauss-Seidel's sweeps are drawn from.
const SEED: u64 = 1;

/// Stiffness of [`Rival::SoftPbd`] \[-\].
pub const SOFT: f64 = 0.7;

impl Rival {
    /// The method as the simulation core has it, for a sheet of so many `columns`.
    fn method(self, columns: usize) -> MethodKind {
        match self {
            Rival::FastProjection => MethodKind::FastProjection,
            Rival::Icd | Rival::IcdProjected => MethodKind::Icd,
            Rival::StepAndProject => MethodKind::StepAndProject,
            Rival::Shake => MethodKind::Shake,
            Rival::JacobiLimiting => MethodKind::JacobiLimiting,
            Rival::GaussSeidelLimiting | Rival::StretchLimiting => MethodKind::GaussSeidelLimiting { seed: SEED },
            Rival::Pbd | Rival::SoftPbd => MethodKind::Pbd,
            Rival::Xpbd => MethodKind::Xpbd { compliance: NonNegative::ZERO, sweeps: 1 },
            Rival::XpbdOf4 => MethodKind::Xpbd { compliance: NonNegative::ZERO, sweeps: 4 },
            Rival::XpbdOf16 => MethodKind::Xpbd { compliance: NonNegative::ZERO, sweeps: 16 },
            Rival::ImpulseStrips => MethodKind::ImpulseStrips(StripSettings {
                division: Division::Strips { nx: columns },
                directions: Directions::Preview,
                velocities: None,
                schedule: Schedule::Serial,
            }),
        }
    }

    /// Whether it solves linear systems of all edges together; the others sweep over them.
    pub fn is_global(self) -> bool {
        matches!(self, Rival::FastProjection | Rival::Icd | Rival::IcdProjected | Rival::StepAndProject | Rival::Shake)
    }

    /// Why its step ended, as a status. A step of XPBD is its sweeps, so no limit was reached where they leave an edge beyond the
    /// bound.
    pub fn status(self, stop: FilterStop) -> Status {
        match (self, stop) {
            (Rival::Xpbd | Rival::XpbdOf4 | Rival::XpbdOf16, FilterStop::IterationLimit) => Status::LeftBound,
            (_, stop) => stop.into(),
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
        let constraints = constraints.clone();
        Some(match self {
            Rival::IcdProjected => Box::new(Icd::projected(constraints, limits)),
            Rival::StretchLimiting => Box::new(GaussSeidelLimiting::new(constraints, limits, SEED).of_stretch()),
            Rival::SoftPbd => Box::new(Pbd::new(constraints, limits).with_stiffness(Positive::try_from(SOFT).ok()?)),
            _ => self.method(columns).build(constraints, limits),
        })
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
