//! Explicit Euler with and without damping, below and beyond the step that the test equation allows. S-TEST-EQUATION,
//! S-DAMPING-NEEDED.

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

fn none() -> ResultsError {
    too_few("no sheet")
}

/// What a sheet counts with that is stable at every step of the scan \[-\].
const BEYOND: f64 = 8.0;

/// Whether sheets are worse than the equation, by the step. Where they are not, the claim is not refuted: the book says it of
/// integrators, of what is probable, and of no quantity.
fn judged(critical: &Estimate) -> Verdict {
    match verdict(critical.lies_below(1.0), Answer::No) {
        Verdict::NotReproduced => Verdict::Underspecified,
        other => other,
    }
}

/// S-TEST-EQUATION.
pub fn test_equation(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Explicit>()?;
    let median = |of: &dyn Fn(&ExplicitRow) -> Option<f64>| {
        Estimate::median(&rows.iter().map(|row| of(&row.row).unwrap_or(BEYOND)).collect::<Vec<f64>>()).ok_or_else(none)
    };
    let (critical, weightless) = (median(&|row| row.critical)?, median(&|row| row.pinned_flat)?);
    let lower =
        median(&|row| row.critical.map(|critical| scan().take_while(|over| *over < critical).last().unwrap_or(critical)))?;
    let below = share_of(rows.iter().map(|row| row.row.critical.is_some_and(|critical| critical < 1.0))).ok_or_else(none)?;
    let twice = rows.iter().filter(|row| row.row.twice).count();
    let words = |estimate: &Estimate| format!("{} times the limit", estimate);
    let reading = |name: &str, estimate: Estimate| Reading::new(name, words(&estimate), judged(&estimate));
    let measured = format!("they become unstable at {}, in the median", words(&critical));
    let (below, sheets) = (percent(below.value), rows.len());
    let reason = format!(
        "{below} of the sheets become unstable below the limit, {twice} of {sheets} are stable at twice that; one that is stable up to four \
         times the limit would count with {BEYOND}; growth that 2 s do not show would lower the number: the reading with a \
         disturbance of all modes at the start shows by how much. By the step that is stable the sheets are no worse than the \
         equation; the book speaks of integrators and of what is probable, and a statement of a quantity would decide"
    );
    Ok(Finding::new(judged(&critical), measured, reason).rests_on(&critical).cases(rows.len()).readings(vec![
        reading("the largest stable step below it, the other end of its bracket", lower),
        reading("without gravity, after a disturbance in the plane", weightless),
    ]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Explicit(ranges.explicit.clone()))
        .judge("S-TEST-EQUATION", test_equation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scan_is_fine_about_the_limit_and_tells_worse_from_better() {
        let steps: Vec<f64> = scan().collect();
        assert!((steps[0], steps[steps.len() - 1]) == (0.5, 4.0) && steps.contains(&1.0) && steps.contains(&2.0));
        let fine = steps.windows(2).filter(|pair| pair[0] > 0.8 && pair[1] < 1.7);
        assert!(fine.map(|pair| pair[1] / pair[0]).fold(0.0, f64::max) < 1.023);
        let at = |value: f64| judged(&Estimate::exact(value, 80));
        assert_eq!((at(0.9), at(1.2)), (Verdict::Reproduced, Verdict::Underspecified));
    }
}
