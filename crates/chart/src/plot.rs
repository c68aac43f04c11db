//! Plot: a panel with its ranges, ticks and place on the page.

use plotters::style::text_anchor::{HPos, VPos};

use super::axis::{Span, TickLabels};
use super::canvas::{Anchor, Canvas, Pen};
use super::extent::Window;
use super::frame::{APART, Frame};
use super::layer::Layer;
use super::legend::{Key, Sample};
use super::names::Names;
use super::placed::{self, Shape};
use super::surround::{BORDER, GAP, Surround};
use super::text::{Fitted, Type};
use super::theme::{FINE_GRID, GRID, LINE};
use super::ticks::Ticks;
use super::visible::Visible;
use super::{Axis, Body, Chart, ChartError, Panel};

const LABEL: Type = Type::new(13.0);
const TICK: Type = Type::new(12.0);
/// Labels of a column of panels stand in line unless one is so far from its ticks [px].
const FAR: f64 = 40.0;
/// Width that names left of a frame may take at most [px].
const BESIDE: f64 = 195.0;
/// Space between two of them, where a frame is as high as they need [px].
const ROW_GAP: f64 = 4.0;
/// Names below a frame at most that is to be narrow; more stand left of it.
const MOST_BELOW: usize = 6;
/// Length of a tick [px].
const TICK_LENGTH: f64 = 4.0;

/// A panel with axes, and what it shows.
pub(super) struct Plot<'a> {
    panel: &'a Panel,
    chart: &'a Chart,
    window: Window,
    layers: Vec<Visible>,
}

impl<'a> Plot<'a> {
    /// The chart of a panel.
    pub fn new(panel: &'a Panel, chart: &'a Chart) -> Result<Self, ChartError> {
        let window = Window::of(chart, panel.equal_aspect)?;
        let layers = chart.layers.iter().map(|layer| Visible::of(layer, &window)).collect::<Result<_, _>>()?;
        Ok(Self { panel, chart, window, layers })
    }

    /// What every layer shows.
    pub fn layers(&self) -> &[Visible] {
        &self.layers
    }

    /// Number of data left out or cut by the given ranges.
    pub fn outside(&self) -> usize {
        self.layers.iter().map(Visible::outside).sum()
    }

    fn has_data(&self) -> bool {
        self.chart.layers.iter().zip(&self.layers).any(|(layer, seen)| layer.is_data() && !seen.is_empty())
    }

    /// Whether it shows the entries of a matrix.
    fn is_matrix(&self) -> bool {
        self.chart.layers.iter().any(|layer| matches!(layer, Layer::Entries { .. }))
    }

    fn y_ticks(&self, height: f64) -> Ticks {
        Ticks::of(&self.chart.y, &self.window.y, ((height / 33.0) as usize).clamp(4, 9))
    }

    /// Names at the y axis of a frame of the given height [px], if it has categories.
    fn y_names(&self, ticks: &Ticks, height: f64) -> Result<Option<Names>, ChartError> {
        let room = height / self.window.y.length();
        named(&self.chart.y).then(|| Names::beside(&ticks.major, BESIDE, room, TICK)).transpose()
    }

    fn y_label(&self, height: f64) -> Result<Fitted, ChartError> {
        Fitted::new(&self.chart.y.label, LABEL, height)
    }

    /// Height of a frame, `least` or more [px], in which names at the y axis have the room that they need.
    pub fn height(&self, least: f64) -> Result<f64, ChartError> {
        let names = self.y_names(&self.y_ticks(least), f64::INFINITY)?;
        Ok(names.map_or(least, |names| least.max((names.thickness() + ROW_GAP) * self.window.y.length())))
    }

    /// Room left of a frame of the given height, for the label and the ticks [px].
    pub fn left(&self, height: f64) -> Result<f64, ChartError> {
        let ticks = self.y_ticks(height);
        let widest = match self.y_names(&ticks, height)? {
            Some(names) => names.width()?,
            None => TICK.widest(ticks.major.iter().map(|tick| tick.label.as_str()))?,
        };
        Ok(BORDER + self.y_label(height)?.height() + GAP + widest + 3.0 + TICK_LENGTH)
    }

    /// Entries of its legend.
    pub fn keys(&self) -> Vec<Key<'a>> {
        self.chart.layers.iter().map(|layer| Key { label: layer.label(), sample: Sample::Layer(layer) }).collect()
    }

    /// Places on data, which a legend had better not cover [px].
    fn ink(&self, on: &Frame) -> Vec<[f64; 2]> {
        let data = self.chart.layers.iter().zip(&self.layers).filter(|(layer, _)| layer.is_data());
        data.flat_map(|(layer, seen)| on.ink(layer, seen)).collect()
    }

    /// Size of a frame within the given one, where units are to be equally long [px].
    fn equal(&self, size: [f64; 2]) -> [f64; 2] {
        let (x, y) = (&self.window.x, &self.window.y);
        let unit = (size[0] / x.length()).min(size[1] / y.length());
        // Squares of a matrix all look the same where they are whole pixels.
        let unit = if self.is_matrix() && unit >= 1.0 { unit.floor() } else { unit };
        [unit * x.length(), unit * y.length()]
    }

    /// The plot in a cell of the page, `left` [px] kept free beside a frame of at most `height` [px].
    pub fn place(&'a self, width: f64, left: f64, height: f64) -> Result<Placed<'a>, ChartError> {
        let x = &self.window.x;
        let mut right = BORDER + 6.0;
        let mut size = [0.0, height];
        let mut x_ticks = Ticks::of(&self.chart.x, x, 2);
        // The last label may stand out beyond the frame, which narrows it, which may need fewer labels.
        for _ in 0..3 {
            size = [(width - left - right).max(40.0), height];
            if self.panel.equal_aspect {
                size = self.equal(size);
            }
            if named(&self.chart.x) {
                break; // names are broken to fit
            }
            x_ticks = fitting(self, size[0])?;
            for tick in &x_ticks.major {
                let beyond = TICK.width(&tick.label)? / 2.0 - (1.0 - x.fraction(tick.at)) * size[0];
                right = right.max(beyond + GAP);
            }
        }
        let ink = |frame| self.ink(&Frame { window: self.window, frame });
        let surround = Surround::new(self.panel, &self.keys(), width, size, ink)?;
        let y_ticks = self.y_ticks(size[1]);
        let far = left - self.left(height)?;
        let mut offset = (width - left - right - size[0]).max(0.0) / 2.0;
        if self.is_matrix() {
            offset = (left + offset).round() - left;
        }
        Ok(Placed {
            surround: surround.noted(self.outside(), ["point outside", "points outside"], !self.has_data()),
            x_label: Fitted::new(&self.chart.x.label, LABEL, width - 2.0 * BORDER)?,
            y_label: self.y_label(size[1].max(60.0))?,
            x_names: named(&self.chart.x).then(|| Names::below(&x_ticks.major, size[0] / x.length(), TICK)).transpose()?,
            y_names: self.y_names(&y_ticks, size[1])?,
            y_label_at: offset + BORDER + if far > FAR { far } else { 0.0 },
            left: left + offset,
            plot: self,
            x_ticks,
            y_ticks,
            size,
            width,
        })
    }
}

/// The panel with the names of its x axis one below the other, where there are many of them and x and y can be exchanged.
pub(super) fn with_names_beside(panel: &Panel) -> Option<Panel> {
    let Body::Chart(chart) = &panel.body else { return None };
    let many = matches!(&chart.x.ticks, TickLabels::Names(names) if names.len() > MOST_BELOW);
    if !many || named(&chart.y) || panel.equal_aspect {
        return None;
    }
    let layers = chart.layers.iter().map(Layer::exchanged).collect::<Option<_>>()?;
    let body = Body::Chart(Chart { x: chart.y.clone(), y: chart.x.clone().reversed(), layers });
    Some(Panel { body, ..panel.clone() })
}

/// Whether an axis has names instead of numbers.
fn named(axis: &Axis) -> bool {
    matches!(axis.ticks, TickLabels::Names(_))
}

/// Ticks of the x axis, as many as have room for their labels.
fn fitting(plot: &Plot<'_>, width: f64) -> Result<Ticks, ChartError> {
    let x = &plot.window.x;
    let mut most = ((width / 50.0) as usize).clamp(3, 10);
    loop {
        let ticks = Ticks::of(&plot.chart.x, x, most);
        let mut before: Option<(f64, f64)> = None; // middle and width of the label before
        let mut fits = true;
        for tick in &ticks.major {
            let (middle, label) = (x.fraction(tick.at) * width, TICK.width(&tick.label)?);
            fits &= before.is_none_or(|(at, other)| (middle - at).abs() >= (label + other) / 2.0 + 8.0);
            before = Some((middle, label));
        }
        if fits || most <= 2 {
            return Ok(ticks);
        }
        most -= 1;
    }
}

/// A plot with its measures.
pub(super) struct Placed<'a> {
    plot: &'a Plot<'a>,
    surround: Surround<'a>,
    x_label: Fitted,
    y_label: Fitted,
    x_ticks: Ticks,
    y_ticks: Ticks,
    x_names: Option<Names>,
    y_names: Option<Names>,
    y_label_at: f64,
    left: f64,
    size: [f64; 2],
    width: f64,
}

impl placed::Placed for Placed<'_> {
    fn top(&self) -> f64 {
        self.surround.above()
    }

    fn rest(&self) -> Result<f64, ChartError> {
        Ok(self.size[1] + self.below()? + self.surround.below())
    }

    fn draw(&self, canvas: &Canvas<'_>, left: f64, top: f64, _: Option<Vec<Shape>>) -> Result<(), ChartError> {
        let frame = [left + self.left, top, left + self.left + self.size[0], top + self.size[1]];
        let on = Frame { window: self.plot.window, frame };
        self.draw_grid(canvas, &on)?;
        for (layer, seen) in self.plot.chart.layers.iter().zip(&self.plot.layers) {
            on.draw(canvas, layer, seen)?;
        }
        canvas.frame(frame, Pen::new(LINE.0, 1.0))?;
        self.draw_axes(canvas, &on, left)?;
        self.surround.draw_notes(canvas, frame, left)?;
        self.surround.draw_legend(canvas, frame, [left, frame[3] + self.below()?], || self.plot.ink(&on))
    }
}

impl Placed<'_> {
    /// Height of the ticks of the x axis, with their labels [px].
    fn ticks_height(&self) -> Result<f64, ChartError> {
        let labels = self.x_names.as_ref().map_or(Ok(TICK.line_height()), Names::height)?;
        Ok(TICK_LENGTH + 3.0 + labels)
    }

    /// Height of the ticks and label of the x axis [px].
    fn below(&self) -> Result<f64, ChartError> {
        let label = if self.x_label.lines.is_empty() { 0.0 } else { GAP + self.x_label.height() };
        Ok(self.ticks_height()? + label)
    }

    fn draw_grid(&self, canvas: &Canvas<'_>, on: &Frame) -> Result<(), ChartError> {
        let Window { x, y } = self.plot.window;
        let major = |ticks: &Ticks| ticks.major.iter().map(|tick| tick.at).collect::<Vec<_>>();
        let kinds = if self.plot.is_matrix() {
            let sides = |span: &Span| if on.unit() < APART { Vec::new() } else { between_whole_numbers(span) };
            vec![(GRID.0, sides(&x), sides(&y))]
        } else {
            let minor = (FINE_GRID.0, self.x_ticks.minor.clone(), self.y_ticks.minor.clone());
            vec![minor, (GRID.0, major(&self.x_ticks), major(&self.y_ticks))]
        };
        for (color, columns, rows) in kinds {
            for u in columns {
                canvas.path(&[on.pixel([u, y.from]), on.pixel([u, y.to])], Pen::new(color, 0.8))?;
            }
            for v in rows {
                canvas.path(&[on.pixel([x.from, v]), on.pixel([x.to, v])], Pen::new(color, 0.8))?;
            }
        }
        Ok(())
    }

    fn draw_axes(&self, canvas: &Canvas<'_>, on: &Frame, cell: f64) -> Result<(), ChartError> {
        let [left, top, right, bottom] = on.frame;
        let Window { x, y } = self.plot.window;
        let pen = Pen::new(LINE.0, 1.0);
        let down = |u: f64, length: f64| {
            let [at, _] = on.pixel([u, y.from]);
            canvas.path(&[[at, bottom], [at, bottom + length]], pen)
        };
        let out = |v: f64, length: f64| {
            let [_, at] = on.pixel([x.from, v]);
            canvas.path(&[[left - length, at], [left, at]], pen)
        };
        let columns: Vec<f64> = self.x_ticks.major.iter().map(|tick| on.pixel([tick.at, y.from])[0]).collect();
        let rows: Vec<f64> = self.y_ticks.major.iter().map(|tick| on.pixel([x.from, tick.at])[1]).collect();
        self.x_ticks.major.iter().try_for_each(|tick| down(tick.at, TICK_LENGTH))?;
        self.y_ticks.major.iter().try_for_each(|tick| out(tick.at, TICK_LENGTH))?;
        let (labels_top, labels_right) = (bottom + TICK_LENGTH + 3.0, left - TICK_LENGTH - 3.0);
        match &self.x_names {
            Some(names) => names.draw_below(canvas, &columns, labels_top)?,
            None => {
                self.x_ticks.major.iter().zip(&columns).try_for_each(|(tick, &at)| {
                    canvas.text(&tick.label, [at, labels_top], Anchor(HPos::Center, VPos::Top), TICK)
                })?
            }
        }
        match &self.y_names {
            Some(names) => names.draw_beside(canvas, &rows, labels_right)?,
            None => self.y_ticks.major.iter().zip(&rows).try_for_each(|(tick, &at)| {
                canvas.text(&tick.label, [labels_right, at], Anchor(HPos::Right, VPos::Center), TICK)
            })?,
        }
        self.x_ticks.minor.iter().try_for_each(|&u| down(u, 0.55 * TICK_LENGTH))?;
        self.y_ticks.minor.iter().try_for_each(|&v| out(v, 0.55 * TICK_LENGTH))?;
        // Centred on the frame, unless that pushes a long label beyond the cell.
        let half = self.x_label.width()? / 2.0;
        let centre = ((left + right) / 2.0).min(cell + self.width - BORDER - half).max(cell + BORDER + half);
        canvas.lines(&self.x_label, HPos::Center, [centre, bottom + self.ticks_height()? + GAP])?;
        let line = self.y_label.style.line_height();
        for (k, text) in self.y_label.lines.iter().enumerate() {
            let at = [cell + self.y_label_at + (k as f64 + 0.5) * line, (top + bottom) / 2.0];
            canvas.upward(text, at, HPos::Center, self.y_label.style)?;
        }
        Ok(())
    }
}

/// Places half way between the whole numbers of a span.
fn between_whole_numbers(span: &Span) -> Vec<f64> {
    let (first, last) = (span.from.ceil(), span.to.floor());
    (0..(last - first).max(0.0) as usize).map(|k| first + k as f64 + 0.5).collect()
}
