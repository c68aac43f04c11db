//! Whether stability is monotone in the step: a coarse look over the whole bracket.

use cloth::lanes::{InstructionSet, Outcome, Trial, sweep};
use kit::prelude::*;

use super::sheets::{Case, Sheets};

ranges!(ScanRanges {
    //! Scans of the step.
    sets: Count,
    /// Steps tried in each decade of the bracket.
    steps_per_decade: Count,
});

/// Every step of a fixed ladder over the whole bracket, on the same sheets.
pub struct Scans {
    pub ranges: ScanRanges,
    /// Of which sheets.
    pub sheets: Sheets,
}

row! {
    /// What a scan of a set showed.
    pub struct ScanRow {
        /// measured or skipped
        pub status: Status,
        /// why there was no scan
        pub reason: Option<String>,
        /// steps tried, equally spaced in their logarithm
        pub steps: usize,
        /// how many were stable
        pub stable: usize,
        /// largest of them \[s\]
        pub largest_stable: Option<f64>,
        /// smallest of the others \[s\]
        pub smallest_unstable: Option<f64>,
        /// every stable step is smaller than every unstable one
        pub monotone: Option<bool>,
    }
}

impl Scans {
    /// 10^(k / steps_per_decade) over the bracket \[s\].
    fn ladder(&self) -> Vec<f64> {
        let per_decade = f64::from(self.ranges.steps_per_decade.get());
        let [low, high] = self.sheets.ranges.bracket.get().map(|end| libm::log10(end) * per_decade);
        (low.ceil() as i64..=high.floor() as i64).map(|k| libm::pow(10.0, k as f64 / per_decade)).collect()
    }
}

impl Group for Scans {
    const NAME: &'static str = "scans";
    const ABOUT: &'static str = "a coarse look for islands of stability over the whole bracket";
    const SCENES: &'static str = Sheets::NAME;
    const BLOCK: usize = 10;
    type Case = Case;
    type Row = ScanRow;

    fn sets(&self) -> u64 {
        self.ranges.sets.get().into()
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Case {
        self.sheets.case(set, stream)
    }

    fn kin(&self, case: &Case) -> u64 {
        self.sheets.kin(case)
    }

    fn measure(&self, case: &Case) -> Vec<ScanRow> {
        self.measure_alone(case)
    }

    fn measure_block(&self, cases: &[Case], done: &mut dyn FnMut(usize, Vec<ScanRow>)) {
        let ladder = self.ladder();
        let mut stable = vec![vec![false; ladder.len()]; cases.len()];
        let scanned = cases.iter().enumerate().filter(|(_, case)| case.skipped().is_none());
        let mut queue = scanned.flat_map(|(k, case)| {
            let trial = self.sheets.trial(case);
            ladder.iter().enumerate().map(move |(rung, &dt)| ((k, rung), Trial { dt, ..trial }))
        });
        sweep(InstructionSet::best(), cases[0].side, |ended| {
            if let Some(((k, rung), outcome)) = ended as Option<((usize, usize), Outcome)> {
                stable[k][rung] = outcome.stable;
            }
            queue.next()
        });
        for (k, case) in cases.iter().enumerate() {
            let row = match case.skipped() {
                Some(reason) => ScanRow { status: Status::Skipped, reason: Some(reason.into()), ..ScanRow::default() },
                None => {
                    let largest = stable[k].iter().rposition(|stable| *stable);
                    let smallest = stable[k].iter().position(|stable| !*stable);
                    ScanRow {
                        status: Status::Measured,
                        reason: None,
                        steps: ladder.len(),
                        stable: stable[k].iter().filter(|stable| **stable).count(),
                        largest_stable: largest.map(|rung| ladder[rung]),
                        smallest_unstable: smallest.map(|rung| ladder[rung]),
                        monotone: Some(stable[k].is_sorted_by(|a, b| a >= b)),
                    }
                }
            };
            done(k, vec![row]);
        }
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let sheets = Sheets { ranges: ranges.sheets.clone() };
    Topic::of(Scans { ranges: ranges.scans.clone(), sheets })
}
