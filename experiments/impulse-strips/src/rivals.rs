//! Strips against other ways to go through the edges.

use kit::prelude::*;

use super::scene::{FROZEN, Hanging, Pushes, RunRow, STRIPS, Size, Tolerance, Way};
use super::steps::Steps;
use super::verdicts::{PRINTED, as_corrected, counted, steps_where};

ranges!(RivalRanges {
    //! Sizes and limits.
    /// Grids, the first ones of the main group.
    sizes: List<Size>,
    /// Sides of the sheet \[m\], the main one first.
    lengths: List<Positive>,
    /// Permissible strain.
    tolerance: Tolerance,
    /// Most iterations a step.
    iterations: Count,
});

/// Ways that are compared.
pub const WAYS: [Way; 3] = [STRIPS, Way::Single, Way::Forests];

/// Hanging sheets by each way.
#[derive(Clone)]
pub struct Rivals(pub RivalRanges);

impl Group for Rivals {
    const NAME: &'static str = "rivals";
    const ABOUT: &'static str = "hanging sheets by strips, by single constraints in turn and by spanning forests";
    const SCENES: &'static str = Steps::NAME;
    const SAMPLED: bool = false;
    type Case = (Hanging, Pushes);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        (WAYS.len() * self.0.sizes.values().len() * self.0.lengths.values().len()) as u64
    }

    fn scene(&self, set: u64) -> u64 {
        set / WAYS.len() as u64 % self.0.sizes.values().len() as u64
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        let size = self.0.sizes.values()[self.scene(set) as usize];
        let way = WAYS[set as usize % WAYS.len()];
        let length = self.0.lengths.values()[set as usize / WAYS.len() / self.0.sizes.values().len()].get();
        (Hanging { way, length, ..Hanging::usual(size, self.0.tolerance, self.0.iterations) }, Pushes::draw(stream))
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        case.0.weight()
    }

    fn measure(&self, (run, pushes): &Self::Case) -> Vec<RunRow> {
        vec![run.run(Some(pushes), |_, _| ())]
    }
}

/// D-ITER.
pub fn rivals(results: &Results) -> Result<Finding, ResultsError> {
    let runs = results.without_sets::<Rivals>()?;
    let Some(main) = runs.first().map(|row| row.length) else {
        return Err(too_few("nothing was divided"));
    };
    let mut lengths: Vec<f64> = runs.iter().map(|row| row.length).collect();
    lengths.dedup();
    let judge = |length: f64, of: fn(&RunRow) -> f64| {
        let here: Vec<&RunRow> = runs.iter().filter(|row| row.length == length).collect();
        let sizes: Vec<&[&RunRow]> = here.chunks_exact(WAYS.len()).collect();
        let ratios = sizes.iter().map(|ways| of(ways[1]) / of(ways[0]));
        let least = Estimate::exact(ratios.fold(f64::INFINITY, f64::min), sizes.len());
        // strips at the limit would make a ratio an upper bound
        let told = Answer::from(sizes.iter().all(|ways| ways[0].strain.is_some() && ways[0].limited == 0) && !sizes.is_empty());
        let told = if told == Answer::Yes { Answer::Yes } else { Answer::Open };
        (told.and(least.lies_above(2.0)), told.and(least.lies_above(1.0)), least)
    };
    let is_run = |row: &RunRow| runs.iter().any(|run| run.side == row.side && run.tolerance == row.tolerance);
    let printed = steps_where(results, |row| row.method == FROZEN.name() && !row.velocities && is_run(row))?;
    let whole = printed.iter().filter(|row| row.strain.is_some()).count();
    let ends = printed.iter().map(|row| format!("{0} x {0}: {1} after {2} steps", row.side, row.status, row.steps));
    // strips that come to no end take no number of iterations
    let as_printed = if whole == printed.len() { Answer::Open } else { Answer::No };
    let ends = ends.collect::<Vec<_>>().join("; ");
    let mut readings = vec![Reading::new(PRINTED, ends, Some(verdict(as_printed, as_printed)))];
    for length in &lengths {
        for (name, of) in [("iterations", (|row| row.iterations) as fn(&RunRow) -> f64), ("operations", |row| row.operations)] {
            if *length == main && name == "iterations" {
                continue;
            }
            let (holds, more, least) = judge(*length, of);
            let verdict = verdict(holds, more);
            let name = format!("a sheet of {} m, {name} of single constraints over those of strips", short(*length));
            readings.push(Reading::new(name, format!("at least {}", short(least.value)), Some(verdict)));
        }
        let here: Vec<&RunRow> = runs.iter().filter(|row| row.length == *length).collect();
        for ways in here.chunks_exact(WAYS.len()) {
            let words = ways.iter().map(|row| {
                let limited = if row.limited > 0 {
                    format!(", {} of {} steps at the limit", row.limited, row.steps)
                } else {
                    String::new()
                };
                format!("{} {}{limited}", row.method, short(row.iterations))
            });
            let name = format!("{0} x {0}, {1} m, iterations a step", ways[0].side, short(*length));
            readings.push(Reading::new(name, words.collect::<Vec<_>>().join("; "), None));
        }
    }
    let (holds, more, least) = judge(main, |row| row.iterations);
    let measured = format!("at least {} times the iterations of strips", short(least.value));
    let reason = format!(
        "exact counts over the same starts; a limit of iterations makes a ratio a lower bound. Both take their directions anew: \
         as printed, strips come to their end at {whole} of {} grids. A grid at which single constraints need less than twice the \
         iterations would overturn it",
        printed.len()
    );
    let finding = counted(as_corrected(as_printed, holds, more), measured, least.cases, &reason, readings);
    Ok(Finding { value: least.value.is_finite().then_some(least.value), ..finding })
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Rivals(ranges.rivals.clone())).judge("D-ITER", rivals).places(&[("D-ITER", -2)])
}
