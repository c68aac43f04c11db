//! How near sheets come to their key frames, by the runs that the search has taken.

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

/// What is left of the distance in the end with forces on all particles, in words; a sheet without a gradient comes no nearer.
pub fn left(results: &Results) -> Result<String, ResultsError> {
    let rows = results.without_sets::<Reach>()?;
    let limit = rows.iter().map(|row| row.runs).max();
    let last = rows.iter().filter(|row| row.forced == Where::All);
    let last = last.filter(|row| Some(row.runs) == limit || row.status != Status::Finished);
    let distances: Vec<f64> = last.map(|row| row.distance.unwrap_or(1.0)).collect();
    let none = || too_few("no sheet was led");
    let middle = Estimate::median(&distances).ok_or_else(none)?;
    let half = share_of(distances.iter().map(|distance| *distance < 0.5)).ok_or_else(none)?;
    Ok(format!("{middle} of the distance left in the median, less than half of it on {} of {}", half.percent(), half.cases))
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
    Topic::of(Reach(ranges.reach.clone())).plot("reach", chart).checked(sheets.check("reach", INTERVALS))
}
