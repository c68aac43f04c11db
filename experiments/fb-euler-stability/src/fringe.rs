//! How ragged the limit is that a bisection finds: which steps near it are stable, one by one.

use kit::prelude::*;

/// Ratio of neighbouring steps \[-\].
pub const RATIO: f64 = 1.005;

/// Steps in a row, all stable below or all unstable above, at which a side of the fringe ends: a tenth.
const QUIET: u32 = 20;

/// Steps on one side after which it is given up: a factor of two.
const FURTHEST: u32 = 139;

/// How close the steps of a walk are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// Steps of 0.5 %.
    Fine,
    /// Every fourth of these, 2 %: what it finds unstable or stable, a fine walk does.
    Coarse,
}

impl Pace {
    /// Fine steps that one of them makes.
    fn stride(self) -> u32 {
        match self {
            Pace::Fine => 1,
            Pace::Coarse => 4,
        }
    }
}

/// A walk outward from a limit, below it and then above, as a state machine: ask for the [`next`](Fringe::next) step, try it, and
/// [`tell`](Fringe::tell) whether it is stable.
#[derive(Clone, Debug, PartialEq)]
pub struct Fringe {
    limit: f64,
    /// Fine steps that one of this walk makes.
    stride: u32,
    is_above: bool,
    /// Fine steps gone on this side.
    place: u32,
    /// Of these the last ones in a row that were as they should be.
    quiet: u32,
    found: Bounds,
}

row! {
    /// What a walk found; nothing without one.
    pub struct Bounds {
        /// smallest unstable step within a tenth, or more, in steps of 0.5 %, or of 2 % in readings and draws \[s\]
        pub smallest_unstable: Option<f64>,
        /// largest stable one \[s\]
        pub largest_stable: Option<f64>,
        /// whether beyond these a tenth of steps is all stable below and all unstable above
        pub bounded: Option<bool>,
    }
}

impl Bounds {
    /// The largest stable step over the smallest unstable one: above 1 where stability is not monotone in the step.
    pub fn width(&self) -> Option<f64> {
        Some(self.largest_stable? / self.smallest_unstable?)
    }
}

impl Fringe {
    /// About a limit \[s\].
    pub fn new(limit: f64, pace: Pace) -> Fringe {
        let stride = pace.stride();
        let found = Bounds { bounded: Some(true), ..Bounds::default() };
        Fringe { limit, stride, is_above: false, place: 0, quiet: 0, found }
    }

    fn step(&self) -> f64 {
        let away = libm::pow(RATIO, f64::from(self.place + self.stride));
        if self.is_above { self.limit * away } else { self.limit / away }
    }

    /// Whether the next step on this side would be beyond a factor of two.
    fn is_far(&self) -> bool {
        self.place + self.stride > FURTHEST
    }

    /// The step to be tried next \[s\], or nothing at the end of the walk.
    pub fn next(&self) -> Option<f64> {
        (!self.is_above || self.quiet < QUIET && !self.is_far()).then(|| self.step())
    }

    /// What came of the step that [`next`](Fringe::next) gave.
    pub fn tell(&mut self, is_stable: bool) {
        let step = self.step();
        let found = &mut self.found;
        if is_stable {
            found.largest_stable = Some(found.largest_stable.map_or(step, |other| other.max(step)));
        } else {
            found.smallest_unstable = Some(found.smallest_unstable.map_or(step, |other| other.min(step)));
        }
        self.place += self.stride;
        self.quiet = if is_stable == self.is_above { 0 } else { self.quiet + self.stride };
        let (is_quiet, is_far) = (self.quiet >= QUIET, self.is_far());
        if !is_quiet && is_far {
            self.found.bounded = Some(false);
        }
        if !self.is_above && (is_quiet || is_far) {
            (self.is_above, self.place, self.quiet) = (true, 0, 0);
        }
    }

    /// What was found.
    pub fn bounds(&self) -> Bounds {
        self.found.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest unstable and the largest stable step of a walk about 2 s, whether it is bounded, and its tries.
    fn walk(pace: Pace, is_stable: impl Fn(f64) -> bool) -> ([f64; 2], bool, u32) {
        let (mut fringe, mut tries) = (Fringe::new(2.0, pace), 0);
        while let Some(step) = fringe.next() {
            fringe.tell(is_stable(step));
            tries += 1;
        }
        let Bounds { smallest_unstable, largest_stable, bounded } = fringe.bounds();
        ([smallest_unstable.unwrap(), largest_stable.unwrap()], bounded.unwrap(), tries)
    }

    #[test]
    fn a_clean_limit_has_bounds_of_one_step() {
        for (pace, ratio, tries) in [(Pace::Fine, RATIO, 2 * QUIET), (Pace::Coarse, libm::pow(RATIO, 4.0), QUIET / 2)] {
            let ([unstable, stable], is_bounded, tried) = walk(pace, |step| step < 2.0);
            assert!((unstable / 2.0 / ratio - 1.0).abs() < 1e-14 && (stable / 2.0 * ratio - 1.0).abs() < 1e-14);
            assert!(is_bounded && tried == tries, "{tried}");
        }
    }

    #[test]
    fn islands_on_both_sides_are_found() {
        let island = |step: f64, place: f64| (step / place - 1.0).abs() < 0.004;
        let islands = |step: f64| (step < 2.0 && !island(step, 1.86)) || island(step, 2.15);
        let ([unstable, stable], is_bounded, tries) = walk(Pace::Fine, islands);
        assert!(unstable < 1.87 && stable > 2.14 && is_bounded, "{unstable} {stable}");
        assert!(tries > 2 * QUIET + 20 && tries < 2 * FURTHEST, "{tries}");
    }

    #[test]
    fn a_coarse_walk_finds_no_more_than_a_fine_one() {
        let wide = |step: f64, place: f64| (step / place - 1.0).abs() < 0.012;
        let islands = |step: f64| (step < 2.0 && !wide(step, 1.86)) || wide(step, 2.15);
        let [([low, high], ..), ([coarse_low, coarse_high], ..)] = [Pace::Fine, Pace::Coarse].map(|pace| walk(pace, islands));
        assert!(
            low <= coarse_low && coarse_low < 1.89 && high >= coarse_high && coarse_high > 2.12,
            "{coarse_low} {coarse_high}"
        );
    }

    #[test]
    fn a_fringe_without_an_end_says_so() {
        // stable and unstable in turn, two coarse steps a turn
        let in_turn = |step: f64| ((libm::log(step / 2.0) / libm::log(RATIO)).round() as i64).div_euclid(8).rem_euclid(2) == 0;
        for (pace, most) in [(Pace::Fine, 2 * FURTHEST), (Pace::Coarse, 2 * (FURTHEST / 4))] {
            let ([unstable, stable], is_bounded, tries) = walk(pace, in_turn);
            assert!(!is_bounded && unstable < 1.2 && stable > 3.5 && tries == most, "{unstable} {stable} {tries}");
        }
    }
}
