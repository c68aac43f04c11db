//! A build against itself: nothing may be called slower, faster or different.

use lab::measure::streams::{log_uniform, stream};

use crate::comparison::{Comparison, Named};
use crate::difference::StudyDifference;
use crate::outcome::Outcome;
use crate::study::Timing;
use crate::times::{BuiltTime, Decision, Rounds, Times, decide};
use crate::{page, report};

/// Comparisons that must raise no alarm.
const COMPARISONS: u64 = 60;

/// Rounds of eight groups of 40 sets on a machine that drifts by 10 % from round to round and by `drift` from run to run, whose
/// times scatter by 5 %, and which now and then is busy with something else for a case.
fn restless(comparison: u64, drift: f64) -> Rounds {
    let mut rounds = Rounds::default();
    for round in 0..5 {
        let mut stream = stream("compare", "restless", comparison, round);
        let of_round = log_uniform(&mut stream, [1.0 / 1.1, 1.1]);
        for side in [&mut rounds.old, &mut rounds.new, &mut rounds.again] {
            let of_run = of_round * log_uniform(&mut stream, [1.0 / (1.0 + drift), 1.0 + drift]);
            let mut timings = vec![];
            for group in 0..8 {
                for set in 0..40 {
                    let busy = if log_uniform(&mut stream, [1.0, 2.0]) > 1.96 { 3.0 } else { 1.0 };
                    let scatter = log_uniform(&mut stream, [1.0 / 1.05, 1.05]);
                    let seconds = 1e-3 * (1.0 + set as f64) * of_run * scatter * busy;
                    timings.push(Timing { group: format!("group {group}"), set, repeat: 0, seconds });
                }
            }
            side.push(timings);
        }
    }
    rounds
}

fn is_alarm(time: &BuiltTime) -> bool {
    matches!(time.decision, Decision::Slower | Decision::Faster)
}

#[test]
fn sixty_comparisons_with_synthetic_noise_raise_no_alarm() {
    for drift in [0.0, 0.01, 0.03, 0.1] {
        for comparison in 0..COMPARISONS {
            let mut times = restless(comparison, drift).times("study");
            assert_eq!(times.len(), 8);
            decide(&mut times.iter_mut().collect::<Vec<_>>());
            let alarms: Vec<BuiltTime> = times.into_iter().filter(is_alarm).collect();
            assert!(alarms.is_empty(), "drift {drift}, comparison {comparison}: {alarms:?}");
        }
    }
}

#[test]
fn a_control_that_moved_takes_the_verdict_on_times_back() {
    // the new build twice as slow, on a machine that was slower by a tenth as well, or was not
    for (control, decision, outcome) in [(1.1, Decision::Withheld, Outcome::Same), (1.0, Decision::Slower, Outcome::Regression)] {
        let mut rounds = restless(0, 0.0);
        rounds.new.iter_mut().flatten().for_each(|timing| timing.seconds *= 2.0);
        rounds.control = [vec![0.2; 5], vec![0.2; 5], vec![0.2 * control; 5]];
        let mut times = rounds.times("study");
        decide(&mut times.iter_mut().collect::<Vec<_>>());
        let mut study = StudyDifference { control: rounds.control(), times: Times::Built(times), ..Default::default() };
        study.heed_control();
        assert!(study.times.built().unwrap().iter().all(|time| time.decision == decision), "{study:?}");
        let comparison = whole(study);
        assert_eq!(comparison.outcome, outcome);
        let told = page::text(&report::blocks(&comparison), false);
        assert_eq!(told.contains("no verdict on times is told"), control > 1.0, "{told}");
        assert!(told.contains(if control > 1.0 { "times: 8 withheld" } else { "times: 8 slower" }), "{told}");
    }
}

fn whole(study: StudyDifference) -> Comparison {
    let named = |name: &str| Named { name: name.into(), commit: None };
    Comparison::new(named("old"), named("new"), vec![], vec![], vec![study])
}
