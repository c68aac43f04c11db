//! Times of two sides: of committed results, which say how it looks, and of builds that took turns, which decide.

use std::collections::{BTreeMap, BTreeSet};

use lab::judge::statistics::{Interval, Miss, bootstrap, median};
use lab::provenance::Provenance;
use lab::results::Timing;
use serde::Serialize;

use crate::control::Control;
use crate::ranks::{benjamini_hochberg, mann_whitney, median_of, ratio_of_medians};
use crate::study::StudyResults;

/// What can be said of the times of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Times {
    /// They were not asked for.
    #[default]
    NotAsked,
    /// They cannot be compared.
    Refused(String),
    /// Of committed results, measured in different runs on the same machine: no verdict.
    Committed(Vec<CommittedTime>),
    /// Of two builds that took turns.
    Built(Vec<BuiltTime>),
}

impl Times {
    /// Those of two builds.
    pub fn built(&self) -> Option<&[BuiltTime]> {
        if let Times::Built(times) = self { Some(times) } else { None }
    }

    /// Takes the verdict on those of two builds back.
    pub fn withhold(&mut self) {
        if let Times::Built(times) = self {
            times.iter_mut().for_each(|time| time.decision = Decision::Withheld);
        }
    }
}

/// Times of a group in committed results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommittedTime {
    pub group: String,
    /// Sets that both sides timed.
    pub sets: usize,
    /// Whether each case was alone on the machine.
    pub alone: bool,
    /// Median over sets \[s\].
    pub old: f64,
    /// Median over sets \[s\].
    pub new: f64,
    /// New over old.
    pub ratio: f64,
    /// Its 95 % interval, by bootstrap over sets.
    pub interval: Option<[f64; 2]>,
}

/// Times of a group in two builds that took turns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuiltTime {
    pub study: String,
    pub group: String,
    /// Sets that take long enough for the clock.
    pub sets: usize,
    pub rounds: usize,
    /// Median over sets and rounds \[s\].
    pub old: Option<f64>,
    /// Median over sets and rounds \[s\].
    pub new: Option<f64>,
    /// New over old: ratio of the medians over rounds of each round's median, every set in units of its own median time.
    pub ratio: Option<f64>,
    /// Its 95 % interval, by bootstrap over rounds.
    pub interval: Option<[f64; 2]>,
    /// What the old build differs from itself: the end of the interval of A/A that is farther from 1, as a ratio >= 1.
    pub floor: Option<f64>,
    /// p of the rank test over sets and rounds.
    pub p: Option<f64>,
    /// p adjusted for the family of all groups.
    pub q: Option<f64>,
    pub decision: Decision,
}

/// What follows from the times of two builds.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// q below 0.002 and the whole interval beyond the floor.
    Slower,
    /// q below 0.002 and the whole interval beyond the inverse of the floor.
    Faster,
    /// The whole interval within 5 % of 1.
    Same,
    /// None of these.
    Inconclusive,
    /// Not told, since the machine was another one for the new build.
    Withheld,
}

/// Largest adjusted p of a change.
const SIGNIFICANT: f64 = 0.002;
/// Largest ratio that counts as none.
const SAME: f64 = 1.05;
/// Shortest case that the clock, of microseconds, resolves to a percent \[s\].
const SHORTEST: f64 = 1e-4;

/// Compares the times of committed results; `same_rows` says of a group whether its rows are the same on both sides.
pub fn committed(old: &StudyResults, new: &StudyResults, same_rows: impl Fn(&str) -> bool) -> Times {
    if let Some(reason) = other_machine(&old.provenance, &new.provenance) {
        return Times::Refused(reason);
    }
    if old.timings == new.timings {
        return Times::Refused("both sides hold those of the same run".into());
    }
    let same_sets = have_same_sets(old, new);
    let groups: BTreeSet<&str> = new.timings.iter().map(|timing| timing.group.as_str()).collect();
    let comparable = groups.into_iter().filter(|group| same_sets || same_rows(group));
    let times: Vec<CommittedTime> = comparable.filter_map(|group| committed_group(group, &old.timings, &new.timings)).collect();
    if times.is_empty() {
        return Times::Refused("both sides have no sets in common: seed or ranges differ".into());
    }
    Times::Committed(times)
}

/// Times of a study in two runs on the same machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyTime {
    pub study: String,
    /// Over cases that both sides timed \[s\].
    pub old: f64,
    /// Over the same cases \[s\].
    pub new: f64,
}

/// Times of a study over cases that both sides have; none where they are of the same run, or of other machines or sets.
pub fn study_time(study: &str, old: &StudyResults, new: &StudyResults) -> Option<StudyTime> {
    if other_machine(&old.provenance, &new.provenance).is_some() || old.timings == new.timings || !have_same_sets(old, new) {
        return None;
    }
    let cases = |timings: &[Timing]| -> BTreeMap<(String, u64), f64> {
        let alike = timings.iter().filter(|timing| timing.repeat == 0);
        alike.map(|timing| ((timing.group.clone(), timing.set), timing.seconds)).collect()
    };
    let (before, after) = (cases(&old.timings), cases(&new.timings));
    let both = before.iter().filter_map(|(case, old)| Some((old, after.get(case)?)));
    let (old, new) = both.fold((0.0, 0.0), |(old, new), (a, b)| (old + a, new + b));
    (old > 0.0 && new > 0.0).then(|| StudyTime { study: study.into(), old, new })
}

/// True where the same numbers are those of the same sets in two runs.
fn have_same_sets(old: &StudyResults, new: &StudyResults) -> bool {
    let [old, new] = [old, new].map(|results| &results.provenance.identity);
    old.seed == new.seed && old.ranges == new.ranges
}

/// Why times of two runs cannot be compared.
fn other_machine(old: &Provenance, new: &Provenance) -> Option<String> {
    let differ = |what: &str, old: &dyn std::fmt::Display, new: &dyn std::fmt::Display| {
        let (old, new) = (old.to_string(), new.to_string());
        (old != new).then(|| format!("{what} {old} against {new}"))
    };
    let differences = [
        differ("processor", &old.machine.cpu, &new.machine.cpu),
        differ("cores", &old.machine.cores, &new.machine.cores),
        differ("threads", &old.threads, &new.threads),
        differ("kernels", &old.machine.instruction_set, &new.machine.instruction_set),
    ];
    let differences: Vec<String> = differences.into_iter().flatten().collect();
    (!differences.is_empty()).then(|| format!("not the same machine: {}", differences.join(", ")))
}

/// Times of a group by set: those alone on the machine, or where it has none, those among all others.
fn by_set(timings: &[Timing], group: &str, alone: bool) -> BTreeMap<u64, Vec<f64>> {
    let mut sets: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for timing in timings.iter().filter(|timing| timing.group == group && (timing.repeat > 0) == alone) {
        sets.entry(timing.set).or_default().push(timing.seconds);
    }
    sets
}

fn is_alone(timings: &[Timing], group: &str) -> bool {
    timings.iter().any(|timing| timing.group == group && timing.repeat > 0)
}

fn committed_group(group: &str, old: &[Timing], new: &[Timing]) -> Option<CommittedTime> {
    let alone = is_alone(old, group) && is_alone(new, group);
    let (before, after) = (by_set(old, group, alone), by_set(new, group, alone));
    let pairs: Vec<[f64; 2]> =
        before.iter().filter_map(|(set, times)| Some([median(times)?, median(after.get(set)?)?])).collect();
    let ratio = |pairs: &[[f64; 2]]| ratio_of_medians(pairs).filter(|ratio| ratio.is_finite());
    Some(CommittedTime {
        group: group.into(),
        sets: pairs.len(),
        alone,
        old: median_of(&pairs, 0)?,
        new: median_of(&pairs, 1)?,
        ratio: ratio(&pairs)?,
        interval: bootstrap(group, &pairs, Miss::ONE, ratio).map(|Interval { low, high }| [low, high]),
    })
}

/// The times of two builds, by round.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    /// The old build.
    pub old: Vec<Vec<Timing>>,
    /// The old build once more in the same round.
    pub again: Vec<Vec<Timing>>,
    /// The new build.
    pub new: Vec<Vec<Timing>>,
    /// The control beside the old build, the old one again, and the new one \[s\].
    pub control: [Vec<f64>; 3],
}

impl Rounds {
    /// What the control says of the machine.
    pub fn control(&self) -> Option<Control> {
        let [old, _, new] = &self.control;
        Control::of(&old.iter().zip(new).map(|(old, new)| [*old, *new]).collect::<Vec<_>>())
    }

    /// The times of every group that both builds have, not yet judged.
    pub fn times(&self, study: &str) -> Vec<BuiltTime> {
        let groups =
            |rounds: &[Vec<Timing>]| -> BTreeSet<String> { rounds.iter().flatten().map(|timing| timing.group.clone()).collect() };
        groups(&self.old).intersection(&groups(&self.new)).map(|group| self.time(study, group)).collect()
    }

    fn time(&self, study: &str, group: &str) -> BuiltTime {
        let alone = is_alone(&self.old.concat(), group) && is_alone(&self.new.concat(), group);
        let sides = [&self.old, &self.again, &self.new]
            .map(|rounds| rounds.iter().map(|timings| by_set(timings, group, alone)).collect::<Vec<_>>());
        let all =
            |set: u64| -> Vec<f64> { sides.iter().flatten().filter_map(|round| round.get(&set)).flatten().copied().collect() };
        // sets that every run has, with the time in whose units they count
        let in_every_run = |set: &u64| sides.iter().flatten().all(|round| round.contains_key(set));
        let sets: BTreeSet<u64> = sides[0].iter().flat_map(|round| round.keys().copied()).filter(in_every_run).collect();
        let units: BTreeMap<u64, f64> =
            sets.into_iter().filter_map(|set| Some((set, median(&all(set)).filter(|unit| *unit >= SHORTEST)?))).collect();
        let seconds = |side: usize| -> Vec<f64> {
            sides[side].iter().flat_map(|round| units.keys().flat_map(|set| round[set].clone())).collect()
        };
        let scaled = |side: usize| -> Vec<Vec<f64>> {
            let round = |round: &BTreeMap<u64, Vec<f64>>| {
                units.iter().flat_map(|(set, unit)| round[set].iter().map(move |time| time / unit)).collect()
            };
            sides[side].iter().map(round).collect()
        };
        let against = |other: usize| -> Option<(f64, Option<Interval>)> {
            let medians = |side: usize| scaled(side).iter().map(|round| median(round)).collect::<Option<Vec<f64>>>();
            let rounds: Vec<[f64; 2]> = medians(0)?.into_iter().zip(medians(other)?).map(|(old, new)| [old, new]).collect();
            Some((ratio_of_medians(&rounds)?, bootstrap(group, &rounds, Miss::ONE, ratio_of_medians)))
        };
        let (floor, found) = (against(1).and_then(|(_, interval)| interval), against(2));
        BuiltTime {
            study: study.into(),
            group: group.into(),
            sets: units.len(),
            rounds: self.old.len(),
            old: median(&seconds(0)),
            new: median(&seconds(2)),
            ratio: found.map(|(ratio, _)| ratio),
            interval: found.and_then(|(_, interval)| interval).map(|Interval { low, high }| [low, high]),
            floor: floor.map(|Interval { low, high }| (1.0 / low).max(high)),
            p: mann_whitney(&scaled(0).concat(), &scaled(2).concat()),
            q: None,
            decision: Decision::Inconclusive,
        }
    }
}

/// Decides on a family of times.
pub fn decide(family: &mut [&mut BuiltTime]) {
    let p: Vec<f64> = family.iter().filter_map(|time| time.p).collect();
    let mut adjusted = benjamini_hochberg(&p).into_iter();
    for time in family.iter_mut() {
        time.q = time.p.and_then(|_| adjusted.next());
        let (Some([low, high]), Some(floor), Some(q)) = (time.interval, time.floor, time.q) else { continue };
        time.decision = if q < SIGNIFICANT && low > floor {
            Decision::Slower
        } else if q < SIGNIFICANT && high < 1.0 / floor {
            Decision::Faster
        } else if low >= 1.0 / SAME && high <= SAME {
            Decision::Same
        } else {
            Decision::Inconclusive
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of 40 sets of unequal length with a spread of `noise`, the new build `factor` times as slow.
    fn rounds(factor: f64, noise: f64, scale: f64) -> Rounds {
        let side = |name: &str, factor: f64| {
            let round = |round: u64| {
                let mut stream = lab::measure::streams::stream("compare", name, round, 0);
                let timing = |set: u64| {
                    let spread = lab::measure::streams::log_uniform(&mut stream, [1.0 / (1.0 + noise), 1.0 + noise]);
                    Timing { group: "runs".into(), set, repeat: 0, seconds: scale * (1.0 + set as f64) * factor * spread }
                };
                (0..40).map(timing).collect()
            };
            (0..5).map(round).collect()
        };
        Rounds { old: side("old", 1.0), again: side("again", 1.0), new: side("new", factor), ..Rounds::default() }
    }

    fn decided(rounds: &Rounds) -> BuiltTime {
        let mut times = rounds.times("s");
        assert_eq!(times.len(), 1);
        decide(&mut times.iter_mut().collect::<Vec<_>>());
        times.remove(0)
    }

    #[test]
    fn slower_faster_and_the_same_are_told() {
        let slower = decided(&rounds(1.2, 0.02, 1e-3));
        assert_eq!(slower.decision, Decision::Slower, "{slower:?}");
        assert!((slower.ratio.unwrap() - 1.2).abs() < 0.02 && slower.q.unwrap() < 1e-6);
        assert_eq!(decided(&rounds(0.8, 0.02, 1e-3)).decision, Decision::Faster);
        let same = decided(&rounds(1.0, 0.02, 1e-3));
        assert_eq!(same.decision, Decision::Same, "{same:?}");
        assert_eq!((same.sets, same.rounds), (40, 5));
    }

    #[test]
    fn what_cannot_be_decided_is_inconclusive() {
        // a change of 6 % below noise of a factor 3
        let noisy = decided(&rounds(1.06, 2.0, 1e-3));
        assert_eq!(noisy.decision, Decision::Inconclusive, "{noisy:?}");
        // cases of nanoseconds
        let short = decided(&rounds(2.0, 0.02, 1e-9));
        assert_eq!((short.decision, short.sets, short.ratio, short.p), (Decision::Inconclusive, 0, None, None));
    }

    #[test]
    fn a_change_within_the_floor_is_none() {
        // the old build differs from itself by 30 %, the new one from it by 20 %
        let mut shaken = rounds(1.2, 0.02, 1e-3);
        shaken.again.iter_mut().flatten().for_each(|timing| timing.seconds *= 1.3);
        let found = decided(&shaken);
        assert!(found.q.unwrap() < 1e-6 && found.floor.unwrap() > 1.25);
        assert_eq!(found.decision, Decision::Inconclusive);
    }

    #[test]
    fn five_rounds_of_one_set_are_too_few() {
        let mut few = rounds(2.0, 0.02, 1e-3);
        for side in [&mut few.old, &mut few.again, &mut few.new] {
            side.iter_mut().for_each(|round| round.truncate(1));
        }
        let found = decided(&few);
        assert!((found.p.unwrap() - 2.0 / 252.0).abs() < 1e-12);
        assert_eq!(found.decision, Decision::Inconclusive);
    }
}
