//! Loads at which strips, columns and rings leave their plane or their line.

mod cantilevers;
mod ring;

pub use cantilevers::{
    GREENHILL, end_load_on_edge, euler_column, standing_height, standing_strip, torsional_rigidity, weight_on_edge,
};
pub use ring::{ring_overcurvature, ring_pressure};
