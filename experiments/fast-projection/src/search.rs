//! The search for the cheapest step, the same for every method.

/// What the search must know of a run.
pub trait Priced {
    fn cost(&self) -> u64;
    /// Whether it may be taken: it came to its end, within the bound.
    fn is_admissible(&self) -> bool;
    /// Distance from the reference \[m\].
    fn error(&self) -> Option<f64>;
    /// Whether it was given up, since it cost more than the budget.
    fn is_beyond_budget(&self) -> bool;
}

/// Runs and which of them are cheapest.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<R> {
    /// All runs, coarse steps first.
    pub runs: Vec<R>,
    /// Place of the cheapest admissible one.
    pub cheapest: Option<usize>,
    /// Place of the cheapest one that is accurate too.
    pub accurate: Option<usize>,
}

/// Tries steps from coarse to fine; a run is accurate within `accuracy` \[m\] of the reference. A run may cost no more than
/// `budget`, and no more than the cheapest accurate one so far. The first that costs more than that one ends the search, and so
/// does the second in a row beyond the budget, since finer steps are more steps.
pub fn cheapest<R: Priced>(
    rates: impl IntoIterator<Item = u32>,
    budget: u64,
    accuracy: f64,
    mut run: impl FnMut(u32, u64) -> R,
) -> Found<R> {
    let mut found: Found<R> = Found { runs: vec![], cheapest: None, accurate: None };
    let mut beyond = 0;
    for rate in rates {
        let best = found.accurate.map(|place| found.runs[place].cost());
        let cap = best.map_or(budget, |best| best.min(budget));
        let tried = run(rate, cap);
        let (cost, place) = (tried.cost(), found.runs.len());
        let below = |place: Option<usize>, runs: &[R]| place.is_none_or(|place| cost < runs[place].cost());
        if tried.is_admissible() && below(found.cheapest, &found.runs) {
            found.cheapest = Some(place);
        }
        let is_accurate = tried.error().is_some_and(|error| error <= accuracy);
        if tried.is_admissible() && is_accurate && below(found.accurate, &found.runs) {
            found.accurate = Some(place);
        }
        beyond = if tried.is_beyond_budget() { beyond + 1 } else { 0 };
        found.runs.push(tried);
        if (best.is_some() && cost >= cap) || beyond == 2 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Run(u32, u64);

    impl Priced for Run {
        fn cost(&self) -> u64 {
            self.1
        }
        fn is_admissible(&self) -> bool {
            self.0 >= 60
        }
        fn error(&self) -> Option<f64> {
            Some(if self.0 >= 120 { 0.05 } else { 0.06 })
        }
        fn is_beyond_budget(&self) -> bool {
            self.1 > 1000
        }
    }

    #[test]
    fn the_cheapest_step_is_found_and_the_search_ends_where_steps_cost_more() {
        let cost = |rate: u32| if rate == 60 { 50 } else { u64::from(rate.abs_diff(240)) + 80 };
        let mut caps = vec![];
        let found = cheapest([30, 60, 120, 240, 480, 960], 1000, 0.05, |rate, cap| {
            caps.push(cap);
            Run(rate, cost(rate).min(cap))
        });
        assert_eq!(found.runs.iter().map(|run| run.0).collect::<Vec<_>>(), [30, 60, 120, 240, 480]);
        assert_eq!((found.cheapest, found.accurate), (Some(1), Some(3)));
        assert_eq!(caps, [1000, 1000, 1000, 200, 80]);
    }

    #[test]
    fn two_runs_beyond_the_budget_end_the_search() {
        let found = cheapest([10, 20, 30, 40, 50], 1000, 0.05, |rate, _| Run(rate, if rate == 20 { 5 } else { 1001 }));
        assert_eq!((found.runs.len(), found.cheapest), (4, None));
    }

    #[test]
    fn nothing_is_found_where_nothing_holds() {
        let found = cheapest([30, 40], 10, 0.05, |rate, _| Run(rate, 5));
        assert_eq!((found.runs.len(), found.cheapest, found.accurate), (2, None, None));
    }
}
