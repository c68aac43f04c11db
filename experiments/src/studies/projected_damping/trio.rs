//! Three runs that differ in their damping only: what the claims compare.

use lab::claims::Verdict;
use lab::report::short;
use lab::results::{Results, ResultsError, Row};

use super::energies::EnergyRow;
use super::fall::{EARLY, FINISHED, LATE, WINDOW};
use super::oscillation::{Trend, half_window, high_passed, rms};
use super::runs::RunRow;

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
    /// The runs.
    pub runs: [Result<Measure, String>; 3],
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

/// What a claim asks of a trio.
pub struct Criterion {
    /// The number on which it rests.
    pub value: fn(&[Measure; 3]) -> f64,
    /// Whether it is met.
    pub met: fn(&[Measure; 3]) -> bool,
    /// Whether at least the direction is right.
    pub direction: fn(&[Measure; 3]) -> bool,
    /// The measured numbers in words.
    pub words: fn(&[Measure; 3]) -> String,
    /// Whether it rests on the oscillation, and so on the high-pass.
    pub of_oscillation: bool,
}

/// Of B-DAMP-NONE.
pub const NONE: Criterion = Criterion {
    value: |[none, _, projected]| none.oscillation / projected.oscillation,
    met: |[none, _, projected]| none.oscillation >= 2.0 * projected.oscillation,
    direction: |[none, _, projected]| none.oscillation > projected.oscillation,
    words: |[none, _, projected]| {
        format!(
            "rms {} J without, {} J with projected damping: ratio {}",
            short(none.oscillation),
            short(projected.oscillation),
            short(none.oscillation / projected.oscillation)
        )
    },
    of_oscillation: true,
};

/// Of B-DAMP-PLAIN.
pub const PLAIN: Criterion = Criterion {
    value: |[none, plain, _]| plain.early / none.early,
    met: |[none, plain, _]| plain.early >= 1.5 * none.early,
    direction: |[none, plain, _]| plain.early > none.early,
    words: |[none, plain, _]| {
        format!(
            "{} J lost with plain damping, {} J without: ratio {}",
            short(plain.early),
            short(none.early),
            short(plain.early / none.early)
        )
    },
    of_oscillation: false,
};

/// Of B-DAMP-PROJ.
pub const PROJECTED: Criterion = Criterion {
    value: |[none, _, projected]| projected.late / none.late,
    met: |trio| keeps(trio) && trio[2].oscillation <= 0.5 * trio[0].oscillation,
    direction: |trio| keeps(trio) && trio[2].oscillation < trio[0].oscillation,
    words: |[none, _, projected]| {
        format!(
            "loss {} times, rms {} times that without damping",
            short(projected.late / none.late),
            short(projected.oscillation / none.oscillation)
        )
    },
    of_oscillation: true,
};

/// Whether projected damping keeps the loss within 20 % of that without.
pub fn keeps([none, _, projected]: &[Measure; 3]) -> bool {
    (projected.late / none.late - 1.0).abs() <= 0.2
}

impl Criterion {
    /// The verdict on trios that must agree.
    pub fn verdict(&self, trios: &[Trio]) -> Verdict {
        let Some(finished) = trios.iter().map(Trio::finished).collect::<Option<Vec<_>>>() else {
            return Verdict::Inconclusive;
        };
        if finished.iter().all(self.met) {
            Verdict::Reproduced
        } else if finished.iter().all(self.direction) {
            Verdict::DirectionOnly
        } else {
            Verdict::NotReproduced
        }
    }
}

/// A run of the main group: its rows in time.
pub struct Series {
    /// Word of its damping.
    pub damping: String,
    /// Word of its solver.
    pub solver: String,
    /// Its rows.
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

    fn measure(&self, width: f64, trend: Trend) -> Result<Measure, String> {
        if let Some(row) = self.rows.iter().find(|row| row.status != FINISHED) {
            return Err(row.status.clone());
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
        measure().ok_or_else(|| "too short".into())
    }
}

/// The runs of the main group.
pub fn series(results: &Results) -> Result<Vec<Series>, ResultsError> {
    let mut series: Vec<(u64, Series)> = vec![];
    for Row { set, row } in results.rows::<EnergyRow>("energies")? {
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
pub fn measure(row: &RunRow) -> Result<Measure, String> {
    match (row.loss_early, row.loss_late, row.oscillation) {
        (Some(early), Some(late), Some(oscillation)) if row.status == FINISHED => Ok(Measure { early, late, oscillation }),
        _ => Err(row.status.clone()),
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
        let bad = trio([[1.0, 2.0], [0.9, 3.0], [1.1, 2.5]], [4.0, 1.0, 4.0]);
        for criterion in [NONE, PLAIN, PROJECTED] {
            assert_eq!(criterion.verdict(std::slice::from_ref(&good)), Verdict::Reproduced);
            assert_eq!(criterion.verdict(&[good.clone(), weak.clone()]), Verdict::DirectionOnly);
            assert_eq!(criterion.verdict(&[good.clone(), weak.clone(), bad.clone()]), Verdict::NotReproduced);
            let mut failed = good.clone();
            failed.runs[0] = Err("blew up".into());
            failed.runs[2] = Err("gained energy".into());
            assert_eq!(failed.failures(), "none blew up, projected gained energy");
            assert_eq!(criterion.verdict(&[good.clone(), failed]), Verdict::Inconclusive);
        }
        let runs = good.finished().unwrap();
        assert_eq!([(NONE.value)(&runs), (PLAIN.value)(&runs), (PROJECTED.value)(&runs)], [2.0, 1.5, 1.2]);
    }
}
