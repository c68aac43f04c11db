//! The key `bend` of a material: a number, or a section.

use serde::Deserialize;

use crate::key::{named, section};
use crate::section::NumberOr;
use cloth::quantity::NonNegative;
use cloth::triangles::{Bend, FoldLaw};
use cloth::{Elastic, Rigidity};

section! {
    /// Resistance to bending: of each spring or hinge by its stiffness, of the cloth whatever its mesh by its rigidity.
    #[derive(Clone, Copy, Default)]
    pub(super) struct BendSection = "a section { rigidity, damping }, on triangles also { stiffness, damping }" {
        stiffness["J, of springs N/m"]: Option<NonNegative>,
        damping["J s, of springs N s/m"]: Option<NonNegative>,
        rigidity["N m"]: Option<NumberOr<RigiditySection>>,
        law: Option<LawName>,
    }
}

section! {
    #[derive(Clone, Copy, Default)]
    pub(super) struct RigiditySection = "a section { warp, weft, twist }" {
        warp["N m"]: Option<NonNegative>,
        weft["N m"]: Option<NonNegative>,
        twist["N m"]: Option<NonNegative>,
    }
}

/// The law of a rigidity on triangles.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LawName {
    Curvature,
    Quadratic,
    Shells,
}

named!(LawName);

impl NumberOr<RigiditySection> {
    /// Of all directions alike, or of each.
    fn rigidity(self, damping: f64) -> Rigidity {
        let of = |number: Option<NonNegative>| number.map_or(0.0, NonNegative::get);
        match self {
            NumberOr::Number(rigidity) => Rigidity { damping, ..Rigidity::isotropic(rigidity.get()) },
            NumberOr::Keys(RigiditySection { warp, weft, twist }) => {
                Rigidity { warp: of(warp), weft: of(weft), twist: of(twist), damping }
            }
        }
    }
}

/// What is wrong with the section of a kind of cloth.
type Refusal = &'static str;

impl NumberOr<BendSection> {
    /// kb of bend springs \[N/m\] and rigidity of a grid: springs do not bend beside a rigidity.
    pub fn of_grid(self) -> Result<(f64, Option<Rigidity>), Refusal> {
        let BendSection { stiffness, damping, rigidity, law } = match self {
            NumberOr::Number(stiffness) => return Ok((stiffness.get(), None)),
            NumberOr::Keys(keys) => keys,
        };
        match (rigidity, stiffness, law) {
            (None, ..) => Err("must be a finite number on a grid, zero or above, or a section with rigidity"),
            (Some(_), Some(_), _) => Err(EITHER),
            (Some(_), None, Some(_)) => Err("has a law on triangles only: leave `law` out on a grid"),
            (Some(rigidity), None, None) => Ok((0.0, Some(rigidity.rigidity(damping.map_or(0.0, NonNegative::get))))),
        }
    }

    /// Bending of a continuum: of hinges by their stiffness, or by a rigidity and its law.
    pub fn of_continuum(self, (default, default_law): (Bend, FoldLaw)) -> Result<(Bend, FoldLaw), Refusal> {
        let BendSection { stiffness, damping, rigidity, law } = match self {
            NumberOr::Number(stiffness) => return Ok((Bend { stiffness: stiffness.get(), ..default }, FoldLaw::PerHinge)),
            NumberOr::Keys(keys) => keys,
        };
        let damping = damping.map_or(default.damping, NonNegative::get);
        let of = |stiffness: NonNegative| Bend { stiffness: stiffness.get(), damping };
        match (rigidity, stiffness, law) {
            (None, _, Some(_)) => Err("needs a rigidity beside its law"),
            (None, None, None) => Ok((Bend { damping, ..default }, default_law)),
            (None, Some(stiffness), None) => Ok((of(stiffness), FoldLaw::PerHinge)),
            (Some(_), Some(_), _) => Err(EITHER),
            (Some(rigidity), None, None | Some(LawName::Curvature)) => Ok(rigidity.rigidity(damping).of_continuum()),
            (Some(NumberOr::Keys(_)), None, Some(_)) => Err("has one rigidity for all directions by this law: leave `law` out"),
            (Some(NumberOr::Number(rigidity)), None, Some(LawName::Quadratic)) => Ok((of(rigidity), FoldLaw::Quadratic)),
            (Some(NumberOr::Number(rigidity)), None, Some(LawName::Shells)) => Ok((of(rigidity), FoldLaw::Shells)),
        }
    }

    /// Stiffness and damping of springs.
    pub fn of_springs(self, default: Elastic) -> Result<Elastic, Refusal> {
        match self {
            NumberOr::Number(stiffness) => Ok(Elastic { stiffness: stiffness.get(), ..default }),
            NumberOr::Keys(BendSection { rigidity: None, law: None, stiffness, damping }) => Ok(Elastic {
                stiffness: stiffness.map_or(default.stiffness, NonNegative::get),
                damping: damping.map_or(default.damping, NonNegative::get),
            }),
            NumberOr::Keys(_) => Err("has a rigidity on grids and on a continuum, not where springs bend: give it a stiffness"),
        }
    }
}

/// Why both are refused.
const EITHER: Refusal = "must have either a stiffness or a rigidity";
