//! A minimum without gradients: the simplex of Nelder & Mead \[1965\].

use std::cell::RefCell;

use argmin::core::{CostFunction, Error, Executor};
use argmin::solver::neldermead::NelderMead;

/// What is evaluated, while runs are left.
struct Limited<E> {
    evaluate: E,
    left: u64,
}

struct Costs<E>(RefCell<Limited<E>>);

impl<E: FnMut(&[f64]) -> f64> CostFunction for Costs<E> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, point: &Vec<f64>) -> Result<f64, Error> {
        let Limited { evaluate, left } = &mut *self.0.borrow_mut();
        *left = left.checked_sub(1).ok_or_else(|| Error::msg("no run is left"))?;
        Ok(evaluate(point))
    }
}

/// Minimises what `evaluate` gives of so many `numbers`, from zeros and from zeros with one of them at `scale`, until it is
/// `enough`, has been evaluated so many times, or does not differ over the simplex.
pub fn simplex(numbers: usize, scale: f64, times: u64, enough: f64, evaluate: impl FnMut(&[f64]) -> f64) {
    let corner = |corner: usize| (0..numbers).map(|q| if q + 1 == corner { scale } else { 0.0 }).collect();
    let solver = NelderMead::new((0..=numbers).map(corner).collect());
    let costs = Costs(RefCell::new(Limited { evaluate, left: times }));
    let executor = Executor::new(costs, solver).timer(false);
    // an error is that no run is left: what was evaluated is known to `evaluate`
    let _ = executor.configure(|state| state.max_iters(times).target_cost(enough)).run();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bowl_is_found_and_evaluations_are_counted() {
        let run = |times: u64, enough: f64| {
            let (mut taken, mut least) = (0, f64::INFINITY);
            simplex(2, 0.5, times, enough, |x| {
                taken += 1;
                let (a, b) = (x[0] - 1.1, x[1] + 1.9);
                let value = a * a + 4.0 * b * b;
                least = value.min(least);
                value
            });
            (taken, least)
        };
        let (taken, least) = run(1000, 1e-10);
        assert!(least <= 1e-10 && taken < 200, "{least} after {taken}");
        let (taken, least) = run(10, 1e-10);
        assert!(taken == 10 && least > 0.1, "{least} after {taken}");
        assert!(run(1000, 1e-2).0 < run(1000, 1e-10).0);
    }
}
