use nalgebra::Unit;
use thiserror::Error;

use crate::{Mat3, Vec3};

/// Two directions are parallel when the sine of the angle between them is at most this.
const PARALLEL: f64 = 1e-8;

/// Which motion of a row is prescribed: the projection S_i \[Boxerman 2003, eq. 5.1\].
///
/// Numbers of degrees of freedom as in section 5.2 of the thesis; its section 5.3.1 has 0 and 3 the wrong way round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Constraint {
    /// Nothing is prescribed: ndof = 3, S = I.
    #[default]
    Free,
    /// The motion along a unit normal xi is prescribed: ndof = 2, S = I - xi xiᵀ.
    Plane(Unit<Vec3>),
    /// The motion is free along a unit direction zeta only: ndof = 1, S = zeta zetaᵀ = I - xi xiᵀ - eta etaᵀ, where xi, eta,
    /// zeta are orthonormal.
    Line(Unit<Vec3>),
    /// All motion is prescribed: ndof = 0, S = 0.
    Fixed,
}

/// Why directions do not make a constraint.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum InvalidDirection {
    /// A vector that points nowhere.
    #[error("a constrained direction must be finite and not zero, not {:?}", .0.as_slice())]
    NoDirection(Vec3),
    /// Two directions that are one.
    #[error("the directions {:?} and {:?} are parallel: constrain one of them, as a plane", .0.as_slice(), .1.as_slice())]
    Parallel(Vec3, Vec3),
}

impl Constraint {
    /// Prescribes the motion along `normal`, of any length.
    ///
    /// # Errors
    /// [`InvalidDirection::NoDirection`] where it is zero or not finite.
    pub fn plane(normal: Vec3) -> Result<Constraint, InvalidDirection> {
        Ok(Constraint::Plane(direction(normal)?))
    }

    /// Prescribes the motion along `first` and `second`, of any length and at any angle, and so in the plane that they span.
    ///
    /// # Errors
    /// [`InvalidDirection`] where one is zero or not finite, or both are parallel.
    pub fn line(first: Vec3, second: Vec3) -> Result<Constraint, InvalidDirection> {
        let (xi, second_unit) = (direction(first)?, direction(second)?);
        let across = xi.cross(&second_unit);
        if across.norm() <= PARALLEL {
            return Err(InvalidDirection::Parallel(first, second));
        }
        Ok(Constraint::Line(direction(across)?))
    }

    /// Number of degrees of freedom, 0 to 3.
    pub fn ndof(&self) -> usize {
        match self {
            Constraint::Free => 3,
            Constraint::Plane(_) => 2,
            Constraint::Line(_) => 1,
            Constraint::Fixed => 0,
        }
    }

    /// S \[Boxerman 2003, eq. 5.1\].
    pub fn projection(&self) -> Mat3 {
        match self {
            Constraint::Free => Mat3::identity(),
            Constraint::Plane(xi) => Mat3::identity() - xi.into_inner() * xi.transpose(),
            Constraint::Line(zeta) => zeta.into_inner() * zeta.transpose(),
            Constraint::Fixed => Mat3::zeros(),
        }
    }

    /// Replaces `v` by S v, in place.
    #[inline]
    pub fn project(&self, v: &mut Vec3) {
        match self {
            Constraint::Free => {}
            Constraint::Plane(xi) => *v -= xi.into_inner() * xi.dot(v), // (I - xi xiᵀ) v
            Constraint::Line(zeta) => *v = zeta.into_inner() * zeta.dot(v), // zeta zetaᵀ v
            Constraint::Fixed => *v = Vec3::zeros(),
        }
    }

    /// Replaces `x` by S x + (I - S) z, in place.
    #[inline]
    pub fn impose(&self, z: &Vec3, x: &mut Vec3) {
        match self {
            Constraint::Free => {}
            Constraint::Plane(xi) => *x += xi.into_inner() * xi.dot(&(z - *x)), // x + xi xiᵀ (z - x)
            Constraint::Line(zeta) => *x = z + zeta.into_inner() * zeta.dot(&(*x - z)), // z + zeta zetaᵀ (x - z)
            Constraint::Fixed => *x = *z,
        }
    }

    /// S C S + c (I - S), with c = tr(S C S) / ndof, or 1 where that is not positive.
    ///
    /// The thesis has c = 1 \[Boxerman 2003, eq. 5.4\], which is the same on vectors of range(S) whatever c > 0: (I - S) is
    /// only there to be invertible. Of the size of C it keeps the digits of C, which at masses of 1e-8 kg an entry 1 takes.
    pub fn project_block(&self, block: &Mat3) -> Mat3 {
        match self {
            Constraint::Free => *block,
            Constraint::Plane(_) | Constraint::Line(_) => {
                let s = self.projection();
                let projected = s * block * s;
                let mean = projected.trace() / self.ndof() as f64;
                projected + (if mean > 0.0 { mean } else { 1.0 }) * (Mat3::identity() - s)
            }
            Constraint::Fixed => Mat3::identity(),
        }
    }
}

/// Replaces every row of `v` by S_i v_i, in place; both shapes \[rows\].
///
/// # Panics
/// Where the lengths differ.
pub fn project(constraints: &[Constraint], v: &mut [Vec3]) {
    assert_eq!(constraints.len(), v.len(), "one constraint for each row");
    for (constraint, v) in constraints.iter().zip(v) {
        constraint.project(v);
    }
}

/// Replaces every row of `x` by S_i x_i + (I - S_i) z_i, in place; all shapes \[rows\].
pub(crate) fn impose(constraints: &[Constraint], z: &[Vec3], x: &mut [Vec3]) {
    for ((constraint, z), x) in constraints.iter().zip(z).zip(x) {
        constraint.impose(z, x);
    }
}

/// The unit vector along `v`, whose length may be anything but zero or infinite.
fn direction(v: Vec3) -> Result<Unit<Vec3>, InvalidDirection> {
    let largest = v.amax();
    if largest == 0.0 || v.iter().any(|entry| !entry.is_finite()) {
        return Err(InvalidDirection::NoDirection(v));
    }
    Ok(Unit::new_normalize(v / largest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vec3> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    fn constraint() -> impl Strategy<Value = Constraint> {
        (0..4, vector(), vector()).prop_filter_map("directions", |(ndof, first, second)| match ndof {
            0 => Some(Constraint::Fixed),
            1 => Constraint::line(first, second).ok(),
            2 => Constraint::plane(first).ok(),
            _ => Some(Constraint::Free),
        })
    }

    proptest! {
        #[test]
        fn s_is_an_orthogonal_projection_of_rank_ndof(constraint in constraint(), u in vector(), z in vector()) {
            let s = constraint.projection();
            prop_assert!((s * s - s).amax() < 1e-15 && (s - s.transpose()).amax() < 1e-16);
            prop_assert!((s.trace() - constraint.ndof() as f64).abs() < 1e-15);
            let mut projected = u;
            constraint.project(&mut projected);
            prop_assert!((projected - s * u).amax() < 1e-15);
            let mut imposed = u;
            constraint.impose(&z, &mut imposed);
            prop_assert!((imposed - (s * u + z - s * z)).amax() < 1e-15);
        }

        #[test]
        fn a_projected_block_is_positive_and_acts_as_c_on_the_range(
            constraint in constraint(), u in vector(), root in prop::array::uniform3(vector()),
        ) {
            let root = Mat3::from_columns(&root);
            let block = root * root.transpose() + 0.1 * Mat3::identity();
            let (s, projected) = (constraint.projection(), constraint.project_block(&block));
            prop_assert!((s * projected * s - s * block * s).amax() < 1e-14);
            prop_assert!(((Mat3::identity() - s) * projected * s).amax() < 1e-14, "the ranges are mixed");
            prop_assert!(u.dot(&(projected * u)) >= 0.09 * u.norm_squared(), "smaller than the smallest eigenvalue of C");
        }
    }

    #[test]
    fn the_projections_by_hand() {
        let plane = Constraint::plane(Vec3::new(0.0, 0.0, -3.0)).unwrap();
        assert_eq!(plane.projection(), Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0)));
        // prescribed along x and along the diagonal of x and y: free along z
        let line = Constraint::line(2.0 * Vec3::x(), Vec3::new(1.0, 1.0, 0.0)).unwrap();
        assert_eq!(line.projection(), Mat3::from_diagonal(&Vec3::new(0.0, 0.0, 1.0)));
        assert_eq!([Constraint::Free, plane, line, Constraint::Fixed].map(|constraint| constraint.ndof()), [3, 2, 1, 0]);
        let block = Mat3::new(4.0, 1.0, 9.0, 1.0, 2.0, 9.0, 9.0, 9.0, -7.0);
        let expected = Mat3::new(4.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 3.0);
        assert_eq!(plane.project_block(&block), expected);
        assert_eq!(Constraint::Fixed.project_block(&block), Mat3::identity());
        // not positive on the range: stays so
        assert_eq!(line.project_block(&block), Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -7.0)));
    }

    #[test]
    fn lengths_do_not_matter_but_directions_do() {
        for length in [5e-324, 1e-200, 1e200] {
            assert_eq!(Constraint::plane(Vec3::new(0.0, length, 0.0)), Constraint::plane(Vec3::y()), "{length}");
        }
        for axis in 0..3 {
            let mut nowhere = Vec3::repeat(1.0);
            nowhere[axis] = f64::NAN;
            assert!(matches!(Constraint::plane(nowhere), Err(InvalidDirection::NoDirection(_))), "{axis}");
        }
        assert!(matches!(Constraint::line(Vec3::x(), Vec3::repeat(f64::INFINITY)), Err(InvalidDirection::NoDirection(_))));
        assert_eq!(Constraint::plane(Vec3::zeros()), Err(InvalidDirection::NoDirection(Vec3::zeros())));
        let parallel = Constraint::line(Vec3::x(), -2.0 * Vec3::x());
        assert_eq!(parallel, Err(InvalidDirection::Parallel(Vec3::x(), -2.0 * Vec3::x())));
        assert!(Constraint::line(Vec3::x(), Vec3::new(1.0, 1e-7, 0.0)).is_ok());
        assert!(Constraint::line(Vec3::x(), Vec3::new(1.0, 1e-9, 0.0)).is_err());
    }

    #[test]
    #[should_panic(expected = "one constraint for each row")]
    fn another_number_of_rows_is_refused() {
        project(&[Constraint::Fixed], &mut [Vec3::x(), Vec3::y()]);
    }
}
