use thiserror::Error;

/// What is no mesh of cloth, with the particles and triangles that were wrong, both counted from 0.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum InvalidMesh {
    /// A mesh without triangles.
    #[error("a mesh must have triangles, and this one has none")]
    Empty,
    /// More particles than a mesh may have.
    #[error("a mesh has at most {limit} particles, not {particles}: take a coarser one")]
    TooManyParticles { particles: usize, limit: usize },
    /// A position that is not finite.
    #[error("the position of particle {particle} must be three finite numbers")]
    Position { particle: usize },
    /// A corner that names no particle.
    #[error("a corner of triangle {triangle} must be one of the {particles} particles, not {corner}")]
    Corner { triangle: usize, corner: usize, particles: usize },
    /// A triangle that names one particle twice.
    #[error("triangle {triangle} has particle {particle} as a corner twice: take the triangle out, or give it three corners")]
    Repeated { triangle: usize, particle: usize },
    /// Material coordinates that are not finite, or between which there is no area.
    #[error(
        "triangle {triangle} between the particles {}, {} and {} is degenerate: in its material coordinates it has no area beside \
         its longest edge", corners[0], corners[1], corners[2]
    )]
    Degenerate { triangle: usize, corners: [usize; 3] },
    /// An edge of more than two triangles.
    #[error(
        "the edge between the particles {} and {} belongs to more than two triangles, {}, {} and {} among them: cut the mesh open \
         along it", edge[0], edge[1], triangles[0], triangles[1], triangles[2]
    )]
    NonManifold { edge: [usize; 2], triangles: [usize; 3] },
    /// Neighbours that look to opposite sides.
    #[error(
        "the triangles {} and {} run round their edge between the particles {} and {} in the same direction: turn one of them over",
        triangles[0], triangles[1], edge[0], edge[1]
    )]
    Orientation { edge: [usize; 2], triangles: [usize; 2] },
    /// Two triangles with the same three corners.
    #[error("the triangles {} and {} have the same three corners: take one of them out", triangles[0], triangles[1])]
    Doubled { triangles: [usize; 2] },
    /// A particle that belongs to no triangle.
    #[error("particle {particle} belongs to no triangle: take it out")]
    Loose { particle: usize },
}

impl InvalidMesh {
    /// The triangle that is wrong, the last one of several.
    pub fn triangle(&self) -> Option<usize> {
        match *self {
            InvalidMesh::Corner { triangle, .. }
            | InvalidMesh::Repeated { triangle, .. }
            | InvalidMesh::Degenerate { triangle, .. }
            | InvalidMesh::NonManifold { triangles: [_, _, triangle], .. }
            | InvalidMesh::Orientation { triangles: [_, triangle], .. }
            | InvalidMesh::Doubled { triangles: [_, triangle] } => Some(triangle),
            InvalidMesh::Empty
            | InvalidMesh::TooManyParticles { .. }
            | InvalidMesh::Position { .. }
            | InvalidMesh::Loose { .. } => None,
        }
    }

    /// The particle that is wrong, where no triangle is.
    pub fn particle(&self) -> Option<usize> {
        match *self {
            InvalidMesh::Position { particle } | InvalidMesh::Loose { particle } => Some(particle),
            _ => None,
        }
    }
}
