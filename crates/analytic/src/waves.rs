//! Small vibrations of what is taut, of bars and of strips, and what a bar's weight does at rest.

mod bar;
mod membrane;
mod strip;

pub use bar::{bar_elongation, bar_frequency, bar_static_displacement};
pub use membrane::{disk_frequency, disk_mode, rectangle_frequency, rectangle_mode, wave_frequency};
pub use strip::{CLAMPED_FREE, clamped_free_number, strip_frequency, strip_mode};
