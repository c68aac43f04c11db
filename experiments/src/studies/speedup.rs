//! What do the techniques of the thesis gain over a plain implicit simulator, each alone and all together? \[Boxerman 2003, 7\]
//!
//! The thesis concludes that adaptive implicit-explicit integration, the constrained preconditioner with the corrected start, and
//! decomposition together double to triple the speed, and gives no experiment for it. Here sheets from its lists run by a plain
//! simulator, by each technique added alone, and by all of them, in its scenes: work for many sheets, time for some.
//!
//! About five minutes at paper scale on two cores.

mod charts;
mod methods;
mod runs;
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
    /// Random sheets by every method.
    pub runs: runs::RunRanges,
    /// Those of them that are timed.
    pub times: times::TimeRanges,
}

impl Ranges {
    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The first one, its key in the section of the study.
    pub fn check(&self) -> Result<(), Unfit> {
        let Ranges { runs, times } = self;
        check_list("runs.duration", runs.duration, &runs.lists.step)?;
        check_list("times.duration", times.duration, &runs.lists.step)
    }
}

pub fn study(ranges: &Ranges) -> Study {
    let hash = hash_of_ranges(ranges);
    let Ranges { runs, times } = ranges.clone();
    Study {
        name: "speedup",
        title: "All techniques against a plain implicit simulator",
        source: "Boxerman 2003, chapter 7",
        about: "Sheets drawn from the lists of the thesis, one second each in six scenes, by semi-implicit backward Euler with the \
                conjugate gradients of Baraff and Witkin, by each technique of the thesis added to that alone, and by all of them.",
        groups: vec![
            table(runs::Runs(runs.clone())),
            table(runs::Readings(runs.clone())),
            table(runs::Seeds(runs.clone())),
            table(times::Times { runs: runs.clone(), times: times.clone() }),
            table(times::TimeSeeds { runs, times }),
        ],
        plots: vec![
            Plot { name: "work", draw: charts::work },
            Plot { name: "size", draw: charts::size },
            Plot { name: "times", draw: charts::times },
        ],
        judges: vec![Judge::of_times("B-TOTAL", verdicts::total)],
        discussion: verdicts::discussion,
        expected_seconds: 300.0,
        code: env!("CODE_OF_SPEEDUP"),
        ranges: hash,
    }
}
