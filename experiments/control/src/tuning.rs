//! What the weight of forces in the goal buys and costs.

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

/// A point of a trade: distance and effort.
type Point = [f64; 2];

/// The trade of each sheet of which all searches from no forces are finished, with rising weights.
fn trades(rows: &[Row<TuningRow>]) -> Vec<Vec<Point>> {
    let of = |sheet: &[Row<TuningRow>]| {
        let rows = sheet.iter().map(|row| &row.row).filter(|row| row.begun == Begun::Nothing);
        rows.map(|row| Some([row.distance?, row.effort?])).collect()
    };
    rows.chunk_by(|a, b| a.set == b.set).filter_map(of).collect()
}

/// Whether distance rises and effort falls from one point to another, but for some slack.
fn trades_off([before, after]: [&Point; 2], slack: f64) -> bool {
    after[0] >= (1.0 - slack) * before[0] && after[1] <= (1.0 + slack) * before[1]
}

/// How many sheets trade distance for effort, in words; what changes by 1 % neither rises nor falls.
pub fn bought(results: &Results) -> Result<String, ResultsError> {
    let trades = trades(&results.rows::<Tuning>()?);
    let none = || too_few("no sheet was led with all weights");
    let is_traded = |trade: &Vec<Point>| trade.windows(2).all(|pair| trades_off([&pair[0], &pair[1]], 0.01));
    let every = share_of(trades.iter().map(is_traded)).ok_or_else(none)?;
    let ends = trades.iter().filter_map(|trade| Some(trades_off([trade.first()?, trade.last()?], 0.0)));
    let ends = share_of(ends).ok_or_else(none)?;
    Ok(format!(
        "at every step of the scan on {} of {} sheets; between the ends of the scan on {}",
        every.percent(),
        every.cases,
        ends.percent()
    ))
}

/// Distance against effort, a line a sheet, and the medians by weight.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.rows::<Tuning>()?;
    let line = |trade: &Vec<Point>| {
        let points = trade.iter().map(|[distance, effort]| [*effort, *distance]).collect();
        Layer::line("a sheet", Palette::GREY, points)
    };
    let mut layers: Vec<Layer> = trades(&rows).iter().map(line).collect();
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
    Topic::of(Tuning(ranges.tuning.clone())).plot("tuning", chart).checked(sheets.check("tuning", INTERVALS))
}
