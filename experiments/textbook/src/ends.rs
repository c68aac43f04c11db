//! Where the timed sheets end, against a reference: whether each method is stable, and how accurate. S-BE-WORTH.

use kit::prelude::*;

use super::times::{METHODS, ONCE, TimeRanges, Times, scheme, step};
use super::weave::{Weave, course, mean_distance, reference, watch};

row! {
    /// A sheet by a method at a step.
    pub struct EndRow {
        /// the scheme, and how often it is linearised
        pub method: String,
        /// dt: that which is timed, and shorter ones of linearised backward Euler \[s\]
        pub step: f64,
        /// steps to the end
        pub steps: u64,
        /// finished, gains energy or not finite
        pub status: Status,
        /// mean distance of particles to an explicit reference of order 4; none where one of the two is not finished \[m\]
        pub error: Option<f64>,
        /// iterations of conjugate gradients
        pub iterations: u64,
    }
}

/// The sheets of the group `times`.
pub struct Ends(pub TimeRanges);

/// Steps of linearised backward Euler, each a quarter of the one before.
const STEPS: usize = 4;

impl Ends {
    fn row(&self, net: &Net, start: &State, reference: Option<&Vec<Vec3>>, method: &str, step: f64) -> EndRow {
        let steps = (self.0.duration.get() / step).ceil() as u64;
        let (mut scheme, mut state, mut course) = (scheme(net, method), start.clone(), course(net, start, steps));
        // the last step is as much shorter as it has to be for all to end at the same time
        let last = self.0.duration.get() - step * (steps - 1) as f64;
        let mut taken = 0;
        while course.goes_on() {
            taken += 1;
            scheme.step(net, if taken == steps { last } else { step }, &mut state);
            watch(&mut course, net, &state);
        }
        let status = course.status();
        let error = reference.filter(|_| status == Status::Finished).map(|reference| mean_distance(&state.x, reference));
        EndRow { method: method.into(), step, steps, status, error, iterations: scheme.work().iterations }
    }
}

impl Group for Ends {
    const NAME: &'static str = "ends";
    const ABOUT: &'static str = "the sheets of the group times, by the same methods: their ends against a reference";
    const SCENES: &'static str = Times::NAME;
    const SAMPLED: bool = false;
    type Case = Weave;
    type Row = EndRow;

    fn sets(&self) -> u64 {
        self.0.sheets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Weave {
        self.0.draw(stream)
    }

    fn measure(&self, weave: &Weave) -> Vec<EndRow> {
        let Ok(net) = weave.net(&weave.corners()) else { return vec![] };
        let start = State::at_rest(weave.flat());
        let reference = reference(weave, &net, &start, self.0.duration.get());
        let mut rows = vec![];
        for method in METHODS {
            let counts = if method == ONCE { STEPS } else { 1 };
            let longest = step(weave, &net, method);
            let steps = (0..counts).map(|k| longest / f64::from(1_u32 << (2 * k)));
            rows.extend(steps.map(|step| self.row(&net, &start, reference.as_ref(), method, step)));
        }
        rows
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Ends(ranges.times.clone()))
}

#[cfg(test)]
mod tests {
    use super::super::weave::tests::weave;
    use super::*;

    #[test]
    fn every_method_is_stable_at_its_step_and_errors_fall_with_the_step() {
        let text = "sheets = 1\nzeta = [0.05, 0.5]\nduration = 0.5\nrepeats = 1\n\
                    [weaves]\nside = [5]\ndensity = [0.1, 0.2]\nstiffness = [50.0, 60.0]\nshear = 0.1\nbend = [0.01, 0.02]\n";
        let ends = Ends(kit::ranges::stated(text));
        let rows = ends.measure(&weave().damped(0.1));
        assert_eq!(rows.len(), METHODS.len() + STEPS - 1);
        assert!(rows.iter().all(|row| row.status == Status::Finished), "{rows:?}");
        let errors: Vec<f64> = rows.iter().filter(|row| row.method == ONCE).filter_map(|row| row.error).collect();
        assert!(errors.len() == STEPS && errors.is_sorted_by(|a, b| a > b), "{errors:?}");
    }
}
