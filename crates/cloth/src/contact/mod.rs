//! Contact with solids through the constraints of the projected solver \[Boxerman 2003, 3.4.2\].

mod friction;
mod solid;
mod state;

pub use friction::{Coulomb, Friction};
pub use solid::Solid;
pub use state::{ContactState, Contacts, Motion, Touch};
