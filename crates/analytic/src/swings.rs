//! What swings about a point or a line: a pendulum however far, a hanging chain a little.

mod hanging_chain;
mod pendulum;

pub use hanging_chain::{chain_frequency, chain_mode};
pub use pendulum::{Pendulum, period_ratio};
