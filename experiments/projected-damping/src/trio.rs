//! Three runs that differ in their damping only: what the claims compare.

use kit::prelude::*;

use super::fall::{EARLY, LATE, WINDOW};
use super::oscillation::{Trend, half_window, high_passed, rms};
use super::runs::RunRow;
use super::scene::{EnergiesInTime, EnergyRow};

/// What is compared of a run; nothing where it did not finish.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Energy lost at 0.5 s \[J\].
    pub early: f64,
    /// Energy lost at 2 s \[J\].
    pub late: f64,
    /// rms of the high-passed internal energy \[J\].
    pub oscillation: f64,
}

/// Runs without damping, with plain and with projected damping.
#[derive(Clone, Debug, PartialEq)]
pub struct Trio {
    /// What the three share, in words.
    pub name: String,
    pub runs: [Result<Measure, Status>; 3],
}

/// Names of the dampings, in the order of a trio.
pub const DAMPINGS: [&str; 3] = ["none", "plain", "projected"];

impl Trio {
    /// The three runs, if all of them finished.
    pub fn finished(&self) -> Option<[Measure; 3]> {
        let [Ok(none), Ok(plain), Ok(projected)] = self.runs else { return None };
        Some([none, plain, projected])
    }

    /// Which runs did not finish, in words.
    pub fn failures(&self) -> String {
        let failed = DAMPINGS.iter().zip(&self.runs).filter_map(|(name, run)| Some((name, run.as_ref().err()?)));
        failed.map(|(name, status)| format!("{name} {status}")).collect::<Vec<_>>().join(", ")
    }
}

/// A number of three runs.
pub type Ratio = fn(&[Measure; 3]) -> f64;

/// A ratio, the range in which its median has to lie, and that of the direction.
pub struct Part {
    /// What it is the ratio of.
    pub name: &'static str,
    pub ratio: Ratio,
    /// The range of the criterion.
    pub range: [f64; 2],
    pub direction: [f64; 2],
}

/// What a claim asks of trios: that the median of each part lies in its range.
pub struct Criterion {
    /// Its parts; the first is the number on which it rests where all are met.
    pub parts: &'static [Part],
    /// Whether it rests on the oscillation, and so on the high-pass.
    pub of_oscillation: bool,
}

const OSCILLATION: &str = "rms of the oscillation, none over projected,";

/// Of B-DAMP-NONE.
pub const NONE: Criterion = Criterion {
    parts: &[Part {
        name: OSCILLATION,
        ratio: |[none, _, projected]| none.oscillation / projected.oscillation,
        range: [2.0, f64::INFINITY],
        direction: [1.0, f64::INFINITY],
    }],
    of_oscillation: true,
};

/// Of B-DAMP-PLAIN.
pub const PLAIN: Criterion = Criterion {
    parts: &[Part {
        name: "loss at 0.5 s, plain over none,",
        ratio: |[none, plain, _]| plain.early / none.early,
        range: [1.5, f64::INFINITY],
        direction: [1.0, f64::INFINITY],
    }],
    of_oscillation: false,
};

/// Of B-DAMP-PROJ.
pub const PROJECTED: Criterion = Criterion {
    parts: &[
        Part {
            name: "loss at 2 s, projected over none,",
            ratio: |[none, _, projected]| projected.late / none.late,
            range: KEPT,
            direction: KEPT,
        },
        Part {
            name: "rms of the oscillation, projected over none,",
            ratio: |[none, _, projected]| projected.oscillation / none.oscillation,
            range: [0.0, 0.5],
            direction: [0.0, 1.0],
        },
    ],
    of_oscillation: true,
};

/// Loss with projected damping over that without that counts as the same.
pub const KEPT: [f64; 2] = [0.8, 1.2];

/// Whether projected damping keeps the loss within 20 % of that without.
pub fn keeps(trio: &[Measure; 3]) -> bool {
    let ratio = (PROJECTED.parts[0].ratio)(trio);
    (KEPT[0]..=KEPT[1]).contains(&ratio)
}

impl Criterion {
    /// The verdict on a number for each part.
    fn verdict_on(&self, found: &[Estimate]) -> Verdict {
        let within = |range: fn(&Part) -> [f64; 2]| {
            Answer::all(self.parts.iter().zip(found).map(|(part, found)| {
                let [low, high] = range(part);
                found.lies_within(low, high)
            }))
        };
        verdict(within(|part| part.range), within(|part| part.direction))
    }

    /// The number of each part over trios of which all runs finished; none of none.
    pub fn medians(&self, sample: &[[Measure; 3]]) -> Option<Vec<Estimate>> {
        self.parts.iter().map(|part| Estimate::median(&sample.iter().map(part.ratio).collect::<Vec<_>>())).collect()
    }

    /// The median that decides: of the part that is missed, or else of one that is left open, or else the first.
    pub fn deciding(&self, sample: &[[Measure; 3]]) -> Option<Estimate> {
        let medians = self.medians(sample)?;
        let is = |answer: Answer| {
            let mut found = self.parts.iter().zip(&medians);
            found.find(|(part, median)| median.lies_within(part.range[0], part.range[1]) == answer)
        };
        let (_, deciding) = is(Answer::No).or_else(|| is(Answer::Open)).or_else(|| is(Answer::Yes))?;
        Some(*deciding)
    }

    /// The verdict on a sample of trios, by its medians.
    pub fn verdict(&self, sample: &[[Measure; 3]]) -> Verdict {
        self.medians(sample).map_or(Verdict::Inconclusive, |medians| self.verdict_on(&medians))
    }

    /// The verdict on one trio as it is.
    pub fn verdict_on_one(&self, trio: &[Measure; 3]) -> Verdict {
        let exact: Vec<Estimate> = self.parts.iter().map(|part| Estimate::exact((part.ratio)(trio), 1)).collect();
        self.verdict_on(&exact)
    }

    /// Whether one trio meets it.
    pub fn is_met(&self, trio: &[Measure; 3]) -> bool {
        self.verdict_on_one(trio) == Verdict::Reproduced
    }

    /// The first number of a trio.
    pub fn value(&self, trio: &[Measure; 3]) -> f64 {
        (self.parts[0].ratio)(trio)
    }

    /// The numbers of one trio in words.
    pub fn words_of_one(&self, trio: &[Measure; 3]) -> String {
        self.parts.iter().map(|part| format!("{} {}", part.name, short((part.ratio)(trio)))).collect::<Vec<_>>().join("; ")
    }

    /// The medians of a sample in words.
    pub fn words(&self, sample: &[[Measure; 3]]) -> String {
        let medians = self.medians(sample).unwrap_or_default();
        let words = self.parts.iter().zip(&medians);
        words.map(|(part, median)| format!("{} {}", part.name, median)).collect::<Vec<_>>().join("; ")
    }
}

/// A run of the main group: its rows in time.
pub struct Series {
    /// Word of its damping.
    pub damping: String,
    /// Word of its solver.
    pub solver: String,
    pub rows: Vec<EnergyRow>,
}

impl Series {
    /// Step \[s\].
    pub fn step(&self) -> f64 {
        self.rows.get(1).map_or(f64::INFINITY, |row| row.time)
    }

    /// Internal energies minus their trend, with their times.
    pub fn oscillation(&self, width: f64, trend: Trend) -> Vec<[f64; 2]> {
        let internal: Vec<f64> = self.rows.iter().map_while(|row| row.internal).collect();
        let half = half_window(width, self.step());
        let passed = high_passed(&internal, half, trend);
        passed.into_iter().zip(&self.rows[half.min(self.rows.len())..]).map(|(value, row)| [row.time, value]).collect()
    }

    fn measure(&self, width: f64, trend: Trend) -> Result<Measure, Status> {
        if let Some(row) = self.rows.iter().find(|row| row.status != Status::Finished) {
            return Err(row.status);
        }
        let total = |time: f64| {
            let row = self.rows.get((time / self.step()).round() as usize)?;
            row.total
        };
        let passed: Vec<f64> = self.oscillation(width, trend).iter().map(|[_, value]| *value).collect();
        let measure = || {
            let [start, early, late] = [total(0.0)?, total(EARLY)?, total(LATE)?];
            Some(Measure { early: start - early, late: start - late, oscillation: rms(&passed)? })
        };
        measure().ok_or(Status::TooShort)
    }
}

/// The runs of the main group.
pub fn series(results: &Results) -> Result<Vec<Series>, ResultsError> {
    let mut series: Vec<(u64, Series)> = vec![];
    for Row { set, row } in results.rows::<EnergiesInTime>()? {
        if series.last().is_none_or(|(last, _)| *last != set) {
            series.push((set, Series { damping: row.damping.clone(), solver: row.solver.clone(), rows: vec![] }));
        }
        if let Some((_, last)) = series.last_mut() {
            last.rows.push(row);
        }
    }
    Ok(series.into_iter().map(|(_, series)| series).collect())
}

/// The trios of the main group, a solver each, under a high-pass.
pub fn printed(series: &[Series], width: f64, trend: Trend) -> Vec<Trio> {
    let trios = series
        .chunks_exact(3)
        .map(|three| Trio { name: three[0].solver.clone(), runs: [0, 1, 2].map(|k| three[k].measure(width, trend)) });
    trios.collect()
}

/// The trios of the main group under the high-pass of the criteria.
pub fn printed_as_criteria(results: &Results) -> Result<Vec<Trio>, ResultsError> {
    Ok(printed(&series(results)?, WINDOW, Trend::Average))
}

/// What is compared of a row, or its status.
pub fn measure(row: &RunRow) -> Result<Measure, Status> {
    match (row.loss_early, row.loss_late, row.oscillation) {
        (Some(early), Some(late), Some(oscillation)) if row.status == Status::Finished => {
            Ok(Measure { early, late, oscillation })
        }
        _ => Err(row.status),
    }
}

/// Rows of a group that come in threes, as trios.
pub fn trios(rows: &[Row<RunRow>]) -> Vec<([&RunRow; 3], Trio)> {
    let threes = rows.chunks_exact(3).map(|three| [0, 1, 2].map(|k| &three[k].row));
    let threes = threes.filter(|three| three.iter().map(|row| row.damping.as_str()).eq(DAMPINGS));
    let trios = threes.map(|three| {
        let [first, ..] = three;
        (three, Trio { name: format!("{}: {}", first.reading, first.value), runs: three.map(measure) })
    });
    trios.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trio(losses: [[f64; 2]; 3], oscillations: [f64; 3]) -> Trio {
        let run = |k: usize| Ok(Measure { early: losses[k][0], late: losses[k][1], oscillation: oscillations[k] });
        Trio { name: "by hand".into(), runs: [0, 1, 2].map(run) }
    }

    #[test]
    fn criteria_by_hand() {
        let good = trio([[1.0, 2.0], [1.5, 3.0], [1.1, 2.4]], [4.0, 1.0, 2.0]);
        let weak = trio([[1.0, 2.0], [1.4, 3.0], [1.1, 2.4]], [4.0, 1.0, 3.0]);
        let bad = trio([[1.0, 2.0], [0.9, 3.0], [1.1, 2.5]], [4.0, 1.0, 4.5]);
        let [good, weak, bad] = [good, weak, bad].map(|trio| trio.finished().unwrap());
        for criterion in [NONE, PLAIN, PROJECTED] {
            assert_eq!(criterion.verdict_on_one(&good), Verdict::Reproduced);
            assert_eq!(criterion.verdict_on_one(&weak), Verdict::DirectionOnly);
            assert_eq!(criterion.verdict_on_one(&bad), Verdict::NotReproduced);
            assert!(criterion.is_met(&good) && !criterion.is_met(&weak));
            // of twenty the interval of the median runs from the sixth to the fifteenth
            let mixed = |others: usize, other| [vec![other; others], vec![good; 20 - others]].concat();
            assert_eq!(criterion.verdict(&mixed(5, bad)), Verdict::Reproduced);
            assert_eq!(criterion.verdict(&mixed(6, bad)), Verdict::Inconclusive);
            assert_eq!(criterion.verdict(&mixed(15, weak)), Verdict::DirectionOnly);
            assert_eq!(criterion.verdict(&[good; 5]), Verdict::Inconclusive, "too few");
            assert_eq!(criterion.verdict(&[]), Verdict::Inconclusive);
        }
        // the loss where both parts are met, otherwise the oscillation that is not
        let decides = |trio| PROJECTED.deciding(&[trio; 20]).map(|found| found.value);
        assert_eq!([good, weak, bad].map(decides), [Some(1.2), Some(0.75), Some(1.25)]);
        assert_eq!(PROJECTED.deciding(&[]), None);
        assert_eq!([NONE.value(&good), PLAIN.value(&good), PROJECTED.value(&good)], [2.0, 1.5, 1.2]);
    }

    #[test]
    fn a_trio_tells_which_of_its_runs_failed() {
        let mut failed = trio([[1.0, 2.0]; 3], [1.0; 3]);
        failed.runs[0] = Err(Status::NotFinite);
        failed.runs[2] = Err(Status::GainsEnergy);
        assert_eq!(failed.failures(), "none not finite, projected gains energy");
        assert_eq!(failed.finished(), None);
    }
}
