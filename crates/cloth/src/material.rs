use serde::Deserialize;

use crate::invalid::{non_negative, normal};
use crate::{BendLaw, Drag, GRAVITY, ModelError, Rigidity, Vec3};

/// Stiffness and damping of a family of springs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elastic {
    /// ks \[N/m\], >= 0.
    pub stiffness: f64,
    /// kd \[N s/m\], >= 0.
    pub damping: f64,
}

/// How a spring's damper acts.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum DampingForm {
    /// Along the spring only, while it elongates \[Boxerman 2003, eq. 3.14\].
    Projected,
    /// f_i = kd (v_j - v_i) \[Boxerman 2003, eq. 3.12\]: damps rigid rotation too.
    Plain,
}

/// How the mass of the sheet is shared among its particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Masses {
    /// m = rho h² for every particle \[Boxerman 2003, 4.1.3\].
    Equal,
    /// Half on edges, a quarter in corners: the area that each particle stands for.
    ByArea,
    /// Equal, with the particles on the borders heavier by this factor: a hem.
    Hem(f64),
}

/// A second slope of the stretch and shear springs: tension grows with `factor` ks beyond `strain` \[Stuyck 2018\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffening {
    /// Strain at the knee \[-\], > 0.
    pub strain: f64,
    /// Slope beyond the knee over the slope before it \[-\], >= 0.
    pub factor: f64,
}

impl Stiffening {
    /// Refuses what has no meaning.
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        normal("the strain at which springs stiffen", self.strain)?;
        non_negative("the factor by which springs stiffen", self.factor).map(drop)
    }
}

/// What the sheet is made of and what acts on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// rho, areal density \[kg/m²\], > 0.
    pub density: f64,
    /// Springs to the nearest neighbours.
    pub stretch: Elastic,
    /// Springs to the diagonal neighbours.
    pub shear: Elastic,
    /// kb, bending stiffness \[N/m\], >= 0.
    pub bend: f64,
    /// How the force of bend springs rises with their compression.
    pub bend_law: BendLaw,
    /// Bending by rigidity, beside that of bend springs or in their place.
    pub rigidity: Option<Rigidity>,
    /// How springs are damped.
    pub damping: DampingForm,
    /// A stretch or shear spring counts as extended where |x| >= L (1 - tolerance) \[-\]: a spring at its exact rest length
    /// must not flip with rounding.
    pub extension_tolerance: f64,
    /// Stretch and shear springs that act in compression too: not the thesis' model but the textbook's.
    pub compression: bool,
    /// A knee in the stiffness of stretch and shear.
    pub stiffening: Option<Stiffening>,
    /// How mass is shared.
    pub masses: Masses,
    /// ka, linear air resistance of a particle, f = -ka v \[N s/m\], >= 0.
    pub air: f64,
    /// Drag that depends on the sheet's direction.
    pub drag: Option<Drag>,
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
}

impl Material {
    /// Whether springs are softer beyond a knee.
    pub fn softens(&self) -> bool {
        self.stiffening.is_some_and(|stiffening| stiffening.factor < 1.0)
    }

    /// Whether its dampers have a potential: there are none, or plain ones on springs that always act, as bending does.
    pub fn has_potential(&self) -> bool {
        let is_plain = self.damping == DampingForm::Plain;
        let of_springs = self.stretch.damping + self.shear.damping == 0.0 || (is_plain && self.compression);
        of_springs && (is_plain || self.rigidity.is_none_or(|rigidity| rigidity.damping == 0.0))
    }
}

impl Default for Material {
    /// The sheet of the thesis' damping experiment \[Boxerman 2003, 4.2.4\], with projected damping of 0.1 N s/m.
    fn default() -> Material {
        Material {
            density: 0.5,
            stretch: Elastic { stiffness: 1000.0, damping: 0.1 },
            shear: Elastic { stiffness: 1000.0, damping: 0.1 },
            bend: 0.01,
            bend_law: BendLaw::default(),
            rigidity: None,
            damping: DampingForm::Projected,
            extension_tolerance: 1e-12,
            compression: false,
            stiffening: None,
            masses: Masses::Equal,
            air: 0.0,
            drag: None,
            gravity: Vec3::new(0.0, 0.0, -GRAVITY),
        }
    }
}
