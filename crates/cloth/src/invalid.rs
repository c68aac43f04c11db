use thiserror::Error;

use crate::triangles::InvalidMesh;

/// What a model, a mesh or a state refuses, with the numbers that were wrong; schemes are named as in scene files.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // messages say what their numbers are
pub enum ModelError {
    /// A sheet too small to have a spring or too large to simulate.
    #[error("a sheet has from 2 to {limit} particles a side, not {nx} x {ny}")]
    GridSize { nx: usize, ny: usize, limit: usize },
    /// A quantity outside the range in which the model means something.
    #[error("{quantity} must be {range}, not {value}")]
    OutOfRange { quantity: &'static str, range: &'static str, value: f64 },
    /// A pin that names no particle of the mesh.
    #[error("the pin {pin} lies outside the mesh of {nx} x {ny} particles")]
    PinOutside { pin: String, nx: usize, ny: usize },
    /// A pin that names no particle of a mesh of triangles.
    #[error("the pin {pin} lies outside the mesh of {particles} particles")]
    PinOfMesh { pin: usize, particles: usize },
    /// A particle by column and row on a mesh of triangles.
    #[error("a particle of triangles is an index, and [{i}, {j}] is none")]
    PinByRow { i: usize, j: usize },
    /// Triangles that are no mesh of cloth.
    #[error("{0}")]
    Mesh(InvalidMesh),
    /// A mesh in a file that is still to be read.
    #[error("the mesh of the scene is in a file that was not read")]
    MeshUnread,
    /// Key frames or a sequence of shapes in a file that is still to be read.
    #[error("a motion of the scene is in a file that was not read")]
    MotionUnread,
    /// A constraint method without anything to move.
    #[error("`inextensible` has no edge to act on: every particle is held by a pin; free some of them")]
    AllHeld,
    /// An edge or a spring that joins no two particles, or a pair that is joined already.
    #[error("an edge must join two of the {particles} particles that no other edge joins, not {i} and {j}")]
    Edge { i: usize, j: usize, particles: usize },
    /// A motion of a particle that is not held.
    #[error("a motion moves held particles, and {particle} is not held")]
    NotHeld { particle: usize },
    /// A particle that is held twice: by a pin and by a guide, or by two guides.
    #[error("particle {particle} is held twice, by pins and a guide or by two guides: keep one of them")]
    HeldTwice { particle: usize },
    /// A guide that leads nowhere.
    #[error("the guide of particle {particle} needs a direction: finite numbers that are not all zero")]
    TrackWithoutDirection { particle: usize },
    /// A velocity off a guide.
    #[error("particle {particle} starts with a velocity that leads off its guide: give it one along the guide, or none")]
    OffGuide { particle: usize },
    /// A state with another number of particles than the mesh.
    #[error("the state has {got} particles, the mesh {expected}")]
    StateSize { expected: usize, got: usize },
    /// A state that no run begins from.
    #[error("a position or velocity of the state is not a finite number, or so large that its square is none")]
    StateNotFinite,
    /// Forces of another number than the places and intervals at which they act.
    #[error("there are {got} forces, and {expected} places and intervals for them")]
    ForceCount { expected: usize, got: usize },
    /// Triangles that cannot collide.
    #[error("collisions need a surface: {0}; mend the mesh, or begin elsewhere")]
    Collisions(collision::Unfit),
    /// Surfaces kept farther apart than their own particles are.
    #[error("a thickness of {thickness} m must be below half of the shortest edge, which is {edge} m long")]
    Thickness { thickness: f64, edge: f64 },
    /// Two parts of a scenario that do not go together.
    #[error("{first} and {second} do not go together: leave one of them out")]
    Together { first: &'static str, second: &'static str },
    /// Words of [`Run::memory`](crate::run::Run::memory) that another scenario left.
    #[error("this memory is not of a run of this scene")]
    Memory,
    /// Repulsion beside a scheme that does not have it.
    #[error("cloth repels itself under the integrators {having}, not under {scheme}")]
    Repulsion { scheme: &'static str, having: String },
    /// A constraint method beside a scheme whose steps it cannot filter.
    #[error("constraint methods filter the steps of the integrators {having}, not those of {scheme}")]
    Inextensible { scheme: &'static str, having: String },
    /// Constraints of solids beside a scheme that does not have them.
    #[error("solids are met by constraints under the integrators {meeting}, not under {scheme}")]
    Contact { scheme: &'static str, meeting: String },
}

/// A quantity that `is_within` its range.
pub(crate) fn within(is_within: bool, quantity: &'static str, range: &'static str, value: f64) -> Result<f64, ModelError> {
    if is_within { Ok(value) } else { Err(ModelError::OutOfRange { quantity, range, value }) }
}

/// A finite quantity above zero.
pub(crate) fn positive(quantity: &'static str, value: f64) -> Result<f64, ModelError> {
    within(value.is_finite() && value > 0.0, quantity, "a finite number above zero", value)
}

/// A quantity above zero, neither so little nor so much that computing with it would lose it.
pub(crate) fn normal(quantity: &'static str, value: f64) -> Result<f64, ModelError> {
    within(value.is_normal() && value > 0.0, quantity, "a finite number above zero", value)
}

/// A finite quantity of zero or above.
pub(crate) fn non_negative(quantity: &'static str, value: f64) -> Result<f64, ModelError> {
    within(value.is_finite() && value >= 0.0, quantity, "a finite number, zero or above", value)
}
