use linsolve::scalar::{ScalarCholesky, ScalarPattern};

use crate::{System, Vec3};

/// The global step: M/h² + L of the particles that are not held, factored once.
pub(crate) struct Global {
    h: f64,
    /// Particles that are not held.
    free: Vec<usize>,
    /// None where the matrix is not positive definite, as where numbers overflow.
    cholesky: Option<ScalarCholesky>,
    /// Right side and solution, shape \[free\].
    b: Vec<Vec3>,
}

impl Global {
    /// Of a system in steps of h \[s\].
    ///
    /// # Panics
    /// Where the memory does not suffice for the factor.
    pub fn new(system: &dyn System, h: f64) -> Global {
        let (masses, pinned) = (system.masses(), system.pinned());
        let free: Vec<usize> = (0..masses.len()).filter(|i| !pinned[*i]).collect();
        let mut unknowns = vec![None; masses.len()];
        free.iter().enumerate().for_each(|(k, i)| unknowns[*i] = Some(k));

        let mut diagonal: Vec<f64> = free.iter().map(|i| masses[*i] / (h * h)).collect(); // M / h²
        let mut pairs = vec![];
        system.add_curvatures(h, &mut |i, j, w| {
            let ends = [unknowns[i], unknowns[j]];
            ends.into_iter().take(if i == j { 1 } else { 2 }).flatten().for_each(|k| diagonal[k] += w); // A Aᵀ has 1 at both ends
            if let ([Some(k), Some(l)], true) = (ends, i != j) {
                pairs.push(((k, l), w)); // and -1 between them
            }
        });
        let places: Vec<(usize, usize)> = pairs.iter().map(|(pair, _)| *pair).collect();
        let pattern = ScalarPattern::lower(free.len(), &places);
        let mut cholesky = ScalarCholesky::new(&pattern);
        let values = cholesky.values_mut();
        values.fill(0.0);
        let on_diagonal = diagonal.into_iter().enumerate().map(|(k, w)| ((k, k), w));
        for ((k, l), w) in on_diagonal.chain(pairs.into_iter().map(|(pair, w)| (pair, -w))) {
            if let Some(place) = pattern.place(k.max(l), k.min(l)) {
                values[place] += w;
            }
        }
        let factored = cholesky.factor().is_ok();
        Global { h, b: vec![Vec3::zeros(); free.len()], free, cholesky: factored.then_some(cholesky) }
    }

    /// Whether it is that of steps of h \[s\].
    pub fn is_of(&self, h: f64) -> bool {
        self.h == h
    }

    /// Floating-point operations of a solve of three right sides, nominally.
    pub fn solve_operations(&self) -> u64 {
        self.cholesky.as_ref().map_or(0, |cholesky| 3 * cholesky.solve_operations())
    }

    /// Overwrites `b` with (M/h² + L)⁻¹ b, with zero where a particle is held; whether there is a solution, zeros where not.
    pub fn solve(&mut self, b: &mut [Vec3]) -> bool {
        for (of_free, i) in self.b.iter_mut().zip(&self.free) {
            *of_free = b[*i];
        }
        b.fill(Vec3::zeros());
        let Some(cholesky) = &mut self.cholesky else { return false };
        cholesky.solve_vectors(&mut self.b);
        for (of_free, i) in self.b.iter().zip(&self.free) {
            b[*i] = *of_free;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elastic, Net, NetSpring};

    #[test]
    fn a_matrix_by_hand() {
        // a held particle, a spring of 4 N/m and 0.5 N s/m to the first of two free ones, one of 2 N/m between these
        let spring = |i, j, stiffness, damping| NetSpring { i, j, rest: 1.0, elastic: Elastic { stiffness, damping } };
        let net = Net::new(vec![1.0, 2.0, 3.0], vec![true, false, false], vec![spring(0, 1, 4.0, 0.5), spring(1, 2, 2.0, 0.0)])
            .unwrap();
        let mut global = Global::new(&net, 0.5);
        // [[2 / 0.25 + 4 + 0.5 / 0.5 + 2, -2], [-2, 3 / 0.25 + 2]] times (1, 1, 1) and (0, 2, 1)
        let mut b = [Vec3::repeat(7.0), Vec3::new(13.0, -4.0, 0.0), Vec3::new(12.0, 28.0, 0.0)];
        assert!(global.solve(&mut b));
        for (found, expected) in b.iter().zip([Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.0, 2.0, 0.0)]) {
            assert!((found - expected).norm() < 1e-14, "{found}");
        }
        assert!(global.is_of(0.5) && !global.is_of(0.25));
    }

    #[test]
    fn a_matrix_that_overflows_has_no_solution() {
        let net = Net::new(vec![1.0], vec![false], vec![]).unwrap();
        let mut b = [Vec3::x()];
        assert!(!Global::new(&net, 1e-200).solve(&mut b));
        assert_eq!(b, [Vec3::zeros()]);
    }
}
