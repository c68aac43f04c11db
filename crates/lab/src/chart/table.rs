//! Table of what a figure shows, for readers who want the numbers.

use super::layer::{Direction, Layer};
use super::plot::Plot;
use super::{ChartError, Figure};

const HEADER: [&str; 9] = ["panel", "layer", "label", "kind", "x", "y", "x2", "y2", "inside"];

/// Coordinates of a datum: x, y, x2, y2.
type Row = [Option<f64>; 4];

/// The table as CSV text.
pub(super) fn csv(figure: &Figure) -> Result<String, ChartError> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(HEADER)?;
    for (p, panel) in figure.panels.iter().enumerate() {
        let plot = Plot::new(panel)?;
        for (l, (layer, seen)) in panel.layers.iter().zip(plot.layers()).enumerate() {
            let (kind, rows) = rows(layer);
            for (row, inside) in rows.into_iter().zip(&seen.inside) {
                let numbers = row.map(|value| value.map_or(String::new(), |value| format!("{value:?}")));
                let head = [(p + 1).to_string(), (l + 1).to_string(), layer.label().into(), kind.into()];
                table.write_record(head.iter().chain(&numbers).chain([&inside.to_string()]))?;
            }
        }
    }
    let bytes = table.into_inner().map_err(|error| ChartError::Table(error.into_error().into()))?;
    String::from_utf8(bytes).map_err(|error| ChartError::Drawing { cause: error.to_string() })
}

/// Kind of a layer, and its data.
fn rows(layer: &Layer) -> (&'static str, Vec<Row>) {
    let pairs = |points: &[[f64; 2]]| points.iter().map(|&[x, y]| [Some(x), Some(y), None, None]).collect();
    match layer {
        Layer::Points { points, .. } => ("point", pairs(points)),
        Layer::Line { points, .. } => ("line", pairs(points)),
        Layer::Bars { edges, heights, .. } => {
            let bar = |(sides, &height): (&[f64], &f64)| [Some(sides[0]), Some(height), Some(sides[1]), None];
            ("bar", edges.windows(2).zip(heights).map(bar).collect())
        }
        Layer::Cells { size, centres, .. } => {
            ("cell", centres.iter().map(|&[x, y]| [Some(x), Some(y), Some(size[0]), Some(size[1])]).collect())
        }
        Layer::Band { axis: Direction::Vertical, from, to, .. } => ("band", vec![[Some(*from), None, Some(*to), None]]),
        Layer::Band { axis: Direction::Horizontal, from, to, .. } => ("band", vec![[None, Some(*from), None, Some(*to)]]),
        Layer::Rule { axis: Direction::Vertical, at, .. } => ("rule", vec![[Some(*at), None, None, None]]),
        Layer::Rule { axis: Direction::Horizontal, at, .. } => ("rule", vec![[None, Some(*at), None, None]]),
        Layer::ErrorBars { points, .. } => ("error bar", points.iter().map(|point| point.map(Some)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Palette, Panel};
    use super::*;

    #[test]
    fn every_datum_comes_back_unchanged() {
        let points = vec![[0.1, 1e-300], [1.0 / 3.0, -2.5e17], [f64::NAN, 4.0], [5.0, 0.0]];
        let layers = vec![
            Layer::points("a, \"quoted\"", Palette::BLUE, points.clone()),
            Layer::bars("", Palette::BLUE, vec![0.0, 0.5, 4.0], vec![7.0, 8.0]),
            Layer::rule("r", Palette::BLUE, Direction::Horizontal, 6.5),
            Layer::error_bars("", Palette::BLUE, vec![[1.0, 2.0, 1.5, 2.5]]),
        ];
        let panel = Panel::new(Axis::linear("").range(0.0, 4.0), Axis::linear(""), layers);
        let text = csv(&Figure::new("f", "", "", vec![panel])).expect("table");
        let mut table = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<Vec<String>> = table.records().map(|row| row.expect("record").iter().map(String::from).collect()).collect();
        assert_eq!(rows.len(), 4 + 2 + 1 + 1);
        for (row, point) in rows.iter().zip(&points) {
            assert_eq!(row[..4], ["1", "1", "a, \"quoted\"", "point"]);
            let back = [4, 5].map(|k: usize| row[k].parse::<f64>().expect("number"));
            assert_eq!(back.map(f64::to_bits), point.map(f64::to_bits));
        }
        let inside: Vec<_> = rows[..4].iter().map(|row| row[8].as_str()).collect();
        assert_eq!(inside, ["true", "true", "false", "false"]);
        assert_eq!(rows[5][3..8], ["bar", "0.5", "8.0", "4.0", ""]);
        assert_eq!(rows[6][3..8], ["rule", "", "6.5", "", ""]);
        assert_eq!(rows[7][3..8], ["error bar", "1.0", "2.0", "1.5", "2.5"]);
    }
}
