//! Bending energies of sheets with rigidity D \[N m\]: D/2 times the integral of the squared curvature over their area.

/// E = D/2 kappa² A \[J\] of a sheet of area A \[m²\] that is bent to a cylinder of curvature kappa \[1/m\], about any axis.
pub fn cylinder_energy(rigidity: f64, curvature: f64, area: f64) -> f64 {
    0.5 * rigidity * curvature * curvature * area
}

/// M = D kappa b \[N m\], the moment that keeps it, over its width b \[m\] along the axis.
pub fn cylinder_moment(rigidity: f64, curvature: f64, width: f64) -> f64 {
    rigidity * curvature * width
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elastica::closing_moment;
    use std::f64::consts::TAU;

    #[test]
    fn a_cylinder_by_hand_and_by_the_work_of_its_moment() {
        assert_eq!(cylinder_energy(4.0, 10.0, 0.5), 100.0);
        // a strip rolled up by a moment that grows with its angle: E = M phi / 2 with phi = kappa L
        let (rigidity, length, width) = (1.4e-5, 0.3, 0.02);
        let curvature = TAU / length;
        let moment = cylinder_moment(rigidity, curvature, width);
        assert!((moment / closing_moment(rigidity, width, length) - 1.0).abs() < 1e-15);
        let energy = cylinder_energy(rigidity, curvature, length * width);
        assert!((energy / (0.5 * moment * TAU) - 1.0).abs() < 1e-15);
    }
}
