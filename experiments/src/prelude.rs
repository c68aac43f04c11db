//! What every topic of a study needs: `use crate::prelude::*;`.

pub use chart::{Axis, Color, Corner, Dash, Direction, Figure, Layer, Marker, Palette, Panel};
pub use cloth::quantity::{NonNegative, Positive};
pub use lab::judge::statistics::{Interval, bootstrap, line, mean, median, power_law, quantile, share};
pub use lab::measure::streams::pick;
pub use lab::prelude::*;

pub use crate::judging::{bar_of_repeats, distinct, extent, extremes, first_of_each, grouped, median_seconds, seconds, too_few};
pub use crate::ranges::{Count, Ends, List, Side, Whole, check_list, check_rates, check_steps};
pub use crate::topic::{Judge, Plot, Topic, table};
