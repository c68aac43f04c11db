//! Cloth as a mesh of triangles with warp and weft coordinates.

mod batches;
mod eight_angles;
mod eight_folds;
mod eight_membranes;
mod eights;
mod fabric;
mod fold;
mod generators;
mod invalid_mesh;
mod membrane;
mod mesh;
mod springs;
mod triangle_cloth;

#[cfg(test)]
mod element_tests;

pub use fabric::{Bend, Fabric};
pub use invalid_mesh::InvalidMesh;
pub use mesh::{Hinge, Triangle, TriangleMesh, Vec2};
pub use springs::SpringMaterial;
pub use triangle_cloth::TriangleCloth;
