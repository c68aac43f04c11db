use nalgebra::Matrix3;
use serde::Deserialize;

use crate::{DampingForm, Vec3};

/// A 3 x 3 matrix.
pub type Mat3 = Matrix3<f64>;

/// Which terms of the exact derivatives a Jacobian keeps.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Terms {
    /// As in the thesis: without the transverse part of a spring that pushes, and without the derivative of damping by
    /// position. -K and -D of the sheet are then positive semidefinite.
    #[default]
    Filtered,
    /// All of them: neither definite nor, with projected damping, symmetric.
    Exact,
    /// Filtered, with the derivative of projected damping by position made symmetric \[Boxerman 2003, eq. 3.16\].
    DampingByPosition,
}

/// Derivatives of the force of a spring and its damper on its first particle, by position and by velocity of its second one;
/// those by its own are the negatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringJacobian {
    /// df_i / dx_j \[N/m\].
    pub position: Mat3,
    /// df_i / dv_j \[N s/m\].
    pub velocity: Mat3,
}

impl SpringJacobian {
    /// Of a spring that does not act.
    pub fn zero() -> SpringJacobian {
        SpringJacobian { position: Mat3::zeros(), velocity: Mat3::zeros() }
    }
}

/// Derivative of an axial force T(|x|) x / |x| by x = x_j - x_i \[N/m\], of a spring with tension T \[N\] and slope T' \[N/m\]:
/// T' n nᵀ + T / |x| (I - n nᵀ) \[Boxerman 2003, eq. 3.7, corrected\]. Filtered, the second part is dropped where T < 0, as in
/// (3.10).
#[inline]
pub fn axial_jacobian(tension: f64, slope: f64, x: Vec3, terms: Terms) -> Mat3 {
    let length = x.norm();
    let along = x * x.transpose() / (length * length);
    let transverse = if terms == Terms::Exact { tension } else { tension.max(0.0) } / length;
    slope * along + transverse * (Mat3::identity() - along)
}

/// Derivatives of a damper's force by v = v_j - v_i and by x = x_j - x_i.
#[inline]
pub fn damping_jacobian(form: DampingForm, kd: f64, x: Vec3, v: Vec3, terms: Terms) -> SpringJacobian {
    let rate = v.dot(&x);
    let square = x.dot(&x);
    match form {
        DampingForm::Plain => SpringJacobian { position: Mat3::zeros(), velocity: kd * Mat3::identity() },
        DampingForm::Projected if rate < 0.0 => SpringJacobian::zero(),
        DampingForm::Projected => {
            let along = x * x.transpose() / square;
            // kd / x·x (x vᵀ + (x·v) (I - 2 x xᵀ / x·x))  [Boxerman 2003, eq. 3.16]
            let exact = kd / square * (x * v.transpose() + rate * (Mat3::identity() - 2.0 * along));
            let position = match terms {
                Terms::Exact => exact,
                Terms::Filtered => Mat3::zeros(),
                Terms::DampingByPosition => 0.5 * (exact + exact.transpose()),
            };
            SpringJacobian { position, velocity: kd * along } // kd x xᵀ / x·x  [Boxerman 2003, eq. 3.15]
        }
    }
}
