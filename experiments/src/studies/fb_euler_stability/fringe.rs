//! How ragged the limit is that a bisection finds: which steps near it are stable, one by one.

/// Ratio of neighbouring steps \[-\].
pub const RATIO: f64 = 1.005;

/// Steps in a row, all stable below or all unstable above, at which a side of the fringe ends: a tenth.
const QUIET: u32 = 20;

/// Steps on one side after which it is given up: a factor of two.
const FURTHEST: u32 = 139;

/// A walk outward from a limit, below it and then above, as a state machine: ask for the [`next`](Fringe::next) step, try it, and
/// [`tell`](Fringe::tell) whether it is stable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fringe {
    limit: f64,
    is_above: bool,
    /// Steps tried on this side.
    place: u32,
    /// Of these the last ones in a row that were as they should be.
    quiet: u32,
    smallest_unstable: f64,
    largest_stable: f64,
    is_bounded: bool,
}

/// What a walk found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest unstable step \[s\].
    pub smallest_unstable: f64,
    /// Largest stable one \[s\].
    pub largest_stable: f64,
    /// Whether both sides came to an end within a factor of two.
    pub is_bounded: bool,
}

impl Fringe {
    /// About a limit \[s\].
    pub fn new(limit: f64) -> Fringe {
        let (smallest_unstable, largest_stable) = (f64::INFINITY, 0.0);
        Fringe { limit, is_above: false, place: 0, quiet: 0, smallest_unstable, largest_stable, is_bounded: true }
    }

    fn step(&self) -> f64 {
        let away = libm::pow(RATIO, f64::from(self.place + 1));
        if self.is_above { self.limit * away } else { self.limit / away }
    }

    /// The step to be tried next \[s\], or nothing at the end of the walk.
    pub fn next(&self) -> Option<f64> {
        (!self.is_above || self.quiet < QUIET && self.place < FURTHEST).then(|| self.step())
    }

    /// What came of the step that [`next`](Fringe::next) gave.
    pub fn tell(&mut self, is_stable: bool) {
        let step = self.step();
        if is_stable {
            self.largest_stable = self.largest_stable.max(step);
        } else {
            self.smallest_unstable = self.smallest_unstable.min(step);
        }
        self.place += 1;
        self.quiet = if is_stable == self.is_above { 0 } else { self.quiet + 1 };
        let (is_quiet, is_far) = (self.quiet == QUIET, self.place == FURTHEST);
        self.is_bounded &= is_quiet || !is_far;
        if !self.is_above && (is_quiet || is_far) {
            (self.is_above, self.place, self.quiet) = (true, 0, 0);
        }
    }

    /// What was found.
    pub fn bounds(&self) -> Bounds {
        let &Fringe { smallest_unstable, largest_stable, is_bounded, .. } = self;
        Bounds { smallest_unstable, largest_stable, is_bounded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(is_stable: impl Fn(f64) -> bool) -> (Bounds, u32) {
        let (mut fringe, mut tries) = (Fringe::new(2.0), 0);
        while let Some(step) = fringe.next() {
            fringe.tell(is_stable(step));
            tries += 1;
        }
        (fringe.bounds(), tries)
    }

    #[test]
    fn a_clean_limit_has_bounds_of_one_step() {
        let (bounds, tries) = walk(|step| step < 2.0);
        assert!((bounds.smallest_unstable / 2.0 / RATIO - 1.0).abs() < 1e-14, "{bounds:?}");
        assert!((bounds.largest_stable / 2.0 * RATIO - 1.0).abs() < 1e-14 && bounds.is_bounded, "{bounds:?}");
        assert_eq!(tries, 2 * QUIET);
    }

    #[test]
    fn islands_on_both_sides_are_found() {
        let island = |step: f64, place: f64| (step / place - 1.0).abs() < 0.004;
        let (bounds, tries) = walk(|step| (step < 2.0 && !island(step, 1.86)) || island(step, 2.15));
        assert!(bounds.smallest_unstable < 1.87 && bounds.largest_stable > 2.14 && bounds.is_bounded, "{bounds:?}");
        assert!(tries > 2 * QUIET + 20 && tries < 2 * FURTHEST, "{tries}");
    }

    #[test]
    fn a_fringe_without_an_end_says_so() {
        let (bounds, tries) = walk(|step| ((step * 1e4) as u64).is_multiple_of(2));
        assert!(!bounds.is_bounded && bounds.smallest_unstable < 1.2 && bounds.largest_stable > 3.5, "{bounds:?}");
        assert_eq!(tries, 2 * FURTHEST);
    }
}
