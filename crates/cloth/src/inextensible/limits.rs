use crate::ModelError;
use crate::invalid::within;

/// When a constraint method ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    strain: f64,
    iterations: u64,
    operations: u64,
    every_step: bool,
}

impl Limits {
    /// Smallest bound of strain \[-\]: what rounding leaves of positions of a few meters is below it.
    pub const SMALLEST_STRAIN: f64 = 1e-11;

    /// Until no edge is strained by more than `strain` \[-\], at most `iterations` solves or sweeps, > 0.
    ///
    /// # Errors
    /// A bound below [`Limits::SMALLEST_STRAIN`] or not below one, no iterations.
    pub fn new(strain: f64, iterations: u64) -> Result<Limits, ModelError> {
        let range = "from 1e-11, below which it would ask for more than rounding gives, to less than 1";
        within((Limits::SMALLEST_STRAIN..1.0).contains(&strain), "the permissible strain", range, strain)?;
        within(iterations > 0, "the limit of iterations", "a whole number, one or above", 0.0)?;
        Ok(Limits { strain, iterations, operations: u64::MAX, every_step: false })
    }

    /// The same, and a step is given up before a factorisation with which it would take more than so many floating-point
    /// operations.
    pub fn with_operations(self, operations: u64) -> Limits {
        Limits { operations, ..self }
    }

    /// The same, with at least one correction in every step, also where all edges are within the bound. Without, as algorithm 1 of
    /// \[Goldenthal 2007\] is printed, the strain gathers over steps and goes in one, which gives velocities of strain over dt: where
    /// steps are short against the time in which it gathers, energy comes out of nothing, and more of it the shorter they are.
    pub fn in_every_step(self) -> Limits {
        Limits { every_step: true, ..self }
    }

    /// Whether each step is corrected at least once.
    pub fn every_step(&self) -> bool {
        self.every_step
    }

    /// Permissible abs(strain) \[-\].
    pub fn strain(&self) -> f64 {
        self.strain
    }

    /// Most solves or sweeps of a step.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Most floating-point operations of a step, which a factorisation is held against before it begins.
    pub fn operations(&self) -> u64 {
        self.operations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_cannot_be_kept_are_refused() {
        for strain in [0.0, -0.1, 1e-12, 1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Limits::new(strain, 10), Err(ModelError::OutOfRange { .. })), "{strain}");
        }
        assert!(Limits::new(0.01, 0).is_err());
        assert_eq!(Limits::new(0.01, 7).map(|limits| (limits.strain(), limits.iterations())), Ok((0.01, 7)));
    }
}
