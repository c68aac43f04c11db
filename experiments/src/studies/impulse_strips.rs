//! Do impulse strips hold inextensible cloth at their tolerance, and at which cost? \[Bender 2008\]
//!
//! A sheet hangs from two corners, flies for 1/30 s at a time, and is then pulled together by the rows and the columns of its grid in
//! turn, each a tridiagonal system, until every edge is within the tolerance. The paper leaves open the side of the sheet, its
//! start, the resistance of the air, and how the taut row between the pins is avoided. Of iterations it gives one count, five, with
//! their times, so that its other times can be compared by their ratios. Along directions of the start of the step, as printed,
//! a sheet comes to its end only where a step turns edges little; along those of the preview it does everywhere. Iterations,
//! operations and strains are measured here by all of these, times on this machine.
//!
//! About six minutes of processor time at paper scale.

mod accuracy;
mod charts;
mod contact;
mod discussion;
mod exact;
mod interrupted;
mod linear;
mod linear_verdicts;
mod momentum;
mod pictures;
mod printed;
mod relaxed;
mod repair;
mod rivals;
mod scene;
mod sides;
mod skip_verdicts;
mod skipped;
mod step_verdicts;
mod steps;
mod thread_verdicts;
mod time_verdicts;
mod times;
mod verdicts;

use lab::measure::identity::hash_of_ranges;
use lab::prelude::*;
use lab::study::{Judge, Plot, Study};
use lab::table;

/// Sample sizes and ranges, a section a group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// Iterations and strains of hanging sheets.
    pub steps: steps::StepRanges,
    /// Hanging sheets that are timed.
    pub times: times::TimeRanges,
    /// Hanging sheets that are timed without and with the velocity pass.
    pub skipped: skipped::SkippedRanges,
    /// Hanging sheets by their unstated side.
    pub sides: sides::SideRanges,
    /// Directions as printed.
    pub printed: printed::PrintedRanges,
    /// Sheets whose iterations are interrupted.
    pub interrupted: interrupted::InterruptedRanges,
    /// Sheets that come to rest.
    pub relaxed: relaxed::RelaxedRanges,
    /// Errors without and with the velocity pass.
    pub accuracy: accuracy::AccuracyRanges,
    /// One edge and one impulse.
    pub exact: exact::ExactRanges,
    /// Free sheets.
    pub momentum: momentum::MomentumRanges,
    /// Single parts of growing length.
    pub linear: linear::LinearRanges,
    /// Other ways to divide the mesh.
    pub rivals: rivals::RivalRanges,
    /// Damaged sheets.
    pub repair: repair::RepairRanges,
    /// A sheet on a sphere.
    pub contact: contact::ContactRanges,
}

pub fn study(ranges: &Ranges) -> Study {
    let hash = hash_of_ranges(ranges);
    let Ranges { steps, times, sides, printed, interrupted, relaxed, accuracy, exact, momentum, .. } = ranges.clone();
    let Ranges { skipped, linear, rivals, repair, contact, .. } = ranges.clone();
    Study {
        name: "impulse-strips",
        title: "Inextensible cloth by strips solved in turn",
        source: "Bender 2008",
        about: "Sheets that hang from two corners with steps of 1/30 s, their rows and columns solved directly and in turn until the strain \
                of every edge is within a tolerance: by grid, tolerance, directions, velocity pass, side, air and threads; as printed; interrupted; \
                against other divisions; damaged sheets; a sheet on a sphere; single edges, chains and free sheets.",
        groups: vec![
            table(steps::Steps(steps)),
            table(times::Times(times)),
            table(skipped::Skipped(skipped)),
            table(sides::Sides(sides)),
            table(printed::Printed(printed)),
            table(interrupted::Interrupted(interrupted)),
            table(relaxed::Relaxed(relaxed)),
            table(accuracy::Accuracy(accuracy)),
            table(exact::Exact(exact)),
            table(momentum::Momentum(momentum)),
            table(linear::Linear(linear)),
            table(rivals::Rivals(rivals)),
            table(repair::Repair(repair)),
            table(contact::Contact(contact.clone())),
            table(contact::Drapes(contact)),
        ],
        plots: vec![
            Plot { name: "times", draw: charts::times },
            Plot { name: "threads", draw: charts::threads },
            Plot { name: "iterations", draw: charts::iterations },
            Plot { name: "sides", draw: charts::sides },
            Plot { name: "printed", draw: charts::printed },
            Plot { name: "accuracy", draw: charts::accuracy },
            Plot { name: "relaxed", draw: pictures::relaxed },
            Plot { name: "drapes", draw: pictures::drapes },
            Plot { name: "linear", draw: charts::linear },
            Plot { name: "linear-times", draw: charts::linear_times },
        ],
        judges: vec![
            Judge::of_counts("D-RELAX", verdicts::relax),
            Judge::of_times("D-TIME", time_verdicts::time),
            Judge::of_times("D-LINEAR", linear_verdicts::linear),
            Judge::of_times("D-CORES", thread_verdicts::cores),
            Judge::of_times("D-FIVE", time_verdicts::five),
            Judge::of_counts("D-ITER", verdicts::rivals),
            Judge::of_counts("D-REPAIR", verdicts::repair),
            Judge::of_counts("D-CONTACT", verdicts::contact),
            Judge::of_counts("D-VELOCITY", step_verdicts::velocity),
            Judge::of_times("D-SKIP", skip_verdicts::skip),
            Judge::of_counts("D-INTERRUPT", step_verdicts::interrupt),
            Judge::of_counts("D-EXACT", step_verdicts::exact),
            Judge::of_counts("D-MOMENTUM", step_verdicts::momentum),
            Judge::of_counts("D-FINER", step_verdicts::finer),
        ],
        discussion: discussion::discussion,
        expected_seconds: 220.0,
        code: env!("CODE_OF_IMPULSE_STRIPS"),
        ranges: hash,
    }
}
