//! Closed-form and high-precision solutions that cloth, strips and chains are held against: statics and buckling by bending
//! rigidity, swings, falls and waves, and two problems of the Test Set for IVP Solvers. Nothing here knows how cloth is
//! simulated.
//!
//! Quantities are in SI units, or over the length of a strip and its rigidity, as each function says. Strips bend in one
//! direction: D \[N m\] is the rigidity of the sheet, EI over its width where Poisson's ratio is 0. All of it is computed when it
//! is asked for, to nine digits or more; what a source prints stands beside it and in the tests. Functions are those of libm, so
//! that a value has the same bits on every machine.
//!
//! ```
//! use analytic::elastica::{Cantilever, heaviness};
//!
//! // 30 cm of denim over the edge of a table
//! let g = heaviness(0.4, 9.81, 0.3, 1.0e-4);
//! let strip = Cantilever::new(g, 0.0);
//! assert!((g - 1059.48).abs() < 1e-9 && strip.drop > 0.9 && strip.reach < 0.1);
//! ```

pub mod beam;
pub mod bending;
pub mod buckling;
pub mod car_axis;
pub mod catenary;
pub mod elastica;
pub mod falls;
pub mod loops;
mod numerics;
pub mod patch;
pub mod swings;
pub mod waves;
