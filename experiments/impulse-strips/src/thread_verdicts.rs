//! The verdict on what threads gain.

use kit::prelude::*;

use super::scene::{RunRow, usual};
use super::time_verdicts::{Timed, reading, timed};
use super::times::Times;
use super::words::word;

/// Particles a side from which on a sheet has enough to share.
const LARGE: usize = 30;

/// D-CORES: published gain of four cores plus or minus 0.2.
const PUBLISHED: [f64; 2] = [1.7, 2.1];

/// Cores of the paper.
const CORES: usize = 4;

/// Ratios of times, one thread over all, repeat by repeat, of the sheets of figure 5.
pub fn gains(results: &Results) -> Result<Vec<(RunRow, Vec<f64>)>, ResultsError> {
    let sheets = timed::<Times>(results)?;
    let pair = |pair: &[Timed]| {
        let [one, all] = pair else { return None };
        let same = one.row.threads == "one" && all.row.threads == "all" && usual(&one.row);
        same.then(|| (one.row.clone(), one.over(all)))
    };
    Ok(sheets.chunk_by(|a, b| a.set / 2 == b.set / 2).filter_map(pair).collect())
}

/// Share of the work that threads do not share, from what `threads` of them gain (Amdahl 1967).
fn serial(gain: f64, threads: usize) -> f64 {
    let n = threads as f64;
    (n / gain - 1.0) / (n - 1.0)
}

/// What `threads` gain at most where a share of the work is serial.
fn amdahl(serial: f64, threads: usize) -> f64 {
    1.0 / (serial + (1.0 - serial) / threads as f64)
}

/// What a gain of `threads` comes to on as many as the paper has, at most.
fn of_four(gain: Estimate, threads: usize) -> Estimate {
    let at_most = |gain: f64| amdahl(serial(gain, threads).clamp(0.0, 1.0), CORES);
    let interval = gain.interval.map(|i| Interval { low: at_most(i.low), high: at_most(i.high) });
    Estimate { value: at_most(gain.value), interval, ..gain }
}

/// The verdict on what `threads` gain, and why.
fn judged(gain: Estimate, threads: usize) -> (Verdict, &'static str) {
    match (gain.lies_above(1.0), threads) {
        (Answer::No, _) => (Verdict::NotReproduced, "the interval lies below 1: threads cost more than they bring"),
        (direction, CORES) => {
            (verdict(gain.lies_within(PUBLISHED[0], PUBLISHED[1]), direction), "as many threads as in the paper")
        }
        _ => (Verdict::HardwareBound, "the paper has four cores and this machine has not: what four gain was not measured"),
    }
}

/// D-CORES.
pub fn cores(results: &Results) -> Result<Finding, ResultsError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from); // those of the run, which times the same machine
    let gains = gains(results)?;
    let of = |wanted: &dyn Fn(usize) -> bool| -> Vec<f64> {
        gains.iter().filter(|(row, _)| wanted(row.side)).filter_map(|(_, ratios)| median(ratios)).collect()
    };
    let large = of(&|side| side >= LARGE);
    let gain = Estimate::median(&large).ok_or_else(|| too_few("no large sheet was timed on one thread and on all"))?;
    let (verdict_of_threads, why) = judged(gain, threads);
    let mut readings = vec![];
    if threads > 1 {
        let (four, published) = (of_four(gain, threads), serial(1.9, CORES));
        let name = "what four threads would gain at most, by Amdahl's law";
        let [ours, theirs, ideal] = [serial(gain.value, threads), published, amdahl(published, threads)].map(short);
        let measured = format!(
            "{four}, from a serial share of {ours}; the published 1.9 has one of {theirs} and would be {ideal} on {threads}"
        );
        readings.push(Reading::new(name, measured, verdict(four.lies_within(PUBLISHED[0], PUBLISHED[1]), gain.lies_above(1.0))));
    }
    let mut sides: Vec<usize> = gains.iter().map(|(row, _)| row.side).collect();
    sides.dedup();
    readings.extend(
        sides.into_iter().map(|of_side| reading(format!("{of_side} x {of_side}"), word(median(&of(&|side| side == of_side))))),
    );
    let measured = format!("{} times as fast on {threads} threads as on one", short(gain.value));
    let reason = format!(
        "{why}; the median over sheets of at least {LARGE} x {LARGE} of their medians. Threads meet three times an iteration: after the \
         rows, after the columns and after the strains, and eight strips are one piece of work. A run on four cores would decide"
    );
    Ok(Finding::new(verdict_of_threads, measured, reason).rests_on(&gain).cases(large.len()).readings(readings))
}

#[cfg(test)]
mod tests {

    use super::*;

    fn gain(low: f64, high: f64) -> Estimate {
        Estimate { value: 0.5 * (low + high), interval: Some(Interval { low, high }), cases: 15 }
    }

    #[test]
    fn threads_can_fail_to_gain_and_fewer_than_four_decide_nothing_else() {
        assert_eq!(judged(gain(0.714, 0.766), 2).0, Verdict::NotReproduced);
        assert_eq!(judged(gain(1.1, 1.3), 2).0, Verdict::HardwareBound);
        assert_eq!(judged(gain(1.75, 2.0), 2).0, Verdict::HardwareBound);
        assert_eq!(judged(gain(1.75, 2.0), 4).0, Verdict::Reproduced);
        assert_eq!(judged(gain(1.1, 1.3), 4).0, Verdict::DirectionOnly);
        assert_eq!(judged(gain(1.5, 2.5), 4).0, Verdict::Inconclusive);
        assert_eq!(judged(gain(0.5, 0.9), 4).0, Verdict::NotReproduced);
    }

    #[test]
    fn a_law_by_hand() {
        // half of the work serial: 4/3 on two threads, 8/5 on four
        assert!((serial(4.0 / 3.0, 2) - 0.5).abs() < 1e-15 && (amdahl(0.5, 4) - 1.6).abs() < 1e-15);
        let four = of_four(gain(1.2, 1.5), 2);
        assert!((four.interval.unwrap().low - 4.0 / 3.0).abs() < 1e-12 && (four.interval.unwrap().high - 2.0).abs() < 1e-12);
        assert!((amdahl(serial(1.9, 4), 2) - 1.4615).abs() < 1e-3, "of the paper");
    }
}
