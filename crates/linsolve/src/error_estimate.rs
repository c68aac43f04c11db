//! How far an iterate of conjugate gradients is from the solution, by what the iteration knows anyway.

/// Places of the iteration that are kept.
const KEPT: usize = 32;

/// An estimate of eᵀ A e for the error e of an iterate, whatever the preconditioner.
///
/// Iteration k takes alpha_k delta_k off eᵀ A e, with delta = rᵀ P⁻¹ r \[Hestenes & Stiefel 1952, theorem 6:1\]. So the error of an earlier
/// iterate j is known by now, from below, as the sum of what was taken off since. Its ratio to delta_j, the largest over the
/// earlier iterates, times delta is the estimate of the present one, after the adaptive rule of \[Meurant, Papež & Tichý 2021\]. It
/// is no bound: what no iteration has taken off yet is not in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorEstimate {
    /// What is asked for.
    most: f64,
    /// What all iterations have taken off.
    sum: f64,
    /// The sum before an iteration and its delta, every `stride`-th.
    kept: [(f64, f64); KEPT],
    count: usize,
    stride: usize,
    iterations: usize,
    /// The largest ratio.
    ratio: f64,
}

impl ErrorEstimate {
    /// Before the first iteration with a preconditioner, which are to go on until it is at most `most`.
    pub fn down_to(most: f64) -> ErrorEstimate {
        ErrorEstimate { most, sum: 0.0, kept: [(0.0, 1.0); KEPT], count: 0, stride: 1, iterations: 0, ratio: 0.0 }
    }

    /// Takes in an iteration.
    pub fn add(&mut self, delta: f64, alpha: f64) {
        if self.iterations.is_multiple_of(self.stride) {
            if self.count == KEPT {
                (0..KEPT / 2).for_each(|place| self.kept[place] = self.kept[2 * place]);
                (self.count, self.stride) = (KEPT / 2, 2 * self.stride);
            }
            self.kept[self.count] = (self.sum, delta);
            self.count += 1;
        }
        self.iterations += 1;
        self.sum += alpha * delta;
        let kept = self.kept[..self.count].iter();
        self.ratio = kept.fold(self.ratio, |ratio, (sum, delta)| ratio.max((self.sum - sum) / delta));
    }

    /// Whether the error of the iterate that has come to `delta` is small enough.
    pub fn is_met(&self, delta: f64) -> bool {
        self.of(delta).is_some_and(|error| error <= self.most)
    }

    /// Of the iterate that has come to `delta`; none before the first iteration.
    pub fn of(&self, delta: f64) -> Option<f64> {
        (self.iterations > 0).then_some(self.ratio * delta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_by_hand() {
        let mut estimate = ErrorEstimate::down_to(1.5);
        assert!(estimate.of(1.0).is_none() && !estimate.is_met(0.0));
        estimate.add(4.0, 0.5); // takes 2 off: ratio 2 / 4
        assert!(estimate.of(2.0) == Some(1.0) && estimate.is_met(3.0) && !estimate.is_met(3.1));
        estimate.add(2.0, 2.0); // takes 4 off: ratios 6 / 4 and 4 / 2
        assert_eq!(estimate.of(1.0), Some(2.0));
    }

    #[test]
    fn old_iterations_are_thinned_and_the_first_one_stays() {
        let mut estimate = ErrorEstimate::down_to(1.0);
        for k in 0..1000 {
            estimate.add(1.0 + f64::from(k), 1.0);
        }
        assert!(estimate.count <= KEPT && estimate.kept[0] == (0.0, 1.0));
        assert_eq!(estimate.of(1.0), Some(1000.0 * 1001.0 / 2.0)); // by the first one, whose delta is 1
    }
}
