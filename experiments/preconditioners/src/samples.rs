//! What charts and the discussion read from the tables: iterations of one run, and statistics over runs.

use kit::prelude::*;

use super::readings::Readings;
use super::scenes::{PINNED, Reading, SLIDING, STEP, Scene};
use super::stiffness::Stiffness;
use super::systems::{SystemRow, Systems};
use super::tolerances::{ToleranceRow, Tolerances};

/// Iterations of the thesis' preconditioners on one sheet.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    pub particles: f64,
    /// Numerical stiffness.
    pub kappa: f64,
    /// Systems.
    pub solves: f64,
    /// Without preconditioner.
    pub none: f64,
    /// With the diagonal blocks.
    pub a_block: f64,
    /// With the constrained diagonal blocks.
    pub cp: f64,
}

impl Counts {
    /// Of so many particles a side, with the counts of none, A-Block and CP.
    pub fn new(side: usize, kappa: f64, solves: u64, [none, a_block, cp]: [u64; 3]) -> Counts {
        let particles = (side * side) as f64;
        let [solves, none, a_block, cp] = [solves, none, a_block, cp].map(|count| count as f64);
        Counts { particles, kappa, solves, none, a_block, cp }
    }

    /// Share of the iterations that CP saves against none.
    pub fn saving(&self) -> f64 {
        1.0 - self.cp / self.none
    }

    /// A-Block over none.
    pub fn blocks(&self) -> f64 {
        self.a_block / self.none
    }

    fn is_measured(&self) -> bool {
        [self.solves, self.none, self.a_block, self.cp].iter().all(|count| *count > 0.0)
    }
}

/// Which iterations of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    Whole,
    /// Those of its second half.
    Late,
}

impl Part {
    fn of<T>(self, whole: T, late: T) -> T {
        if self == Part::Whole { whole } else { late }
    }
}

/// Rows of a group of random sheets in a scene under a reading.
pub fn rows<G: Group<Row = SystemRow>>(
    results: &Results,
    scene: &Scene,
    reading: &Reading,
) -> Result<Vec<SystemRow>, ResultsError> {
    let rows = results.without_sets::<G>()?.into_iter();
    Ok(rows.filter(|row| row.scene == scene.name && row.reading == reading.name).collect())
}

/// Rows of random sheets in a scene under a reading, of the group that has both.
pub fn rows_of(results: &Results, scene: &Scene, reading: &Reading) -> Result<Vec<SystemRow>, ResultsError> {
    let is_main = [PINNED, SLIDING].contains(scene) && *reading == STEP;
    if is_main { rows::<Systems>(results, scene, reading) } else { rows::<Readings>(results, scene, reading) }
}

/// So many sets, in words.
pub fn of(cases: usize) -> String {
    if cases == 1 { "1 set".into() } else { format!("{cases} sets") }
}

/// How many sets of a table are lost, and to what.
pub fn denominators(rows: &[SystemRow]) -> String {
    let lost: Vec<&SystemRow> = rows.iter().filter(|row| !row.is_finished()).collect();
    let count = |status: Status| lost.iter().filter(|row| row.status == status).count();
    let kinds = [Status::GainsEnergy, Status::NotFinite, Status::Refused].map(|status| (count(status), status));
    let kinds: Vec<String> = kinds.iter().filter(|(n, _)| *n > 0).map(|(n, status)| format!("{n} {status}")).collect();
    let why = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    format!("{} of {} drawn sets lost{why}", lost.len(), rows.len())
}

/// Counts of the sets of which every run came to its end without gaining energy.
pub fn counts_of(rows: &[SystemRow], part: Part) -> Vec<Counts> {
    let of = |row: &SystemRow| {
        let [whole, late] = [[row.none, row.a_block, row.cp], [row.none_late, row.a_block_late, row.cp_late]];
        Counts::new(row.side, row.kappa, row.solves, part.of(whole, late))
    };
    rows.iter().filter(|row| row.is_finished()).map(of).filter(Counts::is_measured).collect()
}

/// Counts of the main group in a scene.
pub fn main_counts(results: &Results, scene: &Scene, part: Part) -> Result<Vec<Counts>, ResultsError> {
    Ok(counts_of(&rows::<Systems>(results, scene, &STEP)?, part))
}

/// Counts of the sheets of fixed sizes in a scene, by particles a side.
pub fn sized_counts(results: &Results, scene: &Scene, part: Part) -> Result<Vec<(usize, Vec<Counts>)>, ResultsError> {
    let rows = rows::<Stiffness>(results, scene, &STEP)?;
    let sides: Vec<usize> = distinct(rows.iter().map(|row| row.side));
    let of = |side: usize| rows.iter().filter(|row| row.side == side).cloned().collect::<Vec<_>>();
    Ok(sides.into_iter().map(|side| (side, counts_of(&of(side), part))).collect())
}

/// Rows of the first sets in a scene that came to their end without gaining energy, tol = c dt.
pub fn first(results: &Results, scene: &Scene, tolerance: f64) -> Result<Vec<ToleranceRow>, ResultsError> {
    let rows = results.without_sets::<Tolerances>()?.into_iter();
    let rows = rows.filter(|row| row.scene == scene.name && row.rule == STEP.name && row.tolerance == tolerance);
    Ok(rows.filter(ToleranceRow::is_finished).collect())
}

/// The c of tol = c dt at hand, from loose to tight.
pub fn tolerances(results: &Results) -> Result<Vec<f64>, ResultsError> {
    let rows = results.rows::<Tolerances>()?;
    let of_rule = rows.iter().filter(|row| row.row.rule == STEP.name);
    let mut tolerances: Vec<f64> = of_rule.map(|row| row.row.tolerance).collect();
    tolerances.sort_by(|a, b| b.total_cmp(a));
    tolerances.dedup();
    Ok(tolerances)
}

/// The median of a number over runs; none of no runs.
pub fn median_of<T>(sample: &[T], number: impl Fn(&T) -> f64) -> Option<Estimate> {
    Estimate::median(&sample.iter().map(number).collect::<Vec<_>>())
}

/// Slope of the logarithm of a number against that of another; none where they do not vary.
pub fn slope_of(name: &str, sample: &[Counts], x: impl Fn(&Counts) -> f64, y: impl Fn(&Counts) -> f64) -> Option<Estimate> {
    let logs: Vec<[f64; 2]> = sample.iter().map(|counts| [libm::log(x(counts)), libm::log(y(counts))]).collect();
    Estimate::of(name, &logs, |logs| Some(line(logs)?.slope))
}

/// The power law of the iterations a solve against the number of particles.
pub fn law(name: &str, sample: &[Counts], iterations: impl Fn(&Counts) -> f64) -> Option<PowerLaw> {
    let points = sample.iter().map(|counts| [counts.particles, iterations(counts) / counts.solves]);
    power_law(name, &points.collect::<Vec<_>>())
}

/// Exponent of the iterations a solve.
pub fn exponent(name: &str, sample: &[Counts], iterations: impl Fn(&Counts) -> f64) -> Option<Estimate> {
    slope_of(name, sample, |counts| counts.particles, |counts| iterations(counts) / counts.solves)
}
