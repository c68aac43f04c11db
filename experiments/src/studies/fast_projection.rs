//! Does fast projection make inextensible cloth cheap? \[Goldenthal 2007\]
//!
//! Cloth whose warp and weft keep their length to a permissible strain, by fast projection and by everything else that a user could
//! take: the paper's rivals, position based dynamics, impulse strips, stiff springs solved to convergence. Every method runs at the
//! cheapest step at which it holds the bound, found by the same search; work first, time second.
//!
//! About nine minutes at paper scale on two cores.

mod chain;
mod chain_verdicts;
mod charts;
mod collided;
mod courses;
mod discussion;
mod drape;
mod drape_places;
mod drape_run;
mod drape_verdicts;
mod drift;
mod failures;
mod garment;
mod locking;
mod look_verdicts;
mod looks;
mod moving_charts;
mod moving_verdicts;
mod relaxed;
mod residual;
mod rivals;
mod samples;
mod scenes;
mod search;
mod systems;

use lab::measure::identity::hash_of_ranges;
use lab::prelude::*;
use lab::study::{Judge, Plot, Study};
use lab::table;

use crate::ranges::{Count, List, Unfit, check_rates};

/// Sizes and ranges, a section a group.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// A sheet falling over a sphere by every method.
    pub drape: drape::DrapeRanges,
    /// The same by fast projection at every step, for what collisions do.
    pub collided: collided::CollidedRanges,
    /// A chain by fast projection and by springs.
    pub chain: chain::ChainRanges,
    /// The same drape by two methods.
    pub looks: looks::LookRanges,
    /// Configurations in which constraint directions fail.
    pub failures: failures::FailureRanges,
    /// Linear systems of steps of the drape.
    pub systems: systems::SystemRanges,
    /// Degrees of freedom of quads and triangles.
    pub locking: locking::LockingRanges,
    /// The residual of the equation of motion.
    pub residual: residual::ResidualRanges,
    /// Lengths over many steps.
    pub drift: drift::DriftRanges,
    /// A patch held at two corners, relaxed.
    pub relaxed: relaxed::RelaxedRanges,
    /// Trousers on a figure that dances.
    pub garment: garment::GarmentRanges,
}

impl Ranges {
    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The first one, its key in the section of the study.
    pub fn check(&self) -> Result<(), Unfit> {
        let Ranges { drape, collided, chain, looks, systems, residual, drift, relaxed, .. } = self;
        let rates = |list: &List<Count>| list.values().iter().map(|rate| rate.get()).collect::<Vec<_>>();
        for (key, time) in [("drape.duration", drape.duration), ("drape.compared_at", drape.compared_at)] {
            check_rates(key, time.get(), [rates(&drape.rates), vec![drape.reference.get()]].concat())?;
        }
        check_rates("collided.duration", collided.duration.get(), rates(&collided.rates))?;
        for (key, time) in [("chain.duration", chain.duration), ("chain.compared_at", chain.compared_at)] {
            check_rates(key, time.get(), [rates(&chain.rates), vec![chain.reference.get()]].concat())?;
        }
        for time in looks.times.values() {
            check_rates("looks.times", time.get(), [vec![looks.rate.get()], rates(&looks.other_rates)].concat())?;
        }
        for time in systems.times.values() {
            check_rates("systems.times", time.get(), [systems.rate.get()])?;
        }
        check_rates("residual.duration", residual.duration.get(), [residual.rate.get() << residual.halvings.get()])?;
        check_rates("drift.duration", drift.duration.get(), rates(&drift.rates))?;
        check_rates("relaxed.duration", relaxed.duration.get(), [relaxed.rate.get()])
    }
}

pub fn study(ranges: &Ranges) -> Study {
    let hash = hash_of_ranges(ranges);
    let Ranges { drape, collided, chain, looks, failures, systems, locking, residual, drift, relaxed, garment } = ranges.clone();
    Study {
        name: "fast-projection",
        title: "Fast projection against its rivals",
        source: "Goldenthal 2007",
        about: "Cloth whose edges keep their length: chains, drapes and a garment by fast projection and its rivals, each at the cheapest \
                step that holds the permissible strain.",
        groups: vec![
            table(drape::Drape::new(drape)),
            table(collided::Collided(collided)),
            table(chain::Chains(chain)),
            table(looks::Looks(looks.clone())),
            table(looks::OtherLooks(looks::Looks(looks))),
            table(failures::Failures(failures)),
            table(systems::Systems(systems)),
            table(locking::Locking(locking)),
            table(residual::Residuals(residual)),
            table(drift::Drift(drift)),
            table(relaxed::Relaxed(relaxed.clone())),
            table(relaxed::Patches(relaxed)),
            table(garment::Garment(garment.clone())),
            table(garment::GarmentTimes(garment.clone())),
            table(garment::Worn(garment)),
        ],
        plots: vec![
            Plot { name: "chain", draw: charts::chain },
            Plot { name: "chain-times", draw: charts::chain_times },
            Plot { name: "drape-work", draw: charts::drape_work },
            Plot { name: "drape-times", draw: charts::drape_times },
            Plot { name: "drape-size", draw: charts::drape_size },
            Plot { name: "drape-steps", draw: charts::drape_steps },
            Plot { name: "collided", draw: collided::chart },
            Plot { name: "looks", draw: charts::looks },
            Plot { name: "residual", draw: residual::chart },
            Plot { name: "drift", draw: drift::chart },
            Plot { name: "relaxed", draw: moving_charts::relaxed },
            Plot { name: "garment-waist", draw: moving_charts::waist },
            Plot { name: "garment", draw: moving_charts::garment },
        ],
        judges: vec![
            Judge::of_times("G-CHAIN-STRAIN", chain_verdicts::strain),
            Judge::of_times("G-CHAIN-25X", chain_verdicts::size),
            Judge::of_times("G-DRAPE-STRAIN", drape_verdicts::strain),
            Judge::of_times("G-DRAPE-N", drape_verdicts::size),
            Judge::of_counts("G-LOOK", look_verdicts::look),
            Judge::of_times("G-ICD-COST", drape_verdicts::icd_cost),
            Judge::of_counts("G-POSTCOLL", collided::after_collisions),
            Judge::of_counts("G-SHAKE", failures::shake),
            Judge::of_counts("G-ICD-SAP", systems::roots),
            Judge::of_counts("G-FIRST", systems::first),
            Judge::of_counts("G-SIZE", systems::size),
            Judge::of_counts("G-LOCKING", locking::locking),
            Judge::of_counts("G-RESIDUAL", residual::residual),
            Judge::of_counts("G-DRIFT", drift::drift),
            Judge::of_counts("G-RELAX", moving_verdicts::relaxed),
            Judge::of_times("G-SCENE", moving_verdicts::scene),
        ],
        discussion: discussion::discussion,
        expected_seconds: 540.0,
        code: env!("CODE_OF_FAST_PROJECTION"),
        ranges: hash,
    }
}
