use crate::stability::{ExplicitMode, numerical_stiffness};
use crate::{Elastic, Family, Stiffening};

/// Which couplings are treated implicitly; the others are explicit, in the force only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Splitting {
    /// Every coupling is implicit.
    Implicit,
    /// By family, whatever the step \[Boxerman 2003, eq. 4.13\].
    Families {
        /// Springs to the nearest neighbours.
        stretch: bool,
        /// Springs to the diagonal neighbours; nets and chains have none.
        shear: bool,
        /// Springs to the second neighbours.
        bend: bool,
    },
    /// A spring is explicit where its numerical stiffness is at most `threshold`, decided per spring and per step
    /// \[Boxerman 2003, 4.4.1\]: by the slope of its tension where it is and where its velocity leads it.
    Adaptive {
        /// Largest numerical stiffness of an explicit spring \[-\]; 0.2 in the thesis.
        threshold: f64,
        /// Whether bend springs are implicit; never so in the thesis.
        bend: bool,
    },
    /// For SBDF2: a spring is explicit where its damper acts and the modes of a sheet of such springs lie in the region of
    /// [`ExplicitMode`](crate::stability::ExplicitMode), decided per spring and per step. Bend springs have no damper and are
    /// implicit, and so is every coupling but the springs of a sheet.
    AdaptiveSecondOrder {
        /// F, the eigenvalue of the stiffest mode of a sheet over the ks / m of its springs \[-\]: 8 at rest, at most 12 when taut,
        /// for equal stretch and shear.
        modal_factor: f64,
    },
}

impl Splitting {
    /// Whether the choice among springs, `stiffening` ones or not, depends on the state of a step, and not only on its length.
    pub(crate) fn follows_the_state(&self, stiffening: Option<Stiffening>) -> bool {
        match self {
            Splitting::Implicit | Splitting::Families { .. } => false,
            Splitting::Adaptive { .. } => stiffening.is_some(),
            Splitting::AdaptiveSecondOrder { .. } => true,
        }
    }

    /// Whether a spring of a family is implicit in a step of `dt` \[s\]; `mass` \[kg\] is the smaller one of its ends. Whether
    /// SBDF2 may treat it explicitly, with a modal factor, is for `may_be_explicit` to say.
    pub(crate) fn chooses(
        &self,
        family: Family,
        dt: f64,
        mass: f64,
        elastic: Elastic,
        may_be_explicit: impl FnOnce(f64) -> bool,
    ) -> bool {
        match *self {
            Splitting::Implicit => true,
            Splitting::Families { stretch, shear, bend } => match family {
                Family::Stretch => stretch,
                Family::Shear => shear,
                Family::Bend => bend,
            },
            Splitting::Adaptive { bend, .. } if family == Family::Bend => bend,
            // dt/m (ks dt + 2 kd) <= 0.2 is explicit  [Boxerman 2003, 4.4.1]
            Splitting::Adaptive { threshold, .. } => numerical_stiffness(dt, mass, elastic) > threshold,
            Splitting::AdaptiveSecondOrder { modal_factor } => !may_be_explicit(modal_factor),
        }
    }

    /// Whether bending by rigidity is implicit.
    pub(crate) fn chooses_bending(&self) -> bool {
        match *self {
            Splitting::Implicit | Splitting::AdaptiveSecondOrder { .. } => true,
            Splitting::Families { bend, .. } | Splitting::Adaptive { bend, .. } => bend,
        }
    }

    /// Whether a linear spring that acts both ways, of the stretch family, is implicit.
    pub(crate) fn is_implicit(&self, dt: f64, mass: f64, elastic: Elastic) -> bool {
        self.chooses(Family::Stretch, dt, mass, elastic, |modal_factor| {
            elastic.damping > 0.0 && ExplicitMode::of_springs(modal_factor, dt, mass, elastic).is_stable()
        })
    }

    /// The adaptive splitting of the thesis: threshold 0.2, bending explicit.
    pub fn adaptive() -> Splitting {
        Splitting::Adaptive { threshold: 0.2, bend: false }
    }

    /// The adaptive splitting for SBDF2, as cautious as the thesis' threshold of 0.2 where the limit is 0.5: modal factor 8 · 0.5
    /// / 0.2.
    pub fn adaptive_second_order() -> Splitting {
        Splitting::AdaptiveSecondOrder { modal_factor: 20.0 }
    }
}
