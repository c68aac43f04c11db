//! The steps of a race, which all lead through the times of comparison.

/// Times at which states are compared, equally far apart; the last one is the end.
pub const SAMPLES: u64 = 4;

/// Most steps from one time of comparison to the next.
const MOST: u64 = 100_000_000;

/// A step, and how linear systems are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// Steps from one time of comparison to the next, >= 1.
    pub between: u64,
    /// `tolerance` of the solver, where it is not the scene's.
    pub tolerance: Option<f64>,
}

impl Rung {
    /// dt \[s\] of a run over `duration` \[s\].
    pub fn step(&self, duration: f64) -> f64 {
        step_of(duration, self.between)
    }

    /// Steps of the whole run.
    pub fn steps(&self) -> u64 {
        SAMPLES * self.between
    }
}

/// dt \[s\] where so many steps lead from one time of comparison to the next.
pub fn step_of(duration: f64, between: u64) -> f64 {
    duration / (SAMPLES * between) as f64
}

/// Steps of about `dt` \[s\] from one time of comparison to the next.
pub fn nearest(duration: f64, dt: f64) -> u64 {
    ((duration / SAMPLES as f64 / dt).round() as u64).clamp(1, MOST)
}

/// Fewest steps of at most `dt` \[s\] from one time of comparison to the next.
pub fn within(duration: f64, dt: f64) -> u64 {
    ((duration / SAMPLES as f64 / dt).ceil() as u64).clamp(1, MOST)
}

/// The steps of a scene: twice its own, its own, and `count` in all, each half of the one before.
pub fn around(duration: f64, step: f64, count: u64) -> Vec<u64> {
    let rungs = (0..count as i32).map(|k| nearest(duration, step * libm::pow(2.0, f64::from(1 - k))));
    ascending(rungs.collect())
}

/// Steps of an explicit scheme that is stable up to `bound` \[s\]: just below that, and half of `count` in all, each half of the one
/// before.
pub fn below(duration: f64, bound: f64, count: u64) -> Vec<u64> {
    const MARGIN: f64 = 0.9; // springs that stretch and turn under way are stiffer than at the start
    let first = within(duration, MARGIN * bound);
    ascending((0..count.div_ceil(2).min(20)).map(|k| (first << k).min(MOST)).collect())
}

/// Coarsest first, each once.
pub fn ascending(mut between: Vec<u64>) -> Vec<u64> {
    between.sort_unstable();
    between.dedup();
    between
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_through_the_times_of_comparison() {
        assert_eq!(around(1.0, 0.01, 4), [13, 25, 50, 100]);
        assert_eq!(around(1.0, 10.0, 4), [1], "a step longer than the run");
        assert_eq!(below(1.0, 0.05, 5), [6, 12, 24]);
        assert_eq!((nearest(1.0, 0.1), within(1.0, 0.1)), (3, 3));
        let rung = Rung { between: 25, tolerance: None };
        assert_eq!((rung.step(1.0), rung.steps()), (0.01, 100));
    }
}
