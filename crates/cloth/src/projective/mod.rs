//! What projective dynamics needs beside forces \[Liu, Bargteil, O'Brien & Kavan 2013; Bouaziz et al. 2014; Stuyck 2018, ch. 6\].
//!
//! Backward Euler is a minimum over positions, of 1/(2 h²) |x - y|²_M + Σ w/2 |x_i - x_j - d_ij|² with y = x_n + h v_n, over x and
//! over d_ij of the rest length. The local step finds d_ij, the projection of x_i - x_j; the global one solves
//! (M/h² + L) x = M y/h² + J d, whose matrix does not change. With L x taken from both sides it reads
//! (M/h² + L) δ = f(x) - M (x - y)/h², x += δ, since J d - L x are the forces f: so it serves energies of any other form as well,
//! wherever L is at least as curved as they are \[Liu, Bouaziz & Kavan 2017\].

mod acceleration;
mod global;
mod local;

pub use acceleration::Acceleration;
pub(crate) use acceleration::{Chebyshev, Pairs, dot};
pub(crate) use global::Global;
pub(crate) use local::Local;
