//! Linearised backward Euler at large steps: slack springs, conjugate gradients, longer runs. Readings of S-BE-STABLE.

use kit::prelude::*;

use super::implicit::{Implicit, triangles};
use super::weave::{Weave, follow};

ranges!(FrameRanges {
    //! Runs.
    /// Simulated time \[s\].
    duration: Positive,
    /// Steps a second.
    rate: Count,
});

row! {
    /// What came of a sheet.
    pub struct FrameRow {
        /// simulated time \[s\]
        pub duration: f64,
        /// whether those along edges act both ways or are slack in compression
        pub springs: String,
        /// direct, or conjugate gradients by the rule of the default settings
        pub solver: String,
        /// finished, gains energy or not finite
        pub status: Status,
        /// largest energy gained that was looked at over that of a fall
        pub gain: Option<f64>,
    }
}

/// The sheets of the group `implicit`, over a longer time.
pub struct Frames(pub Implicit, pub FrameRanges);

const BOTH: &str = "act both ways";
const SLACK: &str = "slack in compression";
const DIRECT: &str = "direct";
const ITERATIVE: &str = "conjugate gradients to tol = c dt";

const KINDS: [(&str, &str); 4] = [(BOTH, DIRECT), (BOTH, ITERATIVE), (SLACK, DIRECT), (SLACK, ITERATIVE)];

impl Frames {
    fn row(&self, weave: &Weave, (springs, solver): (&str, &str)) -> Option<FrameRow> {
        let (net, mut state) = triangles(weave, springs == BOTH).ok()?;
        let settings = Settings { newton: Newton::Once, ..Settings::default() };
        let settings = if solver == DIRECT { Settings { solver: Solver::Direct, ..settings } } else { settings };
        let mut scheme = BackwardEuler::new(&net, settings);
        let FrameRanges { duration, rate } = &self.1;
        let rate = f64::from(rate.get());
        let course = follow(&net, &mut scheme, 1.0 / rate, (duration.get() * rate).round() as u64, &mut state);
        Some(FrameRow {
            duration: duration.get(),
            springs: springs.into(),
            solver: solver.into(),
            status: course.status(),
            gain: Some(course.gain()).filter(|gain| gain.is_finite()),
        })
    }
}

impl Group for Frames {
    const NAME: &'static str = "frames";
    const ABOUT: &'static str =
        "the sheets of the group implicit for longer, with springs that are slack and solves that are loose";
    const SCENES: &'static str = Implicit::NAME;
    type Case = Weave;
    type Row = FrameRow;

    fn sets(&self) -> u64 {
        self.0.sets()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Weave {
        self.0.case(set, stream)
    }

    fn measure(&self, weave: &Weave) -> Vec<FrameRow> {
        KINDS.into_iter().filter_map(|kind| self.row(weave, kind)).collect()
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Frames(Implicit(ranges.implicit.clone()), ranges.frames.clone()))
}

#[cfg(test)]
mod tests {
    use super::super::weave::tests::weave;
    use super::*;

    fn frames(rate: u32) -> Frames {
        let text = "sets = 2\ndamping = [1e-4, 1e-3]\ncompared = 0.25\nduration = 0.25\n\
                    [weaves]\nside = [4]\ndensity = [0.1, 0.2]\nstiffness = [50.0, 60.0]\nshear = 0.1\nbend = [0.01, 0.02]\n";
        let frames = format!("duration = 1.0\nrate = {rate}\n");
        Frames(Implicit(kit::ranges::stated(text)), kit::ranges::stated(&frames))
    }

    #[test]
    fn kinds_differ_in_their_springs_and_solves() {
        let rows: Vec<FrameRow> = KINDS.into_iter().filter_map(|kind| frames(24).row(&weave(), kind)).collect();
        assert_eq!(rows.len(), 4);
        assert!(rows[0].status == Status::Finished, "{rows:?}");
        let (both, slack) = (triangles(&weave(), true).unwrap().0, triangles(&weave(), false).unwrap().0);
        let squeezed: Vec<Vec3> = triangles(&weave(), true).unwrap().1.x.iter().map(|x| 0.9 * x).collect();
        let squeezed = State::at_rest(squeezed);
        assert!(both.energies(&squeezed).stretch > 0.0 && slack.energies(&squeezed).stretch == 0.0);
    }
}
