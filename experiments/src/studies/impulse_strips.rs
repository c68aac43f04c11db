//! Do impulse strips hold inextensible cloth at their tolerance, and at which cost? \[Bender 2008\]
//!
//! A sheet hangs from two corners, flies for 1/30 s at a time, and is then pulled together by the rows and the columns of its grid in
//! turn, each a tridiagonal system, until every edge is within the tolerance. The paper leaves open the side of the sheet, its
//! mass, how the taut row between the pins is avoided, and how many iterations it took; it gives times of four cores of 2008.
//! Iterations, operations and strains are measured here by all of these, times on this machine.
//!
//! About two minutes at paper scale on two cores.

mod charts;
mod contact;
mod linear;
mod relaxed;
mod repair;
mod rivals;
mod scene;
mod steps;
mod time_verdicts;
mod times;
mod verdicts;

use lab::identity::hash_of_ranges;
use lab::study::{Judge, Plot, Study};
use lab::table;
use serde::{Deserialize, Serialize};

/// Sample sizes and ranges, a section a group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// Iterations and strains of hanging sheets.
    pub steps: steps::StepRanges,
    /// Hanging sheets that are timed.
    pub times: times::TimeRanges,
    /// Sheets that come to rest.
    pub relaxed: relaxed::RelaxedRanges,
    /// Single parts of growing length.
    pub linear: linear::LinearRanges,
    /// Other ways to divide the mesh.
    pub rivals: rivals::RivalRanges,
    /// Damaged sheets.
    pub repair: repair::RepairRanges,
    /// A sheet on a sphere.
    pub contact: contact::ContactRanges,
}

/// The study.
pub fn study(ranges: &Ranges) -> Study {
    let hash = hash_of_ranges(ranges);
    let Ranges { steps, times, relaxed, linear, rivals, repair, contact } = ranges.clone();
    Study {
        name: "impulse-strips",
        title: "Inextensible cloth by strips solved in turn",
        source: "Bender 2008",
        about: "Sheets that hang from two corners with steps of 1/30 s, their rows and columns solved directly and in turn until the strain \
                of every edge is within a tolerance: by grid, tolerance, directions, velocity pass, size and threads; against other \
                divisions; damaged sheets; a sheet on a sphere.",
        groups: vec![
            table(steps::Steps(steps)),
            table(times::Times(times)),
            table(relaxed::Relaxed(relaxed)),
            table(linear::Linear(linear)),
            table(rivals::Rivals(rivals)),
            table(repair::Repair(repair)),
            table(contact::Contact(contact)),
        ],
        plots: vec![
            Plot { name: "times", draw: charts::times },
            Plot { name: "threads", draw: charts::threads },
            Plot { name: "iterations", draw: charts::iterations },
            Plot { name: "relaxed", draw: charts::relaxed },
            Plot { name: "linear", draw: charts::linear },
            Plot { name: "linear-times", draw: charts::linear_times },
        ],
        judges: vec![
            Judge::of_counts("D-RELAX", verdicts::relax),
            Judge::of_times("D-TIME", time_verdicts::time),
            Judge::of_times("D-LINEAR", time_verdicts::linear),
            Judge::of_times("D-CORES", time_verdicts::cores),
            Judge::of_times("D-FIVE", time_verdicts::five),
            Judge::of_counts("D-ITER", verdicts::rivals),
            Judge::of_counts("D-REPAIR", verdicts::repair),
            Judge::of_counts("D-CONTACT", verdicts::contact),
        ],
        discussion: verdicts::discussion,
        expected_seconds: 105.0,
        code: env!("CODE_OF_IMPULSE_STRIPS"),
        ranges: hash,
    }
}
