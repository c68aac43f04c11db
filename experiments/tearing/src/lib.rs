//! What comes of cloth that tears? \[Stuyck 2018, 4.5\]
//!
//! Random sheets torn by their own weight or pulled apart, by springs that leave and by a mesh that opens.

mod discussion;
mod meshes;
mod sheets;
mod squares;
mod torn;
mod ways;

use kit::prelude::*;

topics! {
    ties: TieRanges,
    stretch: StretchRanges,
    paths: PathRanges,
    tracks: TrackRanges,
    costs: CostRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "tearing",
        title: "Cloth that tears",
        source: "Stuyck 2018, section 4.5",
        about: "Random sheets that are torn by their own weight or pulled apart, where springs that are too long leave, as the textbook \
                says, and where the mesh opens instead: what stays tied across the tear, how far cloth stretches, which way tears run, \
                and what it takes that the mesh changes.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
