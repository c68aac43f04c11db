//! What do collisions of cloth take, and what do they leave? \[Boxerman 2003, 3.4.2; Goldenthal 2007, 6; Stuyck 2018, 9\]
//!
//! Random drapes that meet themselves: kept apart particle by particle as in the thesis, by exact collisions, by nothing; after
//! fast projection and before it. Whether triangles cross is looked at after every step, by exact predicates.

mod discussion;
mod drapes;
mod treatments;

use kit::prelude::*;

topics! {
    kept: KeptRanges,
    gaps: GapRanges,
    times: TimeRanges,
    order: OrderRanges,
    boxes: BoxRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "collisions",
        title: "Cloth that meets itself",
        source: "Boxerman 2003, section 3.4.2; Goldenthal 2007, section 6; Stuyck 2018, chapter 9",
        about: "Random drapes that fall onto themselves, kept apart particle by particle or by exact collisions, with collisions as the \
                last filter or before the last: what passes through, what floats, what strains, and what it takes.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
