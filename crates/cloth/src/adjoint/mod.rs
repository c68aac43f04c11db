//! Control by adjoints \[Wojtan, Mucha & Turk 2006; Stuyck 2018, ch. 8\]: the gradient of what is wanted of a run by all
//! that may be chosen about it, for less than the work of one run more, however much that is.
//!
//! A step of converged backward Euler solves g(v') = M (v' - v) - dt f(x', v', p) - dt u = 0 with x' = x + dt v' for forces u and
//! constants p of the material. What a sum phi over states changes by when all later states follow is kept as lambda_x and
//! lambda_v. Backward in time, with K and D the derivatives of f at the end of the step:
//!
//! - Wᵀ q = lambda_v + dt lambda_x, W = M - dt D - dt² K,
//! - d phi/du += dt q, d phi/dp += q·(dt df/dp - dM/dp (v' - v)),
//! - lambda_x += dt Kᵀ q, lambda_v = M q.
//!
//! Only a step that solves its equation has these derivatives: one linearised step would ask for second derivatives of forces.
//! Where springs become slack, phi has kinks; between them the gradient is exact, since W has the springs that act. Where a damper
//! ends with its spring, forces jump, and a step may have no solution at all.

mod constant;
mod differentiable;
mod forced;
mod forces;
mod goal;
mod gradient;
mod no_gradient;
mod transposed;

#[cfg(test)]
mod tests;

pub use constant::{Constant, Part};
pub use differentiable::Differentiable;
pub use forced::Forced;
pub use forces::{Forces, InvalidForces};
pub use goal::{Goal, KeyFrame};
pub use gradient::{Adjoint, Cost, Gradient, Task};
pub use no_gradient::{NoGradient, Obstacle};
