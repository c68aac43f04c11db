//! Strips of a length of 1 m that lie along x, clamped at one end or at both.

use cloth::statics::{NoStatics, Rest, Statics};
use cloth::triangles::{Bend, Fabric, FoldLaw, Shares};
use cloth::{Masses, Rigidity, TriangleCloth};
use kit::prelude::*;

use super::alike::Alike;
use super::meshes::{Cut, Lattice, woven};

words! {
    /// What resists bending.
    pub enum Law {
        Grid = "rigidity of grids",
        Shells = "discrete shells",
        Quadratic = "quadratic bending",
        Curvature = "curvature of triangles",
        /// Hinges of one stiffness, that of the coarsest mesh.
        PerHinge = "hinges of one stiffness",
        /// Bend springs of the thesis, as stiff as the coarsest mesh asks for at a curvature of 1/L.
        BendSprings = "bend springs",
    }
}

words! {
    /// How particles of one line across the strip move.
    pub enum Motion {
        /// As one: the strip is cut out of a sheet that is bent to a cylinder.
        Alike = "alike",
        Free = "free",
    }
}

row! {
    /// A law on a mesh.
    #[derive(Copy)]
    pub struct Method {
        /// what resists bending
        pub law: Law,
        /// how the strip is cut
        pub cut: Cut,
        /// how particles of one line across move
        pub motion: Motion,
    }
}

impl Method {
    pub const fn new(law: Law, cut: Cut, motion: Motion) -> Method {
        Method { law, cut, motion }
    }

    /// Those with a rigidity, whose particles across move alike.
    pub const RIGID: [Method; 10] = [
        Method::new(Law::Grid, Cut::Squares, Motion::Alike),
        Method::new(Law::Shells, Cut::Left, Motion::Alike),
        Method::new(Law::Shells, Cut::Right, Motion::Alike),
        Method::new(Law::Shells, Cut::Alternating, Motion::Alike),
        Method::new(Law::Quadratic, Cut::Left, Motion::Alike),
        Method::new(Law::Quadratic, Cut::Right, Motion::Alike),
        Method::new(Law::Quadratic, Cut::Alternating, Motion::Alike),
        Method::new(Law::Curvature, Cut::Left, Motion::Alike),
        Method::new(Law::Curvature, Cut::Right, Motion::Alike),
        Method::new(Law::Curvature, Cut::Alternating, Motion::Alike),
    ];

    /// Those of this project's defaults.
    pub const DEFAULTS: [Method; 2] =
        [Method::new(Law::PerHinge, Cut::Alternating, Motion::Alike), Method::new(Law::BendSprings, Cut::Squares, Motion::Alike)];
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {}", self.law, self.cut)?;
        if self.motion == Motion::Free { write!(f, ", free to twist") } else { Ok(()) }
    }
}

/// A strip at rest but for its weight.
pub struct Strip {
    pub system: Box<dyn System>,
    /// Places of its particles, or of its lines of them, flat \[m\].
    pub flat: Vec<Vec3>,
    /// Those at its far end, and beside each of them the one before it on its row.
    pub tip: Vec<[usize; 2]>,
    /// Where it is clamped: the middle between its first two columns, which are held, so that the bend at the second one stands
    /// for as much of the strip as any other \[m\].
    pub clamp: f64,
    /// Between columns \[m\].
    pub h: f64,
    /// Across \[m\].
    pub width: f64,
}

/// What a strip is made of.
#[derive(Clone, Copy)]
pub struct Making {
    pub method: Method,
    /// Elements along it; of a strip that is clamped at one end half of the held one counts, at both ends half of either.
    pub elements: usize,
    /// Elements along the coarsest strip, for which stiffnesses are chosen that are none of the sheet.
    pub coarsest: usize,
    pub both_ends: bool,
    /// L \[m\].
    pub length: f64,
    /// D \[N m\].
    pub rigidity: f64,
    /// Against stretch and shear \[N/m\].
    pub stiffness: f64,
    /// rho \[kg/m²\].
    pub density: f64,
    /// \[m/s²\].
    pub gravity: Vec3,
    /// What a strip of triangles is cut out of, in place of what is said here of stiffness and density.
    pub woven: Option<Woven>,
}

/// A fabric, and how a strip lies on it.
#[derive(Clone, Copy)]
pub struct Woven {
    pub cloth: Fabric,
    /// Angle of its warp from the length of the strip \[rad\].
    pub warp: f64,
}

/// rho \[kg/m²\]; all else follows from G.
const DENSITY: f64 = 0.2;

/// Cells across strips on grids, whose width follows, and where particles across move alike.
const ACROSS: usize = 2;
/// Width over length of all others; where particles across do not move alike, their cells are squares, of which so many are enough
/// for an inside between two borders.
const WIDTH: f64 = 0.2;
const WIDEST: usize = 8;
impl Making {
    /// A strip of 1 m of a heaviness G, whose stretch stiffness is `tautness` times its weight over its width.
    pub fn of_a_meter(heaviness: f64, tautness: f64) -> Making {
        let weight = DENSITY * GRAVITY;
        Making {
            method: Method::new(Law::Grid, Cut::Squares, Motion::Alike),
            elements: 10,
            coarsest: 10,
            both_ends: false,
            length: 1.0,
            rigidity: weight / heaviness,
            stiffness: tautness * weight,
            density: DENSITY,
            gravity: Vec3::new(0.0, 0.0, -GRAVITY),
            woven: None,
        }
    }

    /// By a method.
    pub fn by(self, method: Method) -> Making {
        Making { method, ..self }
    }

    /// Columns of particles, and their distance: L/(n + 1/2), or L/(n + 1) between two clamps.
    fn columns(&self, elements: usize) -> (usize, f64) {
        let [columns, halves] = if self.both_ends { [elements + 3, 2] } else { [elements + 2, 1] };
        (columns, self.length / (elements as f64 + 0.5 * halves as f64))
    }

    fn lattice(&self) -> Lattice {
        let (columns, h) = self.columns(self.elements);
        let width = WIDTH * self.length;
        let cells = match self.method.motion {
            Motion::Free if self.method.cut != Cut::Squares => libm::round(width / h).max(1.0) as usize,
            _ => ACROSS,
        };
        let across = if self.method.cut == Cut::Squares { h } else { width / cells as f64 };
        Lattice { columns, rows: cells.min(WIDEST) + 1, h, across }
    }

    /// The strip.
    ///
    /// # Errors
    /// What makes no cloth.
    pub fn strip(&self) -> Result<Strip, ModelError> {
        let lattice = self.lattice();
        let Lattice { columns, rows, h, across } = lattice;
        let last = (columns - 1) as f64 * h;
        let is_held = |x: &Vec3| x.x < 1.5 * h || self.both_ends && x.x > last - 1.5 * h;
        let (flat, system): (Vec<Vec3>, Box<dyn System>) = if self.method.cut == Cut::Squares {
            let grid = Grid::new(columns, rows, h)?;
            let flat = grid.flat();
            let pins: Vec<Pin> = (0..flat.len()).filter(|i| is_held(&flat[*i])).map(Pin::Index).collect();
            (flat, Box::new(Cloth::new(grid, self.material(), &pins)?))
        } else {
            let mesh = lattice.cut(self.method.cut).map_err(ModelError::Mesh)?;
            let mesh = self.woven.map_or(Ok(mesh.clone()), |own| woven(&mesh, own.warp)).map_err(ModelError::Mesh)?;
            let flat = mesh.positions().to_vec();
            let pins: Vec<usize> = (0..flat.len()).filter(|i| is_held(&flat[*i])).collect();
            (flat, Box::new(TriangleCloth::new(mesh, self.fabric(), &pins)?))
        };
        let (flat, system) = match self.method.motion {
            Motion::Free => (flat, system),
            Motion::Alike => {
                let alike = Alike::new(system, &flat);
                (alike.lines_at(&flat), Box::new(alike) as Box<dyn System>)
            }
        };
        let tip = (0..flat.len()).filter(|i| (flat[*i].x - last).abs() < 0.1 * h);
        let before = |i: usize| {
            (0..flat.len()).filter(|j| flat[*j].x < last - 0.1 * h).min_by(|a, b| {
                let far = |j: usize| (flat[j] - flat[i]).norm();
                far(*a).total_cmp(&far(*b))
            })
        };
        let tip = tip.filter_map(|i| Some([before(i)?, i])).collect();
        let width = (rows - 1) as f64 * across;
        Ok(Strip { system, tip, clamp: 0.5 * h, h, width, flat })
    }

    /// On a grid.
    fn material(&self) -> Material {
        let elastic = Elastic { stiffness: self.stiffness, damping: 0.0 };
        let springs = self.method.law == Law::BendSprings;
        Material {
            density: self.density,
            stretch: elastic,
            shear: elastic,
            compression: true,
            bend: if springs { self.bend_springs() } else { 0.0 },
            rigidity: (!springs).then(|| Rigidity::isotropic(self.rigidity)),
            masses: Masses::ByArea,
            gravity: self.gravity,
            ..Material::default()
        }
    }

    /// kb \[N/m\] of springs whose energy on the coarsest grid is that of D where the strip is bent to a circle of radius L: bent
    /// by
    /// theta = h/L, one of 2 h is at the ratio s = cos(theta/2), and there is one for each cell, h²; those along diagonals, which
    /// are bent too, are left out.
    fn bend_springs(&self) -> f64 {
        let (_, h) = self.columns(self.coarsest);
        let bend = h / self.length;
        let energy = BendLaw::default().energy(libm::cos(0.5 * bend)); // kb L² F(s)
        0.5 * self.rigidity * bend * bend / (4.0 * h * h * energy)
    }

    /// As a continuum.
    fn fabric(&self) -> Fabric {
        if let Some(Woven { cloth, .. }) = self.woven {
            return cloth;
        }
        let elastic = Elastic { stiffness: self.stiffness, damping: 0.0 };
        let (fold_law, stiffness) = match self.method.law {
            Law::PerHinge => {
                let (_, h) = self.columns(self.coarsest);
                (FoldLaw::PerHinge, self.rigidity * WIDTH * self.length / ACROSS as f64 / h) // D |e|²/A of edges across
            }
            Law::Quadratic => (FoldLaw::Quadratic, self.rigidity),
            Law::Curvature => (FoldLaw::Curvature(Shares::ALIKE), self.rigidity),
            _ => (FoldLaw::Shells, self.rigidity),
        };
        let bend = Bend { stiffness, damping: 0.0 };
        Fabric {
            density: self.density,
            warp: elastic,
            weft: elastic,
            shear: elastic,
            bend,
            fold_law,
            gravity: self.gravity,
            ..Fabric::default()
        }
    }
}

impl Strip {
    /// Rest under its weight.
    ///
    /// # Errors
    /// As [`Statics::settle`].
    pub fn settle(&self, x: &mut [Vec3]) -> Result<Rest, NoStatics> {
        Statics::new(&*self.system, x)?.settle(x)
    }

    /// Where the middle of its far end is, from the clamp \[m\].
    pub fn end(&self, x: &[Vec3]) -> Vec3 {
        let sum = self.tip.iter().fold(Vec3::zeros(), |sum, [_, i]| sum + x[*i]);
        sum / self.tip.len() as f64 - Vec3::new(self.clamp, 0.0, 0.0)
    }

    /// Drop H of the far end over its reach W \[-\].
    pub fn drop_over_reach(&self, x: &[Vec3]) -> f64 {
        let end = self.end(x);
        -end.z / end.x
    }
}
