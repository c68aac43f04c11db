//! Verdicts on what the drawn scenes show: decay rates, how they hang on the step, and the condition of the linear systems.

use kit::prelude::*;

use super::map::MapRanges;
use super::runs::{FlagRow, Listed};
use super::select::{Pair, Paper, pairs};
use super::settings::Settings;

/// The published rates of backward Euler and generalized-alpha at the small and the large step \[1/s\].
pub const PUBLISHED: [[f64; 2]; 2] = [[0.069, 0.008], [0.358, 0.08]];

/// The factor that the caption of figure 2 gives for the large step.
const CAPTION: f64 = 6.0;

/// How far a number may be from the published one.
const WITHIN: f64 = 0.25;

/// A ratio of rates at which backward Euler loses energy clearly faster.
const CLEARLY: f64 = 2.0;

/// What a run that was lost counts as where it is held against a claim, or for it.
const NONE: f64 = 0.0;
const ALL: f64 = 1e9;

/// Whether a number is the published one, give or take.
fn is_near(estimate: Option<Estimate>, published: f64) -> Answer {
    estimate.map_or(Answer::Open, |found| found.lies_within((1.0 - WITHIN) * published, (1.0 + WITHIN) * published))
}

fn is_above(estimate: Option<Estimate>, bound: f64) -> Answer {
    estimate.map_or(Answer::Open, |found| found.lies_above(bound))
}

/// A ratio of rates against a published one.
fn judged(ratio: Option<Estimate>, published: f64) -> Verdict {
    verdict(is_near(ratio, published), is_above(ratio, CLEARLY))
}

fn words(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "none".into(), |found| format!("{} of {}", found, found.cases))
}

/// Ratios of some pairs, and how many have none.
fn ratios<'a>(pairs: impl IntoIterator<Item = &'a Pair<'a>>, pick: fn(&FlagRow) -> Option<f64>) -> (Vec<f64>, usize) {
    let all: Vec<Option<f64>> = pairs.into_iter().map(|pair| pair.quotient(pick)).collect();
    (all.iter().flatten().copied().collect(), all.iter().filter(|ratio| ratio.is_none()).count())
}

/// The tables of scenes at one step.
struct Scenes {
    step: f64,
    drawn: Vec<Row<FlagRow>>,
    seeds: Vec<Row<FlagRow>>,
    map: Vec<Row<FlagRow>>,
    paper: Paper,
}

impl Scenes {
    /// At the paper's small step (0) or its large one (1).
    fn read(results: &Results, which: usize) -> Result<Scenes, ResultsError> {
        let paper = Paper::read(results)?;
        let [drawn, seeds, map] =
            [results.rows::<Settings>()?, results.rows::<Seeds<Settings>>()?, results.rows::<Listed<MapRanges>>()?];
        Ok(Scenes { step: paper.step(which)?, drawn, seeds, map, paper })
    }

    /// Pairs of a table at the step.
    fn of<'a>(&self, rows: &'a [Row<FlagRow>]) -> Vec<Pair<'a>> {
        pairs(rows).into_iter().filter(|pair| pair.euler.step == self.step).collect()
    }

    /// Readings of the ratio, judged as `published`.
    fn readings(&self, which: usize, published: f64) -> Result<Vec<Reading>, ResultsError> {
        let drawn = self.of(&self.drawn);
        let reading = |name: &str, ratios: &[f64]| {
            let found = Estimate::median(ratios);
            Reading::new(name, words(found), judged(found, published))
        };
        let rate: fn(&FlagRow) -> Option<f64> = |row| row.rate;
        let some = |name: &str, takes: &dyn Fn(&FlagRow) -> bool| {
            reading(name, &ratios(drawn.iter().filter(|pair| takes(pair.euler)), rate).0)
        };
        let half = drawn.len() / 2;
        let (known, lost) = ratios(&drawn, rate);
        let bounded = |name: &str, value: f64| reading(name, &[known.clone(), vec![value; lost]].concat());
        let mut readings = vec![
            some("exact Hessian", &|row| row.hessian == "exact"),
            some("filtered Hessian", &|row| row.hessian == "filtered"),
            some("started flat", &|row| row.start == "flat"),
            some("started at rest under its weight, so that nothing bounces", &|row| row.start == "resting"),
            some("stiffness of 30 N/m or more", &|row| row.stiffness >= 30.0),
            some("less than 30 N/m", &|row| row.stiffness < 30.0),
            reading("the first half of the draws", &ratios(&drawn[..half], rate).0),
            reading("the second half", &ratios(&drawn[half..], rate).0),
            reading("scenes drawn from another base seed", &ratios(&self.of(&self.seeds), rate).0),
            reading("by least squares in the energies, not in their logarithms", &ratios(&drawn, |row| row.rate_of_energies).0),
        ];
        if lost > 0 {
            readings.push(bounded("runs without a rate counted as the lowest ratio", NONE));
            readings.push(bounded("runs without a rate counted as the highest ratio", ALL));
        }
        readings.push(self.rates(which, &drawn));
        readings.push(self.places(published));
        readings.push(self.tuned(published));
        for (name, hessian, newton) in [
            ("Newton converged", "exact", "converged"),
            ("filtered Hessian", "filtered", "once"),
            ("exact Hessian", "exact", "once"),
        ] {
            let pair = self.paper.pair(which, hessian, newton)?;
            readings.push(Reading::new(format!("the tuned scene, one start, {name}"), pair.words(), None));
        }
        let pair = self.paper.pair_at_rest(which)?;
        readings.push(Reading::new("the tuned scene, one start, at rest", pair.words(), None));
        Ok(readings)
    }

    /// The rates themselves, as far as scenes that are not the paper's can have the paper's.
    fn rates(&self, which: usize, drawn: &[Pair<'_>]) -> Reading {
        let of = |pick: fn(&Pair<'_>) -> Option<f64>| Estimate::median(&drawn.iter().filter_map(pick).collect::<Vec<_>>());
        let rates = [of(|pair| pair.euler.rate), of(|pair| pair.alpha.rate)];
        let near = Answer::all([0, 1].map(|k| is_near(rates[k], PUBLISHED[which][k])));
        let name = "the rates themselves, medians over scenes";
        let measured = format!("{} and {} 1/s", words(rates[0]), words(rates[1]));
        Reading::new(name, measured, verdict(near, is_above(Estimate::median(&ratios(drawn, |row| row.rate).0), CLEARLY)))
    }

    /// Starts of one place of the map.
    fn starts(pairs: &[Pair<'_>], stiffness: f64, amplitude: f64) -> Vec<f64> {
        let here = |pair: &&Pair<'_>| pair.euler.stiffness == stiffness && pair.euler.amplitude == amplitude;
        pairs.iter().filter(here).filter_map(Pair::ratio).collect()
    }

    /// Every place of the map by itself.
    fn places(&self, published: f64) -> Reading {
        let pairs = self.of(&self.map);
        let places = pairs.chunk_by(|a, b| a.euler.stiffness == b.euler.stiffness && a.euler.amplitude == b.euler.amplitude);
        let (mut listed, mut verdicts, mut middles) = (vec![], vec![], vec![]);
        for place in places {
            let FlagRow { stiffness, amplitude, .. } = place[0].euler;
            let found = Estimate::median(&Scenes::starts(place, *stiffness, *amplitude));
            verdicts.push(judged(found, published));
            middles.extend(found.map(|found| found.value));
            listed.push(format!("{stiffness} N/m, {amplitude} m: {}", words(found)));
        }
        let count = |verdict: Verdict| verdicts.iter().filter(|other| **other == verdict).count();
        let kinds = [Verdict::Reproduced, Verdict::DirectionOnly, Verdict::NotReproduced, Verdict::Inconclusive];
        let counted: Vec<String> =
            kinds.into_iter().filter(|kind| count(*kind) > 0).map(|kind| format!("{kind} in {}", count(kind))).collect();
        let over = Estimate::median(&middles);
        let name = "the places of the map, each by its own starts, and the median over them";
        Reading::new(name, format!("{}; {}; {}", words(over), counted.join(", "), listed.join("; ")), judged(over, published))
    }

    /// The tuned scene by its starts.
    fn tuned(&self, published: f64) -> Reading {
        let at = self.paper.rows.first().map_or([f64::NAN; 2], |row| [row.stiffness, row.amplitude]);
        let found = Estimate::median(&Scenes::starts(&self.of(&self.map), at[0], at[1]));
        let name = "the tuned scene, which was chosen for its rates, over starts a micrometre aside";
        Reading::new(name, words(found), judged(found, published))
    }
}

/// The decay at the small step (0) or at the large one (1).
fn decay(results: &Results, which: usize) -> Result<Finding, ResultsError> {
    let scenes = Scenes::read(results, which)?;
    let [euler, alpha] = PUBLISHED[which];
    let published = euler / alpha;
    let drawn = scenes.of(&scenes.drawn);
    let (known, lost) = ratios(&drawn, |row| row.rate);
    let found = Estimate::median(&known);
    let mut readings = scenes.readings(which, published)?;
    if which == 1 {
        let name = format!("the caption's factor of {CAPTION}");
        readings.insert(0, Reading::new(name, words(found), judged(found, CAPTION)));
    }
    let blown = drawn.iter().filter(|pair| !(pair.euler.is_finished() && pair.alpha.is_finished())).count();
    let ratio = found.map_or_else(|| "an unknown number of".into(), |found| found.to_string());
    let measured =
        format!("backward Euler loses energy {ratio} times as fast as generalized-alpha, in the median over drawn scenes");
    let [middle, low, high] = [published, (1.0 - WITHIN) * published, (1.0 + WITHIN) * published].map(short);
    let (scenes, others) = (drawn.len(), lost - blown);
    let reason = format!(
        "published {middle}, accepted from {low} to {high}; of {scenes} drawn scenes {blown} blew up and {others} gained energy or have \
         no rate; the paper's own flag, if its stiffness, size and start were known, would overturn it"
    );
    Ok(Finding::new(judged(found, published), measured, reason)
        .rests_on(found.as_ref())
        .cases(known.len())
        .left_out(lost)
        .readings(readings))
}

/// P-DECAY-005.
pub fn small_step(results: &Results) -> Result<Finding, ResultsError> {
    decay(results, 0)
}

/// P-DECAY-03.
pub fn large_step(results: &Results) -> Result<Finding, ResultsError> {
    decay(results, 1)
}

/// Something at the large step over that at the small one, of each scheme in each drawn scene.
fn growth(rows: &[Row<FlagRow>], scheme: &str) -> (Vec<f64>, usize) {
    let of = |set: &[Row<FlagRow>]| {
        let mut mine: Vec<&FlagRow> = set.iter().map(|row| &row.row).filter(|row| row.scheme == scheme).collect();
        mine.sort_by(|a, b| a.step.total_cmp(&b.step));
        let [fine, coarse] = [mine.first()?.rate?, mine.last()?.rate?];
        (fine > 0.0 && coarse > 0.0).then(|| coarse / fine)
    };
    let all: Vec<Option<f64>> = rows.chunk_by(|a, b| a.set == b.set).map(of).collect();
    (all.iter().flatten().copied().collect(), all.iter().filter(|factor| factor.is_none()).count())
}

/// P-STEP.
pub fn factor_of_steps(results: &Results) -> Result<Finding, ResultsError> {
    Ok(factors(&results.rows::<Settings>()?, &results.rows::<Seeds<Settings>>()?))
}

fn factors(drawn: &[Row<FlagRow>], seeds: &[Row<FlagRow>]) -> Finding {
    let published = [0, 1].map(|scheme| PUBLISHED[1][scheme] / PUBLISHED[0][scheme]);
    let judged = |found: [Option<Estimate>; 2]| {
        let near = Answer::all([0, 1].map(|k| is_near(found[k], published[k])));
        verdict(near, Answer::all(found.map(|found| is_above(found, 1.0))))
    };
    let all = ["backward-euler", "generalized-alpha"].map(|scheme| growth(drawn, scheme));
    let medians =
        |rows: &[Row<FlagRow>]| ["backward-euler", "generalized-alpha"].map(|scheme| Estimate::median(&growth(rows, scheme).0));
    let found = medians(drawn);
    let both = |found: [Option<Estimate>; 2]| {
        format!("{} with backward Euler, {} with generalized-alpha", words(found[0]), words(found[1]))
    };
    let reading = |name: &str, rows: &[Row<FlagRow>]| {
        let found = medians(rows);
        Reading::new(name, both(found), judged(found))
    };
    let some = |name: &str, takes: &dyn Fn(&FlagRow) -> bool| {
        reading(name, &drawn.iter().filter(|row| takes(&row.row)).cloned().collect::<Vec<_>>())
    };
    let mut readings = vec![
        some("exact Hessian", &|row| row.hessian == "exact"),
        some("filtered Hessian", &|row| row.hessian == "filtered"),
        some("started flat", &|row| row.start == "flat"),
        some("started at rest", &|row| row.start == "resting"),
        reading("scenes drawn from another base seed", seeds),
    ];
    for (k, scheme) in ["backward Euler", "generalized-alpha"].into_iter().enumerate() {
        let name = format!("{scheme} alone, published {}", short(published[k]));
        readings.push(Reading::new(name, words(found[k]), verdict(is_near(found[k], published[k]), is_above(found[k], 1.0))));
    }
    let measured = format!("a step six times as long makes the decay faster by factors of {}", both(found));
    let [small, large] = [published[0], published[1]].map(short);
    let (of_euler, of_alpha) = (all[0].1, all[1].1);
    let reason = format!(
        "the number is that of backward Euler; published {small} and {large}; {of_euler} scenes have no factor with backward Euler and \
         {of_alpha} with generalized-alpha, since a run blew up or gained energy; a flag of known make would overturn it"
    );
    Finding::new(judged(found), measured, reason)
        .rests_on(found[0].as_ref())
        .cases(all[0].0.len().min(all[1].0.len()))
        .left_out(all[0].1.max(all[1].1))
        .readings(readings)
}

/// P-CONDITION.
pub fn condition(results: &Results) -> Result<Finding, ResultsError> {
    let rows = results.rows::<Settings>()?;
    let pairs = pairs(&rows);
    let steps: Vec<f64> = distinct(pairs.iter().map(|pair| pair.euler.step));
    type Picked = fn(&FlagRow) -> Option<f64>;
    let ways: [(&str, Picked); 2] =
        [("without a preconditioner", |row| row.condition), ("with constrained blocks", |row| row.condition_blocks)];
    // of generalized-alpha over backward Euler
    let quotients = |step: f64, pick: fn(&FlagRow) -> Option<f64>| {
        let here = pairs.iter().filter(|pair| pair.euler.step == step);
        let all: Vec<Option<f64>> = here.map(|pair| pair.quotient(pick).map(|quotient| 1.0 / quotient)).collect();
        (all.iter().flatten().copied().collect::<Vec<f64>>(), all.iter().filter(|quotient| quotient.is_none()).count())
    };
    let (mut answers, mut listed, mut medians, mut cases, mut lost) = (vec![], vec![], vec![], 0, 0);
    let mut readings = vec![];
    for (name, pick) in ways {
        let mut of_steps = vec![];
        for &step in &steps {
            let (known, without) = quotients(step, pick);
            let found = Estimate::median(&known);
            let better = found.map_or(Answer::Open, |found| found.lies_below(1.0));
            (cases, lost) = (cases + known.len(), lost + without);
            of_steps.push(better);
            medians.extend(found);
            let said = format!("{name} at {step} s {}", words(found));
            readings.push(Reading::new(said.clone(), range(&known), verdict(better, Answer::No)));
            listed.push(said);
        }
        answers.push(Answer::all(of_steps));
    }
    let worst = medians.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value));
    let measured = format!("condition of generalized-alpha over that of backward Euler: {}", listed.join("; "));
    let reason = format!(
        "the number is the largest of the four medians; {cases} pairs of systems in two ways at {} steps, {lost} further ones without a \
         condition: not positive definite, or a run that blew up; larger conditions with generalized-alpha in half of some other scenes would \
         overturn it",
        steps.len()
    );
    Ok(Finding::new(
        verdict(Answer::all(answers.iter().copied()), answers.into_iter().fold(Answer::No, Answer::or)),
        measured,
        reason,
    )
    .rests_on(worst.as_ref())
    .cases(cases)
    .left_out(lost)
    .readings(readings))
}

/// The least and the greatest in words.
fn range(values: &[f64]) -> String {
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
    median(values).map_or_else(
        || "none".into(),
        |middle| format!("{} in the median, from {} to {}", short(middle), short(low), short(high)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flag::{Begin, COMPARED, Scheme};
    use crate::runs::tests::finished;

    #[test]
    fn a_ratio_is_judged_by_its_whole_interval() {
        let published = PUBLISHED[0][0] / PUBLISHED[0][1];
        let spread = |middle: f64, by: f64| (0..15).map(|k| middle + by * (f64::from(k) - 7.0) / 7.0).collect::<Vec<_>>();
        let of = |middle: f64, by: f64| judged(Estimate::median(&spread(middle, by)), published);
        assert_eq!(of(8.6, 0.5), Verdict::Reproduced);
        assert_eq!(of(4.0, 0.5), Verdict::DirectionOnly);
        assert_eq!(of(1.5, 0.2), Verdict::NotReproduced);
        assert_eq!(of(6.5, 1.0), Verdict::Inconclusive);
        assert_eq!(of(2.0, 0.5), Verdict::Inconclusive, "at the bound of the direction");
        assert_eq!(judged(Estimate::median(&[8.6; 5]), published), Verdict::Inconclusive, "too few");
    }

    #[test]
    fn the_factor_of_the_steps_can_be_the_published_one_or_not() {
        let sample = |factors: [f64; 2]| {
            let row = |(set, (scheme, factor), step): (u64, (Scheme, f64), f64)| {
                let factor = if step == 0.03 { factor * (1.0 + 0.001 * set as f64) } else { 1.0 };
                Row { set, row: FlagRow { rate: Some(0.01 * factor), ..finished(Begin::Flat, scheme, step) } }
            };
            let scene = |set: u64| {
                let runs = COMPARED.into_iter().zip(factors).flat_map(move |run| [0.005, 0.03].map(|step| (set, run, step)));
                runs.map(row).collect::<Vec<_>>()
            };
            (0..8).flat_map(scene).collect::<Vec<_>>()
        };
        let (published, other, falling) = (sample([5.2, 10.0]), sample([3.0, 2.0]), sample([5.2, 0.5]));
        let both = factors(&published, &other);
        assert_eq!((both.verdict, both.cases, both.left_out), (Verdict::Reproduced, 8, 0), "{}", both.measured);
        let seeds = both.readings.iter().find(|reading| reading.name.contains("another base seed")).unwrap();
        assert_eq!(seeds.verdict, Some(Verdict::DirectionOnly), "{}", seeds.measured);
        assert_eq!(factors(&other, &published).verdict, Verdict::DirectionOnly);
        assert_eq!(factors(&falling, &[]).verdict, Verdict::NotReproduced);
        assert_eq!(factors(&[], &[]).verdict, Verdict::Inconclusive);
    }
}
