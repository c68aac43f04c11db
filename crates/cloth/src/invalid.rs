use thiserror::Error;

use crate::triangles::InvalidMesh;

/// What a model, a mesh or a state refuses, with the numbers that were wrong.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Invalid {
    /// A sheet too small to have a spring or too large to simulate.
    #[error("a sheet has from 2 to {limit} particles a side, not {nx} x {ny}")]
    GridSize {
        /// Particles along x.
        nx: usize,
        /// Particles along y.
        ny: usize,
        /// Most particles a side.
        limit: usize,
    },
    /// A quantity outside the range in which the model means something.
    #[error("{quantity} must be {range}, not {value}")]
    OutOfRange {
        /// Name of the quantity.
        quantity: &'static str,
        /// The admissible range, in words.
        range: &'static str,
        /// What was given.
        value: f64,
    },
    /// A pin that names no particle of the mesh.
    #[error("the pin {pin} lies outside the mesh of {nx} x {ny} particles")]
    PinOutside {
        /// The pin as it was given.
        pin: String,
        /// Particles along x.
        nx: usize,
        /// Particles along y.
        ny: usize,
    },
    /// A pin that names no particle of a mesh of triangles.
    #[error("the pin {pin} lies outside the mesh of {particles} particles")]
    PinOfMesh {
        /// The pin, an index.
        pin: usize,
        /// Particles of the mesh.
        particles: usize,
    },
    /// A particle by column and row on a mesh of triangles.
    #[error("a particle of triangles is an index, and [{i}, {j}] is none")]
    PinByRow {
        /// The column.
        i: usize,
        /// The row.
        j: usize,
    },
    /// Triangles that are no mesh of cloth.
    #[error("{0}")]
    Mesh(InvalidMesh),
    /// A mesh in a file that is still to be read.
    #[error("the mesh of the scene is in a file that was not read")]
    MeshUnread,
    /// A constraint method on triangles.
    #[error("constraint methods keep the warp and weft edges of a grid, and a mesh of triangles has none")]
    InextensibleTriangles,
    /// An edge or a spring that joins no two particles, or a pair that is joined already.
    #[error("an edge must join two of the {particles} particles that no other edge joins, not {i} and {j}")]
    Edge {
        /// First particle.
        i: usize,
        /// Second particle.
        j: usize,
        /// Number of particles.
        particles: usize,
    },
    /// A motion of a particle that is not held.
    #[error("a motion moves held particles, and {particle} is not held")]
    NotHeld {
        /// The particle.
        particle: usize,
    },
    /// A state with another number of particles than the mesh.
    #[error("the state has {got} particles, the mesh {expected}")]
    StateSize {
        /// Particles of the mesh.
        expected: usize,
        /// Particles of the state.
        got: usize,
    },
    /// Repulsion beside a scheme that does not have it.
    #[error("cloth repels itself under the integrators {having}, not under {scheme}")]
    Repulsion {
        /// The scheme, by its name in scene files.
        scheme: &'static str,
        /// The schemes that have it.
        having: String,
    },
    /// A constraint method beside a scheme whose steps it cannot filter.
    #[error("constraint methods filter the steps of the integrators {having}, not those of {scheme}")]
    Inextensible {
        /// The scheme, by its name in scene files.
        scheme: &'static str,
        /// The schemes that it filters.
        having: String,
    },
    /// Solids beside a scheme that does not meet them.
    #[error("solids are met by the integrators {meeting}, not by {scheme}")]
    Contact {
        /// The scheme, by its name in scene files.
        scheme: &'static str,
        /// The schemes that meet them.
        meeting: String,
    },
}
