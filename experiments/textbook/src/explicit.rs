//! Explicit Euler with and without damping, below and beyond the step that the test equation allows.

use kit::prelude::*;

use super::weave::{Weave, Weaves, is_stable};

ranges!(ExplicitRanges {
    //! Sheets and runs.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    weaves: Weaves,
    /// Damping ratio of the fastest mode \[-\], log-uniform.
    zeta: Ends,
    /// Simulated time \[s\].
    duration: Positive,
});

row! {
    /// What came of a sheet.
    pub struct ExplicitRow {
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// of stretch springs \[N/m\]
        pub stiffness: f64,
        /// damping ratio of the fastest mode, about
        pub zeta: f64,
        /// largest step that the test equation allows the damped sheet \[s\]
        pub limit: f64,
        /// whether the damped sheet is stable at half the limit
        pub damped: bool,
        /// whether the same sheet without damping is stable at this step
        pub undamped: bool,
        /// whether the same sheet without damping is stable at a tenth of this step
        pub little: bool,
        /// whether the undamped sheet is stable at half the limit by FB Euler
        pub symplectic: bool,
        /// whether the damped sheet is stable at twice the limit
        pub twice: bool,
        /// smallest unstable step of the damped sheet over the limit, in ratios of 2^(1/32) between 0.8 and 1.7; none up to 4
        pub critical: Option<f64>,
        /// the same without gravity, after a disturbance in the plane
        pub pinned_flat: Option<f64>,
    }
}

/// Steps of the scan over the limit \[-\]: ratios of 2^(1/4) from 1/2 to 4, of 2^(1/32) between 0.8 and 1.7.
fn scan() -> impl Iterator<Item = f64> {
    (-32..=64).filter(|k| k % 8 == 0 || (-10..=24).contains(k)).map(|k| libm::exp2(f64::from(k) / 32.0))
}

/// Sheets by explicit Euler.
pub struct Explicit(pub ExplicitRanges);

/// A sheet and a damping ratio.
pub type Case = (Weave, f64);

impl Explicit {
    fn row(&self, &(weave, zeta): &Case) -> Option<ExplicitRow> {
        let duration = self.0.duration.get();
        let stable = |weave: &Weave, dt: f64| {
            let net = weave.net(&weave.corners()).ok()?;
            Some(is_stable(&net, &State::at_rest(weave.flat()), &mut ForwardEuler::new(net.particle_count()), dt, duration))
        };
        let damped = weave.damped(zeta);
        let limit = damped.limit();
        let symplectic = {
            let net = weave.net(&weave.corners()).ok()?;
            let mut scheme = ForwardBackwardEuler::new(net.particle_count());
            is_stable(&net, &State::at_rest(weave.flat()), &mut scheme, 0.5 * limit, duration)
        };
        let critical = scan().find(|over| stable(&damped, over * limit) == Some(false));
        // without gravity: no tension and no folds, the sheet of the test equation but for its borders
        let weightless = scan().find(|over| {
            let Ok(mut net) = damped.net(&damped.corners()) else { return true };
            net.gravity = Vec3::zeros();
            let mut state = State::at_rest(damped.flat());
            for (k, v) in state.v.iter_mut().enumerate() {
                *v = 0.05 * Vec3::new(libm::sin(1.0 + 3.0 * k as f64), libm::sin(2.0 + 5.0 * k as f64), 0.0);
            }
            damped.corners().iter().for_each(|&pin| state.v[pin] = Vec3::zeros());
            let mut scheme = ForwardEuler::new(net.particle_count());
            !is_stable(&net, &state, &mut scheme, over * limit, duration)
        });
        Some(ExplicitRow {
            side: weave.side,
            density: weave.density,
            stiffness: weave.stretch,
            zeta,
            limit,
            damped: stable(&damped, 0.5 * limit)?,
            undamped: stable(&weave, 0.5 * limit)?,
            little: stable(&weave, 0.05 * limit)?,
            symplectic,
            twice: stable(&damped, 2.0 * limit)?,
            critical,
            pinned_flat: weightless,
        })
    }
}

impl Group for Explicit {
    const NAME: &'static str = "explicit";
    const ABOUT: &'static str =
        "sheets held at two corners by explicit Euler, with and without damping, and the largest step of the test equation";
    type Case = Case;
    type Row = ExplicitRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Case {
        let weave = Weave::draw(&self.0.weaves, stream);
        (weave, log_uniform(stream, self.0.zeta.get()))
    }

    fn measure(&self, case: &Case) -> Vec<ExplicitRow> {
        self.row(case).into_iter().collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Explicit(ranges.explicit.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scan_is_fine_about_the_limit() {
        let steps: Vec<f64> = scan().collect();
        assert!((steps[0], steps[steps.len() - 1]) == (0.5, 4.0) && steps.contains(&1.0) && steps.contains(&2.0));
        let fine = steps.windows(2).filter(|pair| pair[0] > 0.8 && pair[1] < 1.7);
        assert!(fine.map(|pair| pair[1] / pair[0]).fold(0.0, f64::max) < 1.023);
    }
}
