//! Is projective dynamics fast, to what solution, and where? \[Stuyck 2018, 6; Liu, Bargteil, O'Brien & Kavan 2013\]
//!
//! Random sheets, caught in their fall: the next step of backward Euler by local and global steps, accelerated or not, and by
//! Newton with a line search, error and energy against work and time. Then a map of who is faster, and whole simulations.

mod discussion;
mod sheets;
mod solved;
mod solvers;
mod times;

use kit::prelude::*;

topics! {
    courses: CourseRanges,
    map: MapRanges,
    runs: RunRanges,
}

fn study(ranges: &Ranges) -> Study {
    Study {
        name: "projective-dynamics",
        title: "Local and global steps against Newton",
        source: "Stuyck 2018, chapter 6; Liu, Bargteil, O'Brien & Kavan 2013",
        about: "One step of backward Euler on random sheets caught in their fall, by projective dynamics with and without acceleration and by Newton with \
                a line search: what is left of the way after each iteration, of work and of time; who is faster by size and stiffness; whole simulations \
                with ten iterations a step.",
        discussion: discussion::discussion,
        ..topics(ranges).study(hash_of_ranges(ranges))
    }
}
