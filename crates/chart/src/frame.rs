//! Frame: a window on the page, and how the layers look in it.

use std::collections::BTreeSet;

use plotters::style::text_anchor::{HPos, VPos};

use super::ChartError;
use super::canvas::{Anchor, Canvas, Pen};
use super::extent::Window;
use super::layer::{Direction, Layer};
use super::text::Type;
use super::visible::{Shape, Visible, Whisker};

/// Width of data lines [px].
pub(super) const LINE_WIDTH: f64 = 1.8;
/// Width of rules, and of those that no legend names [px].
const RULE: f64 = 1.3;
const THIN_RULE: f64 = 0.8;
/// Text in the frame.
const TEXT: Type = Type::new(12.0);
/// Length of an error bar that its mark covers [px].
const HIDDEN: f64 = 3.5;
/// Opacity of bars, filled regions and bands.
pub(super) const BAR_ALPHA: f64 = 0.45;
pub(super) const REGION_ALPHA: f64 = 0.6;
pub(super) const BAND_ALPHA: f64 = 0.18;
/// Size from which the squares of a matrix stand apart, and how far from their sides [px].
pub(super) const APART: f64 = 4.0;
const GAP: f64 = 0.3;

/// A window on the page.
pub(super) struct Frame {
    pub window: Window,
    /// Left, top, right, bottom [px].
    pub frame: [f64; 4],
}

impl Frame {
    /// Where a place on the axes is [px].
    pub fn pixel(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let [left, top, right, bottom] = self.frame;
        [left + self.window.x.fraction(u) * (right - left), bottom - self.window.y.fraction(v) * (bottom - top)]
    }

    fn pixels(&self, places: &[[f64; 2]]) -> Vec<[f64; 2]> {
        places.iter().map(|&place| self.pixel(place)).collect()
    }

    /// Left, top, right, bottom of a rectangle [px].
    fn rectangle(&self, [a, b, c, d]: [f64; 4]) -> [f64; 4] {
        let ([x1, y1], [x2, y2]) = (self.pixel([a, b]), self.pixel([c, d]));
        [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)]
    }

    /// Width of a unit of x [px].
    pub fn unit(&self) -> f64 {
        (self.frame[2] - self.frame[0]) / self.window.x.length()
    }

    /// Squares of entries, a gap apart on all sides [px], cut at the frame.
    fn squares(&self, entries: &[(usize, usize)]) -> Vec<[f64; 4]> {
        let distinct: BTreeSet<_> = entries.iter().collect();
        let centres = distinct.into_iter().filter_map(|entry| self.window.place(Layer::entry_centre(entry)));
        let square = |[u, v]: [f64; 2]| {
            let [left, top, right, bottom] = self.rectangle([u - 0.5, v - 0.5, u + 0.5, v + 0.5]);
            let frame = self.frame;
            [left.max(frame[0]) + GAP, top.max(frame[1]) + GAP, right.min(frame[2]) - GAP, bottom.min(frame[3]) - GAP]
        };
        let shown = centres.filter(|&place| self.window.holds(place)).map(square);
        shown.filter(|[left, top, right, bottom]| left < right && top < bottom).collect()
    }

    /// Draws the visible part of a layer.
    pub fn draw(&self, canvas: &Canvas<'_>, layer: &Layer, seen: &Visible) -> Result<(), ChartError> {
        match (layer, &seen.shape) {
            (Layer::Points { color, marker, .. }, Shape::Marks(marks)) => {
                let (radius, alpha) = if marks.len() > 200 { (2.6, 0.55) } else { (3.6, 0.9) };
                marks.iter().try_for_each(|&place| canvas.mark(*marker, self.pixel(place), radius, *color, alpha))
            }
            (Layer::Line { color, dash, .. }, Shape::Paths(paths)) => {
                let pen = Pen { dash: *dash, ..Pen::new(*color, LINE_WIDTH) };
                paths.iter().try_for_each(|path| canvas.path(&self.pixels(path), pen))
            }
            (Layer::Rule { label, color, dash, .. }, Shape::Paths(paths)) => {
                let width = if label.is_empty() { THIN_RULE } else { RULE };
                let pen = Pen { dash: *dash, ..Pen::new(*color, width) };
                paths.iter().try_for_each(|path| canvas.path(&self.pixels(path), pen))
            }
            (Layer::Bars { color, .. }, Shape::Boxes(boxes)) => boxes.iter().try_for_each(|&area| {
                canvas.rectangle(self.rectangle(area), *color, BAR_ALPHA)?;
                canvas.frame(self.rectangle(area), Pen::new(*color, 0.9))
            }),
            (Layer::Band { color, .. }, Shape::Boxes(boxes)) => {
                boxes.iter().try_for_each(|&area| canvas.rectangle(self.rectangle(area), *color, BAND_ALPHA))
            }
            (Layer::Cells { color, .. }, Shape::Regions(outlines)) => {
                outlines.iter().try_for_each(|outline| canvas.polygon(&self.pixels(outline), *color, REGION_ALPHA))
            }
            (Layer::Entries { color, entries, .. }, Shape::Regions(_)) if self.unit() >= APART => {
                self.squares(entries).into_iter().try_for_each(|square| canvas.rectangle(square, *color, 1.0))
            }
            (Layer::Entries { color, .. }, Shape::Regions(outlines)) => {
                outlines.iter().try_for_each(|outline| canvas.polygon(&self.pixels(outline), *color, 1.0))
            }
            (Layer::Texts { points }, Shape::Marks(_)) => points.iter().try_for_each(|(point, text)| {
                let place = self.window.place(*point).filter(|&place| self.window.holds(place));
                place.map_or(Ok(()), |place| canvas.text(text, self.pixel(place), Anchor(HPos::Center, VPos::Center), TEXT))
            }),
            (Layer::ErrorBars { color, marker, axis, .. }, Shape::Whiskers(whiskers)) => {
                whiskers.iter().try_for_each(|whisker| {
                    let at = |value: f64| self.pixel(whisker.place(*axis, value));
                    let mark = whisker.y.map(at);
                    for end in [whisker.low, whisker.high] {
                        let ([x, y], from) = (at(end.at), mark.unwrap_or(at(whisker.low.at)));
                        if mark.is_some() && (x - from[0]).abs().max((y - from[1]).abs()) <= HIDDEN {
                            continue;
                        }
                        let pen = Pen::new(*color, 1.3);
                        canvas.path(&[from, [x, y]], pen)?;
                        let [dx, dy] = if *axis == Direction::Vertical { [3.5, 0.0] } else { [0.0, 3.5] };
                        if !end.cut {
                            canvas.path(&[[x - dx, y - dy], [x + dx, y + dy]], pen)?;
                        }
                    }
                    mark.map_or(Ok(()), |at| canvas.mark(*marker, at, 3.3, *color, 1.0))
                })
            }
            _ => Ok(()), // Visible::of gives every layer the shape above
        }
    }

    /// Places on a layer [px]: its marks and cells, and points some 8 px apart along its lines.
    pub fn ink(&self, layer: &Layer, seen: &Visible) -> Vec<[f64; 2]> {
        let along = |path: &[[f64; 2]]| -> Vec<[f64; 2]> {
            let steps = |pair: &[[f64; 2]]| {
                let (from, to) = (pair[0], pair[1]);
                let count = ((to[0] - from[0]).abs().max((to[1] - from[1]).abs()) / 8.0).ceil().max(1.0);
                (0..=count as usize).map(move |k| [0, 1].map(|c| from[c] + k as f64 / count * (to[c] - from[c])))
            };
            self.pixels(path).windows(2).flat_map(steps).collect()
        };
        match &seen.shape {
            Shape::Marks(marks) => self.pixels(marks),
            Shape::Regions(_) => {
                let centres = match layer {
                    Layer::Cells { centres, .. } => centres.clone(),
                    Layer::Entries { entries, .. } => entries.iter().map(Layer::entry_centre).collect(),
                    _ => Vec::new(),
                };
                let places = centres.into_iter().filter_map(|centre| self.window.place(centre));
                places.filter(|&place| self.window.holds(place)).map(|place| self.pixel(place)).collect()
            }
            Shape::Paths(paths) => paths.iter().flat_map(|path| along(path)).collect(),
            Shape::Boxes(boxes) => {
                let outline = |&[a, b, c, d]: &[f64; 4]| along(&[[a, b], [a, d], [c, d], [c, b]]);
                boxes.iter().flat_map(outline).collect()
            }
            Shape::Whiskers(whiskers) => {
                let axis = if let Layer::ErrorBars { axis, .. } = layer { *axis } else { Direction::Vertical };
                let ends = |whisker: &Whisker| [whisker.low, whisker.high].map(|end| whisker.place(axis, end.at));
                whiskers.iter().flat_map(|whisker| along(&ends(whisker))).collect()
            }
        }
    }
}
