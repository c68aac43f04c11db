//! Several numbers at a time, on whatever the processor has.
//!
//! A [`Kernel`] is written once over [`Eight`] numbers, or over eight [`Lanes`] of either precision, and [`InstructionSet::run`]
//! compiles it for each instruction set and chooses one while the program runs. [`Vector`] is the portable form, of any width:
//! plain arrays, which the compiler turns into registers where lanes do not move. Nothing is fused, and sums over lanes have a
//! fixed order, so that all of them give the same bits.

mod eight;
mod instruction_set;
mod kernel;
mod number;
mod prefetch;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use eight::{Eight, Lanes};
pub use instruction_set::{InstructionSet, UnknownInstructionSet};
pub use kernel::Kernel;
pub use number::Number;
pub(crate) use prefetch::{CACHED, prefetch};
pub use vector::{Arithmetic, Mask, Triple, Vector, dot, minus, plus, scaled};
