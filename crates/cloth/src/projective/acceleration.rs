use std::collections::VecDeque;

use crate::Vec3;

/// How iterations of projective dynamics are led to their end sooner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Acceleration {
    /// They are not.
    #[default]
    None,
    /// Chebyshev's semi-iteration \[Wang 2015\]: as if an iteration were linear, with errors that fall by `rho`, its spectral
    /// radius \[-\], above 0 and below 1.
    Chebyshev {
        /// Spectral radius \[-\].
        rho: f64,
    },
    /// L-BFGS \[Liu, Bouaziz & Kavan 2017\], with the matrix of the global step for its first Hessian.
    QuasiNewton {
        /// Pairs of ways and changes of the gradient that are kept, >= 1.
        pairs: usize,
    },
}

/// Weights of Chebyshev's semi-iteration in a step.
pub(crate) struct Chebyshev {
    rho: f64,
    omega: f64,
    iterations: usize,
}

impl Chebyshev {
    /// Iterations before the first one that is accelerated: it should begin where errors already fall by rho.
    pub const DELAY: usize = 2;

    /// Before the first iteration.
    pub fn new(rho: f64) -> Chebyshev {
        Chebyshev { rho, omega: 1.0, iterations: 0 }
    }

    /// omega of the next iteration \[-\]: x_k+1 = omega (x^ - x_k-1) + x_k-1.
    pub fn next(&mut self) -> f64 {
        let square = self.rho * self.rho;
        self.omega = match self.iterations {
            k if k < Chebyshev::DELAY => 1.0,
            Chebyshev::DELAY => 2.0 / (2.0 - square),
            _ => 4.0 / (4.0 - square * self.omega),
        };
        self.iterations += 1;
        self.omega
    }
}

/// a·b over all particles.
pub(crate) fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a.dot(b))
}

/// A way of L-BFGS and what the gradient changed along it.
struct Pair {
    s: Vec<Vec3>,
    t: Vec<Vec3>,
    /// s·t, > 0.
    product: f64,
    /// alpha of the first loop.
    alpha: f64,
}

/// The last pairs of L-BFGS, newest first, and the memory of those that have been forgotten.
pub(crate) struct Pairs {
    count: usize,
    kept: VecDeque<Pair>,
    spare: Vec<Pair>,
}

impl Pairs {
    /// Memory for `count` pairs of `particles`.
    pub fn new(count: usize, particles: usize) -> Pairs {
        let pair = || Pair { s: vec![Vec3::zeros(); particles], t: vec![Vec3::zeros(); particles], product: 1.0, alpha: 0.0 };
        let spare = (0..=count).map(|_| pair()).collect(); // one more, to look at before an old one goes
        Pairs { count, kept: VecDeque::with_capacity(count + 1), spare }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.spare.extend(self.kept.drain(..));
    }

    /// Overwrites `q`, a gradient, with the inverse Hessian times it, by two loops over the pairs about a `first` inverse Hessian
    /// \[Nocedal & Wright 2006, alg. 7.4\].
    pub fn apply(&mut self, q: &mut [Vec3], first: impl FnOnce(&mut [Vec3])) {
        for pair in &mut self.kept {
            pair.alpha = dot(&pair.s, q) / pair.product;
            q.iter_mut().zip(&pair.t).for_each(|(q, t)| *q -= pair.alpha * t);
        }
        first(q);
        for pair in self.kept.iter().rev() {
            let beta = dot(&pair.t, q) / pair.product;
            q.iter_mut().zip(&pair.s).for_each(|(q, s)| *q += (pair.alpha - beta) * s);
        }
    }

    /// Keeps a way and the change of the gradient in place of the oldest ones, unless the gradient did not grow along the way, which
    /// no positive Hessian explains.
    pub fn keep(&mut self, s: impl Iterator<Item = Vec3>, t: impl Iterator<Item = Vec3>) {
        let Some(mut pair) = self.spare.pop() else { return };
        pair.s.iter_mut().zip(s).for_each(|(kept, s)| *kept = s);
        pair.t.iter_mut().zip(t).for_each(|(kept, t)| *kept = t);
        pair.product = dot(&pair.s, &pair.t);
        if pair.product > 0.0 && pair.product.is_finite() {
            self.kept.push_front(pair);
            if self.kept.len() > self.count {
                self.spare.extend(self.kept.pop_back());
            }
        } else {
            self.spare.push(pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chebyshevs_weights_are_those_of_its_polynomials() {
        // omega_k+1 = 2 / rho T_k(1 / rho) / T_k+1(1 / rho) with T_0 = 1, T_1 = z, T_k+1 = 2 z T_k - T_k-1
        let (rho, mut weights) = (0.9, Chebyshev::new(0.9));
        assert_eq!([weights.next(), weights.next()], [1.0, 1.0]);
        let z = 1.0 / rho;
        let mut t = [1.0, z];
        for _ in 0..20 {
            t = [t[1], 2.0 * z * t[1] - t[0]];
            let omega = 2.0 / rho * t[0] / t[1];
            assert!((weights.next() - omega).abs() < 1e-13);
        }
    }

    #[test]
    fn pairs_of_a_quadratic_form_give_its_inverse() {
        // A = diag(2, 3, 5): after three ways along its axes the inverse is exact from any first one
        let a = Vec3::new(2.0, 3.0, 5.0);
        let mut pairs = Pairs::new(3, 1);
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            pairs.keep([axis].into_iter(), [a.component_mul(&axis)].into_iter());
        }
        let mut q = [Vec3::new(4.0, 9.0, -10.0)];
        pairs.apply(&mut q, |_| {});
        assert!((q[0] - Vec3::new(2.0, 3.0, -2.0)).norm() < 1e-14, "{}", q[0]);
        // a fourth one takes the place of the oldest, and one along which the gradient falls is not kept
        pairs.keep([Vec3::z()].into_iter(), [10.0 * Vec3::z()].into_iter());
        pairs.keep([Vec3::x()].into_iter(), [-Vec3::x()].into_iter());
        let mut q = [Vec3::new(4.0, 9.0, -10.0)];
        pairs.apply(&mut q, |_| {});
        assert!((q[0] - Vec3::new(4.0, 3.0, -1.0)).norm() < 1e-14, "{}", q[0]);
        pairs.clear();
        let mut q = [Vec3::x()];
        pairs.apply(&mut q, |q| q[0] *= 7.0);
        assert_eq!(q, [7.0 * Vec3::x()]);
    }
}
