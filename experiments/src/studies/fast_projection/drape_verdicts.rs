//! The verdicts on the drape.

use std::collections::HashMap;

use lab::claims::{Finding, Reading, Verdict};
use lab::report::short;
use lab::results::{Results, ResultsError};
use lab::statistics::{median, power_law, quantile};

use super::drape::DrapeRow;
use super::looks::LookRow;
use super::moving_verdicts::{percent, word};
use super::rivals::Rival;
use super::samples::{DrapeRun, Which, chosen, drape, medians, repeats, same, seconds, times};
use super::scenes::rms_distance;

/// The methods of the paper, fast projection first.
const PAPER: [Rival; 5] = [Rival::FastProjection, Rival::Icd, Rival::Shake, Rival::JacobiLimiting, Rival::GaussSeidelLimiting];

/// Those that solve for all edges at once.
const GLOBAL: [Rival; 3] = [Rival::FastProjection, Rival::Icd, Rival::Shake];

/// Permissible strain of figure 5b.
const ONE_PERCENT: f64 = 0.01;

/// Differences of slopes up to which methods scale alike.
const ALIKE: f64 = 0.15;

/// What a method costs somewhere.
type Cost<'a> = &'a dyn Fn(&DrapeRun) -> Option<f64>;

/// Costs of a method's chosen runs by strain on a sheet.
fn costs(rows: &[DrapeRun], rival: Rival, side: usize, cost: Cost) -> Vec<[f64; 2]> {
    let of = chosen(rows, Which::Cheapest).filter(|row| row.row.side == side && row.row.method == rival.name());
    of.filter_map(|row| Some([row.row.strain, cost(row)?])).collect()
}

/// Sides and strains at which fast projection and any other of `rivals` were tried.
fn tried(rows: &[DrapeRun], rivals: &[Rival]) -> Vec<(usize, f64)> {
    let mut places: Vec<(usize, f64)> = vec![];
    for row in rows.iter().filter(|row| row.row.elastic == "explicit") {
        let place = (row.row.side, row.row.strain);
        let has = |rival: Rival| {
            rows.iter().any(|row| row.row.method == rival.name() && row.row.side == place.0 && same(row.row.strain, place.1))
        };
        if !places.contains(&place) && rivals.iter().all(|rival| has(*rival)) {
            places.push(place);
        }
    }
    places
}

/// The cheapest of `rivals` at a place, with its cost.
fn first(rows: &[DrapeRun], rivals: &[Rival], (side, strain): (usize, f64), cost: Cost) -> Option<(Rival, f64)> {
    let of = |rival: Rival| {
        let at = costs(rows, rival, side, cost).into_iter().find(|[at, _]| same(*at, strain));
        at.map(|[_, cost]| (rival, cost))
    };
    rivals.iter().filter_map(|rival| of(*rival)).min_by(|a, b| a.1.total_cmp(&b.1))
}

fn places_won(rows: &[DrapeRun], rivals: &[Rival], places: &[(usize, f64)], cost: Cost) -> (usize, String) {
    let mut won = 0;
    let mut words = vec![];
    for place in places {
        let Some((rival, _)) = first(rows, rivals, *place, cost) else { continue };
        won += usize::from(rival == Rival::FastProjection);
        let (side, strain) = place;
        words.push(format!("{} at {} % on {side} x {side}", rival.name(), short(100.0 * strain)));
    }
    (won, words.join(", "))
}

fn time_of(seconds: &HashMap<u64, f64>) -> impl Fn(&DrapeRun) -> Option<f64> {
    move |row| seconds.get(&row.set).copied()
}

fn operations(row: &DrapeRun) -> Option<f64> {
    Some(row.row.operations as f64)
}

/// Exponents of the cost over 1/strain.
fn slopes(rows: &[DrapeRun], side: usize, cost: Cost) -> Vec<(Rival, Option<f64>, usize)> {
    let of = |rival: Rival| {
        let points: Vec<[f64; 2]> =
            costs(rows, rival, side, cost).into_iter().map(|[strain, cost]| [1.0 / strain, cost]).collect();
        (rival, power_law(rival.name(), &points).filter(|_| points.len() >= 3).map(|law| law.exponent), points.len())
    };
    PAPER.iter().map(|rival| of(*rival)).collect()
}

/// Whether the global methods scale alike, and whether they scale better than those of strain limiting: a method of those that
/// holds fewer strains than fast projection scales worse.
fn scaling(slopes: &[(Rival, Option<f64>, usize)]) -> (bool, bool) {
    let global: Vec<f64> =
        slopes.iter().filter(|(rival, ..)| GLOBAL.contains(rival)).filter_map(|(_, slope, _)| *slope).collect();
    let (low, high) = global.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(*s), high.max(*s)));
    let held = slopes.iter().find(|(rival, ..)| *rival == Rival::FastProjection).map_or(0, |(.., held)| *held);
    let worse = |(_, slope, count): &&(Rival, Option<f64>, usize)| *count < held || slope.is_some_and(|slope| slope > high);
    let limiting = slopes.iter().filter(|(rival, ..)| !GLOBAL.contains(rival));
    (global.len() == GLOBAL.len() && high - low <= ALIKE, limiting.clone().filter(worse).count() == limiting.count())
}

fn describe(slopes: &[(Rival, Option<f64>, usize)]) -> String {
    let word = |(rival, slope, held): &(Rival, Option<f64>, usize)| {
        let slope = slope.map_or_else(|| "no exponent".into(), short);
        format!("{} {slope} ({held} strains held)", rival.name())
    };
    slopes.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// The sheet on which all methods of the paper were tried at most strains, and those strains.
fn common(rows: &[DrapeRun]) -> Result<(usize, Vec<(usize, f64)>), ResultsError> {
    let places = tried(rows, &PAPER);
    let count = |side: usize| places.iter().filter(|place| place.0 == side).count();
    let side = places.iter().map(|place| place.0).max_by_key(|side| (count(*side), *side));
    let side = side.ok_or_else(|| ResultsError::TooFew("no sheet was draped by all methods of the paper".into()))?;
    Ok((side, places.into_iter().filter(|place| place.0 == side).collect()))
}

/// G-DRAPE-STRAIN.
pub fn strain(results: &Results) -> Result<Finding, ResultsError> {
    let rows = drape(results)?;
    let times = seconds(results, "drape")?;
    let time = time_of(&times);
    let (side, places) = common(&rows)?;
    let judged = |cost: Cost| {
        let (won, words) = places_won(&rows, &PAPER, &places, cost);
        let slopes = slopes(&rows, side, cost);
        let (alike, better) = scaling(&slopes);
        let verdict = match won == places.len() {
            true if alike && better => Verdict::Reproduced,
            true => Verdict::DirectionOnly,
            false if 2 * won > places.len() => Verdict::DirectionOnly,
            false => Verdict::NotReproduced,
        };
        let alike = if alike { "alike" } else { "not alike" };
        let better = if better { "better" } else { "not better" };
        let exponents = describe(&slopes);
        (
            verdict,
            won,
            format!(
                "first: {words}; exponents over 1/strain: {exponents}: global methods scale {alike}, and {better} than limiting"
            ),
        )
    };
    let (verdict, won, measured) = judged(&time);
    let (by_work, _, words) = judged(&operations);
    let mut readings = vec![Reading { name: "nominal operations".into(), measured: words, verdict: Some(by_work) }];
    let everything = tried(&rows, &[Rival::FastProjection, Rival::Pbd]);
    let (_, words) = places_won(&rows, &Rival::ALL, &everything, &time);
    readings.push(Reading {
        name: "among all methods, with those that a user would take today".into(),
        measured: words,
        verdict: None,
    });
    Ok(Finding {
        verdict,
        measured: format!("fast projection is first at {won} of {} strains on {side} x {side}", places.len()),
        value: Some(won as f64),
        interval: None,
        cases: places.len(),
        left_out: 0,
        reason: measured,
        readings,
    })
}

/// Where fast projection stands among the paper's methods on a sheet, by all times of the cheapest runs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Standing {
    /// Before every other, beyond scatter.
    First,
    /// Behind none beyond scatter, and before some not beyond it.
    Level,
    /// Behind another beyond scatter, or without a step that holds the bound where another has one.
    Behind,
}

/// Times of each set, several where they were repeated.
type Times = HashMap<u64, Vec<f64>>;

/// The widest ratio of two times of one run; none where no run was timed twice.
fn widest_ratio(times: &Times) -> Option<f64> {
    let repeated = times.values().filter(|times| times.len() > 1);
    repeated.filter_map(|times| Some(quantile(times, 1.0)? / quantile(times, 0.0)?)).max_by(f64::total_cmp)
}

/// Whether every time of `a` is below every time of `b`: where either was timed once, by more than the `widest` ratio of repeats.
fn is_before(a: &[f64], b: &[f64], widest: Option<f64>) -> bool {
    let apart = if a.len().min(b.len()) > 1 { Some(1.0) } else { widest };
    let ends = quantile(a, 1.0).zip(quantile(b, 0.0)).zip(apart);
    ends.is_some_and(|((most, least), apart)| most * apart < least)
}

/// The standing on a sheet, with the methods that fast projection is level with or behind; none where no method holds the bound.
fn standing(rows: &[DrapeRun], times: &Times, side: usize) -> Option<(Standing, Vec<&'static str>)> {
    let of = |rival: Rival| {
        let mut runs = chosen(rows, Which::Cheapest).filter(|row| row.row.side == side && row.row.method == rival.name());
        times.get(&runs.find(|row| same(row.row.strain, ONE_PERCENT))?.set).map(Vec::as_slice)
    };
    let widest = widest_ratio(times);
    let others = || PAPER[1..].iter().filter_map(|rival| Some((rival.name(), of(*rival)?)));
    let named = |holds: &dyn Fn(&[f64]) -> bool| -> Vec<&'static str> {
        others().filter(|(_, times)| holds(times)).map(|(name, _)| name).collect()
    };
    let Some(own) = of(PAPER[0]) else {
        let before = named(&|_| true);
        return (!before.is_empty()).then_some((Standing::Behind, before));
    };
    let (before, level) = (named(&|times| is_before(times, own, widest)), named(&|times| !is_before(own, times, widest)));
    Some(match (before.is_empty(), level.is_empty()) {
        (false, _) => (Standing::Behind, before),
        (true, false) => (Standing::Level, level),
        (true, true) => (Standing::First, vec![]),
    })
}

/// G-DRAPE-N.
pub fn size(results: &Results) -> Result<Finding, ResultsError> {
    by_size(&drape(results)?, &times(results, "drape")?)
}

fn by_size(rows: &[DrapeRun], times: &Times) -> Result<Finding, ResultsError> {
    let seconds = medians(times);
    let mut places: Vec<(usize, f64)> = tried(rows, &PAPER).into_iter().filter(|place| same(place.1, ONE_PERCENT)).collect();
    places.sort_by_key(|place| place.0);
    let largest = places.last().ok_or_else(|| ResultsError::TooFew("no sheet at 1 %".into()))?;
    let standings: Vec<_> = places.iter().map(|(side, _)| (side, standing(rows, times, *side))).collect();
    let count = |which: Standing| standings.iter().filter(|(_, found)| found.as_ref().is_some_and(|f| f.0 == which)).count();
    let [first, level, behind] = [Standing::First, Standing::Level, Standing::Behind].map(count);
    let at_largest = standings.last().and_then(|(_, found)| Some(found.as_ref()?.0));
    let verdict = match at_largest {
        _ if first == places.len() => Verdict::Reproduced,
        Some(Standing::First) => Verdict::DirectionOnly,
        Some(Standing::Level) => Verdict::Inconclusive,
        _ => Verdict::NotReproduced,
    };
    let word = |(side, found): &(&usize, Option<(Standing, Vec<&str>)>)| {
        let (standing, others) = found.as_ref()?;
        let others = others.join(", ");
        Some(match standing {
            Standing::First => format!("first on {side} x {side}"),
            Standing::Level => format!("level with {others} on {side} x {side}"),
            Standing::Behind => format!("behind {others} on {side} x {side}"),
        })
    };
    let words: Vec<String> = standings.iter().filter_map(word).collect();
    let (by_count, work) = places_won(rows, &PAPER, &places, &operations);
    let by_work = match by_count {
        _ if by_count == places.len() => Verdict::Reproduced,
        _ if places_won(rows, &PAPER, &[*largest], &operations).0 == 1 => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
    };
    let (_, by_median) = places_won(rows, &PAPER, &places, &time_of(&seconds));
    let (_, all) = places_won(rows, &Rival::ALL, &places, &time_of(&seconds));
    let scatter = match widest_ratio(times) {
        _ if times.values().all(|times| times.len() > 1) => String::new(),
        None => "; no run was timed twice, so that scatter is not known".into(),
        Some(widest) => {
            format!(
                "; a run timed once is taken to scatter by a factor of {}, the widest between two times of one run",
                short(widest)
            )
        }
    };
    Ok(Finding {
        verdict,
        measured: format!(
            "fast projection is first of the paper's methods beyond the scatter of times on {first} of {} sheets, level with another on \
             {level}, behind on {behind}",
            places.len()
        ),
        value: Some(first as f64),
        interval: None,
        cases: first + level + behind,
        left_out: places.len() - (first + level + behind),
        reason: format!("times of this machine{scatter}; {}", words.join(", ")),
        readings: vec![
            Reading { name: "nominal operations".into(), measured: work, verdict: Some(by_work) },
            Reading { name: "by median times, whatever their scatter".into(), measured: by_median, verdict: None },
            Reading { name: "among all methods, by median times".into(), measured: all, verdict: None },
        ],
    })
}

/// G-ICD-COST.
pub fn icd_cost(results: &Results) -> Result<Finding, ResultsError> {
    let rows = drape(results)?;
    let times = seconds(results, "drape")?;
    let mut words = vec![];
    let (mut holds, mut all) = (0, 0);
    for (side, strain) in tried(&rows, &[Rival::Shake, Rival::Icd]) {
        let of = |rival: Rival| {
            let mut runs = chosen(&rows, Which::Cheapest).filter(move |row| row.row.method == rival.name());
            runs.find(|row| row.row.side == side && same(row.row.strain, strain))
        };
        all += 1;
        let place = format!("{} % on {side} x {side}", short(100.0 * strain));
        let (Some(shake), Some(icd)) = (of(Rival::Shake), of(Rival::Icd)) else {
            let held = |rival| if of(rival).is_some() { "holds" } else { "does not hold" };
            words.push(format!("at {place} SHAKE {}, ICD {}", held(Rival::Shake), held(Rival::Icd)));
            continue;
        };
        let (Some(a), Some(b)) = (times.get(&shake.set), times.get(&icd.set)) else { continue };
        let smaller = shake.row.rate > icd.row.rate;
        let cheaper = a / f64::from(shake.row.rate) < b / f64::from(icd.row.rate);
        holds += usize::from(smaller && cheaper && b > a);
        words.push(format!(
            "at {place} SHAKE {} steps of {} ms, ICD {} of {} ms",
            shake.row.rate,
            short(1e3 * a / f64::from(shake.row.rate)),
            icd.row.rate,
            short(1e3 * b / f64::from(icd.row.rate))
        ));
    }
    if all == 0 {
        return Err(ResultsError::TooFew("no sheet was draped by SHAKE and ICD".into()));
    }
    Ok(Finding {
        verdict: match holds {
            _ if holds == all => Verdict::Reproduced,
            _ if 2 * holds > all => Verdict::DirectionOnly,
            _ => Verdict::NotReproduced,
        },
        measured: format!("smaller, cheaper steps and less time in all for SHAKE in {holds} of {all} drapes"),
        value: Some(holds as f64),
        interval: None,
        cases: all,
        left_out: 0,
        reason: format!("times of this machine: {}", words.join("; ")),
        readings: vec![],
    })
}

/// G-POSTCOLL.
pub fn after_collisions(results: &Results) -> Result<Finding, ResultsError> {
    let rows = drape(results)?;
    let runs: Vec<&DrapeRun> =
        chosen(&rows, Which::Cheapest).filter(|row| row.row.method == Rival::FastProjection.name()).collect();
    let ratio = |of: fn(&DrapeRun) -> Option<f64>| -> Vec<f64> {
        runs.iter().filter_map(|run| Some(of(run)? / run.row.strain)).collect()
    };
    let largest = |ratios: &[f64]| ratios.iter().copied().fold(0.0, f64::max);
    let percentile = ratio(|run| run.row.percentile99_collided);
    let middle = ratio(|run| run.row.median_collided);
    let extreme = ratio(|run| run.row.largest_collided);
    let value = median(&percentile).ok_or_else(|| ResultsError::TooFew("fast projection holds no drape".into()))?;
    let verdict = match (largest(&percentile) <= 1.0, largest(&middle) <= 1.0) {
        (true, _) => Verdict::Reproduced,
        (_, true) => Verdict::DirectionOnly,
        _ => Verdict::NotReproduced,
    };
    let by_strain = |of: fn(&DrapeRun) -> Option<f64>| {
        let word = |run: &&DrapeRun| {
            let strain = short(100.0 * run.row.strain);
            Some(format!("{} at {strain} % on {} x {}", percent(of(run)?), run.row.side, run.row.side))
        };
        runs.iter().filter_map(word).collect::<Vec<_>>().join(", ")
    };
    let reading = |name: &str, measured: String| Reading { name: name.into(), measured, verdict: None };
    let ladder: Vec<DrapeRun> = results.rows("collided")?;
    let ladder = ladder.iter().filter(|run| run.row.holds());
    let ladder = ladder.filter_map(|run| {
        let DrapeRow { rate, strain, percentile99_collided, .. } = &run.row;
        Some(format!("{} at {} and {rate} steps a second", percent((*percentile99_collided)?), percent(*strain)))
    });
    Ok(Finding {
        verdict,
        measured: format!(
            "99th percentile of strain after collisions, worst frame: {} of the bound in the median run, {} at most",
            short(value),
            short(largest(&percentile))
        ),
        value: Some(largest(&percentile)),
        interval: None,
        cases: runs.len(),
        left_out: 0,
        reason: format!("the largest strain of any edge comes to {} times the bound", short(largest(&extreme))),
        readings: vec![
            reading("99th percentile, worst frame of each run", by_strain(|run| run.row.percentile99_collided)),
            reading("median, worst frame of each run", by_strain(|run| run.row.median_collided)),
            reading("largest, worst frame of each run", by_strain(|run| run.row.largest_collided)),
            reading("99th percentile against the step", ladder.collect::<Vec<_>>().join(", ")),
        ],
    })
}

/// G-LOOK: the distance up to which shapes are alike, in sides of the sheet.
const ALIKE_SHAPES: f64 = 0.05;

/// G-LOOK.
pub fn look(results: &Results) -> Result<Finding, ResultsError> {
    let rows: Vec<LookRow> = results.rows("looks")?.into_iter().map(|row| row.row).collect();
    let mut distances = vec![];
    for frame in rows.chunk_by(|a, b| same(a.time, b.time)) {
        let (one, other): (Vec<_>, Vec<_>) = frame.iter().filter_map(LookRow::places).map(|[one, other]| (one, other)).unzip();
        if one.is_empty() {
            continue; // not reached
        }
        distances.push((frame[0].time, rms_distance(&one, &other)));
    }
    let (time, value) = *distances.last().ok_or_else(|| ResultsError::TooFew("both methods reach no common time".into()))?;
    let words = distances.iter().map(|(time, distance)| format!("{} at {} s", short(*distance), short(*time)));
    Ok(Finding {
        verdict: if value < ALIKE_SHAPES { Verdict::Reproduced } else { Verdict::NotReproduced },
        measured: format!("root mean square distance {} of the side after {} s", percent(value), short(time)),
        value: Some(value),
        interval: None,
        cases: 1,
        left_out: 0,
        reason: match rows.iter().find_map(|row| row.reason.as_deref()) {
            None => "one deterministic pair of runs, so without an interval".into(),
            Some(ended) => format!("one deterministic pair of runs, so without an interval; it ended early: {ended}"),
        },
        readings: vec![Reading {
            name: "distance over time [m]".into(),
            measured: words.collect::<Vec<_>>().join(", "),
            verdict: None,
        }],
    })
}

/// Which method takes the least time at each strain and size, in words, with the one that comes next.
pub fn cheapest(results: &Results) -> Result<String, ResultsError> {
    let rows = drape(results)?;
    let times = seconds(results, "drape")?;
    let time = time_of(&times);
    let mut places = tried(&rows, &[Rival::FastProjection]);
    places.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let at = |place: (usize, f64)| {
        let (best, least) = first(&rows, &Rival::ALL, place, &time)?;
        let others: Vec<Rival> = Rival::ALL.into_iter().filter(|rival| *rival != best).collect();
        let next = first(&rows, &others, place, &time).map_or_else(
            || "alone".into(),
            |(rival, time)| format!("{} takes {} times as long", rival.name(), short(time / least)),
        );
        Some(format!("at {} {} ({next})", percent(place.1), best.name()))
    };
    let of_side = |sheet: &[(usize, f64)]| {
        let words: Vec<String> = sheet.iter().filter_map(|place| at(*place)).collect();
        format!("on {0} x {0} {1}", sheet[0].0, words.join(", "))
    };
    let firsts: Vec<Rival> = places.iter().filter_map(|place| Some(first(&rows, &Rival::ALL, *place, &time)?.0)).collect();
    let count = |rival: &Rival| firsts.iter().filter(|first| *first == rival).count();
    let counts = Rival::ALL.iter().filter(|rival| count(rival) > 0);
    let counts = counts.map(|rival| format!("{} at {} of {}", rival.name(), count(rival), firsts.len()));
    let sheets = places.chunk_by(|a, b| a.0 == b.0).map(of_side);
    Ok(format!("{}. One by one: {}", counts.collect::<Vec<_>>().join(", "), sheets.collect::<Vec<_>>().join("; ")))
}

/// The cheapest step of every method, in words.
pub fn table(results: &Results) -> Result<String, ResultsError> {
    let rows = drape(results)?;
    let times = seconds(results, "drape")?;
    let counts = repeats(results, "drape")?;
    let mut lines = vec![
        "| sheet | strain | method | steps a second | iterations | largest strain | nominal operations | time [s] | timed runs |"
            .to_owned(),
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |".to_owned(),
    ];
    for run in chosen(&rows, Which::Cheapest) {
        let row = &run.row;
        lines.push(format!(
            "| {} x {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.side,
            row.side,
            percent(row.strain),
            row.method,
            row.rate,
            row.iterations,
            word(row.largest, percent),
            short(row.operations as f64),
            times.get(&run.set).map_or_else(|| "-".into(), |time| short(*time)),
            counts.get(&run.set).copied().unwrap_or(0)
        ));
    }
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::fast_projection::drape::{Forces, HOLDS, Task};

    /// A finding on sheets of 11 and 21 particles a side; rows of each hold their bound in `times` of the paper's methods in order,
    /// without any where it does not.
    fn found(sheets: [[&[f64]; 5]; 2]) -> Finding {
        let (mut rows, mut times) = (vec![], HashMap::new());
        for (side, sheet) in [11, 21].into_iter().zip(sheets) {
            for (rival, seconds) in PAPER.into_iter().zip(sheet) {
                let task = Task { rival, strain: ONE_PERCENT, side, elastic: Forces::Explicit };
                let (set, holds) = (rows.len() as u64, !seconds.is_empty());
                let row = DrapeRow { cheapest: holds, status: HOLDS.into(), operations: 1 + set, ..DrapeRow::refused(&task, 60) };
                rows.push(DrapeRun { set, row });
                times.extend(holds.then(|| (set, seconds.to_vec())));
            }
        }
        by_size(&rows, &times).unwrap()
    }

    const CLEAR: [&[f64]; 5] = [&[1.0, 1.2], &[2.0, 2.2], &[3.0, 3.1], &[2.5, 2.4], &[]];
    const TIE: [&[f64]; 5] = [&[1.0, 1.3], &[1.2, 1.4], &[3.0, 3.1], &[2.5, 2.4], &[]];
    const LOSS: [&[f64]; 5] = [&[1.3, 1.2], &[1.0, 1.1], &[3.0, 3.1], &[2.5, 2.4], &[]];

    #[test]
    fn a_first_place_counts_beyond_scatter() {
        let counts = |finding: &Finding| finding.measured.split_once(" on ").unwrap().1.to_owned();
        for (sheets, verdict, words) in [
            ([CLEAR, CLEAR], Verdict::Reproduced, "2 of 2 sheets, level with another on 0, behind on 0"),
            ([TIE, CLEAR], Verdict::DirectionOnly, "1 of 2 sheets, level with another on 1, behind on 0"),
            ([LOSS, CLEAR], Verdict::DirectionOnly, "1 of 2 sheets, level with another on 0, behind on 1"),
            ([CLEAR, TIE], Verdict::Inconclusive, "1 of 2 sheets, level with another on 1, behind on 0"),
            ([CLEAR, LOSS], Verdict::NotReproduced, "1 of 2 sheets, level with another on 0, behind on 1"),
        ] {
            let finding = found(sheets);
            assert_eq!((finding.verdict, counts(&finding).as_str()), (verdict, words));
        }
        let reason = found([TIE, LOSS]).reason;
        assert!(reason.ends_with("level with icd on 11 x 11, behind icd on 21 x 21"), "{reason}");
    }

    #[test]
    fn a_run_timed_once_scatters_as_the_widest_that_was_repeated() {
        let once = |other: &'static [f64]| -> [&[f64]; 5] { [&[1.0], other, &[], &[], &[]] };
        assert_eq!(found([CLEAR, once(&[1.3])]).verdict, Verdict::Reproduced, "repeats differ by a factor of 1.2 at most");
        assert_eq!(found([CLEAR, once(&[1.1, 1.15])]).verdict, Verdict::Inconclusive);
        assert_eq!(found([CLEAR, once(&[0.9])]).verdict, Verdict::Inconclusive);
        assert_eq!(found([CLEAR, once(&[0.8])]).verdict, Verdict::NotReproduced);
        let unknown = found([once(&[9.0]), once(&[9.0])]);
        assert_eq!(unknown.verdict, Verdict::Inconclusive);
        assert!(unknown.reason.contains("no run was timed twice"), "{}", unknown.reason);
    }

    #[test]
    fn a_method_that_holds_with_no_step_is_last() {
        let alone: [&[f64]; 5] = [&[1.0], &[], &[], &[], &[]];
        assert_eq!(found([alone, alone]).verdict, Verdict::Reproduced);
        let without: [&[f64]; 5] = [&[], &[5.0], &[], &[], &[]];
        assert_eq!(found([alone, without]).verdict, Verdict::NotReproduced);
        let none: [&[f64]; 5] = [&[]; 5];
        let finding = found([none, alone]);
        assert_eq!((finding.verdict, finding.cases, finding.left_out), (Verdict::DirectionOnly, 1, 1));
    }
}
