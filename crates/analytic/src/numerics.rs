//! Roots, integrals, trajectories and special functions, as few as the solutions need.
//!
//! Crates for them take sin and exp of the platform, or of whatever feature another crate of the workspace turns on; these take
//! libm's alone, so that a reference has the same bits on every machine.

pub mod bessel;
pub mod elliptic;
pub mod extrapolation;
pub mod integral;
pub mod root;
