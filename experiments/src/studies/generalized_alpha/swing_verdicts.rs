//! Verdicts on the swing of the flag near the end of its runs, in scenes that each have a reference.

use lab::claims::{Finding, Reading, Verdict};
use lab::criterion::{Answer, Estimate, verdict};
use lab::report::{short, short_within};
use lab::results::{Results, ResultsError, Row};
use lab::statistics::{Interval, median, median_interval};

use super::runs::FlagRow;

/// Runs of a scene: both schemes at the small and at the large step, the reference, and its check.
struct Scene<'a> {
    euler: [&'a FlagRow; 2],
    alpha: [&'a FlagRow; 2],
    reference: &'a FlagRow,
    check: &'a FlagRow,
}

/// What is read off a swing.
type Quantity = fn(&FlagRow) -> Option<f64>;

/// Both of them.
const QUANTITIES: [(&str, Quantity); 2] = [("period", |row| row.period), ("amplitude", |row| row.swing)];

impl Scene<'_> {
    /// Those of a set, in the order of the table; none where a run blew up or the reference does not swing.
    fn of(set: &[Row<FlagRow>]) -> Option<Scene<'_>> {
        let runs = |scheme: &str| -> Vec<&FlagRow> {
            let mut mine: Vec<&FlagRow> = set.iter().map(|row| &row.row).filter(|row| row.scheme == scheme).collect();
            mine.sort_by(|a, b| a.step.total_cmp(&b.step));
            mine
        };
        let pair = |scheme: &str| match runs(scheme)[..] {
            [small, .., large] => Some([small, large]),
            _ => None,
        };
        let ([reference, check], [euler, alpha]) = (pair("rk4")?, [pair("backward-euler")?, pair("generalized-alpha")?]);
        let whole = set.iter().all(|row| row.row.is_finished()) && reference.period.is_some();
        whole.then_some(Scene { euler, alpha, reference, check })
    }

    /// How far a run is from the reference, over that; one for a run that does not swing.
    fn error(&self, row: &FlagRow, pick: Quantity) -> f64 {
        pick(row).zip(pick(self.reference)).map_or(1.0, |(measured, exact)| (measured / exact - 1.0).abs())
    }

    /// How far the reference is from its check.
    fn own(&self, pick: Quantity) -> f64 {
        self.error(self.check, pick)
    }

    /// Amplitude of a run over that of the reference; zero for a run that does not swing.
    fn share(&self, row: &FlagRow) -> f64 {
        row.swing.zip(self.reference.swing).map_or(0.0, |(swing, exact)| swing / exact)
    }

    fn words(&self) -> String {
        let FlagRow { stiffness, amplitude, .. } = self.reference;
        let [small, large] =
            [0, 1].map(|k| format!("at {} s {} and {}", self.euler[k].step, swinging(self.euler[k]), swinging(self.alpha[k])));
        format!("{stiffness} N/m, {amplitude} m: {small}, {large}; reference {}", swinging(self.reference))
    }
}

/// A period and an amplitude in words.
fn swinging(row: &FlagRow) -> String {
    match row.period.zip(row.swing) {
        Some((period, swing)) => format!("{} s and {} m", short(period), short(swing)),
        None => "no swing".into(),
    }
}

/// A median over scenes whose values are uncertain themselves: its interval is widened by that.
fn uncertain(values: &[[f64; 2]]) -> Option<Estimate> {
    let moved = |by: f64| values.iter().map(|[value, own]| value + by * own).collect::<Vec<_>>();
    let ends = median_interval(&moved(-1.0)).zip(median_interval(&moved(1.0)));
    let interval = ends.map(|(low, high)| Interval { low: low.low, high: high.high });
    Some(Estimate { value: median(&moved(0.0))?, interval, cases: values.len() })
}

/// By how much the error of one run is smaller than that of another.
fn nearer(scenes: &[Scene<'_>], runs: impl Fn(&Scene<'_>) -> [f64; 2], own: impl Fn(&Scene<'_>) -> f64) -> Option<Estimate> {
    let difference = |scene: &Scene<'_>| {
        let [of, than] = runs(scene);
        [than - of, own(scene)]
    };
    uncertain(&scenes.iter().map(difference).collect::<Vec<_>>())
}

fn is_above(estimate: Option<Estimate>, bound: f64) -> Answer {
    estimate.map_or(Answer::Open, |found| found.lies_above(bound))
}

fn words(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "none".into(), |found| short_within(found.value, found.interval))
}

/// The scenes of the table, and how many have no reference or lost a run.
fn scenes(rows: &[Row<FlagRow>]) -> (Vec<Scene<'_>>, usize) {
    let all: Vec<Option<Scene<'_>>> = rows.chunk_by(|a, b| a.set == b.set).map(Scene::of).collect();
    let lost = all.iter().filter(|scene| scene.is_none()).count();
    (all.into_iter().flatten().collect(), lost)
}

/// Every scene in words.
fn listed(scenes: &[Scene<'_>]) -> Reading {
    Reading {
        name: "every scene: backward Euler and generalized-alpha".into(),
        measured: scenes.iter().map(Scene::words).collect::<Vec<_>>().join("; "),
        verdict: None,
    }
}

/// What is said of the scenes of a verdict.
fn rest(scenes: &[Scene<'_>], lost: usize) -> String {
    let most = |pick: Quantity| scenes.iter().map(|scene| scene.own(pick)).fold(0.0, f64::max);
    format!(
        "{} of {} scenes, {lost} lost to a run that blew up or a reference without a swing; references differ from their checks by up to {} % in \
         period and {} % in amplitude",
        scenes.len(),
        scenes.len() + lost,
        short(100.0 * most(QUANTITIES[0].1)),
        short(100.0 * most(QUANTITIES[1].1))
    )
}

/// Scenes, one by one, in which a run is nearer, is further, or cannot be told.
fn one_by_one(scenes: &[Scene<'_>], difference: impl Fn(&Scene<'_>) -> f64, own: impl Fn(&Scene<'_>) -> f64) -> String {
    let count = |takes: &dyn Fn(f64, f64) -> bool| scenes.iter().filter(|scene| takes(difference(scene), own(scene))).count();
    let [nearer, further] = [count(&|by, own| by > own), count(&|by, own| by < -own)];
    format!("nearer in {nearer}, further in {further}, not told in {}", scenes.len() - nearer - further)
}

/// How far a reference may be from its check in scenes of which it is sure, in period and in amplitude.
const SURE: f64 = 0.1;

/// The scenes whose reference is sure of their swing.
fn sure<'a>(rows: &'a [Row<FlagRow>]) -> Vec<Scene<'a>> {
    scenes(rows).0.into_iter().filter(|scene| QUANTITIES.iter().all(|(_, pick)| scene.own(*pick) <= SURE)).collect()
}

/// P-LARGE-STEP.
pub fn resembles(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<FlagRow>> = results.rows("swings")?;
    let (scenes, lost) = scenes(&rows);
    let among = |scenes: &[Scene<'_>], pick: Quantity| {
        let runs = |scene: &Scene<'_>| [scene.error(scene.alpha[1], pick), scene.error(scene.euler[0], pick)];
        nearer(scenes, runs, |scene| scene.own(pick))
    };
    let by = |pick: Quantity| among(&scenes, pick);
    let judged = |[period, amplitude]: [Option<Estimate>; 2]| {
        verdict(is_above(period, 0.0).and(is_above(amplitude, 0.0)), is_above(period, 0.0))
    };
    let certain = sure(&rows);
    let [period, amplitude] = QUANTITIES.map(|(_, pick)| by(pick));
    let errors = |run: fn(&Scene<'_>) -> f64| {
        median(&scenes.iter().map(run).collect::<Vec<_>>()).map_or_else(|| "none".into(), |error| short(100.0 * error))
    };
    let mut readings: Vec<Reading> = QUANTITIES
        .iter()
        .map(|&(name, pick)| {
            let difference = |scene: &Scene<'_>| scene.error(scene.euler[0], pick) - scene.error(scene.alpha[1], pick);
            Reading {
                name: format!("{name}, scene by scene: generalized-alpha at the large step"),
                measured: one_by_one(&scenes, difference, |scene| scene.own(pick)),
                verdict: Some(verdict(is_above(by(pick), 0.0), Answer::No)),
            }
        })
        .collect();
    let apart = |pick: Quantity| {
        let of = |scene: &Scene<'_>| Some((pick(scene.alpha[1])? / pick(scene.euler[0])? - 1.0).abs());
        Estimate::median(&scenes.iter().filter_map(of).collect::<Vec<_>>())
    };
    let below = |found: Option<Estimate>, bound: f64| found.map_or(Answer::Open, |found| found.lies_below(bound));
    let [apart_period, apart_amplitude] = QUANTITIES.map(|(_, pick)| apart(pick));
    readings.push(Reading {
        name: "the two runs against each other: period within 10 % and amplitude within 50 %".into(),
        measured: format!("{} and {} apart", words(apart_period), words(apart_amplitude)),
        verdict: Some(verdict(below(apart_period, 0.1).and(below(apart_amplitude, 0.5)), below(apart_period, 0.1))),
    });
    let kept = QUANTITIES.map(|(_, pick)| among(&certain, pick));
    readings.push(Reading {
        name: format!("the {} scenes whose reference is within {} % of its check", certain.len(), short(100.0 * SURE)),
        measured: format!("smaller by {} and by {}", words(kept[0]), words(kept[1])),
        verdict: Some(judged(kept)),
    });
    readings.push(listed(&scenes));
    Ok(Finding {
        verdict: judged([period, amplitude]),
        measured: format!(
            "median errors of generalized-alpha at the large step {} % in period and {} % in amplitude, of backward Euler at the small one {} % and {} %; \
             smaller by {} and by {} of the reference's",
            errors(|scene| scene.error(scene.alpha[1], QUANTITIES[0].1)),
            errors(|scene| scene.error(scene.alpha[1], QUANTITIES[1].1)),
            errors(|scene| scene.error(scene.euler[0], QUANTITIES[0].1)),
            errors(|scene| scene.error(scene.euler[0], QUANTITIES[1].1)),
            words(period),
            words(amplitude)
        ),
        value: period.map(|found| found.value),
        interval: period.and_then(|found| found.interval),
        cases: scenes.len(),
        left_out: lost,
        reason: format!("{}; scenes in which the coarse run is the worse one in half would overturn it", rest(&scenes, lost)),
        readings,
    })
}

/// Four comparisons: all of them, or three for the direction.
fn of_four(answers: &[Answer]) -> Verdict {
    let count = |answer: Answer| answers.iter().filter(|other| **other == answer).count();
    let three = match (count(Answer::Yes), count(Answer::No)) {
        (3.., _) => Answer::Yes,
        (_, 2..) => Answer::No,
        _ => Answer::Open,
    };
    verdict(Answer::all(answers.iter().copied()), three)
}

/// P-PERIOD.
pub fn period(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<FlagRow>> = results.rows("swings")?;
    let (scenes, lost) = scenes(&rows);
    let mut steps: Vec<f64> = rows.iter().map(|row| &row.row).filter(|row| row.scheme != "rk4").map(|row| row.step).collect();
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    let (mut answers, mut said, mut least, mut readings) = (vec![], vec![], None::<Estimate>, vec![]);
    for k in 0..2 {
        for (name, pick) in QUANTITIES {
            let runs = |scene: &Scene<'_>| [scene.error(scene.alpha[k], pick), scene.error(scene.euler[k], pick)];
            let found = nearer(&scenes, runs, |scene| scene.own(pick));
            let answer = is_above(found, 0.0);
            let of = |which: usize| median(&scenes.iter().map(|scene| runs(scene)[which]).collect::<Vec<_>>());
            let [alpha, euler] = [0, 1].map(|which| of(which).map_or_else(|| "none".into(), |error| short(100.0 * error)));
            let step = steps.get(k).copied().unwrap_or(f64::NAN);
            said.push(format!("{name} at {step} s: {alpha} % against {euler} %"));
            readings.push(Reading {
                name: format!("{name} at {step} s, scene by scene: generalized-alpha"),
                measured: format!(
                    "{}; smaller by {} in the median",
                    one_by_one(&scenes, |scene| runs(scene)[1] - runs(scene)[0], |scene| scene.own(pick)),
                    words(found)
                ),
                verdict: Some(verdict(answer, Answer::No)),
            });
            if least.is_none_or(|least| found.is_some_and(|found| found.value < least.value)) {
                least = found;
            }
            answers.push(answer);
        }
    }
    let certain = sure(&rows);
    let kept = (0..2).flat_map(|k| QUANTITIES.map(|(_, pick)| (k, pick))).map(|(k, pick)| {
        let runs = |scene: &Scene<'_>| [scene.error(scene.alpha[k], pick), scene.error(scene.euler[k], pick)];
        nearer(&certain, runs, |scene| scene.own(pick))
    });
    let kept: Vec<Option<Estimate>> = kept.collect();
    readings.push(Reading {
        name: format!("the {} scenes whose reference is within {} % of its check", certain.len(), short(100.0 * SURE)),
        measured: kept.iter().map(|found| words(*found)).collect::<Vec<_>>().join("; "),
        verdict: Some(of_four(&kept.iter().map(|found| is_above(*found, 0.0)).collect::<Vec<_>>())),
    });
    readings.push(listed(&scenes));
    Ok(Finding {
        verdict: of_four(&answers),
        measured: format!("median errors of generalized-alpha against those of backward Euler: {}", said.join("; ")),
        value: least.map(|least| least.value),
        interval: least.and_then(|least| least.interval),
        cases: scenes.len(),
        left_out: lost,
        reason: format!(
            "the number is the least of the four differences of errors, over the reference's; {}; scenes in which backward Euler is the nearer one \
             in half would overturn it",
            rest(&scenes, lost)
        ),
        readings,
    })
}

/// Share of the reference's amplitude up to which a flag counts as virtually static.
const STATIC: f64 = 0.1;

/// P-STATIC.
pub fn static_state(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<Row<FlagRow>> = results.rows("swings")?;
    let (scenes, lost) = scenes(&rows);
    let of = |run: fn(&Scene<'_>) -> f64| {
        let share = |scene: &Scene<'_>| [run(scene), run(scene) * scene.own(QUANTITIES[1].1)];
        uncertain(&scenes.iter().map(share).collect::<Vec<_>>())
    };
    let euler = of(|scene| scene.share(scene.euler[1]));
    let alpha = of(|scene| scene.share(scene.alpha[1]));
    let times: Vec<f64> =
        scenes.iter().map(|scene| scene.share(scene.alpha[1]) / scene.share(scene.euler[1]).max(f64::MIN_POSITIVE)).collect();
    let twice = is_above(Estimate::median(&times), 2.0);
    let judged = |bound: f64| {
        let still = euler.map_or(Answer::Open, |found| found.lies_below(bound));
        verdict(still.and(is_above(alpha, bound)), twice)
    };
    let reading = |bound: f64| Reading {
        name: format!("static up to {} % of the reference's amplitude", short(100.0 * bound)),
        measured: format!("{} and {}", words(euler), words(alpha)),
        verdict: Some(judged(bound)),
    };
    let small = [of(|scene| scene.share(scene.euler[0])), of(|scene| scene.share(scene.alpha[0]))];
    Ok(Finding {
        verdict: judged(STATIC),
        measured: format!(
            "amplitude at the large step over that of the reference: backward Euler {}, generalized-alpha {}",
            words(euler),
            words(alpha)
        ),
        value: euler.map(|found| found.value),
        interval: euler.and_then(|found| found.interval),
        cases: scenes.len(),
        left_out: lost,
        reason: format!(
            "the number is that of backward Euler; {}; swings that backward Euler keeps in half of other scenes would overturn it",
            rest(&scenes, lost)
        ),
        readings: vec![
            reading(0.05),
            reading(0.2),
            Reading {
                name: "the same at the small step".into(),
                measured: format!("{} and {}", words(small[0]), words(small[1])),
                verdict: None,
            },
            listed(&scenes),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_within_what_the_reference_is_sure_of_is_open() {
        let sure: Vec<[f64; 2]> = (1..10).map(|k| [0.01 * f64::from(k), 0.001]).collect();
        assert_eq!(is_above(uncertain(&sure), 0.0), Answer::Yes);
        let unsure: Vec<[f64; 2]> = sure.iter().map(|[value, _]| [*value, 0.05]).collect();
        assert_eq!(is_above(uncertain(&unsure), 0.0), Answer::Open);
        assert_eq!(is_above(uncertain(&sure[..5]), 0.0), Answer::Open, "too few");
    }

    #[test]
    fn three_of_four_comparisons_show_the_direction() {
        use Answer::{No, Open, Yes};
        assert_eq!(of_four(&[Yes, Yes, Yes, Yes]), Verdict::Reproduced);
        assert_eq!(of_four(&[Yes, No, Yes, Yes]), Verdict::DirectionOnly);
        assert_eq!(of_four(&[Yes, Open, Yes, Yes]), Verdict::Inconclusive);
        assert_eq!(of_four(&[Yes, No, Open, Yes]), Verdict::Inconclusive);
        assert_eq!(of_four(&[Yes, No, No, Open]), Verdict::NotReproduced);
    }
}
