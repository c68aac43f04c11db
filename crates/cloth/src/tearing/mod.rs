//! Cloth that tears where it is stretched too far \[Stuyck 2018, 4.5\].
//!
//! The book removes a spring that is stretched beyond a limit, which [`snap`] does: particles come apart, the mesh does not open,
//! and the diagonals and bend springs beside such a spring go on tying what it left. [`Tearing`] opens the mesh itself: a particle
//! is split, the faces around it go with one half or the other, and whatever spring, triangle or hinge would lie across the tear is
//! gone with the side that two faces had in common.

mod limits;
mod opening;
mod snap;

#[cfg(test)]
mod tests;

pub use limits::TearLimits;
pub use opening::{Opening, Tearing};
pub use snap::{exceeds, snap};
