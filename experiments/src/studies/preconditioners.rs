//! How many iterations of conjugate gradients does a preconditioner save, and the start from the previous solution?
//! \[Boxerman 2003, 5.2 and 5.3\]
//!
//! Cloth in contact is a linear system of which some rows are constrained. The thesis takes the constraints into the 3x3
//! diagonal blocks that precondition it, and reports how many iterations that saves against the blocks as they are and against
//! none. As there, every preconditioner runs the whole simulation; tolerance, contact and start are varied, because the verdicts hang
//! on them, and the same systems are solved by all preconditioners besides.
//!
//! About fifteen minutes at paper scale on two cores.

mod blocks;
mod charts;
mod contest;
mod cost_verdicts;
mod discussion;
mod exponents;
mod method;
mod multigrid;
mod multigrid_charts;
mod order;
mod order_verdicts;
mod published;
mod samples;
mod scenes;
mod systems;
mod times;
mod tolerances;
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
    /// Random sheets and the preconditioners of the thesis.
    pub systems: systems::SystemRanges,
    /// The first of them under other readings of the tolerance.
    pub readings: systems::ReadingRanges,
    /// Random sheets of a few sizes.
    pub stiffness: systems::StiffnessRanges,
    /// Sheets with ever smaller steps.
    pub order: order::OrderRanges,
    /// The first sheets that are not too large again, with more preconditioners and starts and other tolerances.
    pub tolerances: tolerances::ToleranceRanges,
    /// Sheets that are timed.
    pub times: times::TimeRanges,
    /// Sheets by multigrid.
    pub multigrid: multigrid::MultigridRanges,
}

impl Ranges {
    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The first one, its key in the section of the study.
    pub fn check(&self) -> Result<(), Unfit> {
        let Ranges { systems, times, .. } = self;
        check_list("systems.duration", systems.duration, &systems.lists.step)?;
        check_list("times.duration", times.duration, &times.lists.step)
    }
}

pub fn study(ranges: &Ranges) -> Study {
    let hash = hash_of_ranges(ranges);
    let Ranges { systems, readings, stiffness, order, tolerances, times, multigrid } = ranges.clone();
    Study {
        name: "preconditioners",
        title: "Preconditioners and starts of projected conjugate gradients",
        source: "Boxerman 2003, sections 5.2 and 5.3",
        about: "Sheets of one metre that hang from two corners or fall onto a sphere, drawn from the lists of the thesis, run for one \
                second by semi-implicit backward Euler with each preconditioner, and under each reading of what the thesis says of its \
                tolerance.",
        groups: vec![
            table(systems::Systems(systems.clone())),
            table(systems::Readings(systems.clone(), readings.clone())),
            table(systems::Seeds(systems.clone(), readings.seeds)),
            table(systems::Stiffness(systems.clone(), stiffness)),
            table(order::Order(order)),
            table(tolerances::Tolerances(systems, tolerances)),
            table(times::Times(times)),
            table(multigrid::Multigrid(multigrid)),
        ],
        plots: vec![
            Plot { name: "pinned-size", draw: charts::pinned_size },
            Plot { name: "pinned-stiffness", draw: charts::pinned_stiffness },
            Plot { name: "sphere-size", draw: charts::sphere_size },
            Plot { name: "sphere-stiffness", draw: charts::sphere_stiffness },
            Plot { name: "exponents", draw: charts::exponents },
            Plot { name: "order", draw: order_verdicts::chart },
            Plot { name: "preconditioners", draw: charts::preconditioners },
            Plot { name: "start", draw: charts::start },
            Plot { name: "lost", draw: charts::lost },
            Plot { name: "times", draw: charts::times },
            Plot { name: "multigrid", draw: multigrid_charts::iterations },
            Plot { name: "multigrid-times", draw: multigrid_charts::times },
        ],
        judges: vec![
            Judge::of_counts("B-GUESS", cost_verdicts::guess),
            Judge::of_times("B-CP-COST", cost_verdicts::cost),
            Judge::of_counts("B-CP-FREE-N", verdicts::free_size),
            Judge::of_counts("B-CP-FREE-KAPPA", verdicts::free_stiffness),
            Judge::of_counts("B-ABLOCK-WORSE", blocks::blocks_worse),
            Judge::of_counts("B-CP-CON-N", verdicts::contact_size),
            Judge::of_counts("B-CP-CON-KAPPA", verdicts::contact_stiffness),
            Judge::of_counts("B-ORDER", exponents::order),
        ],
        discussion: discussion::discussion,
        expected_seconds: 870.0,
        code: env!("CODE_OF_PRECONDITIONERS"),
        ranges: hash,
    }
}
