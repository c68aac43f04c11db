//! Which integrator reaches which error for the least work, and in the least time?
//!
//! The papers compare schemes at one step, or by whether they look right. Here every integrator runs the same scenes over the same ladder of
//! steps, and its error against a converged reference stands against its work: the chart of the literature on ordinary differential
//! equations.
//!
//! About a minute at paper scale on two cores.

mod ball;
mod charts;
mod discussion;
mod large_steps;
mod methods;
mod references;
mod runs;
mod samples;
mod scenes;
mod verdicts;
mod work;

use lab::measure::identity::hash_of_ranges;
use lab::prelude::*;
use lab::study::{Judge, Plot, Study};
use lab::table;

use crate::ranges::{Unfit, check_steps};
use references::{Checks, References, Setup};
use runs::Runs;

/// Sample sizes and ranges, a section a group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Ranges {
    /// Every scene by every integrator at every step.
    pub runs: runs::RunRanges,
    /// Random sheets at large steps.
    pub large_steps: large_steps::LargeStepRanges,
}

impl Ranges {
    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The first one, its key in the section of the study.
    pub fn check(&self) -> Result<(), Unfit> {
        self.runs.scenes.values().iter().try_for_each(|setup| {
            let finest = setup.steps.reference();
            let [.., end] = setup.times();
            check_steps("runs.scenes", end, Setup::step(finest))
        })
    }
}

pub fn study(ranges: &Ranges) -> Study {
    let references = References::new(&ranges.runs.scenes);
    let checks = Checks { setups: ranges.runs.scenes.clone(), references: references.clone() };
    Study {
        name: "work-precision",
        title: "Error against work and time, every integrator",
        source: "Hairer & Wanner, Solving Ordinary Differential Equations; Boxerman 2003, section 4.2.3",
        about: "Sheets, a drape, a flag and a chain by every integrator over one ladder of steps. The error is the distance of particles to a converged \
                reference at four times; work counts forces, linearisations, products and iterations in operations. Beside them, random sheets of the thesis by \
                backward Euler and BDF2 at steps of up to a second.",
        groups: vec![
            table(Runs::new(ranges.runs.clone(), references)),
            table(checks),
            table(large_steps::LargeSteps(ranges.large_steps.clone())),
            table(large_steps::Modes),
        ],
        plots: vec![
            Plot { name: "work", draw: charts::work },
            Plot { name: "times", draw: charts::times },
            Plot { name: "explicit", draw: charts::explicit },
            Plot { name: "implicit", draw: charts::implicit },
            Plot { name: "variants", draw: charts::variants },
            Plot { name: "energy", draw: charts::energy },
            Plot { name: "large-steps", draw: charts::large_steps },
        ],
        judges: vec![Judge::of_counts("B-BDF-STABLE", verdicts::stable)],
        discussion: discussion::discussion,
        expected_seconds: 88.0,
        code: env!("CODE_OF_WORK_PRECISION"),
        ranges: hash_of_ranges(ranges),
    }
}
