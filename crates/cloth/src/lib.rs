//! Cloth as particles and springs: the model of Boxerman 2003 (after Choi & Ko 2002), its forces and energies, and the
//! schemes that integrate it in time.
//!
//! Units are SI throughout. Symbols inside formulas: `x` positions \[m\], `v` velocities \[m/s\], `dt` time step \[s\],
//! `h` mesh spacing \[m\], `ks` spring stiffness \[N/m\], `kd` spring damping \[N s/m\], `rho` areal density \[kg/m²\],
//! `m` particle mass \[kg\], `kappa` numerical stiffness \[-\].
//!
//! ```
//! use cloth::prelude::*;
//!
//! let grid = Grid::new(10, 10, 0.05)?;
//! let cloth = Cloth::new(grid, Material::default(), &[Pin::index(0), Pin::index(9)])?;
//! let mut run = Scenario::new(cloth).scheme(&ForwardBackwardEuler::ENTRY).step(1e-3).run()?;
//! while run.time() < 0.1 {
//!     run.step()?;
//! }
//! assert!(run.energies().gravitational < 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A run is [`run`]; `examples/ball.rs` is one with solids and collisions. A scheme alone takes steps of any [`System`]:
//! [`integrators`].

pub mod adjoint;
mod bending;
mod chain;
mod cloth;
pub mod contact;
mod drag;
mod drive;
mod energy;
mod figure;
mod flexure;
mod garment;
mod grid;
mod grid_springs;
mod guides;
mod gusts;
pub mod implicit;
pub mod inextensible;
pub mod integrators;
mod invalid;
mod jacobian;
pub mod lanes;
mod material;
mod measured;
mod memory;
mod net;
pub mod oscillator;
mod pass_on;
pub mod projective;
pub mod quantity;
mod rigidity;
pub mod run;
mod sets;
mod spring;
pub mod stability;
pub mod statics;
mod system;
pub mod tearing;
mod ties;
pub mod triangles;
mod unforeseen;

pub use bending::BendLaw;
pub use chain::{Chain, End};
pub use cloth::Cloth;
pub use drag::Drag;
pub use drive::{Drive, Sinusoid};
pub use energy::{Energies, Potential};
pub use figure::Figure;
pub use garment::Trousers;
pub use grid::{Family, Grid, Pin, Spring};
pub use grid_springs::GridSprings;
pub use guides::{Guided, Guides, Track};
pub use gusts::Gusts;
pub use invalid::ModelError;
pub use jacobian::{Mat3, SpringJacobian, Terms, axial_jacobian, damping_jacobian};
pub use material::{DampingForm, Elastic, Masses, Material, Stiffening};
pub use measured::{MEASURED, Measured};
pub use memory::Memory;
pub use net::{Net, NetSpring};
pub use rigidity::Rigidity;
pub use spring::{damping, strain_energy, tension, tension_slope};
pub use system::{Linearisation, State, System, Vec3};
pub use ties::{SoftPin, Stitch, Tied, Ties};
pub use triangles::{Bend, Fabric, TriangleCloth};

/// All that a program needs to run cloth: `use cloth::prelude::*;`.
pub mod prelude {
    pub use crate::contact::{Friction, MovingMesh, RepulsionLaw, RigidMotion, SelfCollision, Solid};
    pub use crate::implicit::{Settings, Solver, Splitting};
    pub use crate::integrators::{BackwardEuler, Bdf2, ForwardBackwardEuler, ForwardEuler, ImplicitMidpoint, Rk4};
    pub use crate::run::{Cause, Ending, Observer, Run, Scenario, Scheme, SolidContact, StepError, StepReport};
    pub use crate::{Cloth, Elastic, Grid, Material, Pin, State, System, TriangleCloth, Vec3};
}

/// Standard gravity of the thesis' scenes \[m/s²\], along -z.
pub const GRAVITY: f64 = 9.81;
