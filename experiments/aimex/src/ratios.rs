//! Ratios of table 4.1, for the charts and in words. What decides stands in `claims/*.toml`.

use kit::prelude::*;

use super::runs::RunRow;
use super::times::{SCHEMES, TimeRow, Times};

/// Ratio of CG iterations, and of times \[Boxerman 2003, table 4.1\].
pub const ITERATIONS: Claimed<'static> = Claimed::of("B-AIMEX-CG", "iterations");
pub const TIME: Claimed<'static> = Claimed::of("B-AIMEX-SPEED", "time");

/// Marks at the published ratios of all splittings, beside their places.
pub fn published(ratio: Claimed<'static>, shift: f64) -> Layer {
    let at = |(k, splitting): (usize, Treatment)| [k as f64 + 1.0 + shift, ratio.stratum(splitting.name()).published()];
    let points = Treatment::ALL.into_iter().enumerate().map(at).collect();
    Layer::points(ratio.label(), Palette::GREY, points).marker(Marker::Diamond)
}

/// Published runs of a splitting of 500 \[Boxerman 2003, table 4.1\].
pub fn published_runs(splitting: Treatment) -> f64 {
    let runs = format!("{}: runs", splitting.name());
    Curve::new(BOXERMAN, "table 4.1", &runs).number().unwrap_or(f64::NAN)
}

/// Ratios of each splitting, with their intervals.
pub type Ratios = [Option<Estimate>; 4];

/// Mean ratio of CG iterations of each splitting.
pub fn iteration_ratios(rows: &[RunRow]) -> Ratios {
    Treatment::ALL.map(|splitting| {
        let of = rows.iter().filter(|row| row.sheet.splitting == splitting);
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
