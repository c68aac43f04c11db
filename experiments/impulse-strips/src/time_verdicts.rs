//! Times of a step of hanging sheets, as a rule reads them.

use kit::prelude::*;

use super::scene::RunRow;
use super::sides::{Sides, is_unit};
use super::steps::Steps;
use super::times::Times;

/// Seconds a step of a timed sheet, one a repeat.
#[derive(Clone, Debug)]
pub struct Timed {
    pub set: u64,
    /// The sheet.
    pub row: RunRow,
    /// Seconds a step.
    pub seconds: Vec<f64>,
}

impl Timed {
    /// Ratios to the times of another sheet, repeat by repeat.
    pub fn over(&self, other: &Timed) -> Vec<f64> {
        self.seconds.iter().zip(&other.seconds).map(|(one, other)| one / other).collect()
    }
}

/// All timed sheets of a group that came to their end.
pub fn timed<G: Group<Row = RunRow>>(results: &Results) -> Result<Vec<Timed>, ResultsError> {
    let times = results.times(G::NAME)?;
    let of = |row: Row<RunRow>| {
        let seconds = times.iter().filter(|time| time.set == row.set);
        let seconds = seconds.map(|time| time.seconds / f64::from(row.row.steps.max(1))).collect();
        Timed { set: row.set, row: row.row, seconds }
    };
    Ok(results.rows::<G>()?.into_iter().map(of).filter(|sheet| sheet.row.strain.is_some()).collect())
}

/// Whether a sheet was timed with few iterations.
pub fn is_few(row: &RunRow) -> bool {
    row.limit < 100
}

/// A sheet of figure 5 or of its text, and the most of the published time of five iterations on a sheet of so many particles.
pub struct Published {
    /// Particles a side.
    pub side: usize,
    /// Permissible strain.
    pub tolerance: f64,
    /// Particles a side of the sheet with five iterations that it is compared with.
    pub five: usize,
    /// Most of the time of that sheet.
    pub times: f64,
}

/// What is published: five iterations take 1/111 s on 30 x 30 and 1/30 s on 50 x 50; "about six times" is taken as 5.5.
pub const PUBLISHED: [Published; 4] = [
    Published { side: 30, tolerance: 1e-3, five: 30, times: 3.7 },
    Published { side: 30, tolerance: 1e-2, five: 30, times: 3.7 },
    Published { side: 10, tolerance: 1e-4, five: 30, times: 3.7 / 5.5 },
    Published { side: 50, tolerance: 1e-4, five: 50, times: 6.0 },
];

impl Published {
    /// Iterations a step in the time, where one takes a fifth of the published time of five and grows with the number of edges.
    pub fn iterations(&self) -> f64 {
        let edges = |side: usize| (2 * side * (side - 1)) as f64;
        5.0 * self.times * edges(self.five) / edges(self.side)
    }
}

/// By how much the iterations a step of the longest of `runs` exceed those of the first steps of a sheet, which are timed.
fn growth(sheet: &Timed, runs: &[RunRow]) -> f64 {
    let alike = runs.iter().filter(|row| row.same_sheet(&sheet.row) && row.gain.is_some());
    let longest = alike.max_by_key(|row| row.steps).filter(|row| row.steps > sheet.row.steps);
    longest.map_or(1.0, |row| row.iterations / sheet.row.iterations)
}

row! {
    /// A measurement of a sheet.
    pub struct SheetRow {
        /// its side: in metres, or that its edges are 1 m long
        pub sized: String,
        /// particles a side
        pub side: usize,
        /// permissible strain
        pub tolerance: f64,
        /// most iterations a step
        pub limit: u64,
        /// one, or all of the machine
        pub threads: String,
        /// which measurement, from one
        pub repeat: usize,
        /// time of a step \[s\]
        pub seconds: f64,
        /// iterations a step of the longest run of the sheet over those of the steps that are timed
        pub growth: f64,
    }
}

/// The side of a sheet, which the paper does not state, in words.
fn sized(row: &RunRow) -> String {
    if is_unit(row) { "edges of 1 m".into() } else { format!("{} m", short(row.length)) }
}

/// Measurements of all timed sheets.
pub fn sheets(results: &Results) -> Result<Vec<SheetRow>, ResultsError> {
    let longer = [results.without_sets::<Sides>()?, results.without_sets::<Steps>()?].concat();
    let of = |sheet: Timed| -> Vec<SheetRow> {
        let (row, growth) = (&sheet.row, growth(&sheet, &longer));
        let measured = (1..).zip(&sheet.seconds).map(|(repeat, seconds)| SheetRow {
            sized: sized(row),
            side: row.side,
            tolerance: row.tolerance,
            limit: row.limit.into(),
            threads: row.threads.clone(),
            repeat,
            seconds: *seconds,
            growth,
        });
        measured.collect()
    };
    Ok(timed::<Times>(results)?.into_iter().flat_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_times_have_room_for_some_iterations() {
        let room = PUBLISHED.map(|published| published.iterations());
        assert!(room[..2].iter().all(|n| (n - 18.5).abs() < 1e-12) && (room[3] - 30.0).abs() < 1e-12, "{room:?}");
        assert!((room[2] - 18.5 / 5.5 * 1740.0 / 180.0).abs() < 1e-9, "{room:?}");
    }
}
