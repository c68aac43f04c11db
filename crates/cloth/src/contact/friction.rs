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

/// Speed below which cloth sticks where nothing else is said \[m/s\].
const THRESHOLD: f64 = 0.02;

impl Default for Coulomb {
    /// The thesis gives none of these: they are assumptions.
    fn default() -> Coulomb {
        Coulomb { still: 0.5, sliding: 0.3, threshold: THRESHOLD }
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
    /// One coefficient mu \[-\] for what sticks and what slides.
    pub const fn even(mu: f64) -> Friction {
        Friction::Coulomb(Coulomb { still: mu, sliding: mu, threshold: THRESHOLD })
    }

    /// mu_s of what sticks \[-\]; infinite where everything does.
    pub fn still(&self) -> f64 {
        match self {
            Friction::Coulomb(law) => law.still,
            Friction::Sticking => f64::INFINITY,
        }
    }

    /// mu_k of what slides \[-\]; infinite where nothing does.
    pub fn sliding(&self) -> f64 {
        match self {
            Friction::Coulomb(law) => law.sliding,
            Friction::Sticking => f64::INFINITY,
        }
    }

    /// The friction of a step in which `wanted` would hold and `pressing` presses, in one unit, both >= 0: all that is wanted up to
    /// mu_s times what presses, then mu_k times that, and never more than is wanted.
    pub fn against(&self, wanted: f64, pressing: f64) -> f64 {
        if pressing <= 0.0 {
            0.0 // mu may be infinite
        } else if wanted <= self.still() * pressing {
            wanted
        } else {
            wanted.min(self.sliding() * pressing)
        }
    }
}

impl Default for Friction {
    fn default() -> Friction {
        Friction::Coulomb(Coulomb::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friction_holds_up_to_mu_s_and_brakes_by_mu_k_beyond() {
        let law = Friction::Coulomb(Coulomb { still: 0.5, sliding: 0.25, threshold: 0.1 });
        assert_eq!([1.0, 2.0, 2.5, 9.0].map(|wanted| law.against(wanted, 4.0)), [1.0, 2.0, 1.0, 1.0]);
        assert_eq!(law.against(1.0, 0.0), 0.0);
        let rough = Friction::Coulomb(Coulomb { still: 0.0, sliding: 0.5, threshold: 0.1 });
        assert_eq!([1.0, 3.0].map(|wanted| rough.against(wanted, 4.0)), [1.0, 2.0], "never more than would hold");
        assert_eq!([(7.0, 1.0), (7.0, 0.0)].map(|(wanted, pressing)| Friction::Sticking.against(wanted, pressing)), [7.0, 0.0]);
        assert_eq!((Friction::even(0.3).still(), Friction::even(0.3).sliding()), (0.3, 0.3));
    }
}
