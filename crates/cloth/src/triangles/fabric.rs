use crate::invalid::{non_negative, positive};
use crate::{Drag, Elastic, GRAVITY, ModelError, Rigidity, Vec3};

/// Stiffness and damping of a hinge between two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// kb \[J\], >= 0, or a rigidity D \[N m\]: see [`FoldLaw`].
    pub stiffness: f64,
    /// kd \[J s\], >= 0.
    pub damping: f64,
}

/// What bending costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FoldLaw {
    /// kb/2 theta² at each hinge, on every mesh a resistance of its own \[Parks & Forsyth 2002, eq. 6\].
    #[default]
    PerHinge,
    /// Discrete shells \[Grinspun et al. 2003\]: D/2 |e|²/A theta², whose stiffness is a rigidity D \[N m\].
    Shells,
    /// The square of the curvature's normal in place of the angle's, quadratic in positions \[Bergou et al. 2006\].
    Quadratic,
    /// The curvature of each triangle, told by it and those around it, quadratic in positions: a rigidity D \[N m\] on any mesh, with
    /// these shares of it in each direction.
    Curvature(Shares),
}

/// Shares of a rigidity that a sheet has in each direction \[-\], >= 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// Of curvature along the warp.
    pub warp: f64,
    /// Of curvature along the weft.
    pub weft: f64,
    /// Of twist.
    pub twist: f64,
}

impl Shares {
    /// The whole of it in all directions.
    pub const ALIKE: Shares = Shares { warp: 1.0, weft: 1.0, twist: 1.0 };
}

impl Rigidity {
    /// The bending of a continuum that has this rigidity: its largest part, and the shares of it.
    pub fn of_continuum(&self) -> (Bend, FoldLaw) {
        let Rigidity { warp, weft, twist, damping } = *self;
        let stiffness = warp.max(weft).max(twist);
        let of = |d: f64| if d == stiffness { 1.0 } else { d / stiffness };
        let shares = Shares { warp: of(warp), weft: of(weft), twist: of(twist) };
        (Bend { stiffness, damping }, FoldLaw::Curvature(shares))
    }
}

/// Weight of a triangle's conditions of stretch and shear in its energy. The conditions C have the area a as a factor.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// E = k/2a C²: k is a force per width \[N/m\], and energies do not depend on the size of triangles. Deviation from the print.
    #[default]
    Area,
    /// E = k/2 C², as \[Parks & Forsyth 2002, eq. 4 and 5\] print it: k in N/m³, its damping in N s/m³. Energies go with a², so
    /// that finer triangles are softer. Where all triangles have one area, it is [`Weighting::Area`] with k a.
    AsPrinted,
}

impl Weighting {
    /// Factor of the energy of a triangle of area `a` \[m²\].
    pub(super) fn of(self, a: f64) -> f64 {
        match self {
            Weighting::Area => a,
            Weighting::AsPrinted => a * a,
        }
    }
}

/// What a sheet of triangles is made of and what acts on it. The stiffness of warp, weft and shear is a force per width, so that
/// energies do not depend on the size of triangles; that of bending is one of each hinge, or a rigidity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// rho, areal density \[kg/m²\], > 0.
    pub density: f64,
    /// Against stretch and compression along the warp.
    pub warp: Elastic,
    /// Against stretch and compression along the weft.
    pub weft: Elastic,
    /// Against shear.
    pub shear: Elastic,
    /// Weight of these three in each triangle.
    pub weighting: Weighting,
    /// Against bending, at each hinge.
    pub bend: Bend,
    /// What that costs.
    pub fold_law: FoldLaw,
    /// ka, linear air resistance of a particle, f = -ka v \[N s/m\], >= 0.
    pub air: f64,
    /// Drag that depends on the direction of each triangle.
    pub drag: Option<Drag>,
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
}

impl Default for Fabric {
    /// Without damping, and as soft as one whose energy decays as in Parks & Forsyth 2002, who do not give theirs.
    fn default() -> Fabric {
        let undamped = |stiffness| Elastic { stiffness, damping: 0.0 };
        Fabric {
            density: 0.1,
            warp: undamped(10.0),
            weft: undamped(10.0),
            shear: undamped(1.0),
            weighting: Weighting::Area,
            bend: Bend { stiffness: 1e-5, damping: 0.0 },
            fold_law: FoldLaw::PerHinge,
            air: 0.0,
            drag: None,
            gravity: Vec3::new(0.0, 0.0, -GRAVITY),
        }
    }
}

impl Fabric {
    /// Of warp and weft.
    pub(super) fn stretch(&self) -> [Elastic; 2] {
        [self.warp, self.weft]
    }

    pub(super) fn bends(&self) -> bool {
        self.bend.stiffness > 0.0 || self.bend.damping > 0.0
    }

    /// Whether anything inside the cloth is damped.
    pub fn is_damped(&self) -> bool {
        [self.warp.damping, self.weft.damping, self.shear.damping, self.bend.damping].iter().any(|damping| *damping > 0.0)
    }

    /// Refuses what has no meaning.
    pub(super) fn check(&self) -> Result<(), ModelError> {
        positive("the areal density", self.density)?;
        let drag = self.drag.map_or([0.0; 2], |drag| [drag.air_density, drag.coefficient]);
        let shares = if let FoldLaw::Curvature(shares) = self.fold_law { shares } else { Shares::ALIKE };
        let quantities = [
            ("the stiffness of the warp", self.warp.stiffness),
            ("the damping of the warp", self.warp.damping),
            ("the stiffness of the weft", self.weft.stiffness),
            ("the damping of the weft", self.weft.damping),
            ("the shear stiffness", self.shear.stiffness),
            ("the shear damping", self.shear.damping),
            ("the bending stiffness", self.bend.stiffness),
            ("the bending damping", self.bend.damping),
            ("the share of the rigidity along the warp", shares.warp),
            ("the share of the rigidity along the weft", shares.weft),
            ("the share of the rigidity against twist", shares.twist),
            ("the air resistance", self.air),
            ("the density of air", drag[0]),
            ("the drag coefficient", drag[1]),
        ];
        quantities.into_iter().try_for_each(|(quantity, value)| non_negative(quantity, value).map(drop))
    }
}
