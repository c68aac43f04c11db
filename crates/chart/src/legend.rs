//! Legends: one entry for every label of a panel.

use plotters::style::text_anchor::HPos;

use super::canvas::{Canvas, Pen};
use super::frame::{BAND_ALPHA, BAR_ALPHA, LINE_WIDTH, REGION_ALPHA};
use super::layer::{Direction, Layer};
use super::palette::{Color, GROUND};
use super::text::{Fitted, Type};
use super::{ChartError, Corner, theme};

const TYPE: Type = Type::new(12.0);
/// Width of the sample before a label, and the gap after it [px].
const SAMPLE: f64 = 28.0;
const GAP: f64 = 8.0;
/// Width of the sample of a line at least [px].
const STROKE: f64 = 1.5;
/// Free border within the box [px].
const PADDING: f64 = 7.0;
/// Distance of the box from the frame [px].
const MARGIN: f64 = 9.0;
/// Space between two entries [px].
const BETWEEN: f64 = 4.0;

/// What a label stands for.
#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    pub label: &'a str,
    pub sample: Sample<'a>,
}

/// How it looks.
#[derive(Clone, Copy)]
pub(super) enum Sample<'a> {
    Layer(&'a Layer),
    Stroke(Pen),
    Patch(Color),
}

/// Legend of a panel.
pub(super) struct Legend<'a> {
    entries: Vec<Entry<'a>>,
}

/// Label with the samples that share it.
struct Entry<'a> {
    label: Fitted,
    width: f64,
    samples: Vec<Sample<'a>>,
}

impl Entry<'_> {
    fn height(&self) -> f64 {
        self.label.height() + BETWEEN
    }

    fn draw(&self, canvas: &Canvas<'_>, [left, top]: [f64; 2]) -> Result<(), ChartError> {
        let line = self.label.style.line_height();
        for &sample in &self.samples {
            draw_sample(canvas, sample, [left, top + (BETWEEN + line) / 2.0])?;
        }
        canvas.lines(&self.label, HPos::Left, [left + SAMPLE + GAP, top + BETWEEN / 2.0])
    }
}

impl<'a> Legend<'a> {
    /// Legend of what has a label, no entry wider than `width` [px].
    pub fn new(keys: &[Key<'a>], width: f64) -> Result<Self, ChartError> {
        let mut entries: Vec<(&str, Vec<Sample<'a>>)> = Vec::new();
        for key in keys.iter().filter(|key| !key.label.is_empty()) {
            match entries.iter_mut().find(|(label, _)| *label == key.label) {
                Some((_, sharing)) => sharing.push(key.sample),
                None => entries.push((key.label, vec![key.sample])),
            }
        }
        let fit = |(label, samples): (&str, Vec<Sample<'a>>)| {
            let label = Fitted::new(label, TYPE, width - SAMPLE - GAP - 2.0 * PADDING)?;
            Ok(Entry { width: SAMPLE + GAP + label.width()?, label, samples })
        };
        Ok(Self { entries: entries.into_iter().map(fit).collect::<Result<_, ChartError>>()? })
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Width and height of the box [px].
    pub fn size(&self) -> [f64; 2] {
        let width = self.entries.iter().map(|entry| entry.width).fold(0.0, f64::max);
        let height: f64 = self.entries.iter().map(Entry::height).sum();
        [width + 2.0 * PADDING, height + 2.0 * PADDING - BETWEEN]
    }

    /// The box in a corner of a frame: left, top, right, bottom [px]. `ink` are places that it had better not cover.
    pub fn corner(&self, corner: Corner, frame: [f64; 4], ink: &[[f64; 2]]) -> [f64; 4] {
        let [width, height] = self.size();
        let place = |right: bool, lower: bool| {
            let left = if right { frame[2] - MARGIN - width } else { frame[0] + MARGIN };
            let top = if lower { frame[3] - MARGIN - height } else { frame[1] + MARGIN };
            [left, top, left + width, top + height]
        };
        match corner {
            Corner::UpperLeft => place(false, false),
            Corner::LowerLeft => place(false, true),
            Corner::LowerRight => place(true, true),
            Corner::UpperRight => place(true, false),
            Corner::Freest | Corner::Outside | Corner::None => {
                let corners = [place(true, false), place(false, false), place(true, true), place(false, true)];
                corners.into_iter().min_by_key(|area| covered(area, ink)).unwrap_or(corners[0])
            }
        }
    }

    /// Draws the box with all entries below each other.
    pub fn draw(&self, canvas: &Canvas<'_>, area: [f64; 4]) -> Result<(), ChartError> {
        canvas.rectangle(area, GROUND, 0.88)?;
        canvas.frame(area, Pen::new(theme::BORDER.0, 0.8))?;
        let mut top = area[1] + PADDING - BETWEEN / 2.0;
        for entry in &self.entries {
            entry.draw(canvas, [area[0] + PADDING, top])?;
            top += entry.height();
        }
        Ok(())
    }

    /// Entries side by side, in rows no wider than `width` [px]; more than one row makes columns of the same width.
    fn rows(&self, width: f64) -> (f64, Vec<&[Entry<'a>]>) {
        let widest = self.entries.iter().map(|entry| entry.width).fold(0.0, f64::max) + 2.0 * GAP;
        let sum: f64 = self.entries.iter().map(|entry| entry.width + 2.0 * GAP).sum();
        let columns = if sum <= width { self.entries.len() } else { (width / widest) as usize };
        (widest, self.entries.chunks(columns.max(1)).collect())
    }

    /// Height of all rows below a panel [px].
    pub fn height_below(&self, width: f64) -> f64 {
        self.rows(width).1.into_iter().map(row_height).sum()
    }

    /// Draws the entries in rows, in the middle of left to right [px].
    pub fn draw_below(&self, canvas: &Canvas<'_>, [left, right]: [f64; 2], mut top: f64) -> Result<(), ChartError> {
        let (column, rows) = self.rows(right - left);
        let step = |entry: &Entry<'_>| if rows.len() > 1 { column } else { entry.width + 2.0 * GAP };
        let used: f64 = rows.first().into_iter().flat_map(|row| row.iter()).map(step).sum();
        let start = ((left + right - used) / 2.0 + GAP).max(left);
        for row in &rows {
            let mut at = start;
            for entry in *row {
                entry.draw(canvas, [at, top])?;
                at += step(entry);
            }
            top += row_height(row);
        }
        Ok(())
    }
}

fn row_height(row: &[Entry<'_>]) -> f64 {
    row.iter().map(Entry::height).fold(0.0, f64::max)
}

/// Number of places that a box covers.
pub(super) fn covered(area: &[f64; 4], ink: &[[f64; 2]]) -> usize {
    ink.iter().filter(|&&point| within(point, area)).count()
}

fn within([x, y]: [f64; 2], area: &[f64; 4]) -> bool {
    x >= area[0] - 4.0 && x <= area[2] + 4.0 && y >= area[1] - 4.0 && y <= area[3] + 4.0
}

/// Draws a sample, its left end at the given place.
fn draw_sample(canvas: &Canvas<'_>, sample: Sample<'_>, [left, y]: [f64; 2]) -> Result<(), ChartError> {
    let (right, middle) = (left + SAMPLE, left + SAMPLE / 2.0);
    let patch = [left + 3.0, y - 5.5, right - 3.0, y + 5.5];
    let across = [[left, y], [right, y]];
    let layer = match sample {
        Sample::Layer(layer) => layer,
        Sample::Stroke(pen) => return canvas.path(&across, Pen { width: pen.width.max(STROKE), ..pen }),
        Sample::Patch(color) => return canvas.rectangle(patch, color, 1.0),
    };
    match layer {
        Layer::Points { color, marker, .. } => canvas.mark(*marker, [middle, y], 4.0, *color, 1.0),
        Layer::Line { color, dash, .. } => canvas.path(&across, Pen { dash: *dash, ..Pen::new(*color, LINE_WIDTH) }),
        Layer::Rule { color, dash, .. } => canvas.path(&across, Pen { dash: *dash, ..Pen::new(*color, 1.3) }),
        Layer::Bars { color, .. } => {
            canvas.rectangle(patch, *color, BAR_ALPHA)?;
            canvas.frame(patch, Pen::new(*color, 0.9))
        }
        Layer::Cells { color, .. } => canvas.rectangle(patch, *color, REGION_ALPHA),
        Layer::Entries { color, .. } => canvas.rectangle([middle - 4.0, y - 4.0, middle + 4.0, y + 4.0], *color, 1.0),
        Layer::Band { color, .. } => canvas.rectangle(patch, *color, BAND_ALPHA),
        Layer::ErrorBars { color, marker, axis: Direction::Horizontal, .. } => {
            canvas.path(&[[left + 4.0, y], [right - 4.0, y]], Pen::new(*color, 1.3))?;
            canvas.mark(*marker, [middle, y], 3.0, *color, 1.0)
        }
        Layer::ErrorBars { color, marker, .. } => {
            let pen = Pen::new(*color, 1.3);
            canvas.path(&[[middle, y - 7.0], [middle, y + 7.0]], pen)?;
            for end in [y - 7.0, y + 7.0] {
                canvas.path(&[[middle - 3.5, end], [middle + 3.5, end]], pen)?;
            }
            canvas.mark(*marker, [middle, y], 3.0, *color, 1.0)
        }
        Layer::Texts { .. } => Ok(()),
    }
}
