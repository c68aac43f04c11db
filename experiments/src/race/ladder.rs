//! The steps of a race, which all lead through the times of comparison.

use cloth::State;
use cloth::System;
use cloth::Vec3;

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

/// Iterations of the two searches for largest eigenvalues.
const ITERATIONS: usize = 40;
/// By how much cloth is stretched where its stiffness is looked at, so that springs that do not push act \[-\].
const STRETCHED: f64 = 1e-3;

/// The largest eigenvalues of a system about a state that is stretched a little.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffest {
    /// Of -∂a/∂x \[1/s²\].
    pub lambda: f64,
    /// Of -∂a/∂v \[1/s\].
    pub delta: f64,
}

impl Stiffest {
    /// The step dt \[s\] at which dt² lambda + 2 dt delta = 4: forward-backward Euler is stable up to about there
    /// \[Boxerman 2003, 4.1.3\]. Infinite where nothing is stiff.
    pub fn stable_step(self) -> f64 {
        let Stiffest { lambda, delta } = self;
        if lambda <= 0.0 && delta <= 0.0 { f64::INFINITY } else { 4.0 / (delta + (delta * delta + 4.0 * lambda).sqrt()) }
    }
}

/// The step of [`Stiffest::stable_step`] of a system that begins as `start`.
pub fn stable_step(system: &dyn System, start: &State) -> f64 {
    stiffest(system, start).stable_step()
}

/// The stiffest modes of a system that begins as `start`, by power iterations on differences.
pub fn stiffest(system: &dyn System, start: &State) -> Stiffest {
    let count = start.particle_count();
    let centre = start.x.iter().sum::<Vec3>() / count.max(1) as f64;
    let x: Vec<Vec3> = start.x.iter().map(|x| centre + (1.0 + STRETCHED) * (x - centre)).collect();
    let extent = Some(x.iter().map(|x| (x - centre).norm()).fold(0.0, f64::max)).filter(|extent| *extent > 0.0).unwrap_or(1.0);
    let [mut before, mut after] = [vec![Vec3::zeros(); count], vec![Vec3::zeros(); count]];
    system.accelerate(&x, &start.v, &mut before);
    let mut largest = |of_positions: bool| {
        // entries that are alike nowhere, so that no mode is left out
        let entry = |k: usize| (libm::sin(12.9898 * k as f64 + 1.0) * 43758.5453).fract();
        let mut mode: Vec<Vec3> = (0..count).map(|i| Vec3::new(entry(3 * i), entry(3 * i + 1), entry(3 * i + 2))).collect();
        let (mut moved, mut value) = (start.v.clone(), 0.0);
        if of_positions {
            moved.copy_from_slice(&x);
        }
        for _ in 0..ITERATIONS {
            let norm = mode.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
            if !(norm.is_finite() && norm > 0.0) {
                break;
            }
            let small = if of_positions { 1e-7 * extent } else { 1e-6 };
            let from = if of_positions { &x } else { &start.v };
            moved.iter_mut().zip(from).zip(&mode).for_each(|((moved, from), mode)| *moved = from + small / norm * mode);
            match of_positions {
                true => system.accelerate(&moved, &start.v, &mut after),
                false => system.accelerate(&x, &moved, &mut after),
            }
            let change = |(after, before): (&Vec3, &Vec3)| (before - after) / small;
            let next: Vec<Vec3> = after.iter().zip(&before).map(change).collect();
            value = next.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
            mode = next;
        }
        if value.is_finite() { value } else { 0.0 }
    };
    Stiffest { lambda: largest(true), delta: largest(false) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::oscillator::Oscillator;

    #[test]
    fn steps_lead_through_the_times_of_comparison() {
        assert_eq!(around(1.0, 0.01, 4), [13, 25, 50, 100]);
        assert_eq!(around(1.0, 10.0, 4), [1], "a step longer than the run");
        assert_eq!(below(1.0, 0.05, 5), [6, 12, 24]);
        assert_eq!((nearest(1.0, 0.1), within(1.0, 0.1)), (3, 3));
        let rung = Rung { between: 25, tolerance: None };
        assert_eq!((rung.step(1.0), rung.steps()), (0.01, 100));
    }

    #[test]
    fn an_oscillator_is_stable_up_to_the_known_step() {
        let still = State::at_rest(vec![Vec3::x()]);
        let undamped = stable_step(&Oscillator { mass: 1.0, ks: 400.0, kd: 0.0 }, &still);
        assert!((undamped - 2.0 / 20.0).abs() < 1e-6, "{undamped}");
        let damped = stable_step(&Oscillator { mass: 2.0, ks: 0.0, kd: 8.0 }, &still);
        assert!((damped - 0.5).abs() < 1e-6, "{damped}"); // 2 dt 4 = 4
    }
}
