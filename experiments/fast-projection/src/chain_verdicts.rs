//! The verdict on the chain and its charts: times of springs over those of fast projection, each at the cheapest step that holds the permissible
//! strain and lies near the reference.

use kit::method_colors::color;
use kit::prelude::*;

use super::chain::{ChainRow, Chains, Way};
use super::drape_charts::{ONE_PERCENT, curve, strain_axis};
use super::samples::{Which, chosen_chains, exponent, percent, same, time_ratio, widest_ratio, words};

/// Work or time of springs over that of fast projection, by strain or size.
#[derive(Clone, Copy, Debug)]
pub struct Gain {
    pub vertices: usize,
    /// Permissible strain \[-\].
    pub strain: f64,
    /// The ratio; none where springs hold the bound with no step and stiffness within the budget.
    pub ratio: Option<Estimate>,
}

/// What is compared.
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

/// Other comparisons than that of times within the first of the accuracies, by name.
fn others<'a>(accuracies: &[f64], timed: Measure<'a>) -> Vec<(String, Choice<'static>, Measure<'a>)> {
    let accurate = |ways, accuracy| Choice { ways, which: Which::Accurate, accuracy };
    let (first, counted) = (accuracies[0], Measure::Solves);
    let mut others = vec![("linear systems instead of times".to_owned(), accurate(&SPRINGS[..], first), counted)];
    for accuracy in &accuracies[1..] {
        let within = format!("within {} m of the reference", short(*accuracy));
        others.push((format!("times, {within}"), accurate(&SPRINGS, *accuracy), timed));
        others.push((format!("linear systems, {within}"), accurate(&SPRINGS, *accuracy), counted));
    }
    let cheapest = Choice { which: Which::Cheapest, ..accurate(&SPRINGS, first) };
    others.push(("linear systems, however far from the reference".into(), cheapest, counted));
    others.push(("times, springs with one Newton step".into(), accurate(&SPRINGS[..1], first), timed));
    others.push(("times, springs to convergence".into(), accurate(&SPRINGS[1..], first), timed));
    others
}

/// Ratio by strain in words.
fn by_strain(gains: &[Gain]) -> String {
    let word = |gain: &Gain| gain.ratio.as_ref().map_or_else(|| "springs hold it with no step".into(), words);
    gains.iter().map(|gain| format!("{} at {}", word(gain), percent(gain.strain))).collect::<Vec<_>>().join(", ")
}

/// The exponent of the ratios over 1/strain.
fn law(gains: &[Gain]) -> Option<Estimate> {
    let points: Vec<[f64; 2]> = gains.iter().filter_map(|gain| Some([1.0 / gain.strain, gain.ratio?.value])).collect();
    exponent(&points)
}

/// Whether the exponent is above zero and the ratio at the smallest strain above that at the largest, by their intervals: open
/// where the two contradict each other, since steps are tried by doubling and a ratio jumps with them.
fn scales(gains: &[Gain]) -> Option<Answer> {
    let rises = law(gains)?.lies_above(0.0);
    let held = || gains.iter().filter_map(|gain| Some((gain.strain, gain.ratio?)));
    let smallest = held().min_by(|a, b| a.0.total_cmp(&b.0))?.1;
    let largest = held().max_by(|a, b| a.0.total_cmp(&b.0))?.1;
    let higher = match (smallest.interval, largest.interval) {
        (Some(smallest), Some(largest)) if smallest.low > largest.high => Answer::Yes,
        (Some(smallest), Some(largest)) if smallest.high <= largest.low => Answer::No,
        _ => Answer::Open,
    };
    Some(if rises == higher { rises } else { Answer::Open })
}

/// G-CHAIN-STRAIN.
pub fn strain(results: &Results) -> Result<Finding, ResultsError> {
    by_strains(&results.rows::<Chains>()?, &seconds::<Chains>(results)?)
}

fn by_strains(rows: &[Row<ChainRow>], times: &HashMap<u64, Vec<f64>>) -> Result<Finding, ResultsError> {
    let (vertices, accuracies) = asked(rows)?;
    let of = |choice: Choice, measure: Measure| -> Vec<Gain> {
        gains(rows, choice, measure).into_iter().filter(|gain| gain.vertices == vertices).collect()
    };
    let timed = Measure::Times(times);
    let judged = of(Choice { ways: &SPRINGS, which: Which::Accurate, accuracy: accuracies[0] }, timed);
    let few = || too_few("fewer than two strains are held by both");
    let fit = law(&judged).ok_or_else(few)?;
    let holds = scales(&judged).ok_or_else(few)?;
    let reading = |(name, choice, measure): (String, Choice, Measure)| {
        let gains = of(choice, measure);
        let fit = law(&gains).map_or_else(|| "no fit".into(), |fit| words(&fit));
        let measured = format!("exponent {fit}; ratios {}", by_strain(&gains));
        Reading::new(name, measured, scales(&gains).map(|holds| verdict(holds, Answer::No)))
    };
    let held = judged.iter().filter(|gain| gain.ratio.is_some()).count();
    // strains that are left out are no cases: their range stands in the words, and there is no interval
    let (reach, ratios, exponent) = (short(accuracies[0]), by_strain(&judged), words(&fit));
    let measured = format!(
        "time of springs over that of fast projection, both within {reach} m of the reference: {ratios}; exponent over 1/strain {exponent}"
    );
    let reason = "the exponent's range is that with any one strain left out; of springs the better of one Newton step and convergence. \
                  Springs whose stiffness needs no search, or another chain, would overturn it";
    Ok(Finding::new(verdict(holds, Answer::No), measured, reason)
        .value(fit.value)
        .cases(held)
        .left_out(judged.len() - held)
        .readings(others(&accuracies, timed).into_iter().map(reading).collect()))
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
        let at_published = projected.filter(|row| row.row.vertices == PUBLISHED_VERTICES && same(row.row.strain, ONE_PERCENT));
        let ratio = Curve::new(GOLDENTHAL, "4b", "speed-up of fast projection over implicit springs");
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
         which gives no times: the grey mark is its 25 times our own time of the projection. {without}"
    );
    let panels = vec![
        panel(&format!("{vertices} vertices"), strain_axis(), &|row| row.vertices == vertices, &|row| row.strain),
        panel(AT_ONE_PERCENT, Axis::linear("vertices"), &|row| same(row.strain, ONE_PERCENT), &|row| row.vertices as f64),
    ];
    Ok(Figure { of_times: true, ..Figure::new("chain-times", title, caption, panels).with_one_y().with_one_legend() })
}

/// Vertices of the chain of which the paper gives a ratio of times.
const PUBLISHED_VERTICES: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;
    use lab::judge::claims::Verdict;

    /// Rows of fast projection and of springs with one Newton step at strains, springs taking so many times as long.
    fn rows(ratios: &[(f64, f64)]) -> (Vec<Row<ChainRow>>, HashMap<u64, Vec<f64>>) {
        let (mut rows, mut times) = (vec![], HashMap::new());
        for (strain, ratio) in ratios {
            for (way, time) in [(Way::Projection, 1.0), (Way::Springs, *ratio)] {
                let set = rows.len() as u64;
                let row = ChainRow {
                    way: way.name().into(),
                    vertices: 80,
                    strain: *strain,
                    accuracy: 0.05,
                    rate: 60,
                    status: Status::Holds,
                    solves: 1,
                    cheapest_accurate: true,
                    ..ChainRow::default()
                };
                rows.push(Row { set, row });
                times.insert(set, (0..6).map(|k| time * (1.0 + 0.01 * f64::from(k))).collect());
            }
        }
        (rows, times)
    }

    #[test]
    fn scaling_is_judged_by_the_exponent_whatever_strain_is_left_out() {
        let judged = |ratios: [f64; 4]| {
            let strains = [0.1, 0.03, 0.01, 0.003];
            let (rows, times) = rows(&strains.into_iter().zip(ratios).collect::<Vec<_>>());
            by_strains(&rows, &times).unwrap().verdict
        };
        assert_eq!(judged([1.0, 2.0, 4.0, 8.0]), Verdict::Reproduced);
        assert_eq!(judged([8.0, 4.0, 2.0, 1.0]), Verdict::NotReproduced);
        assert_eq!(judged([2.2, 2.0, 1.9, 20.0]), Verdict::Open, "one strain alone makes it rise");
    }

    #[test]
    fn a_law_that_rises_between_ends_that_do_not_leaves_the_claim_open() {
        let strains = [0.1, 0.03, 0.01, 0.003, 0.001, 3e-4, 1e-4];
        let judged = |last: f64| {
            let ratios = [28.0, 17.8, 17.6, 17.5, 32.8, 28.3, last];
            let (rows, times) = rows(&strains.into_iter().zip(ratios).collect::<Vec<_>>());
            by_strains(&rows, &times).unwrap().verdict
        };
        assert_eq!(judged(27.0), Verdict::Open);
        assert_eq!(judged(40.0), Verdict::Reproduced);
    }
}
