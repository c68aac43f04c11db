//! Files of cloth in motion that other programs open.

mod look;
mod pc2;
mod read_pc2;
mod rest;
mod usda;
mod vtk;

pub use look::{Body, Look, texture};
pub use pc2::{Pc2, begin_pc2};
pub use read_pc2::{Pc2Error, read_pc2};
pub use rest::{write_rest, write_solids};
pub use usda::Usda;
pub use vtk::{write_solids_vtk, write_vtk};
