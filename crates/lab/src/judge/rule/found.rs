//! Statistics over cases, with intervals that hold whatever lost cases came to.

use std::collections::BTreeMap;

use super::cases::{Case, Cases};
use super::frame::{Column, Frame};
use super::keys::{Keys, Lost, Statistic};
use super::scope::{Scope, Valueless, prepared};
use crate::judge::criterion::{Estimate, FEWEST};
use crate::judge::statistics::{Interval, Miss, bootstrap, mean, median, median_interval, share_interval};

/// A number of a rule in a stratum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    pub estimate: Estimate,
    /// The interval of the cases that were not lost.
    pub own: Option<Interval>,
    /// Cases that were lost.
    pub lost: usize,
    /// True where its interval is the range of all cases.
    pub is_range: bool,
}

impl Found {
    /// True with an interval of chance.
    pub fn has_spread(&self) -> bool {
        !self.is_range && self.estimate.interval.is_some_and(|interval| interval.low < interval.high)
    }
}

impl Statistic {
    /// True where the order of cases alone tells it, so that a lost one may lie anywhere.
    fn is_of_order(&self) -> bool {
        matches!(self, Statistic::Median | Statistic::Share | Statistic::Count | Statistic::Max | Statistic::Min)
    }

    /// It and a table that has its parts by row as columns.
    fn prepared(&self, table: &Frame) -> (Statistic, Frame) {
        match self {
            Statistic::Of(of) => {
                let (of, table) = prepared(of, table.clone());
                (Statistic::Of(of), table)
            }
            other => (other.clone(), table.clone()),
        }
    }

    fn of(&self, table: &Frame, rows: &[usize]) -> Result<f64, Valueless> {
        let x = || match table.column("x") {
            Some(Column::Numbers(x)) => rows.iter().map(|row| x[*row]).collect(),
            _ => vec![],
        };
        let found = match self {
            Statistic::Median => median(&x()),
            Statistic::Mean | Statistic::Share => mean(&x()),
            Statistic::Max | Statistic::Range => x().into_iter().reduce(f64::max),
            Statistic::Min => x().into_iter().reduce(f64::min),
            Statistic::Count => Some(x().iter().filter(|x| **x == 1.0).count() as f64),
            Statistic::Of(expression) => return Scope { frame: table, rows, named: &[] }.one_number(expression),
        };
        Ok(found.unwrap_or(f64::NAN))
    }
}

/// The way to the spread of a number.
#[derive(Clone, Copy)]
pub struct Spread<'a> {
    /// Nothing was sampled.
    pub is_exact: bool,
    /// Name of the stream of its resamples.
    pub stream: &'a str,
    pub miss: Miss,
}

impl Spread<'_> {
    /// A statistic of a table of cases with its interval, which depend on each other within `clusters`.
    fn estimate(&self, statistic: &Statistic, table: &Frame, clusters: &[Vec<usize>]) -> Result<Estimate, Valueless> {
        let rows: Vec<usize> = (0..table.row_count()).collect();
        let value = statistic.of(table, &rows)?;
        let x = match table.column("x") {
            Some(Column::Numbers(x)) => x.as_slice(),
            _ => &[],
        };
        let ends = |low, high| Some(Interval { low, high });
        let interval = match statistic {
            // between infinite ends of lost cases a median is no number, and its interval is one
            Statistic::Median if !self.is_exact => median_interval(x, self.miss),
            _ if value.is_nan() => None,
            Statistic::Range => ends(x.iter().copied().fold(value, f64::min), value),
            Statistic::Max | Statistic::Min | Statistic::Count => ends(value, value),
            _ if self.is_exact => ends(value, value),
            Statistic::Share => share_interval(x.iter().filter(|x| **x == 1.0).count(), x.len(), self.miss),
            _ if clusters.len() < FEWEST => None,
            statistic => {
                let (statistic, table) = statistic.prepared(table);
                let of = |rows: &[usize]| statistic.of(&table, rows).ok().filter(|value| !value.is_nan());
                let are_single = clusters.len() == table.row_count();
                let places: Vec<usize> = (0..clusters.len()).collect();
                bootstrap(self.stream, &places, self.miss, |sample| {
                    if are_single {
                        return of(sample);
                    }
                    of(&sample.iter().flat_map(|cluster| clusters[*cluster].iter().copied()).collect::<Vec<_>>())
                })
            }
        };
        Ok(Estimate { value, interval, cases: table.row_count() })
    }
}

/// Cases by what they share, in the order in which that first appears.
fn clusters(cases: &[&Case]) -> Vec<Vec<usize>> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut clusters: Vec<Vec<usize>> = vec![];
    for (k, case) in cases.iter().enumerate() {
        let next = clusters.len();
        let place = case.cluster.as_deref().map_or(next, |of| *places.entry(of).or_insert(next));
        if place == next {
            clusters.push(vec![]);
        }
        clusters[place].push(k);
    }
    clusters
}

/// The number that keys ask for in each stratum, in the order in which these first appear.
///
/// # Errors
/// An expression over cases that has no value.
pub fn found(keys: &Keys, cases: &Cases, spread: Spread) -> Result<Vec<(String, Found)>, Valueless> {
    let mut strata: Vec<(&str, Vec<&Case>)> = vec![];
    for case in &cases.all {
        match strata.iter_mut().find(|(stratum, _)| *stratum == case.stratum) {
            Some((_, of)) => of.push(case),
            None => strata.push((&case.stratum, vec![case])),
        }
    }
    let usual = if cases.all.len() > 1 { Statistic::Median } else { Statistic::Max };
    let statistic = keys.statistic.as_ref().unwrap_or(&usual);
    let of_stratum = |(stratum, of): (&str, Vec<&Case>)| Ok((stratum.to_owned(), of_cases(keys, cases, statistic, spread, &of)?));
    strata.into_iter().map(of_stratum).collect()
}

fn of_cases(keys: &Keys, cases: &Cases, statistic: &Statistic, spread: Spread, of: &[&Case]) -> Result<Found, Valueless> {
    let known: Vec<&Case> = of.iter().copied().filter(|case| !case.is_lost()).collect();
    let lost = of.len() - known.len();
    let is_range = *statistic == Statistic::Range;
    if known.is_empty() {
        return Ok(Found { estimate: Estimate { value: f64::NAN, interval: None, cases: 0 }, own: None, lost, is_range });
    }
    let table = cases.table(&known, |case, k| known[case].quantities[k]);
    let estimate = spread.estimate(statistic, &table, &clusters(&known))?;
    let own = estimate.interval;
    let out = keys.lost == Some(Lost::Out);
    let counted: Vec<&Case> = if out { known.clone() } else { of.to_vec() };
    let is_loose = |case: &Case| case.is_lost() || case.error > 0.0 || case.between.is_some() || case.censored;
    let loose: Vec<usize> = (0..counted.len()).filter(|k| is_loose(counted[*k])).collect();
    if loose.is_empty() || estimate.interval.is_none() {
        return Ok(Found { estimate, own, lost, is_range });
    }
    let seen: Vec<[f64; 2]> = (0..cases.names.len())
        .map(|k| {
            known.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], case| {
                [low.min(case.quantities[k]), high.max(case.quantities[k])]
            })
        })
        .collect();
    // a case as low or as high as it may be
    let end = |case: &Case, k: usize, high: bool| match (&keys.lost, case.is_lost()) {
        (Some(Lost::Between(ends)), true) => ends[usize::from(high)],
        (_, true) if matches!(statistic, Statistic::Share | Statistic::Count) => f64::from(u8::from(high)),
        (_, true) if statistic.is_of_order() => {
            if high {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            }
        }
        (_, true) => seen[k][usize::from(high)],
        (_, false) if let (Some(ends), 0) = (case.between, k) => ends[usize::from(high)],
        (_, false) if case.censored && high => f64::INFINITY,
        (_, false) => case.quantities[k] + if high { case.error } else { -case.error },
    };
    let with = |high: &[bool]| {
        cases.table(&counted, |at, k| match counted[at] {
            case if is_loose(case) => end(case, k, high[at]),
            case => case.quantities[k],
        })
    };
    // whether the upper end of a case moves the statistic up
    let mut raises = vec![true; counted.len()];
    if !statistic.is_of_order() && *statistic != Statistic::Mean {
        let rows: Vec<usize> = (0..counted.len()).collect();
        for &k in &loose {
            let mut high = vec![true; counted.len()];
            let above = statistic.of(&with(&high), &rows)?;
            high[k] = false;
            raises[k] = above >= statistic.of(&with(&high), &rows)?;
        }
    }
    let groups = clusters(&counted);
    let most = spread.estimate(statistic, &with(&raises), &groups)?.interval;
    let least = spread.estimate(statistic, &with(&raises.iter().map(|up| !up).collect::<Vec<_>>()), &groups)?.interval;
    // the known cases alone too: where a statistic turns between the ends of a case, its extreme is none of theirs
    let hull = |one: Interval, other: Interval| Interval { low: one.low.min(other.low), high: one.high.max(other.high) };
    let interval = least.zip(most).zip(estimate.interval).map(|((least, most), known)| hull(hull(least, most), known));
    Ok(Found { estimate: Estimate { interval, ..estimate }, own, lost, is_range })
}
