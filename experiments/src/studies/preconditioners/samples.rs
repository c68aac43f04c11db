//! What charts and verdicts read from the tables: iterations of one run, and statistics over runs.

use lab::results::{Results, ResultsError};
use lab::statistics::{Interval, PowerLaw, bootstrap, line, median, power_law};

use super::systems::{Scene, SystemRow};
use super::tolerances::ToleranceRow;

/// Iterations of the thesis' preconditioners on the systems of one run.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Particles.
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
    /// Largest energy gain at the end over a fall by the sheet's length.
    pub gain: f64,
}

impl Counts {
    fn new(side: usize, kappa: f64, solves: u64, [none, a_block, cp]: [u64; 3], gain: f64) -> Counts {
        let particles = (side * side) as f64;
        let [solves, none, a_block, cp] = [solves, none, a_block, cp].map(|count| count as f64);
        Counts { particles, kappa, solves, none, a_block, cp, gain }
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
    /// All.
    Whole,
    /// Those of its second half.
    Late,
}

/// Rows of a group of random sheets in a scene.
pub fn rows(results: &Results, group: &str, scene: &Scene) -> Result<Vec<SystemRow>, ResultsError> {
    let rows = results.rows::<SystemRow>(group)?.into_iter().map(|row| row.row);
    Ok(rows.filter(|row| row.scene == scene.name).collect())
}

/// Counts of the runs of a scene that came to their end.
pub fn counts(results: &Results, group: &str, scene: &Scene, part: Part) -> Result<Vec<Counts>, ResultsError> {
    let of = |row: &SystemRow| {
        let iterations = match part {
            Part::Whole => [row.none, row.a_block, row.cp],
            Part::Late => [row.none_late, row.a_block_late, row.cp_late],
        };
        Counts::new(row.side, row.kappa, row.solves, iterations, row.energy_gain)
    };
    let rows = rows(results, group, scene)?;
    Ok(rows.iter().filter(|row| row.is_counted()).map(of).filter(Counts::is_measured).collect())
}

/// Rows of the first sets in a scene to a tolerance.
pub fn all_first(results: &Results, scene: &Scene, tolerance: f64) -> Result<Vec<ToleranceRow>, ResultsError> {
    let rows = results.rows::<ToleranceRow>("tolerances")?.into_iter().map(|row| row.row);
    Ok(rows.filter(|row| row.scene == scene.name && row.tolerance == tolerance).collect())
}

/// Those of them that came to their end.
pub fn first(results: &Results, scene: &Scene, tolerance: f64) -> Result<Vec<ToleranceRow>, ResultsError> {
    Ok(all_first(results, scene, tolerance)?.into_iter().filter(ToleranceRow::is_counted).collect())
}

/// Counts of the first sets in a scene to a tolerance.
pub fn first_counts(results: &Results, scene: &Scene, tolerance: f64, part: Part) -> Result<Vec<Counts>, ResultsError> {
    let of = |row: &ToleranceRow| {
        let iterations = match part {
            Part::Whole => [row.none, row.a_block, row.cp],
            Part::Late => [row.none_late, row.a_block_late, row.cp_late],
        };
        Counts::new(row.side, row.kappa, row.solves, iterations, row.energy_gain)
    };
    Ok(first(results, scene, tolerance)?.iter().map(of).filter(Counts::is_measured).collect())
}

/// The tolerances at hand, from loose to tight.
pub fn tolerances(results: &Results) -> Result<Vec<f64>, ResultsError> {
    let mut tolerances: Vec<f64> = results.rows::<ToleranceRow>("tolerances")?.into_iter().map(|row| row.row.tolerance).collect();
    tolerances.sort_by(|a, b| b.total_cmp(a));
    tolerances.dedup();
    Ok(tolerances)
}

/// A statistic with its 95 % interval over cases.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Its value.
    pub value: f64,
    /// The interval.
    pub interval: Interval,
    /// Cases.
    pub cases: usize,
}

impl Estimate {
    /// Whether the interval reaches into a range.
    pub fn overlaps(&self, low: f64, high: f64) -> bool {
        self.interval.low <= high && self.interval.high >= low
    }

    /// Whether the whole interval lies above a value.
    pub fn is_above(&self, value: f64) -> bool {
        self.interval.low > value
    }

    /// Whether the whole interval lies below a value.
    pub fn is_below(&self, value: f64) -> bool {
        self.interval.high < value
    }
}

/// The median of a number over runs; none of no runs.
pub fn median_of<T: Copy>(name: &str, sample: &[T], number: impl Fn(&T) -> f64) -> Option<Estimate> {
    let statistic = |sample: &[T]| median(&sample.iter().map(&number).collect::<Vec<_>>());
    Some(Estimate { value: statistic(sample)?, interval: bootstrap(name, sample, statistic)?, cases: sample.len() })
}

/// Slope of the logarithm of a number against that of another; none where they do not vary.
pub fn slope_of(name: &str, sample: &[Counts], x: impl Fn(&Counts) -> f64, y: impl Fn(&Counts) -> f64) -> Option<Estimate> {
    let logs = |counts: &Counts| [libm::log(x(counts)), libm::log(y(counts))];
    let statistic = |sample: &[Counts]| Some(line(&sample.iter().map(logs).collect::<Vec<_>>())?.slope);
    Some(Estimate { value: statistic(sample)?, interval: bootstrap(name, sample, statistic)?, cases: sample.len() })
}

/// The power law of the iterations a solve against the number of particles.
pub fn law(name: &str, sample: &[Counts], iterations: impl Fn(&Counts) -> f64) -> Option<PowerLaw> {
    let points = sample.iter().map(|counts| [counts.particles, iterations(counts) / counts.solves]);
    power_law(name, &points.collect::<Vec<_>>())
}

/// By how much the exponent of none exceeds that of CP.
pub fn exponent_gap(name: &str, sample: &[Counts]) -> Option<Estimate> {
    // least squares is linear in the ordinates, so the slope of the ratio is the difference of the slopes
    slope_of(name, sample, |counts| counts.particles, |counts| counts.none / counts.cp)
}
