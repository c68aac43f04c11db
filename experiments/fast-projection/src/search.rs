//! The search for the cheapest step, the same for every method.

use kit::prelude::*;

row! {
    /// Whether a run is the cheapest of its search.
    #[derive(Copy)]
    pub struct Chosen {
        /// whether it is the cheapest that holds the bound
        pub cheapest: bool,
        /// whether it is the cheapest that is accurate as well
        pub cheapest_accurate: bool,
    }
}

/// What the search must know of a run.
#[derive(Clone, Copy, Debug)]
pub struct Price {
    pub cost: u64,
    pub status: Status,
    /// Distance from the reference \[m\].
    pub error: Option<f64>,
}

impl Price {
    /// Whether it may be taken: it came to its end, within the bound.
    fn is_admissible(&self) -> bool {
        [Status::Finished, Status::Holds].contains(&self.status)
    }
}

/// A run that is searched for.
pub trait Priced {
    fn price(&self) -> Price;
    /// Where it is told whether it is the cheapest.
    fn chosen(&mut self) -> &mut Chosen;
}

/// Tries steps from coarse to fine: all runs, coarse steps first, of which the cheapest admissible one is chosen, and the cheapest
/// that is accurate too, within `accuracy` \[m\] of the reference. A run may cost no more than `budget`, and no more than the
/// cheapest accurate one so far. The first that costs more than that one ends the search, and so does the second in a row beyond
/// the budget, since finer steps are more steps.
pub fn cheapest<R: Priced>(
    rates: impl IntoIterator<Item = u32>,
    budget: u64,
    accuracy: f64,
    mut run: impl FnMut(u32, u64) -> R,
) -> Vec<R> {
    let (mut runs, mut beyond): (Vec<R>, u32) = (vec![], 0);
    let [mut cheapest, mut accurate]: [Option<(usize, u64)>; 2] = [None; 2];
    for rate in rates {
        let best = accurate.map(|(_, cost)| cost);
        let cap = best.map_or(budget, |best| best.min(budget));
        let tried = run(rate, cap);
        let (price, place) = (tried.price(), runs.len());
        let is_below = |least: Option<(usize, u64)>| least.is_none_or(|(_, least)| price.cost < least);
        if price.is_admissible() && is_below(cheapest) {
            cheapest = Some((place, price.cost));
        }
        let is_accurate = price.error.is_some_and(|error| error <= accuracy);
        if price.is_admissible() && is_accurate && is_below(accurate) {
            accurate = Some((place, price.cost));
        }
        beyond = if price.status == Status::Budget { beyond + 1 } else { 0 };
        runs.push(tried);
        if (best.is_some() && price.cost >= cap) || beyond == 2 {
            break;
        }
    }
    for (place, run) in runs.iter_mut().enumerate() {
        let is = |chosen: Option<(usize, u64)>| chosen.is_some_and(|(at, _)| at == place);
        *run.chosen() = Chosen { cheapest: is(cheapest), cheapest_accurate: is(accurate) };
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Run(u32, u64, Chosen);

    impl Priced for Run {
        fn price(&self) -> Price {
            let status = match self {
                Run(_, 1001.., _) => Status::Budget,
                Run(60.., ..) => Status::Finished,
                _ => Status::IterationLimit,
            };
            Price { cost: self.1, status, error: Some(if self.0 >= 120 { 0.05 } else { 0.06 }) }
        }

        fn chosen(&mut self) -> &mut Chosen {
            &mut self.2
        }
    }

    fn run(rate: u32, cost: u64) -> Run {
        Run(rate, cost, Chosen::default())
    }

    /// Places of the cheapest run and of the cheapest accurate one.
    fn chosen(runs: &[Run]) -> [Option<usize>; 2] {
        [|chosen: Chosen| chosen.cheapest, |chosen: Chosen| chosen.cheapest_accurate]
            .map(|is_meant| runs.iter().position(|run| is_meant(run.2)))
    }

    #[test]
    fn the_cheapest_step_is_found_and_the_search_ends_where_steps_cost_more() {
        let cost = |rate: u32| if rate == 60 { 50 } else { u64::from(rate.abs_diff(240)) + 80 };
        let mut caps = vec![];
        let found = cheapest([30, 60, 120, 240, 480, 960], 1000, 0.05, |rate, cap| {
            caps.push(cap);
            run(rate, cost(rate).min(cap))
        });
        assert_eq!(found.iter().map(|run| run.0).collect::<Vec<_>>(), [30, 60, 120, 240, 480]);
        assert_eq!(chosen(&found), [Some(1), Some(3)]);
        assert_eq!(caps, [1000, 1000, 1000, 200, 80]);
    }

    #[test]
    fn two_runs_beyond_the_budget_end_the_search() {
        let found = cheapest([10, 20, 30, 40, 50], 1000, 0.05, |rate, _| run(rate, if rate == 20 { 5 } else { 1001 }));
        assert_eq!((found.len(), chosen(&found)[0]), (4, None));
    }

    #[test]
    fn nothing_is_found_where_nothing_holds() {
        let found = cheapest([30, 40], 10, 0.05, |rate, _| run(rate, 5));
        assert_eq!((found.len(), chosen(&found)), (2, [None; 2]));
    }
}
