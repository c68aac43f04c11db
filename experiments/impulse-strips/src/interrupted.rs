//! Hanging sheets whose iterations are interrupted.

use kit::prelude::*;

use super::scene::{FROZEN, Hanging, LENGTH, Pushes, RunRow, STRIPS, Size, Tolerance, Way, is_usual};
use super::verdicts::{PRINTED, as_corrected, counted, makes_no_energy, word};

ranges!(InterruptedRanges {
    //! Sheets and limits.
    /// Grids and steps.
    sizes: List<Size>,
    /// Sides of the sheet \[m\].
    lengths: List<Positive>,
    /// Most iterations a step.
    limits: List<Count>,
    /// Permissible strain.
    tolerance: Tolerance,
});

/// Hanging sheets with few iterations.
#[derive(Clone)]
pub struct Interrupted(pub InterruptedRanges);

impl Interrupted {
    /// All runs, each with the place of its size.
    fn all(&self) -> Vec<(u64, Hanging)> {
        let InterruptedRanges { sizes, lengths, limits, tolerance } = &self.0;
        let of = |(place, size): (u64, &Size)| {
            let usual = Hanging::usual(*size, *tolerance, limits.values()[0]);
            let by_limit = limits.values().iter().map(move |limit| Hanging { iterations: *limit, ..usual });
            let by_length = |run: Hanging| lengths.values().iter().map(move |length| Hanging { length: length.get(), ..run });
            let by_way = |run: Hanging| [STRIPS, FROZEN].map(|way| Hanging { way, ..run });
            by_limit.flat_map(by_length).flat_map(by_way).map(|run| (place, run)).collect::<Vec<_>>()
        };
        (0..).zip(sizes.values()).flat_map(of).collect()
    }
}

impl Group for Interrupted {
    const NAME: &'static str = "interrupted";
    const ABOUT: &'static str = "hanging sheets by grid, side, limit of iterations, few of them, and directions";
    const SAMPLED: bool = false;
    type Case = (Hanging, Pushes);
    type Row = RunRow;

    fn sets(&self) -> u64 {
        self.all().len() as u64
    }

    fn scene(&self, set: u64) -> u64 {
        self.all()[set as usize].0
    }

    fn case(&self, set: u64, stream: &mut ChaCha8Rng) -> Self::Case {
        (self.all()[set as usize].1, Pushes::draw(stream))
    }

    fn kin(&self, case: &Self::Case) -> u64 {
        case.0.weight()
    }

    fn measure(&self, (run, pushes): &Self::Case) -> Vec<RunRow> {
        vec![run.run(Some(pushes), |_, _| ())]
    }
}

/// How many runs stay whole and make no energy, and what that comes to: all of them, and at least nine in ten.
pub fn stay(runs: &[&RunRow]) -> (usize, Answer, Answer) {
    let held = runs.iter().filter(|row| makes_no_energy(row)).count();
    (held, Answer::from(held == runs.len() && held > 0), Answer::from(held > 0 && held as f64 >= 0.9 * runs.len() as f64))
}

/// How many runs are lost, and to what.
pub fn lost(runs: &[&RunRow]) -> String {
    let finished = |row: &&RunRow| if row.status == Status::IterationLimit { Status::Finished } else { row.status };
    left_out(runs.iter().map(finished))
}

/// What runs that were lost hang on, and what would move the verdict.
pub fn of_limits(found: Verdict, runs: &[&RunRow]) -> String {
    let lost: Vec<u32> = distinct(runs.iter().filter(|row| !makes_no_energy(row)).map(|row| row.limit));
    if matches!(found, Verdict::Reproduced | Verdict::ReproducedAsCorrected) {
        return "One run that fails or makes energy would overturn it".into();
    }
    let (worst, others): (Vec<&RunRow>, Vec<&RunRow>) = runs.iter().partition(|row| lost.contains(&row.limit));
    let limits: Vec<String> = lost.iter().map(u32::to_string).collect();
    let (lost, of, limits) = (worst.len() - stay(&worst).0, worst.len(), limits.join(", "));
    let (kept, others) = (stay(&others).0, others.len());
    format!(
        "The runs that are lost or make energy are {lost} of {of} at limits of {limits}; at all others {kept} of {others} do neither. \
         Criteria that leave these limits out, which the paper does not, would move it"
    )
}

/// D-INTERRUPT.
pub fn interrupt(results: &Results) -> Result<Finding, ResultsError> {
    let all = results.without_sets::<Interrupted>()?;
    let lengths: Vec<f64> = distinct(all.iter().map(|row| row.length));
    let of = |length: f64, way: Way| -> Vec<&RunRow> {
        all.iter().filter(|row| row.length == length && row.method == way.name()).collect()
    };
    let words = |runs: &[&RunRow]| {
        let rise = runs.iter().filter_map(|row| row.gain).fold(f64::NEG_INFINITY, f64::max);
        let (kept, all, lost) = (stay(runs).0, runs.len(), lost(runs));
        let rise = word(rise.is_finite().then_some(rise));
        format!("{kept} of {all} runs make no energy, {lost}, energy at most {rise} falls above the start where it is finite")
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
    let limits: Vec<u32> = distinct(all.iter().map(|row| row.limit));
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

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Interrupted(ranges.interrupted.clone())).judge("D-INTERRUPT", interrupt)
}

#[cfg(test)]
mod tests {
    use super::super::scene::{Hanging, Tolerance};
    use super::*;
    use kit::ranges::Ranged;

    /// A row of a sheet with a limit of iterations and a gain of energy.
    fn interrupted(limit: u32, gain: Option<f64>) -> RunRow {
        let size = kit::ranges::stated("side = 3\nsteps = 1");
        let iterations = Count::read(&limit.into()).unwrap();
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
}
