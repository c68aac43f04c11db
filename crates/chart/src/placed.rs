//! Panels that know their measures, as a page places them.

use super::ChartError;
use super::canvas::{Canvas, Pen};
use super::palette::Color;

/// A panel with its measures.
pub(super) trait Placed: Sync {
    /// Height above the frame [px].
    fn top(&self) -> f64;

    /// Height of the frame and of all below it [px].
    fn rest(&self) -> Result<f64, ChartError>;

    /// Shapes that take long to find out, of a panel whose cell starts at `left` and whose frame at `top` [px].
    fn shapes(&self, _left: f64, _top: f64) -> Vec<Shape> {
        vec![]
    }

    /// Draws the panel there, with its shapes, which are found out where they are wanted.
    fn draw(&self, canvas: &Canvas<'_>, left: f64, top: f64, shapes: Option<Vec<Shape>>) -> Result<(), ChartError>;
}

/// A face or a segment as it is drawn [px].
pub(super) enum Shape {
    Segment([[f64; 2]; 2], Pen),
    Face(Vec<[f64; 2]>, Color),
}
