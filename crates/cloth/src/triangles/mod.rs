//! Cloth as a mesh of triangles with warp and weft coordinates.

mod mesh;

pub use mesh::{Hinge, Triangle, TriangleMesh, Vec2};
