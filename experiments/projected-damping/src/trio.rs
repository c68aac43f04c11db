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

/// rms of the oscillation, none over projected.
pub const OSCILLATION: Ratio = |[none, _, projected]| none.oscillation / projected.oscillation;
/// Loss at 0.5 s, plain over none.
pub const EARLY_LOSS: Ratio = |[none, plain, _]| plain.early / none.early;
/// Loss at 2 s, projected over none.
pub const LATE_LOSS: Ratio = |[none, _, projected]| projected.late / none.late;
/// [`LATE_LOSS`] in the ledger.
pub const LOSS: Claimed<'static> = Claimed::of("B-DAMP-PROJ", "loss");

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
    match (row.summary.loss_early, row.summary.loss_late, row.summary.oscillation) {
        (Some(early), Some(late), Some(oscillation)) if row.summary.status == Status::Finished => {
            Ok(Measure { early, late, oscillation })
        }
        _ => Err(row.summary.status),
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
    fn ratios_by_hand() {
        let runs = trio([[1.0, 2.0], [1.5, 3.0], [1.1, 2.4]], [4.0, 1.0, 2.0]).finished().unwrap();
        assert_eq!([OSCILLATION, EARLY_LOSS, LATE_LOSS].map(|ratio| ratio(&runs)), [2.0, 1.5, 1.2]);
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
