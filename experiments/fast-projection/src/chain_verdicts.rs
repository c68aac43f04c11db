//! Times of springs over those of fast projection on the chain, each at the cheapest step that holds the permissible strain and
//! lies near the reference: as rules read them, and as charts.

use kit::method_colors::color;
use kit::prelude::*;

use super::chain::{ChainRow, Chains, Way};
use super::drape_charts::{ONE_PERCENT, curve, strain_axis};
use super::samples::{Which, chosen_chains, ends, exponent, percent, same, time_ratio, widest_ratio, words};

/// Work or time of springs over that of fast projection, by strain or size.
#[derive(Clone, Copy, Debug)]
pub struct Gain {
    pub vertices: usize,
    /// Permissible strain \[-\].
    pub strain: f64,
    /// The ratio; none where springs hold the bound with no step and stiffness within the budget.
    pub ratio: Option<Estimate>,
}

/// The cost that is compared.
#[derive(Clone, Copy)]
enum Measure<'a> {
    /// Times of repeats, by set.
    Times(&'a HashMap<u64, Vec<f64>>),
    /// Linear systems.
    Solves,
}

impl Measure<'_> {
    fn least(self, row: &Row<ChainRow>) -> Option<f64> {
        match self {
            Measure::Times(times) => median(times.get(&row.set)?),
            Measure::Solves => Some(row.row.solves as f64),
        }
    }

    fn ratio(self, springs: &Row<ChainRow>, projection: &Row<ChainRow>) -> Option<Estimate> {
        match self {
            Measure::Times(times) => time_ratio(times.get(&springs.set)?, times.get(&projection.set)?, widest_ratio(times)),
            Measure::Solves => Some(Estimate::exact(springs.row.solves as f64 / projection.row.solves as f64, 1)),
        }
    }
}

/// Which runs are compared.
#[derive(Clone, Copy)]
struct Choice<'a> {
    ways: &'a [Way],
    which: Which,
    accuracy: f64,
}

/// Gains over the given ways of springs, the better of them, for every chain that fast projection holds.
fn gains(rows: &[Row<ChainRow>], choice: Choice, measure: Measure) -> Vec<Gain> {
    let Choice { ways, which, accuracy } = choice;
    let of = |row: &Row<ChainRow>| {
        let alike = |other: &&Row<ChainRow>| other.row.vertices == row.row.vertices && same(other.row.strain, row.row.strain);
        let springs = ways.iter().flat_map(|way| chosen_chains(rows, way.name(), which, accuracy).filter(alike));
        let costs = springs.filter_map(|run| Some((run, measure.least(run)?)));
        let least = costs.min_by(|a, b| a.1.total_cmp(&b.1));
        let ratio = least.and_then(|(springs, _)| measure.ratio(springs, row));
        Gain { vertices: row.row.vertices, strain: row.row.strain, ratio }
    };
    chosen_chains(rows, Way::Projection.name(), which, accuracy).map(of).collect()
}

static SPRINGS: [Way; 2] = [Way::Springs, Way::ConvergedSprings];

/// Number of vertices of figure 4a, and the distances that count as accurate, that of the claims first.
fn asked(rows: &[Row<ChainRow>]) -> Result<(usize, Vec<f64>), ResultsError> {
    let first = rows.first().ok_or_else(|| too_few("the chain has no rows"))?;
    let mut accuracies: Vec<f64> = rows.iter().map(|row| row.row.accuracy).collect();
    accuracies.dedup_by(|a, b| same(*a, *b));
    Ok((first.row.vertices, accuracies))
}

/// Forms of springs by name.
const FORMS: [(&str, &[Way]); 3] =
    [("better", &SPRINGS), ("one Newton step", &[Way::Springs]), ("to convergence", &[Way::ConvergedSprings])];

/// A comparison of springs with fast projection.
struct Comparison {
    named: Compared,
    /// A gain for each strain.
    gains: Vec<Gain>,
}

row! {
    /// The two that are compared.
    pub struct Compared {
        /// one Newton step, to convergence, or the better of both
        pub springs: String,
        /// time or systems: linear systems
        pub cost: String,
        /// whether both have to be near the reference
        pub near: bool,
        /// distance from it that counts as near \[m\]
        pub accuracy: f64,
    }
}

row! {
    /// A comparison at a permissible strain.
    pub struct GainRow {
        /// what is compared
        pub compared: Compared,
        /// permissible strain
        pub strain: f64,
        /// cost of springs over that of fast projection; none where springs hold the strain with no step
        pub ratio: Option<f64>,
        /// lower end of its interval
        pub low: Option<f64>,
        /// upper end
        pub high: Option<f64>,
    }
}

row! {
    /// The power law of a comparison over 1/strain.
    pub struct GainLawRow {
        /// what is compared
        pub compared: Compared,
        /// its exponent
        pub exponent: Option<f64>,
        /// the least exponent with any one strain left out
        pub low: Option<f64>,
        /// the greatest
        pub high: Option<f64>,
        /// the least, also between the smallest and the largest strain by their intervals; -inf where one has none
        pub least: f64,
        /// the greatest
        pub most: f64,
    }
}

/// Every comparison on the chain of figure 4a.
fn comparisons(results: &Results) -> Result<Vec<Comparison>, ResultsError> {
    let (rows, times) = (results.rows::<Chains>()?, seconds::<Chains>(results)?);
    let (vertices, accuracies) = asked(&rows)?;
    let mut comparisons = vec![];
    for accuracy in accuracies {
        for (springs, ways) in FORMS {
            for (cost, measure) in [("time", Measure::Times(&times)), ("systems", Measure::Solves)] {
                for (near, which) in [(true, Which::Accurate), (false, Which::Cheapest)] {
                    let gains = gains(&rows, Choice { ways, which, accuracy }, measure);
                    let named = Compared { springs: springs.into(), cost: cost.into(), near, accuracy };
                    comparisons
                        .push(Comparison { named, gains: gains.into_iter().filter(|gain| gain.vertices == vertices).collect() });
                }
            }
        }
    }
    Ok(comparisons)
}

/// Ratios by strain.
pub fn gain_rows(results: &Results) -> Result<Vec<GainRow>, ResultsError> {
    let of = |Comparison { named, gains }: Comparison| {
        let row = move |Gain { strain, ratio, .. }: Gain| {
            let (ratio, [low, high]) = (ratio.map(|ratio| ratio.value), ratio.map_or([None; 2], |ratio| ends(&ratio).map(Some)));
            GainRow { compared: named.clone(), strain, ratio, low, high }
        };
        gains.into_iter().map(row)
    };
    Ok(comparisons(results)?.into_iter().flat_map(of).collect())
}

/// Power laws of the comparisons.
pub fn laws(results: &Results) -> Result<Vec<GainLawRow>, ResultsError> {
    Ok(comparisons(results)?.into_iter().map(|Comparison { named, gains }| law(named, &gains)).collect())
}

fn law(compared: Compared, gains: &[Gain]) -> GainLawRow {
    let held: Vec<(f64, Estimate)> = gains.iter().filter_map(|gain| Some((gain.strain, gain.ratio?))).collect();
    let fit = exponent(&held.iter().map(|(strain, ratio)| [1.0 / strain, ratio.value]).collect::<Vec<_>>());
    let range = fit.and_then(|fit| fit.interval);
    let [mut least, mut most] = fit.map_or([f64::NEG_INFINITY, f64::INFINITY], |fit| ends(&fit));
    let by_strain = |a: &&(f64, Estimate), b: &&(f64, Estimate)| a.0.total_cmp(&b.0);
    if let (Some((small, at_small)), Some((large, at_large))) = (held.iter().min_by(by_strain), held.iter().max_by(by_strain)) {
        let between = |a: f64, b: f64| libm::log(a / b) / libm::log(large / small);
        let [[low, high], [least_at_large, most_at_large]] =
            [at_small, at_large].map(|ratio| ends(ratio).map(|end| end.max(0.0)));
        least = least.min(between(low, most_at_large));
        most = most.max(between(high, least_at_large));
    }
    let [low, high] = range.map_or([None; 2], |range| [Some(range.low), Some(range.high)]);
    GainLawRow { compared, exponent: fit.map(|fit| fit.value), low, high, least, most }
}

/// Ratio of times at 1 %, for the discussion.
pub fn ratio_in_words(results: &Results) -> Result<String, ResultsError> {
    let rows = results.rows::<Chains>()?;
    let times = match seconds::<Chains>(results) {
        Err(ResultsError::Missing { .. }) => HashMap::new(),
        found => found?,
    };
    let said = asked(&rows).ok().and_then(|(vertices, accuracies)| {
        let usual = Choice { ways: &SPRINGS, which: Which::Accurate, accuracy: accuracies[0] };
        let gains = gains(&rows, usual, Measure::Times(&times));
        let ratio = gains.iter().find(|gain| gain.vertices == vertices && same(gain.strain, ONE_PERCENT))?.ratio?;
        let (times, reach) = (words(&ratio), short(accuracies[0]));
        Some(format!("springs take {times} times as long as fast projection, both within {reach} m of the reference"))
    });
    Ok(said.unwrap_or_else(|| "not both measured".into()))
}

/// Solves of the chain by strain and by size.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Chains>()?;
    let (vertices, accuracy) = rows.first().map_or((0, 0.0), |row| (row.row.vertices, row.row.accuracy));
    let panel = |title: &str, x: Axis, keep: &dyn Fn(&ChainRow) -> bool, at: &dyn Fn(&ChainRow) -> f64| {
        let mut layers = vec![];
        for way in Way::ALL {
            for (which, dash, words) in
                [(Which::Cheapest, Dash::Solid, ""), (Which::Accurate, Dash::Dashed, ", accurate as well")]
            {
                let points = chosen_chains(&rows, way.name(), which, accuracy).filter(|row| keep(&row.row));
                let points = points.map(|row| [at(&row.row), row.row.solves as f64]).collect();
                layers.extend(curve(&format!("{}{words}", way.name()), color(way.name()), dash, points));
            }
        }
        Panel::new(x, Axis::log("linear systems"), layers).titled(title)
    };
    let title = "Linear systems of one simulated second of a chain";
    let caption = "As figure 4 of the paper, in linear systems solved: tridiagonal ones of one unknown an edge for the projection, of \
                   three unknowns a vertex for springs. Each at its cheapest step; springs with the best of all stiffnesses.";
    let panels = vec![
        panel(&format!("{vertices} vertices"), strain_axis(), &|row| row.vertices == vertices, &|row| row.strain),
        panel("1 % strain", Axis::log("vertices"), &|row| same(row.strain, ONE_PERCENT), &|row| row.vertices as f64),
    ];
    Ok(Figure::new("chain", title, caption, panels).with_one_y().with_one_legend())
}

/// Title of the panel of figure 4b.
const AT_ONE_PERCENT: &str = "1 % strain";
/// Chains of which no run of a way is accurate, in words.
fn inaccurate(rows: &[Row<ChainRow>], accuracy: f64) -> String {
    let mut found: Vec<String> = vec![];
    for row in rows.iter().map(|row| &row.row).filter(|row| same(row.accuracy, accuracy)) {
        let is_same = |other: &&Row<ChainRow>| other.row.vertices == row.vertices && same(other.row.strain, row.strain);
        if chosen_chains(rows, &row.way, Which::Accurate, accuracy).any(|other| is_same(&other)) {
            continue;
        }
        let words = format!("{} of {} vertices at {}", row.way, row.vertices, percent(row.strain));
        if !found.contains(&words) {
            found.push(words);
        }
    }
    if found.is_empty() { String::new() } else { format!("Tried, without an admissible step: {}.", found.join("; ")) }
}

/// Times of the chain by strain and by size.
pub fn chain_times(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Chains>()?;
    let (seconds, all) = (median_seconds::<Chains>(results)?, seconds::<Chains>(results)?);
    let (vertices, accuracy) = rows.first().map_or((0, 0.0), |row| (row.row.vertices, row.row.accuracy));
    let without = inaccurate(&rows, accuracy);
    let panel = |title: &str, x: Axis, keep: &dyn Fn(&ChainRow) -> bool, at: &dyn Fn(&ChainRow) -> f64| {
        let of = |way: Way| {
            let runs = chosen_chains(&rows, way.name(), Which::Accurate, accuracy).filter(|row| keep(&row.row));
            let points = runs.filter_map(|row| bar_of_repeats(at(&row.row), all.get(&row.set)?));
            let mut points: Vec<[f64; 4]> = points.collect();
            points.sort_by(|a, b| a[0].total_cmp(&b[0]));
            Layer::line_with_bars(way.name(), color(way.name()), points)
        };
        let mut layers: Vec<Layer> = Way::ALL.into_iter().flat_map(of).collect();
        // the paper gives a ratio, so that its springs stand over the projection that was measured
        let projected = chosen_chains(&rows, Way::Projection.name(), Which::Accurate, accuracy).filter(|row| keep(&row.row));
        let ratio = Curve::new(GOLDENTHAL, "4b", "speed-up of fast projection over implicit springs");
        let published = ratio.values().first().and_then(|value| Some(value.x?.middle()));
        let at_published =
            projected.filter(|row| published == Some(row.row.vertices as f64) && same(row.row.strain, ONE_PERCENT));
        for (row, time) in at_published.filter_map(|row| Some((row, *seconds.get(&row.set)?))).filter(|_| title == AT_ONE_PERCENT)
        {
            let label = format!("{}: {} x ours", ratio.label(), ratio.number().unwrap_or(f64::NAN));
            layers.extend(ratio.mark(at(&row.row), |ratio| ratio * time).map(|mark| mark.labelled(label)));
        }
        Panel::new(x, Axis::log("time of a simulated second [s]"), layers).titled(title)
    };
    let title = "Time of one simulated second of a chain";
    let caption = format!(
        "As figure 4 of the paper, of the runs of the chart before, the cheapest that hold the bound and are accurate as well: medians of \
         the repeats, with the fastest and the slowest, alone and in turn on one core. Figure 4b is linear on both axes in the paper, \
         which gives no times: the grey mark is its {} times our own time of the projection. {without}",
        Claimed::of("G-CHAIN-25X", "speed-up").published()
    );
    let panels = vec![
        panel(&format!("{vertices} vertices"), strain_axis(), &|row| row.vertices == vertices, &|row| row.strain),
        panel(AT_ONE_PERCENT, Axis::linear("vertices"), &|row| same(row.strain, ONE_PERCENT), &|row| row.vertices as f64),
    ];
    Ok(Figure { of_times: true, ..Figure::new("chain-times", title, caption, panels).with_one_y().with_one_legend() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The law of ratios at strains, each with an interval of 1 % to both sides.
    fn law_of(ratios: &[(f64, f64)]) -> GainLawRow {
        let estimate =
            |ratio: f64| Estimate { value: ratio, interval: Some(Interval { low: 0.99 * ratio, high: 1.01 * ratio }), cases: 6 };
        let gain = |(strain, ratio): &(f64, f64)| Gain { vertices: 80, strain: *strain, ratio: Some(estimate(*ratio)) };
        law(Compared::default(), &ratios.iter().map(gain).collect::<Vec<_>>())
    }

    #[test]
    fn a_law_has_its_exponents_without_each_strain_and_between_the_ends() {
        let of = |ratios: [f64; 4]| law_of(&[0.1, 0.03, 0.01, 0.003].into_iter().zip(ratios).collect::<Vec<_>>());
        let rising = of([1.0, 2.0, 4.0, 8.0]);
        assert!(rising.least > 0.5 && rising.most < 0.7, "{rising:?}");
        assert!(of([8.0, 4.0, 2.0, 1.0]).most < 0.0);
        let alone = of([2.2, 2.0, 1.9, 20.0]);
        assert!(alone.low.unwrap() < 0.0 && alone.most > 0.0, "one strain alone makes it rise: {alone:?}");
    }

    #[test]
    fn a_law_that_rises_between_ends_that_do_not_has_exponents_of_both_signs() {
        let strains = [0.1, 0.03, 0.01, 0.003, 0.001, 3e-4, 1e-4];
        let of = |last: f64| law_of(&strains.into_iter().zip([28.0, 17.8, 17.6, 17.5, 32.8, 28.3, last]).collect::<Vec<_>>());
        let (falls, rises) = (of(27.0), of(40.0));
        assert!(falls.low.unwrap() > 0.0 && falls.least < 0.0, "{falls:?}");
        assert!(rises.least > 0.0, "{rises:?}");
        let single = law(Compared::default(), &[]);
        assert_eq!((single.exponent, single.least, single.most), (None, f64::NEG_INFINITY, f64::INFINITY));
    }
}
