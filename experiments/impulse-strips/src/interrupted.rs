//! Hanging sheets whose iterations are interrupted.

use kit::prelude::*;

use super::scene::{FROZEN, Hanging, Pushes, RunRow, STRIPS, Size, Tolerance};

ranges!(InterruptedRanges {
    //! Sheets and limits.
    /// Grids and steps.
    sizes: List<Size>,
    /// Sides of the sheet \[m\].
    lengths: List<Positive>,
    /// Most iterations a step.
    limits: List<Count>,
    /// Permissible strain.
    tolerance: Tolerance,
});

/// Hanging sheets with few iterations.
#[derive(Clone)]
pub struct Interrupted(pub InterruptedRanges);

impl Interrupted {
    /// All runs, each with the place of its size.
    fn all(&self) -> Vec<(u64, Hanging)> {
        let InterruptedRanges { sizes, lengths, limits, tolerance } = &self.0;
        let of = |(place, size): (u64, &Size)| {
            let usual = Hanging::usual(*size, *tolerance, limits.values()[0]);
            let by_limit = limits.values().iter().map(move |limit| Hanging { iterations: *limit, ..usual });
            let by_length = |run: Hanging| lengths.values().iter().map(move |length| Hanging { length: length.get(), ..run });
            let by_way = |run: Hanging| [STRIPS, FROZEN].map(|way| Hanging { way, ..run });
            by_limit.flat_map(by_length).flat_map(by_way).map(|run| (place, run)).collect::<Vec<_>>()
        };
        (0..).zip(sizes.values()).flat_map(of).collect()
    }
}

impl Group for Interrupted {
    const NAME: &'static str = "interrupted";
    const ABOUT: &'static str = "hanging sheets by grid, side, limit of iterations, few of them, and directions";
    const SAMPLED: bool = false;
    type Case = (Hanging, Pushes);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.all().len() as u64
    }

    fn scene(&self, set: u64) -> u64 {
        self.all()[set as usize].0
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        (self.all()[set as usize].1, Pushes::draw(stream))
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        case.0.weight()
    }

    fn measure(&self, (run, pushes): &Self::Case) -> Vec<RunRow> {
        vec![run.run(Some(pushes), |_, _| ())]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Interrupted(ranges.interrupted.clone()))
}
