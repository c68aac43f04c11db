//! Does generalized-alpha let cloth move more freely than backward Euler, at the same cost? \[Parks & Forsyth 2002\]
//!
//! A flag of triangles is driven at two corners for half of a minute and then held for another half: all energy that it loses then is the
//! integrator's doing. The paper gives neither size nor stiffness, so verdicts rest on drawn scenes and on a map of them; one tuned
//! scene, whose rates are near the published ones, draws its figure 2.
//!
//! About five and a half minutes at paper scale on two cores.

mod charts;
mod cost_verdicts;
mod courses;
mod decay_verdicts;
mod discussion;
mod flag;
mod flag_charts;
mod flag_run;
mod lists;
mod measures;
mod orders;
mod radii;
mod runs;
mod select;
mod swing_scenes;
mod swing_verdicts;
mod swings;
mod systems;
mod verdicts;

use lab::measure::identity::hash_of_ranges;
use lab::prelude::*;
use lab::study::{Judge, Plot, Study};
use lab::table;

use crate::ranges::{Unfit, check_list, check_steps};

/// The flag, and a section for each group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// The flag of all groups.
    pub flag: flag::FlagRanges,
    /// Random settings.
    pub settings: runs::SettingRanges,
    /// The paper's flag, and the reference.
    pub paper: lists::Paper,
    /// Stiffness and amplitude crossed, from several starts.
    pub map: lists::Map,
    /// Random scenes of the swing, beside references.
    pub swings: swings::SwingRanges,
    /// The sweep over rho_inf.
    pub limits: lists::Limits,
    /// Courses over time, and frames.
    pub courses: courses::CourseRanges,
    /// Linear systems and their cost.
    pub systems: systems::SystemRanges,
    /// Spectral radii.
    pub radii: radii::RadiusRanges,
    /// Orders of accuracy.
    pub orders: orders::OrderRanges,
}

impl Ranges {
    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The first one, its key in the section of the study.
    pub fn check(&self) -> Result<(), Unfit> {
        let Ranges { flag, settings, paper, map, swings, limits, courses, systems, orders, .. } = self;
        let lists = [&settings.steps, &paper.steps, &paper.further, &paper.reference, &map.steps, &swings.steps, &limits.steps];
        for steps in lists.into_iter().chain([&courses.steps, &systems.steps]) {
            check_list("flag.duration", flag.duration, steps)?;
        }
        check_steps("flag.duration", flag.duration.get(), courses.reference.get())?;
        check_steps("flag.duration", flag.duration.get(), swings.reference.get())?;
        check_list("courses.from", courses.from, &courses.steps)?;
        check_list("systems.duration", systems.duration, &systems.steps)?;
        check_list("systems.compared", systems.compared, &systems.steps)?;
        systems.times.values().iter().try_for_each(|time| check_list("systems.times", *time, &systems.steps))?;
        let steps = orders.steps.values().iter().map(|steps| steps.get()).max().unwrap_or(1);
        check_steps("orders.finer", f64::from(orders.finer.get()), 1.0 / f64::from(steps))
    }
}

pub fn study(ranges: &Ranges) -> Study {
    let hash = hash_of_ranges(ranges);
    let Ranges { flag, settings, paper, map, swings, limits, courses, systems, radii, orders } = ranges.clone();
    let courses = courses::Courses { flag: flag.clone(), ranges: courses };
    let settings = runs::Settings { flag: flag.clone(), ranges: settings };
    let systems = systems::Systems { flag: flag.clone(), ranges: systems };
    let swings = swings::Swings { flag: flag.clone(), ranges: swings };
    Study {
        name: "generalized-alpha",
        title: "Generalized-alpha against backward Euler",
        source: "Parks & Forsyth 2002",
        about: "A flag of 116 points, driven at two corners for 30 s and then held for 30 s, by backward Euler and by generalized-alpha: how fast \
                each loses the energy that nothing takes, how the flag swings, and what a step costs.",
        groups: vec![
            table(settings.clone()),
            table(runs::Seeds(settings)),
            table(runs::Listed { flag: flag.clone(), list: paper }),
            table(runs::Listed { flag: flag.clone(), list: map }),
            table(swings.clone()),
            table(swings::SwingSeeds(swings)),
            table(runs::Listed { flag, list: limits }),
            table(courses.clone()),
            table(courses::Frames(courses)),
            table(systems.clone()),
            table(systems::Cost(systems)),
            table(radii::Radii(radii)),
            table(orders::Orders(orders)),
        ],
        plots: vec![
            Plot { name: "radii", draw: charts::radii },
            Plot { name: "energy", draw: flag_charts::energy },
            Plot { name: "steps", draw: charts::steps },
            Plot { name: "swing", draw: flag_charts::swing },
            Plot { name: "frames", draw: flag_charts::frames },
            Plot { name: "settings", draw: charts::settings },
            Plot { name: "map", draw: charts::map },
            Plot { name: "errors", draw: charts::errors },
            Plot { name: "limits", draw: charts::limits },
            Plot { name: "systems", draw: charts::systems },
            Plot { name: "orders", draw: charts::orders },
        ],
        judges: vec![
            Judge::of_counts("P-RADIUS", verdicts::radius),
            Judge::of_counts("P-ORDER", verdicts::order),
            Judge::of_counts("P-DECAY-005", decay_verdicts::small_step),
            Judge::of_counts("P-DECAY-03", decay_verdicts::large_step),
            Judge::of_counts("P-STEP", decay_verdicts::factor_of_steps),
            Judge::of_counts("P-CONDITION", decay_verdicts::condition),
            Judge::of_counts("P-LARGE-STEP", swing_verdicts::resembles),
            Judge::of_counts("P-PERIOD", swing_verdicts::period),
            Judge::of_counts("P-STATIC", swing_verdicts::static_state),
            Judge::of_times("P-COST", cost_verdicts::cost),
            Judge::of_counts("P-RHO", verdicts::limits),
        ],
        discussion: discussion::discussion,
        expected_seconds: 325.0,
        code: env!("CODE_OF_GENERALIZED_ALPHA"),
        ranges: hash,
    }
}
