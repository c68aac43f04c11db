mod coarse_tile;
mod coarsening;
mod coarsest;
mod hierarchy;
mod smoothing;
mod stall;
mod transfer;

pub use hierarchy::GridMultigrid;
pub(super) use stall::Watch;
