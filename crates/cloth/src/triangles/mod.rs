//! Cloth as a mesh of triangles with warp and weft coordinates.

mod angle;
pub(crate) mod blocks;
mod curvature;
mod elements;
mod fabric;
mod faces;
mod folds;
mod generators;
mod invalid_mesh;
mod membranes;
mod mesh;
mod springs;
mod triangle_cloth;

#[cfg(test)]
mod element_tests;

pub use fabric::{Bend, Fabric, FoldLaw, Shares, Weighting};
pub use faces::Face;
pub use invalid_mesh::InvalidMesh;
pub use mesh::{Hinge, Triangle, TriangleMesh, Vec2};
pub use springs::SpringMaterial;
pub use triangle_cloth::TriangleCloth;
