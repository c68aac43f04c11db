//! Which triangles come near each other or cross within a step. It knows triangles and how they move, nothing of forces.
//!
//! A [`Surface`] owns each vertex and each edge of a mesh once. A [`Tree`] of boxes over its faces, swept over a step, finds
//! [`Candidates`]: a vertex and a face, or two edges, that no box and no plane keeps apart. [`vertex_face`] and [`edge_edge`] tell
//! when such a pair comes within a distance for the first time, and never miss it; [`crossings`] tells which triangles intersect
//! at one moment.
//!
//! ```
//! use collision::{Motion, Vec3, vertex_face};
//!
//! let face = [Vec3::zeros(), Vec3::x(), Vec3::y()];
//! let [above, below] = [1.0, -1.0].map(|z| [Vec3::new(0.25, 0.25, z), face[0], face[1], face[2]]);
//! let impact = vertex_face(&Motion { start: above, end: below }, 0.1).expect("it falls through");
//! assert!(impact.time <= 0.45 && impact.time > 0.45 - 1e-6);
//! ```

mod apart;
mod bounds;
mod broad;
mod continuous;
mod crossing;
mod distance;
mod halves;
mod kept;
mod neighbours;
mod patches;
mod separated;
mod surface;
mod tree;

pub use bounds::Bounds;
pub use broad::{Candidates, Pair};
pub use continuous::{Impact, Motion, edge_edge, vertex_face};
pub use crossing::crossings;
pub use distance::{Closest, of_edges, of_vertex};
pub use surface::{Surface, Unfit};
pub use tree::Tree;

/// A vector in space.
pub type Vec3 = nalgebra::Vector3<f64>;
