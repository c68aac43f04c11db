//! Does fast projection make inextensible cloth cheap? \[Goldenthal 2007\]
//!
//! Cloth whose warp and weft keep their length to a permissible strain, by fast projection and by everything else that a user could
//! take: the paper's rivals, position based dynamics, impulse strips, stiff springs solved to convergence. Every method runs at the
//! cheapest step at which it holds the bound, found by the same search; work first, time second.

mod chain_verdicts;
mod courses;
mod discussion;
mod drape_charts;
mod drape_places;
mod drape_run;
mod drape_verdicts;
mod garment_charts;
mod relaxed_chart;
mod residual_verdicts;
mod rivals;
mod samples;
mod scenes;
mod search;
mod swings;

use kit::prelude::*;

topics! {
    drape: DrapeRanges,
    collided: CollidedRanges,
    chain: ChainRanges,
    looks: LookRanges,
    failures: FailureRanges,
    systems: SystemRanges,
    locking: LockingRanges,
    residual: ResidualRanges,
    drift: SwingRanges,
    bursts: SwingRanges,
    relaxed: RelaxedRanges,
    garment: GarmentRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "fast-projection",
        title: "Fast projection against its rivals",
        source: "Goldenthal 2007",
        about: "Cloth whose edges keep their length: chains, drapes and a garment by fast projection and its rivals, each at the cheapest \
                step that holds the permissible strain.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
