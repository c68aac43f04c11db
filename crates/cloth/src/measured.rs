use crate::triangles::Fabric;
use crate::{Elastic, Material, Rigidity};

/// A fabric that was measured \[Wang, O'Brien & Ramamoorthi 2011, whose database has its stiffness at six strains and its rigidity at
/// five curvatures in three directions\]: of the former the medians, of the latter that at the smallest curvature. What it resists with
/// beyond a line, hysteresis and damping are not in these numbers, and neither is what a model leaves out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Its name in scene files.
    pub name: &'static str,
    /// What it is made into, and of what.
    pub about: &'static str,
    /// rho \[kg/m²\].
    pub density: f64,
    /// Against stretch along the two axes of the measurement, the first of which is taken as the warp \[N/m\].
    pub stretch: [f64; 2],
    /// Against shear \[N/m\].
    pub shear: f64,
    /// D of bends along the first axis, at 45° and along the second one \[N m\].
    pub rigidity: [f64; 3],
}

/// The ten fabrics.
pub const MEASURED: [Measured; 10] = [
    of("underwear", "rib knit of cotton and spandex", 0.276, [50.7, 137.41], 8.27, [46.24e-6, 30.02e-6, 32.24e-6]),
    of("blanket", "polyester", 0.228, [152.04, 256.51], 30.3, [117.07e-6, 87.51e-6, 59.77e-6]),
    of("tablecloth", "polyester", 0.128, [2107.26, 2141.6], 31.03, [51.71e-6, 40.66e-6, 31.28e-6]),
    of("sweater", "polyester and spandex", 0.224, [62.83, 211.68], 11.86, [59.47e-6, 40.07e-6, 45.63e-6]),
    of("ponte-roma", "knit of polyester and rayon, of a jacket", 0.284, [96.04, 178.7], 29.82, [36.35e-6, 33.01e-6, 37.16e-6]),
    of("t-shirt", "interlock of cotton and polyester", 0.187, [86.64, 313.49], 27.5, [23.19e-6, 24.75e-6, 14.27e-6]),
    of("denim", "cotton and spandex, of jeans", 0.324, [225.86, 1053.64], 69.5, [64.2e-6, 73.38e-6, 96.95e-6]),
    of("swimsuit", "nylon and spandex", 0.204, [49.68, 114.54], 22.49, [60.24e-6, 58.8e-6, 51.02e-6]),
    of("jacket", "polyester", 0.113, [91.2, 300.37], 9.12, [14.29e-6, 21.95e-6, 20.35e-6]),
    of("trousers", "cotton and polyester", 0.22, [2109.52, 2143.91], 40.35, [125.41e-6, 108e-6, 125.41e-6]),
];

const fn of(
    name: &'static str,
    about: &'static str,
    density: f64,
    stretch: [f64; 2],
    shear: f64,
    rigidity: [f64; 3],
) -> Measured {
    Measured { name, about, density, stretch, shear, rigidity }
}

impl Measured {
    /// That of a name.
    pub fn named(name: &str) -> Option<&'static Measured> {
        MEASURED.iter().find(|fabric| fabric.name == name)
    }

    /// Against bending along both axes and twist: a bend at 45° has D/4 of either axis and D/2 of the twist.
    pub fn rigidity(&self) -> Rigidity {
        let [warp, bias, weft] = self.rigidity;
        Rigidity { warp, weft, twist: (2.0 * bias - 0.5 * (warp + weft)).max(0.0), damping: 0.0 }
    }

    /// As springs on a grid, which are alike along warp and weft: they have the mean. Two diagonals of stiffness k resist shear as k
    /// does \[N/m\]. What else is not measured is as it is by default.
    pub fn on_grid(&self) -> Material {
        let default = Material::default();
        let [warp, weft] = self.stretch;
        Material {
            density: self.density,
            stretch: Elastic { stiffness: 0.5 * (warp + weft), ..default.stretch },
            shear: Elastic { stiffness: self.shear, ..default.shear },
            bend: 0.0,
            rigidity: Some(self.rigidity()),
            ..default
        }
    }

    /// As a continuum of triangles.
    pub fn as_continuum(&self) -> Fabric {
        let undamped = |stiffness| Elastic { stiffness, damping: 0.0 };
        let ([warp, weft], (bend, fold_law)) = (self.stretch, self.rigidity().of_continuum());
        Fabric {
            density: self.density,
            warp: undamped(warp),
            weft: undamped(weft),
            shear: undamped(self.shear),
            bend,
            fold_law,
            ..Fabric::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cloth, Grid, TriangleCloth, Vec3};

    #[test]
    fn a_bend_on_the_bias_has_the_rigidity_that_was_measured() {
        for fabric in MEASURED {
            let Rigidity { warp, weft, twist, .. } = fabric.rigidity();
            assert!(twist > 0.0, "{}", fabric.name);
            // w = kappa s²/2 along the bias: w_xx = w_yy = w_xy = kappa/2
            let bias = 0.25 * (warp + weft) + 0.5 * twist;
            assert!((bias / fabric.rigidity[1] - 1.0).abs() < 1e-12, "{}", fabric.name);
        }
    }

    #[test]
    fn triangles_bend_as_grids_do_in_every_direction() {
        let fabric = Measured::named("denim").unwrap();
        let mesh = crate::triangles::TriangleMesh::centred(41, 41, 1.0, 1.0).unwrap();
        let continuum = TriangleCloth::new(mesh, fabric.as_continuum(), &[]).unwrap();
        let sheet = Cloth::new(Grid::new(41, 41, 0.025).unwrap(), fabric.on_grid(), &[]).unwrap();
        let mut directions = 0.0;
        for degrees in 0..12 {
            let (sine, cosine) = libm::sincos((15.0 * f64::from(degrees)).to_radians());
            let along = |x: &Vec3| cosine * x.x + sine * x.y;
            let bent = |x: &mut Vec3| x.z = 0.05 * along(x) * along(x);
            let [mut of_triangles, mut of_sheet] = [continuum.at_rest(), sheet.at_rest()];
            of_triangles.x.iter_mut().for_each(bent);
            of_sheet.x.iter_mut().for_each(bent);
            let [found, on_grid] = [continuum.energies(&of_triangles).bend, sheet.energies(&of_sheet).bend];
            let Rigidity { warp, weft, twist, .. } = fabric.rigidity();
            let (c, s) = (cosine * cosine, sine * sine);
            let rigidity = warp * c * c + 2.0 * twist * c * s + weft * s * s;
            let expected = 0.5 * rigidity * 0.01; // but for borders, which bear no moment
            assert!(
                (found / expected - 1.0).abs() < 0.06 && (on_grid / expected - 1.0).abs() < 0.06,
                "{degrees}: {found} {on_grid}"
            );
            directions += rigidity / 12.0;
        }
        assert!((directions / fabric.rigidity().mean() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn grids_and_triangles_of_a_fabric_resist_stretch_and_shear_alike_whatever_their_mesh() {
        let fabric = Measured { stretch: [300.0; 2], ..*Measured::named("denim").unwrap() };
        let material = fabric.on_grid();
        let energies = |side: usize, place: fn(&Vec3) -> Vec3| {
            let grid = Grid::new(side, side, 1.0 / (side - 1) as f64).unwrap();
            let sheet = Cloth::new(grid, material, &[]).unwrap();
            let mut state = sheet.at_rest();
            state.x.iter_mut().for_each(|x| *x = place(x));
            let mesh = crate::triangles::TriangleMesh::regular(side, side, 1.0, 1.0).unwrap();
            let continuum = TriangleCloth::new(mesh, fabric.as_continuum(), &[]).unwrap();
            let mut of_triangles = continuum.at_rest();
            of_triangles.x.iter_mut().for_each(|x| *x = place(x));
            [sheet.energies(&state), continuum.energies(&of_triangles)]
        };
        // stretched along the warp by 1 %: k/2 e² of the continuum; a grid has its border rows whole, and diagonals beside them
        let [sheet, continuum] = energies(101, |x| Vec3::new(1.01 * x.x, x.y, 0.0));
        let expected = 0.5 * 300.0 * 1e-4;
        assert!((continuum.stretch / expected - 1.0).abs() < 1e-9 && (sheet.stretch / expected - 1.0).abs() < 0.0101);
        // sheared by 2 %, half of it along either axis
        let [sheet, continuum] = energies(101, |x| Vec3::new(x.x + 0.01 * x.y, x.y + 0.01 * x.x, 0.0));
        let expected = 0.5 * 69.5 * 4e-4;
        assert!((continuum.shear / expected - 1.0).abs() < 1e-3, "{}", continuum.shear / expected);
        assert!(
            (2.0 * sheet.shear / expected - 1.0).abs() < 0.02,
            "{}: one diagonal of two is stretched",
            sheet.shear / expected
        );
    }
}
