use super::EdgeConstraints;
use crate::Vec3;

/// Overwrites `f`, shape \[particle_count\], with F = dx + M⁻¹ (grad C(x))ᵀ mu \[m\], dx = x - x~, mu = dt² lambda \[kg m\]: how
/// far a correction is from what the constraints' forces at its end do \[Goldenthal 2007, 4.1\]. Returns the largest norm of a
/// particle; not a number where one is not.
///
/// F = 0 together with C = 0 is the closest point on the constraints, in the norm of the masses.
pub fn residual_of_motion(constraints: &EdgeConstraints, candidate: &[Vec3], x: &[Vec3], mu: &[f64], f: &mut [Vec3]) -> f64 {
    let w = constraints.inverse_masses();
    for ((f, x), candidate) in f.iter_mut().zip(x).zip(candidate) {
        *f = x - candidate;
    }
    for (edge, mu) in constraints.edges().iter().zip(mu) {
        let force = *mu * edge.gradient(x);
        f[edge.i] -= w[edge.i] * force;
        f[edge.j] += w[edge.j] * force;
    }
    let mut largest: f64 = 0.0;
    for f in f {
        let norm = f.norm();
        if norm.is_nan() {
            return norm;
        }
        largest = largest.max(norm);
    }
    largest
}

/// The residual of motion that belongs to a bound of strain \[m\]: the bound times the shortest rest length.
pub(super) fn tolerance_of_motion(constraints: &EdgeConstraints, strain: f64) -> f64 {
    let shortest = constraints.edges().iter().map(|edge| edge.rest).fold(f64::INFINITY, f64::min);
    if shortest.is_finite() { strain * shortest } else { strain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inextensible::Edge;

    #[test]
    fn a_residual_by_hand() {
        let edges = [Edge { i: 0, j: 1, rest: 2.0 }];
        let constraints = EdgeConstraints::new(&edges, &[1.0, 2.0], &[false; 2]).unwrap();
        let mut f = [Vec3::zeros(); 2];
        // gradient 2 d/l = 3; F_0 = 0 - 3 mu, F_1 = 0.5 + 3 mu / 2
        let (candidate, x) = ([Vec3::zeros(), 2.5 * Vec3::x()], [Vec3::zeros(), 3.0 * Vec3::x()]);
        assert_eq!(residual_of_motion(&constraints, &candidate, &x, &[-0.5], &mut f), 1.5);
        assert_eq!(f.map(|f| f.x), [1.5, -0.25]);
        assert!(residual_of_motion(&constraints, &candidate, &[Vec3::zeros(), Vec3::repeat(f64::NAN)], &[0.0], &mut f).is_nan());
        assert_eq!(tolerance_of_motion(&constraints, 1e-3), 2e-3);
    }
}
