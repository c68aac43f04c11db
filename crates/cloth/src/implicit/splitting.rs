/// Which couplings are treated implicitly; the others are explicit, in the force only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Splitting {
    /// All.
    Implicit,
    /// By family, whatever the step \[Boxerman 2003, eq. 4.13\].
    Families {
        /// Springs to the nearest neighbours.
        stretch: bool,
        /// Springs to the diagonal neighbours.
        shear: bool,
        /// Springs to the second neighbours.
        bend: bool,
    },
    /// A spring is explicit where its numerical stiffness is at most `threshold`, decided per spring and per step
    /// \[Boxerman 2003, 4.4.1\].
    Adaptive {
        /// Largest numerical stiffness of an explicit spring \[-\]; 0.2 in the thesis.
        threshold: f64,
        /// Whether bend springs are implicit; never so in the thesis.
        bend: bool,
    },
}

impl Splitting {
    /// The adaptive splitting of the thesis: threshold 0.2, bending explicit.
    pub fn adaptive() -> Splitting {
        Splitting::Adaptive { threshold: 0.2, bend: false }
    }
}
