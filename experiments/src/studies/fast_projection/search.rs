//! The search for the cheapest step, the same for every method.

/// What the search must know of a run.
pub trait Priced {
    /// What it cost.
    fn cost(&self) -> u64;
    /// Whether it may be taken: it came to its end, within the bound.
    fn is_admissible(&self) -> bool;
    /// Whether it is near the reference as well.
    fn is_accurate(&self) -> bool;
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

/// Tries steps from coarse to fine. A run may cost no more than `budget`, and no more than the cheapest accurate one so far; the
/// first that costs more ends the search, since finer steps are more steps.
pub fn cheapest<R: Priced>(rates: impl IntoIterator<Item = u32>, budget: u64, mut run: impl FnMut(u32, u64) -> R) -> Found<R> {
    let mut found: Found<R> = Found { runs: vec![], cheapest: None, accurate: None };
    for rate in rates {
        let best = found.accurate.map(|place| found.runs[place].cost());
        let cap = best.map_or(budget, |best| best.min(budget));
        let tried = run(rate, cap);
        let (cost, place) = (tried.cost(), found.runs.len());
        let below = |place: Option<usize>, runs: &[R]| place.is_none_or(|place| cost < runs[place].cost());
        if tried.is_admissible() && below(found.cheapest, &found.runs) {
            found.cheapest = Some(place);
        }
        if tried.is_admissible() && tried.is_accurate() && below(found.accurate, &found.runs) {
            found.accurate = Some(place);
        }
        found.runs.push(tried);
        if best.is_some() && cost >= cap {
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
        fn is_accurate(&self) -> bool {
            self.0 >= 120
        }
    }

    #[test]
    fn the_cheapest_step_is_found_and_the_search_ends_where_steps_cost_more() {
        let cost = |rate: u32| if rate == 60 { 50 } else { u64::from(rate.abs_diff(240)) + 80 };
        let mut caps = vec![];
        let found = cheapest([30, 60, 120, 240, 480, 960], 1000, |rate, cap| {
            caps.push(cap);
            Run(rate, cost(rate).min(cap))
        });
        assert_eq!(found.runs.iter().map(|run| run.0).collect::<Vec<_>>(), [30, 60, 120, 240, 480]);
        assert_eq!((found.cheapest, found.accurate), (Some(1), Some(3)));
        assert_eq!(caps, [1000, 1000, 1000, 200, 80]);
    }

    #[test]
    fn nothing_is_found_where_nothing_holds() {
        let found = cheapest([30, 40], 10, |rate, _| Run(rate, 5));
        assert_eq!((found.runs.len(), found.cheapest, found.accurate), (2, None, None));
    }
}
