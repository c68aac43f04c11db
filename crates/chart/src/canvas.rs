//! Canvas: shapes in pixels, drawn to SVG.

use std::cell::{Cell, RefCell};

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::ChartError;
use super::layer::{Dash, Marker};
use super::palette::{Color, GROUND};
use super::text::{self, FINE, Fitted, Type};

/// Dashes of a line at most; a longer line gets longer dashes.
const MOST_DASHES: f64 = 2000.0;

/// Line as it is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub color: Color,
    /// 0 is transparent, 1 covers.
    pub alpha: f64,
    /// Width [px].
    pub width: f64,
    pub dash: Dash,
}

impl Pen {
    pub fn new(color: Color, width: f64) -> Self {
        Self { color, alpha: 1.0, width, dash: Dash::Solid }
    }
}

/// Which point of a text stands at the given place.
#[derive(Clone, Copy)]
pub(super) struct Anchor(pub HPos, pub VPos);

/// What becomes of the pictures of scenes, which are most of the bytes of a drawing.
pub(super) enum Pictures<'a> {
    /// They are drawn.
    Drawn,
    /// They are drawn in groups of this name and their number, and their frames kept: left, top, right, bottom [px].
    Named(&'a str, RefCell<Vec<[f64; 4]>>),
    /// They stand in groups of this name in another drawing of the page, in these frames; their number is counted.
    Elsewhere(&'a str, &'a [[f64; 4]], Cell<usize>),
}

/// Characters that no font has, before what [`super::compact`] makes groups and references of.
pub(super) const OPEN: char = '\u{E000}';
pub(super) const CLOSE: char = '\u{E001}';
pub(super) const USE: char = '\u{E002}';

/// Drawing area; all lengths in pixels, y downward.
pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    pictures: &'a Pictures<'a>,
}

/// The SVG text of what `paint` draws onto a white page [px].
pub(super) fn svg(
    [width, height]: [f64; 2],
    pictures: &Pictures<'_>,
    paint: impl FnOnce(&Canvas<'_>) -> Result<(), ChartError>,
) -> Result<String, ChartError> {
    text::register()?;
    let (width, height) = (width.ceil(), height.ceil());
    let (fine_width, fine_height) = ((width * FINE) as u32, (height * FINE) as u32);
    let mut drawn = String::new();
    {
        let area = SVGBackend::with_string(&mut drawn, (fine_width, fine_height)).into_drawing_area();
        let canvas = Canvas { area, pictures };
        canvas.rectangle([0.0, 0.0, width, height], GROUND, 1.0)?;
        paint(&canvas)?;
        canvas.area.present().map_err(drawing)?;
    }
    // The page is as large as asked for; its units are finer.
    let head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {fine_width} {fine_height}\" stroke-linejoin=\"round\">"
    );
    match drawn.split_once('>') {
        Some((start, body)) if start.starts_with("<svg") => Ok(head + body),
        _ => Err(ChartError::Drawing { cause: "plotters wrote no SVG".into() }),
    }
}

fn drawing(error: impl std::fmt::Display) -> ChartError {
    ChartError::Drawing { cause: error.to_string() }
}

fn fine([x, y]: [f64; 2]) -> (i32, i32) {
    ((x * FINE).round() as i32, (y * FINE).round() as i32)
}

fn rgba(color: Color, alpha: f64) -> RGBAColor {
    RGBAColor(color.0, color.1, color.2, alpha)
}

fn filled(color: Color, alpha: f64) -> ShapeStyle {
    ShapeStyle { color: rgba(color, alpha), filled: true, stroke_width: 0 }
}

fn stroked(pen: Pen) -> ShapeStyle {
    ShapeStyle { color: rgba(pen.color, pen.alpha), filled: false, stroke_width: (pen.width * FINE).round() as u32 }
}

/// Points as canvas units, without repetitions.
fn fine_path(path: &[[f64; 2]]) -> Vec<(i32, i32)> {
    let mut points: Vec<_> = path.iter().map(|&point| fine(point)).collect();
    points.dedup();
    points
}

impl Canvas<'_> {
    /// A picture in a frame: left, top, right, bottom.
    pub fn picture(&self, frame: [f64; 4], paint: impl FnOnce() -> Result<(), ChartError>) -> Result<(), ChartError> {
        let say = |mark: char, what: String| {
            self.text(&format!("{mark}{what}"), [0.0, 0.0], Anchor(HPos::Left, VPos::Center), Type::new(12.0))
        };
        match self.pictures {
            Pictures::Drawn => paint(),
            Pictures::Named(name, frames) => {
                say(OPEN, format!("{name}-{}", frames.borrow().len()))?;
                frames.borrow_mut().push(frame);
                paint()?;
                say(CLOSE, String::new())
            }
            Pictures::Elsewhere(name, frames, count) => {
                let Some(there) = frames.get(count.replace(count.get() + 1)) else { return paint() };
                let scale = (frame[2] - frame[0]) / (there[2] - there[0]);
                let [x, y] = [0, 1].map(|k| FINE * (frame[k] - scale * there[k]));
                say(USE, format!("{name}-{} matrix({scale:.5} 0 0 {scale:.5} {x:.1} {y:.1})", count.get() - 1))
            }
        }
    }

    /// Line from point to point.
    pub fn path(&self, path: &[[f64; 2]], pen: Pen) -> Result<(), ChartError> {
        for piece in dashes(path, pen) {
            self.area.draw(&PathElement::new(fine_path(&piece), stroked(pen))).map_err(drawing)?;
        }
        Ok(())
    }

    /// Line between two points whose pattern, if it has one, fits in a whole number of times, from the middle of a gap to
    /// that of another: lines of a net look alike, from both ends.
    pub fn segment(&self, ends: [[f64; 2]; 2], pen: Pen) -> Result<(), ChartError> {
        let pieces = match pattern(pen.dash) {
            Some(pattern) => {
                let (whole, period) = (length(&ends), pattern.iter().sum::<f64>());
                let stretch = whole / period / (whole / period).round().clamp(1.0, MOST_DASHES);
                let gap = 0.5 * stretch * pattern.last().copied().unwrap_or(0.0);
                let share = if whole > 0.0 { gap / whole } else { 0.0 };
                let start = [0, 1].map(|c| ends[0][c] + share * (ends[1][c] - ends[0][c]));
                pieces(&[start, ends[1]], pattern, stretch)
            }
            None => vec![ends.to_vec()],
        };
        let drawn = pieces.iter().map(|piece| fine_path(piece)).filter(|path| path.len() > 1);
        drawn.into_iter().try_for_each(|path| self.area.draw(&PathElement::new(path, stroked(pen))).map_err(drawing))
    }

    /// Filled polygon.
    pub fn polygon(&self, corners: &[[f64; 2]], color: Color, alpha: f64) -> Result<(), ChartError> {
        self.area.draw(&Polygon::new(fine_path(corners), filled(color, alpha))).map_err(drawing)
    }

    /// Filled rectangle: left, top, right, bottom.
    pub fn rectangle(&self, [left, top, right, bottom]: [f64; 4], color: Color, alpha: f64) -> Result<(), ChartError> {
        let corners = [fine([left, top]), fine([right, bottom])];
        self.area.draw(&Rectangle::new(corners, filled(color, alpha))).map_err(drawing)
    }

    /// Outline of a rectangle: left, top, right, bottom.
    pub fn frame(&self, [left, top, right, bottom]: [f64; 4], pen: Pen) -> Result<(), ChartError> {
        self.outline(&[[left, top], [right, top], [right, bottom], [left, bottom]], pen)
    }

    fn outline(&self, corners: &[[f64; 2]], pen: Pen) -> Result<(), ChartError> {
        // Past the start, so that the first corner is joined like the others.
        let closed: Vec<_> = corners.iter().chain(corners.iter().take(2)).copied().collect();
        self.path(&closed, pen)
    }

    /// Mark of about the given radius [px].
    pub fn mark(&self, marker: Marker, [x, y]: [f64; 2], radius: f64, color: Color, alpha: f64) -> Result<(), ChartError> {
        let pen = Pen { alpha, ..Pen::new(color, 1.5) };
        let around =
            |corners: &[[f64; 2]]| -> Vec<[f64; 2]> { corners.iter().map(|&[u, v]| [x + radius * u, y + radius * v]).collect() };
        const TRIANGLE: [[f64; 2]; 3] = [[0.0, -1.25], [1.1, 0.75], [-1.1, 0.75]];
        const SQUARE: [[f64; 2]; 4] = [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]];
        const DIAMOND: [[f64; 2]; 4] = [[0.0, -1.3], [1.3, 0.0], [0.0, 1.3], [-1.3, 0.0]];
        // One path for both strokes, so that transparency does not double where they meet.
        const CROSS: [[f64; 2]; 6] = [[-1.0, -1.0], [0.0, 0.0], [1.0, -1.0], [-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]];
        match marker {
            Marker::Circle => self.circle([x, y], radius, filled(color, alpha)),
            Marker::OpenCircle => self.circle([x, y], radius, stroked(pen)),
            Marker::Triangle => self.polygon(&around(&TRIANGLE), color, alpha),
            Marker::Square => self.polygon(&around(&SQUARE), color, alpha),
            Marker::Diamond => self.polygon(&around(&DIAMOND), color, alpha),
            Marker::OpenTriangle => self.outline(&around(&TRIANGLE), pen),
            Marker::OpenSquare => self.outline(&around(&SQUARE), pen),
            Marker::OpenDiamond => self.outline(&around(&DIAMOND), pen),
            Marker::Cross => self.path(&around(&CROSS), pen),
        }
    }

    fn circle(&self, centre: [f64; 2], radius: f64, style: ShapeStyle) -> Result<(), ChartError> {
        self.area.draw(&Circle::new(fine(centre), (radius * FINE).round() as u32, style)).map_err(drawing)
    }

    /// One line of text.
    pub fn text(&self, text: &str, at: [f64; 2], Anchor(h, v): Anchor, style: Type) -> Result<(), ChartError> {
        self.label(text, at, Pos::new(h, v), style, FontTransform::None)
    }

    /// One line of text that reads upward; `h` is where `at` lies along it.
    pub fn upward(&self, text: &str, at: [f64; 2], h: HPos, style: Type) -> Result<(), ChartError> {
        self.label(text, at, Pos::new(h, VPos::Center), style, FontTransform::Rotate270)
    }

    fn label(&self, label: &str, at: [f64; 2], pos: Pos, style: Type, transform: FontTransform) -> Result<(), ChartError> {
        let color = rgba(style.color, 1.0);
        let style = TextStyle::from(style.font().transform(transform)).color(&color).pos(pos);
        self.area.draw_text(&text::spaced(label), &style, fine(at)).map_err(drawing)
    }

    /// Draws lines of text below each other from `top` on, aligned at `x`.
    pub fn lines(&self, text: &Fitted, across: HPos, [x, top]: [f64; 2]) -> Result<(), ChartError> {
        let height = text.style.line_height();
        for (k, line) in text.lines.iter().enumerate() {
            let at = [x, top + (k as f64 + 0.5) * height];
            self.text(line, at, Anchor(across, VPos::Center), text.style)?;
        }
        Ok(())
    }
}

/// Lengths that are drawn and left out in turn [px]; `None` for a solid line.
fn pattern(dash: Dash) -> Option<&'static [f64]> {
    match dash {
        Dash::Solid => None,
        Dash::Dashed => Some(&[7.0, 4.0]),
        Dash::Dotted => Some(&[1.8, 2.8]),
        Dash::DashDot => Some(&[8.0, 3.0, 1.8, 3.0]),
    }
}

/// Distance of the first two points [px].
fn length(pair: &[[f64; 2]]) -> f64 {
    let [dx, dy] = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
    (dx * dx + dy * dy).sqrt()
}

/// The drawn pieces of a line: itself when it is solid, else its dashes.
fn dashes(path: &[[f64; 2]], pen: Pen) -> Vec<Vec<[f64; 2]>> {
    let Some(pattern) = pattern(pen.dash) else { return vec![path.to_vec()] };
    let total: f64 = path.windows(2).map(length).sum();
    pieces(path, pattern, (total / pattern.iter().sum::<f64>() / MOST_DASHES).max(1.0))
}

/// The dashes of a line, its pattern made longer by a factor.
fn pieces(path: &[[f64; 2]], pattern: &[f64], stretch: f64) -> Vec<Vec<[f64; 2]>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<[f64; 2]> = path.first().copied().into_iter().collect();
    let (mut k, mut left) = (0, pattern[0] * stretch); // part of the pattern, and what is left of it [px]
    for pair in path.windows(2) {
        let (whole, mut at) = (length(pair), 0.0);
        while whole - at > left {
            at += left;
            let t = at / whole;
            let point = [0, 1].map(|c| pair[0][c] + t * (pair[1][c] - pair[0][c]));
            if k % 2 == 0 {
                piece.push(point);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![point];
            }
            k = (k + 1) % pattern.len();
            left = pattern[k] * stretch;
        }
        left -= whole - at;
        if k % 2 == 0 {
            piece.push(pair[1]);
        }
    }
    if k % 2 == 0 && piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::super::Palette;
    use super::*;

    #[test]
    fn dashes_follow_the_line_around_a_corner() {
        let pen = Pen { dash: Dash::Dashed, ..Pen::new(Palette::BLUE, 1.0) };
        let pieces = dashes(&[[0.0, 0.0], [12.0, 0.0], [12.0, 20.0]], pen); // 7 on, 4 off, 7 on, 4 off, 7 on, ...
        let expected =
            [vec![[0.0, 0.0], [7.0, 0.0]], vec![[11.0, 0.0], [12.0, 0.0], [12.0, 6.0]], vec![[12.0, 10.0], [12.0, 17.0]]];
        assert_eq!(pieces, expected);
    }

    #[test]
    fn the_pattern_of_a_segment_fits_into_it() {
        let pen = Pen { dash: Dash::Dashed, ..Pen::new(Palette::BLUE, 1.0) };
        let drawn = |x: f64| {
            let page = svg([72.0, 48.0], &Pictures::Drawn, |canvas| canvas.segment([[0.0, 0.0], [x, 0.0]], pen)).expect("drawn");
            let paths = page.split("points=\"").skip(1).filter_map(|rest| rest.split(" \"").next().map(String::from));
            paths.collect::<Vec<_>>()
        };
        assert_eq!(drawn(11.0), ["20,0 90,0"]);
        assert_eq!(drawn(5.5), ["10,0 45,0"]); // 11 px squeezed into 5.5
        assert_eq!(drawn(33.0), ["20,0 90,0", "130,0 200,0", "240,0 310,0"]);
        assert!(drawn(0.01).is_empty());
    }

    #[test]
    fn the_page_is_ten_times_finer_than_it_shows() {
        let page = svg([72.0, 48.0], &Pictures::Drawn, |canvas| {
            canvas.text("a<b & c", [36.0, 24.0], Anchor(HPos::Left, VPos::Top), Type::new(12.0))
        });
        let page = page.expect("drawn");
        assert!(page.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"72\" height=\"48\" viewBox=\"0 0 720 480\""));
        assert!(page.trim_end().ends_with("</svg>") && page.matches("<svg").count() == 1);
        assert!(page.contains("x=\"360\" y=\"240\"") && page.contains("a&lt;b &amp; c"));
    }
}
