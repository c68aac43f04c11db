use crate::invalid::{non_negative, within};
use crate::{Grid, ModelError, Vec3};

/// Drag of air on the faces of the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// Density of air \[kg/m³\], >= 0.
    pub air_density: f64,
    /// Resistance coefficient c_w \[-\], >= 0.
    pub coefficient: f64,
    /// Velocity of the air \[m/s\].
    pub wind: Vec3,
}

impl Drag {
    /// Force \[N\] on a particle that stands for `area` \[m²\] with unit `normal` and velocity `v`:
    /// f = -1/2 rho_air c_w A |n·v_rel| v_rel with v_rel = v - wind \[Boxerman 2003, eq. 3.17, corrected\].
    pub fn force(&self, area: f64, normal: Vec3, v: Vec3) -> Vec3 {
        let relative = v - self.wind;
        -0.5 * self.air_density * self.coefficient * area * normal.dot(&relative).abs() * relative
    }

    /// Adds drag on the triangle of `corners` to `f` \[N\]: each corner bears that on a third of it as it is now, at its own
    /// velocity, so that drag gives no particle power in the frame of the wind.
    pub(crate) fn add_to_triangle(&self, corners: [usize; 3], x: &[Vec3], v: &[Vec3], f: &mut [Vec3]) {
        let [p, q, r] = corners.map(|corner| x[corner]);
        let twice = (q - p).cross(&(r - p));
        let normal = twice.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        for corner in corners {
            f[corner] += self.force(twice.norm() / 6.0, normal, v[corner]);
        }
    }

    /// Refuses what has no meaning.
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        non_negative("the density of air", self.air_density)?;
        non_negative("the drag coefficient", self.coefficient)?;
        self.wind.iter().try_for_each(|&wind| within(wind.is_finite(), "the wind", "a finite number", wind).map(drop))
    }
}

impl Grid {
    /// Unit normal of the sheet at a particle, from its neighbours' positions `x`; zero where the sheet has collapsed.
    pub fn normal(&self, x: &[Vec3], index: usize) -> Vec3 {
        let (i, j) = (index % self.nx(), index / self.nx());
        let along = |here: usize, count: usize, stride: usize| {
            let before = if here > 0 { index - stride } else { index };
            let after = if here + 1 < count { index + stride } else { index };
            x[after] - x[before]
        };
        let normal = along(i, self.nx(), 1).cross(&along(j, self.ny(), self.nx()));
        normal.try_normalize(0.0).unwrap_or_else(Vec3::zeros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vec3> {
        (-5.0..5.0, -5.0..5.0, -5.0..5.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn drag_never_gives_power_in_the_frame_of_the_wind(normal in vector(), v in vector(), wind in vector()) {
            let drag = Drag { air_density: 1.2, coefficient: 0.5, wind };
            let power = drag.force(0.01, normal, v).dot(&(v - wind));
            prop_assert!(power <= 0.0);
        }
    }

    #[test]
    fn drag_by_hand() {
        let drag = Drag { air_density: 2.0, coefficient: 0.5, wind: Vec3::zeros() };
        // 1/2 * 2 * 0.5 * 3 * |-4| * 4, against the fall
        let force = drag.force(3.0, Vec3::z(), Vec3::new(0.0, 0.0, -4.0));
        assert_eq!(force, Vec3::new(0.0, 0.0, 24.0));
    }

    #[test]
    fn normal_of_a_tilted_sheet() {
        let grid = Grid::new(3, 4, 0.2).unwrap();
        let x: Vec<Vec3> = grid.flat().iter().map(|p| Vec3::new(p.x, p.y, p.x)).collect();
        let expected = Vec3::new(-1.0, 0.0, 1.0).normalize();
        for index in 0..grid.particle_count() {
            assert!((grid.normal(&x, index) - expected).norm() < 1e-14, "{index}");
        }
        assert_eq!(grid.normal(&[Vec3::zeros(); 12], 5), Vec3::zeros());
    }
}
