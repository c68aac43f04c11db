//! Verdicts on the swing of the flag near the end of its runs, in drawn scenes that each have a reference.

use kit::prelude::*;

use super::runs::FlagRow;
use super::swing_scenes::{Errors, QUANTITIES, Quantity, SURE, Scene, gain, one_by_one, scenes, settled, uncertain};
use super::swings::Swings;

fn is_above(estimate: Option<Estimate>, bound: f64) -> Answer {
    estimate.map_or(Answer::Open, |found| found.lies_above(bound))
}

fn words(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "none".into(), |found| found.to_string())
}

/// A median error in percent.
fn percent(errors: &[Errors], pick: fn(&Errors) -> f64) -> String {
    median(&errors.iter().map(pick).collect::<Vec<_>>())
        .map_or_else(|| "none".into(), |error| format!("{} %", short(100.0 * error)))
}

/// What is said of the scenes of a verdict.
fn rest(scenes: &[Scene<'_>], lost: usize) -> String {
    let most = |pick: Quantity| scenes.iter().map(|scene| scene.own(pick)).fold(0.0, f64::max);
    let (measured, drawn) = (scenes.len(), scenes.len() + lost);
    let [period, amplitude, sure] = [100.0 * most(QUANTITIES[0].1), 100.0 * most(QUANTITIES[1].1), 100.0 * SURE].map(short);
    let unsure = scenes.iter().filter(|scene| !scene.is_sure()).count();
    format!(
        "{measured} of {drawn} scenes, {lost} lost to a run that blew up or a reference without a swing; references differ from their \
         checks by up to {period} % in period and {amplitude} % in amplitude, and by more than {sure} % in {unsure}"
    )
}

/// The table of scenes, and that of another base seed.
struct Tables {
    drawn: Vec<Row<FlagRow>>,
    seeds: Vec<Row<FlagRow>>,
}

impl Tables {
    fn read(results: &Results) -> Result<Tables, ResultsError> {
        Ok(Tables { drawn: results.rows::<Swings>()?, seeds: results.rows::<Seeds<Swings>>()? })
    }

    /// A judgement of other scenes than those of the verdict, as readings: what was measured and the verdict.
    fn readings(&self, judge: impl Fn(&[&Scene<'_>]) -> (String, Verdict)) -> Vec<Reading> {
        let (drawn, seeds) = (scenes(&self.drawn).0, scenes(&self.seeds).0);
        let sure: Vec<&Scene<'_>> = drawn.iter().filter(|scene| scene.is_sure()).collect();
        let names = [
            format!("the {} scenes whose reference is within {} % of its check", sure.len(), short(100.0 * SURE)),
            format!("{} scenes drawn from another base seed", seeds.len()),
        ];
        let samples = [sure, seeds.iter().collect()];
        let reading = |(name, sample): (String, Vec<&Scene<'_>>)| {
            let (measured, verdict) = judge(&sample);
            Reading::new(name, measured, verdict)
        };
        names.into_iter().zip(samples).map(reading).collect()
    }
}

/// Backward Euler at its small step (0) against generalized-alpha at its large one (1).
const APART: [usize; 2] = [0, 1];

/// P-LARGE-STEP.
pub fn resembles(results: &Results) -> Result<Finding, ResultsError> {
    Ok(resemblance(&Tables::read(results)?))
}

fn resemblance(tables: &Tables) -> Finding {
    let (scenes, lost) = scenes(&tables.drawn);
    let all = QUANTITIES.map(|(_, pick)| Errors::of(&scenes, APART, pick));
    let kept = all.each_ref().map(|errors| settled(errors));
    let judged = |[period, amplitude]: [Option<Estimate>; 2]| {
        verdict(is_above(period, 0.0).and(is_above(amplitude, 0.0)), is_above(period, 0.0))
    };
    let smaller = |gains: [Option<Estimate>; 2]| format!("smaller by {} and by {}", words(gains[0]), words(gains[1]));
    let gains = kept.each_ref().map(|(errors, _)| gain(errors));
    let mut readings: Vec<Reading> = (QUANTITIES.iter().zip(&kept).zip(gains))
        .map(|(((name, _), (errors, unsettled)), gain)| {
            let name = format!("{name}, scene by scene: generalized-alpha at the large step");
            let measured = format!("{}, and {unsettled} without a settled reference", one_by_one(errors));
            Reading::new(name, measured, verdict(is_above(gain, 0.0), Answer::No))
        })
        .collect();
    let apart = |pick: Quantity| {
        let of = |scene: &Scene<'_>| Some((pick(scene.alpha[1])? / pick(scene.euler[0])? - 1.0).abs());
        Estimate::median(&scenes.iter().filter_map(of).collect::<Vec<_>>())
    };
    let below = |found: Option<Estimate>, bound: f64| found.map_or(Answer::Open, |found| found.lies_below(bound));
    let [apart_period, apart_amplitude] = QUANTITIES.map(|(_, pick)| apart(pick));
    readings.push(Reading::new(
        "the two runs against each other: period within 10 % and amplitude within 50 %",
        format!("{} and {} apart", words(apart_period), words(apart_amplitude)),
        verdict(below(apart_period, 0.1).and(below(apart_amplitude, 0.5)), below(apart_period, 0.1)),
    ));
    let whole = all.each_ref().map(|errors| gain(errors));
    readings.push(Reading::new("every scene, whether its reference is settled or not", smaller(whole), judged(whole)));
    readings.extend(tables.readings(|sample| {
        let gains = QUANTITIES.map(|(_, pick)| gain(&settled(&Errors::of(sample.iter().copied(), APART, pick)).0));
        (smaller(gains), judged(gains))
    }));
    let errors = |pick: fn(&Errors) -> f64| [0, 1].map(|k| percent(&kept[k].0, pick));
    let ([alpha_period, alpha_amplitude], [euler_period, euler_amplitude]) =
        (errors(|errors| errors.alpha), errors(|errors| errors.euler));
    let smaller = smaller(gains);
    let measured = format!(
        "median errors of generalized-alpha at the large step {alpha_period} in period and {alpha_amplitude} in amplitude, of backward \
         Euler at the small one {euler_period} and {euler_amplitude}; {smaller} of the reference's"
    );
    let (rest, periods, amplitudes) = (rest(&scenes, lost), kept[0].1, kept[1].1);
    let reason = format!(
        "the number is that of periods; {rest}; references that are not settled, since their own error exceeds both that are compared, \
         leave out {periods} scenes of periods and {amplitudes} of amplitudes; scenes in which the coarse run is the worse one in half \
         would overturn it"
    );
    Finding::new(judged(gains), measured, reason)
        .rests_on(gains[0].as_ref())
        .cases(kept[0].0.len())
        .left_out(lost + kept[0].1)
        .readings(readings)
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
    Ok(accuracy(&Tables::read(results)?))
}

/// The four comparisons: both quantities at both steps.
fn comparisons() -> impl Iterator<Item = (usize, &'static str, Quantity)> {
    (0..2).flat_map(|step| QUANTITIES.map(|(name, pick)| (step, name, pick)))
}

fn accuracy(tables: &Tables) -> Finding {
    let (scenes, lost) = scenes(&tables.drawn);
    let (mut answers, mut said, mut left_out, mut readings) = (vec![], vec![], vec![], vec![]);
    let mut least: Option<Estimate> = None;
    for (k, name, pick) in comparisons() {
        let (errors, unsettled) = settled(&Errors::of(&scenes, [k, k], pick));
        let (found, step) = (gain(&errors), ["small", "large"][k]);
        let [alpha, euler] = [percent(&errors, |errors| errors.alpha), percent(&errors, |errors| errors.euler)];
        said.push(format!("{name} at the {step} step: {alpha} against {euler}"));
        let (errors, gain) = (one_by_one(&errors), words(found));
        let name = format!("{name} at the {step} step, scene by scene: generalized-alpha");
        let measured = format!("{errors}, and {unsettled} without a settled reference; smaller by {gain} in the median");
        readings.push(Reading::new(name, measured, verdict(is_above(found, 0.0), Answer::No)));
        if least.is_none_or(|least| found.is_some_and(|found| found.value < least.value)) {
            least = found;
        }
        left_out.push(unsettled.to_string());
        answers.push(is_above(found, 0.0));
    }
    let of_all = |gains: Vec<Option<Estimate>>| {
        let said = gains.iter().map(|found| words(*found)).collect::<Vec<_>>().join("; ");
        (said, of_four(&gains.iter().map(|found| is_above(*found, 0.0)).collect::<Vec<_>>()))
    };
    let (measured, unsettled) = of_all(comparisons().map(|(k, _, pick)| gain(&Errors::of(&scenes, [k, k], pick))).collect());
    readings.push(Reading::new("every scene, whether its reference is settled or not", measured, unsettled));
    readings.extend(tables.readings(|sample| {
        let gain_of = |(k, _, pick)| gain(&settled(&Errors::of(sample.iter().copied(), [k, k], pick)).0);
        of_all(comparisons().map(gain_of).collect())
    }));
    let cases = least.map_or(0, |least| least.cases);
    let measured = format!("median errors of generalized-alpha against those of backward Euler: {}", said.join("; "));
    let (rest, left_out) = (rest(&scenes, lost), left_out.join(", "));
    let reason = format!(
        "the number is the least of the four differences of errors, over the reference's; {rest}; references that are not settled, since \
         their own error exceeds both that are compared, leave out {left_out} scenes of the four comparisons; scenes in which backward \
         Euler is the nearer one in half would overturn it"
    );
    Finding::new(of_four(&answers), measured, reason)
        .rests_on(least.as_ref())
        .cases(cases)
        .left_out(scenes.len() + lost - cases)
        .readings(readings)
}

/// Share of the reference's amplitude up to which a flag counts as virtually static.
const STATIC: f64 = 0.1;

/// P-STATIC.
pub fn static_state(results: &Results) -> Result<Finding, ResultsError> {
    Ok(stillness(&Tables::read(results)?))
}

/// Shares of the reference's amplitude that backward Euler and generalized-alpha keep at the small step (0) or the large one (1).
struct Kept {
    euler: Option<Estimate>,
    alpha: Option<Estimate>,
    /// Share of generalized-alpha over that of backward Euler.
    times: Option<Estimate>,
}

impl Kept {
    fn of(scenes: &[&Scene<'_>], step: usize) -> Kept {
        let shares = |run: &dyn Fn(&Scene<'_>) -> f64| {
            let share = |scene: &&Scene<'_>| [run(scene), run(scene) * scene.own(QUANTITIES[1].1)];
            uncertain(&scenes.iter().map(share).collect::<Vec<_>>())
        };
        let times = |scene: &&Scene<'_>| scene.share(scene.alpha[step]) / scene.share(scene.euler[step]).max(f64::MIN_POSITIVE);
        Kept {
            euler: shares(&|scene| scene.share(scene.euler[step])),
            alpha: shares(&|scene| scene.share(scene.alpha[step])),
            times: Estimate::median(&scenes.iter().map(times).collect::<Vec<_>>()),
        }
    }

    fn verdict(&self, bound: f64) -> Verdict {
        let still = self.euler.map_or(Answer::Open, |found| found.lies_below(bound));
        verdict(still.and(is_above(self.alpha, bound)), is_above(self.times, 2.0))
    }

    fn words(&self) -> String {
        format!("{} and {}", words(self.euler), words(self.alpha))
    }
}

fn stillness(tables: &Tables) -> Finding {
    let (scenes, lost) = scenes(&tables.drawn);
    let all: Vec<&Scene<'_>> = scenes.iter().collect();
    let [small, large] = [0, 1].map(|step| Kept::of(&all, step));
    let reading = |bound: f64| {
        let name = format!("static up to {} % of the reference's amplitude", short(100.0 * bound));
        Reading::new(name, large.words(), large.verdict(bound))
    };
    let mut readings = vec![reading(0.05), reading(0.2)];
    readings.extend(tables.readings(|sample| {
        let kept = Kept::of(sample, 1);
        (kept.words(), kept.verdict(STATIC))
    }));
    readings.push(Reading::new("the amplitudes at the small step", small.words(), None));
    let (euler, alpha) = (words(large.euler), words(large.alpha));
    let measured =
        format!("amplitude at the large step over that of the reference: backward Euler {euler}, generalized-alpha {alpha}");
    let reason = format!(
        "the number is that of backward Euler; {}; no scene is left out for that, since it widens the interval; swings that backward \
         Euler keeps in half of other scenes would overturn it",
        rest(&scenes, lost)
    );
    Finding::new(large.verdict(STATIC), measured, reason)
        .rests_on(large.euler.as_ref())
        .cases(scenes.len())
        .left_out(lost)
        .readings(readings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flag::{Begin, COMPARED, Scheme};
    use crate::runs::tests::finished;

    /// Twelve scenes, whose references swing by 0.2 m in 2 s: how far backward Euler at the small step and at the large one,
    /// generalized-alpha at both, and the check are from that, in period and in amplitude.
    fn tables(errors: [[f64; 2]; 5]) -> Tables {
        let schemes =
            [(COMPARED[0], 0.005), (COMPARED[0], 0.03), (COMPARED[1], 0.005), (COMPARED[1], 0.03), (Scheme::Rk4, 0.002)];
        let row = |set: u64, (scheme, step): (Scheme, f64), [period, swing]: [f64; 2]| {
            let varied = 1.0 + 0.001 * set as f64;
            let row = FlagRow {
                period: Some(2.0 * (1.0 + varied * period)),
                swing: Some(0.2 * (1.0 + varied * swing)),
                ..finished(Begin::Resting, scheme, step)
            };
            Row { set, row }
        };
        let scene = |set: u64| {
            let runs = schemes.into_iter().zip(errors).chain([((Scheme::Rk4, 0.001), [0.0; 2])]);
            runs.map(move |(run, error)| row(set, run, error)).collect::<Vec<_>>()
        };
        let rows: Vec<Row<FlagRow>> = (0..12).flat_map(scene).collect();
        Tables { seeds: rows[..6 * 8].to_vec(), drawn: rows }
    }

    const CHECK: [f64; 2] = [1e-3, 1e-2];
    const FAR: [f64; 2] = [0.05, -0.6];
    const FURTHER: [f64; 2] = [0.1, -0.98];
    const NEAR: [f64; 2] = [0.01, -0.1];

    #[test]
    fn the_coarse_run_is_nearer_further_or_not_told() {
        let judged = |errors| resemblance(&tables(errors));
        let nearer = judged([FAR, FURTHER, NEAR, NEAR, CHECK]);
        assert_eq!((nearer.verdict, nearer.cases, nearer.left_out), (Verdict::Reproduced, 12, 0), "{}", nearer.measured);
        let further = judged([NEAR, FURTHER, NEAR, FAR, CHECK]);
        assert_eq!(further.verdict, Verdict::NotReproduced, "{}", further.measured);
        let in_period = judged([[0.05, -0.1], FURTHER, NEAR, [0.01, -0.5], CHECK]);
        assert_eq!(in_period.verdict, Verdict::DirectionOnly, "{}", in_period.measured);
        let unsure = judged([FAR, FURTHER, NEAR, NEAR, [0.045, 0.01]]);
        assert_eq!((unsure.verdict, unsure.cases), (Verdict::Inconclusive, 12), "within the larger error");
        let seeds = |finding: &Finding| finding.readings.last().map(|reading| (reading.name.clone(), reading.verdict));
        assert_eq!(seeds(&nearer), Some(("8 scenes drawn from another base seed".into(), Some(Verdict::Reproduced))));
        assert_eq!(seeds(&further).and_then(|(_, verdict)| verdict), Some(Verdict::NotReproduced));
    }

    #[test]
    fn references_that_are_not_settled_are_left_out_and_counted() {
        let mut tables = tables([FAR, FURTHER, NEAR, NEAR, CHECK]);
        for row in tables.drawn.iter_mut().filter(|row| row.set < 4 && row.row.scheme == "rk4" && row.row.step == 0.002) {
            row.row.period = Some(2.2); // 10 % off, where the runs compared are up to 5 % off
        }
        let found = resemblance(&tables);
        assert_eq!((found.verdict, found.cases, found.left_out), (Verdict::Reproduced, 8, 4));
        assert!(found.reason.contains("leave out 4 scenes of periods and 0 of amplitudes"), "{}", found.reason);
        let whole = found.readings.iter().find(|reading| reading.name.starts_with("every scene")).unwrap();
        assert_eq!(whole.verdict, Some(Verdict::Inconclusive), "{}", whole.measured);
    }

    #[test]
    fn both_schemes_can_be_the_more_accurate() {
        let judged = |errors| accuracy(&tables(errors));
        let alpha = judged([FAR, FURTHER, NEAR, NEAR, CHECK]);
        assert_eq!((alpha.verdict, alpha.cases, alpha.left_out), (Verdict::Reproduced, 12, 0), "{}", alpha.measured);
        assert_eq!(judged([NEAR, NEAR, FAR, FURTHER, CHECK]).verdict, Verdict::NotReproduced);
        assert_eq!(judged([FAR, NEAR, NEAR, [0.005, -0.5], CHECK]).verdict, Verdict::DirectionOnly);
        assert_eq!(judged([FAR, FURTHER, NEAR, NEAR, [0.045, 0.01]]).verdict, Verdict::Inconclusive);
        let lost = Tables { drawn: vec![], seeds: vec![] };
        assert_eq!((accuracy(&lost).verdict, accuracy(&lost).cases), (Verdict::Inconclusive, 0));
    }

    #[test]
    fn backward_euler_can_settle_and_can_swing_on() {
        let judged = |errors| stillness(&tables(errors)).verdict;
        assert_eq!(judged([FAR, FURTHER, NEAR, NEAR, CHECK]), Verdict::Reproduced);
        assert_eq!(judged([FAR, FAR, NEAR, NEAR, CHECK]), Verdict::DirectionOnly, "0.4 and 0.9 of the swing");
        assert_eq!(judged([FAR, NEAR, NEAR, NEAR, CHECK]), Verdict::NotReproduced);
        assert_eq!(judged([FAR, [0.1, -0.89], NEAR, NEAR, CHECK]), Verdict::DirectionOnly, "0.11 of the swing");
        assert_eq!(judged([FAR, [0.1, -0.905], NEAR, NEAR, [0.0, 0.2]]), Verdict::Inconclusive, "0.095 ± 0.019");
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
