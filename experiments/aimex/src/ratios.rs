//! Ratios of table 4.1, for the charts and in words. What decides stands in `claims/*.toml`.

use kit::prelude::*;

use super::runs::RunRow;
use super::times::{SCHEMES, TimeRow, Times};

/// Published ratios of CG iterations, and of times \[Boxerman 2003, table 4.1\].
pub const PUBLISHED_ITERATIONS: [f64; 4] = [1.00, 1.02, 0.96, 0.47];
pub const PUBLISHED_TIMES: [f64; 4] = [0.83, 0.71, 0.71, 0.47];

/// Ratios of each splitting, with their intervals.
pub type Ratios = [Option<Estimate>; 4];

/// Mean ratio of CG iterations of each splitting.
pub fn iteration_ratios(rows: &[RunRow]) -> Ratios {
    Treatment::ALL.map(|splitting| {
        let of = rows.iter().filter(|row| row.splitting == splitting);
        let ratios: Vec<f64> = of.filter_map(RunRow::iteration_ratio).collect();
        Estimate::of(splitting.name(), &ratios, mean)
    })
}

/// Ratios in words, splittings in their order.
pub fn describe_ratios(ratios: &Ratios) -> String {
    let describe = |ratio: &Option<Estimate>| ratio.map_or_else(|| "none".into(), |ratio| ratio.to_string());
    ratios.iter().map(describe).collect::<Vec<_>>().join("; ")
}

/// Ratio of the median times of both schemes for every sheet that both finish, with its splitting.
pub fn time_ratios(results: &Results) -> Result<Vec<(Treatment, f64)>, ResultsError> {
    let rows = results.rows::<Times>()?;
    let seconds = median_seconds::<Times>(results)?;
    let pairs = rows.chunk_by(|a, b| a.set / SCHEMES.len() as u64 == b.set / SCHEMES.len() as u64);
    let ratio = |pair: &[Row<TimeRow>]| match pair {
        [aimex, implicit] if [aimex, implicit].iter().all(|row| row.row.status == Status::Finished) => {
            Some((aimex.row.splitting, seconds.get(&aimex.set)? / seconds.get(&implicit.set)?))
        }
        _ => None,
    };
    Ok(pairs.filter_map(ratio).collect())
}
