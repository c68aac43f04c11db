//! How often each splitting occurs, by counting every combination of the lists.

use kit::prelude::*;
use kit::ranges::pairs;

use super::runs::RunRanges;

/// Thresholds of kappa at which it is counted beside that of the runs \[-\]: the thesis' limit of 0.5, and others around.
const OTHERS: [f64; 4] = [0.1, 0.5, 1.0, 2.0];

/// Every combination of the lists of the main group.
pub struct Shares(pub RunRanges);

row! {
    /// How many combinations a splitting has.
    pub struct ShareRow {
        /// kappa up to which a spring is explicit
        pub threshold: f64,
        /// how AIMEX treats stretch/shear
        pub splitting: Treatment,
        /// combinations of spacing, density, stiffnesses, dampings and step that have it
        pub combinations: u64,
        /// the same over all combinations
        pub share: f64,
    }
}

impl Group for Shares {
    const NAME: &'static str = "shares";
    const ABOUT: &'static str = "how often each splitting occurs among all combinations of the lists, at several thresholds";
    type Case = f64;
    type Row = ShareRow;

    fn listed(&self) -> Vec<Self::Case> {
        let mut thresholds = [&OTHERS[..], &[self.0.threshold.get()]].concat();
        thresholds.sort_by(f64::total_cmp);
        thresholds.dedup();
        thresholds
    }

    fn measure(&self, &threshold: &f64) -> Vec<ShareRow> {
        let counts = self.count(threshold);
        let all: u64 = counts.iter().sum();
        let row = |(splitting, combinations): (Treatment, u64)| ShareRow {
            threshold,
            splitting,
            combinations,
            share: combinations as f64 / all as f64,
        };
        Treatment::ALL.into_iter().zip(counts).map(row).collect()
    }
}

impl Shares {
    /// Combinations of each splitting.
    fn count(&self, threshold: f64) -> [u64; 4] {
        let lists = &self.0.lists;
        let mut counts = [0; 4];
        for (h, rho) in pairs(lists.spacing.values(), lists.density.values()) {
            let mass = rho.get() * h.get() * h.get();
            for dt in lists.step.values() {
                // both families draw from the same lists
                let explicit = pairs(lists.stiffness.values(), lists.damping.values())
                    .filter(|(ks, kd)| {
                        let elastic = Elastic { stiffness: ks.get(), damping: kd.get() };
                        numerical_stiffness(dt.get(), mass, elastic) <= threshold
                    })
                    .count() as u64;
                let implicit = (lists.stiffness.values().len() * lists.damping.values().len()) as u64 - explicit;
                let occurrences = [implicit * implicit, implicit * explicit, explicit * implicit, explicit * explicit];
                counts.iter_mut().zip(occurrences).for_each(|(count, more)| *count += more);
            }
        }
        counts
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Shares(ranges.runs.clone()))
}
