//! Cloth as a mesh of triangles with warp and weft coordinates.

mod generators;
mod invalid_mesh;
mod mesh;
mod springs;

pub use invalid_mesh::InvalidMesh;
pub use mesh::{Hinge, Triangle, TriangleMesh, Vec2};
pub use springs::SpringMaterial;
