//! Solvers, preconditioners and operators, by what they are used for.

mod aggregation;
mod decomposition;
mod grid;
mod grid_multigrid;
mod grid_single;
mod preconditioners;
mod refusals;
mod scalar;
mod schwarz;
mod solvers;
mod systems;
