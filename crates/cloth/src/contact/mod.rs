//! Contact \[Boxerman 2003, 3.4.2\]: with solids through the constraints of the projected solver, of cloth with itself through
//! repulsion.

mod clearances;
mod collision;
mod friction;
mod impacts;
mod keyframes;
mod pose;
mod repulsion;
mod sequence;
mod solid;
mod state;
mod voxels;

pub use collision::{CollisionPass, MovingCapsule, Obstacle};
pub use friction::{Coulomb, Friction};
pub use impacts::{CollisionError, CollisionReport, Impacts, MovingMesh, RECOVERY, SelfCollision};
pub use keyframes::{InvalidKeyframes, Keyframe, Keyframes};
pub use pose::{Pose, RigidMotion};
pub use repulsion::{Repulsion, RepulsionLaw};
pub use sequence::Sequence;
pub use solid::Solid;
pub use state::{ContactState, Contacts, Motion, Touch};
pub use voxels::Voxels;
