//! One edge and one impulse.

use cloth::inextensible::{Division, Edge, ImpulseStrips, Step, StripSettings};
use kit::prelude::*;

ranges!(ExactRanges {
    //! How many edges.
    /// Random edges.
    draws: Count,
});

/// A free edge and how it turns in a step.
#[derive(Clone, Copy, Debug)]
pub struct Turning {
    length: f64,
    masses: [f64; 2],
    turn: f64,
}

row! {
    /// What one impulse leaves.
    pub struct ExactRow {
        /// rest length \[m\]
        pub length: f64,
        /// angle by which the edge turns in the step without an impulse \[rad\]
        pub turn: f64,
        /// abs(strain) of the preview without an impulse
        pub before: f64,
        /// the same after an impulse along the direction of the start of the step, of length one
        pub printed: f64,
        /// the same along that direction with the length of the edge, as printed
        pub unscaled: f64,
        /// the same along the direction of the preview
        pub preview: f64,
    }
}

/// Free edges.
#[derive(Clone)]
pub struct Exact(pub ExactRanges);

impl Group for Exact {
    const NAME: &'static str = "exact";
    const ABOUT: &'static str = "one free edge that turns in a step, and its strain after one impulse";
    type Case = Turning;
    type Row = ExactRow;

    fn sets(&self) -> u64 {
        self.0.draws.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> Turning {
        let length = log_uniform(stream, [0.02, 2.0]);
        let masses = std::array::from_fn(|_| log_uniform(stream, [0.01, 1.0]));
        Turning { length, masses, turn: log_uniform(stream, [1e-3, 1.0]) }
    }

    fn measure(&self, case: &Turning) -> Vec<ExactRow> {
        vec![measure(case)]
    }
}

/// abs(strain) before and after one impulse along `directions`.
fn solved(case: &Turning, directions: Directions) -> [f64; 2] {
    let edge = Edge { i: 0, j: 1, rest: case.length };
    let constraints = EdgeConstraints::new(&[edge], &case.masses, &[false; 2]).expect("one edge is valid");
    let limits = Limits::new(Limits::SMALLEST_STRAIN, 1).expect("the smallest strain is in range");
    let settings = StripSettings { division: Division::Forests, directions, velocities: None, schedule: Schedule::Serial };
    let start = [Vec3::zeros(), case.length * Vec3::x()];
    let candidate = [start[0], start[1] + case.length * libm::tan(case.turn) * Vec3::y()];
    let mut x = candidate;
    let step = Step { dt: 1.0, start: &start, candidate: &candidate };
    let report = ImpulseStrips::new(constraints, limits, settings).project(&step, &mut x);
    [report.before, report.after]
}

fn measure(case: &Turning) -> ExactRow {
    let [before, printed] = solved(case, Directions::Frozen);
    let [_, preview] = solved(case, Directions::Preview);
    // (k_a + k_b) p = (c_b - c_a) e / h: the relative displacement changes by e (c_b - c_a), not by e along it
    let (l, rise) = (case.length, case.length * libm::tan(case.turn));
    let error = libm::hypot(l, rise) - l;
    let unscaled = (libm::hypot(l - error * l, rise) / l - 1.0).abs();
    ExactRow { length: l, turn: case.turn, before, printed, unscaled, preview }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Exact(ranges.exact.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_of_one_metre_by_hand() {
        // it turns by atan 3/4 to 5/4 of its length: e = 1/4, and along x it is then 3/4, with 3/4 beside
        let row = measure(&Turning { length: 1.0, masses: [1.0, 3.0], turn: libm::atan(0.75) });
        assert!((row.before - 0.25).abs() < 1e-12 && row.preview < 1e-12, "{row:?}");
        let expected = libm::hypot(0.75, 0.75) - 1.0;
        assert!((row.printed - expected).abs() < 1e-12 && (row.unscaled - expected).abs() < 1e-12, "{row:?}");
    }
}
