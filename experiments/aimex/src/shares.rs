//! How often each splitting occurs, by counting every combination of the lists.

use kit::prelude::*;
use kit::ranges::pairs;
use lab::judge::statistics::binomial_range;

use super::differences::runs;
use super::runs::RunRanges;

/// Published runs of each splitting of 500 \[Boxerman 2003, table 4.1\].
pub const PUBLISHED_COUNTS: [u32; 4] = [412, 18, 37, 33];

/// Thresholds of kappa at which it is counted beside that of the runs \[-\]: the thesis' limit of 0.5, and others around.
const OTHERS: [f64; 4] = [0.1, 0.5, 1.0, 2.0];

/// Every combination of the lists of the main group.
pub struct Shares(pub RunRanges);

row! {
    /// How many combinations a splitting has.
    pub struct ShareRow {
        /// kappa up to which a spring is explicit
        pub threshold: f64,
        /// how AIMEX treats stretch/shear
        pub splitting: Treatment,
        /// combinations of spacing, density, stiffnesses, dampings and step that have it
        pub combinations: u64,
        /// the same over all combinations
        pub share: f64,
    }
}

impl Group for Shares {
    const NAME: &'static str = "shares";
    const ABOUT: &'static str = "how often each splitting occurs among all combinations of the lists, at several thresholds";
    type Case = f64;
    type Row = ShareRow;

    fn listed(&self) -> Vec<Self::Case> {
        let mut thresholds = [&OTHERS[..], &[self.0.threshold.get()]].concat();
        thresholds.sort_by(f64::total_cmp);
        thresholds.dedup();
        thresholds
    }

    fn measure(&self, &threshold: &f64) -> Vec<ShareRow> {
        let counts = self.count(threshold);
        let all: u64 = counts.iter().sum();
        let row = |(splitting, combinations): (Treatment, u64)| ShareRow {
            threshold,
            splitting,
            combinations,
            share: combinations as f64 / all as f64,
        };
        Treatment::ALL.into_iter().zip(counts).map(row).collect()
    }
}

impl Shares {
    /// Combinations of each splitting.
    fn count(&self, threshold: f64) -> [u64; 4] {
        let lists = &self.0.lists;
        let mut counts = [0; 4];
        for (h, rho) in pairs(lists.spacing.values(), lists.density.values()) {
            let mass = rho.get() * h.get() * h.get();
            for dt in lists.step.values() {
                // both families draw from the same lists
                let explicit = pairs(lists.stiffness.values(), lists.damping.values())
                    .filter(|(ks, kd)| {
                        let elastic = Elastic { stiffness: ks.get(), damping: kd.get() };
                        numerical_stiffness(dt.get(), mass, elastic) <= threshold
                    })
                    .count() as u64;
                let implicit = (lists.stiffness.values().len() * lists.damping.values().len()) as u64 - explicit;
                let occurrences = [implicit * implicit, implicit * explicit, explicit * implicit, explicit * explicit];
                counts.iter_mut().zip(occurrences).for_each(|(count, more)| *count += more);
            }
        }
        counts
    }
}

/// Chance of a chi-square statistic at least this large with two degrees of freedom, or with three.
fn chance(statistic: f64, three: bool) -> f64 {
    let tail = libm::exp(-0.5 * statistic);
    match three {
        true => libm::erfc(libm::sqrt(0.5 * statistic)) + libm::sqrt(2.0 * statistic / core::f64::consts::PI) * tail,
        false => tail,
    }
}

/// Chi-square statistic of counts against shares: of Pearson, and by likelihood.
fn chi_squares(counts: &[f64], shares: &[f64]) -> [f64; 2] {
    let drawn: f64 = counts.iter().sum();
    let pairs = || counts.iter().zip(shares).map(|(count, share)| (*count, share * drawn));
    let pearson = pairs().map(|(count, expected)| (count - expected) * (count - expected) / expected).sum();
    let likelihood = pairs().filter(|(count, _)| *count > 0.0).map(|(count, expected)| 2.0 * count * libm::log(count / expected));
    [pearson, likelihood.sum()]
}

/// Rarer than this is not what the lists give.
const RARE: f64 = 0.05;

/// B-AIMEX-SHARE, of runs at a threshold of kappa.
fn judge(results: &Results, threshold: f64) -> Result<Finding, ResultsError> {
    let rows = results.without_sets::<Shares>()?;
    let drawn: u32 = PUBLISHED_COUNTS.iter().sum();
    let published = PUBLISHED_COUNTS.map(f64::from);
    let at = |threshold: f64| -> Vec<f64> { rows.iter().filter(|row| row.threshold == threshold).map(|row| row.share).collect() };
    let judge = |p: f64, shares: &[f64]| {
        let [low, high] = binomial_range(drawn, shares[0]);
        verdict((p >= RARE).into(), (low..=high).contains(&PUBLISHED_COUNTS[0]).into())
    };
    let describe = |shares: &[f64]| {
        let expected = shares.iter().map(|share| format!("{:.0}", share * f64::from(drawn)));
        expected.collect::<Vec<_>>().join(", ")
    };
    let shares = at(threshold);
    if shares.len() != Treatment::ALL.len() {
        return Err(too_few("no shares at the threshold of the runs"));
    }
    let [pearson, likelihood] = chi_squares(&published, &shares);
    let p = chance(pearson, true);
    let words = |p: f64| format!("p = {}", short(p));
    let mut readings = vec![];
    let other = chance(likelihood, true);
    readings.push(Reading::new("by likelihood ratios", words(other), Some(judge(other, &shares))));
    let pool = |of: &[f64]| [of[0], of[1] + of[2], of[3]];
    let pooled = chance(chi_squares(&pool(&published), &pool(&shares))[0], false);
    readings.push(Reading::new("both mixed splittings as one", words(pooled), Some(judge(pooled, &shares))));
    let mut thresholds: Vec<f64> = rows.iter().map(|row| row.threshold).collect();
    thresholds.dedup();
    for threshold in thresholds.into_iter().filter(|other| *other != threshold) {
        let shares = at(threshold);
        let p = chance(chi_squares(&published, &shares)[0], true);
        let measured = format!("{} of {drawn} expected, {}", describe(&shares), words(p));
        readings.push(Reading::new(format!("threshold {threshold}"), measured, Some(judge(p, &shares))));
    }
    if let Ok(sets) = runs(results) {
        let counts = Treatment::ALL.map(|splitting| sets.iter().filter(|row| row.splitting == splitting).count());
        let p = chance(chi_squares(&counts.map(|count| count as f64), &shares)[0], true);
        let measured = format!("{} of {}, {}", counts.map(|count| count.to_string()).join(", "), sets.len(), words(p));
        readings.push(Reading::new("the sets drawn here, against the same shares", measured, None));
    }
    let measured = format!("{} of {drawn} expected; {} for the published counts", describe(&shares), words(p));
    let [pearson, draws] = [pearson, 1.0 / p].map(short);
    let reason = format!(
        "chi-square of {pearson} with three degrees of freedom; both mixed splittings are equally likely, since both families draw from the \
         same lists, and 18 against 37 is most of it; other lists than the printed ones, or a draw of one in {draws}, would explain it"
    );
    Ok(Finding::new(judge(p, &shares), measured, reason).value(p).cases(drawn as usize).readings(readings))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let threshold = ranges.runs.threshold.get();
    Topic::of(Shares(ranges.runs.clone()))
        .judge("B-AIMEX-SHARE", move |results| judge(results, threshold))
        .places(&[("B-AIMEX-SHARE", -2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_of_chi_squares_by_tables() {
        for (statistic, three, p) in [(7.815, true, 0.05), (11.345, true, 0.01), (5.991, false, 0.05)] {
            assert!((chance(statistic, three) - p).abs() < 1e-4, "{statistic}");
        }
        let [pearson, likelihood] = chi_squares(&[30.0, 70.0], &[0.5, 0.5]);
        assert!((pearson - 16.0).abs() < 1e-12 && (likelihood - 16.4566).abs() < 1e-4, "{likelihood}");
    }
}
