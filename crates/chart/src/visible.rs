//! What of a layer lies within the frame: nothing is moved to the border, all else is cut exactly there.

use super::ChartError;
use super::axis::Span;
use super::extent::Window;
use super::layer::{Direction, Layer};
use super::region;

/// Shapes of a layer, in places on the axes, within the window.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Marks(Vec<[f64; 2]>),
    /// Lines, each from vertex to vertex.
    Paths(Vec<Vec<[f64; 2]>>),
    /// Rectangles: left, bottom, right, top.
    Boxes(Vec<[f64; 4]>),
    /// Closed outlines of regions.
    Regions(Vec<Vec<[f64; 2]>>),
    /// Intervals in y.
    Whiskers(Vec<Whisker>),
}

/// Interval in y, or in x where x and y are exchanged, with a mark where its value is shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Whisker {
    pub x: f64,
    pub y: Option<f64>,
    pub low: End,
    pub high: End,
}

impl Whisker {
    /// Place of a value of its interval.
    pub fn place(&self, axis: Direction, value: f64) -> [f64; 2] {
        if axis == Direction::Vertical { [self.x, value] } else { [value, self.x] }
    }
}

/// End of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct End {
    pub at: f64,
    /// Whether the frame cuts the interval here.
    pub cut: bool,
}

/// A layer as it shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Visible {
    pub shape: Shape,
    /// Of every datum of the layer, whether it is shown in full.
    pub inside: Vec<bool>,
}

impl Visible {
    /// Number of data that are left out or cut.
    pub fn outside(&self) -> usize {
        self.inside.iter().filter(|&&inside| !inside).count()
    }

    pub fn is_empty(&self) -> bool {
        match &self.shape {
            Shape::Marks(marks) => marks.is_empty(),
            Shape::Paths(paths) | Shape::Regions(paths) => paths.is_empty(),
            Shape::Boxes(boxes) => boxes.is_empty(),
            Shape::Whiskers(whiskers) => whiskers.is_empty(),
        }
    }

    /// The part of a layer within a window.
    pub fn of(layer: &Layer, window: &Window) -> Result<Self, ChartError> {
        Ok(match layer {
            Layer::Points { points, .. } => marks(points, window),
            Layer::Line { points, .. } => paths(points, window),
            Layer::Bars { label, edges, heights, .. } => {
                if edges.len() != heights.len() + 1 && !(edges.is_empty() && heights.is_empty()) {
                    return Err(ChartError::Bars { layer: label.clone(), edges: edges.len(), heights: heights.len() });
                }
                bars(edges, heights, window)
            }
            Layer::Cells { label, size, centres, .. } => cells(label, *size, centres, window)?,
            Layer::Entries { label, entries, .. } => {
                let centres: Vec<_> = entries.iter().map(Layer::entry_centre).collect();
                cells(label, [1.0, 1.0], &centres, window)?
            }
            Layer::Band { axis, from, to, .. } => band(*axis, *from, *to, window),
            Layer::Rule { axis, at, .. } => rule(*axis, *at, window),
            Layer::ErrorBars { points, axis: Direction::Vertical, .. } => whiskers(points, window),
            Layer::ErrorBars { points, axis: Direction::Horizontal, .. } => {
                let points: Vec<_> = points.iter().map(|&[x, y, low, high]| [y, x, low, high]).collect();
                whiskers(&points, &Window { x: window.y, y: window.x })
            }
            Layer::Texts { points } => marks(&points.iter().map(|(point, _)| *point).collect::<Vec<_>>(), window),
        })
    }
}

/// Cells between two cells of a region at most.
const FARTHEST: f64 = 1e9;

fn marks(points: &[[f64; 2]], window: &Window) -> Visible {
    let places: Vec<_> = points.iter().map(|&point| window.place(point).filter(|&place| window.holds(place))).collect();
    let inside = places.iter().map(Option::is_some).collect();
    Visible { shape: Shape::Marks(places.into_iter().flatten().collect()), inside }
}

fn paths(points: &[[f64; 2]], window: &Window) -> Visible {
    let places: Vec<_> = points.iter().map(|&point| window.place(point)).collect();
    let inside = places.iter().map(|place| place.is_some_and(|place| window.holds(place))).collect();
    let mut paths: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut unbroken = false; // whether the next segment starts where the last path ends
    for pair in places.windows(2) {
        let shown = match pair {
            [Some(from), Some(to)] => clip(*from, *to, window).map(|shown| (shown, *to)),
            _ => None,
        };
        let Some(([from, to], end)) = shown else {
            unbroken = false;
            continue;
        };
        match paths.last_mut() {
            Some(path) if unbroken => path.push(to),
            _ => paths.push(vec![from, to]),
        }
        unbroken = to == end;
    }
    Visible { shape: Shape::Paths(paths), inside }
}

/// The part of a segment within the window [Liang & Barsky 1984]; an end that lies within is kept as it is.
///
/// Each cut is measured from the other end, so that a segment to a place very far away is cut precisely too.
fn clip(from: [f64; 2], to: [f64; 2], window: &Window) -> Option<[[f64; 2]; 2]> {
    if window.holds(from) && window.holds(to) {
        return Some([from, to]);
    }
    let (enter, leave) = crossing(from, to, window)?;
    if enter > leave {
        return None;
    }
    let cut = |from: [f64; 2], to: [f64; 2]| {
        let (_, leave) = crossing(from, to, window)?;
        let at = [0, 1].map(|k| from[k] + leave * (to[k] - from[k]));
        Some([at[0].clamp(window.x.from, window.x.to), at[1].clamp(window.y.from, window.y.to)]) // rounding only
    };
    Some([if window.holds(from) { from } else { cut(to, from)? }, if window.holds(to) { to } else { cut(from, to)? }])
}

/// Fractions of a segment at which it enters and leaves the window, 0 and 1 at most, out of order if it passes by;
/// `None` if it runs beside the window.
fn crossing(from: [f64; 2], to: [f64; 2], window: &Window) -> Option<(f64, f64)> {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (k, span) in [window.x, window.y].into_iter().enumerate() {
        let along = to[k] - from[k];
        for (step, room) in [(-along, from[k] - span.from), (along, span.to - from[k])] {
            if step < 0.0 {
                enter = enter.max(room / step);
            } else if step > 0.0 {
                leave = leave.min(room / step);
            } else if room < 0.0 {
                return None;
            }
        }
    }
    Some((enter, leave))
}

fn bars(edges: &[f64], heights: &[f64], window: &Window) -> Visible {
    let ground = window.y.reach(0.0).unwrap_or(window.y.from);
    let mut boxes = Vec::new();
    let mut inside = Vec::with_capacity(heights.len());
    for (sides, &height) in edges.windows(2).zip(heights) {
        let Some([left, right, top]) = bar(sides, height, ground, window) else {
            inside.push(false);
            continue;
        };
        inside.push(window.x.holds(left) && window.x.holds(right) && (window.y.holds(top) || top == ground));
        boxes.extend(cut([left, ground.min(top), right, ground.max(top)], window).filter(|_| top != ground));
    }
    Visible { shape: Shape::Boxes(boxes), inside }
}

/// Places of the sides and the top of a bar; a bar of no height ends at the ground, on logarithmic axes too.
fn bar(sides: &[f64], height: f64, ground: f64, window: &Window) -> Option<[f64; 3]> {
    let (a, b) = (window.x.scale.place(sides[0])?, window.x.scale.place(sides[1])?);
    let top = if height == 0.0 { ground } else { window.y.scale.place(height)? };
    Some([a.min(b), a.max(b), top])
}

/// The part of a rectangle within the window; `None` when nothing is left.
fn cut([left, bottom, right, top]: [f64; 4], window: &Window) -> Option<[f64; 4]> {
    let (left, right) = (left.max(window.x.from), right.min(window.x.to));
    let (bottom, top) = (bottom.max(window.y.from), top.min(window.y.to));
    (left < right && bottom < top).then_some([left, bottom, right, top])
}

fn cells(label: &str, size: [f64; 2], centres: &[[f64; 2]], window: &Window) -> Result<Visible, ChartError> {
    if !size.iter().all(|&side| side > 0.0 && side.is_finite()) {
        return Err(ChartError::CellSize { layer: label.into(), width: size[0], height: size[1] });
    }
    let places: Vec<_> = centres.iter().map(|&centre| window.place(centre)).collect();
    let inside = places.iter().map(|place| place.is_some_and(|place| window.holds(place))).collect();
    let Some(origin) = places.iter().copied().flatten().next() else {
        return Ok(Visible { shape: Shape::Regions(Vec::new()), inside });
    };
    let mut grid = region::Cells::new();
    for (place, centre) in places.iter().zip(centres) {
        let Some(place) = *place else { continue };
        let steps = [(place[0] - origin[0]) / size[0], (place[1] - origin[1]) / size[1]];
        if steps.iter().any(|step| (step - step.round()).abs() > 0.01 || step.abs() > FARTHEST) {
            return Err(ChartError::CellsOffGrid { layer: label.into(), x: centre[0], y: centre[1] });
        }
        let [left, bottom] = [0, 1].map(|k| origin[k] + (steps[k].round() - 0.5) * size[k]);
        if cut([left, bottom, left + size[0], bottom + size[1]], window).is_some() {
            grid.insert((steps[0].round() as i64, steps[1].round() as i64));
        }
    }
    // Clamping is exact here: all sides are parallel to the frame, and cells wholly beyond it are gone.
    let corner = |(i, j): (i64, i64)| {
        let u = origin[0] + (i as f64 - 0.5) * size[0];
        let v = origin[1] + (j as f64 - 0.5) * size[1];
        [u.clamp(window.x.from, window.x.to), v.clamp(window.y.from, window.y.to)]
    };
    let outlines = region::outlines(grid).into_iter().map(|outline| outline.into_iter().map(corner).collect());
    Ok(Visible { shape: Shape::Regions(outlines.collect()), inside })
}

fn band(axis: Direction, from: f64, to: f64, window: &Window) -> Visible {
    let range = |span: &Span| Some((span.reach(from)?, span.reach(to)?));
    let (x, y) = (window.x, window.y);
    let shown = match axis {
        Direction::Vertical => range(&x).and_then(|(a, b)| cut([a.min(b), y.from, a.max(b), y.to], window)),
        Direction::Horizontal => range(&y).and_then(|(a, b)| cut([x.from, a.min(b), x.to, a.max(b)], window)),
    };
    Visible { inside: vec![shown.is_some()], shape: Shape::Boxes(shown.into_iter().collect()) }
}

fn rule(axis: Direction, at: f64, window: &Window) -> Visible {
    let place = |span: &Span| span.scale.place(at).filter(|&place| span.holds(place));
    let (x, y) = (window.x, window.y);
    let shown = match axis {
        Direction::Vertical => place(&x).map(|u| vec![[u, y.from], [u, y.to]]),
        Direction::Horizontal => place(&y).map(|v| vec![[x.from, v], [x.to, v]]),
    };
    Visible { inside: vec![shown.is_some()], shape: Shape::Paths(shown.into_iter().collect()) }
}

fn whiskers(points: &[[f64; 4]], window: &Window) -> Visible {
    let all: Vec<_> = points.iter().map(|&point| whisker(point, window)).collect();
    let whole = |whisker: &Whisker| whisker.y.is_some() && !whisker.low.cut && !whisker.high.cut;
    let inside = all.iter().map(|whisker| whisker.as_ref().is_some_and(whole)).collect();
    Visible { shape: Shape::Whiskers(all.into_iter().flatten().collect()), inside }
}

fn whisker([x, y, low, high]: [f64; 4], window: &Window) -> Option<Whisker> {
    let x = window.x.scale.place(x).filter(|&u| window.x.holds(u))?;
    let y = window.y.scale.place(y);
    let (a, b) = (window.y.reach(low)?, window.y.reach(high)?);
    let (low_end, high_end) = (a.min(b), a.max(b));
    if low_end > window.y.to || high_end < window.y.from {
        return None;
    }
    let end = |at: f64, value: f64| End {
        at: at.clamp(window.y.from, window.y.to),
        cut: !window.y.holds(at) || window.y.scale.place(value).is_none(),
    };
    let (low, high) = if a <= b { (end(a, low), end(b, high)) } else { (end(b, high), end(a, low)) };
    Some(Whisker { x, y: y.filter(|&v| window.y.holds(v)), low, high })
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Chart, Palette};
    use super::*;

    /// x from 0 to 10, y from 0 to 4.
    fn window() -> Window {
        let [x, y] = [10.0, 4.0].map(|to| Axis::linear("").range(0.0, to));
        Window::of(&Chart { x, y, layers: vec![] }, false).expect("valid ranges")
    }

    fn visible(layer: Layer) -> Visible {
        Visible::of(&layer, &window()).expect("valid layer")
    }

    #[test]
    fn segments_are_cut_at_the_frame() {
        // From (-2, 0) with slope 1/2: enters at x = 0, y = 1; leaves at y = 4, x = 6.
        assert_eq!(clip([-2.0, 0.0], [10.0, 6.0], &window()), Some([[0.0, 1.0], [6.0, 4.0]]));
        assert_eq!(clip([3.0, 9.0], [3.0, -5.0], &window()), Some([[3.0, 4.0], [3.0, 0.0]]));
        assert_eq!(clip([1.0, 1.0], [2.0, 3.0], &window()), Some([[1.0, 1.0], [2.0, 3.0]]));
        assert_eq!(clip([-1.0, 3.0], [2.0, 9.0], &window()), None); // passes the corner
        assert_eq!(clip([0.0, 5.0], [10.0, 5.0], &window()), None);
        let border = [[0.0, 4.0 + 1e-12], [10.0, 4.0 + 1e-12]];
        assert_eq!(clip(border[0], border[1], &window()), Some(border));
    }

    #[test]
    fn segments_from_far_away_are_cut_precisely() {
        let [start, end] = clip([3.0, 1e200], [1.0, 2.0], &window()).expect("ends inside");
        assert_eq!((start, end), ([1.0, 4.0], [1.0, 2.0]));
        let [start, end] = clip([1.0, 2.0], [1e200, 1e200], &window()).expect("starts inside");
        assert_eq!((start, end), ([1.0, 2.0], [3.0, 4.0]));
    }

    #[test]
    fn a_line_that_leaves_and_returns_is_two_paths() {
        let points = vec![[1.0, 2.0], [3.0, 6.0], [5.0, 2.0], [f64::NAN, 2.0], [6.0, 1.0], [7.0, 1.0], [8.0, 1.0]];
        let seen = visible(Layer::line("", Palette::BLUE, points));
        let expected = vec![vec![[1.0, 2.0], [2.0, 4.0]], vec![[4.0, 4.0], [5.0, 2.0]], vec![[6.0, 1.0], [7.0, 1.0], [8.0, 1.0]]];
        assert_eq!(seen.shape, Shape::Paths(expected));
        assert_eq!(seen.outside(), 2);
    }

    #[test]
    fn marks_outside_are_left_out_not_moved() {
        let seen = visible(Layer::points("", Palette::BLUE, vec![[1.0, 1.0], [10.0, 4.0], [11.0, 1.0], [1.0, f64::INFINITY]]));
        assert_eq!(seen.shape, Shape::Marks(vec![[1.0, 1.0], [10.0, 4.0]]));
        assert_eq!(seen.inside, [true, true, false, false]);
    }

    #[test]
    fn bars_are_cut_and_counted() {
        let edges = vec![-1.0, 1.0, 2.0, 3.0, 4.0];
        let seen = visible(Layer::bars("", Palette::BLUE, edges, vec![2.0, 9.0, 0.0, 3.0]));
        assert_eq!(seen.shape, Shape::Boxes(vec![[0.0, 0.0, 1.0, 2.0], [1.0, 0.0, 2.0, 4.0], [3.0, 0.0, 4.0, 3.0]]));
        assert_eq!(seen.inside, [false, false, true, true]);
        let wrong = Layer::bars("h", Palette::BLUE, vec![0.0, 1.0], vec![1.0, 2.0]);
        assert!(matches!(Visible::of(&wrong, &window()), Err(ChartError::Bars { edges: 2, heights: 2, .. })));
    }

    #[test]
    fn cells_are_cut_at_the_frame() {
        let seen = visible(Layer::cells("", Palette::BLUE, [2.0, 2.0], vec![[0.0, 2.0], [2.0, 2.0], [-2.0, 2.0]]));
        assert_eq!(seen.shape, Shape::Regions(vec![vec![[0.0, 1.0], [3.0, 1.0], [3.0, 3.0], [0.0, 3.0]]]));
        assert_eq!(seen.outside(), 1);
    }

    #[test]
    fn cells_off_the_grid_or_without_size_are_errors() {
        let layer = |size, centres| Visible::of(&Layer::cells("", Palette::BLUE, size, centres), &window());
        assert!(matches!(layer([0.0, 1.0], vec![]), Err(ChartError::CellSize { .. })));
        assert!(matches!(layer([1.0, 1.0], vec![[1.0, 1.0], [2.5, 1.0]]), Err(ChartError::CellsOffGrid { .. })));
        assert!(matches!(layer([1.0, 1.0], vec![[1.0, 1.0], [1e20, 1.0]]), Err(ChartError::CellsOffGrid { .. })));
    }

    #[test]
    fn bands_reach_the_frame_and_rules_stay_where_they_are() {
        let band = visible(Layer::band("", Palette::BLUE, Direction::Horizontal, 3.0, f64::INFINITY));
        assert_eq!(band.shape, Shape::Boxes(vec![[0.0, 3.0, 10.0, 4.0]]));
        let gone = visible(Layer::band("", Palette::BLUE, Direction::Vertical, 11.0, 12.0));
        assert!(gone.is_empty() && gone.outside() == 1);
        let rule = visible(Layer::rule("", Palette::BLUE, Direction::Vertical, 2.0));
        assert_eq!(rule.shape, Shape::Paths(vec![vec![[2.0, 0.0], [2.0, 4.0]]]));
        assert_eq!(visible(Layer::rule("", Palette::BLUE, Direction::Horizontal, 5.0)).outside(), 1);
    }

    #[test]
    fn error_bars_are_cut_without_a_cap() {
        let seen = visible(Layer::error_bars(
            "",
            Palette::BLUE,
            vec![[1.0, 3.0, 2.0, 5.0], [2.0, 2.0, 1.0, 3.0], [3.0, 9.0, 8.0, 10.0]],
        ));
        let end = |at, cut| End { at, cut };
        let expected = vec![
            Whisker { x: 1.0, y: Some(3.0), low: end(2.0, false), high: end(4.0, true) },
            Whisker { x: 2.0, y: Some(2.0), low: end(1.0, false), high: end(3.0, false) },
        ];
        assert_eq!(seen.shape, Shape::Whiskers(expected));
        assert_eq!(seen.inside, [false, true, false]);
    }
}
