//! The verdicts on table 4.1: how often each splitting occurs, and its ratios of CG iterations and of times. Criteria stand in
//! `claims/*.toml`, with what was known when they were fixed.

use kit::prelude::*;
use lab::judge::statistics::binomial_range;

use super::runs::{RunRow, Seeds};
use super::shares::Shares;
use super::times::{SCHEMES, TimeRow, TimeSeeds, Times};
use super::verdicts::{by_reading, lost, runs, sets};

/// Published runs of each splitting of 500 \[Boxerman 2003, table 4.1\].
pub const PUBLISHED_COUNTS: [u32; 4] = [412, 18, 37, 33];

/// Published ratios of CG iterations, and of times.
pub const PUBLISHED_ITERATIONS: [f64; 4] = [1.00, 1.02, 0.96, 0.47];
pub const PUBLISHED_TIMES: [f64; 4] = [0.83, 0.71, 0.71, 0.47];

/// How far from a published ratio counts as the same.
const NEAR: f64 = 0.1;

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
pub fn shares(results: &Results, threshold: f64) -> Result<Finding, ResultsError> {
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

/// Ratios of each splitting, with their intervals.
pub type Ratios = [Option<Estimate>; 4];

/// Mean ratio of CG iterations of each splitting, over the sets of several tables.
pub fn iteration_ratios(tables: &[&[RunRow]]) -> Ratios {
    Treatment::ALL.map(|splitting| {
        let of = tables.iter().flat_map(|rows| rows.iter()).filter(|row| row.splitting == splitting);
        let ratios: Vec<f64> = of.filter_map(RunRow::iteration_ratio).collect();
        Estimate::of(splitting.name(), &ratios, mean)
    })
}

/// Ratios in words, splittings in their order.
pub fn describe_ratios(ratios: &Ratios) -> String {
    let describe = |ratio: &Option<Estimate>| ratio.map_or_else(|| "none".into(), |ratio| ratio.to_string());
    ratios.iter().map(describe).collect::<Vec<_>>().join("; ")
}

fn near(ratio: &Option<Estimate>, published: f64) -> Answer {
    ratio.map_or(Answer::Open, |ratio| ratio.lies_within(published - NEAR, published + NEAR))
}

/// Table 4.1's column of iterations.
fn judge_iterations(ratios: &Ratios) -> Verdict {
    let near = |k: usize| near(&ratios[k], PUBLISHED_ITERATIONS[k]);
    let implicit = Answer::all((0..3).map(near));
    let fewer = ratios[3].map_or(Answer::Open, |ratio| ratio.lies_below(1.0));
    verdict(implicit.and(near(3)), implicit.and(fewer))
}

/// B-AIMEX-CG.
pub fn iterations(results: &Results) -> Result<Finding, ResultsError> {
    let rows = runs(results)?;
    let seeds = results.without_sets::<Seeds>()?;
    let all = [rows.as_slice(), seeds.as_slice()].concat();
    let ratios = iteration_ratios(&[&all]);
    if ratios.iter().any(Option::is_none) {
        return Err(too_few("some splitting has no set that finished"));
    }
    let mut readings = vec![];
    let mut add = |name: String, ratios: &Ratios, left_out: String| {
        readings.push(Reading::new(name, format!("{}{left_out}", describe_ratios(ratios)), Some(judge_iterations(ratios))));
    };
    add("the main group alone".into(), &iteration_ratios(&[&rows]), String::new());
    add("another base seed alone".into(), &iteration_ratios(&[&seeds]), String::new());
    let of = |splitting: Treatment| all.iter().filter(|row| row.splitting == splitting).collect::<Vec<_>>();
    let medians = Treatment::ALL
        .map(|splitting| Estimate::median(&of(splitting).into_iter().filter_map(RunRow::iteration_ratio).collect::<Vec<_>>()));
    add("medians instead of means".into(), &medians, String::new());
    let summed = Treatment::ALL.map(|splitting| {
        let finished = of(splitting).into_iter().filter(|row| row.is_finished());
        let counts: Vec<[f64; 2]> = finished.map(|row| [row.aimex_iterations as f64, row.implicit_iterations as f64]).collect();
        let ratio = |counts: &[[f64; 2]]| {
            let [aimex, implicit] = counts.iter().fold([0.0; 2], |sum, count| [sum[0] + count[0], sum[1] + count[1]]);
            (implicit > 0.0).then(|| aimex / implicit)
        };
        Estimate::of(splitting.name(), &counts, ratio)
    });
    add("sums over all sets instead of means of ratios".into(), &summed, String::new());
    let mut unseen = 0;
    let weighted = Treatment::ALL.map(|splitting| {
        let strata =
            of(splitting).into_iter().map(|row| (((1e3 * row.spacing) as u64, (1e4 * row.step) as u64), row.iteration_ratio()));
        let weighted = Weighted::new(strata);
        unseen += weighted.unseen;
        Estimate::of(splitting.name(), &weighted.values, weighted_mean)
    });
    add(
        "weighted for lost sets by spacing and step".into(),
        &weighted,
        format!("; {} in strata of which none finishes", sets(unseen)),
    );
    for configuration in [Configuration::Corners, Configuration::Table, Configuration::Sphere] {
        let part: Vec<RunRow> = all.iter().filter(|row| row.configuration == configuration).cloned().collect();
        add(format!("{configuration} only"), &iteration_ratios(&[&part]), String::new());
    }
    for compared in by_reading(results)? {
        let words = |rows: &[RunRow]| format!("; {}", lost(rows));
        add(format!("the first sets, {}", compared.name), &iteration_ratios(&[&compared.rows]), words(&compared.rows));
    }
    let (splittings, finished, lost) = (
        Treatment::ALL.map(Treatment::name).join(", "),
        ratios.map(|ratio| ratio.map_or(0, |ratio| ratio.cases).to_string()).join(", "),
        lost(&all),
    );
    let reason = format!(
        "value, interval and cases are those of explicit/explicit; sets of {splittings} that finish: {finished}; {lost}; how few \
         iterations the fully implicit scheme needs at small steps decides the last ratio, and a tolerance between the two readings of the \
         thesis would move it"
    );
    Ok(Finding::new(judge_iterations(&ratios), describe_ratios(&ratios), reason)
        .rests_on(ratios[3].as_ref())
        .left_out(of(Treatment::AllExplicit).len() - ratios[3].map_or(0, |ratio| ratio.cases))
        .readings(readings))
}

/// Ratios of the median times of both schemes and of their CG iterations for every sheet that both finish, with its splitting.
pub fn time_ratios<G: Group<Row = TimeRow>>(results: &Results) -> Result<Vec<(Treatment, [f64; 2])>, ResultsError> {
    let rows = results.rows::<G>()?;
    let seconds = median_seconds::<G>(results)?;
    let pairs = rows.chunk_by(|a, b| a.set / SCHEMES.len() as u64 == b.set / SCHEMES.len() as u64);
    let ratio = |pair: &[Row<TimeRow>]| match pair {
        [aimex, implicit] if [aimex, implicit].iter().all(|row| row.row.status == Status::Finished) => {
            let iterations = aimex.row.iterations as f64 / implicit.row.iterations.max(1) as f64;
            Some((aimex.row.splitting, [seconds.get(&aimex.set)? / seconds.get(&implicit.set)?, iterations]))
        }
        _ => None,
    };
    Ok(pairs.filter_map(ratio).collect())
}

/// Table 4.1's column of times.
fn judge_times(ratios: &Ratios) -> Verdict {
    let near = Answer::all((0..4).map(|k| near(&ratios[k], PUBLISHED_TIMES[k])));
    let faster = ratios.iter().map(|ratio| ratio.map_or(Answer::Open, |ratio| ratio.lies_below(1.0)));
    verdict(near, Answer::all(faster))
}

/// B-AIMEX-SPEED.
pub fn speed(results: &Results) -> Result<Finding, ResultsError> {
    let (ratios, seeds) = (time_ratios::<Times>(results)?, time_ratios::<TimeSeeds>(results)?);
    let within = |ratios: &[(Treatment, [f64; 2])], splitting: Treatment, which: usize| -> Vec<f64> {
        ratios.iter().filter(|(of, _)| *of == splitting).map(|(_, ratio)| ratio[which]).collect()
    };
    let of = |splitting: Treatment, which: usize| within(&ratios, splitting, which);
    let by_splitting: Ratios = Treatment::ALL.map(|splitting| Estimate::median(&of(splitting, 0)));
    if by_splitting.iter().any(Option::is_none) {
        return Err(too_few("some splitting has no sheet that finished"));
    }
    let mut readings = vec![];
    for (splitting, (ratio, published)) in Treatment::ALL.into_iter().zip(by_splitting.iter().zip(PUBLISHED_TIMES)) {
        let Some(found) = ratio else { continue };
        let measured = format!("{found} over {} sheets, published {published}", found.cases);
        readings.push(Reading::new(splitting.name(), measured, Some(verdict(near(ratio, published), found.lies_below(1.0)))));
    }
    let another: Ratios = Treatment::ALL.map(|splitting| Estimate::median(&within(&seeds, splitting, 0)));
    let measured = format!("{} over {} sheets", describe_ratios(&another), seeds.len());
    readings.push(Reading::new("another base seed", measured, Some(judge_times(&another))));
    let work: Ratios = Treatment::ALL.map(|splitting| Estimate::median(&of(splitting, 1)));
    let measured = format!("CG iterations {}", describe_ratios(&work));
    let name = "work in place of time: iterations, without what a row costs";
    readings.push(Reading::new(name, measured, Some(judge_times(&work))));
    let means = Treatment::ALL.map(|splitting| mean(&of(splitting, 0)).map_or_else(|| "none".into(), short));
    readings.push(Reading::new("means instead of medians", means.join("; "), None));
    let drawn = results.rows::<Times>()?.len() / SCHEMES.len();
    let reason = format!(
        "times of this machine, both schemes in turn, matrices in block rows; what explicit springs save is their Jacobians and their \
         blocks in every product; {} of {drawn} sheets are lost by one of the schemes; where an interval straddles its bounds, more \
         sheets would decide",
        drawn - ratios.len()
    );
    Ok(Finding::new(judge_times(&by_splitting), describe_ratios(&by_splitting), reason)
        .cases(ratios.len())
        .left_out(drawn - ratios.len())
        .readings(readings))
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

    fn ratio(low: f64, high: f64) -> Option<Estimate> {
        Some(Estimate { value: 0.5 * (low + high), interval: Some(Interval { low, high }), cases: 30 })
    }

    #[test]
    fn all_of_every_interval_must_be_near() {
        let implicit = [ratio(0.99, 1.01), ratio(0.95, 1.1), ratio(0.9, 1.0)];
        let with = |last| judge_iterations(&[implicit[0], implicit[1], implicit[2], last]);
        assert_eq!(with(ratio(0.4, 0.5)), Verdict::Reproduced);
        assert_eq!(with(ratio(0.3, 0.5)), Verdict::Inconclusive, "it straddles");
        assert_eq!(with(ratio(0.2, 0.3)), Verdict::DirectionOnly);
        assert_eq!(with(ratio(1.1, 1.3)), Verdict::NotReproduced);
        assert_eq!(judge_iterations(&[implicit[0], ratio(1.2, 1.3), implicit[2], ratio(0.4, 0.5)]), Verdict::NotReproduced);
        assert_eq!(judge_times(&[ratio(0.8, 0.9), ratio(0.7, 0.8), ratio(0.7, 0.8), ratio(0.4, 0.5)]), Verdict::Reproduced);
        assert_eq!(judge_times(&[ratio(0.6, 0.7), ratio(0.7, 0.8), ratio(0.7, 0.8), ratio(0.4, 0.5)]), Verdict::DirectionOnly);
    }
}
