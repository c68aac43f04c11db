//! The stiffness of cloth, by the largest eigenvalues about a state, and the longest stable step of explicit schemes that follows.

use cloth::{State, System, Vec3};

/// Iterations of the two searches for largest eigenvalues.
const ITERATIONS: usize = 40;
/// By how much cloth is stretched where its stiffness is looked at, so that springs that do not push act \[-\].
const STRETCHED: f64 = 1e-3;

/// Largest eigenvalues of forces over masses about a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffness {
    /// lambda of -∂a/∂x \[1/s²\], >= 0.
    pub lambda: f64,
    /// delta of -∂a/∂v \[1/s\], >= 0.
    pub delta: f64,
}

impl Stiffness {
    /// Stiffness about a state that is stretched a little, by power iterations on differences of `accelerate`, which overwrites its
    /// third argument with the accelerations \[m/s²\] at positions and velocities.
    pub fn about(start: &State, mut accelerate: impl FnMut(&[Vec3], &[Vec3], &mut [Vec3])) -> Stiffness {
        let count = start.particle_count();
        let centre = start.x.iter().sum::<Vec3>() / count.max(1) as f64;
        let x: Vec<Vec3> = start.x.iter().map(|x| centre + (1.0 + STRETCHED) * (x - centre)).collect();
        let extent = x.iter().map(|x| (x - centre).norm()).fold(0.0, f64::max);
        let extent = Some(extent).filter(|extent| *extent > 0.0).unwrap_or(1.0);
        let [mut before, mut after] = [vec![Vec3::zeros(); count], vec![Vec3::zeros(); count]];
        accelerate(&x, &start.v, &mut before);
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
                    true => accelerate(&moved, &start.v, &mut after),
                    false => accelerate(&x, &moved, &mut after),
                }
                let change = |(after, before): (&Vec3, &Vec3)| (before - after) / small;
                let next: Vec<Vec3> = after.iter().zip(&before).map(change).collect();
                value = next.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
                mode = next;
            }
            if value.is_finite() { value } else { 0.0 }
        };
        let (lambda, delta) = (largest(true), largest(false));
        Stiffness { lambda, delta }
    }

    /// The step dt \[s\] at which dt² lambda + 2 dt delta = 4: forward-backward Euler is stable up to about there \[Boxerman 2003,
    /// 4.1.3\]. Infinite where nothing is stiff.
    pub fn forward_backward(self) -> f64 {
        let Stiffness { lambda, delta } = self;
        if lambda <= 0.0 && delta <= 0.0 { f64::INFINITY } else { 4.0 / (delta + (delta * delta + 4.0 * lambda).sqrt()) }
    }

    /// The step dt \[s\] at which dt² lambda = 4: the end of stability of explicit springs whose dampers are implicit, if these do not
    /// act on the stiffest mode. Infinite where nothing is stiff.
    pub fn damped_implicitly(self) -> f64 {
        2.0 / self.lambda.sqrt()
    }

    /// The step dt \[s\] at which the largest root of s² + delta s + lambda leaves the region of stability of the Runge-Kutta method of
    /// order 4, dt |s| = 2.785, its extent along the negative axis. Infinite where nothing is stiff.
    pub fn runge_kutta(self) -> f64 {
        const EXTENT: f64 = 2.785;
        EXTENT / self.largest_root()
    }

    /// The step dt \[s\] up to which forward Euler lets the stiffest mode grow a thousandfold at most within a time \[s\], and
    /// overdamped ones not at all: what is undamped grows with every step.
    pub fn forward(self, duration: f64) -> f64 {
        const GROWTH: f64 = 13.815510557964274; // 2 ln 1000; |1 + dt s|² = 1 - dt delta + dt² lambda
        let growing = if self.lambda > 0.0 { (self.delta + GROWTH / duration) / self.lambda } else { f64::INFINITY };
        growing.min(2.0 / self.largest_root())
    }

    /// The largest |s| with s² + delta s + lambda = 0 \[1/s\].
    fn largest_root(self) -> f64 {
        let Stiffness { lambda, delta } = self;
        let discriminant = delta * delta - 4.0 * lambda;
        if discriminant > 0.0 { 0.5 * (delta + discriminant.sqrt()) } else { lambda.sqrt() }
    }
}

/// The step up to which forward-backward Euler is stable about a state, see [`Stiffness::forward_backward`] \[s\].
pub fn stable_step(system: &dyn System, start: &State) -> f64 {
    Stiffness::about(start, |x, v, a| system.accelerate(x, v, a)).forward_backward()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth::oscillator::Oscillator;

    #[test]
    fn an_oscillator_is_stable_up_to_the_known_step() {
        let still = State::at_rest(vec![Vec3::x()]);
        let undamped = stable_step(&Oscillator { mass: 1.0, ks: 400.0, kd: 0.0 }, &still);
        assert!((undamped - 2.0 / 20.0).abs() < 1e-6, "{undamped}");
        let damped = stable_step(&Oscillator { mass: 2.0, ks: 0.0, kd: 8.0 }, &still);
        assert!((damped - 0.5).abs() < 1e-6, "{damped}"); // 2 dt 4 = 4
    }
}
