//! Strips that lie along x, clamped at one end: meshes, laws of bending, and what holds them.

use cloth::triangles::{Bend, Fabric, FoldLaw, TriangleMesh};
use cloth::{Masses, Rigidity, TriangleCloth};

use crate::prelude::*;

words! {
    /// What resists bending.
    pub enum Law {
        Grid = "grid rigidity",
        Shells = "discrete shells",
        Quadratic = "quadratic bending",
    }
}

words! {
    /// How cells are cut into triangles.
    pub enum Cut {
        /// Not at all: springs on a grid.
        Squares = "squares",
        Alternating = "alternating diagonals",
    }
}

/// A strip at rest but for its weight.
pub struct Strip {
    pub system: Box<dyn System>,
    /// Places of its particles, flat \[m\].
    pub flat: Vec<Vec3>,
    /// Particles at its free end.
    pub tip: Vec<usize>,
    /// Where it is clamped: the middle between its first two columns, which are held, so that the bend at the second one stands
    /// for as much of the strip as any other \[m\].
    pub clamp: f64,
}

/// What a strip of a length of 1 m is made of.
#[derive(Clone, Copy)]
pub struct Making {
    pub law: Law,
    pub cut: Cut,
    /// Cells along it that are not held; with half of the one that is they are its length.
    pub elements: usize,
    /// D \[N m\].
    pub rigidity: f64,
    /// Against stretch and shear \[N/m\].
    pub stiffness: f64,
    /// rho \[kg/m²\].
    pub density: f64,
    /// \[m/s²\].
    pub gravity: Vec3,
}

/// Cells across.
const ACROSS: usize = 2;

impl Making {
    /// Cells of a side of h = L/(elements + 1/2).
    pub fn strip(&self) -> Result<Strip, Invalid> {
        let (columns, rows) = (self.elements + 2, ACROSS + 1);
        let h = 1.0 / (self.elements as f64 + 0.5);
        let elastic = Elastic { stiffness: self.stiffness, damping: 0.0 };
        let held = (0..rows).flat_map(|j| [j * columns, j * columns + 1]);
        let tip = (0..rows).map(|j| j * columns + columns - 1).collect();
        let (flat, system): (_, Box<dyn System>) = match self.cut {
            Cut::Squares => {
                let material = Material {
                    density: self.density,
                    stretch: elastic,
                    shear: elastic,
                    compression: true,
                    bend: 0.0,
                    rigidity: Some(Rigidity::isotropic(self.rigidity)),
                    masses: Masses::ByArea,
                    gravity: self.gravity,
                    ..Material::default()
                };
                let pins: Vec<Pin> = held.map(Pin::Index).collect();
                let cloth = Cloth::new(Grid::new(columns, rows, h)?, material, &pins)?;
                (cloth.at_rest().x, Box::new(cloth))
            }
            Cut::Alternating => {
                let fabric = Fabric {
                    density: self.density,
                    warp: elastic,
                    weft: elastic,
                    shear: elastic,
                    bend: Bend { stiffness: self.rigidity, damping: 0.0 },
                    fold_law: if self.law == Law::Shells { FoldLaw::Shells } else { FoldLaw::Quadratic },
                    gravity: self.gravity,
                    ..Fabric::default()
                };
                let mesh = TriangleMesh::regular(columns, rows, (columns - 1) as f64 * h, ACROSS as f64 * h)?;
                let cloth = TriangleCloth::new(mesh, fabric, &held.collect::<Vec<_>>())?;
                (cloth.at_rest().x, Box::new(cloth))
            }
        };
        Ok(Strip { system, flat, tip, clamp: 0.5 * h })
    }
}

impl Strip {
    /// Drop H of the tip over its reach W \[-\].
    pub fn drop_over_reach(&self, x: &[Vec3]) -> f64 {
        let tip = self.tip.iter().fold(Vec3::zeros(), |sum, &i| sum + x[i]) / self.tip.len() as f64;
        -tip.z / (tip.x - self.clamp)
    }
}
