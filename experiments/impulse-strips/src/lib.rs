//! Do impulse strips hold inextensible cloth at their tolerance, and at which cost? \[Bender 2008\]
//!
//! A sheet hangs from two corners, flies for 1/30 s at a time, and is then pulled together by the rows and the columns of its grid
//! in turn, each a tridiagonal system, until every edge is within the tolerance. The paper leaves open the side of the sheet, its
//! start, the resistance of the air, and how the taut row between the pins is avoided. Of iterations it gives one count, five,
//! with their times, so that its other times can be compared by their ratios. Along directions of the start of the step, as
//! printed, a sheet comes to its end only where a step turns edges little; along those of the preview it does everywhere.
//! Iterations, operations and strains are measured here by all of these, times on this machine.
//!
//! About six minutes of processor time at paper scale.

mod discussion;
mod listed;
mod scene;
mod time_charts;
mod time_verdicts;
mod words;

use kit::prelude::*;

topics! {
    steps: StepRanges,
    times: TimeRanges,
    skipped: SkippedRanges,
    sides: SideRanges,
    printed: PrintedRanges,
    interrupted: InterruptedRanges,
    relaxed: RelaxedRanges,
    accuracy: AccuracyRanges,
    exact: ExactRanges,
    momentum: MomentumRanges,
    linear: LinearRanges,
    rivals: RivalRanges,
    repair: RepairRanges,
    contact: ContactRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "impulse-strips",
        title: "Inextensible cloth by strips solved in turn",
        source: "Bender 2008",
        about: "Sheets that hang from two corners with steps of 1/30 s, their rows and columns solved directly and in turn until the strain \
                of every edge is within a tolerance: by grid, tolerance, directions, velocity pass, side, air and threads; as printed; interrupted; \
                against other divisions; damaged sheets; a sheet on a sphere; single edges, chains and free sheets.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
