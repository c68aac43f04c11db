//! Strips that bend and do not stretch, with rigidity D \[N m\]: moment per width D theta', theta the direction of the strip, s
//! the length along it. Lengths are in units of the strip's, L, and angles in radians.

mod cantilever;
mod end_moment;
mod end_shear;
mod peirce;
mod pinched;

pub use cantilever::{Cantilever, Place, end_load, heaviness};
pub use end_moment::{Tip, closing_moment, roll_up};
pub use end_shear::{EndShear, SZE_SHEAR};
pub use peirce::{bending_length, formula, heaviness_at};
pub use pinched::Pinched;
