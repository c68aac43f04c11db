//! Circular orbits under forward Euler, which spiral outward.

use cloth::oscillator::Oscillator;
use kit::prelude::*;

ranges!(SpiralRanges {
    //! Steps of circular orbits.
    /// Number of steps, equally spaced in their logarithm.
    count: Count,
    /// Ends of omega dt \[-\].
    step: Ends,
});

/// Circular orbits under forward Euler.
pub struct Spirals(pub SpiralRanges);
row! {
    /// An orbit.
    pub struct Orbit {
        /// omega dt
        pub step: f64,
        /// growth of the radius in a step, mean over 100 steps, less 1
        pub growth: Option<f64>,
        /// sqrt(1 + omega² dt²) - 1
        pub theory: f64,
        /// whether every step led outward
        pub outward: bool,
    }
}

/// Steps that an orbit is followed for.
const ORBIT_STEPS: u32 = 100;
impl Group for Spirals {
    const NAME: &'static str = "spirals";
    const ABOUT: &'static str = "a circular orbit under forward Euler, for steps from minute to huge";
    const SAMPLED: bool = false;
    type Case = f64;
    type Row = Orbit;

    fn sets(&self) -> u64 {
        self.0.count.get().into()
    }

    fn case(&self, set: u64, _stream: &mut ChaCha8Rng) -> f64 {
        let [low, high] = self.0.step.get();
        let last = (self.0.count.get() - 1).max(1);
        low * libm::pow(high / low, set as f64 / f64::from(last))
    }

    fn measure(&self, &step: &f64) -> Vec<Orbit> {
        let circle = Oscillator { mass: 1.0, ks: 1.0, kd: 0.0 };
        let mut state = State { x: vec![Vec3::new(1.0, 0.0, 0.0)], v: vec![Vec3::new(0.0, 1.0, 0.0)] };
        let mut scheme = ForwardEuler::new(1);
        let mut outward = true;
        for _ in 0..ORBIT_STEPS {
            let before = state.x[0].norm();
            scheme.step(&circle, step, &mut state);
            outward &= state.x[0].norm() > before;
        }
        let growth = libm::expm1(libm::log(state.x[0].norm()) / f64::from(ORBIT_STEPS));
        // sqrt(1 + s) - 1 without cancellation
        let theory = step * step / ((1.0 + step * step).sqrt() + 1.0);
        vec![Orbit { step, growth: finite(growth), theory, outward }]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Spirals(ranges.spirals.clone()))
}
