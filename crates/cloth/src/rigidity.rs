use crate::ModelError;
use crate::invalid::non_negative;

/// Resistance of a sheet to bending, whatever its mesh: the energy is the integral of D/2 times the square of a curvature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigidity {
    /// D of the curvature along the warp \[N m\], >= 0.
    pub warp: f64,
    /// D of the curvature along the weft \[N m\], >= 0.
    pub weft: f64,
    /// D of the twist \[N m\], >= 0: of D/2 (2 w_xy²).
    pub twist: f64,
    /// Damping beside each of them, by its rate \[N m s\], >= 0.
    pub damping: f64,
}

impl Rigidity {
    /// Alike in all directions, and without damping: D/2 times the sum of the squares of both principal curvatures.
    pub fn isotropic(rigidity: f64) -> Rigidity {
        Rigidity { warp: rigidity, weft: rigidity, twist: rigidity, damping: 0.0 }
    }

    /// The mean of D over the directions of a bend \[N m\], in each of which it is D_warp c⁴ + 2 D_twist c² s² + D_weft s⁴.
    pub fn mean(&self) -> f64 {
        0.375 * (self.warp + self.weft) + 0.25 * self.twist
    }

    /// Refuses what has no meaning.
    pub(crate) fn check(&self) -> Result<(), ModelError> {
        let quantities = [
            ("the rigidity along the warp", self.warp),
            ("the rigidity along the weft", self.weft),
            ("the rigidity against twist", self.twist),
            ("the damping of bending", self.damping),
        ];
        quantities.into_iter().try_for_each(|(quantity, value)| non_negative(quantity, value).map(drop))
    }
}
