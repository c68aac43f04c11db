//! The verdicts on single statements about the method.

use super::accuracy::{Accuracy, AccuracyRow, DIRECTIONS, SYSTEMS};
use super::exact::{Exact, ExactRow};
use super::interrupted::Interrupted;
use super::momentum::{Momentum, MomentumRow};
use super::scene::{ARC, FROZEN, LENGTH, LIMITED, RunRow, STRIPS, Way, is_usual};
use super::verdicts::{PRINTED, as_corrected, counted, per_cent, steps_where, word};
use crate::course::{FINISHED, left_out};
use lab::prelude::*;

/// Most that the energy may rise above that of the start for no energy to be made, in falls by the side: a criterion of claims, which
/// asks more than that a run is finished.
pub const RISE: f64 = 0.01;

/// Whether a sheet came to its end and made no energy in any step.
pub fn makes_no_energy(row: &RunRow) -> bool {
    row.gain.is_some_and(|gain| gain <= RISE)
}

/// What the pass does to errors: of those that the reference tells, with over without.
struct Pass {
    position: Vec<f64>,
    velocity: Vec<f64>,
    failed: usize,
    untold: usize,
}

impl Pass {
    fn of<'a>(rows: impl Iterator<Item = &'a AccuracyRow>) -> Pass {
        let mut pass = Pass { position: vec![], velocity: vec![], failed: 0, untold: 0 };
        for row in rows {
            let told = |without: Option<f64>, with: Option<f64>, reference: Option<f64>| {
                let (without, with, reference) = (without?, with?, reference?);
                Some((with / without, reference <= 0.1 * without.min(with)))
            };
            let position = told(row.position, row.position_with, row.reference_position);
            let velocity = told(row.velocity, row.velocity_with, row.reference_velocity);
            match position.zip(velocity) {
                None => pass.failed += 1,
                Some(((position, true), (velocity, true))) => {
                    pass.position.push(position);
                    pass.velocity.push(velocity);
                }
                Some(_) => pass.untold += 1,
            }
        }
        pass
    }

    /// Whether the pass makes positions better, and velocities.
    fn answers(&self) -> [Answer; 2] {
        [&self.position, &self.velocity]
            .map(|ratios| Estimate::median(ratios).map_or(Answer::Open, |ratio| ratio.lies_below(1.0)))
    }

    fn words(&self) -> String {
        let word = |ratios: &[f64]| Estimate::median(ratios).map_or_else(|| "-".into(), |e| short_within(e.value, e.interval));
        let drawn = self.position.len() + self.failed + self.untold;
        let lost = if self.failed + self.untold > 0 {
            format!(
                " ({} of {drawn} starts: {} failed, {} not told by the reference)",
                self.position.len(),
                self.failed,
                self.untold
            )
        } else {
            format!(" ({drawn} starts)")
        };
        format!("positions {}, velocities {}{lost}", word(&self.position), word(&self.velocity))
    }
}

/// Whether a run has directions as printed at a tolerance and a number of steps.
fn is_printed(row: &AccuracyRow, tolerance: f64, steps: u32) -> bool {
    row.directions == DIRECTIONS[1].0 && row.tolerance == tolerance && row.steps == steps
}

/// D-VELOCITY.
pub fn velocity(results: &Results) -> Result<Finding, ResultsError> {
    let all = results.without_sets::<Accuracy>()?;
    let Some(first) = all.first().cloned() else { return Err(ResultsError::TooFew("no start was followed".into())) };
    let of = |system: &str, directions: &str, tolerance: f64, steps: u32| {
        let is_wanted = |row: &&AccuracyRow| {
            row.system == system && row.directions == directions && row.tolerance == tolerance && row.steps == steps
        };
        Pass::of(all.iter().filter(is_wanted))
    };
    let judge = |directions: &str, tolerance: f64, steps: u32| {
        let passes: Vec<Pass> = SYSTEMS.iter().map(|system| of(system, directions, tolerance, steps)).collect();
        let [position, velocity] = [0, 1].map(|which| Answer::all(passes.iter().map(|pass| pass.answers()[which])));
        let words: Vec<String> =
            SYSTEMS.iter().zip(&passes).map(|(system, pass)| format!("{system}: {}", pass.words())).collect();
        let kept: usize = passes.iter().map(|pass| pass.position.len()).sum();
        let lost: usize = passes.iter().map(|pass| pass.failed + pass.untold).sum();
        ((position.and(velocity), velocity), words.join("; "), kept, lost)
    };
    let mut settings: Vec<(String, f64, u32)> =
        all.iter().map(|row| (row.directions.clone(), row.tolerance, row.steps)).collect();
    settings.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    settings.dedup();
    let main = (DIRECTIONS[0].0, first.tolerance, first.steps);
    let reading = |(directions, tolerance, steps): &(String, f64, u32)| {
        let ((holds, faster), measured, _, _) = judge(directions, *tolerance, *steps);
        let aim = if directions == DIRECTIONS[0].0 { "of the preview" } else { "of the start of the step, as printed" };
        let name = format!("directions {aim}, tolerance {}, steps of 1/{} s", per_cent(*tolerance), 2 * steps);
        Reading::new(name, measured, verdict(holds, faster))
    };
    let others = settings.iter().filter(|(directions, tolerance, steps)| (directions.as_str(), *tolerance, *steps) != main);
    let mut readings: Vec<Reading> = others.map(reading).collect();
    for system in SYSTEMS {
        let is_main = |row: &&AccuracyRow| row.system == system && (row.directions.as_str(), row.tolerance, row.steps) == main;
        let over = |of: &dyn Fn(&AccuracyRow) -> Option<f64>| {
            let values: Vec<f64> = all.iter().filter(is_main).filter_map(of).collect();
            Estimate::median(&values).map_or_else(|| "-".into(), |e| short_within(e.value, e.interval))
        };
        let measured = format!(
            "energy {} without, {} with, in falls by 1 m; rate of strain {} without, {} with, in 1/s",
            over(&|row| row.drift),
            over(&|row| row.drift_with),
            over(&|row| row.rate),
            over(&|row| row.rate_with)
        );
        readings.push(Reading::new(format!("{system}, medians of what is left at the end"), measured, None));
    }
    let ((holds, faster), words, kept, lost) = judge(main.0, main.1, main.2);
    let ((printed, _), ..) = judge(DIRECTIONS[1].0, main.1, main.2);
    let ends: Vec<String> = SYSTEMS
        .iter()
        .map(|system| {
            let of = || all.iter().filter(|row| row.system == *system && is_printed(row, main.1, main.2));
            format!("{system} {} of {}", of().filter(|row| row.position.or(row.position_with).is_some()).count(), of().count())
        })
        .collect();
    let reason = format!(
        "medians of ratios over random starts, error with the pass over error without. As printed, starts of which a run comes to \
         its end: {}. A definition of accuracy by the authors, or a system in which the interval lies on the other side of 1, \
         would overturn it",
        ends.join(", ")
    );
    let found = as_corrected(printed, holds, faster);
    let finding = counted(found, format!("errors with over without: {words}"), kept, &reason, readings);
    Ok(Finding { left_out: lost, ..finding })
}

/// How many runs stay whole and make no energy, and what that comes to: all of them, and at least nine in ten.
fn stay(runs: &[&RunRow]) -> (usize, Answer, Answer) {
    let held = runs.iter().filter(|row| makes_no_energy(row)).count();
    (held, Answer::from(held == runs.len() && held > 0), Answer::from(held > 0 && held as f64 >= 0.9 * runs.len() as f64))
}

/// How many runs are lost, and to what.
fn lost(runs: &[&RunRow]) -> String {
    let finished = |row: &&RunRow| if row.status == LIMITED { FINISHED.to_owned() } else { row.status.clone() };
    let statuses: Vec<String> = runs.iter().map(finished).collect();
    left_out(statuses.iter().map(String::as_str))
}

/// What runs that were lost hang on, and what would move the verdict.
fn of_limits(found: Verdict, runs: &[&RunRow]) -> String {
    let mut lost: Vec<u32> = runs.iter().filter(|row| !makes_no_energy(row)).map(|row| row.limit).collect();
    lost.sort_unstable();
    lost.dedup();
    if matches!(found, Verdict::Reproduced | Verdict::ReproducedAsCorrected) {
        return "One run that fails or makes energy would overturn it".into();
    }
    let (worst, others): (Vec<&RunRow>, Vec<&RunRow>) = runs.iter().partition(|row| lost.contains(&row.limit));
    let limits: Vec<String> = lost.iter().map(u32::to_string).collect();
    format!(
        "The runs that are lost or make energy are {} of {} at limits of {}; at all others {} of {} do neither. Criteria that leave these limits \
         out, which the paper does not, would move it",
        worst.len() - stay(&worst).0,
        worst.len(),
        limits.join(", "),
        stay(&others).0,
        others.len()
    )
}

/// D-INTERRUPT.
pub fn interrupt(results: &Results) -> Result<Finding, ResultsError> {
    let all = results.without_sets::<Interrupted>()?;
    let mut lengths: Vec<f64> = all.iter().map(|row| row.length).collect();
    lengths.sort_by(f64::total_cmp);
    lengths.dedup();
    let of = |length: f64, way: Way| -> Vec<&RunRow> {
        all.iter().filter(|row| row.length == length && row.method == way.name()).collect()
    };
    let words = |runs: &[&RunRow]| {
        let rise = runs.iter().filter_map(|row| row.gain).fold(f64::NEG_INFINITY, f64::max);
        format!(
            "{} of {} runs make no energy, {}, energy at most {} falls above the start where it is finite",
            stay(runs).0,
            runs.len(),
            lost(runs),
            word(rise.is_finite().then_some(rise))
        )
    };
    let mut readings: Vec<Reading> = vec![];
    for (length, way) in lengths.iter().flat_map(|length| [STRIPS, FROZEN].map(|way| (*length, way))) {
        if !is_usual(length) || way == FROZEN {
            let runs = of(length, way);
            let (_, holds, mostly) = stay(&runs);
            let aim = if way == FROZEN { format!(", {PRINTED}") } else { String::new() };
            let name = format!("a sheet of {} m{aim}", short(length));
            readings.push(Reading::new(name, words(&runs), verdict(holds, mostly)));
        }
    }
    let mut limits: Vec<u32> = all.iter().map(|row| row.limit).collect();
    limits.sort_unstable();
    limits.dedup();
    for (length, limit) in lengths.iter().flat_map(|length| limits.iter().map(move |limit| (*length, *limit))) {
        let runs: Vec<&RunRow> = of(length, STRIPS).into_iter().filter(|row| row.limit == limit).collect();
        let (held, holds, _) = stay(&runs);
        let strains: Vec<String> = runs.iter().map(|row| format!("{0} x {0} {1}", row.side, word(row.strain))).collect();
        let measured = format!("{held} of {} make no energy; largest strains {}", runs.len(), strains.join(", "));
        let name = format!("a sheet of {} m, iterations a step at most {limit}", short(length));
        readings.push(Reading::new(name, measured, verdict(holds, Answer::No)));
    }
    let (main, printed) = (of(LENGTH, STRIPS), of(LENGTH, FROZEN));
    let ((_, holds, mostly), (printed_held, printed_holds, printed_mostly)) = (stay(&main), stay(&printed));
    let found = as_corrected(printed_holds, holds, mostly.or(printed_mostly));
    let reason = format!(
        "exact; every step of every run is counted. As printed {printed_held} of {} make no energy. {}. Edges may still stretch to \
         many times their length",
        printed.len(),
        of_limits(found, &main)
    );
    Ok(counted(found, words(&main), main.len(), &reason, readings))
}

/// abs(strain) that counts as solved exactly.
const EXACT: f64 = 1e-9;

/// D-EXACT.
pub fn exact(results: &Results) -> Result<Finding, ResultsError> {
    let all = results.without_sets::<Exact>()?;
    let most = |of: fn(&ExactRow) -> f64| all.iter().map(of).fold(0.0, f64::max);
    let is_exact = |of: fn(&ExactRow) -> f64| Answer::from(!all.is_empty() && most(of) <= EXACT);
    let less = |of: fn(&ExactRow) -> f64| Answer::from(!all.is_empty() && all.iter().all(|row| of(row) < row.before));
    let [printed, unscaled, preview]: [fn(&ExactRow) -> f64; 3] = [|row| row.printed, |row| row.unscaled, |row| row.preview];
    let found = as_corrected(is_exact(printed), is_exact(preview), less(printed).or(less(preview)));
    let left = |of: fn(&ExactRow) -> f64| {
        let shares: Vec<f64> = all.iter().map(|row| of(row) / row.before).collect();
        let median = Estimate::median(&shares).map_or_else(|| "-".into(), |share| short(share.value));
        format!("largest strain left {}, median {median} of what the step brought", word(Some(most(of))))
    };
    let readings = vec![
        Reading::new(
            "direction of the start of the step with the length of the edge, as printed",
            left(unscaled),
            verdict(is_exact(unscaled), less(unscaled)),
        ),
        Reading::new("direction of the preview, of length one", left(preview), verdict(is_exact(preview), less(preview))),
    ];
    let measured = format!("along the direction of the start of the step, of length one: {}", left(printed));
    let reason = "exact; the largest over all draws. The relative motion is linear but the distance is not: an impulse along the direction at \
                  t brings the preview to its length to first order in the turn. A turn left by the printed formula within 1e-9 would overturn it";
    Ok(counted(found, measured, all.len(), reason, readings))
}

/// Most change of momentum, over the sum of m abs(v).
const KEPT: f64 = 1e-10;

/// D-MOMENTUM.
pub fn momentum(results: &Results) -> Result<Finding, ResultsError> {
    let all = results.without_sets::<Momentum>()?;
    let of = |way: Way| -> Vec<&MomentumRow> { all.iter().filter(|row| row.method == way.name()).collect() };
    let most =
        |runs: &[&MomentumRow], of: fn(&MomentumRow) -> Option<f64>| runs.iter().filter_map(|row| of(row)).fold(0.0, f64::max);
    let held = |runs: &[&MomentumRow]| runs.iter().filter(|row| row.linear.is_some_and(|linear| linear <= KEPT)).count();
    let holds = |runs: &[&MomentumRow]| Answer::from(held(runs) == runs.len() && !runs.is_empty());
    let words = |runs: &[&MomentumRow]| {
        format!(
            "the momentum changes by at most {} of the sum of m abs(v); {} of {} runs keep it, {}",
            short(most(runs, |row| row.linear)),
            held(runs),
            runs.len(),
            left_out(runs.iter().map(|row| row.status.as_str()))
        )
    };
    let (main, printed) = (of(STRIPS), of(FROZEN));
    let energies: Vec<f64> = main.iter().filter_map(|row| row.energy).collect();
    let (angular, present) = (most(&main, |row| row.angular), most(&printed, |row| row.present));
    let readings = vec![
        Reading::new(PRINTED, words(&printed), verdict(holds(&printed), Answer::No)),
        Reading::new(
            "as printed, over the sum of m abs(v) at the time where it is larger, in all steps until it is lost",
            format!("changes by at most {}", short(present)),
            verdict(Answer::from(!printed.is_empty() && present <= KEPT), Answer::No),
        ),
        Reading::new(
            "angular momentum about the middle",
            format!("changes by at most {} of the sum of m abs(r) abs(v)", short(angular)),
            verdict(Answer::from(angular <= KEPT), Answer::No),
        ),
        Reading::new(
            "kinetic energy at the end, over that of the start",
            Estimate::median(&energies).map_or_else(|| "-".into(), |e| short_within(e.value, e.interval)),
            None,
        ),
    ];
    let reason = format!(
        "exact; every step of every run is counted, and one run that does not keep it would overturn it. As printed {} of {} runs \
         come to their end and keep it; others gain speed without bound, beside which a reading measures the change",
        held(&printed),
        printed.len()
    );
    let found = as_corrected(holds(&printed), holds(&main), Answer::No);
    Ok(counted(found, words(&main), main.len(), &reason, readings))
}

/// D-FINER.
pub fn finer(results: &Results) -> Result<Finding, ResultsError> {
    let runs =
        steps_where(results, |row| row.is_sized(LENGTH, ARC) && row.tolerance < 1e-4 && !row.velocities && row.air == 0.0)?;
    let judge = |way: Way| {
        let of: Vec<&RunRow> = runs.iter().filter(|row| row.method == way.name()).collect();
        let mut tolerances: Vec<f64> = of.iter().map(|row| row.tolerance).collect();
        tolerances.sort_by(|a, b| b.total_cmp(a));
        tolerances.dedup();
        let within = |tolerance: &&f64| of.iter().filter(|row| row.tolerance == **tolerance).all(|row| row.is_within());
        let held = tolerances.iter().filter(within).count();
        let words = of.iter().map(|row| {
            let came = match row.strain {
                Some(_) => format!("{} iterations a step", short(row.iterations)),
                None => format!("after {} steps", row.steps),
            };
            format!("{0} x {0} at {1}: {2}, {came}", row.side, per_cent(row.tolerance), row.status)
        });
        let words = words.collect::<Vec<_>>().join("; ");
        (Answer::from(held == tolerances.len() && held > 0), Answer::from(held > 0), words, of.len())
    };
    let (holds, some, measured, cases) = judge(STRIPS);
    let (printed, printed_some, frozen, _) = judge(FROZEN);
    let readings = vec![Reading { name: PRINTED.into(), measured: frozen, verdict: Some(verdict(printed, printed_some)) }];
    let reason =
        "exact; every step of every sheet is counted, and one that misses its tolerance within the limit would overturn it";
    Ok(counted(as_corrected(printed, holds, some.or(printed_some)), measured, cases, reason, readings))
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Hanging, Tolerance};
    use super::*;

    fn row(position: [f64; 2], velocity: [f64; 2], reference: f64) -> AccuracyRow {
        AccuracyRow {
            system: SYSTEMS[0].into(),
            directions: DIRECTIONS[0].0.into(),
            tolerance: 1e-6,
            steps: 15,
            status: FINISHED.into(),
            position: Some(position[0]),
            position_with: Some(position[1]),
            velocity: Some(velocity[0]),
            velocity_with: Some(velocity[1]),
            reference_position: Some(reference),
            reference_velocity: Some(reference),
            ..AccuracyRow::default()
        }
    }

    /// A row of a sheet with a limit of iterations and a gain of energy.
    fn interrupted(limit: u32, gain: Option<f64>) -> RunRow {
        let size = toml::from_str("side = 3\nsteps = 1").unwrap();
        let iterations = toml::Value::Integer(limit.into()).try_into().unwrap();
        let run = Hanging::usual(size, Tolerance::try_from(0.01).unwrap(), iterations).run(None, |_, _| ());
        RunRow { gain, ..run }
    }

    #[test]
    fn runs_that_are_lost_name_their_limit() {
        let (kept, lost) = (interrupted(2, Some(0.0)), interrupted(1, Some(5.0)));
        let some = [vec![&kept; 20], vec![&lost; 4]].concat();
        assert_eq!(stay(&some), (20, Answer::No, Answer::No));
        let words = of_limits(Verdict::NotReproduced, &some);
        assert!(words.contains("4 of 4 at limits of 1; at all others 20 of 20 do neither"), "{words}");
        assert!(of_limits(Verdict::ReproducedAsCorrected, &[&kept]).starts_with("One run that fails"));
        assert_eq!(stay(&[&interrupted(1, None)]), (0, Answer::No, Answer::No), "a run that fails is lost");
        assert_eq!(stay(&[]).1, Answer::No);
    }

    #[test]
    fn what_the_reference_does_not_tell_is_left_out() {
        let better = row([1.0, 0.9], [1.0, 0.5], 0.01);
        let rows = [vec![better.clone(); 6], vec![row([1.0, 2.0], [1.0, 2.0], 0.5)]].concat();
        let pass = Pass::of(rows.iter());
        assert_eq!((pass.position.len(), pass.untold, pass.failed), (6, 1, 0));
        assert_eq!(pass.answers(), [Answer::Yes, Answer::Yes]);
        let worse = [vec![row([1.0, 1.2], [1.0, 0.5], 0.01); 6], vec![AccuracyRow { position: None, ..better }]].concat();
        let pass = Pass::of(worse.iter());
        assert_eq!((pass.answers(), pass.failed), ([Answer::No, Answer::Yes], 1));
        assert_eq!(Pass::of(worse[..5].iter()).answers(), [Answer::Open, Answer::Open], "too few for an interval");
    }
}
