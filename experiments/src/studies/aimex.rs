//! What does adaptive implicit-explicit integration gain, and what does it change? \[Boxerman 2003, 4.2 to 4.4; Stuyck 2018, 3.4\]
//!
//! AIMEX treats a spring explicitly where its numerical stiffness is at most 0.2, decided per spring and per step. The thesis
//! reports that it stays stable while springs switch, that most results differ by less than a tenth of the mesh spacing from
//! those of the implicit scheme, and what it saves, by splitting. Both schemes run the same random sheets, step by step side by
//! side; tolerance, friction and the treatment of bending are varied, because the verdicts hang on them.
//!
//! About six minutes at paper scale on two cores.

mod adaptive;
mod assumptions;
mod charts;
mod discussion;
mod mass;
mod runs;
mod scenes;
mod shares;
mod stability;
mod stable;
mod table_verdicts;
mod times;
mod verdicts;

use lab::measure::identity::hash_of_ranges;
use lab::prelude::*;
use lab::study::{Judge, Plot, Study};
use lab::table;

use crate::ranges::{Unfit, check_list, check_steps};

/// Sample sizes and ranges, a section a group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// Random sheets by both schemes.
    pub runs: runs::RunRanges,
    /// Sheets whose springs switch.
    pub stability: stability::StabilityRanges,
    /// Steps adapted to stretch.
    pub adaptive: adaptive::AdaptiveRanges,
    /// Sheets that are timed.
    pub times: times::TimeRanges,
}

impl Ranges {
    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The first one, its key in the section of the study.
    pub fn check(&self) -> Result<(), Unfit> {
        let Ranges { runs, stability, adaptive, times } = self;
        check_list("runs.duration", runs.duration, &runs.lists.step)?;
        check_steps("stability.duration", stability.duration.get(), stability.steps.get()[0])?;
        check_list("adaptive.duration", adaptive.duration, &adaptive.lists.step)?;
        check_list("times.duration", times.duration, &times.lists.step)
    }
}

pub fn study(ranges: &Ranges) -> Study {
    let hash = hash_of_ranges(ranges);
    let Ranges { runs, stability, adaptive, times } = ranges.clone();
    Study {
        name: "aimex",
        title: "Adaptive implicit-explicit integration",
        source: "Boxerman 2003, sections 4.2 to 4.4; Stuyck 2018, section 3.4",
        about: "Sheets that hang from two corners or fall onto a table or a sphere, drawn from the lists of the thesis, run for one \
                second by semi-implicit backward Euler and by AIMEX, which treats a spring explicitly where its numerical \
                stiffness is at most 0.2 and bending always.",
        groups: vec![
            table(runs::Runs(runs.clone())),
            table(runs::Readings(runs.clone())),
            table(runs::Seeds(runs.clone())),
            table(shares::Shares(runs)),
            table(stability::Stability(stability.clone())),
            table(stability::StabilityReadings(stability)),
            table(adaptive::Adaptive(adaptive)),
            table(times::Times(times.clone())),
            table(times::TimeSeeds(times)),
            table(scenes::Wireframes),
            table(scenes::Differences),
            table(scenes::Patterns),
        ],
        plots: vec![
            Plot { name: "difference", draw: charts::difference },
            Plot { name: "table-4-1", draw: charts::table },
            Plot { name: "times", draw: charts::times },
            Plot { name: "stability", draw: charts::stability },
            Plot { name: "readings", draw: charts::readings },
            Plot { name: "tolerance", draw: charts::tolerance },
            Plot { name: "wireframes", draw: charts::wireframes },
            Plot { name: "scenes", draw: charts::scenes },
            Plot { name: "sparsity", draw: charts::sparsity },
        ],
        judges: vec![
            Judge::of_counts("B-AIMEX-STABLE", stable::stable),
            Judge::of_counts("B-AIMEX-DIFF", verdicts::difference),
            Judge::of_counts("B-AIMEX-SHARE", table_verdicts::shares),
            Judge::of_times("B-AIMEX-SPEED", table_verdicts::speed),
            Judge::of_counts("B-AIMEX-CG", table_verdicts::iterations),
            Judge::of_counts("B-AIMEX-MASS", mass::mass),
            Judge::of_counts("B-AIMEX-ONE", verdicts::one_iteration),
            Judge::of_counts("S-ADAPT", verdicts::adapted),
        ],
        discussion: discussion::discussion,
        expected_seconds: 410.0,
        code: env!("CODE_OF_AIMEX"),
        ranges: hash,
    }
}
