//! Whether collisions may come last, from the rows of the drapes.

use kit::prelude::*;

use super::order::{Order, OrderRow, Orders};

/// Strain that counts as negligible \[-\]: the paper's quasi-inextensible regime, "stretching below 1 %".
const NEGLIGIBLE: f64 = 0.01;
/// Steps a second that verdicts are made at.
const RATE: u32 = 960;
/// Growth of strain from the middle third to the last one that counts as none \[-\].
const GROWTH: f64 = 1.25;

/// Runs of a drape at a permissible strain and a rate, with collisions last, with the projection last, and with solids alone.
type Trio<'a> = [&'a OrderRow; 3];

/// The runs at a rate.
fn trios(rows: &[Row<OrderRow>], rate: u32) -> Vec<Trio<'_>> {
    let of = |order: Order| rows.iter().filter(move |row| row.row.order == order && row.row.rate == rate);
    let trio = |row| {
        let beside = |order| of(order).find(|other| is_beside(row, other)).map(|other| &other.row);
        Some([&row.row, beside(Order::ProjectionLast)?, beside(Order::SolidsAlone)?])
    };
    of(Order::CollisionsLast).filter_map(trio).collect()
}

fn is_beside(one: &Row<OrderRow>, other: &Row<OrderRow>) -> bool {
    one.set == other.set && one.row.strain.total_cmp(&other.row.strain).is_eq()
}

/// The rate of verdicts, or the one next to it, and the others.
fn rates(rows: &[Row<OrderRow>]) -> Result<(u32, Vec<u32>), ResultsError> {
    let rates: Vec<u32> = distinct(rows.iter().map(|row| row.row.rate));
    let nearest = rates.iter().copied().min_by_key(|rate| rate.abs_diff(RATE)).ok_or_else(|| too_few("no drape was run"))?;
    Ok((nearest, rates.into_iter().filter(|rate| *rate != nearest).collect()))
}

/// A claim at every rate: the finding at that of verdicts with the others as readings.
fn at_all_rates<T>(
    rows: &[Row<OrderRow>],
    judge: impl Fn(&[Trio]) -> Option<T>,
    words: impl Fn(&T) -> String,
    verdict_of: impl Fn(&T) -> Verdict,
    estimate: impl Fn(&T) -> Estimate,
    reason: &str,
) -> Result<Finding, ResultsError> {
    let (rate, others) = rates(rows)?;
    let main = trios(rows, rate);
    let found = judge(&main).ok_or_else(|| too_few("no drape by fast projection can be judged"))?;
    let strains = distinct(main.iter().map(|[last, ..]| last.strain));
    let at = strains.iter().map(|&strain| {
        let of: Vec<Trio> = main.iter().copied().filter(|[last, ..]| last.strain.total_cmp(&strain).is_eq()).collect();
        (format!("permissible {}", percent(strain)), judge(&of))
    });
    let slower = others.iter().map(|&rate| (format!("{rate} steps a second"), judge(&trios(rows, rate))));
    let readings = readings(at.chain(slower), &words, &verdict_of);
    let [lost, others_lost] = [0, 1].map(|k| left_out(main.iter().map(|runs| runs[k].status)));
    let rests_on = estimate(&found);
    Ok(Finding::new(
        verdict_of(&found),
        words(&found),
        format!("at {rate} steps a second; with collisions last {lost}, with the projection last {others_lost}; {reason}"),
    )
    .rests_on(&rests_on)
    .cases(rests_on.cases)
    .left_out(main.len().saturating_sub(rests_on.cases))
    .readings(readings))
}

/// G-LAST.
pub fn last(results: &Results) -> Result<Finding, ResultsError> {
    judged_last(&results.rows::<Orders>()?)
}

/// Runs with collisions last that cross, those that come to their end, and the share of runs that cross with the projection last,
/// and of drapes with fewer steps with crossings with collisions last.
struct Crossed {
    crossed: usize,
    finished: usize,
    other: Estimate,
    fewer: Estimate,
}

fn judged_last(rows: &[Row<OrderRow>]) -> Result<Finding, ResultsError> {
    // those that pass through themselves where nothing keeps them apart, or all
    let judge_of = |runs: &[Trio], all: bool| {
        let kept = || runs.iter().filter(|[.., alone]| all || alone.crossed > 0);
        let finished = kept().filter(|[last, ..]| last.status == Status::Finished);
        let share = |row: &OrderRow| row.crossed as f64 / row.steps.max(1) as f64;
        let is_fewer = |[last, other, _]: &Trio| last.status == Status::Finished && share(last) < share(other);
        Some(Crossed {
            crossed: finished.clone().filter(|[last, ..]| last.crossed > 0).count(),
            finished: Some(finished.count()).filter(|finished| *finished > 0)?,
            other: share_of(kept().map(|[_, other, _]| other.crossed > 0))?,
            fewer: share_of(kept().map(is_fewer))?,
        })
    };
    let words = |found: &Crossed| {
        let Crossed { crossed, finished, other, .. } = found;
        format!(
            "{crossed} of {finished} runs cross with collisions last, {} of {} with the projection last",
            other.percent(),
            other.cases
        )
    };
    let verdict_of = |found: &Crossed| {
        let holds = Answer::from(found.crossed == 0).and(found.other.lies_above(0.5));
        verdict(holds, found.fewer.lies_above(0.5))
    };
    let reason = "the collisions are this project's, which hold by construction: what is found is that the projection undoes them, and \
                  that what it has made cross they often cannot resolve; one crossing after collisions, or a projection that keeps sheets \
                  apart, would overturn it";
    let mut finding = at_all_rates(rows, |runs| judge_of(runs, false), words, verdict_of, |found| found.other, reason)?;
    let all = judge_of(&trios(rows, rates(rows)?.0), true);
    finding.readings.extend(readings([("all drapes", all)], words, verdict_of));
    Ok(finding)
}

/// G-LAST-STRAIN.
pub fn strain_after(results: &Results) -> Result<Finding, ResultsError> {
    judged_strain(&results.rows::<Orders>()?)
}

/// Shares of drapes of which the 99th percentile, and the median edge, are negligible, and the median of the former.
struct Strained {
    tight: Estimate,
    edges: Estimate,
    typical: f64,
    worst: f64,
}

fn judged_strain(rows: &[Row<OrderRow>]) -> Result<Finding, ResultsError> {
    let judge = |runs: &[Trio]| {
        let met: Vec<&OrderRow> =
            runs.iter().map(|[last, ..]| *last).filter(|last| last.frames > 0 || last.status != Status::Finished).collect();
        let is = |pick: fn(&OrderRow) -> Option<f64>| {
            share_of(met.iter().map(|row| row.status == Status::Finished && pick(row).is_some_and(|strain| strain <= NEGLIGIBLE)))
        };
        let of = |pick: fn(&OrderRow) -> Option<f64>| median(&met.iter().filter_map(|row| pick(row)).collect::<Vec<_>>());
        let [tight, edges] = [is(|row| row.typical99)?, is(|row| row.typical_median)?];
        Some(Strained { tight, edges, typical: of(|row| row.typical99)?, worst: of(|row| row.worst99)? })
    };
    let words = |found: &Strained| {
        format!(
            "{} of {} drapes stay within 1 % in the typical frame; {} in the median drape, {} in its worst frame",
            found.tight.percent(),
            found.tight.cases,
            percent(found.typical),
            percent(found.worst)
        )
    };
    let verdict_of = |found: &Strained| verdict(found.tight.lies_above(0.5), found.edges.lies_above(0.5));
    let reason = "what collisions move apart in a step the next projection finds strained, so that the strain falls with the step: longer ones, \
                  or faster cloth, would overturn it";
    at_all_rates(rows, judge, words, verdict_of, |found| found.tight, reason)
}

/// G-NO-DRIFT.
pub fn accumulation(results: &Results) -> Result<Finding, ResultsError> {
    judged_accumulation(&results.rows::<Orders>()?)
}

/// Share of drapes whose every projection ends within its strain, and growth of strain after collisions.
struct Grown {
    within: Estimate,
    growth: Estimate,
}

fn judged_accumulation(rows: &[Row<OrderRow>]) -> Result<Finding, ResultsError> {
    let judge = |runs: &[Trio]| {
        let last = || runs.iter().map(|[last, ..]| *last);
        let grown = |row: &OrderRow| Some(row.last_third99? / row.middle_third99.filter(|strain| *strain > 0.0)?);
        let growths: Vec<f64> = last().filter(|row| row.status == Status::Finished).filter_map(grown).collect();
        let within = share_of(last().map(|row| row.status == Status::Finished && row.beyond == 0))?;
        Some(Grown { within, growth: Estimate::median(&growths)? })
    };
    let words = |found: &Grown| {
        format!(
            "every projection within its strain on {} of {} drapes; the last third is strained {} times as much as the middle one in the \
             median",
            found.within.percent(),
            found.within.cases,
            found.growth
        )
    };
    let verdict_of = |found: &Grown| {
        let kept = found.within.lies_above(0.9);
        verdict(kept.and(found.growth.lies_below(GROWTH)), kept)
    };
    let reason = "thirds of the frames with contact; longer runs, in which cloth that lies still is pressed for minutes, could overturn it";
    at_all_rates(rows, judge, words, verdict_of, |found| found.within, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drapes with collisions last as `edit` makes them; with the others they cross themselves.
    fn drapes(edit: impl Fn(u64, &mut OrderRow)) -> Vec<Row<OrderRow>> {
        let of = |set: u64| {
            let strained = Some(0.005);
            let mut last = OrderRow {
                order: Order::CollisionsLast,
                strain: 0.001,
                rate: 960,
                status: Status::Finished,
                steps: 10,
                frames: 9,
                typical99: strained,
                typical_median: strained,
                worst99: strained,
                middle_third99: strained,
                last_third99: strained,
                ..OrderRow::default()
            };
            let other = OrderRow { order: Order::ProjectionLast, crossed: 5, ..last.clone() };
            let alone = OrderRow { order: Order::SolidsAlone, ..other.clone() };
            edit(set, &mut last);
            [last, other, alone].map(|row| Row { set, row })
        };
        (0..40).flat_map(of).collect()
    }

    #[test]
    fn one_crossing_overturns_collisions_that_come_last() {
        assert_eq!(judged_last(&drapes(|_, _| ())).unwrap().verdict, Verdict::Reproduced);
        let one = judged_last(&drapes(|set, row| row.crossed = u64::from(set == 7))).unwrap();
        assert_eq!((one.verdict, one.cases), (Verdict::DirectionOnly, 40));
        assert_eq!(judged_last(&drapes(|_, row| row.crossed = 6)).unwrap().verdict, Verdict::NotReproduced);
    }

    #[test]
    fn most_drapes_decide_on_strain() {
        let judge = |edit: fn(u64, &mut OrderRow)| judged_strain(&drapes(edit)).unwrap().verdict;
        assert_eq!(judge(|_, _| ()), Verdict::Reproduced);
        assert_eq!(judge(|_, row| row.typical99 = Some(0.02)), Verdict::DirectionOnly);
        assert_eq!(judge(|_, row| row.status = Status::NotFinite), Verdict::NotReproduced);
    }

    #[test]
    fn strain_that_grows_or_stays_beyond_is_accumulated() {
        let judge = |edit: fn(u64, &mut OrderRow)| judged_accumulation(&drapes(edit)).unwrap().verdict;
        assert_eq!(judge(|_, _| ()), Verdict::Reproduced);
        assert_eq!(judge(|_, row| row.last_third99 = Some(0.01)), Verdict::DirectionOnly);
        assert_eq!(judge(|_, row| row.beyond = 1), Verdict::NotReproduced);
    }
}
