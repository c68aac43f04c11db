//! Hanging sheets without and with the velocity pass, timed alone from several starts.

use kit::prelude::*;

use super::scene::{Hanging, Pushes, RunRow, STRIPS, Size, Tolerance};
use super::steps::Steps;
use super::time_verdicts::{Timed, is_few, timed};
use super::verdicts::{as_corrected, makes_no_energy, usual, word};

ranges!(SkippedRanges {
    //! What is timed.
    /// Grids, and how many steps from the start are timed.
    sizes: List<Size>,
    /// Random starts of each.
    starts: Count,
    /// Permissible strain, of the pass too.
    tolerance: Tolerance,
    /// Most iterations a step.
    iterations: Count,
    /// Measurements of each.
    repeats: Count,
});

/// Hanging sheets, each start without the pass and with it.
#[derive(Clone)]
pub struct Skipped(pub SkippedRanges);

impl Group for Skipped {
    const NAME: &'static str = "skipped";
    const ABOUT: &'static str =
        "the first steps of hanging sheets without and with the velocity pass, by start: their times stand in timings.csv";
    const SAMPLED: bool = false;
    type Case = (Hanging, Pushes);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        2 * u64::from(self.0.starts.get()) * self.0.sizes.values().len() as u64
    }

    fn repeats(&self) -> u32 {
        self.0.repeats.get()
    }

    fn scene(&self, set: u64) -> u64 {
        set / 2
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let SkippedRanges { sizes, starts, tolerance, iterations, .. } = &self.0;
        let size = sizes.values()[(self.scene(set) / u64::from(starts.get())) as usize];
        let usual = Hanging::usual(size, *tolerance, *iterations);
        (Hanging { velocities: !set.is_multiple_of(2), ..usual }, Pushes::draw(stream))
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        case.0.weight()
    }

    fn measure(&self, (run, pushes): &Self::Case) -> Vec<RunRow> {
        vec![run.run(Some(pushes), |_, _| ())]
    }
}

/// What the pass costs a grid: ratios, with over without, one a start.
struct Cost {
    side: usize,
    time: Vec<f64>,
    operations: Vec<f64>,
    iterations: Vec<f64>,
}

impl Cost {
    /// Of sheets in the order of their sets: each start without and with.
    fn all(sheets: &[Timed]) -> Vec<Cost> {
        let mut all: Vec<Cost> = vec![];
        for pair in sheets.chunk_by(|a, b| a.set / 2 == b.set / 2) {
            let [without, with] = pair else { continue };
            let (Some(time), side) = (median(&with.over(without)), with.row.side) else { continue };
            if all.last().is_none_or(|cost| cost.side != side) {
                all.push(Cost { side, time: vec![], operations: vec![], iterations: vec![] });
            }
            if let Some(cost) = all.last_mut() {
                cost.time.push(time);
                cost.operations.push(with.row.operations / without.row.operations);
                cost.iterations.push(with.row.iterations / without.row.iterations);
            }
        }
        all
    }
}

/// Whether the median of some ratios lies above 1.
fn is_more(ratios: &[f64]) -> Answer {
    Estimate::median(ratios).map_or(Answer::Open, |ratio| ratio.lies_above(1.0))
}

/// Whether all answers are yes; open of none.
fn at_every(answers: &[Answer]) -> Answer {
    if answers.is_empty() { Answer::Open } else { Answer::all(answers.iter().copied()) }
}

/// D-SKIP.
pub fn skip(results: &Results) -> Result<Finding, ResultsError> {
    let sheets = timed::<Skipped>(results)?;
    let costs = Cost::all(&sheets);
    let faster: Vec<Answer> = costs.iter().map(|cost| is_more(&cost.time)).collect();
    let lighter: Vec<Answer> = costs.iter().map(|cost| is_more(&cost.operations)).collect();
    let tolerance = sheets.first().map(|sheet| sheet.row.tolerance);
    let steps = results.without_sets::<Steps>()?;
    let full: Vec<&RunRow> = steps.iter().filter(|row| !is_few(row) && Some(row.tolerance) == tolerance).collect();
    let runs: Vec<&RunRow> = full.iter().copied().filter(|row| usual(row)).collect();
    let printed: Vec<&RunRow> = full.iter().copied().filter(|row| row.method != STRIPS.name() && !row.velocities).collect();
    let with: Vec<&RunRow> = full.iter().copied().filter(|row| row.velocities && row.method == STRIPS.name()).collect();
    let held = |rows: &[&RunRow]| rows.iter().filter(|row| row.is_within() && makes_no_energy(row)).count();
    let stable = |rows: &[&RunRow]| Answer::from(held(rows) == rows.len() && !rows.is_empty());
    let rise = |rows: &[&RunRow]| {
        let most = rows.iter().filter_map(|row| row.gain).fold(f64::NEG_INFINITY, f64::max);
        word(Some(most).filter(|rise| rise.is_finite()))
    };
    let mut readings = vec![
        Reading::new(
            "stable without the pass along directions of the start of the step, as printed",
            format!("{} of {} grids", held(&printed), printed.len()),
            verdict(stable(&printed), Answer::No),
        ),
        Reading::new(
            "the second line: operations in place of times",
            format!(
                "fewer without at {} of {} grids",
                lighter.iter().filter(|answer| **answer == Answer::Yes).count(),
                lighter.len()
            ),
            verdict(stable(&runs).and(at_every(&lighter)), stable(&runs)),
        ),
    ];
    for (cost, answer) in costs.iter().zip(&faster) {
        let median = |ratios: &[f64]| Estimate::median(ratios).map_or_else(|| "-".into(), |e| e.to_string());
        let (time, operations, iterations) = (median(&cost.time), median(&cost.operations), median(&cost.iterations));
        let name = format!("{0} x {0}, with the pass over without, medians over {1} starts", cost.side, cost.time.len());
        let measured = format!("time {time}; operations {operations}; iterations of positions {iterations}");
        readings.push(Reading::new(name, measured, verdict(*answer, Answer::No)));
    }
    let by_time = at_every(&faster);
    let corrected = stable(&runs).and(by_time);
    let slower: Vec<String> = costs
        .iter()
        .zip(&faster)
        .filter(|(_, answer)| **answer != Answer::Yes)
        .map(|(cost, _)| format!("{0} x {0}", cost.side))
        .collect();
    let rest = if slower.is_empty() { String::new() } else { format!("; no gain is told at {}", slower.join(", ")) };
    let (whole, grids, rise_without, rise_with) = (held(&runs), runs.len(), rise(&runs), rise(&with));
    let (faster_at, of) = (faster.iter().filter(|answer| **answer == Answer::Yes).count(), faster.len());
    let measured = format!(
        "without the pass {whole} of {grids} grids hold their tolerance in every step and make no energy (at most {rise_without} falls; \
         with it {rise_with}); faster without at {faster_at} of {of} grids{rest}"
    );
    let (held, grids) = (held(&printed), printed.len());
    let reason = format!(
        "strains and energies are exact, times those of this machine on one thread. As printed {held} of {grids} grids are stable \
         without the pass. The two runs of a start are not of the same motion: the pass changes it, and with it the \
         iterations, by more than what a pass costs on large grids, so that ratios are judged over starts. A grid that the \
         pass makes faster, or one at which its cost is told, would move it"
    );
    Ok(Finding::new(as_corrected(stable(&printed).and(by_time), corrected, stable(&runs)), measured, reason)
        .cases(costs.iter().map(|cost| cost.time.len()).sum())
        .readings(readings))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Skipped(ranges.skipped.clone())).judge_of_times("D-SKIP", skip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_the_sample_and_no_grid_is_no_answer() {
        assert_eq!((at_every(&[]), at_every(&[Answer::Yes, Answer::Open])), (Answer::Open, Answer::Open));
        assert_eq!(at_every(&[Answer::Yes, Answer::No, Answer::Open]), Answer::No);
        assert_eq!((is_more(&[1.1; 5]), is_more(&[1.1; 6])), (Answer::Open, Answer::Yes), "five starts have no interval");
    }
}
