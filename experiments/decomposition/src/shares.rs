//! How often a family is explicit, and how often explicit bending is unstable, by counting every combination of the lists.

use kit::prelude::*;
use kit::ranges::pairs;

use super::runs::RunRanges;

#[derive(Clone, Copy, Debug)]
pub enum Counted {
    /// Families whose kappa is at most this.
    Explicit(f64),
    /// Sets whose bending number exceeds this.
    Bending(f64),
    /// Sets whose bending number exceeds the second number, with bending a line from the first s = |x|/L on, of another slope than
    /// the usual 32.1: see [`BendLaw::line_from`].
    BendingFrom(f64, f64),
}

const COUNTED: [Counted; 9] = [
    Counted::Explicit(0.1),
    Counted::Explicit(0.2),
    Counted::Explicit(0.5),
    Counted::Bending(0.5),
    Counted::Bending(1.0),
    Counted::Bending(2.0),
    Counted::BendingFrom(0.99, 1.0),
    Counted::BendingFrom(0.7, 1.0),
    Counted::BendingFrom(0.0, 1.0),
];

/// Names of what is counted.
pub const EXPLICIT: &str = "a family is explicit";
pub const BENDING: &str = "the bending number is larger";

/// Every combination of the lists of the main group.
pub struct Shares(pub RunRanges);

row! {
    /// How many combinations something is true of.
    pub struct ShareRow {
        /// what is counted: kappa of a family is at most the limit, or the bending number is above it, by which law of bending
        pub counted: String,
        /// the kappa, or the bending number: dt²/m times kb and the slope of its law near rest, usually 32.1
        pub limit: f64,
        /// combinations of all that decides it, of which it is true
        pub combinations: u64,
        /// combinations in all
        pub of: u64,
        /// the one over the other
        pub share: f64,
    }
}

impl Group for Shares {
    const NAME: &'static str = "shares";
    const ABOUT: &'static str =
        "how often a family is explicit and explicit bending unstable, among all combinations of the lists";
    type Case = Counted;
    type Row = ShareRow;

    fn listed(&self) -> Vec<Self::Case> {
        COUNTED.to_vec()
    }

    fn measure(&self, &counted: &Counted) -> Vec<ShareRow> {
        let (name, limit) = match counted {
            Counted::Explicit(limit) => (EXPLICIT.to_owned(), limit),
            Counted::Bending(limit) => (BENDING.to_owned(), limit),
            Counted::BendingFrom(0.0, limit) => (format!("{BENDING}, bending a line throughout"), limit),
            Counted::BendingFrom(from, limit) => (format!("{BENDING}, bending a line from {from} L"), limit),
        };
        let lists = &self.0.lists;
        let (mut combinations, mut of) = (0, 0);
        for (side, density) in pairs(lists.side.values(), lists.density.values()) {
            let spacing = lists.length.get() / f64::from(side.get());
            let mass = density.get() * spacing * spacing;
            for dt in lists.step.values().iter().map(|dt| dt.get()) {
                let bends = |slope: f64, limit: f64| {
                    lists.bend.values().iter().map(|kb| slope * kb.get() * dt * dt / mass > limit).collect::<Vec<_>>()
                };
                let outcomes: Vec<bool> = match counted {
                    Counted::Explicit(limit) => {
                        let elastic = |(ks, kd): (&NonNegative, &NonNegative)| Elastic { stiffness: ks.get(), damping: kd.get() };
                        let families = pairs(lists.stiffness.values(), lists.damping.values()).map(elastic);
                        families.map(|family| numerical_stiffness(dt, mass, family) <= limit).collect()
                    }
                    Counted::Bending(limit) => bends(32.1, limit),
                    Counted::BendingFrom(from, limit) => {
                        bends(BendLaw::line_from(from).map_or(f64::NAN, |law| law.slope_at_rest()), limit)
                    }
                };
                of += outcomes.len() as u64;
                combinations += outcomes.iter().filter(|outcome| **outcome).count() as u64;
            }
        }
        vec![ShareRow { counted: name, limit, combinations, of, share: combinations as f64 / of as f64 }]
    }
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Shares(ranges.runs.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::ranges::shipped;

    #[test]
    fn combinations_of_a_short_list_are_counted_by_hand() {
        let mut ranges = shipped::<crate::Ranges>("smoke", "decomposition").runs;
        // m = 1 * 0.5², so kappa = 4 dt (ks dt + 2 kd) is 0.04 ks + 0.8 kd and the bending number is 1.284 kb
        ranges.lists = kit::ranges::stated(
            "length = 1.0\nside = [2]\ndensity = [1.0]\nstiffness = [1.0, 4.0]\nbend = [0.5, 1.0]\ndamping = [0.0, 0.1, 1.0]\nair = [0.0]\n\
             step = [0.1]\n",
        );
        let shares = Shares(ranges);
        let counted = |counted| {
            let row = shares.measure(&counted).remove(0);
            (row.combinations, row.of)
        };
        assert_eq!(counted(Counted::Explicit(0.1)), (1, 6)); // 0.04
        assert_eq!(counted(Counted::Explicit(0.2)), (3, 6)); // 0.04, 0.12, 0.16
        assert_eq!(counted(Counted::Bending(1.0)), (1, 2)); // 0.642, 1.284
        assert_eq!(counted(Counted::BendingFrom(0.9, 1.0)), (1, 2));
        assert_eq!(counted(Counted::BendingFrom(0.99, 1.0)), (2, 2)); // about ten times as steep
        assert_eq!(counted(Counted::BendingFrom(0.0, 1.0)), (0, 2));
    }
}
