//! The verdicts on the chain.

use lab::claims::{Finding, Reading, Verdict};
use lab::report::{short, short_within};
use lab::results::{Results, ResultsError, Row};
use lab::statistics::power_law;

use super::chain::{ChainRow, Way};
use super::samples::{Which, chain, chosen_chains, same, seconds};

/// Work or time of springs over that of fast projection, by strain or size.
#[derive(Clone, Copy, Debug)]
pub struct Gain {
    /// Vertices.
    pub vertices: usize,
    /// Permissible strain \[-\].
    pub strain: f64,
    /// The ratio; none where springs hold the bound with no step and stiffness within the budget.
    pub ratio: Option<f64>,
}

/// Gains over the given ways of springs, the better of them, for every chain that fast projection holds.
fn gains(rows: &[Row<ChainRow>], ways: &[Way], which: Which, amount: impl Fn(&Row<ChainRow>) -> Option<f64>) -> Vec<Gain> {
    let of = |row: &Row<ChainRow>| {
        let alike = |other: &&Row<ChainRow>| other.row.vertices == row.row.vertices && same(other.row.strain, row.row.strain);
        let springs = ways.iter().flat_map(|way| chosen_chains(rows, way.name(), which).filter(alike)).filter_map(&amount);
        let least = springs.fold(f64::INFINITY, f64::min);
        let ratio = amount(row).map(|one| least / one).filter(|ratio| ratio.is_finite());
        Gain { vertices: row.row.vertices, strain: row.row.strain, ratio }
    };
    chosen_chains(rows, Way::Projection.name(), which).map(of).collect()
}

const SPRINGS: [Way; 2] = [Way::Springs, Way::ConvergedSprings];

fn solves(row: &Row<ChainRow>) -> Option<f64> {
    Some(row.row.solves as f64)
}

/// Number of vertices of figure 4a: that with the most strains.
fn vertices(rows: &[Row<ChainRow>]) -> Result<usize, ResultsError> {
    rows.first().map(|row| row.row.vertices).ok_or_else(|| ResultsError::TooFew("the chain has no rows".into()))
}

/// Ratio by strain in words.
fn by_strain(gains: &[Gain]) -> String {
    let word = |gain: &Gain| gain.ratio.map_or_else(|| "springs hold it with no step".into(), short);
    gains.iter().map(|gain| format!("{} at {} %", word(gain), short(100.0 * gain.strain))).collect::<Vec<_>>().join(", ")
}

/// G-CHAIN-STRAIN.
pub fn strain(results: &Results) -> Result<Finding, ResultsError> {
    let rows = chain(results)?;
    let vertices = vertices(&rows)?;
    let of = |ways: &[Way], which: Which| -> Vec<Gain> {
        gains(&rows, ways, which, solves).into_iter().filter(|gain| gain.vertices == vertices).collect()
    };
    let law = |name: &str, gains: &[Gain]| {
        let points: Vec<[f64; 2]> = gains.iter().filter_map(|gain| Some([1.0 / gain.strain, gain.ratio?])).collect();
        power_law(name, &points)
    };
    let verdict = |name: &str, gains: &[Gain]| {
        let law = law(name, gains)?;
        Some(match law.interval {
            Some(interval) if interval.low > 0.0 => Verdict::Reproduced,
            _ if law.exponent > 0.0 => Verdict::DirectionOnly,
            _ => Verdict::NotReproduced,
        })
    };
    let all = of(&SPRINGS, Which::Cheapest);
    let fit =
        law("G-CHAIN-STRAIN", &all).ok_or_else(|| ResultsError::TooFew("fewer than two strains are held by both".into()))?;
    let judged = verdict("G-CHAIN-STRAIN", &all).unwrap_or(Verdict::Inconclusive);
    let told = match judged {
        Verdict::Reproduced => "it lies above zero",
        Verdict::DirectionOnly => "it cannot be told from zero",
        _ => "it is not above zero",
    };
    let timed: Vec<Gain> = time_gains(results, &rows)?.into_iter().filter(|gain| gain.vertices == vertices).collect();
    let mut readings = vec![];
    if let Some(fit) = law(BY_TIME, &timed) {
        let measured = format!("exponent {}; ratios {}", short_within(fit.exponent, fit.interval), by_strain(&timed));
        readings.push(Reading { name: BY_TIME.into(), measured, verdict: verdict(BY_TIME, &timed) });
    }
    for (name, ways, which) in [
        ("springs with one Newton step", &SPRINGS[..1], Which::Cheapest),
        ("springs to convergence", &SPRINGS[1..], Which::Cheapest),
        ("runs that are accurate as well", &SPRINGS[..], Which::Accurate),
    ] {
        let gains = of(ways, which);
        let fit = law(name, &gains).map_or_else(|| "no fit".into(), |fit| short_within(fit.exponent, fit.interval));
        let measured = format!("exponent {fit}; ratios {}", by_strain(&gains));
        readings.push(Reading { name: name.into(), measured, verdict: verdict(name, &gains) });
    }
    Ok(Finding {
        verdict: judged,
        measured: format!("judged by linear systems, those of springs over those of fast projection: {}", by_strain(&all)),
        value: Some(fit.exponent),
        interval: fit.interval,
        cases: all.iter().filter(|gain| gain.ratio.is_some()).count(),
        left_out: all.iter().filter(|gain| gain.ratio.is_none()).count(),
        reason: format!(
            "the value is the exponent of the ratio over 1/strain, with its interval by bootstrap over strains: {told}; linear systems are \
             the measure, time is a reading"
        ),
        readings,
    })
}

/// Published speed-up, and the factor within which it counts as the same.
const PUBLISHED: f64 = 25.0;
const FACTOR: f64 = 1.5;

/// Permissible strain of the claim.
const ONE_PERCENT: f64 = 0.01;

/// G-CHAIN-25X.
pub fn size(results: &Results) -> Result<Finding, ResultsError> {
    let rows = chain(results)?;
    let vertices = vertices(&rows)?;
    let at = |gains: &[Gain], vertices: usize| {
        let gain = gains.iter().find(|gain| gain.vertices == vertices && same(gain.strain, ONE_PERCENT));
        gain.and_then(|gain| gain.ratio)
    };
    let verdict = |ratio: f64| match ratio {
        _ if (PUBLISHED / FACTOR..=PUBLISHED * FACTOR).contains(&ratio) => Verdict::Reproduced,
        _ if ratio > 1.0 => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
    };
    let all = gains(&rows, &SPRINGS, Which::Cheapest, solves);
    let value = at(&all, vertices).ok_or_else(|| ResultsError::TooFew("1 % is not held by both".into()))?;
    let accurate = gains(&rows, &SPRINGS, Which::Accurate, solves);
    let by_size = |gains: &[Gain]| {
        let of = |gain: &&Gain| same(gain.strain, ONE_PERCENT);
        let word = |gain: &Gain| format!("{} with {} vertices", gain.ratio.map_or_else(|| "none".into(), short), gain.vertices);
        gains.iter().filter(of).map(word).collect::<Vec<_>>().join(", ")
    };
    let mut readings = vec![];
    if let Some(ratio) = at(&time_gains(results, &rows)?, vertices) {
        let measured = format!("springs take {} times as long", short(ratio));
        readings.push(Reading { name: BY_TIME.into(), measured, verdict: Some(verdict(ratio)) });
    }
    let matched = at(&accurate, vertices);
    readings.push(Reading {
        name: "runs that are accurate as well".into(),
        measured: matched.map_or_else(|| "none".into(), short),
        verdict: matched.map(verdict),
    });
    for (name, ways) in [("springs with one Newton step", &SPRINGS[..1]), ("springs to convergence", &SPRINGS[1..])] {
        let ratio = at(&gains(&rows, ways, Which::Cheapest, solves), vertices);
        readings.push(Reading {
            name: name.into(),
            measured: ratio.map_or_else(|| "none".into(), short),
            verdict: ratio.map(verdict),
        });
    }
    readings.push(Reading { name: "by the number of vertices".into(), measured: by_size(&all), verdict: None });
    readings.push(Reading { name: "the same, accurate as well".into(), measured: by_size(&accurate), verdict: None });
    Ok(Finding {
        verdict: verdict(value),
        measured: format!("judged by linear systems: springs solve {} times as many", short(value)),
        value: Some(value),
        interval: None,
        cases: 1,
        left_out: 0,
        reason: "a count of one chain, exact, so without an interval; systems of springs have nine times the entries, and so a count of them is \
                 not their time: see that reading"
            .into(),
        readings,
    })
}

/// Name of the readings by the second measure.
const BY_TIME: &str = "times of this machine instead of linear systems";

/// Time of springs over that of fast projection; none where nothing was timed.
fn time_gains(results: &Results, rows: &[Row<ChainRow>]) -> Result<Vec<Gain>, ResultsError> {
    let seconds = match seconds(results, "chain") {
        Err(ResultsError::Missing { .. }) => return Ok(vec![]),
        found => found?,
    };
    Ok(gains(rows, &SPRINGS, Which::Cheapest, |row| seconds.get(&row.set).copied()))
}

/// Ratio of times at 1 %, for the discussion.
pub fn time_ratio(results: &Results) -> Result<Option<f64>, ResultsError> {
    let rows = chain(results)?;
    let all = time_gains(results, &rows)?;
    let vertices = vertices(&rows)?;
    Ok(all.iter().find(|gain| gain.vertices == vertices && same(gain.strain, ONE_PERCENT)).and_then(|gain| gain.ratio))
}
