use std::fmt;

/// What of the cloth a constant belongs to.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Part {
    /// Springs along the sides of faces.
    Stretch,
    /// Stretch along the warp of a continuum.
    Warp,
    /// Stretch along the weft of a continuum.
    Weft,
    /// Springs along diagonals, or shear of a continuum.
    Shear,
    /// Springs across sides, or hinges.
    Bend,
}

impl Part {
    const ALL: [Part; 5] = [Part::Stretch, Part::Warp, Part::Weft, Part::Shear, Part::Bend];

    fn name(self) -> &'static str {
        match self {
            Part::Stretch => "stretch",
            Part::Warp => "warp",
            Part::Weft => "weft",
            Part::Shear => "shear",
            Part::Bend => "bend",
        }
    }
}

/// A constant of the material. Forces and masses are linear in each of them.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Constant {
    /// rho \[kg/m²\].
    Density,
    /// Linear resistance of the air, in the unit of the material.
    Air,
    /// Stiffness, in the unit of the material.
    Stiffness(Part),
    /// Damping, in the unit of the material.
    Damping(Part),
}

impl Constant {
    /// All that any cloth has.
    pub fn all() -> impl Iterator<Item = Constant> {
        let of_parts = Part::ALL.into_iter().flat_map(|part| [Constant::Stiffness(part), Constant::Damping(part)]);
        [Constant::Density, Constant::Air].into_iter().chain(of_parts)
    }

    /// The one of a name like "shear.stiffness".
    pub fn named(name: &str) -> Option<Constant> {
        Constant::all().find(|constant| constant.to_string() == name)
    }
}

impl fmt::Display for Constant {
    /// As it is named in the material of a scene.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Constant::Density => write!(f, "density"),
            Constant::Air => write!(f, "air"),
            Constant::Stiffness(part) => write!(f, "{}.stiffness", part.name()),
            Constant::Damping(part) => write!(f, "{}.damping", part.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_is_found_by_its_name() {
        assert_eq!(Constant::all().count(), 12);
        assert!(Constant::all().all(|constant| Constant::named(&constant.to_string()) == Some(constant)));
        assert_eq!(Constant::named("weft.damping"), Some(Constant::Damping(Part::Weft)));
        assert_eq!(Constant::named("stiffness"), None);
    }
}
