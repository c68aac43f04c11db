//! Cloth as particles and springs: the model of Boxerman 2003 (after Choi & Ko 2002), its forces and energies, and the
//! schemes that integrate it in time.
//!
//! Units are SI throughout. Symbols inside formulas: `x` positions \[m\], `v` velocities \[m/s\], `dt` time step \[s\],
//! `h` mesh spacing \[m\], `ks` spring stiffness \[N/m\], `kd` spring damping \[N s/m\], `rho` areal density \[kg/m²\],
//! `m` particle mass \[kg\], `kappa` numerical stiffness \[-\].
//!
//! ```
//! use cloth::{Cloth, Grid, Material, Pin, integrators::{ForwardBackwardEuler, Integrator}};
//!
//! let grid = Grid::new(10, 10, 0.05)?;
//! let cloth = Cloth::new(grid, Material::default(), &[Pin::index(0), Pin::index(9)])?;
//! let mut state = cloth.at_rest();
//! let mut scheme = ForwardBackwardEuler::new(cloth.grid().particle_count());
//! for _ in 0..100 {
//!     scheme.step(&cloth, 1e-3, &mut state);
//! }
//! assert!(cloth.energies(&state).gravitational < 0.0);
//! # Ok::<(), cloth::Invalid>(())
//! ```

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
mod net;
pub mod oscillator;
mod pass_on;
pub mod projective;
pub mod quantity;
mod sets;
mod spring;
pub mod stability;
pub mod statics;
mod system;
pub mod tearing;
mod ties;
pub mod triangles;

pub use bending::BendLaw;
pub use chain::{Chain, End};
pub use cloth::Cloth;
pub use drag::Drag;
pub use drive::{Drive, Sinusoid};
pub use energy::{Energies, Potential};
pub use figure::Figure;
pub use flexure::Rigidity;
pub use garment::Trousers;
pub use grid::{Family, Grid, Pin, Spring};
pub use grid_springs::GridSprings;
pub use guides::{Guided, Guides, Track};
pub use gusts::Gusts;
pub use invalid::Invalid;
pub use jacobian::{Mat3, SpringJacobian, Terms, axial_jacobian, damping_jacobian};
pub use material::{DampingForm, Elastic, Masses, Material, Stiffening};
pub use measured::{MEASURED, Measured};
pub use net::{Net, NetSpring};
pub use spring::{damping, strain_energy, tension, tension_slope};
pub use system::{Linearisation, State, System, Vec3};
pub use ties::{SoftPin, Stitch, Tied, Ties};
pub use triangles::{Bend, Fabric, TriangleCloth};

/// Standard gravity of the thesis' scenes \[m/s²\], along -z.
pub const GRAVITY: f64 = 9.81;
