//! What do plain and projected damping do to a falling sheet? \[Boxerman 2003, 4.2.4\]
//!
//! The thesis shows the energies of one sheet without damping, with plain and with projected damping: plain damping takes far
//! too much energy, projected damping only the oscillation of the springs. So do we, over starts that are not quite flat, since single
//! runs are chance; and we ask what the figures owe to the solver, the step, the mesh, the coefficients, the law of bending and the
//! high-pass, and to the scene.
//!
//! About two minutes at paper scale on two cores.

mod bending;
mod charts;
mod energies;
mod fall;
mod oscillation;
mod runs;
mod trio;
mod verdicts;

use cloth::quantity::Positive;
use lab::measure::identity::hash_of_ranges;
use lab::prelude::*;
use lab::study::{Judge, Plot, Study};
use lab::table;

use crate::ranges::{Unfit, check_steps};
use fall::LATE;

/// Sample sizes and ranges, a section a group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// The printed scene.
    pub scene: energies::SceneRanges,
    /// When and how finely the sheet is drawn.
    pub frames: energies::FrameRanges,
    /// What is varied in it.
    pub readings: runs::ReadingRanges,
    /// Random starts of it.
    pub perturbed: runs::PerturbedRanges,
    /// Other laws of bending.
    pub bending: bending::Ranges,
    /// Random sheets.
    pub sets: runs::SetRanges,
}

impl Ranges {
    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The first one, its key in the section of the study.
    pub fn check(&self) -> Result<(), Unfit> {
        let Ranges { scene, readings, sets, .. } = self;
        check_steps("scene.step", LATE, scene.step.get())?;
        readings.steps.values().iter().try_for_each(|step| check_steps("readings.steps", LATE, step.get()))?;
        let greatest = |side: f64, spacing: &Positive| side.max(spacing.get());
        let spacing = sets.spacing.values().iter().fold(0.0, greatest);
        let side = sets.side.values().iter().map(|side| side.get() - 1).max().unwrap_or(1);
        let time = LATE * (spacing * f64::from(side)).sqrt(); // as a pendulum of the side's length
        sets.step.values().iter().try_for_each(|step| {
            check_steps("sets.step", LATE, step.get())?;
            check_steps("sets.spacing", time, step.get())
        })
    }
}

pub fn study(ranges: &Ranges) -> Study {
    let hash = hash_of_ranges(ranges);
    let Ranges { scene, frames, readings, perturbed, bending, sets } = ranges.clone();
    let starts = || runs::Perturbed { scene: scene.clone(), ranges: perturbed.clone() };
    Study {
        name: "projected-damping",
        title: "Plain and projected damping",
        source: "Boxerman 2003, section 4.2.4 with figures 4.4 to 4.6",
        about: "A square sheet, held at two corners, falls from the horizontal for two seconds under the semi-implicit backward Euler \
                scheme: without damping, with plain damping of its springs, and with damping projected onto them. Its energies are \
                followed with both readings of the thesis' tolerance and with exact solves. The claims are judged over starts that are \
                not quite flat, since single runs are chance. The same runs under other solvers, steps, meshes, \
                coefficients and starts, and random sheets with both dampings of equal coefficient, show what the verdicts rest on.",
        groups: vec![
            table(energies::EnergiesInTime(scene.clone())),
            table(energies::Frames { scene: scene.clone(), ranges: frames }),
            table(runs::Readings { scene: scene.clone(), ranges: readings }),
            table(starts()),
            table(bending::Bending { starts: starts(), ranges: bending }),
            table(runs::Sets { scene, ranges: sets }),
        ],
        plots: vec![
            Plot { name: "energies", draw: charts::energies },
            Plot { name: "oscillation", draw: charts::oscillation },
            Plot { name: "sheets", draw: charts::sheets },
            Plot { name: "coefficients", draw: charts::coefficients },
            Plot { name: "readings", draw: charts::readings },
            Plot { name: "sets", draw: charts::sets },
        ],
        judges: vec![
            Judge::of_counts("B-DAMP-NONE", verdicts::none),
            Judge::of_counts("B-DAMP-PLAIN", verdicts::plain),
            Judge::of_counts("B-DAMP-PROJ", verdicts::projected),
        ],
        discussion: verdicts::discussion,
        expected_seconds: 118.0,
        code: env!("CODE_OF_PROJECTED_DAMPING"),
        ranges: hash,
    }
}
