//! How near sheets come to their key frames, by the runs that the search has taken. S-CONTROL-REACH.

use kit::prelude::*;

use super::sheets::{Hold, Made, Sheet, Sheets};
use super::steering::{Steering, after};
use super::wishes::{INTERVALS, Where, Wish, Wished};

ranges!(ReachRanges {
    //! Sheets and searches.
    /// Number of sheets.
    sets: Count,
    /// What they are drawn from.
    sheets: Sheets,
    /// What forces of the particles' weights cost, over what the key frames cost without forces \[-\].
    share: Positive,
    /// Most runs with their gradients.
    runs: Count,
});

row! {
    /// A sheet, and what its search has come to after so many runs.
    pub struct ReachRow {
        /// springs on a grid, springs on triangles, or a continuum
        pub made: Made,
        /// held along an edge, or at two corners
        pub hold: Hold,
        /// a hidden run; or the run without forces: shifted, turned, scaled
        pub wish: Wish,
        /// all particles; all particles, a hundredth as dear; the free edge; or one particle in four
        pub forced: Where,
        /// particles a side
        pub side: usize,
        /// areal density \[kg/m²\]
        pub density: f64,
        /// of stretch springs, or of warp and weft \[N/m\]
        pub stiffness: f64,
        /// root mean square distance at the key frames without forces \[m\]
        pub first: Option<f64>,
        /// finished, or refused: the run without forces has no gradient
        pub status: Status,
        /// why it is refused
        pub reason: Option<String>,
        /// why the search ended before its runs did, where a run that it tried has no gradient
        pub ended: Option<String>,
        /// runs with their gradients
        pub runs: u64,
        /// root mean square distance at the key frames over that without forces
        pub distance: Option<f64>,
        /// root mean square of the forces over the weights of their particles
        pub effort: Option<f64>,
    }
}

/// Runs after which searches are looked at, as far as they go.
const LOOKS: [u64; 9] = [1, 2, 3, 5, 10, 20, 30, 60, 120];

/// Random sheets with key frames.
pub struct Reach(pub ReachRanges);

impl Reach {
    fn rows(&self, sheet: &Sheet, wished: &Wished, forced: Where) -> Vec<ReachRow> {
        let limit = self.0.runs.get();
        let row = ReachRow {
            made: sheet.made,
            hold: sheet.hold,
            wish: wished.wish,
            forced,
            side: sheet.side,
            density: sheet.density,
            stiffness: sheet.stiffness,
            runs: limit.into(),
            ..ReachRow::default()
        };
        let steered = Steering::new(sheet, wished, forced, self.0.share.get());
        let sought = steered.and_then(|mut steering| Ok((steering.first, steering.seek(limit, None)?)));
        match sought {
            Err(refused) => vec![ReachRow { status: Status::Refused, reason: Some(refused.to_string()), ..row }],
            Ok((first, sought)) => {
                let ended = sought.ended.map(|none| none.to_string());
                let runs = LOOKS.into_iter().filter(|runs| *runs < limit.into()).chain([limit.into()]);
                let look = |runs: u64| {
                    let best = after(&sought.course, runs)?;
                    let (distance, effort, ended) = (Some(best.distance), Some(best.effort), ended.clone());
                    let (first, status) = (Some(first), Status::Finished);
                    Some(ReachRow { first, status, ended, runs, distance, effort, ..row.clone() })
                };
                runs.filter_map(look).collect()
            }
        }
    }
}

impl Group for Reach {
    const NAME: &'static str = "reach";
    const ABOUT: &'static str = "random sheets that are led to key frames, by the runs that the search has taken";
    type Case = (Sheet, Wished);
    type Row = ReachRow;

    fn sets(&self) -> u64 {
        self.0.sets.get().into()
    }

    fn case(&self, _set: u64, stream: &mut ChaCha8Rng) -> (Sheet, Wished) {
        (Sheet::draw(&self.0.sheets, stream), Wished::draw(stream))
    }

    fn measure(&self, (sheet, wished): &(Sheet, Wished)) -> Vec<ReachRow> {
        Where::ALL.into_iter().flat_map(|forced| self.rows(sheet, wished, forced)).collect()
    }
}

/// What a sheet counts with that has no gradient \[-\]: it does not come nearer.
const LOST: f64 = 1.0;

/// The bounds on the median, and on each sheet \[-\].
const NEAR: f64 = 0.1;
const HALF: f64 = 0.5;

/// Median of the last distances, and the share of the sheets that come below a half.
struct Reached {
    median: Estimate,
    half: Estimate,
}

impl Reached {
    fn of<'a>(last: impl Iterator<Item = &'a ReachRow>) -> Option<Reached> {
        let distances: Vec<f64> = last.map(|row| row.distance.unwrap_or(LOST)).collect();
        let half = share_of(distances.iter().map(|distance| *distance < HALF))?;
        Some(Reached { median: Estimate::median(&distances)?, half })
    }

    fn verdict(&self) -> Verdict {
        verdict(self.median.lies_below(NEAR).and(self.half.lies_above(0.9)), self.half.lies_above(0.5))
    }

    fn words(&self) -> String {
        let Reached { median, half } = self;
        format!("{} of the distance left in the median, less than half of it on {} of {}", median, half.percent(), half.cases)
    }
}

/// S-CONTROL-REACH.
pub fn reached(results: &Results) -> Result<Finding, ResultsError> {
    judged(&results.without_sets::<Reach>()?)
}

fn judged(rows: &[ReachRow]) -> Result<Finding, ResultsError> {
    let limit = rows.iter().map(|row| row.runs).max().unwrap_or_default();
    let at = |forced: Where, runs: u64| {
        rows.iter().filter(move |row| row.forced == forced && (row.runs == runs || row.status != Status::Finished))
    };
    let last = |forced: Where| at(forced, limit);
    let all = Reached::of(last(Where::All)).ok_or_else(|| too_few("no sheet was led"))?;
    let wishes = Wish::ALL.map(|wish| (wish.name(), Reached::of(last(Where::All).filter(|row| row.wish == wish))));
    let kinds = Made::ALL.map(|made| (made.name(), Reached::of(last(Where::All).filter(|row| row.made == made))));
    let others = [Where::Cheap, Where::Edge, Where::Quarter].map(|forced| (forced.name(), Reached::of(last(forced))));
    let sooner = [10, 30].map(|runs| (format!("after {runs} runs"), Reached::of(at(Where::All, runs))));
    let mut found = readings(wishes.into_iter().chain(kinds).chain(others), Reached::words, Reached::verdict);
    found.extend(readings(sooner.into_iter().filter(|_| limit > 30), Reached::words, Reached::verdict));
    let lost = last(Where::All).filter(|row| row.status != Status::Finished).count();
    let ended = last(Where::All).filter(|row| row.ended.is_some()).count();
    let reason = format!(
        "after {limit} runs with their gradients; {lost} of {} sheets have no gradient where nothing is forced and count as not come \
         nearer, and {ended} searches ended where a run that they tried has none, as where cloth buckles. What decides is whether cloth \
         can come to where it is wished without being strained, as the readings by key frames show: with others, softer cloth, or forces \
         that may be many times its weight, in a search that is led through buckling, the verdict would be another one",
        all.median.cases
    );
    let cases = all.median.cases;
    Ok(Finding::new(all.verdict(), all.words(), reason).rests_on(&all.median).cases(cases).readings(found))
}

/// How near sheets come by the kind of their key frames, and at what effort, with forces on all particles: a line of a table each.
pub fn lines(results: &Results) -> Result<Vec<Vec<String>>, ResultsError> {
    let rows = results.without_sets::<Reach>()?;
    let limit = rows.iter().map(|row| row.runs).max().unwrap_or_default();
    let line = |wish: Wish| {
        let of = || rows.iter().filter(|row| row.forced == Where::All && row.wish == wish && row.runs == limit);
        let middle = |value: fn(&ReachRow) -> Option<f64>| {
            median(&of().filter_map(value).collect::<Vec<_>>()).map_or_else(String::new, short)
        };
        let ended = of().filter(|row| row.ended.is_some() || row.status != Status::Finished).count();
        let sheets = of().count().to_string();
        vec![wish.to_string(), sheets, middle(|row| row.distance), middle(|row| row.effort), ended.to_string()]
    };
    Ok(Wish::ALL.map(line).into())
}

/// Medians of the distance by runs, with quartiles for forces on all particles; a panel a kind of key frames.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let rows = results.without_sets::<Reach>()?;
    let panel = |wish: Wish| {
        let layers = Where::ALL.into_iter().enumerate().flat_map(|(k, forced)| {
            let of = rows.iter().filter(|row| row.wish == wish && row.forced == forced);
            let by_runs = grouped(of.filter_map(|row| Some((row.runs, row.distance?))));
            let at = |p: f64| {
                let of = |(runs, distances): &(u64, Vec<f64>)| Some([*runs as f64, quantile(distances, p)?.max(FLOOR)]);
                by_runs.iter().filter_map(of).collect::<Vec<_>>()
            };
            let quartiles = at(0.25).into_iter().zip(at(0.75)).zip(at(0.5));
            let bars = quartiles.map(|((low, high), middle)| [middle[0], middle[1], low[1], high[1]]).collect();
            let median = Layer::line(forced.name(), Palette::series(k), at(0.5));
            let bars = (forced == Where::All).then(|| Layer::error_bars(forced.name(), Palette::series(k), bars));
            [Some(median), bars].into_iter().flatten()
        });
        let (x, y) = (Axis::log("runs with their gradients"), Axis::log("distance left").range(FLOOR, 1.5));
        Panel::new(x, y, layers.collect()).titled(wish.name()).legend_outside()
    };
    let caption = "Root mean square distance at the key frames over that without forces, by the runs with their gradients: medians over \
                   sheets by what is forced, with quartiles where all particles are.";
    let figure = Figure::new("reach", "How near cloth comes to its key frames", caption, Wish::ALL.map(panel).into());
    Ok(Figure { columns: 2, ..figure.with_one_legend() })
}

/// Least distance that is drawn \[-\].
const FLOOR: f64 = 3e-3;

pub fn topic(ranges: &super::Ranges) -> Topic {
    let ReachRanges { sheets, .. } = &ranges.reach;
    Topic::of(Reach(ranges.reach.clone()))
        .plot("reach", chart)
        .judge("S-CONTROL-REACH", reached)
        .checked(sheets.check("reach", INTERVALS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_decides() {
        let judge = |left: fn(usize) -> Option<f64>| {
            let row = |sheet: usize, runs: u64, distance: Option<f64>| ReachRow {
                status: if distance.is_some() { Status::Finished } else { Status::Refused },
                runs,
                distance,
                wish: Wish::ALL[sheet % 4],
                ..ReachRow::default()
            };
            let rows = (0..60).flat_map(|sheet| [row(sheet, 1, left(sheet).map(|_| 1.0)), row(sheet, 60, left(sheet))]);
            judged(&rows.filter(|row| row.distance.is_some() || row.runs == 60).collect::<Vec<_>>()).unwrap()
        };
        let found = judge(|sheet| Some(if sheet == 0 { 0.8 } else { 0.01 }));
        assert_eq!((found.verdict, found.cases), (Verdict::Reproduced, 60));
        assert_eq!(judge(|_| Some(0.2)).verdict, Verdict::DirectionOnly);
        assert_eq!(judge(|sheet| Some(0.02).filter(|_| sheet % 4 > 0)).verdict, Verdict::DirectionOnly);
        assert_eq!(judge(|_| None).verdict, Verdict::NotReproduced);
    }
}
