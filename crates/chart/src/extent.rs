//! Extent of what a panel shows, where its axes leave the range to the data.

use super::axis::{Scale, Span};
use super::layer::{Direction, Layer};
use super::{Chart, ChartError};

/// Share of the range left free beyond the data.
const MARGIN: f64 = 0.04;
/// Longest side of a panel with equal units, in terms of the shortest, where the range may still be chosen.
const LONGEST: f64 = 3.0;

/// What a panel shows of its two axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub x: Span,
    pub y: Span,
}

impl Window {
    /// The given ranges, or those of the data.
    pub fn of(chart: &Chart, equal_aspect: bool) -> Result<Self, ChartError> {
        let axes = [&chart.x, &chart.y];
        let given = [chart.x.given()?, chart.y.given()?];
        let mut extents = Extents { scales: axes.map(|axis| axis.scale), given, axes: [Extent::EMPTY; 2] };
        for layer in &chart.layers {
            extents.add(layer);
        }
        let of_data = |k: usize| axes[k].oriented(extents.axes[k].span(extents.scales[k]));
        let [mut x, mut y] = [0, 1].map(|k| given[k].unwrap_or_else(|| of_data(k)).bounded());
        if equal_aspect {
            if given[0].is_none() {
                x = at_least(x, y.length() / LONGEST).bounded();
            }
            if given[1].is_none() {
                y = at_least(y, x.length() / LONGEST).bounded();
            }
        }
        Ok(Self { x, y })
    }

    pub fn holds(&self, [u, v]: [f64; 2]) -> bool {
        self.x.holds(u) && self.y.holds(v)
    }

    /// Place of a point, shown or not; `None` when a coordinate has none.
    pub fn place(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        Some([self.x.scale.place(x)?, self.y.scale.place(y)?])
    }
}

/// `span`, widened about its middle to a `length` at least.
fn at_least(span: Span, length: f64) -> Span {
    let pad = ((length - span.length()) / 2.0).max(0.0);
    Span { from: span.from - pad, to: span.to + pad, ..span }
}

/// Range of places on one axis; a margin is left beyond what is loose, none beyond what is tight.
#[derive(Clone, Copy)]
struct Extent {
    tight: (f64, f64),
    loose: (f64, f64),
}

impl Extent {
    const EMPTY: Self = Self { tight: (f64::INFINITY, f64::NEG_INFINITY), loose: (f64::INFINITY, f64::NEG_INFINITY) };

    fn tight(&mut self, at: f64) {
        self.tight = (self.tight.0.min(at), self.tight.1.max(at));
    }

    fn loose(&mut self, at: f64) {
        self.loose = (self.loose.0.min(at), self.loose.1.max(at));
    }

    fn span(&self, scale: Scale) -> Span {
        let (low, high) = (self.tight.0.min(self.loose.0), self.tight.1.max(self.loose.1));
        if low > high {
            return Span::new(scale, 0.0, 1.0);
        }
        let margin = MARGIN * (high - low);
        Span::new(scale, self.tight.0.min(self.loose.0 - margin), self.tight.1.max(self.loose.1 + margin))
    }
}

/// Extents of both axes.
struct Extents {
    scales: [Scale; 2],
    given: [Option<Span>; 2],
    axes: [Extent; 2],
}

impl Extents {
    /// Place of a point; `None` when a coordinate has none.
    fn place(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        Some([self.scales[0].place(x)?, self.scales[1].place(y)?])
    }

    /// Counts a point in, unless a given range leaves it out.
    fn point(&mut self, point: [f64; 2]) {
        let Some([u, v]) = self.place(point) else { return };
        if self.given[0].is_none_or(|span| span.holds(u)) && self.given[1].is_none_or(|span| span.holds(v)) {
            self.axes[0].loose(u);
            self.axes[1].loose(v);
        }
    }

    fn add(&mut self, layer: &Layer) {
        match layer {
            Layer::Points { points, .. } | Layer::Line { points, .. } => points.iter().for_each(|&point| self.point(point)),
            Layer::ErrorBars { points, axis, .. } => {
                for &[x, y, low, high] in points {
                    [low, high].into_iter().for_each(|end| match axis {
                        Direction::Vertical => self.point([x, end]),
                        Direction::Horizontal => self.point([end, y]),
                    });
                    self.point([x, y]);
                }
            }
            Layer::Texts { points } => points.iter().for_each(|(point, _)| self.point(*point)),
            Layer::Bars { edges, heights, .. } => {
                edges.iter().filter_map(|&edge| self.scales[0].place(edge)).for_each(|u| self.axes[0].loose(u));
                self.heights(heights);
            }
            Layer::Cells { size, centres, .. } => centres.iter().for_each(|&centre| self.cell(centre, *size)),
            Layer::Entries { entries, .. } => {
                entries.iter().map(Layer::entry_centre).for_each(|centre| self.cell(centre, [1.0, 1.0]))
            }
            Layer::Band { axis, from, to, .. } => [*from, *to].into_iter().for_each(|end| self.across(*axis, end)),
            Layer::Rule { axis, at, .. } => self.across(*axis, *at),
        }
    }

    /// Cells reach the frame.
    fn cell(&mut self, centre: [f64; 2], size: [f64; 2]) {
        let Some(centre) = self.place(centre) else { return };
        for side in [-0.5, 0.5] {
            (0..2).for_each(|k| self.axes[k].tight(centre[k] + side * size[k]));
        }
    }

    /// Bars start at zero, without a margin; on a logarithmic axis a little below the lowest, so that it can be seen.
    fn heights(&mut self, heights: &[f64]) {
        let places = heights.iter().filter_map(|&height| self.scales[1].place(height));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let y = &mut self.axes[1];
        if low > high {
            return;
        }
        if self.scales[1] == Scale::Log {
            y.tight(low - 0.3);
            y.loose.1 = y.loose.1.max(high);
            return;
        }
        y.tight(0.0);
        if low < 0.0 {
            y.loose.0 = y.loose.0.min(low);
        }
        if high > 0.0 {
            y.loose.1 = y.loose.1.max(high);
        }
    }

    fn across(&mut self, axis: Direction, at: f64) {
        let k = match axis {
            Direction::Vertical => 0,
            Direction::Horizontal => 1,
        };
        if let Some(place) = self.scales[k].place(at) {
            self.axes[k].loose(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Palette};
    use super::*;

    fn window(x: Axis, y: Axis, layers: Vec<Layer>) -> Window {
        Window::of(&Chart { x, y, layers }, false).expect("valid ranges")
    }

    #[test]
    fn points_get_a_margin_and_bars_stand_on_the_axis() {
        let points = Layer::points("", Palette::BLUE, vec![[0.0, -1.0], [100.0, 1.0], [f64::NAN, 50.0]]);
        let shown = window(Axis::linear(""), Axis::linear(""), vec![points]);
        assert_eq!((shown.x.from, shown.x.to), (-4.0, 104.0));
        assert_eq!((shown.y.from, shown.y.to), (-1.08, 1.08));
        let bars = Layer::bars("", Palette::BLUE, vec![0.0, 1.0, 2.0], vec![0.0, 50.0]);
        let shown = window(Axis::linear(""), Axis::linear(""), vec![bars]);
        assert_eq!((shown.y.from, shown.y.to), (0.0, 52.0));
    }

    #[test]
    fn cells_fill_the_panel_in_decades_on_a_log_axis() {
        let cells = Layer::cells("", Palette::BLUE, [1.0, 0.5], vec![[10.0, 1.0], [100.0, 1.0]]);
        let shown = window(Axis::log(""), Axis::linear(""), vec![cells]);
        assert_eq!((shown.x.from, shown.x.to), (0.5, 2.5));
        assert_eq!((shown.y.from, shown.y.to), (0.75, 1.25));
    }

    #[test]
    fn a_given_range_limits_what_the_other_axis_shows() {
        let points = Layer::points("", Palette::BLUE, vec![[0.0, 0.0], [1.0, 10.0], [5.0, 1e6]]);
        let shown = window(Axis::linear("").range(0.0, 2.0), Axis::linear(""), vec![points]);
        assert_eq!((shown.y.from, shown.y.to), (-0.4, 10.4));
    }

    #[test]
    fn equal_units_widen_only_ranges_that_are_free() {
        let points = Layer::points("", Palette::BLUE, vec![[0.0, 0.0], [30.0, 1.0]]);
        let chart = Chart { x: Axis::linear("").range(0.0, 30.0), y: Axis::linear(""), layers: vec![points] };
        let shown = Window::of(&chart, true).expect("valid ranges");
        assert_eq!((shown.x.from, shown.x.to), (0.0, 30.0));
        assert_eq!((shown.y.from, shown.y.to), (-4.5, 5.5));
    }
}
