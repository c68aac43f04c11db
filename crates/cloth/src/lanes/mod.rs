//! Explicit runs of many sheets at once, one simulation per lane of a vector register.
//!
//! The kernel is written once over vectors of W lanes. With one lane it is the plain path; with eight it runs on
//! whatever the processor has. No operation crosses lanes, none is fused, so all of them give the same bits; the
//! textbook form, [`Cloth`](crate::Cloth) under forward-backward Euler, gives the same numbers to rounding.

mod sheet;
mod sweep;

pub use linsolve::lanes::{InstructionSet, UnknownInstructionSet};
pub use sheet::Sheet;
pub use sweep::{Occupancy, Outcome, Trial, sweep};
