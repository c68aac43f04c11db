//! Several numbers at a time, on whatever the processor has.
//!
//! A [`Kernel`] is written once over [`Eight`] numbers, and [`InstructionSet::run`] compiles it for each instruction set and
//! chooses one while the program runs. [`Vector`] is the portable form, of any width: plain arrays, which the compiler turns into
//! registers where lanes do not move. Nothing is fused, and sums over lanes have a fixed order, so that all of them give the same
//! bits.

mod eight;
mod instruction_set;
mod kernel;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use eight::Eight;
pub use instruction_set::{InstructionSet, UnknownInstructionSet};
pub use kernel::Kernel;
pub use vector::{Mask, Triple, Vector, dot, minus, plus};
