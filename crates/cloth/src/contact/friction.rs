/// Coulomb's law, with the speed below which cloth sticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    /// mu_s, static friction \[-\], >= 0. Zero never sticks.
    pub still: f64,
    /// mu_k, kinetic friction \[-\], >= 0.
    pub sliding: f64,
    /// Relative speed below which a touching particle sticks \[m/s\], >= 0.
    pub threshold: f64,
}

impl Default for Coulomb {
    /// The thesis gives none of these: mu_s 0.5, mu_k 0.3, 0.02 m/s are assumptions.
    fn default() -> Coulomb {
        Coulomb { still: 0.5, sliding: 0.3, threshold: 0.02 }
    }
}

/// What happens along the surface of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Friction {
    /// Sticking and sliding by Coulomb's law.
    Coulomb(Coulomb),
    /// Whatever touches sticks.
    Sticking,
}

impl Friction {
    /// mu of what slides \[-\]; infinite where nothing does.
    pub fn sliding(&self) -> f64 {
        match self {
            Friction::Coulomb(law) => law.sliding,
            Friction::Sticking => f64::INFINITY,
        }
    }
}

impl Default for Friction {
    fn default() -> Friction {
        Friction::Coulomb(Coulomb::default())
    }
}
