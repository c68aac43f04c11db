use crate::{State, Vec3};

/// Energies of a sheet \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Of motion, 1/2 m v².
    pub kinetic: f64,
    /// -m g·x, zero at the origin; pinned particles count too, as a constant.
    pub gravitational: f64,
    /// In the stretch springs.
    pub stretch: f64,
    /// In the shear springs.
    pub shear: f64,
    /// In the bend springs.
    pub bend: f64,
}

/// What forces are the slopes of: f = -dU/dx - dR/dv.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Potential {
    /// U, energy of couplings \[J\].
    pub energy: f64,
    /// R, half of the power that dampers and air take \[W\].
    pub dissipation: f64,
}

impl Potential {
    /// Of air that resists with ka v, `air` \[N s/m\].
    pub(crate) fn of_air(air: f64, v: &[Vec3]) -> Potential {
        let squares = if air > 0.0 { v.iter().fold(0.0, |sum, v| sum + v.norm_squared()) } else { 0.0 };
        Potential { energy: 0.0, dissipation: 0.5 * air * squares } // ka/2 |v|²
    }
}

impl Energies {
    /// Kinetic and gravitational ones of particles of `masses` \[kg\], without springs.
    pub(crate) fn of_particles(state: &State, masses: &[f64], gravity: &Vec3) -> Energies {
        let mut energies = Energies::default();
        for ((x, v), m) in state.x.iter().zip(&state.v).zip(masses) {
            energies.kinetic += 0.5 * m * v.norm_squared();
            energies.gravitational -= m * gravity.dot(x);
        }
        energies
    }

    /// In all springs.
    pub fn internal(&self) -> f64 {
        self.stretch + self.shear + self.bend
    }

    /// Of the whole sheet.
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravitational + self.internal()
    }
}
