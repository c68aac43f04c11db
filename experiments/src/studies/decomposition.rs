//! What does solving each connected component of the system by itself save? \[Boxerman 2003, ch. 6\]
//!
//! Springs that are compressed or explicit leave no block in the matrix, and fully constrained particles cut it: what is left may
//! fall apart into components, each solved by projected conjugate gradients of its own. The thesis counts rows multiplied by
//! vectors (the RV count) of the full and the decomposing solver. Both run the same random sheets here, step by step side by
//! side. A decomposing solver also skips rows of fully constrained particles, which a full one could do too: both counts of
//! the full solver are kept, so that either saving is seen by itself.
//!
//! About seven minutes at paper scale on two cores.

mod assumptions;
mod charts;
mod discussion;
mod extremes;
mod groups;
mod runs;
mod scenes;
mod shares;
mod time_verdicts;
mod times;
mod verdicts;

use lab::measure::identity::hash_of_ranges;
use lab::prelude::*;
use lab::study::{Judge, Plot, Study};
use lab::table;

use crate::ranges::{Unfit, check_list};

/// Sample sizes and ranges, a section a group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// Random sheets by both solvers.
    pub runs: runs::RunRanges,
    /// Sheets that are timed.
    pub times: times::TimeRanges,
    /// Sheets that are shown.
    pub figures: scenes::FigureRanges,
}

impl Ranges {
    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The first one, its key in the section of the study.
    pub fn check(&self) -> Result<(), Unfit> {
        let Ranges { runs, times, .. } = self;
        check_list("runs.duration", runs.duration, &runs.lists.step)?;
        check_list("times.duration", times.duration, &times.lists.step)
    }
}

pub fn study(ranges: &Ranges) -> Study {
    let hash = hash_of_ranges(ranges);
    let Ranges { runs, times, figures } = ranges.clone();
    let extremes = extremes::Extremes { duration: runs.duration, threshold: runs.threshold };
    Study {
        name: "decomposition",
        title: "Systems decomposed into their components",
        source: "Boxerman 2003, chapter 6",
        about: "Sheets of 1.5 m that hang from two corners, fall onto a sphere beside their centre or to the ground, drawn from the \
                lists of the thesis, run for one second, or until they rest on the ground, by AIMEX with systems solved as a whole \
                and component by component.",
        groups: vec![
            table(groups::Runs(runs.clone())),
            table(groups::Readings(runs.clone())),
            table(groups::Seeds(runs.clone())),
            table(shares::Shares(runs)),
            table(extremes),
            table(times::Times(times)),
            table(scenes::Particles(figures)),
            table(scenes::Pattern),
        ],
        plots: vec![
            Plot { name: "rv-count", draw: charts::counts },
            Plot { name: "ratio", draw: charts::ratios },
            Plot { name: "distribution", draw: charts::distribution },
            Plot { name: "readings", draw: charts::readings },
            Plot { name: "tolerance", draw: charts::tolerance },
            Plot { name: "times", draw: charts::times },
            Plot { name: "components", draw: charts::components },
            Plot { name: "tablecloth", draw: charts::tablecloth },
            Plot { name: "draping", draw: charts::draping },
            Plot { name: "sparsity", draw: charts::sparsity },
        ],
        judges: vec![
            Judge::of_times("B-DEC-TIME", time_verdicts::overhead),
            Judge::of_counts("B-DEC-RV0", verdicts::pinned),
            Judge::of_counts("B-DEC-RV", verdicts::sphere),
            Judge::of_counts("B-DEC-FALL", verdicts::ground),
            Judge::of_times("B-DEC-PAR", time_verdicts::parallel),
        ],
        discussion: discussion::discussion,
        expected_seconds: 390.0,
        code: env!("CODE_OF_DECOMPOSITION"),
        ranges: hash,
    }
}
