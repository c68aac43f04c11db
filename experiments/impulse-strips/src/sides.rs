//! Sheets of figure 5 by the side that the paper does not state.

use kit::prelude::*;

use super::listed::{Listed, SheetList};
use super::scene::{Hanging, Pins, RunRow, Size, Tolerance};
use super::steps::Few;
use super::time_charts::{marked, name};
use super::time_verdicts::{PUBLISHED, is_few};

ranges!(Point {
    //! A sheet of which the paper gives a time.
    #![derive(Copy)]
    /// Particles a side.
    side: Side,
    /// Permissible strain.
    tolerance: Tolerance,
});

ranges!(Length {
    //! A side of the sheet, and how many steps it is followed.
    #![derive(Copy)]
    /// The side \[m\].
    length: Positive,
    steps: Count,
});

ranges!(Air {
    //! A resistance of the air, and the sheets that have it.
    #![derive(Copy)]
    /// Over the mass \[1/s\].
    air: Positive,
    /// Side of the sheet \[m\].
    length: Positive,
    steps: Count,
});

ranges!(SideRanges {
    //! Sheets and sides.
    /// Sheets.
    points: List<Point>,
    /// Sides of sheets that hang from the ends of a row.
    lengths: List<Length>,
    /// Sides of sheets that hang from opposite corners, flat at the start: no strip of these has two pins.
    opposite: List<Length>,
    /// The largest grid of these.
    largest: Side,
    /// Sheets in air, hung from the ends of a row.
    air: List<Air>,
    /// Steps of sheets whose edges are 1 m long, whatever the grid.
    unit: Count,
    /// Most iterations a step.
    iterations: Count,
    /// Few iterations a step.
    few: Few,
    /// Grids with few iterations, and their steps.
    few_sizes: List<Size>,
});

/// The side of a sheet whose edges are 1 m long \[m\].
pub fn unit(side: Side) -> f64 {
    f64::from(side.get() - 1)
}

/// Whether the edges of a sheet are 1 m long.
pub fn is_unit(row: &RunRow) -> bool {
    row.length == (row.side - 1) as f64
}

impl SideRanges {
    fn runs(&self) -> Vec<Hanging> {
        let hung = |pins: Pins, length: Option<Length>| {
            let sized = move |run: Hanging| {
                let length = length.map_or(unit(run.size.side), |length| length.length.get());
                let arc = if pins == Pins::Row { run.arc } else { 0.0 };
                Hanging { length, pins, arc, ..run }
            };
            let steps = length.map_or(self.unit, |length| length.steps);
            let point = move |point: &Point| Hanging::usual(Size { side: point.side, steps }, point.tolerance, self.iterations);
            let few = |size: &Size| Hanging::usual(*size, self.few.tolerance, self.few.iterations);
            let full = self.points.values().iter().map(point);
            full.chain(self.few_sizes.values().iter().map(few)).map(sized).collect::<Vec<Hanging>>()
        };
        let of = |pins: Pins, lengths: &List<Length>| -> Vec<Hanging> {
            lengths.values().iter().map(|length| Some(*length)).chain([None]).flat_map(|length| hung(pins, length)).collect()
        };
        let small = |run: &Hanging| run.size.side.get() <= self.largest.get() || run.iterations == self.few.iterations;
        let opposite = of(Pins::Opposite, &self.opposite).into_iter().filter(small).collect();
        let aired = |air: &Air| {
            let Air { air, length, steps } = *air;
            let runs = hung(Pins::Row, Some(Length { length, steps })).into_iter();
            let full = runs.filter(|run| run.iterations == self.iterations);
            full.map(|run| Hanging { air: air.get(), ..run }).collect::<Vec<_>>()
        };
        let aired = self.air.values().iter().flat_map(aired).collect();
        [of(Pins::Row, &self.lengths), opposite, aired].concat()
    }
}

/// Hanging sheets; those of one grid share their pushes.
pub type Sides = Listed<SideRanges>;

impl SheetList for SideRanges {
    const NAME: &'static str = "sides";
    const ABOUT: &'static str = "the sheets of which the paper gives times, by their unstated side and by what is held";

    fn all(&self) -> Vec<(u64, Hanging)> {
        self.runs().into_iter().map(|run| (run.size.side.get().into(), run)).collect()
    }
}

/// Entry of the crosses in the legend.
const OPPOSITE: &str = "the same grids, pins at opposite corners";
/// Iterations a step by the side of the sheet, and what the published times have room for.
pub fn chart(results: &Results) -> Result<Figure, ResultsError> {
    let runs = results.without_sets::<Sides>()?;
    let axes = |y: &str| (Axis::log("side of the sheet, m"), Axis::log(y));
    let of = |pins: Pins, wanted: &dyn Fn(&RunRow) -> bool, value: fn(&RunRow) -> f64| -> Vec<[f64; 2]> {
        let rows = runs.iter().filter(|row| row.pins == pins.label() && row.air == 0.0 && row.strain.is_some() && wanted(row));
        let mut points: Vec<[f64; 2]> = rows.map(|row| [row.length, value(row)]).filter(|[_, y]| *y > 0.0).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    };
    let mut layers = vec![];
    for (k, published) in PUBLISHED.iter().enumerate() {
        let label = format!("{0} x {0}, {1}", published.side, name(published.tolerance));
        let is_point = |row: &RunRow| row.side == published.side && row.tolerance == published.tolerance && !is_few(row);
        layers.extend(marked(label, Palette::series(k), of(Pins::Row, &is_point, |row| row.iterations)));
        layers.push(
            Layer::points(OPPOSITE, Palette::series(k), of(Pins::Opposite, &is_point, |row| row.iterations))
                .marker(Marker::Cross),
        );
    }
    for (side, dash) in [(30, Dash::Dashed), (50, Dash::Dotted), (10, Dash::DashDot)] {
        if let Some(published) = PUBLISHED.iter().find(|published| published.side == side) {
            let rule =
                Layer::rule(format!("room, {side} x {side}"), Palette::GREY, Direction::Horizontal, published.iterations());
            layers.push(rule.dash(dash));
        }
    }
    let (x, y) = axes("iterations a step, mean");
    let mut counts = Panel::new(x, y, layers).titled("iterations");
    let mut layers = vec![];
    let grids: Vec<usize> = distinct(runs.iter().filter(|row| is_few(row)).map(|row| row.side));
    for (k, side) in grids.into_iter().enumerate() {
        let is_few = |row: &RunRow| row.side == side && is_few(row);
        let largest = of(Pins::Row, &is_few, |row| row.strain.unwrap_or(0.0));
        layers.extend(marked(format!("{side} x {side}, largest"), Palette::series(k), largest));
        let mean = of(Pins::Row, &is_few, |row| row.mean.unwrap_or(0.0));
        layers.extend(marked(format!("{side} x {side}, mean at the end"), Palette::series(k + 2), mean));
    }
    let bounds = [
        ("twice its length", Claimed::of("D-FIVE", "largest strain, or energy gained"), Dash::Dashed),
        ("plausible, mean", Claimed::of("D-FIVE", "mean strain at the end"), Dash::Dotted),
    ];
    layers.extend(bounds.into_iter().filter_map(|(label, number, dash)| {
        Some(Layer::rule(label, Palette::GREY, Direction::Horizontal, number.direction()?).dash(dash))
    }));
    let (x, y) = axes("abs(strain)");
    let mut few = Panel::new(x, y, layers).titled("five iterations a step");
    counts.legend = Corner::Outside;
    few.legend = Corner::Outside;
    let caption = "Grey: the iterations that the published times of a grid have room for, where one takes a fifth of the \
                   published time of five. The side of the sheet is not stated in the paper; with edges of 1 m it is 9, 29 and 49 \
                   m.";
    Ok(Figure::new("sides", "The unstated side of the sheet", caption, vec![counts, few]))
}

pub fn topic(ranges: &super::Ranges) -> Topic {
    Topic::of(Listed(ranges.sides.clone())).plot("sides", chart)
}
