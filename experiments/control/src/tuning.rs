//! What the weight of forces in the goal buys and costs. S-CONTROL-TUNING.

use kit::prelude::*;

use super::sheets::{Made, Sheet, Sheets};
use super::steering::{Sought, Steering};
use super::wishes::{INTERVALS, Where, Wish, Wished};

ranges!(TuningRanges {
    //! Sheets and searches.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    sheets: Sheets,
    /// What forces of the particles' weights cost, over what the key frames cost without forces \[-\], rising.
    shares: List<Positive>,
    /// Most runs with their gradients.
    runs: Count,
});

words! {
    /// Where a search begins.
    pub enum Begun {
        Nothing = "no forces",
        /// Where the one with the next larger weight ended.
        Before = "the dearer search",
    }
}

row! {
    /// A sheet with a weight of its forces.
    pub struct TuningRow {
        /// springs on a grid, springs on triangles, or a continuum
        pub made: Made,
        /// a hidden run; or the run without forces: shifted, turned, scaled
        pub wish: Wish,
        /// particles a side
        pub side: usize,
        /// where the search begins: no forces, or the dearer search, with the next larger weight
        pub begun: Begun,
        /// what forces of the particles' weights cost, over what the key frames cost without forces
        pub share: f64,
        /// finished, or refused: the run without forces has no gradient
        pub status: Status,
        /// why the search ended before its runs did, where a run that it tried has no gradient
        pub ended: Option<String>,
        /// runs with their gradients until the best point
        pub runs: Option<u64>,
        /// root mean square distance at the key frames over that without forces
        pub distance: Option<f64>,
        /// root mean square of the forces over the weights of their particles
        pub effort: Option<f64>,
    }
}

/// Random sheets with key frames.
pub struct Tuning(pub TuningRanges);

impl Tuning {
    /// A sheet with a weight, and the forces that were found.
    fn row(&self, (sheet, wished): &(Sheet, Wished), share: f64, start: Option<&[f64]>) -> (TuningRow, Option<Vec<f64>>) {
        let begun = if start.is_some() { Begun::Before } else { Begun::Nothing };
        let (made, wish, side) = (sheet.made, wished.wish, sheet.side);
        let row = TuningRow { made, wish, side, begun, share, status: Status::Refused, ..TuningRow::default() };
        let steered = Steering::new(sheet, wished, Where::All, share);
        let Ok(Sought { course, forces, ended }) = steered.and_then(|mut steering| steering.seek(self.0.runs.get(), start))
        else {
            return (row, None);
        };
        let best = course.last();
        let row = TuningRow {
            status: Status::Finished,
            ended: ended.map(|none| none.to_string()),
            runs: best.map(|best| best.runs),
            distance: best.map(|best| best.distance),
            effort: best.map(|best| best.effort),
            ..row
        };
        (row, Some(forces))
    }
}

impl Group for Tuning {
    const NAME: &'static str = "tuning";
    const ABOUT: &'static str = "random sheets that are led to key frames, by the weight of forces in the goal";
    type Case = (Sheet, Wished);
    type Row = TuningRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> (Sheet, Wished) {
        (Sheet::draw(&self.0.sheets, stream), Wished::draw(stream))
    }

    fn measure(&self, case: &(Sheet, Wished)) -> Vec<TuningRow> {
        let shares = || self.0.shares.values().iter().rev().map(|share| share.get());
        let (mut rows, mut again, mut start) = (vec![], vec![], None::<Vec<f64>>);
        for share in shares() {
            let (row, forces) = self.row(case, share, None);
            let (next, forces) = match &start {
                Some(before) => self.row(case, share, Some(before)),
                None => (TuningRow { begun: Begun::Before, ..row.clone() }, forces), // the dearest one has none before it
            };
            rows.push(row);
            again.push(next);
            start = forces;
        }
        rows.into_iter().rev().chain(again.into_iter().rev()).collect()
    }
}

/// What counts as neither rising nor falling \[-\].
const SLACK: f64 = 0.01;

/// A point of a trade: distance and effort.
type Point = [f64; 2];

/// The trade of each sheet of which all searches that begin so are finished, with rising weights.
fn trades(rows: &[Row<TuningRow>], begun: Begun) -> Vec<Vec<Point>> {
    let of = |sheet: &[Row<TuningRow>]| {
        let rows = sheet.iter().map(|row| &row.row).filter(|row| row.begun == begun);
        rows.map(|row| Some([row.distance?, row.effort?])).collect()
    };
    rows.chunk_by(|a, b| a.set == b.set).filter_map(of).collect()
}

/// Whether distance rises and effort falls from one point to another, but for some slack.
fn trades_off([before, after]: [&Point; 2], slack: f64) -> bool {
    after[0] >= (1.0 - slack) * before[0] && after[1] <= (1.0 + slack) * before[1]
}

/// Whether it does at every step.
fn is_monotone(trade: &[Point], slack: f64) -> bool {
    trade.windows(2).all(|pair| trades_off([&pair[0], &pair[1]], slack))
}

/// S-CONTROL-TUNING.
pub fn tuned(results: &Results) -> Result<Finding, ResultsError> {
    judged(&results.rows::<Tuning>()?)
}

fn judged(rows: &[Row<TuningRow>]) -> Result<Finding, ResultsError> {
    let sheets = rows.chunk_by(|a, b| a.set == b.set).count();
    let [trades, again] = [trades(rows, Begun::Nothing), trades(rows, Begun::Before)];
    let none = || too_few("no sheet was led with all weights");
    let of = |trades: &[Vec<Point>], slack: f64| share_of(trades.iter().map(|trade| is_monotone(trade, slack)));
    let every = of(&trades, SLACK).ok_or_else(none)?;
    let ends = trades.iter().filter_map(|trade| Some(trades_off([trade.first()?, trade.last()?], 0.0)));
    let ends = share_of(ends).ok_or_else(none)?;
    let judge = |every: &Estimate| verdict(every.lies_above(0.9), ends.lies_above(0.9));
    let words = |share: &Estimate| format!("at every step of the scan on {} of {} sheets", share.percent(), share.cases);
    let others = [
        ("without slack", of(&trades, 0.0)),
        ("with a slack of 5 %", of(&trades, 0.05)),
        ("each search from where the dearer one ended", of(&again, SLACK)),
    ];
    let mut found = readings(others, words, judge);
    let pairs = trades.iter().flat_map(|trade| trade.windows(2));
    let pairs = share_of(pairs.map(|pair| trades_off([&pair[0], &pair[1]], SLACK)));
    found.extend(readings([("steps of all scans", pairs)], |share| format!("{} of {}", share.percent(), share.cases), |_| None));
    let measured = format!("{}; between the ends of the scan on {}", words(&every), ends.percent());
    let searches = || rows.iter().map(|row| &row.row).filter(|row| row.begun == Begun::Nothing);
    let reason = format!(
        "effort is bought with distance at any minimum of the goal, so that what fails shows searches that end early, or in another \
         valley: {} of {} ended where a run that they tried has no gradient, and others had no run left; more runs, or searches that are led \
         from one weight to the next, as a reading shows, would overturn it",
        searches().filter(|row| row.ended.is_some()).count(),
        searches().count()
    );
    let left_out = sheets - trades.len();
    Ok(Finding::new(judge(&every), measured, reason).rests_on(&every).cases(every.cases).left_out(left_out).readings(found))
}

/// Distance against effort, a line a sheet, and the medians by weight.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Tuning>()?;
    let line = |trade: &Vec<Point>| {
        let points = trade.iter().map(|[distance, effort]| [*effort, *distance]).collect();
        Layer::line("a sheet", Palette::GREY, points)
    };
    let mut layers: Vec<Layer> = trades(&rows, Begun::Nothing).iter().map(line).collect();
    let first = rows.iter().filter(|row| row.row.begun == Begun::Nothing);
    let by_share = grouped(first.filter_map(|row| Some((row.row.share, [row.row.distance?, row.row.effort?]))));
    let middle = |(_, points): &(f64, Vec<Point>)| {
        let of = |q: usize| median(&points.iter().map(|point| point[q]).collect::<Vec<_>>());
        Some([of(1)?, of(0)?])
    };
    let medians: Vec<[f64; 2]> = by_share.iter().filter_map(middle).collect();
    layers.push(Layer::line("medians by weight", Palette::BLUE, medians.clone()));
    layers.push(Layer::points("medians by weight", Palette::BLUE, medians));
    let x = Axis::log("effort: forces over the particles' weights");
    let panel = Panel::new(x, Axis::log("distance left"), layers).legend_outside();
    let ends = extremes(&by_share.iter().map(|(share, _)| *share).collect::<Vec<_>>()).unwrap_or_default();
    let caption = format!(
        "Root mean square distance at the key frames over that without forces, against the root mean square of the forces over the \
         weights of their particles. Along a line the weight of forces in the goal rises from right to left by factors of ten, forces of \
         the particles' weights costing from {} to {} of what the key frames cost without forces; all searches begin without forces.",
        short(ends[0]),
        short(ends[1])
    );
    Ok(Figure::new("tuning", "What is bought by the weight of forces", caption, vec![panel]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    let TuningRanges { sheets, .. } = &ranges.tuning;
    Topic::of(Tuning(ranges.tuning.clone()))
        .plot("tuning", chart)
        .judge("S-CONTROL-TUNING", tuned)
        .checked(sheets.check("tuning", INTERVALS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trades_decide() {
        let judge = |distance: fn(u64, usize) -> f64| {
            let row = |set: u64, k: usize| {
                let (distance, effort) = (Some(distance(set, k)), Some(1.0 / (1 + k) as f64));
                let row = TuningRow { share: k as f64, distance, effort, status: Status::Finished, ..TuningRow::default() };
                Row { set, row }
            };
            judged(&(0..50).flat_map(|set| (0..4).map(move |k| row(set, k))).collect::<Vec<_>>()).unwrap().verdict
        };
        assert_eq!(judge(|_, k| 0.1 * k as f64), Verdict::Reproduced);
        assert_eq!(judge(|set, k| if set % 3 == 0 && k == 2 { 0.05 } else { 0.1 * k as f64 }), Verdict::DirectionOnly);
        assert_eq!(judge(|_, k| 1.0 - 0.1 * k as f64), Verdict::NotReproduced);
    }

    #[test]
    fn a_sheet_without_a_point_is_left_out() {
        let point = |set, distance| Row { set, row: TuningRow { distance, effort: Some(1.0), ..TuningRow::default() } };
        let rows = [point(0, Some(0.1)), point(0, Some(0.2)), point(1, Some(0.1)), point(1, None)];
        let found = judged(&rows).unwrap();
        assert_eq!((found.cases, found.left_out), (1, 1));
    }
}
